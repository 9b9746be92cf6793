//! A manifest as it is declared: no value is inherited, and no default is filled in but by the methods that say so (clauses V1, V2, P11).
//!
//! Every value knows its node, so that a finding has a place and an edit something to replace. What is not declared, null or of the wrong type is `None`.

use super::date::Day;
use super::path::{self, PathNote};
use super::version::KcpVersion;
use super::vocabulary::{
    AccessLevel, ApprovalMechanism, Audience, AuthType, AuthorityLevel, Density, DiscoverySource, EstimateMethod,
    Format, IndexingWord, LoadStrategy, ManifestRelationship, OnFailure, OnStale, Priority, RelationshipType, Scope,
    Sensitivity, Tier, UnitKind, UpdateFrequency, VerificationStatus, VersionPolicy, Vocabulary,
};
use lore_base::yaml::{Document, NodeId, Text};

/// A value and its position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Declared<T> {
    /// The value.
    pub value: T,
    /// Its node.
    pub node: NodeId,
}

/// A value that may be missing.
pub type Field<T> = Option<Declared<T>>;

/// Texts, each with its node.
pub type List = Vec<Declared<Text>>;

/// A word of a list, or one that the list does not have.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Word<T> {
    /// A word of the list.
    Known(T),
    /// Another one, as it is written.
    Unknown(Text),
}

impl<T: Copy> Word<T> {
    /// The word, if the list has it.
    pub fn known(self) -> Option<T> {
        match self {
            Self::Known(word) => Some(word),
            Self::Unknown(_) => None,
        }
    }
}

/// The word of a field, if there is one that its list has.
pub fn known<T: Copy>(field: &Field<Word<T>>) -> Option<T> {
    field.as_ref().and_then(|field| field.value.known())
}

/// Whether a flag is declared and true.
pub fn is_true(field: &Field<bool>) -> bool {
    field.as_ref().is_some_and(|field| field.value)
}

/// A date as it is written, and the day if a calendar has it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Date {
    /// The text.
    pub text: Text,
    /// The day.
    pub day: Option<Day>,
}

/// A path that stays inside of the manifest's directory.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct UnitPath {
    /// The path as it is written.
    pub text: Text,
    /// What is strange about it.
    pub note: Option<PathNote>,
}

/// The number of a unit, in the order of the manifest.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct UnitIndex(pub u32);

/// A manifest.
#[derive(Debug)]
pub struct Manifest {
    /// The file.
    pub document: Document,
    /// What is declared for the whole manifest.
    pub root: RootFields,
    /// The units, duplicates included.
    pub units: Vec<Unit>,
    /// What units are to each other.
    pub relationships: Vec<Relationship>,
    /// Other manifests.
    pub manifests: Vec<ManifestEntry>,
    /// What units of different manifests are to each other.
    pub external_relationships: Vec<ExternalRelationship>,
}

impl Manifest {
    /// The text of a range.
    pub fn text(&self, text: Text) -> &str {
        self.document.text(text)
    }

    /// The text of a field.
    pub fn field(&self, field: &Field<Text>) -> Option<&str> {
        field.as_ref().map(|field| self.text(field.value))
    }

    /// A unit.
    pub fn unit(&self, index: UnitIndex) -> Option<&Unit> {
        self.units.get(index.0 as usize)
    }

    /// The id of a unit, if it has one.
    pub fn id(&self, unit: &Unit) -> Option<&str> {
        self.field(&unit.id)
    }

    /// The path of a unit, if it has one.
    pub fn path(&self, unit: &Unit) -> Option<&str> {
        unit.path.as_ref().map(|path| self.text(path.value.text))
    }

    /// The version of the protocol to read it by.
    pub fn kcp_version(&self) -> KcpVersion {
        match self.field(&self.root.kcp_version) {
            Some(text) => KcpVersion::known(text).unwrap_or_else(|| KcpVersion::nearest(text)),
            None => KcpVersion::NEWEST,
        }
    }

