//! `lore unit report article30`: the record of processing activities, as far as a manifest declares it.

use std::collections::HashSet;

use clap::Args;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::cell;
use crate::audit::demand;
use crate::effective::effective;
use crate::model::{Auth, Declared, Field, List, Manifest, Unit, UnitIndex, is_true};
use crate::open::open_valid;
use crate::vocabulary::{Regulation, Vocabulary};
use lore_base::yaml::Text;
use lore_seam::{Access, Ctx, OpError, Operation, Page, Render, Value};

/// What Article 30 asks for and a manifest cannot say.
const NOT_DECLARED: &[&str] = &[
    "the data protection officer and the representative of the controller (Art. 30(1)(a))",
    "the categories of data subjects and of personal data (Art. 30(1)(c)); only the sensitivity is declared",
    "the time limits for erasure (Art. 30(1)(f))",
];

/// Record of processing activities (Art. 30 GDPR) from a manifest
///
/// One activity for each unit that falls under the GDPR: its purpose, readers, regions and safeguards, as the manifest declares them. The end lists what Article 30 requires and a manifest cannot declare. The record is not legal
/// advice, and a manifest does not enforce its declarations.
#[derive(Args, Deserialize, JsonSchema, Clone, Debug, Default)]
#[command(after_help = "Examples:
  lore unit report article30 > record.md         as Markdown
  lore unit report article30 --json              for a program
  lore unit report article30 --all               also units that name no regulation

Exit status: 0: there are such units; 1: there are none; 2: the manifest could not be read.")]
#[serde(default)]
pub struct UnitArticle30Request {
    /// The manifest, or its directory [default: the manifest of this repository]
    #[arg(value_name = "FILE")]
    pub file: Option<String>,
    /// Every unit, not only those under the GDPR
    #[arg(long)]
    pub all: bool,
    /// Use a manifest that is not valid, as far as it can be parsed
    #[arg(long)]
    pub lenient: bool,
}

/// The record
#[derive(Serialize, JsonSchema, Clone, PartialEq, Eq, Debug)]
pub struct UnitArticle30Answer {
    /// The manifest
    pub manifest: String,
    /// The project
    pub project: String,
    /// The version of the manifest
    pub version: Option<String>,
    /// The day of the manifest, which is the day of the record
    pub updated: Option<String>,
    /// The controller
    pub controller: Controller,
    /// The processing activities
    pub activities: Vec<Activity>,
    /// What the article requires and a manifest cannot declare
    pub not_declared: Vec<String>,
    /// The limits of the record: a manifest does not enforce its declarations
    pub advisory: bool,
}

/// The controller
#[derive(Serialize, JsonSchema, Clone, PartialEq, Eq, Debug, Default)]
pub struct Controller {
    /// The publisher of the manifest
    pub name: Option<String>,
    /// Its address on the web
    pub url: Option<String>,
    /// How to reach it
    pub contact: Option<String>,
}

/// One activity
#[derive(Serialize, JsonSchema, Clone, PartialEq, Eq, Debug)]
pub struct Activity {
    /// The id of the unit
    pub unit: String,
    /// Its document
    pub path: String,
    /// The purpose: the question that the document answers
    pub purpose: String,
    /// How confidential it is
    pub sensitivity: Option<String>,
    /// Regulations that it falls under
    pub regulations: Vec<String>,
    /// Its audience
    pub recipients: Vec<String>,
    /// Where it may be processed
    pub regions: Vec<String>,
    /// Restrictions and duties
    pub restrictions: Vec<String>,
    /// How it is protected
    pub safeguards: Vec<String>,
    /// When it was checked last
    pub validated: Option<String>,
}

/// `lore unit report article30`.
pub struct UnitArticle30;

impl Operation for UnitArticle30 {
    const NAME: &'static str = "unit_article30";
    const COMMAND: &'static [&'static str] = &["unit", "report", "article30"];
    const ACCESS: Access = Access::Read;
    type Request = UnitArticle30Request;
    type Answer = Value<UnitArticle30Answer>;

    fn run(ctx: &Ctx, request: UnitArticle30Request) -> Result<Value<UnitArticle30Answer>, OpError> {
        let (path, m) = open_valid(ctx, request.file.as_deref(), request.lenient)?;
        let mut seen = HashSet::new();
        let mut activities = Vec::new();
        for (number, unit) in (0u32..).zip(&m.units) {
            let id = m.id(unit).unwrap_or_default();
            let activity = activity(&m, UnitIndex(number), unit);
            let is_under = activity
                .regulations
                .iter()
                .any(|word| word.eq_ignore_ascii_case(Regulation::Gdpr.word()));
            if seen.insert(id) && (is_under || request.all) {
                activities.push(activity);
            }
        }
        let provenance = m.root.trust.as_ref().and_then(|trust| trust.value.provenance.as_ref());
        let controller = provenance.map(|provenance| Controller {
            name: own(&m, &provenance.value.publisher),
            url: own(&m, &provenance.value.publisher_url),
            contact: own(&m, &provenance.value.contact),
        });
        let updated = m.root.updated.as_ref();
        let answer = UnitArticle30Answer {
            manifest: path,
            project: m.field(&m.root.project).unwrap_or_default().to_owned(),
            version: own(&m, &m.root.version),
            updated: updated.map(|date| m.text(date.value.text).to_owned()),
            controller: controller.unwrap_or_default(),
            activities,
            not_declared: NOT_DECLARED.iter().map(|what| (*what).to_owned()).collect(),
            advisory: true,
        };
        Ok(if answer.activities.is_empty() {
            Value::no(answer)
        } else {
            Value::yes(answer)
        })
    }
}

