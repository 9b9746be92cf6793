//! The error type that crosses the seam.

use std::error::Error;
use std::fmt;

use lore_model::Cause;

/// The category of an error. Surfaces map it to an exit code or a status.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ErrorKind {
    /// The requested thing does not exist: the answer is no.
    NotFound,
    /// The given name means several things, and the hints list them: the answer is no.
    Ambiguous,
    /// The caller is not permitted, or the current state does not allow it: the answer is no.
    Refused,
    /// The request is malformed or contradictory.
    Invalid,
    /// An input or a store cannot be read or written.
    Unavailable,
    /// The request was cancelled.
    Cancelled,
    /// The reader closed the output (a broken pipe). This is not a failure.
    Closed,
    /// A defect of Lore.
    Internal,
}

impl ErrorKind {
    /// The name of the kind in JSON: snake case.
    pub fn name(self) -> &'static str {
        match self {
            Self::NotFound => "not_found",
            Self::Ambiguous => "ambiguous",
            Self::Refused => "refused",
            Self::Invalid => "invalid",
            Self::Unavailable => "unavailable",
            Self::Cancelled => "cancelled",
            Self::Closed => "closed",
            Self::Internal => "internal",
        }
    }

    /// The exit code of the process: 1 if the answer is no, 2 if the question could not be answered. A closed output is
    /// 0.
    pub fn exit_code(self) -> u8 {
        match self {
            Self::Closed => 0,
            Self::NotFound | Self::Ambiguous | Self::Refused => 1,
            Self::Invalid | Self::Unavailable | Self::Cancelled | Self::Internal => 2,
        }
    }
}

/// Error codes that the envelope of a specification defines. The list is closed: an envelope has no other codes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FailureCode {
    /// The input is invalid.
    ValidationError,
    /// The named thing does not exist.
    NotFound,
    /// Another writer changed the record in the meantime (optimistic locking), or the position is taken.
    Conflict,
    /// The change would violate an invariant.
    InvariantViolation,
    /// The current state does not allow the operation.
    InvalidOperation,
    /// A dependency must be completed first.
    Blocked,
    /// The record still has children.
    HasChildren,
    /// The name is taken.
    DuplicateName,
    /// The template must not be changed or deleted.
    ProtectedTemplate,
    /// The template is disabled and cannot be applied.
    TemplateDisabled,
    /// The template is for another entity type.
    EntityTypeMismatch,
    /// The change would create a dependency cycle.
    CircularDependency,
    /// The store is not available now.
    Unavailable,
    /// A defect of Lore.
    InternalError,
}

impl FailureCode {
    /// All codes.
    pub const ALL: &[Self] = &[
        Self::ValidationError,
        Self::NotFound,
        Self::Conflict,
        Self::InvariantViolation,
        Self::InvalidOperation,
        Self::Blocked,
        Self::HasChildren,
        Self::DuplicateName,
        Self::ProtectedTemplate,
        Self::TemplateDisabled,
        Self::EntityTypeMismatch,
        Self::CircularDependency,
        Self::Unavailable,
        Self::InternalError,
    ];

    /// The code as the specification writes it.
    pub fn name(self) -> &'static str {
        match self {
            Self::ValidationError => "VALIDATION_ERROR",
            Self::NotFound => "NOT_FOUND",
            Self::Conflict => "CONFLICT",
            Self::InvariantViolation => "INVARIANT_VIOLATION",
            Self::InvalidOperation => "INVALID_OPERATION",
            Self::Blocked => "BLOCKED",
            Self::HasChildren => "HAS_CHILDREN",
            Self::DuplicateName => "DUPLICATE_NAME",
            Self::ProtectedTemplate => "PROTECTED_TEMPLATE",
            Self::TemplateDisabled => "TEMPLATE_DISABLED",
            Self::EntityTypeMismatch => "ENTITY_TYPE_MISMATCH",
            Self::CircularDependency => "CIRCULAR_DEPENDENCY",
            Self::Unavailable => "UNAVAILABLE",
            Self::InternalError => "INTERNAL_ERROR",
        }
    }
}

