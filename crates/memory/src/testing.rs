//! `StoreInMemory`: the port over maps in memory, for tests that need no database. It keeps the same contract as every other store.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};

use super::check::{conflict, not_found, refused};
use super::envelope::code;
use super::fold::{fold, searched};
use super::graph::paths::PatternIndex;
use super::id::Id;
use super::model::{
    Atom, Blocker, Container, Entity, EntityType, Entry, Feature, LinkType, Molecule, Parent, ParentType, Pipelines,
    Priority, Project, Record, RepositoryKey, RepositoryRecord, Section, Status, TagCount, Task, TaskCounts, Template,
    TemplateSection,
};
use super::store::{
    ContainerFilter, ContainerOrder, Counts, Got, GraphRemoved, GraphSearch, Link, Memory, NextFilter, Page, ReadWork,
    Reading, StoreFile, TemplateFilter, WriteWork, Writing,
};
use super::transfer::v3::Dump;
use lore_seam::world::World;
use lore_seam::{ErrorKind, OpError, PortMap, StateInMemory};

/// The identifier of a number, in the form of version 7.
pub fn numbered(number: u64) -> Id {
    Id::from_bytes(lore_seam::world::numbered(number))
}

/// The ports of a world whose memory is in a store.
pub fn facets(shelf: &Arc<StoreInMemory>) -> PortMap {
    PortMap::default().with::<dyn Memory>(Arc::clone(shelf) as Arc<dyn Memory>)
}

/// A world with an empty memory.
pub fn world() -> World {
    World {
        facets: facets(&Arc::default()),
        ..World::default()
    }
}

/// A store in memory.
#[derive(Debug, Default)]
pub struct StoreInMemory {
    state: StateInMemory<State>,
    aside: Mutex<Vec<State>>,
}

impl Memory for StoreInMemory {
    fn read(&self, work: ReadWork<'_>) -> Got<()> {
        self.state.trial(|state| work(state))
    }

    fn write(&self, work: WriteWork<'_>) -> Got<()> {
        self.state.write(|state| work(state))
    }

    fn trial(&self, work: WriteWork<'_>) -> Got<()> {
        self.state.trial(|state| work(state))
    }

    fn place(&self) -> Got<StoreFile> {
        Ok(StoreFile {
            path: "shelf".to_owned(),
            exists: self.state.lock().next > 0,
            ..StoreFile::default()
        })
    }

    fn set_aside(&self, stamp: &str) -> Got<String> {
        let state = std::mem::take(&mut *self.state.lock());
        self.aside.lock().expect("whole").push(state);
        Ok(format!("memory-{stamp}.db"))
    }

    fn read_v3(&self, path: &str) -> Got<Dump> {
        Err(OpError::new(
            ErrorKind::Unavailable,
            format!("{path} cannot be read here"),
        ))
    }
}

/// A row and when it was made.
#[derive(Clone, Debug)]
struct Row<T> {
    sequence: u64,
    value: T,
}

type Table<T> = BTreeMap<Id, Row<T>>;

#[derive(Clone, Debug, Default)]
struct State {
    next: u64,
    projects: Table<Project>,
    features: Table<Feature>,
    tasks: Table<Task>,
    sections: Table<Section>,
    templates: Table<Template>,
    template_sections: Table<TemplateSection>,
    molecules: Table<Molecule>,
    atoms: Table<Atom>,
    changelog: Table<Entry>,
    repositories: Vec<(Id, RepositoryKey)>,
    pipelines: Option<Pipelines>,
}

/// What the tables hold has an identifier, and most of it a version.
trait Kept: Clone {
    const WHAT: &'static str;

    fn id(&self) -> Id;

    fn version(&self) -> i64;
}

macro_rules! kept {
    ($($name:ident $what:literal $version:expr;)+) => {
        $(impl Kept for $name {
            const WHAT: &'static str = $what;

            fn id(&self) -> Id {
                self.id
            }

            fn version(&self) -> i64 {
                let version: fn(&Self) -> i64 = $version;
                version(self)
            }
        })+
    };
}

kept! {
    Project "Project" |it| it.version;
    Feature "Feature" |it| it.version;
    Task "Task" |it| it.version;
    Section "Section" |it| it.version;
    Template "Template" |_| 0;
    TemplateSection "Template section" |_| 0;
    Molecule "Molecule" |it| it.version;
    Atom "Atom" |it| it.version;
    Entry "Changelog entry" |_| 0;
}

