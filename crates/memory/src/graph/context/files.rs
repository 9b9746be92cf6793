//! The paths that a section "Context Files" names, as people and agents write them: bullets, numbers, quotes, links, line ranges and notes around a path are
//! taken off. What is no path then is counted, never a reason to fail.

use crate::graph::paths::normal;
use crate::limits;

/// How often decoration is taken off.
const MOST_ROUNDS: usize = 8;

/// What a text names.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Extracted {
    /// Paths, each once, in the order of the text.
    pub paths: Vec<String>,
    /// Entries that are no paths.
    pub malformed: usize,
}

/// The paths that a text names; those below the root of the tree are told from there.
pub fn extract(text: &str, root: Option<&str>) -> Extracted {
    let mut found = Extracted::default();
    for line in text.lines() {
        let line = line.trim();
        let is_remark = line.is_empty() || ["#", "//", "```", "~~~"].iter().any(|mark| line.starts_with(mark));
        if is_remark {
            continue;
        }
        let line = bare(line);
        for entry in line.split(',').map(bare).filter(|entry| !entry.is_empty()) {
            if is_path(&entry) {
                let path = normal::path_below(&entry, root);
                if !path.is_empty() && !found.paths.contains(&path) {
                    found.paths.push(path);
                }
            } else {
                found.malformed += 1
            }
        }
    }
    found
}

fn is_path(entry: &str) -> bool {
    !entry.chars().any(|letter| letter.is_whitespace() || letter == '\0')
        && entry.chars().any(char::is_alphanumeric)
        && entry.chars().count() <= limits::PATH_CHARS
}

/// An entry without what is written around a path.
fn bare(entry: &str) -> String {
    let mut entry = entry.trim().to_owned();
    for _ in 0..MOST_ROUNDS {
        let before = entry.clone();
        entry = without_range(without_note(unquoted(unlinked(unlisted(&entry)))))
            .trim()
            .to_owned();
        if entry == before {
            break;
        }
    }
    entry
}

/// Without a bullet, a number or a box to tick.
fn unlisted(entry: &str) -> &str {
    let bullets = ["- ", "* ", "+ ", "• ", "– "];
    if let Some(rest) = bullets.iter().find_map(|bullet| entry.strip_prefix(bullet)) {
        return rest.trim_start();
    }
    if let Some(rest) = ["[ ] ", "[x] ", "[X] "]
        .iter()
        .find_map(|mark| entry.strip_prefix(mark))
    {
        return rest.trim_start();
    }
    let digits = entry.len() - entry.trim_start_matches(|letter: char| letter.is_ascii_digit()).len();
    let rest = entry.get(digits..).filter(|_| digits > 0);
    let rest = rest.and_then(|rest| rest.strip_prefix(". ").or_else(|| rest.strip_prefix(") ")));
    rest.map_or(entry, str::trim_start)
}

/// What a link of Markdown leads to.
fn unlinked(entry: &str) -> &str {
    let target = || {
        let (text, rest) = entry.strip_prefix('[')?.split_once("](")?;
        let (target, after) = rest.split_once(')')?;
        // What follows may be a note; what stands in the text must not end it before.
        (!text.contains('[') || !text.contains("](")).then_some((target, after))
    };
    match target() {
        Some((target, after)) if after.trim().is_empty() || after.trim_start().starts_with(['(', '-', '–', ':']) => {
            target
        }
        _ => entry,
    }
}

fn unquoted(entry: &str) -> &str {
    for (open, close) in [("`", "`"), ("\"", "\""), ("'", "'"), ("<", ">"), ("**", "**")] {
        if let Some((inner, after)) = entry.strip_prefix(open).and_then(|rest| rest.split_once(close))
            && !inner.trim().is_empty()
            && (after.is_empty() || after.starts_with([' ', ':', '(', ',']))
            && !inner.contains(',')
        {
            let is_note = after.trim_start().starts_with(['(', '-', '–', ':']) || after.trim().is_empty();
            if is_note {
                return inner;
            }
        }
    }
    entry
}

