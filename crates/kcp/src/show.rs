//! `lore unit show`: one unit as it is declared, as it is in effect with the origin of each value, and its content if the agent may read it (clauses I7, S7, S9).

use std::collections::BTreeMap;

use clap::Args;
use lore_model::base64;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::access::{ADVISORY, DecisionLine, Now, Outcome, decide};
use super::audit::Logged;
use super::context::AgentFlags;
use super::date::Day;
use super::effective::{Effective, Sourced, effective};
use super::find_unit::find_unit;
use super::freshness::{Staleness, staleness};
use super::mcp::is_agent_only;
use super::model::{Indexing, License, List, Manifest, Unit, UnitIndex};
use super::open::open_valid;
use super::read::{Content, Reading, read_unit};
use super::vocabulary::{Audience, Vocabulary};
use lore_seam::{Access, Ctx, ErrorKind, OpError, Operation, Page, Render, Value};

/// Show one unit of a knowledge manifest: its fields, the values in effect, and its content
///
/// --effective shows every value in effect, including defaults of the manifest, and where it comes from. --content shows the document, if the agent
/// may read it. Lore evaluates the rules of the manifest before it opens the file, and logs the read if the manifest demands it.
#[derive(Args, Deserialize, JsonSchema, Clone, Debug, Default)]
#[command(after_help = "Examples:
  lore unit show runbook                          what it answers, for whom, how fresh it is
  lore unit show runbook --effective              every value in effect, and where it comes from
  lore unit show runbook --content                the document
  lore unit show wire-transfers --content --scope-held aml:read --region DE

Exit status: 0: shown; 1: the unit does not exist, or its content may not be read; 2: the question could not be asked.")]
pub struct UnitShowRequest {
    /// The id of the unit
    #[arg(value_name = "ID")]
    pub id: String,
    /// Every value in effect, and where it comes from
    #[arg(long, short)]
    #[serde(default)]
    pub effective: bool,
    /// The document itself
    #[arg(long, short)]
    #[serde(default)]
    pub content: bool,
    /// The manifest, or its directory [default: the manifest of this repository]
    #[arg(long, value_name = "FILE")]
    #[serde(default)]
    pub file: Option<String>,
    /// Use a manifest that is not valid, as far as it can be parsed
    #[arg(long)]
    #[serde(default)]
    pub lenient: bool,
    // An agent cannot choose its identity: outside of the command line, the settings of the user who runs Lore define it.
    #[command(flatten)]
    #[serde(skip)]
    // No doc comment: the help of a flattened struct would replace that of the command.
    pub agent: AgentFlags,
}

/// One unit
#[derive(Serialize, JsonSchema, Clone, PartialEq, Debug)]
pub struct UnitShowAnswer {
    /// Its id
    pub id: String,
    /// The document, from the directory of the manifest
    pub path: String,
    /// What question it answers
    #[schemars(extend("x-agents" = "untrusted"))]
    pub intent: String,
    /// How much of the project it is about
    pub scope: String,
    /// Who it is for
    pub audience: Vec<String>,
    /// What it is
    pub kind: &'static str,
    /// What to do with it
    pub how_to_use: &'static str,
    /// The media type of the document
    pub media_type: String,
    /// When somebody last validated it
    pub validated: Option<String>,
    /// How fresh it is, by the rule of the manifest
    pub freshness: FreshnessLine,
    /// Whether it is deprecated
    pub deprecated: bool,
    /// Units to read first
    pub depends_on: Vec<String>,
    /// The unit that it replaces
    pub supersedes: Option<String>,
    /// Words that lead to it
    pub triggers: Vec<String>,
    /// How many tokens it has, as declared
    pub token_estimate: Option<u64>,
    /// The manifest
    pub manifest: String,
    /// The line in it
    #[schemars(extend("x-agents" = "at manifest"))]
    pub line: u32,
    /// Every value in effect, by field, with `effective`
    #[serde(skip_serializing_if = "Option::is_none")]
    pub effective: Option<BTreeMap<String, EffectiveValue>>,
    /// Whether the agent may read it; the trace is present only if it may not
    pub access: DecisionLine,
    /// The document, with `content`, if it may be read
    #[serde(skip_serializing_if = "Option::is_none")]
    pub content: Option<ContentLine>,
    /// The limits of the decision
    pub advisory: &'static str,
    #[serde(skip)]
    #[schemars(skip)]
    wants_content: bool,
}