/// Writes a row: a new one, or in place of the one that has the version.
fn put<T: Kept>(table: &mut Table<T>, next: &mut u64, value: T, expected: Option<i64>) -> Got<()> {
    let id = value.id();
    match (table.get_mut(&id), expected) {
        (None, None) => {
            *next += 1;
            table.insert(id, Row { sequence: *next, value });
            Ok(())
        }
        (None, Some(_)) => Err(not_found(T::WHAT, id)),
        (Some(_), None) => {
            let message = format!("{} {id} exists already", T::WHAT.to_lowercase());
            Err(refused(code::CONFLICT, message))
        }
        (Some(row), Some(expected)) if row.value.version() == expected => {
            row.value = value;
            Ok(())
        }
        (Some(row), Some(expected)) => Err(conflict(id, expected, row.value.version())),
    }
}

/// Refuses what [`put`] would refuse, before anything else is looked at.
fn guard<T: Kept>(table: &Table<T>, id: Id, expected: Option<i64>) -> Got<()> {
    let mut known: Table<T> = table.get(&id).map(|row| (id, row.clone())).into_iter().collect();
    match known.remove(&id) {
        None if expected.is_none() => Ok(()),
        None => Err(not_found(T::WHAT, id)),
        Some(row) => {
            let value = row.value.clone();
            known.insert(id, row);
            put(&mut known, &mut 0, value, expected)
        }
    }
}

fn get<T: Clone>(table: &Table<T>, id: Id) -> Got<Option<T>> {
    Ok(table.get(&id).map(|row| row.value.clone()))
}

/// The rows in the order in which they were made.
fn in_order<T>(table: &Table<T>) -> Vec<&Row<T>> {
    let mut rows: Vec<&Row<T>> = table.values().collect();
    rows.sort_by_key(|row| row.sequence);
    rows
}

fn sorted(tags: &[String]) -> Vec<String> {
    let mut tags = tags.to_vec();
    tags.sort();
    tags.dedup();
    tags
}

fn dangling(what: &str, id: Id) -> OpError {
    refused(code::INVARIANT_VIOLATION, format!("there is no {what} {id}"))
}

fn has_children(what: &str, id: Id) -> OpError {
    refused(code::HAS_CHILDREN, format!("others are part of {what} {id}"))
}

fn by_name<'r, T>(rows: impl Iterator<Item = &'r Row<T>>, name: impl Fn(&T) -> (&str, Id)) -> Vec<&'r T> {
    let mut rows: Vec<&T> = rows.map(|row| &row.value).collect();
    rows.sort_by_cached_key(|value| {
        let (name, id) = name(value);
        (fold(name), name.to_owned(), id)
    });
    rows
}

impl State {
    fn check_project(&self, id: Option<Id>) -> Got<()> {
        match id.filter(|id| !self.projects.contains_key(id)) {
            Some(id) => Err(dangling("project", id)),
            None => Ok(()),
        }
    }

    fn rows_of(&self, kind: EntityType) -> Vec<(u64, Container)> {
        match kind {
            EntityType::Project => in_order(&self.projects)
                .into_iter()
                .map(|row| (row.sequence, Container::Project(row.value.clone())))
                .collect(),
            EntityType::Feature => in_order(&self.features)
                .into_iter()
                .map(|row| (row.sequence, Container::Feature(row.value.clone())))
                .collect(),
            EntityType::Task => in_order(&self.tasks)
                .into_iter()
                .map(|row| (row.sequence, Container::Task(row.value.clone())))
                .collect(),
        }
    }

    fn forget(&mut self, of: Parent) -> u64 {
        let before = self.changelog.len();
        self.changelog.retain(|_, row| row.value.parent() != of);
        (before - self.changelog.len()) as u64
    }
}

