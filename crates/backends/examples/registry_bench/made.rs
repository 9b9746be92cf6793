//! What is registered and published: repositories by number, their records, entries and bodies. The same number gives the same bytes, and no two bodies are the same.

use std::collections::BTreeSet;
use std::fmt::Write;

use lore_ckgp::forge::RepositoryId;
use lore_ckgp::format::{Commit, FormatId};
use lore_ckgp::registry_store::entry::{Entry, Marks, Stats};
use lore_ckgp::registry_store::status::Status;
use lore_ckgp::registry_store::store::SearchText;
use lore_registry::formats::Formats;
use lore_registry::search_text::text_of;

use super::Outcome;

/// The formats of bodies, each taken by every third repository.
pub(crate) const FORMATS: [&str; 3] = ["generic@1", "code-review-graph@1", "ccg@1"];
/// Where repositories are: most of them at the first one, as in the world.
const HOSTS: [&str; 3] = ["github.com", "gitlab.com", "codeberg.org"];
/// From this number on they are everywhere alike, so that more of them are asked at once than one host bears.
pub(crate) const EVENLY: usize = 500_000;
/// The mark of every record and every body.
pub(crate) const ETAG: &str = "\"5d8c72a5edda8d6a\"";
/// Repositories of one owner.
const PER_OWNER: usize = 20;
/// When everything was registered and visited.
pub(crate) const THEN: i64 = 1_790_000_000;

const LANGUAGES: [&str; 6] = ["python", "typescript", "rust", "go", "java", "kotlin"];
const TAGS: [&str; 8] = [
    "web", "cli", "database", "compiler", "testing", "network", "graphics", "parsing",
];
const KINDS: [&str; 4] = ["function", "method", "class", "module"];
/// What names are made of.
const WORDS: [&str; 96] = [
    "account", "action", "address", "allocate", "append", "archive", "array", "async", "balance", "batch", "begin",
    "binary", "block", "buffer", "build", "cache", "call", "cancel", "cart", "channel", "check", "client", "close",
    "cluster", "collect", "column", "command", "commit", "compile", "config", "connect", "context", "convert", "count",
    "create", "cursor", "customer", "decode", "default", "delete", "deliver", "device", "digest", "dispatch",
    "document", "download", "element", "encode", "engine", "entity", "error", "event", "execute", "export", "factory",
    "fetch", "field", "filter", "finish", "format", "forward", "frame", "gateway", "generate", "graph", "group",
    "handle", "header", "history", "host", "image", "import", "index", "input", "insert", "invoice", "iterate",
    "journal", "kernel", "layout", "limit", "listen", "load", "lock", "login", "manager", "message", "metric",
    "migrate", "module", "monitor", "network", "order", "packet", "parse", "payment",
];

/// Numbers that follow from a seed.
struct Dice(u64);

impl Dice {
    fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((mixed ^ (mixed >> 31)) % bound.max(1) as u64) as usize
    }

    fn one<'w>(&mut self, words: &[&'w str]) -> &'w str {
        words[self.below(words.len())]
    }

    /// A name as code has them: two or three words, in one of the two ways of writing.
    fn name(&mut self, name: &mut String) {
        let (parts, is_snake) = (2 + self.below(2), self.below(2) == 0);
        for part in 0..parts {
            let word = self.one(&WORDS);
            if is_snake {
                name.push_str(if part > 0 { "_" } else { "" });
                name.push_str(word);
            } else {
                name.push_str(&word[..1].to_uppercase());
                name.push_str(&word[1..]);
            }
        }
    }
}

/// The repository with a number.
pub(crate) fn repository(number: usize) -> Outcome<RepositoryId> {
    let host = match number {
        EVENLY.. => HOSTS[number % HOSTS.len()],
        _ => HOSTS[(number / 10 % 16).saturating_sub(13)],
    };
    let (owner, name) = (format!("owner{:05}", number / PER_OWNER), format!("repo{number:06}"));
    RepositoryId::new(Some(host), &owner, &name).map_err(|fault| fault.to_string().into())
}

/// The number of the repository that an address is of.
pub(crate) fn number_of(url: &str) -> Option<usize> {
    let digits = url.split_once("/repo")?.1.get(..6)?;
    digits.parse().ok()
}

/// The commit of a repository's tip, of which its graph is.
pub(crate) fn commit(number: usize) -> String {
    format!("{:040x}", (number as u128 + 1) * 0x9e37_79b9_7f4a_7c15_f39c)
}

pub(crate) fn format_of(number: usize) -> &'static str {
    FORMATS[number % FORMATS.len()]
}

/// Where a repository's body is: beside its record.
pub(crate) fn body_url(record_url: &str) -> String {
    record_url.replace(".well-known/code-graph.json", "graph.json")
}

