//! A skill as a file of its own: front matter, the text, and a mark with a digest. As long as the digest fits, the file is ours to replace and to take out.

use super::note::digest;
use lore_seam::Skill;

const MARK: &str = "<!-- lore:skill ";

/// What a file has of a skill.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Found {
    /// The file does not exist or is empty.
    Nothing,
    /// It is what was written, and whether it says what it says today.
    Ours { is_current: bool },
    /// Somebody has changed it.
    Theirs,
}

/// The file of a skill.
pub(super) fn file(skill: &Skill) -> String {
    let said = format!(
        "---\nname: {}\ndescription: {}\n---\n\n{}",
        skill.name,
        quoted(skill.description),
        skill.text
    );
    format!("{said}\n{MARK}{} -->\n", digest(&said))
}

/// A text as a value of YAML: JSON's texts are YAML's.
fn quoted(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}

/// Looks at a file.
pub(super) fn find(text: &str, skill: &Skill) -> Found {
    if text.trim().is_empty() {
        return Found::Nothing;
    }
    let plain = text.replace("\r\n", "\n");
    let whole = plain.trim_end().rsplit_once('\n');
    let mark = whole.and_then(|(said, mark)| Some((said, mark.strip_prefix(MARK)?.strip_suffix(" -->")?)));
    match mark {
        Some((said, digits)) if digest(said) == digits => Found::Ours {
            is_current: plain == file(skill),
        },
        _ => Found::Theirs,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SKILL: Skill = Skill {
        name: "lore-x",
        description: "For x",
        text: "Do x.\n",
    };

    #[test]
    fn a_skill_is_ours_until_somebody_changes_it() {
        let written = file(&SKILL);
        assert!(written.starts_with("---\nname: lore-x\ndescription: \"For x\"\n---\n\nDo x.\n"));
        assert_eq!(find("", &SKILL), Found::Nothing);
        assert_eq!(find(&written, &SKILL), Found::Ours { is_current: true });
        assert_eq!(
            find(&written.replace('\n', "\r\n"), &SKILL),
            Found::Ours { is_current: true }
        );
        let older = file(&Skill {
            text: "Do y.\n",
            ..SKILL
        });
        assert_eq!(find(&older, &SKILL), Found::Ours { is_current: false });
        assert_eq!(find(&written.replace("Do x", "Do z"), &SKILL), Found::Theirs);
        assert_eq!(find("mine\n", &SKILL), Found::Theirs);
    }
}
