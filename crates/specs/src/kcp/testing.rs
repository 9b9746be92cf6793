//! Manifests from text and a world in memory, for tests.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use lore_model::{Cancel, CodeGraph, NoProgress, Progress};

use super::finding::{Code, Finding, Severity};
use super::model::Manifest;
use super::parse::{Parsed, parse};
use super::validate::{ValidateOptions, validate};
use super::yaml::Limits;
use crate::seam::{
    Alarm, Check, Clock, Code as CodePort, Ctx, ErrorKind, FetchLimits, Fetched, Files, GraphScope, Health, History,
    Ids, IndexRequest, IndexSummary, OpError, Origin, PathKind, Ports, Setting, Settings, Web, WriteOne, Written,
};

/// A manifest without a flaw; what is appended to it with four spaces belongs to its unit, without them to the manifest.
pub(super) const UNIT: &str = "kcp_version: \"0.14\"\nproject: shop\nversion: 1.0.0\nunits:\n  - id: a\n    path: docs/a.md\n    intent: What is a?\n    scope: global\n    audience: [agent]\n";

/// What became of a text.
pub(super) fn parsed(text: &str) -> Parsed {
    parse(text.as_bytes(), &Limits::default())
}

/// A manifest from text.
pub(super) fn manifest(text: &str) -> Manifest {
    let parsed = parsed(text);
    assert!(parsed.manifest.is_some(), "{:?}", parsed.findings);
    parsed.manifest.expect("it is there")
}

/// All findings about a text, without looking for files.
pub(super) fn findings(text: &str) -> Vec<Finding> {
    findings_with(text, &ValidateOptions::default())
}

/// All findings about a text.
pub(super) fn findings_with(text: &str, options: &ValidateOptions<'_>) -> Vec<Finding> {
    let parsed = parsed(text);
    let mut findings = parsed.findings;
    for finding in &mut findings {
        finding.severity = options.strict.severity(finding.code, finding.severity);
    }
    if let Some(manifest) = &parsed.manifest {
        findings.extend(validate(manifest, options));
    }
    findings
}

/// Findings in short: `severity code line:column`.
pub(super) fn codes(text: &str) -> Vec<String> {
    let short = |finding: &Finding| {
        let place = finding.place;
        format!(
            "{} {} {}:{}",
            finding.severity.name(),
            finding.code.name(),
            place.line,
            place.column
        )
    };
    findings(text).iter().map(short).collect()
}

/// Whether a text has a finding with a code.
pub(super) fn has(text: &str, code: Code) -> bool {
    findings(text).iter().any(|finding| finding.code == code)
}

/// Whether a text is a valid manifest.
pub(super) fn is_valid(text: &str) -> bool {
    !findings(text).iter().any(|finding| finding.severity == Severity::Error)
}

/// What there is outside.
#[derive(Default)]
pub(super) struct World {
    /// Files by path.
    pub(super) files: BTreeMap<String, Vec<u8>>,
    /// What was written.
    pub(super) written: Mutex<BTreeMap<String, Vec<u8>>>,
}

impl World {
    /// A world of files.
    pub(super) fn of_files(files: impl IntoIterator<Item = (impl Into<String>, impl Into<Vec<u8>>)>) -> Arc<Self> {
        let files = files.into_iter().map(|(path, bytes)| (path.into(), bytes.into()));
        Arc::new(Self {
            files: files.collect(),
            ..Self::default()
        })
    }

    /// A request in this world.
    pub(super) fn ctx(self: &Arc<Self>) -> Ctx {
        let ports = Ports {
            code: Arc::clone(self) as Arc<dyn CodePort>,
            settings: Arc::clone(self) as Arc<dyn Settings>,
            health: Arc::clone(self) as Arc<dyn Health>,
            clock: Arc::clone(self) as Arc<dyn Clock>,
            ids: Arc::clone(self) as Arc<dyn Ids>,
            files: Arc::clone(self) as Arc<dyn Files>,
            web: Arc::clone(self) as Arc<dyn Web>,
        };
        Ctx {
            ports: Arc::new(ports),
            progress: Arc::new(NoProgress),
            cancel: Arc::new(Cancel::default()),
        }
    }
}

fn nothing<T>(what: &str) -> Result<T, OpError> {
    Err(OpError::new(ErrorKind::Unavailable, format!("there is no {what}")))
}

impl Files for World {
    fn kind(&self, path: &str) -> Option<PathKind> {
        let path = path.trim_end_matches('/');
        let folder = format!("{path}/");
        match self.files.keys().any(|known| known.starts_with(&folder)) {
            true => Some(PathKind::Directory),
            false => self.files.get(path).map(|_| PathKind::File),
        }
    }

    fn list(&self, path: &str) -> Result<Vec<String>, OpError> {
        let folder = format!("{path}/");
        let names = self.files.keys().filter_map(|known| known.strip_prefix(&folder));
        Ok(names.map(str::to_owned).collect())
    }

    fn read(&self, path: &str, _: u64) -> Result<Vec<u8>, OpError> {
        self.files
            .get(path)
            .map_or_else(|| nothing(path), |bytes| Ok(bytes.clone()))
    }

    fn write_set(&self, paths: &[String], write: WriteOne<'_>) -> Result<Vec<Written>, OpError> {
        let mut told = Vec::new();
        for (number, path) in paths.iter().enumerate() {
            let mut bytes = Vec::new();
            write(number, &mut bytes)?;
            told.push(Written {
                bytes: bytes.len() as u64,
                streamed: false,
            });
            if let Ok(mut written) = self.written.lock() {
                written.insert(path.clone(), bytes);
            }
        }
        Ok(told)
    }
}

impl Web for World {
    fn get(&self, url: &str, _: &FetchLimits) -> Result<Fetched, OpError> {
        nothing(url)
    }
}

impl CodePort for World {
    fn graph(&self, _: &GraphScope, _: &dyn Progress, _: &Cancel) -> Result<Arc<CodeGraph>, OpError> {
        nothing("repository")
    }

    fn index(&self, _: &IndexRequest, _: &dyn Progress, _: &Cancel) -> Result<IndexSummary, OpError> {
        nothing("repository")
    }

    fn wait_for_change(&self, _: &IndexRequest, _: &Cancel) -> Result<bool, OpError> {
        nothing("repository")
    }

    fn here(&self) -> String {
        String::new()
    }

    fn read(&self, _: &GraphScope, path: &str) -> Result<Vec<u8>, OpError> {
        nothing(path)
    }

    fn origin(&self, _: &GraphScope) -> Result<Origin, OpError> {
        nothing("repository")
    }

    fn history(&self, _: &GraphScope, _: &dyn Progress, _: &Cancel) -> Result<Option<Arc<History>>, OpError> {
        Ok(None)
    }
}

impl Settings for World {
    fn list(&self) -> Vec<Setting> {
        Vec::new()
    }
}

impl Health for World {
    fn check(&self) -> Vec<Check> {
        Vec::new()
    }
}

impl Clock for World {
    fn now_ms(&self) -> u64 {
        0
    }

    fn after(&self, _: Duration, _: Box<dyn FnOnce() + Send>) -> Box<dyn Alarm> {
        Box::new(Silent)
    }
}

struct Silent;

impl Alarm for Silent {}

impl Ids for World {
    fn fresh(&self) -> String {
        String::new()
    }
}