/// The record that a repository publishes at an address.
pub(crate) fn record(number: usize, url: &str) -> Vec<u8> {
    format!(
        "{{\"schema_version\": 1, \"graphs\": [{{\"format\": \"{}\", \"graph_url\": \"{}\", \"description\": \"Number {number} of them\", \
         \"tags\": [\"{}\", \"{}\"]}}]}}",
        format_of(number),
        body_url(url),
        TAGS[number % 8],
        TAGS[number / 8 % 7 + 1],
    )
    .into_bytes()
}

/// The body of a repository, of about so many bytes.
pub(crate) fn body(number: usize, bytes: usize) -> Vec<u8> {
    let mut dice = Dice(number as u64 + 1);
    // A node and the edges that lead from it take about five hundred bytes.
    let nodes = (bytes / 520).max(1);
    let mut body = String::with_capacity(bytes + 1_024);
    let shape = &SHAPES[number % SHAPES.len()];
    let _ = write!(body, "{}{}{}", shape.begin, commit(number), shape.nodes);
    let mut name = String::new();
    for node in 0..nodes {
        name.clear();
        dice.name(&mut name);
        if node > 0 {
            body.push_str(shape.between);
        }
        (shape.node)(&mut body, node, &name, dice.below(900));
    }
    body.push_str(shape.edges);
    let mut edge = 0;
    while body.len() + 200 < bytes {
        if edge > 0 {
            body.push_str(shape.between);
        }
        (shape.edge)(&mut body, edge, edge % nodes, dice.below(nodes));
        edge += 1;
    }
    body.push_str(shape.end);
    body.into_bytes()
}

/// How a format is written by its tool.
struct Shape {
    begin: &'static str,
    nodes: &'static str,
    between: &'static str,
    node: fn(&mut String, usize, &str, usize),
    edges: &'static str,
    edge: fn(&mut String, usize, usize, usize),
    end: &'static str,
}

const SHAPES: [Shape; 3] = [
    Shape {
        begin: "{\"directed\": true, \"multigraph\": false, \"graph\": {}, \"metadata\": {\"tool\": \"graphify\", \"commit\": \"",
        nodes: "\"}, \"nodes\": [",
        between: ", ",
        node: |body, node, name, line| {
            let part = node % 97;
            let _ = write!(
                body,
                "{{\"label\": \"{name}()\", \"file_type\": \"code\", \"source_file\": \"src/shop/part{part}.py\", \
                 \"source_location\": \"L{line}\", \"id\": \"part{part}_n{node}\", \"community\": {}, \"norm_label\": \"{name}()\"}}",
                node % 31
            );
        },
        edges: "], \"edges\": [",
        edge: |body, edge, from, to| {
            let _ = write!(
                body,
                "{{\"relation\": \"calls\", \"confidence\": \"EXTRACTED\", \"source_file\": \"src/shop/part{}.py\", \"weight\": 1.0, \
                 \"source\": \"part{}_n{from}\", \"target\": \"part{}_n{to}\", \"confidence_score\": 1.0}}",
                edge % 97,
                from % 97,
                to % 97
            );
        },
        end: "]}",
    },
    Shape {
        begin: "{\"metadata\": {\"tool\": \"code-review-graph\", \"commit\": \"",
        nodes: "\"}, \"stats\": {\"total_nodes\": 1, \"total_edges\": 1, \"nodes_by_kind\": {}, \"edges_by_kind\": {}, \
                \"languages\": [\"python\"], \"files_count\": 9}, \"nodes\": [",
        between: ", ",
        node: |body, node, name, line| {
            let part = node % 97;
            let _ = write!(
                body,
                "{{\"id\": {}, \"kind\": \"Function\", \"name\": \"{name}\", \"qualified_name\": \"src/shop/part{part}.py::n{node}\", \
                 \"file_path\": \"src/shop/part{part}.py\", \"line_start\": {line}, \"line_end\": {}, \"language\": \"python\", \
                 \"parent_name\": \"Handler\", \"params\": \"(self, order, retries=3)\", \"return_type\": null, \"is_test\": false}}",
                node + 1,
                line + 12
            );
        },
        edges: "], \"edges\": [",
        edge: |body, edge, from, to| {
            let _ = write!(
                body,
                "{{\"id\": {}, \"kind\": \"CALLS\", \"source\": \"src/shop/part{}.py::n{from}\", \"target\": \"src/shop/part{}.py::n{to}\", \
                 \"file_path\": \"src/shop/part{}.py\", \"line\": {}, \"confidence\": 1.0, \"confidence_tier\": \"EXTRACTED\"}}",
                edge + 1,
                from % 97,
                to % 97,
                from % 97,
                edge % 900 + 1
            );
        },
        end: "]}",
    },
    Shape {
        begin: "{\"directed\":true,\"multigraph\":true,\"metadata\":{\"tool\":\"lore\",\"tool_version\":\"0.1.0\",\
                \"generated_at\":\"2026-11-16T12:00:00Z\",\"commit\":\"",
        nodes: "\"},\n\"nodes\":[\n",
        between: ",\n",
        node: |body, node, name, line| {
            let _ = write!(
                body,
                "{{\"id\":\"s{node:010}\",\"kind\":\"{}\",\"name\":\"{name}\",\"qualified_name\":\"shop.orders.part{}.{name}\",\
                 \"file\":\"f{:010}\",\"line\":{},\"column\":4,\"end_line\":{},\
                 \"signature\":\"def {name}(self, order: Order, *, retries: int = 3) -> Receipt\",\
                 \"doc\":\"Takes the order and gives a receipt for it.\",\"complexity\":4}}",
                KINDS[node % 4],
                node % 97,
                node / 40,
                line + 1,
                line + 12
            );
        },
        edges: "\n],\n\"edges\":[\n",
        edge: |body, edge, from, to| {
            let _ = write!(
                body,
                "{{\"source\":\"s{from:010}\",\"target\":\"s{to:010}\",\"kind\":\"call\",\"resolution\":\"exact\",\"lines\":[{},{}]}}",
                edge % 900 + 1,
                edge % 900 + 5
            );
        },
        end: "\n]}\n",
    },
];

