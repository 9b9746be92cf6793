//! The names that stand in annotations.

use lore_model::UseKind;

use crate::extract::Walker;
use crate::language::Flow;
use crate::syntax::Node;

/// An annotation, or a part of one: notes the names in it. The parts inside are visited on their own.
pub(super) fn annotation<'t>(walker: &mut Walker<'t>, node: Node<'t>) -> Flow {
    if !is_literal_argument(walker) {
        names(walker, node, true);
    }
    Flow::Descend
}

/// The type arguments of the bases of a class.
pub(super) fn base_arguments<'t>(walker: &mut Walker<'t>, class: Node<'t>, definition: u32) {
    let Some(bases) = class.child_by_field_name("superclasses") else {
        return;
    };
    let generic: Vec<Node<'t>> = bases
        .named_children()
        .filter(|base| base.kind() == "subscript")
        .collect();
    for base in generic {
        let arguments: Vec<Node<'t>> = base.children_by_field_name("subscript").collect();
        for argument in arguments {
            each_name(walker, argument, false, &mut |walker, node, path| {
                walker.note_use_in(definition, node, path, UseKind::TYPE);
            });
        }
    }
}

/// Whether the annotation under the cursor is an argument of `Literal`, which holds values.
fn is_literal_argument(walker: &Walker<'_>) -> bool {
    let mut around = walker.ancestors();
    around.next().is_some_and(|parent| parent.kind() == "type_parameter")
        && around
            .next()
            .and_then(|generic| generic.named_child(0))
            .is_some_and(|head| walker.text(head).rsplit('.').next() == Some("Literal"))
}

fn names<'t>(walker: &mut Walker<'t>, node: Node<'t>, inner_visited: bool) {
    each_name(walker, node, inner_visited, &mut |walker, node, path| {
        walker.note_use(node, path, UseKind::TYPE);
    });
}

/// The names and paths of names below a node; those of a text too, for it may hold a type that is defined further down.
fn each_name<'t>(
    walker: &mut Walker<'t>,
    node: Node<'t>,
    inner_visited: bool,
    found: &mut dyn FnMut(&mut Walker<'t>, Node<'t>, &str),
) {
    let mut waiting = vec![node];
    while let Some(part) = waiting.pop() {
        match part.kind() {
            "type" if inner_visited && part != node => {}
            "identifier" | "attribute" if is_path(walker.text(part)) => {
                let path = walker.text(part);
                found(walker, part, path);
            }
            "string_content" => {
                let text = walker.text(part);
                let is_name = |letter: char| letter.is_alphanumeric() || matches!(letter, '_' | '.');
                for path in text.split(|letter| !is_name(letter)).filter(|path| is_path(path)) {
                    found(walker, part, path);
                }
            }
            // What a keyword is given here is a value.
            "keyword_argument" | "call" => {}
            _ => {
                waiting.extend(part.named_children());
            }
        }
    }
}

/// Whether a text is a name, or names with points between them.
fn is_path(text: &str) -> bool {
    text.split('.').all(|part| {
        !part.is_empty()
            && !part.starts_with(|first: char| first.is_ascii_digit())
            && part.chars().all(|letter| letter.is_alphanumeric() || letter == '_')
    })
}
