//! Go's value flow: packages whose files share their names, types with their methods, calls with several results, declared types.

mod calls;
mod expressions;
mod functions;
mod literals;
mod scopes;
mod statements;
mod types;

use lore_model::BodyFlags;

use crate::flow::{FlowBuilder, Slot};
use crate::solve::FlowRules;
use crate::syntax::Node;

use super::resolve::{implied, resolve};

type Builder<'t, 'f> = FlowBuilder<'t, 'f>;

/// The built-in classes of collections and of structs without a name.
const SLICE: &str = "__slice";
const MAP: &str = "__map";
const CHANNEL: &str = "__chan";
const STRUCT: &str = "__struct";
/// The built-in interface of errors.
const ERROR: &str = "error";

/// How the values of Go flow.
pub(super) static RULES: FlowRules = FlowRules {
    lower,
    resolve,
    generator: SLICE,
    promise: CHANNEL,
    rest: (SLICE, MAP),
    map: MAP,
    builtins: &[
        "append", "cap", "clear", "close", "complex", "copy", "delete", "imag", "len", "make", "max", "min", "new",
        "panic", "print", "println", "real", "recover",
    ],
    shares_scope: true,
    structural: true,
    converts: true,
    open_prelude: true,
    implied,
    prelude: &[
        ("", include_str!("../prelude/builtin.go")),
        ("bufio", include_str!("../prelude/bufio.go")),
        ("container/heap", include_str!("../prelude/heap.go")),
        ("container/list", include_str!("../prelude/list.go")),
        ("context", include_str!("../prelude/context.go")),
        ("errors", include_str!("../prelude/errors.go")),
        ("flag", include_str!("../prelude/flag.go")),
        ("fmt", include_str!("../prelude/fmt.go")),
        ("golang.org/x/sync/errgroup", include_str!("../prelude/errgroup.go")),
        ("io/fs", include_str!("../prelude/fs.go")),
        ("iter", include_str!("../prelude/iter.go")),
        ("maps", include_str!("../prelude/maps.go")),
        ("net/http", include_str!("../prelude/http.go")),
        ("path/filepath", include_str!("../prelude/filepath.go")),
        ("regexp", include_str!("../prelude/regexp.go")),
        ("slices", include_str!("../prelude/slices.go")),
        ("sort", include_str!("../prelude/sort.go")),
        ("strings", include_str!("../prelude/strings.go")),
        ("bytes", include_str!("../prelude/strings.go")),
        ("sync", include_str!("../prelude/sync.go")),
        ("sync/atomic", include_str!("../prelude/atomic.go")),
        ("testing", include_str!("../prelude/testing.go")),
        ("time", include_str!("../prelude/time.go")),
    ],
    ..FlowRules::BASE
};

/// Whether there is nothing to say about the values of a type of that name.
pub(super) fn is_basic_type(name: &str) -> bool {
    types::is_basic(name) || name == ERROR
}

fn line(node: Node<'_>) -> u32 {
    node.start_position().row as u32 + 1
}

fn children<'t>(node: Node<'t>) -> Vec<Node<'t>> {
    node.named_children()
        .filter(|child| child.kind() != "comment")
        .collect()
}

/// Declares a name of a body; those of the package are declared before.
fn declare_here<'t>(builder: &mut Builder<'t, '_>, name: &'t str) {
    if name != "_" && builder.flags() & BodyFlags::MODULE == 0 {
        builder.declare(name);
    }
}

/// What a name of the package, of the language or of a body around means.
fn named<'t>(builder: &mut Builder<'t, '_>, name: &'t str) -> Slot {
    if !builder.is_variable(name) {
        // Another file of the package may define it. It is looked up once for the file.
        builder.in_module(|builder| {
            builder.declare(name);
            let value = builder.global(name);
            builder.write(name, value);
        });
    }
    builder.read(name)
}

/// Lowers a file.
fn lower<'t>(builder: &mut Builder<'t, '_>, root: Node<'t>) {
    builder.read_anywhere();
    scopes::declare_package(builder, root);
    // Names that are only looked up for this file stand in a block of their own, which nobody else sees.
    builder.begin_block();
    let declarations = children(root);
    for kinds in [
        &["import_declaration"][..],
        &["type_declaration"],
        &["function_declaration", "method_declaration"],
        &["const_declaration", "var_declaration"],
    ] {
        for declaration in declarations.iter().filter(|node| kinds.contains(&node.kind())) {
            statements::statement(builder, *declaration);
        }
    }
    // What the parser did not understand as a declaration may be one still.
    for other in declarations.iter().filter(|node| node.is_error()) {
        statements::statements(builder, *other);
    }
}
