//! Documentation: comments above a statement, below it, and behind it on its line. There is no one convention, so the signs decide: `!>` speaks
//! of what follows and `!<` of what precedes; `!!` goes on with either, and alone it speaks of what precedes.

use crate::extract::Walker;
use crate::syntax::Node;

/// Bytes of comments below a statement that are read.
const MAX_BELOW: usize = 64 * 1024;

/// What a comment speaks of, by its sign.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Sign {
    /// `!>`: of what follows.
    Before,
    /// `!<`: of what precedes.
    After,
    /// `!!`
    Either,
    /// Of anything.
    Plain,
}

/// A comment without its sign.
#[derive(Clone, Copy, Debug)]
struct Line<'t> {
    text: &'t str,
    sign: Sign,
}

/// The documentation of a block that a statement opens.
pub(super) fn of_block(walker: &Walker<'_>, node: Node<'_>, statement: Option<Node<'_>>) -> Option<String> {
    let (above, is_detached) = above(walker, node.start_byte());
    if above.iter().any(|line| line.sign == Sign::Before) {
        return text(above.iter().filter(|line| line.sign != Sign::Plain));
    }
    let below = statement.map_or(Vec::new(), |statement| below(walker, node, statement));
    let plain = above.iter().rev().take_while(|line| line.sign == Sign::Plain).count();
    text(below.iter())
        .or_else(|| text(above.iter().skip(above.len() - plain)))
        .or_else(|| text(above.iter().filter(|_| is_detached)))
}

/// The documentation of a declaration: the comment behind it, signed ones on the lines below, or those above.
pub(super) fn of_line(walker: &Walker<'_>, node: Node<'_>) -> Option<String> {
    let rest = walker.slice(node.end_byte(), walker.source.len());
    let rest = rest.trim_start_matches([' ', '\t', '\r']);
    // Where another statement follows on the line, a comment behind it is not of this one.
    let rest = if rest.starts_with(['!', '\n']) { rest } else { "" };
    let mut lines = rest.lines().map(str::trim);
    let behind = lines.next().filter(|rest| rest.starts_with('!')).and_then(line);
    let is_after = |line: &Line<'_>| matches!(line.sign, Sign::After | Sign::Either);
    let below = lines.map_while(|text| line(text).filter(|line| text.starts_with('!') && is_after(line)));
    let after: Vec<Line<'_>> = behind.into_iter().chain(below).collect();
    text(after.iter()).or_else(|| {
        let (above, is_detached) = above(walker, node.start_byte());
        match above.iter().any(|line| line.sign == Sign::Before) {
            true => text(above.iter().filter(|line| line.sign != Sign::Plain)),
            // Directly below another declaration it is as likely to speak of that one.
            false => text(above.iter().filter(|_| is_detached)),
        }
    })
}

/// The comments directly above a byte that begin their lines, and whether an empty line stands above them.
fn above<'t>(walker: &Walker<'t>, byte: usize) -> (Vec<Line<'t>>, bool) {
    let run = walker.comments_before(byte);
    let first = run
        .iter()
        .rposition(|(start, _)| !walker.begins_line(*start as usize))
        .map_or(0, |at| at + 1);
    let run = run.get(first..).unwrap_or_default();
    let is_detached = run.first().is_some_and(|(start, _)| {
        let blanks = [' ', '\t', '\r'];
        let before = walker.slice(0, *start as usize).trim_end_matches(blanks);
        let before = before.strip_suffix('\n').unwrap_or(before).trim_end_matches(blanks);
        before.is_empty() || before.ends_with('\n')
    });
    let lines = run
        .iter()
        .filter_map(|(start, end)| line(walker.slice(*start as usize, *end as usize)));
    (lines.collect(), is_detached)
}

/// The signed comments directly below the statement that opens a block.
fn below<'t>(walker: &Walker<'t>, node: Node<'_>, statement: Node<'_>) -> Vec<Line<'t>> {
    let mut lines = Vec::new();
    let mut bytes = 0;
    for child in node.children().skip_while(|child| *child != statement).skip(1) {
        if child.kind() != "comment" || bytes > MAX_BELOW {
            break;
        }
        let text = walker.text(child);
        bytes += text.len();
        match line(text) {
            Some(line) if matches!(line.sign, Sign::After | Sign::Either) => lines.push(line),
            Some(line) if line.sign == Sign::Before => break,
            Some(line) if !lines.is_empty() && !line.text.trim().is_empty() && !is_rule(line.text) => break,
            _ => {}
        }
    }
    lines
}

/// A comment without its sign; none if it speaks to a compiler.
fn line(comment: &str) -> Option<Line<'_>> {
    let comment = comment.trim_end();
    let mut letters = comment.chars();
    letters.next();
    let rest = letters.as_str();
    let speaks_to_compiler = rest.starts_with('$')
        || ["DIR$", "DEC$", "GCC$", "IBM*"]
            .iter()
            .any(|word| rest.get(..4).is_some_and(|start| start.eq_ignore_ascii_case(word)));
    if speaks_to_compiler {
        return None;
    }
    let sign = match rest.bytes().next() {
        _ if is_rule(rest) && rest.len() > 1 => Sign::Plain,
        Some(b'>') => Sign::Before,
        Some(b'<') => Sign::After,
        Some(b'!') => Sign::Either,
        _ => Sign::Plain,
    };
    let text = match sign {
        Sign::Plain => rest,
        _ => rest.get(1..).unwrap_or(""),
    };
    Some(Line {
        text: text.strip_prefix(' ').unwrap_or(text),
        sign,
    })
}

