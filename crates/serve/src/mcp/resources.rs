//! Resources: the layers of the Code Context Graph, and files and symbols by name, all made by operations.

use lore_ask::{DECLARED_RESOURCES, RESOURCE_TEMPLATES, RESOURCES};
use lore_base::percent::decode;
use lore_model::base64;
use lore_seam::{Answer, Ctx, DeclaredResource, DeclaredResources, ErrorKind, OpError, OperationEntry};
use rmcp::model::{
    Annotations, ErrorData, ReadResourceResponse, ReadResourceResult, Resource, ResourceContents, ResourceTemplate,
    Role,
};
use serde_json::{Map, Value, json};

use super::answer::{UNTRUSTED_DOCUMENT, fenced_always};
use super::budget::{Budget, Taken, fit_answer};
use super::tools::operation;
use super::view::{row_for_agents, value_for_agents};

/// Bytes of one resource; larger ones are exported to a file.
const MAX_BYTES: usize = 4 << 20;

/// Resources on one page.
const PAGE: usize = 250;

/// A page of the list, and where the next one begins. What a repository declares comes behind what every one has.
pub(super) fn page(ctx: &Ctx, from: usize) -> Result<(Vec<Resource>, Option<usize>), OpError> {
    let mut all = listed();
    for source in DECLARED_RESOURCES {
        all.extend((source.list)(ctx)?.into_iter().map(declared));
    }
    let next = from.saturating_add(PAGE);
    let is_more = next < all.len();
    Ok((all.into_iter().skip(from).take(PAGE).collect(), is_more.then_some(next)))
}

/// What differs once the list may have changed.
pub(super) fn stamp(ctx: &Ctx) -> u64 {
    let stamps = DECLARED_RESOURCES.iter().map(|source| (source.stamp)(ctx));
    stamps.fold(0, |all, stamp| all.rotate_left(1) ^ stamp)
}

fn declared(resource: DeclaredResource) -> Resource {
    let mut audience = Vec::new();
    audience.extend(resource.for_agents.then_some(Role::Assistant));
    audience.extend(resource.for_people.then_some(Role::User));
    let mut annotations = Annotations::default()
        .with_audience(audience)
        .with_priority(resource.priority);
    annotations.last_modified = resource.last_modified;
    let mut listed = Resource::new(resource.uri, resource.name)
        .with_title(resource.title)
        .with_description(resource.description)
        .with_mime_type(resource.media_type);
    listed.annotations = Some(annotations);
    listed
}

/// The list of what every repository has.
fn listed() -> Vec<Resource> {
    RESOURCES
        .iter()
        .map(|resource| {
            Resource::new(resource.uri, resource.name)
                .with_title(resource.title)
                .with_description(resource.description)
                .with_mime_type(resource.media_type)
        })
        .collect()
}

/// The list of templates.
pub(super) fn templates() -> Vec<ResourceTemplate> {
    RESOURCE_TEMPLATES
        .iter()
        .map(|template| {
            ResourceTemplate::new(template.uri_template(), template.name)
                .with_title(template.title)
                .with_description(template.description)
                .with_mime_type(template.media_type)
        })
        .collect()
}

/// A requested resource.
pub(super) enum Asked {
    /// What an operation makes.
    Made(Made),
    /// What the repository declares, by its address.
    Declared(&'static DeclaredResources, String),
}

/// What an operation makes.
pub(super) struct Made {
    entry: &'static OperationEntry,
    arguments: Map<String, Value>,
    media_type: &'static str,
}

/// What was read.
pub(super) struct Content {
    media_type: String,
    bytes: Vec<u8>,
    is_binary: bool,
    /// Whether the text is unchanged from the repository, without a fence.
    is_bare: bool,
    note: Option<String>,
}

impl Asked {
    /// What an address means.
    pub(super) fn of(uri: &str) -> Result<Self, ErrorData> {
        let unknown = || not_found(uri, "there is no such resource");
        if let Some(resource) = RESOURCES.iter().find(|resource| resource.uri == uri) {
            return Ok(Self::Made(Made {
                entry: operation(resource.operation).ok_or_else(unknown)?,
                arguments: Map::new(),
                media_type: resource.media_type,
            }));
        }
        if let Some(source) = DECLARED_RESOURCES.iter().find(|source| uri.starts_with(source.prefix)) {
            return Ok(Self::Declared(source, uri.to_owned()));
        }
        let template = RESOURCE_TEMPLATES
            .iter()
            .find(|template| uri.starts_with(template.prefix))
            .ok_or_else(unknown)?;
        let value = decode(&uri[template.prefix.len()..])
            .ok()
            .filter(|value| !value.is_empty());
        let value = value.ok_or_else(|| not_found(uri, "the URI is invalid"))?;
        let value = if template.is_list { json!([value]) } else { json!(value) };
        let mut arguments = Map::new();
        arguments.insert(template.argument.to_owned(), value);
        Ok(Self::Made(Made {
            entry: operation(template.operation).ok_or_else(unknown)?,
            arguments,
            media_type: template.media_type,
        }))
    }

