//! Computes which functions each call site can reach: one inclusion-based (Andersen-style) points-to analysis over the
//! value flow of all files.
//!
//! A body (the code of a function, class or module) is activated when something calls it. Each activation has its own
//! slots. A body whose result depends on its arguments gets one activation per call site; this is the solver's context
//! sensitivity. All callers of another function share one activation. A slot holds a points-to set of abstract objects.
//! When an object arrives at a slot, the solver runs the instructions that have the slot as operand.
//!
//! The solver contains no code for a named language. Differences between languages are data in [`FlowRules`].

mod accesses;
mod activations;
mod calls;
mod choices;
mod cut;
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
mod statics;
mod steps;
mod thrown;

pub(crate) use accesses::AccessRow;
pub(crate) use engine::solve;
pub(crate) use outcome::{BaseRow, CallRow, Callee, Outcome, UnresolvedCall, is_in_parts};
pub(crate) use program::{ModuleRow, Program, Unit};

use crate::flow::FlowBuilder;
use crate::syntax::Node;

/// The language-specific part of the value-flow analysis: names of protocol methods, built-in classes and switches.
///
/// The solver reads these rules and never tests for a language by name. A new language fills in this struct instead of
/// adding a branch to the solver.
pub(crate) struct FlowRules {
    /// A name shared by languages that see each other's files, such as JavaScript and TypeScript. Empty if the language
    /// is alone.
    pub(crate) family: &'static str,
    /// Lowers a syntax tree to value-flow instructions.
    pub(crate) lower: for<'t> fn(&mut FlowBuilder<'t, '_>, Node<'t>),
    /// Resolves the text of an import, seen from the unit with the given number.
    pub(crate) resolve: fn(&Program<'_>, usize, &str) -> Target,
    /// Methods that run when a class is called, in order.
    pub(crate) constructors: &'static [&'static str],
    /// Method that runs when an instance is called.
    pub(crate) call: &'static str,
    /// Method through which a class asks its bases for a new instance (Python: `__new__`).
    pub(crate) allocate: Option<&'static str>,
    /// Methods of a descriptor: the first runs when the member is read, the second when it is written.
    pub(crate) descriptor: Option<(&'static str, &'static str)>,
    /// Method that runs after the fields are filled, for a class without a constructor (Python: `__post_init__`).
    pub(crate) completes: Option<&'static str>,
    /// Method that runs when code reads a member that no class defines (Python: `__getattr__`).
    pub(crate) missing: Option<&'static str>,
    /// Method that returns an iterator, and method that returns the next element.
    pub(crate) iterate: (&'static str, &'static str),
    /// Method that reads an element (`a[k]`), and method that writes one.
    pub(crate) element: (&'static str, &'static str),
    /// Built-in class of the object that a generator returns. [`FlowRules::promise`] is the one for asynchronous
    /// functions.
    pub(crate) generator: &'static str,
    pub(crate) promise: &'static str,
    /// Built-in classes that hold the remaining arguments: positional ones (`*args`), and named ones (`**kwargs`).
    pub(crate) rest: (&'static str, &'static str),
    /// Built-in class of maps: iterating over one yields its keys, not its elements.
    pub(crate) map: &'static str,
    /// Built-in classes whose instances have only the members of the class. Stores to other members are ignored.
    pub(crate) closed: &'static [&'static str],
    /// Prefixes of external paths that name only types, never values (Python: `typing.`).
    pub(crate) typing: &'static [&'static str],
    /// Built-in class whose members every function has. `None` if functions have no members.
    pub(crate) function: Option<&'static str>,
    /// Member under which a module exports itself to importers that ask for a member (JavaScript: `default`).
    pub(crate) default_export: Option<&'static str>,
    /// Built-in class of objects whose members are also their elements (JavaScript: `Object`).
    pub(crate) record: Option<&'static str>,
    /// Member that holds the object from which another object inherits (JavaScript: `__proto__`).
    pub(crate) link: Option<&'static str>,
    /// As `iterate`, for asynchronous iteration.
    pub(crate) iterate_waiting: (&'static str, &'static str),
    /// Member of the iterator's result that holds the element. `None` if the result is the element.
    pub(crate) element_of_next: Option<&'static str>,
    /// Member of a promise that holds the value it was rejected with. `None` if the language has none.
    pub(crate) failure: Option<&'static str>,
    /// Built-in class of type aliases. The elements of an instance are the values of the aliased type.
    pub(crate) alias: Option<&'static str>,
    /// Built-in class whose members every string has. `None` if strings have no members.
    pub(crate) text: Option<&'static str>,
    /// Member of a class that holds the members shared by its instances. `None` if the class itself holds them.
    pub(crate) prototype: Option<&'static str>,
    /// Whether only the declaring class sees a member of this name. No other member overrides such a member.
    pub(crate) is_own_member: fn(&str) -> bool,
    /// How a value of the first type converts to the second type. `Some` if the language has overloads that are
    /// selected by argument types.
    pub(crate) overloads: Option<fn(&str, &str) -> Conversion>,
    /// Types that an argument of unknown type most likely has. Overload resolution prefers them.
    pub(crate) likely: &'static [&'static str],
    /// Whether a module consists of all files of one name. The files see each other's definitions, and the module
    /// exports nothing else.
    pub(crate) packages: bool,
    /// Whether every method call on a function calls the function itself: a function implements interfaces with one
    /// method.
    pub(crate) adapts: bool,
    /// Whether members of external instances are named by their class (`java.util.List.add`).
    pub(crate) by_class: bool,
    /// Method that asks an iterator whether it has a next element. Iterating records a call of it.
    pub(crate) has_next: Option<&'static str>,
    /// Name of the module that contains the language's built-ins.
    pub(crate) builtin_module: &'static str,
    /// Built-in class that is searched last for a member.
    pub(crate) root: Option<&'static str>,
    /// Smart pointers: the method that returns the object whose members an instance also has, the same method for
    /// mutation, and the associated type of that object (Rust: `deref`, `deref_mut`, `Target`).
    pub(crate) stands_for: Option<(&'static str, &'static str, &'static str)>,
    /// Built-in classes that hold one value (Rust: `Option`, `Result`). An access to the inside means that value.
    pub(crate) wrappers: &'static [&'static str],
    /// Whether a field hides one of the same name in a base. Otherwise an object has one member of a name.
    pub(crate) fields_hide: bool,
    /// Prefix for the names of positional fields (Rust: `.`, for `.0` and `.1`).
    pub(crate) places: Option<&'static str>,
    /// Whether creating an instance does not count as a call when the class has no constructor.
    pub(crate) makes_silently: bool,
    /// The built-in class that an external path denotes.
    pub(crate) outside: fn(&str) -> Option<&str>,
    /// Whether a path may begin with a module that no import names, and an import with a name of an enclosing scope.
    pub(crate) paths_begin_anywhere: bool,
    /// Whether a decorator or attribute marks its definition as a test or as a container of tests.
    pub(crate) makes_tests: fn(&str) -> bool,
    /// Names of built-ins that the prelude does not define.
    pub(crate) builtins: &'static [&'static str],
    /// Whether the files of one module share a scope (Go).
    pub(crate) shares_scope: bool,
    /// Whether a type implements an interface by having its methods, without declaring so (Go).
    pub(crate) structural: bool,
    /// Whether calling a class converts the argument to that class (Go: `T(x)`).
    pub(crate) converts: bool,
    /// Whether the real classes have more members than the prelude lists. An unlisted member is then external.
    pub(crate) open_prelude: bool,
    /// The text of the import that binds a name although the import does not write the name (Go: the package name).
    pub(crate) implied: fn(&Program<'_>, usize, &str) -> Option<String>,
    /// Source models of built-in modules, as pairs of module name and text. They describe which arguments the modules
    /// call back. The entry with an empty name is always loaded.
    pub(crate) prelude: &'static [(&'static str, &'static str)],
}

/// How a value converts when it is passed as a value of another type. `Same`, `Widened` and `Made` are in order of
/// preference.
///
/// Overload resolution compares the conversions of the arguments. `Unknown` is not `Never`: it must not exclude a
/// candidate.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum Conversion {
    /// The types are the same.
    Same,
    /// The value is a subtype value, or the language converts it implicitly.
    Widened,
    /// The language boxes or otherwise converts the value, but only if no better overload exists.
    Made,
    /// The value cannot be passed.
    Never,
    /// The names of the types do not decide.
    Unknown,
}

impl FlowRules {
    /// Defaults: a language without any value-flow rules.
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
        fields_hide: false,
        places: None,
        makes_silently: false,
        outside: |_| None,
        paths_begin_anywhere: false,
        makes_tests: |_| false,
        builtins: &[],
        prelude: &[],
    };
}

/// The module that an import text resolves to.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Target {
    /// A module of this repository, by number. If several modules have the name, the first.
    Module(usize),
    /// A module of another project, by name.
    External(String),
    /// The text does not name a module.
    Nothing,
}
