//! Clauses of projects, features and tasks.

use serde_json::json;

use crate::model::{Entity, Status};
use crate::script::{Script, script, shop};
use crate::store::Memory;
use crate::work::Work;

fn rest(told: &str, from: usize) -> String {
    told.lines().skip(from).collect::<Vec<_>>().join("\n")
}

#[test]
fn t1_get_gives_one_with_what_belongs_to_it() {
    let mut here = Script::in_repository();
    here.run("project p tags=b,A,a description=long\nfeature f\ntask t featureId=$f");
    assert_eq!(
        here.run(
            "query_container operation=get containerType=project id=$p > .
             query_container operation=get containerType=feature id=$f includeSections=true > sections, taskCounts, feature.projectId
             query_container operation=get containerType=task id=$t > .
             query_container operation=get containerType=task id=$t includeGraphContext=true > graphContext.molecules
             query_container operation=get containerType=task
             query_container operation=get containerType=task id=$f
             query_container operation=look containerType=task
             query_container containerType=task
             query_container operation=get containerType=epic"
        ),
        "project retrieved successfully
  .: {\"project\":{\"createdAt\":\"<now>\",\"description\":\"long\",\"id\":\"<p>\",\"modifiedAt\":\"<now>\",\"name\":\"p\",\"repository\":{\"origin\":\"example.org/acme/shop\"},\"summary\":\"what it is\",\"tags\":[\"a\",\"b\"],\"version\":1},\"taskCounts\":{\"byStatus\":{\"NEW\":1},\"total\":1}}
feature retrieved successfully
  sections: []
  taskCounts: {\"byStatus\":{\"NEW\":1},\"total\":1}
  feature.projectId: \"<p>\"
task retrieved successfully
  .: {\"task\":{\"blockedBy\":[],\"complexity\":3,\"createdAt\":\"<now>\",\"featureId\":\"<f>\",\"id\":\"<t>\",\"modifiedAt\":\"<now>\",\"priority\":\"MEDIUM\",\"projectId\":\"<p>\",\"relatedTo\":[],\"status\":\"NEW\",\"summary\":\"what it is\",\"tags\":[],\"title\":\"t\",\"version\":1}}
task retrieved successfully
  graphContext.molecules: []
VALIDATION_ERROR id is required for get operation
NOT_FOUND Task not found: <f>
VALIDATION_ERROR `operation` is one of get, search, overview, not `look`
VALIDATION_ERROR `query_container` needs `operation`
VALIDATION_ERROR `containerType` is one of project, feature, task, not `epic`
"
    );
}

#[test]
fn t2_search_gives_pages() {
    assert_eq!(
        script(
            "task a\ntask b\ntask c
             query_container operation=search containerType=task > count, limit, offset, items.0.title, items.2.title, hasMore
             query_container operation=search containerType=task limit=\"2\" > count, limit, hasMore
             query_container operation=search containerType=task limit=2 offset=2 > count, offset, items.0.title
             query_container operation=search containerType=task query=zzz > .
             query_container operation=search containerType=task limit=101
             query_container operation=search containerType=task offset=-1"
        ),
        "task created successfully
task created successfully
task created successfully
Found 3 task(s)
  count: 3
  limit: 20
  offset: 0
  items.0.title: \"c\"
  items.2.title: \"a\"
  hasMore: -
Found 2 task(s)
  count: 2
  limit: 2
  hasMore: true
Found 1 task(s)
  count: 1
  offset: 2
  items.0.title: \"a\"
Found 0 task(s)
  .: {\"count\":0,\"items\":[],\"limit\":20,\"offset\":0}
VALIDATION_ERROR `limit` is a number from 1 to 100, not 101
VALIDATION_ERROR `offset` is a number from 0, not -1
"
    );
}

#[test]
fn t3_an_overview_shows_what_something_is_made_of() {
    assert_eq!(
        script(
            "project p
             feature f projectId=$p
             feature g projectId=$p
             task t featureId=$f
             query_container operation=overview containerType=project > count
             query_container operation=overview containerType=project id=$p > project.name, taskCounts.total, features.0.name, features.1.name, sections
             query_container operation=overview containerType=feature id=$f > feature.name, taskCounts.byStatus, tasks.0.title
             query_container operation=overview containerType=task id=$t > task.title, taskCounts"
        )
        .lines()
        .skip(4)
        .collect::<Vec<_>>()
        .join("\n"),
        "Global project overview
  count: 1
Project overview retrieved
  project.name: \"p\"
  taskCounts.total: 1
  features.0.name: \"g\"
  features.1.name: \"f\"
  sections: -
Feature overview retrieved
  feature.name: \"f\"
  taskCounts.byStatus: {\"NEW\":1}
  tasks.0.title: \"t\"
Task overview retrieved
  task.title: \"t\"
  taskCounts: -"
    );
}

#[test]
fn t4_filters_include_and_exclude() {
    let mut here = Script::new();
    here.run(
        "project p tags=a,b
         project q tags=a
         feature f priority=HIGH tags=a
         feature g priority=LOW tags=b
         task t priority=HIGH tags=a,b
         task u priority=LOW tags=b
         task v priority=MEDIUM
         advance u",
    );
    let mut found = |kind: &str, filter: &str| {
        let told = here.run(&format!(
            "query_container operation=search containerType={kind} {filter} > items"
        ));
        let items = told.split_once("items: ").map(|(_, items)| items.trim().to_owned());
        let items: serde_json::Value = serde_json::from_str(&items.unwrap_or_default()).unwrap_or_default();
        let names = items.as_array().cloned().unwrap_or_default();
        let names = names.iter().map(|item| {
            let name = item.get("name").or(item.get("title"));
            name.and_then(|name| name.as_str()).unwrap_or_default().to_owned()
        });
        names.collect::<Vec<_>>().join(" ")
    };
    for (kind, filter, wanted) in [
        ("project", "tags=A,b", "p"),
        ("project", "tags=a", "q p"),
        ("feature", "tags=a,b", "g f"),
        ("feature", "priority=HIGH", "f"),
        ("feature", "status=!NEW", ""),
        ("task", "tags=a,b", "u t"),
        ("task", "tags=b,!a", "u"),
        ("task", "tags=!b", "v"),
        ("task", "status=ACTIVE", "u"),
        ("task", "status=new,!active", "v t"),
        ("task", "priority=HIGH,LOW", "u t"),
        ("task", "priority=!HIGH status=NEW", "v"),
    ] {
        assert_eq!(found(kind, filter), wanted, "{kind} {filter}");
    }
    assert_eq!(
        here.run(
            "query_container operation=search containerType=task status=IN_PROGRESS
             query_container operation=search containerType=task priority=urgent"
        ),
        "VALIDATION_ERROR `status` is one of NEW, ACTIVE, TO_BE_TESTED, READY_TO_PROD, CLOSED, WILL_NOT_IMPLEMENT, not `IN_PROGRESS`
VALIDATION_ERROR `priority` is one of HIGH, MEDIUM, LOW, not `urgent`
"
    );
}

#[test]
fn t5_projects_come_with_the_last_changed_first() {
    let here = {
        let mut here = Script::new();
        here.run("project a\nproject b\nfeature f\nfeature g");
        here
    };
    let mut later = Script::of(lore_seam::world::World {
        facets: here.world.facets.clone(),
        ..crate::testing::world()
    });
    // A minute later.
    later.world = std::sync::Arc::new(lore_seam::world::World {
        now_ms: 1_794_816_060_000,
        facets: here.world.facets.clone(),
        ..crate::testing::world()
    });
    for (kind, name) in [("project", "a"), ("feature", "f")] {
        let update = json!({ "operation": "update", "containerType": kind, "id": here.id(name), "version": 1 });
        later.call("manage_container", update);
    }
    assert_eq!(
        later.run(
            "query_container operation=search containerType=project > items.0.name
             query_container operation=search containerType=feature > items.0.name"
        ),
        "Found 2 project(s)\n  items.0.name: \"a\"\nFound 2 feature(s)\n  items.0.name: \"g\"\n"
    );
}

#[test]
fn t6_what_a_new_one_needs() {
    assert_eq!(
        script(
            "manage_container operation=create containerType=project
             manage_container operation=create containerType=project name=p
             manage_container operation=create containerType=project name=' ' summary=s
             manage_container operation=create containerType=project name=p summary=' '
             manage_container operation=create containerType=feature name=f summary=s
             manage_container operation=create containerType=feature name=f summary=s priority=TOP
             manage_container operation=create containerType=task summary=s
             manage_container operation=create containerType=task title=t summary=s priority=LOW
             manage_container operation=create containerType=task title=t summary=s priority=LOW complexity=0
             manage_container operation=create containerType=task title=t summary=s priority=LOW complexity=11
             manage_container operation=create containerType=task title=t summary=s priority=LOW complexity=3.5
             manage_container operation=create containerType=task title=' t ' summary=s priority=low complexity=\"10\" cascade=false > task.title, task.complexity, task.priority, task.status, task.version
             manage_container operation=make containerType=task"
        ),
        "VALIDATION_ERROR name is required for create operation
VALIDATION_ERROR summary is required for create operation
VALIDATION_ERROR `name` is empty
VALIDATION_ERROR `summary` is empty
VALIDATION_ERROR priority is required for creating a feature
VALIDATION_ERROR `priority` is one of HIGH, MEDIUM, LOW, not `TOP`
VALIDATION_ERROR title is required for create operation
VALIDATION_ERROR complexity is required for creating a task
VALIDATION_ERROR `complexity` is a number from 1 to 10, not 0
VALIDATION_ERROR `complexity` is a number from 1 to 10, not 11
VALIDATION_ERROR `complexity` of `manage_container` is integer, not 3.5
task created successfully
  task.title: \"t\"
  task.complexity: 10
  task.priority: \"LOW\"
  task.status: \"NEW\"
  task.version: 1
VALIDATION_ERROR `operation` is one of create, update, delete, not `make`
"
    );
}

#[test]
fn t7_a_task_belongs_to_the_project_of_its_feature() {
    assert_eq!(
        script(
            "project p
             project q
             feature f projectId=$p
             task a featureId=$f > task.projectId
             task b featureId=$f projectId=$p > task.projectId
             task c featureId=$f projectId=$q
             task d featureId=$q
             task e projectId=$f"
        )
        .lines()
        .skip(3)
        .collect::<Vec<_>>()
        .join("\n"),
        "task created successfully
  task.projectId: \"<p>\"
task created successfully
  task.projectId: \"<p>\"
INVARIANT_VIOLATION Task and feature must belong to the same project
NOT_FOUND Feature not found: <q>
NOT_FOUND Project not found: <f>"
    );
}

#[test]
fn t7_the_project_of_the_repository_is_the_one_that_is_meant() {
    let mut here = Script::in_repository();
    assert_eq!(
        here.run(
            "feature before > feature.projectId
             project shop
             project other
             feature f > feature.projectId
             task g projectId=$other > task.projectId
             query_container operation=search containerType=feature > items.0.name, count
             query_container operation=search containerType=feature projectId=* > count
             query_container operation=search containerType=task > count
             query_container operation=search containerType=task projectId=$other > count"
        ),
        "feature created successfully
  feature.projectId: -
project created successfully; it is now the project of this repository
project created successfully
feature created successfully
  feature.projectId: \"<shop>\"
task created successfully
  task.projectId: \"<other>\"
Found 1 feature(s)
  items.0.name: \"f\"
  count: 1
Found 2 feature(s)
  count: 2
Found 0 task(s)
  count: 0
Found 1 task(s)
  count: 1
"
    );
    let mut linked = None;
    here.world
        .facets
        .get::<dyn Memory>()
        .read(&mut |store| {
            linked = store.project_of(&shop())?;
            Ok(())
        })
        .expect("read");
    assert_eq!(linked, Some(here.id("shop")));
}

#[test]
fn t8_a_feature_that_is_over_takes_no_tasks() {
    assert_eq!(
        script(
            "feature f
             task t
             terminate f
             task a featureId=$f
             manage_container operation=update containerType=task id=$t version=1 featureId=$f"
        )
        .lines()
        .skip(3)
        .collect::<Vec<_>>()
        .join("\n"),
        "INVALID_OPERATION Cannot add task: feature is in terminal state WILL_NOT_IMPLEMENT
INVALID_OPERATION Cannot add task: feature is in terminal state WILL_NOT_IMPLEMENT"
    );
}

#[test]
fn t9_an_update_needs_the_version_that_was_read() {
    assert_eq!(
        script(
            "task t
             manage_container operation=update containerType=task title=u
             manage_container operation=update containerType=task id=$t title=u
             manage_container operation=update containerType=task id=$t version=2 title=u
             manage_container operation=update containerType=task id=$t version=\"1\" title=u summary=new priority=HIGH complexity=7 description=d tags=x > task.title, task.summary, task.priority, task.complexity, task.description, task.tags, task.version
             manage_container operation=update containerType=task id=$t version=2 description='' > task.description, task.title
             manage_container operation=update containerType=feature id=$t version=3"
        ),
        "task created successfully
VALIDATION_ERROR id is required for update operation
VALIDATION_ERROR version is required for update operation
CONFLICT Version conflict: expected 2, current version is 1
task updated successfully
  task.title: \"u\"
  task.summary: \"new\"
  task.priority: \"HIGH\"
  task.complexity: 7
  task.description: \"d\"
  task.tags: [\"x\"]
  task.version: 2
task updated successfully
  task.description: -
  task.title: \"u\"
NOT_FOUND Feature not found: <t>
"
    );
}

#[test]
fn t10_what_has_children_goes_with_them_or_not_at_all() {
    let mut here = Script::new();
    here.run(
        "project p
         feature f projectId=$p
         feature g projectId=$p
         task t featureId=$f tags=x
         manage_sections operation=add entityType=TASK entityId=$t title=a usageDescription=b content=c",
    );
    assert_eq!(
        here.run(
            "manage_container operation=delete containerType=project id=$p
             manage_container operation=delete containerType=feature id=$f
             manage_container operation=delete containerType=feature id=$g version=7
             manage_container operation=delete containerType=feature id=$g version=1 > .
             manage_container operation=delete containerType=project id=$p cascade=true > .
             list_tags > .
             query_container operation=get containerType=task id=$t
             manage_container operation=delete containerType=project id=$p
             manage_container operation=delete containerType=project"
        ),
        "HAS_CHILDREN Cannot delete project: contains 2 features and 1 task. Use cascade: true to delete all.
HAS_CHILDREN Cannot delete feature: contains 1 task. Use cascade: true to delete all.
CONFLICT Version conflict: expected 7, current version is 1
feature deleted successfully
  .: {\"deleted\":true}
project deleted successfully
  .: {\"deleted\":true,\"removed\":{\"features\":1,\"sections\":1,\"tasks\":1}}
Tags listed successfully
  .: []
NOT_FOUND Task not found: <t>
NOT_FOUND Project not found: <p>
VALIDATION_ERROR id is required for delete operation
"
    );
}

#[test]
fn d20_the_state_is_not_set() {
    assert_eq!(
        script(
            "task t
             manage_container operation=update containerType=task id=$t version=1 status=CLOSED
             manage_container operation=create containerType=task title=u summary=s priority=LOW complexity=1 status=ACTIVE
             query_container operation=get containerType=task id=$t > task.version, task.status"
        ),
        "task created successfully
INVALID_OPERATION status cannot be set: use advance, revert or terminate
INVALID_OPERATION status cannot be set: use advance, revert or terminate
task retrieved successfully
  task.version: 1
  task.status: \"NEW\"
"
    );
}

#[test]
fn d21_nothing_in_a_query_stands_for_something_else() {
    let mut here = Script::new();
    here.run("task plain\ntask p summary='100% sure'\ntask s description='snake_case ÉCOLE'\ntask b summary='a\\\\b'");
    let count = |query: &str| {
        let arguments = json!({ "operation": "search", "containerType": "task", "query": query });
        here.call("query_container", arguments)["data"]["count"].clone()
    };
    for (query, wanted) in [
        ("%", 1),
        ("_", 1),
        ("\\", 1),
        ("", 4),
        ("  ", 4),
        ("école", 1),
        ("SNAKE école", 1),
        ("snake sure", 0),
        ("\"100% sure\"", 1),
        ("\"100% what\"", 0),
    ] {
        assert_eq!(count(query), wanted, "{query:?}");
    }
    let long = "x".repeat(1_001);
    let arguments = json!({ "operation": "search", "containerType": "task", "query": long });
    assert_eq!(here.call("query_container", arguments)["error"], "VALIDATION_ERROR");
}

#[test]
fn d23_what_is_deleted_blocks_nothing_any_more() {
    let told = script(
        "feature f
         task a featureId=$f
         task b
         task c
         feature g
         block b blockedBy=$a blockedReason=x
         block c blockedBy=[\"$a\",\"$b\"]
         block g blockedBy=[\"$f\",\"$a\"]
         manage_dependency operation=create type=RELATES_TO fromId=$a toId=$c
         manage_container operation=delete containerType=feature id=$f cascade=true > .
         query_container operation=get containerType=task id=$b > task.blockedBy, task.blockedReason, task.version
         query_container operation=get containerType=task id=$c > task.blockedBy, task.relatedTo, task.version
         query_container operation=get containerType=feature id=$g > feature.blockedBy, feature.version",
    );
    assert_eq!(
        rest(&told, 9),
        "feature deleted successfully
  .: {\"deleted\":true,\"removed\":{\"tasks\":1},\"unblockedEntities\":[{\"id\":\"<b>\",\"type\":\"task\"},{\"id\":\"<g>\",\"type\":\"feature\"}]}
task retrieved successfully
  task.blockedBy: []
  task.blockedReason: -
  task.version: 3
task retrieved successfully
  task.blockedBy: [\"<b>\"]
  task.relatedTo: []
  task.version: 4
feature retrieved successfully
  feature.blockedBy: []
  feature.version: 3"
    );
}

#[test]
fn d26_what_was_set_can_be_cleared_and_a_task_follows_its_feature() {
    let told = script(
        "project p
         project q
         feature f projectId=$p
         feature g projectId=$q
         task t featureId=$f tags=a,b relatedTo=$f
         manage_container operation=update containerType=task id=$t version=1 tags='' relatedTo='' > task.tags, task.relatedTo
         manage_container operation=update containerType=task id=$t version=2 featureId=$g > task.featureId, task.projectId
         manage_container operation=update containerType=task id=$t version=3 projectId=$p
         manage_container operation=update containerType=task id=$t version=3 projectId=null
         manage_container operation=update containerType=task id=$t version=3 featureId=null > task.featureId, task.projectId
         manage_container operation=update containerType=task id=$t version=4 projectId='' > task.projectId
         manage_container operation=update containerType=task id=$t version=5 featureId=$f > task.projectId
         manage_container operation=update containerType=feature id=$f version=1 projectId=$q > feature.projectId
         query_container operation=get containerType=task id=$t > task.projectId, task.version
         manage_container operation=update containerType=task id=$t version=7 relatedTo=$t
         manage_container operation=update containerType=task id=$t version=7 relatedTo=$p
         manage_container operation=update containerType=task id=$t version=7 relatedTo=x
         manage_container operation=update containerType=task id=$t version=7 relatedTo=[\"$g\",\"$g\"] > task.relatedTo
         manage_container operation=update containerType=feature id=$f version=2 projectId=$t",
    );
    assert_eq!(
        rest(&told, 5),
        "task updated successfully
  task.tags: []
  task.relatedTo: []
task updated successfully
  task.featureId: \"<g>\"
  task.projectId: \"<q>\"
INVARIANT_VIOLATION Task and feature must belong to the same project
INVARIANT_VIOLATION Task and feature must belong to the same project
task updated successfully
  task.featureId: -
  task.projectId: \"<q>\"
task updated successfully
  task.projectId: -
task updated successfully
  task.projectId: \"<p>\"
feature updated successfully
  feature.projectId: \"<q>\"
task retrieved successfully
  task.projectId: \"<q>\"
  task.version: 7
VALIDATION_ERROR `relatedTo` contains the id of the item itself
NOT_FOUND Related entity not found: <p>
VALIDATION_ERROR `relatedTo` is a UUID, not `x`
task updated successfully
  task.relatedTo: [\"<g>\"]
NOT_FOUND Project not found: <t>"
    );
}

#[test]
fn e19_an_update_that_changes_nothing_is_a_write() {
    assert_eq!(
        script(
            "project p
             manage_container operation=update containerType=project id=$p version=1 name=p > project.version
             manage_container operation=update containerType=project id=$p version=2 > project.version"
        ),
        "project created successfully
project updated successfully
  project.version: 2
project updated successfully
  project.version: 3
"
    );
}

#[test]
fn c6_everything_starts_at_version_1_and_every_write_adds_1() {
    let mut here = Script::new();
    here.run("project p\nfeature f\ntask t");
    for name in ["p", "f", "t"] {
        let kind = match name {
            "p" => "project",
            "f" => "feature",
            _ => "task",
        };
        for version in 1..4 {
            let arguments = json!({
                "operation": "update", "containerType": kind, "id": here.id(name), "version": version,
            });
            assert_eq!(
                here.call("manage_container", arguments)["data"][kind]["version"],
                version + 1
            );
        }
    }
}

#[test]
fn c4_answers_have_one_form_of_an_id_and_take_every_other() {
    let mut here = Script::new();
    here.run("task t");
    let id = here.id("t").to_string();
    for form in [
        id.clone(),
        id.to_uppercase(),
        id.replace('-', ""),
        format!(" {{{id}}} "),
        format!("urn:uuid:{id}"),
    ] {
        let arguments = json!({ "operation": "get", "containerType": "task", "id": form });
        assert_eq!(here.call("query_container", arguments)["data"]["task"]["id"], id);
    }
}

#[test]
fn what_an_import_brought_stays_beside_the_project_of_its_feature_until_it_is_moved() {
    let mut here = Script::new();
    here.run("project p\nproject q\nfeature f projectId=$p\ntask t featureId=$f");
    let (task, project) = (here.id("t"), here.id("q"));
    here.world
        .facets
        .get::<dyn Memory>()
        .write(&mut |store| {
            if let Work::Task(mut task) = Work::get(store, Entity::task(task))? {
                task.project_id = Some(project);
                task.status = Status::Active;
                Work::Task(task).write(store, "")?;
            }
            Ok(())
        })
        .expect("written");
    assert_eq!(
        here.run(
            "manage_container operation=update containerType=task id=$t version=2 title=u > task.projectId
             manage_container operation=delete containerType=project id=$p
             manage_container operation=delete containerType=project id=$p cascade=true > removed"
        ),
        "task updated successfully
  task.projectId: \"<q>\"
HAS_CHILDREN Cannot delete project: contains 1 feature and 1 task. Use cascade: true to delete all.
project deleted successfully
  removed: {\"features\":1,\"tasks\":1}
"
    );
}
