//! Filters for units (§15.2, 15.6, 15.7; clauses Q5 to Q8, Q13, ruling A25).
//!
//! What a filter looks at is taken out of the manifest once for each unit, so that many queries can be asked of the same facts.

use crate::access;
use crate::context::AgentContext;
use crate::date::Day;
use crate::effective::{effective, sensitivity};
use crate::model::{Manifest, Unit, UnitIndex, Word};
use crate::vocabulary::{Audience, Scope, Sensitivity, VerificationStatus, Vocabulary};

use super::request::QueryRequest;

/// Whether a unit can be named.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Identity {
    /// It has an id of its own.
    Own,
    /// An earlier unit has the same one.
    Repeated,
    /// It has none.
    Missing,
}

/// What filters look at in one unit.
#[derive(Clone, PartialEq, Debug)]
pub struct Facts {
    /// Whether it can be named.
    pub identity: Identity,
    /// None if the word is none of the text's.
    pub scope: Option<Scope>,
    /// A bit for each word of the text.
    audiences: u8,
    /// The other words.
    other_audiences: Box<[Box<str>]>,
    /// How confidential it is for an unknown agent.
    pub sensitivity: Option<Sensitivity>,
    /// Whether that depends on who asks.
    pub is_conditional: bool,
    /// What one has to be able to do, without the prefix that makes no difference.
    capabilities: Box<[Box<str>]>,
    /// Whether it is deprecated.
    pub is_deprecated: bool,
    /// Whether its discovery says so.
    pub is_retired: bool,
    /// The last day on which it is not stale.
    fresh_until: Option<i64>,
    /// What it costs.
    pub tokens: Option<u64>,
}

impl Facts {
    /// Those of a unit.
    pub fn of(manifest: &Manifest, index: UnitIndex, unit: &Unit, identity: Identity) -> Self {
        let effective = effective(manifest, index);
        let mut audiences = 0;
        let mut other_audiences: Vec<Box<str>> = Vec::new();
        for audience in unit.audience.iter().flat_map(|audience| &audience.value) {
            match audience.value {
                Word::Known(audience) => audiences |= bit(audience),
                Word::Unknown(text) => other_audiences.push(manifest.text(text).into()),
            }
        }
        let capabilities = unit.requires_capabilities.iter().flat_map(|list| &list.value);
        let validated = unit.validated.and_then(|date| date.value.day);
        let max_age = effective.freshness.and_then(|policy| policy.value.max_age_days);
        Self {
            identity,
            scope: match &unit.scope {
                Some(scope) => scope.value.known(),
                None => Some(unit.scope_or_default()),
            },
            audiences,
            other_audiences: other_audiences.into(),
            sensitivity: effective.sensitivity.map(|sensitivity| sensitivity.value),
            is_conditional: effective
                .visibility
                .is_some_and(|visibility| !visibility.value.conditions.is_empty()),
            capabilities: capabilities
                .map(|capability| bare(manifest.text(capability.value)).into())
                .collect(),
            is_deprecated: unit.is_deprecated(),
            is_retired: effective.discovery.verification_status.value.known() == Some(VerificationStatus::Deprecated),
            fresh_until: validated.zip(max_age).map(|(validated, max_age)| {
                let days = i64::try_from(max_age.value).unwrap_or(i64::MAX);
                i64::from(validated.0).saturating_add(days)
            }),
            tokens: tokens(unit),
        }
    }

    /// Whether it is stale on a day.
    pub fn is_stale(&self, today: Day) -> bool {
        self.fresh_until.is_some_and(|last| i64::from(today.0) > last)
    }
}

/// The declared tokens of a unit.
pub fn tokens(unit: &Unit) -> Option<u64> {
    let hints = unit.hints.as_ref()?;
    hints.value.token_estimate.map(|tokens| tokens.value)
}

/// How confidential a unit is for the caller: by the conditions of its visibility if environment or role are known, else without them.
pub fn sensitivity_for(manifest: &Manifest, index: UnitIndex, request: &QueryRequest) -> Option<Sensitivity> {
    if !request.has_context() {
        return sensitivity(manifest, index).map(|sensitivity| sensitivity.value);
    }
    let agent = AgentContext {
        environment: request.environment.clone(),
        role: request.role.clone(),
        ..AgentContext::default()
    };
    access::sensitivity_for(manifest, index, &agent)
}

