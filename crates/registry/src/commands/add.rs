//! `lore registry add`: registers repositories, by name or from an issue (section 3, "Issue intake"; clauses A2, S2, S8; rulings 1, 6, 7).

use clap::Args;
use lore_base::time::date_time;
use lore_ckgp::registry_store::store::Registry;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::issue_form::{self, IssueForm};
use super::{audit, directory, format_id, now, rules};
use crate::visit::Rules;
use lore_ckgp::consumer::untrusted;
use lore_ckgp::forge::RepositoryId;
use lore_ckgp::format::FormatId;
use lore_ckgp::record::{MOST_DESCRIPTION, MOST_TAGS, is_absolute_https, is_tag};
use lore_ckgp::registry_store::entry::{Entry, RevokedBy, Seconds};
use lore_ckgp::registry_store::local_repositories::is_directory_name;
use lore_ckgp::registry_store::store::{EventKind, Got, Writing, writing};
use lore_seam::{Access, Ctx, ErrorKind, OpError, Operation, Page, Render, Value};

/// Register repositories, so that the next sync visits them
///
/// A directory is registered as a local entry: visits read its files instead of a forge, its id begins with local.invalid/, and it is published without its path. The repository's own record lists its graphs. For a repository without a record, name a graph with --graph-url. A repository that its producer withdrew can be registered again. A repository that this registry revoked needs --restore.
#[derive(Args, Deserialize, JsonSchema, Clone, Debug, Default)]
#[command(after_help = "Examples:
  lore registry add pallets/flask django/django            on GitHub
  lore registry add gitlab.com/group/sub/repo              another forge
  lore registry add octo/hello --format generic@1 --graph-url https://octo.github.io/graph.json
  lore registry add --from-issue issue.md                  from the form of an issue
  lore registry add octo/hello --restore                   a repository that was revoked here
  lore registry add ./hello file:///srv/hello              directories of this machine, to try the registry out

Exit status: 0 all are registered; 1 one was already registered, or must not be; 2 the question could not be asked.")]
#[serde(default)]
pub struct RegistryAddRequest {
    /// owner/repo, host/owner/repo, the address of a repository, or a directory: ./path, /path or file:///path
    #[arg(value_name = "OWNER/REPO|DIRECTORY")]
    pub ids: Vec<String>,
    /// The format of the graph at --graph-url
    #[arg(long, value_name = "NAME@N", requires = "graph_url")]
    pub format: Option<String>,
    /// The address of the graph of a repository that has no record
    #[arg(long, value_name = "URL", requires = "format")]
    pub graph_url: Option<String>,
    /// A description; the one in the record takes precedence
    #[arg(long)]
    pub description: Option<String>,
    /// A tag (repeatable)
    #[arg(long)]
    pub tag: Vec<String>,
    /// Read the repository from a file with the text of an issue
    #[arg(long, value_name = "FILE", value_hint = clap::ValueHint::FilePath)]
    pub from_issue: Option<String>,
    /// Register again what was revoked here or renamed
    #[arg(long)]
    pub restore: bool,
}

/// The result for each repository
#[derive(Serialize, JsonSchema, Clone, PartialEq, Eq, Debug, Default)]
pub struct RegistryAddAnswer {
    /// The repositories, in the order of the request
    pub repos: Vec<AddedEntry>,
    /// Remarks
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<String>,
}

/// The result for a repository
#[derive(Serialize, JsonSchema, Clone, PartialEq, Eq, Debug)]
pub struct AddedEntry {
    /// Its id
    pub id: String,
    /// added or restored; registered, renamed or revoked if nothing was changed
    pub state: &'static str,
    /// The directory of a local repository
    #[serde(skip_serializing_if = "Option::is_none")]
    pub directory: Option<String>,
    /// Details
    #[serde(skip_serializing_if = "Option::is_none")]
    pub detail: Option<String>,
}

/// `lore registry add`.
pub struct RegistryAdd;

