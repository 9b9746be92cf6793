//! What stands between the word of a definition and its body: name, metadata, docstring, parameters.

use lore_model::{Modifier, Modifiers, Visibility};

use super::{forms, symbol};
use crate::extract::{DocStyle, Walker};
use crate::syntax::Node;

/// A text in quotes.
const TEXT: DocStyle = DocStyle {
    line: &[],
    block: &[("\"", "\"")],
    except: &[],
};

/// The head of a definition.
pub(super) struct Head<'t> {
    pub(super) name: Node<'t>,
    pub(super) doc: Option<String>,
    pub(super) visibility: Visibility,
    pub(super) is_dynamic: bool,
    is_constant: bool,
    /// The forms after the name, docstring and attributes.
    pub(super) rest: Vec<Node<'t>>,
    /// The vectors of parameters, one for each number of them.
    pub(super) parameters: Vec<Node<'t>>,
    /// What no signature shows.
    docs: Vec<Node<'t>>,
    /// The lists around the parameters where there are several.
    bodies: Vec<Node<'t>>,
}

impl<'t> Head<'t> {
    /// Reads a list that defines a symbol.
    pub(super) fn of(walker: &Walker<'t>, node: Node<'t>) -> Option<Self> {
        let mut forms = forms(node).into_iter().skip(1);
        let named = forms.next()?;
        let mut head = Self {
            name: symbol(named)?,
            doc: None,
            visibility: if is_private_word(walker, node) {
                Visibility::Private
            } else {
                Visibility::Public
            },
            is_dynamic: false,
            is_constant: false,
            rest: forms.collect(),
            parameters: Vec::new(),
            docs: Vec::new(),
            bodies: Vec::new(),
        };
        let metadata: Vec<Node<'t>> = named
            .children_by_field_name("meta")
            .filter_map(|meta| meta.child_by_field_name("value"))
            .collect();
        for meta in metadata {
            head.read_metadata(walker, meta);
        }
        head.read_docstring(walker);
        head.read_parameters(walker);
        Some(head)
    }

    /// `^:private`, `^{:doc "…"}` and the map of attributes after the name.
    fn read_metadata(&mut self, walker: &Walker<'t>, meta: Node<'t>) {
        let pairs: Vec<(&str, Option<Node<'t>>)> = match meta.kind() {
            "kwd_lit" => vec![(walker.text(meta), None)],
            "map_lit" => forms(meta)
                .chunks(2)
                .filter_map(|pair| Some((walker.text(*pair.first()?), pair.get(1).copied())))
                .collect(),
            _ => return,
        };
        for (key, value) in pairs {
            let holds = value.is_none_or(|value| walker.text(value) != "false");
            match key {
                ":private" if holds => self.visibility = Visibility::Private,
                ":dynamic" => self.is_dynamic = holds,
                ":const" => self.is_constant = holds,
                ":doc" => {
                    if let Some(value) = value {
                        self.doc = docstring(walker, value).or(self.doc.take());
                        self.docs.push(meta);
                    }
                }
                _ => {}
            }
        }
    }

    fn read_docstring(&mut self, walker: &Walker<'t>) {
        // `:- Type` may come before it.
        let at = match self.rest.first() {
            Some(first) if walker.text(*first) == ":-" => 2,
            _ => 0,
        };
        // A text alone is the value.
        if let Some(text) = self.take(at, "str_lit") {
            self.doc = docstring(walker, text).or(self.doc.take());
            self.docs.push(text);
        }
        if let Some(map) = self.take(at, "map_lit") {
            self.read_metadata(walker, map);
            self.docs.push(map);
        }
    }

    /// Takes a form of a kind out of the rest, unless it is the last.
    fn take(&mut self, at: usize, kind: &str) -> Option<Node<'t>> {
        let is_last = self.rest.len() <= at + 1;
        self.rest.get(at).filter(|form| form.kind() == kind && !is_last)?;
        Some(self.rest.remove(at))
    }

    fn read_parameters(&mut self, walker: &Walker<'t>) {
        let mut is_type = false;
        for form in &self.rest {
            match form.kind() {
                // `:- Type` says what comes out.
                _ if std::mem::take(&mut is_type) => {}
                "kwd_lit" => is_type = walker.text(*form) == ":-",
                "vec_lit" => {
                    self.parameters.push(*form);
                    return;
                }
                "list_lit" => match form
                    .child_by_field_name("value")
                    .filter(|first| first.kind() == "vec_lit")
                {
                    Some(parameters) => {
                        self.parameters.push(parameters);
                        self.bodies.push(*form);
                    }
                    None => return,
                },
                _ => return,
            }
        }
    }

    /// Where the signature ends; what is no part of it is left out.
    pub(super) fn sign(&self, walker: &mut Walker<'t>) -> usize {
        self.leave_out_docs(walker);
        for (at, (body, parameters)) in self.bodies.iter().zip(&self.parameters).enumerate() {
            walker.leave_unsigned(body.start_byte(), parameters.start_byte());
            if at + 1 < self.bodies.len() {
                walker.leave_unsigned(parameters.end_byte(), body.end_byte());
            }
        }
        self.parameters
            .last()
            .map_or(self.name.end_byte(), |last| last.end_byte())
    }

    /// Keeps docstrings and attributes out of the signature.
    pub(super) fn leave_out_docs(&self, walker: &mut Walker<'t>) {
        for doc in &self.docs {
            let is_metadata = doc.start_byte() < self.name.start_byte();
            let start = doc.start_byte() - usize::from(is_metadata);
            walker.leave_unsigned(start, doc.end_byte());
        }
    }

    pub(super) fn modifiers(&self) -> Modifiers {
        if self.is_constant {
            Modifiers::default().with(Modifier::Const)
        } else {
            Modifiers::default()
        }
    }
}

/// Whether the word itself says that what it defines is private: `defn-`.
fn is_private_word(walker: &Walker<'_>, node: Node<'_>) -> bool {
    let word = node.child_by_field_name("value").and_then(symbol);
    word.is_some_and(|word| walker.text(word).ends_with('-'))
}

/// What a text says.
pub(super) fn docstring(walker: &Walker<'_>, text: Node<'_>) -> Option<String> {
    let doc = TEXT.read(&[walker.text(text)])?;
    Some(doc.replace("\\\"", "\""))
}
