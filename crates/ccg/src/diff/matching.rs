//! What of one tree is what of another (clause D1): by name first, then by how alike the source is.
//!
//! Names win: a module or symbol whose name is on both sides is the same one. What is left is compared by text, modules first, then what has
//! members, from the outside in, then the rest. Once two of them are the same one, their members are looked for under the new name, so
//! that a renamed class does not leave its methods behind. A symbol is compared only with those of its kind that share runs of words with it.

use std::borrow::Cow;
use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet, HashMap};

use lore_model::SymbolKind;

use super::body::{Body, Digest, signature_likeness};
use super::inventory::{Inventory, SymbolEntry};

/// How alike a symbol must be to the one of another name that it was.
pub const RENAMED_LIKENESS: f32 = 0.6;
/// How alike a symbol must be to the one of the same name that stood elsewhere.
pub const MOVED_LIKENESS: f32 = 0.5;
/// How alike a symbol must be to the one of another name that stood elsewhere.
pub const MOVED_AND_RENAMED_LIKENESS: f32 = 0.75;
/// How alike the text of a module must be to that of the one it was.
pub const MODULE_LIKENESS: f32 = 0.5;
/// The part that the text has in the likeness of two symbols; the rest is that of their signatures.
const TEXT_PART: f32 = 0.8;
/// Fewer words than this must be the same to the last one.
const FEW_WORDS: usize = 16;
/// Fewer words than this say nothing.
const NO_WORDS: usize = 8;
/// So many words a member must have that is to be known again under another holder.
const MEMBER_WORDS: usize = 24;
/// A run of words that more symbols have than this tells none of them from the others.
const COMMON_RUN: usize = 64;
/// With so many symbols one is compared at most, for each way to find them.
const MOST_CANDIDATES: usize = 16;

/// Among so many of one name the best is looked for; the rest go in order.
const MOST_NAMESAKES: usize = 64;

/// Which is which: by number in the one tree, the number in the other.
#[derive(Debug, Default)]
pub(super) struct Pairs {
    /// Modules of the base.
    pub(super) modules: Vec<Option<u32>>,
    /// Modules of the target.
    pub(super) modules_back: Vec<Option<u32>>,
    /// Symbols of the base.
    pub(super) symbols: Vec<Option<u32>>,
    /// Symbols of the target.
    pub(super) symbols_back: Vec<Option<u32>>,
}

impl Pairs {
    fn join_modules(&mut self, base: u32, target: u32) {
        self.modules[base as usize] = Some(target);
        self.modules_back[target as usize] = Some(base);
    }

    fn join_symbols(&mut self, base: u32, target: u32) {
        self.symbols[base as usize] = Some(target);
        self.symbols_back[target as usize] = Some(base);
    }
}

/// Finds what of the base is what of the target.
pub(super) fn pair(base: &Inventory<'_>, target: &Inventory<'_>) -> Pairs {
    let mut pairs = Pairs {
        modules: vec![None; base.modules.len()],
        modules_back: vec![None; target.modules.len()],
        symbols: vec![None; base.symbols.len()],
        symbols_back: vec![None; target.symbols.len()],
    };
    let with_text = base.has_source() && target.has_source();
    pair_modules(base, target, with_text, &mut pairs);
    let mut matcher = Matcher {
        base,
        target,
        pairs,
        with_text,
        depths: depths(base),
        names: Names::of(target),
    };
    matcher.by_name();
    matcher.by_likeness();
    matcher.pairs
}

/// The name that a symbol of the base has in the target if only what holds it was renamed or moved.
pub(super) fn expected_name<'s>(
    base: &'s Inventory<'_>,
    target: &Inventory<'_>,
    pairs: &Pairs,
    symbol: &'s SymbolEntry<'_>,
) -> Cow<'s, str> {
    let own = Cow::Borrowed(&*symbol.qualified);
    let (before, after) = match symbol.parent {
        Some(parent) => match pairs.symbols[parent as usize] {
            Some(paired) => (
                &*base.symbols[parent as usize].qualified,
                &*target.symbols[paired as usize].qualified,
            ),
            None => return own,
        },
        None => match symbol
            .module
            .and_then(|module| Some((module, pairs.modules[module as usize]?)))
        {
            Some((module, paired)) => (
                &*base.modules[module as usize].name,
                &*target.modules[paired as usize].name,
            ),
            None => return own,
        },
    };
    match symbol.qualified.strip_prefix(before) {
        Some(rest) if before != after => Cow::Owned(format!("{after}{rest}")),
        _ => own,
    }
}

