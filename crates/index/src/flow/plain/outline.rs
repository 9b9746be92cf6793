//! Lowering for languages of which only direct calls are followed: a call of a name or path that lexical scope and
//! imports resolve.

use foldhash::{HashMap, HashSet};

use lore_model::{ArgumentKind, BodyFlags, ExportFlags, FlowFlags, SymbolKind};

use super::{children, line};
use crate::flow::FlowBuilder;
use crate::syntax::Node;

/// Depth of the nodes that are searched for parameter names.
const MAX_LEVELS: u32 = 4;
/// Most characters of a called path.
const MAX_CALLEE: usize = 120;

/// How calls look in a language's syntax tree.
pub(crate) struct Outline {
    /// Node kinds of calls.
    pub(crate) calls: &'static [&'static str],
    /// The fields that hold the callee. Without such a field, the callee is the first child.
    pub(crate) callee: &'static [&'static str],
    /// The separators in a path.
    pub(crate) separators: &'static [char],
    /// Node kinds of parameter lists.
    pub(crate) parameters: &'static [&'static str],
    /// Whether parameters are the first of their kind in a function, or the first element of a list in it. Later nodes of the
    /// kind are something else.
    pub(crate) lists_begin_with_parameters: bool,
    /// Node kinds that contain no code to run.
    pub(crate) skipped: &'static [&'static str],
    /// Whether the head of a function definition has the form of a call.
    pub(crate) heads: bool,
    /// Whether every file sees the names of all other files.
    pub(crate) global: bool,
}

impl Outline {
    /// Defaults: call expressions with a field `function`.
    pub(crate) const BASE: Self = Self {
        calls: &["call_expression"],
        callee: &["function", "name", "target"],
        separators: &['.', ':'],
        parameters: &["parameters"],
        lists_begin_with_parameters: false,
        skipped: &[],
        heads: false,
        global: false,
    };
}

struct Walk<'t, 'b, 'f> {
    builder: &'b mut FlowBuilder<'t, 'f>,
    outline: &'static Outline,
    /// Imported names, by local name: the last segment of the imported path.
    imports: HashMap<String, String>,
    spaces: (u32, u32),
    /// The names of the enclosing namespaces and types, innermost last.
    around: Vec<String>,
    /// The function whose head is being walked. The head can look like a call of the function.
    head: Option<String>,
    /// The parameters of the enclosing functions. They hide functions of the same name.
    hidden: Vec<HashSet<&'t str>>,
}

/// Lowers a syntax tree of which only direct calls are followed.
pub(crate) fn lower<'t>(builder: &mut FlowBuilder<'t, '_>, root: Node<'t>, outline: &'static Outline) {
    let (package, imported) = builder.package_and_imports();
    let last = |path: &str| -> String {
        let plain = path.trim_end_matches(".zig").trim_end_matches(".lua");
        let mut parts = plain.split(['.', ':', '/', '\\']);
        parts.rfind(|part| !part.is_empty()).unwrap_or("").to_owned()
    };
    let mut imports = HashMap::default();
    let mut wildcards: Vec<String> = Vec::new();
    for (module, name, local) in imported {
        let module = last(&module);
        if !module.is_empty() && !wildcards.contains(&module) {
            wildcards.push(module.clone());
        }
        if !local.is_empty() && local != "*" {
            imports.insert(last(&local), if name.is_empty() { module } else { last(&name) });
        }
    }
    let mut list: Vec<(u8, &str)> = vec![(ArgumentKind::OWN, "")];
    list.extend(wildcards.iter().map(|space| (ArgumentKind::SPACE, space.as_str())));
    if outline.global {
        list.push((ArgumentKind::SPACE, ""));
    }
    // A second entry marks the list as a scope. A list with one space means that the name was imported from it.
    list.push((ArgumentKind::OWN, ""));
    let spaces = builder.spaces(&list);
    let mut walk = Walk {
        builder,
        outline,
        imports,
        spaces,
        around: vec![last(&package)],
        head: None,
        hidden: vec![HashSet::default()],
    };
    walk.node(root);
}

impl<'t> Walk<'t, '_, '_> {
    fn node(&mut self, node: Node<'t>) {
        if self.builder.enter() {
            self.inside(node);
        }
        self.builder.leave();
    }

    fn inside(&mut self, node: Node<'t>) {
        if self.outline.skipped.contains(&node.kind()) || node.is_extra() {
            return;
        }
        if let Some(definition) = self.builder.definition(node)
            && let Some((name, kind)) = self.builder.name_and_kind(definition)
        {
            if kind.is_callable() {
                self.function(node, definition, &name);
                return;
            }
            if matches!(kind, SymbolKind::Namespace | SymbolKind::Module) || kind.is_type() {
                self.around.push(name);
                self.children(node);
                self.around.pop();
                return;
            }
        }
        if self.outline.calls.contains(&node.kind()) {
            self.call(node);
        }
        self.children(node);
    }

