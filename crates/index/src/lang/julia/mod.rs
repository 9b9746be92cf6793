//! Julia: modules, functions in their long and short forms, types, macros, docstrings, tests and imports.

mod blank;
mod docs;
mod flow;
mod imports;

use foldhash::HashSet;

use lore_model::{Definition, FileFacts, Modifier, Modifiers, RepoPath, SymbolKind, Visibility};

use crate::extract::{Draft, Draftee, Walker, child_of_kind, has_child};
use crate::language::{Flow, Language, Role, Rule};
use crate::layout::has_directory;
use crate::syntax::Node;

pub(crate) static JULIA: Language = Language {
    name: "julia",
    dialect: "julia",
    extensions: &["jl"],
    interpreters: &["julia"],
    grammar: || tree_sitter_julia::LANGUAGE.into(),
    blank: blank::blank,
    rules: &[
        ("line_comment", Rule::Comment),
        ("block_comment", Rule::Comment),
        ("string_literal", Rule::Text),
        ("prefixed_string_literal", Rule::Text),
        ("command_literal", Rule::Text),
        ("prefixed_command_literal", Rule::Text),
        ("content", Rule::Visit(docs::content)),
        ("module_definition", Rule::Visit(module)),
        ("function_definition", Rule::Visit(function)),
        ("macro_definition", Rule::Visit(macro_definition)),
        ("struct_definition", Rule::Visit(structure)),
        ("abstract_definition", Rule::Visit(named_type)),
        ("primitive_definition", Rule::Visit(named_type)),
        ("assignment", Rule::Visit(assignment)),
        ("named_argument", Rule::Visit(assignment)),
        ("arrow_function_expression", Rule::Visit(arrow_function)),
        ("do_clause", Rule::Visit(do_clause)),
        ("macrocall_expression", Rule::Visit(macro_call)),
        ("quote_statement", Rule::Visit(quote)),
        ("quote_expression", Rule::Visit(quote)),
        ("call_expression", Rule::Visit(imports::include)),
        ("import_statement", Rule::Visit(imports::import)),
        ("using_statement", Rule::Visit(imports::using)),
        ("export_statement", Rule::Visit(imports::export)),
        ("public_statement", Rule::Visit(imports::export)),
        ("if_statement", Rule::Decision),
        ("elseif_clause", Rule::Decision),
        ("for_statement", Rule::Decision),
        ("while_statement", Rule::Decision),
        ("catch_clause", Rule::Decision),
        ("ternary_expression", Rule::Decision),
        ("for_clause", Rule::Decision),
        ("if_clause", Rule::Decision),
        ("binary_expression", Rule::Visit(binary)),
    ],
    finish,
    is_test_file,
    flow: Some(&flow::RULES),
    shares_modules: true,
    ..Language::BASE
};

/// Marks the scope of a quote: what looks like definitions in it is data, of which a macro may or may not make some.
const QUOTED: u32 = 1;

/// Nodes between a variable of a module and the module that are looked through.
const MAX_NESTING: usize = 32;

/// What surrounds a definition: the macros that it is an argument of, and the docstring above it.
struct Head<'t> {
    /// The outermost macro call, or the definition itself.
    span: Node<'t>,
    decorators: Vec<&'t str>,
    doc: Option<String>,
}

impl<'t> Head<'t> {
    /// The head of a definition: of `node`, which is the one under the cursor or a statement such as `const` around it.
    fn of(walker: &mut Walker<'t>, node: Node<'t>) -> Self {
        let mut head = Self {
            span: node,
            decorators: Vec::new(),
            doc: None,
        };
        let starts = head.widen(walker);
        head.doc = docs::take(walker, &starts);
        head
    }

    /// Takes in the macros whose last argument the definition is; gives the bytes at which it and they begin.
    fn widen(&mut self, walker: &Walker<'t>) -> Vec<usize> {
        let mut starts = vec![self.span.start_byte()];
        let mut around = walker.ancestors().skip_while(|around| *around == self.span);
        let mut span = self.span;
        while let (Some(list), Some(call)) = (around.next(), around.next()) {
            let is_last = match list.kind() {
                "macro_argument_list" => list.end_byte() == span.end_byte(),
                "argument_list" => list.named_child_count() == 1,
                _ => false,
            };
            if !is_last || call.kind() != "macrocall_expression" {
                break;
            }
            let words = walker.slice(call.start_byte(), span.start_byte()).trim_end();
            let words = words.strip_suffix('(').unwrap_or(words);
            let words = words.strip_prefix('@').unwrap_or(words);
            if !words.starts_with("doc ") && !words.starts_with("doc\"") {
                self.decorators.push(words);
            }
            span = call;
            starts.push(span.start_byte());
        }
        drop(around);
        self.span = span;
        self.decorators.reverse();
        starts
    }

