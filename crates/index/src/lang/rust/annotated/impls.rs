use std::fmt::{self, Display};
//> import fmt from std::fmt -
//> import Display from std::fmt Display
use std::ops::{Add, Deref};
//> import Add from std::ops Add
//> import Deref from std::ops Deref

/// A point in the plane. It has two parts.
#[derive(Debug, Clone, Copy, PartialEq)]
#[repr(C)]
pub struct Point {
//> struct Point vis=public mods=- col=12 end=6 deco="derive(Debug, Clone, Copy, PartialEq)" deco="repr(C)" sig="pub struct Point" doc="A point in the plane."
    /// To the right.
    pub x: f64,
//> field Point::x vis=public col=9 end=0 sig="pub x: f64" doc="To the right."
    pub(crate) y: f64,
//> field Point::y vis=internal sig="pub(crate) y: f64"
    #[allow(dead_code)]
    tag: Option<&'static str>,
//> field Point::tag vis=private deco="allow(dead_code)" sig="tag: Option<&'static str>"
}

impl Point {
    pub const ORIGIN: Point = Point { x: 0.0, y: 0.0, tag: None };
//> constant Point::ORIGIN vis=public sig="pub const ORIGIN: Point = Point { x: 0.0, y: 0.0, tag: None }"
    const SCALE: f64 = 2.0;
//> constant Point::SCALE vis=private sig="const SCALE: f64 = 2.0"

    /// Makes a point.
    #[must_use]
    pub fn new(x: f64, y: f64) -> Self {
//> constructor Point::new vis=public cc=1 mods=- col=12 end=2 deco="must_use" sig="pub fn new(x: f64, y: f64) -> Self" doc="Makes a point."
        Point { x, y, tag: None }
    }

    pub const fn zero() -> Self { Self::ORIGIN }
//> function Point::zero vis=public mods=const cc=1 sig="pub const fn zero() -> Self"

    pub fn length(&self) -> f64 {
//> method Point::length vis=public cc=1 sig="pub fn length(&self) -> f64"
        (self.x * self.x + self.y * self.y).sqrt() * Self::SCALE
    }

    pub(crate) fn shift(&mut self, dx: f64) { self.x += dx; }
//> method Point::shift vis=internal cc=1 sig="pub(crate) fn shift(&mut self, dx: f64)"

    fn into_pair(self) -> (f64, f64) { (self.x, self.y) }
//> method Point::into_pair vis=private cc=1

    pub(super) fn boxed(self: Box<Self>) -> f64 { self.x }
//> method Point::boxed vis=internal cc=1 sig="pub(super) fn boxed(self: Box<Self>) -> f64"

    pub(in crate::shapes) fn tagged<'a>(&'a self, mut n: usize) -> Option<&'a str> {
//> method Point::tagged vis=internal cc=3
        while n > 0 && self.tag.is_some() {
            n -= 1;
        }
        self.tag
    }

    pub fn x(&self) -> f64 { self.x }
//> method Point::x#2 vis=public cc=1
}

impl Point {
    fn from_second_block() {}
//> function Point::from_second_block vis=private cc=1

    fn with_nested(&self) -> f64 {
//> method Point::with_nested vis=private cc=1
        fn helper(n: f64) -> f64 { if n > 0.0 { n } else { -n } }
//> function Point::with_nested::helper vis=private cc=2
        const HALF: f64 = 0.5;
//> constant Point::with_nested::HALF vis=private
        helper(self.x) * HALF
    }
}

impl Display for Point {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
//> method Point::fmt vis=public cc=1 col=8 sig="fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result"
        write!(f, "({}, {})", self.x, self.y)
    }
}

impl fmt::LowerHex for Point {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result { f.write_str("hex") }
//> method Point::fmt#2 vis=public cc=1
}

impl Add for Point {
    type Output = Point;
//> type_alias Point::Output vis=public sig="type Output = Point"
    fn add(self, o: Point) -> Point { Point::new(self.x + o.x, self.y + o.y) }
//> method Point::add vis=public cc=1
}

impl<'a> Add<&'a Point> for &'a Point {
    type Output = f64;
