//! PowerShell: functions, classes, comment-based help, modules that are imported, tests of Pester, and the keys of data files.

mod blank;
mod flow;

use lore_model::{FileFacts, Modifier, Modifiers, RepoPath, SymbolKind, Visibility};

use crate::extract::{DocStyle, Draft, Draftee, Walker, child_of_kind, children_of_kind, preface};
use crate::language::{Flow, Language, Role, Rule};
use crate::layout::has_directory;
use crate::syntax::Node;

pub(crate) static POWERSHELL: Language = Language {
    name: "powershell",
    dialect: "powershell",
    extensions: &["ps1", "psm1", "psd1"],
    interpreters: &["pwsh", "powershell"],
    grammar: || tree_sitter_powershell::LANGUAGE.into(),
    blank: blank::blank_unknown,
    rules: &[
        ("comment", Rule::Visit(comment)),
        ("string_literal", Rule::Text),
        ("program", Rule::Visit(program)),
        ("function_statement", Rule::Visit(function)),
        ("class_statement", Rule::Visit(class)),
        ("class_property_definition", Rule::Visit(property)),
        ("class_method_definition", Rule::Visit(method)),
        ("enum_statement", Rule::Visit(enumeration)),
        ("enum_member", Rule::Visit(enum_member)),
        ("assignment_expression", Rule::Visit(assignment)),
        ("script_block_expression", Rule::Visit(script_block)),
        ("hash_entry", Rule::Visit(entry)),
        ("command", Rule::Visit(command)),
        ("if_statement", Rule::Decision),
        ("elseif_clause", Rule::Decision),
        ("foreach_statement", Rule::Decision),
        ("for_statement", Rule::Decision),
        ("while_statement", Rule::Decision),
        ("do_statement", Rule::Decision),
        ("catch_clause", Rule::Decision),
        ("trap_statement", Rule::Decision),
        ("switch_clause", Rule::Visit(switch_clause)),
        ("+", Rule::Visit(plus)),
        ("-and", Rule::Decision),
        ("-or", Rule::Decision),
        ("&&", Rule::Decision),
        ("||", Rule::Decision),
    ],
    finish,
    is_test_file,
    flow: Some(&flow::RULES),
    shares_modules: true,
    ..Language::BASE
};

const DOC: DocStyle = DocStyle {
    line: &["#"],
    block: &[("<#", "#>")],
    except: &[
        "#requires",
        "#Requires",
        "#!",
        "#region",
        "#endregion",
        "# region",
        "####",
        "# ---",
        "#---",
        "# ===",
        "#===",
    ],
};

/// A comment, or a `using` statement, which the parser gets as one.
fn comment<'t>(walker: &mut Walker<'t>, node: Node<'t>) -> Flow {
    let text = walker.text(node);
    if text.starts_with(['#', '<']) {
        walker.comment(node.start_byte(), node.end_byte());
    } else if let Some((_, module)) = blank::using(text) {
        walker.import(node, unquoted(module), "*", "*", 0);
    }
    Flow::Skip
}

fn program<'t>(walker: &mut Walker<'t>, node: Node<'t>) -> Flow {
    let documented = |below: Node<'_>| {
        let first = below.child(0);
        below.kind() == "statement_list"
            && first.is_some_and(|first| {
                matches!(
                    first.kind(),
                    "function_statement" | "class_statement" | "enum_statement"
                )
            })
    };
    if let Some(doc) = preface(walker, node, &DOC, &["comment"], documented) {
        walker.module_doc(&synopsis_first(&doc));
    }
    Flow::Descend
}

