//! Publishing into a world in memory.

use std::sync::{Arc, Mutex};

use lore_model::Progress;
use serde_json::Value as Json;

use super::testing::{graph, large};
use super::*;
use lore_seam::world::World;
use lore_seam::{Reply, Style};

const COMMIT: &str = "0123456789abcdef0123456789abcdef01234567";
const GRAPH: &str = ".lore/graph.json";
const SOURCE: &str = "
    file a.py python module=a
    sym a.f function in=a doc=\"Ask jane@firm.org.\"
    sym a.g function in=a
    edge a.g call a.f
";

/// A repository of some lines, at a commit.
fn repository(lines: &str) -> World {
    World {
        graph: Some(Arc::new(graph(lines))),
        origin: Some(Origin {
            remote: Some("https://github.com/o/shop".to_owned()),
            default_branch: Some("main".to_owned()),
            directory: "shop".to_owned(),
            commit: Some(COMMIT.to_owned()),
            committed: Some(1_794_816_000),
            ..Origin::default()
        }),
        ..World::default()
    }
}

fn publish_in(world: &Arc<World>, request: &GraphPublishRequest) -> Result<GraphPublishAnswer, OpError> {
    publish(&world.ctx(), world.as_ref(), request, Most::default())
}

fn states(answer: &GraphPublishAnswer) -> Vec<(&str, FileState)> {
    answer
        .files
        .iter()
        .map(|file| (file.path.as_str(), file.state))
        .collect()
}

fn file(world: &World, path: &str) -> Option<Vec<u8>> {
    world.written.lock().expect("whole").get(path).cloned()
}

fn json(world: &World, path: &str) -> Json {
    serde_json::from_slice(&file(world, path).expect(path)).expect("it is JSON")
}

/// The same world with other facts, and what was written before.
fn later(world: &World, change: impl FnOnce(&mut World)) -> Arc<World> {
    let mut next = repository(SOURCE);
    next.graph.clone_from(&world.graph);
    next.origin.clone_from(&world.origin);
    next.files.clone_from(&world.files);
    next.files.extend(world.written.lock().expect("whole").clone());
    change(&mut next);
    Arc::new(next)
}

fn origin(world: &mut World) -> &mut Origin {
    world.origin.as_mut().expect("it has one")
}

fn request() -> GraphPublishRequest {
    GraphPublishRequest::default()
}

#[test]
fn p1_the_graph_and_the_record_are_written_to_their_paths() {
    let world = Arc::new(repository(SOURCE));
    let answer = publish_in(&world, &request()).expect("it is published");
    assert_eq!(
        states(&answer),
        [(GRAPH, FileState::Written), (RECORD, FileState::Written)]
    );
    let paths: Vec<String> = world.written.lock().expect("whole").keys().cloned().collect();
    assert_eq!(paths, [GRAPH, RECORD]);
    assert_eq!(
        answer.files[0].bytes,
        file(&world, GRAPH).expect("it is there").len() as u64
    );
}

#[test]
fn amend_a9_the_record_lists_the_general_format_beside_ours_with_one_address() {
    let world = Arc::new(repository(SOURCE));
    publish_in(&world, &request()).expect("it is published");
    let record = json(&world, RECORD);
    let graphs: Vec<(&str, &str)> = record["graphs"]
        .as_array()
        .into_iter()
        .flatten()
        .filter_map(|graph| Some((graph["format"].as_str()?, graph["graph_url"].as_str()?)))
        .collect();
    let url = "https://raw.githubusercontent.com/o/shop/main/.lore/graph.json";
    assert_eq!(graphs, [("ccg@1", url), ("generic@1", url)]);
    let world = Arc::new(repository(SOURCE));
    let format = vec!["generic@1".to_owned()];
    publish_in(&world, &GraphPublishRequest { format, ..request() }).expect("it is published");
    assert_eq!(json(&world, RECORD)["graphs"].as_array().map(Vec::len), Some(1));
}

