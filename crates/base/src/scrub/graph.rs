//! A graph as it may be published: e-mail addresses, secrets and paths of machines are taken out of names, declarations, decorators and
//! documentation, each when it is read.
//!
//! Paths of files stay: the files are read by them.

use std::borrow::Cow;
use std::collections::HashMap;
use std::sync::{Arc, OnceLock};

use lore_model::{CodeGraph, Filtered, FilteredText, Symbol, SymbolId, TextFilter};

use super::unique_names::UniqueNames;
use super::{SHORTEST_TOKEN, Scrubber, Wording};

/// Owners of a symbol that are asked for their names.
const MOST_OWNERS: usize = 64;

/// The graph with scrubbed texts. A text is scrubbed when it is first read.
pub fn scrubbed(graph: &Arc<CodeGraph>, scrubber: &Scrubber) -> Arc<CodeGraph> {
    let texts = Texts {
        graph: Arc::clone(graph),
        scrubber: scrubber.clone(),
        qualified: OnceLock::new(),
        externals: OnceLock::new(),
    };
    Arc::new(graph.with_filter(TextFilter::new(move |text| texts.filtered(text))))
}

/// The texts of a graph, and what becomes of those that have to be unique.
struct Texts {
    graph: Arc<CodeGraph>,
    scrubber: Scrubber,
    qualified: OnceLock<HashMap<SymbolId, Arc<str>>>,
    externals: OnceLock<HashMap<u32, Arc<str>>>,
}

impl Texts {
    /// The replacement of a text; `None` if scrubbing does not change it.
    fn filtered(&self, text: FilteredText) -> Filtered {
        let one = |text: Option<Arc<str>>| text.map(|text| Box::from([text]));
        let symbol = |id| self.graph.symbol(id);
        match text {
            FilteredText::Name(id) => one(self.changed(symbol(id).name(), Wording::of_name(symbol(id).name()))),
            FilteredText::QualifiedName(id) => one(self.qualified(id)),
            FilteredText::Signature(id) => {
                let wording = Wording::of_language(symbol(id).file().language());
                one(self.changed(symbol(id).signature(), wording))
            }
            FilteredText::Doc(id) => one(self.changed(symbol(id).doc(), Wording::Prose)),
            FilteredText::Decorators(id) => {
                let mut is_changed = false;
                let decorators = symbol(id).decorators().map(|text| {
                    let clean = self.changed(text, Wording::Code);
                    is_changed |= clean.is_some();
                    clean.unwrap_or_else(|| text.into())
                });
                let decorators = decorators.collect();
                is_changed.then_some(decorators)
            }
            FilteredText::External(number) => one(self.external(number)),
        }
    }

    /// A text that scrubbing changes.
    fn changed(&self, text: &str, wording: Wording) -> Option<Arc<str>> {
        match self.scrubber.clone().scrub(text, wording) {
            Cow::Borrowed(_) => None,
            Cow::Owned(clean) => Some(clean.into()),
        }
    }

    /// A qualified name, unique in the graph. That a name loses nothing is seen from this name alone; to number one that does, all are looked at
    /// once.
    fn qualified(&self, id: SymbolId) -> Option<Arc<str>> {
        clean_qualified(self.graph.symbol(id), &mut self.scrubber.clone())?;
        let all = self.qualified.get_or_init(|| {
            let mut scrubber = self.scrubber.clone();
            let mut unique = UniqueNames::default();
            let mut changed = Vec::new();
            for symbol in self.graph.symbols() {
                match clean_qualified(symbol, &mut scrubber) {
                    Some(clean) => changed.push((symbol.id(), clean)),
                    None => note(&mut unique, &symbol.qualified_name()),
                }
            }
            let numbered = changed.into_iter().map(|(id, clean)| (id, unique.once(clean).into()));
            numbered.collect()
        });
        all.get(&id).cloned()
    }

    /// The name of something outside, unique among those.
    fn external(&self, number: u32) -> Option<Arc<str>> {
        self.changed(self.graph.external(number), Wording::Name)?;
        let all = self.externals.get_or_init(|| {
            let mut unique = UniqueNames::default();
            let mut changed = Vec::new();
            for number in 0..self.graph.external_count() as u32 {
                let name = self.graph.external(number);
                match self.changed(name, Wording::Name) {
                    Some(clean) => changed.push((number, clean.to_string())),
                    None => note(&mut unique, name),
                }
            }
            let numbered = changed
                .into_iter()
                .map(|(number, clean)| (number, unique.once(clean).into()));
            numbered.collect()
        });
        all.get(&number).cloned()
    }
}

/// Takes note of a name that stays, if it could be what becomes of another one: all of those hold a mark.
fn note(unique: &mut UniqueNames, name: &str) {
    if name.contains('[') {
        unique.note(name);
    }
}

/// A qualified name without what its parts lose, each by itself: the names of its owners, and the directories of its file. Joined by points, an address and
/// what follows it are no address any more. Nothing if it loses nothing. What is taken out of names is counted with them.
pub fn clean_qualified(symbol: Symbol<'_>, scrubber: &mut Scrubber) -> Option<String> {
    let counted = scrubber.scrubbed;
    let qualified = symbol.qualified_name();
    let mut clean: Option<String> = None;
    let mut take_out = |part: &str, scrubber: &mut Scrubber| {
        if let Cow::Owned(instead) = scrubber.scrub(part, Wording::of_name(part)) {
            clean = Some(clean.as_deref().unwrap_or(&qualified).replace(part, &instead));
        }
    };
    let mut next = Some(symbol);
    for _ in 0..MOST_OWNERS {
        let Some(owner) = next else { break };
        take_out(owner.name(), scrubber);
        next = owner.parent();
    }
    let path = symbol.file().path();
    let (directories, file) = path.rsplit_once('/').unwrap_or(("", path));
    let stem = file.rsplit_once('.').map_or(file, |(stem, _)| stem);
    for part in directories.split('/').chain([stem]) {
        take_out(part, scrubber);
    }
    let whole = clean.as_deref().unwrap_or(&qualified);
    if may_join_to_any(whole)
        && let Cow::Owned(whole) = scrubber.scrub(whole, Wording::of_name(whole))
    {
        clean = Some(whole);
    }
    scrubber.scrubbed = counted;
    clean
}

/// Whether the parts of a qualified name may together hold what none of them holds. Nearly every name is let go here: points, which join the parts of
/// all names, do not make a token.
fn may_join_to_any(name: &str) -> bool {
    let is_sign = |byte: u8| matches!(byte, b'@' | b'\\' | b'/' | b'=' | b'%' | b' ');
    let is_joint = |byte: &u8| !(byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-'));
    name.bytes().any(is_sign) || name.as_bytes().split(is_joint).any(|run| run.len() >= SHORTEST_TOKEN)
}
