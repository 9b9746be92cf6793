//! Order does not matter, replicas agree, and what strangers push cannot break reading.

use std::collections::BTreeMap;
use std::rc::Rc;

use proptest::prelude::*;

use super::*;
use crate::changes::{EdgePut, Field};
use crate::confidence::Confidence;
use crate::patch::{Operation, Written, encode};
use crate::testing::{Log, folded, node, words};
use crate::time::Time;

/// What one sees of a graph, a line for each thing.
fn seen(graph: &Graph) -> Vec<String> {
    let mut lines = Vec::new();
    for node in graph.nodes() {
        let properties: Vec<String> = node.properties().map(|(key, value)| format!("{key}={value}")).collect();
        lines.push(format!("{} {}", node.id(), properties.join(" ")).trim_end().to_owned());
    }
    for edge in graph.edges() {
        let rationale = edge.rationale().map(|why| format!(" {why:?}")).unwrap_or_default();
        let created = edge.created_at().get(17..23).unwrap_or_default();
        lines.push(format!("{} {}{rationale} @{created}", edge.arrow(), edge.confidence()));
    }
    lines
}

fn edges(graph: &Graph) -> Vec<String> {
    seen(graph).into_iter().filter(|line| line.contains("-->")).collect()
}

/// Everything that a fold knows, in one order: what replicas have to agree on.
fn state(fold: &Fold) -> Vec<String> {
    let graph = fold.graph();
    let tag = |stamp: Stamp| format!("{}.{}", fold.patch_id(stamp.patch), stamp.operation);
    let mut lines = Vec::new();
    let records = graph
        .nodes
        .iter()
        .map(|row| row.record)
        .chain(graph.gone.iter().copied());
    for record in records.filter(|record| *record != NONE) {
        let record = NodeRecord::read(graph.records.at(record));
        let mut tags: Vec<String> = record.tags().map(tag).collect();
        tags.sort();
        // A node that is nothing but the end of an edge says nothing.
        if !tags.is_empty() || record.properties().next().is_some() {
            let properties: Vec<_> = record
                .properties()
                .map(|(key, stamp, value)| (key, tag(stamp), value))
                .collect();
            lines.push(format!("{} {tags:?} {properties:?}", record.id));
        }
    }
    for edge in graph.edges() {
        lines.push(format!("{} {:?} {:?}", edge.arrow(), edge.tags(), edge.merged()));
    }
    for (owner, awaited) in &fold.awaited {
        let name = |number: u32| fold.nodes[number as usize].id.clone();
        let owner = match *owner {
            Owner::Node(node) => name(node).to_string(),
            Owner::Edge((source, target, kind)) => format!("{} {kind} {}", name(source), name(target)),
        };
        lines.push(format!("awaited {owner} {awaited:?}"));
    }
    lines.extend(
        fold.epochs
            .iter()
            .map(|(commit, (stamp, time))| format!("{commit} {} {time:?}", tag(*stamp))),
    );
    lines.extend(fold.missing.iter().map(|id| format!("missing {id}")));
    lines.extend(
        fold.patches
            .iter()
            .map(|patch| format!("{} {} {:?}", patch.id, patch.lamport, patch.skipped)),
    );
    lines.sort();
    lines
}

/// A fold, written and read again.
fn opened(fold: &Fold) -> Fold {
    let (fold, _) = Fold::open(Arc::new(fold.snapshot(&[]))).expect("a snapshot");
    fold
}

fn pair(first: &str) -> (Log, Log) {
    let mut left = Log::new("left");
    left.link(1_000, first);
    let mut right = Log::new("right");
    right.fetch(&left);
    (left, right)
}

fn both(mut left: Log, right: &Log) -> Graph {
    left.fetch(right);
    left.graph()
}

#[test]
fn store5_a_change_wins_over_a_removal_that_did_not_see_it() {
    let (mut left, mut right) = pair("task:a blocks task:b .5 x");
    left.link(2_000, "task:a blocks task:b .8");
    right.unlink(3_000, "task:a blocks task:b");
    assert_eq!(
        edges(&both(left, &right)),
        ["task:a --[blocks]--> task:b 0.8 \"x\" @01.000"]
    );
}

