//! Files that a manifest keeps from agents are kept from them by whatever name they ask for them (clause S7, amendment Amend2).

use std::collections::HashMap;
use std::sync::Arc;

use super::get_unit::refused;
use super::served::served;
use crate::kcp::access::{Now, Outcome, decide};
use crate::kcp::context::AgentContext;
use crate::kcp::model::{Manifest, UnitIndex};
use crate::kcp::open::{directory, join, stamp};
use crate::kcp::path::normal;
use crate::seam::{Ctx, ErrorKind, OpError};

/// The units of a manifest by the path of their document, from the root.
type ByPath = HashMap<String, Vec<UnitIndex>>;

/// Whether an agent may read a file of the repository: it may if every unit that has it as its document may be read. A file that no manifest names, or that only one names which is not valid, is kept
/// from nobody.
pub fn may_read(ctx: &Ctx, path: &str) -> Result<(), OpError> {
    let served = match served(ctx) {
        Ok(served) => served,
        Err(error) if matches!(error.kind, ErrorKind::Unavailable | ErrorKind::Invalid) => return Ok(()),
        Err(error) => return Err(error),
    };
    let wanted = normal(path);
    let mut agent = None;
    for (at, manifest) in served.manifests() {
        let units = by_path(ctx, at, manifest)?;
        for unit in units.get(&wanted).into_iter().flatten() {
            let agent = match &agent {
                Some(agent) => agent,
                None => agent.insert(AgentContext::from_settings(ctx, false)?),
            };
            let decision = decide(manifest, *unit, "read", agent, Now(ctx.ports.clock.now_ms()));
            if decision.outcome != Outcome::Granted {
                let id = manifest.unit(*unit).and_then(|unit| manifest.id(unit));
                return Err(refused(id.unwrap_or(path), &decision));
            }
        }
    }
    Ok(())
}

fn by_path(ctx: &Ctx, at: &str, manifest: &Manifest) -> Result<Arc<ByPath>, OpError> {
    let make = || {
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
        Ok(units)
    };
    match stamp(ctx, at) {
        Some(stamp) => ctx.ports.memo.get_or(&format!("units by path {at}"), stamp, make),
        None => make().map(Arc::new),
    }
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
            let refused = may_read(&ctx, path).expect_err(path);
            assert_eq!(refused.kind, ErrorKind::Refused, "{path}");
        }
        assert_eq!(may_read(&ctx, "docs/b.md"), Ok(()));
        let world = World::of_files([("knowledge.yaml", UNIT)]);
        assert_eq!(may_read(&world.ctx(), "docs/a.md"), Ok(()));
        assert_eq!(may_read(&World::of_files([("a", "")]).ctx(), "docs/a.md"), Ok(()));
    }
}
