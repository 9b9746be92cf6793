//! The walk through what was found, with a budget and a limit (§15.5; clause Q9, rulings A8, A33).

use std::collections::HashSet;

use super::evaluate::{Candidate, Corpus, RowId};
use super::request::QueryRequest;
use super::score::Score;

/// A unit that is a result.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Chosen {
    pub(super) row: RowId,
    pub(super) score: Score,
    /// The unit that it stands in for.
    pub(super) substituted_for: Option<RowId>,
}

/// What became of a candidate.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Outcome {
    Returned,
    /// Its summary replaces it.
    Substituted(RowId),
    /// It was a result already, as the summary of another one.
    Taken,
    /// It does not fit.
    Budget,
    /// There are enough results.
    Limit,
}

/// The results, and what became of each candidate.
pub(super) struct Selection {
    pub(super) chosen: Vec<Chosen>,
    pub(super) outcomes: Vec<Outcome>,
    pub(super) used: u64,
}

/// Walks the candidates. A unit of unknown cost costs nothing and fits always, so that the walk goes on when nothing is left.
pub(super) fn select(
    corpus: &Corpus,
    candidates: &[Candidate],
    request: &QueryRequest,
    limit: usize,
    passes: &dyn Fn(RowId) -> bool,
) -> Selection {
    let mut walk = Walk {
        taken: HashSet::new(),
        left: request.max_token_budget,
        selection: Selection {
            chosen: Vec::new(),
            outcomes: Vec::new(),
            used: 0,
        },
    };
    for candidate in candidates {
        let outcome = match walk.selection.chosen.len() >= limit {
            true if request.explain => Outcome::Limit,
            true => break,
            false => {
                let summary = || {
                    let summary = corpus.summary(candidate.row).filter(|_| request.include_summaries)?;
                    passes(summary).then_some(summary)
                };
                walk.take(corpus, candidate, summary)
            }
        };
        walk.selection.outcomes.push(outcome);
    }
    walk.selection
}

struct Walk {
    taken: HashSet<RowId>,
    /// What is left of the budget, if there is one.
    left: Option<u64>,
    selection: Selection,
}

impl Walk {
    fn take(&mut self, corpus: &Corpus, candidate: &Candidate, summary: impl FnOnce() -> Option<RowId>) -> Outcome {
        let row = candidate.row;
        if self.taken.contains(&row) {
            return Outcome::Taken;
        }
        if self.add(corpus, candidate, row) {
            return Outcome::Returned;
        }
        let summary = summary().filter(|summary| !self.taken.contains(summary));
        match summary.filter(|summary| self.add(corpus, candidate, *summary)) {
            Some(summary) => Outcome::Substituted(summary),
            None => Outcome::Budget,
        }
    }

    /// Takes a unit if it fits.
    fn add(&mut self, corpus: &Corpus, candidate: &Candidate, row: RowId) -> bool {
        let cost = corpus.facts(row).tokens.unwrap_or(0);
        if let Some(left) = &mut self.left {
            match left.checked_sub(cost) {
                Some(rest) => *left = rest,
                None => return false,
            }
            self.selection.used += cost;
        }
        self.taken.insert(row);
        self.selection.chosen.push(Chosen {
            row,
            score: candidate.score,
            substituted_for: (row != candidate.row).then_some(candidate.row),
        });
        true
    }
}
