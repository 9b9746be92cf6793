//! What is remembered: projects, features and tasks with their sections and templates; molecules, atoms and their changelog. The objects are written as
//! answers and exports show them: camelCase, in this order.
//!
//! Times are texts as [`date_time_ms`](lore_base::time::date_time_ms) writes them; imports may bring others.

use std::collections::BTreeMap;
use std::fmt;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::id::Id;

/// The blocker that stands for something outside.
pub const NO_OP: &str = "NO_OP";

/// A word of a closed list, as a specification writes it.
pub trait Word: Sized + Copy + 'static {
    const ALL: &'static [(Self, &'static str)];

    /// The word in any case.
    fn from_word(word: &str) -> Option<Self> {
        let known = Self::ALL.iter().find(|(_, known)| known.eq_ignore_ascii_case(word));
        known.map(|(value, _)| *value)
    }
}

macro_rules! words {
    ($(#[$about:meta])* $name:ident { $($(#[$meaning:meta])* $variant:ident = $word:literal,)+ }) => {
        $(#[$about])*
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize, JsonSchema)]
        pub enum $name {
            $($(#[$meaning])* #[serde(rename = $word)] $variant,)+
        }

        impl $name {
            pub fn word(self) -> &'static str {
                match self {
                    $(Self::$variant => $word,)+
                }
            }
        }

        impl Word for $name {
            const ALL: &'static [(Self, &'static str)] = &[$((Self::$variant, $word),)+];
        }

        impl fmt::Display for $name {
            fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
                formatter.write_str(self.word())
            }
        }
    };
}

words! {
    /// What sections, tags and dependencies belong to.
    EntityType {
        Project = "PROJECT",
        Feature = "FEATURE",
        Task = "TASK",
    }
}

words! {
    /// How much it matters; the first matters most.
    Priority {
        /// Before all others.
        High = "HIGH",
        /// As most.
        Medium = "MEDIUM",
        /// When there is nothing else.
        Low = "LOW",
    }
}

words! {
    /// How the content of a section is written.
    ContentFormat {
        PlainText = "PLAIN_TEXT",
        Markdown = "MARKDOWN",
        Json = "JSON",
        /// Source code.
        Code = "CODE",
    }
}

words! {
    /// What a changelog is about.
    ParentType {
        Atom = "atom",
        Molecule = "molecule",
    }
}

words! {
    /// How one thing hangs on another.
    LinkType {
        /// The one has to be done first.
        Blocks = "BLOCKS",
        /// They have to do with each other.
        RelatesTo = "RELATES_TO",
    }
}

impl EntityType {
    /// The word in lower case, as containers are called.
    pub fn name(self) -> &'static str {
        match self {
            Self::Project => "project",
            Self::Feature => "feature",
            Self::Task => "task",
        }
    }
}

/// The state of a feature or a task. An import may bring one that no pipeline knows.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Status {
    /// Not begun.
    New,
    /// Under way.
    Active,
    /// Waiting for a test.
    ToBeTested,
    /// Waiting for its release.
    ReadyToProd,
    /// Done.
    Closed,
    /// Given up: the exit of every pipeline.
    WillNotImplement,
    /// What an import brought.
    Other(String),
}

impl Status {
    /// The states that have a meaning.
    pub const KNOWN: [Self; 6] = [
        Self::New,
        Self::Active,
        Self::ToBeTested,
        Self::ReadyToProd,
        Self::Closed,
        Self::WillNotImplement,
    ];

    pub fn word(&self) -> &str {
        match self {
            Self::New => "NEW",
            Self::Active => "ACTIVE",
            Self::ToBeTested => "TO_BE_TESTED",
            Self::ReadyToProd => "READY_TO_PROD",
            Self::Closed => "CLOSED",
            Self::WillNotImplement => "WILL_NOT_IMPLEMENT",
            Self::Other(word) => word,
        }
    }

    /// The state that a word in any case means, if it means one.
    pub fn known(word: &str) -> Option<Self> {
        Self::KNOWN
            .into_iter()
            .find(|known| known.word().eq_ignore_ascii_case(word))
    }

    /// The state that is stored as a word.
    pub fn stored(word: &str) -> Self {
        let known = Self::KNOWN.into_iter().find(|known| known.word() == word);
        known.unwrap_or_else(|| Self::Other(word.to_owned()))
    }
}

impl fmt::Display for Status {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.word())
    }
}

impl Serialize for Status {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.word())
    }
}

impl<'de> Deserialize<'de> for Status {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer).map(|word| Self::stored(&word))
    }
}

impl JsonSchema for Status {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> std::borrow::Cow<'static, str> {
        "Status".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({ "type": "string" })
    }
}

/// The blockers that must be closed first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Blocker {
    /// Something outside, for a reason that is told.
    NoOp,
    /// A feature or a task.
    Entity(Id),
}

impl fmt::Display for Blocker {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoOp => formatter.write_str(NO_OP),
            Self::Entity(id) => id.fmt(formatter),
        }
    }
}

