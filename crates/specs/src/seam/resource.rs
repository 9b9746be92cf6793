//! `Resource` and `ResourceTemplate`: what a client may read without calling a tool. Each is an operation with its arguments given.

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
}

impl ResourceTemplate {
    /// The template of the addresses (RFC 6570).
    pub fn uri_template(&self) -> String {
        format!("{}{{+{}}}", self.prefix, self.variable)
    }
}
