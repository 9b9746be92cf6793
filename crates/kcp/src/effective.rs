//! What holds for one unit once the manifest's defaults are taken in, each value with where it comes from (clauses I1 to I7, rulings A10, A11, A13, A18, A38).

use super::model::{
    Authority, Compliance, Date, Declared, Delegation, Discovery, Field, FreshnessPolicy, Indexing, License, List,
    Manifest, Payment, RateLimits, Residency, Unit, UnitIndex, Visibility, Word, known,
};
use super::vocabulary::{
    AccessLevel, Action, ApprovalMechanism, AuthorityLevel, DiscoverySource, Sensitivity, Tier, VerificationStatus,
    Vocabulary,
};
use lore_base::yaml::{NodeId, Place, Text};

/// Where a value comes from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Origin {
    /// The unit declares it.
    Unit,
    /// The manifest declares it for all its units.
    Root,
    /// Nobody does: the text says what holds then.
    Default,
    /// A condition of the visibility does, by its number from 1.
    Condition(u32),
}

impl Origin {
    /// It in a word or two.
    pub fn name(self) -> String {
        match self {
            Self::Unit => "unit".to_owned(),
            Self::Root => "root".to_owned(),
            Self::Default => "default".to_owned(),
            Self::Condition(number) => format!("condition {number}"),
        }
    }
}

/// A value and where it comes from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Sourced<T> {
    /// The value.
    pub value: T,
    /// Where it comes from.
    pub origin: Origin,
    /// The node that declares it, if one does.
    pub node: Option<NodeId>,
}

impl<T> Sourced<T> {
    /// A value that is not declared.
    pub fn default_of(value: T) -> Self {
        Self {
            value,
            origin: Origin::Default,
            node: None,
        }
    }

    /// Another value of the same origin.
    pub fn map<U>(self, change: impl FnOnce(T) -> U) -> Sourced<U> {
        Sourced {
            value: change(self.value),
            origin: self.origin,
            node: self.node,
        }
    }

    /// Its position in the manifest, if declared.
    pub fn place(&self, manifest: &Manifest) -> Option<Place> {
        self.node.map(|node| manifest.document.place(node))
    }
}

fn sourced<T>(value: T, node: NodeId, origin: Origin) -> Sourced<T> {
    Sourced {
        value,
        origin,
        node: Some(node),
    }
}

/// What holds for one unit.
#[derive(Clone, Debug)]
pub struct Effective<'m> {
    /// The language of its content.
    pub language: Option<Sourced<&'m str>>,
    /// The licence of its content.
    pub license: Option<Sourced<&'m License>>,
    /// What agents may do with its content.
    pub indexing: Option<Sourced<&'m Indexing>>,
    /// What its content costs.
    pub payment: Option<Sourced<&'m Payment>>,
    /// How often one may ask for it.
    pub rate_limits: Option<Sourced<&'m RateLimits>>,
    /// When it is stale.
    pub freshness: Option<Sourced<&'m FreshnessPolicy>>,
    /// For whom it is how confidential.
    pub visibility: Option<Sourced<&'m Visibility>>,
    /// What agents may do by themselves, as declared.
    pub authority: Option<Sourced<&'m Authority>>,
    /// How it was found, field by field.
    pub discovery: DiscoveryView<'m>,
    /// What the law asks for, field by field.
    pub compliance: ComplianceView<'m>,
    /// How far access may be passed on: the tighter of what unit and manifest say.
    pub delegation: DelegationView<'m>,
    /// How confidential it is for an unknown agent; none if not declared.
    pub sensitivity: Option<Sourced<Sensitivity>>,
    /// Who may read it.
    pub access: Sourced<Word<AccessLevel>>,
}

/// How a unit was found.
#[derive(Clone, Debug)]
// No doc comment: each field is called as in the text, which says what it is.
pub struct DiscoveryView<'m> {
    pub verification_status: Sourced<Word<VerificationStatus>>,
    pub source: Sourced<Word<DiscoverySource>>,
    pub observed_at: Option<Sourced<Date>>,
    pub verified_at: Option<Sourced<Date>>,
    pub confidence: Sourced<f64>,
    pub contradicted_by: Option<Sourced<&'m str>>,
}

