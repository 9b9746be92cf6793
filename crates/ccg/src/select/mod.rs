//! Which layers, or which query, answer a question within a budget (clause Q4; §7.1 to §7.3).
//!
//! `classify` reads what a question needs from its words, [`select`] chooses by the tables, `queries` writes the SPARQL, and [`load`] gives the
//! content, never above the budget.
//!
//! How the tables go together: the needs (§7.1, §7.2) say what would help, the budget (§7.3) says how far down one may load. Below 10 KB that
//! is L0 alone, whatever is needed. Below 50 KB L1 may be loaded too, below 200 KB a subset of L2; what is needed and may not be loaded is asked by
//! SPARQL, its result cut to what is left. From 200 KB on nothing but L0 is loaded and everything is asked. Without a budget the needs decide
//! alone, without a question the budget does.

mod choose;
mod classify;
mod content;
mod load;
mod queries;
mod question;
mod subset;

use std::borrow::Cow;

use clap::Args;
use lore_model::{CodeGraph, File};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::open::{Showing, open};
use content::TreeLayers;
use load::MOST;
use lore_seam::{Access, Bytes, Ctx, ErrorKind, Exported, OpError, Operation, Page, Render, Scope, Value};

pub use choose::{Query, Selection, Strategy, select};
pub use classify::{NameMeaning, classify};
pub use load::{LayerContent, Loaded, LoadedPart, QueryText, load};
pub use question::{Direction, Names, Need, Question, parse_size};
pub use subset::{Edges, SubsetSymbol, subset};

/// A name that more symbols bear than this means the most important of them.
const MAX_BEARERS: usize = 32;
/// Files that the end of a path may mean.
const MAX_FILES: usize = 8;
/// A longer question is none.
const MAX_QUESTION_BYTES: usize = 8 * 1024;

/// Choose the layers, or the query, that answer a question within a budget
///
/// Lore reads the needs from the words of an English question, and looks up the names in it. One KB is 1,024 bytes. Below 10 KB, only the manifest is
/// loaded; below 50 KB, also the architecture; below 200 KB, also a subset of the symbol index. From 200 KB on, SPARQL queries answer. With
/// --load, it prints the content itself, never more than the budget.
#[derive(Args, Deserialize, JsonSchema, Clone, Debug, Default)]
#[command(after_help = "Examples:
  lore ccg select --question 'What does this codebase do?' --budget 50KB
  lore ccg select --question 'Who calls `Session.send`?' --budget 100KB --load
  lore ccg select --needs callgraph --about Session.send --budget 20KB --load
  lore ccg select --needs overview,structure --budget 30k --json
  lore ccg select --budget 64KB")]
pub struct CcgSelectRequest {
    /// The question, in English
    #[arg(long, value_name = "TEXT")]
    #[serde(default)]
    pub question: Option<String>,
    /// The needs, instead of those that the words of the question express
    #[arg(long, value_enum, value_delimiter = ',', value_name = "NEED,…")]
    #[serde(default)]
    pub needs: Vec<Need>,
    /// A symbol or file that the question is about (repeatable)
    #[arg(long, value_name = "NAME")]
    #[serde(default)]
    pub about: Vec<String>,
    /// Maximum size of what is loaded, such as 51200, 50KB or 1MB
    #[arg(long, value_name = "SIZE")]
    #[serde(default)]
    pub budget: Option<String>,
    /// Print the content itself
    #[arg(long)]
    #[serde(default)]
    pub load: bool,
    #[command(flatten)]
    #[serde(flatten)]
    // No doc comment: the help of a flattened struct would replace that of the command.
    pub scope: Scope,
}

/// Which layers or queries answer a question
#[derive(Serialize, JsonSchema, Clone, PartialEq, Eq, Debug)]
pub struct CcgSelectAnswer {
    /// The strategy
    pub strategy: Strategy,
    /// What the question needs
    pub needs: Vec<Need>,
    /// What it names
    pub names: Names,
    /// The direction in which calls are followed, if calls are needed
    #[serde(skip_serializing_if = "Option::is_none")]
    pub direction: Option<Direction>,
    /// Maximum number of bytes to load
    #[serde(skip_serializing_if = "Option::is_none")]
    pub budget: Option<u64>,
    /// The layers to load
    pub layers: Vec<ChosenLayer>,
    /// The queries to run
    pub sparql: Vec<Query>,
    /// Needs that the budget does not allow to answer
    pub unmet: Vec<Need>,
    /// What to use instead of loading anything
    pub instead: Vec<String>,
    /// The reasons
    pub why: Vec<String>,
}

