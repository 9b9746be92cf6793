//! A part of a document as a value, for parts that are known to be small.

use serde_json::{Map, Value};

use super::error::{Fault, JsonError};
use super::reader::{Kind, Reader};

/// A list or an object that is being read, and the key of the member that comes next.
enum Open {
    Array(Vec<Value>),
    Object(Map<String, Value>, String),
}

impl Reader<'_> {
    /// The value that comes next, with all that is in it. Of two members with one key the later one counts.
    pub fn value(&mut self) -> Result<Value, JsonError> {
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
            // What is whole goes into what it stands in, which may be whole with it.
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
