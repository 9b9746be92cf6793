//! `lore stats`: the whole repository in numbers.

use std::collections::{BTreeMap, BTreeSet};

use clap::Args;
use lore_model::{AVERAGE_IMPORTANCE, Symbol, SymbolKind};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::wire::{Lines, Scope, SymbolLine};
use lore_base::counted::counted;
use lore_seam::{Access, Ctx, OpError, Operation, Page, Render, Value};

/// Number of functions in the list of the most complex ones.
const MOST_COMPLEX: usize = 10;
/// Number of symbols in the list of the most important ones.
const MOST_IMPORTANT: usize = 15;

/// Count the repository: files and lines by language, symbols by kind, files left out, the most complex functions
#[derive(Args, Deserialize, JsonSchema, Clone, Debug, Default)]
#[command(after_help = "Examples:
  lore stats
  lore stats --at v1.0 --json")]
#[serde(default)]
pub struct StatsRequest {
    #[command(flatten)]
    #[serde(flatten)]
    // No doc comment: the help of a flattened struct would replace that of the command.
    pub scope: Scope,
}

/// Counts of the repository
#[derive(Serialize, JsonSchema, Clone, PartialEq, Debug)]
pub struct StatsAnswer {
    /// Files in the graph
    pub files: usize,
    /// Lines of all files
    pub lines: Lines,
    /// By language
    pub languages: BTreeMap<String, LanguageStats>,
    /// Definitions with a name, by kind
    pub symbols: BTreeMap<String, usize>,
    /// Files left out, by reason
    pub skipped: BTreeMap<String, usize>,
    /// Files with syntax errors
    pub with_errors: usize,
    /// The most complex functions
    pub most_complex: Vec<SymbolLine>,
    /// The most important symbols, by how much of the graph depends on them
    pub most_important: Vec<ImportantLine>,
    /// The digest of all paths and contents
    pub tree: String,
}

/// Counts of one language
#[derive(Serialize, JsonSchema, Clone, PartialEq, Eq, Debug, Default)]
pub struct LanguageStats {
    /// Files
    pub files: usize,
    /// Lines
    #[serde(flatten)]
    pub lines: Lines,
    /// Definitions with a name
    pub symbols: usize,
}

/// `lore stats`.
pub struct Stats;

impl Operation for Stats {
    const NAME: &'static str = "stats";
    const COMMAND: &'static [&'static str] = &["stats"];
    const ACCESS: Access = Access::Read;
    type Request = StatsRequest;
    type Answer = Value<StatsAnswer>;

    fn run(ctx: &Ctx, request: StatsRequest) -> Result<Value<StatsAnswer>, OpError> {
        let graph = request.scope.open(ctx)?;
        let mut answer = StatsAnswer {
            files: graph.file_count(),
            lines: Lines::default(),
            languages: BTreeMap::new(),
            symbols: BTreeMap::new(),
            skipped: BTreeMap::new(),
            with_errors: 0,
            most_complex: Vec::new(),
            most_important: Vec::new(),
            tree: graph.tree_digest().to_string(),
        };
        for file in graph.files() {
            answer.lines.add(file.lines());
            answer.with_errors += usize::from(file.diagnostics().next().is_some());
            let language = answer.languages.entry(file.language().to_owned()).or_default();
            language.files += 1;
            language.lines.add(file.lines());
            for symbol in file.symbols().filter(|symbol| !symbol.is_anonymous()) {
                language.symbols += 1;
                *answer.symbols.entry(symbol.kind().name().to_owned()).or_default() += 1;
            }
        }
        for skipped in graph.skipped() {
            *answer.skipped.entry(skipped.reason.name().to_owned()).or_default() += 1;
        }
        let mut complex: Vec<_> = graph
            .symbols()
            .filter_map(|symbol| Some((std::cmp::Reverse(symbol.complexity()?), symbol.id())))
            .collect();
        complex.sort_unstable();
        answer.most_complex = complex
            .into_iter()
            .take(MOST_COMPLEX)
            .map(|(_, id)| SymbolLine::of(graph.symbol(id)))
            .collect();
        let mut important: Vec<_> = graph
            .symbols()
            .filter(|symbol| !symbol.is_anonymous() && symbol.kind() != SymbolKind::Module)
            .map(|symbol| (std::cmp::Reverse(symbol.importance()), symbol.id()))
            .collect();
        important.sort_unstable();
        // Overloads are one definition for people.
        let mut names = BTreeSet::new();
        answer.most_important = important
            .into_iter()
            .map(|(_, id)| graph.symbol(id))
            .filter(|symbol| names.insert(symbol.plain_name().into_owned()))
            .take(MOST_IMPORTANT)
            .map(|symbol| ImportantLine {
                importance: importance(symbol),
                symbol: SymbolLine::of(symbol),
            })
            .collect();
        Ok(Value::yes(answer))
    }
}

