//! Diffs and constraints on real text: revisions, working trees and bundles in the languages people write.
#![expect(clippy::disallowed_methods, reason = "tests make files and start processes")]

mod changes;
mod constraints;
mod support;
