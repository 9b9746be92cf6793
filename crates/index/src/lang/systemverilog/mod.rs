//! Verilog and SystemVerilog: modules, interfaces, packages, classes, functions, tasks, types, parameters, macros and imports.

mod directives;
mod flow;
mod types;

use lore_model::{FileFacts, ImportFlags, Modifier, Modifiers, RepoPath, SymbolKind, Visibility};

use crate::extract::{DocStyle, Draft, Draftee, Walker, child_of_kind, children_of_kind, has_child};
use crate::language::{Flow, Language, Role, Rule};
use crate::layout::has_directory;
use crate::syntax::Node;

pub(crate) static SYSTEMVERILOG: Language = Language {
    name: "systemverilog",
    dialect: "systemverilog",
    extensions: &["sv", "svh", "vh"],
    disputed: &["v"],
    likeness,
    separator: "::",
    grammar: || tree_sitter_systemverilog::LANGUAGE.into(),
    blank: directives::blank,
    rules: &[
        ("one_line_comment", Rule::Comment),
        ("block_comment", Rule::Comment),
        ("quoted_string", Rule::Text),
        ("triple_quoted_string", Rule::Text),
        ("module_declaration", Rule::Visit(design_unit)),
        ("interface_declaration", Rule::Visit(design_unit)),
        ("program_declaration", Rule::Visit(design_unit)),
        ("checker_declaration", Rule::Visit(design_unit)),
        ("udp_declaration", Rule::Visit(design_unit)),
        ("module_keyword", Rule::Visit(lost_module)),
        ("module_ansi_header", Rule::Visit(lost_header)),
        ("module_nonansi_header", Rule::Visit(lost_header)),
        ("interface_ansi_header", Rule::Visit(lost_header)),
        ("interface_nonansi_header", Rule::Visit(lost_header)),
        ("package_declaration", Rule::Visit(package)),
        ("class_declaration", Rule::Visit(class)),
        ("interface_class_declaration", Rule::Visit(class)),
        ("covergroup_declaration", Rule::Visit(class)),
        ("function_declaration", Rule::Visit(function)),
        ("task_declaration", Rule::Visit(function)),
        ("function_prototype", Rule::Visit(function)),
        ("task_prototype", Rule::Visit(function)),
        ("class_constructor_declaration", Rule::Visit(function)),
        ("class_constructor_prototype", Rule::Visit(function)),
        ("property_declaration", Rule::Visit(formula)),
        ("sequence_declaration", Rule::Visit(formula)),
        ("let_declaration", Rule::Visit(formula)),
        ("param_assignment", Rule::Visit(types::parameter)),
        ("type_assignment", Rule::Visit(types::parameter)),
        ("type_declaration", Rule::Visit(types::type_declaration)),
        ("enum_name_declaration", Rule::Visit(types::enum_member)),
        ("struct_union_member", Rule::Visit(types::member)),
        ("data_declaration", Rule::Visit(types::variables)),
        ("text_macro_definition", Rule::Visit(text_macro)),
        ("package_import_item", Rule::Visit(import)),
        ("include_compiler_directive", Rule::Visit(include)),
        ("conditional_statement", Rule::Visit(conditional)),
        ("loop_statement", Rule::Decision),
        ("case_item", Rule::Visit(case_item)),
        ("case_inside_item", Rule::Visit(case_item)),
        ("case_pattern_item", Rule::Visit(case_item)),
        ("randcase_item", Rule::Decision),
        ("conditional_expression", Rule::Decision),
        ("&&", Rule::Decision),
        ("||", Rule::Decision),
    ],
    finish,
    is_test_file,
    flow: Some(&flow::RULES),
    shares_modules: true,
    ..Language::BASE
};

/// Bytes of a comment in which a licence says that it is one.
const LICENCE_BYTES: usize = 600;

