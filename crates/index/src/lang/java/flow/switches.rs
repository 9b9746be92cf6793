//! `switch`, as a statement and as an expression.

use crate::extract::children_of_kind;
use crate::flow::{Environment, Slot};
use crate::syntax::Node;

use super::{Lowering, children};

/// The label of switches that `yield` leaves.
pub(super) const SWITCH: &str = "<switch>";

impl<'t> Lowering<'t, '_, '_> {
    pub(super) fn switch(&mut self, node: Node<'t>) -> Slot {
        let result = self.builder.slot();
        let value = match node.child_by_field_name("condition") {
            Some(condition) => self.expression(condition),
            None => self.builder.slot(),
        };
        let Some(body) = node.child_by_field_name("body") else {
            return result;
        };
        let groups = children_of_kind(body, &["switch_rule", "switch_block_statement_group"]);
        let is_statement = node
            .parent()
            .is_none_or(|parent| matches!(parent.kind(), "block" | "expression_statement" | "constructor_body"));
        // A switch is left by `break` or `yield`, as a loop is.
        if !is_statement {
            self.builder.label_next(SWITCH);
        }
        self.builder.begin_loop(0..0);
        self.yields.push(result);
        let before = self.builder.environment();
        let mut has_default = false;
        let mut fallen: Option<Environment> = None;
        let mut exits = Vec::new();
        self.in_block(|lowering| {
            for group in groups {
                let known = lowering.entries.len();
                lowering.builder.restore(&before);
                let parts = children(group);
                let labels = parts.iter().take_while(|part| part.kind() == "switch_label");
                let count = labels.clone().count();
                for label in labels {
                    has_default |= lowering.label(*label, value);
                }
                let mut ways = vec![lowering.builder.environment()];
                ways.extend(fallen.take());
                lowering.builder.join(&ways);
                for part in &parts[count..] {
                    if lowering.builder.is_dead() {
                        break;
                    }
                    lowering.part(*part, group.kind() == "switch_rule", result);
                }
                match group.kind() {
                    "switch_rule" => {
                        exits.push(lowering.builder.environment());
                        lowering.entries.truncate(known);
                    }
                    _ => fallen = Some(lowering.builder.environment()),
                }
            }
        });
        exits.extend(fallen);
        if !has_default {
            exits.push(before);
        }
        self.builder.join(&exits);
        self.yields.pop();
        self.builder.end_switch();
        result
    }

    /// The part after an arrow or a label.
    fn part(&mut self, part: Node<'t>, is_rule: bool, result: Slot) {
        if is_rule && part.kind() == "expression_statement" {
            if let Some(value) = children(part).first() {
                let value = self.expression(*value);
                self.builder.copy(result, value);
            }
            return;
        }
        self.statement(part);
    }

    /// The patterns and guards of a label. Returns whether the label matches everything.
    fn label(&mut self, label: Node<'t>, value: Slot) -> bool {
        let parts = children(label);
        for part in &parts {
            match part.kind() {
                "pattern" | "type_pattern" | "record_pattern" => self.pattern(*part, value),
                "guard" => {
                    for condition in children(*part) {
                        self.expression(condition);
                    }
                }
                // Members of the enumeration, and literals.
                "identifier" => {}
                _ => {
                    self.expression(*part);
                }
            }
        }
        let last = label.child_count().checked_sub(1).and_then(|last| label.child(last));
        parts.is_empty() || last.is_some_and(|last| self.builder.text(last) == "default")
    }
}
