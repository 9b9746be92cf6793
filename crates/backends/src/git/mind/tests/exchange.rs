//! Several clones of one server: what they exchange, and that they agree.

use lore_mind::patch_log::{Exchange, PatchLog};
use std::collections::BTreeMap;
use std::fs;
use std::process::Command;

use lore_model::{Cancel, NoProgress};
use lore_seam::ErrorKind;
use proptest::prelude::*;

use super::support::{Place, Yard};

/// A server that takes nothing by force, and clones of it.
fn clones(yard: &Yard, names: &[&str]) -> (Place, Vec<Place>) {
    let server = yard.server();
    server.git(&["config", "receive.denyNonFastForwards", "true"]);
    server.git(&["config", "receive.denyDeletes", "true"]);
    server.git(&["config", "receive.fsckObjects", "true"]);
    let clones = names.iter().map(|name| yard.clone_of("server", name, &[])).collect();
    (server, clones)
}

#[test]
fn missed13_two_clones_see_what_both_wrote() {
    let yard = Yard::new();
    let (server, places) = clones(&yard, &["a", "b"]);
    let [a, b] = &places[..] else { unreachable!() };
    a.link(1, "task:A blocks task:B .5 why");
    b.link(2, "task:A blocks task:B");
    let first = a.sync();
    assert_eq!(
        (first.remote.as_str(), first.fetched, first.pushed, first.new_writer),
        ("origin", 0, 1, None)
    );
    let second = b.sync();
    assert_eq!((second.fetched, second.pushed), (1, 1));
    assert_eq!(a.sync().fetched, 1);
    // The same edge twice: it was made when the first made it, and of two confidences that nobody saw together one holds everywhere.
    assert_eq!(a.said(), b.said());
    let opened = a.open(None).expect("a graph");
    assert_eq!(opened.graph.edge_count(), 1);
    // One takes the edge away while the other, which has seen it, writes it anew.
    a.unlink(3, "task:A blocks task:B");
    b.link(4, "task:A blocks task:B .25");
    assert_eq!(a.open(None).expect("a graph").graph.edge_count(), 0);
    for place in [a, b, a] {
        place.sync();
    }
    assert_eq!(a.said(), b.said());
    let both = a.open(None).expect("a graph");
    assert_eq!(
        both.graph
            .edges()
            .map(|edge| edge.confidence().to_string())
            .collect::<Vec<_>>(),
        ["0.25"]
    );
    // Both record the graph at one commit of the code.
    let commit = a.commit("a.txt", "a", "first");
    a.git(&["push", "--quiet", "origin", "HEAD:main"]);
    b.git(&["fetch", "--quiet", "origin", "main"]);
    a.epoch(5, &commit);
    b.epoch(6, "FETCH_HEAD");
    for place in [a, b, a] {
        place.sync();
    }
    assert_eq!(
        a.open(None).expect("a graph").graph.epochs(),
        b.open(None).expect("a graph").graph.epochs()
    );
    assert_eq!(a.open(None).expect("a graph").graph.epochs().len(), 1);
    assert_eq!(a.said(), b.said());
    assert_eq!(
        (server.fsck(), a.fsck(), b.fsck()),
        ("true".into(), "true".into(), "true".into())
    );
    assert_eq!(server.refs().lines().count(), 2);
    // Nothing new: nothing moves.
    let again = b.sync();
    assert_eq!((again.fetched, again.pushed, again.new_writer), (0, 0, None));
}

#[test]
fn missed13_a_clone_that_wrote_nothing_pushes_nothing_and_leaves_no_trace() {
    let yard = Yard::new();
    let (server, places) = clones(&yard, &["a"]);
    let a = &places[0];
    let exchanged = a.sync();
    assert_eq!((exchanged.fetched, exchanged.pushed), (0, 0));
    assert!(!a.file(".git/FETCH_HEAD").exists());
    assert_eq!((server.refs(), a.refs()), (String::new(), String::new()));
}

