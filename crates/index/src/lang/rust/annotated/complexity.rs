fn straight() -> u8 { 1 }
//> function straight cc=1

fn branches(n: i32) -> &'static str {
//> function branches cc=4
    if n > 10 {
        "big"
    } else if n > 5 {
        "middle"
    } else if n > 1 {
        "small"
    } else {
        "tiny"
    }
}

fn expression(n: i32) -> i32 {
//> function expression cc=2
    let m = if n > 0 { n } else { -n };
    m
}

fn loops(mut n: i32, items: &[i32]) -> i32 {
//> function loops cc=5
    for i in items {
        n += i;
    }
    while n > 100 {
        n /= 2;
    }
    let mut stack = vec![n];
    while let Some(top) = stack.pop() {
        n -= top;
    }
    loop {
        break;
    }
    n
}

fn operators(a: bool, b: bool, c: bool) -> bool {
//> function operators cc=4
    a && b || !c && a
}

fn bits(a: u8, b: u8) -> u8 { a & b | a ^ b }
//> function bits cc=1

fn arms(n: u8) -> u8 {
//> function arms cc=4
    match n {
        0 => 1,
        1 | 2 | 3 => 2,
        4..=9 => 3,
        _ => 4,
    }
}

fn no_default(o: Option<u8>) -> u8 {
//> function no_default cc=3
    match o {
        Some(n) => n,
        None => 0,
    }
}

fn guards(o: Option<u8>) -> u8 {
//> function guards cc=6
    match o {
        Some(n) if n > 10 => 1,
        Some(n) if n == 1 || n == 3 => 2,
        _ => 0,
    }
}

fn if_let(o: Option<u8>, p: Result<u8, ()>) -> u8 {
//> function if_let cc=3
    if let Some(n) = o {
        n
    } else if let Ok(n) = p {
        n
    } else {
        0
    }
}

fn chain(o: Option<u8>, p: bool) -> u8 {
//> function chain cc=4
    if let Some(n) = o && p && n > 3 {
        return n;
    }
    0
}

fn question(s: &str) -> Result<u8, std::num::ParseIntError> {
//> function question cc=1
    let n: u8 = s.parse()?;
    assert!(n > 0);
    Ok(n + "1".parse::<u8>()?)
}

fn closures(items: Vec<u8>) -> usize {
//> function closures cc=2
    let big = |n: &u8| *n > 10 && *n < 20;
//> function closures::<lambda1> cc=2
    let chosen = items
        .iter()
        .filter(|n| {
//> function closures::<lambda2> cc=3
            if **n == 0 || big(n) {
                return false;
            }
            true
        })
        .count();
    if chosen > 3 { chosen } else { 0 }
}

fn returns_closure() -> impl Fn(u8) -> Box<dyn Fn(u8) -> u8> {
//> function returns_closure cc=1
    move |a| {
//> function returns_closure::<lambda1> cc=1
        Box::new(move |b| {
//> function returns_closure::<lambda1>::<lambda1> cc=2
            if a > b { a } else { b }
        })
    }
}

fn outer(n: u8) -> u8 {
//> function outer cc=2
    fn inner(n: u8) -> u8 {
//> function outer::inner cc=3
        if n > 1 { if n > 2 { 3 } else { 2 } } else { 1 }
    }
    if n == 0 { 0 } else { inner(n) }
}

struct Machine { state: u8 }
//> struct Machine
//> field Machine::state

impl Machine {
    fn step(&mut self) -> bool {
//> method Machine::step cc=5
        'outer: loop {
            for _ in 0..self.state {
                match self.state {
                    0 => break 'outer,
                    1 => continue 'outer,
                    _ => {}
                }
            }
            break;
        }
        self.state > 0
    }
}

fn text() -> &'static str {
//> function text cc=1
    // if a && b { for x in y {} }
    /* match z { 1 => 2, _ => 3 } /* while nested { } */ */
    r#"if a || b { loop { } }"#
}
