//! What units say of each other (clauses W2, W3, W23, W24, W29).

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};

use super::check::Checker;
use crate::finding::{Code, shown};
use crate::model::{Field, Hints, Unit, is_true, known};
use crate::vocabulary::RelationshipType;
use lore_base::yaml::Text;

/// How often an id that is nearly right is looked for, and among how many.
const MOST_LOOKS: usize = 20;
const MOST_IDS: usize = 10_000;

impl<'m> Checker<'m> {
    pub(super) fn references(&mut self) {
        self.relationships();
        let superseded = self.superseded();
        let mut chunks: HashMap<&str, u64> = HashMap::new();
        for unit in &self.manifest.units {
            if let Some(of) = hints(unit).and_then(|hints| self.text(&hints.chunk_of)) {
                *chunks.entry(of).or_default() += 1;
            }
        }
        self.each_unit(|checker, unit| {
            checker.depends_on(unit);
            checker.unit_hints(unit, &chunks);
            if let (true, Some(deprecated)) = (unit.is_deprecated(), &unit.deprecated)
                && checker.manifest.id(unit).is_none_or(|id| !superseded.contains(id))
            {
                let message = "the unit is deprecated and nothing supersedes it".to_owned();
                let hint = "write `supersedes: ID` into its successor";
                checker.tell(Code::DeprecatedAlone, deprecated.node, "deprecated", message, hint);
            }
        });
        self.root_hints();
    }

    /// Says so if no unit has an id.
    pub(super) fn reference(&mut self, code: Code, field: &Field<Text>, name: &str) {
        if let Some(declared) = field {
            let id = self.manifest.text(declared.value);
            if !self.ids.contains_key(id) && self.has_room(code) {
                let message = format!("no unit has the id `{}`", shown(id));
                let hint = match self.nearest(id) {
                    Some(near) => format!("did you mean `{near}`?").into(),
                    None => Cow::Borrowed("name a unit of this manifest, or remove the reference"),
                };
                self.tell(code, declared.node, name, message, hint);
            }
        }
    }

