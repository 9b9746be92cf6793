//! Limits for reading a Code Context Graph, and the sizes that the specification allows.
//!
//! The first are bounds of the reader, far above what the specification allows, so that a file that is too large can still be told so;
//! the last three are the specification's own.

use super::Part;

const MIB: u64 = 1 << 20;

/// Bytes of a bundle.
pub const BUNDLE_BYTES: u64 = 1040 * MIB;
/// Entries of a bundle.
pub const ENTRIES: usize = 64;
/// Bytes of a layer of statements once it is unpacked. They are never held at once.
pub const LAYER_EXPANDED_BYTES: u64 = 16_384 * MIB;
/// Bytes of a line of N-Quads.
pub const LINE_BYTES: usize = 1 << 20;
/// How many times larger something may become by unpacking it.
pub const RATIO: u64 = 250;
/// Bytes up to which that is not asked: a short text may well be a thousand times the same letter.
pub const RATIO_FREE_BYTES: u64 = 16 * MIB;

/// Bytes of layer 0 (clause L0).
pub const MANIFEST_MAX_BYTES: u64 = 2_048;
/// Bytes of layer 1 (clause L1).
pub const ARCHITECTURE_MAX_BYTES: u64 = 51_200;
/// Bytes of both together (clause L1).
pub const BOTH_MAX_BYTES: u64 = 53_248;

impl Part {
    /// Bytes of the file, as it lies on a disk or comes over the network.
    pub fn max_bytes(self) -> u64 {
        match self {
            Self::Manifest | Self::Acl | Self::Readme => MIB,
            Self::Architecture => 4 * MIB,
            Self::SymbolIndex | Self::FullDetail => 512 * MIB,
        }
    }
}
