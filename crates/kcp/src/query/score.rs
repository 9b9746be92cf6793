//! How well a unit matches the terms of a query (§15.4; clause Q3, ruling A6).
//!
//! Both sides are folded letter by letter, and a term matches where it is part of a text. Nothing else is made equal: no accents, no forms of a word.

use clap::ValueEnum;
use memchr::memmem::Finder;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::model::{Manifest, Unit};

/// Terms of one query.
pub const TERMS: usize = 64;
/// Characters of a term.
pub const TERM_CHARACTERS: usize = 200;

/// Points for a trigger, for the intent, and for the id or the path.
const TRIGGER: u32 = 5;
const INTENT: u32 = 3;
const NAME: u32 = 1;

/// The factor of a term of a question that only one unit has.
const RAREST: u32 = 10;

/// How points are counted.
#[derive(ValueEnum, Serialize, Deserialize, JsonSchema, Clone, Copy, PartialEq, Eq, Debug, Default)]
#[serde(rename_all = "snake_case")]
pub enum Scoring {
    /// As in the table of the specification: a term scores 5 for triggers, 3 for the intent, 1 for id and path together
    #[default]
    Table,
    /// As in the implementations of the protocol's authors: 5 for each trigger that matches, 1 for the id and 1 for the path
    Reference,
}

/// Where a unit was matched.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Reasons(u8);

impl Reasons {
    /// A trigger.
    pub const TRIGGER: Self = Self(1);
    /// The intent.
    pub const INTENT: Self = Self(2);
    /// The id.
    pub const ID: Self = Self(4);
    /// The path.
    pub const PATH: Self = Self(8);

    /// These and others.
    #[must_use]
    pub fn and(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// Their words, in the text's order.
    pub fn words(self) -> Vec<&'static str> {
        [
            (Self::TRIGGER, "trigger"),
            (Self::INTENT, "intent"),
            (Self::ID, "id"),
            (Self::PATH, "path"),
        ]
        .into_iter()
        .filter(|(reason, _)| self.0 & reason.0 != 0)
        .map(|(_, word)| word)
        .collect()
    }
}

/// What a unit earns.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Score {
    /// Points.
    pub points: u32,
    /// For what.
    pub reasons: Reasons,
}

impl Score {
    /// This and another one.
    #[must_use]
    pub fn and(self, other: Self) -> Self {
        Self {
            points: self.points.saturating_add(other.points),
            reasons: self.reasons.and(other.reasons),
        }
    }

    /// This, so many times.
    #[must_use]
    pub fn times(self, factor: u32) -> Self {
        Self {
            points: self.points.saturating_mul(factor),
            reasons: self.reasons,
        }
    }

    /// What one term earns: `triggers` is how many of them it is part of.
    pub fn of_term(scoring: Scoring, triggers: u32, intent: bool, id: bool, path: bool) -> Self {
        let mut score = Self::default();
        let mut earn = |times: u32, points: u32, reason: Reasons| {
            if times > 0 {
                score.points = score.points.saturating_add(times.saturating_mul(points));
                score.reasons = score.reasons.and(reason);
            }
        };
        match scoring {
            Scoring::Table => {
                earn(triggers.min(1), TRIGGER, Reasons::TRIGGER);
                earn(u32::from(intent), INTENT, Reasons::INTENT);
                earn(u32::from(id), NAME, Reasons::ID);
                earn(u32::from(path), if id { 0 } else { NAME }, Reasons::PATH);
            }
            Scoring::Reference => {
                earn(triggers, TRIGGER, Reasons::TRIGGER);
                earn(u32::from(intent), INTENT, Reasons::INTENT);
                earn(u32::from(id), NAME, Reasons::ID);
                earn(u32::from(path), NAME, Reasons::PATH);
            }
        }
        score
    }
}

/// What the points of a term of a question are multiplied by: ten if one unit has the term, one if all have it, and logarithmically between. The words of a question are not chosen to find
/// something, and one that many units have says little.
pub fn rarity(matched: usize, units: usize) -> u32 {
    if units < 2 || matched < 2 {
        return RAREST;
    }
    let share = (units as f64 / matched as f64).ln() / (units as f64).ln();
    1 + ((f64::from(RAREST - 1) * share).round() as u32).min(RAREST - 1)
}

/// A text in small letters, each letter by itself. A NUL becomes U+FFFD, because NUL separates texts.
pub fn fold(text: &str) -> String {
    if text.is_ascii() && !text.contains('\0') {
        return text.to_ascii_lowercase();
    }
    let letters = text.chars().flat_map(char::to_lowercase);
    letters
        .map(|letter| match letter {
            '\0' => '\u{fffd}',
            letter => letter,
        })
        .collect()
}

/// The terms that count, folded, each once, and what is to be said of the others.
pub fn terms(given: &[String]) -> (Vec<String>, Vec<String>) {
    let mut terms: Vec<String> = Vec::new();
    let mut warnings = Vec::new();
    for term in given.iter().map(|term| term.trim()).filter(|term| !term.is_empty()) {
        if term.chars().nth(TERM_CHARACTERS).is_some() {
            let start: String = term.chars().take(20).collect();
            warnings.push(format!(
                "the term `{start}…` has more than {TERM_CHARACTERS} characters and is ignored"
            ));
            continue;
        }
        let term = fold(term);
        if terms.contains(&term) {
            continue;
        }
        if terms.len() == TERMS {
            warnings.push(format!("only the first {TERMS} terms are used"));
            break;
        }
        terms.push(term);
    }
    (terms, warnings)
}

