//! Clauses of the workflow: pipelines, moves, what follows from them, blockers, and what to do next.

use crate::model::{Entity, Pipelines, Status};
use crate::script::{Script, script};
use crate::store::{Memory, Writing};
use crate::work::Work;
use lore_seam::world::World;

/// Changes the store behind the back of the tools, as an import does.
fn imported(script: &Script, mut work: impl FnMut(&mut dyn Writing)) {
    script
        .world
        .facets
        .get::<dyn Memory>()
        .write(&mut |store| {
            work(store);
            Ok(())
        })
        .expect("written");
}

fn with_pipelines(feature: &str, task: &str) -> Script {
    let words = |text: &str| text.split(' ').map(str::to_owned).collect::<Vec<_>>();
    Script::of(World {
        settings: [
            ("memory.pipelines.feature".to_owned(), words(feature)),
            ("memory.pipelines.task".to_owned(), words(task)),
        ]
        .into(),
        ..crate::testing::world()
    })
}

#[test]
fn p7_pipelines_are_fixed_with_the_first_thing_that_is_kept() {
    let mut long = with_pipelines("NEW ACTIVE READY_TO_PROD CLOSED", "NEW ACTIVE TO_BE_TESTED CLOSED");
    assert_eq!(
        long.run("task a\nadvance a\nadvance a\nadvance a"),
        "task created successfully
task advanced: NEW → ACTIVE (position: 2 of 4)
task advanced: ACTIVE → TO_BE_TESTED (position: 3 of 4)
task advanced: TO_BE_TESTED → CLOSED (position: 4 of 4)
"
    );
    // The same store, and other settings: they are passed over.
    let mut later = Script::of(World {
        facets: long.world.facets.clone(),
        made_ids: 100.into(),
        ..crate::testing::world()
    });
    assert_eq!(
        later.run("task b\nadvance b"),
        "task created successfully\ntask advanced: NEW → ACTIVE (position: 2 of 4)\n"
    );
}

#[test]
fn p7_pipelines_that_make_no_sense_are_told() {
    let mut wrong = with_pipelines("NEW CLOSED", "NEW ACTIVE CLOSED");
    assert_eq!(
        wrong.run("task a"),
        "UNAVAILABLE the configuration is not valid: `pipelines.feature` does not contain ACTIVE\n"
    );
}

#[test]
fn p8_states_that_no_pipeline_knows_can_be_given_up_and_nothing_else() {
    let mut here = Script::new();
    here.run("task a\ntask b");
    let (a, b) = (here.id("a"), here.id("b"));
    imported(&here, |store| {
        for (id, status) in [(a, Status::Other("IN_PROGRESS".to_owned())), (b, Status::ReadyToProd)] {
            let mut work = Work::get(store, Entity::task(id)).expect("there");
            work.set_status(status);
            work.write(store, "").expect("written");
        }
    });
    assert_eq!(
        here.run(
            "advance a
             revert a
             advance b
             query_workflow_state containerType=task id=$a > currentStatus, nextStatus, prevStatus, pipelinePosition, isTerminal
             terminate a"
        ),
        "INVALID_OPERATION Cannot advance: no next state from IN_PROGRESS
INVALID_OPERATION Cannot revert: no previous state from IN_PROGRESS
INVALID_OPERATION Cannot advance: no next state from READY_TO_PROD
Workflow state retrieved successfully
  currentStatus: \"IN_PROGRESS\"
  nextStatus: null
  prevStatus: null
  pipelinePosition: null
  isTerminal: false
task terminated: IN_PROGRESS → WILL_NOT_IMPLEMENT
"
    );
}

#[test]
fn t23_the_next_task_is_the_most_urgent_then_the_simplest_then_the_oldest() {
    assert_eq!(
        script(
            "get_next_task > .
             project p
             task low projectId=$p priority=LOW complexity=1
             task hard projectId=$p priority=HIGH complexity=9
             task easy projectId=$p priority=HIGH complexity=2
             task later projectId=$p priority=HIGH complexity=2
             task elsewhere priority=HIGH complexity=1
             get_next_task projectId=$p > title, tags
             block easy blockedBy=NO_OP blockedReason=x
             get_next_task projectId=$p > title
             advance later
             get_next_task projectId=$p > title
             get_next_task projectId=$p priority=LOW > title
             get_next_task projectId=* > title
             get_next_task projectId=$low"
        ),
        "No available tasks found matching the criteria
  .: null
project created successfully
task created successfully
task created successfully
task created successfully
task created successfully
task created successfully
Next task retrieved successfully
  title: \"easy\"
  tags: []
task blocked: added 1 blocker(s). Total blockers: 1.
Next task retrieved successfully
  title: \"later\"
task advanced: NEW → ACTIVE (position: 2 of 3)
Next task retrieved successfully
  title: \"hard\"
Next task retrieved successfully
  title: \"low\"
Next task retrieved successfully
  title: \"elsewhere\"
NOT_FOUND Project not found: <low>
"
    );
}

