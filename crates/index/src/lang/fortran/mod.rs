//! Fortran: modules, procedures, derived types, interfaces, constants and `use`, in free and in fixed form.

mod access;
mod conditions;
mod docs;
mod fixed;
mod flow;

use lore_model::{Modifier, Modifiers, NONE, RepoPath, SymbolKind, Visibility};

use crate::extract::{Draft, Draftee, Walker, child_of_kind, children_of_kind, has_child};
use crate::language::{Flow, Language, Rule};
use crate::layout::has_directory;
use crate::syntax::Node;

pub(crate) static FORTRAN: Language = Language {
    name: "fortran",
    dialect: "fortran",
    extensions: &["f90", "f95", "f03", "f08", "f18", "f77", "ftn", "fpp", "pf"],
    disputed: &["f", "for"],
    likeness,
    grammar: || tree_sitter_fortran::LANGUAGE.into(),
    blank,
    rules: &[
        ("comment", Rule::Comment),
        ("multiline_preproc_comment", Rule::Comment),
        ("inline_preproc_comment", Rule::Comment),
        ("string_literal", Rule::Text),
        ("&", Rule::Visit(continuation)),
        ("custom_directive", Rule::Visit(directive)),
        ("module", Rule::Visit(module)),
        ("submodule", Rule::Visit(module)),
        ("block_data", Rule::Visit(module)),
        ("module_statement", Rule::Visit(access::module)),
        ("submodule_statement", Rule::Visit(submodule_statement)),
        ("program", Rule::Visit(program)),
        ("subroutine", Rule::Visit(procedure)),
        ("function", Rule::Visit(procedure)),
        ("module_procedure", Rule::Visit(procedure)),
        ("entry_statement", Rule::Visit(entry)),
        ("interface", Rule::Visit(interface)),
        ("derived_type_definition", Rule::Visit(derived_type)),
        ("derived_type_statement", Rule::Visit(access::derived_type)),
        ("derived_type_procedures", Rule::Visit(access::bound_procedures)),
        ("procedure_statement", Rule::Visit(bound_procedure)),
        ("generic_statement", Rule::Visit(bound_procedure)),
        ("final_statement", Rule::Visit(bound_procedure)),
        ("variable_declaration", Rule::Visit(variables)),
        ("parameter_statement", Rule::Visit(parameters)),
        ("enumeration_type", Rule::Visit(enumeration)),
        ("enumerator_statement", Rule::Visit(enumerators)),
        ("preproc_def", Rule::Visit(preprocessor_macro)),
        ("preproc_function_def", Rule::Visit(preprocessor_macro)),
        ("use_statement", Rule::Visit(use_statement)),
        ("include_statement", Rule::Visit(include)),
        ("preproc_include", Rule::Visit(include)),
        ("if_statement", Rule::Decision),
        ("arithmetic_if_statement", Rule::Decision),
        ("elseif_clause", Rule::Decision),
        ("do_loop", Rule::Decision),
        ("where_statement", Rule::Decision),
        ("elsewhere_clause", Rule::Visit(elsewhere)),
        ("forall_statement", Rule::Decision),
        ("case_statement", Rule::Visit(case)),
        ("type_statement", Rule::Visit(case)),
        ("rank_statement", Rule::Visit(case)),
        ("conditional_expression", Rule::Decision),
        (".and.", Rule::Decision),
        (".or.", Rule::Decision),
    ],
    is_test_file,
    flow: Some(&flow::RULES),
    shares_modules: true,
    ..Language::BASE
};

/// Marks an interface inside a procedure: it only says how something else is called there.
const LOCAL_INTERFACE: u32 = 1;
/// Marks an abstract interface, whose procedures are shapes that others are declared with.
const ABSTRACT: u32 = 2;
/// Marks a submodule, which nobody can use by name.
const SUBMODULE: u32 = 4;
/// Marks block data, whose variables belong to common blocks.
const BLOCK_DATA: u32 = 8;
/// Marks the procedures of a type that are private unless they say otherwise.
const PRIVATE: u32 = 16;

/// The text as the grammar reads it: in free form, and without preprocessor conditions that cut through statements.
fn blank(source: &str) -> Option<String> {
    let freed = fixed::freed(source);
    let was_fixed = freed.is_some();
    let mut bytes = freed.unwrap_or_else(|| source.as_bytes().to_vec());
    let has_changed = conditions::blank(&mut bytes);
    (was_fixed || has_changed).then(|| String::from_utf8(bytes).ok())?
}

/// The sign that leads over lines is no part of a signature.
fn continuation(walker: &mut Walker<'_>, node: Node<'_>) -> Flow {
    if node.start_byte() < node.end_byte() {
        walker.comment(node.start_byte(), node.end_byte());
    }
    Flow::Skip
}

