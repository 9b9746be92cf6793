//! Parses arguments: ids, types, confidences and repository names (clauses Invalid1 to Invalid11).

use lore_model::nearest;
use serde::{Deserialize, Deserializer};

use super::confidence::{Confidence, ConfidenceFault};
use super::edge::{self, EdgeType};
use super::graph::{Graph, Node};
use super::id::{NodeId, RepositoryName};
use super::limits::Limits;
use super::prefix::PrefixClass;
use lore_seam::{ErrorKind, OpError};

pub fn node_id(text: &str) -> Result<NodeId, OpError> {
    NodeId::parse(text).map_err(|fault| {
        let error = OpError::new(ErrorKind::Invalid, fault.to_string());
        match fault.hint() {
            Some(hint) => error.hint(hint),
            None => error,
        }
    })
}

pub fn edge_type(text: &str) -> Result<EdgeType, OpError> {
    EdgeType::from_name(text).ok_or_else(|| {
        let error = OpError::new(ErrorKind::Invalid, edge::unknown_type(text));
        let near = nearest(text, EdgeType::ALL.iter().map(|kind| kind.name()), 1);
        let error = match near.first() {
            Some(near) => error.hint(format!("did you mean `{near}`?")),
            None => error,
        };
        error.hint(format!("use one of the types {}", EdgeType::names()))
    })
}

pub fn confidence(text: &str) -> Result<Confidence, OpError> {
    Confidence::parse(text).map_err(|fault| {
        let error = OpError::new(ErrorKind::Invalid, fault.to_string());
        match fault {
            ConfidenceFault::NotANumber(_) => error.hint("write a number from 0 to 1, such as 0.4"),
            _ => error,
        }
    })
}

/// A rationale, if it is not larger than one may be.
pub fn rationale(text: String) -> Result<Box<str>, OpError> {
    if text.len() > Limits::RATIONALE_BYTES {
        let message = format!("the rationale has more than {} bytes", Limits::RATIONALE_BYTES);
        Err(OpError::new(ErrorKind::Invalid, message))
    } else {
        Ok(text.into())
    }
}

/// The key of a property.
pub fn key(text: &str) -> Result<&str, OpError> {
    match text {
        "" => Err(OpError::new(ErrorKind::Invalid, "the key is empty")),
        _ if text.len() > Limits::KEY_BYTES => {
            let message = format!("the key has more than {} bytes", Limits::KEY_BYTES);
            Err(OpError::new(ErrorKind::Invalid, message))
        }
        _ => Ok(text),
    }
}

pub fn repository_name(text: &str) -> Result<RepositoryName, OpError> {
    RepositoryName::parse(text).ok_or_else(|| {
        let message = format!("`{}` is not a repository name", text.escape_debug());
        OpError::new(ErrorKind::Invalid, message).hint("write OWNER/NAME: letters, digits, `.`, `_` and `-`")
    })
}

/// Accepts a number or text for a number: agents send numbers, the command line sends text.
pub fn number_text<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<String>, D::Error> {
    #[derive(Deserialize)]
    #[serde(untagged)]
    enum Given {
        Number(serde_json::Number),
        Text(String),
    }
    let given = Option::<Given>::deserialize(deserializer)?;
    Ok(given.map(|given| match given {
        Given::Number(number) => number.to_string(),
        Given::Text(text) => text,
    }))
}

/// The node with this id. The error suggests similar ids.
pub fn held_node<'g>(graph: &'g Graph, id: &NodeId) -> Result<Node<'g>, OpError> {
    graph.node(id.as_str()).ok_or_else(|| {
        let error = OpError::new(ErrorKind::NotFound, format!("there is no node `{id}`"));
        match nearest(id.as_str(), graph.nodes().map(|node| node.id()), 1).first() {
            Some(near) => error.hint(format!("did you mean `{near}`?")),
            None => error.hint("`lore mind nodes` lists the nodes"),
        }
    })
}

/// Refuses an end of an edge that does not exist and that only Lore creates (clause Amend4).
pub fn check_end(graph: &Graph, id: &NodeId) -> Result<(), OpError> {
    if id.class() != PrefixClass::System || graph.node(id.as_str()).is_some() {
        return Ok(());
    }
    let prefix = id.prefix();
    let message = format!("there is no node `{id}`, and only Lore creates `{prefix}:` nodes");
    Err(OpError::new(ErrorKind::NotFound, message)
        .hint("`lore mind process-commit REVISION` records a commit and its epoch"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told<T>(outcome: Result<T, OpError>) -> String {
        let error = outcome.map(|_| ()).expect_err("refused");
        assert_eq!(error.kind.exit_code(), 2);
        std::iter::once(error.message)
            .chain(error.hints)
            .collect::<Vec<_>>()
            .join("; ")
    }

    #[test]
    fn invalid1_to_invalid11_on_the_command_line_are_refused_with_what_to_do() {
        assert_eq!(told(node_id("")), "the node id is empty");
        assert_eq!(
            told(node_id("milestone:")),
            "`milestone:` has no identifier after its prefix; write milestone:NAME"
        );
        assert_eq!(
            told(node_id(":foo")),
            "`:foo` has no prefix; a prefix starts with a lower-case letter"
        );
        assert_eq!(
            told(node_id("Milestone:BEDROCK")),
            "the prefix of `Milestone:BEDROCK` is not lower case; use milestone:BEDROCK"
        );
        assert_eq!(
            told(node_id("my node")),
            "`my node` contains white space, which a node id cannot have"
        );
        assert_eq!(
            told(node_id("repo:foo")),
            "`repo:foo` is not the id of a node of another repository; write repo:OWNER/NAME:PREFIX:ID"
        );
        assert_eq!(
            told(edge_type("explodes")),
            "`explodes` is not one of the 11 edge types; use one of the types implements, augments, relates-to, references, touches, groups, blocks, belongs-to, consumed-by, depends-on, documents"
        );
        assert!(
            told(edge_type("Blocks")).starts_with("`Blocks` is not one of the 11 edge types; did you mean `blocks`?; ")
        );
        assert_eq!(told(confidence("1.5")), "confidence 1.5 is not in [0, 1]");
        assert_eq!(told(confidence("NaN")), "confidence is not a finite number");
        assert_eq!(
            told(confidence("0.4abc")),
            "confidence is the text \"0.4abc\", not a number; write a number from 0 to 1, such as 0.4"
        );
        assert_eq!(
            told(repository_name("o")),
            "`o` is not a repository name; write OWNER/NAME: letters, digits, `.`, `_` and `-`"
        );
        assert_eq!(told(key("")), "the key is empty");
        assert_eq!(told(key(&"k".repeat(1_025))), "the key has more than 1024 bytes");
    }
}
