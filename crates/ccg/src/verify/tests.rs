//! Clauses D2 and D4 on small trees.

use serde_json::json;

use super::{CcgVerifyAnswer, CheckedChange, VerifyFormat, applied};
use crate::constraints::{CheckedConstraint, Constraint, check};
use crate::diff::testing::fixture;
use crate::diff::{Diff, compare};
use lore_seam::{Page, Render, Style};

const BEFORE: &str = "
== shop.py
def total(items, rate):
    amount = sum(item.price * item.count for item in items)
    return round(amount * (1 + rate), 2)
def over(x):
    return x
def over(x, y):
    return x + y
class Cart:
    def put(self, item, count):
        if count <= 0:
            raise ValueError(count)
        self.items.append((item, count))
class Coupon:
    def apply(self, cart, code, amount):
        cart.amount = cart.amount - self.table[code] * amount
        return cart.amount if cart.amount > 0 else 0
== old.py
def unused(x):
    return x
== util/text.py
def slug(title):
    letters = [letter.lower() for letter in title if letter.isalnum()]
    return '-'.join(letters)[:40]
== edges
import shop -> util.text
import old -> shop
";

const AFTER: &str = "
== shop.py
def sum_of(items, rate):
    amount = sum(item.price * item.count for item in items)
    return round(amount * (1 + rate), 2)
def over(x, y):
    return x + y
class Basket:
    def put(self, item, count):
        if count <= 0:
            raise ValueError(count)
        self.items.append((item, count))
== coupons.py
class Coupon:
    def apply(self, cart, code, amount):
        cart.amount = cart.amount - self.table[code] * amount
        return cart.amount if cart.amount > 0 else 0
def extra(x):
    return x
== util/names.py
def slug(title):
    letters = [letter.lower() for letter in title if letter.isalnum()]
    return '-'.join(letters)[:40]
== edges
import shop -> util.names
import coupons -> shop
";

fn verify(tree: &str, diff: &Diff) -> Vec<CheckedChange> {
    applied(&fixture(tree).inventory(), None, diff)
}

/// The changes that are missing, and why.
fn missing(tree: &str, diff: &Diff) -> Vec<String> {
    let changes = verify(tree, diff);
    let missing = changes.iter().filter(|change| !change.applied);
    missing
        .map(|change| {
            let reason = change.reason.as_deref().expect("it says why");
            let place = change.path.as_ref().map_or_else(String::new, |path| {
                format!(
                    " @{path}{}",
                    change.line.map_or_else(String::new, |line| format!(":{line}"))
                )
            });
            format!("{}: {reason}{place}", change.kind)
        })
        .collect()
}

fn made() -> Diff {
    compare(&fixture(BEFORE).inventory(), &fixture(AFTER).inventory()).0
}

#[test]
fn d2_a_diff_is_verified_by_its_target_and_not_by_its_base() {
    let diff = made();
    assert!(missing(AFTER, &diff).is_empty(), "{:?}", missing(AFTER, &diff));
    let all = verify(AFTER, &diff).len();
    assert_eq!(all, 11, "{}", diff.to_text());
    assert_eq!(
        missing(BEFORE, &diff),
        [
            "modules.added: the module coupons is missing",
            "modules.removed: the module old still exists @old.py",
            "modules.renamed: the module util.names is missing",
            "symbols.moved: the module coupons is missing",
            "symbols.renamed: shop.Basket is missing",
            "symbols.renamed: shop.sum_of is missing",
            "symbols.added: coupons.extra is missing",
            "symbols.removed: old.unused still exists @old.py:1",
            "symbols.removed: shop.over still exists @shop.py:6",
            "dependencies.added: coupons does not depend on shop",
            "dependencies.removed: old still depends on shop: old imports shop @old.py:1",
        ]
    );
    // And back again.
    let back = compare(&fixture(AFTER).inventory(), &fixture(BEFORE).inventory()).0;
    assert!(missing(BEFORE, &back).is_empty());
    assert_eq!(missing(AFTER, &back).len(), verify(AFTER, &back).len());
}

