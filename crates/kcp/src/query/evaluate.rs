//! Which units answer a question, within a budget (§15; clauses Q1 to Q16).
//!
//! The plain rule ([`query`]) scans every unit of every source. [`QueryIndex`](super::QueryIndex) caches what the rule would recompute, and gives the same answers. Both share filters, scores, budget and results; they differ in how
//! they find the units that a term is part of.

use super::explain::Explain;
use super::filter::{Facts, Filter, Identity, Why, sensitivity_for, tokens};
use super::request::QueryRequest;
use super::score::{FoldedUnit, Score, rarity};
use crate::date::Day;
use crate::effective::effective;
use crate::federation::{Address, document};
use crate::freshness::{Staleness, staleness};
use crate::graph::{UnitGraph, ids};
use crate::model::{ExternalRelationship, Manifest, Unit, UnitIndex, known};
use crate::uri::knowledge_uri;
use crate::vocabulary::{RelationshipType, VerificationStatus, Vocabulary};
use memchr::memmem::Finder;
use schemars::JsonSchema;
use serde::Serialize;
use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::sync::Arc;

/// What is to be known of every answer (§15.9).
pub const ADVISORY: &str = "what a manifest says about access and confidentiality is advice for navigation, not a security boundary; \
                            a server that evaluates a query sees the capabilities in it";

/// Units that a caution names.
pub(super) const NAMED: usize = 5;

/// A manifest that is asked.
#[derive(Clone, Debug)]
pub struct Source {
    /// The id by which the local manifest names it; none for the local one.
    pub id: Option<String>,
    /// Where it was fetched from; its paths are seen from there.
    pub url: Option<String>,
    /// It.
    pub manifest: Arc<Manifest>,
}

/// Units with a missing dependency in another manifest, directly or indirectly: the number of the source, and the unit there.
pub type Incomplete = BTreeSet<(usize, UnitIndex)>;

/// The units that answer a query
#[derive(Serialize, JsonSchema, Clone, PartialEq, Debug)]
pub struct QueryAnswer {
    /// The results, best first
    pub results: Vec<QueryResult>,
    /// How many units match
    pub matched: usize,
    /// The search terms, case-folded
    #[schemars(extend("x-agents" = "omit"))]
    pub terms: Vec<String>,
    /// The use of the budget
    #[serde(skip_serializing_if = "Option::is_none")]
    pub budget: Option<BudgetUse>,
    /// Cautions about the answer
    pub warnings: Vec<String>,
    /// The limits of the answer
    pub advisory: &'static str,
    /// Why units are results or not
    #[serde(skip_serializing_if = "Option::is_none")]
    pub explain: Option<Explain>,
}

/// The use of the budget
#[derive(Serialize, JsonSchema, Clone, Copy, PartialEq, Eq, Debug)]
pub struct BudgetUse {
    /// The budget
    pub given: u64,
    /// Tokens that the results take
    pub used: u64,
}

/// A unit that answers a query
#[derive(Serialize, JsonSchema, Clone, PartialEq, Debug)]
pub struct QueryResult {
    /// Its id
    pub unit_id: String,
    /// Its points
    pub score: u32,
    /// Its path, relative to its manifest
    pub path: String,
    /// Its tokens, if declared
    #[schemars(extend("x-agents" = "keep"))]
    pub token_estimate: Option<u64>,
    /// The unit that is a summary of it
    #[schemars(extend("x-agents" = "keep"))]
    pub summary_unit: Option<String>,
    /// Where terms were found: trigger, intent, id, path
    #[schemars(extend("x-agents" = "keep"))]
    pub match_reason: Vec<&'static str>,
    /// The manifest it comes from, by its id in the local one; null for the local one
    #[schemars(extend("x-agents" = "keep"))]
    pub source_manifest: Option<String>,
    /// Its id again, under the name that other programs use
    pub id: String,
    /// What it answers
    #[schemars(extend("x-agents" = "untrusted"))]
    pub intent: String,
    /// Who it is for
    pub audience: Vec<String>,
    /// Its address
    pub uri: String,
    /// Its line in its manifest
    #[schemars(extend("x-agents" = "omit"))]
    pub line: u32,
    /// How confidential it is; null if not declared
    pub sensitivity: Option<&'static str>,
    /// Whether it is stale by its freshness policy
    pub stale: bool,
    /// Units that contradict it; those of other manifests as manifest/unit
    pub discovery_conflict: Vec<String>,
    /// Reasons to be careful with it
    pub caution: Vec<String>,
    /// The unit whose summary it is, and which it replaces in the results
    pub substituted_for: Option<String>,
    /// The unit that replaces it
    pub superseded_by: Option<String>,
    /// Whether a unit that it depends on is not available
    pub incomplete: bool,
}

