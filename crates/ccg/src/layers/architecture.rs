//! Layer 1, the architecture: how a repository is built and what it offers, in at most 51,200 bytes (§4.2, clause L1).
//! [`lore_overview::modules`] says which modules come first.

use std::borrow::Cow;
use std::cmp::Reverse;
use std::collections::BTreeMap;

use lore_model::{EdgeKind, ModuleGraph, Symbol, fold_whitespace, truncate_chars};
use lore_overview::modules::{is_aside, ranked, unique_names};
use lore_overview::{CommandLine, ProvideKind, Purposes, Task, about};
use serde::Serialize;

use super::budget::{Choice, DependencyOffer, ModuleOffer, Offer, choose};
use super::document::{size, to_bytes};
use super::patterns::{self, Patterns};
use super::public_api::Offered;
use super::{CONTEXT, Source};

/// Bytes of an architecture.
pub(crate) const MAX_BYTES: usize = 51_200;
/// Characters of documentation in the public API.
const MAX_DOC: usize = 200;
/// Characters of a signature.
const MAX_SIGNATURE: usize = 320;
/// Bytes of a name or path; what is longer is left out rather than all the others.
const MAX_NAME: usize = 400;
/// Bytes of the description.
const MAX_DESCRIPTION: usize = 1_000;
/// What the repository provides, and commands.
const MAX_ABOUT: usize = 8;
/// Bytes for the counts of what was left out.
const TRUNCATED: usize = 200;

#[derive(Serialize)]
struct Document<'a> {
    #[serde(rename = "@context")]
    context: &'static str,
    #[serde(rename = "@type")]
    kind: &'static str,
    #[serde(rename = "@id")]
    id: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    description: Option<&'a str>,
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    provides: &'a [ProvideEntry],
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    commands: &'a [CommandEntry],
    modules: Vec<ModuleEntry<'a>>,
    #[serde(rename = "publicAPI")]
    public_api: &'a [ApiEntry<'a>],
    patterns: &'a Patterns,
    #[serde(rename = "moduleDependencyGraph")]
    graph: DependencyGraph<'a>,
    #[serde(skip_serializing_if = "Truncated::is_nothing")]
    truncated: Truncated,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct ModuleEntry<'a> {
    name: &'a str,
    path: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    purpose: Option<&'a str>,
    exports: &'a [&'a str],
    depends_on: Vec<&'a str>,
    loc: u64,
}

/// Something that the repository provides to others, and the file that says so.
#[derive(Serialize)]
struct ProvideEntry {
    kind: ProvideKind,
    name: String,
    file: String,
}

/// A command that builds or tests the repository, and the file that says so.
#[derive(Serialize)]
struct CommandEntry {
    task: Task,
    command: String,
    file: String,
}

#[derive(Serialize)]
struct ApiEntry<'a> {
    symbol: Cow<'a, str>,
    signature: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    doc: Option<String>,
}

#[derive(Serialize)]
struct DependencyGraph<'a> {
    nodes: Vec<&'a str>,
    edges: Vec<[&'a str; 2]>,
}

/// How much was left out: of the modules and so of the nodes; of the exports and dependencies of those that are listed; of the public API; of the
/// places where a pattern was found; of the edges.
#[derive(Serialize, PartialEq, Default)]
#[serde(rename_all = "camelCase")]
struct Truncated {
    #[serde(skip_serializing_if = "is_zero")]
    modules: usize,
    #[serde(skip_serializing_if = "is_zero")]
    exports: usize,
    #[serde(skip_serializing_if = "is_zero")]
    depends_on: usize,
    #[serde(rename = "publicAPI", skip_serializing_if = "is_zero")]
    public_api: usize,
    #[serde(skip_serializing_if = "is_zero")]
    detected: usize,
    #[serde(skip_serializing_if = "is_zero")]
    nodes: usize,
    #[serde(skip_serializing_if = "is_zero")]
    edges: usize,
}

impl Truncated {
    fn is_nothing(&self) -> bool {
        *self == Self::default()
    }
}

fn is_zero(count: &usize) -> bool {
    *count == 0
}

