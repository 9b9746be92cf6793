//! What joins the specifications: the only folder that may import the others.

mod prompts;

pub use prompts::PROMPTS;
