//! The search for a graph: what servers say goes in, what is asked and found comes out.

use std::collections::BTreeMap;

use super::*;
use lore_seam::RetryAfter;

const SHA: &str = "0123456789abcdef0123456789abcdef01234567";
const OTHER: &str = "89abcdef0123456789abcdef0123456789abcdef";
const HEAD: &str = "https://raw.githubusercontent.com/octo/hello/HEAD/.well-known/code-graph.json";
const MAIN: &str = "https://raw.githubusercontent.com/octo/hello/main/.well-known/code-graph.json";
const MASTER: &str = "https://raw.githubusercontent.com/octo/hello/master/.well-known/code-graph.json";
const GRAPH: &str = "https://raw.githubusercontent.com/octo/hello/HEAD/g.json";
const REPOS: &str = "https://reg.example/.well-known/repos.json";
const REGISTRY: &str = "https://reg.example/registry.json";

/// Servers that answer each address as a script says.
#[derive(Default)]
struct Script {
    replies: BTreeMap<String, Vec<Result<WebReply, WebFault>>>,
    sources: Sources,
    options: LookupOptions,
    kept: Option<CachedRepository>,
    repository: Option<&'static str>,
}

fn status(status: u16) -> Result<WebReply, WebFault> {
    Ok(WebReply {
        status,
        ..WebReply::default()
    })
}

fn page(body: impl Into<String>) -> Result<WebReply, WebFault> {
    Ok(WebReply {
        status: 200,
        body: body.into().into_bytes(),
        ..WebReply::default()
    })
}

impl Script {
    fn new(pages: &[(&str, &str)]) -> Self {
        let mut script = Self {
            options: LookupOptions {
                body: true,
                ..LookupOptions::default()
            },
            ..Self::default()
        };
        for (url, body) in pages {
            script.replies.insert((*url).to_owned(), vec![page(*body)]);
        }
        script
    }

    fn at(mut self, url: &str, replies: Vec<Result<WebReply, WebFault>>) -> Self {
        self.replies.insert(url.to_owned(), replies);
        self
    }

    fn with_aggregators(mut self, urls: &[&str]) -> Self {
        self.sources.aggregators = urls.iter().map(|url| Address::parse(url).unwrap()).collect();
        self
    }

    /// What is asked, and what comes of it.
    fn told(self) -> String {
        let (lines, outcome) = self.run();
        [lines, summary(&outcome)].concat().join("\n")
    }

    /// What comes of it.
    fn outcome(self) -> Vec<String> {
        summary(&self.run().1)
    }

    fn run(mut self) -> (Vec<String>, Outcome) {
        let repository = RepositoryId::parse(self.repository.unwrap_or("octo/hello")).unwrap();
        let mut machine = Machine::new(repository, self.sources, self.options, self.kept, 1);
        let mut lines = Vec::new();
        for _ in 0..100 {
            match machine.step() {
                Step::Done => return (lines, machine.finish()),
                Step::Wait(_) => lines.push("wait".to_owned()),
                Step::Look(_) => machine.feed_local(Vec::new()),
                Step::Ask(ask) => {
                    let mut line = format!("ask {}", ask.address);
                    for mark in ask.etag.iter().chain(&ask.last_modified) {
                        line.push_str(&format!(" unless {mark}"));
                    }
                    lines.push(line);
                    let reply = match self.replies.get_mut(ask.address.as_str()) {
                        None => status(404),
                        Some(replies) if replies.len() > 1 => replies.remove(0),
                        Some(replies) => replies[0].clone(),
                    };
                    machine.feed(reply, 0);
                }
            }
        }
        panic!("it never ends: {lines:?}");
    }
}

