//! The project's files and copies of trees, with errors that name the path.

use std::fmt::Display;
use std::fs;
use std::path::{Path, PathBuf};

use lore_backends::{DirectoryTree, StatTable, TreePatterns};
use lore_index::SourceTree;

use crate::Outcome;

/// Which build of a binary is meant.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Build {
    Dev,
    Release,
}

/// The root of the project.
pub(crate) fn root() -> PathBuf {
    let manifest =
        std::env::var_os("CARGO_MANIFEST_DIR").map_or_else(|| env!("CARGO_MANIFEST_DIR").into(), PathBuf::from);
    manifest.parent().map_or_else(|| manifest.clone(), Path::to_owned)
}

/// Where cargo builds.
pub(crate) fn target() -> PathBuf {
    std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| root().join("target"), |directory| root().join(directory))
}

/// A binary of the workspace.
pub(crate) fn binary(build: Build, name: &str) -> PathBuf {
    let profile = match build {
        Build::Dev => "debug",
        Build::Release => "release",
    };
    target()
        .join(profile)
        .join(format!("{name}{}", std::env::consts::EXE_SUFFIX))
}

/// Every file of the project that git does not ignore, in path order.
pub(crate) fn project_files(root: &Path) -> Outcome<Vec<String>> {
    let tree = DirectoryTree::new(root.to_owned(), TreePatterns::default(), StatTable::default());
    let listing = tree.list().map_err(|error| error.message)?;
    Ok(listing
        .files
        .into_iter()
        .map(|file| file.path.as_str().to_owned())
        .collect())
}

/// Reads a text.
pub(crate) fn read(path: &Path) -> Outcome<String> {
    fs::read_to_string(path).map_err(|error| cannot("read", path, error))
}

/// Writes a text, with the directories that lead to it.
pub(crate) fn write(path: &Path, text: &str) -> Outcome<()> {
    if let Some(parent) = path.parent() {
        make_directory(parent)?;
    }
    fs::write(path, text).map_err(|error| cannot("written", path, error))
}

/// Makes a directory and those that lead to it.
pub(crate) fn make_directory(path: &Path) -> Outcome<()> {
    fs::create_dir_all(path).map_err(|error| cannot("made", path, error))
}

/// The entries of a directory, in order of their names.
pub(crate) fn entries(directory: &Path) -> Outcome<Vec<PathBuf>> {
    let listed = fs::read_dir(directory).and_then(|entries| entries.map(|entry| Ok(entry?.path())).collect());
    let mut paths: Vec<PathBuf> = listed.map_err(|error| cannot("listed", directory, error))?;
    paths.sort();
    Ok(paths)
}

/// Moves a file or directory within a file system.
pub(crate) fn rename(from: &Path, to: &Path) -> Outcome<()> {
    if let Some(parent) = to.parent() {
        make_directory(parent)?;
    }
    fs::rename(from, to).map_err(|error| cannot("moved", from, error))
}

/// Copies the files and directories of a tree; links and special files stay behind.
pub(crate) fn copy_tree(from: &Path, to: &Path) -> Outcome<()> {
    copy_tree_without(from, to, &[])
}

/// The same without the files and directories of some names, wherever they stand.
pub(crate) fn copy_tree_without(from: &Path, to: &Path, without: &[String]) -> Outcome<()> {
    make_directory(to)?;
    let left_out = |path: &PathBuf| without.iter().any(|name| path.ends_with(name));
    for path in entries(from)?.into_iter().filter(|path| !left_out(path)) {
        let kind = fs::symlink_metadata(&path)
            .map_err(|error| cannot("read", &path, error))?
            .file_type();
        let copy = to.join(path.file_name().unwrap_or_default());
        if kind.is_dir() {
            copy_tree_without(&path, &copy, without)?;
        } else if kind.is_file() {
            fs::copy(&path, &copy).map_err(|error| cannot("copied", &path, error))?;
        }
    }
    Ok(())
}

/// A sentence about what cannot be done to a path.
pub(crate) fn cannot(done: &str, path: &Path, error: impl Display) -> String {
    format!("{} cannot be {done}: {error}", path.display())
}
