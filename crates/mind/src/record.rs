//! Nodes and edges as bytes, so that a graph of many is opened without reading them all: each has a record, and a record is read when somebody asks.
//!
//! Patches are named by their numbers in the fold, which never change, so that a record can be copied as it is. What is read here was written here and has been checked
//! against its checksum; what makes no sense all the same reads as nothing.

use super::confidence::Confidence;
use super::patch::{EdgeFields, Written};
use super::time::Time;
use lore_seam::ObjectId;

/// An operation of a patch that was taken; the patch by its number.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default, Debug)]
pub(super) struct Stamp {
    pub(super) patch: u32,
    pub(super) operation: u32,
}

/// Bytes that are written.
#[derive(Default)]
pub(super) struct Out(pub(super) Vec<u8>);

impl Out {
    pub(super) fn number(&mut self, mut number: u64) {
        while number >= 0x80 {
            self.0.push(number.to_le_bytes()[0] | 0x80);
            number >>= 7;
        }
        self.0.push(number.to_le_bytes()[0]);
    }

    pub(super) fn text(&mut self, text: &str) {
        self.number(text.len() as u64);
        self.0.extend_from_slice(text.as_bytes());
    }

    pub(super) fn id(&mut self, id: &ObjectId) {
        self.number(id.as_bytes().len() as u64);
        self.0.extend_from_slice(id.as_bytes());
    }

    pub(super) fn maybe<T>(&mut self, value: Option<T>, write: impl FnOnce(&mut Self, T)) {
        self.number(u64::from(value.is_some()));
        if let Some(value) = value {
            write(self, value);
        }
    }

    pub(super) fn maybe_text(&mut self, text: Option<&str>) {
        self.maybe(text, Self::text);
    }

    pub(super) fn stamp(&mut self, stamp: Stamp) {
        self.number(u64::from(stamp.patch));
        self.number(u64::from(stamp.operation));
    }

    /// A node: its id, its live tags, the newest write of each property by key.
    pub(super) fn node<'a>(
        &mut self,
        id: &str,
        tags: &[Stamp],
        properties: impl Iterator<Item = (&'a str, Stamp, Option<&'a str>)> + Clone,
    ) {
        self.text(id);
        self.number(tags.len() as u64);
        tags.iter().for_each(|tag| self.stamp(*tag));
        self.number(properties.clone().count() as u64);
        self.number(properties.clone().filter(|(_, _, value)| value.is_some()).count() as u64);
        for (key, stamp, value) in properties {
            self.text(key);
            self.stamp(stamp);
            self.maybe_text(value);
        }
    }

    /// An edge: its live tags with the fields that each carries.
    pub(super) fn edge<'a>(&mut self, live: impl ExactSizeIterator<Item = (Stamp, &'a EdgeFields)>) {
        self.number(live.len() as u64);
        for (stamp, fields) in live {
            self.stamp(stamp);
            self.fields(fields);
        }
    }

    fn fields(&mut self, fields: &EdgeFields) {
        self.0.extend_from_slice(&fields.confidence.value.get().to_le_bytes());
        self.number(fields.confidence.lamport.unwrap_or(0));
        self.maybe(fields.rationale.as_ref(), |out, field| {
            out.maybe_text(field.value.as_deref());
            out.number(field.lamport.unwrap_or(0));
        });
        self.maybe(fields.reviewed_at.as_ref(), |out, field| {
            out.maybe_text(field.value.as_ref().map(Time::as_str));
            out.number(field.lamport.unwrap_or(0));
        });
        self.text(fields.created_at.value.as_str());
        self.number(fields.created_at.lamport.unwrap_or(0));
    }
}

/// Bytes that are read.
#[derive(Clone, Copy, Default, Debug)]
pub(super) struct In<'a>(pub(super) &'a [u8]);

impl<'a> In<'a> {
    pub(super) fn take(&mut self, count: usize) -> Option<&'a [u8]> {
        let (taken, rest) = self.0.split_at_checked(count)?;
        self.0 = rest;
        Some(taken)
    }

    pub(super) fn number(&mut self) -> Option<u64> {
        let mut number = 0_u64;
        for shift in (0..64).step_by(7) {
            let (byte, rest) = self.0.split_first()?;
            self.0 = rest;
            number |= u64::from(byte & 0x7f) << shift;
            if *byte < 0x80 {
                return Some(number);
            }
        }
        None
    }

    /// How many of something follow: never more than there are bytes.
    pub(super) fn count(&mut self) -> Option<usize> {
        let count = usize::try_from(self.number()?).ok()?;
        (count <= self.0.len()).then_some(count)
    }

    pub(super) fn text(&mut self) -> Option<&'a str> {
        let count = self.count()?;
        std::str::from_utf8(self.take(count)?).ok()
    }

    pub(super) fn id(&mut self) -> Option<ObjectId> {
        let count = self.count()?;
        ObjectId::new(self.take(count)?)
    }

    pub(super) fn maybe<T>(&mut self, read: impl FnOnce(&mut Self) -> Option<T>) -> Option<Option<T>> {
        match self.number()? {
            0 => Some(None),
            _ => read(self).map(Some),
        }
    }

    pub(super) fn stamp(&mut self) -> Option<Stamp> {
        let patch = u32::try_from(self.number()?).ok()?;
        let operation = u32::try_from(self.number()?).ok()?;
        Some(Stamp { patch, operation })
    }

    fn lamport(&mut self) -> Option<Option<u64>> {
        self.number().map(|lamport| (lamport > 0).then_some(lamport))
    }
}

