//! Memory as text, out of the store and into it.

pub mod v3;
