//! The seam between the specifications and the surfaces (command line, MCP server): [`Operation`], [`Ctx`], three kinds
//! of answer, and [`OpError`].
#![warn(missing_docs)]

mod answer;
mod arguments;
mod cache;
mod ctx;
mod damage_guard;
mod error;
mod facet;
#[cfg(any(test, feature = "testing"))]
pub mod graph_text;
mod log;
mod memo;
mod object;
mod operation;
mod page;
mod port_map;
mod prompt;
mod resource;
mod scope;
mod tool;
mod toolset;
mod unit_of_work;
mod visible;
mod web_exchange;
#[cfg(any(test, feature = "testing"))]
pub mod world;

pub use answer::{Answer, AnswerKind, Bytes, Content, Exported, Reply, Rows, Value, Verdict, View, WriteBytes};
pub use arguments::arguments;
pub use arguments::check_arguments;
pub use cache::{CacheControl, CacheStatus, CachedTree, NoCache, Pruned};
use ctx::damaged;
pub use ctx::{
    Alarm, Check, Clock, Code, Ctx, Deadline, FetchLimits, FetchRequest, Fetched, FileHistory, Files, Foreign,
    GraphScope, Health, History, Ids, IndexRequest, IndexSummary, Origin, PathKind, Ports, ReadGuard, SecretKind,
    Setting, Settings, Settled, Stat, Web, WithheldFiles, WriteOne, Written,
};
pub use damage_guard::UndamagedFiles;
pub use error::{Detail, ErrorKind, FailureCode, OpError};
pub use facet::{Facet, FacetScope};
pub use log::{Head, Log, LogChange, LogCommit, Renamed};
pub use memo::Memo;
pub use object::ObjectId;
pub use operation::{Access, Envelope, Listing, Operation, OperationEntry, entry};
pub use page::{Page, Render, Style};
pub use port_map::{Port, PortMap};
pub use prompt::{Prompt, PromptArgument, Skill};
pub use resource::{Completion, DeclaredResource, DeclaredResources, Resource, ResourceContent, ResourceTemplate};
pub use scope::Scope;
pub use tool::{Branch, Tool};
pub use toolset::Toolset;
#[cfg(any(test, feature = "testing"))]
pub use unit_of_work::StateInMemory;
pub use unit_of_work::{Got, no_store, value_of_unit};
pub use visible::{Escape, Escaping, is_hidden, visible_line, visible_lines};
pub use web_exchange::{RetryAfter, WebFault, WebLimits, WebMethod, WebPhase, WebReply, WebRequest};
