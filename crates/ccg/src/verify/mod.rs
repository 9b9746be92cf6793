//! `lore ccg verify`: whether a tree has reached the target of a diff and keeps its constraints (clauses D2 and D4).

mod applied;
mod sarif;
#[cfg(test)]
mod tests;

use clap::{Args, ValueEnum};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::constraints::{CheckedConstraint, Constraint, Evidence, check};
use crate::diff::{Diff, Side};
use lore_seam::{Access, Ctx, ErrorKind, OpError, Operation, Page, Render, Value};
use sarif::sarif;

pub use applied::{CheckedChange, applied};

/// Bytes that a diff document may have.
const DIFF_BYTES: u64 = 64 << 20;
/// How many places are shown for each constraint.
const MOST_SHOWN: usize = 20;

/// Check a tree against a diff document, or against the constraints of lore.toml
///
/// With a diff document, it checks whether the tree has each change and keeps each constraint; without one, the constraints in lore.toml. It exits with 1
/// if a change is missing or a constraint is broken, and shows evidence: the symbol, the cycle, the chain of calls.
#[derive(Args, Deserialize, JsonSchema, Clone, Debug, Default)]
#[command(after_help = "Examples:
  lore ccg verify                       the constraints of lore.toml, for instance in CI
  lore ccg verify --format sarif        the same for a code host
  lore ccg verify plan.json             whether the working tree has reached the target of a diff
  lore ccg verify plan.json --at v1.3   whether a revision has reached it
  lore ccg verify plan.json --base main also whether main has what the plan removes

In lore.toml:
  [[constraints]]
  type = \"noCircularDeps\"

  [[constraints]]
  type = \"noDirectCalls\"
  from = \"web.*\"
  to = \"db.*\"
  message = \"go through the services\"")]
#[serde(default)]
pub struct CcgVerifyRequest {
    /// The diff document [default: none, only the constraints of lore.toml]
    pub diff: Option<String>,
    /// The tree to check: a revision, a bundle, or `.` [default: the working tree]
    #[arg(long, value_name = "REV")]
    pub at: Option<String>,
    /// The base tree, to check it too [default: the diff's own base, if git has it]
    #[arg(long, value_name = "REV", requires = "diff")]
    pub base: Option<String>,
    /// The output format
    #[arg(long, value_enum, default_value_t = VerifyFormat::Text)]
    pub format: VerifyFormat,
}

/// The output format.
#[derive(ValueEnum, Serialize, Deserialize, JsonSchema, Clone, Copy, PartialEq, Eq, Debug, Default)]
#[serde(rename_all = "snake_case")]
pub enum VerifyFormat {
    /// For people
    #[default]
    Text,
    /// As JSON
    Json,
    /// As SARIF 2.1.0, for code hosts and editors
    Sarif,
}

/// The result of a verification
#[derive(Serialize, JsonSchema, Clone, Debug)]
pub struct CcgVerifyAnswer {
    /// Whether the tree has every change and keeps every constraint
    pub verified: bool,
    /// The tree that was checked
    pub tree: String,
    /// The changes of the diff
    pub changes: Vec<CheckedChange>,
    /// The constraints
    pub constraints: Vec<CheckedConstraint>,
    #[serde(skip)]
    #[schemars(skip)]
    format: VerifyFormat,
    /// The file with the constraints
    #[serde(skip)]
    #[schemars(skip)]
    pub(super) place: String,
}

/// `lore ccg verify`.
pub struct CcgVerify;