fn belongs(container: &Container, filter: &ContainerFilter) -> bool {
    let (project, feature, priority, text) = match container {
        Container::Project(it) => (
            None,
            None,
            None,
            [
                it.name.as_str(),
                &it.summary,
                it.description.as_deref().unwrap_or_default(),
            ],
        ),
        Container::Feature(it) => (
            it.project_id,
            None,
            Some(it.priority),
            [
                it.name.as_str(),
                &it.summary,
                it.description.as_deref().unwrap_or_default(),
            ],
        ),
        Container::Task(it) => (
            it.project_id,
            it.feature_id,
            Some(it.priority),
            [
                it.title.as_str(),
                &it.summary,
                it.description.as_deref().unwrap_or_default(),
            ],
        ),
    };
    let text = searched(&text);
    filter.words.iter().all(|word| text.contains(word.as_str()))
        && container.status().is_none_or(|status| filter.status.takes(status))
        && priority.is_none_or(|priority| filter.priority.takes(&priority))
        && filter.tags.takes(container.tags())
        && filter.project.is_none_or(|wanted| project == Some(wanted))
        && filter.feature.is_none_or(|wanted| feature == Some(wanted))
        && filter
            .blocked
            .is_none_or(|wanted| wanted != container.blocked_by().is_empty())
        && filter.name.as_ref().is_none_or(|name| container.name() == name)
}

/// What containers are sorted by; smaller comes first.
fn urgency(container: &Container) -> (Option<Priority>, i64) {
    match container {
        Container::Project(_) => (None, 0),
        Container::Feature(feature) => (Some(feature.priority), 0),
        Container::Task(task) => (Some(task.priority), task.complexity),
    }
}

fn times(container: &Container) -> (&str, &str) {
    match container {
        Container::Project(it) => (&it.created_at, &it.modified_at),
        Container::Feature(it) => (&it.created_at, &it.modified_at),
        Container::Task(it) => (&it.created_at, &it.modified_at),
    }
}

impl Reading for State {
    fn project(&self, id: Id) -> Got<Option<Project>> {
        get(&self.projects, id)
    }

    fn feature(&self, id: Id) -> Got<Option<Feature>> {
        get(&self.features, id)
    }

    fn task(&self, id: Id) -> Got<Option<Task>> {
        get(&self.tasks, id)
    }

    fn containers(&self, filter: &ContainerFilter) -> Got<Vec<Container>> {
        let mut rows = self.rows_of(filter.kind);
        rows.retain(|(_, container)| belongs(container, filter));
        rows.sort_by(|(a_sequence, a), (b_sequence, b)| match filter.order {
            ContainerOrder::Newest => (times(b).0, b_sequence).cmp(&(times(a).0, a_sequence)),
            ContainerOrder::Modified => (times(b).1, b_sequence).cmp(&(times(a).1, a_sequence)),
            ContainerOrder::Urgent => (urgency(a), a_sequence).cmp(&(urgency(b), b_sequence)),
            ContainerOrder::Oldest => a_sequence.cmp(b_sequence),
        });
        let rows = rows.into_iter().map(|(_, container)| container);
        let limit = filter.limit.map_or(usize::MAX, |limit| limit as usize);
        Ok(rows.skip(filter.offset as usize).take(limit).collect())
    }

    fn task_counts(&self, of: Entity) -> Got<TaskCounts> {
        let mut counts = TaskCounts::default();
        for row in self.tasks.values() {
            let task = &row.value;
            let is_of = match of.kind {
                EntityType::Project => task.project_id == Some(of.id),
                EntityType::Feature => task.feature_id == Some(of.id),
                EntityType::Task => task.id == of.id,
            };
            if is_of {
                counts.total += 1;
                *counts.by_status.entry(task.status.word().to_owned()).or_default() += 1;
            }
        }
        Ok(counts)
    }

    fn next_tasks(&self, filter: &NextFilter, most: u32) -> Got<Vec<Task>> {
        let is_open = |feature: Id| {
            self.features
                .get(&feature)
                .is_some_and(|row| row.value.blocked_by.is_empty() && !filter.terminal.contains(&row.value.status))
        };
        let mut rows = in_order(&self.tasks);
        rows.retain(|row| {
            let task = &row.value;
            task.status == Status::New
                && task.blocked_by.is_empty()
                && filter.project.is_none_or(|wanted| task.project_id == Some(wanted))
                && filter.feature.is_none_or(|wanted| task.feature_id == Some(wanted))
                && filter.priority.is_none_or(|wanted| task.priority == wanted)
                && task.feature_id.is_none_or(is_open)
        });
        rows.sort_by_key(|row| (row.value.priority, row.value.complexity, row.sequence));
        let rows = rows.into_iter().take(most as usize);
        Ok(rows.map(|row| row.value.clone()).collect())
    }