/// What the law asks for.
#[derive(Clone, Debug)]
// No doc comment: each field is called as in the text, which says what it is.
pub struct ComplianceView<'m> {
    pub data_residency: Option<Sourced<&'m Residency>>,
    pub regulations: Option<Sourced<&'m List>>,
    /// As declared. For the sensitivity of the unit use [`Effective::sensitivity`], where the unit's own value has precedence over the manifest's.
    pub sensitivity: Option<Sourced<Word<Sensitivity>>>,
    pub restrictions: Option<Sourced<&'m List>>,
}

/// How far access may be passed on.
#[derive(Clone, Debug)]
// No doc comment: each field is called as in the text, which says what it is.
pub struct DelegationView<'m> {
    /// None means unlimited.
    pub max_depth: Option<Sourced<u64>>,
    pub require_capability_attenuation: Sourced<bool>,
    pub audit_chain: Sourced<bool>,
    /// Whether a human has to approve.
    pub approval_required: Sourced<bool>,
    pub approval_mechanism: Option<Sourced<Word<ApprovalMechanism>>>,
    pub docs_url: Option<Sourced<&'m str>>,
}

/// What holds for a unit; for a number that no unit has, what the manifest says of a unit that declares nothing.
pub fn effective(m: &Manifest, u: UnitIndex) -> Effective<'_> {
    let unit = m.unit(u);
    let root = &m.root;
    Effective {
        language: replaced(unit.and_then(|unit| unit.language.as_ref()), root.language.as_ref())
            .map(|language| language.map(|text| m.text(*text))),
        license: boxed(unit.and_then(|unit| unit.license.as_ref()), root.license.as_ref()),
        indexing: boxed(unit.and_then(|unit| unit.indexing.as_ref()), root.indexing.as_ref()),
        payment: boxed(unit.and_then(|unit| unit.payment.as_ref()), root.payment.as_ref()),
        rate_limits: boxed(
            unit.and_then(|unit| unit.rate_limits.as_ref()),
            root.rate_limits.as_ref(),
        ),
        freshness: freshness(m, u),
        visibility: visibility(m, u),
        authority: boxed(unit.and_then(|unit| unit.authority.as_ref()), root.authority.as_ref()),
        discovery: discovery(m, unit),
        compliance: compliance(m, unit),
        delegation: delegation(m, unit),
        sensitivity: sensitivity(m, u),
        access: match unit.and_then(|unit| unit.access) {
            Some(access) => sourced(access.value, access.node, Origin::Unit),
            None => Sourced::default_of(Word::Known(AccessLevel::Public)),
        },
    }
}

/// How confidential a unit is for an agent of whom nothing is known: the default of the visibility that holds for it, else what the unit says, else what the manifest says.
pub fn sensitivity(m: &Manifest, u: UnitIndex) -> Option<Sourced<Sensitivity>> {
    if let Some(visibility) = visibility(m, u)
        && let (Some(default), Some(field)) = (known(&visibility.value.default), visibility.value.default)
    {
        return Some(sourced(default, field.node, visibility.origin));
    }
    flat_sensitivity(m, u)
}

/// How confidential a unit is where its visibility says nothing. The unit's two words for it rank alike, and the stricter one counts; the manifest's word ranks below both.
pub fn flat_sensitivity(m: &Manifest, u: UnitIndex) -> Option<Sourced<Sensitivity>> {
    let of = |field: Option<&Field<Word<Sensitivity>>>, origin| {
        let field = field?.as_ref()?;
        field.value.known().map(|value| sourced(value, field.node, origin))
    };
    let unit = m.unit(u);
    let own = of(unit.map(|unit| &unit.sensitivity), Origin::Unit);
    let block = unit.and_then(|unit| unit.compliance.as_ref());
    let lawful = of(block.map(|block| &block.value.sensitivity), Origin::Unit);
    match (own, lawful) {
        (Some(own), Some(lawful)) if lawful.value > own.value => Some(lawful),
        (Some(own), _) => Some(own),
        (None, Some(lawful)) => Some(lawful),
        (None, None) => of(
            m.root.compliance.as_ref().map(|block| &block.value.sensitivity),
            Origin::Root,
        ),
    }
}