/// Without a note in parentheses behind a blank.
fn without_note(entry: &str) -> &str {
    match entry.ends_with(')').then(|| entry.find(" (")).flatten() {
        Some(at) => entry.get(..at).unwrap_or(entry),
        None => entry,
    }
}

/// Without lines: `:12`, `:12-40`, `#L10-L20`.
fn without_range(entry: &str) -> &str {
    let is_range = |text: &str| {
        let mut ends = text.split('-').map(|end| end.trim_start_matches(['L', 'l']));
        !text.is_empty()
            && text.split('-').count() <= 2
            && ends.all(|end| !end.is_empty() && end.bytes().all(|byte| byte.is_ascii_digit()))
    };
    for mark in ['#', ':'] {
        if let Some((path, range)) = entry.rsplit_once(mark)
            && !path.is_empty()
            && is_range(range)
        {
            return path;
        }
    }
    entry
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn read(text: &str) -> (Vec<String>, usize) {
        let found = extract(text, Some("/tree/of/repo"));
        (found.paths, found.malformed)
    }

    #[test]
    fn e15_what_is_written_around_a_path_is_taken_off() {
        for line in [
            "src/a.ts",
            "- src/a.ts",
            "* [ ] src/a.ts",
            "- [x] src/a.ts",
            "1. src/a.ts",
            "2) src/a.ts",
            "`src/a.ts`",
            "- `src/a.ts`",
            "[handler](src/a.ts)",
            "- [handler](src/a.ts) (the main one)",
            "src/a.ts:12-40",
            "src/a.ts:7",
            "src/a.ts#L10-L20",
            "src/a.ts#L10",
            "`src/a.ts:12`",
            "src/a.ts (main handler, retries)",
            "- `src/a.ts` (main handler, retries)",
            "\"src/a.ts\"",
            "'src/a.ts'",
            "**src/a.ts**",
            "src/a.ts\r",
            "/tree/of/repo/src/a.ts",
            "  ./src//a.ts  ",
            "src\\a.ts",
        ] {
            assert_eq!(read(line), (vec!["src/a.ts".to_owned()], 0), "{line:?}");
        }
    }

    #[test]
    fn e15_lists_remarks_and_what_is_no_path() {
        let paths = |paths: &[&str]| paths.iter().map(|path| (*path).to_owned()).collect::<Vec<_>>();
        for (text, wanted, malformed) in [
            ("app/[id]/page.tsx", &["app/[id]/page.tsx"][..], 0),
            ("src/a.ts, src/b.ts", &["src/a.ts", "src/b.ts"], 0),
            ("`src/a.ts`, `src/b.ts`", &["src/a.ts", "src/b.ts"], 0),
            ("src/a.ts\nsrc/b.ts,src/a.ts\n", &["src/a.ts", "src/b.ts"], 0),
            ("# Files\n// note\n\n```\nsrc/a.ts\n```", &["src/a.ts"], 0),
            ("src/a.ts and b", &[], 1),
            ("---", &[], 1),
            ("see the docs", &[], 1),
            ("a\0b", &[], 1),
            ("*.ts", &["*.ts"], 0),
            ("/other/a.ts", &["/other/a.ts"], 0),
            ("Makefile", &["Makefile"], 0),
            ("", &[], 0),
        ] {
            assert_eq!(read(text), (paths(wanted), malformed), "{text:?}");
        }
    }

    proptest! {
        #![proptest_config(lore_testing::cases(256))]

        #[test]
        fn whatever_is_written_gives_paths(text in "[ab/.,:\\-*`\\[\\]() #\n\t\0\"0-9éL]{0,60}") {
            let found = extract(&text, Some("/a"));
            for path in &found.paths {
                prop_assert!(!path.is_empty() && !path.chars().any(|letter| letter.is_whitespace() || letter == '\0'), "{:?}", path);
            }
            let distinct: std::collections::BTreeSet<_> = found.paths.iter().collect();
            prop_assert_eq!(distinct.len(), found.paths.len());
        }
    }
}
