//! The consumer: where the graph of a repository is, and how to get it (clauses C1 to C11, S1 to S5, S11).
//!
//! [`machine`] decides what to ask next and what to make of the reply, [`super::fetch`] does so for one document, and [`outcome`] is what comes of it; none of them reaches for anything. [`drive`] asks on their
//! behalf, [`store`] keeps what came of it, [`obtain`] gives a body from wherever it is. [`aggregator`] reads lists, [`local`] is the registry of this machine, [`super::head`] the tip of a branch, [`graph`] the nodes and edges of a body,
//! [`outline`] what it is in short; [`untrusted`] makes texts of strangers harmless. The questions are [`GraphFind`], [`GraphGet`], [`GraphList`] and [`GraphSearch`].

pub mod aggregator;
pub mod argument;
pub mod drive;
mod find;
mod get;
pub mod graph;
pub mod cached;
mod list;
pub mod local;
pub mod machine;
pub mod obtain;
pub mod outcome;
pub mod outline;
mod search;
pub mod settings;
pub mod store;
#[cfg(test)]
mod testing;
pub mod untrusted;

pub use self::find::{Drift, FoundEntry, FoundGraph, FoundRecord, GraphFind, GraphFindAnswer, GraphFindRequest};
pub use self::get::{GraphFacts, GraphGet, GraphGetAnswer, GraphGetRequest, GraphPart};
pub use self::list::{GraphList, GraphListAnswer, GraphListRequest, ListedGraph};
pub use self::search::{Concept, GraphMatch, GraphSearch, GraphSearchAnswer, GraphSearchRequest};
pub use self::store::{CCG_BUNDLE, kept_body};
