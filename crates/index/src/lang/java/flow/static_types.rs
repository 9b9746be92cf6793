//! The static types of expressions in the source, which select between overloaded methods.

use super::conversions::NULL;
use super::scopes::Found;
use super::{Lowering, children, first_child};
use crate::syntax::Node;

/// How deep an expression is looked into.
const MAX_DEPTH: u32 = 8;

/// By number of parameters: what a lambda is passed as.
const FUNCTIONS: [&str; 6] = ["->0", "->1", "->2", "->3", "->4", "->5"];

impl<'t> Lowering<'t, '_, '_> {
    /// The name of the type of an expression, where the source says it.
    pub(super) fn static_type(&self, node: Node<'t>) -> Option<&'t str> {
        self.type_at(node, 0)
    }

    fn type_at(&self, node: Node<'t>, depth: u32) -> Option<&'t str> {
        if depth > MAX_DEPTH {
            return None;
        }
        let field = |name: &str| node.child_by_field_name(name);
        match node.kind() {
            "string_literal" => Some("String"),
            "character_literal" => Some("char"),
            "true" | "false" | "instanceof_expression" => Some("boolean"),
            "null_literal" => Some(NULL),
            "decimal_integer_literal" | "hex_integer_literal" | "octal_integer_literal" | "binary_integer_literal" => {
                Some(if self.builder.text(node).ends_with(['l', 'L']) {
                    "long"
                } else {
                    "int"
                })
            }
            "decimal_floating_point_literal" | "hex_floating_point_literal" => {
                Some(if self.builder.text(node).ends_with(['f', 'F']) {
                    "float"
                } else {
                    "double"
                })
            }
            "class_literal" => Some("Class"),
            "parenthesized_expression" => self.type_at(first_child(node)?, depth + 1),
            "cast_expression" => self.type_name(field("type")?),
            "object_creation_expression" => self.type_name(field("type")?),
            "this" => self
                .classes
                .last()
                .map(|class| class.name)
                .filter(|name| !name.is_empty()),
            "identifier" => match self.find(self.builder.text(node)) {
                Found::Local(declared) => declared,
                Found::Field(_, found) => self.type_name(found.declared?),
                Found::Nothing => None,
            },
            "field_access" => {
                let object = field("object")?;
                let name = self.builder.text(field("field")?);
                match object.kind() {
                    "this" => {
                        let class = self.classes.last()?;
                        self.type_name(class.fields.get(name)?.declared?)
                    }
                    _ if name == "length" => Some("int"),
                    _ => None,
                }
            }
            "array_access" => {
                let array = self.type_at(field("array")?, depth + 1)?;
                array.strip_suffix("[]")
            }
            "array_creation_expression" => {
                let element = self.type_name(field("type")?)?;
                let dimensions = field("dimensions").map_or("", |part| self.builder.text(part));
                array_name(element, dimensions)
            }
            "method_invocation" => self.result_at(node, depth),
            "lambda_expression" => {
                let parameters = field("parameters")?;
                let count = match parameters.kind() {
                    "identifier" => 1,
                    _ => children(parameters).len(),
                };
                FUNCTIONS.get(count).copied()
            }
            "ternary_expression" => {
                let one = self.type_at(field("consequence")?, depth + 1)?;
                let other = self.type_at(field("alternative")?, depth + 1)?;
                match (one, other) {
                    (one, NULL) => Some(one),
                    (NULL, other) => Some(other),
                    (one, other) => (one == other).then_some(one),
                }
            }
            "assignment_expression" => self.type_at(field("left")?, depth + 1),
            "unary_expression" => match field("operator")?.kind() {
                "!" => Some("boolean"),
                _ => self.type_at(field("operand")?, depth + 1).map(promoted),
            },
            "update_expression" => self.type_at(first_child(node)?, depth + 1),
            "binary_expression" => self.operation_at(node, depth),
            _ => None,
        }
    }

    fn operation_at(&self, node: Node<'t>, depth: u32) -> Option<&'t str> {
        let operator = node.child_by_field_name("operator")?.kind();
        if matches!(operator, "==" | "!=" | "<" | ">" | "<=" | ">=" | "&&" | "||") {
            return Some("boolean");
        }
        let left = self.type_at(node.child_by_field_name("left")?, depth + 1);
        let right = self.type_at(node.child_by_field_name("right")?, depth + 1);
        if operator == "+" && (left == Some("String") || right == Some("String")) {
            return Some("String");
        }
        // An operation with an unknown operand usually gives the type of the other operand.
        let (left, right) = match (left, right, operator) {
            (Some(left), Some(right), _) => (left, right),
            (Some(known), None, "-" | "*" | "/" | "%") | (None, Some(known), "-" | "*" | "/" | "%") => (known, known),
            _ => return None,
        };
        if matches!(operator, "<<" | ">>" | ">>>") {
            return Some(promoted(left));
        }
        for wide in ["double", "float", "long"] {
            if [left, right].iter().any(|name| promoted(name) == wide) {
                return Some(wide);
            }
        }
        if left == "boolean" {
            Some("boolean")
        } else {
            (promoted(left) == "int" && promoted(right) == "int").then_some("int")
        }
    }

    /// What a method of the classes around gives, and the ones of texts that everybody uses.
    fn result_at(&self, node: Node<'t>, depth: u32) -> Option<&'t str> {
        let name = self.builder.text(node.child_by_field_name("name")?);
        match node.child_by_field_name("object") {
            None => {
                let depth = self.find_method(name)?;
                self.classes[depth].methods.get(name)?.result
            }
            Some(object) if object.kind() == "this" => self.classes.last()?.methods.get(name)?.result,
            Some(object) => {
                let class = self.builder.text(object);
                let known = self.classes.iter().rev().find(|scope| scope.name == class);
                if let Some(known) = known.filter(|_| object.kind() == "identifier") {
                    return known.methods.get(name)?.result;
                }
                match (class, name) {
                    (
                        "Integer" | "Long" | "Short" | "Byte" | "Double" | "Float" | "Boolean" | "Character",
                        "valueOf",
                    )
                    | ("String", _) => return Some(class),
                    ("Integer", "parseInt") => return Some("int"),
                    ("Long", "parseLong") => return Some("long"),
                    ("Double", "parseDouble") => return Some("double"),
                    ("Boolean", "parseBoolean") => return Some("boolean"),
                    _ => {}
                }
                if self.type_at(object, depth + 1) != Some("String") {
                    return None;
                }
                match name {
                    "length" | "hashCode" | "indexOf" | "lastIndexOf" | "compareTo" => Some("int"),
                    "charAt" => Some("char"),
                    "equals" | "isEmpty" | "isBlank" | "contains" | "startsWith" | "endsWith" => Some("boolean"),
                    "trim" | "strip" | "substring" | "toUpperCase" | "toLowerCase" | "replace" | "concat"
                    | "toString" => Some("String"),
                    _ => None,
                }
            }
        }
    }
}

/// The type in which a number is reckoned with.
fn promoted(name: &str) -> &str {
    match name {
        "byte" | "short" | "char" | "Byte" | "Short" | "Character" | "Integer" | "int" => "int",
        "Long" => "long",
        "Float" => "float",
        "Double" => "double",
        name => name,
    }
}

/// The name of an array of common types.
pub(super) fn array_name(element: &str, dimensions: &str) -> Option<&'static str> {
    if dimensions.matches('[').count() != 1 {
        return None;
    }
    Some(match element {
        "int" => "int[]",
        "long" => "long[]",
        "double" => "double[]",
        "byte" => "byte[]",
        "char" => "char[]",
        "boolean" => "boolean[]",
        "short" => "short[]",
        "float" => "float[]",
        "String" => "String[]",
        "Object" => "Object[]",
        "Integer" => "Integer[]",
        "Long" => "Long[]",
        "Double" => "Double[]",
        "Float" => "Float[]",
        "Short" => "Short[]",
        "Byte" => "Byte[]",
        "Character" => "Character[]",
        "Boolean" => "Boolean[]",
        "Class" => "Class[]",
        _ => return None,
    })
}
