//! Words: those of labels that are compared between entries (clause A6), and those of names that can be searched.

use std::collections::BTreeSet;

/// Words that say nothing.
pub const STOPWORDS: [&str; 13] = [
    "and", "are", "but", "for", "from", "has", "into", "not", "that", "the", "this", "was", "with",
];

/// Letters that a word has at least.
const LEAST_LETTERS: usize = 3;
/// Characters of a label that is still looked at.
const MOST_LABEL: usize = 256;
/// Letters of a name that are searched.
const MOST_NAME: usize = 256;

/// The words of labels, each once: runs of the letters a to z, in small letters.
pub fn terms<'l>(labels: impl IntoIterator<Item = &'l str>) -> BTreeSet<String> {
    let mut terms = BTreeSet::new();
    for label in labels {
        add_terms(&mut terms, label);
    }
    terms
}

/// Adds the words of a label.
pub fn add_terms(terms: &mut BTreeSet<String>, label: &str) {
    if label.chars().nth(MOST_LABEL).is_some() {
        return;
    }
    let label = label.to_lowercase();
    let runs = label.split(|letter: char| !letter.is_ascii_lowercase());
    for run in runs {
        if run.len() >= LEAST_LETTERS && !STOPWORDS.contains(&run) && !terms.contains(run) {
            terms.insert(run.to_owned());
        }
    }
}

/// What a name can be found by, in small letters and each once: the whole of it, then its parts as capital letters, underscores and digits show them.
pub fn words(name: &str) -> Vec<String> {
    let name: Vec<char> = name.chars().take(MOST_NAME).collect();
    let mut words = Vec::new();
    let mut add = |word: &[char]| {
        let word: String = word.iter().flat_map(|letter| letter.to_lowercase()).collect();
        if !word.is_empty() && !words.contains(&word) {
            words.push(word);
        }
    };
    for run in name.split(|letter| !letter.is_alphanumeric()) {
        add(run);
    }
    for run in name.split(|letter| !letter.is_alphanumeric()) {
        let mut from = 0;
        for at in 1..run.len() {
            let next = run.get(at + 1).copied();
            if let (Some(before), Some(here)) = (run.get(at - 1), run.get(at))
                && is_seam(*before, *here, next)
            {
                add(run.get(from..at).unwrap_or_default());
                from = at;
            }
        }
        add(run.get(from..).unwrap_or_default());
    }
    words
}

/// Whether a new word begins here: at a capital letter behind a small one, at the last of several capital letters that a small one follows, and where digits begin or end.
fn is_seam(before: char, here: char, next: Option<char>) -> bool {
    let is_lower = |letter: char| letter.is_alphabetic() && !letter.is_uppercase();
    match (before.is_numeric(), here.is_numeric()) {
        (true, false) | (false, true) => true,
        (true, true) => false,
        (false, false) => {
            is_lower(before) && here.is_uppercase()
                || before.is_uppercase() && here.is_uppercase() && next.is_some_and(is_lower)
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn a6_terms_are_runs_of_letters_of_three_or_more_without_stopwords() {
        let found = terms([
            "Parse the HTTP2 Request",
            "parseRequest",
            "a_b of/into-tokens",
            "naïve Straße",
            "with",
        ]);
        let found: Vec<&str> = found.iter().map(String::as_str).collect();
        assert_eq!(found, ["http", "parse", "parserequest", "request", "stra", "tokens"]);
        let distinct: BTreeSet<&str> = STOPWORDS.into_iter().collect();
        assert_eq!(distinct.len(), 13);
        assert!(terms(STOPWORDS).is_empty());
    }

    #[test]
    fn a6_labels_of_more_than_256_characters_are_passed_over() {
        let fits = format!("é{}", "x".repeat(255));
        assert_eq!(terms([fits.as_str()]), BTreeSet::from(["x".repeat(255)]));
        let longer = format!("{fits}y");
        assert_eq!(terms([longer.as_str(), "kept"]), BTreeSet::from(["kept".to_owned()]));
    }

    #[test]
    fn a6_names_can_be_found_by_their_parts() {
        for (name, expected) in [
            ("hello", "hello"),
            ("HTTPServer2Go", "httpserver2go http server 2 go"),
            ("parse_json_body", "parse json body"),
            ("getUserName", "getusername get user name"),
            ("octo/Hello-World.rs", "octo hello world rs"),
            ("ÄrgerÜber", "ärgerüber ärger über"),
            ("XMLHttpRequest", "xmlhttprequest xml http request"),
            ("__init__", "init"),
            ("日本語", "日本語"),
            ("", ""),
            ("::", ""),
        ] {
            assert_eq!(words(name).join(" "), expected, "{name}");
        }
    }

    proptest! {
        #[test]
        fn a6_no_label_and_no_name_breaks_the_words(text in "\\PC{0,300}") {
            for term in terms([text.as_str()]) {
                prop_assert!(term.len() >= 3 && term.bytes().all(|byte| byte.is_ascii_lowercase()));
            }
            for word in words(&text) {
                prop_assert!(!word.is_empty() && !word.contains(' '));
            }
        }
    }
}
