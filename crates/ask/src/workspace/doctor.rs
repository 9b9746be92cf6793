//! `lore doctor`: the health of Lore's own data.

use clap::Args;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use lore_seam::{Access, Ctx, OpError, Operation, Page, Render, Value, Verdict};

/// Check Lore's own data: cache, snapshot with every checksum, git, configuration
///
/// It exits with 1 if a check fails, and prints what to do.
#[derive(Args, Deserialize, JsonSchema, Clone, Debug, Default)]
#[command(after_help = "Examples:\n  lore doctor\n  lore doctor --json")]
#[serde(default)]
pub struct DoctorRequest {}

/// The result of all checks
#[derive(Serialize, JsonSchema, Clone, PartialEq, Eq, Debug)]
pub struct DoctorAnswer {
    /// Whether all checks passed
    pub ok: bool,
    /// The checks
    pub checks: Vec<CheckLine>,
}

/// One check
#[derive(Serialize, JsonSchema, Clone, PartialEq, Eq, Debug)]
pub struct CheckLine {
    /// What was checked
    pub name: String,
    /// Whether the check passed
    pub ok: bool,
    /// The findings
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
