//! Notifies an aggregator of a new graph (clause P8). A failure is only a remark: the answer of `publish` stays "yes".

use crate::forge::RepositoryId;
use crate::policy::Address;
use lore_seam::{Ctx, WebLimits, WebMethod, WebRequest};

/// The user's settings: the address to notify, and its token. A repository cannot set them.
const NOTIFY: &str = "graph.notify";
const TOKEN: &str = "graph.notify_token";
/// Bytes of a reply, of which only the status counts.
const MOST_REPLY: u64 = 64 << 10;

/// Tells the aggregator that is configured; what became of it, on one line. Nothing is said where none is.
pub(super) fn notify(ctx: &Ctx, repository: Option<&RepositoryId>) -> Option<String> {
    let url = ctx.ports.settings.value(NOTIFY)?;
    let outcome = tell(ctx, &url, repository);
    Some(outcome.unwrap_or_else(|why| format!("the aggregator was not notified: {why}")))
}

fn tell(ctx: &Ctx, url: &str, repository: Option<&RepositoryId>) -> Result<String, String> {
    let address = Address::parse(url).map_err(|reason| format!("its address in [graph] is not contacted: {reason}"))?;
    let host = address.host();
    let token = ctx.ports.settings.value(TOKEN).ok_or("no token in LORE_GRAPH_TOKEN")?;
    let repository = repository.ok_or("the remote `origin` is not a repository that it could know")?;
    let id = repository.to_string();
    let body = serde_json::json!({ "event_type": "sync-entry", "client_payload": { "id": id } }).to_string();
    let bearer = format!("Bearer {token}");
    let address = address.to_string();
    let request = WebRequest {
        method: WebMethod::Post(body.as_bytes()),
        headers: &[("content-type", "application/json"), ("accept", "application/json")],
        secret: Some(("authorization", &bearer)),
        ..WebRequest::get(&address, WebLimits::of_bytes(MOST_REPLY))
    };
    match ctx.ports.web.exchange(&request) {
        Ok(reply) if reply.is_success() => Ok(format!("notified {host} of the new graph of {id}")),
        Ok(reply) if reply.status == 404 => Err(format!("{host} does not know {id} or rejects the token")),
        Ok(reply) => Err(format!("{host} answered {}", reply.status)),
        Err(fault) => Err(format!("{host}: {fault}")),
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use lore_seam::world::World;
    use lore_seam::{WebFault, WebReply};

    const HOOK: &str = "https://registry.example/hook";

    /// What is said where a server answers so, and what it was asked.
    fn said(reply: Option<Result<u16, WebFault>>, token: bool, remote: Option<&str>) -> (Option<String>, Vec<String>) {
        let mut world = World::default();
        world.settings.insert(NOTIFY.to_owned(), vec![HOOK.to_owned()]);
        if token {
            world.settings.insert(TOKEN.to_owned(), vec!["t0ken".to_owned()]);
        }
        let reply = reply.map(|reply| {
            reply.map(|status| WebReply {
                status,
                ..WebReply::default()
            })
        });
        world
            .replies
            .lock()
            .expect("whole")
            .extend(reply.map(|reply| (HOOK.to_owned(), vec![reply])));
        let world = Arc::new(world);
        let repository = remote.and_then(|remote| RepositoryId::parse(remote).ok());
        let said = notify(&world.ctx(), repository.as_ref());
        let asked = world.fetched.lock().expect("whole").clone();
        (said, asked)
    }

    #[test]
    fn p8_an_aggregator_is_told_when_one_and_a_token_are_configured() {
        let (line, asked) = said(Some(Ok(202)), true, Some("https://github.com/o/shop"));
        assert_eq!(
            line.as_deref(),
            Some("notified registry.example of the new graph of o/shop")
        );
        let wanted = r#"POST https://registry.example/hook {"client_payload":{"id":"o/shop"},"event_type":"sync-entry"} authorization: Bearer t0ken content-type: application/json accept: application/json"#;
        assert_eq!(asked, [wanted]);
        // Where none is configured nobody is told, and nothing is said.
        let world = Arc::new(World::default());
        assert_eq!(notify(&world.ctx(), None), None);
    }

    #[test]
    fn p8_whatever_goes_wrong_is_one_line() {
        let shop = Some("https://github.com/o/shop");
        let not_told = |line: (Option<String>, Vec<String>)| {
            let line = line.0.expect("something is said");
            assert!(!line.contains('\n') && !line.contains("t0ken"), "{line}");
            line.strip_prefix("the aggregator was not notified: ")
                .expect("it was not")
                .to_owned()
        };
        let (line, asked) = said(None, false, shop);
        assert!(asked.is_empty());
        assert_eq!(not_told((line, asked)), "no token in LORE_GRAPH_TOKEN");
        assert!(not_told(said(None, true, None)).starts_with("the remote `origin` is not a repository"));
        assert_eq!(
            not_told(said(Some(Ok(404)), true, shop)),
            "registry.example does not know o/shop or rejects the token"
        );
        assert_eq!(
            not_told(said(Some(Ok(503)), true, shop)),
            "registry.example answered 503"
        );
        assert_eq!(
            not_told(said(Some(Err(WebFault::Dns)), true, shop)),
            "registry.example: the host is unknown"
        );
        let mut world = World::default();
        world.settings.insert(NOTIFY.to_owned(), vec!["http://x".to_owned()]);
        let line = notify(&Arc::new(world).ctx(), None);
        assert!(line.is_some_and(|line| line.contains("its address in [graph] is not contacted")));
    }
}
