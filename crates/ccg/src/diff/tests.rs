//! Clauses D0 and D1 on small trees.

use super::testing::{Fixture, fixture};
use super::{Diff, compare};

const SHOP: &str = "
== shop.py
def total(items, rate):
    amount = sum(item.price * item.count for item in items)
    return round(amount * (1 + rate), 2)
class Cart:
    def __init__(self, owner):
        self.owner = owner
        self.items = []
    def put(self, item, count):
        if count <= 0:
            raise ValueError(count)
        self.items.append((item, count))
    def clear(self):
        self.items = []
";

fn diff_of(base: &Fixture, target: &Fixture) -> Diff {
    compare(&base.inventory(), &target.inventory()).0
}

/// The changes of a diff, one a line.
fn changes(base: &str, target: &str) -> Vec<String> {
    lines(&diff_of(&fixture(base), &fixture(target)))
}

fn lines(diff: &Diff) -> Vec<String> {
    let changes = &diff.changes;
    let mut lines: Vec<String> = Vec::new();
    let modules = &changes.modules;
    lines.extend(modules.added.iter().map(|row| format!("+module {}", row.name)));
    lines.extend(modules.removed.iter().map(|row| format!("-module {}", row.name)));
    lines.extend(
        modules
            .renamed
            .iter()
            .map(|row| format!("module {} => {}", row.old, row.new)),
    );
    let symbols = &changes.symbols;
    lines.extend(
        symbols
            .moved
            .iter()
            .map(|row| format!("{}: {} => {}", row.symbol, row.from, row.to)),
    );
    lines.extend(symbols.renamed.iter().map(|row| format!("{} => {}", row.old, row.new)));
    lines.extend(symbols.added.iter().map(|name| format!("+{name}")));
    lines.extend(symbols.removed.iter().map(|name| format!("-{name}")));
    let dependencies = &changes.dependencies;
    lines.extend(
        dependencies
            .added
            .iter()
            .map(|row| format!("+{} -> {}", row.from, row.to)),
    );
    lines.extend(
        dependencies
            .removed
            .iter()
            .map(|row| format!("-{} -> {}", row.from, row.to)),
    );
    lines
}

/// The lines as they are if base and target change places.
fn mirrored(lines: &[String]) -> Vec<String> {
    let mut found: Vec<String> = lines
        .iter()
        .map(|line| {
            let turned = line.split_once(" => ").map(|(old, new)| match old.split_once(": ") {
                Some((symbol, from)) => format!("{}: {new} => {from}", symbol.replacen(from, new, 1)),
                None if old.starts_with("module ") => format!("module {new} => {}", &old[7..]),
                None => format!("{new} => {old}"),
            });
            match (turned, line.strip_prefix('+'), line.strip_prefix('-')) {
                (Some(turned), _, _) => turned,
                (_, Some(rest), _) => format!("-{rest}"),
                (_, _, Some(rest)) => format!("+{rest}"),
                _ => line.clone(),
            }
        })
        .collect();
    found.sort();
    found
}

/// The changes, which must be the same the other way round.
fn both_ways(base: &str, target: &str) -> Vec<String> {
    let there = changes(base, target);
    let mut back = changes(target, base);
    back.sort();
    assert_eq!(back, mirrored(&there));
    there
}

#[test]
fn d0_base_and_target_are_strings() {
    let diff = diff_of(&fixture(SHOP), &fixture(SHOP));
    let value = serde_json::to_value(&diff).expect("it is JSON");
    assert_eq!(
        value,
        serde_json::json!({
            "@context": "https://codecontextgraph.com/schema/v1",
            "@type": "ccg:Diff",
            "base": "ccg:local/-/fixture@1",
            "target": "ccg:local/-/fixture@1",
            "changes": {
                "modules": { "added": [], "removed": [], "renamed": [] },
                "symbols": { "moved": [], "renamed": [], "added": [], "removed": [] },
                "dependencies": { "added": [], "removed": [] },
            },
            "constraints": [],
        })
    );
    assert_eq!(
        Diff::parse(diff.to_text().as_bytes(), "a file").expect("it is read back"),
        diff
    );
}

