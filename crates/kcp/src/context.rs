//! Who asks for a unit, and from where: the agent's side of an access decision, from settings and from flags.

use clap::{Args, ValueEnum};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::vocabulary::AuthType;
use lore_seam::{Ctx, ErrorKind, OpError};

/// What an approval of every unit is written as.
const EVERY_UNIT: &str = "*";

/// Who asks, and from where.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct AgentContext {
    /// Its name, for the audit log.
    pub agent: String,
    /// What it proves itself with.
    pub credential: Option<Credential>,
    /// How many hops it is away from the owner, who is at 0.
    pub depth: u32,
    /// The scopes of the delegating agent, if known.
    pub parent_scopes: Option<Vec<String>>,
    /// Its environment, if it is known.
    pub environment: Option<String>,
    /// Its role, if it is known.
    pub role: Option<String>,
    /// Where it runs, if that is known.
    pub region: Option<String>,
    /// Where its model runs, if that is known.
    pub llm: Option<Hosting>,
    /// Ids of units that a human approved it to use; `*` is every unit.
    pub approvals: Vec<String>,
    /// What it is able to do, if that is known.
    pub capabilities: Option<Vec<String>>,
    /// What it asked for before.
    pub usage: Usage,
    /// Whether there is an incident, in which a stale unit is better than none.
    pub incident: bool,
    /// Whether a stricter condition counts although not all that it asks is known of the agent.
    pub strict: bool,
    /// Whether a restricted unit that names no scope is open to any credential.
    pub any_scope: bool,
    /// Which rules for scopes apply.
    pub profile: Profile,
    /// The trace that the request belongs to, as W3C Trace Context writes it.
    pub traceparent: Option<String>,
    /// The state that systems on the way added to the trace (`tracestate`).
    pub tracestate: Option<String>,
}

/// What an agent proves itself with.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Credential {
    /// How; `none` proves nothing.
    pub method: Option<AuthType>,
    /// Scopes, roles and groups that it holds.
    pub scopes: Vec<String>,
}

/// When a unit was asked for before, in milliseconds since 1970.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Usage {
    /// The moments, in any order.
    pub at_ms: Vec<u64>,
}

/// Where a language model runs.
#[derive(ValueEnum, Serialize, Deserialize, JsonSchema, Clone, Copy, PartialEq, Eq, Debug)]
#[serde(rename_all = "snake_case")]
pub enum Hosting {
    /// On machines of the content's owner, or there is no model
    Local,
    /// On machines of a third party
    External,
}

/// Which rules for scopes apply.
#[derive(ValueEnum, Serialize, Deserialize, JsonSchema, Clone, Copy, PartialEq, Eq, Debug, Default)]
#[serde(rename_all = "snake_case")]
pub enum Profile {
    /// The specification's: only restricted units require a scope
    #[default]
    Spec,
    /// The simulators': authenticated units require a scope too; if none is declared, Lore derives it from the id
    Simulator,
    /// The A2A simulator's: the scope is always derived from the id
    A2a,
}

impl AgentContext {
    /// Whether a human approved the use of a unit.
    pub fn is_approved(&self, id: Option<&str>) -> bool {
        let means = |approval: &String| approval == EVERY_UNIT || Some(approval.as_str()) == id;
        self.approvals.iter().any(means)
    }

    /// The credential, if it proves anything.
    pub fn proof(&self) -> Option<&Credential> {
        let credential = self.credential.as_ref();
        credential.filter(|credential| credential.method != Some(AuthType::None))
    }

