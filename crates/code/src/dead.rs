//! `lore dead`: definitions that nothing reaches from entry points, exports and tests.
//!
//! Three questions are asked of a definition. Is it reached from what certainly runs: the top level of modules, tests, entry points? Is it reached from
//! what others may use: what is public? Is its name written anywhere else, be it in a text that puts names together? The answers make the confidence.

use std::collections::{BTreeSet, HashMap, HashSet};

use clap::Args;
use lore_model::{CodeGraph, EdgeKind, EdgeTarget, Modifier, SkipReason, Symbol, SymbolId, SymbolKind, Visibility};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::find::PathPattern;
use super::wire::{Kind, Scope};
use lore_base::counted::counted;
use lore_seam::{Access, Ctx, ErrorKind, OpError, Operation, Page, Render, Rows, Verdict};

/// Nothing reaches the definition, and its name is written nowhere else.
const UNMENTIONED: f32 = 0.95;
/// Nothing reaches the definition, but its name is written elsewhere.
const MENTIONED: f32 = 0.6;
/// Nothing here reaches the definition, but it is public.
const PUBLIC: f32 = 0.3;
/// Decorators that register nothing.
const HARMLESS: &[&str] = &[
    "staticmethod",
    "classmethod",
    "property",
    "cached_property",
    "functools.cached_property",
    "functools.lru_cache",
    "lru_cache",
    "functools.cache",
    "cache",
    "functools.wraps",
    "abstractmethod",
    "dataclass",
    "dataclasses.dataclass",
    "Deprecated",
    "SuppressWarnings",
    "inline",
    "must_use",
    "cold",
    "allow",
    "expect",
    "deprecated",
    "doc",
    "track_caller",
    "Obsolete",
    "Pure",
    "MethodImpl",
];

/// List definitions that nothing reaches
///
/// The search starts at code that certainly runs: the top level of modules, tests, and what frameworks call. An unreached definition is dead, or used in
/// a way that the analysis does not see. The confidence says how likely it is dead.
#[derive(Args, Deserialize, JsonSchema, Clone, Debug, Default)]
#[command(after_help = "Examples:
  lore dead                          definitions that are almost certainly dead
  lore dead src/ --min-confidence 0.5    with definitions that are probably dead
  lore dead --all                    with public definitions that nothing here uses")]
#[serde(default)]
pub struct DeadRequest {
    /// Only in these files, directories or patterns [default: all]
    pub paths: Vec<String>,
    /// Only definitions with at least this confidence, from 0 to 1
    #[arg(long, default_value_t = 0.9)]
    #[serde(default = "nearly")]
    pub min_confidence: f32,
    /// Every definition that nothing here reaches, public ones included
    #[arg(long, conflicts_with = "min_confidence")]
    pub all: bool,
    /// Include definitions in test files
    #[arg(long)]
    pub tests: bool,
    #[command(flatten)]
    #[serde(flatten)]
    // No doc comment: the help of a flattened struct would replace that of the command.
    pub scope: Scope,
}

fn nearly() -> f32 {
    0.9
}

/// A definition that nothing reaches
#[derive(Serialize, JsonSchema, Clone, PartialEq, Debug)]
pub struct DeadLine {
    /// The name
    pub symbol: String,
    /// The kind
    pub kind: Kind,
    /// The file
    pub path: String,
    /// The line of the name
    #[schemars(extend("x-agents" = "at path"))]
    pub line: u32,
    /// Number of lines
    pub lines: u32,
    /// How likely it is dead, from 0 to 1
    pub confidence: f32,
    /// The reason
    pub why: String,
}

impl Render for DeadLine {
    fn render(&self, page: &mut Page) {
        page.dim(&format!("{}:{}", self.path, self.line));
        page.write(format_args!(" "));
        page.strong(&self.symbol);
        page.dim(&format!("  {:.2}  ", self.confidence));
        page.text(&self.why);
        page.line(format_args!(""));
    }
}

/// `lore dead`.
pub struct Dead;