#[test]
fn p3_bodies_and_record_tell_version_time_and_commit() {
    let world = Arc::new(repository(SOURCE));
    publish_in(&world, &request()).expect("it is published");
    let (metadata, listed) = (&json(&world, GRAPH)["metadata"], &json(&world, RECORD)["graphs"][0]);
    for (field, record_field, wanted) in [
        ("tool_version", "tool_version", VERSION),
        ("generated_at", "generated_at", "2026-11-16T08:00:00Z"),
        ("commit", "source_sha", COMMIT),
    ] {
        assert_eq!(
            (&metadata[field], &listed[record_field]),
            (&wanted.into(), &wanted.into())
        );
    }
    assert_eq!(
        (&metadata["tool"], &metadata["repository"]),
        (&"lore".into(), &"https://github.com/o/shop".into())
    );
    assert_eq!(metadata["dirty"], false);
    let dirty = later(&world, |world| {
        origin(world).dirty = true;
        world.graph = Some(Arc::new(graph("file b.py python")));
    });
    let answer = publish_in(&dirty, &request()).expect("it is published");
    assert_eq!(json(&dirty, GRAPH)["metadata"]["dirty"], true);
    assert!(
        answer
            .remarks
            .iter()
            .any(|remark| remark.contains("differs from the commit"))
    );
}

#[test]
fn p6_every_format_on_request_is_a_file_and_a_descriptor_of_its_own() {
    let mut world = repository(SOURCE);
    world.files.insert("a.py".to_owned(), b"def f(): pass\n".to_vec());
    let world = Arc::new(world);
    let format = Published::ALL.iter().map(|format| format.name().to_owned()).collect();
    let answer = publish_in(&world, &GraphPublishRequest { format, ..request() }).expect("it is published");
    let paths: Vec<&str> = answer.files.iter().map(|file| file.path.as_str()).collect();
    let wanted = [
        GRAPH,
        ".lore/understand-anything.json",
        ".lore/gitnexus.json",
        ".lore/code-review-graph.json",
        ".lore/bundle.md",
        ".lore/bundle.json",
        RECORD,
    ];
    assert_eq!(paths, wanted);
    let record = json(&world, RECORD);
    let formats: Vec<&str> = record["graphs"]
        .as_array()
        .into_iter()
        .flatten()
        .filter_map(|graph| graph["format"].as_str())
        .collect();
    assert_eq!(formats, Published::ALL.map(Published::name));
    let content_url = "https://raw.githubusercontent.com/o/shop/main/.lore/bundle.md";
    assert_eq!(json(&world, ".lore/bundle.json")["content_url"], content_url);
    let refused = publish_in(
        &world,
        &GraphPublishRequest {
            format: vec!["ccg@2".to_owned()],
            ..request()
        },
    );
    let refused = refused.expect_err("it is unknown");
    assert!(refused.message.contains("`ccg@2` is not a format") && refused.hints[0].contains("bundle@1"));
}

#[test]
fn p9_publishing_twice_writes_once() {
    let world = Arc::new(repository(SOURCE));
    publish_in(&world, &request()).expect("it is published");
    let again = later(&world, |_| {});
    let answer = publish_in(&again, &request()).expect("it is published");
    assert_eq!(
        states(&answer),
        [(GRAPH, FileState::AsItWas), (RECORD, FileState::AsItWas)]
    );
    assert!(again.written.lock().expect("whole").is_empty());
}

#[test]
fn p9_files_that_would_differ_in_commit_and_time_alone_are_left() {
    let world = Arc::new(repository(SOURCE));
    publish_in(&world, &request()).expect("it is published");
    let next = later(&world, |world| {
        origin(world).commit = Some("f".repeat(40));
        origin(world).committed = Some(1_900_000_000);
    });
    let answer = publish_in(&next, &request()).expect("it is published");
    assert_eq!(
        states(&answer),
        [(GRAPH, FileState::AsItWas), (RECORD, FileState::AsItWas)]
    );
    // Another graph is written with its own commit, and so is the record.
    let changed = later(&next, |world| {
        origin(world).commit = Some("e".repeat(40));
        world.graph = Some(Arc::new(graph("file b.py python module=b")));
    });
    publish_in(&changed, &request()).expect("it is published");
    assert_eq!(json(&changed, GRAPH)["metadata"]["commit"], "e".repeat(40));
    assert_eq!(json(&changed, RECORD)["graphs"][1]["source_sha"], "e".repeat(40));
}

