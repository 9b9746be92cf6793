//! Whether an agent may do something with a unit: one pure decision with its reasons, what it obliges to, and how it came about (clauses Access1 to Access12).
//!
//! Every gate is evaluated, also after a denial, so the answer has all reasons. Unknown facts about the agent never grant access.

use crate::context::AgentContext;
use crate::date::Day;
use crate::effective::{Effective, Origin, effective};
use crate::model::{Manifest, Unit, UnitIndex, Word};
use crate::vocabulary::{ApprovalMechanism, Permission, Sensitivity, Vocabulary};
use lore_base::yaml::NodeId;
use std::borrow::Cow;

/// What an approval is asked for by where the manifest does not say it.
pub(super) const MANUAL: &str = "manual";

/// The moment of a decision, in milliseconds since 1970.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Now(pub u64);

impl Now {
    /// Its day, in universal time.
    pub fn day(self) -> Day {
        Day::of_ms(self.0)
    }
}

/// What was decided.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Decision {
    /// In short.
    pub outcome: Outcome,
    /// Every reason why access is not granted without conditions.
    pub reasons: Vec<Reason>,
    /// Obligations of an agent that gets access.
    pub obligations: Vec<Obligation>,
    /// The steps of the decision, gate by gate.
    pub trace: Vec<Step>,
    /// How confidential the unit is for this agent; none if not declared.
    pub sensitivity: Option<Sensitivity>,
}

/// What was decided, in short.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Outcome {
    /// Yes.
    Granted,
    /// Yes, once a human says so.
    RequiresHumanApproval {
        /// How to ask him.
        mechanism: Cow<'static, str>,
        /// How confidential the unit is.
        sensitivity: Option<Sensitivity>,
        /// Where that is described.
        docs_url: Option<String>,
    },
    /// No.
    Denied,
}

impl Outcome {
    /// The word for it.
    pub fn word(&self) -> &'static str {
        match self {
            Self::Granted => "granted",
            Self::RequiresHumanApproval { .. } => "requires_human_approval",
            Self::Denied => "denied",
        }
    }
}

/// Why access is not granted without conditions.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Reason {
    /// The gate that gave the reason.
    pub gate: Gate,
    /// Whether it denies, or asks for an approval.
    pub denies: bool,
    /// Why.
    pub message: String,
}

/// What a decision depends on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Gate {
    /// Conditions on role and environment.
    Visibility,
    /// Who may read at all.
    Access,
    /// How far access may be passed on.
    Delegation,
    /// Whether a human has to approve.
    Approval,
    /// What the law asks for.
    Compliance,
    /// What agents may do by themselves.
    Authority,
    /// What may be done with content.
    Usage,
    /// Whether it is stale.
    Freshness,
    /// How often it may be asked for.
    Rate,
    /// What it costs.
    Payment,
    /// What one has to be able to do.
    Capabilities,
}

impl Gate {
    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Visibility => "visibility",
            Self::Access => "access",
            Self::Delegation => "delegation",
            Self::Approval => "approval",
            Self::Compliance => "compliance",
            Self::Authority => "authority",
            Self::Usage => "usage",
            Self::Freshness => "freshness",
            Self::Rate => "rate_limits",
            Self::Payment => "payment",
            Self::Capabilities => "capabilities",
        }
    }
}

/// Obligations of an agent that gets access.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Obligation {
    /// What kind it is.
    pub kind: ObligationKind,
    /// In a sentence.
    pub detail: String,
}

