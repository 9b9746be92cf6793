//! Exceptions: propagates thrown objects to the code that catches them.
//!
//! The search starts at calls inside a catching block and follows the call graph down to bodies that throw. Propagating
//! up from every throw would cost more, because most exceptions are never caught.

use std::collections::VecDeque;

use lore_model::NONE;

use super::engine::{Engine, Way};
use super::fast_hash::Numbers;

/// Most calls between the catching and the throwing body.
const MAX_DEPTH: u32 = 8;
/// Most activations that are visited for one caught call.
const MAX_VISITS: usize = 256;
/// Most rounds in which caught exceptions lead to further calls that throw.
const MAX_ROUNDS: usize = 3;

impl Engine<'_, '_> {
    /// Connects thrown exceptions to the slots that catch them and runs the analysis until nothing changes. Returns
    /// whether anything was connected.
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
                    // A call inside an inner catching block is not followed: its exceptions stop there.
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