#[test]
fn d0_what_is_no_diff_is_refused() {
    for (text, fault) in [
        ("{", "EOF"),
        ("{}", "missing field `changes`"),
        (r#"{"changes": {"symbol": {}}}"#, "unknown field `symbol`"),
        (
            r#"{"changes": {"symbols": {"renamed": [{"old": "a"}]}}}"#,
            "missing field `new`",
        ),
        (
            r#"{"@type": "ccg:Manifest", "changes": {}}"#,
            "its @type is `ccg:Manifest`",
        ),
    ] {
        let error = Diff::parse(text.as_bytes(), "plan.json").expect_err(text);
        assert!(
            error.message.starts_with("plan.json is not a diff document: "),
            "{}",
            error.message
        );
        assert!(error.message.contains(fault), "{}", error.message);
    }
    let planned = r#"{"target": "ccg:refactor/split", "changes": {"modules": {"added": [{"name": "db"}]}}}"#;
    assert!(
        Diff::parse(planned.as_bytes(), "plan.json")
            .expect("it is one")
            .is_planned()
    );
}

#[test]
fn d1_a_tree_and_itself_do_not_differ() {
    assert!(diff_of(&fixture(SHOP), &fixture(SHOP)).changes.is_empty());
    assert!(diff_of(&fixture(""), &fixture("")).changes.is_empty());
}

#[test]
fn d1_what_only_one_side_has_is_added_or_removed() {
    let more = format!("{SHOP}\n== tax.py\nRATE = 0.19\n");
    assert_eq!(both_ways(SHOP, &more), ["+module tax", "+tax.RATE"]);
}

#[test]
fn d1_renames_are_not_also_added_and_removed() {
    let renamed = SHOP.replace("total", "sum_of");
    assert_eq!(both_ways(SHOP, &renamed), ["shop.total => shop.sum_of"]);
    // A little of the body may change as well.
    let renamed = renamed.replace("rate), 2)", "rate), 3)");
    assert_eq!(both_ways(SHOP, &renamed), ["shop.total => shop.sum_of"]);
    // What shares nothing but its place is another one.
    let other = SHOP.replace("total", "load").replace(
        "    amount = sum(item.price * item.count for item in items)\n    return round(amount * (1 + rate), 2)",
        "    with open(items) as file:\n        for line in file:\n            yield line.strip().split(rate)[0].lower()",
    );
    assert_eq!(both_ways(SHOP, &other), ["+shop.load", "-shop.total"]);
}

#[test]
fn d1_members_of_a_renamed_class_are_covered_by_it() {
    let renamed = SHOP.replace("Cart", "Basket");
    assert_eq!(both_ways(SHOP, &renamed), ["shop.Cart => shop.Basket"]);
    let renamed = renamed.replace("def put", "def insert");
    assert_eq!(
        both_ways(SHOP, &renamed),
        ["shop.Cart => shop.Basket", "shop.Cart.put => shop.Basket.insert"]
    );
}

#[test]
fn d1_a_symbol_that_keeps_its_name_in_another_module_is_moved() {
    let (shop, cart) = SHOP.split_at(SHOP.find("class").expect("it has one"));
    let moved = format!("{shop}\n== cart.py\n{cart}");
    assert_eq!(both_ways(SHOP, &moved), ["+module cart", "shop.Cart: shop => cart"]);
    let both = moved.replace("Cart", "Basket");
    assert_eq!(both_ways(SHOP, &both), ["+module cart", "shop.Cart => cart.Basket"]);
}

#[test]
fn d1_a_function_that_becomes_a_method_is_renamed() {
    let base = "
== shop.py
class Cart:
    size = 3
def total(items, rate):
    amount = sum(item.price * item.count for item in items)
    return round(amount * (1 + rate), 2)
";
    let target = "
== shop.py
class Cart:
    size = 3
    def total(items, rate):
        amount = sum(item.price * item.count for item in items)
        return round(amount * (1 + rate), 2)
";
    assert_eq!(both_ways(base, target), ["shop.total => shop.Cart.total"]);
}

#[test]
fn d1_a_renamed_module_covers_what_it_holds() {
    let base =
        format!("{SHOP}\n== app.py\ndef main():\n    run()\n== edges\nimport app -> shop\ncall app.main -> shop.total");
    let target = base.replace("shop", "store");
    assert_eq!(both_ways(&base, &target), ["module shop => store"]);
    // A new dependency of the renamed one is told.
    let target = format!("{target}\nimport store -> app");
    assert_eq!(both_ways(&base, &target), ["module shop => store", "+store -> app"]);
}

#[test]
fn d1_a_renamed_package_takes_its_empty_modules_along() {
    let base = SHOP.replace(
        "== shop.py",
        "== old/__init__.py\n== old/sub/__init__.py\n== old/sub/shop.py",
    );
    let target = base.replace("old", "new");
    assert_eq!(
        both_ways(&base, &target),
        [
            "module old => new",
            "module old.sub => new.sub",
            "module old.sub.shop => new.sub.shop"
        ]
    );
}

#[test]
fn d1_a_copy_is_added() {
    let copied = SHOP.replace(
        "class Cart",
        "def sum_of(items, rate):
    amount = sum(item.price * item.count for item in items)
    return round(amount * (1 + rate), 2)
class Cart",
    );
    assert_eq!(both_ways(SHOP, &copied), ["+shop.sum_of"]);
}

#[test]
fn d1_of_several_that_are_alike_each_is_used_once() {
    let function = |name: &str, factor: &str| {
        format!(
            "def {name}(items, rate):\n    amount = sum(item.price * item.count for item in items)\n    return round(amount * ({factor} + rate), 2)\n"
        )
    };
    let base = format!("== a.py\n{}{}", function("one", "1"), function("two", "2"));
    let target = format!("== a.py\n{}{}", function("uno", "2"), function("due", "1"));
    assert_eq!(both_ways(&base, &target), ["a.one => a.due", "a.two => a.uno"]);
    // Equal texts go by the order of their names.
    let base = format!("== a.py\n{}{}", function("one", "1"), function("two", "1"));
    let target = format!("== a.py\n{}{}", function("uno", "1"), function("due", "1"));
    assert_eq!(both_ways(&base, &target), ["a.one => a.due", "a.two => a.uno"]);
}

#[test]
fn d1_names_that_stay_are_the_same_ones() {
    let function =
        |name: &str, word: &str| format!("def {name}(x):\n    return {word}.{word}(x) + {word}[x] * {word}\n");
    let base = format!("== a.py\n{}{}", function("a", "alpha"), function("b", "beta"));
    let swapped = format!("== a.py\n{}{}", function("a", "beta"), function("b", "alpha"));
    assert!(both_ways(&base, &swapped).is_empty());
}

#[test]
fn d1_next_to_nothing_is_not_known_again() {
    let base = "== a.py\nclass A:\n    x = 0\n    def get(self):\n        return self.x\nFIRST = 1\n";
    let target = "== a.py\nclass A:\n    y = 0\n    def take(self):\n        return self.y\nSECOND = 1\n";
    assert_eq!(
        both_ways(base, target),
        ["+a.A.take", "+a.A.y", "+a.SECOND", "-a.A.get", "-a.A.x", "-a.FIRST"]
    );
}

#[test]
fn d1_a_constructor_does_not_leave_its_class() {
    let class = |name: &str, word: &str| {
        format!(
            "class {name}:
    def __init__(self, *args, **kwargs):
        super().__init__(*args, **kwargs)
        self.options = dict(kwargs.get('options', {{}}))
    def run_{word}(self, {word}):
        return {word}.{word}({word}) + {word}[{word}] * {word} - {word}.{word}({word}, {word})
"
        )
    };
    assert_eq!(
        both_ways(
            &format!("== a.py\n{}", class("Alpha", "one")),
            &format!("== b.py\n{}", class("Omega", "two"))
        ),
        [
            "+module b",
            "-module a",
            "+b.Omega",
            "+b.Omega.__init__",
            "+b.Omega.run_two",
            "-a.Alpha",
            "-a.Alpha.__init__",
            "-a.Alpha.run_one"
        ]
    );
}

#[test]
fn d1_definitions_of_one_name_are_a_multiset() {
    let one = "def f(x):\n    return x\n";
    let two = "def f(x, y):\n    return x + y\n";
    let three = "def f(x, y, z):\n    return x + y + z\n";
    let all = format!("== a.py\n{one}{two}{three}");
    assert_eq!(both_ways(&all, &format!("== a.py\n{two}{three}")), ["-a.f#3"]);
    assert_eq!(both_ways(&all, &format!("== a.py\n{three}")), ["-a.f#2", "-a.f#3"]);
    assert!(changes(&all, &format!("== a.py\n{three}{one}{two}")).is_empty());
}

#[test]
fn d1_what_has_no_name_or_is_local_is_left_out() {
    let base = "== a.py\ndef f(x):\n    return x\n";
    let target =
        "== a.py\ndef f(x):\n    def inner(y):\n        return y\n    class Local:\n        z = 1\n    return x\n";
    assert!(both_ways(base, target).is_empty());
}

#[test]
fn d1_a_changed_order_changes_nothing() {
    let (head, body) = SHOP.split_at(SHOP.find("def total").expect("it has one"));
    let (total, cart) = body.split_at(body.find("class").expect("it has one"));
    assert!(both_ways(SHOP, &format!("{head}{cart}{total}")).is_empty());
}

#[test]
fn d1_dependencies_follow_calls_and_imports_that_are_sure() {
    let base = "== a.py\ndef f(x):\n    g(x)\n== b.py\ndef g(x):\n    return x\n== edges\ncall a.f -> b.g name";
    let target = base.replace(" name", " exact");
    assert_eq!(both_ways(base, &target), ["+a -> b"]);
}

#[test]
fn d1_bodies_that_were_edited_are_told() {
    let base = format!("{SHOP}== other.py\ndef same(x):\n    return x\n");
    let target = base.replace("round(amount * (1 + rate), 2)", "round(amount * (1 + rate), 3)");
    let target = target.replace(
        "        self.items = []\n== other",
        "        self.items.clear()\n== other",
    );
    let (before, after) = (fixture(&base), fixture(&target));
    let (diff, review) = compare(&before.inventory(), &after.inventory());
    assert!(diff.changes.is_empty(), "{}", diff.to_text());
    assert_eq!(diff.beside.edited, ["shop.Cart.clear", "shop.total"]);
    assert_eq!(review.summary(), "no name changed, the bodies of 2 symbols changed");
    let (nothing, review) = compare(&before.inventory(), &before.inventory());
    assert!(nothing.beside.is_empty());
    assert_eq!(review.summary(), "no named definition changed");
}

#[test]
fn d1_of_equal_candidates_the_name_most_alike_is_taken() {
    let body = "def teardown(function):\n    for hook in function.hooks:\n        hook.run(function.app, function.scope)\n    return function.hooks.clear()\n";
    let base = format!("== web/blueprints.py\n{body}");
    let keep = "def kept(x):\n    return x\n";
    let target =
        format!("== web/blueprints.py\n{keep}== web/sansio/app.py\n{body}== web/sansio/blueprints.py\n{body}{keep}");
    let base = format!("{base}{keep}");
    let found = changes(&base, &target);
    let moved = "web.blueprints.teardown: web.blueprints => web.sansio.blueprints";
    assert!(found.iter().any(|line| line == moved), "{found:?}");
}

#[test]
fn d1_a_reviewer_would_tell_it_so() {
    let (shop, cart) = SHOP.split_at(SHOP.find("class").expect("it has one"));
    let target = format!(
        "{}\n== cart.py\n{cart}\n    def count(self):\n        return len(self.items)\nclass Coupon:\n    code = None\n== edges\nimport cart -> shop",
        shop.replace("total(items, rate)", "total(items, rate, digits=2)")
    );
    let (base, target) = (fixture(SHOP), fixture(&target));
    let (_, review) = compare(&base.inventory(), &target.inventory());
    let mut page = lore_seam::Page::new(lore_seam::Style::default());
    lore_seam::Render::render(&review, &mut page);
    assert_eq!(
        page.into_text(),
        "\
ccg:local/-/fixture@1 -> ccg:local/-/fixture@1
1 module added, 3 symbols added, 1 moved, 1 dependency added, 1 declaration changed

modules
  + cart  cart.py

cart  new
  > class Cart came from shop
  + method Cart.count  def count(self)
  + class Coupon with 1 member

shop
  * function total
      def total(items, rate)
      def total(items, rate, digits=2)

dependencies
  + cart -> shop
"
    );
}
