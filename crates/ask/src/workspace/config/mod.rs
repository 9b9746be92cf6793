//! `lore config`: the settings.

mod show;

pub use show::{ConfigShow, ConfigShowRequest, SettingLine};
