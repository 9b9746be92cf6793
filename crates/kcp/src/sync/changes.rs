//! What differs between a manifest and the files, as edits of its document.

use std::collections::{HashMap, HashSet};

use schemars::JsonSchema;
use serde::Serialize;

use super::{UnitSyncAnswer, UnitSyncRequest};
use crate::init::{Draft, estimate};
use crate::levels::level;
use crate::model::{Hints, Manifest, Unit, is_true, known};
use crate::path::normal;
use crate::version::Semver;
use crate::vocabulary::{EstimateMethod, UnitKind};
use lore_base::yaml::edit::{EditFault, Edits};
use lore_base::yaml::write::Yaml;
use lore_base::yaml::{Node, NodeId};

/// The keys after which `hints` come where they are new.
const BEFORE_ROOT: &[&str] = &["kcp_version", "project", "version", "updated"];

/// A unit that was added or removed
#[derive(Serialize, JsonSchema, Clone, PartialEq, Eq, Debug)]
pub struct SyncedUnit {
    /// Its id
    pub id: String,
    /// Its document
    pub path: String,
    /// The question that it answers
    #[serde(skip_serializing_if = "Option::is_none")]
    pub intent: Option<String>,
}

/// A value that changed
#[derive(Serialize, JsonSchema, Clone, PartialEq, Eq, Debug)]
pub struct ChangedField {
    /// The id of the unit; null for the manifest itself
    pub id: Option<String>,
    /// The field
    pub field: String,
    /// The value before; null if it was absent
    pub from: Option<String>,
    /// What it is
    pub to: String,
}

/// A missing document
#[derive(Serialize, JsonSchema, Clone, PartialEq, Eq, Debug)]
pub struct MissingFile {
    /// The id of its unit
    pub id: String,
    /// The path
    pub path: String,
    /// The line of the unit in the manifest
    pub line: u32,
}

/// A version and the next one
#[derive(Serialize, JsonSchema, Clone, PartialEq, Eq, Debug)]
pub struct VersionChange {
    /// What it was
    pub from: String,
    /// What it is
    pub to: String,
}

/// Edits in progress, and their report.
pub(super) struct Changes<'a, 'd> {
    pub(super) manifest: &'d Manifest,
    pub(super) edits: Edits<'d>,
    pub(super) answer: &'a mut UnitSyncAnswer,
    pub(super) request: &'a UnitSyncRequest,
    /// Estimates of the units that stay.
    total: u64,
    has_estimates: bool,
    /// Numbers of the units that go.
    gone: HashSet<usize>,
}

impl<'a, 'd> Changes<'a, 'd> {
    pub(super) fn new(
        manifest: &'d Manifest,
        edits: Edits<'d>,
        answer: &'a mut UnitSyncAnswer,
        request: &'a UnitSyncRequest,
    ) -> Self {
        Self {
            manifest,
            edits,
            answer,
            request,
            total: 0,
            has_estimates: false,
            gone: HashSet::new(),
        }
    }

    /// Looks at the document of every unit; `bytes` says how large the file at a path is, if there is one, and `is_other` whether a path is something else than a file.
    pub(super) fn units(
        &mut self,
        bytes: &dyn Fn(&str) -> Option<u64>,
        is_other: &dyn Fn(&str) -> bool,
    ) -> Result<(), EditFault> {
        let manifest = self.manifest;
        for (number, unit) in manifest.units.iter().enumerate() {
            let Some(path) = manifest.path(unit) else { continue };
            let id = manifest.id(unit).unwrap_or_default();
            match bytes(&normal(path)) {
                Some(bytes) => self.measure(id, unit, bytes)?,
                None if unit.kind_or_default() == UnitKind::Service => self.count(hints(unit)),
                None if self.request.prune && !is_other(path) => {
                    self.gone.insert(number);
                }
                None => {
                    self.count(hints(unit));
                    self.answer.missing.push(MissingFile {
                        id: id.to_owned(),
                        path: path.to_owned(),
                        line: manifest.document.place(unit.node).line,
                    });
                }
            }
        }
        Ok(())
    }

    /// Whether no unit would stay.
    pub(super) fn is_all_gone(&self) -> bool {
        !self.gone.is_empty() && self.gone.len() == self.manifest.units.len()
    }

    fn count(&mut self, hints: Option<&Hints>) {
        if let Some(estimate) = hints.and_then(|hints| hints.token_estimate.as_ref()) {
            self.total = self.total.saturating_add(estimate.value);
            self.has_estimates = true;
        }
    }

