//! Entry points: definitions that a language, a test runner or a framework calls, without a caller in the repository.

use lore_model::{DefinitionFlags, FileFacts};

/// How an entry point is recognised.
#[derive(Clone, Copy, Debug)]
pub(crate) enum EntryPoint {
    /// By its name.
    Name(&'static str),
    /// By the beginning of its name.
    Prefix(&'static str),
    /// By a decorator, annotation or attribute: the end of its path.
    Decorator(&'static str),
}

/// Marks the entry points among the definitions of a file.
pub(crate) fn mark(facts: &mut FileFacts, known: &[EntryPoint]) {
    if known.is_empty() {
        return;
    }
    for at in 0..facts.definitions.len() {
        let definition = facts.definitions[at];
        if !definition.kind().is_callable() {
            continue;
        }
        let name = facts.text.get(definition.name);
        let decorators = &facts.lists[definition.decorators.indexes(facts.lists.len())];
        let is_one = known.iter().any(|entry| match entry {
            EntryPoint::Name(wanted) => name == *wanted,
            EntryPoint::Prefix(wanted) => name.starts_with(wanted),
            EntryPoint::Decorator(wanted) => decorators
                .iter()
                .any(|decorator| ends_with(facts.text.get(*decorator), wanted)),
        });
        if is_one {
            facts.definitions[at].flags |= DefinitionFlags::ENTRY_POINT;
        }
    }
}

/// Whether the path of a decorator ends in a path.
fn ends_with(decorator: &str, wanted: &str) -> bool {
    let path = decorator
        .split(['(', ' ', '[', '=', '{'])
        .next()
        .unwrap_or(decorator)
        .trim();
    path.strip_suffix(wanted)
        .is_some_and(|before| before.is_empty() || before.ends_with(['.', ':']))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn decorators_are_known_by_the_end_of_their_path() {
        for (decorator, wanted, is_one) in [
            ("app.route(\"/\")", "route", true),
            ("route", "route", true),
            ("app.reroute(\"/\")", "route", false),
            ("tokio::main", "tokio::main", true),
            ("tokio::main(flavor = \"multi_thread\")", "tokio::main", true),
            ("pytest.fixture", "pytest.fixture", true),
            ("fixture", "pytest.fixture", false),
        ] {
            assert_eq!(ends_with(decorator, wanted), is_one, "{decorator} {wanted}");
        }
    }
}
