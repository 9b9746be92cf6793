//! `lore query`: SPARQL 1.1 over the dataset (clauses Q1 to Q3), read-only, with limits of time and rows. An answer says when a limit cut it.

mod evaluate;
mod foreign;
mod results;
mod statement_store;
mod syntax;
mod templates;
mod tokens;
mod words;

use std::sync::Arc;
use std::time::Duration;

use clap::Args;
use schemars::JsonSchema;
use serde::Deserialize;

use super::dataset::{FacetGraphs, Layer, Node, Watch, facets};
use super::open::{Showing, open};
use lore_seam::{Access, Ctx, ErrorKind, Exported, Facet, OpError, Operation, Scope, Value};
use templates::{Names, OwnNames};
use words::Words;

pub use evaluate::{Asked, Limits, Outcome, ask, ask_in_time};
pub use foreign::{MAX_FOREIGN_BYTES, MAX_FOREIGN_QUADS};
pub use results::{QueryAnswer, QueryFormat};
pub use templates::{Parameter, TEMPLATES, Template};
pub use tokens::{MAX_DEPTH, MAX_QUERY_BYTES};

/// Query the graph in SPARQL 1.1, or by a template
///
/// Named graphs: structure, calls, types, docs, history and more about the code, units of the knowledge manifest, and memory. Without FROM, a query reads all of them.
/// The prefixes narsil, ccg, kcp, mem, rdf, rdfs, xsd, owl, foaf, acl, sym, file, graph and finding are declared. <sym:NAME>, <file:PATH> and <repo:GRAPH> are short for IRIs of this commit. Queries are read-only and local.
#[derive(Args, Deserialize, JsonSchema, Clone, Debug)]
#[command(after_help = "Examples:
  lore query 'SELECT ?f ?c { ?f narsil:complexity ?c } ORDER BY DESC(?c) LIMIT 10'
  lore query 'SELECT ?caller { ?caller narsil:calls <sym:app.db.execute> }'
  lore query --template find_callers --param symbol=QuerySet.filter
  lore query --template symbol_complexity --param threshold=20 --format csv
  lore query --file report.rq --format json
  lore query --templates")]
pub struct QueryRequest {
    /// The query
    #[serde(default)]
    pub query: Option<String>,
    /// Read the query from a file; - is standard input
    #[arg(long, short, value_name = "FILE", conflicts_with = "query")]
    #[serde(default)]
    #[schemars(extend("x-agents" = "omit"))]
    pub file: Option<String>,
    /// Use a template instead: find_callers, find_callees, symbol_complexity, module_dependencies …
    #[arg(long, short, value_name = "NAME", conflicts_with_all = ["query", "file"])]
    #[serde(default)]
    pub template: Option<String>,
    /// A parameter of the template, as NAME=VALUE
    #[arg(long = "param", short, value_name = "NAME=VALUE", requires = "template")]
    #[serde(default)]
    pub parameters: Vec<Parameter>,
    /// List the templates and their parameters
    #[arg(long, conflicts_with_all = ["query", "file", "template"])]
    #[serde(default)]
    #[schemars(extend("x-agents" = "omit"))]
    pub templates: bool,
    /// Query another graph: a bundle, a directory of layers, an N-Quads file, or an https address
    #[arg(long, value_name = "SOURCE")]
    #[serde(default)]
    pub from: Option<String>,
    /// Query the graph as exports show it: with scrubbed texts and only tracked files
    #[arg(long, conflicts_with = "from")]
    #[serde(default)]
    #[schemars(extend("x-agents" = "omit"))]
    pub published: bool,
    /// The output format [default: a table]
    #[arg(long, value_enum)]
    #[serde(default)]
    #[schemars(extend("x-agents-default" = "table"))]
    pub format: Option<QueryFormat>,
    /// Maximum number of rows or triples; 0 for all
    #[arg(long, value_name = "N", default_value_t = 10_000)]
    #[serde(default = "most_rows")]
    pub limit: usize,
    /// Maximum time in seconds
    #[arg(long, value_name = "SECONDS", default_value_t = 30.0)]
    #[serde(default = "most_seconds")]
    #[schemars(extend("x-agents" = "omit"))]
    pub timeout: f32,
    #[command(flatten)]
    #[serde(flatten)]
    // No doc comment: the help of a flattened struct would replace that of the command.
    pub scope: Scope,
}