/// A layer to load
#[derive(Serialize, JsonSchema, Clone, PartialEq, Eq, Debug)]
pub struct ChosenLayer {
    /// Its number
    pub layer: u8,
    /// Its name
    pub title: String,
    /// Number of bytes that are loaded, if they fit
    #[serde(skip_serializing_if = "Option::is_none")]
    pub bytes: Option<usize>,
    /// What is left out of it
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cut: Option<String>,
}

/// `lore ccg select`.
pub struct CcgSelect;

impl Operation for CcgSelect {
    const NAME: &'static str = "ccg_select";
    const COMMAND: &'static [&'static str] = &["ccg", "select"];
    const ACCESS: Access = Access::Read;
    type Request = CcgSelectRequest;
    type Answer = Exported<CcgSelectAnswer>;

    fn run(ctx: &Ctx, request: CcgSelectRequest) -> Result<Exported<CcgSelectAnswer>, OpError> {
        let budget = request.budget()?;
        let dataset = open(ctx, &request.scope, false, &Showing::AS_IT_IS)?;
        let question = request.understand(dataset.graph());
        let selection = select(question.as_ref(), budget);
        let symbols = match selection.strategy {
            Strategy::Subset => subset(dataset.graph(), question.as_ref()),
            _ => Vec::new(),
        };
        let content = TreeLayers {
            ctx,
            scope: &request.scope,
            dataset: &dataset,
        };
        let loaded = load(&selection, &symbols, &content, budget, request.load);
        if !request.load {
            // A budget too small for anything and a layer that cannot be made are worth an answer too; only the sizes are missing.
            let loaded = match loaded {
                Err(error) if matches!(error.kind, ErrorKind::Invalid | ErrorKind::Unavailable) => Loaded::default(),
                loaded => loaded?,
            };
            let answer = CcgSelectAnswer::new(question, budget, selection, &loaded);
            return Ok(Exported::Report(Value::yes(answer)));
        }
        let loaded = loaded?;
        let mut bytes = Bytes::whole("text/plain; charset=utf-8", loaded.text().into_bytes());
        bytes.note = note(&selection, &loaded, budget);
        Ok(Exported::Bytes(bytes))
    }
}

/// What is to be said beside the content: what was left out, and what to use instead.
fn note(selection: &Selection, loaded: &Loaded, budget: Option<u64>) -> Option<String> {
    let mut notes: Vec<String> = Vec::new();
    if selection.strategy == Strategy::Viewer {
        notes.extend(selection.why.iter().cloned());
        notes.push(format!("use {}", selection.instead.join(" or ")));
    }
    if !selection.unmet.is_empty() {
        let unmet: Vec<&str> = selection.unmet.iter().map(|need| need.name()).collect();
        notes.push(format!(
            "the budget does not allow an answer to {}",
            unmet.join(" and ")
        ));
    }
    let cuts = loaded.parts.iter().filter_map(|part| part.cut.clone());
    let cuts: Vec<String> = cuts.chain(loaded.left_out.iter().cloned()).collect();
    if !cuts.is_empty() {
        let budget = budget.unwrap_or(MOST);
        notes.push(format!("{} (at most {budget} bytes)", cuts.join(", ")));
    }
    (!notes.is_empty()).then(|| notes.join("; "))
}

impl CcgSelectRequest {
    fn budget(&self) -> Result<Option<u64>, OpError> {
        if self.question.is_none() && self.needs.is_empty() && self.about.is_empty() && self.budget.is_none() {
            return Err(OpError::new(ErrorKind::Invalid, "there is no question and no budget")
                .hint("use --question 'What does this codebase do?', --needs structure, or --budget 50KB"));
        }
        if self
            .question
            .as_ref()
            .is_some_and(|text| text.len() > MAX_QUESTION_BYTES)
        {
            let message = format!("the question is longer than {MAX_QUESTION_BYTES} bytes");
            return Err(OpError::new(ErrorKind::Invalid, message));
        }
        let size = self.budget.as_deref().map(parse_size).transpose();
        size.map_err(|message| OpError::new(ErrorKind::Invalid, message))
    }

