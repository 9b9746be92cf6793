//! `lore find`: symbols by name, filtered and ranked.

use std::cmp::Reverse;
use std::sync::Arc;

use clap::{Args, ValueEnum};
use lore_model::{
    CONFIGURATION_KEY, CodeGraph, ENVIRONMENT_VARIABLE, MatchQuality, Symbol, SymbolId, SymbolKind, Visibility,
    nearest, score_loose, score_part,
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::target;
use super::wire::{Kind, Scope, SymbolLine, VisibilityName};
use lore_seam::{Access, Ctx, ErrorKind, OpError, Operation, Page, Render, Rows, Verdict};

/// Rows of an answer to an agent unless more are asked for. The command line limits lines.
const DEFAULT_LIMIT: usize = 50;
/// Settings named in a note.
const MAX_SETTINGS: usize = 8;

/// Find symbols by name: exact, prefix, substring, initials or with typos, best first
///
/// Without a name, it lists every symbol that passes the filters, in source order. A name may be qualified (`Class.method`,
/// `module::Type`): then the last part is matched, and the qualifier must end with the rest.
#[derive(Args, Deserialize, JsonSchema, Clone, Debug, Default)]
#[command(after_help = "Examples:
  lore find QuerySet                       by name, best matches first
  lore find get_q --match prefix           only names with this prefix
  lore find --kind class --path 'src/**'   all classes below src
  lore find Model.save                     only `save` of a `Model`
  lore find parse --json                   all of them, one JSON object a line")]
#[serde(default)]
pub struct FindRequest {
    /// The name or a part of it
    pub query: Option<String>,
    /// Only these kinds (repeatable)
    #[arg(long, short, value_delimiter = ',')]
    pub kind: Vec<Kind>,
    /// Only these languages (repeatable)
    #[arg(long, short, value_delimiter = ',')]
    #[schemars(extend("x-agents" = "omit"))]
    pub language: Vec<String>,
    /// Only files that match this pattern or are below this directory (repeatable)
    #[arg(long, short, value_name = "GLOB")]
    pub path: Vec<String>,
    /// Only these visibilities (repeatable)
    #[arg(long, value_delimiter = ',')]
    #[schemars(extend("x-agents" = "omit"))]
    pub visibility: Vec<VisibilityName>,
    /// How the name must match
    #[arg(long = "match", value_enum, default_value = "auto", value_name = "HOW")]
    #[serde(rename = "match")]
    pub how: MatchMode,
    /// Maximum number of rows; 0 for all
    #[arg(long, short = 'n')]
    #[serde(default = "default_limit")]
    pub limit: Option<usize>,
    /// Include lambdas and anonymous classes
    #[arg(long)]
    #[schemars(extend("x-agents" = "omit"))]
    pub anonymous: bool,
    #[command(flatten)]
    #[serde(flatten)]
    // No doc comment: the help of a flattened struct would replace that of the command.
    pub scope: Scope,
}

fn default_limit() -> Option<usize> {
    Some(DEFAULT_LIMIT)
}

/// How a name must match.
#[derive(ValueEnum, Deserialize, JsonSchema, Clone, Copy, PartialEq, Eq, Debug, Default)]
#[serde(rename_all = "lowercase")]
pub enum MatchMode {
    /// The whole name, a prefix or any part, best first; initials and typos if nothing else matches
    #[default]
    Auto,
    /// The whole name, case-sensitive
    Exact,
    /// A prefix, in any case
    Prefix,
    /// Any part, in any case
    Substring,
    /// Also initials and typos, even if there are better matches
    Fuzzy,
}

/// A symbol and how it matched
#[derive(Serialize, JsonSchema, Clone, PartialEq, Eq, Debug)]
pub struct Found {
    /// The symbol
    #[serde(flatten)]
    pub symbol: SymbolLine,
    /// How the name matched; absent when no name was given
    #[serde(rename = "match", skip_serializing_if = "Option::is_none")]
    pub quality: Option<&'static str>,
}

impl Render for Found {
    fn render(&self, page: &mut Page) {
        self.symbol.render(page);
    }
}

/// `lore find`.
pub struct Find;

impl Operation for Find {
    const NAME: &'static str = "find";
    const COMMAND: &'static [&'static str] = &["find"];
    const ACCESS: Access = Access::Read;
    type Request = FindRequest;
    type Answer = Rows<Found>;

    fn run(ctx: &Ctx, request: FindRequest) -> Result<Rows<Found>, OpError> {
        let graph = request.scope.open(ctx)?;
        let filter = Filter::new(&request, PathPattern::all(ctx, &graph, &request.path)?);
        filter.check_languages(&graph)?;
        let limit = request.limit.filter(|limit| *limit > 0).unwrap_or(usize::MAX);
        match request
            .query
            .as_deref()
            .map(str::trim)
            .filter(|query| !query.is_empty())
        {
            None => Ok(list(graph, filter, limit)),
            Some(query) => search(graph, &filter, query, request.how, limit),
        }
    }
}

