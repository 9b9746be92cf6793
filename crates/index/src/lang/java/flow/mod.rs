//! Java's value flow: packages and imports, classes of all kinds, calls and their overloads, functions as values of interfaces, declared types.
//!
//! Methods and fields are names of different kinds: a method is kept under its name with `()` behind it, a constructor as `<init>`, what a class does
//! to its instances before that as `<fields>`.

mod calls;
mod classes;
mod conversions;
mod creations;
mod expressions;
mod members;
mod names;
mod patterns;
mod scopes;
mod statements;
mod static_types;
mod switches;
mod types;

use foldhash::HashSet;

use crate::flow::{FlowBuilder, Slot};
use crate::solve::{FlowRules, Program, Target};
use crate::syntax::Node;

use conversions::converts;
use scopes::{ClassScope, Entry};

/// How Java's values flow.
pub(super) static RULES: FlowRules = FlowRules {
    lower,
    resolve,
    constructors: &[CONSTRUCTOR],
    iterate: ("iterator()", "next()"),
    iterate_waiting: ("iterator()", "next()"),
    has_next: Some("hasNext()"),
    rest: (ARRAY, ARRAY),
    map: "Map",
    function: Some("Lambda"),
    text: Some("String"),
    overloads: Some(converts),
    likely: &["String", "Object"],
    packages: true,
    adapts: true,
    by_class: true,
    builtin_module: "java.lang",
    builtins: BUILTINS,
    prelude: &[
        ("", include_str!("../prelude/lang.java")),
        ("java.util", include_str!("../prelude/util.java")),
        ("java.util.function", include_str!("../prelude/function.java")),
        ("java.util.stream", include_str!("../prelude/stream.java")),
        ("java.util.concurrent", include_str!("../prelude/concurrent.java")),
        ("java.util.concurrent.atomic", include_str!("../prelude/atomic.java")),
    ],
    fields_hide: true,
    ..FlowRules::BASE
};

/// Under what a constructor is kept.
const CONSTRUCTOR: &str = "<init>";
/// Under what the initial values of fields are kept.
const FIELDS: &str = "<fields>";
/// The prelude's class of arrays.
const ARRAY: &str = "Array";

/// Names of `java.lang` that the prelude does not define.
const BUILTINS: &[&str] = &[
    "AbstractMethodError",
    "Appendable",
    "ArithmeticException",
    "ArrayIndexOutOfBoundsException",
    "ArrayStoreException",
    "AssertionError",
    "Boolean",
    "Byte",
    "CharSequence",
    "Character",
    "Class",
    "ClassCastException",
    "ClassLoader",
    "ClassNotFoundException",
    "CloneNotSupportedException",
    "Cloneable",
    "Deprecated",
    "Double",
    "Enum",
    "EnumConstantNotPresentException",
    "Error",
    "Exception",
    "ExceptionInInitializerError",
    "Float",
    "FunctionalInterface",
    "IllegalAccessError",
    "IllegalAccessException",
    "IllegalArgumentException",
    "IllegalMonitorStateException",
    "IllegalStateException",
    "IllegalThreadStateException",
    "IncompatibleClassChangeError",
    "IndexOutOfBoundsException",
    "InheritableThreadLocal",
    "InstantiationException",
    "Integer",
    "InternalError",
    "InterruptedException",
    "LinkageError",
    "Long",
    "Math",
    "Module",
    "NegativeArraySizeException",
    "NoClassDefFoundError",
    "NoSuchFieldError",
    "NoSuchFieldException",
    "NoSuchMethodError",
    "NoSuchMethodException",
    "NullPointerException",
    "Number",
    "NumberFormatException",
    "Object",
    "OutOfMemoryError",
    "Override",
    "Package",
    "Process",
    "ProcessBuilder",
    "ProcessHandle",
    "Readable",
    "Record",
    "ReflectiveOperationException",
    "Runtime",
    "RuntimeException",
    "SafeVarargs",
    "SecurityException",
    "SecurityManager",
    "Short",
    "StackOverflowError",
    "StackTraceElement",
    "StackWalker",
    "StrictMath",
    "StringBuffer",
    "StringBuilder",
    "StringIndexOutOfBoundsException",
    "SuppressWarnings",
    "System",
    "ThreadDeath",
    "ThreadGroup",
    "Throwable",
    "TypeNotPresentException",
    "UnsatisfiedLinkError",
    "UnsupportedClassVersionError",
    "UnsupportedOperationException",
    "VerifyError",
    "VirtualMachineError",
    "Void",
];

/// A file as it is lowered.
struct Lowering<'t, 'b, 'f> {
    builder: &'b mut FlowBuilder<'t, 'f>,
    /// What names mean here, the innermost last.
    entries: Vec<Entry<'t>>,
    /// The classes around, the innermost last.
    classes: Vec<ClassScope<'t>>,
    /// Type parameters in scope, the innermost last.
    type_variables: Vec<types::TypeVariable<'t>>,
    /// Names that the file does not define, each asked for once.
    globals: Vec<&'t str>,
    asked: HashSet<&'t str>,
    /// Names that are imported from `java`.
    from_java: HashSet<&'t str>,
    /// Whether a package of collections is imported whole.
    java_is_whole: bool,
    /// Names of the file's own types, at any position.
    own_types: HashSet<&'t str>,
    /// Members that are imported by name: the name, the path of the class and the line.
    static_imports: Vec<(&'t str, &'t str, u32)>,
    /// Classes whose members are imported whole.
    static_wildcards: Vec<(&'t str, u32)>,
    /// Where the `yield` of the switches around goes.
    yields: Vec<Slot>,
    /// What the open functions are declared to give.
    results: Vec<Option<Node<'t>>>,
    is_prelude: bool,
}

fn line(node: Node<'_>) -> u32 {
    node.start_position().row as u32 + 1
}

fn is_comment(node: Node<'_>) -> bool {
    matches!(node.kind(), "line_comment" | "block_comment")
}

/// The parts of a node that are not comments.
fn children<'t>(node: Node<'t>) -> Vec<Node<'t>> {
    node.named_children().filter(|child| !is_comment(*child)).collect()
}

/// The first part of a node that is not a comment.
fn first_child(node: Node<'_>) -> Option<Node<'_>> {
    node.named_children().find(|child| !is_comment(*child))
}

/// Lowers a file.
fn lower<'t>(builder: &mut FlowBuilder<'t, '_>, root: Node<'t>) {
    builder.class_names_are_seen = true;
    let is_prelude = builder.source_starts_with("// prelude");
    let mut lowering = Lowering {
        builder,
        entries: Vec::new(),
        classes: Vec::new(),
        type_variables: Vec::new(),
        globals: Vec::new(),
        asked: HashSet::default(),
        from_java: HashSet::default(),
        java_is_whole: false,
        own_types: HashSet::default(),
        static_imports: Vec::new(),
        static_wildcards: Vec::new(),
        yields: Vec::new(),
        results: Vec::new(),
        is_prelude,
    };
    lowering.file(root);
}

/// The package that a text names: of this tree, of the prelude, or outside.
fn resolve(program: &Program<'_>, _: usize, text: &str) -> Target {
    if let Some(module) = program.module("java", text) {
        return Target::Module(module);
    }
    match program.module("java", &format!("<prelude>{text}")) {
        Some(module) if !text.is_empty() => Target::Module(module),
        _ => Target::External(text.to_owned()),
    }
}
