//! Who may do what: authentication, delegation, compliance, visibility, authority, discovery (clauses E7 to E9, W15 to W21, W27, W28, rulings A9 to A13).

use std::collections::HashSet;

use super::check::Checker;
use crate::finding::{Code, shown};
use crate::model::{
    Auth, AuthMethod, Authority, Compliance, Condition, Declared, Delegation, Discovery, Field, Unit, Visibility,
    is_true, known,
};
use crate::vocabulary::{AccessLevel, ApprovalMechanism, AuthType, Restriction, VerificationStatus, Vocabulary};

/// Above this what is rumored is too sure of itself.
const RUMORED_BELOW: f64 = 0.5;
/// Below this what is verified is not sure enough.
const VERIFIED_FROM: f64 = 0.8;
/// The confidence where none is declared.
const CONFIDENCE: f64 = 1.0;

impl<'m> Checker<'m> {
    pub(super) fn governance(&mut self) {
        let root = &self.manifest.root;
        self.provenance();
        if let Some(auth) = &root.auth {
            self.auth(&auth.value, "auth");
        }
        self.delegation(root.delegation.as_ref().map(|block| &block.value));
        self.compliance(root.compliance.as_ref().map(|block| &block.value));
        if let Some(visibility) = &root.visibility {
            self.visibility(&visibility.value);
        }
        if let Some(authority) = &root.authority {
            self.authority(&authority.value, "authority");
        }
        self.discovery(root.discovery.as_ref().map(|block| &block.value));
        self.unprotected();
        self.each_unit(|checker, unit| {
            if let (Some(scope), true) = (
                &unit.auth_scope,
                unit.access_or_default() != Some(AccessLevel::Restricted),
            ) {
                let message = "`auth_scope` has no effect: the access is not restricted".to_owned();
                checker.tell(
                    Code::AuthScopeUnused,
                    scope.node,
                    "auth_scope",
                    message,
                    "write `access: restricted`, or remove the scope",
                );
            }
            let delegation = unit.delegation.as_ref().map(|block| block.value.as_ref());
            checker.delegation(delegation);
            checker.relaxed(delegation);
            checker.compliance(unit.compliance.as_ref().map(|block| block.value.as_ref()));
            checker.sensitivities(unit);
            if let Some(visibility) = &unit.visibility {
                checker.visibility(&visibility.value);
            }
            if let Some(authority) = &unit.authority {
                checker.authority(&authority.value, "authority");
            }
            checker.discovery(unit.discovery.as_ref().map(|block| block.value.as_ref()));
        });
    }

    fn provenance(&mut self) {
        let trust = self.manifest.root.trust.as_ref();
        let provenance = trust.and_then(|trust| trust.value.provenance.as_ref());
        if let Some(field) = provenance.and_then(|provenance| provenance.value.publisher_url) {
            let url = self.manifest.text(field.value);
            if !url.starts_with("https://") {
                let message = format!("the publisher's address `{}` is not https", shown(url));
                self.tell(
                    Code::PublisherUrl,
                    field.node,
                    "trust.provenance.publisher_url",
                    message,
                    "write an https address",
                );
            }
        }
    }

    /// Ways to prove who one is, of the manifest or of another one.
    pub(super) fn auth(&mut self, auth: &Auth, field: &str) {
        let Some(methods) = &auth.methods else { return };
        let is_known = |method: &Declared<AuthMethod>| known(&method.value.kind).is_some();
        if !methods.value.is_empty() && !methods.value.iter().any(is_known) {
            let message = "no method has a known type".to_owned();
            self.tell(
                Code::AuthMethodsUnknown,
                methods.node,
                &format!("{field}.methods"),
                message,
                "known types are none, oauth2 and api_key",
            );
        }
        for (number, method) in methods.value.iter().enumerate() {
            let (node, method) = (method.node, &method.value);
            let issuer = self.text(&method.issuer);
            let lacks = match (&method.kind, known(&method.kind)) {
                (None, _) => Some(("a method has no `type`", "known types are none, oauth2 and api_key")),
                (_, Some(AuthType::Oauth2)) if issuer.is_none_or(|issuer| !issuer.starts_with("https://")) => {
                    Some(("the oauth2 method has no https `issuer`", "write `issuer: https://…`"))
                }
                (_, Some(AuthType::ApiKey))
                    if self.text(&method.header).is_none_or(|header| header.trim().is_empty()) =>
                {
                    Some((
                        "the api_key method has no `header`",
                        "write the name of the header with the key",
                    ))
                }
                _ => None,
            };
            if let Some((message, hint)) = lacks {
                let field = format!("{field}.methods[{number}]");
                self.tell(Code::AuthMethodIncomplete, node, &field, message.to_owned(), hint);
            }
        }
    }

