//! The doc of the file is not the doc of the first item.

#![allow(dead_code)]

/// Outside.
pub mod outer {
//> module outer vis=public mods=- col=9 end=25 sig="pub mod outer"
    //! Inside.

    pub const DEPTH: u8 = 1;
//> constant outer::DEPTH vis=public

    pub(super) mod middle {
//> module outer::middle vis=internal sig="pub(super) mod middle"
        pub(in crate::outer) struct Hidden {
//> struct outer::middle::Hidden vis=internal sig="pub(in crate::outer) struct Hidden"
            pub(super) depth: u8,
//> field outer::middle::Hidden::depth vis=internal
            pub open: bool,
//> field outer::middle::Hidden::open vis=public
        }

        impl Hidden {
            pub fn new() -> Self { Hidden { depth: 2, open: false } }
//> constructor outer::middle::Hidden::new vis=public cc=1
        }

        mod innermost {
//> module outer::middle::innermost vis=private
            fn deep() {}
//> function outer::middle::innermost::deep vis=private cc=1

            impl super::Hidden {
                fn from_below(&self) -> u8 { self.depth }
//> method outer::middle::innermost::Hidden::from_below vis=private cc=1
            }
        }
    }

    pub fn same() {}
//> function outer::same vis=public cc=1
}

pub mod sibling {
//> module sibling vis=public
    pub fn same() {}
//> function sibling::same vis=public cc=1
}

mod described {
//> module described vis=private end=5 doc="Only inside."
    //! Only inside.
    //! And more.

    fn first() {}
//> function described::first cc=1
}

mod block_doc {
//> module block_doc doc="In a block."
    /*! In a block. */

    fn second() {}
//> function block_doc::second cc=1
}

mod attribute_doc {
//> module attribute_doc doc="By an inner attribute."
    #![doc = "By an inner attribute."]
}

mod empty {}
//> module empty vis=private end=0 sig="mod empty"

/// Line doc
/// on two lines. Then more.
fn lines() {}
//> function lines doc="Line doc on two lines."

/** Block doc. */
fn block() {}
//> function block doc="Block doc."

/**
 * Starred doc. With more.
 */
fn starred() {}
//> function starred doc="Starred doc."

#[doc = "From an attribute."]
fn attribute() {}
//> function attribute doc="From an attribute."

/// Before the attributes.
#[inline]
#[allow(unused)]
fn before() {}
//> function before deco="inline" deco="allow(unused)" doc="Before the attributes."

#[inline]
/// After the attribute.
fn after() {}
//> function after deco="inline" doc="After the attribute."

// No doc.
fn plain() {}
//> function plain doc=""

//// Four slashes are no doc.
fn four() {}
//> function four doc=""

/* No doc either. */
fn star() {}
//> function star doc=""

/// Far away.

fn gap() {}
//> function gap doc="Far away."

fn inner_doc() {
//> function inner_doc cc=1 doc="Documented from inside."
    //! Documented from inside.
}

fn main() {}
//> function main vis=private cc=1
