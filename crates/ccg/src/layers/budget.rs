//! How the bytes of layer 1 are shared out (clause L1).
//!
//! Of what the frame of the document and its patterns leave, 45 parts of a hundred go to the modules with their names as nodes, 30 to the public API and
//! 25 to the edges. Whatever one of them does not need goes to those that were cut, until nothing is left or nothing is cut.
//!
//! Everything comes by importance. Modules are listed with up to four exports for as long as four fifths of their share last; then each gets what it
//! depends on most, then the next, up to five; then up to twelve exports, then all dependencies, then all exports. Edges come in the
//! same rounds: for each module first what it depends on most. A module depends only on modules that are listed, so that
//! every name leads somewhere.

/// Parts of a hundred.
const MODULES: usize = 45;
const PUBLIC_API: usize = 30;
const EDGES: usize = 25;
/// Of the bytes for modules, how many go to listing more of them rather than saying more about each: so many of a hundred.
const BREADTH: usize = 80;
/// Exports of a module before others are listed, and before more of it is said.
const FEW_EXPORTS: usize = 4;
const SOME_EXPORTS: usize = 12;
/// Dependencies of a module before more of it is said.
const FEW_DEPENDENCIES: usize = 5;
/// How often what is left over is shared out again.
const ROUNDS: usize = 12;

/// What could be in the document, with what it costs.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct Offer {
    /// The modules by importance.
    pub(super) modules: Vec<ModuleOffer>,
    /// Entries of the public API by importance: bytes of each.
    pub(super) public_api: Vec<usize>,
}

/// What could be said of a module.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct ModuleOffer {
    /// Bytes of the module itself and of its node.
    pub(super) bytes: usize,
    /// Bytes of each export, by importance.
    pub(super) exports: Vec<usize>,
    /// What it depends on most, first.
    pub(super) depends_on: Vec<DependencyOffer>,
}

/// A dependency that could be in the document.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct DependencyOffer {
    /// The place of the other among the modules.
    pub(super) to: usize,
    /// Bytes of its name.
    pub(super) bytes: usize,
    pub(super) edge_bytes: usize,
}

/// What is in the document.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct Choice {
    /// How many modules.
    pub(super) modules: usize,
    /// By module: how many exports.
    pub(super) exports: Vec<usize>,
    /// By module: which of its dependencies.
    pub(super) depends_on: Vec<Vec<usize>>,
    /// The edges: the module, and which of its dependencies.
    pub(super) edges: Vec<(usize, usize)>,
    /// How many entries of the public API.
    pub(super) public_api: usize,
}

/// Chooses what fits into so many bytes.
pub(super) fn choose(offer: &Offer, room: usize) -> Choice {
    let shares = [MODULES, PUBLIC_API, EDGES];
    let mut budgets = shares.map(|share| room * share / 100);
    let mut choice = Choice::default();
    for _ in 0..ROUNDS {
        choice = Choice::default();
        let modules = modules(offer, budgets[0], &mut choice);
        let public_api = public_api(offer, budgets[1], &mut choice);
        let edges = edges(offer, budgets[2], &mut choice);
        let parts = [modules, public_api, edges];
        let used: usize = parts.iter().map(|part| part.bytes).sum();
        let left = room.saturating_sub(used);
        let wanting: usize = parts
            .iter()
            .zip(shares)
            .map(|(part, share)| if part.cut { share } else { 0 })
            .sum();
        if wanting == 0 || left < 64 {
            break;
        }
        for (at, part) in parts.iter().enumerate() {
            budgets[at] = part.bytes + if part.cut { left * shares[at] / wanting } else { 0 };
        }
    }
    choice
}

/// What a part of the document takes.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
struct Part {
    bytes: usize,
    /// Whether there is more of it.
    cut: bool,
}

/// A number of bytes that is spent.
struct Purse {
    left: usize,
    spent: usize,
}

impl Purse {
    fn new(left: usize) -> Self {
        Self { left, spent: 0 }
    }

