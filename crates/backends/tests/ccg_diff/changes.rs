//! Clauses D1 and D2: what changed, in several languages, and whether a tree has got there.

use lore_ccg::Identity;
use lore_ccg::bundle::Part;
use lore_ccg::diff::{CcgDiff, CcgDiffAnswer, CcgDiffRequest};
use lore_ccg::source::CcgSource;
use lore_seam::{Code, GraphScope, Operation, Scope, Verdict};

use crate::support::{Tree, lines};

/// The changes between two trees.
fn changes(before: &str, after: &str) -> Vec<String> {
    let tree = Tree::new(before);
    tree.commit(after);
    let found = lines(&tree.diff(Some("HEAD~1"), Some("HEAD")));
    assert!(lines(&tree.diff(Some("HEAD"), Some("HEAD"))).is_empty());
    found
}

const PYTHON: &str = r#"== shop/__init__.py
from .cart import Cart
== shop/cart.py
"""Carts."""
from .prices import total

class Cart:
    def __init__(self, owner):
        self.owner = owner
        self.items = []

    def put(self, item, count):
        if count <= 0:
            raise ValueError(count)
        self.items.append((item, count))

    def amount(self):
        return total(self.items)
== shop/prices.py
def total(items):
    amount = 0
    for item, count in items:
        amount += item.price * count
    return round(amount, 2)
"#;

#[test]
fn d1_python_classes_functions_and_modules_are_renamed() {
    let after = PYTHON.replace("Cart", "Basket").replace("total", "sum_of");
    assert_eq!(
        changes(PYTHON, &after),
        [
            "shop.cart.Cart => shop.cart.Basket",
            "shop.prices.total => shop.prices.sum_of"
        ]
    );
    let after = PYTHON.replace("prices", "pricing");
    assert_eq!(changes(PYTHON, &after), ["module shop.prices => shop.pricing"]);
    let after = PYTHON.replace("== shop/", "== store/");
    assert_eq!(
        changes(PYTHON, &after),
        [
            "module shop => store",
            "module shop.cart => store.cart",
            "module shop.prices => store.prices"
        ]
    );
}

#[test]
fn d1_a_python_function_moves_with_its_dependencies() {
    let (cart, prices) = PYTHON.split_at(PYTHON.find("== shop/prices.py").expect("it has one"));
    let function = prices.split_once('\n').expect("it has lines").1;
    let after = format!("{}{function}", cart.replace("from .prices import total\n", ""));
    assert_eq!(
        changes(PYTHON, &after),
        [
            "-module shop.prices",
            "shop.prices.total: shop.prices => shop.cart",
            "-shop.cart -> shop.prices"
        ]
    );
}

const RUST: &str = "== Cargo.toml
[package]
name = \"shop\"
== src/lib.rs
mod cart;
mod prices;
pub use cart::Cart;
== src/cart.rs
use super::prices::total;
pub struct Cart {
    pub items: Vec<(u32, u32)>,
}
impl Cart {
    pub fn put(&mut self, price: u32, count: u32) {
        if count > 0 {
            self.items.push((price, count));
        }
    }
    pub fn amount(&self) -> u32 {
        total(&self.items)
    }
}
== src/prices.rs
pub fn total(items: &[(u32, u32)]) -> u32 {
    items.iter().map(|(price, count)| price * count).sum()
}
";

#[test]
fn d1_a_rust_type_takes_its_methods_along() {
    let after = RUST.replace("Cart", "Basket");
    assert_eq!(changes(RUST, &after), ["shop::cart::Cart => shop::cart::Basket"]);
    let after = RUST.replace("prices", "costs");
    assert_eq!(changes(RUST, &after), ["module shop::prices => shop::costs"]);
}

const GO: &str = "== go.mod
module example.org/shop
== cart/cart.go
package cart

type Cart struct {
\tItems []int
}

func (c *Cart) Put(item int, count int) {
\tfor i := 0; i < count; i++ {
\t\tc.Items = append(c.Items, item)
\t}
}
== cart/more.go
package cart

func Size(c *Cart) int {
\treturn len(c.Items)
}
";

