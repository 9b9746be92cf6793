//! Property values: anything JSON can say, with the digits of numbers kept (clauses C14, C15).

use std::fmt;

use serde::ser::{Serialize, SerializeMap, SerializeSeq, Serializer};

use super::json::{self, push_text};
use super::limits::Limits;
use super::tree::{Tree, TreeValue};

/// A value.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Json {
    /// Nothing; a property that is null is a property.
    Null,
    /// A flag.
    Bool(bool),
    /// A number, as it was written.
    Number(Box<str>),
    Text(Box<str>),
    List(Vec<Json>),
    /// Keys with their values, sorted by the bytes of the keys.
    Object(Vec<(Box<str>, Json)>),
}

/// Why a text is not a property value.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ValueFault {
    /// The byte offset.
    pub at: u32,
    /// What is wrong
    pub message: String,
}

impl fmt::Display for ValueFault {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.message)
    }
}

impl Json {
    /// Reads JSON.
    pub fn parse(text: &str) -> Result<Self, ValueFault> {
        let fault = |fault: json::JsonFault| ValueFault {
            at: fault.at,
            message: fault.message,
        };
        let tree = json::read(text, Limits::VALUE_DEPTH).map_err(fault)?;
        Self::from_tree(&tree)
    }

    /// The value that something in a file is.
    pub fn from_tree(tree: &Tree<'_>) -> Result<Self, ValueFault> {
        let fault = |message: &str| ValueFault {
            at: tree.at,
            message: message.to_owned(),
        };
        Ok(match &tree.value {
            TreeValue::Null => Self::Null,
            TreeValue::Bool(flag) => Self::Bool(*flag),
            TreeValue::Number(number) => Self::Number(number.as_ref().into()),
            TreeValue::NotFinite(_) => return Err(fault("the number is not finite")),
            TreeValue::Text(text) => Self::Text(text.as_ref().into()),
            TreeValue::List(items) => Self::List(items.iter().map(Self::from_tree).collect::<Result<_, _>>()?),
            TreeValue::Mapping(entries) => {
                let mut object = Vec::with_capacity(entries.len());
                for (key, value) in entries {
                    object.push((key_of(key)?.into(), Self::from_tree(value)?));
                }
                object.sort_by(|(left, _): &(Box<str>, _), (right, _)| left.cmp(right));
                Self::Object(object)
            }
        })
    }

    /// The value of a text that [`Self::canonical`] has written.
    pub fn of_canonical(text: &str) -> Self {
        Self::parse(text).unwrap_or(Self::Null)
    }

    /// The one way in which it is written: no blanks, keys in order, shortest escapes.
    pub fn canonical(&self) -> String {
        let mut out = String::new();
        self.push(&mut out);
        out
    }

    /// Appends [`Self::canonical`].
    pub fn push(&self, out: &mut String) {
        match self {
            Self::Null => out.push_str("null"),
            Self::Bool(true) => out.push_str("true"),
            Self::Bool(false) => out.push_str("false"),
            Self::Number(number) => out.push_str(number),
            Self::Text(text) => push_text(text, out),
            Self::List(items) => {
                out.push('[');
                for (at, item) in items.iter().enumerate() {
                    if at > 0 {
                        out.push(',');
                    }
                    item.push(out);
                }
                out.push(']');
            }
            Self::Object(entries) => {
                out.push('{');
                for (at, (key, value)) in entries.iter().enumerate() {
                    if at > 0 {
                        out.push(',');
                    }
                    push_text(key, out);
                    out.push(':');
                    value.push(out);
                }
                out.push('}');
            }
        }
    }

    /// Whether the two are the same value: numbers by what they are worth, objects whatever the order of their keys.
    pub fn is_same(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Number(left), Self::Number(right)) => is_same_number(left, right),
            (Self::List(left), Self::List(right)) => {
                left.len() == right.len() && left.iter().zip(right).all(|(left, right)| left.is_same(right))
            }
            (Self::Object(left), Self::Object(right)) => {
                let pairs = left.iter().zip(right);
                left.len() == right.len()
                    && pairs
                        .into_iter()
                        .all(|(left, right)| left.0 == right.0 && left.1.is_same(&right.1))
            }
            _ => self == other,
        }
    }
}

impl Serialize for Json {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Null => serializer.serialize_unit(),
            Self::Bool(flag) => serializer.serialize_bool(*flag),
            Self::Number(number) => {
                if let Ok(whole) = number.parse::<i64>() {
                    return serializer.serialize_i64(whole);
                }
                if let Ok(whole) = number.parse::<u64>() {
                    return serializer.serialize_u64(whole);
                }
                // What a float would not give back digit for digit is shown as the text that it is.
                match number.parse::<f64>() {
                    Ok(float) if float.is_finite() && is_same_number(&format!("{float:?}"), number) => {
                        serializer.serialize_f64(float)
                    }
                    _ => serializer.serialize_str(number),
                }
            }
            Self::Text(text) => serializer.serialize_str(text),
            Self::List(items) => {
                let mut list = serializer.serialize_seq(Some(items.len()))?;
                for item in items {
                    list.serialize_element(item)?;
                }
                list.end()
            }
            Self::Object(entries) => {
                let mut map = serializer.serialize_map(Some(entries.len()))?;
                for (key, value) in entries {
                    map.serialize_entry(&**key, value)?;
                }
                map.end()
            }
        }
    }
}

