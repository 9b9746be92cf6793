//! Who is called what across manifests: which units lack something of another one (clause F8), and how units of different manifests are related (clause F9).

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use super::machine::{Federation, MemberIndex, Notice, State};
use crate::finding::shown;
use crate::model::{Declared, UnitIndex, known};
use crate::vocabulary::{OnFailure, RelationshipType};

/// A relation between units of different manifests; none is the first manifest.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CrossRelation {
    /// The manifest of the one.
    pub from_manifest: Option<MemberIndex>,
    /// The one.
    pub from_unit: String,
    /// The manifest of the other.
    pub to_manifest: Option<MemberIndex>,
    /// The other.
    pub to_unit: String,
    /// What it is to the other.
    pub kind: RelationshipType,
}

/// Units that lack something of another manifest, or depend on such a unit, with the reason (clause F8).
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Incomplete {
    reasons: HashMap<(Option<MemberIndex>, UnitIndex), Arc<str>>,
}

impl Incomplete {
    /// Why the answer of a unit is incomplete, if it is; no member is the first manifest.
    pub fn reason(&self, manifest: Option<MemberIndex>, unit: UnitIndex) -> Option<&str> {
        self.reasons.get(&(manifest, unit)).map(|why| &**why)
    }

    /// Those of one manifest.
    pub fn of(&self, manifest: Option<MemberIndex>) -> impl Iterator<Item = UnitIndex> {
        let units = self.reasons.keys().filter(move |(of, _)| *of == manifest);
        units.map(|(_, unit)| *unit)
    }

    /// Whether there is no such unit.
    pub fn is_empty(&self) -> bool {
        self.reasons.is_empty()
    }

    /// All of them, in order.
    pub fn all(&self) -> Vec<(Option<MemberIndex>, UnitIndex, &str)> {
        let mut all: Vec<_> = self
            .reasons
            .iter()
            .map(|((manifest, unit), why)| (*manifest, *unit, &**why))
            .collect();
        all.sort_unstable();
        all
    }
}