macro_rules! obligations {
    ($($(#[$about:meta])* $variant:ident = $word:literal,)+) => {
        /// Kinds of obligations.
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
        pub enum ObligationKind {
            $($(#[$about])* $variant,)+
        }

        impl ObligationKind {
            /// The word for it.
            pub fn word(self) -> &'static str {
                match self {
                    $(Self::$variant => $word,)+
                }
            }
        }
    };
}

obligations! {
    /// Log the access.
    Log = "log",
    /// Write nothing of it to a log.
    NoLogging = "no-logging",
    /// Send a trace with each request.
    Trace = "trace",
    /// Name the source.
    Cite = "cite",
    /// Keep it from models of others.
    NoExternalLlm = "no-external-llm",
    /// Keep it in its regions.
    NoCrossBorder = "no-cross-border",
    /// Process it in its regions.
    Residency = "residency",
    /// Train nothing with it.
    NoAiTraining = "no-ai-training",
    /// A law that it falls under.
    Regulation = "regulation",
    /// It is stale.
    Stale = "stale",
    /// It is stale, and to be used with caution.
    Degrade = "degrade",
    /// It was asked for too often.
    RateLimit = "rate-limit",
    /// It costs something.
    Budget = "budget",
    /// Something that one should be able to do.
    Capability = "capability",
    /// Nobody says what may be done with it.
    Conservative = "conservative",
}

/// One step of a decision.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Step {
    /// The gate.
    pub gate: Gate,
    /// What it says.
    pub verdict: StepVerdict,
    /// Why.
    pub message: String,
    /// Where the rule comes from, if there is one.
    pub origin: Option<Origin>,
    /// Its line in the manifest, if it is declared there.
    pub line: Option<u32>,
}

/// What a gate says.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum StepVerdict {
    /// It lets the agent pass.
    Passed,
    /// It says something that decides nothing by itself.
    Noted,
    /// A human has to approve.
    NeedsApproval,
    /// It does not let the agent pass.
    Denied,
}

impl StepVerdict {
    /// The word for it.
    pub fn word(self) -> &'static str {
        match self {
            Self::Passed => "passed",
            Self::Noted => "noted",
            Self::NeedsApproval => "needs approval",
            Self::Denied => "denied",
        }
    }
}

/// An action in both of its spellings: the one that `authority` knows and the one that `indexing` knows.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Wanted<'a> {
    /// As `authority` names it.
    pub(super) name: Cow<'a, str>,
    /// As `indexing` knows it, if it does.
    pub(super) permission: Option<Permission>,
    /// Whether `authority` has a default for it.
    pub(super) is_standard: bool,
}

impl<'a> Wanted<'a> {
    pub(super) fn of(action: &'a str) -> Self {
        let spelt = action.trim().replace('_', "-");
        let (name, permission) = match spelt.as_str() {
            "read" => ("read", Some(Permission::Read)),
            "summarise" | "summarize" => ("summarize", Some(Permission::Summarise)),
            "share-externally" => ("share_externally", Some(Permission::ShareExternally)),
            "modify" => ("modify", None),
            "execute" => ("execute", None),
            "index" => ("index", Some(Permission::Index)),
            "train" => ("train", Some(Permission::Train)),
            "reproduce" | "reproduce-in-response" => ("reproduce_in_response", Some(Permission::ReproduceInResponse)),
            "cache-permanently" => ("cache_permanently", Some(Permission::CachePermanently)),
            _ => {
                return Self {
                    name: Cow::Borrowed(action.trim()),
                    permission: None,
                    is_standard: false,
                };
            }
        };
        Self {
            name: Cow::Borrowed(name),
            permission,
            is_standard: crate::vocabulary::Action::from_word(name).is_some(),
        }
    }
}

/// A decision in the making.
pub(super) struct Case<'a, 'm> {
    pub(super) m: &'m Manifest,
    pub(super) u: UnitIndex,
    pub(super) unit: Option<&'m Unit>,
    pub(super) id: Option<&'m str>,
    pub(super) effective: Effective<'m>,
    pub(super) agent: &'a AgentContext,
    pub(super) wanted: Wanted<'a>,
    pub(super) now: Now,
    pub(super) trace: Vec<Step>,
    pub(super) obligations: Vec<Obligation>,
}

