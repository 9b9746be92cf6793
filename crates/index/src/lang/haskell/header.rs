//! The module header, with what it exports, and imports.

use super::{EXPORTS, bare, docs};
use crate::extract::{Walker, child_of_kind, children_of_kind, has_child};
use crate::language::Flow;
use crate::syntax::Node;

/// `module M (f, T(..)) where`.
pub(super) fn header<'t>(walker: &mut Walker<'t>, node: Node<'t>) -> Flow {
    let module = node
        .child_by_field_name("module")
        .map_or("", |module| walker.text(module));
    if walker.facts.package.is_empty() {
        walker.facts.package = walker.facts.text.push(module);
        if let Some(doc) = docs::above(walker, node.start_byte()) {
            walker.module_doc(&docs::without_fields(&doc));
        }
    }
    let Some(exports) = node.child_by_field_name("exports") else {
        return Flow::Descend;
    };
    // A module that exports itself exports all that it defines.
    let exports_itself = children_of_kind(exports, &["module_export"])
        .into_iter()
        .filter_map(|export| export.child_by_field_name("module"))
        .any(|exported| walker.text(exported) == module);
    if exports_itself {
        return Flow::Descend;
    }
    walker.scope().mark |= EXPORTS;
    for export in children_of_kind(exports, &["export"]) {
        let Some(name) = listed(export).map(|name| walker.text(name)) else {
            continue;
        };
        let is_pattern = export
            .child_by_field_name("namespace")
            .is_some_and(|namespace| walker.text(namespace) == "pattern");
        walker.scope().seen.insert(if is_pattern {
            format!("pattern {name}")
        } else {
            name.to_owned()
        });
        for element in elements(export) {
            let element = walker.text(element);
            walker.scope().seen.insert(format!("{name}({element})"));
            // A pattern synonym may be listed with any type.
            if element != ".." {
                walker.scope().seen.insert(format!("({element})"));
            }
        }
    }
    Flow::Descend
}

/// The name that an entry of a list gives, without its module.
fn listed(entry: Node<'_>) -> Option<Node<'_>> {
    let name = ["variable", "type", "operator"]
        .into_iter()
        .find_map(|field| entry.child_by_field_name(field))?;
    Some(match name.kind() {
        "qualified" => bare(name.child_by_field_name("id")?),
        _ => bare(name),
    })
}

/// What an entry lists of a type: constructors, fields, methods, or `..`.
fn elements(entry: Node<'_>) -> Vec<Node<'_>> {
    let Some(children) = entry.child_by_field_name("children") else {
        return Vec::new();
    };
    children.children_by_field_name("element").map(bare).collect()
}

/// `import qualified M as N (f, T(..))`.
pub(super) fn import<'t>(walker: &mut Walker<'t>, node: Node<'t>) -> Flow {
    let Some(module) = node.child_by_field_name("module") else {
        return Flow::Descend;
    };
    let module = walker.text(module);
    let alias = node.child_by_field_name("alias").map(|alias| walker.text(alias));
    if has_child(node, "qualified") {
        walker.import(node, module, "", alias.unwrap_or(module), 0);
        return Flow::Descend;
    }
    if let Some(alias) = alias {
        walker.import(node, module, "", alias, 0);
    }
    let Some(list) = child_of_kind(node, &["import_list"]).filter(|_| !has_child(node, "hiding")) else {
        walker.import(node, module, "*", "*", 0);
        return Flow::Descend;
    };
    let entries = children_of_kind(list, &["import_name"]);
    if entries.is_empty() {
        // Only its instances.
        walker.import(node, module, "", "", 0);
    }
    for entry in entries {
        if let Some(name) = listed(entry).map(|name| walker.text(name)) {
            walker.import(entry, module, name, name, 0);
        }
        for element in elements(entry) {
            let name = walker.text(element);
            if name != ".." {
                walker.import(element, module, name, name, 0);
            }
        }
    }
    Flow::Descend
}
