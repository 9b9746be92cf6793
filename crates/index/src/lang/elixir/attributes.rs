//! Module attributes: documentation, types, callbacks, constants, and what stands before a definition and speaks of it.

use lore_model::{Modifier, Modifiers, SymbolKind, Visibility};

use super::{Head, define, positional};
use crate::extract::{DocStyle, Draft, Draftee, Walker, child_of_kind};
use crate::syntax::Node;

/// The texts that can stand in `@doc`.
const TEXTS: DocStyle = DocStyle {
    line: &[],
    block: &[
        ("~S\"\"\"", "\"\"\""),
        ("~s\"\"\"", "\"\"\""),
        ("~S'''", "'''"),
        ("~s'''", "'''"),
        ("\"\"\"", "\"\"\""),
        ("'''", "'''"),
        ("~S\"", "\""),
        ("~s\"", "\""),
        ("~S(", ")"),
        ("~s(", ")"),
        ("~S|", "|"),
        ("~s|", "|"),
        ("\"", "\""),
    ],
    except: &[],
};

/// Attributes that the language, its test framework and its build tool read: they are no constants of the module.
const RESERVED: &[&str] = &[
    "after_compile",
    "after_verify",
    "before_compile",
    "behaviour",
    "compile",
    "decorate",
    "deprecated",
    "derive",
    "describetag",
    "dialyzer",
    "doc",
    "enforce_keys",
    "external_resource",
    "fallback_to_any",
    "file",
    "impl",
    "moduledoc",
    "moduletag",
    "nifs",
    "on_definition",
    "on_load",
    "optional_callbacks",
    "preferred_cli_env",
    "recursive",
    "requirements",
    "shortdoc",
    "spec",
    "tag",
    "typedoc",
    "undefined_impl_description",
    "vsn",
];

/// The reserved attributes that say something about the function or test below them.
const SPEAKING: &[&str] = &["decorate", "deprecated", "impl", "spec", "tag"];

/// The attributes that stand directly before a definition.
#[derive(Default)]
pub(super) struct Run<'t> {
    pub(super) doc: Option<String>,
    /// Those that speak of the definition, without `@`.
    pub(super) words: Vec<&'t str>,
    /// Where the first that speaks of the definition begins, if one does.
    pub(super) start: Option<usize>,
}

impl Run<'_> {
    /// What the attributes make of a function.
    pub(super) fn modifiers(&self) -> Modifiers {
        let implements = |word: &&&str| word.starts_with("impl") && !word.ends_with("false");
        match self.words.iter().find(implements) {
            Some(_) => Modifiers::default().with(Modifier::Override),
            None => Modifiers::default(),
        }
    }
}

/// Takes the attributes that stand directly before a byte.
pub(super) fn before<'t>(walker: &mut Walker<'t>, byte: usize) -> Run<'t> {
    let mut run = Run::default();
    let waiting = walker.attributes.clone();
    let (texts, _) = walker.take_attributes(byte);
    let first = waiting.len().saturating_sub(texts.len());
    for ((start, _), text) in waiting.into_iter().skip(first).zip(texts) {
        let words = text.trim_start_matches('@');
        let (name, rest) = words.split_at(words.find(|char: char| !is_name(char)).unwrap_or(words.len()));
        match name {
            "doc" | "typedoc" => run.doc = text_of(rest).or(run.doc),
            name if SPEAKING.contains(&name) => {
                run.words.push(words);
                run.start.get_or_insert(start as usize);
            }
            _ => {}
        }
    }
    run
}

fn is_name(char: char) -> bool {
    char.is_alphanumeric() || char == '_'
}

/// Lets a definition begin with the attributes that speak of it.
pub(super) fn begin_at(walker: &mut Walker<'_>, definition: u32, start: Option<usize>) {
    let Some(start) = start else {
        return;
    };
    let line = walker.row_of(start) + 1;
    if let Some(definition) = walker.facts.definitions.get_mut(definition as usize) {
        definition.place.start_byte = (start as u32).into();
        definition.place.start_line = line.into();
    }
}

/// What a literal text says; nothing for `false` and for metadata.
fn text_of(literal: &str) -> Option<String> {
    let literal = literal.trim();
    let literal = match literal.strip_prefix('(').and_then(|inner| inner.strip_suffix(')')) {
        Some(inner) => inner.trim(),
        None => literal,
    };
    TEXTS.read(&[literal])
}

/// The `@moduledoc` in the body of a module.
pub(super) fn module_doc(walker: &Walker<'_>, body: Node<'_>) -> Option<String> {
    body.named_children().find_map(|child| {
        let text = walker.text(child).strip_prefix("@moduledoc")?;
        (child.kind() == "unary_operator").then(|| text_of(text))?
    })
}

/// `@name value`.
pub(super) fn attribute<'t>(walker: &mut Walker<'t>, node: Node<'t>, operand: Node<'t>) {
    let (Some(target), Some(arguments)) = (
        operand
            .child_by_field_name("target")
            .filter(|_| operand.kind() == "call"),
        child_of_kind(operand, &["arguments"]),
    ) else {
        return;
    };
    let name = walker.text(target);
    match name {
        "type" | "opaque" => declare(walker, node, arguments, SymbolKind::TypeAlias, Visibility::Public),
        "typep" => declare(walker, node, arguments, SymbolKind::TypeAlias, Visibility::Private),
        "callback" | "macrocallback" => declare(walker, node, arguments, SymbolKind::Method, Visibility::Public),
        _ => {
            walker
                .attributes
                .push((node.start_byte() as u32, node.end_byte() as u32));
            if !RESERVED.contains(&name) {
                constant(walker, node, target);
            }
        }
    }
}

/// A type or a function that a behaviour asks for.
fn declare<'t>(walker: &mut Walker<'t>, node: Node<'t>, arguments: Node<'t>, kind: SymbolKind, visibility: Visibility) {
    let Some(head) = positional(arguments).next().and_then(|head| Head::of(walker, head)) else {
        return;
    };
    let run = before(walker, node.start_byte());
    let modifiers = match kind {
        SymbolKind::Method => Modifiers::default().with(Modifier::Abstract),
        _ => Modifiers::default(),
    };
    define(
        walker,
        Draft {
            name: Draftee::Named(head.node, head.name),
            doc: run.doc,
            visibility,
            modifiers,
            ..Draft::new(kind, head.node, node)
        },
    );
}

/// A value that the module gives a name to; given a second time, it is the same constant.
fn constant<'t>(walker: &mut Walker<'t>, node: Node<'t>, name: Node<'t>) {
    if walker.enclosing_kind().is_callable() {
        return;
    }
    let text = walker.text(name).to_owned();
    if walker.scope().seen.insert(text) {
        define(
            walker,
            Draft {
                visibility: Visibility::Private,
                ..Draft::new(SymbolKind::Constant, name, node)
            },
        );
    }
}
