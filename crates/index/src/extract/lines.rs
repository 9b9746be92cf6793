//! Counts lines of code, comment and blank, from the ranges of comments and strings in the tree.
//!
//! A line is blank if it contains only white space and is not inside a comment or a string. It is comment if it
//! begins inside a comment of the line before, or if its first character opens a comment that reaches the end of the
//! line. Otherwise it is code. Text inside a string is code, also comments in its interpolations.

use lore_model::LineCounts;

/// A range of bytes.
pub(crate) type ByteRange = (u32, u32);

/// Counts the lines of a source. Both lists are in source order; strings can be nested.
pub(crate) fn count(source: &str, comments: &[ByteRange], texts: &[ByteRange]) -> LineCounts {
    let comments = &outside(comments, texts);
    let bytes = source.as_bytes();
    let (mut code, mut comment, mut blank) = (0u32, 0u32, 0u32);
    let (mut comment_at, mut text_at) = (0, 0);
    let mut start = 0;
    while start < bytes.len() {
        let end = memchr::memchr(b'\n', &bytes[start..]).map_or(bytes.len(), |at| start + at);
        let line = &bytes[start..end];
        let (line_start, first) = (
            start as u32,
            line.iter()
                .position(|byte| !byte.is_ascii_whitespace())
                .map(|at| (start + at) as u32),
        );
        while comments
            .get(comment_at)
            .is_some_and(|(_, end)| *end <= first.unwrap_or(line_start))
        {
            comment_at += 1;
        }
        while texts.get(text_at).is_some_and(|(_, end)| *end <= line_start) {
            text_at += 1;
        }
        let open_comment = comments.get(comment_at);
        let continues = open_comment.is_some_and(|(from, to)| *from < line_start && *to > line_start);
        match first {
            None if continues => comment += 1,
            None if texts
                .get(text_at)
                .is_some_and(|(from, to)| *from < line_start && *to > line_start) =>
            {
                code += 1
            }
            None => blank += 1,
            Some(_) if continues => comment += 1,
            Some(first) => {
                let last = (end - line.iter().rev().take_while(|byte| byte.is_ascii_whitespace()).count()) as u32;
                let opens = open_comment.is_some_and(|(from, to)| *from <= first && *to > first && *to >= last);
                if opens
                    || (open_comment.is_some_and(|(from, _)| *from == first)
                        && covered(comments, comment_at, bytes, last))
                {
                    comment += 1;
                } else {
                    code += 1;
                }
            }
        }
        start = end + 1;
    }
    LineCounts {
        code: code.into(),
        comment: comment.into(),
        blank: blank.into(),
    }
}

/// The comments that are not inside a string.
fn outside(comments: &[ByteRange], texts: &[ByteRange]) -> Vec<ByteRange> {
    let mut texts = texts.iter().peekable();
    let mut reached = 0;
    let mut found = Vec::with_capacity(comments.len());
    for comment in comments {
        while let Some((_, end)) = texts.next_if(|(start, _)| *start < comment.0) {
            reached = reached.max(*end);
        }
        if comment.0 >= reached {
            found.push(*comment);
        }
    }
    found
}

/// Whether the comments from `at` on, with white space between them, reach `last`.
fn covered(comments: &[ByteRange], at: usize, bytes: &[u8], last: u32) -> bool {
    let mut reached = comments[at].1;
    for (from, to) in &comments[at + 1..] {
        if reached >= last {
            break;
        }
        // In a broken file a comment can be inside another one.
        let between = bytes.get(reached as usize..*from as usize).unwrap_or(&[]);
        if *from > last || !between.iter().all(u8::is_ascii_whitespace) {
            return false;
        }
        reached = reached.max(*to);
    }
    reached >= last
}

#[cfg(test)]
mod tests {
    use super::*;

    fn counted(source: &str, comments: &[ByteRange], texts: &[ByteRange]) -> (u32, u32, u32) {
        let lines = count(source, comments, texts);
        (lines.code.get(), lines.comment.get(), lines.blank.get())
    }

    #[test]
    fn comments_that_share_a_line_with_code() {
        assert_eq!(counted("a // b\n// c\n\nd", &[(2, 6), (7, 11)], &[]), (2, 1, 1));
        assert_eq!(counted("/* a */ b\n", &[(0, 7)], &[]), (1, 0, 0));
        assert_eq!(counted("/* a */ // b\n", &[(0, 7), (8, 12)], &[]), (0, 1, 0));
    }

    #[test]
    fn blank_lines_inside_comments_and_texts() {
        assert_eq!(counted("/*\n\n*/ x\n", &[(0, 6)], &[]), (0, 3, 0));
        assert_eq!(counted("'''\n\n'''\n\n", &[], &[(0, 8)]), (3, 0, 1));
        assert_eq!(
            counted("`${\n// a\n}`\n// b\n", &[(4, 8), (12, 16)], &[(0, 11)]),
            (3, 1, 0)
        );
    }

    #[test]
    fn the_last_line_needs_no_newline() {
        assert_eq!(counted("", &[], &[]), (0, 0, 0));
        assert_eq!(counted("\n", &[], &[]), (0, 0, 1));
        assert_eq!(counted("a", &[], &[]), (1, 0, 0));
        assert_eq!(counted("a\r\n\r\n", &[], &[]), (1, 0, 1));
    }
}
