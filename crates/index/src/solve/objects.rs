//! What can be in a slot, and the sets of it.

use super::fast_hash::Map;

/// An object by number.
pub(super) type ObjectId = u32;

/// Something that a slot can hold.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) enum Object {
    /// The function of a body, made by an activation of the body around it.
    Function { body: u32, maker: u32 },
    /// The class of a row, made by an activation.
    Class { class: u32, maker: u32 },
    /// An instance of a class (or of a function that makes instances). Those of built-in collections differ by the place that made them.
    Instance { class: ObjectId, site: u32 },
    /// A module.
    Module(u32),
    /// A function with its receiver.
    Bound { function: ObjectId, receiver: ObjectId },
    /// Something of another project, by its path.
    External(u32),
    /// What comes after a class for a receiver.
    Super { class: ObjectId, receiver: ObjectId },
    /// A text or a number that the source spells, by its name.
    Literal(u32),
    /// What makes an instance of a class, with its constructors or without.
    Maker { class: ObjectId, constructs: bool },
    /// What the instances of a class have in common, where that is not the class itself.
    Prototype(ObjectId),
    /// A function as an instance of an interface with one method to define.
    Adapted { function: ObjectId, class: ObjectId },
    /// What instances of a class have under a name, as a function of the instance.
    Unbound { class: ObjectId, name: u32 },
    /// Takes what it is called with to a slot and those behind it.
    Sink(u32),
}

/// Every object, each once.
#[derive(Default)]
pub(super) struct Objects {
    rows: Vec<Object>,
    numbers: Map<Object, ObjectId>,
}

impl Objects {
    pub(super) fn number(&mut self, object: Object) -> ObjectId {
        if let Some(number) = self.numbers.get(&object) {
            return *number;
        }
        let number = self.rows.len() as ObjectId;
        self.rows.push(object);
        self.numbers.insert(object, number);
        number
    }

    pub(super) fn get(&self, number: ObjectId) -> Object {
        self.rows[number as usize]
    }

    pub(super) fn len(&self) -> usize {
        self.rows.len()
    }
}

/// How a value is known to be where it is; the smaller the surer.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
#[repr(u8)]
pub(super) enum Evidence {
    Exact = 0,
    Typed = 1,
    Flow = 2,
}

impl Evidence {
    pub(super) fn from_bits(bits: u32) -> Self {
        match bits & 3 {
            0 => Self::Exact,
            1 => Self::Typed,
            _ => Self::Flow,
        }
    }
}

/// Objects that a slot may hold before it counts as holding anything.
pub(super) const MAX_OBJECTS: usize = 256;

/// The objects of a slot, each with its evidence. Nearly all hold none or one.
#[derive(Default)]
#[expect(clippy::box_collection, reason = "a slot is 16 bytes so, and there are millions")]
pub(super) enum Set {
    #[default]
    Empty,
    One(u32),
    Many(Box<Vec<u32>>),
}

/// What became of an object that was put into a set.
#[derive(PartialEq, Eq, Debug)]
pub(super) enum Put {
    /// It is new.
    New,
    /// It is better known than before.
    Better,
    /// It was there.
    Known,
    /// The set is full.
    Full,
}

impl Set {
    pub(super) fn put(&mut self, object: ObjectId, evidence: Evidence) -> Put {
        let entry = object << 2 | evidence as u32;
        match self {
            Self::Empty => *self = Self::One(entry),
            Self::One(old) if *old >> 2 == object => {
                if *old <= entry {
                    return Put::Known;
                }
                *old = entry;
                return Put::Better;
            }
            Self::One(old) => {
                let mut entries = vec![*old, entry];
                entries.sort_unstable();
                *self = Self::Many(Box::new(entries));
            }
            Self::Many(entries) => {
                let at = entries.partition_point(|old| *old >> 2 < object);
                match entries.get(at).copied() {
                    Some(old) if old >> 2 == object => {
                        if old <= entry {
                            return Put::Known;
                        }
                        entries[at] = entry;
                        return Put::Better;
                    }
                    _ if entries.len() >= MAX_OBJECTS => return Put::Full,
                    _ => entries.insert(at, entry),
                }
            }
        }
        Put::New
    }

    pub(super) fn contains(&self, object: ObjectId) -> bool {
        match self {
            Self::Empty => false,
            Self::One(entry) => *entry >> 2 == object,
            Self::Many(entries) => entries.binary_search_by_key(&object, |entry| entry >> 2).is_ok(),
        }
    }

    pub(super) fn entries(&self) -> &[u32] {
        match self {
            Self::Empty => &[],
            Self::One(entry) => std::slice::from_ref(entry),
            Self::Many(entries) => entries,
        }
    }
}