#[test]
fn store6_what_two_change_in_different_fields_is_both_kept() {
    let (mut left, mut right) = pair("task:a blocks task:b .5 x");
    left.link(2_000, "task:a blocks task:b .8");
    right.link(3_000, "task:a blocks task:b .5 y");
    assert_eq!(
        edges(&both(left, &right)),
        ["task:a --[blocks]--> task:b 0.8 \"y\" @01.000"]
    );
}

#[test]
fn store6_a_field_that_is_carried_on_does_not_win_over_a_newer_one() {
    let (mut left, mut right) = pair("task:a blocks task:b .5 x");
    let mut third = left.clone();
    right.link(2_000, "task:a blocks task:b .5 y");
    // The left one writes twice, so that its last patch is the newest of all; the rationale in it is the oldest.
    left.link(3_000, "task:a blocks task:b .6");
    left.link(4_000, "task:a blocks task:b .7");
    third.fetch(&left);
    assert_eq!(
        edges(&both(third, &right)),
        ["task:a --[blocks]--> task:b 0.7 \"y\" @01.000"]
    );
}

#[test]
fn store7_what_was_removed_and_made_again_starts_fresh() {
    let mut log = Log::new("w");
    log.link(1_000, "task:a blocks task:b .4 why");
    log.set(1_500, "task:a", "k", "1");
    log.unlink(2_000, "task:a blocks task:b");
    assert_eq!(seen(&log.graph()), ["task:a k=1", "task:b"]);
    log.link(3_000, "task:a blocks task:b");
    assert_eq!(edges(&log.graph()), ["task:a --[blocks]--> task:b 1 @03.000"]);
    log.write(4_000, |_, changes| changes.remove_node(&node("task:a")));
    assert_eq!(seen(&log.graph()), ["task:b"]);
    log.write(5_000, |_, changes| changes.put_node(&node("task:a"), []));
    assert_eq!(seen(&log.graph()), ["task:a", "task:b"]);
}

#[test]
fn store8_the_time_of_creation_is_the_oldest_by_order_of_patches() {
    let mut left = Log::new("left");
    let mut right = Log::new("right");
    left.link(9_000, "task:a blocks task:b");
    right.link(2_000, "task:a blocks task:b .5");
    left.fetch(&right);
    let graph = left.graph();
    assert!(edges(&graph)[0].ends_with("@02.000"), "{:?}", edges(&graph));
    right.fetch(&left);
    assert_eq!(right.graph(), graph);
    left.link(10_000, "task:a blocks task:b .1 z");
    assert_eq!(edges(&left.graph()), ["task:a --[blocks]--> task:b 0.1 \"z\" @02.000"]);
}

#[test]
fn c11_the_time_of_creation_never_changes_until_the_edge_is_made_again() {
    let mut log = Log::new("w");
    log.link(1_000, "task:a implements spec:b .4");
    let created = log
        .graph()
        .edges()
        .map(|edge| edge.created_at().to_string())
        .collect::<Vec<_>>();
    assert_eq!(created, ["1970-01-01T00:00:01.000Z"]);
    log.link(2_000, "task:a implements spec:b .9 why");
    log.write(3_000, |_, changes| {
        let (edge, put) = words("task:a implements spec:b");
        let reviewed_at = Field::Set(Time::from_millis(3_000));
        changes.put_edge(edge, EdgePut { reviewed_at, ..put });
    });
    let graph = log.graph();
    let edge = graph.edges().next().expect("an edge");
    assert_eq!(
        (edge.created_at(), edge.reviewed_at()),
        ("1970-01-01T00:00:01.000Z", Some("1970-01-01T00:00:03.000Z"))
    );
    log.unlink(4_000, "task:a implements spec:b");
    log.link(5_000, "task:a implements spec:b");
    assert_eq!(edges(&log.graph()), ["task:a --[implements]--> spec:b 1 @05.000"]);
}

#[test]
fn c8_an_edge_is_its_triple() {
    let mut log = Log::new("w");
    for edge in [
        "task:a relates-to task:b",
        "task:a blocks task:b",
        "task:b blocks task:a",
        "task:a blocks task:b .5",
    ] {
        log.link(1_000, edge);
    }
    assert_eq!(log.graph().edge_count(), 3);
    log.unlink(2_000, "task:a blocks task:b");
    assert_eq!(edges(&log.graph()).len(), 2);
    assert_eq!(log.unlink(3_000, "task:a blocks task:b"), None);
}

