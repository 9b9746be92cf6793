//! The eleven types of edges, and the triple that an edge is known by (clauses C6 to C8).

use std::fmt;

/// The type of an edge. The order is that of the names, so that sorting by type is sorting by text.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum EdgeType {
    /// The source extends the target.
    Augments,
    /// The source is a member of the target.
    BelongsTo,
    /// The source holds the target up.
    Blocks,
    /// The source is used by the target.
    ConsumedBy,
    /// The source needs the target.
    DependsOn,
    /// The source describes the target.
    Documents,
    /// The source contains the target.
    Groups,
    /// The source implements the target.
    Implements,
    /// The source names the target.
    References,
    /// The two have to do with each other.
    RelatesTo,
    /// The source changes the target.
    Touches,
}

impl EdgeType {
    /// All of them, in the order of the text.
    pub const ALL: [Self; 11] = [
        Self::Implements,
        Self::Augments,
        Self::RelatesTo,
        Self::References,
        Self::Touches,
        Self::Groups,
        Self::Blocks,
        Self::BelongsTo,
        Self::ConsumedBy,
        Self::DependsOn,
        Self::Documents,
    ];

    pub fn name(self) -> &'static str {
        match self {
            Self::Augments => "augments",
            Self::BelongsTo => "belongs-to",
            Self::Blocks => "blocks",
            Self::ConsumedBy => "consumed-by",
            Self::DependsOn => "depends-on",
            Self::Documents => "documents",
            Self::Groups => "groups",
            Self::Implements => "implements",
            Self::References => "references",
            Self::RelatesTo => "relates-to",
            Self::Touches => "touches",
        }
    }

    /// The type of a name; case counts.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.name() == name)
    }

    /// Whether a node may have such an edge to itself.
    pub fn allows_self(self) -> bool {
        !matches!(self, Self::Blocks | Self::DependsOn)
    }

    /// The names of all, for a hint.
    pub fn names() -> String {
        Self::ALL.map(Self::name).join(", ")
    }
}

impl fmt::Display for EdgeType {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.name())
    }
}

impl serde::Serialize for EdgeType {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.name())
    }
}

/// The message for an unknown edge type.
pub fn unknown_type(name: &str) -> String {
    let shown: String = name.chars().take(60).collect();
    format!("`{}` is not one of the 11 edge types", shown.escape_debug())
}

/// What is said about an edge from a node to itself.
pub fn self_edge(kind: EdgeType) -> String {
    format!("an edge of type `{kind}` cannot lead from a node to itself")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn c6_there_are_eleven_types_and_case_counts() {
        for kind in EdgeType::ALL {
            assert_eq!(EdgeType::from_name(kind.name()), Some(kind));
        }
        for name in ["Blocks", "blocks ", "explodes", "", "relates_to"] {
            assert_eq!(EdgeType::from_name(name), None, "{name}");
        }
    }

    #[test]
    fn amend11_the_types_are_those_of_the_text() {
        assert_eq!(
            EdgeType::names(),
            "implements, augments, relates-to, references, touches, groups, blocks, belongs-to, consumed-by, depends-on, documents"
        );
    }

    #[test]
    fn c7_only_blocks_and_depends_on_forbid_an_edge_to_oneself() {
        let forbidden: Vec<&str> = EdgeType::ALL
            .into_iter()
            .filter(|kind| !kind.allows_self())
            .map(EdgeType::name)
            .collect();
        assert_eq!(forbidden, ["blocks", "depends-on"]);
    }

    #[test]
    fn types_sort_as_their_names() {
        let mut kinds = EdgeType::ALL;
        kinds.sort_unstable();
        assert!(kinds.map(EdgeType::name).is_sorted());
    }
}
