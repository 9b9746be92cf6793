//! `understand-anything@1`: nodes of five kinds with labels, and edges `from` and `to`.

use super::rule::{ANY, LANGUAGES, Role, Rule, TEXT, Words, may, need};

pub(super) static BODY: Rule = Rule::object(&[
    need("nodes", &NODES, Role::Nodes),
    need("edges", &EDGES, Role::Edges),
    may("metadata", &METADATA, Role::Metadata),
]);

static NODES: Rule = Rule::list(&NODE);
static EDGES: Rule = Rule::list(&EDGE);

static NODE: Rule = Rule::object(&[
    need("id", &TEXT, Role::Id),
    need("kind", &NODE_KIND, Role::NodeKind(0)),
    need("label", &TEXT, Role::Name(0)),
    may("name", &ANY, Role::Label),
    may("language", &ANY, Role::Language),
]);

static NODE_KIND: Rule = Rule::words(Words::OneOf(&["file", "function", "class", "module", "concept"]));

static EDGE: Rule = Rule::object(&[
    need("from", &TEXT, Role::None),
    need("to", &TEXT, Role::None),
    need("kind", &TEXT, Role::Label),
    may("label", &ANY, Role::Label),
    may("type", &ANY, Role::Label),
]);

static METADATA: Rule = Rule::object(&[
    may("tool", &TOOL, Role::Tool),
    may("tool_version", &ANY, Role::ToolVersion),
    may("generated_at", &ANY, Role::GeneratedAt),
    may("source_sha", &ANY, Role::Commit(0)),
    may("commit", &ANY, Role::Commit(1)),
    may("languages", &LANGUAGES, Role::None),
]);

static TOOL: Rule = Rule::words(Words::OneOf(&["understand-anything"]));
