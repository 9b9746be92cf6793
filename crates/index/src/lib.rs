//! From a source tree to the code graph: `walk → SourceFile → extract → FileFacts → link → snapshot`.
//!
//! Only this crate uses tree-sitter. Everything particular to one language is in its folder under `lang/`. The
//! walker, the linker and the pipeline contain no case for a named language. The crate knows no specification, SQL,
//! git or HTTP: trees and caches are ports.

mod detect;
mod edges;
mod entry_points;
mod extract;
mod families;
mod flow;
mod lang;
mod language;
mod layout;
mod link;
mod owners;
mod pipeline;
mod solve;
mod source;
mod syntax;

pub use detect::{Collision, Detection, Detector, DetectorError, content_hash, detect_by_content, facts_fingerprint};
pub use extract::{ParseQuality, extract, parse_quality};
pub use lang::LANGUAGES;
pub use language::{Language, Role};
pub use layout::is_package_file;
pub use pipeline::{IndexError, IndexOptions, IndexReport, Indexed, index};
pub use source::{FactsKey, FactsStore, Listing, ReadError, SkippedFile, SourceError, SourceFile, SourceTree};

/// The version of everything that decides the facts of a file. A change invalidates all cached facts. The build
/// script computes it.
pub const EXTRACTOR_VERSION: u32 = parse(env!("LORE_EXTRACTOR"));

const fn parse(text: &str) -> u32 {
    let digits = text.as_bytes();
    let mut number = 0u32;
    let mut at = 0;
    while at < digits.len() {
        number = number.wrapping_mul(10).wrapping_add((digits[at] - b'0') as u32);
        at += 1;
    }
    number
}
