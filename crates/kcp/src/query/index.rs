//! The index for many queries over the same manifests (clause Q16).
//!
//! For each of the four texts of a unit it keeps all of them folded, one after the other, and for every three bytes that occur in one of them the units in which they do. A term is looked for in the units that have its rarest three bytes; a
//! term of fewer bytes is looked for everywhere.

use std::collections::BTreeMap;

use memchr::memmem::Finder;

use super::evaluate::{Candidate, Corpus, Matches, RowId};
use super::filter::Filter;
use super::request::QueryRequest;
use super::score::{Reasons, Score, Scoring, fold, rarity, terms};
use super::{Incomplete, QueryAnswer, Source};
use crate::date::Day;

/// What separates the triggers of a unit. No folded text has it.
const SEPARATOR: char = '\0';

/// Manifests prepared for many queries.
#[derive(Debug)]
pub struct QueryIndex {
    corpus: Corpus,
    triggers: Column,
    intents: Column,
    ids: Column,
    paths: Column,
}

impl QueryIndex {
    /// Prepares manifests; the local one comes first, the others in its order.
    pub fn build(sources: &[Source]) -> Self {
        let corpus = Corpus::of(sources);
        let (mut triggers, mut intents) = (ColumnText::default(), ColumnText::default());
        let (mut ids, mut paths) = (ColumnText::default(), ColumnText::default());
        for row in corpus.rows() {
            let (manifest, unit) = corpus.unit(row);
            let own = unit.triggers.iter().flat_map(|triggers| &triggers.value.kept);
            triggers.push(own.map(|trigger| manifest.text(trigger.value)));
            intents.push(manifest.field(&unit.intent).into_iter());
            ids.push(manifest.id(unit).into_iter());
            paths.push(manifest.path(unit).into_iter());
        }
        Self {
            corpus,
            triggers: Column::of(triggers),
            intents: Column::of(intents),
            ids: Column::of(ids),
            paths: Column::of(paths),
        }
    }

    /// Answers a query as the plain rule does.
    pub fn query(&self, request: &QueryRequest, today: Day, incomplete: &Incomplete) -> QueryAnswer {
        let (terms, warnings) = terms(&request.terms);
        let filter = Filter::of(request, today);
        let passes = |row: RowId| self.corpus.check(row, &filter, request).is_ok();
        let (candidates, factors) = match terms.as_slice() {
            [] => {
                let all = self.corpus.rows().filter(|row| passes(*row));
                let all = all.map(|row| Candidate {
                    row,
                    score: Score::default(),
                });
                (all.collect(), Vec::new())
            }
            terms => {
                let (scores, factors) = self.scores(terms, request);
                let scored = (0u32..).zip(scores).filter(|(_, score)| score.points > 0);
                let scored = scored.map(|(row, score)| Candidate { row: RowId(row), score });
                (scored.filter(|candidate| passes(candidate.row)).collect(), factors)
            }
        };
        let found = Matches {
            terms,
            factors,
            warnings,
            candidates,
        };
        self.corpus.answer(found, request, &filter, today, incomplete)
    }

    /// What the terms earn each row, and what the points of each term are multiplied by.
    fn scores(&self, terms: &[String], request: &QueryRequest) -> (Vec<Score>, Vec<u32>) {
        let scoring = request.scoring;
        let mut scores = vec![Score::default(); self.corpus.rows().count()];
        let mut factors = Vec::with_capacity(terms.len());
        // The number of the last term that was found in the id of each row, from 1.
        let mut in_id = vec![0u32; scores.len()];
        for (number, term) in (1u32..).zip(terms) {
            let finder = Finder::new(term);
            let mut own: BTreeMap<u32, Score> = BTreeMap::new();
            let mut earn = |row: RowId, score: Score| {
                let at = own.entry(row.0).or_default();
                *at = at.and(score);
            };
            self.triggers.find(term, &finder, |row, text| {
                let found = match scoring {
                    Scoring::Table => 1,
                    Scoring::Reference => {
                        let entries = text.split(|byte| *byte == SEPARATOR as u8);
                        entries.filter(|entry| finder.find(entry).is_some()).count()
                    }
                };
                let found = u32::try_from(found).unwrap_or(u32::MAX);
                earn(row, Score::of_term(scoring, found, false, false, false));
            });
            self.intents.find(term, &finder, |row, _| {
                earn(row, Score::of_term(scoring, 0, true, false, false))
            });
            self.ids.find(term, &finder, |row, _| {
                in_id[row.0 as usize] = number;
                earn(row, Score::of_term(scoring, 0, false, true, false));
            });
            self.paths.find(term, &finder, |row, _| {
                let mut score = Score::of_term(scoring, 0, false, false, true);
                if scoring == Scoring::Table && in_id[row.0 as usize] == number {
                    // Id and path earn their point together.
                    score = Score {
                        points: 0,
                        reasons: Reasons::PATH,
                    };
                }
                earn(row, score);
            });
            let factor = if request.is_question {
                rarity(own.len(), scores.len())
            } else {
                1
            };
            for (row, score) in own {
                let at = &mut scores[row as usize];
                *at = at.and(score.times(factor));
            }
            factors.push(factor);
        }
        (scores, factors)
    }
}

