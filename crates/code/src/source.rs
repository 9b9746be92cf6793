//! `lore source`: the bytes of a symbol or file, in the working tree or at a revision.

use clap::Args;
use lore_model::Symbol;
use schemars::JsonSchema;
use serde::Deserialize;

use super::target::{self, Target};
use super::wire::Scope;
use lore_seam::{Access, Bytes, Ctx, OpError, Operation};

/// Print the source of a symbol or file, byte for byte
///
/// With --at, as of a git revision.
#[derive(Args, Deserialize, JsonSchema, Clone, Debug)]
#[command(after_help = "Examples:
  lore source QuerySet.filter
  lore source src/app.ts --at v1.2")]
pub struct SourceRequest {
    /// A qualified name or the end of one, a path, or path:line
    pub target: String,
    #[command(flatten)]
    #[serde(flatten)]
    // No doc comment: the help of a flattened struct would replace that of the command.
    pub scope: Scope,
}

/// `lore source`.
pub struct Source;

impl Operation for Source {
    const NAME: &'static str = "source";
    const COMMAND: &'static [&'static str] = &["source"];
    const ACCESS: Access = Access::Read;
    type Request = SourceRequest;
    type Answer = Bytes;

    fn run(ctx: &Ctx, request: SourceRequest) -> Result<Bytes, OpError> {
        let graph = request.scope.open(ctx)?;
        let read = |path: &str| ctx.ports.code.read(&request.scope.graph_scope(), path);
        let content = match target::find(&graph, &ctx.ports.code.here(), &request.target)? {
            Target::File(file) => read(file.path())?,
            Target::Symbol(symbol) => {
                let mut text = slice_of(symbol, &read(symbol.file().path())?);
                text.push('\n');
                text.into_bytes()
            }
            Target::Several(ids) => return Err(target::ambiguous(&graph, &request.target, &ids)),
        };
        Ok(Bytes::whole("text/plain; charset=utf-8", content))
    }
}

/// The lines of a symbol's definition.
pub(super) fn slice_of(symbol: Symbol<'_>, content: &[u8]) -> String {
    let place = symbol.place();
    let text = String::from_utf8_lossy(content);
    let (first, last) = (place.start_line.get() as usize, place.end_line.get() as usize);
    text.lines()
        .skip(first.saturating_sub(1))
        .take(last + 1 - first.min(last))
        .collect::<Vec<_>>()
        .join("\n")
}