/// The texts of a unit that terms are looked for in, folded.
pub struct FoldedUnit {
    triggers: Vec<String>,
    intent: String,
    id: String,
    path: String,
}

impl FoldedUnit {
    /// Those of a unit.
    pub fn of(manifest: &Manifest, unit: &Unit) -> Self {
        let triggers = unit.triggers.iter().flat_map(|triggers| &triggers.value.kept);
        Self {
            triggers: triggers.map(|trigger| fold(manifest.text(trigger.value))).collect(),
            intent: fold(manifest.field(&unit.intent).unwrap_or_default()),
            id: fold(manifest.id(unit).unwrap_or_default()),
            path: fold(manifest.path(unit).unwrap_or_default()),
        }
    }

    /// What one term earns.
    pub fn score_term(&self, term: &Finder<'_>, scoring: Scoring) -> Score {
        let is_in = |text: &String| term.find(text.as_bytes()).is_some();
        let triggers = self.triggers.iter().filter(|trigger| is_in(trigger)).count();
        Score::of_term(
            scoring,
            u32::try_from(triggers).unwrap_or(u32::MAX),
            is_in(&self.intent),
            is_in(&self.id),
            is_in(&self.path),
        )
    }

    /// What all terms earn, each times its factor.
    pub fn score(&self, terms: &[Finder<'_>], factors: &[u32], scoring: Scoring) -> Score {
        let scores = terms.iter().zip(factors);
        let scores = scores.map(|(term, factor)| self.score_term(term, scoring).times(*factor));
        scores.fold(Score::default(), Score::and)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::manifest;

    fn score(unit: &str, given: &[&str], scoring: Scoring) -> String {
        let manifest = manifest(&format!("project: x\nunits:\n- {unit}\n"));
        let (terms, _) = terms(&given.iter().map(|term| (*term).to_owned()).collect::<Vec<_>>());
        let finders: Vec<Finder<'_>> = terms.iter().map(Finder::new).collect();
        let score = FoldedUnit::of(&manifest, &manifest.units[0]).score(&finders, &vec![1; finders.len()], scoring);
        format!("{} {}", score.points, score.reasons.words().join(","))
    }

    #[test]
    fn q3_a_term_earns_five_three_and_one() {
        let unit = "{id: deploy-guide, path: docs/deploy.md, intent: How do I deploy?, triggers: [deploy, deployment, Rollout]}";
        assert_eq!(score(unit, &["deploy"], Scoring::Table), "9 trigger,intent,id,path");
        assert_eq!(score(unit, &["ROLL"], Scoring::Table), "5 trigger");
        assert_eq!(score(unit, &["guide"], Scoring::Table), "1 id");
        assert_eq!(score(unit, &["docs"], Scoring::Table), "1 path");
        assert_eq!(
            score(unit, &["deploy", "guide"], Scoring::Table),
            "10 trigger,intent,id,path"
        );
        assert_eq!(score(unit, &["rollback"], Scoring::Table), "0 ");
    }

    #[test]
    fn q3_a_term_counts_once_however_often_it_is_given() {
        let unit = "{id: a, path: b, intent: c, triggers: [deploy]}";
        assert_eq!(
            score(unit, &["deploy", " Deploy ", "DEPLOY", ""], Scoring::Table),
            "5 trigger"
        );
    }

    #[test]
    fn a6_the_reference_counts_every_trigger_and_id_and_path_apart() {
        let unit = "{id: deploy-guide, path: docs/deploy.md, intent: How do I deploy?, triggers: [deploy, deployment, Rollout]}";
        assert_eq!(
            score(unit, &["deploy"], Scoring::Reference),
            "15 trigger,intent,id,path"
        );
        let one = "{id: a, path: docs/oauth.md, intent: x, triggers: [oauth, oauth-flow]}";
        assert_eq!(score(one, &["oauth"], Scoring::Table), "6 trigger,path");
        assert_eq!(score(one, &["oauth"], Scoring::Reference), "11 trigger,path");
    }

    #[test]
    fn q3_letters_are_folded_one_by_one() {
        let unit = "{id: a, path: b, intent: \"Πού είναι η ΟΔΟΣ\", triggers: [\"STRASSE\", \"İzmir\", \"a\\0b\"]}";
        assert_eq!(score(unit, &["οδοσ"], Scoring::Table), "3 intent");
        assert_eq!(score(unit, &["straße"], Scoring::Table), "0 ");
        assert_eq!(score(unit, &["i\u{307}zmir"], Scoring::Table), "5 trigger");
        assert_eq!(score(unit, &["A\0B"], Scoring::Table), "5 trigger");
    }

    #[test]
    fn q3_only_the_part_of_a_trigger_that_counts_is_matched() {
        let long = format!("{}needle", "x".repeat(58));
        let unit = format!("{{id: a, path: b, intent: c, triggers: [{long}]}}");
        assert_eq!(score(&unit, &["xne"], Scoring::Table), "5 trigger");
        assert_eq!(score(&unit, &["needle"], Scoring::Table), "0 ");
    }

    #[test]
    fn q3_too_many_and_too_long_terms_are_left_out_and_said_to_be() {
        let many: Vec<String> = (0..70).map(|number| format!("t{number}")).collect();
        let (kept, warnings) = terms(&many);
        assert_eq!((kept.len(), warnings.len()), (TERMS, 1));
        let (kept, warnings) = terms(&["x".repeat(201), "é".repeat(200)]);
        assert_eq!((kept.len(), warnings.len()), (1, 1));
    }
}
