//! The blocks that the manifest and its units share (clauses V8 to V17, P8).

use super::reader::{Reader, word};
use crate::finding::{Code, shown};
use crate::model::{
    Audit, Auth, AuthMethod, Authority, Compliance, Condition, Declared, Delegation, Discovery, Field, FreshnessPolicy,
    Hints, HumanInTheLoop, Indexing, License, Payment, Permitted, Provenance, RateLimits, Residency, RootHints, Then,
    Trust, Visibility, When,
};
use lore_base::yaml::{Node, NodeId};

impl Reader<'_> {
    pub(super) fn license(&mut self, node: NodeId) -> Field<License> {
        if let Some(scalar) = self.scalar(node) {
            return Some(Declared {
                value: License::Name(scalar.range),
                node,
            });
        }
        let (mut spdx, mut url, mut attribution_required) = (None, None, None);
        let is_mapping = self.entries(node, |reader, key, value| match key {
            "spdx" => spdx = reader.text(value),
            "url" => url = reader.text(value),
            "attribution_required" => attribution_required = reader.flag(value),
            _ => {}
        });
        if !is_mapping {
            return self.wrong(node, "a name or a mapping");
        }
        let value = License::Block {
            spdx,
            url,
            attribution_required,
        };
        Some(Declared { value, node })
    }

    pub(super) fn indexing(&mut self, node: NodeId) -> Field<Indexing> {
        if let Some(scalar) = self.scalar(node) {
            return Some(Declared {
                value: Indexing::Word(word(&scalar)),
                node,
            });
        }
        let (mut allow, mut deny, mut attribution_required) = (None, None, None);
        let is_mapping = self.entries(node, |reader, key, value| match key {
            "allow" => allow = reader.list(value),
            "deny" => deny = reader.list(value),
            "attribution_required" => attribution_required = reader.flag(value),
            _ => {}
        });
        if !is_mapping {
            return self.wrong(node, "a word or a mapping");
        }
        let value = Indexing::Block {
            allow,
            deny,
            attribution_required,
        };
        Some(Declared { value, node })
    }

    pub(super) fn hints(&mut self, node: NodeId) -> Field<Hints> {
        self.block(node, |reader, hints: &mut Hints, key, value| match key {
            "token_estimate" => hints.token_estimate = reader.whole(value),
            "token_estimate_method" => hints.token_estimate_method = reader.word(value),
            "size_bytes" => hints.size_bytes = reader.whole(value),
            "load_strategy" => hints.load_strategy = reader.word(value),
            "priority" => hints.priority = reader.word(value),
            "density" => hints.density = reader.word(value),
            "summary_available" => hints.summary_available = reader.flag(value),
            "summary_unit" => hints.summary_unit = reader.text(value),
            "summary_of" => hints.summary_of = reader.text(value),
            "partial_load_supported" => hints.partial_load_supported = reader.flag(value),
            "chunked" => hints.chunked = reader.flag(value),
            "chunk_count" => hints.chunk_count = reader.whole(value),
            "chunk_of" => hints.chunk_of = reader.text(value),
            "chunk_index" => hints.chunk_index = reader.whole(value),
            "total_chunks" => hints.total_chunks = reader.whole(value),
            "chunk_topic" => hints.chunk_topic = reader.text(value),
            _ => {}
        })
    }

    pub(super) fn root_hints(&mut self, node: NodeId) -> Field<RootHints> {
        self.block(node, |reader, hints: &mut RootHints, key, value| match key {
            "total_token_estimate" => hints.total_token_estimate = reader.whole(value),
            "unit_count" => hints.unit_count = reader.whole(value),
            "recommended_entry_point" => hints.recommended_entry_point = reader.text(value),
            "has_summaries" => hints.has_summaries = reader.flag(value),
            "has_chunks" => hints.has_chunks = reader.flag(value),
            _ => {}
        })
    }

    pub(super) fn trust(&mut self, node: NodeId) -> Field<Trust> {
        self.block(node, |reader, trust: &mut Trust, key, value| match key {
            "provenance" => {
                trust.provenance = reader.block(value, |reader, provenance: &mut Provenance, key, value| match key {
                    "publisher" => provenance.publisher = reader.text(value),
                    "publisher_url" => provenance.publisher_url = reader.text(value),
                    "contact" => provenance.contact = reader.text(value),
                    _ => {}
                });
            }
            "audit" => {
                trust.audit = reader.block(value, |reader, audit: &mut Audit, key, value| match key {
                    "agent_must_log" => audit.agent_must_log = reader.flag(value),
                    "require_trace_context" => audit.require_trace_context = reader.flag(value),
                    _ => {}
                });
            }
            _ => {}
        })
    }

    pub(super) fn auth(&mut self, node: NodeId) -> Field<Auth> {
        self.block(node, |reader, auth: &mut Auth, key, value| {
            if key != "methods" {
                return;
            }
            let mut methods = Vec::new();
            let is_list = reader.items(value, |reader, item| {
                methods.extend(
                    reader.block(item, |reader, method: &mut AuthMethod, key, value| match key {
                        "type" => method.kind = reader.word(value),
                        "issuer" => method.issuer = reader.text(value),
                        "scopes" => method.scopes = reader.list(value),
                        "header" => method.header = reader.text(value),
                        "registration_url" => method.registration_url = reader.text(value),
                        _ => {}
                    }),
                );
            });
            auth.methods = if is_list {
                Some(Declared {
                    value: methods,
                    node: value,
                })
            } else {
                reader.wrong(value, "a list of mappings")
            };
        })
    }

    pub(super) fn delegation(&mut self, node: NodeId) -> Field<Delegation> {
        self.block(node, |reader, delegation: &mut Delegation, key, value| match key {
            "max_depth" => delegation.max_depth = Some(reader.max_depth(value)),
            "require_capability_attenuation" => delegation.require_capability_attenuation = reader.flag(value),
            "audit_chain" => delegation.audit_chain = reader.flag(value),
            "human_in_the_loop" => delegation.human_in_the_loop = Some(reader.human_in_the_loop(value)),
            _ => {}
        })
    }

    /// An invalid depth counts as 0, so a mistake never grants access.
    fn max_depth(&mut self, node: NodeId) -> Declared<u64> {
        let number = self.scalar(node).and_then(|scalar| scalar.as_int());
        let value = match number.and_then(|number| u64::try_from(number).ok()) {
            Some(depth) => depth,
            None => {
                let message = "`max_depth` is not a whole number of 0 or more; it counts as 0".to_owned();
                self.tell(
                    Code::MaxDepth,
                    node,
                    message,
                    Some("write a number, or leave it out for no limit".into()),
                );
                0
            }
        };
        Declared { value, node }
    }

    /// A value that is not a mapping requires approval, unless it clearly says that none is needed.
    fn human_in_the_loop(&mut self, node: NodeId) -> Declared<HumanInTheLoop> {
        if let Node::Mapping(_) = self.document.node(node) {
            let block = self.block(node, |reader, block: &mut HumanInTheLoop, key, value| match key {
                "required" => block.required = reader.flag(value),
                "approval_mechanism" => block.approval_mechanism = reader.word(value),
                "docs_url" => block.docs_url = reader.text(value),
                _ => {}
            });
            return block.unwrap_or(Declared {
                value: HumanInTheLoop::default(),
                node,
            });
        }
        let text = self.scalar(node).map(|scalar| scalar.text.to_ascii_lowercase());
        let is_free = matches!(text.as_deref(), Some("false" | "never" | "not-required" | "no" | "off"));
        let meaning = if is_free { "no approval" } else { "required approval" };
        let message = format!("`human_in_the_loop` is not a mapping; it is read as {meaning}");
        let hint = "write `human_in_the_loop: {required: true}`";
        self.tell(Code::HumanInTheLoop, node, message, Some(hint.into()));
        let value = HumanInTheLoop {
            required: Some(Declared { value: !is_free, node }),
            ..HumanInTheLoop::default()
        };
        Declared { value, node }
    }

    pub(super) fn compliance(&mut self, node: NodeId) -> Field<Compliance> {
        self.block(node, |reader, compliance: &mut Compliance, key, value| match key {
            "data_residency" => compliance.data_residency = reader.residency(value),
            "regulations" => compliance.regulations = reader.list(value),
            "sensitivity" => compliance.sensitivity = reader.word(value),
            "restrictions" => compliance.restrictions = reader.list(value),
            _ => {}
        })
    }

    fn residency(&mut self, node: NodeId) -> Field<Residency> {
        if let Node::Mapping(_) = self.document.node(node) {
            return self.block(node, |reader, residency: &mut Residency, key, value| match key {
                "regions" => residency.regions = reader.list(value).map(|list| list.value).unwrap_or_default(),
                "hard_requirement" => residency.hard_requirement = reader.flag(value),
                _ => {}
            });
        }
        let regions = self.list(node)?.value;
        let value = Residency {
            regions,
            hard_requirement: None,
        };
        Some(Declared { value, node })
    }

    pub(super) fn payment(&mut self, node: NodeId) -> Field<Payment> {
        self.block(node, |reader, payment: &mut Payment, key, value| {
            if key == "default_tier" {
                payment.default_tier = reader.word(value);
            }
        })
    }

    pub(super) fn rate_limits(&mut self, node: NodeId) -> Field<RateLimits> {
        let mut limits = RateLimits::default();
        let is_mapping = self.entries(node, |reader, key, value| {
            if key != "default" {
                return;
            }
            let is_mapping = reader.entries(value, |reader, key, value| match key {
                "requests_per_minute" => limits.requests_per_minute = reader.rate(value, key),
                "requests_per_day" => limits.requests_per_day = reader.rate(value, key),
                _ => {}
            });
            if !is_mapping {
                reader.wrong::<()>(value, "a mapping");
            }
        });
        if is_mapping {
            Some(Declared { value: limits, node })
        } else {
            self.wrong(node, "a mapping")
        }
    }

    fn rate(&mut self, node: NodeId, name: &str) -> Field<u64> {
        let number = self.scalar(node).and_then(|scalar| scalar.as_int());
        match number
            .and_then(|number| u64::try_from(number).ok())
            .filter(|number| *number > 0)
        {
            Some(value) => Some(Declared { value, node }),
            None => {
                let message = format!("`{name}` is not a whole number of 1 or more; it is read as absent");
                self.tell(
                    Code::RateLimit,
                    node,
                    message,
                    Some("write the number of requests".into()),
                );
                None
            }
        }
    }

    pub(super) fn freshness_policy(&mut self, node: NodeId) -> Field<FreshnessPolicy> {
        self.block(node, |reader, policy: &mut FreshnessPolicy, key, value| match key {
            "max_age_days" => policy.max_age_days = reader.whole(value),
            "on_stale" => policy.on_stale = reader.word(value),
            "review_contact" => policy.review_contact = reader.text(value),
            _ => {}
        })
    }

    pub(super) fn visibility(&mut self, node: NodeId) -> Field<Visibility> {
        self.block(node, |reader, visibility: &mut Visibility, key, value| match key {
            "default" => visibility.default = reader.word(value),
            "conditions" => {
                let conditions = &mut visibility.conditions;
                let is_list = reader.items(value, |reader, item| conditions.push(reader.condition(item)));
                if !is_list {
                    reader.wrong::<()>(value, "a list of mappings");
                }
            }
            _ => {}
        })
    }

    fn condition(&mut self, node: NodeId) -> Condition {
        let mut condition = Condition {
            node,
            when: None,
            then: None,
        };
        let is_mapping = self.entries(node, |reader, key, value| match key {
            "when" => {
                condition.when = reader.block(value, |reader, when: &mut When, key, value| match key {
                    "environment" => when.environment = reader.list(value),
                    "agent_role" => when.agent_role = reader.list(value),
                    _ => when.unknown.push(value),
                });
            }
            "then" => {
                condition.then = reader.block(value, |reader, then: &mut Then, key, value| match key {
                    "sensitivity" => then.sensitivity = reader.word(value),
                    "requires_auth" => then.requires_auth = reader.flag(value),
                    "authority" => then.authority = reader.authority(value),
                    _ => {}
                });
            }
            _ => {}
        });
        if !is_mapping {
            self.wrong::<()>(node, "a mapping");
        }
        condition
    }

    pub(super) fn authority(&mut self, node: NodeId) -> Field<Authority> {
        let document = self.document;
        let mut actions = Vec::new();
        let Node::Mapping(entries) = document.node(node) else {
            return self.wrong(node, "a mapping");
        };
        for entry in entries {
            let (Some(action), false) = (self.scalar(entry.key), self.is_null(entry.value)) else {
                continue;
            };
            match self.scalar(entry.value) {
                Some(level) => actions.push(Permitted {
                    action: action.range,
                    level: Declared {
                        value: word(&level),
                        node: entry.value,
                    },
                }),
                None => {
                    let message = format!(
                        "the authority for `{}` is not a word; it is read as absent",
                        shown(action.text)
                    );
                    self.tell(Code::WrongType, entry.value, message, None);
                }
            }
        }
        Some(Declared {
            value: Authority { actions },
            node,
        })
    }

    pub(super) fn discovery(&mut self, node: NodeId) -> Field<Discovery> {
        self.block(node, |reader, discovery: &mut Discovery, key, value| match key {
            "verification_status" => discovery.verification_status = reader.word(value),
            "source" => discovery.source = reader.word(value),
            "observed_at" => discovery.observed_at = reader.date(value),
            "verified_at" => discovery.verified_at = reader.date(value),
            "confidence" => discovery.confidence = reader.confidence(value),
            "contradicted_by" => match reader.scalar(value) {
                Some(_) => discovery.contradicted_by = reader.text(value),
                None => {
                    let message = "`contradicted_by` is not an id; it is read as absent".to_owned();
                    reader.tell(Code::ContradictedBy, value, message, Some("name one unit".into()));
                }
            },
            _ => {}
        })
    }

    fn confidence(&mut self, node: NodeId) -> Field<f64> {
        match self.scalar(node).and_then(|scalar| scalar.as_float()) {
            Some(value) => Some(Declared { value, node }),
            None => {
                let message = "`confidence` is not a number; it is read as absent".to_owned();
                self.tell(
                    Code::Confidence,
                    node,
                    message,
                    Some("write a number from 0 to 1".into()),
                );
                None
            }
        }
    }
}
