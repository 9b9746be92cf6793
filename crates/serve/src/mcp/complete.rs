//! Completions of arguments of prompts and resource templates, from the current index without a refresh, because clients request them at every keystroke.

use lore_ask::{PROMPTS, RESOURCE_TEMPLATES};
use lore_model::CodeGraph;
use lore_seam::{Completion, Ctx, GraphScope, OpError};
use rmcp::model::{CompleteResult, CompletionInfo, ErrorData, Reference};

/// Values in one answer; the protocol allows no more.
const MOST: usize = CompletionInfo::MAX_VALUES;

/// What an argument may be.
pub(super) fn meant(reference: &Reference, argument: &str) -> Option<Completion> {
    let found = match reference {
        Reference::Prompt(prompt) => {
            let prompt = PROMPTS
                .iter()
                .copied()
                .flatten()
                .find(|known| known.name == prompt.name)?;
            let argument = prompt.arguments.iter().find(|known| known.name == argument)?;
            argument.completion
        }
        Reference::Resource(resource) => {
            let is_meant = |uri: &str| uri == resource.uri;
            let template = RESOURCE_TEMPLATES
                .iter()
                .find(|known| is_meant(&known.uri_template()) && known.variable == argument)?;
            template.completion
        }
        _ => return None,
    };
    (found != Completion::None).then_some(found)
}

/// Values that begin with what was typed, in order, and how many there are.
pub(super) fn find(ctx: &Ctx, completion: Completion, begun: &str) -> Result<(Vec<String>, usize), OpError> {
    let scope = GraphScope {
        no_refresh: true,
        ..GraphScope::default()
    };
    let graph = || ctx.ports.code.graph(&scope, ctx.progress.as_ref(), &ctx.cancel);
    let mut found = match completion {
        Completion::Path => paths(&*graph()?, begun),
        Completion::Symbol => symbols(&*graph()?, begun),
        Completion::OneOf(words) => {
            let begun = words.iter().filter(|word| word.starts_with(begun));
            begun.map(|word| (*word).to_owned()).collect()
        }
        Completion::None => Vec::new(),
    };
    found.sort();
    found.dedup();
    let total = found.len();
    found.truncate(MOST);
    Ok((found, total))
}

fn paths(graph: &CodeGraph, begun: &str) -> Vec<String> {
    let paths = graph.files().map(|file| file.path());
    paths
        .filter(|path| path.starts_with(begun))
        .map(str::to_owned)
        .collect()
}

fn symbols(graph: &CodeGraph, begun: &str) -> Vec<String> {
    graph
        .symbols()
        .filter(|symbol| !symbol.is_anonymous())
        .filter(|symbol| symbol.qualified_name().starts_with(begun) || symbol.name().starts_with(begun))
        .map(|symbol| symbol.qualified_name().into_owned())
        .collect()
}

/// The answer.
pub(super) fn result(found: Result<(Vec<String>, usize), OpError>) -> Result<CompleteResult, ErrorData> {
    let (values, total) = found.map_err(|error| ErrorData::internal_error(error.message, None))?;
    let has_more = total > values.len();
    let info = CompletionInfo::with_pagination(values, u32::try_from(total).ok(), has_more);
    info.map(CompleteResult::new)
        .map_err(|error| ErrorData::internal_error(error.to_string(), None))
}

/// No values.
pub(super) fn nothing() -> CompleteResult {
    CompleteResult::default()
}
