//! `lore config show`.

use clap::Args;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use lore_seam::{Access, Ctx, OpError, Operation, Page, Render, Rows, Verdict};

/// Show every setting with its value and its source
///
/// The order of precedence: flags, LORE_* variables, lore.toml in the repository, the user's configuration, defaults.
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
    /// The source of the value
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
