//! Clause D3: every type of constraint, kept and broken.

use serde_json::json;

use super::{CheckedConstraint, Constraint, check};
use crate::diff::testing::fixture;

const SHOP: &str = "
== ui/page.py
def show(cart):
    if cart:
        for line in cart:
            print(line)
    return total(cart)
== shop/cart.py
class Cart:
    def put(self, item):
        return save(item)
    def _check(self, item):
        return item
def total(cart):
    return load(cart)
LIMIT = 3
== shop/guard.py
def allowed(user):
    return load(user)
== db/store.py
def load(key):
    return _read(key)
def save(value):
    return load(value)
def _read(key):
    return key
";

fn checked(edges: &str, constraint: serde_json::Value) -> CheckedConstraint {
    let tree = fixture(&format!("{SHOP}== edges\n{edges}"));
    let constraints = Constraint::parse_all(&[constraint], "here").expect("it is one");
    let mut found = check(&tree.inventory(), &constraints, "here").expect("it can be checked");
    assert_eq!(found.len(), 1);
    found.remove(0)
}

/// Where it does not hold: `message @path:line`.
fn breaches(edges: &str, constraint: serde_json::Value) -> Vec<String> {
    let found = checked(edges, constraint);
    assert_eq!(found.satisfied, found.evidence.is_empty());
    let place = |row: &super::Evidence| {
        let line = row.line.map_or_else(String::new, |line| format!(":{line}"));
        row.path
            .as_ref()
            .map_or_else(String::new, |path| format!(" @{path}{line}"))
    };
    found
        .evidence
        .iter()
        .map(|row| format!("{}{}", row.message, place(row)))
        .collect()
}

const LAYERED: &str = "
call ui.page.show -> shop.cart.total
import ui.page -> shop.cart
import shop.cart -> db.store
call shop.cart.total -> db.store.load
";

#[test]
fn d3_no_circular_deps_kept() {
    assert!(breaches(LAYERED, json!({"type": "noCircularDeps"})).is_empty());
    // A module may use itself, and what is not a module of code does not count.
    assert!(
        breaches(
            "call db.store.load -> db.store._read",
            json!({"type": "noCircularDeps"})
        )
        .is_empty()
    );
}

#[test]
fn d3_no_circular_deps_broken_names_a_circle() {
    let edges = format!(
        "{LAYERED}import db.store -> ui.page 7\nimport db.store -> shop.guard\nimport shop.guard -> db.store 2\n"
    );
    let found = checked(&edges, json!({"type": "noCircularDeps"}));
    assert!(!found.satisfied);
    assert_eq!(found.evidence.len(), 1);
    assert_eq!(
        found.evidence[0].message,
        "db.store -> shop.guard -> db.store, in a group of 4 modules that all depend on each other"
    );
    let steps: Vec<String> = found.evidence[0]
        .trace
        .iter()
        .map(|step| {
            format!(
                "{} {}:{}",
                step.name,
                step.path.as_deref().unwrap_or("-"),
                step.line.unwrap_or(0)
            )
        })
        .collect();
    assert_eq!(steps, ["db.store db/store.py:1", "shop.guard shop/guard.py:2"]);
}

#[test]
fn d3_max_complexity_is_a_ceiling() {
    let limit = |scope: &str, value: u32| json!({"type": "maxComplexity", "scope": scope, "value": value});
    assert!(breaches("", limit("*", 3)).is_empty());
    assert_eq!(
        breaches("", limit("*", 2)),
        ["ui.page.show has a complexity of 3, more than 2 @ui/page.py:1"]
    );
    assert!(breaches("", limit("shop.*", 2)).is_empty());
    assert_eq!(breaches("", limit("ui", 2)).len(), 1);
    assert_eq!(breaches("", limit("ui/*.py", 2)).len(), 1);
}

#[test]
fn d3_a_pattern_that_matches_nothing_is_said() {
    let found = checked("", json!({"type": "maxComplexity", "scope": "shpo.*", "value": 1}));
    assert!(found.satisfied);
    assert_eq!(found.notes, ["`scope` (shpo.*) matches nothing"]);
    let found = checked("", json!({"type": "noDirectCalls", "from": "shop", "to": "requests.*"}));
    assert_eq!(found.notes, ["`to` (requests.*) matches nothing"]);
}