#[test]
fn c7_the_other_nine_types_may_lead_from_a_node_to_itself() {
    let mut log = Log::new("w");
    for kind in EdgeType::ALL.into_iter().filter(|kind| kind.allows_self()) {
        log.link(1_000, &format!("task:a {kind} task:a"));
    }
    assert_eq!(log.graph().edge_count(), 9);
}

#[test]
fn ref15_removing_an_edge_removes_exactly_that_one() {
    let mut log = Log::new("w");
    log.link(1_000, "task:a blocks task:b");
    log.link(2_000, "task:c blocks task:d");
    log.unlink(3_000, "task:a blocks task:b");
    assert_eq!(edges(&log.graph()), ["task:c --[blocks]--> task:d 1 @02.000"]);
    assert_eq!(log.graph().node_count(), 4);
}

#[test]
fn ref6_linking_again_without_a_rationale_keeps_it() {
    let mut log = Log::new("w");
    log.link(1_000, "task:a blocks task:b .4 why");
    log.link(2_000, "task:a blocks task:b");
    assert_eq!(edges(&log.graph()), ["task:a --[blocks]--> task:b 1 \"why\" @01.000"]);
}

#[test]
fn amend8_an_omitted_confidence_is_1_and_an_omitted_rationale_stays() {
    let mut log = Log::new("w");
    log.link(1_000, "task:a relates-to task:b .4 why");
    assert!(log.link(2_000, "task:a relates-to task:b").is_some());
    assert_eq!(
        edges(&log.graph()),
        ["task:a --[relates-to]--> task:b 1 \"why\" @01.000"]
    );
    assert_eq!(log.link(3_000, "task:a relates-to task:b"), None);
}

#[test]
fn ref10_null_is_a_value_and_a_cleared_property_is_gone() {
    let mut log = Log::new("w");
    log.link(1_000, "task:a relates-to task:b");
    log.set(2_000, "task:a", "k", "null");
    assert_eq!(seen(&log.graph())[0], "task:a k=null");
    log.write(3_000, |_, changes| changes.clear_property(&node("task:a"), "k"));
    assert_eq!(seen(&log.graph())[0], "task:a");
    assert_eq!(
        log.write(4_000, |_, changes| changes.clear_property(&node("task:a"), "k")),
        None
    );
}

#[test]
fn c15_a_value_that_is_the_same_writes_nothing() {
    let mut log = Log::new("w");
    log.set(1_000, "task:a", "k", "{\"a\":1,\"b\":2}");
    assert_eq!(log.set(2_000, "task:a", "k", "{\"b\":2,\"a\":1.0}"), None);
    assert!(log.set(3_000, "task:a", "k", "\"1\"").is_some());
    assert!(log.set(4_000, "task:a", "k", "1").is_some());
    assert!(log.set(5_000, "task:a", "other", "null").is_some());
}

#[test]
fn doctor1_no_edge_dangles_when_a_node_is_removed_while_another_links_to_it() {
    let (mut left, mut right) = pair("task:a blocks task:b");
    left.set(1_500, "task:b", "k", "1");
    right.fetch(&left);
    left.write(2_000, |_, changes| changes.remove_node(&node("task:b")));
    right.link(2_000, "task:c relates-to task:b");
    let graph = both(left, &right);
    assert_eq!(
        seen(&graph),
        [
            "task:a",
            "task:b",
            "task:c",
            "task:c --[relates-to]--> task:b 1 @02.000"
        ]
    );
}

#[test]
fn c27_the_newest_epoch_of_a_commit_counts_and_is_a_node() {
    let mut log = Log::new("w");
    let commit = ObjectId::new(&[0xab; 20]).expect("20 bytes");
    log.link(1_000, "task:a blocks task:b");
    log.write(2_000, |_, changes| changes.epoch(commit, Time::from_millis(2_000)));
    assert_eq!(
        log.write(3_000, |_, changes| changes.epoch(commit, Time::from_millis(3_000))),
        None
    );
    log.link(4_000, "task:a references epoch:abababababab");
    let graph = log.graph();
    let epoch = graph.node("epoch:abababababab").expect("a node");
    assert_eq!((epoch.property("tick"), graph.node_count()), (Some("2"), 3));
    log.unlink(5_000, "task:a references epoch:abababababab");
    assert!(log.graph().node("epoch:abababababab").is_some());
}