#[test]
fn d1_a_go_file_is_no_module() {
    // Within a package a function may stand in any file.
    let (cart, more) = GO.split_at(GO.find("== cart/more.go").expect("it has one"));
    let function = more.split_once("package cart\n").expect("it has one").1;
    assert!(changes(GO, &format!("{cart}{function}")).is_empty());
    let after = GO.replace("cart.go", "basket.go").replace("Put(", "Insert(");
    assert_eq!(changes(GO, &after), ["cart.Cart.Put => cart.Cart.Insert"]);
}

const JAVA: &str = "== src/main/java/shop/Cart.java
package shop;

import java.util.ArrayList;
import java.util.List;

public class Cart {
    private final List<Integer> items = new ArrayList<>();

    public void put(int item, int count) {
        for (int i = 0; i < count; i++) {
            items.add(item);
        }
    }

    public int size() {
        return items.size();
    }
}
== src/main/java/shop/App.java
package shop;

public class App {
    public static void main(String[] args) {
        Cart cart = new Cart();
        cart.put(1, 2);
        System.out.println(cart.size());
    }
}
";

#[test]
fn d1_a_java_class_moves_to_another_package() {
    let (cart, app) = JAVA.split_at(JAVA.find("== src/main/java/shop/App.java").expect("it has one"));
    let after = format!(
        "{}{}",
        cart.replace("java/shop/", "java/shop/model/")
            .replace("package shop;", "package shop.model;"),
        app.replace("package shop;\n", "package shop;\n\nimport shop.model.Cart;\n")
    );
    assert_eq!(
        changes(JAVA, &after),
        [
            "+module shop.model",
            "shop.Cart: shop => shop.model",
            "+shop -> shop.model"
        ]
    );
}

const TYPESCRIPT: &str = "== src/cart.ts
import { total } from './prices';
export interface Item { price: number; count: number }
export class Cart {
  private items: Item[] = [];
  put(item: Item): void {
    if (item.count > 0) {
      this.items.push(item);
    }
  }
  amount(): number {
    return total(this.items);
  }
}
== src/prices.ts
import type { Item } from './cart';
export function total(items: Item[]): number {
  return items.reduce((sum, item) => sum + item.price * item.count, 0);
}
";

#[test]
fn d1_typescript_files_are_modules() {
    let after = TYPESCRIPT.replace("prices", "costs").replace("amount()", "sum()");
    assert_eq!(
        changes(TYPESCRIPT, &after),
        [
            "module src/prices => src/costs",
            "src/cart.Cart.amount => src/cart.Cart.sum"
        ]
    );
}

#[test]
fn d1_data_is_no_code() {
    let before = format!("{PYTHON}== README.md\n# Shop\n\n## Use\n== conf.json\n{{\"a\": 1}}\n");
    let after = format!("{PYTHON}== README.md\n# Store\n\n## Install\n== conf.json\n{{\"b\": 1}}\n");
    assert!(changes(&before, &after).is_empty());
}

#[test]
fn d1_the_working_tree_is_compared_with_head() {
    let tree = Tree::new(PYTHON);
    assert!(lines(&tree.diff(None, None)).is_empty());
    tree.write(&PYTHON.replace("def put", "def insert"));
    let diff = tree.diff(None, None);
    assert_eq!(lines(&diff), ["shop.cart.Cart.put => shop.cart.Cart.insert"]);
    assert!(diff.base.starts_with("ccg:local/-/tree@"), "{}", diff.base);
    let back = tree.diff(Some("."), Some("HEAD"));
    assert_eq!(lines(&back), ["shop.cart.Cart.insert => shop.cart.Cart.put"]);
}