impl Operation for Dead {
    const NAME: &'static str = "dead";
    const COMMAND: &'static [&'static str] = &["dead"];
    const ACCESS: Access = Access::Read;
    type Request = DeadRequest;
    type Answer = Rows<DeadLine>;

    fn run(ctx: &Ctx, request: DeadRequest) -> Result<Rows<DeadLine>, OpError> {
        let graph = request.scope.open(ctx)?;
        if let Some(foreign) = ctx.ports.code.foreign() {
            let message = format!(
                "dead code cannot be found in the published graph {}: the search needs the sources",
                foreign.which
            );
            return Err(
                OpError::new(ErrorKind::Unavailable, message).hint("run `lore dead` in a checkout of the repository")
            );
        }
        let patterns = PathPattern::some(ctx, &graph, &request.paths)?;
        let certain = Reached::from(&graph, |symbol| runs(*symbol));
        let possible = Reached::from(&graph, |symbol| {
            runs(*symbol) || is_public(*symbol) || is_hooked(*symbol)
        });
        let is_considered = |symbol: &Symbol<'_>| {
            symbol.kind().is_callable()
                && symbol.kind() != SymbolKind::Test
                && !symbol.is_anonymous()
                && (patterns.is_empty() || patterns.iter().any(|pattern| pattern.matches(symbol.file().path())))
        };
        let is_candidate = |symbol: &Symbol<'_>| {
            is_considered(symbol) && !certain.has(symbol.id()) && (request.tests || !is_in_tests(*symbol))
        };
        let candidates: Vec<Symbol<'_>> = graph.symbols().filter(is_candidate).collect();
        let mentions = Mentions::of(ctx, &graph, &request.scope, &candidates)?;
        let least = if request.all { 0.0 } else { request.min_confidence };
        let judged: Vec<DeadLine> = candidates
            .into_iter()
            // A function inside of another that is named there is used there, if only as a value.
            .filter(|symbol| !mentions.around(*symbol))
            .map(|symbol| judged(symbol, possible.has(symbol.id()), &mentions))
            .collect();
        let (mut lines, rest): (Vec<DeadLine>, Vec<DeadLine>) =
            judged.into_iter().partition(|line| line.confidence >= least);
        lines.sort_by(|left, right| {
            right
                .confidence
                .total_cmp(&left.confidence)
                .then_with(|| (&left.path, left.line).cmp(&(&right.path, right.line)))
        });
        let considered = graph.symbols().filter(is_considered);
        let (in_tests, considered): (Vec<_>, Vec<_>) =
            considered.partition(|symbol| !request.tests && is_in_tests(*symbol));
        let note = summary(considered.len(), in_tests.len(), &lines, &rest);
        Ok(Rows::new(lines.into_iter().map(Ok), Verdict::Yes).with_note(Some(note)))
    }
}

/// Whether a definition is in a test file or in a module of tests inside of another file.
fn is_in_tests(symbol: Symbol<'_>) -> bool {
    let is_test_module = |around: Symbol<'_>| {
        let is_marked = around
            .decorators()
            .any(|decorator| decorator.replace(' ', "").contains("cfg(test)"));
        is_marked || around.kind() == SymbolKind::Namespace && matches!(around.name(), "test" | "tests")
    };
    symbol.file().is_test() || std::iter::once(symbol).chain(symbol.ancestors()).any(is_test_module)
}

/// What was looked at, what is reported, and what is left out.
fn summary(considered: usize, in_tests: usize, lines: &[DeadLine], rest: &[DeadLine]) -> String {
    let by_confidence = |rows: &[DeadLine]| -> Vec<String> {
        let at = |confidence: f32| rows.iter().filter(|row| row.confidence == confidence).count();
        let counts = [UNMENTIONED, MENTIONED, PUBLIC].map(|confidence| (at(confidence), confidence));
        let counts = counts.into_iter().filter(|(count, _)| *count > 0);
        counts
            .map(|(count, confidence)| format!("{count} at {confidence:.2}"))
            .collect()
    };
    let mut note = format!("{} considered, ", counted(considered, "definition"));
    let length: u32 = lines.iter().map(|line| line.lines).sum();
    note.push_str(&match &by_confidence(lines)[..] {
        [] => "none reported".to_owned(),
        counts => format!(
            "{} reported: {} ({})",
            lines.len(),
            counts.join(", "),
            counted(length, "line")
        ),
    });
    let mut left_out = by_confidence(rest);
    left_out.iter_mut().for_each(|count| count.push_str(" (--all)"));
    if in_tests > 0 {
        left_out.push(format!("{} in tests (--tests)", counted(in_tests, "definition")));
    }
    if !left_out.is_empty() {
        note.push_str(&format!("; left out: {}", left_out.join(", ")));
    }
    note
}

