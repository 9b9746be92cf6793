//! Which units are stale: by the rule of the manifest, and by what git knows of the document and of the code that it describes (amendment Amend10).
//!
//! Days are compared, those of universal time: a document that is changed on the day on which it is validated is not stale. What git knows has an end, so that nothing is ever said
//! to have never changed.

mod git_history;
#[cfg(test)]
mod tests;

pub use self::git_history::{Change, ChangedAfter, GitHistory};
use clap::{Args, ValueEnum};
use lore_model::CodeGraph;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::context::AgentContext;
use crate::date::Day;
use crate::describes::{Described, MAX_DOCUMENT_BYTES, Tree};
use crate::find_unit::find_unit;
use crate::finding::shown;
use crate::freshness::{Staleness, staleness};
use crate::graph::UnitGraph;
use crate::model::{Manifest, Unit, UnitIndex, known};
use crate::open::{check_cancelled, join, open_valid};
use crate::read::{Content, Reading, from_root, read_unit};
use crate::validate::github::{data, property};
use crate::vocabulary::{RelationshipType, Vocabulary};
use lore_seam::{Access, Ctx, ErrorKind, GraphScope, OpError, Operation, Page, Render, Value};

/// Files of code that are shown for one unit.
const SHOWN: usize = 5;

/// List the units of a knowledge manifest that are stale: by its own rule, and by git
///
/// A unit is stale by its rule (freshness_policy) if it was validated too long ago. It is stale by git if, after the day of its validation, its document was changed, or
/// code that the document describes: files that it links to or names, and definitions that it names unambiguously. A relationship to a unit whose file is code also
/// counts. A file that is not committed yet counts as changed today. `lore unit touch` records that a unit was checked.
#[derive(Args, Deserialize, JsonSchema, Clone, Debug, Default)]
#[command(after_help = "Examples:
  lore unit stale                        every unit that should be checked again
  lore unit stale --policy               only by the rule of the manifest, without git
  lore unit stale --git --only-paths     only by git, and only by files that documents name
  lore unit stale --id runbook --id faq  of these units
  lore unit stale --format github        annotations in a workflow of GitHub

Exit status: 0: no unit is stale; 1: a unit is stale; 2: the question could not be asked.")]
#[serde(default)]
pub struct UnitStaleRequest {
    /// Only these units; repeat for several
    #[arg(long = "id", value_name = "ID")]
    #[serde(rename = "id")]
    pub ids: Vec<String>,
    /// Only by git
    #[arg(long, conflicts_with = "policy")]
    pub git: bool,
    /// Only by the rule of the manifest
    #[arg(long)]
    pub policy: bool,
    /// Consider only the files that a document names, not the definitions
    #[arg(long)]
    pub only_paths: bool,
    /// The manifest, or its directory [default: the manifest of this repository]
    #[arg(long, value_name = "FILE")]
    pub file: Option<String>,
    /// Use a manifest that is not valid, as far as it can be parsed
    #[arg(long)]
    pub lenient: bool,
    /// Answer from the index as it is, without looking for changed files
    #[arg(long)]
    #[schemars(extend("x-agents" = "omit"))]
    pub no_refresh: bool,
    /// The output format
    #[arg(long, value_enum, default_value_t = StaleFormat::Text)]
    pub format: StaleFormat,
    /// Whether this came from the command line, where the owner asks.
    #[arg(skip = true)]
    #[serde(skip)]
    pub(super) is_owner: bool,
}

/// The output format.
#[derive(ValueEnum, Serialize, Deserialize, JsonSchema, Clone, Copy, PartialEq, Eq, Debug, Default)]
#[serde(rename_all = "snake_case")]
pub enum StaleFormat {
    /// For people
    #[default]
    Text,
    /// As annotations of a GitHub workflow
    Github,
}

/// The units that are stale
#[derive(Serialize, JsonSchema, Clone, PartialEq, Eq, Debug)]
pub struct UnitStaleAnswer {
    /// The manifest
    pub manifest: String,
    /// How many units were looked at
    pub units: usize,
    /// The stale units, in the order of the manifest
    pub stale: Vec<StaleUnit>,
    /// Units that may be stale: they have no date of validation, or git does not know the past of their files
    pub unknown: Vec<UnknownUnit>,
    /// Commits that were searched; null without git
    pub commits: Option<u32>,
    /// Whether there are older commits that were not searched
    pub cut: bool,
    /// What was left out
    pub notes: Vec<String>,
    #[serde(skip)]
    #[schemars(skip)]
    format: StaleFormat,
}

