//! Markdown: the headings of a document as sections that nest by level.
//!
//! The grammar nests only what begins with `#`, so the sections are built here, from all headings in their order.

mod inline;

use lore_model::{NONE, SymbolKind};

use crate::extract::{Draft, Draftee, Walker, child_of_kind};
use crate::language::{Flow, Language, Rule};
use crate::syntax::Node;

pub(crate) static MARKDOWN: Language = Language {
    name: "markdown",
    dialect: "markdown",
    extensions: &["markdown", "mdown", "mkdn", "mkd", "mdx"],
    disputed: &["md"],
    likeness,
    separator: " > ",
    grammar: || tree_sitter_md::LANGUAGE.into(),
    rules: &[("document", Rule::Visit(document))],
    module_name: |_, path, _| path.as_str().to_owned(),
    ..Language::BASE
};

/// GCC describes machines in files that end in `.md` too.
fn likeness(text: &str) -> u8 {
    let is_machine = text.starts_with(";;") && (text.contains("\n(define") || text.contains("\n(include"));
    u8::from(!is_machine)
}

/// A heading and what it is followed by.
struct Heading<'t> {
    node: Node<'t>,
    level: u8,
    /// Where the next section begins that is no part of this one.
    end: usize,
    /// The section around it, by its place in the list.
    parent: Option<usize>,
}

/// What a document consists of, as far as it is told apart.
#[derive(Default)]
struct Parts<'t> {
    headings: Vec<Heading<'t>>,
    /// What stands in fenced blocks of a language.
    code: Vec<(usize, usize)>,
}

fn document<'t>(walker: &mut Walker<'t>, node: Node<'t>) -> Flow {
    let mut parts = collect(walker, node);
    nest(&mut parts.headings, node.end_byte());
    define_sections(walker, &parts.headings);
    count_prose(walker, node, &parts.code);
    Flow::Skip
}

/// The headings that structure the document, which those in lists and quotations do not, and all blocks of code.
fn collect<'t>(walker: &Walker<'t>, document: Node<'t>) -> Parts<'t> {
    let mut parts = Parts::default();
    let mut cursor = document.walk();
    let mut inside = 0;
    loop {
        let node = cursor.node();
        let kind = node.kind();
        let is_inner = matches!(kind, "list" | "list_item" | "block_quote");
        match kind {
            "atx_heading" | "setext_heading" if inside == 0 => {
                if let Some(level) = level(node) {
                    parts.headings.push(Heading {
                        node,
                        level,
                        end: 0,
                        parent: None,
                    });
                }
            }
            "fenced_code_block" => {
                let language = node.child_by_field_name("info_string");
                let language = language.map_or("", |language| walker.text(language));
                let content = child_of_kind(node, &["code_fence_content"]);
                if let Some(content) = content.filter(|_| is_code(language)) {
                    parts.code.push((content.start_byte(), content.end_byte()));
                }
            }
            _ => {}
        }
        if (is_inner || matches!(kind, "document" | "section")) && cursor.goto_first_child() {
            inside += usize::from(is_inner);
            continue;
        }
        while !cursor.goto_next_sibling() {
            if !cursor.goto_parent() {
                return parts;
            }
            if matches!(cursor.node().kind(), "list" | "list_item" | "block_quote") {
                inside -= 1;
            }
        }
    }
}

/// Whether the words behind a fence name a language: a session with a program and plain text are none.
fn is_code(info: &str) -> bool {
    let end = info.find([' ', '\t', ',', '{']).unwrap_or(info.len());
    let language = info[..end].to_ascii_lowercase();
    !matches!(
        language.as_str(),
        "" | "console" | "none" | "output" | "plain" | "plaintext" | "text" | "txt"
    )
}

/// The number in the kind of a heading's sign: `atx_h2_marker`, `setext_h1_underline`.
fn level(heading: Node<'_>) -> Option<u8> {
    heading.children().find_map(|child| {
        let rest = child.kind().strip_prefix("atx_h");
        let rest = rest.or_else(|| child.kind().strip_prefix("setext_h"))?;
        rest.bytes().next().filter(u8::is_ascii_digit).map(|digit| digit - b'0')
    })
}

/// Says where each section ends and which one is around it: a heading ends all sections of its level and of those below.
fn nest(headings: &mut [Heading<'_>], document_end: usize) {
    let mut open: Vec<usize> = Vec::new();
    for at in 0..headings.len() {
        let start = headings[at].node.start_byte();
        while let Some(last) = open.pop_if(|last| headings[*last].level >= headings[at].level) {
            headings[last].end = start;
        }
        headings[at].parent = open.last().copied();
        headings[at].end = document_end;
        open.push(at);
    }
}

fn define_sections<'t>(walker: &mut Walker<'t>, headings: &[Heading<'t>]) {
    let mut definitions: Vec<u32> = Vec::with_capacity(headings.len());
    for heading in headings {
        let above = heading
            .parent
            .and_then(|parent| definitions.get(parent))
            .copied()
            .unwrap_or(NONE);
        let content = heading.node.child_by_field_name("heading_content");
        let name = content.map_or_else(String::new, |content| inline::heading_text(walker.text(content)));
        let (Some(content), false) = (content, name.is_empty()) else {
            // What stands below a heading without text belongs to the section around it.
            definitions.push(above);
            continue;
        };
        let definition = walker.define(Draft {
            name: Draftee::Named(content, &name),
            signature: (heading.node.start_byte(), content.end_byte()),
            ..Draft::new(SymbolKind::Section, content, heading.node)
        });
        definitions.push(definition);
        walker.end_at(definition, heading.end);
        if let Some(definition) = walker.facts.definitions.get_mut(definition as usize) {
            definition.parent = above.into();
        }
    }
}

/// Prose is comment, in runs of lines without an empty one; what stands in a block of a language is code.
fn count_prose(walker: &mut Walker<'_>, document: Node<'_>, code: &[(usize, usize)]) {
    let mut code = code.iter().peekable();
    let mut run: Option<(usize, usize)> = None;
    let mut at = document.start_byte();
    for line in walker.slice(at, document.end_byte()).split_inclusive('\n') {
        let start = at;
        at += line.len();
        while code.next_if(|(_, end)| *end <= start).is_some() {}
        let is_code = code.peek().is_some_and(|(from, _)| *from <= start);
        let line = line.trim_end();
        if is_code || line.is_empty() {
            run.take()
                .into_iter()
                .for_each(|(start, end)| walker.comment(start, end))
        } else {
            run = Some((run.map_or(start, |(first, _)| first), start + line.len()))
        }
    }
    if let Some((start, end)) = run {
        walker.comment(start, end);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn headings_of_both_forms_nest_by_level() {
        let source = "intro\n\nA\n=\n\n### C\n\nB\n-\n\n#\n\n## D\n";
        assert_eq!(
            crate::extract::outline(&MARKDOWN, source),
            ["section A 0", "section A > C 0", "section A > B 0", "section D 0"]
        );
    }

    #[test]
    fn machine_descriptions_are_no_markdown() {
        assert_eq!(likeness(";; GCC machine description\n(define_insn \"x\")\n"), 0);
        assert_eq!(likeness("# Title\n"), 1);
    }
}
