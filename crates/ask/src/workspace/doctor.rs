//! `lore doctor`: the health of Lore's own data.

use clap::Args;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use lore_seam::{Access, Ctx, OpError, Operation, Page, Render, Value, Verdict};

/// Check what Lore keeps: cache, snapshot with every checksum, git, configuration
///
/// Exits with 1 if anything is not well, and says what to do about it.
#[derive(Args, Deserialize, JsonSchema, Clone, Debug, Default)]
#[command(after_help = "Examples:\n  lore doctor\n  lore doctor --json")]
#[serde(default)]
pub struct DoctorRequest {}

/// What was looked at
#[derive(Serialize, JsonSchema, Clone, PartialEq, Eq, Debug)]
pub struct DoctorAnswer {
    /// Whether all is well
    pub ok: bool,
    /// What was looked at
    pub checks: Vec<CheckLine>,
}

/// One thing that was looked at
#[derive(Serialize, JsonSchema, Clone, PartialEq, Eq, Debug)]
pub struct CheckLine {
    /// What
    pub name: String,
    /// Whether it is well
    pub ok: bool,
    /// What was found
    pub detail: String,
    /// What to do
    #[serde(skip_serializing_if = "Option::is_none")]
    pub hint: Option<String>,
}

impl Render for DoctorAnswer {
    fn render(&self, page: &mut Page) {
        for check in &self.checks {
            page.write(format_args!("{:<5} ", if check.ok { "ok" } else { "BAD" }));
            page.strong(&format!("{:<12}", check.name));
            page.text(&format!(" {}", check.detail));
            page.line(format_args!(""));
            if let Some(hint) = &check.hint {
                page.line(format_args!("      hint: {hint}"));
            }
        }
    }
}

/// `lore doctor`.
pub struct Doctor;

impl Operation for Doctor {
    const NAME: &'static str = "doctor";
    const COMMAND: &'static [&'static str] = &["doctor"];
    const ACCESS: Access = Access::Read;
    type Request = DoctorRequest;
    type Answer = Value<DoctorAnswer>;

    fn run(ctx: &Ctx, _: DoctorRequest) -> Result<Value<DoctorAnswer>, OpError> {
        let checks: Vec<CheckLine> = ctx
            .ports
            .health
            .check()
            .into_iter()
            .map(|check| CheckLine {
                name: check.name,
                ok: check.ok,
                detail: check.detail,
                hint: check.hint,
            })
            .collect();
        let ok = checks.iter().all(|check| check.ok);
        let verdict = if ok { Verdict::Yes } else { Verdict::No };
        Ok(Value {
            value: DoctorAnswer { ok, checks },
            verdict,
        })
    }
}
