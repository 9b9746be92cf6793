//! TypeScript and TSX: JavaScript's rules, and what declares types.

mod uses;

use lore_model::{Modifier, Modifiers, SymbolKind};

use super::javascript::{
    self, class, class_member_visibility, doc_before, export_statement, member_modifiers, module_visibility,
};
use crate::extract::{Draft, Draftee, Walker, clean_block_doc};
use crate::language::{Flow, Language, Rule};
use crate::syntax::Node;

pub(crate) static TYPESCRIPT: Language = Language {
    name: "typescript",
    dialect: "typescript",
    extensions: &["mts", "cts"],
    disputed: &["ts"],
    likeness,
    interpreters: &["ts-node", "tsx", "deno", "bun"],
    grammar: || tree_sitter_typescript::LANGUAGE_TYPESCRIPT.into(),
    blank: blank_unknown,
    rules: RULES,
    finish: javascript::finish,
    module_name: javascript::module_name,
    is_test_file: javascript::is_test_file,
    declaration_suffixes: &[".d.ts", ".d.mts", ".d.cts"],
    roots: javascript::roots,
    entry_points: super::javascript::entry_points::ENTRY_POINTS,
    flow: Some(&javascript::FLOW),
    ..Language::BASE
};

pub(crate) static TSX: Language = Language {
    name: "typescript",
    dialect: "tsx",
    extensions: &["tsx"],
    grammar: || tree_sitter_typescript::LANGUAGE_TSX.into(),
    blank: blank_unknown,
    rules: RULES,
    finish: javascript::finish,
    module_name: javascript::module_name,
    is_test_file: javascript::is_test_file,
    declaration_suffixes: &[".d.ts", ".d.mts", ".d.cts"],
    roots: javascript::roots,
    entry_points: super::javascript::entry_points::ENTRY_POINTS,
    flow: Some(&javascript::FLOW),
    ..Language::BASE
};

/// `.ts` is also what Qt calls its translations, which are XML, and what television calls a stream.
fn likeness(text: &str) -> u8 {
    let text = text.trim_start_matches('\u{feff}').trim_start();
    let is_markup = ["<?xml", "<!DOCTYPE"].iter().any(|start| text.starts_with(start));
    u8::from(!is_markup && !text.contains('\0'))
}

/// What TypeScript's kinds of nodes mean.
pub(super) const RULES: &[(&str, Rule)] = &[
    ("comment", Rule::Comment),
    ("html_comment", Rule::Comment),
    ("hash_bang_line", Rule::Leaf),
    ("template_string", Rule::Text),
    ("program", Rule::Visit(javascript::program)),
    ("function_declaration", Rule::Visit(javascript::function_declaration)),
    (
        "generator_function_declaration",
        Rule::Visit(javascript::function_declaration),
    ),
    ("function_signature", Rule::Visit(javascript::function_declaration)),
    ("function_expression", Rule::Visit(javascript::function_expression)),
    ("generator_function", Rule::Visit(javascript::function_expression)),
    ("arrow_function", Rule::Visit(javascript::function_expression)),
    ("class_declaration", Rule::Visit(class)),
    ("abstract_class_declaration", Rule::Visit(class)),
    ("class", Rule::Visit(class)),
    ("decorator", Rule::Visit(javascript::decorator)),
    ("method_definition", Rule::Visit(javascript::method)),
    ("method_signature", Rule::Visit(javascript::method)),
    ("abstract_method_signature", Rule::Visit(javascript::method)),
    ("public_field_definition", Rule::Visit(javascript::field)),
    ("property_signature", Rule::Visit(property_signature)),
    ("required_parameter", Rule::Visit(parameter_property)),
    ("optional_parameter", Rule::Visit(parameter_property)),
    ("interface_declaration", Rule::Visit(interface)),
    ("type_alias_declaration", Rule::Visit(type_alias)),
    ("enum_declaration", Rule::Visit(enumeration)),
    ("enum_body", Rule::Visit(enum_body)),
    ("internal_module", Rule::Visit(namespace)),
    ("module", Rule::Visit(namespace)),
    ("variable_declarator", Rule::Visit(javascript::variable)),
    ("assignment_expression", Rule::Visit(javascript::assignment)),
    ("object", Rule::Visit(javascript::object)),
    ("pair", Rule::Visit(javascript::pair)),
    ("call_expression", Rule::Visit(javascript::call)),
    ("yield_expression", Rule::Pass),
    ("export_statement", Rule::Visit(export_statement)),
    ("import_statement", Rule::Visit(javascript::import)),
    ("import_alias", Rule::Visit(import_alias)),
    ("type_identifier", Rule::Visit(uses::type_name)),
    ("nested_type_identifier", Rule::Visit(uses::type_name)),
    ("if_statement", Rule::Decision),
    ("for_statement", Rule::Decision),
    ("for_in_statement", Rule::Decision),
    ("while_statement", Rule::Decision),
    ("do_statement", Rule::Decision),
    ("switch_case", Rule::Decision),
    ("catch_clause", Rule::Decision),
    ("ternary_expression", Rule::Decision),
    ("&&", Rule::Decision),
    ("||", Rule::Decision),
];

