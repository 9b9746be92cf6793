//! From a question in plain words to terms (clause Q12).

use super::score::fold;

/// Words that say nothing about what is asked.
const STOP_WORDS: &[&str] = &[
    "a", "about", "after", "all", "also", "am", "an", "and", "any", "are", "aren't", "as", "at", "be", "because",
    "been", "before", "being", "but", "by", "can", "can't", "cannot", "could", "did", "didn't", "do", "does",
    "doesn't", "doing", "don't", "for", "from", "get", "give", "had", "has", "have", "having", "he", "her", "here",
    "him", "his", "how", "how's", "i", "i'm", "i've", "if", "in", "into", "is", "isn't", "it", "it's", "its", "know",
    "let", "like", "may", "me", "might", "more", "most", "must", "my", "need", "no", "not", "of", "on", "one", "or",
    "our", "ours", "out", "over", "please", "shall", "she", "should", "show", "so", "some", "such", "tell", "than",
    "that", "that's", "the", "their", "them", "then", "there", "there's", "these", "they", "this", "those", "through",
    "to", "too", "under", "us", "use", "using", "very", "want", "was", "we", "were", "what", "what's", "when", "where",
    "where's", "which", "while", "who", "who's", "whom", "whose", "why", "will", "with", "within", "without", "won't",
    "would", "you", "your", "yours",
];

/// The shortest word that counts, in characters.
const SHORTEST: usize = 3;

/// The shortest rest of a word that loses its ending.
const SHORTEST_STEM: usize = 4;

/// The terms of a question: its words without punctuation, endings, short words and stop words, and quoted text as one term. A question that has only such words keeps them.
pub fn terms(question: &str) -> Vec<String> {
    let mut phrases = Vec::new();
    let mut words = Vec::new();
    for (at, part) in question.split(['"', '\u{201c}', '\u{201d}', '\u{201e}']).enumerate() {
        // Odd parts are between quotes; the last quote may have no partner.
        let is_quoted = at % 2 == 1;
        match part.trim() {
            phrase if is_quoted && !phrase.is_empty() => phrases.push(phrase),
            part => words.extend(part.split_whitespace().map(stripped).filter(|word| !word.is_empty())),
        }
    }
    let said = |word: &&&str| word.chars().count() >= SHORTEST && !STOP_WORDS.contains(&fold(word).as_str());
    let mut kept: Vec<&str> = words.iter().filter(said).copied().collect();
    if kept.is_empty() && phrases.is_empty() {
        kept = words.iter().filter(|word| word.chars().count() > 1).copied().collect();
    }
    if kept.is_empty() && phrases.is_empty() {
        kept = words;
    }
    let phrases = phrases.into_iter().map(str::to_owned);
    phrases.chain(kept.into_iter().map(stem)).collect()
}

/// A word without an ending of English, so that it is a part of its other forms: `origins` of `origin`, `uploaded` of `upload`, `vulnerabilities` of `vulnerability`. A name keeps its ending.
fn stem(word: &str) -> String {
    let mut letters = word.chars();
    let is_plain = letters.next().is_some_and(|first| first.is_ascii_alphabetic())
        && letters.all(|letter| letter.is_ascii_lowercase());
    let enough = |stem: &&str| stem.len() >= SHORTEST_STEM;
    let stem = match word {
        _ if !is_plain => None,
        word if word.ends_with("ss") || word.ends_with("us") || word.ends_with("is") => None,
        word if word.ends_with("ies") => word.strip_suffix("ies"),
        word if word.ends_with('s') => word.strip_suffix('s'),
        word if word.ends_with("ing") => word.strip_suffix("ing"),
        word if word.ends_with("ed") => word.strip_suffix("ed"),
        _ => None,
    };
    stem.filter(enough).unwrap_or(word).to_owned()
}

/// Whether one argument is a question rather than a term.
pub fn is_question(argument: &str) -> bool {
    let argument = argument.trim();
    argument.ends_with('?') || argument.contains(char::is_whitespace)
}

/// A word without the punctuation around it. What names end with stays: `c++`, `f#`.
fn stripped(word: &str) -> &str {
    let is_punctuation =
        |letter: char| !letter.is_alphanumeric() && !matches!(letter, '+' | '#' | '_') && !letter.is_control();
    word.trim_matches(is_punctuation)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn asked(question: &str) -> String {
        terms(question).join("|")
    }

    #[test]
    fn q12_a_question_becomes_its_telling_words() {
        assert_eq!(asked("How do I deploy?"), "deploy");
        assert_eq!(
            asked("  Where is the OAuth2.0 token, (really) rotated?!  "),
            "OAuth2.0|token|really|rotat"
        );
        assert_eq!(asked("what's a bearer-token in go"), "bearer-token");
        assert_eq!(asked("is c++ faster than f#?"), "c++|faster");
        assert_eq!(asked("où est l'été…"), "est|l'été");
    }

    #[test]
    fn q12_words_lose_their_endings_and_names_do_not() {
        assert_eq!(
            asked("vulnerabilities uploaded origins routing tests string class status redis HTTPS thread_locals news"),
            "vulnerabilit|upload|origin|rout|test|string|class|status|redis|HTTPS|thread_locals|news"
        );
        assert_eq!(asked("\"uploaded files\" deploys"), "uploaded files|deploy");
    }

    #[test]
    fn q12_what_stands_between_quotes_is_one_term() {
        assert_eq!(
            asked("how to \"expense report\" in EU offices"),
            "expense report|office"
        );
        assert_eq!(asked("\u{201c}how do I\u{201d}"), "how do I");
        assert_eq!(asked("the \"\" deploy"), "deploy");
        assert_eq!(asked("an open \"quote here"), "quote here|open");
    }

    #[test]
    fn q12_a_question_of_stop_words_is_not_a_question_for_everything() {
        assert_eq!(asked("how do I"), "how|do");
        assert_eq!(asked("I?"), "I");
        assert_eq!(asked("?! ..."), "");
    }

    #[test]
    fn q12_an_argument_with_a_space_or_a_question_mark_is_a_question() {
        assert!(is_question("how do i deploy") && is_question("deploy?"));
        assert!(!is_question("deploy") && !is_question(" deploy "));
    }
}
