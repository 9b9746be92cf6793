//! Which units are stale: by the rule of the manifest, and by what git knows of the document and of the code that it describes (amendment Amend10).
//!
//! Days are compared, those of universal time: a document that is changed on the day on which it is validated is not stale. What git knows has an end, so that nothing is ever said
//! to have never changed.

mod operation;
mod past;
#[cfg(test)]
mod tests;

pub use self::operation::{
    ChangedLine, DescribedLine, PolicyLine, StaleFormat, StaleUnit, UnitStale, UnitStaleAnswer, UnitStaleRequest,
};
pub use self::past::{Change, Past, Verdict};
