//! Control flow inside a body: branches, joins, loops and exceptions.

use lore_model::{FlowCode, FlowFlags, NONE};

use super::builder::{Binding, Environment, FlowBuilder, Loop, Slot};

impl Environment {
    /// Whether this point is unreachable.
    pub(crate) fn is_dead(&self) -> bool {
        self.dead
    }
}

impl FlowBuilder<'_, '_> {
    /// The SSA versions of all variables at this point.
    pub(crate) fn environment(&mut self) -> Environment {
        let body = self.body();
        Environment {
            versions: body.versions.clone(),
            dead: body.dead,
        }
    }

    /// Continues from an earlier point.
    pub(crate) fn restore(&mut self, environment: &Environment) {
        let body = self.body();
        let len = body.versions.len();
        body.versions.clone_from(&environment.versions);
        body.versions.resize(len.max(environment.versions.len()), NONE);
        body.dead = environment.dead;
    }

    /// Continues where several control-flow paths join. Variables with different versions get a new slot (a phi).
    pub(crate) fn join(&mut self, ways: &[Environment]) {
        let alive: Vec<&Environment> = ways.iter().filter(|way| !way.dead).collect();
        let Some((first, others)) = alive.split_first() else {
            self.body().dead = true;
            return;
        };
        let len = self.body().versions.len();
        let version = |way: &Environment, at: usize| way.versions.get(at).copied().unwrap_or(NONE);
        let mut versions = Vec::with_capacity(len);
        for at in 0..len {
            let one = version(first, at);
            if others.iter().all(|other| version(other, at) == one) {
                versions.push(one);
                continue;
            }
            let joined = self.slot();
            let mut seen = Vec::new();
            for way in &alive {
                let from = version(way, at);
                if from != NONE && !seen.contains(&from) {
                    seen.push(from);
                    self.copy(joined, from);
                }
            }
            versions.push(joined);
        }
        let body = self.body();
        body.versions = versions;
        body.dead = false;
    }

    /// Whether this point is unreachable.
    pub(crate) fn is_dead(&mut self) -> bool {
        self.body().dead
    }

    /// Ends the control-flow path, as after `return` or `raise`.
    pub(crate) fn stop(&mut self) {
        self.settle_cells();
        self.body().dead = true;
    }

    /// Continues at a label below code that ends the path. The variables keep the values that they had there.
    pub(crate) fn arrive(&mut self) {
        self.body().dead = false;
    }

    /// Opens a loop over a range of the source. A variable that the loop writes can hold the value of the last
    /// iteration.
    pub(crate) fn begin_loop(&mut self, part: std::ops::Range<usize>) -> Vec<(usize, Slot)> {
        let open = self.bodies.len() - 1;
        let body = &self.bodies[open];
        let from = body.writes.partition_point(|(byte, _)| *byte < part.start);
        let variables: Vec<usize> = body.writes[from..]
            .iter()
            .take_while(|(byte, _)| *byte < part.end)
            .filter_map(|(_, name)| match self.binding(open, name) {
                Some(Binding::Own(variable)) => Some(variable),
                _ => None,
            })
            .collect();
        self.begin_rounds(variables)
    }

    /// Opens a loop that writes the named variables.
    pub(crate) fn begin_loop_writing(&mut self, names: &[&str]) -> Vec<(usize, Slot)> {
        let open = self.bodies.len() - 1;
        let written = names.iter().filter_map(|name| match self.binding(open, name) {
            Some(Binding::Own(variable)) => Some(variable),
            _ => None,
        });
        let variables = written.collect();
        self.begin_rounds(variables)
    }

    fn begin_rounds(&mut self, mut variables: Vec<usize>) -> Vec<(usize, Slot)> {
        variables.sort_unstable();
        variables.dedup();
        let mut rounds = Vec::with_capacity(variables.len());
        for variable in variables {
            let joined = self.slot();
            let entry = self.body().versions[variable];
            if entry != NONE {
                self.copy(joined, entry);
            }
            self.body().versions[variable] = joined;
            rounds.push((variable, joined));
        }
        let label = std::mem::take(&mut self.body().label);
        self.body().loops.push(Loop {
            label,
            ..Loop::default()
        });
        rounds
    }

    /// Joins all paths through an iteration, before the loop goes on to the next iteration.
    pub(crate) fn end_round(&mut self) {
        let here = self.environment();
        if let Some(open) = self.body().loops.last_mut() {
            let mut ways = std::mem::take(&mut open.continues);
            ways.push(here);
            self.join(&ways);
        }
    }

