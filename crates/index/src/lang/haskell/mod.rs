//! Haskell: functions with their equations and signatures, data types, classes, instances, exports, imports.

mod blank;
mod calls;
mod docs;
mod flow;
mod header;
mod literate;
mod types;

use lore_model::{Modifier, Modifiers, RepoPath, SymbolKind, Visibility};

use crate::extract::{Draft, Walker, child_of_kind};
use crate::language::{Flow, Language, Rule, module_of_path};
use crate::layout::{Root, has_directory};
use crate::syntax::Node;

pub(crate) static HASKELL: Language = Language {
    name: "haskell",
    dialect: "haskell",
    extensions: &["hs", "hs-boot", "hsc"],
    interpreters: &["runhaskell", "runghc", "stack"],
    grammar: || tree_sitter_haskell::LANGUAGE.into(),
    blank: blank::blank,
    rules: &[
        ("comment", Rule::Comment),
        ("haddock", Rule::Comment),
        ("pragma", Rule::Comment),
        ("string", Rule::Text),
        ("cpp", Rule::Visit(directive)),
        ("header", Rule::Visit(header::header)),
        ("import", Rule::Visit(header::import)),
        ("data_type", Rule::Visit(types::data)),
        ("newtype", Rule::Visit(types::data)),
        ("data_constructor", Rule::Visit(types::constructor)),
        ("gadt_constructor", Rule::Visit(types::constructor)),
        ("newtype_constructor", Rule::Visit(types::constructor)),
        ("field", Rule::Visit(types::field)),
        ("type_synonym", Rule::Visit(types::alias)),
        ("type_family", Rule::Visit(types::alias)),
        ("data_family", Rule::Visit(types::alias)),
        ("type_instance", Rule::Visit(types::associated)),
        ("class", Rule::Visit(types::class)),
        ("instance", Rule::Visit(types::instance)),
        ("signature", Rule::Visit(signature)),
        ("function", Rule::Visit(binding)),
        ("bind", Rule::Visit(binding)),
        ("pattern_synonym", Rule::Visit(pattern_synonym)),
        ("foreign_import", Rule::Visit(foreign)),
        ("local_binds", Rule::Visit(locals)),
        ("lambda", Rule::Visit(lambda)),
        ("lambda_case", Rule::Visit(lambda)),
        ("infix", Rule::Visit(calls::infix)),
        ("apply", Rule::Visit(calls::apply)),
        ("conditional", Rule::Decision),
        ("alternative", Rule::Visit(alternative)),
        ("guards", Rule::Visit(guards)),
        ("qualifiers", Rule::Visit(qualifiers)),
        ("operator", Rule::Visit(operator)),
    ],
    module_name,
    is_test_file,
    declaration_suffixes: &[".hs-boot"],
    flow: Some(&flow::RULES),
    shares_modules: true,
    ..Language::BASE
};

/// Haskell in a text that is mostly prose.
pub(crate) static LITERATE: Language = Language {
    dialect: "literate haskell",
    extensions: &["lhs"],
    interpreters: &[],
    blank: literate::blank,
    reads_blanked: true,
    declaration_suffixes: &[".lhs-boot"],
    ..HASKELL
};

/// Marks the scope of a file that says what it exports.
const EXPORTS: u32 = 1;
/// Marks the scope of a class, whose signatures declare methods.
const CLASS: u32 = 2;
/// Marks the scope of an instance.
const INSTANCE: u32 = 4;

/// Where a declaration stands.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Level {
    Module,
    Class,
    Instance,
}

impl Level {
    /// Where the node under the cursor stands, if it declares anything there: the grammar names types and expressions alike.
    fn of(walker: &Walker<'_>) -> Option<Self> {
        match walker.parent()?.kind() {
            "class_declarations" => Some(Self::Class),
            "instance_declarations" => Some(Self::Instance),
            "declarations" => Some(Self::Module),
            _ => None,
        }
    }
}

