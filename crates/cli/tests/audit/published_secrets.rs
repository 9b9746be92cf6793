//! What is exported for others is scrubbed and holds tracked files only (F9).

use std::fs;
use std::io::Read;
use std::path::Path;

use crate::world::World;

/// What must not leave. The texts are put together here, so that no scanner takes this file for a leak.
fn secrets() -> Vec<(&'static str, String)> {
    vec![
        ("token", ["ghp_", "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"].concat()),
        ("password", ["correct-horse-", "battery-9"].concat()),
        ("AWS key", ["AKIA", "Z7QWERTYUIOPLKJH"].concat()),
        ("password of an address", ["s3cr3t", "pw77"].concat()),
        ("path", "/home/ada/projects/shop".to_owned()),
        ("e-mail", "ada.lovelace@example.org".to_owned()),
    ]
}

/// A repository with a secret of each kind in constants, defaults, documentation and the body of a complex function.
fn leaky() -> World {
    let world = World::new();
    let of = |kind: &str| {
        let found = secrets().into_iter().find(|(known, _)| *known == kind);
        found.expect("known").1
    };
    let (token, password, aws) = (of("token"), of("password"), of("AWS key"));
    let (url, path, mail) = (of("password of an address"), of("path"), of("e-mail"));
    let mut branches = String::new();
    for number in 0..12 {
        branches.push_str(&format!("    if n == {number}:\n        return \"{token}\"\n"));
    }
    world.write(
        "shop.py",
        format!(
            "\"\"\"Ask {mail}; see {path}/notes.\"\"\"\n\
             API_TOKEN = \"{token}\"\nDB_PASSWORD = \"{password}\"\nAWS_ACCESS_KEY_ID = \"{aws}\"\n\
             DATABASE = \"postgres://admin:{url}@db.example.org/shop\"\n\n\n\
             def connect(password=\"{password}\", home=\"{path}\"):\n    \"\"\"Asks {mail}.\"\"\"\n    return password\n\n\n\
             def pick(n):\n    \"\"\"Picks.\"\"\"\n{branches}    return \"{aws}\"\n"
        ),
    );
    world.write(
        "README.md",
        format!("# Shop\n\nThe shop of {mail}, with the token {token}.\n"),
    );
    world.commit("one");
    world.write("untracked.py", "def only_here():\n    return 1\n");
    world
}

/// Everything below a directory as text, gzipped files unpacked.
fn texts(world: &World, directory: &Path) -> String {
    let mut all = String::new();
    for (name, content) in world.listing(directory) {
        all.push_str(&name);
        let content = if name.ends_with(".gz") {
            let mut plain = Vec::new();
            flate2::read::GzDecoder::new(content.as_slice())
                .read_to_end(&mut plain)
                .expect("gzip");
            plain
        } else {
            content
        };
        all.push_str(&String::from_utf8_lossy(&content));
    }
    all
}

fn assert_clean(what: &str, text: &str) {
    for (kind, secret) in secrets() {
        assert!(!text.contains(&secret), "{what} holds the {kind}");
    }
    assert!(text.contains("connect"), "{what} holds the code");
    assert!(!text.contains("only_here") && !text.contains("untracked.py"), "{what}");
}

/// The exports, each of which writes to a directory.
const EXPORTS: &[&[&str]] = &[
    &["ccg", "bundle", "--files", "--output"],
    &["ccg", "architecture", "--output"],
    &["ccg", "index", "--output"],
    &["ccg", "full", "--output"],
];

#[test]
fn exports_for_others_hold_neither_secrets_nor_untracked_files() {
    let world = leaky();
    for (at, export) in EXPORTS.iter().enumerate() {
        let directory = world.base().join(format!("out{at}"));
        fs::create_dir(&directory).expect("made");
        let place = directory.to_str().expect("UTF-8");
        let outcome = world.lore(&[export, [place].as_slice()].concat());
        assert_eq!(outcome.code, Some(0), "{export:?}: {outcome:?}");
        assert!(
            outcome.stderr.contains("1 file that git does not track"),
            "{export:?}: {outcome:?}"
        );
        assert_clean(&format!("{export:?}"), &texts(&world, &directory));
    }
    world.git(&["remote", "add", "origin", "https://github.com/acme/shop.git"]);
    let outcome = world.lore(&["graph", "publish", "--format", "ccg", "--format", "bundle"]);
    assert_eq!(outcome.code, Some(0), "{outcome:?}");
    assert_clean("graph publish", &texts(&world, &world.repo().join(".lore")));
}

