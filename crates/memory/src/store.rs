//! `Memory`: the port behind which everything is kept, as units of work. It knows rows and constraints; what may be written is decided in front of it.
//!
//! A unit reads one state of the store, and writes all or nothing. A write unit may be run again when another process was faster, so that its work has no effect
//! outside: identifiers and times are made before it.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::graph::paths::PatternIndex;
use super::id::Id;
use super::model::{
    Atom, Container, Entity, EntityType, Entry, Feature, LinkType, Molecule, Parent, ParentType, Pipelines, Priority,
    Project, Record, RepositoryKey, Section, Status, TagCount, Task, TaskCounts, Template, TemplateSection,
};
use super::transfer::v3::Dump;
pub use lore_seam::Got;
use lore_seam::{Ctx, Port, no_store, value_of_unit};

/// The work of a unit that reads.
pub type ReadWork<'w> = &'w mut dyn FnMut(&dyn Reading) -> Got<()>;

/// The work of a unit that writes.
pub type WriteWork<'w> = &'w mut dyn FnMut(&mut dyn Writing) -> Got<()>;

/// The store of memory.
pub trait Memory: Send + Sync {
    /// Reads a consistent state of the store. A store that does not exist is empty and is not created.
    fn read(&self, work: ReadWork<'_>) -> Got<()>;

    /// Commits all that the work writes, or nothing if the work fails. The work may run several times.
    fn write(&self, work: WriteWork<'_>) -> Got<()>;

    /// Does the work as [`Memory::write`] would and leaves nothing of it; a store that does not exist yet is not made by this.
    fn trial(&self, work: WriteWork<'_>) -> Got<()>;

    /// The file of the store and its state.
    fn place(&self) -> Got<StoreFile>;

    /// Moves the store into a backup next to it, whose name contains the stamp, and starts an empty store. Returns the path of the backup.
    fn set_aside(&self, stamp: &str) -> Got<String>;

    /// Reads a store of the task orchestrator, version 3.
    fn read_v3(&self, path: &str) -> Got<Dump>;
}

/// No memory, for a process without a file for it.
#[derive(Clone, Copy, Debug)]
pub struct NoMemory;

impl Memory for NoMemory {
    fn read(&self, _: ReadWork<'_>) -> Got<()> {
        no_store("memory")
    }

    fn write(&self, _: WriteWork<'_>) -> Got<()> {
        no_store("memory")
    }

    fn trial(&self, _: WriteWork<'_>) -> Got<()> {
        no_store("memory")
    }

    fn place(&self) -> Got<StoreFile> {
        no_store("memory")
    }

    fn set_aside(&self, _: &str) -> Got<String> {
        no_store("memory")
    }

    fn read_v3(&self, _: &str) -> Got<Dump> {
        no_store("memory")
    }
}

impl Port for dyn Memory {
    fn absent() -> &'static Self {
        &NoMemory
    }
}

/// Reads one state of the store.
pub fn reading<T>(ctx: &Ctx, mut work: impl FnMut(&dyn Reading) -> Got<T>) -> Got<T> {
    value_of_unit(|value| {
        ctx.port::<dyn Memory>()
            .read(&mut |store| work(store).map(|it| *value = Some(it)))
    })
}

/// Commits all that the work writes, or nothing if the work fails. The work may run several times.
pub fn writing<T>(ctx: &Ctx, mut work: impl FnMut(&mut dyn Writing) -> Got<T>) -> Got<T> {
    value_of_unit(|value| {
        ctx.port::<dyn Memory>()
            .write(&mut |store| work(store).map(|it| *value = Some(it)))
    })
}

/// Runs the work as [`writing`] does and rolls it back.
pub fn trying<T>(ctx: &Ctx, mut work: impl FnMut(&mut dyn Writing) -> Got<T>) -> Got<T> {
    value_of_unit(|value| {
        ctx.port::<dyn Memory>()
            .trial(&mut |store| work(store).map(|it| *value = Some(it)))
    })
}

/// The file of the store and its state.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct StoreFile {
    pub path: String,
    pub exists: bool,
    /// The schema version.
    pub schema: u32,
    pub bytes: u64,
    /// The journal mode of the database.
    pub journal: String,
}

/// A filter for values: included (any value if empty) and not excluded.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Picked<T> {
    /// Any of these, if the list is not empty.
    pub included: Vec<T>,
    pub excluded: Vec<T>,
}

impl<T> Default for Picked<T> {
    fn default() -> Self {
        Self {
            included: Vec::new(),
            excluded: Vec::new(),
        }
    }
}

impl<T: PartialEq> Picked<T> {
    /// Whether the filter accepts a value.
    pub fn takes(&self, value: &T) -> bool {
        (self.included.is_empty() || self.included.contains(value)) && !self.excluded.contains(value)
    }
}

/// A filter for folded tags.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct TagFilter {
    pub all: Vec<String>,
    /// Any of these, if the list is not empty.
    pub any: Vec<String>,
    pub none: Vec<String>,
}

