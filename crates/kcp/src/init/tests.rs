//! A first manifest of a repository: what is written, and what is not.

use super::{UnitInit, UnitInitAnswer, UnitInitRequest};
use crate::levels::level;
use crate::testing::{World, codes, manifest};
use lore_seam::{Operation, Verdict};

const DAY: u64 = 86_400_000;
/// 2026-02-25.
const NOW: u64 = 20_509 * DAY;

fn files() -> Vec<(&'static str, &'static str)> {
    vec![
        ("Cargo.toml", "[package]\nname = \"shop\"\n"),
        ("README.md", "# Shop\n\nShop sells things to people who want them.\n"),
        ("AGENTS.md", "# Rules\n\nBe kind.\n"),
        ("CLAUDE.md", "@AGENTS.md\n"),
        ("llms.txt", "# Shop\n\n> A shop.\n"),
        ("docs/deploy.md", "# How to deploy\n\nPush.\n"),
        ("docs/requirements.txt", "sphinx\n"),
        ("docs/bin.md", "\u{0}"),
        ("docs/empty.md", "\n"),
        ("docs/a: b \"c\".md", "# Quotes: a \"test\" # of YAML\n"),
        ("openapi/shop.yaml", "openapi: 3.0.0\ninfo:\n  title: Shop API\n"),
        (
            ".claude/skills/x/SKILL.md",
            "---\nname: x\ndescription: Finds the thing that was lost.\n---\n",
        ),
        ("node_modules/y/README.md", "# Y\n"),
        ("src/main.rs", "fn main() {}\n"),
    ]
}

fn world(files: Vec<(&'static str, &'static str)>, now_ms: u64) -> std::sync::Arc<World> {
    std::sync::Arc::new(World {
        now_ms,
        ..crate::testing::with_files(files)
    })
}

fn run(world: &std::sync::Arc<World>, request: UnitInitRequest) -> (UnitInitAnswer, Verdict) {
    let answer = UnitInit::run(&world.ctx(), request).unwrap();
    (answer.value, answer.verdict)
}

fn written(world: &World, path: &str) -> String {
    let written = world.written.lock().unwrap();
    String::from_utf8(written[path].clone()).unwrap()
}

fn at(level: u8) -> UnitInitRequest {
    UnitInitRequest {
        level,
        ..UnitInitRequest::default()
    }
}

#[test]
fn g1_a_manifest_of_real_documents_validates_without_warnings_at_every_level() {
    for wanted in 1..=3 {
        let world = world(files(), NOW);
        let (answer, verdict) = run(&world, at(wanted));
        assert_eq!(verdict, Verdict::Yes);
        assert_eq!(answer.written, ["knowledge.yaml", ".well-known/kcp.json"]);
        let text = written(&world, "knowledge.yaml");
        assert_eq!(codes(&text), Vec::<String>::new(), "{text}");
        let model = manifest(&text);
        // The interface has a kind, which is a field of level 2.
        assert_eq!(level(&model), wanted.max(2));
        for unit in &model.units {
            let path = model.path(unit).unwrap();
            assert!(world.files.contains_key(path), "{path}");
        }
    }
}

#[test]
fn g1_the_manifest_says_what_the_documents_say() {
    let world = world(files(), NOW);
    let (answer, _) = run(&world, at(3));
    let text = written(&world, "knowledge.yaml");
    assert!(
        text.contains(
            "kcp_version: \"0.12\"\nproject: shop\nversion: \"1.0.0\"\nupdated: \"2026-02-25\"\nhints:\n  total_token_estimate: 700\n  unit_count: 7\n  recommended_entry_point: readme\nunits:\n  - id: readme\n    path: README.md\n    intent: \"Shop sells things to people who want them.\"\n    scope: global\n    audience: [human, agent]\n    validated: \"2026-02-25\"\n    triggers: [shop]\n    hints:\n      token_estimate: 100\n"
        ),
        "{text}"
    );
    let units: Vec<String> = answer
        .units
        .iter()
        .map(|unit| format!("{} {}", unit.path, unit.intent))
        .collect();
    assert_eq!(
        units,
        [
            "README.md Shop sells things to people who want them.",
            "AGENTS.md What should coding agents know before working on shop?",
            "llms.txt What is there to know about Shop?",
            ".claude/skills/x/SKILL.md Finds the thing that was lost.",
            "docs/a: b \"c\".md What is there to know about Quotes: a \"test\" # of YAML?",
            "docs/deploy.md How do I deploy?",
            "openapi/shop.yaml Which operations does the Shop API offer?",
        ]
    );
    let skipped: Vec<&str> = answer.skipped.iter().map(|file| file.path.as_str()).collect();
    assert_eq!(skipped, ["CLAUDE.md", "docs/bin.md", "docs/empty.md"]);
    assert_eq!(answer.llms_line, "> knowledge: /knowledge.yaml");
    assert!(
        text.contains("audience: [agent]\n") && text.contains("kind: schema\n    format: openapi\n"),
        "{text}"
    );
}

