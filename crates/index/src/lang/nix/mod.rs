//! Nix: what the outermost set of a file and the `let` around it bind, what it imports, and its documentation.

mod flow;

use lore_model::{ImportFlags, RepoPath, SymbolKind, Visibility};

use crate::extract::{DocStyle, Draft, Draftee, Walker, preface};
use crate::language::{Flow, Language, Rule};
use crate::layout::has_directory;
use crate::syntax::Node;

pub(crate) static NIX: Language = Language {
    name: "nix",
    dialect: "nix",
    extensions: &["nix"],
    grammar: || tree_sitter_nix::LANGUAGE.into(),
    rules: &[
        ("comment", Rule::Comment),
        ("string_expression", Rule::Text),
        ("source_code", Rule::Visit(source_code)),
        ("binding", Rule::Visit(binding)),
        ("attrset_expression", Rule::Visit(set)),
        ("rec_attrset_expression", Rule::Visit(set)),
        ("inherit_from", Rule::Visit(inherit_from)),
        ("function_expression", Rule::Visit(function)),
        ("apply_expression", Rule::Visit(apply)),
        ("if_expression", Rule::Decision),
        ("&&", Rule::Decision),
        ("||", Rule::Decision),
    ],
    is_test_file,
    flow: Some(&flow::RULES),
    shares_modules: true,
    names_by_file: true,
    ..Language::BASE
};

const DOC: DocStyle = DocStyle {
    line: &["#"],
    block: &[("/**", "*/"), ("/*", "*/")],
    except: &["#!", "####", "# ---", "#---", "# ===", "#==="],
};

/// Marks the scope of a set whose members belong to the binding it is the value of.
const MEMBERS: u32 = 1;

/// Levels that may stand around the bindings of a file.
const DEEPEST: usize = 200;

/// What may stand around the bindings of a file: functions of its arguments, calls it is the argument of, what is in scope for it.
const WRAPPERS: &[&str] = &[
    "binding_set",
    "attrset_expression",
    "rec_attrset_expression",
    "let_expression",
    "function_expression",
    "with_expression",
    "assert_expression",
    "parenthesized_expression",
    "apply_expression",
    "binary_expression",
    "source_code",
];

fn source_code<'t>(walker: &mut Walker<'t>, node: Node<'t>) -> Flow {
    if let Some(doc) = preface(walker, node, &DOC, &["comment"], |_| false) {
        walker.module_doc(&doc);
    }
    Flow::Descend
}

/// Whether the node under the cursor stands at the top of the file.
fn is_outermost(walker: &Walker<'_>) -> bool {
    let mut ancestors = walker.ancestors();
    let wraps = |ancestor: Node<'_>| WRAPPERS.contains(&ancestor.kind());
    ancestors.by_ref().take(DEEPEST).all(wraps) && ancestors.next().is_none()
}

/// The parts of the path that a binding gives a value; none if one is computed.
fn path<'t>(walker: &Walker<'t>, binding: Node<'t>) -> Option<Vec<(Node<'t>, &'t str)>> {
    let path = binding.child_by_field_name("attrpath")?;
    path.children_by_field_name("attr")
        .map(|attribute| {
            let text = walker.text(attribute);
            match attribute.kind() {
                "identifier" => Some((attribute, text)),
                "string_expression" if !text.contains("${") => Some((attribute, text.trim_matches('"'))),
                _ => None,
            }
        })
        .collect()
}

/// The value of a binding without what only puts names in scope for it.
fn bare_value(mut value: Node<'_>) -> Node<'_> {
    loop {
        let inner = match value.kind() {
            "parenthesized_expression" => value.child_by_field_name("expression"),
            "with_expression" | "assert_expression" => value.child_by_field_name("body"),
            _ => None,
        };
        match inner {
            Some(inner) => value = inner,
            None => return value,
        }
    }
}

/// Where the arguments of a function end, those of the functions it yields included.
fn body_start(mut function: Node<'_>) -> usize {
    while let Some(body) = function.child_by_field_name("body") {
        if body.kind() != "function_expression" {
            return body.start_byte();
        }
        function = body;
    }
    function.end_byte()
}

fn binding<'t>(walker: &mut Walker<'t>, node: Node<'t>) -> Flow {
    let in_binding = walker.scope().mark & MEMBERS != 0;
    let at_top = walker.enclosing_kind() == SymbolKind::Module && is_outermost(walker);
    let (Some(path), Some(value)) = (path(walker, node), node.child_by_field_name("expression")) else {
        return Flow::Descend;
    };
    let Some(((name, text), owners)) = path.split_last().filter(|_| in_binding || at_top) else {
        return Flow::Descend;
    };
    let is_let = walker
        .ancestors()
        .nth(1)
        .is_some_and(|around| around.kind() == "let_expression");
    let value = bare_value(value);
    let function = Some(value).filter(|value| value.kind() == "function_expression");
    let owner: Vec<&str> = owners.iter().map(|(_, owner)| *owner).collect();
    let definition = walker.define(Draft {
        name: Draftee::Named(*name, text),
        signature: (node.start_byte(), function.map_or(node.end_byte(), body_start)),
        doc: walker.doc_above(node.start_byte(), &DOC),
        visibility: if is_let {
            Visibility::Private
        } else {
            Visibility::Public
        },
        owner: &owner.join("."),
        ..Draft::new(
            if function.is_some() {
                SymbolKind::Function
            } else {
                SymbolKind::Constant
            },
            *name,
            node,
        )
    });
    if *text == "imports" && value.kind() == "list_expression" {
        import_list(walker, value);
    }
    if let Some(function) = function {
        walker.claim(function, definition);
    } else if at_top && matches!(value.kind(), "attrset_expression" | "rec_attrset_expression") {
        walker.claim(value, definition);
    }
    // What else the value holds is its own.
    walker.open(definition);
    Flow::Descend
}

