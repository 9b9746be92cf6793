//! The table of a language: which kind of node is what, and where its parts stand. Names of kinds and fields become numbers once.

use std::num::NonZeroU16;
use std::sync::OnceLock;

use super::Lower;
use crate::flow::Slot;
use crate::syntax::Node;

/// Levels of declarators around a name.
const MAX_DECLARATORS: usize = 12;

/// Where a part of a node stands.
#[derive(Clone, Copy)]
pub(crate) enum Part {
    /// Nowhere.
    No,
    /// Under a field.
    Field(&'static str),
    /// It is the first child of one of these kinds.
    Kind(&'static [&'static str]),
    /// It is the last child of one of these kinds.
    LastKind(&'static [&'static str]),
    /// It is the child of this number among those that have a name.
    At(usize),
    /// It is the last child that has a name.
    Last,
    /// It is the node itself.
    Itself,
    /// Under a field, as deep as that goes: the name that declarators are wrapped around.
    Deep(&'static str),
    /// The one, or else the other.
    Or(&'static Part, &'static Part),
}

/// What a node is.
#[derive(Clone, Copy)]
pub(crate) enum Act {
    /// Nothing that runs.
    Skip,
    /// Its children run one after the other.
    Pass,
    /// It is what its first child is.
    Inner,
    /// Statements with names of their own.
    Block,
    /// A name: `name` or itself.
    Name,
    /// The receiver.
    This,
    /// What comes after the class around.
    Super,
    /// A text; what is put into it runs.
    Text,
    /// A number or the like.
    Data,
    /// Declarations of one type: `kind`; each is a child that is a [`Act::Declarator`].
    Locals,
    /// `name` is `value`, of the type `kind` if it has one of its own.
    Declarator,
    /// `object` gets `value`; `other` is the operator.
    Assign,
    /// An instance of `kind` is made with `list`; `body` fills it.
    New,
    /// The member `name` of `object`.
    Member,
    /// The element of `object` under `list`.
    Index,
    /// `value` is of the type `kind`.
    Cast,
    /// Whether `value` is of the type `kind`; if so, it is `name` too.
    Is,
    /// `value` decides between `body` and `other`.
    Branch,
    /// A loop: all children run again and again.
    Loop,
    /// `name`, of type `kind`, is each element of `value` in `body`.
    Each,
    /// `value` is given back.
    Return,
    /// `value` is thrown.
    Throw,
    /// `value` is yielded.
    Yield,
    /// The loop ends, or its round.
    Break,
    Continue,
    /// `value` decides between the children that are [`Act::Case`]s, of itself or of its `body`.
    Switch,
    /// One of several ways.
    Case,
    /// `body`, with children that are [`Act::Catch`] or [`Act::Finally`].
    Try,
    /// `name` of type `kind` is what was thrown, in `body`.
    Catch,
    /// What runs in any case.
    Finally,
    /// A list of its children.
    List,
    /// A map of its children, which are [`Act::Pair`]s.
    Map,
    /// `value` under `name`.
    Pair,
    /// Several values.
    Tuple,
    /// A function without a name: `list`, `body`.
    Lambda,
    /// A function: `name`, `list`, `kind` is what it gives, `body`.
    Function,
    /// What makes an instance: `list`, `body`; `other` is what it hands to another constructor.
    Constructor,
    /// `name` of type `kind` with the default `value`.
    Parameter,
    /// All that are left.
    RestParameter,
    /// An argument `value`, under `name` if there is one.
    Argument,
    /// All elements of `value`.
    Spread,
    /// A class: `name`, `list` are its bases, `body`, `other` are the parameters of its constructor.
    Class,
    /// What waits for `value`.
    Await,
    /// Everything in `body` is named under `name`.
    Namespace,
    /// A type: `kind` with arguments `list`.
    Generic,
    /// A type of elements `kind`.
    ArrayType,
    /// A type that is `kind`, or nothing.
    Wrapped,
    /// A type that is one of its children.
    AnyOf,
    /// A name of a type: `name` is `value` or `kind`.
    Alias,
    /// `left` and `right`; operators that pass on what they are given.
    Binary,
    /// The language says what it does.
    Hook(for<'t> fn(&mut Lower<'t, '_, '_>, Node<'t>) -> Slot),
}

/// What a kind of node is and where its parts stand.
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

    /// The part `name`.
    pub(crate) const fn name(self, part: Part) -> Self {
        self.with(NAME, part)
    }

    /// The part `object`.
    pub(crate) const fn object(self, part: Part) -> Self {
        self.with(OBJECT, part)
    }

    /// The part `value`.
    pub(crate) const fn value(self, part: Part) -> Self {
        self.with(VALUE, part)
    }

    /// The part `kind`.
    pub(crate) const fn kind(self, part: Part) -> Self {
        self.with(KIND, part)
    }

    /// The part `list`.
    pub(crate) const fn list(self, part: Part) -> Self {
        self.with(LIST, part)
    }

    /// The part `body`.
    pub(crate) const fn body(self, part: Part) -> Self {
        self.with(BODY, part)
    }

