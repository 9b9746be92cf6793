//! Diagnostics about an input, as data: any part of Lore can create them, and the surfaces print them.

/// How serious a diagnostic is.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Severity {
    /// Information; the result is complete.
    Note,
    /// Lore left something out or guessed.
    Warning,
    /// The input is wrong.
    Error,
}

impl Severity {
    /// The severity in lower case.
    pub fn name(self) -> &'static str {
        match self {
            Self::Note => "note",
            Self::Warning => "warning",
            Self::Error => "error",
        }
    }
}

/// One message about a position in a file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Diagnostic {
    /// How serious the message is.
    pub severity: Severity,
    /// A fixed word for the kind of message, such as `parse-error`.
    pub code: &'static str,
    /// The message: lower case, no full stop.
    pub message: String,
    /// The file, relative to the repository's root.
    pub path: String,
    /// The 1-based line; 0 if the message is about the whole file.
    pub line: u32,
    /// The 1-based column; 0 if the message is about the whole line.
    pub column: u32,
}
