//! `lore unit plan`: what to load for a task, and in which order.

pub mod order;
pub mod schedule;
#[cfg(test)]
mod tests;

pub use self::schedule::{Plan, PlanRules, PlanStep, Skipped, Wanted, plan};

use std::collections::BTreeSet;

use clap::Args;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::access::{Now, Outcome, decide};
use crate::context::AgentFlags;
use crate::graph::UnitGraph;
use crate::model::{Manifest, Unit, UnitIndex, known};
use crate::open::{directory, join, open_valid};
use crate::query::asked;
use crate::query::filter::{Facts, Filter, Identity, sensitivity_for};
use crate::query::{Incomplete, QueryFilters, QueryRequest, Source, query};
use crate::vocabulary::{Action, LoadStrategy, UnitKind, Vocabulary};
use lore_seam::{Access, Ctx, OpError, Operation, Page, PathKind, Render, Value};

/// Plan which units to load for a task, and in which order
///
/// Dependencies come first, then eager units as far as possible. A unit that another one replaces is left out in favour of it, and a verbose unit in favour of its summary. A unit with the load strategy `never` is loaded by its id only. If
/// a document is missing or may not be read, the units that depend on it are left out. Without terms the plan starts at the entry point that the manifest recommends, and has the eager units.
#[derive(Args, Deserialize, JsonSchema, Clone, Debug, Default)]
#[command(after_help = "Examples:
  lore unit plan deploy rollback             for units that match two terms
  lore unit plan \"how do I deploy?\"          for those that answer a question
  lore unit plan deploy-guide                for a unit by its id
  lore unit plan deploy --budget 8000        within a budget of tokens
  lore unit plan deploy --context 16000      and which units to drop when the context is full
  lore unit plan                             from the entry point

Exit status: 0: there are units to load; 1: there are none; 2: the question could not be asked.")]
#[serde(default)]
pub struct UnitPlanRequest {
    /// Ids of units, or search terms; a single term that has a space or ends in a question mark is a question
    #[arg(value_name = "TERM|ID")]
    pub terms: Vec<String>,
    /// A question in plain words
    #[arg(long, value_name = "TEXT")]
    pub question: Option<String>,
    /// Tokens that fit into the context at a time; each step says which units to drop
    #[arg(long, value_name = "TOKENS", help_heading = "How many")]
    pub context: Option<u64>,
    #[command(flatten)]
    #[serde(flatten)]
    // No doc comment: the help of a flattened struct would replace that of the command.
    pub filters: QueryFilters,
    // An agent cannot choose its identity: outside of the command line, the settings of the user who runs Lore define it.
    #[command(flatten)]
    #[serde(skip)]
    // No doc comment: the help of a flattened struct would replace that of the command.
    pub agent: AgentFlags,
    /// The manifest, or its directory [default: the manifest of this repository]
    #[arg(long, value_name = "FILE")]
    pub file: Option<String>,
    /// Use a manifest that is not valid, as far as it can be parsed
    #[arg(long)]
    pub lenient: bool,
}

/// What to load, in order
#[derive(Serialize, JsonSchema, Clone, PartialEq, Eq, Debug)]
pub struct UnitPlanAnswer {
    #[serde(flatten)]
    // No doc comment: the text of a flattened struct would replace that of the answer.
    pub plan: Plan,
    /// The budget that was given
    #[serde(skip_serializing_if = "Option::is_none")]
    pub budget: Option<u64>,
    /// Cautions about the plan
    pub warnings: Vec<String>,
    /// The limits of the plan
    pub advisory: &'static str,
    /// The manifest
    pub manifest: String,
}

/// `lore unit plan`.
pub struct UnitPlan;