    fn pay(&mut self, bytes: usize) -> bool {
        let enough = bytes <= self.left;
        if enough {
            self.left -= bytes;
            self.spent += bytes;
        }
        enough
    }
}

fn modules(offer: &Offer, budget: usize, choice: &mut Choice) -> Part {
    let mut breadth = budget * BREADTH / 100;
    loop {
        let (part, left) = modules_of(offer, budget, breadth, choice);
        // Where nothing more can be said of those that are listed, more of them are.
        let more = offer.modules.get(choice.modules).map(few);
        match more {
            Some(bytes) if left >= bytes => breadth += left,
            _ => return part,
        }
    }
}

/// Bytes of a module with a few exports.
fn few(module: &ModuleOffer) -> usize {
    module.bytes + module.exports.iter().take(FEW_EXPORTS).sum::<usize>()
}

/// Lists modules for so many bytes and says of them what the budget allows; what is left once everything is said.
fn modules_of(offer: &Offer, budget: usize, breadth: usize, choice: &mut Choice) -> (Part, usize) {
    let mut purse = Purse::new(budget);
    let mut listing = Purse::new(breadth.min(budget));
    let listed = offer.modules.iter().take_while(|module| listing.pay(few(module)));
    choice.modules = listed.count();
    let modules = &offer.modules[..choice.modules];
    let _ = purse.pay(listing.spent);
    choice.exports = modules
        .iter()
        .map(|module| module.exports.len().min(FEW_EXPORTS))
        .collect();
    choice.depends_on = vec![Vec::new(); modules.len()];
    let whole = depend(modules, FEW_DEPENDENCIES, &mut purse, choice)
        && export(modules, SOME_EXPORTS, &mut purse, choice)
        && depend(modules, usize::MAX, &mut purse, choice)
        && export(modules, usize::MAX, &mut purse, choice);
    let part = Part {
        bytes: purse.spent,
        cut: !whole || choice.modules < offer.modules.len(),
    };
    (part, if whole { purse.left } else { 0 })
}

/// Adds exports up to a number of them to each module, one to each at a time; `false` when the purse is empty.
fn export(modules: &[ModuleOffer], most: usize, purse: &mut Purse, choice: &mut Choice) -> bool {
    let longest = modules
        .iter()
        .map(|module| module.exports.len())
        .max()
        .unwrap_or(0)
        .min(most);
    for round in 0..longest {
        for (module, count) in modules.iter().zip(&mut choice.exports) {
            if *count != round {
                continue;
            }
            if let Some(bytes) = module.exports.get(round) {
                if !purse.pay(*bytes) {
                    return false;
                }
                *count += 1;
            }
        }
    }
    true
}

/// Adds dependencies up to a number of them to each module, one to each at a time; `false` when the purse is empty.
fn depend(modules: &[ModuleOffer], most: usize, purse: &mut Purse, choice: &mut Choice) -> bool {
    for (round, module, at) in rounds(modules, most) {
        if choice.depends_on[module].len() == round {
            if !purse.pay(modules[module].depends_on[at].bytes) {
                return false;
            }
            choice.depends_on[module].push(at);
        }
    }
    true
}

/// The dependencies on modules that are listed, the first of each module, then the second of each: the round, the module, and which of its
/// dependencies it is.
fn rounds(modules: &[ModuleOffer], most: usize) -> Vec<(usize, usize, usize)> {
    let mut rows = Vec::new();
    for (number, module) in modules.iter().enumerate() {
        let listed = module
            .depends_on
            .iter()
            .enumerate()
            .filter(|(_, one)| one.to < modules.len());
        rows.extend(
            listed
                .take(most)
                .enumerate()
                .map(|(round, (at, _))| (round, number, at)),
        );
    }
    rows.sort_unstable();
    rows
}

fn public_api(offer: &Offer, budget: usize, choice: &mut Choice) -> Part {
    let mut purse = Purse::new(budget);
    choice.public_api = offer.public_api.iter().take_while(|bytes| purse.pay(**bytes)).count();
    Part {
        bytes: purse.spent,
        cut: choice.public_api < offer.public_api.len(),
    }
}

