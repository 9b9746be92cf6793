/// A colour.
#[derive(Clone, Debug)]
#[non_exhaustive]
#[repr(u8)]
pub enum Color {
//> enum Color vis=public mods=- col=10 end=12 deco="derive(Clone, Debug)" deco="non_exhaustive" deco="repr(u8)" sig="pub enum Color" doc="A colour."
    /// Like blood.
    Red,
//> enum_member Color::Red vis=public col=5 sig="Red" doc="Like blood."
    Green = 5,
//> enum_member Color::Green vis=public sig="Green = 5"
    #[deprecated]
    Gray(u8),
//> enum_member Color::Gray vis=public deco="deprecated"
    Rgb { r: u8, g: u8, b: u8 },
//> enum_member Color::Rgb vis=public
//> field Color::Rgb::r col=11
//> field Color::Rgb::g col=18
//> field Color::Rgb::b col=25
    Named {
//> enum_member Color::Named vis=public end=4
        /// Its name.
        name: String,
//> field Color::Named::name doc="Its name."
        alpha: Option<f32>,
//> field Color::Named::alpha sig="alpha: Option<f32>"
    },
}

impl Color {
    pub const BLACK: Color = Color::Gray(0);
//> constant Color::BLACK vis=public

    pub fn is_red(&self) -> bool { matches!(self, Color::Red) }
//> method Color::is_red vis=public cc=1

    #[allow(non_snake_case)]
    fn Red() -> Color { Color::Red }
//> function Color::Red#2 vis=private cc=1
}

enum Tree<T>
//> enum Tree vis=private end=6 sig="enum Tree<T> where T: Ord"
where
    T: Ord
{
    Leaf,
//> enum_member Tree::Leaf
    Node(Box<Tree<T>>, T, Box<Tree<T>>),
//> enum_member Tree::Node
}

impl<T: Ord> Tree<T> {
    fn new() -> Self { Tree::Leaf }
//> constructor Tree::new vis=private cc=1
}

pub(crate) enum Never {}
//> enum Never vis=internal end=0 sig="pub(crate) enum Never"

#[repr(u8)]
enum Bits { Low = 1 << 0, High = 1 << 7 }
//> enum Bits deco="repr(u8)"
//> enum_member Bits::Low sig="Low = 1 << 0"
//> enum_member Bits::High sig="High = 1 << 7"

/// One of two.
#[repr(C)]
pub union Either {
//> struct Either vis=public end=3 deco="repr(C)" sig="pub union Either" doc="One of two."
    pub whole: u32,
//> field Either::whole vis=public sig="pub whole: u32"
    parts: [u8; 4],
//> field Either::parts vis=private
}

impl Either {
    pub unsafe fn first(&self) -> u8 { unsafe { self.parts[0] } }
//> method Either::first vis=public mods=unsafe cc=1
}

fn union(union: u8) -> u8 { union }
//> function union vis=private cc=1
