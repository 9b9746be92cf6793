//! Which functions a call can reach: one inclusion-based fixpoint over the value flow of all files.
//!
//! Bodies are activated when something calls them; an activation has its own slots. A body whose outcome depends on what is passed in is
//! activated for each call that reaches it. Slots hold objects; an object that comes to a slot runs the instructions that have the
//! slot as operand. Nothing here knows a language by name: what differs stands in [`FlowRules`].

mod activations;
mod calls;
mod choices;
mod declared;
mod elements;
mod engine;
mod fast_hash;
mod members;
mod names;
mod narrow;
mod objects;
mod outcome;
mod outside;
mod overloads;
mod program;
mod promises;
mod spaces;
mod steps;
mod thrown;

pub(crate) use engine::solve;
pub(crate) use outcome::{BaseRow, CallRow, Callee, Outcome, UnresolvedCall, is_in_parts};
pub(crate) use program::{ModuleRow, Program, Unit};

use crate::flow::FlowBuilder;
use crate::syntax::Node;

/// What is particular to the value flow of a language.
pub(crate) struct FlowRules {
    /// The languages that see each other's files, by a common name; none if it is the only one.
    pub(crate) family: &'static str,
    /// Lowers a tree.
    pub(crate) lower: for<'t> fn(&mut FlowBuilder<'t, '_>, Node<'t>),
    /// The module that a text names, seen from a module.
    pub(crate) resolve: fn(&Program<'_>, usize, &str) -> Target,
    /// What runs when a class is called, in order.
    pub(crate) constructors: &'static [&'static str],
    /// What runs when an instance is called.
    pub(crate) call: &'static str,
    /// What a class that defines it must ask its bases for to get a new instance.
    pub(crate) allocate: Option<&'static str>,
    /// What runs when a member that has them is read or written.
    pub(crate) descriptor: Option<(&'static str, &'static str)>,
    /// What runs when an instance without a constructor of its own has its fields.
    pub(crate) completes: Option<&'static str>,
    /// What runs when a member is read that nobody defines.
    pub(crate) missing: Option<&'static str>,
    /// What gives an iterator, and what the next element.
    pub(crate) iterate: (&'static str, &'static str),
    /// What runs when an element is read or written.
    pub(crate) element: (&'static str, &'static str),
    /// Built-in classes of what generators and asynchronous functions give.
    pub(crate) generator: &'static str,
    pub(crate) promise: &'static str,
    /// Built-in classes of what a parameter takes that takes the rest: by position, and by name.
    pub(crate) rest: (&'static str, &'static str),
    /// The built-in class whose elements are reached by iterating over its keys.
    pub(crate) map: &'static str,
    /// Built-in classes whose instances have no members but those of the class.
    pub(crate) closed: &'static [&'static str],
    /// What the paths of names that speak only of types begin with.
    pub(crate) typing: &'static [&'static str],
    /// The built-in class of functions, if they have members.
    pub(crate) function: Option<&'static str>,
    /// The name under which a module exports itself, for those that import it as a member.
    pub(crate) default_export: Option<&'static str>,
    /// The built-in class of objects whose members are their elements too.
    pub(crate) record: Option<&'static str>,
    /// The member that holds the object that an object takes from what it has not itself.
    pub(crate) link: Option<&'static str>,
    /// As `iterate`, where each element is waited for.
    pub(crate) iterate_waiting: (&'static str, &'static str),
    /// The member of what an iterator gives that holds the element, if it is not that itself.
    pub(crate) element_of_next: Option<&'static str>,
    /// The member of a promise that holds what it failed with, if one can ask for it.
    pub(crate) failure: Option<&'static str>,
    /// The built-in class of types that are no classes: their elements are values of them.
    pub(crate) alias: Option<&'static str>,
    /// The built-in class of texts, if they have members.
    pub(crate) text: Option<&'static str>,
    /// The member that holds what instances have in common, if it is not the class.
    pub(crate) prototype: Option<&'static str>,
    /// Whether a member of this name is seen by its own class alone, so that none of that name overrides it.
    pub(crate) is_own_member: fn(&str) -> bool,
    /// How values of one type are passed as another, where a name may stand for several functions that are told apart by what is passed to them.
    pub(crate) overloads: Option<fn(&str, &str) -> Conversion>,
    /// Types that values of which nothing is known are most likely to have.
    pub(crate) likely: &'static [&'static str],
    /// Whether a module is all files of its name, each of which sees what the others define, and hands on nothing else.
    pub(crate) packages: bool,
    /// Whether any method of a function is a call of it: functions are values of interfaces with one method.
    pub(crate) adapts: bool,
    /// Whether what instances outside have is named by their class.
    pub(crate) by_class: bool,
    /// What asks an iterator whether there is a next element.
    pub(crate) has_next: Option<&'static str>,
    /// The name of the module that the language itself defines.
    pub(crate) builtin_module: &'static str,
    /// The built-in class that is asked for members that nobody else has.
    pub(crate) root: Option<&'static str>,
    /// What gives the object whose members an instance has beside its own; the same where it is to be changed; and the member that is its type.
    pub(crate) stands_for: Option<(&'static str, &'static str, &'static str)>,
    /// Built-in classes that hold one value, which is what is meant where it is asked for what stands inside.
    pub(crate) wrappers: &'static [&'static str],
    /// What stands before the number of a place in the name of a field that has no other.
    pub(crate) places: Option<&'static str>,
    /// Whether making an instance is no call where no constructor is written.
    pub(crate) makes_silently: bool,
    /// The built-in class that a path outside means.
    pub(crate) outside: fn(&str) -> Option<&str>,
    /// Whether a path of names may begin with a module that nothing imports, and an import with what is defined around it.
    pub(crate) paths_begin_anywhere: bool,
    /// Whether a decorator says that what it decorates is a test, or holds tests.
    pub(crate) makes_tests: fn(&str) -> bool,
    /// Names that the language itself defines, beside those of the prelude.
    pub(crate) builtins: &'static [&'static str],
    /// Whether the files of one module see each other's names.
    pub(crate) shares_scope: bool,
    /// Whether an interface is whatever has its methods.
    pub(crate) structural: bool,
    /// Whether calling a class gives the argument as a value of it.
    pub(crate) converts: bool,
    /// Whether the classes of the prelude have more members than it says.
    pub(crate) open_prelude: bool,
    /// The text of the import that binds a name which it does not write.
    pub(crate) implied: fn(&Program<'_>, usize, &str) -> Option<String>,
    /// Sources that say how built-in modules call back: the module's name and its text. The one without a name is always there.
    pub(crate) prelude: &'static [(&'static str, &'static str)],
}