    /// Records the definition, whose signature lies between two bytes.
    fn define(
        self,
        walker: &mut Walker<'t>,
        kind: SymbolKind,
        name: &Name<'t>,
        modifiers: Modifiers,
        signature: (usize, usize),
    ) -> u32 {
        let visibility = match walker.in_function() {
            true => Visibility::Private,
            false => by_name(name.text),
        };
        walker.define(Draft {
            name: Draftee::Named(name.node, name.text),
            signature,
            doc: self.doc,
            visibility,
            modifiers,
            decorators: self.decorators,
            owner: name.owner,
            ..Draft::new(kind, name.node, self.span)
        })
    }
}

/// An underscore in front says that a name is nobody else's, as long as nothing is exported.
fn by_name(name: &str) -> Visibility {
    match name.starts_with('_') {
        true => Visibility::Private,
        false => Visibility::Public,
    }
}

/// The name that a signature gives.
struct Name<'t> {
    node: Node<'t>,
    text: &'t str,
    /// The module whose function gets a further method: `Base` in `Base.show(io, x)`.
    owner: &'t str,
    /// Whether the name is that of a type whose instances become callable: `(p::Polynomial)(x)`.
    is_call: bool,
    /// Whether the name has type parameters, as only that of a type can have: `Point{T}(x)`.
    is_type: bool,
}

impl<'t> Name<'t> {
    fn plain(walker: &Walker<'t>, node: Node<'t>) -> Self {
        Self {
            node,
            text: walker.text(node),
            owner: "",
            is_call: false,
            is_type: false,
        }
    }

    /// The name in the head of a definition, which may be dressed in types and parameters.
    fn of(walker: &Walker<'t>, head: Node<'t>) -> Option<Self> {
        let mut node = head;
        let mut name = Self::plain(walker, head);
        loop {
            node = match node.kind() {
                "identifier" | "operator" => {
                    name.node = node;
                    name.text = walker.text(node);
                    return Some(name);
                }
                "prefixed_string_literal" => {
                    // `var"a name"` names what no identifier could.
                    let prefix = node.child_by_field_name("prefix")?;
                    name.node = node;
                    name.text = walker.text(child_of_kind(node, &["content"])?);
                    return (walker.text(prefix) == "var").then_some(name);
                }
                "signature" | "type_head" | "where_expression" | "typed_expression" | "call_expression" => {
                    node.named_child(0)?
                }
                "parametrized_type_expression" => {
                    name.is_type = true;
                    node.named_child(0)?
                }
                "field_expression" => {
                    let value = node.child_by_field_name("value")?;
                    name.owner = walker.text(value);
                    last_named(node)?
                }
                "quote_expression" => last_named(node)?,
                "parenthesized_expression" => {
                    let inner = node.named_child(0)?;
                    match inner.kind() {
                        "typed_expression" | "unary_typed_expression" => {
                            name.is_call = true;
                            last_named(inner)?
                        }
                        _ => inner,
                    }
                }
                // A type with its supertype, or a method of an operator written between its arguments.
                "binary_expression" => match child_of_kind(node, &["operator"])? {
                    sign if walker.text(sign) == "<:" => node.named_child(0)?,
                    sign => sign,
                },
                _ => return None,
            };
        }
    }
}

fn quote(walker: &mut Walker<'_>, _: Node<'_>) -> Flow {
    let kind = walker.enclosing_kind();
    walker.open_named("", kind, QUOTED);
    Flow::Descend
}

fn is_quoted(walker: &Walker<'_>) -> bool {
    walker.scopes.last().is_some_and(|scope| scope.mark & QUOTED != 0)
}

