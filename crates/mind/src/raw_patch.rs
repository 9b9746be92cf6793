//! A patch of the mind graph as the store returns it: unvalidated bytes.

use std::borrow::Cow;

use lore_seam::ObjectId;

/// A commit that may be a patch. Its content is untrusted; validate it before use.
#[derive(Clone, Debug)]
pub struct RawPatch<'a> {
    /// The id of the commit.
    pub id: ObjectId,
    /// The parents of the commit.
    pub parents: Cow<'a, [ObjectId]>,
    /// The commit message.
    pub message: Cow<'a, [u8]>,
    /// The blobs of operations in its tree, in order.
    pub blobs: Vec<Cow<'a, [u8]>>,
    /// Why the store could not read the whole commit, if it could not.
    pub fault: Option<String>,
}

/// Whether a walk continues to the parents of a commit.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Descend {
    /// Continue to the parents.
    Yes,
    /// Stop here: the commit does not belong to the graph.
    No,
}
