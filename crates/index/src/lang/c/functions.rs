//! Declarations that are not types: functions, variables, and macros that look like either.

use super::heads::{Heads, Scope};
use super::tokens::Kind;
use super::view::{Item, Part};
use super::words::{Word, says_linkage};

/// Tokens between the head and the body of an old function at most.
const MAX_OLD_PARAMETERS: usize = 300;

impl Heads<'_, '_> {
    /// A function, a variable or what looks like one.
    pub(super) fn general(&mut self, all: &[Item], end: usize) -> usize {
        let upto = all
            .iter()
            .position(|item| item.part == Part::Sign(b','))
            .unwrap_or(all.len());
        let items = &all[..upto];
        let first_type = self.first_type(items);
        let called = |at: usize| items[at].part == Part::Parentheses && at > 0;
        // `int (*f)(int)`, `int (f)(int)`: the declarator is in parentheses itself.
        let nested = (0..items.len()).find(|at| {
            called(*at)
                && (items.get(at + 1).is_some_and(|next| next.part == Part::Parentheses)
                    || self.is_pointer(items, *at)
                    || matches!(
                        items[at - 1].part,
                        Part::Word(Word::Type | Word::Specifier) | Part::Sign(_)
                    ))
        });
        let calls: Vec<usize> = (1..items.len())
            .filter(|at| called(*at) && (items[at - 1].is_name() || items[at - 1].part == Part::Special))
            .filter(|at| nested.is_none_or(|nested| *at <= nested))
            .collect();
        if let Some(nested) = nested
            && !calls.iter().any(|call| *call < nested && first_type < call - 1)
        {
            self.prefix(&items[..nested], false);
            self.declarator(items[nested]);
            if let Some(parameters) = items.get(nested + 1).filter(|next| next.part == Part::Parentheses) {
                self.parameters(*parameters);
                self.suffix(&items[nested + 2..]);
                // A pointer to a function is nothing else to the grammar.
                for word in items[nested + 2..].iter().filter(|item| item.is(Word::Specifier)) {
                    self.blank(word.first, word.last);
                }
            } else if nested + 2 < items.len() && self.wraps(items[nested + 2]) {
                self.unwrap(items, nested + 2);
            }
            return self.after_head(end, true);
        }
        if let Some(call) = calls.iter().copied().find(|call| self.wraps_parameters(items, *call)) {
            self.prefix(&items[..call - 2], false);
            self.unwrap(items, call);
            self.suffix(&items[call + 1..]);
            return self.after_head(end, true);
        }
        if let [call] = calls[..]
            && items[..call].iter().any(|item| item.is(Word::Typedef))
            && !items[..call - 1]
                .iter()
                .any(|item| matches!(item.part, Part::Word(Word::Type | Word::Class | Word::Enum)))
            && self.is_only_name(&items[call + 1..])
        {
            return self.without_type(items, call, end);
        }
        match self.function_among(items, &calls, end) {
            Some(call) if self.is_behind_variable(items, call) => {
                self.mask_call(items, call - 1);
                self.suffix(&items[call + 1..]);
                self.variable(&items[..call - 1], end)
            }
            Some(call) => {
                if let Some(body) = self.old_parameters(items, call) {
                    self.prefix(&items[..call - 1], false);
                    // The grammar does not know old functions that return pointers.
                    for star in items[..call - 1].iter().filter(|item| item.part == Part::Sign(b'*')) {
                        self.blank(star.first, star.first);
                    }
                    self.old_declarations(items[call].last + 1, body);
                    return self.body(body);
                }
                let without_type = self.is_without_type(items, call);
                self.prefix(&items[..call - 1], without_type);
                self.parameters(items[call]);
                self.suffix(&items[call + 1..]);
                let is_free = !self.in_class() && items[call - 1].is_name() && items[call - 1].is_simple();
                if is_free && self.is(end, b'=') && matches!(self.text(end + 1), b"delete" | b"default") {
                    // The grammar knows this of members only.
                    self.blank(end, end + 1);
                }
                self.after_head(end, true)
            }
            None => match calls.first() {
                Some(call) => self.without_type(items, *call, end),
                None => self.variable(items, end),
            },
        }
    }

