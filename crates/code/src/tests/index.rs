//! Tests of `lore index`.

use std::sync::Mutex;

use lore_model::Bound;
use lore_seam::{ErrorKind, IndexRequest, IndexSummary, OpError};
use serde_json::json;

use super::{Tree, keys, told};
use crate::Index;

fn summary() -> IndexSummary {
    IndexSummary {
        root: "shop".to_owned(),
        changed: true,
        files: 3,
        extracted: 2,
        skipped: 0,
        with_errors: 0,
        symbols: 12,
        lines: 400,
        snapshot_bytes: 4096,
        bounds: Vec::new(),
        milliseconds: 1250,
    }
}

fn indexed(summaries: Vec<Result<IndexSummary, OpError>>) -> Tree {
    Tree {
        summaries: Mutex::new(summaries),
        ..Tree::default()
    }
}

#[test]
fn index_reports_files_symbols_and_lines() {
    told(
        &indexed(vec![Ok(summary())]).typed::<Index>(&[]).text,
        "
        shop: 3 files, 12 symbols, 400 lines in 1.25 s (2 parsed)
        ",
    );
}

#[test]
fn index_of_an_unchanged_tree_says_so() {
    let same = IndexSummary {
        changed: false,
        ..summary()
    };
    told(
        &indexed(vec![Ok(same)]).typed::<Index>(&[]).text,
        "
        shop: 3 files, 12 symbols, 400 lines in 1.25 s (nothing had changed)
        ",
    );
}

#[test]
fn index_reports_what_is_left_out_and_what_has_syntax_errors() {
    let some = IndexSummary {
        skipped: 2,
        with_errors: 1,
        ..summary()
    };
    told(
        &indexed(vec![Ok(some)]).typed::<Index>(&[]).text,
        "
        shop: 3 files, 12 symbols, 400 lines in 1.25 s (2 parsed)
          2 files left out (`lore files --skipped` lists them)
          1 file with syntax errors (`lore files --errors` lists them)
        ",
    );
}

#[test]
fn index_reports_the_bounds_of_the_search_for_calls() {
    let bounds = IndexSummary {
        bounds: vec![(Bound::Values, 3), (Bound::Calls, 2), (Bound::Work, 1)],
        ..summary()
    };
    told(&indexed(vec![Ok(bounds)]).typed::<Index>(&[]).text, "
        shop: 3 files, 12 symbols, 400 lines in 1.25 s (2 parsed)
          limits of the call-graph analysis: 3 points-to sets were cut; 2 calls were analysed without their context; the analysis was cut off: many calls are missing
        ");
}

#[test]
fn index_hands_each_flag_to_the_indexer() {
    let words = [
        "--at",
        "v1",
        "--include",
        "src/**",
        "--exclude",
        "a",
        "--exclude",
        "b",
        "--vendored",
        "--generated",
        "--minified",
        "--max-file-bytes",
        "9",
        "--verify",
        "--fresh",
    ];
    let wanted = IndexRequest {
        path: None,
        at: Some("v1".to_owned()),
        include: vec!["src/**".to_owned()],
        exclude: vec!["a".to_owned(), "b".to_owned()],
        vendored: true,
        generated: true,
        minified: true,
        max_file_bytes: Some(9),
        verify: true,
        fresh: true,
    };
    assert_eq!(indexed(vec![Ok(summary())]).typed::<Index>(&words).requests, [wanted]);
}

#[test]
fn index_takes_a_path_on_the_command_line() {
    let requests = indexed(vec![Ok(summary())]).typed::<Index>(&["sub/project"]).requests;
    assert_eq!(requests[0].path.as_deref(), Some("sub/project"));
}

#[test]
fn index_of_an_agent_takes_no_path() {
    told(
        &indexed(vec![Ok(summary())])
            .asked::<Index>(json!({"path": "/etc"}))
            .text,
        "
        error invalid (2): `index` has no argument `path`
        hint: its arguments are at, exclude, fresh, generated, include, max_file_bytes, minified, vendored, verify
        ",
    );
}

#[test]
fn index_watch_reports_each_change_and_forgets_the_cache_once() {
    let same = IndexSummary {
        changed: false,
        ..summary()
    };
    let more = IndexSummary { files: 4, ..summary() };
    let said = indexed(vec![Ok(summary()), Ok(same), Ok(more)]).typed::<Index>(&["--watch", "--fresh"]);
    told(
        &said.text,
        "
        shop: 3 files, 12 symbols, 400 lines in 1.25 s (2 parsed)
        shop: 4 files, 12 symbols, 400 lines in 1.25 s (2 parsed)
        ",
    );
    let fresh: Vec<bool> = said.requests.iter().map(|request| request.fresh).collect();
    assert_eq!(fresh, [true, false, false]);
}

#[test]
fn index_watch_ends_at_an_error() {
    let gone = OpError::new(ErrorKind::Unavailable, "the root is gone");
    let tree = indexed(vec![Ok(summary()), Err(gone), Ok(summary())]);
    told(
        &tree.typed::<Index>(&["--watch"]).text,
        "
        shop: 3 files, 12 symbols, 400 lines in 1.25 s (2 parsed)
        error unavailable (2): the root is gone
        ",
    );
}

#[test]
fn index_watch_of_a_revision_is_a_wrong_question() {
    told(
        &indexed(Vec::new()).typed::<Index>(&["--watch", "--at", "v1"]).text,
        "
        error invalid (2): error: the argument '--watch' cannot be used with '--at <REV>'
        ",
    );
}

#[test]
fn index_that_fails_is_an_error() {
    let gone = OpError::new(ErrorKind::Unavailable, "there is no repository").hint("name a directory");
    told(
        &indexed(vec![Err(gone)]).typed::<Index>(&[]).text,
        "
        error unavailable (2): there is no repository
        hint: name a directory
        ",
    );
}

#[test]
fn index_json() {
    let hit = IndexSummary {
        bounds: vec![(Bound::Work, 1)],
        ..summary()
    };
    let said = indexed(vec![Ok(hit)]).asked::<Index>(json!({}));
    told(
        &keys(&said.json[0]),
        "
        bounds[bound count] changed extracted files lines milliseconds root skipped snapshot_bytes symbols with_errors
        ",
    );
    let said = indexed(vec![Ok(summary())]).asked::<Index>(json!({}));
    assert_eq!(said.json[0].get("bounds"), None);
}
