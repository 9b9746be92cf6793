//! One way in which texts are compared: for the order of names, for search and for tags.
//!
//! Every letter is raised and then lowered by itself, so that `É` is `é`, `ß` is `ss`, and `ς`, `σ` and `Σ` are one. Forms of Unicode are not unified.

/// A text as it is compared.
pub fn fold(text: &str) -> String {
    if text.is_ascii() {
        return text.to_ascii_lowercase();
    }
    text.chars()
        .flat_map(char::to_uppercase)
        .flat_map(char::to_lowercase)
        .collect()
}

/// The text of several fields in which words are searched together.
pub fn searched(fields: &[&str]) -> String {
    fold(&fields.join("\n"))
}

/// The words of a query, folded, each once: split at white space, and what stands in quotes is one word with its blanks.
///
/// A quote opens only where a word begins; one that is not closed runs to the end.
pub fn words(query: &str) -> Vec<String> {
    let mut found: Vec<String> = Vec::new();
    let mut rest = query.trim_start();
    while !rest.is_empty() {
        let (word, after) = match rest.strip_prefix('"') {
            Some(quoted) => quoted.split_once('"').unwrap_or((quoted, "")),
            None => rest.split_at(rest.find(char::is_whitespace).unwrap_or(rest.len())),
        };
        let word = fold(word);
        if !word.trim().is_empty() && !found.contains(&word) {
            found.push(word);
        }
        rest = after.trim_start();
    }
    found
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn letters_of_any_script_are_compared_without_case() {
        for (text, folded) in [
            ("ÉCOLE", "école"),
            ("Straße", "strasse"),
            ("ΟΔΟΣ ὁδός", "οδοσ ὁδόσ"),
            ("ſ", "s"),
            ("WebHook_%", "webhook_%"),
        ] {
            assert_eq!(fold(text), folded);
        }
    }

    #[test]
    fn words_and_phrases_of_a_query() {
        for (query, wanted) in [
            ("", vec![]),
            ("  \t ", vec![]),
            ("Web  hook", vec!["web", "hook"]),
            ("\"two words\" one", vec!["two words", "one"]),
            ("\"open to the end", vec!["open to the end"]),
            ("a\"b c", vec!["a\"b", "c"]),
            ("hook HOOK \"hook\"", vec!["hook"]),
            ("\"\" \" \" x", vec!["x"]),
            ("100% a_b c\\d", vec!["100%", "a_b", "c\\d"]),
            ("\"a\"b", vec!["a", "b"]),
        ] {
            assert_eq!(words(query), wanted, "{query:?}");
        }
    }

    proptest! {
        #![proptest_config(lore_testing::cases(256))]

        #[test]
        fn folding_twice_changes_nothing(text in "\\PC{0,40}") {
            prop_assert_eq!(fold(&fold(&text)), fold(&text));
        }

        #[test]
        fn words_come_back_when_they_are_quoted(words_in in proptest::collection::btree_set("[a-z%_é\\\\]{1,6}", 0..5)) {
            let query: Vec<String> = words_in.iter().map(|word| format!("\"{word}\"")).collect();
            let wanted: Vec<String> = words_in.iter().map(|word| fold(word)).collect();
            prop_assert_eq!(words(&query.join(" ")), wanted);
        }
    }
}
