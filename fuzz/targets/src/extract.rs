//! Source code of each language: facts hold together, are bounded by the source, and read back as they were written.

use std::sync::OnceLock;

use lore_index::{LANGUAGES, Language, Role, extract};
use lore_model::{FactsView, FileFacts, NONE, Text};

pub(crate) const MAX_LEN: usize = 16 << 10;
/// Bytes of facts for each byte of source, and for a file of any size.
const FACTS_PER_BYTE: usize = 256;
const FREE_FACTS: usize = 1 << 20;

static CHOSEN: OnceLock<&'static Language> = OnceLock::new();

/// Chooses the language of this process.
pub(crate) fn choose(dialect: &str) {
    if let Some(language) = LANGUAGES.iter().find(|language| language.dialect == dialect) {
        let _ = CHOSEN.set(language);
    }
}

/// Extracts with the language of this process.
pub(crate) fn run_chosen(data: &[u8]) {
    if let Some(language) = CHOSEN.get() {
        run(language, data);
    }
}

pub(crate) fn run(language: &'static Language, data: &[u8]) {
    let Ok(source) = std::str::from_utf8(data) else { return };
    let facts = extract(language, Role::default(), source);
    let bytes = facts.to_bytes();
    assert!(
        bytes.len() <= FREE_FACTS + FACTS_PER_BYTE * source.len(),
        "{} bytes of facts for {} bytes of source",
        bytes.len(),
        source.len()
    );
    let again = FileFacts::from_bytes(&bytes).unwrap_or_else(|error| panic!("facts cannot be read back: {error}"));
    assert!(again == facts, "facts read back as they were written");
    let slots_fit = FactsView::from_bytes(&bytes).is_ok_and(|view| view.slots_fit(source.len() as u64));
    assert!(slots_fit, "slots are bounded by the source");
    let is_text = |text: Text| text.is_empty() || !facts.text.get(text).is_empty();
    for definition in &facts.definitions {
        assert!(is_text(definition.name) && is_text(definition.signature) && is_text(definition.doc));
        let place = definition.place;
        assert!(place.start_byte <= place.end_byte && place.end_byte.get() as usize <= source.len());
        assert!(1 <= place.start_line.get() && place.start_line <= place.end_line);
    }
    for import in &facts.imports {
        assert!(import.scope.get() == NONE || (import.scope.get() as usize) < facts.definitions.len());
    }
}
