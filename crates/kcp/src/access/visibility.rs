//! Conditions on the role and the environment of an agent (clause Access1, rulings A11, A12, A39, amendment Amend5).

use super::decide::{Case, Rule};
use super::{Gate, Now, decide};
use crate::context::AgentContext;
use crate::effective::{Origin, Sourced, flat_sensitivity, sensitivity, visibility};
use crate::model::{Condition, Manifest, Then, UnitIndex, Visibility, When, known};
use crate::vocabulary::{Action, Sensitivity, Vocabulary};

/// How a unit looks to an agent.
pub(super) struct VisibilityDecision<'m> {
    /// How confidential it is.
    pub(super) sensitivity: Option<Sensitivity>,
    /// Whether a condition asks for a credential, or for none.
    pub(super) requires_auth: Option<Sourced<bool>>,
    /// The condition whose authority holds.
    pub(super) overlay: Option<Overlay<'m>>,
}

/// What a condition says of actions.
pub(super) struct Overlay<'m> {
    /// The condition.
    pub(super) then: &'m Then,
    /// Its number, from 1.
    pub(super) number: u32,
    /// Whether it may only tighten.
    pub(super) only_tightens: bool,
}

/// What is known of an agent against what conditions ask.
#[derive(PartialEq)]
enum Match {
    Yes,
    /// As far as is known.
    Perhaps,
    No,
}

/// How confidential a unit is for an agent: by the conditions of its visibility where there are some. Nothing else is decided, so that it can be asked of every unit.
pub fn sensitivity_for(m: &Manifest, u: UnitIndex, agent: &AgentContext) -> Option<Sensitivity> {
    let has_conditions = visibility(m, u).is_some_and(|block| !block.value.conditions.is_empty());
    if has_conditions {
        decide(m, u, Action::Read.word(), agent, Now(0)).sensitivity
    } else {
        sensitivity(m, u).map(|word| word.value)
    }
}

impl<'m> Case<'_, 'm> {
    pub(super) fn visibility(&mut self) -> VisibilityDecision<'m> {
        let Some(block) = self.effective.visibility else {
            return self.flat(None);
        };
        let visibility: &'m Visibility = block.value;
        let complete: Vec<(u32, &'m Condition, &'m When, &'m Then)> = (1u32..)
            .zip(&visibility.conditions)
            .filter_map(|(number, condition)| {
                let (when, then) = (condition.when.as_ref()?, condition.then.as_ref()?);
                when.value
                    .unknown
                    .is_empty()
                    .then_some((number, condition, &when.value, &then.value))
            })
            .collect();
        let unknown = self.unknown_keys(complete.iter().map(|(_, _, when, _)| *when));
        if unknown.is_empty() {
            let first = complete.iter().find(|(_, _, when, _)| self.matches(when) == Match::Yes);
            return match first {
                Some((number, condition, _, then)) => self.conditional(*number, condition, then, false),
                None => self.flat(Some("no condition matches")),
            };
        }
        // Without a known environment or role the default applies. A stricter condition that could match is noted, and applies only with --strict-visibility.
        let default = self.effective.sensitivity.map(|word| word.value);
        let mut applied = None;
        for (number, condition, when, then) in &complete {
            let is_stricter = known(&then.sensitivity).is_some_and(|word| Some(word) > default);
            if !is_stricter || self.matches(when) == Match::No {
                continue;
            }
            if self.agent.strict && applied.is_none() {
                applied = Some((*number, *condition, *then));
                continue;
            }
            let word = known(&then.sensitivity).map_or("", Sensitivity::word);
            let rule = Rule {
                origin: Some(Origin::Condition(*number)),
                node: Some(condition.node),
            };
            let message = format!(
                "condition {number} would make it {word}, but does not apply because the {unknown} is not known"
            );
            self.note(Gate::Visibility, rule, message);
        }
        match applied {
            Some((number, condition, then)) => self.conditional(number, condition, then, true),
            None => self.flat(Some(&format!("the {unknown} is not known, so the default applies"))),
        }
    }

    /// The keys that conditions ask for and that are not known of the agent, for a sentence.
    fn unknown_keys(&self, conditions: impl Iterator<Item = &'m When>) -> String {
        let (mut environment, mut role) = (false, false);
        for when in conditions {
            environment |= when.environment.is_some() && self.agent.environment.is_none();
            role |= when.agent_role.is_some() && self.agent.role.is_none();
        }
        match (environment, role) {
            (true, true) => "environment and the role".to_owned(),
            (true, false) => "environment".to_owned(),
            (false, true) => "role".to_owned(),
            (false, false) => String::new(),
        }
    }

    fn matches(&self, when: &When) -> Match {
        let key = |wanted: &crate::model::Field<crate::model::List>, known: &Option<String>| {
            let Some(wanted) = wanted else { return Match::Yes };
            match known {
                None => Match::Perhaps,
                Some(known) if wanted.value.iter().any(|item| self.m.text(item.value) == known) => Match::Yes,
                Some(_) => Match::No,
            }
        };
        let keys = [
            key(&when.environment, &self.agent.environment),
            key(&when.agent_role, &self.agent.role),
        ];
        if keys.contains(&Match::No) {
            return Match::No;
        }
        if keys.contains(&Match::Perhaps) {
            Match::Perhaps
        } else {
            Match::Yes
        }
    }

    /// What holds by a condition.
    fn conditional(
        &mut self,
        number: u32,
        condition: &'m Condition,
        then: &'m Then,
        only_tightens: bool,
    ) -> VisibilityDecision<'m> {
        let origin = Origin::Condition(number);
        let rule = Rule {
            origin: Some(origin),
            node: Some(condition.node),
        };
        let sensitivity = known(&then.sensitivity).or(self.effective.sensitivity.map(|word| word.value));
        let word = sensitivity.map_or("of no declared sensitivity", Sensitivity::word);
        let strictly = if only_tightens {
            ", because --strict-visibility is set"
        } else {
            ""
        };
        self.pass(
            Gate::Visibility,
            rule,
            format!("condition {number} matches{strictly}: it is {word}"),
        );
        let requires_auth = then
            .requires_auth
            .filter(|field| field.value || !only_tightens)
            .map(|field| Sourced {
                value: field.value,
                origin,
                node: Some(field.node),
            });
        VisibilityDecision {
            sensitivity,
            requires_auth,
            overlay: Some(Overlay {
                then,
                number,
                only_tightens,
            }),
        }
    }

    /// What holds without a condition.
    fn flat(&mut self, why: Option<&str>) -> VisibilityDecision<'m> {
        let because = why.map(|why| format!("{why}: ")).unwrap_or_default();
        match self.effective.sensitivity {
            Some(sensitivity) => {
                let word = sensitivity.value.word();
                self.pass(
                    Gate::Visibility,
                    Rule::at(&sensitivity),
                    format!("{because}it is {word}"),
                );
                let shadowed = flat_sensitivity(self.m, self.u).filter(|own| {
                    own.origin == Origin::Unit && own.node != sensitivity.node && own.value != sensitivity.value
                });
                if let Some(own) = shadowed {
                    let message = format!(
                        "the unit's own `sensitivity` {} does not count: `visibility` has precedence",
                        own.value.word()
                    );
                    self.note(Gate::Visibility, Rule::at(&own), message);
                }
            }
            None => self.pass(
                Gate::Visibility,
                Rule::NONE,
                format!("{because}no sensitivity is declared"),
            ),
        }
        VisibilityDecision {
            sensitivity: self.effective.sensitivity.map(|word| word.value),
            requires_auth: None,
            overlay: None,
        }
    }
}
