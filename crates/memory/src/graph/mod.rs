//! Molecules, atoms and their changelog: what is known of areas of the code.

pub mod atoms;
pub mod changelog;
pub mod commit;
pub mod context;
pub mod dataset;
pub mod input;
pub mod molecules;
pub mod paths;
pub mod query;
pub mod relations;
pub mod renames;
pub mod repository_state;
pub mod staleness;
pub mod suggest;
#[cfg(test)]
pub(crate) mod testing;
mod text;
pub mod unmatched;

use crate::check::{id, required};
use crate::id::Id;
use crate::repository::project_here;
use crate::store::{Got, Reading};
use lore_seam::Ctx;

/// The project that is named, or the one of the repository around whoever asks.
pub fn project(ctx: &Ctx, store: &dyn Reading, operation: &str, given: Option<&str>) -> Got<Id> {
    let project = match given {
        Some(given) => id("projectId", given)?,
        None => required("projectId", operation, project_here(ctx, store)?)?,
    };
    molecules::check_project(store, project)?;
    Ok(project)
}
