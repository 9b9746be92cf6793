//! `lore mind suggest`: edges that the code speaks for and that the mind graph does not have (clauses Suggest1 to Suggest4).
//!
//! Everything here goes by what the code graph says, so that the same code and the same graph give the same list.

use lore_mind::patch_log::PatchLog;
use std::collections::{BTreeMap, BTreeSet, HashMap};

use clap::Args;
use lore_model::{
    CodeGraph, EdgeKind, EdgeTarget, FileId, SURE_DEPENDENCY, names_its_target, resolve_path, truncate_chars,
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::code::{Level, NamedCode, own, parts};
use lore_base::counted::counted;
use lore_mind::arguments::{edge_type, node_id};
use lore_mind::graph::{Graph, Node, NodeIx, arrow};
use lore_mind::open::open;
use lore_mind::patch::Triple;
use lore_mind::review::decisions;
use lore_mind::warnings::render_warnings;
use lore_mind::write::{Wanted, write};
use lore_mind::{Changes, Confidence, EdgePut, EdgeType, Field};
use lore_seam::{Access, Ctx, ErrorKind, GraphScope, ObjectId, OpError, Operation, Page, Render, Value};

/// Suggestions that are given unless more are asked for.
const LIMIT: usize = 50;
/// Places that a suggestion names.
const PLACES: usize = 3;
/// Documents that are read, and bytes of one.
const DOCUMENTS: usize = 2_000;
const DOCUMENT_BYTES: usize = 1 << 20;
/// Commits that are looked at, and files of one that are taken.
const COMMITS: usize = 1_000;
const COMMIT_FILES: usize = 1_000;
/// Letters that a single word needs to mean something.
const LETTERS: usize = 6;

/// Suggest edges that the code supports: depends-on, documents, implements, touches
///
/// Edges connect existing nodes, with a confidence of 0.3 to 0.5, so that written ones wait for `lore mind review`. Rejected edges are not suggested again.
#[derive(Args, Deserialize, JsonSchema, Clone, Debug, Default)]
#[command(after_help = "Examples:
  lore mind suggest                          the edges that the code supports
  lore mind suggest --kind depends-on        only of one type
  lore mind suggest --write                  add the suggestions, for review
  lore mind suggest --limit 0 --json         all of them, for programs

Exit status: 0: success, with or without suggestions; 2: the suggestions could not be computed or written.")]
#[serde(default)]
pub struct MindSuggestRequest {
    /// Add the suggestions to the graph, for review
    #[arg(long)]
    pub write: bool,
    /// Only edges of this type: depends-on, documents, implements or touches (repeatable)
    #[arg(long, value_delimiter = ',', value_name = "TYPE")]
    pub kind: Vec<String>,
    /// Maximum number of suggestions; 0 for all
    #[arg(long, short = 'n', value_name = "N", default_value_t = LIMIT)]
    #[serde(default = "default_limit")]
    pub limit: usize,
}

fn default_limit() -> usize {
    LIMIT
}

/// Suggested edges
#[derive(Serialize, JsonSchema, Clone, PartialEq, Debug)]
pub struct MindSuggestAnswer {
    /// The edges, the most certain first
    pub suggestions: Vec<Suggestion>,
    /// Number of further suggestions
    pub more: usize,
    /// Number of edges added to the graph
    pub written: usize,
    /// The patch with these edges
    #[serde(skip_serializing_if = "Option::is_none")]
    pub patch: Option<String>,
    /// Remarks
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub warnings: Vec<String>,
}

/// A suggested edge
#[derive(Serialize, JsonSchema, Clone, PartialEq, Debug)]
pub struct Suggestion {
    /// The source node
    pub source: String,
    /// The target node
    pub target: String,
    /// The type
    #[serde(rename = "type")]
    #[schemars(with = "String")]
    pub kind: EdgeType,
    /// The confidence, from 0.3 to 0.5
    #[schemars(with = "f64")]
    pub confidence: Confidence,
    /// The evidence
    pub rationale: String,
    /// The place of the evidence: path:line
    pub places: Vec<String>,
}

/// What is suggested.
const SUGGESTED: [EdgeType; 4] = [
    EdgeType::DependsOn,
    EdgeType::Documents,
    EdgeType::Implements,
    EdgeType::Touches,
];

/// `lore mind suggest`.
pub struct MindSuggest;

impl Operation for MindSuggest {
    const NAME: &'static str = "mind_suggest";
    const COMMAND: &'static [&'static str] = &["mind", "suggest"];
    const ACCESS: Access = Access::Write;
    type Request = MindSuggestRequest;
    type Answer = Value<MindSuggestAnswer>;

    fn run(ctx: &Ctx, request: MindSuggestRequest) -> Result<Value<MindSuggestAnswer>, OpError> {
        let kinds: Vec<EdgeType> = request
            .kind
            .iter()
            .map(|name| edge_type(name))
            .collect::<Result<_, _>>()?;
        if let Some(kind) = kinds.iter().find(|kind| !SUGGESTED.contains(kind)) {
            let names: Vec<&str> = SUGGESTED.iter().map(|kind| kind.name()).collect();
            let error = OpError::new(
                ErrorKind::Invalid,
                format!("edges of type `{kind}` are never suggested"),
            );
            return Err(error.hint(format!("suggested types: {}", names.join(", "))));
        }
        let opened = open(ctx, None)?;
        let scope = GraphScope::default();
        let code = ctx.ports.code.graph(&scope, ctx.progress.as_ref(), &ctx.cancel)?;
        let mut suggestions = suggest(ctx, &opened.graph, &NamedCode::new(code))?;
        suggestions.retain(|found| kinds.is_empty() || kinds.contains(&found.kind));
        let all = suggestions.len();
        if request.limit > 0 {
            suggestions.truncate(request.limit);
        }
        let mut answer = MindSuggestAnswer {
            more: all - suggestions.len(),
            suggestions,
            written: 0,
            patch: None,
            warnings: opened.remarks(),
        };
        if request.write && !answer.suggestions.is_empty() {
            let (written, patch) = write(ctx, |graph, now| {
                let known = Known::of(graph);
                let mut changes = Changes::new();
                let mut written = 0;
                for found in answer.suggestions.iter().filter(|found| !known.has(found)) {
                    let edge = Triple {
                        source: node_id(&found.source)?,
                        target: node_id(&found.target)?,
                        kind: found.kind,
                    };
                    let put = EdgePut {
                        confidence: found.confidence,
                        rationale: Field::Set(found.rationale.as_str().into()),
                        reviewed_at: Field::Keep,
                    };
                    changes.put_edge(edge, put);
                    written += 1;
                }
                Ok(Wanted {
                    subject: format!("mind: {}", counted(written, "suggestion")),
                    operations: changes.into_operations(graph, now),
                    answer: written,
                })
            })?;
            answer.written = written;
            answer.patch = patch.map(|patch| patch.to_hex());
        }
        Ok(Value::yes(answer))
    }
}

