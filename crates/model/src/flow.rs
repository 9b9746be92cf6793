//! Value flow: which values of a file reach which places, in a small set of instructions that every language lowers
//! to.
//!
//! A body (a module, a function, the body of a class) has its own slots, one for each version of a variable and each
//! intermediate value. The builder resolves the order of writes and the join of branches, so slots need no order:
//! instructions are sorted by the operand that the solver looks them up by. A body shares variables with inner bodies
//! through cells, which are slots too.

use zerocopy::{FromBytes, Immutable, IntoBytes, KnownLayout, Unaligned};

use crate::{Text, TextRange, U32};

/// The properties of a body and of calls to it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct BodyFlags;

impl BodyFlags {
    /// The module itself.
    pub const MODULE: u32 = 1;
    /// The body of a class, which runs in place.
    pub const CLASS: u32 = 2;
    /// A generator: a call returns an iterator.
    pub const GENERATOR: u32 = 4;
    /// An async function: a call returns an awaitable.
    pub const ASYNC: u32 = 8;
    /// A member without a receiver.
    pub const STATIC: u32 = 16;
    /// A member with the class as receiver.
    pub const CLASS_METHOD: u32 = 32;
    /// A getter: runs when the member is read.
    pub const GETTER: u32 = 64;
    /// A setter: runs when the member is written.
    pub const SETTER: u32 = 128;
    /// The first parameter is the receiver.
    pub const RECEIVER_FIRST: u32 = 256;
    /// The result, the calls or the stores depend on the arguments: the solver analyses the body separately for each
    /// call.
    pub const PASS_THROUGH: u32 = 512;
    /// The receiver is that of the enclosing body.
    pub const ARROW: u32 = 1024;
    /// A declaration without a body that runs.
    pub const DECLARED: u32 = 2048;
    /// A member of a class.
    pub const MEMBER: u32 = 4096;
    /// Nothing calls the body by name: its calls belong to its definition, but a call to it is not an edge.
    pub const HIDDEN: u32 = 8192;
    /// An argument can be the result.
    pub const GIVES_BACK: u32 = 16384;
    /// A thin wrapper: the result is what another function computes from the arguments.
    pub const THIN: u32 = 32768;
    /// Another body of the same name is beside it: the arguments decide which of them a call has as target.
    pub const OVERLOADED: u32 = 65536;
    /// The receiver's class can redefine the body: for a call without a receiver, the first argument decides.
    pub const DISPATCHED: u32 = 131_072;
    /// The body changes its receiver.
    pub const CHANGES: u32 = 262_144;
    /// Other members of the class can have the same name: the first argument decides.
    pub const RIVAL: u32 = 524_288;
}

/// One-bit properties of a class.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ClassFlags;

impl ClassFlags {
    /// The name of the class, used as a value, is an instance (an object or singleton).
    pub const VALUE: u32 = 1;
}

/// One body of a file. The first body is the module's.
#[derive(Clone, Copy, PartialEq, Eq, Debug, FromBytes, IntoBytes, Immutable, KnownLayout, Unaligned)]
#[repr(C)]
pub struct FlowBody {
    /// The definition of the body, or [`crate::NONE`] for the module.
    pub definition: U32,
    /// The enclosing body, or [`crate::NONE`].
    pub parent: U32,
    /// The number of slots.
    pub slots: U32,
    /// Instructions without an operand: they run when the body runs.
    pub seeds: TextRange,
    /// The other instructions, sorted by their operand.
    pub steps: TextRange,
    /// Its parameters.
    pub parameters: TextRange,
    /// The cells that the body shares with enclosing bodies.
    pub captures: TextRange,
    /// The slot of the result; further results are in the next slots.
    pub result: U32,
    /// The number of results, usually one.
    pub results: U32,
    /// The slot of the yielded values, or [`crate::NONE`].
    pub yielded: U32,
    /// The slot of the receiver if the receiver is not a parameter, or [`crate::NONE`].
    pub receiver: U32,
    /// The slot of the values that the body itself throws, or [`crate::NONE`].
    pub thrown: U32,
    /// The declared result type, as a row of the names, or [`crate::NONE`].
    pub declared: U32,
    /// [`BodyFlags`].
    pub flags: U32,
}

