//! An edge as answers show it.

use schemars::JsonSchema;
use serde::Serialize;

use super::confidence::Confidence;
use super::graph::Edge;
use lore_seam::{Page, Render};

/// An edge
#[derive(Serialize, JsonSchema, Clone, PartialEq, Debug)]
#[serde(rename_all = "camelCase")]
pub struct EdgeLine {
    /// The source node
    pub source: String,
    /// The target node
    pub target: String,
    /// Its type
    #[serde(rename = "type")]
    pub kind: &'static str,
    /// The confidence, from 0 to 1
    #[schemars(with = "f64")]
    pub confidence: Confidence,
    /// The rationale: why the edge exists
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(extend("x-agents" = "untrusted"))]
    pub rationale: Option<String>,
    /// When the edge was created
    pub created_at: String,
    /// When the edge was last reviewed
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reviewed_at: Option<String>,
}

impl From<Edge<'_>> for EdgeLine {
    fn from(edge: Edge<'_>) -> Self {
        Self {
            source: edge.source().id().to_owned(),
            target: edge.target().id().to_owned(),
            kind: edge.kind().name(),
            confidence: edge.confidence(),
            rationale: edge.rationale().map(str::to_owned),
            created_at: edge.created_at().to_owned(),
            reviewed_at: edge.reviewed_at().map(str::to_owned),
        }
    }
}

impl EdgeLine {
    /// Writes it without an end of line: `a --[blocks]--> b (40%)`, and why it exists.
    pub fn write(&self, page: &mut Page) {
        page.strong(&self.source);
        page.write(format_args!(" --[{}]--> ", self.kind));
        page.strong(&self.target);
        page.write(format_args!(" ({})", self.confidence.percent()));
        if let Some(rationale) = &self.rationale {
            page.write(format_args!("  "));
            page.text(rationale);
        }
    }
}

impl Render for EdgeLine {
    fn render(&self, page: &mut Page) {
        self.write(page);
        page.line(format_args!(""));
    }
}
