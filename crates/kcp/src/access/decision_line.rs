//! A decision as an answer, for people and programs.

use schemars::JsonSchema;
use serde::Serialize;

use super::{Decision, Outcome, StepVerdict};
use crate::vocabulary::Vocabulary;
use lore_seam::Page;

/// What every answer says that rests on what a manifest declares about access.
pub const ADVISORY: &str =
    "what a manifest says about access is advice; only the file system or a server protects the documents";

/// A decision
#[derive(Serialize, JsonSchema, Clone, PartialEq, Eq, Debug)]
pub struct DecisionLine {
    /// granted, denied or requires_human_approval
    pub decision: &'static str,
    /// How to ask for approval, if a human has to approve
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mechanism: Option<String>,
    /// Where the approval is described
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(extend("x-agents" = "untrusted"))]
    pub docs_url: Option<String>,
    /// How confidential the unit is for the agent; null if not declared
    pub sensitivity: Option<&'static str>,
    /// Every reason why access is not granted without conditions
    pub reasons: Vec<ReasonLine>,
    /// Obligations of an agent that gets access
    pub obligations: Vec<ObligationLine>,
    /// The steps of the decision, gate by gate
    pub trace: Vec<StepLine>,
}

/// Why access is not granted without conditions
#[derive(Serialize, JsonSchema, Clone, PartialEq, Eq, Debug)]
pub struct ReasonLine {
    /// The gate that gave the reason
    pub gate: &'static str,
    /// denied or needs approval
    pub verdict: &'static str,
    /// Why
    pub message: String,
}

/// Obligations of an agent that gets access
#[derive(Serialize, JsonSchema, Clone, PartialEq, Eq, Debug)]
pub struct ObligationLine {
    /// The kind of the obligation
    pub kind: &'static str,
    /// In a sentence
    pub detail: String,
}

/// One step of a decision
#[derive(Serialize, JsonSchema, Clone, PartialEq, Eq, Debug)]
pub struct StepLine {
    /// The gate
    pub gate: &'static str,
    /// passed, noted, needs approval or denied
    pub verdict: &'static str,
    /// Why
    pub message: String,
    /// Where the rule comes from: unit, root, default or a condition
    #[serde(skip_serializing_if = "Option::is_none")]
    pub origin: Option<String>,
    /// Its line in the manifest
    #[serde(skip_serializing_if = "Option::is_none")]
    pub line: Option<u32>,
}

impl From<&Decision> for DecisionLine {
    fn from(decision: &Decision) -> Self {
        let (mechanism, asked, docs_url) = match &decision.outcome {
            Outcome::RequiresHumanApproval {
                mechanism,
                sensitivity,
                docs_url,
            } => (Some(mechanism.to_string()), *sensitivity, docs_url.clone()),
            Outcome::Granted | Outcome::Denied => (None, None, None),
        };
        let reasons = decision.reasons.iter().map(|reason| ReasonLine {
            gate: reason.gate.name(),
            verdict: if reason.denies {
                StepVerdict::Denied.word()
            } else {
                StepVerdict::NeedsApproval.word()
            },
            message: reason.message.clone(),
        });
        let obligations = decision.obligations.iter().map(|obligation| ObligationLine {
            kind: obligation.kind.word(),
            detail: obligation.detail.clone(),
        });
        let trace = decision.trace.iter().map(|step| StepLine {
            gate: step.gate.name(),
            verdict: step.verdict.word(),
            message: step.message.clone(),
            origin: step.origin.map(|origin| origin.name()),
            line: step.line,
        });
        Self {
            decision: decision.outcome.word(),
            mechanism,
            docs_url,
            sensitivity: decision.sensitivity.or(asked).map(|word| word.word()),
            reasons: reasons.collect(),
            obligations: obligations.collect(),
            trace: trace.collect(),
        }
    }
}

impl DecisionLine {
    /// Shows it: what was decided, why, and what it obliges to; with the whole trace if it is asked for.
    pub fn show(&self, page: &mut Page, manifest: &str, with_trace: bool) {
        page.strong(&self.decision.replace('_', " "));
        if let Some(mechanism) = &self.mechanism {
            page.write(format_args!(" by "));
            page.text(mechanism);
        }
        page.write(format_args!(
            "; sensitivity: {}",
            self.sensitivity.unwrap_or("not declared")
        ));
        page.line(format_args!(""));
        for reason in &self.reasons {
            page.write(format_args!("  {} ({}): ", reason.verdict, reason.gate));
            page.text(&reason.message);
            page.line(format_args!(""));
        }
        if let Some(url) = &self.docs_url {
            page.write(format_args!("  how to get approval: "));
            page.text(url);
            page.line(format_args!(""));
        }
        // Whoever is not let in is obliged to nothing.
        let obligations = self.obligations.iter().filter(|_| self.decision != "denied");
        for obligation in obligations {
            page.write(format_args!("  obligation ({}): ", obligation.kind));
            page.text(&obligation.detail);
            page.line(format_args!(""));
        }
        if !with_trace {
            return;
        }
        page.line(format_args!("trace:"));
        for step in &self.trace {
            page.write(format_args!(
                "  {:<14} {:<12} {:<14} ",
                step.verdict,
                step.gate,
                step.origin.as_deref().unwrap_or("-")
            ));
            page.text(&step.message);
            if let Some(line) = step.line {
                page.dim(&format!("  {manifest}:{line}"));
            }
            page.line(format_args!(""));
        }
    }
}