/// Symbols by name, without a list for each name.
struct Names<'t> {
    first: HashMap<&'t str, u32>,
    /// By symbol: the next one of the same name.
    next: Vec<Option<u32>>,
}

impl<'t> Names<'t> {
    fn of(inventory: &'t Inventory<'_>) -> Self {
        let mut found = Self {
            first: HashMap::with_capacity(inventory.symbols.len()),
            next: vec![None; inventory.symbols.len()],
        };
        for (number, symbol) in inventory.symbols.iter().enumerate().rev() {
            if symbol.compared {
                found.next[number] = found.first.insert(&symbol.qualified, number as u32);
            }
        }
        found
    }

    fn all(&self, first: u32) -> impl Iterator<Item = u32> + '_ {
        std::iter::successors(Some(first), |number| self.next[*number as usize])
    }
}

/// By symbol: how many others hold it.
fn depths(inventory: &Inventory<'_>) -> Vec<u8> {
    let depth = |symbol: &SymbolEntry<'_>| {
        let up = |symbol: &&SymbolEntry<'_>| inventory.symbols.get(symbol.parent? as usize);
        let chain = std::iter::successors(Some(symbol), up);
        chain.take(64).count() as u8 - 1
    };
    inventory.symbols.iter().map(depth).collect()
}

/// Those that may be the same: symbols of one kind, functions being methods without a parent.
fn family(kind: SymbolKind) -> SymbolKind {
    match kind {
        SymbolKind::Method => SymbolKind::Function,
        kind => kind,
    }
}

fn has_members(kind: SymbolKind) -> bool {
    kind.is_type() || matches!(kind, SymbolKind::Module | SymbolKind::Namespace)
}

struct Matcher<'i, 'b, 't> {
    base: &'i Inventory<'b>,
    target: &'i Inventory<'t>,
    pairs: Pairs,
    with_text: bool,
    depths: Vec<u8>,
    names: Names<'i>,
}