/// Whether the module exports one of these names: what is listed, or everything where nothing is.
fn visibility(walker: &Walker<'_>, names: &[&str]) -> Visibility {
    let is_exported = walker
        .scopes
        .first()
        .is_none_or(|file| file.mark & EXPORTS == 0 || names.iter().any(|name| file.seen.contains(*name)));
    if is_exported {
        Visibility::Public
    } else {
        Visibility::Private
    }
}

/// A name without the parentheses or backquotes around it.
fn bare(node: Node<'_>) -> Node<'_> {
    match node.kind() {
        "prefix_id" | "infix_id" => node.named_child(0).unwrap_or(node),
        _ => node,
    }
}

/// The names that a signature speaks of.
fn signature_names(node: Node<'_>) -> Vec<Node<'_>> {
    let names = ["names", "synonym", "name"]
        .into_iter()
        .find_map(|field| node.child_by_field_name(field));
    match names {
        Some(list) if list.kind() == "binding_list" => list.children_by_field_name("name").map(bare).collect(),
        name => name.map(bare).into_iter().collect(),
    }
}

/// A signature waits for its equations; in a class it is the declaration of a method.
fn signature<'t>(walker: &mut Walker<'t>, node: Node<'t>) -> Flow {
    let Some(level) = Level::of(walker) else {
        return Flow::Descend;
    };
    for name in signature_names(node) {
        let text = walker.text(name);
        if level != Level::Class {
            let range = (node.start_byte() as u32, node.end_byte() as u32);
            walker.scope().waiting.insert(text.to_owned(), range);
            continue;
        }
        let class = types::around(walker);
        let definition = walker.define(Draft {
            doc: docs::of(walker, node),
            visibility: visibility(walker, &[text, &format!("{class}(..)"), &format!("{class}({text})")]),
            modifiers: Modifiers::default().with(Modifier::Abstract),
            ..Draft::new(SymbolKind::Method, name, node)
        });
        walker.expect_clauses(text.to_owned(), definition, false);
        walker.scope().waiting.insert(text.to_owned(), (definition, 0));
    }
    Flow::Descend
}

/// The name that an equation defines: `f x`, `x <+> y`, `(x <+> y) z`.
fn equation_name(node: Node<'_>) -> Option<Node<'_>> {
    if let Some(name) = node.child_by_field_name("name") {
        return Some(bare(name));
    }
    let mut head = node;
    while let Some(parens) = head.child_by_field_name("parens") {
        head = parens;
    }
    match head.child_by_field_name("name") {
        Some(name) => Some(bare(name)),
        None => child_of_kind(head, &["infix"])?
            .child_by_field_name("operator")
            .map(bare),
    }
}

/// An equation of a function, or a value.
fn binding<'t>(walker: &mut Walker<'t>, node: Node<'t>) -> Flow {
    let Some(level) = Level::of(walker) else {
        return Flow::Descend;
    };
    let Some(name) = equation_name(node) else {
        if level == Level::Module {
            pattern_binding(walker, node);
        }
        return Flow::Descend;
    };
    let text = walker.text(name);
    // A value has one equation: a second is its twin behind the preprocessor's `#else`.
    if node.kind() == "bind" && level != Level::Class {
        walker.end_clauses();
    }
    let further = walker.further_clause(text, node, true);
    let definition = match (further, level) {
        (Some(definition), Level::Class) => has_default(walker, definition),
        (Some(definition), _) => definition,
        (None, Level::Class) => default_method(walker, node, name),
        (None, level) => {
            let definition = define_function(walker, node, name, level);
            walker.expect_clauses(text.to_owned(), definition, true);
            definition
        }
    };
    if let Some(lambda) = value(node).filter(|value| matches!(value.kind(), "lambda" | "lambda_case")) {
        walker.claim(lambda, definition);
    }
    walker.open(definition);
    Flow::Descend
}

/// What a binding without guards is bound to.
fn value(node: Node<'_>) -> Option<Node<'_>> {
    node.child_by_field_name("match")?.child_by_field_name("expression")
}

/// Says that a method of a class has a default.
fn has_default(walker: &mut Walker<'_>, definition: u32) -> u32 {
    if let Some(method) = walker.facts.definitions.get_mut(definition as usize) {
        method.modifiers = Modifiers::default().with(Modifier::Default).0.into();
    }
    definition
}

/// The method of a class that an equation somewhere below its signature gives a default.
fn default_method<'t>(walker: &mut Walker<'t>, node: Node<'t>, name: Node<'t>) -> u32 {
    let text = walker.text(name);
    match walker.scope().waiting.get(text).copied() {
        Some((definition, _)) => {
            let is_further = !walker.scope().seen.insert(text.to_owned());
            walker.add_ways(definition, u32::from(is_further));
            has_default(walker, definition)
        }
        None => walker.define(Draft {
            doc: docs::of(walker, node),
            ..Draft::new(SymbolKind::Method, name, node)
        }),
    }
}

fn define_function<'t>(walker: &mut Walker<'t>, node: Node<'t>, name: Node<'t>, level: Level) -> u32 {
    let text = walker.text(name);
    let signature = walker
        .scope()
        .waiting
        .remove(text)
        .map(|(start, end)| (start as usize, end as usize));
    let is_function = node.kind() == "function"
        || signature.is_some_and(|(start, end)| walker.slice(start, end).contains("->"))
        || !value(node).is_some_and(is_plain);
    let kind = match level {
        Level::Instance => SymbolKind::Method,
        _ if walker.role.test && text.starts_with("prop_") => SymbolKind::Test,
        _ if is_function => SymbolKind::Function,
        _ => SymbolKind::Constant,
    };
    let head_end = match node.child_by_field_name("match") {
        Some(first) if kind != SymbolKind::Constant => first.start_byte(),
        _ => node.end_byte(),
    };
    let definition = walker.define(Draft {
        signature: signature.unwrap_or((node.start_byte(), head_end)),
        doc: match signature {
            Some((start, end)) => docs::above(walker, start).or_else(|| docs::behind(walker, end)),
            None => docs::above(walker, node.start_byte()),
        },
        visibility: match level {
            Level::Instance => Visibility::Public,
            _ => visibility(walker, &[text]),
        },
        ..Draft::new(kind, name, node)
    });
    if let Some((start, end)) = signature {
        begin_with_signature(walker, definition, start, walker.slice(end, node.start_byte()));
    }
    definition
}

