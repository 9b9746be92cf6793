//! Clauses of sections, templates and tags, and of what all tools have in common.

use serde_json::{Value, json};

use crate::OPERATIONS;
use crate::script::{Script, script};
use lore_seam::{Access, Listing, Toolset, arguments};

fn rest(told: &str, from: usize) -> String {
    told.lines().skip(from).collect::<Vec<_>>().join("\n")
}

const ADD: &str = "manage_sections operation=add entityType=TASK entityId=$t usageDescription=use";

#[test]
fn t11_sections_come_in_order() {
    let told = script(&format!(
        "task t
         a = {ADD} title=A content=one tags=Context,files
         b = {ADD} title=B content=two ordinal=9
         c = {ADD} title=C content=three tags=plan
         query_sections entityType=task entityId=$t > 0.title, 1.title, 2.title, 0.ordinal, 2.ordinal, 0.content
         query_sections entityType=TASK entityId=$t includeContent=false > 0.content
         query_sections entityType=TASK entityId=$t tags=text,none > 0.title, 1.title
         query_sections entityType=TASK entityId=$t sectionIds=$b,$c > 0.title, 1.title, 2.title
         query_sections entityType=STEP entityId=$t
         query_sections entityType=FEATURE entityId=$t"
    ));
    assert_eq!(
        rest(&told, 4),
        "Sections retrieved successfully
  0.title: \"A\"
  1.title: \"B\"
  2.title: \"C\"
  0.ordinal: 0
  2.ordinal: 10
  0.content: \"one\"
Sections retrieved successfully
  0.content: \"\"
Sections retrieved successfully
  0.title: \"A\"
  1.title: -
Sections retrieved successfully
  0.title: \"B\"
  1.title: \"C\"
  2.title: -
VALIDATION_ERROR `entityType` is one of PROJECT, FEATURE, TASK, not `STEP`
NOT_FOUND Feature not found: <t>"
    );
}

