//! The only door to the content of a unit: the decision comes first, then the log, then the file (clauses S7, S11, amendment Amend2).

use super::access::{Decision, Now, Outcome, decide};
use super::audit::{self, Logged};
use super::context::AgentContext;
use super::model::{Manifest, UnitIndex};
use super::open::join;
use super::path::{self, PathNote};
use lore_seam::{Ctx, ErrorKind, OpError};

/// Bytes of a document that are read.
pub const MAX_CONTENT_BYTES: u64 = 16 << 20;

/// What became of a read.
#[derive(Debug)]
pub enum Reading {
    /// The unit was read.
    Read(Box<ReadUnit>),
    /// It was refused, or a human has to approve; nothing was opened.
    Refused(Box<Decision>),
}

/// A unit that was read.
#[derive(Debug)]
pub struct ReadUnit {
    /// Its content.
    pub content: Content,
    /// Its media type.
    pub media_type: String,
    /// The decision that let it be read.
    pub decision: Decision,
    /// What became of the log.
    pub logged: Logged,
    /// The trace context of the read, if there is one.
    pub traceparent: Option<String>,
}

/// What a unit holds.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Content {
    /// Text.
    Text(String),
    /// Anything else.
    Binary(Vec<u8>),
}

/// Reads a unit for an agent, if it may. The manifest is one that was read from disk, and is named as the caller named it: what a manifest from the web calls its files is not
/// looked for here.
pub fn read_unit(
    ctx: &Ctx,
    manifest: &str,
    m: &Manifest,
    u: UnitIndex,
    agent: &AgentContext,
) -> Result<Reading, OpError> {
    let mut agent = agent.clone();
    agent.usage = audit::usage(ctx, m, u, manifest);
    let decision = decide(m, u, "read", &agent, Now(ctx.ports.clock.now_ms()));
    let recorded = audit::record(ctx, manifest, m, u, &agent, &decision);
    if decision.outcome != Outcome::Granted {
        // Nothing was read, so that a log that cannot be written changes nothing.
        return Ok(Reading::Refused(Box::new(decision)));
    }
    let (logged, traceparent) = recorded?;
    let (bytes, media_type) = open(ctx, manifest, m, u)?;
    Ok(Reading::Read(Box::new(ReadUnit {
        content: content(bytes, &media_type),
        media_type,
        decision,
        logged,
        traceparent,
    })))
}

fn open(ctx: &Ctx, manifest: &str, m: &Manifest, u: UnitIndex) -> Result<(Vec<u8>, String), OpError> {
    let invalid = |message: String| OpError::new(ErrorKind::Invalid, message);
    let unit = m.unit(u).ok_or_else(|| invalid("there is no such unit".to_owned()))?;
    let Some(declared) = &unit.path else {
        return Err(invalid("the unit has no path of a file".to_owned()));
    };
    let text = m.text(declared.value.text);
    if declared.value.note == Some(PathNote::Root) {
        let message = format!("`{text}` is the directory of the manifest, which has no content");
        return Err(invalid(message));
    }
    let root = match manifest.rsplit_once(['/', '\\']) {
        _ if manifest == "-" => {
            let message = "a manifest from standard input has no directory, and therefore no documents".to_owned();
            return Err(invalid(message).hint("name the file"));
        }
        Some(("", _)) => "/",
        Some((directory, _)) => directory,
        None => ".",
    };
    let bytes = ctx.ports.files.read_inside(root, text, MAX_CONTENT_BYTES)?;
    Ok((bytes, m.media_type(unit).to_owned()))
}

/// A path relative to the caller's directory, as a path from the root of the tree; none if it is outside.
pub fn from_root(here: &str, path: &str) -> Option<String> {
    let whole = join(here, path);
    path::check(&whole).ok()?;
    Some(path::normal(&whole)).filter(|path| !path.is_empty())
}

