//! Tests of the table of operations and of the tool that holds them.

use lore_seam::{Access, AnswerKind, ErrorKind, OpError};
use serde_json::json;

use super::told;
use crate::{OPERATIONS, QUERY_CODE, RESOURCE_TEMPLATES};

#[test]
fn every_operation_has_its_name_command_answer_and_effect() {
    let rows: Vec<String> = OPERATIONS
        .iter()
        .map(|entry| {
            let answer = match entry.answer {
                AnswerKind::Value => "value",
                AnswerKind::Rows => "rows",
                AnswerKind::Bytes => "bytes",
            };
            let effect = if entry.access == Access::Read {
                "reads"
            } else {
                "exports"
            };
            format!("{} ({}): {answer}, {effect}\n", entry.name, entry.command.join(" "))
        })
        .collect();
    told(
        &rows.concat(),
        "
        index (index): rows, exports
        find (find): rows, reads
        show (show): value, reads
        outline (outline): rows, reads
        source (source): bytes, reads
        files (files): rows, reads
        calls (calls): rows, reads
        callers (callers): rows, reads
        callees (callees): rows, reads
        path (path): value, reads
        unresolved (unresolved): rows, reads
        edges (edges): rows, reads
        impact (impact): value, reads
        deps (deps): value, reads
        dead (dead): rows, reads
        stats (stats): value, reads
        ",
    );
}

#[test]
fn every_branch_of_the_one_tool_is_an_operation() {
    for branch in QUERY_CODE.branches {
        assert_eq!(branch.value, branch.operation);
        assert!(
            OPERATIONS.iter().any(|entry| entry.name == branch.operation),
            "{}",
            branch.operation
        );
        assert!(QUERY_CODE.description.contains(branch.value), "{}", branch.value);
    }
    let left_out: Vec<&str> = OPERATIONS
        .iter()
        .map(|entry| entry.name)
        .filter(|name| QUERY_CODE.branches.iter().all(|branch| branch.operation != *name))
        .collect();
    assert_eq!(left_out, ["index", "source", "calls"]);
}

#[test]
fn the_one_tool_wraps_answers_and_errors() {
    let branch = &QUERY_CODE.branches[1];
    let answer = (QUERY_CODE.envelope)(branch, Ok(json!({"found": true})));
    assert_eq!(
        answer,
        json!({"operation": "show", "ok": true, "result": {"found": true}})
    );
    let error = OpError::new(ErrorKind::Ambiguous, "`f` means 2 symbols").hint("function a.f at a.py:1");
    let wanted = json!({
        "operation": "show",
        "ok": false,
        "error": {"kind": "ambiguous", "message": "`f` means 2 symbols", "hints": ["function a.f at a.py:1"]},
    });
    assert_eq!((QUERY_CODE.envelope)(branch, Err(&error)), wanted);
}

#[test]
fn every_resource_is_answered_by_an_operation_that_takes_its_argument() {
    for template in RESOURCE_TEMPLATES {
        let entry = OPERATIONS.iter().find(|entry| entry.name == template.operation);
        let schema = entry.map(|entry| entry.request_schema().to_value()).unwrap_or_default();
        let argument = &schema["properties"][template.argument];
        assert_eq!(argument["type"] == "array", template.is_list, "{}", template.name);
        assert!(argument.is_object(), "{}", template.name);
    }
}

#[test]
fn every_answer_has_a_schema_unless_it_is_bytes() {
    for entry in OPERATIONS {
        assert_eq!(
            entry.answer_schema().is_none(),
            entry.answer == AnswerKind::Bytes,
            "{}",
            entry.name
        );
        assert!(!entry.description().is_empty(), "{}", entry.name);
    }
}
