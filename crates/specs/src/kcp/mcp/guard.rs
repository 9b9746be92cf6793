//! Files that a manifest keeps from agents are kept from them by whatever name they ask for them (clause S7, amendment Amend2), at every
//! revision, and with the texts that are made of them: declarations, decorators and documentation.

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

use lore_model::CodeGraph;

use super::get_unit::refused;
use super::kept_before::{Before, kept_before};
use super::served::{Served, served};
use crate::kcp::access::{Now, Outcome, decide};
use crate::kcp::context::AgentContext;
use crate::kcp::model::{Manifest, UnitIndex};
use crate::kcp::open::{directory, join, stamp};
use crate::kcp::path::normal;
use crate::seam::{Ctx, ErrorKind, GraphScope, OpError, ReadGuard, WithheldFiles};

/// What the units of the repository keep from agents.
pub const GUARD: ReadGuard = ReadGuard { may_read, withheld };

/// The units of a manifest by the path of their document, from the root.
type ByPath = HashMap<String, Vec<UnitIndex>>;

/// A file that is kept from an agent.
#[derive(Clone, Debug)]
pub(super) struct Kept {
    /// The unit that it is the document of.
    pub(super) unit: String,
    /// What whoever asks for it is told.
    pub(super) refusal: OpError,
}

impl Kept {
    /// What is shown in the place of a text of the file.
    fn marker(&self) -> String {
        format!("withheld: restricted unit `{}`", self.unit)
    }
}

/// Whether an agent may read a file of the repository: it may if every unit that has it as its document may be read. A file that no manifest names, or that only one names which is not valid, is kept
/// from nobody. Of a revision, a file is also kept that is an earlier form of one that is kept now.
fn may_read(ctx: &Ctx, scope: &GraphScope, path: &str) -> Result<(), OpError> {
    let wanted = normal(path);
    if let Some(served) = served_or_none(ctx)? {
        let mut agent = None;
        for (at, manifest) in served.manifests() {
            let units = by_path(ctx, at, manifest)?;
            for unit in units.get(&wanted).into_iter().flatten() {
                let agent = match &agent {
                    Some(agent) => agent,
                    None => agent.insert(AgentContext::from_settings(ctx, false)?),
                };
                if let Some(kept) = kept_by(ctx, manifest, *unit, agent, path) {
                    return Err(kept.refusal);
                }
            }
        }
    }
    match &scope.revision {
        Some(revision) => kept_before(ctx, scope, revision, &kept_now(ctx)?)?.may_read(ctx, scope, &wanted),
        None => Ok(()),
    }
}

/// The files of a graph whose texts are withheld from agents.
fn withheld(ctx: &Ctx, scope: &GraphScope, graph: &CodeGraph) -> Result<WithheldFiles, OpError> {
    if ctx.ports.code.foreign().is_some() {
        return Ok(BTreeMap::new());
    }
    let now = kept_now(ctx)?;
    let mut withheld = BTreeMap::new();
    let mut take = |path: &str, kept: &Kept| {
        withheld.extend(graph.file_at(path).map(|file| (file.id(), kept.marker())));
    };
    now.iter().for_each(|(path, kept)| take(path, kept));
    let Some(revision) = &scope.revision else {
        return Ok(withheld);
    };
    let Before { names, blobs, unsure } = kept_before(ctx, scope, revision, &now)?;
    names.iter().for_each(|(path, kept)| take(path, kept));
    if let Some(why) = unsure {
        let shown = format!("withheld: {why}");
        return Ok(graph.files().map(|file| (file.id(), shown.clone())).collect());
    }
    if !blobs.is_empty() {
        let same = graph
            .files()
            .filter_map(|file| Some((file.id(), blobs.get(&file.hash().to_string())?.marker())));
        withheld.extend(same);
    }
    Ok(withheld)
}

/// The manifests that are served; nothing if there is none, or none that is valid.
pub(super) fn served_or_none(ctx: &Ctx) -> Result<Option<Served>, OpError> {
    match served(ctx) {
        Ok(served) => Ok(Some(served)),
        Err(error)
            if matches!(
                error.kind,
                ErrorKind::Unavailable | ErrorKind::Invalid | ErrorKind::NotFound
            ) =>
        {
            Ok(None)
        }
        Err(error) => Err(error),
    }
}

