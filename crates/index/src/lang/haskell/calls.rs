//! Tests of hspec and tasty, which are calls: `it "…" $ …`, `testCase "…" $ …`, `describe "…" $ …`.

use lore_model::SymbolKind;

use crate::extract::{Draft, Draftee, Walker, child_of_kind};
use crate::language::Flow;
use crate::syntax::Node;

/// `it "…" $ …`.
pub(super) fn infix<'t>(walker: &mut Walker<'t>, node: Node<'t>) -> Flow {
    let is_application = node
        .child_by_field_name("operator")
        .is_some_and(|operator| walker.text(operator) == "$");
    if walker.role.test
        && is_application
        && let Some(call) = node.child_by_field_name("left_operand")
    {
        named_call(walker, node, call);
    }
    Flow::Descend
}

/// `testProperty "…" property`, `it "…" do …`.
pub(super) fn apply<'t>(walker: &mut Walker<'t>, node: Node<'t>) -> Flow {
    if walker.role.test
        && let Some(call) = node.child_by_field_name("function")
    {
        named_call(walker, node, call);
    }
    Flow::Descend
}

/// Records a call of a function that tests are written with, with a text as its first argument.
fn named_call<'t>(walker: &mut Walker<'t>, node: Node<'t>, call: Node<'t>) {
    let (Some(function), Some(argument)) = (
        call.child_by_field_name("function"),
        call.child_by_field_name("argument"),
    ) else {
        return;
    };
    let kind = match walker.text(function) {
        "it" | "specify" | "prop" | "testCase" | "testCaseSteps" | "testProperty" | "goldenVsString" => {
            SymbolKind::Test
        }
        "describe" | "context" | "testGroup" => SymbolKind::Namespace,
        _ => return,
    };
    let Some(text) = child_of_kind(argument, &["string"]) else {
        return;
    };
    let definition = walker.define(Draft {
        name: Draftee::Named(text, walker.text(text).trim_matches('"')),
        signature: (node.start_byte(), call.end_byte()),
        ..Draft::new(kind, text, node)
    });
    walker.open(definition);
}
