//! The table of a language: what each node kind is, and where its parts are. Names of kinds and fields are resolved to
//! numbers once.

use std::num::NonZeroU16;
use std::sync::OnceLock;

use super::Lower;
use crate::flow::Slot;
use crate::syntax::Node;

/// Most levels of declarators around a name.
const MAX_DECLARATORS: usize = 12;

/// Where a part of a node is found.
#[derive(Clone, Copy)]
pub(crate) enum Part {
    /// The node has no such part.
    No,
    /// The child in a field.
    Field(&'static str),
    /// The first child of one of these kinds.
    Kind(&'static [&'static str]),
    /// The last child of one of these kinds.
    LastKind(&'static [&'static str]),
    /// The named child at this position.
    At(usize),
    /// The last named child.
    Last,
    Itself,
    /// The child in a field, followed through nested declarators to the innermost name.
    Deep(&'static str),
    /// The first alternative that is present.
    Or(&'static Part, &'static Part),
}

/// The meaning of a node, with the parts that it uses.
#[derive(Clone, Copy)]
pub(crate) enum Act {
    /// Contains no code to run.
    Skip,
    /// Runs the children in order.
    Pass,
    /// A label: code that a jump can reach also where nothing falls through to it. Runs the children in order.
    Label,
    /// Has the meaning of its first child.
    Inner,
    /// A block of statements with its own scope.
    Block,
    /// A name: the part `name`, or the node itself.
    Name,
    /// The receiver.
    This,
    /// The receiver, with member lookup that starts after the enclosing class (`super`).
    Super,
    /// A string literal. Interpolated expressions run.
    Text,
    /// A number or another literal that is not followed.
    Data,
    /// Declarations of one type `kind`. Each child is an [`Act::Declarator`].
    Locals,
    /// Declares `name` with `value`, of the type `kind` if the declarator has its own type.
    Declarator,
    /// Assigns `value` to `object`; `other` is the operator.
    Assign,
    /// Creates an instance of `kind` with the arguments `list`. `body` is an initializer.
    New,
    /// The member `name` of `object`.
    Member,
    /// The element of `object` under `list`.
    Index,
    /// Casts `value` to the type `kind`.
    Cast,
    /// Tests whether `value` has the type `kind`, and if so binds it to `name`.
    Is,
    /// Chooses between `body` and `other` by the condition `value`.
    Branch,
    /// A loop whose children all run repeatedly.
    Loop,
    /// Binds `name` of type `kind` to each element of `value` and runs `body`.
    Each,
    /// Returns `value`.
    Return,
    /// Throws `value`.
    Throw,
    /// Yields `value`.
    Yield,
    /// Ends the loop; [`Act::Continue`] ends the iteration.
    Break,
    Continue,
    /// Chooses by `value` between the [`Act::Case`] children of the node or of its `body`.
    Switch,
    /// One case of a switch.
    Case,
    /// Runs `body`, with [`Act::Catch`] or [`Act::Finally`] children.
    Try,
    /// Binds the exception to `name` of type `kind` and runs `body`.
    Catch,
    /// Runs on all paths.
    Finally,
    /// A list with the children as elements.
    List,
    /// A map with [`Act::Pair`] children.
    Map,
    /// A map entry: `value` under the key `name`.
    Pair,
    /// A tuple of the children.
    Tuple,
    /// An anonymous function: parameters `list`, `body`.
    Lambda,
    /// A function: `name`, parameters `list`, result type `kind`, `body`.
    Function,
    /// A constructor: parameters `list`, `body`. `other` is its call of another constructor.
    Constructor,
    /// A parameter `name` of type `kind` with the default `value`.
    Parameter,
    /// A parameter that takes all remaining arguments.
    RestParameter,
    /// An argument `value`, with `name` if it is a named argument.
    Argument,
    /// Passes all elements of `value`.
    Spread,
    /// A class: `name`, bases `list`, `body`. `other` holds the parameters of a primary constructor.
    Class,
    /// Awaits `value`.
    Await,
    /// A namespace `name` around `body`.
    Namespace,
    /// A generic type: `kind` with the type arguments `list`.
    Generic,
    /// An array type with elements of type `kind`.
    ArrayType,
    /// An optional type: `kind` or nothing.
    Wrapped,
    /// A union of the child types.
    AnyOf,
    /// A type alias: `name` for `value` or `kind`.
    Alias,
    /// A binary operator `other` with the operands `object` and `value`.
    Binary,
    /// A function of the language handles the node.
    Hook(for<'t> fn(&mut Lower<'t, '_, '_>, Node<'t>) -> Slot),
}

/// An entry of the table: the meaning of a node kind, and where its parts are.
///
/// Parts that are not set are absent. A builder method such as [`Shape::name`] sets one part.
#[derive(Clone, Copy)]
pub(crate) struct Shape {
    pub(crate) act: Act,
    parts: [Part; PARTS],
}

const PARTS: usize = 7;
const NAME: usize = 0;
const OBJECT: usize = 1;
const VALUE: usize = 2;
const KIND: usize = 3;
const LIST: usize = 4;
const BODY: usize = 5;
const OTHER: usize = 6;

impl Shape {
    /// A node without parts.
    pub(crate) const fn of(act: Act) -> Self {
        Self {
            act,
            parts: [Part::No; PARTS],
        }
    }

