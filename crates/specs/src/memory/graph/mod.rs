//! Molecules, atoms and their changelog: what is known of areas of the code.

pub mod paths;
