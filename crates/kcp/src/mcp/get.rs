//! `lore unit get`: the content of a unit, if the agent may read it (clauses M3, M5, S7).

use clap::Args;
use schemars::JsonSchema;
use serde::Deserialize;

use super::served_manifests::{ServedUnit, served_from};
use crate::access::{ADVISORY, Decision, DecisionLine};
use crate::audit::Logged;
use crate::context::{AgentContext, AgentFlags};
use crate::read::{Content, ReadUnit, Reading, read_unit};
use crate::uri::knowledge_uri;
use lore_seam::{Access, Bytes, Ctx, ErrorKind, OpError, Operation, ResourceContent};

/// The content of a unit of the repository's manifest, if it may be read
///
/// Lore evaluates the rules of the manifest before it opens the file. A refusal names the reason and the rule. The answer has the obligations of the read. Lore logs the read if the manifest demands it.
#[derive(Args, Deserialize, JsonSchema, Clone, Debug, Default)]
#[command(after_help = "Examples:
  lore unit get deploy-guide
  lore unit get wire-transfers --scope-held aml:read --region DE > transfers.md

Exit status: 0: read; 1: the unit does not exist, or may not be read; 2: the question could not be asked.")]
pub struct GetUnitRequest {
    /// The id of the unit
    #[arg(value_name = "ID")]
    pub unit_id: String,
    /// The manifest, or its directory [default: the manifest of this repository]
    #[arg(long, value_name = "FILE", value_hint = clap::ValueHint::AnyPath)]
    #[serde(default)]
    #[schemars(extend("x-agents" = "omit"))]
    pub file: Option<String>,
    // An agent cannot choose its identity: outside of the command line, the settings of the user who runs Lore define it.
    #[command(flatten)]
    #[serde(skip)]
    pub agent: AgentFlags,
}

/// The operation.
pub struct GetUnit;

impl Operation for GetUnit {
    const NAME: &'static str = "get_unit";
    const COMMAND: &'static [&'static str] = &["unit", "get"];
    const ACCESS: Access = Access::Read;
    type Request = GetUnitRequest;
    type Answer = Bytes;

    fn run(ctx: &Ctx, request: GetUnitRequest) -> Result<Bytes, OpError> {
        let served = served_from(ctx, request.file.as_deref())?;
        let unit = served.unit(&request.unit_id)?;
        let read = read(ctx, &unit, &request.agent.context(ctx)?)?;
        let note = note(&read);
        let (_, primary) = served.primary();
        let uri = Some(knowledge_uri(primary, unit.id));
        let (media_type, bytes) = match read.content {
            Content::Text(text) => (read.media_type, text.into_bytes()),
            Content::Binary(bytes) => (binary_type(read.media_type), bytes),
        };
        let mut answer = Bytes::whole(media_type, bytes);
        answer.uri = uri;
        answer.note = note;
        answer.as_chosen = true;
        Ok(answer)
    }
}

/// Bytes that are no text are not called so, whatever the manifest calls them.
fn binary_type(media_type: String) -> String {
    if Bytes::whole(media_type.clone(), Vec::new()).is_text() {
        "application/octet-stream".to_owned()
    } else {
        media_type
    }
}

/// The content of a unit as a resource.
pub(super) fn content(ctx: &Ctx, unit: &ServedUnit<'_>) -> Result<ResourceContent, OpError> {
    let read = read(ctx, unit, &AgentContext::from_settings(ctx, false)?)?;
    let note = note(&read);
    let (media_type, bytes, is_binary) = match read.content {
        Content::Text(text) => (read.media_type, text.into_bytes(), false),
        Content::Binary(bytes) => (binary_type(read.media_type), bytes, true),
    };
    Ok(ResourceContent {
        media_type,
        bytes,
        is_binary,
        note,
    })
}

fn read(ctx: &Ctx, unit: &ServedUnit<'_>, agent: &AgentContext) -> Result<ReadUnit, OpError> {
    match read_unit(ctx, unit.path, unit.manifest, unit.index, agent)? {
        Reading::Read(read) => Ok(*read),
        Reading::Refused(decision) => Err(refused(unit.id, &decision)),
    }
}

