//! Writes values as YAML that every reader understands in the same way: texts that are not safe as plain scalars are quoted.

use std::borrow::Cow;
use std::fmt::Write;

/// A value to be written.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Yaml {
    /// A text, whatever it looks like.
    Text(String),
    Number(u64),
    Flag(bool),
    List(Vec<Yaml>),
    /// Keys with their values, in the order in which they are written.
    Mapping(Vec<(String, Yaml)>),
}

impl Yaml {
    /// A text.
    pub fn text(text: impl Into<String>) -> Self {
        Self::Text(text.into())
    }

    /// A list of texts.
    pub fn texts<T: Into<String>>(texts: impl IntoIterator<Item = T>) -> Self {
        Self::List(texts.into_iter().map(Self::text).collect())
    }

    /// On one line, valid in any context.
    pub fn flow(&self) -> String {
        match self {
            Self::Text(text) => scalar(text).into_owned(),
            Self::Number(number) => number.to_string(),
            Self::Flag(flag) => flag.to_string(),
            Self::List(items) => {
                let items: Vec<String> = items.iter().map(Self::flow).collect();
                format!("[{}]", items.join(", "))
            }
            Self::Mapping(entries) => {
                let entries: Vec<String> = entries.iter().map(|(key, value)| flow_entry(key, value)).collect();
                format!("{{{}}}", entries.join(", "))
            }
        }
    }

    /// Whether it is written on one line also where there is room.
    fn is_short(&self) -> bool {
        let is_plain = |value: &Self| !matches!(value, Self::List(_) | Self::Mapping(_));
        match self {
            Self::List(items) => items.iter().all(is_plain),
            Self::Mapping(entries) => entries.is_empty(),
            _ => true,
        }
    }
}

/// A key with its value on one line.
pub fn flow_entry(key: &str, value: &Yaml) -> String {
    format!("{}: {}", scalar(key), value.flow())
}

/// The lines of keys with their values, each after so many spaces.
pub fn entry_lines(entries: &[(String, Yaml)], indent: usize) -> Vec<String> {
    let mut lines = Vec::new();
    for (key, value) in entries {
        push_entry(key, value, indent, &mut lines);
    }
    lines
}

/// The lines of an item of a list: its dash after `dash` spaces, its keys after `keys` spaces.
pub fn item_lines(item: &Yaml, dash: usize, keys: usize) -> Vec<String> {
    match item {
        Yaml::Mapping(entries) if !entries.is_empty() => {
            let mut lines = entry_lines(entries, keys);
            if let Some(first) = lines.first_mut() {
                let gap = " ".repeat(keys.saturating_sub(dash + 1));
                *first = format!("{}-{gap}{}", " ".repeat(dash), first.trim_start());
            }
            lines
        }
        item => vec![format!("{}- {}", " ".repeat(dash), item.flow())],
    }
}

fn push_entry(key: &str, value: &Yaml, indent: usize, lines: &mut Vec<String>) {
    let blanks = " ".repeat(indent);
    match value {
        value if value.is_short() => lines.push(format!("{blanks}{}", flow_entry(key, value))),
        Yaml::Mapping(entries) => {
            lines.push(format!("{blanks}{}:", scalar(key)));
            lines.extend(entry_lines(entries, indent + 2));
        }
        Yaml::List(items) => {
            lines.push(format!("{blanks}{}:", scalar(key)));
            for item in items {
                lines.extend(item_lines(item, indent + 2, indent + 4));
            }
        }
        _ => {}
    }
}

/// A text as a scalar: plain if it is unambiguous, otherwise in double quotes.
pub fn scalar(text: &str) -> Cow<'_, str> {
    if is_harmless(text) {
        text.into()
    } else {
        double_quoted(text).into()
    }
}