impl std::str::FromStr for Blocker {
    type Err = super::id::NotAnId;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        if text.trim().eq_ignore_ascii_case(NO_OP) {
            Ok(Self::NoOp)
        } else {
            text.parse().map(Self::Entity)
        }
    }
}

impl Serialize for Blocker {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Blocker {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        text.parse()
            .map_err(|_| serde::de::Error::custom(format!("`{text}` is neither a UUID nor {NO_OP}")))
    }
}

impl JsonSchema for Blocker {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> std::borrow::Cow<'static, str> {
        "Blocker".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({ "type": "string" })
    }
}

/// A project, a feature or a task by its identifier.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Entity {
    #[serde(rename = "entityType")]
    pub kind: EntityType,
    #[serde(rename = "entityId")]
    pub id: Id,
}

impl Entity {
    pub fn project(id: Id) -> Self {
        Self {
            kind: EntityType::Project,
            id,
        }
    }

    pub fn feature(id: Id) -> Self {
        Self {
            kind: EntityType::Feature,
            id,
        }
    }

    pub fn task(id: Id) -> Self {
        Self {
            kind: EntityType::Task,
            id,
        }
    }
}

/// An atom or a molecule by its identifier.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Parent {
    pub kind: ParentType,
    pub id: Id,
}

impl Parent {
    pub fn atom(id: Id) -> Self {
        Self {
            kind: ParentType::Atom,
            id,
        }
    }

    pub fn molecule(id: Id) -> Self {
        Self {
            kind: ParentType::Molecule,
            id,
        }
    }
}

/// Something to be built or kept.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Project {
    pub id: Id,
    pub name: String,
    pub summary: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    pub version: i64,
    /// Folded, sorted, without duplicates.
    #[serde(default)]
    pub tags: Vec<String>,
    pub created_at: String,
    pub modified_at: String,
}

/// A part of a project that tasks bring about.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Feature {
    pub id: Id,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub project_id: Option<Id>,
    pub name: String,
    pub summary: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    pub status: Status,
    pub priority: Priority,
    /// The blockers that must be closed first.
    #[serde(default)]
    pub blocked_by: Vec<Blocker>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub blocked_reason: Option<String>,
    #[serde(default)]
    pub related_to: Vec<Id>,
    pub version: i64,
    /// Folded, sorted, without duplicates.
    #[serde(default)]
    pub tags: Vec<String>,
    pub created_at: String,
    pub modified_at: String,
}

/// A piece of work.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Task {
    pub id: Id,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub project_id: Option<Id>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub feature_id: Option<Id>,
    pub title: String,
    pub summary: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    pub status: Status,
    pub priority: Priority,
    /// From 1 to 10.
    pub complexity: i64,
    /// The blockers that must be closed first.
    #[serde(default)]
    pub blocked_by: Vec<Blocker>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub blocked_reason: Option<String>,
    #[serde(default)]
    pub related_to: Vec<Id>,
    /// Who wrote it last.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub last_modified_by: Option<String>,
    pub version: i64,
    /// Folded, sorted, without duplicates.
    #[serde(default)]
    pub tags: Vec<String>,
    pub created_at: String,
    pub modified_at: String,
}

/// A project, a feature or a task.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[serde(untagged)]
pub enum Container {
    Project(Project),
    Feature(Feature),
    Task(Task),
}

impl Container {
    pub fn entity(&self) -> Entity {
        match self {
            Self::Project(project) => Entity::project(project.id),
            Self::Feature(feature) => Entity::feature(feature.id),
            Self::Task(task) => Entity::task(task.id),
        }
    }

    pub fn name(&self) -> &str {
        match self {
            Self::Project(project) => &project.name,
            Self::Feature(feature) => &feature.name,
            Self::Task(task) => &task.title,
        }
    }

    pub fn version(&self) -> i64 {
        match self {
            Self::Project(project) => project.version,
            Self::Feature(feature) => feature.version,
            Self::Task(task) => task.version,
        }
    }

    /// How far it is; a project has no state.
    pub fn status(&self) -> Option<&Status> {
        match self {
            Self::Project(_) => None,
            Self::Feature(feature) => Some(&feature.status),
            Self::Task(task) => Some(&task.status),
        }
    }

    /// The blockers that must be closed first.
    pub fn blocked_by(&self) -> &[Blocker] {
        match self {
            Self::Project(_) => &[],
            Self::Feature(feature) => &feature.blocked_by,
            Self::Task(task) => &task.blocked_by,
        }
    }

    /// Folded, sorted, without duplicates.
    pub fn tags(&self) -> &[String] {
        match self {
            Self::Project(project) => &project.tags,
            Self::Feature(feature) => &feature.tags,
            Self::Task(task) => &task.tags,
        }
    }
}