    const fn with(mut self, at: usize, part: Part) -> Self {
        self.parts[at] = part;
        self
    }

    pub(crate) const fn name(self, part: Part) -> Self {
        self.with(NAME, part)
    }

    pub(crate) const fn object(self, part: Part) -> Self {
        self.with(OBJECT, part)
    }

    pub(crate) const fn value(self, part: Part) -> Self {
        self.with(VALUE, part)
    }

    pub(crate) const fn kind(self, part: Part) -> Self {
        self.with(KIND, part)
    }

    pub(crate) const fn list(self, part: Part) -> Self {
        self.with(LIST, part)
    }

    pub(crate) const fn body(self, part: Part) -> Self {
        self.with(BODY, part)
    }

    pub(crate) const fn other(self, part: Part) -> Self {
        self.with(OTHER, part)
    }
}

/// A [`Part`] with names of kinds and fields resolved to numbers.
enum Pick {
    No,
    Field(NonZeroU16),
    Kind(Box<[u16]>),
    LastKind(Box<[u16]>),
    At(usize),
    Last,
    Itself,
    Deep(NonZeroU16),
    Or(Box<Self>, Box<Self>),
}

/// A [`Shape`] with names of kinds and fields resolved to numbers.
pub(crate) struct Form {
    pub(crate) act: Act,
    picks: [Pick; PARTS],
}

impl Form {
    fn nothing(act: Act) -> Self {
        Self {
            act,
            picks: [const { Pick::No }; PARTS],
        }
    }

    pub(crate) fn name<'t>(&self, node: Node<'t>) -> Option<Node<'t>> {
        pick(&self.picks[NAME], node)
    }

    pub(crate) fn object<'t>(&self, node: Node<'t>) -> Option<Node<'t>> {
        pick(&self.picks[OBJECT], node)
    }

    pub(crate) fn value<'t>(&self, node: Node<'t>) -> Option<Node<'t>> {
        pick(&self.picks[VALUE], node)
    }

    pub(crate) fn kind<'t>(&self, node: Node<'t>) -> Option<Node<'t>> {
        pick(&self.picks[KIND], node)
    }

    pub(crate) fn list<'t>(&self, node: Node<'t>) -> Option<Node<'t>> {
        pick(&self.picks[LIST], node)
    }

    pub(crate) fn body<'t>(&self, node: Node<'t>) -> Option<Node<'t>> {
        pick(&self.picks[BODY], node)
    }

    pub(crate) fn other<'t>(&self, node: Node<'t>) -> Option<Node<'t>> {
        pick(&self.picks[OTHER], node)
    }
}

