//! Code graphs from text, for tests.

pub use lore_seam::graph_text::graph;
