//! Finds a unit by its id.

use lore_model::nearest;

use super::model::{Manifest, Unit, UnitIndex};
use super::open::MANIFEST;
use lore_seam::{ErrorKind, OpError};

/// The first unit with an id. The error for an unknown id suggests similar ids.
pub fn find_unit<'m>(m: &'m Manifest, id: &str) -> Result<(UnitIndex, &'m Unit), OpError> {
    let found = (0u32..).zip(&m.units).find(|(_, unit)| m.id(unit) == Some(id));
    if let Some((number, unit)) = found {
        return Ok((UnitIndex(number), unit));
    }
    let error = OpError::new(ErrorKind::NotFound, format!("there is no unit `{id}`"));
    let ids = || m.units.iter().filter_map(|unit| m.id(unit));
    let near = nearest(id, ids(), 3);
    let by_path = m
        .units
        .iter()
        .find(|unit| m.path(unit) == Some(id))
        .and_then(|unit| m.id(unit));
    Err(match (by_path, near.as_slice()) {
        (Some(named), _) => error.hint(format!("that is the path of the unit `{named}`")),
        (None, []) => error.hint(format!("`lore unit query` lists the units of {MANIFEST}")),
        (None, near) => error.hint(format!(
            "there is {}",
            near.iter().map(|id| format!("`{id}`")).collect::<Vec<_>>().join(", ")
        )),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{UNIT, manifest};

    #[test]
    fn a_unit_is_named_by_its_id_and_the_first_one_is_meant() {
        let second = "  - {id: a, path: b.md, intent: i, scope: global, audience: [agent]}\n  - {id: guide, path: g.md, intent: i, scope: global, audience: [agent]}\n";
        let m = manifest(&format!("{UNIT}{second}"));
        assert_eq!(find_unit(&m, "a").unwrap().0, UnitIndex(0));
        let error = |id: &str| {
            let error = find_unit(&m, id).unwrap_err();
            format!("{} / {}", error.message, error.hints.join("; "))
        };
        assert_eq!(error("guids"), "there is no unit `guids` / there is `guide`");
        assert_eq!(
            error("docs/a.md"),
            "there is no unit `docs/a.md` / that is the path of the unit `a`"
        );
        assert!(error("zzzzzzzz").contains("lore unit query"));
    }
}
