//! The choice itself, a pure function of a question and a budget.

use std::collections::BTreeSet;

use schemars::JsonSchema;
use serde::Serialize;

use super::super::access::LayerNumber;
use super::queries::queries;
use super::{Need, Question};

/// Below this many bytes only L0 is loaded (§7.3).
pub(super) const MANIFEST_ONLY: u64 = 10 * 1024;
/// Below this many, L0 and L1.
pub(super) const WITH_ARCHITECTURE: u64 = 50 * 1024;
/// Below this many, L0, L1 and a subset of L2. From here on it is SPARQL.
pub(super) const WITH_SUBSET: u64 = 200 * 1024;

/// What is done to answer.
#[derive(Serialize, JsonSchema, Clone, Copy, PartialEq, Eq, Debug)]
#[serde(rename_all = "snake_case")]
pub enum Strategy {
    /// Load the manifest alone.
    Manifest,
    /// Load the manifest and the architecture.
    Architecture,
    /// Load a subset of the symbol index too.
    Subset,
    /// Ask by SPARQL.
    Sparql,
    /// Load nothing: it is for looking at, not for reading.
    Viewer,
}

impl Strategy {
    /// What it means, in a few words.
    pub fn title(self) -> &'static str {
        match self {
            Self::Manifest => "load only the manifest",
            Self::Architecture => "load the manifest and the architecture",
            Self::Subset => "load a subset of the symbol index",
            Self::Sparql => "ask by SPARQL",
            Self::Viewer => "load nothing",
        }
    }
}

/// A query that answers a need
#[derive(Serialize, JsonSchema, Clone, PartialEq, Eq, Debug)]
pub struct Query {
    /// The need
    pub need: Need,
    /// The template that finds the same
    #[serde(skip_serializing_if = "Option::is_none")]
    pub template: Option<String>,
    /// Its parameters, each as NAME=VALUE
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub parameters: Vec<String>,
    /// The query
    pub text: String,
}

/// Which layers, or which queries, answer a question within a budget.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Selection {
    /// What is done.
    pub strategy: Strategy,
    /// The layers to load, from the least detailed on. L2 is never loaded whole, but for what the question names.
    pub layers: Vec<LayerNumber>,
    /// The queries to run.
    pub sparql: Vec<Query>,
    /// Needs that the budget does not allow to answer.
    pub unmet: BTreeSet<Need>,
    /// What to use instead of loading anything.
    pub instead: Vec<&'static str>,
    /// The reasons.
    pub why: Vec<String>,
}

/// The rows of §7.3.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Row {
    Manifest,
    Architecture,
    Subset,
    Sparql,
}

impl Row {
    fn of(budget: u64) -> Self {
        match budget {
            budget if budget < MANIFEST_ONLY => Self::Manifest,
            budget if budget < WITH_ARCHITECTURE => Self::Architecture,
            budget if budget < WITH_SUBSET => Self::Subset,
            _ => Self::Sparql,
        }
    }

    fn why(self) -> &'static str {
        match self {
            Self::Manifest => "with a budget below 10 KB, only L0 is loaded",
            Self::Architecture => "with a budget below 50 KB, L0 and L1 are loaded",
            Self::Subset => "with a budget below 200 KB, L0, L1 and a subset of L2 are loaded",
            Self::Sparql => "from 200 KB on, SPARQL queries answer, and their results are returned",
        }
    }
}

/// Chooses by the tables. Without a budget the question decides alone, without a question the budget does.
pub fn select(question: Option<&Question>, budget: Option<u64>) -> Selection {
    let row = budget.map(Row::of);
    let mut chosen = Selection {
        strategy: Strategy::Manifest,
        layers: vec![LayerNumber::Manifest],
        sparql: Vec::new(),
        unmet: BTreeSet::new(),
        instead: Vec::new(),
        why: Vec::new(),
    };
    match question {
        None => by_budget(row, &mut chosen),
        Some(question) => by_needs(question, row, &mut chosen),
    }
    chosen
}

