//! What a Ruby call declares: accessors, methods, classes and functions made by name, visibility, tests, tasks, imports.

use lore_model::{Modifier, Modifiers, SymbolKind, Visibility};

use super::{
    BLOCK, FUNCTIONS, MAX_LOOKBACK, SPECS, STATIC, TASKS, Wrapping, define_alias, doc_above, enclosing_definition,
    in_type, section_visibility, symbol_name, word_visibility,
};
use crate::extract::{Draft, Draftee, Walker, child_of_kind};
use crate::language::Flow;
use crate::syntax::Node;

/// The parts of a call.
struct Call<'t> {
    node: Node<'t>,
    receiver: Option<Node<'t>>,
    word: &'t str,
    arguments: Option<Node<'t>>,
    block: Option<Node<'t>>,
}

impl<'t> Call<'t> {
    fn of(walker: &Walker<'t>, node: Node<'t>) -> Option<Self> {
        if node.kind() != "call" {
            return None;
        }
        Some(Self {
            node,
            receiver: node.child_by_field_name("receiver"),
            word: walker.text(node.child_by_field_name("method")?),
            arguments: node.child_by_field_name("arguments"),
            block: node.child_by_field_name("block"),
        })
    }

    /// The first argument.
    fn first(&self) -> Option<Node<'t>> {
        self.arguments?.named_child(0)
    }

    /// The names that the arguments spell, with the nodes that do: symbols, texts, and arrays of them.
    fn names(&self, walker: &Walker<'t>) -> Vec<(Node<'t>, &'t str)> {
        let mut found = Vec::new();
        let Some(arguments) = self.arguments else {
            return found;
        };
        for argument in arguments.named_children() {
            let list = match argument.kind() {
                "splat_argument" => argument.named_child(0),
                "array" | "symbol_array" | "string_array" => Some(argument),
                _ => None,
            };
            match list {
                Some(list) => {
                    let names = list
                        .named_children()
                        .filter_map(|name| Some((name, symbol_name(walker, name)?)));
                    found.extend(names);
                }
                None => found.extend(symbol_name(walker, argument).map(|name| (argument, name))),
            }
        }
        found
    }

    /// The text of the receiver, or nothing.
    fn receiver_text(&self, walker: &Walker<'t>) -> &'t str {
        self.receiver.map_or("", |receiver| walker.text(receiver))
    }
}

pub(super) fn call<'t>(walker: &mut Walker<'t>, node: Node<'t>) -> Flow {
    let Some(call) = Call::of(walker, node) else {
        return Flow::Descend;
    };
    match (call.receiver_text(walker), call.word) {
        ("", "require" | "require_relative" | "load" | "autoload") => import(walker, &call),
        (
            "",
            "attr"
            | "attr_reader"
            | "attr_writer"
            | "attr_accessor"
            | "class_attribute"
            | "mattr_reader"
            | "mattr_writer"
            | "mattr_accessor"
            | "cattr_reader"
            | "cattr_writer"
            | "cattr_accessor"
            | "thread_mattr_accessor"
            | "thread_cattr_accessor",
        ) => accessors(walker, &call),
        ("", "alias_method") => {
            if let Some(name) = call.first().filter(|name| symbol_name(walker, *name).is_some()) {
                define_alias(walker, node, name);
            }
        }
        ("" | "self", "define_method" | "define_singleton_method") => define_by_name(walker, &call),
        (
            "",
            "private"
            | "protected"
            | "public"
            | "module_function"
            | "private_class_method"
            | "public_class_method"
            | "private_constant"
            | "public_constant",
        ) => restrict(walker, &call),
        ("", "lambda" | "proc") | ("Proc", "new") => {
            if let Some((block, end)) = function_value(walker, node).filter(|(block, _)| !walker.is_claimed(*block)) {
                let definition = walker.define(Draft {
                    signature: (node.start_byte(), end),
                    ..Draft::anonymous(SymbolKind::Function, "lambda", node)
                });
                walker.claim(block, definition);
            }
        }
        ("Class" | "Module" | "Struct" | "Data", "new" | "define") => anonymous_class(walker, &call),
        ("", "refine") => extend(walker, &call, call.first(), 0),
        (_, "class_eval" | "module_eval" | "class_exec" | "module_exec") => extend(walker, &call, call.receiver, 0),
        (_, "instance_eval" | "instance_exec") => extend(walker, &call, call.receiver, STATIC),
        ("", "class_methods") => {
            if let Some(block) = call.block {
                let kind = walker.enclosing_kind();
                walker.claim_name(block, "", kind, STATIC | BLOCK);
            }
        }
        ("", "sig" | "desc") if !walker.in_function() => walker
            .attributes
            .push((node.start_byte() as u32, node.end_byte() as u32)),
        ("", "task" | "multitask" | "file") if !in_type(walker) && !walker.in_function() => task(walker, &call),
        ("", "namespace") if !in_type(walker) && !walker.in_function() => tasks(walker, &call),
        ("" | "RSpec", _) if walker.role.test => test(walker, &call),
        _ => {}
    }
    Flow::Descend
}

