//! `query_graph`: all reads.

use serde_json::Value as Json;

use super::{Answered, request, tool};
use crate::check::{self, choice, count, invalid, required, word};
use crate::envelope::ToolAnswer;
use crate::graph::context::{Asked, context};
use crate::graph::project;
use crate::graph::query::{self, Search};
use crate::limits;
use crate::model::ParentType;
use crate::store::{Got, reading};
use lore_seam::Ctx;

request! {
    /// Read knowledge about the code: context before editing files, search by words, get one
    QueryGraphRequest {
        needs {
            /// get, search, context
            operation: String,
        }
        takes {
            /// atom, molecule
            entity_type: Option<String>,
            /// For get
            id: Option<String>,
            /// [this repository's]
            project_id: Option<String>,
            /// Paths for context: a,b or a JSON array
            #[schemars(extend("x-agents-type" = "string"))]
            paths: Option<Json>,
            /// Words in name or knowledge
            query: Option<String>,
            /// Only atoms of this molecule
            molecule_id: Option<String>,
            /// Only atoms without molecule
            #[schemars(extend("x-agents" = "omit"))]
            orphans_only: Option<bool>,
            /// [true]
            #[schemars(extend("x-agents" = "omit"))]
            include_changelog: Option<bool>,
            /// Without it 5
            #[schemars(extend("x-agents" = "omit"))]
            changelog_limit: Option<i64>,
            /// Without it 20
            limit: Option<i64>,
            /// Without it 0
            #[schemars(extend("x-agents" = "omit"))]
            offset: Option<i64>,
        }
    }
}

tool!(QueryGraph(QueryGraphRequest) "query_graph" Read query);

fn query(ctx: &Ctx, request: &QueryGraphRequest) -> Answered {
    let changelog = match request.include_changelog {
        Some(false) => None,
        _ => Some(count(
            "changelogLimit",
            request.changelog_limit,
            limits::DEFAULT_CHANGELOG,
        )?),
    };
    match choice("operation", &request.operation, &["get", "search", "context"])? {
        "get" => get(ctx, request, changelog),
        "search" => search(ctx, request, changelog),
        _ => {
            let paths = required("paths", "context", request.paths.as_ref().filter(|it| !it.is_null()))?;
            let paths = paths_of(paths)?;
            let told = reading(ctx, |store| {
                let project = project(ctx, store, "context", request.project_id.as_deref())?;
                let asked = Asked {
                    project,
                    paths: paths.clone(),
                    changelog,
                };
                context(ctx, store, &asked)
            })?;
            ToolAnswer::answer("Graph context retrieved", told)
        }
    }
}

fn get(ctx: &Ctx, request: &QueryGraphRequest, changelog: Option<u32>) -> Answered {
    let id = required("id", "get", request.id.as_deref())?;
    let kind: ParentType = word(
        "entityType",
        required("entityType", "get", request.entity_type.as_deref())?,
    )?;
    let id = check::id("id", id)?;
    match kind {
        ParentType::Atom => {
            let atom = reading(ctx, |store| query::atom(store, id, changelog))?;
            ToolAnswer::answer("Atom retrieved successfully", atom)
        }
        ParentType::Molecule => {
            let molecule = reading(ctx, |store| query::molecule(store, id, changelog))?;
            ToolAnswer::answer("Molecule retrieved successfully", molecule)
        }
    }
}

fn search(ctx: &Ctx, request: &QueryGraphRequest, changelog: Option<u32>) -> Answered {
    let kind: ParentType = word(
        "entityType",
        required("entityType", "search", request.entity_type.as_deref())?,
    )?;
    let (limit, offset) = check::page(request.limit, request.offset)?;
    let molecule = check::optional_id("moleculeId", request.molecule_id.as_deref())?;
    let search = |project| Search {
        project,
        query: request.query.clone().unwrap_or_default(),
        molecule,
        orphans_only: request.orphans_only.unwrap_or(false),
        limit,
        offset,
        changelog,
    };
    let named = request.project_id.as_deref();
    match kind {
        ParentType::Atom => {
            let found = reading(ctx, |store| {
                query::atoms(store, &search(project(ctx, store, "search", named)?))
            })?;
            ToolAnswer::answer(format!("Found {} atom(s)", found.count), found)
        }
        ParentType::Molecule => {
            let found = reading(ctx, |store| {
                query::molecules(store, &search(project(ctx, store, "search", named)?))
            })?;
            ToolAnswer::answer(format!("Found {} molecule(s)", found.count), found)
        }
    }
}

/// The paths of an argument: a JSON array, as such or in a text, or a text with commas between them.
pub(crate) fn paths_of(given: &Json) -> Got<Vec<String>> {
    let texts: Vec<Json> = match given {
        Json::Array(items) => items.clone(),
        Json::String(text) => match serde_json::from_str::<Vec<Json>>(text) {
            Ok(items) => items,
            Err(_) => text.split(',').map(Json::from).collect(),
        },
        _ => {
            return Err(invalid(
                "paths",
                "`paths` is a list of paths separated by commas, or a JSON array",
            ));
        }
    };
    let mut paths = Vec::new();
    for (at, item) in texts.iter().enumerate() {
        let field = format!("paths[{at}]");
        let Json::String(path) = item else {
            let shown = lore_model::truncate_chars(&item.to_string(), 60);
            return Err(invalid(&field, format!("`{field}` is a path, not {shown}")));
        };
        let path = check::chars(&field, path.trim(), limits::PATH_CHARS)?;
        if !path.is_empty() {
            paths.push(path.to_owned());
        }
    }
    match paths.len() {
        0 => Err(invalid("paths", "`paths` is empty").said("No valid file paths provided")),
        many if many > limits::CONTEXT_PATHS => Err(invalid(
            "paths",
            format!("`paths` has {many} paths; the limit is {}", limits::CONTEXT_PATHS),
        )),
        _ => Ok(paths),
    }
}