/// What is not suggested: edges that are there, and those that were rejected.
struct Known<'g> {
    graph: &'g Graph,
    rejected: BTreeSet<(String, String, EdgeType)>,
}

impl<'g> Known<'g> {
    fn of(graph: &'g Graph) -> Self {
        let rejected = decisions(graph).into_iter().filter(|(_, record)| record.is_rejection);
        Self {
            graph,
            rejected: rejected.map(|(edge, _)| edge).collect(),
        }
    }

    fn has(&self, found: &Suggestion) -> bool {
        let key = (found.source.clone(), found.target.clone(), found.kind);
        self.graph.edge(&found.source, &found.target, found.kind).is_some()
            || self.graph.node(&found.source).is_none()
            || self.graph.node(&found.target).is_none()
            || self.rejected.contains(&key)
    }
}

/// All suggestions, the surest first.
fn suggest(ctx: &Ctx, graph: &Graph, code: &NamedCode) -> Result<Vec<Suggestion>, OpError> {
    let owned = Owned::of(graph, code);
    let mut found = Found {
        graph,
        known: Known::of(graph),
        edges: BTreeMap::new(),
    };
    dependencies(&mut found, code, &owned);
    documents(ctx, &mut found, code, &owned)?;
    implementations(&mut found, code, &owned);
    touches(ctx, &mut found)?;
    let mut suggestions: Vec<Suggestion> = found.edges.into_values().collect();
    suggestions.sort_by(|left, right| {
        let key = |found: &Suggestion| (found.source.clone(), found.target.clone(), found.kind);
        right
            .confidence
            .get()
            .total_cmp(&left.confidence.get())
            .then_with(|| key(left).cmp(&key(right)))
    });
    Ok(suggestions)
}

