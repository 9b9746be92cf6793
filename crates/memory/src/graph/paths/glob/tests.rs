//! Patterns against paths, against a plain reading of them, and against another program.

use proptest::prelude::*;

use super::*;

fn matches(pattern: &str, path: &str) -> bool {
    Glob::new(pattern)
        .unwrap_or_else(|fault| panic!("{pattern}: {fault:?}"))
        .matches(path)
}

/// Holds that a pattern matches the first paths and none of the others.
fn check(pattern: &str, matched: &[&str], others: &[&str]) {
    for path in matched {
        assert!(matches(pattern, path), "{pattern} matches {path}");
    }
    for path in others {
        assert!(!matches(pattern, path), "{pattern} does not match {path}");
    }
}

#[test]
fn e1_everything_below_is_not_the_directory() {
    check("src/**", &["src/a", "src/a/b.ts"], &["src", "srcs/a", "a/src/b", "sr"]);
    check("**", &["a", "a/b"], &[]);
    check("src{,/**}", &["src", "src/a", "src/a/b"], &["srca"]);
}

#[test]
fn e2_stars_match_files_that_begin_with_a_dot() {
    check("*", &[".env", "a"], &["a/b"]);
    check("**", &[".github/workflows/.a"], &[]);
    check("src/*", &["src/.a"], &["src/a/b", "src"]);
}

#[test]
fn e3_directories_may_be_none() {
    check(
        "src/**/b",
        &["src/b", "src/a/b", "src/a/a/b"],
        &["srcb", "src/ab", "src"],
    );
    check("a/**/**/b", &["a/b", "a/x/b"], &["ab"]);
}

#[test]
fn e4_directories_at_the_beginning_may_be_none() {
    check("**/*.ts", &["a.ts", "a/b.ts", "a/b/.ts"], &["a.tsx", "a/b"]);
    check("{a,**}/b", &["a/b", "b", "x/y/b"], &["xb"]);
    check("{a/,**/}b", &["a/b", "b", "x/y/b"], &["xb"]);
    check("**{/a,/b}", &["x/a", "a", "x/y/b"], &["xa"]);
}

#[test]
fn e5_two_stars_inside_of_a_name_stay_in_it() {
    check("a**b", &["ab", "axxb"], &["a/b", "ax/xb"]);
    check("src/a**", &["src/abc"], &["src/a/b"]);
    check("***", &["a"], &["a/b"]);
}

#[test]
fn e6_classes_choices_letters_and_escapes() {
    check("[!x]", &["a", "é"], &["x", "/", "ab"]);
    check("[^x]y", &["ay"], &["xy"]);
    check("[a-c]", &["a", "b", "c"], &["d", "-"]);
    check("[]a]", &["]", "a", "[]a]"], &["b"]);
    check("[a-]", &["a", "-"], &["b"]);
    check("a[/]b", &[], &["a/b"]);
    check("{a,{b,c}}.ts", &["a.ts", "b.ts", "c.ts"], &["d.ts", "{b.ts"]);
    check("x{,y}", &["x", "xy"], &["xyy"]);
    check("?", &["a", "é", "漢"], &["", "ab", "/"]);
    check("\\*", &["*"], &["a"]);
    check("a\\{b\\,c\\}", &["a{b,c}"], &["ab"]);
    check("@(a|b).ts", &["a.ts", "b.ts"], &["@(a|b).ts", "c.ts"]);
    check("@a", &["@a"], &["a"]);
    check("a}b]c)", &["a}b]c)"], &[]);
}

#[test]
fn e7_case_matters() {
    check("src/A*", &["src/Ab"], &["src/ab", "SRC/Ab"]);
}

#[test]
fn e8_a_directory_covers_no_child() {
    check("src/pages", &["src/pages"], &["src/pages/a.tsx"]);
    check(
        &super::super::normal::pattern("src/pages/"),
        &["src/pages"],
        &["src/pages/a.tsx"],
    );
}

#[test]
fn e9_a_directory_of_a_route_matches_itself() {
    check(
        "app/[id]/page.tsx",
        &["app/[id]/page.tsx", "app/i/page.tsx"],
        &["app/x/page.tsx"],
    );
    check(
        "app/[id]/**",
        &["app/[id]/page.tsx", "app/i/page.tsx", "app/[id]/a/b"],
        &["app/id/x"],
    );
    check(
        "app/[...slug]/*",
        &["app/[...slug]/page.tsx", "app/s/page.tsx"],
        &["app/slug/x"],
    );
    check("app/[[...slug]]/*", &["app/[[...slug]]/page.tsx"], &["app/x/page.tsx"]);
    check("{a,[id]}/b", &["a/b", "i/b", "[id]/b"], &["id/b"]);
}

#[test]
fn e10_a_group_of_routes_is_literal() {
    check("app/(group)/*.tsx", &["app/(group)/page.tsx"], &["app/group/page.tsx"]);
    check("a(b)c", &["a(b)c"], &["abc"]);
}

#[test]
fn d3_what_is_no_pattern_says_where() {
    for (pattern, at, message) in [
        ("src/[ab", 5, "`[` is not closed"),
        ("src/[]", 5, "`[` is not closed"),
        ("src/[!", 5, "`[` is not closed"),
        ("a{b,c", 2, "`{` is not closed"),
        ("é{b,{c}", 2, "`{` is not closed"),
        ("a@(b", 2, "`@` is not closed"),
        ("[z-a]", 2, "the range `z-a` is empty"),
        ("a!(b)", 2, "`!(` is not supported; write `@(a|b)` or `{a,b}`"),
        ("a*(b)", 2, "`*(` is not supported; write `@(a|b)` or `{a,b}`"),
        ("a**(b)", 3, "`*(` is not supported; write `@(a|b)` or `{a,b}`"),
        ("{{{{{{{{{a}}}}}}}}}", 9, "alternatives are nested more than 8 deep"),
    ] {
        let fault = Glob::new(pattern).expect_err(pattern);
        assert_eq!((fault.at, fault.message.as_str()), (at, message), "{pattern}");
    }
}