/// Why there is no answer: what failed, where, and what to do.
///
/// Messages and hints are in lower case and have no full stop. Put advice into a hint and never into the message.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct OpError {
    /// The category.
    pub kind: ErrorKind,
    /// What failed and where: lower case, no full stop.
    pub message: String,
    /// What the user can do.
    pub hints: Vec<String>,
    /// Additional data for the envelope of a specification.
    pub detail: Option<Box<Detail>>,
    /// The error that led to this one. Surfaces show the chain of causes only on request.
    pub cause: Option<Cause>,
}

/// Additional data of an error, for the envelope of a specification.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Detail {
    /// The specification's code; if `None`, the envelope derives it from the kind.
    pub code: Option<FailureCode>,
    /// Data that belongs to the code; `Null` for no data.
    pub data: serde_json::Value,
    /// The message in the wording of the specification, if it differs from Lore's.
    pub said: Option<String>,
}

impl OpError {
    /// An error without hints.
    pub fn new(kind: ErrorKind, message: impl Into<String>) -> Self {
        Self {
            kind,
            message: message.into(),
            hints: Vec::new(),
            detail: None,
            cause: None,
        }
    }

    /// The error for a failed write. A broken pipe becomes [`ErrorKind::Closed`].
    pub fn from_write(error: std::io::Error) -> Self {
        let kind = match error.kind() {
            std::io::ErrorKind::BrokenPipe => ErrorKind::Closed,
            _ => ErrorKind::Unavailable,
        };
        Self::new(kind, format!("cannot write the output: {error}")).because(error)
    }

    /// Sets the error that led to this one.
    #[must_use]
    pub fn because(mut self, cause: impl Error + Send + Sync + 'static) -> Self {
        self.cause = Some(Cause::new(cause));
        self
    }

    /// The messages of the causes, the nearest first. A cause whose message is already part of the one before it is left
    /// out.
    pub fn causes(&self) -> Vec<String> {
        let mut causes: Vec<String> = Vec::new();
        let mut next = self.source();
        while let Some(cause) = next {
            let message = cause.to_string();
            if !causes.last().unwrap_or(&self.message).contains(&message) {
                causes.push(message);
            }
            next = cause.source();
        }
        causes
    }

    /// Adds a hint.
    #[must_use]
    pub fn hint(mut self, hint: impl Into<String>) -> Self {
        self.hints.push(hint.into());
        self
    }

    /// Sets the specification's code.
    #[must_use]
    pub fn code(mut self, code: FailureCode) -> Self {
        self.detail.get_or_insert_default().code = Some(code);
        self
    }

    /// Sets the data that belongs to the code.
    #[must_use]
    pub fn data(mut self, data: serde_json::Value) -> Self {
        self.detail.get_or_insert_default().data = data;
        self
    }

    /// Sets the message in the wording of the specification.
    #[must_use]
    pub fn said(mut self, message: impl Into<String>) -> Self {
        self.detail.get_or_insert_default().said = Some(message.into());
        self
    }
}

impl fmt::Display for OpError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.message)
    }
}

impl Error for OpError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        self.cause.as_ref().map(|cause| cause as &(dyn Error + 'static))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_answer_that_is_no_exits_with_one() {
        let exits = |kind: ErrorKind| (kind.name(), kind.exit_code());
        assert_eq!(exits(ErrorKind::NotFound), ("not_found", 1));
        assert_eq!(exits(ErrorKind::Ambiguous), ("ambiguous", 1));
        assert_eq!(exits(ErrorKind::Refused), ("refused", 1));
        assert_eq!(exits(ErrorKind::Invalid), ("invalid", 2));
        assert_eq!(exits(ErrorKind::Closed), ("closed", 0));
    }

    #[test]
    fn an_error_keeps_the_chain_of_its_causes() {
        let disk = std::io::Error::other("the disk is on fire");
        let inner = OpError::new(ErrorKind::Unavailable, "snapshot cannot be read: the disk is on fire").because(disk);
        let outer = OpError::new(ErrorKind::Unavailable, "there is no graph").because(inner.clone());
        assert_eq!(outer.causes(), ["snapshot cannot be read: the disk is on fire"]);
        assert_eq!(inner.causes(), [""; 0]);
        assert!(outer.source().and_then(Error::source).is_some());
        assert_ne!(outer, OpError::new(ErrorKind::Unavailable, "there is no graph"));
    }
}
