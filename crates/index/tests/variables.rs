//! Which variables functions give a value and which they read, language by language.

use std::sync::Arc;

use lore_index::{FactsKey, FactsStore, IndexOptions, Listing, ReadError, SourceError, SourceFile, SourceTree, index};
use lore_model::{Cancel, CodeGraph, NoProgress, RepoPath, VariableUse};

/// A tree of one file.
struct OneFile(RepoPath, &'static str);

impl SourceTree for OneFile {
    fn list(&self) -> Result<Listing, SourceError> {
        let file = SourceFile {
            path: self.0.clone(),
            size: self.1.len() as u64,
            hash: None,
        };
        Ok(Listing {
            files: vec![file],
            skipped: Vec::new(),
        })
    }

    fn read(&self, _: &SourceFile) -> Result<Vec<u8>, ReadError> {
        Ok(self.1.as_bytes().to_vec())
    }
}

struct Nothing;

impl FactsStore for Nothing {
    fn get(&self, _: FactsKey) -> Option<&[u8]> {
        None
    }

    fn put(&self, _: &[(FactsKey, Vec<u8>)]) {}
}

/// `name = defined | used` for every symbol that has variables, one a line.
fn variables(path: &str, source: &'static str) -> String {
    let tree = OneFile(RepoPath::new(path).expect("a path"), source);
    let indexed = index(
        &tree,
        &Nothing,
        &IndexOptions::default(),
        &NoProgress,
        &Cancel::default(),
    )
    .expect("indexes");
    let graph = CodeGraph::open(Arc::new(indexed.snapshot.to_bytes())).expect("opens");
    let mut lines = String::new();
    for symbol in graph.symbols() {
        let all: Vec<(&str, VariableUse)> = symbol.variables().collect();
        assert!(
            all.is_sorted_by(|left, right| (left.1, left.0) < (right.1, right.0)),
            "by use and name, each once: {all:?}"
        );
        let of = |wanted: VariableUse| {
            let found = all.iter().filter(|(_, usage)| *usage == wanted);
            found.map(|(name, _)| *name).collect::<Vec<_>>().join(" ")
        };
        if !all.is_empty() {
            let (defined, used) = (of(VariableUse::Defines), of(VariableUse::Uses));
            lines.push_str(&format!("{} = {defined} | {used}\n", symbol.qualified_name()));
        }
    }
    lines
}

#[track_caller]
fn check(path: &str, source: &'static str, wanted: &str) {
    let wanted: String = wanted.lines().map(|line| format!("{}\n", line.trim())).collect();
    assert_eq!(variables(path, source), wanted);
}

#[test]
fn python() {
    check(
        "a.py",
        "\
import os
LIMIT = 10
cache = {}

def find(user_input, limit=LIMIT, *rest, **options):
    query = 'select ' + user_input
    total: int = 0
    for number, row in enumerate(run(query)):
        total += row.size
        if number > limit:
            break
    with open(query) as handle:
        pass
    try:
        pass
    except ValueError as error:
        raise error
    return total, os.path

def helper(known):
    global cache
    known = known.strip()
    cache = LIMIT
    first, *others = known
    def inner(x):
        nonlocal first
        first = x
        return known
    names = [part.name for part in others if part in cache]
    return lambda key: key + first + inner(names)

class Store:
    size = 1
    def add(self, item):
        old = self.items
        self.items = item
        return [entry for entry in old]

    @staticmethod
    def make(self):
        return self
",
        "a.find = error handle number query row total | error limit number query row total user_input
         a.helper = cache first known names others part | LIMIT cache first known names others part
         a.helper.inner = first | known x
         a.helper.<lambda1> =  | first key names
         a.Store.add = entry old | entry item old
         a.Store.make =  | self",
    );
}

#[test]
fn javascript() {
    check(
        "a.js",
        "\
import { load } from './load.js';
const LIMIT = 3;
let counter = 0;

export function find(userInput, { depth, deep: { inner } }, size = LIMIT, ...rest) {
  const query = `select ${userInput}`;
  let total, unused;
  for (const row of load(query)) {
    total = row.size + depth;
  }
  for (let i = 0; i < rest.length; i++) counter += inner;
  const { first, second: renamed } = total;
  const twice = (x) => x * renamed;
  try { twice(1); } catch (error) { console.log(error); }
  return [1].map((n) => { const m = n + size; return m + first; });
}

class Store {
  constructor(items) { this.items = items; }
  add(item) { const old = this.items; old.push(item); return old; }
}
",
        "a.find = counter error first i query renamed row total | LIMIT counter depth error first i inner query rest row size total userInput
         a.find.twice =  | renamed x
         a.find.<lambda1> = m | first m n size
         a.Store.constructor =  | items
         a.Store.add = old | item old",
    );
}

#[test]
fn go() {
    check(
        "a.go",
        "\
package a

import \"fmt\"

var cache = map[string]int{}

const limit = 3

type store struct{ items []string }

func find(userInput string, sizes ...int) (total int, err error) {
	query := \"select \" + userInput
	var unused int
	for index, size := range sizes {
		total += size + index
		cache[query] = total
	}
	if value, ok := cache[query]; ok && value > limit {
		return value, nil
	}
	twice := func(x int) int { y := x * total; return y }
	fmt.Println(twice(1))
	return
}

func (s *store) add(item string) {
	old := s.items
	s.items = append(old, item)
}
",
        "a.find = err index ok query size total twice unused value | cache err index limit ok query size sizes total twice userInput value
         a.find.<lambda1> = y | total x y
         a.store.add = old | item old",
    );
}

#[test]
fn java() {
    check(
        "a/Store.java",
        "\
package a;

class Store {
    private int size;
    static final int LIMIT = 3;

    int find(String userInput, int... sizes) throws Exception {
        String query = \"select \" + userInput;
        int total = 0, unused;
        for (int i = 0; i < sizes.length; i++) total += sizes[i];
        for (int each : sizes) { total += each; }
        try (Reader reader = open(query)) {
            total = reader.read();
        } catch (Exception error) {
            throw error;
        }
        if (userInput instanceof String text) total += text.length();
        final int base = total;
        list.forEach(item -> { int more = base + item; run(more); });
        return total + size + LIMIT;
    }

    void set(int size) { this.size = size; }
}
",
        "a.Store.find = base each error i query reader text total | base each error i query reader sizes text total userInput
         a.Store.find.<lambda1> = more | base item more
         a.Store.set =  | size",
    );
}

#[test]
fn rust() {
    check(
        "a.rs",
        "\
use std::fmt;

const LIMIT: usize = 3;
static CACHE: usize = 0;

struct Store { items: Vec<String> }

fn find<T: Into<String>>(user_input: T, (left, right): (u32, u32), sizes: &[usize]) -> usize {
    let query = user_input.into();
    let mut total = left as usize;
    let unused: usize;
    for (index, size) in sizes.iter().enumerate() {
        total += size + index;
    }
    if let Some(first) = sizes.first() {
        total = *first;
    }
    match right {
        0 => {}
        other => run(other, query),
    }
    fn inner(x: usize) -> usize { x }
    let total = total + LIMIT + CACHE;
    let twice = |x: usize| { let y = x * total; inner(y) };
    twice(1)
}

impl Store {
    fn add(&mut self, item: String) {
        let old = &self.items;
        self.items.push(item);
        drop(old);
    }
}
",
        "crate::a::find = first index other query size total twice unused | CACHE LIMIT first index left other query right size sizes total twice user_input
         crate::a::find::inner =  | x
         crate::a::find::<lambda1> = y | total x y
         crate::a::Store::add = old | item old",
    );
}

#[test]
fn c() {
    check(
        "a.c",
        "\
#include <stdio.h>
#define LIMIT 3
static int counter;
struct store { int size; };

int helper(int x) { return x; }

int find(const char *user_input, int sizes[], int count) {
    int total = 0, unused;
    char query[64];
    struct store *own = make(user_input);
    for (int i = 0; i < count; i++) {
        total += sizes[i];
    }
    counter = helper(total);
    own->size = total + counter;
    snprintf(query, 64, user_input);
    return LIMIT + own->size;
}
",
        "a::helper =  | x
         a::find = counter i own query total unused | LIMIT count counter i own query sizes total user_input",
    );
}

#[test]
fn narrowing_is_no_assignment() {
    check(
        "a.py",
        "\
def f(x, y):
    if isinstance(x, str) and isinstance(y, int):
        return x
",
        "a.f =  | x y",
    );
    check(
        "a.ts",
        "\
function f(x: string | A, y: A) {
  if (typeof x === 'string' || !(y instanceof A)) return x;
  return y;
}
",
        "a.f =  | x y",
    );
}