/// A value in effect, and where it comes from
#[derive(Serialize, JsonSchema, Clone, PartialEq, Eq, Debug)]
pub struct EffectiveValue {
    /// The value
    #[schemars(extend("x-agents" = "untrusted"))]
    pub value: String,
    /// unit, root or default
    pub origin: String,
    /// Its line in the manifest; none for a default
    #[serde(skip_serializing_if = "Option::is_none")]
    pub line: Option<u32>,
}

/// How fresh a unit is, by the rule of its manifest
#[derive(Serialize, JsonSchema, Clone, PartialEq, Eq, Debug)]
pub struct FreshnessLine {
    /// fresh, stale, or unknown where there is no rule or no date
    pub state: &'static str,
    /// Days since it was validated
    #[serde(skip_serializing_if = "Option::is_none")]
    pub age_days: Option<i64>,
    /// After how many days it is stale
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_age_days: Option<u64>,
    /// What to do with it then: warn, degrade or block
    #[serde(skip_serializing_if = "Option::is_none")]
    pub on_stale: Option<&'static str>,
    /// The contact for a review
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(extend("x-agents" = "untrusted"))]
    pub review_contact: Option<String>,
}

/// The document of a unit
#[derive(Serialize, JsonSchema, Clone, PartialEq, Eq, Debug)]
pub struct ContentLine {
    /// Its media type
    pub media_type: String,
    /// Its bytes
    pub bytes: u64,
    /// Its text, if it is text
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(extend("x-agents" = "untrusted"))]
    pub text: Option<String>,
    /// Its bytes in base64, if it is not text
    #[serde(skip_serializing_if = "Option::is_none")]
    pub base64: Option<String>,
    /// Whether the read was logged
    pub logged: Logged,
    /// The trace context of the read
    #[serde(skip_serializing_if = "Option::is_none")]
    pub traceparent: Option<String>,
}

/// `lore unit show`.
pub struct UnitShow;

impl Operation for UnitShow {
    const NAME: &'static str = "unit_show";
    const COMMAND: &'static [&'static str] = &["unit", "show"];
    const ACCESS: Access = Access::Read;
    type Request = UnitShowRequest;
    type Answer = Value<UnitShowAnswer>;

    fn run(ctx: &Ctx, request: UnitShowRequest) -> Result<Value<UnitShowAnswer>, OpError> {
        let (path, m) = open_valid(ctx, request.file.as_deref(), request.lenient)?;
        let (u, unit) = find_unit(&m, &request.id)?;
        if is_agent_only(ctx) && !unit.audiences().any(|audience| audience == Audience::Agent) {
            let message = format!("there is no unit `{}` for agents", request.id);
            return Err(OpError::new(ErrorKind::NotFound, message));
        }
        let agent = request.agent.context(ctx)?;
        let now = Now(ctx.ports.clock.now_ms());
        let (decision, content) = if !request.content {
            (decide(&m, u, "read", &agent, now), None)
        } else {
            match read_unit(ctx, &path, &m, u, &agent)? {
                Reading::Refused(decision) => (*decision, None),
                Reading::Read(read) => {
                    let (bytes, text, base64) = match read.content {
                        Content::Text(text) => (text.len(), Some(text), None),
                        Content::Binary(bytes) => (bytes.len(), None, Some(base64(&bytes))),
                    };
                    let line = ContentLine {
                        media_type: read.media_type,
                        bytes: bytes as u64,
                        text,
                        base64,
                        logged: read.logged,
                        traceparent: read.traceparent,
                    };
                    (read.decision, Some(line))
                }
            }
        };
        let is_refused = request.content && content.is_none();
        let mut access = DecisionLine::from(&decision);
        if decision.outcome == Outcome::Granted {
            access.trace.clear();
        }
        let mut answer = described(&m, u, unit, now.day(), path, access);
        answer.effective = request.effective.then(|| effective_values(&m, &effective(&m, u)));
        answer.content = content;
        answer.wants_content = request.content;
        Ok(if is_refused {
            Value::no(answer)
        } else {
            Value::yes(answer)
        })
    }
}