#[test]
fn d3_must_export_kept() {
    for symbols in [
        json!(["Cart", "total"]),
        json!("shop.cart.total"),
        json!(["Cart.put"]),
        json!(["LIM*"]),
    ] {
        let constraint = json!({"type": "mustExport", "module": "shop.cart", "symbols": symbols});
        assert!(breaches("", constraint.clone()).is_empty(), "{constraint}");
    }
    // The module may be named by its path.
    let constraint = json!({"type": "mustExport", "module": "shop/cart.py", "symbols": ["total"]});
    assert!(breaches("", constraint).is_empty());
}

#[test]
fn d3_must_export_broken() {
    let wanted = |module: &str, name: &str| json!({"type": "mustExport", "module": module, "symbols": [name]});
    assert_eq!(
        breaches("", wanted("db.store", "_read")),
        ["db.store does not export _read: it is private @db/store.py:5"]
    );
    assert_eq!(
        breaches("", wanted("db.store", "drop")),
        ["db.store does not export drop: the module does not define it @db/store.py"]
    );
    assert_eq!(breaches("", wanted("db.stor", "load")), ["unknown module db.stor"]);
    assert_eq!(breaches("", wanted("db", "load")), ["unknown module db"]);
}

#[test]
fn d3_must_not_export_kept() {
    let found = checked(
        "",
        json!({"type": "mustNotExport", "module": "db.store", "symbols": ["_read", "drop"]}),
    );
    assert!(found.satisfied && found.notes.is_empty());
    let found = checked(
        "",
        json!({"type": "mustNotExport", "module": "db.nothing", "symbols": ["x"]}),
    );
    assert!(found.satisfied);
    assert_eq!(found.notes, ["`module` (db.nothing) matches nothing"]);
}

#[test]
fn d3_must_not_export_broken() {
    let constraint = json!({"type": "mustNotExport", "module": "db.store", "symbols": ["l*", "db.store.save"]});
    assert_eq!(
        breaches("", constraint),
        [
            "db.store exports load @db/store.py:1",
            "db.store exports save @db/store.py:3"
        ]
    );
}

#[test]
fn d3_no_direct_calls_kept() {
    let constraint = json!({"type": "noDirectCalls", "from": "ui.*", "to": "db.*"});
    assert!(breaches(LAYERED, constraint).is_empty());
    // What is kept away from may call itself, and anything may call itself.
    let inside = "call db.store.save -> db.store.load\ncall db.store.load -> db.store.load";
    assert!(breaches(inside, json!({"type": "noDirectCalls", "from": "*", "to": "db.*"})).is_empty());
    // An import is not a call.
    assert!(
        breaches(
            "import ui.page -> db.store",
            json!({"type": "noDirectCalls", "from": "ui", "to": "db"})
        )
        .is_empty()
    );
}

#[test]
fn d3_no_direct_calls_broken() {
    let edges = format!("{LAYERED}call ui.page.show -> db.store.load 5\ncall ui.page -> os.path.join 9\n");
    assert_eq!(
        breaches(&edges, json!({"type": "noDirectCalls", "from": "ui.*", "to": "db.*"})),
        ["ui.page.show calls db.store.load @ui/page.py:5"]
    );
    // What lies outside can be meant, and so can the top level of a module.
    assert_eq!(
        breaches(&edges, json!({"type": "noDirectCalls", "from": "ui", "to": "os.*"})),
        ["ui.page calls os.path.join @ui/page.py:9"]
    );
    // A list means any of its patterns.
    assert_eq!(
        breaches(
            &edges,
            json!({"type": "noDirectCalls", "from": ["x", "ui"], "to": ["y", "db/**"]})
        )
        .len(),
        1
    );
}

#[test]
fn d3_no_direct_calls_between_the_modules_of_one_pattern() {
    let edges = "call ui.page.show -> db.store.load 5\ncall db.store.save -> db.store.load";
    assert_eq!(
        breaches(edges, json!({"type": "noDirectCalls", "from": "*", "to": "*"})),
        ["ui.page.show calls db.store.load @ui/page.py:5"]
    );
}

