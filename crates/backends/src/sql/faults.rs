//! What a database says, as people are told it.

use lore_memory::check::refused;
use lore_memory::envelope::code;
use lore_seam::{ErrorKind, OpError};
use rusqlite::{Error, ErrorCode, ffi};

/// The failure of a statement.
pub(super) fn fault(error: Error) -> OpError {
    let unavailable = |message: String| OpError::new(ErrorKind::Unavailable, message);
    let told = error.to_string();
    let Some(failure) = error.sqlite_error().copied() else {
        return match error {
            Error::InvalidColumnType(..) | Error::FromSqlConversionFailure(..) | Error::IntegralValueOutOfRange(..) => {
                unavailable(format!("the store holds what Lore did not write: {told}")).hint("`lore doctor` says more")
            }
            _ => OpError::new(ErrorKind::Internal, format!("the store was asked wrongly: {told}")),
        };
    };
    match failure.code {
        ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked => {
            unavailable("another process holds the store".to_owned()).hint("try again in a moment")
        }
        ErrorCode::DiskFull => {
            unavailable("the disk is full; nothing was written".to_owned()).hint("make room, then try again")
        }
        ErrorCode::ReadOnly | ErrorCode::PermissionDenied => {
            unavailable(format!("the store cannot be written: {told}"))
                .hint("look at the rights of the file and of its directory, or name another one with --db")
        }
        ErrorCode::CannotOpen => unavailable(format!("the store cannot be opened: {told}"))
            .hint("look at the rights of the file and of its directory, or name another one with --db"),
        ErrorCode::NotADatabase => unavailable("the store is no database of SQLite".to_owned())
            .hint("move the file away, or name another one with --db"),
        ErrorCode::DatabaseCorrupt => unavailable(format!("the store is damaged: {told}"))
            .hint("`lore doctor` says more; a backup or an export can be imported into a new one"),
        ErrorCode::SystemIoFailure => {
            unavailable(format!("the store cannot be read or written: {told}")).hint("`lore doctor` says more")
        }
        ErrorCode::OutOfMemory | ErrorCode::TooBig => unavailable(format!("the store cannot hold this: {told}")),
        ErrorCode::ConstraintViolation => match failure.extended_code {
            ffi::SQLITE_CONSTRAINT_FOREIGNKEY => {
                refused(code::INVARIANT_VIOLATION, "it names something that does not exist")
            }
            ffi::SQLITE_CONSTRAINT_UNIQUE | ffi::SQLITE_CONSTRAINT_PRIMARYKEY => {
                refused(code::CONFLICT, format!("it exists already: {told}"))
            }
            _ => OpError::new(ErrorKind::Internal, format!("the store refuses it: {told}")),
        },
        _ => OpError::new(ErrorKind::Internal, format!("the store was asked wrongly: {told}")),
    }
}

/// Whether somebody else was faster, so that the work can be tried again.
pub(super) fn is_busy(error: &Error) -> bool {
    let code = error.sqlite_error_code();
    matches!(code, Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked))
}