impl Operation for RegistryAdd {
    const NAME: &'static str = "registry_add";
    const COMMAND: &'static [&'static str] = &["registry", "add"];
    const ACCESS: Access = Access::Write;
    type Request = RegistryAddRequest;
    type Answer = Value<RegistryAddAnswer>;

    fn run(ctx: &Ctx, request: RegistryAddRequest) -> Result<Value<RegistryAddAnswer>, OpError> {
        let rules = rules(ctx)?;
        let wanted = Wanted::of(ctx, &request)?;
        let mut notes = Vec::new();
        if let Some((format, url)) = &wanted.named {
            for (id, _) in &wanted.ids {
                let checked = rules.sources.policy(id).check(url);
                checked.map_err(|reason| {
                    let message = format!("{}: this address would not be fetched: {reason}", untrusted::name(url));
                    OpError::new(ErrorKind::Refused, message).hint(
                        "use an address of the repository's own forge, or add its host to `allow_hosts` in [graph]",
                    )
                })?;
            }
            if rules.formats.schema(format).is_none() {
                notes.push(format!(
                    "unknown format {format}: the graph is `unsupported` until `lore registry format add {format}`"
                ));
            }
            notes.extend(rules.formats.notice(format));
        }
        let at = now(ctx);
        let repos = writing(ctx.port::<dyn Registry>(), |store| {
            let ids = wanted.ids.iter();
            ids.map(|id| wanted.register(store, &rules, id, request.restore, at))
                .collect::<Got<Vec<AddedEntry>>>()
        })?;
        let is_done = repos.iter().all(|repo| matches!(repo.state, "added" | "restored"));
        let answer = RegistryAddAnswer { repos, notes };
        Ok(if is_done { Value::yes(answer) } else { Value::no(answer) })
    }
}

/// What is to be registered.
struct Wanted {
    /// The repositories; local ones with their directories.
    ids: Vec<(RepositoryId, Option<String>)>,
    named: Option<(FormatId, String)>,
    description: Option<String>,
    tags: Vec<String>,
}

impl Wanted {
    fn of(ctx: &Ctx, request: &RegistryAddRequest) -> Result<Self, OpError> {
        let invalid = |message: &str| OpError::new(ErrorKind::Invalid, message);
        let Some(path) = &request.from_issue else {
            if request.ids.is_empty() {
                return Err(invalid("no repository given").hint("write owner/repo, or give an issue with --from-issue"));
            }
            let named = match (&request.format, &request.graph_url) {
                (None, None) => None,
                (Some(_), Some(_)) if request.ids.len() > 1 => {
                    return Err(invalid("--graph-url needs exactly one repository"));
                }
                (Some(format), Some(url)) => Some(graph(format, url)?),
                _ => return Err(invalid("--format and --graph-url need each other")),
            };
            let ids: Vec<(RepositoryId, Option<String>)> = request
                .ids
                .iter()
                .map(|id| repository_of(ctx, id))
                .collect::<Result<_, _>>()?;
            if let (Some((id, _)), Some(_)) = (ids.iter().find(|(id, _)| id.is_local()), &request.graph_url) {
                return Err(invalid(&format!(
                    "{id} is a directory, and --graph-url is an address of the web"
                ))
                .hint("`lore graph publish` writes a record into the directory, which names its graphs"));
            }
            return Ok(Self {
                ids,
                named,
                description: request.description.as_deref().map(description).transpose()?.flatten(),
                tags: tags(&request.tag)?,
            });
        };
        let has_more = !request.ids.is_empty() || request.format.is_some() || request.graph_url.is_some();
        if has_more || request.description.is_some() || !request.tag.is_empty() {
            return Err(invalid("--from-issue excludes all other arguments"));
        }
        let form = read_issue(ctx, path)?;
        Ok(Self {
            ids: vec![(forge_repository(&form.id)?, None)],
            named: Some(graph(&form.format, &form.graph_url)?),
            description: form.description.as_deref().map(description).transpose()?.flatten(),
            tags: tags(&form.tags)?,
        })
    }

    /// Registers a repository unless it is there (ruling 7).
    fn register(
        &self,
        store: &mut dyn Writing,
        rules: &Rules,
        (id, directory): &(RepositoryId, Option<String>),
        restore: bool,
        at: Seconds,
    ) -> Got<AddedEntry> {
        let before = store.entry(id)?;
        if let Some(known) = before.as_ref()
            && let Some((state, detail)) = stays(known, restore)
        {
            return Ok(AddedEntry {
                id: known.repository.to_string(),
                state,
                directory: None,
                detail: Some(detail),
            });
        }
        let added_at = before.as_ref().map_or(at, |known| known.added_at);
        let mut entry = Entry::new(id.clone(), self.named.clone(), added_at);
        entry.directory.clone_from(directory);
        entry.description.clone_from(&self.description);
        entry.tags.clone_from(&self.tags);
        let (kind, state) = match before {
            None => (EventKind::Added, "added"),
            Some(_) => (EventKind::Restored, "restored"),
        };
        store.put(&entry, &rules.first_host(&entry), Some(at))?;
        store.add_event(at, id, kind, Some(entry.status()))?;
        let detail = self.named.as_ref().map(|(format, url)| format!("{format} {url}"));
        let detail = detail.or_else(|| directory.clone());
        audit(
            store,
            at,
            if state == "added" { "add" } else { "restore" },
            &id.to_string(),
            detail,
        )?;
        Ok(AddedEntry {
            id: id.to_string(),
            state,
            directory: directory.clone(),
            detail: None,
        })
    }
}

