//! Somebody else's graph, held in memory while it is asked.

use oxrdf::{Dataset, GraphName};

use super::super::Identity;
use super::super::bundle::Part;
use super::super::source::CcgSource;
use crate::seam::{Ctx, ErrorKind, OpError, Scope};

/// Statements of somebody else's graph that are held.
pub const MAX_FOREIGN_QUADS: usize = 5_000_000;

/// Reads full detail, or the symbol index where there is nothing more.
pub(super) fn load(ctx: &Ctx, from: &str, scope: &Scope) -> Result<(Dataset, Identity), OpError> {
    let source = CcgSource::open(ctx, Some(from), scope)?;
    let content = match source.part(ctx, Part::FullDetail)? {
        Some(content) => content,
        None => source.required(ctx, Part::SymbolIndex)?,
    };
    let mut dataset = Dataset::new();
    let mut base = None;
    for line in content.quads()? {
        let line = line.map_err(|fault| {
            let message = format!("{}:{}: {}", content.place, fault.line, fault.message);
            OpError::new(ErrorKind::Unavailable, message)
                .hint("`lore ccg validate` tells everything that is wrong with it")
        })?;
        if base.is_none()
            && let GraphName::NamedNode(name) = &line.quad.graph_name
        {
            base = name
                .as_str()
                .rsplit_once("/graph/")
                .and_then(|(base, _)| Identity::of_base(base));
        }
        dataset.insert(&line.quad);
        if dataset.len() > MAX_FOREIGN_QUADS {
            let message = format!("{from} holds more than {MAX_FOREIGN_QUADS} statements");
            return Err(OpError::new(ErrorKind::Unavailable, message).hint("check the commit out and ask it itself"));
        }
    }
    let identity = base.unwrap_or_else(|| Identity::new("local", "-", "-", "-"));
    Ok((dataset, identity))
}