fn last_named(node: Node<'_>) -> Option<Node<'_>> {
    node.named_child(node.named_child_count().checked_sub(1)? as u32)
}

/// Where a block begins behind its head: the end of the head.
fn head_end(node: Node<'_>, head: &str) -> usize {
    child_of_kind(node, &[head]).map_or(node.end_byte(), |head| head.end_byte())
}

fn module<'t>(walker: &mut Walker<'t>, node: Node<'t>) -> Flow {
    if is_quoted(walker) {
        return Flow::Descend;
    }
    let Some(name) = node
        .child_by_field_name("name")
        .filter(|name| name.kind() == "identifier")
    else {
        return Flow::Descend;
    };
    let head = Head::of(walker, node);
    // The module that opens a file speaks for it.
    if walker.facts.definitions.is_empty()
        && let Some(doc) = &head.doc
    {
        walker.module_doc(doc);
    }
    let signature = (node.start_byte(), name.end_byte());
    let name = Name::plain(walker, name);
    let definition = head.define(walker, SymbolKind::Namespace, &name, Modifiers::default(), signature);
    walker.open(definition);
    Flow::Descend
}

/// `function f(x) … end`, `function f end`, or a function without a name.
fn function<'t>(walker: &mut Walker<'t>, node: Node<'t>) -> Flow {
    if is_quoted(walker) {
        return Flow::Descend;
    }
    let signature = (node.start_byte(), head_end(node, "signature"));
    if let Some(definition) = walker.claimed(node) {
        walker.open(definition);
        return Flow::Descend;
    }
    let Some(head) = child_of_kind(node, &["signature"]).and_then(|signature| signature.named_child(0)) else {
        return Flow::Descend;
    };
    if head.kind() == "argument_list" {
        let definition = walker.define(Draft {
            signature,
            ..Draft::anonymous(SymbolKind::Function, "lambda", node)
        });
        walker.open(definition);
        return Flow::Descend;
    }
    let Some(mut name) = Name::of(walker, head) else {
        return Flow::Descend;
    };
    let mut modifiers = Modifiers::default();
    if head.kind() == "identifier" {
        // A function without methods yet; a module in front of its name is blanked for the grammar.
        modifiers.insert(Modifier::Declare);
        let before = walker.slice(node.start_byte(), head.start_byte());
        let before = before.strip_prefix("function").unwrap_or(before);
        name.owner = before.trim().trim_end_matches('.');
    }
    let kind = function_kind(walker, &name);
    let definition = Head::of(walker, node).define(walker, kind, &name, modifiers, signature);
    walker.open(definition);
    Flow::Descend
}

/// A function with the name of the type around it makes its instances, and so does one with type parameters; `(t::T)(x)` is what
/// instances of `T` do when they are called.
fn function_kind(walker: &Walker<'_>, name: &Name<'_>) -> SymbolKind {
    if name.is_call {
        return SymbolKind::Method;
    }
    if name.is_type {
        return SymbolKind::Constructor;
    }
    let owner = walker.scopes.last().map(|scope| (scope.kind, scope.definition));
    match owner {
        Some((SymbolKind::Struct, definition))
            if walker
                .facts
                .definitions
                .get(definition as usize)
                .is_some_and(|owner| walker.facts.text.get(owner.name) == name.text) =>
        {
            SymbolKind::Constructor
        }
        _ => SymbolKind::Function,
    }
}

fn macro_definition<'t>(walker: &mut Walker<'t>, node: Node<'t>) -> Flow {
    if is_quoted(walker) {
        return Flow::Descend;
    }
    let Some(name) = child_of_kind(node, &["signature"]).and_then(|head| Name::of(walker, head)) else {
        return Flow::Descend;
    };
    let signature = (node.start_byte(), head_end(node, "signature"));
    let head = Head::of(walker, node);
    let definition = head.define(walker, SymbolKind::Macro, &name, Modifiers::default(), signature);
    walker.open(definition);
    Flow::Descend
}

fn structure<'t>(walker: &mut Walker<'t>, node: Node<'t>) -> Flow {
    if is_quoted(walker) {
        return Flow::Descend;
    }
    let Some(name) = child_of_kind(node, &["type_head"]).and_then(|head| Name::of(walker, head)) else {
        return Flow::Descend;
    };
    let mut modifiers = Modifiers::default();
    if has_child(node, "mutable") {
        modifiers.insert(Modifier::Mut);
    }
    let signature = (node.start_byte(), head_end(node, "type_head"));
    let head = Head::of(walker, node);
    let definition = head.define(walker, SymbolKind::Struct, &name, modifiers, signature);
    fields(walker, node, definition);
    walker.open(definition);
    Flow::Descend
}

