//! What is thrown comes to who catches it: the calls inside a part that catches are followed to the bodies that throw.
//!
//! Most calls throw into nobody's hands, so nothing flows up from call to call: it is looked for from where it is caught.

use std::collections::VecDeque;

use lore_model::NONE;

use super::engine::{Engine, Way};
use super::fast_hash::Numbers;

/// How many calls lie between who catches and who throws at most.
const MAX_DEPTH: u32 = 8;
/// Activations that are looked at for one call that is caught.
const MAX_VISITS: usize = 256;
/// How often what is caught may bring about more that is caught.
const MAX_ROUNDS: usize = 3;

impl Engine<'_, '_> {
    /// Brings what is thrown to where it is caught, and works until nothing changes. Says whether anything was.
    pub(super) fn carry_thrown(&mut self) -> bool {
        let mut carried: Numbers<(u32, u32)> = std::mem::take(&mut self.carried);
        let known = carried.len();
        for _ in 0..MAX_ROUNDS {
            let before = carried.len();
            let mut reached = self.reached.clone();
            reached.sort_unstable();
            reached.dedup();
            let of = |caller: u32| {
                let from = reached.partition_point(|row| row.0 < caller);
                reached[from..].iter().take_while(move |row| row.0 == caller)
            };
            for (_, callee, caught) in reached.iter().filter(|row| row.2 != NONE) {
                let mut seen = Numbers::default();
                let mut waiting = VecDeque::from([(*callee, 0)]);
                seen.insert(*callee);
                while let Some((activation, depth)) = waiting.pop_front() {
                    let row = &self.activations[activation as usize];
                    let thrown = self.program.body(row.body).thrown.get();
                    if thrown != NONE {
                        let from = row.base + thrown;
                        if carried.insert((from, *caught)) {
                            self.connect(from, *caught, Way::Crossed);
                        }
                    }
                    if depth == MAX_DEPTH {
                        continue;
                    }
                    // What is caught on the way does not come here.
                    for (_, next, _) in of(activation).filter(|row| row.2 == NONE) {
                        if seen.len() < MAX_VISITS && seen.insert(*next) {
                            waiting.push_back((*next, depth + 1));
                        }
                    }
                }
            }
            if carried.len() == before {
                break;
            }
            self.settle();
        }
        let changed = carried.len() > known;
        self.carried = carried;
        changed
    }
}