/// The filters of a request.
struct Filter {
    kinds: Vec<SymbolKind>,
    languages: Vec<String>,
    paths: Vec<PathPattern>,
    visibilities: Vec<Visibility>,
    anonymous: bool,
}

impl Filter {
    fn new(request: &FindRequest, patterns: Vec<PathPattern>) -> Self {
        Self {
            kinds: request.kind.iter().map(|kind| SymbolKind::from(*kind)).collect(),
            languages: request.language.iter().map(|name| name.to_lowercase()).collect(),
            paths: patterns,
            visibilities: request.visibility.iter().map(|name| Visibility::from(*name)).collect(),
            anonymous: request.anonymous,
        }
    }

    fn check_languages(&self, graph: &CodeGraph) -> Result<(), OpError> {
        let known: Vec<&str> = graph.languages().collect();
        match self.languages.iter().find(|name| !known.contains(&name.as_str())) {
            None => Ok(()),
            Some(name) => Err(
                OpError::new(ErrorKind::NotFound, format!("no file is in the language `{name}`"))
                    .hint(format!("languages of this repository: {}", known.join(", "))),
            ),
        }
    }

    fn accepts(&self, symbol: Symbol<'_>) -> bool {
        (self.kinds.is_empty() || self.kinds.contains(&symbol.kind()))
            && (self.visibilities.is_empty() || self.visibilities.contains(&symbol.visibility()))
            && (self.anonymous || !symbol.is_anonymous())
            && (self.languages.is_empty() || self.languages.iter().any(|name| name == symbol.file().language()))
            && (self.paths.is_empty() || self.paths.iter().any(|pattern| pattern.matches(symbol.file().path())))
    }
}

/// A path pattern: `*` and `?` within a part, `**` across parts; a pattern without them also covers what lies below it.
pub(super) struct PathPattern(Vec<String>);

impl PathPattern {
    /// The patterns of a request, relative to the caller's directory; none for the whole tree.
    pub(super) fn all(ctx: &Ctx, graph: &CodeGraph, texts: &[String]) -> Result<Vec<Self>, OpError> {
        let here = ctx.ports.code.here();
        let mut patterns = Vec::new();
        for text in texts {
            let path = target::from_here(graph, &here, text);
            if path.is_empty() && !text.is_empty() {
                // The root itself was named.
                return Ok(Vec::new());
            }
            patterns.push(Self::new(&path)?);
        }
        Ok(patterns)
    }

    /// As [`PathPattern::all`], but a pattern that fits no file is an error.
    pub(super) fn some(ctx: &Ctx, graph: &CodeGraph, texts: &[String]) -> Result<Vec<Self>, OpError> {
        let patterns = Self::all(ctx, graph, texts)?;
        for (pattern, text) in patterns.iter().zip(texts) {
            if !graph.files().any(|file| pattern.matches(file.path())) {
                let message = format!("no file of the graph matches `{text}`");
                return Err(OpError::new(ErrorKind::NotFound, message).hint("`lore files` lists the files"));
            }
        }
        Ok(patterns)
    }