/// `@test` and its like, which the test framework pFUnit reads.
fn directive(walker: &mut Walker<'_>, node: Node<'_>) -> Flow {
    walker
        .attributes
        .push((node.start_byte() as u32, node.end_byte() as u32));
    Flow::Skip
}

fn module<'t>(walker: &mut Walker<'t>, node: Node<'t>) -> Flow {
    let (statement, mark) = match node.kind() {
        "submodule" => ("submodule_statement", SUBMODULE),
        "block_data" => ("block_data_statement", BLOCK_DATA),
        _ => ("module_statement", 0),
    };
    let Some(statement) = child_of_kind(node, &[statement]) else {
        return Flow::Descend;
    };
    let doc = docs::of_block(walker, node, Some(statement));
    if walker.facts.definitions.is_empty()
        && let Some(doc) = &doc
    {
        walker.module_doc(doc);
    }
    let Some(name) = child_of_kind(statement, &["name"]) else {
        walker.open_named("", SymbolKind::Namespace, mark);
        return Flow::Descend;
    };
    let definition = walker.define(Draft {
        signature: (node.start_byte(), statement_end(statement)),
        doc,
        ..Draft::new(SymbolKind::Namespace, name, node)
    });
    walker.open_marked(definition, mark);
    Flow::Descend
}

/// Where the words of a statement end: the node goes on to the end of the line.
fn statement_end(statement: Node<'_>) -> usize {
    let last = statement
        .child_count()
        .checked_sub(1)
        .and_then(|last| statement.child(last));
    last.map_or(statement.end_byte(), |last| last.end_byte())
}

/// A submodule sees all that its parent declares.
fn submodule_statement<'t>(walker: &mut Walker<'t>, node: Node<'t>) -> Flow {
    let parent = node
        .child_by_field_name("parent")
        .or_else(|| node.child_by_field_name("ancestor"));
    if let Some(parent) = parent {
        walker.import(node, walker.text(parent), "*", "*", 0);
    }
    access::module(walker, node)
}

fn program<'t>(walker: &mut Walker<'t>, node: Node<'t>) -> Flow {
    let statement = child_of_kind(node, &["program_statement"]);
    let doc = docs::of_block(walker, node, statement);
    if walker.facts.definitions.is_empty()
        && let Some(doc) = &doc
    {
        walker.module_doc(doc);
    }
    let name = statement.and_then(|statement| child_of_kind(statement, &["name"]));
    let draft = match name {
        Some(name) => Draft::new(SymbolKind::Function, name, node),
        None => Draft::anonymous(SymbolKind::Function, "program", node),
    };
    let definition = walker.define(Draft {
        signature: (node.start_byte(), statement.map_or(node.start_byte(), statement_end)),
        doc,
        ..draft
    });
    walker.open(definition);
    Flow::Descend
}

/// A subroutine or function, or how one that stands elsewhere is called.
fn procedure<'t>(walker: &mut Walker<'t>, node: Node<'t>) -> Flow {
    let statement = child_of_kind(
        node,
        &[
            "subroutine_statement",
            "function_statement",
            "module_procedure_statement",
        ],
    );
    let Some((statement, name)) =
        statement.and_then(|statement| Some((statement, statement.child_by_field_name("name")?)))
    else {
        return Flow::Descend;
    };
    let mark = walker.scope().mark;
    if mark & LOCAL_INTERFACE != 0 {
        walker.open_named("", SymbolKind::Function, LOCAL_INTERFACE);
        return Flow::Descend;
    }
    let mut modifiers = Modifiers::default();
    if walker.enclosing_kind() == SymbolKind::Interface {
        modifiers.insert(Modifier::Declare);
        if mark & ABSTRACT != 0 {
            modifiers.insert(Modifier::Abstract);
        }
    }
    if has_child(statement, "language_binding") {
        modifiers.insert(Modifier::Extern);
    }
    let (attributes, _) = walker.take_attributes(node.start_byte());
    let decorators: Vec<&str> = attributes
        .into_iter()
        .map(|attribute| attribute.trim_start_matches('@'))
        .collect();
    let text = walker.text(name);
    let is_test = decorators.iter().any(|decorator| {
        let word = decorator.split(['(', ' ']).next().unwrap_or("");
        ["test", "mpitest"].iter().any(|test| word.eq_ignore_ascii_case(test))
    }) || (walker.role.test
        && node.kind() == "subroutine"
        && !modifiers.contains(Modifier::Declare)
        && text.get(..5).is_some_and(|start| start.eq_ignore_ascii_case("test_")));
    let visibility = match mark & SUBMODULE != 0 && !is_module_procedure(walker, statement) {
        true => Visibility::Internal,
        false => access::of(walker, text, None),
    };
    let definition = walker.define(Draft {
        signature: (statement.start_byte(), statement_end(statement)),
        doc: docs::of_block(walker, node, Some(statement)),
        visibility,
        modifiers,
        decorators,
        ..Draft::new(
            if is_test {
                SymbolKind::Test
            } else {
                SymbolKind::Function
            },
            name,
            node,
        )
    });
    walker.open(definition);
    Flow::Descend
}

