//! Questions about Lore's own installation: its settings and the state of what it keeps.

pub mod cache;
pub mod init;

use clap::Args;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use lore_seam::{Access, Ctx, OpError, Operation, Page, Render, Rows, Value, Verdict};

/// Show every setting, its value and where the value came from
///
/// Flags win over LORE_* variables, those over lore.toml in the repository, that over the user's configuration, that over the
/// defaults.
#[derive(Args, Deserialize, JsonSchema, Clone, Debug, Default)]
#[command(after_help = "Examples:\n  lore config show\n  LORE_THREADS=2 lore config show --json")]
#[serde(default)]
pub struct ConfigShowRequest {}

/// One setting
#[derive(Serialize, JsonSchema, Clone, PartialEq, Eq, Debug)]
pub struct SettingLine {
    /// The key
    pub key: String,
    /// The value
    pub value: serde_json::Value,
    /// Where it came from
    pub origin: String,
}

impl Render for SettingLine {
    fn render(&self, page: &mut Page) {
        page.strong(&format!("{:<24}", self.key));
        page.text(&format!(" {}", self.value));
        page.dim(&format!("  ({})", self.origin));
        page.line(format_args!(""));
    }
}

/// `lore config show`.
pub struct ConfigShow;

impl Operation for ConfigShow {
    const NAME: &'static str = "config_show";
    const COMMAND: &'static [&'static str] = &["config", "show"];
    const ACCESS: Access = Access::Read;
    type Request = ConfigShowRequest;
    type Answer = Rows<SettingLine>;

    fn run(ctx: &Ctx, _: ConfigShowRequest) -> Result<Rows<SettingLine>, OpError> {
        let settings = ctx.ports.settings.list();
        let rows = settings.into_iter().map(|setting| {
            Ok(SettingLine {
                key: setting.key,
                value: serde_json::from_str(&setting.value).unwrap_or(serde_json::Value::String(setting.value)),
                origin: setting.origin,
            })
        });
        Ok(Rows::new(rows, Verdict::Yes))
    }
}

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
