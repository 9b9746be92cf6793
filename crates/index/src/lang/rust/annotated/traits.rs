use std::fmt::Debug;
//> import Debug from std::fmt Debug
use std::future::Future;
//> import Future from std::future Future

/// What has a size.
///
/// More about it.
pub trait Shape: Debug + Send {
//> trait Shape vis=public mods=- col=11 end=25 sig="pub trait Shape: Debug + Send" doc="What has a size."
    /// How many corners.
    const CORNERS: usize;
//> constant Shape::CORNERS vis=public col=11 sig="const CORNERS: usize" doc="How many corners."
    const NAME: &'static str = "shape";
//> constant Shape::NAME vis=public sig="const NAME: &'static str = "shape""

    /// The unit of its area.
    type Unit: Clone + Default;
//> type_alias Shape::Unit vis=public sig="type Unit: Clone + Default" doc="The unit of its area."

    fn new() -> Self
//> constructor Shape::new vis=public end=2 sig="fn new() -> Self where Self: Sized"
    where
        Self: Sized;

    /// The area.
    fn area(&self) -> f64;
//> method Shape::area vis=public mods=- end=0 sig="fn area(&self) -> f64" doc="The area."

    /// Twice the area.
    fn double(&self) -> f64 {
//> method Shape::double vis=public cc=2 end=2 sig="fn double(&self) -> f64" doc="Twice the area."
        if Self::CORNERS == 0 { 0.0 } else { self.area() * 2.0 }
    }

    fn names() -> Vec<&'static str> { vec![Self::NAME] }
//> function Shape::names vis=public cc=1

    fn consume(self: Box<Self>) -> Self::Unit { Self::Unit::default() }
//> method Shape::consume vis=public cc=1

    unsafe fn raw(&mut self, at: *const u8);
//> method Shape::raw vis=public mods=unsafe sig="unsafe fn raw(&mut self, at: *const u8)"
}

pub(crate) trait Lending {
//> trait Lending vis=internal sig="pub(crate) trait Lending"
    type Item<'a>
//> type_alias Lending::Item vis=public end=2 sig="type Item<'a> where Self: 'a"
    where
        Self: 'a;
    fn next<'a>(&'a mut self) -> Option<Self::Item<'a>>;
//> method Lending::next vis=public sig="fn next<'a>(&'a mut self) -> Option<Self::Item<'a>>"
}

trait Marker {}
//> trait Marker vis=private end=0 sig="trait Marker"

unsafe trait Dangerous {}
//> trait Dangerous vis=private

trait Convert<T, U = T>
//> trait Convert vis=private end=5 sig="trait Convert<T, U = T> where T: Clone"
where
    T: Clone
{
    fn convert(&self, from: T) -> U;
//> method Convert::convert vis=public
}

pub trait Loader {
//> trait Loader vis=public
    fn load(&self, path: &str) -> impl Future<Output = u8> + Send;
//> method Loader::load vis=public sig="fn load(&self, path: &str) -> impl Future<Output = u8> + Send"
    async fn reload(&self) -> u8 { 1 }
//> method Loader::reload vis=public mods=async cc=1 sig="async fn reload(&self) -> u8"
}

#[derive(Debug)]
struct Square(f64);
//> struct Square vis=private deco="derive(Debug)"

impl Shape for Square {
    const CORNERS: usize = 4;
//> constant Square::CORNERS vis=public sig="const CORNERS: usize = 4"
    type Unit = u8;
//> type_alias Square::Unit vis=public
    fn new() -> Self { Square(1.0) }
//> constructor Square::new vis=public cc=1
    fn area(&self) -> f64 { self.0 * self.0 }
//> method Square::area vis=public cc=1
    unsafe fn raw(&mut self, _at: *const u8) {}
//> method Square::raw vis=public mods=unsafe cc=1
}

impl<T: Shape> Marker for T {}

impl<T> Convert<T> for Square
where
    T: Clone,
{
    default fn convert(&self, from: T) -> T { from }
//> method Square::convert vis=public mods=default cc=1 sig="default fn convert(&self, from: T) -> T"
}

fn takes(shape: &dyn Fn(u8) -> u8, of: impl Into<String>) -> Box<dyn Marker + '_> {
//> function takes vis=private cc=1 sig="fn takes(shape: &dyn Fn(u8) -> u8, of: impl Into<String>) -> Box<dyn Marker + '_>"
    let _ = (shape(1), of.into());
    todo!()
}
