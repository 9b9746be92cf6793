//! Python: definitions, docstrings, imports, and how modules are named.

mod decorators;
mod entry_points;
mod flow;
mod uses;

use decorators::{Decorator, known};
use lore_model::{Modifier, Modifiers, RepoPath, SymbolKind, Visibility};

use crate::extract::{Draft, Draftee, Walker};
use crate::language::{Flow, Language, Rule};
use crate::layout::{Layout, Root, has_directory, join_path, longest_root};
use crate::syntax::Node;

pub(crate) static PYTHON: Language = Language {
    name: "python",
    dialect: "python",
    extensions: &["py", "pyi", "pyw"],
    interpreters: &["python", "python2", "python3", "pypy", "pypy3"],
    grammar: || tree_sitter_python::LANGUAGE.into(),
    rules: &[
        ("comment", Rule::Comment),
        ("string", Rule::Text),
        ("module", Rule::Visit(module)),
        ("function_definition", Rule::Visit(function)),
        ("class_definition", Rule::Visit(class)),
        ("decorated_definition", Rule::Visit(decorated)),
        ("lambda", Rule::Visit(lambda)),
        ("assignment", Rule::Visit(assignment)),
        ("type_alias_statement", Rule::Visit(type_alias)),
        ("type", Rule::Visit(uses::annotation)),
        ("yield", Rule::Visit(yields)),
        ("import_statement", Rule::Visit(import)),
        ("import_from_statement", Rule::Visit(import_from)),
        ("future_import_statement", Rule::Visit(import_from)),
        ("if_statement", Rule::Decision),
        ("elif_clause", Rule::Decision),
        ("for_statement", Rule::Decision),
        ("while_statement", Rule::Decision),
        ("except_clause", Rule::Decision),
        ("conditional_expression", Rule::Decision),
        ("boolean_operator", Rule::Decision),
        ("for_in_clause", Rule::Decision),
        ("if_clause", Rule::Decision),
        ("case_clause", Rule::Visit(case)),
    ],
    roots,
    module_name,
    is_test_file,
    declaration_suffixes: &[".pyi"],
    entry_points: entry_points::ENTRY_POINTS,
    flow: Some(&flow::RULES),
    ..Language::BASE
};

/// Marks the scope of a class whose members are enumeration members.
const ENUM_BODY: u32 = 1;
/// Marks the scope of a class derived from a `TestCase`.
const TEST_CASE: u32 = 2;

fn module<'t>(walker: &mut Walker<'t>, node: Node<'t>) -> Flow {
    if let Some(doc) = docstring(walker, node) {
        walker.module_doc(&doc);
    }
    Flow::Descend
}

/// The string that opens a body.
fn docstring(walker: &Walker<'_>, body: Node<'_>) -> Option<String> {
    let first = body.named_children().find(|child| child.kind() != "comment")?;
    let string = match first.kind() {
        "expression_statement" => first.named_child(0).filter(|child| child.kind() == "string")?,
        "string" => first,
        _ => return None,
    };
    let mut text = String::new();
    for part in string.children() {
        match part.kind() {
            "string_start" if walker.text(part).contains(['f', 'F', 'b', 'B']) => return None,
            "string_content" => text.push_str(walker.text(part)),
            _ => {}
        }
    }
    Some(clean_docstring(&text))
}

/// A docstring without the indentation that its lines share.
fn clean_docstring(text: &str) -> String {
    let indentation = text
        .lines()
        .skip(1)
        .filter(|line| !line.trim().is_empty())
        .map(|line| line.len() - line.trim_start().len())
        .min()
        .unwrap_or(0);
    let mut cleaned = String::with_capacity(text.len());
    for (at, line) in text.lines().enumerate() {
        let line = if at == 0 {
            line.trim_start()
        } else {
            line.get(indentation..).unwrap_or_else(|| line.trim_start())
        };
        cleaned.push_str(line.trim_end());
        cleaned.push('\n');
    }
    cleaned.trim_matches('\n').trim_end().to_owned()
}

fn visibility(walker: &Walker<'_>, name: &str) -> Visibility {
    let dunder = name.len() > 4 && name.starts_with("__") && name.ends_with("__");
    if walker.in_function() || (name.starts_with('_') && !dunder) {
        Visibility::Private
    } else {
        Visibility::Public
    }
}

