//! The log of `--verbose` and `LORE_LOG`: one line on standard error for each event, with control characters escaped.

use std::io::{self, Write};

use lore_seam::{ErrorKind, OpError, visible_line};
use tracing_subscriber::EnvFilter;
use tracing_subscriber::fmt::MakeWriter;

/// What `--verbose` logs.
const VERBOSE: &str = "debug";

/// Starts the log if `--verbose` or `LORE_LOG` asks for it. Returns whether it does.
pub(crate) fn start(setting: Option<&str>, is_verbose: bool) -> Result<bool, OpError> {
    let Some(directives) = setting.or(is_verbose.then_some(VERBOSE)) else {
        return Ok(false);
    };
    // A level alone applies to all crates of Lore, whose targets begin with `lore`, and to no dependency.
    let directives = if directives.chars().all(char::is_alphanumeric) {
        format!("off,lore={directives}")
    } else {
        directives.to_owned()
    };
    let filter = EnvFilter::try_new(&directives).map_err(|error| {
        OpError::new(ErrorKind::Invalid, format!("LORE_LOG is `{directives}`: {error}"))
            .hint("a level (error, warn, info, debug, trace), or targets such as lore_backends=debug")
            .because(error)
    })?;
    tracing_subscriber::fmt()
        .with_env_filter(filter)
        .with_ansi(false)
        .with_writer(Visible)
        .init();
    Ok(true)
}

/// Standard error with control characters escaped, because events contain names from a repository.
#[derive(Clone, Copy)]
struct Visible;

impl<'w> MakeWriter<'w> for Visible {
    type Writer = Self;

    fn make_writer(&'w self) -> Self {
        *self
    }
}

impl Write for Visible {
    /// tracing-subscriber writes each event at once, with a line break at its end.
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let text = String::from_utf8_lossy(bytes);
        writeln!(io::stderr(), "{}", visible_line(text.trim_end_matches('\n')))?;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