#[test]
fn t12_a_new_section_has_a_place_of_its_own() {
    let told = script(&format!(
        "task t
         a = {ADD} title=A content='' > .
         {ADD} title=B content=x ordinal=0
         {ADD} title=B content=x ordinal=-1
         {ADD} title=B content=x contentFormat=code > contentFormat, ordinal
         {ADD} title=B content=x contentFormat=HTML
         {ADD} title=B
         {ADD} content=x
         manage_sections operation=add entityId=$t title=B content=x usageDescription=u
         manage_sections operation=add entityType=TASK title=B content=x usageDescription=u
         manage_sections operation=add entityType=TASK entityId=$t title=B content=x
         manage_sections operation=append"
    ));
    assert_eq!(
        rest(&told, 1),
        "Section added successfully
  .: {\"content\":\"\",\"contentFormat\":\"MARKDOWN\",\"createdAt\":\"<now>\",\"entityId\":\"<t>\",\"entityType\":\"TASK\",\"id\":\"<a>\",\"modifiedAt\":\"<now>\",\"ordinal\":0,\"tags\":[],\"title\":\"A\",\"usageDescription\":\"use\",\"version\":1}
CONFLICT A section with ordinal 0 already exists
VALIDATION_ERROR `ordinal` is a number from 0 on, not -1
Section added successfully
  contentFormat: \"CODE\"
  ordinal: 1
VALIDATION_ERROR `contentFormat` is one of PLAIN_TEXT, MARKDOWN, JSON, CODE, not `HTML`
VALIDATION_ERROR content is required for add operation
VALIDATION_ERROR title is required for add operation
VALIDATION_ERROR entityType is required for add operation
VALIDATION_ERROR entityId is required for add operation
VALIDATION_ERROR usageDescription is required for add operation
VALIDATION_ERROR `operation` is one of add, update, updateText, delete, reorder, bulkCreate, bulkDelete, not `append`"
    );
}

#[test]
fn t13_changes_of_a_section_need_its_version() {
    let told = script(&format!(
        "task t
         a = {ADD} title=A content=x
         b = {ADD} title=B content=y
         manage_sections operation=update sectionId=$a title=Z
         manage_sections operation=update version=1 title=Z
         manage_sections operation=update sectionId=$a version=2 title=Z
         manage_sections operation=update sectionId=$a version=1 title=Z ordinal=5 tags=q > title, content, ordinal, tags, version
         manage_sections operation=update sectionId=$a version=2 ordinal=1
         manage_sections operation=updateText sectionId=$a version=2 content='l1\\nl2' title=ignored > title, content, version
         manage_sections operation=updateText sectionId=$a version=3
         manage_sections operation=updateText sectionId=$a content=x
         manage_sections operation=updateText sectionId=$a version=3 content='' > content
         manage_sections operation=delete sectionId=$a version=1
         manage_sections operation=delete sectionId=$a > .
         manage_sections operation=delete sectionId=$a
         manage_sections operation=delete"
    ));
    assert_eq!(
        rest(&told, 3),
        "VALIDATION_ERROR version is required for update operation
VALIDATION_ERROR sectionId is required for update operation
CONFLICT Version conflict: expected 2, current version is 1
Section updated successfully
  title: \"Z\"
  content: \"x\"
  ordinal: 5
  tags: [\"q\"]
  version: 2
CONFLICT A section with ordinal 1 already exists
Section text updated successfully
  title: \"Z\"
  content: \"l1\\nl2\"
  version: 3
VALIDATION_ERROR content is required for updateText operation
VALIDATION_ERROR version is required for updateText operation
Section text updated successfully
  content: \"\"
CONFLICT Version conflict: expected 1, current version is 4
Section deleted successfully
  .: {\"deleted\":true}
NOT_FOUND Section not found: <a>
VALIDATION_ERROR sectionId is required for delete operation"
    );
}

#[test]
fn t14_sections_are_put_into_an_order_all_or_none() {
    let told = script(&format!(
        "task t
         task u
         a = {ADD} title=A content=x
         b = {ADD} title=B content=x
         c = {ADD} title=C content=x
         d = manage_sections operation=add entityType=TASK entityId=$u usageDescription=use title=D content=x
         manage_sections operation=reorder entityType=TASK entityId=$t orderedIds=$c,$a > .
         query_sections entityType=TASK entityId=$t > 0.title, 1.title, 2.title, 0.version, 1.version, 2.version
         manage_sections operation=reorder entityType=TASK entityId=$t orderedIds=$b,$d
         manage_sections operation=reorder entityType=TASK entityId=$t orderedIds=$b,$b
         manage_sections operation=reorder entityType=TASK entityId=$t
         manage_sections operation=reorder entityType=TASK entityId=$t orderedIds=[\"$c\"]
         query_sections entityType=TASK entityId=$t > 0.title, 0.version"
    ));
    assert_eq!(
        rest(&told, 6),
        "Sections reordered successfully
  .: {\"reordered\":true}
Sections retrieved successfully
  0.title: \"C\"
  1.title: \"A\"
  2.title: \"B\"
  0.version: 2
  1.version: 2
  2.version: 2
NOT_FOUND Section not found: <d>
VALIDATION_ERROR `orderedIds` names <b> twice
VALIDATION_ERROR orderedIds is required for reorder operation
Sections reordered successfully
Sections retrieved successfully
  0.title: \"C\"
  0.version: 2"
    );
}

#[test]
fn t15_many_sections_are_made_at_once_or_none() {
    let mut here = Script::new();
    here.run("task t");
    let bulk = |here: &Script, sections: Value| {
        let answer = here.call(
            "manage_sections",
            json!({ "operation": "bulkCreate", "entityType": "TASK", "entityId": here.id("t"), "sections": sections }),
        );
        match answer["error"].as_str() {
            Some(code) => format!("{code} {}", answer["message"].as_str().unwrap_or_default()),
            None => {
                let sections = answer["data"].as_array().cloned().unwrap_or_default();
                let told = sections
                    .iter()
                    .map(|section| format!("{}@{}", section["title"], section["ordinal"]));
                told.collect::<Vec<_>>().join(" ")
            }
        }
    };
    let one = |title: &str| json!({ "title": title, "usageDescription": "u", "content": "c" });
    assert_eq!(bulk(&here, json!([one("A"), one("B")])), "\"A\"@0 \"B\"@1");
    assert_eq!(bulk(&here, json!(json!([one("C")]).to_string())), "\"C\"@2");
    for (sections, wanted) in [
        (
            json!("x"),
            "VALIDATION_ERROR `sections` is an array of sections, or its JSON text",
        ),
        (
            json!({}),
            "VALIDATION_ERROR `sections` is an array of sections, or its JSON text",
        ),
        (json!([]), "VALIDATION_ERROR `sections` needs 1 to 200 sections, not 0"),
        (json!([one("D"), 3]), "VALIDATION_ERROR `sections[1]` is not an object"),
        (
            json!([one("D"), { "title": "E", "content": "c" }]),
            "VALIDATION_ERROR sections[1]: usageDescription is required for bulkCreate operation",
        ),
        (
            json!([{ "title": "E", "content": "c", "usageDescription": "u", "text": "t" }]),
            "VALIDATION_ERROR a section has title, usageDescription, content, contentFormat, ordinal, tags, not `text`",
        ),
        (
            json!([one("D"), { "title": "E", "content": "c", "usageDescription": "u", "ordinal": 0 }]),
            "CONFLICT A section with ordinal 0 already exists",
        ),
        (
            json!([{ "title": "E", "content": "c", "usageDescription": "u", "ordinal": true }]),
            "VALIDATION_ERROR `ordinal` of a section is a whole number",
        ),
    ] {
        assert_eq!(bulk(&here, sections), wanted);
    }
    let sections = here.call(
        "query_sections",
        json!({ "entityType": "TASK", "entityId": here.id("t") }),
    );
    assert_eq!(sections["data"].as_array().map(Vec::len), Some(3));
}

#[test]
fn t16_many_sections_are_deleted_and_unknown_ones_passed_over() {
    let told = script(&format!(
        "task t
         a = {ADD} title=A content=x
         b = {ADD} title=B content=x
         manage_sections operation=bulkDelete sectionIds=$a,$t,$b,$a > .
         manage_sections operation=bulkDelete sectionIds=$a > .
         manage_sections operation=bulkDelete
         manage_sections operation=bulkDelete sectionIds=x"
    ));
    assert_eq!(
        rest(&told, 3),
        "Sections bulk deleted successfully
  .: {\"deletedCount\":2}
Sections bulk deleted successfully
  .: {\"deletedCount\":0}
VALIDATION_ERROR sectionIds is required for bulkDelete operation
VALIDATION_ERROR `sectionIds` is a UUID, not `x`"
    );
}

const TEMPLATE: &str = "manage_template operation=create targetEntityType=TASK description=d";

#[test]
fn t17_templates_are_found() {
    let told = script(&format!(
        "b = {TEMPLATE} name=b tags=x
         a = {TEMPLATE} name=a
         f = manage_template operation=create targetEntityType=FEATURE description=d name=c
         manage_template operation=addSection id=$a title=T usageDescription=u contentSample=s
         manage_template operation=disable id=$b
         query_templates operation=list includeSections=true > 0.name, 1.name, 2.name, 0.sections
         query_templates operation=list targetEntityType=feature > 0.name, 1.name
         query_templates operation=list isEnabled=false > 0.name, 1.name
         query_templates operation=list isBuiltIn=true > .
         query_templates operation=list tags=x,y > 0.name, 1.name
         query_templates operation=get id=$a > template.name, sections
         query_templates operation=get id=$a includeSections=true > sections.0.title
         query_templates operation=get
         query_templates operation=get id=00000000-0000-7000-8000-00000000ffff"
    ));
    assert_eq!(
        rest(&told, 5),
        "Found 3 template(s)
  0.name: \"a\"
  1.name: \"b\"
  2.name: \"c\"
  0.sections: -
Found 1 template(s)
  0.name: \"c\"
  1.name: -
Found 1 template(s)
  0.name: \"b\"
  1.name: -
Found 0 template(s)
  .: []
Found 1 template(s)
  0.name: \"b\"
  1.name: -
Template retrieved successfully
  template.name: \"a\"
  sections: -
Template retrieved successfully
  sections.0.title: \"T\"
VALIDATION_ERROR id is required for get operation
NOT_FOUND Template not found: 00000000-0000-7000-8000-00000000ffff"
    );
}

#[test]
fn t18_names_of_templates_are_unique_and_protected_ones_stay() {
    let told = script(&format!(
        "query_templates operation=list > .
         a = {TEMPLATE} name=a > .
         b = {TEMPLATE} name=b isProtected=true createdBy=me
         {TEMPLATE} name=a
         manage_template operation=update id=$a name=b
         manage_template operation=update id=$a name=a description=new targetEntityType=PROJECT > name, description, targetEntityType
         manage_template operation=update id=$b name=z
         manage_template operation=delete id=$b
         manage_template operation=disable id=$b > isEnabled
         manage_template operation=enable id=$b > isEnabled
         manage_template operation=addSection id=$b title=T usageDescription=u contentSample=s isRequired=true > ordinal, isRequired, contentFormat
         manage_template operation=addSection id=$b title=T usageDescription=u contentSample=s ordinal=0
         manage_template operation=addSection id=$b title=T usageDescription=u
         manage_template operation=delete id=$a > .
         manage_template operation=delete id=$a
         manage_template operation=delete
         manage_template operation=create name=x description=d
         manage_template operation=create name=x targetEntityType=TASK description=' '"
    ));
    assert_eq!(
        told,
        "Found 0 template(s)
  .: []
Template created successfully
  .: {\"createdAt\":\"<now>\",\"description\":\"d\",\"id\":\"<a>\",\"isBuiltIn\":false,\"isEnabled\":true,\"isProtected\":false,\"modifiedAt\":\"<now>\",\"name\":\"a\",\"tags\":[],\"targetEntityType\":\"TASK\"}
Template created successfully
DUPLICATE_NAME Template with name 'a' already exists
DUPLICATE_NAME Template with name 'b' already exists
Template updated successfully
  name: \"a\"
  description: \"new\"
  targetEntityType: \"PROJECT\"
PROTECTED_TEMPLATE Cannot update protected template
PROTECTED_TEMPLATE Cannot delete protected template
Template disabled successfully
  isEnabled: false
Template enabled successfully
  isEnabled: true
Template section added successfully
  ordinal: 0
  isRequired: true
  contentFormat: \"MARKDOWN\"
CONFLICT A section with ordinal 0 already exists
VALIDATION_ERROR contentSample is required for addSection operation
Template deleted successfully
  .: {\"deleted\":true}
NOT_FOUND Template not found: <a>
VALIDATION_ERROR id is required for delete operation
VALIDATION_ERROR targetEntityType is required for create operation
VALIDATION_ERROR `description` is empty
"
    );
}

#[test]
fn t19_a_template_gives_its_sections() {
    let told = script(&format!(
        "task t
         feature f
         a = {TEMPLATE} name=a
         manage_template operation=addSection id=$a title=Plan usageDescription=u contentSample=sample tags=p ordinal=3
         manage_template operation=addSection id=$a title=Files usageDescription=u contentSample=x ordinal=1 contentFormat=CODE
         apply_template templateId=$a entityType=TASK entityId=$t > 0.title, 0.ordinal, 0.content, 0.contentFormat, 1.title, 1.ordinal, 1.tags, 1.version
         apply_template templateId=$a entityType=FEATURE entityId=$f
         manage_template operation=disable id=$a
         apply_template templateId=$a entityType=TASK entityId=$t
         apply_template templateId=$t entityType=TASK entityId=$t
         apply_template entityType=TASK entityId=$t"
    ));
    assert_eq!(
        rest(&told, 5),
        "Template applied successfully. Created 2 section(s)
  0.title: \"Files\"
  0.ordinal: 1
  0.content: \"x\"
  0.contentFormat: \"CODE\"
  1.title: \"Plan\"
  1.ordinal: 3
  1.tags: [\"p\"]
  1.version: 1
ENTITY_TYPE_MISMATCH Template is for TASK, cannot apply to FEATURE
Template disabled successfully
TEMPLATE_DISABLED Template is disabled
NOT_FOUND Template not found: <t>
VALIDATION_ERROR `apply_template` needs `templateId`"
    );
}

#[test]
fn d25_nothing_is_attached_to_nothing_and_a_second_template_comes_after() {
    let told = script(&format!(
        "task t
         a = {TEMPLATE} name=a
         manage_template operation=addSection id=$a title=One usageDescription=u contentSample=s
         manage_template operation=addSection id=$a title=Two usageDescription=u contentSample=s
         apply_template templateId=$a entityType=TASK entityId=$t > 0.ordinal, 1.ordinal
         apply_template templateId=$a entityType=TASK entityId=$t > 0.ordinal, 1.ordinal
         apply_template templateId=$a entityType=TASK entityId=$a
         manage_sections operation=add entityType=FEATURE entityId=$t title=A usageDescription=u content=c
         manage_sections operation=bulkCreate entityType=TASK entityId=$a sections=[{{\"title\":\"A\",\"usageDescription\":\"u\",\"content\":\"c\"}}]
         manage_sections operation=reorder entityType=TASK entityId=$a orderedIds=$t"
    ));
    assert_eq!(
        rest(&told, 4),
        "Template applied successfully. Created 2 section(s)
  0.ordinal: 0
  1.ordinal: 1
Template applied successfully. Created 2 section(s)
  0.ordinal: 2
  1.ordinal: 3
NOT_FOUND Task not found: <a>
NOT_FOUND Feature not found: <t>
NOT_FOUND Task not found: <a>
NOT_FOUND Task not found: <a>"
    );
}

#[test]
fn t20_tags_are_counted() {
    assert_eq!(
        script(
            "project p tags=b,C
             task t tags=a,b
             task u tags=[\"A\",\"d\"]
             list_tags > .
             list_tags entityType=task > .
             list_tags entityType=atom"
        ),
        "project created successfully
task created successfully
task created successfully
Tags listed successfully
  .: [{\"count\":2,\"tag\":\"a\"},{\"count\":2,\"tag\":\"b\"},{\"count\":1,\"tag\":\"c\"},{\"count\":1,\"tag\":\"d\"}]
Tags listed successfully
  .: [{\"count\":2,\"tag\":\"a\"},{\"count\":1,\"tag\":\"b\"},{\"count\":1,\"tag\":\"d\"}]
VALIDATION_ERROR `entityType` is one of PROJECT, FEATURE, TASK, not `atom`
"
    );
}

#[test]
fn t21_what_bears_a_tag() {
    assert_eq!(
        script(
            "task t tags=École
             project p tags=école
             get_tag_usage tag=ÉCOLE > .
             get_tag_usage tag=none > .
             get_tag_usage tag=' '"
        ),
        "task created successfully
project created successfully
Tag usage retrieved successfully
  .: [{\"entityId\":\"<p>\",\"entityType\":\"PROJECT\"},{\"entityId\":\"<t>\",\"entityType\":\"TASK\"}]
Tag usage retrieved successfully
  .: []
VALIDATION_ERROR `tag` is empty
"
    );
}

#[test]
fn t22_a_tag_is_renamed_everywhere() {
    assert_eq!(
        script(
            "task t tags=old,new
             task u tags=old
             rename_tag oldTag=Old newTag=New dryRun=true > affected
             list_tags > .
             rename_tag oldTag=Old newTag=New > .
             list_tags > .
             query_container operation=get containerType=task id=$t > task.tags, task.version
             rename_tag oldTag=x newTag=X
             rename_tag oldTag=x newTag=' '
             rename_tag oldTag=x newTag=a,b
             rename_tag oldTag=gone newTag=other > affected"
        ),
        "task created successfully
task created successfully
Dry run: Would affect 2 entities
  affected: 2
Tags listed successfully
  .: [{\"count\":2,\"tag\":\"old\"},{\"count\":1,\"tag\":\"new\"}]
Tag renamed successfully, affected 2 entities
  .: {\"affected\":2,\"entities\":[{\"entityId\":\"<t>\",\"entityType\":\"TASK\"},{\"entityId\":\"<u>\",\"entityType\":\"TASK\"}]}
Tags listed successfully
  .: [{\"count\":2,\"tag\":\"new\"}]
task retrieved successfully
  task.tags: [\"new\"]
  task.version: 1
VALIDATION_ERROR newTag must differ from oldTag
VALIDATION_ERROR `newTag` is empty
VALIDATION_ERROR `newTag` contains a comma
Tag renamed successfully, affected 0 entities
  affected: 0
"
    );
}

#[test]
fn c2_a_fault_of_a_field_is_named_in_the_data() {
    let here = Script::new();
    for (arguments, field) in [
        (json!({ "operation": "get", "containerType": "task" }), "id"),
        (json!({ "operation": "get", "containerType": "task", "id": "x" }), "id"),
        (json!({ "operation": "get", "containerType": "task", "id": 3 }), "id"),
        (json!({ "operation": "get", "containerTyp": "task" }), "containerTyp"),
        (json!({ "containerType": "task" }), "operation"),
        (
            json!({ "operation": "search", "containerType": "task", "limit": true }),
            "limit",
        ),
        (
            json!({ "operation": "search", "containerType": "task", "tags": 3 }),
            "tags",
        ),
        (
            json!({ "operation": "search", "containerType": "task", "query": "a\0" }),
            "query",
        ),
    ] {
        let answer = here.call("query_container", arguments.clone());
        assert_eq!(answer["error"], "VALIDATION_ERROR", "{arguments}");
        assert_eq!(answer["data"]["field"], field, "{arguments}");
    }
}

#[test]
fn c5_numbers_may_be_texts_and_booleans_may_not() {
    let mut here = Script::new();
    here.run("task t");
    let told = |here: &Script, limit: Value, sections: Value| {
        let arguments = json!({
            "operation": "search", "containerType": "task", "limit": limit, "includeSections": sections,
            "projectId": null, "query": null,
        });
        let answer = here.call("query_container", arguments);
        match answer["error"].as_str() {
            Some(code) => code.to_owned(),
            None => answer["data"]["limit"].to_string(),
        }
    };
    for (limit, sections, wanted) in [
        (json!("3"), json!(null), "3"),
        (json!(" 3 "), json!(true), "3"),
        (json!(3.0), json!(false), "3"),
        (json!(null), json!(null), "20"),
        (json!(3.5), json!(null), "VALIDATION_ERROR"),
        (json!("three"), json!(null), "VALIDATION_ERROR"),
        (json!(3), json!("true"), "VALIDATION_ERROR"),
        (json!(3), json!(1), "VALIDATION_ERROR"),
        (json!(u64::MAX), json!(null), "VALIDATION_ERROR"),
    ] {
        assert_eq!(
            told(&here, limit.clone(), sections.clone()),
            wanted,
            "{limit} {sections}"
        );
    }
}

#[test]
fn c8_what_an_operation_has_no_use_for_is_passed_over() {
    let here = Script::new();
    let arguments = json!({
        "operation": "create", "containerType": "project", "name": "p", "summary": "s",
        "cascade": false, "version": 7, "complexity": 99, "priority": "NONE", "featureId": "x",
    });
    assert_eq!(here.call("manage_container", arguments)["success"], true);
    let answer = here.call(
        "manage_container",
        json!({ "operation": "create", "containertype": "project" }),
    );
    assert_eq!(answer["message"], "`manage_container` has no argument `containertype`");
    assert_eq!(answer["hints"], json!(["`containerType` is one"]));
}

/// The tools of the orchestrator but `sync`, with what they do to what is kept.
const TOOLS: [(&str, Access); 22] = [
    ("query_container", Access::Read),
    ("manage_container", Access::Write),
    ("query_sections", Access::Read),
    ("manage_sections", Access::Write),
    ("query_templates", Access::Read),
    ("manage_template", Access::Write),
    ("apply_template", Access::Record),
    ("list_tags", Access::Read),
    ("get_tag_usage", Access::Read),
    ("rename_tag", Access::Write),
    ("get_next_task", Access::Read),
    ("get_next_feature", Access::Read),
    ("get_blocked_tasks", Access::Read),
    ("get_blocked_features", Access::Read),
    ("query_workflow_state", Access::Read),
    ("query_dependencies", Access::Read),
    ("manage_dependency", Access::Write),
    ("advance", Access::Record),
    ("revert", Access::Record),
    ("terminate", Access::Write),
    ("block", Access::Record),
    ("unblock", Access::Record),
];

#[test]
fn c9_every_tool_is_there_under_its_own_name() {
    let enveloped = OPERATIONS.iter().filter(|entry| entry.envelope.is_some());
    let names: Vec<&str> = enveloped.map(|entry| entry.name).collect();
    for (name, access) in TOOLS {
        let entry = OPERATIONS.iter().find(|entry| entry.name == name);
        let entry = entry.unwrap_or_else(|| panic!("there is no {name}"));
        assert!(names.contains(&name) && entry.listing != Listing::People && entry.command.is_empty());
        assert_eq!((entry.access, entry.toolset), (access, Toolset::Memory), "{name}");
        assert!(entry.description().len() > 20, "{name}");
        let schema = entry.request_schema().to_value();
        for (argument, _) in arguments(&schema) {
            assert!(!argument.contains('_'), "{argument} of {name}");
        }
    }
}

#[test]
fn c7_answers_are_camel_case_with_parsed_lists() {
    // Every call of a script looks at all keys of its answer; these are the ones where the origin leaks rows.
    let told = script(
        "task a tags=x
         block a blockedBy=NO_OP blockedReason=y > task.blockedBy, task.tags, task.searchVector
         get_blocked_tasks > 0.blockedBy, 0.tags
         unblock a blockedBy=NO_OP
         get_next_task > relatedTo, tags
         advance a > task.relatedTo, task.tags",
    );
    assert_eq!(
        rest(&told, 1),
        "task blocked: added 1 blocker(s). Total blockers: 1.
  task.blockedBy: [\"NO_OP\"]
  task.tags: [\"x\"]
  task.searchVector: -
Found 1 blocked task(s)
  0.blockedBy: [\"NO_OP\"]
  0.tags: [\"x\"]
task fully unblocked. No remaining blockers.
Next task retrieved successfully
  relatedTo: []
  tags: [\"x\"]
task advanced: NEW → ACTIVE (position: 2 of 3)
  task.relatedTo: []
  task.tags: [\"x\"]"
    );
}
