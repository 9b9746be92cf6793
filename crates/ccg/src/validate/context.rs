//! Which keys of a document JSON-LD expansion keeps (clause LX). Processors drop what they do not know without a word, so that an
//! expansion that succeeds proves nothing; this walks the document by the terms of its context instead.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use serde_json::Value;

use lore_base::json::Pointer;

/// The context of every document, which is never fetched.
pub(super) const CONTEXT_URL: &str = "https://codecontextgraph.com/schema/v1";
/// What is behind it.
pub(super) const CONTEXT: &str = include_str!("../../../../schemas/ccg/context.jsonld");

static KNOWN: LazyLock<Terms> = LazyLock::new(|| {
    let document: Value = serde_json::from_str(CONTEXT).unwrap_or_default();
    let mut terms = Terms::default();
    terms.read(&document["@context"]);
    terms
});

/// The words of a context.
#[derive(Debug, Default)]
pub(super) struct Terms {
    terms: BTreeMap<String, Term>,
    has_vocabulary: Option<bool>,
    /// Whether it forgets what was known before.
    is_fresh: bool,
}

/// What a context says of a word.
#[derive(Debug, Default)]
struct Term {
    /// What it means; nothing if it is to be forgotten.
    id: Option<String>,
    /// Whether the keys of its value are an index, not words.
    is_map: bool,
    /// Whether its value is JSON of any form.
    is_json: bool,
    /// What is known within its value only.
    scoped: Option<Terms>,
}

/// The contexts that hold somewhere, the innermost first.
pub(super) struct Active<'a> {
    terms: &'a Terms,
    outer: Option<&'a Active<'a>>,
}

impl Terms {
    /// Reads a context: an address, an object, or several of them. What is behind an address that is not known could keep every key;
    /// that it is not known is told by the expansion.
    pub(super) fn read(&mut self, context: &Value) {
        match context {
            Value::Array(contexts) => contexts.iter().for_each(|context| self.read(context)),
            Value::Object(words) => {
                for (word, definition) in words {
                    self.define(word, definition);
                }
            }
            Value::String(url) if url != CONTEXT_URL => self.has_vocabulary = Some(true),
            Value::Null => {
                *self = Self {
                    is_fresh: true,
                    ..Self::default()
                };
            }
            _ => {}
        }
    }

    fn define(&mut self, word: &str, definition: &Value) {
        if word == "@vocab" {
            self.has_vocabulary = Some(definition.is_string());
            return;
        }
        if word.starts_with('@') {
            return;
        }
        let mut term = Term::default();
        match definition {
            Value::String(id) => term.id = Some(id.clone()),
            Value::Object(fields) => {
                let text = |key: &str| fields.get(key).and_then(Value::as_str);
                term.id = match fields.get("@id").or(fields.get("@reverse")) {
                    Some(id) => id.as_str().map(str::to_owned),
                    None => Some(word.to_owned()),
                };
                term.is_json = text("@type") == Some("@json");
                let containers = match fields.get("@container") {
                    Some(Value::String(one)) => vec![one.as_str()],
                    Some(Value::Array(several)) => several.iter().filter_map(Value::as_str).collect(),
                    _ => Vec::new(),
                };
                let map = |container: &&str| matches!(*container, "@index" | "@language" | "@id" | "@type");
                term.is_map = containers.iter().any(map);
                term.scoped = fields.get("@context").map(|context| {
                    let mut terms = Self::default();
                    terms.read(context);
                    terms
                });
            }
            _ => {}
        }
        self.terms.insert(word.to_owned(), term);
    }

    /// Whether a context names the one that is known.
    fn names_known(context: &Value) -> bool {
        match context {
            Value::String(url) => url == CONTEXT_URL,
            Value::Array(contexts) => contexts.iter().any(Self::names_known),
            _ => false,
        }
    }
}

impl Active<'_> {
    fn find(&self, word: &str) -> Option<&Term> {
        match self.terms.terms.get(word) {
            Some(term) => Some(term),
            None if self.terms.is_fresh => None,
            None => self.outer?.find(word),
        }
    }

    fn has_vocabulary(&self) -> bool {
        match (self.terms.has_vocabulary, self.outer) {
            (Some(has), _) => has,
            (None, Some(outer)) if !self.terms.is_fresh => outer.has_vocabulary(),
            _ => false,
        }
    }

    /// Whether a key that is not a word of the context is kept all the same.
    fn keeps(&self, key: &str) -> bool {
        match key.split_once(':') {
            Some(("_", _)) => true,
            Some((prefix, _)) => {
                let is_known = self.find(prefix).is_some_and(|term| term.id.is_some());
                is_known || oxiri::Iri::parse(key).is_ok()
            }
            None => self.has_vocabulary(),
        }
    }
}

/// Calls `drops` with the place of everything that expansion drops, and why.
pub(super) fn dropped(document: &Value, drops: &mut dyn FnMut(String, &'static str)) {
    let empty = Terms::default();
    let outermost = Active {
        terms: &empty,
        outer: None,
    };
    walk(document, &outermost, &Pointer::Root, drops);
}

fn walk(value: &Value, active: &Active<'_>, place: &Pointer<'_>, drops: &mut dyn FnMut(String, &'static str)) {
    match value {
        Value::Array(items) => {
            for (at, item) in items.iter().enumerate() {
                walk(item, active, &Pointer::Item(place, at), drops);
            }
        }
        Value::Object(fields) => {
            let Some(context) = fields.get("@context") else {
                return walk_fields(fields, active, place, drops);
            };
            let known = Active {
                terms: &KNOWN,
                outer: Some(active),
            };
            let outer = if Terms::names_known(context) { &known } else { active };
            let mut terms = Terms::default();
            terms.read(context);
            let inner = Active {
                terms: &terms,
                outer: Some(outer),
            };
            walk_fields(fields, &inner, place, drops);
        }
        _ => {}
    }
}

fn walk_fields(
    fields: &serde_json::Map<String, Value>,
    active: &Active<'_>,
    place: &Pointer<'_>,
    drops: &mut dyn FnMut(String, &'static str),
) {
    for (key, value) in fields {
        let here = Pointer::Key(place, key);
        if key == "@context" {
            continue;
        }
        if key.starts_with('@') {
            if is_keyword(key) {
                walk(value, active, &here, drops)
            } else {
                drops(here.to_string(), "not a keyword of JSON-LD")
            }
            continue;
        }
        let term = active.find(key);
        let is_kept = match term {
            Some(term) => term.id.is_some(),
            None => active.keeps(key),
        };
        if !is_kept {
            drops(here.to_string(), "not a term of the context");
            continue;
        }
        if value.is_null() {
            drops(here.to_string(), "null is not a value");
            continue;
        }
        let Some(term) = term else {
            walk(value, active, &here, drops);
            continue;
        };
        if term.is_json {
            continue;
        }
        let scoped = term.scoped.as_ref().map(|terms| Active {
            terms,
            outer: Some(active),
        });
        let inner = scoped.as_ref().unwrap_or(active);
        match value {
            Value::Object(entries) if term.is_map => {
                for (index, entry) in entries {
                    walk(entry, inner, &Pointer::Key(&here, index), drops);
                }
            }
            value => walk(value, inner, &here, drops),
        }
    }
}

fn is_keyword(key: &str) -> bool {
    matches!(
        key,
        "@id"
            | "@type"
            | "@value"
            | "@language"
            | "@direction"
            | "@index"
            | "@list"
            | "@set"
            | "@graph"
            | "@included"
            | "@nest"
            | "@reverse"
    )
}