/// `require "set"` binds nothing; `autoload :Set, "set"` binds a name.
fn import<'t>(walker: &mut Walker<'t>, call: &Call<'t>) {
    let names = call.names(walker);
    let node = call.node;
    match (call.word, names.as_slice()) {
        ("autoload", [(_, name), (_, module), ..]) => walker.import(node, module, name, name, 0),
        ("autoload", _) => {}
        ("require_relative", [(_, module)]) if !module.starts_with("../") => {
            let module = format!("./{}", module.trim_start_matches("./"));
            walker.import(node, &module, "", "", 0);
        }
        (_, [(_, module), ..]) => walker.import(node, module, "", "", 0),
        _ => {}
    }
}

/// `attr_accessor :name` and what Rails has like it.
fn accessors<'t>(walker: &mut Walker<'t>, call: &Call<'t>) {
    let mark = walker.scope().mark;
    let wrapping = Wrapping::of(walker, call.node);
    let (_, first) = take_signatures(walker, wrapping.outer.start_byte());
    let mut modifiers = Modifiers::default().with(Modifier::Property);
    match call.word {
        "attr" | "attr_reader" | "mattr_reader" | "cattr_reader" => modifiers.insert(Modifier::Readonly),
        "attr_writer" | "mattr_writer" | "cattr_writer" => modifiers.insert(Modifier::Setter),
        _ => {}
    }
    if mark & STATIC != 0 || !call.word.starts_with("attr") {
        modifiers.insert(Modifier::Static);
    }
    let visibility = wrapping.visibility.unwrap_or_else(|| section_visibility(mark));
    let doc = doc_above(walker, first);
    for (node, name) in call.names(walker) {
        walker.scope().seen.insert(name.to_owned());
        walker.define(Draft {
            name: Draftee::Named(node, name),
            signature: (wrapping.outer.start_byte(), call.node.end_byte()),
            doc: doc.clone(),
            visibility,
            modifiers,
            ..Draft::new(SymbolKind::Field, node, call.node)
        });
    }
}

/// `define_method(:name) { … }`; one whose name is computed has none for us.
fn define_by_name<'t>(walker: &mut Walker<'t>, call: &Call<'t>) {
    let name = call
        .first()
        .and_then(|first| Some((first, symbol_name(walker, first)?)));
    let mark = walker.scope().mark;
    let Some((node, name)) = name else {
        if let Some(block) = call.block {
            let definition = walker.define(Draft {
                signature: (call.node.start_byte(), block.start_byte()),
                ..Draft::anonymous(SymbolKind::Function, "lambda", call.node)
            });
            walker.claim(block, definition);
        }
        return;
    };
    let wrapping = Wrapping::of(walker, call.node);
    let (_, first) = take_signatures(walker, wrapping.outer.start_byte());
    let mut modifiers = Modifiers::default();
    if call.word == "define_singleton_method" || mark & (STATIC | FUNCTIONS) != 0 {
        modifiers.insert(Modifier::Static);
    }
    let kind = if in_type(walker) {
        SymbolKind::Method
    } else {
        SymbolKind::Function
    };
    let end = call
        .arguments
        .map_or(call.node.end_byte(), |arguments| arguments.end_byte());
    let definition = walker.define(Draft {
        name: Draftee::Named(node, name),
        signature: (wrapping.outer.start_byte(), end),
        doc: doc_above(walker, first),
        visibility: wrapping.visibility.unwrap_or_else(|| section_visibility(mark)),
        modifiers,
        ..Draft::new(kind, node, call.node)
    });
    if let Some(block) = call.block {
        walker.claim(block, definition);
    }
}

