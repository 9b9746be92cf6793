//! Commands of people, as they are answered: text and exit status.

use crate::editor::Editor;
use std::sync::{Arc, Mutex};

use serde_json::{Value, json};

use crate::OPERATIONS;
use crate::id::Id;
use crate::model::Entity;
use crate::script::Script;
use crate::store::reading;
use lore_seam::world::World;
use lore_seam::{Answer, Listing, OpError, Page, Style, Verdict};

/// Runs a command; its text, and the exit status where it is not 0. Short identifiers are replaced by names.
fn run(here: &Script, name: &str, arguments: Value) -> String {
    let entry = OPERATIONS
        .iter()
        .find(|entry| entry.name == name)
        .unwrap_or_else(|| panic!("there is no {name}"));
    assert_eq!(entry.listing, Listing::People, "{name}");
    let mut page = Page::new(Style { colour: false });
    let exit = match entry.run_json(&here.ctx(), arguments) {
        Ok(Answer::Value(value, verdict)) => {
            value.show(&mut page);
            u8::from(verdict == Verdict::No)
        }
        Ok(Answer::Rows { rows, empty, .. }) => {
            let mut count = 0;
            for row in rows {
                row.expect("a row").show(&mut page);
                count += 1;
            }
            u8::from(count == 0 && empty == Verdict::No)
        }
        Ok(Answer::Bytes(_)) => panic!("{name} gives bytes"),
        Err(error) => {
            page.line(format_args!("{error}"));
            for hint in &error.hints {
                page.line(format_args!("hint: {hint}"));
            }
            error.kind.exit_code()
        }
    };
    let text = page.into_text();
    let text: String = text
        .lines()
        .fold(String::new(), |text, line| text + line.trim_end() + "\n");
    match exit {
        0 => text,
        exit => format!("{text}exit {exit}\n"),
    }
}

fn with_tasks() -> Script {
    let mut here = Script::in_repository();
    here.run(
        "project shop
         feature login
         task form featureId=$login priority=HIGH tags=web
         task guide priority=LOW complexity=1",
    );
    here
}

#[test]
fn l16_next_says_what_to_begin_and_begins_it() {
    let here = with_tasks();
    assert_eq!(
        run(&here, "memory_next", json!({})),
        "80000003  NEW                 HIGH     3  form  web\n".replace("80000003", &here_id(&here, "form"))
    );
    assert_eq!(
        run(&here, "memory_next", json!({ "start": true })),
        format!(
            "{}  ACTIVE              HIGH     3  form  web
task advanced: NEW → ACTIVE (position: 2 of 3) Feature auto-advanced to ACTIVE because task started.
",
            here_id(&here, "form")
        )
    );
    assert_eq!(
        run(&here, "memory_next", json!({ "feature": "login" })),
        "There is no task to start.\nexit 1\n"
    );
    assert_eq!(
        run(&here, "memory_next", json!({ "feature": "logout" })),
        "there is no feature `logout`\nhint: `lore memory feature list` lists them\nexit 1\n"
    );
}

/// The short identifier of something that a script made.
fn here_id(here: &Script, name: &str) -> String {
    here.id(name).short()
}

#[test]
fn l16_the_board_shows_tasks_by_state() {
    let mut here = with_tasks();
    here.run("advance form\nterminate guide");
    assert_eq!(
        run(&here, "memory_board", json!({})),
        format!(
            "NEW  0

ACTIVE  1
  {}  ACTIVE              HIGH     3  form  web

CLOSED  0

WILL_NOT_IMPLEMENT  1
  {}  WILL_NOT_IMPLEMENT  LOW      1  guide
",
            here_id(&here, "form"),
            here_id(&here, "guide")
        )
    );
    let empty = Script::new();
    assert_eq!(
        run(&empty, "memory_board", json!({})),
        "NEW  0\n\nACTIVE  0\n\nCLOSED  0\nexit 1\n"
    );
}

