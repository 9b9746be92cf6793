//! The one form of a pattern and of a path, so that `./src//a.ts` and `src\a.ts` are `src/a.ts` on both sides.

use super::glob::ESCAPED;

/// The form of a pattern: slashes only, none doubled, none at the end, no `.` between them. What a backslash takes the meaning of stays as it is.
pub fn pattern(text: &str) -> String {
    let mut slashed = String::with_capacity(text.len());
    let mut letters = text.chars().peekable();
    while let Some(letter) = letters.next() {
        match letter {
            '\\' => match letters.next_if(|next| ESCAPED.contains(*next)) {
                Some(escaped) => slashed.extend(['\\', escaped]),
                None => slashed.push('/'),
            },
            letter => slashed.push(letter),
        }
    }
    segments(&slashed)
}

/// The form of a path: slashes only, none doubled, none at the end, no `.` between them.
pub fn path(text: &str) -> String {
    if text.contains('\\') {
        segments(&text.replace('\\', "/"))
    } else {
        segments(text)
    }
}

/// The form of a path that may be given in full: below the root of the tree it is a path from there.
pub fn path_below(text: &str, root: Option<&str>) -> String {
    let path = path(text);
    let below = root.map(self::path).filter(|root| root.len() > 1);
    let below = below.and_then(|root| path.strip_prefix(&root)?.strip_prefix('/').map(str::to_owned));
    below.unwrap_or(path)
}

fn segments(text: &str) -> String {
    let mut normal = String::with_capacity(text.len());
    if text.starts_with('/') {
        normal.push('/');
    }
    for segment in text.split('/').filter(|segment| !matches!(*segment, "" | ".")) {
        if !normal.is_empty() && !normal.ends_with('/') {
            normal.push('/');
        }
        normal.push_str(segment);
    }
    normal
}

/// Whether a path in its normal form is one from the root of a tree: not empty, not in full, and never upwards.
pub fn is_inside(path: &str) -> bool {
    !path.is_empty() && !path.starts_with('/') && !has_drive(path) && !path.split('/').any(|segment| segment == "..")
}

/// Why a pattern in its normal form cannot cover a file of a tree, if so.
pub fn fault(pattern: &str) -> Option<&'static str> {
    // Choices begin and end segments too: `{../a,b}`.
    let mut segments = pattern.split(['/', '{', '}', ',', '(', ')', '|']);
    match pattern {
        pattern if pattern.trim().is_empty() => Some("is blank"),
        pattern if pattern.contains('\0') => Some("contains the character NUL"),
        pattern if pattern.starts_with('/') => Some("starts with `/`; patterns are relative"),
        pattern if pattern.starts_with('!') => Some("begins with `!`, which patterns do not turn around"),
        pattern if has_drive(pattern) => Some("names a drive; patterns are relative"),
        _ if segments.any(|segment| segment == "..") => Some("leads upwards with `..`"),
        _ => None,
    }
}

fn has_drive(path: &str) -> bool {
    let mut letters = path.chars();
    letters.next().is_some_and(|letter| letter.is_ascii_alphabetic()) && letters.next() == Some(':')
}

/// A path as a pattern that matches it alone.
pub fn escaped(path: &str) -> String {
    let mut pattern = String::with_capacity(path.len());
    for letter in path.chars() {
        if "*?[]{}()!@\\".contains(letter) {
            pattern.push('\\');
        }
        pattern.push(letter);
    }
    pattern
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::Glob;
    use super::*;

    #[test]
    fn e12_dots_backslashes_and_doubled_slashes_mean_nothing() {
        for (text, normal) in [
            ("./x", "x"),
            ("a\\b", "a/b"),
            ("a//b///c", "a/b/c"),
            ("a/./b/", "a/b"),
            (".\\a\\", "a"),
            ("a/.b/..c", "a/.b/..c"),
            ("/a//b", "/a/b"),
            (".", ""),
        ] {
            assert_eq!(pattern(text), normal, "{text}");
            assert_eq!(path(text), normal, "{text}");
        }
        assert_eq!(pattern("a\\*b\\c"), "a\\*b/c");
        assert_eq!(path("a\\*b\\c"), "a/*b/c");
        let glob = Glob::new(&pattern(".\\src//*.ts")).expect("a pattern");
        assert!(glob.matches(&path("./src\\a.ts")));
    }

    #[test]
    fn paths_in_full_are_taken_from_the_root() {
        assert_eq!(path_below("/home/me/shop/src/a.ts", Some("/home/me/shop")), "src/a.ts");
        assert_eq!(path_below("/home/me/shop/src/a.ts", Some("/home/me/shop/")), "src/a.ts");
        assert_eq!(path_below("C:\\shop\\src\\a.ts", Some("C:\\shop")), "src/a.ts");
        assert_eq!(
            path_below("/home/me/shopping/a.ts", Some("/home/me/shop")),
            "/home/me/shopping/a.ts"
        );
        assert_eq!(path_below("src/a.ts", Some("/")), "src/a.ts");
        for path in ["/a", "../a", "a/../b", "", "C:/a", "c:a"] {
            assert!(!is_inside(path), "{path}");
        }
        for path in ["a", "a..b/c", "...", "~/a", "[id]/page.tsx"] {
            assert!(is_inside(path), "{path}");
        }
    }

    #[test]
    fn e11_what_cannot_cover_a_file_is_refused() {
        for (text, wanted) in [
            ("", Some("is blank")),
            (" ", Some("is blank")),
            ("./", Some("is blank")),
            ("!src/**", Some("begins with `!`, which patterns do not turn around")),
            ("./!src", Some("begins with `!`, which patterns do not turn around")),
            ("C:\\src\\**", Some("names a drive; patterns are relative")),
            ("c:src", Some("names a drive; patterns are relative")),
            ("a\0b", Some("contains the character NUL")),
            ("/src/**", Some("starts with `/`; patterns are relative")),
            ("\\src", Some("starts with `/`; patterns are relative")),
            ("\\!src", None),
            ("~/src", None),
            ("**", None),
        ] {
            assert_eq!(fault(&pattern(text)), wanted, "{text:?}");
        }
    }

    #[test]
    fn d4_only_a_whole_segment_leads_upwards() {
        for text in ["a/../b", "..", "../a", "a/..", "..\\x", "{../a,b}", "@(a|..)/b"] {
            assert_eq!(fault(&pattern(text)), Some("leads upwards with `..`"), "{text}");
        }
        for text in ["a..b.ts", "..a/b", "a../b", "...", "src/[...slug]/*"] {
            assert_eq!(fault(&pattern(text)), None, "{text}");
        }
    }

    proptest! {
        #![proptest_config(lore_testing::cases(256))]

        #[test]
        fn normal_forms_are_normal(text in "[ab./\\\\*\\[\\]{}!,:]{0,14}") {
            let once = pattern(&text);
            prop_assert_eq!(pattern(&once), once.clone());
            let once = path(&text);
            prop_assert_eq!(path(&once), once.clone());
        }

        #[test]
        fn a_path_that_was_made_a_pattern_matches_itself(text in "[ab./*?\\[\\]{}()!@,|]{1,14}") {
            let path = path(&text);
            prop_assume!(is_inside(&path));
            let made = escaped(&path);
            prop_assert_eq!(pattern(&made), made.clone());
            let glob = Glob::new(&made).expect("a pattern");
            prop_assert!(glob.matches(&path), "{} {}", made, path);
            prop_assert_eq!(glob.path(), Some(path.as_str()));
        }
    }
}
