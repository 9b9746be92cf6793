//! JavaScript's and TypeScript's value flow: scopes and hoisting, calls and their receivers, classes and prototypes, modules of both kinds,
//! declared types.

mod classes;
mod decorators;
mod expressions;
mod jsx;
mod modules;
mod namespaces;
mod narrowing;
mod patterns;
mod scopes;
mod statements;
mod types;

use crate::flow::FlowBuilder;
use crate::solve::FlowRules;
use crate::syntax::Node;

use super::resolve::resolve;
use scopes::{hoist, hoist_functions};
use statements::statements;

type Builder<'t, 'f> = FlowBuilder<'t, 'f>;

/// How the values of JavaScript and TypeScript flow.
pub(in crate::lang) static RULES: FlowRules = FlowRules {
    family: "javascript",
    lower,
    resolve,
    constructors: &["<fields>", "constructor"],
    descriptor: Some(("__get__", "__set__")),
    iterate: ("Symbol.iterator", "next"),
    generator: "Generator",
    promise: "Promise",
    rest: ("Array", "Object"),
    map: "Map",
    closed: &["Array", "Map", "Set"],
    function: Some("Function"),
    prototype: Some("prototype"),
    default_export: Some("default"),
    record: Some("Object"),
    link: Some("__proto__"),
    iterate_waiting: ("Symbol.asyncIterator", "next"),
    element_of_next: Some("value"),
    failure: Some("_failure"),
    alias: Some(types::ALIAS),
    text: Some("String"),
    is_own_member: |name| name.starts_with('#'),
    builtins: BUILTINS,
    prelude: &[
        ("", include_str!("../prelude/globals.js")),
        ("process", include_str!("../prelude/process.js")),
        ("fs", include_str!("../prelude/fs.js")),
        ("http", include_str!("../prelude/http.js")),
        ("https", include_str!("../prelude/http.js")),
        ("react", include_str!("../prelude/react.js")),
        ("timers", include_str!("../prelude/timers.js")),
        ("async_hooks", include_str!("../prelude/async_hooks.js")),
        ("util", include_str!("../prelude/util.js")),
        ("events", include_str!("../prelude/events.js")),
    ],
    ..FlowRules::BASE
};

/// Names that the language and its hosts define and the prelude does not.
const BUILTINS: &[&str] = &[
    "AbortController",
    "Atomics",
    "BigInt",
    "Blob",
    "Boolean",
    "Buffer",
    "DataView",
    "Date",
    "Error",
    "EvalError",
    "FormData",
    "Headers",
    "Infinity",
    "Intl",
    "JSON",
    "Math",
    "NaN",
    "Number",
    "Proxy",
    "RangeError",
    "ReferenceError",
    "Reflect",
    "RegExp",
    "Request",
    "Response",
    "String",
    "Symbol",
    "SyntaxError",
    "TypeError",
    "URIError",
    "URL",
    "URLSearchParams",
    "WebSocket",
    "Worker",
    "XMLHttpRequest",
    "__dirname",
    "__filename",
    "alert",
    "atob",
    "btoa",
    "clearImmediate",
    "clearInterval",
    "clearTimeout",
    "console",
    "crypto",
    "decodeURI",
    "decodeURIComponent",
    "document",
    "encodeURI",
    "encodeURIComponent",
    "escape",
    "eval",
    "fetch",
    "global",
    "globalThis",
    "history",
    "isFinite",
    "isNaN",
    "localStorage",
    "location",
    "navigator",
    "parseFloat",
    "parseInt",
    "performance",
    "process",
    "require",
    "screen",
    "self",
    "sessionStorage",
    "structuredClone",
    "undefined",
    "unescape",
    "window",
];

const MODULE_EXPORTS: &str = "module.exports";

fn line(node: Node<'_>) -> u32 {
    node.start_position().row as u32 + 1
}

fn children<'t>(node: Node<'t>) -> Vec<Node<'t>> {
    node.named_children()
        .filter(|child| !matches!(child.kind(), "comment" | "html_comment"))
        .collect()
}

/// Lowers a program.
fn lower<'t>(builder: &mut Builder<'t, '_>, root: Node<'t>) {
    builder.declare("exports");
    builder.declare(MODULE_EXPORTS);
    let exports = builder.allocate("Object", 1);
    builder.write("exports", exports);
    builder.write(MODULE_EXPORTS, exports);
    hoist(builder, root, true);
    hoist_functions(builder, root);
    statements(builder, root);
    if speaks_commonjs(builder.source) {
        let whole = builder.variable_cell(MODULE_EXPORTS);
        builder.export("=", whole);
    }
}

/// Whether a file exports the old way.
fn speaks_commonjs(source: &str) -> bool {
    source.contains("exports")
        && !source
            .lines()
            .any(|line| line.starts_with("export ") || line.starts_with("import ") || line.starts_with("export{"))
}
