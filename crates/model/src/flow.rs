//! Value flow: what a file says about which values reach which places, in a handful of instructions that every language lowers to.
//!
//! A body (a module, a function, the body of a class) has slots of its own, one for each version of a variable and each value in
//! passing. Within a body the last write wins and branches join, so slots need no order: instructions stand in the order in which
//! the solver looks them up. What a body shares with those inside it goes through cells, which are slots too.

use zerocopy::{FromBytes, Immutable, IntoBytes, KnownLayout, Unaligned};

use crate::{Text, TextRange, U32};

/// What a body is, and how its calls behave.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct BodyFlags;

impl BodyFlags {
    /// The module itself.
    pub const MODULE: u32 = 1;
    /// The body of a class, which runs where it stands.
    pub const CLASS: u32 = 2;
    /// Calling it gives something to iterate over.
    pub const GENERATOR: u32 = 4;
    /// Calling it gives something to wait for.
    pub const ASYNC: u32 = 8;
    /// A member that does not take its receiver.
    pub const STATIC: u32 = 16;
    /// A member that takes the class as receiver.
    pub const CLASS_METHOD: u32 = 32;
    /// A member that runs when it is read.
    pub const GETTER: u32 = 64;
    /// A member that runs when it is written.
    pub const SETTER: u32 = 128;
    /// Its receiver is its first parameter.
    pub const RECEIVER_FIRST: u32 = 256;
    /// What it returns, calls or keeps depends on what is passed to it: it is applied for each call on its own.
    pub const PASS_THROUGH: u32 = 512;
    /// Its receiver is that of the body around it.
    pub const ARROW: u32 = 1024;
    /// Only declares; it has no body that runs.
    pub const DECLARED: u32 = 2048;
    /// A member of a class.
    pub const MEMBER: u32 = 4096;
    /// Nobody calls it by name: what it calls belongs to its definition, but calling it is no call.
    pub const HIDDEN: u32 = 8192;
    /// What is passed to it can be what it gives back.
    pub const GIVES_BACK: u32 = 16384;
    /// It gives back what another function makes of what is passed to it, and does little else.
    pub const THIN: u32 = 32768;
    /// Another of its name stands beside it: what is passed decides which of them a call means.
    pub const OVERLOADED: u32 = 65536;
    /// Whoever it is called on may define it otherwise: where it is called without a receiver, its first argument decides.
    pub const DISPATCHED: u32 = 131_072;
    /// It changes what it is called on.
    pub const CHANGES: u32 = 262_144;
    /// Others of its name may be members of the same class: what is passed first decides.
    pub const RIVAL: u32 = 524_288;
}

/// One-bit properties of a class.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ClassFlags;

impl ClassFlags {
    /// Its name, where a value is meant, is an instance.
    pub const VALUE: u32 = 1;
}

/// One body of a file. The first is the module's.
#[derive(Clone, Copy, PartialEq, Eq, Debug, FromBytes, IntoBytes, Immutable, KnownLayout, Unaligned)]
#[repr(C)]
pub struct FlowBody {
    /// The definition it belongs to, or [`crate::NONE`] for the module.
    pub definition: U32,
    /// The body around it, or [`crate::NONE`].
    pub parent: U32,
    /// How many slots it has.
    pub slots: U32,
    /// Instructions that need no operand: they run when the body does.
    pub seeds: TextRange,
    /// The other instructions, sorted by their operand.
    pub steps: TextRange,
    /// Its parameters.
    pub parameters: TextRange,
    /// What it shares with bodies around it.
    pub captures: TextRange,
    /// The slot of its result; further results stand in the slots behind it.
    pub result: U32,
    /// How many results it has, one as a rule.
    pub results: U32,
    /// The slot of what it yields, or [`crate::NONE`].
    pub yielded: U32,
    /// The slot of its receiver where that is no parameter, or [`crate::NONE`].
    pub receiver: U32,
    /// The slot of what it throws itself, or [`crate::NONE`].
    pub thrown: U32,
    /// The name of the type that it is declared to give, as a row of the names, or [`crate::NONE`].
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
    /// All positions that are left.
    pub const REST: u8 = 2;
    /// All names that are left.
    pub const NAMED_REST: u8 = 3;
    /// By position only.
    pub const POSITIONAL: u8 = 4;
}

/// One parameter of a body.
#[derive(Clone, Copy, PartialEq, Eq, Debug, FromBytes, IntoBytes, Immutable, KnownLayout, Unaligned)]
#[repr(C)]
pub struct FlowParameter {
    /// Its name, as a row of the names.
    pub name: U32,
    /// Its slot.
    pub slot: U32,
    /// The slot of what it holds where nothing is passed, or [`crate::NONE`].
    pub default: U32,
    /// The name of the type that it is declared to have, as a row of the names, or [`crate::NONE`].
    pub declared: U32,
    /// [`ParameterKind`].
    pub kind: u8,
}

