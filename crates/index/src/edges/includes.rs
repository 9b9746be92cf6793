//! The files that `#include` names, in C and its relatives.
//!
//! The directories in which a compiler searches are not part of the source. A file beside the including one comes first, then the only file
//! of the repository whose path ends with the included one.

use foldhash::HashMap;

use crate::solve::Program;

/// The family of languages with `#include`.
const FAMILY: &str = "c";
/// Files of one name that are looked at.
const MAX_NAMESAKES: usize = 256;

/// The files of the family by the last part of their paths.
pub(super) struct Includes<'p, 's> {
    program: &'p Program<'s>,
    by_name: HashMap<&'s str, Vec<usize>>,
}

impl<'p, 's> Includes<'p, 's> {
    pub(super) fn new(program: &'p Program<'s>) -> Self {
        let mut by_name: HashMap<&'s str, Vec<usize>> = HashMap::default();
        for (number, unit) in program.units.iter().enumerate() {
            if let Some(path) = unit.path.filter(|_| is_of_family(program, number)) {
                let path = path.as_str();
                let name = path.rsplit('/').next().unwrap_or(path);
                by_name.entry(name).or_default().push(number);
            }
        }
        Self { program, by_name }
    }

    /// The file that an include of a file names, as a unit.
    pub(super) fn named(&self, unit: usize, text: &str) -> Option<usize> {
        if !is_of_family(self.program, unit) {
            return None;
        }
        let own = self.program.units[unit].path?.as_str();
        let directory = own.rsplit_once('/').map_or("", |(directory, _)| directory);
        let path = joined(directory, text)?;
        if let Some(found) = self.program.paths.get(path.as_str()) {
            return Some(*found);
        }
        let text = joined("", text)?;
        let name = text.rsplit('/').next().unwrap_or(&text);
        let ends = |number: &&usize| {
            let path = self.program.units[**number].path.map_or("", |path| path.as_str());
            path.strip_suffix(text.as_str())
                .is_some_and(|before| before.is_empty() || before.ends_with('/'))
        };
        let namesakes = self.by_name.get(name).filter(|found| found.len() <= MAX_NAMESAKES)?;
        let mut found = namesakes.iter().filter(ends);
        match (found.next(), found.next()) {
            (Some(only), None) => Some(*only),
            _ => None,
        }
    }
}

fn is_of_family(program: &Program<'_>, unit: usize) -> bool {
    program.units[unit]
        .language
        .flow
        .is_some_and(|rules| rules.family == FAMILY)
}

/// A path below a directory without `.` and `..`; nothing if it leads out of the root.
fn joined(directory: &str, path: &str) -> Option<String> {
    let mut parts: Vec<&str> = directory.split('/').filter(|part| !part.is_empty()).collect();
    for part in path.split('/') {
        match part {
            "" | "." => {}
            ".." => {
                parts.pop()?;
            }
            part => parts.push(part),
        }
    }
    Some(parts.join("/"))
}

#[cfg(test)]
mod tests {
    use super::joined;

    #[test]
    fn paths_stay_below_the_root() {
        assert_eq!(joined("a/b", "../c.h").as_deref(), Some("a/c.h"));
        assert_eq!(joined("", "./x//c.h").as_deref(), Some("x/c.h"));
        assert_eq!(joined("a", "../../c.h"), None);
    }
}