/// A patch of somebody who keeps no rules.
fn forged(log: &mut Log, parents: Vec<ObjectId>, lamport: u64, operations: Vec<Operation>) -> ObjectId {
    let encoded = encode("mind: x", lamport, "forger", None, operations).expect("a patch");
    log.put(parents, encoded.message.into_bytes(), encoded.chunks)
}

fn put(text: &str, fields: impl FnOnce(&mut EdgeFields)) -> Operation {
    let (edge, put) = words(text);
    let mut made = EdgeFields {
        confidence: Written::now(put.confidence),
        rationale: None,
        reviewed_at: None,
        created_at: Written::now(Time::from_millis(1)),
    };
    fields(&mut made);
    Operation::PutEdge {
        edge,
        fields: made,
        seen: Vec::new(),
    }
}

fn why(log: &Log) -> Vec<String> {
    log.graph()
        .skipped()
        .iter()
        .map(|skipped| skipped.why.to_string())
        .collect()
}

#[test]
fn hostile5_a_patch_on_top_of_the_code_is_skipped_and_the_code_is_not_walked() {
    let mut log = Log::new("w");
    log.link(1_000, "task:a blocks task:b");
    let before = log.graph();
    let code = log.put(Vec::new(), b"fix: something\n".to_vec(), Vec::new());
    let raw = Rc::clone(&log.patches[&code]);
    assert_eq!(Fold::empty().take(&raw), Descend::No);
    forged(&mut log, vec![code], 1, vec![put("task:x blocks task:y", |_| ())]);
    assert_eq!(why(&log), ["one of its parents is not a patch"]);
    assert_eq!(seen(&log.graph()), seen(&before));
}

#[test]
fn hostile6_a_missing_parent_is_named_and_the_patch_read_all_the_same() {
    let mut log = Log::new("w");
    let absent = ObjectId::new(&[1; 32]).expect("32 bytes");
    forged(&mut log, vec![absent], 7, vec![put("task:a blocks task:b", |_| ())]);
    let fold = log.fold();
    assert_eq!((fold.missing(), fold.graph().edge_count()), (vec![absent], 1));
    let reopened = opened(&fold);
    assert_eq!(reopened.missing(), [absent]);
}

#[test]
fn hostile7_a_lamport_time_that_the_parents_do_not_make_is_not_believed() {
    let mut log = Log::new("w");
    let first = log.link(1_000, "task:a blocks task:b").expect("a patch");
    for lamport in [1 << 62, 1, 3] {
        forged(
            &mut log,
            vec![first],
            lamport,
            vec![put("task:a blocks task:b .1", |_| ())],
        );
    }
    assert_eq!(why(&log).len(), 3);
    // The next patch is written on top of what counts, and wins.
    log.link(2_000, "task:a blocks task:b .6");
    assert_eq!(log.fold().heads().len(), 1);
    assert_eq!(edges(&log.graph()), ["task:a --[blocks]--> task:b 0.6 @01.000"]);
}

#[test]
fn hostile11_what_is_carried_on_is_older_than_its_patch() {
    let mut log = Log::new("w");
    forged(
        &mut log,
        Vec::new(),
        1,
        vec![put("task:a blocks task:b", |fields| {
            fields.confidence.lamport = Some(1)
        })],
    );
    forged(
        &mut log,
        Vec::new(),
        1,
        vec![put("task:a blocks task:c", |fields| {
            fields.created_at.lamport = Some(99)
        })],
    );
    assert_eq!(why(&log), ["it continues a patch that is not older"; 2]);
}

#[test]
fn hostile11_tags_of_other_things_or_of_no_patch_take_nothing_away() {
    let mut log = Log::new("w");
    let first = log.link(1_000, "task:a blocks task:b").expect("a patch");
    let before = seen(&log.graph());
    let unknown = ObjectId::new(&[3; 32]).expect("32 bytes");
    let (edge, _) = words("task:x blocks task:y");
    let tags = (0..4)
        .flat_map(|operation| [first, unknown].map(|patch| Tag { patch, operation }))
        .collect();
    forged(
        &mut log,
        vec![first],
        2,
        vec![Operation::RemoveEdge { edge, seen: tags }],
    );
    assert_eq!((seen(&log.graph()), why(&log).len()), (before, 0));
}

