//! Edits of YAML as spans of its source.

use proptest::prelude::*;

use super::*;

fn read(text: &str) -> Document {
    Document::read(text.as_bytes(), &Limits::default()).unwrap().0
}

/// The value at a path of keys and numbers: `units/0/hints`.
fn at(document: &Document, path: &str) -> NodeId {
    let mut id = document.root();
    for part in path.split('/').filter(|part| !part.is_empty()) {
        id = match document.node(id) {
            Node::Mapping(mut entries) => {
                let is_key = |entry: &super::super::Entry| matches!(document.node(entry.key), Node::Scalar(key) if key.text == part);
                entries.find(is_key).unwrap().value
            }
            Node::Sequence(mut items) => items.nth(part.parse().unwrap()).unwrap(),
            Node::Scalar(_) => unreachable!("{part}"),
        };
    }
    id
}

enum Do {
    Set(&'static str, &'static str, Yaml),
    SetAfter(&'static str, &'static str, Yaml, &'static [&'static str]),
    Remove(&'static str, usize),
    Append(&'static str, Yaml),
}

/// What becomes of a text, or why nothing does.
fn edited(text: &str, all: Vec<Do>) -> String {
    let document = read(text);
    let mut edits = Edits::new(&document, &Limits::default());
    let outcome = all.into_iter().try_for_each(|one| match one {
        Do::Set(path, key, value) => edits.set(at(&document, path), key, value, &[]),
        Do::SetAfter(path, key, value, after) => edits.set(at(&document, path), key, value, after),
        Do::Remove(path, number) => edits.remove_item(at(&document, path), number),
        Do::Append(path, value) => edits.append_item(at(&document, path), value),
    });
    let told = |fault: EditFault| format!("{}:{}: {}", fault.at.line, fault.at.column, fault.message);
    outcome.and_then(|()| edits.apply()).unwrap_or_else(told)
}

fn day(text: &str) -> Yaml {
    Yaml::text(text)
}

fn unit(id: &str) -> Yaml {
    Yaml::Mapping(vec![
        ("id".to_owned(), Yaml::text(id)),
        ("audience".to_owned(), Yaml::texts(["agent"])),
    ])
}

#[test]
fn g2_a_value_is_replaced_in_the_style_in_which_it_is_written() {
    let text = "a: \"2026-01-01\" # kept\nb: 2026-01-01\nc: '1.0.0'\nd: 300\ne:   # nothing yet\nf: ~\n";
    let all = vec![
        Do::Set("", "a", day("2026-02-02")),
        Do::Set("", "b", day("2026-02-02")),
        Do::Set("", "c", day("1.0.1")),
        Do::Set("", "d", Yaml::Number(400)),
        Do::Set("", "e", day("2026-02-02")),
        Do::Set("", "f", Yaml::Flag(true)),
    ];
    assert_eq!(
        edited(text, all),
        "a: \"2026-02-02\" # kept\nb: 2026-02-02\nc: '1.0.1'\nd: 400\ne: \"2026-02-02\"   # nothing yet\nf: true\n"
    );
    assert_eq!(
        edited(text, vec![Do::Set("", "b", day("null"))]).lines().nth(1),
        Some("b: \"null\"")
    );
}

#[test]
fn g2_a_key_comes_at_the_end_of_its_mapping_or_after_another() {
    let text = "units:\n  - id: a\n    path: x # here\n\n  # second\n  - id: b\n";
    assert_eq!(
        edited(text, vec![Do::Set("units/0", "validated", day("2026-02-02"))]),
        "units:\n  - id: a\n    path: x # here\n    validated: \"2026-02-02\"\n\n  # second\n  - id: b\n"
    );
    let hints = Yaml::Mapping(vec![("size_bytes".to_owned(), Yaml::Number(3))]);
    assert_eq!(
        edited(
            text,
            vec![
                Do::SetAfter("units/0", "scope", day("global"), &["id"]),
                Do::Set("units/1", "hints", hints),
                Do::Set("units/1", "x", Yaml::Flag(true)),
            ]
        ),
        "units:\n  - id: a\n    scope: global\n    path: x # here\n\n  # second\n  - id: b\n    hints:\n      size_bytes: 3\n    x: true\n"
    );
}

#[test]
fn g2_flow_style_zero_indent_crlf_and_a_missing_final_newline_are_kept() {
    let set = |text: &str, path| {
        edited(
            text,
            vec![Do::Set(path, "k", Yaml::Number(1)), Do::Set(path, "l", Yaml::Number(2))],
        )
    };
    assert_eq!(set("units: [{id: a}]", "units/0"), "units: [{id: a, k: 1, l: 2}]");
    assert_eq!(set("a: {}\n", "a"), "a: {k: 1, l: 2}\n");
    assert_eq!(set("a: {b: [1, 2], }\n", "a"), "a: {b: [1, 2], k: 1, l: 2, }\n");
    assert_eq!(
        set("units:\n- id: a\n- id: b\n", "units/0"),
        "units:\n- id: a\n  k: 1\n  l: 2\n- id: b\n"
    );
    assert_eq!(
        set("units:\r\n- id: a\r\n", "units/0"),
        "units:\r\n- id: a\r\n  k: 1\r\n  l: 2\r\n"
    );
    assert_eq!(set("units:\n- id: a", "units/0"), "units:\n- id: a\n  k: 1\n  l: 2");
    assert_eq!(set("a:\n  b:\n", "a"), "a:\n  b:\n  k: 1\n  l: 2\n");
    assert_eq!(set("\u{feff}a: 1\n", ""), "\u{feff}a: 1\nk: 1\nl: 2\n");
    assert_eq!(
        set("a: |\n  text\n\n\nb: 1\n", ""),
        "a: |\n  text\n\n\nb: 1\nk: 1\nl: 2\n"
    );
    assert_eq!(set("b: 1\na: |\n  text\n", ""), "b: 1\na: |\n  text\nk: 1\nl: 2\n");
    assert_eq!(set("---\na: 1\n...\n", ""), "---\na: 1\nk: 1\nl: 2\n...\n");
}

#[test]
fn g2_items_are_appended_as_the_others_are_written() {
    let append = |text: &str| {
        edited(
            text,
            vec![Do::Append("units", unit("x")), Do::Append("units", unit("z"))],
        )
    };
    assert_eq!(
        append("units:\n  - id: a\n    # about a\n\n# the end\nz: 1\n"),
        "units:\n  - id: a\n    # about a\n  - id: x\n    audience: [agent]\n  - id: z\n    audience: [agent]\n\n# the end\nz: 1\n"
    );
    assert_eq!(
        append("units:\n- id: a\n\n- id: b"),
        "units:\n- id: a\n\n- id: b\n\n- id: x\n  audience: [agent]\n\n- id: z\n  audience: [agent]"
    );
    assert_eq!(
        append("units:\n  -   id: a\n"),
        "units:\n  -   id: a\n  -   id: x\n      audience: [agent]\n  -   id: z\n      audience: [agent]\n"
    );
    assert_eq!(
        append("units: [{id: a}]\n"),
        "units: [{id: a}, {id: x, audience: [agent]}, {id: z, audience: [agent]}]\n"
    );
    assert_eq!(
        append("units: []\n"),
        "units: [{id: x, audience: [agent]}, {id: z, audience: [agent]}]\n"
    );
}

#[test]
fn g2_an_item_goes_with_its_comments() {
    let text = "units:\n  # of a\n  - id: a # trailing\n    path: x\n    # still a\n\n  # of b\n  # and more of b\n  - id: b\n\n  # of c\n  - id: c\n\n# of z\nz: 1\n";
    let remove = |numbers: &[usize]| {
        edited(
            text,
            numbers.iter().map(|number| Do::Remove("units", *number)).collect(),
        )
    };
    assert_eq!(
        remove(&[0]),
        "units:\n  # of b\n  # and more of b\n  - id: b\n\n  # of c\n  - id: c\n\n# of z\nz: 1\n"
    );
    assert_eq!(
        remove(&[1]),
        "units:\n  # of a\n  - id: a # trailing\n    path: x\n    # still a\n\n  # of c\n  - id: c\n\n# of z\nz: 1\n"
    );
    assert_eq!(
        remove(&[2, 1]),
        "units:\n  # of a\n  - id: a # trailing\n    path: x\n    # still a\n\n\n# of z\nz: 1\n"
    );
    assert!(remove(&[0, 1, 2]).ends_with("without changing something else"));
    assert_eq!(edited("l: [a, b, c]\n", vec![Do::Remove("l", 1)]), "l: [a, c]\n");
    assert_eq!(edited("l: [a, b, c]\n", vec![Do::Remove("l", 2)]), "l: [a, b]\n");
    assert_eq!(edited("l: [a]\n", vec![Do::Remove("l", 0)]), "l: []\n");
    assert_eq!(
        edited("l: [a, # one\n  b]\n", vec![Do::Remove("l", 0)]),
        "1:5: a comment stands beside this item"
    );
}

#[test]
fn g2_what_cannot_be_written_is_refused_with_its_place() {
    let anchored = "base: &b {k: 1}\nunits:\n  - *b\n  - id: &i a\n    other: *i\n";
    assert_eq!(
        edited(anchored, vec![Do::Set("units/0", "k", Yaml::Number(2))]),
        "3:5: this is an alias of another value"
    );
    assert_eq!(
        edited(anchored, vec![Do::Set("units/1", "other", day("b"))]),
        "5:12: this is an alias of another value"
    );
    let shared = "without changing something else";
    assert!(edited(anchored, vec![Do::Set("units/1", "id", day("b"))]).ends_with(shared));
    assert!(edited(anchored, vec![Do::Set("base", "k", Yaml::Number(2))]).ends_with(shared));
    assert_eq!(
        edited("a: |\n  x\n", vec![Do::Set("", "a", day("y"))]),
        "2:3: this text is written as a block"
    );
    assert_eq!(
        edited("a:\n  b: 1\n", vec![Do::Set("", "a", day("y"))]),
        "2:3: this value has several lines"
    );
    assert_eq!(
        edited("a: 1\n", vec![Do::Append("a", day("y"))]),
        "1:4: this is no list"
    );
    assert_eq!(
        edited("? - - a\n", vec![Do::Set("", "b", day("y"))]).lines().count(),
        1,
        "a complex key"
    );
}

/// A manifest in many styles; each unit has a comment above it, one beside it, and a field that nobody knows.
fn manifest(units: usize, indent: usize, crlf: bool, spaced: bool, flow: usize, end: bool) -> String {
    let blanks = " ".repeat(indent);
    let mut text = "# first\nproject: p # named\nx-own: {deep: [1, {a: b}]}\nunits:\n".to_owned();
    for unit in 0..units {
        if spaced && unit > 0 {
            text.push('\n');
        }
        text += &if unit % 3 == flow {
            format!("{blanks}# above {unit}.\n{blanks}- {{id: u{unit}, x-own: \"{unit}\", path: a}} # beside {unit}.\n")
        } else {
            format!(
                "{blanks}# above {unit}.\n{blanks}- id: u{unit} # beside {unit}.\n{blanks}  x-own: [{unit}, \"#\"]\n{blanks}  hints:\n{blanks}    size_bytes: 3\n"
            )
        };
    }
    text += "# last\nrelationships: []\n";
    if !end {
        text.pop();
    }
    if crlf { text.replace('\n', "\r\n") } else { text }
}

proptest! {
    #![proptest_config(lore_testing::cases(256))]

    #[test]
    fn edits_change_what_they_say_and_nothing_else(
        units in 2usize..6,
        indent in 0usize..4,
        crlf in any::<bool>(),
        spaced in any::<bool>(),
        flow in 0usize..4,
        end in any::<bool>(),
        set in prop::collection::vec(0usize..6, 0..4),
        gone in prop::collection::btree_set(0usize..6, 0..3),
        new in 0usize..3,
        value in any::<String>(),
    ) {
        let text = manifest(units, indent, crlf, spaced, flow, end);
        let document = read(&text);
        let list = at(&document, "units");
        let mut edits = Edits::new(&document, &Limits::default());
        let gone: Vec<usize> = gone.into_iter().filter(|number| *number < units).collect();
        prop_assume!(gone.len() < units);
        let set: HashSet<usize> = set.into_iter().filter(|number| *number < units && !gone.contains(number)).collect();
        for number in &set {
            let unit = at(&document, &format!("units/{number}"));
            edits.set(unit, "id", Yaml::text(value.as_str()), &[]).unwrap();
            edits.set(unit, "intent", Yaml::text(value.as_str()), &["id"]).unwrap();
            edits.set(unit, "validated", Yaml::text("2026-01-01"), &[]).unwrap();
        }
        for number in &gone {
            edits.remove_item(list, *number).unwrap();
        }
        for _ in 0..new {
            edits.append_item(list, unit("new")).unwrap();
        }
        let is_empty = edits.is_empty();
        prop_assert_eq!(is_empty, set.is_empty() && gone.is_empty() && new == 0);
        let made = match edits.apply() {
            Ok(made) => made,
            Err(fault) => return Err(TestCaseError::fail(format!("{fault:?}\n{text}"))),
        };
        if is_empty {
            prop_assert_eq!(&made, &text);
        }
        for comment in ["# first", "# named", "# last", "x-own: {deep: [1, {a: b}]}"] {
            prop_assert!(made.contains(comment), "{}", made);
        }
        for number in 0..units {
            for comment in [format!("# above {number}."), format!("# beside {number}.")] {
                prop_assert_eq!(made.contains(&comment), !gone.contains(&number), "{}\n{}", text, made);
            }
        }
        prop_assert_eq!(made.contains("\r\n"), crlf);
        prop_assert_eq!(made.ends_with('\n'), end);
    }

    /// Whatever the text is, the outcome is a refusal or what was asked for; the proof inside of `apply` says so, and nothing panics.
    #[test]
    fn edits_of_any_text_are_proved_or_refused(text in "[-a-c:{}\\[\\],# \n&*|'\"?]{0,40}", key in "[a-d]") {
        let Ok((document, _)) = Document::read(text.as_bytes(), &Limits::default()) else { return Ok(()) };
        let rows = document.arena.rows.len();
        for row in 0..rows {
            let id = NodeId(u32::try_from(row).unwrap());
            let mut edits = Edits::new(&document, &Limits::default());
            if edits.set(id, &key, Yaml::text("x y"), &["a"]).is_ok() && let Ok(made) = edits.apply() {
                prop_assert!(Document::read(made.as_bytes(), &Limits::default()).is_ok());
            }
            let mut edits = Edits::new(&document, &Limits::default());
            if edits.append_item(id, Yaml::text("x y")).is_ok() {
                let _ = edits.apply();
            }
            let mut edits = Edits::new(&document, &Limits::default());
            if edits.remove_item(id, 0).is_ok() {
                let _ = edits.apply();
            }
        }
    }
}