//> type_alias Point::Output#2 vis=public
    fn add(self, o: &Point) -> f64 { self.x + o.x }
//> method Point::add#2 vis=public cc=1
}

impl From<(f64, f64)> for Point {
    fn from(p: (f64, f64)) -> Self { Point::new(p.0, p.1) }
//> function Point::from vis=public cc=1
}

impl From<f64> for Point {
    #[inline(always)]
    fn from(x: f64) -> Self {
//> function Point::from#2 vis=public cc=1 end=2 deco="inline(always)"
        Point::new(x, x)
    }
}

pub struct Stack<T, const N: usize = 8>
//> struct Stack vis=public end=5 sig="pub struct Stack<T, const N: usize = 8> where T: Clone,"
where
    T: Clone,
{
    items: Vec<T>,
//> field Stack::items vis=private
}

impl<T: Clone, const N: usize> Stack<T, N> {
    pub const CAPACITY: usize = N;
//> constant Stack::CAPACITY vis=public

    pub fn new() -> Self { Stack { items: Vec::with_capacity(N) } }
//> constructor Stack::new vis=public cc=1

    pub fn push(&mut self, item: T) -> Result<(), T> {
//> method Stack::push vis=public cc=2 end=6
        if self.items.len() == N {
            return Err(item);
        }
        self.items.push(item);
        Ok(())
    }

    pub fn map<U, F>(self, f: F) -> Stack<U, N>
//> method Stack::map vis=public cc=1 end=6 sig="pub fn map<U, F>(self, f: F) -> Stack<U, N> where U: Clone, F: FnMut(T) -> U,"
    where
        U: Clone,
        F: FnMut(T) -> U,
    {
        Stack { items: self.items.into_iter().map(f).collect() }
    }
}

impl Stack<u8, 4> {
    fn only_bytes(&self) -> usize { self.items.len() }
//> method Stack::only_bytes vis=private cc=1
}

impl<T> Deref for Stack<T>
where
    T: Clone,
{
    type Target = [T];
//> type_alias Stack::Target vis=public sig="type Target = [T]"

    fn deref(&self) -> &[T] { &self.items }
//> method Stack::deref vis=public cc=1
}

pub trait Describe {
//> trait Describe vis=public sig="pub trait Describe"
    fn describe(&self) -> String;
//> method Describe::describe vis=public sig="fn describe(&self) -> String"
}

impl Describe for str {
    fn describe(&self) -> String { self.to_owned() }
//> method str::describe vis=public cc=1
}

impl<T: Describe> Describe for Vec<T> {
    fn describe(&self) -> String { String::new() }
//> method Vec::describe vis=public cc=1
}

impl<'a, T: Clone> Describe for &'a mut Stack<T> {
    fn describe(&self) -> String { String::from("mut") }
//> method Stack::describe vis=public cc=1
}

impl Describe for inner::Deep {
    fn describe(&self) -> String { String::from("deep") }
//> method Deep::describe vis=public cc=1
}

mod inner {
//> module inner vis=private
    pub struct Deep;
//> struct inner::Deep vis=public end=0 sig="pub struct Deep"

    impl Deep {
        pub fn new() -> Deep { Deep }
//> constructor inner::Deep::new vis=public cc=1
    }
}

fn local_impl() -> u8 {
//> function local_impl vis=private cc=1 end=11
    struct Local {
//> struct local_impl::Local vis=private
        n: u8,
//> field local_impl::Local::n vis=private
    }
    impl Local {
        fn get(&self) -> u8 { self.n }
//> method local_impl::Local::get vis=private cc=1
    }
    impl Default for Local {
        fn default() -> Self { Local { n: 1 } }
//> function local_impl::Local::default vis=public cc=1
    }
    Local::default().get()
}

pub struct Pair(pub u8, u8);
//> struct Pair vis=public end=0 col=12
struct Unit;
//> struct Unit vis=private sig="struct Unit"
struct Wrapper<'a, T: ?Sized + 'a>(&'a T);
//> struct Wrapper vis=private
unsafe impl Send for Unit {}
