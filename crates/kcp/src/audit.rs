//! The audit log and the trace that a read belongs to (clauses S10, S11, amendment Amend3).

use crate::audit_log::AuditLog;
use lore_base::time::{date_time, parse_date_time};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use super::access::{Decision, ObligationKind};
use super::context::{AgentContext, Usage};
use super::effective::effective;
use super::model::{Manifest, UnitIndex, is_true};
use super::read::from_root;
use super::vocabulary::Restriction;
use lore_seam::{Ctx, ErrorKind, OpError};

/// Lines of the log that are looked at for what was asked for before.
const LINES: usize = 10_000;

/// One line of the audit log
#[derive(Serialize, Deserialize, JsonSchema, Clone, PartialEq, Eq, Debug)]
pub struct AuditLine {
    /// When, in universal time
    pub time: String,
    /// The agent that asked
    pub agent: String,
    /// The id of the unit
    pub unit: String,
    /// The manifest of the unit, relative to the root of the repository if it is inside
    pub manifest: String,
    /// granted, denied or requires_human_approval
    pub decision: String,
    /// The trace that the read belongs to, as W3C Trace Context writes it
    pub traceparent: Option<String>,
    /// The state that systems on the way added to the trace (`tracestate`)
    pub tracestate: Option<String>,
    /// The obligations of the read
    pub obligations: Vec<String>,
}

/// What is to be left behind by a read of a unit.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Demand {
    /// Whether the read is to be logged.
    pub log: bool,
    /// Whether logging is forbidden.
    pub forbidden: bool,
    /// Whether it needs a trace.
    pub trace: bool,
}

/// What became of the log.
#[derive(Serialize, JsonSchema, Clone, Copy, PartialEq, Eq, Debug)]
#[serde(rename_all = "snake_case")]
pub enum Logged {
    /// The read was logged
    Yes,
    /// No rule demands a log
    No,
    /// The read was not logged, because the unit forbids it
    Forbidden,
}

/// What a unit demands of its reads.
pub fn demand(m: &Manifest, u: UnitIndex) -> Demand {
    let effective = effective(m, u);
    let audit = m.root.trust.as_ref().and_then(|trust| trust.value.audit.as_ref());
    let trusts = |flag: fn(&super::model::Audit) -> &super::model::Field<bool>| {
        audit.is_some_and(|audit| is_true(flag(&audit.value)))
    };
    let must_log = trusts(|audit| &audit.agent_must_log);
    let must_trace = trusts(|audit| &audit.require_trace_context);
    let chain = effective.delegation.audit_chain.value;
    let restricts = |wanted| {
        effective.compliance.restrictions.is_some_and(|list| {
            let mut words = list
                .value
                .iter()
                .map(|item| Restriction::from_spelling(m.text(item.value)));
            words.any(|word| word == Some(wanted))
        })
    };
    let forbidden = restricts(Restriction::NoLogging);
    let asked = must_log || must_trace || chain || restricts(Restriction::AuditRequired);
    Demand {
        log: asked && !forbidden,
        forbidden: asked && forbidden,
        trace: must_trace || chain,
    }
}

/// Records a decision about a read: the line in the log, and the trace context. If the log is demanded and cannot be written, the read fails.
pub fn record(
    ctx: &Ctx,
    manifest: &str,
    m: &Manifest,
    u: UnitIndex,
    agent: &AgentContext,
    decision: &Decision,
) -> Result<(Logged, Option<String>), OpError> {
    let demand = demand(m, u);
    let unit = m.unit(u).and_then(|unit| m.id(unit)).unwrap_or_default();
    let now_ms = ctx.ports.clock.now_ms();
    let traceparent = if demand.trace {
        Some(traceparent(
            agent.traceparent.as_deref(),
            &[&ctx.ports.ids.fresh(), &now_ms.to_string(), manifest, unit],
        ))
    } else {
        agent.traceparent.clone().filter(|text| trace_id(text).is_some())
    };
    if !demand.log {
        let logged = if demand.forbidden {
            Logged::Forbidden
        } else {
            Logged::No
        };
        return Ok((logged, traceparent));
    }
    let mut obligations: Vec<ObligationKind> = decision.obligations.iter().map(|obligation| obligation.kind).collect();
    obligations.sort_unstable();
    obligations.dedup();
    let line = AuditLine {
        time: date_time(i64::try_from(now_ms / 1_000).unwrap_or(i64::MAX)),
        agent: agent.agent.clone(),
        unit: unit.to_owned(),
        manifest: named(ctx, manifest),
        decision: decision.outcome.word().to_owned(),
        traceparent: traceparent.clone(),
        tracestate: agent.tracestate.clone(),
        obligations: obligations.into_iter().map(|kind| kind.word().to_owned()).collect(),
    };
    let text = serde_json::to_string(&line).map_err(|error| {
        OpError::new(
            ErrorKind::Internal,
            format!("the audit line cannot be written: {error}"),
        )
        .because(error)
    })?;
    ctx.port::<dyn AuditLog>().append(&text).map_err(|error| {
        OpError::new(
            error.kind,
            format!(
                "`{unit}` is not read, because the read cannot be logged: {}",
                error.message
            ),
        )
        .hint("the manifest demands a log of every read")
        .because(error)
    })?;
    Ok((Logged::Yes, traceparent))
}