impl Operation for UnitPlan {
    const NAME: &'static str = "unit_plan";
    const COMMAND: &'static [&'static str] = &["unit", "plan"];
    const ACCESS: Access = Access::Read;
    type Request = UnitPlanRequest;
    type Answer = Value<UnitPlanAnswer>;

    fn run(ctx: &Ctx, request: UnitPlanRequest) -> Result<Value<UnitPlanAnswer>, OpError> {
        let (path, manifest) = open_valid(ctx, request.file.as_deref(), request.lenient)?;
        let graph = UnitGraph::of(&manifest);
        let now = Now(ctx.ports.clock.now_ms());
        let today = now.day();
        let ids: Vec<UnitIndex> = request.terms.iter().filter_map(|term| graph.first(term)).collect();
        let other: Vec<String> = request
            .terms
            .iter()
            .filter(|term| graph.first(term).is_none())
            .cloned()
            .collect();
        let asked = asked(&other, request.question.as_deref())?;
        let is_open = ids.is_empty() && asked.terms.is_empty();
        let budget = request.filters.max_token_budget;
        let agent = request.agent.context(ctx)?;
        let filters = QueryRequest {
            max_token_budget: None,
            environment: agent.environment.clone(),
            role: agent.role.clone(),
            is_question: asked.is_question,
            ..request.filters.request(asked.terms)
        };
        let by_id = |unit: &UnitIndex| Wanted {
            unit: *unit,
            reason: "it was requested".to_owned(),
            by_id: true,
        };
        let mut wanted: Vec<Wanted> = ids.iter().map(by_id).collect();
        let mut warnings = Vec::new();
        if is_open {
            wanted.extend(start(&manifest, &graph));
        } else if !filters.terms.is_empty() {
            let source = Source {
                id: None,
                url: None,
                manifest: manifest.clone(),
            };
            let answer = query(&[source], &filters, today, &Incomplete::new());
            warnings.extend(answer.warnings);
            wanted.extend(answer.results.iter().filter_map(|result| {
                Some(Wanted {
                    unit: graph.first(&result.unit_id)?,
                    reason: format!("it matches: {} ({})", result.score, result.match_reason.join(", ")),
                    by_id: false,
                })
            }));
        }
        let filter = Filter::of(&filters, today);
        let check = |index: UnitIndex| {
            let Some(unit) = manifest.unit(index) else {
                return Ok(());
            };
            let facts = Facts::of(&manifest, index, unit, Identity::Own);
            filter.check(&facts, || sensitivity_for(&manifest, index, &filters))
        };
        let directory = directory(&path);
        let decided = |index: UnitIndex| decide(&manifest, index, Action::Read.word(), &agent, now);
        let failure = |index: UnitIndex| {
            let unit = manifest.unit(index)?;
            missing(ctx, &manifest, unit, directory).or_else(|| {
                let decision = decided(index);
                let reasons = decision.reasons.iter().filter(|reason| reason.denies);
                let reasons: Vec<&str> = reasons.map(|reason| reason.message.as_str()).collect();
                (decision.outcome == Outcome::Denied).then(|| format!("access is denied: {}", reasons.join("; ")))
            })
        };
        let approval = |index: UnitIndex| match decided(index).outcome {
            Outcome::RequiresHumanApproval { mechanism, .. } => Some(mechanism.into_owned()),
            Outcome::Granted | Outcome::Denied => None,
        };
        let rules = PlanRules {
            budget,
            context: request.context,
            include_summaries: filters.include_summaries,
            check: &check,
            failure: &failure,
            approval: &approval,
            incomplete: &BTreeSet::new(),
        };
        let plan = plan(&manifest, &graph, &wanted, &rules);
        let is_empty = plan.steps.is_empty();
        let answer = UnitPlanAnswer {
            plan,
            budget,
            warnings,
            advisory: crate::query::ADVISORY,
            manifest: path,
        };
        Ok(if !is_empty {
            Value::yes(answer)
        } else {
            Value::no(answer)
        })
    }
}