#[test]
fn g1_running_it_twice_changes_nothing_even_with_force_on_another_day() {
    for level in 1..=3 {
        let first = world(files(), NOW);
        run(&first, at(level));
        let text = written(&first, "knowledge.yaml");
        let (again, verdict) = run(&first, at(level));
        assert_eq!((again.written.len(), verdict), (0, Verdict::No));
        let mut later = crate::testing::with_files(files());
        later.now_ms = NOW + 9 * DAY;
        later.files.extend(first.written.lock().unwrap().clone());
        let later = std::sync::Arc::new(later);
        let forced = UnitInitRequest {
            force: true,
            ..at(level)
        };
        let (again, verdict) = run(&later, forced);
        assert_eq!((again.written, verdict), (Vec::new(), Verdict::Yes), "{text}");
    }
}

#[test]
fn g1_nothing_is_replaced_without_force_and_nothing_written_in_a_dry_run() {
    let mut own = files();
    own.push(("knowledge.yaml", "mine\n"));
    let world = world(own, NOW);
    let (answer, verdict) = run(&world, at(2));
    assert_eq!((answer.written.len(), verdict), (0, Verdict::No));
    assert!(answer.reason.unwrap().contains("--force"));
    let dry = UnitInitRequest { dry_run: true, ..at(2) };
    let (answer, verdict) = run(&world, dry);
    assert_eq!((answer.written.len(), verdict), (0, Verdict::Yes));
    assert!(answer.manifest.unwrap().contains("project: shop"));
    assert!(world.written.lock().unwrap().is_empty());
    let forced = UnitInitRequest { force: true, ..at(2) };
    assert_eq!(run(&world, forced).1, Verdict::Yes);
    assert!(!written(&world, "knowledge.yaml").contains("mine"));
}

#[test]
fn g1_a_part_of_a_repository_gets_a_manifest_of_its_own() {
    let world = world(
        vec![
            ("README.md", "# All\n"),
            ("pay/README.md", "# Pay\n"),
            ("pay/docs/refund.md", "# How to refund\n"),
        ],
        NOW,
    );
    let request = UnitInitRequest {
        directory: Some("./pay/".to_owned()),
        ..at(1)
    };
    let (answer, _) = run(&world, request);
    assert_eq!(answer.written, ["pay/knowledge.yaml", "pay/.well-known/kcp.json"]);
    let paths: Vec<&str> = answer.units.iter().map(|unit| unit.path.as_str()).collect();
    assert_eq!(
        (answer.project.as_str(), paths),
        ("pay", vec!["README.md", "docs/refund.md"])
    );
    assert_eq!(answer.llms_line, "> knowledge: /pay/knowledge.yaml");
    let nowhere = UnitInitRequest {
        directory: Some("gone".to_owned()),
        ..at(1)
    };
    assert!(UnitInit::run(&world.ctx(), nowhere).is_err());
}

const CORS: &str = "# Cross-Origin Resource Sharing {#cors}\n\nA <abbr title=\"x\">browser</abbr> sends the origin of a page &mdash; and **CORS** says whether the server answers it.\n\n## Enable it\n\nTo enable CORS, list the origins. The origins are those of the frontend, and you have to enable them.\n";

