//! `Editor`: where people write texts, as a port.

use super::{ErrorKind, OpError};

/// Where people write texts.
pub trait Editor: Send + Sync {
    /// Lets whoever asks change a text; the text as he left it. The name says what it is, and how its file ends.
    fn edit(&self, name: &str, text: &str) -> Result<String, OpError>;

    /// Keeps a text that could not be used where whoever wrote it finds it; its path.
    fn keep(&self, name: &str, text: &str) -> Result<String, OpError>;
}

/// No editor: whoever asks is a program.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoEditor;

impl Editor for NoEditor {
    fn edit(&self, _: &str, _: &str) -> Result<String, OpError> {
        Err(
            OpError::new(ErrorKind::Unavailable, "texts are edited by people at a terminal")
                .hint("change the fields one by one"),
        )
    }

    fn keep(&self, _: &str, _: &str) -> Result<String, OpError> {
        Err(OpError::new(ErrorKind::Unavailable, "there is no place for a text"))
    }
}
