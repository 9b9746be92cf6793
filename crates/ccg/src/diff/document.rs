//! The diff document (§8.1; clause D0): base and target by name, what changed, and the constraints that the target has to keep.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::other_changes::OtherChanges;
use lore_seam::{ErrorKind, OpError};

/// The context of every document.
pub const CONTEXT: &str = "https://codecontextgraph.com/schema/v1";
/// The type of a diff.
pub const DIFF_TYPE: &str = "ccg:Diff";
/// How the target of a diff begins that was written by hand.
const REFACTOR: &str = "ccg:refactor/";

/// The difference between two trees, or a planned difference
#[derive(Serialize, Deserialize, JsonSchema, Clone, PartialEq, Debug)]
pub struct Diff {
    /// The context of the terms
    #[serde(rename = "@context", default = "context")]
    pub context: String,
    /// `ccg:Diff`
    #[serde(rename = "@type", default = "diff_type")]
    pub kind: String,
    /// The base tree: `ccg:{host}/{owner}/{repo}@{commit}`
    #[serde(default)]
    pub base: String,
    /// The target tree, or `ccg:refactor/{slug}` for a planned one
    #[serde(default)]
    pub target: String,
    /// The changes
    pub changes: Changes,
    /// Changes without a change of a name; they are not verified
    #[serde(default, skip_serializing_if = "OtherChanges::is_empty")]
    pub beside: OtherChanges,
    /// The constraints that the target must satisfy
    #[serde(default)]
    pub constraints: Vec<serde_json::Value>,
}

fn context() -> String {
    CONTEXT.to_owned()
}

fn diff_type() -> String {
    DIFF_TYPE.to_owned()
}

/// The changes
#[derive(Serialize, Deserialize, JsonSchema, Clone, PartialEq, Eq, Debug, Default)]
#[serde(deny_unknown_fields, default)]
pub struct Changes {
    /// Modules
    pub modules: ModuleChanges,
    /// Symbols
    pub symbols: SymbolChanges,
    /// Dependencies between modules
    pub dependencies: DependencyChanges,
}

/// Changes of modules
#[derive(Serialize, Deserialize, JsonSchema, Clone, PartialEq, Eq, Debug, Default)]
#[serde(deny_unknown_fields, default)]
pub struct ModuleChanges {
    /// New in the target
    pub added: Vec<AddedModule>,
    /// Gone in the target
    pub removed: Vec<RemovedModule>,
    /// Renamed, with their content
    pub renamed: Vec<Renamed>,
}

/// A new module
#[derive(Serialize, Deserialize, JsonSchema, Clone, PartialEq, Eq, Debug, Default)]
#[serde(deny_unknown_fields)]
pub struct AddedModule {
    /// Its name
    pub name: String,
    /// Its file, or the directory of its files
    #[serde(default)]
    pub path: String,
    /// Its purpose
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub purpose: String,
}

/// A removed module
#[derive(Serialize, Deserialize, JsonSchema, Clone, PartialEq, Eq, Debug, Default)]
#[serde(deny_unknown_fields)]
pub struct RemovedModule {
    /// Its name
    pub name: String,
    /// Its file, or the directory of its files
    #[serde(default)]
    pub path: String,
}

/// A renamed module or symbol
#[derive(Serialize, Deserialize, JsonSchema, Clone, PartialEq, Eq, PartialOrd, Ord, Debug, Default)]
#[serde(deny_unknown_fields)]
pub struct Renamed {
    /// Its name in the base
    pub old: String,
    /// Its name in the target
    pub new: String,
}

/// Changes of symbols
#[derive(Serialize, Deserialize, JsonSchema, Clone, PartialEq, Eq, Debug, Default)]
#[serde(deny_unknown_fields, default)]
pub struct SymbolChanges {
    /// Moved to another module, with their members
    pub moved: Vec<Moved>,
    /// Renamed, with their members
    pub renamed: Vec<Renamed>,
    /// New in the target
    pub added: Vec<String>,
    /// Gone in the target
    pub removed: Vec<String>,
}