/// A unit that is stale
#[derive(Serialize, JsonSchema, Clone, PartialEq, Eq, Debug)]
pub struct StaleUnit {
    /// Its id
    pub id: String,
    /// The document, from the directory of the manifest
    pub path: String,
    /// Its line in the manifest
    pub line: u32,
    /// When somebody last validated it
    pub validated: String,
    /// Days since then
    pub age_days: i64,
    /// Why it is stale: policy, file, code
    pub why: Vec<&'static str>,
    /// The freshness rule that it breaks
    #[serde(skip_serializing_if = "Option::is_none")]
    pub policy: Option<PolicyLine>,
    /// The contact for a review
    #[schemars(extend("x-agents" = "untrusted"))]
    pub review_contact: Option<String>,
    /// The change of the document
    #[serde(skip_serializing_if = "Option::is_none")]
    pub file_changed: Option<ChangedLine>,
    /// Changes of the code that it describes, the latest first
    pub described_changed: Vec<DescribedLine>,
}

/// A rule of freshness that a unit breaks
#[derive(Serialize, JsonSchema, Clone, PartialEq, Eq, Debug)]
pub struct PolicyLine {
    /// After how many days it is stale
    pub max_age_days: u64,
    /// What to do with it then: warn, degrade or block
    pub on_stale: &'static str,
}

/// A change of a file
#[derive(Serialize, JsonSchema, Clone, PartialEq, Eq, Debug)]
pub struct ChangedLine {
    /// The file, from the root of the tree
    pub path: String,
    /// The day, in universal time
    pub date: String,
    /// The commit; none if it is not committed yet
    #[serde(skip_serializing_if = "Option::is_none")]
    pub commit: Option<String>,
    /// Who wrote that commit
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(extend("x-agents" = "untrusted"))]
    pub author: Option<String>,
}

/// A change of code that a document describes
#[derive(Serialize, JsonSchema, Clone, PartialEq, Eq, Debug)]
pub struct DescribedLine {
    /// The change
    #[serde(flatten)]
    pub change: ChangedLine,
    /// How the document names it
    pub named: String,
    /// Where in the document; none if a relationship says so
    #[serde(skip_serializing_if = "Option::is_none")]
    pub named_at: Option<u32>,
}

/// A unit that may be stale
#[derive(Serialize, JsonSchema, Clone, PartialEq, Eq, Debug)]
pub struct UnknownUnit {
    /// Its id
    pub id: String,
    /// Why Lore does not know
    pub why: String,
}

/// `lore unit stale`.
pub struct UnitStale;

impl Operation for UnitStale {
    const NAME: &'static str = "unit_stale";
    const COMMAND: &'static [&'static str] = &["unit", "stale"];
    const ACCESS: Access = Access::Read;
    type Request = UnitStaleRequest;
    type Answer = Value<UnitStaleAnswer>;

    fn run(ctx: &Ctx, request: UnitStaleRequest) -> Result<Value<UnitStaleAnswer>, OpError> {
        let (manifest, m) = open_valid(ctx, request.file.as_deref(), request.lenient)?;
        let wanted = wanted(&m, &request.ids)?;
        let today = Day::of_ms(ctx.ports.clock.now_ms());
        let mut notes = Vec::new();
        let past = if request.policy {
            None
        } else {
            GitHistory::open(ctx, today)?
        };
        if past.is_none() && request.git {
            return Err(OpError::new(ErrorKind::Unavailable, "there is no git history here")
                .hint("run it in a repository with a commit, or use --policy"));
        }
        if past.is_none() && !request.policy {
            notes.push("there is no git history here: only the rule of the manifest was checked".to_owned());
        }
        let graph = match past {
            Some(_) => code_graph(ctx, request.no_refresh, &mut notes)?,
            None => None,
        };
        let judge = Judge {
            ctx,
            manifest: &manifest,
            m: &m,
            units: UnitGraph::of(&m),
            tree: graph.as_deref().map(Tree::of),
            past,
            // That a document is stale is what is asked here, and no reason not to look into it.
            agent: AgentContext {
                incident: true,
                ..AgentContext::from_settings(ctx, request.is_owner)?
            },
            today,
            with_policy: !request.git,
            with_symbols: !request.only_paths,
            here: ctx.ports.code.here(),
        };
        let mut answer = UnitStaleAnswer {
            units: wanted.len(),
            stale: Vec::new(),
            unknown: Vec::new(),
            commits: judge.past.as_ref().map(|past| past.horizon().0),
            cut: judge.past.as_ref().is_some_and(|past| past.horizon().1),
            notes,
            format: request.format,
            manifest: manifest.clone(),
        };
        let mut closed = 0;
        for u in wanted {
            check_cancelled(ctx)?;
            judge.judge(u, &mut answer, &mut closed)?;
        }
        match closed {
            0 => {}
            1 => answer
                .notes
                .push("one document may not be read, so the code that it describes is not known".to_owned()),
            closed => {
                let note = format!("{closed} documents may not be read, so the code that they describe is not known");
                answer.notes.push(note);
            }
        }
        Ok(if answer.stale.is_empty() {
            Value::yes(answer)
        } else {
            Value::no(answer)
        })
    }
}

