//! The errors of SQLite as errors of Lore: kind, message and hint, with the error itself as the cause.

use lore_memory::check::refused;
use lore_memory::envelope::code;
use lore_seam::{ErrorKind, OpError};
use rusqlite::{Error, ErrorCode, ffi};

const CHECK_PERMISSIONS: &str = "check the permissions of the file and its directory, or choose another file with --db";
const RUN_DOCTOR: &str = "run `lore doctor` for details";

/// The error for a failed statement.
pub(super) fn fault(error: Error) -> OpError {
    let text = error.to_string();
    let unavailable = |message: &str| OpError::new(ErrorKind::Unavailable, message);
    let with_text = |message: &str| OpError::new(ErrorKind::Unavailable, format!("{message}: {text}"));
    let internal = |message: &str| OpError::new(ErrorKind::Internal, format!("{message}: {text}"));
    let invalid_statement = || internal("an SQL statement of Lore is invalid");
    let converted = match error.sqlite_error() {
        None => match error {
            Error::InvalidColumnType(..) | Error::FromSqlConversionFailure(..) | Error::IntegralValueOutOfRange(..) => {
                with_text("the store has a value that Lore did not write").hint(RUN_DOCTOR)
            }
            _ => invalid_statement(),
        },
        Some(failure) => match failure.code {
            ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked => {
                unavailable("another process has locked the store").hint("try again in a moment")
            }
            ErrorCode::DiskFull => {
                unavailable("the disk is full; nothing was written").hint("free space on the disk, then try again")
            }
            ErrorCode::ReadOnly | ErrorCode::PermissionDenied => {
                with_text("the store cannot be written").hint(CHECK_PERMISSIONS)
            }
            ErrorCode::CannotOpen => with_text("the store cannot be opened").hint(CHECK_PERMISSIONS),
            ErrorCode::NotADatabase => unavailable("the store is not an SQLite database")
                .hint("move the file away, or choose another one with --db"),
            ErrorCode::DatabaseCorrupt => with_text("the store is damaged")
                .hint("run `lore doctor` for details; import a backup or an export into a new store"),
            ErrorCode::SystemIoFailure => with_text("the store cannot be read or written").hint(RUN_DOCTOR),
            ErrorCode::OutOfMemory | ErrorCode::TooBig => with_text("the value is too large for the store"),
            ErrorCode::ConstraintViolation => match failure.extended_code {
                ffi::SQLITE_CONSTRAINT_FOREIGNKEY => {
                    refused(code::INVARIANT_VIOLATION, "it refers to something that does not exist")
                }
                ffi::SQLITE_CONSTRAINT_UNIQUE | ffi::SQLITE_CONSTRAINT_PRIMARYKEY => {
                    refused(code::CONFLICT, format!("it exists already: {text}"))
                }
                _ => internal("a constraint of the store is violated"),
            },
            _ => invalid_statement(),
        },
    };
    converted.because(error)
}

/// Whether another process holds a lock, so that the work can be tried again.
pub(super) fn is_busy(error: &Error) -> bool {
    let code = error.sqlite_error_code();
    matches!(code, Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked))
}
