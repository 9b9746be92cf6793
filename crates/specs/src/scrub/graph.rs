//! A graph as it may be published: e-mail addresses, secrets and paths of machines are taken out of names, declarations, decorators and
//! documentation.
//!
//! Paths of files stay: the files are read by them.

use std::borrow::Cow;
use std::collections::HashSet;
use std::sync::Arc;

use lore_model::{CodeGraph, Symbol, SymbolTexts};

use super::{Scrubbed, Scrubber, Wording};

/// Owners of a symbol that are asked for their names.
const MOST_OWNERS: usize = 64;

/// The graph with scrubbed texts, and what was taken out. A graph with nothing to take out is returned as it is.
pub fn scrubbed(graph: &Arc<CodeGraph>, scrubber: &Scrubber) -> (Arc<CodeGraph>, Scrubbed) {
    let mut scrubber = scrubber.clone();
    let mut overlay = graph.overlay().cloned().unwrap_or_default();
    let mut given = HashSet::new();
    for symbol in graph.symbols() {
        let texts = texts_of(symbol, &mut scrubber, &mut given);
        if !texts.is_empty() {
            let known = overlay.symbols.entry(symbol.id()).or_default();
            known.name = texts.name.or(known.name.take());
            known.qualified_name = texts.qualified_name.or(known.qualified_name.take());
            known.signature = texts.signature.or(known.signature.take());
            known.doc = texts.doc.or(known.doc.take());
            known.decorators = texts.decorators.or(known.decorators.take());
        }
    }
    for number in 0..graph.external_count() as u32 {
        if let Cow::Owned(clean) = scrubber.scrub(graph.external(number), Wording::Name) {
            overlay.externals.insert(number, once(&mut given, clean).into());
        }
    }
    match scrubber.scrubbed.total() {
        0 => (Arc::clone(graph), scrubber.scrubbed),
        _ => (Arc::new(graph.with_overlay(overlay)), scrubber.scrubbed),
    }
}

/// The texts of a symbol that scrubbing changes.
fn texts_of(symbol: Symbol<'_>, scrubber: &mut Scrubber, given: &mut HashSet<String>) -> SymbolTexts {
    let changed = |text: Cow<'_, str>| match text {
        Cow::Borrowed(_) => None,
        Cow::Owned(clean) => Some(Arc::from(clean)),
    };
    let language = symbol.file().language();
    let name = changed(scrubber.scrub(symbol.name(), Wording::of_name(symbol.name())));
    let decorators: Vec<Cow<'_, str>> = symbol
        .decorators()
        .map(|decorator| scrubber.scrub(decorator, Wording::Code))
        .collect();
    let is_changed = decorators.iter().any(|text| matches!(text, Cow::Owned(_)));
    SymbolTexts {
        name,
        qualified_name: qualified(symbol, scrubber).map(|clean| once(given, clean).into()),
        signature: changed(scrubber.scrub(symbol.signature(), Wording::of_language(language))),
        doc: changed(scrubber.scrub(symbol.doc(), Wording::Prose)),
        decorators: is_changed.then(|| decorators.iter().map(|text| Arc::from(text.as_ref())).collect()),
        unresolved: None,
    }
}

/// A qualified name without what the names of its owners lose; nothing if it loses nothing. What is taken out was counted with them.
fn qualified(symbol: Symbol<'_>, scrubber: &mut Scrubber) -> Option<String> {
    let counted = scrubber.scrubbed;
    let mut clean: Option<String> = None;
    let mut next = Some(symbol);
    for _ in 0..MOST_OWNERS {
        let Some(owner) = next else { break };
        if let Cow::Owned(name) = scrubber.scrub(owner.name(), Wording::of_name(owner.name())) {
            let whole = clean.as_deref().unwrap_or_else(|| symbol.qualified_name());
            clean = Some(whole.replace(owner.name(), &name));
        }
        next = owner.parent();
    }
    let whole = clean.as_deref().unwrap_or_else(|| symbol.qualified_name());
    if let Cow::Owned(whole) = scrubber.scrub(whole, Wording::of_name(whole)) {
        clean = Some(whole);
    }
    scrubber.scrubbed = counted;
    clean
}

/// A text that was not given before: the second that asks for one is numbered, as two definitions of a name are.
fn once(given: &mut HashSet<String>, text: String) -> String {
    let mut unique = text.clone();
    let mut number = 2_u32;
    while !given.insert(unique.clone()) {
        unique = format!("{text}#{number}");
        number += 1;
    }
    unique
}