fn cancelled() -> OpError {
    OpError::new(ErrorKind::Cancelled, "the search for suggestions was cancelled")
}

struct Found<'g> {
    graph: &'g Graph,
    known: Known<'g>,
    edges: BTreeMap<(NodeIx, NodeIx, EdgeType), Suggestion>,
}

impl Found<'_> {
    /// Keeps a suggestion unless a surer one was found before.
    fn add(
        &mut self,
        (source, target): (NodeIx, NodeIx),
        kind: EdgeType,
        hundredths: u8,
        why: String,
        places: Vec<String>,
    ) {
        if source == target {
            return;
        }
        let Ok(confidence) = Confidence::new(f64::from(hundredths) / 100.0) else {
            return;
        };
        let suggestion = Suggestion {
            source: self.graph.node_at(source).id().to_owned(),
            target: self.graph.node_at(target).id().to_owned(),
            kind,
            confidence,
            rationale: why,
            places,
        };
        let key = (source, target, kind);
        let is_surer = |held: &Suggestion| held.confidence.get() < confidence.get();
        if self.edges.get(&key).is_none_or(is_surer) && !self.known.has(&suggestion) {
            self.edges.insert(key, suggestion);
        }
    }
}

/// Which nodes mean a file.
#[derive(Default)]
struct Owned {
    by_file: HashMap<FileId, Vec<(Level, NodeIx)>>,
    /// Nodes that name code which is there, in order.
    nodes: Vec<(NodeIx, Level)>,
}

impl Owned {
    fn of(graph: &Graph, code: &NamedCode) -> Self {
        let mut owned = Self::default();
        for node in graph.nodes() {
            let Some((level, files)) = code.files(node).filter(|(_, files)| !files.is_empty()) else {
                continue;
            };
            for file in files {
                owned.by_file.entry(file).or_default().push((level, node.ix()));
            }
            owned.nodes.push((node.ix(), level));
        }
        owned
    }

    fn of_file(&self, file: FileId) -> &[(Level, NodeIx)] {
        self.by_file.get(&file).map(Vec::as_slice).unwrap_or_default()
    }

    /// The node that names a file most closely: itself, its module, its package.
    fn nearest(&self, file: FileId) -> Option<NodeIx> {
        let rank = |level: Level| match level {
            Level::File => 0,
            Level::Module => 1,
            Level::Package => 2,
        };
        let owners = self.of_file(file).iter();
        owners
            .min_by_key(|(level, node)| (rank(*level), *node))
            .map(|(_, node)| *node)
    }
}