/// The visibility that holds for a unit: its own, whole, or the manifest's.
pub fn visibility(m: &Manifest, u: UnitIndex) -> Option<Sourced<&Visibility>> {
    boxed(
        m.unit(u).and_then(|unit| unit.visibility.as_ref()),
        m.root.visibility.as_ref(),
    )
}

/// The rule of freshness that holds for a unit: its own, whole, or the manifest's.
pub fn freshness(m: &Manifest, u: UnitIndex) -> Option<Sourced<&FreshnessPolicy>> {
    boxed(
        m.unit(u).and_then(|unit| unit.freshness_policy.as_ref()),
        m.root.freshness_policy.as_ref(),
    )
}

impl Effective<'_> {
    /// The price tier of the content; default `free`.
    pub fn tier(&self) -> Sourced<Word<Tier>> {
        match self.payment.and_then(|payment| {
            let tier = payment.value.default_tier?;
            Some(sourced(tier.value, tier.node, payment.origin))
        }) {
            Some(tier) => tier,
            None => Sourced::default_of(Word::Known(Tier::Free)),
        }
    }

    /// What agents may do of an action by themselves, before any condition. A block that says nothing of an action, or not in a word of the list, leaves it to the safe default.
    pub fn authority_of(&self, m: &Manifest, action: &str) -> Sourced<AuthorityLevel> {
        let declared = self.authority.and_then(|authority| {
            let (level, node) = level_in(m, authority.value, action)?;
            Some(sourced(level, node, authority.origin))
        });
        declared.unwrap_or_else(|| Sourced::default_of(safe_default(action)))
    }
}

/// What a block says of an action, in a word of the list.
pub fn level_in(m: &Manifest, authority: &Authority, action: &str) -> Option<(AuthorityLevel, NodeId)> {
    let permitted = authority
        .actions
        .iter()
        .find(|permitted| m.text(permitted.action) == action)?;
    let level = permitted.level.value.known()?;
    Some((level, permitted.level.node))
}

/// The authority for an action that is not declared.
pub fn safe_default(action: &str) -> AuthorityLevel {
    match Action::from_word(action) {
        Some(Action::Read | Action::Summarize) => AuthorityLevel::Initiative,
        Some(Action::Modify | Action::ShareExternally | Action::Execute) | None => AuthorityLevel::Denied,
    }
}

/// The unit's value, whole, or the manifest's.
fn replaced<'m, T>(unit: Option<&'m Declared<T>>, root: Option<&'m Declared<T>>) -> Option<Sourced<&'m T>> {
    let from = |field: &'m Declared<T>, origin| sourced(&field.value, field.node, origin);
    unit.map(|field| from(field, Origin::Unit))
        .or_else(|| root.map(|field| from(field, Origin::Root)))
}

/// As [`replaced`], for blocks that units keep apart.
fn boxed<'m, T>(unit: Option<&'m Declared<Box<T>>>, root: Option<&'m Declared<T>>) -> Option<Sourced<&'m T>> {
    match unit {
        Some(field) => Some(sourced(field.value.as_ref(), field.node, Origin::Unit)),
        None => root.map(|field| sourced(&field.value, field.node, Origin::Root)),
    }
}

/// One field of a block that is merged field by field.
fn merged<'m, B, T>(
    unit: Option<&'m B>,
    root: Option<&'m B>,
    field: impl Fn(&'m B) -> &'m Field<T>,
) -> Option<Sourced<&'m T>> {
    replaced(
        unit.and_then(|block| field(block).as_ref()),
        root.and_then(|block| field(block).as_ref()),
    )
}

