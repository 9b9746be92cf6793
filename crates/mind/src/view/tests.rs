//! Views and lenses of small graphs, and of long ones.

use proptest::prelude::*;

use super::views::names;
use super::*;
use crate::changes::Changes;
use crate::edge::EdgeType;
use crate::testing::{graph, of_changes, words};

fn see(lines: &str, name: &str) -> Shown {
    look(&graph(lines), &Named::parse(name).expect("a view"), &[])
}

/// The nodes and edges that a view shows, in words.
fn seen(lines: &str, name: &str) -> (String, String) {
    let graph = graph(lines);
    let shown = look(&graph, &Named::parse(name).expect("a view"), &[]);
    let edges: Vec<String> = shown.edges.iter().map(|edge| graph.edge_at(*edge).arrow()).collect();
    (names(&graph, shown.nodes).join(" "), edges.join(", "))
}

fn meta(lines: &str, name: &str) -> String {
    serde_json::to_string(&see(lines, name).meta).expect("JSON")
}

fn path(lines: &str, name: &str) -> Vec<String> {
    let shown = see(lines, name);
    let path = shown.lenses.into_iter().find_map(|seen| seen.path).expect("a path");
    path.chain
        .into_iter()
        .map(|link| format!("{} {}", link.depth, link.id))
        .collect()
}

#[test]
fn view1_the_roadmap_shows_milestones_phases_and_tasks_and_edges_that_touch_one() {
    let lines = "phase:a\nmilestone:b\ntask:c implements spec:d\nspec:d references doc:e\nrepo:o/n:task:z";
    assert_eq!(
        seen(lines, "roadmap"),
        (
            "milestone:b phase:a repo:o/n:task:z task:c".to_owned(),
            "task:c --[implements]--> spec:d".to_owned()
        )
    );
}

#[test]
fn view1_five_views_grow_with_the_graph_and_not_faster() {
    // Each is shown whole: what is looked at is nodes and edges once.
    for count in [100, 2_500] {
        let mut changes = Changes::new();
        for at in 0..count {
            let (edge, put) = words(&format!("task:{at} blocks task:{}", at + 1));
            changes.put_edge(edge, put);
        }
        let graph = of_changes(changes);
        for name in ["roadmap", "backlog", "blockers", "progress", "milestone"] {
            let shown = look(&graph, &Named::parse(name).expect("a view"), &[]);
            assert_eq!((shown.nodes.len(), shown.edges.len()), (count + 1, count), "{name}");
        }
    }
}

#[test]
fn view2_the_backlog_shows_tasks() {
    assert_eq!(
        seen("task:a blocks task:b\nfeature:c\ntasks:d", "backlog"),
        ("task:a task:b".to_owned(), "task:a --[blocks]--> task:b".to_owned())
    );
}

#[test]
fn view3_the_architecture_shows_what_code_depends_on() {
    let lines = "crate:a depends-on module:b\nmodule:b consumed-by crate:a\npkg:c\ncrate:a depends-on doc:d";
    assert_eq!(
        seen(lines, "architecture"),
        (
            "crate:a module:b pkg:c".to_owned(),
            "crate:a --[depends-on]--> module:b".to_owned()
        )
    );
}

#[test]
fn view4_suggestions_are_edges_up_to_one_half_and_their_ends() {
    let lines = "task:a blocks task:b .5\ntask:a blocks task:c .5000001\ntask:d relates-to task:e 0\ntask:f";
    assert_eq!(
        seen(lines, "suggestions"),
        (
            "task:a task:b task:d task:e".to_owned(),
            "task:a --[blocks]--> task:b, task:d --[relates-to]--> task:e".to_owned()
        )
    );
}