fn judged(symbol: Symbol<'_>, is_possible: bool, mentions: &Mentions) -> DeadLine {
    let mentioned = mentions.elsewhere(symbol);
    // Code that gets an instance may call its public methods without naming the class, and call what an object holds under any key.
    let is_open = !is_written_where_called(symbol.name())
        || symbol.kind() != SymbolKind::Function
            && (symbol.visibility() == Visibility::Public
                || symbol
                    .parent()
                    .is_none_or(|parent| !parent.kind().is_type() || parent.is_local()));
    let (confidence, why) = match (is_possible, mentioned) {
        (false, None) if is_open => (
            MENTIONED,
            "nothing here reaches it, but code that gets an instance may".to_owned(),
        ),
        (true, _) if is_hooked(symbol) => (
            PUBLIC,
            "nothing here reaches it, but a framework or a base class may call it".to_owned(),
        ),
        (true, _) => (
            PUBLIC,
            "nothing here reaches it, but it is public or used by public code".to_owned(),
        ),
        (false, Some(mention)) => (MENTIONED, format!("nothing reaches it, but {mention}")),
        (false, None) => (
            UNMENTIONED,
            "nothing reaches it, and its name is written nowhere else".to_owned(),
        ),
    };
    DeadLine {
        symbol: symbol.plain_name().into_owned(),
        kind: symbol.kind().into(),
        path: symbol.file().path().to_owned(),
        line: symbol.place().line.get(),
        lines: symbol.lines(),
        confidence,
        why,
    }
}

/// Whether a caller must write this name. A caller of an operator, a destructor or an accessor does not.
fn is_written_where_called(name: &str) -> bool {
    let is_word = name
        .chars()
        .all(|letter| letter.is_alphanumeric() || matches!(letter, '_' | '$' | '#' | '?' | '!'));
    is_word && name != "operator" && !name.is_empty()
}

/// Whether a definition runs without anything here calling it.
fn runs(symbol: Symbol<'_>) -> bool {
    match symbol.kind() {
        SymbolKind::Module | SymbolKind::Test => true,
        _ => symbol.is_entry_point(),
    }
}

/// Whether others can use a definition: it is public, and so is everything around it.
fn is_public(symbol: Symbol<'_>) -> bool {
    std::iter::once(symbol).chain(symbol.ancestors()).all(|around| {
        let hidden = matches!(around.visibility(), Visibility::Private | Visibility::Internal) || around.is_local();
        !hidden || around.kind() == SymbolKind::Module
    })
}

/// Whether something may call a definition that no analysis sees: a decorator registers it, its class has a base outside, a protocol of the language
/// knows its name.
fn is_hooked(symbol: Symbol<'_>) -> bool {
    let name = symbol.name();
    let is_protocol = name.starts_with("__") && name.ends_with("__") && name.len() > 4;
    let modifiers = symbol.modifiers();
    let is_foreign = modifiers.contains(Modifier::Extern) || modifiers.contains(Modifier::Override);
    let is_registered = symbol.decorators().any(registers);
    // An anonymous class is an instance of its base for all that get it.
    let is_member_of_foreign = symbol.parent().is_some_and(|parent| {
        parent.kind().is_type() && (parent.is_anonymous() || has_base_outside(parent) || has_unknown_base(parent))
    });
    let overrides = symbol.edges().any(|edge| edge.kind() == EdgeKind::Overrides);
    is_protocol || is_foreign || is_registered || is_member_of_foreign || overrides
}

