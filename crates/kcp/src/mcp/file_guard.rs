//! Files that a manifest keeps from agents are kept from them by whatever name they ask for them (clause S7, amendment Amend2), at every
//! revision, and with the texts that are made of them: declarations, decorators and documentation.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::Arc;

use lore_model::CodeGraph;

use super::get::refused;
use super::restricted_history::{RestrictedAtRevision, restricted_before};
use super::served_manifests::{Served, served};
use crate::access::{Now, Outcome, decide};
use crate::context::AgentContext;
use crate::model::{Manifest, UnitIndex};
use crate::open::{directory, join, stamp};
use crate::path::normal;
use lore_seam::{Ctx, ErrorKind, GraphScope, Memo, OpError, ReadGuard, WithheldFiles};

/// What the units of the repository keep from agents.
pub const GUARD: ReadGuard = ReadGuard { may_read, withheld };

/// The units of a manifest by the path of their document, from the root.
type ByPath = HashMap<String, Vec<UnitIndex>>;

/// A file that is kept from an agent.
#[derive(Clone, Debug)]
pub(super) struct RestrictedFile {
    /// The unit that it is the document of.
    pub(super) unit: String,
    /// The error for the agent.
    pub(super) refusal: OpError,
}

impl RestrictedFile {
    /// What is shown in the place of a text of the file.
    fn marker(&self) -> String {
        format!("withheld: restricted unit `{}`", self.unit)
    }
}

/// What is kept from an agent in the working tree.
#[derive(Default)]
struct RestrictedNow {
    /// Files and directories, by their paths from the root.
    kept: BTreeMap<String, RestrictedFile>,
    /// The paths of the manifests that say so.
    manifests: BTreeSet<String>,
}

/// What keeps a file from an agent: what keeps it or a directory around it.
pub(super) fn kept_at<'k>(kept: &'k BTreeMap<String, RestrictedFile>, path: &str) -> Option<&'k RestrictedFile> {
    with_directories(path).find_map(|path| kept.get(path))
}

/// A path and the directories around it, the innermost first; the root, which has no name, is the last.
fn with_directories(path: &str) -> impl Iterator<Item = &str> {
    std::iter::successors(Some(path), |inner| {
        let around = inner.rsplit_once('/').map_or("", |(directory, _)| directory);
        (!inner.is_empty()).then_some(around)
    })
}

/// Whether an agent may read a file of the repository: it may if every unit may be read that has the file, or a directory around it, as
/// its document. A file that no manifest names, or only an invalid one, is not restricted. Of a revision, a file is
/// also kept that is an earlier form of one that is kept now.
fn may_read(ctx: &Ctx, decided: &Memo, scope: &GraphScope, path: &str) -> Result<(), OpError> {
    let wanted = normal(path);
    let now = now(ctx, decided)?;
    // A unit of a directory does not keep the manifest that declares it.
    let kept = if now.manifests.contains(&wanted) {
        now.kept.get(&wanted)
    } else {
        kept_at(&now.kept, &wanted)
    };
    if let Some(kept) = kept {
        return Err(kept.refusal.clone());
    }
    match &scope.revision {
        Some(revision) => before(ctx, decided, scope, revision)?.may_read(ctx, scope, &wanted),
        None => Ok(()),
    }
}

/// What is kept in the working tree, determined once for a request.
fn now(ctx: &Ctx, decided: &Memo) -> Result<Arc<RestrictedNow>, OpError> {
    decided.get_or("kept now", 0, || kept_now(ctx))
}

/// What of a revision is kept, determined once for a request.
fn before(ctx: &Ctx, decided: &Memo, scope: &GraphScope, revision: &str) -> Result<Arc<RestrictedAtRevision>, OpError> {
    decided.get_or(&format!("kept before {revision}"), 0, || {
        restricted_before(ctx, scope, revision, &now(ctx, decided)?.kept)
    })
}

