//! Directives of commit messages: `IMPLEMENTS: spec:a` at the beginning of a line says what the commit does (clauses C26, Amend4, Hook3).

use super::edge::EdgeType;
use super::id::NodeId;

/// Directives that are read from one message.
const MOST: usize = 1_000;

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Directive {
    /// The line, counted from 1.
    pub line: usize,
    /// What the commit has to do with the target.
    pub kind: EdgeType,
    pub target: NodeId,
}

/// A line that is a directive but names no target.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct BadDirective {
    /// The line, counted from 1.
    pub line: usize,
    /// What is wrong, in lower case and without a full stop.
    pub why: String,
}

/// What a message says.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Directives {
    /// The directives, each edge once.
    pub found: Vec<Directive>,
    /// The lines that are skipped.
    pub bad: Vec<BadDirective>,
}

/// Reads the directives of a message: one a line, at its very beginning, the keyword in any case.
pub fn directives(message: &str) -> Directives {
    let mut read = Directives::default();
    for (line, text) in (1..).zip(message.lines()) {
        let Some((keyword, rest)) = text.split_once(':') else {
            continue;
        };
        let Some(kind) = EdgeType::ALL
            .into_iter()
            .find(|kind| kind.name().eq_ignore_ascii_case(keyword))
        else {
            continue;
        };
        if read.found.len() + read.bad.len() >= MOST {
            let why = format!("directives after the first {MOST} of a message are ignored");
            read.bad.push(BadDirective { line, why });
            break;
        }
        match rest.trim() {
            "" => read.bad.push(BadDirective {
                line,
                why: "the directive has no target".to_owned(),
            }),
            target => match NodeId::parse(target) {
                Ok(target) if read.found.iter().any(|held| held.kind == kind && held.target == target) => {}
                Ok(target) => read.found.push(Directive { line, kind, target }),
                Err(fault) => read.bad.push(BadDirective {
                    line,
                    why: fault.to_string(),
                }),
            },
        }
    }
    read
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn found(message: &str) -> Vec<String> {
        let found = directives(message).found;
        found
            .iter()
            .map(|directive| format!("{} {} {}", directive.line, directive.kind, directive.target))
            .collect()
    }

    #[test]
    fn hook3_every_edge_type_is_a_keyword_in_any_case_at_the_beginning_of_a_line() {
        for kind in EdgeType::ALL {
            let upper = kind.name().to_uppercase();
            let mixed: String = kind
                .name()
                .chars()
                .enumerate()
                .map(|(at, c)| if at % 2 == 0 { c.to_ascii_uppercase() } else { c })
                .collect();
            for keyword in [kind.name().to_owned(), upper, mixed] {
                assert_eq!(
                    found(&format!("subject\n\n{keyword}:  spec:a \r\n")),
                    [format!("3 {kind} spec:a")]
                );
            }
        }
        for message in [
            " IMPLEMENTS: spec:a",
            "x IMPLEMENTS: spec:a",
            "IMPLEMENTS spec:a",
            "IMPLEMENT: spec:a",
            "IMPLEMENTS : spec:a",
        ] {
            assert!(found(message).is_empty(), "{message}");
        }
    }

    #[test]
    fn hook6_a_bad_directive_is_named_and_the_others_count() {
        let read = directives("s\n\nIMPLEMENTS:\nBLOCKS: Task:a\nBLOCKS: task:b\nBLOCKS: task:b\n");
        assert_eq!((read.found.len(), read.bad.len()), (1, 2));
        assert_eq!(read.bad.iter().map(|bad| bad.line).collect::<Vec<_>>(), [3, 4]);
    }

    proptest! {
        #![proptest_config(lore_testing::cases(256))]

        #[test]
        fn hook3_any_message_is_read(message in "(IMPLEMENTS|blocks|x| )?:? ?[a-z:\n\r\u{0}é ]{0,20}") {
            let lines: Vec<&str> = message.lines().collect();
            for directive in directives(&message).found {
                let line = lines[directive.line - 1].to_ascii_lowercase();
                prop_assert!(line.starts_with(directive.kind.name()));
            }
        }
    }
}
