//! One unit of work on the store: the tables behind `Reading` and `Writing`.

mod backup;
mod containers;
mod graph;
mod import_v3;
mod patterns;
mod rows;
mod search;
mod sections;
#[cfg(test)]
mod tests;

use std::collections::BTreeMap;
use std::sync::Arc;

use lore_memory::check::refused;
use lore_memory::envelope::code;
use lore_memory::graph::paths::PatternIndex;
use lore_memory::id::Id;
use lore_memory::model::{
    Atom, Container, Entity, EntityType, Entry, Feature, Molecule, Parent, Pipelines, Project, Record, RepositoryKey,
    RepositoryRecord, Section, Status, TagCount, Task, TaskCounts, Template, TemplateSection,
};
use lore_memory::store::{
    ContainerFilter, ContainerOrder, Counts, Got, GraphRemoved, GraphSearch, Link, NextFilter, Page, Reading,
    TemplateFilter, Writing,
};
use rusqlite::{Connection, params};

pub(super) use backup::{copy_into, empty};
pub(super) use import_v3::read_dump;
pub(super) use patterns::PatternCache;

use rows::{Key, Listed, all, count, execute, listed, one};

/// Atoms that are read at once for an export.
const BATCH: u32 = 200;

/// One unit of work.
pub(super) struct Unit<'c> {
    pub(super) connection: &'c Connection,
    pub(super) patterns: &'c PatternCache,
    pub(super) is_writing: bool,
}

