//! The content that was chosen, put together so that all of it stays within the budget.

use std::collections::BTreeSet;

use lore_model::SymbolId;

use super::super::access::LayerNumber;
use super::choose::WITH_SUBSET;
use super::{Edges, Need, Selection, SubsetSymbol};
use lore_seam::{ErrorKind, OpError};

/// What is loaded at most where no budget is given: as much as may be loaded at all.
pub(super) const MOST: u64 = WITH_SUBSET - 1;
/// The limit of the architecture (clause L1).
const ARCHITECTURE: usize = 50 * 1024;
/// Less than this is not an architecture.
const LEAST_ARCHITECTURE: usize = 1024;

/// Properties that say who calls or uses whom.
const EDGES: &[&str] = &[
    "https://narsilmcp.com/ontology/v1#calls",
    "https://narsilmcp.com/ontology/v1#imports",
    "https://codecontextgraph.com/ontology/v1#mayCall",
    "https://codecontextgraph.com/ontology/v1#instantiates",
    "https://codecontextgraph.com/ontology/v1#references",
    "https://codecontextgraph.com/ontology/v1#reads",
    "https://codecontextgraph.com/ontology/v1#tests",
];

/// The result of a query.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct QueryText {
    /// The rows as text.
    pub text: String,
    /// Whether rows were left out.
    pub is_cut: bool,
}

/// What the layers of a repository hold, made when it is asked for.
pub trait LayerContent {
    /// L0.
    fn manifest(&self) -> Result<String, OpError>;

    /// L1, cut by importance to a size.
    fn architecture(&self, max_bytes: usize) -> Result<String, OpError>;

    /// The lines of L2 whose subject is a symbol, without their line ends.
    fn symbol_quads(&self, symbol: SymbolId) -> Result<Vec<String>, OpError>;

    fn symbol_iri(&self, symbol: SymbolId) -> String;

    /// The result of a query over the full detail, cut between rows to a size.
    fn query(&self, sparql: &str, max_bytes: usize) -> Result<QueryText, OpError>;
}

/// One thing that was loaded.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LoadedPart {
    /// The layer it comes from.
    pub layer: LayerNumber,
    /// The need it answers, if it is the result of a query.
    pub need: Option<Need>,
    /// Its content.
    pub text: String,
    /// What was left out of it.
    pub cut: Option<String>,
}

/// All that was loaded.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Loaded {
    /// The parts, in the order of the layers.
    pub parts: Vec<LoadedPart>,
    /// What there was no room for.
    pub left_out: Vec<String>,
    room: usize,
}

impl LoadedPart {
    /// The line above it.
    fn heading(&self) -> String {
        match self.need {
            Some(need) => format!("=== SPARQL: {} ===\n", need.name()),
            None => format!("=== L{}: {} ===\n", self.layer.number(), self.layer.title()),
        }
    }

    /// How many bytes it takes, its heading included.
    pub fn bytes(&self) -> usize {
        let line_end = usize::from(!self.text.ends_with('\n'));
        self.heading().len() + self.text.len() + line_end
    }
}

impl Loaded {
    /// Everything as one text, each part below its heading.
    pub fn text(&self) -> String {
        let mut text = String::new();
        for part in &self.parts {
            text.push_str(&part.heading());
            text.push_str(&part.text);
            if !part.text.ends_with('\n') {
                text.push('\n');
            }
        }
        text
    }

    /// The bytes of that text.
    pub fn bytes(&self) -> usize {
        self.parts.iter().map(LoadedPart::bytes).sum()
    }

    /// What is left for the content of a part, below a heading and with a line end.
    fn room_below(&self, part: &LoadedPart) -> usize {
        self.room.saturating_sub(part.heading().len() + 1)
    }

    /// Takes a part in if there is room for it.
    fn add(&mut self, part: LoadedPart) {
        if part.bytes() <= self.room {
            self.room -= part.bytes();
            self.parts.push(part);
        } else {
            self.left_out.push(format!(
                "no space for {}",
                part.heading().trim_matches(['=', ' ', '\n'])
            ))
        }
    }
}

