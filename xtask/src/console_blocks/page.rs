//! The `console` blocks of a page: their commands, the output that the page shows, and where the commands run.
//!
//! A comment `<!-- console: … -->` on a line of its own says where the blocks below it run, until the next such comment.

use crate::Outcome;
use crate::corpora::Package;

/// The repository of blocks above which there is no comment.
pub(crate) const SAMPLE: &str = "tests/sample";
/// Directories of a page's own small repositories.
const DIRECTORIES: &str = "tests/";

/// A command, how it has to end, and what it has to print.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Shown {
    /// The line of the command, from 1.
    pub(super) line: usize,
    pub(super) command: String,
    pub(super) exits: i32,
    /// The lines of the output, without the indentation of the block.
    pub(super) output: Vec<String>,
    /// The line of the page that follows the output, from 1.
    pub(super) end: usize,
    /// The indentation of the block.
    pub(super) indent: usize,
}

/// Where commands run.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Place {
    /// In a copy of a directory of the project.
    Directory(String),
    /// In a repository of pinned packages, which takes long: one commit for each, with its version as a tag.
    Packages(Vec<Package>),
    /// Nowhere: the blocks cannot be reproduced.
    Shown,
}

/// The commands of one copy, in order. A copy never serves two sessions.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Session {
    /// The line that names the place, from 1.
    pub(super) line: usize,
    pub(super) place: Place,
    pub(super) blocks: usize,
    pub(super) commands: Vec<Shown>,
}

impl Session {
    fn at(line: usize, place: Place) -> Self {
        Self {
            line,
            place,
            blocks: 0,
            commands: Vec::new(),
        }
    }
}

/// A code block that shows a file, or consecutive lines of it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Extract {
    /// The line of the comment that names the file, from 1.
    pub(super) line: usize,
    pub(super) path: String,
    pub(super) text: String,
}

/// What of a page is checked.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub(super) struct Page {
    /// Those that have blocks.
    pub(super) sessions: Vec<Session>,
    pub(super) extracts: Vec<Extract>,
}

/// Reads a page. An error begins with the line.
pub(super) fn read(text: &str) -> Outcome<Page> {
    let mut extracts = Vec::new();
    let mut next_extract: Option<Extract> = None;
    let mut sessions = vec![Session::at(1, Place::Directory(SAMPLE.to_owned()))];
    // The session that the next block belongs to, and the last one that runs.
    let (mut current, mut last_run) = (0, 0);
    let mut fence: Option<Fence> = None;
    for (number, line) in (1..).zip(text.lines()) {
        let Some(open) = &mut fence else {
            if let Some(said) = comment(line) {
                match said.map_err(|message| format!("{number}: {message}"))? {
                    Comment::File(path) => {
                        next_extract = Some(Extract {
                            line: number,
                            path,
                            text: String::new(),
                        });
                    }
                    Comment::Same => current = last_run,
                    Comment::Place(place) => {
                        if place != Place::Shown {
                            last_run = sessions.len();
                        }
                        current = sessions.len();
                        sessions.push(Session::at(number, place));
                    }
                }
            } else {
                fence = Fence::opened(line);
                if let Some(open) = &mut fence {
                    open.extract = next_extract.take();
                }
                if let (Some(session), true) = (sessions.get_mut(current), fence.as_ref().is_some_and(|f| f.console)) {
                    session.blocks += 1;
                }
            }
            continue;
        };
        let Some(session) = sessions.get_mut(current) else {
            continue;
        };
        if line.trim() == open.marks {
            if open.console && !open.has_command && session.place != Place::Shown {
                return Err(format!("{number}: the console block has no line that begins with `$ `"));
            }
            extracts.extend(open.extract.take());
            fence = None;
        } else if let Some(extract) = &mut open.extract {
            extract.text.push_str(line);
            extract.text.push('\n');
        } else if open.console {
            open.take(number, line, &mut session.commands);
        }
    }
    if let Some(extract) = next_extract {
        return Err(format!("{}: no code block shows {}", extract.line, extract.path));
    }
    sessions.retain(|session| session.blocks > 0);
    Ok(Page { sessions, extracts })
}

