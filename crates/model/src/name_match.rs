//! How well a name matches a query (exact, prefix, word start, substring, subsequence, typo), and which qualified
//! names a text refers to.

use crate::plain_name;

/// The quality of a match. Better matches compare greater.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum MatchQuality {
    /// A few characters differ.
    Misspelt,
    /// The characters of the query are in the name in order, with others between them.
    Subsequence,
    /// The name contains the query, ignoring case.
    Substring,
    /// A word of the name begins with the query, ignoring case.
    WordStart,
    /// The name begins with the query, ignoring case.
    Prefix,
    /// The name is the query, ignoring case.
    ExactFolded,
    /// The name is the query.
    Exact,
}

impl MatchQuality {
    /// The name of the quality in answers, in lower case.
    pub fn name(self) -> &'static str {
        match self {
            Self::Misspelt => "misspelt",
            Self::Subsequence => "fuzzy",
            Self::Substring | Self::WordStart => "substring",
            Self::Prefix => "prefix",
            Self::ExactFolded => "exact-ignoring-case",
            Self::Exact => "exact",
        }
    }
}

const SEPARATORS: [char; 4] = ['.', ':', '/', '\\'];

/// The last name of a qualified one, and the whole name, both without the number of a duplicate (`f#2`). The last
/// name is the bare name of a symbol that the text refers to.
pub fn last_of(text: &str) -> (&str, &str) {
    let (plain, _) = split_number(text);
    (plain.rsplit(SEPARATORS).next().unwrap_or(plain), plain)
}

/// The indexes of the qualified names that a text refers to: equal names, otherwise names that end in the text.
pub fn meant_by<N: AsRef<str>>(text: &str, names: &[N]) -> Vec<usize> {
    let (plain, number) = split_number(text);
    let ends = |name: &str| {
        name.strip_suffix(plain)
            .is_some_and(|before| before.is_empty() || before.ends_with(SEPARATORS))
    };
    let meant = |own: Option<u32>| number.is_none_or(|number| own.unwrap_or(1) == number);
    let numbered = || {
        let names = names.iter().map(|name| split_number(name.as_ref()));
        names.enumerate()
    };
    let found: Vec<(usize, &str)> = numbered()
        .filter(|(_, (name, own))| ends(name) && meant(*own))
        .map(|(at, (name, _))| (at, name))
        .collect();
    if found.is_empty() {
        // Answers show names without the numbers of enclosing definitions.
        let names = names.iter().map(AsRef::as_ref).enumerate();
        let shown = names.filter(|(_, name)| ends(&plain_name(name)));
        return shown.map(|(at, _)| at).collect();
    }
    let is_exact = found.iter().any(|(_, name)| *name == plain);
    let kept = found.into_iter().filter(|(_, name)| !is_exact || *name == plain);
    kept.map(|(at, _)| at).collect()
}

/// A qualified name without the number of a duplicate, and the number.
pub(crate) fn split_number(name: &str) -> (&str, Option<u32>) {
    match name.rsplit_once('#') {
        Some((plain, number)) if !plain.is_empty() => match number.parse() {
            Ok(number) => (plain, Some(number)),
            Err(_) => (name, None),
        },
        _ => (name, None),
    }
}

/// The best match of `name` for `query`, if any. `folded` is the query in lower case.
pub fn score(name: &str, query: &str, folded: &str) -> Option<MatchQuality> {
    score_part(name, query, folded).or_else(|| score_loose(name, folded))
}

/// As [`score`], but only for names that contain the query, ignoring case.
pub fn score_part(name: &str, query: &str, folded: &str) -> Option<MatchQuality> {
    if name == query {
        return Some(MatchQuality::Exact);
    }
    let (letters, needle) = (name.as_bytes(), folded.as_bytes());
    if letters.len() < needle.len() {
        return None;
    }
    if !letters.is_ascii() || !needle.is_ascii() {
        let lower = name.to_lowercase();
        return match lower.find(folded)? {
            0 if lower.len() == folded.len() => Some(MatchQuality::ExactFolded),
            0 => Some(MatchQuality::Prefix),
            _ => Some(MatchQuality::Substring),
        };
    }
    let Some((first, rest)) = needle.split_first() else {
        return Some(MatchQuality::Prefix);
    };
    let mut best = None;
    for at in 0..=letters.len() - needle.len() {
        if letters[at].to_ascii_lowercase() != *first || !letters[at + 1..at + needle.len()].eq_ignore_ascii_case(rest)
        {
            continue;
        }
        let quality = match at {
            0 if letters.len() == needle.len() => MatchQuality::ExactFolded,
            0 => MatchQuality::Prefix,
            at if starts_word(letters, at) => MatchQuality::WordStart,
            _ => MatchQuality::Substring,
        };
        best = best.max(Some(quality));
    }
    best
}

/// As [`score`], but only for matches by subsequence or typo.
pub fn score_loose(name: &str, folded: &str) -> Option<MatchQuality> {
    if folded.len() >= 3 && name.len() >= folded.len() && is_subsequence(name, folded) {
        return Some(MatchQuality::Subsequence);
    }
    misspelt(name, folded)
}

fn starts_word(name: &[u8], at: usize) -> bool {
    let (before, here) = (name[at - 1], name[at]);
    !before.is_ascii_alphanumeric() || (before.is_ascii_lowercase() && here.is_ascii_uppercase())
}