    /// Reads it.
    pub(super) fn read(self, ctx: &Ctx) -> Result<Content, OpError> {
        ctx.undamaged(|ctx| match self {
            Self::Made(made) => made.read(ctx),
            Self::Declared(source, uri) => {
                let content = (source.read)(ctx, &uri)?;
                Ok(Content {
                    media_type: content.media_type,
                    bytes: content.bytes,
                    is_binary: content.is_binary,
                    is_bare: true,
                    note: content.note,
                })
            }
        })
    }
}

impl Made {
    fn read(self, ctx: &Ctx) -> Result<Content, OpError> {
        let schema = self
            .entry
            .answer_schema()
            .map(|schema| schema.to_value())
            .unwrap_or_default();
        let budget = Budget::of_bytes(MAX_BYTES);
        let text = |text: String| Content {
            media_type: self.media_type.to_owned(),
            bytes: text.into_bytes(),
            is_binary: false,
            is_bare: false,
            note: None,
        };
        match self.entry.run_json(ctx, Value::Object(self.arguments))? {
            Answer::Value(value, _) => {
                let value = fit_answer(value_for_agents(value.to_json(), &schema), budget);
                Ok(text(value.to_string()))
            }
            Answer::Rows { rows, note, .. } => {
                let mut taken = Taken::default();
                for row in rows {
                    let row = row?;
                    taken.add(|| row_for_agents(row.to_json(), &schema), budget, 0);
                }
                Ok(text(taken.into_answer(note.as_deref(), budget).to_string()))
            }
            Answer::Bytes(bytes) => {
                let is_binary = !bytes.is_text();
                let is_json = bytes.media_type.contains("json");
                let mut content = Vec::new();
                bytes.content.write_to(&mut Bounded(&mut content))?;
                Ok(if is_binary || is_json {
                    Content {
                        media_type: self.media_type.to_owned(),
                        bytes: content,
                        is_binary,
                        is_bare: false,
                        note: None,
                    }
                } else {
                    text(fenced_always(&String::from_utf8_lossy(&content)))
                })
            }
        }
    }
}

/// Bytes that may not become too many.
struct Bounded<'b>(&'b mut Vec<u8>);

impl std::io::Write for Bounded<'_> {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        if self.0.len() + bytes.len() > MAX_BYTES {
            return Err(std::io::Error::other(format!(
                "it has more than {MAX_BYTES} bytes; the tool of the same content writes it to a file (`output`)"
            )));
        }
        self.0.extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

fn not_found(uri: &str, message: &str) -> ErrorData {
    let uri = lore_model::truncate_chars(uri, 200);
    ErrorData::resource_not_found(message.to_owned(), Some(json!({ "uri": uri })))
}

/// What a client gets.
pub(super) fn result(
    uri: &str,
    outcome: Result<Content, OpError>,
    remarks: &[String],
) -> Result<ReadResourceResponse, ErrorData> {
    let content = outcome.map_err(|error| match error.kind {
        ErrorKind::NotFound => not_found(uri, &lore_model::truncate_chars(&error.message, 400)),
        ErrorKind::Invalid | ErrorKind::Ambiguous | ErrorKind::Refused => {
            ErrorData::invalid_params(lore_model::truncate_chars(&error.message, 400), None)
        }
        _ => ErrorData::internal_error(lore_model::truncate_chars(&error.message, 400), None),
    })?;
    let mut contents = vec![if content.is_binary {
        ResourceContents::blob(base64(&content.bytes), uri).with_mime_type(content.media_type.as_str())
    } else {
        ResourceContents::text(String::from_utf8_lossy(&content.bytes), uri).with_mime_type(content.media_type.as_str())
    }];
    contents.extend(
        content
            .note
            .map(|note| ResourceContents::text(note, uri).with_mime_type("text/plain")),
    );
    if content.media_type.ends_with("json") || content.is_bare && !content.is_binary {
        contents.push(ResourceContents::text(UNTRUSTED_DOCUMENT, uri).with_mime_type("text/plain"));
    }
    if !remarks.is_empty() {
        contents.push(ResourceContents::text(remarks.join("; "), uri).with_mime_type("text/plain"));
    }
    Ok(ReadResourceResult::new(contents).into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_resource_is_made_by_an_operation_that_exists() {
        for resource in RESOURCES {
            assert!(Asked::of(resource.uri).is_ok(), "{}", resource.uri);
        }
        for template in RESOURCE_TEMPLATES {
            let Ok(Asked::Made(asked)) = Asked::of(&format!("{}a%20b", template.prefix)) else {
                panic!("{} is not made by an operation", template.prefix);
            };
            let schema = asked.entry.request_schema().to_value();
            let known = lore_seam::arguments(&schema);
            assert!(
                known.iter().any(|(name, _)| *name == template.argument),
                "{}",
                template.prefix
            );
        }
        for unknown in [
            "lore://ccg/none",
            "file:///etc/passwd",
            "lore://source/",
            "lore://source/%zz",
            "",
        ] {
            assert!(Asked::of(unknown).is_err(), "{unknown}");
        }
    }
}
