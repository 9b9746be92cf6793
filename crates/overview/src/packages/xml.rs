//! The elements of an XML document with their paths and texts: as much of XML as project files need.

/// Elements of a document that are read.
const MAX_ELEMENTS: usize = 20_000;
/// The depth of elements that are read.
const MAX_DEPTH: usize = 32;

/// An element.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Element<'t> {
    /// The names from the outermost element to this one, with `/` between them.
    pub(super) path: String,
    /// The attributes as written.
    pub(super) attributes: &'t str,
    /// The text directly in it, if it has no elements.
    pub(super) text: String,
}

impl<'t> Element<'t> {
    /// The value of an attribute.
    pub(super) fn attribute(&self, name: &str) -> Option<&'t str> {
        super::quoted_after(self.attributes, name)
    }
}

/// The elements of a document, in the order in which they end.
pub(super) fn elements(text: &str) -> Vec<Element<'_>> {
    let mut found = Vec::new();
    // The name and attributes of each open element, and where its text begins.
    let mut open: Vec<(&str, &str, usize)> = Vec::new();
    let mut at = 0;
    while let Some(start) = text[at..].find('<').map(|start| at + start) {
        if found.len() >= MAX_ELEMENTS {
            break;
        }
        let rest = &text[start..];
        let skipped = [("<!--", "-->"), ("<![CDATA[", "]]>"), ("<?", "?>"), ("<!", ">")];
        if let Some((_, end)) = skipped.iter().find(|(begin, _)| rest.starts_with(begin)) {
            match rest.find(end) {
                Some(found) => at = start + found + end.len(),
                None => break,
            }
            continue;
        }
        let Some(end) = rest.find('>') else { break };
        let inner = &rest[1..end];
        at = start + end + 1;
        if let Some(name) = inner.strip_prefix('/') {
            let name = name.trim();
            // An element that is not closed is dropped.
            let Some(place) = open.iter().rposition(|(open, _, _)| *open == name) else {
                continue;
            };
            let (_, attributes, from) = open[place];
            open.truncate(place + 1);
            let text = &text[from..start];
            found.push(element(&open, attributes, if text.contains('<') { "" } else { text }));
            open.truncate(place);
            continue;
        }
        let is_empty = inner.ends_with('/');
        let inner = inner.trim_end_matches('/');
        let (name, attributes) = inner.split_once(char::is_whitespace).unwrap_or((inner, ""));
        if open.len() >= MAX_DEPTH {
            continue;
        }
        open.push((name, attributes, at));
        if is_empty {
            found.push(element(&open, attributes, ""));
            open.pop();
        }
    }
    found
}

fn element<'t>(open: &[(&'t str, &'t str, usize)], attributes: &'t str, text: &str) -> Element<'t> {
    let names: Vec<&str> = open.iter().map(|(name, _, _)| *name).collect();
    Element {
        path: names.join("/"),
        attributes,
        text: lore_model::fold_whitespace(
            &text
                .replace("&lt;", "<")
                .replace("&gt;", ">")
                .replace("&quot;", "\"")
                .replace("&amp;", "&"),
        ),
    }
}

/// The text of the first element with a path.
pub(super) fn text_at(elements: &[Element<'_>], path: &str) -> Option<String> {
    let found = elements
        .iter()
        .find(|element| element.path == path && !element.text.is_empty());
    found.map(|element| element.text.clone())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn elements_have_paths_texts_and_attributes() {
        let text = "<?xml version='1.0'?><!-- <a>no</a> --><project xmlns=\"x\"><name> A &amp; B\n</name><deep><name>C</name></deep><e Sdk='S'/></project>";
        let found = elements(text);
        assert_eq!(text_at(&found, "project/name").as_deref(), Some("A & B"));
        assert_eq!(text_at(&found, "project/deep/name").as_deref(), Some("C"));
        assert_eq!(found[3].attribute("Sdk"), Some("S"));
    }

    #[test]
    fn documents_may_be_anything() {
        for text in [
            "",
            "<",
            "<a",
            "<a>",
            "</a>",
            "<a><b></a></b>",
            "<!--",
            "<a/",
            &"<a>".repeat(10_000),
            "é<é>é</é>",
        ] {
            elements(text);
        }
    }
}