#[test]
fn view5_milestones_count_their_tasks_and_features() {
    let lines = "task:a belongs-to milestone:m\ntask:a implements spec:s\nfeature:b belongs-to milestone:m\nrepo:o/n:task:c belongs-to milestone:m\n\
        doc:d belongs-to milestone:m\npkg:x blocks feature:b\ntask:a blocks feature:b\nphase:p";
    assert_eq!(
        meta(lines, "milestone"),
        "{\"milestones\":[{\"id\":\"milestone:m\",\"total\":3,\"done\":1,\"pct\":33,\"blockers\":[\"pkg:x\",\"task:a\"]},\
         {\"id\":\"phase:p\",\"total\":0,\"done\":0,\"pct\":0,\"blockers\":[]}]}"
    );
    assert!(!seen(lines, "milestone").0.contains("doc:d"));
}

#[test]
fn view6_traceability_tells_gaps() {
    let lines = "crate:a implements spec:b\nrepo:o/n:adr:c\ntask:d implements adr:e\ntask:f implements feature:g";
    assert_eq!(
        meta(lines, "traceability"),
        "{\"gaps\":[\"repo:o/n:adr:c\"],\"covered\":[\"adr:e\",\"spec:b\"],\"coveragePct\":67}"
    );
    assert_eq!(
        seen(lines, "traceability").0,
        "adr:e crate:a repo:o/n:adr:c spec:b task:d"
    );
}

#[test]
fn view7_blockers_tell_roots_chains_and_circles() {
    let lines = "task:a blocks task:b\ntask:a blocks task:c\ntask:b blocks task:d\ntask:c blocks task:d\ntask:x blocks task:y\ntask:y blocks task:x\ntask:r blocks task:x";
    assert_eq!(
        meta(lines, "blockers"),
        "{\"rootBlockers\":[\"task:a\",\"task:r\"],\"chains\":[[{\"id\":\"task:a\",\"depth\":0},{\"id\":\"task:b\",\"depth\":1},{\"id\":\"task:d\",\"depth\":2},\
         {\"id\":\"task:c\",\"depth\":1}],[{\"id\":\"task:r\",\"depth\":0},{\"id\":\"task:x\",\"depth\":1},{\"id\":\"task:y\",\"depth\":2}]],\
         \"cycles\":[[\"task:x\",\"task:y\",\"task:x\"]],\"cut\":false}"
    );
}

#[test]
fn view8_onboarding_reads_what_is_depended_on_first_and_circles_last() {
    let lines = "doc:a depends-on doc:z\ndoc:m\nspec:c depends-on spec:d\nspec:d depends-on spec:c\nadr:e depends-on spec:c\ndoc:a documents doc:b\ntask:t";
    assert_eq!(
        meta(lines, "onboarding"),
        "{\"readingOrder\":[\"doc:b\",\"doc:m\",\"doc:z\",\"doc:a\",\"adr:e\",\"spec:c\",\"spec:d\"],\"hasCycles\":true}"
    );
    assert_eq!(
        meta("doc:a depends-on spec:b", "onboarding"),
        "{\"readingOrder\":[\"spec:b\",\"doc:a\"],\"hasCycles\":false}"
    );
}

#[test]
fn view9_coverage_tells_which_code_implements_a_specification() {
    let lines = "crate:a implements spec:b\nmodule:c implements feature:d\npkg:e";
    assert_eq!(
        meta(lines, "coverage"),
        "{\"linked\":[\"crate:a\"],\"unlinked\":[\"module:c\",\"pkg:e\"],\"coveragePct\":33}"
    );
}

#[test]
fn view10_progress_counts_by_status() {
    let lines = "task:a status=\"done\"\ntask:b status=\"wip\"\nfeature:c status=7\nmilestone:m status=\"done\"\ntask:d status=\"blocked\"\ntask:e status=\"new\"";
    assert_eq!(
        meta(lines, "progress"),
        "{\"byStatus\":{\"done\":[\"task:a\"],\"in-progress\":[\"task:b\"],\"todo\":[\"task:e\"],\"blocked\":[\"task:d\"],\"unknown\":[\"feature:c\"]},\
         \"summary\":{\"total\":5,\"done\":1,\"inProgress\":1,\"todo\":1,\"blocked\":1,\"unknown\":1,\"pct\":20,\"ratio\":\"1/5\",\"remaining\":4}}"
    );
}

