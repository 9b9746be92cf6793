//! `Resource` and `ResourceTemplate`: what a client may read without calling a tool. Each is an operation with its arguments given.

use super::{Ctx, OpError};

/// Things to read that the repository itself declares.
#[derive(Clone, Copy)]
pub struct DeclaredResources {
    /// What their addresses begin with.
    pub prefix: &'static str,
    /// All of them, in order; none where nothing is declared.
    pub list: fn(&Ctx) -> Result<Vec<DeclaredResource>, OpError>,
    /// One of them.
    pub read: fn(&Ctx, &str) -> Result<ResourceContent, OpError>,
    /// What differs once the list may have changed.
    pub stamp: fn(&Ctx) -> u64,
}

/// A thing to read that the repository declares.
#[derive(Clone, PartialEq, Debug)]
pub struct DeclaredResource {
    /// Its address.
    pub uri: String,
    /// Its name for programs.
    pub name: String,
    /// Its name for people.
    pub title: String,
    /// What it is.
    pub description: String,
    /// What its bytes are.
    pub media_type: String,
    /// Whether agents are to read it.
    pub for_agents: bool,
    /// Whether people are.
    pub for_people: bool,
    /// How much it matters, from 0 to 1.
    pub priority: f32,
    /// When it was last found to be right.
    pub last_modified: Option<String>,
}

/// What was read.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ResourceContent {
    /// What the bytes are.
    pub media_type: String,
    /// The bytes.
    pub bytes: Vec<u8>,
    /// Whether they are no text.
    pub is_binary: bool,
    /// What whoever reads them has to know.
    pub note: Option<String>,
}

/// Something to read.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Resource {
    /// Its address.
    pub uri: &'static str,
    /// Its name for programs.
    pub name: &'static str,
    /// Its name for people.
    pub title: &'static str,
    /// What it is.
    pub description: &'static str,
    /// What its bytes are.
    pub media_type: &'static str,
    /// The operation that makes it.
    pub operation: &'static str,
}

/// Many things to read, one for each value of one argument.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ResourceTemplate {
    /// What their addresses begin with; the rest is the value.
    pub prefix: &'static str,
    /// The name of the value in the address.
    pub variable: &'static str,
    /// Its name for programs.
    pub name: &'static str,
    /// Its name for people.
    pub title: &'static str,
    /// What they are.
    pub description: &'static str,
    /// What their bytes are.
    pub media_type: &'static str,
    /// The operation that makes them.
    pub operation: &'static str,
    /// The argument of the operation that takes the value.
    pub argument: &'static str,
    /// Whether that argument is a list.
    pub is_list: bool,
    /// What the value may be.
    pub completion: Completion,
}

/// What an argument may be, so that a client can offer it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Completion {
    /// Anything.
    None,
    /// A symbol of the repository.
    Symbol,
    /// A file of the repository.
    Path,
    /// One of these.
    OneOf(&'static [&'static str]),
}

impl ResourceTemplate {
    /// The template of the addresses (RFC 6570).
    pub fn uri_template(&self) -> String {
        format!("{}{{+{}}}", self.prefix, self.variable)
    }
}