#[test]
fn d24_tasks_of_a_feature_that_is_blocked_or_over_are_not_next() {
    let mut here = Script::new();
    assert_eq!(
        here.run(
            "feature f
             task a featureId=$f
             block f blockedBy=NO_OP blockedReason=wait
             get_next_task > .
             unblock f blockedBy=NO_OP
             get_next_task > title
             advance f
             advance f
             get_next_task > ."
        ),
        "feature created successfully
task created successfully
feature blocked: added 1 blocker(s). Total blockers: 1.
No available tasks found matching the criteria
  .: null
feature fully unblocked. No remaining blockers.
Next task retrieved successfully
  title: \"a\"
feature advanced: NEW → ACTIVE (position: 2 of 3)
feature advanced: ACTIVE → CLOSED (position: 3 of 3) 1 task(s) of the feature are still open.
No available tasks found matching the criteria
  .: null
"
    );
}

#[test]
fn t24_the_next_feature_is_active_before_new_and_never_ready() {
    let mut here = with_pipelines("NEW ACTIVE READY_TO_PROD CLOSED", "NEW ACTIVE CLOSED");
    assert_eq!(
        here.run(
            "feature low priority=LOW
             feature high priority=HIGH
             feature high2 priority=HIGH
             get_next_feature > name
             advance low
             get_next_feature > name
             get_next_feature priority=HIGH > name
             advance low
             get_next_feature > name
             block high blockedBy=$low
             get_next_feature > name"
        ),
        "feature created successfully
feature created successfully
feature created successfully
Next feature retrieved successfully
  name: \"high\"
feature advanced: NEW → ACTIVE (position: 2 of 4)
Next feature retrieved successfully
  name: \"low\"
Next feature retrieved successfully
  name: \"high\"
feature advanced: ACTIVE → READY_TO_PROD (position: 3 of 4)
Next feature retrieved successfully
  name: \"high\"
feature blocked: added 1 blocker(s). Total blockers: 1.
Next feature retrieved successfully
  name: \"high2\"
"
    );
}