/// A help text without the keyword of its synopsis, which is put first.
fn synopsis_first(doc: &str) -> String {
    let is_keyword = |line: &str| {
        line.trim_start()
            .strip_prefix('.')
            .is_some_and(|rest| rest.starts_with(|letter: char| letter.is_ascii_alphabetic()))
    };
    let lines: Vec<&str> = doc.lines().collect();
    let start = [".synopsis", ".description"]
        .iter()
        .find_map(|keyword| lines.iter().position(|line| line.trim().eq_ignore_ascii_case(keyword)));
    let Some(start) = start else {
        return doc.to_owned();
    };
    let end = lines
        .iter()
        .skip(start + 1)
        .position(|line| is_keyword(line))
        .map_or(lines.len(), |len| start + 1 + len);
    let trimmed = |range: std::ops::Range<usize>| {
        let lines: Vec<&str> = lines
            .get(range)
            .unwrap_or_default()
            .iter()
            .map(|line| line.trim())
            .collect();
        lines.join("\n").trim().to_owned()
    };
    let rest = [trimmed(0..start), trimmed(end..lines.len())].join("\n");
    format!("{}\n\n{}", trimmed(start + 1..end), rest.trim())
        .trim_end()
        .to_owned()
}

/// The help of a function: above it, or as the first thing in its body.
fn help(walker: &Walker<'_>, start: usize, body: usize) -> Option<String> {
    let above = walker.doc_above(start, &DOC);
    let is_help = |doc: &String| doc.lines().any(|line| line.trim_start().starts_with('.'));
    if let Some(above) = above.as_ref().filter(|above| is_help(above)) {
        return Some(synopsis_first(above));
    }
    let inside = walker.source.get(body + 1..).unwrap_or("").trim_start();
    let inside = if inside.starts_with("<#") {
        inside
            .find("#>")
            .and_then(|end| inside.get(..end + 2))
            .map(|block| vec![block])
    } else {
        Some(
            inside
                .lines()
                .map(str::trim)
                .take_while(|line| line.starts_with('#'))
                .collect(),
        )
    };
    let inside = inside.and_then(|comments: Vec<&str>| DOC.read(&comments));
    inside.filter(is_help).map(|doc| synopsis_first(&doc)).or(above)
}

fn unquoted(text: &str) -> &str {
    let text = text.trim();
    let inner = |quote: char| text.strip_prefix(quote)?.strip_suffix(quote);
    inner('"').or_else(|| inner('\'')).unwrap_or(text)
}

/// Where the body of a declaration begins.
fn brace(node: Node<'_>) -> Option<Node<'_>> {
    child_of_kind(node, &["{"])
}

/// A name without the scope before it, and who sees it by that.
fn scoped(name: &str) -> (&str, Visibility) {
    let Some((scope, rest)) = name.split_once(':') else {
        return (name, Visibility::Public);
    };
    match scope.to_ascii_lowercase().as_str() {
        "global" => (rest, Visibility::Public),
        "script" | "local" => (rest, Visibility::Internal),
        "private" => (rest, Visibility::Private),
        _ => (name, Visibility::Public),
    }
}

fn function<'t>(walker: &mut Walker<'t>, node: Node<'t>) -> Flow {
    let (Some(name), Some(brace)) = (child_of_kind(node, &["function_name"]), brace(node)) else {
        return Flow::Descend;
    };
    let (text, mut visibility) = scoped(walker.text(name).trim());
    if walker.in_function() && visibility == Visibility::Public {
        visibility = Visibility::Private;
    }
    let start = node.start_byte();
    let decorators = child_of_kind(node, &["script_block"])
        .and_then(|block| child_of_kind(block, &["param_block"]))
        .and_then(|block| child_of_kind(block, &["attribute_list"]))
        .map_or_else(Vec::new, |list| attributes(walker, list));
    let doc = help(walker, start, brace.end_byte() - 1);
    let definition = walker.define(Draft {
        name: Draftee::Named(name, text),
        signature: (start, brace.start_byte()),
        doc,
        visibility,
        decorators,
        ..Draft::new(SymbolKind::Function, name, node)
    });
    walker.open(definition);
    Flow::Descend
}

/// The attributes directly in a node, without their brackets; types in brackets are none.
fn attributes<'t>(walker: &Walker<'t>, node: Node<'t>) -> Vec<&'t str> {
    children_of_kind(node, &["attribute"])
        .into_iter()
        .filter(|attribute| child_of_kind(*attribute, &["attribute_name"]).is_some())
        .map(|attribute| without_brackets(walker.text(attribute)))
        .collect()
}

