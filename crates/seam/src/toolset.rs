//! `Toolset`: which tools an agent sees in its list. Unlisted tools can still be called.

/// A group of tools.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Toolset {
    /// The most frequently needed tools of all groups.
    Core,
    /// Tools for the code graph and Lore's own state.
    Code,
    /// Tools for the Code Context Graph.
    Ccg,
    /// Tools for knowledge that documents declare (KCP).
    Unit,
    /// Tools for decisions and work items in git (the mind graph).
    Mind,
    /// Tools for the memory of agents.
    Memory,
    /// Tools for published graphs.
    Published,
}

impl Toolset {
    /// All toolsets, in the order of their lists.
    pub const ALL: [Self; 7] = [
        Self::Core,
        Self::Code,
        Self::Ccg,
        Self::Unit,
        Self::Mind,
        Self::Memory,
        Self::Published,
    ];

    /// The name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Self::Core => "core",
            Self::Code => "code",
            Self::Ccg => "ccg",
            Self::Unit => "unit",
            Self::Mind => "mind",
            Self::Memory => "memory",
            Self::Published => "published",
        }
    }

    /// The toolset with a name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|toolset| toolset.name() == name)
    }
}