/// The repository that an argument names, and its directory if it is a local one.
fn repository_of(ctx: &Ctx, text: &str) -> Result<(RepositoryId, Option<String>), OpError> {
    if !is_directory_name(text) {
        return Ok((forge_repository(text)?, None));
    }
    let path = directory(ctx, text)?;
    if path == "/" {
        return Err(OpError::new(
            ErrorKind::Invalid,
            "the root of the file system is not a repository",
        ));
    }
    Ok((RepositoryId::local(&path), Some(path)))
}

/// A repository of a forge. The ids of local repositories are made from directories only.
fn forge_repository(text: &str) -> Result<RepositoryId, OpError> {
    let id = RepositoryId::parse(text)?;
    if id.is_local() {
        let message = format!("{id} is the id of a directory of some machine");
        return Err(OpError::new(ErrorKind::Invalid, message).hint("name the directory: ./path, /path or file:///path"));
    }
    Ok(id)
}

/// Why an entry that is there is left as it is; nothing if it is taken in again.
fn stays(known: &Entry, restore: bool) -> Option<(&'static str, String)> {
    let since = date_time(known.added_at);
    let is_revoked_graph = known.graphs.iter().any(|graph| graph.revocation.is_some());
    match (&known.revocation, &known.renamed_to) {
        (Some(revocation), _) if revocation.by == RevokedBy::Producer || restore => None,
        (Some(revocation), _) => {
            let why = revocation
                .reason
                .as_ref()
                .map_or_else(String::new, |why| format!(" ({why})"));
            let when = date_time(revocation.at);
            Some((
                "revoked",
                format!("revoked on {when}{why}; --restore registers it again"),
            ))
        }
        (None, Some(_)) if restore => None,
        (None, Some(to)) => Some((
            "renamed",
            format!("renamed to {to}; --restore registers the old name again"),
        )),
        (None, None) if restore && is_revoked_graph => None,
        (None, None) => Some((
            "registered",
            format!("registered since {since}, status {}", known.status()),
        )),
    }
}

fn read_issue(ctx: &Ctx, path: &str) -> Result<IssueForm, OpError> {
    // A letter has four bytes at most.
    let bytes = ctx.ports.files.read(path, issue_form::MOST_LETTERS as u64 * 4 + 4)?;
    let text = String::from_utf8_lossy(&bytes);
    issue_form::parse(text.trim_start_matches('\u{feff}')).map_err(|fault| {
        OpError::new(ErrorKind::Refused, format!("{path}: {fault}"))
            .hint("the issue needs the sections `### Repo id`, `### Graph format` and `### graph_url`")
            .because(fault)
    })
}

fn graph(format: &str, url: &str) -> Result<(FormatId, String), OpError> {
    let format = format_id(format.trim())?;
    let url = url.trim();
    if is_absolute_https(url) {
        Ok((format, url.to_owned()))
    } else {
        let message = format!("{} is not an absolute https address", untrusted::name(url));
        Err(OpError::new(ErrorKind::Invalid, message))
    }
}

fn description(text: &str) -> Result<Option<String>, OpError> {
    let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    match line.chars().count() {
        0 => Ok(None),
        length if length > MOST_DESCRIPTION => {
            let message = format!("the description has {length} characters; at most {MOST_DESCRIPTION} are allowed");
            Err(OpError::new(ErrorKind::Invalid, message))
        }
        _ => Ok(Some(untrusted::line(&line))),
    }
}

