//! Diffs and constraints on real text: revisions, working trees and bundles in the languages people write.

mod changes;
mod constraints;
mod support;