    /// Whether a call is a macro around the parameters of the function named before it: `f OF((int x))`.
    fn wraps_parameters(&self, items: &[Item], call: usize) -> bool {
        call > 1 && items[call - 1].is_name() && items[call - 2].is_name() && self.wraps(items[call])
    }

    /// Whether parentheses hold nothing but parentheses.
    fn wraps(&self, list: Item) -> bool {
        list.part == Part::Parentheses
            && self.is(list.first + 1, b'(')
            && self.pair(list.first + 1) == list.last.checked_sub(1)
    }

    /// Masks a macro around parameters.
    fn unwrap(&mut self, items: &[Item], call: usize) {
        let list = items[call];
        self.mask(items[call - 1].first, items[call - 1].last);
        self.blank(list.first, list.first);
        self.blank(list.last, list.last);
        self.parameters(Item {
            part: Part::Parentheses,
            first: list.first + 1,
            last: list.last - 1,
        });
    }

    /// Whether parentheses hold a pointer that is declared: `(*f)`, `(WINAPI *f)(int)`.
    fn is_pointer(&self, items: &[Item], at: usize) -> bool {
        let first = items[at].first + 1;
        let has_parameters = match items.get(at + 1) {
            Some(next) if next.is_name() => items.get(at + 2).is_some_and(|list| self.wraps(*list)),
            Some(next) => next.part == Part::Parentheses,
            None => false,
        };
        self.is(first, b'*')
            || self.is(first, b'^')
            || (self.is_macro(first) && self.is(first + 1, b'*') && has_parameters)
    }

    /// The first of the items that can be a type. A call followed by a name can be a function.
    fn first_type(&self, items: &[Item]) -> usize {
        let is_type = |at: usize| match items[at].part {
            Part::Word(Word::Type | Word::TypeOf | Word::Class | Word::Enum) => true,
            Part::Word(Word::Name) => items.get(at + 1).is_none_or(|next| next.part != Part::Parentheses),
            _ => false,
        };
        (0..items.len()).find(|at| is_type(*at)).unwrap_or(usize::MAX)
    }

    /// Whether a call names what has no type: a constructor, a destructor, an operator that converts.
    fn is_without_type(&self, items: &[Item], call: usize) -> bool {
        if !self.in_cpp {
            return false;
        }
        let name = items[call - 1];
        if name.part == Part::Special {
            let operator = (name.first..=name.last).find(|at| self.sort(*at) == Word::Operator);
            return match operator.map(|operator| operator + 1) {
                Some(next) => {
                    self.kind(next) == Some(Kind::Word) && !matches!(self.text(next), b"new" | b"delete" | b"co_await")
                }
                None => true,
            };
        }
        let (scope, last) = self.last_names(name);
        match self.scopes.last() {
            _ if !name.is_simple() => scope == last,
            Some(Scope::Class { name: class, .. }) => !class.is_empty() && last == *class,
            _ => false,
        }
    }

    /// Whether a call is an attribute behind the variable that is declared: `int x GUARDED_BY(lock)`.
    fn is_behind_variable(&self, items: &[Item], call: usize) -> bool {
        if !self.is_macro_item(items[call - 1]) {
            return false;
        }
        let before = &items[..call - 1];
        if before.iter().skip(1).any(|item| item.part == Part::Squares) {
            return true;
        }
        let typed = before.iter().rposition(|item| {
            matches!(
                item.part,
                Part::Word(Word::Type | Word::TypeOf | Word::Class | Word::Enum)
            )
        });
        let is_own = |item: &Item| item.is_name() && !self.is_macro_item(*item);
        let own = before[typed.map_or(0, |at| at + 1)..]
            .iter()
            .filter(|item| is_own(item))
            .count();
        let needed = match typed.map(|at| before[at].part) {
            Some(Part::Word(Word::Type | Word::TypeOf)) => 1,
            _ => 2,
        };
        before.last().is_some_and(is_own) && own >= needed
    }