fn most_rows() -> usize {
    10_000
}

fn most_seconds() -> f32 {
    30.0
}

/// `lore query`.
pub struct Query;

impl Operation for Query {
    const NAME: &'static str = "query_ccg";
    const COMMAND: &'static [&'static str] = &["query"];
    const ACCESS: Access = Access::Read;
    const FETCHES: bool = true;
    type Request = QueryRequest;
    type Answer = Exported<QueryAnswer>;

    fn run(ctx: &Ctx, request: QueryRequest) -> Result<Exported<QueryAnswer>, OpError> {
        if request.templates {
            return listed(request.format);
        }
        if !(request.timeout > 0.0 && request.timeout <= 86_400.0) {
            let message = format!("--timeout is {} seconds", request.timeout);
            return Err(OpError::new(ErrorKind::Invalid, message).hint("use more than 0 and at most 86400 seconds"));
        }
        let limits = Limits {
            rows: if request.limit == 0 { usize::MAX } else { request.limit },
            time: Duration::from_secs_f32(request.timeout),
        };
        let watch = Arc::new(Watch::of(&ctx.cancel));
        let clock = Arc::clone(&ctx.ports.clock);
        if let Some(from) = &request.from {
            let (of, from, asking) = (ctx.clone(), from.clone(), request.clone());
            let stopping = Arc::clone(&watch);
            // The time limit includes reading the source.
            let (outcome, identity) = ask_in_time(&limits, ctx, &stopping, move || {
                let ring = Arc::clone(&watch);
                let _alarm = clock.after(limits.time, Box::new(move || ring.stop()));
                let foreign = foreign::load(&of, &from, &asking.scope, &watch)?;
                let asked = Asked::parse(&text(&of, &asking, &foreign)?, &foreign.identity, of.ports.datasets)?;
                let outcome = ask(&asked, foreign.held.view(&watch), &limits, clock.as_ref(), &watch)?;
                // The graph may have words of its own, which only a query that found nothing makes doubtful.
                let notes = if outcome.is_empty() {
                    Words::of(of.ports.datasets, &[]).unknown(asked.query())
                } else {
                    Vec::new()
                };
                Ok(((outcome, notes), foreign.identity))
            })?;
            let (outcome, notes) = outcome;
            return answer(outcome, identity.base(), notes, request.format);
        }
        let showing = if request.published {
            Showing::PUBLISHED
        } else {
            Showing::AS_IT_IS
        };
        let dataset = Arc::new(open(ctx, &request.scope, false, &showing)?);
        let identity = dataset.identity();
        let names = OwnNames {
            graph: dataset.graph(),
            identity,
        };
        let asked = Asked::parse(&text(ctx, &request, &names)?, identity, ctx.ports.datasets)?;
        let mut notes = unknown(&asked, &dataset, ctx.ports.datasets);
        let (beside, faults) = facets(ctx, &dataset, request.scope.at.as_deref(), |facet| {
            asked.may_ask(facet.prefix.1, &dataset.identity().iri("graph", facet.graph))
        })?;
        notes.extend(faults);
        notes.extend(Words::of(ctx.ports.datasets, &beside).unknown(asked.query()));
        let (asked_of, of_evaluation) = (Arc::clone(&dataset), Arc::clone(&watch));
        let outcome = ask_in_time(&limits, ctx, &watch, move || {
            let view = asked_of.view(Layer::Full, Arc::clone(&of_evaluation));
            let view = view.with(FacetGraphs::new(&asked_of, beside));
            ask(&asked, view, &limits, clock.as_ref(), &of_evaluation)
        })?;
        answer(outcome, identity.base(), notes, request.format)
    }
}

