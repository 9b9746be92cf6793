//! What Lore has to say about an input, as data: built anywhere, shown in one place.

/// How much a diagnostic weighs.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Severity {
    /// Worth knowing.
    Note,
    /// Something was left out or guessed.
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

/// One remark about one place.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Diagnostic {
    /// How much it weighs.
    pub severity: Severity,
    /// A fixed word for the kind of remark, such as `parse-error`.
    pub code: &'static str,
    /// What is the matter: lower case, no full stop.
    pub message: String,
    /// The file, relative to the repository's root.
    pub path: String,
    /// The 1-based line; 0 when the remark is about the whole file.
    pub line: u32,
    /// The 1-based column; 0 when the remark is about the whole line.
    pub column: u32,
}
