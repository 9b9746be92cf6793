//! JSON as a [`Tree`]: no duplicate key, no nesting deeper than allowed, numbers with all their digits. [`lore_base::json`] reads it.

use std::borrow::Cow;
use std::collections::HashSet;
use std::fmt;

use lore_base::json::{JsonError, JsonReader, Kind};

use super::tree::{Tree, TreeValue};

/// Up to so many keys, comparing all pairs is cheaper than a set.
const FEW_KEYS: usize = 24;

/// What is wrong with a text.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct JsonFault {
    /// The byte at which the text is wrong.
    pub at: u32,
    /// The message, in lower case and without a full stop.
    pub message: String,
}

impl fmt::Display for JsonFault {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.message)
    }
}

impl From<JsonError> for JsonFault {
    fn from(error: JsonError) -> Self {
        Self {
            at: offset(error.offset()),
            message: error.fault().to_string(),
        }
    }
}

/// Reads one value and nothing after it. Lists and objects nest at most `depth` levels deep.
pub fn read(text: &str, depth: usize) -> Result<Tree<'_>, JsonFault> {
    let mut reader = JsonReader::of_text(text, depth);
    let tree = value(&mut reader)?;
    reader.end()?;
    Ok(tree)
}

fn offset(at: usize) -> u32 {
    u32::try_from(at).unwrap_or(u32::MAX)
}

/// The next value. The recursion is bounded by the depth that the reader allows.
fn value<'a>(reader: &mut JsonReader<'a>) -> Result<Tree<'a>, JsonFault> {
    let kind = reader.peek()?;
    let at = offset(reader.offset());
    let value = match kind {
        Kind::Object => {
            reader.begin_object()?;
            TreeValue::Mapping(members(reader)?)
        }
        Kind::Array => {
            reader.begin_array()?;
            let mut items = Vec::new();
            while reader.next_item()? {
                items.push(value(reader)?);
            }
            TreeValue::List(items)
        }
        Kind::Text => TreeValue::Text(reader.text()?.read()),
        Kind::Number => TreeValue::Number(Cow::Borrowed(reader.number()?.raw())),
        Kind::Bool => TreeValue::Bool(reader.boolean()?),
        Kind::Null => {
            reader.null()?;
            TreeValue::Null
        }
    };
    Ok(Tree { at, value })
}

/// The members of the object that was begun.
fn members<'a>(reader: &mut JsonReader<'a>) -> Result<Vec<(Tree<'a>, Tree<'a>)>, JsonFault> {
    let mut members = Vec::new();
    while let Some(key) = reader.next_key()? {
        let key = Tree {
            at: offset(reader.key_offset()),
            value: TreeValue::Text(key.read()),
        };
        members.push((key, value(reader)?));
    }
    match duplicate(&members) {
        Some(key) => Err(JsonFault {
            at: key.at,
            message: format!("duplicate key {:?}", key.text().unwrap_or_default()),
        }),
        None => Ok(members),
    }
}

/// The second of two equal keys.
fn duplicate<'t, 'a>(entries: &'t [(Tree<'a>, Tree<'a>)]) -> Option<&'t Tree<'a>> {
    let keys = || entries.iter().map(|(key, _)| key);
    if entries.len() <= FEW_KEYS {
        return (keys().enumerate())
            .find(|(at, key)| keys().take(*at).any(|other| other.text() == key.text()))
            .map(|(_, key)| key);
    }
    let mut seen = HashSet::with_capacity(entries.len());
    keys().find(|key| !seen.insert(key.text()))
}

/// Writes a text as JSON, with the shortest escapes.
pub fn push_text(text: &str, out: &mut String) {
    out.push_str(&serde_json::to_string(text).expect("because every text is a value of JSON"));
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn texts_escapes_and_pairs_are_read() {
        let text = read(r#""a\u00e9\ud83d\ude00\n\/""#, 4).expect("JSON");
        assert_eq!(text.text(), Some("aé😀\n/"));
    }

    #[test]
    fn what_is_not_json_is_refused_where_it_stands() {
        for (text, at) in [
            ("", 0),
            ("NaN", 0),
            ("[1,]", 3),
            ("{\"a\":1,\"a\":2}", 7),
            ("01", 0),
            ("1.", 2),
            ("\"\\ud800\"", 1),
            ("\"a", 2),
            ("[1] 2", 4),
            ("{a:1}", 1),
            ("[[[[[1]]]]]", 4),
            ("\"\u{1}\"", 1),
            ("\u{feff}1", 0),
        ] {
            assert_eq!(read(text, 4).map_err(|fault| fault.at), Err(at), "{text}");
        }
    }

    #[test]
    fn texts_are_written_with_the_shortest_escapes() {
        let mut out = String::new();
        push_text("\u{0}\u{8}\u{c}\n\r\t\u{1f}\"\\/\u{7f}é😀", &mut out);
        assert_eq!(out, "\"\\u0000\\b\\f\\n\\r\\t\\u001f\\\"\\\\/\u{7f}é😀\"");
    }

    #[test]
    fn many_keys_are_compared_quickly_and_doubles_found() {
        let mut text = String::from("{");
        for number in 0..50_000 {
            text.push_str(&format!("\"k{number}\":0,"));
        }
        assert!(read(&format!("{text}\"z\":0}}"), 4).is_ok());
        assert!(read(&format!("{text}\"k7\":0}}"), 4).is_err());
    }

    proptest! {
        #![proptest_config(lore_testing::cases(256))]

        #[test]
        fn any_text_gives_a_value_or_a_fault(text in "[\\[\\]{}:,\"\\\\u0-9a-f.eE+ -]{0,40}") {
            let _ = read(&text, 8);
        }

        #[test]
        fn texts_read_back(text in any::<String>()) {
            let mut out = String::new();
            push_text(&text, &mut out);
            let tree = read(&out, 1).expect("JSON");
            prop_assert_eq!(tree.text(), Some(text.as_str()));
        }
    }
}
