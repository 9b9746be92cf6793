//! The words of names: for the search, and for the term counts across entries (clause A6).

use std::collections::{BTreeSet, HashSet};

use foldhash::fast::RandomState;

use lore_ckgp::body::{Seen, SeenNode};

/// Bytes of the words of one graph that can be searched.
const MOST_BYTES: usize = 256 << 10;
/// Letters of a name that is looked at.
const MOST_LABEL: usize = 256;
/// Words of one graph that are counted.
const MOST_TERMS: usize = 4_096;
/// Letters of a word that is counted, at least.
const LEAST_TERM: usize = 3;
/// Letters of the longest of [`STOPWORDS`].
const LONGEST_STOPWORD: usize = 4;
/// Words that say nothing of what a graph is about.
const STOPWORDS: [&str; 13] = [
    "and", "are", "but", "can", "for", "from", "has", "not", "that", "the", "this", "was", "with",
];

/// The words of a name in small letters: all of it, and its parts as `camelCase`, `snake_case` and digits divide it.
pub fn words(name: &str, take: &mut dyn FnMut(&str)) {
    // The parts of a word stand in it one after the other, so that none of them is made by itself.
    let mut word = String::with_capacity(name.len());
    for whole in name.split(|letter: char| !(letter.is_alphanumeric() || letter == '_')) {
        word.clear();
        let (mut parts, mut begin) = (0, 0);
        let mut before: Option<char> = None;
        let mut letters = whole.chars().peekable();
        while let Some(letter) = letters.next() {
            let begins = match before {
                None => false,
                Some(_) if letter == '_' => true,
                Some(before) if before.is_numeric() != letter.is_numeric() => true,
                Some(before) if before.is_lowercase() && letter.is_uppercase() => true,
                // The last capital of several begins the next word: `HTTPServer`.
                Some(before) => {
                    before.is_uppercase()
                        && letter.is_uppercase()
                        && letters.peek().is_some_and(|after| after.is_lowercase())
                }
            };
            if begins && word.len() > begin {
                take(word.get(begin..).unwrap_or_default());
                parts += 1;
                begin = word.len();
            }
            match letter {
                '_' => {}
                letter if letter.is_ascii() => word.push(letter.to_ascii_lowercase()),
                letter => word.extend(letter.to_lowercase()),
            }
            before = Some(letter);
        }
        if word.len() > begin {
            take(word.get(begin..).unwrap_or_default());
            parts += 1;
        }
        if parts > 1 {
            take(&word);
        }
    }
}

/// The words of a label that are counted: runs of `a` to `z` in small letters, three at least, and none that says nothing.
pub fn terms(label: &str, take: &mut dyn FnMut(&str)) {
    if label.len() > MOST_LABEL * 4 || (label.len() > MOST_LABEL && label.chars().count() > MOST_LABEL) {
        return;
    }
    let label = label.to_lowercase();
    // No byte of a longer letter is one of these.
    let mut rest = label.as_str();
    while let Some(begin) = rest.bytes().position(|byte| byte.is_ascii_lowercase()) {
        let (_, run) = rest.split_at(begin);
        let end = run.bytes().position(|byte| !byte.is_ascii_lowercase());
        let (run, after) = run.split_at(end.unwrap_or(run.len()));
        rest = after;
        if run.len() >= LEAST_TERM && !(run.len() <= LONGEST_STOPWORD && STOPWORDS.contains(&run)) {
            take(run);
        }
    }
}

/// What is gathered of the names of a body while it is judged.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct CollectedWords {
    /// Many short words are looked up for each body, and their number is bounded: a quick hash serves.
    words: HashSet<String, RandomState>,
    bytes: usize,
    terms: HashSet<String, RandomState>,
}

impl CollectedWords {
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
                if !self.words.contains(word) {
                    self.bytes += word.len() + 1;
                    self.words.insert(word.to_owned());
                }
            });
        }
    }

    /// The words that can be searched, in their order and with spaces between them, and those that are counted.
    pub fn finish(self) -> (String, BTreeSet<String>) {
        let mut words: Vec<String> = self.words.into_iter().collect();
        words.sort_unstable();
        (words.join(" "), self.terms.into_iter().collect())
    }
}

/// The words of a text, with spaces between them.
pub fn text_of(text: &str) -> String {
    let mut all = BTreeSet::new();
    words(text, &mut |word| {
        all.insert(word.to_owned());
    });
    all.into_iter().collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(name: &str) -> String {
        let mut all = Vec::new();
        words(name, &mut |word| all.push(word.to_owned()));
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
        let longest = STOPWORDS.iter().map(|word| word.len()).max();
        assert_eq!(longest, Some(LONGEST_STOPWORD));
    }
}
