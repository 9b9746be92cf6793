//! The words that fields may hold (clauses V3 to V17), each list once, and the spellings that mean the same (ruling A16).

/// Words of one list.
pub trait Vocabulary: Copy + Eq + 'static {
    /// All of them, in the text's order.
    const ALL: &'static [Self];

    /// The word.
    fn word(self) -> &'static str;

    /// What a word means, case and all.
    fn from_word(word: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|known| known.word() == word)
    }
}

macro_rules! words {
    ($($(#[$about:meta])* $name:ident { $($(#[$meaning:meta])* $variant:ident = $word:literal),+ $(,)? })+) => {$(
        $(#[$about])*
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
        pub enum $name {
            $($(#[$meaning])* #[doc = concat!("`", $word, "`.")] $variant,)+
        }

        impl Vocabulary for $name {
            const ALL: &'static [Self] = &[$(Self::$variant),+];

            fn word(self) -> &'static str {
                match self {
                    $(Self::$variant => $word,)+
                }
            }
        }
    )+};
}

words! {
    /// How much of a project a unit is about.
    Scope { Global = "global", Project = "project", Module = "module" }
    /// Who a unit is for.
    Audience { Human = "human", Agent = "agent", Developer = "developer", Architect = "architect", Operator = "operator", Devops = "devops" }
    /// What is to be done with a unit.
    UnitKind { Knowledge = "knowledge", Schema = "schema", Service = "service", Policy = "policy", Executable = "executable" }
    /// What the content of a unit is written in.
    Format {
        Markdown = "markdown", Pdf = "pdf", Openapi = "openapi", JsonSchema = "json-schema", Jupyter = "jupyter", Html = "html", Asciidoc = "asciidoc", Rst = "rst", Vtt = "vtt",
        Yaml = "yaml", Json = "json", Csv = "csv", Text = "text",
    }
    /// How often content changes.
    UpdateFrequency { Hourly = "hourly", Daily = "daily", Weekly = "weekly", Monthly = "monthly", Rarely = "rarely", Never = "never" }
    /// What agents may do with content, in one word.
    IndexingWord { Open = "open", ReadOnly = "read-only", NoTrain = "no-train", None = "none" }
    /// One thing that agents may do with content.
    Permission {
        Read = "read", Index = "index", ReproduceInResponse = "reproduce-in-response", Train = "train", CachePermanently = "cache-permanently", ShareExternally = "share-externally",
        Summarise = "summarise",
    }
    /// Who may read a unit.
    AccessLevel { Public = "public", Authenticated = "authenticated", Restricted = "restricted" }
    /// How confidential a unit is; the later, the stricter.
    Sensitivity { Public = "public", Internal = "internal", Confidential = "confidential", Restricted = "restricted" }
    /// What a unit costs.
    Tier { Free = "free", Metered = "metered", Subscription = "subscription" }
    /// What to do with a unit that is stale.
    OnStale { Warn = "warn", Degrade = "degrade", Block = "block" }
    /// What to do without a unit of another manifest.
    OnFailure { Skip = "skip", Warn = "warn", Degrade = "degrade" }
    /// Authentication methods.
    AuthType { None = "none", Oauth2 = "oauth2", ApiKey = "api_key" }
    /// How a human approves.
    ApprovalMechanism { OauthConsent = "oauth_consent", Uma = "uma", Custom = "custom" }
    /// How one unit relates to another.
    RelationshipType {
        Enables = "enables", Context = "context", Supersedes = "supersedes", Contradicts = "contradicts", DependsOn = "depends_on", Governs = "governs",
    }
    /// What another manifest is to this one.
    ManifestRelationship { Child = "child", Foundation = "foundation", Governs = "governs", Peer = "peer", Archive = "archive" }
    /// Which versions of another manifest will do.
    VersionPolicy { Exact = "exact", Minimum = "minimum", Compatible = "compatible" }
    /// How an estimate was made.
    EstimateMethod { Measured = "measured", Estimated = "estimated" }
    /// When to load a unit.
    LoadStrategy { Eager = "eager", Lazy = "lazy", Never = "never" }
    /// How long to keep a unit.
    Priority { Critical = "critical", Supplementary = "supplementary", Reference = "reference" }
    /// How much a token of a unit says.
    Density { Dense = "dense", Standard = "standard", Verbose = "verbose" }
    /// What an agent may do by itself.
    AuthorityLevel { Initiative = "initiative", RequiresApproval = "requires_approval", Denied = "denied" }
    /// What an agent may want to do.
    Action { Read = "read", Summarize = "summarize", Modify = "modify", ShareExternally = "share_externally", Execute = "execute" }
    /// How sure it is that a unit is what it says.
    VerificationStatus { Rumored = "rumored", Observed = "observed", Verified = "verified", Deprecated = "deprecated" }
    /// How a unit came into the manifest.
    DiscoverySource { Manual = "manual", WebTraversal = "web_traversal", Openapi = "openapi", LlmInference = "llm_inference" }
    /// What processing of a unit may not do, or must.
    Restriction {
        NoExternalLlm = "no-external-llm", NoLogging = "no-logging", NoCrossBorder = "no-cross-border", NoAiTraining = "no-ai-training", AuditRequired = "audit-required",
        HumanApprovalRequired = "human-approval-required",
    }
    /// Laws that a unit falls under.
    Regulation {
        Gdpr = "GDPR", EPrivacy = "ePrivacy", Nis2 = "NIS2", Hipaa = "HIPAA", Hitech = "HITECH", Ccpa = "CCPA", MiFid2 = "MiFID2", Dora = "DORA", Aml5d = "AML5D", Fatf = "FATF", Itar = "ITAR",
        Eidas = "eIDAS",
    }
    /// What one can ask of the agent in the condition of a visibility.
    WhenKey { Environment = "environment", AgentRole = "agent_role" }
}

impl UnitKind {
    /// What an agent does with a unit of this kind.
    pub fn use_of(self) -> &'static str {
        match self {
            Self::Knowledge => "load",
            Self::Schema => "parse",
            Self::Service => "invoke",
            Self::Policy => "gate",
            Self::Executable => "run on demand",
        }
    }
}

impl Audience {
    /// Whether two words name the same people.
    pub fn is_same(self, other: Self) -> bool {
        let one = |audience| match audience {
            Self::Devops => Self::Operator,
            audience => audience,
        };
        one(self) == one(other)
    }
}

impl Format {
    /// The media type.
    pub fn media_type(self) -> &'static str {
        match self {
            Self::Markdown => "text/markdown",
            Self::Pdf => "application/pdf",
            Self::Openapi => "application/vnd.oai.openapi+yaml",
            Self::JsonSchema => "application/schema+json",
            Self::Jupyter => "application/x-ipynb+json",
            Self::Html => "text/html",
            Self::Asciidoc => "text/asciidoc",
            Self::Rst => "text/x-rst",
            Self::Vtt => "text/vtt",
            Self::Yaml => "application/yaml",
            Self::Json => "application/json",
            Self::Csv => "text/csv",
            Self::Text => "text/plain",
        }
    }

    /// The format of an extension.
    pub fn of_extension(extension: &str) -> Option<Self> {
        Some(match extension.to_ascii_lowercase().as_str() {
            "md" | "markdown" => Self::Markdown,
            "pdf" => Self::Pdf,
            "yaml" | "yml" => Self::Yaml,
            "json" => Self::Json,
            "html" | "htm" => Self::Html,
            "txt" => Self::Text,
            "csv" => Self::Csv,
            "rst" => Self::Rst,
            "adoc" | "asciidoc" => Self::Asciidoc,
            "ipynb" => Self::Jupyter,
            "vtt" => Self::Vtt,
            _ => return None,
        })
    }
}

impl Restriction {
    /// A restriction in any of the spellings that the text and its fixtures use.
    pub fn from_spelling(word: &str) -> Option<Self> {
        match word.replace('_', "-").as_str() {
            "no-training" => Some(Self::NoAiTraining),
            word => Self::from_word(word),
        }
    }
}

/// The words of a list, for a sentence: `a, b, c`.
pub fn listed<T: Vocabulary>() -> String {
    let words: Vec<&str> = T::ALL.iter().map(|word| word.word()).collect();
    words.join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn v3_scopes_and_v4_audiences_are_those_of_the_text() {
        assert_eq!(listed::<Scope>(), "global, project, module");
        assert_eq!(
            listed::<Audience>(),
            "human, agent, developer, architect, operator, devops"
        );
        assert_eq!(Scope::from_word("Global"), None);
    }

    #[test]
    fn v4_devops_and_operator_are_the_same_people() {
        assert!(Audience::Devops.is_same(Audience::Operator) && Audience::Operator.is_same(Audience::Devops));
        assert!(!Audience::Devops.is_same(Audience::Developer));
    }

    #[test]
    fn v5_a_kind_says_how_a_unit_is_used() {
        let uses: Vec<&str> = UnitKind::ALL.iter().map(|kind| kind.use_of()).collect();
        assert_eq!(uses, ["load", "parse", "invoke", "gate", "run on demand"]);
    }

    #[test]
    fn v6_formats_have_the_media_types_of_the_text() {
        let types: Vec<String> = Format::ALL
            .iter()
            .map(|format| format!("{}={}", format.word(), format.media_type()))
            .collect();
        assert_eq!(
            types.join(" "),
            "markdown=text/markdown pdf=application/pdf openapi=application/vnd.oai.openapi+yaml json-schema=application/schema+json jupyter=application/x-ipynb+json html=text/html \
             asciidoc=text/asciidoc rst=text/x-rst vtt=text/vtt yaml=application/yaml json=application/json csv=text/csv text=text/plain"
        );
    }

    #[test]
    fn v7_frequencies_and_permissions_are_those_of_the_text() {
        assert_eq!(
            listed::<UpdateFrequency>(),
            "hourly, daily, weekly, monthly, rarely, never"
        );
        assert_eq!(listed::<IndexingWord>(), "open, read-only, no-train, none");
        assert_eq!(
            listed::<Permission>(),
            "read, index, reproduce-in-response, train, cache-permanently, share-externally, summarise"
        );
    }

    #[test]
    fn v8_levels_are_those_of_the_text_and_in_order() {
        assert_eq!(listed::<AccessLevel>(), "public, authenticated, restricted");
        assert_eq!(listed::<Sensitivity>(), "public, internal, confidential, restricted");
        assert!(Sensitivity::Public < Sensitivity::Internal && Sensitivity::Confidential < Sensitivity::Restricted);
        assert_eq!(
            [listed::<Tier>(), listed::<OnStale>(), listed::<OnFailure>()],
            [
                "free, metered, subscription",
                "warn, degrade, block",
                "skip, warn, degrade"
            ]
        );
    }

    #[test]
    fn v12_relationships_are_of_six_types() {
        assert_eq!(
            listed::<RelationshipType>(),
            "enables, context, supersedes, contradicts, depends_on, governs"
        );
    }

    #[test]
    fn a16_restrictions_may_be_spelt_in_three_ways() {
        for word in ["no-ai-training", "no_ai_training", "no-training", "no_training"] {
            assert_eq!(Restriction::from_spelling(word), Some(Restriction::NoAiTraining));
        }
        assert_eq!(Restriction::from_spelling("no-fun"), None);
    }
}
