//! `ccg@1`, Lore's own format: the code graph as files, symbols and external names, with edges. A body of `ccg@1` is also a body of `generic@1`.

use super::rule::{ANY, BOOL, COUNT, Case, LANGUAGES, OBJECT, POSITIVE, Role, Rule, TEXT, TEXTS, may, need};

pub(super) static BODY: Rule = Rule::object(&[
    may("directed", &BOOL, Role::None),
    may("multigraph", &BOOL, Role::None),
    may("metadata", &METADATA, Role::Metadata),
    need("nodes", &NODES, Role::Nodes),
    need("edges", &EDGES, Role::Edges),
    may("unresolved", &UNRESOLVED, Role::None),
]);

static NODES: Rule = Rule::list(&NODE);
static EDGES: Rule = Rule::list(&EDGE);
static UNRESOLVED: Rule = Rule::list(&UNRESOLVED_CALL);

/// The fields of files, of symbols and of what lies outside, in the order in which they are written.
static NODE: Rule = Rule::object(&[
    need("id", &TEXT, Role::Id),
    need("kind", &TEXT, Role::NodeKind(0)),
    may("path", &TEXT, Role::Name(1)),
    may("language", &TEXT, Role::Language),
    may("bytes", &COUNT, Role::None),
    may("code", &COUNT, Role::None),
    may("comment", &COUNT, Role::None),
    may("blank", &COUNT, Role::None),
    may("hash", &TEXT, Role::None),
    may("test", &BOOL, Role::None),
    may("module", &TEXT, Role::None),
    may("imports", &IMPORTS, Role::None),
    may("name", &TEXT, Role::Name(0)),
    may("qualified_name", &TEXT, Role::Label),
    may("file", &TEXT, Role::None),
    may("parent", &TEXT, Role::None),
    may("line", &POSITIVE, Role::None),
    may("column", &POSITIVE, Role::None),
    may("start_line", &POSITIVE, Role::None),
    may("end_line", &POSITIVE, Role::None),
    may("signature", &TEXT, Role::None),
    may("doc", &TEXT, Role::None),
    may("visibility", &TEXT, Role::None),
    may("modifiers", &TEXTS, Role::None),
    may("complexity", &COUNT, Role::None),
    may("decorators", &TEXTS, Role::None),
    may("local", &BOOL, Role::None),
    may("anonymous", &BOOL, Role::None),
    may("entry_point", &BOOL, Role::None),
    may("declared", &BOOL, Role::None),
    may("label", &ANY, Role::Label),
])
.with_cases(&[
    Case {
        when: Some("file"),
        required: &["path"],
    },
    Case {
        when: Some("external"),
        required: &["name"],
    },
    Case {
        when: None,
        required: &["name", "file"],
    },
]);

static IMPORTS: Rule = Rule::list(&IMPORT);
static IMPORT: Rule = Rule::object(&[
    may("module", &TEXT, Role::None),
    may("name", &TEXT, Role::Label),
    may("local", &TEXT, Role::Label),
    may("handed_on", &TEXT, Role::Label),
    may("line", &POSITIVE, Role::None),
    may("reexport", &BOOL, Role::None),
    may("type_only", &BOOL, Role::None),
    may("declares", &BOOL, Role::None),
]);

static EDGE: Rule = Rule::object(&[
    need("source", &TEXT, Role::None),
    need("target", &TEXT, Role::None),
    need("kind", &TEXT, Role::Label),
    may("marks", &TEXTS, Role::None),
    may("file", &TEXT, Role::None),
    may("resolution", &TEXT, Role::None),
    may("lines", &LINES, Role::None),
    may("label", &ANY, Role::Label),
    may("type", &ANY, Role::Label),
]);

static LINES: Rule = Rule::list(&POSITIVE);

static UNRESOLVED_CALL: Rule = Rule::object(&[
    need("source", &TEXT, Role::None),
    need("name", &TEXT, Role::Label),
    may("line", &POSITIVE, Role::None),
]);

static METADATA: Rule = Rule::object(&[
    may("tool", &TEXT, Role::Tool),
    may("tool_version", &TEXT, Role::ToolVersion),
    may("generated_at", &ANY, Role::GeneratedAt),
    may("commit", &ANY, Role::Commit(0)),
    may("dirty", &BOOL, Role::None),
    may("format", &TEXT, Role::None),
    may("repository", &TEXT, Role::None),
    may("languages", &LANGUAGES, Role::None),
    may("counts", &OBJECT, Role::None),
    may("partial", &OBJECT, Role::None),
    may("scrubbed", &OBJECT, Role::None),
]);
