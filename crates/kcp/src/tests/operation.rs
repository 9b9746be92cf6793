//! `lore unit validate`.

use serde_json::{Value as Json, json};

use crate::testing::UNIT;
use crate::validate::{UnitValidate, UnitValidateAnswer, UnitValidateRequest, ValidateFormat};
use lore_seam::{Operation, Page, Render, Style, Value, Verdict};

fn run(files: &[(&str, &str)], request: UnitValidateRequest) -> Value<UnitValidateAnswer> {
    let world = crate::testing::of_files(files.iter().map(|(path, text)| (*path, text.as_bytes())));
    UnitValidate::run(&world.ctx(), request).unwrap()
}

fn asked(file: &str) -> UnitValidateRequest {
    UnitValidateRequest {
        files: vec![file.to_owned()],
        ..UnitValidateRequest::default()
    }
}

fn json(answer: &UnitValidateAnswer) -> Json {
    serde_json::to_value(answer).unwrap()
}

fn shown(answer: &UnitValidateAnswer) -> String {
    let mut page = Page::new(Style::default());
    answer.render(&mut page);
    page.into_text()
}

const BROKEN: &str = "kcp_version: \"0.14\"\nproject: shop\nversion: 1.0.0\nunits:\n  - id: a\n    path: docs/a.md\n    intent: What is a?\n    scope: globl\n    audience: [agent]\n";

#[test]
fn the_answer_has_the_shape_that_programs_rely_on() {
    let answer = run(
        &[("m/knowledge.yaml", BROKEN), ("m/docs/a.md", "")],
        asked("m/knowledge.yaml"),
    );
    assert_eq!(answer.verdict, Verdict::No);
    assert_eq!(
        json(&answer.value),
        json!({
            "valid": false, "level": 1, "unit_count": 1, "relationship_count": 0,
            "errors": [{
                "code": "scope-unknown", "message": "`globl` is not a known scope", "path": "m/knowledge.yaml", "line": 8, "column": 12, "unit": "a",
                "hint": "did you mean `global`? One of: global, project, module", "field": "units[0].scope", "clause": "E5",
            }],
            "warnings": [], "notes": [],
            "files": [{ "path": "m/knowledge.yaml", "valid": false, "level": 1, "unit_count": 1, "relationship_count": 0 }],
        })
    );
}

#[test]
fn what_cannot_be_parsed_is_a_no_with_a_code_that_says_so() {
    let answer = run(&[("k.yaml", "project: [\n")], asked("k.yaml"));
    let json = json(&answer.value);
    assert_eq!(answer.verdict, Verdict::No);
    assert_eq!(
        (&json["valid"], &json["level"], &json["unit_count"]),
        (&json!(false), &Json::Null, &json!(0))
    );
    assert_eq!(json["errors"][0]["code"], "parse-yaml");
}

#[test]
fn w1_a_file_that_is_gone_is_a_warning_and_a_service_has_none() {
    let service = format!(
        "{UNIT}  - id: s\n    path: api/s\n    intent: How is s called?\n    scope: global\n    audience: [agent]\n    kind: service\n"
    );
    let codes = |files: &[(&str, &str)], request| {
        let answer = run(files, request);
        answer
            .value
            .warnings
            .iter()
            .map(|finding| (finding.code, finding.unit.clone().unwrap_or_default()))
            .collect::<Vec<_>>()
    };
    assert_eq!(
        codes(&[("x/k.yaml", &service)], asked("x/k.yaml")),
        [("file-missing", "a".to_owned())]
    );
    assert_eq!(
        codes(&[("x/k.yaml", &service), ("x/docs/a.md", "")], asked("x/k.yaml")),
        []
    );
    assert_eq!(
        codes(&[("x/k.yaml", &service), ("docs/a.md", "")], asked("x/k.yaml")).len(),
        1
    );
    let without = UnitValidateRequest {
        no_files: true,
        ..asked("x/k.yaml")
    };
    assert_eq!(codes(&[("x/k.yaml", &service)], without), []);
    assert_eq!(codes(&[("-", &service)], asked("-")), []);
}