/// What the name of one type says about passing its values as another.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum Conversion {
    /// They are of that type.
    Same,
    /// They are of that type too, or are made so without a trace.
    Widened,
    /// They are made into that type where nothing fits better.
    Made,
    /// They cannot be passed.
    Never,
    /// The names alone do not say.
    Unknown,
}

impl FlowRules {
    /// A language of which nothing is said.
    pub(crate) const BASE: Self = Self {
        family: "",
        lower: |_, _| {},
        resolve: |_, _, _| Target::Nothing,
        constructors: &[],
        call: "<call>",
        allocate: None,
        descriptor: None,
        completes: None,
        missing: None,
        iterate: ("<iterate>", "<next>"),
        element: ("<get>", "<set>"),
        generator: "",
        promise: "",
        rest: ("", ""),
        map: "",
        closed: &[],
        typing: &[],
        function: None,
        default_export: None,
        record: None,
        link: None,
        iterate_waiting: ("<iterate>", "<next>"),
        element_of_next: None,
        failure: None,
        alias: None,
        text: None,
        prototype: None,
        is_own_member: |_| false,
        overloads: None,
        likely: &[],
        packages: false,
        adapts: false,
        by_class: false,
        has_next: None,
        builtin_module: "<builtin>",
        shares_scope: false,
        structural: false,
        converts: false,
        open_prelude: false,
        implied: |_, _, _| None,
        root: None,
        stands_for: None,
        wrappers: &[],
        places: None,
        makes_silently: false,
        outside: |_| None,
        paths_begin_anywhere: false,
        makes_tests: |_| false,
        builtins: &[],
        prelude: &[],
    };
}

/// What a module's name stands for.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Target {
    /// Modules of this tree, by number: the first that exists.
    Module(usize),
    /// Of another project.
    External(String),
    /// Nothing at all.
    Nothing,
}
