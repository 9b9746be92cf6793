//! `lore registry add`: registers repositories, by name or by an issue (section 3, "Issue intake"; clauses A2, S2, S8; rulings 1, 6, 7).

use clap::Args;
use lore_base::time::date_time;
use lore_ckgp::registry_store::store::Registry;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::intake::{self, Intake};
use super::{audit, format_id, now, repository, rules};
use crate::visit::Rules;
use lore_ckgp::consumer::untrusted;
use lore_ckgp::forge::RepositoryId;
use lore_ckgp::format::FormatId;
use lore_ckgp::record::{MOST_DESCRIPTION, MOST_TAGS, is_absolute_https, is_tag};
use lore_ckgp::registry_store::entry::{Entry, RevokedBy, Seconds};
use lore_ckgp::registry_store::store::{EventKind, Got, Writing, writing};
use lore_seam::{Access, Ctx, ErrorKind, OpError, Operation, Page, Render, Value};

/// Register repositories, so that the next sync visits them
///
/// The repository's own record says which graphs it has and where. For one that has no record yet a graph can be named. One that its producer withdrew may be registered again; one that this registry revoked only with --restore.
#[derive(Args, Deserialize, JsonSchema, Clone, Debug, Default)]
#[command(after_help = "Examples:
  lore registry add pallets/flask django/django            on GitHub
  lore registry add gitlab.com/group/sub/repo              another forge
  lore registry add octo/hello --format generic@1 --graph-url https://octo.github.io/graph.json
  lore registry add --from-issue issue.md                  what the form of an issue says
  lore registry add octo/hello --restore                   one that was revoked here

Exit status: 0 they are registered; 1 one of them was registered already, or may not be; 2 it could not be asked.")]
#[serde(default)]
pub struct RegistryAddRequest {
    /// owner/repo, host/owner/repo, or the address of a repository
    #[arg(value_name = "OWNER/REPO")]
    pub ids: Vec<String>,
    /// The format of the graph at --graph-url
    #[arg(long, value_name = "NAME@N", requires = "graph_url")]
    pub format: Option<String>,
    /// Where a graph is, of a repository that has no record
    #[arg(long, value_name = "URL", requires = "format")]
    pub graph_url: Option<String>,
    /// A line about it; the record's own comes first
    #[arg(long)]
    pub description: Option<String>,
    /// A word about it (repeatable)
    #[arg(long)]
    pub tag: Vec<String>,
    /// A file with the text of an issue, instead of a repository
    #[arg(long, value_name = "FILE", value_hint = clap::ValueHint::FilePath)]
    pub from_issue: Option<String>,
    /// Also one that was revoked here, or that has another name now
    #[arg(long)]
    pub restore: bool,
}

/// What became of each repository
#[derive(Serialize, JsonSchema, Clone, PartialEq, Eq, Debug, Default)]
pub struct RegistryAddAnswer {
    /// The repositories, in the order in which they were named
    pub repos: Vec<AddedEntry>,
    /// What else is to be said
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<String>,
}