#[test]
fn d1_a_bundle_is_compared_like_its_tree() {
    let tree = Tree::new(PYTHON);
    let after = PYTHON.replace("Cart", "Basket").replace("prices", "pricing");
    tree.commit(&after);
    let ctx = tree.ctx(Vec::new());
    for (revision, name) in [("HEAD~1", "before"), ("HEAD", "after")] {
        let scope = Scope {
            at: Some(revision.to_owned()),
            ..Scope::default()
        };
        let source = CcgSource::open(&ctx, None, &scope).expect("it is here");
        let directory = tree.root().join(".lore").join(name);
        std::fs::create_dir_all(&directory).expect("a directory");
        for part in [Part::Manifest, Part::SymbolIndex] {
            let content = source
                .required(&ctx, part)
                .expect("it is there")
                .read()
                .expect("it is read");
            std::fs::write(directory.join(part.file_name()), content).expect("it is written");
        }
    }
    let names = [".lore/before", ".lore/after"];
    for (base, target) in [(names[0], "HEAD~1"), ("HEAD", names[1]), (names[1], names[1])] {
        let diff = tree.diff(Some(base), Some(target));
        assert!(lines(&diff).is_empty(), "{base} {target}: {:?}", lines(&diff));
        assert_eq!(diff.base, diff.target);
    }
    let expected = [
        "module shop.prices => shop.pricing",
        "shop.cart.Cart => shop.cart.Basket",
    ];
    for (base, target) in [(names[0], "HEAD"), ("HEAD~1", names[1]), (names[0], names[1])] {
        assert_eq!(lines(&tree.diff(Some(base), Some(target))), expected, "{base} {target}");
    }
}

#[test]
fn d0_base_and_target_are_named_by_their_commits() {
    let tree = Tree::new(PYTHON);
    tree.commit(RUST);
    let ctx = tree.ctx(Vec::new());
    let name = |revision: &str| {
        let scope = GraphScope {
            revision: Some(revision.to_owned()),
            ..GraphScope::default()
        };
        let code: &dyn Code = ctx.ports.code.as_ref();
        let graph = code
            .graph(&scope, ctx.progress.as_ref(), &ctx.cancel)
            .expect("it is indexed");
        Identity::of(&code.origin(&scope).expect("it is known"), &graph).ccg_name()
    };
    let diff = tree.diff(Some("HEAD~1"), Some("HEAD"));
    assert_eq!((diff.base, diff.target), (name("HEAD~1"), name("HEAD")));
}

#[test]
fn d2_what_a_diff_says_is_verified_at_its_target_only() {
    let tree = Tree::new(PYTHON);
    tree.commit(
        &PYTHON
            .replace("Cart", "Basket")
            .replace("prices", "pricing")
            .replace("def put", "def insert"),
    );
    let request = CcgDiffRequest {
        base: Some("HEAD~1".to_owned()),
        target: Some("HEAD".to_owned()),
        output: Some(".lore/diff.json".to_owned()),
    };
    let written = CcgDiff::run(&tree.ctx(Vec::new()), request)
        .expect("it is written")
        .value;
    assert!(matches!(written, CcgDiffAnswer::Written(_)));
    let path = Some(".lore/diff.json");
    let there = tree.verify(Vec::new(), path, None).expect("it can be checked");
    assert_eq!(there.verdict, Verdict::Yes);
    assert_eq!(there.value.changes.len(), 3);
    let before = tree
        .verify(Vec::new(), path, Some("HEAD~1"))
        .expect("it can be checked");
    assert_eq!(before.verdict, Verdict::No);
    assert!(
        before
            .value
            .changes
            .iter()
            .all(|change| !change.applied && change.reason.is_some())
    );
}

#[test]
fn d2_what_cannot_be_asked_is_an_error() {
    let tree = Tree::new(PYTHON);
    let error = tree
        .verify(Vec::new(), None, None)
        .expect_err("there is nothing to check");
    assert!(
        error.message.starts_with("there is nothing to verify"),
        "{}",
        error.message
    );
    let error = tree
        .verify(Vec::new(), Some("none.json"), None)
        .expect_err("there is no such file");
    assert_eq!(error.kind.exit_code(), 2);
    std::fs::write(
        tree.root().join("plan.json"),
        r#"{"changes": {}, "constraints": [{"type": "tidy"}]}"#,
    )
    .expect("a file");
    let error = tree
        .verify(Vec::new(), Some("plan.json"), None)
        .expect_err("there is no such type");
    assert!(error.message.contains("constraint 1 (tidy)"), "{}", error.message);
    let request = CcgDiffRequest {
        base: Some("no-such-branch".to_owned()),
        ..CcgDiffRequest::default()
    };
    let error = CcgDiff::run(&tree.ctx(Vec::new()), request).expect_err("git does not know it");
    assert!(error.message.contains("no-such-branch"), "{}", error.message);
}
