//! Files that are made to hurt are bounded by counts: the facts and the snapshot of a text grow with the text, not with its nesting. What
//! they take in time and memory is measured by the example of the same name.

#[path = "pathological/cases.rs"]
mod cases;

use lore_index::{
    FactsKey, FactsStore, IndexOptions, LANGUAGES, Language, Listing, ReadError, Role, SourceError, SourceFile,
    SourceTree, extract, index,
};
use lore_model::{Cancel, FileFacts, NoProgress, RepoPath};

/// The size of the texts.
const BYTES: usize = 24_000;
/// Bytes of facts, and of a snapshot, for each byte of a text. Ordinary code takes about ten.
const MAX_FACTS_PER_BYTE: usize = 200;
const MAX_SNAPSHOT_PER_BYTE: usize = 300;
/// Definitions inside of definitions.
const MAX_DEPTH: usize = 128;
/// Bytes of all names from the module to a definition: those that scopes may have, and the definition's own.
const MAX_PATH: usize = 2_000 + 2 * 1_600;

/// A tree of files in memory.
struct Files(Vec<(RepoPath, String)>);

impl SourceTree for Files {
    fn list(&self) -> Result<Listing, SourceError> {
        let file = |(path, text): &(RepoPath, String)| SourceFile {
            path: path.clone(),
            size: text.len() as u64,
            hash: None,
        };
        Ok(Listing {
            files: self.0.iter().map(file).collect(),
            skipped: Vec::new(),
        })
    }

    fn read(&self, file: &SourceFile) -> Result<Vec<u8>, ReadError> {
        let found = self.0.iter().find(|(path, _)| *path == file.path);
        found
            .map(|(_, text)| text.clone().into_bytes())
            .ok_or_else(|| ReadError::File("no such file".to_owned()))
    }
}

struct NoStore;

impl FactsStore for NoStore {
    fn get(&self, _: FactsKey) -> Option<&[u8]> {
        None
    }

    fn put(&self, _: &[(FactsKey, Vec<u8>)]) {}
}

/// How many bytes the snapshot of one file has.
fn snapshot_bytes(name: &str, text: &str) -> usize {
    let path = RepoPath::new(name).expect("a path");
    let tree = Files(vec![(path, text.to_owned())]);
    let options = IndexOptions {
        minified: true,
        ..IndexOptions::default()
    };
    let indexed = index(&tree, &NoStore, &options, &NoProgress, &Cancel::default()).expect("indexed");
    indexed.snapshot.to_bytes().len()
}

/// The deepest definition and the longest name from the module on.
fn extent(facts: &FileFacts) -> (usize, usize) {
    let mut extents: Vec<(usize, usize)> = Vec::new();
    for definition in &facts.definitions {
        let around = definition.parent().map_or((0, 0), |parent| extents[parent]);
        let own = facts.text.get(definition.owner).len() + facts.text.get(definition.name).len();
        extents.push((around.0 + 1, around.1 + own + 2));
    }
    extents
        .into_iter()
        .fold((0, 0), |most, one| (most.0.max(one.0), most.1.max(one.1)))
}

fn check(language: &'static Language, case: &cases::Case) {
    let shown = format!("{}: {}", language.dialect, case.name);
    let facts = extract(language, Role::default(), &case.text);
    let (depth, path) = extent(&facts);
    assert!(depth <= MAX_DEPTH, "{shown}: {depth} deep");
    assert!(path <= MAX_PATH, "{shown}: a name of {path} bytes");
    assert!(facts.definitions.len() <= case.text.len(), "{shown}: definitions");
    let bytes = facts.to_bytes().len();
    let allowed = case.text.len() * MAX_FACTS_PER_BYTE;
    assert!(bytes <= allowed, "{shown}: {bytes} bytes of facts");
    if let Some(extension) = language.extensions.first() {
        let bytes = snapshot_bytes(&format!("a.{extension}"), &case.text);
        let allowed = case.text.len() * MAX_SNAPSHOT_PER_BYTE;
        assert!(bytes <= allowed, "{shown}: a snapshot of {bytes} bytes");
    }
}

/// What makes many definitions with a few bytes each.
const TINY: &[&str] = &[
    "f(){}\n",
    "a=1\n",
    "a: 1\n",
    "def a; end\n",
    "int a;\n",
    "\"a\":1,\n",
    "fn a(){}\n",
    "class a{}\n",
    "###### a\n",
];