impl Matcher<'_, '_, '_> {
    fn open_in_base(&self) -> Vec<u32> {
        open(self.base, &self.pairs.symbols)
    }

    fn open_in_target(&self) -> Vec<u32> {
        open(self.target, &self.pairs.symbols_back)
    }

    /// Pairs what has the name that it should have, from the outside in; then what has its old name in spite of everything.
    fn by_name(&mut self) {
        let mut levels: Vec<Vec<u32>> = Vec::new();
        for number in self.open_in_base() {
            let depth = self.depths[number as usize] as usize;
            if levels.len() <= depth {
                levels.resize(depth + 1, Vec::new());
            }
            levels[depth].push(number);
        }
        for level in &levels {
            self.join_names(level, |matcher, symbol| {
                let name = expected_name(matcher.base, matcher.target, &matcher.pairs, symbol);
                matcher.names.first.get(&*name).copied()
            });
        }
        let left = self.open_in_base();
        self.join_names(&left, |matcher, symbol| {
            matcher.names.first.get(&*symbol.qualified).copied()
        });
    }

    fn join_names(&mut self, open: &[u32], find: impl Fn(&Self, &SymbolEntry<'_>) -> Option<u32>) {
        let mut wanted: Vec<(u32, u32)> = open
            .iter()
            .filter_map(|number| Some((find(self, &self.base.symbols[*number as usize])?, *number)))
            .collect();
        wanted.sort_unstable();
        for group in wanted.chunk_by(|left, right| left.0 == right.0) {
            let mut bases: Vec<u32> = group.iter().map(|(_, number)| *number).collect();
            let mut targets: Vec<u32> = self.names.all(group[0].0).collect();
            targets.retain(|number| self.pairs.symbols_back[*number as usize].is_none());
            if let ([base], [target]) = (bases.as_slice(), targets.as_slice()) {
                self.pairs.join_symbols(*base, *target);
                continue;
            }
            // The surest first: the same declaration, then the most alike of the same kind, then whatever has the name.
            let mut ranked: Vec<(Reverse<u32>, u32, u32)> = Vec::new();
            for base in &bases {
                for target in targets.iter().take(MOST_NAMESAKES) {
                    ranked.push((Reverse(self.namesakes(*base, *target)), *base, *target));
                }
            }
            ranked.sort_unstable();
            for (_, base, target) in ranked {
                let is_free =
                    self.pairs.symbols[base as usize].is_none() && self.pairs.symbols_back[target as usize].is_none();
                if is_free {
                    self.pairs.join_symbols(base, target);
                }
            }
            bases.retain(|number| self.pairs.symbols[*number as usize].is_none());
            targets.retain(|number| self.pairs.symbols_back[*number as usize].is_none());
            for (base, target) in bases.into_iter().zip(targets) {
                self.pairs.join_symbols(base, target);
            }
        }
    }

    /// How well two symbols of one name go together.
    fn namesakes(&self, base: u32, target: u32) -> u32 {
        let (left, right) = (&self.base.symbols[base as usize], &self.target.symbols[target as usize]);
        let holder = left.parent.map(|parent| self.pairs.symbols[parent as usize]);
        let same_holder = right.parent.is_some() && holder == Some(right.parent);
        let same_kind = 4000 * u32::from(same_holder) + 2000 * u32::from(left.kind == right.kind);
        if left.signature == right.signature {
            same_kind + 1001
        } else {
            let names = ((&*left.signature, &*left.name), (&*right.signature, &*right.name));
            same_kind + (signature_likeness(names.0, names.1) * 1000.0) as u32
        }
    }

    /// Pairs what is alike: first what has members, from the outside in, then everything else.
    fn by_likeness(&mut self) {
        let holds = |inventory: &Inventory<'_>, number: &u32| has_members(inventory.symbols[*number as usize].kind);
        let deepest = self.depths.iter().copied().max().unwrap_or(0);
        for depth in 0..=deepest {
            let mut bases = self.open_in_base();
            bases.retain(|number| holds(self.base, number) && self.depths[*number as usize] == depth);
            let mut targets = self.open_in_target();
            targets.retain(|number| holds(self.target, number));
            if self.join_alike(&bases, &targets) {
                self.by_name();
            }
        }
        let mut bases = self.open_in_base();
        bases.retain(|number| !holds(self.base, number));
        let mut targets = self.open_in_target();
        targets.retain(|number| !holds(self.target, number));
        self.join_alike(&bases, &targets);
    }

    /// Whether any were alike.
    fn join_alike(&mut self, bases: &[u32], targets: &[u32]) -> bool {
        if bases.is_empty() || targets.is_empty() {
            return false;
        }
        let left = bodies(self.base, bases, self.with_text);
        let right = bodies(self.target, targets, self.with_text);
        let index = Index::of(self.target, targets, &right);
        let often = |digests: &HashMap<u64, Vec<u32>>, body: &Body| digests.get(&body.digest).map_or(0, Vec::len);
        let mut own: HashMap<u64, Vec<u32>> = HashMap::new();
        for number in bases.iter().filter(|number| left.contains_key(number)) {
            own.entry(left[number].digest).or_default().push(*number);
        }
        let mut found: Vec<Candidate<'_>> = Vec::new();
        for base in bases {
            let Some(body) = left.get(base) else { continue };
            let symbol = &self.base.symbols[*base as usize];
            for target in index.candidates(symbol, body) {
                let other = &right[&target];
                let is_alone = often(&own, body) == 1 && often(&index.digests, other) == 1;
                if let Some(rank) = self.rank((*base, body), (target, other), is_alone) {
                    found.push(Candidate {
                        rank: Reverse(rank),
                        alike: Reverse(same_parts(
                            &symbol.qualified,
                            &self.target.symbols[target as usize].qualified,
                        )),
                        names: in_order(&symbol.qualified, &self.target.symbols[target as usize].qualified),
                        base: *base,
                        target,
                    });
                }
            }
        }
        found.sort();
        let mut any = false;
        for row in found {
            let is_free = self.pairs.symbols[row.base as usize].is_none()
                && self.pairs.symbols_back[row.target as usize].is_none();
            if is_free {
                self.pairs.join_symbols(row.base, row.target);
                any = true;
            }
        }
        any
    }

    /// How well two symbols go together, in thousandths; nothing if they do not.
    fn rank(&self, (base, body): (u32, &Body), (target, other): (u32, &Body), is_alone: bool) -> Option<u32> {
        let (left, right) = (&self.base.symbols[base as usize], &self.target.symbols[target as usize]);
        let module = left.module.and_then(|module| self.pairs.modules[module as usize]);
        let same_module = module.is_some() && module == right.module;
        let holder = left.parent.map(|parent| self.pairs.symbols[parent as usize]);
        let same_holder = match (holder, right.parent) {
            (Some(holder), Some(parent)) => holder == Some(parent),
            (None, None) => true,
            _ => false,
        };
        let same_name = left.name == right.name;
        let words = body.words.min(other.words);
        let text = body.likeness(other);
        let signature = signature_likeness((&left.signature, &left.name), (&right.signature, &right.name));
        let likeness = TEXT_PART * text + (1.0 - TEXT_PART) * signature;
        // A constructor belongs to its type, and many look alike.
        let may_leave = left.kind != SymbolKind::Constructor && words >= MEMBER_WORDS;
        if !same_holder && !may_leave {
            return None;
        }
        let least = match (same_name, same_holder && same_module) {
            (true, _) => MOVED_LIKENESS,
            (false, true) => RENAMED_LIKENESS,
            (false, false) => MOVED_AND_RENAMED_LIKENESS,
        };
        let enough = if words < FEW_WORDS {
            body.digest == other.digest && (same_name || is_alone && same_module && words >= NO_WORDS)
        } else {
            likeness >= least
        };
        if !enough {
            return None;
        }
        let thousandths = (likeness * 1000.0) as u32;
        Some(thousandths + 100 * u32::from(same_name) + 50 * u32::from(same_module))
    }
}