    fn statuses(&self, feature: Id) -> Got<Vec<Status>> {
        let tasks = in_order(&self.tasks).into_iter().map(|row| &row.value);
        let tasks = tasks.filter(|task| task.feature_id == Some(feature));
        Ok(tasks.map(|task| task.status.clone()).collect())
    }

    fn dependents(&self, id: Id) -> Got<Vec<Link>> {
        let mut links = Vec::new();
        for kind in [LinkType::Blocks, LinkType::RelatesTo] {
            for of in [EntityType::Task, EntityType::Feature] {
                for (_, container) in self.rows_of(of) {
                    let related = match &container {
                        Container::Project(_) => &[][..],
                        Container::Feature(feature) => &feature.related_to,
                        Container::Task(task) => &task.related_to,
                    };
                    let is_linked = match kind {
                        LinkType::Blocks => container.blocked_by().contains(&Blocker::Entity(id)),
                        LinkType::RelatesTo => related.contains(&id),
                    };
                    if is_linked {
                        links.push(Link {
                            kind,
                            entity: container.entity(),
                        });
                    }
                }
            }
        }
        Ok(links)
    }

    fn section(&self, id: Id) -> Got<Option<Section>> {
        get(&self.sections, id)
    }

    fn sections(&self, of: Entity) -> Got<Vec<Section>> {
        let mut found: Vec<Section> = self
            .sections
            .values()
            .filter(|row| row.value.of == of)
            .map(|row| row.value.clone())
            .collect();
        found.sort_by_key(|section| section.ordinal);
        Ok(found)
    }

    fn template(&self, id: Id) -> Got<Option<Template>> {
        get(&self.templates, id)
    }

    fn templates(&self, filter: &TemplateFilter) -> Got<Vec<Template>> {
        let mut found: Vec<Template> = self.templates.values().map(|row| row.value.clone()).collect();
        found.retain(|template| {
            filter.target.is_none_or(|wanted| template.target_entity_type == wanted)
                && filter.built_in.is_none_or(|wanted| template.is_built_in == wanted)
                && filter.enabled.is_none_or(|wanted| template.is_enabled == wanted)
                && (filter.tags.is_empty() || filter.tags.iter().any(|tag| template.tags.contains(tag)))
        });
        found.sort_by(|a, b| a.name.cmp(&b.name));
        Ok(found)
    }

    fn template_named(&self, name: &str) -> Got<Option<Template>> {
        let mut templates = self.templates.values();
        let found = templates.find(|row| row.value.name == name);
        Ok(found.map(|row| row.value.clone()))
    }

    fn template_sections(&self, template: Id) -> Got<Vec<TemplateSection>> {
        let mut found: Vec<TemplateSection> = self
            .template_sections
            .values()
            .filter(|row| row.value.template_id == template)
            .map(|row| row.value.clone())
            .collect();
        found.sort_by_key(|section| section.ordinal);
        Ok(found)
    }

    fn tags(&self, kind: Option<EntityType>) -> Got<Vec<TagCount>> {
        let mut counts: BTreeMap<String, u64> = BTreeMap::new();
        for of in [EntityType::Project, EntityType::Feature, EntityType::Task] {
            if kind.is_none_or(|kind| kind == of) {
                for (_, container) in self.rows_of(of) {
                    for tag in container.tags() {
                        *counts.entry(tag.clone()).or_default() += 1;
                    }
                }
            }
        }
        let mut found: Vec<TagCount> = counts.into_iter().map(|(tag, count)| TagCount { tag, count }).collect();
        found.sort_by(|a, b| b.count.cmp(&a.count).then_with(|| a.tag.cmp(&b.tag)));
        Ok(found)
    }

    fn tagged(&self, tag: &str) -> Got<Vec<Entity>> {
        let kinds = [EntityType::Project, EntityType::Feature, EntityType::Task];
        let rows = kinds.into_iter().flat_map(|kind| self.rows_of(kind));
        let found = rows.filter(|(_, container)| container.tags().iter().any(|known| known == tag));
        Ok(found.map(|(_, container)| container.entity()).collect())
    }

    fn molecule(&self, id: Id) -> Got<Option<Molecule>> {
        get(&self.molecules, id)
    }

