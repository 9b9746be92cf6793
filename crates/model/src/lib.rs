//! The vocabulary of Lore: paths, kinds, facts of a file, the code graph and its snapshot.
//!
//! Pure values and algorithms over them. Nothing here knows I/O, a wire format, a specification or a language by name.
#![warn(missing_docs)]

mod cause;
mod diagnostic;
mod doc;
mod facts;
mod flow;
mod graph;
mod importance;
mod kind;
mod modules;
mod name_match;
mod nesting;
mod overlay;
mod path;
mod sections;
mod snapshot;
mod task;
mod text;

pub use cause::Cause;
pub use diagnostic::{Diagnostic, Severity};
pub use doc::{summary, summary_len};
pub use facts::{
    CONFIGURATION_KEY, Definition, DefinitionFlags, ENVIRONMENT_VARIABLE, Export, FactsDiagnostic, FactsView,
    FileFacts, Import, ImportFlags, LineCounts, Place, TextRange, Use, UseKind,
};
pub use flow::{
    ArgumentKind, BodyFlags, ClassFlags, ClassKind, ExportFlags, FlowArgument, FlowBody, FlowCapture, FlowClass,
    FlowCode, FlowExport, FlowFacts, FlowFlags, FlowParameter, FlowStep, FlowVariable, FlowView, ParameterKind,
};
pub use graph::{
    CodeGraph, Edge, EdgeTarget, File, FileId, FileImport, Filtered, FilteredText, MAX_NESTING, Skipped, Symbol,
    SymbolId, TextFilter, UnresolvedCall, plain_name,
};
pub use importance::AVERAGE as AVERAGE_IMPORTANCE;
pub use kind::{
    Bound, EdgeKind, EdgeMarks, Modifier, Modifiers, Resolution, SkipReason, SymbolKind, VariableUse, Visibility,
};
pub use modules::{
    DataLanguages, Module, ModuleDependency, ModuleGraph, SURE_DEPENDENCY, components, cycles, names_its_target,
    shortest_cycle,
};
pub use name_match::{MatchQuality, distance_within, last_of, meant_by, nearest, score, score_loose, score_part};
pub use overlay::{SymbolTexts, TextOverlay};
pub use path::{PathError, RepoPath, join_path, normal_path, resolve_path};
pub use sections::{SectionError, SectionReader, SectionWriter};
pub use snapshot::{
    BoundRow, EdgeRow, FileRow, SNAPSHOT_VERSION, SkippedRow, Snapshot, SnapshotBuilder, SnapshotError, SymbolRow,
    UnresolvedRow, VariableRow,
};
pub use task::{Cancel, NoProgress, Progress};
pub use text::{Text, TextBlob, base64, fold_whitespace, truncate_chars};

/// The little-endian integer of all stored rows. It has no alignment, so Lore reads rows in place.
pub type U32 = zerocopy::little_endian::U32;

/// "No such id" in a column of ids.
pub const NONE: u32 = u32::MAX;

/// The hash of a file's content. It is git's blob id, so Lore recognises the blobs of a revision without reading
/// them.
#[derive(
    Clone,
    Copy,
    PartialEq,
    Eq,
    PartialOrd,
    Ord,
    Hash,
    Debug,
    Default,
    zerocopy::FromBytes,
    zerocopy::IntoBytes,
    zerocopy::Immutable,
    zerocopy::KnownLayout,
    zerocopy::Unaligned,
)]
#[repr(transparent)]
pub struct ContentHash(pub [u8; 20]);

impl std::fmt::Display for ContentHash {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.0.iter().try_for_each(|byte| write!(formatter, "{byte:02x}"))
    }
}