#[test]
fn hostile12_two_thousand_parents_are_refused() {
    let mut log = Log::new("w");
    let parents: Vec<ObjectId> = (0..2_000)
        .map(|number| {
            forged(
                &mut log,
                Vec::new(),
                1,
                vec![put(&format!("task:p{number} blocks task:q"), |_| ())],
            )
        })
        .collect();
    forged(&mut log, parents, 2, vec![put("task:x blocks task:y", |_| ())]);
    assert_eq!(why(&log), ["too many parents"]);
    assert_eq!(log.graph().edge_count(), 2_000);
}

#[test]
fn store14_damage_of_a_snapshot_is_noticed() {
    let mut log = Log::new("w");
    log.link(1_000, "task:a blocks task:b .5 why");
    log.set(2_000, "task:a", "k", "[1]");
    let whole = log.fold().snapshot(&[]);
    assert!(Fold::open(Arc::new(whole.clone())).is_ok());
    for at in 0..whole.len() {
        let mut bytes = whole.clone();
        bytes[at] ^= 0x10;
        assert!(Fold::open(Arc::new(bytes)).is_err(), "byte {at}");
        assert!(Fold::open(Arc::new(whole[..at].to_vec())).is_err(), "cut at {at}");
    }
}

#[test]
fn hold3_a_chain_of_a_hundred_thousand_edges_and_ten_thousand_patches_are_folded_in_one_go() {
    let mut log = Log::new("w");
    log.write(1_000, |_, changes| {
        for number in 0..100_000 {
            let (edge, put) = words(&format!("task:{number} blocks task:{}", number + 1));
            changes.put_edge(edge, put);
        }
    });
    assert_eq!(log.graph().edge_count(), 100_000);
    let mut log = Log::new("w");
    let mut parent: Vec<ObjectId> = Vec::new();
    for number in 0..10_000_u64 {
        let edge = put(&format!("task:{number} blocks task:{}", number + 1), |_| ());
        let encoded = encode("mind: x", number + 1, "w", None, vec![edge]).expect("a patch");
        parent = vec![log.put(parent, encoded.message.into_bytes(), encoded.chunks)];
    }
    let fold = log.fold();
    assert_eq!(
        (fold.graph().edge_count(), fold.counts(), fold.heads().len()),
        (10_000, (10_000, 0), 1)
    );
}

/// A step of a history.
#[derive(Clone, Debug)]
enum Step {
    Link(u8, u8, u8, u8, u8),
    Unlink(u8, u8, u8),
    Set(u8, u8, u8),
    Unset(u8, u8),
    Remove(u8),
    Import(Vec<(u8, u8, u8)>),
    Epoch(u8),
    Fetch(u8),
}

fn any_step() -> impl Strategy<Value = (u8, Step)> {
    let id = 0_u8..6;
    let step = prop_oneof![
        5 => (id.clone(), id.clone(), 0_u8..3, 0_u8..4, 0_u8..3).prop_map(|(a, b, kind, confidence, why)| Step::Link(a, b, kind, confidence, why)),
        2 => (id.clone(), id.clone(), 0_u8..3).prop_map(|(a, b, kind)| Step::Unlink(a, b, kind)),
        2 => (id.clone(), 0_u8..2, 0_u8..3).prop_map(|(a, key, value)| Step::Set(a, key, value)),
        1 => (id.clone(), 0_u8..2).prop_map(|(a, key)| Step::Unset(a, key)),
        2 => id.clone().prop_map(Step::Remove),
        1 => prop::collection::vec((id.clone(), id, 0_u8..3), 0..4).prop_map(Step::Import),
        1 => (0_u8..3).prop_map(Step::Epoch),
        3 => (0_u8..3).prop_map(Step::Fetch),
    ];
    (0_u8..3, step)
}

const KINDS: [EdgeType; 3] = [EdgeType::RelatesTo, EdgeType::Groups, EdgeType::Touches];

fn named(number: u8) -> String {
    format!("task:{number}")
}

fn edge_words(a: u8, b: u8, kind: u8) -> String {
    format!("{} {} {}", named(a), KINDS[usize::from(kind)], named(b))
}