#[test]
fn d3_a_call_that_only_a_name_speaks_for_is_uncertain() {
    let found = checked(
        "call ui.page.show -> db.store.load name 5",
        json!({"type": "noDirectCalls", "from": "ui.*", "to": "db.*"}),
    );
    assert!(found.satisfied && found.evidence.is_empty());
    assert_eq!(found.uncertain[0].resolution, Some("name"));
    assert_eq!(
        found.uncertain[0].message,
        "ui.page.show calls db.store.load, judged by its name"
    );
    let found = checked(
        "call ui.page.show -> shop.cart.total name 5\ncall shop.cart.total -> db.store.load",
        json!({"type": "mustCallThrough", "from": "ui.*", "to": "db.*", "via": "shop.guard"}),
    );
    assert!(found.satisfied);
    assert_eq!(found.uncertain.len(), 1);
    assert_eq!(found.uncertain[0].trace[0].resolution, Some("name"));
    assert_eq!(found.uncertain[0].trace[1].resolution, None);
}

fn through(via: &str) -> serde_json::Value {
    json!({"type": "mustCallThrough", "from": "ui.*", "to": "db.*", "via": via})
}

#[test]
fn d3_must_call_through_kept() {
    // Through the guard.
    let edges = "call ui.page.show -> shop.guard.allowed\ncall shop.guard.allowed -> db.store.load";
    assert!(breaches(edges, through("shop.guard")).is_empty());
    // No way at all.
    assert!(breaches("", through("shop.guard")).is_empty());
    // Whoever calls is the guard, or what is called is.
    let direct = "call ui.page.show -> db.store.load";
    assert!(breaches(direct, through("ui.page.show")).is_empty());
    assert!(breaches(direct, through("db.store.load")).is_empty());
    // In circles.
    let edges = "call ui.page.show -> shop.cart.total\ncall shop.cart.total -> ui.page.show";
    assert!(breaches(edges, through("shop.guard")).is_empty());
}

#[test]
fn d3_must_call_through_broken_shows_the_calls() {
    let direct = "call ui.page.show -> db.store.load 5";
    assert_eq!(
        breaches(direct, through("shop.guard")),
        ["ui.page.show calls db.store.load directly @ui/page.py:5"]
    );
    let edges = "
call ui.page.show -> shop.guard.allowed 2
call shop.guard.allowed -> db.store.load
call ui.page.show -> shop.cart.total 5
call shop.cart.total -> shop.cart.Cart.put 7
call shop.cart.Cart.put -> shop.cart.total 8
call shop.cart.Cart.put -> db.store.save 3
call db.store.save -> db.store.load";
    let found = checked(edges, through("shop.guard"));
    assert_eq!(found.evidence.len(), 1);
    assert_eq!(
        found.evidence[0].message,
        "ui.page.show -> shop.cart.total -> shop.cart.Cart.put -> db.store.save"
    );
    let lines: Vec<u32> = found.evidence[0].trace.iter().filter_map(|step| step.line).collect();
    assert_eq!(lines, [5, 7, 3, 3]);
    // Only the last of those that `from` means is told, not all that call it.
    let all = json!({"type": "mustCallThrough", "from": "*", "to": "db.*", "via": "shop.guard"});
    assert_eq!(
        breaches(edges, all),
        ["shop.cart.Cart.put calls db.store.save directly @shop/cart.py:3"]
    );
    // Something outside can be the end.
    let outside = json!({"type": "mustCallThrough", "from": "ui", "to": "sqlite3.*", "via": "db"});
    let edges = "call ui.page.show -> db.store.load\ncall db.store.load -> sqlite3.connect\ncall ui.page.show -> sqlite3.connect 4";
    assert_eq!(
        breaches(edges, outside),
        ["ui.page.show calls sqlite3.connect directly @ui/page.py:4"]
    );
}

fn layered() -> serde_json::Value {
    json!({"type": "layerViolation", "layers": ["ui.*", {"name": "services", "modules": ["shop.*"]}, ["db"]]})
}

#[test]
fn d3_layer_violation_kept() {
    assert!(breaches(LAYERED, layered()).is_empty());
    // A layer may be skipped on the way down, and modules of one layer may use each other.
    let edges = "import ui.page -> db.store\nimport shop.cart -> shop.guard\nimport shop.guard -> shop.cart";
    assert!(breaches(edges, layered()).is_empty());
    // What is in no layer is not looked at.
    let partly = json!({"type": "layerViolation", "layers": ["ui", "shop"]});
    assert!(breaches("import db.store -> ui.page", partly).is_empty());
}