/// Answers a query by the plain rule. The local manifest comes first, the others in its order.
pub fn query(sources: &[Source], request: &QueryRequest, today: Day, incomplete: &Incomplete) -> QueryAnswer {
    let corpus = Corpus::of(sources);
    let (terms, warnings) = super::score::terms(&request.terms);
    let finders: Vec<Finder<'_>> = terms.iter().map(Finder::new).collect();
    let filter = Filter::of(request, today);
    let factors = corpus.factors(&finders, request);
    let mut candidates = Vec::new();
    for row in corpus.rows() {
        if corpus.check(row, &filter, request).is_err() {
            continue;
        }
        let score = match finders.as_slice() {
            [] => Score::default(),
            finders => corpus.folded(row).score(finders, &factors, request.scoring),
        };
        if finders.is_empty() || score.points > 0 {
            candidates.push(Candidate { row, score });
        }
    }
    corpus.answer(
        Matches {
            terms,
            factors,
            warnings,
            candidates,
        },
        request,
        &filter,
        today,
        incomplete,
    )
}

/// A unit of a corpus: sources follow each other.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(super) struct RowId(pub(super) u32);

/// A unit that passes the filters, with what it earns.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Candidate {
    pub(super) row: RowId,
    pub(super) score: Score,
}

/// What was found, before it is ranked.
pub(super) struct Matches {
    pub(super) terms: Vec<String>,
    /// What the points of each term are multiplied by.
    pub(super) factors: Vec<u32>,
    pub(super) warnings: Vec<String>,
    pub(super) candidates: Vec<Candidate>,
}

/// Sources with what queries need to know of their units.
#[derive(Debug)]
pub(super) struct Corpus {
    pub(super) sources: Vec<Prepared>,
    /// The first row of each source, and the one after the last.
    pub(super) starts: Vec<u32>,
    /// Units that units of other manifests contradict.
    pub(super) conflicts: BTreeMap<RowId, Vec<String>>,
}

/// One source.
#[derive(Debug)]
pub(super) struct Prepared {
    pub(super) source: Source,
    pub(super) facts: Vec<Facts>,
    pub(super) superseded_by: BTreeMap<UnitIndex, Vec<UnitIndex>>,
    pub(super) conflicts: BTreeMap<UnitIndex, Vec<UnitIndex>>,
    pub(super) summaries: HashMap<UnitIndex, UnitIndex>,
}

impl Prepared {
    /// A source; its units give way to those that are served here already.
    pub(super) fn of(source: &Source, taken: &HashSet<&str>) -> Self {
        let manifest = &source.manifest;
        let graph = UnitGraph::of(manifest);
        let mut facts = Vec::with_capacity(manifest.units.len());
        let mut summaries = HashMap::new();
        for (number, unit) in (0u32..).zip(&manifest.units) {
            let index = UnitIndex(number);
            let identity = match manifest.id(unit).map(|id| graph.first(id) == Some(index)) {
                Some(true) if !manifest.id(unit).is_some_and(|id| taken.contains(id)) => Identity::Own,
                Some(_) => Identity::Repeated,
                None => Identity::Missing,
            };
            facts.push(Facts::of(manifest, index, unit, identity));
            let summary = unit.hints.as_ref().and_then(|hints| hints.value.summary_unit.as_ref());
            if let Some(summary) = summary.and_then(|id| graph.first(manifest.text(id.value))) {
                summaries.insert(index, summary);
            }
        }
        Self {
            facts,
            superseded_by: graph.superseded_by(manifest),
            conflicts: graph.contradicts(manifest),
            summaries,
            source: source.clone(),
        }
    }
}

