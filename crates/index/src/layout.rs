//! What names a module besides its own file: the paths of the tree and the package files that declare roots.

use lore_model::RepoPath;

/// File names of package files, which languages read to find their roots.
const PACKAGE_FILES: &[&str] = &[
    "Cargo.toml",
    "go.mod",
    "jsconfig.json",
    "package.json",
    "pyproject.toml",
    "setup.cfg",
    "tsconfig.base.json",
    "tsconfig.json",
];

/// Whether a path is that of a package file.
pub fn is_package_file(path: &RepoPath) -> bool {
    PACKAGE_FILES.contains(&path.file_name())
}

/// The tree as languages see it when they name modules.
pub(crate) struct Layout<'a> {
    /// The indexed files, in path order.
    pub(crate) paths: &'a [RepoPath],
    /// The package files with their texts, in path order.
    pub(crate) package_files: &'a [(RepoPath, String)],
}

/// A directory at which names begin.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct Root {
    /// The directory; empty for the repository's root.
    pub(crate) directory: String,
    /// What its names begin with; may be empty.
    pub(crate) name: String,
    /// Files below it that begin names of their own.
    pub(crate) entries: Vec<(String, String)>,
}

impl Layout<'_> {
    /// Whether a file is indexed.
    pub(crate) fn contains(&self, path: &str) -> bool {
        self.paths.binary_search_by(|probe| probe.as_str().cmp(path)).is_ok()
    }

    /// The package files of a name, each with the directory it stands in and its text.
    pub(crate) fn package_files<'s>(&'s self, name: &'s str) -> impl Iterator<Item = (&'s str, &'s str)> {
        self.package_files
            .iter()
            .filter(move |(path, _)| path.file_name() == name)
            .map(|(path, text)| (path.directory(), text.as_str()))
    }

    /// The files below a directory, as paths relative to it.
    pub(crate) fn below<'s>(&'s self, directory: &'s str) -> impl Iterator<Item = &'s str> {
        self.paths
            .iter()
            .filter_map(move |path| relative(path.as_str(), directory))
    }
}

/// A path relative to a directory that holds it.
pub(crate) fn relative<'a>(path: &'a str, directory: &str) -> Option<&'a str> {
    if directory.is_empty() {
        return Some(path);
    }
    path.strip_prefix(directory)?.strip_prefix('/')
}

/// A directory and a path below it as configuration files write it: `/` around it, `./` before it and `.` mean nothing.
pub(crate) fn join_path(directory: &str, written: &str) -> String {
    let path = written.trim_matches('/');
    let path = path.strip_prefix("./").unwrap_or(path);
    lore_model::join_path(directory, if path == "." { "" } else { path })
}

/// The longest root that holds a path, and the path relative to it.
pub(crate) fn longest_root<'r, 'p>(roots: &'r [Root], path: &'p str) -> Option<(&'r Root, &'p str)> {
    roots
        .iter()
        .filter_map(|root| Some((root, relative(path, &root.directory)?)))
        .max_by_key(|(root, _)| root.directory.len())
}

/// Whether a part of a directory path is one of these names.
pub(crate) fn has_directory(path: &RepoPath, names: &[&str]) -> bool {
    path.directory().split('/').any(|part| names.contains(&part))
}
