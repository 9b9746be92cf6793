//! Removes comment signs from doc comments, and selects doc comments.

use std::borrow::Cow;

/// The text of a block comment, without its opening and closing signs and without leading stars.
pub(crate) fn clean_block_doc(comment: &str) -> String {
    let body = comment.trim_end().strip_prefix("/*").unwrap_or(comment);
    let body = body.strip_suffix("*/").unwrap_or(body).trim_matches('*');
    let body = body.strip_prefix('!').unwrap_or(body);
    let mut lines = body.lines().map(|line| {
        let trimmed = line.trim_start();
        trimmed.strip_prefix('*').map_or(Cow::Borrowed(line), |rest| {
            Cow::Borrowed(rest.strip_prefix(' ').unwrap_or(rest))
        })
    });
    let first = lines.next().unwrap_or_default();
    let rest = dedent(lines.collect());
    trim_lines(&format!("{}\n{rest}", first.trim()))
}

/// Which comments document the definition below them.
#[derive(Clone, Copy, Debug)]
pub(crate) struct DocStyle {
    /// Signs of line comments that document, the longest first. Empty: none.
    pub(crate) line: &'static [&'static str],
    /// Openings and closings of block comments, the longest first.
    pub(crate) block: &'static [(&'static str, &'static str)],
    /// Signs of line comments that look like docs but are directives for tools.
    pub(crate) except: &'static [&'static str],
}

impl DocStyle {
    /// Whether a comment documents, as one of several lines or as a block.
    fn sort(&self, comment: &str) -> Option<Doc> {
        if self.except.iter().any(|sign| comment.starts_with(sign)) {
            return None;
        }
        let is_block = |(open, close): &&(&str, &str)| {
            comment.len() >= open.len() + close.len() && comment.starts_with(open) && comment.ends_with(close)
        };
        match self.block.iter().find(is_block) {
            Some((open, close)) => Some(Doc::Block(open, close)),
            None => self
                .line
                .iter()
                .any(|sign| comment.starts_with(sign))
                .then_some(Doc::Line),
        }
    }

    /// The text of the comments directly above a definition, in source order: the last block, or the last run of
    /// lines.
    pub(crate) fn read(&self, comments: &[&str]) -> Option<String> {
        let comments: Vec<(&str, Doc)> = comments
            .iter()
            .map(|comment| (*comment, self.sort(comment.trim_end())))
            .rev()
            .skip_while(|(_, sort)| sort.is_none())
            .map_while(|(comment, sort)| Some((comment.trim_end(), sort?)))
            .collect();
        let doc = match comments.first()? {
            (block, Doc::Block("/**" | "/*!" | "/*", _)) => clean_block_doc(block),
            (block, Doc::Block(open, close)) => {
                let body = &block[open.len()..block.len() - close.len()];
                let (first, rest) = body.split_once('\n').unwrap_or((body, ""));
                trim_lines(&format!(
                    "{}\n{}",
                    first.trim(),
                    dedent(rest.lines().map(Cow::Borrowed).collect())
                ))
            }
            (_, Doc::Line) => {
                let lines = comments.iter().take_while(|(_, sort)| *sort == Doc::Line);
                let lines: Vec<&str> = lines.map(|(comment, _)| *comment).collect();
                clean_line_doc(lines.into_iter().rev(), self.line)
            }
        };
        (!doc.is_empty()).then_some(doc)
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Doc {
    Line,
    Block(&'static str, &'static str),
}

/// The text of line comments: each without its sign and one space after it.
pub(crate) fn clean_line_doc<'a>(lines: impl Iterator<Item = &'a str>, signs: &[&str]) -> String {
    let lines = lines.map(|line| {
        let line = line.trim();
        let rest = signs.iter().find_map(|sign| line.strip_prefix(sign)).unwrap_or(line);
        Cow::Borrowed(rest.strip_prefix(' ').unwrap_or(rest))
    });
    trim_lines(&dedent(lines.collect()))
}

/// The lines joined, without trailing white space and common indentation.
fn dedent(lines: Vec<Cow<'_, str>>) -> String {
    let indentation = lines
        .iter()
        .filter(|line| !line.trim().is_empty())
        .map(|line| line.len() - line.trim_start().len())
        .min()
        .unwrap_or(0);
    let mut joined = String::new();
    for line in lines {
        joined.push_str(line.get(indentation..).unwrap_or_else(|| line.trim_start()).trim_end());
        joined.push('\n');
    }
    joined
}

/// A text without empty lines at its ends.
fn trim_lines(text: &str) -> String {
    text.trim_matches('\n').trim_end().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_block_or_run_of_lines_documents() {
        let style = DocStyle {
            line: &["---", "--"],
            block: &[("--[[", "]]"), ("/**", "*/")],
            except: &["--!"],
        };
        let read = |comments: &[&str]| style.read(comments);
        assert_eq!(read(&["--- One", "-- two"]).as_deref(), Some("One\ntwo"));
        assert_eq!(read(&["--[[ A\n  b\n]]"]).as_deref(), Some("A\nb"));
        assert_eq!(read(&["-- no", "/** Yes. */"]).as_deref(), Some("Yes."));
        assert_eq!(read(&["/** no */", "-- Yes."]).as_deref(), Some("Yes."));
        assert_eq!(read(&["-- Yes.", "--!strict"]).as_deref(), Some("Yes."));
        assert_eq!(read(&["# no"]), None);
    }

    #[test]
    fn block_comments_lose_their_stars() {
        assert_eq!(clean_block_doc("/** One line. */"), "One line.");
        assert_eq!(
            clean_block_doc("/**\n * First.\n *\n *   indented\n * @param a\n */"),
            "First.\n\n  indented\n@param a"
        );
        assert_eq!(clean_block_doc("/*!\n  plain\n    more\n*/"), "plain\n  more");
        assert_eq!(clean_block_doc("/***/"), "");
        assert_eq!(clean_block_doc("/**/"), "");
    }

    #[test]
    fn line_comments_lose_their_signs() {
        assert_eq!(
            clean_line_doc(["/// a", "///", "///  b"].into_iter(), &["///"]),
            "a\n\n b"
        );
    }
}