#[test]
fn p9_a_graph_of_files_that_were_not_committed_is_written_anew_once_they_are() {
    let mut world = repository(SOURCE);
    origin(&mut world).dirty = true;
    let world = Arc::new(world);
    publish_in(&world, &request()).expect("it is published");
    let clean = later(&world, |world| origin(world).dirty = false);
    let check = GraphPublishRequest {
        check: true,
        ..request()
    };
    let answer = publish_in(&clean, &check).expect("it is checked");
    assert_eq!(
        states(&answer),
        [(GRAPH, FileState::AsItWas), (RECORD, FileState::AsItWas)]
    );
    let answer = publish_in(&clean, &request()).expect("it is published");
    assert_eq!(states(&answer)[0], (GRAPH, FileState::Written));
    assert_eq!(json(&clean, GRAPH)["metadata"]["dirty"], false);
    // The other way round nothing is gained, and nothing else is said.
    let dirty = later(&clean, |world| origin(world).dirty = true);
    let answer = publish_in(&dirty, &request()).expect("it is published");
    assert_eq!(states(&answer)[0], (GRAPH, FileState::AsItWas));
    let remark = "the working tree differs from the commit, but not in files of the graph";
    assert!(answer.remarks.iter().any(|told| told == remark), "{:?}", answer.remarks);
}

#[test]
fn amend_check_says_what_is_missing_or_of_other_code_and_writes_nothing() {
    let check = GraphPublishRequest {
        check: true,
        ..request()
    };
    let world = Arc::new(repository(SOURCE));
    let answer = publish_in(&world, &check).expect("it is checked");
    assert_eq!(
        states(&answer),
        [(GRAPH, FileState::Missing), (RECORD, FileState::Missing)]
    );
    assert!(world.written.lock().expect("whole").is_empty());
    publish_in(&world, &request()).expect("it is published");
    let next = later(&world, |world| origin(world).commit = Some("f".repeat(40)));
    assert!(
        publish_in(&next, &check)
            .expect("it is checked")
            .files
            .iter()
            .all(|file| !file.state.is_wrong())
    );
    let changed = later(&world, |world| world.graph = Some(Arc::new(graph("file b.py python"))));
    let answer = publish_in(&changed, &check).expect("it is checked");
    assert_eq!(
        states(&answer),
        [(GRAPH, FileState::Differs), (RECORD, FileState::AsItWas)]
    );
    let ctx = changed.ctx();
    let outcome = GraphPublish::run(&ctx, check.clone()).expect("it is checked");
    assert_eq!(outcome.verdict, Verdict::No);
    let mut page = lore_seam::Page::new(Style::default());
    let lore_seam::Answer::Value(view, _) = outcome.erase() else {
        unreachable!("it is a value")
    };
    view.show(&mut page);
    let text = page.into_text();
    assert!(
        text.starts_with("out of date: .lore/graph.json  ccg@1, generic@1"),
        "{text}"
    );
}

#[test]
fn p9_a_dry_run_says_what_would_be_written_and_writes_nothing() {
    let world = Arc::new(repository(SOURCE));
    let dry = GraphPublishRequest {
        dry_run: true,
        ..request()
    };
    let answer = publish_in(&world, &dry).expect("it is asked");
    assert_eq!(
        states(&answer),
        [(GRAPH, FileState::WouldBeWritten), (RECORD, FileState::WouldBeWritten)]
    );
    assert!(answer.files[0].bytes > 500 && world.written.lock().expect("whole").is_empty());
    let both = GraphPublishRequest { check: true, ..dry };
    assert!(publish_in(&world, &both).is_err());
}

#[test]
fn p10_where_there_is_nothing_to_publish_no_record_is_written() {
    let world = Arc::new(repository(""));
    let refused = publish_in(&world, &request()).expect_err("there is nothing");
    assert_eq!(refused.kind, ErrorKind::NotFound);
    assert!(world.written.lock().expect("whole").is_empty());
}

#[test]
fn amend_p12_the_list_of_aggregators_is_never_written() {
    let world = Arc::new(repository(SOURCE));
    let format = Published::ALL.iter().map(|format| format.name().to_owned()).collect();
    publish_in(&world, &GraphPublishRequest { format, ..request() }).expect("it is published");
    let written = world.written.lock().expect("whole");
    assert!(
        !written.keys().any(|path| path.contains("aggregators")),
        "{:?}",
        written.keys()
    );
}

