//! Runs the user's editor on a temporary file.

use lore_memory::editor::Editor;
use std::fs;
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::process::Command;

use lore_seam::{ErrorKind, OpError};

/// Bytes of a text that comes back.
const MOST: u64 = 4 << 20;
/// The editor that every system has.
const DEFAULT: &str = "vi";

/// The user's editor.
#[derive(Clone, Debug)]
pub struct SystemEditor {
    command: String,
    is_terminal: bool,
    directory: Option<PathBuf>,
}

impl SystemEditor {
    /// The editor that was named, with its arguments, else `vi`. Without a terminal nobody can write.
    pub fn new(command: Option<String>, is_terminal: bool) -> Self {
        Self {
            command: command.unwrap_or_else(|| DEFAULT.to_owned()),
            is_terminal,
            directory: None,
        }
    }

    /// A file that nobody else reads, with a text.
    fn file(&self, name: &str, text: &str) -> io::Result<tempfile::NamedTempFile> {
        let suffix = format!("-{name}");
        let mut builder = tempfile::Builder::new();
        builder.prefix("lore-").suffix(&suffix);
        let mut file = match &self.directory {
            Some(directory) => builder.tempfile_in(directory)?,
            None => builder.tempfile()?,
        };
        file.write_all(text.as_bytes())?;
        file.flush()?;
        Ok(file)
    }

    fn run(&self, path: &Path) -> Result<(), OpError> {
        let unavailable =
            |message: String| OpError::new(ErrorKind::Unavailable, message).hint("VISUAL or EDITOR names the editor");
        // The setting is a command with arguments, as other programs read it.
        let status = Command::new("sh")
            .arg("-c")
            .arg(format!("{} \"$1\"", self.command))
            .arg("lore")
            .arg(path)
            .status()
            .map_err(|error| {
                unavailable(format!("cannot start the editor `{}`: {error}", self.command)).because(error)
            })?;
        if status.success() {
            Ok(())
        } else {
            Err(unavailable(format!("the editor `{}` failed ({status})", self.command)))
        }
    }
}

fn read(path: &Path) -> Result<String, OpError> {
    let refused = |why: String| OpError::new(ErrorKind::Unavailable, format!("{}: {why}", path.display()));
    let unreadable = |error: io::Error| refused(error.to_string()).because(error);
    let file = fs::File::open(path).map_err(unreadable)?;
    let mut bytes = Vec::new();
    file.take(MOST + 1).read_to_end(&mut bytes).map_err(unreadable)?;
    if bytes.len() as u64 > MOST {
        return Err(refused(format!("longer than {MOST} bytes")));
    }
    String::from_utf8(bytes).map_err(|error| refused("not UTF-8".to_owned()).because(error))
}

impl Editor for SystemEditor {
    fn edit(&self, name: &str, text: &str) -> Result<String, OpError> {
        if !self.is_terminal {
            return Err(OpError::new(ErrorKind::Unavailable, "an editor needs a terminal"));
        }
        let file = self.file(name, text).map_err(|error| {
            let message = format!("cannot write a temporary file: {error}");
            OpError::new(ErrorKind::Unavailable, message).because(error)
        })?;
        self.run(file.path())?;
        match read(file.path()) {
            Ok(text) => Ok(text),
            // What was written is not lost with the file.
            Err(error) => match file.keep() {
                Ok((_, path)) => Err(error.hint(format!("the text is in {}", path.display()))),
                Err(_) => Err(error),
            },
        }
    }

    fn keep(&self, name: &str, text: &str) -> Result<String, OpError> {
        let unwritten = |error: io::Error| {
            OpError::new(ErrorKind::Unavailable, format!("cannot keep the text: {error}")).because(error)
        };
        let file = self.file(name, text).map_err(unwritten)?;
        let (_, path) = file.keep().map_err(|error| unwritten(error.error))?;
        Ok(path.display().to_string())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn editor(directory: &Path, command: &str) -> SystemEditor {
        SystemEditor {
            command: command.to_owned(),
            is_terminal: true,
            directory: Some(directory.to_owned()),
        }
    }

    #[test]
    fn the_text_comes_back_as_it_was_left() {
        let directory = tempfile::tempdir().expect("a directory");
        let editor = editor(directory.path(), "sed -i s/one/two/");
        assert_eq!(editor.edit("task.md", "one\n"), Ok("two\n".to_owned()));
        let left = fs::read_dir(directory.path()).expect("a directory").count();
        assert_eq!(left, 0, "the file is gone");
    }

    #[test]
    fn an_editor_that_fails_is_told() {
        let directory = tempfile::tempdir().expect("a directory");
        let error = editor(directory.path(), "false").edit("task.md", "one");
        let error = error.expect_err("no text");
        assert!(
            error.message.starts_with("the editor `false` failed"),
            "{}",
            error.message
        );
        let error = editor(directory.path(), "printf '\\377' >").edit("task.md", "one");
        assert!(error.expect_err("no text").message.ends_with("not UTF-8"));
    }

    #[test]
    fn without_a_terminal_nobody_writes() {
        let editor = SystemEditor::new(None, false);
        assert_eq!(
            editor.edit("task.md", "one").map_err(|error| error.message),
            Err("an editor needs a terminal".to_owned())
        );
    }

    #[test]
    fn a_text_that_could_not_be_used_is_kept() {
        let directory = tempfile::tempdir().expect("a directory");
        let path = editor(directory.path(), "true")
            .keep("task.md", "mine")
            .expect("a path");
        assert!(path.ends_with("-task.md"), "{path}");
        assert_eq!(fs::read_to_string(path).expect("a file"), "mine");
    }
}
