//! Words, triggers and texts of units (clauses W4 to W10, W22, W31, W32).

use super::check::Checker;
use crate::finding::{Code, shown};
use crate::model::{Indexing, Unit, Word};
use crate::parse::{TRIGGER_CHARACTERS, TRIGGERS};
use crate::path;
use crate::vocabulary::{Audience, IndexingWord};
use lore_base::yaml::{Node, NodeId};

impl Checker<'_> {
    pub(super) fn words(&mut self) {
        let root = &self.manifest.root;
        if let Some(indexing) = &root.indexing {
            self.indexing(&indexing.value, indexing.node);
        }
        if let Some(payment) = &root.payment {
            self.unknown(
                Code::WordUnknown,
                &payment.value.default_tier,
                "payment.default_tier",
                "tier",
            );
        }
        if let Some(policy) = &root.freshness_policy {
            self.unknown(
                Code::WordUnknown,
                &policy.value.on_stale,
                "freshness_policy.on_stale",
                "way to treat stale units",
            );
        }
        self.each_unit(|checker, unit| {
            checker.unit_words(unit);
            checker.hint_words(unit);
            checker.triggers(unit);
            checker.texts(unit);
        });
    }

    fn indexing(&mut self, indexing: &Indexing, node: NodeId) {
        if let Indexing::Word(Word::Unknown(text)) = indexing {
            let word = self.manifest.text(*text);
            let message = format!("`{}` is not a short form of indexing", shown(word));
            self.tell(
                Code::IndexingUnknown,
                node,
                "indexing",
                message,
                super::check::choices::<IndexingWord>(word),
            );
        }
    }

    fn unit_words(&mut self, unit: &Unit) {
        for (number, audience) in unit.audience.iter().flat_map(|audience| &audience.value).enumerate() {
            if let Word::Unknown(text) = audience.value {
                let word = self.manifest.text(text);
                let message = format!("`{}` is not a known audience", shown(word));
                let field = format!("audience[{number}]");
                self.tell(
                    Code::AudienceUnknown,
                    audience.node,
                    &field,
                    message,
                    super::check::choices::<Audience>(word),
                );
            }
        }
        self.unknown(Code::KindUnknown, &unit.kind, "kind", "kind of unit");
        self.unknown(Code::FormatUnknown, &unit.format, "format", "format");
        self.unknown(
            Code::UpdateFrequencyUnknown,
            &unit.update_frequency,
            "update_frequency",
            "update frequency",
        );
        if let Some(indexing) = &unit.indexing {
            self.indexing(&indexing.value, indexing.node);
        }
        self.unknown(
            Code::WordUnknown,
            &unit.access,
            "access",
            "level of access; agents will be denied",
        );
        self.unknown(Code::WordUnknown, &unit.sensitivity, "sensitivity", "sensitivity");
        if let Some(payment) = &unit.payment {
            self.unknown(
                Code::WordUnknown,
                &payment.value.default_tier,
                "payment.default_tier",
                "tier",
            );
        }
        if let Some(policy) = &unit.freshness_policy {
            self.unknown(
                Code::WordUnknown,
                &policy.value.on_stale,
                "freshness_policy.on_stale",
                "way to treat stale units",
            );
        }
    }

    fn hint_words(&mut self, unit: &Unit) {
        let Some(hints) = &unit.hints else { return };
        let hints = &hints.value;
        self.unknown(
            Code::WordUnknown,
            &hints.token_estimate_method,
            "hints.token_estimate_method",
            "method of estimation",
        );
        self.unknown(
            Code::WordUnknown,
            &hints.load_strategy,
            "hints.load_strategy",
            "load strategy",
        );
        self.unknown(Code::WordUnknown, &hints.priority, "hints.priority", "priority");
        self.unknown(Code::WordUnknown, &hints.density, "hints.density", "density");
    }

    fn triggers(&mut self, unit: &Unit) {
        let Some(triggers) = &unit.triggers else { return };
        let declared = triggers.value.declared;
        if declared as usize > TRIGGERS {
            let message = format!("the unit has {declared} triggers; only the first {TRIGGERS} count");
            self.tell(
                Code::TriggersMany,
                triggers.node,
                "triggers",
                message,
                "keep the terms that people and agents really use",
            );
        }
        for (number, trigger) in triggers.value.kept.iter().enumerate() {
            let Node::Scalar(whole) = self.manifest.document.node(trigger.node) else {
                continue;
            };
            if whole.text.len() > trigger.value.len() {
                let text = shown(whole.text);
                let message = format!("the trigger `{text}` has more than {TRIGGER_CHARACTERS} characters and is cut");
                let field = format!("triggers[{number}]");
                self.tell(
                    Code::TriggerLong,
                    trigger.node,
                    &field,
                    message,
                    "a trigger is a word or a short phrase",
                );
            }
        }
    }

    fn texts(&mut self, unit: &Unit) {
        if let (Some(field), Some(text)) = (&unit.content_type, self.text(&unit.content_type))
            && !is_media_type(text)
        {
            let message = format!("`{}` is not a media type", shown(text));
            self.tell(
                Code::ContentType,
                field.node,
                "content_type",
                message,
                "write a type and a subtype, as in `text/markdown`",
            );
        }
        let (Some(field), Some(intent)) = (&unit.intent, self.text(&unit.intent)) else {
            return;
        };
        if self.manifest.path(unit).is_some_and(|path| says_the_path(intent, path)) {
            let message = "the intent only repeats the path".to_owned();
            self.tell(
                Code::IntentIsPath,
                field.node,
                "intent",
                message,
                "write the question that the document answers",
            );
        } else if has_several_sentences(intent) {
            let message = "the intent has several sentences".to_owned();
            self.tell(
                Code::IntentSentences,
                field.node,
                "intent",
                message,
                "write one question",
            );
        }
    }
}

/// A type, a slash and a subtype, and any parameters after a semicolon.
fn is_media_type(text: &str) -> bool {
    let essence = text.split(';').next().unwrap_or_default().trim();
    let is_token = |part: &str| {
        !part.is_empty()
            && part
                .bytes()
                .all(|byte| byte.is_ascii_alphanumeric() || b"!#$&^_.+-".contains(&byte))
    };
    essence
        .split_once('/')
        .is_some_and(|(kind, subtype)| is_token(kind) && is_token(subtype))
}

fn says_the_path(intent: &str, path: &str) -> bool {
    let intent = intent.trim();
    let name = path::file_name(path);
    let stem = name.rsplit_once('.').map_or(name, |(stem, _)| stem);
    [path, name, stem].iter().any(|part| part.eq_ignore_ascii_case(intent))
}

/// Whether a sentence ends before the text does: a full stop, question or exclamation mark with a space and a capital letter behind it.
fn has_several_sentences(text: &str) -> bool {
    text.split_inclusive(['.', '?', '!'])
        .zip(text.split(['.', '?', '!']).skip(1))
        .any(|(sentence, rest)| {
            // What is left of `e.g.` between its full stops.
            let is_abbreviation = sentence.len() < 4;
            rest.starts_with(' ') && rest.trim_start().starts_with(char::is_uppercase) && !is_abbreviation
        })
}