/// Suggest1: what one piece of code names of another of the same kind.
fn dependencies(found: &mut Found<'_>, code: &NamedCode, owned: &Owned) {
    #[derive(Default)]
    struct Seen {
        kinds: BTreeMap<&'static str, u32>,
        places: BTreeSet<(String, u32)>,
    }
    let mut pairs: BTreeMap<(NodeIx, NodeIx), Seen> = BTreeMap::new();
    for edge in code.graph.edges() {
        let EdgeTarget::Symbol(target) = edge.target() else {
            continue;
        };
        let (from, to) = (edge.file_id(), target.file_id());
        let is_sure = edge.kind() != EdgeKind::Tests && edge.resolution().confidence() >= SURE_DEPENDENCY;
        if from == to || !is_sure || !names_its_target(edge) {
            continue;
        }
        for (level, source) in owned.of_file(from) {
            let holds_both = |node: NodeIx| {
                [from, to]
                    .iter()
                    .all(|file| owned.of_file(*file).iter().any(|(_, held)| *held == node))
            };
            for (other, target) in owned.of_file(to) {
                if level != other || source == target || holds_both(*source) || holds_both(*target) {
                    continue;
                }
                let seen = pairs.entry((*source, *target)).or_default();
                *seen.kinds.entry(edge.kind().name()).or_default() += 1;
                let line = edge.lines().next().unwrap_or(1);
                seen.places.insert((code.graph.file(from).path().to_owned(), line));
                if seen.places.len() > PLACES {
                    seen.places.pop_last();
                }
            }
        }
    }
    for (ends, seen) in pairs {
        let kinds: Vec<String> = seen
            .kinds
            .iter()
            .map(|(kind, count)| format!("{count} {kind}"))
            .collect();
        let places: Vec<String> = seen
            .places
            .iter()
            .map(|(path, line)| format!("{path}:{line}"))
            .collect();
        let first = places.first().map_or("", String::as_str);
        let why = format!("edges of the code: {}, first at {first}", kinds.join(", "));
        found.add(ends, EdgeType::DependsOn, 50, why, places);
    }
}

/// Suggest2: what a document links to, or names between backticks.
fn documents(ctx: &Ctx, found: &mut Found<'_>, code: &NamedCode, owned: &Owned) -> Result<(), OpError> {
    let scope = GraphScope::default();
    let graph = found.graph;
    let wanted = graph
        .nodes()
        .filter(|node| matches!(own(node.id()), Some(("doc" | "spec" | "adr", _))));
    for node in wanted.take(DOCUMENTS) {
        if ctx.cancel.is_cancelled() {
            return Err(cancelled());
        }
        let read = paths_of(node).into_iter().find_map(|path| {
            let bytes = ctx.ports.code.read(&scope, &path).ok()?;
            let text = String::from_utf8(bytes)
                .ok()
                .filter(|text| text.len() <= DOCUMENT_BYTES)?;
            Some((path, text))
        });
        let Some((path, text)) = read else {
            continue;
        };
        let mut named: BTreeMap<NodeIx, (String, Vec<String>)> = BTreeMap::new();
        for (line, word) in words_of(&text) {
            let Some(target) = meant(graph, code, owned, &path, &word) else {
                continue;
            };
            let (_, places) = named.entry(target).or_insert_with(|| (word.clone(), Vec::new()));
            if places.len() < PLACES {
                places.push(format!("{path}:{line}"));
            }
        }
        for (target, (word, places)) in named {
            let first = places.first().map_or("", String::as_str);
            let why = format!("the document names {} at {first}", truncate_chars(&word, 80));
            found.add((node.ix(), target), EdgeType::Documents, 50, why, places);
        }
    }
    Ok(())
}

/// Where the file of a document may lie: what its property `path` says, or what its id is.
fn paths_of(node: Node<'_>) -> Vec<String> {
    let mut paths: Vec<String> = node
        .text_property("path")
        .into_iter()
        .map(|path| path.into_owned())
        .collect();
    if let Some((_, identifier)) = own(node.id()) {
        paths.extend([identifier.to_owned(), format!("{identifier}.md")]);
    }
    paths
}

