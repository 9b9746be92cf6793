/// Adds up. Exported.
#[macro_export]
macro_rules! sum {
//> macro sum vis=public col=14 end=3 deco="macro_export" doc="Adds up."
    () => { 0 };
    ($x:expr $(, $rest:expr)*) => { $x + sum!($($rest),*) };
}

macro_rules! make {
//> macro make vis=private end=8
    ($name:ident) => {
        pub fn $name() -> u8 { 1 }

        struct Generated {
            field: u8,
        }
    };
}

make!(not_seen);

make! {
    also_not_seen
}

macro_rules! parens (
//> macro parens vis=private end=2
    ($e:expr) => { $e };
);

pub fn make() -> u8 {
//> function make#2 vis=public cc=1 end=4
    let v = vec![1, 2, 3];
    println!("fn fake() {{}} {}", v.len());
    parens!(sum!(1, 2))
}

some_macro! {
    fn inside_a_macro() {}
//> function inside_a_macro

    struct AlsoInside { x: u8 }
//> struct AlsoInside
//> field AlsoInside::x

    mod deep_inside { const Y: u8 = 1; }
//> module deep_inside
//> constant deep_inside::Y
}

lazy! { static ref CACHE: u8 = 1; }
//> static CACHE

mod scoped {
//> module scoped vis=private
    macro_rules! local {
//> macro scoped::local vis=private
        () => {};
    }

    fn uses() {
//> function scoped::uses cc=1
        macro_rules! in_fn { () => { 1 } }
//> macro scoped::uses::in_fn vis=private
        local!();
        let _ = in_fn!();
    }
}

#[derive(Debug, Default)]
#[some::attribute(key = "value", list(a, b))]
struct Attributed {
//> struct Attributed deco="derive(Debug, Default)" deco="some::attribute(key = "value", list(a, b))"
    #[serde(rename = "other", default)]
    field: u8,
//> field Attributed::field deco="serde(rename = "other", default)" sig="field: u8"
}

fn last() -> u8 { sum!(1) }
//> function last cc=1