/// An entry that was visited, with everything that a visit leaves. Some are not well, some have a second graph, and only those of which `has_source` says so name a commit.
pub(crate) fn entry(number: usize, formats: &Formats, record_url: &str, has_source: bool) -> Outcome<Entry> {
    let mut dice = Dice(number as u64 + 7);
    let named = FormatId::parse(format_of(number)).ok_or("the formats have names")?;
    let mut entry = Entry::new(repository(number)?, Some((named.clone(), body_url(record_url))), THEN);
    entry.default_branch = Some("main".to_owned());
    entry.record.url = Some(record_url.to_owned());
    entry.record.etag = Some(ETAG.to_owned());
    entry.visited_at = Some(THEN);
    entry.interval = 21_600;
    let source = Commit::parse(&commit(number)).filter(|_| has_source);
    entry.head_sha.clone_from(&source);
    entry.drift_checked_at = source.is_some().then_some(THEN);
    let second = FormatId::parse(format_of(number + 1)).filter(|_| number % 10 == 3);
    let graph = &mut entry.graphs[0];
    graph.is_recorded = true;
    graph.description = Some(format!(
        "A {} for {} that can {}",
        dice.one(&WORDS),
        dice.one(&WORDS),
        dice.one(&WORDS)
    ));
    graph.tags = vec![TAGS[number % 8].to_owned(), TAGS[number / 8 % 7 + 1].to_owned()];
    graph.tool_version = Some("0.1.0".to_owned());
    graph.generated_at = Some("2026-11-16T12:00:00Z".to_owned());
    graph.status = match number % 50 {
        17 => Status::Missing,
        33 => Status::Invalid,
        _ => Status::Ok,
    };
    graph.last_error = (graph.status != Status::Ok).then(|| "404".to_owned());
    graph.last_synced = Some(THEN);
    graph.marks = Some(Marks {
        etag: Some(ETAG.to_owned()),
        last_modified: None,
        schema: formats.schema(&named).ok_or("the formats are known")?,
    });
    graph.last_sha = Some(digest(number));
    graph.size_bytes = Some(8_500);
    graph.stats = Some(Stats {
        nodes: 20 + dice.below(5_000) as u64,
        edges: 30 + dice.below(20_000) as u64,
        top_kinds: KINDS
            .iter()
            .map(|kind| ((*kind).to_owned(), 1 + dice.below(900) as u64))
            .collect(),
        languages: vec![LANGUAGES[number % 6].to_owned()],
    });
    graph.commits_behind = source.is_some().then_some(0);
    graph.source_sha = source.clone();
    graph.body_sha = source;
    if let Some(second) = second {
        let mut other = entry.graphs[0].clone();
        other.format = Some(second);
        other.marks = None;
        other.last_sha = None;
        entry.graphs.push(other);
    }
    Ok(entry)
}

/// A digest that no other number has.
pub(crate) fn digest(number: usize) -> String {
    let mixed = (number as u64 + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    format!("{mixed:016x}{number:048x}")
}

/// What can be searched of an entry, and its words.
pub(crate) fn words(number: usize, entry: &Entry) -> (SearchText, BTreeSet<String>) {
    let mut dice = Dice(number as u64 + 13);
    let mut symbols = BTreeSet::new();
    let mut terms = BTreeSet::new();
    for _ in 0..12 {
        let mut name = String::new();
        dice.name(&mut name);
        terms.extend(name.split('_').filter(|term| term.len() > 2).map(str::to_lowercase));
        symbols.extend(text_of(&name).split(' ').map(str::to_owned));
    }
    // Names that few others have.
    symbols.insert(format!("rare{number}"));
    let text = SearchText {
        name: text_of(&entry.repository.to_string()),
        about: text_of(entry.description().unwrap_or_default()),
        languages: LANGUAGES[number % 6].to_owned(),
        symbols: Some(symbols.into_iter().collect::<Vec<_>>().join(" ")),
    };
    (text, terms)
}
