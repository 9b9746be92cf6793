//! Layers 0 and 1: the manifest and the architecture, which together always fit into a reader's memory (clauses L0, L1, I4).
//!
//! Both are functions of the graph, the identity of the commit, the history of its files, and the texts of a few of them: package files, scripts and
//! READMEs.

mod architecture;
mod budget;
mod counts;
mod document;
mod hotspots;
mod links;
mod manifest;
mod patterns;
mod public_api;

use std::cell::RefCell;
use std::sync::Arc;

use lore_base::time::date_time;
use lore_model::CodeGraph;

use super::Identity;
use super::open::{Showing, Shown, analyzed_at, show};
use lore_base::scrub::Wording;
use lore_seam::{Ctx, ErrorKind, History, OpError, Scope};

pub(crate) use links::{BaseUrl, Packaging, file_stem, sparql_endpoint, stand_alone_name};
pub use links::{is_exported, is_unfinished, unfinished_name};
use lore_overview::{MAX_TEXT, about, entry_points, is_readme};

/// The JSON-LD context of every document.
const CONTEXT: &str = "https://codecontextgraph.com/schema/v1";

/// What whoever exports may say about a layer.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct LayerOptions {
    /// Where layers are published.
    pub(crate) base_url: Option<BaseUrl>,
    /// Where the dataset can be queried.
    pub(crate) sparql_endpoint: Option<String>,
    /// What is beside the manifest, where nothing is published.
    pub(crate) packaging: Packaging,
}

/// What the layers are made from.
pub(crate) struct Source<'a> {
    pub(crate) graph: &'a CodeGraph,
    /// Which commit it is of.
    pub(crate) identity: &'a Identity,
    /// When it was analysed, in seconds since 1970.
    pub(crate) analyzed_at: i64,
    /// The past of its files, which takes a while to look up.
    pub(crate) history: &'a dyn Fn() -> Option<Arc<History>>,
    /// The text of a file, if it can be had and is not too long.
    pub(crate) read: &'a dyn Fn(&str) -> Option<String>,
    /// A text as it may be shown.
    pub(crate) scrub: &'a dyn Fn(&str) -> String,
}

/// Layer 0.
pub(crate) fn manifest(source: &Source<'_>, options: &LayerOptions) -> Vec<u8> {
    let (symbols, complexity) = counts::symbols(source.graph);
    let history = (source.history)();
    let hotspots = hotspots::hotspots(source.graph, history.as_deref());
    let entry_points = entry_points(source.graph, &source.identity.name, source.read);
    let about = about(source.graph, &source.identity.name, source.read);
    let description = about.description.first().map(|told| (source.scrub)(&told.text));
    let facts = manifest::Facts {
        identity: source.identity,
        analyzed_at: date_time(source.analyzed_at),
        languages: counts::languages(source.graph),
        symbols,
        complexity,
        hotspots: hotspots.iter().map(|file| file.path).collect(),
        entry_points: &entry_points.found,
        description,
    };
    manifest::manifest(&facts, options)
}

/// Layer 1.
pub(crate) fn architecture(source: &Source<'_>) -> Vec<u8> {
    architecture::architecture(source, usize::MAX)
}

/// Layer 1, cut further than it is for everybody. Where not even its frame fits, it is longer than asked.
pub(crate) fn architecture_within(source: &Source<'_>, max_bytes: usize) -> Vec<u8> {
    architecture::architecture(source, max_bytes)
}

/// Makes a layer of the tree that a request means.
pub(crate) fn with_source<T>(
    ctx: &Ctx,
    scope: &Scope,
    now: bool,
    showing: &Showing,
    make: impl FnOnce(&Source<'_>) -> T,
) -> Result<T, OpError> {
    with_shown(ctx, &show(ctx, scope, showing)?, now, make)
}

/// Makes a layer of a tree as it is shown.
pub(crate) fn with_shown<T>(
    ctx: &Ctx,
    shown: &Shown,
    now: bool,
    make: impl FnOnce(&Source<'_>) -> T,
) -> Result<T, OpError> {
    let Shown {
        graph,
        scope: graph_scope,
        scrubber,
    } = shown;
    let identity = Identity::of(&ctx.ports.code.origin(graph_scope)?, graph);
    let fault = RefCell::new(None);
    let history = || {
        let history = ctx.ports.code.history(graph_scope, ctx.progress.as_ref(), &ctx.cancel);
        history.unwrap_or_else(|error| {
            *fault.borrow_mut() = Some(error);
            None
        })
    };
    // A file of the working tree that cannot be read says nothing: a package file may be a dangling link, and the layer is no worse
    // for it. A file of a revision that cannot be read makes the revision unreadable.
    let read = |path: &str| {
        let content = match ctx.ports.code.read(graph_scope, path) {
            Ok(content) => content,
            Err(error) => {
                if graph_scope.revision.is_some() && error.kind == ErrorKind::Unavailable {
                    fault.borrow_mut().get_or_insert(error);
                }
                return None;
            }
        };
        let text = (content.len() <= MAX_TEXT).then(|| String::from_utf8_lossy(&content).into_owned())?;
        // Sentences of READMEs become part of a layer as they are read; what package files say is scrubbed when it does.
        match scrubber {
            Some(scrubber) if is_readme(path) => Some(scrubber.clone().scrub(&text, Wording::Prose).into_owned()),
            _ => Some(text),
        }
    };
    let scrub = |text: &str| match scrubber {
        Some(scrubber) => scrubber.clone().scrub(text, Wording::Prose).into_owned(),
        None => text.to_owned(),
    };
    let made = make(&Source {
        graph,
        identity: &identity,
        analyzed_at: analyzed_at(ctx, &identity, now),
        history: &history,
        read: &read,
        scrub: &scrub,
    });
    match fault.into_inner() {
        Some(error) => Err(error),
        None => Ok(made),
    }
}

#[cfg(test)]
mod tests;