fn tags(tags: &[String]) -> Result<Vec<String>, OpError> {
    if tags.len() > MOST_TAGS.0 {
        let message = format!("{} tags; at most {} are allowed", tags.len(), MOST_TAGS.0);
        return Err(OpError::new(ErrorKind::Invalid, message));
    }
    if let Some(tag) = tags.iter().find(|tag| !is_tag(tag)) {
        let message = format!("`{}` is not a tag", untrusted::name(tag));
        return Err(OpError::new(ErrorKind::Invalid, message).hint("write up to 32 letters, digits, - and _"));
    }
    Ok(tags.to_vec())
}

impl Render for RegistryAddAnswer {
    fn render(&self, page: &mut Page) {
        for repo in &self.repos {
            page.strong(&repo.id);
            match &repo.detail {
                None => match &repo.directory {
                    None => page.line(format_args!(": {}", repo.state)),
                    Some(directory) => {
                        page.write(format_args!(": {} as a local entry for ", repo.state));
                        page.text(directory);
                        page.line(format_args!(""));
                    }
                },
                Some(detail) => {
                    page.write(format_args!(": not added: "));
                    page.text(detail);
                    page.line(format_args!(""));
                }
            }
        }
        for note in &self.notes {
            page.text(note);
            page.line(format_args!(""));
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use serde_json::json;

    use super::super::testing::*;
    use super::super::{
        RegistryImport, RegistryList, RegistryListAnswer, RegistryRevoke, RegistryRevokeRequest, RegistryShow,
    };
    use super::*;
    use lore_ckgp::format::Commit;
    use lore_ckgp::registry_store::entry::Revocation;
    use lore_ckgp::registry_store::local_repositories::{LocalFault, LocalRepositories};
    use lore_ckgp::registry_store::status::Status;
    use lore_ckgp::registry_store::store::{Claim, Wanted as WantedJobs};
    use lore_seam::world::World;

    fn with(world: &Arc<World>, arguments: serde_json::Value) -> String {
        asked::<RegistryAdd, _>(world, arguments)
    }

    /// Directories that have their own names as paths.
    struct Directories;

    impl LocalRepositories for Directories {
        fn resolve(&self, named: &str) -> Result<String, OpError> {
            let path = named.strip_prefix("file://").unwrap_or(named);
            Ok(path.replacen("./", "/home/ann/", 1))
        }

        fn read(&self, _: &str, _: &str, _: u64) -> Result<Option<Vec<u8>>, LocalFault> {
            Ok(None)
        }

        fn tip(&self, _: &str) -> Option<lore_ckgp::head::Tip> {
            None
        }

        fn commits_between(&self, _: &str, _: &Commit, _: &Commit) -> Option<u64> {
            None
        }
    }

    #[test]
    fn s2_a_directory_is_registered_as_a_local_entry_by_its_path_only() {
        let mut bare = bare(&[("list.txt", "local.invalid/26e8b0b5/hello\nocto/hello\n./hello\n")]);
        bare.facets = bare.facets.with::<dyn LocalRepositories>(Arc::new(Directories));
        let world = made(bare);
        let told = add(&world, &["./hello", "octo/hello"]);
        let id = RepositoryId::local("/home/ann/hello").to_string();
        assert!(id.starts_with("local.invalid/") && id.ends_with("/hello"), "{id}");
        assert_eq!(
            told,
            format!("Yes\n{id}: added as a local entry for /home/ann/hello\nocto/hello: added\n")
        );
        let again = add(&world, &["file:///home/ann/hello"]);
        assert!(
            again.starts_with(&format!("No\n{id}: not added: registered since ")),
            "{again}"
        );
        let known = entry(&world, &id).expect("registered");
        assert_eq!(known.directory.as_deref(), Some("/home/ann/hello"));
        assert_eq!(
            add(&world, &["local.invalid/0/other"]),
            "! Invalid: local.invalid/0/other is the id of a directory of some machine\n  name the directory: ./path, /path or file:///path"
        );
        assert_eq!(
            add(&world, &["/"]),
            "! Invalid: the root of the file system is not a repository"
        );
        let named = with(
            &world,
            json!({"ids": ["./x"], "format": "generic@1", "graph_url": "https://x.example/g.json"}),
        );
        assert!(named.starts_with("! Invalid: local.invalid/"), "{named}");
        // A list cannot name a directory, neither by an id nor by a path.
        let imported = asked::<RegistryImport, _>(&world, json!({"path": "list.txt"}));
        assert!(
            imported.contains("2 rows are unusable")
                && imported.contains("list.txt:1: local.invalid/26e8b0b5/hello is a directory of another machine"),
            "{imported}"
        );
        let shown = asked::<RegistryShow, _>(&world, json!({"id": "./hello"}));
        assert!(
            shown.starts_with(&format!("Yes\n{id}  pending  local\n  directory  /home/ann/hello\n")),
            "{shown}"
        );
        let listed = run::<RegistryList, RegistryListAnswer>(&world, json!({}))
            .expect("a list")
            .value;
        let local: Vec<bool> = listed.repos.iter().map(|row| row.local).collect();
        assert_eq!(local, [true, false]);
        // The path of a directory is published nowhere.
        let row = serde_json::to_string(&crate::documents::row::Row::of(&known)).expect("JSON");
        assert!(row.contains("\"local\":true") && !row.contains("/home"), "{row}");
    }

    #[test]
    fn ruling7_a_repository_is_registered_once_whatever_the_case_of_letters() {
        let world = made(bare(&[]));
        assert_eq!(
            add(&world, &["Octo/Hello", "gitlab.com/a/b/c"]),
            "Yes\nOcto/Hello: added\ngitlab.com/a/b/c: added\n"
        );
        assert_eq!(
            add(&world, &["https://github.com/octo/hello/tree/main", "octo/other"]),
            "No\nOcto/Hello: not added: registered since 2026-11-16T12:00:00Z, status pending\nocto/other: added\n"
        );
        assert_eq!(
            entry(&world, "OCTO/hello").unwrap().repository.to_string(),
            "Octo/Hello"
        );
        assert_eq!(
            add(&world, &["x/y", "X/Y"]),
            "No\nx/y: added\nx/y: not added: registered since 2026-11-16T12:00:00Z, status pending\n"
        );
        assert_eq!(
            events(&world),
            [
                "added Octo/Hello",
                "added gitlab.com/a/b/c",
                "added octo/other",
                "added x/y"
            ]
        );
        assert_eq!(audited(&world).iter().filter(|row| row.starts_with("add ")).count(), 4);
    }

    #[test]
    fn ruling1_what_was_registered_is_pending_and_due_at_once() {
        let world = made(bare(&[]));
        add(&world, &["octo/hello"]);
        let known = entry(&world, "octo/hello").unwrap();
        assert_eq!(
            (known.status(), known.added_at, known.graphs.len()),
            (Status::Pending, NOW, 1)
        );
        let leased = writing(world.ctx().port::<dyn Registry>(), |store| {
            store.claim(&Claim {
                worker: "w",
                now: NOW,
                until: NOW + 100,
                most: 10,
                wanted: WantedJobs::Due,
                without: &[],
            })
        })
        .unwrap();
        assert_eq!(leased.len(), 1);
        assert_eq!(leased[0].host, "raw.githubusercontent.com");
    }

    #[test]
    fn a2_a_graph_may_be_named_with_what_is_said_of_it() {
        let world = made(bare(&[]));
        let graph = json!({"ids": ["octo/hello"], "format": "generic@1", "graph_url": "https://octo.github.io/g.json",
            "description": " All\nof it ", "tag": ["web"]});
        assert_eq!(with(&world, graph), "Yes\nocto/hello: added\n");
        let known = entry(&world, "octo/hello").unwrap();
        assert_eq!(known.description(), Some("All of it"));
        assert_eq!(known.tags(), ["web"]);
        assert_eq!(
            known.primary().graph_url.as_deref(),
            Some("https://octo.github.io/g.json")
        );
        assert_eq!(
            audited(&world).last().unwrap(),
            "add octo/hello: generic@1 https://octo.github.io/g.json"
        );
        let unknown = json!({"ids": ["octo/b"], "format": "own@3", "graph_url": "https://octo.github.io/g.json"});
        assert!(with(&world, unknown).contains("unknown format own@3: the graph is `unsupported`"));
        for (arguments, expected) in [
            (json!({"ids": ["octo"]}), "! Invalid: `octo` is not a repository"),
            (json!({}), "! Invalid: no repository given"),
            (
                json!({"ids": ["o/r"], "format": "generic", "graph_url": "https://o.github.io/g"}),
                "! Invalid: `generic` is not a format",
            ),
            (
                json!({"ids": ["o/r"], "format": "generic@1", "graph_url": "http://o.github.io/g"}),
                "! Invalid: http://o.github.io/g is not an absolute https address",
            ),
            (
                json!({"ids": ["o/r"], "format": "generic@1"}),
                "! Invalid: --format and --graph-url need each other",
            ),
            (
                json!({"ids": ["o/r", "o/s"], "format": "generic@1", "graph_url": "https://o.github.io/g"}),
                "! Invalid: --graph-url needs exactly one repository",
            ),
            (json!({"ids": ["o/r"], "tag": ["a b"]}), "! Invalid: `a b` is not a tag"),
            (
                json!({"ids": ["o/r"], "description": "x".repeat(281)}),
                "! Invalid: the description has 281 characters; at most 280 are allowed",
            ),
        ] {
            let told = with(&world, arguments);
            assert!(told.starts_with(expected), "{told}");
        }
    }

    #[test]
    fn s2_a_graph_of_a_strange_host_is_not_registered() {
        let world = made(bare(&[]));
        for url in [
            "https://evil.example/g.json",
            "https://octo.github.io:8443/g.json",
            "https://127.0.0.1/g.json",
        ] {
            let told = with(
                &world,
                json!({"ids": ["octo/hello"], "format": "generic@1", "graph_url": url}),
            );
            assert!(
                told.starts_with(&format!("! Refused: {url}: this address would not be fetched: ")),
                "{told}"
            );
        }
        assert_eq!(entry(&world, "octo/hello"), None);
    }

    #[test]
    fn s10_what_was_revoked_here_comes_back_only_when_it_is_restored() {
        let world = made(bare(&[]));
        visited(&world, "octo/hello", "generic@1", "{}");
        let revoke: RegistryRevokeRequest =
            serde_json::from_value(json!({"id": "octo/hello", "reason": "asked"})).unwrap();
        RegistryRevoke::run(&world.ctx(), revoke).unwrap();
        assert_eq!(
            add(&world, &["octo/hello"]),
            "No\nocto/hello: not added: revoked on 2026-11-16T12:00:00Z (asked); --restore registers it again\n"
        );
        let told = with(&world, json!({"ids": ["octo/hello"], "restore": true}));
        assert_eq!(told, "Yes\nocto/hello: restored\n");
        let known = entry(&world, "octo/hello").unwrap();
        assert_eq!((known.status(), known.revocation), (Status::Pending, None));
        assert_eq!(events(&world), ["revoked octo/hello", "restored octo/hello"]);
    }

    #[test]
    fn amend_what_its_producer_withdrew_may_be_registered_again() {
        let world = made(bare(&[]));
        add(&world, &["octo/hello"]);
        writing(world.ctx().port::<dyn Registry>(), |store| {
            let mut known = store.entry(&RepositoryId::parse("octo/hello").unwrap())?.unwrap();
            known.revoke(
                None,
                Revocation {
                    at: NOW,
                    by: RevokedBy::Producer,
                    reason: None,
                },
            );
            store.put(&known, "h", None)
        })
        .unwrap();
        assert_eq!(add(&world, &["octo/hello"]), "Yes\nocto/hello: restored\n");
        assert_eq!(events(&world), ["added octo/hello", "restored octo/hello"]);
    }

    #[test]
    fn an_issue_registers_what_it_names_and_says_what_is_missing() {
        let issue = "### Repo id\r\n\r\nocto/hello\r\n\r\n### Graph format\r\n\r\ngeneric@1\r\n\r\n### graph_url\r\n\r\nhttps://octo.github.io/g.json\r\n\r\n### Tags\r\n\r\nweb, ui\r\n";
        let world = made(bare(&[
            ("issue.md", issue),
            ("bad.md", "### Repo id\n\n_No response_\n"),
        ]));
        assert_eq!(
            with(&world, json!({"from_issue": "issue.md"})),
            "Yes\nocto/hello: added\n"
        );
        assert_eq!(entry(&world, "octo/hello").unwrap().tags(), ["web", "ui"]);
        assert!(with(&world, json!({"from_issue": "issue.md"})).starts_with("No\nocto/hello: not added"));
        let told = with(&world, json!({"from_issue": "bad.md"}));
        assert!(
            told.starts_with("! Refused: bad.md: the section `### Repo id`"),
            "{told}"
        );
        assert!(with(&world, json!({"from_issue": "none.md"})).starts_with("! Unavailable"));
        assert!(
            with(&world, json!({"from_issue": "issue.md", "ids": ["a/b"]}))
                .starts_with("! Invalid: --from-issue excludes all other arguments")
        );
    }
}
