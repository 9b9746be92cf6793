//! Lines of code, comment and nothing, beside tokei's.

use std::collections::HashMap;
use std::process::Command;

use serde_json::Value;

use super::{Lines, Seen, number, plain, share};
use crate::Outcome;
use crate::process::{capture, tool};

/// Differing files shown.
const SHOWN: usize = 20;

pub(super) fn compare(seen: &Seen) -> Outcome<()> {
    let tokei = tool("tokei").ok_or("tokei is not installed")?;
    let arguments = ["--files", "--hidden", "--no-ignore", "--output", "json", "."];
    let text = capture(Command::new(tokei).args(arguments).current_dir(seen.tree()))?;
    let report: Value = serde_json::from_str(&text).map_err(|error| format!("tokei's report is not JSON: {error}"))?;
    let theirs = by_path(&report);
    let common: Vec<_> = seen
        .files
        .iter()
        .filter_map(|file| Some((file, *theirs.get(&file.path)?)))
        .map(|(file, theirs)| (file, with_lost(theirs, file.lines, &file.language)))
        .collect();
    let lost = common
        .iter()
        .filter(|(file, lines)| theirs.get(&file.path).is_some_and(|own| own != lines))
        .count();
    let differing: Vec<_> = common.iter().filter(|(file, lines)| file.lines != *lines).collect();
    println!(
        "lines: {} files are equal to tokei's; {} files tokei does not list",
        share(common.len() - differing.len(), common.len()),
        seen.files.len() - common.len()
    );
    if lost > 0 {
        println!(
            "lines: in {lost} Rust files tokei counts lines at the ends of doc comments nowhere; they are taken as comment"
        );
    }
    for (file, theirs) in differing.iter().take(SHOWN) {
        println!(
            "  {} ({}): {}, tokei {}",
            file.path,
            file.language,
            shown(file.lines),
            shown(*theirs)
        );
    }
    Ok(())
}

/// tokei's lines, with those that it drops at the ends of Rust doc comments.
fn with_lost(theirs: Lines, ours: Lines, language: &str) -> Lines {
    let total = |lines: Lines| lines.code + lines.comment + lines.blank;
    let lost = if language == "rust" {
        total(ours).saturating_sub(total(theirs))
    } else {
        0
    };
    Lines {
        comment: theirs.comment + lost,
        ..theirs
    }
}

fn shown(lines: Lines) -> String {
    format!("{} code {} comment {} blank", lines.code, lines.comment, lines.blank)
}

/// Every file of a report. What is embedded in a file stands in its own lists, and is part of the file all the same.
fn by_path(report: &Value) -> HashMap<String, Lines> {
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
            .map(move |report| (language.as_str(), report))
    });
    let files = reports.filter_map(|(language, report)| {
        let stats = &report["stats"];
        let mut lines = own(stats);
        let embedded = embedded(stats);
        if language == "Rust" {
            // Doc comments are Markdown to tokei; whatever it makes of their lines, they are comment.
            lines.comment += embedded.code + embedded.comment + embedded.blank;
        } else {
            lines.code += embedded.code;
            lines.comment += embedded.comment;
            lines.blank += embedded.blank;
        }
        Some((plain(report["name"].as_str()?).to_owned(), lines))
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
    let mut sum = Lines::default();
    for (_, blob) in stats["blobs"].as_object().into_iter().flatten() {
        for lines in [own(blob), embedded(blob)] {
            sum.code += lines.code;
            sum.comment += lines.comment;
            sum.blank += lines.blank;
        }
    }
    sum
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_that_are_counted_nowhere_are_comment() {
        let ours = Lines {
            code: 3,
            comment: 5,
            blank: 1,
        };
        let theirs = Lines {
            code: 3,
            comment: 2,
            blank: 1,
        };
        assert_eq!(with_lost(theirs, ours, "rust"), ours);
        assert_eq!(with_lost(theirs, ours, "go"), theirs);
    }

    #[test]
    fn doc_comments_of_rust_are_comment() {
        let report = serde_json::json!({
            "Rust": { "reports": [{ "name": "./a.rs", "stats": { "blanks": 1, "code": 1, "comments": 1, "blobs": {
                "Markdown": { "blanks": 1, "code": 0, "comments": 5, "blobs": {
                    "Rust": { "blanks": 0, "code": 2, "comments": 0, "blobs": {} } } } } } }] },
            "Total": { "reports": [] }
        });
        assert_eq!(
            by_path(&report)["a.rs"],
            Lines {
                code: 1,
                comment: 9,
                blank: 1
            }
        );
    }
}
