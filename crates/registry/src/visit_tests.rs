//! Visits, reply by reply: an entry and what servers say go in, what is asked and what becomes of the entry come out.

use std::collections::BTreeMap;
use std::fmt::Write;

use super::drift::compared;
use super::*;
use lore_ckgp::registry_store::store::RegisteredFormat;
use lore_seam::{RetryAfter, WebPhase};

const SHA: &str = "0123456789abcdef0123456789abcdef01234567";
const TIP: &str = "89abcdef0123456789abcdef0123456789abcdef";
const RECORD: &str = "https://raw.githubusercontent.com/octo/hello/HEAD/.well-known/code-graph.json";
const MAIN: &str = "https://raw.githubusercontent.com/octo/hello/main/.well-known/code-graph.json";
const MASTER: &str = "https://raw.githubusercontent.com/octo/hello/master/.well-known/code-graph.json";
const GRAPH: &str = "https://raw.githubusercontent.com/octo/hello/HEAD/g.json";
const GIT: &str = "https://github.com/octo/hello.git/git-upload-pack";
const REFS: &str = "https://github.com/octo/hello.git/info/refs?service=git-upload-pack";
const NOW: Seconds = 1_790_000_000;

type Reply = Result<WebReply, WebFault>;

fn status(status: u16) -> Reply {
    Ok(WebReply {
        status,
        ..WebReply::default()
    })
}

fn page(body: impl Into<Vec<u8>>) -> Reply {
    Ok(WebReply {
        status: 200,
        body: body.into(),
        ..WebReply::default()
    })
}

fn marked(body: impl Into<Vec<u8>>, etag: &str) -> Reply {
    page(body).map(|reply| WebReply {
        etag: Some(etag.to_owned()),
        ..reply
    })
}

fn moved(to: &str) -> Reply {
    Ok(WebReply {
        status: 301,
        location: Some(to.to_owned()),
        ..WebReply::default()
    })
}