    /// Of several calls in a head the one that is the function.
    fn function_among(&self, items: &[Item], calls: &[usize], end: usize) -> Option<usize> {
        let is_macro = |call: usize| self.is_macro_item(items[call - 1]);
        let find = |wanted: &dyn Fn(usize) -> bool| calls.iter().copied().find(|call| wanted(*call));
        let first_type = self.first_type(items);
        let is_function = |call: usize| first_type < call - 1;
        find(&|call| is_function(call) && !is_macro(call))
            .or_else(|| {
                find(&|call| {
                    let name = items[call - 1];
                    self.in_cpp
                        && (name.part == Part::Special || !name.is_simple() || self.is_without_type(items, call))
                })
            })
            .or_else(|| {
                // A macro that only macros precede is not a function.
                let is_typed = |item: &Item| match item.part {
                    Part::Word(Word::Name) => !self.is_macro_item(*item),
                    part => matches!(part, Part::Word(Word::Type | Word::TypeOf | Word::Class | Word::Enum)),
                };
                let first_typed = items.iter().position(is_typed).unwrap_or(usize::MAX);
                find(&|call| {
                    let before = &items[..call - 1];
                    let beside = before.last().is_some_and(Item::is_name) && !self.begins_line(items[call - 1].first);
                    is_function(call) && (beside || first_typed < call - 1)
                })
            })
            .or_else(|| {
                // A macro that makes a type: `STACK_OF(X509) *f(void)`.
                let last = calls
                    .last()
                    .copied()
                    .filter(|last| calls.len() > 1 && *last + 1 == items.len())?;
                let ends = matches!(self.kind(end), Some(Kind::Sign(b';' | b'{')));
                (ends && !is_macro(last)).then_some(last)
            })
    }

    /// The body of a function whose parameters are declared between the parentheses and the body.
    fn old_parameters(&self, items: &[Item], call: usize) -> Option<usize> {
        let list = items[call];
        if self.in_cpp || list.first + 1 >= list.last || items.len() == call + 1 {
            return None;
        }
        let names_only = (list.first + 1..list.last)
            .all(|at| matches!(self.kind(at), Some(Kind::Word | Kind::Sign(b',') | Kind::Ellipsis)));
        if !names_only || matches!(self.sort(list.first + 1), Word::Type) {
            return None;
        }
        let mut at = items.get(call + 1)?.first;
        for _ in 0..MAX_OLD_PARAMETERS {
            match self.kind(at)? {
                Kind::Sign(b';') if self.is(at + 1, b'{') => return Some(at + 1),
                Kind::Sign(b'(' | b'[') => at = self.pair(at)?,
                Kind::Sign(b'{' | b'}' | b'=') => return None,
                _ => {}
            }
            at += 1;
        }
        None
    }

    /// The declarations of parameters between the head and the body of a function.
    fn old_declarations(&mut self, mut at: usize, body: usize) {
        while at < body {
            let (items, end) = self.items(at);
            let upto = items
                .iter()
                .position(|item| item.part == Part::Sign(b','))
                .unwrap_or(items.len());
            self.parameter(&items[..upto]);
            at = end + 1;
        }
    }

    /// Masks the text before the name of a function or variable that is not its type.
    fn prefix(&mut self, items: &[Item], without_type: bool) {
        if items.iter().any(|item| item.is(Word::Trailer)) {
            return;
        }
        let is_tag = |at: usize| at > 0 && (items[at - 1].is(Word::Class) || items[at - 1].is(Word::Enum));
        let called = |at: usize| items.get(at + 1).is_some_and(|next| next.part == Part::Parentheses);
        let star = items
            .iter()
            .position(|item| matches!(item.part, Part::Sign(b'*' | b'&')))
            .unwrap_or(items.len());
        let names: Vec<usize> = (0..items.len())
            .filter(|at| items[*at].is_name() && !is_tag(*at))
            .collect();
        let has_type = without_type
            || items.iter().any(|item| {
                matches!(
                    item.part,
                    Part::Word(Word::Type | Word::TypeOf | Word::Class | Word::Enum)
                )
            });
        let kept = if has_type {
            None
        } else {
            self.kept_type(items, &names, star)
        };
        for at in names {
            if Some(at) != kept {
                self.mask_call(items, at);
            } else if called(at) {
                // A macro that makes a type of its arguments is a type without them.
                let arguments = items[at + 1];
                self.blank(arguments.first, arguments.last);
            }
        }
    }

