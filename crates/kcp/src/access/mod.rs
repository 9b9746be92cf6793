//! `lore unit access`: whether an agent may do something with a unit, and why.

mod compliance;
pub mod decide;
mod decision_line;
mod delegation;
mod gates;
mod rate;
mod region;
#[cfg(test)]
mod tests;
mod usage;
mod visibility;

pub use self::decide::{Decision, Gate, Now, Obligation, ObligationKind, Outcome, Reason, Step, StepVerdict, decide};
pub use self::decision_line::{ADVISORY, DecisionLine, ObligationLine, ReasonLine, StepLine};
pub use self::delegation::{check_delegation, is_narrower};
pub use self::rate::{RateVerdict, rate};
pub use self::region::is_within;
pub use self::visibility::sensitivity_for;
use clap::Args;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::audit;
use crate::context::{AgentFlags, Profile};
use crate::find_unit::find_unit;
use crate::open::open_valid;
use lore_seam::{Access, Ctx, OpError, Operation, Page, Render, Value};

/// Decide whether an agent may do something with a unit of a knowledge manifest, and say why
///
/// Lore evaluates every rule of the manifest: visibility, access, delegation, approval, compliance, authority, indexing and licence, freshness, rate limits, payment, capabilities. The answer
/// has all reasons and obligations. Lore opens no document, so the question can be about any agent. What agents may really read depends on the settings of the user
/// who runs Lore.
#[derive(Args, Deserialize, JsonSchema, Clone, Debug, Default)]
#[command(after_help = "Examples:
  lore unit access runbook                                   may I read it?
  lore unit access runbook --action modify --depth 1         may an agent of mine change what it describes?
  lore unit access schema --role dpo --environment production --trace
  lore unit access wire-transfers --scope-held aml:read --region DE --llm local
  lore unit access runbook --profile simulator --json

Exit status: 0: granted; 1: denied, or a human has to approve; 2: the question could not be asked.")]
pub struct UnitAccessRequest {
    /// The id of the unit
    #[arg(value_name = "ID")]
    pub id: String,
    /// The action: read, summarize, modify, share_externally, execute, index, train … or one that the manifest declares
    #[arg(long, value_name = "ACTION", default_value = "read")]
    #[serde(default = "read")]
    pub action: String,
    /// The manifest, or its directory [default: the manifest of this repository]
    #[arg(long, value_name = "FILE")]
    #[serde(default)]
    pub file: Option<String>,
    /// Use a manifest that is not valid, as far as it can be parsed
    #[arg(long)]
    #[serde(default)]
    pub lenient: bool,
    /// Show every step of the decision
    #[arg(long)]
    #[schemars(extend("x-agents" = "omit"))]
    #[serde(default)]
    pub trace: bool,
    /// Which rules for scopes apply
    #[arg(long, value_enum, default_value_t = Profile::Spec)]
    #[serde(default)]
    pub profile: Profile,
    /// A restricted unit that names no scope is open to any credential
    #[arg(long)]
    #[serde(default)]
    pub any_scope: bool,
    #[command(flatten)]
    #[serde(flatten)]
    // No doc comment: the help of a flattened struct would replace that of the command.
    pub agent: AgentFlags,
}

fn read() -> String {
    "read".to_owned()
}

/// Whether an agent may do something with a unit
#[derive(Serialize, JsonSchema, Clone, PartialEq, Eq, Debug)]
pub struct UnitAccessAnswer {
    /// The id of the unit
    pub unit: String,
    /// The action
    pub action: String,
    /// The manifest
    pub manifest: String,
    /// The decision
    #[serde(flatten)]
    pub decision: DecisionLine,
    /// The limits of the decision
    pub advisory: &'static str,
    #[serde(skip)]
    #[schemars(skip)]
    with_trace: bool,
}

/// `lore unit access`.
pub struct UnitAccess;

impl Operation for UnitAccess {
    const NAME: &'static str = "unit_access";
    const COMMAND: &'static [&'static str] = &["unit", "access"];
    const ACCESS: Access = Access::Read;
    type Request = UnitAccessRequest;
    type Answer = Value<UnitAccessAnswer>;

    fn run(ctx: &Ctx, request: UnitAccessRequest) -> Result<Value<UnitAccessAnswer>, OpError> {
        let (path, m) = open_valid(ctx, request.file.as_deref(), request.lenient)?;
        let (u, _) = find_unit(&m, &request.id)?;
        let mut agent = request.agent.context(ctx)?;
        agent.profile = request.profile;
        agent.any_scope = request.any_scope;
        agent.usage = audit::usage(ctx, &m, u, &path);
        let action = match request.action.trim() {
            "" => "read",
            action => action,
        };
        let decision = decide(&m, u, action, &agent, Now(ctx.ports.clock.now_ms()));
        let answer = UnitAccessAnswer {
            unit: request.id,
            action: action.to_owned(),
            manifest: path,
            decision: DecisionLine::from(&decision),
            advisory: ADVISORY,
            with_trace: request.trace,
        };
        Ok(match decision.outcome {
            Outcome::Granted => Value::yes(answer),
            Outcome::RequiresHumanApproval { .. } | Outcome::Denied => Value::no(answer),
        })
    }
}

impl Render for UnitAccessAnswer {
    fn render(&self, page: &mut Page) {
        page.text(&self.action);
        page.write(format_args!(" "));
        page.text(&self.unit);
        page.write(format_args!(": "));
        self.decision.show(page, &self.manifest, self.with_trace);
        page.dim(self.advisory);
        page.line(format_args!(""));
    }
}
