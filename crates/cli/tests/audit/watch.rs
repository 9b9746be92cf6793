//! A busy tree is indexed after a longest wait (F11).

use std::fs;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use lore_testing::{Conversation, join};

use crate::world::World;

#[test]
fn a_file_is_indexed_although_another_one_never_rests() {
    let world = World::new();
    world.write("a.py", "def first(): pass\n");
    let mut watch = Conversation::start(&mut world.command_in(&world.repo(), &["index", "--watch", "--json"]));
    watch.hear();
    let done = Arc::new(AtomicBool::new(false));
    let (stop, busy) = (Arc::clone(&done), world.repo().join("busy.py"));
    // Files change without a pause until the new file is known: whoever waits for a moment of rest waits for ever.
    let writer = std::thread::spawn(move || {
        let mut count = 0_u64;
        while !stop.load(Ordering::Relaxed) {
            count += 1;
            fs::write(&busy, format!("def busy(): return {count}\n")).expect("written");
            std::thread::yield_now();
        }
        count
    });
    world.write("new.py", "def written_meanwhile(): pass\n");
    lore_testing::until("the new file is indexed", || {
        watch.hear();
        let found = world.lore(&["find", "written_meanwhile", "--match", "exact", "--no-refresh"]);
        (found.code == Some(0)).then_some(())
    });
    done.store(true, Ordering::Relaxed);
    assert!(join(writer, "the writer stops") > 0);
    watch.kill();
}
