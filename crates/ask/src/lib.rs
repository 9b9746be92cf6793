//! The tables of operations, tools, resources, prompts and skills that every surface
//! iterates over, and what joins the specifications ([`across`]).
//!
//! Pure and synchronous: no disk, socket, SQL, clock or environment. The outside world is reached through the ports of
//! `lore-seam` and of the specifications. Each specification is a crate of its own, which imports `lore-model`,
//! `lore-base` and `lore-seam`. Only this crate imports several of them.

pub mod across;
pub mod workspace;

use lore_ccg as ccg;
use lore_ckgp as ckgp;
use lore_code as code;
use lore_kcp as kcp;
use lore_memory as memory;
use lore_mind as mind;
use lore_registry as registry;
use lore_seam as seam;
use lore_seam::{
    DeclaredResources, Facet, OperationEntry, Prompt, Resource, ResourceTemplate, Skill, Tool, Toolset, entry,
};

/// The operations that join specifications, or are about Lore's own installation.
const ACROSS: &[OperationEntry] = &[
    entry::<across::MindSuggest>(Toolset::Mind),
    entry::<across::MindDoctor>(Toolset::Mind).seldom(),
];
const WORKSPACE: &[OperationEntry] = &[
    entry::<workspace::cache::CacheStatusOperation>(Toolset::Code).for_people(),
    entry::<workspace::cache::CachePrune>(Toolset::Code).for_people(),
    entry::<workspace::cache::CacheClear>(Toolset::Code).for_people(),
    entry::<workspace::config::ConfigShow>(Toolset::Code).seldom(),
    entry::<workspace::doctor::Doctor>(Toolset::Code),
    entry::<workspace::init::Init>(Toolset::Code).seldom(),
];

const TABLES: &[&[OperationEntry]] = &[
    code::OPERATIONS,
    ccg::OPERATIONS,
    kcp::OPERATIONS,
    mind::OPERATIONS,
    ACROSS,
    memory::OPERATIONS,
    ckgp::OPERATIONS,
    registry::OPERATIONS,
    WORKSPACE,
];

const fn count(tables: &[&[OperationEntry]]) -> usize {
    let (mut table, mut count) = (0, 0);
    while table < tables.len() {
        count += tables[table].len();
        table += 1;
    }
    count
}

/// All tables as one. Constant evaluation has no iterators.
const fn joined<const N: usize>(tables: &[&[OperationEntry]]) -> [OperationEntry; N] {
    let mut all = [tables[0][0]; N];
    let (mut table, mut at) = (0, 0);
    while table < tables.len() {
        let mut row = 0;
        while row < tables[table].len() {
            all[at] = tables[table][row];
            at += 1;
            row += 1;
        }
        table += 1;
    }
    all
}

/// All operations. Every surface iterates over this table.
pub static OPERATIONS: &[OperationEntry] = &joined::<{ count(TABLES) }>(TABLES);

/// Tools that each select one of several operations by an argument.
pub static TOOLS: &[Tool] = &[code::QUERY_CODE];

/// The tools of [`Toolset::Core`], in the order in which agents are shown them.
pub static CORE: &[&str] = &[
    "find",
    "show",
    "outline",
    "callers",
    "impact",
    "get_ccg_manifest",
    "export_ccg_manifest",
    "query_ccg",
    "search_knowledge",
    "get_unit",
    "query_graph",
    "manage_graph",
    "manage_changelog",
    "query_container",
    "get_next_task",
    "advance",
    "find_graph_for_repo",
];

/// The datasets that queries see besides the code.
pub static FACETS: &[Facet] = &[kcp::dataset::UNITS, mind::dataset::MIND, memory::graph::dataset::MEMORY];

/// Resources that agents may read.
pub static RESOURCES: &[Resource] = ccg::RESOURCES;

/// Resources of each file and symbol.
pub static RESOURCE_TEMPLATES: &[ResourceTemplate] = code::RESOURCE_TEMPLATES;

/// Resources that a repository declares.
pub static DECLARED_RESOURCES: &[DeclaredResources] = &[kcp::mcp::RESOURCES];

/// Guards that decide whether an agent may read a file of the repository. A file is refused if one guard refuses it.
pub static READ_GUARDS: &[seam::ReadGuard] = &[kcp::mcp::GUARD];

/// Instructions for frequent tasks, which `lore init` writes as files for agents.
pub static SKILLS: &[Skill] = memory::skills::SKILLS;

/// Prompts for frequent tasks.
pub static PROMPTS: &[&[Prompt]] = &[across::PROMPTS, kcp::mcp::PROMPTS, memory::skills::PROMPTS];
