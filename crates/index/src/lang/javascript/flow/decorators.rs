//! Decorators, of the standard and of the kind that came before it: what they are given and what comes of it.

use lore_model::FlowFlags;

use crate::extract::children_of_kind;
use crate::flow::{Argument, Slot};
use crate::syntax::Node;

use super::expressions::expression;
use super::{Builder, children, line};

/// The decorators of a node, evaluated, in source order.
pub(super) fn decorators<'t>(builder: &mut Builder<'t, '_>, node: Node<'t>) -> Vec<(Slot, u32)> {
    children_of_kind(node, &["decorator"])
        .into_iter()
        .filter_map(|decorator| Some((decorator.named_child(0)?, line(decorator))))
        .map(|(decorator, at)| (expression(builder, decorator), at))
        .collect()
}

/// What a class is after its decorators; the last is applied first.
pub(super) fn decorated_class(builder: &mut Builder<'_, '_>, class: Slot, decorators: &[(Slot, u32)]) -> Slot {
    let mut value = class;
    for (decorator, at) in decorators.iter().rev() {
        let context = builder.allocate("__Context", *at);
        let arguments = [Argument::Plain(value), Argument::Plain(context)];
        let result = builder.call(*decorator, &arguments, *at, FlowFlags::DECORATOR);
        let decorated = builder.slot();
        builder.copy(decorated, result);
        // A decorator that gives nothing leaves the class as it is.
        builder.hint_value(decorated, value);
        value = decorated;
    }
    value
}

/// What a member is after its decorators. One of the standard is given the member and says what replaces it; one of the older kind is given
/// what the instances have in common, the name and a descriptor whose value it may replace.
pub(super) fn decorated_member(
    builder: &mut Builder<'_, '_>,
    class: Slot,
    name: &str,
    member: Slot,
    decorators: &[(Slot, u32)],
) -> Slot {
    let mut value = member;
    for (decorator, at) in decorators.iter().rev() {
        let first = builder.slot();
        builder.copy(first, value);
        let common = builder.load(class, "prototype", *at);
        builder.copy(first, common);
        let second = builder.allocate("__Context", *at);
        let known = builder.slot();
        builder.spell(known, name);
        builder.store(second, "name", known, *at);
        let either = builder.slot();
        builder.copy(either, second);
        builder.copy(either, known);
        let descriptor = builder.allocate("__Descriptor", *at);
        builder.store(descriptor, "original", value, *at);
        let arguments = [
            Argument::Plain(first),
            Argument::Plain(either),
            Argument::Plain(descriptor),
        ];
        let result = builder.call(*decorator, &arguments, *at, FlowFlags::DECORATOR);
        let decorated = builder.slot();
        let descriptors = builder.global("__Descriptor");
        let replaced = builder.narrow(result, descriptors, true);
        builder.copy(decorated, replaced);
        let swapped = builder.load(descriptor, "swapped", *at);
        builder.copy(decorated, swapped);
        builder.hint_value(decorated, value);
        value = decorated;
    }
    value
}

/// The decorators of the parameters of a method run where the class is made.
pub(super) fn parameter_decorators<'t>(builder: &mut Builder<'t, '_>, method: Node<'t>, class: Slot) {
    let Some(list) = method.child_by_field_name("parameters") else {
        return;
    };
    for parameter in children(list) {
        for (decorator, at) in decorators(builder, parameter) {
            builder.call(decorator, &[Argument::Plain(class)], at, 0);
        }
    }
}