impl TagFilter {
    /// Whether the filter accepts an entity with these tags.
    pub fn takes(&self, tags: &[String]) -> bool {
        self.all.iter().all(|tag| tags.contains(tag))
            && (self.any.is_empty() || self.any.iter().any(|tag| tags.contains(tag)))
            && !self.none.iter().any(|tag| tags.contains(tag))
    }
}

/// The order of containers in a list.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum ContainerOrder {
    /// Newest first.
    #[default]
    Newest,
    /// Most recently changed first.
    Modified,
    /// Highest priority first, then lowest complexity, then oldest.
    Urgent,
    /// Oldest first.
    Oldest,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ContainerFilter {
    pub kind: EntityType,
    /// Folded words that all occur in the name, the summary or the description.
    pub words: Vec<String>,
    pub status: Picked<Status>,
    pub priority: Picked<Priority>,
    pub tags: TagFilter,
    pub project: Option<Id>,
    pub feature: Option<Id>,
    pub blocked: Option<bool>,
    /// The exact name.
    pub name: Option<String>,
    pub order: ContainerOrder,
    /// Skip this many.
    pub offset: u32,
    pub limit: Option<u32>,
}

impl ContainerFilter {
    pub fn all(kind: EntityType) -> Self {
        Self {
            kind,
            words: Vec::new(),
            status: Picked::default(),
            priority: Picked::default(),
            tags: TagFilter::default(),
            project: None,
            feature: None,
            blocked: None,
            name: None,
            order: ContainerOrder::default(),
            offset: 0,
            limit: None,
        }
    }
}

/// A filter for tasks that can be started.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct NextFilter {
    pub project: Option<Id>,
    pub feature: Option<Id>,
    pub priority: Option<Priority>,
    /// The states of features whose tasks cannot be started.
    pub terminal: Vec<Status>,
}

#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct TemplateFilter {
    pub target: Option<EntityType>,
    pub built_in: Option<bool>,
    pub enabled: Option<bool>,
    /// Any of these folded tags, if the list is not empty.
    pub tags: Vec<String>,
}

/// A dependency on another entity.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Link {
    pub kind: LinkType,
    pub entity: Entity,
}

/// A search for atoms or molecules.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct GraphSearch {
    pub kind: ParentType,
    pub project: Id,
    /// Folded words that all occur in the name or the knowledge.
    pub words: Vec<String>,
    /// The molecule that atoms are part of.
    pub molecule: Option<Id>,
    /// Only atoms that are part of none.
    pub orphans_only: bool,
    /// Skip this many.
    pub offset: u32,
    pub limit: u32,
}

/// A page of a list.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Page {
    /// Skip this many.
    pub offset: u32,
    pub limit: u32,
}

/// The number of removed items of the graph of a project.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct GraphRemoved {
    pub molecules: u64,
    pub atoms: u64,
    /// Entries of changelogs.
    pub changelog: u64,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Counts {
    pub projects: u64,
    pub features: u64,
    pub tasks: u64,
    pub sections: u64,
    pub templates: u64,
    pub molecules: u64,
    pub atoms: u64,
    /// Entries of changelogs.
    pub changelog: u64,
}

/// A consistent state of the store.
pub trait Reading {
    fn project(&self, id: Id) -> Got<Option<Project>>;
    fn feature(&self, id: Id) -> Got<Option<Feature>>;
    fn task(&self, id: Id) -> Got<Option<Task>>;
    /// Containers in the order that is asked for.
    fn containers(&self, filter: &ContainerFilter) -> Got<Vec<Container>>;
    /// How many tasks a project or a feature has.
    fn task_counts(&self, of: Entity) -> Got<TaskCounts>;
    /// New tasks that nothing blocks, whose feature is neither blocked nor over: what matters most first, then what is easiest, then the oldest.
    fn next_tasks(&self, filter: &NextFilter, most: u32) -> Got<Vec<Task>>;
    /// The states of the tasks of a feature, in the order in which they were made.
    fn statuses(&self, feature: Id) -> Got<Vec<Status>>;
    /// What names something among its blockers or relations: blocked things first, then by kind (task, feature) and the order in which they were made.
    fn dependents(&self, id: Id) -> Got<Vec<Link>>;

    fn section(&self, id: Id) -> Got<Option<Section>>;
    /// The sections of something, by ordinal.
    fn sections(&self, of: Entity) -> Got<Vec<Section>>;
    fn template(&self, id: Id) -> Got<Option<Template>>;
    /// Templates, by name.
    fn templates(&self, filter: &TemplateFilter) -> Got<Vec<Template>>;
    fn template_named(&self, name: &str) -> Got<Option<Template>>;
    /// The sections of a template, by ordinal.
    fn template_sections(&self, template: Id) -> Got<Vec<TemplateSection>>;
    /// The tags of containers with their counts, the most frequent first, then by name.
    fn tags(&self, kind: Option<EntityType>) -> Got<Vec<TagCount>>;
    /// What has a folded tag, by kind and the order in which they were made.
    fn tagged(&self, tag: &str) -> Got<Vec<Entity>>;

