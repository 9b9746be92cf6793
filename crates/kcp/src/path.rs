//! Paths of units and mirrors, checked by their text alone (clauses S1, P9, E6 and the amendment to E6).

use lore_model::resolve_path;

/// What is wrong with a path so that the manifest is refused.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum PathFault {
    /// It begins at the root of a file system or of a host.
    Absolute,
    /// It starts with a drive letter.
    Drive,
    /// It leads out of the manifest's directory.
    Escapes,
    /// It contains a control character.
    Control,
}

impl PathFault {
    /// What it is, as the end of a sentence about the path.
    pub fn reason(self) -> &'static str {
        match self {
            Self::Absolute => "is absolute",
            Self::Drive => "starts with a drive letter",
            Self::Escapes => "leads out of the directory of the manifest",
            Self::Control => "contains a control character",
        }
    }
}

/// What is unusual about a valid path.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum PathNote {
    /// It contains a backslash.
    Backslash,
    /// It is the directory of the manifest itself.
    Root,
}

/// Judges a path. Nothing is decoded, folded or looked up.
pub fn check(path: &str) -> Result<Option<PathNote>, PathFault> {
    if path.chars().any(|letter| letter < ' ' || letter == '\u{7f}') {
        return Err(PathFault::Control);
    }
    if path.starts_with(['/', '\\']) {
        return Err(PathFault::Absolute);
    }
    if let [letter, b':', ..] = path.as_bytes()
        && letter.is_ascii_alphabetic()
    {
        return Err(PathFault::Drive);
    }
    let depth = depth(path.split('/'))?;
    if path.contains('\\') {
        // Where a backslash separates, the path must be as harmless.
        self::depth(path.split(['/', '\\']))?;
        return Ok(Some(PathNote::Backslash));
    }
    Ok((depth == 0).then_some(PathNote::Root))
}

/// How deep below the manifest a path ends.
fn depth<'a>(parts: impl Iterator<Item = &'a str>) -> Result<usize, PathFault> {
    let mut depth = 0usize;
    for part in parts {
        match part {
            "" | "." => {}
            ".." => depth = depth.checked_sub(1).ok_or(PathFault::Escapes)?,
            _ => depth += 1,
        }
    }
    Ok(depth)
}

/// A path without empty, `.` and `..` parts.
pub fn normal(path: &str) -> String {
    resolve_path("", path)
}

/// The last part of a path.
pub fn file_name(path: &str) -> &str {
    path.trim_end_matches('/').rsplit('/').next().unwrap_or(path)
}

/// The extension of the last part, without the dot.
pub fn extension(path: &str) -> Option<&str> {
    let (stem, extension) = file_name(path).rsplit_once('.')?;
    (!stem.is_empty()).then_some(extension)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn e6_absolute_and_escaping_paths_are_refused() {
        for (path, fault) in [
            ("/etc/shadow", PathFault::Absolute),
            ("//host/x", PathFault::Absolute),
            ("\\\\host\\x", PathFault::Absolute),
            ("\\x", PathFault::Absolute),
            ("\\\\?\\x", PathFault::Absolute),
            ("../../etc/passwd", PathFault::Escapes),
            ("a/../../x", PathFault::Escapes),
            ("..", PathFault::Escapes),
            ("..\\..\\x", PathFault::Escapes),
            ("a\\..\\..\\x", PathFault::Escapes),
            ("C:x", PathFault::Drive),
            ("c:/x", PathFault::Drive),
            ("a\0b", PathFault::Control),
            ("a\nb", PathFault::Control),
        ] {
            assert_eq!(check(path), Err(fault), "{path:?}");
        }
    }

    #[test]
    fn s1_relative_paths_are_judged_by_their_text() {
        for path in [
            "a",
            "./a",
            "a//b",
            "a/./b",
            "a/",
            "...",
            "%2e%2e/x",
            "ab:c",
            "C",
            "https://x/y",
            "a/../b",
            "\u{2215}x",
            " a ",
        ] {
            assert_eq!(check(path), Ok(None), "{path:?}");
        }
        assert_eq!(normal("./a//b/../c/"), "a/c");
        assert_eq!(
            (extension("a/b.tar.gz"), extension(".husky"), extension("a.b/c")),
            (Some("gz"), None, None)
        );
    }

    #[test]
    fn amend4_a_backslash_that_stays_inside_and_the_root_itself_are_only_strange() {
        for path in ["docs\\guide.md", "a\\..\\b"] {
            assert_eq!(check(path), Ok(Some(PathNote::Backslash)), "{path:?}");
        }
        for path in [".", "./", "a/.."] {
            assert_eq!(check(path), Ok(Some(PathNote::Root)), "{path:?}");
        }
    }

    proptest! {
        #![proptest_config(lore_testing::cases(256))]

        #[test]
        fn what_is_accepted_stays_inside(path in "[a-c./\\\\:]{0,12}") {
            if check(&path).is_ok() {
                let mut depth = 0i32;
                for part in path.replace('\\', "/").split('/') {
                    depth += match part { "" | "." => 0, ".." => -1, _ => 1 };
                    prop_assert!(depth >= 0);
                }
                prop_assert!(!path.starts_with(['/', '\\']));
            }
        }
    }
}