impl Operation for CcgVerify {
    const NAME: &'static str = "ccg_verify";
    const COMMAND: &'static [&'static str] = &["ccg", "verify"];
    const ACCESS: Access = Access::Read;
    const FETCHES: bool = true;
    type Request = CcgVerifyRequest;
    type Answer = Value<CcgVerifyAnswer>;

    fn run(ctx: &Ctx, request: CcgVerifyRequest) -> Result<Value<CcgVerifyAnswer>, OpError> {
        // What is wrong with the constraints is said before the tree is looked at.
        let (diff, constraints, place) = match &request.diff {
            Some(path) => {
                let diff = Diff::parse(&ctx.ports.files.read(path, DIFF_BYTES)?, path)?;
                let constraints = Constraint::parse_all(&diff.constraints, path)?;
                (Some(diff), constraints, path.as_str())
            }
            None => {
                let constraints = Constraint::parse_all(&ctx.ports.settings.constraints()?, "lore.toml")?;
                if constraints.is_empty() {
                    let message = "there is nothing to verify: no diff was named, and lore.toml has no constraints";
                    return Err(OpError::new(ErrorKind::Invalid, message)
                        .hint("name a diff document, or write [[constraints]] into lore.toml; see docs/ccg-diff.md"));
                }
                (None, constraints, "lore.toml")
            }
        };
        let side = Side::open(ctx, request.at.as_deref())?;
        let inventory = side.inventory(ctx)?;
        let base = match (&request.base, diff.as_ref().and_then(Diff::base_commit)) {
            (Some(base), _) => Some(Side::open(ctx, Some(base))?),
            // A commit that is not here is a base that is not at hand.
            (None, Some(commit)) => Side::open(ctx, Some(commit))
                .inspect_err(|error| {
                    let remark = format!("the base of the diff was not checked: {}", error.message);
                    ctx.progress.remark(&remark);
                })
                .ok(),
            (None, None) => None,
        };
        let base_inventory = base.as_ref().map(|base| base.inventory(ctx)).transpose()?;
        let changes = diff.map(|diff| applied(&inventory, base_inventory.as_ref(), &diff));
        let changes = changes.unwrap_or_default();
        let constraints = check(&inventory, &constraints, place)?;
        side.check()?;
        base.as_ref().map_or(Ok(()), Side::check)?;
        let answer = CcgVerifyAnswer {
            verified: changes.iter().all(|change| change.applied) && constraints.iter().all(|row| row.satisfied),
            tree: inventory.name.clone(),
            changes,
            constraints,
            format: request.format,
            place: place.to_owned(),
        };
        Ok(if answer.verified {
            Value::yes(answer)
        } else {
            Value::no(answer)
        })
    }
}

impl CcgVerifyAnswer {
    #[cfg(test)]
    pub(super) fn new(changes: Vec<CheckedChange>, constraints: Vec<CheckedConstraint>, format: VerifyFormat) -> Self {
        Self {
            verified: changes.iter().all(|change| change.applied) && constraints.iter().all(|row| row.satisfied),
            tree: "ccg:local/-/fixture@1".to_owned(),
            changes,
            constraints,
            format,
            place: "lore.toml".to_owned(),
        }
    }

