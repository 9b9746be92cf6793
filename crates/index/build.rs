//! Names this version of the extractor: a number over every source of this crate, the parser's runtime and the pinned grammars, so that
//! facts made by another version are never taken for this one's.
#![expect(
    clippy::disallowed_methods,
    reason = "a build script reads its sources and its environment"
)]

use std::fs;
use std::path::{Path, PathBuf};

fn main() {
    let root = PathBuf::from(std::env::var_os("CARGO_MANIFEST_DIR").unwrap_or_default());
    let mut files = vec![root.join("Cargo.toml"), root.join("../../Cargo.toml")];
    collect(&root.join("src"), &mut files);
    collect(&root.join("../../vendor/tree-sitter/src"), &mut files);
    files.sort();
    let mut number = 0xcbf2_9ce4_8422_2325_u64;
    for file in &files {
        println!("cargo::rerun-if-changed={}", file.display());
        let content = fs::read(file).unwrap_or_default();
        let name = file.strip_prefix(&root).unwrap_or(file).to_string_lossy().into_owned();
        for byte in name.bytes().chain(content) {
            number = (number ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3);
        }
    }
    // Features add languages, and with them the numbers by which cached facts name theirs.
    let mut features: Vec<String> = std::env::vars()
        .map(|(name, _)| name)
        .filter(|name| name.starts_with("CARGO_FEATURE_"))
        .collect();
    features.sort();
    for byte in features.iter().flat_map(|name| name.bytes()) {
        number = (number ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3);
    }
    println!("cargo::rerun-if-changed={}", root.join("src").display());
    println!("cargo::rustc-env=LORE_EXTRACTOR={}", (number ^ (number >> 32)) as u32);
}

fn collect(directory: &Path, files: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(directory).into_iter().flatten().flatten() {
        match entry.path() {
            path if path.is_dir() && path.ends_with("annotated") => {}
            path if path.is_dir() => collect(&path, files),
            path if path
                .extension()
                .is_some_and(|extension| ["rs", "c", "h"].iter().any(|known| extension == *known)) =>
            {
                files.push(path);
            }
            _ => {}
        }
    }
}