fn edges(offer: &Offer, budget: usize, choice: &mut Choice) -> Part {
    let mut purse = Purse::new(budget);
    let modules = &offer.modules[..choice.modules];
    let rows = rounds(modules, usize::MAX);
    let kept = rows
        .iter()
        .take_while(|(_, module, at)| purse.pay(modules[*module].depends_on[*at].edge_bytes));
    choice.edges = kept.map(|(_, module, at)| (*module, *at)).collect();
    Part {
        bytes: purse.spent,
        cut: choice.edges.len() < rows.len(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn module(bytes: usize, exports: usize, depends_on: &[usize]) -> ModuleOffer {
        ModuleOffer {
            bytes,
            exports: vec![10; exports],
            depends_on: depends_on
                .iter()
                .map(|to| DependencyOffer {
                    to: *to,
                    bytes: 20,
                    edge_bytes: 40,
                })
                .collect(),
        }
    }

    fn cost(offer: &Offer, choice: &Choice) -> usize {
        let modules: usize = (0..choice.modules)
            .map(|at| {
                let module = &offer.modules[at];
                let exports: usize = module.exports[..choice.exports[at]].iter().sum();
                let depends: usize = choice.depends_on[at]
                    .iter()
                    .map(|one| module.depends_on[*one].bytes)
                    .sum();
                module.bytes + exports + depends
            })
            .sum();
        let edge = |(module, at): &(usize, usize)| offer.modules[*module].depends_on[*at].edge_bytes;
        let edges: usize = choice.edges.iter().map(edge).sum();
        modules + edges + offer.public_api[..choice.public_api].iter().sum::<usize>()
    }

    #[test]
    fn l1_everything_is_there_where_there_is_room() {
        let offer = Offer {
            modules: vec![module(50, 30, &[1, 2]), module(50, 0, &[0]), module(50, 1, &[])],
            public_api: vec![100; 7],
        };
        let choice = choose(&offer, 10_000);
        assert_eq!((choice.modules, choice.public_api, choice.edges.len()), (3, 7, 3));
        assert_eq!(choice.exports, [30, 0, 1]);
        assert_eq!(choice.depends_on, [vec![0, 1], vec![0], vec![]]);
    }

    #[test]
    fn l1_room_is_kept_to_and_well_used_whatever_there_is() {
        let shapes: [(usize, usize, usize, usize); 6] = [
            (5_000, 20, 30, 5_000),
            (5_000, 0, 0, 0),
            (1, 20_000, 0, 0),
            (40, 10, 39, 20_000),
            (0, 0, 0, 10_000),
            (300, 50, 200, 0),
        ];
        for (modules, exports, dependencies, api) in shapes {
            let all: Vec<ModuleOffer> = (0..modules)
                .map(|at| {
                    let others: Vec<usize> = (1..=dependencies).map(|step| (at * 7 + step) % modules).collect();
                    module(80, exports, &others)
                })
                .collect();
            let offer = Offer {
                modules: all,
                public_api: vec![150; api],
            };
            let choice = choose(&offer, 50_000);
            let cost = cost(&offer, &choice);
            assert!(cost <= 50_000, "{cost}");
            assert!(cost > 49_000, "{cost} for {modules} {exports} {dependencies} {api}");
            for (module, at) in &choice.edges {
                assert!(*module < choice.modules && offer.modules[*module].depends_on[*at].to < choice.modules);
            }
        }
    }

    #[test]
    fn l1_what_one_part_does_not_need_goes_to_the_others() {
        let many: Vec<ModuleOffer> = (0..1_000).map(|_| module(80, 8, &[])).collect();
        let with_api = choose(
            &Offer {
                modules: many.clone(),
                public_api: vec![150; 1_000],
            },
            50_000,
        );
        let without = choose(
            &Offer {
                modules: many,
                public_api: Vec::new(),
            },
            50_000,
        );
        assert!(without.modules > with_api.modules);
        assert!(with_api.public_api > 50);
    }
}