/// The fields of a type: names, with or without type and default, on lines of their own.
fn fields<'t>(walker: &mut Walker<'t>, node: Node<'t>, owner: u32) {
    let mut doc = None;
    for child in node.named_children() {
        let mut field = child;
        let mut decorators = Vec::new();
        if child.kind() == "macrocall_expression"
            && let Some(last) = child_of_kind(child, &["macro_argument_list"]).and_then(last_named)
        {
            // `@atomic count::Int`
            field = last;
            decorators.push(macro_name(walker, child));
        }
        let mut modifiers = Modifiers::default();
        let mut declared = field;
        if declared.kind() == "const_statement" {
            modifiers.insert(Modifier::Const);
            declared = declared.named_child(0).unwrap_or(declared);
        }
        if declared.kind() == "assignment" {
            declared = declared.named_child(0).unwrap_or(declared);
        }
        let name = match declared.kind() {
            "typed_expression" => declared.named_child(0).filter(|name| name.kind() == "identifier"),
            "identifier" => Some(declared),
            _ => None,
        };
        let Some(name) = name else {
            doc = docs::text(walker, child);
            continue;
        };
        let mut start = field.start_byte();
        if let Some(word) = const_before(walker, start) {
            modifiers.insert(Modifier::Const);
            start = word;
        }
        walker.define_in(
            owner,
            Draft {
                signature: (start, child.end_byte()),
                doc: doc.take(),
                modifiers,
                decorators,
                ..Draft::new(SymbolKind::Field, name, child)
            },
        );
    }
}

/// Where the `const` stands that was blanked before a field.
fn const_before(walker: &Walker<'_>, byte: usize) -> Option<usize> {
    let before = walker.slice(0, byte).trim_end_matches([' ', '\t']);
    let rest = before.strip_suffix("const")?;
    rest.ends_with(['\n', ' ', '\t', ';']).then_some(rest.len())
}

/// `abstract type … end` is what others are subtypes of; `primitive type … end` is made of bits.
fn named_type<'t>(walker: &mut Walker<'t>, node: Node<'t>) -> Flow {
    if is_quoted(walker) {
        return Flow::Descend;
    }
    let Some(name) = child_of_kind(node, &["type_head"]).and_then(|head| Name::of(walker, head)) else {
        return Flow::Descend;
    };
    let (kind, modifiers) = match node.kind() {
        "abstract_definition" => (SymbolKind::Interface, Modifiers::default().with(Modifier::Abstract)),
        _ => (SymbolKind::Struct, Modifiers::default()),
    };
    let signature = (node.start_byte(), head_end(node, "type_head"));
    Head::of(walker, node).define(walker, kind, &name, modifiers, signature);
    Flow::Descend
}

/// A short function, a variable of the module, or a function that gets its name from a variable.
fn assignment<'t>(walker: &mut Walker<'t>, node: Node<'t>) -> Flow {
    if is_quoted(walker) {
        return Flow::Descend;
    }
    let (Some(target), Some(value)) = (node.named_child(0), last_named(node)) else {
        return Flow::Descend;
    };
    let statement = match walker.parent() {
        Some(parent) if matches!(parent.kind(), "const_statement" | "global_statement") => parent,
        _ => node,
    };
    let is_named_argument = node.kind() == "named_argument";
    if is_named_argument && !in_macro_parentheses(walker) {
        return Flow::Descend;
    }
    match bare(target).kind() {
        "call_expression" | "binary_expression" => {
            if let Some(name) = Name::of(walker, target) {
                let kind = function_kind(walker, &name);
                let signature = (node.start_byte(), target.end_byte());
                let head = Head::of(walker, statement);
                let definition = head.define(walker, kind, &name, Modifiers::default(), signature);
                walker.open(definition);
            }
        }
        "identifier" if !is_named_argument && is_lambda(value) => {
            let name = Name::plain(walker, bare(target));
            let head = Head::of(walker, statement);
            let signature = (statement.start_byte(), lambda_head_end(value));
            let definition = head.define(walker, SymbolKind::Function, &name, Modifiers::default(), signature);
            walker.claim(value, definition);
        }
        "identifier" | "open_tuple" | "tuple_expression" | "parametrized_type_expression" if !is_named_argument => {
            variables(walker, node, statement, target, value);
        }
        _ => {}
    }
    Flow::Descend
}

