//! `PatternIndex`: the patterns of all atoms of a project, to be asked for a path.

use std::collections::BTreeMap;

use crate::memory::id::Id;

/// The patterns of a project's atoms.
#[derive(Clone, Debug, Default)]
pub struct PatternIndex {
    atoms: BTreeMap<Id, Vec<String>>,
}

impl PatternIndex {
    /// Takes in the atoms that are new or have other patterns now, and forgets those that are gone.
    pub fn apply(&mut self, changed: Vec<(Id, Vec<String>)>, removed: &[Id]) {
        for id in removed {
            self.atoms.remove(id);
        }
        self.atoms.extend(changed);
    }

    /// How many atoms it knows.
    pub fn len(&self) -> usize {
        self.atoms.len()
    }

    /// Whether it knows none.
    pub fn is_empty(&self) -> bool {
        self.atoms.is_empty()
    }

    /// The patterns of an atom.
    pub fn patterns(&self, atom: Id) -> &[String] {
        self.atoms.get(&atom).map_or(&[], Vec::as_slice)
    }
}