#[test]
fn t25_what_is_blocked_comes_by_priority_then_the_oldest() {
    assert_eq!(
        script(
            "feature f
             task a priority=LOW featureId=$f
             task b priority=HIGH complexity=9
             task c priority=HIGH complexity=1
             block a blockedBy=$b
             block b blockedBy=NO_OP blockedReason=x
             block c blockedBy=NO_OP blockedReason=x
             block f blockedBy=$c
             get_blocked_tasks > 0.title, 1.title, 2.title, 2.blockedBy
             get_blocked_tasks featureId=$f > 0.title
             get_blocked_features > 0.name, 0.tags"
        ),
        "feature created successfully
task created successfully
task created successfully
task created successfully
task blocked: added 1 blocker(s). Total blockers: 1.
task blocked: added 1 blocker(s). Total blockers: 1.
task blocked: added 1 blocker(s). Total blockers: 1.
feature blocked: added 1 blocker(s). Total blockers: 1.
Found 3 blocked task(s)
  0.title: \"b\"
  1.title: \"c\"
  2.title: \"a\"
  2.blockedBy: [\"<b>\"]
Found 1 blocked task(s)
  0.title: \"a\"
Found 1 blocked feature(s)
  0.name: \"f\"
  0.tags: []
"
    );
}

#[test]
fn t26_where_something_stands() {
    let mut here = Script::new();
    here.run("task a\ntask b relatedTo=$a\nblock b blockedBy=[\"$a\",\"NO_OP\"] blockedReason='no room'");
    assert_eq!(
        here.run("query_workflow_state containerType=TASK id=$b > ."),
        "Workflow state retrieved successfully
  .: {\"blockedBy\":[\"<a>\",\"NO_OP\"],\"blockedReason\":\"no room\",\"containerType\":\"task\",\"currentStatus\":\"NEW\",\"id\":\"<b>\",\"isBlocked\":true,\"isTerminal\":false,\"nextStatus\":\"ACTIVE\",\"pipelinePosition\":\"1 of 3\",\"prevStatus\":null,\"relatedEntities\":[{\"id\":\"<a>\",\"type\":\"task\"}],\"version\":2}
"
    );
    assert_eq!(
        here.run(
            "terminate b
             query_workflow_state containerType=task id=$b > nextStatus, prevStatus, isTerminal, pipelinePosition, isBlocked
             query_workflow_state containerType=feature id=$b
             query_workflow_state containerType=project id=$b
             query_workflow_state containerType=task id=b"
        ),
        "task terminated: NEW → WILL_NOT_IMPLEMENT
Workflow state retrieved successfully
  nextStatus: null
  prevStatus: null
  isTerminal: true
  pipelinePosition: null
  isBlocked: true
NOT_FOUND Feature not found: <b>
VALIDATION_ERROR `containerType` is one of task, feature, not `project`
VALIDATION_ERROR `id` is a UUID, not `b`
"
    );
}

#[test]
fn t27_what_something_depends_on_and_what_depends_on_it() {
    let mut here = Script::new();
    here.run(
        "feature f
         task a
         task b
         block b blockedBy=[\"$a\",\"NO_OP\"] blockedReason=x
         block f blockedBy=$b
         manage_dependency operation=create type=RELATES_TO fromId=$b toId=$f",
    );
    assert_eq!(
        here.run(
            "query_dependencies containerType=task id=$b > id, containerType, direction, dependencies, dependents
             query_dependencies containerType=task id=$b direction=dependents > dependencies, dependents.0.toEntityType
             query_dependencies containerType=task id=$b direction=up"
        ),
        "Dependencies retrieved
  id: \"<b>\"
  containerType: \"task\"
  direction: \"both\"
  dependencies: [{\"fromEntityType\":\"task\",\"fromId\":\"<a>\",\"toEntityType\":\"task\",\"toId\":\"<b>\",\"type\":\"BLOCKS\"},{\"fromId\":\"NO_OP\",\"toEntityType\":\"task\",\"toId\":\"<b>\",\"type\":\"BLOCKS\"},{\"fromEntityType\":\"task\",\"fromId\":\"<b>\",\"toEntityType\":\"feature\",\"toId\":\"<f>\",\"type\":\"RELATES_TO\"}]
  dependents: [{\"fromEntityType\":\"task\",\"fromId\":\"<b>\",\"toEntityType\":\"feature\",\"toId\":\"<f>\",\"type\":\"BLOCKS\"},{\"fromEntityType\":\"feature\",\"fromId\":\"<f>\",\"toEntityType\":\"task\",\"toId\":\"<b>\",\"type\":\"RELATES_TO\"}]
Dependencies retrieved
  dependencies: []
  dependents.0.toEntityType: \"feature\"
VALIDATION_ERROR `direction` is one of dependencies, dependents, both, not `up`
"
    );
}

#[test]
fn t28_dependencies_are_made_and_taken_away_without_a_version() {
    assert_eq!(
        script(
            "task a
             task b
             feature f
             project p
             manage_dependency operation=create type=BLOCKS fromId=$a toId=$f > .
             manage_dependency operation=create type=BLOCKS fromId=$a toId=$f > blockedBy
             query_container operation=get containerType=feature id=$f > feature.version
             manage_dependency operation=create type=RELATES_TO fromId=$a toId=$b > .
             manage_dependency operation=create type=RELATES_TO fromId=$b toId=$a
             query_container operation=get containerType=task id=$a > task.relatedTo, task.version
             query_container operation=get containerType=task id=$b > task.relatedTo, task.version
             manage_dependency operation=delete type=RELATES_TO fromId=$b toId=$a
             query_container operation=get containerType=task id=$a > task.relatedTo, task.version
             manage_dependency operation=delete type=BLOCKS fromId=$a toId=$f > blockedBy
             manage_dependency operation=delete type=BLOCKS fromId=$a toId=$f > blockedBy
             manage_dependency operation=create type=BLOCKS fromId=$p toId=$f
             manage_dependency operation=create type=RELATES_TO fromId=$a toId=$a
             manage_dependency operation=create type=NEEDS fromId=$a toId=$b
             terminate a
             manage_dependency operation=create type=BLOCKS fromId=$a toId=$b
             manage_dependency operation=delete type=BLOCKS fromId=$b toId=$a
             manage_dependency operation=create type=RELATES_TO fromId=$a toId=$b"
        ),
        "task created successfully
task created successfully
feature created successfully
project created successfully
Dependency operation completed
  .: {\"blockedBy\":[\"<a>\"],\"fromId\":\"<a>\",\"operation\":\"create\",\"targetType\":\"feature\",\"toId\":\"<f>\",\"type\":\"BLOCKS\"}
Dependency operation completed
  blockedBy: [\"<a>\"]
feature retrieved successfully
  feature.version: 2
Dependency operation completed
  .: {\"fromEntityType\":\"task\",\"fromId\":\"<a>\",\"operation\":\"create\",\"toEntityType\":\"task\",\"toId\":\"<b>\",\"type\":\"RELATES_TO\"}
Dependency operation completed
task retrieved successfully
  task.relatedTo: [\"<b>\"]
  task.version: 2
task retrieved successfully
  task.relatedTo: [\"<a>\"]
  task.version: 2
Dependency operation completed
task retrieved successfully
  task.relatedTo: []
  task.version: 3
Dependency operation completed
  blockedBy: []
Dependency operation completed
  blockedBy: []
NOT_FOUND Entity not found: <p>
VALIDATION_ERROR An entity cannot be related to itself
VALIDATION_ERROR `type` is one of BLOCKS, RELATES_TO, not `NEEDS`
task terminated: NEW → WILL_NOT_IMPLEMENT
VALIDATION_ERROR fromId: task <a> is in terminal state WILL_NOT_IMPLEMENT
VALIDATION_ERROR toId: task <a> is in terminal state WILL_NOT_IMPLEMENT
Dependency operation completed
"
    );
}

#[test]
fn d22_nothing_waits_for_itself() {
    assert_eq!(
        script(
            "feature f
             task a featureId=$f
             task b
             task c
             block a blockedBy=$a
             block a blockedBy=$f
             manage_dependency operation=create type=BLOCKS fromId=$a toId=$a
             block b blockedBy=$a
             block c blockedBy=$b
             block a blockedBy=$c
             manage_dependency operation=create type=BLOCKS fromId=$c toId=$a
             block f blockedBy=$c
             block b blockedBy=$f
             block f blockedBy=$a"
        ),
        "feature created successfully
task created successfully
task created successfully
task created successfully
CIRCULAR_DEPENDENCY Circular dependency: <a> cannot be blocked by <a>
CIRCULAR_DEPENDENCY Circular dependency: <a> cannot be blocked by <f>
CIRCULAR_DEPENDENCY Circular dependency: <a> cannot be blocked by <a>
task blocked: added 1 blocker(s). Total blockers: 1.
task blocked: added 1 blocker(s). Total blockers: 1.
CIRCULAR_DEPENDENCY Circular dependency: <a> cannot be blocked by <c>
CIRCULAR_DEPENDENCY Circular dependency: <a> cannot be blocked by <c>
feature blocked: added 1 blocker(s). Total blockers: 1.
CIRCULAR_DEPENDENCY Circular dependency: <b> cannot be blocked by <f>
feature blocked: added 1 blocker(s). Total blockers: 2.
"
    );
}

#[test]
fn t29_the_order_of_the_checks_of_advance() {
    let mut here = Script::new();
    here.run("task b\ntask a\nblock a blockedBy=$b blockedReason='too early'");
    let a = here.id("a");
    let set = |here: &Script, status: Status| {
        imported(here, |store| {
            let mut work = Work::get(store, Entity::task(a)).expect("there");
            work.set_status(status.clone());
            work.write(store, "").expect("written");
        });
    };
    set(&here, Status::Closed);
    assert_eq!(
        here.run(
            "advance containerType=feature id=$a version=1
             advance containerType=task id=$a version=1
             advance containerType=task id=$a version=3"
        ),
        "NOT_FOUND Feature not found: <a>
CONFLICT Version conflict: expected 1, current version is 3
INVALID_OPERATION Cannot advance: task is in terminal state CLOSED
"
    );
    set(&here, Status::Other("ODD".to_owned()));
    assert_eq!(
        here.run("advance a\nunblock a blockedBy=$b\nadvance a"),
        "BLOCKED Cannot advance: task is blocked by <b>. Reason: too early
task fully unblocked. No remaining blockers.
INVALID_OPERATION Cannot advance: no next state from ODD
"
    );
}

#[test]
fn t30_what_advance_answers() {
    let mut here = Script::new();
    here.run("task a tags=x");
    assert_eq!(
        here.run("advance a > .\nadvance a > transition, unblockedEntities, featureTransition, alsoClosed"),
        "task advanced: NEW → ACTIVE (position: 2 of 3)
  .: {\"pipelinePosition\":\"2 of 3\",\"task\":{\"blockedBy\":[],\"complexity\":3,\"createdAt\":\"<now>\",\"id\":\"<a>\",\"modifiedAt\":\"<now>\",\"priority\":\"MEDIUM\",\"relatedTo\":[],\"status\":\"ACTIVE\",\"summary\":\"what it is\",\"tags\":[\"x\"],\"title\":\"a\",\"version\":2},\"transition\":{\"from\":\"NEW\",\"to\":\"ACTIVE\"},\"unblockedEntities\":[]}
task advanced: ACTIVE → CLOSED (position: 3 of 3)
  transition: {\"from\":\"ACTIVE\",\"to\":\"CLOSED\"}
  unblockedEntities: []
  featureTransition: -
  alsoClosed: []
"
    );
}

#[test]
fn t30_what_was_closed_with_a_task_is_named() {
    let mut here = Script::new();
    here.run("feature f\ntask a featureId=$f\ntask b featureId=$f\nadvance a");
    let answer = here.run("advance a > alsoClosed\nterminate b > alsoClosed");
    assert_eq!(
        answer,
        "task advanced: ACTIVE → CLOSED (position: 3 of 3)
  alsoClosed: []
task terminated: NEW → WILL_NOT_IMPLEMENT Feature auto-closed because all tasks are in terminal states. Also closed: feature f (ACTIVE → CLOSED).
  alsoClosed: [{\"id\":\"<f>\",\"name\":\"f\",\"transition\":{\"from\":\"ACTIVE\",\"to\":\"CLOSED\"},\"type\":\"feature\"}]
"
    );
    here.run("feature g\ntask c featureId=$g\nadvance g");
    assert_eq!(
        here.run("advance g > alsoClosed, openTasks"),
        "feature advanced: ACTIVE → CLOSED (position: 3 of 3) 1 task(s) of the feature are still open.
  alsoClosed: []
  openTasks: 1
"
    );
}

#[test]
fn t31_what_is_done_frees_what_waited_for_it() {
    assert_eq!(
        script(
            "task a
             task other
             feature f
             task free
             task half
             task outside
             block f blockedBy=$a
             block free blockedBy=$a blockedReason='because of a'
             block half blockedBy=[\"$a\",\"$other\"] blockedReason='because of both'
             block outside blockedBy=[\"$a\",\"NO_OP\"] blockedReason='the weather'
             advance a
             advance a > unblockedEntities
             query_container operation=get containerType=task id=$free > task.blockedBy, task.blockedReason, task.version
             query_container operation=get containerType=task id=$half > task.blockedBy, task.blockedReason, task.version
             query_container operation=get containerType=task id=$outside > task.blockedBy, task.blockedReason, task.version
             query_container operation=get containerType=feature id=$f > feature.blockedBy, feature.version"
        )
        .lines()
        .skip(11)
        .collect::<Vec<_>>()
        .join("\n"),
        "task advanced: ACTIVE → CLOSED (position: 3 of 3) Auto-unblocked 2 dependent(s).
  unblockedEntities: [{\"id\":\"<free>\",\"type\":\"task\"},{\"id\":\"<f>\",\"type\":\"feature\"}]
task retrieved successfully
  task.blockedBy: []
  task.blockedReason: -
  task.version: 3
task retrieved successfully
  task.blockedBy: [\"<other>\"]
  task.blockedReason: -
  task.version: 3
task retrieved successfully
  task.blockedBy: [\"NO_OP\"]
  task.blockedReason: \"the weather\"
  task.version: 3
feature retrieved successfully
  feature.blockedBy: []
  feature.version: 3"
    );
}

#[test]
fn t32_a_task_that_is_begun_lifts_its_feature_even_a_blocked_one() {
    assert_eq!(
        script(
            "feature f
             task a featureId=$f
             task b featureId=$f
             block f blockedBy=NO_OP blockedReason=x
             advance a > featureTransition
             query_container operation=get containerType=feature id=$f > feature.status, feature.blockedBy, feature.version
             advance b > featureTransition"
        )
        .lines()
        .skip(4)
        .collect::<Vec<_>>()
        .join("\n"),
        "task advanced: NEW → ACTIVE (position: 2 of 3) Feature auto-advanced to ACTIVE because task started.
  featureTransition: \"Feature auto-advanced to ACTIVE because task started.\"
feature retrieved successfully
  feature.status: \"ACTIVE\"
  feature.blockedBy: [\"NO_OP\"]
  feature.version: 3
task advanced: NEW → ACTIVE (position: 2 of 3)
  featureTransition: -"
    );
}

#[test]
fn t33_when_all_tasks_are_over_so_is_the_feature() {
    let mut here = with_pipelines("NEW ACTIVE READY_TO_PROD CLOSED", "NEW ACTIVE CLOSED");
    here.run(
        "feature f
         feature after
         task a featureId=$f
         task b featureId=$f
         block after blockedBy=$f
         block f blockedBy=NO_OP blockedReason=x
         advance a",
    );
    assert_eq!(
        here.run(
            "terminate b > featureTransition
             advance a > featureTransition, featureUnblockedEntities
             query_container operation=get containerType=feature id=$f > feature.status, feature.blockedBy"
        ),
        "task terminated: NEW → WILL_NOT_IMPLEMENT
  featureTransition: -
task advanced: ACTIVE → CLOSED (position: 3 of 3) Feature auto-closed because all tasks are in terminal states. Also closed: feature f (ACTIVE → CLOSED). Feature auto-unblocked 1 dependent(s).
  featureTransition: \"Feature auto-closed because all tasks are in terminal states.\"
  featureUnblockedEntities: [{\"id\":\"<after>\",\"type\":\"feature\"}]
feature retrieved successfully
  feature.status: \"CLOSED\"
  feature.blockedBy: [\"NO_OP\"]
"
    );
}

#[test]
fn t33_what_two_rules_touch_is_written_once() {
    // `a` blocks `waiting`, and so does the feature that closes with it.
    assert_eq!(
        script(
            "feature f
             task a featureId=$f
             task waiting
             block waiting blockedBy=[\"$a\",\"$f\"]
             advance a
             advance a > unblockedEntities, featureUnblockedEntities
             query_container operation=get containerType=task id=$waiting > task.version, task.blockedBy
             query_container operation=get containerType=feature id=$f > feature.version"
        )
        .lines()
        .skip(5)
        .collect::<Vec<_>>()
        .join("\n"),
        "task advanced: ACTIVE → CLOSED (position: 3 of 3) Feature auto-closed because all tasks are in terminal states. Also closed: feature f (ACTIVE → CLOSED). Feature auto-unblocked 1 dependent(s).
  unblockedEntities: []
  featureUnblockedEntities: [{\"id\":\"<waiting>\",\"type\":\"task\"}]
task retrieved successfully
  task.version: 3
  task.blockedBy: []
feature retrieved successfully
  feature.version: 3"
    );
}

#[test]
fn t34_a_task_that_is_done_hints_at_the_graph_and_nothing_else_does() {
    let mut here = Script::new();
    assert_eq!(
        here.run(
            "feature f
             task a featureId=$f
             task b
             advance a > graphHints
             advance a > graphHints
             advance f > graphHints
             terminate b > graphHints
             feature g
             advance g > graphHints
             advance g > graphHints"
        ),
        "feature created successfully
task created successfully
task created successfully
task advanced: NEW → ACTIVE (position: 2 of 3) Feature auto-advanced to ACTIVE because task started.
  graphHints: -
task advanced: ACTIVE → CLOSED (position: 3 of 3) Feature auto-closed because all tasks are in terminal states. Also closed: feature f (ACTIVE → CLOSED).
  graphHints: {\"message\":\"Task completed. Consider updating the knowledge graph.\",\"suggestedActions\":[\"Update atom knowledge for areas affected by this task\",\"Update atom paths if files were moved or new directories created\",\"Append changelog entries for significant changes\"]}
INVALID_OPERATION Cannot advance: feature is in terminal state CLOSED
  graphHints: -
task terminated: NEW → WILL_NOT_IMPLEMENT
  graphHints: -
feature created successfully
feature advanced: NEW → ACTIVE (position: 2 of 3)
  graphHints: -
feature advanced: ACTIVE → CLOSED (position: 3 of 3)
  graphHints: -
"
    );
}

#[test]
fn t35_revert_goes_one_step_back_blocked_or_not() {
    assert_eq!(
        script(
            "feature f
             task a featureId=$f
             revert a
             advance a
             block a blockedBy=NO_OP blockedReason=x
             revert a > task.status, task.version, transition, pipelinePosition
             query_container operation=get containerType=feature id=$f > feature.status, feature.version
             terminate a
             revert a
             revert containerType=task id=$a version=1"
        ),
        "feature created successfully
task created successfully
INVALID_OPERATION Cannot revert: task is already at the first pipeline state (NEW).
task advanced: NEW → ACTIVE (position: 2 of 3) Feature auto-advanced to ACTIVE because task started.
task blocked: added 1 blocker(s). Total blockers: 1.
task reverted: ACTIVE → NEW (position: 1 of 3)
  task.status: \"NEW\"
  task.version: 4
  transition: {\"from\":\"ACTIVE\",\"to\":\"NEW\"}
  pipelinePosition: \"1 of 3\"
feature retrieved successfully
  feature.status: \"ACTIVE\"
  feature.version: 2
task terminated: NEW → WILL_NOT_IMPLEMENT Feature set to WILL_NOT_IMPLEMENT because all tasks were terminated. Also closed: feature f (ACTIVE → WILL_NOT_IMPLEMENT).
INVALID_OPERATION Cannot revert: task is in terminal state WILL_NOT_IMPLEMENT
CONFLICT Version conflict: expected 1, current version is 5
"
    );
}

#[test]
fn t36_what_is_given_up_still_blocks() {
    assert_eq!(
        script(
            "feature f
             feature after
             task a featureId=$f
             task b
             block b blockedBy=$a
             block after blockedBy=$f
             block a blockedBy=NO_OP blockedReason=x
             terminate a reason='not worth it' > reason, affectedDependents, featureTransition, featureAffectedDependents, task.blockedBy, unblockedEntities
             query_container operation=get containerType=task id=$b > task.blockedBy, task.version
             terminate a"
        )
        .lines()
        .skip(7)
        .collect::<Vec<_>>()
        .join("\n"),
        "task terminated: NEW → WILL_NOT_IMPLEMENT (reason: not worth it) WARNING: 1 entity/entities are blocked by this task. They remain blocked and must be manually reassessed (unblock or terminate). Feature set to WILL_NOT_IMPLEMENT because all tasks were terminated. Also closed: feature f (NEW → WILL_NOT_IMPLEMENT). WARNING: feature now in WILL_NOT_IMPLEMENT still blocks 1 dependent(s). Reassess each dependent (unblock, re-plan, or terminate).
  reason: \"not worth it\"
  affectedDependents: [{\"id\":\"<b>\",\"type\":\"task\"}]
  featureTransition: \"Feature set to WILL_NOT_IMPLEMENT because all tasks were terminated.\"
  featureAffectedDependents: [{\"id\":\"<after>\",\"type\":\"feature\"}]
  task.blockedBy: [\"NO_OP\"]
  unblockedEntities: -
task retrieved successfully
  task.blockedBy: [\"<a>\"]
  task.version: 2
INVALID_OPERATION Cannot terminate: task is already in terminal state WILL_NOT_IMPLEMENT"
    );
}

#[test]
fn t37_block_merges_blockers_that_exist_and_are_open() {
    assert_eq!(
        script(
            "task a
             task b
             task over
             terminate over
             block a blockedBy=NO_OP
             block a blockedBy=NO_OP blockedReason=' '
             block a blockedBy=$b > addedBlockers, totalBlockers, task.version
             block a blockedBy=[\"$b\",\"no_op\",\"$b\"] blockedReason=outside > addedBlockers, totalBlockers, task.version
             block a blockedBy='[\"$b\"]' > addedBlockers, task.version, task.blockedReason
             block a blockedBy=[]
             block a blockedBy=[1]
             block a blockedBy={}
             block a blockedBy=x
             block a blockedBy=00000000-0000-7000-8000-00000000ffff
             block a blockedBy=$over
             block over blockedBy=$a
             block containerType=task id=$a version=1 blockedBy=$b
             block containerType=task id=$a version=1"
        )
        .lines()
        .skip(4)
        .collect::<Vec<_>>()
        .join("\n"),
        "VALIDATION_ERROR blockedReason is required when blockedBy is NO_OP
VALIDATION_ERROR blockedReason is required when blockedBy is NO_OP
task blocked: added 1 blocker(s). Total blockers: 1.
  addedBlockers: [\"<b>\"]
  totalBlockers: [\"<b>\"]
  task.version: 2
task blocked: added 1 blocker(s). Total blockers: 2.
  addedBlockers: [\"NO_OP\"]
  totalBlockers: [\"<b>\",\"NO_OP\"]
  task.version: 3
task already blocked by all specified entities (no changes).
  addedBlockers: []
  task.version: 4
  task.blockedReason: \"outside\"
VALIDATION_ERROR blockedBy must be an array of UUIDs or the string \"NO_OP\"
VALIDATION_ERROR `blockedBy[0]` is not text
VALIDATION_ERROR `blockedBy` is a list, or text separated by commas
VALIDATION_ERROR `blockedBy` contains ids or NO_OP, not `x`
VALIDATION_ERROR Blocker entity not found: 00000000-0000-7000-8000-00000000ffff
VALIDATION_ERROR Cannot use <over> as blocker: it is in terminal state WILL_NOT_IMPLEMENT
INVALID_OPERATION Cannot block: task is in terminal state WILL_NOT_IMPLEMENT
CONFLICT Version conflict: expected 1, current version is 4
VALIDATION_ERROR `block` needs `blockedBy`"
    );
}

#[test]
fn t38_unblock_keeps_the_reason_of_what_is_outside() {
    assert_eq!(
        script(
            "task a
             task b
             task c
             block a blockedBy=[\"$b\",\"$c\",\"NO_OP\"] blockedReason=outside
             unblock a blockedBy=$b > removedBlockers, remainingBlockers, isFullyUnblocked, task.blockedReason, task.version
             unblock a blockedBy=$b > removedBlockers, task.blockedReason, task.version
             unblock a blockedBy=NO_OP > remainingBlockers, task.blockedReason
             unblock a blockedBy=$c > isFullyUnblocked, task.blockedReason
             unblock a blockedBy=$c > isFullyUnblocked, task.version"
        )
        .lines()
        .skip(4)
        .collect::<Vec<_>>()
        .join("\n"),
        "task unblocked: removed 1 blocker(s). 2 blocker(s) remaining.
  removedBlockers: [\"<b>\"]
  remainingBlockers: [\"<c>\",\"NO_OP\"]
  isFullyUnblocked: false
  task.blockedReason: \"outside\"
  task.version: 3
task was not blocked by specified entities (no changes).
  removedBlockers: []
  task.blockedReason: \"outside\"
  task.version: 4
task unblocked: removed 1 blocker(s). 1 blocker(s) remaining.
  remainingBlockers: [\"<c>\"]
  task.blockedReason: -
task fully unblocked. No remaining blockers.
  isFullyUnblocked: true
  task.blockedReason: -
task fully unblocked. No remaining blockers.
  isFullyUnblocked: true
  task.version: 7"
    );
}

#[test]
fn e18_of_two_writers_with_one_version_one_wins() {
    let here = {
        let mut here = Script::new();
        here.run("task a");
        here
    };
    let outcomes: Vec<bool> = lore_testing::scope("eight writers", |scope| {
        let works: Vec<_> = (0..8)
            .map(|_| {
                let (ctx, id) = (here.ctx(), here.id("a"));
                scope.spawn(move || {
                    super::advance(&ctx, Entity::task(id), Some(1))
                        .map_err(|error| error.detail.and_then(|detail| detail.code))
                        .is_ok()
                })
            })
            .collect();
        works
            .into_iter()
            .map(|work| lore_testing::join_scoped(work, "a writer"))
            .collect()
    });
    assert_eq!(outcomes.iter().filter(|won| **won).count(), 1);
    let state = here.call(
        "query_workflow_state",
        serde_json::json!({ "containerType": "task", "id": here.id("a") }),
    );
    assert_eq!(state["data"]["version"], 2);
}

#[test]
fn default_pipelines_are_what_is_locked() {
    let mut here = Script::new();
    here.run("project p");
    let mut locked = None;
    here.world
        .facets
        .get::<dyn Memory>()
        .read(&mut |store| {
            locked = store.pipelines()?;
            Ok(())
        })
        .expect("read");
    assert_eq!(locked, Some(Pipelines::default()));
}