/// How a parameter takes arguments.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ParameterKind;

impl ParameterKind {
    /// By position or name.
    pub const PLAIN: u8 = 0;
    /// By name only.
    pub const NAMED: u8 = 1;
    /// All remaining positional arguments.
    pub const REST: u8 = 2;
    /// All remaining named arguments.
    pub const NAMED_REST: u8 = 3;
    /// By position only.
    pub const POSITIONAL: u8 = 4;
}

/// One parameter of a body.
#[derive(Clone, Copy, PartialEq, Eq, Debug, FromBytes, IntoBytes, Immutable, KnownLayout, Unaligned)]
#[repr(C)]
pub struct FlowParameter {
    /// The name, as a row of the names.
    pub name: U32,
    /// The slot of the parameter.
    pub slot: U32,
    /// The slot of the default value, or [`crate::NONE`].
    pub default: U32,
    /// The declared type, as a row of the names, or [`crate::NONE`].
    pub declared: U32,
    /// [`ParameterKind`].
    pub kind: u8,
}

/// A cell of an enclosing body, and the slot for it in this body.
#[derive(Clone, Copy, PartialEq, Eq, Debug, FromBytes, IntoBytes, Immutable, KnownLayout, Unaligned)]
#[repr(C)]
pub struct FlowCapture {
    /// The slot in this body.
    pub slot: U32,
    /// The number of bodies outward.
    pub levels: U32,
    /// The slot in that body.
    pub outer: U32,
    /// Whether this body writes the cell; otherwise it reads it.
    pub written: u8,
}

/// The operation of an instruction. `a`, `b` and `c` are the operands of [`FlowStep`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct FlowCode;

