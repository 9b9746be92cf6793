//! `lore unit report access-log`: who was allowed to read what, from the audit log, with what the manifest says of each unit.

use crate::audit_log::AuditLog;
use std::collections::{BTreeMap, HashMap};

use clap::Args;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::article30::{must_log, texts};
use super::cell;
use crate::audit::AuditLine;
use crate::date::Day;
use crate::effective::effective;
use crate::graph::ids;
use crate::open::open_valid;
use crate::vocabulary::Vocabulary;
use lore_seam::{Access, Ctx, ErrorKind, OpError, Operation, Page, Render, Value};

/// Lines of the log that are looked at.
const LINES: usize = 100_000;

/// Log of accesses: who was allowed to read which unit, and under which obligations
///
/// The log has the reads through `lore unit show` and the MCP server, if the manifest demands a log. The report adds the sensitivity and the regulations that the manifest declares now. Reads of units that forbid logging are not in it.
#[derive(Args, Deserialize, JsonSchema, Clone, Debug, Default)]
#[command(after_help = "Examples:
  lore unit report access-log > accesses.md
  lore unit report access-log --since 2026-02-01 --json
  lore unit report access-log --unit payroll --limit 20

Exit status: 0: there are accesses; 1: there are none; 2: the log or the manifest could not be read.")]
#[serde(default)]
pub struct AccessLogRequest {
    /// The manifest, or its directory [default: the manifest of this repository]
    #[arg(value_name = "FILE")]
    pub file: Option<String>,
    /// Only this unit
    #[arg(long, value_name = "ID")]
    pub unit: Option<String>,
    /// Only from this day on
    #[arg(long, value_name = "YYYY-MM-DD")]
    pub since: Option<String>,
    /// Most accesses; the latest ones are kept
    #[arg(long, value_name = "COUNT")]
    pub limit: Option<usize>,
    /// Use a manifest that is not valid, as far as it can be parsed
    #[arg(long)]
    pub lenient: bool,
}

/// The log
#[derive(Serialize, JsonSchema, Clone, PartialEq, Eq, Debug)]
pub struct UnitAccessLogAnswer {
    /// The manifest
    pub manifest: String,
    /// The project
    pub project: String,
    /// Whether the manifest demands a log of every read
    pub agent_must_log: bool,
    /// Number of accesses by decision
    pub decisions: BTreeMap<String, usize>,
    /// The accesses, the oldest first
    pub accesses: Vec<AccessRow>,
    /// Lines of the log that could not be read
    pub unreadable: usize,
}

/// One access
#[derive(Serialize, JsonSchema, Clone, PartialEq, Eq, Debug)]
pub struct AccessRow {
    /// The line of the log
    #[serde(flatten)]
    pub line: AuditLine,
    /// How confidential the unit is now; null if it is not declared or there is no such unit
    pub sensitivity: Option<String>,
    /// Regulations that the unit falls under now
    pub regulations: Vec<String>,
}

/// `lore unit report access-log`.
pub struct UnitAccessLog;

impl Operation for UnitAccessLog {
    const NAME: &'static str = "unit_access_log";
    const COMMAND: &'static [&'static str] = &["unit", "report", "access-log"];
    const ACCESS: Access = Access::Read;
    type Request = AccessLogRequest;
    type Answer = Value<UnitAccessLogAnswer>;

    fn run(ctx: &Ctx, request: AccessLogRequest) -> Result<Value<UnitAccessLogAnswer>, OpError> {
        if let Some(since) = request
            .since
            .as_ref()
            .filter(|since| since.len() != 10 || Day::parse(since).is_none())
        {
            return Err(
                OpError::new(ErrorKind::Invalid, format!("`{since}` is not a date")).hint("write it as 2026-02-25")
            );
        }
        let (path, m) = open_valid(ctx, request.file.as_deref(), request.lenient)?;
        let known = ids(&m);
        let mut accesses = Vec::new();
        let mut unreadable = 0;
        let mut declared: HashMap<String, (Option<String>, Vec<String>)> = HashMap::new();
        for line in ctx.port::<dyn AuditLog>().last(LINES)? {
            let Ok(line) = serde_json::from_str::<AuditLine>(&line) else {
                unreadable += 1;
                continue;
            };
            let is_other = request.unit.as_ref().is_some_and(|unit| *unit != line.unit);
            // Times are written so that their order is that of their texts.
            let is_before = request
                .since
                .as_ref()
                .is_some_and(|since| line.time.as_str() < since.as_str());
            if is_other || is_before {
                continue;
            }
            let (sensitivity, regulations) = declared
                .entry(line.unit.clone())
                .or_insert_with(|| {
                    let Some(index) = known.get(line.unit.as_str()).copied() else {
                        return (None, Vec::new());
                    };
                    let effective = effective(&m, index);
                    let regulations = effective.compliance.regulations.map(|list| texts(&m, list.value));
                    let sensitivity = effective.sensitivity.map(|word| word.value.word().to_owned());
                    (sensitivity, regulations.unwrap_or_default())
                })
                .clone();
            accesses.push(AccessRow {
                line,
                sensitivity,
                regulations,
            });
        }
        if let Some(limit) = request.limit {
            accesses.drain(..accesses.len().saturating_sub(limit));
        }
        let mut decisions: BTreeMap<String, usize> = BTreeMap::new();
        for row in &accesses {
            *decisions.entry(row.line.decision.clone()).or_default() += 1;
        }
        let answer = UnitAccessLogAnswer {
            manifest: path,
            project: m.field(&m.root.project).unwrap_or_default().to_owned(),
            agent_must_log: must_log(&m),
            decisions,
            accesses,
            unreadable,
        };
        Ok(if answer.accesses.is_empty() {
            Value::no(answer)
        } else {
            Value::yes(answer)
        })
    }
}

impl Render for UnitAccessLogAnswer {
    fn render(&self, page: &mut Page) {
        page.keep_whole();
        page.block(&format!("# Accesses to the knowledge of {}\n\n", cell(&self.project)));
        if self.accesses.is_empty() {
            page.line(format_args!("The log has no accesses."));
            return;
        }
        let counts: Vec<String> = self
            .decisions
            .iter()
            .map(|(decision, count)| format!("{count} {decision}"))
            .collect();
        page.block(&format!("{}\n\n", cell(&counts.join(", "))));
        page.line(format_args!(
            "| Time | Agent | Unit | Decision | Sensitivity | Regulations | Obligations | Trace |"
        ));
        page.line(format_args!("|---|---|---|---|---|---|---|---|"));
        for row in &self.accesses {
            let line = &row.line;
            let cells = [
                line.time.as_str(),
                &line.agent,
                &line.unit,
                &line.decision,
                row.sensitivity.as_deref().unwrap_or_default(),
                &row.regulations.join(", "),
                &line.obligations.join(", "),
                line.traceparent.as_deref().unwrap_or_default(),
            ]
            .map(cell);
            page.block(&format!("| {} |\n", cells.join(" | ")));
        }
        if self.unreadable > 0 {
            page.end_line();
            page.line(format_args!("{} lines of the log could not be read.", self.unreadable));
        }
    }
}
