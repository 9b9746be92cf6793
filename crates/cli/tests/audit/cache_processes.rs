//! Several processes that index, ask, evict and clear at once: nothing is lost and nothing is reported as damaged.

use std::fs;

use crate::world::{World, finish};

/// Words that a process says only if another one disturbed it.
const DISTURBED: &[&str] = &[
    "damaged",
    "cannot be",
    "could not be",
    "was stopped",
    "nothing is cached",
];

#[test]
fn m1_processes_that_write_evict_and_clear_do_not_disturb_each_other() {
    let world = World::new();
    let trees: Vec<_> = (0..3)
        .map(|number| {
            let tree = world.base().join(format!("tree{number}"));
            fs::create_dir(&tree).expect("made");
            for file in 0..8 {
                let text = format!("def f{number}_{file}(): pass\n");
                fs::write(tree.join(format!("m{file}.py")), text).expect("written");
            }
            tree
        })
        .collect();
    lore_testing::scope("processes share a cache", |scope| {
        for tree in &trees {
            for worker in 0..2 {
                let world = &world;
                scope.spawn(move || {
                    for round in 0..6 {
                        fs::write(tree.join(format!("w{worker}.py")), format!("def g{round}(): pass\n"))
                            .expect("written");
                        let outcome = finish(world.command_in(tree, &["find", &format!("g{round}")]), "");
                        for word in DISTURBED {
                            assert!(!outcome.stderr.contains(word), "{outcome:?}");
                        }
                        assert!(matches!(outcome.code, Some(0 | 1)), "{outcome:?}");
                    }
                });
            }
        }
        for command in [
            &["cache", "prune", "--max-bytes", "0"][..],
            &["cache", "clear"],
            &["cache", "status"],
        ] {
            let world = &world;
            scope.spawn(move || {
                for _ in 0..12 {
                    let outcome = finish(world.command_in(&world.home(), command), "");
                    assert_eq!(outcome.code, Some(0), "{command:?}: {outcome:?}");
                    assert!(!outcome.stdout.contains("not removed"), "{command:?}: {outcome:?}");
                }
            });
        }
    });
    for (number, tree) in trees.iter().enumerate() {
        for file in 0..8 {
            let outcome = world.lore_in(tree, &["find", &format!("f{number}_{file}")]);
            assert_eq!(outcome.code, Some(0), "{outcome:?}");
        }
        let doctor = world.lore_in(tree, &["doctor"]);
        assert_eq!(doctor.code, Some(0), "{doctor:?}");
    }
}
