//! Parameters of functions and templates: what is neither type nor name is masked, and what the grammar does not know is taken out.

use super::heads::Heads;
use super::tokens::Kind;
use super::view::{Item, Part};
use super::words::Word;

impl Heads<'_, '_> {
    /// Masks what is neither type nor name in the parameters of a function.
    pub(super) fn parameters(&mut self, list: Item) {
        let mut at = list.first + 1;
        while at < list.last {
            let (items, end) = self.items_within(at, list.last);
            let mut first = 0;
            let commas = (0..items.len()).filter(|at| items[*at].part == Part::Sign(b','));
            for comma in commas {
                self.parameter(&items[first..comma]);
                first = comma + 1;
            }
            self.parameter(&items[first..]);
            if !self.is(end, b'=') {
                return;
            }
            at = end + 1;
            while at < list.last && !self.is(at, b',') {
                at = self.pair(at).unwrap_or(at) + 1;
            }
            let is_named = items[first..]
                .last()
                .is_some_and(|last| !matches!(last.part, Part::Sign(_)));
            if self.in_cpp && (!is_named || self.is(end + 1, b'{')) && end < at.min(list.last) {
                // The grammar wants a name before a value, and no braces.
                self.blank(end, at.min(list.last) - 1);
            }
            at += 1;
        }
    }

    /// Takes out of the parameters of a template what the grammar does not know: values without a name, macros.
    pub(super) fn template_parameters(&mut self, list: Item) {
        let mut at = list.first + 1;
        let mut first = at;
        while at <= list.last {
            let ends = at == list.last || self.is(at, b',');
            if ends {
                self.template_parameter(first, at);
                first = at + 1;
            }
            at = match self.kind(at) {
                Some(Kind::Sign(b'<')) => self.angles(at).unwrap_or(at) + 1,
                _ => self.pair(at).unwrap_or(at) + 1,
            };
        }
    }

    /// One parameter of a template, up to a token.
    fn template_parameter(&mut self, first: usize, end: usize) {
        let is_call = self.is_macro(first) && self.is(first + 1, b'(') && self.pair(first + 1) == end.checked_sub(1);
        if is_call {
            return self.function(first, end - 1);
        }
        let value = (first + 1..end).find(|at| self.is(*at, b'='));
        if let Some(value) = value
            && matches!(self.before(value), Some(Kind::Sign(b'*' | b'&')))
        {
            self.blank(value, end - 1);
        }
    }

    /// Masks what is neither type nor name in a parameter.
    pub(super) fn parameter(&mut self, items: &[Item]) {
        let nested = items.iter().position(|item| item.part == Part::Parentheses);
        if nested.is_some_and(|nested| nested == 0 || !items[nested - 1].is_name()) {
            return;
        }
        let is_tag = |at: usize| at > 0 && (items[at - 1].is(Word::Class) || items[at - 1].is(Word::Enum));
        let has_type = items.iter().any(|item| {
            matches!(
                item.part,
                Part::Word(Word::Type | Word::TypeOf | Word::Class | Word::Enum)
            )
        });
        let star = items
            .iter()
            .rposition(|item| matches!(item.part, Part::Sign(b'*' | b'&')));
        let names: Vec<usize> = (0..items.len())
            .filter(|at| items[*at].is_name() && !is_tag(*at))
            .collect();
        if let [.., name, dots] = items
            && name.is_name()
            && dots.part == Part::Sign(b'.')
            && (has_type || star.is_some())
        {
            // The comma before the last parameters may be missing.
            self.blank(dots.first, dots.last);
        }
        // The type precedes a star. After a star, or after a type of the language, only the name follows.
        let (before, behind) = names.split_at(star.map_or(0, |star| names.partition_point(|at| *at < star)));
        self.mask_surplus(items, before, usize::from(!has_type));
        self.mask_surplus(items, behind, if star.is_some() || has_type { 1 } else { 2 });
    }

    /// Masks as many names as are too many: those that look like macros first, then the first ones.
    fn mask_surplus(&mut self, items: &[Item], names: &[usize], allowed: usize) {
        let surplus = names.len().saturating_sub(allowed);
        if surplus == 0 {
            return;
        }
        let mut by_rank: Vec<(bool, usize)> = names
            .iter()
            .map(|at| {
                let item = items[*at];
                (!self.is_macro_item(item), *at)
            })
            .collect();
        by_rank.sort_unstable();
        for (_, at) in by_rank.into_iter().take(surplus) {
            self.mask_call(items, at);
        }
    }
}