impl FlowCode {
    /// `to ← the function of body a`.
    pub const FUNCTION: u8 = 0;
    /// `to ← the class of row a`.
    pub const CLASS: u8 = 1;
    /// `to ← module name a`, or its member `b` unless `b` is none.
    pub const IMPORT: u8 = 2;
    /// Binds every name of module `a`.
    pub const IMPORT_ALL: u8 = 3;
    /// `to ← a new value of the built-in class named a`. With [`FlowFlags::OWN`] the solver distinguishes values with
    /// elements named `b` up to a bound.
    pub const ALLOCATE: u8 = 4;
    /// `to ← the value of name a`, a name without a definition in any source.
    pub const GLOBAL: u8 = 5;
    /// `to ← the function of this body`.
    pub const ITSELF: u8 = 6;
    /// `to ← the string or number spelt by name a`.
    pub const LITERAL: u8 = 7;
    /// `to ← the values sent to the generator` of this body.
    pub const SENT: u8 = 8;
    /// `to ← the value of name a` in the first of the spaces of `c` arguments from `b` that has the name.
    pub const FIND: u8 = 9;
    /// Name `a` in the first of the spaces of `c` arguments from `b` that has the name `← slot to`.
    pub const KEEP: u8 = 10;
    /// The first code with a slot as operand `a`.
    pub const FIRST_STEP: u8 = 16;
    /// `to ← a`; with [`FlowFlags::DATA`] without strings and numbers that others are computed from.
    pub const COPY: u8 = 16;
    /// `to ← a.name b`.
    pub const LOAD: u8 = 17;
    /// `to ← a[key b]`; without a key, the key in slot `receiver`, or any.
    pub const LOAD_KEY: u8 = 18;
    /// `a.name b ← c`.
    pub const STORE: u8 = 19;
    /// `a[key b] ← c`; without a key, the key in slot `receiver`, or any.
    pub const STORE_KEY: u8 = 20;
    /// `to ← a(arguments b…)`.
    pub const CALL: u8 = 21;
    /// `to ← an instance of the type a`: a fallback, used if no value reaches `to`.
    pub const HINT: u8 = 22;
    /// `to ← an element of a`.
    pub const ITERATE: u8 = 23;
    /// `to ← the value that awaiting a gives`.
    pub const AWAIT: u8 = 24;
    /// `a` is a base of the class of row `b`.
    pub const BASE: u8 = 25;
    /// As [`FlowCode::STORE`], into the members that the instances of a class share.
    pub const STORE_MEMBER: u8 = 26;
    /// `to ← the classes after the class of row b` in the method resolution order of receiver `a`.
    pub const SUPER: u8 = 27;
    /// Copies the members of `a` to `c` under the same names, except the names of `receiver` arguments from `b`.
    pub const MERGE: u8 = 28;
    /// The elements of `a` are values of `b`: a fallback, used if no element is known.
    pub const HINT_ELEMENTS: u8 = 32;
    /// The member of name `b` of `a` holds values of `c`: a fallback, used if no value reaches the member.
    pub const HINT_MEMBER: u8 = 33;
    /// `to ← the values of a that are instances of the class in slot b`.
    pub const NARROW: u8 = 30;
    /// `to ← the values of a whose member of name b is the literal c`, or that have the member if `c` is none.
    pub const NARROW_MEMBER: u8 = 31;
    /// `to ← the class of a`.
    pub const CLASS_OF: u8 = 34;
    /// `to ← a`, or an instance of it if the class name means an instance as a value.
    pub const VALUE: u8 = 35;
    /// Binds every member of `a` as a name.
    pub const NAMES_OF: u8 = 36;
    /// The values of `a` inherit the members of the class of row `b` that they do not have.
    pub const IMPLEMENT: u8 = 37;
    /// `to ← a.name b`, as defined for a class that derives from the value of slot `c`.
    pub const LOAD_AS: u8 = 38;
    /// `to ← a.name b` if `a` has such a member, otherwise the value of slot `c`.
    pub const LOAD_OR: u8 = 46;
    /// The class in `a` also has the members that the class body `b` defines.
    pub const EXTEND: u8 = 47;
    /// `to ← an instance of the class a`, without a constructor call.
    pub const INSTANCE: u8 = 48;
    /// `to ← a.name receiver(arguments b…)`. With [`FlowFlags::IMPLICIT`] the call happens only if `a` has such a
    /// method.
    pub const METHOD: u8 = 29;
    /// `to ← a.name b`, as a function; for a class, the member of its instances, as a function of the instance.
    pub const REFERENCE: u8 = 43;
    /// Instances of the class `a` hold values of `c` under the name `b`: a fallback, used if no value reaches the
    /// member.
    pub const DECLARE_MEMBER: u8 = 44;
    /// `to ← the constructor function of the class a`.
    pub const MAKER: u8 = 45;
    /// `to ← a new value of the class a`; with [`FlowFlags::OWN`] the solver distinguishes its members from those of
    /// other values.
    pub const MAKE: u8 = 40;
    /// The declared type of member `b` of the class `a` is in `c`: a fallback, used if no value reaches the member.
    pub const DECLARE: u8 = 41;
    /// `to ← the keys of a`, and the next slot `← its elements`. For an iterator function, calls it with a function
    /// that takes both.
    pub const RANGE: u8 = 42;
    /// `to ← a new value of the built-in class named b`, with elements of the type `a`; with [`FlowFlags::VALUE`]
    /// other instructions store the elements.
    pub const COLLECT: u8 = 39;
}

/// One-bit properties of an instruction. Flags for different codes share bits.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct FlowFlags;

impl FlowFlags {
    /// The call constructs an instance.
    pub const NEW: u8 = 1;
    /// The source does not write the call: it comes from an operator or a protocol. It can be unresolved without a
    /// report.
    pub const IMPLICIT: u8 = 2;
    /// The call applies a decorator.
    pub const DECORATOR: u8 = 4;
    /// The hint is a value, not a type.
    pub const VALUE: u8 = 8;
    /// The call is part of the construction of an anonymous class: the callee is its base class.
    pub const ANONYMOUS: u8 = 8;
    /// The hint is an object of its own, distinguished by allocation site.
    pub const OWN: u8 = 16;
    /// The collection holds only strings and numbers.
    pub const DATA: u8 = 64;
    /// The instruction concerns only elements without a known key.
    pub const UNKEYED: u8 = 16;
    /// A class as callee constructs an instance; any other callee is called.
    pub const COMPONENT: u8 = 32;
    /// The test is negated: the values that do not match remain.
    pub const OTHERS: u8 = 64;
    /// The instruction awaits each element.
    pub const WAITED: u8 = 128;
    /// The base is an embedded field: members are those of the value in the field with the name of the base.
    pub const EMBEDDED: u8 = 16;
    /// The member is the one declared at position `b`.
    pub const POSITION: u8 = 16;
    /// Values of an external type have the name of the type.
    pub const NAMED: u8 = 4;
    /// The type has type arguments; other instructions apply them.
    pub const GENERIC: u8 = 32;
    /// The hint applies only if no other value reaches the slot in the whole fixpoint.
    pub const LAST: u8 = 128;
    /// The call happens only if a value reaches its first argument.
    pub const GIVEN: u8 = 64;
    /// Only classes narrow: if the type is anything else, all values pass.
    pub const CERTAIN: u8 = 32;
    /// A value without elements is its own element.
    pub const INSIDE: u8 = 32;
    /// The instance is distinguished from other instances of its class.
    pub const APART: u8 = 128;
    /// The name is the name of a type.
    pub const TYPE: u8 = 1;
    /// A name in no space is external.
    pub const OUTSIDE: u8 = 4;
}

