//! The files of a repository that Lore reads as configuration, or writes.

use lore_ckgp as ckgp;
use lore_kcp as kcp;

use crate::workspace;

/// The settings of a repository, and the rules that leave files of it out.
const SETTINGS: &[&str] = &["lore.toml", ".gitignore", ".ignore"];

/// Every file below the root of a repository that is read as configuration or written, by its path. Source files and documents are not among them, nor is what the
/// user names.
pub fn repository_paths() -> Vec<String> {
    let knowledge = [kcp::open::MANIFEST, kcp::catalog::CATALOG];
    let mut paths: Vec<String> = SETTINGS
        .iter()
        .chain(&knowledge)
        .chain(&kcp::discover::CARDS)
        .map(|path| (*path).to_owned())
        .collect();
    paths.extend(kcp::generate::paths());
    paths.extend(workspace::init::paths());
    paths.extend(ckgp::publish::published_paths());
    paths.sort();
    paths.dedup();
    paths
}