/// The units that are asked for; of units with the same id the first.
fn wanted(m: &Manifest, ids: &[String]) -> Result<Vec<UnitIndex>, OpError> {
    if ids.is_empty() {
        let first = crate::graph::ids(m);
        let all = (0u32..)
            .zip(&m.units)
            .map(|(number, unit)| (UnitIndex(number), m.id(unit)));
        let kept = all.filter(|(u, id)| id.is_some_and(|id| first.get(id) == Some(u)));
        return Ok(kept.map(|(u, _)| u).collect());
    }
    let mut wanted = ids
        .iter()
        .map(|id| find_unit(m, id).map(|(u, _)| u))
        .collect::<Result<Vec<_>, _>>()?;
    wanted.sort_unstable();
    wanted.dedup();
    Ok(wanted)
}

/// The graph of the code, to find what documents describe. Without one, only documents themselves are looked at.
fn code_graph(
    ctx: &Ctx,
    no_refresh: bool,
    notes: &mut Vec<String>,
) -> Result<Option<std::sync::Arc<CodeGraph>>, OpError> {
    let scope = GraphScope {
        no_refresh,
        ..GraphScope::default()
    };
    match ctx.ports.code.graph(&scope, ctx.progress.as_ref(), &ctx.cancel) {
        Ok(graph) => Ok(Some(graph)),
        Err(error) if error.kind == ErrorKind::Cancelled => Err(error),
        Err(error) => {
            notes.push(format!(
                "the code that documents describe is not known: {}",
                error.message
            ));
            Ok(None)
        }
    }
}

struct Judge<'c, 'm> {
    ctx: &'c Ctx,
    manifest: &'m str,
    m: &'m Manifest,
    units: UnitGraph<'m>,
    tree: Option<Tree<'m>>,
    past: Option<GitHistory<'c>>,
    agent: AgentContext,
    today: Day,
    with_policy: bool,
    with_symbols: bool,
    here: String,
}