/// Lets a function begin with the signature, where nothing but comments stands between.
fn begin_with_signature(walker: &mut Walker<'_>, definition: u32, start: usize, between: &str) {
    let is_comment = |line: &str| line.is_empty() || line.starts_with("--") || line.starts_with("{-");
    if !between.lines().map(str::trim_start).all(is_comment) {
        return;
    }
    let line = walker.row_of(start) + 1;
    if let Some(definition) = walker.facts.definitions.get_mut(definition as usize) {
        definition.place.start_byte = (start as u32).into();
        definition.place.start_line = line.into();
    }
}

/// Whether an expression is a value as it stands.
fn is_plain(expression: Node<'_>) -> bool {
    matches!(
        expression.kind(),
        "literal" | "list" | "tuple" | "unit" | "constructor" | "negation" | "record" | "quasiquote"
    )
}

/// `(a, b) = …`: every variable of the pattern is a value.
fn pattern_binding<'t>(walker: &mut Walker<'t>, node: Node<'t>) {
    let Some(pattern) = node.child_by_field_name("pattern") else {
        return;
    };
    let mut cursor = pattern.walk();
    loop {
        let part = cursor.node();
        if part.kind() == "variable" {
            let text = walker.text(part);
            let signature = walker.scope().waiting.remove(text);
            walker.define(Draft {
                signature: signature.map_or((node.start_byte(), node.end_byte()), |(start, end)| {
                    (start as usize, end as usize)
                }),
                doc: docs::of(walker, node),
                visibility: visibility(walker, &[text]),
                ..Draft::new(SymbolKind::Constant, part, node)
            });
        }
        if cursor.goto_first_child() {
            continue;
        }
        while !cursor.goto_next_sibling() {
            if !cursor.goto_parent() {
                return;
            }
        }
    }
}