/// What became of a repository
#[derive(Serialize, JsonSchema, Clone, PartialEq, Eq, Debug)]
pub struct AddedEntry {
    /// Its id
    pub id: String,
    /// added or restored; registered, renamed or revoked if it was left as it is
    pub state: &'static str,
    /// More of it
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
            for id in &wanted.ids {
                let checked = rules.sources.policy(id).check(url);
                checked.map_err(|reason| {
                    let message = format!("{}: it would not be asked: {reason}", untrusted::name(url));
                    OpError::new(ErrorKind::Refused, message)
                        .hint("a graph comes from the repository's own forge, or a host in `allow_hosts` of [graph]")
                })?;
            }
            if rules.formats.schema(format).is_none() {
                notes.push(format!(
                    "{format} is not known here: the graph will be `unsupported` until `lore registry format add {format}`"
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
    ids: Vec<RepositoryId>,
    named: Option<(FormatId, String)>,
    description: Option<String>,
    tags: Vec<String>,
}

impl Wanted {
    fn of(ctx: &Ctx, request: &RegistryAddRequest) -> Result<Self, OpError> {
        let invalid = |message: &str| OpError::new(ErrorKind::Invalid, message);
        let Some(path) = &request.from_issue else {
            if request.ids.is_empty() {
                return Err(
                    invalid("no repository is named").hint("write owner/repo, or name an issue with --from-issue")
                );
            }
            let named = match (&request.format, &request.graph_url) {
                (None, None) => None,
                (Some(_), Some(_)) if request.ids.len() > 1 => {
                    return Err(invalid("a graph is named for one repository, and there are several"));
                }
                (Some(format), Some(url)) => Some(graph(format, url)?),
                _ => return Err(invalid("a format and the address of a graph are given together")),
            };
            return Ok(Self {
                ids: request.ids.iter().map(|id| repository(id)).collect::<Result<_, _>>()?,
                named,
                description: request.description.as_deref().map(description).transpose()?.flatten(),
                tags: tags(&request.tag)?,
            });
        };
        let has_more = !request.ids.is_empty() || request.format.is_some() || request.graph_url.is_some();
        if has_more || request.description.is_some() || !request.tag.is_empty() {
            return Err(invalid("an issue says all of it: name nothing beside it"));
        }
        let intake = read_issue(ctx, path)?;
        Ok(Self {
            ids: vec![repository(&intake.id)?],
            named: Some(graph(&intake.format, &intake.graph_url)?),
            description: intake.description.as_deref().map(description).transpose()?.flatten(),
            tags: tags(&intake.tags)?,
        })
    }

    /// Registers a repository unless it is there (ruling 7).
    fn register(
        &self,
        store: &mut dyn Writing,
        rules: &Rules,
        id: &RepositoryId,
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
                detail: Some(detail),
            });
        }
        let added_at = before.as_ref().map_or(at, |known| known.added_at);
        let mut entry = Entry::new(id.clone(), self.named.clone(), added_at);
        entry.description.clone_from(&self.description);
        entry.tags.clone_from(&self.tags);
        let (kind, state) = match before {
            None => (EventKind::Added, "added"),
            Some(_) => (EventKind::Restored, "restored"),
        };
        store.put(&entry, &rules.first_host(&entry), Some(at))?;
        store.add_event(at, id, kind, Some(entry.status()))?;
        let detail = self.named.as_ref().map(|(format, url)| format!("{format} {url}"));
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
            detail: None,
        })
    }
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
                format!("it was revoked here on {when}{why}; --restore takes it in again"),
            ))
        }
        (None, Some(_)) if restore => None,
        (None, Some(to)) => Some((
            "renamed",
            format!("it is {to} now; --restore takes the old name in again"),
        )),
        (None, None) if restore && is_revoked_graph => None,
        (None, None) => Some((
            "registered",
            format!("it is registered since {since}, and is {}", known.status()),
        )),
    }
}

fn read_issue(ctx: &Ctx, path: &str) -> Result<Intake, OpError> {
    // A letter has four bytes at most.
    let bytes = ctx.ports.files.read(path, intake::MOST_LETTERS as u64 * 4 + 4)?;
    let text = String::from_utf8_lossy(&bytes);
    intake::parse(text.trim_start_matches('\u{feff}')).map_err(|fault| {
        OpError::new(ErrorKind::Refused, format!("{path}: {fault}")).hint(
            "an issue has `### Repo id`, `### Graph format` and `### graph_url`, and what was filled in below each",
        )
    })
}

fn graph(format: &str, url: &str) -> Result<(FormatId, String), OpError> {
    let format = format_id(format.trim())?;
    let url = url.trim();
    if is_absolute_https(url) {
        Ok((format, url.to_owned()))
    } else {
        let message = format!("{} is no absolute https address", untrusted::name(url));
        Err(OpError::new(ErrorKind::Invalid, message))
    }
}