fn open(inventory: &Inventory<'_>, pairs: &[Option<u32>]) -> Vec<u32> {
    (0u32..)
        .zip(inventory.symbols.iter().zip(pairs))
        .filter(|(_, (symbol, pair))| symbol.compared && pair.is_none())
        .map(|(number, _)| number)
        .collect()
}

/// Two names so that it does not matter which is the base's, and that the way back is the mirror of the way there.
fn in_order<'n>(one: &'n str, other: &'n str) -> (&'n str, &'n str) {
    if one <= other { (one, other) } else { (other, one) }
}

/// Two symbols that may be one; the best first, then those whose names are most alike, then by name.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct Candidate<'n> {
    rank: Reverse<u32>,
    /// Parts of the names that are the same.
    alike: Reverse<usize>,
    names: (&'n str, &'n str),
    base: u32,
    target: u32,
}

/// How many parts two qualified names share, counted from both ends.
fn same_parts(one: &str, other: &str) -> usize {
    let parts = |name| str::split(name, super::inventory::SEPARATORS).filter(|part| !part.is_empty());
    let (left, right): (Vec<&str>, Vec<&str>) = (parts(one).collect(), parts(other).collect());
    let most = left.len().min(right.len());
    let ends = left.iter().rev().zip(right.iter().rev());
    let at_end = ends.take_while(|(one, other)| one == other).count();
    let starts = left.iter().zip(&right).take(most - at_end);
    at_end + starts.take_while(|(one, other)| one == other).count()
}