    /// The format of a unit: declared, or by the extension of its path.
    pub fn format(&self, unit: &Unit) -> Option<Format> {
        match &unit.format {
            Some(_) => known(&unit.format),
            None => self.path(unit).and_then(path::extension).and_then(Format::of_extension),
        }
    }

    /// The media type of a unit: its content type, else that of its format, else plain text.
    pub fn media_type(&self, unit: &Unit) -> &str {
        let of_format = || self.format(unit).map_or("text/plain", Format::media_type);
        self.field(&unit.content_type).unwrap_or_else(of_format)
    }

    /// The word of a field, known or not.
    pub fn word<T: Vocabulary>(&self, word: Word<T>) -> &str {
        match word {
            Word::Known(word) => word.word(),
            Word::Unknown(text) => self.text(text),
        }
    }
}

/// What is declared for the whole manifest.
#[derive(Debug)]
// No doc comment: each field is called as in the text, which says what it is.
pub struct RootFields {
    pub node: NodeId,
    pub kcp_version: Field<Text>,
    pub project: Field<Text>,
    pub version: Field<Text>,
    pub updated: Field<Date>,
    pub language: Field<Text>,
    pub license: Field<License>,
    pub indexing: Field<Indexing>,
    pub hints: Field<RootHints>,
    pub trust: Field<Trust>,
    pub auth: Field<Auth>,
    pub delegation: Field<Delegation>,
    pub compliance: Field<Compliance>,
    pub payment: Field<Payment>,
    pub rate_limits: Field<RateLimits>,
    pub freshness_policy: Field<FreshnessPolicy>,
    pub visibility: Field<Visibility>,
    pub authority: Field<Authority>,
    pub discovery: Field<Discovery>,
    /// The lists, where they are lists.
    pub units: Option<NodeId>,
    pub relationships: Option<NodeId>,
    pub manifests: Option<NodeId>,
    pub external_relationships: Option<NodeId>,
}

/// A unit of knowledge.
#[derive(Debug)]
// No doc comment: each field is called as in the text, which says what it is.
pub struct Unit {
    pub node: NodeId,
    pub id: Field<Text>,
    pub path: Field<UnitPath>,
    pub intent: Field<Text>,
    pub scope: Field<Word<Scope>>,
    pub audience: Field<Vec<Declared<Word<Audience>>>>,
    pub kind: Field<Word<UnitKind>>,
    pub format: Field<Word<Format>>,
    pub content_type: Field<Text>,
    pub language: Field<Text>,
    pub license: Field<Box<License>>,
    pub validated: Field<Date>,
    pub update_frequency: Field<Word<UpdateFrequency>>,
    pub indexing: Field<Box<Indexing>>,
    pub depends_on: Field<List>,
    /// One id, of a unit that may be gone.
    pub supersedes: Field<Text>,
    pub triggers: Field<Triggers>,
    pub hints: Field<Box<Hints>>,
    pub access: Field<Word<AccessLevel>>,
    pub auth_scope: Field<Text>,
    pub sensitivity: Field<Word<Sensitivity>>,
    pub deprecated: Field<bool>,
    pub payment: Field<Box<Payment>>,
    pub rate_limits: Field<Box<RateLimits>>,
    pub delegation: Field<Box<Delegation>>,
    pub compliance: Field<Box<Compliance>>,
    pub external_depends_on: Vec<ExternalDependency>,
    pub requires_capabilities: Field<List>,
    pub freshness_policy: Field<Box<FreshnessPolicy>>,
    pub visibility: Field<Box<Visibility>>,
    pub authority: Field<Box<Authority>>,
    pub discovery: Field<Box<Discovery>>,
    /// The key `<<`, which YAML 1.2 does not merge.
    pub merge_key: Option<NodeId>,
}

impl Unit {
    /// The scope, `global` where none is declared.
    pub fn scope_or_default(&self) -> Scope {
        known(&self.scope).unwrap_or(Scope::Global)
    }

    /// The kind, `knowledge` where none is declared.
    pub fn kind_or_default(&self) -> UnitKind {
        known(&self.kind).unwrap_or(UnitKind::Knowledge)
    }