    /// Of several names the one that is most likely the type.
    fn kept_type(&self, items: &[Item], names: &[usize], star: usize) -> Option<usize> {
        let called = |at: usize| items.get(at + 1).is_some_and(|next| next.part == Part::Parentheses);
        let text = |at: usize| self.text(items[at].first);
        let before_star = || names.iter().copied().filter(|at| *at < star);
        let plain = || before_star().filter(|at| !called(*at));
        plain()
            .rfind(|at| !self.is_macro_item(items[*at]))
            .or_else(|| plain().rfind(|at| !says_linkage(text(*at))))
            .or_else(|| plain().next_back())
            .or_else(|| before_star().next_back())
    }

    /// Masks the text after the parameters of a function that the grammar does not know.
    fn suffix(&mut self, items: &[Item]) {
        for (at, item) in items.iter().enumerate() {
            match item.part {
                Part::Arrow => break,
                Part::Word(Word::Trailer) if self.text(item.first) == b"requires" => break,
                Part::Word(Word::Name) => self.mask_call(items, at),
                _ => {}
            }
        }
    }

    /// Goes on after the head of a function or variable.
    fn after_head(&mut self, end: usize, is_function: bool) -> usize {
        match self.kind(end) {
            Some(Kind::Sign(b'{')) if is_function => self.body(end),
            Some(Kind::Sign(b':')) if is_function && self.in_cpp => match self.body_after_initialisers(end) {
                Some(body) => self.body(body),
                None => self.rest(end + 1),
            },
            Some(Kind::Sign(b'}' | b'@' | b'-' | b'+')) | None => end,
            _ => self.rest(end),
        }
    }

    /// The body of a constructor after what it initialises.
    fn body_after_initialisers(&mut self, colon: usize) -> Option<usize> {
        let mut at = colon + 1;
        loop {
            loop {
                match self.kind(at)? {
                    Kind::Sign(b'(' | b'{') => break,
                    Kind::Sign(b';' | b'}') => return None,
                    Kind::Sign(b'<') => at = self.angles(at).unwrap_or(at),
                    _ => {}
                }
                at += 1;
            }
            let close = self.pair(at)?;
            self.bodies.push((at, close));
            at = close + 1;
            if self.kind(at) == Some(Kind::Ellipsis) {
                at += 1;
            }
            match self.kind(at)? {
                Kind::Sign(b',') => at += 1,
                Kind::Sign(b'{') => return Some(at),
                _ => return None,
            }
        }
    }

    /// A head that begins with what looks like a call.
    fn without_type(&mut self, items: &[Item], call: usize, end: usize) -> usize {
        let (name, arguments) = (items[call - 1], items[call]);
        let rest = &items[call + 1..];
        if let Some(body) = self.old_parameters(items, call) {
            self.make_function(name, None);
            self.old_declarations(arguments.last + 1, body);
            return self.body(body);
        }
        match rest.first() {
            Some(next) if matches!(next.part, Part::Word(Word::Trailer | Word::Attribute)) => {
                self.after_head(end, true)
            }
            Some(_) if self.is_only_name(rest) => {
                // A macro that makes a type.
                self.mask_names(&items[..call - 1]);
                self.blank(arguments.first, arguments.last);
                self.after_head(end, false)
            }
            Some(next) if matches!(next.part, Part::Word(_) | Part::Squares) => {
                // On a line of its own it is a declaration of its own.
                let apart = self.begins_line(next.first);
                self.mask(if apart { items[0].first } else { name.first }, arguments.last);
                self.mask_run(items, call + 1)
            }
            Some(_) => self.after_head(end, true),
            None => match self.kind(end) {
                Some(Kind::Sign(b'{')) => {
                    self.mask_names(&items[..call - 1]);
                    self.make_function(name, Some(arguments));
                    self.body(end)
                }
                Some(Kind::Sign(b';')) => {
                    // The grammar wants no semicolon alone among members and methods.
                    let whole = self.in_objects || (!self.in_cpp && self.in_class());
                    self.mask_apart(items, call, if whole { end } else { arguments.last });
                    end + 1
                }
                Some(Kind::Sign(b'}' | b'@' | b'-' | b'+')) | None => {
                    self.mask_apart(items, call, arguments.last);
                    end
                }
                _ => self.after_head(end, true),
            },
        }
    }