/// What documents a declaration: the comments directly above it.
const DOC: DocStyle = DocStyle {
    line: &["///", "//!", "//"],
    block: &[("/**", "*/"), ("/*!", "*/"), ("/*", "*/")],
    except: &[
        "// synopsys",
        "//synopsys",
        "// synthesis",
        "//synthesis",
        "// verilator",
        "//verilator",
        "// verilog_lint",
        "/*verilator",
        "/* verilator",
    ],
};

/// The comments above a byte, without the lines drawn around them. A licence documents nothing.
fn doc(walker: &Walker<'_>, byte: usize) -> Option<String> {
    let doc = walker.doc_above(byte, &DOC)?;
    let is_rule = |line: &str| {
        let mut bytes = line.bytes().filter(|byte| *byte != b' ').peekable();
        bytes.peek().is_some() && bytes.all(|byte| byte.is_ascii_punctuation())
    };
    let lines: Vec<&str> = doc.lines().filter(|line| !is_rule(line)).collect();
    let text = lines.join("\n");
    let text = text.trim_matches('\n').trim_end();
    let mut end = text.len().min(LICENCE_BYTES);
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    let head = text[..end].to_ascii_lowercase();
    let is_licence = head.contains("copyright") || head.contains("licen");
    (!text.is_empty() && !is_licence).then(|| text.to_owned())
}

/// The comment behind a declaration on its line, or those above it.
fn doc_of_line(walker: &Walker<'_>, node: Node<'_>) -> Option<String> {
    let rest = walker.slice(node.end_byte(), walker.source.len());
    let rest = rest.trim_start_matches([',', ';', ' ', '\t']);
    let behind = match rest.starts_with("//") {
        true => DOC.read(&[rest.lines().next().unwrap_or("")]),
        false => None,
    };
    let behind = behind.map(|text| text.trim_start_matches('<').trim_start().to_owned());
    behind
        .filter(|text| !text.is_empty())
        .or_else(|| doc(walker, node.start_byte()))
}

/// Gives the doc of what opens a file to the file too.
fn speak_for_file(walker: &mut Walker<'_>, doc: Option<&String>) {
    if let Some(doc) = doc.filter(|_| walker.facts.definitions.is_empty()) {
        walker.module_doc(doc);
    }
}

/// Attributes in front of a declaration, and where it begins behind them.
fn attributes<'t>(walker: &Walker<'t>, node: Node<'t>) -> (Vec<&'t str>, usize) {
    let mut found = Vec::new();
    for child in node.children() {
        match child.kind() {
            "attribute_instance" => {
                let text = walker.text(child);
                found.push(text.trim_start_matches("(*").trim_end_matches("*)").trim());
            }
            "one_line_comment" | "block_comment" => {}
            _ => return (found, child.start_byte()),
        }
    }
    (found, node.start_byte())
}

/// A module, interface, program, checker or primitive.
fn design_unit<'t>(walker: &mut Walker<'t>, node: Node<'t>) -> Flow {
    const HEADERS: &[&str] = &[
        "module_ansi_header",
        "module_nonansi_header",
        "interface_ansi_header",
        "interface_nonansi_header",
        "program_ansi_header",
        "program_nonansi_header",
        "udp_ansi_declaration",
        "udp_nonansi_declaration",
    ];
    let header = child_of_kind(node, HEADERS);
    let around = header.unwrap_or(node);
    let name = around
        .child_by_field_name("name")
        .or_else(|| child_of_kind(around, &["simple_identifier", "escaped_identifier"]));
    let Some(name) = name else {
        return Flow::Descend;
    };
    let kind = match node.kind() {
        "interface_declaration" => SymbolKind::Interface,
        _ => SymbolKind::Module,
    };
    let mut modifiers = Modifiers::default();
    if has_child(node, "extern") {
        modifiers.insert(Modifier::Declare);
    }
    let (decorators, start) = attributes(walker, around);
    let end = match header {
        Some(header) => header.end_byte(),
        None => child_of_kind(node, &[";"]).map_or(name.end_byte(), |end| end.start_byte()),
    };
    let doc = doc(walker, node.start_byte());
    speak_for_file(walker, doc.as_ref());
    let definition = walker.define(Draft {
        signature: (start, end),
        doc,
        modifiers,
        decorators,
        ..Draft::new(kind, name, node)
    });
    walker.open(definition);
    Flow::Descend
}

