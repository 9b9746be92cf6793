//! Why units are results, or why not (clause Q15).

use memchr::memmem::Finder;
use schemars::JsonSchema;
use serde::Serialize;

use super::budget::{Outcome, Selection};
use super::evaluate::{Candidate, Corpus, RowId};
use super::filter::Filter;
use super::request::QueryRequest;

/// Units that are explained.
const MOST: usize = 100;

/// Why units are results or not
#[derive(Serialize, JsonSchema, Clone, PartialEq, Debug)]
pub struct Explain {
    /// Unit by unit: the results, then other matches by score, then matches that the filters left out, then the rest
    pub units: Vec<ExplainedUnit>,
    /// How many more units there are
    pub left_off: usize,
}

/// Why one unit is a result or not
#[derive(Serialize, JsonSchema, Clone, PartialEq, Debug)]
pub struct ExplainedUnit {
    /// Its id; empty if it has none
    pub unit_id: String,
    /// The manifest it comes from; null for the local one
    pub source_manifest: Option<String>,
    /// The outcome: returned, substituted, taken, budget, limit, score, or the filter that left it out
    pub outcome: &'static str,
    /// The reason
    pub why: String,
    /// Its points, whether it passes the filters or not
    pub score: u32,
    /// The score of each term
    pub terms: Vec<ExplainedTerm>,
}

/// The score of a term
#[derive(Serialize, JsonSchema, Clone, PartialEq, Eq, Debug)]
pub struct ExplainedTerm {
    /// The term
    pub term: String,
    /// Points
    pub points: u32,
    /// Where it was found
    pub found_in: Vec<&'static str>,
}

pub(super) fn explain(
    corpus: &Corpus,
    (terms, factors): (&[String], &[u32]),
    candidates: &[Candidate],
    selection: &Selection,
    request: &QueryRequest,
    filter: &Filter<'_>,
) -> Explain {
    let finders: Vec<Finder<'_>> = terms.iter().map(Finder::new).collect();
    let mut all: Vec<(u8, u32, RowId, &'static str, String)> = Vec::new();
    let mut is_candidate = vec![false; corpus.rows().count()];
    for (candidate, outcome) in candidates.iter().zip(&selection.outcomes) {
        is_candidate[candidate.row.0 as usize] = true;
        let (class, word, why) = match outcome {
            Outcome::Returned => (0, "returned", "it is a result".to_owned()),
            Outcome::Substituted(summary) => (
                1,
                "substituted",
                format!("its summary `{}` fits into the budget", corpus.name(*summary)),
            ),
            Outcome::Taken => (1, "taken", "it is a result instead of another unit".to_owned()),
            Outcome::Budget => (
                1,
                "budget",
                match corpus.facts(candidate.row).tokens {
                    Some(tokens) => format!("its {tokens} tokens do not fit into the rest of the budget"),
                    None => "it does not fit into the rest of the budget".to_owned(),
                },
            ),
            Outcome::Limit => (1, "limit", "the limit of results is reached".to_owned()),
        };
        all.push((class, candidate.score.points, candidate.row, word, why));
    }
    for row in corpus.rows().filter(|row| !is_candidate[row.0 as usize]) {
        let points = match finders.as_slice() {
            [] => 0,
            finders => corpus.folded(row).score(finders, factors, request.scoring).points,
        };
        let (word, why) = match corpus.check(row, filter, request) {
            Err(why) => (why.word(), why.sentence()),
            Ok(()) => ("score", "no term matches its triggers, intent, id or path".to_owned()),
        };
        all.push((2, points, row, word, why));
    }
    // Candidates are in their order already; the others follow by points.
    all.sort_by_key(|(class, points, ..)| match class {
        2 => (2, u32::MAX - points),
        class => (*class, 0),
    });
    let left_off = all.len().saturating_sub(MOST);
    all.truncate(MOST);
    let units = all.into_iter().map(|(_, score, row, outcome, why)| {
        let folded = corpus.folded(row);
        let earned = terms.iter().zip(&finders).zip(factors).map(|((term, finder), factor)| {
            let score = folded.score_term(finder, request.scoring).times(*factor);
            ExplainedTerm {
                term: term.clone(),
                points: score.points,
                found_in: score.reasons.words(),
            }
        });
        let (manifest, unit) = corpus.unit(row);
        ExplainedUnit {
            unit_id: manifest.id(unit).unwrap_or_default().to_owned(),
            source_manifest: corpus.place(row).0.source.id.clone(),
            outcome,
            why,
            score,
            terms: earned.filter(|term| term.points > 0).collect(),
        }
    });
    Explain {
        units: units.collect(),
        left_off,
    }
}
