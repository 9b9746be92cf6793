//! A manifest on disk with changes, and files beside it: what `init`, `touch`, `sync` and `generate` end with.

use super::model::Manifest;
use super::open::directory;
use lore_base::yaml::Limits;
use lore_base::yaml::edit::{EditFault, Edits};
use lore_seam::{Ctx, ErrorKind, OpError};

/// A change that could not be made, with its place.
pub(super) fn refused(path: &str, fault: &EditFault) -> OpError {
    let place = fault.at;
    OpError::new(
        ErrorKind::Invalid,
        format!("{path}:{}:{}: {}", place.line, place.column, fault.message),
    )
    .hint("nothing is written; change the manifest by hand")
}

/// Whether a manifest can be written where it was read from.
pub(super) fn is_file(path: &str) -> Result<(), OpError> {
    match path {
        "-" => Err(OpError::new(
            ErrorKind::Invalid,
            "a manifest from standard input cannot be changed",
        )),
        _ => Ok(()),
    }
}

/// The error of a command that lost to other writers.
pub(super) fn changed(path: &str) -> OpError {
    let message = format!("{path} was changed during the operation");
    OpError::new(ErrorKind::Unavailable, message).hint("run the command again")
}

/// Writes the manifest with the changes, in one step. Writes nothing and returns `false` if another writer changed the manifest
/// since it was read.
pub(super) fn rewrite(ctx: &Ctx, path: &str, manifest: &Manifest, edits: Edits<'_>) -> Result<bool, OpError> {
    is_file(path)?;
    let text = edits.apply().map_err(|fault| refused(path, &fault))?;
    let there = ctx.ports.files.read(path, 4 * u64::from(Limits::default().bytes))?;
    let mark = "\u{feff}".as_bytes();
    if there.strip_prefix(mark).unwrap_or(&there) != manifest.document.source().as_bytes() {
        return Ok(false);
    }
    stays_below(ctx, directory(path).unwrap_or_default(), &[path.to_owned()])?;
    ctx.ports
        .files
        .replace(path, &there, text.as_bytes())
        .map_err(for_people)
}

/// Whether a path without links is below another one.
fn is_below(path: &str, directory: &str) -> bool {
    matches!(directory, "" | "." | "/")
        || path
            .strip_prefix(directory.trim_end_matches('/'))
            .is_some_and(|rest| rest.starts_with('/'))
}

/// Writes files, all of them or none. Manifests and generated files control agents, so agents may not write them. The error explains who may.
/// No link leads out of the directory that they belong to.
pub(super) fn write_files(ctx: &Ctx, base: &str, files: &[(String, String)]) -> Result<(), OpError> {
    let paths: Vec<String> = files.iter().map(|(path, _)| path.clone()).collect();
    stays_below(ctx, base, &paths)?;
    let written = ctx.ports.files.write_set(&paths, &mut |number, out| {
        let text = files.get(number).map_or("", |(_, text)| text.as_str());
        out.write_all(text.as_bytes()).map_err(OpError::from_write)
    });
    written.map(drop).map_err(for_people)
}

/// Adds a hint for callers that may not write.
fn for_people(error: OpError) -> OpError {
    match error.kind {
        ErrorKind::Invalid => error
            .hint("an agent may ask what would change (`check`, `dry_run`); a person writes it, on the command line"),
        _ => error,
    }
}

/// Whether no link leads from one of the paths out of the directory that they belong to.
fn stays_below(ctx: &Ctx, base: &str, paths: &[String]) -> Result<(), OpError> {
    let places = &ctx.ports.files;
    let base = places.settle(if base.is_empty() { "." } else { base }).ok();
    for path in paths {
        // A symbolic link in a foreign repository may lead to any file of the user.
        let target = places.settle(path)?;
        if base.as_ref().is_some_and(|base| !is_below(&target.path, &base.path)) {
            let message = format!("{path} leads out of its directory, to {}", target.path);
            return Err(OpError::new(ErrorKind::Invalid, message).hint("nothing is written; remove the link"));
        }
    }
    Ok(())
}