impl Corpus {
    pub(super) fn of(sources: &[Source]) -> Self {
        let mut taken = HashSet::new();
        let mut prepared = Vec::with_capacity(sources.len());
        for (at, source) in sources.iter().enumerate() {
            let is_here = source.url.is_none();
            prepared.push(if is_here {
                Prepared::of(source, &taken)
            } else {
                Prepared::of(source, &HashSet::new())
            });
            if is_here && at + 1 < sources.len() {
                let manifest = &source.manifest;
                taken.extend(manifest.units.iter().filter_map(|unit| manifest.id(unit)));
            }
        }
        let sources: Vec<Prepared> = prepared;
        let mut starts = vec![0];
        let mut next = 0u32;
        for source in &sources {
            next = next.saturating_add(u32::try_from(source.facts.len()).unwrap_or(u32::MAX));
            starts.push(next);
        }
        let mut corpus = Self {
            sources,
            starts,
            conflicts: BTreeMap::new(),
        };
        corpus.conflicts = corpus.conflicts_between();
        corpus
    }

    pub(super) fn rows(&self) -> impl Iterator<Item = RowId> + use<> {
        (0..self.starts.last().copied().unwrap_or(0)).map(RowId)
    }

    /// The source of a row, and its unit there.
    pub(super) fn place(&self, row: RowId) -> (&Prepared, usize, UnitIndex) {
        let at = self.starts.partition_point(|start| *start <= row.0).saturating_sub(1);
        (&self.sources[at], at, UnitIndex(row.0 - self.starts[at]))
    }

    pub(super) fn unit(&self, row: RowId) -> (&Manifest, &Unit) {
        let (prepared, _, index) = self.place(row);
        let manifest = &*prepared.source.manifest;
        (manifest, &manifest.units[index.0 as usize])
    }

    pub(super) fn facts(&self, row: RowId) -> &Facts {
        let (prepared, _, index) = self.place(row);
        &prepared.facts[index.0 as usize]
    }

    pub(super) fn folded(&self, row: RowId) -> FoldedUnit {
        let (manifest, unit) = self.unit(row);
        FoldedUnit::of(manifest, unit)
    }

