//! Every form of import.

extern crate core;
//> import core from core -
extern crate alloc as al;
//> import al from alloc -

mod first;
//> import first from first -
pub mod second;
//> import second from second -
#[cfg(unix)]
#[path = "unix/third.rs"]
pub(crate) mod third;
//> import third from third -

use std::fmt;
//> import fmt from std fmt
use std::collections::HashMap;
//> import HashMap from std::collections HashMap
use std::collections::BTreeMap as Map;
//> import Map from std::collections BTreeMap
use std::io::{self, Read, Write as _};
//> import io from std::io -
//> import Read from std::io Read
//> import - from std::io Write
use std::fmt::Debug as _;
//> import - from std::fmt Debug
use std::rc::*;
//> import * from std::rc *
use crate::first::{one, two as deux, deep::*, deeper::{self as down, Three}};
//> import one from crate::first one
//> import deux from crate::first two
//> import * from crate::first::deep *
//> import down from crate::first::deeper -
//> import Three from crate::first::deeper Three
pub use self::second::Thing;
//> import Thing from self::second Thing
pub(crate) use super::outer::Other;
//> import Other from super::outer Other
use {std::mem::swap, std::cell::Cell};
//> import swap from std::mem swap
//> import Cell from std::cell Cell
#[allow(unused_imports)]
use std::sync::Arc;
//> import Arc from std::sync Arc

// use std::thread;
/* use std::time; */
const TEXT: &str = "use std::path;";
//> constant TEXT vis=private

mod inner {
//> module inner vis=private
    use super::*;
//> import * from super *
    pub use super::super::far::Away;
//> import Away from super::super::far Away

    pub fn show(f: &mut fmt::Formatter<'_>) -> fmt::Result {
//> function inner::show vis=public cc=1
        f.write_str(TEXT)
    }
}
