//! `--watch`: a change leads to another index.

use std::sync::mpsc::channel;
use std::time::Duration;

use crate::support::Tree;
use lore_model::Cancel;
use lore_seam::{Code, IndexRequest};

#[test]
fn a_change_wakes_the_watcher_and_git_does_not() {
    let tree = Tree::new(&[("a.py", "def f(): pass\n")]);
    let repository = tree.repository();
    let request = IndexRequest::default();
    let cancel = Cancel::default();
    assert!(
        repository.wait_for_change(&request, &cancel).expect("watches"),
        "the first look is free"
    );
    let (sender, receiver) = channel();
    lore_testing::scope("the watcher wakes up", |scope| {
        scope.spawn(|| sender.send(repository.wait_for_change(&request, &cancel)));
        tree.write(".git/index", "not source");
        assert!(
            receiver.recv_timeout(Duration::from_millis(400)).is_err(),
            "git's own files are not source"
        );
        tree.write("b.py", "def g(): pass\n");
        let woken = lore_testing::receive(&receiver, "the watcher wakes up");
        assert!(woken.expect("watches"));
    });
    assert_eq!(tree.index().expect("indexes").files, 2);
}

#[test]
fn a_wish_to_stop_ends_the_wait() {
    let tree = Tree::new(&[("a.py", "")]);
    let repository = tree.repository();
    let cancel = Cancel::default();
    assert!(
        repository
            .wait_for_change(&IndexRequest::default(), &cancel)
            .expect("watches")
    );
    cancel.cancel();
    assert!(
        !repository
            .wait_for_change(&IndexRequest::default(), &cancel)
            .expect("watches")
    );
}