/// Waits with the decorators for the definition below.
fn decorated<'t>(walker: &mut Walker<'t>, node: Node<'t>) -> Flow {
    walker.attributes.clear();
    for child in node.children().filter(|child| child.kind() == "decorator") {
        walker
            .attributes
            .push((child.start_byte() as u32, child.end_byte() as u32));
    }
    Flow::Descend
}

/// The decorators of a definition without their sign, and the node they and it stand in.
fn decorators<'t>(walker: &mut Walker<'t>, node: Node<'t>) -> Vec<&'t str> {
    if decorated_span(walker, node) == node {
        return Vec::new();
    }
    let waiting = std::mem::take(&mut walker.attributes);
    waiting
        .iter()
        .map(|(start, end)| {
            walker
                .slice(*start as usize, *end as usize)
                .trim_start_matches('@')
                .trim()
        })
        .collect()
}

fn function<'t>(walker: &mut Walker<'t>, node: Node<'t>) -> Flow {
    let (Some(name), Some(body)) = (node.child_by_field_name("name"), node.child_by_field_name("body")) else {
        return Flow::Descend;
    };
    let text = walker.text(name);
    let in_class = walker.enclosing_kind().is_type();
    let class_mark = walker.scope().mark;
    let decorators = decorators(walker, node);
    let span = decorated_span(walker, node);
    let mut modifiers = Modifiers::default();
    if walker.slice(node.start_byte(), name.start_byte()).starts_with("async") {
        modifiers.insert(Modifier::Async);
    }
    for decorator in &decorators {
        for said in known(decorator) {
            match said {
                Decorator::Static => modifiers.insert(Modifier::Static),
                Decorator::ClassMethod => modifiers.insert(Modifier::Classmethod),
                Decorator::Property => modifiers.insert(Modifier::Property),
                Decorator::Setter => {
                    modifiers.insert(Modifier::Property);
                    modifiers.insert(Modifier::Setter);
                }
                Decorator::Abstract => modifiers.insert(Modifier::Abstract),
                Decorator::Final => modifiers.insert(Modifier::Final),
                Decorator::Override => modifiers.insert(Modifier::Override),
                Decorator::Getter | Decorator::Deleter | Decorator::Overload => {}
            }
        }
    }
    let is_test = walker.role.test && text.starts_with("test_") && !walker.in_function();
    let kind = match (in_class, text) {
        (true, "__init__" | "__new__") => SymbolKind::Constructor,
        _ if is_test => SymbolKind::Test,
        (true, _) if class_mark & TEST_CASE != 0 && text.starts_with("test") => SymbolKind::Test,
        (true, _) => SymbolKind::Method,
        (false, _) => SymbolKind::Function,
    };
    let takes_instance =
        in_class && !modifiers.contains(Modifier::Static) && !modifiers.contains(Modifier::Classmethod);
    let doc = docstring(walker, body);
    let definition = walker.define(Draft {
        signature: (node.start_byte(), body.start_byte()),
        doc,
        visibility: visibility(walker, text),
        modifiers,
        decorators,
        ..Draft::new(kind, name, span)
    });
    end_with_body(walker, definition, body);
    match first_parameter(walker, node).filter(|_| takes_instance) {
        Some(receiver) => walker.open_method(definition, receiver),
        None => walker.open(definition),
    }
    Flow::Descend
}

/// The decorated definition around a definition, or the definition itself.
fn decorated_span<'t>(walker: &Walker<'t>, node: Node<'t>) -> Node<'t> {
    walker
        .parent()
        .filter(|parent| parent.kind() == "decorated_definition")
        .unwrap_or(node)
}

fn class<'t>(walker: &mut Walker<'t>, node: Node<'t>) -> Flow {
    let (Some(name), Some(body)) = (node.child_by_field_name("name"), node.child_by_field_name("body")) else {
        return Flow::Descend;
    };
    let (mut kind, mut mark) = (SymbolKind::Class, 0);
    if let Some(bases) = node.child_by_field_name("superclasses") {
        for base in bases.named_children().filter(|base| base.kind() != "keyword_argument") {
            let path = walker.text(base).split('[').next().unwrap_or("").trim();
            let last = path.rsplit('.').next().unwrap_or(path);
            if last.ends_with("Enum") || last.ends_with("Flag") {
                kind = SymbolKind::Enum;
                mark |= ENUM_BODY;
            } else if last == "Protocol" {
                kind = SymbolKind::Interface;
            } else if last.ends_with("TestCase") {
                mark |= TEST_CASE;
            }
        }
    }
    let decorators = decorators(walker, node);
    let text = walker.text(name);
    let doc = docstring(walker, body);
    let definition = walker.define(Draft {
        signature: (node.start_byte(), body.start_byte()),
        doc,
        visibility: visibility(walker, text),
        decorators,
        ..Draft::new(kind, name, decorated_span(walker, node))
    });
    end_with_body(walker, definition, body);
    uses::base_arguments(walker, node, definition);
    walker.open_marked(definition, mark);
    Flow::Descend
}

