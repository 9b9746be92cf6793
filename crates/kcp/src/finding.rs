//! What is wrong with a manifest: codes with the clause each holds, findings with a place, and a list of them that stays bounded.

use std::borrow::Cow;

use lore_base::excerpt::excerpt;
use lore_base::yaml::Place;

/// How bad a finding is.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Severity {
    /// The manifest is refused.
    Error,
    /// The manifest is read, but not as its author may have meant.
    Warning,
    /// Nothing is wrong.
    Note,
}

impl Severity {
    /// The name in lower case.
    pub fn name(self) -> &'static str {
        match self {
            Self::Error => "error",
            Self::Warning => "warning",
            Self::Note => "note",
        }
    }
}

/// What is said about a code.
#[derive(Clone, Copy, Debug)]
pub struct CodeInfo {
    /// The name.
    pub name: &'static str,
    /// The clause of the specification.
    pub clause: &'static str,
    /// How bad it is.
    pub severity: Severity,
    /// Whether the text says MUST, so that `--strict` makes an error of it.
    pub is_must: bool,
    /// What it means, in one sentence without a full stop.
    pub summary: &'static str,
}

macro_rules! codes {
    ($($variant:ident $name:literal $clause:literal $severity:ident $must:literal $summary:literal;)+) => {
        /// What a finding is about. The names of all codes of the parse stage begin with `parse`.
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
        pub enum Code {
            $(#[doc = concat!($summary, ".")] $variant,)+
        }

        impl Code {
            /// All of them.
            pub const ALL: &'static [Self] = &[$(Self::$variant),+];

            /// What is said about it.
            pub fn info(self) -> CodeInfo {
                match self {
                    $(Self::$variant => CodeInfo {
                        name: $name,
                        clause: $clause,
                        severity: Severity::$severity,
                        is_must: $must,
                        summary: $summary,
                    },)+
                }
            }
        }
    };
}

codes! {
    ParseYaml "parse-yaml" "E1" Error false "The file is not YAML 1.2";
    ParseEncoding "parse-encoding" "E1" Error false "The file is not UTF-8";
    ParseTag "parse-tag" "E1" Error false "A tag is not in YAML's core schema";
    ParseDuplicateKey "parse-duplicate-key" "E1" Error false "A mapping has a key twice";
    ParseLimit "parse-limit" "S6" Error false "The file exceeds a limit: its size, depth or aliases";
    ParseMultipleDocuments "parse-multiple-documents" "E1" Error false "The file has more than one document";
    ParseRoot "parse-root" "P3" Error false "The manifest is not a mapping";
    ParseUnit "parse-unit" "P3" Error false "A unit is not a mapping";
    ParsePath "parse-path" "E6" Error false "A path is absolute or leads out of the manifest's directory";
    ProjectMissing "project-missing" "E2" Error false "The manifest has no project";
    UnitsMissing "units-missing" "E3" Error false "The manifest has no units";
    UnitFieldMissing "unit-field-missing" "E4" Error false "A unit lacks a required field";
    ScopeUnknown "scope-unknown" "E5" Error false "A scope is not one of the three";
    ApprovalMechanismUnknown "approval-mechanism-unknown" "E7" Error false "An approval mechanism is not one of the three";
    DelegationDepth "delegation-depth" "E8" Error false "A unit allows deeper delegation than the manifest";
    ComplianceSensitivity "compliance-sensitivity" "E9" Error false "The sensitivity of a compliance block is not one of the four";
    FederationId "federation-id" "E10" Error false "A declared manifest has no id, an invalid id, or one that is used already";
    FederationUrl "federation-url" "E10" Error false "A declared manifest has no https address";
    ExternalIncomplete "external-incomplete" "E11" Error false "A reference to another manifest lacks a part";
    ByteOrderMark "byte-order-mark" "A26" Warning true "The file starts with a byte order mark";
    YamlVersion "yaml-version" "P2" Note false "The file says that it is YAML 1.1 and is read as YAML 1.2";
    WrongType "wrong-type" "V2" Warning false "A field has a value of another type and is read as absent";
    BooleanSpelling "boolean-spelling" "A3" Warning false "A boolean is written as in YAML 1.1";
    PathBackslash "path-backslash" "E6" Warning true "A path contains a backslash";
    PathRoot "path-root" "E6" Warning false "A path is the manifest's directory itself";
    HumanInTheLoop "human-in-the-loop" "E7" Warning false "human_in_the_loop is not a mapping";
    MaxDepth "max-depth" "E12" Warning false "max_depth is not a whole number of 0 or more and counts as 0";
    AudienceEmpty "audience-empty" "A1" Warning false "A unit has an empty audience";
    FileMissing "file-missing" "W1" Warning false "There is no file at the path of a unit";
    ReferenceUnknown "reference-unknown" "W2" Warning false "A reference names a unit that does not exist";
    RelationshipType "relationship-type" "W3" Warning false "The type of a relationship is not one of the six";
    RelationshipIncomplete "relationship-incomplete" "W2" Warning false "A relationship lacks from, to or type";
    TriggerLong "trigger-long" "W4" Warning true "A trigger has more than 60 characters and is cut";
    TriggersMany "triggers-many" "W5" Warning true "A unit has more than 20 triggers; the rest is ignored";
    AudienceUnknown "audience-unknown" "W6" Warning false "An audience is not one of the specification";
    KindUnknown "kind-unknown" "W7" Warning false "A kind is not one of the five";
    FormatUnknown "format-unknown" "W8" Warning false "A format is not one of the specification";
    UpdateFrequencyUnknown "update-frequency-unknown" "W9" Warning false "An update frequency is not one of the specification";
    IndexingUnknown "indexing-unknown" "W10" Warning false "The short form of indexing is not one of the four";
    KcpVersion "kcp-version" "W11" Warning false "The version of the protocol is missing or unknown";
    Version "version" "W12" Warning false "The version of the manifest is missing or not a semantic version";
    DateInvalid "date-invalid" "W12" Warning true "A date does not exist";
    DuplicateId "duplicate-id" "W13" Warning true "Two units have the same id";
    IdPattern "id-pattern" "W14" Warning true "An id has other characters than lower-case letters, digits, dots and dashes";
    AuthScopeUnused "auth-scope-unused" "W15" Warning false "auth_scope has no effect without restricted access";
    AuthMethodsUnknown "auth-methods-unknown" "W16" Warning false "No authentication method is one of the specification";
    AuthMissing "auth-missing" "W17" Warning false "Units are protected and no authentication method is declared";
    AuthMethodIncomplete "auth-method-incomplete" "W18" Warning false "An authentication method lacks a required field";
    RumoredConfidence "rumored-confidence" "W19" Warning true "A rumored unit has a confidence of 0.5 or more";
    VerifiedConfidence "verified-confidence" "W19" Warning false "A verified unit has a confidence below 0.8";
    VerifiedAt "verified-at" "W19" Warning false "A unit that is not verified has a date of verification";
    ContradictedBy "contradicted-by" "W19" Warning false "contradicted_by names an unknown unit or the unit itself";
    ContradictionNotMutual "contradiction-not-mutual" "W19" Note false "Only one of two units says that they contradict each other";
    DiscoveryUnknown "discovery-unknown" "W19" Warning false "A word of a discovery block is not one of the specification";
    Confidence "confidence" "W19" Warning true "A confidence is not a number from 0 to 1";
    VisibilityUnknown "visibility-unknown" "W20" Warning false "A sensitivity of a visibility block is not one of the four";
    ConditionIncomplete "condition-incomplete" "W20" Warning false "A condition lacks when or then";
    ConditionKey "condition-key" "W20" Warning false "A condition has an unknown key and never matches";
    ConditionUnreachable "condition-unreachable" "W20" Warning false "A condition repeats an earlier one and never applies";
    AuthorityUnknown "authority-unknown" "W21" Warning false "An authority is not one of the three levels";
    WordUnknown "word-unknown" "W22" Warning false "A word is not in the list of its field";
    SummaryUnitMissing "summary-unit-missing" "W23" Warning false "A unit says that it has a summary, but not which unit it is";
    HintReferenceUnknown "hint-reference-unknown" "W23" Warning false "Hints name a unit that does not exist";
    SummaryOneSided "summary-one-sided" "W23" Warning false "A summary belongs to a unit that does not name it";
    ChunkIndex "chunk-index" "W23" Warning false "The number of a chunk does not fit";
    ChunkCount "chunk-count" "W23" Warning false "There are more or fewer chunks than declared";
    DeprecatedAlone "deprecated-alone" "W24" Warning false "A unit is deprecated and nothing supersedes it";
    FederationUnknown "federation-unknown" "W25" Warning false "A word of a declared manifest is not in the list of its field";
    PinWithoutPolicy "pin-without-policy" "W25" Warning false "A version is pinned without a version_policy";
    PinInvalid "pin-invalid" "W25" Warning false "A pinned version is not a semantic version";
    PinMismatch "pin-mismatch" "W25" Warning false "A declared manifest has a version that the pin does not allow";
    PinsUnverified "pins-unverified" "W25" Note false "Pinned versions were not compared";
    FederationUndescribed "federation-undescribed" "W25" Note false "A declared manifest has no label or relationship";
    ManifestUnknown "manifest-unknown" "W25" Warning true "A reference names a manifest that is not declared";
    ExternalNamesNone "external-names-none" "W25" Warning false "An external relationship names no other manifest";
    OnFailureUnknown "on-failure-unknown" "W26" Warning false "on_failure is not one of the three and counts as skip";
    PublisherUrl "publisher-url" "W27" Warning true "The publisher's address is not https";
    DocsUrlMissing "docs-url-missing" "W27" Warning false "A custom approval does not say where it is described";
    DelegationRelaxed "delegation-relaxed" "W28" Warning true "A unit relaxes a delegation rule of the manifest, which has no effect";
    RootHints "root-hints" "W29" Warning false "The hints of the manifest disagree with its units";
    RateLimit "rate-limit" "W30" Warning false "A rate limit is not a whole number of 1 or more and counts as absent";
    ContentType "content-type" "W31" Warning true "A content type is not a media type";
    IntentIsPath "intent-is-path" "W32" Warning false "An intent only repeats the path";
    IntentSentences "intent-sentences" "W32" Note false "An intent has several sentences";
    SensitivitiesDiffer "sensitivities-differ" "A10" Warning false "A unit declares two sensitivities; the stricter one counts";
    SensitivityShadowed "sensitivity-shadowed" "A11" Warning false "The manifest's visibility counts instead of a unit's sensitivity";
    RestrictionsConflict "restrictions-conflict" "V11" Warning false "no-logging and audit-required are both declared";
    IdReserved "id-reserved" "V2" Note false "The id is that of the manifest's own resource";
    FindingsLimit "findings-limit" "S6" Note false "There are more findings than the report shows";
}

impl Code {
    /// The name.
    pub fn name(self) -> &'static str {
        self.info().name
    }

    /// The code with a name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|code| code.name() == name)
    }
}

