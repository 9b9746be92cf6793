//! `lore unresolved`: the calls whose callee is unknown.

use clap::Args;
use lore_model::{CodeGraph, UnresolvedCall};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::find::PathPattern;
use super::target::{self, Target};
use super::wire::Scope;
use lore_seam::{Access, Ctx, OpError, Operation, Page, Render, Rows, Verdict};

/// List the calls whose callee is unknown
#[derive(Args, Deserialize, JsonSchema, Clone, Debug, Default)]
#[command(after_help = "Examples:
  lore unresolved                   all of them, by file
  lore unresolved Server.start      the calls of one function
  lore unresolved src/ --json")]
#[serde(default)]
pub struct UnresolvedRequest {
    /// A symbol, file, directory or pattern [default: all]
    pub target: Option<String>,
    #[command(flatten)]
    #[serde(flatten)]
    // No doc comment: the help of a flattened struct would replace that of the command.
    pub scope: Scope,
}

/// A call whose callee is unknown
#[derive(Serialize, JsonSchema, Clone, PartialEq, Debug)]
pub struct UnresolvedLine {
    /// The caller
    pub caller: String,
    /// The file
    pub path: String,
    /// The line
    #[schemars(extend("x-agents" = "at path"))]
    pub line: u32,
    /// The called name; empty if the call has none
    pub name: String,
    /// Whether some callees are known, and a bound of the analysis dropped the others
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub partly: bool,
}

impl UnresolvedLine {
    pub(super) fn of(graph: &CodeGraph, call: UnresolvedCall<'_>) -> Self {
        Self {
            caller: graph.symbol(call.caller).plain_name().into_owned(),
            path: graph.file(call.file).path().to_owned(),
            line: call.line,
            name: call.name.to_owned(),
            partly: call.is_cut,
        }
    }
}

impl Render for UnresolvedLine {
    fn render(&self, page: &mut Page) {
        page.dim(&format!("{}:{}", self.path, self.line));
        page.write(format_args!(" "));
        page.text(&self.caller);
        page.write(format_args!(" -> "));
        page.strong(if self.name.is_empty() { "?" } else { &self.name });
        if self.partly {
            page.dim("  some callees are known");
        }
        page.line(format_args!(""));
    }
}

/// `lore unresolved`.
pub struct Unresolved;

impl Operation for Unresolved {
    const NAME: &'static str = "unresolved";
    const COMMAND: &'static [&'static str] = &["unresolved"];
    const ACCESS: Access = Access::Read;
    type Request = UnresolvedRequest;
    type Answer = Rows<UnresolvedLine>;

    fn run(ctx: &Ctx, request: UnresolvedRequest) -> Result<Rows<UnresolvedLine>, OpError> {
        let graph = request.scope.open(ctx)?;
        let here = ctx.ports.code.here();
        let (chosen, patterns) = match &request.target {
            None => (Vec::new(), Vec::new()),
            Some(text) => match target::find(&graph, &here, text) {
                Ok(Target::Symbol(symbol)) => (vec![symbol.id()], Vec::new()),
                Ok(Target::Several(ids)) => match PathPattern::some(ctx, &graph, std::slice::from_ref(text)) {
                    Ok(patterns) => (Vec::new(), patterns),
                    Err(_) => (target::together(&graph, text, ids)?, Vec::new()),
                },
                found => {
                    let patterns = PathPattern::some(ctx, &graph, std::slice::from_ref(text));
                    let patterns = patterns.map_err(|missing| match found {
                        Err(unknown) if !text.contains(['*', '?']) => unknown,
                        _ => missing,
                    });
                    (Vec::new(), patterns?)
                }
            },
        };
        let rows: Vec<UnresolvedLine> = graph
            .all_unresolved()
            .filter(|call| chosen.is_empty() || chosen.contains(&call.caller))
            .filter(|call| {
                let path = graph.file(call.file).path();
                patterns.is_empty() || patterns.iter().any(|pattern| pattern.matches(path))
            })
            .map(|call| UnresolvedLine::of(&graph, call))
            .collect();
        Ok(Rows::new(rows.into_iter().map(Ok), Verdict::Yes))
    }
}