/// Whether a procedure of a submodule is the body of one that its module declares.
fn is_module_procedure(walker: &Walker<'_>, statement: Node<'_>) -> bool {
    statement.kind() == "module_procedure_statement"
        || children_of_kind(statement, &["procedure_qualifier"])
            .into_iter()
            .any(|word| walker.text(word).eq_ignore_ascii_case("module"))
}

/// Another place at which a procedure can be entered.
fn entry<'t>(walker: &mut Walker<'t>, node: Node<'t>) -> Flow {
    let Some(name) = node.child_by_field_name("name") else {
        return Flow::Descend;
    };
    // It is called like the procedure, so it stands beside it.
    let parent = walker.scopes.len().checked_sub(2).and_then(|at| walker.scopes.get(at));
    let parent = parent.map_or(NONE, |scope| scope.definition);
    let beside = walker.scopes.len().saturating_sub(1);
    let draft = Draft {
        doc: docs::of_block(walker, node, None),
        visibility: access::in_scopes(walker, beside, walker.text(name)),
        ..Draft::new(SymbolKind::Function, name, node)
    };
    match parent {
        NONE => walker.define(Draft {
            at_module: true,
            ..draft
        }),
        parent => walker.define_in(parent, draft),
    };
    Flow::Descend
}

/// A generic name for several procedures, or a list of procedures that stand elsewhere.
fn interface<'t>(walker: &mut Walker<'t>, node: Node<'t>) -> Flow {
    let Some(statement) = child_of_kind(node, &["interface_statement"]) else {
        return Flow::Descend;
    };
    if walker.in_function() {
        walker.open_named("", SymbolKind::Interface, LOCAL_INTERFACE);
        return Flow::Descend;
    }
    let mark = match has_child(statement, "abstract_specifier") {
        true => ABSTRACT,
        false => 0,
    };
    let name = child_of_kind(statement, &["name", "operator", "assignment", "defined_io_procedure"]);
    let Some(name) = name else {
        walker.open_named("", SymbolKind::Interface, mark);
        return Flow::Descend;
    };
    let text = generic_name(walker, name);
    let definition = walker.define(Draft {
        name: Draftee::Named(name, text),
        signature: (statement.start_byte(), statement_end(statement)),
        doc: docs::of_block(walker, node, Some(statement)),
        visibility: access::of(walker, text, None),
        ..Draft::new(SymbolKind::Interface, name, node)
    });
    walker.open_marked(definition, mark);
    Flow::Descend
}

/// The name of a generic procedure; an operator is named by its sign.
fn generic_name<'t>(walker: &Walker<'t>, node: Node<'t>) -> &'t str {
    match node.kind() {
        "assignment" => "=",
        _ => child_of_kind(node, &["operator_name"]).map_or(walker.text(node), |sign| walker.text(sign).trim()),
    }
}

fn derived_type<'t>(walker: &mut Walker<'t>, node: Node<'t>) -> Flow {
    let Some(statement) = child_of_kind(node, &["derived_type_statement"]) else {
        return Flow::Descend;
    };
    let Some(name) = child_of_kind(statement, &["type_name"]) else {
        return Flow::Descend;
    };
    let mut modifiers = Modifiers::default();
    if has_child(statement, "abstract_specifier") {
        modifiers.insert(Modifier::Abstract);
    }
    if has_child(statement, "language_binding") {
        modifiers.insert(Modifier::Extern);
    }
    let stated = child_of_kind(statement, &["access_specifier"]).map(|word| access::stated(walker.text(word)));
    let definition = walker.define(Draft {
        signature: (statement.start_byte(), statement_end(statement)),
        doc: docs::of_block(walker, node, Some(statement)),
        visibility: access::of(walker, walker.text(name), stated.flatten()),
        modifiers,
        ..Draft::new(SymbolKind::Struct, name, node)
    });
    walker.open(definition);
    Flow::Descend
}

