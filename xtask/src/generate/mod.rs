//! `cargo xtask generate`: the pages that are written from the code and its folders.

mod languages;
mod reference;

use std::collections::BTreeMap;

use crate::{Outcome, disk};

/// Where the reference stands.
const REFERENCE: &str = "docs/reference";
/// The page about the languages.
const LANGUAGES: &str = "docs/languages.md";

/// Writes every page, and removes the schemas of operations that are gone.
pub(crate) fn write() -> Outcome<()> {
    let root = disk::root();
    let wanted = pages()?;
    for (path, text) in &wanted {
        disk::write(&root.join(path), text)?;
    }
    for path in surplus(&wanted)? {
        let path = root.join(path);
        std::fs::remove_file(&path).map_err(|error| disk::cannot("removed", &path, error))?;
    }
    println!("docs: {} generated files", wanted.len());
    Ok(())
}

/// Fails if a page is not what would be written.
pub(crate) fn check() -> Outcome<()> {
    let root = disk::root();
    let wanted = pages()?;
    let mut wrong: Vec<String> = Vec::new();
    for (path, text) in &wanted {
        match std::fs::read_to_string(root.join(path)) {
            Ok(present) if present == *text => {}
            Ok(_) => wrong.push(format!("{path} differs")),
            Err(_) => wrong.push(format!("{path} is missing")),
        }
    }
    wrong.extend(surplus(&wanted)?.into_iter().map(|path| format!("{path} is surplus")));
    if wrong.is_empty() {
        return Ok(());
    }
    Err(format!(
        "generated files are out of date; `cargo xtask generate` writes them anew\n  {}",
        wrong.join("\n  ")
    ))
}

/// Every generated file, by path.
fn pages() -> Outcome<BTreeMap<String, String>> {
    let reference = reference::files()?.into_iter();
    let mut pages: BTreeMap<String, String> = reference
        .map(|(name, text)| (format!("{REFERENCE}/{name}"), text))
        .collect();
    pages.insert(LANGUAGES.to_owned(), languages::page()?);
    Ok(pages)
}

/// Schemas that are there and should not be.
fn surplus(wanted: &BTreeMap<String, String>) -> Outcome<Vec<String>> {
    let directory = disk::root().join(REFERENCE);
    if !directory.is_dir() {
        return Ok(Vec::new());
    }
    let names = disk::entries(&directory)?
        .into_iter()
        .filter_map(|path| path.file_name().map(|name| name.to_string_lossy().into_owned()));
    Ok(names
        .filter(|name| name.ends_with(reference::SCHEMA_SUFFIX))
        .map(|name| format!("{REFERENCE}/{name}"))
        .filter(|path| !wanted.contains_key(path))
        .collect())
}
