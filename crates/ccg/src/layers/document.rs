//! How a layer's JSON is laid out: compact, yet one can read it and compare two of them line by line.
//!
//! Each member of the document and each object or list within a list is on a line of its own; nothing else costs a byte. The last line ends
//! in a line feed.

use std::io;

use serde::Serialize;
use serde_json::ser::{Formatter, Serializer};

/// The bytes of a document.
pub(crate) fn to_bytes(document: &impl Serialize) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut serializer = Serializer::with_formatter(&mut bytes, Layout::default());
    // Writing to memory cannot fail, and the documents have no maps with keys that are no texts.
    let _ = document.serialize(&mut serializer);
    bytes.push(b'\n');
    bytes
}

/// Bytes of a value inside of a document, without what parts it from its neighbours.
pub(super) fn size(value: &impl Serialize) -> usize {
    let mut counted = Count(0);
    let _ = serde_json::to_writer(&mut counted, value);
    counted.0
}

struct Count(usize);

impl io::Write for Count {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0 += bytes.len();
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[derive(Default)]
struct Layout {
    /// What is open: whether it is a list.
    open: Vec<bool>,
}

impl Layout {
    fn open<W: ?Sized + io::Write>(&mut self, writer: &mut W, is_list: bool) -> io::Result<()> {
        if self.open.last() == Some(&true) {
            writer.write_all(b"\n")?;
        }
        self.open.push(is_list);
        writer.write_all(if is_list { b"[" } else { b"{" })
    }

    fn close<W: ?Sized + io::Write>(&mut self, writer: &mut W, end: &[u8]) -> io::Result<()> {
        self.open.pop();
        writer.write_all(end)
    }
}

impl Formatter for Layout {
    fn begin_array<W: ?Sized + io::Write>(&mut self, writer: &mut W) -> io::Result<()> {
        self.open(writer, true)
    }

    fn end_array<W: ?Sized + io::Write>(&mut self, writer: &mut W) -> io::Result<()> {
        self.close(writer, b"]")
    }

    fn begin_object<W: ?Sized + io::Write>(&mut self, writer: &mut W) -> io::Result<()> {
        self.open(writer, false)
    }

    fn end_object<W: ?Sized + io::Write>(&mut self, writer: &mut W) -> io::Result<()> {
        self.close(writer, b"}")
    }

    fn begin_object_key<W: ?Sized + io::Write>(&mut self, writer: &mut W, first: bool) -> io::Result<()> {
        match (first, self.open.len()) {
            (true, _) => Ok(()),
            (false, 1) => writer.write_all(b",\n"),
            (false, _) => writer.write_all(b","),
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn members_and_rows_stand_on_their_own_lines() {
        let document = json!({
            "@id": "x",
            "counts": {"a": 1, "b": {"c": [1, 2]}},
            "rows": [{"a": ["x", "y"]}, {"a": []}],
            "pairs": [["a", "b"], ["b", "c"]],
        });
        let text = String::from_utf8(to_bytes(&document)).expect("it is text");
        assert_eq!(
            text,
            "{\"@id\":\"x\",\n\"counts\":{\"a\":1,\"b\":{\"c\":[1,2]}},\n\"pairs\":[\n[\"a\",\"b\"],\n[\"b\",\"c\"]],\n\
             \"rows\":[\n{\"a\":[\"x\",\"y\"]},\n{\"a\":[]}]}\n"
        );
        assert_eq!(
            serde_json::from_str::<serde_json::Value>(&text).expect("it is JSON"),
            document
        );
        assert_eq!(size(&document["rows"]), "[{\"a\":[\"x\",\"y\"]},{\"a\":[]}]".len());
    }
}
