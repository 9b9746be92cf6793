//! What this repository itself would export, for whoever reads it like anybody's.

use super::bundle::Part;
use super::dataset::Layer;
use super::gzip::GzipWriter;
use super::layers::{self, Beside, LayerOptions};
use super::nquads::write_layer;
use super::open::open;
use crate::seam::{Ctx, OpError, Scope};

/// The bytes of a part; nothing if there is no such part.
pub(super) fn part(ctx: &Ctx, scope: &Scope, part: Part) -> Result<Option<Vec<u8>>, OpError> {
    match part {
        Part::Manifest => {
            let options = LayerOptions {
                beside: Beside::Bundle,
                ..LayerOptions::default()
            };
            layers::with_source(ctx, scope, false, |source| layers::manifest(source, &options)).map(Some)
        }
        Part::Architecture => layers::with_source(ctx, scope, false, layers::architecture).map(Some),
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