/// Ends a definition where its last statement ends: the grammar gives it the comments that follow.
fn end_with_body<'t>(walker: &mut Walker<'t>, definition: u32, body: Node<'t>) {
    let last = body.named_children().filter(|child| child.kind() != "comment").last();
    let Some(last) = last else { return };
    let end_line = walker.row_of(last.end_byte().saturating_sub(1)) + 1;
    if let Some(definition) = walker.facts.definitions.get_mut(definition as usize) {
        definition.place.end_line = end_line.max(definition.place.line.get()).into();
        definition.place.end_byte = (last.end_byte() as u32).into();
    }
}

fn lambda<'t>(walker: &mut Walker<'t>, node: Node<'t>) -> Flow {
    let draft = Draft::anonymous(SymbolKind::Function, "lambda", node);
    // A default is made where the function is, not inside it.
    let in_default = walker
        .ancestors()
        .find(|around| matches!(around.kind(), "parameters" | "lambda_parameters" | "block" | "lambda"))
        .is_some_and(|around| matches!(around.kind(), "parameters" | "lambda_parameters"))
        // A broken file has parameters without a function around them.
        && walker.scopes.len() > 1;
    let definition = match in_default.then(|| walker.scopes.pop()).flatten() {
        Some(function) => {
            let definition = walker.define(draft);
            walker.scopes.push(function);
            definition
        }
        None => walker.define(draft),
    };
    walker.open(definition);
    Flow::Descend
}

fn yields(walker: &mut Walker<'_>, _: Node<'_>) -> Flow {
    let definition = walker.scope().definition;
    if let Some(definition) = walker.facts.definitions.get_mut(definition as usize) {
        definition.modifiers = definition.modifiers().with(Modifier::Generator).0.into();
    }
    Flow::Descend
}

fn case<'t>(walker: &mut Walker<'t>, node: Node<'t>) -> Flow {
    let patterns: Vec<_> = node
        .named_children()
        .filter(|child| child.kind() == "case_pattern")
        .collect();
    if !matches!(&patterns[..], [pattern] if walker.text(*pattern) == "_") {
        walker.decision();
    }
    Flow::Descend
}

fn is_upper(name: &str) -> bool {
    name.chars().any(char::is_uppercase) && !name.chars().any(char::is_lowercase)
}

fn assignment<'t>(walker: &mut Walker<'t>, node: Node<'t>) -> Flow {
    let Some(left) = node.child_by_field_name("left") else {
        return Flow::Descend;
    };
    let scope_kind = walker.enclosing_kind();
    if scope_kind == SymbolKind::Module || scope_kind.is_type() {
        assign_names(walker, node, left);
    } else if scope_kind.is_callable() {
        assign_attributes(walker, node, left);
    }
    Flow::Descend
}

/// Records the names that an assignment at module or class level declares.
fn assign_names<'t>(walker: &mut Walker<'t>, node: Node<'t>, left: Node<'t>) {
    match left.kind() {
        "identifier" => {}
        "pattern_list" | "tuple_pattern" | "list_pattern" => {
            for target in left.named_children() {
                assign_names(walker, node, target);
            }
            return;
        }
        _ => return,
    }
    let name = walker.text(left);
    let in_type = walker.enclosing_kind().is_type();
    let right = node.child_by_field_name("right");
    let declared = node
        .child_by_field_name("type")
        .map_or("", |declared| walker.text(declared));
    if !walker.scope().seen.insert(name.to_owned()) {
        return;
    }
    let kind = if declared == "TypeAlias" || declared.ends_with(".TypeAlias") {
        SymbolKind::TypeAlias
    } else if in_type && walker.scope().mark & ENUM_BODY != 0 && !name.starts_with('_') && right.is_some() {
        SymbolKind::EnumMember
    } else if is_upper(name) {
        SymbolKind::Constant
    } else if in_type {
        SymbolKind::Field
    } else {
        SymbolKind::Static
    };
    // `a = b = 1` nests: the statement is what the reader sees.
    let statement = walker
        .ancestors()
        .take_while(|parent| parent.kind() == "assignment")
        .last()
        .unwrap_or(node);
    walker.define(Draft {
        visibility: visibility(walker, name),
        ..Draft::new(kind, left, statement)
    });
}

