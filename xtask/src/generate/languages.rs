//! `docs/languages.md`, from the folders of the languages, the table that is built in and Cargo.lock.

use std::collections::BTreeMap;
use std::fmt::Write;

use lore_index::LANGUAGES;
use lore_model::SymbolKind;

use crate::languages::{Annotated, Language, Measured, Part, Sheet, folders};
use crate::{Outcome, disk};

const INTRODUCTION: &str = "# Languages

Which languages Lore reads, how it recognises their files, which definitions it records, and how the
results compare with other tools on pinned real packages ([how](accuracy.md)). `cargo xtask
generate` writes this page from the folders below `crates/index/src/lang/`. `cargo xtask accuracy
--record` writes the figures into those folders.

| column | meaning |
|---|---|
| recognised by | extensions, file names, and programs on a `#!` line; if several languages use an extension, the content decides |
| kinds | the kinds of definitions that Lore records |
| error nodes | the share of syntax tree nodes that the grammar could not parse |
| ctags | the share of functions, types and other definitions of universal-ctags that Lore has with the same name on the same line |
| tokei | the share of files whose code, comment and blank lines are equal to tokei's |

";

const HEAD: &str = "| language | recognised by | kinds | imports | grammar | error nodes | ctags | tokei |
|---|---|---|---|---|---:|---:|---:|
";

const RESOLVED: &str = "
## What is resolved

Lore links modules, owners and imports by name. It computes calls and other edges from value flow
([how](calls.md)).
";

/// The cell of a figure that was not measured.
const NOTHING: &str = "–";

/// What the page says about one language.
struct Entry {
    name: String,
    sheet: Sheet,
    recognised: Vec<String>,
    annotated: Annotated,
    measured: Option<Measured>,
    readme: Option<Readme>,
    /// The version of the grammar.
    version: Option<String>,
}

/// The prose of a folder.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Readme {
    title: String,
    prose: String,
}

/// The page.
pub(super) fn page() -> Outcome<String> {
    let versions = versions(&disk::read(&disk::root().join("Cargo.lock"))?)?;
    let mut entries = Vec::new();
    for folder in folders()? {
        let Language { folder, sheet } = Language::read(folder)?;
        entries.push(Entry {
            recognised: recognised(&folder.name, &sheet)?,
            annotated: folder.annotated()?,
            measured: folder.measured()?,
            readme: folder.readme()?.as_deref().and_then(readme),
            version: versions.get(&sheet.grammar).cloned(),
            name: folder.name,
            sheet,
        });
    }
    Ok(written(&entries))
}

fn written(entries: &[Entry]) -> String {
    let mut page = format!("{INTRODUCTION}{HEAD}");
    for entry in entries {
        let _ = writeln!(page, "{}", row(entry));
    }
    page.push_str(RESOLVED);
    for entry in entries {
        if let Some(readme) = &entry.readme {
            let _ = write!(page, "\n## {}\n\n{}\n", readme.title, readme.prose);
            if let Some(measured) = &entry.measured {
                let (files, packages) = (grouped(measured.files), measured.packages.join(", "));
                let _ = write!(page, "\nMeasured on {files} files of {packages}.\n");
            }
        }
    }
    page
}

fn row(entry: &Entry) -> String {
    let Entry { name, sheet, .. } = entry;
    let mut language = match &entry.readme {
        Some(readme) => format!("{} (`{name}`)", readme.title),
        None => format!("`{name}`"),
    };
    if let Some(feature) = &sheet.feature {
        let _ = write!(language, ", needs the feature `{feature}`");
    }
    let measured = entry.measured.as_ref();
    let version = entry.version.as_deref().unwrap_or(NOTHING);
    let cells = [
        language,
        or_nothing(entry.recognised.join(", ")),
        or_nothing(kinds(&entry.annotated)),
        if entry.annotated.imports { "yes" } else { "no" }.to_owned(),
        format!("{} {version}", sheet.grammar),
        measured.map_or_else(
            || NOTHING.to_owned(),
            |measured| format!("{:.3} %", measured.error_nodes),
        ),
        share(measured.and_then(|measured| measured.ctags_found)),
        share(measured.and_then(|measured| measured.lines_equal)),
    ];
    format!("| {} |", cells.map(|cell| cell.replace('|', "\\|")).join(" | "))
}

