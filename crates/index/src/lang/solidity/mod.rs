//! Solidity: contracts, interfaces and libraries with their members, NatSpec comments, imports, and tests of Foundry.

mod flow;

use lore_model::{Modifier, Modifiers, RepoPath, SymbolKind, Visibility};

use crate::extract::{DocStyle, Draft, Draftee, Walker, child_of_kind, children_of_kind, has_child};
use crate::language::{Flow, Language, Rule};
use crate::layout::has_directory;
use crate::syntax::Node;

pub(crate) static SOLIDITY: Language = Language {
    name: "solidity",
    dialect: "solidity",
    extensions: &["sol"],
    grammar: || tree_sitter_solidity::LANGUAGE.into(),
    rules: &[
        ("comment", Rule::Comment),
        ("import_directive", Rule::Visit(import)),
        ("contract_declaration", Rule::Visit(class)),
        ("library_declaration", Rule::Visit(class)),
        ("interface_declaration", Rule::Visit(interface)),
        ("struct_declaration", Rule::Visit(record)),
        ("struct_member", Rule::Visit(field)),
        ("enum_declaration", Rule::Visit(enumeration)),
        ("enum_value", Rule::Visit(enum_value)),
        ("event_definition", Rule::Visit(record)),
        ("error_declaration", Rule::Visit(record)),
        ("user_defined_type_definition", Rule::Visit(type_alias)),
        ("state_variable_declaration", Rule::Visit(variable)),
        ("constant_variable_declaration", Rule::Visit(variable)),
        ("function_definition", Rule::Visit(function)),
        ("constructor_definition", Rule::Visit(constructor)),
        ("fallback_receive_definition", Rule::Visit(fallback)),
        ("modifier_definition", Rule::Visit(modifier)),
        ("yul_function_definition", Rule::Visit(yul_function)),
        ("if_statement", Rule::Decision),
        ("for_statement", Rule::Decision),
        ("while_statement", Rule::Decision),
        ("do_while_statement", Rule::Decision),
        ("ternary_expression", Rule::Decision),
        ("catch_clause", Rule::Decision),
        ("yul_if_statement", Rule::Decision),
        ("yul_for_statement", Rule::Decision),
        ("case", Rule::Decision),
        ("&&", Rule::Decision),
        ("||", Rule::Decision),
    ],
    is_test_file,
    flow: Some(&flow::RULES),
    shares_modules: true,
    ..Language::BASE
};

/// NatSpec.
const DOC: DocStyle = DocStyle {
    line: &["///"],
    block: &[("/**", "*/")],
    except: &["////", "/***"],
};

/// The documentation above a byte: each tag begins a paragraph, and those that only say that prose follows are left out.
fn doc_above(walker: &Walker<'_>, byte: usize) -> Option<String> {
    let doc = walker.doc_above(byte, &DOC)?;
    let mut cleaned = String::new();
    for line in doc.lines() {
        let trimmed = line.trim_start();
        let prose = ["@title", "@notice", "@dev"]
            .iter()
            .find_map(|tag| trimmed.strip_prefix(tag));
        if trimmed.starts_with('@') && !cleaned.is_empty() {
            cleaned.push('\n');
        }
        cleaned.push_str(prose.map_or(line, str::trim_start));
        cleaned.push('\n');
    }
    let cleaned = cleaned.trim();
    // What is said of the same thing elsewhere is not repeated here.
    let is_empty = cleaned.is_empty() || (cleaned.starts_with("@inheritdoc") && !cleaned.contains('\n'));
    (!is_empty).then(|| cleaned.to_owned())
}

/// Where the signature of a declaration ends.
fn body_start(node: Node<'_>) -> usize {
    node.child_by_field_name("body")
        .map_or(node.end_byte(), |body| body.start_byte())
}

/// A string without its quotes.
fn unquoted<'t>(walker: &Walker<'t>, string: Node<'t>) -> &'t str {
    walker.text(string).trim_matches(['"', '\''])
}

