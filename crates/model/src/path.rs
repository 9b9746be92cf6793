//! `RepoPath`, a path inside a source tree that cannot lead out of it, and functions that join and normalise paths as text.

use std::fmt;

/// A non-empty path relative to the root of a source tree: UTF-8, `/` between parts, no empty, `.` or `..` part.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct RepoPath(Box<str>);

/// Why a text is not a [`RepoPath`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum PathError {
    /// The text is empty.
    Empty,
    /// The text starts at the file system's root.
    Absolute,
    /// A part is empty, `.` or `..`.
    BadPart,
    /// The text holds a NUL.
    Nul,
}

impl fmt::Display for PathError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Self::Empty => "the path is empty",
            Self::Absolute => "the path is absolute; paths are relative to the repository's root",
            Self::BadPart => "the path has an empty, `.` or `..` part",
            Self::Nul => "the path holds a NUL",
        })
    }
}

impl std::error::Error for PathError {}

impl RepoPath {
    /// Checks a text.
    pub fn new(text: &str) -> Result<Self, PathError> {
        if text.is_empty() {
            return Err(PathError::Empty);
        }
        if text.starts_with('/') {
            return Err(PathError::Absolute);
        }
        if text.contains('\0') {
            return Err(PathError::Nul);
        }
        if text.split('/').any(|part| matches!(part, "" | "." | "..")) {
            return Err(PathError::BadPart);
        }
        Ok(Self(text.into()))
    }

    /// The path as text.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The last part.
    pub fn file_name(&self) -> &str {
        self.0.rsplit('/').next().unwrap_or(&self.0)
    }

    /// What follows the last dot of the file name, unless the dot is its first character.
    pub fn extension(&self) -> Option<&str> {
        let (stem, extension) = self.file_name().rsplit_once('.')?;
        (!stem.is_empty()).then_some(extension)
    }

    /// The path of the directory that holds the file; empty at the root.
    pub fn directory(&self) -> &str {
        self.0.rsplit_once('/').map_or("", |(directory, _)| directory)
    }
}

impl fmt::Display for RepoPath {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.0)
    }
}

/// A directory and a path below it with one `/` between them. Either may be empty. The function interprets no `.` and no `..`.
pub fn join_path(directory: &str, path: &str) -> String {
    match (directory, path) {
        ("", path) => path.to_owned(),
        (directory, "") => directory.to_owned(),
        (directory, path) => format!("{directory}/{path}"),
    }
}

/// A relative path seen from a directory, without empty, `.` and `..` parts. A `..` at the root is ignored, as in a URL, so the
/// result never leads out of the tree. To refuse such a path, use [`normal_path`].
pub fn resolve_path(directory: &str, path: &str) -> String {
    let mut parts = Vec::new();
    for part in directory.split('/').chain(path.split('/')) {
        step(&mut parts, part);
    }
    parts.join("/")
}

/// A path without empty, `.` and `..` parts; `None` if a `..` leads out of the directory in which the path begins.
pub fn normal_path(path: &str) -> Option<String> {
    let mut parts = Vec::new();
    path.split('/')
        .all(|part| step(&mut parts, part))
        .then(|| parts.join("/"))
}

/// Appends a part to a normal path; whether the path stays below the directory in which it begins.
fn step<'a>(parts: &mut Vec<&'a str>, part: &'a str) -> bool {
    match part {
        "" | "." => {}
        ".." => return parts.pop().is_some(),
        part => parts.push(part),
    }
    true
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_join_interprets_nothing() {
        for (directory, path, joined) in [
            ("", "a", "a"),
            ("a", "", "a"),
            ("", "", ""),
            ("a", "../b/", "a/../b/"),
            ("a/b", "./c", "a/b/./c"),
        ] {
            assert_eq!(join_path(directory, path), joined);
        }
    }

    #[test]
    fn a_path_is_resolved_from_a_directory_and_stays_below_the_root() {
        for (directory, path, resolved) in [
            ("src", "./a/../b", "src/b"),
            ("src/lib", "../a//b/", "src/a/b"),
            ("", "/a", "a"),
            ("a/b", "../../../c/./d", "c/d"),
            ("a/../b/.", "c", "b/c"),
            ("src", ".", "src"),
            ("", "../../a", "a"),
        ] {
            assert_eq!(resolve_path(directory, path), resolved);
        }
    }

    #[test]
    fn a_path_that_leads_out_has_no_normal_form() {
        for (path, normal) in [
            ("src/./a/../b", Some("src/b")),
            ("/a", Some("a")),
            ("a/..", Some("")),
            ("a/../..", None),
            ("../a", None),
        ] {
            assert_eq!(normal_path(path).as_deref(), normal, "{path:?}");
        }
    }

    #[test]
    fn a_path_cannot_leave_its_root() {
        for (text, error) in [
            ("", PathError::Empty),
            ("/etc/passwd", PathError::Absolute),
            ("a/../b", PathError::BadPart),
            ("..", PathError::BadPart),
            ("./a", PathError::BadPart),
            ("a//b", PathError::BadPart),
            ("a/", PathError::BadPart),
            ("a\0b", PathError::Nul),
        ] {
            assert_eq!(RepoPath::new(text), Err(error), "{text:?}");
        }
    }

    #[test]
    fn parts_of_a_path() {
        let path = RepoPath::new("src/lib/mod.test.ts").expect("valid");
        assert_eq!(
            (path.file_name(), path.extension(), path.directory()),
            ("mod.test.ts", Some("ts"), "src/lib")
        );
        let dot = RepoPath::new(".bashrc").expect("valid");
        assert_eq!((dot.extension(), dot.directory()), (None, ""));
    }
}