    /// Protected units in a manifest without authentication methods: reported once, at the first unit.
    fn unprotected(&mut self) {
        let auth = self.manifest.root.auth.as_ref();
        let methods = auth.and_then(|auth| auth.value.methods.as_ref());
        if methods.is_some_and(|methods| !methods.value.is_empty()) {
            return;
        }
        let is_protected = |unit: &Unit| {
            matches!(
                known(&unit.access),
                Some(AccessLevel::Authenticated | AccessLevel::Restricted)
            )
        };
        let found = self
            .manifest
            .units
            .iter()
            .enumerate()
            .find(|(_, unit)| is_protected(unit));
        if let Some((number, unit)) = found {
            self.unit = Some((number, unit));
            let node = unit.access.map_or(unit.node, |access| access.node);
            let message = "units are protected, and the manifest declares no authentication method".to_owned();
            self.tell(
                Code::AuthMissing,
                node,
                "access",
                message,
                "declare `auth.methods` for the manifest",
            );
            self.unit = None;
        }
    }

    fn delegation(&mut self, delegation: Option<&Delegation>) {
        let Some(human) = delegation.and_then(|delegation| delegation.human_in_the_loop.as_ref()) else {
            return;
        };
        let field = "delegation.human_in_the_loop.approval_mechanism";
        self.unknown(
            Code::ApprovalMechanismUnknown,
            &human.value.approval_mechanism,
            field,
            "approval mechanism",
        );
        if let (Some(mechanism), Some(ApprovalMechanism::Custom), None) = (
            &human.value.approval_mechanism,
            known(&human.value.approval_mechanism),
            &human.value.docs_url,
        ) {
            let message = "a custom approval does not say where it is described".to_owned();
            self.tell(
                Code::DocsUrlMissing,
                mechanism.node,
                field,
                message,
                "write `docs_url: https://…`",
            );
        }
    }

    /// A unit may ask for more than the manifest does, never for less.
    fn relaxed(&mut self, delegation: Option<&Delegation>) {
        let (Some(root), Some(unit)) = (&self.manifest.root.delegation, delegation) else {
            return;
        };
        let root = &root.value;
        if let (Some(own), Some(most)) = (&unit.max_depth, &root.max_depth)
            && own.value > most.value
        {
            let message = format!("`max_depth` is {}, but the manifest allows {}", own.value, most.value);
            self.tell(
                Code::DelegationDepth,
                own.node,
                "delegation.max_depth",
                message,
                "a unit may be stricter than the manifest, not freer",
            );
        }
        let required = |delegation: &Delegation| {
            delegation
                .human_in_the_loop
                .as_ref()
                .and_then(|human| human.value.required)
        };
        let flags = [
            (
                "require_capability_attenuation",
                unit.require_capability_attenuation,
                root.require_capability_attenuation,
            ),
            ("audit_chain", unit.audit_chain, root.audit_chain),
            ("human_in_the_loop.required", required(unit), required(root)),
        ];
        for (name, own, most) in flags {
            if let (Some(own), true) = (own.filter(|own| !own.value), is_true(&most)) {
                let message = format!("`{name}` is false, but true in the manifest; the manifest counts");
                self.tell(
                    Code::DelegationRelaxed,
                    own.node,
                    &format!("delegation.{name}"),
                    message,
                    "remove it from the unit, or from the manifest",
                );
            }
        }
    }

    fn compliance(&mut self, compliance: Option<&Compliance>) {
        let Some(compliance) = compliance else { return };
        self.unknown(
            Code::ComplianceSensitivity,
            &compliance.sensitivity,
            "compliance.sensitivity",
            "sensitivity",
        );
        let Some(restrictions) = &compliance.restrictions else {
            return;
        };
        let has = |wanted| {
            let mut all = restrictions.value.iter();
            all.any(|word| Restriction::from_spelling(self.manifest.text(word.value)) == Some(wanted))
        };
        if has(Restriction::NoLogging) && has(Restriction::AuditRequired) {
            let message = "no-logging and audit-required are both declared; nothing is logged".to_owned();
            self.tell(
                Code::RestrictionsConflict,
                restrictions.node,
                "compliance.restrictions",
                message,
                "remove one of the two",
            );
        }
    }