/// Why a unit may not be read, and how that came about.
pub(super) fn refused(id: &str, decision: &Decision) -> OpError {
    let line = DecisionLine::from(decision);
    let reasons: Vec<&str> = line.reasons.iter().map(|reason| reason.message.as_str()).collect();
    let what = line.decision.replace('_', " ");
    let mut error = OpError::new(
        ErrorKind::Refused,
        format!("reading `{id}`: {what}: {}", reasons.join("; ")),
    );
    if let Some(mechanism) = &line.mechanism {
        error = error.hint(format!("a human approves by {mechanism}"));
    }
    let trace = line.trace.iter().map(|step| {
        let origin = step.origin.iter().map(|origin| format!(" ({origin})"));
        format!("{} {}{}", step.gate, step.verdict, origin.collect::<String>())
    });
    let trace: Vec<String> = trace.collect();
    error.hint(format!("trace: {}", trace.join(", "))).hint(ADVISORY)
}

/// Obligations and cautions for the reader of a unit.
fn note(read: &ReadUnit) -> Option<String> {
    let line = DecisionLine::from(&read.decision);
    let mut said: Vec<String> = line
        .obligations
        .iter()
        .map(|obligation| format!("{}: {}", obligation.kind, obligation.detail))
        .collect();
    said.extend(read.traceparent.as_ref().map(|trace| format!("traceparent: {trace}")));
    if read.logged == Logged::Forbidden {
        said.push("not logged: the unit forbids it".to_owned());
    }
    (!said.is_empty()).then(|| said.join("; "))
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::testing::{UNIT, World};

    fn get(world: World, id: &str) -> String {
        let request = serde_json::from_value(serde_json::json!({ "unit_id": id })).expect("a request");
        match GetUnit::run(&Arc::new(world).ctx(), request) {
            Ok(bytes) => {
                let (media_type, uri, note) = (bytes.media_type.clone(), bytes.uri.clone(), bytes.note.clone());
                let mut out = Vec::new();
                bytes.content.write_to(&mut out).expect("written");
                let note = note.unwrap_or_default();
                let text = String::from_utf8_lossy(&out);
                format!("{media_type} {} {text:?} {note}", uri.unwrap_or_default())
            }
            Err(error) => format!("{}: {} | {}", error.kind.name(), error.message, error.hints.join(" | ")),
        }
    }

    fn world(more: &str) -> World {
        crate::testing::with_files([
            ("knowledge.yaml", format!("{UNIT}{more}").as_bytes()),
            ("docs/a.md", b"# A\n".as_slice()),
        ])
    }

    #[test]
    fn m5_get_unit_gives_the_document() {
        assert_eq!(
            get(world("    indexing: open\n"), "a"),
            "text/markdown knowledge://shop/a \"# A\\n\" "
        );
    }

    #[test]
    fn m9_get_unit_names_the_units_that_there_are() {
        assert_eq!(get(world(""), "b"), "not_found: there is no unit `b` | there are: a");
    }

    #[test]
    fn s7_a_unit_that_may_not_be_read_is_refused_with_reason_and_trace() {
        let said = get(
            world("    access: restricted\n    auth_scope: team\nauth: {methods: [{type: api_key, header: X-Key}]}\n"),
            "a",
        );
        assert!(said.starts_with("refused: reading `a`: denied: "), "{said}");
        assert!(said.contains("| trace: ") && said.contains("denied"), "{said}");
        assert!(!said.contains("# A"), "{said}");
    }

    #[test]
    fn m3_what_is_no_text_is_not_called_text() {
        let mut world = world("");
        world.files.insert("docs/a.md".to_owned(), vec![0xff, 0xfe, 0, 1]);
        assert!(get(world, "a").starts_with("application/octet-stream knowledge://shop/a "));
    }

    #[test]
    fn m5_obligations_come_with_the_document() {
        let said = get(world("    license: {spdx: MIT, attribution_required: true}\n"), "a");
        assert!(said.contains("\"# A\\n\" ") && said.contains("cite"), "{said}");
    }
}