#[test]
fn amend1_a_phase_is_a_milestone_in_every_view() {
    let lines = "phase:a\nmilestone:b\nrepo:o/n:phase:c\ntask:t";
    for scope in ["milestone", "phase"] {
        let graph = graph(lines);
        let shown = look(&graph, &Named::parse("progress").expect("a view"), &[scope.to_owned()]);
        assert_eq!(
            names(&graph, shown.nodes),
            ["milestone:b", "phase:a", "repo:o/n:phase:c"]
        );
    }
    assert!(seen(lines, "roadmap").0.contains("phase:a"));
    assert!(meta(lines, "milestone").contains("repo:o/n:phase:c"));
}

#[test]
fn ref9_phases_are_not_left_out_of_the_milestone_view() {
    assert!(meta("task:a belongs-to phase:p", "milestone").contains("\"id\":\"phase:p\",\"total\":1"));
}

#[test]
fn amend3_the_words_for_a_status() {
    for (text, status) in [
        ("Pending ", Status::Todo),
        ("OPEN", Status::Todo),
        ("new", Status::Todo),
        ("todo", Status::Todo),
        ("wip", Status::InProgress),
        ("in_progress", Status::InProgress),
        ("inprogress", Status::InProgress),
        ("In-Progress", Status::InProgress),
        ("complete", Status::Done),
        ("completed", Status::Done),
        ("finished", Status::Done),
        ("done", Status::Done),
        ("blocked", Status::Blocked),
        ("later", Status::Unknown),
    ] {
        assert_eq!(Status::of_text(text), status, "{text}");
    }
}

#[test]
fn c29_views_of_nothing_are_empty_and_divide_by_nothing() {
    for view in View::ALL {
        let shown = see("", view.name());
        assert_eq!((shown.nodes.len(), shown.edges.len()), (0, 0), "{}", view.name());
        for lens in Lens::ALL {
            assert!(see("", &format!("{}:{}", view.name(), lens.name())).nodes.is_empty());
        }
    }
    assert!(meta("", "traceability").contains("\"coveragePct\":100"));
    assert!(meta("", "coverage").contains("\"coveragePct\":100"));
    assert!(meta("", "progress").contains("\"pct\":0,\"ratio\":\"0/0\",\"remaining\":0"));
    assert_eq!(meta("", "milestone"), "{\"milestones\":[]}");
}

#[test]
fn lens1_incomplete_is_what_is_not_done() {
    assert_eq!(
        seen(
            "task:a status=\"done\"\ntask:b status=\"wip\"\ntask:c\ntask:a blocks task:b",
            "backlog:incomplete"
        )
        .0,
        "task:b task:c"
    );
}

#[test]
fn lens2_the_frontier_leads_nowhere_inside() {
    assert_eq!(
        seen("task:a blocks task:b\ntask:b implements spec:s", "backlog:frontier").0,
        "task:b"
    );
}

#[test]
fn lens3_the_critical_path_is_the_longest_chain() {
    let lines = "task:a blocks task:b\ntask:b blocks task:c\ntask:a blocks task:z\ntask:d depends-on task:c\ntask:x blocks task:y\ntask:y blocks task:x";
    assert_eq!(
        path(lines, "backlog:critical-path"),
        ["0 task:a", "1 task:b", "2 task:c", "3 task:d"]
    );
    assert_eq!(seen(lines, "backlog:critical-path").0, "task:a task:b task:c task:d");
    let shown = see(lines, "backlog:critical-path");
    let warnings = shown
        .lenses
        .into_iter()
        .find_map(|seen| seen.path)
        .map(|path| path.warnings);
    assert_eq!(warnings, Some(vec!["left out 2 nodes in cycles".to_owned()]));
}

#[test]
fn lens4_blocked_is_what_something_blocks_and_the_order_of_lenses_counts() {
    let lines = "task:a blocks task:b\ntask:b blocks task:c";
    assert_eq!(
        seen(lines, "backlog:blocked"),
        ("task:b task:c".to_owned(), "task:b --[blocks]--> task:c".to_owned())
    );
    assert_eq!(seen(lines, "backlog:blocked:frontier").0, "task:c");
    assert_eq!(seen(lines, "backlog:frontier:blocked").0, "");
}