/// The key of a property: text with at least one character.
pub fn key_of<'t>(key: &'t Tree<'_>) -> Result<&'t str, ValueFault> {
    let fault = |message: String| ValueFault { at: key.at, message };
    match key.text() {
        Some("") => Err(fault("a key is empty".to_owned())),
        Some(text) if text.len() > Limits::KEY_BYTES => {
            Err(fault(format!("a key has more than {} bytes", Limits::KEY_BYTES)))
        }
        Some(text) => Ok(text),
        None => Err(fault(format!("a key is {}, not text", key.what()))),
    }
}

/// The canonical text of a property's value, if it is not larger than one may be.
pub fn bounded(value: &Json) -> Result<Box<str>, String> {
    let text = value.canonical();
    if text.len() > Limits::VALUE_BYTES {
        Err(format!(
            "the value has {} bytes as JSON; the limit is {}",
            text.len(),
            Limits::VALUE_BYTES
        ))
    } else {
        Ok(text.into())
    }
}

/// A number as sign, digits without noughts at either end, and the power of ten of the last digit.
fn worth(number: &str) -> Option<(bool, String, i64)> {
    let (is_negative, rest) = match number.strip_prefix('-') {
        Some(rest) => (true, rest),
        None => (false, number),
    };
    let (mantissa, exponent) = rest.split_once(['e', 'E']).unwrap_or((rest, "0"));
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let digits = format!("{whole}{fraction}");
    let trimmed = digits.trim_end_matches('0');
    let dropped = i64::try_from(digits.len() - trimmed.len()).ok()?;
    let trimmed = trimmed.trim_start_matches('0');
    if trimmed.is_empty() {
        return Some((false, String::new(), 0));
    }
    let exponent: i64 = exponent.strip_prefix('+').unwrap_or(exponent).parse().ok()?;
    let power = exponent
        .checked_sub(i64::try_from(fraction.len()).ok()?)?
        .checked_add(dropped)?;
    Some((is_negative, trimmed.to_owned(), power))
}

fn is_same_number(left: &str, right: &str) -> bool {
    left == right
        || match (worth(left), worth(right)) {
            (Some(left), Some(right)) => left == right,
            _ => false,
        }
}

#[cfg(test)]
pub(super) mod tests {
    use proptest::prelude::*;

    use super::*;

    fn json(text: &str) -> Json {
        Json::parse(text).expect("JSON")
    }

    #[test]
    fn c15_values_are_the_same_by_what_they_are() {
        for (left, right) in [
            (r#"{"a":1,"b":2}"#, r#"{"b":2,"a":1.0}"#),
            ("1", "10e-1"),
            ("0", "-0.0"),
            ("100", "1E+2"),
            ("0.001", "1e-3"),
        ] {
            assert!(json(left).is_same(&json(right)), "{left} {right}");
        }
        for (left, right) in [
            ("1", "\"1\""),
            ("1", "1.0000000000000000001"),
            ("null", "0"),
            ("[1,2]", "[2,1]"),
            ("1", "-1"),
        ] {
            assert!(!json(left).is_same(&json(right)), "{left} {right}");
        }
    }

    #[test]
    fn c14_numbers_keep_their_digits_and_not_everything_is_a_value() {
        for text in ["123456789012345678901234567890", "1.10", "[1,{\"a\":null}]"] {
            assert_eq!(json(text).canonical(), text);
        }
        for text in ["NaN", "", "{\"\":1}", "{'a':1}", "[1,]"] {
            assert!(Json::parse(text).is_err(), "{text}");
        }
        let deep = format!("{}1{}", "[".repeat(65), "]".repeat(65));
        assert!(Json::parse(&deep).is_err());
    }

    #[test]
    fn answers_show_numbers_as_numbers_where_they_lose_nothing() {
        let shown = |text: &str| serde_json::to_string(&json(text)).expect("JSON");
        assert_eq!(
            ["3", "1.5", "18446744073709551615", "123456789012345678901234567890"].map(shown),
            ["3", "1.5", "18446744073709551615", "\"123456789012345678901234567890\""]
        );
    }

    /// Any value, not very deep.
    pub(crate) fn any_json() -> impl Strategy<Value = Json> {
        let leaf = prop_oneof![
            Just(Json::Null),
            any::<bool>().prop_map(Json::Bool),
            "-?(0|[1-9][0-9]{0,20})(\\.[0-9]{1,4})?([eE][+-]?[0-9]{1,3})?".prop_map(|text| Json::Number(text.into())),
            any::<String>().prop_map(|text| Json::Text(text.into())),
            "[a-zA-Z0-9~:#\\-\\[\\]{} .,!&*%@`'\"|>?_]{0,8}".prop_map(|text| Json::Text(text.into())),
        ];
        leaf.prop_recursive(3, 12, 4, |inner| {
            prop_oneof![
                prop::collection::vec(inner.clone(), 0..4).prop_map(Json::List),
                prop::collection::btree_map("[a-z0-9 :~#-]{1,4}", inner, 0..4)
                    .prop_map(|map| Json::Object(map.into_iter().map(|(key, value)| (key.into(), value)).collect())),
            ]
        })
    }

    proptest! {
        #![proptest_config(lore_testing::cases(256))]

        #[test]
        fn what_is_written_reads_back(value in any_json()) {
            let text = value.canonical();
            let read = json(&text);
            prop_assert_eq!(&read, &value);
            prop_assert_eq!(read.canonical(), text);
            prop_assert!(read.is_same(&value));
        }
    }
}
