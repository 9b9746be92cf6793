//! The files of a repository that Lore reads as configuration or writes.

use crate::git::{HOOK, LOCK_DIRECTORY, WRITTEN};
use crate::tree::ignore_rules::EXCLUDE;

/// Every file, and some directories of git's, below the root of a repository that Lore reads as configuration or writes, by its
/// path: what the specifications name, and what is in git's own directory. A repository's author may have put a link, a pipe or a
/// device at each of them.
pub fn repository_paths() -> Vec<String> {
    let mut paths = lore_ask::across::repository_paths();
    let in_git = [
        EXCLUDE.to_owned(),
        format!("hooks/{HOOK}"),
        format!("{LOCK_DIRECTORY}/lock"),
    ];
    paths.extend(in_git.map(|path| format!(".git/{path}")));
    paths.extend(WRITTEN.iter().map(|(path, _)| format!(".git/{path}")));
    paths.sort();
    paths
}