/// How far ahead the end of a comment or a module's name is looked for, so that no text can make the search long.
const NEAR: usize = 300;
/// Comments between `<` and a type parameter that are passed over.
const MAX_COMMENTS: usize = 2;

/// Blanks out what the grammar does not know: variance, import types with arguments, `export type *`. Nothing else is touched but texts and
/// comments, whose bytes are not taken from the blanked copy.
fn blank_unknown(source: &str) -> Option<String> {
    let mut blanked = None;
    blank_variance(source.as_bytes(), &mut blanked);
    blank_import_types(source.as_bytes(), &mut blanked);
    blank_export_type(source.as_bytes(), &mut blanked);
    String::from_utf8(blanked?).ok()
}

/// Blanks out a range of the copy, which is made when it is needed first.
fn blank_range(bytes: &[u8], blanked: &mut Option<Vec<u8>>, range: std::ops::Range<usize>) {
    blanked.get_or_insert_with(|| bytes.to_vec())[range].fill(b' ');
}

/// `import("m").T<A>` is a type: without its `import("m").` the grammar knows it.
fn blank_import_types(bytes: &[u8], blanked: &mut Option<Vec<u8>>) {
    for start in memchr::memmem::find_iter(bytes, b"import(\"") {
        let near = &bytes[start..bytes.len().min(start + NEAR)];
        let Some(quoted) = memchr::memmem::find(near, b"\").") else {
            continue;
        };
        let end = start + quoted + 3;
        let is_literal = !bytes[start + 8..start + quoted]
            .iter()
            .any(|byte| matches!(byte, b'"' | b'\n'));
        let is_name = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'$' | b'.');
        let name = bytes[end..].iter().take_while(|byte| is_name(byte)).count();
        if is_literal && name > 0 && bytes.get(end + name) == Some(&b'<') {
            blank_range(bytes, blanked, start..end);
        }
    }
}

/// `export type * from "m"` is to the graph what `export * from "m"` is.
fn blank_export_type(bytes: &[u8], blanked: &mut Option<Vec<u8>>) {
    for start in memchr::memmem::find_iter(bytes, b"export type *") {
        blank_range(bytes, blanked, start + 7..start + 11);
    }
}

/// `in` and `out` before a type parameter stand directly after `<` or `,`, where no expression can have them.
fn blank_variance(bytes: &[u8], blanked: &mut Option<Vec<u8>>) {
    for opener in memchr::memchr2_iter(b'<', b',', bytes) {
        let mut at = opener + 1;
        for word in [b"in".as_slice(), b"out".as_slice()] {
            let start = skip_blank(bytes, at);
            let end = start + word.len();
            if bytes.get(start..end) != Some(word) || !bytes.get(end).is_some_and(u8::is_ascii_whitespace) {
                continue;
            }
            let next = skip_blank(bytes, end);
            let names = |byte: &u8| byte.is_ascii_alphabetic() || matches!(byte, b'_' | b'$') || !byte.is_ascii();
            if bytes.get(next).is_some_and(names) {
                blank_range(bytes, blanked, start..end);
                at = end;
            }
        }
    }
}