/// The bodies of symbols: their text, or what the layers say of them where there is none.
pub(super) fn bodies(inventory: &Inventory<'_>, numbers: &[u32], with_text: bool) -> HashMap<u32, Body> {
    let mut found = HashMap::with_capacity(numbers.len());
    if with_text {
        let wanted: BTreeSet<u32> = numbers.iter().copied().collect();
        inventory.texts(&wanted, |number, text| {
            found.insert(number, Body::of(text, &inventory.symbols[number as usize].name));
        });
        return found;
    }
    let mut members: HashMap<u32, Vec<&str>> = HashMap::new();
    for symbol in &inventory.symbols {
        if let Some(parent) = symbol.parent {
            members.entry(parent).or_default().push(&symbol.signature);
        }
    }
    for number in numbers {
        let symbol = &inventory.symbols[*number as usize];
        let mut text = symbol.signature.to_string();
        let mut called: Vec<&str> = inventory
            .calls_of(*number)
            .iter()
            .map(|call| inventory.callee_name(call.to))
            .collect();
        called.sort_unstable();
        for part in called.iter().chain(members.get(number).into_iter().flatten()) {
            text.push(' ');
            text.push_str(part);
        }
        text.push_str(&format!(" {}", symbol.complexity.unwrap_or(0)));
        found.insert(*number, Body::of(&text, &symbol.name));
    }
    found
}

/// The symbols of the target by what they have in common with others.
struct Index<'i, 'b, 't> {
    inventory: &'i Inventory<'t>,
    runs: HashMap<(SymbolKind, u64), Vec<u32>>,
    digests: HashMap<u64, Vec<u32>>,
    names: HashMap<(SymbolKind, &'i str), Vec<u32>>,
    bodies: &'b HashMap<u32, Body>,
}

impl<'i, 'b, 't> Index<'i, 'b, 't> {
    fn of(inventory: &'i Inventory<'t>, numbers: &[u32], bodies: &'b HashMap<u32, Body>) -> Self {
        let mut found = Self {
            inventory,
            runs: HashMap::new(),
            digests: HashMap::new(),
            names: HashMap::new(),
            bodies,
        };
        for number in numbers {
            let Some(body) = bodies.get(number) else { continue };
            let symbol = &inventory.symbols[*number as usize];
            let kind = family(symbol.kind);
            for run in body.runs() {
                let list = found.runs.entry((kind, *run)).or_default();
                // One more than is looked at tells a common run.
                if list.len() <= COMMON_RUN {
                    list.push(*number);
                }
            }
            found.digests.entry(body.digest).or_default().push(*number);
            found.names.entry((kind, &symbol.name)).or_default().push(*number);
        }
        found
    }

    /// Those that a symbol should be compared with: the ones that share most runs, have the same text, or bear the same name.
    fn candidates(&self, symbol: &SymbolEntry<'_>, body: &Body) -> BTreeSet<u32> {
        let kind = family(symbol.kind);
        let mut shared: HashMap<u32, u32> = HashMap::new();
        for run in body.runs() {
            let list = self.runs.get(&(kind, *run)).map_or(&[][..], Vec::as_slice);
            if list.len() <= COMMON_RUN {
                list.iter().for_each(|number| *shared.entry(*number).or_default() += 1);
            }
        }
        let mut shared: Vec<(Reverse<u32>, u32)> = shared
            .into_iter()
            .map(|(number, count)| (Reverse(count), number))
            .collect();
        shared.sort_unstable();
        let same_text = self.digests.get(&body.digest).into_iter().flatten();
        let same_text = same_text.filter(|number| family(self.inventory.symbols[**number as usize].kind) == kind);
        let same_name = self.names.get(&(kind, &*symbol.name)).into_iter().flatten();
        let mut found: BTreeSet<u32> = shared.iter().take(MOST_CANDIDATES).map(|(_, number)| *number).collect();
        found.extend(same_text.take(MOST_CANDIDATES));
        found.extend(same_name.take(MOST_CANDIDATES));
        found.retain(|number| self.bodies.contains_key(number));
        found
    }
}