fn summary(outcome: &Outcome) -> Vec<String> {
    let mut lines = vec![match &outcome.record {
        RecordState::Found { record, .. } => {
            format!("{}: a record of {} graphs", outcome.repository, record.graphs.len())
        }
        state => format!("{}: {state:?}", outcome.repository),
    }];
    for listed in &outcome.listed {
        lines.push(format!("listed by {} as {}", listed.aggregator, listed.entry.status));
    }
    if let Some(aggregator) = &outcome.revoked_by {
        lines.push(format!("revoked by {aggregator}"));
    }
    for tried in &outcome.tried {
        lines.push(format!(
            "tried {} {}: {}: {}",
            tried.format, tried.url, tried.code, tried.why
        ));
    }
    if let Some(taken) = &outcome.taken {
        let graph = &taken.graph;
        lines.push(format!(
            "taken {} {} of {} nodes, {}, {:?}, {:?}",
            graph.format,
            graph.url,
            graph.nodes,
            graph.source_sha.as_deref().unwrap_or("no commit"),
            graph.via,
            taken.indexed
        ));
    }
    lines.extend(outcome.withdrawn.iter().map(|url| format!("withdrawn {url}")));
    lines.extend(outcome.head.iter().map(|head| format!("head {head}")));
    lines.extend(outcome.near.iter().map(|id| format!("near {id}")));
    lines.extend(outcome.notes.iter().map(|note| format!("note: {note}")));
    if outcome.is_incomplete {
        lines.push("incomplete".to_owned());
    }
    lines
}

