//! The words of names: those that a search finds, and those that are counted across entries (clause A6).

use std::collections::BTreeSet;

use crate::ckgp::body::{Seen, SeenNode};

/// Bytes of the words of one graph that can be searched.
const MOST_BYTES: usize = 256 << 10;
/// Letters of a name that is looked at.
const MOST_LABEL: usize = 256;
/// Words of one graph that are counted.
const MOST_TERMS: usize = 4_096;
/// Letters of a word that is counted, at least.
const LEAST_TERM: usize = 3;
/// Words that say nothing of what a graph is about.
const STOPWORDS: [&str; 13] = [
    "and", "are", "but", "can", "for", "from", "has", "not", "that", "the", "this", "was", "with",
];

/// The words of a name in small letters: all of it, and its parts as `camelCase`, `snake_case` and digits divide it.
pub fn words(name: &str, take: &mut dyn FnMut(String)) {
    for whole in name.split(|letter: char| !(letter.is_alphanumeric() || letter == '_')) {
        let letters: Vec<char> = whole.chars().collect();
        if !letters.iter().any(|letter| letter.is_alphanumeric()) {
            continue;
        }
        let mut parts = 0;
        let mut part = String::new();
        for (at, letter) in letters.iter().enumerate() {
            let before = at.checked_sub(1).and_then(|at| letters.get(at));
            let after = letters.get(at + 1);
            let begins = match before {
                None => false,
                Some(_) if *letter == '_' => true,
                Some(before) if before.is_numeric() != letter.is_numeric() => true,
                Some(before) if before.is_lowercase() && letter.is_uppercase() => true,
                // The last capital of several begins the next word: `HTTPServer`.
                Some(before) => {
                    before.is_uppercase() && letter.is_uppercase() && after.is_some_and(|after| after.is_lowercase())
                }
            };
            if begins && !part.is_empty() {
                take(std::mem::take(&mut part));
                parts += 1;
            }
            if letter.is_alphanumeric() {
                part.extend(letter.to_lowercase());
            }
        }
        if !part.is_empty() {
            take(part);
            parts += 1;
        }
        if parts > 1 {
            let whole = whole.chars().filter(|letter| letter.is_alphanumeric());
            take(whole.flat_map(char::to_lowercase).collect());
        }
    }
}

/// The words of a label that are counted: runs of `a` to `z` in small letters, three at least, and none that says nothing.
pub fn terms(label: &str, take: &mut dyn FnMut(&str)) {
    if label.len() > MOST_LABEL * 4 || label.chars().count() > MOST_LABEL {
        return;
    }
    let label = label.to_lowercase();
    let runs = label.split(|letter: char| !letter.is_ascii_lowercase());
    runs.filter(|run| run.len() >= LEAST_TERM && !STOPWORDS.contains(run))
        .for_each(take);
}

/// What is gathered of the names of a body while it is judged.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Gathered {
    words: BTreeSet<String>,
    bytes: usize,
    terms: BTreeSet<String>,
}

impl Gathered {
    /// Takes what is seen of a body.
    pub fn see(&mut self, seen: Seen<'_>) {
        match seen {
            Seen::Restart => *self = Self::default(),
            Seen::Node(SeenNode { name: Some(name), .. }) => {
                let name = name.read();
                self.name(&name);
            }
            Seen::Node(_) => {}
        }
    }

    fn name(&mut self, name: &str) {
        if self.terms.len() < MOST_TERMS {
            terms(name, &mut |term| {
                if !self.terms.contains(term) {
                    self.terms.insert(term.to_owned());
                }
            });
        }
        if self.bytes < MOST_BYTES && name.len() <= MOST_LABEL {
            words(name, &mut |word| {
                let length = word.len();
                if self.words.insert(word) {
                    self.bytes += length + 1;
                }
            });
        }
    }

    /// The words that can be searched, with spaces between them, and those that are counted.
    pub fn finish(self) -> (String, BTreeSet<String>) {
        let mut text = String::with_capacity(self.bytes);
        for word in &self.words {
            if !text.is_empty() {
                text.push(' ');
            }
            text.push_str(word);
        }
        (text, self.terms)
    }
}

/// The words of a text, with spaces between them.
pub fn text_of(text: &str) -> String {
    let mut all = BTreeSet::new();
    words(text, &mut |word| {
        all.insert(word);
    });
    all.into_iter().collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(name: &str) -> String {
        let mut all = Vec::new();
        words(name, &mut |word| all.push(word));
        all.join(" ")
    }

    #[test]
    fn search_names_are_found_whole_and_in_parts() {
        for (name, expected) in [
            ("CartTotal", "cart total carttotal"),
            ("cart_total", "cart total carttotal"),
            ("HTTPServer2", "http server 2 httpserver2"),
            ("parse", "parse"),
            ("a.b::c_d", "a b c d cd"),
            ("__init__", "init"),
            ("\u{dc}berMut", "\u{fc}ber mut \u{fc}bermut"),
            ("\u{65e5}\u{672c}", "\u{65e5}\u{672c}"),
            ("___", ""),
            ("", ""),
        ] {
            assert_eq!(told(name), expected, "{name}");
        }
    }

    #[test]
    fn a6_terms_are_runs_of_letters_without_what_says_nothing() {
        let told = |label: &str| {
            let mut all = Vec::new();
            terms(label, &mut |term| all.push(term.to_owned()));
            all.join(" ")
        };
        assert_eq!(told("CartTotal of the Order-42 \u{e9}clair"), "carttotal order clair");
        assert_eq!(told(&"abc ".repeat(64)).split(' ').count(), 64);
        assert_eq!(
            told(&"abc ".repeat(65)),
            "",
            "a label of more than 256 letters is skipped"
        );
        assert_eq!(STOPWORDS.len(), 13);
    }
}
