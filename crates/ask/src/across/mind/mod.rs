//! Questions that need both the mind graph and the code.

mod code;
mod doctor;
mod suggest;

pub use doctor::{MindDoctor, MindDoctorAnswer, MindDoctorRequest};
pub use suggest::{MindSuggest, MindSuggestAnswer, MindSuggestRequest};