impl Judge<'_, '_> {
    fn judge(&self, u: UnitIndex, answer: &mut UnitStaleAnswer, closed: &mut usize) -> Result<(), OpError> {
        let m = self.m;
        let Some(unit) = m.unit(u) else { return Ok(()) };
        let id = m.id(unit).unwrap_or_default().to_owned();
        let mut unknown = |why: &str| {
            answer.unknown.push(UnknownUnit {
                id: id.clone(),
                why: why.to_owned(),
            });
        };
        let Some(validated) = unit.validated else {
            unknown("it has no date of validation");
            return Ok(());
        };
        let text = m.text(validated.value.text).to_owned();
        let Some(day) = validated.value.day else {
            unknown("its date of validation is not a date");
            return Ok(());
        };
        let policy = match staleness(m, u, self.today) {
            Staleness::Stale {
                max_age_days, action, ..
            } if self.with_policy => Some(PolicyLine {
                max_age_days,
                on_stale: action.word(),
            }),
            _ => None,
        };
        let document = self.tree_path(m.path(unit));
        let mut file_changed = None;
        let mut described_changed = Vec::new();
        if let Some(past) = &self.past {
            let verdict = match document.as_deref() {
                Some(path) => Some((path, past.changed_after(path, day)?)),
                None => None,
            };
            match verdict {
                Some((path, ChangedAfter::Changed(change))) => file_changed = Some(changed(path, change)),
                Some((_, ChangedAfter::Unchanged)) => {}
                Some((_, ChangedAfter::Unknown)) if policy.is_none() => {
                    unknown("git does not know when its document was last changed")
                }
                None if policy.is_none() => unknown("its document is outside of the repository"),
                Some((_, ChangedAfter::Unknown)) | None => {}
            }
            described_changed = self.described_changes(past, u, unit, document.as_deref(), day, closed)?;
        }
        let why: Vec<&'static str> = [
            policy.is_some().then_some("policy"),
            file_changed.is_some().then_some("file"),
            (!described_changed.is_empty()).then_some("code"),
        ]
        .into_iter()
        .flatten()
        .collect();
        if why.is_empty() {
            return Ok(());
        }
        answer.unknown.retain(|unit| unit.id != id);
        let contact = crate::effective::freshness(m, u).and_then(|policy| m.field(&policy.value.review_contact));
        answer.stale.push(StaleUnit {
            path: m.path(unit).unwrap_or_default().to_owned(),
            line: m.document.place(unit.node).line,
            validated: text,
            age_days: i64::from(self.today.0) - i64::from(day.0),
            why,
            policy,
            review_contact: contact.map(str::to_owned),
            file_changed,
            described_changed,
            id,
        });
        Ok(())
    }

    /// Changes of the code that a unit describes, the latest first.
    fn described_changes(
        &self,
        past: &GitHistory<'_>,
        u: UnitIndex,
        unit: &Unit,
        document: Option<&str>,
        day: Day,
        closed: &mut usize,
    ) -> Result<Vec<DescribedLine>, OpError> {
        let Some(tree) = &self.tree else {
            return Ok(Vec::new());
        };
        let mut described = self.related(tree, u, unit);
        if let Some(document) = document {
            described.extend(self.named(tree, u, unit, document, closed)?);
        }
        described.sort();
        described.dedup_by(|later, earlier| later.path == earlier.path);
        let mut changes: Vec<(Day, DescribedLine)> = Vec::new();
        for code in described {
            if Some(code.path.as_str()) == document {
                continue;
            }
            if let ChangedAfter::Changed(change) = past.changed_after(&code.path, day)? {
                let line = DescribedLine {
                    named: code.named,
                    named_at: code.line,
                    change: changed(&code.path, change.clone()),
                };
                changes.push((change.day, line));
            }
        }
        changes.sort_by(|one, other| {
            other
                .0
                .cmp(&one.0)
                .then_with(|| one.1.change.path.cmp(&other.1.change.path))
        });
        Ok(changes.into_iter().map(|(_, line)| line).collect())
    }

    /// The code that the document of a unit names. A document that may not be read is not opened here either.
    fn named(
        &self,
        tree: &Tree<'_>,
        u: UnitIndex,
        unit: &Unit,
        document: &str,
        closed: &mut usize,
    ) -> Result<Vec<Described>, OpError> {
        let is_text = self.m.media_type(unit).starts_with("text/");
        let file = join(directory(self.manifest), self.m.path(unit).unwrap_or_default());
        let is_small = self
            .ctx
            .ports
            .files
            .stat(&file)
            .is_some_and(|stat| stat.bytes <= MAX_DOCUMENT_BYTES as u64);
        if !is_text || !is_small || tree.is_code(document) {
            return Ok(Vec::new());
        }
        match read_unit(self.ctx, self.manifest, self.m, u, &self.agent) {
            Ok(Reading::Read(read)) => Ok(match read.content {
                Content::Text(text) => tree.described(document, &text, self.with_symbols),
                Content::Binary(_) => Vec::new(),
            }),
            Ok(Reading::Refused(_)) => {
                *closed += 1;
                Ok(Vec::new())
            }
            Err(error) if error.kind == ErrorKind::Cancelled => Err(error),
            // The file may be gone since, or lead out of the repository.
            Err(_) => Ok(Vec::new()),
        }
    }

    /// The code of units that a unit depends on, or is background, authority or a condition for.
    fn related(&self, tree: &Tree<'_>, u: UnitIndex, unit: &Unit) -> Vec<Described> {
        let m = self.m;
        let own = m.id(unit);
        let mut targets: Vec<(UnitIndex, &str)> = self
            .units
            .depends(u)
            .iter()
            .map(|target| (*target, "depends_on"))
            .collect();
        for relationship in &m.relationships {
            let kind = match known(&relationship.kind) {
                Some(
                    kind @ (RelationshipType::Context
                    | RelationshipType::Governs
                    | RelationshipType::Enables
                    | RelationshipType::DependsOn),
                ) => kind,
                Some(RelationshipType::Supersedes | RelationshipType::Contradicts) | None => continue,
            };
            if own.is_some() && m.field(&relationship.from) == own {
                let to = m.field(&relationship.to).and_then(|id| self.units.first(id));
                targets.extend(to.map(|target| (target, kind.word())));
            }
        }
        let code = targets.into_iter().filter_map(|(target, how)| {
            let target = m.unit(target)?;
            let path = self.tree_path(m.path(target)).filter(|path| tree.is_code(path))?;
            Some(Described {
                path,
                named: format!("{how} {}", shown(m.id(target)?)),
                line: None,
            })
        });
        code.collect()
    }

    /// A path of the manifest, from the root of the tree; none if it is outside.
    fn tree_path(&self, unit_path: Option<&str>) -> Option<String> {
        if self.manifest == "-" || self.manifest.starts_with('/') {
            return None;
        }
        from_root(&self.here, &join(directory(self.manifest), unit_path?))
    }
}

