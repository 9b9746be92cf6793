//! What this repository itself would export, for whoever reads it like anybody's.

use super::bundle::Part;
use super::dataset::Layer;
use super::gzip::GzipWriter;
use super::nquads::write_layer;
use super::open::open;
use crate::seam::{Ctx, ErrorKind, OpError, Scope};

/// The bytes of a part; nothing if there is no such part.
pub(super) fn part(ctx: &Ctx, scope: &Scope, part: Part) -> Result<Option<Vec<u8>>, OpError> {
    match part {
        Part::Manifest | Part::Architecture => Err(OpError::new(
            ErrorKind::Unavailable,
            format!("this repository's {} cannot be made yet", part.file_name()),
        )),
        Part::SymbolIndex => layer(ctx, scope, Layer::Index).map(Some),
        Part::FullDetail => layer(ctx, scope, Layer::Full).map(Some),
        Part::Acl | Part::Readme => Ok(None),
    }
}

fn layer(ctx: &Ctx, scope: &Scope, layer: Layer) -> Result<Vec<u8>, OpError> {
    let dataset = open(ctx, scope, false)?;
    let mut gzip = GzipWriter::new(Vec::new());
    write_layer(&dataset, layer, &mut gzip, &ctx.cancel)?;
    gzip.finish().map_err(OpError::from_write)
}