fn without_brackets(attribute: &str) -> &str {
    let attribute = attribute.trim();
    attribute
        .strip_prefix('[')
        .and_then(|rest| rest.strip_suffix(']'))
        .unwrap_or(attribute)
        .trim()
}

fn class<'t>(walker: &mut Walker<'t>, node: Node<'t>) -> Flow {
    declare_type(walker, node, SymbolKind::Class)
}

fn enumeration<'t>(walker: &mut Walker<'t>, node: Node<'t>) -> Flow {
    declare_type(walker, node, SymbolKind::Enum)
}

fn declare_type<'t>(walker: &mut Walker<'t>, node: Node<'t>, kind: SymbolKind) -> Flow {
    let (Some(name), Some(brace)) = (child_of_kind(node, &["simple_name"]), brace(node)) else {
        return Flow::Descend;
    };
    let (start, decorators) = blank::attributes_before(walker.source, node.start_byte());
    let definition = walker.define(Draft {
        name: Draftee::Named(name, walker.text(name).trim()),
        signature: (node.start_byte(), brace.start_byte()),
        doc: walker.doc_above(start, &DOC),
        decorators,
        ..Draft::new(kind, name, node)
    });
    // The parser does not see the attributes.
    let start_line = walker.row_of(start) + 1;
    if let Some(definition) = walker.facts.definitions.get_mut(definition as usize) {
        definition.place.start_line = start_line.into();
        definition.place.start_byte = (start as u32).into();
    }
    walker.open(definition);
    Flow::Descend
}

/// The words before a member of a class.
fn member_words(walker: &Walker<'_>, node: Node<'_>) -> (Modifiers, Visibility) {
    let mut modifiers = Modifiers::default();
    let mut visibility = Visibility::Public;
    for word in children_of_kind(node, &["class_attribute"]) {
        match walker.text(word).trim().to_ascii_lowercase().as_str() {
            "static" => modifiers.insert(Modifier::Static),
            "hidden" => visibility = Visibility::Private,
            _ => {}
        }
    }
    (modifiers, visibility)
}

/// Where a member's declaration begins after its attributes.
fn after_attributes(node: Node<'_>) -> usize {
    node.children()
        .find(|child| !matches!(child.kind(), "attribute" | "comment"))
        .map_or(node.start_byte(), |child| child.start_byte())
}

fn property<'t>(walker: &mut Walker<'t>, node: Node<'t>) -> Flow {
    let Some(name) = child_of_kind(node, &["variable"]) else {
        return Flow::Descend;
    };
    let (modifiers, visibility) = member_words(walker, node);
    let definition = walker.define(Draft {
        name: Draftee::Named(name, walker.text(name).trim().trim_start_matches('$')),
        signature: (after_attributes(node), node.end_byte()),
        doc: walker.doc_above(node.start_byte(), &DOC),
        visibility,
        modifiers,
        decorators: attributes(walker, node),
        ..Draft::new(SymbolKind::Field, name, node)
    });
    walker.open(definition);
    Flow::Descend
}

fn method<'t>(walker: &mut Walker<'t>, node: Node<'t>) -> Flow {
    let (Some(name), Some(brace)) = (child_of_kind(node, &["simple_name"]), brace(node)) else {
        return Flow::Descend;
    };
    let text = walker.text(name).trim();
    let class = walker.scope().definition;
    let class = walker.facts.definitions.get(class as usize).map(|class| class.name);
    let is_constructor = class.is_some_and(|class| walker.facts.text.get(class).eq_ignore_ascii_case(text));
    let kind = if is_constructor {
        SymbolKind::Constructor
    } else {
        SymbolKind::Method
    };
    let (modifiers, visibility) = member_words(walker, node);
    let definition = walker.define(Draft {
        name: Draftee::Named(name, text),
        signature: (after_attributes(node), brace.start_byte()),
        doc: help(walker, node.start_byte(), brace.end_byte() - 1),
        visibility,
        modifiers,
        decorators: attributes(walker, node),
        ..Draft::new(kind, name, node)
    });
    walker.open(definition);
    Flow::Descend
}

