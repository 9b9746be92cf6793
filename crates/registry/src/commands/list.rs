//! `lore registry list`: the entries of the registry, page by page (section 8, "Read API").

use clap::Args;
use lore_base::time::date_time;
use lore_ckgp::registry_store::store::Registry;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{about, format_id};
use lore_ckgp::consumer::untrusted;
use lore_ckgp::registry_store::entry::{Entry, RevokedBy};
use lore_ckgp::registry_store::facets::Facets;
use lore_ckgp::registry_store::status::Status;
use lore_ckgp::registry_store::store::{Filter, Got, Reading, reading};
use lore_seam::{Access, Ctx, ErrorKind, OpError, Operation, Page, Render, Value};

/// Rows unless more are asked for, and at most.
const DEFAULT_LIMIT: usize = 50;
const MOST_ROWS: usize = 1_000;

/// List the registered repositories
///
/// Sorted by id, or with --query by quality of the match: names, then descriptions, then languages, then names of symbols in the graphs.
#[derive(Args, Deserialize, JsonSchema, Clone, Debug, Default)]
#[command(after_help = "Examples:
  lore registry list                                  the first 50
  lore registry list --status missing --limit 500     what is no longer found
  lore registry list --owner pallets --format ccg@1
  lore registry list --query 'http session'           by words

Exit status: 0 there are rows; 1 there are none; 2 the question could not be asked.")]
#[serde(default)]
pub struct RegistryListRequest {
    /// Only this status: pending, ok, missing, invalid, oversize, transient_error, dead, renamed, revoked, refused or unsupported
    #[arg(long)]
    pub status: Option<String>,
    /// Only repositories with a graph of this format
    #[arg(long, value_name = "NAME@N")]
    pub format: Option<String>,
    /// Only repositories of this owner
    #[arg(long)]
    pub owner: Option<String>,
    /// Only repositories with this tag
    #[arg(long)]
    pub tag: Option<String>,
    /// Only repositories with code in this language
    #[arg(long)]
    pub language: Option<String>,
    /// Only repositories whose graphs contain these words
    #[arg(long, value_name = "WORDS", conflicts_with = "cursor")]
    pub query: Option<String>,
    /// Rows [default: 50]
    #[arg(long, short = 'n')]
    pub limit: Option<usize>,
    /// The start of the page: next_cursor of the previous page
    #[arg(long)]
    pub cursor: Option<String>,
}

/// A page of entries
#[derive(Serialize, JsonSchema, Clone, PartialEq, Eq, Debug, Default)]
pub struct RegistryListAnswer {
    /// The entries
    pub repos: Vec<ListedEntry>,
    /// The cursor of the next page
    #[serde(skip_serializing_if = "Option::is_none")]
    pub next_cursor: Option<String>,
    /// Whether more graphs contain the words. A search has no pages; a larger limit shows more
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub is_cut: bool,
}

/// An entry
#[derive(Serialize, JsonSchema, Clone, PartialEq, Eq, Debug, Default)]
pub struct ListedEntry {
    /// The repository
    pub id: String,
    /// Whether it is a directory of this machine, registered for trying the registry out
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub local: bool,
    /// The status of the first graph
    pub status: &'static str,
    /// The formats, that of the first graph first
    pub formats: Vec<String>,
    /// Its description
    #[serde(skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    /// Its tags
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub tags: Vec<String>,
    /// Its nodes
    #[serde(skip_serializing_if = "Option::is_none")]
    pub nodes: Option<u64>,
    /// Its edges
    #[serde(skip_serializing_if = "Option::is_none")]
    pub edges: Option<u64>,
    /// How many commits the graph is behind; null means unknown
    pub commits_behind: Option<u64>,
    /// When it was last visited
    pub last_synced: Option<String>,
    /// The error of the last visit
    #[serde(skip_serializing_if = "Option::is_none")]
    pub last_error: Option<String>,
    /// Its current name
    #[serde(skip_serializing_if = "Option::is_none")]
    pub renamed_to: Option<String>,
    /// Who revoked it: registry or producer
    #[serde(skip_serializing_if = "Option::is_none")]
    pub revoked_by: Option<&'static str>,
    /// Where the words were found: name, about, languages or symbols
    #[serde(skip_serializing_if = "Option::is_none")]
    pub matched: Option<&'static str>,
}

/// `lore registry list`.
pub struct RegistryList;