#[test]
fn p7_who_publishes_is_told_that_it_is_publication_and_what_was_taken_out() {
    let world = Arc::new(repository(SOURCE));
    let answer = publish_in(&world, &request()).expect("it is published");
    assert_eq!(answer.scrubbed.emails, 1);
    let told = answer
        .remarks
        .iter()
        .filter(|remark| remark.contains("the graph is public to everyone"))
        .count();
    assert_eq!(told, 1);
    let text = String::from_utf8(file(&world, GRAPH).expect("it is there")).expect("text");
    assert!(text.contains("Ask [email].") && !text.contains("jane"));
    let raw = Arc::new(repository(SOURCE));
    let answer = publish_in(&raw, &GraphPublishRequest { raw: true, ..request() }).expect("it is published");
    assert_eq!(answer.scrubbed.emails, 0);
    let text = String::from_utf8(file(&raw, GRAPH).expect("it is there")).expect("text");
    assert!(text.contains("jane@firm.org"));
}

/// Notes what is said on the side.
#[derive(Default)]
struct Notes(Mutex<Vec<String>>);

impl Progress for Notes {
    fn begin(&self, _: &str, _: u64) {}

    fn advance(&self, _: u64) {}

    fn note(&self, text: &str) {
        self.0.lock().expect("whole").push(text.to_owned());
    }
}

#[test]
fn p4_a_part_is_told_in_the_body_in_the_answer_and_on_the_side() {
    let mut world = repository("");
    world.graph = Some(Arc::new(large(30, 20, 4)));
    let world = Arc::new(world);
    let notes = Arc::new(Notes::default());
    let ctx = Ctx {
        progress: Arc::clone(&notes) as Arc<dyn Progress + Send + Sync>,
        ..world.ctx()
    };
    let most = Most {
        bytes: 60_000,
        ..Most::default()
    };
    let answer = publish(&ctx, world.as_ref(), &request(), most).expect("it is published");
    let partial = answer.files[0].partial.expect("it is a part");
    assert!(partial.symbols.kept < partial.symbols.of && partial.symbols.of == 630);
    assert!(answer.files[0].bytes <= 60_000);
    let said = format!("{GRAPH} contains a part of the graph: {};", partial.words());
    assert!(answer.remarks[0].starts_with(&said), "{:?}", answer.remarks);
    assert_eq!(*notes.0.lock().expect("whole"), answer.remarks[..1]);
    assert_eq!(
        json(&world, GRAPH)["metadata"]["partial"]["symbols"]["kept"],
        partial.symbols.kept
    );
}

#[test]
fn d1_what_is_said_of_a_graph_is_kept_until_something_else_is_said() {
    let world = Arc::new(repository(SOURCE));
    let said = GraphPublishRequest {
        description: Some("A shop".to_owned()),
        tag: vec!["python".to_owned(), "shop".to_owned(), "shop".to_owned()],
        ..request()
    };
    publish_in(&world, &said).expect("it is published");
    let listed = json(&world, RECORD)["graphs"][0].clone();
    assert_eq!(
        (&listed["description"], &listed["tags"]),
        (&"A shop".into(), &serde_json::json!(["python", "shop"]))
    );
    let again = later(&world, |_| {});
    let answer = publish_in(&again, &request()).expect("it is published");
    assert_eq!(states(&answer)[1], (RECORD, FileState::AsItWas));
    let other = GraphPublishRequest {
        description: Some(String::new()),
        ..request()
    };
    publish_in(&again, &other).expect("it is published");
    assert_eq!(json(&again, RECORD)["graphs"][0]["description"], Json::Null);
    for (bad, why) in [
        (
            GraphPublishRequest {
                description: Some("x".repeat(281)),
                ..request()
            },
            "281 characters",
        ),
        (
            GraphPublishRequest {
                description: Some("a\nb".to_owned()),
                ..request()
            },
            "more than one line",
        ),
        (
            GraphPublishRequest {
                tag: vec!["a b".to_owned()],
                ..request()
            },
            "`a b` is not a tag",
        ),
        (
            GraphPublishRequest {
                tag: (0..17).map(|at| format!("t{at}")).collect(),
                ..request()
            },
            "17 tags",
        ),
    ] {
        let refused = publish_in(&world, &bad).expect_err(why);
        assert!(refused.message.contains(why), "{}", refused.message);
    }
}