    fn new(text: &str) -> Result<Self, OpError> {
        let text = text.strip_prefix("./").unwrap_or(text).trim_end_matches('/');
        if text.is_empty() {
            return Err(
                OpError::new(ErrorKind::Invalid, "a path pattern is empty").hint("leave the pattern out for all paths")
            );
        }
        Ok(Self(text.split('/').map(str::to_owned).collect()))
    }

    pub(super) fn matches(&self, path: &str) -> bool {
        let parts: Vec<&str> = path.split('/').collect();
        let pattern: Vec<&str> = self.0.iter().map(String::as_str).collect();
        let wild = pattern.iter().any(|part| part.contains(['*', '?']));
        if !wild {
            return parts.len() >= pattern.len() && parts[..pattern.len()] == pattern[..];
        }
        if pattern.len() == 1 {
            return parts.last().is_some_and(|name| part_matches(pattern[0], name));
        }
        parts_match(&pattern, &parts)
    }
}

/// Whether pattern parts match path parts; each `**` takes any number of them. Bounded by the product of the lengths.
fn parts_match(pattern: &[&str], parts: &[&str]) -> bool {
    let mut reachable = vec![false; parts.len() + 1];
    reachable[0] = true;
    for wanted in pattern {
        let mut next = vec![false; parts.len() + 1];
        for at in 0..=parts.len() {
            if *wanted == "**" {
                next[at] = reachable[at] || (at > 0 && next[at - 1]);
            } else if at > 0 {
                next[at] = reachable[at - 1] && part_matches(wanted, parts[at - 1]);
            }
        }
        reachable = next;
    }
    reachable[parts.len()]
}

fn part_matches(pattern: &str, name: &str) -> bool {
    let (pattern, name): (Vec<char>, Vec<char>) = (pattern.chars().collect(), name.chars().collect());
    let mut reachable = vec![false; name.len() + 1];
    reachable[0] = true;
    for wanted in pattern {
        let mut next = vec![false; name.len() + 1];
        for at in 0..=name.len() {
            next[at] = match wanted {
                '*' => reachable[at] || (at > 0 && next[at - 1]),
                '?' => at > 0 && reachable[at - 1],
                letter => at > 0 && reachable[at - 1] && name[at - 1] == letter,
            };
        }
        reachable = next;
    }
    reachable[name.len()]
}

/// Every symbol that passes the filter, as they are asked for.
fn list(graph: Arc<CodeGraph>, filter: Filter, limit: usize) -> Rows<Found> {
    let accepted = graph.symbols().filter(|symbol| filter.accepts(*symbol)).count();
    let note = match accepted {
        0 => Some("no symbol passes the filters".to_owned()),
        _ => left_out(accepted, limit),
    };
    let mut next = 0;
    let rows = std::iter::from_fn(move || {
        while (next as usize) < graph.symbol_count() {
            let symbol = graph.symbol(SymbolId(next));
            next += 1;
            if filter.accepts(symbol) {
                return Some(Ok(Found {
                    symbol: SymbolLine::of(symbol),
                    quality: None,
                }));
            }
        }
        None
    });
    Rows::new(rows.take(limit), Verdict::No).with_note(note)
}

fn left_out(found: usize, limit: usize) -> Option<String> {
    (found > limit).then(|| format!("{} more (limit 0 shows all {found})", found - limit))
}