    /// Whether it is deprecated.
    pub fn is_deprecated(&self) -> bool {
        is_true(&self.deprecated)
    }

    /// Who may read it: `public` where nothing is declared, none where the word is unknown.
    pub fn access_or_default(&self) -> Option<AccessLevel> {
        match &self.access {
            Some(access) => access.value.known(),
            None => Some(AccessLevel::Public),
        }
    }

    /// Who it is for, without the words that are unknown.
    pub fn audiences(&self) -> impl Iterator<Item = Audience> + '_ {
        let all = self.audience.iter().flat_map(|audience| &audience.value);
        all.filter_map(|audience| audience.value.known())
    }
}

/// The words that lead to a unit: the first ones, each cut to its longest allowed length.
#[derive(Clone, Debug, Default)]
pub struct Triggers {
    /// Those that count.
    pub kept: List,
    /// How many are declared.
    pub declared: u32,
}

/// A licence.
#[derive(Clone, Copy, Debug)]
// No doc comment: each field is called as in the text, which says what it is.
pub enum License {
    /// Its name.
    Name(Text),
    /// Its name, its address and what it asks for.
    Block {
        spdx: Field<Text>,
        url: Field<Text>,
        attribution_required: Field<bool>,
    },
}

/// What agents may do with content.
#[derive(Clone, Debug)]
// No doc comment: each field is called as in the text, which says what it is.
pub enum Indexing {
    /// In one word.
    Word(Word<IndexingWord>),
    /// One by one.
    Block {
        allow: Field<List>,
        deny: Field<List>,
        attribution_required: Field<bool>,
    },
}