/// A moved symbol
#[derive(Serialize, Deserialize, JsonSchema, Clone, PartialEq, Eq, PartialOrd, Ord, Debug, Default)]
#[serde(deny_unknown_fields)]
pub struct Moved {
    /// Its qualified name in the base
    pub symbol: String,
    /// The module that it left
    pub from: String,
    /// The module that it went to
    pub to: String,
}

/// Changes of dependencies between modules
#[derive(Serialize, Deserialize, JsonSchema, Clone, PartialEq, Eq, Debug, Default)]
#[serde(deny_unknown_fields, default)]
pub struct DependencyChanges {
    /// New in the target
    pub added: Vec<ModuleDependency>,
    /// Gone in the target
    pub removed: Vec<ModuleDependency>,
}

/// A dependency between modules
#[derive(Serialize, Deserialize, JsonSchema, Clone, PartialEq, Eq, PartialOrd, Ord, Debug, Default)]
#[serde(deny_unknown_fields)]
pub struct ModuleDependency {
    /// The module that depends
    pub from: String,
    /// The module that it depends on
    pub to: String,
}

impl Diff {
    /// Reads a diff document.
    pub fn parse(bytes: &[u8], place: &str) -> Result<Self, OpError> {
        let fault = |message: String| {
            OpError::new(ErrorKind::Invalid, format!("{place} is not a diff document: {message}"))
                .hint("`lore ccg diff --output FILE` writes one; docs/ccg-diff.md describes the form")
        };
        let diff: Self = serde_json::from_slice(bytes).map_err(|error| fault(error.to_string()).because(error))?;
        if let Some(place) = diff.changes.unnamed() {
            return Err(fault(format!("a name under {place} is empty")));
        }
        match diff.kind.rsplit([':', '#', '/']).next() {
            Some("Diff") => Ok(diff),
            _ => Err(fault(format!("its @type is `{}`, not `{DIFF_TYPE}`", diff.kind))),
        }
    }

    /// Whether it was written by hand, so that names in it may be shorter than they are.
    pub fn is_planned(&self) -> bool {
        self.target.starts_with(REFACTOR)
    }

    /// The commit that it starts from, if it names one and nothing but that.
    pub fn base_commit(&self) -> Option<&str> {
        let (_, commit) = self.base.rsplit_once('@')?;
        let is_commit = (7..=64).contains(&commit.len()) && commit.bytes().all(|byte| byte.is_ascii_hexdigit());
        is_commit.then_some(commit)
    }

    /// The document as text.
    pub fn to_text(&self) -> String {
        // Strings and lists of them always have a form in JSON.
        let mut text = serde_json::to_string_pretty(self).unwrap_or_default();
        text.push('\n');
        text
    }
}

impl Changes {
    /// Where a name stands that is empty.
    fn unnamed(&self) -> Option<&'static str> {
        let Self {
            modules,
            symbols,
            dependencies,
        } = self;
        let both = |row: &Renamed| vec![row.old.clone(), row.new.clone()];
        let ends = |row: &ModuleDependency| vec![row.from.clone(), row.to.clone()];
        let moved = |row: &Moved| vec![row.symbol.clone(), row.from.clone(), row.to.clone()];
        let places: [(&'static str, Vec<String>); 9] = [
            (
                "modules.added",
                modules.added.iter().map(|row| row.name.clone()).collect(),
            ),
            (
                "modules.removed",
                modules.removed.iter().map(|row| row.name.clone()).collect(),
            ),
            ("modules.renamed", modules.renamed.iter().flat_map(both).collect()),
            ("symbols.moved", symbols.moved.iter().flat_map(moved).collect()),
            ("symbols.renamed", symbols.renamed.iter().flat_map(both).collect()),
            ("symbols.added", symbols.added.clone()),
            ("symbols.removed", symbols.removed.clone()),
            ("dependencies.added", dependencies.added.iter().flat_map(ends).collect()),
            (
                "dependencies.removed",
                dependencies.removed.iter().flat_map(ends).collect(),
            ),
        ];
        let mut places = places.into_iter();
        let found = places.find(|(_, names)| names.iter().any(|name| name.trim().is_empty()));
        found.map(|(place, _)| place)
    }

    /// Whether nothing changes.
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }
}
