//! A patch of the mind graph as a store gives it: bytes that nobody has judged yet.

use std::borrow::Cow;

use super::ObjectId;

/// A commit that may be a patch.
#[derive(Clone, Debug)]
pub struct RawPatch<'a> {
    /// The commit's id.
    pub id: ObjectId,
    /// Its parents.
    pub parents: Cow<'a, [ObjectId]>,
    /// Its message.
    pub message: Cow<'a, [u8]>,
    /// The blobs of operations in its tree, in order.
    pub blobs: Vec<Cow<'a, [u8]>>,
    /// Why the store could not give all of it.
    pub fault: Option<String>,
}

/// Whether the parents of a commit are wanted.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Descend {
    /// They are.
    Yes,
    /// They are not: the commit is none of the graph's.
    No,
}