impl<'m> Case<'_, 'm> {
    pub(super) fn step(&mut self, gate: Gate, verdict: StepVerdict, rule: Rule, message: impl Into<String>) {
        let line = rule.node.map(|node| self.m.document.place(node).line);
        self.trace.push(Step {
            gate,
            verdict,
            message: message.into(),
            origin: rule.origin,
            line,
        });
    }

    pub(super) fn pass(&mut self, gate: Gate, rule: Rule, message: impl Into<String>) {
        self.step(gate, StepVerdict::Passed, rule, message);
    }

    pub(super) fn note(&mut self, gate: Gate, rule: Rule, message: impl Into<String>) {
        self.step(gate, StepVerdict::Noted, rule, message);
    }

    pub(super) fn deny(&mut self, gate: Gate, rule: Rule, message: impl Into<String>) {
        self.step(gate, StepVerdict::Denied, rule, message);
    }

    /// Asks for an approval, unless there is one.
    pub(super) fn ask(&mut self, gate: Gate, rule: Rule, message: &str) {
        if self.agent.is_approved(self.id) {
            self.pass(gate, rule, format!("{message}, and a human has approved"))
        } else {
            self.step(gate, StepVerdict::NeedsApproval, rule, message)
        }
    }

    pub(super) fn oblige(&mut self, kind: ObligationKind, detail: impl Into<String>) {
        self.obligations.push(Obligation {
            kind,
            detail: detail.into(),
        });
    }

    pub(super) fn texts(&self, list: &'m [crate::model::Declared<lore_base::yaml::Text>]) -> Vec<&'m str> {
        list.iter().map(|item| self.m.text(item.value)).collect()
    }
}

/// The position of a rule.
#[derive(Clone, Copy)]
pub(super) struct Rule {
    pub(super) origin: Option<Origin>,
    pub(super) node: Option<NodeId>,
}

impl Rule {
    /// There is none.
    pub(super) const NONE: Self = Self {
        origin: None,
        node: None,
    };

    pub(super) fn at<T>(value: &crate::effective::Sourced<T>) -> Self {
        Self {
            origin: Some(value.origin),
            node: value.node,
        }
    }

    pub(super) fn of_unit(node: NodeId) -> Self {
        Self {
            origin: Some(Origin::Unit),
            node: Some(node),
        }
    }
}

/// Decides whether an agent may do something with a unit. It opens nothing: what it says rests on the manifest and on what is known of the agent.
pub fn decide(m: &Manifest, u: UnitIndex, action: &str, agent: &AgentContext, now: Now) -> Decision {
    let unit = m.unit(u);
    let mut case = Case {
        m,
        u,
        unit,
        id: unit.and_then(|unit| m.id(unit)),
        effective: effective(m, u),
        agent,
        wanted: Wanted::of(action),
        now,
        trace: Vec::new(),
        obligations: Vec::new(),
    };
    let seen = case.visibility();
    case.access(&seen);
    case.delegation();
    case.approval();
    case.compliance();
    case.authority(&seen);
    case.usage();
    case.freshness();
    case.rate();
    case.payment();
    case.capabilities();
    let sensitivity = seen.sensitivity;
    let outcome = case.outcome(sensitivity);
    let reasons = case.trace.iter().filter_map(|step| {
        let denies = match step.verdict {
            StepVerdict::Denied => true,
            StepVerdict::NeedsApproval => false,
            StepVerdict::Passed | StepVerdict::Noted => return None,
        };
        Some(Reason {
            gate: step.gate,
            denies,
            message: step.message.clone(),
        })
    });
    Decision {
        outcome,
        reasons: reasons.collect(),
        obligations: case.obligations,
        trace: case.trace,
        sensitivity,
    }
}

impl Case<'_, '_> {
    /// A denial outranks an approval, and an approval what is granted.
    pub(super) fn outcome(&self, sensitivity: Option<Sensitivity>) -> Outcome {
        let says = |verdict| self.trace.iter().any(|step| step.verdict == verdict);
        if says(StepVerdict::Denied) {
            return Outcome::Denied;
        }
        if !says(StepVerdict::NeedsApproval) {
            return Outcome::Granted;
        }
        let delegation = &self.effective.delegation;
        let mechanism = delegation.approval_mechanism.and_then(|word| match word.value {
            Word::Known(mechanism) => Some(ApprovalMechanism::word(mechanism)),
            Word::Unknown(_) => None,
        });
        Outcome::RequiresHumanApproval {
            mechanism: Cow::Borrowed(mechanism.unwrap_or(MANUAL)),
            sensitivity: sensitivity.or_else(|| self.assumed_sensitivity()),
            docs_url: delegation.docs_url.map(|url| url.value.to_owned()),
        }
    }
}