#[test]
fn raw_exports_and_untracked_files_are_asked_for_by_name() {
    let world = leaky();
    let directory = world.base().join("out");
    fs::create_dir(&directory).expect("made");
    let place = directory.to_str().expect("UTF-8");
    let outcome = world.lore(&["ccg", "bundle", "--files", "--raw", "--untracked", "--output", place]);
    assert_eq!(outcome.code, Some(0), "{outcome:?}");
    assert!(outcome.stderr.contains("--raw"), "{outcome:?}");
    let text = texts(&world, &directory);
    for (kind, secret) in secrets() {
        assert!(text.contains(&secret), "the {kind} was asked for");
    }
    assert!(text.contains("only_here"));
}

#[test]
fn a_query_over_the_published_view_agrees_with_the_export() {
    let world = leaky();
    let query = "SELECT ?v { ?s ?p ?v FILTER(isLiteral(?v)) } ORDER BY STR(?v)";
    let own = world.lore(&["query", query, "--limit", "0", "--format", "csv"]);
    assert_eq!(own.code, Some(0), "{own:?}");
    for (kind, secret) in secrets() {
        assert!(own.stdout.contains(&secret), "whoever has the source sees the {kind}");
    }
    let published = world.lore(&["query", query, "--limit", "0", "--format", "csv", "--published"]);
    assert_eq!(published.code, Some(0), "{published:?}");
    assert_clean("the query", &published.stdout);
    let directory = world.base().join("out");
    fs::create_dir(&directory).expect("made");
    let file = directory.join("full.nq.gz");
    let place = file.to_str().expect("UTF-8");
    let outcome = world.lore(&["ccg", "full", "--output", place]);
    assert_eq!(outcome.code, Some(0), "{outcome:?}");
    let exported = world.lore(&["query", query, "--limit", "0", "--format", "csv", "--from", place]);
    assert_eq!(exported.stdout, published.stdout, "{exported:?}");
}

#[test]
fn without_git_every_file_is_exported() {
    let world = World::new();
    world.write("a.py", "def only_here():\n    return 1\n");
    let outcome = world.lore(&["ccg", "index", "--plain"]);
    assert_eq!((outcome.code, outcome.stderr.as_str()), (Some(0), ""), "{outcome:?}");
    assert!(outcome.stdout.contains("only_here"), "{outcome:?}");
}

/// The quads of a full export, unpacked.
fn full(world: &World) -> String {
    let outcome = world.lore(&["ccg", "full", "--plain"]);
    assert_eq!(outcome.code, Some(0), "{outcome:?}");
    outcome.stdout
}

#[test]
fn names_of_calls_that_lead_nowhere_and_of_variables_are_scrubbed() {
    let world = World::new();
    let token = &secrets()[0].1;
    world.write("a.js", format!("function connect(o) {{\n  o[\"{token}\"]();\n}}\n"));
    world.write(
        "b.py",
        format!("def f(g):\n    {token} = g()\n    {token}x = {token}\n    return {token}x\n"),
    );
    world.commit("one");
    let quads = full(&world);
    assert!(!quads.contains(token.as_str()), "{quads}");
    for word in ["definesVar", "usesVar", "name"] {
        let is_scrubbed = |line: &str| {
            line.contains(&format!("#{word}> \"[secret]\"")) || line.contains(&format!("/{word}> \"[secret]\""))
        };
        assert!(quads.lines().any(is_scrubbed), "{word}: {quads}");
    }
    let query = "SELECT ?v { ?s ?p ?v FILTER(isLiteral(?v)) }";
    let published = world.lore(&["query", query, "--limit", "0", "--format", "csv", "--published"]);
    assert!(
        published.code == Some(0) && !published.stdout.contains(token.as_str()),
        "{published:?}"
    );
    let query = "SELECT ?s { ?s a ccg:UnresolvedCall ; narsil:name \"[secret]\" }";
    let found = world.lore(&["query", query, "--format", "csv", "--published"]);
    assert_eq!((found.code, found.stdout.lines().count()), (Some(0), 2), "{found:?}");
}