    fn atom(&self, id: Id) -> Got<Option<Atom>> {
        get(&self.atoms, id)
    }

    fn molecules(&self, ids: &[Id]) -> Got<Vec<Molecule>> {
        let rows = ids.iter().filter_map(|id| self.molecules.get(id));
        Ok(rows.map(|row| row.value.clone()).collect())
    }

    fn atoms(&self, ids: &[Id]) -> Got<Vec<Atom>> {
        let rows = ids.iter().filter_map(|id| self.atoms.get(id));
        Ok(rows.map(|row| row.value.clone()).collect())
    }

    fn members(&self, molecule: Id) -> Got<Vec<Atom>> {
        let rows = self.atoms.values();
        let rows = rows.filter(|row| row.value.molecule_id == Some(molecule));
        let found = by_name(rows, |atom| (&atom.name, atom.id));
        Ok(found.into_iter().cloned().collect())
    }

    fn names(&self, ids: &[Id]) -> Got<BTreeMap<Id, String>> {
        let name = |id: &Id| {
            let atom = self.atoms.get(id).map(|row| &row.value.name);
            atom.or_else(|| self.molecules.get(id).map(|row| &row.value.name))
        };
        Ok(ids.iter().filter_map(|id| Some((*id, name(id)?.clone()))).collect())
    }

    fn search(&self, search: &GraphSearch) -> Got<Vec<Id>> {
        let has_words = |name: &str, knowledge: &str| {
            let (name, knowledge) = (fold(name), fold(knowledge));
            let mut words = search.words.iter();
            words.all(|word| name.contains(word.as_str()) || knowledge.contains(word.as_str()))
        };
        let found: Vec<Id> = match search.kind {
            ParentType::Atom => {
                let rows = self.atoms.values().filter(|row| {
                    let atom = &row.value;
                    atom.project_id == search.project
                        && search.molecule.is_none_or(|wanted| atom.molecule_id == Some(wanted))
                        && !(search.orphans_only && atom.molecule_id.is_some())
                        && has_words(&atom.name, &atom.knowledge)
                });
                let atoms = by_name(rows, |atom| (&atom.name, atom.id));
                atoms.into_iter().map(|atom| atom.id).collect()
            }
            ParentType::Molecule => {
                let rows = self.molecules.values().filter(|row| {
                    row.value.project_id == search.project && has_words(&row.value.name, &row.value.knowledge)
                });
                let molecules = by_name(rows, |molecule| (&molecule.name, molecule.id));
                molecules.into_iter().map(|molecule| molecule.id).collect()
            }
        };
        let found = found.into_iter().skip(search.offset as usize);
        Ok(found.take(search.limit as usize).collect())
    }

    fn entry(&self, id: Id) -> Got<Option<Entry>> {
        get(&self.changelog, id)
    }

    fn changelog(&self, of: Parent, page: Page) -> Got<Vec<Entry>> {
        let mut rows = in_order(&self.changelog);
        rows.retain(|row| row.value.parent() == of);
        let rows = rows.into_iter().rev().skip(page.offset as usize);
        Ok(rows.take(page.limit as usize).map(|row| row.value.clone()).collect())
    }

    fn recent(&self, of: &[Parent], each: u32) -> Got<BTreeMap<Parent, Vec<Entry>>> {
        let page = Page { offset: 0, limit: each };
        let mut found = BTreeMap::new();
        for parent in of {
            found.insert(*parent, self.changelog(*parent, page)?);
        }
        Ok(found)
    }

    fn patterns(&self, project: Id) -> Got<Arc<PatternIndex>> {
        let atoms = self.atoms.values().map(|row| &row.value);
        let atoms = atoms.filter(|atom| atom.project_id == project);
        let mut index = PatternIndex::default();
        index.apply(atoms.map(|atom| (atom.id, atom.paths.clone())).collect(), &[]);
        Ok(Arc::new(index))
    }

    fn project_of(&self, repository: &RepositoryKey) -> Got<Option<Id>> {
        let by = |same: &dyn Fn(&RepositoryKey) -> bool| {
            let found = self.repositories.iter().find(|(_, known)| same(known));
            found.map(|(project, _)| *project)
        };
        let by_root = by(&|known| known.root.is_some() && known.root == repository.root);
        Ok(by_root.or_else(|| by(&|known| known.origin.is_some() && known.origin == repository.origin)))
    }