/// Whether the argument under the cursor stands in the parentheses of a macro, where `f(x) = 1` is a statement: `@inline(f(x) = 1)`.
fn in_macro_parentheses(walker: &Walker<'_>) -> bool {
    walker
        .ancestors()
        .nth(1)
        .is_some_and(|around| around.kind() == "macrocall_expression")
}

/// A target without its type and type parameters.
fn bare(target: Node<'_>) -> Node<'_> {
    let mut node = target;
    while matches!(node.kind(), "where_expression" | "typed_expression") {
        match node.named_child(0) {
            Some(inner) => node = inner,
            None => break,
        }
    }
    node
}

fn is_lambda(value: Node<'_>) -> bool {
    match value.kind() {
        "arrow_function_expression" => true,
        "function_definition" => child_of_kind(value, &["signature"])
            .and_then(|signature| signature.named_child(0))
            .is_some_and(|head| head.kind() == "argument_list"),
        _ => false,
    }
}

fn lambda_head_end(value: Node<'_>) -> usize {
    match value.kind() {
        "arrow_function_expression" => value.named_child(0).map_or(value.end_byte(), |head| head.end_byte()),
        _ => head_end(value, "signature"),
    }
}

/// The variables of a module that an assignment declares, each once.
fn variables<'t>(walker: &mut Walker<'t>, node: Node<'t>, statement: Node<'t>, target: Node<'t>, value: Node<'t>) {
    let is_constant = statement.kind() == "const_statement";
    if !at_module_level(walker, statement) {
        return;
    }
    let has_parameters = bare(target).kind() == "parametrized_type_expression";
    let kind = match is_constant {
        _ if has_parameters => SymbolKind::TypeAlias,
        true if is_type(value) => SymbolKind::TypeAlias,
        true => SymbolKind::Constant,
        false => SymbolKind::Static,
    };
    let targets = match target.kind() {
        "open_tuple" | "tuple_expression" => target.named_children().collect(),
        _ if has_parameters => bare(target).named_child(0).into_iter().collect(),
        _ => vec![target],
    };
    let names: Vec<Node<'_>> = targets
        .into_iter()
        .map(bare)
        .filter(|name| name.kind() == "identifier" && walker.text(*name) != "_")
        .collect();
    let mut head = Some(Head::of(walker, statement));
    for name in names {
        let name = Name::plain(walker, name);
        let is_new = walker.scope().seen.insert(name.text.to_owned());
        if !is_new {
            continue;
        }
        let head = head.take().unwrap_or(Head {
            span: statement,
            decorators: Vec::new(),
            doc: None,
        });
        let signature = (statement.start_byte(), node.end_byte());
        head.define(walker, kind, &name, Modifiers::default(), signature);
    }
}

/// Whether a value can only be a type.
fn is_type(value: Node<'_>) -> bool {
    matches!(bare(value).kind(), "parametrized_type_expression")
}

/// Whether an assignment under the cursor makes a variable of the module: loops, `let` and `try` have their own.
fn at_module_level(walker: &Walker<'_>, statement: Node<'_>) -> bool {
    if !matches!(walker.enclosing_kind(), SymbolKind::Module | SymbolKind::Namespace) {
        return false;
    }
    for around in walker.ancestors().take(MAX_NESTING) {
        match around.kind() {
            "source_file" | "module_definition" => return true,
            // Here a line that begins like an assignment may be one.
            "ERROR" => return walker.begins_line(statement.start_byte()),
            "const_statement" | "global_statement" | "if_statement" | "elseif_clause" | "else_clause"
            | "compound_statement" | "assignment" => {}
            "macro_argument_list" => {}
            "macrocall_expression" if matches!(macro_name(walker, around), "static" | "eval" | "doc" | "isdefined") => {
            }
            _ => return false,
        }
    }
    false
}

fn arrow_function<'t>(walker: &mut Walker<'t>, node: Node<'t>) -> Flow {
    if is_quoted(walker) {
        return Flow::Descend;
    }
    let definition = match walker.claimed(node) {
        Some(definition) => definition,
        None => walker.define(Draft {
            signature: (node.start_byte(), lambda_head_end(node)),
            ..Draft::anonymous(SymbolKind::Function, "lambda", node)
        }),
    };
    walker.open(definition);
    Flow::Descend
}

