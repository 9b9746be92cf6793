//! The seam between what Lore knows and the surfaces that ask: [`Operation`], [`Ctx`], three kinds of answer, [`OpError`].

mod answer;
mod ctx;
mod error;
mod operation;
mod page;
mod tool;

pub use answer::{Answer, AnswerKind, Bytes, Reply, Rows, Value, Verdict, View};
pub use ctx::{Check, Clock, Code, Ctx, GraphScope, Health, Ids, IndexRequest, IndexSummary, Ports, Setting, Settings};
pub use error::{ErrorKind, OpError};
pub use operation::{Access, Operation, OperationEntry, entry};
pub use page::{Page, Render, Style};
pub use tool::{Branch, Tool};