/// A part of the text of a project, a feature or a task.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Section {
    pub id: Id,
    /// The project, feature or task of the section.
    #[serde(flatten)]
    pub of: Entity,
    pub title: String,
    pub usage_description: String,
    pub content: String,
    pub content_format: ContentFormat,
    /// The position among the sections of the same entity.
    pub ordinal: i64,
    /// Folded, sorted, without duplicates.
    #[serde(default)]
    pub tags: Vec<String>,
    pub version: i64,
    pub created_at: String,
    pub modified_at: String,
}

/// Sections to begin with.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Template {
    pub id: Id,
    /// Unique.
    pub name: String,
    pub description: String,
    pub target_entity_type: EntityType,
    pub is_built_in: bool,
    pub is_protected: bool,
    pub is_enabled: bool,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub created_by: Option<String>,
    /// Folded, sorted, without duplicates.
    #[serde(default)]
    pub tags: Vec<String>,
    pub created_at: String,
    pub modified_at: String,
}

/// A section that a template makes.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct TemplateSection {
    pub id: Id,
    pub template_id: Id,
    pub title: String,
    pub usage_description: String,
    /// The initial content.
    pub content_sample: String,
    pub content_format: ContentFormat,
    pub ordinal: i64,
    pub is_required: bool,
    /// Folded, sorted, without duplicates.
    #[serde(default)]
    pub tags: Vec<String>,
}

/// Atoms that belong together.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Molecule {
    pub id: Id,
    /// The project that it is about.
    pub project_id: Id,
    pub name: String,
    /// What holds for all of its atoms.
    pub knowledge: String,
    #[serde(default)]
    pub related_molecules: Vec<RelatedMolecule>,
    /// The task that made it.
    pub created_by_task_id: Id,
    /// The task that last wrote it.
    pub last_task_id: Id,
    pub version: i64,
    pub created_at: String,
    pub updated_at: String,
}

/// What is known of an area of the code.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Atom {
    pub id: Id,
    /// The project that it is about.
    pub project_id: Id,
    /// The molecule that it is part of, if any.
    pub molecule_id: Option<Id>,
    pub name: String,
    /// The patterns of the paths that it covers.
    pub paths: Vec<String>,
    /// What one has to know there.
    pub knowledge: String,
    #[serde(default)]
    pub related_atoms: Vec<RelatedAtom>,
    /// The task that made it.
    pub created_by_task_id: Id,
    /// The task that last wrote it.
    pub last_task_id: Id,
    pub version: i64,
    pub created_at: String,
    pub updated_at: String,
    /// The commit at which it was last known to be right.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub confirmed: Option<Confirmed>,
}

/// The commit at which an atom was last known to be right.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize, JsonSchema)]
pub struct Confirmed {
    /// The commit, in full.
    pub commit: String,
    /// When that was.
    pub at: String,
    /// Files of its patterns that were not committed then, by path, with the object each would be.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub dirty: BTreeMap<String, String>,
}

/// An atom that another has to do with.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct RelatedAtom {
    pub atom_id: Id,
    #[serde(default)]
    pub reason: String,
}

/// A molecule that another has to do with.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct RelatedMolecule {
    pub molecule_id: Id,
    #[serde(default)]
    pub reason: String,
}

/// What changed in an area, and why.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Entry {
    pub id: Id,
    /// Whether it is about an atom or a molecule.
    pub parent_type: ParentType,
    pub parent_id: Id,
    /// The task that brought it.
    pub task_id: Id,
    /// What changed and why.
    pub summary: String,
    /// When it was told.
    pub created_at: String,
}

impl Entry {
    /// What it is about.
    pub fn parent(&self) -> Parent {
        Parent {
            kind: self.parent_type,
            id: self.parent_id,
        }
    }
}

/// The states that features and tasks go through.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
pub struct Pipelines {
    /// Those of features.
    pub feature: Vec<Status>,
    /// Those of tasks.
    pub task: Vec<Status>,
}

impl Default for Pipelines {
    fn default() -> Self {
        let states = vec![Status::New, Status::Active, Status::Closed];
        Self {
            feature: states.clone(),
            task: states,
        }
    }
}

/// How many tasks there are, and in which states.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct TaskCounts {
    /// All of them.
    pub total: u64,
    /// By state.
    pub by_status: BTreeMap<String, u64>,
}

/// A tag and how many things have it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
pub struct TagCount {
    /// The tag.
    pub tag: String,
    /// How many have it.
    pub count: u64,
}

/// A repository that a project is about.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct RepositoryKey {
    /// Its directory on this machine.
    pub root: Option<String>,
    /// Where it comes from, in the one form that every address of the same place has.
    pub origin: Option<String>,
}

/// One line of an export.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "camelCase")]
pub enum Record {
    Project(Project),
    /// Where the repository of a project comes from.
    Repository(RepositoryRecord),
    Feature(Feature),
    Task(Task),
    Section(Section),
    Template(Template),
    TemplateSection(TemplateSection),
    Molecule(Molecule),
    Atom(Atom),
    Changelog(Entry),
}

/// Where the repository of a project comes from.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct RepositoryRecord {
    pub project_id: Id,
    /// The origin, in its one form.
    pub origin: String,
}
