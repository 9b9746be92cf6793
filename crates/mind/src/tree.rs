//! A file to be imported, or a line of a patch, before anybody has judged it: values with the byte each begins at. YAML and JSON both become this.

use std::borrow::Cow;

/// A value and where it stands.
#[derive(Clone, PartialEq, Debug)]
pub struct Tree<'a> {
    /// The byte at which it begins.
    pub at: u32,
    pub value: TreeValue<'a>,
}

#[derive(Clone, PartialEq, Debug)]
pub enum TreeValue<'a> {
    /// Nothing.
    Null,
    /// A flag.
    Bool(bool),
    /// A number, as JSON writes it, with its digits kept.
    Number(Cow<'a, str>),
    /// A number that JSON cannot write.
    NotFinite(Cow<'a, str>),
    Text(Cow<'a, str>),
    List(Vec<Tree<'a>>),
    /// Keys with their values, as they are written.
    Mapping(Vec<(Tree<'a>, Tree<'a>)>),
}

impl<'a> Tree<'a> {
    pub fn text(&self) -> Option<&str> {
        match &self.value {
            TreeValue::Text(text) => Some(text),
            _ => None,
        }
    }

    /// The items, if it is a list.
    pub fn list(&self) -> Option<&[Tree<'a>]> {
        match &self.value {
            TreeValue::List(items) => Some(items),
            _ => None,
        }
    }

    /// The entries, if it is a mapping.
    pub fn mapping(&self) -> Option<&[(Tree<'a>, Tree<'a>)]> {
        match &self.value {
            TreeValue::Mapping(entries) => Some(entries),
            _ => None,
        }
    }

    /// The value of a key of a mapping.
    pub fn get(&self, key: &str) -> Option<&Tree<'a>> {
        let entries = self.mapping()?;
        entries
            .iter()
            .find(|(name, _)| name.text() == Some(key))
            .map(|(_, value)| value)
    }

    /// What kind of thing it is, in words.
    pub fn what(&self) -> &'static str {
        match self.value {
            TreeValue::Null => "null",
            TreeValue::Bool(_) => "a boolean",
            TreeValue::Number(_) => "a number",
            TreeValue::NotFinite(_) => "not a finite number",
            TreeValue::Text(_) => "text",
            TreeValue::List(_) => "a list",
            TreeValue::Mapping(_) => "a mapping",
        }
    }
}
