//! The manifests that the server offers: that of the repository, and those of the setting `unit.sub_manifests` (clauses M7, M8).

use std::collections::HashSet;
use std::sync::Arc;

use globset::GlobBuilder;

use crate::graph::ids;
use crate::model::{Manifest, Unit, UnitIndex};
use crate::open::{open_valid, stamp};
use crate::vocabulary::Audience;
use lore_seam::{Ctx, ErrorKind, OpError};

/// Files that are looked at for manifests to add.
const MOST_FILES: usize = 200_000;
/// Manifests that are added.
const MOST_MANIFESTS: usize = 100;
/// The setting that leaves out units that are not for agents.
const AGENT_ONLY: &str = "unit.agent_only";
/// The setting that names manifests to add.
const SUB_MANIFESTS: &str = "unit.sub_manifests";

/// A manifest with its path.
pub type Named = (String, Arc<Manifest>);

/// The manifests that are served.
pub struct Served {
    /// The repository's own, then those that were added.
    manifests: Vec<Named>,
    /// Whether units are left out that are not for agents.
    agent_only: bool,
    /// What was wrong with those that were to be added.
    pub warnings: Vec<String>,
}

/// A unit, and the manifest that it is in.
#[derive(Clone, Copy)]
pub struct ServedUnit<'s> {
    /// The path of the manifest.
    pub path: &'s str,
    /// The manifest.
    pub manifest: &'s Arc<Manifest>,
    /// Which of its units.
    pub index: UnitIndex,
    /// The unit.
    pub unit: &'s Unit,
    /// Its id.
    pub id: &'s str,
}

/// The manifests that are served. One that was to be added and is not valid is left out.
pub fn served(ctx: &Ctx) -> Result<Served, OpError> {
    served_from(ctx, None)
}

/// The same, with another manifest than the repository's own.
pub(super) fn served_from(ctx: &Ctx, file: Option<&str>) -> Result<Served, OpError> {
    let primary = open_valid(ctx, file, false)?;
    let mut served = Served {
        manifests: vec![primary],
        agent_only: is_agent_only(ctx),
        warnings: Vec::new(),
    };
    let (manifests, warnings) = sub_manifests(ctx, served.primary().0)?;
    served.manifests.extend(manifests);
    served.warnings = warnings;
    Ok(served)
}

/// Whether units are left out that are not for agents.
pub fn is_agent_only(ctx: &Ctx) -> bool {
    ctx.ports.settings.value(AGENT_ONLY).as_deref() == Some("true")
}

/// The manifests that are served besides the repository's own, and why others are not.
pub fn sub_manifests(ctx: &Ctx, primary: &str) -> Result<(Vec<Named>, Vec<String>), OpError> {
    let (mut manifests, mut warnings) = (Vec::new(), Vec::new());
    for path in added(ctx)?.into_iter().filter(|path| path != primary) {
        match open_valid(ctx, Some(&path), false) {
            Ok(manifest) => manifests.push(manifest),
            Err(error) => warnings.push(format!("{path} is left out: {}", error.message)),
        }
    }
    Ok((manifests, warnings))
}

/// What differs once one of the manifests changed.
pub(super) fn stamps(ctx: &Ctx) -> u64 {
    let served = served(ctx).ok();
    let paths = served.iter().flat_map(|served| &served.manifests);
    paths.fold(0, |all, (path, _)| {
        let own = stamp(ctx, path).unwrap_or_default();
        all.rotate_left(7).wrapping_add(own)
    })
}

/// The paths that the patterns mean, in order.
fn added(ctx: &Ctx) -> Result<Vec<String>, OpError> {
    let patterns = ctx.ports.settings.values(SUB_MANIFESTS);
    if patterns.is_empty() {
        return Ok(Vec::new());
    }
    let mut globs = Vec::new();
    for pattern in &patterns {
        let glob = GlobBuilder::new(pattern).literal_separator(true).build();
        let glob = glob.map_err(|error| {
            let message = format!("`{pattern}` is not a glob pattern: {}", error.kind());
            OpError::new(ErrorKind::Invalid, message).because(error)
        })?;
        globs.push(glob.compile_matcher());
    }
    let (files, _) = ctx.ports.files.walk("", MOST_FILES)?;
    let meant = |path: &String| globs.iter().any(|glob| glob.is_match(path));
    Ok(files.into_iter().filter(meant).take(MOST_MANIFESTS).collect())
}

impl Served {
    /// The repository's own manifest.
    pub fn primary(&self) -> (&str, &Arc<Manifest>) {
        // There is one from the start.
        let (path, manifest) = &self.manifests[0];
        (path, manifest)
    }

    /// All of them, the repository's own first.
    pub fn manifests(&self) -> impl Iterator<Item = (&str, &Arc<Manifest>)> {
        self.manifests.iter().map(|(path, manifest)| (path.as_str(), manifest))
    }

    /// Whether a unit is served at all.
    fn admits(&self, unit: &Unit) -> bool {
        !self.agent_only || unit.audiences().any(|audience| audience == Audience::Agent)
    }