/// The symbols whose name matches, best first.
fn search(
    graph: Arc<CodeGraph>,
    filter: &Filter,
    query: &str,
    how: MatchMode,
    limit: usize,
) -> Result<Rows<Found>, OpError> {
    let (qualifier, name) = split_qualified(query);
    let folded = name.to_lowercase();
    let mut matches = matching(&graph, filter, qualifier, |candidate| {
        score_part(candidate, name, &folded).filter(|quality| wanted(*quality, how))
    });
    // A name can be used under the name of a module that re-exports it.
    let mut elsewhere = None;
    if let Some(qualifier) = qualifier.filter(|_| matches.is_empty()) {
        matches = matching(&graph, filter, None, |candidate| {
            score_part(candidate, name, &folded).filter(|quality| *quality == MatchQuality::Exact)
        });
        elsewhere =
            (!matches.is_empty()).then(|| format!("no name `{name}` in `{qualifier}`; elsewhere it is defined"));
    }
    // Looser matches only help where there are no better ones.
    if how == MatchMode::Fuzzy || (how == MatchMode::Auto && matches.is_empty()) {
        matches.extend(matching(&graph, filter, qualifier, |candidate| {
            match score_part(candidate, name, &folded) {
                Some(_) => None,
                None => score_loose(candidate, &folded),
            }
        }));
    }
    let rank = |(quality, id): &(MatchQuality, SymbolId)| {
        let symbol = graph.symbol(*id);
        (
            Reverse(*quality),
            kind_rank(symbol.kind()),
            symbol.visibility(),
            symbol.is_local(),
            symbol.file().is_test(),
            symbol.name().len(),
            symbol.qualified_len(),
            *id,
        )
    };
    matches.sort_by_cached_key(rank);
    let settings = settings(&graph, query);
    let verdict = if settings.is_some() { Verdict::Yes } else { Verdict::No };
    let note = match &settings {
        Some(_) if matches.is_empty() => None,
        _ if matches.is_empty() => suggestion(&graph, name),
        _ => left_out(matches.len(), limit),
    };
    let notes: Vec<String> = [elsewhere, note, settings].into_iter().flatten().collect();
    let note = (!notes.is_empty()).then(|| notes.join("\n"));
    let rows = matches.into_iter().take(limit).map(move |(quality, id)| {
        Ok(Found {
            symbol: SymbolLine::of(graph.symbol(id)),
            quality: Some(quality.name()),
        })
    });
    Ok(Rows::new(rows, verdict).with_note(note))
}