/// Whether the node under the cursor is what an error left of a declaration.
fn is_lost(walker: &Walker<'_>) -> bool {
    walker.parent().is_some_and(|parent| parent.is_error())
}

/// The header of a module or interface whose body has an error in it.
fn lost_header<'t>(walker: &mut Walker<'t>, node: Node<'t>) -> Flow {
    let Some(name) = node.child_by_field_name("name").filter(|_| is_lost(walker)) else {
        return Flow::Descend;
    };
    let kind = match node.kind().starts_with("interface") {
        true => SymbolKind::Interface,
        false => SymbolKind::Module,
    };
    let (decorators, start) = attributes(walker, node);
    walker.define(Draft {
        signature: (start, node.end_byte()),
        doc: doc(walker, node.start_byte()),
        decorators,
        ..Draft::new(kind, name, node)
    });
    Flow::Descend
}

/// The first word of a module whose header has an error in it; the name is what follows.
fn lost_module<'t>(walker: &mut Walker<'t>, node: Node<'t>) -> Flow {
    if !is_lost(walker) {
        return Flow::Descend;
    }
    let rest = walker.slice(node.end_byte(), walker.source.len()).trim_start();
    let len = rest.find(|letter: char| !letter.is_alphanumeric() && !matches!(letter, '_' | '$'));
    let name = rest.get(..len.unwrap_or(rest.len())).unwrap_or("");
    if !name.is_empty() {
        walker.define(Draft {
            name: Draftee::Named(node, name),
            doc: doc(walker, node.start_byte()),
            ..Draft::new(SymbolKind::Module, node, node)
        });
    }
    Flow::Descend
}

fn package<'t>(walker: &mut Walker<'t>, node: Node<'t>) -> Flow {
    let Some(name) = node.child_by_field_name("name") else {
        return Flow::Descend;
    };
    let (decorators, start) = attributes(walker, node);
    let doc = doc(walker, node.start_byte());
    speak_for_file(walker, doc.as_ref());
    let definition = walker.define(Draft {
        signature: (start, name.end_byte()),
        doc,
        decorators,
        ..Draft::new(SymbolKind::Namespace, name, node)
    });
    walker.open(definition);
    Flow::Descend
}

/// A class, an interface class, or a covergroup, which is instantiated like one.
fn class<'t>(walker: &mut Walker<'t>, node: Node<'t>) -> Flow {
    let Some(name) = node.child_by_field_name("name") else {
        return Flow::Descend;
    };
    let kind = match node.kind() {
        "interface_class_declaration" => SymbolKind::Interface,
        _ => SymbolKind::Class,
    };
    let mut modifiers = Modifiers::default();
    if has_child(node, "virtual") {
        modifiers.insert(Modifier::Abstract);
    }
    if has_child(node, "final_specifier") {
        modifiers.insert(Modifier::Final);
    }
    let body = child_of_kind(node, &[";", "interface_class_item", "class_item"]);
    let definition = walker.define(Draft {
        signature: (
            node.start_byte(),
            body.map_or(node.end_byte(), |body| body.start_byte()),
        ),
        doc: doc(walker, node.start_byte()),
        visibility: inherited(walker),
        modifiers,
        ..Draft::new(kind, name, node)
    });
    walker.open(definition);
    Flow::Descend
}

/// Who may use what is declared here, if it does not say so.
fn inherited(walker: &Walker<'_>) -> Visibility {
    match walker.in_function() {
        true => Visibility::Private,
        false => Visibility::Public,
    }
}

/// What the words before a member of a class say.
#[derive(Default)]
struct Qualifiers {
    modifiers: Modifiers,
    visibility: Option<Visibility>,
}

