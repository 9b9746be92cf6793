//! Clauses D3 and D4: constraints of lore.toml against real text.

use serde_json::json;

use crate::support::Tree;

const SHOP: &str = "== shop/__init__.py
from .cart import Cart as Cart, _secret
from .prices import *
== shop/cart.py
from .prices import total

class Cart:
    def amount(self, items):
        return total(items)

def _secret():
    return 1
== shop/prices.py
def total(items):
    amount = 0
    for item in items:
        if item:
            amount += item
    return amount
== shop/web.py
import sqlite3
from .cart import Cart
from .store import load

def show(key):
    return Cart().amount(load(key))

def raw(key):
    return sqlite3.connect(key)
== shop/store.py
import sqlite3

def load(key):
    return check(key) and read(key)

def check(key):
    return bool(key)

def read(key):
    return sqlite3.connect(key)
";

#[test]
fn d3_a_python_package_exports_what_it_imports() {
    let tree = Tree::new(SHOP);
    let exports = |symbols: serde_json::Value| json!({"type": "mustExport", "module": "shop", "symbols": symbols});
    assert!(tree.breaches(exports(json!(["Cart", "total"]))).is_empty());
    assert_eq!(
        tree.breaches(exports(json!(["load"]))),
        ["shop/__init__.py shop does not export load: the module does not define it"]
    );
    assert_eq!(
        tree.breaches(json!({"type": "mustNotExport", "module": "shop", "symbols": ["_*"]})),
        ["shop/__init__.py:1 shop exports _secret, which it re-exports"]
    );
}

#[test]
fn d3_a_rust_module_exports_what_is_public_and_what_it_hands_on() {
    let tree = Tree::new(
        "== Cargo.toml
[package]
name = \"shop\"
== src/lib.rs
mod cart;
pub use cart::Cart;
pub mod prices { pub fn total() -> u32 { 1 } }
mod hidden { pub fn inner() -> u32 { 1 } }
== src/cart.rs
use super::prices::total;
pub struct Cart;
impl Cart { pub fn amount(&self) -> u32 { total() } }
",
    );
    let exports = |name: &str| json!({"type": "mustExport", "module": "shop", "symbols": [name]});
    for name in ["Cart", "prices::total", "shop::prices::total"] {
        assert!(tree.breaches(exports(name)).is_empty(), "{name}");
    }
    assert_eq!(tree.breaches(exports("hidden::inner")).len(), 1);
    // That a crate declares its modules is no dependency on them; that it hands on what one holds is.
    assert_eq!(
        tree.breaches(json!({"type": "noCircularDeps"})),
        ["src/lib.rs:2 shop -> shop::cart -> shop"]
    );
}

#[test]
fn d3_circles_are_named_with_their_imports() {
    let tree = Tree::new(SHOP);
    assert!(tree.breaches(json!({"type": "noCircularDeps"})).is_empty());
    tree.write(&format!(
        "{SHOP}== shop/extra.py\nfrom . import more\n== shop/more.py\n\nfrom .extra import x\n"
    ));
    assert_eq!(
        tree.breaches(json!({"type": "noCircularDeps"})),
        ["shop/extra.py:1 shop.extra -> shop.more -> shop.extra"]
    );
}

#[test]
fn d3_complexity_and_calls_are_those_of_the_graph() {
    let tree = Tree::new(SHOP);
    assert_eq!(
        tree.breaches(json!({"type": "maxComplexity", "scope": "shop.*", "value": 2})),
        ["shop/prices.py:1 shop.prices.total has a complexity of 3, more than 2"]
    );
    assert_eq!(
        tree.breaches(json!({"type": "noDirectCalls", "from": "shop.web", "to": "sqlite3.*"})),
        ["shop/web.py:9 shop.web.raw calls sqlite3.connect"]
    );
    assert!(
        tree.breaches(json!({"type": "noDirectCalls", "from": "shop.cart", "to": "sqlite3.*"}))
            .is_empty()
    );
    assert_eq!(
        tree.breaches(json!({"type": "mustCallThrough", "from": "shop.web.show", "to": "sqlite3.connect", "via": "shop.store.check"})),
        ["shop/web.py:6 shop.web.show -> shop.store.load -> shop.store.read -> sqlite3.connect"]
    );
    assert!(
        tree.breaches(json!({"type": "mustCallThrough", "from": "shop.web.show", "to": "sqlite3.connect", "via": "shop.store.load"}))
            .is_empty()
    );
}

#[test]
fn d3_layers_point_downward() {
    let tree = Tree::new(SHOP);
    let layers = |order: serde_json::Value| json!({"type": "layerViolation", "layers": order});
    assert!(
        tree.breaches(layers(json!(["shop.web", "shop.cart", "shop/prices.py"])))
            .is_empty()
    );
    assert_eq!(
        tree.breaches(layers(
            json!(["shop.store", {"name": "pages", "modules": ["shop.web"]}])
        )),
        [
            "shop/web.py:3 shop.web of layer `pages` depends on shop.store of layer `shop.store` above it: shop.web imports shop.store.load"
        ]
    );
}

#[test]
fn d4_the_constraints_of_the_configuration_are_checked() {
    let tree = Tree::new(SHOP);
    let constraints = vec![
        json!({"type": "noCircularDeps"}),
        json!({"type": "maxComplexity", "scope": "*", "value": 1, "message": "Keep it simple"}),
    ];
    let answer = tree.verify(constraints, None, None).expect("they can be checked").value;
    assert!(!answer.verified && answer.changes.is_empty());
    assert_eq!(answer.constraints.len(), 2);
    assert!(answer.constraints[0].satisfied && !answer.constraints[1].satisfied);
    assert_eq!(answer.constraints[1].message.as_deref(), Some("Keep it simple"));
    let wrong = tree
        .verify(vec![json!({"type": "noCircularDeps", "scope": "*"})], None, None)
        .expect_err("it is wrong");
    assert!(
        wrong.message.starts_with("lore.toml: constraint 1 (noCircularDeps)"),
        "{}",
        wrong.message
    );
}