fn record(graphs: &[(&str, &str)]) -> String {
    let graphs: Vec<String> = graphs
        .iter()
        .map(|(format, rest)| format!(r#"{{"format": "{format}", "graph_url": "{GRAPH}"{rest}}}"#))
        .collect();
    format!(r#"{{"schema_version": 1, "graphs": [{}]}}"#, graphs.join(", "))
}

fn body(commit: Option<&str>) -> String {
    let commit = commit
        .map(|commit| format!(r#", "commit": "{commit}""#))
        .unwrap_or_default();
    format!(
        r#"{{"nodes": [{{"id": 1, "kind": "Function", "name": "cartTotal", "language": "Python"}}, {{"id": 2, "kind": "file", "name": "cart"}}],
            "edges": [{{"from": 2, "to": 1}}], "metadata": {{"tool": "t", "tool_version": "1", "generated_at": "2026-05-08T12:00:00Z"{commit}}}}}"#
    )
}

fn tip(commit: &str) -> Reply {
    page(format!("0050{commit} HEAD symref-target:refs/heads/main\n0000"))
}

fn rules() -> Rules {
    Rules {
        sources: Sources::default(),
        formats: Formats::of(Vec::new()).unwrap(),
        patience: Patience::REGISTRY,
    }
}

/// A world of servers, an entry, and its visits.
struct World {
    rules: Rules,
    entry: Entry,
    held: BTreeSet<String>,
    replies: BTreeMap<String, Vec<Reply>>,
    may_count: bool,
    clone: Option<u64>,
    now: Seconds,
    asked: Vec<String>,
    last: Option<Outcome>,
}

impl World {
    fn new() -> Self {
        Self {
            rules: rules(),
            entry: Entry::new(RepositoryId::parse("octo/hello").unwrap(), None, NOW - 100),
            held: BTreeSet::new(),
            replies: BTreeMap::new(),
            may_count: false,
            clone: None,
            now: NOW,
            asked: Vec::new(),
            last: None,
        }
    }

    /// One that was visited and found to be well, with marks for its body.
    fn well() -> Self {
        let mut world = Self::new();
        world.at(RECORD, vec![marked(record(&[("generic@1", "")]), "\"r1\"")]);
        world.at(GRAPH, vec![marked(body(None), "\"g1\"")]);
        world.visit();
        assert_eq!(world.entry.status(), Status::Ok, "{:?}", world.entry);
        world.at(RECORD, vec![status(304)]);
        world
    }

    /// One whose graph somebody named, and which has no record.
    fn named(format: &str, url: &str) -> Self {
        let mut world = Self::new();
        let named = (FormatId::parse(format).unwrap(), url.to_owned());
        world.entry = Entry::new(RepositoryId::parse("octo/hello").unwrap(), Some(named), NOW - 100);
        world
    }

    fn at(&mut self, url: &str, replies: Vec<Reply>) {
        self.replies.insert(url.to_owned(), replies);
    }

    /// One visit; the graph's line after it.
    fn visit(&mut self) -> String {
        let held = self.held.clone();
        let mut machine = Machine::new(&self.rules, self.entry.clone(), held, self.now, 7);
        self.asked.clear();
        loop {
            match machine.step() {
                Step::Done => break,
                Step::Wait(time) => assert!(time <= Duration::from_secs(8)),
                Step::Count { .. } => machine.feed_count(self.clone, self.may_count),
                step @ (Step::Read { .. } | Step::Tip(_)) => {
                    panic!("a forge is asked, and no directory is read: {step:?}")
                }
                Step::Ask(ask) => {
                    let mut line = ask.address.to_string();
                    for (name, value) in [("etag", &ask.etag), ("since", &ask.last_modified)] {
                        if let Some(value) = value {
                            write!(line, " {name} {value}").unwrap();
                        }
                    }
                    self.asked.push(line);
                    let replies = self.replies.get_mut(ask.address.as_str());
                    let reply = match replies {
                        Some(replies) if replies.len() > 1 => replies.remove(0),
                        Some(replies) => replies[0].clone(),
                        None => status(404),
                    };
                    machine.feed(reply, 0);
                    if let Some((digest, body)) = machine.take_body() {
                        assert_eq!(digest, lore_ckgp::consumer::cached::digest(&body));
                        self.held.insert(digest);
                    }
                }
            }
        }
        let outcome = machine.finish();
        self.entry = outcome.entry.clone();
        self.last = Some(outcome);
        self.now += 10_000;
        self.line()
    }

    fn line(&self) -> String {
        let graph = self.entry.primary();
        let mut line = format!("{} misses {}", graph.status, graph.miss_count);
        if let Some(error) = &graph.last_error {
            write!(line, " \"{error}\"").unwrap();
        }
        if let Some(stats) = graph.shown_stats() {
            write!(line, " {} nodes {} edges", stats.nodes, stats.edges).unwrap();
        }
        line
    }

    fn last(&self) -> &Outcome {
        self.last.as_ref().expect("a visit")
    }

    fn requests_to(&self, url: &str) -> usize {
        self.asked
            .iter()
            .filter(|line| line.split(' ').next() == Some(url))
            .count()
    }
}

#[test]
fn sync0_the_record_says_which_graphs_there_are_and_its_word_replaces_ours() {
    let mut world = World::named(
        "gitnexus@1",
        "https://raw.githubusercontent.com/octo/hello/HEAD/old.json",
    );
    world.entry.description = Some("ours".to_owned());
    let rest = format!(r#", "description": "theirs", "tags": ["a", "b"], "source_sha": "{SHA}""#);
    world.at(
        RECORD,
        vec![marked(record(&[("generic@1", &rest), ("bundle@1", "")]), "\"r1\"")],
    );
    world.at(GRAPH, vec![page(body(None))]);
    world.visit();
    let graphs: Vec<String> = world
        .entry
        .graphs
        .iter()
        .map(|graph| format!("{} {}", graph.format.as_ref().unwrap(), graph.status))
        .collect();
    assert_eq!(
        graphs,
        ["generic@1 ok", "bundle@1 invalid"],
        "the one that the record does not name is dropped"
    );
    assert_eq!(world.entry.description(), Some("theirs"));
    assert_eq!(world.entry.tags(), ["a", "b"]);
    assert_eq!(world.entry.primary().source_sha.as_ref().map(Commit::as_str), Some(SHA));
    // It is asked for conditionally the next time, and what is unchanged stays.
    world.at(RECORD, vec![status(304)]);
    world.visit();
    assert_eq!(world.asked[0], format!("{RECORD} etag \"r1\""));
    assert_eq!(world.entry.graphs.len(), 2);
    // Another order makes another primary, and a graph that is not named any more goes.
    world.at(RECORD, vec![marked(record(&[("ccg@1", "")]), "\"r2\"")]);
    world.visit();
    let formats: Vec<String> = world
        .entry
        .graphs
        .iter()
        .flat_map(|graph| &graph.format)
        .map(FormatId::to_string)
        .collect();
    assert_eq!(formats, ["ccg@1"]);
    let gone: Vec<&str> = world
        .last()
        .texts
        .iter()
        .filter(|(_, text)| text.is_none())
        .map(|(format, _)| format.name())
        .collect();
    assert_eq!(gone, ["generic", "bundle"]);
    assert_eq!(
        world.last().withdrawn.len(),
        1,
        "the body that was held for it is not needed any more"
    );
}

#[test]
fn sync0_a_record_is_looked_for_where_a_consumer_would() {
    let mut world = World::new();
    world.at(MASTER, vec![page(record(&[("generic@1", "")]))]);
    world.at(GRAPH, vec![page(body(None))]);
    assert_eq!(world.visit(), "ok misses 0 2 nodes 1 edges");
    assert_eq!(world.asked, [RECORD, MAIN, MASTER, GRAPH]);
    assert_eq!(world.entry.record.url.as_deref(), Some(MASTER));
}

#[test]
fn ruling19_a_record_that_is_gone_at_two_visits_means_that_the_producer_withdrew() {
    let mut world = World::well();
    let digest = world.entry.primary().last_sha.clone().unwrap();
    world.at(RECORD, vec![status(404)]);
    world.at(GRAPH, vec![status(304)]);
    assert_eq!(world.visit(), "ok misses 0 2 nodes 1 edges", "once may be an accident");
    assert_eq!(world.visit(), "revoked misses 0");
    assert_eq!(
        world.entry.revocation.as_ref().map(|revocation| revocation.by),
        Some(RevokedBy::Producer)
    );
    assert_eq!(world.last().withdrawn, [digest], "the mirror is dropped");
    assert_eq!(world.last().event, Some(EventKind::Revoked));
    assert_eq!(world.last().due, None);
    assert_eq!(world.last().terms, Some(BTreeSet::new()));
    // One that comes back in between begins anew.
    let mut world = World::well();
    for record in [404, 304, 404] {
        world.at(RECORD, vec![status(record)]);
        world.at(GRAPH, vec![status(304)]);
        assert_eq!(world.visit(), "ok misses 0 2 nodes 1 edges");
    }
    // What somebody named and never had a record is not withdrawn by not having one.
    let mut world = World::named("generic@1", GRAPH);
    world.at(GRAPH, vec![page(body(None))]);
    for _ in 0..3 {
        assert_eq!(world.visit(), "ok misses 0 2 nodes 1 edges");
    }
}

#[test]
fn sync1_what_was_taken_back_or_renamed_is_not_asked_and_not_changed() {
    let mut revoked = World::well();
    let revocation = Revocation {
        at: NOW,
        by: RevokedBy::Registry,
        reason: None,
    };
    revoked.entry.revoke(None, revocation);
    let mut renamed = World::well();
    renamed.entry.rename(RepositoryId::parse("octo/new").unwrap());
    for mut world in [revoked, renamed] {
        let before = world.entry.graphs.clone();
        world.visit();
        assert_eq!(world.asked, [""; 0]);
        assert_eq!(world.entry.graphs, before);
        assert_eq!((world.last().event, world.last().due), (None, None));
    }
    // One graph of several may be taken back: it alone is not asked.
    let mut world = World::well();
    let revocation = Revocation {
        at: NOW,
        by: RevokedBy::Registry,
        reason: None,
    };
    world.entry.revoke(FormatId::parse("generic@1").as_ref(), revocation);
    world.at(
        RECORD,
        vec![page(record(&[("generic@1", ""), ("understand-anything@1", "")]))],
    );
    world.visit();
    let graphs: Vec<&str> = world.entry.graphs.iter().map(|graph| graph.status.word()).collect();
    assert_eq!(graphs, ["revoked", "invalid"]);
    assert_eq!(world.requests_to(GRAPH), 1);
}

#[test]
fn sync2_an_address_that_the_policy_refuses_is_not_asked() {
    for (url, code) in [
        ("http://raw.githubusercontent.com/octo/hello/HEAD/g.json", "not_https"),
        ("https://evil.example/g.json", "foreign_host"),
        ("https://raw.githubusercontent.com:8443/g.json", "port"),
        ("https://u:p@raw.githubusercontent.com/g.json", "user_info"),
        ("https://127.0.0.1/g.json", "host"),
    ] {
        let mut world = World::named("generic@1", url);
        let line = world.visit();
        assert!(
            line.starts_with(&format!("refused misses 0 \"{code}: ")),
            "{url}: {line}"
        );
        assert_eq!(world.asked, [RECORD, MAIN, MASTER], "{url}");
    }
    let mut world = World::named("generic@1", "https://cdn.example/g.json");
    world.rules.sources.allowed = vec!["cdn.example".to_owned()];
    world.at("https://cdn.example/g.json", vec![page(body(None))]);
    assert_eq!(world.visit(), "ok misses 0 2 nodes 1 edges");
}

#[test]
fn s2_the_policy_holds_for_the_content_of_a_bundle_too() {
    let bundle = |url: &str| {
        format!(
            r#"{{"manifest": {{"tool": "repomix", "tool_version": "1", "generated_at": "2026-05-08T12:00:00Z", "file_count": 3, "byte_count": 9, "token_estimate": 3, "format": "markdown"}}, "content_url": "{url}"}}"#
        )
    };
    let mut world = World::named("bundle@1", GRAPH);
    world.at(GRAPH, vec![page(bundle("https://octo.github.io/pack.md"))]);
    assert_eq!(world.visit(), "ok misses 0 3 nodes 0 edges");
    world.at(GRAPH, vec![page(bundle("https://evil.example/pack.md"))]);
    let line = world.visit();
    assert!(
        line.starts_with("refused misses 0 \"foreign_host: its content_url"),
        "{line}"
    );
}

#[test]
fn s4_redirects_are_followed_five_times_and_never_away_from_the_policy() {
    let hop = |number: usize| format!("https://raw.githubusercontent.com/octo/hello/HEAD/{number}.json");
    let mut world = World::named("generic@1", &hop(0));
    for number in 0..6 {
        let to = Ok(WebReply {
            status: 302,
            location: Some(hop(number + 1)),
            ..WebReply::default()
        });
        world.at(&hop(number), vec![to]);
    }
    world.at(&hop(5), vec![page(body(None))]);
    assert_eq!(world.visit(), "ok misses 0 2 nodes 1 edges");
    let to = Ok(WebReply {
        status: 302,
        location: Some(hop(6)),
        ..WebReply::default()
    });
    world.at(&hop(5), vec![to]);
    assert!(world.visit().starts_with("refused misses 0 \"redirects: "));
    for (to, code) in [
        ("http://raw.githubusercontent.com/x", "not_https"),
        ("https://evil.example/x", "foreign_host"),
        ("https://10.0.0.1/", "host"),
    ] {
        world.at(&hop(0), vec![moved(to)]);
        let line = world.visit();
        assert!(line.starts_with(&format!("refused misses 0 \"{code}: ")), "{line}");
    }
}

#[test]
fn sync3_what_was_accepted_is_asked_for_conditionally() {
    let mut world = World::well();
    world.at(GRAPH, vec![status(304)]);
    world.visit();
    assert_eq!(
        world.asked,
        [format!("{RECORD} etag \"r1\""), format!("{GRAPH} etag \"g1\"")]
    );
    // A body that is not held any more is needed again, whatever the marks say.
    world.held.clear();
    world.at(GRAPH, vec![marked(body(None), "\"g1\"")]);
    world.visit();
    assert_eq!(world.asked[1], GRAPH);
    assert_eq!(world.held.len(), 1);
    // Another address has no marks.
    let elsewhere = "https://raw.githubusercontent.com/octo/hello/HEAD/h.json";
    world.at(
        RECORD,
        vec![page(record(&[("generic@1", "")]).replace(GRAPH, elsewhere))],
    );
    world.at(elsewhere, vec![page(body(None))]);
    world.visit();
    assert_eq!(world.asked[1], elsewhere);
}

#[test]
fn a9_another_schema_of_a_format_needs_the_body_again() {
    let with_schema = |schema: &str| {
        let row = RegisteredFormat {
            id: FormatId::parse("own@1").unwrap(),
            schema: Some(schema.to_owned()),
            added_at: 0,
            deprecated: None,
        };
        Formats::of(vec![row]).unwrap()
    };
    let mut world = World::named("own@1", GRAPH);
    world.at(GRAPH, vec![marked(body(None), "\"g1\"")]);
    assert!(
        world
            .visit()
            .starts_with("unsupported misses 0 \"unknown_format: own@1; known")
    );
    assert_eq!(world.requests_to(GRAPH), 0);
    world.rules.formats = with_schema("{}");
    assert_eq!(world.visit(), "ok misses 0 2 nodes 1 edges");
    world.visit();
    assert!(world.asked.contains(&format!("{GRAPH} etag \"g1\"")));
    world.rules.formats = with_schema(r#"{"required": ["more"]}"#);
    assert!(
        world
            .visit()
            .starts_with("invalid misses 0 \"schema: the body: \"more\" is a required property")
    );
    assert!(world.asked.contains(&GRAPH.to_owned()));
}

#[test]
fn sync4_only_what_is_for_now_is_tried_again_and_three_times_at_most() {
    let attempts = |reply: Reply| {
        let mut world = World::named("generic@1", GRAPH);
        world.at(GRAPH, vec![reply]);
        world.visit();
        world.requests_to(GRAPH)
    };
    for code in [408, 429, 500, 502, 503, 599] {
        assert_eq!(attempts(status(code)), 3, "{code}");
    }
    for code in [400, 401, 403, 404, 410, 418, 451] {
        assert_eq!(attempts(status(code)), 1, "{code}");
    }
    for fault in [
        WebFault::Dns,
        WebFault::Connect("refused".into()),
        WebFault::Timeout(WebPhase::Connect),
        WebFault::Reset("peer".into()),
    ] {
        assert_eq!(attempts(Err(fault.clone())), 3, "{fault}");
    }
    // Who took all the time there is, or answered with nonsense, is not waited for again.
    for fault in [
        WebFault::Tls("expired".into()),
        WebFault::Timeout(WebPhase::Idle),
        WebFault::Timeout(WebPhase::Total),
        WebFault::BadReply("nonsense".into()),
    ] {
        assert_eq!(attempts(Err(fault.clone())), 1, "{fault}");
    }
    let mut world = World::named("generic@1", GRAPH);
    world.at(
        GRAPH,
        vec![status(503), Err(WebFault::Reset("peer".into())), page(body(None))],
    );
    assert_eq!(world.visit(), "ok misses 0 2 nodes 1 edges");
}

#[test]
fn reply304_it_is_ok_if_a_valid_body_was_held_and_otherwise_as_it_was() {
    for trouble in [
        status(503),
        status(403),
        status(404),
        page("{"),
        Err(WebFault::TooLarge { is_declared: true }),
    ] {
        let mut world = World::well();
        world.at(GRAPH, vec![trouble.clone()]);
        let line = world.visit();
        assert!(!line.starts_with("ok"), "{line}");
        world.at(GRAPH, vec![status(304)]);
        assert_eq!(world.visit(), "ok misses 0 2 nodes 1 edges", "after {line}");
        assert_eq!(world.entry.primary().last_synced, Some(world.now - 10_000));
    }
    // A server that says so without having been told what is there proves nothing.
    let mut world = World::named("generic@1", GRAPH);
    world.at(GRAPH, vec![status(404), status(304)]);
    assert_eq!(world.visit(), "missing misses 1 \"404\"");
    assert_eq!(world.visit(), "missing misses 0");
}

#[test]
fn reply404_counts_and_the_seventh_in_a_row_is_dead() {
    for code in [404, 410] {
        let mut world = World::well();
        world.at(GRAPH, vec![status(code)]);
        for visit in 1..=6 {
            assert_eq!(
                world.visit(),
                format!("missing misses {visit} \"{code}\""),
                "the stats are not shown any more"
            );
        }
        assert_eq!(world.visit(), format!("dead misses 7 \"{code}\""));
        assert_eq!(world.visit(), format!("dead misses 8 \"{code}\""));
        assert!(world.entry.primary().last_sha.is_some());
    }
}

#[test]
fn ruling12_what_is_dead_is_still_visited_and_comes_back_to_life() {
    let mut world = World::named("generic@1", GRAPH);
    for _ in 0..8 {
        world.visit();
    }
    assert_eq!(world.line(), "dead misses 8 \"404\"");
    let due = world.last().due.unwrap() - (world.now - 10_000);
    assert!((6 * 86_400..=7 * 86_400).contains(&due), "weekly: {due}");
    world.at(GRAPH, vec![page(body(None))]);
    assert_eq!(world.visit(), "ok misses 0 2 nodes 1 edges");
}

#[test]
fn ruling4_what_fails_for_now_neither_adds_to_the_misses_nor_takes_them_away() {
    let mut world = World::named("generic@1", GRAPH);
    for (reply, expected) in [
        (status(404), "missing misses 1 \"404\""),
        (status(503), "transient_error misses 1 \"503\""),
        (status(403), "transient_error misses 1 \"403\""),
        (page("nonsense"), "invalid misses 1"),
        (status(404), "missing misses 2 \"404\""),
        (page(body(None)), "ok misses 0"),
    ] {
        world.at(GRAPH, vec![reply]);
        let line = world.visit();
        assert!(line.starts_with(expected), "{line}");
    }
}

#[test]
fn reply4xx_is_for_now_with_its_code() {
    for code in [400, 401, 403, 405, 418, 451, 499] {
        let mut world = World::well();
        world.at(GRAPH, vec![status(code)]);
        assert_eq!(world.visit(), format!("transient_error misses 0 \"{code}\""));
        assert!(world.entry.primary().last_sha.is_some());
    }
}

#[test]
fn reply429_is_for_now_and_who_asks_to_wait_long_is_not_asked_again() {
    let mut world = World::well();
    let storm = Ok(WebReply {
        status: 429,
        retry_after: Some(RetryAfter::Seconds(3_600)),
        ..WebReply::default()
    });
    world.at(GRAPH, vec![storm.clone()]);
    assert_eq!(world.visit(), "transient_error misses 0 \"429\"");
    assert_eq!(world.requests_to(GRAPH), 1);
    // The record's host says it first: then nothing more is asked there on this visit.
    world.at(RECORD, vec![storm]);
    assert_eq!(world.visit(), "transient_error misses 0 \"429\"");
    assert_eq!(world.asked.len(), 1, "{:?}", world.asked);
}

#[test]
fn reply5xx_and_faults_are_for_now_with_their_names() {
    let mut world = World::well();
    world.at(GRAPH, vec![status(502)]);
    assert_eq!(world.visit(), "transient_error misses 0 \"502\"");
    for (fault, code) in [
        (WebFault::Dns, "dns"),
        (WebFault::Tls("expired".into()), "tls"),
        (WebFault::Timeout(WebPhase::Total), "timeout"),
        (WebFault::Reset("peer".into()), "reset"),
        (WebFault::Connect("nobody".into()), "connect"),
        (WebFault::BadReply("x\u{1b}".into()), "bad_reply"),
    ] {
        world.at(GRAPH, vec![Err(fault)]);
        let line = world.visit();
        assert!(
            line.starts_with(&format!("transient_error misses 0 \"{code}: ")),
            "{line}"
        );
        assert!(!line.chars().any(char::is_control), "{line:?}");
    }
    // What leads to a private address is refused, not tried again.
    world.at(GRAPH, vec![Err(WebFault::NotPublic("10.0.0.1".to_owned()))]);
    assert!(world.visit().starts_with("refused misses 0 \"not_public: "));
    assert_eq!(world.requests_to(GRAPH), 1);
}

#[test]
fn replylength_what_says_that_it_is_too_large_is_oversize() {
    let mut world = World::well();
    world.at(GRAPH, vec![Err(WebFault::TooLarge { is_declared: true })]);
    assert_eq!(world.visit(), "oversize misses 0 \"more than 52428800 bytes\"");
    assert_eq!(world.requests_to(GRAPH), 1);
}

#[test]
fn replystream_what_turns_out_to_be_too_large_is_oversize() {
    let mut world = World::well();
    world.at(GRAPH, vec![Err(WebFault::TooLarge { is_declared: false })]);
    assert_eq!(world.visit(), "oversize misses 0 \"more than 52428800 bytes\"");
}

#[test]
fn replyjson_what_is_no_json_is_invalid() {
    for text in ["", "{", "nonsense", "{\"nodes\": []} x", "\u{0}"] {
        let mut world = World::well();
        let before = world.entry.primary().last_sha.clone();
        world.at(GRAPH, vec![page(text)]);
        let line = world.visit();
        assert!(line.starts_with("invalid misses 0 \"not_json: "), "{line}");
        assert_eq!(world.entry.primary().last_sha, before);
    }
}

#[test]
fn replystructure_depth_labels_and_references_are_refused_before_the_schema() {
    let deep = format!("{{\"x\": {}{}}}", "[".repeat(40), "]".repeat(40));
    let label = format!(
        r#"{{"nodes": [{{"id": 1, "label": "{}"}}], "edges": []}}"#,
        "x".repeat(4_097)
    );
    for text in [deep.as_str(), label.as_str(), r##"{"a": [{"$ref": "#"}]}"##] {
        let mut world = World::well();
        world.at(GRAPH, vec![page(text)]);
        let line = world.visit();
        assert!(line.starts_with("invalid misses 0 \"structure: "), "{line}");
    }
}

#[test]
fn replycounts_too_many_nodes_or_edges_are_invalid_and_not_oversize() {
    for (nodes, edges) in [(100_001, 0), (0, 500_001)] {
        let list = |count: usize| vec!["1"; count].join(",");
        let text = format!(r#"{{"nodes": [{}], "edges": [{}]}}"#, list(nodes), list(edges));
        let mut world = World::well();
        world.at(GRAPH, vec![page(text)]);
        let line = world.visit();
        assert!(line.starts_with("invalid misses 0 \"counts: "), "{line}");
    }
}

#[test]
fn replyschema_the_first_five_errors_are_told_with_their_places_and_the_digest_stays() {
    let mut world = World::named("understand-anything@1", GRAPH);
    let well = r#"{"nodes": [{"id": "a", "kind": "file", "label": "a"}], "edges": []}"#;
    world.at(GRAPH, vec![page(well)]);
    assert_eq!(world.visit(), "ok misses 0 1 nodes 0 edges");
    let before = world.entry.primary().last_sha.clone();
    let ill = format!(r#"{{"nodes": [{}], "edges": []}}"#, ["{}"; 9].join(","));
    world.at(GRAPH, vec![page(ill)]);
    let line = world.visit();
    assert!(line.starts_with("invalid misses 0 \"schema: /nodes/0"), "{line}");
    assert_eq!(line.matches("/nodes/").count(), 5, "{line}");
    assert_eq!(world.entry.primary().last_sha, before);
}

#[test]
fn ruling20_the_digest_of_the_last_good_body_outlives_a_bad_one() {
    let mut world = World::well();
    let (sha, size) = (world.entry.primary().last_sha.clone(), world.entry.primary().size_bytes);
    world.at(GRAPH, vec![page("[]")]);
    assert!(world.visit().starts_with("invalid"));
    assert_eq!(
        (world.entry.primary().last_sha.clone(), world.entry.primary().size_bytes),
        (sha, size)
    );
    assert_eq!(world.last().withdrawn, [""; 0], "and so does the body");
}

#[test]
fn replyvalid_digest_and_size_move_only_when_the_body_did() {
    let mut world = World::well();
    let text = body(None);
    let graph = world.entry.primary().clone();
    assert_eq!(graph.size_bytes, Some(text.len() as u64), "bytes, not letters");
    assert_eq!(
        graph.last_sha,
        Some(lore_ckgp::consumer::cached::digest(text.as_bytes()))
    );
    let stats = graph.shown_stats().unwrap();
    assert_eq!(stats.top_kinds, [("file".to_owned(), 1), ("function".to_owned(), 1)]);
    assert_eq!(stats.languages, ["python"]);
    // The same bytes again, in full: nothing changed.
    world.at(GRAPH, vec![marked(text.clone(), "\"g2\"")]);
    world.visit();
    assert_eq!(world.last().event, None);
    assert!(!world.last().visit.is_changed && world.last().texts.is_empty());
    assert_eq!(world.entry.primary().last_sha, graph.last_sha);
    // Other bytes.
    world.at(GRAPH, vec![page(text.replace("cartTotal", "cartSum"))]);
    world.visit();
    assert_eq!(world.last().event, Some(EventKind::Changed));
    assert_ne!(world.entry.primary().last_sha, graph.last_sha);
    assert_eq!(world.last().withdrawn, [""; 0], "what was replaced is left to a sweep");
    assert_eq!(world.last().held, [world.entry.primary().last_sha.clone().unwrap()]);
    let symbols = world
        .last()
        .texts
        .iter()
        .find_map(|(_, text)| text.as_ref()?.symbols.clone());
    assert_eq!(symbols.as_deref(), Some("cart cartsum sum"));
    let terms: Vec<&str> = world.last().terms.iter().flatten().map(String::as_str).collect();
    assert_eq!(terms, ["cart", "cartsum"]);
}

#[test]
fn sync6_every_attempt_is_stamped_and_what_is_not_ok_shows_no_stats() {
    for reply in [
        status(304),
        status(404),
        status(403),
        status(500),
        page("{"),
        page(body(None)),
        Err(WebFault::Dns),
    ] {
        let mut world = World::well();
        world.at(GRAPH, vec![reply]);
        let line = world.visit();
        let graph = world.entry.primary();
        assert_eq!(graph.last_synced, Some(world.now - 10_000), "{line}");
        assert_eq!(graph.shown_stats().is_some(), graph.status == Status::Ok, "{line}");
    }
}

#[test]
fn sync7_an_entry_is_pending_until_its_first_visit() {
    let mut world = World::new();
    assert_eq!(world.line(), "pending misses 0");
    assert_eq!(
        world.visit(),
        "missing misses 1 \"404\"",
        "no record, and nobody said where a graph is"
    );
    assert_eq!(world.entry.primary().graph_url, None);
}

#[test]
fn sync8_a_record_that_cannot_be_used_lands_in_the_status_of_what_has_no_other_source() {
    for (reply, expected) in [
        (page("nonsense"), "invalid misses 0 \"the record is not JSON: "),
        (
            page(r#"{"schema_version": 2, "graphs": []}"#),
            "unsupported misses 0 \"the record has schema_version 2; only 1 is supported",
        ),
        (
            page(r#"{"schema_version": 1, "service": {"name": "x"}}"#),
            "invalid misses 0 \"the file at the record's place is the document of an aggregator",
        ),
        (status(503), "transient_error misses 0 \"503\""),
        (Err(WebFault::Dns), "transient_error misses 0 \"dns: "),
        (moved("https://evil.example/x"), "refused misses 0 \"foreign_host: "),
    ] {
        let mut world = World::new();
        world.at(RECORD, vec![reply.clone()]);
        let line = world.visit();
        assert!(line.starts_with(expected), "{line}");
        // Where graphs are known, they are visited all the same; a host that does not answer is not asked again.
        let mut world = World::well();
        world.at(RECORD, vec![reply.clone()]);
        world.at(GRAPH, vec![status(304)]);
        let line = world.visit();
        let expected = match reply {
            Err(WebFault::Dns) => "transient_error misses 0 \"dns: ",
            _ => "ok misses 0 2 nodes 1 edges",
        };
        assert!(line.starts_with(expected), "{line}");
        assert!(world.entry.record.fault.is_some());
    }
}

#[test]
fn ruling14_what_an_aggregator_says_of_itself_is_no_record() {
    let mut world = World::new();
    world.at(
        RECORD,
        vec![page(
            r#"{"schema_version": 1, "service": {"name": "x", "registry_url": "https://x.example/registry.json"}}"#,
        )],
    );
    assert!(
        world
            .visit()
            .starts_with("invalid misses 0 \"the file at the record's place is the document of an aggregator")
    );
}

#[test]
fn sync8_a_host_that_is_no_forge_is_refused_without_a_request() {
    let mut world = World::new();
    world.entry = Entry::new(RepositoryId::parse("code.example.org/o/r").unwrap(), None, NOW);
    assert!(world.visit().starts_with("refused misses 0 \"unknown_forge: "));
    assert_eq!(world.asked, [""; 0]);
    world.rules.sources.forges = vec![("code.example.org".to_owned(), lore_ckgp::forge::Forge::Gitea)];
    world.visit();
    assert_eq!(world.asked.len(), 3);
}

#[test]
fn renamed_a_repository_that_moved_for_good_is_renamed_and_its_new_name_registered() {
    let new = "https://raw.githubusercontent.com/octo/renamed/HEAD/.well-known/code-graph.json";
    for code in [301, 308] {
        let mut world = World::well();
        let reply = moved(new).map(|reply| WebReply { status: code, ..reply });
        world.at(RECORD, vec![reply]);
        assert_eq!(world.visit(), "renamed misses 0");
        assert_eq!(world.entry.renamed_to, RepositoryId::parse("octo/renamed").ok());
        assert_eq!(world.last().successor, RepositoryId::parse("octo/renamed").ok());
        assert_eq!(world.last().event, Some(EventKind::Renamed));
        assert_eq!(world.last().withdrawn.len(), 1);
        assert_eq!(world.last().due, None);
    }
    // By git's own address.
    let mut world = World::named("generic@1", GRAPH);
    world.at(GRAPH, vec![page(body(Some(SHA)))]);
    world.at(GIT, vec![moved("https://github.com/Other/place.git/git-upload-pack")]);
    assert_eq!(world.visit(), "renamed misses 0");
    assert_eq!(world.last().successor, RepositoryId::parse("other/place").ok());
    // What is only for now, or stays in the repository, is none.
    for (status, to) in [(302, new), (301, MAIN)] {
        let mut world = World::well();
        let reply = moved(to).map(|reply| WebReply { status, ..reply });
        world.at(RECORD, vec![reply]);
        world.at(to, vec![page(record(&[("generic@1", "")]))]);
        world.at(GRAPH, vec![status_of(304)]);
        assert_eq!(world.visit(), "ok misses 0 2 nodes 1 edges");
    }
}

fn status_of(code: u16) -> Reply {
    status(code)
}

#[test]
fn r1_the_commit_comes_from_the_body_and_else_from_the_record() {
    let mut world = World::new();
    let rest = format!(r#", "source_sha": "{TIP}""#);
    world.at(RECORD, vec![page(record(&[("generic@1", &rest)]))]);
    world.at(GRAPH, vec![page(body(Some(SHA)))]);
    world.visit();
    assert_eq!(world.entry.primary().source_sha.as_ref().map(Commit::as_str), Some(SHA));
}

#[test]
fn ruling9_a_record_that_names_another_commit_than_the_body_is_told() {
    let mut world = World::new();
    let rest = format!(r#", "source_sha": "{TIP}""#);
    world.at(RECORD, vec![page(record(&[("generic@1", &rest)]))]);
    world.at(GRAPH, vec![page(body(Some(SHA)))]);
    world.visit();
    assert_eq!(
        world.entry.primary().warnings,
        [format!(
            "the body names the commit {SHA}, the record {TIP}; the body takes precedence"
        )]
    );
}

#[test]
fn ruling21_the_commit_of_the_record_suffices_where_the_body_names_none() {
    let mut world = World::new();
    let rest = format!(r#", "source_sha": "{SHA}""#);
    world.at(RECORD, vec![page(record(&[("generic@1", &rest)]))]);
    world.at(GRAPH, vec![page(body(None))]);
    world.at(GIT, vec![tip(SHA)]);
    world.visit();
    let graph = world.entry.primary();
    assert_eq!(graph.source_sha.as_ref().map(Commit::as_str), Some(SHA));
    assert_eq!(graph.commits_behind, Some(0));
}

#[test]
fn r2_without_a_commit_there_is_no_tip_and_no_count() {
    let mut world = World::named("generic@1", GRAPH);
    world.at(GRAPH, vec![page(body(Some(SHA)))]);
    world.at(GIT, vec![tip(SHA)]);
    world.visit();
    assert!(world.entry.head_sha.is_some());
    world.at(GRAPH, vec![page(body(None))]);
    world.visit();
    let graph = world.entry.primary();
    assert_eq!(
        (&graph.source_sha, &world.entry.head_sha, graph.commits_behind),
        (&None, &None, None)
    );
    assert_eq!(world.requests_to(GIT), 0);
}

#[test]
fn ruling11_a_tip_is_not_kept_without_a_commit_to_compare_it_with() {
    let mut world = World::well();
    world.entry.head_sha = Commit::parse(TIP);
    world.at(GRAPH, vec![status(304)]);
    world.visit();
    assert_eq!(world.entry.head_sha, None);
}

#[test]
fn r3_the_tip_is_asked_of_git_itself_and_of_older_servers_as_a_list() {
    let mut world = World::named("generic@1", GRAPH);
    world.at(GRAPH, vec![page(body(Some(SHA)))]);
    world.at(GIT, vec![tip(TIP)]);
    world.visit();
    assert_eq!(world.entry.head_sha.as_ref().map(Commit::as_str), Some(TIP));
    assert_eq!(world.entry.default_branch.as_deref(), Some("main"));
    assert_eq!(world.requests_to(REFS), 0);
    for old in [status(405), status(404), page("<html>")] {
        world.at(GIT, vec![old]);
        let list =
            format!("001e# service=git-upload-pack\n00000057{SHA} HEAD\0ofs-delta symref=HEAD:refs/heads/dev\n0000");
        world.at(REFS, vec![page(list)]);
        world.visit();
        assert_eq!(world.entry.head_sha.as_ref().map(Commit::as_str), Some(SHA));
        assert_eq!(world.entry.default_branch.as_deref(), Some("dev"));
    }
}

#[test]
fn r4_commits_are_counted_from_the_graph_to_the_tip_and_equal_ones_are_not_counted() {
    let compare = format!("https://api.github.com/repos/octo/hello/compare/{SHA}...{TIP}?per_page=1&page=2");
    let behind = |world: &World| world.entry.primary().commits_behind;
    let mut world = World::named("generic@1", GRAPH);
    world.at(GRAPH, vec![page(body(Some(SHA)))]);
    world.at(GIT, vec![tip(SHA)]);
    world.may_count = true;
    world.visit();
    assert_eq!((behind(&world), world.requests_to(&compare)), (Some(0), 0));
    // `ahead_by` is what the tip has and the graph has not; `behind_by` is the other way round.
    world.at(GIT, vec![tip(TIP)]);
    world.at(
        &compare,
        vec![page(r#"{"ahead_by": 7, "behind_by": 0, "total_commits": 7}"#)],
    );
    world.visit();
    assert_eq!(behind(&world), Some(7));
    // What is as it was is not counted again.
    world.visit();
    assert_eq!((behind(&world), world.requests_to(&compare)), (Some(7), 0));
    // A clone counts before a forge does.
    let mut local = World::named("generic@1", GRAPH);
    local.at(GRAPH, vec![page(body(Some(SHA)))]);
    local.at(GIT, vec![tip(TIP)]);
    (local.clone, local.may_count) = (Some(3), true);
    local.visit();
    assert_eq!((behind(&local), local.requests_to(&compare)), (Some(3), 0));
    // A commit that nobody knows gives nothing.
    for reply in [
        status(404),
        status(403),
        status(500),
        page("{}"),
        page("nonsense"),
        page(r#"{"ahead_by": -1}"#),
    ] {
        let mut world = World::named("generic@1", GRAPH);
        world.at(GRAPH, vec![page(body(Some(SHA)))]);
        world.at(GIT, vec![tip(TIP)]);
        world.at(&compare, vec![reply]);
        world.may_count = true;
        assert_eq!(world.visit(), "ok misses 0 2 nodes 1 edges");
        assert_eq!((behind(&world), world.requests_to(&compare)), (None, 1));
    }
    assert_eq!(compared(br#"{"total_commits": 4, "commits": []}"#), Some(4));
    assert_eq!(compared(br#"{"commits": [{}, {}], "compare_timeout": false}"#), Some(2));
    assert_eq!(compared(br#"{"commits": [{}, {}], "compare_timeout": true}"#), None);
}

#[test]
fn r5_a_tip_that_cannot_be_had_changes_no_status_and_is_stamped() {
    for reply in [
        status(403),
        status(500),
        status(429),
        Err(WebFault::Dns),
        page("nonsense"),
    ] {
        let mut world = World::named("generic@1", GRAPH);
        world.at(GRAPH, vec![page(body(Some(SHA)))]);
        world.at(GIT, vec![tip(SHA)]);
        world.visit();
        world.at(GIT, vec![reply.clone()]);
        world.at(REFS, vec![reply]);
        assert_eq!(world.visit(), "ok misses 0 2 nodes 1 edges");
        assert_eq!(world.entry.drift_checked_at, Some(world.now - 10_000));
        assert_eq!(
            (&world.entry.head_sha, world.entry.primary().commits_behind),
            (&None, None),
            "unknown is not current"
        );
    }
}

#[test]
fn r6_without_a_budget_no_forge_is_asked_to_count() {
    let mut world = World::named("generic@1", GRAPH);
    world.at(GRAPH, vec![page(body(Some(SHA)))]);
    world.at(GIT, vec![tip(TIP)]);
    world.visit();
    assert_eq!(world.entry.primary().commits_behind, None);
    assert!(
        !world.asked.iter().any(|line| line.contains("api.github.com")),
        "{:?}",
        world.asked
    );
    // As soon as there is one, what was not counted is.
    world.may_count = true;
    let compare = format!("https://api.github.com/repos/octo/hello/compare/{SHA}...{TIP}?per_page=1&page=2");
    world.at(&compare, vec![page(r#"{"ahead_by": 2}"#)]);
    world.visit();
    assert_eq!(world.entry.primary().commits_behind, Some(2));
}

#[test]
fn r7_one_request_to_git_tells_the_tip_of_a_repository_for_all_of_its_graphs() {
    let mut world = World::new();
    let rest = format!(r#", "source_sha": "{SHA}""#);
    world.at(
        RECORD,
        vec![page(record(&[
            ("generic@1", &rest),
            ("understand-anything@1", &rest),
            ("gitnexus@1", &rest),
        ]))],
    );
    world.at(GRAPH, vec![page(body(None))]);
    world.at(GIT, vec![tip(SHA)]);
    world.visit();
    assert_eq!(world.requests_to(GIT), 1);
    assert!(world.entry.graphs.iter().all(|graph| graph.commits_behind == Some(0)));
}

#[test]
fn s5_no_request_of_a_visit_carries_anything_but_marks() {
    // A request is an address and two marks: there is no place in it for anything else.
    let mut world = World::well();
    world.at(GRAPH, vec![status(304)]);
    world.visit();
    assert!(
        world.asked.iter().all(|line| line.split(' ').count() == 3),
        "{:?}",
        world.asked
    );
}

#[test]
fn a2_nothing_that_moves_with_every_visit_counts_as_a_change() {
    let mut world = World::named("generic@1", GRAPH);
    world.at(GRAPH, vec![marked(body(Some(SHA)), "\"g1\"")]);
    world.at(GIT, vec![tip(SHA)]);
    world.visit();
    assert_eq!(world.last().event, Some(EventKind::Changed));
    for etag in ["\"g2\"", "\"g3\""] {
        world.at(GRAPH, vec![marked(body(Some(SHA)), etag)]);
        world.visit();
        assert_eq!(world.last().event, None);
    }
    world.at(GIT, vec![tip(TIP)]);
    world.visit();
    assert_eq!(world.last().event, Some(EventKind::Changed), "the repository went on");
}

/// Visits a local repository whose files are so, and says which files were looked for.
fn local(entry: Entry, files: &[(&str, &str)], tip: Option<&str>) -> (Outcome, Vec<String>) {
    let rules = rules();
    let held = entry.held().map(str::to_owned).collect();
    let mut machine = Machine::new(&rules, entry, held, NOW, 1);
    let mut looked = Vec::new();
    loop {
        match machine.step() {
            Step::Done => return (machine.finish(), looked),
            Step::Read { directory, paths, .. } => {
                assert_eq!(directory, "/srv/hello");
                let known = |path: &String| files.iter().find(|(known, _)| known == path);
                let found = paths.iter().find_map(known).map(|(_, text)| text.as_bytes().to_vec());
                looked.push(paths.join(" "));
                machine.feed_file(Ok(found));
            }
            Step::Tip(_) => machine.feed_tip(tip.and_then(Commit::parse).map(|commit| head::Tip {
                commit,
                branch: Some("main".to_owned()),
            })),
            Step::Count { .. } => machine.feed_count(Some(3), false),
            step @ (Step::Ask(_) | Step::Wait(_)) => panic!("a local repository asks nobody: {step:?}"),
        }
    }
}

fn local_entry() -> Entry {
    Entry {
        directory: Some("/srv/hello".to_owned()),
        ..Entry::new(RepositoryId::local("/srv/hello"), None, NOW)
    }
}

#[test]
fn s2_a_local_repository_is_read_and_nobody_is_asked() {
    let record = record(&[("generic@1", "")]);
    let body = body(Some(SHA));
    let files = [
        (".well-known/code-graph.json", record.as_str()),
        ("g.json", body.as_str()),
    ];
    let (outcome, looked) = local(local_entry(), &files, Some(TIP));
    assert_eq!(
        looked,
        [
            ".well-known/code-graph.json",
            "octo/hello/HEAD/g.json hello/HEAD/g.json HEAD/g.json g.json"
        ]
    );
    let graph = outcome.entry.primary();
    assert_eq!((graph.status, graph.commits_behind), (Status::Ok, Some(3)));
    assert_eq!(outcome.entry.default_branch.as_deref(), Some("main"));
    assert_eq!(outcome.entry.record.url.as_deref(), Some(".well-known/code-graph.json"));
    // A file that is gone is missing, and a record that is gone twice is a withdrawal.
    let (gone, _) = local(outcome.entry.clone(), &files[..1], None);
    assert_eq!(gone.entry.status(), Status::Missing);
    assert!(
        gone.entry
            .primary()
            .last_error
            .as_deref()
            .is_some_and(|why| why.starts_with("404: the directory has no file"))
    );
    let (once, _) = local(outcome.entry, &[], None);
    let (twice, _) = local(once.entry, &[], None);
    assert_eq!(twice.event, Some(EventKind::Revoked));
}

#[test]
fn s2_a_local_repository_without_a_record_or_a_known_directory_says_so() {
    let (outcome, _) = local(local_entry(), &[], None);
    assert_eq!(outcome.entry.status(), Status::Missing);
    assert_eq!(
        outcome.entry.primary().last_error.as_deref(),
        Some("404: the directory has no .well-known/code-graph.json; `lore graph publish` there writes one")
    );
    let foreign = Entry::new(RepositoryId::local("/srv/hello"), None, NOW);
    let (outcome, looked) = local(foreign, &[], None);
    assert_eq!((outcome.entry.status(), looked.len()), (Status::Refused, 0));
}