impl Reading for Unit<'_> {
    fn project(&self, id: Id) -> Got<Option<Project>> {
        containers::project(self.connection, id)
    }

    fn feature(&self, id: Id) -> Got<Option<Feature>> {
        containers::feature(self.connection, id)
    }

    fn task(&self, id: Id) -> Got<Option<Task>> {
        containers::task(self.connection, id)
    }

    fn containers(&self, filter: &ContainerFilter) -> Got<Vec<Container>> {
        containers::containers(self.connection, filter)
    }

    fn task_counts(&self, of: Entity) -> Got<TaskCounts> {
        containers::task_counts(self.connection, of)
    }

    fn next_tasks(&self, filter: &NextFilter, most: u32) -> Got<Vec<Task>> {
        containers::next_tasks(self.connection, filter, most)
    }

    fn statuses(&self, feature: Id) -> Got<Vec<Status>> {
        containers::statuses(self.connection, feature)
    }

    fn dependents(&self, id: Id) -> Got<Vec<Link>> {
        containers::dependents(self.connection, id)
    }

    fn section(&self, id: Id) -> Got<Option<Section>> {
        sections::section(self.connection, id)
    }

    fn sections(&self, of: Entity) -> Got<Vec<Section>> {
        sections::sections(self.connection, of)
    }

    fn template(&self, id: Id) -> Got<Option<Template>> {
        sections::template(self.connection, id)
    }

    fn templates(&self, filter: &TemplateFilter) -> Got<Vec<Template>> {
        sections::templates(self.connection, filter)
    }

    fn template_named(&self, name: &str) -> Got<Option<Template>> {
        sections::template_named(self.connection, name)
    }

    fn template_sections(&self, template: Id) -> Got<Vec<TemplateSection>> {
        sections::template_sections(self.connection, template)
    }

    fn tags(&self, kind: Option<EntityType>) -> Got<Vec<TagCount>> {
        containers::tags(self.connection, kind)
    }

    fn tagged(&self, tag: &str) -> Got<Vec<Entity>> {
        containers::tagged(self.connection, tag)
    }

    fn molecule(&self, id: Id) -> Got<Option<Molecule>> {
        graph::molecule(self.connection, id)
    }

    fn atom(&self, id: Id) -> Got<Option<Atom>> {
        graph::atom(self.connection, id)
    }

    fn molecules(&self, ids: &[Id]) -> Got<Vec<Molecule>> {
        let found = ids.iter().map(|id| graph::molecule(self.connection, *id));
        found.filter_map(Result::transpose).collect()
    }

    fn atoms(&self, ids: &[Id]) -> Got<Vec<Atom>> {
        let found = ids.iter().map(|id| graph::atom(self.connection, *id));
        found.filter_map(Result::transpose).collect()
    }

    fn members(&self, molecule: Id) -> Got<Vec<Atom>> {
        graph::members(self.connection, molecule)
    }

    fn names(&self, ids: &[Id]) -> Got<BTreeMap<Id, String>> {
        graph::names(self.connection, ids)
    }

    fn search(&self, search: &GraphSearch) -> Got<Vec<Id>> {
        search::search(self.connection, search)
    }

    fn entry(&self, id: Id) -> Got<Option<Entry>> {
        graph::entry(self.connection, id)
    }

    fn changelog(&self, of: Parent, page: Page) -> Got<Vec<Entry>> {
        graph::changelog(self.connection, of, page)
    }

    fn recent(&self, of: &[Parent], each: u32) -> Got<BTreeMap<Parent, Vec<Entry>>> {
        let page = Page { offset: 0, limit: each };
        let found = of
            .iter()
            .map(|parent| Ok((*parent, graph::changelog(self.connection, *parent, page)?)));
        found.collect()
    }

    fn patterns(&self, project: Id) -> Got<Arc<PatternIndex>> {
        self.patterns.patterns(self.connection, project, self.is_writing)
    }

    fn project_of(&self, repository: &RepositoryKey) -> Got<Option<Id>> {
        let by = |column: &str, value: &Option<String>| match value {
            Some(value) => {
                let sql = format!("SELECT project_id FROM project_repositories WHERE {column} = ?1");
                one(self.connection, &sql, [value], |row| Ok(row.get::<_, Key>(0)?.0))
            }
            None => Ok(None),
        };
        match by("root", &repository.root)? {
            Some(project) => Ok(Some(project)),
            None => by("origin", &repository.origin),
        }
    }

    fn repositories(&self, project: Id) -> Got<Vec<RepositoryKey>> {
        let sql = "SELECT root, origin FROM project_repositories WHERE project_id = ?1 ORDER BY rowid";
        all(self.connection, sql, [Key(project)], |row| {
            Ok(RepositoryKey {
                root: row.get(0)?,
                origin: row.get(1)?,
            })
        })
    }

    fn pipelines(&self) -> Got<Option<Pipelines>> {
        let sql = "SELECT value FROM store WHERE key = 'pipelines'";
        one(self.connection, sql, [], |row| Ok(row.get::<_, Listed<_>>(0)?.0))
    }

    fn counts(&self) -> Got<Counts> {
        let rows = |table: &str| count(self.connection, &format!("SELECT count(*) FROM {table}"), []);
        Ok(Counts {
            projects: rows("projects")?,
            features: rows("features")?,
            tasks: rows("tasks")?,
            sections: rows("sections")?,
            templates: rows("templates")?,
            molecules: rows("graph_molecules")?,
            atoms: rows("graph_atoms")?,
            changelog: rows("graph_changelog")?,
        })
    }

    fn every(&self, of: Option<Id>, each: &mut dyn FnMut(Record) -> Got<()>) -> Got<()> {
        let connection = self.connection;
        let projects = match of {
            Some(id) => self.project(id)?.into_iter().map(Container::Project).collect(),
            None => self.containers(&oldest(EntityType::Project, None))?,
        };
        for project in &projects {
            if let Container::Project(project) = project {
                each(Record::Project(project.clone()))?;
            }
        }
        for project in &projects {
            let project_id = project.entity().id;
            let mut origins: Vec<String> = self
                .repositories(project_id)?
                .into_iter()
                .filter_map(|repository| repository.origin)
                .collect();
            origins.sort();
            for origin in origins {
                each(Record::Repository(RepositoryRecord { project_id, origin }))?;
            }
        }
        for kind in [EntityType::Feature, EntityType::Task] {
            for container in self.containers(&oldest(kind, of))? {
                match container {
                    Container::Feature(feature) => each(Record::Feature(feature))?,
                    Container::Task(task) => each(Record::Task(task))?,
                    Container::Project(_) => {}
                }
            }
        }
        for section in sections::every_section(connection, of)? {
            each(Record::Section(section))?;
        }
        for template in sections::every_template(connection)? {
            each(Record::Template(template))?;
        }
        for section in sections::every_template_section(connection)? {
            each(Record::TemplateSection(section))?;
        }
        for molecule in graph::every_molecule(connection, of)? {
            each(Record::Molecule(molecule))?;
        }
        let mut after = 0;
        loop {
            let (atoms, last) = graph::atoms_after(connection, of, after, BATCH)?;
            for atom in atoms {
                each(Record::Atom(atom))?;
            }
            match last {
                Some(last) => after = last,
                None => break,
            }
        }
        for entry in graph::every_entry(connection, of)? {
            each(Record::Changelog(entry))?;
        }
        Ok(())
    }
}

