//! Numbers with their nouns.

use std::fmt::Display;

/// A number and its noun: `1 file`, `2 files`, `2 branches`, `2 directories`.
pub fn counted(count: impl Display, noun: &str) -> String {
    let plural = match noun.strip_suffix('y') {
        Some(stem) if !stem.ends_with(['a', 'e', 'o', 'u']) => format!("{stem}ies"),
        _ if ["s", "x", "ch", "sh"].iter().any(|end| noun.ends_with(end)) => format!("{noun}es"),
        _ => format!("{noun}s"),
    };
    counted_as(count, noun, &plural)
}

/// A number and the words for one and for several.
pub fn counted_as(count: impl Display, one: &str, several: &str) -> String {
    let count = count.to_string();
    let words = if count == "1" { one } else { several };
    format!("{count} {words}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nouns_follow_their_number() {
        for (count, noun, expected) in [
            (1, "file", "1 file"),
            (0, "file", "0 files"),
            (2, "patch", "2 patches"),
            (3, "directory", "3 directories"),
            (3, "key", "3 keys"),
            (11, "alias", "11 aliases"),
        ] {
            assert_eq!(counted(count, noun), expected);
        }
        assert_eq!(counted_as(1, "class is", "classes are"), "1 class is");
        assert_eq!(counted_as(2_u64, "class is", "classes are"), "2 classes are");
    }
}
