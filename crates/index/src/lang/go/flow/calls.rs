//! Calls: of functions, of what the language itself defines, and of types.

use lore_model::{FlowFlags, NONE};

use crate::flow::{Argument, Slot};
use crate::syntax::Node;

use super::expressions::{expression, spelled};
use super::functions::TYPE_PARAMETERS;
use super::types::{declare_type, is_basic, plain_type, type_arguments, type_value, zero};
use super::{Builder, children, line, named};

/// Results that a call gives to the call that it is the only argument of.
const PASSED_ON: usize = 3;

/// A call with several results. The last result of an external callee is a value of a built-in class, if one is
/// named.
pub(super) fn call<'t>(builder: &mut Builder<'t, '_>, node: Node<'t>, count: usize, class: &'static str) -> Vec<Slot> {
    let count = count.max(1);
    let one = |builder: &mut Builder<'t, '_>, slot: Slot| {
        let mut slots = vec![slot];
        slots.resize_with(count, || builder.slot());
        slots
    };
    if node.kind() == "type_conversion_expression" {
        let (Some(declared), Some(operand)) = (node.child_by_field_name("type"), node.child_by_field_name("operand"))
        else {
            return one(builder, 0);
        };
        // A call with one argument of a function whose types are given looks like this, too.
        if declared.kind() == "generic_type" {
            let mut callee = match type_value(builder, declared) {
                Some(callee) => callee,
                None => builder.slot(),
            };
            let types = declared.child_by_field_name("type_arguments");
            // And so does a call of an element: a function whose types are given is its own element.
            if let Some([only]) = types.map(children).as_deref()
                && let Some(key) = type_value(builder, *only)
            {
                callee = builder.load_key_of(callee, key, line(node));
            }
            return call_of(builder, node, callee, types, &[operand], count, class);
        }
        let value = expression(builder, operand);
        let to = builder.slot();
        builder.copy(to, value);
        declare_type(builder, to, declared);
        return one(builder, to);
    }
    let Some(function) = node.child_by_field_name("function") else {
        return one(builder, 0);
    };
    let arguments = node.child_by_field_name("arguments").map_or_else(Vec::new, children);
    let types = node.child_by_field_name("type_arguments");
    if function.kind() == "identifier" {
        let name = builder.text(function);
        if !builder.is_declared(name) {
            if is_basic(name) {
                let value = match arguments.first() {
                    Some(argument) => spelled(builder, *argument),
                    None => builder.slot(),
                };
                return one(builder, value);
            }
            if let Some(value) = of_language(builder, node, name, &arguments) {
                return one(builder, value);
            }
        } else if builder.hidden_types.contains(name) && arguments.len() == 1 {
            // A type parameter: the value stays what it is.
            let value = expression(builder, arguments[0]);
            let class = named(builder, name);
            let to = builder.slot();
            builder.copy(to, value);
            builder.hint_named(to, class, 0);
            return one(builder, to);
        }
    }
    let callee = match function.kind() {
        // The callee of a call is not a use of a variable.
        "identifier" => {
            let name = builder.text(function);
            named(builder, name)
        }
        _ => expression(builder, function),
    };
    let types = types.or_else(|| match function.kind() {
        // `f[T]()`, or an element that is called.
        "index_expression" => function.child_by_field_name("index"),
        _ => function.child_by_field_name("type_arguments"),
    });
    call_of(builder, node, callee, types, &arguments, count, class)
}