/// `call() do x … end` hands a function without a name to the call.
fn do_clause<'t>(walker: &mut Walker<'t>, node: Node<'t>) -> Flow {
    if is_quoted(walker) {
        return Flow::Descend;
    }
    let definition = walker.define(Draft {
        signature: (node.start_byte(), head_end(node, "argument_list")),
        ..Draft::anonymous(SymbolKind::Function, "lambda", node)
    });
    walker.open(definition);
    Flow::Descend
}

/// The last name of the macro that a call calls: `testset` for `Test.@testset`.
fn macro_name<'t>(walker: &Walker<'t>, call: Node<'t>) -> &'t str {
    let name = child_of_kind(call, &["macro_identifier"]).map_or("", |name| walker.text(name));
    let name = name.trim_start_matches('@');
    name.rsplit('.').next().unwrap_or(name)
}

fn macro_call<'t>(walker: &mut Walker<'t>, node: Node<'t>) -> Flow {
    if is_quoted(walker) {
        return Flow::Descend;
    }
    match macro_name(walker, node) {
        "testset" | "testitem" | "safetestset" => test(walker, node),
        "enum" => enumeration(walker, node),
        _ => {}
    }
    Flow::Descend
}

fn test<'t>(walker: &mut Walker<'t>, node: Node<'t>) {
    let list = child_of_kind(node, &["macro_argument_list", "argument_list"]);
    let name = list.and_then(|list| child_of_kind(list, &["string_literal"]));
    let body = list.and_then(last_named).filter(|body| Some(*body) != name);
    let draft = match name {
        Some(name) => Draft {
            name: Draftee::Named(name, walker.text(name).trim_matches('"')),
            ..Draft::new(SymbolKind::Test, name, node)
        },
        None => Draft::anonymous(SymbolKind::Test, "test", node),
    };
    let definition = walker.define(Draft {
        signature: (
            node.start_byte(),
            body.map_or(node.end_byte(), |body| body.start_byte()),
        ),
        visibility: Visibility::Private,
        ..draft
    });
    walker.open(definition);
}

/// `@enum Fruit apple pear=2` and the same with a block.
fn enumeration<'t>(walker: &mut Walker<'t>, node: Node<'t>) {
    let Some(list) = child_of_kind(node, &["macro_argument_list", "argument_list"]) else {
        return;
    };
    let Some(first) = list.named_child(0) else {
        return;
    };
    let Some(name) = Some(bare(first)).filter(|name| name.kind() == "identifier") else {
        return;
    };
    let name = Name::plain(walker, name);
    let end = match list.kind() {
        "argument_list" => node.end_byte(),
        _ => first.end_byte(),
    };
    let signature = (node.start_byte(), end);
    let head = Head::of(walker, node);
    let owner = head.define(walker, SymbolKind::Enum, &name, Modifiers::default(), signature);
    let members = match child_of_kind(list, &["compound_statement"]) {
        Some(block) => block,
        None => list,
    };
    let mut doc = None;
    for member in members.named_children() {
        if member == first {
            continue;
        }
        let (name, value) = match member.kind() {
            "assignment" | "named_argument" => (member.named_child(0), last_named(member)),
            _ => (Some(member), None),
        };
        // In `a=1 b` the grammar takes the number and the next name for a product.
        let product = value.filter(|value| value.kind() == "juxtaposition_expression");
        let end = product.and_then(|product| product.named_child(0)).unwrap_or(member);
        let next = product.and_then(last_named);
        let Some(name) = name.filter(|name| name.kind() == "identifier") else {
            doc = docs::text(walker, member);
            continue;
        };
        walker.define_in(
            owner,
            Draft {
                signature: (member.start_byte(), end.end_byte()),
                doc: doc.take(),
                ..Draft::new(SymbolKind::EnumMember, name, member)
            },
        );
        if let Some(next) = next.filter(|next| next.kind() == "identifier") {
            walker.define_in(owner, Draft::new(SymbolKind::EnumMember, next, next));
        }
    }
}

fn binary(walker: &mut Walker<'_>, node: Node<'_>) -> Flow {
    let sign = child_of_kind(node, &["operator"]).map_or("", |sign| walker.text(sign));
    if matches!(sign, "&&" | "||" | ".&&" | ".||") {
        walker.decision();
    }
    Flow::Descend
}

