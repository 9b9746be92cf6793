//! The consumer: finds and fetches the graph of a repository (clauses C1 to C11, S1 to S5, S11).
//!
//! [`machine`] decides what to request next, [`super::fetch`] does so for one document, and [`outcome`] is the result; all
//! three do no I/O. [`drive`] runs them, [`store`] caches the results, and [`obtain`] returns a body from any source.
//! [`aggregator`] reads lists, [`local`] is the registry of this machine, [`super::head`] the tip of a branch, [`graph`]
//! the nodes and edges of a body, [`outline`] its summary, and [`untrusted`] cleans third-party text. The operations are
//! [`GraphFind`], [`GraphGet`], [`GraphList`] and [`GraphSearch`].

pub mod aggregator;
pub mod argument;
pub mod cached;
pub mod drive;
mod find;
mod get;
pub mod graph;
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