    /// Masks macros one after the other, each on a line of its own; where what follows them begins.
    fn mask_run(&mut self, items: &[Item], from: usize) -> usize {
        let mut at = from;
        while let Some([name, arguments, next]) = items.get(at..at + 3)
            && self.is_macro_item(*name)
            && arguments.part == Part::Parentheses
            && matches!(next.part, Part::Word(_))
            && self.begins_line(next.first)
        {
            self.mask(name.first, arguments.last);
            at += 2;
        }
        items.get(at).map_or(usize::MAX, |next| next.first)
    }

    /// Masks a macro that is a declaration of its own, with the words before it, up to a token; and any macro before those.
    fn mask_apart(&mut self, items: &[Item], call: usize, last: usize) {
        let before = &items[..call - 1];
        let is_macro = |item: &Item| item.is_name() || item.part == Part::Parentheses;
        let own = before.iter().rposition(is_macro).map_or(0, |other| other + 1);
        let own = if before[..own].iter().all(is_macro) { own } else { 0 };
        self.mask_names(&before[..own]);
        self.mask(items[own].first, last);
    }

    /// Makes a name a type and a name, and empties the arguments after it.
    fn make_function(&mut self, name: Item, arguments: Option<Item>) {
        self.function(name.last, name.last);
        if let Some(arguments) = arguments.filter(|arguments| arguments.first + 1 < arguments.last) {
            self.blank(arguments.first + 1, arguments.last - 1);
        }
    }

    /// Whether items are only the name of a variable.
    fn is_only_name(&self, items: &[Item]) -> bool {
        let names = items.iter().filter(|item| item.is_name()).count();
        names == 1
            && items.iter().all(|item| {
                item.is_name()
                    || matches!(
                        item.part,
                        Part::Squares | Part::Sign(b'*' | b'&') | Part::Word(Word::Specifier)
                    )
            })
    }

    /// `(WINAPI *f)`: the text before the star is not part of the name.
    fn declarator(&mut self, parentheses: Item) {
        let first = parentheses.first + 1;
        let mut star = first;
        while star < parentheses.last && self.kind(star) == Some(Kind::Word) {
            star += 1;
        }
        if self.is(star, b'*') && star > first {
            self.mask(first, star - 1);
        }
    }

    /// A head without parentheses.
    fn variable(&mut self, items: &[Item], end: usize) -> usize {
        if matches!(self.kind(end), None | Some(Kind::Sign(b'}' | b'@' | b'-' | b'+'))) {
            // Nothing ends it, so that it declares nothing.
            self.mask_names(items);
            return end;
        }
        let squares = items
            .iter()
            .position(|item| item.part == Part::Squares && item.first != items[0].first);
        let upto = squares.unwrap_or(items.len());
        let names: Vec<usize> = (0..upto).filter(|at| items[*at].is_name()).collect();
        let Some(last) = names.last().copied() else {
            return self.after_head(end, false);
        };
        let is_macro = |at: usize| self.is_macro_item(items[at]);
        let type_at = items[..upto].iter().rposition(|item| {
            matches!(
                item.part,
                Part::Word(Word::Type | Word::TypeOf | Word::Class | Word::Enum)
            )
        });
        // `int x UNUSED` has its name before the macro, `int EXPORT x` behind it.
        let name = match type_at {
            Some(type_at) if is_macro(last) => {
                let tag = usize::from(items[type_at].is(Word::Class) || items[type_at].is(Word::Enum));
                let mut own = names.iter().copied().filter(|at| *at > type_at + tag && !is_macro(*at));
                own.next_back().unwrap_or(last)
            }
            _ => last,
        };
        let has_type = type_at.is_some() || names.first().is_some_and(|first| *first < name);
        if has_type {
            self.prefix(&items[..name], false);
            self.suffix(&items[name + 1..]);
        } else if (is_macro(name) && !matches!(self.kind(end), Some(Kind::Sign(b'=' | b':'))))
            || (!self.in_cpp && self.in_class() && self.is(end, b';'))
        {
            let in_struct = !self.in_cpp && self.in_class();
            let last = if in_struct && self.is(end, b';') {
                end
            } else {
                items[name].last
            };
            self.mask(items[0].first, last);
            if self.is(end, b'{') {
                return self.body(end);
            }
        }
        self.after_head(end, false)
    }
}
