//! How far access may be passed on (clause Access3, rulings A13, A23, A24).

use super::decide::{Case, ObligationKind, Rule};
use super::{Gate, Reason};
use crate::effective::effective;
use crate::model::{Manifest, UnitIndex};

/// Whether access to a unit may be delegated to an agent at a depth, with an offered subset of the delegating agent's scopes. If delegation is forbidden, delegation at
/// any depth is refused; that the owner himself has access is not asked here. Without a unit the manifest's own rule holds.
pub fn check_delegation(
    m: &Manifest,
    u: Option<UnitIndex>,
    depth: u32,
    parent: &[&str],
    offered: Option<&[&str]>,
) -> Result<(), Reason> {
    let delegation = effective(m, u.unwrap_or(UnitIndex(u32::MAX))).delegation;
    let refused = |message: String| {
        Err(Reason {
            gate: Gate::Delegation,
            denies: true,
            message,
        })
    };
    if let Some(max) = delegation.max_depth {
        if max.value == 0 {
            return refused("delegation is not allowed (max_depth 0)".to_owned());
        }
        if u64::from(depth) > max.value {
            return refused(format!("depth {depth} is beyond max_depth {}", max.value));
        }
    }
    if depth > 0 && delegation.require_capability_attenuation.value {
        let Some(offered) = offered else {
            return refused("the offered scopes are not known, so they cannot be narrower".to_owned());
        };
        if !is_narrower(parent, offered) {
            return refused(not_narrower(parent, offered));
        }
    }
    Ok(())
}

fn not_narrower(parent: &[&str], offered: &[&str]) -> String {
    format!(
        "[{}] is not narrower than [{}]: each delegation step has to narrow the scopes",
        offered.join(", "),
        parent.join(", ")
    )
}

/// Whether scopes are narrower than others: each is inside one of those, and they do not cover all of those.
pub fn is_narrower(parent: &[&str], child: &[&str]) -> bool {
    let lies_in = |scope: &str, wider: &str| {
        let rest = scope.strip_prefix(wider);
        rest.is_some_and(|rest| rest.is_empty() || rest.strip_prefix(':').is_some_and(|segment| !segment.is_empty()))
    };
    let is_within = child
        .iter()
        .all(|scope| parent.iter().any(|wider| lies_in(scope, wider)));
    let is_all = parent
        .iter()
        .all(|scope| child.iter().any(|wider| lies_in(scope, wider)));
    is_within && !is_all
}

impl Case<'_, '_> {
    pub(super) fn delegation(&mut self) {
        let (max_depth, attenuation, audit_chain) = {
            let delegation = &self.effective.delegation;
            (
                delegation.max_depth,
                delegation.require_capability_attenuation,
                delegation.audit_chain,
            )
        };
        let depth = self.agent.depth;
        match max_depth {
            Some(max) if u64::from(depth) > max.value => {
                let message = match max.value {
                    0 => format!("depth {depth}: only the owner has access (max_depth 0)"),
                    max => format!("depth {depth} is beyond max_depth {max}"),
                };
                self.deny(Gate::Delegation, Rule::at(&max), message);
            }
            Some(max) => self.pass(
                Gate::Delegation,
                Rule::at(&max),
                format!("depth {depth} of {}", max.value),
            ),
            None => self.pass(Gate::Delegation, Rule::NONE, format!("depth {depth}, without a limit")),
        }
        if attenuation.value && depth > 0 {
            let rule = Rule::at(&attenuation);
            let held = self
                .agent
                .proof()
                .map(|credential| credential.scopes.clone())
                .unwrap_or_default();
            let held: Vec<&str> = held.iter().map(String::as_str).collect();
            let parent = self.agent.parent_scopes.clone();
            let parent: Option<Vec<&str>> = parent
                .as_ref()
                .map(|scopes| scopes.iter().map(String::as_str).collect());
            match parent {
                None => self.deny(
                    Gate::Delegation,
                    rule,
                    "each delegation step has to narrow the scopes, and those of the delegating agent are not known",
                ),
                Some(_) if self.agent.proof().is_none() => self.deny(
                    Gate::Delegation,
                    rule,
                    "each delegation step has to narrow the scopes, and the agent has none",
                ),
                Some(parent) if is_narrower(&parent, &held) => {
                    self.pass(
                        Gate::Delegation,
                        rule,
                        "the scopes are narrower than those of the delegating agent",
                    );
                }
                Some(parent) => self.deny(Gate::Delegation, rule, not_narrower(&parent, &held)),
            }
        }
        if audit_chain.value {
            self.note(
                Gate::Delegation,
                Rule::at(&audit_chain),
                "every access needs a trace context",
            );
            self.oblige(
                ObligationKind::Trace,
                "send a W3C Trace Context with each request (audit_chain)",
            );
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn a24_a_scope_is_narrowed_by_a_segment_and_a_set_by_being_smaller() {
        let narrower = |parent: &str, child: &str| {
            let split = |text: &'static str| -> Vec<&'static str> { text.split_whitespace().collect() };
            let (parent, child) = (parent.to_owned().leak(), child.to_owned().leak());
            is_narrower(&split(parent), &split(child))
        };
        assert!(narrower("read:case", "read:case:external-summary"));
        assert!(!narrower("read:case", "read:case"));
        assert!(!narrower("read:case", "read:cases"));
        assert!(!narrower("read:case", "read:case:"));
        assert!(!narrower("read:case", "read"));
        assert!(!narrower("read:case", "write:case:x"));
        assert!(narrower("a b", "a"));
        assert!(narrower("a b", "a:x b"));
        assert!(!narrower("a b", "b a"));
        assert!(!narrower("a b", "a c"));
        assert!(narrower("a a:b", "a:b"));
        assert!(!narrower("a a:b", "a"));
        assert!(narrower("a", ""));
        assert!(!narrower("", ""));
    }

    proptest! {
        #![proptest_config(lore_testing::cases(256))]

        #[test]
        fn a24_what_is_narrower_is_never_wider(parent in scopes(), child in scopes()) {
            let parent: Vec<&str> = parent.iter().map(String::as_str).collect();
            let child: Vec<&str> = child.iter().map(String::as_str).collect();
            prop_assert!(!(is_narrower(&parent, &child) && is_narrower(&child, &parent)));
            prop_assert!(!is_narrower(&parent, &parent));
        }
    }

    fn scopes() -> impl Strategy<Value = Vec<String>> {
        prop::collection::vec("[ab](:[ab]){0,2}", 0..4)
    }
}
