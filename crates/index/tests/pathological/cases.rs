//! Texts that are made to hurt: for every language, nested constructs, closed and not, and signs and words that are repeated.

use lore_index::Language;

/// One text.
pub(crate) struct Case {
    /// What is repeated.
    pub(crate) name: String,
    pub(crate) text: String,
}

/// Bytes after which a line ends, so that no text is left out as squeezed.
const LINE: usize = 80;

/// What is nested in which dialects: what stands before, what opens, what is inside, what closes, what stands behind.
type Nest = (&'static [&'static str], [&'static str; 5]);

const ECMASCRIPT: &[&str] = &["javascript", "typescript", "tsx"];
const COMPONENTS: &[&str] = &["vue", "svelte"];
const EVERY: &[&str] = &[];

const NESTS: &[Nest] = &[
    (EVERY, ["", "(", "a", ")", ""]),
    (EVERY, ["", "[", "a", "]", ""]),
    (EVERY, ["", "{", "a", "}", ""]),
    (EVERY, ["", "a(", "a", ")", ""]),
    (EVERY, ["x = ", "(a + ", "a", ")", ";"]),
    (EVERY, ["", "if (a) { ", "a", "}", ""]),
    (&["python"], ["x = ", "lambda: (", "0", ")", ""]),
    (&["python"], ["x = ", "f(lambda a=", "0", ": a)", ""]),
    (&["python"], ["x = ", "f'{", "0", "}'", ""]),
    (&["python"], ["x = ", "[a for a in ", "0", "]", ""]),
    (ECMASCRIPT, ["x = ", "() => {", "0", "}", ";"]),
    (ECMASCRIPT, ["x = ", "(function () {", "0", "})", ";"]),
    (ECMASCRIPT, ["", "class A { f() {", "0", "}}", ";"]),
    (ECMASCRIPT, ["x = ", "`${", "0", "}`", ";"]),
    (ECMASCRIPT, ["x = ", "{ a: ", "0", "}", ";"]),
    (ECMASCRIPT, ["", "if (a) {} else { ", "0", "}", ""]),
    (&["typescript", "tsx"], ["type B = ", "A<", "B", ">", ";"]),
    (&["typescript"], ["", "namespace a { export ", "let b = 1", "}", ""]),
    (COMPONENTS, ["<script>\nx = ", "() => {", "0", "}", ";\n</script>"]),
    (&["go"], ["package a\nvar x = ", "func() { a(", "0", ") }", ""]),
    (&["go"], ["package a\ntype x ", "struct { a ", "int", "}", ""]),
    (&["java"], ["class B { Object x = ", "() -> {", "0", "}", "; }"]),
    (&["java"], ["class B { Object x = ", "a(() -> ", "0", ")", "; }"]),
    (&["java"], ["", "class A { ", "", "}", ""]),
    (
        &["java"],
        ["class B { Object x = ", "new A() { Object f = ", "0", ";}", "; }"],
    ),
    (&["java"], ["class B { ", "A<", "B", ">", " x; }"]),
    (&["rust"], ["fn f() { let a = ", "||{", "0", "}", "; }"]),
    (&["rust"], ["", "mod a { ", "", "}", ""]),
    (&["rust"], ["", "fn f() { ", "", "}", ""]),
    (&["rust"], ["", "impl A { fn f() { ", "", "}}", ""]),
    (&["rust"], ["type A = ", "Vec<", "u8", ">", ";"]),
    (&["rust"], ["", "a! { ", "", "}", ""]),
    (&["zig"], ["const a = ", "struct { const a = ", "0", ";}", ";"]),
    (&["ruby"], ["x = ", "lambda { ", "0", "}", ""]),
    (&["ruby"], ["", "module A\n", "", "end\n", ""]),
    (&["ruby"], ["x = ", "\"#{", "0", "}\"", ""]),
    (&["php"], ["<?php\n$x = ", "function () { return ", "0", ";}", ";"]),
    (&["php"], ["<?php\n$x = ", "fn() => (", "0", ")", ";"]),
    (&["perl"], ["my $x = ", "sub { ", "0", "}", ";"]),
    (&["lua"], ["x = ", "function() return ", "0", " end", ""]),
    (&["elixir"], ["x = ", "fn -> ", "0", " end", ""]),
    (&["elixir"], ["", "defmodule A do\n", "", "end\n", ""]),
    (&["erlang"], ["f() -> ", "fun() -> ", "0", " end", "."]),
    (&["haskell", "literate haskell"], ["x = ", "(\\a -> ", "0", ")", ""]),
    (&["clojure"], ["", "(fn [] ", "0", ")", ""]),
    (&["clojure"], ["", "(defn f [] ", "0", ")", ""]),
    (&["swift"], ["let x = ", "{ a in ", "0", "}", ""]),
    (&["swift"], ["", "class A { ", "", "}", ""]),
    (&["ocaml"], ["let x = ", "(fun a -> ", "0", ")", ""]),
    (&["ocaml"], ["", "module A = struct ", "", " end", ""]),
    (&["ocaml_interface"], ["", "module A : sig ", "", " end", ""]),
    (&["dart"], ["var x = ", "() { return ", "0", ";}", ";"]),
    (&["fsharp"], ["let x = ", "(fun a -> ", "0", ")", ""]),
    (&["bash"], ["", "f() { ", "a;", "}", ""]),
    (&["bash"], ["x=", "$(a ", "b", ")", ""]),
    (&["sql"], ["SELECT ", "(SELECT ", "1", ")", ";"]),
    (&["sql"], ["", "BEGIN ", "SELECT 1;", "END;", ""]),
    (&["r"], ["x <- ", "function(a) { ", "0", "}", ""]),
    (&["powershell"], ["$x = ", "{ ", "0", "}", ""]),
    (&["powershell"], ["", "function f { ", "0", "}", ""]),
    (
        &["solidity"],
        ["contract A { function f() public { ", "{", "a;", "}", "}}"],
    ),
    (&["nix"], ["", "(a: ", "0", ")", ""]),
    (&["nix"], ["", "{ a = ", "0", ";}", ""]),
    (&["protobuf"], ["", "message A { ", "", "}", ""]),
    (&["markdown"], ["", "> ", "a", "", ""]),
    (&["markdown"], ["", "[", "a", "](b)", ""]),
    (&["json"], ["", "{\"a\":", "0", "}", ""]),
    (&["yaml"], ["", "{a: ", "0", "}", ""]),
    (&["toml"], ["a = ", "{a = ", "0", "}", ""]),
    (&["make"], ["x = ", "$(call a,", "b", ")", ""]),
    (&["cmake"], ["", "if(A)\n", "", "endif()\n", ""]),
    (&["hcl"], ["", "a { ", "", "}\n", ""]),
    (&["graphql"], ["query ", "{ a ", "b", "}", ""]),
    (&["c", "cpp", "objectivec"], ["", "struct a { ", "int b;", "} c;", ""]),
    (&["c", "cpp", "objectivec"], ["int f() { ", "{", "a;", "}", "}"]),
    (&["cpp"], ["", "namespace a { ", "int b;", "}", ""]),
    (&["cpp"], ["auto x = ", "[] { return ", "0", ";}", ";"]),
    (&["cpp"], ["", "class A { ", "", "};", ""]),
    (&["cpp"], ["using A = ", "B<", "C", ">", ";"]),
    (&["csharp"], ["", "class A { ", "", "}", ""]),
    (
        &["csharp"],
        ["class B { object x = ", "() => { return ", "0", ";}", "; }"],
    ),
    (&["csharp"], ["", "namespace A { ", "", "}", ""]),
    (&["kotlin"], ["val x = ", "{ ", "0", "}", ""]),
    (&["kotlin"], ["", "class A { ", "", "}", ""]),
    (&["scala"], ["val x = ", "(() => ", "0", ")", ""]),
    (&["scala"], ["", "object A { ", "", "}", ""]),
    (&["groovy"], ["def x = ", "{ -> ", "0", "}", ""]),
    (&["html"], ["", "<div id=\"a\">", "a", "</div>", ""]),
    (&["html"], ["", "<x-a>", "a", "</x-a>", ""]),
    (&["css"], ["", "a { ", "b: c;", "}", ""]),
    (&["elm"], ["x = ", "(\\a -> ", "0", ")", ""]),
    (&["dockerfile"], ["FROM a\n", "RUN a && \\\n", "b", "", ""]),
];

/// What is repeated inside of something, by dialect: what comes before, what is repeated, what comes behind. Where `#` is in the
/// repeated part, it is the number of the repetition, and `^` that of the one before.
type Inside = (&'static [&'static str], [&'static str; 3]);

const INSIDE: &[Inside] = &[
    (&["rust"], ["use a::{", "a,", "a};"]),
    (&["rust"], ["", "use a::a;", ""]),
    (&["rust"], ["", "use b#::b^;", ""]),
    (&["java", "kotlin", "dart"], ["enum E{", "a,", "b}"]),
    (&["java", "kotlin", "csharp"], ["class A{", "class B#{void a(){}}", "}"]),
    (&["java", "csharp"], ["class A{", "void a(A b){a(b);}", "}"]),
    (&["java"], ["", "class A# extends A^{}", ""]),
    (&["csharp"], ["class A{", "void a(){a();}", "}"]),
    (&["python"], ["", "class A(A):0\n", ""]),
    (&["python"], ["", "class A#(A^):0\n", ""]),
    (&["typescript", "tsx"], ["", "namespace a{}", ""]),
    (&["typescript", "tsx"], ["", "declare module 'a'{}", ""]),
    (&["cpp"], ["class A:", "a,", "a{};"]),
    (&["cpp"], ["", "using namespace a;", ""]),
    (&["swift"], ["enum E{", "case a\n", "}"]),
    (&["kotlin", "cpp", "bash", "erlang"], ["", "a(){a()}", ""]),
];

/// What is repeated inside of something in a language.
fn inside(language: &Language, bytes: usize) -> Vec<Case> {
    let mut found = Vec::new();
    for (dialects, [before, repeated, behind]) in INSIDE {
        if !dialects.contains(&language.dialect) {
            continue;
        }
        let mut text = String::from(*before);
        let mut line = 0;
        for number in 1.. {
            if text.len() >= bytes {
                break;
            }
            let part = repeated
                .replace('#', &number.to_string())
                .replace('^', &(number - 1).to_string());
            line += part.len();
            text.push_str(&part);
            if line > LINE {
                text.push('\n');
                line = 0;
            }
        }
        text.push_str(behind);
        let name = format!("inside {before:?}: {repeated:?}");
        found.push(Case { name, text });
    }
    found
}

/// Signs, words and lines to repeat in every language.
pub(crate) const REPEATED: &[&str] = &[
    "(",
    "[",
    "{",
    "<",
    "a(",
    "a[",
    "a{",
    "a<",
    "A<",
    "f(a,",
    "[a,",
    "{a:",
    "<a>",
    "</a>",
    "+",
    "-",
    "*",
    "&&",
    "||",
    "!",
    "~",
    "?",
    ":",
    "a?b:",
    ".",
    "a.",
    "a.b(",
    "=>",
    "->",
    "::",
    "a::",
    "|",
    "&",
    "%",
    "^",
    "=",
    "a=",
    "==",
    ",",
    "a,",
    ";",
    "@",
    "@a ",
    "#",
    "$",
    "\\",
    "\"",
    "'",
    "`",
    "\"\"\"",
    "'''",
    "${",
    "#{",
    "`${",
    "f\"{",
    "$(",
    "\"${",
    "\"#{",
    "\"\\(",
    "/*",
    "// ",
    "--",
    "# a ",
    "{-",
    "(*",
    "<!--",
    "if (a) {",
    "if a {",
    "if a then ",
    "else if (a) ",
    "else ",
    "fn f(){",
    "func f(){",
    "function f(){",
    "function(){",
    "()=>{",
    "()=>",
    "a=>",
    "lambda: ",
    "lambda{",
    "||{",
    "|x|",
    "\\x->",
    "fun x->",
    "do ",
    "begin ",
    "case ",
    "match a {",
    "switch(a){case 1:",
    "where ",
    "let a=",
    "class A{",
    "class A ",
    "interface A{",
    "struct A{",
    "type A<T> = A<",
    "new A(){",
    "() -> {",
    "x -> ",
    "mod a{",
    "namespace a{",
    "module A ",
    "def f ",
    "def f(a=",
    "return ",
    "import ",
    "a\n",
    "a;\n",
    "a b ",
    "1 ",
    "a+",
    "\"a\"+",
    "@a(",
    "#[a]",
    "#if a\n",
    "#define a\\\n",
    "%{",
    "<<A\n",
    "<?php ",
    "{{",
    "}}",
    "}",
    ")",
    "]",
    ">",
    "- ",
    "* ",
    "> ",
    "```\n",
    "[a](",
    "![",
    "**a",
    "_a",
    "\t",
    "\r\n",
    "ß",
    "\"\\",
    "...",
    "async ",
    "await ",
    "yield ",
    "end ",
    "then ",
    "try {",
    "const ",
    "var ",
    "static ",
    "f(){}\n",
    "a=1\n",
    "a: 1\n",
    "def a; end\n",
    "int a;\n",
    "\"a\":1,\n",
    "fn a(){}\n",
    "class a{}\n",
    "# a\n",
    "###### a\n",
];

/// Texts of about so many bytes in which what a language nests is nested, closed and not.
pub(crate) fn nested(language: &Language, bytes: usize) -> Vec<Case> {
    let mut cases = Vec::new();
    for (dialects, [before, open, inside, close, behind]) in NESTS {
        if !dialects.is_empty() && !dialects.contains(&language.dialect) {
            continue;
        }
        let count = bytes / (open.len() + close.len());
        let closed = format!(
            "{before}{}{inside}{}{behind}\n",
            lines(open, count),
            lines(close, count)
        );
        cases.push(Case {
            name: format!("nested {open:?}"),
            text: closed,
        });
        let count = bytes / open.len();
        cases.push(Case {
            name: format!("unclosed {open:?}"),
            text: format!("{before}{}\n", lines(open, count)),
        });
    }
    cases.push(Case {
        name: "indented".to_owned(),
        text: indented(bytes),
    });
    cases.push(Case {
        name: "a long name".to_owned(),
        text: format!("{}a\n", lines("a.", bytes / 2)),
    });
    cases.extend(inside(language, bytes));
    cases.extend(long_names(language, bytes));
    cases
}

/// Many small definitions inside of four with long names.
fn long_names(language: &Language, bytes: usize) -> Option<Case> {
    let (open, small) = match language.dialect {
        "rust" => ("fn #(){", "||0;"),
        "java" | "csharp" | "cpp" => ("class #{", "int a;"),
        "typescript" => ("namespace #{", "let a=0;"),
        "swift" => ("class #{", "var a:A\n"),
        _ => return None,
    };
    let open = open.replace('#', &"a".repeat(390)) + "\n";
    let count = bytes / small.len();
    let text = format!("{}{}{}\n", open.repeat(4), lines(small, count), "}".repeat(4));
    let name = format!("long names around {small:?}");
    Some(Case { name, text })
}

/// A text of about so many bytes that repeats another.
pub(crate) fn repeat(language: &Language, text: &str, bytes: usize) -> Case {
    // What these languages read before is no code.
    let before = match language.dialect {
        "php" => "<?php\n",
        "vue" | "svelte" => "<script>\n",
        _ => "",
    };
    Case {
        name: format!("repeated {text:?}"),
        text: format!("{before}{}\n", lines(text, bytes / text.len())),
    }
}

/// A text so many times, in lines.
fn lines(text: &str, count: usize) -> String {
    let in_line = (LINE / text.len().max(1)).max(1);
    let mut all = String::with_capacity(text.len() * count + count / in_line + 1);
    for at in 0..count {
        if at > 0 && at % in_line == 0 && !text.is_empty() {
            all.push('\n');
        }
        all.push_str(text);
    }
    all
}

/// Blocks by indentation, each deeper than the one before.
fn indented(bytes: usize) -> String {
    let mut text = String::new();
    let mut depth = 0;
    while text.len() < bytes {
        text.push_str(&" ".repeat(depth));
        text.push_str(if depth % 2 == 0 { "def f():\n" } else { "class a:\n" });
        depth += 1;
    }
    text
}