/// What a text of Markdown links to and what is between backticks, with the line.
fn words_of(text: &str) -> Vec<(usize, String)> {
    let mut words = Vec::new();
    for (line, content) in (1..).zip(text.lines()) {
        for word in content.split('`').skip(1).step_by(2) {
            words.push((line, word.to_owned()));
        }
        for link in content.split("](").skip(1) {
            if let Some((target, _)) = link.split_once([')', '#', ' ']) {
                words.push((line, target.to_owned()));
            }
        }
    }
    words
}

/// The node that a word of a document means: a file by its path, from the document or from the root, or a symbol that only one thing is called.
fn meant(graph: &Graph, code: &NamedCode, owned: &Owned, document: &str, word: &str) -> Option<NodeIx> {
    let word = word.trim();
    if word.is_empty() || word.contains(char::is_whitespace) || word.contains("://") {
        return None;
    }
    let path = word.split_once(':').map_or(word, |(path, _)| path);
    let directory = document.rsplit_once('/').map_or("", |(directory, _)| directory);
    let from_document = resolve_path(directory, path);
    for path in [from_document.as_str(), path] {
        if let Some(node) = graph.node(&format!("file:{path}")) {
            return Some(node.ix());
        }
        if let Some(file) = code.graph.file_at(path) {
            return owned.nearest(file.id());
        }
    }
    let name = word.trim_end_matches("()");
    let is_name = name.len() > 3
        && name
            .chars()
            .all(|letter| letter.is_alphanumeric() || "_.:".contains(letter));
    if !is_name {
        return None;
    }
    match code.graph.lookup(name).as_slice() {
        [only] => owned.nearest(code.graph.symbol(*only).file_id()),
        _ => None,
    }
}

/// The words of a name: `BDK-SchemaFirst` is `bdk schema first`.
fn words(name: &str) -> Vec<String> {
    let mut words: Vec<String> = Vec::new();
    let mut was_small = false;
    for letter in name.chars() {
        let begins = !letter.is_alphanumeric() || letter.is_uppercase() && was_small;
        if begins && words.last().is_none_or(|word| !word.is_empty()) {
            words.push(String::new());
        }
        was_small = letter.is_lowercase() || letter.is_numeric();
        if letter.is_alphanumeric() {
            match words.last_mut() {
                Some(word) => word.extend(letter.to_lowercase()),
                None => words.push(letter.to_lowercase().collect()),
            }
        }
    }
    words.retain(|word| !word.is_empty());
    words
}

/// Suggest3: code that has the name of a specification or a piece of work, or whose documentation names its id.
fn implementations(found: &mut Found<'_>, code: &NamedCode, owned: &Owned) {
    let graph = found.graph;
    let is_target = |node: &Node<'_>| matches!(own(node.id()), Some(("spec" | "adr" | "feature" | "task", _)));
    let targets: Vec<Node<'_>> = graph.nodes().filter(is_target).collect();
    if targets.is_empty() || owned.nodes.is_empty() {
        return;
    }
    let mut by_words: HashMap<Vec<String>, Vec<NodeIx>> = HashMap::new();
    for (node, level) in &owned.nodes {
        let (_, identifier) = own(graph.node_at(*node).id()).unwrap_or_default();
        let last = match level {
            Level::File => {
                let name = identifier.rsplit('/').next().unwrap_or(identifier);
                name.split_once('.').map_or(name, |(stem, _)| stem).to_owned()
            }
            Level::Module => parts(identifier)
                .last()
                .map_or_else(String::new, |last| (*last).to_owned()),
            Level::Package => identifier.to_owned(),
        };
        by_words.entry(words(&last)).or_default().push(*node);
    }
    for target in &targets {
        let (_, identifier) = own(target.id()).unwrap_or_default();
        let name = identifier.rsplit('/').next().unwrap_or(identifier);
        let spelt = words(name);
        let is_telling = spelt.len() > 1 || spelt.iter().any(|word| word.len() >= LETTERS);
        let sources = by_words.get(&spelt).filter(|_| is_telling);
        for source in sources.into_iter().flatten() {
            let hundredths = if spelt.len() > 1 { 40 } else { 30 };
            let why = format!("both are called {}", spelt.join(" "));
            found.add(
                (*source, target.ix()),
                EdgeType::Implements,
                hundredths,
                why,
                Vec::new(),
            );
        }
    }
    named_in_documentation(found, &code.graph, owned, &targets);
}

