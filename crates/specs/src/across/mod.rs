//! What joins the specifications: the only folder that may import the others.

mod mind_code;
mod mind_doctor;
mod mind_suggest;
mod prompts;

pub use mind_doctor::{MindDoctor, MindDoctorAnswer, MindDoctorRequest};
pub use mind_suggest::{MindSuggest, MindSuggestAnswer, MindSuggestRequest};
pub use prompts::PROMPTS;
