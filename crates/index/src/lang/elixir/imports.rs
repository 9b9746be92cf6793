//! `alias`, `import`, `require` and `use`.

use foldhash::HashSet;

use super::{key, module_path, option, positional};
use crate::extract::{Walker, child_of_kind};
use crate::syntax::Node;

/// Records what `alias A.{B, C}`, `import A, only: [f: 1]`, `require A` or `use A` binds.
pub(super) fn import<'t>(walker: &mut Walker<'t>, node: Node<'t>, word: &str, arguments: Node<'t>) {
    let Some(what) = positional(arguments).next() else {
        return;
    };
    for (node, module) in modules(walker, node, what) {
        match word {
            "import" => import_functions(walker, node, &module, arguments),
            "use" => walker.import(node, &module, "", "", 0),
            _ => {
                let alias = option(walker, arguments, "as").map(|alias| walker.text(alias));
                let last = module.rsplit('.').next().unwrap_or(&module);
                // A `require` alone gives no new name.
                let local = alias.unwrap_or(if word == "alias" { last } else { "" });
                walker.import(node, &module, "", local, 0);
            }
        }
    }
}

/// The modules that an argument names, each with the node whose line it stands on.
fn modules<'t>(walker: &Walker<'t>, node: Node<'t>, what: Node<'t>) -> Vec<(Node<'t>, String)> {
    let whole = |text: &str| match text.strip_prefix("__MODULE__") {
        Some(rest) => format!("{}{rest}", module_path(walker)),
        None => text.to_owned(),
    };
    let group = what
        .child_by_field_name("right")
        .filter(|right| what.kind() == "dot" && right.kind() == "tuple");
    match (what.kind(), group) {
        (_, Some(group)) => {
            let base = what.child_by_field_name("left").map_or("", |left| walker.text(left));
            let base = whole(base);
            positional(group)
                .map(|member| (member, format!("{base}.{}", walker.text(member))))
                .collect()
        }
        ("alias" | "dot" | "atom", _) => vec![(node, whole(walker.text(what)))],
        ("identifier", _) if walker.text(what) == "__MODULE__" => vec![(node, whole("__MODULE__"))],
        _ => Vec::new(),
    }
}

/// `import A` makes every function of a module known by its bare name, unless it says which.
fn import_functions<'t>(walker: &mut Walker<'t>, node: Node<'t>, module: &str, arguments: Node<'t>) {
    let only = option(walker, arguments, "only").filter(|only| only.kind() == "list");
    let Some(only) = only else {
        walker.import(node, module, "*", "*", 0);
        return;
    };
    let Some(keywords) = child_of_kind(only, &["keywords"]) else {
        walker.import(node, module, "", "", 0);
        return;
    };
    let pairs: Vec<Node<'t>> = keywords.named_children().collect();
    let mut bound = HashSet::default();
    for pair in pairs {
        if let Some((_, name)) = key(walker, pair)
            && bound.insert(name)
        {
            walker.import(pair, module, name, name, 0);
        }
    }
}