#[test]
fn an_address_that_is_a_directory_is_not_part_of_qualified_names() {
    let world = World::new();
    let mail = &secrets()[5].1;
    world.write(
        &format!("{mail}/deep/mail.py"),
        "class C:\n    def connect(self):\n        return 1\n",
    );
    world.commit("one");
    let quads = full(&world);
    let names: Vec<&str> = quads.lines().filter(|line| line.contains("qualifiedName")).collect();
    assert!(names.iter().any(|line| line.contains("[email]")), "{names:?}");
    assert!(
        !names.iter().any(|line| line.contains(&format!("\"{mail}"))),
        "{names:?}"
    );
}

/// Counts that do not grow with the square of the headings: the process has a limit of CPU time.
#[test]
#[cfg(target_os = "linux")]
fn many_names_that_become_one_are_numbered_in_little_time() {
    let world = World::new();
    let text: String = (0..20_000).map(|number| format!("# a{number}@bb.co\n")).collect();
    world.write("many.md", text);
    world.commit("one");
    assert_eq!(world.lore(&["index"]).code, Some(0));
    for question in [&["ccg", "manifest"][..], &["ccg", "index", "--plain"]] {
        let outcome = world.lore_within_cpu(10, question);
        assert_eq!(outcome.code, Some(0), "{question:?}: {}", outcome.stderr);
        assert!(!outcome.stdout.contains("@bb.co"), "{question:?}");
    }
}

/// The snapshots of the tracked files below a cache, with what each looks like.
#[cfg(unix)]
fn tracked_snapshots(world: &World) -> Vec<(String, u64, std::time::SystemTime)> {
    use std::os::unix::fs::MetadataExt;
    let home = world.home();
    let mut found = Vec::new();
    for (name, _) in world.listing(&home) {
        if name.contains("/tracked/") {
            let metadata = fs::metadata(home.join(&name)).expect("there");
            found.push((name, metadata.ino(), metadata.modified().expect("a time")));
        }
    }
    found
}

#[test]
#[cfg(unix)]
fn the_graph_of_the_tracked_files_is_kept() {
    let world = World::new();
    world.write("a.py", "def tracked():\n    return 1\n");
    world.commit("one");
    world.write("untracked.py", "def only_here():\n    return 1\n");
    let ask = || {
        let outcome = world.lore(&["ccg", "index", "--plain"]);
        assert_eq!(outcome.code, Some(0), "{outcome:?}");
        assert!(!outcome.stdout.contains("only_here"), "{outcome:?}");
        outcome.stdout
    };
    // A file that was written at the time of the first question is not trusted by it.
    let first = ask();
    assert_eq!(ask(), first);
    let kept = tracked_snapshots(&world);
    assert_eq!(kept.len(), 1, "{kept:?}");
    assert_eq!(ask(), first);
    assert_eq!(tracked_snapshots(&world), kept, "it was opened, not made again");
    // What is not tracked makes no difference, what is tracked does.
    world.write("untracked.py", "def only_here():\n    return 2\n");
    assert_eq!(ask(), first);
    assert_eq!(tracked_snapshots(&world), kept);
    world.write(
        "a.py",
        "def tracked():\n    return 1\n\n\ndef another():\n    return 1\n",
    );
    assert!(ask().contains("another"));
    world.git(&["add", "untracked.py"]);
    let added = world.lore(&["ccg", "index", "--plain"]);
    assert!(added.stdout.contains("only_here"), "{added:?}");
}
