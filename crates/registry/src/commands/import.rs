//! `lore registry import`: imports the entries of another registry, whole or in shards, or a list of ids (section 3, "Shards"; clauses A1 to A3, S10; rulings 5, 6, 7).

use lore_ckgp::registry_store::store::Registry;
use std::collections::BTreeMap;
use std::collections::btree_map::Entry as Slot;

use clap::Args;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{audit, now, rules};
use crate::documents::registry;
use crate::visit::Rules;
use lore_ckgp::consumer::aggregator::{self, each_row};
use lore_ckgp::consumer::untrusted;
use lore_ckgp::forge::RepositoryId;
use lore_ckgp::registry_store::entry::{Entry, Graph, Revocation, RevokedBy, Seconds};
use lore_ckgp::registry_store::store::{EventKind, reading, writing};
use lore_seam::{Access, Ctx, ErrorKind, OpError, Operation, Page, PathKind, Render, Value};

/// Bytes of a file.
const MOST_BYTES: u64 = 512 << 20;
/// Entries that are written in one step.
const AT_ONCE: usize = 2_000;
/// Errors and warnings that are reported.
const MOST_TOLD: usize = 100;
/// Graphs of one repository.
const MOST_GRAPHS: usize = 32;

/// Import the entries of another registry, or a list of repositories
///
/// The source is a registry.json or repos.json, the directory of a registry with its shards (entries/a.json and so on), or a text with one repository on each line and # before comments.
/// Registered repositories stay unchanged. Revoked entries are imported as revoked. The next sync visits all other entries.
#[derive(Args, Deserialize, JsonSchema, Clone, Debug, Default)]
#[command(after_help = "Examples:
  lore registry import registry.json
  lore registry import ../their-registry             registry.json and entries/*.json
  lore registry import ids.txt --dry-run             what would be registered

Exit status: 0 the repositories are imported; 1 the source names no repository; 2 the question could not be asked.")]
#[serde(default)]
pub struct RegistryImportRequest {
    /// The file or directory
    #[arg(value_name = "FILE|DIRECTORY", value_hint = clap::ValueHint::AnyPath)]
    pub path: String,
    /// Write nothing; only print what would be written
    #[arg(long)]
    pub dry_run: bool,
}

/// The result of an import
#[derive(Serialize, JsonSchema, Clone, PartialEq, Eq, Debug, Default)]
pub struct RegistryImportAnswer {
    /// The source
    pub path: String,
    /// Whether this was a dry run
    pub dry_run: bool,
    /// Newly registered repositories
    pub added: u64,
    /// How many of these are revoked
    pub revoked: u64,
    /// How many of these were renamed
    pub renamed: u64,
    /// Repositories that were already registered
    pub known: u64,
    /// Unusable rows
    pub faults: u64,
    /// The first hundred unusable rows
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub first_faults: Vec<String>,
    /// Warnings about imported rows
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub warnings: Vec<String>,
}

/// `lore registry import`.
pub struct RegistryImport;

impl Operation for RegistryImport {
    const NAME: &'static str = "registry_import";
    const COMMAND: &'static [&'static str] = &["registry", "import"];
    const ACCESS: Access = Access::Write;
    type Request = RegistryImportRequest;
    type Answer = Value<RegistryImportAnswer>;

    fn run(ctx: &Ctx, request: RegistryImportRequest) -> Result<Value<RegistryImportAnswer>, OpError> {
        let rules = rules(ctx)?;
        let at = now(ctx);
        let mut import = Import {
            at,
            entries: BTreeMap::new(),
            answer: RegistryImportAnswer {
                path: request.path.clone(),
                dry_run: request.dry_run,
                ..RegistryImportAnswer::default()
            },
        };
        match ctx.ports.files.kind(&request.path) {
            Some(PathKind::Directory) => import.take_directory(ctx, request.path.trim_end_matches('/'))?,
            Some(PathKind::File) => import.take_file(ctx, &request.path)?,
            None => {
                let message = format!("there is no {}", request.path);
                return Err(OpError::new(ErrorKind::Unavailable, message));
            }
        }
        import.add_successors();
        let is_nothing = import.entries.is_empty();
        import.write(ctx, &rules)?;
        Ok(if is_nothing {
            Value::no(import.answer)
        } else {
            Value::yes(import.answer)
        })
    }
}

/// What is to be taken in.
struct Import {
    at: Seconds,
    /// By id, and from where each came.
    entries: BTreeMap<RepositoryId, (Entry, String)>,
    answer: RegistryImportAnswer,
}

impl Import {
    /// A registry in a directory: the top file first, then the shards by name; of two entries the first one counts.
    fn take_directory(&mut self, ctx: &Ctx, directory: &str) -> Result<(), OpError> {
        let files = ctx.ports.files.as_ref();
        let top = format!("{directory}/{}", registry::PATH);
        if files.kind(&top) != Some(PathKind::File) {
            let message = format!("{directory} has no {}", registry::PATH);
            return Err(
                OpError::new(ErrorKind::Unavailable, message).hint("name the directory of a registry, or a file")
            );
        }
        self.take_list(&files.read(&top, MOST_BYTES)?, &top)?;
        let shards = format!("{directory}/entries");
        if files.kind(&shards) != Some(PathKind::Directory) {
            return Ok(());
        }
        for name in files.list(&shards)? {
            let letter = name.strip_suffix(".json").unwrap_or_default();
            let is_shard = letter.len() == 1
                && letter
                    .bytes()
                    .all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit());
            if !is_shard {
                continue;
            }
            let path = format!("{shards}/{name}");
            // A shard that cannot be read costs its own entries, and not those of the others.
            let taken = files
                .read(&path, MOST_BYTES)
                .and_then(|bytes| self.take_shard(&bytes, &path));
            if let Err(error) = taken {
                self.warn(format!("{path} is skipped: {error}"));
            }
        }
        Ok(())
    }

    /// A shard has no version of its own.
    fn take_shard(&mut self, bytes: &[u8], path: &str) -> Result<(), OpError> {
        let invalid = |why: String| OpError::new(ErrorKind::Invalid, why);
        let text = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
        let mut shard: serde_json::Map<String, serde_json::Value> = serde_json::from_slice(text)
            .map_err(|error| invalid(format!("not a JSON object: {error}")).because(error))?;
        if !shard.get("entries").is_some_and(serde_json::Value::is_array) {
            return Err(invalid("its entries are not a list".to_owned()));
        }
        shard.entry("schema_version").or_insert(1.into());
        let whole = serde_json::to_vec(&shard).map_err(|error| invalid(error.to_string()))?;
        self.take_list(&whole, path)
    }

    fn take_file(&mut self, ctx: &Ctx, path: &str) -> Result<(), OpError> {
        let bytes = ctx.ports.files.read(path, MOST_BYTES)?;
        let text = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(&bytes);
        match text.iter().find(|byte| !byte.is_ascii_whitespace()) {
            Some(b'{' | b'[') => self.take_list(&bytes, path),
            _ => self.take_lines(text, path),
        }
    }

    /// One repository a line.
    fn take_lines(&mut self, bytes: &[u8], path: &str) -> Result<(), OpError> {
        let text = std::str::from_utf8(bytes)
            .map_err(|_| OpError::new(ErrorKind::Invalid, format!("{path} is neither JSON nor UTF-8 text")))?;
        for (number, line) in text.lines().enumerate() {
            let line = line.split('#').next().unwrap_or_default().trim();
            if line.is_empty() {
                continue;
            }
            let place = format!("{path}:{}", number + 1);
            match RepositoryId::parse(line) {
                Ok(id) => self.take(Entry::new(id, None, self.at), place),
                Err(fault) => self.fault(format!("{place}: {fault}")),
            }
        }
        Ok(())
    }

    /// The entries of a registry.json or repos.json. The graphs of a repository come one after the other.
    fn take_list(&mut self, bytes: &[u8], path: &str) -> Result<(), OpError> {
        let mut current: Option<(Entry, String)> = None;
        each_row(bytes, &mut |number, row| {
            let place = format!("{path}: entry {}", number + 1);
            let Some(row) = row else {
                self.fault(format!("{place} has no valid id"));
                return;
            };
            if let Some((entry, _)) = &mut current
                && entry.repository == row.id.repository
                && row.id.format.is_some()
            {
                further(entry, &row, self.at);
                return;
            }
            if let Some((entry, place)) = current.take() {
                self.take(entry, place);
            }
            current = Some((self.entry_of(&row, &place), place));
        })
        .map_err(|fault| {
            let message = format!("cannot use {path}: {fault}");
            OpError::new(ErrorKind::Invalid, message)
                .hint("name a registry.json, a repos.json, or a text with one repository on each line")
                .because(fault)
        })?;
        if let Some((entry, place)) = current {
            self.take(entry, place);
        }
        Ok(())
    }

    fn entry_of(&mut self, row: &aggregator::Entry, place: &str) -> Entry {
        let named = row.format.clone().zip(row.graph_url.clone());
        if row.graph_url.is_none() && row.format.is_some() && !row.is_revoked() {
            self.warn(format!(
                "{place} has no absolute https address; the next visit takes the address from the record"
            ));
        }
        let mut entry = Entry::new(row.id.repository.clone(), named, self.at);
        entry.description.clone_from(&row.description);
        entry.tags.clone_from(&row.tags);
        if row.is_revoked() {
            entry.revoke(None, revocation(self.at));
        } else if let Some(to) = row.renamed_to.as_ref().filter(|to| **to != row.id.repository) {
            entry.rename(to.clone());
        }
        entry
    }

    fn take(&mut self, entry: Entry, place: String) {
        let renamed = entry.renamed_to.as_ref();
        if entry.repository.is_local() || renamed.is_some_and(RepositoryId::is_local) {
            let id = &entry.repository;
            self.fault(format!(
                "{place}: {id} is a directory of another machine; only `lore registry add` registers directories"
            ));
            return;
        }
        match self.entries.entry(entry.repository.clone()) {
            Slot::Vacant(slot) => {
                slot.insert((entry, place));
            }
            Slot::Occupied(slot) => {
                let (known, first) = slot.get();
                let warning = format!("{place} repeats {}; {first} counts", known.repository);
                self.warn(warning);
            }
        }
    }

    /// What has another name now is registered under that name too.
    fn add_successors(&mut self) {
        let successors = self
            .entries
            .values()
            .filter_map(|(entry, place)| Some((entry.renamed_to.clone()?, place.clone())));
        for (to, place) in successors.collect::<Vec<_>>() {
            let at = self.at;
            self.entries
                .entry(to.clone())
                .or_insert_with(|| (Entry::new(to, None, at), place));
        }
    }

    /// Registers what is not there, some thousands in one step.
    fn write(&mut self, ctx: &Ctx, rules: &Rules) -> Result<(), OpError> {
        let registry = ctx.port::<dyn Registry>();
        let entries: Vec<&Entry> = self.entries.values().map(|(entry, _)| entry).collect();
        ctx.progress.begin("importing", entries.len() as u64);
        for some in entries.chunks(AT_ONCE) {
            if ctx.cancel.is_cancelled() {
                let message = format!(
                    "the import was cancelled; {} repositories are registered",
                    self.answer.added
                );
                return Err(OpError::new(ErrorKind::Cancelled, message).hint("run the command again to continue"));
            }
            let counted = if self.answer.dry_run {
                reading(registry, |store| {
                    let mut counted = Counted::default();
                    for entry in some {
                        counted.count(entry, store.entry(&entry.repository)?.is_some());
                    }
                    Ok(counted)
                })?
            } else {
                writing(registry, |store| {
                    let mut counted = Counted::default();
                    for entry in some {
                        let is_known = store.entry(&entry.repository)?.is_some();
                        counted.count(entry, is_known);
                        if is_known {
                            continue;
                        }
                        let due = (!entry.is_at_rest()).then_some(self.at);
                        store.put(entry, &rules.first_host(entry), due)?;
                        store.add_event(self.at, &entry.repository, EventKind::Added, Some(entry.status()))?;
                    }
                    if counted.added > 0 {
                        let detail = format!("{} entries", counted.added);
                        audit(store, self.at, "import", &self.answer.path, Some(detail))?;
                    }
                    Ok(counted)
                })?
            };
            self.answer.added += counted.added;
            self.answer.known += counted.known;
            self.answer.revoked += counted.revoked;
            self.answer.renamed += counted.renamed;
            ctx.progress.advance(some.len() as u64);
        }
        Ok(())
    }

    fn fault(&mut self, fault: String) {
        self.answer.faults += 1;
        if self.answer.first_faults.len() < MOST_TOLD {
            self.answer.first_faults.push(untrusted::clean(&fault, 400));
        }
    }

    fn warn(&mut self, warning: String) {
        match self.answer.warnings.len() {
            MOST_TOLD => self.answer.warnings.push("there are more warnings".to_owned()),
            count if count < MOST_TOLD => self.answer.warnings.push(untrusted::clean(&warning, 400)),
            _ => {}
        }
    }
}

/// What became of some entries.
#[derive(Default)]
struct Counted {
    added: u64,
    known: u64,
    revoked: u64,
    renamed: u64,
}

impl Counted {
    fn count(&mut self, entry: &Entry, is_known: bool) {
        if is_known {
            self.known += 1;
            return;
        }
        self.added += 1;
        self.revoked += u64::from(entry.revocation.is_some());
        self.renamed += u64::from(entry.renamed_to.is_some());
    }
}

fn revocation(at: Seconds) -> Revocation {
    Revocation {
        at,
        by: RevokedBy::Registry,
        reason: Some("revoked in the registry that it was imported from".to_owned()),
    }
}

/// Another graph of a repository.
fn further(entry: &mut Entry, row: &aggregator::Entry, at: Seconds) {
    if entry.is_at_rest() || entry.graphs.len() >= MOST_GRAPHS || entry.graph(row.format.as_ref()).is_some() {
        return;
    }
    entry.graphs.push(Graph {
        format: row.format.clone(),
        graph_url: row.graph_url.clone(),
        ..Graph::default()
    });
    if row.is_revoked() {
        entry.revoke(row.format.as_ref(), revocation(at));
    }
}

impl Render for RegistryImportAnswer {
    fn render(&self, page: &mut Page) {
        let would = if self.dry_run { "would be " } else { "" };
        page.strong(&self.path);
        page.write(format_args!(": {} {would}registered", self.added));
        if self.revoked > 0 {
            page.write(format_args!(", {} of them as revoked", self.revoked));
        }
        if self.renamed > 0 {
            page.write(format_args!(", {} of them as renamed", self.renamed));
        }
        page.line(format_args!(
            ", {} were registered before, {} rows are unusable",
            self.known, self.faults
        ));
        for line in self.first_faults.iter().chain(&self.warnings) {
            page.write(format_args!("  "));
            page.text(line);
            page.line(format_args!(""));
        }
        let rest = self.faults.saturating_sub(self.first_faults.len() as u64);
        if rest > 0 {
            page.line(format_args!("  and {rest} more unusable rows"));
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use serde_json::json;

    use super::super::testing::*;
    use super::*;
    use crate::documents::registry::RegistryList;
    use lore_ckgp::registry_store::status::Status;
    use lore_seam::world::World;

    fn import(world: &Arc<World>, path: &str) -> String {
        asked::<RegistryImport, _>(world, json!({ "path": path }))
    }

    const TOP: &str = r#"{"schema_version": 1, "entries": [
        {"id": "a/one", "format": "ccg@1", "graph_url": "https://a.github.io/top.json", "status": "ok", "tags": ["x"], "description": "One."},
        {"id": "b/two", "status": "revoked"}]}"#;

    #[test]
    fn shards_are_read_behind_the_top_file_which_wins() {
        let world = made(bare(&[
            ("r/registry.json", TOP),
            (
                "r/entries/a.json",
                r#"{"entries": [{"id": "A/One", "format": "ccg@1", "graph_url": "https://a.github.io/shard.json"}, {"id": "a/three"}]}"#,
            ),
            (
                "r/entries/b.json",
                r#"{"entries": [{"id": "a/three", "description": "later"}, {"id": "d/four"}, {"no": 1}]}"#,
            ),
            ("r/entries/c.json", r#"{"entries": {}}"#),
            ("r/entries/d.json", "nonsense"),
            ("r/entries/long.json", r#"{"entries": [{"id": "e/five"}]}"#),
        ]));
        let told = import(&world, "r/");
        assert_eq!(
            told,
            "Yes\nr/: 4 registered, 1 of them as revoked, 0 were registered before, 1 rows are unusable\n\
             \x20 r/entries/b.json: entry 3 has no valid id\n\
             \x20 r/entries/a.json: entry 1 repeats a/one; r/registry.json: entry 1 counts\n\
             \x20 r/entries/b.json: entry 1 repeats a/three; r/entries/a.json: entry 2 counts\n\
             \x20 r/entries/c.json is skipped: its entries are not a list\n\
             \x20 r/entries/d.json is skipped: not a JSON object: expected ident at line 1 column 2\n"
        );
        let one = entry(&world, "a/one").unwrap();
        assert_eq!(one.primary().graph_url.as_deref(), Some("https://a.github.io/top.json"));
        assert_eq!((one.description(), one.tags()), (Some("One."), &["x".to_owned()][..]));
        assert_eq!(entry(&world, "e/five"), None);
        assert_eq!(events(&world).len(), 4);
        assert_eq!(audited(&world).last().unwrap(), "import r/: 4 entries");
        let none = made(bare(&[("r/entries/a.json", "{}")]));
        assert!(import(&none, "r").starts_with("! Unavailable: r has no registry.json"));
        assert!(import(&none, "q").starts_with("! Unavailable: there is no q"));
    }

    #[test]
    fn s10_what_was_revoked_elsewhere_is_revoked_here_and_what_is_known_stays() {
        let world = made(bare(&[("registry.json", TOP)]));
        add(&world, &["a/one"]);
        let told = import(&world, "registry.json");
        assert!(
            told.starts_with("Yes\nregistry.json: 1 registered, 1 of them as revoked, 1 were registered before"),
            "{told}"
        );
        assert_eq!(entry(&world, "a/one").unwrap().description(), None);
        let two = entry(&world, "b/two").unwrap();
        assert_eq!(
            (two.status(), two.revocation.unwrap().by),
            (Status::Revoked, RevokedBy::Registry)
        );
        assert!(add(&world, &["b/two"]).starts_with("No\n"));
    }

    #[test]
    fn ruling5_graphs_behind_the_first_one_come_with_it_and_names_are_followed() {
        let list = r#"{"schema_version": 1, "entries": [
            {"id": "a/one", "format": "ccg@1", "graph_url": "https://a.github.io/1.json", "status": "ok",
             "graphs": [{"format": "bundle@1", "graph_url": "https://a.github.io/2.json", "status": "ok"},
                        {"format": "generic@1", "graph_url": "https://a.github.io/3.json", "status": "revoked"}]},
            {"id": "old/name", "status": "renamed", "renamed_to": "new/name"}]}"#;
        let world = made(bare(&[("r.json", list)]));
        assert!(import(&world, "r.json").starts_with("Yes\nr.json: 3 registered, 1 of them as renamed"));
        let one = entry(&world, "a/one").unwrap();
        let graphs: Vec<String> = one
            .graphs
            .iter()
            .map(|graph| format!("{} {}", graph.format.as_ref().unwrap(), graph.status))
            .collect();
        assert_eq!(graphs, ["ccg@1 pending", "bundle@1 pending", "generic@1 revoked"]);
        assert_eq!(entry(&world, "old/name").unwrap().status(), Status::Renamed);
        assert_eq!(entry(&world, "new/name").unwrap().status(), Status::Pending);
    }

    #[test]
    fn a_text_has_one_repository_a_line() {
        let text = "# ours\r\npallets/flask\r\n\r\n  gitlab.com/g/h/r  # nested\nnonsense\nhttps://codeberg.org/a/b\nPallets/Flask\n";
        let world = made(bare(&[
            ("ids.txt", text),
            ("bad.json", "[]"),
            ("seven.json", r#"{"schema_version": 7, "entries": []}"#),
        ]));
        let dry = asked::<RegistryImport, _>(&world, json!({"path": "ids.txt", "dry_run": true}));
        assert!(
            dry.starts_with("Yes\nids.txt: 3 would be registered, 0 were registered before, 1 rows are unusable\n"),
            "{dry}"
        );
        assert!(dry.contains("  ids.txt:5: `nonsense` is not a repository\n"), "{dry}");
        assert!(
            dry.contains("  ids.txt:7 repeats pallets/flask; ids.txt:2 counts\n"),
            "{dry}"
        );
        assert_eq!(entry(&world, "pallets/flask"), None);
        assert!(import(&world, "ids.txt").starts_with("Yes\nids.txt: 3 registered"));
        assert!(import(&world, "ids.txt").starts_with("Yes\nids.txt: 0 registered, 3 were registered before"));
        assert_eq!(events(&world).len(), 3);
        assert!(import(&world, "bad.json").starts_with("! Invalid: cannot use bad.json: "));
        assert!(
            import(&world, "seven.json").starts_with("! Invalid: cannot use seven.json: unsupported schema_version 7")
        );
    }

    #[test]
    fn a1_what_is_published_here_can_be_taken_in_elsewhere() {
        let from = made(bare(&[]));
        visited(&from, "octo/hello", "generic@1", "{}");
        visited(&from, "octo/hello", "ccg@1", "{\"a\":1}");
        add(&from, &["gitlab.com/a/b/c", "octo/new"]);
        let mut bytes = Vec::new();
        let mut list = RegistryList::begin(&mut bytes, NOW).unwrap();
        reading(from.ctx().port::<dyn Registry>(), |store| {
            store.each(&mut |entry| {
                list.entry(&entry).unwrap();
                Ok(())
            })
        })
        .unwrap();
        list.end().unwrap();
        let text = String::from_utf8(bytes).unwrap();
        let to = made(bare(&[("registry.json", &text)]));
        let told = import(&to, "registry.json");
        assert!(
            told.starts_with("Yes\nregistry.json: 3 registered, 0 were registered before, 0 rows are unusable\n"),
            "{told}"
        );
        assert_eq!(entry(&to, "octo/hello").unwrap().graphs.len(), 2);
        assert!(entry(&to, "gitlab.com/a/b/c").is_some());
    }
}