    fn sensitivities(&mut self, unit: &Unit) {
        let Some(own) = &unit.sensitivity else { return };
        let of_compliance = unit
            .compliance
            .as_ref()
            .and_then(|block| known(&block.value.sensitivity));
        if let (Some(one), Some(other)) = (own.value.known(), of_compliance)
            && one != other
        {
            let stricter = one.max(other).word();
            let message = format!(
                "`sensitivity` is {} and `compliance.sensitivity` {}; {stricter} counts",
                one.word(),
                other.word()
            );
            self.tell(
                Code::SensitivitiesDiffer,
                own.node,
                "sensitivity",
                message,
                "declare it once",
            );
        }
        let inherited = self
            .manifest
            .root
            .visibility
            .as_ref()
            .filter(|_| unit.visibility.is_none());
        let default = inherited.and_then(|visibility| known(&visibility.value.default));
        if let Some(default) = default.filter(|default| own.value.known().is_some_and(|own| own != *default)) {
            let message = format!(
                "the manifest's `visibility.default`, {}, counts instead of the unit's `sensitivity`",
                default.word()
            );
            self.tell(
                Code::SensitivityShadowed,
                own.node,
                "sensitivity",
                message,
                "give the unit a `visibility` of its own",
            );
        }
    }

    fn visibility(&mut self, visibility: &Visibility) {
        self.unknown(
            Code::VisibilityUnknown,
            &visibility.default,
            "visibility.default",
            "sensitivity",
        );
        let mut seen = HashSet::new();
        for (number, condition) in visibility.conditions.iter().enumerate() {
            let field = format!("visibility.conditions[{number}]");
            self.condition(condition, &field);
            if let Some(asked) = self.asked(condition)
                && !seen.insert(asked)
            {
                let message = "an earlier condition has the same `when`, so this one never applies".to_owned();
                self.tell(
                    Code::ConditionUnreachable,
                    condition.node,
                    &field,
                    message,
                    "remove one of the two",
                );
            }
        }
    }

    fn condition(&mut self, condition: &Condition, field: &str) {
        for (name, is_there) in [("when", condition.when.is_some()), ("then", condition.then.is_some())] {
            if !is_there {
                let message = format!("the condition has no `{name}`");
                self.tell(
                    Code::ConditionIncomplete,
                    condition.node,
                    field,
                    message,
                    "a condition has `when` and `then`",
                );
            }
        }
        for key in condition.when.iter().flat_map(|when| &when.value.unknown) {
            let message =
                "the condition has a key other than environment and agent_role, so it never matches".to_owned();
            self.tell(
                Code::ConditionKey,
                *key,
                &format!("{field}.when"),
                message,
                "use `environment` or `agent_role`",
            );
        }
        if let Some(then) = &condition.then {
            self.unknown(
                Code::VisibilityUnknown,
                &then.value.sensitivity,
                &format!("{field}.then.sensitivity"),
                "sensitivity",
            );
            if let Some(authority) = &then.value.authority {
                self.authority(&authority.value, &format!("{field}.then.authority"));
            }
        }
    }

    /// What a condition asks for, in a form that can be compared; none if it never matches anyway.
    fn asked(&self, condition: &Condition) -> Option<[Option<Vec<&'m str>>; 2]> {
        let when = &condition.when.as_ref()?.value;
        let words = |list: &Field<crate::model::List>| {
            list.as_ref().map(|list| {
                let mut words: Vec<&str> = list.value.iter().map(|word| self.manifest.text(word.value)).collect();
                words.sort_unstable();
                words.dedup();
                words
            })
        };
        when.unknown
            .is_empty()
            .then(|| [words(&when.environment), words(&when.agent_role)])
    }

    fn authority(&mut self, authority: &Authority, field: &str) {
        for permitted in &authority.actions {
            let action = shown(self.manifest.text(permitted.action));
            self.unknown(
                Code::AuthorityUnknown,
                &Some(permitted.level),
                &format!("{field}.{action}"),
                "level of authority",
            );
        }
    }