/// The files of the working tree that are kept from an agent, by their paths from the root.
fn kept_now(ctx: &Ctx) -> Result<BTreeMap<String, Kept>, OpError> {
    let mut kept = BTreeMap::new();
    let Some(served) = served_or_none(ctx)? else {
        return Ok(kept);
    };
    let agent = AgentContext::from_settings(ctx, false)?;
    for (at, manifest) in served.manifests() {
        for (path, units) in by_path(ctx, at, manifest)?.iter() {
            let found = units
                .iter()
                .find_map(|unit| kept_by(ctx, manifest, *unit, &agent, path));
            kept.extend(found.map(|found| (path.clone(), found)));
        }
    }
    Ok(kept)
}

/// The files that a manifest keeps from an agent, by their paths from the root.
pub(super) fn kept_by_manifest(ctx: &Ctx, at: &str, manifest: &Manifest) -> Result<BTreeMap<String, Kept>, OpError> {
    let agent = AgentContext::from_settings(ctx, false)?;
    let mut kept = BTreeMap::new();
    for (path, units) in units_by_path(at, manifest) {
        let found = units
            .iter()
            .find_map(|unit| kept_by(ctx, manifest, *unit, &agent, &path));
        kept.extend(found.map(|found| (path, found)));
    }
    Ok(kept)
}

/// What keeps the document of a unit from an agent; nothing if the agent may read it.
fn kept_by(ctx: &Ctx, manifest: &Manifest, unit: UnitIndex, agent: &AgentContext, path: &str) -> Option<Kept> {
    let decision = decide(manifest, unit, "read", agent, Now(ctx.ports.clock.now_ms()));
    if decision.outcome == Outcome::Granted {
        return None;
    }
    let id = manifest.unit(unit).and_then(|unit| manifest.id(unit)).unwrap_or(path);
    Some(Kept {
        unit: id.to_owned(),
        refusal: refused(id, &decision),
    })
}

fn by_path(ctx: &Ctx, at: &str, manifest: &Manifest) -> Result<Arc<ByPath>, OpError> {
    match stamp(ctx, at) {
        Some(stamp) => ctx.ports.memo.get_or(&format!("units by path {at}"), stamp, || {
            Ok(units_by_path(at, manifest))
        }),
        None => Ok(Arc::new(units_by_path(at, manifest))),
    }
}

fn units_by_path(at: &str, manifest: &Manifest) -> ByPath {
    let base = directory(at).unwrap_or_default();
    let mut units = ByPath::new();
    for (number, unit) in (0u32..).zip(&manifest.units) {
        if let Some(path) = manifest.path(unit) {
            units
                .entry(normal(&join(base, path)))
                .or_default()
                .push(UnitIndex(number));
        }
    }
    units
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kcp::testing::{UNIT, World};

    #[test]
    fn s7_a_file_is_kept_from_agents_by_whatever_name_they_ask() {
        let text = format!(
            "{UNIT}    access: restricted\n    auth_scope: team\nauth: {{methods: [{{type: api_key, header: X-Key}}]}}\n"
        );
        let world = World::of_files([("knowledge.yaml", text)]);
        let ctx = world.ctx();
        for path in ["docs/a.md", "./docs/a.md", "docs//a.md", "docs/x/../a.md"] {
            let refused = may_read(&ctx, &GraphScope::default(), path).expect_err(path);
            assert_eq!(refused.kind, ErrorKind::Refused, "{path}");
        }
        assert_eq!(may_read(&ctx, &GraphScope::default(), "docs/b.md"), Ok(()));
        let world = World::of_files([("knowledge.yaml", UNIT)]);
        assert_eq!(may_read(&world.ctx(), &GraphScope::default(), "docs/a.md"), Ok(()));
        assert_eq!(
            may_read(&World::of_files([("a", "")]).ctx(), &GraphScope::default(), "docs/a.md"),
            Ok(())
        );
    }
}
