//! SPARQL 1.1 over the dataset (clauses Q1 to Q3): read-only, under a deadline and a cap of rows that say when they cut.

mod evaluate;
mod foreign;
mod held;
mod operation;
mod results;
mod templates;
mod tokens;

pub use evaluate::{Asked, Limits, Outcome, ask, ask_in_time};
pub use foreign::{MAX_FOREIGN_BYTES, MAX_FOREIGN_QUADS};
pub use operation::{Query, QueryRequest};
pub use results::{QueryAnswer, QueryFormat};
pub use templates::{Parameter, TEMPLATES, Template};
pub use tokens::{MAX_DEPTH, MAX_QUERY_BYTES};