/// A finding about a manifest, and its position.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Finding {
    /// What it is about.
    pub code: Code,
    /// How bad it is.
    pub severity: Severity,
    /// What is the matter.
    pub message: String,
    /// Where.
    pub place: Place,
    /// The id of the unit, if the finding is about one that has an id.
    pub unit: Option<String>,
    /// The field, from the root: `units[3].scope`.
    pub field: Option<String>,
    /// What to do about it.
    pub hint: Option<Cow<'static, str>>,
}

/// Which warnings count as errors.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub enum Strict {
    /// None.
    #[default]
    No,
    /// Those of which the text says MUST.
    Must,
    /// These.
    Codes(Vec<Code>),
}

impl Strict {
    /// How bad a finding is.
    pub fn severity(&self, code: Code, severity: Severity) -> Severity {
        let is_promoted = match self {
            Self::No => false,
            Self::Must => code.info().is_must,
            Self::Codes(codes) => codes.contains(&code),
        };
        if is_promoted { Severity::Error } else { severity }
    }
}

/// Findings, of which only so many are kept: a hostile manifest has one for every few bytes. Errors have room of their own, so that none is lost to warnings.
#[derive(Clone, Debug, Default)]
pub struct Findings {
    list: Vec<Finding>,
    errors: usize,
    left_out: usize,
}