/// The environment variables and configuration keys whose name contains a text, with the question that lists their uses.
fn settings(graph: &CodeGraph, query: &str) -> Option<String> {
    let folded = query.to_lowercase();
    let names = (0..graph.external_count()).map(|number| graph.external(number as u32));
    let mut found: Vec<&str> = names
        .filter(|name| name.starts_with(ENVIRONMENT_VARIABLE) || name.starts_with(CONFIGURATION_KEY))
        .filter(|name| name.to_lowercase().contains(&folded))
        .collect();
    found.sort_unstable_by_key(|name| (name.len(), *name));
    let shown = found.iter().take(MAX_SETTINGS).copied().collect::<Vec<_>>().join(", ");
    let rest = match found.len().saturating_sub(MAX_SETTINGS) {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    let first = found.first()?;
    Some(format!(
        "settings of this name: {shown}{rest}; `lore edges {first}` lists who reads and sets it"
    ))
}

/// The symbols below a qualifier whose name has a quality.
fn matching(
    graph: &CodeGraph,
    filter: &Filter,
    qualifier: Option<&str>,
    quality: impl Fn(&str) -> Option<MatchQuality>,
) -> Vec<(MatchQuality, SymbolId)> {
    let mut found = Vec::new();
    for (candidate, symbols) in graph.names() {
        let Some(quality) = quality(candidate) else { continue };
        for id in symbols {
            let symbol = graph.symbol(id);
            if filter.accepts(symbol) && qualifier.is_none_or(|qualifier| qualifies(symbol, qualifier)) {
                found.push((quality, id));
            }
        }
    }
    found
}

fn suggestion(graph: &CodeGraph, name: &str) -> Option<String> {
    if graph.named(name).next().is_some() {
        return Some(format!(
            "nothing matches: `{name}` exists, but not with these filters or this qualifier"
        ));
    }
    let near = nearest(
        name,
        graph
            .names()
            .map(|(name, _)| name)
            .filter(|name| !name.starts_with('<')),
        5,
    );
    Some(if near.is_empty() {
        "nothing matches".to_owned()
    } else {
        format!("nothing matches; similar names: {}", near.join(", "))
    })
}

/// `Model.save` → (`Model`, `save`).
fn split_qualified(query: &str) -> (Option<&str>, &str) {
    let at = query.rfind(['.', ':', '/', '\\']).filter(|at| *at + 1 < query.len());
    match at {
        Some(at) if !query[at + 1..].contains(char::is_whitespace) => (
            Some(query[..at].trim_end_matches([':', '.', '/'])).filter(|qualifier| !qualifier.is_empty()),
            &query[at + 1..],
        ),
        _ => (None, query),
    }
}

/// Whether a qualifier stands directly before the symbol's name, beginning where a part begins.
fn qualifies(symbol: Symbol<'_>, qualifier: &str) -> bool {
    let qualified = symbol.qualified_name();
    let number = qualified.rfind('#').unwrap_or(qualified.len());
    let Some(before) = qualified[..number].strip_suffix(symbol.name()) else {
        return false;
    };
    let before = before.trim_end_matches(['.', ':', '/', '\\']).to_lowercase();
    let qualifier = qualifier.to_lowercase();
    before
        .strip_suffix(qualifier.as_str())
        .is_some_and(|rest| rest.is_empty() || rest.ends_with(['.', ':', '/', '\\']))
}

fn wanted(quality: MatchQuality, how: MatchMode) -> bool {
    match how {
        MatchMode::Auto | MatchMode::Fuzzy => true,
        MatchMode::Exact => quality == MatchQuality::Exact,
        MatchMode::Prefix => quality >= MatchQuality::Prefix,
        MatchMode::Substring => quality >= MatchQuality::Substring,
    }
}

/// Types before functions before values: what a name most often means.
fn kind_rank(kind: SymbolKind) -> u8 {
    match kind {
        SymbolKind::Class
        | SymbolKind::Struct
        | SymbolKind::Enum
        | SymbolKind::Trait
        | SymbolKind::Interface
        | SymbolKind::TypeAlias
        | SymbolKind::Table
        | SymbolKind::View => 0,
        SymbolKind::Function | SymbolKind::Macro => 1,
        SymbolKind::Method | SymbolKind::Constructor => 2,
        SymbolKind::Module | SymbolKind::Namespace | SymbolKind::Block | SymbolKind::Target => 3,
        SymbolKind::Constant | SymbolKind::Static => 4,
        SymbolKind::EnumMember | SymbolKind::Field => 5,
        SymbolKind::Test => 6,
        SymbolKind::Section | SymbolKind::Selector | SymbolKind::Key => 7,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn path_patterns() {
        for (pattern, path, matches) in [
            ("src", "src/a.rs", true),
            ("src", "lib/src/a.rs", false),
            ("src/a.rs", "src/a.rs", true),
            ("./src/", "src/x/a.rs", true),
            ("*.rs", "src/x/a.rs", true),
            ("src/*.rs", "src/x/a.rs", false),
            ("src/**", "src/x/a.rs", true),
            ("**/x/*.rs", "src/x/a.rs", true),
            ("src/**/a.rs", "src/a.rs", true),
            ("src/?.rs", "src/ä.rs", true),
        ] {
            assert_eq!(
                PathPattern::new(pattern).expect("valid").matches(path),
                matches,
                "{pattern} on {path}"
            );
        }
        assert!(PathPattern::new("/").is_err());
    }

    #[test]
    fn qualified_queries_split_at_the_last_separator() {
        assert_eq!(split_qualified("Model.save"), (Some("Model"), "save"));
        assert_eq!(split_qualified("a::b::C"), (Some("a::b"), "C"));
        assert_eq!(split_qualified("plain"), (None, "plain"));
        assert_eq!(split_qualified("ends."), (None, "ends."));
    }
}