fn own(m: &Manifest, field: &Field<Text>) -> Option<String> {
    m.field(field).map(str::to_owned)
}

pub(super) fn texts(m: &Manifest, list: &List) -> Vec<String> {
    list.iter().map(|item| m.text(item.value).to_owned()).collect()
}

fn activity(m: &Manifest, index: UnitIndex, unit: &Unit) -> Activity {
    let effective = effective(m, index);
    let compliance = &effective.compliance;
    let list = |list: Option<&List>| list.map(|list| texts(m, list)).unwrap_or_default();
    let residency = compliance.data_residency.as_ref();
    let mut safeguards = vec![format!("access: {}", m.word(effective.access.value))];
    safeguards.extend(m.field(&unit.auth_scope).map(|scope| format!("scope: {scope}")));
    safeguards.extend(methods(m, m.root.auth.as_ref()));
    let delegation = &effective.delegation;
    safeguards.extend(
        delegation
            .max_depth
            .map(|depth| format!("delegation: at most {} deep", depth.value)),
    );
    if delegation.require_capability_attenuation.value {
        safeguards.push("delegation: each step narrows the scopes".to_owned());
    }
    if delegation.approval_required.value {
        let by = delegation
            .approval_mechanism
            .map(|by| format!(" ({})", m.word(by.value)));
        safeguards.push(format!("a human approves{}", by.unwrap_or_default()));
    }
    let demand = demand(m, index);
    if demand.log {
        safeguards.push("every read is logged".to_owned());
    }
    if demand.trace {
        safeguards.push("every read has a trace context".to_owned());
    }
    Activity {
        unit: m.id(unit).unwrap_or_default().to_owned(),
        path: m.path(unit).unwrap_or_default().to_owned(),
        purpose: m.field(&unit.intent).unwrap_or_default().to_owned(),
        sensitivity: effective.sensitivity.map(|word| word.value.word().to_owned()),
        regulations: list(compliance.regulations.map(|list| list.value)),
        recipients: unit.audiences().map(|word| word.word().to_owned()).collect(),
        regions: list(residency.map(|residency| &residency.value.regions)),
        restrictions: list(compliance.restrictions.map(|list| list.value)),
        safeguards,
        validated: unit.validated.as_ref().map(|date| m.text(date.value.text).to_owned()),
    }
}

fn methods(m: &Manifest, auth: Option<&Declared<Auth>>) -> Option<String> {
    let methods = auth?.value.methods.as_ref()?;
    let words: Vec<&str> = methods
        .value
        .iter()
        .filter_map(|method| Some(m.word(method.value.kind.as_ref()?.value)))
        .collect();
    (!words.is_empty()).then(|| format!("authentication: {}", words.join(", ")))
}

/// Whether a flag of the audit is set; for the access log's heading.
pub(super) fn must_log(m: &Manifest) -> bool {
    let audit = m.root.trust.as_ref().and_then(|trust| trust.value.audit.as_ref());
    audit.is_some_and(|audit| is_true(&audit.value.agent_must_log))
}

impl Render for UnitArticle30Answer {
    fn render(&self, page: &mut Page) {
        let or_none = |text: &Option<String>| cell(text.as_deref().unwrap_or_default());
        page.keep_whole();
        page.line(format_args!("# Record of processing activities (Art. 30 GDPR)"));
        page.end_line();
        page.block(&format!(
            "- Project: {}\n- Manifest: {}, version {}, of {}\n- Controller: {}\n- Address: {}\n- Contact: {}\n",
            cell(&self.project),
            cell(&self.manifest),
            or_none(&self.version),
            or_none(&self.updated),
            or_none(&self.controller.name),
            or_none(&self.controller.url),
            or_none(&self.controller.contact),
        ));
        if self.activities.is_empty() {
            page.end_line();
            page.line(format_args!("No unit falls under the GDPR."));
            return;
        }
        for activity in &self.activities {
            page.block(&format!("\n## {}\n\n", cell(&activity.unit)));
            let rows = [
                ("Purpose", activity.purpose.clone()),
                ("Document", activity.path.clone()),
                ("Sensitivity", activity.sensitivity.clone().unwrap_or_default()),
                ("Regulations", activity.regulations.join(", ")),
                ("Recipients", activity.recipients.join(", ")),
                ("Processed in", activity.regions.join(", ")),
                ("Restrictions", activity.restrictions.join(", ")),
                ("Safeguards", activity.safeguards.join("; ")),
                ("Checked", activity.validated.clone().unwrap_or_default()),
            ];
            page.block("| | |\n|---|---|\n");
            for (name, value) in rows {
                page.block(&format!("| {name} | {} |\n", cell(&value)));
            }
        }
        page.end_line();
        page.line(format_args!("## Not declared"));
        page.end_line();
        for what in &self.not_declared {
            page.line(format_args!("- {what}"));
        }
        page.end_line();
        page.line(format_args!(
            "The declarations of a manifest are advice to readers. They do not prove how the data is processed."
        ));
    }
}