fn description(text: &str) -> Result<Option<String>, OpError> {
    let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    match line.chars().count() {
        0 => Ok(None),
        length if length > MOST_DESCRIPTION => {
            let message = format!("the description has {length} letters, and {MOST_DESCRIPTION} are the most");
            Err(OpError::new(ErrorKind::Invalid, message))
        }
        _ => Ok(Some(untrusted::line(&line))),
    }
}

fn tags(tags: &[String]) -> Result<Vec<String>, OpError> {
    if tags.len() > MOST_TAGS.0 {
        let message = format!("there are {} tags, and {} are the most", tags.len(), MOST_TAGS.0);
        return Err(OpError::new(ErrorKind::Invalid, message));
    }
    if let Some(tag) = tags.iter().find(|tag| !is_tag(tag)) {
        let message = format!("`{}` is no tag", untrusted::name(tag));
        return Err(OpError::new(ErrorKind::Invalid, message).hint("a tag is up to 32 letters, digits, - and _"));
    }
    Ok(tags.to_vec())
}

impl Render for RegistryAddAnswer {
    fn render(&self, page: &mut Page) {
        for repo in &self.repos {
            page.strong(&repo.id);
            match &repo.detail {
                None => page.line(format_args!(": {}", repo.state)),
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
    use super::super::{RegistryRevoke, RegistryRevokeRequest};
    use super::*;
    use lore_ckgp::registry_store::entry::Revocation;
    use lore_ckgp::registry_store::status::Status;
    use lore_ckgp::registry_store::store::{Claim, Wanted as WantedJobs};
    use lore_seam::world::World;

    fn with(world: &Arc<World>, arguments: serde_json::Value) -> String {
        asked::<RegistryAdd, _>(world, arguments)
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
            "No\nOcto/Hello: not added: it is registered since 2026-11-16T12:00:00Z, and is pending\nocto/other: added\n"
        );
        assert_eq!(
            entry(&world, "OCTO/hello").unwrap().repository.to_string(),
            "Octo/Hello"
        );
        assert_eq!(
            add(&world, &["x/y", "X/Y"]),
            "No\nx/y: added\nx/y: not added: it is registered since 2026-11-16T12:00:00Z, and is pending\n"
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
        assert!(with(&world, unknown).contains("own@3 is not known here"));
        for (arguments, expected) in [
            (json!({"ids": ["octo"]}), "! Invalid: `octo` names no repository"),
            (json!({}), "! Invalid: no repository is named"),
            (
                json!({"ids": ["o/r"], "format": "generic", "graph_url": "https://o.github.io/g"}),
                "! Invalid: `generic` is no format",
            ),
            (
                json!({"ids": ["o/r"], "format": "generic@1", "graph_url": "http://o.github.io/g"}),
                "! Invalid: http://o.github.io/g is no absolute https",
            ),
            (
                json!({"ids": ["o/r"], "format": "generic@1"}),
                "! Invalid: a format and the address",
            ),
            (
                json!({"ids": ["o/r", "o/s"], "format": "generic@1", "graph_url": "https://o.github.io/g"}),
                "! Invalid: a graph is named for one",
            ),
            (json!({"ids": ["o/r"], "tag": ["a b"]}), "! Invalid: `a b` is no tag"),
            (
                json!({"ids": ["o/r"], "description": "x".repeat(281)}),
                "! Invalid: the description has 281 letters",
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
                told.starts_with(&format!("! Refused: {url}: it would not be asked")),
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
            "No\nocto/hello: not added: it was revoked here on 2026-11-16T12:00:00Z (asked); --restore takes it in again\n"
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
            told.starts_with("! Refused: bad.md: the issue says nothing below `### Repo id`"),
            "{told}"
        );
        assert!(with(&world, json!({"from_issue": "none.md"})).starts_with("! Unavailable"));
        assert!(
            with(&world, json!({"from_issue": "issue.md", "ids": ["a/b"]})).starts_with("! Invalid: an issue says all")
        );
    }
}