impl Qualifiers {
    fn of(walker: &Walker<'_>, member: Node<'_>) -> Self {
        let mut qualifiers = Self::default();
        for child in member.children() {
            let word = match child.kind() {
                "method_qualifier" | "class_item_qualifier" | "property_qualifier" | "random_qualifier" => {
                    walker.text(child)
                }
                "extern" | "pure" => child.kind(),
                _ => continue,
            };
            match word {
                "static" => qualifiers.modifiers.insert(Modifier::Static),
                "pure" => qualifiers.modifiers.insert(Modifier::Abstract),
                "extern" => qualifiers.modifiers.insert(Modifier::Declare),
                "local" => qualifiers.visibility = Some(Visibility::Private),
                "protected" => qualifiers.visibility = Some(Visibility::Protected),
                _ => {}
            }
        }
        qualifiers
    }
}

/// A function, task or constructor, or its prototype.
fn function<'t>(walker: &mut Walker<'t>, node: Node<'t>) -> Flow {
    let body = child_of_kind(node, &["function_body_declaration", "task_body_declaration"]).unwrap_or(node);
    let name = body
        .child_by_field_name("name")
        .or_else(|| child_of_kind(body, &["new"]));
    let Some(name) = name else {
        return Flow::Descend;
    };
    let mut qualifiers = Qualifiers::default();
    let mut span = node;
    for around in walker.ancestors().take(2) {
        match around.kind() {
            "class_method" | "interface_class_method" | "extern_tf_declaration" => {
                qualifiers = Qualifiers::of(walker, around);
                span = around;
            }
            "dpi_import_export" => {
                qualifiers.modifiers.insert(Modifier::Extern);
                span = around;
            }
            // These only name what another module has.
            "modport_tf_port" | "modport_tf_ports_declaration" => return Flow::Descend,
            _ => {}
        }
    }
    let owner =
        child_of_kind(body, &["class_scope"]).map_or("", |scope| walker.text(scope).trim_end_matches("::").trim());
    let in_class = !owner.is_empty()
        || walker.enclosing_kind() == SymbolKind::Class
        || walker
            .parent()
            .is_some_and(|parent| parent.kind() == "interface_class_method");
    let kind = match name.kind() {
        "new" => SymbolKind::Constructor,
        _ if in_class => SymbolKind::Method,
        _ => SymbolKind::Function,
    };
    let end = child_of_kind(body, &[";"]).map_or(body.end_byte(), |end| end.start_byte());
    let definition = walker.define(Draft {
        signature: (span.start_byte(), end),
        doc: doc(walker, span.start_byte()),
        visibility: qualifiers.visibility.unwrap_or(Visibility::Public),
        modifiers: qualifiers.modifiers,
        owner,
        ..Draft::new(kind, name, span)
    });
    walker.open(definition);
    Flow::Descend
}

/// A property, sequence or `let`: an expression with a name and parameters.
fn formula<'t>(walker: &mut Walker<'t>, node: Node<'t>) -> Flow {
    let Some(name) = node.child_by_field_name("name") else {
        return Flow::Descend;
    };
    let end = child_of_kind(node, &[";", "="]).map_or(node.end_byte(), |end| end.start_byte());
    let definition = walker.define(Draft {
        signature: (node.start_byte(), end),
        doc: doc(walker, node.start_byte()),
        visibility: inherited(walker),
        ..Draft::new(SymbolKind::Function, name, node)
    });
    walker.open(definition);
    Flow::Descend
}

fn text_macro<'t>(walker: &mut Walker<'t>, node: Node<'t>) -> Flow {
    let Some(head) = child_of_kind(node, &["text_macro_name"]) else {
        return Flow::Descend;
    };
    let Some(name) = head.named_child(0) else {
        return Flow::Descend;
    };
    // The value of one without parameters says what it is; a body does not.
    let end = match child_of_kind(node, &["macro_text"]) {
        Some(value) if !has_child(head, "(") && value.start_position().row == value.end_position().row => {
            value.end_byte()
        }
        _ => head.end_byte(),
    };
    walker.define(Draft {
        signature: (node.start_byte(), end),
        doc: doc(walker, node.start_byte()),
        at_module: true,
        ..Draft::new(SymbolKind::Macro, name, node)
    });
    Flow::Descend
}

