//! `lore registry revoke`: revokes a repository or one of its graphs and leaves a tombstone (clauses S8, S10; ruling 5).

use lore_ckgp::graphs::Graphs;
use lore_ckgp::registry_store::store::Registry;
use std::collections::BTreeSet;

use clap::Args;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{about, audit, drop_unheld, entry_of, graph_id, now, rules};
use lore_ckgp::consumer::store::evict;
use lore_ckgp::consumer::untrusted;
use lore_ckgp::forge::GraphId;
use lore_ckgp::format::FormatId;
use lore_ckgp::registry_store::entry::{Entry, Revocation, RevokedBy};
use lore_ckgp::registry_store::status::Status;
use lore_ckgp::registry_store::store::{EventKind, reading, writing};
use lore_seam::{Access, Ctx, ErrorKind, OpError, Operation, Page, Render, Value};

/// Letters of a reason.
const MOST_REASON: usize = 280;

/// Revoke a repository or one of its graphs: it is no longer served and no longer visited
///
/// Its bodies are deleted at once, unless another repository has the same body. A tombstone remains, so that it is not registered again by accident.
#[derive(Args, Deserialize, JsonSchema, Clone, Debug, Default)]
#[command(after_help = "Examples:
  lore registry revoke octo/hello --reason 'asked by its owner'
  lore registry revoke 'octo/hello#gitnexus@1'        one graph only
  lore registry add octo/hello --restore              registers it again

Exit status: 0 it is revoked; 1 the repository is not registered; 2 the question could not be asked.")]
#[serde(default)]
pub struct RegistryRevokeRequest {
    /// owner/repo, or owner/repo#format for one graph
    #[arg(value_name = "OWNER/REPO[#FORMAT]")]
    pub id: String,
    /// The reason, which is stored and not published
    #[arg(long)]
    pub reason: Option<String>,
}

/// What was revoked
#[derive(Serialize, JsonSchema, Clone, PartialEq, Eq, Debug)]
pub struct RegistryRevokeAnswer {
    /// The repository or graph
    pub id: String,
    /// Whether it was already revoked, so that nothing changed
    pub was_revoked: bool,
    /// Bodies that became unreferenced and were deleted
    pub dropped_bodies: u64,
}

/// `lore registry revoke`.
pub struct RegistryRevoke;

impl Operation for RegistryRevoke {
    const NAME: &'static str = "registry_revoke";
    const COMMAND: &'static [&'static str] = &["registry", "revoke"];
    const ACCESS: Access = Access::Write;
    type Request = RegistryRevokeRequest;
    type Answer = Value<RegistryRevokeAnswer>;

    fn run(ctx: &Ctx, request: RegistryRevokeRequest) -> Result<Value<RegistryRevokeAnswer>, OpError> {
        let registry = ctx.port::<dyn Registry>();
        reading(registry, about)?;
        let GraphId { repository, format } = graph_id(ctx, &request.id)?;
        let rules = rules(ctx)?;
        let reason = request
            .reason
            .as_deref()
            .map(|reason| untrusted::clean(reason.trim(), MOST_REASON));
        let reason = reason.filter(|reason| !reason.is_empty());
        let at = now(ctx);
        let done = writing(registry, |store| {
            let before = entry_of(store, &repository)?;
            let known = known_revocation(&before, format.as_ref())?;
            let is_new = known
                .is_none_or(|known| known.by != RevokedBy::Registry || (reason.is_some() && known.reason != reason));
            if !is_new {
                return Ok((before, Vec::new(), true));
            }
            let mut entry = before.clone();
            let revocation = Revocation {
                at,
                by: RevokedBy::Registry,
                reason: reason.clone(),
            };
            entry.revoke(format.as_ref(), revocation);
            let due = (!entry.is_at_rest()).then_some(at);
            store.put(&entry, &rules.first_host(&entry), due)?;
            for graph in entry.graphs.iter().filter(|graph| graph.status == Status::Revoked) {
                if let Some(format) = &graph.format {
                    store.set_text(&entry.repository, format, None)?;
                }
            }
            if entry.primary().format != before.primary().format || entry.status() == Status::Revoked {
                // They are those of another graph.
                store.set_terms(&entry.repository, &BTreeSet::new())?;
            }
            let kind = if entry.is_at_rest() {
                EventKind::Revoked
            } else {
                EventKind::Changed
            };
            store.add_event(at, &entry.repository, kind, Some(entry.status()))?;
            audit(store, at, "revoke", &shown(&entry, format.as_ref()), reason.clone())?;
            let held: BTreeSet<&str> = entry.held().collect();
            let released = before.held().filter(|digest| !held.contains(digest));
            let released: Vec<String> = released.map(str::to_owned).collect();
            Ok((entry, released, false))
        })?;
        let (entry, released, was_revoked) = done;
        // What this machine fetched of it for itself goes too (clause C5).
        evict(ctx.port::<dyn Graphs>(), &entry.repository)?;
        Ok(Value::yes(RegistryRevokeAnswer {
            id: shown(&entry, format.as_ref()),
            was_revoked,
            dropped_bodies: drop_unheld(ctx, &released)?,
        }))
    }
}