/// The first byte from `at` on that is neither white space nor part of one of a few comments nearby.
fn skip_blank(bytes: &[u8], mut at: usize) -> usize {
    for _ in 0..MAX_COMMENTS {
        let rest = &bytes[at..bytes.len().min(at + NEAR)];
        at += rest.iter().take_while(|byte| byte.is_ascii_whitespace()).count();
        let rest = &bytes[at..bytes.len().min(at + NEAR)];
        let comment = match rest {
            [b'/', b'/', ..] => memchr::memchr(b'\n', rest),
            [b'/', b'*', ..] => memchr::memmem::find(rest, b"*/").map(|end| end + 2),
            _ => None,
        };
        match comment {
            Some(len) => at += len,
            None => break,
        }
    }
    at
}

fn property_signature<'t>(walker: &mut Walker<'t>, node: Node<'t>) -> Flow {
    let Some(name) = node.child_by_field_name("name") else {
        return Flow::Descend;
    };
    if !javascript::in_type_body(walker) || name.kind() == "computed_property_name" {
        return Flow::Descend;
    }
    let modifiers = member_modifiers(node, name);
    let text = javascript::property_name(walker, name);
    let doc = doc_before(walker, node.start_byte());
    let visibility = class_member_visibility(walker, node, text);
    walker.define(Draft {
        name: Draftee::Named(name, text),
        doc,
        modifiers,
        visibility,
        ..Draft::new(SymbolKind::Field, name, node)
    });
    Flow::Descend
}

/// `constructor(private x: T)` declares the field `x`.
fn parameter_property<'t>(walker: &mut Walker<'t>, node: Node<'t>) -> Flow {
    let declares = node.children().any(|child| {
        matches!(
            child.kind(),
            "accessibility_modifier" | "override_modifier" | "readonly"
        )
    });
    let Some(pattern) = node
        .child_by_field_name("pattern")
        .filter(|pattern| pattern.kind() == "identifier")
    else {
        return Flow::Descend;
    };
    if !declares || walker.enclosing_kind() != SymbolKind::Constructor {
        return Flow::Descend;
    }
    let modifiers = member_modifiers(node, pattern);
    let text = walker.text(pattern);
    let visibility = class_member_visibility(walker, node, text);
    let constructor = walker.scopes.pop();
    walker.define(Draft {
        modifiers,
        visibility,
        ..Draft::new(SymbolKind::Field, pattern, node)
    });
    walker.scopes.extend(constructor);
    Flow::Descend
}

fn interface<'t>(walker: &mut Walker<'t>, node: Node<'t>) -> Flow {
    let (Some(name), Some(body)) = (node.child_by_field_name("name"), node.child_by_field_name("body")) else {
        return Flow::Descend;
    };
    let draft = declaration(walker, SymbolKind::Interface, name, node, body.start_byte());
    let definition = walker.define(draft);
    walker.open(definition);
    Flow::Descend
}

fn type_alias<'t>(walker: &mut Walker<'t>, node: Node<'t>) -> Flow {
    let Some(name) = node.child_by_field_name("name") else {
        return Flow::Descend;
    };
    let draft = declaration(walker, SymbolKind::TypeAlias, name, node, node.end_byte());
    walker.define(draft);
    Flow::Descend
}

fn enumeration<'t>(walker: &mut Walker<'t>, node: Node<'t>) -> Flow {
    let (Some(name), Some(body)) = (node.child_by_field_name("name"), node.child_by_field_name("body")) else {
        return Flow::Descend;
    };
    let mut draft = declaration(walker, SymbolKind::Enum, name, node, body.start_byte());
    if walker.text(node).starts_with("const") {
        draft.modifiers.insert(Modifier::Const);
    }
    let definition = walker.define(draft);
    walker.open(definition);
    Flow::Descend
}