/// A cell of a body around this one, and the slot that stands for it here.
#[derive(Clone, Copy, PartialEq, Eq, Debug, FromBytes, IntoBytes, Immutable, KnownLayout, Unaligned)]
#[repr(C)]
pub struct FlowCapture {
    /// The slot here.
    pub slot: U32,
    /// How many bodies out.
    pub levels: U32,
    /// The slot there.
    pub outer: U32,
    /// Whether it is written from here, rather than read.
    pub written: u8,
}

/// What an instruction does.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct FlowCode;

impl FlowCode {
    /// `to ← the function of body a`.
    pub const FUNCTION: u8 = 0;
    /// `to ← the class of row a`.
    pub const CLASS: u8 = 1;
    /// `to ← module name a`, or its member `b` unless that is none.
    pub const IMPORT: u8 = 2;
    /// Every name of module `a` is a name here.
    pub const IMPORT_ALL: u8 = 3;
    /// `to ← a new value of the built-in class named a`; with [`FlowFlags::OWN`] those whose elements bear the name `b` are told apart up to a bound.
    pub const ALLOCATE: u8 = 4;
    /// `to ← what the name a means where no source defines it`.
    pub const GLOBAL: u8 = 5;
    /// `to ← the function of this body itself`.
    pub const ITSELF: u8 = 6;
    /// `to ← the text or number that the name a spells`.
    pub const LITERAL: u8 = 7;
    /// `to ← what is sent to the generator that this body is`.
    pub const SENT: u8 = 8;
    /// `to ← what the name a means in the first of the spaces of c arguments from b that has it`.
    pub const FIND: u8 = 9;
    /// What the name `a` means in the first of the spaces of `c` arguments from `b` that has it gets what the slot `to` holds.
    pub const KEEP: u8 = 10;
    /// The first code that has a slot as operand `a`.
    pub const FIRST_STEP: u8 = 16;
    /// `to ← a`; with [`FlowFlags::DATA`] without texts and numbers, of which others are made.
    pub const COPY: u8 = 16;
    /// `to ← a.name b`.
    pub const LOAD: u8 = 17;
    /// `to ← a[key b]`; without a key, that which the slot `receiver` holds, or any.
    pub const LOAD_KEY: u8 = 18;
    /// `a.name b ← c`.
    pub const STORE: u8 = 19;
    /// `a[key b] ← c`; without a key, that which the slot `receiver` holds, or any.
    pub const STORE_KEY: u8 = 20;
    /// `to ← a(arguments b…)`.
    pub const CALL: u8 = 21;
    /// `to ← an instance of the type a`, where nothing better is known.
    pub const HINT: u8 = 22;
    /// `to ← an element of a`.
    pub const ITERATE: u8 = 23;
    /// `to ← what a is waited for to give`.
    pub const AWAIT: u8 = 24;
    /// `a` is a base of the class of row `b`.
    pub const BASE: u8 = 25;
    /// As [`FlowCode::STORE`], into what the instances of a class have in common.
    pub const STORE_MEMBER: u8 = 26;
    /// `to ← what comes after the class of row b for the receiver a`.
    pub const SUPER: u8 = 27;
    /// What `a` holds under its names, what `c` holds has under the same, but for the names of `receiver` arguments from `b`.
    pub const MERGE: u8 = 28;
    /// The elements of `a` are what `b` holds, where none is known.
    pub const HINT_ELEMENTS: u8 = 32;
    /// The member of name `b` of `a` is what `c` holds, where nothing better is known.
    pub const HINT_MEMBER: u8 = 33;
    /// `to ← those of a that are instances of what the slot b holds`.
    pub const NARROW: u8 = 30;
    /// `to ← those of a whose member of name b is the literal c`, or that have it at all if that is none.
    pub const NARROW_MEMBER: u8 = 31;
    /// `to ← the class of a`.
    pub const CLASS_OF: u8 = 34;
    /// `to ← a`, or an instance of it where that is what the name of the class means as a value.
    pub const VALUE: u8 = 35;
    /// Every member of `a` is a name here.
    pub const NAMES_OF: u8 = 36;
    /// What `a` holds takes from the class of row `b` what it has not itself.
    pub const IMPLEMENT: u8 = 37;
    /// `to ← a.name b`, as that which derives from what the slot `c` holds has it.
    pub const LOAD_AS: u8 = 38;
    /// `to ← a.name b`, if what `a` holds has such a member, and else what the slot `c` holds.
    pub const LOAD_OR: u8 = 46;
    /// The class in `a` has what the body `b` of a class makes, too.
    pub const EXTEND: u8 = 47;
    /// `to ← an instance of the class a`, with no constructor run.
    pub const INSTANCE: u8 = 48;
    /// `to ← a.name receiver(arguments b…)`. One that the source does not write happens only if `a` has such a method.
    pub const METHOD: u8 = 29;
    /// `to ← a.name b`, as a function; of a class, what its instances have of that name, as a function of the instance.
    pub const REFERENCE: u8 = 43;
    /// What the instances of the class `a` hold under the name `b` is what `c` holds, where nothing better is known.
    pub const DECLARE_MEMBER: u8 = 44;
    /// `to ← what makes an instance of the class a`.
    pub const MAKER: u8 = 45;
    /// `to ← a new value of the class a`; with [`FlowFlags::OWN`] it has members of its own.
    pub const MAKE: u8 = 40;
    /// Instances of the class `a` have under the name `b` what `c` holds, where nothing better is known.
    pub const DECLARE: u8 = 41;
    /// `to ← the keys of a`, and the slot behind it `← its elements`; a function is called with what takes both.
    pub const RANGE: u8 = 42;
    /// `to ← a new value of the built-in class named b` whose elements are values of the type `a`; with [`FlowFlags::VALUE`] they are known otherwise.
    pub const COLLECT: u8 = 39;
}

