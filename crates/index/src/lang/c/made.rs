//! Functions that a macro heads: `TEST(Suite, Case) { … }`, `SYSCALL_DEFINE1(read, …) { … }`; and those that name no type.

use std::borrow::Cow;

use lore_model::SymbolKind;

use super::declarators::Name;
use super::head::Head;
use super::{body_start, place_name, tokens, words};
use crate::extract::Walker;
use crate::syntax::Node;

/// A function whose name in the source is not the one that the grammar saw.
pub(crate) struct Made<'t> {
    name: Name<'t>,
    /// The position of the name.
    byte: usize,
    is_test: bool,
}

impl<'t> Made<'t> {
    /// What a definition is named in the source, if the grammar saw another name.
    pub(crate) fn of(walker: &Walker<'t>, node: Node<'t>) -> Option<Self> {
        let declared_type = node.child_by_field_name("type")?;
        let start = declared_type.start_byte();
        let bytes = walker.source.as_bytes();
        let goes_on = bytes
            .get(declared_type.end_byte())
            .copied()
            .is_some_and(tokens::is_name_byte);
        if declared_type.end_byte() - start != 1 || !goes_on {
            return None;
        }
        let len = bytes[start..]
            .iter()
            .take_while(|byte| tokens::is_name_byte(**byte))
            .count();
        let word = walker.slice(start, start + len);
        let arguments = walker.slice(start + len, body_start(node)).trim();
        let arguments = arguments.strip_prefix('(').and_then(|inner| inner.strip_suffix(')'));
        let is_macro = words::is_macro_like(word.as_bytes());
        let is_test = is_macro && (word.contains("TEST") || word == "SCENARIO" || word == "SPEC");
        let (owner, name) = match arguments {
            Some(arguments) if is_macro => made_name(word, arguments, is_test),
            _ => ("", word),
        };
        Some(Self {
            byte: start + (name.as_ptr() as usize - word.as_ptr() as usize),
            name: Name {
                node: declared_type,
                text: Cow::Borrowed(name),
                owner: owner.to_owned(),
            },
            is_test,
        })
    }

    /// Records the definition; `kind` is its kind unless it is a test.
    pub(crate) fn define(self, walker: &mut Walker<'t>, head: Head<'t>, kind: SymbolKind, end: usize) -> u32 {
        let kind = if self.is_test { SymbolKind::Test } else { kind };
        let definition = head.define(walker, kind, &self.name, end);
        place_name(walker, definition, self.byte);
        definition
    }
}

/// The suite and the name that a macro gives to what it defines.
fn made_name<'t>(word: &'t str, arguments: &'t str, is_test: bool) -> (&'t str, &'t str) {
    let names_two = is_test
        && matches!(
            word,
            "TEST" | "TEST_F" | "TEST_P" | "TYPED_TEST" | "TYPED_TEST_P" | "GTEST_TEST" | "FUZZ_TEST"
        );
    let (first, rest) = arguments.split_once(',').unwrap_or((arguments, ""));
    let (first, second) = (first.trim(), rest.split(',').next().unwrap_or("").trim());
    if names_two && is_name(first) && is_name(second) {
        return (first, second);
    }
    if let Some(text) = arguments.trim_start().strip_prefix('"') {
        let text = text.split('"').next().unwrap_or("");
        return ("", if text.is_empty() { word } else { text });
    }
    // A selector begins with a name too.
    let first = first.split([':', '(']).next().unwrap_or(first).trim();
    ("", if is_name(first) { first } else { word })
}

fn is_name(text: &str) -> bool {
    !text.is_empty()
        && text.bytes().all(tokens::is_name_byte)
        && !text.starts_with(|letter: char| letter.is_ascii_digit())
}