/// Pairs modules: by name, by content, and what is left of a package by what became of the rest of it.
fn pair_modules(base: &Inventory<'_>, target: &Inventory<'_>, with_text: bool, pairs: &mut Pairs) {
    let mut named: HashMap<&str, Vec<u32>> = HashMap::new();
    for (number, module) in (0u32..).zip(&target.modules) {
        named.entry(&module.name).or_default().push(number);
    }
    for same_path in [true, false] {
        for (number, module) in (0u32..).zip(&base.modules) {
            let free = named.get(&*module.name).into_iter().flatten();
            let free = free.filter(|target| pairs.modules_back[**target as usize].is_none());
            let found = free
                .filter(|at| !same_path || target.modules[**at as usize].path == module.path)
                .min();
            if let (None, Some(found)) = (pairs.modules[number as usize], found.copied()) {
                pairs.join_modules(number, found);
            }
        }
    }
    pair_same_modules(base, target, pairs);
    pair_modules_by_content(base, target, with_text, pairs);
    pair_packages(base, target, pairs);
}

fn open_modules(pairs: &[Option<u32>]) -> Vec<u32> {
    (0u32..)
        .zip(pairs)
        .filter(|(_, pair)| pair.is_none())
        .map(|(number, _)| number)
        .collect()
}

/// Pairs modules that are the same to the letter, where only one on each side is.
fn pair_same_modules(base: &Inventory<'_>, target: &Inventory<'_>, pairs: &mut Pairs) {
    let by_content = |inventory: &Inventory<'_>, open: Vec<u32>| {
        let mut found: BTreeMap<u64, Vec<u32>> = BTreeMap::new();
        for number in open {
            if let Some(content) = inventory.modules[number as usize].content {
                found.entry(content).or_default().push(number);
            }
        }
        found
    };
    let targets = by_content(target, open_modules(&pairs.modules_back));
    for (content, numbers) in by_content(base, open_modules(&pairs.modules)) {
        if let ([base], Some([target])) = (numbers.as_slice(), targets.get(&content).map(Vec::as_slice)) {
            pairs.join_modules(*base, *target);
        }
    }
}

fn pair_modules_by_content(base: &Inventory<'_>, target: &Inventory<'_>, with_text: bool, pairs: &mut Pairs) {
    let (bases, targets) = (open_modules(&pairs.modules), open_modules(&pairs.modules_back));
    if bases.is_empty() || targets.is_empty() {
        return;
    }
    let left = module_bodies(base, &bases, with_text);
    let right = module_bodies(target, &targets, with_text);
    let mut runs: HashMap<u64, Vec<u32>> = HashMap::new();
    for number in &targets {
        for run in right[number].runs() {
            let list = runs.entry(*run).or_default();
            if list.len() <= COMMON_RUN {
                list.push(*number);
            }
        }
    }
    let mut found: Vec<Candidate<'_>> = Vec::new();
    for number in &bases {
        let (body, module) = (&left[number], &base.modules[*number as usize]);
        let mut shared: HashMap<u32, u32> = HashMap::new();
        for run in body.runs() {
            let list = runs.get(run).map_or(&[][..], Vec::as_slice);
            if list.len() <= COMMON_RUN {
                list.iter().for_each(|number| *shared.entry(*number).or_default() += 1);
            }
        }
        let mut shared: Vec<(Reverse<u32>, u32)> = shared.into_iter().map(|(at, count)| (Reverse(count), at)).collect();
        shared.sort_unstable();
        for (_, at) in shared.into_iter().take(MOST_CANDIDATES) {
            let other = &target.modules[at as usize];
            let same = module.content.is_some() && module.content == other.content;
            let likeness = if same { 1.0 } else { body.likeness(&right[&at]) };
            let words = body.words.min(right[&at].words);
            if likeness < MODULE_LIKENESS || words < NO_WORDS {
                continue;
            }
            let last = |name: &str| name.rsplit(super::inventory::SEPARATORS).next().map(str::to_owned);
            let same_end = last(&module.name) == last(&other.name);
            found.push(Candidate {
                rank: Reverse((likeness * 1000.0) as u32 + 100 * u32::from(same_end)),
                alike: Reverse(same_parts(&module.name, &other.name)),
                names: in_order(&module.name, &other.name),
                base: *number,
                target: at,
            });
        }
    }
    found.sort();
    for row in found {
        if pairs.modules[row.base as usize].is_none() && pairs.modules_back[row.target as usize].is_none() {
            pairs.join_modules(row.base, row.target);
        }
    }
}

