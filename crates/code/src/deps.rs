//! `lore deps`: which module depends on which, and where they depend on each other in circles.

use std::collections::{BTreeMap, BTreeSet};

use clap::{Args, ValueEnum};
use lore_model::{CodeGraph, EdgeKind, EdgeTarget, File, SURE_DEPENDENCY, SymbolKind};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::find::PathPattern;
use super::wire::Scope;
use lore_seam::{Access, Ctx, OpError, Operation, Page, Render, Value};

/// Show the dependencies between modules, and their cycles
///
/// A module depends on another if it imports it, or calls, reads, names or extends one of its definitions.
#[derive(Args, Deserialize, JsonSchema, Clone, Debug, Default)]
#[command(after_help = "Examples:
  lore deps                             every module with its dependencies
  lore deps 'src/**' --level directory  directories instead of modules
  lore deps --cycles                    only dependencies in cycles
  lore deps --format mermaid            a diagram for Markdown
  lore deps --format dot | dot -Tsvg > deps.svg")]
#[serde(default)]
pub struct DepsRequest {
    /// Only dependencies of these files, directories or patterns [default: all]
    pub paths: Vec<String>,
    /// The unit of a dependency: module, file or directory
    #[arg(long, value_enum, default_value_t = Level::Module)]
    pub level: Level,
    /// Use only this many leading parts of directory paths
    #[arg(long, value_name = "N")]
    pub depth: Option<usize>,
    /// Only dependencies in cycles
    #[arg(long)]
    pub cycles: bool,
    /// Include dependencies on external code
    #[arg(long)]
    pub external: bool,
    /// Leave out tests
    #[arg(long)]
    pub no_tests: bool,
    /// Only dependencies with at least this confidence, from 0 to 1
    #[arg(long, default_value_t = SURE_DEPENDENCY)]
    #[serde(default = "sure")]
    pub min_confidence: f32,
    /// The output format
    #[arg(long, value_enum, default_value_t = Format::Text)]
    pub format: Format,
    #[command(flatten)]
    #[serde(flatten)]
    // No doc comment: the help of a flattened struct would replace that of the command.
    pub scope: Scope,
}

fn sure() -> f32 {
    SURE_DEPENDENCY
}

/// The unit of a dependency.
#[derive(ValueEnum, Serialize, Deserialize, JsonSchema, Clone, Copy, PartialEq, Eq, Debug, Default)]
#[serde(rename_all = "snake_case")]
pub enum Level {
    /// Modules, by their names
    #[default]
    Module,
    /// Files, by their paths
    File,
    /// Directories
    Directory,
}

/// The output format.
#[derive(ValueEnum, Serialize, Deserialize, JsonSchema, Clone, Copy, PartialEq, Eq, Debug, Default)]
#[serde(rename_all = "snake_case")]
pub enum Format {
    /// As indented text
    #[default]
    Text,
    /// For Graphviz
    Dot,
    /// For Mermaid
    Mermaid,
}

/// The dependencies between units
#[derive(Serialize, JsonSchema, Clone, PartialEq, Debug)]
pub struct DepsAnswer {
    /// The dependencies
    pub dependencies: Vec<Dependency>,
    /// Cycles: groups in which each unit depends on every other, directly or through others
    pub cycles: Vec<Vec<String>>,
    #[serde(skip)]
    #[schemars(skip)]
    format: Format,
}

/// One dependency
#[derive(Serialize, JsonSchema, Clone, PartialEq, Eq, Debug)]
pub struct Dependency {
    /// The unit that depends
    pub from: String,
    /// The unit that it depends on
    pub to: String,
    /// The number of edges by kind
    pub edges: BTreeMap<String, usize>,
    /// Whether the target is outside of the repository
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub external: bool,
}

/// `lore deps`.
pub struct Deps;

impl Operation for Deps {
    const NAME: &'static str = "deps";
    const COMMAND: &'static [&'static str] = &["deps"];
    const ACCESS: Access = Access::Read;
    type Request = DepsRequest;
    type Answer = Value<DepsAnswer>;

    fn run(ctx: &Ctx, request: DepsRequest) -> Result<Value<DepsAnswer>, OpError> {
        let graph = request.scope.open(ctx)?;
        let patterns = PathPattern::some(ctx, &graph, &request.paths)?;
        let dependencies = dependencies(&graph, &request, &patterns);
        let cycles = cycles(&dependencies);
        let in_cycle = |from: &str, to: &str| {
            let both =
                |group: &Vec<String>| group.iter().any(|name| name == from) && group.iter().any(|name| name == to);
            cycles.iter().any(both)
        };
        let dependencies = dependencies
            .into_iter()
            .filter(|row| !request.cycles || in_cycle(&row.from, &row.to))
            .collect();
        Ok(Value::yes(DepsAnswer {
            dependencies,
            cycles,
            format: request.format,
        }))
    }
}

fn dependencies(graph: &CodeGraph, request: &DepsRequest, patterns: &[PathPattern]) -> Vec<Dependency> {
    let mut found: BTreeMap<(String, String, bool), BTreeMap<String, usize>> = BTreeMap::new();
    let is_wanted = |file: File<'_>| {
        let is_meant = patterns.is_empty() || patterns.iter().any(|pattern| pattern.matches(file.path()));
        is_meant && !(request.no_tests && file.is_test())
    };
    for symbol in graph.symbols() {
        let file = symbol.file();
        // A module of several files has edges from each of them.
        let is_spread = symbol.kind() == SymbolKind::Module;
        if !is_spread && !is_wanted(file) {
            continue;
        }
        for edge in symbol.edges().filter(|edge| !is_spread || is_wanted(edge.file())) {
            let says_it = edge.kind() != EdgeKind::Tests && edge.resolution().confidence() >= request.min_confidence;
            let (to, external) = match edge.target() {
                EdgeTarget::Symbol(target) => (place(target.file(), request), false),
                EdgeTarget::External(name) if request.external && edge.kind() == EdgeKind::Import => {
                    (name.to_owned(), true)
                }
                EdgeTarget::External(_) => continue,
            };
            let from = place(edge.file(), request);
            if says_it && from != to {
                let edges = found.entry((from, to, external)).or_default();
                *edges.entry(edge.kind().name().to_owned()).or_default() += 1;
            }
        }
    }
    let rows = found.into_iter();
    rows.map(|((from, to, external), edges)| Dependency {
        from,
        to,
        edges,
        external,
    })
    .collect()
}