/// Whether a decorator may register what it decorates.
pub(super) fn registers(decorator: &str) -> bool {
    let path = decorator.split(['(', ' ', '[', '=']).next().unwrap_or(decorator);
    !HARMLESS.contains(&path)
}

/// Bases that are looked through.
const MAX_BASES: usize = 1_024;

/// Whether a class derives from something outside, directly or through its bases. Each base is looked at once.
fn has_base_outside(class: Symbol<'_>) -> bool {
    let mut seen = BTreeSet::from([class.id()]);
    let mut waiting = vec![class];
    while let Some(class) = waiting.pop() {
        let bases = class
            .edges()
            .filter(|edge| matches!(edge.kind(), EdgeKind::Extends | EdgeKind::Implements));
        for edge in bases {
            match edge.target() {
                EdgeTarget::External("<builtin>.object") => {}
                EdgeTarget::External(_) => return true,
                EdgeTarget::Symbol(base) if seen.len() < MAX_BASES => {
                    if seen.insert(base.id()) {
                        waiting.push(base);
                    }
                }
                EdgeTarget::Symbol(_) => {}
            }
        }
    }
    false
}

/// Whether the declaration of a class, or of one around it in its bases, names a base that no edge leads to.
fn has_unknown_base(class: Symbol<'_>) -> bool {
    let is_base = |kind| matches!(kind, EdgeKind::Extends | EdgeKind::Implements);
    let bases = class.edges().filter(|edge| is_base(edge.kind())).count();
    let signature = class.signature();
    let words = [" extends ", " implements ", " with "];
    let is_named = words.iter().any(|word| signature.contains(word))
        || signature.contains('(') && !signature.contains("()") && class.file().language() == "python";
    bases == 0 && is_named
}

/// What is reached from some definitions.
struct Reached {
    reached: Vec<bool>,
}

