//! The formats that can be published, and the file of each (clauses P1, P6). These paths never change, because others refer to them.

/// A format that can be published.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Published {
    /// The code graph, in our own form.
    Ccg,
    /// The same file, for readers that know no other form.
    Generic,
    UnderstandAnything,
    GitNexus,
    CodeReviewGraph,
    /// The files themselves, packed.
    Bundle,
}

/// The text that a bundle points to.
pub(super) const BUNDLE_CONTENT: &str = ".lore/bundle.md";

/// The files of all formats, from the root of the repository.
pub(super) const FILES: &[&str] = &[
    ".lore/graph.json",
    ".lore/understand-anything.json",
    ".lore/gitnexus.json",
    ".lore/code-review-graph.json",
    ".lore/bundle.json",
];

impl Published {
    /// All of them, in the order in which a record lists them.
    pub(super) const ALL: [Self; 6] = [
        Self::Ccg,
        Self::Generic,
        Self::UnderstandAnything,
        Self::GitNexus,
        Self::CodeReviewGraph,
        Self::Bundle,
    ];

    /// The name of the format.
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Ccg => "ccg@1",
            Self::Generic => "generic@1",
            Self::UnderstandAnything => "understand-anything@1",
            Self::GitNexus => "gitnexus@1",
            Self::CodeReviewGraph => "code-review-graph@1",
            Self::Bundle => "bundle@1",
        }
    }

    /// The format with a name; its number may be left out.
    pub(super) fn named(name: &str) -> Option<Self> {
        let is_it = |known: &Self| known.name() == name || known.name().strip_suffix("@1") == Some(name);
        Self::ALL.into_iter().find(is_it)
    }

    /// The file, from the root of the repository.
    pub(super) fn path(self) -> &'static str {
        match self {
            Self::Ccg | Self::Generic => ".lore/graph.json",
            Self::UnderstandAnything => ".lore/understand-anything.json",
            Self::GitNexus => ".lore/gitnexus.json",
            Self::CodeReviewGraph => ".lore/code-review-graph.json",
            Self::Bundle => ".lore/bundle.json",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::FormatId;
    use crate::formats::{KNOWN, known};

    #[test]
    fn p1_every_format_has_a_stable_hidden_path_of_its_own() {
        for format in Published::ALL {
            assert!(FILES.contains(&format.path()), "{format:?}");
            assert!(format.path().starts_with(".lore/") && format.path().ends_with(".json"));
        }
        // One file is a body of both.
        assert_eq!(Published::Generic.path(), Published::Ccg.path());
        assert_eq!(FILES.len(), Published::ALL.len() - 1);
    }

    #[test]
    fn p2_what_is_published_is_of_a_registered_format() {
        for format in Published::ALL {
            let id = FormatId::parse(format.name()).expect("it is a format");
            assert!(known(&id).is_some(), "{id}");
            assert_eq!(Published::named(format.name()), Some(format));
            assert_eq!(Published::named(id.name()), Some(format));
        }
        assert_eq!(Published::ALL.len(), KNOWN.len());
        assert_eq!(Published::named("ccg@2"), None);
    }
}
