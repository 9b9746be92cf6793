//! The Code Context Graph on real text: what only an index and git can show.
#![expect(clippy::disallowed_methods, reason = "tests make files and start processes")]

mod asking;
mod bundles;
mod generated;
mod oracle;
mod patterns;
mod support;