fn discovery<'m>(m: &'m Manifest, unit: Option<&'m Unit>) -> DiscoveryView<'m> {
    let own: Option<&Discovery> = unit.and_then(|unit| unit.discovery.as_ref()).map(|block| &*block.value);
    let root = m.root.discovery.as_ref().map(|block| &block.value);
    let status = merged(own, root, |block| &block.verification_status);
    let source = merged(own, root, |block| &block.source);
    let confidence = merged(own, root, |block| &block.confidence);
    DiscoveryView {
        verification_status: status.map_or_else(
            || Sourced::default_of(Word::Known(VerificationStatus::Verified)),
            |status| status.map(|word| *word),
        ),
        source: source.map_or_else(
            || Sourced::default_of(Word::Known(DiscoverySource::Manual)),
            |source| source.map(|word| *word),
        ),
        observed_at: merged(own, root, |block| &block.observed_at).map(|date| date.map(|date| *date)),
        verified_at: merged(own, root, |block| &block.verified_at).map(|date| date.map(|date| *date)),
        confidence: confidence.map_or_else(|| Sourced::default_of(1.0), |confidence| confidence.map(|value| *value)),
        contradicted_by: text(m, merged(own, root, |block| &block.contradicted_by)),
    }
}

fn compliance<'m>(m: &'m Manifest, unit: Option<&'m Unit>) -> ComplianceView<'m> {
    let own: Option<&Compliance> = unit
        .and_then(|unit| unit.compliance.as_ref())
        .map(|block| &*block.value);
    let root = m.root.compliance.as_ref().map(|block| &block.value);
    ComplianceView {
        data_residency: merged(own, root, |block| &block.data_residency),
        regulations: merged(own, root, |block| &block.regulations),
        sensitivity: merged(own, root, |block| &block.sensitivity).map(|word| word.map(|word| *word)),
        restrictions: merged(own, root, |block| &block.restrictions),
    }
}

fn delegation<'m>(m: &'m Manifest, unit: Option<&'m Unit>) -> DelegationView<'m> {
    let own: Option<&Delegation> = unit
        .and_then(|unit| unit.delegation.as_ref())
        .map(|block| &*block.value);
    let root = m.root.delegation.as_ref().map(|block| &block.value);
    let depth = |block: Option<&Delegation>, origin| {
        let depth = block?.max_depth?;
        Some(sourced(depth.value, depth.node, origin))
    };
    let depths = (depth(own, Origin::Unit), depth(root, Origin::Root));
    let approval = |block: Option<&'m Delegation>| block?.human_in_the_loop.as_ref().map(|block| &block.value);
    let (own_approval, root_approval) = (approval(own), approval(root));
    DelegationView {
        max_depth: match depths {
            (Some(own), Some(root)) if root.value < own.value => Some(root),
            (own, root) => own.or(root),
        },
        require_capability_attenuation: either(own, root, |block| &block.require_capability_attenuation),
        audit_chain: either(own, root, |block| &block.audit_chain),
        approval_required: either(own_approval, root_approval, |block| &block.required),
        approval_mechanism: merged(own_approval, root_approval, |block| &block.approval_mechanism)
            .map(|word| word.map(|word| *word)),
        docs_url: text(m, merged(own_approval, root_approval, |block| &block.docs_url)),
    }
}

/// A demand that holds if the unit or the manifest makes it.
fn either<'m, B>(unit: Option<&'m B>, root: Option<&'m B>, field: impl Fn(&'m B) -> &'m Field<bool>) -> Sourced<bool> {
    let own = unit.and_then(|block| field(block).as_ref());
    let of_root = root.and_then(|block| field(block).as_ref());
    match (own, of_root) {
        (Some(own), Some(root)) if root.value && !own.value => sourced(true, root.node, Origin::Root),
        (Some(own), _) => sourced(own.value, own.node, Origin::Unit),
        (None, Some(root)) => sourced(root.value, root.node, Origin::Root),
        (None, None) => Sourced::default_of(false),
    }
}