fn take(logs: &mut [Log], at: usize, step: &Step, now: u64) {
    if let Step::Fetch(from) = step {
        let other = logs[usize::from(*from)].clone();
        logs[at].fetch(&other);
        return;
    }
    logs[at].write(now, |graph, changes| match step {
        Step::Link(a, b, kind, confidence, why) => {
            let why = ["", " x", " y"][usize::from(*why)];
            let (edge, put) = words(&format!("{} .{confidence}{why}", edge_words(*a, *b, *kind)));
            changes.put_edge(edge, put);
        }
        Step::Unlink(a, b, kind) => changes.remove_edge(words(&edge_words(*a, *b, *kind)).0),
        Step::Set(a, key, value) if graph.node(&named(*a)).is_some() => {
            changes.put_node(&node(&named(*a)), [(key.to_string().into(), value.to_string().into())]);
        }
        Step::Unset(a, key) if graph.node(&named(*a)).is_some() => {
            changes.clear_property(&node(&named(*a)), &key.to_string())
        }
        Step::Remove(a) => changes.remove_node(&node(&named(*a))),
        Step::Import(edges) => {
            for (a, b, kind) in edges {
                changes.put_node(&node(&named(*a)), [("0".into(), b.to_string().into())]);
                let (edge, put) = words(&edge_words(*a, *b, *kind));
                changes.put_edge(edge, put);
            }
        }
        Step::Epoch(commit) => changes.epoch(ObjectId::new(&[*commit; 20]).expect("20 bytes"), Time::from_millis(now)),
        _ => {}
    });
}

/// Confidence, rationale and the time of creation.
type ModelEdge = (String, Option<String>, u64);

/// What a graph should be, kept in the plainest way.
#[derive(Default)]
struct Model {
    nodes: BTreeMap<String, BTreeMap<String, String>>,
    edges: BTreeMap<(String, String, EdgeType), ModelEdge>,
}

impl Model {
    fn link(&mut self, a: u8, b: u8, kind: u8, put: (String, Option<String>), now: u64) {
        for end in [a, b] {
            self.nodes.entry(named(end)).or_default();
        }
        let edge = self
            .edges
            .entry((named(a), named(b), KINDS[usize::from(kind)]))
            .or_insert((String::new(), None, now));
        edge.0 = put.0;
        edge.1 = put.1.or(edge.1.take());
    }

    fn take(&mut self, step: &Step, now: u64) {
        match step {
            Step::Link(a, b, kind, confidence, why) => {
                let why = [None, Some("x"), Some("y")][usize::from(*why)].map(str::to_owned);
                let confidence = Confidence::parse(&format!(".{confidence}"))
                    .expect("a confidence")
                    .to_string();
                self.link(*a, *b, *kind, (confidence, why), now);
            }
            Step::Unlink(a, b, kind) => {
                self.edges.remove(&(named(*a), named(*b), KINDS[usize::from(*kind)]));
            }
            Step::Set(a, key, value) => {
                if let Some(properties) = self.nodes.get_mut(&named(*a)) {
                    properties.insert(key.to_string(), value.to_string());
                }
            }
            Step::Unset(a, key) => {
                if let Some(properties) = self.nodes.get_mut(&named(*a)) {
                    properties.remove(&key.to_string());
                }
            }
            Step::Remove(a) => {
                self.nodes.remove(&named(*a));
                self.edges
                    .retain(|(source, target, _), _| *source != named(*a) && *target != named(*a));
            }
            Step::Import(edges) => {
                for (a, b, kind) in edges {
                    self.nodes
                        .entry(named(*a))
                        .or_default()
                        .insert("0".to_owned(), b.to_string());
                    self.link(*a, *b, *kind, ("1".to_owned(), None), now);
                }
            }
            Step::Epoch(_) | Step::Fetch(_) => {}
        }
    }

    fn seen(&self) -> Vec<String> {
        let nodes = self.nodes.iter().map(|(id, properties)| {
            let properties: Vec<String> = properties.iter().map(|(key, value)| format!("{key}={value}")).collect();
            format!("{id} {}", properties.join(" ")).trim_end().to_owned()
        });
        let edges = self
            .edges
            .iter()
            .map(|((source, target, kind), (confidence, why, now))| {
                let why = why.as_ref().map(|why| format!(" {why:?}")).unwrap_or_default();
                let time = Time::from_millis(*now)
                    .as_str()
                    .get(17..23)
                    .unwrap_or_default()
                    .to_owned();
                format!("{source} --[{kind}]--> {target} {confidence}{why} @{time}")
            });
        nodes.chain(edges).collect()
    }
}

