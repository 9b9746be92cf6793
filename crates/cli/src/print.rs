//! Answers to standard output, errors to standard error.
//!
//! Text from a repository cannot control the terminal: control characters in pages, notes, errors and JSON are escaped here, and
//! those in bytes if standard output is a terminal.

use std::io::{self, BufWriter, IsTerminal, Write};
use std::process::ExitCode;

use clap::ArgMatches;
use clap::parser::ValueSource;
use lore_seam::{
    Answer, Bytes, ErrorKind, Escape, Escaping, OpError, Page, Style, Verdict, View, visible_line, visible_lines,
};

/// Lines of an answer as text, unless the caller asks for more. It is about what an answer to an agent holds.
const MOST_LINES: usize = 200;

/// The argument that lifts the limit.
pub(crate) const ALL: &str = "all_lines";

/// How to print.
pub(crate) struct Options {
    pub(crate) json: bool,
    pub(crate) colour: bool,
    pub(crate) quiet: bool,
    pub(crate) limit: Limit,
}

/// How many lines an answer as text has.
#[derive(Clone, Copy)]
pub(crate) struct Limit {
    lines: usize,
    /// The option that lifts the limit.
    lifted_by: &'static str,
}

impl Limit {
    /// The limit of a command. `--all` and a `--limit` of the caller lift it. A command that writes has none, so that its report is complete.
    pub(crate) fn of(arguments: &ArgMatches) -> Self {
        let is_known = |name: &str| arguments.try_contains_id(name).is_ok();
        let is_given = |name: &str| is_known(name) && arguments.value_source(name) == Some(ValueSource::CommandLine);
        let is_lifted = !is_known(ALL) || is_given(ALL) || is_given("limit");
        Self {
            lines: if is_lifted { usize::MAX } else { MOST_LINES },
            lifted_by: if is_known("all") { "--all-lines" } else { "--all" },
        }
    }
}

/// Prints an answer; the exit code is 0 if the answer is yes.
pub(crate) fn answer(answer: Answer, options: &Options) -> Result<ExitCode, OpError> {
    let mut out = BufWriter::new(io::stdout().lock());
    let verdict = match answer {
        Answer::Value(value, verdict) => {
            let printed = print(&mut out, value.as_ref(), options, options.limit.lines);
            let printed = printed.and_then(|printed| more(&mut out, printed.left_out, 0, options));
            if let Err(error) = printed {
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
            let mut room = if live { usize::MAX } else { options.limit.lines };
            let (mut lines_left_out, mut rows_left_out) = (0, 0);
            for row in rows {
                let row = row?;
                any = true;
                // The rows after the first one without room are only counted.
                if room == 0 {
                    rows_left_out += 1;
                    continue;
                }
                let printed = print(&mut out, row.as_ref(), options, room);
                match printed.and_then(|printed| {
                    if live {
                        out.flush().map(|()| printed)
                    } else {
                        Ok(printed)
                    }
                }) {
                    Ok(printed) => {
                        room = room.saturating_sub(printed.lines);
                        lines_left_out += printed.left_out;
                    }
                    Err(error) => return broken_pipe(error),
                }
            }
            if let Err(error) = more(&mut out, lines_left_out, rows_left_out, options).and_then(|()| out.flush()) {
                return broken_pipe(error);
            }
            say_note(note, options);
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
            say_note(note, options);
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

/// What was printed.
struct Printed {
    lines: usize,
    /// Lines that had no room.
    left_out: usize,
}

/// Prints a value or a row as text of at most `room` lines, or completely as JSON.
fn print(out: &mut impl Write, view: &dyn View, options: &Options, room: usize) -> io::Result<Printed> {
    let whole = Printed { lines: 0, left_out: 0 };
    if options.json && !view.is_as_chosen() {
        json(out, |out| {
            view.write_json(out)?;
            out.write_all(b"\n")
        })?;
        return Ok(whole);
    }
    let mut page = Page::new(Style { colour: options.colour });
    view.show(&mut page);
    // Text in a format that the caller chose may be for a program.
    let left_out = if view.is_as_chosen() { 0 } else { page.cut(room) };
    let lines = page.lines();
    out.write_all(page.into_text().as_bytes())?;
    Ok(Printed { lines, left_out })
}

/// The last line of an answer that is not complete. It is part of the answer, so it is printed also with `--quiet`.
fn more(out: &mut impl Write, lines: usize, rows: usize, options: &Options) -> io::Result<()> {
    let counted = |count: usize, noun: &str| match count {
        0 => None,
        1 => Some(format!("1 more {noun}")),
        count => Some(format!("{count} more {noun}s")),
    };
    let parts: Vec<String> = counted(lines, "line").into_iter().chain(counted(rows, "row")).collect();
    if parts.is_empty() {
        return Ok(());
    }
    writeln!(out, "… {}; {} shows them", parts.join(" and "), options.limit.lifted_by)
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

/// Prints the remark about an answer to standard error, as JSON if the answer is JSON.
fn say_note(note: Option<String>, options: &Options) {
    let Some(note) = note.filter(|_| !options.quiet) else {
        return;
    };
    if options.json {
        let value = serde_json::json!({ "note": note });
        // If standard error is closed, the remark is lost.
        let _ = json(&mut io::stderr().lock(), |out| writeln!(out, "{value}"));
    } else {
        say("note", &note);
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
