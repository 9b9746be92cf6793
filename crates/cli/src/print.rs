//! Answers to standard output, errors to standard error.
//!
//! Text from a repository cannot control the terminal: control characters in pages, notes, errors and JSON are escaped here, and
//! those in bytes if standard output is a terminal.

use std::io::{self, BufWriter, IsTerminal, Write};
use std::process::ExitCode;

use lore_seam::{
    Answer, Bytes, ErrorKind, Escape, Escaping, OpError, Page, Style, Verdict, View, visible_line, visible_lines,
};

/// How to print.
pub(crate) struct Options {
    pub(crate) json: bool,
    pub(crate) colour: bool,
    pub(crate) quiet: bool,
}

/// Prints an answer; the exit code is 0 if the answer is yes.
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
                say("note", &note);
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
            if as_json {
                let media_type = bytes.media_type;
                let mut content = Vec::new();
                bytes.content.write_to(&mut content)?;
                let text = String::from_utf8_lossy(&content);
                let value = serde_json::json!({ "media_type": media_type, "text": text });
                if let Err(error) = json(&mut out, |out| writeln!(out, "{value}")) {
                    return broken_pipe(error);
                }
            } else {
                match write_bytes(bytes, &mut out) {
                    Err(error) if error.kind == ErrorKind::Closed => return Ok(ExitCode::SUCCESS),
                    written => written?,
                }
            }
            if let Some(note) = note.filter(|_| !options.quiet) {
                say("note", &note);
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
        return json(out, |out| {
            view.write_json(out)?;
            out.write_all(b"\n")
        });
    }
    let mut page = Page::new(Style { colour: options.colour });
    view.show(&mut page);
    out.write_all(page.into_text().as_bytes())
}

/// Writes JSON in which every character can be seen.
fn json(out: &mut impl Write, write: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> io::Result<()> {
    // Pieces of a value are small, and each is looked at.
    let mut pieces = BufWriter::new(Escaping::new(out, Escape::Json));
    write(&mut pieces)?;
    pieces.into_inner().map(drop).map_err(io::IntoInnerError::into_error)
}

/// Writes bytes unchanged, or with control characters escaped if the output is a terminal.
fn write_bytes(bytes: Bytes, out: &mut impl Write) -> Result<(), OpError> {
    if !io::stdout().is_terminal() {
        return bytes.content.write_to(out);
    }
    let escape = if bytes.is_json() { Escape::Json } else { Escape::Visible };
    let mut visible = Escaping::new(out, escape);
    bytes.content.write_to(&mut visible)?;
    visible.finish().map_err(OpError::from_write)
}

/// A reader that closes the pipe early is not an error.
fn broken_pipe(error: io::Error) -> Result<ExitCode, OpError> {
    match error.kind() {
        io::ErrorKind::BrokenPipe => Ok(ExitCode::SUCCESS),
        _ => Err(closed(error)),
    }
}

fn closed(error: io::Error) -> OpError {
    let message = format!("cannot write to standard output: {error}");
    OpError::new(ErrorKind::Unavailable, message).because(error)
}

/// Prints bytes unchanged.
pub(crate) fn bytes(content: &[u8]) {
    let _ = io::stdout().lock().write_all(content);
}

/// Prints warnings to standard error.
pub(crate) fn remarks(remarks: &[String]) {
    for remark in remarks {
        say("warning", remark);
    }
}

/// Prints a line to standard error.
pub(crate) fn say(kind: &str, text: &str) {
    // If standard error is closed, the message is lost.
    let _ = writeln!(io::stderr(), "{kind}: {}", visible_line(text));
}

/// Prints what is wrong with the arguments, which are part of it.
pub(crate) fn usage(error: &clap::Error) {
    if error.use_stderr() {
        drop(write!(io::stderr(), "{}", visible_lines(&error.render().to_string())))
    } else {
        drop(error.print())
    }
}

/// Prints an error with its hints, and with its causes if the log is on.
pub(crate) fn error(error: &OpError, as_json: bool, with_causes: bool) {
    let causes = if with_causes { error.causes() } else { Vec::new() };
    let mut err = io::stderr().lock();
    let _ = if as_json {
        let mut value = serde_json::json!({
            "error": { "kind": error.kind.name(), "message": error.message, "hints": error.hints }
        });
        if with_causes {
            value["error"]["causes"] = causes.into();
        }
        json(&mut err, |out| writeln!(out, "{value}"))
    } else {
        // The message may quote a name with line breaks, which must not pass for a hint.
        let hints = error.hints.iter();
        let hints: String = hints.map(|hint| format!("\nhint: {}", visible_line(hint))).collect();
        let causes = causes
            .iter()
            .map(|cause| format!("\ncaused by: {}", visible_line(cause)));
        let causes: String = causes.collect();
        writeln!(err, "error: {}{causes}{hints}", visible_line(&error.message))
    };
}