    fn children(&mut self, node: Node<'t>) {
        for child in children(node) {
            self.node(child);
        }
    }

    fn function(&mut self, node: Node<'t>, definition: u32, name: &str) {
        let mut hidden = HashSet::default();
        self.parameters(node, 0, &mut hidden);
        self.hidden.push(hidden);
        self.builder.begin(definition, BodyFlags::ARROW);
        self.head = self.outline.heads.then(|| name.to_owned());
        self.children(node);
        self.head = None;
        let body = self.builder.end();
        self.hidden.pop();
        let value = self.builder.function(body);
        if self.builder.open_bodies() > 1 {
            return;
        }
        self.builder.export_in("", name, value, definition, ExportFlags::OWN);
        let space = self.around.last().cloned().unwrap_or_default();
        if self.outline.global || !space.is_empty() {
            self.builder.export_in(&space, name, value, definition, 0);
        }
        if self.outline.global && !space.is_empty() {
            self.builder.export_in("", name, value, definition, 0);
        } else if space.is_empty() && !self.outline.global {
            // Without an enclosing namespace, the name of the file can become the space.
            self.builder.export_in("", name, value, definition, 0);
        }
    }

    fn parameters(&self, node: Node<'t>, level: u32, found: &mut HashSet<&'t str>) {
        for child in children(node) {
            if self.outline.parameters.contains(&child.kind()) {
                self.names(child, 0, found);
                if self.outline.lists_begin_with_parameters {
                    return;
                }
            } else if level < 1 && self.builder.definition(child).is_none() {
                self.parameters(child, level + 1, found);
            } else if level > 0 && self.outline.lists_begin_with_parameters {
                return;
            }
        }
    }

    fn names(&self, node: Node<'t>, level: u32, found: &mut HashSet<&'t str>) {
        if node.named_child_count() == 0 {
            found.insert(self.builder.text(node));
        } else if level < MAX_LEVELS {
            for child in children(node) {
                self.names(child, level + 1, found);
            }
        }
    }

    fn call(&mut self, node: Node<'t>) {
        let field = self
            .outline
            .callee
            .iter()
            .find_map(|field| node.child_by_field_name(field));
        let Some(callee) = field.or_else(|| children(node).first().copied()) else {
            return;
        };
        let text = self.builder.text(callee);
        let text = text
            .split(['(', '<', ' ', '\n', '[', '{'])
            .next()
            .unwrap_or("")
            .trim_start_matches(['&', '$', '@', '!', '~']);
        if text.starts_with(':') || matches!(text, "ns" | "def" | "defp" | "defmodule" | "alias" | "import") {
            return;
        }
        if text.is_empty()
            || text.len() > MAX_CALLEE
            || text.contains(['"', '\'']) && self.outline.separators.is_empty()
        {
            return;
        }
        let mut parts: Vec<&str> = text
            .split(|letter: char| self.outline.separators.contains(&letter))
            .map(str::trim)
            .filter(|part| !part.is_empty() && *part != "-" && *part != ">")
            .collect();
        // In `module:function(…)`, the module can be written around the call node.
        if let Some(around) = node.parent().filter(|around| around.kind() == "remote")
            && let Some(module) = around.child_by_field_name("module")
        {
            parts.insert(0, self.builder.text(module).trim_end_matches(':'));
        }
        let Some((name, before)) = parts.split_last() else {
            return;
        };
        if self.head.as_deref() == Some(*name) && before.is_empty() {
            self.head = None;
            return;
        }
        let at = line(callee);
        let value = match before.last() {
            None if self.hidden.iter().any(|names| names.contains(name)) => return,
            None => self.builder.find(name, self.spaces, at, FlowFlags::OUTSIDE),
            Some(qualifier) if self.hidden.iter().any(|names| names.contains(qualifier)) => return,
            Some(qualifier) => {
                let space = match self.imports.get(*qualifier) {
                    Some(space) => space.clone(),
                    None => (*qualifier).trim_start_matches('>').to_owned(),
                };
                if matches!(space.as_str(), "self" | "this") {
                    self.builder.find(name, self.spaces, at, 0)
                } else {
                    let spaces = self.builder.spaces(&[(ArgumentKind::SPACE, &space)]);
                    self.builder.find(name, spaces, at, FlowFlags::OUTSIDE)
                }
            }
        };
        self.builder.call(value, &[], at, 0);
    }
}
