//! Renders a registry to a directory that any static host can serve, and writes only what changed (clauses A5, A8, S10).
//!
//! A state file in the directory has the number of the last rendered event. Later events name the entries to compare;
//! without a state file everything is compared. Files of entries come first, then the lists, and the state file last, so an
//! interrupted render is simply repeated.

use std::collections::{BTreeMap, BTreeSet};

use lore_model::{Cancel, Progress};
use schemars::JsonSchema;
use serde::Serialize;

use super::output::Output;
use super::state::{Mark, State};
use crate::documents::{
    badge, changes, crawlers, page, path, registry, repos, service, sha256, sitemap, sparse, stats,
};
use lore_base::counted::counted_as;
use lore_ckgp::forge::RepositoryId;
use lore_ckgp::registry_store::entry::{Entry, Seconds};
use lore_ckgp::registry_store::store::{About, Event, Reading};
use lore_seam::{ErrorKind, Files, OpError, PathKind};

/// Which files are written, and whether. Another number, or another version of Lore, compares everything once.
const RENDERER: &str = concat!(env!("CARGO_PKG_VERSION"), "/1");
/// Events that are asked for at once.
const EVENTS: usize = 1_000;
/// Files of an answer that are named.
pub(super) const MOST_NAMED: usize = 100;

/// How to render.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Options {
    /// Compare everything, whatever the state file says.
    pub full: bool,
    /// Write nothing.
    pub dry_run: bool,
}

/// The result of a render
#[derive(Serialize, JsonSchema, Clone, PartialEq, Eq, Debug, Default)]
pub struct Rendered {
    /// The directory or address
    pub directory: String,
    /// Whether this was a dry run
    pub dry_run: bool,
    /// The number of the last rendered event
    pub last_event: u64,
    /// Number of written files
    pub written: u64,
    /// Number of removed files
    pub removed: u64,
    /// Number of unchanged files
    pub unchanged: u64,
    /// The first hundred written files
    pub written_files: Vec<String>,
    /// The first hundred removed files
    pub removed_files: Vec<String>,
    /// Remarks
    pub remarks: Vec<String>,
}

/// Renders a registry below a directory.
pub fn render(
    store: &dyn Reading,
    files: &dyn Files,
    directory: &str,
    options: Options,
    progress: &dyn Progress,
    cancel: &Cancel,
) -> Result<Rendered, OpError> {
    let about = store.about()?.ok_or_else(|| {
        OpError::new(ErrorKind::NotFound, "there is no registry yet").hint("`lore registry init --name NAME` makes one")
    })?;
    if files.kind(directory) == Some(PathKind::File) {
        let message = format!("{directory} is a file, and the output must be a directory");
        return Err(OpError::new(ErrorKind::Invalid, message));
    }
    let mut output = Output::new(files, directory, options.dry_run);
    let last = store.last_event()?;
    output.told.last_event = last;
    remark(&about, &mut output);
    let about_digest = sha256(&serde_json::to_vec(&about).unwrap_or_default());
    let before = State::read(&output)?;
    if before.is_none() && !options.full {
        is_free(&output)?;
    }
    let other = before.as_ref().and_then(|state| state.registry);
    if other.is_some_and(|other| other != about.created_at) && !options.full {
        let message = format!("{directory} has the documents of another registry than {}", about.name);
        return Err(OpError::new(ErrorKind::Refused, message)
            .hint("use another directory or the right database (--db), or replace the documents with --full"));
    }
    let known = before.as_ref().filter(|state| {
        let is_of_this = state.renderer == RENDERER && state.about == about_digest;
        is_of_this && !options.full && state.seq.is_some_and(|seq| seq <= last)
    });
    if let Some(state) = known
        && state.seq == Some(last)
        && state
            .documents
            .iter()
            .all(|(path, mark)| output.is_as_marked(path, mark))
    {
        output.told.unchanged = state.documents.len() as u64;
        return Ok(output.told);
    }
    let mut work = Work {
        store,
        about: &about,
        progress,
        cancel,
        output,
    };
    match known.and_then(|state| state.seq) {
        Some(seq) => work.changed_since(seq)?,
        None => {
            if before.is_none() {
                // Whoever comes after an interruption knows by this that the files are ours.
                work.output.write_state(&State::begun(RENDERER, about.created_at))?;
            }
            work.all()?;
        }
    }
    let marks = known.map(|state| &state.documents);
    let documents = work.documents(last, marks)?;
    let mut output = work.output;
    let old = before.as_ref().map(|state| &state.documents);
    for (path, mark) in old.into_iter().flatten() {
        // A file that is not as it was rendered is somebody else's.
        if !documents.contains_key(path) && output.mark(path).as_ref() == Some(mark) {
            output.remove(path)?;
        }
    }
    output.write_state(&State {
        renderer: RENDERER.to_owned(),
        registry: Some(about.created_at),
        about: about_digest,
        seq: Some(last),
        documents,
    })?;
    Ok(output.told)
}

