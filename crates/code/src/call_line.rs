//! One call edge, as the answers about calls show it.

use lore_model::{Edge, Resolution, Symbol};
use schemars::JsonSchema;
use serde::Serialize;

use super::edges::{EdgeLine, render_edge};
use super::wire::{Kind, ResolutionName};
use lore_seam::{Page, Render};

/// One call edge
#[derive(Serialize, JsonSchema, Clone, PartialEq, Debug)]
pub struct CallLine {
    /// The caller's qualified name; for top-level code, the module's
    pub caller: String,
    /// The callee
    pub callee: String,
    /// The kind of the caller
    #[schemars(extend("x-agents" = "omit"))]
    pub caller_kind: Kind,
    /// The kind of the callee; absent for externals
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(extend("x-agents" = "omit"))]
    pub callee_kind: Option<Kind>,
    /// The file of the caller
    pub caller_file: String,
    /// The file of the callee; absent for externals
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(extend("x-agents" = "omit"))]
    pub callee_file: Option<String>,
    /// The lines of the calls
    #[schemars(extend("x-agents" = "at caller_file"))]
    pub lines: Vec<u32>,
    /// How the edge is known
    pub resolution: ResolutionName,
    /// How likely the edge is right
    pub confidence: f32,
    /// Whether the callee is outside of the repository
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub external: bool,
    /// Whether a bound of the analysis dropped further callees of the calls on these lines
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub more: bool,
    /// How the row belongs to the answer, if the call does not name the symbol itself
    #[serde(skip_serializing_if = "Option::is_none")]
    pub relation: Option<Relation>,
}

/// How a call belongs to an answer about a symbol that it does not name
#[derive(Serialize, JsonSchema, Clone, Copy, PartialEq, Eq, Debug)]
#[serde(rename_all = "snake_case")]
pub enum Relation {
    /// The call names a method that the symbol overrides or implements: it may run the symbol
    MayRun,
    /// The call names a method that overrides or implements the symbol
    Implementation,
    /// The call names a method that the callee overrides or implements: it may run the callee
    MayBeRun,
    /// The call is in a function inside of the symbol
    Inside,
    /// The symbol creates the function
    Creates,
}

impl Relation {
    fn words(self) -> &'static str {
        match self {
            Self::MayRun => "may run the symbol",
            Self::Implementation => "an implementation",
            Self::MayBeRun => "may run",
            Self::Inside => "inside",
            Self::Creates => "creates",
        }
    }
}

impl CallLine {
    pub(super) fn of(edge: Edge<'_>) -> Self {
        let edge = EdgeLine::of(edge, Symbol::plain_name);
        Self {
            caller: edge.source,
            callee: edge.target,
            caller_kind: edge.source_kind,
            callee_kind: edge.target_kind,
            caller_file: edge.source_file,
            callee_file: edge.target_file,
            lines: edge.lines,
            resolution: edge.resolution,
            confidence: edge.confidence,
            external: edge.external,
            more: edge.more,
            relation: None,
        }
    }

    /// The same call, with how it belongs to the answer.
    pub(super) fn related(self, relation: Relation) -> Self {
        let relation = Some(relation);
        if !matches!(relation, Some(Relation::MayRun | Relation::MayBeRun)) {
            return Self { relation, ..self };
        }
        Self {
            relation,
            resolution: Resolution::Dispatch.into(),
            confidence: Resolution::Dispatch.confidence(),
            ..self
        }
    }

    pub(super) fn guess(caller: Symbol<'_>, callee: Symbol<'_>, line: u32) -> Self {
        Self {
            caller: caller.plain_name().into_owned(),
            callee: callee.plain_name().into_owned(),
            caller_kind: caller.kind().into(),
            callee_kind: Some(callee.kind().into()),
            caller_file: caller.file().path().to_owned(),
            callee_file: Some(callee.file().path().to_owned()),
            lines: vec![line],
            resolution: Resolution::Name.into(),
            confidence: Resolution::Name.confidence(),
            external: false,
            more: false,
            relation: None,
        }
    }
}

impl Render for CallLine {
    fn render(&self, page: &mut Page) {
        let ends = [&self.caller, "->", &self.callee];
        let remarks = [
            self.relation.map(Relation::words),
            self.more.then_some("and more targets"),
        ];
        let remarks: Vec<&str> = remarks.into_iter().flatten().collect();
        let remark = (!remarks.is_empty()).then(|| remarks.join(", "));
        render_edge(
            page,
            &self.caller_file,
            &self.lines,
            ends,
            self.resolution,
            ("calls", remark.as_deref()),
        );
    }
}