/// Text, unless the media type or the bytes say that it is none.
fn content(bytes: Vec<u8>, media_type: &str) -> Content {
    let is_binary = media_type == "application/pdf"
        || ["image/", "audio/", "video/"]
            .iter()
            .any(|kind| media_type.starts_with(kind));
    if is_binary {
        return Content::Binary(bytes);
    }
    match String::from_utf8(bytes) {
        Ok(text) => Content::Text(text),
        Err(error) => Content::Binary(error.into_bytes()),
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::audit::AuditLine;
    use crate::audit_log::AuditLog;
    use crate::testing::{UNIT, World, manifest};

    fn world(more: &str) -> (Arc<World>, Manifest) {
        let text = format!("{UNIT}{more}");
        let mut world =
            crate::testing::with_files([("k/docs/a.md", "# A\n".as_bytes()), ("k/docs/a.pdf", &[0u8, 255][..])]);
        world
            .files
            .insert("k/knowledge.yaml".to_owned(), text.clone().into_bytes());
        world.now_ms = 1_800_000_000_000;
        (Arc::new(world), manifest(&text))
    }

    fn read(world: &Arc<World>, m: &Manifest, agent: &AgentContext) -> Result<Reading, OpError> {
        read_unit(&world.ctx(), "k/knowledge.yaml", m, UnitIndex(0), agent)
    }

    fn log(world: &World) -> Vec<AuditLine> {
        let lines = world.facets.get::<dyn AuditLog>().last(99).unwrap();
        lines.iter().map(|line| serde_json::from_str(line).unwrap()).collect()
    }

    #[test]
    fn s7_what_is_refused_is_not_opened() {
        let (world, m) = world("    access: restricted\n    auth_scope: ops\n");
        let Reading::Refused(decision) = read(&world, &m, &AgentContext::default()).unwrap() else {
            panic!("it was read");
        };
        assert_eq!(decision.outcome, Outcome::Denied);
        assert!(!decision.trace.is_empty() && !decision.reasons.is_empty());
    }

    #[test]
    fn amend2_the_decision_comes_before_the_file_is_looked_for() {
        let (_, m) = world("    access: restricted\n");
        let empty = crate::testing::of_files([("x", "")]);
        assert!(matches!(
            read(&empty, &m, &AgentContext::default()),
            Ok(Reading::Refused(_))
        ));
        let (_, open) = world("");
        assert!(read(&empty, &open, &AgentContext::default()).is_err());
    }

    #[test]
    fn s7_what_is_granted_is_read_from_below_the_manifest() {
        let (world, m) = world("");
        let Reading::Read(unit) = read(&world, &m, &AgentContext::default()).unwrap() else {
            panic!("it was refused");
        };
        assert_eq!(unit.content, Content::Text("# A\n".to_owned()));
        assert_eq!((unit.media_type.as_str(), unit.logged), ("text/markdown", Logged::No));
        assert!(unit.traceparent.is_none() && log(&world).is_empty());
    }

    #[test]
    fn s11_a_read_is_logged_with_who_what_and_why() {
        let (world, m) = world("    delegation: {audit_chain: true}\ntrust: {audit: {agent_must_log: true}}\n");
        let agent = AgentContext {
            agent: "ci\nx".to_owned(),
            tracestate: Some("a=b".to_owned()),
            ..AgentContext::default()
        };
        let Reading::Read(unit) = read(&world, &m, &agent).unwrap() else {
            panic!("it was refused");
        };
        assert_eq!(unit.logged, Logged::Yes);
        let lines = log(&world);
        assert_eq!(lines.len(), 1);
        let line = &lines[0];
        assert_eq!(
            (
                line.time.as_str(),
                line.agent.as_str(),
                line.unit.as_str(),
                line.decision.as_str()
            ),
            ("2027-01-15T08:00:00Z", "ci\nx", "a", "granted")
        );
        assert_eq!(line.obligations, ["log", "trace", "conservative"]);
        assert_eq!(line.tracestate.as_deref(), Some("a=b"));
        assert!(line.traceparent.is_some() && line.traceparent == unit.traceparent);
        assert!(!world.facets.get::<dyn AuditLog>().last(1).unwrap()[0].contains('\n'));
    }

    #[test]
    fn s11_a_refusal_is_logged_too() {
        let (world, m) = world("    access: restricted\ncompliance: {restrictions: [audit-required]}\n");
        assert!(matches!(
            read(&world, &m, &AgentContext::default()),
            Ok(Reading::Refused(_))
        ));
        assert_eq!(log(&world)[0].decision, "denied");
    }

    #[test]
    fn amend3_no_logging_keeps_a_read_out_of_the_log_and_says_so() {
        let (world, m) =
            world("    compliance: {restrictions: [no-logging]}\ntrust: {audit: {agent_must_log: true}}\n");
        let Reading::Read(unit) = read(&world, &m, &AgentContext::default()).unwrap() else {
            panic!("it was refused");
        };
        assert_eq!(unit.logged, Logged::Forbidden);
        assert!(log(&world).is_empty());
    }

    #[test]
    fn s11_where_the_log_cannot_be_written_there_is_no_read() {
        let (_, m) = world("trust: {audit: {agent_must_log: true}}\n");
        let mut broken = crate::testing::with_files([("k/docs/a.md", "x")]);
        broken.facets.set::<dyn AuditLog>(Arc::new(crate::testing::FullDisk));
        let error = read(&Arc::new(broken), &m, &AgentContext::default()).unwrap_err();
        assert!(error.message.contains("cannot be logged"), "{}", error.message);
    }

    #[test]
    fn access8_reads_in_the_log_count_against_the_limits() {
        let (world, m) =
            world("    rate_limits: {default: {requests_per_minute: 2}}\ntrust: {audit: {agent_must_log: true}}\n");
        let limited = || {
            let Ok(Reading::Read(unit)) = read(&world, &m, &AgentContext::default()) else {
                panic!("it was refused");
            };
            unit.decision
                .obligations
                .iter()
                .any(|obligation| obligation.kind.word() == "rate-limit")
        };
        assert_eq!([limited(), limited(), limited()], [false, false, true]);
    }

    #[test]
    fn a_path_is_named_from_the_root_wherever_one_stands() {
        assert_eq!(from_root("src/a", "../../k.yaml").as_deref(), Some("k.yaml"));
        assert_eq!(from_root("", "./docs//k.yaml").as_deref(), Some("docs/k.yaml"));
        assert_eq!(from_root("src", "../../k.yaml"), None);
        assert_eq!(from_root("", "/k.yaml"), None);
    }

    #[test]
    fn a_path_that_is_no_file_has_no_content() {
        let (world, _) = world("");
        let m = manifest(&UNIT.replace("docs/a.md", "docs/.."));
        let error = read(&world, &m, &AgentContext::default()).unwrap_err();
        assert!(
            error.message.contains("is the directory of the manifest"),
            "{}",
            error.message
        );
        let m = manifest(UNIT);
        let error = read_unit(&world.ctx(), "-", &m, UnitIndex(0), &AgentContext::default()).unwrap_err();
        assert!(error.message.contains("standard input"), "{}", error.message);
    }

    #[test]
    fn what_is_no_text_is_given_as_bytes() {
        let (world, _) = world("");
        let m = manifest(&UNIT.replace("docs/a.md", "docs/a.pdf"));
        let Ok(Reading::Read(unit)) = read(&world, &m, &AgentContext::default()) else {
            panic!("it was refused");
        };
        assert_eq!(unit.content, Content::Binary(vec![0, 255]));
    }
}