#[test]
fn p6_what_is_not_published_any_more_is_not_listed_any_more() {
    let world = Arc::new(repository(SOURCE));
    let format = vec!["ccg".to_owned(), "gitnexus".to_owned()];
    publish_in(&world, &GraphPublishRequest { format, ..request() }).expect("it is published");
    // What was published before is published again until something else is said.
    let next = later(&world, |_| {});
    let answer = publish_in(&next, &request()).expect("it is published");
    assert_eq!(answer.files.len(), 3);
    assert!(answer.files.iter().all(|file| file.state == FileState::AsItWas));
    let next = later(&world, |_| {});
    let format = vec!["ccg".to_owned()];
    let answer = publish_in(&next, &GraphPublishRequest { format, ..request() }).expect("it is published");
    assert_eq!(json(&next, RECORD)["graphs"].as_array().map(Vec::len), Some(2));
    assert!(
        answer
            .remarks
            .iter()
            .any(|remark| remark.starts_with(".lore/gitnexus.json is no longer listed"))
    );
}

#[test]
fn p1_it_is_said_when_git_ignores_what_is_published_or_nobody_looks_for_it() {
    let mut world = repository(SOURCE);
    world.files.insert(".gitignore".to_owned(), b"*.pyc\n.lore/\n".to_vec());
    origin(&mut world).within = Some("sub".to_owned());
    let world = Arc::new(world);
    let answer = publish_in(&world, &request()).expect("it is published");
    let has = |text: &str| answer.remarks.iter().any(|remark| remark.contains(text));
    assert!(
        has("git ignores .lore/graph.json (`.lore/` in .gitignore)"),
        "{:?}",
        answer.remarks
    );
    assert!(has(
        "clients look for the record at the root of the repository, and this is sub"
    ));
    assert!(answer.files[0].url.ends_with("/main/sub/.lore/graph.json"));
}

#[test]
fn p4_a_file_that_is_longer_than_a_body_may_be_is_replaced() {
    let mut world = repository(SOURCE);
    world
        .files
        .insert(GRAPH.to_owned(), vec![b' '; MOST_BYTES as usize + 1]);
    let world = Arc::new(world);
    let answer = publish_in(&world, &request()).expect("it is published");
    assert_eq!(states(&answer)[0], (GRAPH, FileState::Written));
}

#[test]
fn p8_what_an_aggregator_says_is_a_remark_and_nobody_is_told_of_what_is_only_asked() {
    let mut world = repository(SOURCE);
    let url = vec!["https://registry.example/hook".to_owned()];
    world.settings.insert("graph.notify".to_owned(), url);
    world
        .settings
        .insert("graph.notify_token".to_owned(), vec!["t0ken".to_owned()]);
    let world = Arc::new(world);
    for request in [
        GraphPublishRequest {
            check: true,
            ..request()
        },
        GraphPublishRequest {
            dry_run: true,
            ..request()
        },
    ] {
        publish_in(&world, &request).expect("it is asked");
        assert!(world.fetched.lock().expect("whole").is_empty());
    }
    let answer = publish_in(&world, &request()).expect("it is published");
    assert_eq!(
        answer.remarks.last().map(String::as_str),
        Some("the aggregator was not notified: registry.example does not know o/shop or rejects the token")
    );
    assert_eq!(world.fetched.lock().expect("whole").len(), 1);
}

#[test]
fn p7_the_description_is_scrubbed_too_and_a_tag_that_is_a_secret_is_refused() {
    let world = Arc::new(repository(SOURCE));
    let token = format!("{}{}", "ghp_", "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8");
    let said = |description: &str, tag: &str| GraphPublishRequest {
        description: Some(description.to_owned()),
        tag: vec![tag.to_owned()],
        ..request()
    };
    let answer =
        publish_in(&world, &said(&format!("by jane@firm.org, token {token}"), "shop")).expect("it is published");
    let record = json(&world, RECORD);
    assert_eq!(record["graphs"][0]["description"], "by [email], token [secret]");
    assert!(
        answer
            .remarks
            .iter()
            .any(|remark| remark.contains("removed from the description"))
    );
    assert!(publish_in(&world, &said("all of it", &token)).is_err());
}
