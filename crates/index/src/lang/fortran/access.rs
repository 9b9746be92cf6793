//! Who may use what: `public` and `private`, for a whole module or type, for names, and beside a declaration.
//!
//! The scope of a module or type keeps the names that its statements list, each behind a sign: `+` for public ones, `-` for private ones. A
//! sign alone is what holds for the rest.

use lore_model::{SymbolKind, Visibility};

use super::{LOCAL_INTERFACE, PRIVATE};
use crate::extract::{Walker, has_child};
use crate::language::Flow;
use crate::syntax::Node;

/// Levels of preprocessor conditions that are looked into.
const MAX_CONDITIONS: usize = 4;

/// Reads the access statements of the module whose first statement is under the cursor.
pub(super) fn module<'t>(walker: &mut Walker<'t>, _: Node<'t>) -> Flow {
    collect(walker);
    Flow::Descend
}

/// Reads the access statements of the type whose first statement is under the cursor.
pub(super) fn derived_type<'t>(walker: &mut Walker<'t>, _: Node<'t>) -> Flow {
    collect(walker);
    Flow::Descend
}

/// Opens the procedures of a type, which have an access of their own.
pub(super) fn bound_procedures<'t>(walker: &mut Walker<'t>, node: Node<'t>) -> Flow {
    if walker.enclosing_kind() == SymbolKind::Struct {
        let mark = match has_child(node, "private_statement") {
            true => PRIVATE,
            false => 0,
        };
        walker.open_named("", SymbolKind::Struct, mark);
    }
    Flow::Descend
}

fn collect(walker: &mut Walker<'_>) {
    let Some(block) = walker.parent() else {
        return;
    };
    let mut names = Vec::new();
    read(walker, block, MAX_CONDITIONS, &mut names);
    walker.scope().seen.extend(names);
}

fn read(walker: &Walker<'_>, block: Node<'_>, levels: usize, names: &mut Vec<String>) {
    for child in block.named_children() {
        let sign = match child.kind() {
            "public_statement" => '+',
            "private_statement" => '-',
            kind if kind.starts_with("preproc_") && levels > 0 => {
                read(walker, child, levels - 1, names);
                continue;
            }
            _ => continue,
        };
        let listed: Vec<Node<'_>> = child.named_children().collect();
        if listed.is_empty() {
            names.push(sign.to_string());
        }
        for name in listed {
            names.push(format!(
                "{sign}{}",
                super::generic_name(walker, name).to_ascii_lowercase()
            ));
        }
    }
}

/// What a word beside a declaration says.
pub(super) fn stated(word: &str) -> Option<Visibility> {
    match word.to_ascii_lowercase().as_str() {
        "public" => Some(Visibility::Public),
        "private" => Some(Visibility::Private),
        _ => None,
    }
}

/// Who may use a name that is declared here, unless the declaration itself says so.
pub(super) fn of(walker: &Walker<'_>, name: &str, stated: Option<Visibility>) -> Visibility {
    stated.unwrap_or_else(|| in_scopes(walker, walker.scopes.len(), name))
}

/// Who may use a name that is declared in the last of the first few scopes.
pub(super) fn in_scopes(walker: &Walker<'_>, count: usize, name: &str) -> Visibility {
    // The lists of a module speak of what stands in its interfaces too; only a type has lists of its own.
    for scope in walker.scopes.iter().take(count).rev() {
        match scope.kind {
            SymbolKind::Namespace | SymbolKind::Struct => {}
            SymbolKind::Interface if scope.mark & LOCAL_INTERFACE == 0 => continue,
            SymbolKind::Enum => continue,
            SymbolKind::Module => break,
            _ => return Visibility::Private,
        }
        if scope.mark & PRIVATE != 0 {
            return Visibility::Private;
        }
        let name = name.to_ascii_lowercase();
        if scope.seen.contains(&format!("+{name}")) {
            return Visibility::Public;
        }
        if scope.seen.contains(&format!("-{name}")) {
            return Visibility::Private;
        }
        return match scope.seen.contains("-") && !is_bound(scope.kind, walker) {
            true => Visibility::Private,
            false => Visibility::Public,
        };
    }
    Visibility::Public
}

/// Whether the node under the cursor stands among the procedures of a type: the `private` of the components does not hold for them.
fn is_bound(kind: SymbolKind, walker: &Walker<'_>) -> bool {
    kind == SymbolKind::Struct
        && walker
            .ancestors()
            .take(MAX_CONDITIONS)
            .any(|around| around.kind() == "derived_type_procedures")
}
