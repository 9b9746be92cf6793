//! What one can ask Lore, and what each specification says about the answer.
//!
//! Pure and synchronous: no disk, socket, SQL, clock or environment; the outside world is reached through the ports of [`seam`].
//! One folder for each specification (`ccg`; `code` holds the questions about the code graph itself), and `workspace` for questions about
//! Lore's own installation. A folder imports no other one.

pub mod ccg;
pub mod code;
pub mod seam;
pub mod workspace;

use seam::{OperationEntry, Tool, entry};

/// Everything one can ask. The command line, MCP and HTTP are loops over this table.
pub static OPERATIONS: &[OperationEntry] = &[
    entry::<code::Index>(),
    entry::<code::Find>(),
    entry::<code::Show>(),
    entry::<code::Outline>(),
    entry::<code::Source>(),
    entry::<code::Files>(),
    entry::<code::Calls>(),
    entry::<code::Callers>(),
    entry::<code::Callees>(),
    entry::<code::Path>(),
    entry::<code::Unresolved>(),
    entry::<code::Edges>(),
    entry::<code::Impact>(),
    entry::<code::Deps>(),
    entry::<code::Dead>(),
    entry::<code::Stats>(),
    entry::<ccg::query::Query>(),
    entry::<ccg::layers::ExportManifest>(),
    entry::<ccg::layers::ExportArchitecture>(),
    entry::<ccg::ExportIndex>(),
    entry::<ccg::ExportFull>(),
    entry::<ccg::ExportBundle>(),
    entry::<ccg::access::CcgAcl>(),
    entry::<ccg::select::CcgSelect>(),
    entry::<ccg::get::Get>(),
    entry::<ccg::validate::Validate>(),
    entry::<ccg::diff::CcgDiff>(),
    entry::<ccg::verify::CcgVerify>(),
    entry::<workspace::ConfigShow>(),
    entry::<workspace::Doctor>(),
    entry::<workspace::init::Init>(),
];

/// Tools whose name and discriminator are fixed, each standing for several operations.
pub static TOOLS: &[Tool] = &[code::QUERY_CODE];
