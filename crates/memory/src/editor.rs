//! `Editor`: the port for the user's text editor.

use lore_seam::{ErrorKind, OpError, Port};

/// The user's text editor.
pub trait Editor: Send + Sync {
    /// Opens a text in the editor and returns the edited text. `name` becomes the name and extension of the temporary
    /// file.
    fn edit(&self, name: &str, text: &str) -> Result<String, OpError>;

    /// Saves a text that could not be used, so that the user does not lose it. Returns the path.
    fn keep(&self, name: &str, text: &str) -> Result<String, OpError>;
}

/// No editor, for callers that are programs. Both methods return an error.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoEditor;

impl Editor for NoEditor {
    fn edit(&self, _: &str, _: &str) -> Result<String, OpError> {
        Err(OpError::new(ErrorKind::Unavailable, "an editor needs a terminal").hint("change the fields with options"))
    }

    fn keep(&self, _: &str, _: &str) -> Result<String, OpError> {
        Err(OpError::new(ErrorKind::Unavailable, "no editor is available"))
    }
}

impl Port for dyn Editor {
    fn absent() -> &'static Self {
        &NoEditor
    }
}
