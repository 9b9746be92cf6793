//! What joins the specifications: the only folder that may import the others.

mod mind_code;
mod mind_doctor;
mod mind_suggest;
mod open_bundle;
mod prompts;
mod touched;

pub use mind_doctor::{MindDoctor, MindDoctorAnswer, MindDoctorRequest};
pub use mind_suggest::{MindSuggest, MindSuggestAnswer, MindSuggestRequest};
pub use open_bundle::open_bundle;
pub use prompts::PROMPTS;
pub use touched::repository_paths;
