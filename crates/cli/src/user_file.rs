//! The user's own configuration file. It may set everything; what is wrong in it is an error.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use crate::graph::{GraphConfig, RegistryConfig};
use crate::secrets::KcpConfig;
use crate::web::WebConfig;
use lore_backends::read_bounded_own_file;
use lore_seam::{ErrorKind, OpError};
use serde::Deserialize;

/// Bytes of the file.
const MAX_BYTES: u64 = 1 << 20;

/// What the file says.
#[derive(Deserialize, Clone, Debug, Default)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct UserFile {
    pub(crate) cache: Option<PathBuf>,
    pub(crate) cache_max_bytes: Option<u64>,
    pub(crate) db: Option<String>,
    pub(crate) threads: Option<u16>,
    pub(crate) color: Option<String>,
    pub(crate) index: IndexConfig,
    pub(crate) languages: BTreeMap<String, String>,
    pub(crate) constraints: Vec<serde_json::Map<String, serde_json::Value>>,
    pub(crate) unit: UnitConfig,
    pub(crate) kcp: KcpConfig,
    pub(crate) memory: MemoryConfig,
    pub(crate) mind: MindConfig,
    pub(crate) graph: GraphConfig,
    pub(crate) web: WebConfig,
    pub(crate) registry: RegistryConfig,
}

/// What the mind graph records.
#[derive(Deserialize, Clone, Debug, Default)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct MindConfig {
    pub(crate) touches: Option<bool>,
}

/// How memory is kept.
#[derive(Deserialize, Clone, PartialEq, Debug, Default)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct MemoryConfig {
    pub(crate) synchronous: Option<String>,
    pub(crate) pipelines: PipelinesConfig,
}

/// The states that features and tasks go through.
#[derive(Deserialize, Clone, PartialEq, Debug, Default)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct PipelinesConfig {
    pub(crate) feature: Vec<String>,
    pub(crate) task: Vec<String>,
}

impl MemoryConfig {
    pub(crate) fn values(&self, key: &str) -> Vec<String> {
        match key {
            "synchronous" => self.synchronous.iter().cloned().collect(),
            "pipelines.feature" => self.pipelines.feature.clone(),
            "pipelines.task" => self.pipelines.task.clone(),
            _ => Vec::new(),
        }
    }
}

/// What an agent is that reads the units of a manifest.
#[derive(Deserialize, Clone, PartialEq, Debug, Default)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct UnitConfig {
    pub(crate) agent: Option<String>,
    pub(crate) environment: Option<String>,
    pub(crate) role: Option<String>,
    pub(crate) region: Option<String>,
    pub(crate) llm: Option<String>,
    pub(crate) depth: Option<u32>,
    pub(crate) scopes: Vec<String>,
    pub(crate) approvals: Vec<String>,
    pub(crate) capabilities: Vec<String>,
}

impl UnitConfig {
    pub(crate) fn values(&self, key: &str) -> Vec<String> {
        let one = |value: &Option<String>| value.iter().cloned().collect();
        match key {
            "agent" => one(&self.agent),
            "environment" => one(&self.environment),
            "role" => one(&self.role),
            "region" => one(&self.region),
            "llm" => one(&self.llm),
            "depth" => self.depth.iter().map(u32::to_string).collect(),
            "scopes" => self.scopes.clone(),
            "approvals" => self.approvals.clone(),
            "capabilities" => self.capabilities.clone(),
            _ => Vec::new(),
        }
    }
}

#[derive(Deserialize, Clone, Debug, Default)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct IndexConfig {
    pub(crate) include: Option<Vec<String>>,
    pub(crate) exclude: Option<Vec<String>>,
    pub(crate) vendored: Option<bool>,
    pub(crate) generated: Option<bool>,
    pub(crate) minified: Option<bool>,
    pub(crate) max_file_bytes: Option<u64>,
    pub(crate) refresh: Option<bool>,
    /// Whether to ignore the rules in a repository's own files.
    pub(crate) ignore_repository_rules: Option<bool>,
}

/// Reads the file; `None` if it does not exist. Constraints are an error, because they belong to a repository.
pub(crate) fn read(path: &Path) -> Result<Option<(String, UserFile)>, OpError> {
    let unreadable = |why: String| {
        let message = format!("{} cannot be read: {why}", path.display());
        OpError::new(ErrorKind::Unavailable, message)
    };
    let bytes = match read_bounded_own_file(path, MAX_BYTES) {
        Ok(Some(bytes)) => bytes,
        Ok(None) => return Ok(None),
        Err(error) => return Err(unreadable(error.to_string())),
    };
    let text = String::from_utf8(bytes).map_err(|_| unreadable("it is not UTF-8".to_owned()))?;
    let origin = path.display().to_string();
    let file: UserFile = toml::from_str(&text).map_err(|error| {
        let message = format!(
            "{origin}{}: {}",
            place(&text, &error),
            error.message().replace('\n', " ")
        );
        OpError::new(ErrorKind::Invalid, message).hint("correct the file, or move it away")
    })?;
    if !file.constraints.is_empty() {
        let message = format!("{origin}: `constraints` belong to a repository");
        return Err(OpError::new(ErrorKind::Invalid, message).hint("write them into its lore.toml"));
    }
    Ok(Some((origin, file)))
}

/// The line and column of an error, with colons before them.
pub(crate) fn place(text: &str, error: &toml::de::Error) -> String {
    error.span().map_or_else(String::new, |span| {
        let before = text.get(..span.start).unwrap_or("");
        let line = before.matches('\n').count() + 1;
        let column = before.rsplit('\n').next().unwrap_or("").chars().count() + 1;
        format!(":{line}:{column}")
    })
}
