//! The one error that crosses the seam.

use std::fmt;

/// What kind of failure it is; surfaces map it to an exit code or a status.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ErrorKind {
    /// What was asked for does not exist: the answer is no.
    NotFound,
    /// Whoever asks may not, or what is there does not allow it: the answer is no.
    Refused,
    /// The request makes no sense.
    Invalid,
    /// An input or a store cannot be read or written.
    Unavailable,
    /// Somebody asked to stop.
    Cancelled,
    /// Whoever read the output has seen enough.
    Closed,
    /// A defect of Lore's own.
    Internal,
}

impl ErrorKind {
    /// The kind in lower case.
    pub fn name(self) -> &'static str {
        match self {
            Self::NotFound => "not_found",
            Self::Refused => "refused",
            Self::Invalid => "invalid",
            Self::Unavailable => "unavailable",
            Self::Cancelled => "cancelled",
            Self::Closed => "closed",
            Self::Internal => "internal",
        }
    }

    /// 1 if the answer is no, 2 if it could not be asked.
    pub fn exit_code(self) -> u8 {
        match self {
            Self::Closed => 0,
            Self::NotFound | Self::Refused => 1,
            Self::Invalid | Self::Unavailable | Self::Cancelled | Self::Internal => 2,
        }
    }
}

/// The codes by which a specification's envelope tells failures apart. The list is closed: no other code can be told.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FailureCode {
    /// Bad input.
    ValidationError,
    /// What was named does not exist.
    NotFound,
    /// Somebody else wrote it in the meantime, or the place is taken.
    Conflict,
    /// It would break what always holds.
    InvariantViolation,
    /// It cannot be done in this state.
    InvalidOperation,
    /// Something else has to happen first.
    Blocked,
    /// Others are part of it.
    HasChildren,
    /// The name is taken.
    DuplicateName,
    /// The template is neither changed nor deleted.
    ProtectedTemplate,
    /// The template is not applied.
    TemplateDisabled,
    /// The template is for something else.
    EntityTypeMismatch,
    /// It would wait for itself.
    CircularDependency,
    /// The store cannot be used now.
    Unavailable,
    /// A defect of Lore's own.
    InternalError,
}

impl FailureCode {
    /// All of them.
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

    /// The code as it is written.
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

/// Why there is no answer: what, where, and what to do.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct OpError {
    /// The kind.
    pub kind: ErrorKind,
    /// What is the matter and where: lower case, no full stop.
    pub message: String,
    /// What to do about it.
    pub hints: Vec<String>,
    /// What a specification wants to be told besides.
    pub detail: Option<Box<Detail>>,
}

/// What a specification wants to be told of an error.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Detail {
    /// The specification's code; the kind says it where there is none.
    pub code: Option<FailureCode>,
    /// What goes with it; nothing is null.
    pub data: serde_json::Value,
    /// The message in the specification's words, where they are not those of the house.
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
        }
    }

    /// The failure to write bytes.
    pub fn from_write(error: std::io::Error) -> Self {
        let kind = match error.kind() {
            std::io::ErrorKind::BrokenPipe => ErrorKind::Closed,
            _ => ErrorKind::Unavailable,
        };
        Self::new(kind, format!("the output cannot be written: {error}"))
    }

    /// The error with one more hint.
    #[must_use]
    pub fn hint(mut self, hint: impl Into<String>) -> Self {
        self.hints.push(hint.into());
        self
    }

    /// The error with a specification's code.
    #[must_use]
    pub fn code(mut self, code: FailureCode) -> Self {
        self.detail.get_or_insert_default().code = Some(code);
        self
    }

    /// The error with what goes with its code.
    #[must_use]
    pub fn data(mut self, data: serde_json::Value) -> Self {
        self.detail.get_or_insert_default().data = data;
        self
    }

    /// The error with a message in a specification's words.
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

impl std::error::Error for OpError {}