fn described(
    m: &Manifest,
    u: UnitIndex,
    unit: &Unit,
    today: Day,
    manifest: String,
    access: DecisionLine,
) -> UnitShowAnswer {
    let list = |list: &Option<super::model::Declared<List>>| -> Vec<String> {
        let items = list.iter().flat_map(|list| &list.value);
        items.map(|item| m.text(item.value).to_owned()).collect()
    };
    let owned = |text: Option<&str>| text.unwrap_or_default().to_owned();
    let triggers = unit.triggers.iter().flat_map(|triggers| &triggers.value.kept);
    let hints = unit.hints.as_ref().map(|hints| &hints.value);
    UnitShowAnswer {
        id: owned(m.id(unit)),
        path: owned(m.path(unit)),
        intent: owned(m.field(&unit.intent)),
        scope: unit.scope.map_or("global", |scope| m.word(scope.value)).to_owned(),
        audience: unit
            .audience
            .iter()
            .flat_map(|audience| &audience.value)
            .map(|word| m.word(word.value).to_owned())
            .collect(),
        kind: unit.kind_or_default().word(),
        how_to_use: unit.kind_or_default().use_of(),
        media_type: m.media_type(unit).to_owned(),
        validated: unit.validated.map(|date| m.text(date.value.text).to_owned()),
        freshness: freshness_line(staleness(m, u, today)),
        deprecated: unit.is_deprecated(),
        depends_on: list(&unit.depends_on),
        supersedes: m.field(&unit.supersedes).map(str::to_owned),
        triggers: triggers.map(|item| m.text(item.value).to_owned()).collect(),
        token_estimate: hints.and_then(|hints| hints.token_estimate).map(|field| field.value),
        line: m.document.place(unit.node).line,
        manifest,
        effective: None,
        access,
        content: None,
        advisory: ADVISORY,
        wants_content: false,
    }
}

fn freshness_line(staleness: Staleness<'_>) -> FreshnessLine {
    let none = FreshnessLine {
        state: "unknown",
        age_days: None,
        max_age_days: None,
        on_stale: None,
        review_contact: None,
    };
    match staleness {
        Staleness::Unknown => none,
        Staleness::Fresh { age_days, max_age_days } => FreshnessLine {
            state: "fresh",
            age_days: Some(age_days),
            max_age_days: Some(max_age_days),
            ..none
        },
        Staleness::Stale {
            age_days,
            max_age_days,
            action,
            review_contact,
        } => FreshnessLine {
            state: "stale",
            age_days: Some(age_days),
            max_age_days: Some(max_age_days),
            on_stale: Some(action.word()),
            review_contact: review_contact.map(str::to_owned),
        },
    }
}

