//! `match` and its patterns.

use super::definitions::member_name;
use super::expressions::{children, expression, plain_string};
use super::statements::{alias_of, statements};
use super::types::dotted;
use super::{Builder, line};
use crate::extract::{child_of_kind, children_of_kind};
use crate::flow::Slot;
use crate::syntax::Node;

pub(super) fn match_statement<'t>(builder: &mut Builder<'t, '_>, node: Node<'t>) {
    let subject = node
        .child_by_field_name("subject")
        .map(|subject| expression(builder, subject));
    let cases =
        child_of_kind(node, &["block"]).map_or_else(Vec::new, |block| children_of_kind(block, &["case_clause"]));
    let before = builder.environment();
    let mut ways = vec![before.clone()];
    for case in cases {
        builder.restore(&before);
        for pattern in children_of_kind(case, &["case_pattern"]) {
            match_pattern(builder, pattern, subject);
        }
        if let Some(guard) = case.child_by_field_name("guard").and_then(|guard| guard.named_child(0)) {
            expression(builder, guard);
        }
        if let Some(body) = case.child_by_field_name("consequence") {
            statements(builder, body);
        }
        ways.push(builder.environment());
    }
    builder.join(&ways);
}

/// Binds the names of a pattern to the parts of a value.
pub(super) fn match_pattern<'t>(builder: &mut Builder<'t, '_>, pattern: Node<'t>, subject: Option<Slot>) {
    if !builder.enter() {
        builder.leave();
        return;
    }
    bind_pattern(builder, pattern, subject);
    builder.leave();
}

pub(super) fn bind_pattern<'t>(builder: &mut Builder<'t, '_>, pattern: Node<'t>, subject: Option<Slot>) {
    let at = line(pattern);
    match pattern.kind() {
        "case_pattern" => {
            if let Some(inner) = pattern.named_child(0) {
                match_pattern(builder, inner, subject);
            }
        }
        "dotted_name" | "identifier" => {
            let text = builder.text(pattern);
            if !text.contains('.') && text != "_" {
                let value = subject.unwrap_or_else(|| builder.slot());
                builder.write(text, value);
            }
        }
        "as_pattern" => {
            let mut inner = pattern.named_child(0);
            while let Some(found) = inner.filter(|found| found.kind() == "case_pattern") {
                inner = found.named_child(0);
            }
            let bound = builder.slot();
            match inner.filter(|inner| inner.kind() == "class_pattern") {
                Some(class) => {
                    if let Some(class) = class.named_child(0) {
                        let class = dotted(builder, class);
                        builder.hint(bound, class);
                    }
                    match_pattern(builder, class, Some(bound));
                }
                None => {
                    if let Some(subject) = subject {
                        builder.copy(bound, subject);
                    }
                    if let Some(inner) = inner {
                        match_pattern(builder, inner, subject);
                    }
                }
            }
            let alias =
                alias_of(pattern).or_else(|| pattern.named_child(1).filter(|alias| alias.kind() == "identifier"));
            if let Some(alias) = alias {
                let name = builder.text(alias);
                builder.write(name, bound);
            }
        }
        "list_pattern" | "tuple_pattern" => {
            for (place, part) in children(pattern).into_iter().enumerate() {
                let value = subject.map(|subject| {
                    let by_key = builder.load_key(subject, Some(&place.to_string()), at);
                    let by_iteration = builder.iterate_unkeyed(subject, at);
                    let value = builder.slot();
                    builder.copy(value, by_key);
                    builder.copy(value, by_iteration);
                    value
                });
                match_pattern(builder, part, value);
            }
        }
        "dict_pattern" => {
            let mut key = None;
            for part in children(pattern) {
                if part.kind() == "string" {
                    key = plain_string(builder, part).map(|text| format!("'{text}"));
                    continue;
                }
                let value = subject.map(|subject| builder.load_key(subject, key.as_deref(), at));
                match_pattern(builder, part, value);
                key = None;
            }
        }
        "class_pattern" => {
            let class = pattern.named_child(0).map(|class| dotted(builder, class));
            let bound = builder.slot();
            if let Some(class) = class {
                builder.hint(bound, class);
            }
            for part in children(pattern).into_iter().skip(1) {
                let part = match part.kind() {
                    "case_pattern" => part.named_child(0).unwrap_or(part),
                    _ => part,
                };
                match (part.kind(), part.named_child(0), part.named_child(1)) {
                    ("keyword_pattern", Some(name), Some(inner)) => {
                        let name = member_name(builder, name);
                        let value = builder.load(bound, &name, at);
                        match_pattern(builder, inner, Some(value));
                    }
                    _ => match_pattern(builder, part, None),
                }
            }
        }
        "union_pattern" => {
            for part in children(pattern) {
                match_pattern(builder, part, subject);
            }
        }
        "splat_pattern" => {
            let value = subject.map(|subject| {
                let rest = builder.allocate("list", at);
                let element = builder.iterate(subject, at);
                builder.store_key(rest, None, element, at);
                rest
            });
            if let Some(inner) = pattern.named_child(0) {
                match_pattern(builder, inner, value);
            }
        }
        _ => {}
    }
}
