//! What is asked: the fields of §15.2 with their defaults, and ours (clause Q1, ruling A5).

use clap::{ArgAction, Args, ValueEnum};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::score::Scoring;
use crate::vocabulary::{Scope, Sensitivity};

/// Default number of results of a query with terms.
pub const LIMIT: usize = 5;

/// A query.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct QueryRequest {
    /// What to look for, as it was given; none is everything that passes the filters.
    pub terms: Vec<String>,
    /// Whether they are the words of a question, so that rare words count for more.
    pub is_question: bool,
    /// Only units for these people.
    pub audience: Option<String>,
    /// Only units of this scope.
    pub scope: Option<Scope>,
    /// No unit that is more confidential than this.
    pub sensitivity_max: Option<Sensitivity>,
    /// What all results may cost together, in tokens.
    pub max_token_budget: Option<u64>,
    /// Whether a summary takes the place of a unit that is too large for the budget.
    pub include_summaries: bool,
    /// Whether deprecated units are left out.
    pub exclude_deprecated: bool,
    /// Capabilities of the caller. An empty list means no capability; none means unknown.
    pub has_capabilities: Option<Vec<String>>,
    /// Whether stale units are left out.
    pub exclude_stale: bool,
    /// At most so many results; none is [`LIMIT`] with terms and no limit without.
    pub limit: Option<usize>,
    /// Whether a unit of which its sensitivity is not declared counts as above every ceiling.
    pub strict_sensitivity: bool,
    /// Whether units whose discovery is deprecated are looked at too.
    pub audit: bool,
    /// How points are counted.
    pub scoring: Scoring,
    /// The environment of the caller.
    pub environment: Option<String>,
    /// As what.
    pub role: Option<String>,
    /// Whether units that are not for agents are left out for every caller.
    pub agent_only: bool,
    /// Whether to say of every unit why it is a result or not.
    pub explain: bool,
}

impl Default for QueryRequest {
    fn default() -> Self {
        QueryFilters::default().request(Vec::new())
    }
}

impl QueryRequest {
    /// How many results there may be, given how many terms count.
    pub fn limit_for(&self, terms: usize) -> usize {
        match (self.limit, terms) {
            (Some(limit), _) => limit,
            (None, 0) => usize::MAX,
            (None, _) => LIMIT,
        }
    }

    /// Whether conditions of visibility are evaluated for the caller.
    pub fn has_context(&self) -> bool {
        self.environment.is_some() || self.role.is_some()
    }
}

/// Filters for units
#[derive(Args, Deserialize, JsonSchema, Clone, Debug)]
#[serde(default)]
pub struct QueryFilters {
    /// Only units for human, agent, developer, architect, operator or devops
    #[arg(long, value_name = "WHO", help_heading = "Which units")]
    pub audience: Option<String>,
    /// Only units of this scope
    #[arg(long, value_enum, help_heading = "Which units")]
    pub scope: Option<ScopeName>,
    /// Nothing more confidential than this; units without a declared sensitivity pass and are marked
    #[arg(long, value_enum, value_name = "LEVEL", help_heading = "Which units")]
    pub sensitivity_max: Option<SensitivityName>,
    /// With --sensitivity-max, leave out units without a declared sensitivity
    #[arg(long, help_heading = "Which units")]
    #[schemars(extend("x-agents" = "omit"))]
    pub strict_sensitivity: bool,
    /// Leave out deprecated units
    #[arg(long, value_name = "BOOL", action = ArgAction::Set, default_value_t = true, help_heading = "Which units")]
    pub exclude_deprecated: bool,
    /// Your capabilities, such as tool:kubectl; units that need others are left out. Repeat, or separate by commas
    #[arg(long, value_name = "CAPABILITY", value_delimiter = ',', num_args = 1, action = ArgAction::Append, help_heading = "Which units")]
    pub has_capabilities: Option<Vec<String>>,
    /// You have no capabilities: leave out every unit that needs one
    #[arg(long, conflicts_with = "has_capabilities", help_heading = "Which units")]
    #[schemars(extend("x-agents" = "omit"))]
    pub no_capabilities: bool,
    /// Leave out units that are stale by their freshness policy
    #[arg(long, help_heading = "Which units")]
    pub exclude_stale: bool,
    /// Include units whose `discovery` says that they are deprecated
    #[arg(long, help_heading = "Which units")]
    #[schemars(extend("x-agents" = "omit"))]
    pub audit: bool,
    /// Most tokens of all results together; units without an estimate count 0
    #[arg(long, visible_alias = "budget", value_name = "TOKENS", help_heading = "How many")]
    pub max_token_budget: Option<u64>,
    /// Replace units that do not fit into the budget by their summaries
    #[arg(long, value_name = "BOOL", action = ArgAction::Set, default_value_t = true, help_heading = "How many")]
    pub include_summaries: bool,
    /// Most results [default: 5; all without terms]
    #[arg(long, short = 'n', value_name = "N", help_heading = "How many")]
    pub limit: Option<usize>,
    /// How scores are computed
    #[arg(long, value_enum, default_value_t = Scoring::Table, help_heading = "How many")]
    #[schemars(extend("x-agents" = "omit"))]
    pub scoring: Scoring,
}

