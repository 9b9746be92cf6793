//! A tree to compare or check: the working tree, a revision, or a published graph.

use std::sync::{Arc, Mutex, PoisonError};

use lore_model::CodeGraph;
use oxrdf::Quad;

use super::inventory::Inventory;
use crate::Identity;
use crate::bundle::Part;
use crate::identity::{REPOSITORIES, decode};
use crate::source::{CcgSource, Extent};
use lore_seam::{Ctx, ErrorKind, GraphScope, OpError, PathKind, Scope};

/// A tree that can be read.
pub struct Side(Kind);

enum Kind {
    /// Files that are indexed.
    Tree {
        scope: GraphScope,
        graph: Arc<CodeGraph>,
        identity: Box<Identity>,
        /// The first file of a revision that could not be read.
        fault: Mutex<Option<OpError>>,
    },
    /// A bundle, a directory of layers, or a registry.
    Layers(CcgSource),
}

impl Side {
    /// Opens what a text names: nothing or `.` is the working tree; a bundle, a directory of layers or an address is a published graph; everything
    /// else is a revision that git knows.
    pub fn open(ctx: &Ctx, text: Option<&str>) -> Result<Self, OpError> {
        let text = text.filter(|text| *text != ".");
        if let Some(text) = text
            && let Some(source) = open_layers(ctx, text)?
        {
            return Ok(Self(Kind::Layers(source)));
        }
        let scope = GraphScope {
            revision: text.map(str::to_owned),
            ..GraphScope::default()
        };
        let code = &ctx.ports.code;
        let graph = code
            .graph(&scope, ctx.progress.as_ref(), &ctx.cancel)
            .map_err(|error| match text {
                Some(_) => for_sides(error),
                None => error,
            })?;
        let identity = Box::new(Identity::of(&code.origin(&scope)?, &graph));
        let fault = Mutex::default();
        Ok(Self(Kind::Tree {
            scope,
            graph,
            identity,
            fault,
        }))
    }

    /// What there is to compare and to check.
    pub fn inventory<'a>(&'a self, ctx: &'a Ctx) -> Result<Inventory<'a>, OpError> {
        match &self.0 {
            Kind::Tree {
                scope,
                graph,
                identity,
                fault,
            } => {
                let read = move |path: &str| {
                    let content = ctx.ports.code.read(scope, path);
                    if let Err(error) = &content
                        && scope.revision.is_some()
                        && error.kind != ErrorKind::Refused
                    {
                        let mut fault = fault.lock().unwrap_or_else(PoisonError::into_inner);
                        fault.get_or_insert_with(|| error.clone());
                    }
                    content.ok()
                };
                Ok(Inventory::of_graph(identity.ccg_name(), graph, read))
            }
            Kind::Layers(source) => of_source(ctx, source),
        }
    }

    /// An error if a file of a revision could not be read while its inventory was used: what was compared was not the revision.
    pub fn check(&self) -> Result<(), OpError> {
        let Kind::Tree { fault, .. } = &self.0 else {
            return Ok(());
        };
        let fault = fault.lock().unwrap_or_else(PoisonError::into_inner).take();
        fault.map_or(Ok(()), Err)
    }
}

/// The failure to read a revision, with what can be done where a tree is one of two.
fn for_sides(mut error: OpError) -> OpError {
    if error.kind != ErrorKind::Cancelled {
        // A side is not an option that could be left out.
        error.hints.retain(|hint| !hint.contains("--at"));
        error = error.hint(
            "bundles and directories of layers can be compared without git: lore ccg diff old.ccg.zip new.ccg.zip",
        );
    }
    error
}

/// The graph that a text names; nothing if it names none.
fn open_layers(ctx: &Ctx, text: &str) -> Result<Option<CcgSource>, OpError> {
    let open = || CcgSource::open(ctx, Some(text), &Scope::default()).map_err(OpError::from);
    match ctx.ports.files.kind(text) {
        _ if text.contains("://") => open().map(Some),
        Some(PathKind::File) => open().map(Some),
        // A directory may have the name of a branch, or be one of the repository itself.
        Some(PathKind::Directory) => match open() {
            Err(error) if error.kind == ErrorKind::NotFound => Ok(None),
            opened => opened.map(Some),
        },
        None => Ok(None),
    }
}

fn of_source(ctx: &Ctx, source: &CcgSource) -> Result<Inventory<'static>, OpError> {
    if source.extent() == Extent::Diff {
        let message = format!("{} is a diff document, not a tree", source.name());
        return Err(OpError::new(ErrorKind::Invalid, message).hint("`lore ccg verify` checks a tree against one"));
    }
    let architecture = match source.part(ctx, Part::Architecture)? {
        Some(_) => source.architecture(ctx)?,
        None => serde_json::Value::Null,
    };
    let content = match source.part(ctx, Part::FullDetail)? {
        Some(content) => Some(content),
        None => source.part(ctx, Part::SymbolIndex)?,
    };
    let Some(content) = content else {
        let message = format!("{} has no symbols", source.name());
        return Err(OpError::new(ErrorKind::Invalid, message).hint(
            "the layers symbol-index.nq.gz and full-detail.nq.gz have symbols; `lore ccg bundle` writes all layers",
        ));
    };
    let mut base = match source.part(ctx, Part::Manifest)? {
        Some(_) => source.manifest(ctx)?["@id"].as_str().and_then(ccg_name),
        None => None,
    };
    let mut fault = None;
    let quads = content.quads()?.map_while(|line| match line {
        Ok(line) => Some(line.quad),
        Err(error) => {
            fault = Some(format!("{}:{error}", content.place));
            None
        }
    });
    let quads = quads.inspect(|quad| {
        if base.is_none() {
            base = subject_name(quad);
        }
    });
    let mut inventory = Inventory::of_layers(source.name(), &architecture, quads);
    if let Some(fault) = fault {
        return Err(OpError::new(ErrorKind::Unavailable, fault).hint("`lore ccg validate` reports all faults"));
    }
    if let Some(base) = base {
        inventory.name = base;
    }
    Ok(inventory)
}

/// The name that a diff gives to a commit, from the commit's IRI.
fn ccg_name(iri: &str) -> Option<String> {
    let rest = decode(iri.strip_prefix(REPOSITORIES)?)?;
    Some(format!("ccg:{rest}"))
}

/// The name of the commit that a statement is about.
fn subject_name(quad: &Quad) -> Option<String> {
    let subject = quad.subject.to_string();
    let iri = subject.trim_start_matches('<').trim_end_matches('>');
    let (base, _) = iri.split_once("/file/")?;
    ccg_name(base)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn d1_without_git_bundles_are_suggested() {
        let error = OpError::new(ErrorKind::Unavailable, "this is not in a git repository")
            .hint("leave out --at to ask the files as they are")
            .hint("a branch");
        let hints = for_sides(error).hints;
        assert_eq!(hints[0], "a branch");
        assert!(hints[1].starts_with("bundles and directories of layers can be compared without git"));
        assert_eq!(hints.len(), 2);
    }
}