fn or_nothing(text: String) -> String {
    if text.is_empty() { NOTHING.to_owned() } else { text }
}

fn kinds(annotated: &Annotated) -> String {
    let names: Vec<&str> = annotated.kinds.iter().map(|kind| SymbolKind::name(*kind)).collect();
    names.join(", ")
}

fn share(part: Option<Part>) -> String {
    part.map_or_else(
        || NOTHING.to_owned(),
        |part| format!("{:.2} % of {}", part.percent(), grouped(part.of)),
    )
}

/// A number with its thousands apart.
fn grouped(number: usize) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// How files of a language are recognised: by the sheet if it stands behind a feature, so that the page is the same whatever is built
/// in; by the table otherwise.
fn recognised(name: &str, sheet: &Sheet) -> Outcome<Vec<String>> {
    let dialects = || LANGUAGES.iter().filter(|language| language.name == name);
    let built_in = spelt([
        dialects().flat_map(|language| language.extensions).copied().collect(),
        dialects().flat_map(|language| language.disputed).copied().collect(),
        dialects().flat_map(|language| language.file_names).copied().collect(),
        dialects().flat_map(|language| language.interpreters).copied().collect(),
    ]);
    let said = spelt(
        [
            &sheet.extensions,
            &sheet.disputed,
            &sheet.file_names,
            &sheet.interpreters,
        ]
        .map(|names| names.iter().map(String::as_str).collect()),
    );
    let differs = !built_in.is_empty() && built_in != said;
    match (&sheet.feature, said.is_empty()) {
        (None, true) => Ok(built_in),
        (None, false) => Err(format!(
            "the sheet of {name} repeats what its rules say about file names"
        )),
        (Some(_), _) if differs => Err(format!(
            "the sheet of {name} says {}, its rules {}",
            said.join(", "),
            built_in.join(", ")
        )),
        (Some(_), _) => Ok(said),
    }
}

/// Extensions, disputed extensions, file names and interpreters as the page spells them, each once.
fn spelt([extensions, disputed, file_names, interpreters]: [Vec<&str>; 4]) -> Vec<String> {
    let extensions = extensions.into_iter().chain(disputed).map(|name| format!("`.{name}`"));
    let file_names = file_names.into_iter().map(|name| format!("`{name}`"));
    let interpreters = interpreters.into_iter().map(|name| format!("`#!{name}`"));
    let mut names: Vec<String> = Vec::new();
    for name in extensions.chain(file_names).chain(interpreters) {
        if !names.contains(&name) {
            names.push(name);
        }
    }
    names
}

/// The versions of the packages that Cargo.lock names.
fn versions(lock: &str) -> Outcome<BTreeMap<String, String>> {
    let lock: toml::Table = lock
        .parse()
        .map_err(|error| format!("Cargo.lock is not TOML: {error}"))?;
    let packages = lock.get("package").and_then(toml::Value::as_array);
    let text = |package: &toml::Value, key: &str| package.get(key)?.as_str().map(str::to_owned);
    Ok(packages
        .into_iter()
        .flatten()
        .filter_map(|package| Some((text(package, "name")?, text(package, "version")?)))
        .collect())
}