    /// What the points of each term are multiplied by: in a question, the more the fewer units have the term.
    fn factors(&self, finders: &[Finder<'_>], request: &QueryRequest) -> Vec<u32> {
        if !request.is_question {
            return vec![1; finders.len()];
        }
        let mut matched = vec![0usize; finders.len()];
        let mut rows = 0;
        for row in self.rows() {
            let folded = self.folded(row);
            for (count, finder) in matched.iter_mut().zip(finders) {
                *count += usize::from(folded.score_term(finder, request.scoring).points > 0);
            }
            rows += 1;
        }
        matched.into_iter().map(|matched| rarity(matched, rows)).collect()
    }

    pub(super) fn check(&self, row: RowId, filter: &Filter<'_>, request: &QueryRequest) -> Result<(), Why> {
        let (prepared, _, index) = self.place(row);
        filter.check(&prepared.facts[index.0 as usize], || {
            sensitivity_for(&prepared.source.manifest, index, request)
        })
    }

    /// The unit that is a summary of a unit, if there is another one.
    pub(super) fn summary(&self, row: RowId) -> Option<RowId> {
        let (prepared, at, index) = self.place(row);
        let summary = prepared.summaries.get(&index).filter(|summary| **summary != index)?;
        Some(RowId(self.starts[at] + summary.0))
    }

    /// How a unit is called from the local manifest.
    pub(super) fn name(&self, row: RowId) -> String {
        let (prepared, _, _) = self.place(row);
        let (manifest, unit) = self.unit(row);
        named(prepared.source.id.as_deref(), manifest.id(unit).unwrap_or_default())
    }

    /// What the local manifest says about units of different manifests that contradict each other.
    pub(super) fn conflicts_between(&self) -> BTreeMap<RowId, Vec<String>> {
        let mut conflicts: BTreeMap<RowId, Vec<String>> = BTreeMap::new();
        let Some(local) = self.sources.first().map(|prepared| &*prepared.source.manifest) else {
            return conflicts;
        };
        let contradicting: Vec<&ExternalRelationship> = local
            .external_relationships
            .iter()
            .filter(|relationship| known(&relationship.kind) == Some(RelationshipType::Contradicts))
            .collect();
        if contradicting.is_empty() {
            return conflicts;
        }
        let loaded: HashMap<Option<&str>, (u32, HashMap<&str, UnitIndex>)> = self
            .sources
            .iter()
            .zip(&self.starts)
            .map(|(prepared, start)| (prepared.source.id.as_deref(), (*start, ids(&prepared.source.manifest))))
            .collect();
        let declared: BTreeSet<&str> = local
            .manifests
            .iter()
            .filter_map(|entry| local.field(&entry.id))
            .collect();
        let row_of = |manifest: Option<&str>, unit: &str| {
            let (start, units) = loaded.get(&manifest)?;
            units.get(unit).map(|index| RowId(start + index.0))
        };
        for relationship in contradicting {
            let one = (
                local.field(&relationship.from_manifest),
                local.field(&relationship.from_unit),
            );
            let other = (
                local.field(&relationship.to_manifest),
                local.field(&relationship.to_unit),
            );
            for ((manifest, unit), (its_manifest, its_unit)) in [(one, other), (other, one)] {
                let (Some(unit), Some(its_unit)) = (unit, its_unit) else {
                    continue;
                };
                let is_there = if loaded.contains_key(&its_manifest) {
                    row_of(its_manifest, its_unit).is_some()
                } else {
                    its_manifest.is_some_and(|id| declared.contains(id))
                };
                if let Some(row) = row_of(manifest, unit).filter(|_| is_there) {
                    conflicts.entry(row).or_default().push(named(its_manifest, its_unit));
                }
            }
        }
        conflicts
    }

    /// Ranks what was found, walks it with the budget and makes the results (ruling A33).
    pub(super) fn answer(
        &self,
        found: Matches,
        request: &QueryRequest,
        filter: &Filter<'_>,
        today: Day,
        incomplete: &Incomplete,
    ) -> QueryAnswer {
        let Matches {
            terms,
            factors,
            warnings,
            mut candidates,
        } = found;
        let matched = candidates.len();
        let limit = request.limit_for(terms.len());
        let is_walked = request.max_token_budget.is_some() || request.explain;
        rank(&mut candidates, (!is_walked).then_some(limit));
        let passes = |row: RowId| self.check(row, filter, request).is_ok();
        let selection = super::budget::select(self, &candidates, request, limit, &passes);
        let results = selection.chosen.iter();
        QueryAnswer {
            results: results
                .map(|chosen| self.result(chosen, request, today, incomplete))
                .collect(),
            matched,
            budget: request.max_token_budget.map(|given| BudgetUse {
                given,
                used: selection.used,
            }),
            explain: request
                .explain
                .then(|| super::explain::explain(self, (&terms, &factors), &candidates, &selection, request, filter)),
            terms,
            warnings,
            advisory: ADVISORY,
        }
    }

    pub(super) fn result(
        &self,
        chosen: &super::budget::Chosen,
        request: &QueryRequest,
        today: Day,
        incomplete: &Incomplete,
    ) -> QueryResult {
        let (prepared, at, index) = self.place(chosen.row);
        let (manifest, unit) = self.unit(chosen.row);
        let source = &prepared.source;
        let id = manifest.id(unit).unwrap_or_default().to_owned();
        let path = manifest.path(unit).unwrap_or_default().to_owned();
        let of_here = |other: &UnitIndex| self.name(RowId(self.starts[at] + other.0));
        let own_conflicts = prepared.conflicts.get(&index).into_iter().flatten().map(of_here);
        let other_conflicts = self.conflicts.get(&chosen.row).into_iter().flatten().cloned();
        let superseded_by = prepared.superseded_by.get(&index).and_then(|units| units.first());
        let sensitivity = sensitivity_for(manifest, index, request);
        let audience = unit.audience.iter().flat_map(|audience| &audience.value);
        let summary = unit.hints.as_ref().and_then(|hints| hints.value.summary_unit.as_ref());
        let staleness = staleness(manifest, index, today);
        let mut result = QueryResult {
            score: chosen.score.points,
            token_estimate: tokens(unit),
            summary_unit: summary.map(|summary| manifest.text(summary.value).to_owned()),
            match_reason: chosen.score.reasons.words(),
            source_manifest: source.id.clone(),
            intent: manifest.field(&unit.intent).unwrap_or_default().to_owned(),
            audience: audience.map(|word| manifest.word(word.value).to_owned()).collect(),
            uri: match &source.url {
                Some(url) => resolved(url, &path),
                None => knowledge_uri(manifest, &id),
            },
            line: manifest.document.place(unit.node).line,
            sensitivity: sensitivity.map(Vocabulary::word),
            stale: staleness.is_stale(),
            discovery_conflict: own_conflicts.chain(other_conflicts).collect(),
            caution: Vec::new(),
            substituted_for: chosen.substituted_for.map(|row| {
                let (manifest, unit) = self.unit(row);
                manifest.id(unit).unwrap_or_default().to_owned()
            }),
            superseded_by: superseded_by.map(|other| {
                let other = &manifest.units[other.0 as usize];
                manifest.id(other).unwrap_or_default().to_owned()
            }),
            incomplete: incomplete.contains(&(at, index)),
            unit_id: id.clone(),
            id,
            path,
        };
        result.caution = cautions(&result, manifest, index, request, staleness);
        result
    }
}

/// What speaks against relying on a result.
pub(super) fn cautions(
    result: &QueryResult,
    manifest: &Manifest,
    index: UnitIndex,
    request: &QueryRequest,
    staleness: Staleness<'_>,
) -> Vec<String> {
    let mut cautions = Vec::new();
    if manifest.unit(index).is_some_and(Unit::is_deprecated) {
        cautions.push("it is deprecated".to_owned());
    }
    if let Some(other) = &result.superseded_by {
        cautions.push(format!("`{other}` replaces it"));
    }
    let discovery = effective(manifest, index).discovery;
    match discovery.verification_status.value.known() {
        Some(VerificationStatus::Verified) | None => {}
        Some(VerificationStatus::Deprecated) => {
            cautions.push("its `discovery` says that it is deprecated".to_owned());
        }
        Some(status @ (VerificationStatus::Rumored | VerificationStatus::Observed)) => {
            let confidence = discovery.confidence.value;
            cautions.push(format!("it is only {}, with confidence {confidence}", status.word()));
        }
    }
    if let Staleness::Stale {
        age_days,
        max_age_days,
        action,
        ..
    } = staleness
    {
        let action = action.word();
        cautions.push(format!(
            "it was validated {age_days} days ago, more than {max_age_days}; its policy for stale units is `{action}`"
        ));
    }
    match result.discovery_conflict.as_slice() {
        [] => {}
        others => {
            let named: Vec<String> = others.iter().take(NAMED).map(|id| format!("`{id}`")).collect();
            let more = match others.len().saturating_sub(NAMED) {
                0 => String::new(),
                more => format!(" and {more} more"),
            };
            cautions.push(format!("it is contradicted by {}{more}", named.join(", ")));
        }
    }
    if request.sensitivity_max.is_some() && result.sensitivity.is_none() {
        cautions.push("its sensitivity is not declared".to_owned());
    }
    if result.incomplete {
        cautions.push("a unit of another manifest that it depends on is not available".to_owned());
    }
    cautions
}

/// Best first; what is equal in its order (clause Q4). With `most`, the rest is dropped.
pub(super) fn rank(candidates: &mut Vec<Candidate>, most: Option<usize>) {
    let key = |candidate: &Candidate| (Reverse(candidate.score.points), candidate.row);
    if let Some(most) = most
        && most < candidates.len()
    {
        if most > 0 {
            candidates.select_nth_unstable_by_key(most - 1, key);
        }
        candidates.truncate(most);
    }
    candidates.sort_unstable_by_key(key);
}

/// A unit as it is called from the local manifest.
pub(super) fn named(manifest: Option<&str>, unit: &str) -> String {
    match manifest {
        Some(manifest) => format!("{manifest}/{unit}"),
        None => unit.to_owned(),
    }
}

/// Where a unit of a manifest that was fetched can be had: its path, seen from the manifest.
pub fn resolved(url: &str, path: &str) -> String {
    match Address::parse(url) {
        Ok(manifest) => document(&manifest, path),
        Err(_) => lore_base::percent::encode(path, lore_base::percent::PATH),
    }
}