fn translated() -> Vec<(&'static str, &'static str)> {
    vec![
        (
            "README.md",
            "# Fast\n\nFast is a framework for the web, and it is made for you.\n",
        ),
        ("LICENSE", "The MIT License (MIT)\n\nPermission is hereby granted\n"),
        (".github/SECURITY.md", "# Security\n\nWrite to us.\n"),
        ("docs/en/docs/cors.md", CORS),
        (
            "docs/en/docs/start.md",
            "# First steps\n\nInstall the package, and run the server that you have with it.\n",
        ),
        (
            "docs/de/docs/cors.md",
            "# CORS\n\nDer Browser sendet den Ursprung der Seite, und das ist die Frage an den Server.\n",
        ),
        (
            "docs/zh/docs/cors.md",
            "# 跨域资源共享\n\n浏览器发送页面的来源,服务器决定是否回答。这是关于跨域资源共享的页面。\n",
        ),
    ]
}

#[test]
fn g1_translations_are_counted_and_a_question_finds_the_original() {
    let world = world(translated(), NOW);
    let (answer, verdict) = run(&world, UnitInitRequest::default());
    assert_eq!(verdict, Verdict::Yes);
    let left: Vec<(&str, usize)> = answer
        .translations
        .iter()
        .map(|left| (left.language.as_str(), left.documents))
        .collect();
    assert_eq!(
        (answer.language.as_deref(), left),
        (Some("en"), vec![("de", 1), ("zh", 1)])
    );
    let mut page = lore_seam::Page::default();
    lore_seam::Render::render(&answer, &mut page);
    assert!(
        page.into_text().contains(
            "left out 2 translations, because the units are in `en`: de 1, zh 1; --lang chooses another language, --lang all keeps all\n"
        )
    );
    let text = written(&world, "knowledge.yaml");
    assert!(
        text.contains("language: en\n") && text.contains("kind: policy\n"),
        "{text}"
    );
    assert_eq!(codes(&text), Vec::<String>::new(), "{text}");
    let found = |question: &str| {
        let manifest = crate::testing::of_files([("knowledge.yaml", text.as_bytes())]);
        let request = crate::query::UnitQueryRequest {
            terms: vec![question.to_owned()],
            ..crate::query::UnitQueryRequest::default()
        };
        let answer = crate::query::UnitQuery::run(&manifest.ctx(), request)
            .unwrap()
            .value
            .answer;
        answer
            .results
            .first()
            .map(|first| first.path.clone())
            .unwrap_or_default()
    };
    for (question, path) in [
        ("how do I enable CORS?", "docs/en/docs/cors.md"),
        ("which origins may a frontend have?", "docs/en/docs/cors.md"),
        ("how do I report a vulnerability", ".github/SECURITY.md"),
        ("under which licence is it?", "LICENSE"),
    ] {
        assert_eq!(found(question), path, "{question}");
    }
}

#[test]
fn g1_another_language_or_all_of_them_can_be_chosen() {
    let with = |lang: &str| UnitInitRequest {
        lang: Some(lang.to_owned()),
        ..UnitInitRequest::default()
    };
    let world = world(translated(), NOW);
    let (german, _) = run(&world, with("de"));
    let paths: Vec<&str> = german.units.iter().map(|unit| unit.path.as_str()).collect();
    assert_eq!(
        paths,
        ["README.md", "LICENSE", ".github/SECURITY.md", "docs/de/docs/cors.md"]
    );
    let dry = |lang: &str| UnitInitRequest {
        dry_run: true,
        ..with(lang)
    };
    let (all, _) = run(&world, dry("all"));
    assert_eq!((all.units.len(), all.translations.len(), all.language), (7, 0, None));
    let (none, verdict) = run(&world, dry("fr"));
    assert_eq!(verdict, Verdict::No);
    assert_eq!(
        none.reason.as_deref(),
        Some("no document is in the language `fr`; there are: de 1, en 2, zh 1")
    );
    let wrong = UnitInit::run(&world.ctx(), dry("klingon")).unwrap_err();
    assert_eq!(wrong.message, "`klingon` is not a known language");
}

