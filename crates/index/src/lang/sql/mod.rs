//! SQL of every dialect: tables, views, routines, types and what else a statement creates.
//!
//! `scan` reads tokens, `create` the statements among them, `reduce` makes of these what the parser gets; here they become definitions.

mod create;
mod reduce;
mod scan;

use lore_model::{RepoPath, SymbolKind};

use self::create::{Head, Object, unquoted};
use self::scan::{Kind, Token, Tokens};
use crate::extract::{DocStyle, Draft, Draftee, Walker, preface};
use crate::language::{Flow, Language, Rule};
use crate::layout::has_directory;
use crate::syntax::Node;

pub(crate) static SQL: Language = Language {
    name: "sql",
    dialect: "sql",
    extensions: &["sql", "pgsql", "psql", "mysql", "plsql", "pls", "pks", "pkb", "ddl"],
    grammar: || tree_sitter_sequel::LANGUAGE.into(),
    blank: reduce::reduce,
    rules: &[
        ("comment", Rule::Comment),
        ("marginalia", Rule::Comment),
        ("literal", Rule::Text),
        ("program", Rule::Visit(program)),
        ("statement", Rule::Visit(statement)),
        ("term", Rule::Visit(member)),
        (";", Rule::Visit(terminator)),
    ],
    is_test_file,
    ..Language::BASE
};

/// Lines of `--` and blocks. Rulers are not part of the documentation.
const DOC: DocStyle = DocStyle {
    line: &["--"],
    block: &[("/*", "*/")],
    except: &["----", "-- ---", "-- ===", "--==="],
};

/// Tokens that the head of a statement is looked for in.
const HEAD_TOKENS: usize = 60;
/// Tokens of a signature.
const SIGNATURE_TOKENS: usize = 1_000;

fn program<'t>(walker: &mut Walker<'t>, node: Node<'t>) -> Flow {
    let documented = |below: Node<'_>| below.kind() == "statement";
    if let Some(doc) = preface(walker, node, &DOC, &["comment", "marginalia"], documented) {
        walker.module_doc(&doc);
    }
    Flow::Descend
}

/// A statement that creates something, or runs another file.
fn statement<'t>(walker: &mut Walker<'t>, node: Node<'t>) -> Flow {
    let start = node.start_byte();
    walker.scope().mark = 0;
    let source = walker.source;
    let rest = source.get(start..).unwrap_or("");
    if !rest.starts_with(['c', 'C']) {
        let line = rest.lines().next().unwrap_or("");
        if let Some(file) = scan::included(line.trim_end()) {
            walker.import(node, file, "*", "*", 0);
        }
        return Flow::Descend;
    }
    let mut rest =
        Tokens::between(source, start, source.len()).filter(|token| !matches!(token.kind, Kind::Comment | Kind::Hash));
    let tokens: Vec<Token> = rest.by_ref().take(HEAD_TOKENS).collect();
    let Some(head) = create::head(source, &tokens, 0) else {
        return Flow::Descend;
    };
    let Some(name) = node.descendant_for_byte_range(head.name.start, head.name.start) else {
        return Flow::Descend;
    };
    let kind = kind(source, &tokens, &head);
    let signature_end = signature_end(source, tokens.iter().skip(head.after).copied().chain(rest), &head, kind);
    let owner = head.owner(source, &tokens);
    let definition = walker.define(Draft {
        name: Draftee::Named(name, unquoted(head.name.text(source))),
        signature: (start, signature_end),
        doc: walker.doc_above(start, &DOC),
        owner: &owner,
        ..Draft::new(kind, name, node)
    });
    // The semicolon marks the end.
    walker.scope().mark = definition + 1;
    walker.open(definition);
    Flow::Descend
}

/// What a statement creates, as a kind of definition.
fn kind(source: &str, tokens: &[Token], head: &Head) -> SymbolKind {
    let word = |at: usize| tokens.get(head.after + at);
    match head.object {
        Object::Table => SymbolKind::Table,
        Object::View => SymbolKind::View,
        Object::Routine | Object::Trigger => SymbolKind::Function,
        Object::Index => SymbolKind::Key,
        Object::Schema | Object::Package => SymbolKind::Namespace,
        Object::Sequence => SymbolKind::Static,
        Object::Domain => SymbolKind::TypeAlias,
        Object::Type => match (word(0), word(1)) {
            (Some(from), _) if from.is(source, "from") => SymbolKind::TypeAlias,
            (Some(begin), Some(of)) if begin.is_any(source, &["as", "is"]) => {
                let is_table_of = of.is(source, "table") && word(2).is_some_and(|next| next.is(source, "of"));
                if of.is(source, "enum") {
                    SymbolKind::Enum
                } else if of.kind == Kind::Word && !of.is_any(source, &["object", "table"]) || is_table_of {
                    SymbolKind::TypeAlias
                } else {
                    SymbolKind::Struct
                }
            }
            _ => SymbolKind::Struct,
        },
    }
}