proptest! {
    #![proptest_config(lore_testing::cases(96))]

    #[test]
    fn store4_three_replicas_agree_whatever_the_order(
        steps in prop::collection::vec(any_step(), 1..50),
        order in prop::collection::vec(any::<prop::sample::Index>(), 64),
        damaged in prop::option::of(any::<prop::sample::Index>()),
    ) {
        let mut logs = ["a", "b", "c"].map(Log::new);
        for (now, (at, step)) in (1_u64..).zip(&steps) {
            take(&mut logs, usize::from(*at), step, now);
        }
        // A stranger's patch among them is skipped by everybody alike.
        if let Some(damaged) = damaged {
            let heads = logs[0].fold().heads();
            let parent: Vec<ObjectId> = heads.get(damaged.index(heads.len().max(1))).copied().into_iter().collect();
            forged(&mut logs[0], parent, 77, vec![put("task:0 blocks task:1", |_| ())]);
        }
        let (one, two, three) = (logs[0].clone(), logs[1].clone(), logs[2].clone());
        logs[0].fetch(&two);
        logs[0].fetch(&three);
        logs[1].fetch(&three);
        logs[1].fetch(&one);
        logs[2].fetch(&one);
        logs[2].fetch(&two);
        let whole = logs[0].fold();
        let expected = self::state(&whole);
        for log in &logs {
            prop_assert_eq!(&log.graph(), &*whole.graph());
            prop_assert_eq!(self::state(&log.fold()), expected.clone());
        }
        let mut shuffled: Vec<_> = logs[0].patches.values().cloned().collect();
        for at in (1..shuffled.len()).rev() {
            shuffled.swap(at, order[at % order.len()].index(at + 1));
        }
        prop_assert_eq!(self::state(&folded(shuffled.iter().map(|patch| &**patch))), expected.clone());
        // A snapshot of some patches whose ancestors are all there, then the rest.
        let mut known = one.fold();
        known = opened(&known);
        let rest: Vec<_> = shuffled.iter().filter(|patch| !known.knows(&patch.id)).collect();
        for patch in rest {
            known.take(patch);
        }
        known.finish();
        prop_assert_eq!(known.graph(), whole.graph());
        prop_assert_eq!(self::state(&known), expected.clone());
        prop_assert_eq!(self::state(&opened(&known)), expected);
    }

    #[test]
    fn store12_a_snapshot_is_what_folding_again_would_give(steps in prop::collection::vec(any_step(), 1..30)) {
        let mut logs = [Log::new("a")];
        for (now, (_, step)) in (1_u64..).zip(&steps) {
            if !matches!(step, Step::Fetch(_)) {
                take(&mut logs, 0, step, now);
            }
        }
        let fold = logs[0].fold();
        let again = opened(&fold);
        prop_assert_eq!(again.graph(), fold.graph());
        prop_assert_eq!(again.heads(), fold.heads());
        prop_assert_eq!(state(&again), state(&fold));
        prop_assert_eq!(again.snapshot(&[]).len(), fold.snapshot(&[]).len());
    }

    #[test]
    fn c23_one_replica_is_what_the_plainest_reading_says(steps in prop::collection::vec(any_step(), 1..40)) {
        let mut logs = [Log::new("a")];
        let mut model = Model::default();
        for (now, (_, step)) in (1_u64..).zip(&steps) {
            if matches!(step, Step::Fetch(_) | Step::Epoch(_)) {
                continue;
            }
            take(&mut logs, 0, step, now);
            model.take(step, now);
            prop_assert_eq!(seen(&logs[0].graph()), model.seen());
            if !matches!(step, Step::Remove(_) | Step::Unlink(..)) {
                let before = logs[0].patches.len();
                take(&mut logs, 0, step, now + 1);
                prop_assert_eq!(logs[0].patches.len(), before);
            }
        }
    }

    #[test]
    fn store14_any_bytes_are_a_snapshot_or_a_fault(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        let _ = Fold::open(Arc::new(bytes));
    }
}
