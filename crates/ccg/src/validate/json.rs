//! A JSON reader that reports duplicate keys, which `serde_json` silently overwrites.

use std::fmt;

use serde::de::{DeserializeSeed, Error, MapAccess, SeqAccess, Visitor};
use serde_json::{Map, Number, Value};

/// A document and the places of keys that occur twice.
pub(super) struct Parsed {
    pub(super) value: Value,
    pub(super) twice: Vec<String>,
}

/// Parses a document. Nesting is bounded by the parser.
pub(super) fn parse(bytes: &[u8]) -> Result<Parsed, serde_json::Error> {
    let mut twice = Vec::new();
    let mut deserializer = serde_json::Deserializer::from_slice(bytes);
    let reader = Reader {
        place: &Place::Root,
        twice: &mut twice,
    };
    let value = reader.deserialize(&mut deserializer)?;
    deserializer.end()?;
    Ok(Parsed { value, twice })
}

/// Where in a document something stands.
pub(super) enum Place<'a> {
    Root,
    Key(&'a Place<'a>, &'a str),
    Item(&'a Place<'a>, usize),
}

impl fmt::Display for Place<'_> {
    /// As a JSON Pointer.
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Root => Ok(()),
            Self::Key(parent, key) => write!(formatter, "{parent}/{}", key.replace('~', "~0").replace('/', "~1")),
            Self::Item(parent, at) => write!(formatter, "{parent}/{at}"),
        }
    }
}

struct Reader<'a> {
    place: &'a Place<'a>,
    twice: &'a mut Vec<String>,
}

impl<'de> DeserializeSeed<'de> for Reader<'_> {
    type Value = Value;

    fn deserialize<D: serde::Deserializer<'de>>(self, deserializer: D) -> Result<Value, D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Reader<'_> {
    type Value = Value;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("JSON")
    }

    fn visit_unit<E: Error>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_bool<E: Error>(self, value: bool) -> Result<Value, E> {
        Ok(Value::Bool(value))
    }

    fn visit_i64<E: Error>(self, value: i64) -> Result<Value, E> {
        Ok(Value::Number(value.into()))
    }

    fn visit_u64<E: Error>(self, value: u64) -> Result<Value, E> {
        Ok(Value::Number(value.into()))
    }

    fn visit_f64<E: Error>(self, value: f64) -> Result<Value, E> {
        Ok(Number::from_f64(value).map_or(Value::Null, Value::Number))
    }

    fn visit_str<E: Error>(self, value: &str) -> Result<Value, E> {
        Ok(Value::String(value.to_owned()))
    }

    fn visit_string<E: Error>(self, value: String) -> Result<Value, E> {
        Ok(Value::String(value))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Value, A::Error> {
        let mut values = Vec::new();
        loop {
            let place = Place::Item(self.place, values.len());
            let reader = Reader {
                place: &place,
                twice: &mut *self.twice,
            };
            match items.next_element_seed(reader)? {
                Some(value) => values.push(value),
                None => return Ok(Value::Array(values)),
            }
        }
    }

    fn visit_map<A: MapAccess<'de>>(self, mut entries: A) -> Result<Value, A::Error> {
        let mut map = Map::new();
        while let Some(key) = entries.next_key::<String>()? {
            let place = Place::Key(self.place, &key);
            if map.contains_key(&key) {
                self.twice.push(place.to_string());
            }
            let reader = Reader {
                place: &place,
                twice: &mut *self.twice,
            };
            let value = entries.next_value_seed(reader)?;
            map.insert(key, value);
        }
        Ok(Value::Object(map))
    }
}