/// Errors that are kept, and other findings that are.
const MOST: usize = 20_000;

impl Findings {
    /// Adds one.
    pub fn push(&mut self, finding: Finding) {
        let is_error = finding.severity == Severity::Error;
        let kept = if is_error {
            self.errors
        } else {
            self.list.len() - self.errors
        };
        if kept >= MOST {
            self.left_out += 1;
            return;
        }
        self.errors += usize::from(is_error);
        self.list.push(finding);
    }

    /// Whether there is room for a finding that is not an error. Checked before a message is built.
    pub fn has_room(&mut self) -> bool {
        let has_room = self.list.len() - self.errors < MOST;
        self.left_out += usize::from(!has_room);
        has_room
    }

    /// Adds all of others.
    pub fn extend(&mut self, findings: impl IntoIterator<Item = Finding>) {
        for finding in findings {
            self.push(finding);
        }
    }

    /// All of them, by place and then by code, with a word about those that were left out.
    pub fn into_sorted(mut self) -> Vec<Finding> {
        if self.left_out > 0 {
            self.list.push(Finding {
                code: Code::FindingsLimit,
                severity: Severity::Note,
                message: format!("{} more findings are not shown", self.left_out),
                place: Place::START,
                unit: None,
                field: None,
                hint: None,
            });
        }
        self.list.sort_by_key(|finding| (finding.place, finding.code));
        self.list
    }
}

