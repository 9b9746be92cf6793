//! One file → its facts: parse, walk the tree once, count lines.
//!
//! Counts bound the work. A parse that needs more steps than the size of its text allows is cancelled, with a
//! diagnostic.

mod comments;
mod lines;
mod nodes;
mod preface;
mod settings;
mod trees;
mod walker;

use foldhash::HashSet;
use std::cmp::Reverse;
use std::rc::Rc;

use lore_model::{Definition, FactsDiagnostic, FileFacts};

pub(crate) use comments::{DocStyle, clean_block_doc, clean_line_doc};
pub(crate) use nodes::{child_of_kind, children_of_kind, has_child};
pub(crate) use preface::preface;
pub(crate) use walker::{Draft, Draftee, Walker};

use crate::entry_points;
use crate::flow::FlowBuilder;
use crate::language::{Language, Role};
use crate::syntax::{Tree, line_starts};

/// The maximum depth of nested parts.
const MAX_NESTING: usize = 6;

/// The facts of a text in a language, for a file with a role.
pub fn extract(language: &'static Language, role: Role, source: &str) -> FileFacts {
    let blanked = (language.blank)(source);
    let text = blanked.as_deref().unwrap_or(source);
    let parsed = trees::parse(language, text);
    if parsed.is_empty() {
        return without_tree(
            source,
            "the parser gave up: the file needs more steps than its size explains",
        );
    }
    let source = match &blanked {
        Some(blanked) if language.reads_blanked => blanked,
        _ => source,
    };
    let mut copies = Copies {
        language,
        line_starts: line_starts(text),
        nodes: 0,
    };
    let trees: Vec<Tree> = parsed.into_iter().map(|tree| copies.copy(tree)).collect();
    let mut walker = Walker::new(language, role, source);
    for tree in &trees {
        walker.walk(tree);
    }
    let mut opened = walker.take_opened();
    let mut suspended = walker.suspend();
    let had_nested = !suspended.nested.is_empty();
    let mut nested_trees: Vec<Vec<(usize, Tree)>> = Vec::new();
    for _ in 0..MAX_NESTING {
        let nested = std::mem::take(&mut suspended.nested);
        if nested.is_empty() {
            break;
        }
        let parts: Vec<_> = nested
            .iter()
            .filter_map(|part| Some((part, copies.copy(trees::parse_nested(language, text, part.range)?))))
            .collect();
        let mut walker = Walker::resume(language, role, source, suspended);
        for (part, tree) in &parts {
            walker.walk_nested(part, tree);
        }
        opened.extend(walker.take_opened());
        suspended = walker.suspend();
        nested_trees.push(
            parts
                .into_iter()
                .map(|(part, tree)| (part.range.start_byte, tree))
                .collect(),
        );
    }
    let embedded = std::mem::take(&mut suspended.embedded);
    let mut facts = Walker::resume(language, role, source, suspended).finish();
    if had_nested {
        let moved = in_source_order(&mut facts);
        for definition in opened.values_mut() {
            *definition = moved.get(*definition as usize).copied().unwrap_or(*definition);
        }
    }
    (language.finish)(&mut facts, role);
    entry_points::mark(&mut facts, language.entry_points);
    // If files share their names, another file can define a name that this one does not.
    if language.flow.is_none_or(|rules| !rules.shares_scope && !rules.packages) {
        let anywhere = language.flow.is_some_and(|rules| rules.paths_begin_anywhere);
        drop_unknown_uses(&mut facts, anywhere);
    }
    settings::note(text, &trees, &mut facts);
    if let Some(rules) = language.flow {
        let embedded = trees::parse_embedded(language, text, embedded, |tree| copies.copy(tree));
        let mut builder = FlowBuilder::new(source, &mut facts, opened);
        for (start, tree) in nested_trees.iter().flatten().chain(&embedded) {
            builder.add_part(*start, tree.root_node());
        }
        for tree in &trees {
            (rules.lower)(&mut builder, tree.root_node());
        }
        builder.finish();
    }
    facts
}

/// Copies the trees of one source; the numbers of nodes continue.
struct Copies {
    language: &'static Language,
    line_starts: Rc<[u32]>,
    nodes: usize,
}

impl Copies {
    fn copy(&mut self, tree: tree_sitter::Tree) -> Tree {
        let copy = Tree::of(
            &tree,
            &self.language.table().names,
            Rc::clone(&self.line_starts),
            self.nodes,
        );
        self.nodes += copy.len();
        copy
    }
}

/// How well the grammar of a language fits a text.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct ParseQuality {
    /// Nodes of the tree.
    pub nodes: u64,
    /// Errors, and tokens that the parser inserted.
    pub errors: u64,
}