macro_rules! blocks {
    ($($(#[$about:meta])* $name:ident { $($(#[$note:meta])* $field:ident: $type:ty,)+ })+) => {$(
        $(#[$about])*
        #[derive(Clone, Debug, Default)]
        // No doc comment: each field is called as in the text, which says what it is.
        pub struct $name {
            $($(#[$note])* pub $field: $type,)+
        }
    )+};
}

blocks! {
    /// What one should know before loading a unit.
    Hints {
        token_estimate: Field<u64>,
        token_estimate_method: Field<Word<EstimateMethod>>,
        size_bytes: Field<u64>,
        load_strategy: Field<Word<LoadStrategy>>,
        priority: Field<Word<Priority>>,
        density: Field<Word<Density>>,
        summary_available: Field<bool>,
        summary_unit: Field<Text>,
        summary_of: Field<Text>,
        partial_load_supported: Field<bool>,
        chunked: Field<bool>,
        chunk_count: Field<u64>,
        chunk_of: Field<Text>,
        chunk_index: Field<u64>,
        total_chunks: Field<u64>,
        chunk_topic: Field<Text>,
    }
    /// What one should know before loading anything.
    RootHints {
        total_token_estimate: Field<u64>,
        unit_count: Field<u64>,
        recommended_entry_point: Field<Text>,
        has_summaries: Field<bool>,
        has_chunks: Field<bool>,
    }
    /// Whom to trust, and what to leave behind.
    Trust {
        provenance: Field<Provenance>,
        audit: Field<Audit>,
    }
    /// Who publishes a manifest.
    Provenance {
        publisher: Field<Text>,
        publisher_url: Field<Text>,
        contact: Field<Text>,
    }
    /// What reading leaves behind.
    Audit {
        agent_must_log: Field<bool>,
        require_trace_context: Field<bool>,
    }
    /// How to prove who one is.
    Auth {
        methods: Field<Vec<Declared<AuthMethod>>>,
    }
    /// One way to do so.
    AuthMethod {
        kind: Field<Word<AuthType>>,
        issuer: Field<Text>,
        scopes: Field<List>,
        header: Field<Text>,
        registration_url: Field<Text>,
    }
    /// How far access may be passed on.
    Delegation {
        /// A number that is none, or below zero, counts as 0.
        max_depth: Field<u64>,
        require_capability_attenuation: Field<bool>,
        audit_chain: Field<bool>,
        human_in_the_loop: Field<HumanInTheLoop>,
    }
    /// When a human has to approve.
    HumanInTheLoop {
        required: Field<bool>,
        approval_mechanism: Field<Word<ApprovalMechanism>>,
        docs_url: Field<Text>,
    }
    /// What the law asks for.
    Compliance {
        data_residency: Field<Residency>,
        regulations: Field<List>,
        sensitivity: Field<Word<Sensitivity>>,
        restrictions: Field<List>,
    }
    /// Where content may be processed.
    Residency {
        regions: List,
        hard_requirement: Field<bool>,
    }
    /// What content costs.
    Payment {
        default_tier: Field<Word<Tier>>,
    }
    /// How often one may ask.
    RateLimits {
        requests_per_minute: Field<u64>,
        requests_per_day: Field<u64>,
    }
    /// When content is stale.
    FreshnessPolicy {
        max_age_days: Field<u64>,
        on_stale: Field<Word<OnStale>>,
        review_contact: Field<Text>,
    }
    /// How confidential content is, for whom and where.
    Visibility {
        default: Field<Word<Sensitivity>>,
        conditions: Vec<Condition>,
    }
    /// Who and where an agent is.
    When {
        environment: Field<List>,
        agent_role: Field<List>,
        /// Keys that mean nothing here: a condition with one never matches.
        unknown: Vec<NodeId>,
    }
    /// What holds for such an agent.
    Then {
        sensitivity: Field<Word<Sensitivity>>,
        requires_auth: Field<bool>,
        authority: Field<Authority>,
    }
    /// What agents may do by themselves.
    Authority {
        actions: Vec<Permitted>,
    }
    /// How a unit was found, and how sure it is.
    Discovery {
        verification_status: Field<Word<VerificationStatus>>,
        source: Field<Word<DiscoverySource>>,
        observed_at: Field<Date>,
        verified_at: Field<Date>,
        confidence: Field<f64>,
        contradicted_by: Field<Text>,
    }
}

/// What holds for certain agents.
#[derive(Clone, Debug)]
pub struct Condition {
    /// The whole entry.
    pub node: NodeId,
    /// For which agents.
    pub when: Field<When>,
    /// What holds for them.
    pub then: Field<Then>,
}

/// What agents may do of one action.
#[derive(Clone, Copy, Debug)]
pub struct Permitted {
    /// The action, of the text or any other.
    pub action: Text,
    /// How far.
    pub level: Declared<Word<AuthorityLevel>>,
}

/// How one unit relates to another.
#[derive(Clone, Debug)]
// No doc comment: each field is called as in the text, which says what it is.
pub struct Relationship {
    pub node: NodeId,
    pub from: Field<Text>,
    pub to: Field<Text>,
    pub kind: Field<Word<RelationshipType>>,
}

/// Another manifest.
#[derive(Clone, Debug)]
// No doc comment: each field is called as in the text, which says what it is.
pub struct ManifestEntry {
    pub node: NodeId,
    pub id: Field<Text>,
    pub url: Field<Text>,
    pub label: Field<Text>,
    pub relationship: Field<Word<ManifestRelationship>>,
    pub auth: Field<Auth>,
    pub update_frequency: Field<Word<UpdateFrequency>>,
    pub local_mirror: Field<UnitPath>,
    pub version_pin: Field<Text>,
    pub version_policy: Field<Word<VersionPolicy>>,
}

/// A unit of another manifest that a unit needs.
#[derive(Clone, Debug)]
// No doc comment: each field is called as in the text, which says what it is.
pub struct ExternalDependency {
    pub node: NodeId,
    pub manifest: Field<Text>,
    pub unit: Field<Text>,
    pub on_failure: Field<Word<OnFailure>>,
}

/// What units of different manifests are to each other.
#[derive(Clone, Debug)]
// No doc comment: each field is called as in the text, which says what it is.
pub struct ExternalRelationship {
    pub node: NodeId,
    pub from_manifest: Field<Text>,
    pub from_unit: Field<Text>,
    pub to_manifest: Field<Text>,
    pub to_unit: Field<Text>,
    pub kind: Field<Word<RelationshipType>>,
}