/// Whether a line only draws a line.
fn is_rule(text: &str) -> bool {
    let text = text.trim();
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_punctuation())
}

/// The text of comments: what follows a `\brief`, or all of it without the lines drawn around it. A licence documents nothing.
fn text<'l, 't: 'l>(lines: impl Iterator<Item = &'l Line<'t>>) -> Option<String> {
    let lines: Vec<&str> = lines.map(|line| line.text.trim_end()).collect();
    if let Some(brief) = brief(&lines) {
        return Some(brief);
    }
    let lines: Vec<&str> = lines
        .into_iter()
        .skip_while(|text| text.is_empty() || is_rule(text))
        .filter(|text| !is_rule(text))
        .collect();
    let doc = dedent(&lines);
    // Three dots are often all that leads a comment.
    let doc = doc.trim_matches('\n').trim_end().trim_start_matches("...").trim_start();
    let mut end = doc.len().min(600);
    while !doc.is_char_boundary(end) {
        end -= 1;
    }
    let head = doc[..end].to_ascii_lowercase();
    let is_licence = head.contains("copyright") || head.contains("licen");
    (!doc.is_empty() && !is_licence).then(|| doc.to_owned())
}

/// What follows a `\brief`; where that is no more than the name, what follows the heading `Purpose`.
fn brief(lines: &[&str]) -> Option<String> {
    let (at, first) = lines.iter().enumerate().find_map(|(at, line)| {
        let start = line.trim_start();
        let rest = start.strip_prefix("\\brief").or_else(|| start.strip_prefix("@brief"))?;
        Some((at, rest.trim_start()))
    })?;
    let first = first.strip_prefix("\\b ").unwrap_or(first);
    let first = Some(first).filter(|first| !first.is_empty());
    let brief = paragraph(first.into_iter().chain(lines.iter().skip(at + 1).copied()));
    if brief.contains(char::is_whitespace) {
        return Some(brief);
    }
    let purpose = lines
        .iter()
        .skip(at)
        .skip_while(|line| !line.contains("Purpose:"))
        .skip(1)
        .copied()
        .skip_while(|line| line.trim().is_empty() || line.trim_start().starts_with('\\') || is_rule(line));
    Some(paragraph(purpose))
        .filter(|purpose| !purpose.is_empty())
        .or(Some(brief))
}

/// Lines up to an empty one or a command.
fn paragraph<'a>(lines: impl Iterator<Item = &'a str>) -> String {
    let lines: Vec<&str> = lines
        .map(str::trim)
        .take_while(|line| !line.is_empty() && !line.starts_with(['\\', '@']) && !is_rule(line))
        .collect();
    lines.join("\n").replace("<b>", "").replace("</b>", "")
}

/// Lines joined without the indentation they share.
fn dedent(lines: &[&str]) -> String {
    let indentation = lines
        .iter()
        .filter(|line| !line.is_empty())
        .map(|line| line.len() - line.trim_start().len())
        .min()
        .unwrap_or(0);
    let lines: Vec<&str> = lines
        .iter()
        .map(|line| line.get(indentation..).unwrap_or(line.trim_start()))
        .collect();
    lines.join("\n")
}

#[cfg(test)]
mod tests {
    use super::super::FORTRAN;

    fn docs(source: &str) -> Vec<String> {
        crate::extract::outline(&FORTRAN, source)
    }

    #[test]
    fn signs_say_what_a_comment_speaks_of() {
        let source = "module m\n\
            !> Before.\n!! Further.\n  integer :: a\n\
            integer :: b !< Behind.\n!! Below.\n\
            integer :: c ! Plain.\n\
            integer :: d\n!! Of d.\n\
            integer :: e\n\n! Above f.\n\
            integer :: f\n! Of either.\n\
            integer :: g\n\
            end module\n";
        let expected = [
            "namespace m 0",
            "static m.a 0 \"Before.\\nFurther.\"",
            "static m.b 0 \"Behind.\\nBelow.\"",
            "static m.c 0 \"Plain.\"",
            "static m.d 0 \"Of d.\"",
            "static m.e 0",
            "static m.f 0 \"Above f.\"",
            "static m.g 0",
        ];
        assert_eq!(docs(source), expected);
    }

    #[test]
    fn blocks_are_documented_above_or_below() {
        let source = "!> \\brief \\b ONE adds one.\n!! \\param x\nsubroutine one(x)\nend subroutine\n\
            !-----\nsubroutine two()\n!-----\n!! Adds two.\nend subroutine\n\
            ! Adds three.\nsubroutine three()\nend subroutine\n\
            ! Copyright by somebody.\nsubroutine four()\nend subroutine\n\
            !DIR$ IVDEP\nsubroutine five()\nend subroutine\n";
        let expected = [
            "function one 1 \"ONE adds one.\"",
            "function two 1 \"Adds two.\"",
            "function three 1 \"Adds three.\"",
            "function four 1",
            "function five 1",
        ];
        assert_eq!(docs(source), expected);
    }
}
