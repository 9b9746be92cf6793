//! `lore memory search`.

use clap::Args;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;

use super::choose::project_or_own;
use super::{Answered, TextAnswer, command, found_or_no};
use crate::check;
use crate::graph::query::{self, Search};
use crate::limits;
use crate::store::reading;
use lore_seam::Ctx;

/// Search names and knowledge of molecules and atoms
///
/// Each word and each "phrase" must occur. The answer is no if nothing is found.
#[derive(Args, Deserialize, JsonSchema, Clone, Debug, Default)]
#[command(after_help = "Examples:
  lore memory search webhook idempotent
  lore memory search '\"event sourcing\"'")]
#[serde(default)]
pub struct MemorySearchRequest {
    /// The words
    #[arg(required = true)]
    pub words: Vec<String>,
    /// At most this many of each kind
    #[arg(long, value_name = "N", default_value_t = 20)]
    #[serde(default = "twenty")]
    pub limit: i64,
    /// The project, by id or name [default: the project of this repository]
    #[arg(long, value_name = "ID|NAME")]
    pub project: Option<String>,
}

fn twenty() -> i64 {
    20
}

command!(MemorySearch(MemorySearchRequest) ["memory", "search"], Read Value search);

fn search(ctx: &Ctx, request: &MemorySearchRequest) -> Answered {
    let limit = check::count("limit", Some(request.limit), limits::DEFAULT_PAGE)?;
    let (molecules, atoms) = reading(ctx, |store| {
        let search = Search {
            project: project_or_own(ctx, store, request.project.as_deref())?,
            query: request.words.join(" "),
            molecule: None,
            orphans_only: false,
            limit,
            offset: 0,
            changelog: None,
        };
        Ok((query::molecules(store, &search)?, query::atoms(store, &search)?))
    })?;
    let mut answer = TextAnswer::of(json!({ "molecules": molecules, "atoms": atoms }));
    for molecule in &molecules.items {
        answer = answer.line(format!(
            "{}  {} (molecule)",
            molecule.value.id.short(),
            molecule.value.name
        ));
    }
    answer = answer.each(atoms.items.iter().map(|atom| TextAnswer::atom_line(&atom.value)));
    if molecules.has_more || atoms.has_more {
        answer = answer.line("There are more: --limit N shows them.");
    }
    let is_found = molecules.count + atoms.count > 0;
    if !is_found {
        answer = answer.line("Nothing was found.");
    }
    Ok(found_or_no(is_found, answer))
}
