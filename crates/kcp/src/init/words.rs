//! The words that a document is about: the triggers of its unit, so that a question is answered by the document that treats it, whatever its title is (clause G1).

use std::collections::{BTreeMap, HashMap, HashSet};

use super::outline::plain;

/// Triggers of a unit (clause P10).
const MOST: usize = 20;
/// Words of a document that are compared with other documents.
const KEPT: usize = 300;
/// Lines of a document that are read.
const LINES: usize = 20_000;
/// What a word of a heading counts for.
const HEADING: u32 = 4;
/// The least count of a word: a word that occurs once may occur by chance.
const LEAST: u32 = 2;
/// Headings of a document that are looked at, that become triggers, and their characters (clause P10).
const HEADINGS: usize = 200;
const HEADING_TRIGGERS: usize = 10;
const HEADING_CHARACTERS: usize = 60;
/// Characters of a word.
const SHORTEST: usize = 3;
const LONGEST: usize = 30;

/// Words that say nothing about what a document is about, in alphabetical order.
const STOP_WORDS: &[&str] = &[
    "able",
    "about",
    "above",
    "actually",
    "add",
    "added",
    "adding",
    "additional",
    "after",
    "again",
    "all",
    "allow",
    "allows",
    "almost",
    "already",
    "also",
    "although",
    "always",
    "among",
    "and",
    "another",
    "any",
    "anything",
    "are",
    "around",
    "ask",
    "available",
    "avoid",
    "based",
    "because",
    "been",
    "before",
    "being",
    "below",
    "best",
    "better",
    "between",
    "both",
    "but",
    "call",
    "called",
    "can",
    "cannot",
    "case",
    "cases",
    "certain",
    "change",
    "changed",
    "check",
    "come",
    "common",
    "complete",
    "contains",
    "could",
    "create",
    "created",
    "current",
    "currently",
    "default",
    "define",
    "defined",
    "depending",
    "details",
    "did",
    "different",
    "directly",
    "does",
    "doing",
    "don",
    "done",
    "down",
    "during",
    "each",
    "easily",
    "easy",
    "either",
    "else",
    "end",
    "ensure",
    "etc",
    "even",
    "every",
    "everything",
    "example",
    "examples",
    "existing",
    "few",
    "find",
    "first",
    "following",
    "follows",
    "for",
    "from",
    "full",
    "further",
    "general",
    "get",
    "gets",
    "getting",
    "give",
    "given",
    "gives",
    "going",
    "good",
    "great",
    "had",
    "has",
    "have",
    "having",
    "help",
    "here",
    "how",
    "however",
    "href",
    "html",
    "http",
    "https",
    "important",
    "include",
    "included",
    "includes",
    "including",
    "info",
    "information",
    "inside",
    "instead",
    "into",
    "its",
    "itself",
    "just",
    "keep",
    "know",
    "large",
    "last",
    "later",
    "learn",
    "least",
    "left",
    "less",
    "let",
    "like",
    "line",
    "lines",
    "link",
    "list",
    "little",
    "long",
    "look",
    "lot",
    "made",
    "main",
    "make",
    "makes",
    "making",
    "many",
    "may",
    "means",
    "might",
    "more",
    "most",
    "much",
    "multiple",
    "must",
    "name",
    "named",
    "need",
    "needed",
    "needs",
    "never",
    "new",
    "next",
    "none",
    "normal",
    "not",
    "note",
    "nothing",
    "now",
    "number",
    "often",
    "once",
    "one",
    "only",
    "open",
    "option",
    "optional",
    "options",
    "order",
    "other",
    "others",
    "otherwise",
    "our",
    "out",
    "over",
    "own",
    "page",
    "part",
    "per",
    "perform",
    "point",
    "possible",
    "previous",
    "provide",
    "provided",
    "provides",
    "put",
    "quite",
    "rather",
    "read",
    "real",
    "really",
    "recommended",
    "refer",
    "related",
    "required",
    "same",
    "section",
    "see",
    "seen",
    "set",
    "several",
    "should",
    "show",
    "shown",
    "shows",
    "similar",
    "simple",
    "simply",
    "since",
    "single",
    "small",
    "some",
    "something",
    "specific",
    "start",
    "still",
    "such",
    "support",
    "supported",
    "supports",
    "sure",
    "take",
    "takes",
    "tell",
    "than",
    "that",
    "the",
    "their",
    "them",
    "then",
    "there",
    "therefore",
    "these",
    "they",
    "thing",
    "things",
    "this",
    "those",
    "though",
    "three",
    "through",
    "thus",
    "time",
    "times",
    "tip",
    "together",
    "too",
    "try",
    "two",
    "under",
    "until",
    "upon",
    "use",
    "used",
    "useful",
    "user",
    "users",
    "uses",
    "using",
    "usually",
    "very",
    "via",
    "want",
    "warning",
    "was",
    "way",
    "ways",
    "well",
    "were",
    "what",
    "when",
    "where",
    "whether",
    "which",
    "while",
    "who",
    "whole",
    "why",
    "will",
    "with",
    "within",
    "without",
    "won",
    "work",
    "working",
    "works",
    "would",
    "write",
    "written",
    "yes",
    "yet",
    "you",
    "your",
];