#[test]
fn l16_moves_take_names_and_short_ids() {
    let here = with_tasks();
    assert_eq!(
        run(&here, "memory_block", json!({ "id": "form", "by": ["guide"] })),
        "task blocked: added 1 blocker(s). Total blockers: 1.\n"
    );
    assert_eq!(
        run(&here, "memory_advance", json!({ "id": "form" })),
        format!("the task is blocked by {}\nexit 1\n", here.id("guide"))
    );
    assert_eq!(
        run(&here, "memory_advance", json!({ "id": here_id(&here, "guide") })),
        "task advanced: NEW → ACTIVE (position: 2 of 3)\n"
    );
    assert_eq!(
        run(&here, "memory_advance", json!({ "id": "guide", "version": 1 })),
        format!(
            "{} has version 2, not 1: it was changed in the meantime\nexit 1\n",
            here.id("guide")
        )
    );
    assert_eq!(
        run(&here, "memory_advance", json!({ "id": "guide" })),
        format!(
            "task advanced: ACTIVE → CLOSED (position: 3 of 3) Auto-unblocked 1 dependent(s).
unblocked: {}  NEW                 HIGH     3  form  web
",
            here_id(&here, "form")
        )
    );
    assert_eq!(
        run(
            &here,
            "memory_depend",
            json!({ "id": "login", "word": "on", "other": "form" })
        ),
        "login depends on form.\n"
    );
    assert_eq!(
        run(
            &here,
            "memory_depend",
            json!({ "id": "form", "word": "on", "other": "login" })
        ),
        format!(
            "{} is a task of {}, which depends on it\nexit 1\n",
            here.id("form"),
            here.id("login")
        )
    );
    assert_eq!(
        run(&here, "memory_block", json!({ "id": "login", "reason": "no server" })),
        "feature blocked: added 1 blocker(s). Total blockers: 2.\n"
    );
    assert_eq!(
        run(&here, "memory_unblock", json!({ "id": "login", "by": ["no_op"] })),
        "feature unblocked: removed 1 blocker(s). 1 blocker(s) remaining.\nexit 1\n"
    );
    assert_eq!(
        run(&here, "memory_unblock", json!({ "id": "login" })),
        "feature fully unblocked. No remaining blockers.\n"
    );
    assert_eq!(
        run(&here, "memory_block", json!({ "id": "login" })),
        "`blockedReason` is missing: NO_OP needs a reason\nexit 2\n"
    );
    assert_eq!(
        run(&here, "memory_revert", json!({ "id": "form" })),
        "the task is not started (NEW)\nexit 1\n"
    );
    assert_eq!(
        run(&here, "memory_terminate", json!({ "id": "form", "reason": "enough" })),
        "task terminated: NEW → WILL_NOT_IMPLEMENT (reason: enough) Feature set to WILL_NOT_IMPLEMENT because all tasks were terminated. Also closed: feature login (NEW → WILL_NOT_IMPLEMENT).\n"
    );
}

#[test]
fn l16_a_name_of_several_is_told_with_all_of_them() {
    let mut here = with_tasks();
    let first = here_id(&here, "guide");
    here.run("task guide");
    assert_eq!(
        run(&here, "memory_task_show", json!({ "task": "guide" })),
        format!(
            "`guide` is ambiguous: 2 match\nhint: give the id of one of: {first} task guide; {} task guide\nexit 1\n",
            here_id(&here, "guide")
        )
    );
    assert_eq!(
        run(&here, "memory_task_show", json!({ "task": "abc" })),
        "there is no task `abc`\nhint: `lore memory task list` lists them\nexit 1\n"
    );
}

#[test]
fn what_is_made_listed_and_shown() {
    let here = Script::in_repository();
    let text = run(
        &here,
        "memory_project_create",
        json!({ "name": "shop", "tags": ["Web"] }),
    );
    let (id, rest) = text.split_at(8);
    assert_eq!(rest, "  shop  web\nIt is the project of this repository.\n");
    assert!(id.bytes().all(|byte| byte.is_ascii_hexdigit()));
    run(
        &here,
        "memory_feature_create",
        json!({ "name": "login", "priority": "high" }),
    );
    run(
        &here,
        "memory_task_create",
        json!({ "title": "form", "feature": "login", "complexity": 2, "description": "line\x1b one\ntwo" }),
    );
    run(
        &here,
        "memory_section_add",
        json!({ "of": "form", "title": "Plan", "content": "do it" }),
    );
    run(
        &here,
        "memory_section_add",
        json!({ "of": "form", "title": "Context Files" }),
    );
    let moved = run(
        &here,
        "memory_section_move",
        json!({ "of": "form", "section": "Context Files", "place": 0 }),
    );
    let titles: Vec<&str> = moved.lines().map(|line| line[15..].trim()).collect();
    assert_eq!(titles, ["Context Files  Context Files", "Plan  Plan"]);
    let shown = run(&here, "memory_task_show", json!({ "task": "form" }));
    let lines: Vec<&str> = shown.lines().collect();
    assert!(lines[0].starts_with("form  task ") && lines[0].ends_with("  version 1"));
    assert_eq!(lines[1..3], ["form", "NEW, MEDIUM, complexity 2"]);
    assert!(lines[3].starts_with("feature: login ("));
    // What could steer a terminal is made visible.
    assert_eq!(lines[4..7], ["", "line␛ one", "two"]);
    assert!(shown.ends_with("\n\ndo it\n"), "{shown}");
    assert_eq!(run(&here, "memory_section_list", json!({ "of": "login" })), "exit 1\n");
    let shown = run(&here, "memory_project_show", json!({}));
    assert!(shown.contains("\nrepository: example.org/acme/shop\n"), "{shown}");
    assert!(shown.contains("\n1 task: 1 NEW\n"), "{shown}");
    assert_eq!(
        run(&here, "memory_feature_delete", json!({ "feature": "login" })),
        "the feature contains 1 task\nhint: `cascade` (on the command line --cascade) deletes them too\nexit 1\n"
    );
    assert_eq!(
        run(
            &here,
            "memory_feature_delete",
            json!({ "feature": "login", "cascade": true })
        ),
        "Deleted login with 2 sections, 1 task.\n"
    );
    assert_eq!(run(&here, "memory_task_list", json!({})), "exit 1\n");
    assert_eq!(
        run(&here, "memory_project_delete", json!({ "project": "shop" })),
        "Deleted shop.\n"
    );
}