    /// What is asked; nothing if only a budget is given.
    fn understand(&self, graph: &CodeGraph) -> Option<Question> {
        if self.question.is_none() && self.needs.is_empty() && self.about.is_empty() {
            return None;
        }
        let find = |name: &str| find(graph, name);
        let mut question = match &self.question {
            Some(text) => classify(text, &find),
            None => Question::default(),
        };
        for name in &self.about {
            match find(name) {
                Some(found) => {
                    question.names.symbols.extend(found.symbols);
                    question.names.files.extend(found.files);
                }
                None => question.names.unknown.push(name.clone()),
            }
        }
        if !self.needs.is_empty() {
            question.needs = self.needs.iter().copied().collect();
            question.complete_call_graph = false;
        } else if self.question.is_none() {
            question.needs.insert(Need::Symbols);
        }
        Some(question)
    }
}

/// What a name means: a file, by its path or the end of it, or symbols, the most important ones if many have it.
fn find(graph: &CodeGraph, name: &str) -> Option<NameMeaning> {
    let mut found = NameMeaning::default();
    if let Some(file) = graph.file_at(name) {
        found.files.push(file.path().to_owned());
        return Some(found);
    }
    let ends = |file: &File<'_>| {
        file.path()
            .strip_suffix(name)
            .is_some_and(|before| before.ends_with('/'))
    };
    if name.contains('.') {
        let files = graph.files().filter(ends).take(MAX_FILES);
        found.files = files.map(|file| file.path().to_owned()).collect();
    }
    if found.files.is_empty() {
        let mut symbols = graph.lookup(name);
        symbols.sort_by_key(|id| (std::cmp::Reverse(graph.symbol(*id).importance()), *id));
        let names = symbols
            .iter()
            .take(MAX_BEARERS)
            .map(|id| graph.symbol(*id).qualified_name());
        found.symbols = names.map(Cow::into_owned).collect();
    }
    (found != NameMeaning::default()).then_some(found)
}

impl CcgSelectAnswer {
    fn new(question: Option<Question>, budget: Option<u64>, selection: Selection, loaded: &Loaded) -> Self {
        let question = question.unwrap_or_default();
        let layers = selection.layers.iter().map(|layer| {
            let part = loaded
                .parts
                .iter()
                .find(|part| part.layer == *layer && part.need.is_none());
            ChosenLayer {
                layer: layer.number(),
                title: layer.title().to_owned(),
                bytes: part.map(|part| part.bytes()),
                cut: part.and_then(|part| part.cut.clone()),
            }
        });
        Self {
            strategy: selection.strategy,
            direction: question.needs.contains(&Need::Callgraph).then_some(question.direction),
            needs: question.needs.into_iter().collect(),
            names: question.names,
            budget,
            layers: layers.collect(),
            sparql: selection.sparql,
            unmet: selection.unmet.into_iter().collect(),
            instead: selection.instead.into_iter().map(str::to_owned).collect(),
            why: selection.why,
        }
    }
}

impl Render for CcgSelectAnswer {
    fn render(&self, page: &mut Page) {
        page.strong(self.strategy.title());
        page.line(format_args!(""));
        for layer in &self.layers {
            page.write(format_args!("  L{} {}", layer.layer, layer.title));
            if let Some(bytes) = layer.bytes {
                page.write(format_args!(", {bytes} bytes"));
            }
            if let Some(cut) = &layer.cut {
                page.write(format_args!(", {cut}"));
            }
            page.line(format_args!(""));
        }
        let mut list = |title: &str, names: Vec<&str>| {
            if !names.is_empty() {
                page.dim(title);
                page.write(format_args!(" "));
                page.text(&names.join(", "));
                page.line(format_args!(""));
            }
        };
        let texts = |names: &'_ [String]| -> Vec<String> { names.to_vec() };
        list("needs:", self.needs.iter().map(|need| need.name()).collect());
        for (title, names) in [
            ("symbols:", texts(&self.names.symbols)),
            ("files:", texts(&self.names.files)),
            ("unknown here:", texts(&self.names.unknown)),
            ("why:", texts(&self.why)),
            ("instead:", texts(&self.instead)),
        ] {
            list(title, names.iter().map(String::as_str).collect());
        }
        list("not answered:", self.unmet.iter().map(|need| need.name()).collect());
        for query in &self.sparql {
            page.line(format_args!(""));
            if let Some(template) = &query.template {
                let parameters: String = query.parameters.iter().map(|one| format!(" --param {one}")).collect();
                page.dim(&format!("# lore query --template {template}{parameters}"));
                page.line(format_args!(""));
            }
            page.block(&query.text);
            page.line(format_args!(""));
        }
    }
}