impl Operation for RegistryList {
    const NAME: &'static str = "registry_list";
    const COMMAND: &'static [&'static str] = &["registry", "list"];
    const ACCESS: Access = Access::Read;
    type Request = RegistryListRequest;
    type Answer = Value<RegistryListAnswer>;

    fn run(ctx: &Ctx, request: RegistryListRequest) -> Result<Value<RegistryListAnswer>, OpError> {
        let filter = Filter {
            status: request.status.as_deref().map(status).transpose()?,
            not: Vec::new(),
            format: request.format.as_deref().map(format_id).transpose()?,
            format_name: None,
            owner: request.owner.clone(),
            tag: request.tag.clone(),
            language: request.language.clone(),
        };
        let limit = request
            .limit
            .filter(|limit| *limit > 0)
            .unwrap_or(DEFAULT_LIMIT)
            .min(MOST_ROWS);
        let after = request.cursor.as_deref().map(key_of).transpose()?;
        let answer = reading(ctx.port::<dyn Registry>(), |store| {
            about(store)?;
            match request.query.as_deref() {
                Some(query) => found(store, query, &filter, limit),
                None => page(store, &filter, after.as_deref(), limit),
            }
        })?;
        Ok(if answer.repos.is_empty() {
            Value::no(answer)
        } else {
            Value::yes(answer)
        })
    }
}

fn page(store: &dyn Reading, filter: &Filter, after: Option<&str>, limit: usize) -> Got<RegistryListAnswer> {
    let mut entries = store.page(filter, after, limit + 1)?;
    let has_more = entries.len() > limit;
    entries.truncate(limit);
    let last = entries.last().filter(|_| has_more);
    Ok(RegistryListAnswer {
        next_cursor: last.map(|entry| cursor(&entry.repository.key())),
        is_cut: false,
        repos: entries.iter().map(|entry| listed(entry, None)).collect(),
    })
}

/// What a search finds, each repository once.
fn found(store: &dyn Reading, query: &str, filter: &Filter, limit: usize) -> Got<RegistryListAnswer> {
    let words: Vec<String> = query.split_whitespace().map(str::to_owned).collect();
    let mut answer = RegistryListAnswer::default();
    // Several graphs of one repository are one row, and filters take some away: more is looked at than is shown.
    for found in store.search(&words, (limit * 4).max(200))? {
        let id = found.repository.to_string();
        if answer.repos.iter().any(|known| known.id.eq_ignore_ascii_case(&id)) {
            continue;
        }
        if let Some(entry) = store.entry(&found.repository)?
            && Facets::of(&entry)?.matches(filter)
        {
            if answer.repos.len() == limit {
                answer.is_cut = true;
                break;
            }
            answer.repos.push(listed(&entry, Some(found.matched)));
        }
    }
    Ok(answer)
}

fn listed(entry: &Entry, matched: Option<&'static str>) -> ListedEntry {
    let primary = entry.primary();
    let stats = primary.shown_stats();
    let formats = entry.graphs.iter().filter_map(|graph| graph.format.as_ref());
    ListedEntry {
        id: entry.repository.to_string(),
        local: entry.repository.is_local(),
        status: entry.status().word(),
        formats: formats.map(ToString::to_string).collect(),
        description: entry.description().map(untrusted::line),
        tags: entry.tags().iter().map(|tag| untrusted::clean(tag, 32)).collect(),
        nodes: stats.map(|stats| stats.nodes),
        edges: stats.map(|stats| stats.edges),
        commits_behind: primary.commits_behind,
        last_synced: primary.last_synced.map(date_time),
        last_error: primary.last_error.as_deref().map(untrusted::line),
        renamed_to: entry.renamed_to.as_ref().map(ToString::to_string),
        revoked_by: entry.revocation.as_ref().map(|revocation| revoker(revocation.by)),
        matched,
    }
}

/// Who took something back, in a word.
pub(super) fn revoker(by: RevokedBy) -> &'static str {
    match by {
        RevokedBy::Registry => "registry",
        RevokedBy::Producer => "producer",
    }
}

fn status(word: &str) -> Result<Status, OpError> {
    Status::parse(word).ok_or_else(|| {
        let known: Vec<&str> = Status::ALL.iter().map(|status| status.word()).collect();
        OpError::new(
            ErrorKind::Invalid,
            format!("`{}` is not a status", untrusted::name(word)),
        )
        .hint(format!("one of {}", known.join(", ")))
    })
}

/// A place between two entries, for the next page.
fn cursor(key: &str) -> String {
    lore_base::digest::hex(key)
}

fn key_of(cursor: &str) -> Result<String, OpError> {
    let digits: Vec<u32> = cursor.chars().map_while(|digit| digit.to_digit(16)).collect();
    let bytes: Option<Vec<u8>> = digits
        .chunks(2)
        .map(|pair| match pair {
            [high, low] => u8::try_from(high * 16 + low).ok(),
            _ => None,
        })
        .collect();
    let is_whole = digits.len() == cursor.chars().count() && !digits.is_empty();
    let key = bytes
        .filter(|_| is_whole)
        .and_then(|bytes| String::from_utf8(bytes).ok());
    key.ok_or_else(|| OpError::new(ErrorKind::Invalid, "invalid cursor").hint("use next_cursor of the previous page"))
}