/// Every value that holds, by its field.
pub fn effective_values(m: &Manifest, effective: &Effective<'_>) -> BTreeMap<String, EffectiveValue> {
    let mut values = Values {
        m,
        values: BTreeMap::new(),
    };
    values.some("language", effective.language, str::to_owned);
    values.license(effective);
    values.indexing(effective);
    values.put("payment.default_tier", effective.tier(), |word| m.word(word).to_owned());
    if let Some(limits) = effective.rate_limits {
        let of = |field: super::model::Field<u64>| {
            field.map(|field| Sourced {
                value: field.value,
                origin: limits.origin,
                node: Some(field.node),
            })
        };
        values.some(
            "rate_limits.requests_per_minute",
            of(limits.value.requests_per_minute),
            |number| number.to_string(),
        );
        values.some(
            "rate_limits.requests_per_day",
            of(limits.value.requests_per_day),
            |number| number.to_string(),
        );
    }
    values.freshness(effective);
    values.visibility(effective);
    values.authority(effective);
    let discovery = &effective.discovery;
    values.put("discovery.verification_status", discovery.verification_status, |word| {
        m.word(word).to_owned()
    });
    values.put("discovery.source", discovery.source, |word| m.word(word).to_owned());
    values.put("discovery.confidence", discovery.confidence, |number| {
        number.to_string()
    });
    values.some("discovery.observed_at", discovery.observed_at, |date| {
        m.text(date.text).to_owned()
    });
    values.some("discovery.verified_at", discovery.verified_at, |date| {
        m.text(date.text).to_owned()
    });
    values.some("discovery.contradicted_by", discovery.contradicted_by, str::to_owned);
    let compliance = &effective.compliance;
    values.some("compliance.data_residency", compliance.data_residency, |residency| {
        joined(m, &residency.regions)
    });
    values.some("compliance.regulations", compliance.regulations, |list| joined(m, list));
    values.some("compliance.restrictions", compliance.restrictions, |list| {
        joined(m, list)
    });
    values.some("compliance.sensitivity", compliance.sensitivity, |word| {
        m.word(word).to_owned()
    });
    let delegation = &effective.delegation;
    values.some("delegation.max_depth", delegation.max_depth, |depth| depth.to_string());
    values.put(
        "delegation.require_capability_attenuation",
        delegation.require_capability_attenuation,
        |flag| flag.to_string(),
    );
    values.put("delegation.audit_chain", delegation.audit_chain, |flag| {
        flag.to_string()
    });
    values.put(
        "delegation.human_in_the_loop.required",
        delegation.approval_required,
        |flag| flag.to_string(),
    );
    values.some(
        "delegation.human_in_the_loop.approval_mechanism",
        delegation.approval_mechanism,
        |word| m.word(word).to_owned(),
    );
    values.some(
        "delegation.human_in_the_loop.docs_url",
        delegation.docs_url,
        str::to_owned,
    );
    values.some("sensitivity", effective.sensitivity, |word| word.word().to_owned());
    values.put("access", effective.access, |word| m.word(word).to_owned());
    values.values
}

fn joined(m: &Manifest, list: &List) -> String {
    let texts: Vec<&str> = list.iter().map(|item| m.text(item.value)).collect();
    texts.join(", ")
}

struct Values<'m> {
    m: &'m Manifest,
    values: BTreeMap<String, EffectiveValue>,
}

impl<'m> Values<'m> {
    fn put<T>(&mut self, field: &str, value: Sourced<T>, show: impl FnOnce(T) -> String) {
        let line = value.place(self.m).map(|place| place.line);
        let value = EffectiveValue {
            origin: value.origin.name(),
            line,
            value: show(value.value),
        };
        self.values.insert(field.to_owned(), value);
    }

    fn some<T>(&mut self, field: &str, value: Option<Sourced<T>>, show: impl FnOnce(T) -> String) {
        if let Some(value) = value {
            self.put(field, value, show);
        }
    }

    fn license(&mut self, effective: &Effective<'m>) {
        let m = self.m;
        self.some("license", effective.license, |license| match license {
            License::Name(name) => m.text(*name).to_owned(),
            License::Block {
                spdx,
                url,
                attribution_required,
            } => {
                let mut parts: Vec<String> = Vec::new();
                parts.extend(m.field(spdx).map(str::to_owned));
                parts.extend(m.field(url).map(str::to_owned));
                parts.extend(attribution_required.map(|flag| format!("attribution_required: {}", flag.value)));
                parts.join(", ")
            }
        });
    }

    fn indexing(&mut self, effective: &Effective<'m>) {
        let m = self.m;
        self.some("indexing", effective.indexing, |indexing| match indexing {
            Indexing::Word(word) => m.word(*word).to_owned(),
            Indexing::Block {
                allow,
                deny,
                attribution_required,
            } => {
                let mut parts: Vec<String> = Vec::new();
                parts.extend(
                    allow
                        .as_ref()
                        .map(|list| format!("allow: [{}]", joined(m, &list.value))),
                );
                parts.extend(deny.as_ref().map(|list| format!("deny: [{}]", joined(m, &list.value))));
                parts.extend(attribution_required.map(|flag| format!("attribution_required: {}", flag.value)));
                parts.join(", ")
            }
        });
    }

