//! `lore unit query`: which units answer a question.

pub mod budget;
pub mod evaluate;
pub mod explain;
pub mod filter;
pub mod index;
pub mod question;
pub mod request;
pub mod score;
#[cfg(test)]
mod tests;

pub use self::evaluate::{ADVISORY, BudgetUse, Incomplete, QueryAnswer, QueryResult, Source, query, resolved};
pub use self::explain::Explain;
pub use self::index::QueryIndex;
pub use self::request::{QueryFilters, QueryRequest};
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, OnceLock};

use clap::Args;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use self::request::FederationScope;
use crate::date::Day;
use crate::federation::{FederationOptions, Reach, resolve};
use crate::mcp::{is_agent_only, sub_manifests};
use crate::open::{directory, open_valid, stamp};
use lore_seam::{Access, Ctx, ErrorKind, OpError, Operation, Page, Render, Value};

/// Find the units of a knowledge manifest that answer a question
///
/// Searches for the terms in triggers (5 points each), intents (3), and ids and paths (1), as substrings, ignoring case. In a question, the points of a word are multiplied by up to 10, the rarer the more. Without terms the answer has all units that pass the filters, in the order of the manifest. Lore does not open
/// documents. What a manifest says about confidentiality is advice, not a security boundary. A server that evaluates a query sees the capabilities in it.
#[derive(Args, Deserialize, JsonSchema, Clone, Debug, Default)]
#[command(after_help = "Examples:
  lore unit query deploy rollback                two terms
  lore unit query \"how do I deploy?\"             one argument with a space or a question mark is a question
  lore unit query --question 'the \"expense report\" of a trip'
  lore unit query oauth2 --audience agent --sensitivity-max internal --max-token-budget 8000
  lore unit query deploy --has-capabilities tool:kubectl --exclude-stale --json
  lore unit query deploy --explain               why units are results, or why not
  lore unit query                                all units

Exit status: 0: there are results; 1: there are none; 2: the question could not be asked.")]
#[serde(default)]
pub struct UnitQueryRequest {
    /// Search terms; a single term that has a space or ends in a question mark is a question
    #[arg(value_name = "TERM")]
    pub terms: Vec<String>,
    /// A question in plain words; short words, stop words and punctuation are ignored, text in quotes is one term
    #[arg(long, value_name = "TEXT")]
    #[serde(rename = "query")]
    pub question: Option<String>,
    #[command(flatten)]
    #[serde(flatten)]
    // No doc comment: the help of a flattened struct would replace that of the command.
    pub filters: QueryFilters,
    /// The environment, such as production, for conditions of `visibility`
    #[arg(long, value_name = "NAME", help_heading = "Which units")]
    #[schemars(extend("x-agents" = "omit"))]
    pub environment: Option<String>,
    /// Your role, such as security_auditor, for conditions of `visibility`
    #[arg(long, value_name = "ROLE", help_heading = "Which units")]
    #[schemars(extend("x-agents" = "omit"))]
    pub role: Option<String>,
    /// local, or declared: also the manifests that it declares [default: local]
    #[arg(long, value_name = "SCOPE", help_heading = "Which units")]
    pub federation_scope: Option<String>,
    /// Use only manifests that were fetched before
    #[arg(long, help_heading = "Which units")]
    #[schemars(extend("x-agents" = "omit"))]
    pub offline: bool,
    /// Explain for each unit why it is a result or not
    #[arg(long)]
    #[schemars(extend("x-agents" = "omit"))]
    pub explain: bool,
    /// The manifest, or its directory [default: the manifest of this repository]
    #[arg(long, value_name = "FILE")]
    #[schemars(extend("x-agents" = "omit"))]
    pub file: Option<String>,
    /// Use a manifest that is not valid, as far as it can be parsed
    #[arg(long)]
    #[schemars(extend("x-agents" = "omit"))]
    pub lenient: bool,
}

/// The units that answer a query
#[derive(Serialize, JsonSchema, Clone, PartialEq, Debug)]
#[schemars(extend("x-agents-text" = "results"))]
pub struct UnitQueryAnswer {
    #[serde(flatten)]
    // No doc comment: the text of a flattened struct would replace that of the answer.
    pub answer: QueryAnswer,
    /// The manifest
    #[schemars(extend("x-agents" = "omit"))]
    pub manifest: String,
}

/// `lore unit query`.
pub struct UnitQuery;

