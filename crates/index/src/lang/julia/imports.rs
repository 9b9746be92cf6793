//! `using`, `import`, `export`, `public` and `include`.

use crate::extract::{Walker, child_of_kind};
use crate::language::Flow;
use crate::syntax::Node;

/// `using A` binds all that `A` exports, `using A: x` only what it names.
pub(super) fn using<'t>(walker: &mut Walker<'t>, node: Node<'t>) -> Flow {
    if selected(walker, node) {
        return Flow::Skip;
    }
    for child in node.named_children() {
        match child.kind() {
            "identifier" | "scoped_identifier" | "import_path" => {
                walker.import(child, walker.text(child), "*", "*", 0);
            }
            "import_alias" => alias(walker, child, None),
            _ => {}
        }
    }
    Flow::Skip
}

/// `import A` binds `A`, `import A.b` binds `b`.
pub(super) fn import<'t>(walker: &mut Walker<'t>, node: Node<'t>) -> Flow {
    if selected(walker, node) {
        return Flow::Skip;
    }
    for child in node.named_children() {
        match child.kind() {
            "identifier" | "scoped_identifier" | "import_path" => {
                let (module, name) = split(walker.text(child));
                let local = if name.is_empty() {
                    module.trim_start_matches('.')
                } else {
                    name
                };
                walker.import(child, module, name, local, 0);
            }
            "import_alias" => alias(walker, child, None),
            _ => {}
        }
    }
    Flow::Skip
}

/// The names after a colon, if there is one.
fn selected<'t>(walker: &mut Walker<'t>, node: Node<'t>) -> bool {
    let Some(selection) = child_of_kind(node, &["selected_import"]) else {
        return false;
    };
    let mut children = selection.named_children();
    let module = children.next().map_or("", |module| walker.text(module));
    for child in children {
        match child.kind() {
            "import_alias" => alias(walker, child, Some(module)),
            "identifier" | "operator" | "macro_identifier" => {
                let name = walker.text(child);
                walker.import(child, module, name, name, 0);
            }
            _ => {}
        }
    }
    true
}

/// `x as y`, from a module or as the path of one.
fn alias<'t>(walker: &mut Walker<'t>, node: Node<'t>, module: Option<&'t str>) {
    let Some((path, local)) = node.named_child(0).zip(super::last_named(node)) else {
        return;
    };
    let (path, local) = (walker.text(path), walker.text(local));
    let (module, name) = match module {
        Some(module) => (module, path),
        None => split(path),
    };
    walker.import(node, module, name, local, 0);
}

/// The module of a path and the name in it; no name where the path has one part. Dots in front lead out of the current module.
fn split(path: &str) -> (&str, &str) {
    let bare = path.trim_start_matches('.');
    match bare.rsplit_once('.') {
        Some((module, name)) => {
            let dots = path.len() - bare.len();
            let name = name
                .trim_start_matches(':')
                .trim_start_matches('(')
                .trim_end_matches(')');
            (&path[..dots + module.len()], name)
        }
        None => (path, ""),
    }
}

/// `include("file.jl")` puts the text of a file in its place.
pub(super) fn include<'t>(walker: &mut Walker<'t>, node: Node<'t>) -> Flow {
    let is_include = node
        .named_child(0)
        .is_some_and(|callee| callee.kind() == "identifier" && walker.text(callee) == "include");
    if is_include
        && let Some(list) = child_of_kind(node, &["argument_list"])
        && let (1, Some(file)) = (list.named_child_count(), list.named_child(0))
        && file.kind() == "string_literal"
        && child_of_kind(file, &["string_interpolation"]).is_none()
    {
        walker.import(node, walker.text(file).trim_matches('"'), "*", "*", 0);
    }
    Flow::Descend
}

pub(super) fn export<'t>(walker: &mut Walker<'t>, node: Node<'t>) -> Flow {
    for child in node.named_children() {
        if matches!(child.kind(), "identifier" | "operator" | "macro_identifier") {
            let name = walker.text(child);
            walker.export(child, name, name);
        }
    }
    Flow::Skip
}
