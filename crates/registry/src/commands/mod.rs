//! The operations on a registry, except `render` (section 3; clauses A9, S8, S10, V3; ruling 7).
//!
//! Each file holds the operations of one command. Every change of state adds a row to the audit log, and every change of an
//! entry an event.

mod add;
mod format;
mod import;
mod init;
mod issue_form;
mod list;
mod remove;
mod revoke;
mod show;
mod sync;
#[cfg(test)]
mod testing;
mod verify;

use lore_ckgp::registry_store::store::Registry;

pub use self::add::{AddedEntry, RegistryAdd, RegistryAddAnswer, RegistryAddRequest};
pub use self::format::{
    FormatAnswer, ListedFormat, RegistryFormatAdd, RegistryFormatAddRequest, RegistryFormatDeprecate,
    RegistryFormatDeprecateRequest, RegistryFormatList, RegistryFormatListAnswer, RegistryFormatListRequest,
    RegistryFormatRemove, RegistryFormatRemoveRequest,
};
pub use self::import::{RegistryImport, RegistryImportAnswer, RegistryImportRequest};
pub use self::init::{RegistryInit, RegistryInitAnswer, RegistryInitRequest};
pub use self::list::{ListedEntry, RegistryList, RegistryListAnswer, RegistryListRequest};
pub use self::remove::{RegistryRemove, RegistryRemoveAnswer, RegistryRemoveRequest};
pub use self::revoke::{RegistryRevoke, RegistryRevokeAnswer, RegistryRevokeRequest};
pub use self::show::{RegistryShow, RegistryShowAnswer, RegistryShowRequest, ShownGraph, ShownRevocation, ShownVisit};
pub use self::sync::{RegistrySync, RegistrySyncRequest};
pub use self::verify::{
    CheckedBodies, CheckedDocument, Finding, RegistryVerify, RegistryVerifyAnswer, RegistryVerifyRequest,
};

use super::sweep;
use super::visit::Rules;
use lore_ckgp::forge::{GraphId, RepositoryId};
use lore_ckgp::format::FormatId;
use lore_ckgp::registry_store::entry::{Entry, Seconds};
use lore_ckgp::registry_store::local_repositories::{LocalRepositories, is_directory_name};
use lore_ckgp::registry_store::similar_ids::similar_ids;
use lore_ckgp::registry_store::store::{About, AuditRow, Got, Reading, Writing, reading, unregistered};
use lore_seam::{Ctx, ErrorKind, OpError};

/// The facts about the registry, or the error that there is none.
pub fn about(store: &dyn Reading) -> Got<About> {
    store.about()?.ok_or_else(|| {
        OpError::new(ErrorKind::NotFound, "there is no registry yet").hint("`lore registry init --name NAME` makes one")
    })
}

/// By what the registry visits, if there is one.
pub fn rules(ctx: &Ctx) -> Result<Rules, OpError> {
    reading(ctx.port::<dyn Registry>(), |store| about(store).map(|_| ()))?;
    crate::sync::rules(ctx)
}

/// The time.
fn now(ctx: &Ctx) -> Seconds {
    Seconds::try_from(ctx.ports.clock.now_ms() / 1_000).unwrap_or(Seconds::MAX)
}

/// The entry of a repository, or that it is not registered, with the ids that may be meant.
fn entry_of(store: &dyn Reading, repository: &RepositoryId) -> Got<Entry> {
    if let Some(entry) = store.entry(repository)? {
        return Ok(entry);
    }
    let error = unregistered(repository);
    Err(match similar_ids(store, repository)?.as_slice() {
        [] => error.hint(format!("`lore registry add {repository}` registers it")),
        near => error.hint(format!("similar ids: {}", near.join(", "))),
    })
}

/// The repository that an argument names: by its id, its address, or the directory of a local one.
fn repository(ctx: &Ctx, text: &str) -> Result<RepositoryId, OpError> {
    if is_directory_name(text) {
        return directory(ctx, text).map(|path| RepositoryId::local(&path));
    }
    Ok(RepositoryId::parse(text)?)
}

/// The absolute path of a directory that an argument names.
fn directory(ctx: &Ctx, text: &str) -> Result<String, OpError> {
    ctx.port::<dyn LocalRepositories>().resolve(text.trim())
}

fn graph_id(ctx: &Ctx, text: &str) -> Result<GraphId, OpError> {
    if is_directory_name(text) {
        return Ok(GraphId {
            repository: repository(ctx, text)?,
            format: None,
        });
    }
    Ok(GraphId::parse(text)?)
}

fn format_id(text: &str) -> Result<FormatId, OpError> {
    FormatId::from_argument(text)
}

/// Says in the audit what was done (clause S8).
fn audit(store: &mut dyn Writing, at: Seconds, action: &str, subject: &str, detail: Option<String>) -> Got<()> {
    store.add_audit(&AuditRow {
        at,
        action: action.to_owned(),
        subject: subject.to_owned(),
        detail,
    })
}

/// Deletes those bodies that no graph holds any more; how many there were.
fn drop_unheld(ctx: &Ctx, digests: &[String]) -> Result<u64, OpError> {
    sweep::drop_unheld(ctx, digests).map_err(|error| {
        let message = format!(
            "the bodies {} are no longer served, but could not all be deleted: {error}",
            digests.join(", ")
        );
        OpError::new(ErrorKind::Unavailable, message)
            .hint("delete the files with these names, or run `lore registry sync --sweep` in an hour")
            .because(error)
    })
}