impl Operation for UnitQuery {
    const NAME: &'static str = "search_knowledge";
    const COMMAND: &'static [&'static str] = &["unit", "query"];
    const ACCESS: Access = Access::Read;
    const FETCHES: bool = true;
    type Request = UnitQueryRequest;
    type Answer = Value<UnitQueryAnswer>;

    fn run(ctx: &Ctx, request: UnitQueryRequest) -> Result<Value<UnitQueryAnswer>, OpError> {
        let asked = asked(&request.terms, request.question.as_deref())?;
        let scope = FederationScope::from_word(request.federation_scope.as_deref());
        let reach = if request.offline { Reach::Offline } else { Reach::Web };
        let mut gathered = sources(ctx, request.file.as_deref(), scope, request.lenient, reach)?;
        if let Some(word) = request
            .federation_scope
            .filter(|word| !["local", "declared"].contains(&word.as_str()))
        {
            gathered.warnings.push(format!(
                "`{word}` is not a federation scope; only the local manifest is searched"
            ));
        }
        let query = QueryRequest {
            explain: request.explain,
            environment: request.environment,
            role: request.role,
            agent_only: is_agent_only(ctx),
            is_question: asked.is_question,
            ..request.filters.request(asked.terms)
        };
        let today = Day::of_ms(ctx.ports.clock.now_ms());
        let mut answer = gathered.warm.query(&query, today, &gathered.incomplete);
        answer.warnings.extend(gathered.warnings);
        let is_empty = answer.results.is_empty();
        let answer = UnitQueryAnswer {
            answer,
            manifest: gathered.manifest,
        };
        Ok(if !is_empty {
            Value::yes(answer)
        } else {
            Value::no(answer)
        })
    }
}

/// What a request asks for.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Asked {
    /// The terms.
    pub terms: Vec<String>,
    /// Whether all of them are words of a question.
    pub is_question: bool,
}

/// The terms of a request: as they are given, those of a question, or both.
pub fn asked(terms: &[String], question: Option<&str>) -> Result<Asked, OpError> {
    let (question, terms) = match (question, terms) {
        (None, [one]) if question::is_question(one) => (Some(one.as_str()), &[][..]),
        given => given,
    };
    let Some(question) = question else {
        return Ok(Asked {
            terms: terms.to_vec(),
            is_question: false,
        });
    };
    let of_question = question::terms(question);
    if of_question.is_empty() && terms.is_empty() {
        return Err(
            OpError::new(ErrorKind::Invalid, "the question has no word to search for")
                .hint("without terms, the answer has all units"),
        );
    }
    Ok(Asked {
        is_question: terms.is_empty(),
        terms: terms.iter().cloned().chain(of_question).collect(),
    })
}

/// The manifests that are asked.
pub struct Gathered {
    /// The local manifest, as the caller named it.
    pub manifest: String,
    /// They.
    pub warm: Arc<Warm>,
    /// Warnings: manifests that are not available, and others.
    pub warnings: Vec<String>,
    /// Units with a missing dependency in another manifest.
    pub incomplete: Incomplete,
}

/// Gathers the manifests to ask: the local one and those that are served with it, and those that it names where `scope` says so.
pub fn sources(
    ctx: &Ctx,
    file: Option<&str>,
    scope: FederationScope,
    lenient: bool,
    reach: Reach,
) -> Result<Gathered, OpError> {
    let (path, manifest) = open_valid(ctx, file, lenient)?;
    let mut warnings = Vec::new();
    let mut local = vec![Source {
        id: None,
        url: None,
        manifest: Arc::clone(&manifest),
    }];
    let mut stamps = stamp(ctx, &path);
    if file.is_none() {
        let (added, faults) = sub_manifests(ctx, &path)?;
        warnings.extend(faults);
        for (path, manifest) in added {
            let all = stamps.zip(stamp(ctx, &path));
            stamps = all.map(|(all, own)| all.rotate_left(7).wrapping_add(own));
            local.push(Source {
                id: Some(path),
                url: None,
                manifest,
            });
        }
    }
    if scope == FederationScope::Local {
        let warm = match stamps {
            Some(stamp) => ctx
                .ports
                .memo
                .get_or(&format!("query {path}"), stamp, || Ok(Warm::of(local)))?,
            None => Arc::new(Warm::of(local)),
        };
        return Ok(Gathered {
            manifest: path,
            warm,
            warnings,
            incomplete: Incomplete::new(),
        });
    }
    let federation = resolve(ctx, manifest, directory(&path), FederationOptions::for_query(), reach)?;
    warnings.extend(federation.notices.iter().map(|notice| notice.message.clone()));
    warnings.extend(federation.members.iter().filter_map(|member| {
        let fault = member.state.fault()?;
        Some(format!("`{}` is not searched: {fault}", member.id))
    }));
    let mut incomplete: Incomplete = federation.incomplete.of(None).map(|unit| (0, unit)).collect();
    for (index, member, manifest) in federation.loaded() {
        incomplete.extend(federation.incomplete.of(Some(index)).map(|unit| (local.len(), unit)));
        let address = member.address.as_ref().map(ToString::to_string);
        local.push(Source {
            id: Some(member.id.clone()),
            url: Some(address.unwrap_or_else(|| member.url.clone())),
            manifest: Arc::clone(manifest),
        });
    }
    Ok(Gathered {
        manifest: path,
        warm: Arc::new(Warm::of(local)),
        warnings,
        incomplete,
    })
}

