//! Questions are answered when the cache cannot be written (F16).

use std::fs;

use crate::world::{World, finish};

const QUESTIONS: &[&[&str]] = &[
    &["find", "g"],
    &["calls", "a.py"],
    &["outline", "--at", "HEAD"],
    &["ccg", "manifest"],
];

fn repository() -> World {
    let world = World::new();
    world.write("a.py", "def g(): pass\ndef f():\n    g()\n");
    world.commit("first");
    world
}

#[test]
fn f16_a_cache_that_is_a_file_is_remarked_on_and_every_question_answered() {
    let world = repository();
    fs::write(world.home().join(".cache"), "in the way").expect("written");
    for question in QUESTIONS {
        let outcome = world.lore(question);
        assert_eq!(outcome.code, Some(0), "{question:?}: {outcome:?}");
        assert!(outcome.stderr.contains("nothing is cached"), "{}", outcome.stderr);
    }
}

#[test]
fn f16_without_a_home_every_question_is_answered() {
    let world = repository();
    for question in QUESTIONS {
        let mut command = world.command_in(&world.repo(), question);
        command.env_remove("HOME");
        let outcome = finish(command, "");
        assert_eq!(outcome.code, Some(0), "{question:?}: {outcome:?}");
        assert!(outcome.stderr.contains("nothing is cached"), "{}", outcome.stderr);
    }
}

/// Files may not grow beyond a few bytes, as on a full disk: every write of the cache fails.
#[test]
#[cfg(target_os = "linux")]
fn f16_when_no_file_can_be_written_questions_are_answered_from_memory() {
    let world = repository();
    assert_eq!(world.lore(&["index"]).code, Some(0));
    world.write("a.py", "def g(): pass\ndef h(): pass\ndef f():\n    g()\n    h()\n");
    for (question, answer) in [
        (&["find", "h"][..], "a.h"),
        (&["callees", "f"], "a.h"),
        (&["calls", "a.py"], "a.h"),
        (&["outline", "--at", "HEAD"], "g()"),
        (&["ccg", "manifest"], "\"@context\""),
    ] {
        // A write beyond the limit would raise SIGXFSZ; ignored, it is the error that a full disk is.
        let outcome = finish(world.limited("trap '' XFSZ; ulimit -f 0", question), "");
        assert_eq!(outcome.code, Some(0), "{question:?}: {outcome:?}");
        assert!(outcome.stdout.contains(answer), "{question:?}: {outcome:?}");
        let is_said = ["cannot be written", "could not be cached"]
            .iter()
            .any(|said| outcome.stderr.contains(said));
        assert!(is_said, "{question:?}: {outcome:?}");
        assert!(!outcome.stderr.contains("was stopped"), "{question:?}: {outcome:?}");
    }
    // What was there before is whole, and nothing says that a process was stopped.
    let outcome = world.lore(&["callees", "f"]);
    assert_eq!(outcome.code, Some(0));
    assert!(!outcome.stderr.contains("was stopped"), "{}", outcome.stderr);
    assert_eq!(world.lore(&["doctor"]).code, Some(0));
}