/// What a file counts as part of.
fn place(file: File<'_>, request: &DepsRequest) -> String {
    match request.level {
        Level::File => file.path().to_owned(),
        Level::Module => file
            .module()
            .map_or_else(|| file.path().to_owned(), |module| module.plain_name().into_owned()),
        Level::Directory => {
            let directory = file.path().rsplit_once('/').map_or("", |(directory, _)| directory);
            let parts: Vec<&str> = directory.split('/').collect();
            let kept = parts.len().min(request.depth.unwrap_or(usize::MAX).max(1));
            match parts[..kept].join("/") {
                path if path.is_empty() => ".".to_owned(),
                path => path,
            }
        }
    }
}

/// Groups of more than one in which each reaches every other.
fn cycles(dependencies: &[Dependency]) -> Vec<Vec<String>> {
    let names: BTreeSet<&str> = dependencies
        .iter()
        .flat_map(|row| [row.from.as_str(), row.to.as_str()])
        .collect();
    let names: Vec<&str> = names.into_iter().collect();
    let number = |name: &str| names.binary_search(&name).unwrap_or(0);
    let mut next: Vec<Vec<usize>> = vec![Vec::new(); names.len()];
    for row in dependencies.iter().filter(|row| !row.external) {
        next[number(&row.from)].push(number(&row.to));
    }
    // The names are in order, so that what is sorted by number is sorted by name.
    lore_model::cycles(&next)
        .into_iter()
        .map(|group| group.into_iter().map(|at| names[at].to_owned()).collect())
        .collect()
}

impl Render for DepsAnswer {
    fn render(&self, page: &mut Page) {
        match self.format {
            Format::Text => self.text(page),
            Format::Dot => self.dot(page),
            Format::Mermaid => self.mermaid(page),
        }
    }
}

impl DepsAnswer {
    fn text(&self, page: &mut Page) {
        let mut last = "";
        for row in &self.dependencies {
            if row.from != last {
                page.strong(&row.from);
                page.line(format_args!(""));
                last = &row.from;
            }
            page.write(format_args!("  -> "));
            page.text(&row.to);
            let edges: Vec<String> = row
                .edges
                .iter()
                .map(|(kind, count)| format!("{count} {kind}"))
                .collect();
            page.dim(&format!("  {}", edges.join(", ")));
            page.line(format_args!(""));
        }
        for (at, group) in self.cycles.iter().enumerate() {
            if at == 0 {
                page.end_line();
            }
            page.line(format_args!("cycle of {}", group.len()));
            for name in group {
                page.write(format_args!("  "));
                page.text(name);
                page.line(format_args!(""));
            }
        }
    }

    fn dot(&self, page: &mut Page) {
        page.keep_whole();
        page.line(format_args!("digraph dependencies {{"));
        page.line(format_args!("  rankdir=LR; node [shape=box];"));
        for row in &self.dependencies {
            let style = if row.external { " [style=dashed]" } else { "" };
            page.write(format_args!("  "));
            page.text(&quoted(&row.from));
            page.write(format_args!(" -> "));
            page.text(&quoted(&row.to));
            page.line(format_args!("{style};"));
        }
        page.line(format_args!("}}"));
    }

    fn mermaid(&self, page: &mut Page) {
        let names: BTreeSet<&str> = self
            .dependencies
            .iter()
            .flat_map(|row| [row.from.as_str(), row.to.as_str()])
            .collect();
        let names: Vec<&str> = names.into_iter().collect();
        let number = |name: &str| names.binary_search(&name).unwrap_or(0);
        page.keep_whole();
        page.line(format_args!("graph LR"));
        for (at, name) in names.iter().enumerate() {
            page.write(format_args!("  m{at}["));
            page.text(&quoted(name));
            page.line(format_args!("]"));
        }
        for row in &self.dependencies {
            let arrow = if row.external { "-.->" } else { "-->" };
            page.line(format_args!("  m{} {arrow} m{}", number(&row.from), number(&row.to)));
        }
    }
}

/// A name in quotation marks, without any of its own.
fn quoted(name: &str) -> String {
    format!("\"{}\"", name.replace('\\', "/").replace('"', "'"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn circles_are_found_whole() {
        let rows = |pairs: &[(&str, &str)]| -> Vec<Dependency> {
            pairs
                .iter()
                .map(|(from, to)| Dependency {
                    from: (*from).to_owned(),
                    to: (*to).to_owned(),
                    edges: BTreeMap::new(),
                    external: false,
                })
                .collect()
        };
        let pairs = [
            ("a", "b"),
            ("b", "c"),
            ("c", "a"),
            ("c", "d"),
            ("d", "e"),
            ("e", "d"),
            ("f", "a"),
        ];
        assert_eq!(cycles(&rows(&pairs)), [vec!["a", "b", "c"], vec!["d", "e"]]);
        assert!(cycles(&rows(&[("a", "b"), ("a", "c"), ("b", "c")])).is_empty());
    }
}
