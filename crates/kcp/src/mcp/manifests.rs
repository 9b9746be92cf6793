//! `lore unit manifests`: the manifests that this one names (clause M5).

use clap::Args;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::open::open_valid;
use lore_seam::{Access, Ctx, OpError, Operation, Page, Render, Rows, Verdict};

/// The manifests that the repository's manifest declares; fetches nothing
///
/// `lore unit federation resolve` fetches them.
#[derive(Args, Deserialize, JsonSchema, Clone, Debug, Default)]
#[serde(default)]
#[command(after_help = "Examples:
  lore unit manifests
  lore unit manifests --file docs/knowledge.yaml --json")]
pub struct ListManifestsRequest {
    /// The manifest [default: the one that llms.txt names, else knowledge.yaml]
    #[arg(long, value_name = "FILE", value_hint = clap::ValueHint::FilePath)]
    pub file: Option<String>,
}

/// A declared manifest
#[derive(Serialize, JsonSchema, Clone, PartialEq, Eq, Debug)]
pub struct NamedManifest {
    /// Its id
    pub id: Option<String>,
    /// Its address
    pub url: Option<String>,
    /// Its name
    pub label: Option<String>,
    /// Its relationship to this one: child, foundation, governs, peer or archive
    pub relationship: Option<String>,
    /// Whether there is a copy in this repository
    pub has_local_mirror: bool,
    /// How often it changes
    pub update_frequency: Option<String>,
    /// The pinned version
    pub version_pin: Option<String>,
    /// Which versions satisfy the pin: exact, minimum or compatible
    pub version_policy: Option<String>,
}

impl Render for NamedManifest {
    fn render(&self, page: &mut Page) {
        let text = |value: &Option<String>| value.clone().unwrap_or_else(|| "-".to_owned());
        page.line(format_args!("{}  {}", text(&self.id), text(&self.url)));
        let mut parts: Vec<String> = Vec::new();
        parts.extend(self.label.clone());
        parts.extend(self.relationship.clone());
        parts.extend(self.update_frequency.as_ref().map(|often| format!("changes {often}")));
        parts.extend(self.version_pin.as_ref().map(|pin| {
            let policy = self.version_policy.as_deref().unwrap_or("compatible");
            format!("version {pin} ({policy})")
        }));
        parts.extend(self.has_local_mirror.then(|| "mirrored here".to_owned()));
        if !parts.is_empty() {
            page.line(format_args!("  {}", parts.join(", ")));
        }
    }
}

/// The operation.
pub struct ListManifests;

impl Operation for ListManifests {
    const NAME: &'static str = "list_manifests";
    const COMMAND: &'static [&'static str] = &["unit", "manifests"];
    const ACCESS: Access = Access::Read;
    type Request = ListManifestsRequest;
    type Answer = Rows<NamedManifest>;

    fn run(ctx: &Ctx, request: ListManifestsRequest) -> Result<Rows<NamedManifest>, OpError> {
        let (_, manifest) = open_valid(ctx, request.file.as_deref(), false)?;
        let rows: Vec<NamedManifest> = manifest
            .manifests
            .iter()
            .map(|entry| {
                let text = |field| manifest.field(field).map(str::to_owned);
                NamedManifest {
                    id: text(&entry.id),
                    url: text(&entry.url),
                    label: text(&entry.label),
                    relationship: entry
                        .relationship
                        .as_ref()
                        .map(|word| manifest.word(word.value).to_owned()),
                    has_local_mirror: entry.local_mirror.is_some(),
                    update_frequency: entry
                        .update_frequency
                        .as_ref()
                        .map(|word| manifest.word(word.value).to_owned()),
                    version_pin: text(&entry.version_pin),
                    version_policy: entry
                        .version_policy
                        .as_ref()
                        .map(|word| manifest.word(word.value).to_owned()),
                }
            })
            .collect();
        // A manifest that names none is none the worse for it.
        Ok(Rows::new(rows.into_iter().map(Ok), Verdict::Yes))
    }
}
