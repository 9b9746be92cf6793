//! Keeps names unique after scrubbing, which can make two names equal.

use std::collections::HashMap;

/// The names so far.
#[derive(Default)]
pub struct UniqueNames {
    /// By text: the number that the next text of the same letters gets. A count from two for each text would take a time that grows with the square
    /// of their number.
    next: HashMap<String, u32>,
    /// How many texts were tried.
    #[cfg(test)]
    tried: usize,
}

impl UniqueNames {
    /// Records a name that is used unchanged.
    pub fn note(&mut self, text: &str) {
        self.next.entry(text.to_owned()).or_insert(FIRST);
    }

    /// The name, with a number if it was used before, like definitions of the same name.
    pub fn once(&mut self, text: String) -> String {
        self.count();
        let Some(mut number) = self.next.get(&text).copied() else {
            self.next.insert(text.clone(), FIRST);
            return text;
        };
        loop {
            self.count();
            let unique = format!("{text}#{number}");
            number = number.saturating_add(1);
            if !self.next.contains_key(&unique) {
                self.next.insert(unique.clone(), FIRST);
                self.next.insert(text, number);
                return unique;
            }
        }
    }

    fn count(&mut self) {
        #[cfg(test)]
        {
            self.tried += 1;
        }
    }
}

/// The number of the second of two texts.
const FIRST: u32 = 2;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_text_is_given_twice() {
        let mut unique = UniqueNames::default();
        let given = ["a", "a", "a#2", "a", "b"].map(|text| unique.once(text.to_owned()));
        assert_eq!(given, ["a", "a#2", "a#2#2", "a#3", "b"]);
        unique.note("c");
        assert_eq!(unique.once("c".to_owned()), "c#2");
    }

    #[test]
    fn the_work_grows_with_the_number_of_texts_not_with_its_square() {
        const MANY: usize = 10_000;
        let mut unique = UniqueNames::default();
        for number in 2..MANY {
            unique.note(&format!("a#{number}"));
        }
        for _ in 0..MANY {
            unique.once("a".to_owned());
        }
        assert!(unique.tried <= 4 * MANY, "{} tries", unique.tried);
    }
}
