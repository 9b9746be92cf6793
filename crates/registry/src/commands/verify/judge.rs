//! The findings in the documents of a registry (clauses A1 to A4, A6, J5; rulings 1, 6, 7, 14).

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

use super::Finding;
use crate::documents::{registry, repos, service, stats};
use crate::formats::compiled;
use lore_ckgp::consumer::aggregator::{Entry, each_entry};
use lore_ckgp::consumer::untrusted;
use lore_ckgp::forge::{RECORD_PATH, RepositoryId};
use lore_ckgp::registry_store::status::Status;

/// Findings that are reported.
pub(super) const MOST_FINDINGS: usize = 100;
/// Notes that are reported.
const MOST_NOTES: usize = 20;

const REGISTRY_SCHEMA: &str = include_str!("../../../../../schemas/ckgp/registry.schema.json");
const REPOS_SCHEMA: &str = include_str!("../../../../../schemas/ckgp/repos.schema.json");
const SERVICE_SCHEMA: &str = include_str!("../../../../../schemas/ckgp/code-graph-registry.schema.json");
const STATS_SCHEMA: &str = include_str!("../../../../../schemas/ckgp/stats.schema.json");

/// What of an entry is of the registry's own running, and no part of the short list.
const OPERATIONAL: [&str; 3] = ["miss_count", "last_error", "drift_checked_at"];

/// What was judged so far.
#[derive(Default)]
pub(super) struct Judged {
    /// How much is wrong.
    pub(super) count: u64,
    /// The first of it.
    pub(super) findings: Vec<Finding>,
    /// What is worth knowing.
    pub(super) notes: Vec<String>,
    /// The entries of registry.json.
    pub(super) entries: BTreeMap<RepositoryId, Entry>,
    /// Bytes of bodies, as registry.json has them.
    pub(super) sizes: BTreeMap<RepositoryId, u64>,
    /// Entries of repos.json.
    pub(super) listed: Option<u64>,
    has_registry: bool,
}

impl Judged {
    pub(super) fn find(&mut self, clause: &'static str, document: &str, at: Option<&str>, message: String) {
        self.count += 1;
        if self.findings.len() < MOST_FINDINGS {
            self.findings.push(Finding {
                clause,
                document: document.to_owned(),
                at: at.map(untrusted::name),
                message: untrusted::clean(&message, 400),
            });
        }
    }

    pub(super) fn note(&mut self, note: String) {
        match self.notes.len() {
            MOST_NOTES => self.notes.push("there are more notes".to_owned()),
            count if count < MOST_NOTES => self.notes.push(untrusted::clean(&note, 400)),
            _ => {}
        }
    }

    /// registry.json.
    pub(super) fn registry(&mut self, bytes: Option<&[u8]>) {
        let Some(document) = self.document("A1", registry::PATH, bytes, REGISTRY_SCHEMA) else {
            return;
        };
        self.has_registry = true;
        let rows = self.rows("A1", registry::PATH, &document, "entries");
        for row in &rows {
            self.row(row);
        }
        drop(document);
        let entries = &mut self.entries;
        let read = each_entry(bytes.unwrap_or_default(), &mut |entry| {
            if entry.id.format.is_none() {
                entries.entry(entry.id.repository.clone()).or_insert(entry);
            }
        });
        if let Err(fault) = read {
            self.find("A1", registry::PATH, None, fault.to_string());
        }
    }

    /// An entry of registry.json.
    fn row(&mut self, row: &Value) {
        let text = |name: &str| row.get(name).and_then(Value::as_str);
        let Some(id) = text("id") else {
            return;
        };
        let Ok(repository) = RepositoryId::parse(id) else {
            self.find("A2", registry::PATH, Some(id), "invalid id".to_owned());
            return;
        };
        if let Some(size) = row.get("size_bytes").and_then(Value::as_u64) {
            self.sizes.entry(repository.clone()).or_insert(size);
        }
        for (name, own) in [("owner", repository.owner()), ("repo", repository.repo())] {
            if let Some(said) = text(name).filter(|said| *said != own) {
                self.find(
                    "A2",
                    registry::PATH,
                    Some(id),
                    format!("{name} is {said}, but the id has {own}"),
                );
            }
        }
        self.status("A2", registry::PATH, id, row);
        let counts = row.get("nodes_count").is_some_and(|count| !count.is_null());
        if counts && text("status").is_some_and(|status| status != "ok") {
            let message = "nodes_count is set, but the graph is not ok".to_owned();
            self.find("A2", registry::PATH, Some(id), message);
        }
        let is_behind = row.get("commits_behind").is_some_and(|behind| !behind.is_null());
        let is_headed = row.get("head_sha").is_some_and(|head| !head.is_null());
        if text("source_sha").is_none() && (is_behind || is_headed) {
            let message = "head_sha or commits_behind is set without source_sha".to_owned();
            self.find("R2", registry::PATH, Some(id), message);
        }
    }

    fn status(&mut self, clause: &'static str, path: &str, id: &str, row: &Value) {
        if let Some(status) = row.get("status").and_then(Value::as_str)
            && Status::parse(status).is_none()
        {
            self.find(clause, path, Some(id), format!("unknown status {status}"));
        }
    }

