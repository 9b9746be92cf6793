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

/// Where memory is kept.
pub trait Memory: Send + Sync {
    /// Reads one state of the store. A store that does not exist yet is empty, and is not made by this.
    fn read(&self, work: ReadWork<'_>) -> Got<()>;

    /// Writes all of it, or nothing if the work fails. The work may be run again.
    fn write(&self, work: WriteWork<'_>) -> Got<()>;

    /// Does the work as [`Memory::write`] would and leaves nothing of it; a store that does not exist yet is not made by this.
    fn trial(&self, work: WriteWork<'_>) -> Got<()>;

    /// Where the store is and how it is.
    fn place(&self) -> Got<Place>;

    /// Moves everything into a backup beside the store, whose name bears the stamp, and leaves the store empty; the path of the backup.
    fn set_aside(&self, stamp: &str) -> Got<String>;

    /// What a store of the version 3 of the orchestrator holds.
    fn read_v3(&self, path: &str) -> Got<Dump>;
}

/// No memory, for a process that has no place for it.
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

    fn place(&self) -> Got<Place> {
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

/// Where the store is and how it is.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Place {
    /// Its path.
    pub path: String,
    /// Whether it is there.
    pub exists: bool,
    /// The number of its last migration.
    pub schema: u32,
    /// Bytes on the disk.
    pub bytes: u64,
    /// How writers and readers share it, as the database calls it.
    pub journal: String,
}

/// Which of some values are wanted: one of those included if there are any, and none of those excluded.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Picked<T> {
    /// One of these, if there are any.
    pub included: Vec<T>,
    /// None of these.
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
    /// Whether a value is wanted.
    pub fn takes(&self, value: &T) -> bool {
        (self.included.is_empty() || self.included.contains(value)) && !self.excluded.contains(value)
    }
}

/// Which tags are wanted; tags are folded.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct TagFilter {
    /// All of these.
    pub all: Vec<String>,
    /// One of these, if there are any.
    pub any: Vec<String>,
    /// None of these.
    pub none: Vec<String>,
}

impl TagFilter {
    /// Whether something with these tags is wanted.
    pub fn takes(&self, tags: &[String]) -> bool {
        self.all.iter().all(|tag| tags.contains(tag))
            && (self.any.is_empty() || self.any.iter().any(|tag| tags.contains(tag)))
            && !self.none.iter().any(|tag| tags.contains(tag))
    }
}

/// In which order containers come.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum ContainerOrder {
    /// The last made first.
    #[default]
    Newest,
    /// The last changed first.
    Modified,
    /// What matters most first, then what is easiest, then the oldest.
    Urgent,
    /// In the order in which they were made.
    Oldest,
}

/// Which containers are wanted.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ContainerFilter {
    /// What they are.
    pub kind: EntityType,
    /// Folded words that all occur in the name, the summary or the description.
    pub words: Vec<String>,
    /// Their states.
    pub status: Picked<Status>,
    /// How much they matter.
    pub priority: Picked<Priority>,
    /// Their tags.
    pub tags: TagFilter,
    /// Their project.
    pub project: Option<Id>,
    /// Their feature.
    pub feature: Option<Id>,
    /// Whether something blocks them.
    pub blocked: Option<bool>,
    /// Their name in full, as it is written.
    pub name: Option<String>,
    /// In which order.
    pub order: ContainerOrder,
    /// How many of them are passed over.
    pub offset: u32,
    /// How many there are at most.
    pub limit: Option<u32>,
}

impl ContainerFilter {
    /// All of a kind.
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

/// Which tasks could be begun.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct NextFilter {
    /// Their project.
    pub project: Option<Id>,
    /// Their feature.
    pub feature: Option<Id>,
    /// How much they matter.
    pub priority: Option<Priority>,
    /// The states of a feature whose tasks are not to be begun any more.
    pub terminal: Vec<Status>,
}

/// Which templates are wanted.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct TemplateFilter {
    /// What they can be applied to.
    pub target: Option<EntityType>,
    /// Whether they came with the program.
    pub built_in: Option<bool>,
    /// Whether they can be applied.
    pub enabled: Option<bool>,
    /// Folded tags, one of which they have, if there are any.
    pub tags: Vec<String>,
}

/// What hangs on something else.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Link {
    /// How.
    pub kind: LinkType,
    /// What.
    pub entity: Entity,
}

/// Which atoms or molecules are wanted.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct GraphSearch {
    /// What they are.
    pub kind: ParentType,
    /// Their project.
    pub project: Id,
    /// Folded words that all occur in the name or the knowledge.
    pub words: Vec<String>,
    /// The molecule that atoms are part of.
    pub molecule: Option<Id>,
    /// Only atoms that are part of none.
    pub orphans_only: bool,
    /// How many of them are passed over.
    pub offset: u32,
    /// How many there are at most.
    pub limit: u32,
}

/// A part of a list.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Page {
    /// How many are passed over.
    pub offset: u32,
    /// How many there are at most.
    pub limit: u32,
}

/// What was taken away of the graph of a project.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct GraphRemoved {
    /// Molecules.
    pub molecules: u64,
    /// Atoms.
    pub atoms: u64,
    /// Entries of changelogs.
    pub changelog: u64,
}

