//! `Toolset`: which tools an agent is shown. Every tool can be called, shown or not.

/// A group of tools.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Toolset {
    /// The few of every group that most work needs.
    Core,
    /// The code graph, and Lore's own state.
    Code,
    /// The Code Context Graph.
    Ccg,
    /// Knowledge that documents declare.
    Unit,
    /// Decisions and work inside of git.
    Mind,
    /// What agents learned.
    Memory,
    /// Published graphs.
    Graph,
}

impl Toolset {
    /// All of them.
    pub const ALL: [Self; 7] = [
        Self::Core,
        Self::Code,
        Self::Ccg,
        Self::Unit,
        Self::Mind,
        Self::Memory,
        Self::Graph,
    ];

    /// The name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Core => "core",
            Self::Code => "code",
            Self::Ccg => "ccg",
            Self::Unit => "unit",
            Self::Mind => "mind",
            Self::Memory => "memory",
            Self::Graph => "graph",
        }
    }

    /// The toolset with a name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|toolset| toolset.name() == name)
    }
}
