//! The Code Context Graph on real text: what only an index and git can show.

mod asking;
mod bundles;
mod generated;
mod oracle;
mod patterns;
mod support;