fn enum_member<'t>(walker: &mut Walker<'t>, node: Node<'t>) -> Flow {
    let Some(name) = child_of_kind(node, &["simple_name"]) else {
        return Flow::Descend;
    };
    walker.define(Draft {
        name: Draftee::Named(name, walker.text(name).trim()),
        doc: walker.doc_above(node.start_byte(), &DOC),
        ..Draft::new(SymbolKind::EnumMember, name, node)
    });
    Flow::Descend
}

/// The node inside nodes that hold nothing else: the grammar wraps a value in one for each level of its operators.
fn core(mut node: Node<'_>) -> Node<'_> {
    while let Some(child) = node
        .child(0)
        .filter(|child| child.is_named() && node.child_count() == 1)
    {
        node = child;
    }
    node
}

/// The variables that the left side of an assignment names, with or without a type.
fn targets(left: Node<'_>) -> Vec<Node<'_>> {
    let whole = core(left);
    let parts = match whole.kind() {
        "array_literal_expression" => children_of_kind(whole, &["unary_expression"]),
        _ => vec![whole],
    };
    parts
        .into_iter()
        .map(|part| {
            let mut part = core(part);
            while part.kind() == "cast_expression" {
                match child_of_kind(part, &["unary_expression"]) {
                    Some(value) => part = core(value),
                    None => break,
                }
            }
            part
        })
        .filter(|part| matches!(part.kind(), "variable" | "braced_variable"))
        .collect()
}

fn assignment<'t>(walker: &mut Walker<'t>, node: Node<'t>) -> Flow {
    let Some(left) = child_of_kind(node, &["left_assignment_expression"]) else {
        return Flow::Descend;
    };
    let is_plain = child_of_kind(node, &["assignement_operator"]).is_some_and(|sign| walker.text(sign).trim() == "=");
    let targets = targets(left);
    let block = node
        .child_by_field_name("value")
        .map(core)
        .filter(|value| value.kind() == "script_block_expression" && targets.len() == 1);
    if !is_plain || walker.enclosing_kind().is_type() {
        return Flow::Descend;
    }
    for target in targets {
        variable(walker, node, target, block);
    }
    Flow::Descend
}

/// A variable of the file, once, or one that holds a function.
fn variable<'t>(walker: &mut Walker<'t>, node: Node<'t>, target: Node<'t>, block: Option<Node<'t>>) {
    let name = walker.text(target).trim().trim_start_matches('$');
    let name = name
        .strip_prefix('{')
        .and_then(|name| name.strip_suffix('}'))
        .unwrap_or(name);
    let (text, mut visibility) = scoped(name);
    // `$env:PATH` is the system's, `$ErrorActionPreference` the shell's own.
    if text.contains(':') || text.ends_with("Preference") || matches!(text, "_" | "null" | "OFS") {
        return;
    }
    let kind = match block {
        Some(_) => SymbolKind::Function,
        None if walker.enclosing_kind() != SymbolKind::Module => return,
        None => SymbolKind::Static,
    };
    if block.is_none() && !walker.scope().seen.insert(text.to_ascii_lowercase()) {
        return;
    }
    if walker.in_function() {
        visibility = Visibility::Private;
    }
    let definition = walker.define(Draft {
        name: Draftee::Named(target, text),
        signature: (
            node.start_byte(),
            if block.is_some() {
                target.end_byte()
            } else {
                node.end_byte()
            },
        ),
        doc: walker.doc_above(node.start_byte(), &DOC),
        visibility,
        ..Draft::new(kind, target, node)
    });
    if let Some(block) = block {
        walker.claim(block, definition);
    }
}

fn script_block<'t>(walker: &mut Walker<'t>, node: Node<'t>) -> Flow {
    let definition = match walker.claimed(node) {
        Some(definition) => definition,
        None => walker.define(Draft {
            signature: (node.start_byte(), node.start_byte()),
            ..Draft::anonymous(SymbolKind::Function, "lambda", node)
        }),
    };
    walker.open(definition);
    Flow::Descend
}