/// A set that is the value of a binding of the file.
fn set<'t>(walker: &mut Walker<'t>, node: Node<'t>) -> Flow {
    if let Some(definition) = walker.claimed(node) {
        walker.open_marked(definition, MEMBERS);
    }
    Flow::Descend
}

/// `inherit (set) a b;` binds names of another set here.
fn inherit_from<'t>(walker: &mut Walker<'t>, node: Node<'t>) -> Flow {
    let in_binding = walker.scope().mark & MEMBERS != 0;
    let at_top = walker.enclosing_kind() == SymbolKind::Module && is_outermost(walker);
    let (Some(set), Some(names)) = (
        node.child_by_field_name("expression"),
        node.child_by_field_name("attrs"),
    ) else {
        return Flow::Descend;
    };
    if (in_binding || at_top) && matches!(set.kind(), "variable_expression" | "select_expression") {
        let is_let = walker
            .ancestors()
            .nth(1)
            .is_some_and(|around| around.kind() == "let_expression");
        let flags = if is_let { 0 } else { ImportFlags::REEXPORT };
        for name in names.children_by_field_name("attr") {
            let text = walker.text(name).trim_matches('"');
            walker.import(name, walker.text(set), text, text, flags);
        }
    }
    Flow::Descend
}

/// A function is that of the binding it is the value of; one that yields another is one with several arguments, and those around the
/// bindings of the file are its own arguments.
fn function<'t>(walker: &mut Walker<'t>, node: Node<'t>) -> Flow {
    if let Some(definition) = walker.claimed(node) {
        walker.open(definition);
        return Flow::Descend;
    }
    let is_rest = walker
        .parent()
        .is_some_and(|parent| parent.kind() == "function_expression");
    let is_argument_of_file = walker.enclosing_kind() == SymbolKind::Module && is_outermost(walker);
    if !is_rest && !is_argument_of_file {
        let definition = walker.define(Draft {
            signature: (node.start_byte(), body_start(node)),
            ..Draft::anonymous(SymbolKind::Function, "lambda", node)
        });
        walker.open(definition);
    }
    Flow::Descend
}

/// The file that a value names.
fn file<'t>(walker: &Walker<'t>, value: Node<'t>) -> Option<&'t str> {
    let text = walker.text(value);
    match value.kind() {
        "path_expression" | "hpath_expression" | "spath_expression" => Some(text),
        "string_expression" => Some(text.trim_matches('"')),
        _ => None,
    }
}

/// `import ./file` and `callPackage ./file`.
fn apply<'t>(walker: &mut Walker<'t>, node: Node<'t>) -> Flow {
    let (Some(function), Some(argument)) = (
        node.child_by_field_name("function"),
        node.child_by_field_name("argument"),
    ) else {
        return Flow::Descend;
    };
    let called = match function.kind() {
        "variable_expression" | "select_expression" => walker.text(function),
        _ => return Flow::Descend,
    };
    let called = called.rsplit('.').next().unwrap_or(called);
    if matches!(called, "import" | "callPackage" | "callPackages")
        && let Some(module) = file(walker, argument)
    {
        // The name that the value is bound to, if it is all of it.
        let local = walker
            .ancestors()
            .find(|around| !matches!(around.kind(), "apply_expression" | "parenthesized_expression"))
            .filter(|around| around.kind() == "binding")
            .and_then(|binding| path(walker, binding))
            .and_then(|path| path.last().map(|(_, name)| *name));
        walker.import(node, module, "", local.unwrap_or(""), 0);
    }
    Flow::Descend
}

/// `imports = [ ./file ]` of a module.
fn import_list<'t>(walker: &mut Walker<'t>, list: Node<'t>) {
    for element in list.children_by_field_name("element") {
        if let Some(module) = file(walker, element) {
            walker.import(element, module, "", "", 0);
        }
    }
}

fn is_test_file(path: &RepoPath) -> bool {
    has_directory(path, &["test", "tests"])
}