fn call_of<'t>(
    builder: &mut Builder<'t, '_>,
    node: Node<'t>,
    callee: Slot,
    types: Option<Node<'t>>,
    arguments: &[Node<'t>],
    count: usize,
    class: &'static str,
) -> Vec<Slot> {
    let mut passed: Vec<Argument<'t>> = Vec::with_capacity(arguments.len() + count);
    match arguments {
        // One call may give all arguments of another.
        [only] if matches!(only.kind(), "call_expression") => {
            let slots = call(builder, *only, PASSED_ON, "");
            passed.extend(slots.into_iter().map(Argument::Plain));
        }
        _ => {
            for argument in arguments {
                match argument.kind() {
                    "variadic_argument" => {
                        let value = expression(builder, *argument);
                        passed.push(Argument::Spread(value));
                    }
                    _ => {
                        let value = spelled(builder, *argument);
                        passed.push(Argument::Plain(value));
                    }
                }
            }
        }
    }
    if let Some(types) = types {
        let types = match types.kind() {
            "type_arguments" => children(types),
            _ => vec![types],
        };
        for (name, declared) in TYPE_PARAMETERS.iter().zip(types) {
            let class = match declared.kind() {
                "selector_expression" => Some(expression(builder, declared)),
                _ => type_value(builder, declared),
            };
            if let Some(class) = class {
                passed.push(Argument::Named(name, class));
            }
        }
    }
    if count == 1 && !class.is_empty() {
        passed.push(Argument::Result(class, NONE));
    }
    let mut further = Vec::with_capacity(count);
    for at in 1..count {
        let slot = builder.slot();
        further.push(slot);
        passed.push(Argument::Result(if at + 1 == count { class } else { "" }, slot));
    }
    let first = builder.call(callee, &passed, line(callee_line(node)), 0);
    let mut slots = vec![first];
    slots.extend(further);
    slots
}

/// The line of a call is that of the called name. In a chain this is not the first line.
fn callee_line(node: Node<'_>) -> Node<'_> {
    let Some(function) = node.child_by_field_name("function") else {
        return node;
    };
    match function.kind() {
        "selector_expression" => function.child_by_field_name("field").unwrap_or(node),
        _ => node,
    }
}

/// A builtin of the language; `None` if the name is not one.
fn of_language<'t>(
    builder: &mut Builder<'t, '_>,
    node: Node<'t>,
    name: &'t str,
    arguments: &[Node<'t>],
) -> Option<Slot> {
    let at = line(node);
    let result = match name {
        "append" => {
            let list = match arguments.first() {
                Some(list) => expression(builder, *list),
                None => builder.slot(),
            };
            for argument in arguments.iter().skip(1) {
                let value = spelled(builder, *argument);
                let element = match argument.kind() {
                    "variadic_argument" => builder.load_key(value, None, at),
                    _ => value,
                };
                builder.store_key(list, None, element, at);
            }
            list
        }
        "copy" => {
            let values: Vec<Slot> = arguments.iter().map(|part| expression(builder, *part)).collect();
            if let [to, from] = values[..] {
                let element = builder.load_key(from, None, at);
                builder.store_key(to, None, element, at);
            }
            builder.slot()
        }
        "make" | "new" => {
            for argument in arguments.iter().skip(1) {
                expression(builder, *argument);
            }
            match arguments.first() {
                Some(declared) => made(builder, *declared),
                None => builder.slot(),
            }
        }
        "panic" => {
            for argument in arguments {
                expression(builder, *argument);
            }
            let callee = named(builder, name);
            builder.call(callee, &[], at, FlowFlags::IMPLICIT);
            builder.stop();
            return Some(builder.slot());
        }
        "len" | "cap" | "delete" | "close" | "recover" | "print" | "println" | "complex" | "real" | "imag" | "min"
        | "max" | "clear" => {
            // Another file of the package may define a function of that name.
            let mut passed = Vec::with_capacity(arguments.len());
            for argument in arguments {
                passed.push(Argument::Plain(expression(builder, *argument)));
            }
            let callee = named(builder, name);
            return Some(builder.call(callee, &passed, at, FlowFlags::IMPLICIT));
        }
        _ => return None,
    };
    let callee = named(builder, name);
    builder.call(callee, &[], at, FlowFlags::IMPLICIT);
    Some(result)
}

/// A new value of a type.
fn made<'t>(builder: &mut Builder<'t, '_>, declared: Node<'t>) -> Slot {
    let inner = plain_type(declared);
    let class = match inner.kind() {
        "identifier" | "selector_expression" => Some(expression(builder, inner)),
        "type_identifier" | "qualified_type" | "generic_type" => type_value(builder, inner),
        _ => return zero(builder, inner),
    };
    let Some(class) = class else {
        return builder.slot();
    };
    let flags = match inner.kind() {
        "generic_type" => FlowFlags::OWN,
        _ => 0,
    };
    let made = builder.make(class, line(declared), flags);
    if inner.kind() == "generic_type" {
        type_arguments(builder, made, inner);
    }
    made
}
