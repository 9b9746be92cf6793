//! Abstract objects and points-to sets.

use super::fast_hash::Map;

/// The index of an object in [`Objects`].
pub(super) type ObjectId = u32;

/// An abstract object: what a slot can point to.
///
/// One abstract object represents many run-time values. Two values that must not be mixed up (two lists, two closures)
/// need different abstract objects, which is why functions carry their `maker` and instances their `site`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) enum Object {
    /// A function: a body, and the activation that created it. The activation identifies the captured variables.
    Function {
        body: u32,
        maker: u32,
    },
    /// A class: a class row, and the activation that created it.
    Class {
        class: u32,
        maker: u32,
    },
    /// An instance of a class, or of a function used as a constructor. Instances of built-in collections also differ by
    /// allocation site; other instances have site 0.
    Instance {
        class: ObjectId,
        site: u32,
    },
    Module(u32),
    /// A method bound to its receiver.
    Bound {
        function: ObjectId,
        receiver: ObjectId,
    },
    /// A value of another project, by the number of its path.
    External(u32),
    /// The result of `super`: member lookup for `receiver` starts after `class`.
    Super {
        class: ObjectId,
        receiver: ObjectId,
    },
    /// A string or number literal, by the number of its text.
    Literal(u32),
    /// A function that creates an instance of a class. `constructs` says whether it runs the constructors.
    Maker {
        class: ObjectId,
        constructs: bool,
    },
    /// The object that holds the members shared by the instances of a class, in languages where the class itself does
    /// not.
    Prototype(ObjectId),
    /// A function converted to an interface with a single abstract method.
    Adapted {
        function: ObjectId,
        class: ObjectId,
    },
    /// A method that is referenced through its class; the call passes the receiver as first argument.
    Unbound {
        class: ObjectId,
        name: u32,
    },
    /// A built-in callback that copies its two arguments to this slot and the next one. Go's range over a function
    /// calls such a callback.
    Sink(u32),
}

/// All objects, interned: equal objects have one id, so ids can be compared instead of objects.
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

/// How the solver knows that a slot holds an object. The numbers are those of [`lore_model::Resolution`]. Smaller is stronger. A points-to set keeps the strongest evidence
/// of an object; passing through a call, field or container can weaken the evidence.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
#[repr(u8)]
pub(super) enum Evidence {
    Exact = 0,
    Typed = 1,
    Flow = 3,
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

/// Hard limit for the objects of one slot. The solver drops further objects and marks the slot as overfull.
pub(super) const MAX_OBJECTS: usize = 256;

/// A points-to set, each object with its evidence. An entry is `object << 2 | evidence`. Nearly all sets have at most
/// one entry.
#[derive(Default)]
#[expect(clippy::box_collection, reason = "a slot is 16 bytes so, and there are millions")]
pub(super) enum Set {
    #[default]
    Empty,
    One(u32),
    Many(Box<Vec<u32>>),
}

/// The outcome of [`Set::put`].
#[derive(PartialEq, Eq, Debug)]
pub(super) enum Put {
    /// The object was added.
    New,
    /// The object was present with weaker evidence; the evidence was improved.
    Better,
    /// The object was present with evidence as strong or stronger.
    Known,
    /// The set is full; the object was not added.
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