    /// The block of the manifest by itself, or of a unit with what it inherits.
    fn discovery(&mut self, own: Option<&Discovery>) {
        let Some(own) = own else { return };
        let root = self.manifest.root.discovery.as_ref().map(|block| &block.value);
        self.unknown(
            Code::DiscoveryUnknown,
            &own.verification_status,
            "discovery.verification_status",
            "verification status",
        );
        self.unknown(
            Code::DiscoveryUnknown,
            &own.source,
            "discovery.source",
            "source of a discovery",
        );
        self.day(&own.observed_at, "discovery.observed_at");
        self.day(&own.verified_at, "discovery.verified_at");
        if let Some(confidence) = own
            .confidence
            .filter(|confidence| !(0.0..=1.0).contains(&confidence.value))
        {
            let message = format!("a confidence of {} is not between 0 and 1", confidence.value);
            self.tell(
                Code::Confidence,
                confidence.node,
                "discovery.confidence",
                message,
                "write a number from 0 to 1",
            );
        }
        let status = own
            .verification_status
            .or(root.and_then(|root| root.verification_status));
        let confidence = own.confidence.or(root.and_then(|root| root.confidence));
        let verified_at = own.verified_at.or(root.and_then(|root| root.verified_at));
        let sure = confidence.map_or(CONFIDENCE, |confidence| confidence.value);
        self.contradicted(own);
        // Values of the manifest alone are reported there, once.
        let of_own = own
            .confidence
            .map(|field| field.node)
            .or(own.verification_status.map(|field| field.node));
        let Some(node) = of_own.or(own.verified_at.map(|field| field.node)) else {
            return;
        };
        match status.and_then(|status| status.value.known()) {
            Some(VerificationStatus::Rumored) if sure >= RUMORED_BELOW => {
                let said = if confidence.is_some() {
                    format!("{sure}")
                } else {
                    format!("{CONFIDENCE}, the default")
                };
                let message =
                    format!("the unit is rumored and has a confidence of {said}; it must be below {RUMORED_BELOW}");
                self.tell(
                    Code::RumoredConfidence,
                    node,
                    "discovery.confidence",
                    message,
                    "lower the confidence, or verify the unit",
                );
            }
            Some(VerificationStatus::Verified) if sure < VERIFIED_FROM => {
                let message = format!(
                    "the unit is verified and has a confidence of {sure}; it should be {VERIFIED_FROM} or more"
                );
                self.tell(
                    Code::VerifiedConfidence,
                    node,
                    "discovery.confidence",
                    message,
                    "raise the confidence, or say `observed`",
                );
            }
            _ => {}
        }
        if let (Some(at), Some(VerificationStatus::Rumored | VerificationStatus::Observed)) =
            (verified_at, status.and_then(|status| status.value.known()))
        {
            let message = "`verified_at` is set, but the status is not `verified`".to_owned();
            self.tell(
                Code::VerifiedAt,
                at.node,
                "discovery.verified_at",
                message,
                "write `verification_status: verified`, or remove the date",
            );
        }
    }

    fn contradicted(&mut self, own: &Discovery) {
        let (Some(field), Some(id)) = (&own.contradicted_by, self.text(&own.contradicted_by)) else {
            return;
        };
        let name = "discovery.contradicted_by";
        let own_id = self.unit.and_then(|(_, unit)| self.manifest.id(unit));
        if own_id == Some(id) {
            let message = "the unit contradicts itself".to_owned();
            return self.tell(Code::ContradictedBy, field.node, name, message, "name another unit");
        }
        let Some(other) = self.ids.get(id).and_then(|index| self.manifest.unit(*index)) else {
            return self.reference(Code::ContradictedBy, &own.contradicted_by, name);
        };
        let back = other
            .discovery
            .as_ref()
            .and_then(|block| self.text(&block.value.contradicted_by));
        if own_id.is_some() && back != own_id {
            let message = format!("`{}` does not say that it is contradicted by this unit", shown(id));
            self.tell(
                Code::ContradictionNotMutual,
                field.node,
                name,
                message,
                "declare the contradiction on both sides",
            );
        }
    }
}