/// Who is called what in which manifest.
pub(super) struct Names<'f> {
    /// Declarations by the manifest that makes them and the id they have there.
    declared: HashMap<(Option<MemberIndex>, &'f str), MemberIndex>,
    /// The first unit with an id in each manifest.
    units: HashMap<(Option<MemberIndex>, &'f str), UnitIndex>,
}

impl<'f> Names<'f> {
    pub(super) fn of(federation: &'f Federation) -> Self {
        let mut declared = HashMap::new();
        for (number, member) in (0u32..).zip(&federation.members) {
            declared
                .entry((member.declared_by, member.id.as_str()))
                .or_insert(MemberIndex(number));
        }
        let mut names = Self {
            declared,
            units: HashMap::new(),
        };
        for (index, manifest) in federation.manifests() {
            for (number, unit) in (0u32..).zip(&manifest.units) {
                if let Some(id) = manifest.id(unit) {
                    names.units.entry((index, id)).or_insert(UnitIndex(number));
                }
            }
        }
        names
    }

    /// The content that an id means in a manifest: `Err` with the reason if it has none, `None` if the id is not declared.
    fn content(
        &self,
        federation: &Federation,
        by: Option<MemberIndex>,
        id: &str,
    ) -> Option<Result<Option<MemberIndex>, String>> {
        let index = *self.declared.get(&(by, id))?;
        let member = federation.member(index)?;
        let (index, member) = match &member.state {
            State::First => return Some(Ok(None)),
            State::Same(same) => (*same, federation.member(*same)?),
            _ => (index, member),
        };
        Some(match &member.state {
            State::Loaded => Ok(Some(index)),
            State::Failed(why) => Err(format!("the manifest `{id}` could not be read: {why}")),
            State::Archive => Err(format!("the manifest `{id}` is an archive and was not requested")),
            State::TooDeep => Err(format!("the manifest `{id}` is too many steps away")),
            State::TooMany => Err(format!("the manifest `{id}` exceeds the number of manifests")),
            // Nobody tried, so nothing is known to be missing.
            State::Declared => return None,
            State::First | State::Same(_) => Err(format!("the manifest `{id}` was not read")),
        })
    }

    pub(super) fn incomplete(&self, federation: &Federation, stops_at_depth: bool) -> (Incomplete, Vec<Notice>) {
        type Node = (Option<MemberIndex>, UnitIndex);
        let mut lacking: Vec<(Node, Arc<str>)> = Vec::new();
        let mut dependents: HashMap<Node, Vec<Node>> = HashMap::new();
        let mut notices = Vec::new();
        for (by, manifest) in federation.manifests() {
            for (number, unit) in (0u32..).zip(&manifest.units) {
                let node = (by, UnitIndex(number));
                for id in unit.depends_on.iter().flat_map(|list| &list.value) {
                    if let Some(target) = self.units.get(&(by, manifest.text(id.value))) {
                        dependents.entry((by, *target)).or_default().push(node);
                    }
                }
                for needed in &unit.external_depends_on {
                    let (Some(id), Some(unit_id)) = (manifest.field(&needed.manifest), manifest.field(&needed.unit))
                    else {
                        continue;
                    };
                    let policy = known(&needed.on_failure).unwrap_or(OnFailure::Skip);
                    let Some(content) = self.content(federation, by, id) else {
                        continue;
                    };
                    let found = content.and_then(|content| {
                        let unit = self.units.get(&(content, unit_id)).copied();
                        unit.map(|unit| (content, unit))
                            .ok_or_else(|| format!("the manifest `{id}` has no unit `{}`", shown(unit_id)))
                    });
                    match (found, policy) {
                        (Ok(target), OnFailure::Degrade) => dependents.entry(target).or_default().push(node),
                        (Ok(_), _) | (Err(_), OnFailure::Skip) => {}
                        // With a chosen depth limit, missing manifests beyond it are expected.
                        (Err(_), _) if stops_at_depth && by.is_some() => {}
                        (Err(why), OnFailure::Degrade) => lacking.push((node, why.into())),
                        (Err(why), OnFailure::Warn) => {
                            let unit = manifest.id(unit).unwrap_or_default();
                            notices.push(Notice {
                                member: by,
                                message: format!("unit `{unit}` lacks `{}`: {why}", shown(unit_id)),
                            });
                        }
                    }
                }
            }
        }
        let mut incomplete = Incomplete::default();
        let mut next = lacking;
        // Nearest first, so that every unit names the reason that is closest to it.
        while !next.is_empty() {
            let mut further = Vec::new();
            for (node, why) in next {
                if incomplete.reasons.contains_key(&node) {
                    continue;
                }
                for dependent in dependents.get(&node).into_iter().flatten() {
                    further.push((*dependent, Arc::clone(&why)));
                }
                incomplete.reasons.insert(node, why);
            }
            next = further;
        }
        (incomplete, notices)
    }

    pub(super) fn relations(&self, federation: &Federation) -> Vec<CrossRelation> {
        let mut relations = Vec::new();
        let mut seen = HashSet::new();
        for (by, manifest) in federation.manifests() {
            for relation in &manifest.external_relationships {
                let side = |other: &Option<Declared<_>>, unit: &Option<Declared<_>>| {
                    let unit = manifest.field(unit)?;
                    let content = match manifest.field(other) {
                        None => by,
                        Some(id) => self.content(federation, by, id)?.ok()?,
                    };
                    // What does not exist is not related to anything.
                    self.units.get(&(content, unit))?;
                    Some((content, unit.to_owned()))
                };
                let (Some(from), Some(to), Some(kind)) = (
                    side(&relation.from_manifest, &relation.from_unit),
                    side(&relation.to_manifest, &relation.to_unit),
                    known(&relation.kind),
                ) else {
                    continue;
                };
                if seen.insert((from.clone(), to.clone(), kind)) {
                    relations.push(CrossRelation {
                        from_manifest: from.0,
                        from_unit: from.1,
                        to_manifest: to.0,
                        to_unit: to.1,
                        kind,
                    });
                }
            }
        }
        relations
    }
}