    fn repositories(&self, project: Id) -> Got<Vec<RepositoryKey>> {
        let of = self.repositories.iter().filter(|(known, _)| *known == project);
        Ok(of.map(|(_, repository)| repository.clone()).collect())
    }

    fn pipelines(&self) -> Got<Option<Pipelines>> {
        Ok(self.pipelines.clone())
    }

    fn counts(&self) -> Got<Counts> {
        Ok(Counts {
            projects: self.projects.len() as u64,
            features: self.features.len() as u64,
            tasks: self.tasks.len() as u64,
            sections: self.sections.len() as u64,
            templates: self.templates.len() as u64,
            molecules: self.molecules.len() as u64,
            atoms: self.atoms.len() as u64,
            changelog: self.changelog.len() as u64,
        })
    }

    fn every(&self, of: Option<Id>, each: &mut dyn FnMut(Record) -> Got<()>) -> Got<()> {
        let is_of = |project: Option<Id>| of.is_none() || project == of;
        let owner = |entity: Entity| match entity.kind {
            EntityType::Project => Some(entity.id),
            EntityType::Feature => self.features.get(&entity.id).and_then(|row| row.value.project_id),
            EntityType::Task => self.tasks.get(&entity.id).and_then(|row| row.value.project_id),
        };
        let parent = |entry: &Entry| match entry.parent_type {
            ParentType::Atom => self.atoms.get(&entry.parent_id).map(|row| row.value.project_id),
            ParentType::Molecule => self.molecules.get(&entry.parent_id).map(|row| row.value.project_id),
        };
        let mut records = Vec::new();
        let projects = in_order(&self.projects).into_iter().map(|row| &row.value);
        let projects: Vec<&Project> = projects.filter(|project| is_of(Some(project.id))).collect();
        records.extend(projects.iter().map(|project| Record::Project((*project).clone())));
        for project in &projects {
            let of_it = self.repositories.iter().filter(|(known, _)| *known == project.id);
            let mut origins: Vec<&String> = of_it.filter_map(|(_, known)| known.origin.as_ref()).collect();
            origins.sort();
            records.extend(origins.into_iter().map(|origin| {
                Record::Repository(RepositoryRecord {
                    project_id: project.id,
                    origin: origin.clone(),
                })
            }));
        }
        let features = in_order(&self.features).into_iter().map(|row| &row.value);
        records.extend(features.filter(|it| is_of(it.project_id)).cloned().map(Record::Feature));
        let tasks = in_order(&self.tasks).into_iter().map(|row| &row.value);
        records.extend(tasks.filter(|it| is_of(it.project_id)).cloned().map(Record::Task));
        let sections = in_order(&self.sections).into_iter().map(|row| &row.value);
        records.extend(sections.filter(|it| is_of(owner(it.of))).cloned().map(Record::Section));
        let templates = in_order(&self.templates).into_iter().map(|row| &row.value);
        records.extend(templates.cloned().map(Record::Template));
        let template_sections = in_order(&self.template_sections).into_iter().map(|row| &row.value);
        records.extend(template_sections.cloned().map(Record::TemplateSection));
        let molecules = in_order(&self.molecules).into_iter().map(|row| &row.value);
        records.extend(
            molecules
                .filter(|it| is_of(Some(it.project_id)))
                .cloned()
                .map(Record::Molecule),
        );
        let atoms = in_order(&self.atoms).into_iter().map(|row| &row.value);
        records.extend(atoms.filter(|it| is_of(Some(it.project_id))).cloned().map(Record::Atom));
        let entries = in_order(&self.changelog).into_iter().map(|row| &row.value);
        records.extend(entries.filter(|it| is_of(parent(it))).cloned().map(Record::Changelog));
        records.into_iter().try_for_each(each)
    }
}

impl Writing for State {
    fn put_project(&mut self, project: &Project, expected: Option<i64>) -> Got<()> {
        let mut project = project.clone();
        project.tags = sorted(&project.tags);
        put(&mut self.projects, &mut self.next, project, expected)
    }

