//! Direct calls, by lexical scope and imports.

use crate::flow::FlowBuilder;
use crate::flow::plain::outline::{Outline, lower as lower_outline};
use crate::solve::FlowRules;
use crate::syntax::Node;

/// How calls are followed.
pub(super) static RULES: FlowRules = FlowRules {
    lower,
    ..FlowRules::BASE
};

static OUTLINE: Outline = Outline {
    calls: &["list_lit"],
    callee: &["value"],
    separators: &['/'],
    parameters: &["vec_lit"],
    lists_begin_with_parameters: true,
    ..Outline::BASE
};

fn lower<'t>(builder: &mut FlowBuilder<'t, '_>, root: Node<'t>) {
    lower_outline(builder, root, &OUTLINE);
}