/// Loads what was chosen, in at most so many bytes. Queries are asked only if `ask` says so.
pub fn load(
    selection: &Selection,
    subset: &[SubsetSymbol],
    content: &dyn LayerContent,
    budget: Option<u64>,
    ask: bool,
) -> Result<Loaded, OpError> {
    let budget = usize::try_from(budget.unwrap_or(MOST)).unwrap_or(usize::MAX);
    let mut loaded = Loaded {
        room: budget,
        ..Loaded::default()
    };
    let blank = |layer: LayerNumber| LoadedPart {
        layer,
        need: None,
        text: String::new(),
        cut: None,
    };
    let asks = ask && !selection.sparql.is_empty();
    for layer in &selection.layers {
        let mut part = blank(*layer);
        match layer {
            LayerNumber::Manifest => {
                part.text = content.manifest()?;
                let needed = part.bytes();
                if needed > budget {
                    let message =
                        format!("a budget of {budget} bytes is too small for the manifest, which takes {needed}");
                    return Err(
                        OpError::new(ErrorKind::Invalid, message).hint("a budget of 2200 bytes is always enough")
                    );
                }
            }
            LayerNumber::Architecture => {
                // What is left is shared with what comes after it.
                let with_index = selection.layers.contains(&LayerNumber::SymbolIndex);
                let room = loaded.room_below(&part) / (1 + usize::from(with_index) + usize::from(asks));
                if room < LEAST_ARCHITECTURE {
                    loaded.left_out.push("no space for L1: architecture".to_owned());
                    continue;
                }
                part.text = content.architecture(room.min(ARCHITECTURE))?;
            }
            LayerNumber::SymbolIndex if subset.is_empty() => {
                loaded
                    .left_out
                    .push("L2 has nothing that the question names".to_owned());
                continue;
            }
            LayerNumber::SymbolIndex => {
                let room = loaded.room_below(&part) / (1 + usize::from(asks));
                (part.text, part.cut) = quads(subset, content, room)?;
            }
            // It is asked and never loaded.
            LayerNumber::FullDetail => continue,
        }
        loaded.add(part);
    }
    let queries = selection.sparql.iter().filter(|_| ask);
    let mut to_ask = selection.sparql.len();
    for query in queries {
        let mut part = LoadedPart {
            need: Some(query.need),
            ..blank(LayerNumber::FullDetail)
        };
        // The queries that are still to be asked share what is left.
        let room = (loaded.room / to_ask.max(1)).saturating_sub(part.heading().len() + 1);
        to_ask -= 1;
        let QueryText { text, is_cut } = content.query(&query.text, room)?;
        part.cut = is_cut.then(|| "further rows were left out".to_owned());
        part.text = text;
        loaded.add(part);
    }
    Ok(loaded)
}

/// The lines of a subset, as many as there is room for, and what was left out.
fn quads(
    subset: &[SubsetSymbol],
    content: &dyn LayerContent,
    room: usize,
) -> Result<(String, Option<String>), OpError> {
    let named = subset.iter().filter(|symbol| symbol.is_named);
    let wants_named = subset.iter().any(|symbol| symbol.edges == Edges::ToNamed);
    let named: BTreeSet<String> = named
        .filter(|_| wants_named)
        .map(|symbol| content.symbol_iri(symbol.id))
        .collect();
    let mut text = String::new();
    for (at, symbol) in subset.iter().enumerate() {
        for line in content.symbol_quads(symbol.id)? {
            if !belongs(&line, symbol.edges, &named) {
                continue;
            }
            if text.len() + line.len() + 1 > room {
                let left = subset.len() - at;
                return Ok((text, Some(format!("{left} of {} symbols were left out", subset.len()))));
            }
            text.push_str(&line);
            text.push('\n');
        }
    }
    Ok((text, None))
}