/// The architecture's bytes.
pub(crate) fn architecture(source: &Source<'_>, max_bytes: usize) -> Vec<u8> {
    let max_bytes = max_bytes.min(MAX_BYTES);
    let graph = source.graph;
    let modules = ModuleGraph::of(graph);
    let patterns = patterns::detect(graph, &modules, &|module| is_aside(&modules, module), source.read);
    let facts = Facts::of(source, &modules);
    let id = source.identity.iri("layer", "1");
    let mut room = max_bytes.saturating_sub(facts.frame(&id, &patterns));
    loop {
        let choice = choose(&facts.offer(), room);
        let bytes = to_bytes(&facts.document(&id, &patterns, &choice));
        // The sizes that were reckoned with are those of the parts; if they ever fall short of the whole, less is chosen.
        match bytes.len().checked_sub(max_bytes) {
            None | Some(0) => return bytes,
            Some(_) if room == 0 => return bytes,
            Some(excess) => room = room.saturating_sub(excess),
        }
    }
}

/// What an architecture can say.
struct Facts<'a> {
    description: Option<String>,
    provides: Vec<ProvideEntry>,
    commands: Vec<CommandEntry>,
    /// By importance.
    modules: Vec<ModuleFacts<'a>>,
    public_api: Vec<ApiEntry<'a>>,
    all_modules: usize,
    all_edges: usize,
    all_api: usize,
}

struct ModuleFacts<'a> {
    name: String,
    path: &'a str,
    purpose: Option<String>,
    exports: Vec<&'a str>,
    all_exports: usize,
    /// Places among the modules, what it depends on most first.
    depends_on: Vec<usize>,
    all_depends_on: usize,
    loc: u64,
}

impl<'a> Facts<'a> {
    fn of(source: &'a Source<'a>, modules: &'a ModuleGraph) -> Self {
        let graph = source.graph;
        let is_aside = |module: usize| is_aside(modules, module);
        let offered = Offered::of(graph, modules, &is_aside, source.read);
        let purposes = Purposes::of(graph, modules, source.read);
        let names = unique_names(graph, modules);
        let mut order = ranked(graph, modules, &names);
        order.retain(|at| size(&names[*at]) <= MAX_NAME && size(&modules.modules()[*at].path) <= MAX_NAME);
        // Far more modules than the document can hold need not be looked at.
        order.truncate(MAX_BYTES / 50);
        let place: BTreeMap<usize, usize> = order.iter().enumerate().map(|(place, at)| (*at, place)).collect();
        let depends_on = depends_on(modules);
        let facts = order
            .iter()
            .map(|at| {
                let row = &modules.modules()[*at];
                let exports = offered.exports(*at);
                ModuleFacts {
                    name: names[*at].clone(),
                    path: &row.path,
                    purpose: purposes.purpose(row).map(|purpose| (source.scrub)(&purpose.text)),
                    all_exports: exports.len(),
                    exports: exports.into_iter().filter(|name| size(name) <= MAX_NAME).collect(),
                    depends_on: depends_on[*at].iter().filter_map(|to| place.get(to).copied()).collect(),
                    all_depends_on: depends_on[*at].len(),
                    loc: row.loc,
                }
            })
            .collect();
        let about = about(graph, &source.identity.name, source.read);
        let provides = about.provides.into_iter().map(|line| ProvideEntry {
            kind: line.kind,
            name: (source.scrub)(&line.name),
            file: line.from,
        });
        let has_task = |line: &CommandLine| matches!(line.task, Task::Build | Task::Test) && line.directory == ".";
        let commands = about.commands.into_iter().filter(has_task).map(|line| CommandEntry {
            task: line.task,
            command: (source.scrub)(&line.command),
            file: line.from,
        });
        let api = offered.public_api();
        let fitting = api.iter().filter(|symbol| size(&symbol.qualified_name()) <= MAX_NAME);
        let description = about.description.first().map(|told| (source.scrub)(&told.text));
        Self {
            description: description.filter(|text| size(text) <= MAX_DESCRIPTION),
            provides: provides
                .filter(|entry| size(entry) <= MAX_NAME)
                .take(MAX_ABOUT)
                .collect(),
            commands: commands
                .filter(|entry| size(entry) <= MAX_NAME)
                .take(MAX_ABOUT)
                .collect(),
            modules: facts,
            all_api: api.len(),
            public_api: fitting.take(MAX_BYTES / 30).map(|symbol| api_entry(*symbol)).collect(),
            all_modules: modules.modules().len(),
            all_edges: modules.dependencies().len(),
        }
    }