fn pick<'t>(pick_by: &Pick, node: Node<'t>) -> Option<Node<'t>> {
    match pick_by {
        Pick::No => None,
        Pick::Field(field) => node.child_by_field_id(field.get()),
        Pick::Kind(kinds) => node.children().find(|child| kinds.contains(&child.kind_id())),
        Pick::LastKind(kinds) => node.children().filter(|child| kinds.contains(&child.kind_id())).last(),
        Pick::At(at) => node.named_children().filter(|child| !child.is_extra()).nth(*at),
        Pick::Last => node.named_children().filter(|child| !child.is_extra()).last(),
        Pick::Itself => Some(node),
        Pick::Deep(field) => {
            let mut found = node.child_by_field_id(field.get())?;
            for _ in 0..MAX_DECLARATORS {
                if found.named_child_count() == 0 {
                    break;
                }
                let inner = found.child_by_field_id(field.get()).or_else(|| {
                    // References and parentheses hold their declarator without a field.
                    let only = found.named_child(u32::try_from(found.named_child_count().checked_sub(1)?).ok()?);
                    only.filter(|_| found.kind().ends_with("_declarator"))
                });
                match inner {
                    Some(inner) => found = inner,
                    None => break,
                }
            }
            Some(found)
        }
        Pick::Or(one, other) => pick(one, node).or_else(|| pick(other, node)),
    }
}

/// The forms of a grammar, indexed by the number of the node kind.
pub(crate) struct Grammar {
    forms: Box<[Form]>,
    outside: Form,
}

impl Grammar {
    pub(crate) fn form(&self, kind: u16) -> &Form {
        self.forms.get(kind as usize).unwrap_or(&self.outside)
    }
}

/// The table of a language for the shared lowering, with functions for what a table cannot express.
///
/// Add an [`Act::Hook`] for a node that fits no other act. Do not use a shape of another meaning because its parts fit.
pub(crate) struct Plain {
    pub(crate) grammar: fn() -> tree_sitter::Language,
    /// The meaning of node kinds. Kinds that are not listed run their children.
    pub(crate) shapes: &'static [(&'static str, Shape)],
    /// The compiled form of `grammar` and `shapes`, built on first use.
    pub(crate) compiled: &'static OnceLock<Grammar>,
    /// Runs before a file is lowered and collects its package and imports.
    pub(crate) prepare: for<'t> fn(&mut Lower<'t, '_, '_>, Node<'t>),
    /// Whether a member is static: it belongs to the class and not to its instances.
    pub(crate) is_static: for<'t> fn(&Lower<'t, '_, '_>, Node<'t>) -> bool,
    /// Whether only its own file sees a definition.
    pub(crate) is_own: for<'t> fn(&Lower<'t, '_, '_>, Node<'t>) -> bool,
    /// Whether a class is one of several parts.
    pub(crate) is_part: for<'t> fn(&Lower<'t, '_, '_>, Node<'t>) -> bool,
    /// Lowers a member that the table cannot express. Returns whether it did.
    pub(crate) member: for<'t> fn(&mut Lower<'t, '_, '_>, Node<'t>) -> bool,
    /// Whether an unqualified name can denote a member of the receiver.
    pub(crate) implicit_receiver: bool,
    /// Whether an assignment declares the variable.
    pub(crate) implicit_locals: bool,
    /// Whether a function returns the value of its last expression.
    pub(crate) gives_last: bool,
    /// The same for anonymous functions.
    pub(crate) lambda_gives_last: bool,
    /// Whether a name that no file defines is external. If not, the name stays unresolved.
    pub(crate) outside: bool,
    /// Whether the language has overloads that are selected by argument types.
    pub(crate) overloads: bool,
    /// Whether a constructor implicitly calls the constructor of the base.
    pub(crate) constructs_base: bool,
    /// The implicit parameter of an anonymous function without a parameter list (Kotlin: `it`).
    pub(crate) it: Option<&'static str>,
    /// Built-in class of list literals. `map` is the same for map literals.
    pub(crate) list: &'static str,
    pub(crate) map: &'static str,
    /// Types with elements: name, built-in class, and the position of the element type among the type arguments.
    pub(crate) collections: &'static [(&'static str, &'static str, usize)],
    /// Types that are treated as their first type argument.
    pub(crate) transparent: &'static [&'static str],
    /// Method names of operators. Unary operators have the prefix `1`. If the table is empty, the name is `operator`
    /// and the sign.
    pub(crate) operators: &'static [(&'static str, &'static str)],
    /// The arguments that a class header passes to the constructor of the base.
    pub(crate) base_arguments: for<'t> fn(&Lower<'t, '_, '_>, Node<'t>) -> Option<Node<'t>>,
    /// Prefix of field names, which separates them from methods.
    pub(crate) field_prefix: &'static str,
    /// The variable that holds the receiver, if it is one.
    pub(crate) this_name: Option<&'static str>,
    /// Types that are not followed.
    pub(crate) ignored: &'static [&'static str],
    /// The separator in qualified names.
    pub(crate) separator: &'static str,
}