#[derive(Clone, Copy, Default, Debug)]
pub(super) struct NodeRecord<'a> {
    pub(super) id: &'a str,
    rest: In<'a>,
}

impl<'a> NodeRecord<'a> {
    pub(super) fn read(bytes: &'a [u8]) -> Self {
        let mut rest = In(bytes);
        let id = rest.text().unwrap_or_default();
        Self { id, rest }
    }

    pub(super) fn tags(self) -> impl Iterator<Item = Stamp> + 'a {
        let mut rest = self.rest;
        let count = rest.count().unwrap_or(0);
        (0..count).map_while(move |_| rest.stamp())
    }

    pub(super) fn properties(self) -> Properties<'a> {
        let mut rest = self.rest;
        for _ in 0..rest.count().unwrap_or(0) {
            rest.stamp();
        }
        let left = rest.count().unwrap_or(0);
        let set = rest.count().unwrap_or(0);
        Properties { rest, left, set }
    }
}

/// The properties of a record, those that were taken away included.
#[derive(Clone, Copy, Debug)]
pub(super) struct Properties<'a> {
    rest: In<'a>,
    left: usize,
    /// How many of them have a value.
    pub(super) set: usize,
}

impl<'a> Iterator for Properties<'a> {
    type Item = (&'a str, Stamp, Option<&'a str>);

    fn next(&mut self) -> Option<Self::Item> {
        self.left = self.left.checked_sub(1)?;
        Some((self.rest.text()?, self.rest.stamp()?, self.rest.maybe(In::text)?))
    }
}

/// The fields that one live tag of an edge carries.
#[derive(Clone, Copy, Debug)]
pub(super) struct FieldsRecord<'a> {
    pub(super) confidence: (Confidence, Option<u64>),
    pub(super) rationale: Option<(Option<&'a str>, Option<u64>)>,
    pub(super) reviewed_at: Option<(Option<&'a str>, Option<u64>)>,
    pub(super) created_at: (&'a str, Option<u64>),
}

impl FieldsRecord<'_> {
    pub(super) fn fields(self) -> Option<EdgeFields> {
        let (value, lamport) = self.confidence;
        let confidence = Written { value, lamport };
        let rationale = self.rationale.map(|(value, lamport)| Written {
            value: value.map(Into::into),
            lamport,
        });
        let reviewed_at = match self.reviewed_at {
            None => None,
            Some((None, lamport)) => Some(Written { value: None, lamport }),
            Some((Some(text), lamport)) => Some(Written {
                value: Some(Time::parse(text)?),
                lamport,
            }),
        };
        let (text, lamport) = self.created_at;
        let value = Time::parse(text)?;
        Some(EdgeFields {
            confidence,
            rationale,
            reviewed_at,
            created_at: Written { value, lamport },
        })
    }
}

/// The live tags of an edge's record.
pub(super) fn live(bytes: &[u8]) -> impl Iterator<Item = (Stamp, FieldsRecord<'_>)> {
    let mut rest = In(bytes);
    let count = rest.count().unwrap_or(0);
    (0..count).map_while(move |_| Some((rest.stamp()?, fields(&mut rest)?)))
}

fn fields<'a>(rest: &mut In<'a>) -> Option<FieldsRecord<'a>> {
    let number = f64::from_le_bytes(rest.take(8)?.try_into().ok()?);
    let confidence = (Confidence::new(number).ok()?, rest.lamport()?);
    let rationale = rest.maybe(|rest| Some((rest.maybe(In::text)?, rest.lamport()?)))?;
    let reviewed_at = rest.maybe(|rest| Some((rest.maybe(In::text)?, rest.lamport()?)))?;
    let created_at = (rest.text()?, rest.lamport()?);
    Some(FieldsRecord {
        confidence,
        rationale,
        reviewed_at,
        created_at,
    })
}