/// A name by which instances of a type call procedures.
fn bound_procedure<'t>(walker: &mut Walker<'t>, node: Node<'t>) -> Flow {
    // In an interface such a statement only lists procedures.
    if walker.enclosing_kind() != SymbolKind::Struct {
        return Flow::Descend;
    }
    let mut modifiers = Modifiers::default();
    let mut stated = None;
    for attribute in children_of_kind(node, &["procedure_attribute", "access_specifier"]) {
        let word = walker.text(attribute).to_ascii_lowercase();
        match word.as_str() {
            "deferred" => modifiers.insert(Modifier::Abstract),
            "non_overridable" => modifiers.insert(Modifier::Final),
            "nopass" => modifiers.insert(Modifier::Static),
            _ => stated = access::stated(&word).or(stated),
        }
    }
    let doc = docs::of_line(walker, node);
    for declarator in node.children_by_field_name("declarator") {
        let name = match declarator.kind() {
            "binding" | "binding_list" => child_of_kind(declarator, &["binding_name"])
                .and_then(|name| name.named_child(0))
                .unwrap_or(declarator),
            _ => declarator,
        };
        let text = generic_name(walker, name);
        walker.define(Draft {
            name: Draftee::Named(name, text),
            doc: doc.clone(),
            visibility: access::of(walker, text, stated),
            modifiers,
            ..Draft::new(SymbolKind::Method, name, node)
        });
    }
    Flow::Descend
}

/// The constants and variables of a module, or the components of a type.
fn variables<'t>(walker: &mut Walker<'t>, node: Node<'t>) -> Flow {
    let kind = match walker.enclosing_kind() {
        SymbolKind::Namespace if walker.scope().mark & BLOCK_DATA == 0 => SymbolKind::Static,
        SymbolKind::Struct => SymbolKind::Field,
        _ => return Flow::Descend,
    };
    let mut modifiers = Modifiers::default();
    let mut stated = None;
    let mut is_constant = false;
    for attribute in node.children_by_field_name("attribute") {
        let word = walker.text(attribute).to_ascii_lowercase();
        match word.as_str() {
            "parameter" => is_constant = true,
            "protected" => modifiers.insert(Modifier::Readonly),
            "volatile" => modifiers.insert(Modifier::Volatile),
            _ => stated = access::stated(&word).or(stated),
        }
    }
    let kind = if is_constant { SymbolKind::Constant } else { kind };
    let doc = docs::of_line(walker, node);
    for declarator in node.children_by_field_name("declarator") {
        let Some(name) = declared(declarator) else {
            continue;
        };
        walker.define(Draft {
            doc: doc.clone(),
            visibility: access::of(walker, walker.text(name), stated),
            modifiers,
            ..Draft::new(kind, name, node)
        });
    }
    Flow::Descend
}

/// The name in a declarator, which may have a size and a value.
fn declared(declarator: Node<'_>) -> Option<Node<'_>> {
    let mut node = declarator;
    while node.kind() != "identifier" {
        node = node.child_by_field_name("left").or_else(|| node.named_child(0))?;
    }
    Some(node)
}

/// `parameter (n = 10)`: the old way to make constants.
fn parameters<'t>(walker: &mut Walker<'t>, node: Node<'t>) -> Flow {
    if walker.enclosing_kind() != SymbolKind::Namespace {
        return Flow::Descend;
    }
    let doc = docs::of_line(walker, node);
    for assignment in children_of_kind(node, &["parameter_assignment"]) {
        if let Some(name) = assignment.named_child(0) {
            walker.define(Draft {
                doc: doc.clone(),
                visibility: access::of(walker, walker.text(name), None),
                ..Draft::new(SymbolKind::Constant, name, assignment)
            });
        }
    }
    Flow::Descend
}

fn enumeration<'t>(walker: &mut Walker<'t>, node: Node<'t>) -> Flow {
    let Some(statement) = child_of_kind(node, &["enumeration_type_statement"]) else {
        return Flow::Descend;
    };
    let Some(name) = child_of_kind(statement, &["type_name"]) else {
        return Flow::Descend;
    };
    let stated = child_of_kind(statement, &["access_specifier"]).map(|word| access::stated(walker.text(word)));
    let definition = walker.define(Draft {
        signature: (statement.start_byte(), statement_end(statement)),
        doc: docs::of_block(walker, node, Some(statement)),
        visibility: access::of(walker, walker.text(name), stated.flatten()),
        ..Draft::new(SymbolKind::Enum, name, node)
    });
    walker.open(definition);
    Flow::Descend
}

