//! A manifest on disk with changes, and files beside it: what `init`, `touch`, `sync` and `generate` end with.

use super::model::Manifest;
use crate::seam::{Ctx, ErrorKind, OpError};
use crate::yaml::Limits;
use crate::yaml::edit::{EditFault, Edits};

/// A change that could not be made, with its place.
pub(super) fn refused(path: &str, fault: &EditFault) -> OpError {
    let place = fault.at;
    OpError::new(
        ErrorKind::Invalid,
        format!("{path}:{}:{}: {}", place.line, place.column, fault.message),
    )
    .hint("nothing is written; change it by hand")
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

/// Writes the manifest with the changes, in one step, unless somebody changed it since it was read.
pub(super) fn rewrite(ctx: &Ctx, path: &str, manifest: &Manifest, edits: Edits<'_>) -> Result<(), OpError> {
    is_file(path)?;
    let text = edits.apply().map_err(|fault| refused(path, &fault))?;
    let there = ctx.ports.files.read(path, 4 * u64::from(Limits::default().bytes))?;
    let there = there.strip_prefix("\u{feff}".as_bytes()).unwrap_or(&there);
    if there != manifest.document.source().as_bytes() {
        let message = format!("{path} was changed in the meantime");
        return Err(OpError::new(ErrorKind::Unavailable, message).hint("ask again"));
    }
    write_files(ctx, &[(path.to_owned(), text)])
}

/// Writes files, all of them or none. A manifest says what agents may read, and files made of one tell agents what to do: whoever may not write them is told who does.
pub(super) fn write_files(ctx: &Ctx, files: &[(String, String)]) -> Result<(), OpError> {
    let paths: Vec<String> = files.iter().map(|(path, _)| path.clone()).collect();
    let written = ctx.ports.files.write_set(&paths, &mut |number, out| {
        let text = files.get(number).map_or("", |(_, text)| text.as_str());
        out.write_all(text.as_bytes()).map_err(OpError::from_write)
    });
    written.map(drop).map_err(|error| match error.kind {
        ErrorKind::Invalid => {
            error.hint("an agent may ask what would change (`check`, `dry_run`); a person writes it, on a command line")
        }
        _ => error,
    })
}