    /// repos.json, and whether it agrees with registry.json.
    pub(super) fn repos(&mut self, bytes: Option<&[u8]>) {
        let Some(document) = self.document("A3", repos::PATH, bytes, REPOS_SCHEMA) else {
            return;
        };
        let rows = self.rows("A3", repos::PATH, &document, "repos");
        self.listed = Some(rows.len() as u64);
        let mut seen: BTreeSet<RepositoryId> = BTreeSet::new();
        let mut has_others = false;
        for row in &rows {
            let Some(id) = row.get("id").and_then(Value::as_str) else {
                continue;
            };
            let Ok(repository) = RepositoryId::parse(id) else {
                self.find("A3", repos::PATH, Some(id), "invalid id".to_owned());
                continue;
            };
            self.status("A3", repos::PATH, id, row);
            for name in OPERATIONAL.iter().filter(|name| row.get(**name).is_some()) {
                let message = format!("{name} is internal and must not be published");
                self.find("A3", repos::PATH, Some(id), message);
            }
            let status = row.get("status").and_then(Value::as_str).unwrap_or("ok");
            has_others = has_others || status != "ok";
            if status == "pending" {
                self.find("A3", repos::PATH, Some(id), "listed, but not visited yet".to_owned());
            }
            self.compare(&repository, id, row);
            seen.insert(repository);
        }
        if !self.has_registry {
            return;
        }
        // The text of the protocol lists what is ok, its amendment everything that was visited: a list that has others has all of them.
        let left_out = self.entries.values().filter(|entry| {
            let is_due = entry.is_ok() || (has_others && entry.status != "pending");
            is_due && !seen.contains(&entry.id.repository)
        });
        let left_out: Vec<(String, String)> = left_out
            .map(|entry| (entry.id.to_string(), entry.status.clone()))
            .collect();
        for (id, status) in left_out {
            let message = format!("not listed, but {status} in {}", registry::PATH);
            self.find("A3", repos::PATH, Some(&id), message);
        }
    }

    /// What both documents say of an entry.
    fn compare(&mut self, repository: &RepositoryId, id: &str, row: &Value) {
        if !self.has_registry {
            return;
        }
        let Some(entry) = self.entries.get(repository) else {
            let message = format!("missing in {}", registry::PATH);
            self.find("A3", repos::PATH, Some(id), message);
            return;
        };
        let text = |name: &str| row.get(name).and_then(Value::as_str).map(str::to_owned);
        let said = [
            ("format", text("format"), entry.format.as_ref().map(ToString::to_string)),
            ("graph_url", text("graph_url"), entry.graph_url.clone()),
            ("status", text("status"), Some(entry.status.clone())),
            (
                "source_sha",
                text("source_sha"),
                entry.source_sha.as_ref().map(ToString::to_string),
            ),
        ];
        let different: Vec<String> = said
            .into_iter()
            .filter(|(_, short, whole)| short != whole)
            .map(|(name, short, whole)| {
                let shown = |text: Option<String>| text.unwrap_or_else(|| "null".to_owned());
                format!("{name} is {}, but {} there", shown(short), shown(whole))
            })
            .collect();
        if !different.is_empty() {
            let message = format!("differs from {}: {}", registry::PATH, different.join("; "));
            self.find("A3", repos::PATH, Some(id), message);
        }
    }

    /// What the registry says of itself.
    pub(super) fn service(&mut self, found: Option<(&str, &[u8])>) {
        let Some((path, bytes)) = found else {
            self.find("A4", service::SERVICE_PATH, None, "missing".to_owned());
            return;
        };
        let document = self.document("A4", path, Some(bytes), SERVICE_SCHEMA);
        if path == RECORD_PATH {
            self.note(format!(
                "the service document is at {RECORD_PATH}, the place of a producer's record"
            ));
            if document.is_some_and(|document| document.get("graphs").is_some()) {
                self.find(
                    "A4",
                    path,
                    None,
                    "it has graphs, so it is the record of a producer".to_owned(),
                );
            }
        }
    }

    /// stats.json.
    pub(super) fn stats(&mut self, bytes: Option<&[u8]>) {
        self.document("A6", stats::PATH, bytes, STATS_SCHEMA);
    }

    /// A document that is there and is JSON, after its schema was asked.
    fn document(&mut self, clause: &'static str, path: &str, bytes: Option<&[u8]>, schema: &str) -> Option<Value> {
        let Some(bytes) = bytes else {
            self.find(clause, path, None, "missing".to_owned());
            return None;
        };
        let text = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
        let document: Value = match serde_json::from_slice(text) {
            Ok(document) => document,
            Err(error) => {
                self.find(clause, path, None, format!("not JSON: {error}"));
                return None;
            }
        };
        match compiled(schema) {
            Ok(validator) => {
                for error in validator.iter_errors(&document) {
                    let at = error.instance_path().to_string();
                    let at = Some(at.as_str()).filter(|at| !at.is_empty());
                    self.find(clause, path, at, untrusted::clean(&error.to_string(), 200));
                }
            }
            Err(why) => self.note(format!("cannot use the schema of {path}: {why}")),
        }
        Some(document)
    }

    /// The entries of a list, which are in order and each once.
    fn rows(&mut self, clause: &'static str, path: &str, document: &Value, name: &str) -> Vec<Value> {
        let rows = document
            .get(name)
            .and_then(Value::as_array)
            .cloned()
            .unwrap_or_default();
        let mut seen: BTreeSet<String> = BTreeSet::new();
        let mut last: Option<String> = None;
        let mut is_ordered = true;
        for id in rows.iter().filter_map(|row| row.get("id")?.as_str()) {
            let key = id.to_lowercase();
            if is_ordered && last.as_ref().is_some_and(|last| *last > key) {
                is_ordered = false;
                let message = format!("entries are not sorted by id: it follows {}", last.unwrap_or_default());
                self.find(clause, path, Some(id), message);
                last = None;
            }
            if !seen.insert(key.clone()) {
                self.find(clause, path, Some(id), "duplicate entry".to_owned());
            }
            if is_ordered {
                last = Some(key);
            }
        }
        rows
    }
}