#[test]
fn ref14_two_clones_push_without_force_whoever_comes_first() {
    let yard = Yard::new();
    let (server, places) = clones(&yard, &["a", "b"]);
    for round in 0..3_u64 {
        for (at, place) in places.iter().enumerate() {
            place.link(round, &format!("task:{at} blocks task:{at}-{round}"));
        }
        for place in &places {
            assert_eq!(place.sync().new_writer, None);
        }
    }
    assert_eq!(server.refs().lines().count(), 2);
    // What was pushed is known here as the remote's.
    let copy = format!("refs/lore/mind/remotes/origin/w/{}", places[1].writer());
    assert_eq!(
        places[1].git(&["rev-parse", &copy]),
        places[1].git(&["rev-parse", &places[1].own_ref()])
    );
    places[0].sync();
    assert_eq!(places[0].said(), places[1].said());
    assert_eq!(places[0].open(None).expect("a graph").graph.edge_count(), 6);
}

#[test]
fn hold7_a_copied_directory_gets_a_name_of_its_own_and_nothing_is_lost() {
    let yard = Yard::new();
    let (server, places) = clones(&yard, &["a"]);
    let a = &places[0];
    a.link(1, "task:A blocks task:B");
    a.sync();
    lore_testing::run(Command::new("cp").args(["-r", "a", "b"]).current_dir(yard.path()));
    let b = &yard.at("b");
    a.link(2, "task:A blocks task:C");
    b.link(3, "task:A blocks task:D");
    assert_eq!(a.writer(), b.writer());
    a.sync();
    let old = b.own_ref();
    let exchanged = b.sync();
    assert_eq!(exchanged.new_writer, Some(b.writer()));
    assert_ne!(a.writer(), b.writer());
    assert!(!b.refs().lines().any(|line| line.starts_with(&format!("{old} "))));
    b.link(4, "task:A blocks task:E");
    for place in [b, a, b] {
        assert_eq!(place.sync().new_writer, None);
    }
    assert_eq!(a.said(), b.said());
    assert_eq!(a.open(None).expect("a graph").graph.edge_count(), 4);
    assert_eq!(server.refs().lines().count(), 2);
    assert_eq!((server.fsck(), b.fsck()), ("true".into(), "true".into()));
}

#[test]
fn hold7_without_a_fetch_before_it_a_copy_is_noticed_as_well() {
    let yard = Yard::new();
    let (_, places) = clones(&yard, &["a"]);
    let a = &places[0];
    a.link(1, "task:A blocks task:B");
    lore_testing::run(Command::new("cp").args(["-r", "a", "b"]).current_dir(yard.path()));
    let b = &yard.at("b");
    a.link(2, "task:A blocks task:C");
    b.link(3, "task:A blocks task:D");
    a.try_sync(false, true).expect("it is pushed");
    assert!(b.try_sync(false, true).expect("it is pushed").new_writer.is_some());
    a.sync();
    b.sync();
    assert_eq!(a.said(), b.said());
}

#[test]
fn hold7_a_server_that_refuses_is_an_error_and_no_reason_for_a_new_name() {
    let yard = Yard::new();
    let (server, places) = clones(&yard, &["a"]);
    let a = &places[0];
    a.link(1, "task:A blocks task:B");
    let hook = server.file("hooks/update");
    fs::create_dir_all(server.file("hooks")).expect("a directory");
    fs::write(&hook, "#!/bin/sh\necho not today >&2\nexit 1\n").expect("a hook");
    lore_testing::run(Command::new("chmod").arg("+x").arg(&hook));
    let before = a.writer();
    let error = a.try_sync(true, true).expect_err("it is refused");
    assert_eq!(error.kind, ErrorKind::Unavailable);
    assert!(
        error
            .message
            .starts_with("nothing could be pushed to `origin`: remote: not today"),
        "{}",
        error.message
    );
    assert_eq!(a.writer(), before);
    fs::rename(&server.path, yard.path().join("gone")).expect("it is moved");
    let error = a.try_sync(true, true).expect_err("it is gone");
    assert!(
        error.message.starts_with("nothing could be fetched from `origin`: "),
        "{}",
        error.message
    );
}