    /// The part `other`.
    pub(crate) const fn other(self, part: Part) -> Self {
        self.with(OTHER, part)
    }
}

/// A [`Part`] by numbers.
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

/// A [`Shape`] by numbers.
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
        Pick::Kind(kinds) => {
            let mut cursor = node.walk();
            node.children(&mut cursor)
                .find(|child| kinds.contains(&child.kind_id()))
        }
        Pick::LastKind(kinds) => {
            let mut cursor = node.walk();
            node.children(&mut cursor)
                .filter(|child| kinds.contains(&child.kind_id()))
                .last()
        }
        Pick::At(at) => {
            let mut cursor = node.walk();
            node.named_children(&mut cursor)
                .filter(|child| !child.is_extra())
                .nth(*at)
        }
        Pick::Last => {
            let mut cursor = node.walk();
            node.named_children(&mut cursor)
                .filter(|child| !child.is_extra())
                .last()
        }
        Pick::Itself => Some(node),
        Pick::Deep(field) => {
            let mut found = node.child_by_field_id(field.get())?;
            for _ in 0..MAX_DECLARATORS {
                if found.named_child_count() == 0 {
                    break;
                }
                let inner = found.child_by_field_id(field.get()).or_else(|| {
                    // A reference or a pair of parentheses has its declarator without a field.
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

/// The forms of a grammar by number of kind.
pub(crate) struct Grammar {
    forms: Box<[Form]>,
    outside: Form,
}

impl Grammar {
    pub(crate) fn form(&self, kind: u16) -> &Form {
        self.forms.get(kind as usize).unwrap_or(&self.outside)
    }
}

/// A language as the plain lowering sees it.
pub(crate) struct Plain {
    pub(crate) grammar: fn() -> tree_sitter::Language,
    /// What is what. Kinds that are not named pass.
    pub(crate) shapes: &'static [(&'static str, Shape)],
    /// Made of the two above, once.
    pub(crate) compiled: &'static OnceLock<Grammar>,
    /// Looks over a file before it is lowered: its package and what it imports.
    pub(crate) prepare: for<'t> fn(&mut Lower<'t, '_, '_>, Node<'t>),
    /// Whether a member belongs to its class rather than to instances of it.
    pub(crate) is_static: for<'t> fn(&Lower<'t, '_, '_>, Node<'t>) -> bool,
    /// Whether a definition of a file is seen by the file alone.
    pub(crate) is_own: for<'t> fn(&Lower<'t, '_, '_>, Node<'t>) -> bool,
    /// Whether a class is one of several parts.
    pub(crate) is_part: for<'t> fn(&Lower<'t, '_, '_>, Node<'t>) -> bool,
    /// What a member is, where a table cannot say: its flags and the suffix of its name.
    pub(crate) member: for<'t> fn(&mut Lower<'t, '_, '_>, Node<'t>) -> bool,
    /// Whether a name may be that of a member of the receiver.
    pub(crate) implicit_receiver: bool,
    /// Whether a variable is declared by giving it a value.
    pub(crate) implicit_locals: bool,
    /// Whether a function gives back its last value.
    pub(crate) gives_last: bool,
    /// The same for functions without a name.
    pub(crate) lambda_gives_last: bool,
    /// Whether what nobody here defines lies outside, so that it has a name.
    pub(crate) outside: bool,
    /// Whether several functions of one name are told apart by what is passed to them.
    pub(crate) overloads: bool,
    /// Whether a constructor calls that of the base unless it says otherwise.
    pub(crate) constructs_base: bool,
    /// The name of the parameter that a function without parameters has.
    pub(crate) it: Option<&'static str>,
    /// Built-in classes of lists and maps.
    pub(crate) list: &'static str,
    pub(crate) map: &'static str,
    /// Types with elements: the name, the built-in class, and which argument the elements are of.
    pub(crate) collections: &'static [(&'static str, &'static str, usize)],
    /// Types that stand for their first argument.
    pub(crate) transparent: &'static [&'static str],
    /// What operators are called where they are defined: those with two operands, and those with one, which have a `1` before them. Without any,
    /// that is `operator` and the sign.
    pub(crate) operators: &'static [(&'static str, &'static str)],
    /// The arguments that a class hands to the constructor of its base.
    pub(crate) base_arguments: for<'t> fn(&Lower<'t, '_, '_>, Node<'t>) -> Option<Node<'t>>,
    /// What fields have before their names, so that they differ from methods.
    pub(crate) field_prefix: &'static str,
    /// The variable that is the receiver, if that is one.
    pub(crate) this_name: Option<&'static str>,
    /// Types of which nothing follows.
    pub(crate) ignored: &'static [&'static str],
    /// What stands between the parts of a path.
    pub(crate) separator: &'static str,
}

static NOTHING: OnceLock<Grammar> = OnceLock::new();

impl Plain {
    /// A language of which nothing is said.
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
                    // A word that has the text of a kind is no node of that kind, unless there is no such kind.
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