impl Reached {
    fn from(graph: &CodeGraph, is_root: impl Fn(&Symbol<'_>) -> bool) -> Self {
        let mut reached = vec![false; graph.symbol_count()];
        let mut waiting: Vec<SymbolId> = graph
            .symbols()
            .filter(|symbol| is_root(symbol))
            .map(Symbol::id)
            .collect();
        waiting.iter().for_each(|id| reached[id.0 as usize] = true);
        let reach = |id: SymbolId, reached: &mut Vec<bool>, waiting: &mut Vec<SymbolId>| {
            if !std::mem::replace(&mut reached[id.0 as usize], true) {
                waiting.push(id);
            }
        };
        while let Some(id) = waiting.pop() {
            let symbol = graph.symbol(id);
            for edge in symbol.edges() {
                if let EdgeTarget::Symbol(target) = edge.target() {
                    reach(target.id(), &mut reached, &mut waiting);
                }
            }
            // What overrides a method that runs may run in its place, and what is inside of something that runs may be called by it.
            for edge in symbol.incoming().filter(|edge| edge.kind() == EdgeKind::Overrides) {
                reach(edge.source().id(), &mut reached, &mut waiting);
            }
            for child in symbol.children().filter(|child| child.is_anonymous()) {
                reach(child.id(), &mut reached, &mut waiting);
            }
        }
        Self { reached }
    }

    fn has(&self, id: SymbolId) -> bool {
        self.reached[id.0 as usize]
    }
}

/// One place where a name is written.
struct Mention {
    path: String,
    line: u32,
    byte: u32,
}

/// Where the names of candidates are written, beside their definitions.
struct Mentions {
    /// By name: where it is written.
    places: HashMap<String, Vec<Mention>>,
    /// Definitions that are values where they are defined: code that gets the value may call them.
    values: HashSet<SymbolId>,
    /// Definitions in the arguments of a macro, which may register them.
    in_macros: HashSet<SymbolId>,
    /// Parts of names that are written on their own, as in `"visit_" + kind`.
    parts: HashSet<String>,
}

/// Bytes that are read of files which are not part of the graph.
const MAX_SKIPPED_BYTES: usize = 256 * 1024 * 1024;
/// Places that are remembered for a name.
const MAX_PLACES: usize = 40;

impl Mentions {
    fn of(ctx: &Ctx, graph: &CodeGraph, scope: &Scope, candidates: &[Symbol<'_>]) -> Result<Self, OpError> {
        let wanted: BTreeSet<&str> = candidates.iter().map(|symbol| bare(symbol.name())).collect();
        let pieces: BTreeSet<&str> = wanted.iter().flat_map(|name| parts(name)).collect();
        let mut found = Self {
            places: HashMap::new(),
            values: HashSet::new(),
            in_macros: HashSet::new(),
            parts: HashSet::new(),
        };
        if wanted.is_empty() {
            return Ok(found);
        }
        let mut by_path: HashMap<&str, Vec<Symbol<'_>>> = HashMap::new();
        for symbol in candidates {
            by_path.entry(symbol.file().path()).or_default().push(*symbol);
        }
        // What is not part of the graph may name things too: templates, configuration, what was generated.
        let skipped = graph
            .skipped()
            .filter(|skipped| !matches!(skipped.reason, SkipReason::Unreadable | SkipReason::Vendored))
            .map(|skipped| (skipped.path, true));
        let (mut skipped_bytes, mut refused) = (0, 0);
        for (path, is_skipped) in graph.files().map(|file| (file.path(), false)).chain(skipped) {
            if ctx.cancel.is_cancelled() {
                return Err(OpError::new(
                    ErrorKind::Cancelled,
                    "the search for unused definitions was cancelled",
                ));
            }
            let content = match ctx.ports.code.read(&scope.graph_scope(), path) {
                Ok(content) => content,
                Err(_) if is_skipped => continue,
                Err(error) if error.kind == ErrorKind::Refused => {
                    refused += 1;
                    continue;
                }
                Err(error) => return Err(error),
            };
            skipped_bytes += if is_skipped { content.len() } else { 0 };
            if skipped_bytes > MAX_SKIPPED_BYTES || is_skipped && content.contains(&0) {
                continue;
            }
            for symbol in by_path.get(path).into_iter().flatten() {
                let start = symbol.place().start_byte.get() as usize;
                let before = content.get(..start).unwrap_or(&[]);
                let line = before.rsplit(|byte| *byte == b'\n').next().unwrap_or(&[]);
                // What is given to something under another name is a value as well: `module.exports = function name`.
                let end = (symbol.place().end_byte.get() as usize).min(content.len());
                let span = String::from_utf8_lossy(content.get(start..end).unwrap_or(&[]));
                let head = span.split(symbol.name()).next().unwrap_or("");
                // So is a member that is set: the object may be passed on, as with `request.onload = function () {}`.
                let is_member = head.trim_end().ends_with('.');
                // And a variable that holds a function.
                let is_variable = symbol.name().starts_with('$');
                // And a named function in a list of values or arguments.
                let is_element = before.trim_ascii_end().ends_with(b",") || before.trim_ascii_end().ends_with(b"[");
                // And an inner function where the outer one looks names up.
                let looks_up = symbol.is_local()
                    && symbol.parent().is_some_and(|outer| {
                        let place = outer.place();
                        let span = place.start_byte.get() as usize..(place.end_byte.get() as usize).min(content.len());
                        contains(content.get(span).unwrap_or(&[]), b"locals()")
                    });
                let is_empty = line.trim_ascii().is_empty();
                if !is_empty || head.contains('=') || is_member || is_variable || is_element || looks_up {
                    found.values.insert(symbol.id());
                }
                if is_in_macro(before) {
                    found.in_macros.insert(symbol.id());
                }
            }
            let text = String::from_utf8_lossy(&content);
            for (line, byte, word) in words(&text) {
                // `G_DEFINE_TYPE(Menu, my_menu, …)` makes `my_menu_init` out of its arguments.
                let beginning = format!("{word}_");
                if pieces.contains(beginning.as_str()) && is_macro_argument(&text[..byte as usize]) {
                    found.parts.insert(beginning);
                }
                // Some languages put a sign before what is a variable.
                for word in [word, word.trim_start_matches('$')]
                    .into_iter()
                    .take(1 + usize::from(word.starts_with('$')))
                {
                    if wanted.contains(word) {
                        let places = found.places.entry(word.to_owned()).or_default();
                        if places.len() < MAX_PLACES {
                            let path = path.to_owned();
                            places.push(Mention { path, line, byte });
                        }
                    }
                }
                if pieces.contains(word) {
                    found.parts.insert(word.to_owned());
                }
            }
        }
        if refused > 0 {
            let remark = format!(
                "{} may not be read: names that occur only there count as unused",
                counted(refused, "file")
            );
            ctx.progress.remark(&remark);
        }
        Ok(found)
    }

    /// Whether the name of a function inside of another is written in that one.
    fn around(&self, symbol: Symbol<'_>) -> bool {
        let Some(outer) = symbol.parent().filter(|_| symbol.is_local()) else {
            return false;
        };
        let path = symbol.file().path();
        self.places.get(bare(symbol.name())).is_some_and(|places| {
            let mut here = places.iter().filter(|mention| mention.path == path);
            places.len() >= MAX_PLACES || here.any(|mention| spans(outer, mention.byte) && !spans(symbol, mention.byte))
        })
    }

    /// What speaks against a definition being dead: a place outside of it that writes its name, or may build it.
    fn elsewhere(&self, symbol: Symbol<'_>) -> Option<String> {
        if let Some(part) = parts(bare(symbol.name())).find(|part| self.parts.contains(*part)) {
            return Some(format!("its name may be built from `{part}`"));
        }
        if self.values.contains(&symbol.id()) {
            return Some("its definition is used as a value".to_owned());
        }
        if self.in_macros.contains(&symbol.id()) {
            return Some("a macro gets its definition".to_owned());
        }
        if is_kept(symbol) {
            return Some("it is marked as unused on purpose".to_owned());
        }
        if has_doc_test(symbol) {
            return Some("its documentation is a test".to_owned());
        }
        let path = symbol.file().path();
        let places = self.places.get(bare(symbol.name()))?;
        if places.len() >= MAX_PLACES {
            return Some(format!("its name is also written at {MAX_PLACES} places or more"));
        }
        let other = places
            .iter()
            .find(|mention| mention.path != path || !spans(symbol, mention.byte))?;
        Some(format!("its name is also written at {}:{}", other.path, other.line))
    }
}

/// How far before a definition the macro around it is looked for.
const MAX_BEFORE: usize = 256 * 1024;

/// Whether what follows a text is in the arguments of a macro, as in `quickcheck! { fn holds() -> bool { … } }`.
fn is_in_macro(before: &[u8]) -> bool {
    let before = &before[before.len().saturating_sub(MAX_BEFORE)..];
    let mut depth = 0usize;
    for (at, byte) in before.iter().enumerate().rev() {
        match byte {
            b'}' | b')' => depth += 1,
            b'{' | b'(' if depth > 0 => depth -= 1,
            b'{' | b'(' => {
                let mut head = before[..at].trim_ascii_end();
                // `macro_rules! name {` has a name.
                let is_word = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'_';
                if head.ends_with(b"!") && head[..head.len() - 1].last().is_some_and(is_word) {
                    return true;
                }
                while let Some((_, rest)) = head.split_last().filter(|(last, _)| is_word(last)) {
                    head = rest;
                }
                if head.trim_ascii_end().ends_with(b"macro_rules!") {
                    return true;
                }
            }
            _ => {}
        }
    }
    false
}

/// Whether a text contains another.
fn contains(text: &[u8], part: &[u8]) -> bool {
    text.windows(part.len()).any(|window| window == part)
}

/// Whether what follows a text is an argument on the line of a macro in capitals.
fn is_macro_argument(before: &str) -> bool {
    let line = before.rsplit('\n').next().unwrap_or(before);
    let name = line.split('(').next().filter(|name| name.len() < line.len());
    name.is_some_and(|name| {
        let name = name.trim();
        name.len() > 2
            && name
                .bytes()
                .all(|byte| byte.is_ascii_uppercase() || byte.is_ascii_digit() || byte == b'_')
    })
}

/// Whether the author keeps a definition that nothing uses: by an attribute, or by the underscore with which Rust asks for no warning.
fn is_kept(symbol: Symbol<'_>) -> bool {
    let is_rust = symbol.file().language() == "rust";
    let is_allowed = |decorator: &str| decorator.contains("dead_code") || decorator.contains("unused");
    let mut around = std::iter::once(symbol).chain(symbol.ancestors());
    around.any(|symbol| symbol.decorators().any(is_allowed) || is_rust && symbol.name().starts_with('_'))
}

/// Whether a documentation test of Rust belongs to a definition.
fn has_doc_test(symbol: Symbol<'_>) -> bool {
    symbol.file().language() == "rust" && symbol.doc().contains("```")
}

/// A name without the signs that some languages put around it: `#seen` in JavaScript, `empty?` in Ruby. [`words`] has none of them.
fn bare(name: &str) -> &str {
    name.trim_start_matches(['#', '@']).trim_end_matches(['?', '!'])
}

/// Whether a byte is inside of a definition.
fn spans(symbol: Symbol<'_>, byte: u32) -> bool {
    let place = symbol.place();
    place.start_byte.get() <= byte && byte < place.end_byte.get()
}

/// The beginnings and ends of a name that somebody may put a name together from, as in `"visit_" + kind` and `name##_ctl`.
fn parts(name: &str) -> impl Iterator<Item = &str> {
    let says_something = |part: &str| part.bytes().any(|byte| byte != b'_');
    let beginnings = name.match_indices('_').map(|(at, _)| &name[..=at]);
    let ends = name
        .match_indices('_')
        .filter(|(at, _)| *at > 0)
        .map(|(at, _)| &name[at..]);
    beginnings
        .chain(ends)
        .filter(move |part| part.len() < name.len() && says_something(part))
}

/// The words of a text, each with its line from one and the byte where it begins.
fn words(text: &str) -> impl Iterator<Item = (u32, u32, &str)> {
    let start = text.as_ptr() as usize;
    (1u32..).zip(text.lines()).flat_map(move |(number, line)| {
        line.split(|letter: char| !letter.is_alphanumeric() && letter != '_' && letter != '$')
            .filter(|word| !word.is_empty())
            .map(move |word| (number, (word.as_ptr() as usize - start) as u32, word))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_may_be_put_together_from_their_parts() {
        let parts = |name| parts(name).collect::<Vec<_>>();
        assert_eq!(
            parts("visit_call_name"),
            ["visit_", "visit_call_", "_call_name", "_name"]
        );
        assert_eq!(parts("_hidden"), Vec::<&str>::new());
        assert_eq!(parts("_on_key"), ["_on_", "_key"]);
        assert!(parts("plain").is_empty());
    }

    #[test]
    fn arguments_of_macros_are_known_by_capitals() {
        for (before, is_one) in [
            ("x\nG_DEFINE_TYPE(Menu, ", true),
            ("G_DEFINE_TYPE (", true),
            ("define(Menu, ", false),
            ("  call(A, ", false),
            ("G_DEFINE_TYPE(\n", false),
            ("", false),
        ] {
            assert_eq!(is_macro_argument(before), is_one, "{before}");
        }
    }

    #[test]
    fn macros_are_known_by_their_sign() {
        for (before, is_one) in [
            ("quickcheck! {\n    ", true),
            ("quickcheck! { fn a() { b(); }\n ", true),
            ("mod tests { quickcheck::quickcheck!(", true),
            ("macro_rules! make { () => { ", true),
            ("vec![1]; mod a { ", false),
            ("if x != (1) { ", false),
            ("if !(", false),
            ("fn a() { b!(); }\n", false),
            ("", false),
        ] {
            assert_eq!(is_in_macro(before.as_bytes()), is_one, "{before}");
        }
    }

    #[test]
    fn words_know_their_lines() {
        let found: Vec<(u32, u32, &str)> = words("a b_1\n\n\"visit_\" + x.y").collect();
        assert_eq!(
            found,
            [(1, 0, "a"), (1, 2, "b_1"), (3, 8, "visit_"), (3, 18, "x"), (3, 20, "y")]
        );
    }
}