fn import<'t>(walker: &mut Walker<'t>, node: Node<'t>) -> Flow {
    let Some(source) = node.child_by_field_name("source") else {
        return Flow::Descend;
    };
    let module = unquoted(walker, source);
    let mut names: Vec<(Node<'t>, Option<Node<'t>>)> = Vec::new();
    let mut whole = None;
    let mut cursor = node.walk();
    if cursor.goto_first_child() {
        loop {
            match (cursor.field_name(), names.last_mut()) {
                (Some("import_name"), _) => names.push((cursor.node(), None)),
                (Some("alias"), Some((_, alias))) => *alias = Some(cursor.node()),
                (Some("alias"), None) => whole = Some(cursor.node()),
                _ => {}
            }
            if !cursor.goto_next_sibling() {
                break;
            }
        }
    }
    if let Some(alias) = whole {
        walker.import(node, module, "", walker.text(alias), 0);
    } else if names.is_empty() {
        walker.import(node, module, "*", "*", 0);
    }
    for (name, alias) in names {
        walker.import(name, module, walker.text(name), walker.text(alias.unwrap_or(name)), 0);
    }
    Flow::Skip
}

fn class<'t>(walker: &mut Walker<'t>, node: Node<'t>) -> Flow {
    declare_type(walker, node, SymbolKind::Class)
}

fn interface<'t>(walker: &mut Walker<'t>, node: Node<'t>) -> Flow {
    declare_type(walker, node, SymbolKind::Interface)
}

/// A struct, an event or an error: a name for values with names.
fn record<'t>(walker: &mut Walker<'t>, node: Node<'t>) -> Flow {
    declare_type(walker, node, SymbolKind::Struct)
}

fn enumeration<'t>(walker: &mut Walker<'t>, node: Node<'t>) -> Flow {
    declare_type(walker, node, SymbolKind::Enum)
}

fn declare_type<'t>(walker: &mut Walker<'t>, node: Node<'t>, kind: SymbolKind) -> Flow {
    let Some(name) = node.child_by_field_name("name") else {
        return Flow::Descend;
    };
    let mut modifiers = Modifiers::default();
    if has_child(node, "abstract") {
        modifiers.insert(Modifier::Abstract);
    }
    let definition = walker.define(Draft {
        signature: (node.start_byte(), body_start(node)),
        doc: doc_above(walker, node.start_byte()),
        modifiers,
        ..Draft::new(kind, name, node)
    });
    walker.open(definition);
    Flow::Descend
}

fn field<'t>(walker: &mut Walker<'t>, node: Node<'t>) -> Flow {
    if let Some(name) = node.child_by_field_name("name") {
        walker.define(Draft {
            doc: doc_above(walker, node.start_byte()),
            ..Draft::new(SymbolKind::Field, name, node)
        });
    }
    Flow::Descend
}

fn enum_value<'t>(walker: &mut Walker<'t>, node: Node<'t>) -> Flow {
    walker.define(Draft {
        doc: doc_above(walker, node.start_byte()),
        ..Draft::new(SymbolKind::EnumMember, node, node)
    });
    Flow::Descend
}

fn type_alias<'t>(walker: &mut Walker<'t>, node: Node<'t>) -> Flow {
    if let Some(name) = node.child_by_field_name("name") {
        walker.define(Draft {
            doc: doc_above(walker, node.start_byte()),
            ..Draft::new(SymbolKind::TypeAlias, name, node)
        });
    }
    Flow::Descend
}

/// What a declaration says of who may use it.
fn visibility(walker: &Walker<'_>, node: Node<'_>, otherwise: Visibility) -> Visibility {
    match child_of_kind(node, &["visibility"]).map(|word| walker.text(word).trim()) {
        Some("public" | "external") => Visibility::Public,
        Some("internal") => Visibility::Internal,
        Some("private") => Visibility::Private,
        _ => otherwise,
    }
}

fn variable<'t>(walker: &mut Walker<'t>, node: Node<'t>) -> Flow {
    let Some(name) = node.child_by_field_name("name") else {
        return Flow::Descend;
    };
    let in_file = walker.enclosing_kind() == SymbolKind::Module;
    let is_constant = node.kind() == "constant_variable_declaration" || has_child(node, "constant");
    let mut modifiers = Modifiers::default();
    if has_child(node, "immutable") {
        modifiers.insert(Modifier::Final);
    }
    if has_child(node, "override_specifier") {
        modifiers.insert(Modifier::Override);
    }
    let otherwise = if in_file {
        Visibility::Public
    } else {
        Visibility::Internal
    };
    let definition = walker.define(Draft {
        doc: doc_above(walker, node.start_byte()),
        visibility: visibility(walker, node, otherwise),
        modifiers,
        ..Draft::new(
            if is_constant {
                SymbolKind::Constant
            } else {
                SymbolKind::Field
            },
            name,
            node,
        )
    });
    walker.open(definition);
    Flow::Descend
}

