//! Documentation: comments of two or more `%`, EDoc tags in them, and `-doc` attributes.

use crate::extract::{DocStyle, Walker};

/// Comments of two or more signs; lines of nothing but signs part them.
const COMMENTS: DocStyle = DocStyle {
    line: &["%%%", "%%"],
    block: &[],
    except: &["%%!"],
};

/// The forms of text in `-doc`.
const TEXTS: DocStyle = DocStyle {
    line: &[],
    block: &[
        ("~S\"\"\"", "\"\"\""),
        ("~B\"\"\"", "\"\"\""),
        ("~\"\"\"", "\"\"\""),
        ("\"\"\"", "\"\"\""),
        ("~\"", "\""),
        ("\"", "\""),
    ],
    except: &[],
};

/// Attributes and comments directly before a definition that describe it.
pub(super) struct Run<'t> {
    pub(super) doc: Option<String>,
    /// Its `-spec`, without dash and full stop.
    pub(super) specs: Vec<&'t str>,
    /// Where the first `-spec` begins, if there is one.
    pub(super) start: Option<usize>,
}

impl<'t> Run<'t> {
    /// Takes the attributes directly before a byte, and reads the comments above them.
    pub(super) fn before(walker: &mut Walker<'t>, byte: usize) -> Self {
        let waiting = walker.attributes.clone();
        let (texts, first) = walker.take_attributes(byte);
        let skipped = waiting.len().saturating_sub(texts.len());
        let mut run = Self {
            doc: None,
            specs: Vec::new(),
            start: None,
        };
        for ((start, _), text) in waiting.into_iter().skip(skipped).zip(texts) {
            let text = text.trim_start_matches('-').trim_end_matches('.').trim();
            match text.strip_prefix("doc") {
                Some(doc) => run.doc = literal(doc).or(run.doc),
                None => {
                    run.specs.push(text);
                    run.start.get_or_insert(start as usize);
                }
            }
        }
        if run.doc.is_none() {
            run.doc = comment_above(walker, byte).or_else(|| comment_above(walker, first));
        }
        run
    }
}

/// What a literal text says.
pub(super) fn literal(text: &str) -> Option<String> {
    let text = text.trim();
    let text = match text.strip_prefix('(').and_then(|inner| inner.strip_suffix(')')) {
        Some(inner) => inner.trim(),
        None => text,
    };
    TEXTS.read(&[text])
}

/// The comment above a `-module`, where it says that it documents it: most are licences.
pub(super) fn module_comment(walker: &Walker<'_>, byte: usize) -> Option<String> {
    // Empty lines may come between.
    let above = read(walker, walker.slice(0, byte).trim_end().len())?;
    above.lines().any(is_description).then(|| tagged(&above))?
}

/// The comment directly above a byte.
pub(super) fn comment_above(walker: &Walker<'_>, byte: usize) -> Option<String> {
    tagged(&read(walker, byte)?)
}

/// The comment lines directly above a byte, between rulers.
fn read(walker: &Walker<'_>, byte: usize) -> Option<String> {
    let mut comments: Vec<&str> = walker
        .comments_before(byte)
        .iter()
        .rev()
        .take_while(|(start, _)| walker.begins_line(*start as usize))
        .map(|(start, end)| walker.slice(*start as usize, *end as usize))
        .skip_while(|comment| is_ruler(comment))
        .take_while(|comment| !is_ruler(comment))
        .collect();
    comments.reverse();
    COMMENTS.read(&comments)
}

/// Whether a comment is a ruler or a directive for an editor.
fn is_ruler(comment: &str) -> bool {
    let text = comment.trim_start_matches('%').trim();
    let is_drawn = |byte| matches!(byte, b'-' | b'=' | b'*' | b'~' | b'_' | b'%' | b'#' | b'+');
    text.starts_with("-*-") || (comment.len() > 4 && text.bytes().all(is_drawn))
}

/// Whether a line begins the description in an EDoc comment.
fn is_description(line: &str) -> bool {
    line.trim_start().starts_with("@doc")
}

/// The description in an EDoc comment: what follows `@doc`, or what comes before the first tag.
fn tagged(comment: &str) -> Option<String> {
    let mut description = String::new();
    let mut is_part = true;
    for line in comment.lines() {
        let mut text = line;
        if is_description(line) {
            description.clear();
            is_part = true;
            text = line.trim_start().trim_start_matches("@doc").trim_start();
        } else if line.trim_start().starts_with('@') {
            is_part = false;
        }
        if is_part {
            description.push_str(text);
            description.push('\n');
        }
    }
    let description = description.trim();
    (!description.is_empty()).then(|| description.to_owned())
}
