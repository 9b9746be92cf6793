//! Knowledge over knowledge: in its place, or behind it under a line that says when and for which task.

use super::input::{Mode, knowledge};
use crate::id::Id;
use crate::store::Got;

/// What is known after something was written over what was known. What is written behind nothing has no line before it that would part it from nothing.
pub(super) fn written(before: &str, mode: Mode, text: &str, now: &str, task: Id) -> Got<String> {
    let text = text.trim();
    match mode {
        Mode::Overwrite => knowledge(text),
        Mode::Append if text.is_empty() => Ok(before.to_owned()),
        Mode::Append => {
            let parted = format!("---[{now} task:{task}]---\n{text}");
            knowledge(&if before.is_empty() {
                parted
            } else {
                format!("{before}\n\n{parted}")
            })
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::numbered;

    const NOW: &str = "2026-11-16T08:00:00.000Z";

    #[test]
    fn g10_a_text_takes_the_place_of_another_or_comes_behind_it() {
        let task = numbered(1);
        let over = |mode, text: &str| written("old", mode, text, NOW, task).expect("fits");
        assert_eq!(over(Mode::Overwrite, " new\n"), "new");
        assert_eq!(
            over(Mode::Append, " new\n"),
            format!("old\n\n---[2026-11-16T08:00:00.000Z task:{task}]---\nnew")
        );
        assert_eq!(over(Mode::Overwrite, "  "), "");
        assert_eq!(over(Mode::Append, "  "), "old");
    }

    #[test]
    fn g10_the_result_is_held_against_the_limit() {
        let long = "a".repeat(32_760);
        assert!(written(&long, Mode::Append, "b", NOW, numbered(1)).is_err());
        assert!(written("", Mode::Append, &"a".repeat(32_000), NOW, numbered(1)).is_ok());
    }

    #[test]
    fn d7_nothing_parts_the_first_text_from_nothing() {
        let first = written("", Mode::Append, " a ", NOW, numbered(1)).expect("fits");
        assert_eq!(first, format!("---[{NOW} task:{}]---\na", numbered(1)));
    }
}
