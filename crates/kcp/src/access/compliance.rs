//! What the law asks for (clause Access5, rulings A16, A17, A22).

use super::decide::{Case, ObligationKind, Rule};
use super::{Gate, is_within};
use crate::context::Hosting;
use crate::finding::shown;
use crate::model::is_true;
use crate::vocabulary::{Permission, Restriction};

impl Case<'_, '_> {
    /// The position of a restriction, if it is in effect.
    pub(super) fn restriction(&self, wanted: Restriction) -> Option<Rule> {
        let list = self.effective.compliance.restrictions?;
        let item = list
            .value
            .iter()
            .find(|item| Restriction::from_spelling(self.m.text(item.value)) == Some(wanted))?;
        Some(Rule {
            origin: Some(list.origin),
            node: Some(item.node),
        })
    }

    pub(super) fn compliance(&mut self) {
        let regulations = self.effective.compliance.regulations;
        let regulations = regulations.map(|list| self.texts(list.value)).unwrap_or_default();
        self.residency(regulations.first().copied());
        for regulation in regulations {
            self.oblige(ObligationKind::Regulation, shown(regulation));
        }
        if let Some(rule) = self.restriction(Restriction::NoExternalLlm) {
            match self.agent.llm {
                Some(Hosting::Local) => {
                    self.pass(Gate::Compliance, rule, "the model is not external (no-external-llm)")
                }
                Some(Hosting::External) => self.deny(Gate::Compliance, rule, "the model is external (no-external-llm)"),
                None => self.deny(
                    Gate::Compliance,
                    rule,
                    "it is not known where the model runs (no-external-llm)",
                ),
            }
            self.oblige(ObligationKind::NoExternalLlm, "do not send it to an external model");
        }
        if let Some(rule) = self.restriction(Restriction::NoAiTraining) {
            match self.wanted.permission {
                Some(Permission::Train) => self.deny(
                    Gate::Compliance,
                    rule,
                    "it may not be used for training (no-ai-training)",
                ),
                _ => self.pass(Gate::Compliance, rule, "the action is not training (no-ai-training)"),
            }
            self.oblige(ObligationKind::NoAiTraining, "do not train a model with it");
        }
        let is_unlogged = self.restriction(Restriction::NoLogging);
        if let Some(rule) = is_unlogged {
            self.note(Gate::Compliance, rule, "its content may not be logged (no-logging)");
            self.oblige(
                ObligationKind::NoLogging,
                "do not write its content to a persistent log",
            );
        }
        if let Some(rule) = self.restriction(Restriction::AuditRequired) {
            let message = match is_unlogged {
                Some(_) => "every access has to be logged (audit-required), but no-logging forbids it",
                None => "every access is logged (audit-required)",
            };
            self.note(Gate::Compliance, rule, message);
            self.oblige(ObligationKind::Log, "log the access for the audit (audit-required)");
        }
        self.trust(is_unlogged.is_some());
    }

    /// Obligations of the manifest for every read.
    fn trust(&mut self, is_unlogged: bool) {
        let audit = self.m.root.trust.as_ref().and_then(|trust| trust.value.audit.as_ref());
        let Some(audit) = audit else { return };
        if is_true(&audit.value.agent_must_log) && !is_unlogged {
            self.oblige(ObligationKind::Log, "log the access (agent_must_log)");
        }
        if is_true(&audit.value.require_trace_context) {
            self.oblige(
                ObligationKind::Trace,
                "send a W3C Trace Context with each request (require_trace_context)",
            );
        }
    }

    /// Whether the agent is where the content may be. What is not known of it, is not where it should be.
    fn residency(&mut self, regulation: Option<&str>) {
        let cross_border = self.restriction(Restriction::NoCrossBorder);
        let residency = self
            .effective
            .compliance
            .data_residency
            .filter(|residency| !residency.value.regions.is_empty());
        let Some(residency) = residency else {
            if let Some(rule) = cross_border {
                self.note(
                    Gate::Compliance,
                    rule,
                    "it may not cross a border, and no region is declared (no-cross-border)",
                );
                self.oblige(ObligationKind::NoCrossBorder, "do not move it to another region");
            }
            return;
        };
        let permitted = self.texts(&residency.value.regions);
        let listed = shown(&permitted.join(", "));
        let law = regulation.map(|law| format!(" ({})", shown(law))).unwrap_or_default();
        let rule = Rule::at(&residency);
        let wish = residency.value.hard_requirement.is_some_and(|hard| !hard.value) && cross_border.is_none();
        let fault = match self.agent.region.clone() {
            None => Some(format!("the region is not known; required: [{listed}]{law}")),
            Some(region) if is_within(&region, &permitted) => {
                self.pass(Gate::Compliance, rule, format!("{region} is in [{listed}]"));
                None
            }
            Some(region) => Some(format!("{region} is not in [{listed}]{law}")),
        };
        match fault {
            Some(message) if wish => self.note(Gate::Compliance, rule, format!("{message}; this is a preference only")),
            Some(message) => self.deny(Gate::Compliance, rule, message),
            None => {}
        }
        self.oblige(
            ObligationKind::Residency,
            format!("store and process it in [{listed}] only"),
        );
        if let Some(rule) = cross_border {
            self.note(Gate::Compliance, rule, "it may not leave its regions (no-cross-border)");
            self.oblige(ObligationKind::NoCrossBorder, format!("do not let it leave [{listed}]"));
        }
    }
}
