//! Python's value flow: scopes, calls and their protocols, classes, imports, annotations.

mod assignments;
mod calls;
mod collections;
mod definitions;
mod expressions;
mod patterns;
mod scopes;
mod statements;
mod types;

use crate::flow::FlowBuilder;
use crate::solve::{FlowRules, Program, Target};
use crate::syntax::Node;
use scopes::declare_names;
use statements::statements;

type Builder<'t, 'f> = FlowBuilder<'t, 'f>;

/// How Python's values flow.
pub(crate) static RULES: FlowRules = FlowRules {
    lower,
    resolve,
    constructors: &["__new__", "__init__"],
    call: "__call__",
    allocate: Some("__new__"),
    descriptor: Some(("__get__", "__set__")),
    completes: Some("__post_init__"),
    missing: Some("__getattr__"),
    iterate: ("__iter__", "__next__"),
    element: ("__getitem__", "__setitem__"),
    generator: "generator",
    promise: "coroutine",
    rest: ("tuple", "dict"),
    map: "dict",
    typing: &["typing.", "typing_extensions.", "_typeshed."],
    closed: &["list", "tuple", "set", "dict", "str", "generator", "coroutine"],
    iterate_waiting: ("__aiter__", "__anext__"),
    is_own_member: |name| name.starts_with("__") && !name.ends_with("__"),
    builtins: BUILTINS,
    prelude: &[
        ("", include_str!("../prelude/builtins.py")),
        ("functools", include_str!("../prelude/functools.py")),
        ("threading", include_str!("../prelude/threading.py")),
        ("asyncio", include_str!("../prelude/asyncio.py")),
        ("contextlib", include_str!("../prelude/contextlib.py")),
        ("collections", include_str!("../prelude/collections.py")),
        ("concurrent.futures", include_str!("../prelude/futures.py")),
        ("itertools", include_str!("../prelude/itertools.py")),
        ("atexit", include_str!("../prelude/atexit.py")),
        ("copy", include_str!("../prelude/copy.py")),
        ("json", include_str!("../prelude/json.py")),
        ("typing", include_str!("../prelude/typing.py")),
        ("typing_extensions", include_str!("../prelude/typing.py")),
        ("re", include_str!("../prelude/re.py")),
        ("queue", include_str!("../prelude/queue.py")),
        ("dataclasses", include_str!("../prelude/dataclasses.py")),
        ("signal", include_str!("../prelude/signal.py")),
    ],
    ..FlowRules::BASE
};

/// Names that Python defines and the prelude does not.
const BUILTINS: &[&str] = &[
    "ArithmeticError",
    "AssertionError",
    "AttributeError",
    "BaseException",
    "BaseExceptionGroup",
    "BlockingIOError",
    "BrokenPipeError",
    "BufferError",
    "BytesWarning",
    "ChildProcessError",
    "ConnectionAbortedError",
    "ConnectionError",
    "ConnectionRefusedError",
    "ConnectionResetError",
    "DeprecationWarning",
    "EOFError",
    "EncodingWarning",
    "EnvironmentError",
    "Exception",
    "ExceptionGroup",
    "FileExistsError",
    "FileNotFoundError",
    "FloatingPointError",
    "FutureWarning",
    "GeneratorExit",
    "IOError",
    "ImportError",
    "ImportWarning",
    "IndentationError",
    "IndexError",
    "InterruptedError",
    "IsADirectoryError",
    "KeyError",
    "KeyboardInterrupt",
    "LookupError",
    "MemoryError",
    "ModuleNotFoundError",
    "NameError",
    "NotADirectoryError",
    "NotImplementedError",
    "OSError",
    "OverflowError",
    "PendingDeprecationWarning",
    "PermissionError",
    "ProcessLookupError",
    "RecursionError",
    "ReferenceError",
    "ResourceWarning",
    "RuntimeError",
    "RuntimeWarning",
    "StopAsyncIteration",
    "StopIteration",
    "SyntaxError",
    "SyntaxWarning",
    "SystemError",
    "SystemExit",
    "TabError",
    "TimeoutError",
    "TypeError",
    "UnboundLocalError",
    "UnicodeDecodeError",
    "UnicodeEncodeError",
    "UnicodeError",
    "UnicodeTranslateError",
    "UnicodeWarning",
    "UserWarning",
    "ValueError",
    "Warning",
    "ZeroDivisionError",
    "__import__",
    "abs",
    "aiter",
    "all",
    "anext",
    "any",
    "ascii",
    "bin",
    "bool",
    "breakpoint",
    "bytearray",
    "bytes",
    "callable",
    "chr",
    "compile",
    "complex",
    "delattr",
    "dir",
    "divmod",
    "eval",
    "exec",
    "exit",
    "float",
    "format",
    "frozenset",
    "getattr",
    "globals",
    "hasattr",
    "hash",
    "help",
    "hex",
    "id",
    "input",
    "int",
    "isinstance",
    "issubclass",
    "len",
    "locals",
    "memoryview",
    "object",
    "oct",
    "open",
    "ord",
    "pow",
    "print",
    "quit",
    "range",
    "repr",
    "round",
    "setattr",
    "slice",
    "str",
    "super",
    "type",
    "vars",
];

/// A module by its name: relative to the package of the importing module, of this tree, of the prelude, or external.
fn resolve(program: &Program<'_>, unit: usize, text: &str) -> Target {
    let asking = &program.units[unit];
    let dots = text.len() - text.trim_start_matches('.').len();
    let name = if dots == 0 {
        text.to_owned()
    } else {
        let own = &program.modules[asking.module].name;
        let is_package = asking
            .path
            .is_some_and(|path| path.file_name().starts_with("__init__."));
        let mut package = own.as_str();
        for _ in usize::from(is_package)..dots {
            package = package.rsplit_once('.').map_or("", |(package, _)| package);
        }
        match (package, &text[dots..]) {
            (package, "") => package.to_owned(),
            ("", rest) => rest.to_owned(),
            (package, rest) => format!("{package}.{rest}"),
        }
    };
    if let Some(module) = program.module("python", &name) {
        return Target::Module(module);
    }
    if dots > 0 {
        return Target::Nothing;
    }
    if let Some(module) = program.module("python", &format!("<prelude>{name}")) {
        return Target::Module(module);
    }
    // A script sees the modules of its own directory, if that is no package.
    let directory = program.modules[asking.module]
        .name
        .rsplit_once('.')
        .map_or("", |(directory, _)| directory);
    let is_package = program
        .module("python", directory)
        .is_some_and(|package| !program.modules[package].units.is_empty());
    let beside = (!directory.is_empty() && !is_package)
        .then(|| program.module("python", &format!("{directory}.{name}")))
        .flatten();
    beside.map_or(Target::External(name), Target::Module)
}

/// Lowers the statements of a module.
fn lower<'t>(builder: &mut Builder<'t, '_>, root: Node<'t>) {
    declare_names(builder, root);
    statements(builder, root);
}

fn line(node: Node<'_>) -> u32 {
    node.start_position().row as u32 + 1
}