#[test]
fn several_manifests_are_told_together() {
    let request = UnitValidateRequest {
        files: vec!["a.yaml".to_owned(), "b.yaml".to_owned()],
        no_files: true,
        ..UnitValidateRequest::default()
    };
    let more = format!("{UNIT}    triggers: [x]\n");
    let answer = run(&[("a.yaml", &more), ("b.yaml", BROKEN)], request);
    let json = json(&answer.value);
    assert_eq!(
        (&json["valid"], &json["level"], &json["unit_count"]),
        (&json!(false), &json!(1), &json!(2))
    );
    assert_eq!(
        (
            &json["files"][0]["valid"],
            &json["files"][1]["valid"],
            &json["errors"][0]["path"]
        ),
        (&json!(true), &json!(false), &json!("b.yaml"))
    );
}

#[test]
fn strict_makes_errors_and_does_not_go_with_lenient() {
    let text = format!("\u{feff}{UNIT}");
    let world = crate::testing::of_files([("k.yaml", text.as_bytes())]);
    let verdict = |strict: Option<&[&str]>, lenient| {
        let strict = strict.map(|codes| codes.iter().map(ToString::to_string).collect());
        let request = UnitValidateRequest {
            strict,
            lenient,
            no_files: true,
            ..asked("k.yaml")
        };
        UnitValidate::run(&world.ctx(), request)
            .map(|answer| answer.verdict)
            .map_err(|error| error.message)
    };
    assert_eq!(verdict(None, false), Ok(Verdict::Yes));
    assert_eq!(verdict(Some(&[]), false), Ok(Verdict::No));
    assert_eq!(verdict(Some(&["file-missing"]), false), Ok(Verdict::Yes));
    assert_eq!(verdict(Some(&["byte-order-mark"]), false), Ok(Verdict::No));
    assert_eq!(
        verdict(Some(&["nonsense"]), false),
        Err("`nonsense` is not a finding code".to_owned())
    );
    assert_eq!(
        verdict(Some(&[]), true),
        Err("--strict and --lenient cannot be used together".to_owned())
    );
}

#[test]
fn w25_pins_are_compared_with_mirrors_when_asked() {
    let text = format!(
        "{UNIT}manifests:\n  - id: other\n    url: https://example.org/knowledge.yaml\n    label: Other\n    relationship: peer\n    local_mirror: mirrors/other.yaml\n    version_pin: 2.0.0\n    version_policy: minimum\n"
    );
    let mirror = UNIT.replace("version: 1.0.0", "version: 1.9.0");
    let files = [("k.yaml", text.as_str()), ("mirrors/other.yaml", mirror.as_str())];
    let codes = |pins| {
        let answer = run(
            &files,
            UnitValidateRequest {
                pins,
                no_files: true,
                ..asked("k.yaml")
            },
        )
        .value;
        answer
            .warnings
            .iter()
            .chain(&answer.notes)
            .map(|finding| finding.code)
            .collect::<Vec<_>>()
    };
    assert_eq!(
        (codes(false), codes(true)),
        (vec!["pins-unverified"], vec!["pin-mismatch"])
    );
}

#[test]
fn people_see_a_place_a_reason_and_a_hint() {
    let answer = run(
        &[("k.yaml", BROKEN)],
        UnitValidateRequest {
            no_files: true,
            ..asked("k.yaml")
        },
    );
    assert_eq!(
        shown(&answer.value),
        "k.yaml:8:12: error: `globl` is not a known scope  [scope-unknown]\n  hint: did you mean `global`? One of: global, project, module\nk.yaml is not valid: one error, one unit, no relationships, no warnings\n"
    );
    let answer = run(
        &[("k.yaml", UNIT)],
        UnitValidateRequest {
            no_files: true,
            ..asked("k.yaml")
        },
    );
    assert_eq!(
        shown(&answer.value),
        "k.yaml is valid: level 1, one unit, no relationships, no warnings\n"
    );
    let answer = run(&[("k.yaml", "- 1\n")], asked("k.yaml"));
    assert!(shown(&answer.value).ends_with("k.yaml is not a manifest\n"));
}