#[test]
fn d2_no_changes_are_always_there() {
    let nothing = Diff::parse(br#"{"changes": {}}"#, "plan.json").expect("it is one");
    assert!(verify(BEFORE, &nothing).is_empty());
}

#[test]
fn d2_an_old_name_that_is_kept_is_not_renamed() {
    let diff = made();
    let kept = AFTER.replace("class Basket", "class Cart:\n    old = 1\nclass Basket");
    assert_eq!(
        missing(&kept, &diff),
        ["symbols.renamed: shop.Cart still exists @shop.py:6"]
    );
    let kept = AFTER.replace("class Basket", "class Coupon:\n    old = 1\nclass Basket");
    assert_eq!(
        missing(&kept, &diff),
        ["symbols.moved: shop.Coupon still exists @shop.py:6"]
    );
}

fn plan(changes: serde_json::Value) -> Diff {
    let text = json!({"target": "ccg:refactor/shop", "changes": changes}).to_string();
    Diff::parse(text.as_bytes(), "plan.json").expect("it is one")
}

#[test]
fn d2_a_plan_may_use_the_ends_of_names() {
    let diff = plan(json!({
        "modules": {"renamed": [{"old": "util.text", "new": "util.names"}]},
        "symbols": {
            "renamed": [{"old": "total", "new": "sum_of"}, {"old": "Cart", "new": "shop.Basket"}],
            "moved": [{"symbol": "Coupon", "from": "shop", "to": "coupons"}],
            "added": ["extra"],
            "removed": ["unused"]
        }
    }));
    assert!(missing(AFTER, &diff).is_empty(), "{:?}", missing(AFTER, &diff));
    assert_eq!(missing(BEFORE, &diff).len(), 6);
}

#[test]
fn d2_a_name_that_means_several_is_not_there() {
    let diff = plan(json!({"symbols": {"added": ["slug"]}}));
    let tree = format!("== more.py\ndef slug(x):\n    return x\n{AFTER}");
    assert_eq!(
        missing(&tree, &diff),
        ["symbols.added: `slug` means 2 symbols (more.slug, util.names.slug): write the whole name"]
    );
    // What is to be removed has to be gone everywhere.
    let diff = plan(json!({"symbols": {"removed": ["slug"]}}));
    assert_eq!(
        missing(&tree, &diff),
        ["symbols.removed: more.slug still exists @more.py:1"]
    );
}

fn checked(constraints: &[serde_json::Value], edges: &str) -> Vec<CheckedConstraint> {
    let tree = fixture(&format!("{BEFORE}{edges}"));
    let constraints = Constraint::parse_all(constraints, "lore.toml").expect("they are some");
    check(&tree.inventory(), &constraints, "lore.toml").expect("they can be checked")
}

fn rendered(answer: &CcgVerifyAnswer) -> String {
    let mut page = Page::new(Style::default());
    answer.render(&mut page);
    page.into_text()
}

#[test]
fn d2_the_outcome_is_told_with_evidence() {
    let constraints = checked(
        &[
            json!({"type": "noCircularDeps"}),
            json!({"type": "maxComplexity", "scope": "shop.*", "value": 1, "message": "split it"}),
            json!({"type": "noDirectCalls", "from": "shop", "to": "web"}),
            json!({"type": "mustCallThrough", "from": "old", "to": "util", "via": "shop.Cart"}),
        ],
        "import util.text -> old 4\ncall old.unused -> shop.total 2\ncall shop.total -> util.text.slug 3\n",
    );
    let changes = verify(BEFORE, &plan(json!({"symbols": {"added": ["total", "nothing"]}})));
    let answer = CcgVerifyAnswer::new(changes, constraints, VerifyFormat::Text);
    assert_eq!(
        rendered(&answer),
        "\
changes: 1 of 2 are done
  missing  symbols.added        nothing
           nothing is missing
constraints: 1 of 4 are kept
  BROKEN   noCircularDeps
           old.py:1  old -> shop -> util.text -> old
             old.py:1  old
             shop.py:1  shop
             util/text.py:4  util.text
  BROKEN   maxComplexity scope=shop.* value=1
           split it
           shop.py:9  shop.Cart.put has a complexity of 2, more than 1
  holds    noDirectCalls from=shop to=web
           note: `to` (web) matches nothing
  BROKEN   mustCallThrough from=old to=util via=shop.Cart
           old.py:2  old.unused -> shop.total -> util.text.slug
             old.py:2  old.unused
             shop.py:3  shop.total
             util/text.py:1  util.text.slug
not verified
"
    );
    let answer = CcgVerifyAnswer::new(Vec::new(), Vec::new(), VerifyFormat::Json);
    let value: serde_json::Value = serde_json::from_str(&rendered(&answer)).expect("it is JSON");
    assert_eq!(value["verified"], json!(true));
}

#[test]
fn d4_sarif_names_rules_levels_and_places() {
    let constraints = checked(
        &[
            json!({"type": "noCircularDeps"}),
            json!({"type": "maxComplexity", "scope": "*", "value": 1, "message": "Split it"}),
            json!({"type": "noDirectCalls", "from": "old", "to": "util", "message": "Ask the shop"}),
            json!({"type": "noDirectCalls", "from": "old", "to": "web"}),
        ],
        "import util.text -> old 4\ncall old.unused -> util.text.slug name 2\n",
    );
    let changes = verify(BEFORE, &plan(json!({"symbols": {"removed": ["unused"]}})));
    let answer = CcgVerifyAnswer::new(changes, constraints, VerifyFormat::Sarif);
    let log: serde_json::Value = serde_json::from_str(&rendered(&answer)).expect("it is JSON");
    assert_eq!(log["version"], json!("2.1.0"));
    let run = &log["runs"][0];
    assert_eq!(run["tool"]["driver"]["name"], json!("lore"));
    let rules = run["tool"]["driver"]["rules"].as_array().expect("there are rules");
    assert_eq!(rules.len(), 8);
    let results = run["results"].as_array().expect("there are results");
    let told: Vec<String> = results
        .iter()
        .map(|row| {
            let index = row["ruleIndex"].as_u64().expect("it has a rule") as usize;
            assert_eq!(rules[index]["id"], row["ruleId"]);
            let place = &row["locations"][0]["physicalLocation"];
            format!(
                "{} {} {} {}:{}",
                row["level"].as_str().expect("it has a level"),
                row["ruleId"].as_str().expect("it has a rule"),
                row["message"]["text"].as_str().expect("it has a message"),
                place["artifactLocation"]["uri"].as_str().unwrap_or("-"),
                place["region"]["startLine"]
            )
        })
        .collect();
    assert_eq!(
        told,
        [
            "error changeNotApplied symbols.removed \"unused\": old.unused still exists old.py:1",
            "error noCircularDeps old -> shop -> util.text -> old old.py:1",
            "error maxComplexity shop.Cart.put has a complexity of 2, more than 1. Split it shop.py:9",
            "warning noDirectCalls old.unused calls util.text.slug, judged by its name. Ask the shop old.py:2",
            "note noDirectCalls `to` (web) matches nothing lore.toml:1",
        ]
    );
    let steps = &results[1]["codeFlows"][0]["threadFlows"][0]["locations"];
    assert_eq!(
        steps[2]["location"]["physicalLocation"]["artifactLocation"]["uri"],
        json!("util/text.py")
    );
    let print = results[1]["partialFingerprints"]["loreConstraint/v1"]
        .as_str()
        .expect("it has one");
    assert_eq!(print.len(), 32);
}

#[test]
fn d4_sarif_without_findings_is_an_empty_run() {
    let answer = CcgVerifyAnswer::new(
        Vec::new(),
        checked(&[json!({"type": "noCircularDeps"})], ""),
        VerifyFormat::Sarif,
    );
    let log: serde_json::Value = serde_json::from_str(&rendered(&answer)).expect("it is JSON");
    assert_eq!(log["runs"][0]["results"], json!([]));
    assert_eq!(log["runs"][0]["properties"]["verified"], json!(true));
}

fn written(changes: serde_json::Value) -> Diff {
    let text = json!({ "@type": "ccg:Diff", "target": "ccg:refactor/plan", "changes": changes }).to_string();
    Diff::parse(text.as_bytes(), "plan.json").expect("a diff")
}

#[test]
fn d2_what_the_base_never_had_is_not_taken_away() {
    let diff = written(json!({
        "modules": { "removed": [{ "name": "old" }, { "name": "odl" }] },
        "symbols": {
            "removed": ["shop.total", "supr_len_typo"],
            "renamed": [{ "old": "Cart", "new": "Basket" }, { "old": "Nope.old", "new": "Basket.put" }],
            "moved": [
                { "symbol": "shop.Coupon", "from": "shop", "to": "coupons" },
                { "symbol": "old.Coupon", "from": "old", "to": "coupons" },
            ],
        },
        "dependencies": { "removed": [{ "from": "old", "to": "shop" }, { "from": "old", "to": "util.text" }] },
    }));
    let (before, after) = (fixture(BEFORE), fixture(AFTER));
    let (base, target) = (before.inventory(), after.inventory());
    let reasons: Vec<String> = applied(&target, Some(&base), &diff)
        .into_iter()
        .filter_map(|change| change.reason)
        .collect();
    assert_eq!(
        reasons,
        [
            "the base does not have the module odl",
            "the base does not have old.Coupon in old",
            "the base does not have Nope.old",
            "the base does not have supr_len_typo",
            "the base does not have old -> util.text",
        ]
    );

    let without = applied(&target, None, &diff);
    assert!(without.iter().all(|change| change.applied));
    let notes: Vec<&str> = without.iter().filter_map(|change| change.note.as_deref()).collect();
    assert_eq!(notes.len(), without.len());
    assert!(notes.contains(&"it is unknown whether the base had supr_len_typo: the base is not available"));
}

#[test]
fn d0_a_name_that_is_empty_is_no_name() {
    for changes in [
        json!({ "symbols": { "removed": [""] } }),
        json!({ "symbols": { "renamed": [{ "old": " ", "new": "a" }] } }),
        json!({ "symbols": { "moved": [{ "symbol": "a", "from": "", "to": "b" }] } }),
        json!({ "modules": { "added": [{ "name": "" }] } }),
        json!({ "dependencies": { "added": [{ "from": "a", "to": "" }] } }),
    ] {
        let text = json!({ "@type": "ccg:Diff", "changes": changes }).to_string();
        let error = Diff::parse(text.as_bytes(), "plan.json").expect_err("it is refused");
        assert_eq!(error.kind, lore_seam::ErrorKind::Invalid);
        assert!(error.message.contains("is empty"), "{error}");
    }
}

#[test]
fn d4_every_result_has_a_place() {
    let diff = written(json!({
        "modules": { "added": [{ "name": "tax", "path": "src/tax.py" }, { "name": "nowhere" }] },
        "symbols": {
            "added": ["shop.missing", "gone"],
            "removed": ["shop.total"],
            "moved": [{ "symbol": "shop.over", "from": "shop", "to": "coupons" }],
        },
        "dependencies": { "added": [{ "from": "util.text", "to": "shop" }] },
    }));
    let mut answer = CcgVerifyAnswer::new(verify(BEFORE, &diff), Vec::new(), VerifyFormat::Sarif);
    for (place, document) in [
        ("plan.json", "plan.json"),
        ("./plans/a.json", "plans/a.json"),
        ("/tmp/plans/a.json", "a.json"),
        ("-", "lore.toml"),
    ] {
        answer.place = place.to_owned();
        let log: serde_json::Value = serde_json::from_str(&rendered(&answer)).expect("it is JSON");
        let results = log["runs"][0]["results"].as_array().expect("results").clone();
        let places: Vec<&str> = results
            .iter()
            .map(|result| {
                let place = &result["locations"][0]["physicalLocation"];
                assert!(place["region"]["startLine"].as_u64() >= Some(1), "{result}");
                place["artifactLocation"]["uri"].as_str().expect("a file")
            })
            .collect();
        let wanted = [
            "src/tax.py",
            document,
            "shop.py",
            "shop.py",
            document,
            "shop.py",
            "util/text.py",
        ];
        assert_eq!(places, wanted);
    }
}

/// A tree of a few modules, classes and functions, whose names and bodies are drawn from short lists, so that many of them meet.
fn drawn(seed: u64) -> String {
    let mut state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
    let mut draw = |bound: u64| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        state % bound
    };
    let body = |number: u64, indent: &str| {
        let word = ["price", "stock", "order", "client", "label"][number as usize % 5];
        let long = format!(
            "{indent}    {word} = load_{word}(value, limit)\n{indent}    return {word}.total * {word}.rate + {word}.tax[{number}]\n"
        );
        if number < 2 {
            format!("{indent}    return {number}\n")
        } else {
            long
        }
    };
    const NAMES: [&str; 11] = [
        "run", "load", "show", "__init__", "save", "stop", "find", "count", "merge", "clear", "start",
    ];
    // With few names most trees have several definitions of one; with many some have none.
    let choice = if seed.is_multiple_of(2) { 3 } else { 10 };
    let mut text = String::new();
    let mut modules = Vec::new();
    for path in ["a.py", "b.py", "pkg/__init__.py", "pkg/c.py", "pkg/d.py"] {
        if draw(4) == 0 {
            continue;
        }
        modules.push(
            path.trim_end_matches(".py")
                .trim_end_matches("/__init__")
                .replace('/', "."),
        );
        text.push_str(&format!("== {path}\n"));
        for _ in 0..draw(4) {
            let name = NAMES[draw(choice) as usize];
            text.push_str(&format!("def {name}(value, limit):\n{}", body(draw(8), "")));
        }
        for _ in 0..draw(3) {
            text.push_str(&format!(
                "class {}:\n    size = 1\n",
                ["Cart", "Shop"][draw(2) as usize]
            ));
            for _ in 0..draw(3) {
                let name = NAMES[draw(choice + 1) as usize];
                text.push_str(&format!(
                    "    def {name}(self, value, limit):\n{}",
                    body(draw(8), "    ")
                ));
            }
        }
    }
    text.push_str("== edges\n");
    let mut edges = std::collections::BTreeSet::new();
    for _ in 0..draw(6) {
        if let [_, _, ..] = modules.as_slice() {
            let pick = |number: u64| modules[number as usize % modules.len()].clone();
            edges.insert((pick(draw(8)), pick(draw(8))));
        }
    }
    for (from, to) in edges.iter().filter(|(from, to)| from != to) {
        text.push_str(&format!("import {from} -> {to}\n"));
    }
    text
}