/// The files of a graph whose texts are withheld from agents.
fn withheld(ctx: &Ctx, decided: &Memo, scope: &GraphScope, graph: &CodeGraph) -> Result<WithheldFiles, OpError> {
    if ctx.ports.code.foreign().is_some() {
        return Ok(BTreeMap::new());
    }
    let now = now(ctx, decided)?;
    let mut withheld = BTreeMap::new();
    let mut take = |kept: &BTreeMap<String, RestrictedFile>| {
        if !kept.is_empty() {
            let found = graph
                .files()
                .filter_map(|file| Some((file.id(), kept_at(kept, file.path())?.marker())));
            withheld.extend(found);
        }
    };
    take(&now.kept);
    let Some(revision) = &scope.revision else {
        return Ok(withheld);
    };
    let before = before(ctx, decided, scope, revision)?;
    let RestrictedAtRevision { names, blobs, unsure } = before.as_ref();
    take(names);
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

fn kept_now(ctx: &Ctx) -> Result<RestrictedNow, OpError> {
    let mut now = RestrictedNow::default();
    let Some(served) = served_or_none(ctx)? else {
        return Ok(now);
    };
    let agent = AgentContext::from_settings(ctx, false)?;
    for (at, manifest) in served.manifests() {
        now.manifests.insert(normal(at));
        for (path, units) in by_path(ctx, at, manifest)?.iter() {
            let found = units
                .iter()
                .find_map(|unit| kept_by(ctx, manifest, *unit, &agent, path));
            now.kept.extend(found.map(|found| (path.clone(), found)));
        }
    }
    Ok(now)
}

/// The files that a manifest keeps from an agent, by their paths from the root.
pub(super) fn kept_by_manifest(
    ctx: &Ctx,
    at: &str,
    manifest: &Manifest,
) -> Result<BTreeMap<String, RestrictedFile>, OpError> {
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
fn kept_by(
    ctx: &Ctx,
    manifest: &Manifest,
    unit: UnitIndex,
    agent: &AgentContext,
    path: &str,
) -> Option<RestrictedFile> {
    let decision = decide(manifest, unit, "read", agent, Now(ctx.ports.clock.now_ms()));
    if decision.outcome == Outcome::Granted {
        return None;
    }
    let id = manifest.unit(unit).and_then(|unit| manifest.id(unit)).unwrap_or(path);
    Some(RestrictedFile {
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
    use crate::testing::{UNIT, World};

    const RESTRICTED: &str =
        "    access: restricted\n    auth_scope: team\nauth: {methods: [{type: api_key, header: X-Key}]}\n";

    fn may_read_now(world: &Arc<World>, path: &str) -> Result<(), ErrorKind> {
        let decided = Memo::default();
        may_read(&world.ctx(), &decided, &GraphScope::default(), path).map_err(|error| error.kind)
    }

    #[test]
    fn s7_a_file_is_kept_from_agents_by_whatever_name_they_ask() {
        let world = crate::testing::of_files([("knowledge.yaml", format!("{UNIT}{RESTRICTED}"))]);
        for path in ["docs/a.md", "./docs/a.md", "docs//a.md", "docs/x/../a.md"] {
            assert_eq!(may_read_now(&world, path), Err(ErrorKind::Refused), "{path}");
        }
        assert_eq!(may_read_now(&world, "docs/b.md"), Ok(()));
        let world = crate::testing::of_files([("knowledge.yaml", UNIT)]);
        assert_eq!(may_read_now(&world, "docs/a.md"), Ok(()));
        assert_eq!(
            may_read_now(&crate::testing::of_files([("a", "")]), "docs/a.md"),
            Ok(())
        );
    }

    #[test]
    fn s7_a_unit_of_a_directory_keeps_every_file_below_it() {
        for directory in ["docs", "docs/", "./docs//"] {
            let text = format!("{UNIT}{RESTRICTED}").replace("docs/a.md", directory);
            let world = crate::testing::of_files([("knowledge.yaml", text)]);
            for path in ["docs/a.md", "docs/x/b.md", "./docs/x/../c.py", "docs"] {
                assert_eq!(
                    may_read_now(&world, path),
                    Err(ErrorKind::Refused),
                    "{path} in {directory}"
                );
            }
            for path in ["docs2/a.md", "a/docs/b.md", "knowledge.yaml"] {
                assert_eq!(may_read_now(&world, path), Ok(()), "{path} in {directory}");
            }
        }
        let text = format!("{UNIT}{RESTRICTED}").replace("docs/a.md", "./");
        let world = crate::testing::of_files([("knowledge.yaml", text)]);
        assert_eq!(may_read_now(&world, "src/a.py"), Err(ErrorKind::Refused));
        assert_eq!(may_read_now(&world, "knowledge.yaml"), Ok(()), "it says what is kept");
    }

    #[test]
    fn what_is_kept_of_a_revision_is_determined_once_for_a_request() {
        let world = crate::testing::of_files([("knowledge.yaml", format!("{UNIT}{RESTRICTED}"))]);
        let ctx = world.ctx();
        let scope = |revision: &str| GraphScope {
            revision: Some(revision.to_owned()),
            ..GraphScope::default()
        };
        let decided = Memo::default();
        let found = |revision: &str| before(&ctx, &decided, &scope(revision), revision).expect("it is known");
        let first = found("HEAD");
        assert!(may_read(&ctx, &decided, &scope("HEAD"), "docs/a.md").is_err());
        assert!(Arc::ptr_eq(&first, &found("HEAD")));
        assert!(!Arc::ptr_eq(&first, &found("HEAD~1")));
    }
}