/// `pattern P x = …`, which makes and takes apart values like a constructor.
fn pattern_synonym<'t>(walker: &mut Walker<'t>, node: Node<'t>) -> Flow {
    if let Some(signature) = child_of_kind(node, &["signature"]) {
        for name in signature_names(signature) {
            let range = (node.start_byte() as u32, node.end_byte() as u32);
            let name = walker.text(name).to_owned();
            walker.scope().waiting.insert(name, range);
        }
        return Flow::Descend;
    }
    let head = child_of_kind(node, &["equation"]).and_then(|equation| equation.child_by_field_name("synonym"));
    let Some(name) = head.and_then(synonym_name) else {
        return Flow::Descend;
    };
    let text = walker.text(name);
    let signature = walker.scope().waiting.remove(text);
    let (start, end) = signature.map_or((node.start_byte(), node.end_byte()), |(start, end)| {
        (start as usize, end as usize)
    });
    let definition = walker.define(Draft {
        signature: (start, end),
        doc: docs::above(walker, start),
        visibility: visibility(walker, &[&format!("pattern {text}"), &format!("({text})")]),
        ..Draft::new(SymbolKind::Constructor, name, node)
    });
    if signature.is_some() {
        begin_with_signature(walker, definition, start, walker.slice(end, node.start_byte()));
    }
    walker.open(definition);
    Flow::Descend
}

/// The constructor at the head of `P x y`, `x :| y`, `P {x, y}`.
fn synonym_name(mut head: Node<'_>) -> Option<Node<'_>> {
    loop {
        head = match head.kind() {
            "apply" => head.child_by_field_name("function")?,
            "infix" => return head.child_by_field_name("operator").map(bare),
            "record" => head.child_by_field_name("constructor")?,
            "constructor" => return Some(head),
            "prefix_id" => return Some(bare(head)),
            _ => return None,
        };
    }
}

fn foreign<'t>(walker: &mut Walker<'t>, node: Node<'t>) -> Flow {
    let signature = node.child_by_field_name("signature");
    if let Some(name) = signature.and_then(|signature| signature.child_by_field_name("name")) {
        walker.define(Draft {
            doc: docs::of(walker, node),
            visibility: visibility(walker, &[walker.text(name)]),
            modifiers: Modifiers::default().with(Modifier::Extern),
            ..Draft::new(SymbolKind::Function, bare(name), node)
        });
    }
    Flow::Descend
}

/// What `where` and `let` define is nobody else's; a second equation of a function among it is one more way.
fn locals<'t>(walker: &mut Walker<'t>, node: Node<'t>) -> Flow {
    let mut last = "";
    let mut further = 0;
    for local in node.named_children() {
        let name = match local.kind() {
            "function" => equation_name(local).map_or("", |name| walker.text(name)),
            "comment" | "haddock" | "pragma" => continue,
            _ => "",
        };
        further += u32::from(!name.is_empty() && name == last);
        last = name;
    }
    walker.decisions(further);
    Flow::Descend
}

fn lambda<'t>(walker: &mut Walker<'t>, node: Node<'t>) -> Flow {
    if walker.claimed(node).is_some() {
        return Flow::Descend;
    }
    let end = node
        .child_by_field_name("patterns")
        .map_or(node.start_byte(), |patterns| patterns.end_byte());
    let definition = walker.define(Draft {
        signature: (node.start_byte(), end),
        ..Draft::anonymous(SymbolKind::Function, "lambda", node)
    });
    walker.open(definition);
    Flow::Descend
}

/// An alternative of a `case`, unless it takes whatever is left.
fn alternative<'t>(walker: &mut Walker<'t>, node: Node<'t>) -> Flow {
    let is_wildcard = node
        .child_by_field_name("pattern")
        .is_some_and(|pattern| pattern.kind() == "wildcard");
    let first = node.child_by_field_name("match");
    let has_guard = first.is_some_and(|first| first.child_by_field_name("guards").is_some());
    if !is_wildcard || has_guard {
        walker.decision();
    }
    Flow::Descend
}

/// Each condition of a guard counts, except those that always hold.
fn guards<'t>(walker: &mut Walker<'t>, node: Node<'t>) -> Flow {
    let conditions = node
        .children_by_field_name("guard")
        .filter(|guard| guard.kind() != "let" && !matches!(walker.text(*guard), "otherwise" | "True"))
        .count();
    walker.decisions(conditions as u32);
    Flow::Descend
}