/// The bodies of modules: the text of their files, or the names and signatures of what they hold where there is none.
fn module_bodies(inventory: &Inventory<'_>, numbers: &[u32], with_text: bool) -> HashMap<u32, Body> {
    if with_text {
        return numbers
            .iter()
            .map(|number| {
                let text = inventory.module_text(*number).unwrap_or_default();
                (*number, Body::of(&text, &inventory.modules[*number as usize].name))
            })
            .collect();
    }
    let mut texts: HashMap<u32, String> = numbers.iter().map(|number| (*number, String::new())).collect();
    for symbol in inventory.symbols.iter().filter(|symbol| symbol.compared) {
        if let Some(text) = symbol.module.and_then(|module| texts.get_mut(&module)) {
            text.push_str(&format!("{} {}\n", inventory.relative_name(symbol), symbol.signature));
        }
    }
    texts
        .into_iter()
        .map(|(number, text)| (number, Body::of(&text, &inventory.modules[number as usize].name)))
        .collect()
}

/// Pairs modules with next to nothing in them, such as the file that makes a directory a package, by where their neighbours went.
fn pair_packages(base: &Inventory<'_>, target: &Inventory<'_>, pairs: &mut Pairs) {
    let targets: HashMap<&str, u32> = open_modules(&pairs.modules_back)
        .into_iter()
        .map(|number| (&*target.modules[number as usize].name, number))
        .collect();
    if targets.is_empty() {
        return;
    }
    // What is before the last parts of a name, and what it became, as often as it did.
    let mut became: HashMap<u64, HashMap<&str, u32>> = HashMap::new();
    for (module, paired) in base.modules.iter().zip(&pairs.modules) {
        let Some(paired) = paired else { continue };
        let other = &target.modules[*paired as usize];
        if module.name == other.name {
            continue;
        }
        for (at, letter) in module.name.char_indices().rev() {
            if !super::inventory::SEPARATORS.contains(&letter) {
                continue;
            }
            match other.name.strip_suffix(&module.name[at..]) {
                Some(after) => {
                    let before = module.name[..at].trim_end_matches(super::inventory::SEPARATORS);
                    let after = after.trim_end_matches(super::inventory::SEPARATORS);
                    let counts = became.entry(Digest::of(before.as_bytes())).or_default();
                    *counts.entry(after).or_default() += 1;
                }
                None => break,
            }
        }
    }
    let (own, others) = (symbol_counts(base), symbol_counts(target));
    let mut taken = BTreeSet::new();
    for number in open_modules(&pairs.modules) {
        let name = &*base.modules[number as usize].name;
        let mut found = None;
        let ends = name
            .char_indices()
            .filter(|(_, letter)| super::inventory::SEPARATORS.contains(letter))
            .map(|(at, _)| at);
        for at in std::iter::once(name.len()).chain(ends.collect::<Vec<_>>().into_iter().rev()) {
            let before = name[..at].trim_end_matches(super::inventory::SEPARATORS);
            let counts = became.get(&Digest::of(before.as_bytes())).into_iter().flatten();
            let mut ways: Vec<(Reverse<u32>, &str)> = counts.map(|(after, count)| (Reverse(*count), *after)).collect();
            ways.sort_unstable();
            found = ways
                .into_iter()
                .find_map(|(_, after)| targets.get(format!("{after}{}", &name[at..]).as_str()))
                .filter(|at| !taken.contains(*at));
            if found.is_some() {
                break;
            }
        }
        if let Some(found) = found.filter(|found| own[number as usize] <= 2 && others[**found as usize] <= 2) {
            taken.insert(*found);
            pairs.join_modules(number, *found);
        }
    }
}

/// By module: how many symbols it holds that are compared.
fn symbol_counts(inventory: &Inventory<'_>) -> Vec<u32> {
    let mut counts = vec![0; inventory.modules.len()];
    for symbol in inventory.symbols.iter().filter(|symbol| symbol.compared) {
        if let Some(count) = symbol.module.and_then(|module| counts.get_mut(module as usize)) {
            *count += 1;
        }
    }
    counts
}