    /// The caller according to the user's settings alone: the owner on the command line, else an agent of the owner.
    pub fn from_settings(ctx: &Ctx, is_owner: bool) -> Result<Self, OpError> {
        let settings = &ctx.ports.settings;
        let one = |name: &str| settings.value(&format!("unit.{name}"));
        let many = |name: &str| settings.values(&format!("unit.{name}"));
        let scopes = many("scopes");
        let parent_scopes = many("parent_scopes");
        let capabilities = many("capabilities");
        let depth = match one("depth") {
            None => u32::from(!is_owner),
            Some(text) => text
                .parse()
                .map_err(|_| wrong("depth", &text, "a number of delegation steps from the owner"))?,
        };
        let llm =
            one("llm").map(|text| Hosting::from_str(&text, true).map_err(|_| wrong("llm", &text, "local or external")));
        Ok(Self {
            agent: one("agent").unwrap_or_else(|| if is_owner { "owner" } else { "agent" }.to_owned()),
            credential: (!scopes.is_empty()).then_some(Credential { method: None, scopes }),
            depth,
            parent_scopes: (!parent_scopes.is_empty()).then_some(parent_scopes),
            environment: one("environment"),
            role: one("role"),
            region: one("region"),
            llm: llm.transpose()?,
            approvals: many("approvals"),
            capabilities: (!capabilities.is_empty()).then_some(capabilities),
            ..Self::default()
        })
    }
}

fn wrong(name: &str, text: &str, wanted: &str) -> OpError {
    OpError::new(
        ErrorKind::Invalid,
        format!("the setting unit.{name} is `{text}`, expected {wanted}"),
    )
}

/// The agent that asks, from the command line. The settings give the defaults.
#[derive(Args, Deserialize, JsonSchema, Clone, Debug, Default)]
#[serde(default)]
#[command(next_help_heading = "Who asks")]
pub struct AgentFlags {
    /// The agent's role in conditions of `visibility` [default: the setting unit.role]
    #[arg(long, value_name = "ROLE")]
    pub role: Option<String>,
    /// The environment, such as production [default: the setting unit.environment]
    #[arg(long, value_name = "NAME")]
    pub environment: Option<String>,
    /// A scope, role or group of the agent's credential; repeat for several
    #[arg(long = "scope-held", value_name = "SCOPE")]
    #[serde(rename = "scope_held")]
    pub scopes_held: Vec<String>,
    /// The agent has a valid credential, without any scope
    #[arg(long)]
    pub credential: bool,
    /// Delegation steps from the owner [default: 0, or 1 for agents]
    #[arg(long, value_name = "N")]
    pub depth: Option<u32>,
    /// A scope of the agent that delegated access to this one; repeat for several
    #[arg(long = "parent-scope", value_name = "SCOPE")]
    #[serde(rename = "parent_scope")]
    pub parent_scopes: Vec<String>,
    /// Where it is processed: EU, EEA, or the two letters of a country
    #[arg(long, value_name = "REGION")]
    pub region: Option<String>,
    /// Where the language model runs
    #[arg(long, value_enum)]
    pub llm: Option<Hosting>,
    /// A human has approved it
    #[arg(long)]
    pub approve: bool,
    /// A capability of the agent, such as tool:kubectl; repeat for several
    #[arg(long = "capability", value_name = "NAME")]
    #[serde(rename = "capability")]
    pub capabilities: Vec<String>,
    /// There is an incident: use stale units if there are no fresh ones
    #[arg(long)]
    pub incident: bool,
    /// Apply stricter conditions of `visibility` also if not all their keys are known
    #[arg(long)]
    pub strict: bool,
    /// Whether this came from the command line, where the owner asks.
    #[arg(skip = true)]
    #[serde(skip)]
    is_owner: bool,
}

impl AgentFlags {
    /// Who asks.
    pub fn context(&self, ctx: &Ctx) -> Result<AgentContext, OpError> {
        let mut agent = AgentContext::from_settings(ctx, self.is_owner)?;
        let set = |field: &mut Option<String>, flag: &Option<String>| {
            if let Some(value) = flag {
                *field = Some(value.clone());
            }
        };
        set(&mut agent.role, &self.role);
        set(&mut agent.environment, &self.environment);
        set(&mut agent.region, &self.region);
        if self.credential || !self.scopes_held.is_empty() {
            agent.credential = Some(Credential {
                method: None,
                scopes: self.scopes_held.clone(),
            });
        }
        agent.depth = self.depth.unwrap_or(agent.depth);
        if !self.parent_scopes.is_empty() {
            agent.parent_scopes = Some(self.parent_scopes.clone());
        }
        agent.llm = self.llm.or(agent.llm);
        if self.approve {
            agent.approvals.push(EVERY_UNIT.to_owned());
        }
        if !self.capabilities.is_empty() {
            agent.capabilities = Some(self.capabilities.clone());
        }
        agent.incident |= self.incident;
        agent.strict |= self.strict;
        Ok(agent)
    }
}