/// `import package::name` and `import package::*`, or the same with `export`, which hands on.
fn import<'t>(walker: &mut Walker<'t>, node: Node<'t>) -> Flow {
    let names = children_of_kind(node, &["simple_identifier", "escaped_identifier"]);
    let mut names = names.into_iter().map(|name| walker.text(name));
    let Some(module) = names.next() else {
        return Flow::Descend;
    };
    let name = names.next().unwrap_or("*");
    let is_export = walker
        .parent()
        .is_some_and(|parent| parent.kind() == "package_export_declaration");
    let flags = if is_export { ImportFlags::REEXPORT } else { 0 };
    walker.import(node, module, name, name, flags);
    Flow::Descend
}

fn include<'t>(walker: &mut Walker<'t>, node: Node<'t>) -> Flow {
    if let Some(path) = child_of_kind(node, &["quoted_string", "system_lib_string"]) {
        walker.import(node, walker.text(path).trim_matches(['"', '<', '>']), "*", "*", 0);
    }
    Flow::Descend
}

/// A chain of `else if` is one node.
fn conditional(walker: &mut Walker<'_>, node: Node<'_>) -> Flow {
    walker.decisions(children_of_kind(node, &["if"]).len() as u32);
    Flow::Descend
}

fn case_item(walker: &mut Walker<'_>, node: Node<'_>) -> Flow {
    if !has_child(node, "default") {
        walker.decision();
    }
    Flow::Descend
}

/// Gives signatures the names that stand behind the members: `typedef struct { … } packet_t`.
fn finish(facts: &mut FileFacts, _: Role) {
    for definition in &mut facts.definitions {
        let signature = facts.text.get(definition.signature);
        if definition.kind().is_type() && signature.starts_with("typedef") {
            let whole = format!("{signature} {}", facts.text.get(definition.name));
            definition.signature = facts.text.push(&whole);
        }
    }
}

/// Coq and V use the same extension.
fn likeness(text: &str) -> u8 {
    const WORDS: &[&str] = &[
        "endmodule",
        "endprimitive",
        "endpackage",
        "endtask",
        "endfunction",
        "endinterface",
        "endclass",
        "`timescale",
        "`include",
        "`define",
        "`ifdef",
        "`ifndef",
        "`default_nettype",
    ];
    let mut found = 0;
    for line in text.lines() {
        let line = line.trim_start();
        let word = line.split([' ', '\t', ';', ':', '(']).next().unwrap_or("").trim_end();
        if WORDS.contains(&word) {
            return 3;
        }
        if matches!(word, "module" | "macromodule" | "primitive" | "package" | "interface")
            && line.contains(['(', ';', '#'])
        {
            found = 2;
        }
    }
    found
}

fn is_test_file(path: &RepoPath) -> bool {
    let name = path.file_name();
    let stem = name.split('.').next().unwrap_or("");
    has_directory(path, &["test", "tests", "tb", "testbench", "testbenches", "sim"])
        || ["tb_", "test_"].iter().any(|start| stem.starts_with(start))
        || ["_tb", "_test", "_tests"].iter().any(|end| stem.ends_with(end))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn verilog_is_told_from_coq_and_v() {
        for (text, expected) in [
            ("module a (b);\n  input b;\nendmodule\n", 3),
            ("`define A 1\n", 3),
            ("module a #(\n", 2),
            ("Require Import List.\nModule A.\nTheorem t : True.\n", 0),
            ("module main\n\nfn main() {\n}\n", 0),
            ("", 0),
        ] {
            assert_eq!(likeness(text), expected, "{text}");
        }
    }

    #[test]
    fn test_files() {
        for (path, expected) in [
            ("tb/top.sv", true),
            ("rtl/tb_top.sv", true),
            ("rtl/alu_tb.v", true),
            ("rtl/stable.sv", false),
        ] {
            let path = RepoPath::new(path).expect("the path is relative");
            assert_eq!(is_test_file(&path), expected, "{path}");
        }
    }
}
