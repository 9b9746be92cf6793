//! Resolves what a request names: a symbol, a file, or a line of a file. Unknown and ambiguous names get suggestions.

use std::borrow::Cow;

use lore_model::{CodeGraph, File, Symbol, SymbolId, SymbolKind, nearest, resolve_path};

use super::wire::one_line;
use lore_seam::{Ctx, ErrorKind, OpError};

/// What a text names.
pub(super) enum Target<'a> {
    File(File<'a>),
    Symbol(Symbol<'a>),
    /// Several symbols.
    Several(Vec<SymbolId>),
}

/// How many names to suggest.
const SUGGESTIONS: usize = 5;

/// How many candidates the error for an ambiguous name lists.
const CANDIDATES: usize = 8;

/// A path as the caller in the directory `here` means it: relative to `here` if a file exists there, else to the root.
pub(super) fn from_here(graph: &CodeGraph, here: &str, path: &str) -> String {
    let joined = resolve_path(here, path);
    let is_there = |wanted: &str| {
        graph.files().any(|file| {
            let path = file.path();
            path == wanted || wanted.is_empty() || path.strip_prefix(wanted).is_some_and(|rest| rest.starts_with('/'))
        })
    };
    let relative = path == "." || path.starts_with("./") || path.starts_with("..");
    if relative || (!here.is_empty() && is_there(&joined)) {
        joined
    } else {
        path.to_owned()
    }
}

/// The directory that a text names, from the root: empty for the root itself.
pub(super) fn directory(graph: &CodeGraph, here: &str, text: &str) -> Option<String> {
    let text = text.trim();
    let paths = || {
        graph
            .files()
            .map(File::path)
            .chain(graph.skipped().map(|skipped| skipped.path))
    };
    let is_there = |wanted: &str| {
        let is_below = |path: &str| path.strip_prefix(wanted).is_some_and(|rest| rest.starts_with('/'));
        wanted.is_empty() || paths().any(is_below)
    };
    let is_relative = text.starts_with('.');
    let mut names = vec![resolve_path(here, text)];
    if !is_relative {
        names.push(resolve_path("", text));
    }
    let is_named = |name: &String| is_relative || !text.is_empty() && !name.is_empty();
    names.into_iter().find(|name| is_named(name) && is_there(name))
}

/// Finds what a text names: a path, a path with a line, a qualified name or the end of one.
pub(super) fn find<'a>(graph: &'a CodeGraph, here: &str, text: &str) -> Result<Target<'a>, OpError> {
    let text = text.trim();
    if let Some(file) = graph.file_at(&resolve_path(here, text)) {
        return Ok(Target::File(file));
    }
    if let Some(file) = graph.file_at(text) {
        return Ok(Target::File(file));
    }
    if let Some((path, line)) = split_line(text)
        && let Some(file) = graph.file_at(&resolve_path(here, path)).or_else(|| graph.file_at(path))
    {
        return at_line(file, line)
            .map(Target::Symbol)
            .ok_or_else(|| OpError::new(ErrorKind::NotFound, format!("nothing is defined at {path}:{line}")));
    }
    let mut found = graph.lookup(text);
    if found.is_empty()
        && let Some((name, types)) = split_signature(text)
    {
        found = graph.lookup(name);
        found.retain(|id| takes(graph.symbol(*id).signature(), &types));
    }
    // Inside of a Rust crate, `crate::` begins a path; names begin with the name of the crate.
    if found.is_empty()
        && let Some(path) = text.strip_prefix("crate::")
    {
        found = graph.lookup(path);
    }
    match found[..] {
        [] => Err(unknown(graph, text)),
        [only] => Ok(Target::Symbol(graph.symbol(only))),
        _ => Ok(Target::Several(found)),
    }
}

/// The symbols that a text names, of up to [`CANDIDATES`] groups: overloads, declarations of one name, and definitions of
/// the name in several places are answered together. With more groups, the name is ambiguous.
pub(super) fn meant(ctx: &Ctx, graph: &CodeGraph, text: &str) -> Result<Vec<SymbolId>, OpError> {
    match find(graph, &ctx.ports.code.here(), text)? {
        Target::Symbol(symbol) => Ok(vec![symbol.id()]),
        Target::File(file) => match file.module() {
            Some(module) => Ok(vec![module.id()]),
            None => Err(OpError::new(
                ErrorKind::NotFound,
                format!("{} belongs to no module", file.path()),
            )),
        },
        Target::Several(candidates) => together(graph, text, candidates),
    }
}