fn named_in_documentation(found: &mut Found<'_>, code: &CodeGraph, owned: &Owned, targets: &[Node<'_>]) {
    let ids: HashMap<&str, NodeIx> = targets.iter().map(|node| (node.id(), node.ix())).collect();
    for symbol in code.symbols() {
        let doc = symbol.doc();
        if !doc.contains(':') {
            continue;
        }
        let Some(source) = owned.nearest(symbol.file_id()) else {
            continue;
        };
        let is_part = |letter: char| letter.is_ascii_alphanumeric() || "._/@-:".contains(letter);
        for word in doc.split(|letter: char| !is_part(letter)) {
            let Some(target) = ids.get(word.trim_end_matches(['.', ':', '-', '/'])) else {
                continue;
            };
            let place = format!("{}:{}", symbol.file().path(), symbol.place().start_line.get());
            let why = format!("the documentation of {} has its name", symbol.plain_name());
            found.add((source, *target), EdgeType::Implements, 40, why, vec![place]);
        }
    }
}

/// Suggest4: the files of commits that touch nothing yet.
fn touches(ctx: &Ctx, found: &mut Found<'_>) -> Result<(), OpError> {
    let graph = found.graph;
    let commits = graph.nodes().filter_map(|node| match own(node.id()) {
        Some(("commit", sha)) => Some((node, ObjectId::from_hex(sha)?)),
        _ => None,
    });
    let has_touched = |node: &Node<'_>| graph.outgoing(node.ix()).any(|edge| edge.kind() == EdgeType::Touches);
    for (node, id) in commits.filter(|(node, _)| !has_touched(node)).take(COMMITS) {
        if ctx.cancel.is_cancelled() {
            return Err(cancelled());
        }
        let Ok(commit) = ctx.port::<dyn PatchLog>().commit(&id.to_hex(), true) else {
            continue;
        };
        for path in commit.files.iter().take(COMMIT_FILES) {
            let Some(file) = graph.node(&format!("file:{path}")) else {
                continue;
            };
            let short: String = id.to_hex().chars().take(7).collect();
            let why = format!("commit {short} changed the file");
            found.add((node.ix(), file.ix()), EdgeType::Touches, 50, why, vec![path.clone()]);
        }
    }
    Ok(())
}

