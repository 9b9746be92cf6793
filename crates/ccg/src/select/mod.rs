//! Which layers, or which query, answer a question within a budget (clause Q4; §7.1 to §7.3).
//!
//! `classify` reads what a question needs from its words, [`select`] chooses by the tables, `queries` writes the SPARQL, and [`load`] gives the
//! content, never above the budget.
//!
//! How the tables go together: the needs (§7.1, §7.2) say what would help, the budget (§7.3) says how far down one may load. Below 10 KB that
//! is L0 alone, whatever is needed. Below 50 KB L1 may be loaded too, below 200 KB a subset of L2; what is needed and may not be loaded is asked by
//! SPARQL, its result cut to what is left. From 200 KB on nothing but L0 is loaded and everything is asked. Without a budget the needs decide
//! alone, without a question the budget does.

mod choose;
mod classify;
mod content;
mod load;
mod operation;
mod queries;
mod question;
mod subset;

pub use choose::{Query, Selection, Strategy, select};
pub use classify::{Found, classify};
pub use load::{LayerContent, Loaded, LoadedPart, QueryText, load};
pub use operation::{CcgSelect, CcgSelectAnswer, CcgSelectRequest, ChosenLayer};
pub use question::{Direction, Names, Need, Question, parse_size};
pub use subset::{Edges, SubsetSymbol, subset};