/// Each generator and filter of a comprehension counts.
fn qualifiers<'t>(walker: &mut Walker<'t>, node: Node<'t>) -> Flow {
    let count = node
        .named_children()
        .filter(|qualifier| matches!(qualifier.kind(), "generator" | "boolean"))
        .count();
    walker.decisions(count as u32);
    Flow::Descend
}

fn operator<'t>(walker: &mut Walker<'t>, node: Node<'t>) -> Flow {
    if matches!(walker.text(node), "&&" | "||") && walker.parent().is_some_and(|parent| parent.kind() == "infix") {
        walker.decision();
    }
    Flow::Descend
}

/// What follows `#else` is a twin of what came before it.
fn directive<'t>(walker: &mut Walker<'t>, node: Node<'t>) -> Flow {
    let word = walker.text(node).trim_start_matches('#').trim_start();
    if word.starts_with("el") {
        walker.end_clauses();
        comments_in_branch(walker, node);
    }
    Flow::Descend
}

/// Finds the comments in a branch that the grammar passes over.
fn comments_in_branch<'t>(walker: &mut Walker<'t>, branch: Node<'t>) {
    let mut start = branch.start_byte();
    for line in walker.text(branch).split_inclusive('\n') {
        let text = line.trim();
        let is_block = text.starts_with("{-") && text.ends_with("-}");
        if is_block || text.starts_with("-- ") || text == "--" {
            let indentation = line.len() - line.trim_start().len();
            walker.comment(start + indentation, start + indentation + text.len());
        }
        start += line.len();
    }
}

/// The module that the file declares; without one, its path.
fn module_name(_: &[Root], path: &RepoPath, package: &str) -> String {
    match package {
        "" => module_of_path(path),
        package => package.to_owned(),
    }
}

fn is_test_file(path: &RepoPath) -> bool {
    let name = path.file_name();
    let stem = name.rsplit_once('.').map_or(name, |(stem, _)| stem);
    ["Spec", "Test", "Tests"].iter().any(|suffix| stem.ends_with(suffix))
        || has_directory(path, &["test", "tests", "testsuite", "spec", "Test", "Tests"])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn outline(source: &str) -> Vec<String> {
        crate::extract::outline(&HASKELL, source)
    }

    #[test]
    fn test_files() {
        for (path, expected) in [
            ("src/Data/MapSpec.hs", true),
            ("test/Main.hs", true),
            ("src/Data/Tests.hs", true),
            ("src/Data/Testing.hs", false),
        ] {
            let path = RepoPath::new(path).expect("the path is relative");
            assert_eq!(is_test_file(&path), expected, "{path}");
        }
    }

    #[test]
    fn defaults_belong_to_their_methods() {
        let source = "class A a where\n  f, g :: a -> a\n  f x = if x then x else x\n  g 1 = 1\n  g x = x\n";
        assert_eq!(outline(source), ["trait A 0", "method A.f 2", "method A.g 2"]);
    }

    #[test]
    fn documentation_before_and_behind() {
        let source = "-- | A.\n{-# INLINE f #-}\nf = g\n\n{-| B.\n\n  C.\n-}\ng :: Int -> Int\ng = f\n\nh :: Int -- ^ D.\nh = k\n-- E.\nk = h\n";
        let expected = [
            "function f 1 \"A.\"",
            "function g 1 \"B.\\n\\nC.\"",
            "function h 1 \"D.\"",
            "function k 1",
        ];
        assert_eq!(outline(source), expected);
    }

    #[test]
    fn the_fields_of_a_comment_on_a_module_are_left_out() {
        for (doc, expected) in [
            (
                "Module : A\nDescription : Short.\nLicense : B\n  and C\n\nLong.",
                "Short.\n\nLong.",
            ),
            ("Just: text.", "Just: text."),
            ("Module : A\n", ""),
        ] {
            assert_eq!(docs::without_fields(doc), expected);
        }
    }
}