/// `private :name` speaks of what was defined before it.
fn restrict<'t>(walker: &mut Walker<'t>, call: &Call<'t>) {
    let scope = enclosing_definition(walker);
    let of_class = call.word.ends_with("_class_method") || walker.scope().mark & STATIC != 0;
    let of_constants = call.word.ends_with("_constant");
    for (_, name) in call.names(walker) {
        let facts = &mut walker.facts;
        let text = &facts.text;
        let found = facts.definitions.iter_mut().rev().take(MAX_LOOKBACK).find(|one| {
            let fits = match one.kind() {
                SymbolKind::Method | SymbolKind::Constructor | SymbolKind::Field | SymbolKind::Test => {
                    !of_constants && one.modifiers().contains(Modifier::Static) == of_class
                }
                SymbolKind::Function => !of_constants || one.modifiers().contains(Modifier::Static),
                _ => of_constants,
            };
            one.parent.get() == scope && fits && text.get(one.name) == name
        });
        let Some(found) = found else { continue };
        match word_visibility(call.word) {
            Some(visibility) => found.visibility = visibility as u8,
            None => found.modifiers = found.modifiers().with(Modifier::Static).0.into(),
        }
    }
}

/// The node that is the body of a function in a value, and where its signature ends: `-> { }`, `lambda { }`, `proc { }`, `Proc.new { }`.
pub(super) fn function_value<'t>(walker: &Walker<'t>, value: Node<'t>) -> Option<(Node<'t>, usize)> {
    if value.kind() == "lambda" {
        let body = value.child_by_field_name("body")?;
        return Some((value, body.start_byte()));
    }
    let call = Call::of(walker, value)?;
    let makes = matches!(
        (call.receiver_text(walker), call.word),
        ("", "lambda" | "proc") | ("Proc", "new")
    );
    let block = call.block.filter(|_| makes)?;
    Some((block, block.start_byte()))
}

/// What kind of type a value makes: `Class.new`, `Module.new`, `Struct.new`, `Data.define`.
pub(super) fn class_value<'t>(walker: &Walker<'t>, value: Node<'t>) -> Option<SymbolKind> {
    let call = Call::of(walker, value)?;
    match (call.receiver_text(walker).trim_start_matches("::"), call.word) {
        ("Class" | "Struct", "new") | ("Data", "define") => Some(SymbolKind::Class),
        ("Module", "new") => Some(SymbolKind::Namespace),
        _ => None,
    }
}

/// Records the members that `Struct.new(:x, :y)` and `Data.define(:x)` give a class.
pub(super) fn claim_members<'t>(walker: &mut Walker<'t>, value: Node<'t>, class: u32) {
    let Some(call) = Call::of(walker, value) else { return };
    let mut modifiers = Modifiers::default().with(Modifier::Property);
    match (call.receiver_text(walker).trim_start_matches("::"), call.word) {
        ("Struct", "new") => {}
        ("Data", "define") => modifiers.insert(Modifier::Readonly),
        _ => return,
    }
    for (node, name) in call.names(walker) {
        // A text names the struct itself.
        if node.kind() == "string" {
            continue;
        }
        let field = walker.define(Draft {
            name: Draftee::Named(node, name),
            modifiers,
            ..Draft::new(SymbolKind::Field, node, node)
        });
        if let Some(field) = walker.facts.definitions.get_mut(field as usize) {
            field.parent = class.into();
            field.owner = Default::default();
        }
    }
}

/// A class that no constant names.
fn anonymous_class<'t>(walker: &mut Walker<'t>, call: &Call<'t>) {
    let (Some(block), Some(kind)) = (call.block, class_value(walker, call.node)) else {
        return;
    };
    if walker.is_claimed(block) {
        return;
    }
    let definition = walker.define(Draft {
        signature: (call.node.start_byte(), block.start_byte()),
        ..Draft::anonymous(kind, if kind.is_type() { "class" } else { "module" }, call.node)
    });
    walker.claim(block, definition);
}

/// The block of `refine String` and `String.class_eval` holds members of a type that is written elsewhere.
fn extend<'t>(walker: &mut Walker<'t>, call: &Call<'t>, of: Option<Node<'t>>, mark: u32) {
    let name = of.filter(|of| matches!(of.kind(), "constant" | "scope_resolution"));
    if let (Some(block), Some(name)) = (call.block, name) {
        let owner = walker.text(name).trim_start_matches("::");
        walker.claim_name(block, owner, SymbolKind::Class, mark);
    }
}