    fn text(&self, page: &mut Page) {
        if !self.changes.is_empty() {
            let missing: Vec<&CheckedChange> = self.changes.iter().filter(|change| !change.applied).collect();
            let (all, done) = (self.changes.len(), self.changes.len() - missing.len());
            page.strong(&format!("changes: {done} of {all} are done"));
            page.line(format_args!(""));
            for change in missing {
                page.write(format_args!("  missing  {:<20} ", change.kind));
                page.text(&said(&change.change));
                page.line(format_args!(""));
                if let Some(reason) = &change.reason {
                    page.write(format_args!("           "));
                    place(page, change.path.as_deref(), change.line);
                    page.text(reason);
                    page.line(format_args!(""));
                }
            }
            let noted = self.changes.iter().filter_map(|change| change.note.as_ref());
            for note in noted.clone().take(MOST_SHOWN) {
                page.text(&format!("  note: {note}"));
                page.line(format_args!(""));
            }
            let notes = noted.count();
            if notes > 0 {
                if notes > MOST_SHOWN {
                    page.line(format_args!("  … and {} more notes", notes - MOST_SHOWN));
                }
                page.line(format_args!("  --base REV names the base tree of the diff"));
            }
        }
        if !self.constraints.is_empty() {
            let kept = self.constraints.iter().filter(|row| row.satisfied).count();
            page.strong(&format!("constraints: {kept} of {} are kept", self.constraints.len()));
            page.line(format_args!(""));
        }
        for row in &self.constraints {
            page.write(format_args!("  {:<8} ", if row.satisfied { "holds" } else { "BROKEN" }));
            page.text(&format!("{}{}", row.kind, parameters(&row.constraint)));
            page.line(format_args!(""));
            if let Some(message) = row.message.as_ref().filter(|_| !row.satisfied) {
                page.write(format_args!("           "));
                page.text(message);
                page.line(format_args!(""));
            }
            for note in &row.notes {
                page.text(&format!("           note: {note}"));
                page.line(format_args!(""));
            }
            shown(page, &row.evidence, "");
            shown(page, &row.uncertain, "uncertain: ");
            let more = row.left_out
                + row.evidence.len().saturating_sub(MOST_SHOWN)
                + row.uncertain.len().saturating_sub(MOST_SHOWN);
            if more > 0 {
                page.line(format_args!("           … and {more} more"));
            }
        }
        page.line(format_args!(
            "{}",
            if self.verified { "verified" } else { "not verified" }
        ));
    }
}

fn shown(page: &mut Page, evidence: &[Evidence], mark: &str) {
    for row in evidence.iter().take(MOST_SHOWN) {
        page.write(format_args!("           {mark}"));
        place(page, row.path.as_deref(), row.line);
        page.text(&row.message);
        known_by(page, row.resolution);
        page.line(format_args!(""));
        for step in row.trace.iter().filter(|_| row.trace.len() > 1) {
            page.write(format_args!("             "));
            place(page, step.path.as_deref(), step.line);
            page.text(&step.name);
            known_by(page, step.resolution);
            page.line(format_args!(""));
        }
    }
}

fn known_by(page: &mut Page, resolution: Option<&str>) {
    if let Some(resolution) = resolution {
        page.dim(&format!("  ({resolution})"));
    }
}

fn place(page: &mut Page, path: Option<&str>, line: Option<u32>) {
    if let Some(path) = path {
        let line = line.map_or_else(String::new, |line| format!(":{line}"));
        page.dim(&format!("{path}{line}  "));
    }
}

/// A change on one line.
fn said(change: &serde_json::Value) -> String {
    let get = |key: &str| change.get(key).and_then(|value| value.as_str());
    match (
        get("old").zip(get("new")),
        get("symbol"),
        get("from").zip(get("to")),
        get("name"),
    ) {
        (Some((old, new)), _, _, _) => format!("{old} -> {new}"),
        (_, Some(symbol), Some((from, to)), _) => format!("{symbol} from {from} to {to}"),
        (_, _, Some((from, to)), _) => format!("{from} -> {to}"),
        (_, _, _, Some(name)) => name.to_owned(),
        _ => change.as_str().map_or_else(|| change.to_string(), str::to_owned),
    }
}

/// The parameters of a constraint on one line.
fn parameters(constraint: &serde_json::Value) -> String {
    let fields = constraint.as_object().into_iter().flatten();
    let own = fields.filter(|(key, _)| !matches!(key.as_str(), "type" | "message"));
    own.map(|(key, value)| match value.as_str() {
        Some(text) => format!(" {key}={text}"),
        None => format!(" {key}={value}"),
    })
    .collect()
}

impl Render for CcgVerifyAnswer {
    fn is_as_chosen(&self) -> bool {
        self.format != VerifyFormat::Text
    }

    fn render(&self, page: &mut Page) {
        match self.format {
            VerifyFormat::Text => self.text(page),
            VerifyFormat::Json => page.json(&format!("{}\n", serde_json::to_string_pretty(self).unwrap_or_default())),
            VerifyFormat::Sarif => page.json(&format!("{:#}\n", sarif(self))),
        }
    }
}