/// The start of a plan without terms: the recommended entry point, then the eager units; without either, all units whose load strategy is not `never`.
fn start(manifest: &Manifest, graph: &UnitGraph<'_>) -> Vec<Wanted> {
    let hints = manifest.root.hints.as_ref().map(|hints| &hints.value);
    let entry = hints
        .and_then(|hints| manifest.field(&hints.recommended_entry_point))
        .and_then(|id| graph.first(id));
    let units = || {
        let first = |(number, unit): (u32, &Unit)| {
            let index = UnitIndex(number);
            (graph.first(manifest.id(unit)?)? == index).then_some(index)
        };
        (0u32..).zip(&manifest.units).filter_map(first)
    };
    let strategy = |unit: &UnitIndex| {
        let hints = manifest.unit(*unit)?.hints.as_ref()?;
        known(&hints.value.load_strategy)
    };
    let because = |unit: UnitIndex, reason: &str| Wanted {
        unit,
        reason: reason.to_owned(),
        by_id: false,
    };
    let mut wanted: Vec<Wanted> = entry
        .map(|unit| because(unit, "it is the entry point"))
        .into_iter()
        .collect();
    let eager = units().filter(|unit| strategy(unit) == Some(LoadStrategy::Eager));
    wanted.extend(eager.map(|unit| because(unit, "it is eager")));
    if wanted.is_empty() {
        let all = units().filter(|unit| strategy(unit) != Some(LoadStrategy::Never));
        wanted.extend(all.map(|unit| because(unit, "there is no entry point and no eager unit")));
    }
    wanted
}

/// Why the document of a unit cannot be loaded, if it cannot.
fn missing(ctx: &Ctx, manifest: &Manifest, unit: &Unit, directory: Option<&str>) -> Option<String> {
    let path = manifest.path(unit)?;
    let is_there = unit.kind_or_default() == UnitKind::Service
        || directory.is_none_or(|directory| ctx.ports.files.kind(&join(directory, path)) == Some(PathKind::File));
    (!is_there).then(|| format!("there is no file `{path}`"))
}

impl Render for UnitPlanAnswer {
    fn render(&self, page: &mut Page) {
        for (number, step) in (1..).zip(&self.plan.steps) {
            for evicted in &step.evicts {
                page.write(format_args!("   drop "));
                page.text(evicted);
                page.line(format_args!(""));
            }
            page.write(format_args!("{number:>2} "));
            page.strong(&step.id);
            match step.tokens {
                Some(tokens) => page.write(format_args!("  {tokens} tokens")),
                None => page.write(format_args!("  cost unknown")),
            }
            page.write(format_args!(", {}, {}", step.load, step.priority));
            if step.incomplete {
                page.write(format_args!(", incomplete"));
            }
            if let Some(mechanism) = &step.approval {
                page.write(format_args!(", after approval by a human ("));
                page.text(mechanism);
                page.write(format_args!(")"));
            }
            page.end_line();
            page.write(format_args!("   "));
            page.text(&step.path);
            page.write(format_args!("  "));
            page.text(&self.manifest);
            page.line(format_args!(":{}", step.line));
            page.write(format_args!("   "));
            page.text(&step.reason);
            if let Some(original) = &step.in_place_of {
                page.write(format_args!(", instead of "));
                page.text(original);
            }
            page.line(format_args!(""));
        }
        match (self.plan.steps.len(), self.budget) {
            (0, _) => page.line(format_args!("there is nothing to load")),
            (_, Some(budget)) => page.line(format_args!("{} of {budget} tokens", self.plan.tokens)),
            (_, None) => page.line(format_args!("{} tokens", self.plan.tokens)),
        }
        for skipped in &self.plan.skipped {
            page.write(format_args!("not loaded: "));
            page.text(&skipped.id);
            page.write(format_args!(" ({}): ", skipped.state));
            page.text(&skipped.why);
            page.line(format_args!(""));
        }
        for [one, other] in &self.plan.conflicts {
            page.write(format_args!("conflict: "));
            page.text(one);
            page.write(format_args!(" and "));
            page.text(other);
            page.line(format_args!(" contradict each other"));
        }
        if self.plan.evict.len() > 1 {
            page.write(format_args!("drop when the context is full, in this order: "));
            page.text(&self.plan.evict.join(", "));
            page.line(format_args!(""));
        }
        for warning in &self.warnings {
            page.write(format_args!("warning: "));
            page.text(warning);
            page.line(format_args!(""));
        }
    }
}