#[test]
fn lens5_parallel_is_what_neither_waits_nor_holds_up() {
    assert_eq!(
        seen(
            "task:a blocks task:b\ntask:c depends-on task:b\ntask:d relates-to task:a\ntask:e",
            "backlog:parallel"
        )
        .0,
        "task:d task:e"
    );
}

#[test]
fn names_of_views_and_lenses_are_read_strictly() {
    let said =
        |text: &str| Named::parse(text).map_or_else(|fault| fault.to_string(), |named| named.view.name().to_owned());
    assert_eq!(said("progress:incomplete:frontier"), "progress");
    assert!(said("roadmaps").starts_with("unknown view \"roadmaps\"; known: roadmap, backlog"));
    assert!(said("progress:").starts_with("unknown lens \"\"; known: incomplete, frontier"));
    assert!(said("").starts_with("unknown view \"\""));
}

#[test]
fn missed15_a_chain_of_a_hundred_thousand_overflows_nothing() {
    let mut changes = Changes::new();
    for at in 0..100_000_u32 {
        let (edge, put) = words(&format!("doc:{at:06} blocks doc:{:06}", at + 1));
        changes.put_edge(edge, put);
        let (edge, put) = words(&format!("doc:{:06} depends-on doc:{at:06}", at + 1));
        changes.put_edge(edge, put);
    }
    let graph = of_changes(changes);
    let at = |name: &str| look(&graph, &Named::parse(name).expect("a view"), &[]);
    let Meta::Blockers(blockers) = at("blockers").meta else {
        panic!("blockers");
    };
    assert_eq!(
        (blockers.chains[0].len(), blockers.chains.len(), blockers.cut),
        (100_001, 1, false)
    );
    let path = at("onboarding:critical-path").lenses.remove(0).path.expect("a path");
    assert_eq!(path.chain.len(), 100_001);
    let Meta::Onboarding(order) = at("onboarding").meta else {
        panic!("onboarding");
    };
    assert_eq!((order.reading_order.len(), order.has_cycles), (100_001, false));
}

#[test]
fn view7_many_roots_over_one_long_chain_are_cut_and_say_so() {
    let mut changes = Changes::new();
    for at in 0..2_000 {
        for edge in [
            format!("task:c{at} blocks task:c{}", at + 1),
            format!("pkg:r{at} blocks task:c0"),
        ] {
            let (edge, put) = words(&edge);
            changes.put_edge(edge, put);
        }
    }
    let graph = of_changes(changes);
    let Meta::Blockers(blockers) = look(&graph, &Named::parse("blockers").expect("a view"), &[]).meta else {
        panic!("blockers");
    };
    assert!(blockers.cut && blockers.chains.len() > 10 && blockers.root_blockers.len() == 2_000);
}

proptest! {
    #![proptest_config(lore_testing::cases(256))]

    #[test]
    fn lens3_the_critical_path_is_the_longest_of_all_paths(edges in prop::collection::btree_set((0_usize..7, 0_usize..7), 0..12)) {
        let lines: String = edges.iter().filter(|(from, to)| from < to).map(|(from, to)| format!("task:{from} blocks task:{to}\n")).collect();
        prop_assume!(!lines.is_empty());
        let next = |node: usize| edges.iter().filter(move |(from, to)| *from == node && from < to).map(|(_, to)| *to);
        let mut best = 0;
        let mut open: Vec<(usize, usize)> = (0..7).map(|node| (node, 1)).collect();
        while let Some((node, length)) = open.pop() {
            best = best.max(length);
            open.extend(next(node).map(|child| (child, length + 1)));
        }
        prop_assert_eq!(path(&lines, "backlog:critical-path").len(), best);
    }

    #[test]
    fn lens1_lenses_never_add_anything(
        edges in prop::collection::vec((0_u8..6, 0_usize..11, 0_u8..6), 0..12),
        view in prop::sample::select(View::ALL.to_vec()),
        lens in prop::sample::select(Lens::ALL.to_vec()),
    ) {
        let prefixes = ["task", "spec", "doc", "crate", "milestone", "feature"];
        let mut changes = Changes::new();
        for (source, kind, target) in edges {
            let kind = EdgeType::ALL[kind];
            if source != target {
                let name = |number: u8| format!("{}:{number}", prefixes[usize::from(number)]);
                let (edge, put) = words(&format!("{} {kind} {}", name(source), name(target)));
                changes.put_edge(edge, put);
            }
        }
        let graph = of_changes(changes);
        let before = look(&graph, &Named { view, lenses: Vec::new() }, &[]);
        let after = look(&graph, &Named { view, lenses: vec![lens] }, &[]);
        prop_assert!(after.nodes.iter().all(|node| before.nodes.contains(node)));
        prop_assert!(after.edges.iter().all(|edge| before.edges.contains(edge)));
        for edge in &after.edges {
            let (source, target) = graph.edge_at(*edge).ends();
            prop_assert!(after.nodes.contains(&source) && after.nodes.contains(&target));
        }
    }
}

