//! Answers to standard output, errors to standard error.

use std::io::{self, BufWriter, IsTerminal, Write};
use std::process::ExitCode;

use lore_specs::seam::{Answer, ErrorKind, OpError, Page, Style, Verdict, View};

/// How to print.
pub(crate) struct Options {
    pub(crate) json: bool,
    pub(crate) colour: bool,
    pub(crate) quiet: bool,
}

/// Prints an answer; the code says whether it was yes.
pub(crate) fn answer(answer: Answer, options: &Options) -> Result<ExitCode, OpError> {
    let mut out = BufWriter::new(io::stdout().lock());
    let verdict = match answer {
        Answer::Value(value, verdict) => {
            if let Err(error) = print(&mut out, value.as_ref(), options) {
                return broken_pipe(error);
            }
            verdict
        }
        Answer::Rows {
            rows,
            empty,
            note,
            live,
        } => {
            let mut any = false;
            for row in rows {
                any = true;
                let printed = print(&mut out, row?.as_ref(), options);
                if let Err(error) = if live {
                    printed.and_then(|()| out.flush())
                } else {
                    printed
                } {
                    return broken_pipe(error);
                }
            }
            if let Err(error) = out.flush() {
                return broken_pipe(error);
            }
            if let Some(note) = note.filter(|_| !options.quiet) {
                let _ = writeln!(io::stderr(), "note: {note}");
            }
            if any { Verdict::Yes } else { empty }
        }
        Answer::Bytes(bytes) => {
            let as_json = options.json && !bytes.as_chosen && !bytes.is_json();
            if !bytes.is_text() && (as_json || io::stdout().is_terminal()) {
                return Err(
                    OpError::new(ErrorKind::Invalid, format!("{} is not for reading", bytes.media_type))
                        .hint("--output FILE writes it to a file; or redirect standard output"),
                );
            }
            let note = bytes.note.clone();
            match as_json {
                true => {
                    let media_type = bytes.media_type;
                    let mut content = Vec::new();
                    bytes.content.write_to(&mut content)?;
                    let text = String::from_utf8_lossy(&content);
                    let written = writeln!(out, "{}", serde_json::json!({ "media_type": media_type, "text": text }));
                    if let Err(error) = written {
                        return broken_pipe(error);
                    }
                }
                false => match bytes.content.write_to(&mut out) {
                    Err(error) if error.kind == ErrorKind::Closed => return Ok(ExitCode::SUCCESS),
                    written => written?,
                },
            }
            if let Some(note) = note.filter(|_| !options.quiet) {
                let _ = writeln!(io::stderr(), "note: {note}");
            }
            Verdict::Yes
        }
    };
    if let Err(error) = out.flush() {
        return broken_pipe(error);
    }
    Ok(match verdict {
        Verdict::Yes => ExitCode::SUCCESS,
        Verdict::No => ExitCode::from(1),
    })
}

fn print(out: &mut impl Write, view: &dyn View, options: &Options) -> io::Result<()> {
    if options.json && !view.is_as_chosen() {
        view.write_json(out)?;
        return out.write_all(b"\n");
    }
    let mut page = Page::new(Style { colour: options.colour });
    view.show(&mut page);
    out.write_all(page.into_text().as_bytes())
}

/// A reader that has seen enough is no error.
fn broken_pipe(error: io::Error) -> Result<ExitCode, OpError> {
    match error.kind() {
        io::ErrorKind::BrokenPipe => Ok(ExitCode::SUCCESS),
        _ => Err(closed(error)),
    }
}

fn closed(error: io::Error) -> OpError {
    OpError::new(
        ErrorKind::Unavailable,
        format!("standard output cannot be written: {error}"),
    )
}

/// Prints bytes as they are.
pub(crate) fn bytes(content: &[u8]) {
    let _ = io::stdout().lock().write_all(content);
}

/// Says on the side what is odd.
pub(crate) fn remarks(remarks: &[String]) {
    for remark in remarks {
        // Whoever closed that end does not want to know.
        let _ = writeln!(io::stderr(), "warning: {remark}");
    }
}

/// Prints an error with its hints.
pub(crate) fn error(error: &OpError, json: bool) {
    let mut err = io::stderr().lock();
    let _ = if json {
        let value = serde_json::json!({
            "error": { "kind": error.kind.name(), "message": error.message, "hints": error.hints }
        });
        writeln!(err, "{value}")
    } else {
        let hints: String = error.hints.iter().map(|hint| format!("\nhint: {hint}")).collect();
        writeln!(err, "error: {}{hints}", error.message)
    };
}