/// Text of a manifest inside of a message: on one line and not too long.
pub fn shown(text: &str) -> String {
    excerpt(text, 80)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_are_unique_and_those_of_the_parse_stage_say_so() {
        let mut names: Vec<&str> = Code::ALL.iter().map(|code| code.name()).collect();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), Code::ALL.len());
        for code in Code::ALL {
            let info = code.info();
            assert_eq!(Code::from_name(info.name), Some(*code));
            assert!(info.severity != Severity::Note || !info.is_must);
            assert_eq!(
                info.name.starts_with("parse"),
                *code <= Code::ParsePath,
                "{}",
                info.name
            );
        }
    }

    #[test]
    fn every_code_is_in_the_documentation() {
        let page = include_str!("../../../docs/kcp.md");
        for code in Code::ALL {
            let info = code.info();
            let strict = if info.is_must { "error" } else { "" };
            let row = format!(
                "| `{}` | {} | {strict} | {} | {} |",
                info.name,
                info.severity.name(),
                info.summary,
                info.clause
            );
            assert!(page.contains(&row), "{row}");
        }
    }

    #[test]
    fn s6_findings_are_bounded_and_errors_are_not_lost() {
        let finding = |severity| Finding {
            code: Code::WrongType,
            severity,
            message: String::new(),
            place: Place::START,
            unit: None,
            field: None,
            hint: None,
        };
        let mut findings = Findings::default();
        for _ in 0..30_000 {
            findings.push(finding(Severity::Warning));
        }
        findings.push(finding(Severity::Error));
        let list = findings.into_sorted();
        assert_eq!(list.len(), 20_002);
        assert!(list.iter().any(|finding| finding.severity == Severity::Error));
        assert!(
            list.iter()
                .any(|finding| finding.message == "10000 more findings are not shown")
        );
    }
}