/// A code block that is being read.
struct Fence {
    marks: String,
    indent: usize,
    console: bool,
    has_command: bool,
    /// The file that the block shows.
    extract: Option<Extract>,
    /// The last line was a command that the next line continues.
    continues: bool,
}

impl Fence {
    fn opened(line: &str) -> Option<Self> {
        let start = line.trim_start();
        let language = start.trim_start_matches('`');
        let marks = start.get(..start.len() - language.len())?;
        (marks.len() >= 3).then(|| Self {
            marks: marks.to_owned(),
            indent: line.len() - start.len(),
            console: language.trim() == "console",
            has_command: false,
            extract: None,
            continues: false,
        })
    }

    fn take(&mut self, number: usize, line: &str, commands: &mut Vec<Shown>) {
        let line = line.get(self.indent..).unwrap_or_default();
        if let Some(command) = line.strip_prefix("$ ") {
            let (command, exits) = ending(command);
            self.has_command = true;
            commands.push(Shown {
                line: number,
                command: String::new(),
                exits,
                output: Vec::new(),
                end: number + 1,
                indent: self.indent,
            });
            self.continues = true;
            self.add_to_command(command, commands);
        } else if self.continues {
            self.add_to_command(line.trim_start(), commands);
        } else if let Some(last) = commands.last_mut().filter(|_| self.has_command) {
            last.output.push(line.to_owned());
        }
        if let Some(last) = commands.last_mut().filter(|_| self.has_command) {
            last.end = number + 1;
        }
    }

    fn add_to_command(&mut self, text: &str, commands: &mut [Shown]) {
        self.continues = text.ends_with('\\');
        if let Some(last) = commands.last_mut() {
            last.command.push_str(text.strip_suffix('\\').unwrap_or(text));
        }
    }
}

/// A command without the remark about its exit status, and the status.
fn ending(command: &str) -> (&str, i32) {
    command
        .rsplit_once("# exits ")
        .and_then(|(command, code)| Some((command.trim_end(), code.trim().parse().ok()?)))
        .unwrap_or((command.trim_end(), 0))
}

enum Comment {
    /// The blocks below run where those before the last `shown` did.
    Same,
    Place(Place),
    /// The next code block shows this file.
    File(String),
}

/// What a line says about the blocks below it, if it is such a comment.
fn comment(line: &str) -> Option<Outcome<Comment>> {
    let said = line.trim().strip_prefix("<!-- console:")?;
    Some(match said.strip_suffix("-->").map(str::trim) {
        None => Err("the comment does not end on its line".to_owned()),
        Some(said) => understood(said),
    })
}

fn understood(said: &str) -> Outcome<Comment> {
    let (word, rest) = said.split_once(' ').unwrap_or((said, ""));
    match (word, rest.trim()) {
        ("same", "") => Ok(Comment::Same),
        ("shown", "") => Err("`shown` needs the reason why the blocks cannot run".to_owned()),
        ("shown", _) => Ok(Comment::Place(Place::Shown)),
        ("long", packages) if !packages.is_empty() => {
            let packages = packages
                .split_whitespace()
                .map(|package| Package::try_from(package.to_owned()));
            Ok(Comment::Place(Place::Packages(packages.collect::<Outcome<_>>()?)))
        }
        ("file", path) if path.starts_with(DIRECTORIES) && !path.contains("..") => Ok(Comment::File(path.to_owned())),
        (directory, "") if directory.starts_with(DIRECTORIES) && !directory.contains("..") => {
            Ok(Comment::Place(Place::Directory(directory.to_owned())))
        }
        _ => Err(format!(
            "`{said}` is no place for console blocks; write a directory below {DIRECTORIES}, `file PATH`, `same`, `long CLIENT:NAME@VERSION …` or `shown REASON`"
        )),
    }
}

#[cfg(test)]
mod tests {
    use std::fmt::Write as _;

    use super::*;

