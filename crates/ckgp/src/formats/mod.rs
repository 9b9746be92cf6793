//! The formats: the rules of each body, its schema, and the order of preference (clauses P2, V1, V2; ruling 18).

mod bundle;
mod ccg;
mod code_review_graph;
mod generic;
mod gitnexus;
pub mod rule;
mod understand_anything;

use std::cmp::Reverse;

use self::rule::Rule;
use super::format::FormatId;

/// A format that is known here.
#[derive(Debug)]
pub struct Format {
    /// The part before the `@`.
    pub name: &'static str,
    /// The part after the `@`.
    pub version: u32,
    /// What a body is, as a table.
    pub body: &'static Rule,
    /// What a body is, as a JSON Schema.
    pub schema: &'static str,
    /// The key of the metadata, for messages.
    pub metadata: &'static str,
}

impl Format {
    /// The name and the number.
    pub fn id(&self) -> FormatId {
        FormatId::parse(&format!("{}@{}", self.name, self.version))
            .expect("because a test reads every name of the table")
    }
}

/// The formats that are known, the one that says most first: that is the order in which they are chosen (ruling 18).
pub static KNOWN: [Format; 6] = [
    Format {
        name: "ccg",
        version: 1,
        body: &ccg::BODY,
        schema: include_str!("../../../../schemas/ckgp/ccg@1.schema.json"),
        metadata: "metadata",
    },
    Format {
        name: "code-review-graph",
        version: 1,
        body: &code_review_graph::BODY,
        schema: include_str!("../../../../schemas/ckgp/code-review-graph@1.schema.json"),
        metadata: "metadata",
    },
    Format {
        name: "gitnexus",
        version: 1,
        body: &gitnexus::BODY,
        schema: include_str!("../../../../schemas/ckgp/gitnexus@1.schema.json"),
        metadata: "metadata",
    },
    Format {
        name: "understand-anything",
        version: 1,
        body: &understand_anything::BODY,
        schema: include_str!("../../../../schemas/ckgp/understand-anything@1.schema.json"),
        metadata: "metadata",
    },
    Format {
        name: "generic",
        version: 1,
        body: &generic::BODY,
        schema: include_str!("../../../../schemas/ckgp/generic@1.schema.json"),
        metadata: "metadata",
    },
    Format {
        name: "bundle",
        version: 1,
        body: &bundle::BODY,
        schema: include_str!("../../../../schemas/ckgp/bundle@1.schema.json"),
        metadata: "manifest",
    },
];

/// What every body is, whatever its format: the bounds of structure and of counts hold, and nodes and edges are counted where they are usual.
pub static ANY: Format = Format {
    name: "any",
    version: 0,
    body: &generic::ANY_BODY,
    schema: "{}",
    metadata: "metadata",
};

/// The schema of a discovery record (clause D3: the text of the protocol counts more).
pub const RECORD_SCHEMA: &str = include_str!("../../../../schemas/ckgp/code-graph.schema.json");

/// What is known of a format. The number is opaque: another number of a known name is another format (clause V1).
pub fn known(id: &FormatId) -> Option<&'static Format> {
    KNOWN
        .iter()
        .find(|format| format.name == id.name() && format.version == id.version())
}

/// Where a format stands in the order of choice; the least is chosen first. Names in `wished` come before all others, then those of the table, then the
/// rest by name; of one name the larger number comes first (ruling 18).
pub fn preference(id: &FormatId, wished: &[String]) -> (usize, usize, String, Reverse<u32>) {
    let wish = wished
        .iter()
        .position(|name| name == id.name() || *name == id.to_string());
    let place = KNOWN.iter().position(|format| format.name == id.name());
    (
        wish.unwrap_or(usize::MAX),
        place.unwrap_or(usize::MAX),
        id.name().to_owned(),
        Reverse(id.version()),
    )
}

#[cfg(test)]
mod tests;