    /// The first unit whose id is nearly this one. Looked for a few times only: every look goes through all ids.
    fn nearest(&mut self, id: &str) -> Option<&'m str> {
        self.looks += 1;
        if self.looks > MOST_LOOKS {
            return None;
        }
        let ids = self.manifest.units.iter().filter_map(|unit| self.manifest.id(unit));
        let mut near = ids.take(MOST_IDS).filter(|known| super::check::is_near(id, known));
        near.next()
    }

    fn relationships(&mut self) {
        for (number, relationship) in self.manifest.relationships.iter().enumerate() {
            let parts = [
                ("from", relationship.from.is_some()),
                ("to", relationship.to.is_some()),
                ("type", relationship.kind.is_some()),
            ];
            for (name, _) in parts.iter().filter(|(_, is_there)| !is_there) {
                let message = format!("the relationship has no `{name}`");
                let field = format!("relationships[{number}]");
                self.tell(
                    Code::RelationshipIncomplete,
                    relationship.node,
                    &field,
                    message,
                    "a relationship has `from`, `to` and `type`",
                );
            }
            self.reference(
                Code::ReferenceUnknown,
                &relationship.from,
                &format!("relationships[{number}].from"),
            );
            self.reference(
                Code::ReferenceUnknown,
                &relationship.to,
                &format!("relationships[{number}].to"),
            );
            self.unknown(
                Code::RelationshipType,
                &relationship.kind,
                &format!("relationships[{number}].type"),
                "type of relationship",
            );
        }
    }

    fn depends_on(&mut self, unit: &Unit) {
        for (number, id) in unit.depends_on.iter().flat_map(|list| &list.value).enumerate() {
            if self.ids.contains_key(self.manifest.text(id.value)) {
                continue;
            }
            self.reference(Code::ReferenceUnknown, &Some(*id), &format!("depends_on[{number}]"));
        }
    }

    /// The ids that something supersedes.
    fn superseded(&self) -> HashSet<&'m str> {
        let by_unit = self
            .manifest
            .units
            .iter()
            .filter_map(|unit| self.text(&unit.supersedes));
        let relationships = self.manifest.relationships.iter();
        let of_type =
            relationships.filter(|relationship| known(&relationship.kind) == Some(RelationshipType::Supersedes));
        by_unit
            .chain(of_type.filter_map(|relationship| self.text(&relationship.to)))
            .collect()
    }

    fn unit_hints(&mut self, unit: &'m Unit, chunks: &HashMap<&str, u64>) {
        let Some(hints) = hints(unit) else { return };
        if let (Some(available), None) = (hints.summary_available.filter(|flag| flag.value), &hints.summary_unit) {
            let message = "the unit says that it has a summary, but not which unit it is".to_owned();
            self.tell(
                Code::SummaryUnitMissing,
                available.node,
                "hints.summary_available",
                message,
                "write `summary_unit: ID`",
            );
        }
        self.reference(Code::HintReferenceUnknown, &hints.summary_unit, "hints.summary_unit");
        self.reference(Code::HintReferenceUnknown, &hints.summary_of, "hints.summary_of");
        self.reference(Code::HintReferenceUnknown, &hints.chunk_of, "hints.chunk_of");
        if let (Some(of), Some(id)) = (&hints.summary_of, self.text(&hints.summary_of)) {
            let target = self.ids.get(id).and_then(|index| self.manifest.unit(*index));
            let says_so = |target: &Unit| self::hints(target).is_some_and(|hints| is_true(&hints.summary_available));
            if target.is_some_and(|target| !says_so(target)) {
                let message = format!("`{}` does not name this summary", shown(id));
                self.tell(
                    Code::SummaryOneSided,
                    of.node,
                    "hints.summary_of",
                    message,
                    "write `summary_available: true` and `summary_unit` into its hints",
                );
            }
        }
        self.chunk(hints);
        if let (Some(count), Some(id)) = (&hints.chunk_count, self.manifest.id(unit)) {
            let found = chunks.get(id).copied().unwrap_or(0);
            if found != count.value {
                let message = format!(
                    "{} chunks are declared, and {found} units are chunks of it",
                    count.value
                );
                self.tell(
                    Code::ChunkCount,
                    count.node,
                    "hints.chunk_count",
                    message,
                    "correct the number, or `chunk_of` of the chunks",
                );
            }
        }
    }

    fn chunk(&mut self, hints: &Hints) {
        let Some(index) = &hints.chunk_index else { return };
        if hints.chunk_of.is_none() {
            let message = "`chunk_index` is declared, but not `chunk_of`".to_owned();
            self.tell(
                Code::ChunkIndex,
                index.node,
                "hints.chunk_index",
                message,
                "write `chunk_of: ID`",
            );
        }
        let total = hints.total_chunks.map(|total| total.value);
        if index.value == 0 {
            let message = "chunks are counted from 1".to_owned();
            self.tell(
                Code::ChunkIndex,
                index.node,
                "hints.chunk_index",
                message,
                "write a number of 1 or more",
            );
        } else if let Some(total) = total.filter(|total| index.value > *total) {
            let message = format!("chunk {} of {total} does not exist", index.value);
            self.tell(
                Code::ChunkIndex,
                index.node,
                "hints.chunk_index",
                message,
                "correct `chunk_index` or `total_chunks`",
            );
        }
    }

    fn root_hints(&mut self) {
        let Some(declared) = &self.manifest.root.hints else {
            return;
        };
        let declared = &declared.value;
        self.reference(
            Code::HintReferenceUnknown,
            &declared.recommended_entry_point,
            "hints.recommended_entry_point",
        );
        let all = || self.manifest.units.iter().filter_map(hints);
        let estimates: Vec<u64> = all()
            .filter_map(|hints| hints.token_estimate.map(|tokens| tokens.value))
            .collect();
        let total = estimates.iter().fold(0u64, |sum, tokens| sum.saturating_add(*tokens));
        let count = self.manifest.units.len() as u64;
        let numbers = [
            ("unit_count", &declared.unit_count, count, "units are declared"),
            (
                "total_token_estimate",
                &declared.total_token_estimate,
                total,
                "is the sum of the units' estimates",
            ),
        ];
        for (name, field, is, what) in numbers {
            let applies = name == "unit_count" || !estimates.is_empty();
            if let Some(field) = field.as_ref().filter(|field| applies && field.value != is) {
                let message = format!("`{name}` is {}, but {is} {what}", field.value);
                self.tell(
                    Code::RootHints,
                    field.node,
                    &format!("hints.{name}"),
                    message,
                    "correct the number, or remove it",
                );
            }
        }
        let has_summaries = all().any(|hints| is_true(&hints.summary_available));
        let has_chunks = all().any(|hints| is_true(&hints.chunked));
        let flags = [
            (
                "has_summaries",
                &declared.has_summaries,
                has_summaries,
                "`summary_available`",
            ),
            ("has_chunks", &declared.has_chunks, has_chunks, "`chunked`"),
        ];
        for (name, field, is, what) in flags {
            if let Some(field) = field.as_ref().filter(|field| field.value != is) {
                let some = if is { "a unit is" } else { "no unit is" };
                let message = format!("`{name}` is {}, but {some} {what}", field.value);
                self.tell(
                    Code::RootHints,
                    field.node,
                    &format!("hints.{name}"),
                    message,
                    format!("write `{name}: {is}`"),
                );
            }
        }
    }
}

fn hints(unit: &Unit) -> Option<&Hints> {
    unit.hints.as_ref().map(|hints| hints.value.as_ref())
}
