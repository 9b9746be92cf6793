//! `lore memory …` for people: commands that take names and short ids and print text. Agents use the tools instead.

pub mod advance;
pub mod atom;
pub mod block;
pub mod board;
pub mod changelog;
mod choose;
pub mod commit;
mod container;
pub mod context;
pub mod coverage;
pub mod depend;
mod edit_form;
pub mod feature;
mod knowledge;
pub mod molecule;
pub mod next;
pub mod project;
pub mod revert;
pub mod search;
pub mod section;
pub mod stale;
pub mod tag;
pub mod task;
pub mod template;
pub mod terminate;
mod text_answer;
pub mod unblock;
mod work_state;

pub use choose::named_project;
pub use text_answer::TextAnswer;

use lore_seam::{OpError, Rows, Value, Verdict};

/// An operation with the words of its command, whose function takes the request and returns a [`TextAnswer`].
macro_rules! command {
    ($operation:ident($request:ident) [$word:literal $(, $words:literal)*], $access:ident $answer:ident $run:path) => {
        pub struct $operation;

        impl lore_seam::Operation for $operation {
            const NAME: &'static str = concat!($word $(, "_", $words)*);
            const COMMAND: &'static [&'static str] = &[$word $(, $words)*];
            const ACCESS: lore_seam::Access = lore_seam::Access::$access;
            type Request = $request;
            type Answer = lore_seam::$answer<crate::commands::TextAnswer>;

            fn run(ctx: &lore_seam::Ctx, request: $request) -> Result<Self::Answer, lore_seam::OpError> {
                $run(ctx, &request)
            }
        }
    };
}

use command;

type Answered = Result<Value<TextAnswer>, OpError>;
type Listed = Result<Rows<TextAnswer>, OpError>;

/// The answer is no if nothing was found.
fn found_or_no(is_found: bool, answer: TextAnswer) -> Value<TextAnswer> {
    if is_found {
        Value::yes(answer)
    } else {
        Value::no(answer)
    }
}

/// Rows of a list. The answer is no if there are none.
fn listed(rows: Vec<TextAnswer>) -> Listed {
    Ok(Rows::new(rows.into_iter().map(Ok), Verdict::No))
}

/// A count with its noun. The noun is given in the plural.
fn counted(count: u64, what: &str) -> String {
    match (count, what) {
        (count, "changelog") => format!("{count} changelog entries"),
        (1, what) => format!("1 {}", what.trim_end_matches('s')),
        (count, what) => format!("{count} {what}"),
    }
}

#[cfg(test)]
mod knowledge_tests;
#[cfg(test)]
mod tests;
