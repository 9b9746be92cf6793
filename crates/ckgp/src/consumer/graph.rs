//! The common parts of the bodies of all formats: nodes with kind, name and place, and edges between them. Read as a stream, without a tree.

use std::borrow::Cow;

use crate::body::MOST_DEPTH;
use lore_base::json::{JsonError, JsonReader, Kind, Text};

/// A node, or a file of a bundle. Its texts are what a stranger wrote.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Node<'a> {
    /// What edges call it.
    pub id: Cow<'a, str>,
    /// Another name by which edges call it.
    pub alias: Option<Cow<'a, str>>,
    /// What it is.
    pub kind: Cow<'a, str>,
    /// What it is called.
    pub name: Cow<'a, str>,
    /// The file that it is in: a path, or the id of the node that is the file.
    pub file: Option<Cow<'a, str>>,
    /// The line in that file.
    pub line: Option<u64>,
}

/// An edge.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Edge<'a> {
    /// Where it begins.
    pub source: Cow<'a, str>,
    /// Where it leads.
    pub target: Cow<'a, str>,
    /// What it means.
    pub kind: Cow<'a, str>,
}

/// A part of a body.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Item<'a> {
    /// A node.
    Node(Node<'a>),
    /// An edge.
    Edge(Edge<'a>),
}

/// Shows the nodes and edges of a body that was found to be good, whatever its format.
pub fn each_item<'a>(bytes: &'a [u8], take: &mut dyn FnMut(Item<'a>)) -> Result<(), JsonError> {
    let mut reader = JsonReader::new(bytes, MOST_DEPTH)?;
    reader.begin_object()?;
    members(&mut reader, true, take)?;
    reader.end()
}

/// The lists of an object; those of `graph` count as those of the body.
fn members<'a>(reader: &mut JsonReader<'a>, is_outer: bool, take: &mut dyn FnMut(Item<'a>)) -> Result<(), JsonError> {
    while let Some(key) = reader.next_key()? {
        let kind = reader.peek()?;
        match (key.read().as_ref(), kind) {
            ("graph", Kind::Object) if is_outer => {
                reader.begin_object()?;
                members(reader, false, take)?;
            }
            ("nodes" | "files", Kind::Array) => each(reader, &mut |reader| {
                let node = node(reader)?;
                take(Item::Node(node));
                Ok(())
            })?,
            ("edges" | "links", Kind::Array) => each(reader, &mut |reader| {
                let edge = edge(reader)?;
                take(Item::Edge(edge));
                Ok(())
            })?,
            _ => drop(reader.skip_value()?),
        }
    }
    Ok(())
}

/// The objects of a list.
fn each<'a>(
    reader: &mut JsonReader<'a>,
    read: &mut dyn FnMut(&mut JsonReader<'a>) -> Result<(), JsonError>,
) -> Result<(), JsonError> {
    reader.begin_array()?;
    while reader.next_item()? {
        match reader.peek()? {
            Kind::Object => {
                reader.begin_object()?;
                read(reader)?;
            }
            _ => drop(reader.skip_value()?),
        }
    }
    Ok(())
}

/// The members of a node; of several names for one thing the first that is listed here counts.
fn node<'a>(reader: &mut JsonReader<'a>) -> Result<Node<'a>, JsonError> {
    const KINDS: &[&str] = &["kind", "type"];
    const NAMES: &[&str] = &["qualified_name", "name", "label", "path"];
    const FILES: &[&str] = &["path", "file_path", "filePath", "file", "source_file"];
    const LINES: &[&str] = &["line", "start_line", "startLine", "line_start"];
    let mut node = Node::default();
    let mut ranks = [usize::MAX; 4];
    let mut label = None;
    let mut depth = 0;
    loop {
        let Some(key) = reader.next_key()? else {
            if depth == 0 {
                break;
            }
            depth -= 1;
            continue;
        };
        let key = key.read();
        let rank = |names: &[&str]| names.iter().position(|name| *name == key);
        match reader.peek()? {
            // Some keep the names among properties.
            Kind::Object if key == "properties" && depth == 0 => {
                reader.begin_object()?;
                depth = 1;
            }
            Kind::Text => {
                let text = reader.text()?;
                match key.as_ref() {
                    "id" if depth == 0 => node.id = text.read(),
                    "label" => label = Some(text),
                    "qualified_name" => node.alias = Some(text.read()),
                    _ => {}
                }
                better(&mut node.kind, &mut ranks[0], rank(KINDS), text);
                better(&mut node.name, &mut ranks[1], rank(NAMES), text);
                let mut file = node.file.take().unwrap_or_default();
                better(&mut file, &mut ranks[2], rank(FILES), text);
                node.file = Some(file).filter(|file| !file.is_empty());
            }
            Kind::Number => {
                let number = reader.number()?;
                if key == "id" && depth == 0 {
                    node.id = Cow::Borrowed(number.raw());
                }
                if let Some(rank) = rank(LINES).filter(|rank| *rank < ranks[3]) {
                    ranks[3] = rank;
                    node.line = number.as_u64();
                }
            }
            _ => drop(reader.skip_value()?),
        }
    }
    // A label is the name, but where there is a name it is the kind.
    if let Some(label) = label
        && ranks[0] == usize::MAX
        && ranks[1] < 2
    {
        node.kind = label.read();
    }
    if node.id.is_empty() {
        node.id.clone_from(node.file.as_ref().unwrap_or(&node.name));
    }
    if node.name.is_empty() {
        node.name.clone_from(&node.id);
    }
    Ok(node)
}