impl Render for RegistryListAnswer {
    fn render(&self, page: &mut Page) {
        let width = |text: &dyn Fn(&ListedEntry) -> usize| self.repos.iter().map(text).max().unwrap_or(0);
        let ids = width(&|row| row.id.chars().count());
        let statuses = width(&|row| row.status.len());
        for row in &self.repos {
            page.write(format_args!("{:ids$}  {:statuses$}", row.id, row.status));
            if row.local {
                page.write(format_args!("  local"));
            }
            if !row.formats.is_empty() {
                page.write(format_args!("  {}", row.formats.join(" ")));
            }
            if let (Some(nodes), Some(edges)) = (row.nodes, row.edges) {
                page.write(format_args!("  {nodes} nodes, {edges} edges"));
            }
            match row.commits_behind {
                None => {}
                Some(0) => page.write(format_args!("  current")),
                Some(1) => page.write(format_args!("  one commit behind")),
                Some(behind) => page.write(format_args!("  {behind} commits behind")),
            }
            if let Some(to) = &row.renamed_to {
                page.write(format_args!("  renamed to {to}"));
            }
            let told = row.last_error.as_ref().or(row.description.as_ref());
            if let Some(told) = told {
                page.write(format_args!("  "));
                page.dim(&untrusted::clean(told, 100));
            }
            page.line(format_args!(""));
        }
        if self.is_cut {
            page.line(format_args!("more rows: use a larger --limit"));
        }
        if self.repos.is_empty() {
            page.line(format_args!("no entries"));
        }
        if let Some(cursor) = &self.next_cursor {
            page.line(format_args!("more rows: --cursor {cursor}"));
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::super::testing::*;
    use super::*;

    #[test]
    fn pages_follow_each_other_without_gaps_by_an_opaque_cursor() {
        let world = made(bare(&[]));
        add(&world, &["b/one", "A/two", "gitlab.com/g/h/three", "c/four", "c/five"]);
        let mut arguments = json!({"limit": 2});
        let mut ids = Vec::new();
        for _ in 0..10 {
            let answer = run::<RegistryList, _>(&world, arguments.clone()).unwrap().value;
            assert!(answer.repos.len() <= 2);
            ids.extend(answer.repos.iter().map(|row| row.id.clone()));
            match answer.next_cursor {
                Some(cursor) => {
                    assert!(!cursor.contains('/'));
                    arguments = json!({"limit": 2, "cursor": cursor});
                }
                None => break,
            }
        }
        assert_eq!(ids, ["A/two", "b/one", "c/five", "c/four", "gitlab.com/g/h/three"]);
        for cursor in ["", "zz", "6", "c/five", "ff"] {
            let told = asked::<RegistryList, _>(&world, json!({ "cursor": cursor }));
            assert!(told.starts_with("! Invalid: invalid cursor"), "{cursor}: {told}");
        }
    }

    #[test]
    fn filters_and_words_choose_entries() {
        let world = made(bare(&[]));
        add(&world, &["octo/new"]);
        visited(&world, "octo/hello", "generic@1", "{}");
        visited(&world, "acme/shop", "ccg@1", "{\"a\":1}");
        let ids = |arguments| {
            let answer = run::<RegistryList, _>(&world, arguments).unwrap().value;
            answer
                .repos
                .iter()
                .map(|row| row.id.clone())
                .collect::<Vec<_>>()
                .join(" ")
        };
        assert_eq!(ids(json!({"status": "ok"})), "acme/shop octo/hello");
        assert_eq!(ids(json!({"owner": "Octo"})), "octo/hello octo/new");
        assert_eq!(ids(json!({"format": "ccg@1"})), "acme/shop");
        assert_eq!(ids(json!({"query": "SESSION"})), "octo/hello acme/shop");
        assert_eq!(ids(json!({"query": "session", "owner": "octo"})), "octo/hello");
        assert_eq!(
            asked::<RegistryList, _>(&world, json!({"query": "hello"})),
            "Yes\nocto/hello  ok  generic@1  3 nodes, 2 edges\n"
        );
        assert_eq!(
            asked::<RegistryList, _>(&world, json!({"tag": "web"})),
            "No\nno entries\n"
        );
        let told = asked::<RegistryList, _>(&world, json!({"status": "good"}));
        assert!(told.starts_with("! Invalid: `good` is not a status"), "{told}");
    }
}