/// Why a unit does not come into question.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Why {
    /// It has no id.
    NoId,
    /// An earlier unit has its id.
    Repeated,
    /// It is deprecated.
    Deprecated,
    /// Its discovery says so.
    Retired,
    /// It is for other people.
    Audience,
    /// It is of another scope.
    Scope,
    /// It is too confidential.
    Sensitivity(Sensitivity),
    /// Nobody says how confidential it is.
    Undeclared,
    /// It needs a capability that the caller does not have.
    Capability(String),
    /// It is stale.
    Stale,
}

impl Why {
    /// The filter, in a word.
    pub fn word(&self) -> &'static str {
        match self {
            Self::NoId => "no-id",
            Self::Repeated => "repeated-id",
            Self::Deprecated => "deprecated",
            Self::Retired => "discovery-deprecated",
            Self::Audience => "audience",
            Self::Scope => "scope",
            Self::Sensitivity(_) | Self::Undeclared => "sensitivity",
            Self::Capability(_) => "capability",
            Self::Stale => "stale",
        }
    }

    /// The reason, for people.
    pub fn sentence(&self) -> String {
        match self {
            Self::NoId => "it has no id".to_owned(),
            Self::Repeated => "an earlier unit has the same id".to_owned(),
            Self::Deprecated => "it is deprecated".to_owned(),
            Self::Retired => "its `discovery` says that it is deprecated".to_owned(),
            Self::Audience => "it has another audience".to_owned(),
            Self::Scope => "it has another scope".to_owned(),
            Self::Sensitivity(sensitivity) => format!("it is {}", sensitivity.word()),
            Self::Undeclared => "its sensitivity is not declared".to_owned(),
            Self::Capability(capability) => format!("it needs `{capability}`"),
            Self::Stale => "it is stale".to_owned(),
        }
    }
}

/// The filters of a query.
pub struct Filter<'r> {
    request: &'r QueryRequest,
    /// The bits of the people asked for; none if the text has no such word.
    audience: Option<u8>,
    capabilities: Option<Vec<&'r str>>,
    today: Day,
}

impl<'r> Filter<'r> {
    /// Those of a query that is asked on a day.
    pub fn of(request: &'r QueryRequest, today: Day) -> Self {
        let audience = request.audience.as_deref().and_then(Audience::from_word);
        let given = request.has_capabilities.as_ref();
        Self {
            request,
            audience: audience.map(bit),
            capabilities: given.map(|given| given.iter().map(|capability| bare(capability.trim())).collect()),
            today,
        }
    }

    /// Whether a unit comes into question; `sensitivity` is asked where that depends on who asks.
    pub fn check(&self, facts: &Facts, sensitivity: impl FnOnce() -> Option<Sensitivity>) -> Result<(), Why> {
        let request = self.request;
        match facts.identity {
            Identity::Own => {}
            Identity::Repeated => return Err(Why::Repeated),
            Identity::Missing => return Err(Why::NoId),
        }
        if request.exclude_deprecated && facts.is_deprecated {
            return Err(Why::Deprecated);
        }
        if facts.is_retired && !request.audit {
            return Err(Why::Retired);
        }
        if request.agent_only && facts.audiences & bit(Audience::Agent) == 0 {
            return Err(Why::Audience);
        }
        if let Some(audience) = &request.audience {
            let is_for = match self.audience {
                Some(bits) => facts.audiences & bits != 0,
                None => facts.other_audiences.iter().any(|other| **other == **audience),
            };
            if !is_for {
                return Err(Why::Audience);
            }
        }
        if request.scope.is_some() && facts.scope != request.scope {
            return Err(Why::Scope);
        }
        if let Some(ceiling) = request.sensitivity_max {
            let own = if facts.is_conditional && request.has_context() {
                sensitivity()
            } else {
                facts.sensitivity
            };
            match own {
                Some(own) if own > ceiling => return Err(Why::Sensitivity(own)),
                None if request.strict_sensitivity => return Err(Why::Undeclared),
                _ => {}
            }
        }
        if let Some(able) = &self.capabilities {
            let missing = facts.capabilities.iter().find(|needed| !able.contains(&&***needed));
            if let Some(missing) = missing {
                return Err(Why::Capability(missing.to_string()));
            }
        }
        if request.exclude_stale && facts.is_stale(self.today) {
            Err(Why::Stale)
        } else {
            Ok(())
        }
    }
}