impl Render for MindSuggestAnswer {
    fn render(&self, page: &mut Page) {
        for found in &self.suggestions {
            page.strong(&arrow(&found.source, &found.target, found.kind));
            page.write(format_args!(" ({})", found.confidence.percent()));
            page.dim(&format!("  {}", found.rationale));
            page.line(format_args!(""));
        }
        if self.suggestions.is_empty() {
            page.line(format_args!("nothing to suggest"));
        }
        if self.more > 0 {
            page.line(format_args!("… {} more; --limit 0 shows all", self.more));
        }
        if let Some(patch) = &self.patch {
            let short: String = patch.chars().take(12).collect();
            page.line(format_args!(
                "{} added in patch {short}; review with `lore mind review`",
                self.written
            ));
        }
        render_warnings(page, &self.warnings);
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use lore_ccg::testing::graph as code;
    use lore_mind::memory_log::MemoryLog;
    use lore_seam::PortMap;
    use lore_seam::world::World;

    const CODE: &str = "file src/auth_token.rs rust module=shop::auth_token
        sym shop::auth_token::check function line=7 doc=\"Checks what spec:login/flow. says.\"
        file src/cart.rs rust module=shop::cart
        sym shop::cart::total function line=3
        file src/session.rs rust module=shop::session
        edge shop::cart::total call shop::auth_token::check at=4
        edge shop::cart::total extends shop::auth_token::check at=9
        edge shop::session call shop::cart::total name at=2";

    fn ctx(log: &Arc<MemoryLog>, files: &[(&str, &str)]) -> Ctx {
        let world = World {
            facets: PortMap::default().with::<dyn PatchLog>(Arc::clone(log) as Arc<dyn PatchLog>),
            graph: Some(Arc::new(code(CODE))),
            now_ms: 5_000,
            ..World::with_files(files.iter().map(|(path, text)| (*path, *text)))
        };
        Arc::new(world).ctx()
    }

    fn log(lines: &str) -> Arc<MemoryLog> {
        let log = Arc::new(MemoryLog::default());
        log.tell(1_000, lines);
        log
    }

    fn lines(answer: &MindSuggestAnswer) -> Vec<String> {
        let line = |found: &Suggestion| {
            let arrow = arrow(&found.source, &found.target, found.kind);
            format!(
                "{arrow} {} {} [{}]",
                found.confidence,
                found.rationale,
                found.places.join(" ")
            )
        };
        answer.suggestions.iter().map(line).collect()
    }

    fn suggested(told: &str, files: &[(&str, &str)]) -> Vec<String> {
        let answer = MindSuggest::run(&ctx(&log(told), files), MindSuggestRequest::default()).expect("an answer");
        lines(&answer.value)
    }

    #[test]
    fn suggest1_code_depends_on_what_it_names() {
        let told = "file:src/cart.rs\nfile:src/auth_token.rs\nmodule:cart\nmodule:shop/auth_token\ncrate:shop\nfile:src/session.rs";
        assert_eq!(
            suggested(told, &[]),
            [
                "file:src/cart.rs --[depends-on]--> file:src/auth_token.rs 0.5 edges of the code: 1 call, 1 extends, first at src/cart.rs:4 [src/cart.rs:4 src/cart.rs:9]",
                "module:cart --[depends-on]--> module:shop/auth_token 0.5 edges of the code: 1 call, 1 extends, first at src/cart.rs:4 [src/cart.rs:4 src/cart.rs:9]",
            ],
            "what is not sure, and what one of them holds, is no dependency"
        );
    }

    #[test]
    fn suggest2_documents_name_code() {
        let told = "doc:docs/guide\nspec:money path=\"docs/money.md\"\nfile:src/cart.rs\nmodule:shop/auth_token";
        let files = [
            (
                "docs/guide.md",
                "# Guide\nSee [the cart](../src/cart.rs#L3) and `check()`.\nNot `a b`, `https://x/y`, `unknown`.\n",
            ),
            ("docs/money.md", "`src/cart.rs:3` is it\n"),
        ];
        assert_eq!(
            suggested(told, &files),
            [
                "doc:docs/guide --[documents]--> file:src/cart.rs 0.5 the document names ../src/cart.rs at docs/guide.md:2 [docs/guide.md:2]",
                "doc:docs/guide --[documents]--> module:shop/auth_token 0.5 the document names check() at docs/guide.md:2 [docs/guide.md:2]",
                "spec:money --[documents]--> file:src/cart.rs 0.5 the document names src/cart.rs:3 at docs/money.md:1 [docs/money.md:1]",
            ]
        );
    }

    #[test]
    fn suggest3_code_implements_what_it_is_called_after_or_names() {
        let told = "spec:AuthToken\nadr:0007-cart\ntask:session\nspec:login/flow\nfeature:cart\nfile:src/auth_token.rs\nfile:src/session.rs\nfile:src/cart.rs\nspec:auth-token-2\nfile:src/login_flow.rs";
        assert_eq!(
            suggested(told, &[])
                .into_iter()
                .filter(|line| line.contains("implements"))
                .collect::<Vec<_>>(),
            [
                "file:src/auth_token.rs --[implements]--> spec:AuthToken 0.4 both are called auth token []",
                "file:src/auth_token.rs --[implements]--> spec:login/flow 0.4 the documentation of shop::auth_token::check has its name [src/auth_token.rs:7]",
                "file:src/session.rs --[implements]--> task:session 0.3 both are called session []",
            ]
        );
    }

    #[test]
    fn suggest4_commits_touch_the_files_they_changed() {
        let log = Arc::new(MemoryLog::default());
        let commit = log.commit_code("one", &["src/cart.rs", "src/session.rs", "other"]);
        let other = log.commit_code("two", &["src/cart.rs"]);
        log.tell(
            1_000,
            &format!("commit:{commit}\ncommit:{other} touches file:src/session.rs\nfile:src/cart.rs\ncommit:0123"),
        );
        let answer = MindSuggest::run(&ctx(&log, &[]), MindSuggestRequest::default())
            .expect("an answer")
            .value;
        let short: String = commit.to_hex().chars().take(7).collect();
        assert_eq!(
            lines(&answer),
            [
                format!(
                    "commit:{commit} --[touches]--> file:src/cart.rs 0.5 commit {short} changed the file [src/cart.rs]"
                ),
                format!(
                    "commit:{commit} --[touches]--> file:src/session.rs 0.5 commit {short} changed the file [src/session.rs]"
                ),
            ]
        );
    }

    #[test]
    fn suggest1_what_is_there_or_was_rejected_is_not_suggested_and_what_is_written_waits() {
        let log = log("file:src/cart.rs\nfile:src/auth_token.rs\nmodule:cart depends-on module:shop/auth_token");
        let ctx = || ctx(&log, &[]);
        let all = || {
            MindSuggest::run(&ctx(), MindSuggestRequest::default())
                .expect("an answer")
                .value
        };
        assert_eq!(all().suggestions.len(), 1);
        assert_eq!(all(), all());
        let write = MindSuggestRequest {
            write: true,
            ..MindSuggestRequest::default()
        };
        let written = MindSuggest::run(&ctx(), write.clone()).expect("written").value;
        assert_eq!((written.written, written.patch.is_some()), (1, true));
        assert_eq!(all().suggestions, []);
        let patches = log.patches();
        assert_eq!(MindSuggest::run(&ctx(), write).expect("an answer").value.written, 0);
        assert_eq!(log.patches(), patches);
        let reject = lore_mind::review::MindReviewRequest {
            all: Some(lore_mind::review::Verb::Reject),
            ..lore_mind::review::MindReviewRequest::default()
        };
        let decided = lore_mind::review::MindReview::run(&ctx(), reject)
            .expect("decided")
            .value;
        assert_eq!(decided.processed, 1);
        assert_eq!(all().suggestions, [], "it was rejected");
    }

    #[test]
    fn suggestions_are_of_the_types_that_are_asked_for_and_not_too_many() {
        let told = "file:src/cart.rs\nfile:src/auth_token.rs\nspec:auth-token\nmodule:cart\nmodule:shop/auth_token";
        let ask = |kind: &str, limit: usize| {
            let request = MindSuggestRequest {
                kind: vec![kind.to_owned()],
                limit,
                ..MindSuggestRequest::default()
            };
            MindSuggest::run(&ctx(&log(told), &[]), request)
                .map(|answer| (answer.value.suggestions.len(), answer.value.more))
        };
        assert_eq!(ask("depends-on", 0).expect("an answer"), (2, 0));
        assert_eq!(ask("depends-on", 1).expect("an answer"), (1, 1));
        assert_eq!(ask("implements", 50).expect("an answer"), (2, 0));
        assert!(ask("explodes", 50).is_err());
    }

    #[test]
    fn names_have_words() {
        assert_eq!(words("BDK-SchemaFirst_2"), ["bdk", "schema", "first", "2"]);
        assert_eq!(words("--"), Vec::<String>::new());
    }
}