/// The words of one document, and how much each counts for.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct DocumentWords {
    counts: Vec<(String, u32)>,
    /// The headings below the title that fit into a trigger, as plain text in small letters.
    headings: Vec<String>,
}

/// Reads the words of a document. Code is left out: it is full of names that every document has.
pub(super) fn words(text: &str) -> DocumentWords {
    let mut counts: HashMap<String, u32> = HashMap::new();
    let mut headings: Vec<String> = Vec::new();
    let lines: Vec<&str> = text.lines().take(LINES).collect();
    let mut fence: Option<&str> = None;
    let mut is_comment = false;
    for (at, line) in lines.iter().enumerate() {
        let trimmed = line.trim();
        if let Some(mark) = fence {
            if trimmed.starts_with(mark) {
                fence = None;
            }
            continue;
        }
        fence = ["```", "~~~"].into_iter().find(|mark| trimmed.starts_with(mark));
        is_comment |= trimmed.starts_with("<!--");
        let is_left_out = fence.is_some()
            || is_comment
            || trimmed.starts_with(".. ") && trimmed.contains("::")
            || trimmed.starts_with("{*")
            || trimmed.starts_with("{!")
            || trimmed.starts_with("{%")
            || trimmed.starts_with("//// ")
            || trimmed.starts_with(':') && !trimmed.contains('`');
        is_comment &= !trimmed.contains("-->");
        if is_left_out {
            continue;
        }
        let is_heading = trimmed.starts_with('#') || trimmed.starts_with("<h") || is_underline(lines.get(at + 1));
        let text = plain(trimmed.trim_start_matches('#'));
        if is_heading && headings.len() < HEADINGS && text.chars().count() <= HEADING_CHARACTERS {
            headings.push(text.to_lowercase());
        }
        for word in split(&text) {
            let count = counts.entry(word).or_default();
            *count = count.saturating_add(if is_heading { HEADING } else { 1 });
        }
    }
    let mut counts: Vec<(String, u32)> = counts.into_iter().filter(|(_, count)| *count >= LEAST).collect();
    counts.sort_by(|left, right| right.1.cmp(&left.1).then_with(|| left.0.cmp(&right.0)));
    counts.truncate(KEPT);
    // The first one is the title, whose words are triggers anyway.
    headings.drain(..headings.len().min(1));
    headings.retain(|heading| split(heading).next().is_some());
    DocumentWords { counts, headings }
}

/// A line of one sign, under the title of reStructuredText.
fn is_underline(line: Option<&&str>) -> bool {
    let line = line.map_or("", |line| line.trim());
    let first = line.chars().next().filter(|first| "=-~^\"'*+#`.:_".contains(*first));
    first.is_some() && line.len() >= 3 && line.chars().all(|letter| Some(letter) == first)
}

fn split(text: &str) -> impl Iterator<Item = String> {
    let words = text
        .split_whitespace()
        .filter(|word| !word.contains("://"))
        .flat_map(|word| word.split(|letter: char| !letter.is_alphanumeric() && letter != '_'));
    words.filter_map(|word| {
        let word = word.trim_matches('_').to_lowercase();
        let length = word.chars().count();
        let is_word = (SHORTEST..=LONGEST).contains(&length)
            && !word.contains(|letter: char| letter.is_ascii_digit())
            && STOP_WORDS.binary_search(&word.as_str()).is_err();
        is_word.then_some(word)
    })
}