    /// The units, each id once: the repository's own manifest comes first.
    pub fn units(&self) -> Vec<ServedUnit<'_>> {
        let mut seen = HashSet::new();
        let mut units = Vec::new();
        for (path, manifest) in &self.manifests {
            for (number, unit) in (0u32..).zip(&manifest.units) {
                let Some(id) = manifest.id(unit).filter(|id| seen.insert(*id)) else {
                    continue;
                };
                if self.admits(unit) {
                    units.push(ServedUnit {
                        path,
                        manifest,
                        index: UnitIndex(number),
                        unit,
                        id,
                    });
                }
            }
        }
        units
    }

    /// The unit with an id, or which ones there are.
    pub fn unit(&self, id: &str) -> Result<ServedUnit<'_>, OpError> {
        for (path, manifest) in &self.manifests {
            let Some((id, index)) = ids(manifest).get_key_value(id).map(|(id, index)| (*id, *index)) else {
                continue;
            };
            let Some(unit) = manifest.unit(index).filter(|unit| self.admits(unit)) else {
                break;
            };
            return Ok(ServedUnit {
                path,
                manifest,
                index,
                unit,
                id,
            });
        }
        Err(self.unknown(id))
    }

    fn unknown(&self, id: &str) -> OpError {
        const SHOWN: usize = 20;
        let units = self.units();
        let shown: Vec<&str> = units.iter().take(SHOWN).map(|unit| unit.id).collect();
        let more = match units.len().saturating_sub(SHOWN) {
            0 => String::new(),
            more => format!(" and {more} more"),
        };
        let message = format!("there is no unit `{id}`");
        OpError::new(ErrorKind::NotFound, message).hint(format!("there are: {}{more}", shown.join(", ")))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{UNIT, World};

    fn manifest(ids: &[(&str, &str)]) -> String {
        let mut text = "kcp_version: \"0.14\"\nproject: shop\nversion: 1.0.0\nunits:\n".to_owned();
        for (id, audience) in ids {
            text += &format!(
                "- {{id: {id}, path: {id}.md, intent: What is {id}?, scope: global, audience: [{audience}]}}\n"
            );
        }
        text
    }

    fn shown(world: World) -> String {
        let ctx = std::sync::Arc::new(world).ctx();
        let served = served(&ctx).expect("there is one");
        let mut shown: Vec<String> = served
            .units()
            .iter()
            .map(|unit| format!("{}:{}", unit.path, unit.id))
            .collect();
        shown.extend(served.warnings.iter().cloned());
        shown.join("\n")
    }

    fn world() -> World {
        let mut world = crate::testing::with_files([
            ("knowledge.yaml", manifest(&[("a", "agent"), ("b", "human")])),
            ("sub/one/knowledge.yaml", manifest(&[("b", "agent"), ("c", "agent")])),
            ("sub/two/knowledge.yaml", "project: x\nunits: []\n".to_owned()),
        ]);
        world
            .settings
            .insert(SUB_MANIFESTS.to_owned(), vec!["sub/*/knowledge.yaml".to_owned()]);
        world
    }

    #[test]
    fn m7_of_two_units_with_an_id_the_primary_manifest_wins() {
        assert_eq!(
            shown(world()),
            "knowledge.yaml:a\nknowledge.yaml:b\nsub/one/knowledge.yaml:c\nsub/two/knowledge.yaml is left out: sub/two/knowledge.yaml is not a valid manifest: `units` is empty"
        );
    }

    #[test]
    fn m7_agent_only_leaves_out_what_is_for_people_alone() {
        let mut world = world();
        world.settings.insert(AGENT_ONLY.to_owned(), vec!["true".to_owned()]);
        let ctx = std::sync::Arc::new(world).ctx();
        let served = served(&ctx).expect("there is one");
        let ids: Vec<&str> = served.units().iter().map(|unit| unit.id).collect();
        assert_eq!(ids, ["a", "c"]);
        assert!(served.unit("b").is_err(), "the other manifest does not stand in for it");
        assert!(served.unit("a").is_ok());
    }

    #[test]
    fn m8_an_invalid_primary_is_refused() {
        let world = crate::testing::of_files([("knowledge.yaml", "project: x\nunits: []\n")]);
        let refused = served(&world.ctx()).err().map(|error| error.message);
        assert_eq!(
            refused.as_deref(),
            Some("knowledge.yaml is not a valid manifest: `units` is empty")
        );
    }

    #[test]
    fn m9_an_unknown_unit_is_answered_with_those_that_there_are() {
        let world = crate::testing::of_files([("knowledge.yaml", UNIT)]);
        let ctx = world.ctx();
        let error = served(&ctx)
            .expect("there is one")
            .unit("none")
            .err()
            .expect("it is none");
        assert_eq!(error.message, "there is no unit `none`");
        assert_eq!(error.hints, ["there are: a"]);
        let many: Vec<String> = (0..30).map(|number| format!("u{number}")).collect();
        let many: Vec<(&str, &str)> = many.iter().map(|id| (id.as_str(), "agent")).collect();
        let world = crate::testing::of_files([("knowledge.yaml", manifest(&many))]);
        let ctx = world.ctx();
        let error = served(&ctx)
            .expect("there is one")
            .unit("none")
            .err()
            .expect("it is none");
        assert!(error.hints[0].ends_with("u18, u19 and 10 more"), "{:?}", error.hints);
    }
}
