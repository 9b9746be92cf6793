//! A part of a document as a [`Value`], for parts that are known to be small.

use serde_json::{Map, Value};

use super::error::{Fault, JsonError};
use super::pointer::escaped;
use super::reader::{JsonReader, Kind};

/// An open list or object, and the key of the member that comes next.
enum Open {
    Array(Vec<Value>),
    Object(Map<String, Value>, String),
}

impl JsonReader<'_> {
    /// The next value. Of several members with the same key the last one counts.
    pub fn value(&mut self) -> Result<Value, JsonError> {
        self.build(&mut |_| ())
    }

    /// The next value, and the JSON Pointer of every key that repeats an earlier key of its object. The last member with a key counts.
    pub fn value_and_duplicates(&mut self) -> Result<(Value, Vec<String>), JsonError> {
        let mut duplicates = Vec::new();
        let value = self.build(&mut |open| duplicates.push(pointer(open)))?;
        Ok((value, duplicates))
    }

    /// Builds a value. `on_duplicate` gets the open lists and objects, the innermost with the repeated key.
    fn build(&mut self, on_duplicate: &mut dyn FnMut(&[Open])) -> Result<Value, JsonError> {
        let mut open: Vec<Open> = Vec::new();
        loop {
            let mut value = match self.peek()? {
                Kind::Object => {
                    self.begin_object()?;
                    open.push(Open::Object(Map::new(), String::new()));
                    None
                }
                Kind::Array => {
                    self.begin_array()?;
                    open.push(Open::Array(Vec::new()));
                    None
                }
                Kind::Text => Some(Value::String(self.text()?.read().into_owned())),
                Kind::Number => Some(Value::Number(self.serde_number()?)),
                Kind::Bool => Some(Value::Bool(self.boolean()?)),
                Kind::Null => {
                    self.null()?;
                    Some(Value::Null)
                }
            };
            // A finished value goes into the innermost list or object, which may then be finished too.
            loop {
                let Some(innermost) = open.last_mut() else {
                    return Ok(value.unwrap_or_default());
                };
                let has_more = match innermost {
                    Open::Array(items) => {
                        items.extend(value.take());
                        self.next_item()?
                    }
                    Open::Object(members, key) => {
                        if let Some(value) = value.take() {
                            members.insert(std::mem::take(key), value);
                        }
                        match self.next_key()? {
                            Some(next) => {
                                *key = next.read().into_owned();
                                if members.contains_key(key.as_str()) {
                                    on_duplicate(&open);
                                }
                                true
                            }
                            None => false,
                        }
                    }
                };
                if has_more {
                    break;
                }
                value = open.pop().map(|whole| match whole {
                    Open::Array(items) => Value::Array(items),
                    Open::Object(members, _) => Value::Object(members),
                });
            }
        }
    }

    fn serde_number(&mut self) -> Result<serde_json::Number, JsonError> {
        let at = self.offset();
        let number = self.number()?;
        serde_json::from_str(number.raw()).map_err(|_| self.error_at(at, Fault::Range))
    }
}

fn pointer(open: &[Open]) -> String {
    let steps = open.iter().map(|level| match level {
        Open::Array(items) => format!("/{}", items.len()),
        Open::Object(_, key) => format!("/{}", escaped(key)),
    });
    steps.collect()
}