    /// Compares what a unit says of its size with its file.
    fn measure(&mut self, id: &str, unit: &'d Unit, bytes: u64) -> Result<(), EditFault> {
        let declared = hints(unit);
        let node = unit.hints.as_ref().map(|hints| hints.node);
        if let (Some(node), Some(size)) = (node, declared.and_then(|hints| hints.size_bytes.as_ref()))
            && size.value != bytes
        {
            self.number(
                Some(id),
                node,
                "size_bytes",
                "hints.size_bytes",
                Some(size.value),
                bytes,
            )?;
        }
        let is_measured =
            declared.and_then(|hints| known(&hints.token_estimate_method)) == Some(EstimateMethod::Measured);
        let tokens = estimate(bytes);
        match (node, declared.and_then(|hints| hints.token_estimate.as_ref())) {
            (_, Some(there)) if is_measured => {
                // A measured number is better than an estimate, so it stays, with a warning that the file changed.
                if there.value.abs_diff(tokens) * 2 > there.value.max(tokens) {
                    self.answer.notes.push(format!(
                        "the tokens of `{id}` were measured as {}; from its size the estimate is {tokens} now",
                        there.value
                    ));
                }
                self.count(declared);
            }
            (Some(node), Some(there)) => {
                if there.value != tokens {
                    self.number(
                        Some(id),
                        node,
                        "token_estimate",
                        "hints.token_estimate",
                        Some(there.value),
                        tokens,
                    )?;
                }
                self.add(tokens);
            }
            (Some(node), None) if self.request.add_hints => {
                self.number(Some(id), node, "token_estimate", "hints.token_estimate", None, tokens)?;
                self.add(tokens);
            }
            (None, _) if self.request.add_hints => {
                let value = Yaml::Mapping(vec![("token_estimate".to_owned(), Yaml::Number(tokens))]);
                self.edits.set(unit.node, "hints", value, &[])?;
                self.told(Some(id), "hints.token_estimate", None, tokens.to_string());
                self.add(tokens);
            }
            _ => {}
        }
        Ok(())
    }

    fn add(&mut self, tokens: u64) {
        self.total = self.total.saturating_add(tokens);
        self.has_estimates = true;
    }

    fn told(&mut self, id: Option<&str>, field: &str, from: Option<String>, to: String) {
        self.answer.updated.push(ChangedField {
            id: id.map(str::to_owned),
            field: field.to_owned(),
            from,
            to,
        });
    }

    fn number(
        &mut self,
        id: Option<&str>,
        node: NodeId,
        key: &str,
        field: &str,
        from: Option<u64>,
        to: u64,
    ) -> Result<(), EditFault> {
        self.edits.set(node, key, Yaml::Number(to), &[])?;
        self.told(id, field, from.map(|from| from.to_string()), to.to_string());
        Ok(())
    }

    /// Takes out the units whose documents are gone, and what refers to them.
    pub(super) fn prune(&mut self) -> Result<(), EditFault> {
        let manifest = self.manifest;
        let Some(list) = manifest.root.units.filter(|_| !self.gone.is_empty()) else {
            return Ok(());
        };
        let mut ids: HashMap<&str, bool> = HashMap::new();
        for (number, unit) in manifest.units.iter().enumerate() {
            let Some(id) = manifest.id(unit) else { continue };
            // Another unit with the same id keeps it known.
            let is_gone = self.gone.contains(&number);
            let known = ids.entry(id).or_insert(is_gone);
            *known &= is_gone;
        }
        let is_gone = |id: &str| ids.get(id).copied().unwrap_or(false);
        for number in 0..manifest.units.len() {
            if !self.gone.contains(&number) {
                continue;
            }
            self.edits.remove_item(list, number)?;
            let unit = &manifest.units[number];
            self.answer.removed.push(SyncedUnit {
                id: manifest.id(unit).unwrap_or_default().to_owned(),
                path: manifest.path(unit).unwrap_or_default().to_owned(),
                intent: None,
            });
        }
        if let Some(list) = manifest.root.relationships {
            for (number, relationship) in manifest.relationships.iter().enumerate() {
                let ends = [&relationship.from, &relationship.to];
                let (from, to) = (manifest.field(ends[0]), manifest.field(ends[1]));
                if from.is_some_and(is_gone) || to.is_some_and(is_gone) {
                    self.take_out(list, number, relationship.node, "relationship")?;
                }
            }
        }
        for (number, unit) in manifest.units.iter().enumerate() {
            let Some(needed) = unit.depends_on.as_ref().filter(|_| !self.gone.contains(&number)) else {
                continue;
            };
            for (at, id) in needed.value.iter().enumerate() {
                if is_gone(manifest.text(id.value)) {
                    self.take_out(needed.node, at, id.node, "dependency")?;
                }
            }
        }
        Ok(())
    }

    /// Takes an item out of a list, where that leaves a list: the last one of a list with dashes would leave nothing.
    fn take_out(&mut self, list: NodeId, number: usize, node: NodeId, what: &str) -> Result<(), EditFault> {
        let document = &self.manifest.document;
        let items = match document.node(list) {
            Node::Sequence(items) => items.collect::<Vec<_>>(),
            _ => Vec::new(),
        };
        let is_there = items.get(number) == Some(&node);
        if is_there && (document.is_flow(list) || items.len() > 1) {
            return self.edits.remove_item(list, number);
        }
        let place = document.place(node);
        self.answer.notes.push(format!(
            "{}:{}: this {what} names a unit that was removed; remove it by hand",
            place.line, place.column
        ));
        Ok(())
    }