/// Whether the query's characters are in the name in order, each at the start of a word or directly after the
/// previous one. So `gqs` finds `get_query_set` but not every long name.
fn is_subsequence(name: &str, folded: &str) -> bool {
    let letters = name.as_bytes();
    let mut wanted = folded.bytes().peekable();
    let mut last: Option<usize> = None;
    for (at, letter) in letters.iter().enumerate() {
        let Some(want) = wanted.peek() else { break };
        let joined = last.is_some_and(|last| last + 1 == at);
        if letter.to_ascii_lowercase() == *want && (at == 0 || joined || starts_word(letters, at)) {
            wanted.next();
            last = Some(at);
        }
    }
    wanted.peek().is_none()
}

fn misspelt(name: &str, folded: &str) -> Option<MatchQuality> {
    let allowed = match folded.chars().count() {
        0..=3 => return None,
        4..=5 => 1,
        _ => 2,
    };
    // A typo changes at most two elements of the character set of a name. This test excludes nearly all names at
    // once.
    if name.len().abs_diff(folded.len()) > allowed * 4
        || (letter_set(name) ^ letter_set(folded)).count_ones() as usize > allowed * 2
    {
        return None;
    }
    distance_within(&name.to_lowercase(), folded, allowed).map(|_| MatchQuality::Misspelt)
}

/// The letters and digits of a text as a bit set, ignoring case. All other characters share one bit.
fn letter_set(text: &str) -> u64 {
    text.bytes().fold(0, |set, byte| {
        let bit = match byte.to_ascii_lowercase() {
            letter @ b'a'..=b'z' => letter - b'a',
            digit @ b'0'..=b'9' => 26 + digit - b'0',
            b'_' => 36,
            _ => 37,
        };
        set | 1 << bit
    })
}

/// The number of inserted, dropped, replaced or swapped neighbouring characters between two texts, if it is at most `allowed`
/// (optimal string alignment).
///
/// This is not `strsim::osa_distance`, which has no bound: it fills the whole table before it answers. This function stops at the
/// first row in which every distance exceeds `allowed`. Measured in November 2026: 200 names of 1,000 letters took 4 ms here and
/// 1,119 ms with `strsim` 0.11; 26,630 identifiers took 1 to 16 ms here and 2 to 18 ms with `strsim`, depending on the query.
pub fn distance_within(left: &str, right: &str, allowed: usize) -> Option<usize> {
    if left.len().abs_diff(right.len()) > allowed * 4 {
        return None;
    }
    let left: Vec<char> = left.chars().collect();
    let right: Vec<char> = right.chars().collect();
    if left.len().abs_diff(right.len()) > allowed {
        return None;
    }
    let mut before_last = vec![0; right.len() + 1];
    let mut last: Vec<usize> = (0..=right.len()).collect();
    for (row, letter) in left.iter().enumerate() {
        let mut current = vec![row + 1; right.len() + 1];
        for (column, other) in right.iter().enumerate() {
            let replaced = last[column] + usize::from(letter != other);
            let mut cost = replaced.min(last[column + 1] + 1).min(current[column] + 1);
            if row > 0 && column > 0 && *letter == right[column - 1] && left[row - 1] == *other {
                cost = cost.min(before_last[column - 1] + 1);
            }
            current[column + 1] = cost;
        }
        if current.iter().min().is_none_or(|least| *least > allowed) {
            return None;
        }
        before_last = last;
        last = current;
    }
    last.last().copied().filter(|distance| *distance <= allowed)
}

/// The candidates nearest to an unknown text, best first, at most `most`.
pub fn nearest<'a>(wanted: &str, candidates: impl Iterator<Item = &'a str>, most: usize) -> Vec<&'a str> {
    let folded = wanted.to_lowercase();
    let allowed = match folded.chars().count() {
        0..=2 => return Vec::new(),
        letters => (letters / 3).clamp(1, 4),
    };
    let mut found: Vec<(usize, &str)> = candidates
        .filter_map(|candidate| Some((distance_within(&candidate.to_lowercase(), &folded, allowed)?, candidate)))
        .collect();
    found.sort_unstable();
    found.dedup();
    found.into_iter().map(|(_, candidate)| candidate).take(most).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn quality(name: &str, query: &str) -> Option<MatchQuality> {
        score(name, query, &query.to_lowercase())
    }

    #[test]
    fn qualities_are_told_apart() {
        use MatchQuality::*;
        for (name, query, expected) in [
            ("get_queryset", "get_queryset", Some(Exact)),
            ("Get_Queryset", "get_queryset", Some(ExactFolded)),
            ("get_queryset", "get_", Some(Prefix)),
            ("get_queryset", "query", Some(WordStart)),
            ("getQuerySet", "query", Some(WordStart)),
            ("get_queryset", "erys", Some(Substring)),
            ("get_query_set", "gqs", Some(Subsequence)),
            ("get_queryset", "get_qeuryset", Some(Misspelt)),
            ("get_queryset", "unrelated", None),
            ("größe", "GRÖSSE", Some(Misspelt)),
            ("GRÖẞE", "größe", Some(ExactFolded)),
            ("Größe", "größe", Some(ExactFolded)),
            ("a", "", Some(Prefix)),
        ] {
            assert_eq!(quality(name, query), expected, "{name} for {query}");
        }
    }

    #[test]
    fn the_nearest_names_come_first() {
        let names = ["resolve", "resolver", "revolve", "unrelated"];
        assert_eq!(nearest("resolv", names.into_iter(), 2), ["resolve", "resolver"]);
    }
}