fn by_budget(row: Option<Row>, chosen: &mut Selection) {
    let row = row.unwrap_or(Row::Manifest);
    chosen.why.push(row.why().to_owned());
    if row == Row::Sparql {
        chosen.strategy = Strategy::Sparql;
        chosen
            .why
            .push("without a question, Lore cannot propose a query".to_owned());
        return;
    }
    if row >= Row::Architecture {
        chosen.strategy = Strategy::Architecture;
        chosen.layers.push(LayerNumber::Architecture);
    }
    if row >= Row::Subset {
        chosen.strategy = Strategy::Subset;
        chosen.layers.push(LayerNumber::SymbolIndex);
    }
}

fn by_needs(question: &Question, row: Option<Row>, chosen: &mut Selection) {
    if question.complete_call_graph {
        chosen.strategy = Strategy::Viewer;
        chosen.layers.clear();
        chosen.instead = vec!["lore calls", "lore deps --format mermaid"];
        let why = "the complete call graph does not fit into a context: look at a diagram";
        chosen.why.push(why.to_owned());
        return;
    }
    let named = |pick: fn(Need) -> bool| -> Vec<&'static str> {
        let needs = question.needs.iter().copied().filter(|need| pick(*need));
        needs.map(Need::name).collect()
    };
    let architecture = named(Need::is_of_architecture);
    let index = named(Need::is_of_symbol_index);
    let detail = named(Need::is_of_full_detail);
    if question.needs.is_empty() {
        chosen.why.push("counts and summaries are in L0".to_owned());
        return;
    }
    chosen.why.push("L0 is always loaded".to_owned());
    let row_allows = |least: Row| row.is_none_or(|row| row >= least);
    if !row_allows(Row::Architecture) {
        chosen.unmet = question.needs.clone();
        chosen.why.push(Row::Manifest.why().to_owned());
        return;
    }
    if !detail.is_empty() || row == Some(Row::Sparql) {
        chosen.strategy = Strategy::Sparql;
        chosen.sparql = queries(question, |_| true);
        chosen.why.push(if detail.is_empty() {
            Row::Sparql.why().to_owned()
        } else {
            format!("{} is in L3, which is queried and never loaded", detail.join(" and "))
        });
        return;
    }
    if !architecture.is_empty() {
        chosen.strategy = Strategy::Architecture;
        chosen.layers.push(LayerNumber::Architecture);
        chosen.why.push(format!("L1 for {}", architecture.join(" and ")));
    }
    if !index.is_empty() && row_allows(Row::Subset) {
        chosen.strategy = Strategy::Subset;
        chosen.layers.push(LayerNumber::SymbolIndex);
        chosen.why.push(format!("a subset of L2 for {}", index.join(" and ")));
    } else if !index.is_empty() {
        chosen.strategy = Strategy::Sparql;
        chosen.sparql = queries(question, Need::is_of_symbol_index);
        chosen.why.push(Row::Architecture.why().to_owned());
        chosen.why.push(format!(
            "a query for {}, because L2 may not be loaded",
            index.join(" and ")
        ));
    }
}

#[cfg(test)]
mod tests {
    use super::super::classify;
    use super::*;

    const KB: u64 = 1024;

    fn needs(needs: &[Need]) -> Question {
        Question {
            needs: needs.iter().copied().collect(),
            ..Question::default()
        }
    }