    /// One line for each session and each command.
    fn told(text: &str) -> String {
        let Page { sessions, extracts } = match read(text) {
            Ok(page) => page,
            Err(message) => return message,
        };
        let mut lines = String::new();
        for session in sessions {
            let place = match session.place {
                Place::Directory(directory) => directory,
                Place::Packages(packages) => format!("{} packages", packages.len()),
                Place::Shown => "shown".to_owned(),
            };
            let _ = writeln!(lines, "{place} {}", session.blocks);
            for shown in session.commands {
                let output = shown.output.join("|");
                let _ = writeln!(
                    lines,
                    "  {}-{} {} ({}) {output}",
                    shown.line, shown.end, shown.command, shown.exits
                );
            }
        }
        for Extract { line, path, text } in extracts {
            let _ = writeln!(lines, "{line} {path} {text:?}");
        }
        lines
    }

    #[test]
    fn commands_of_console_blocks_with_what_they_print() {
        let text = "```console\n$ lore index\n12 files\n$ lore find x # exits 1\n```\n\n```sh\n$ lore mcp\n```\n$ lore stats\n";
        let wanted = "tests/sample 1\n  2-4 lore index (0) 12 files\n  4-5 lore find x (1) \n";
        assert_eq!(told(text), wanted);
    }

    #[test]
    fn a_block_in_a_list_and_a_command_of_two_lines() {
        let text = "- a\n\n  ```console\n  $ lore find \\\n      x\n    1\n  ```\n";
        assert_eq!(told(text), "tests/sample 1\n  4-7 lore find x (0)   1\n");
    }

    #[test]
    fn a_comment_counts_until_the_next_one() {
        let block = |command: &str| format!("```console\n$ {command}\n```\n");
        let text = [
            "<!-- console: tests/docs/post -->\n".to_owned(),
            block("a"),
            block("b"),
            "<!-- console: shown it asks a server on the internet -->\n".to_owned(),
            block("c"),
            "<!-- console: same -->\n".to_owned(),
            block("d"),
            "<!-- console: tests/docs/post -->\n".to_owned(),
            block("e"),
            "<!-- console: long pip:click@8.1.8 pip:click@8.2.0 -->\n".to_owned(),
            block("f"),
        ]
        .concat();
        let wanted = "tests/docs/post 3\n  3-4 a (0) \n  6-7 b (0) \n  14-15 d (0) \nshown 1\n  10-11 c (0) \n\
                    tests/docs/post 1\n  18-19 e (0) \n2 packages 1\n  22-23 f (0) \n";
        assert_eq!(told(&text), wanted);
    }

    #[test]
    fn a_block_that_shows_a_file() {
        let text =
            "<!-- console: file tests/docs/post/a.py -->\n```python\nimport json\n\njson\n```\n\n```python\nb\n```\n";
        assert_eq!(told(text), "1 tests/docs/post/a.py \"import json\\n\\njson\\n\"\n");
    }

    #[test]
    fn a_comment_in_a_code_block_is_text() {
        let text = "````markdown\n<!-- console: nowhere -->\n```console\n$ a\n```\n````\n";
        assert_eq!(told(text), "");
    }

    #[test]
    fn what_no_page_may_say() {
        for (text, message) in [
            (
                "\n<!-- console: shown -->\n",
                "2: `shown` needs the reason why the blocks cannot run",
            ),
            (
                "<!-- console: file tests/a.py -->\ntext\n",
                "1: no code block shows tests/a.py",
            ),
            ("<!-- console: tests/a\n", "1: the comment does not end on its line"),
            (
                "```console\noutput\n```\n",
                "3: the console block has no line that begins with `$ `",
            ),
        ] {
            assert_eq!(told(text), message);
        }
        for place in ["crates/cli", "tests/../crates", "tests/a tests/b", "long", ""] {
            let message = told(&format!("<!-- console: {place} -->\n"));
            assert!(message.starts_with("1: `"), "{place}: {message}");
            assert!(message.contains("is no place for console blocks"), "{place}: {message}");
        }
    }
}