/// The members of an enumeration; one that is bound to C has no name, and its members belong to the module.
fn enumerators<'t>(walker: &mut Walker<'t>, node: Node<'t>) -> Flow {
    if walker.in_function() {
        return Flow::Descend;
    }
    let doc = docs::of_line(walker, node);
    for declarator in node.children_by_field_name("declarator") {
        if let Some(name) = declared(declarator) {
            walker.define(Draft {
                doc: doc.clone(),
                visibility: access::of(walker, walker.text(name), None),
                ..Draft::new(SymbolKind::EnumMember, name, declarator)
            });
        }
    }
    Flow::Descend
}

fn preprocessor_macro<'t>(walker: &mut Walker<'t>, node: Node<'t>) -> Flow {
    if let Some(name) = node.child_by_field_name("name") {
        walker.define(Draft {
            at_module: true,
            ..Draft::new(SymbolKind::Macro, name, node)
        });
    }
    Flow::Descend
}

fn use_statement<'t>(walker: &mut Walker<'t>, node: Node<'t>) -> Flow {
    let Some(module) = child_of_kind(node, &["module_name"]).map(|module| walker.text(module)) else {
        return Flow::Descend;
    };
    let only = child_of_kind(node, &["included_items"]);
    if only.is_none() {
        walker.import(node, module, "*", "*", 0);
    }
    let items = only.unwrap_or(node);
    let mut count = 0;
    for item in items.named_children() {
        let (name, local) = match item.kind() {
            "identifier" | "operator" | "assignment" | "defined_io_procedure" => {
                let name = generic_name(walker, item);
                (name, name)
            }
            "use_alias" => {
                let local = child_of_kind(item, &["local_name"]).map_or("", |local| walker.text(local));
                let name = child_of_kind(item, &["identifier"]).map_or("", |name| walker.text(name));
                (name, local)
            }
            _ => continue,
        };
        count += 1;
        walker.import(item, module, name, local, 0);
    }
    if only.is_some() && count == 0 {
        walker.import(node, module, "", "", 0);
    }
    Flow::Descend
}

fn include<'t>(walker: &mut Walker<'t>, node: Node<'t>) -> Flow {
    if let Some(path) = node.child_by_field_name("path") {
        let file = walker.text(path).trim_matches(['"', '\'', '<', '>']);
        walker.import(node, file, "*", "*", 0);
    }
    Flow::Descend
}

fn elsewhere(walker: &mut Walker<'_>, node: Node<'_>) -> Flow {
    if has_child(node, "parenthesized_expression") {
        walker.decision();
    }
    Flow::Descend
}

fn case(walker: &mut Walker<'_>, node: Node<'_>) -> Flow {
    if !has_child(node, "default") {
        walker.decision();
    }
    Flow::Descend
}

/// Forth uses the same extensions.
fn likeness(text: &str) -> u8 {
    const STATEMENTS: &[&str] = &[
        "subroutine",
        "program",
        "function",
        "module",
        "integer",
        "real",
        "double",
        "character",
        "logical",
        "complex",
        "implicit",
        "dimension",
        "common",
        "parameter",
        "call",
        "end",
        "recursive",
        "block",
    ];
    let mut is_forth = false;
    for line in text.lines() {
        let line = line.trim_start();
        let word = line
            .split(|letter: char| !letter.is_ascii_alphabetic())
            .next()
            .unwrap_or("");
        if STATEMENTS.iter().any(|statement| word.eq_ignore_ascii_case(statement)) {
            return 2;
        }
        is_forth |= line.starts_with(": ") || line.starts_with("\\ ");
    }
    u8::from(!is_forth)
}

fn is_test_file(path: &RepoPath) -> bool {
    let name = path.file_name().to_ascii_lowercase();
    let stem = name.split('.').next().unwrap_or("");
    has_directory(path, &["test", "tests", "TESTS", "testing", "TESTING"])
        || name.ends_with(".pf")
        || stem.starts_with("test_")
        || stem.ends_with("_test")
        || stem.ends_with("_tests")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fortran_is_told_from_forth() {
        for (text, expected) in [
            ("      SUBROUTINE A(B)\n      END\n", 2),
            ("C a comment\n      real x\n", 2),
            (": square ( n -- n ) dup * ;\n", 0),
            ("\\ a comment\n", 0),
            ("* only a comment\n", 1),
        ] {
            assert_eq!(likeness(text), expected, "{text}");
        }
    }

    #[test]
    fn test_files() {
        for (path, expected) in [
            ("tests/a.f90", true),
            ("src/test_a.f90", true),
            ("src/a_test.F90", true),
            ("src/a.pf", true),
            ("src/latest.f90", false),
        ] {
            let path = RepoPath::new(path).expect("the path is relative");
            assert_eq!(is_test_file(&path), expected, "{path}");
        }
    }
}