/// What is said of what is not rendered.
fn remark(about: &About, output: &mut Output<'_>) {
    let remarks = &mut output.told.remarks;
    if about.url.is_none() {
        remarks
            .push("the registry has no address, so there is no sitemap.xml and no address in the documents".to_owned());
    }
    if crawlers::security(about, 0).is_none() {
        remarks.push("the registry has no contact, so there is no security.txt".to_owned());
    }
}

/// Checks that the render replaces no foreign file: a directory without a state file must have none of the documents.
fn is_free(output: &Output<'_>) -> Result<(), OpError> {
    let lists = [
        registry::PATH,
        repos::PATH,
        stats::PATH,
        crawlers::ROBOTS_PATH,
        sitemap::PATH,
    ];
    let pages = page::FILES
        .iter()
        .filter(|(_, text)| !text.is_empty())
        .map(|(path, _)| *path);
    match lists.into_iter().chain(pages).find(|path| output.is_there(path)) {
        None => Ok(()),
        Some(path) => {
            let message = format!("{} exists, but no registry was rendered here before", output.at(path));
            Err(OpError::new(ErrorKind::Refused, message)
                .hint("use another directory, or replace the file with --full"))
        }
    }
}

/// A render that is going on.
struct Work<'w> {
    store: &'w dyn Reading,
    about: &'w About,
    progress: &'w dyn Progress,
    cancel: &'w Cancel,
    output: Output<'w>,
}