/// Records the attributes that a method gives its instance.
fn assign_attributes<'t>(walker: &mut Walker<'t>, node: Node<'t>, left: Node<'t>) {
    if walker.scope().receiver.is_empty() {
        return;
    }
    match left.kind() {
        "attribute" => {}
        "pattern_list" | "tuple_pattern" | "list_pattern" => {
            for target in left.named_children() {
                assign_attributes(walker, node, target);
            }
            return;
        }
        _ => return,
    }
    let (Some(object), Some(attribute)) = (
        left.child_by_field_name("object"),
        left.child_by_field_name("attribute"),
    ) else {
        return;
    };
    if object.kind() != "identifier" || walker.text(object) != walker.scope().receiver {
        return;
    }
    let method = walker.scopes.pop();
    let name = walker.text(attribute);
    if walker.enclosing_kind().is_type() && walker.scope().seen.insert(name.to_owned()) {
        let kind = if is_upper(name) {
            SymbolKind::Constant
        } else {
            SymbolKind::Field
        };
        let visibility = visibility(walker, name);
        walker.define(Draft {
            name: Draftee::Node(attribute),
            visibility,
            ..Draft::new(kind, attribute, node)
        });
    }
    walker.scopes.extend(method);
}

/// The name of a function's first parameter.
fn first_parameter<'t>(walker: &Walker<'t>, function: Node<'t>) -> Option<&'t str> {
    let mut parameter = function.child_by_field_name("parameters")?.named_child(0)?;
    while parameter.kind() != "identifier" {
        parameter = parameter.named_child(0)?;
    }
    Some(walker.text(parameter))
}

fn type_alias<'t>(walker: &mut Walker<'t>, node: Node<'t>) -> Flow {
    let left = node.child_by_field_name("left").or_else(|| node.named_child(0));
    let Some(mut name) = left else {
        return Flow::Descend;
    };
    while name.kind() != "identifier" {
        match name.named_child(0) {
            Some(child) => name = child,
            None => return Flow::Descend,
        }
    }
    let text = walker.text(name);
    walker.define(Draft {
        visibility: visibility(walker, text),
        ..Draft::new(SymbolKind::TypeAlias, name, node)
    });
    Flow::Descend
}

fn import<'t>(walker: &mut Walker<'t>, node: Node<'t>) -> Flow {
    for name in node.children_by_field_name("name") {
        if name.kind() == "aliased_import" {
            let module = name
                .child_by_field_name("name")
                .map_or("", |module| walker.text(module));
            let alias = name.child_by_field_name("alias").map_or("", |alias| walker.text(alias));
            walker.import(name, module, "", alias, 0);
        } else {
            let module = walker.text(name);
            walker.import(name, module, "", module.split('.').next().unwrap_or(module), 0);
        }
    }
    Flow::Skip
}

fn import_from<'t>(walker: &mut Walker<'t>, node: Node<'t>) -> Flow {
    let module = node
        .child_by_field_name("module_name")
        .map_or("__future__", |module| walker.text(module));
    for name in node.children_by_field_name("name") {
        if name.kind() == "aliased_import" {
            let imported = name
                .child_by_field_name("name")
                .map_or("", |imported| walker.text(imported));
            let alias = name.child_by_field_name("alias").map_or("", |alias| walker.text(alias));
            walker.import(name, module, imported, alias, 0);
        } else {
            let imported = walker.text(name);
            walker.import(name, module, imported, imported, 0);
        }
    }
    if node.children().any(|child| child.kind() == "wildcard_import") {
        walker.import(node, module, "*", "*", 0);
    }
    Flow::Skip
}

