//! Static types of arguments and parameters, for overload resolution.

use super::{Act, Lower, children};
use crate::solve::Conversion;
use crate::syntax::Node;

impl<'t> Lower<'t, '_, '_> {
    /// The name of a declared type, without type arguments and qualifiers.
    pub(crate) fn type_name(&self, kind: Node<'t>) -> Option<&'t str> {
        let form = self.form(kind);
        match form.act {
            Act::Wrapped | Act::Inner | Act::Declarator | Act::Parameter => {
                self.type_name(form.kind(kind).or_else(|| children(kind).first().copied())?)
            }
            Act::Generic => {
                let name = self.last_name(form.kind(kind)?);
                if self.plain.transparent.contains(&name) {
                    self.type_name(*children(form.list(kind)?).first()?)
                } else {
                    Some(name)
                }
            }
            Act::Name | Act::Member | Act::Hook(_) | Act::Skip | Act::Pass => {
                let name = self.last_name(kind);
                let is_name = name
                    .chars()
                    .all(|letter| letter.is_alphanumeric() || matches!(letter, '_' | '?'));
                (is_name && !name.is_empty()).then(|| name.trim_end_matches('?'))
            }
            Act::ArrayType => Some("[]"),
            _ => None,
        }
    }

    /// Records the declared type of a variable.
    pub(crate) fn note_variable_type(&mut self, name: &'t str, kind: Node<'t>) {
        if self.plain.overloads
            && let Some(kind) = self.type_name(kind)
            && !matches!(kind, "var" | "auto" | "dynamic" | "val")
            && let Some(types) = self.variable_types.last_mut()
        {
            types.insert(name, kind);
        }
    }

    /// The static type of an expression, if the source shows it.
    pub(crate) fn static_type(&self, node: Node<'t>) -> Option<&'t str> {
        let form = self.form(node);
        match form.act {
            Act::Text => Some("string"),
            Act::Data => literal_type(self.text(node)),
            Act::Hook(_) if node.named_child_count() == 0 => {
                let name = self.text(node);
                self.variable_types
                    .iter()
                    .rev()
                    .find_map(|types| types.get(name))
                    .copied()
            }
            Act::Name => {
                let name = self.text(form.name(node).unwrap_or(node));
                self.variable_types
                    .iter()
                    .rev()
                    .find_map(|types| types.get(name))
                    .copied()
            }
            Act::New => self.type_name(form.kind(node)?),
            Act::Cast => self.type_name(form.kind(node)?),
            Act::Inner | Act::Argument => {
                let inner = form.value(node).or_else(|| children(node).first().copied())?;
                self.static_type(inner)
            }
            Act::Lambda => {
                let count = form.list(node).map_or(0, |list| children(list).len().max(1));
                ["->0", "->1", "->2", "->3", "->4"].get(count).copied()
            }
            _ => None,
        }
    }
}

fn literal_type(text: &str) -> Option<&'static str> {
    let first = text.chars().next()?;
    if first.is_ascii_digit() || first == '-' {
        let is_whole = !text.contains(['.', 'e', 'E']) || text.starts_with("0x");
        return Some(match (is_whole, text.chars().last()) {
            (_, Some('f' | 'F')) if !text.starts_with("0x") => "float",
            (_, Some('m' | 'M')) => "decimal",
            (true, Some('L')) => "long",
            (true, _) => "int",
            (false, _) => "double",
        });
    }
    match text {
        "true" | "false" => Some("bool"),
        "null" | "nil" | "nullptr" | "NULL" => Some("null"),
        text if text.starts_with('\'') => Some("char"),
        text if text.starts_with('"') => Some("string"),
        _ => None,
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Family {
    /// Integers, by width in bytes.
    Whole(u8),
    /// Floating-point and decimal numbers, by width in bytes.
    Broken(u8),
    Text,
    Letter,
    Truth,
    Nothing,
    Anything,
}

fn family(name: &str) -> Option<Family> {
    Some(match name {
        "byte" | "sbyte" | "Byte" | "UInt8" | "Int8" | "uint8_t" | "int8_t" => Family::Whole(1),
        "short" | "ushort" | "Short" | "Int16" | "UInt16" | "int16_t" | "uint16_t" => Family::Whole(2),
        "int" | "Int" | "uint" | "Int32" | "UInt32" | "UInt" | "unsigned" | "int32_t" | "uint32_t" => Family::Whole(4),
        "long" | "ulong" | "Long" | "Int64" | "UInt64" | "size_t" | "int64_t" | "uint64_t" | "ptrdiff_t" => {
            Family::Whole(8)
        }
        "float" | "Float" | "Single" => Family::Broken(4),
        "double" | "Double" | "CGFloat" => Family::Broken(8),
        "decimal" | "Decimal" => Family::Broken(16),
        "string" | "String" | "string_view" | "StringRef" | "QString" | "NSString" | "CharSequence" | "Substring" => {
            Family::Text
        }
        "char" | "Char" | "wchar_t" | "Character" => Family::Letter,
        "bool" | "Bool" | "Boolean" | "boolean" => Family::Truth,
        "null" => Family::Nothing,
        "object" | "Object" | "Any" | "AnyObject" | "AnyRef" | "AnyVal" | "dynamic" => Family::Anything,
        _ => return None,
    })
}

/// The conversion from one built-in type to another, by the type names of all languages with overloads.
pub(crate) fn converts(from: &str, to: &str) -> Conversion {
    let (from, to) = match (family(from), family(to)) {
        (_, Some(Family::Anything)) => return Conversion::Made,
        (Some(Family::Nothing), None) => return Conversion::Widened,
        (Some(from), Some(to)) => (from, to),
        _ => return Conversion::Unknown,
    };
    match (from, to) {
        (Family::Whole(from), Family::Whole(to)) if from <= to => Conversion::Widened,
        (Family::Whole(_), Family::Whole(_)) => Conversion::Made,
        (Family::Whole(_), Family::Broken(_)) => Conversion::Made,
        (Family::Broken(from), Family::Broken(to)) if from <= to => Conversion::Widened,
        (Family::Broken(_), Family::Broken(_)) => Conversion::Made,
        (Family::Text, Family::Text) => Conversion::Same,
        // In C, a string is an array of characters.
        (Family::Text, Family::Letter) => Conversion::Widened,
        (Family::Letter, Family::Text) => Conversion::Made,
        (Family::Nothing, Family::Text | Family::Letter) => Conversion::Widened,
        (one, other) if one == other => Conversion::Same,
        _ => Conversion::Never,
    }
}
