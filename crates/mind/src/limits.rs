//! What a patch, a value and a file may cost. Patches come from whoever can push, so that everything about them is bounded.

/// The bounds.
#[derive(Clone, Copy, Debug)]
pub struct Limits;

impl Limits {
    /// Bytes of a commit's message.
    pub const MESSAGE_BYTES: usize = 1 << 20;
    /// Bytes of one blob of operations.
    pub const BLOB_BYTES: usize = 16 << 20;
    /// Blobs of one patch.
    pub const BLOBS: usize = 64;
    /// Operations of one patch.
    pub const OPERATIONS: usize = 2_000_000;
    /// Bytes of the line of one operation.
    pub const LINE_BYTES: usize = 1 << 20;
    /// Parents of one patch.
    pub const PARENTS: usize = 1_024;
    /// Bytes of a property's key.
    pub const KEY_BYTES: usize = 1 << 10;
    /// Bytes of a property's value, as JSON.
    pub const VALUE_BYTES: usize = 256 << 10;
    pub const RATIONALE_BYTES: usize = 256 << 10;
    /// How deep a value may nest.
    pub const VALUE_DEPTH: usize = 64;
    /// Skipped patches that are named one by one; the others are counted.
    pub const FINDINGS: usize = 1_000;
    /// Bytes of operations that stand in the message; more stand in blobs.
    pub const IN_MESSAGE: usize = 8 << 10;
    /// Bytes after which a new blob begins.
    pub const CHUNK_BYTES: usize = 8 << 20;
    /// Bytes of a file to be imported.
    pub const FILE_BYTES: u32 = 256 << 20;
}