    /// Bytes of the document without its lists.
    fn frame(&self, id: &str, patterns: &Patterns) -> usize {
        to_bytes(&self.document(id, patterns, &Choice::default())).len() + TRUNCATED
    }

    fn offer(&self) -> Offer {
        let modules = self.modules.iter().map(|module| ModuleOffer {
            // A line, a comma, and the node with a comma.
            bytes: size(&module.entry(&[], Vec::new())) + 2 + size(&module.name) + 1,
            exports: module.exports.iter().map(|name| size(name) + 1).collect(),
            depends_on: module
                .depends_on
                .iter()
                .map(|to| DependencyOffer {
                    to: *to,
                    bytes: size(&self.modules[*to].name) + 1,
                    edge_bytes: size(&[&module.name, &self.modules[*to].name]) + 2,
                })
                .collect(),
        });
        Offer {
            modules: modules.collect(),
            public_api: self.public_api.iter().map(|entry| size(entry) + 2).collect(),
        }
    }

    fn document<'d>(&'d self, id: &'d str, patterns: &'d Patterns, choice: &Choice) -> Document<'d> {
        let listed = &self.modules[..choice.modules];
        let name = |at: usize| self.modules[at].name.as_str();
        let mut truncated = Truncated {
            modules: self.all_modules - choice.modules,
            public_api: self.all_api - choice.public_api,
            detected: patterns.left_out,
            nodes: self.all_modules - choice.modules,
            edges: self.all_edges - choice.edges.len(),
            ..Truncated::default()
        };
        let mut modules = Vec::with_capacity(listed.len());
        for (at, module) in listed.iter().enumerate() {
            let depends_on = choice.depends_on[at]
                .iter()
                .map(|one| name(module.depends_on[*one]))
                .collect();
            let entry = module.entry(&module.exports[..choice.exports[at]], depends_on);
            truncated.exports += module.all_exports - entry.exports.len();
            truncated.depends_on += module.all_depends_on - entry.depends_on.len();
            modules.push(entry);
        }
        let edges = choice.edges.iter();
        let edges = edges.map(|(from, one)| [name(*from), name(self.modules[*from].depends_on[*one])]);
        Document {
            context: CONTEXT,
            kind: "ccg:Architecture",
            id,
            description: self.description.as_deref(),
            provides: &self.provides,
            commands: &self.commands,
            modules,
            public_api: &self.public_api[..choice.public_api],
            patterns,
            graph: DependencyGraph {
                nodes: listed.iter().map(|module| module.name.as_str()).collect(),
                edges: edges.collect(),
            },
            truncated,
        }
    }
}

impl ModuleFacts<'_> {
    fn entry<'d>(&'d self, exports: &'d [&'d str], depends_on: Vec<&'d str>) -> ModuleEntry<'d> {
        ModuleEntry {
            name: &self.name,
            path: self.path,
            purpose: self.purpose.as_deref(),
            exports,
            depends_on,
            loc: self.loc,
        }
    }
}

fn api_entry(symbol: Symbol<'_>) -> ApiEntry<'_> {
    let doc = fold_whitespace(symbol.doc());
    let doc: String = doc.chars().take(MAX_DOC).collect();
    let signature = match symbol.signature() {
        "" => symbol.name(),
        signature => signature,
    };
    ApiEntry {
        symbol: symbol.qualified_name(),
        signature: truncate_chars(&fold_whitespace(signature), MAX_SIGNATURE),
        doc: (!doc.is_empty()).then_some(doc),
    }
}

/// By module: those it depends on, the one it has most to do with first. An import alone says less than what is done with it.
fn depends_on(modules: &ModuleGraph) -> Vec<Vec<usize>> {
    let mut weighted: Vec<Vec<(u64, usize)>> = vec![Vec::new(); modules.modules().len()];
    for row in modules.dependencies() {
        let weight = |(kind, count): (EdgeKind, u32)| u64::from(count) * if kind == EdgeKind::Import { 1 } else { 2 };
        weighted[row.from].push((row.counts().map(weight).sum(), row.to));
    }
    weighted
        .into_iter()
        .map(|mut targets| {
            targets.sort_by_key(|(weight, to)| (Reverse(*weight), *to));
            targets.into_iter().map(|(_, to)| to).collect()
        })
        .collect()
}