#[test]
fn typescript_and_the_languages_of_the_plain_lowering() {
    for (path, source, wanted) in [
        (
            "a.ts",
            "type T = number;\nfunction f<K>(a: T, [b]: K[]): T { let c: T = a; return c + b; }\n",
            "a.f = c | a b c",
        ),
        (
            "a.cpp",
            "int f(int a, int b) { auto c = a; auto g = [&](int d) { return d + b; }; return g(c); }\n",
            "a::f = c | a c\na::f::g =  | b d",
        ),
        (
            "a.cs",
            "class A { int size; int F(int a, int b) { var c = a; foreach (var e in G(b)) c += e + size; return c; } }\n",
            "a.A.F = c e | a b c e",
        ),
        (
            "a.kt",
            "val top = 1\nclass A(val size: Int) { fun f(a: Int, b: Int): Int { val c = a + top; listOf(b).forEach { it + c }; return c + size } }\n",
            "a.A.f = c | a b c top\na.A.f.<lambda1> =  | c",
        ),
        (
            "a.rb",
            "class A\n  def f(a, b)\n    c = a\n    [b].each { |e| c += e }\n    @size = c\n  end\nend\n",
            "a::A::f = c | a b c e",
        ),
        (
            "a.php",
            "<?php\nfunction f($a, $b) { $c = $a; foreach ($b as $k => $v) { $c .= $v; } return $c; }\n",
            "a\\f = $c $v | $a $b $c $v",
        ),
        (
            "a.swift",
            "func f(a: Int, _ b: [Int]) -> Int { var c = a; for e in b { c += e }; if let d = g(c) { return d }; return c }\n",
            "a.f = c d e | a b c d e",
        ),
        (
            "a.scala",
            "object A { def f(a: Int, b: Int): Int = { val c = a; for (e <- List(b)) println(e); c } }\n",
            "a.A.f = c e | a b c e",
        ),
        (
            "a.dart",
            "int f(int a, List<int> b) { var c = a; for (final e in b) { c += e; } return c; }\n",
            "a.f = c e | a b c e",
        ),
    ] {
        check(path, source, wanted);
    }
}