/// Whether a line belongs to a subset, by the edges that are wanted of its subject.
fn belongs(line: &str, edges: Edges, named: &BTreeSet<String>) -> bool {
    // Neither subject, predicate nor the object of an edge can hold a space.
    let mut terms = line.split(' ').skip(1).map(|term| term.trim_matches(['<', '>']));
    let is_edge = terms.next().is_some_and(|predicate| EDGES.contains(&predicate));
    match edges {
        _ if !is_edge => true,
        Edges::All => true,
        Edges::ToNamed => terms.next().is_some_and(|object| named.contains(object)),
        Edges::None => false,
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Question, select};
    use super::*;

    const SYMBOL: &str = "https://codecontextgraph.com/repo/h/o/n@abcd/sym/";
    const NARSIL: &str = "https://narsilmcp.com/ontology/v1#";

    /// Layers of a repository in which every function `n` calls `0` and `n + 1`.
    struct Fake {
        manifest: usize,
        architecture: usize,
        rows: usize,
    }

    impl LayerContent for Fake {
        fn manifest(&self) -> Result<String, OpError> {
            Ok("m".repeat(self.manifest))
        }

        fn architecture(&self, max_bytes: usize) -> Result<String, OpError> {
            Ok("a".repeat(self.architecture.min(max_bytes)))
        }

        fn symbol_quads(&self, symbol: SymbolId) -> Result<Vec<String>, OpError> {
            let SymbolId(number) = symbol;
            let quad =
                |predicate: &str, object: &str| format!("<{SYMBOL}f{number}> <{NARSIL}{predicate}> {object} <g> .");
            Ok(vec![
                quad("name", &format!("\"f {number}\"")),
                quad("calls", &format!("<{SYMBOL}f0>")),
                quad("calls", &format!("<{SYMBOL}f{}>", number + 1)),
            ])
        }

        fn symbol_iri(&self, symbol: SymbolId) -> String {
            format!("{SYMBOL}f{}", symbol.0)
        }

        fn query(&self, _: &str, max_bytes: usize) -> Result<QueryText, OpError> {
            let rows = self.rows.min(max_bytes / 10);
            Ok(QueryText {
                text: "123456789\n".repeat(rows),
                is_cut: rows < self.rows,
            })
        }
    }

    fn question(needs: &[Need]) -> Question {
        Question {
            needs: needs.iter().copied().collect(),
            ..Question::default()
        }
    }

    fn named(number: u32, edges: Edges) -> SubsetSymbol {
        SubsetSymbol {
            id: SymbolId(number),
            is_named: true,
            edges,
        }
    }

    fn shown(loaded: &Loaded) -> Vec<String> {
        let parts = loaded.parts.iter();
        parts
            .map(|part| format!("{}{}", part.heading().trim_matches(['=', ' ', '\n']), part.text.len()))
            .collect()
    }

    #[test]
    fn q4_what_is_loaded_never_exceeds_the_budget() {
        let subset: Vec<SubsetSymbol> = (0..500).map(|number| named(number, Edges::All)).collect();
        for content in [
            Fake {
                manifest: 2000,
                architecture: 51_200,
                rows: 100_000,
            },
            Fake {
                manifest: 900,
                architecture: 100,
                rows: 0,
            },
        ] {
            for needs in [
                &[][..],
                &[Need::Overview],
                &[Need::Callgraph],
                &[Need::Structure, Need::Symbols],
                &[Need::Security, Need::Source, Need::Dataflow],
            ] {
                for budget in [
                    2_200, 3_000, 10_239, 10_240, 51_199, 51_200, 60_000, 204_799, 204_800, 900_000,
                ] {
                    let selection = select(Some(&question(needs)), Some(budget));
                    let loaded = load(&selection, &subset, &content, Some(budget), true).expect("it can be loaded");
                    assert!(loaded.bytes() as u64 <= budget, "{needs:?} {budget}");
                    assert_eq!(loaded.bytes(), loaded.text().len());
                    assert_eq!(loaded.parts[0].layer, LayerNumber::Manifest);
                }
            }
        }
    }

    #[test]
    fn q4_without_a_budget_nothing_exceeds_what_may_be_loaded() {
        let subset: Vec<SubsetSymbol> = (0..5_000).map(|number| named(number, Edges::All)).collect();
        let content = Fake {
            manifest: 2000,
            architecture: 51_200,
            rows: 0,
        };
        let selection = select(Some(&question(&[Need::Structure, Need::Symbols])), None);
        let loaded = load(&selection, &subset, &content, None, true).expect("it can be loaded");
        assert!(loaded.bytes() < 200 * 1024);
        assert!(loaded.parts[2].cut.is_some());
    }

    #[test]
    fn q4_the_architecture_is_cut_to_what_is_left() {
        let content = Fake {
            manifest: 2000,
            architecture: 51_200,
            rows: 0,
        };
        let selection = select(Some(&question(&[Need::Overview])), Some(20_000));
        let loaded = load(&selection, &[], &content, Some(20_000), true).expect("it can be loaded");
        assert_eq!(shown(&loaded), ["L0: manifest2000", "L1: architecture17952"]);
        assert_eq!(loaded.bytes(), 20_000);
    }

    #[test]
    fn q4_the_architecture_leaves_room_for_the_symbol_index() {
        let subset: Vec<SubsetSymbol> = (0..500).map(|number| named(number, Edges::All)).collect();
        let content = Fake {
            manifest: 2000,
            architecture: 51_200,
            rows: 0,
        };
        let selection = select(None, Some(51_200));
        let loaded = load(&selection, &subset, &content, Some(51_200), true).expect("it can be loaded");
        let [_, architecture, index] = &loaded.parts[..] else {
            panic!("three layers, not {:?}", shown(&loaded));
        };
        assert!(
            (24_000..25_000).contains(&architecture.bytes()),
            "{}",
            architecture.bytes()
        );
        assert!((24_000..25_000).contains(&index.bytes()), "{}", index.bytes());
        assert!(index.text.lines().all(|line| line.ends_with(" .")), "lines are whole");
    }

    #[test]
    fn q4_a_budget_that_does_not_hold_the_manifest_cannot_be_asked() {
        let content = Fake {
            manifest: 2000,
            architecture: 0,
            rows: 0,
        };
        let error = load(&select(None, Some(1_000)), &[], &content, Some(1_000), true).expect_err("it is too small");
        assert_eq!(error.kind, ErrorKind::Invalid);
    }

    #[test]
    fn q4_the_complete_call_graph_is_not_loaded() {
        let complete = Question {
            complete_call_graph: true,
            ..question(&[Need::Callgraph])
        };
        let content = Fake {
            manifest: 2000,
            architecture: 0,
            rows: 0,
        };
        let loaded = load(&select(Some(&complete), None), &[], &content, None, true).expect("it can be loaded");
        assert_eq!(loaded.text(), "");
    }

    #[test]
    fn q4_callers_come_with_their_calls_of_what_is_named_alone() {
        let subset = [
            named(0, Edges::None),
            SubsetSymbol {
                id: SymbolId(7),
                is_named: false,
                edges: Edges::ToNamed,
            },
        ];
        let content = Fake {
            manifest: 10,
            architecture: 0,
            rows: 0,
        };
        let selection = select(Some(&question(&[Need::Callgraph])), None);
        let loaded = load(&selection, &subset, &content, None, true).expect("it can be loaded");
        assert_eq!(
            loaded.text(),
            format!(
                "=== L0: manifest ===
mmmmmmmmmm
=== L2: symbol index ===
<{SYMBOL}f0> <{NARSIL}name> \"f 0\" <g> .
<{SYMBOL}f7> <{NARSIL}name> \"f 7\" <g> .
<{SYMBOL}f7> <{NARSIL}calls> <{SYMBOL}f0> <g> .
"
            )
        );
    }

    #[test]
    fn q4_the_layers_leave_room_for_the_queries() {
        let content = Fake {
            manifest: 1_000,
            architecture: 51_200,
            rows: 5_000,
        };
        let selection = select(Some(&question(&[Need::Overview, Need::Symbols])), Some(30_000));
        let loaded = load(&selection, &[], &content, Some(30_000), true).expect("it can be loaded");
        assert_eq!(
            shown(&loaded),
            ["L0: manifest1000", "L1: architecture14476", "SPARQL: symbols14450"]
        );
    }

    #[test]
    fn q4_queries_share_what_is_left_and_say_when_they_are_cut() {
        let content = Fake {
            manifest: 1_000,
            architecture: 0,
            rows: 5_000,
        };
        let selection = select(Some(&question(&[Need::Security, Need::Source])), Some(21_000));
        let loaded = load(&selection, &[], &content, Some(21_000), true).expect("it can be loaded");
        assert_eq!(
            shown(&loaded),
            ["L0: manifest1000", "SPARQL: security9960", "SPARQL: source9960"]
        );
        assert!(loaded.parts[1..].iter().all(|part| part.cut.is_some()));
        let measured = load(&selection, &[], &content, Some(21_000), false).expect("it can be measured");
        assert_eq!(shown(&measured), ["L0: manifest1000"]);
    }
}
