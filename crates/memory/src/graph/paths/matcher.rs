//! A pattern as a small program over letters. All ways to match are followed at once, so that the work is at most the length of the path times that of the
//! pattern, whatever the pattern is.

use super::glob::{Class, Part};

/// A pattern, ready to be tried.
#[derive(Clone, Debug)]
pub(super) struct Program {
    steps: Vec<Step>,
}

#[derive(Clone, Debug)]
enum Step {
    /// This letter.
    Letter(char),
    /// A slash; it is passed over behind directories of which there are none.
    Slash,
    /// Any letter but a slash.
    One,
    /// Any letter.
    Any,
    /// A letter of a class.
    Class(Class),
    /// Both ways.
    Split(usize, usize),
    /// Another step.
    Jump(usize),
    /// There are no directories here: the slash behind them is passed over.
    Skip,
}

/// Where a way stands: a step, and whether the next slash is passed over.
type Way = (usize, bool);

impl Program {
    pub(super) fn new(parts: &[Part]) -> Self {
        let mut program = Self { steps: Vec::new() };
        program.add(parts);
        program
    }

    pub(super) fn has_class(&self) -> bool {
        self.steps.iter().any(|step| matches!(step, Step::Class(_)))
    }

    fn add(&mut self, parts: &[Part]) {
        for part in parts {
            let here = self.steps.len();
            match part {
                Part::Letter(letter) => self.steps.push(Step::Letter(*letter)),
                Part::Slash => self.steps.push(Step::Slash),
                Part::One => self.steps.push(Step::One),
                Part::Class(class) => self.steps.push(Step::Class(class.clone())),
                Part::Stars(_) => {
                    let loops = [Step::Split(here + 1, here + 3), Step::One, Step::Jump(here)];
                    self.steps.extend(loops);
                }
                Part::Directories => {
                    let loops = [
                        Step::Split(here + 1, here + 3),
                        Step::Any,
                        Step::Split(here + 1, here + 4),
                        Step::Skip,
                    ];
                    self.steps.extend(loops);
                }
                Part::Choice(branches) => self.add_choice(branches),
            }
        }
    }

    fn add_choice(&mut self, branches: &[Vec<Part>]) {
        let mut jumps = Vec::new();
        for (at, branch) in branches.iter().enumerate() {
            let split = self.steps.len();
            let is_last = at + 1 == branches.len();
            if !is_last {
                self.steps.push(Step::Split(split + 1, 0));
            }
            self.add(branch);
            if !is_last {
                jumps.push(self.steps.len());
                self.steps.push(Step::Jump(0));
                let next = self.steps.len();
                if let Some(step) = self.steps.get_mut(split) {
                    *step = Step::Split(split + 1, next);
                }
            }
        }
        let end = self.steps.len();
        for jump in jumps {
            if let Some(step) = self.steps.get_mut(jump) {
                *step = Step::Jump(end);
            }
        }
    }

    pub(super) fn matches(&self, path: &str) -> bool {
        self.run(path, &mut 0)
    }

    /// The same, and how many steps it took.
    pub(super) fn run(&self, path: &str, taken: &mut usize) -> bool {
        let mut ways = Ways::new(self.steps.len());
        let mut next = Ways::new(self.steps.len());
        self.follow(&mut ways, (0, false), taken);
        for letter in path.chars() {
            for at in 0..ways.standing.len() {
                *taken += 1;
                let Some(step) = ways.standing.get(at).copied() else {
                    break;
                };
                let takes = match self.steps.get(step) {
                    Some(Step::Letter(wanted)) => *wanted == letter,
                    Some(Step::Slash) => letter == '/',
                    Some(Step::One) => letter != '/',
                    Some(Step::Any) => true,
                    Some(Step::Class(class)) => class.takes(letter),
                    _ => false,
                };
                if takes {
                    self.follow(&mut next, (step + 1, false), taken);
                }
            }
            std::mem::swap(&mut ways, &mut next);
            next.clear();
            if ways.standing.is_empty() && !ways.ended {
                return false;
            }
        }
        ways.ended
    }

    /// Follows a way up to the steps that take a letter.
    fn follow(&self, ways: &mut Ways, from: Way, taken: &mut usize) {
        let mut open = vec![from];
        while let Some((step, skips)) = open.pop() {
            *taken += 1;
            if !ways.enter(step, skips) {
                continue;
            }
            match self.steps.get(step) {
                Some(Step::Split(one, other)) => open.extend([(*one, skips), (*other, skips)]),
                Some(Step::Jump(to)) => open.push((*to, skips)),
                Some(Step::Skip) => open.push((step + 1, true)),
                Some(Step::Slash) if skips => open.push((step + 1, false)),
                Some(_) if skips => {}
                Some(_) => ways.standing.push(step),
                None => ways.ended |= !skips,
            }
        }
    }
}

/// Where all ways stand after a letter.
struct Ways {
    standing: Vec<usize>,
    entered: Vec<[bool; 2]>,
    touched: Vec<usize>,
    ended: bool,
}

impl Ways {
    fn new(steps: usize) -> Self {
        Self {
            standing: Vec::new(),
            entered: vec![[false; 2]; steps + 1],
            touched: Vec::new(),
            ended: false,
        }
    }

    /// Whether nobody was there yet.
    fn enter(&mut self, step: usize, skips: bool) -> bool {
        let Some(entered) = self.entered.get_mut(step) else {
            return false;
        };
        let Some(entered) = entered.get_mut(usize::from(skips)) else {
            return false;
        };
        self.touched.push(step);
        !std::mem::replace(entered, true)
    }

    fn clear(&mut self) {
        self.standing.clear();
        for step in self.touched.drain(..) {
            if let Some(entered) = self.entered.get_mut(step) {
                *entered = [false; 2];
            }
        }
        self.ended = false;
    }
}
