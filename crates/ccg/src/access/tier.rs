//! The four layers by number, the tier each belongs to by default (§5.1, §5.3), and the graphs each alone holds (clause A2).

use schemars::JsonSchema;
use serde::Serialize;

use super::super::dataset::Graph;

/// One of the four layers.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum LayerNumber {
    /// L0.
    Manifest,
    /// L1.
    Architecture,
    /// L2.
    SymbolIndex,
    /// L3.
    FullDetail,
}

impl LayerNumber {
    /// All of them, from the least to the most detailed.
    pub const ALL: [Self; 4] = [Self::Manifest, Self::Architecture, Self::SymbolIndex, Self::FullDetail];

    /// The number.
    pub fn number(self) -> u8 {
        self as u8
    }

    /// The layer with a number.
    pub fn from_number(number: u8) -> Option<Self> {
        Self::ALL.get(usize::from(number)).copied()
    }

    /// What the text calls it.
    pub fn title(self) -> &'static str {
        match self {
            Self::Manifest => "manifest",
            Self::Architecture => "architecture",
            Self::SymbolIndex => "symbol index",
            Self::FullDetail => "full detail",
        }
    }

    /// The name of its file on a registry and in a bundle (§6.2, §6.3).
    pub fn file_name(self) -> &'static str {
        match self {
            Self::Manifest => "manifest.json",
            Self::Architecture => "architecture.json",
            Self::SymbolIndex => "symbol-index.nq.gz",
            Self::FullDetail => "full-detail.nq.gz",
        }
    }

    /// How the name of its file ends when it is alone (§6.1).
    pub fn extension(self) -> &'static str {
        match self {
            Self::Manifest => ".ccg.manifest.json",
            Self::Architecture => ".ccg.arch.json",
            Self::SymbolIndex => ".ccg.index.nq.gz",
            Self::FullDetail => ".ccg.full.nq.gz",
        }
    }

    /// The layer whose file has this name.
    pub fn from_file_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|layer| layer.file_name() == name)
    }

    /// Who may read it by default.
    pub fn default_tier(self) -> Tier {
        match self {
            Self::Manifest => Tier::Public,
            Self::Architecture => Tier::Authenticated,
            Self::SymbolIndex | Self::FullDetail => Tier::Private,
        }
    }

    /// The named graphs that an agent that may read this layer may query.
    ///
    /// The full detail repeats what the symbol index holds; those graphs belong to the symbol index alone.
    pub fn graphs(self) -> &'static [Graph] {
        match self {
            Self::Manifest | Self::Architecture => &[],
            Self::SymbolIndex => &[Graph::Meta, Graph::Structure, Graph::Calls, Graph::Types],
            Self::FullDetail => &[Graph::Dataflow, Graph::Docs, Graph::History, Graph::Security],
        }
    }

    /// The layer that a named graph belongs to.
    pub fn of_graph(graph: Graph) -> Self {
        if Self::SymbolIndex.graphs().contains(&graph) {
            Self::SymbolIndex
        } else {
            Self::FullDetail
        }
    }
}

/// One of the three hearts.
#[derive(Serialize, JsonSchema, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
#[serde(rename_all = "snake_case")]
pub enum Tier {
    /// Anyone: the Red Heart.
    Public,
    /// Whoever has shown who he is: the Yellow Heart.
    Authenticated,
    /// Agents and groups by name: the Blue Heart.
    Private,
}

impl Tier {
    /// The tier's name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Public => "public",
            Self::Authenticated => "authenticated",
            Self::Private => "private",
        }
    }

    /// The tier's heart.
    pub fn heart(self) -> &'static str {
        match self {
            Self::Public => "Red Heart",
            Self::Authenticated => "Yellow Heart",
            Self::Private => "Blue Heart",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a1_layers_have_their_default_tiers() {
        let tiers: Vec<&str> = LayerNumber::ALL
            .iter()
            .map(|layer| layer.default_tier().name())
            .collect();
        assert_eq!(tiers, ["public", "authenticated", "private", "private"]);
        let hearts: Vec<&str> = LayerNumber::ALL
            .iter()
            .map(|layer| layer.default_tier().heart())
            .collect();
        assert_eq!(hearts, ["Red Heart", "Yellow Heart", "Blue Heart", "Blue Heart"]);
    }

    #[test]
    fn a2_every_graph_belongs_to_one_layer() {
        for graph in Graph::ALL {
            let layers = LayerNumber::ALL
                .into_iter()
                .filter(|layer| layer.graphs().contains(graph));
            assert_eq!(layers.collect::<Vec<_>>(), [LayerNumber::of_graph(*graph)]);
        }
        assert_eq!(LayerNumber::of_graph(Graph::Meta), LayerNumber::SymbolIndex);
        assert_eq!(LayerNumber::of_graph(Graph::Security), LayerNumber::FullDetail);
        assert_eq!(LayerNumber::from_number(4), None);
    }
}