#[test]
fn hold8_remotes_are_chosen_by_name_and_may_have_slashes() {
    let yard = Yard::new();
    let (_, places) = clones(&yard, &["a", "b"]);
    let [a, b] = &places[..] else { unreachable!() };
    let ask = |place: &Place, remote: Option<&str>| {
        let request = Exchange {
            remote: remote.map(str::to_owned),
            fetch: true,
            push: true,
        };
        place.log().exchange(&request, &NoProgress, &Cancel::default())
    };
    let refused = |place: &Place, remote: Option<&str>| {
        let error = ask(place, remote).expect_err("it is refused");
        (error.kind, error.message)
    };
    let unknown = |remote: &str| (ErrorKind::Invalid, format!("there is no remote `{remote}`"));
    a.link(1, "task:A blocks task:B");
    assert_eq!(refused(a, Some("elsewhere")), unknown("elsewhere"));
    assert_eq!(refused(a, Some("--all")), unknown("--all"));
    assert_eq!(refused(a, Some("../server")), unknown("../server"));
    a.git(&["remote", "rename", "origin", "team/x"]);
    ask(a, None).expect("the only one");
    a.git(&["remote", "add", "other", "../server"]);
    let several = "there are several remotes, and none is called `origin`";
    assert_eq!(refused(a, None), (ErrorKind::Ambiguous, several.to_owned()));
    ask(a, Some("team/x")).expect("it is exchanged");
    // An address that begins with a dot is seen from the top of the working tree, wherever lore was started.
    fs::create_dir(a.file("below")).expect("a directory");
    ask(&yard.at("a/below"), Some("other")).expect("it is exchanged");
    b.link(2, "task:C blocks task:D");
    b.sync();
    ask(a, Some("team/x")).expect("it is exchanged");
    let copy = format!("refs/lore/mind/remotes/team/x/w/{}", b.writer());
    assert!(a.refs().contains(&copy), "{}", a.refs());
    assert_eq!(a.said(), b.said());
    let alone = yard.init("alone", &[]);
    alone.link(1, "task:A blocks task:B");
    let none = "the repository has no remote";
    assert_eq!(refused(&alone, None), (ErrorKind::Invalid, none.to_owned()));
}

#[test]
fn hold8_after_init_a_plain_fetch_brings_the_graph() {
    let yard = Yard::new();
    let (_, places) = clones(&yard, &["a", "b"]);
    let [a, b] = &places[..] else { unreachable!() };
    a.link(1, "task:A blocks task:B");
    a.sync();
    let refspec = "+refs/lore/mind/w/*:refs/lore/mind/remotes/origin/w/*";
    fs::write(b.file(".git/config"), {
        let config = fs::read_to_string(b.file(".git/config")).expect("a configuration");
        format!("# mine\n{config}")
    })
    .expect("it is written");
    let state = |added: bool| {
        let log = b.log();
        let states = if added {
            log.prepare().expect("it is prepared")
        } else {
            log.state().expect("a state").remotes
        };
        let [state] = &states[..] else { unreachable!() };
        assert_eq!((state.name.as_str(), state.refspec.as_str()), ("origin", refspec));
        assert!(state.url.as_ref().is_some_and(|url| url.ends_with("server")));
        (state.configured, state.added)
    };
    assert_eq!(state(false), (false, false));
    assert_eq!(state(true), (true, true));
    assert_eq!(state(true), (true, false));
    assert_eq!(state(false), (true, false));
    let fetched = b.git(&["config", "--get-all", "remote.origin.fetch"]);
    assert_eq!(fetched, format!("+refs/heads/*:refs/remotes/origin/*\n{refspec}"));
    assert!(
        fs::read_to_string(b.file(".git/config"))
            .expect("a configuration")
            .starts_with("# mine\n")
    );
    b.git(&["fetch", "--quiet"]);
    assert_eq!(b.said(), a.said());
}

/// One thing that happens in one of three clones.
#[derive(Clone, Debug)]
enum Step {
    Link(usize, usize, usize, usize, u8),
    Unlink(usize, usize, usize, usize),
    Set(usize, usize, u8),
    Remove(usize, usize),
    Import(usize, Vec<(usize, usize)>),
    Record(usize),
    Sync(usize),
}

const IDS: [&str; 5] = ["task:a", "task:b", "spec:c", "file:src/d.rs", "repo:o/n:task:e"];
const TYPES: [&str; 3] = ["relates-to", "documents", "implements"];