    fn put_feature(&mut self, feature: &Feature, expected: Option<i64>) -> Got<()> {
        guard(&self.features, feature.id, expected)?;
        self.check_project(feature.project_id)?;
        let mut feature = feature.clone();
        feature.tags = sorted(&feature.tags);
        put(&mut self.features, &mut self.next, feature, expected)
    }

    fn put_task(&mut self, task: &Task, expected: Option<i64>) -> Got<()> {
        guard(&self.tasks, task.id, expected)?;
        self.check_project(task.project_id)?;
        if let Some(id) = task.feature_id.filter(|id| !self.features.contains_key(id)) {
            return Err(dangling("feature", id));
        }
        let mut task = task.clone();
        task.tags = sorted(&task.tags);
        put(&mut self.tasks, &mut self.next, task, expected)
    }

    fn put_section(&mut self, section: &Section, expected: Option<i64>) -> Got<()> {
        let others = self.sections.values().map(|row| &row.value);
        let mut others = others.filter(|other| other.id != section.id && other.of == section.of);
        if others.any(|other| other.ordinal == section.ordinal) {
            let message = format!("another section has the ordinal {}", section.ordinal);
            return Err(refused(code::CONFLICT, message));
        }
        put(&mut self.sections, &mut self.next, section.clone(), expected)
    }

    fn put_template(&mut self, template: &Template) -> Got<()> {
        let mut others = self.templates.values().filter(|row| row.value.id != template.id);
        if others.any(|row| row.value.name == template.name) {
            let message = format!("another template is called `{}`", template.name);
            return Err(refused(code::DUPLICATE_NAME, message));
        }
        let expected = self.templates.contains_key(&template.id).then_some(0);
        put(&mut self.templates, &mut self.next, template.clone(), expected)
    }

    fn put_template_section(&mut self, section: &TemplateSection) -> Got<()> {
        if !self.templates.contains_key(&section.template_id) {
            return Err(dangling("template", section.template_id));
        }
        let others = self.template_sections.values().map(|row| &row.value);
        let mut others = others.filter(|other| other.id != section.id && other.template_id == section.template_id);
        if others.any(|other| other.ordinal == section.ordinal) {
            let message = format!("another section has the ordinal {}", section.ordinal);
            return Err(refused(code::CONFLICT, message));
        }
        let expected = self.template_sections.contains_key(&section.id).then_some(0);
        put(&mut self.template_sections, &mut self.next, section.clone(), expected)
    }

    fn put_molecule(&mut self, molecule: &Molecule, expected: Option<i64>) -> Got<()> {
        guard(&self.molecules, molecule.id, expected)?;
        self.check_project(Some(molecule.project_id))?;
        put(&mut self.molecules, &mut self.next, molecule.clone(), expected)
    }

    fn put_atom(&mut self, atom: &Atom, expected: Option<i64>) -> Got<()> {
        guard(&self.atoms, atom.id, expected)?;
        self.check_project(Some(atom.project_id))?;
        if let Some(id) = atom.molecule_id.filter(|id| !self.molecules.contains_key(id)) {
            return Err(dangling("molecule", id));
        }
        put(&mut self.atoms, &mut self.next, atom.clone(), expected)
    }

    fn append(&mut self, entry: &Entry) -> Got<()> {
        put(&mut self.changelog, &mut self.next, entry.clone(), None)
    }

    fn remove_project(&mut self, id: Id) -> Got<()> {
        let is_parent = self.features.values().any(|row| row.value.project_id == Some(id))
            || self.tasks.values().any(|row| row.value.project_id == Some(id))
            || self.molecules.values().any(|row| row.value.project_id == id)
            || self.atoms.values().any(|row| row.value.project_id == id);
        if is_parent {
            return Err(has_children("project", id));
        }
        self.projects.remove(&id).ok_or_else(|| not_found("Project", id))?;
        self.sections.retain(|_, row| row.value.of != Entity::project(id));
        self.repositories.retain(|(project, _)| *project != id);
        Ok(())
    }

    fn remove_feature(&mut self, id: Id) -> Got<()> {
        if self.tasks.values().any(|row| row.value.feature_id == Some(id)) {
            return Err(has_children("feature", id));
        }
        self.features.remove(&id).ok_or_else(|| not_found("Feature", id))?;
        self.sections.retain(|_, row| row.value.of != Entity::feature(id));
        Ok(())
    }