impl Default for QueryFilters {
    fn default() -> Self {
        Self {
            audience: None,
            scope: None,
            sensitivity_max: None,
            strict_sensitivity: false,
            exclude_deprecated: true,
            has_capabilities: None,
            no_capabilities: false,
            exclude_stale: false,
            audit: false,
            max_token_budget: None,
            include_summaries: true,
            limit: None,
            scoring: Scoring::Table,
        }
    }
}

impl QueryFilters {
    /// The query for some terms.
    pub fn request(self, terms: Vec<String>) -> QueryRequest {
        let has_capabilities = if self.no_capabilities {
            Some(Vec::new())
        } else {
            self.has_capabilities
        };
        QueryRequest {
            terms,
            is_question: false,
            audience: self.audience,
            scope: self.scope.map(Into::into),
            sensitivity_max: self.sensitivity_max.map(Into::into),
            max_token_budget: self.max_token_budget,
            include_summaries: self.include_summaries,
            exclude_deprecated: self.exclude_deprecated,
            has_capabilities,
            exclude_stale: self.exclude_stale,
            limit: self.limit,
            strict_sensitivity: self.strict_sensitivity,
            audit: self.audit,
            scoring: self.scoring,
            environment: None,
            role: None,
            agent_only: false,
            explain: false,
        }
    }
}

/// How much of a project a unit is about.
#[derive(ValueEnum, Serialize, Deserialize, JsonSchema, Clone, Copy, PartialEq, Eq, Debug)]
#[serde(rename_all = "snake_case")]
pub enum ScopeName {
    /// All of it
    Global,
    /// One project of several
    Project,
    /// A part
    Module,
}

impl From<ScopeName> for Scope {
    fn from(name: ScopeName) -> Self {
        match name {
            ScopeName::Global => Self::Global,
            ScopeName::Project => Self::Project,
            ScopeName::Module => Self::Module,
        }
    }
}

/// How confidential a unit is.
#[derive(ValueEnum, Serialize, Deserialize, JsonSchema, Clone, Copy, PartialEq, Eq, Debug)]
#[serde(rename_all = "snake_case")]
pub enum SensitivityName {
    /// For everybody
    Public,
    /// For members of the organisation
    Internal,
    /// For people who need it
    Confidential,
    /// For named people
    Restricted,
}

impl From<SensitivityName> for Sensitivity {
    fn from(name: SensitivityName) -> Self {
        match name {
            SensitivityName::Public => Self::Public,
            SensitivityName::Internal => Self::Internal,
            SensitivityName::Confidential => Self::Confidential,
            SensitivityName::Restricted => Self::Restricted,
        }
    }
}

/// Which manifests are asked.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum FederationScope {
    /// The local one.
    #[default]
    Local,
    /// The local one and those that it names.
    Declared,
}

impl FederationScope {
    /// What a word means; one that means nothing is `local`, as the text demands.
    pub fn from_word(word: Option<&str>) -> Self {
        match word {
            Some("declared") => Self::Declared,
            _ => Self::Local,
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn read(request: serde_json::Value) -> QueryRequest {
        serde_json::from_value::<QueryFilters>(request)
            .unwrap()
            .request(Vec::new())
    }

    #[test]
    fn q1_what_is_not_given_has_the_defaults_of_the_text() {
        let empty = read(json!({}));
        assert_eq!(empty, QueryRequest::default());
        assert!(empty.include_summaries && empty.exclude_deprecated && !empty.exclude_stale);
        assert_eq!((empty.limit_for(1), empty.limit_for(0)), (LIMIT, usize::MAX));
        assert!(empty.has_capabilities.is_none() && empty.max_token_budget.is_none() && empty.audience.is_none());
    }

    #[test]
    fn q1_unknown_keys_are_ignored_and_unknown_federation_scopes_are_local() {
        assert_eq!(
            read(json!({"as_of": "2026-01-01", "x-mine": [1]})),
            QueryRequest::default()
        );
        assert_eq!(FederationScope::from_word(Some("recursive")), FederationScope::Local);
        assert_eq!(FederationScope::from_word(None), FederationScope::Local);
        assert_eq!(FederationScope::from_word(Some("declared")), FederationScope::Declared);
    }

    #[test]
    fn a5_every_field_of_the_request_shape_is_read() {
        let full = read(json!({
            "audience": "agent", "scope": "module", "sensitivity_max": "internal", "max_token_budget": 8000,
            "include_summaries": false, "exclude_deprecated": false, "has_capabilities": ["tool:kubectl", "permission:deploy-prod"],
            "exclude_stale": true, "federation_scope": "declared", "limit": 0,
        }));
        assert_eq!(full.audience.as_deref(), Some("agent"));
        assert_eq!(
            (full.scope, full.sensitivity_max),
            (Some(Scope::Module), Some(Sensitivity::Internal))
        );
        assert_eq!((full.max_token_budget, full.limit), (Some(8000), Some(0)));
        assert!(!full.include_summaries && !full.exclude_deprecated && full.exclude_stale);
        assert_eq!(full.has_capabilities.map(|list| list.len()), Some(2));
    }

    #[test]
    fn q7_no_capability_at_all_is_something_else_than_none_given() {
        assert_eq!(read(json!({"has_capabilities": []})).has_capabilities, Some(Vec::new()));
        assert_eq!(read(json!({"has_capabilities": null})).has_capabilities, None);
        assert_eq!(
            read(json!({"no_capabilities": true})).has_capabilities,
            Some(Vec::new())
        );
    }
}