/// Judges what only the whole file tells: which functions make instances of a type, and what a module exports.
fn finish(facts: &mut FileFacts, _: Role) {
    let is_member = |definition: &Definition| {
        definition.owner.is_empty()
            && definition
                .parent()
                .is_none_or(|parent| facts.definitions[parent].kind() == SymbolKind::Namespace)
    };
    let mut exported: HashSet<(Option<usize>, &str)> = HashSet::default();
    let mut exporting: HashSet<Option<usize>> = HashSet::default();
    for (module, export) in modules_of_exports(facts).into_iter().zip(&facts.exports) {
        exported.insert((module, facts.text.get(export.name)));
        exporting.insert(module);
    }
    let types: HashSet<(Option<usize>, &str)> = facts
        .definitions
        .iter()
        .filter(|definition| definition.kind() == SymbolKind::Struct)
        .map(|definition| (definition.parent(), facts.text.get(definition.name)))
        .collect();
    let mut changes = Vec::new();
    for (at, definition) in facts.definitions.iter().enumerate().filter(|(_, one)| is_member(one)) {
        let name = facts.text.get(definition.name);
        let module = definition.parent();
        let is_constructor = definition.kind() == SymbolKind::Function && types.contains(&(module, name));
        let spelt = match definition.kind() {
            SymbolKind::Macro => format!("@{name}"),
            _ => name.to_owned(),
        };
        let visibility = match definition.kind() {
            SymbolKind::Test => Visibility::Private,
            _ if exported.contains(&(module, spelt.as_str())) => Visibility::Public,
            _ if exporting.contains(&module) && definition.visibility() == Visibility::Public => Visibility::Internal,
            _ => definition.visibility(),
        };
        changes.push((at, is_constructor, visibility));
    }
    for (at, is_constructor, visibility) in changes {
        facts.definitions[at].visibility = visibility as u8;
        if is_constructor {
            facts.definitions[at].kind = SymbolKind::Constructor as u8;
        }
    }
}

/// By export: the innermost module of the file that it stands in, by the number of its definition.
fn modules_of_exports(facts: &FileFacts) -> Vec<Option<usize>> {
    let mut modules = facts
        .definitions
        .iter()
        .enumerate()
        .filter(|(_, definition)| definition.kind() == SymbolKind::Namespace)
        .peekable();
    let mut open: Vec<(usize, &Definition)> = Vec::new();
    let mut found = Vec::with_capacity(facts.exports.len());
    for export in &facts.exports {
        let line = export.line.get();
        while let Some(module) = modules.next_if(|(_, module)| module.place.start_line.get() <= line) {
            open.retain(|(_, around)| around.place.end_line.get() >= module.1.place.start_line.get());
            open.push(module);
        }
        open.retain(|(_, around)| around.place.end_line.get() >= line);
        found.push(open.last().map(|(at, _)| *at));
    }
    found
}

fn is_test_file(path: &RepoPath) -> bool {
    let name = path.file_name();
    has_directory(path, &["test", "tests"])
        || name == "runtests.jl"
        || name.starts_with("test_")
        || name.ends_with("_test.jl")
        || name.ends_with("_tests.jl")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn exports_speak_of_the_module_they_stand_in() {
        let source = "module A\nexport f\nf() = 1\ng() = 2\nmodule B\nf() = 1\nend\nmodule C\nexport g\nf() = 1\ng() = 2\nend\nend\nf() = 1\n";
        let facts = crate::extract::extract(&JULIA, Role::default(), source);
        let found: Vec<String> = facts
            .definitions
            .iter()
            .filter(|definition| definition.kind() == SymbolKind::Function)
            .map(|definition| format!("{} {}", facts.text.get(definition.name), definition.visibility()))
            .collect();
        let expected = [
            "f public",
            "g internal",
            "f public",
            "f internal",
            "g public",
            "f public",
        ];
        assert_eq!(found, expected);
    }

    #[test]
    fn test_files() {
        for (path, expected) in [
            ("test/a.jl", true),
            ("runtests.jl", true),
            ("src/a_test.jl", true),
            ("src/latest.jl", false),
        ] {
            let path = RepoPath::new(path).expect("the path is relative");
            assert_eq!(is_test_file(&path), expected, "{path}");
        }
    }
}