/// One instruction.
#[derive(Clone, Copy, PartialEq, Eq, Debug, FromBytes, IntoBytes, Immutable, KnownLayout, Unaligned)]
#[repr(C)]
pub struct FlowStep {
    /// The slot of the result, or [`crate::NONE`].
    pub to: U32,
    /// An operand: a slot, a row or a name, by [`FlowCode`].
    pub a: U32,
    /// An operand: a slot, a row or a name, by [`FlowCode`].
    pub b: U32,
    /// As `b`; for a call the number of arguments.
    pub c: U32,
    /// The slot of the receiver of a call, or [`crate::NONE`]. Some codes use it as a further operand.
    pub receiver: U32,
    /// The 1-based line.
    pub line: U32,
    /// [`FlowCode`].
    pub code: u8,
    /// [`FlowFlags`].
    pub flags: u8,
}

/// How an argument is passed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ArgumentKind;

impl ArgumentKind {
    /// At its position.
    pub const PLAIN: u8 = 0;
    /// By name.
    pub const NAMED: u8 = 1;
    /// Spread: its elements are positional arguments from here on.
    pub const SPREAD: u8 = 2;
    /// Spread: its entries are named arguments.
    pub const NAMED_SPREAD: u8 = 3;
    /// Not an argument: the slot receives what the call throws.
    pub const CAUGHT: u8 = 4;
    /// Not an argument: the slot receives the next result, or the first if the slot is none. An external callee gives
    /// a value of the built-in class of the name.
    pub const RESULT: u8 = 5;
    /// Not an argument: the name of a space.
    pub const SPACE: u8 = 5;
    /// Not an argument: the space is the file's private one.
    pub const OWN: u8 = 6;
    /// Not an argument: the name of a module, which the solver resolves.
    pub const MODULE: u8 = 7;
}

/// One argument of a call.
#[derive(Clone, Copy, PartialEq, Eq, Debug, FromBytes, IntoBytes, Immutable, KnownLayout, Unaligned)]
#[repr(C)]
pub struct FlowArgument {
    /// The slot of the value.
    pub slot: U32,
    /// The name of a named argument, or [`crate::NONE`].
    pub name: U32,
    /// The static type in the source, as a row of the names, or [`crate::NONE`]. `->2` is a function of two
    /// parameters.
    pub declared: U32,
    /// [`ArgumentKind`].
    pub kind: u8,
}

/// The structure of the values of a class.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ClassKind;

impl ClassKind {
    /// Instances with members.
    pub const PLAIN: u8 = 0;
    /// Any value with its methods: an interface with structural typing.
    pub const INTERFACE: u8 = 1;
    /// Functions with methods.
    pub const FUNCTION: u8 = 2;
    /// Lists with methods.
    pub const LIST: u8 = 3;
    /// Maps with methods.
    pub const MAP: u8 = 4;
    /// Streams of elements with methods.
    pub const STREAM: u8 = 5;
    /// The same as the values of the base.
    pub const SAME: u8 = 6;
}

/// A class that a body defines.
#[derive(Clone, Copy, PartialEq, Eq, Debug, FromBytes, IntoBytes, Immutable, KnownLayout, Unaligned)]
#[repr(C)]
pub struct FlowClass {
    /// The definition.
    pub definition: U32,
    /// The body, or [`crate::NONE`].
    pub body: U32,
    /// The number of bases in the source.
    pub bases: U32,
    /// Whether the members of its instances depend on the allocation site: a generic class.
    pub generic: u8,
    /// [`ClassKind`].
    pub kind: u8,
    /// [`ClassFlags`].
    pub flags: U32,
    /// The shared name of the parts of a partial class, or [`crate::NONE`].
    pub key: U32,
}