/// The triggers of all documents: those that each has already, and the words that tell it from the others.
pub(super) fn telling(documents: &[DocumentWords], own: Vec<Vec<String>>) -> Vec<Vec<String>> {
    let mut documents_with: BTreeMap<&str, u32> = BTreeMap::new();
    for (word, _) in documents.iter().flat_map(|document| &document.counts) {
        *documents_with.entry(word).or_default() += 1;
    }
    let all = documents.len() as f64;
    let complete = |(document, mut triggers): (&DocumentWords, Vec<String>)| {
        let weight = |word: &str, count: u32| {
            let others = documents_with.get(word).copied().unwrap_or(1);
            (1.0 + f64::from(count).ln()) * (1.0 + all / f64::from(others)).ln()
        };
        // A heading is worth its rarest word.
        let rarity = |heading: &str| {
            let rarest = split(heading)
                .map(|word| documents_with.get(word.as_str()).copied().unwrap_or(1))
                .min();
            rarest.unwrap_or(u32::MAX)
        };
        let mut headings: Vec<(u32, &String)> = document
            .headings
            .iter()
            .map(|heading| (rarity(heading), heading))
            .collect();
        headings.sort_by_key(|(rarity, _)| *rarity);
        let most = (triggers.len() + HEADING_TRIGGERS).min(MOST);
        for (_, heading) in headings {
            if triggers.len() >= most {
                break;
            }
            let is_new = |word: String| !triggers.iter().any(|known| known.contains(&word));
            if split(heading).any(is_new) {
                triggers.push(heading.clone());
            }
        }
        let mut weighed: Vec<(f64, &str)> = document
            .counts
            .iter()
            .map(|(word, count)| (weight(word, *count), word.as_str()))
            .collect();
        weighed.sort_by(|left, right| right.0.total_cmp(&left.0).then(left.1.cmp(right.1)));
        let given = triggers.len();
        for (_, word) in weighed {
            if triggers.len() >= MOST {
                break;
            }
            // A term matches as a part of a trigger: the longer form answers for both.
            if triggers.iter().any(|known| known.contains(word)) {
                continue;
            }
            match triggers
                .iter()
                .skip(given)
                .position(|known| word.contains(known.as_str()))
            {
                Some(at) => triggers[given + at] = word.to_owned(),
                None => triggers.push(word.to_owned()),
            }
        }
        let mut seen = HashSet::new();
        triggers.retain(|trigger| seen.insert(trigger.clone()));
        triggers
    };
    documents.iter().zip(own).map(complete).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stop_words_are_sorted() {
        assert!(STOP_WORDS.is_sorted());
    }

    #[test]
    fn g1_words_of_the_body_that_tell_a_document_from_others_are_triggers() {
        let cors = "# Middleware\n\nA browser sends its *origin*. Allowed [origins](https://x.example/wildcards) are a list of origins.\n\n## Wildcards\n\n```\norigins = secret secret\n```\n<!-- hidden hidden -->\n";
        let other = "# Middleware\n\nA function that works with every request; a request has a response.\n";
        let documents = [words(cors), words(other)];
        let triggers = telling(
            &documents,
            vec![vec!["middleware".to_owned()], vec!["middleware".to_owned()]],
        );
        assert_eq!(
            triggers.iter().map(|triggers| triggers.join(" ")).collect::<Vec<_>>(),
            ["middleware wildcards origins", "middleware request"]
        );
    }

    #[test]
    fn g1_a_document_has_at_most_twenty_triggers() {
        let long = format!("# A\n\n## {}\n\n## The sessions of users\n\n## Note\n", "x".repeat(61));
        assert_eq!(telling(&[words(&long)], vec![Vec::new()]), [["the sessions of users"]]);
        let text: String = ('a'..='z')
            .map(|letter| format!("# word{letter} other{letter}\n"))
            .collect();
        let triggers = telling(&[words(&text)], vec![Vec::new()]);
        assert_eq!(triggers[0].len(), MOST);
        assert_eq!(telling(&[words("")], vec![Vec::new()]), [Vec::<String>::new()]);
    }
}