#[test]
fn templates_and_tags_of_people() {
    let here = with_tasks();
    run(
        &here,
        "memory_template_create",
        json!({ "name": "bug", "description": "a report" }),
    );
    assert_eq!(
        run(
            &here,
            "memory_template_add",
            json!({ "template": "bug", "title": "Steps", "content": "1.", "required": true })
        ),
        "Added the section Steps to bug.\n"
    );
    let applied = run(
        &here,
        "memory_template_apply",
        json!({ "template": "bug", "to": "form" }),
    );
    assert!(applied.ends_with("    0  Steps  Steps\n"), "{applied}");
    assert!(
        run(&here, "memory_template_show", json!({ "template": "bug" }))
            .ends_with("\n\nSteps  Steps  required\n\n1.\n")
    );
    run(&here, "memory_template_disable", json!({ "template": "bug" }));
    assert_eq!(
        run(
            &here,
            "memory_template_apply",
            json!({ "template": "bug", "to": "form" })
        ),
        "the template `bug` is disabled\nexit 1\n"
    );
    run(&here, "memory_template_enable", json!({ "template": "bug" }));
    assert_eq!(
        run(&here, "memory_template_delete", json!({ "template": "bug" })),
        "Deleted bug.\n"
    );
    assert_eq!(run(&here, "memory_tag_list", json!({})), "    1  web\n");
    assert_eq!(
        run(&here, "memory_tag_show", json!({ "tag": "WEB" })),
        format!(
            "task     {}  NEW                 HIGH     3  form  web\n",
            here_id(&here, "form")
        )
    );
    assert_eq!(
        run(&here, "memory_tag_rename", json!({ "old": "web", "new": "net" })),
        "1 is tagged net instead of web.\n"
    );
    assert_eq!(
        run(&here, "memory_tag_rename", json!({ "old": "web", "new": "net" })),
        "0 are tagged net instead of web.\nexit 1\n"
    );
}

/// What somebody makes of a text.
type Left = Box<dyn Fn(&str) -> String + Send>;

/// Somebody who leaves texts, one after the other, and what he was shown and what was kept for him.
#[derive(Default)]
struct Hand {
    texts: Mutex<Vec<Left>>,
    shown: Mutex<Vec<String>>,
    kept: Mutex<Vec<String>>,
}

impl Editor for Hand {
    fn edit(&self, name: &str, text: &str) -> Result<String, OpError> {
        assert_eq!(name, "task.md");
        self.shown.lock().expect("whole").push(text.to_owned());
        let mut texts = self.texts.lock().expect("whole");
        Ok(texts.remove(0)(text))
    }

    fn keep(&self, _: &str, text: &str) -> Result<String, OpError> {
        self.kept.lock().expect("whole").push(text.to_owned());
        Ok("/tmp/kept.md".to_owned())
    }
}

fn with_hand(texts: Vec<Left>) -> (Script, Arc<Hand>) {
    let hand = Arc::new(Hand {
        texts: Mutex::new(texts),
        ..Hand::default()
    });
    let mut here = Script::of(World {
        facets: crate::testing::facets(&Arc::default()).with::<dyn Editor>(Arc::clone(&hand) as Arc<dyn Editor>),
        ..crate::testing::world()
    });
    here.run("task t description='one\\ntwo' tags=a,b");
    (here, hand)
}