/// The repository's root, a `src` or `lib` that directly holds modules, the directories of package files and what they declare.
fn roots(layout: &Layout<'_>) -> Vec<Root> {
    let mut directories = vec![String::new()];
    for (directory, text) in layout.package_files("pyproject.toml") {
        directories.push(directory.to_owned());
        if let Ok(table) = text.parse::<toml::Table>() {
            directories.extend(
                declared_roots(&table)
                    .into_iter()
                    .map(|root| join_path(directory, &root)),
            );
        }
    }
    for (directory, text) in layout.package_files("setup.cfg") {
        directories.push(directory.to_owned());
        directories.extend(
            setup_cfg_roots(text)
                .into_iter()
                .map(|root| join_path(directory, &root)),
        );
    }
    let mut found = directories.clone();
    for directory in &directories {
        for candidate in ["src", "lib"] {
            let candidate = join_path(directory, candidate);
            if !layout.contains(&format!("{candidate}/__init__.py")) && holds_modules(layout, &candidate) {
                found.push(candidate);
            }
        }
    }
    found.sort();
    found.dedup();
    found
        .into_iter()
        .map(|directory| Root {
            directory,
            ..Root::default()
        })
        .collect()
}

/// Whether a directory holds a module or a package.
fn holds_modules(layout: &Layout<'_>, directory: &str) -> bool {
    layout.below(directory).any(|path| match path.split_once('/') {
        None => path.ends_with(".py"),
        Some((_, rest)) => rest == "__init__.py",
    })
}

/// The source roots a `pyproject.toml` names for setuptools, poetry or hatch.
fn declared_roots(table: &toml::Table) -> Vec<String> {
    let at = |path: &[&str]| {
        let mut value = table.get(*path.first()?)?;
        for key in &path[1..] {
            value = value.get(key)?;
        }
        Some(value.clone())
    };
    let text = |value: &toml::Value| value.as_str().map(str::to_owned);
    let mut roots = Vec::new();
    roots.extend(at(&["tool", "setuptools", "package-dir", ""]).as_ref().and_then(text));
    for value in at(&["tool", "setuptools", "packages", "find", "where"])
        .iter()
        .filter_map(toml::Value::as_array)
        .flatten()
    {
        roots.extend(text(value));
    }
    for value in at(&["tool", "poetry", "packages"])
        .iter()
        .filter_map(toml::Value::as_array)
        .flatten()
    {
        roots.extend(value.get("from").and_then(text));
    }
    let hatch = at(&["tool", "hatch", "build", "targets", "wheel", "packages"]);
    for value in hatch.iter().filter_map(toml::Value::as_array).flatten() {
        roots.extend(text(value).and_then(|path| path.rsplit_once('/').map(|(root, _)| root.to_owned())));
    }
    roots
}

/// The source roots a `setup.cfg` names.
fn setup_cfg_roots(text: &str) -> Vec<String> {
    let mut roots = Vec::new();
    let mut in_package_dir = false;
    for line in text.lines() {
        let indented = line.starts_with([' ', '\t']);
        let line = line.trim();
        if !indented {
            in_package_dir = line.starts_with("package_dir");
        }
        let value = if in_package_dir {
            line.trim_start_matches("package_dir").trim()
        } else {
            line
        };
        if in_package_dir && let Some(root) = value.strip_prefix('=') {
            roots.push(root.trim().trim_start_matches('=').trim().to_owned());
        } else if let Some(root) = line
            .strip_prefix("where")
            .map(str::trim)
            .and_then(|rest| rest.strip_prefix('='))
        {
            roots.push(root.trim().to_owned());
        }
    }
    roots.retain(|root| !root.is_empty());
    roots
}

fn module_name(roots: &[Root], path: &RepoPath, _: &str) -> String {
    let relative = longest_root(roots, path.as_str()).map_or(path.as_str(), |(_, relative)| relative);
    let stem = relative
        .rsplit_once('.')
        .filter(|(_, extension)| !extension.contains('/'))
        .map_or(relative, |(stem, _)| stem);
    let stem = match stem.strip_suffix("__init__") {
        Some("") => path
            .directory()
            .rsplit('/')
            .next()
            .filter(|name| !name.is_empty())
            .unwrap_or("__init__"),
        Some(package) => package.trim_end_matches('/'),
        None => stem,
    };
    stem.replace('/', ".")
}

fn is_test_file(path: &RepoPath) -> bool {
    let name = path.file_name();
    let stem = name.rsplit_once('.').map_or(name, |(stem, _)| stem);
    stem.starts_with("test_")
        || stem.ends_with("_test")
        || stem == "tests"
        || stem == "test"
        || has_directory(path, &["tests", "test"])
}
