use std::fmt;
//> import fmt from std fmt

const BEFORE: u8 = 1;
//> constant BEFORE

struct First {
//> struct First
    a: u8,
//> field First::a
    b: u8,
//> field First::b
}

fn early() -> u8 {
//> function early
    1
}

) ] 17 ]

fn second(n: u8) -> u8 {
//> function second
    let x = = n;
    x
}

impl First {
    fn get(&self) -> u8 {
//> method First::get
        self.a
    }

    fn call(&self) -> u8 {
//> method First::call
        self.get(1,, 2)
    }
}

enum Third {
//> enum Third
    A,
//> enum_member Third::A
    B,
//> enum_member Third::B
}

]]

fn last() -> u8 {
//> function last
    2
}