    fn freshness(&mut self, effective: &Effective<'m>) {
        let m = self.m;
        let Some(policy) = effective.freshness else { return };
        let part = |node: lore_base::yaml::NodeId| Sourced {
            value: (),
            origin: policy.origin,
            node: Some(node),
        };
        if let Some(days) = policy.value.max_age_days {
            self.put("freshness_policy.max_age_days", part(days.node), |()| {
                days.value.to_string()
            });
        }
        match policy.value.on_stale {
            Some(word) => self.put("freshness_policy.on_stale", part(word.node), |()| {
                m.word(word.value).to_owned()
            }),
            None => self.put("freshness_policy.on_stale", Sourced::default_of(()), |()| {
                "warn".to_owned()
            }),
        }
        if let Some(contact) = policy.value.review_contact {
            self.put("freshness_policy.review_contact", part(contact.node), |()| {
                m.text(contact.value).to_owned()
            });
        }
    }

    fn visibility(&mut self, effective: &Effective<'m>) {
        let m = self.m;
        let Some(visibility) = effective.visibility else { return };
        if let Some(default) = visibility.value.default {
            let default = Sourced {
                value: default.value,
                origin: visibility.origin,
                node: Some(default.node),
            };
            self.put("visibility.default", default, |word| m.word(word).to_owned());
        }
        for (number, condition) in (1u32..).zip(&visibility.value.conditions) {
            let when = condition.when.as_ref().map(|when| &when.value);
            let then = condition.then.as_ref().map(|then| &then.value);
            let mut parts: Vec<String> = Vec::new();
            for (key, list) in [
                ("environment", when.and_then(|when| when.environment.as_ref())),
                ("agent_role", when.and_then(|when| when.agent_role.as_ref())),
            ] {
                parts.extend(list.map(|list| format!("{key} in [{}]", joined(m, &list.value))));
            }
            let mut says: Vec<String> = Vec::new();
            if let Some(then) = then {
                says.extend(then.sensitivity.map(|word| m.word(word.value).to_owned()));
                says.extend(then.requires_auth.map(|flag| format!("requires_auth: {}", flag.value)));
                let actions = then.authority.iter().flat_map(|authority| &authority.value.actions);
                says.extend(actions.map(|action| format!("{}: {}", m.text(action.action), m.word(action.level.value))));
            }
            let shown = format!("{} -> {}", parts.join(" and "), says.join(", "));
            let value = Sourced {
                value: shown,
                origin: visibility.origin,
                node: Some(condition.node),
            };
            self.put(&format!("visibility.conditions[{number}]"), value, |text| text);
        }
    }

    /// The standard actions, and those that the block adds.
    fn authority(&mut self, effective: &Effective<'m>) {
        let m = self.m;
        let mut actions: Vec<&str> = super::vocabulary::Action::ALL
            .iter()
            .map(|action| action.word())
            .collect();
        let declared = effective
            .authority
            .iter()
            .flat_map(|authority| &authority.value.actions);
        for permitted in declared {
            let action = m.text(permitted.action);
            if !actions.contains(&action) {
                actions.push(action);
            }
        }
        for action in actions {
            let level = effective.authority_of(m, action);
            self.put(&format!("authority.{action}"), level, |level| level.word().to_owned());
        }
    }
}