fn text<'m>(m: &'m Manifest, value: Option<Sourced<&'m Text>>) -> Option<Sourced<&'m str>> {
    value.map(|value| value.map(|text| m.text(*text)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{UNIT, manifest};

    const FIRST: UnitIndex = UnitIndex(0);

    /// A manifest whose unit has some lines more, and its root too.
    fn with(unit: &str, root: &str) -> Manifest {
        let unit: String = unit.lines().map(|line| format!("    {line}\n")).collect();
        manifest(&format!("{UNIT}{unit}{root}"))
    }

    /// What a function says of the only unit: `value from origin at line`.
    fn told<T>(m: &Manifest, value: Option<Sourced<T>>, show: impl Fn(T) -> String) -> String {
        match value {
            None => "nothing".to_owned(),
            Some(value) => {
                let place = value.place(m).map(|place| format!(" at {}", place.line));
                let origin = value.origin.name();
                format!("{} from {origin}{}", show(value.value), place.unwrap_or_default())
            }
        }
    }

    fn sensitivity_of(unit: &str, root: &str) -> String {
        let m = with(unit, root);
        told(&m, sensitivity(&m, FIRST), |word| word.word().to_owned())
    }

    #[test]
    fn i1_a_units_block_replaces_the_manifests_whole() {
        let m = with(
            "language: de\nrate_limits: {default: {requests_per_minute: 3}}\nfreshness_policy: {on_stale: block}\nlicense: MIT\nindexing: open\npayment: {}\nauthority: {read: denied}\nvisibility: {}\n",
            "language: en\nrate_limits: {default: {requests_per_minute: 9, requests_per_day: 90}}\nfreshness_policy: {max_age_days: 1, review_contact: x}\nlicense: {spdx: MIT, attribution_required: true}\n\
             indexing: none\npayment: {default_tier: metered}\nauthority: {modify: initiative}\nvisibility: {default: internal}\n",
        );
        let e = effective(&m, FIRST);
        assert_eq!(told(&m, e.language, str::to_owned), "de from unit at 10");
        let limits = e.rate_limits.unwrap();
        assert_eq!(limits.value.requests_per_minute.map(|field| field.value), Some(3));
        assert!(limits.value.requests_per_day.is_none() && limits.origin == Origin::Unit);
        let freshness = e.freshness.unwrap().value;
        assert!(freshness.max_age_days.is_none() && freshness.review_contact.is_none());
        assert!(matches!(e.license.unwrap().value, License::Name(_)));
        assert!(matches!(e.indexing.unwrap().value, Indexing::Word(Word::Known(_))));
        assert_eq!(
            told(&m, Some(e.tier()), |tier| m.word(tier).to_owned()),
            "free from default"
        );
        assert_eq!(e.authority_of(&m, "modify").value, AuthorityLevel::Denied);
        assert!(e.visibility.unwrap().value.default.is_none() && e.sensitivity.is_none());
    }

    #[test]
    fn i1_without_a_value_of_its_own_a_unit_has_the_manifests() {
        let m = with(
            "language: ~\nfreshness_policy: null\n",
            "language: en\nfreshness_policy: {max_age_days: 1}\nvisibility: {default: internal}\npayment: {default_tier: metered}\n",
        );
        let e = effective(&m, FIRST);
        assert_eq!(told(&m, e.language, str::to_owned), "en from root at 12");
        assert_eq!(e.freshness.unwrap().origin, Origin::Root);
        assert_eq!(e.visibility.unwrap().origin, Origin::Root);
        assert_eq!(
            told(&m, Some(e.tier()), |tier| m.word(tier).to_owned()),
            "metered from root at 15"
        );
        assert!(e.license.is_none() && e.indexing.is_none());
    }

    #[test]
    fn i2_discovery_is_merged_field_by_field() {
        let m = with(
            "discovery: {confidence: 0.4, contradicted_by: b}\n",
            "discovery: {verification_status: rumored, source: openapi, confidence: 0.9, observed_at: 2026-01-01}\n",
        );
        let e = effective(&m, FIRST).discovery;
        assert_eq!(
            told(&m, Some(e.verification_status), |word| m.word(word).to_owned()),
            "rumored from root at 11"
        );
        assert_eq!(
            told(&m, Some(e.source), |word| m.word(word).to_owned()),
            "openapi from root at 11"
        );
        assert_eq!(
            told(&m, Some(e.confidence), |value| value.to_string()),
            "0.4 from unit at 10"
        );
        assert_eq!(told(&m, e.contradicted_by, str::to_owned), "b from unit at 10");
        assert_eq!(
            told(&m, e.observed_at, |date| m.text(date.text).to_owned()),
            "2026-01-01 from root at 11"
        );
        assert!(e.verified_at.is_none());
        let m = with("", "");
        let e = effective(&m, FIRST).discovery;
        assert_eq!(
            told(&m, Some(e.verification_status), |word| m.word(word).to_owned()),
            "verified from default"
        );
        assert_eq!(
            told(&m, Some(e.confidence), |value| value.to_string()),
            "1 from default"
        );
    }

    #[test]
    fn i3_compliance_is_merged_field_by_field_and_a_list_replaces_a_list() {
        let root = "compliance: {data_residency: [EU], regulations: [GDPR, NIS2], restrictions: [no-logging]}\n";
        let m = with("compliance: {regulations: [HIPAA], restrictions: []}\n", root);
        let e = effective(&m, FIRST).compliance;
        let list = |list: &List| list.iter().map(|item| m.text(item.value)).collect::<Vec<_>>().join(" ");
        assert_eq!(told(&m, e.regulations, list), "HIPAA from unit at 10");
        assert_eq!(told(&m, e.restrictions, list), " from unit at 10");
        assert_eq!(
            told(&m, e.data_residency, |residency| list(&residency.regions)),
            "EU from root at 11"
        );
    }

    #[test]
    fn a18_a_unit_that_lowers_its_sensitivity_keeps_the_manifests_restrictions() {
        let m = with(
            "compliance: {sensitivity: public}\n",
            "compliance: {sensitivity: restricted, restrictions: [no-external-llm]}\n",
        );
        let e = effective(&m, FIRST);
        assert_eq!(e.compliance.restrictions.map(|list| list.value.len()), Some(1));
        assert_eq!(e.sensitivity.map(|word| word.value), Some(Sensitivity::Public));
    }

    #[test]
    fn i4_delegation_is_merged_to_the_tighter_of_both() {
        let shown = |unit: &str, root: &str| {
            let m = with(unit, root);
            let e = effective(&m, FIRST).delegation;
            let flag = |flag: Sourced<bool>| format!("{}/{}", flag.value, flag.origin.name());
            format!(
                "{} {} {} {} {} {}",
                told(&m, e.max_depth, |depth| depth.to_string()),
                flag(e.require_capability_attenuation),
                flag(e.audit_chain),
                flag(e.approval_required),
                told(&m, e.approval_mechanism, |word| m.word(word).to_owned()),
                told(&m, e.docs_url, str::to_owned)
            )
        };
        assert_eq!(
            shown("", ""),
            "nothing false/default false/default false/default nothing nothing"
        );
        assert_eq!(
            shown(
                "delegation: {max_depth: 1}\n",
                "delegation: {max_depth: 3, audit_chain: true}\n"
            ),
            "1 from unit at 10 false/default true/root false/default nothing nothing"
        );
        assert_eq!(
            shown(
                "delegation: {require_capability_attenuation: true}\n",
                "delegation: {max_depth: 3}\n"
            ),
            "3 from root at 11 true/unit false/default false/default nothing nothing"
        );
    }

    #[test]
    fn a13_a_unit_cannot_relax_what_the_manifest_asks_of_delegation() {
        let m = with(
            "delegation: {max_depth: 9, audit_chain: false, require_capability_attenuation: false, human_in_the_loop: {required: false, approval_mechanism: uma}}\n",
            "delegation: {max_depth: 2, audit_chain: true, require_capability_attenuation: true, human_in_the_loop: {required: true, approval_mechanism: oauth_consent, docs_url: \"https://x\"}}\n",
        );
        let e = effective(&m, FIRST).delegation;
        assert_eq!(
            e.max_depth.map(|depth| (depth.value, depth.origin)),
            Some((2, Origin::Root))
        );
        for flag in [e.require_capability_attenuation, e.audit_chain, e.approval_required] {
            assert_eq!((flag.value, flag.origin), (true, Origin::Root));
        }
        assert_eq!(
            told(&m, e.approval_mechanism, |word| m.word(word).to_owned()),
            "uma from unit at 10"
        );
        assert_eq!(told(&m, e.docs_url, str::to_owned), "https://x from root at 11");
    }

    #[test]
    fn i5_trust_and_auth_are_the_manifests_alone() {
        let m = with(
            "trust: {audit: {agent_must_log: true}}\nauth: {methods: [{type: none}]}\n",
            "project_trust: x\n",
        );
        assert!(m.root.trust.is_none() && m.root.auth.is_none());
    }

    #[test]
    fn i6_hints_of_the_manifest_are_none_of_its_units() {
        let m = with("", "hints: {total_token_estimate: 10, load_strategy: eager}\n");
        assert!(m.units[0].hints.is_none() && m.root.hints.is_some());
    }

    #[test]
    fn a10_of_a_units_two_sensitivities_the_stricter_counts_and_the_manifests_is_the_last() {
        assert_eq!(sensitivity_of("", ""), "nothing");
        let root = "compliance: {sensitivity: internal}\n";
        assert_eq!(sensitivity_of("", root), "internal from root at 10");
        assert_eq!(sensitivity_of("sensitivity: public\n", root), "public from unit at 10");
        assert_eq!(
            sensitivity_of("sensitivity: public\ncompliance: {sensitivity: confidential}\n", root),
            "confidential from unit at 11"
        );
        assert_eq!(
            sensitivity_of(
                "sensitivity: restricted\ncompliance: {sensitivity: confidential}\n",
                root
            ),
            "restricted from unit at 10"
        );
        assert_eq!(
            sensitivity_of("sensitivity: secret\n", root),
            "internal from root at 11"
        );
    }

    #[test]
    fn a11_the_visibility_of_the_manifest_outranks_the_sensitivity_of_a_unit() {
        let root = "visibility: {default: internal}\n";
        assert_eq!(
            sensitivity_of("sensitivity: public\n", root),
            "internal from root at 11"
        );
        assert_eq!(
            sensitivity_of("sensitivity: public\nvisibility: {default: restricted}\n", root),
            "restricted from unit at 11"
        );
        assert_eq!(
            sensitivity_of("sensitivity: public\nvisibility: {}\n", root),
            "public from unit at 10"
        );
        assert_eq!(
            sensitivity_of("sensitivity: public\n", "visibility: {default: secret}\n"),
            "public from unit at 10"
        );
    }

    #[test]
    fn a38_what_a_block_does_not_say_is_left_to_the_safe_default() {
        let levels = |unit: &str, root: &str| {
            let m = with(unit, root);
            let e = effective(&m, FIRST);
            let actions = ["read", "summarize", "modify", "share_externally", "execute", "print"];
            let shown = actions.map(|action| {
                let level = e.authority_of(&m, action);
                format!("{}/{}", level.value.word(), level.origin.name())
            });
            shown.join(" ")
        };
        assert_eq!(
            levels("", ""),
            "initiative/default initiative/default denied/default denied/default denied/default denied/default"
        );
        assert_eq!(
            levels(
                "authority: {read: requires_approval, print: initiative}\n",
                "authority: {modify: requires_approval}\n"
            ),
            "requires_approval/unit initiative/default denied/default denied/default denied/default initiative/unit"
        );
        assert_eq!(
            levels("", "authority: {modify: requires_approval, execute: maybe}\n"),
            "initiative/default initiative/default requires_approval/root denied/default denied/default denied/default"
        );
    }

    #[test]
    fn a_number_that_no_unit_has_is_judged_by_the_manifest_alone() {
        let m = with("access: restricted\n", "delegation: {max_depth: 3}\n");
        let e = effective(&m, UnitIndex(9));
        assert_eq!(e.delegation.max_depth.map(|depth| depth.value), Some(3));
        assert_eq!(e.access.value, Word::Known(AccessLevel::Public));
    }
}