/// An entry of a table that is all the file holds, as in `.psd1`.
fn entry<'t>(walker: &mut Walker<'t>, node: Node<'t>) -> Flow {
    const WRAPPERS: &[&str] = &[
        "hash_literal_body",
        "hash_literal_expression",
        "unary_expression",
        "array_literal_expression",
        "range_expression",
        "format_expression",
        "multiplicative_expression",
        "additive_expression",
        "comparison_expression",
        "bitwise_expression",
        "logical_expression",
        "pipeline_chain",
        "pipeline",
        "statement_list",
        "program",
    ];
    let is_top = walker
        .ancestors()
        .take(20)
        .all(|ancestor| WRAPPERS.contains(&ancestor.kind()));
    let key = child_of_kind(node, &["key_expression"]);
    if let Some(key) = key.filter(|_| is_top) {
        let definition = walker.define(Draft {
            name: Draftee::Named(key, unquoted(walker.text(key))),
            signature: (node.start_byte(), node.end_byte()),
            doc: walker.doc_above(node.start_byte(), &DOC),
            ..Draft::new(SymbolKind::Key, key, node)
        });
        walker.open(definition);
    }
    Flow::Descend
}

/// What a command is given: parameters with their values, and values without.
struct Arguments<'t> {
    given: Vec<(&'t str, Node<'t>)>,
}

impl<'t> Arguments<'t> {
    /// Each value beside the parameter before it, which may be missing.
    fn of(walker: &Walker<'t>, command: Node<'t>) -> Self {
        let mut given = Vec::new();
        let mut parameter = "";
        if let Some(elements) = command.child_by_field_name("command_elements") {
            for element in elements.named_children() {
                match element.kind() {
                    "command_argument_sep" | "redirection" => {}
                    "command_parameter" => parameter = walker.text(element).trim().trim_end_matches(':'),
                    _ => given.push((std::mem::take(&mut parameter), element)),
                }
            }
        }
        Self { given }
    }

    /// The value of a parameter, or else the first without.
    fn value(&self, parameter: &str) -> Option<Node<'t>> {
        let named = self.given.iter().find(|(name, _)| name.eq_ignore_ascii_case(parameter));
        named
            .or_else(|| self.given.iter().find(|(name, _)| name.is_empty()))
            .map(|(_, value)| *value)
    }

    /// The last block among the values.
    fn block(&self) -> Option<Node<'t>> {
        let mut values = self.given.iter().rev().map(|(_, value)| core(*value));
        values.find(|value| value.kind() == "script_block_expression")
    }
}

fn command<'t>(walker: &mut Walker<'t>, node: Node<'t>) -> Flow {
    let Some(name) = node.child_by_field_name("command_name") else {
        return Flow::Descend;
    };
    if let Some(operator) = child_of_kind(node, &["command_invokation_operator"]) {
        if walker.text(operator).trim() == "." && core(name).kind() != "script_block_expression" {
            walker.import(node, unquoted(walker.text(name)), "*", "*", 0);
        }
        return Flow::Descend;
    }
    match walker.text(name).trim().to_ascii_lowercase().as_str() {
        "import-module" | "ipmo" => {
            let arguments = Arguments::of(walker, node);
            // After a switch such as `-Force` the name looks like its value.
            let switched = arguments.given.first().map(|(_, value)| *value);
            if let Some(module) = arguments.value("-Name").or(switched) {
                walker.import(node, unquoted(walker.text(module)), "*", "*", 0);
            }
        }
        "describe" | "context" if walker.role.test => named_block(walker, node, SymbolKind::Namespace),
        "it" if walker.role.test => named_block(walker, node, SymbolKind::Test),
        "configuration" => named_block(walker, node, SymbolKind::Function),
        "set-variable" | "new-variable" => constant(walker, node),
        "set-alias" | "new-alias" => alias(walker, node),
        "export-modulemember" => exports(walker, node),
        _ => {}
    }
    Flow::Descend
}

/// `Describe`, `Context`, `It` and `configuration` with a name and a block.
fn named_block<'t>(walker: &mut Walker<'t>, node: Node<'t>, kind: SymbolKind) {
    let arguments = Arguments::of(walker, node);
    let (Some(title), Some(block)) = (arguments.value("-Name"), arguments.block()) else {
        return;
    };
    let definition = walker.define(Draft {
        name: Draftee::Named(title, unquoted(walker.text(title))),
        signature: (node.start_byte(), title.end_byte()),
        doc: walker.doc_above(node.start_byte(), &DOC),
        ..Draft::new(kind, title, node)
    });
    walker.claim(block, definition);
}