#[test]
fn many_small_definitions_take_memory_by_their_size() {
    for language in LANGUAGES {
        for text in cases::REPEATED.iter().filter(|text| TINY.contains(text)) {
            check(language, &cases::repeat(language, text, BYTES / 3));
        }
    }
}

#[test]
fn what_is_nested_takes_memory_by_its_size() {
    for language in LANGUAGES {
        for case in cases::nested(language, BYTES / 2) {
            check(language, &case);
        }
    }
}

/// What a text is that the parser of an unpatched runtime takes minutes or gigabytes for, by dialect.
const UNBOUNDED_ONCE: &[(&str, &str)] = &[
    ("javascript", "->"),
    ("typescript", "->"),
    ("tsx", "->"),
    ("go", "->"),
    ("powershell", "->"),
    ("java", "a<"),
    ("java", "a=>"),
    ("erlang", "a=>"),
    ("r", "a=>"),
    ("html", "a<"),
];

#[test]
fn the_work_of_the_parser_is_counted_inside_of_its_steps() {
    for (dialect, text) in UNBOUNDED_ONCE {
        let language = LANGUAGES.iter().find(|language| language.dialect == *dialect);
        let language = language.expect("a dialect");
        check(language, &cases::repeat(language, text, 100_000));
    }
}

#[test]
fn definitions_that_stand_too_deep_are_part_of_what_encloses_them() {
    let rust = LANGUAGES
        .iter()
        .find(|language| language.dialect == "rust")
        .expect("rust");
    let text = format!("{}if a {{}} {}", "fn f() {\n".repeat(200), "}".repeat(200));
    let facts = extract(rust, Role::default(), &text);
    assert_eq!(facts.definitions.len(), 128);
    assert_eq!(facts.definitions[127].complexity.get(), 2);
    let messages: Vec<(u32, &str)> = facts
        .diagnostics
        .iter()
        .map(|row| (row.line.get(), facts.text.get(row.message)))
        .collect();
    assert_eq!(
        messages,
        [(
            129,
            "nested deeper than 128 scopes, or names too long: 72 definitions are not outlined"
        )]
    );
}

#[test]
fn names_that_are_longer_than_any_are_not_handed_down() {
    let rust = LANGUAGES
        .iter()
        .find(|language| language.dialect == "rust")
        .expect("rust");
    let long = "a".repeat(398);
    let text = format!(
        "{}fn f() {{}}\n{}\nfn g() {{}}\n",
        format!("mod {long} {{\n").repeat(7),
        "}".repeat(7)
    );
    let facts = extract(rust, Role::default(), &text);
    let names: Vec<&str> = facts.definitions.iter().map(|row| facts.text.get(row.name)).collect();
    assert_eq!(names.len(), 7);
    assert_eq!(names.last(), Some(&"g"));
    assert_eq!(facts.diagnostics.len(), 1);
}

#[test]
fn the_name_of_a_package_is_bounded() {
    let java = LANGUAGES
        .iter()
        .find(|language| language.dialect == "java")
        .expect("java");
    let text = format!("package {};\nclass A {{}}\n", vec!["a"; 20_000].join("."));
    let facts = extract(java, Role::default(), &text);
    assert_eq!(facts.text.get(facts.package).len(), 2_000);
    let messages: Vec<&str> = facts
        .diagnostics
        .iter()
        .map(|row| facts.text.get(row.message))
        .collect();
    assert_eq!(
        messages,
        ["the name of the package is longer than 2000 bytes, and was cut"]
    );
}

/// Inline modules that import from themselves and from each other, twice each: the meanings of a name end, and do not double with each hop.
#[test]
fn imports_in_a_circle_end() {
    let modules: String = (0..40)
        .map(|at| {
            let (one, other) = ((at + 1) % 40, (at + 7) % 40);
            format!("mod m{at} {{ pub use super::m{one}::x; pub use super::m{other}::x; pub use self::x as x; }}\n")
        })
        .collect();
    let text = format!("{modules}use m0::x;\npub fn f(a: x) {{ x(); }}\n");
    assert!(snapshot_bytes("src/lib.rs", &text) > 0);
}
