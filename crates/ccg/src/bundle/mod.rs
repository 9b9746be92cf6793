//! The bundle, `NAME.ccg.zip` (clause LB): its parts, the writer, and a reader for untrusted bundles.

mod content;
mod limits;
mod lines;
mod read;
mod write;

use super::access::LayerNumber;

pub use content::{PartContent, Refusal};
pub use limits::{
    ARCHITECTURE_MAX_BYTES, BOTH_MAX_BYTES, BUNDLE_BYTES, ENTRIES, LAYER_EXPANDED_BYTES, LINE_BYTES,
    MANIFEST_MAX_BYTES, RATIO, RATIO_FREE_BYTES,
};
pub use lines::{LineFault, QuadLine, QuadLines};
pub use read::Bundle;
pub use write::{PartWriter, write_bundle};

/// One of the files that a Code Context Graph is made of, in the order in which they are in a bundle.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Part {
    /// Layer 0.
    Manifest,
    /// Layer 1.
    Architecture,
    /// Layer 2.
    SymbolIndex,
    /// Layer 3.
    FullDetail,
    /// Who may read what.
    Acl,
    /// A summary for people.
    Readme,
}

impl Part {
    pub const ALL: [Self; 6] = [
        Self::Manifest,
        Self::Architecture,
        Self::SymbolIndex,
        Self::FullDetail,
        Self::Acl,
        Self::Readme,
    ];

    /// The four layers.
    pub const LAYERS: [Self; 4] = [Self::Manifest, Self::Architecture, Self::SymbolIndex, Self::FullDetail];

    /// Its name in a bundle and on a registry.
    pub fn file_name(self) -> &'static str {
        match (self.layer(), self) {
            (Some(layer), _) => layer.file_name(),
            (None, Self::Acl) => "acl.ttl",
            (None, _) => "README.md",
        }
    }

    /// Which layer it is.
    pub fn layer(self) -> Option<LayerNumber> {
        match self {
            Self::Manifest => Some(LayerNumber::Manifest),
            Self::Architecture => Some(LayerNumber::Architecture),
            Self::SymbolIndex => Some(LayerNumber::SymbolIndex),
            Self::FullDetail => Some(LayerNumber::FullDetail),
            Self::Acl | Self::Readme => None,
        }
    }

    /// How the name of the file ends when it is alone (§6.1).
    pub fn extension(self) -> Option<&'static str> {
        self.layer().map(LayerNumber::extension)
    }

    /// Whether it holds statements, as N-Quads.
    pub fn is_quads(self) -> bool {
        matches!(self, Self::SymbolIndex | Self::FullDetail)
    }

    /// What it is to programs.
    pub fn media_type(self) -> &'static str {
        match self {
            Self::Manifest | Self::Architecture => "application/ld+json",
            Self::SymbolIndex | Self::FullDetail => "application/gzip",
            Self::Acl => "text/turtle",
            Self::Readme => "text/markdown; charset=utf-8",
        }
    }
}

#[cfg(test)]
mod tests;
