//! What a repository is, in its own words: its description, what it provides, where it begins, its modules, and how it is built and tested.
//!
//! The words come from READMEs, package files, documentation comments and files of continuous integration. Every answer names the file that
//! says so, and says what no file says. Pure: the texts of files come through a function.

mod aside;
mod ci;
mod entry_points;
pub mod modules;
mod overview;
mod packages;
mod prose;
mod purpose;
mod readme;
mod tree;

pub use entry_points::{EntryPoint, EntryPoints, Role, entry_points};
pub use overview::{
    About, CommandLine, EntryLine, LanguageLine, ModuleLine, Omitted, Overview, OverviewRequest, ProvideLine, Told,
    about, overview,
};
pub use packages::{ProvideKind, Task};
pub use purpose::{Purpose, PurposeSource, Purposes};
pub use readme::is_readme;
pub use tree::{MAX_TEXT, ReadText};
