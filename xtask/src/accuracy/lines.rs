//! Lines of code, comment and nothing, beside tokei's.

use std::collections::HashMap;
use std::process::Command;

use serde_json::Value;

use super::{Lines, Seen, number, plain, share};
use crate::Outcome;
use crate::languages::{Adjustment, Part};
use crate::process::{capture, tool};

/// A file as tokei tells it.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Counted {
    language: String,
    /// Its own lines.
    lines: Lines,
    /// Those of what is embedded in it.
    embedded: Lines,
}

/// How many files have the lines that tokei counts, of those that it lists.
pub(super) fn compare(seen: &Seen) -> Outcome<Option<Part>> {
    let tokei = tool("tokei").ok_or("tokei is not installed")?;
    let arguments = ["--files", "--hidden", "--no-ignore", "--output", "json", "."];
    let text = capture(Command::new(tokei).args(arguments).current_dir(seen.tree()))?;
    let report: Value = serde_json::from_str(&text).map_err(|error| format!("tokei's report is not JSON: {error}"))?;
    let theirs = by_path(&report);
    let docs_are_markdown = seen.sheet.asks_for(Adjustment::TokeiDocCommentsAreMarkdown);
    let mut part = Part::default();
    let (mut lost, mut differing) = (0, Vec::new());
    for file in &seen.files {
        let Some(counted) = theirs.get(&file.path) else {
            continue;
        };
        let lines = if !docs_are_markdown {
            counted.whole()
        } else {
            let lines = counted.with_comment();
            let adjusted = with_lost(lines, file.lines);
            lost += usize::from(adjusted != lines);
            adjusted
        };
        part.of += 1;
        if file.lines == lines {
            part.count += 1;
        } else {
            let (ours, theirs) = (shown(file.lines), shown(lines));
            differing.push(format!("{}: {ours}; tokei ({}) {theirs}", file.path, counted.language));
        }
    }
    println!(
        "lines: {} files are equal to tokei's; {} files tokei does not list",
        share(part.count, part.of),
        seen.files.len() - part.of
    );
    if lost > 0 {
        println!(
            "lines: in {lost} files tokei counts lines at the ends of doc comments nowhere; they are taken as comment"
        );
    }
    seen.show(&differing);
    Ok((part.of > 0).then_some(part))
}

impl Counted {
    /// All lines: what is embedded in a file is part of it.
    fn whole(&self) -> Lines {
        plus(self.lines, self.embedded)
    }

    /// All lines, whatever is embedded taken as comment.
    fn with_comment(&self) -> Lines {
        Lines {
            comment: self.lines.comment + total(self.embedded),
            ..self.lines
        }
    }
}

/// tokei's lines, with those that it counts nowhere as comment.
fn with_lost(theirs: Lines, ours: Lines) -> Lines {
    Lines {
        comment: theirs.comment + total(ours).saturating_sub(total(theirs)),
        ..theirs
    }
}

fn total(lines: Lines) -> u64 {
    lines.code + lines.comment + lines.blank
}

fn plus(left: Lines, right: Lines) -> Lines {
    Lines {
        code: left.code + right.code,
        comment: left.comment + right.comment,
        blank: left.blank + right.blank,
    }
}

fn shown(lines: Lines) -> String {
    format!("{} code {} comment {} blank", lines.code, lines.comment, lines.blank)
}

/// Every file of a report.
fn by_path(report: &Value) -> HashMap<String, Counted> {
    let languages = report
        .as_object()
        .into_iter()
        .flatten()
        .filter(|(language, _)| *language != "Total");
    let reports = languages.flat_map(|(language, found)| {
        found["reports"]
            .as_array()
            .into_iter()
            .flatten()
            .map(move |report| (language, report))
    });
    let files = reports.filter_map(|(language, report)| {
        let stats = &report["stats"];
        let counted = Counted {
            language: language.clone(),
            lines: own(stats),
            embedded: embedded(stats),
        };
        Some((plain(report["name"].as_str()?).to_owned(), counted))
    });
    files.collect()
}

fn own(stats: &Value) -> Lines {
    let count = |key: &str| number(stats, key).unwrap_or(0);
    Lines {
        code: count("code"),
        comment: count("comments"),
        blank: count("blanks"),
    }
}

fn embedded(stats: &Value) -> Lines {
    let blobs = stats["blobs"].as_object().into_iter().flatten();
    blobs.fold(Lines::default(), |sum, (_, blob)| {
        plus(sum, plus(own(blob), embedded(blob)))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(code: u64, comment: u64, blank: u64) -> Lines {
        Lines { code, comment, blank }
    }

    #[test]
    fn lines_that_are_counted_nowhere_are_comment() {
        assert_eq!(with_lost(lines(3, 2, 1), lines(3, 5, 1)), lines(3, 5, 1));
        assert_eq!(with_lost(lines(3, 6, 1), lines(3, 5, 1)), lines(3, 6, 1));
    }

    #[test]
    fn what_is_embedded_is_part_of_the_file() {
        let report = serde_json::json!({
            "Rust": { "reports": [{ "name": "./a.rs", "stats": { "blanks": 1, "code": 1, "comments": 1, "blobs": {
                "Markdown": { "blanks": 1, "code": 0, "comments": 5, "blobs": {
                    "Rust": { "blanks": 0, "code": 2, "comments": 0, "blobs": {} } } } } } }] },
            "Total": { "reports": [] }
        });
        let counted = &by_path(&report)["a.rs"];
        assert_eq!(counted.language, "Rust");
        assert_eq!(counted.whole(), lines(3, 6, 2));
        assert_eq!(counted.with_comment(), lines(1, 9, 1));
    }
}