fn directory(manifest: &str) -> &str {
    manifest.rsplit_once('/').map_or("", |(directory, _)| directory)
}

fn changed(path: &str, change: Change) -> ChangedLine {
    ChangedLine {
        path: path.to_owned(),
        date: change.day.to_string(),
        commit: change.commit,
        author: change.author,
    }
}

impl ChangedLine {
    /// In words: `src/a.rs was changed on 2026-03-02 (1234567890 by Jo)`.
    fn sentence(&self) -> String {
        let path = &self.path;
        match (&self.commit, &self.author) {
            (Some(commit), Some(author)) => format!("{path} was changed on {} ({commit} by {author})", self.date),
            (Some(commit), None) => format!("{path} was changed on {} ({commit})", self.date),
            (None, _) => format!("{path} is changed and not committed"),
        }
    }
}

impl StaleUnit {
    /// Each reason, after its name.
    fn reasons(&self) -> Vec<(&'static str, String)> {
        let mut reasons = Vec::new();
        if let Some(policy) = &self.policy {
            let text = format!(
                "{} days old, stale after {} (on_stale: {})",
                self.age_days, policy.max_age_days, policy.on_stale
            );
            reasons.push(("policy", text));
        }
        reasons.extend(self.file_changed.as_ref().map(|change| ("file", change.sentence())));
        for line in self.described_changed.iter().take(SHOWN) {
            let place = match line.named_at {
                Some(at) => format!("named `{}` at {}:{at}", shown(&line.named), self.path),
                None => format!("by {}", line.named),
            };
            reasons.push(("code", format!("{}; {place}", line.change.sentence())));
        }
        let rest = self.described_changed.len().saturating_sub(SHOWN);
        if rest > 0 {
            reasons.push(("code", format!("and {rest} more files that it describes")));
        }
        reasons
    }
}

impl UnitStaleAnswer {
    fn text(&self, page: &mut Page) {
        for unit in &self.stale {
            page.text(&self.manifest);
            page.write(format_args!(":{}: ", unit.line));
            page.strong(&unit.id);
            page.write(format_args!(" is stale: validated on "));
            page.text(&unit.validated);
            page.line(format_args!(""));
            for (name, reason) in unit.reasons() {
                page.write(format_args!("  {name}: "));
                page.text(&reason);
                page.line(format_args!(""));
            }
            if let Some(contact) = &unit.review_contact {
                page.write(format_args!("  review contact: "));
                page.text(contact);
                page.line(format_args!(""));
            }
        }
        for note in &self.notes {
            page.write(format_args!("note: "));
            page.text(note);
            page.line(format_args!(""));
        }
        page.write(format_args!("{} of {} units are stale", self.stale.len(), self.units));
        if !self.unknown.is_empty() {
            page.write(format_args!(
                "; {} may be stale (--json has the reasons)",
                self.unknown.len()
            ));
        }
        match (self.commits, self.cut) {
            (Some(commits), true) => page.line(format_args!("; the last {commits} commits were searched")),
            (Some(commits), false) => page.line(format_args!("; all {commits} commits were searched")),
            (None, _) => page.line(format_args!("")),
        }
    }

    fn annotations(&self, page: &mut Page) {
        for unit in &self.stale {
            let mut lines = vec![format!(
                "{} ({}) was validated on {}",
                unit.id, unit.path, unit.validated
            )];
            lines.extend(
                unit.reasons()
                    .into_iter()
                    .map(|(name, reason)| format!("{name}: {reason}")),
            );
            lines.extend(
                unit.review_contact
                    .iter()
                    .map(|contact| format!("review contact: {contact}")),
            );
            page.line(format_args!(
                "::warning file={},line={},title={}::{}",
                property(&self.manifest),
                unit.line,
                property(&format!("stale unit {}", unit.id)),
                data(&lines.join("\n"))
            ));
        }
    }
}

impl Render for UnitStaleAnswer {
    fn render(&self, page: &mut Page) {
        match self.format {
            StaleFormat::Text => self.text(page),
            StaleFormat::Github => {
                page.keep_whole();
                self.annotations(page);
            }
        }
    }
}