#[test]
fn directories_and_paths_that_are_literal() {
    for (pattern, directory, path) in [
        ("src/payments/**", "src/payments", None),
        ("src/payments/stripe-*.ts", "src/payments", None),
        ("src/a.ts", "src", Some("src/a.ts")),
        ("a.ts", "", Some("a.ts")),
        ("**/*.ts", "", None),
        ("app/[id]/**", "app/[id]", None),
        ("src\\*/a/*", "src*/a", None),
    ] {
        let glob = Glob::new(pattern).expect("a pattern");
        assert_eq!((glob.directory(), glob.path()), (directory, path), "{pattern}");
    }
}

#[test]
fn matching_takes_no_more_steps_than_path_times_pattern() {
    for pattern in [
        "*a*a*a*a*a*a*a*a*a*a*a*b",
        "{a,a*,*a}{a,a*,*a}{a,a*,*a}{a,a*,*a}b",
        "**/*a/**/*a/**/b",
    ] {
        let glob = Glob::new(pattern).expect("a pattern");
        let path = "a".repeat(4_096);
        let mut taken = 0;
        for form in glob.forms() {
            assert!(!form.program().run(&path, &mut taken));
        }
        assert!(taken < 8 * pattern.len() * path.len(), "{pattern}: {taken}");
    }
}

/// A pattern without its braces: every choice written out.
fn expanded(pattern: &str) -> Vec<String> {
    let Some(open) = pattern.find('{') else {
        return vec![pattern.to_owned()];
    };
    let close = pattern.find('}').expect("closed");
    let choices = pattern[open + 1..close].split(',');
    let whole = choices.flat_map(|choice| expanded(&format!("{}{choice}{}", &pattern[..open], &pattern[close + 1..])));
    whole.collect()
}

/// What a pattern means, as plainly as it can be said.
fn plainly(pattern: &[&str], path: &[&str]) -> bool {
    match (pattern, path) {
        ([], []) => true,
        (["**"], path) => !path.is_empty(),
        (["**", rest @ ..], path) => (0..=path.len()).any(|from| plainly(rest, &path[from..])),
        ([segment, rest @ ..], [name, names @ ..]) => {
            named(segment.as_bytes(), name.as_bytes()) && plainly(rest, names)
        }
        _ => false,
    }
}

fn named(segment: &[u8], name: &[u8]) -> bool {
    match (segment, name) {
        ([], []) => true,
        ([b'*', rest @ ..], name) => (0..=name.len()).any(|from| named(rest, &name[from..])),
        ([b'?', rest @ ..], [_, name @ ..]) => named(rest, name),
        ([b'[', b'!', one, b']', rest @ ..], [letter, name @ ..]) => letter != one && named(rest, name),
        ([b'[', one, b']', rest @ ..], [letter, name @ ..]) => letter == one && named(rest, name),
        ([letter, rest @ ..], [first, name @ ..]) => letter == first && named(rest, name),
        _ => false,
    }
}

fn segment() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        4 => "[ab.]",
        2 => Just("*".to_owned()),
        1 => Just("?".to_owned()),
        1 => Just("[a]".to_owned()),
        1 => Just("[!a]".to_owned()),
        1 => Just("{a,b*}".to_owned()),
        1 => Just("{a,}".to_owned()),
        1 => Just("{b/a,a}".to_owned()),
    ];
    prop_oneof![
        1 => Just("**".to_owned()),
        5 => proptest::collection::vec(piece, 1..4).prop_map(|pieces| pieces.concat()),
    ]
}

fn patterns() -> impl Strategy<Value = String> {
    proptest::collection::vec(segment(), 1..5).prop_map(|segments| segments.join("/"))
}

fn paths() -> impl Strategy<Value = String> {
    proptest::collection::vec("[ab.]{1,3}", 1..5).prop_map(|segments| segments.join("/"))
}

proptest! {
    #![proptest_config(lore_testing::cases(2_000))]

    #[test]
    fn a_pattern_means_what_it_plainly_says(pattern in patterns(), path in paths()) {
        // Whether `**` is a whole segment does not hang on what is chosen beside it.
        let beside = ["**{", "}**", "*{a,}"];
        prop_assume!(!beside.iter().any(|text| pattern.contains(text)));
        let path_segments: Vec<&str> = path.split('/').collect();
        let plain = expanded(&pattern).iter().any(|pattern| {
            plainly(&pattern.split('/').collect::<Vec<_>>(), &path_segments)
        });
        // Brackets as letters match nothing here: no path has them.
        prop_assert_eq!(matches(&pattern, &path), plain, "{} {}", pattern, path);
    }

    #[test]
    fn it_agrees_with_globset(pattern in patterns(), path in paths()) {
        prop_assume!(!pattern.contains("[!") && !pattern.contains("***"));
        let other = globset::GlobBuilder::new(&pattern)
            .literal_separator(true)
            .empty_alternates(true)
            .build()
            .expect("a pattern")
            .compile_matcher();
        prop_assert_eq!(matches(&pattern, &path), other.is_match(&path), "{} {}", pattern, path);
    }

    #[test]
    fn no_text_makes_reading_fail_otherwise(pattern in "\\PC{0,30}", path in "\\PC{0,20}") {
        if let Ok(glob) = Glob::new(&pattern) {
            glob.matches(&path);
        }
    }
}