#[cfg(test)]
mod tests {
    use clap::{ArgMatches, Command, FromArgMatches};

    use super::*;
    use lore_seam::world::World;

    fn world(settings: &[(&str, &[&str])]) -> std::sync::Arc<World> {
        let mut world = crate::testing::with_files([("x", "")]);
        for (key, values) in settings {
            let values = values.iter().map(|value| (*value).to_owned());
            world.settings.insert((*key).to_owned(), values.collect());
        }
        std::sync::Arc::new(world)
    }

    fn flags(line: &str) -> AgentFlags {
        let matches: ArgMatches =
            AgentFlags::augment_args(Command::new("x")).get_matches_from(format!("x {line}").split_whitespace());
        AgentFlags::from_arg_matches(&matches).unwrap()
    }

    #[test]
    fn on_the_command_line_the_owner_asks_and_anywhere_else_an_agent() {
        let world = world(&[]);
        let owner = flags("").context(&world.ctx()).unwrap();
        assert_eq!((owner.depth, owner.agent.as_str()), (0, "owner"));
        let by_json: AgentFlags = serde_json::from_str("{}").unwrap();
        let agent = by_json.context(&world.ctx()).unwrap();
        assert_eq!((agent.depth, agent.agent.as_str()), (1, "agent"));
        assert!(agent.credential.is_none() && agent.capabilities.is_none() && agent.approvals.is_empty());
    }

    #[test]
    fn settings_say_who_asks_and_flags_say_it_anew() {
        let world = world(&[
            ("unit.agent", &["ci"]),
            ("unit.role", &["developer"]),
            ("unit.environment", &["staging"]),
            ("unit.scopes", &["read:a", "read:b"]),
            ("unit.depth", &["2"]),
            ("unit.llm", &["External"]),
            ("unit.approvals", &["a"]),
        ]);
        let agent = flags("").context(&world.ctx()).unwrap();
        assert_eq!(agent.agent, "ci");
        assert_eq!(
            agent.proof().map(|credential| credential.scopes.join(" ")).as_deref(),
            Some("read:a read:b")
        );
        assert_eq!((agent.depth, agent.llm), (2, Some(Hosting::External)));
        assert!(agent.is_approved(Some("a")) && !agent.is_approved(Some("b")) && !agent.is_approved(None));
        let agent = flags("--role dpo --scope-held x --depth 0 --llm local --approve --capability kubectl --region DE");
        let agent = agent.context(&world.ctx()).unwrap();
        assert_eq!(agent.role.as_deref(), Some("dpo"));
        assert_eq!(agent.environment.as_deref(), Some("staging"));
        assert_eq!(
            agent.proof().map(|credential| credential.scopes.join(" ")).as_deref(),
            Some("x")
        );
        assert_eq!((agent.depth, agent.llm), (0, Some(Hosting::Local)));
        assert!(agent.is_approved(Some("b")) && agent.is_approved(None));
        assert_eq!(agent.capabilities, Some(vec!["kubectl".to_owned()]));
    }

    #[test]
    fn a_setting_that_makes_no_sense_is_said_to() {
        for (key, value) in [("unit.depth", "-1"), ("unit.depth", "deep"), ("unit.llm", "moon")] {
            let world = world(&[(key, &[value])]);
            let error = flags("").context(&world.ctx()).unwrap_err();
            assert_eq!(error.kind, ErrorKind::Invalid);
            assert!(
                error.message.contains(key) && error.message.contains(value),
                "{}",
                error.message
            );
        }
    }
}
