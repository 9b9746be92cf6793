//! Who may read at all, what agents may do by themselves, and the gates that only tell something (clauses Access2, Access4, Access6, Access7, Access9, Access10, rulings A20 to A22, A38, A39).

use super::Gate;
use super::decide::{Case, ObligationKind, Rule};
use super::visibility::VisibilityDecision;
use crate::context::Profile;
use crate::effective::{Origin, Sourced, level_in};
use crate::finding::shown;
use crate::freshness::{Staleness, staleness};
use crate::model::{UnitIndex, Word, known};
use crate::vocabulary::{AccessLevel, AuthorityLevel, OnStale, RelationshipType, Restriction, Sensitivity, Tier};

/// What a capability of a tool may begin with.
const TOOL: &str = "tool:";

impl<'m> Case<'_, 'm> {
    pub(super) fn access(&mut self, seen: &VisibilityDecision<'m>) {
        let access = self.effective.access;
        let rule = Rule::at(&access);
        let level = match access.value {
            Word::Known(level) => level,
            Word::Unknown(text) => {
                let word = shown(self.m.text(text));
                return self.deny(
                    Gate::Access,
                    rule,
                    format!("`{word}` is not a known access level, so access is denied"),
                );
            }
        };
        let needs_auth = seen.requires_auth.filter(|field| field.value);
        let lifts_auth = seen.requires_auth.filter(|field| !field.value);
        match (level, needs_auth, lifts_auth) {
            (AccessLevel::Public, None, _) => self.pass(Gate::Access, rule, "it is public"),
            (AccessLevel::Public, Some(needs), _) => {
                self.authenticated(Rule::at(&needs), "the condition requires a credential");
            }
            (AccessLevel::Authenticated, _, Some(lifts)) => {
                self.pass(Gate::Access, Rule::at(&lifts), "the condition requires no credential");
            }
            (AccessLevel::Authenticated, _, None) => {
                self.authenticated(rule, "it requires authentication");
                if self.agent.profile != Profile::Spec {
                    self.scope(rule);
                }
            }
            (AccessLevel::Restricted, ..) => self.scope(rule),
        }
    }

    fn authenticated(&mut self, rule: Rule, why: &str) {
        match self.agent.proof() {
            Some(_) => self.pass(Gate::Access, rule, format!("{why}, and the agent is authenticated")),
            None => self.deny(Gate::Access, rule, format!("no credential: {why}")),
        }
    }

    /// A scope is needed: the declared one, or in the simulators' profiles one made of the id.
    fn scope(&mut self, rule: Rule) {
        let declared = self.unit.and_then(|unit| self.m.field(&unit.auth_scope));
        let of_id = || Some(scope_of_id(self.id));
        let wanted = match self.agent.profile {
            Profile::Spec => declared.map(str::to_owned),
            Profile::Simulator => declared.map(str::to_owned).or_else(of_id),
            Profile::A2a => of_id(),
        };
        let held = self.agent.proof().map(|credential| &credential.scopes);
        match (wanted, held) {
            (Some(scope), Some(held)) if held.contains(&scope) => {
                self.pass(
                    Gate::Access,
                    rule,
                    format!("the agent has the scope `{}`", shown(&scope)),
                );
            }
            (Some(scope), Some(_)) => self.deny(
                Gate::Access,
                rule,
                format!(
                    "the scope `{}` is required, and the agent does not have it",
                    shown(&scope)
                ),
            ),
            (Some(scope), None) => self.deny(
                Gate::Access,
                rule,
                format!("no credential: the scope `{}` is required", shown(&scope)),
            ),
            (None, Some(_)) if self.agent.any_scope => {
                self.pass(
                    Gate::Access,
                    rule,
                    "it is restricted and names no scope; any credential is accepted",
                );
            }
            (None, Some(_)) => self.deny(
                Gate::Access,
                rule,
                "it is restricted and names no scope, so access is denied",
            ),
            (None, None) => self.deny(Gate::Access, rule, "no credential: it is restricted"),
        }
    }

    /// How confidential simulators take a unit to be that does not say so.
    pub(super) fn assumed_sensitivity(&self) -> Option<Sensitivity> {
        if self.agent.profile == Profile::Spec {
            return None;
        }
        match self.effective.access.value {
            Word::Known(AccessLevel::Authenticated) => Some(Sensitivity::Internal),
            Word::Known(AccessLevel::Restricted) => Some(Sensitivity::Restricted),
            Word::Known(AccessLevel::Public) | Word::Unknown(_) => None,
        }
    }

    /// Whether a human has to approve, whatever the access.
    pub(super) fn approval(&mut self) {
        let required = self.effective.delegation.approval_required;
        let demanded = self.restriction(Restriction::HumanApprovalRequired);
        match (required.value, demanded) {
            (true, _) => self.ask(Gate::Approval, Rule::at(&required), "a human has to approve access"),
            (false, Some(rule)) => {
                self.ask(
                    Gate::Approval,
                    rule,
                    "a human has to approve access (human-approval-required)",
                );
            }
            (false, None) => self.pass(Gate::Approval, Rule::at(&required), "no human has to approve access"),
        }
    }

    /// What an agent may do by itself: what the condition says, else the unit, else the manifest, else the safe default.
    pub(super) fn authority(&mut self, seen: &VisibilityDecision<'m>) {
        let name = self.wanted.name.clone();
        let spellings = [name.to_string(), name.replace('_', "-"), name.replace('-', "_")];
        let declared = self.effective.authority.and_then(|authority| {
            let found = spellings
                .iter()
                .find_map(|name| level_in(self.m, authority.value, name));
            found.map(|(level, node)| Sourced {
                value: level,
                origin: authority.origin,
                node: Some(node),
            })
        });
        let base = declared.unwrap_or_else(|| Sourced::default_of(crate::effective::safe_default(&name)));
        let overlay = seen.overlay.as_ref().and_then(|overlay| {
            let block = &overlay.then.authority.as_ref()?.value;
            let (level, node) = spellings.iter().find_map(|name| level_in(self.m, block, name))?;
            (!overlay.only_tightens || level > base.value).then_some(Sourced {
                value: level,
                origin: Origin::Condition(overlay.number),
                node: Some(node),
            })
        });
        let level = overlay.unwrap_or(base);
        let name = shown(&name);
        let rule = Rule::at(&level);
        // Actions that only `indexing` knows are decided there, unless `authority` declares them.
        if level.origin == Origin::Default && self.wanted.permission.is_some() && !self.wanted.is_standard {
            return self.pass(Gate::Authority, Rule::NONE, format!("`indexing` decides about {name}"));
        }
        match level.value {
            AuthorityLevel::Initiative => {
                self.pass(Gate::Authority, rule, format!("an agent may {name} without approval"))
            }
            AuthorityLevel::RequiresApproval => {
                self.ask(
                    Gate::Authority,
                    rule,
                    &format!("a human has to approve {name} by an agent"),
                );
            }
            AuthorityLevel::Denied => self.deny(Gate::Authority, rule, format!("no agent may {name}")),
        }
    }

    pub(super) fn freshness(&mut self) {
        let today = self.now.day();
        let rule = self.effective.freshness.map_or(Rule::NONE, |policy| Rule::at(&policy));
        let (age_days, max_age_days, action, review_contact) = match staleness(self.m, self.u, today) {
            Staleness::Unknown => return self.pass(Gate::Freshness, rule, "there is no freshness rule or no date"),
            Staleness::Fresh { .. } => return self.pass(Gate::Freshness, rule, "it is not stale"),
            Staleness::Stale {
                age_days,
                max_age_days,
                action,
                review_contact,
            } => (age_days, max_age_days, action, review_contact),
        };
        let contact = review_contact
            .map(|contact| format!("; ask {} for a review", shown(contact)))
            .unwrap_or_default();
        let stale = format!("it was validated {age_days} days ago; it is stale after {max_age_days} days{contact}");
        match action {
            OnStale::Warn => {
                self.note(Gate::Freshness, rule, stale.clone());
                self.oblige(ObligationKind::Stale, stale);
            }
            OnStale::Degrade => {
                self.note(Gate::Freshness, rule, stale.clone());
                self.oblige(ObligationKind::Degrade, format!("{stale}; use it with caution"));
            }
            OnStale::Block if self.agent.incident && !self.has_fresh_alternative() => {
                let message = format!("{stale}; accepted because of the incident");
                self.note(Gate::Freshness, rule, message.clone());
                self.oblige(ObligationKind::Degrade, format!("{message}; use it with caution"));
            }
            OnStale::Block => self.deny(Gate::Freshness, rule, stale),
        }
    }

    /// Whether some unit takes the place of this one and is not stale itself.
    fn has_fresh_alternative(&self) -> bool {
        let Some(id) = self.id else { return false };
        let m = self.m;
        let by_relationship = |other: &str| {
            m.relationships.iter().any(|relationship| {
                known(&relationship.kind) == Some(RelationshipType::Supersedes)
                    && m.field(&relationship.from) == Some(other)
                    && m.field(&relationship.to) == Some(id)
            })
        };
        (0u32..).zip(&m.units).any(|(number, unit)| {
            let takes_its_place = m.field(&unit.supersedes) == Some(id) || m.id(unit).is_some_and(by_relationship);
            takes_its_place && !unit.is_deprecated() && !staleness(m, UnitIndex(number), self.now.day()).is_stale()
        })
    }

    pub(super) fn payment(&mut self) {
        let tier = self.effective.tier();
        let rule = Rule::at(&tier);
        let word = shown(self.m.word(tier.value));
        self.pass(Gate::Payment, rule, format!("its tier is {word}"));
        match tier.value {
            Word::Known(Tier::Free) => {}
            Word::Known(Tier::Metered) => self.oblige(
                ObligationKind::Budget,
                "each request costs money: check the budget first",
            ),
            Word::Known(Tier::Subscription) => self.oblige(ObligationKind::Budget, "a subscription is needed"),
            Word::Unknown(_) => self.oblige(
                ObligationKind::Budget,
                format!("the tier `{word}` is not known: ask what it costs first"),
            ),
        }
    }

    /// Required capabilities that the agent is not known to have. This gate only informs.
    pub(super) fn capabilities(&mut self) {
        let Some(required) = self.unit.and_then(|unit| unit.requires_capabilities.as_ref()) else {
            return;
        };
        let rule = Rule::of_unit(required.node);
        let bare = |name: &'m str| name.strip_prefix(TOOL).unwrap_or(name);
        let held = self.agent.capabilities.as_deref();
        let is_held = |name: &str| {
            held.is_some_and(|held| held.iter().any(|held| held.strip_prefix(TOOL).unwrap_or(held) == name))
        };
        let missing: Vec<String> = self
            .texts(&required.value)
            .into_iter()
            .filter(|name| !is_held(bare(name)))
            .map(shown)
            .collect();
        if missing.is_empty() {
            return self.pass(Gate::Capabilities, rule, "the agent has all capabilities that it needs");
        }
        let missing = missing.join(", ");
        let known = if held.is_some() {
            "does not have"
        } else {
            "is not known to have"
        };
        self.note(Gate::Capabilities, rule, format!("the agent {known}: {missing}"));
        self.oblige(ObligationKind::Capability, format!("required capability: {missing}"));
    }
}

/// The scope that simulators make of an id: what follows its first dash, if anything does.
fn scope_of_id(id: Option<&str>) -> String {
    let id = id.unwrap_or("unknown");
    let rest = id.split_once('-').map(|(_, rest)| rest).filter(|rest| !rest.is_empty());
    format!("read:{}", rest.unwrap_or(id))
}