fn better<'a>(known: &mut Cow<'a, str>, known_rank: &mut usize, rank: Option<usize>, text: Text<'a>) {
    if let Some(rank) = rank.filter(|rank| *rank < *known_rank) {
        *known_rank = rank;
        *known = text.read();
    }
}

fn edge<'a>(reader: &mut JsonReader<'a>) -> Result<Edge<'a>, JsonError> {
    let mut edge = Edge::default();
    while let Some(key) = reader.next_key()? {
        let key = key.read();
        let end = match key.as_ref() {
            "source" | "from" | "sourceId" => &mut edge.source,
            "target" | "to" | "targetId" => &mut edge.target,
            "kind" | "type" | "label" | "relation" => &mut edge.kind,
            _ => {
                reader.skip_value()?;
                continue;
            }
        };
        match reader.peek()? {
            Kind::Text => *end = reader.text()?.read(),
            Kind::Number => *end = Cow::Borrowed(reader.number()?.raw()),
            _ => drop(reader.skip_value()?),
        }
    }
    Ok(edge)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(text: &str) -> String {
        let mut lines = Vec::new();
        each_item(text.as_bytes(), &mut |item| {
            lines.push(match item {
                Item::Node(node) => format!(
                    "{} {} {} {}:{}",
                    node.id,
                    if node.kind.is_empty() { "-" } else { &node.kind },
                    node.name,
                    node.file.as_deref().unwrap_or_default(),
                    node.line.unwrap_or_default()
                ),
                Item::Edge(edge) => format!("{} -{}-> {}", edge.source, edge.kind, edge.target),
            });
        })
        .unwrap();
        lines.join("\n")
    }

    #[test]
    fn the_nodes_and_edges_of_every_format_are_read_alike() {
        for (text, expected) in [
            (
                r#"{"nodes":[{"id":"f1","kind":"file","path":"a.py"},{"id":"s1","kind":"function","name":"f","qualified_name":"a.f","file":"f1","line":3}],"edges":[{"source":"s1","target":"f1","kind":"call"}]}"#,
                "f1 file a.py a.py:0\ns1 function a.f f1:3\ns1 -call-> f1",
            ),
            (
                r#"{"nodes":[{"id":"n","kind":"concept","label":"Idea"}],"edges":[{"from":"n","to":"n","kind":"knows"}]}"#,
                "n concept Idea :0\nn -knows-> n",
            ),
            (
                r#"{"metadata":{"nodes":[{"id":"no"}]},"graph":{"nodes":[{"id":"x","label":"Function","properties":{"name":"f","filePath":"a.ts","startLine":7}}],"links":[{"source":"x","target":"y","type":"CALLS"}]}}"#,
                "x Function f a.ts:7\nx -CALLS-> y",
            ),
            (
                r#"{"stats":{},"nodes":[{"id":1,"kind":"Class","name":"C","qualified_name":"a.py::C","file_path":"a.py","line_start":2}],"edges":[{"id":1,"kind":"CALLS","source":"a.py::C","target":"a.py::C"}]}"#,
                "1 Class a.py::C a.py:2\na.py::C -CALLS-> a.py::C",
            ),
            (
                r#"{"manifest":{},"content_url":"https://e.org/x","files":[{"path":"a.md"}]}"#,
                "a.md - a.md a.md:0",
            ),
            (
                r#"{"nodes":[7,{},{"id":null,"name":["x"]}],"edges":["x",{"source":{}}]}"#,
                " -  :0\n -  :0\n --> ",
            ),
        ] {
            assert_eq!(told(text), expected, "{text}");
        }
    }
}