fn record(graphs: &[(&str, &str)]) -> String {
    let graphs: Vec<String> = graphs
        .iter()
        .map(|(format, url)| format!(r#"{{"format": "{format}", "graph_url": "{url}"}}"#))
        .collect();
    format!(r#"{{"schema_version": 1, "graphs": [{}]}}"#, graphs.join(","))
}

fn generic(nodes: usize) -> String {
    let nodes: Vec<String> = (0..nodes).map(|number| format!(r#"{{"id": "n{number}"}}"#)).collect();
    format!(
        r#"{{"metadata": {{"tool": "t", "tool_version": "1", "generated_at": "2026-01-01T00:00:00Z", "commit": "{SHA}"}}, "nodes": [{}], "edges": []}}"#,
        nodes.join(",")
    )
}

fn entry(fields: &str) -> String {
    format!(
        r#"{{"schema_version": 1, "repos": [{{"id": "octo/hello", "format": "generic@1", "graph_url": "{GRAPH}", {fields}}}]}}"#
    )
}

#[test]
fn c1_three_places_are_asked_in_order_and_no_other_one() {
    assert_eq!(
        Script::new(&[]).told(),
        format!("ask {HEAD}\nask {MAIN}\nask {MASTER}\nocto/hello: Absent")
    );
    let record = record(&[("generic@1", GRAPH)]);
    let script = Script::new(&[(MAIN, &record), (MASTER, "{}"), (GRAPH, &generic(1))]);
    assert_eq!(
        script.told(),
        format!(
            "ask {HEAD}\nask {MAIN}\nask {GRAPH}\nocto/hello: a record of 1 graphs\ntaken generic@1 {GRAPH} of 1 nodes, {SHA}, Record, Unknown"
        )
    );
}

#[test]
fn amend_c1_every_forge_is_probed_at_its_own_addresses() {
    for (repository, first) in [
        (
            "gitlab.com/group/sub/repo",
            "https://gitlab.com/group/sub/repo/-/raw/HEAD/.well-known/code-graph.json",
        ),
        (
            "codeberg.org/octo/hello",
            "https://codeberg.org/octo/hello/raw/branch/HEAD/.well-known/code-graph.json",
        ),
        (
            "gitea.example.org/o/r",
            "https://gitea.example.org/o/r/raw/branch/HEAD/.well-known/code-graph.json",
        ),
    ] {
        let mut script = Script::new(&[]);
        script.repository = Some(repository);
        let told = script.told();
        assert_eq!(told.lines().next(), Some(format!("ask {first}").as_str()));
        assert_eq!(told.lines().count(), 4, "{told}");
    }
    let mut script = Script::new(&[]);
    script.repository = Some("git.example.org/o/r");
    assert_eq!(script.told(), "git.example.org/o/r: UnknownForge");
    let mut script = Script::new(&[]);
    script.repository = Some("git.example.org/o/r");
    script.sources.forges = vec![("git.example.org".to_owned(), Forge::GitLab)];
    assert!(script.told().starts_with("ask https://git.example.org/o/r/-/raw/HEAD/"));
}

#[test]
fn c1_c2_what_is_no_404_is_no_answer_and_leads_to_no_other_place() {
    let told = Script::new(&[]).at(HEAD, vec![status(403)]).told();
    assert_eq!(
        told,
        format!(
            "ask {HEAD}\nwait\nask {HEAD}\nwait\nask {HEAD}\nocto/hello: Unreachable(\"{HEAD} answers 403\")\nincomplete"
        )
    );
    let busy = Ok(WebReply {
        status: 429,
        retry_after: Some(RetryAfter::Seconds(3_600)),
        ..WebReply::default()
    });
    assert_eq!(
        Script::new(&[]).at(HEAD, vec![busy]).outcome()[0],
        format!("octo/hello: Unreachable(\"{HEAD} answers 429 and asks to wait 3600 s\")")
    );
    let record = record(&[("generic@1", GRAPH)]);
    let script = Script::new(&[(GRAPH, &generic(1))]).at(HEAD, vec![status(500), Err(WebFault::Dns), page(record)]);
    assert_eq!(
        script.outcome()[1],
        format!("taken generic@1 {GRAPH} of 1 nodes, {SHA}, Record, Unknown")
    );
}

#[test]
fn c3_the_preferred_format_is_taken_and_the_next_one_if_it_is_not_good() {
    let url = |name: &str| format!("https://octo.github.io/{name}.json");
    let (bundle, ccg, generic_url) = (url("bundle"), url("ccg"), url("generic"));
    let record = record(&[
        ("bundle@1", &bundle),
        ("mystery@1", &url("m")),
        ("generic@1", &generic_url),
        ("ccg@1", &ccg),
    ]);
    let script = Script::new(&[(HEAD, &record), (&ccg, "{\"nodes\": 7}"), (&generic_url, &generic(2))]);
    let told = script.told();
    let lines: Vec<&str> = told.lines().collect();
    assert_eq!(lines[1], format!("ask {ccg}"));
    assert_eq!(lines[2], format!("ask {generic_url}"));
    assert!(lines[4].starts_with(&format!("tried ccg@1 {ccg}: schema: ")), "{told}");
    assert_eq!(
        lines[5],
        format!("taken generic@1 {generic_url} of 2 nodes, {SHA}, Record, Unknown")
    );
    // Nothing of it is JSON: every format that is known is tried, and what is unknown is said to be.
    let script = Script::new(&[
        (HEAD, &record),
        (&ccg, "<html>"),
        (&generic_url, "\u{0}"),
        (&bundle, "["),
    ]);
    let outcome = script.outcome();
    let codes: Vec<&str> = outcome[1..]
        .iter()
        .map(|line| line.split(": ").nth(1).unwrap())
        .collect();
    assert_eq!(codes, ["not_json", "not_json", "not_json", "unsupported"]);
}

#[test]
fn ruling18_a_wish_comes_before_the_usual_order_and_the_larger_number_first() {
    let url = |name: &str| format!("https://octo.github.io/{name}.json");
    let record = record(&[("ccg@1", &url("a")), ("generic@1", &url("b")), ("generic@2", &url("c"))]);
    let mut script = Script::new(&[(HEAD, &record)]);
    script.sources.preferred = vec!["generic".to_owned()];
    let tried: Vec<String> = script
        .run()
        .1
        .tried
        .iter()
        .map(|tried| tried.format.to_string())
        .collect();
    assert_eq!(tried, ["generic@2", "generic@1", "ccg@1"]);
    let mut script = Script::new(&[(HEAD, &record)]);
    script.options.format = FormatId::parse("generic@1");
    let tried: Vec<String> = script
        .run()
        .1
        .tried
        .iter()
        .map(|tried| tried.format.to_string())
        .collect();
    assert_eq!(tried, ["generic@1"]);
}

#[test]
fn c3_one_body_under_two_formats_is_fetched_once() {
    let record = record(&[("ccg@1", GRAPH), ("generic@1", GRAPH)]);
    let told = Script::new(&[(HEAD, &record), (GRAPH, &generic(1))]).told();
    assert_eq!(told.matches(&format!("ask {GRAPH}")).count(), 1, "{told}");
    assert!(
        told.contains("tried ccg@1") && told.contains("taken generic@1"),
        "{told}"
    );
}

#[test]
fn amend_c3_a_record_of_another_version_is_said_to_be_and_the_aggregators_are_asked() {
    let listed = entry(r#""status": "ok""#);
    let script = Script::new(&[
        (HEAD, r#"{"schema_version": 2, "graphs": []}"#),
        (REPOS, &listed),
        (GRAPH, &generic(1)),
    ])
    .with_aggregators(&["https://reg.example/"]);
    assert_eq!(
        script.told(),
        format!(
            "ask {HEAD}\nask {REPOS}\nask {GRAPH}\nocto/hello: Unsupported(\"2\")\nlisted by https://reg.example/ as ok\n\
             taken generic@1 {GRAPH} of 1 nodes, {SHA}, Aggregator(\"https://reg.example/\"), Unknown"
        )
    );
}

#[test]
fn c4_aggregators_are_asked_in_order_the_short_list_first() {
    let script = Script::new(&[(
        "https://two.example/x/registry.json",
        &entry(r#""status": "ok""#).replace("repos", "entries"),
    )])
    .with_aggregators(&["https://reg.example", "https://two.example/x", "https://three.example"])
    .at(GRAPH, vec![page(generic(1))]);
    assert_eq!(
        script.told(),
        format!(
            "ask {HEAD}\nask {MAIN}\nask {MASTER}\nask {REPOS}\nask {REGISTRY}\n\
             ask https://two.example/x/.well-known/repos.json\nask https://two.example/x/registry.json\nask {GRAPH}\n\
             octo/hello: Absent\nlisted by https://two.example/x as ok\n\
             taken generic@1 {GRAPH} of 1 nodes, {SHA}, Aggregator(\"https://two.example/x\"), Unknown\n\
             note: https://reg.example/ has no registry.json"
        )
    );
}

#[test]
fn c4_only_what_is_ok_is_taken_from_an_aggregator() {
    for status in [
        "missing",
        "invalid",
        "oversize",
        "transient_error",
        "dead",
        "pending",
        "refused",
    ] {
        let script = Script::new(&[
            (REPOS, &entry(&format!(r#""status": "{status}""#))),
            (GRAPH, &generic(1)),
        ])
        .with_aggregators(&["https://reg.example"]);
        assert_eq!(
            script.outcome(),
            [
                "octo/hello: Absent".to_owned(),
                format!("listed by https://reg.example/ as {status}")
            ]
        );
    }
}

#[test]
fn c4_where_the_two_disagree_the_repository_counts() {
    let own = "https://octo.github.io/own.json";
    let script = Script::new(&[
        (HEAD, &record(&[("generic@1", own)])),
        (REPOS, &entry(r#""status": "ok""#)),
        (own, &generic(2)),
        (GRAPH, &generic(1)),
    ])
    .with_aggregators(&["https://reg.example"]);
    let told = script.told();
    assert!(told.contains(&format!("taken generic@1 {own} of 2 nodes")), "{told}");
    assert!(!told.contains(&format!("ask {GRAPH}")), "{told}");
    assert!(told.ends_with(&format!(
        "note: https://reg.example/ lists another address for generic@1: {GRAPH}; the repository's own record takes precedence"
    )));
}

#[test]
fn amend_c4_nothing_is_null_and_ids_that_are_near() {
    let list = r#"{"schema_version": 1, "repos": [{"id": "octo/hullo"}, {"id": "octo/yellow"}, {"id": "acme/shop"}]}"#;
    let script = Script::new(&[(REPOS, list)]).with_aggregators(&["https://reg.example"]);
    assert_eq!(
        script.outcome(),
        [
            "octo/hello: Absent",
            "near octo/hullo",
            "near octo/yellow",
            "note: https://reg.example/ has no registry.json"
        ]
    );
}

#[test]
fn c4_an_aggregator_that_is_down_does_not_hold_up_a_repository_that_speaks_for_itself() {
    let record = record(&[("generic@1", GRAPH)]);
    let script = Script::new(&[(HEAD, &record), (GRAPH, &generic(1))])
        .at(REPOS, vec![status(503)])
        .with_aggregators(&["https://reg.example"]);
    let told = script.told();
    assert!(!told.contains("wait") && told.contains("taken generic@1"), "{told}");
    assert!(told.contains(
        "note: cannot reach the aggregator https://reg.example/: https://reg.example/.well-known/repos.json answers 503"
    ));
    let script = Script::new(&[])
        .at(REPOS, vec![status(503)])
        .with_aggregators(&["https://reg.example"]);
    let told = script.told();
    assert_eq!(told.matches("wait").count(), 2);
    assert!(told.ends_with("incomplete"), "{told}");
    for bad in ["<html>", r#"{"schema_version": 3, "repos": []}"#] {
        let script = Script::new(&[(REPOS, bad)]).with_aggregators(&["https://reg.example"]);
        let told = script.told();
        assert!(told.contains(&format!("note: cannot use {REPOS}: ")), "{told}");
    }
}

#[test]
fn c5_s11_what_was_taken_back_is_never_used() {
    let record = record(&[("generic@1", GRAPH)]);
    let script = Script::new(&[
        (HEAD, &record),
        (REPOS, &entry(r#""status": "revoked""#)),
        (GRAPH, &generic(1)),
    ])
    .with_aggregators(&["https://reg.example"]);
    assert_eq!(
        script.told(),
        format!("ask {HEAD}\nask {REPOS}\nocto/hello: a record of 1 graphs\nrevoked by https://reg.example/")
    );
}

#[test]
fn ruling5_c5_one_graph_of_several_may_be_taken_back() {
    let other = "https://octo.github.io/b.json";
    let record = record(&[("generic@1", GRAPH), ("bundle@1", other)]);
    let list = format!(
        r#"{{"schema_version": 1, "repos": [{{"id": "octo/hello", "format": "bundle@1", "graph_url": "{other}", "status": "ok"}}, {{"id": "octo/hello#generic@1", "status": "revoked"}}]}}"#
    );
    let run = |format: Option<&str>| {
        let mut script = Script::new(&[(HEAD, &record), (REPOS, &list), (GRAPH, &generic(1))])
            .with_aggregators(&["https://reg.example"]);
        script.options.format = format.and_then(FormatId::parse);
        script.told()
    };
    let told = run(None);
    assert!(
        told.contains(&format!("ask {other}")) && !told.contains(&format!("ask {GRAPH}")),
        "{told}"
    );
    assert!(run(Some("generic@1")).ends_with("revoked by https://reg.example/"));
}

#[test]
fn c5_a_body_that_is_gone_is_withdrawn_and_the_next_one_is_tried() {
    let next = "https://octo.github.io/next.json";
    let record = record(&[("ccg@1", GRAPH), ("generic@1", next)]);
    let script = Script::new(&[(HEAD, &record), (next, &generic(3))]).at(GRAPH, vec![status(410)]);
    assert_eq!(
        script.outcome(),
        [
            "octo/hello: a record of 2 graphs".to_owned(),
            format!("tried ccg@1 {GRAPH}: missing: gone (410)"),
            format!("taken generic@1 {next} of 3 nodes, {SHA}, Record, Unknown"),
            format!("withdrawn {GRAPH}")
        ]
    );
}

fn renamed(from: &str, to: &str) -> String {
    format!(r#"{{"id": "{from}", "status": "renamed", "renamed_to": "{to}"}}"#)
}

#[test]
fn c5_a_new_name_is_followed_five_times_and_never_in_a_circle() {
    let list = |entries: &[String]| format!(r#"{{"schema_version": 1, "repos": [{}]}}"#, entries.join(","));
    let new = "https://raw.githubusercontent.com/octo/new/HEAD/.well-known/code-graph.json";
    let graph = "https://octo.github.io/new.json";
    let chain = list(&[renamed("octo/hello", "octo/b"), renamed("octo/b", "octo/new")]);
    let script = Script::new(&[
        (REPOS, &chain),
        (new, &record(&[("generic@1", graph)])),
        (graph, &generic(1)),
    ])
    .with_aggregators(&["https://reg.example"]);
    let (_, outcome) = script.run();
    assert_eq!(outcome.repository.to_string(), "octo/new");
    let names: Vec<String> = outcome.renamed_from.iter().map(RepositoryId::to_string).collect();
    assert_eq!(names, ["octo/hello", "octo/b"]);
    assert!(outcome.taken.is_some());

    let circle = list(&[renamed("octo/hello", "octo/b"), renamed("octo/b", "Octo/Hello")]);
    let script = Script::new(&[(REPOS, &circle)]).with_aggregators(&["https://reg.example"]);
    assert_eq!(
        script.outcome(),
        [
            "octo/b: Absent",
            "note: https://reg.example/: octo/b is now Octo/Hello, which is one of the former names"
        ]
    );

    let ids: Vec<String> = (0..8)
        .map(|number| {
            if number == 0 {
                "octo/hello".to_owned()
            } else {
                format!("octo/r{number}")
            }
        })
        .collect();
    let long: Vec<String> = ids.windows(2).map(|pair| renamed(&pair[0], &pair[1])).collect();
    let script = Script::new(&[(REPOS, &list(&long))]).with_aggregators(&["https://reg.example"]);
    let (_, outcome) = script.run();
    assert_eq!(
        (outcome.repository.to_string().as_str(), outcome.renamed_from.len()),
        ("octo/r5", 5)
    );
    assert_eq!(
        outcome.notes,
        ["https://reg.example/: octo/r5 is now octo/r6, which is one rename too many"]
    );
}

#[test]
fn c7_a_body_is_compared_with_what_the_aggregator_looked_at() {
    let body = generic(1);
    let digest = judge(&FormatId::parse("generic@1").unwrap(), body.as_bytes())
        .unwrap()
        .digest;
    for (last_sha, expected) in [
        (digest.as_str(), "Same"),
        (&"0".repeat(64), "Newer"),
        ("short", "Unknown"),
    ] {
        let script = Script::new(&[
            (REPOS, &entry(&format!(r#""status": "ok", "last_sha": "{last_sha}""#))),
            (GRAPH, &body),
        ])
        .with_aggregators(&["https://reg.example"]);
        let outcome = script.outcome();
        assert!(outcome[2].ends_with(expected), "{outcome:?}");
    }
}

#[test]
fn c7_what_is_kept_is_asked_for_by_its_marks() {
    let record = record(&[("generic@1", GRAPH)]);
    let kept = CachedRepository {
        repository: "octo/hello".to_owned(),
        record: Some(CachedRecord {
            url: HEAD.to_owned(),
            etag: Some("\"r\"".to_owned()),
            text: record.clone(),
        }),
        graphs: vec![CachedGraph {
            format: "generic@1".to_owned(),
            url: GRAPH.to_owned(),
            digest: "d".to_owned(),
            nodes: 9,
            etag: Some("\"g\"".to_owned()),
            last_modified: Some("yesterday".to_owned()),
            ..CachedGraph::default()
        }],
    };
    let mut script = Script::new(&[])
        .at(HEAD, vec![status(304)])
        .at(GRAPH, vec![status(304)]);
    script.kept = Some(kept.clone());
    assert_eq!(
        script.told(),
        format!(
            "ask {HEAD} unless \"r\"\nask {GRAPH} unless \"g\" unless yesterday\nocto/hello: a record of 1 graphs\n\
             taken generic@1 {GRAPH} of 9 nodes, no commit, Record, Unknown"
        )
    );
    // At another address than the one that gave the mark there is nothing to compare.
    let moved = "https://octo.github.io/g.json";
    let mut script = Script::new(&[(HEAD, &record.replace(GRAPH, moved)), (moved, &generic(1))]);
    script.kept = Some(kept);
    let told = script.told();
    assert!(told.contains(&format!("\nask {moved}\n")), "{told}");
}

#[test]
fn s2_a_graph_at_a_foreign_host_is_not_asked_for() {
    let record = record(&[
        ("ccg@1", "https://evil.example/g.json"),
        ("generic@1", "https://octo.github.io:8443/g.json"),
        ("bundle@1", GRAPH),
    ]);
    let bundle = |content: &str| {
        format!(
            r#"{{"manifest": {{"tool": "t", "tool_version": "1", "generated_at": "2026-01-01T00:00:00Z", "file_count": 1, "byte_count": 1, "token_estimate": 1, "format": "markdown", "commit": "{SHA}"}}, "content_url": "{content}", "files": [{{"path": "a"}}]}}"#
        )
    };
    let script = Script::new(&[(HEAD, &record), (GRAPH, &bundle("https://evil.example/all.md"))]);
    let told = script.told();
    assert_eq!(told.matches("ask ").count(), 2, "{told}");
    let codes: Vec<&str> = told
        .lines()
        .filter(|line| line.starts_with("tried"))
        .map(|line| line.split(": ").nth(1).unwrap())
        .collect();
    assert_eq!(codes, ["foreign_host", "port", "foreign_host"]);
    let mut script = Script::new(&[(HEAD, &record), (GRAPH, &bundle("https://evil.example/all.md"))]);
    script.sources.allowed = vec!["evil.example".to_owned()];
    let told = script.told();
    assert!(
        told.contains("ask https://evil.example/g.json") && told.contains("taken bundle@1"),
        "{told}"
    );
}

#[test]
fn ruling13_redirects_are_followed_within_the_policy() {
    let to = |location: &str| {
        Ok(WebReply {
            status: 301,
            location: Some(location.to_owned()),
            ..WebReply::default()
        })
    };
    let record = record(&[("generic@1", GRAPH)]);
    let script = Script::new(&[(HEAD, &record), ("https://octo.github.io/g", &generic(1))])
        .at(GRAPH, vec![to("https://octo.github.io/g")]);
    assert!(script.outcome()[1].starts_with(&format!("taken generic@1 {GRAPH}")));
    let script = Script::new(&[(HEAD, &record)]).at(GRAPH, vec![to("http://octo.github.io/g")]);
    assert!(script.outcome()[1].contains(": not_https: "));
    let script = Script::new(&[]).at(HEAD, vec![to("https://evil.example/record.json")]);
    let told = script.told();
    assert!(
        !told.contains("ask https://evil.example") && told.contains("Unreachable"),
        "{told}"
    );
}

#[test]
fn ruling14_what_an_aggregator_says_of_itself_is_no_record() {
    let service =
        r#"{"schema_version": 1, "service": {"name": "reg", "registry_url": "https://reg.example/registry.json"}}"#;
    assert_eq!(
        Script::new(&[(HEAD, service)]).outcome(),
        ["octo/hello: Unusable(\"this is the document of an aggregator, which lists no graphs\")"]
    );
}

#[test]
fn ruling9_the_body_counts_and_a_difference_is_told() {
    let script = Script::new(&[(HEAD, &record_of(OTHER)), (GRAPH, &generic(1))]);
    let outcome = script.outcome();
    assert!(outcome[1].contains(SHA));
    assert_eq!(
        outcome[2],
        format!("note: the body names the commit {SHA}, the record names {OTHER}; the body takes precedence")
    );
}

#[test]
fn ruling21_the_record_stands_in_for_a_body_that_names_no_commit() {
    let script = Script::new(&[(HEAD, &record_of(OTHER)), (GRAPH, r#"{"nodes": [], "edges": []}"#)]);
    let outcome = script.outcome();
    assert_eq!(
        outcome[1..],
        [format!("taken generic@1 {GRAPH} of 0 nodes, {OTHER}, Record, Unknown")]
    );
}

/// A record whose one graph was made of a commit.
fn record_of(sha: &str) -> String {
    record(&[("generic@1", GRAPH)]).replace("\"}]", &format!("\", \"source_sha\": \"{sha}\"}}]"))
}

#[test]
fn r3_the_tip_is_asked_for_where_it_is_wanted_and_of_use() {
    let sha = |text: String| text.replace("\"}]", &format!("\", \"source_sha\": \"{SHA}\"}}]"));
    let known = sha(record(&[("generic@1", GRAPH)]));
    let upload = "https://github.com/octo/hello.git/git-upload-pack";
    let find = |text: &str, reply: &str| {
        let mut script = Script::new(&[(HEAD, text), (upload, reply)]);
        script.options = LookupOptions {
            head: true,
            ..LookupOptions::default()
        };
        script.told()
    };
    assert_eq!(
        find(&known, &format!("0032{OTHER} HEAD\n0000")),
        format!("ask {HEAD}\nask {upload}\nocto/hello: a record of 1 graphs\nhead {OTHER}")
    );
    assert_eq!(
        find(&known, "<html>"),
        format!("ask {HEAD}\nask {upload}\nocto/hello: a record of 1 graphs")
    );
    let unknown = record(&[("generic@1", GRAPH)]);
    assert_eq!(
        find(&unknown, ""),
        format!("ask {HEAD}\nocto/hello: a record of 1 graphs")
    );
}

#[test]
fn d2_a_record_with_one_bad_graph_is_used_for_the_others() {
    let text = format!(
        r#"{{"schema_version": 1, "graphs": [{{"format": "x"}}, {{"format": "generic@1", "graph_url": "{GRAPH}"}}]}}"#
    );
    let (_, outcome) = Script::new(&[(HEAD, &text), (GRAPH, &generic(1))]).run();
    assert!(outcome.taken.is_some());
    let RecordState::Found { warnings, .. } = outcome.record else {
        panic!("a record");
    };
    assert_eq!(warnings, ["graphs[0] is skipped: `x` is not a format"]);
}