/// Records something with a body; the modifiers it invokes are its decorators.
fn define<'t>(
    walker: &mut Walker<'t>,
    node: Node<'t>,
    kind: SymbolKind,
    name: Draftee<'t>,
    seen_by: Visibility,
) -> Flow {
    let mut modifiers = Modifiers::default();
    if has_child(node, "override_specifier") {
        modifiers.insert(Modifier::Override);
    }
    let is_declared = node.child_by_field_name("body").is_none();
    if is_declared && walker.enclosing_kind() == SymbolKind::Class {
        modifiers.insert(Modifier::Abstract);
    }
    let decorators = children_of_kind(node, &["modifier_invocation"])
        .into_iter()
        .map(|invocation| walker.text(invocation))
        .collect();
    let definition = walker.define(Draft {
        name,
        signature: (node.start_byte(), body_start(node)),
        doc: doc_above(walker, node.start_byte()),
        visibility: seen_by,
        modifiers,
        decorators,
        ..Draft::new(kind, node, node)
    });
    walker.open(definition);
    Flow::Descend
}

fn function<'t>(walker: &mut Walker<'t>, node: Node<'t>) -> Flow {
    let Some(name) = node.child_by_field_name("name") else {
        return Flow::Descend;
    };
    let text = walker.text(name);
    let seen_by = visibility(walker, node, Visibility::Public);
    let contract = walker.scope().definition;
    let contract = walker
        .facts
        .definitions
        .get(contract as usize)
        .map(|contract| contract.name);
    let is_test = walker.role.test
        && seen_by == Visibility::Public
        && (text.starts_with("test") || text.starts_with("invariant_"));
    let kind = if walker.enclosing_kind() == SymbolKind::Module {
        SymbolKind::Function
    } else if contract.is_some_and(|contract| walker.facts.text.get(contract) == text) {
        // As constructors were once written.
        SymbolKind::Constructor
    } else if is_test {
        SymbolKind::Test
    } else {
        SymbolKind::Method
    };
    define(walker, node, kind, Draftee::Node(name), seen_by)
}

fn constructor<'t>(walker: &mut Walker<'t>, node: Node<'t>) -> Flow {
    let name = Draftee::Named(node, "constructor");
    let seen_by = visibility(walker, node, Visibility::Public);
    define(walker, node, SymbolKind::Constructor, name, seen_by)
}

/// `receive`, `fallback`, or a function without a name, as the latter was once written.
fn fallback<'t>(walker: &mut Walker<'t>, node: Node<'t>) -> Flow {
    let word = node.child(0).map_or("", |word| word.kind());
    let name = if word == "receive" { "receive" } else { "fallback" };
    define(
        walker,
        node,
        SymbolKind::Method,
        Draftee::Named(node, name),
        Visibility::Public,
    )
}

/// A modifier is put around the functions that name it when they are compiled.
fn modifier<'t>(walker: &mut Walker<'t>, node: Node<'t>) -> Flow {
    match node.child_by_field_name("name") {
        Some(name) => define(
            walker,
            node,
            SymbolKind::Macro,
            Draftee::Node(name),
            Visibility::Internal,
        ),
        None => Flow::Descend,
    }
}

/// A function inside `assembly`.
fn yul_function<'t>(walker: &mut Walker<'t>, node: Node<'t>) -> Flow {
    let Some(name) = child_of_kind(node, &["yul_identifier"]) else {
        return Flow::Descend;
    };
    let end = child_of_kind(node, &["yul_block"]).map_or(node.end_byte(), |block| block.start_byte());
    let definition = walker.define(Draft {
        signature: (node.start_byte(), end),
        doc: doc_above(walker, node.start_byte()),
        visibility: Visibility::Private,
        ..Draft::new(SymbolKind::Function, name, node)
    });
    walker.open(definition);
    Flow::Descend
}

fn is_test_file(path: &RepoPath) -> bool {
    path.file_name().ends_with(".t.sol") || has_directory(path, &["test", "tests"])
}