    fn remove_task(&mut self, id: Id) -> Got<()> {
        self.tasks.remove(&id).ok_or_else(|| not_found("Task", id))?;
        self.sections.retain(|_, row| row.value.of != Entity::task(id));
        Ok(())
    }

    fn remove_section(&mut self, id: Id) -> Got<bool> {
        Ok(self.sections.remove(&id).is_some())
    }

    fn remove_template(&mut self, id: Id) -> Got<()> {
        self.templates.remove(&id).ok_or_else(|| not_found("Template", id))?;
        self.template_sections.retain(|_, row| row.value.template_id != id);
        Ok(())
    }

    fn remove_molecule(&mut self, id: Id) -> Got<()> {
        if self.atoms.values().any(|row| row.value.molecule_id == Some(id)) {
            return Err(has_children("molecule", id));
        }
        self.molecules.remove(&id).ok_or_else(|| not_found("Molecule", id))?;
        self.forget(Parent::molecule(id));
        Ok(())
    }

    fn remove_atom(&mut self, id: Id) -> Got<()> {
        self.atoms.remove(&id).ok_or_else(|| not_found("Atom", id))?;
        self.forget(Parent::atom(id));
        Ok(())
    }

    fn remove_graph(&mut self, project: Id) -> Got<GraphRemoved> {
        let mut removed = GraphRemoved::default();
        let atoms = self.atoms.values().map(|row| &row.value);
        let atoms: Vec<Id> = atoms.filter(|it| it.project_id == project).map(|it| it.id).collect();
        let molecules = self.molecules.values().map(|row| &row.value);
        let molecules: Vec<Id> = molecules
            .filter(|it| it.project_id == project)
            .map(|it| it.id)
            .collect();
        for id in atoms {
            self.atoms.remove(&id);
            removed.atoms += 1;
            removed.changelog += self.forget(Parent::atom(id));
        }
        for id in molecules {
            self.molecules.remove(&id);
            removed.molecules += 1;
            removed.changelog += self.forget(Parent::molecule(id));
        }
        Ok(removed)
    }

    fn set_tags(&mut self, of: Entity, tags: &[String]) -> Got<()> {
        let tags = sorted(tags);
        let kept = match of.kind {
            EntityType::Project => self.projects.get_mut(&of.id).map(|row| &mut row.value.tags),
            EntityType::Feature => self.features.get_mut(&of.id).map(|row| &mut row.value.tags),
            EntityType::Task => self.tasks.get_mut(&of.id).map(|row| &mut row.value.tags),
        };
        match kept {
            Some(kept) => *kept = tags,
            None => return Err(not_found("Entity", of.id)),
        }
        Ok(())
    }

    fn lock_pipelines(&mut self, pipelines: Option<&Pipelines>) -> Got<()> {
        self.pipelines = pipelines.cloned();
        Ok(())
    }

    fn link_repository(&mut self, project: Id, repository: &RepositoryKey) -> Got<()> {
        self.check_project(Some(project))?;
        let taken = self.repositories.iter().find(|(known, key)| {
            let same_root = key.root.is_some() && key.root == repository.root;
            let same_origin = key.origin.is_some() && key.origin == repository.origin;
            *known != project && (same_root || same_origin)
        });
        if let Some((other, _)) = taken {
            let message = format!("the repository belongs to project {other}");
            return Err(refused(code::CONFLICT, message));
        }
        let is_known = |(_, key): &(Id, RepositoryKey)| {
            (key.root.is_some() && key.root == repository.root)
                || (key.origin.is_some() && key.origin == repository.origin)
        };
        self.repositories.retain(|known| !is_known(known));
        self.repositories.push((project, repository.clone()));
        Ok(())
    }

    fn unlink_repositories(&mut self, project: Id) -> Got<u64> {
        let before = self.repositories.len();
        self.repositories.retain(|(known, _)| *known != project);
        Ok((before - self.repositories.len()) as u64)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::contract::{CASES, walk};

    #[test]
    fn the_shelf_keeps_the_contract() {
        for (what, case) in CASES {
            assert_eq!(case(&StoreInMemory::default()), Ok(()), "{what}");
        }
    }

    #[test]
    fn the_shelf_says_the_same_twice() {
        assert_eq!(
            walk(&StoreInMemory::default(), &StoreInMemory::default(), 1, 40),
            Ok(())
        );
    }
}