fn step() -> impl Strategy<Value = Step> {
    let (place, id, kind) = (0..3_usize, 0..IDS.len(), 0..TYPES.len());
    let edges = proptest::collection::vec((id.clone(), id.clone()), 1..4);
    prop_oneof![
        4 => (place.clone(), id.clone(), id.clone(), kind.clone(), 0..5_u8).prop_map(|(p, s, t, k, c)| Step::Link(p, s, t, k, c)),
        2 => (place.clone(), id.clone(), id.clone(), kind).prop_map(|(p, s, t, k)| Step::Unlink(p, s, t, k)),
        2 => (place.clone(), id.clone(), 0..4_u8).prop_map(|(p, n, v)| Step::Set(p, n, v)),
        1 => (place.clone(), id).prop_map(|(p, n)| Step::Remove(p, n)),
        2 => (place.clone(), edges).prop_map(|(p, edges)| Step::Import(p, edges)),
        2 => place.clone().prop_map(Step::Record),
        3 => place.prop_map(Step::Sync),
    ]
}

/// A file that declares what its edges end at.
fn yaml(edges: &[(usize, usize)]) -> String {
    let ids: std::collections::BTreeSet<usize> = edges.iter().flat_map(|(source, target)| [*source, *target]).collect();
    let edges: BTreeMap<(usize, usize), usize> = edges.iter().copied().zip(0..).collect();
    let mut text = String::from("version: 1\nnodes:\n");
    for id in ids {
        text.push_str(&format!(
            "  - {{id: '{}', props: {{n: {id}, list: [1, 2]}}}}\n",
            IDS[id]
        ));
    }
    text.push_str("edges:\n");
    for ((source, target), at) in edges {
        text.push_str(&format!(
            "  - {{source: '{}', target: '{}', type: {}, confidence: 0.{}}}\n",
            IDS[source],
            IDS[target],
            TYPES[at % TYPES.len()],
            at + 1
        ));
    }
    text
}

proptest! {
    #![proptest_config(lore_testing::cases(8))]

    #[test]
    fn hold4_three_clones_of_one_server_end_with_the_same_graph_and_the_past_stays_as_it_was(
        steps in proptest::collection::vec(step(), 1..16),
    ) {
        hold4(&steps);
    }
}

fn hold4(steps: &[Step]) {
    let yard = Yard::new();
    let (server, places) = clones(&yard, &["a", "b", "c"]);
    // What was said at each commit of the code when it was recorded.
    let mut recorded: Vec<(usize, String, String)> = Vec::new();
    for (now, step) in (1_000..).zip(steps) {
        match step {
            Step::Link(place, source, target, kind, confidence) => {
                let edge = format!("{} {} {} 0.{confidence} step", IDS[*source], TYPES[*kind], IDS[*target]);
                places[*place].link(now, &edge);
            }
            Step::Unlink(place, source, target, kind) => {
                places[*place].unlink(now, &format!("{} {} {}", IDS[*source], TYPES[*kind], IDS[*target]));
            }
            Step::Set(place, id, value) => {
                places[*place].set(now, IDS[*id], "value", &value.to_string());
            }
            Step::Remove(place, id) => {
                let id = super::support::node(IDS[*id]);
                let removed = places[*place].change(now, |_, changes, _| changes.remove_node(&id));
                removed.expect("it is removed");
            }
            Step::Import(place, edges) => {
                places[*place].import(now, &yaml(edges));
                assert_eq!(places[*place].import(now + 500, &yaml(edges)), None);
            }
            Step::Record(at) => {
                let place = &places[*at];
                let commit = place.commit("code.txt", &now.to_string(), "a step");
                place.epoch(now, &commit);
                let said = place.said_at(&commit).expect("it is recorded");
                assert_eq!(said, place.said());
                recorded.push((*at, commit, said));
            }
            Step::Sync(place) => assert_eq!(places[*place].sync().new_writer, None),
        }
    }
    for place in places.iter().chain(&places) {
        assert_eq!(place.sync().new_writer, None);
    }
    let said: Vec<String> = places.iter().map(Place::said).collect();
    assert_eq!(said[0], said[1]);
    assert_eq!(said[0], said[2]);
    for (at, commit, said) in &recorded {
        assert_eq!(places[*at].said_at(commit).expect("it is recorded"), *said);
        assert!(
            !places[*at]
                .open(Some(commit))
                .expect("it is recorded")
                .as_of
                .expect("a moment")
                .nearest
        );
    }
    for place in places.iter().chain([&server]) {
        assert_eq!(place.fsck(), "true");
    }
}