/// How much there is of everything.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Counts {
    /// Projects.
    pub projects: u64,
    /// Features.
    pub features: u64,
    /// Tasks.
    pub tasks: u64,
    /// Sections.
    pub sections: u64,
    /// Templates.
    pub templates: u64,
    /// Molecules.
    pub molecules: u64,
    /// Atoms.
    pub atoms: u64,
    /// Entries of changelogs.
    pub changelog: u64,
}

/// One state of the store.
pub trait Reading {
    /// A project.
    fn project(&self, id: Id) -> Got<Option<Project>>;
    /// A feature.
    fn feature(&self, id: Id) -> Got<Option<Feature>>;
    /// A task.
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

    /// A section.
    fn section(&self, id: Id) -> Got<Option<Section>>;
    /// The sections of something, by ordinal.
    fn sections(&self, of: Entity) -> Got<Vec<Section>>;
    /// A template.
    fn template(&self, id: Id) -> Got<Option<Template>>;
    /// Templates, by name.
    fn templates(&self, filter: &TemplateFilter) -> Got<Vec<Template>>;
    /// The template of a name.
    fn template_named(&self, name: &str) -> Got<Option<Template>>;
    /// The sections of a template, by ordinal.
    fn template_sections(&self, template: Id) -> Got<Vec<TemplateSection>>;
    /// The tags of containers with their counts, the most frequent first, then by name.
    fn tags(&self, kind: Option<EntityType>) -> Got<Vec<TagCount>>;
    /// What has a folded tag, by kind and the order in which they were made.
    fn tagged(&self, tag: &str) -> Got<Vec<Entity>>;

    /// A molecule.
    fn molecule(&self, id: Id) -> Got<Option<Molecule>>;
    /// An atom.
    fn atom(&self, id: Id) -> Got<Option<Atom>>;
    /// Molecules in the order of the list, without those that do not exist.
    fn molecules(&self, ids: &[Id]) -> Got<Vec<Molecule>>;
    /// Atoms in the order of the list, without those that do not exist.
    fn atoms(&self, ids: &[Id]) -> Got<Vec<Atom>>;
    /// The atoms of a molecule by folded name, name and identifier.
    fn members(&self, molecule: Id) -> Got<Vec<Atom>>;
    /// The names of atoms and molecules.
    fn names(&self, ids: &[Id]) -> Got<BTreeMap<Id, String>>;
    /// The identifiers of what is searched for by folded name, name and identifier.
    fn search(&self, search: &GraphSearch) -> Got<Vec<Id>>;
    /// An entry of a changelog.
    fn entry(&self, id: Id) -> Got<Option<Entry>>;
    /// Entries of a changelog, the last first.
    fn changelog(&self, of: Parent, page: Page) -> Got<Vec<Entry>>;
    /// The last entries of several changelogs, the last first.
    fn recent(&self, of: &[Parent], each: u32) -> Got<BTreeMap<Parent, Vec<Entry>>>;
    /// The patterns of all atoms of a project.
    fn patterns(&self, project: Id) -> Got<Arc<PatternIndex>>;

    /// The project of a repository: the one of its directory, else the one of its origin.
    fn project_of(&self, repository: &RepositoryKey) -> Got<Option<Id>>;
    /// The repositories of a project.
    fn repositories(&self, project: Id) -> Got<Vec<RepositoryKey>>;
    /// The pipelines as they were fixed, if they were.
    fn pipelines(&self) -> Got<Option<Pipelines>>;
    /// How much there is of everything.
    fn counts(&self) -> Got<Counts>;
    /// Everything, or everything of a project with all templates, in the order of an export.
    fn every(&self, of: Option<Id>, each: &mut dyn FnMut(Record) -> Got<()>) -> Got<()>;
}

/// One state of the store, to be changed.
///
/// `put_…` writes an object whole, with its tags, blockers and relations. Without an expected version it is new; with one it replaces the object that has this
/// version, and is refused as a conflict if there is none. `remove_…` takes an object away with what belongs to it alone: tags, sections, its own lists, its
/// changelog. What others say of it is left to whoever asks; something that others are part of is refused.
pub trait Writing: Reading {
    /// Writes a project.
    fn put_project(&mut self, project: &Project, expected: Option<i64>) -> Got<()>;
    /// Writes a feature.
    fn put_feature(&mut self, feature: &Feature, expected: Option<i64>) -> Got<()>;
    /// Writes a task.
    fn put_task(&mut self, task: &Task, expected: Option<i64>) -> Got<()>;
    /// Writes a section; an ordinal that another section of the same thing has is refused as a conflict.
    fn put_section(&mut self, section: &Section, expected: Option<i64>) -> Got<()>;
    /// Writes a template, which has no version; a name that another one has is refused.
    fn put_template(&mut self, template: &Template) -> Got<()>;
    /// Writes a section of a template; an ordinal that another one has is refused as a conflict.
    fn put_template_section(&mut self, section: &TemplateSection) -> Got<()>;
    /// Writes a molecule.
    fn put_molecule(&mut self, molecule: &Molecule, expected: Option<i64>) -> Got<()>;
    /// Writes an atom.
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
    /// Takes a template away with its sections.
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