#[test]
fn d2_every_diff_is_verified_by_its_target_and_missed_by_its_base() {
    let mut mirrored = 0;
    for seed in 0..300 {
        let (before, after) = (drawn(seed), drawn(seed + 1_000));
        let fixtures = (fixture(&before), fixture(&after));
        let (base, target) = (fixtures.0.inventory(), fixtures.1.inventory());
        assert!(compare(&base, &base).0.changes.is_empty(), "{before}");
        let diff = compare(&base, &target).0;
        let told = || format!("seed {seed}\n{before}\n-----\n{after}\n-----\n{}", diff.to_text());
        for change in applied(&target, Some(&base), &diff) {
            assert!(change.applied, "{change:?}\n{}", told());
        }
        for change in applied(&base, Some(&base), &diff) {
            assert!(!change.applied, "{change:?}\n{}", told());
        }
        let back = compare(&target, &base).0.changes;
        let counts = |changes: &crate::diff::Changes| {
            let symbols = &changes.symbols;
            (
                symbols.added.len(),
                symbols.removed.len(),
                symbols.renamed.len() + symbols.moved.len(),
            )
        };
        // Which of several definitions of one name is gone is told by their signatures alone, so that the way back may choose another.
        let is_numbered = |tree: &crate::diff::testing::Fixture| {
            tree.graph.symbols().any(|symbol| symbol.qualified_name().contains('#'))
        };
        if is_numbered(&fixtures.0) || is_numbered(&fixtures.1) {
            continue;
        }
        mirrored += 1;
        let (there, back) = (counts(&diff.changes), counts(&back));
        assert_eq!((there.0, there.1, there.2), (back.1, back.0, back.2), "{}", told());
    }
    assert!(mirrored > 10, "{mirrored}");
}