    /// Closes a loop and continues after it. An endless loop ends only by `break`.
    pub(crate) fn end_loop(&mut self, rounds: &[(usize, Slot)], endless: bool) {
        let Some(ended) = self.body().loops.pop() else {
            return;
        };
        let mut ways = ended.continues;
        ways.push(self.environment());
        self.join(&ways);
        if !self.is_dead() {
            for (variable, joined) in rounds {
                let last = self.body().versions[*variable];
                if last != NONE && last != *joined {
                    self.copy(*joined, last);
                }
            }
        }
        let mut exits = ended.breaks;
        if !endless {
            let mut exit = self.environment();
            exit.dead = false;
            for (variable, joined) in rounds {
                exit.versions[*variable] = *joined;
            }
            exits.push(exit);
        }
        self.join(&exits);
    }

    /// Sets the label of the next loop.
    pub(crate) fn label_next(&mut self, label: &str) {
        self.body().label = label.to_owned();
    }

    /// Closes a construct that `break` leaves but that does not repeat.
    pub(crate) fn end_switch(&mut self) {
        let Some(ended) = self.body().loops.pop() else {
            return;
        };
        let mut exits = ended.breaks;
        exits.push(self.environment());
        self.join(&exits);
        // `continue` refers to the enclosing loop.
        if let Some(around) = self.body().loops.last_mut() {
            around.continues.extend(ended.continues);
        }
    }

    /// Leaves the innermost loop, or the loop with a label.
    pub(crate) fn break_loop(&mut self, label: &str) {
        let here = self.environment();
        if let Some(found) = self.find_loop(label) {
            found.breaks.push(here);
        }
        self.body().dead = true;
    }

    /// Continues with the next iteration of the innermost loop, or of the loop with a label.
    pub(crate) fn continue_loop(&mut self, label: &str) {
        let here = self.environment();
        if let Some(found) = self.find_loop(label) {
            found.continues.push(here);
        }
        self.body().dead = true;
    }

    fn find_loop(&mut self, label: &str) -> Option<&mut Loop> {
        self.body()
            .loops
            .iter_mut()
            .rev()
            .find(|around| label.is_empty() || around.label == label)
    }

    /// Opens a region whose exceptions are caught. Returns the slot that receives them.
    pub(crate) fn begin_catch(&mut self) -> Slot {
        let caught = self.slot();
        self.body().catchers.push(caught);
        caught
    }

    /// Closes the region that [`FlowBuilder::begin_catch`] opened.
    pub(crate) fn end_catch(&mut self) {
        self.body().catchers.pop();
    }

    /// Throws a value to the innermost catching region, or out of the body.
    pub(crate) fn throw(&mut self, value: Slot) {
        let target = match self.body().catchers.last().copied() {
            Some(caught) => caught,
            None => {
                if self.body().thrown == NONE {
                    self.body().thrown = self.slot();
                }
                self.body().thrown
            }
        };
        self.copy(target, value);
    }

    /// The values that are sent to the open generator body.
    pub(crate) fn sent(&mut self) -> Slot {
        let to = self.slot();
        self.push(FlowCode::SENT, to, [0, 0, 0], 0, 0);
        to
    }

    /// The values of a slot that are instances of a class. With `others`, those that are not.
    pub(crate) fn narrow(&mut self, value: Slot, class: Slot, others: bool) -> Slot {
        let to = self.slot();
        let flags = if others { FlowFlags::OTHERS } else { 0 };
        self.push(FlowCode::NARROW, to, [value, class, 0], 0, flags);
        to
    }

    /// The values of a slot that are instances of a type. If the type is not a class, all values.
    pub(crate) fn narrow_certain(&mut self, to: Slot, value: Slot, class: Slot) {
        self.push(FlowCode::NARROW, to, [value, class, 0], 0, FlowFlags::CERTAIN);
    }

    /// The values of a slot whose member equals a literal; without a literal, those that have the member. With
    /// `others`, the rest.
    pub(crate) fn narrow_member(&mut self, value: Slot, member: &str, literal: Option<&str>, others: bool) -> Slot {
        let to = self.slot();
        let member = self.name(member);
        let literal = literal.map_or(NONE, |literal| self.name(literal));
        let flags = if others { FlowFlags::OTHERS } else { 0 };
        self.push(FlowCode::NARROW_MEMBER, to, [value, member, literal], 0, flags);
        to
    }

    /// The slot of the receiver, for bodies whose receiver is not a parameter.
    pub(crate) fn receiver(&mut self) -> Slot {
        if self.body().receiver == NONE {
            self.body().receiver = self.slot();
        }
        self.body().receiver
    }

    /// The slot of the values that the open body yields.
    pub(crate) fn yielded(&mut self) -> Slot {
        if self.body().yielded == NONE {
            self.body().yielded = self.slot();
        }
        self.body().yielded
    }
}