impl Work<'_> {
    /// Looks at the files of all entries, and at files of entries that are gone.
    fn all(&mut self) -> Result<(), OpError> {
        let counts = self.store.counts()?;
        self.progress.begin("rendering", counts.by_status.values().sum());
        let had_index = self.output.is_directory(path::INDEX);
        let store = self.store;
        store.each(&mut |entry| {
            self.cancelled()?;
            self.progress.advance(1);
            self.entry(&entry)
        })?;
        self.output.flush()?;
        if had_index { self.sweep() } else { Ok(()) }
    }

    /// Looks at the files of entries that something happened to.
    fn changed_since(&mut self, seq: u64) -> Result<(), OpError> {
        let mut changed: BTreeSet<RepositoryId> = BTreeSet::new();
        let mut after = seq;
        loop {
            let events = self.store.events(after, EVENTS)?;
            let Some(last) = events.last().map(|event| event.seq) else {
                break;
            };
            after = last;
            for Event { id, .. } in &events {
                let id = RepositoryId::parse(id).map_err(|fault| {
                    OpError::new(ErrorKind::Internal, format!("event {last}: {fault}")).because(fault)
                })?;
                changed.insert(id);
            }
        }
        self.progress.begin("rendering", changed.len() as u64);
        for repository in &changed {
            self.cancelled()?;
            self.progress.advance(1);
            match self.store.entry(repository)? {
                Some(entry) => self.entry(&entry)?,
                None => self.gone(repository)?,
            }
        }
        self.output.flush()
    }

    fn cancelled(&self) -> Result<(), OpError> {
        if self.cancel.is_cancelled() {
            Err(OpError::new(ErrorKind::Cancelled, "the render was cancelled")
                .hint("run the command again to continue"))
        } else {
            Ok(())
        }
    }

    /// The files of an entry.
    fn entry(&mut self, entry: &Entry) -> Result<(), OpError> {
        let repository = &entry.repository;
        self.output
            .put(&path::badge(repository), badge::entry(self.about, entry))?;
        self.flat_badge(repository, Some(entry))?;
        self.output.put(&path::sparse(repository), sparse::document(entry))
    }

    /// Removes the files of an entry that is gone; its document last, because that is how it is found.
    fn gone(&mut self, repository: &RepositoryId) -> Result<(), OpError> {
        self.output.remove(&path::badge(repository))?;
        self.flat_badge(repository, None)?;
        self.output.remove(&path::sparse(repository))
    }

    /// The badge under the name that several may share: it is that of the first one (ruling 16).
    fn flat_badge(&mut self, repository: &RepositoryId, entry: Option<&Entry>) -> Result<(), OpError> {
        let Some(path) = path::flat_badge(repository) else {
            return Ok(());
        };
        for other in path::sharing(repository) {
            let owner = if other == *repository {
                entry.cloned()
            } else {
                self.store.entry(&other)?
            };
            if let Some(owner) = owner {
                return self.output.put(&path, badge::entry(self.about, &owner));
            }
        }
        self.output.remove(&path)
    }

    /// Removes the files of entries that are gone and that no event names any more.
    fn sweep(&mut self) -> Result<(), OpError> {
        let mut directories = vec![path::INDEX.to_owned()];
        while let Some(directory) = directories.pop() {
            self.cancelled()?;
            for name in self.output.list(&directory)? {
                let path = format!("{directory}/{name}");
                if self.output.is_directory(&path) {
                    directories.push(path);
                } else if let Some(repository) = path::of_sparse(&path)
                    && self.store.entry(&repository)?.is_none()
                {
                    self.gone(&repository)?;
                }
            }
        }
        Ok(())
    }

    /// The documents that are not of one entry; what each is now.
    fn documents(
        &mut self,
        last: u64,
        known: Option<&BTreeMap<String, Mark>>,
    ) -> Result<BTreeMap<String, Mark>, OpError> {
        let (store, about) = (self.store, self.about);
        let changed_at = changed_at(store, about, last)?;
        let mut marks = BTreeMap::new();
        let counts = store.counts()?;
        let events = store.events(changes::after(last), changes::MOST_EVENTS as usize)?;
        let mut feed = Vec::new();
        changes::write(&mut feed, last, &events).map_err(OpError::from_write)?;
        let mut small: Vec<(String, Vec<u8>)> = page::FILES
            .iter()
            .map(|(path, text)| ((*path).to_owned(), text.as_bytes().to_vec()))
            .collect();
        let mut add = |path: &str, bytes: Vec<u8>| small.push((path.to_owned(), bytes));
        add(service::SERVICE_PATH, service::service(about));
        add(service::ENDPOINTS_PATH, service::endpoints(about));
        add(crawlers::ROBOTS_PATH, crawlers::robots(about));
        add(badge::ALL_PATH, badge::all(about, stats::entries(&counts)));
        add(
            stats::PATH,
            stats::document(&counts, &store.concepts(stats::MOST_CONCEPTS)?),
        );
        add(changes::PATH, feed);
        if let Some(security) = crawlers::security(about, changed_at) {
            add(crawlers::SECURITY_PATH, security);
        }
        for (path, bytes) in small {
            marks.insert(path.clone(), Mark::of(&bytes));
            self.output.put(&path, bytes)?;
        }
        self.output.flush()?;
        self.sitemap(&mut marks)?;
        let known_of = |output: &Output<'_>, path: &str| match known {
            Some(known) => known.get(path).filter(|mark| output.is_as_marked(path, mark)).cloned(),
            None => output.mark(path),
        };
        let known = known_of(&self.output, registry::PATH);
        let mut local = 0u64;
        let mark = self.output.stream(registry::PATH, known, &mut |out| {
            let mut list = registry::RegistryList::begin(out, changed_at).map_err(OpError::from_write)?;
            local = 0;
            store.each(&mut |entry| {
                local += u64::from(entry.repository.is_local());
                list.entry(&entry).map_err(OpError::from_write)
            })?;
            list.end().map_err(OpError::from_write)
        })?;
        if local > 0 {
            let what = counted_as(local, "entry is a directory", "entries are directories");
            let remark = format!(
                "{what} of this machine, published with `local: true` and without the path; nobody else can fetch the graphs"
            );
            self.output.told.remarks.push(remark);
        }
        marks.insert(registry::PATH.to_owned(), mark);
        self.cancelled()?;
        let known = known_of(&self.output, repos::PATH);
        let mark = self.output.stream(repos::PATH, known, &mut |out| {
            let mut list = repos::ReposList::begin(out).map_err(OpError::from_write)?;
            store.each(&mut |entry| list.entry(&entry).map_err(OpError::from_write))?;
            list.end().map_err(OpError::from_write)
        })?;
        marks.insert(repos::PATH.to_owned(), mark);
        Ok(marks)
    }

    /// The sitemap, in as many files as it needs; no more ids are held than one of them has.
    fn sitemap(&mut self, marks: &mut BTreeMap<String, Mark>) -> Result<(), OpError> {
        if self.about.url.is_none() {
            return Ok(());
        }
        let (store, about) = (self.store, self.about);
        let mut held: Vec<String> = Vec::new();
        let mut part = 0;
        let mut outcome = Ok(());
        let output = &mut self.output;
        let mut put = |path: &str, bytes: Option<Vec<u8>>| {
            let bytes = bytes.unwrap_or_default();
            marks.insert(path.to_owned(), Mark::of(&bytes));
            output.put(path, bytes)
        };
        store.each_id(&mut |id| {
            if held.len() == sitemap::MOST_ADDRESSES && outcome.is_ok() {
                part += 1;
                let ids = held.iter().map(String::as_str);
                outcome = put(&sitemap::part_path(part), sitemap::pages(about, ids));
                held.clear();
            }
            held.push(id.to_owned());
        })?;
        outcome?;
        let pages = sitemap::pages(about, held.iter().map(String::as_str));
        match part {
            0 => put(sitemap::PATH, pages)?,
            parts => {
                put(&sitemap::part_path(parts + 1), pages)?;
                put(sitemap::PATH, sitemap::parts(about, parts + 1))?;
            }
        }
        self.output.flush()
    }
}

/// When something last happened to an entry.
fn changed_at(store: &dyn Reading, about: &About, last: u64) -> Result<Seconds, OpError> {
    let event = store.events(last.saturating_sub(1), 1)?;
    Ok(event.first().map_or(about.created_at, |event| event.at))
}

#[cfg(test)]
mod tests;