/// How well the grammar of a language fits a text; `None` if the parser gives up.
pub fn parse_quality(language: &'static Language, source: &str) -> ParseQuality {
    let blanked = (language.blank)(source);
    let mut quality = ParseQuality::default();
    for tree in trees::parse(language, blanked.as_deref().unwrap_or(source)) {
        let mut cursor = tree.walk();
        'tree: loop {
            let node = cursor.node();
            quality.nodes += 1;
            quality.errors += u64::from(node.is_error() || node.is_missing());
            if cursor.goto_first_child() {
                continue;
            }
            while !cursor.goto_next_sibling() {
                if !cursor.goto_parent() {
                    break 'tree;
                }
            }
        }
    }
    quality
}

/// Drops the uses of names that the file neither defines nor imports, which are mostly built-in types. A wildcard can
/// import any name.
fn drop_unknown_uses(facts: &mut FileFacts, anywhere: bool) {
    if facts.uses.is_empty() || facts.imports.iter().any(|import| facts.text.get(import.local) == "*") {
        return;
    }
    let defined = facts.definitions.iter().map(|definition| definition.name);
    let imported = facts.imports.iter().map(|import| import.local);
    let known: HashSet<&str> = defined.chain(imported).map(|name| facts.text.get(name)).collect();
    let text = &facts.text;
    facts.uses.retain(|used| {
        let path = text.get(used.path);
        // A path can begin with a name that the file does not define.
        path.contains('.') && anywhere || known.contains(path.split('.').next().unwrap_or(""))
    });
}

/// Sorts definitions that were found late into source order; returns the new position of each.
fn in_source_order(facts: &mut FileFacts) -> Vec<u32> {
    let place = |definition: &Definition| {
        (
            definition.place.start_byte.get(),
            Reverse(definition.place.end_byte.get()),
        )
    };
    let mut order: Vec<usize> = (0..facts.definitions.len()).collect();
    order.sort_by_key(|at| (place(&facts.definitions[*at]), *at));
    let mut new_place = vec![0u32; order.len()];
    for (new, old) in order.iter().enumerate() {
        new_place[*old] = new as u32;
    }
    let moved = |id: u32| new_place.get(id as usize).copied().unwrap_or(id);
    // A parent must precede its members. If the spans contradict this, nothing is moved.
    let sound = facts.definitions.iter().enumerate().all(|(at, definition)| {
        definition
            .parent()
            .is_none_or(|parent| new_place.get(parent).is_some_and(|parent| *parent < new_place[at]))
    });
    if !sound {
        return Vec::new();
    }
    facts.definitions = order.iter().map(|old| facts.definitions[*old]).collect();
    for definition in &mut facts.definitions {
        definition.parent = moved(definition.parent.get()).into();
    }
    for import in &mut facts.imports {
        import.scope = moved(import.scope.get()).into();
    }
    for used in &mut facts.uses {
        used.scope = moved(used.scope.get()).into();
    }
    new_place
}

/// As [`extract`], but a panic in the extractor loses only the facts of one file, not the index.
pub(crate) fn extract_guarded(language: &'static Language, role: Role, source: &str) -> FileFacts {
    std::panic::catch_unwind(|| extract(language, role, source))
        .unwrap_or_else(|_| without_tree(source, "lore failed on this file, which is a defect: please report it"))
}

/// The facts of a text with line counts only.
fn without_tree(source: &str, message: &str) -> FileFacts {
    let mut facts = FileFacts {
        lines: lines::count(source, &[], &[]),
        ..FileFacts::default()
    };
    let message = facts.text.push(message);
    facts.diagnostics.push(FactsDiagnostic {
        message,
        line: 1.into(),
        column: 1.into(),
    });
    facts
}

/// Each definition of a source as `kind path complexity`, with its doc if it has one, for tests of languages.
#[cfg(test)]
pub(crate) fn outline(language: &'static Language, source: &str) -> Vec<String> {
    let facts = extract(language, Role::default(), source);
    let mut paths: Vec<String> = Vec::new();
    let mut lines = Vec::new();
    for definition in &facts.definitions {
        let parent = definition.parent().map_or("", |parent| paths[parent].as_str());
        let parts = [
            parent,
            facts.text.get(definition.owner),
            facts.text.get(definition.name),
        ];
        let path = parts
            .into_iter()
            .filter(|part| !part.is_empty())
            .collect::<Vec<_>>()
            .join(language.separator);
        let doc = match facts.text.get(definition.doc) {
            "" => String::new(),
            doc => format!(" {doc:?}"),
        };
        lines.push(format!("{} {path} {}{doc}", definition.kind(), definition.complexity));
        paths.push(path);
    }
    lines
}