/// `Set-Variable -Option Constant`.
fn constant<'t>(walker: &mut Walker<'t>, node: Node<'t>) {
    let arguments = Arguments::of(walker, node);
    let option = arguments
        .given
        .iter()
        .find(|(name, _)| name.eq_ignore_ascii_case("-Option"))
        .map_or("", |(_, value)| walker.text(*value));
    let is_fixed = ["constant", "readonly"]
        .iter()
        .any(|word| option.to_ascii_lowercase().contains(word));
    if let Some(name) = arguments.value("-Name").filter(|_| is_fixed)
        && walker.enclosing_kind() == SymbolKind::Module
    {
        walker.define(Draft {
            name: Draftee::Named(name, unquoted(walker.text(name))),
            doc: walker.doc_above(node.start_byte(), &DOC),
            ..Draft::new(SymbolKind::Constant, name, node)
        });
    }
}

/// `Set-Alias -Name gx -Value Get-X`.
fn alias<'t>(walker: &mut Walker<'t>, node: Node<'t>) {
    if let Some(name) = Arguments::of(walker, node)
        .value("-Name")
        .filter(|_| !walker.in_function())
    {
        walker.define(Draft {
            name: Draftee::Named(name, unquoted(walker.text(name))),
            doc: walker.doc_above(node.start_byte(), &DOC),
            ..Draft::new(SymbolKind::Macro, name, node)
        });
    }
}

/// `Export-ModuleMember -Function a, b`: the other functions of the file are its own.
fn exports<'t>(walker: &mut Walker<'t>, node: Node<'t>) {
    let mut given = Vec::new();
    let mut parameter = "";
    if let Some(elements) = node.child_by_field_name("command_elements") {
        for element in elements.named_children() {
            match element.kind() {
                "command_argument_sep" => {}
                "command_parameter" => parameter = walker.text(element).trim(),
                _ if parameter.is_empty() || parameter.eq_ignore_ascii_case("-Function") => given.push(element),
                _ => {}
            }
        }
    }
    for element in given {
        for name in walker.text(element).trim_matches(['@', '(', ')']).split(',') {
            let name = unquoted(name);
            walker.export(node, name, name);
        }
    }
}

/// Makes functions private that a module does not export.
fn finish(facts: &mut FileFacts, _: Role) {
    let exported: Vec<String> = facts
        .exports
        .iter()
        .map(|export| facts.text.get(export.local).to_ascii_lowercase())
        .collect();
    // What is computed may export anything.
    if exported.is_empty() || exported.iter().any(|name| name.contains('$') || name == "*") {
        return;
    }
    let is_exported = |name: &str| {
        exported.iter().any(|pattern| match pattern.strip_suffix('*') {
            Some(start) => name.starts_with(start),
            None => name == pattern,
        })
    };
    for definition in &mut facts.definitions {
        let is_function = definition.kind() == SymbolKind::Function && definition.parent().is_none();
        if is_function && !is_exported(&facts.text.get(definition.name).to_ascii_lowercase()) {
            definition.visibility = Visibility::Private as u8;
        }
    }
}

fn switch_clause<'t>(walker: &mut Walker<'t>, node: Node<'t>) -> Flow {
    let condition = child_of_kind(node, &["switch_clause_condition"]);
    let is_default = condition.is_some_and(|condition| walker.text(condition).trim().eq_ignore_ascii_case("default"));
    if !is_default {
        walker.decision();
    }
    Flow::Descend
}

/// The question mark of a conditional expression is a plus to the parser.
fn plus(walker: &mut Walker<'_>, node: Node<'_>) -> Flow {
    if walker.text(node).trim() == "?" {
        walker.decision();
    }
    Flow::Skip
}

fn is_test_file(path: &RepoPath) -> bool {
    let name = path.file_name().to_ascii_lowercase();
    name.ends_with(".tests.ps1") || has_directory(path, &["test", "tests", "Test", "Tests"])
}
