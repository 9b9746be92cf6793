// fn commented() {}
/* struct Commented { x: u8 } /* fn nested_comment() {} */ enum StillComment { A } */

/// ```
/// fn in_doc() {}
/// struct InDoc;
/// ```
fn documented() {}
//> function documented vis=private cc=1

const TEXT: &str = "fn in_string() {} struct S { a: u8 }";
//> constant TEXT end=0

const RAW: &str = r##"
//> constant RAW end=3
fn in_raw() { "# }
struct InRaw;
"##;

const BYTES: &[u8] = b"fn in_bytes() { \" }";
//> constant BYTES
const BRACE: char = '{';
//> constant BRACE sig="const BRACE: char = '{'"
const QUOTE: char = '"';
//> constant QUOTE

fn lifetime<'a>(s: &'a str) -> &'a str { s } // fn trailing() {}
//> function lifetime cc=1 sig="fn lifetime<'a>(s: &'a str) -> &'a str"

fn größe(straße: u8) -> u8 { straße }
//> function größe col=4 cc=1 sig="fn größe(straße: u8) -> u8"

struct Übung { länge: u8, breite: u8 }
//> struct Übung col=8
//> field Übung::länge col=16
//> field Übung::breite col=27

impl Übung { fn ändern(&mut self) {} fn danach(&self) {} }
//> method Übung::ändern vis=private cc=1 col=17
//> method Übung::danach vis=private cc=1 col=41

/* ééé */ fn shifted() {}
//> function shifted col=14 cc=1

fn 世界() -> &'static str { "世界" } fn after_wide() {}
//> function 世界 cc=1 col=4
//> function after_wide cc=1 col=37

fn pointer(f: fn(u8) -> u8, n: u8) -> u8 { f(n) }
//> function pointer cc=1 sig="fn pointer(f: fn(u8) -> u8, n: u8) -> u8"

struct Holder { call: fn(&str) -> bool, kind: u8 }
//> struct Holder
//> field Holder::call sig="call: fn(&str) -> bool"
//> field Holder::kind

fn   spaced  <T>  (
//> function spaced cc=1 col=6 end=5
    t : T ,
)
{
    let _ = t;
}

fn one() {} fn two() {}
//> function one col=4 end=0
//> function two col=16 end=0
