//! The same at random to two stores, and everything that they say compared.

use super::{Kept, format, good, pending, read, repository, text, told, visit, words};
use crate::registry_store::entry::{Entry, Graph};
use crate::registry_store::status::Status;
use crate::registry_store::store::{Claim, EventKind, Filter, Registry, Wanted, writing};

const IDS: [&str; 8] = [
    "a/one",
    "A/One",
    "a/two",
    "b/one",
    "gitlab.com/a/one",
    "gitlab.com/g/h/i",
    "c/c",
    "d/d",
];
const HOSTS: [&str; 3] = ["github.com", "gitlab.com", "codeberg.org"];
const WORDS: [&str; 5] = ["get", "getter", "web", "rust", "shop"];

/// Does some random steps to two stores that say the same, and says where they begin to differ.
pub fn walk(one: &dyn Registry, other: &dyn Registry, seed: u64, steps: u32) -> Kept {
    let mut chance = Chance(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1);
    for step in 0..steps {
        let begin = chance.clone();
        let mut said = Vec::new();
        for store in [one, other] {
            chance = begin.clone();
            said.push(act(store, &mut chance, i64::from(step) * 10));
        }
        let said: Vec<String> = said
            .into_iter()
            .map(|said| said.unwrap_or_else(|error| error))
            .collect();
        if said.first() != said.last() {
            return Err(format!("seed {seed}, step {step}: {said:#?}"));
        }
        let (first, second) = (everything(one)?, everything(other)?);
        if first != second {
            let action = said.first().cloned().unwrap_or_default();
            return Err(format!(
                "seed {seed}, step {step}, {action}:\n{first}\ninstead of\n{second}"
            ));
        }
    }
    Ok(())
}

/// Everything that a store says, as text.
pub fn everything(store: &dyn Registry) -> Result<String, String> {
    let filters = [
        Filter::default(),
        Filter {
            status: Some(Status::Ok),
            ..Filter::default()
        },
        Filter {
            not: vec![Status::Pending],
            ..Filter::default()
        },
        Filter {
            owner: Some("a".to_owned()),
            ..Filter::default()
        },
        Filter {
            format: Some(format("generic@1")),
            ..Filter::default()
        },
        Filter {
            format_name: Some("generic".to_owned()),
            ..Filter::default()
        },
        Filter {
            status: Some(Status::Ok),
            tag: Some("web".to_owned()),
            ..Filter::default()
        },
        Filter {
            tag: Some("web".to_owned()),
            ..Filter::default()
        },
        Filter {
            language: Some("rust".to_owned()),
            not: vec![Status::Dead],
            ..Filter::default()
        },
    ];
    read(store, |unit| {
        let mut said = vec![format!("{:?}", unit.about()?)];
        for filter in &filters {
            let page = unit.page(filter, None, 5)?;
            let shown: Vec<String> = page.iter().map(|entry| entry.repository.to_string()).collect();
            said.push(format!("{filter:?}: {shown:?}"));
        }
        unit.each(&mut |entry| {
            let written = serde_json::to_string(&entry).unwrap_or_default();
            said.push(format!("{written} {:?}", unit.visits(&entry.repository, 2)?));
            Ok(())
        })?;
        said.push(format!("{:?} {:?}", unit.counts()?, unit.concepts(4)?));
        for word in WORDS {
            said.push(format!("{word}: {:?}", unit.search(&[word.to_owned()], 3)?));
        }
        said.push(format!("{:?} {}", unit.events(1, 3)?, unit.last_event()?));
        said.push(format!(
            "{} {} {:?} {:?}",
            unit.holders(&"a".repeat(64))?,
            unit.holders(&"b".repeat(64))?,
            unit.unheld(&["b", "c", "a"].map(|digest| digest.repeat(64)))?,
            unit.swept()?
        ));
        said.push(format!(
            "{:?} {:?} {:?} {:?}",
            unit.delayed_hosts(0)?,
            unit.last_visit()?,
            unit.next_due()?,
            unit.stuck()?
        ));
        Ok(said.join("\n"))
    })
}

/// Numbers that are always the same for a seed.
#[derive(Clone)]
struct Chance(u64);

impl Chance {
    fn below(&mut self, most: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 >> 33).unwrap_or_default() % most.max(1)
    }

    fn of<T: Copy>(&mut self, all: &[T]) -> T {
        all[self.below(all.len())]
    }

    fn entry(&mut self) -> Entry {
        let id = self.of(&IDS);
        let (tag, language) = (self.of(&WORDS), self.of(&WORDS));
        let mut entry = match self.below(4) {
            0 => pending(id),
            _ => good(id, &[tag, "Web"], &[language]),
        };
        entry.visited_at = [None, Some(5)][self.below(2)];
        if self.below(3) == 0 {
            entry.graphs[0].status = self.of(&Status::ALL);
        }
        if self.below(3) == 0 {
            let last_sha = Some(self.of(&["a", "b"]).repeat(64));
            entry.graphs.push(Graph {
                format: Some(format("generic@1")),
                status: self.of(&Status::ALL),
                last_sha,
                ..Graph::default()
            });
        }
        entry
    }
}

fn act(store: &dyn Registry, chance: &mut Chance, now: i64) -> Result<String, String> {
    let begin = chance.clone();
    let outcome = writing(store, |unit| {
        // The work may be run again, and then it does the same.
        *chance = begin.clone();
        let entry = chance.entry();
        let id = repository(chance.of(&IDS));
        let worker = chance.of(&["v", "w"]);
        let host = chance.of(&HOSTS);
        let due = [None, Some(now + 20), Some(0), Some(0)][chance.below(4)];
        Ok(match chance.below(13) {
            0 | 1 => format!("put {:?}", unit.put(&entry, host, due)?),
            2 => format!("remove {:?}", unit.remove(&id)?),
            3 => {
                let name = chance.of(&WORDS);
                let mut found = text(name, chance.of(&WORDS), "", "getter shop");
                found.symbols = found.symbols.filter(|_| chance.below(2) == 0);
                let found = [None, Some(&found), Some(&found)][chance.below(3)];
                format!(
                    "text {:?}",
                    unit.set_text(&entry.repository, &format("ccg@1"), found).map_err(told)
                )
            }
            4 => {
                let terms = [words(&[]), words(&[chance.of(&WORDS), chance.of(&WORDS)])];
                format!("terms {:?}", unit.set_terms(&id, &terms[chance.below(2)]).map_err(told))
            }
            5..=7 => {
                let without = [host.to_owned()];
                let these = [id, entry.repository];
                let claim = Claim {
                    worker,
                    now,
                    until: now + 35,
                    most: chance.below(4),
                    wanted: [Wanted::Due, Wanted::NotVisitedSince(now), Wanted::These(&these, now)][chance.below(3)],
                    without: &without[..chance.below(2)],
                };
                format!("claim {:?}", unit.claim(&claim)?)
            }
            8 | 9 => format!(
                "finish {:?}",
                unit.finish(worker, &entry, &visit(now, entry.status()), due)?
            ),
            10 => format!("give back {:?}", unit.give_back(worker, &id, now + 5)?),
            11 => format!(
                "{:?} {:?} {:?}",
                unit.join_round(worker, now, now + 30)?,
                unit.delay_host(host, now + 15)?,
                unit.forget_visits(now - 100)?
            ),
            _ => format!("event {:?}", unit.add_event(now, &id, EventKind::Changed, None)?),
        })
    });
    outcome.map_err(told)
}