/// One-bit properties of an instruction.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct FlowFlags;

impl FlowFlags {
    /// The call makes an instance.
    pub const NEW: u8 = 1;
    /// The source does not write the call: an operator, a protocol. It may lead nowhere.
    pub const IMPLICIT: u8 = 2;
    /// A decorator is applied.
    pub const DECORATOR: u8 = 4;
    /// The hint is a value, not a type.
    pub const VALUE: u8 = 8;
    /// The call is part of making an instance of a class without a name: who is called is its base.
    pub const ANONYMOUS: u8 = 8;
    /// The hint is an instance of its own.
    pub const OWN: u8 = 16;
    /// The collection holds texts and numbers only.
    pub const DATA: u8 = 64;
    /// Only elements without a key of their own are meant.
    pub const UNKEYED: u8 = 16;
    /// Whoever is called makes an instance if it is a class, and is simply called if it is not.
    pub const COMPONENT: u8 = 32;
    /// Those that are left over are meant.
    pub const OTHERS: u8 = 64;
    /// Each element is waited for.
    pub const WAITED: u8 = 128;
    /// The base is not asked for members itself: what the member of its name holds is.
    pub const EMBEDDED: u8 = 16;
    /// The member is meant that was declared at the position `b`.
    pub const POSITION: u8 = 16;
    /// Values of a type outside bear its name.
    pub const NAMED: u8 = 4;
    /// The type has arguments: what is made of them is said elsewhere.
    pub const GENERIC: u8 = 32;
    /// The hint holds only if nothing else comes to the slot from anywhere.
    pub const LAST: u8 = 128;
    /// The call happens only if something comes to be passed first.
    pub const GIVEN: u8 = 64;
    /// Only classes narrow: where anything else is a type, all pass.
    pub const CERTAIN: u8 = 32;
    /// What holds no elements stands for its element.
    pub const INSIDE: u8 = 32;
    /// The instance is one of its own, apart from others of its class.
    pub const APART: u8 = 128;
    /// The name is that of a type.
    pub const TYPE: u8 = 1;
    /// What no space has lies outside.
    pub const OUTSIDE: u8 = 4;
}

/// One instruction.
#[derive(Clone, Copy, PartialEq, Eq, Debug, FromBytes, IntoBytes, Immutable, KnownLayout, Unaligned)]
#[repr(C)]
pub struct FlowStep {
    /// The slot that it fills, or [`crate::NONE`].
    pub to: U32,
    /// See [`FlowCode`].
    pub a: U32,
    /// See [`FlowCode`].
    pub b: U32,
    /// See [`FlowCode`]; the number of arguments of a call.
    pub c: U32,
    /// The slot of the receiver of a call, or [`crate::NONE`].
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
    /// Under a name.
    pub const NAMED: u8 = 1;
    /// Its elements at the positions from here.
    pub const SPREAD: u8 = 2;
    /// Its entries under their names.
    pub const NAMED_SPREAD: u8 = 3;
    /// Nothing is passed: what the call throws is caught in the slot.
    pub const CAUGHT: u8 = 4;
    /// Nothing is passed: the slot takes the next result, or the first if it is none. What lies outside gives a value of the built-in class of the
    /// name there.
    pub const RESULT: u8 = 5;
    /// Nothing is passed: the name is that of a space.
    pub const SPACE: u8 = 5;
    /// Nothing is passed: the space is what the file keeps to itself.
    pub const OWN: u8 = 6;
    /// Nothing is passed: the name is that of a module, which is resolved.
    pub const MODULE: u8 = 7;
}

