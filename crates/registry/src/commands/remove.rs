//! `lore registry remove`: removes an entry; only its event and the audit log remain (clauses S8, S10).

use clap::Args;
use lore_ckgp::registry_store::store::Registry;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{about, audit, drop_unheld, entry_of, now, repository};
use lore_ckgp::registry_store::store::{EventKind, reading, writing};
use lore_seam::{Access, Ctx, OpError, Operation, Page, Render, Value};

/// Remove a repository from the registry, with its visits and bodies
///
/// Only a line in the change feed remains, and the repository can be registered again. To keep it out, revoke it.
#[derive(Args, Deserialize, JsonSchema, Clone, Debug, Default)]
#[command(after_help = "Examples:
  lore registry remove octo/hello
  lore registry revoke octo/hello --reason 'asked by its owner'     revokes it permanently instead

Exit status: 0 the repository is removed; 1 it is not registered; 2 the question could not be asked.")]
#[serde(default)]
pub struct RegistryRemoveRequest {
    /// owner/repo, host/owner/repo, or the address of a repository
    #[arg(value_name = "OWNER/REPO")]
    pub id: String,
}

/// What was removed
#[derive(Serialize, JsonSchema, Clone, PartialEq, Eq, Debug)]
pub struct RegistryRemoveAnswer {
    /// The repository
    pub id: String,
    /// Bodies that became unreferenced and were deleted
    pub dropped_bodies: u64,
}

/// `lore registry remove`.
pub struct RegistryRemove;

impl Operation for RegistryRemove {
    const NAME: &'static str = "registry_remove";
    const COMMAND: &'static [&'static str] = &["registry", "remove"];
    const ACCESS: Access = Access::Write;
    type Request = RegistryRemoveRequest;
    type Answer = Value<RegistryRemoveAnswer>;

    fn run(ctx: &Ctx, request: RegistryRemoveRequest) -> Result<Value<RegistryRemoveAnswer>, OpError> {
        let registry = ctx.port::<dyn Registry>();
        reading(registry, about)?;
        let repository = repository(ctx, &request.id)?;
        let at = now(ctx);
        let entry = writing(registry, |store| {
            let entry = entry_of(store, &repository)?;
            store.remove(&repository)?;
            store.add_event(at, &entry.repository, EventKind::Removed, None)?;
            audit(store, at, "remove", &entry.repository.to_string(), None)?;
            Ok(entry)
        })?;
        let held: Vec<String> = entry.held().map(str::to_owned).collect();
        Ok(Value::yes(RegistryRemoveAnswer {
            id: entry.repository.to_string(),
            dropped_bodies: drop_unheld(ctx, &held)?,
        }))
    }
}

impl Render for RegistryRemoveAnswer {
    fn render(&self, page: &mut Page) {
        page.strong(&self.id);
        page.line(format_args!(
            ": removed{}; `lore registry render` removes it from the documents",
            match self.dropped_bodies {
                0 => String::new(),
                1 => " with its body".to_owned(),
                bodies => format!(" with its {bodies} bodies"),
            }
        ));
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::super::testing::*;
    use super::*;

    #[test]
    fn s10_what_is_removed_leaves_an_event_and_the_audit_and_no_body_that_nobody_holds() {
        let world = made(bare(&[]));
        let shared = visited(&world, "octo/hello", "generic@1", "{\"a\": 1}");
        let own = visited(&world, "octo/hello", "ccg@1", "{\"b\": 1}");
        visited(&world, "octo/twin", "generic@1", "{\"a\": 1}");
        let remove = |id: &str| asked::<RegistryRemove, _>(&world, json!({ "id": id }));
        assert_eq!(
            remove("Octo/hello"),
            "Yes\nocto/hello: removed with its body; `lore registry render` removes it from the documents\n"
        );
        assert_eq!(entry(&world, "octo/hello"), None);
        assert_eq!((has_body(&world, &shared), has_body(&world, &own)), (true, false));
        assert_eq!(
            remove("octo/twim"),
            "! NotFound: octo/twim is not registered\n  similar ids: octo/twin"
        );
        remove("octo/twin");
        assert!(!has_body(&world, &shared));
        assert_eq!(events(&world), ["removed octo/hello", "removed octo/twin"]);
        assert_eq!(audited(&world).last().unwrap(), "remove octo/twin");
        assert_eq!(
            remove("octo/twin"),
            "! NotFound: octo/twin is not registered\n  `lore registry add octo/twin` registers it"
        );
    }
}