/// The path of a manifest in the log, independent of the caller's directory.
fn named(ctx: &Ctx, manifest: &str) -> String {
    from_root(&ctx.ports.code.here(), manifest).unwrap_or_else(|| manifest.to_owned())
}

/// When a unit with limits was read before, as far as the log says. A log that cannot be read says nothing.
pub fn usage(ctx: &Ctx, m: &Manifest, u: UnitIndex, manifest: &str) -> Usage {
    let id = m.unit(u).and_then(|unit| m.id(unit));
    let (Some(_), Some(id)) = (effective(m, u).rate_limits, id) else {
        return Usage::default();
    };
    let manifest = named(ctx, manifest);
    let lines = ctx.port::<dyn AuditLog>().last(LINES).unwrap_or_default();
    let at_ms = lines.iter().filter_map(|line| {
        let line: AuditLine = serde_json::from_str(line).ok()?;
        let is_meant = line.unit == id && line.manifest == manifest && line.decision == "granted";
        let seconds = parse_date_time(&line.time).filter(|_| is_meant)?;
        u64::try_from(seconds).ok()?.checked_mul(1_000)
    });
    Usage { at_ms: at_ms.collect() }
}

/// The `traceparent` for work that follows a read: it continues the incoming trace, or starts a new one. `fresh` is hashed, so it cannot be read back.
pub fn traceparent(incoming: Option<&str>, fresh: &[&str]) -> String {
    let mut hash = Sha256::new();
    for part in fresh {
        hash.update(part.as_bytes());
        hash.update([0]);
    }
    let hex = lore_base::digest::hex(hash.finalize());
    let begun = hex
        .get(..32)
        .filter(|id| !is_zero(id))
        .unwrap_or("00000000000000000000000000000001");
    let parent = hex.get(32..48).filter(|id| !is_zero(id)).unwrap_or("0000000000000001");
    let trace = incoming.and_then(trace_id).unwrap_or(begun);
    format!("00-{trace}-{parent}-01")
}

/// The id of the trace in a `traceparent`, if it is one.
fn trace_id(text: &str) -> Option<&str> {
    let parts: Vec<&str> = text.split('-').collect();
    let [version, trace, parent, flags] = parts.as_slice() else {
        return None;
    };
    let is_hex = |part: &str, length: usize| {
        part.len() == length && part.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'))
    };
    let is_whole = *version == "00" && is_hex(trace, 32) && is_hex(parent, 16) && is_hex(flags, 2);
    (is_whole && !is_zero(trace) && !is_zero(parent)).then_some(*trace)
}

fn is_zero(id: &str) -> bool {
    id.bytes().all(|byte| byte == b'0')
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{UNIT, manifest};

    #[test]
    fn s10_a_trace_goes_on_with_a_new_parent_and_a_broken_one_begins_anew() {
        let incoming = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";
        let next = traceparent(Some(incoming), &["a"]);
        assert!(next.starts_with("00-4bf92f3577b34da6a3ce929d0e0e4736-"), "{next}");
        assert_ne!(next, incoming);
        assert_eq!(trace_id(&next), Some("4bf92f3577b34da6a3ce929d0e0e4736"));
        let fresh = traceparent(None, &["a"]);
        assert!(trace_id(&fresh).is_some(), "{fresh}");
        assert_ne!(fresh, traceparent(None, &["b"]));
        assert_ne!(traceparent(None, &["ab", ""]), traceparent(None, &["a", "b"]));
        for broken in [
            "",
            "00-00000000000000000000000000000000-00f067aa0ba902b7-01",
            "00-4bf92f3577b34da6a3ce929d0e0e4736-0000000000000000-01",
            "ff-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01",
            "00-4BF92F3577B34DA6A3CE929D0E0E4736-00f067aa0ba902b7-01",
            "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01-x",
            "00-4bf9-00f0-01",
        ] {
            assert_eq!(traceparent(Some(broken), &["a"]), fresh, "{broken}");
        }
    }

    #[test]
    fn s11_a_read_is_logged_where_any_of_four_rules_asks_for_it() {
        let of = |more: &str| {
            let m = manifest(&format!("{UNIT}{more}"));
            let demand = demand(&m, UnitIndex(0));
            format!(
                "log {} forbidden {} trace {}",
                demand.log, demand.forbidden, demand.trace
            )
        };
        assert_eq!(of(""), "log false forbidden false trace false");
        assert_eq!(
            of("trust: {audit: {agent_must_log: true}}\n"),
            "log true forbidden false trace false"
        );
        assert_eq!(
            of("trust: {audit: {require_trace_context: true}}\n"),
            "log true forbidden false trace true"
        );
        assert_eq!(
            of("    delegation: {audit_chain: true}\n"),
            "log true forbidden false trace true"
        );
        assert_eq!(
            of("compliance: {restrictions: [audit_required]}\n"),
            "log true forbidden false trace false"
        );
        assert_eq!(
            of("    compliance: {restrictions: [no-logging]}\ntrust: {audit: {agent_must_log: true}}\n"),
            "log false forbidden true trace false"
        );
        assert_eq!(
            of("compliance: {restrictions: [no-logging]}\n"),
            "log false forbidden false trace false"
        );
    }
}
