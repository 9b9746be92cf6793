//! GraphQL: types and their fields, directives, and named operations.

mod plain;

use lore_model::SymbolKind;

use crate::extract::{DocStyle, Draft, Walker, child_of_kind, children_of_kind};
use crate::language::{Flow, Language, Rule};
use crate::syntax::Node;

pub(crate) static GRAPHQL: Language = Language {
    name: "graphql",
    dialect: "graphql",
    extensions: &["graphql", "gql", "graphqls"],
    grammar: || tree_sitter_graphql::LANGUAGE.into(),
    blank: plain::plain,
    rules: &[
        ("comment", Rule::Visit(comment)),
        ("string_value", Rule::Text),
        ("schema_definition", Rule::Visit(schema)),
        ("scalar_type_definition", Rule::Visit(alias)),
        ("union_type_definition", Rule::Visit(alias)),
        ("object_type_definition", Rule::Visit(object)),
        ("input_object_type_definition", Rule::Visit(object)),
        ("interface_type_definition", Rule::Visit(interface)),
        ("enum_type_definition", Rule::Visit(enumeration)),
        ("object_type_extension", Rule::Visit(extension)),
        ("interface_type_extension", Rule::Visit(extension)),
        ("input_object_type_extension", Rule::Visit(extension)),
        ("enum_type_extension", Rule::Visit(extension)),
        ("field_definition", Rule::Visit(field)),
        ("input_value_definition", Rule::Visit(input_field)),
        ("enum_value_definition", Rule::Visit(enum_member)),
        ("directive_definition", Rule::Visit(directive)),
        ("operation_definition", Rule::Visit(operation)),
        ("fragment_definition", Rule::Visit(operation)),
    ],
    ..Language::BASE
};

/// Descriptions, and the comments above what cannot have one.
const DOC: DocStyle = DocStyle {
    line: &["#"],
    block: &[("\"\"\"", "\"\"\""), ("\"", "\"")],
    except: &["#import", "# import"],
};

/// Programs that join files read imports from comments.
fn comment(walker: &mut Walker<'_>, node: Node<'_>) -> Flow {
    walker.comment(node.start_byte(), node.end_byte());
    let text = walker.text(node).trim_start_matches('#').trim_start();
    let Some(rest) = text.strip_prefix("import ") else {
        return Flow::Skip;
    };
    let (names, file) = rest.split_once("from ").unwrap_or(("*", rest));
    let file = file.trim().trim_end_matches(';');
    let is_quoted = file.len() > 2 && file.starts_with(['"', '\'']) && file.ends_with(['"', '\'']);
    if is_quoted {
        let file = file.trim_matches(['"', '\'']);
        for name in names.split(',').map(str::trim).filter(|name| !name.is_empty()) {
            walker.import(node, file, name, name, 0);
        }
    }
    Flow::Skip
}

/// Records what a name stands for, up to its body or its directives, which are its decorators.
fn define(walker: &mut Walker<'_>, kind: SymbolKind, node: Node<'_>, name: Node<'_>) -> u32 {
    let description = child_of_kind(node, &["description"]);
    let start = match description {
        Some(description) => node
            .children()
            .find(|child| child.start_byte() >= description.end_byte() && child.kind() != "comment")
            .map_or(node.start_byte(), |child| child.start_byte()),
        None => node.start_byte(),
    };
    let end = child_of_kind(
        node,
        &[
            "directives",
            "fields_definition",
            "input_fields_definition",
            "enum_values_definition",
            "selection_set",
            "{",
        ],
    )
    .map_or(node.end_byte(), |part| part.start_byte());
    let doc = match description {
        Some(description) => DOC.read(&[walker.text(description)]),
        None => walker.doc_above(node.start_byte(), &DOC),
    };
    let decorators = child_of_kind(node, &["directives"])
        .map(|directives| children_of_kind(directives, &["directive"]))
        .unwrap_or_default()
        .into_iter()
        .map(|directive| walker.text(directive).trim_start_matches('@'))
        .collect();
    let definition = walker.define(Draft {
        signature: (start, end),
        doc,
        decorators,
        ..Draft::new(kind, name, node)
    });
    // A description stands before what it describes, as a comment would.
    let line = walker.row_of(start) + 1;
    if let Some(definition) = walker.facts.definitions.get_mut(definition as usize) {
        definition.place.start_byte = (start as u32).into();
        definition.place.start_line = line.into();
    }
    definition
}

fn declare(walker: &mut Walker<'_>, node: Node<'_>, kind: SymbolKind) -> Flow {
    if let Some(name) = child_of_kind(node, &["name", "fragment_name"]) {
        let definition = define(walker, kind, node, name);
        walker.open(definition);
    }
    Flow::Descend
}

fn object(walker: &mut Walker<'_>, node: Node<'_>) -> Flow {
    declare(walker, node, SymbolKind::Struct)
}

fn interface(walker: &mut Walker<'_>, node: Node<'_>) -> Flow {
    declare(walker, node, SymbolKind::Interface)
}

fn enumeration(walker: &mut Walker<'_>, node: Node<'_>) -> Flow {
    declare(walker, node, SymbolKind::Enum)
}

fn alias(walker: &mut Walker<'_>, node: Node<'_>) -> Flow {
    declare(walker, node, SymbolKind::TypeAlias)
}

fn directive(walker: &mut Walker<'_>, node: Node<'_>) -> Flow {
    declare(walker, node, SymbolKind::Macro)
}

/// A named operation or fragment; one without a name is all that its file has.
fn operation(walker: &mut Walker<'_>, node: Node<'_>) -> Flow {
    declare(walker, node, SymbolKind::Function)
}

/// The schema has no name but its own word.
fn schema(walker: &mut Walker<'_>, node: Node<'_>) -> Flow {
    if let Some(word) = child_of_kind(node, &["schema"]) {
        define(walker, SymbolKind::Block, node, word);
    }
    Flow::Descend
}

/// An extension is no definition: what it adds hangs on the type.
fn extension(walker: &mut Walker<'_>, node: Node<'_>) -> Flow {
    if let Some(name) = child_of_kind(node, &["name"]) {
        let kind = match node.kind() {
            "interface_type_extension" => SymbolKind::Interface,
            "enum_type_extension" => SymbolKind::Enum,
            _ => SymbolKind::Struct,
        };
        let name = walker.text(name);
        walker.open_named(name, kind, 0);
    }
    Flow::Descend
}

fn field(walker: &mut Walker<'_>, node: Node<'_>) -> Flow {
    if let Some(name) = child_of_kind(node, &["name"]) {
        define(walker, SymbolKind::Field, node, name);
    }
    Flow::Descend
}

/// A field of an input; elsewhere the same form is an argument.
fn input_field(walker: &mut Walker<'_>, node: Node<'_>) -> Flow {
    let is_field = walker
        .parent()
        .is_some_and(|parent| parent.kind() == "input_fields_definition");
    if is_field { field(walker, node) } else { Flow::Descend }
}

fn enum_member(walker: &mut Walker<'_>, node: Node<'_>) -> Flow {
    if let Some(name) = child_of_kind(node, &["enum_value"]) {
        define(walker, SymbolKind::EnumMember, node, name);
    }
    Flow::Descend
}
