//! Docstrings: strings as statements directly before a definition.

use crate::extract::{DocStyle, Walker};
use crate::language::Flow;
use crate::syntax::Node;

const STRINGS: DocStyle = DocStyle {
    line: &[],
    block: &[("\"\"\"", "\"\"\""), ("\"", "\"")],
    except: &[],
};

/// Stores a string that is a statement: it can document the next statement.
pub(super) fn content<'t>(walker: &mut Walker<'t>, _: Node<'t>) -> Flow {
    let (string, block, call) = {
        let mut around = walker.ancestors();
        (around.next(), around.next(), around.next())
    };
    let (Some(string), Some(block)) = (string, block) else {
        return Flow::Descend;
    };
    let is_statement = match block.kind() {
        "source_file" | "module_definition" | "struct_definition" | "compound_statement" | "if_statement"
        | "elseif_clause" | "else_clause" | "quote_statement" | "ERROR" => true,
        // `@doc "…" f`
        "macro_argument_list" => call.is_some_and(|call| super::macro_name(walker, call) == "doc"),
        _ => false,
    };
    if is_statement && is_doc(walker, string) {
        walker.attributes.clear();
        walker
            .attributes
            .push((string.start_byte() as u32, string.end_byte() as u32));
    }
    Flow::Descend
}

/// The docstring directly before one of several bytes, with only the end of its line between.
pub(super) fn take(walker: &mut Walker<'_>, starts: &[usize]) -> Option<String> {
    let (start, end) = *walker.attributes.last()?;
    let is_before = |byte: &usize| {
        let gap = walker.slice(end as usize, (*byte).max(end as usize));
        *byte >= end as usize && gap.trim().is_empty() && gap.matches('\n').count() <= 1
    };
    if !starts.iter().any(is_before) {
        return None;
    }
    walker.attributes.clear();
    clean(walker.slice(start as usize, end as usize))
}

/// What a node says if it is a docstring.
pub(super) fn text(walker: &Walker<'_>, node: Node<'_>) -> Option<String> {
    is_doc(walker, node).then(|| clean(walker.text(node)))?
}

fn is_doc(walker: &Walker<'_>, node: Node<'_>) -> bool {
    match node.kind() {
        "string_literal" => true,
        "prefixed_string_literal" => node
            .child_by_field_name("prefix")
            .is_some_and(|prefix| matches!(walker.text(prefix), "raw" | "doc")),
        _ => false,
    }
}

/// The text of a docstring. By convention it opens with the forms of the call, indented like code: the signature says them, so they are left
/// out where prose follows.
fn clean(string: &str) -> Option<String> {
    let quoted = string.trim_start_matches(|letter: char| letter.is_ascii_lowercase());
    let doc = STRINGS.read(&[quoted])?;
    let mut prose = doc.as_str();
    while prose.starts_with("    ") || prose.starts_with('\t') || prose.starts_with('\n') {
        prose = prose.split_once('\n').map_or("", |(_, rest)| rest);
    }
    let prose = if prose.is_empty() { doc.trim() } else { prose };
    Some(prose.to_owned())
}