fn task(here: &Script, id: Id) -> Value {
    let arguments = json!({ "operation": "get", "containerType": "task", "id": id });
    here.call("query_container", arguments)["data"]["task"].clone()
}

#[test]
fn l13_a_task_is_edited_as_a_text() {
    let (here, hand) = with_hand(vec![Box::new(|text: &str| {
        text.replace("title: t", "title: better")
            .replace("two", "three")
            .replace("MEDIUM", "high")
    })]);
    let told = run(&here, "memory_task_edit", json!({ "task": "t" }));
    assert!(
        told.ends_with("NEW                 HIGH     3  better  a, b\n"),
        "{told}"
    );
    assert_eq!(
        *hand.shown.lock().expect("whole"),
        ["title: t\nsummary: what it is\npriority: MEDIUM\ncomplexity: 3\ntags: a, b\n---\none\ntwo\n"]
    );
    let task = task(&here, here.id("t"));
    assert_eq!(
        (&task["description"], &task["version"]),
        (&json!("one\nthree"), &json!(2))
    );
}

#[test]
fn l13_what_is_left_as_it_is_writes_nothing() {
    let (here, _) = with_hand(vec![Box::new(str::to_owned)]);
    let told = run(&here, "memory_task_edit", json!({ "task": "t" }));
    assert!(told.ends_with("Nothing was changed.\n"), "{told}");
    assert_eq!(task(&here, here.id("t"))["version"], 1);
}

#[test]
fn l13_a_fault_is_told_above_the_text_until_it_is_right_or_left() {
    let (here, hand) = with_hand(vec![
        Box::new(|text: &str| text.replace("complexity: 3", "complexity: 30")),
        Box::new(|text: &str| text.replace("priority: MEDIUM", "priority: most").replace("30", "4")),
        Box::new(|text: &str| text.replace("most", "LOW")),
    ]);
    run(&here, "memory_task_edit", json!({ "task": "t" }));
    let shown = hand.shown.lock().expect("whole").clone();
    assert!(
        shown[1].starts_with("# error: `complexity` is a number from 1 to 10, not 30\ntitle: t\n"),
        "{}",
        shown[1]
    );
    assert!(
        shown[2].starts_with("# error: `priority` is one of HIGH, MEDIUM, LOW, not `most`\ntitle: t\n"),
        "{}",
        shown[2]
    );
    let edited = task(&here, here.id("t"));
    assert_eq!((&edited["complexity"], &edited["priority"]), (&json!(4), &json!("LOW")));

    let (here, hand) = with_hand(vec![
        Box::new(|text: &str| text.replace("title: t", "title:")),
        Box::new(str::to_owned),
    ]);
    let told = run(&here, "memory_task_edit", json!({ "task": "t" }));
    assert_eq!(
        told,
        "`title` is empty\nhint: your text is saved in /tmp/kept.md\nexit 2\n"
    );
    assert!(hand.kept.lock().expect("whole")[0].contains("one\ntwo"));
}

#[test]
fn l13_where_somebody_else_was_faster_the_text_is_kept() {
    let shelf = Arc::new(crate::testing::StoreInMemory::default());
    let others = Arc::clone(&shelf);
    let hand = Arc::new(Hand::default());
    let mut here = Script::of(World {
        facets: crate::testing::facets(&shelf).with::<dyn Editor>(Arc::clone(&hand) as Arc<dyn Editor>),
        ..crate::testing::world()
    });
    here.run("task t");
    let id = here.id("t");
    hand.texts.lock().expect("whole").push(Box::new(move |text| {
        let world = World {
            facets: crate::testing::facets(&others),
            ..crate::testing::world()
        };
        let ctx = Arc::new(world).ctx();
        crate::workflow::advance(&ctx, Entity::task(id), Some(1)).expect("advanced");
        text.replace("title: t", "title: mine")
    }));
    assert_eq!(
        run(&here, "memory_task_edit", json!({ "task": "t" })),
        format!(
            "{id} has version 2, not 1: it was changed in the meantime\nhint: your text is saved in /tmp/kept.md\nexit 1\n"
        )
    );
    assert!(hand.kept.lock().expect("whole")[0].starts_with("title: mine\n"));
    assert_eq!(task(&here, id)["title"], "t");
}

#[test]
fn l13_a_program_has_no_editor() {
    let here = with_tasks();
    assert_eq!(
        run(&here, "memory_task_edit", json!({ "task": "form" })),
        "an editor needs a terminal\nhint: change the fields with options\nexit 2\n"
    );
    let version = reading(&here.ctx(), |store| store.task(here.id("form"))).expect("read");
    assert_eq!(version.map(|task| task.version), Some(1));
}
