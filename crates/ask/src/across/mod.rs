//! What joins the specifications: the only folder that may import several of them.

mod mind;
mod open_bundle;
mod prompts;
mod repository_paths;

pub use mind::{MindDoctor, MindDoctorAnswer, MindDoctorRequest, MindSuggest, MindSuggestAnswer, MindSuggestRequest};
pub use open_bundle::open_bundle;
pub use prompts::PROMPTS;
pub use repository_paths::repository_paths;
