//! `generic@1`: nodes and edges of any kind.

use super::rule::{ANY, Field, LANGUAGES, Role, Rule, may, need};

/// What is made of a metadata object; nothing in it is required (ruling 8), and what is not of the right kind is as good as absent.
pub(super) static METADATA: Rule = Rule::object(&[
    may("tool", &ANY, Role::Tool),
    may("tool_version", &ANY, Role::ToolVersion),
    may("generated_at", &ANY, Role::GeneratedAt),
    may("commit", &ANY, Role::Commit(0)),
    may("languages", &LANGUAGES, Role::None),
]);

pub(super) static BODY: Rule = Rule::object(&[
    need("nodes", &NODES, Role::Nodes),
    need("edges", &EDGES, Role::Edges),
    may("metadata", &METADATA, Role::Metadata),
]);

/// What a body of any format may be: counted where it is like `generic@1`, or has its edges under `links`.
pub(super) static ANY_BODY: Rule = Rule::object_if_any(&[
    may("nodes", &ANY_NODES, Role::Nodes),
    may("edges", &ANY_EDGES, Role::Edges),
    may("links", &ANY_EDGES, Role::Edges),
    may("metadata", &METADATA, Role::Metadata),
]);

static ANY_NODES: Rule = Rule::list_if_any(&NODE);
static ANY_EDGES: Rule = Rule::list_if_any(&EDGE);

static NODES: Rule = Rule::list(&NODE);
static EDGES: Rule = Rule::list(&EDGE);

static NODE: Rule = Rule::object_if_any(&[
    may("id", &ANY, Role::Id),
    may("kind", &ANY, Role::NodeKind(0)),
    may("type", &ANY, Role::NodeKind(1)),
    may("label", &ANY, Role::Name(0)),
    may("name", &ANY, Role::Name(1)),
    may("qualified_name", &ANY, Role::Label),
    may("language", &ANY, Role::Language),
]);

static EDGE: Rule = Rule::object_if_any(EDGE_LABELS);

/// What is shown of an edge, in any format.
const EDGE_LABELS: &[Field] = &[
    may("kind", &ANY, Role::Label),
    may("type", &ANY, Role::Label),
    may("label", &ANY, Role::Label),
    may("name", &ANY, Role::Label),
];