/// The query that a request means.
fn text(ctx: &Ctx, request: &QueryRequest, names: &dyn Names) -> Result<String, OpError> {
    match (&request.query, &request.file, &request.template) {
        (Some(query), _, _) => Ok(query.clone()),
        (_, Some(file), _) => {
            let content = ctx.ports.files.read(file, MAX_QUERY_BYTES as u64)?;
            String::from_utf8(content)
                .map_err(|error| OpError::new(ErrorKind::Invalid, format!("{file} is not UTF-8")).because(error))
        }
        (_, _, Some(name)) => templates::fill(templates::named(name)?, &request.parameters, names),
        (None, None, None) => Err(OpError::new(ErrorKind::Invalid, "there is no query")
            .hint("write a query in quotes, or use --file FILE or --template NAME; --templates lists the templates")),
    }
}

/// What a shorthand names that is not there.
fn unknown(asked: &Asked, dataset: &super::dataset::Dataset, datasets: &[Facet]) -> Vec<String> {
    let graphs: Vec<String> = datasets
        .iter()
        .map(|facet| dataset.identity().iri("graph", facet.graph))
        .collect();
    let is_unknown = |iri: &str| {
        if graphs.iter().any(|graph| graph == iri) {
            return false;
        }
        let term = oxrdf::NamedNode::new_unchecked(iri).into();
        matches!(Node::of_term(dataset, term), Node::Other(_))
    };
    let names = |(written, iri): &(String, String)| {
        let name = written.split_once(':').map_or("", |(_, name)| name);
        if name.is_empty() || !is_unknown(iri) {
            return None;
        }
        let found = dataset.graph().lookup(name);
        let names: Vec<_> = found
            .iter()
            .take(3)
            .map(|id| dataset.graph().symbol(*id).qualified_name())
            .collect();
        Some(if names.is_empty() {
            format!("unknown name {written}")
        } else {
            format!("unknown name {written}; did you mean {}?", names.join(", "))
        })
    };
    asked.shorthands.iter().filter_map(names).collect()
}

fn answer(
    outcome: Outcome,
    base: &str,
    notes: Vec<String>,
    format: Option<QueryFormat>,
) -> Result<Exported<QueryAnswer>, OpError> {
    let verdict = outcome != Outcome::Boolean(false);
    let answer = QueryAnswer::new(outcome, base, notes);
    let answer = match format {
        Some(QueryFormat::Table) => answer.shown_as_table(),
        _ => answer,
    };
    match format {
        None | Some(QueryFormat::Table) => Ok(Exported::Report(if verdict {
            Value::yes(answer)
        } else {
            Value::no(answer)
        })),
        Some(format) => answer.bytes(format).map(Exported::Bytes),
    }
}

/// The templates, as the rows of a result.
fn listed(format: Option<QueryFormat>) -> Result<Exported<QueryAnswer>, OpError> {
    let variable = |name: &str| oxrdf::Variable::new_unchecked(name);
    let text = |text: &str| Some(oxrdf::Literal::new_simple_literal(text).into());
    let rows = TEMPLATES.iter().map(|template| {
        let parameters: Vec<String> = template
            .parameters
            .iter()
            .map(|parameter| match parameter.default {
                None => parameter.name.to_owned(),
                Some("") => format!("[{}]", parameter.name),
                Some(default) => format!("[{}={default}]", parameter.name),
            })
            .collect();
        vec![
            text(template.name),
            text(&parameters.join(" ")),
            text(template.description),
        ]
    });
    let outcome = Outcome::Solutions {
        variables: vec![variable("template"), variable("parameters"), variable("description")],
        rows: rows.collect(),
        cut: None,
    };
    answer(outcome, "", Vec::new(), format)
}