/// One argument of a call.
#[derive(Clone, Copy, PartialEq, Eq, Debug, FromBytes, IntoBytes, Immutable, KnownLayout, Unaligned)]
#[repr(C)]
pub struct FlowArgument {
    /// The slot it comes from.
    pub slot: U32,
    /// Its name, or [`crate::NONE`].
    pub name: U32,
    /// The name of the type that it has by the source, as a row of the names, or [`crate::NONE`]. `->2` is a function of two parameters.
    pub declared: U32,
    /// [`ArgumentKind`].
    pub kind: u8,
}

/// What the values of a class are.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ClassKind;

impl ClassKind {
    /// Instances with members.
    pub const PLAIN: u8 = 0;
    /// Whatever has its methods.
    pub const INTERFACE: u8 = 1;
    /// Functions that have its methods.
    pub const FUNCTION: u8 = 2;
    /// Lists that have its methods.
    pub const LIST: u8 = 3;
    /// Maps that have its methods.
    pub const MAP: u8 = 4;
    /// Streams of elements that have its methods.
    pub const STREAM: u8 = 5;
    /// What the values of its base are.
    pub const SAME: u8 = 6;
}

/// A class that a body makes.
#[derive(Clone, Copy, PartialEq, Eq, Debug, FromBytes, IntoBytes, Immutable, KnownLayout, Unaligned)]
#[repr(C)]
pub struct FlowClass {
    /// Its definition.
    pub definition: U32,
    /// Its body, or [`crate::NONE`].
    pub body: U32,
    /// How many bases it names.
    pub bases: U32,
    /// Whether what its instances hold depends on where they are made: a generic class.
    pub generic: u8,
    /// [`ClassKind`].
    pub kind: u8,
    /// [`ClassFlags`].
    pub flags: U32,
    /// The name that all of its parts share, or [`crate::NONE`] if it has one part only.
    pub key: U32,
}

/// A name that others see of a module.
#[derive(Clone, Copy, PartialEq, Eq, Debug, FromBytes, IntoBytes, Immutable, KnownLayout, Unaligned)]
#[repr(C)]
pub struct FlowExport {
    /// The name.
    pub name: U32,
    /// The slot of the module's body.
    pub slot: U32,
    /// The space that has it, by name, or [`crate::NONE`] for the module itself.
    pub space: U32,
    /// The definition behind it, or [`crate::NONE`].
    pub definition: U32,
    /// [`ExportFlags`].
    pub flags: u8,
}

/// One-bit properties of an export.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ExportFlags;

impl ExportFlags {
    /// It is declared only: what is defined goes before it.
    pub const DECLARED: u8 = 1;
    /// Only the file itself sees it.
    pub const OWN: u8 = 2;
    /// It is a type.
    pub const TYPE: u8 = 4;
}

/// A variable that a function gives a value or reads.
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
    /// The names that instructions speak of.
    pub names: Vec<Text>,
    /// The bodies; the first is the module's.
    pub bodies: Vec<FlowBody>,
    /// The instructions of all bodies.
    pub steps: Vec<FlowStep>,
    /// The parameters of all bodies.
    pub parameters: Vec<FlowParameter>,
    /// The arguments of all calls.
    pub arguments: Vec<FlowArgument>,
    /// What bodies share.
    pub captures: Vec<FlowCapture>,
    /// The classes.
    pub classes: Vec<FlowClass>,
    /// What others see of the module.
    pub exports: Vec<FlowExport>,
    /// The variables of functions, by function, use and name.
    pub variables: Vec<FlowVariable>,
}

/// [`FlowFacts`] that lie in memory of somebody else's.
#[derive(Clone, Copy, Debug, Default)]
pub struct FlowView<'a> {
    /// The names that instructions speak of.
    pub names: &'a [Text],
    /// The bodies; the first is the module's.
    pub bodies: &'a [FlowBody],
    /// The instructions of all bodies.
    pub steps: &'a [FlowStep],
    /// The parameters of all bodies.
    pub parameters: &'a [FlowParameter],
    /// The arguments of all calls.
    pub arguments: &'a [FlowArgument],
    /// What bodies share.
    pub captures: &'a [FlowCapture],
    /// The classes.
    pub classes: &'a [FlowClass],
    /// What others see of the module.
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