    /// The layers and the needs that are asked for, such as `L0 L1 ?callgraph`.
    fn shown(selection: &Selection) -> String {
        let layers = selection.layers.iter().map(|layer| format!("L{}", layer.number()));
        let queries = selection.sparql.iter().map(|query| format!("?{}", query.need.name()));
        let unmet = selection.unmet.iter().map(|need| format!("-{}", need.name()));
        layers.chain(queries).chain(unmet).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn q4_the_questions_of_the_text_get_the_layers_of_their_rows() {
        for (question, layers, strategy) in [
            ("What does this codebase do?", "L0 L1", Strategy::Architecture),
            (
                "List the modules and their dependencies",
                "L0 L1",
                Strategy::Architecture,
            ),
            ("Find all functions that call X", "L0 L2", Strategy::Subset),
            ("What is the signature of function Y?", "L0 L2", Strategy::Subset),
            ("Explain vulnerability in file Z", "L0 ?security", Strategy::Sparql),
            ("Show security summary", "L0", Strategy::Manifest),
            ("Show complete call graph", "", Strategy::Viewer),
        ] {
            let selection = select(Some(&classify(question, &|_| None)), None);
            assert_eq!(shown(&selection), layers, "{question}");
            assert_eq!(selection.strategy, strategy, "{question}");
        }
    }

    #[test]
    fn q4_bounds_are_exclusive() {
        for (budget, layers, strategy) in [
            (0, "L0", Strategy::Manifest),
            (10 * KB - 1, "L0", Strategy::Manifest),
            (10 * KB, "L0 L1", Strategy::Architecture),
            (50 * KB - 1, "L0 L1", Strategy::Architecture),
            (50 * KB, "L0 L1 L2", Strategy::Subset),
            (200 * KB - 1, "L0 L1 L2", Strategy::Subset),
            (200 * KB, "L0", Strategy::Sparql),
            (u64::MAX, "L0", Strategy::Sparql),
        ] {
            let selection = select(None, Some(budget));
            assert_eq!(shown(&selection), layers, "{budget}");
            assert_eq!(selection.strategy, strategy, "{budget}");
        }
    }

    #[test]
    fn q4_needs_say_what_helps_and_the_budget_how_far_one_may_load() {
        use Need::{Callgraph, Dataflow, Overview, Security, Source, Structure, Symbols};
        for (asked, at_9, at_40, at_100, at_200, without) in [
            (&[][..], "L0", "L0", "L0", "L0", "L0"),
            (&[Overview], "L0 -overview", "L0 L1", "L0 L1", "L0 ?overview", "L0 L1"),
            (
                &[Structure],
                "L0 -structure",
                "L0 L1",
                "L0 L1",
                "L0 ?structure",
                "L0 L1",
            ),
            (
                &[Symbols],
                "L0 -symbols",
                "L0 ?symbols",
                "L0 L2",
                "L0 ?symbols",
                "L0 L2",
            ),
            (
                &[Callgraph],
                "L0 -callgraph",
                "L0 ?callgraph",
                "L0 L2",
                "L0 ?callgraph",
                "L0 L2",
            ),
            (
                &[Structure, Callgraph],
                "L0 -structure -callgraph",
                "L0 L1 ?callgraph",
                "L0 L1 L2",
                "L0 ?structure ?callgraph",
                "L0 L1 L2",
            ),
            (
                &[Security],
                "L0 -security",
                "L0 ?security",
                "L0 ?security",
                "L0 ?security",
                "L0 ?security",
            ),
            (
                &[Symbols, Source],
                "L0 -symbols -source",
                "L0 ?symbols ?source",
                "L0 ?symbols ?source",
                "L0 ?symbols ?source",
                "L0 ?symbols ?source",
            ),
            (
                &[Dataflow],
                "L0 -dataflow",
                "L0 ?dataflow",
                "L0 ?dataflow",
                "L0 ?dataflow",
                "L0 ?dataflow",
            ),
        ] {
            let question = needs(asked);
            for (budget, layers) in [
                (Some(9 * KB), at_9),
                (Some(40 * KB), at_40),
                (Some(100 * KB), at_100),
                (Some(200 * KB), at_200),
                (None, without),
            ] {
                assert_eq!(shown(&select(Some(&question), budget)), layers, "{asked:?} {budget:?}");
            }
        }
    }

    #[test]
    fn q4_the_complete_call_graph_loads_nothing_at_any_budget() {
        let question = Question {
            complete_call_graph: true,
            ..needs(&[Need::Callgraph])
        };
        for budget in [None, Some(0), Some(100 * KB), Some(900 * KB)] {
            let selection = select(Some(&question), budget);
            assert_eq!(shown(&selection), "");
            assert!(selection.instead.contains(&"lore calls"));
        }
    }
}