static NOTHING: OnceLock<Grammar> = OnceLock::new();

impl Plain {
    /// Defaults: a language without any shapes.
    pub(crate) const BASE: Self = Self {
        grammar: || tree_sitter_json::LANGUAGE.into(),
        shapes: &[],
        compiled: &NOTHING,
        prepare: |_, _| {},
        is_static: |_, _| false,
        is_own: |_, _| false,
        is_part: |_, _| false,
        member: |_, _| false,
        implicit_receiver: true,
        implicit_locals: false,
        gives_last: false,
        lambda_gives_last: false,
        outside: true,
        overloads: false,
        constructs_base: false,
        it: None,
        list: "List",
        map: "Map",
        collections: &[],
        transparent: &[],
        operators: &[],
        base_arguments: |_, _| None,
        field_prefix: "",
        this_name: None,
        ignored: &[],
        separator: ".",
    };

    pub(super) fn grammar(&'static self) -> &'static Grammar {
        self.compiled.get_or_init(|| self.compile())
    }

    fn compile(&self) -> Grammar {
        let grammar = (self.grammar)();
        let forms = (0..grammar.node_kind_count())
            .map(|kind| {
                let name = grammar.node_kind_for_id(kind as u16).unwrap_or("");
                let is_named = grammar.node_kind_is_named(kind as u16);
                let shape = self.shapes.iter().find(|(wanted, _)| *wanted == name);
                match shape {
                    // A keyword can have the same text as a node kind. The keyword gets the shape only if no named kind
                    // has that text.
                    Some((_, shape)) if is_named || grammar.id_for_node_kind(name, true) == 0 => Form {
                        act: shape.act,
                        picks: shape.parts.map(|part| compile(&grammar, part)),
                    },
                    _ if is_named => Form::nothing(Act::Pass),
                    _ => Form::nothing(Act::Skip),
                }
            })
            .collect();
        Grammar {
            forms,
            outside: Form::nothing(Act::Pass),
        }
    }
}

fn compile(grammar: &tree_sitter::Language, part: Part) -> Pick {
    let numbers = |kinds: &[&str]| -> Box<[u16]> {
        (0..grammar.node_kind_count() as u16)
            .filter(|kind| {
                grammar
                    .node_kind_for_id(*kind)
                    .is_some_and(|name| kinds.contains(&name))
            })
            .collect()
    };
    match part {
        Part::No => Pick::No,
        Part::Field(name) => grammar.field_id_for_name(name).map_or(Pick::No, Pick::Field),
        Part::Kind(kinds) => Pick::Kind(numbers(kinds)),
        Part::LastKind(kinds) => Pick::LastKind(numbers(kinds)),
        Part::At(at) => Pick::At(at),
        Part::Last => Pick::Last,
        Part::Itself => Pick::Itself,
        Part::Deep(name) => grammar.field_id_for_name(name).map_or(Pick::No, Pick::Deep),
        Part::Or(one, other) => Pick::Or(Box::new(compile(grammar, *one)), Box::new(compile(grammar, *other))),
    }
}
