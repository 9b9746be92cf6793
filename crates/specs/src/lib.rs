//! What one can ask Lore, and what each specification says about the answer.
//!
//! Pure and synchronous: no disk, socket, SQL, clock or environment; the outside world is reached through the ports of [`seam`].
//! One folder for each specification (`ccg`, `ckgp`, `kcp`, `memory`, `mind`; `code` holds the questions about the code graph itself), and `workspace` for questions about
//! Lore's own installation. A folder imports no other one but those that several specifications share: `seam`, `yaml`, the reader and writer of YAML, and `scrub`, which takes out of
//! texts what should not be published.

pub mod across;
pub mod ccg;
pub mod ckgp;
pub mod code;
pub mod kcp;
pub mod memory;
pub mod mind;
pub mod scrub;
pub mod seam;
pub mod workspace;
pub mod yaml;

use seam::{DeclaredResources, Facet, OperationEntry, Prompt, Resource, ResourceTemplate, Skill, Tool, Toolset, entry};

/// Everything one can ask. The command line, MCP and HTTP are loops over this table.
pub static OPERATIONS: &[OperationEntry] = &[
    entry::<code::Index>(Toolset::Code),
    entry::<code::Find>(Toolset::Code),
    entry::<code::Show>(Toolset::Code),
    entry::<code::Outline>(Toolset::Code),
    entry::<code::Source>(Toolset::Code),
    entry::<code::Files>(Toolset::Code),
    entry::<code::Calls>(Toolset::Code),
    entry::<code::Callers>(Toolset::Code),
    entry::<code::Callees>(Toolset::Code),
    entry::<code::Path>(Toolset::Code),
    entry::<code::Unresolved>(Toolset::Code).seldom(),
    entry::<code::Edges>(Toolset::Code),
    entry::<code::Impact>(Toolset::Code),
    entry::<code::Deps>(Toolset::Code),
    entry::<code::Dead>(Toolset::Code),
    entry::<code::Stats>(Toolset::Code),
    entry::<ccg::query::Query>(Toolset::Ccg),
    entry::<ccg::layers::ExportManifest>(Toolset::Ccg),
    entry::<ccg::layers::ExportArchitecture>(Toolset::Ccg),
    entry::<ccg::ExportIndex>(Toolset::Ccg),
    entry::<ccg::ExportFull>(Toolset::Ccg),
    entry::<ccg::ExportBundle>(Toolset::Ccg),
    entry::<ccg::access::CcgAcl>(Toolset::Ccg).seldom(),
    entry::<ccg::select::CcgSelect>(Toolset::Ccg),
    entry::<ccg::get::Get>(Toolset::Ccg),
    entry::<ccg::validate::Validate>(Toolset::Ccg).seldom(),
    entry::<ccg::diff::CcgDiff>(Toolset::Ccg),
    entry::<ccg::verify::CcgVerify>(Toolset::Ccg),
    entry::<kcp::UnitValidate>(Toolset::Unit).seldom(),
    entry::<kcp::mcp::ListManifests>(Toolset::Unit),
    entry::<kcp::mcp::GetCommandSyntax>(Toolset::Unit).seldom(),
    entry::<kcp::UnitQuery>(Toolset::Unit),
    entry::<kcp::UnitPlan>(Toolset::Unit),
    entry::<kcp::UnitRelations>(Toolset::Unit),
    entry::<kcp::UnitInit>(Toolset::Unit).for_people(),
    entry::<kcp::UnitTouch>(Toolset::Unit).for_people(),
    entry::<kcp::UnitSync>(Toolset::Unit).for_people(),
    entry::<kcp::UnitGenerate>(Toolset::Unit).for_people(),
    entry::<kcp::UnitSchema>(Toolset::Unit).for_people(),
    entry::<kcp::UnitArticle30>(Toolset::Unit).for_people(),
    entry::<kcp::UnitAccessLog>(Toolset::Unit).for_people(),
    entry::<kcp::UnitStats>(Toolset::Unit).for_people(),
    entry::<kcp::UnitShow>(Toolset::Unit),
    entry::<kcp::UnitAccess>(Toolset::Unit),
    entry::<kcp::mcp::GetUnit>(Toolset::Unit),
    entry::<kcp::UnitStale>(Toolset::Unit),
    entry::<kcp::discover::UnitDiscover>(Toolset::Unit).seldom(),
    entry::<kcp::federation::UnitFederationList>(Toolset::Unit).seldom(),
    entry::<kcp::federation::UnitFederationResolve>(Toolset::Unit).seldom(),
    entry::<kcp::catalog::UnitCatalogValidate>(Toolset::Unit).for_people(),
    entry::<kcp::catalog::UnitCatalogList>(Toolset::Unit).seldom(),
    entry::<kcp::catalog::UnitCatalogInstall>(Toolset::Unit).for_people(),
    entry::<kcp::catalog::UnitCatalogUpdate>(Toolset::Unit).for_people(),
    entry::<kcp::catalog::UnitCatalogStatus>(Toolset::Unit).seldom(),
    entry::<kcp::catalog::UnitCatalogAdd>(Toolset::Unit).for_people(),
    entry::<mind::init::MindInit>(Toolset::Mind).seldom(),
    entry::<mind::link::MindLink>(Toolset::Mind),
    entry::<mind::unlink::MindUnlink>(Toolset::Mind),
    entry::<mind::set::MindSet>(Toolset::Mind),
    entry::<mind::set::MindUnset>(Toolset::Mind).seldom(),
    entry::<mind::remove_node::MindRemoveNode>(Toolset::Mind).seldom(),
    entry::<mind::import::MindImport>(Toolset::Mind).seldom(),
    entry::<mind::export::MindExport>(Toolset::Mind).seldom(),
    entry::<mind::at::MindAt>(Toolset::Mind).seldom(),
    entry::<mind::hook::MindHookInstall>(Toolset::Mind).seldom(),
    entry::<mind::process_commit::MindProcessCommit>(Toolset::Mind).seldom(),
    entry::<mind::sync::MindSync>(Toolset::Mind).seldom(),
    entry::<mind::merge::MindMerge>(Toolset::Mind).seldom(),
    entry::<mind::status::MindStatus>(Toolset::Mind),
    entry::<mind::nodes::MindNodes>(Toolset::Mind),
    entry::<mind::edges::MindEdges>(Toolset::Mind),
    entry::<mind::view::MindView>(Toolset::Mind),
    entry::<mind::diff::MindDiff>(Toolset::Mind).seldom(),
    entry::<mind::review::MindReview>(Toolset::Mind),
    entry::<across::MindSuggest>(Toolset::Mind),
    entry::<across::MindDoctor>(Toolset::Mind).seldom(),
    // Memory: the orchestrator.
    entry::<memory::tools::QueryContainer>(Toolset::Memory),
    entry::<memory::tools::ManageContainer>(Toolset::Memory),
    entry::<memory::tools::QuerySections>(Toolset::Memory).seldom(),
    entry::<memory::tools::ManageSections>(Toolset::Memory),
    entry::<memory::tools::QueryTemplates>(Toolset::Memory).seldom(),
    entry::<memory::tools::ManageTemplate>(Toolset::Memory).seldom(),
    entry::<memory::tools::ApplyTemplate>(Toolset::Memory).seldom(),
    entry::<memory::tools::ListTags>(Toolset::Memory).seldom(),
    entry::<memory::tools::GetTagUsage>(Toolset::Memory).seldom(),
    entry::<memory::tools::RenameTag>(Toolset::Memory).seldom(),
    entry::<memory::tools::GetNextTask>(Toolset::Memory),
    entry::<memory::tools::GetNextFeature>(Toolset::Memory).seldom(),
    entry::<memory::tools::GetBlockedTasks>(Toolset::Memory).seldom(),
    entry::<memory::tools::GetBlockedFeatures>(Toolset::Memory).seldom(),
    entry::<memory::tools::QueryWorkflowState>(Toolset::Memory),
    entry::<memory::tools::QueryDependencies>(Toolset::Memory).seldom(),
    entry::<memory::tools::ManageDependency>(Toolset::Memory),
    entry::<memory::tools::Advance>(Toolset::Memory),
    entry::<memory::tools::Revert>(Toolset::Memory).seldom(),
    entry::<memory::tools::Terminate>(Toolset::Memory).seldom(),
    entry::<memory::tools::Block>(Toolset::Memory).seldom(),
    entry::<memory::tools::Unblock>(Toolset::Memory).seldom(),
    entry::<memory::people::ProjectCreate>(Toolset::Memory).for_people(),
    entry::<memory::people::ProjectList>(Toolset::Memory).for_people(),
    entry::<memory::people::ProjectShow>(Toolset::Memory).for_people(),
    entry::<memory::people::ProjectEdit>(Toolset::Memory).for_people(),
    entry::<memory::people::ProjectDelete>(Toolset::Memory).for_people(),
    entry::<memory::people::FeatureCreate>(Toolset::Memory).for_people(),
    entry::<memory::people::FeatureList>(Toolset::Memory).for_people(),
    entry::<memory::people::FeatureShow>(Toolset::Memory).for_people(),
    entry::<memory::people::FeatureEdit>(Toolset::Memory).for_people(),
    entry::<memory::people::FeatureDelete>(Toolset::Memory).for_people(),
    entry::<memory::people::TaskCreate>(Toolset::Memory).for_people(),
    entry::<memory::people::TaskList>(Toolset::Memory).for_people(),
    entry::<memory::people::TaskShow>(Toolset::Memory).for_people(),
    entry::<memory::people::TaskEdit>(Toolset::Memory).for_people(),
    entry::<memory::people::TaskDelete>(Toolset::Memory).for_people(),
    entry::<memory::people::SectionAdd>(Toolset::Memory).for_people(),
    entry::<memory::people::SectionList>(Toolset::Memory).for_people(),
    entry::<memory::people::SectionEdit>(Toolset::Memory).for_people(),
    entry::<memory::people::SectionMove>(Toolset::Memory).for_people(),
    entry::<memory::people::SectionDelete>(Toolset::Memory).for_people(),
    entry::<memory::people::TemplateCreate>(Toolset::Memory).for_people(),
    entry::<memory::people::TemplateList>(Toolset::Memory).for_people(),
    entry::<memory::people::TemplateShow>(Toolset::Memory).for_people(),
    entry::<memory::people::TemplateAdd>(Toolset::Memory).for_people(),
    entry::<memory::people::TemplateApply>(Toolset::Memory).for_people(),
    entry::<memory::people::TemplateEnable>(Toolset::Memory).for_people(),
    entry::<memory::people::TemplateDisable>(Toolset::Memory).for_people(),
    entry::<memory::people::TemplateDelete>(Toolset::Memory).for_people(),
    entry::<memory::people::TagList>(Toolset::Memory).for_people(),
    entry::<memory::people::TagShow>(Toolset::Memory).for_people(),
    entry::<memory::people::TagRename>(Toolset::Memory).for_people(),
    entry::<memory::people::MemoryDepend>(Toolset::Memory).for_people(),
    entry::<memory::people::MemoryNext>(Toolset::Memory).for_people(),
    entry::<memory::people::MemoryAdvance>(Toolset::Memory).for_people(),
    entry::<memory::people::MemoryRevert>(Toolset::Memory).for_people(),
    entry::<memory::people::MemoryTerminate>(Toolset::Memory).for_people(),
    entry::<memory::people::MemoryBlock>(Toolset::Memory).for_people(),
    entry::<memory::people::MemoryUnblock>(Toolset::Memory).for_people(),
    entry::<memory::people::MemoryBoard>(Toolset::Memory).for_people(),
    // Memory: the graph.
    entry::<memory::graph::tools::QueryGraph>(Toolset::Memory),
    entry::<memory::graph::tools::ManageGraph>(Toolset::Memory),
    entry::<memory::graph::tools::ManageChangelog>(Toolset::Memory),
    entry::<memory::graph::tools::GraphCommit>(Toolset::Memory),
    entry::<memory::graph::staleness::MemoryStale>(Toolset::Memory).seldom(),
    entry::<memory::graph::coverage::MemoryCoverage>(Toolset::Memory).seldom(),
    entry::<memory::graph::people::molecules::MoleculeCreate>(Toolset::Memory).for_people(),
    entry::<memory::graph::people::molecules::MoleculeList>(Toolset::Memory).for_people(),
    entry::<memory::graph::people::molecules::MoleculeShow>(Toolset::Memory).for_people(),
    entry::<memory::graph::people::molecules::MoleculeEdit>(Toolset::Memory).for_people(),
    entry::<memory::graph::people::molecules::MoleculeDelete>(Toolset::Memory).for_people(),
    entry::<memory::graph::people::atoms::AtomCreate>(Toolset::Memory).for_people(),
    entry::<memory::graph::people::atoms::AtomList>(Toolset::Memory).for_people(),
    entry::<memory::graph::people::atoms::AtomShow>(Toolset::Memory).for_people(),
    entry::<memory::graph::people::atoms::AtomEdit>(Toolset::Memory).for_people(),
    entry::<memory::graph::people::atoms::AtomDelete>(Toolset::Memory).for_people(),
    entry::<memory::graph::people::atoms::AtomConfirm>(Toolset::Memory).for_people(),
    entry::<memory::graph::people::reads::ChangelogAdd>(Toolset::Memory).for_people(),
    entry::<memory::graph::people::reads::ChangelogList>(Toolset::Memory).for_people(),
    entry::<memory::graph::people::reads::MemoryContext>(Toolset::Memory).for_people(),
    entry::<memory::graph::people::reads::MemorySearch>(Toolset::Memory).for_people(),
    entry::<memory::graph::people::reads::MemoryCommit>(Toolset::Memory).for_people(),
    // Memory: the store.
    entry::<memory::sync::Sync>(Toolset::Memory).seldom(),
    entry::<memory::status::MemoryStatus>(Toolset::Memory).for_people(),
    entry::<memory::sync::MemorySync>(Toolset::Memory).for_people(),
    entry::<memory::link::ProjectLink>(Toolset::Memory).for_people(),
    entry::<memory::link::ProjectUnlink>(Toolset::Memory).for_people(),
    entry::<memory::transfer::MemoryExport>(Toolset::Memory).for_people(),
    entry::<memory::transfer::MemoryImport>(Toolset::Memory).for_people(),
    // Published graphs.
    entry::<ckgp::publish::GraphPublish>(Toolset::Graph).for_people(),
    entry::<ckgp::convert::GraphConvert>(Toolset::Graph).for_people(),
    entry::<ckgp::consumer::GraphFind>(Toolset::Graph),
    entry::<ckgp::consumer::GraphGet>(Toolset::Graph),
    entry::<ckgp::consumer::GraphList>(Toolset::Graph),
    entry::<ckgp::consumer::GraphSearch>(Toolset::Graph),
    entry::<ckgp::registry::commands::RegistryInit>(Toolset::Graph).for_people(),
    entry::<ckgp::registry::commands::RegistryAdd>(Toolset::Graph).for_people(),
    entry::<ckgp::registry::commands::RegistryImport>(Toolset::Graph).for_people(),
    entry::<ckgp::registry::commands::RegistryList>(Toolset::Graph).for_people(),
    entry::<ckgp::registry::commands::RegistryShow>(Toolset::Graph).for_people(),
    entry::<ckgp::registry::commands::RegistryRemove>(Toolset::Graph).for_people(),
    entry::<ckgp::registry::commands::RegistryRevoke>(Toolset::Graph).for_people(),
    entry::<ckgp::registry::commands::RegistryVerify>(Toolset::Graph).for_people(),
    entry::<ckgp::registry::commands::RegistryFormatList>(Toolset::Graph).for_people(),
    entry::<ckgp::registry::commands::RegistryFormatAdd>(Toolset::Graph).for_people(),
    entry::<ckgp::registry::commands::RegistryFormatDeprecate>(Toolset::Graph).for_people(),
    entry::<ckgp::registry::commands::RegistryFormatRemove>(Toolset::Graph).for_people(),
    entry::<ckgp::registry::render::RegistryRender>(Toolset::Graph).for_people(),
    entry::<ckgp::registry::RegistrySync>(Toolset::Graph).for_people(),
    entry::<workspace::cache::CacheStatusOperation>(Toolset::Code).for_people(),
    entry::<workspace::cache::CachePrune>(Toolset::Code).for_people(),
    entry::<workspace::cache::CacheClear>(Toolset::Code).for_people(),
    entry::<workspace::ConfigShow>(Toolset::Code).seldom(),
    entry::<workspace::Doctor>(Toolset::Code),
    entry::<workspace::init::Init>(Toolset::Code).seldom(),
];

/// Tools whose name and discriminator are fixed, each standing for several operations.
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

/// What besides the code is part of the local dataset.
pub static FACETS: &[Facet] = &[kcp::dataset::UNITS, mind::dataset::MIND, memory::graph::dataset::MEMORY];

/// What agents may read besides calling tools.
pub static RESOURCES: &[Resource] = ccg::RESOURCES;

/// What agents may read of each file and symbol.
pub static RESOURCE_TEMPLATES: &[ResourceTemplate] = code::RESOURCE_TEMPLATES;

/// What a repository itself declares to be read.
pub static DECLARED_RESOURCES: &[DeclaredResources] = &[kcp::mcp::RESOURCES];

/// What decides whether an agent may read a file of the repository, by its path from the root; one that refuses is enough.
pub static READ_GUARDS: &[seam::ReadGuard] = &[kcp::mcp::GUARD];

/// Jobs that agents find by themselves, as files that are written for them.
pub static SKILLS: &[Skill] = memory::skills::SKILLS;

/// Jobs that agents are given often.
pub static PROMPTS: &[&[Prompt]] = &[across::PROMPTS, kcp::mcp::PROMPTS, memory::skills::PROMPTS];