#[test]
fn view11_a_decision_comes_with_its_rationale_what_it_concerns_and_what_replaces_it() {
    let lines = "decision:warp title=\"Use warp\"\ndecision:warp rationale=\"small\"\ndecision:warp status=\"accepted\"\n\
                 decision:warp date=\"2026-01-02\"\ndecision:warp supersedes=[\"adr:0001\"]\nadr:0001 why=\"fast\"\n\
                 decision:warp touches file:src/http.rs .8 all routes\ndecision:warp belongs-to person:ann\n\
                 task:http implements decision:warp\ntask:other blocks task:http";
    let (nodes, edges) = seen(lines, "decisions");
    assert_eq!(nodes, "adr:0001 decision:warp");
    assert_eq!(
        edges,
        "decision:warp --[touches]--> file:src/http.rs, decision:warp --[belongs-to]--> person:ann, task:http --[implements]--> decision:warp"
    );
    let Meta::Decisions(found) = see(lines, "decisions").meta else {
        panic!("another view");
    };
    let [old, new] = found.decisions.as_slice() else {
        panic!("{found:?}");
    };
    assert_eq!(
        (
            old.rationale.as_deref(),
            old.superseded_by.join(" "),
            old.touches.len(),
            &old.linked_at
        ),
        (Some("fast"), "decision:warp".to_owned(), 0, &None)
    );
    assert_eq!(
        (
            new.title.as_deref(),
            new.status.as_deref(),
            new.rationale.as_deref(),
            new.date.as_deref()
        ),
        (Some("Use warp"), Some("accepted"), Some("small"), Some("2026-01-02"))
    );
    assert_eq!(
        (new.authors.join(" "), new.supersedes.join(" ")),
        ("person:ann".to_owned(), "adr:0001".to_owned())
    );
    assert_eq!(
        (new.touches.len(), new.touched_by.len(), new.linked_at.is_some()),
        (2, 1, true)
    );
    assert_eq!(new.touches[0].rationale.as_deref(), Some("all routes"));
}

#[test]
fn view11_records_of_reviews_are_listed_apart_and_values_of_other_types_are_no_texts() {
    let lines = "decision:1770733800-0123abcd action=\"reject\"\ndecision:1770733800-0123abcd source=\"task:a\"\n\
                 decision:1770733800-0123abcd timestamp=\"2026-02-10\"\ndecision:x rationale={\"a\":1}\ndecision:x date=2026";
    let Meta::Decisions(found) = see(lines, "decisions").meta else {
        panic!("another view");
    };
    assert_eq!((found.decisions.len(), found.reviews.len()), (1, 1));
    assert_eq!(
        (&found.decisions[0].rationale, found.decisions[0].date.as_deref()),
        (&None, Some("2026"))
    );
    assert_eq!(
        (found.reviews[0].action.as_str(), found.reviews[0].date.as_deref()),
        ("reject", Some("2026-02-10"))
    );
    assert_eq!(meta("task:a", "decisions"), "{\"decisions\":[],\"reviews\":[]}");
}