/// A name that a module exports.
#[derive(Clone, Copy, PartialEq, Eq, Debug, FromBytes, IntoBytes, Immutable, KnownLayout, Unaligned)]
#[repr(C)]
pub struct FlowExport {
    /// The name.
    pub name: U32,
    /// The slot in the module's body.
    pub slot: U32,
    /// The name of the space of the export, or [`crate::NONE`] for the module itself.
    pub space: U32,
    /// The exported definition, or [`crate::NONE`].
    pub definition: U32,
    /// [`ExportFlags`].
    pub flags: u8,
}

/// One-bit properties of an export.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ExportFlags;

impl ExportFlags {
    /// A declaration only: a definition takes precedence.
    pub const DECLARED: u8 = 1;
    /// Visible only in the file itself.
    pub const OWN: u8 = 2;
    /// The export is a type.
    pub const TYPE: u8 = 4;
}

/// A variable that a function defines or uses.
#[derive(Clone, Copy, PartialEq, Eq, Debug, FromBytes, IntoBytes, Immutable, KnownLayout, Unaligned)]
#[repr(C)]
pub struct FlowVariable {
    /// The function.
    pub definition: U32,
    /// The variable, as a row of the names.
    pub name: U32,
    /// The number of its [`crate::VariableUse`].
    pub usage: u8,
}

/// The value flow of one file.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct FlowFacts {
    /// The names in instructions.
    pub names: Vec<Text>,
    /// The bodies; the first is the module's.
    pub bodies: Vec<FlowBody>,
    /// The instructions of all bodies.
    pub steps: Vec<FlowStep>,
    /// The parameters of all bodies.
    pub parameters: Vec<FlowParameter>,
    /// The arguments of all calls.
    pub arguments: Vec<FlowArgument>,
    /// The shared cells of bodies.
    pub captures: Vec<FlowCapture>,
    /// The classes.
    pub classes: Vec<FlowClass>,
    /// The exports of the module.
    pub exports: Vec<FlowExport>,
    /// The variables of functions, by function, use and name.
    pub variables: Vec<FlowVariable>,
}

/// [`FlowFacts`] in borrowed memory, such as a mapped file.
#[derive(Clone, Copy, Debug, Default)]
pub struct FlowView<'a> {
    /// The names in instructions.
    pub names: &'a [Text],
    /// The bodies; the first is the module's.
    pub bodies: &'a [FlowBody],
    /// The instructions of all bodies.
    pub steps: &'a [FlowStep],
    /// The parameters of all bodies.
    pub parameters: &'a [FlowParameter],
    /// The arguments of all calls.
    pub arguments: &'a [FlowArgument],
    /// The shared cells of bodies.
    pub captures: &'a [FlowCapture],
    /// The classes.
    pub classes: &'a [FlowClass],
    /// The exports of the module.
    pub exports: &'a [FlowExport],
    /// The variables of functions, by function, use and name.
    pub variables: &'a [FlowVariable],
}

impl FlowFacts {
    /// The facts, to be read.
    pub fn view(&self) -> FlowView<'_> {
        FlowView {
            names: &self.names,
            bodies: &self.bodies,
            steps: &self.steps,
            parameters: &self.parameters,
            arguments: &self.arguments,
            captures: &self.captures,
            classes: &self.classes,
            exports: &self.exports,
            variables: &self.variables,
        }
    }
}

impl FlowView<'_> {
    /// The facts, as one's own.
    pub fn to_facts(&self) -> FlowFacts {
        FlowFacts {
            names: self.names.to_vec(),
            bodies: self.bodies.to_vec(),
            steps: self.steps.to_vec(),
            parameters: self.parameters.to_vec(),
            arguments: self.arguments.to_vec(),
            captures: self.captures.to_vec(),
            classes: self.classes.to_vec(),
            exports: self.exports.to_vec(),
            variables: self.variables.to_vec(),
        }
    }
}