#[test]
fn g1_intents_have_no_markup() {
    let world = world(
        vec![
            (
                "docs/a.md",
                "# The {ref}`pool` of [links](https://x) &amp; tags{: .wide}\n",
            ),
            (
                "docs/b.md",
                "# Markers\n\n<dfn title=\"x\">Markers</dfn>&nbsp;are <custom-tag attribute=\"y\">names</custom-tag> that a page has.[^1]\n",
            ),
            (
                "docs/c.rst",
                "Roles\n=====\n\nA :term:`role <the target>` and :py:class:`~a.b.Role` are roles of a text.\n",
            ),
            ("docs/d.md", "# {{ page.title }} Templates {% raw %}\n"),
            (
                "docs/e.md",
                "# Query Parameters\n\nThe query is what goes after the `?` in an address of a page.\n",
            ),
        ],
        NOW,
    );
    let (answer, _) = run(&world, at(1));
    let intents: Vec<&str> = answer.units.iter().map(|unit| unit.intent.as_str()).collect();
    assert_eq!(
        intents,
        [
            "What is there to know about the pool of links & tags?",
            "Markers are names that a page has.",
            "A role and Role are roles of a text.",
            "What is there to know about templates?",
            "The query is what goes after the \"?\" in an address of a page.",
        ]
    );
}

#[test]
fn g1_without_documents_nothing_is_written() {
    let world = world(vec![("src/main.rs", "fn main() {}\n")], NOW);
    let (answer, verdict) = run(&world, at(1));
    assert_eq!((answer.written.len(), verdict), (0, Verdict::No));
    assert!(world.written.lock().unwrap().is_empty());
}

#[test]
fn a35_the_discovery_document_says_standalone_and_is_never_replaced() {
    let first = world(files(), NOW);
    run(&first, at(1));
    let value: serde_json::Value = serde_json::from_str(&written(&first, ".well-known/kcp.json")).unwrap();
    assert_eq!(value["network"]["role"], "standalone");
    assert_eq!(
        (&value["manifest"], &value["kcp_version"]),
        (&"/knowledge.yaml".into(), &"0.12".into())
    );
    let mut own = files();
    own.push((".well-known/kcp.json", "{}"));
    let second = world(own, NOW);
    assert_eq!(run(&second, at(1)).0.written, ["knowledge.yaml"]);
}

#[test]
fn a2_init_names_the_version_that_every_reader_takes_unless_told_otherwise() {
    let world = world(files(), NOW);
    let request = UnitInitRequest {
        kcp_version: "0.14".to_owned(),
        ..at(1)
    };
    run(&world, request);
    assert!(written(&world, "knowledge.yaml").contains("kcp_version: \"0.14\"\n"));
    let wrong = UnitInitRequest {
        kcp_version: "9".to_owned(),
        ..at(1)
    };
    assert!(UnitInit::run(&world.ctx(), wrong).is_err());
}

proptest::proptest! {
    #![proptest_config(lore_testing::cases(256))]

    /// Whatever documents are called and say, the manifest is valid, without a warning, and each intent is one sentence of its own.
    #[test]
    fn any_documents_make_a_manifest_without_warnings(
        documents in proptest::collection::btree_map("docs/[a-cA-C0-9 .'\"#:é&*-]{1,6}\\.(md|rst|txt)", "(#|=|-|[A-D][a-d]{0,6}|TODO|\\*|`|:|\\[x\\]\\(y\\)|\"|\\.|\\?| |\n){0,60}", 1..6),
        level in 1u8..=3,
    ) {
        let world = crate::testing::of_files(documents);
        let answer = UnitInit::run(&world.ctx(), at(level));
        let answer = answer.map_err(|error| proptest::test_runner::TestCaseError::fail(error.message))?;
        if answer.verdict == Verdict::Yes {
            let text = written(&world, "knowledge.yaml");
            proptest::prop_assert_eq!(codes(&text), Vec::<String>::new(), "{}", text);
            let intents: std::collections::HashSet<String> =
                answer.value.units.iter().map(|unit| unit.intent.clone()).collect();
            proptest::prop_assert_eq!(intents.len(), answer.value.units.len(), "{}", text);
            proptest::prop_assert!(!text.contains("TODO"), "{}", text);
        }
    }
}
