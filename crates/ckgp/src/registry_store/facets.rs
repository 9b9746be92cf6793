//! The keys by which entries are filtered, counted and searched, the same for every store (section 8; clause A6).

use std::collections::{BTreeMap, BTreeSet};

use super::entry::Entry;
use super::status::Status;
use super::store::{Filter, Got};
use crate::format::FormatId;
use lore_seam::{ErrorKind, OpError};

/// Words of a question that are looked for; what follows is not.
const MOST_WORDS: usize = 32;

/// What can be searched of a graph, the best first.
pub const SEARCHED: [&str; 4] = ["name", "about", "languages", "symbols"];

/// What of an entry is filtered and counted. Sums and languages are those of its primary graph, as long as that is `ok`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Facets {
    /// How the primary graph is.
    pub status: Status,
    /// The owner, in small letters.
    pub owner: String,
    /// All graphs, in order.
    pub graphs: Vec<GraphFacets>,
    /// The words about it, in small letters.
    pub tags: BTreeSet<String>,
    /// Its languages, in small letters.
    pub languages: BTreeSet<String>,
    /// Nodes.
    pub nodes: u64,
    /// Edges.
    pub edges: u64,
    /// Kinds of nodes, and how many of each.
    pub kinds: BTreeMap<String, u64>,
}

/// What of a graph is looked up.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct GraphFacets {
    /// Its format.
    pub format: Option<FormatId>,
    /// How it is.
    pub status: Status,
    /// The body that is held for it.
    pub held: Option<String>,
}

impl Facets {
    /// The facets of an entry, which has a graph.
    pub fn of(entry: &Entry) -> Got<Self> {
        if entry.graphs.is_empty() {
            let message = format!("{} is kept with a graph", entry.repository);
            return Err(OpError::new(ErrorKind::Internal, message));
        }
        let primary = entry.primary();
        let stats = primary.shown_stats();
        let mut kinds: BTreeMap<String, u64> = BTreeMap::new();
        for (kind, number) in stats.into_iter().flat_map(|stats| &stats.top_kinds) {
            let sum = kinds.entry(kind.clone()).or_default();
            *sum = sum.saturating_add(*number);
        }
        let graphs = entry.graphs.iter().map(|graph| GraphFacets {
            format: graph.format.clone(),
            status: graph.status,
            held: graph.last_sha.clone().filter(|_| !graph.status.is_at_rest()),
        });
        let languages = stats.into_iter().flat_map(|stats| &stats.languages);
        Ok(Self {
            status: primary.status,
            owner: entry.repository.owner().to_lowercase(),
            graphs: graphs.collect(),
            tags: entry.tags().iter().map(|tag| tag.to_lowercase()).collect(),
            languages: languages.map(|language| language.to_lowercase()).collect(),
            nodes: stats.map_or(0, |stats| stats.nodes),
            edges: stats.map_or(0, |stats| stats.edges),
            kinds,
        })
    }

    /// Whether a filter takes it.
    pub fn matches(&self, filter: &Filter) -> bool {
        let is_in = |wanted: &Option<String>, words: &BTreeSet<String>| {
            wanted
                .as_ref()
                .is_none_or(|wanted| words.contains(&wanted.to_lowercase()))
        };
        filter.status.is_none_or(|status| self.status == status)
            && !filter.not.contains(&self.status)
            && filter
                .owner
                .as_ref()
                .is_none_or(|owner| self.owner == owner.to_lowercase())
            && (filter.format.is_none() || self.graphs.iter().any(|graph| graph.format == filter.format))
            && filter.format_name.as_ref().is_none_or(|wanted| {
                let mut formats = self.graphs.iter().filter_map(|graph| graph.format.as_ref());
                formats.any(|format| format.name() == wanted)
            })
            && is_in(&filter.tag, &self.tags)
            && is_in(&filter.language, &self.languages)
    }
}

/// The words of a text: the runs between ASCII characters that are neither letters nor digits.
pub fn words_of(text: &str) -> impl Iterator<Item = &str> {
    let is_between = |letter: char| letter.is_ascii() && !letter.is_ascii_alphanumeric();
    text.split(is_between).filter(|word| !word.is_empty())
}

/// The words of a query, in lower case and without duplicates. All other characters are ignored.
pub fn asked_words(words: &[String]) -> Vec<String> {
    let mut asked: Vec<String> = Vec::new();
    for word in words {
        let small = word.to_lowercase();
        for word in words_of(&small) {
            if asked.len() < MOST_WORDS && !asked.iter().any(|known| known == word) {
                asked.push(word.to_owned());
            }
        }
    }
    asked
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a6_a_question_is_its_words_and_nothing_else() {
        let asked = |text: &str| asked_words(&text.split(' ').map(str::to_owned).collect::<Vec<_>>()).join(" ");
        assert_eq!(asked("Get_User get \"a\"* NEAR(b,2)"), "get user a near b 2");
        assert_eq!(asked("Größe  -^*\" : {name}"), "größe name");
        assert_eq!(asked("\"\" * ^"), "");
        let many: Vec<String> = (0..100).map(|number| format!("w{number}")).collect();
        assert_eq!(asked_words(&many).len(), MOST_WORDS);
    }
}
