//! How alike two pieces of source are: their words and signs in runs of three, as sets of numbers.
//!
//! No language is known here. White space does not count; a symbol's own name counts as one and the same word everywhere, so that a definition is
//! as like its renamed self as if it had kept its name.

/// How many words a run has.
const RUN: usize = 3;

/// How many runs of a text are kept: those with the smallest numbers, which are a fair sample of all.
const SAMPLE: usize = 1024;

/// The placeholder for a symbol's own name.
const OWN_NAME: u64 = 0x5e1f;

/// The words of a text, as far as likeness is concerned.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct Body {
    /// How many words and signs there are.
    pub(super) words: usize,
    /// All of them in order, as one number.
    pub(super) digest: u64,
    /// The runs, in order.
    runs: Vec<u64>,
}

impl Body {
    /// The body of a symbol or of a file; `name` is its own name.
    pub(super) fn of(text: &str, name: &str) -> Self {
        let own = name.rsplit(super::inventory::SEPARATORS).next().unwrap_or(name);
        let mut digest = Digest::default();
        let mut runs = Vec::new();
        let mut last = [0u64; RUN];
        let mut words = 0;
        each_word(text, |word| {
            let number = if word == own {
                OWN_NAME
            } else {
                Digest::of(word.as_bytes())
            };
            digest.write(&number.to_le_bytes());
            last.rotate_left(1);
            last[RUN - 1] = number;
            words += 1;
            if words >= RUN {
                runs.push(run(&last));
            }
        });
        if words > 0 && words < RUN {
            runs.push(run(&last));
        }
        runs.sort_unstable();
        runs.dedup();
        runs.truncate(SAMPLE);
        Self {
            words,
            digest: digest.finish(),
            runs,
        }
    }

    /// The runs, in order.
    pub(super) fn runs(&self) -> &[u64] {
        &self.runs
    }

    /// The share of runs that both have, from 0 to 1; of a sample where there are very many.
    pub(super) fn likeness(&self, other: &Self) -> f32 {
        if self.runs.is_empty() || other.runs.is_empty() {
            return if self.words == other.words { 1.0 } else { 0.0 };
        }
        let (left_cut, right_cut) = (self.runs.len() == SAMPLE, other.runs.len() == SAMPLE);
        let most = if left_cut || right_cut { SAMPLE } else { usize::MAX };
        let (mut left, mut right) = (self.runs.iter().peekable(), other.runs.iter().peekable());
        let (mut both, mut all) = (0usize, 0usize);
        while all < most {
            match (left.peek(), right.peek()) {
                (Some(one), Some(two)) => {
                    let order = one.cmp(two);
                    if order.is_le() {
                        left.next();
                    }
                    if order.is_ge() {
                        right.next();
                    }
                    both += usize::from(order.is_eq());
                }
                // A sample says nothing of what lies beyond its largest number.
                (Some(_), None) if !right_cut => drop(left.next()),
                (None, Some(_)) if !left_cut => drop(right.next()),
                _ => break,
            }
            all += 1;
        }
        both as f32 / all.max(1) as f32
    }
}

fn run(words: &[u64; RUN]) -> u64 {
    let mut digest = Digest::default();
    words.iter().for_each(|word| digest.write(&word.to_le_bytes()));
    digest.finish()
}

/// Hands over the words of a text: runs of letters, digits and underscores, and every other sign that is not white space.
fn each_word(text: &str, mut take: impl FnMut(&str)) {
    let is_part = |letter: char| letter.is_alphanumeric() || letter == '_';
    let mut start = None;
    for (at, letter) in text.char_indices() {
        if is_part(letter) {
            start.get_or_insert(at);
            continue;
        }
        if let Some(start) = start.take() {
            take(&text[start..at]);
        }
        if !letter.is_whitespace() {
            take(&text[at..at + letter.len_utf8()]);
        }
    }
    if let Some(start) = start {
        take(&text[start..]);
    }
}

/// How alike two signatures are, from 0 to 1: the share of words that both have, without the symbol's own name.
pub(super) fn signature_likeness(left: (&str, &str), right: (&str, &str)) -> f32 {
    let words = |(signature, name): (&str, &str)| {
        let mut words: Vec<u64> = Vec::new();
        each_word(signature, |word| {
            if word != name {
                words.push(Digest::of(word.as_bytes()));
            }
        });
        words.sort_unstable();
        words
    };
    let (left, right) = (words(left), words(right));
    if left.is_empty() && right.is_empty() {
        return 1.0;
    }
    let (mut one, mut two, mut both) = (0, 0, 0);
    while let (Some(left), Some(right)) = (left.get(one), right.get(two)) {
        let order = left.cmp(right);
        one += usize::from(order.is_le());
        two += usize::from(order.is_ge());
        both += usize::from(order.is_eq());
    }
    2.0 * both as f32 / (left.len() + right.len()) as f32
}

/// A number for bytes, the same on every machine.
#[derive(Clone, Copy, Debug)]
pub(super) struct Digest(u64);

impl Default for Digest {
    fn default() -> Self {
        Self(0xcbf2_9ce4_8422_2325)
    }
}

impl Digest {
    pub(super) fn of(bytes: &[u8]) -> u64 {
        let mut digest = Self::default();
        digest.write(bytes);
        digest.finish()
    }

    pub(super) fn write(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.0 = (self.0 ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3);
        }
    }

    pub(super) fn finish(self) -> u64 {
        // The low bits of the product alone would make a poor sample.
        let mut number = self.0;
        number = (number ^ (number >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        number = (number ^ (number >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        number ^ (number >> 31)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_new_name_and_new_lines_do_not_make_unlike() {
        let before = Body::of("def first(a, b):\n    return first(a - 1, b)\n", "first");
        let after = Body::of("def second(a,  b): return second(a-1, b)", "second");
        assert_eq!(before, after);
        assert_eq!(before.likeness(&after), 1.0);
        let other = Body::of("class Node:\n    left = None", "Node");
        assert_eq!(before.likeness(&other), 0.0);
    }

    #[test]
    fn long_texts_are_sampled_fairly() {
        let text = |from: usize, to: usize| (from..to).map(|at| format!("word{at} ")).collect::<String>();
        let (left, right) = (Body::of(&text(0, 30_000), ""), Body::of(&text(10_000, 40_000), ""));
        let likeness = left.likeness(&right);
        assert!((0.44..0.56).contains(&likeness), "{likeness}");
        assert!(left.likeness(&Body::of(&text(50_000, 50_200), "")) < 0.01);
        assert!(left.likeness(&Body::of(&text(0, 20), "")) < 0.01);
    }

    #[test]
    fn signatures_are_compared_word_by_word() {
        let likeness = |left: &str, right: &str| signature_likeness((left, "f"), (right, "g"));
        assert_eq!(likeness("def f(a, b)", "def g(a, b)"), 1.0);
        assert!(likeness("def f(a, b)", "def g(x)") < 0.8);
        assert_eq!(likeness("", ""), 1.0);
        assert_eq!(likeness("def f()", ""), 0.0);
    }
}