/// The candidates of a name, or the error for a name with too many of them.
pub(super) fn together(graph: &CodeGraph, text: &str, candidates: Vec<SymbolId>) -> Result<Vec<SymbolId>, OpError> {
    let mut groups: Vec<(Cow<'_, str>, &str)> = candidates
        .iter()
        .map(|id| (graph.symbol(*id).plain_name(), graph.symbol(*id).signature()))
        .collect();
    groups.sort_unstable();
    groups.dedup();
    if groups.len() > CANDIDATES {
        return Err(ambiguous(graph, text, &candidates));
    }
    Ok(candidates)
}

/// The remark of an answer about several symbols: which they are.
pub(super) fn several(graph: &CodeGraph, text: &str, symbols: &[SymbolId]) -> Option<String> {
    if symbols.len() < 2 {
        return None;
    }
    let places: Vec<String> = symbols
        .iter()
        .map(|id| {
            let symbol = graph.symbol(*id);
            let name = symbol.plain_name();
            let place = format!("{}:{}", symbol.file().path(), symbol.place().line);
            match one_line(symbol.signature()) {
                signature if signature.is_empty() => format!("{name} at {place}"),
                signature => format!("{name} at {place}  {signature}"),
            }
        })
        .collect();
    Some(format!(
        "`{text}` means {} symbols, which are answered together:\n  {}",
        symbols.len(),
        places.join("\n  ")
    ))
}

/// A name and the types of its parameters: `Hex.encode(byte[], boolean)`.
fn split_signature(text: &str) -> Option<(&str, Vec<String>)> {
    let (name, types) = text.strip_suffix(')')?.split_once('(')?;
    Some((name, split_list(types)))
}

/// The elements of a list of parameters or types, without blanks around them.
pub(super) fn split_list(list: &str) -> Vec<String> {
    let (mut parts, mut part, mut depth) = (Vec::new(), String::new(), 0usize);
    for letter in list.chars() {
        match letter {
            '<' | '[' | '(' | '{' => depth += 1,
            '>' | ']' | ')' | '}' => depth = depth.saturating_sub(1),
            ',' if depth == 0 => {
                parts.push(std::mem::take(&mut part));
                continue;
            }
            _ => {}
        }
        part.push(letter);
    }
    parts.push(part);
    parts.retain(|part| !part.trim().is_empty());
    parts.iter().map(|part| part.trim().to_owned()).collect()
}

/// Whether a signature has parameters of these types, in this order.
fn takes(signature: &str, types: &[String]) -> bool {
    let Some((_, rest)) = signature.split_once('(') else {
        return false;
    };
    let mut depth = 1usize;
    let end = rest.char_indices().find_map(|(at, letter)| {
        match letter {
            '(' => depth += 1,
            ')' => depth -= 1,
            _ => {}
        }
        (depth == 0).then_some(at)
    });
    let parameters = split_list(&rest[..end.unwrap_or(rest.len())]);
    let has = |parameter: &str, wanted: &str| {
        let spaced = parameter.replace(": ", " ");
        let wanted: String = wanted.split_whitespace().collect();
        let compact: String = spaced.split_whitespace().collect();
        spaced.split_whitespace().any(|word| word == wanted) || wanted.contains(['<', '[']) && compact.contains(&wanted)
    };
    let fits = |parameters: &[String]| {
        let mut pairs = parameters.iter().zip(types);
        parameters.len() == types.len() && pairs.all(|(parameter, wanted)| has(parameter, wanted))
    };
    let is_receiver =
        |parameter: &str| matches!(parameter, "self" | "&self" | "&mut self" | "mut self" | "cls" | "this");
    let receivers = usize::from(parameters.first().is_some_and(|first| is_receiver(first)));
    fits(&parameters) || fits(&parameters[receivers..])
}

/// A symbol and, for a class, its constructors.
pub(super) fn with_constructors(symbol: Symbol<'_>) -> Vec<SymbolId> {
    let mut found = vec![symbol.id()];
    if symbol.kind().is_type() {
        found.extend(
            symbol
                .children()
                .filter(|child| child.kind() == SymbolKind::Constructor)
                .map(Symbol::id),
        );
    }
    found
}

/// `path:line` and `path:line:column`.
fn split_line(text: &str) -> Option<(&str, u32)> {
    let (head, last) = text.rsplit_once(':')?;
    let number: u32 = last.parse().ok()?;
    match head
        .rsplit_once(':')
        .and_then(|(path, line)| Some((path, line.parse().ok()?)))
    {
        Some(found) => Some(found),
        None => Some((head, number)),
    }
}

/// The innermost symbol around a line.
fn at_line(file: File<'_>, line: u32) -> Option<Symbol<'_>> {
    file.symbols()
        .filter(|symbol| {
            let place = symbol.place();
            !symbol.is_anonymous() && place.start_line.get() <= line && line <= place.end_line.get()
        })
        .min_by_key(|symbol| (symbol.kind() == SymbolKind::Module, symbol.lines()))
}

/// The error for a name that means several symbols. Each hint is a candidate.
pub(super) fn ambiguous(graph: &CodeGraph, text: &str, candidates: &[SymbolId]) -> OpError {
    let message = format!("`{text}` means {} symbols", candidates.len());
    let mut error = OpError::new(ErrorKind::Ambiguous, message);
    for id in candidates.iter().take(CANDIDATES) {
        let symbol = graph.symbol(*id);
        let mut hint = format!(
            "{} {} at {}:{}",
            symbol.kind(),
            symbol.qualified_name(),
            symbol.file().path(),
            symbol.place().line
        );
        if !symbol.signature().is_empty() {
            hint.push_str("  ");
            hint.push_str(&one_line(symbol.signature()));
        }
        error = error.hint(hint);
    }
    match candidates.len().saturating_sub(CANDIDATES) {
        0 => error,
        more => error.hint(format!("{more} more: `lore show {text}` lists all")),
    }
}

fn unknown(graph: &CodeGraph, text: &str) -> OpError {
    let error = OpError::new(ErrorKind::NotFound, format!("unknown symbol or file: `{text}`"));
    let text = split_line(text).map_or(text, |(path, _)| path);
    let extension = |path: &str| path.rsplit_once('.').map(|(_, extension)| extension.to_owned());
    let looks_like_path = text.contains('/')
        || graph
            .files()
            .any(|file| file.path().ends_with(text) || extension(file.path()) == extension(text));
    let names: Vec<Cow<'_, str>> = if looks_like_path {
        let paths = || graph.files().map(File::path);
        let mut near: Vec<&str> = paths().filter(|path| path.ends_with(text)).take(SUGGESTIONS).collect();
        if near.is_empty() {
            near = nearest(text, paths(), SUGGESTIONS);
        }
        near.into_iter().map(Cow::Borrowed).collect()
    } else {
        let last = text.rsplit(['.', ':', '/', '\\']).next().unwrap_or(text);
        let qualifier = text[..text.len() - last.len()].trim_end_matches(['.', ':', '/', '\\']);
        let near = nearest(last, graph.names().map(|(name, _)| name), SUGGESTIONS);
        let mut symbols: Vec<Symbol<'_>> = near
            .into_iter()
            .flat_map(|name| graph.named(name))
            .map(|id| graph.symbol(id))
            .collect();
        // A symbol with the same qualifier is meant more often.
        symbols.sort_by_key(|symbol| qualifier.is_empty() || !symbol.qualified_name().contains(qualifier));
        symbols
            .into_iter()
            .map(|symbol| symbol.qualified_name())
            .take(SUGGESTIONS)
            .collect()
    };
    if let Some(skipped) = graph.skipped().find(|skipped| skipped.path == text) {
        return error.hint(format!("{} is left out: {}", skipped.path, skipped.reason));
    }
    if names.is_empty() {
        error.hint("`lore find TEXT` searches by part of a name")
    } else {
        error.hint(format!("did you mean {}?", names.join(", ")))
    }
}