/// The Sorbet signatures that stand directly before a byte, and where the first of them (or the byte itself) is.
pub(super) fn take_signatures<'t>(walker: &mut Walker<'t>, byte: usize) -> (Vec<&'t str>, usize) {
    if walker.attributes.is_empty() {
        return (Vec::new(), byte);
    }
    let (attributes, first) = walker.take_attributes(byte);
    if attributes.iter().all(|attribute| attribute.starts_with("sig")) {
        (attributes, first)
    } else {
        (Vec::new(), byte)
    }
}

/// `task :name`, `task name: :other`, `file "name" => "other"`.
fn task<'t>(walker: &mut Walker<'t>, call: &Call<'t>) {
    let Some(first) = call.first() else { return };
    let written = match first.kind() {
        "pair" => first.child_by_field_name("key"),
        _ => Some(first),
    };
    let name = written.and_then(|written| Some((written, symbol_name(walker, written)?)));
    let (attributes, start) = walker.take_attributes(call.node.start_byte());
    let Some((node, name)) = name else { return };
    let described = attributes.last().and_then(|attribute| description(attribute));
    let end = call.block.map_or(call.node.end_byte(), |block| block.start_byte());
    let definition = walker.define(Draft {
        name: Draftee::Named(node, name),
        signature: (call.node.start_byte(), end),
        doc: described.map(str::to_owned).or_else(|| doc_above(walker, start)),
        ..Draft::new(SymbolKind::Target, node, call.node)
    });
    if let Some(block) = call.block {
        walker.claim(block, definition);
    }
}

/// The text in `desc "text"`.
fn description(call: &str) -> Option<&str> {
    let text = call
        .strip_prefix("desc")?
        .trim()
        .trim_start_matches('(')
        .trim_end_matches(')')
        .trim();
    let quote = text.chars().next().filter(|quote| matches!(quote, '"' | '\''))?;
    text.strip_prefix(quote)?.strip_suffix(quote)
}

/// `namespace :name do … end` around tasks.
fn tasks<'t>(walker: &mut Walker<'t>, call: &Call<'t>) {
    let (Some(first), Some(block)) = (call.first(), call.block) else {
        return;
    };
    let in_block = walker.scopes.iter().any(|scope| scope.mark & BLOCK != 0);
    if let Some(name) = symbol_name(walker, first).filter(|_| !in_block) {
        let definition = walker.define(Draft {
            name: Draftee::Named(first, name),
            signature: (call.node.start_byte(), block.start_byte()),
            doc: doc_above(walker, call.node.start_byte()),
            ..Draft::new(SymbolKind::Namespace, first, call.node)
        });
        walker.claim(block, definition);
    }
}

/// What the block of a call with a definition of its own is: a group of tasks, a group of tests, or nothing particular.
pub(super) fn group_mark(walker: &Walker<'_>) -> u32 {
    let word = walker.parent().and_then(|call| call.child_by_field_name("method"));
    match word.map(|word| walker.text(word)) {
        Some("namespace") => TASKS,
        Some("new") | None => 0,
        Some(_) => SPECS,
    }
}

/// `describe Thing do`, `it "works" do`, `test "works" do`.
fn test<'t>(walker: &mut Walker<'t>, call: &Call<'t>) {
    let kind = match call.word {
        "it" | "specify" | "example" | "scenario" | "test" | "should" | "fit" | "xit" | "pending" => SymbolKind::Test,
        "describe"
        | "context"
        | "feature"
        | "shared_examples"
        | "shared_examples_for"
        | "shared_context"
        | "fdescribe"
        | "xdescribe"
        | "fcontext"
        | "xcontext" => SymbolKind::Namespace,
        _ => return,
    };
    let (Some(title), Some(block)) = (call.first(), call.block) else {
        return;
    };
    if walker.in_function() {
        return;
    }
    let name = match title.kind() {
        "string" | "delimited_symbol" if child_of_kind(title, &["interpolation"]).is_some() => {
            let text = walker.text(title);
            text.trim_start_matches(':').trim_matches(['"', '\''])
        }
        "constant" | "scope_resolution" => walker.text(title),
        _ => match symbol_name(walker, title) {
            Some(name) => name,
            None => return,
        },
    };
    let definition = walker.define(Draft {
        name: Draftee::Named(title, name),
        signature: (call.node.start_byte(), title.end_byte()),
        visibility: Visibility::Private,
        ..Draft::new(kind, title, call.node)
    });
    walker.claim(block, definition);
}