    fn molecule(&self, id: Id) -> Got<Option<Molecule>>;
    fn atom(&self, id: Id) -> Got<Option<Atom>>;
    /// Molecules in the order of the list, without those that do not exist.
    fn molecules(&self, ids: &[Id]) -> Got<Vec<Molecule>>;
    /// Atoms in the order of the list, without those that do not exist.
    fn atoms(&self, ids: &[Id]) -> Got<Vec<Atom>>;
    /// The atoms of a molecule by folded name, name and identifier.
    fn members(&self, molecule: Id) -> Got<Vec<Atom>>;
    fn names(&self, ids: &[Id]) -> Got<BTreeMap<Id, String>>;
    /// The identifiers of what is searched for by folded name, name and identifier.
    fn search(&self, search: &GraphSearch) -> Got<Vec<Id>>;
    fn entry(&self, id: Id) -> Got<Option<Entry>>;
    /// Entries of a changelog, the last first.
    fn changelog(&self, of: Parent, page: Page) -> Got<Vec<Entry>>;
    /// The last entries of several changelogs, the last first.
    fn recent(&self, of: &[Parent], each: u32) -> Got<BTreeMap<Parent, Vec<Entry>>>;
    /// The patterns of all atoms of a project.
    fn patterns(&self, project: Id) -> Got<Arc<PatternIndex>>;

    /// The project of a repository: the one of its directory, else the one of its origin.
    fn project_of(&self, repository: &RepositoryKey) -> Got<Option<Id>>;
    fn repositories(&self, project: Id) -> Got<Vec<RepositoryKey>>;
    /// The pipelines as they were fixed, if they were.
    fn pipelines(&self) -> Got<Option<Pipelines>>;
    fn counts(&self) -> Got<Counts>;
    /// Everything, or everything of a project with all templates, in the order of an export.
    fn every(&self, of: Option<Id>, each: &mut dyn FnMut(Record) -> Got<()>) -> Got<()>;
}

/// A consistent state of the store that a unit of work changes.
///
/// `put_…` writes an object whole, with its tags, blockers and relations. Without an expected version it is new; with one it replaces the object that has this
/// version, and is refused as a conflict if there is none. `remove_…` takes an object away with what belongs to it alone: tags, sections, its own lists, its
/// changelog. What others say of it is left to whoever asks; something that others are part of is refused.
pub trait Writing: Reading {
    fn put_project(&mut self, project: &Project, expected: Option<i64>) -> Got<()>;
    fn put_feature(&mut self, feature: &Feature, expected: Option<i64>) -> Got<()>;
    fn put_task(&mut self, task: &Task, expected: Option<i64>) -> Got<()>;
    /// Writes a section; an ordinal that another section of the same thing has is refused as a conflict.
    fn put_section(&mut self, section: &Section, expected: Option<i64>) -> Got<()>;
    /// Writes a template, which has no version; a name that another one has is refused.
    fn put_template(&mut self, template: &Template) -> Got<()>;
    /// Writes a section of a template; an ordinal that another one has is refused as a conflict.
    fn put_template_section(&mut self, section: &TemplateSection) -> Got<()>;
    fn put_molecule(&mut self, molecule: &Molecule, expected: Option<i64>) -> Got<()>;
    fn put_atom(&mut self, atom: &Atom, expected: Option<i64>) -> Got<()>;
    /// Adds an entry to a changelog.
    fn append(&mut self, entry: &Entry) -> Got<()>;

    /// Takes a project away that has no features, tasks, molecules or atoms any more.
    fn remove_project(&mut self, id: Id) -> Got<()>;
    /// Takes a feature away that has no tasks any more.
    fn remove_feature(&mut self, id: Id) -> Got<()>;
    /// Takes a task away.
    fn remove_task(&mut self, id: Id) -> Got<()>;
    /// Takes a section away; whether there was one.
    fn remove_section(&mut self, id: Id) -> Got<bool>;
    /// Removes a template with its sections.
    fn remove_template(&mut self, id: Id) -> Got<()>;
    /// Takes a molecule away that has no atoms any more, with its changelog.
    fn remove_molecule(&mut self, id: Id) -> Got<()>;
    /// Takes an atom away with its changelog.
    fn remove_atom(&mut self, id: Id) -> Got<()>;
    /// Takes the whole graph of a project away.
    fn remove_graph(&mut self, project: Id) -> Got<GraphRemoved>;

    /// Sets the tags of something without touching its version.
    fn set_tags(&mut self, of: Entity, tags: &[String]) -> Got<()>;
    /// Fixes the pipelines, or takes back that they were fixed.
    fn lock_pipelines(&mut self, pipelines: Option<&Pipelines>) -> Got<()>;
    /// Makes a repository the one of a project; one that belongs to another project is refused as a conflict.
    fn link_repository(&mut self, project: Id, repository: &RepositoryKey) -> Got<()>;
    /// Takes the repositories of a project from it; how many there were.
    fn unlink_repositories(&mut self, project: Id) -> Got<u64>;
}
