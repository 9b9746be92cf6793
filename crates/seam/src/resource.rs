//! MCP resources. A `Resource` or `ResourceTemplate` is an operation with given arguments. The repository itself
//! declares the other resources.

use super::{Ctx, OpError};

/// Resources that the repository declares itself.
#[derive(Clone, Copy)]
pub struct DeclaredResources {
    /// The prefix of their URIs.
    pub prefix: &'static str,
    /// Lists the resources, in order; empty if the repository declares none.
    pub list: fn(&Ctx) -> Result<Vec<DeclaredResource>, OpError>,
    /// Reads the resource with a URI.
    pub read: fn(&Ctx, &str) -> Result<ResourceContent, OpError>,
    /// A value that changes when the list may have changed.
    pub stamp: fn(&Ctx) -> u64,
}

/// One resource that the repository declares.
#[derive(Clone, PartialEq, Debug)]
pub struct DeclaredResource {
    /// The URI of the resource.
    pub uri: String,
    /// The machine-readable name.
    pub name: String,
    /// The title for people.
    pub title: String,
    /// One paragraph for the resource list.
    pub description: String,
    /// The media type of the content.
    pub media_type: String,
    /// Whether the resource is meant for agents.
    pub for_agents: bool,
    /// Whether the resource is meant for people.
    pub for_people: bool,
    /// The importance, from 0 to 1.
    pub priority: f32,
    /// When the content was last validated.
    pub last_modified: Option<String>,
}

/// The content of a resource.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ResourceContent {
    /// The media type of the bytes.
    pub media_type: String,
    /// The content itself.
    pub bytes: Vec<u8>,
    /// Whether the bytes are not text.
    pub is_binary: bool,
    /// A remark for the reader.
    pub note: Option<String>,
}

/// A resource with a fixed URI.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Resource {
    /// The URI of the resource.
    pub uri: &'static str,
    /// The machine-readable name.
    pub name: &'static str,
    /// The title for people.
    pub title: &'static str,
    /// One paragraph for the resource list.
    pub description: &'static str,
    /// The media type of the content.
    pub media_type: &'static str,
    /// The name of the operation that produces the content.
    pub operation: &'static str,
}

/// A family of resources, one for each value of one argument.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ResourceTemplate {
    /// The prefix of the URIs. The rest of a URI is the value.
    pub prefix: &'static str,
    /// The name of the variable in the URI template.
    pub variable: &'static str,
    /// The machine-readable name.
    pub name: &'static str,
    /// The title for people.
    pub title: &'static str,
    /// One paragraph for the template list.
    pub description: &'static str,
    /// The media type of the content.
    pub media_type: &'static str,
    /// The name of the operation that produces the content.
    pub operation: &'static str,
    /// The argument of the operation that receives the value.
    pub argument: &'static str,
    /// Whether that argument is a list.
    pub is_list: bool,
    /// The values that clients can offer.
    pub completion: Completion,
}

/// The possible values of an argument, so that clients can offer completions.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Completion {
    /// No completions.
    None,
    /// Symbols of the repository.
    Symbol,
    /// Files of the repository.
    Path,
    /// One of these values.
    OneOf(&'static [&'static str]),
}

impl ResourceTemplate {
    /// The URI template (RFC 6570).
    pub fn uri_template(&self) -> String {
        format!("{}{{+{}}}", self.prefix, self.variable)
    }
}
