//! Layers 0 and 1, which are one JSON-LD document each.

use super::{ExportArguments, ExportedFile};
use crate::access::LayerNumber;
use crate::layers::{Source, stand_alone_name, with_source};
use crate::open::Showing;
use crate::output::target;
use lore_seam::{Bytes, Ctx, Exported, OpError, Value};

/// Makes a document and writes it where the arguments say.
pub(super) fn export_document(
    ctx: &Ctx,
    arguments: &ExportArguments,
    layer: LayerNumber,
    make: impl FnOnce(&Source<'_>) -> Vec<u8>,
) -> Result<Exported<ExportedFile>, OpError> {
    let showing = Showing::of(ctx, arguments.publishing);
    let (name, content) = with_source(ctx, &arguments.scope, arguments.now, &showing, |source| {
        (stand_alone_name(layer, source.identity), make(source))
    })?;
    let Some(path) = target(ctx, arguments.output.as_deref(), Some(&name))? else {
        return Ok(Exported::Bytes(Bytes::whole("application/ld+json", content)));
    };
    let (file, _) = ExportedFile::write(ctx, path, |out| out.write_all(&content).map_err(OpError::from_write))?;
    Ok(Exported::Report(Value::yes(file)))
}