fn enum_body<'t>(walker: &mut Walker<'t>, node: Node<'t>) -> Flow {
    let mut comment: Option<Node<'t>> = None;
    for member in node.named_children() {
        if member.kind() == "comment" {
            comment = Some(member);
            continue;
        }
        // The walk has not come to these comments yet.
        let doc = comment
            .take()
            .map(|comment| walker.text(comment))
            .filter(|text| text.starts_with("/**"));
        let doc = doc.map(clean_block_doc);
        let name = match member.kind() {
            "enum_assignment" => member.child_by_field_name("name"),
            "property_identifier" | "string" | "number" | "private_property_identifier" => Some(member),
            _ => None,
        };
        let Some(name) = name else { continue };
        let text = javascript::property_name(walker, name);
        walker.define(Draft {
            name: Draftee::Named(name, text),
            doc,
            ..Draft::new(SymbolKind::EnumMember, name, member)
        });
    }
    Flow::Descend
}

fn namespace<'t>(walker: &mut Walker<'t>, node: Node<'t>) -> Flow {
    let Some(name) = node.child_by_field_name("name") else {
        return Flow::Descend;
    };
    let end = node
        .child_by_field_name("body")
        .map_or(node.end_byte(), |body| body.start_byte());
    let text = javascript::property_name(walker, name);
    let (owner, text) = match name.kind() {
        "nested_identifier" => text.rsplit_once('.').unwrap_or(("", text)),
        _ => ("", text),
    };
    let draft = Draft {
        owner,
        ..declaration(walker, SymbolKind::Namespace, name, node, end)
    };
    let definition = walker.define(Draft {
        name: Draftee::Named(name, text),
        ..draft
    });
    walker.open(definition);
    Flow::Descend
}

/// What all declarations share: visibility by export, the comment before `export` or `declare`, and their words.
fn declaration<'t>(
    walker: &mut Walker<'t>,
    kind: SymbolKind,
    name: Node<'t>,
    node: Node<'t>,
    signature_end: usize,
) -> Draft<'t> {
    let outer = javascript::outer_statement(walker, node);
    let mut modifiers = Modifiers::default();
    if walker
        .ancestors()
        .take(2)
        .any(|parent| parent.kind() == "ambient_declaration")
    {
        modifiers.insert(Modifier::Declare);
    }
    let (visibility, flags) = module_visibility(walker);
    javascript::default_modifier(walker, &mut modifiers);
    Draft {
        doc: doc_before(walker, outer.start_byte()),
        signature: (outer.start_byte(), signature_end),
        visibility,
        modifiers,
        flags,
        ..Draft::new(kind, name, node)
    }
}

fn import_alias<'t>(walker: &mut Walker<'t>, node: Node<'t>) -> Flow {
    if let (Some(local), Some(target)) = (node.named_child(0), node.named_child(1)) {
        let (local, target) = (walker.text(local), walker.text(target));
        let (module, name) = target.rsplit_once('.').unwrap_or((target, ""));
        walker.import(node, module, name, local, 0);
    }
    Flow::Skip
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn translations_and_streams_are_not_typescript() {
        assert_eq!(likeness("<?xml version=\"1.0\"?>\n<!DOCTYPE TS>"), 0);
        assert_eq!(likeness("\n<!DOCTYPE TS><TS version=\"2.1\">"), 0);
        assert_eq!(likeness("G@\0\u{10}"), 0);
        assert_eq!(likeness("const a = <T>(x: T) => x;"), 1);
        assert_eq!(likeness(""), 1);
    }

    #[test]
    fn what_the_grammar_does_not_know_is_blanked_and_nothing_else() {
        let blanked = |source: &str| blank_unknown(source).unwrap_or_else(|| source.to_owned());
        for (source, expected) in [
            (
                "interface A<in T, out U, in out V> {}",
                "interface A<   T,     U,        V> {}",
            ),
            ("interface A<\n  in\n T> {}", "interface A<\n    \n T> {}"),
            (
                "for (const a in b) f(a, b < c, out)",
                "for (const a in b) f(a, b < c, out)",
            ),
            ("f(inner, output, a<b)", "f(inner, output, a<b)"),
            ("type A<out> = out", "type A<out> = out"),
            ("let f: import(\"./m\").F<A>;", "let f:               F<A>;"),
            ("let f: import(\"./m\").F;", "let f: import(\"./m\").F;"),
            ("import(\"m\").then((m) => m)", "import(\"m\").then((m) => m)"),
            ("export type * from \"m\";", "export      * from \"m\";"),
        ] {
            assert_eq!(blanked(source), expected);
        }
    }
}
