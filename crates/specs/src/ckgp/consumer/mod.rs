//! The consumer: where the graph of a repository is, and how to get it (clauses C1 to C11, S1 to S5, S11).
//!
//! [`machine`] decides what to ask next and what to make of the reply, and [`fetch`] does so for one document; neither reaches for anything. [`drive`] asks on their
//! behalf, [`store`] keeps what came of it. [`aggregator`] reads lists, [`head`] the tip of a branch, [`untrusted`] makes texts of strangers harmless.

pub mod aggregator;
pub mod drive;
pub mod fetch;
pub mod head;
pub mod kept;
pub mod machine;
pub mod settings;
pub mod store;
pub mod untrusted;
