//! What may be done with content: `indexing` and `license` (clause Access12, amendment Amend1).

use super::Gate;
use super::decide::{Case, ObligationKind, Rule};
use crate::finding::shown;
use crate::model::{Field, Indexing, License, List, Word, is_true};
use crate::vocabulary::{IndexingWord, Permission, Vocabulary};

impl<'m> Case<'_, 'm> {
    pub(super) fn usage(&mut self) {
        self.attribution();
        let indexing = self.effective.indexing;
        let rule = indexing.map_or(Rule::NONE, |indexing| Rule::at(&indexing));
        let word = match indexing.map(|indexing| indexing.value) {
            Some(Indexing::Word(Word::Known(word))) => Some(*word),
            Some(Indexing::Block { allow, deny, .. }) => return self.listed(rule, allow, deny),
            // An unknown word permits no more than a missing one.
            Some(Indexing::Word(Word::Unknown(_))) | None => None,
        };
        if word == Some(IndexingWord::None) {
            return self.deny(Gate::Usage, rule, "no agent may use it (indexing: none)");
        }
        let Some(permission) = self.wanted.permission else {
            return self.pass(Gate::Usage, rule, "`indexing` has no rule for this action");
        };
        let name = permission.word();
        let is_permitted = match word {
            Some(IndexingWord::Open) => true,
            Some(IndexingWord::NoTrain) => permission != Permission::Train,
            Some(IndexingWord::ReadOnly) | None => matches!(permission, Permission::Read | Permission::Summarise),
            Some(IndexingWord::None) => false,
        };
        let source = match word {
            Some(word) => format!("indexing: {}", word.word()),
            None => "nothing is declared, so it may only be read".to_owned(),
        };
        if is_permitted {
            self.pass(Gate::Usage, rule, format!("{name} is permitted ({source})"))
        } else {
            self.deny(Gate::Usage, rule, format!("{name} is not permitted ({source})"))
        }
        if word.is_none() {
            self.oblige(ObligationKind::Conservative, "nothing is declared: only read it");
        }
    }

    /// Permissions one by one: what is denied is denied, and what is missing in a list of what is allowed is not allowed.
    fn listed(&mut self, rule: Rule, allow: &'m Field<List>, deny: &'m Field<List>) {
        let Some(permission) = self.wanted.permission else {
            return self.pass(Gate::Usage, rule, "`indexing` has no rule for this action");
        };
        let name = permission.word();
        let holds = |list: &'m List| {
            let mut texts = list.iter().map(|item| self.m.text(item.value));
            texts.any(|text| Permission::from_word(text) == Some(permission))
        };
        if let Some(list) = deny.as_ref().filter(|list| holds(&list.value)) {
            let rule = Rule {
                node: Some(list.node),
                ..rule
            };
            return self.deny(Gate::Usage, rule, format!("{name} is denied (indexing.deny)"));
        }
        match allow {
            Some(list) if !holds(&list.value) => {
                let rule = Rule {
                    node: Some(list.node),
                    ..rule
                };
                self.deny(Gate::Usage, rule, format!("{name} is not allowed (indexing.allow)"));
            }
            Some(_) => self.pass(Gate::Usage, rule, format!("{name} is allowed (indexing.allow)")),
            None => self.pass(Gate::Usage, rule, format!("{name} is not denied (indexing.deny)")),
        }
    }

    fn attribution(&mut self) {
        let license = self.effective.license.and_then(|license| match license.value {
            License::Block {
                attribution_required,
                spdx,
                ..
            } if is_true(attribution_required) => Some(spdx.as_ref().map(|spdx| self.m.text(spdx.value))),
            License::Block { .. } | License::Name(_) => None,
        });
        let indexing = self.effective.indexing.is_some_and(|indexing| match indexing.value {
            Indexing::Block {
                attribution_required, ..
            } => is_true(attribution_required),
            Indexing::Word(_) => false,
        });
        match license {
            Some(Some(name)) => self.oblige(ObligationKind::Cite, format!("name the source ({})", shown(name))),
            Some(None) => self.oblige(ObligationKind::Cite, "name the source"),
            None if indexing => self.oblige(ObligationKind::Cite, "name the source"),
            None => {}
        }
    }
}