/// A symbol and its importance
#[derive(Serialize, JsonSchema, Clone, PartialEq, Debug)]
pub struct ImportantLine {
    /// The importance; the average symbol has 1
    pub importance: f32,
    /// The symbol
    #[serde(flatten)]
    pub symbol: SymbolLine,
}

/// The importance of a symbol; the average symbol has 1.
pub(super) fn importance(symbol: Symbol<'_>) -> f32 {
    (f64::from(symbol.importance()) / f64::from(AVERAGE_IMPORTANCE) * 100.0).round() as f32 / 100.0
}

impl Render for StatsAnswer {
    fn render(&self, page: &mut Page) {
        page.line(format_args!(
            "{:<12} {:>8} {:>10} {:>10} {:>10} {:>10}",
            "language", "files", "code", "comment", "blank", "symbols"
        ));
        let mut languages: Vec<_> = self.languages.iter().collect();
        languages.sort_by_key(|(name, stats)| (std::cmp::Reverse(stats.lines.code), name.as_str()));
        let mut symbols = 0;
        for (name, stats) in languages {
            symbols += stats.symbols;
            row(page, name, stats.files, &stats.lines, stats.symbols);
        }
        row(page, "total", self.files, &self.lines, symbols);
        let list = |counts: &BTreeMap<String, usize>| {
            let mut counts: Vec<_> = counts.iter().collect();
            counts.sort_by_key(|(name, count)| (std::cmp::Reverse(**count), name.as_str()));
            counts
                .into_iter()
                .map(|(name, count)| format!("{count} {name}"))
                .collect::<Vec<_>>()
                .join(", ")
        };
        if !self.symbols.is_empty() {
            page.end_line();
            page.line(format_args!("symbols: {}", list(&self.symbols)));
        }
        if !self.skipped.is_empty() {
            page.line(format_args!("left out: {}", list(&self.skipped)));
        }
        if self.with_errors > 0 {
            page.line(format_args!("{} with syntax errors", counted(self.with_errors, "file")));
        }
        if !self.most_complex.is_empty() {
            page.end_line();
            page.line(format_args!("most complex"));
        }
        for symbol in &self.most_complex {
            page.write(format_args!("  {:>5}  ", symbol.complexity.unwrap_or(0)));
            page.strong(&symbol.qualified_name);
            page.dim(&format!("  {}:{}", symbol.path, symbol.line));
            let is_test = symbol.kind == SymbolKind::Test.into();
            page.line(format_args!("{}", if is_test { "  (test)" } else { "" }));
        }
        if !self.most_important.is_empty() {
            page.end_line();
            page.line(format_args!("most important"));
        }
        for line in &self.most_important {
            page.write(format_args!("  {:>5.1}  ", line.importance));
            page.strong(&line.symbol.qualified_name);
            page.dim(&format!("  {}:{}", line.symbol.path, line.symbol.line));
            page.line(format_args!(""));
        }
    }
}

fn row(page: &mut Page, name: &str, files: usize, lines: &Lines, symbols: usize) {
    page.line(format_args!(
        "{name:<12} {files:>8} {:>10} {:>10} {:>10} {symbols:>10}",
        lines.code, lines.comment, lines.blank
    ));
}