#[test]
fn d3_layer_violation_broken() {
    let edges = format!("{LAYERED}import db.store -> shop.cart 9\ncall shop.cart.total -> ui.page.show 6\n");
    assert_eq!(
        breaches(&edges, layered()),
        [
            "db.store of layer `layer 3` depends on shop.cart of layer `services` above it: db.store imports shop.cart @db/store.py:9",
            "shop.cart of layer `services` depends on ui.page of layer `ui.*` above it: shop.cart.total calls ui.page.show @shop/cart.py:6",
        ]
    );
    let found = checked("", json!({"type": "layerViolation", "layers": ["ui", "nothing"]}));
    assert_eq!(found.notes, ["`layer nothing` (nothing) matches nothing"]);
}

#[test]
fn d3_a_module_in_two_layers_is_an_error() {
    let tree = fixture(SHOP);
    let given = [json!({"type": "layerViolation", "layers": ["shop.*", "*.cart"]})];
    let constraints = Constraint::parse_all(&given, "lore.toml").expect("it is one");
    let error = check(&tree.inventory(), &constraints, "lore.toml").expect_err("it makes no sense");
    assert_eq!(
        error.message,
        "lore.toml: constraint 1 (layerViolation): the module shop.cart is both in layer `shop.*` and in layer `*.cart`"
    );
}

#[test]
fn d3_what_cannot_be_understood_is_an_error() {
    for (constraint, fault) in [
        (
            json!({"type": "NoCircularDeps"}),
            "(NoCircularDeps): unknown type of constraint",
        ),
        (json!({}), "(without a type): `type` is missing"),
        (json!({"type": 3}), "`type` is not a text"),
        (json!("noCircularDeps"), "it is not an object"),
        (
            json!({"type": "maxComplexity", "value": 15}),
            "(maxComplexity): `scope` is missing",
        ),
        (json!({"type": "maxComplexity", "scope": "*"}), "`value` is missing"),
        (
            json!({"type": "maxComplexity", "scope": "*", "value": "15"}),
            "`value` is not a whole number",
        ),
        (
            json!({"type": "maxComplexity", "scope": "*", "value": -1}),
            "`value` is not a whole number",
        ),
        (
            json!({"type": "maxComplexity", "scope": "*", "value": 1.5}),
            "`value` is not a whole number",
        ),
        (
            json!({"type": "maxComplexity", "scope": "a[*", "value": 1}),
            "`scope`: `a[*` is not a pattern",
        ),
        (
            json!({"type": "noCircularDeps", "scope": "*"}),
            "unknown parameter `scope`",
        ),
        (json!({"type": "mustExport"}), "`module` is missing"),
        (
            json!({"type": "mustExport", "module": "a", "symbols": []}),
            "`symbols` is empty",
        ),
        (
            json!({"type": "mustNotExport", "module": "a", "symbols": [1]}),
            "`symbols` contains a value that is not a text",
        ),
        (json!({"type": "noDirectCalls", "from": "a"}), "`to` is missing"),
        (
            json!({"type": "noDirectCalls", "from": "a", "to": {}}),
            "`to` is neither a text nor a list of texts",
        ),
        (
            json!({"type": "mustCallThrough", "from": "a", "to": "b"}),
            "`via` is missing",
        ),
        (
            json!({"type": "layerViolation", "layers": ["a"]}),
            "`layers` needs at least two layers",
        ),
        (
            json!({"type": "layerViolation", "layers": {"a": 1}}),
            "`layers` is not a list",
        ),
        (
            json!({"type": "layerViolation", "layers": ["a", {"name": "b"}]}),
            "layer `b`: `modules` is missing",
        ),
        (
            json!({"type": "layerViolation", "layers": ["a", {"module": "b"}]}),
            "layer 2 has no field `module`",
        ),
        (
            json!({"type": "noCircularDeps", "message": 1}),
            "`message` is not a text",
        ),
    ] {
        let error = Constraint::parse_all(&[json!({"type": "noCircularDeps"}), constraint.clone()], "plan.json")
            .expect_err("it is wrong");
        assert_eq!(error.kind, lore_seam::ErrorKind::Invalid);
        assert!(
            error.message.starts_with("plan.json: constraint 2 ("),
            "{}",
            error.message
        );
        assert!(error.message.contains(fault), "{constraint}: {}", error.message);
    }
    let both = [json!({"type": "x"}), json!({"type": "mustExport"})];
    let error = Constraint::parse_all(&both, "plan.json").expect_err("both are wrong");
    assert!(error.message.contains("constraint 1 (x)") && error.message.contains("constraint 2 (mustExport)"));
}