impl Render for UnitShowAnswer {
    fn render(&self, page: &mut Page) {
        if let Some(content) = &self.content {
            match &content.text {
                Some(text) => {
                    page.block(text);
                    if !text.ends_with('\n') {
                        page.line(format_args!(""));
                    }
                }
                None => {
                    page.text(&self.path);
                    page.line(format_args!(
                        " is not text: {} bytes of {}",
                        content.bytes, content.media_type
                    ));
                }
            }
            self.terms(page, content.logged);
            return;
        }
        page.strong(&self.id);
        page.write(format_args!("  "));
        page.text(&self.path);
        page.dim(&format!("  {}:{}", self.manifest, self.line));
        page.line(format_args!(""));
        page.write(format_args!("  "));
        page.text(&self.intent);
        page.line(format_args!(""));
        self.facts(page);
        if let Some(effective) = &self.effective {
            page.line(format_args!("in effect:"));
            for (field, value) in effective {
                page.write(format_args!("  {field}: "));
                page.text(&value.value);
                let place = value.line.map(|line| format!(" {}:{line}", self.manifest));
                page.dim(&format!("  ({}{})", value.origin, place.unwrap_or_default()));
                page.line(format_args!(""));
            }
        }
        page.write(format_args!("read: "));
        self.access.show(page, &self.manifest, self.wants_content);
        page.dim(self.advisory);
        page.line(format_args!(""));
    }
}

impl UnitShowAnswer {
    /// What was left behind by showing the document, and what it obliges to.
    fn terms(&self, page: &mut Page, logged: Logged) {
        page.line(format_args!("---"));
        self.access.show(page, &self.manifest, false);
        match logged {
            Logged::Yes => page.line(format_args!("  this read was logged")),
            Logged::No => {}
            Logged::Forbidden => page.line(format_args!(
                "  this read was not logged, because the unit forbids it (no-logging)"
            )),
        }
        page.dim(self.advisory);
        page.line(format_args!(""));
    }