#[test]
fn sarif_and_annotations_name_the_same_places() {
    let format = |format| {
        shown(
            &run(
                &[("k.yaml", BROKEN)],
                UnitValidateRequest {
                    no_files: true,
                    format,
                    ..asked("k.yaml")
                },
            )
            .value,
        )
    };
    let log: Json = serde_json::from_str(&format(ValidateFormat::Sarif)).unwrap();
    let result = &log["runs"][0]["results"][0];
    assert_eq!(
        (&result["ruleId"], &result["level"], &result["ruleIndex"]),
        (&json!("scope-unknown"), &json!("error"), &json!(0))
    );
    let place = &result["locations"][0]["physicalLocation"];
    assert_eq!(place["region"], json!({ "startLine": 8, "startColumn": 12 }));
    assert_eq!(
        place["artifactLocation"],
        json!({ "uri": "k.yaml", "uriBaseId": "%SRCROOT%" })
    );
    assert_eq!(log["runs"][0]["columnKind"], "unicodeCodePoints");
    assert_eq!(
        format(ValidateFormat::Github),
        "::error file=k.yaml,line=8,col=12,title=scope-unknown::`globl` is not a known scope%0Ahint: did you mean `global`? One of: global, project, module\n"
    );
    let whole: Json = serde_json::from_str(&format(ValidateFormat::Json)).unwrap();
    assert_eq!(whole["errors"][0]["code"], "scope-unknown");
}

#[test]
fn text_of_a_manifest_cannot_begin_a_command_of_a_workflow() {
    let text = BROKEN.replace("globl", "\"x\\n::error::y%\\e[31m\"");
    let answer = run(
        &[("k.yaml", &text)],
        UnitValidateRequest {
            no_files: true,
            format: ValidateFormat::Github,
            ..asked("k.yaml")
        },
    );
    let shown = shown(&answer.value);
    assert_eq!(shown.lines().count(), 1, "{shown}");
    assert!(!shown.contains('\u{1b}') && shown.contains("y%25"), "{shown}");
}

#[test]
fn strict_takes_codes_only_after_an_equals_sign() {
    use clap::{Args, Command, FromArgMatches};
    let parse = |arguments: &[&str]| {
        let command = UnitValidateRequest::augment_args(Command::new("validate"));
        let matches = command
            .try_get_matches_from([&["validate"], arguments].concat())
            .unwrap();
        let request = UnitValidateRequest::from_arg_matches(&matches).unwrap();
        (request.strict, request.files)
    };
    let list = |words: &[&str]| words.iter().map(ToString::to_string).collect::<Vec<_>>();
    assert_eq!(parse(&["a.yaml"]), (None, list(&["a.yaml"])));
    assert_eq!(parse(&["--strict", "a.yaml"]), (Some(Vec::new()), list(&["a.yaml"])));
    assert_eq!(
        parse(&["--strict=x,y", "a.yaml", "b.yaml"]),
        (Some(list(&["x", "y"])), list(&["a.yaml", "b.yaml"]))
    );
}

#[test]
fn agents_ask_in_json() {
    let world = crate::testing::of_files([("k.yaml", UNIT.as_bytes()), ("docs/a.md", b"")]);
    let entry = crate::OPERATIONS
        .iter()
        .find(|entry| entry.name == "unit_validate")
        .unwrap();
    let answer = entry
        .run_json(&world.ctx(), json!({ "files": ["k.yaml"], "strict": [] }))
        .unwrap();
    let lore_seam::Answer::Value(value, Verdict::Yes) = answer else {
        panic!()
    };
    assert_eq!(value.to_json()["unit_count"], 1);
    assert!(entry.run_json(&world.ctx(), json!({ "file": "k.yaml" })).is_err());
}