/// A text in double quotes, with the escapes of JSON.
pub fn double_quoted(text: &str) -> String {
    let mut quoted = String::with_capacity(text.len() + 2);
    quoted.push('"');
    for letter in text.chars() {
        match letter {
            '"' => quoted.push_str("\\\""),
            '\\' => quoted.push_str("\\\\"),
            '\n' => quoted.push_str("\\n"),
            '\r' => quoted.push_str("\\r"),
            '\t' => quoted.push_str("\\t"),
            // Characters that YAML forbids, that YAML treats as line ends, or that are invisible.
            '\0'..='\u{1f}' | '\u{7f}'..='\u{a0}' | '\u{2028}' | '\u{2029}' | '\u{feff}' | '\u{fffe}' | '\u{ffff}' => {
                // Writing to a `String` cannot fail.
                let _ = write!(quoted, "\\u{:04x}", letter as u32);
            }
            letter => quoted.push(letter),
        }
    }
    quoted.push('"');
    quoted
}

/// Whether a text is safe without quotes in YAML 1.1 and 1.2: it begins with a letter, has no special characters, and is not a word for a boolean or null.
fn is_harmless(text: &str) -> bool {
    const WORDS: &[&str] = &["true", "false", "null", "yes", "no", "on", "off", "y", "n"];
    text.starts_with(|letter: char| letter.is_ascii_alphabetic())
        && text
            .bytes()
            .all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'-' | b'_' | b'/'))
        && !WORDS.iter().any(|word| word.eq_ignore_ascii_case(text))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::yaml::{Document, Limits, Node};

    fn read_back(text: &str) -> String {
        let (document, _) = Document::read(text.as_bytes(), &Limits::default()).unwrap();
        let Node::Mapping(mut entries) = document.node(document.root()) else {
            unreachable!("{text}")
        };
        match document.node(entries.next().unwrap().value) {
            Node::Scalar(scalar) if !scalar.is_null() => scalar.text.to_owned(),
            other => format!("{other:?}"),
        }
    }

    #[test]
    fn g1_texts_that_mean_something_are_quoted() {
        for (text, written) in [
            ("docs/a-b_c.md", "docs/a-b_c.md"),
            ("README.md", "README.md"),
            ("yes", "\"yes\""),
            ("Null", "\"Null\""),
            ("2026-01-01", "\"2026-01-01\""),
            ("0.12", "\"0.12\""),
            ("1e3", "\"1e3\""),
            ("", "\"\""),
            ("a: b", "\"a: b\""),
            ("a #b", "\"a #b\""),
            ("What is \"a\"?", "\"What is \\\"a\\\"?\""),
            ("a\nb\t\u{1b}", "\"a\\nb\\t\\u001b\""),
            ("über", "\"über\""),
            ("~", "\"~\""),
            ("-", "\"-\""),
        ] {
            assert_eq!(scalar(text), written);
            assert_eq!(read_back(&format!("k: {written}\n")), text);
        }
    }

    #[test]
    fn g1_lists_of_texts_are_short_and_other_values_have_lines() {
        let value = vec![
            ("audience".to_owned(), Yaml::texts(["human", "agent"])),
            (
                "hints".to_owned(),
                Yaml::Mapping(vec![("token_estimate".to_owned(), Yaml::Number(300))]),
            ),
            (
                "units".to_owned(),
                Yaml::List(vec![Yaml::Mapping(vec![
                    ("id".to_owned(), Yaml::text("a")),
                    ("deprecated".to_owned(), Yaml::Flag(true)),
                ])]),
            ),
            ("none".to_owned(), Yaml::Mapping(Vec::new())),
        ];
        assert_eq!(
            entry_lines(&value, 0).join("\n"),
            "audience: [human, agent]\nhints:\n  token_estimate: 300\nunits:\n  - id: a\n    deprecated: true\nnone: {}"
        );
        assert_eq!(
            Yaml::Mapping(value).flow(),
            "{audience: [human, agent], hints: {token_estimate: 300}, units: [{id: a, deprecated: true}], none: {}}"
        );
    }

    proptest! {
        #![proptest_config(lore_testing::cases(256))]

        #[test]
        fn any_text_reads_back(text in any::<String>()) {
            prop_assert_eq!(read_back(&format!("k: {}\n", scalar(&text))), text.clone());
            prop_assert_eq!(read_back(&format!("k: {}\n", double_quoted(&text))), text);
        }
    }
}