fn oldest(kind: EntityType, project: Option<Id>) -> ContainerFilter {
    ContainerFilter {
        project,
        order: ContainerOrder::Oldest,
        ..ContainerFilter::all(kind)
    }
}

impl Writing for Unit<'_> {
    fn put_project(&mut self, project: &Project, expected: Option<i64>) -> Got<()> {
        containers::put_project(self.connection, project, expected)
    }

    fn put_feature(&mut self, feature: &Feature, expected: Option<i64>) -> Got<()> {
        containers::put_feature(self.connection, feature, expected)
    }

    fn put_task(&mut self, task: &Task, expected: Option<i64>) -> Got<()> {
        containers::put_task(self.connection, task, expected)
    }

    fn put_section(&mut self, section: &Section, expected: Option<i64>) -> Got<()> {
        sections::put_section(self.connection, section, expected)
    }

    fn put_template(&mut self, template: &Template) -> Got<()> {
        sections::put_template(self.connection, template)
    }

    fn put_template_section(&mut self, section: &TemplateSection) -> Got<()> {
        sections::put_template_section(self.connection, section)
    }

    fn put_molecule(&mut self, molecule: &Molecule, expected: Option<i64>) -> Got<()> {
        graph::put_molecule(self.connection, molecule, expected)
    }

    fn put_atom(&mut self, atom: &Atom, expected: Option<i64>) -> Got<()> {
        graph::put_atom(self.connection, atom, expected)
    }

    fn append(&mut self, entry: &Entry) -> Got<()> {
        graph::append(self.connection, entry)
    }

    fn remove_project(&mut self, id: Id) -> Got<()> {
        containers::remove_project(self.connection, id)
    }

    fn remove_feature(&mut self, id: Id) -> Got<()> {
        containers::remove_feature(self.connection, id)
    }

    fn remove_task(&mut self, id: Id) -> Got<()> {
        containers::remove_task(self.connection, id)
    }

    fn remove_section(&mut self, id: Id) -> Got<bool> {
        sections::remove_section(self.connection, id)
    }

    fn remove_template(&mut self, id: Id) -> Got<()> {
        sections::remove_template(self.connection, id)
    }

    fn remove_molecule(&mut self, id: Id) -> Got<()> {
        graph::remove_molecule(self.connection, id)
    }

    fn remove_atom(&mut self, id: Id) -> Got<()> {
        graph::remove_atom(self.connection, id)
    }

    fn remove_graph(&mut self, project: Id) -> Got<GraphRemoved> {
        graph::remove_graph(self.connection, project)
    }

    fn set_tags(&mut self, of: Entity, tags: &[String]) -> Got<()> {
        containers::set_tags(self.connection, of, tags)
    }

    fn lock_pipelines(&mut self, pipelines: Option<&Pipelines>) -> Got<()> {
        match pipelines {
            Some(pipelines) => {
                let sql = "INSERT INTO store (key, value) VALUES ('pipelines', ?1) \
                           ON CONFLICT (key) DO UPDATE SET value = excluded.value";
                execute(self.connection, sql, [listed(pipelines)?])?;
            }
            None => {
                execute(self.connection, "DELETE FROM store WHERE key = 'pipelines'", [])?;
            }
        }
        Ok(())
    }

    fn link_repository(&mut self, project: Id, repository: &RepositoryKey) -> Got<()> {
        if let Some(other) = self.project_of(repository)?.filter(|other| *other != project) {
            let message = format!("the repository belongs to project {other}");
            return Err(refused(code::CONFLICT, message));
        }
        // The directory may be this project's while the origin is another's.
        let by_origin = RepositoryKey {
            root: None,
            origin: repository.origin.clone(),
        };
        if let Some(other) = self.project_of(&by_origin)?.filter(|other| *other != project) {
            let message = format!("the repository belongs to project {other}");
            return Err(refused(code::CONFLICT, message));
        }
        let sql = "DELETE FROM project_repositories WHERE root = ?1 OR origin = ?2";
        execute(self.connection, sql, params![repository.root, repository.origin])?;
        let sql = "INSERT INTO project_repositories (project_id, root, origin) VALUES (?1, ?2, ?3)";
        let values = params![Key(project), repository.root, repository.origin];
        execute(self.connection, sql, values)?;
        Ok(())
    }

    fn unlink_repositories(&mut self, project: Id) -> Got<u64> {
        let sql = "DELETE FROM project_repositories WHERE project_id = ?1";
        Ok(execute(self.connection, sql, [Key(project)])? as u64)
    }
}
