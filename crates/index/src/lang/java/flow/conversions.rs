//! How Java passes values of one type as another: what the names of its own types say.

use crate::solve::Conversion;

/// Numbers, each of which widens to those behind it.
const NUMBERS: [&str; 6] = ["byte", "short", "int", "long", "float", "double"];

/// What is written for no value.
pub(super) const NULL: &str = "null";

fn boxed(name: &str) -> Option<&'static str> {
    Some(match name {
        "int" => "Integer",
        "long" => "Long",
        "short" => "Short",
        "byte" => "Byte",
        "char" => "Character",
        "float" => "Float",
        "double" => "Double",
        "boolean" => "Boolean",
        _ => return None,
    })
}

fn unboxed(name: &str) -> Option<&'static str> {
    Some(match name {
        "Integer" => "int",
        "Long" => "long",
        "Short" => "short",
        "Byte" => "byte",
        "Character" => "char",
        "Float" => "float",
        "Double" => "double",
        "Boolean" => "boolean",
        _ => return None,
    })
}

fn widens(from: &str, to: &str) -> bool {
    let place = |name: &str| NUMBERS.iter().position(|number| *number == name);
    match (place(from), place(to)) {
        (Some(from), Some(to)) => from < to,
        (None, Some(to)) => from == "char" && to >= 2,
        _ => false,
    }
}

/// Whether values of one type of the language are values of another.
fn is_above(from: &str, to: &str) -> bool {
    match to {
        "Object" => true,
        "Number" => matches!(from, "Integer" | "Long" | "Short" | "Byte" | "Float" | "Double"),
        "CharSequence" => matches!(from, "String" | "StringBuilder" | "StringBuffer"),
        "Comparable" | "Serializable" => from == "String" || unboxed(from).is_some(),
        "Exception" => from == "RuntimeException" || from.ends_with("Exception"),
        "Throwable" => from.ends_with("Exception") || from.ends_with("Error"),
        "RuntimeException" => matches!(
            from,
            "IllegalArgumentException"
                | "IllegalStateException"
                | "NullPointerException"
                | "UnsupportedOperationException"
                | "IndexOutOfBoundsException"
                | "ArithmeticException"
                | "ClassCastException"
        ),
        "Iterable" | "Collection" => {
            matches!(to, "Iterable") && from == "Collection"
                || from.ends_with("List")
                || from.ends_with("Set")
                || from.ends_with("Queue")
                || from.ends_with("Deque")
        }
        "List" => from.ends_with("List"),
        "Set" => from.ends_with("Set"),
        "Map" => from.ends_with("Map"),
        "Queue" | "Deque" => from.ends_with("Deque") || from.ends_with("Queue"),
        _ => false,
    }
}

/// Types that are not base classes in a program.
fn is_final(name: &str) -> bool {
    name == "String" || unboxed(name).is_some() || boxed(name).is_some()
}

/// What the names of two types say.
pub(super) fn converts(from: &str, to: &str) -> Conversion {
    if from == to {
        return Conversion::Same;
    }
    let (from_array, to_array) = (from.ends_with(']'), to.ends_with(']'));
    if from == NULL {
        return match boxed(to) {
            Some(_) => Conversion::Never,
            None => Conversion::Widened,
        };
    }
    if from.starts_with("->") {
        return if is_final(to) || to_array || to == "Object" || to == "Number" || to == "CharSequence" {
            Conversion::Never
        } else {
            Conversion::Unknown
        };
    }
    // An array of which the source does not say more.
    if from == "Array" && to_array {
        return Conversion::Unknown;
    }
    if from == "Object" {
        return Conversion::Never;
    }
    if to == "Object" {
        return match boxed(from) {
            Some(_) => Conversion::Made,
            None => Conversion::Widened,
        };
    }
    if from_array || to_array {
        let plain = |name: &str| boxed(name.trim_end_matches(['[', ']', ' '])).is_some();
        return match from_array && to_array {
            // Arrays of numbers are of one type each; others follow their elements.
            true if plain(from) || plain(to) => Conversion::Never,
            true => converts(element(from), element(to)),
            false => Conversion::Never,
        };
    }
    if let Some(made) = boxed(from) {
        return match widens(from, to) {
            true => Conversion::Widened,
            false if made == to || is_above(made, to) => Conversion::Made,
            false => Conversion::Never,
        };
    }
    if boxed(to).is_some() {
        return match unboxed(from) {
            Some(made) if made == to || widens(made, to) => Conversion::Made,
            _ => Conversion::Never,
        };
    }
    if is_above(from, to) {
        return Conversion::Widened;
    }
    if is_final(from) || is_final(to) {
        Conversion::Never
    } else {
        Conversion::Unknown
    }
}

fn element(array: &str) -> &str {
    array.strip_suffix("[]").unwrap_or(array).trim_end()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_widen_before_they_are_boxed() {
        assert_eq!(converts("int", "long"), Conversion::Widened);
        assert_eq!(converts("int", "Integer"), Conversion::Made);
        assert_eq!(converts("int", "Object"), Conversion::Made);
        assert_eq!(converts("long", "int"), Conversion::Never);
        assert_eq!(converts("Integer", "double"), Conversion::Made);
        assert_eq!(converts("char", "int"), Conversion::Widened);
        assert_eq!(converts("char", "short"), Conversion::Never);
    }

    #[test]
    fn texts_functions_and_nothing() {
        assert_eq!(converts("String", "CharSequence"), Conversion::Widened);
        assert_eq!(converts("String", "Order"), Conversion::Never);
        assert_eq!(converts("null", "int"), Conversion::Never);
        assert_eq!(converts("null", "Order"), Conversion::Widened);
        assert_eq!(converts("->1", "String"), Conversion::Never);
        assert_eq!(converts("->1", "Function"), Conversion::Unknown);
        assert_eq!(converts("Circle", "Shape"), Conversion::Unknown);
        assert_eq!(converts("int[]", "Object"), Conversion::Widened);
    }
}