    /// Adds units for documents that the manifest does not name.
    pub(super) fn append(&mut self, drafts: &[Draft], today: &str) -> Result<(), EditFault> {
        let Some(list) = self.manifest.root.units else {
            return Ok(());
        };
        let level = level(self.manifest);
        for draft in drafts {
            self.edits.append_item(list, draft.unit(level, today))?;
            if level >= 2 {
                self.add(estimate(draft.bytes));
            }
            self.answer.added.push(SyncedUnit {
                id: draft.id.clone(),
                path: draft.path.clone(),
                intent: Some(draft.intent.clone()),
            });
        }
        Ok(())
    }

    /// Brings the hints of the manifest in step with its units, as they are after everything else.
    pub(super) fn root_hints(&mut self) -> Result<(), EditFault> {
        let manifest = self.manifest;
        let count = (manifest.units.len() - self.gone.len() + self.answer.added.len()) as u64;
        let Some(declared) = &manifest.root.hints else {
            if self.request.add_hints {
                let mut hints = vec![("unit_count".to_owned(), Yaml::Number(count))];
                if self.has_estimates {
                    hints.insert(0, ("total_token_estimate".to_owned(), Yaml::Number(self.total)));
                    self.told(None, "hints.total_token_estimate", None, self.total.to_string());
                }
                self.told(None, "hints.unit_count", None, count.to_string());
                self.edits
                    .set(manifest.root.node, "hints", Yaml::Mapping(hints), BEFORE_ROOT)?;
            }
            return Ok(());
        };
        let node = declared.node;
        if let Some(there) = declared.value.unit_count.as_ref().filter(|there| there.value != count) {
            self.number(None, node, "unit_count", "hints.unit_count", Some(there.value), count)?;
        }
        let total = declared.value.total_token_estimate.as_ref();
        if let Some(there) = total.filter(|there| self.has_estimates && there.value != self.total) {
            let total = self.total;
            self.number(
                None,
                node,
                "total_token_estimate",
                "hints.total_token_estimate",
                Some(there.value),
                total,
            )?;
        }
        let stays = manifest
            .units
            .iter()
            .enumerate()
            .filter(|(number, _)| !self.gone.contains(number));
        let of_units: Vec<&Hints> = stays.filter_map(|(_, unit)| hints(unit)).collect();
        let flags = [
            (
                "has_summaries",
                &declared.value.has_summaries,
                of_units.iter().any(|hints| is_true(&hints.summary_available)),
            ),
            (
                "has_chunks",
                &declared.value.has_chunks,
                of_units.iter().any(|hints| is_true(&hints.chunked)),
            ),
        ];
        for (key, field, is) in flags {
            if let Some(there) = field.as_ref().filter(|there| there.value != is) {
                self.edits.set(node, key, Yaml::Flag(is), &[])?;
                self.told(
                    None,
                    &format!("hints.{key}"),
                    Some(there.value.to_string()),
                    is.to_string(),
                );
            }
        }
        Ok(())
    }

    /// Raises `updated` and the version, if anything changed: the minor number when units came or went, else the patch.
    pub(super) fn bump(&mut self, today: &str) -> Result<(), EditFault> {
        if self.edits.is_empty() || self.request.no_bump {
            return Ok(());
        }
        let manifest = self.manifest;
        let root = manifest.root.node;
        let updated = manifest.root.updated.as_ref();
        let updated = updated.map(|date| manifest.text(date.value.text).to_owned());
        if updated.as_deref() != Some(today) {
            self.edits.set(
                root,
                "updated",
                Yaml::text(today),
                &["kcp_version", "project", "version"],
            )?;
            self.told(None, "updated", updated, today.to_owned());
        }
        let Some(from) = manifest.field(&manifest.root.version) else {
            return Ok(());
        };
        let Some(version) = Semver::parse(from) else {
            self.answer.notes.push(format!(
                "the version `{from}` is not a semantic version and was not raised"
            ));
            return Ok(());
        };
        let is_minor = !self.answer.added.is_empty() || !self.answer.removed.is_empty();
        let next = |number: u64| number.saturating_add(1);
        let to = match (is_minor, version.pre_release.is_empty()) {
            // A pre-release is before the version that it names.
            (_, false) => format!("{}.{}.{}", version.major, version.minor, version.patch),
            (true, true) => format!("{}.{}.0", version.major, next(version.minor)),
            (false, true) => format!("{}.{}.{}", version.major, version.minor, next(version.patch)),
        };
        self.edits.set(root, "version", Yaml::text(&to), &[])?;
        self.answer.version = Some(VersionChange {
            from: from.to_owned(),
            to,
        });
        Ok(())
    }
}

fn hints(unit: &Unit) -> Option<&Hints> {
    unit.hints.as_ref().map(|hints| hints.value.as_ref())
}
