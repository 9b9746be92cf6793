//! The units that a file shows, in the order of clause G3: by scope, then by id.

use std::collections::HashSet;

use crate::model::{Manifest, Unit, known};
use crate::path::normal;
use crate::vocabulary::{Audience, LoadStrategy, Scope, UnitKind, Vocabulary};

/// A unit as it is shown.
#[derive(Clone, Debug)]
pub(super) struct ListedUnit<'m> {
    pub(super) unit: &'m Unit,
    pub(super) id: &'m str,
    pub(super) intent: &'m str,
    /// Without the parts that lead nowhere.
    pub(super) path: String,
    pub(super) scope: Scope,
    pub(super) triggers: Vec<&'m str>,
}

impl ListedUnit<'_> {
    /// The directory of its document; nothing at the root.
    pub(super) fn directory(&self) -> Option<&str> {
        self.path.rsplit_once('/').map(|(directory, _)| directory)
    }

    pub(super) fn is_eager(&self) -> bool {
        let hints = self.unit.hints.as_ref();
        hints.and_then(|hints| known(&hints.value.load_strategy)) == Some(LoadStrategy::Eager)
    }

    pub(super) fn is_policy(&self) -> bool {
        self.unit.kind_or_default() == UnitKind::Policy
    }

    pub(super) fn is_for(&self, audience: Audience) -> bool {
        self.unit.audiences().any(|own| own.is_same(audience))
    }

    pub(super) fn audience(&self) -> String {
        let words: Vec<&str> = self.unit.audiences().map(Vocabulary::word).collect();
        words.join(", ")
    }
}

/// The units of a manifest, those for an audience if one is named. Units that are deprecated, or that lack what is shown of them, are left out; of two with an id the first counts.
pub(super) fn shown(manifest: &Manifest, audience: Option<Audience>) -> Vec<ListedUnit<'_>> {
    let mut seen = HashSet::new();
    let mut units: Vec<ListedUnit<'_>> = Vec::new();
    for unit in &manifest.units {
        let (Some(id), Some(path), Some(intent)) =
            (manifest.id(unit), manifest.path(unit), manifest.field(&unit.intent))
        else {
            continue;
        };
        if !seen.insert(id) || unit.is_deprecated() {
            continue;
        }
        let triggers = unit.triggers.iter().flat_map(|triggers| &triggers.value.kept);
        let shown = ListedUnit {
            unit,
            id,
            intent,
            path: normal(&path.replace('\\', "/")),
            scope: unit.scope_or_default(),
            triggers: triggers.map(|trigger| manifest.text(trigger.value)).collect(),
        };
        if audience.is_none_or(|audience| shown.is_for(audience)) {
            units.push(shown);
        }
    }
    units.sort_by_key(|unit| (rank(unit.scope), unit.id));
    units
}

/// Where a scope comes: what holds everywhere first.
pub(super) fn rank(scope: Scope) -> u8 {
    match scope {
        Scope::Global => 0,
        Scope::Project => 1,
        Scope::Module => 2,
    }
}

/// What units are to each other, as far as one of them is shown: `from`, `to` and the type.
pub(super) fn relationships<'m>(manifest: &'m Manifest, units: &[ListedUnit<'m>]) -> Vec<(&'m str, &'m str, &'m str)> {
    let ids: HashSet<&str> = units.iter().map(|unit| unit.id).collect();
    let all = manifest.relationships.iter().filter_map(|relationship| {
        let from = manifest.field(&relationship.from)?;
        let to = manifest.field(&relationship.to)?;
        let kind = relationship.kind.as_ref().map(|kind| manifest.word(kind.value))?;
        (ids.contains(from) || ids.contains(to)).then_some((from, to, kind))
    });
    all.collect()
}

/// As many units as a text of so many characters holds: the last ones of the least scope go first, whole (clause G5).
pub(super) fn fit<'m>(
    mut units: Vec<ListedUnit<'m>>,
    most: Option<usize>,
    write: impl Fn(&[ListedUnit<'m>], usize) -> String,
) -> String {
    let all = units.len();
    let whole = write(&units, 0);
    let Some(most) = most else { return whole };
    if whole.chars().count() <= most {
        return whole;
    }
    // Each unit adds to the text, so that the largest number that fits can be looked for by halves.
    let (mut low, mut high) = (0, all);
    while low < high {
        let middle = (low + high).div_ceil(2);
        if write(&units[..middle], all - middle).chars().count() <= most {
            low = middle
        } else {
            high = middle - 1
        }
    }
    units.truncate(low);
    write(&units, all - low)
}
