use std::ffi::c_int;
//> import c_int from std::ffi c_int

/// Adds. Nothing more.
pub fn add(a: i32, b: i32) -> i32 {
//> function add vis=public cc=1 mods=- col=8 end=2 sig="pub fn add(a: i32, b: i32) -> i32" doc="Adds."
    a + b
}

pub(crate) const fn limit() -> usize { 8 }
//> function limit vis=internal mods=const cc=1 sig="pub(crate) const fn limit() -> usize"

async fn fetch(url: &str) -> Result<String, ()> { Ok(url.to_string()) }
//> function fetch vis=private mods=async cc=1 sig="async fn fetch(url: &str) -> Result<String, ()>"

pub unsafe fn peek(at: *const u8) -> u8 { unsafe { *at } }
//> function peek vis=public mods=unsafe cc=1

#[unsafe(no_mangle)]
pub extern "C" fn exported(n: c_int) -> c_int { n }
//> function exported vis=public mods=extern cc=1 deco="unsafe(no_mangle)"

pub const unsafe extern "C" fn everything() {}
//> function everything vis=public mods=const,unsafe,extern cc=1

async unsafe fn both() {}
//> function both mods=async,unsafe cc=1

pub fn generic<'a, T, const N: usize>(
//> function generic vis=public cc=1 end=9 sig="pub fn generic<'a, T, const N: usize>(items: &'a [T; N], count: usize,) -> impl Iterator<Item = &'a T> + 'a where T: Clone + 'a, for<'b> &'b T: PartialEq,"
    items: &'a [T; N],
    count: usize,
) -> impl Iterator<Item = &'a T> + 'a
where
    T: Clone + 'a,
    for<'b> &'b T: PartialEq,
{
    items.iter().take(count)
}

fn never() -> ! { loop {} }
//> function never cc=2 sig="fn never() -> !"

fn nested() -> i32 {
//> function nested vis=private cc=1 end=17
    fn inner(n: i32) -> i32 {
//> function nested::inner vis=private cc=2
        fn innermost() -> i32 { 1 }
//> function nested::inner::innermost vis=private cc=1
        if n > 0 { innermost() } else { 0 }
    }
    struct Temp { value: i32 }
//> struct nested::Temp
//> field nested::Temp::value
    enum Kind { A, B }
//> enum nested::Kind
//> enum_member nested::Kind::A vis=public
//> enum_member nested::Kind::B vis=public
    static COUNT: i32 = 3;
//> static nested::COUNT vis=private
    type Short = i32;
//> type_alias nested::Short vis=private
    let local = Temp { value: COUNT };
    let closure = |n: Short| n + local.value;
    let _ = (Kind::A, Kind::B);
    {
        fn in_block() {}
//> function nested::in_block
        in_block();
    }
    closure(inner(1))
}

#[inline]
#[cfg_attr(feature = "fast", inline(always))]
#[deprecated(since = "0.2.0", note = "use add")]
fn decorated() {}
//> function decorated vis=private end=0 deco="inline" deco="cfg_attr(feature = "fast", inline(always))" deco="deprecated(since = "0.2.0", note = "use add")" sig="fn decorated()"

#[cfg(unix)]
fn platform() -> &'static str { "unix" }
//> function platform cc=1 deco="cfg(unix)"
#[cfg(not(unix))]
fn platform() -> &'static str { "other" }
//> function platform#2 cc=1 deco="cfg(not(unix))"

#[cfg(target_os = "linux")]
const SEPARATOR: char = '/';
//> constant SEPARATOR deco="cfg(target_os = "linux")"
#[cfg(not(target_os = "linux"))]
const SEPARATOR: char = '\\';
//> constant SEPARATOR#2

#[cfg(unix)]
type Handle = i32;
//> type_alias Handle
#[cfg(windows)]
type Handle = *mut u8;
//> type_alias Handle#2

unsafe extern "C" {
    /// Writes bytes.
    pub fn write(fd: c_int, at: *const u8, len: usize) -> isize;
//> function write vis=public col=12 end=0 sig="pub fn write(fd: c_int, at: *const u8, len: usize) -> isize" doc="Writes bytes."
    fn printf(format: *const u8, ...) -> c_int;
//> function printf vis=private sig="fn printf(format: *const u8, ...) -> c_int"
    static errno: c_int;
//> static errno vis=private sig="static errno: c_int"
    pub static mut environ: *const u8;
//> static environ vis=public mods=mut sig="pub static mut environ: *const u8"
}

fn r#match(r#type: u8) -> u8 { r#type }
//> function match vis=private cc=1

struct Raw { r#fn: u8 }
//> struct Raw
//> field Raw::fn

pub static GREETING: &str = "fn hidden() {}";
//> static GREETING vis=public mods=- col=12 sig="pub static GREETING: &str = "fn hidden() {}""
static mut COUNTER: u32 = 0;
//> static COUNTER vis=private mods=mut sig="static mut COUNTER: u32 = 0"
pub(crate) const TABLE: [u8; 3] = [
//> constant TABLE vis=internal end=3 sig="pub(crate) const TABLE: [u8; 3] = [1, 2, 3,]"
    1, 2,
    3,
];
pub type Callback<'a, T> = Box<dyn FnMut(T) -> bool + 'a>;
//> type_alias Callback vis=public sig="pub type Callback<'a, T> = Box<dyn FnMut(T) -> bool + 'a>"