/// Title and prose of a README, its headings one level down.
fn readme(text: &str) -> Option<Readme> {
    let (first, rest) = text.trim().split_once('\n').unwrap_or((text.trim(), ""));
    let title = first.strip_prefix("# ")?.trim().to_owned();
    let mut fenced = false;
    let lines = rest.trim().lines().map(|line| {
        fenced ^= line.starts_with("```");
        if !fenced && line.starts_with('#') {
            format!("#{line}")
        } else {
            line.to_owned()
        }
    });
    let prose = lines.collect::<Vec<_>>().join("\n");
    Some(Readme { title, prose })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry(sheet: &str) -> Entry {
        Entry {
            name: "lua".to_owned(),
            sheet: Sheet::parse(sheet).expect("a sheet"),
            recognised: vec!["`.lua`".to_owned(), "`#!lua`".to_owned()],
            annotated: Annotated::default(),
            measured: None,
            readme: None,
            version: None,
        }
    }

    #[test]
    fn what_was_not_measured_is_a_dash() {
        assert_eq!(
            row(&entry("grammar = \"tree-sitter-lua\"\n")),
            "| `lua` | `.lua`, `#!lua` | – | no | tree-sitter-lua – | – | – | – |"
        );
    }

    #[test]
    fn figures_kinds_and_prose_are_shown() {
        let mut entry = entry("grammar = \"tree-sitter-lua\"\nfeature = \"lua\"\n");
        entry
            .annotated
            .read("#> function f\n#> field a\n#> import a from b c\n");
        entry.measured = Some(Measured {
            packages: vec!["lua5.4 5.4.4".to_owned(), "busted 2.0".to_owned()],
            files: 1200,
            error_nodes: 0.0123,
            files_without_errors: 99.5,
            ctags_found: Some(Part { count: 999, of: 1000 }),
            lines_equal: Some(Part { count: 12, of: 12 }),
        });
        entry.readme = readme("# Lua\n\nFunctions.\n");
        entry.version = Some("0.5.0".to_owned());
        let page = written(&[entry]);
        let expected = "| Lua (`lua`), needs the feature `lua` | `.lua`, `#!lua` | function, field | yes | tree-sitter-lua 0.5.0 | \
                        0.012 % | 99.90 % of 1,000 | 100.00 % of 12 |\n\n## What is resolved\n";
        assert!(page.contains(expected), "{page}");
        let end = "\n## Lua\n\nFunctions.\n\nMeasured on 1,200 files of lua5.4 5.4.4, busted 2.0.\n";
        assert!(page.ends_with(end), "{page}");
    }

    #[test]
    fn a_language_behind_a_feature_is_recognised_by_its_sheet() {
        let sheet = |text: &str| Sheet::parse(text).expect("a sheet");
        let absent = sheet("grammar = \"g\"\nfeature = \"f\"\nextensions = [\"jl\"]\ninterpreters = [\"julia\"]\n");
        assert_eq!(
            recognised("no such language", &absent),
            Ok(vec!["`.jl`".to_owned(), "`#!julia`".to_owned()])
        );
        assert!(recognised("go", &absent).is_err());
        assert_eq!(
            recognised("go", &sheet("grammar = \"g\"\n")),
            Ok(vec!["`.go`".to_owned()])
        );
        assert!(recognised("go", &sheet("grammar = \"g\"\nextensions = [\"go\"]\n")).is_err());
    }

    #[test]
    fn headings_of_prose_go_one_level_down() {
        assert_eq!(
            readme("# C\n\nA.\n\n## Macros\n\n```\n# x\n```\n"),
            Some(Readme {
                title: "C".to_owned(),
                prose: "A.\n\n### Macros\n\n```\n# x\n```".to_owned()
            })
        );
        assert_eq!(readme("no title\n"), None);
    }

    #[test]
    fn thousands_stand_apart() {
        assert_eq!([0, 999, 1000, 1234567].map(grouped), ["0", "999", "1,000", "1,234,567"]);
    }

    #[test]
    fn a_lock_names_versions() {
        let lock = "version = 4\n\n[[package]]\nname = \"a\"\nversion = \"1.2.3\"\n";
        assert_eq!(versions(lock).map(|found| found["a"].clone()), Ok("1.2.3".to_owned()));
    }
}