/// Manifests that may be asked once or often. The first query goes through all units, because an index costs more than that; the second one makes the index.
#[derive(Debug)]
pub struct Warm {
    sources: Vec<Source>,
    asked: AtomicU32,
    index: OnceLock<QueryIndex>,
}

impl Warm {
    /// Manifests that are not loaded yet.
    pub fn of(sources: Vec<Source>) -> Self {
        Self {
            sources,
            asked: AtomicU32::new(0),
            index: OnceLock::new(),
        }
    }

    /// Answers a query.
    pub fn query(&self, request: &QueryRequest, today: Day, incomplete: &Incomplete) -> QueryAnswer {
        let before = self.asked.fetch_add(1, Ordering::Relaxed);
        match before {
            0 => query(&self.sources, request, today, incomplete),
            _ => {
                let index = self.index.get_or_init(|| QueryIndex::build(&self.sources));
                index.query(request, today, incomplete)
            }
        }
    }
}

impl Render for UnitQueryAnswer {
    fn render(&self, page: &mut Page) {
        let answer = &self.answer;
        for result in &answer.results {
            self.show(result, page);
        }
        match (answer.results.len(), answer.matched) {
            (0, 0) => page.line(format_args!("no unit matches")),
            (shown, matched) if shown < matched && answer.budget.is_none() => page.line(format_args!(
                "{shown} of {matched} units that match; --limit N gives more"
            )),
            (shown, matched) if shown < matched => page.line(format_args!("{shown} of {matched} units that match")),
            _ => {}
        }
        if let Some(budget) = answer.budget {
            page.line(format_args!("{} of {} tokens used", budget.used, budget.given));
        }
        for warning in &answer.warnings {
            page.write(format_args!("warning: "));
            page.text(warning);
            page.line(format_args!(""));
        }
        let Some(explain) = &answer.explain else { return };
        page.end_line();
        page.line(format_args!("why:"));
        for unit in &explain.units {
            page.write(format_args!("  "));
            page.text(match unit.unit_id.as_str() {
                "" => "(no id)",
                id => id,
            });
            page.write(format_args!(": {}, {}: ", points(unit.score), unit.outcome));
            page.text(&unit.why);
            for term in &unit.terms {
                page.write(format_args!("; "));
                page.text(&term.term);
                page.write(format_args!(" {} ({})", term.points, term.found_in.join(", ")));
            }
            page.line(format_args!(""));
        }
        if explain.left_off > 0 {
            page.line(format_args!("  and {} more units", explain.left_off));
        }
    }
}

impl UnitQueryAnswer {
    fn show(&self, result: &QueryResult, page: &mut Page) {
        page.strong(&result.unit_id);
        if !self.answer.terms.is_empty() {
            page.write(format_args!(
                "  {} ({})",
                points(result.score),
                result.match_reason.join(", ")
            ));
        }
        match result.token_estimate {
            Some(tokens) => page.line(format_args!("  {tokens} tokens")),
            None => page.line(format_args!("")),
        }
        page.write(format_args!("  "));
        page.text(&result.intent);
        page.end_line();
        page.write(format_args!("  "));
        match &result.source_manifest {
            Some(source) => {
                page.text(&result.uri);
                page.write(format_args!("  of "));
                page.text(source);
            }
            None => {
                page.text(&result.path);
                page.write(format_args!("  "));
                page.text(&self.manifest);
                page.write(format_args!(":{}", result.line));
            }
        }
        page.line(format_args!(""));
        if let Some(original) = &result.substituted_for {
            page.write(format_args!("  instead of "));
            page.text(original);
            page.line(format_args!(""));
        }
        for caution in &result.caution {
            page.write(format_args!("  caution: "));
            page.text(caution);
            page.line(format_args!(""));
        }
    }
}

fn points(points: u32) -> String {
    match points {
        1 => "1 point".to_owned(),
        points => format!("{points} points"),
    }
}