/// One text of every row, folded, one after the other.
#[derive(Debug, Default)]
struct ColumnText {
    text: String,
    /// Where the text of each row ends.
    ends: Vec<u32>,
}

impl ColumnText {
    fn push<'t>(&mut self, texts: impl Iterator<Item = &'t str>) {
        for (at, text) in texts.enumerate() {
            if at > 0 {
                self.text.push(SEPARATOR);
            }
            self.text.push_str(&fold(text));
        }
        self.ends.push(u32::try_from(self.text.len()).unwrap_or(u32::MAX));
    }

    fn row(&self, row: u32) -> &[u8] {
        let at = row as usize;
        let start = at
            .checked_sub(1)
            .and_then(|before| self.ends.get(before))
            .copied()
            .unwrap_or(0);
        let end = self.ends.get(at).copied().unwrap_or(start);
        self.text
            .as_bytes()
            .get(start as usize..end as usize)
            .unwrap_or_default()
    }
}

/// The texts with the rows that have each three bytes.
#[derive(Debug)]
struct Column {
    text: ColumnText,
    /// Three bytes each, in order.
    grams: Vec<u32>,
    /// Where the rows of each begin; one more than there are grams.
    starts: Vec<u32>,
    rows: Vec<u32>,
}

impl Column {
    fn of(text: ColumnText) -> Self {
        let mut pairs: Vec<u64> = Vec::with_capacity(text.text.len());
        for row in 0..u32::try_from(text.ends.len()).unwrap_or(u32::MAX) {
            let grams = text
                .row(row)
                .windows(3)
                .filter(|gram| !gram.contains(&(SEPARATOR as u8)));
            pairs.extend(grams.map(|gram| u64::from(gram_of(gram)) << 32 | u64::from(row)));
        }
        pairs.sort_unstable();
        pairs.dedup();
        let (mut grams, mut starts) = (Vec::new(), Vec::new());
        let mut rows = Vec::with_capacity(pairs.len());
        for pair in pairs {
            let gram = (pair >> 32) as u32;
            if grams.last() != Some(&gram) {
                grams.push(gram);
                starts.push(u32::try_from(rows.len()).unwrap_or(u32::MAX));
            }
            rows.push(pair as u32);
        }
        starts.push(u32::try_from(rows.len()).unwrap_or(u32::MAX));
        Self {
            text,
            grams,
            starts,
            rows,
        }
    }

    /// Calls `found` with every row whose text a term is part of, and with that text.
    fn find(&self, term: &str, finder: &Finder<'_>, mut found: impl FnMut(RowId, &[u8])) {
        let bytes = term.as_bytes();
        let mut check = |row: u32| {
            let text = self.text.row(row);
            if finder.find(text).is_some() {
                found(RowId(row), text);
            }
        };
        if bytes.len() < 3 {
            return (0..u32::try_from(self.text.ends.len()).unwrap_or(u32::MAX)).for_each(check);
        }
        let mut rarest: Option<&[u32]> = None;
        for gram in bytes.windows(3) {
            let Ok(at) = self.grams.binary_search(&gram_of(gram)) else {
                return;
            };
            let rows = &self.rows[self.starts[at] as usize..self.starts[at + 1] as usize];
            if rarest.is_none_or(|rarest| rows.len() < rarest.len()) {
                rarest = Some(rows);
            }
        }
        match bytes.len() {
            3 => rarest
                .into_iter()
                .flatten()
                .for_each(|row| found(RowId(*row), self.text.row(*row))),
            _ => rarest.into_iter().flatten().for_each(|row| check(*row)),
        }
    }
}

fn gram_of(bytes: &[u8]) -> u32 {
    bytes.iter().fold(0, |gram, byte| gram << 8 | u32::from(*byte))
}