/// Where the declaration ends and what it declares begins, from the tokens after its name.
fn signature_end(source: &str, tokens: impl Iterator<Item = Token>, head: &Head, kind: SymbolKind) -> usize {
    let mut reached = head.name.end;
    let mut depth = 0usize;
    for token in tokens.take(SIGNATURE_TOKENS) {
        let ends = match (token.kind, kind) {
            (Kind::End | Kind::Batch | Kind::Command, _) => true,
            // Nothing but the next statement may end this one.
            (Kind::Word, _) if token.begins_line && token.is_any(source, STATEMENTS) => true,
            (Kind::Sign, SymbolKind::Table | SymbolKind::Struct) if token.text(source) == "(" => true,
            (Kind::Word, SymbolKind::Table | SymbolKind::View | SymbolKind::Struct | SymbolKind::Enum) => {
                depth == 0 && token.is(source, "as")
            }
            (Kind::Word, SymbolKind::Function | SymbolKind::Namespace) => {
                depth == 0 && token.is_any(source, &["as", "is", "begin", "return"])
            }
            _ => false,
        };
        if ends {
            break;
        }
        match token.text(source) {
            "(" => depth += 1,
            ")" => depth = depth.saturating_sub(1),
            _ => {}
        }
        reached = token.end;
    }
    reached
}

/// Words that begin a statement.
const STATEMENTS: &[&str] = &[
    "create", "alter", "drop", "insert", "update", "delete", "grant", "exec", "select",
];

/// A column, an attribute or a value of what the statement creates.
fn member<'t>(walker: &mut Walker<'t>, node: Node<'t>) -> Flow {
    let is_first = walker
        .parent()
        .is_none_or(|list| list.start_byte() == node.start_byte());
    let kind = match walker.enclosing_kind() {
        SymbolKind::Table | SymbolKind::Struct => SymbolKind::Field,
        SymbolKind::Enum => SymbolKind::EnumMember,
        _ => return Flow::Descend,
    };
    let name = node.child_by_field_name("value").unwrap_or(node);
    if !is_first && name.kind() == "field" {
        walker.define(Draft {
            name: Draftee::Named(name, unquoted(walker.text(name))),
            doc: walker.doc_above(node.start_byte(), &DOC),
            ..Draft::new(kind, name, node)
        });
    }
    Flow::Descend
}

/// The end of a statement. If the source has no semicolon there, the inserted one replaces the statement's last
/// letter.
fn terminator(walker: &mut Walker<'_>, node: Node<'_>) -> Flow {
    let Some(number) = std::mem::take(&mut walker.scope().mark).checked_sub(1) else {
        return Flow::Skip;
    };
    let source = walker.source;
    let at = node.start_byte();
    let own = source.as_bytes().get(at).copied().unwrap_or(b';');
    let is_letter =
        own.is_ascii_alphanumeric() || own >= 0x80 || matches!(own, b'_' | b')' | b']' | b'\'' | b'"' | b'`');
    let Some(start) = walker
        .facts
        .definitions
        .get(number as usize)
        .map(|definition| definition.place.start_byte.get())
    else {
        return Flow::Skip;
    };
    let end = if is_letter {
        at + 1
    } else {
        last_token_end(source, start as usize, at)
    };
    let end_line = walker.row_of(end.saturating_sub(1)) + 1;
    let Some(definition) = walker.facts.definitions.get_mut(number as usize) else {
        return Flow::Skip;
    };
    definition.place.end_byte = (end as u32).into();
    definition.place.end_line = end_line.max(definition.place.line.get()).into();
    if definition.kind() == SymbolKind::Function {
        let more = create::decisions(source, start as usize, end);
        definition.complexity = (definition.complexity.get() + more).into();
    }
    Flow::Skip
}

/// Where the text before a byte ends, white space cut off.
fn last_token_end(source: &str, start: usize, end: usize) -> usize {
    source.get(start..end).map_or(end, |text| start + text.trim_end().len())
}

fn is_test_file(path: &RepoPath) -> bool {
    has_directory(path, &["test", "tests"])
}