/// The earlier revocation of the repository or graph.
fn known_revocation<'e>(entry: &'e Entry, format: Option<&FormatId>) -> Result<Option<&'e Revocation>, OpError> {
    let Some(format) = format else {
        return Ok(entry.revocation.as_ref());
    };
    let Some(graph) = entry.graph(Some(format)) else {
        let known = entry.graphs.iter().filter_map(|graph| graph.format.as_ref());
        let known: Vec<String> = known.map(ToString::to_string).collect();
        let message = format!("{} has no graph of {format}", entry.repository);
        return Err(OpError::new(ErrorKind::NotFound, message).hint(if known.is_empty() {
            "its graphs are not known yet".to_owned()
        } else {
            format!("it has {}", known.join(", "))
        }));
    };
    Ok(graph.revocation.as_ref().or(entry.revocation.as_ref()))
}

fn shown(entry: &Entry, format: Option<&FormatId>) -> String {
    match format {
        Some(format) => format!("{}#{format}", entry.repository),
        None => entry.repository.to_string(),
    }
}

impl Render for RegistryRevokeAnswer {
    fn render(&self, page: &mut Page) {
        page.strong(&self.id);
        match (self.was_revoked, self.dropped_bodies) {
            (true, _) => page.line(format_args!(": was already revoked")),
            (false, 0) => page.line(format_args!(": revoked; no body was deleted")),
            (false, 1) => page.line(format_args!(": revoked; deleted its body")),
            (false, bodies) => page.line(format_args!(": revoked; deleted its {bodies} bodies")),
        }
        if !self.was_revoked {
            page.line(format_args!("`lore registry render` removes it from the documents"));
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::super::testing::*;
    use super::*;

    #[test]
    fn s10_a_tombstone_remains_and_body_words_and_schedule_are_gone_at_once() {
        let world = made(bare(&[]));
        let first = visited(&world, "octo/hello", "generic@1", "{\"a\": 1}");
        let second = visited(&world, "octo/hello", "ccg@1", "{\"b\": 1}");
        let revoke = |arguments| asked::<RegistryRevoke, _>(&world, arguments);
        let told = revoke(json!({"id": "octo/hello", "reason": "asked by its owner"}));
        assert!(
            told.starts_with("Yes\nocto/hello: revoked; deleted its 2 bodies\n"),
            "{told}"
        );
        assert!(!has_body(&world, &first) && !has_body(&world, &second));
        let known = entry(&world, "octo/hello").unwrap();
        assert_eq!(known.status(), Status::Revoked);
        assert!(
            known
                .graphs
                .iter()
                .all(|graph| graph.last_sha.is_none() && graph.stats.is_none())
        );
        assert_eq!(known.revocation.unwrap().reason.as_deref(), Some("asked by its owner"));
        reading(world.ctx().port::<dyn Registry>(), |store| {
            assert_eq!(store.next_due()?, None);
            assert_eq!(store.search(&["session".to_owned()], 10)?, []);
            assert_eq!(store.holders(&first)?, 0);
            Ok(())
        })
        .unwrap();
        assert_eq!(events(&world), ["revoked octo/hello"]);
        assert_eq!(audited(&world).last().unwrap(), "revoke octo/hello: asked by its owner");
        assert_eq!(
            revoke(json!({"id": "octo/hello"})),
            "Yes\nocto/hello: was already revoked\n"
        );
        assert_eq!(events(&world).len(), 1);
        assert!(revoke(json!({"id": "octo/none"})).starts_with("! NotFound: octo/none is not registered"));
    }

    #[test]
    fn s10_a_body_that_another_repository_holds_stays() {
        let world = made(bare(&[]));
        let shared = visited(&world, "octo/hello", "generic@1", "{\"a\": 1}");
        visited(&world, "octo/twin", "generic@1", "{\"a\": 1}");
        let told = asked::<RegistryRevoke, _>(&world, json!({"id": "octo/hello"}));
        assert!(told.contains("revoked; no body was deleted"), "{told}");
        assert!(has_body(&world, &shared));
    }

    #[test]
    fn ruling5_one_graph_is_taken_back_and_the_others_stay() {
        let world = made(bare(&[]));
        let first = visited(&world, "octo/hello", "generic@1", "{\"a\": 1}");
        let second = visited(&world, "octo/hello", "ccg@1", "{\"b\": 1}");
        let revoke = |id: &str| asked::<RegistryRevoke, _>(&world, json!({ "id": id }));
        assert!(revoke("octo/hello#ccg@1").starts_with("Yes\nocto/hello#ccg@1: revoked; deleted its body\n"));
        assert_eq!((has_body(&world, &first), has_body(&world, &second)), (true, false));
        let known = entry(&world, "octo/hello").unwrap();
        assert_eq!(known.status(), Status::Ok);
        assert_eq!(
            known.graph(FormatId::parse("ccg@1").as_ref()).unwrap().status,
            Status::Revoked
        );
        assert_eq!(events(&world), ["changed octo/hello"]);
        assert!(revoke("octo/hello#ccg@1").contains("was already revoked"));
        assert_eq!(
            revoke("octo/hello#own@1"),
            "! NotFound: octo/hello has no graph of own@1\n  it has generic@1, ccg@1"
        );
        assert!(revoke("octo/hello#own").starts_with("! Invalid: "));
    }
}