/// The bit of an audience; operator and devops have the same one.
fn bit(audience: Audience) -> u8 {
    match audience {
        Audience::Human => 1,
        Audience::Agent => 2,
        Audience::Developer => 4,
        Audience::Architect => 8,
        Audience::Operator | Audience::Devops => 16,
    }
}

/// A capability without the prefix that makes no difference. It is taken away once.
fn bare(capability: &str) -> &str {
    capability.strip_prefix("tool:").unwrap_or(capability)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::freshness::staleness;
    use crate::testing::manifest;

    /// The ids of the units that pass, and why the others do not.
    fn passing(units: &str, root: &str, request: &QueryRequest) -> String {
        let manifest = manifest(&format!("project: x\n{root}units:\n{units}"));
        let today = Day::parse("2026-06-30").unwrap();
        let filter = Filter::of(request, today);
        let told = (0u32..).zip(&manifest.units).map(|(number, unit)| {
            let index = UnitIndex(number);
            let facts = Facts::of(&manifest, index, unit, Identity::Own);
            assert_eq!(facts.is_stale(today), staleness(&manifest, index, today).is_stale());
            let id = manifest.id(unit).unwrap();
            match filter.check(&facts, || sensitivity_for(&manifest, index, request)) {
                Ok(()) => id.to_owned(),
                Err(why) => format!("{id}:{}", why.word()),
            }
        });
        told.collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn q5_audience_is_membership_and_scope_equality() {
        let units = "- {id: a, audience: [human, operator], scope: global}\n- {id: b, audience: agent, scope: module}\n- {id: c, audience: [robot]}\n- {id: d, audience: [], scope: odd}\n";
        let asked = |audience: &str| {
            let audience = Some(audience.to_owned());
            passing(
                units,
                "",
                &QueryRequest {
                    audience,
                    ..QueryRequest::default()
                },
            )
        };
        assert_eq!(asked("human"), "a b:audience c:audience d:audience");
        assert_eq!(asked("devops"), "a b:audience c:audience d:audience");
        assert_eq!(asked("robot"), "a:audience b:audience c d:audience");
        assert_eq!(asked("Agent"), "a:audience b:audience c:audience d:audience");
        let global = QueryRequest {
            scope: Some(Scope::Global),
            ..QueryRequest::default()
        };
        assert_eq!(passing(units, "", &global), "a b:scope c d:scope");
    }

    #[test]
    fn q6_the_ceiling_is_on_the_sensitivity_that_holds() {
        let units = "- {id: a, sensitivity: internal}\n- {id: b, sensitivity: public, compliance: {sensitivity: restricted}}\n- {id: c}\n- {id: d, visibility: {default: confidential}, sensitivity: public}\n";
        let internal = QueryRequest {
            sensitivity_max: Some(Sensitivity::Internal),
            ..QueryRequest::default()
        };
        assert_eq!(passing(units, "", &internal), "a b:sensitivity c d:sensitivity");
        assert_eq!(
            passing(units, "compliance: {sensitivity: restricted}\n", &internal),
            "a b:sensitivity c:sensitivity d:sensitivity"
        );
    }

    #[test]
    fn q6_conditions_count_if_the_request_says_where_and_as_what() {
        let units = "- {id: a, visibility: {default: internal, conditions: [{when: {environment: [production]}, then: {sensitivity: restricted}}, {when: {environment: lab}, then: {sensitivity: public}}]}}\n- {id: b, sensitivity: internal}\n";
        let asked = |environment: Option<&str>, ceiling| {
            let request = QueryRequest {
                environment: environment.map(str::to_owned),
                sensitivity_max: Some(ceiling),
                ..QueryRequest::default()
            };
            passing(units, "", &request)
        };
        assert_eq!(asked(None, Sensitivity::Internal), "a b");
        assert_eq!(asked(Some("production"), Sensitivity::Internal), "a:sensitivity b");
        assert_eq!(asked(Some("lab"), Sensitivity::Public), "a b:sensitivity");
        assert_eq!(
            asked(Some("elsewhere"), Sensitivity::Public),
            "a:sensitivity b:sensitivity"
        );
    }

    #[test]
    fn a25_what_nobody_declares_is_not_above_the_ceiling_unless_that_is_asked_for() {
        let mut request = QueryRequest {
            sensitivity_max: Some(Sensitivity::Public),
            ..QueryRequest::default()
        };
        assert_eq!(passing("- {id: a}\n", "", &request), "a");
        request.strict_sensitivity = true;
        assert_eq!(passing("- {id: a}\n", "", &request), "a:sensitivity");
        request.sensitivity_max = None;
        assert_eq!(passing("- {id: a}\n", "", &request), "a");
    }

    #[test]
    fn q7_capabilities_are_compared_with_and_without_the_prefix_of_tools() {
        let units = "- {id: a, requires_capabilities: [tool:kubectl, permission:deploy-prod]}\n- {id: b, requires_capabilities: kubectl}\n- {id: c}\n- {id: d, requires_capabilities: ['tool:tool:x']}\n";
        let able = |list: Option<&[&str]>| {
            let has_capabilities = list.map(|list| list.iter().map(|one| (*one).to_owned()).collect());
            passing(
                units,
                "",
                &QueryRequest {
                    has_capabilities,
                    ..QueryRequest::default()
                },
            )
        };
        assert_eq!(able(Some(&["tool:kubectl"])), "a:capability b c d:capability");
        assert_eq!(able(Some(&["kubectl", "permission:deploy-prod"])), "a b c d:capability");
        assert_eq!(
            able(Some(&["kubectl", "deploy-prod", "tool:x"])),
            "a:capability b c d:capability"
        );
        assert_eq!(able(Some(&["tool:tool:x"])), "a:capability b:capability c d");
        assert_eq!(able(Some(&["KUBECTL"])), "a:capability b:capability c d:capability");
        assert_eq!(able(Some(&[])), "a:capability b:capability c d:capability");
        assert_eq!(able(None), "a b c d");
    }

    #[test]
    fn q8_stale_units_are_left_out_if_that_is_asked_for() {
        let units = "- {id: a, validated: 2026-05-31}\n- {id: b, validated: 2026-05-30}\n- {id: c}\n- {id: d, validated: 2020-01-01, freshness_policy: {on_stale: block}}\n- {id: e, validated: 2026-02-30}\n\
                     - {id: f, validated: 2026-05-01, freshness_policy: {max_age_days: 1000000000000000000}}\n";
        let root = "freshness_policy: {max_age_days: 30}\n";
        let request = QueryRequest {
            exclude_stale: true,
            ..QueryRequest::default()
        };
        assert_eq!(passing(units, root, &request), "a b:stale c d e f");
        assert_eq!(passing(units, root, &QueryRequest::default()), "a b c d e f");
    }

    #[test]
    fn q13_what_discovery_calls_deprecated_is_for_a_look_back_only() {
        let units = "- {id: a, discovery: {verification_status: deprecated}}\n- {id: b, deprecated: true}\n- {id: c, discovery: {verification_status: verified}}\n";
        let mut request = QueryRequest::default();
        assert_eq!(passing(units, "", &request), "a:discovery-deprecated b:deprecated c");
        request.audit = true;
        assert_eq!(passing(units, "", &request), "a b:deprecated c");
        request.exclude_deprecated = false;
        assert_eq!(
            passing(units, "discovery: {verification_status: deprecated}\n", &request),
            "a b c"
        );
        request.audit = false;
        assert_eq!(
            passing(units, "discovery: {verification_status: deprecated}\n", &request),
            "a:discovery-deprecated b:discovery-deprecated c"
        );
    }
}
