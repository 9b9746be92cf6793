//! One call edge, as the answers about calls show it.

use lore_model::{Edge, EdgeTarget, Resolution, Symbol};
use schemars::JsonSchema;
use serde::Serialize;

use super::wire::{Kind, ResolutionName};
use lore_seam::{Page, Render};

/// One call edge
#[derive(Serialize, JsonSchema, Clone, PartialEq, Debug)]
pub struct CallLine {
    /// Who calls: a qualified name, the module's for code at its top level
    pub caller: String,
    /// Who is called
    pub callee: String,
    /// What the caller is
    #[schemars(extend("x-agents" = "omit"))]
    pub caller_kind: Kind,
    /// What the callee is; absent for externals
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
    /// How it is known
    pub resolution: ResolutionName,
    /// How likely it is right
    pub confidence: f32,
    /// Whether the repository does not define the callee
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub external: bool,
}

impl CallLine {
    pub(super) fn of(edge: Edge<'_>) -> Self {
        let caller = edge.source();
        let (callee, callee_kind, callee_file, external) = match edge.target() {
            EdgeTarget::Symbol(symbol) => (
                symbol.plain_name(),
                Some(symbol.kind().into()),
                Some(symbol.file().path().to_owned()),
                false,
            ),
            EdgeTarget::External(name) => (name.into(), None, None, true),
        };
        Self {
            caller: caller.plain_name().into_owned(),
            callee: callee.into_owned(),
            caller_kind: caller.kind().into(),
            callee_kind,
            caller_file: caller.file().path().to_owned(),
            callee_file,
            lines: edge.lines().collect(),
            resolution: edge.resolution().into(),
            confidence: edge.resolution().confidence(),
            external,
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
        }
    }
}

impl Render for CallLine {
    fn render(&self, page: &mut Page) {
        let line = self.lines.first().copied().unwrap_or(0);
        page.dim(&format!("{}:{line}", self.caller_file));
        page.write(format_args!(" "));
        page.text(&self.caller);
        page.write(format_args!(" -> "));
        page.strong(&self.callee);
        page.dim(&format!("  {}", Resolution::from(self.resolution)));
        if self.lines.len() > 1 {
            page.dim(&format!(", {} calls", self.lines.len()));
        }
        page.line(format_args!(""));
    }
}
