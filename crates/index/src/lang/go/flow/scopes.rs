//! What a package declares before anything of it runs, and where the variables of a body are written.

use super::super::package_of;
use super::Builder;
use crate::syntax::Node;

/// Declares the names of a file that the whole package sees, and those that its imports bind.
pub(super) fn declare_package<'t>(builder: &mut Builder<'t, '_>, root: Node<'t>) {
    for declaration in root.named_children() {
        match declaration.kind() {
            "import_declaration" => each_spec(declaration, "import_spec", &mut |spec| {
                if let Some((_, Some(name))) = import_of(builder, spec) {
                    builder.declare(name);
                }
            }),
            "function_declaration" => {
                if let Some(name) = declaration.child_by_field_name("name") {
                    let name = builder.text(name);
                    if name != "init" && name != "_" {
                        builder.declare(name);
                    }
                }
            }
            "type_declaration" => {
                for kind in ["type_spec", "type_alias"] {
                    each_spec(declaration, kind, &mut |spec| declare_names(builder, spec));
                }
            }
            "const_declaration" => each_spec(declaration, "const_spec", &mut |spec| declare_names(builder, spec)),
            "var_declaration" => each_spec(declaration, "var_spec", &mut |spec| declare_names(builder, spec)),
            _ => {}
        }
    }
}

/// Declares the names of a specification.
pub(super) fn declare_names<'t>(builder: &mut Builder<'t, '_>, spec: Node<'t>) {
    for name in spec.children_by_field_name("name") {
        let text = builder.text(name);
        if name.is_named() && text != "_" {
            builder.declare(text);
        }
    }
}

/// The specifications of a kind in a declaration, which may be a group.
pub(super) fn each_spec<'t>(declaration: Node<'t>, kind: &str, found: &mut dyn FnMut(Node<'t>)) {
    for child in declaration.named_children() {
        if child.kind() == kind {
            found(child);
        } else if matches!(child.kind(), "import_spec_list" | "var_spec_list") {
            for spec in child.named_children().filter(|spec| spec.kind() == kind) {
                found(spec);
            }
        }
    }
}

/// The path of an import and the name that it binds, if any: `.` binds every name.
pub(super) fn import_of<'t>(builder: &Builder<'t, '_>, spec: Node<'t>) -> Option<(&'t str, Option<&'t str>)> {
    let path = builder.text(spec.child_by_field_name("path")?).trim_matches(['"', '`']);
    let name = match spec.child_by_field_name("name").map(|name| builder.text(name)) {
        None => Some(package_of(path)),
        Some("." | "_") => None,
        name => name,
    };
    Some((path, name))
}

/// Notes where the variables of a body are written, for its loops.
pub(super) fn note_writes<'t>(builder: &mut Builder<'t, '_>, body: Node<'t>) {
    if !builder.text(body).contains("for") {
        return;
    }
    let mut found: Vec<(usize, &'t str)> = Vec::new();
    let mut waiting = vec![body];
    while let Some(node) = waiting.pop() {
        let target = match node.kind() {
            "func_literal" => continue,
            "short_var_declaration" | "assignment_statement" | "range_clause" | "receive_statement" => {
                node.child_by_field_name("left")
            }
            "inc_statement" | "dec_statement" => None,
            _ => None,
        };
        if let Some(target) = target {
            found.extend(
                target
                    .named_children()
                    .filter(|name| name.kind() == "identifier")
                    .map(|name| (name.start_byte(), builder.text(name))),
            );
        }
        waiting.extend(node.named_children());
    }
    found.sort_unstable_by_key(|(byte, _)| *byte);
    for (byte, name) in found {
        builder.note_write(byte, name);
    }
}
