//! `[graph]` and `[registry]` of the user's configuration file: aggregators to query, allowed hosts, and settings of a registry.

use std::collections::BTreeMap;

use serde::Deserialize;

/// `[registry]`: settings of the registry of this machine.
#[derive(Deserialize, Clone, PartialEq, Debug, Default)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct RegistryConfig {
    /// A directory with clones, for counting commits.
    pub(crate) clones: Option<String>,
}

/// `[graph]`: settings for published graphs.
#[derive(Deserialize, Clone, PartialEq, Debug, Default)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct GraphConfig {
    /// Aggregators, in the order in which Lore queries them.
    aggregators: Vec<String>,
    allow_hosts: Vec<String>,
    forges: BTreeMap<String, String>,
    formats: Vec<String>,
    /// The URL of the aggregator to notify about published graphs.
    notify: Option<String>,
}

impl GraphConfig {
    /// The values of a setting.
    pub(crate) fn values(&self, key: &str) -> Vec<String> {
        match key {
            "aggregators" => self.aggregators.clone(),
            "allow_hosts" => self.allow_hosts.clone(),
            "forges" => {
                let forges = self.forges.iter();
                forges.map(|(host, kind)| format!("{host}={kind}")).collect()
            }
            "formats" => self.formats.clone(),
            "notify" => self.notify.iter().cloned().collect(),
            _ => Vec::new(),
        }
    }

    /// The settings that have a value, with the values as written.
    pub(crate) fn made(&self) -> Vec<(String, String)> {
        let lists = [
            ("aggregators", &self.aggregators),
            ("allow_hosts", &self.allow_hosts),
            ("formats", &self.formats),
        ];
        let lists = lists.into_iter().filter(|(_, values)| !values.is_empty());
        let lists = lists.map(|(name, values)| (format!("graph.{name}"), format!("{values:?}")));
        let forges = self.forges.iter();
        let forges = forges.map(|(host, kind)| (format!("graph.forges.{host:?}"), format!("{kind:?}")));
        let notify = self
            .notify
            .iter()
            .map(|url| ("graph.notify".to_owned(), format!("{url:?}")));
        lists.chain(forges).chain(notify).collect()
    }
}