    fn facts(&self, page: &mut Page) {
        let mut fact = |name: &str, value: &str| {
            if !value.is_empty() {
                page.write(format_args!("  {name}: "));
                page.text(value);
                page.line(format_args!(""));
            }
        };
        fact("kind", &format!("{} ({})", self.kind, self.how_to_use));
        fact("scope", &self.scope);
        fact("audience", &self.audience.join(", "));
        fact("media type", &self.media_type);
        fact(
            "tokens",
            &self.token_estimate.map(|tokens| tokens.to_string()).unwrap_or_default(),
        );
        let freshness = &self.freshness;
        let age = match (freshness.age_days, freshness.max_age_days) {
            (Some(age), Some(max)) => format!("{}: {age} days old, stale after {max}", freshness.state),
            _ => String::new(),
        };
        fact("validated", self.validated.as_deref().unwrap_or_default());
        fact("freshness", &age);
        fact(
            "review contact",
            freshness.review_contact.as_deref().unwrap_or_default(),
        );
        fact("deprecated", if self.deprecated { "yes" } else { "" });
        fact("depends on", &self.depends_on.join(", "));
        fact("supersedes", self.supersedes.as_deref().unwrap_or_default());
        fact("triggers", &self.triggers.join(", "));
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::testing::{UNIT, World};
    use lore_seam::{Style, Verdict};

    fn shown(world: &Arc<World>, request: UnitShowRequest) -> (Value<UnitShowAnswer>, String) {
        let answer = UnitShow::run(&world.ctx(), request).unwrap();
        let mut page = Page::new(Style::default());
        answer.value.render(&mut page);
        (answer, page.into_text())
    }

    fn world(more: &str) -> Arc<World> {
        let text = format!("{UNIT}{more}");
        let mut world = crate::testing::with_files([("docs/a.md", "# A\n\x1b[31mred\n")]);
        world.files.insert("knowledge.yaml".to_owned(), text.into_bytes());
        world.now_ms = 1_800_000_000_000;
        Arc::new(world)
    }

    fn request(effective: bool, content: bool) -> UnitShowRequest {
        UnitShowRequest {
            id: "a".to_owned(),
            effective,
            content,
            ..UnitShowRequest::default()
        }
    }

    #[test]
    fn i7_every_value_is_shown_with_its_origin_and_line() {
        let world = world(
            "    language: de\n    authority: {modify: requires_approval}\nlanguage: en\ncompliance: {regulations: [GDPR, NIS2]}\nvisibility: {default: internal, conditions: [{when: {environment: [x, y]}, then: {sensitivity: public}}]}\n",
        );
        let (answer, text) = shown(&world, request(true, false));
        assert_eq!(answer.verdict, Verdict::Yes);
        for line in [
            "  language: de  (unit knowledge.yaml:10)\n",
            "  authority.modify: requires_approval  (unit knowledge.yaml:11)\n",
            "  authority.read: initiative  (default)\n",
            "  compliance.regulations: GDPR, NIS2  (root knowledge.yaml:13)\n",
            "  sensitivity: internal  (root knowledge.yaml:14)\n",
            "  visibility.conditions[1]: environment in [x, y] -> public  (root knowledge.yaml:14)\n",
            "  payment.default_tier: free  (default)\n",
            "  access: public  (default)\n",
        ] {
            assert!(text.contains(line), "{line}\n{text}");
        }
        let json = serde_json::to_value(&answer.value).unwrap();
        assert_eq!(
            json["effective"]["language"],
            serde_json::json!({"value": "de", "origin": "unit", "line": 10})
        );
        assert!(json.get("content").is_none());
    }

    #[test]
    fn a_unit_is_shown_with_what_one_wants_to_know_first() {
        let world = world(
            "    validated: 2026-12-01\n    depends_on: [b]\n    triggers: [start]\n    hints: {token_estimate: 400}\nfreshness_policy: {max_age_days: 10, review_contact: docs@x}\n",
        );
        let (_, text) = shown(&world, request(false, false));
        assert!(
            text.starts_with("a  docs/a.md  knowledge.yaml:5\n  What is a?\n  kind: knowledge (load)\n  scope: global\n  audience: agent\n  media type: text/markdown\n  tokens: 400\n  validated: 2026-12-01\n  freshness: stale: 45 days old, stale after 10\n  review contact: docs@x\n  depends on: b\n  triggers: start\nread: granted"),
            "{text}"
        );
        assert!(text.trim_end().ends_with("a server protects the documents"), "{text}");
    }

    #[test]
    fn s7_content_is_shown_to_whoever_may_read_it_and_cannot_steer_a_terminal() {
        let (answer, text) = shown(&world(""), request(false, true));
        assert!(
            text.starts_with("# A\n␛[31mred\n---\ngranted; sensitivity: not declared\n"),
            "{text}"
        );
        assert_eq!(answer.verdict, Verdict::Yes);
        let (answer, text) = shown(
            &world("    access: restricted\n    auth_scope: ops\n"),
            request(false, true),
        );
        assert_eq!(answer.verdict, Verdict::No);
        assert!(answer.value.content.is_none());
        assert!(
            text.contains("denied (access): no credential") && text.contains("trace:"),
            "{text}"
        );
        assert!(!text.contains("[31m"), "{text}");
    }

    #[test]
    fn amend2_an_agent_cannot_say_itself_who_it_is() {
        let schema = schemars::schema_for!(UnitShowRequest);
        let text = serde_json::to_string(&schema).unwrap();
        for word in ["role", "approve", "scope_held", "depth"] {
            assert!(!text.contains(&format!("\"{word}\"")), "{word}: {text}");
        }
        let request: UnitShowRequest = serde_json::from_str("{\"id\": \"a\", \"content\": true}").unwrap();
        let world = world("    delegation: {max_depth: 0}\n");
        let (answer, _) = shown(&world, request);
        assert_eq!(answer.value.access.decision, "denied");
    }

    #[test]
    fn amend3_it_is_said_whether_a_read_was_logged() {
        let text = |more: &str| shown(&world(more), request(false, true)).1;
        let logged = "trust: {audit: {agent_must_log: true}}\n";
        assert!(text(logged).contains("  this read was logged\n"));
        assert!(!text("").contains("logged"));
        let forbidden = format!("    compliance: {{restrictions: [no-logging]}}\n{logged}");
        assert!(text(&forbidden).contains("  this read was not logged, because the unit forbids it (no-logging)\n"));
    }

    #[test]
    fn s9_what_is_shown_of_access_is_said_to_be_advice() {
        let (answer, _) = shown(&world(""), request(false, false));
        assert_eq!(answer.value.advisory, ADVISORY);
    }
}
