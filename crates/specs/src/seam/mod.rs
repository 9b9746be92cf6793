//! The seam between the specifications and the surfaces (command line, MCP server): [`Operation`], [`Ctx`], three kinds
//! of answer, and [`OpError`].

mod answer;
mod arguments;
mod cache;
mod ctx;
mod editor;
mod error;
mod facet;
mod graphs;
mod log;
mod memo;
mod object;
mod operation;
mod page;
mod patch_log;
mod prompt;
mod raw_patch;
mod resource;
mod scope;
mod tool;
mod toolset;
mod undamaged;
mod visible;
mod web_exchange;
#[cfg(test)]
pub(crate) mod world;

pub use answer::{Answer, AnswerKind, Bytes, Content, Exported, Reply, Rows, Value, Verdict, View, WriteBytes};
pub use arguments::arguments;
pub(crate) use arguments::check_arguments;
pub use cache::{CacheControl, CacheStatus, CachedTree, NoCache, Pruned};
use ctx::damaged;
pub use ctx::{
    Alarm, AuditLog, Check, Clock, Code, Ctx, Deadline, FetchCache, FetchLimits, FetchRequest, Fetched, FileHistory,
    Files, Foreign, GraphScope, Health, History, Ids, IndexRequest, IndexSummary, Origin, PathKind, Ports, ReadGuard,
    SecretKind, Setting, Settings, Settled, Stat, Web, WithheldFiles, WriteOne, Written,
};
pub use editor::{Editor, NoEditor};
pub use error::{Detail, ErrorKind, FailureCode, OpError};
pub use facet::{Facet, FacetScope};
pub use graphs::{Graphs, NoGraphs};
pub use log::{Head, Log, LogChange, LogCommit, Renamed};
pub use memo::Memo;
pub use object::ObjectId;
pub use operation::{Access, Envelope, Listing, Operation, OperationEntry, entry};
pub use page::{Page, Render, Style};
pub use patch_log::{
    Ancestors, Appended, CodeCommit, Exchange, Exchanged, HookState, LogLock, LogState, NewPatch, NoPatchLog, PatchLog,
    RemoteState, Tip, Tips,
};
pub use prompt::{Prompt, PromptArgument, Skill};
pub use raw_patch::{Descend, RawPatch};
pub use resource::{Completion, DeclaredResource, DeclaredResources, Resource, ResourceContent, ResourceTemplate};
pub use scope::Scope;
pub use tool::{Branch, Tool};
pub use toolset::Toolset;
pub use undamaged::UndamagedFiles;
pub use visible::{Escape, Escaping, is_hidden, visible_line, visible_lines};
pub use web_exchange::{RetryAfter, WebFault, WebLimits, WebMethod, WebPhase, WebReply, WebRequest};
