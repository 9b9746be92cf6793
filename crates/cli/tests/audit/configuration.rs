//! A repository's lore.toml can narrow what is indexed and nothing else (F14).

use std::fs;

use crate::world::{World, finish};

/// A repository with a caller, and a function that is called, in two files.
fn shop() -> World {
    let world = World::new();
    world.write("a.py", "from b import steal\n\ndef pay():\n    steal()\n");
    world.write("b.py", "def steal():\n    pass\n");
    world.commit("shop");
    world
}

#[test]
fn a_repository_cannot_choose_the_number_of_threads() {
    let world = shop();
    world.write("lore.toml", "threads = 65535\n");
    let outcome = world.lore(&["find", "steal"]);
    assert_eq!(outcome.code, Some(0), "{outcome:?}");
    assert!(outcome.stdout.contains("b.steal"), "{outcome:?}");
    assert!(
        outcome
            .stderr
            .contains("`threads` cannot be set by a repository; it is ignored"),
        "{outcome:?}"
    );
    fs::remove_file(world.repo().join("lore.toml")).expect("removed");
    let outcome = world.lore(&["find", "steal", "--threads", "65535"]);
    assert_eq!(outcome.code, Some(2), "{outcome:?}");
    assert!(
        outcome
            .stderr
            .contains("cannot start 65535 threads (--threads): 1024 is the most"),
        "{outcome:?}"
    );
}

#[test]
fn a_repository_cannot_switch_the_refresh_off() {
    let world = shop();
    assert_eq!(world.lore(&["index"]).code, Some(0));
    world.write("lore.toml", "[index]\nrefresh = false\n");
    world.write("b.py", "def steal():\n    pass\n\ndef steal_more():\n    pass\n");
    let outcome = world.lore(&["find", "steal_more"]);
    assert_eq!(outcome.code, Some(0), "{outcome:?}");
    assert!(
        outcome
            .stderr
            .contains("`index.refresh` cannot be set by a repository; it is ignored"),
        "{outcome:?}"
    );
    // Over MCP the index is as fresh.
    let outcome = ask(&world, &[], "find", r#"{"query":"steal_more"}"#);
    assert!(
        outcome.contains("steal_more") && !outcome.contains("stale"),
        "{outcome}"
    );
}

/// The last answer of a server to one call.
fn ask(world: &World, arguments: &[&str], tool: &str, input: &str) -> String {
    let mut command = world.command_in(&world.repo(), &["mcp"]);
    command.args(arguments);
    let lines = [
        r#"{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}"#.to_owned(),
        r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#.to_owned(),
        format!(r#"{{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{{"name":"{tool}","arguments":{input}}}}}"#),
        String::new(),
    ];
    let outcome = finish(command, &lines.join("\n"));
    let answer = outcome.stdout.lines().find(|line| line.contains("\"id\":2"));
    assert!(answer.is_some(), "no answer: {outcome:?}");
    answer.unwrap_or_default().to_owned()
}

#[test]
fn every_setting_that_is_not_a_repositorys_is_named_and_has_no_effect() {
    let world = shop();
    let elsewhere = world.base().join("elsewhere");
    let settings = [
        ("cache", format!("cache = {elsewhere:?}\n")),
        ("color", "color = \"always\"\n".to_owned()),
        ("db", format!("db = {elsewhere:?}\n")),
        (
            "graph.allow_hosts",
            "[graph]\nallow_hosts = [\"169.254.169.254\"]\n".to_owned(),
        ),
        (
            "graph.forges",
            "[graph.forges]\n\"x.example\" = \"gitlab\"\n".to_owned(),
        ),
        ("graph.formats", "[graph]\nformats = [\"x\"]\n".to_owned()),
        ("graph.notify", "[graph]\nnotify = \"https://x.example\"\n".to_owned()),
        ("index.refresh", "[index]\nrefresh = false\n".to_owned()),
        (
            "index.ignore_repository_rules",
            "[index]\nignore_repository_rules = true\n".to_owned(),
        ),
        ("kcp", "[kcp.keys]\n\"x.example\" = \"k\"\n".to_owned()),
        ("memory", "[memory]\nsynchronous = \"off\"\n".to_owned()),
        ("registry", "[registry]\nclones = \"/\"\n".to_owned()),
        ("threads", "threads = 0\n".to_owned()),
        ("unit", "[unit]\nscopes = [\"secret\"]\n".to_owned()),
        ("web", "[web.hosts]\n\"x.example\" = \"127.0.0.1\"\n".to_owned()),
    ];
    for (key, text) in settings {
        world.write("lore.toml", &text);
        let outcome = world.lore(&["find", "steal"]);
        assert_eq!(outcome.code, Some(0), "{key}: {outcome:?}");
        assert!(
            outcome.stdout.contains("b.steal") && !outcome.stdout.contains('\u{1b}'),
            "{key}: {outcome:?}"
        );
        let said = format!("lore.toml: `{key}` cannot be set by a repository; it is ignored");
        assert!(outcome.stderr.contains(&said), "{key}: {outcome:?}");
        let shown = world.lore(&["config", "show"]);
        assert!(
            !shown.stdout.lines().any(|line| line.contains("repo/lore.toml")),
            "{key}: {shown:?}"
        );
    }
    assert!(!elsewhere.exists());
}

#[test]
fn a_wrong_file_is_named_and_the_question_is_answered() {
    let world = shop();
    let huge = format!("# {}\n", "x".repeat(2 << 20));
    let nested = format!("a = {}\n", "[".repeat(100_000));
    for (text, said) in [
        (b"[index\n".as_slice(), "lore.toml:1:"),
        (b"\xff\xfe".as_slice(), "it is not UTF-8"),
        (huge.as_bytes(), "it is larger than 1048576 bytes"),
        (nested.as_bytes(), "the file is ignored"),
        (
            b"exclud = 1\n".as_slice(),
            "there is no setting `exclud`; it is ignored",
        ),
        (b"index = 1\n".as_slice(), "`index` is not a table; it is ignored"),
        (
            b"[index]\nexclude = \"a\"\n".as_slice(),
            "`index.exclude` is not a list of strings",
        ),
        (b"[index]\nexclude = [\"[z-a]\"]\n".as_slice(), "is not a pattern"),
        (
            b"[index]\nmax_file_bytes = 99999999999\n".as_slice(),
            "can only lower it",
        ),
        (
            b"[languages]\n\"*.py\" = \"klingon\"\n".as_slice(),
            "there is no language `klingon`",
        ),
        (b"constraints = 3\n".as_slice(), "`constraints` is not a list of tables"),
    ] {
        world.write("lore.toml", text);
        let outcome = world.lore(&["find", "steal"]);
        assert_eq!(outcome.code, Some(0), "{said}: {outcome:?}");
        assert!(outcome.stdout.contains("b.steal"), "{said}: {outcome:?}");
        assert!(outcome.stderr.contains(said), "{said}: {outcome:?}");
        assert_eq!(outcome.stderr.lines().count(), 1, "{said}: {outcome:?}");
    }
}

#[test]
#[cfg(target_os = "linux")]
fn a_device_or_a_pipe_is_not_read() {
    let world = shop();
    world.link("lore.toml", "/dev/zero");
    let outcome = world.lore_limited(2_000_000, &["find", "steal"]);
    assert_eq!(outcome.code, Some(0), "{outcome:?}");
    assert!(outcome.stdout.contains("b.steal"), "{outcome:?}");
    assert!(
        outcome.stderr.contains("lore.toml: it cannot be read, and is ignored"),
        "{outcome:?}"
    );
    fs::remove_file(world.repo().join("lore.toml")).expect("removed");
    lore_testing::run(std::process::Command::new("mkfifo").arg(world.repo().join("lore.toml")));
    let outcome = world.lore(&["find", "steal"]);
    assert_eq!(outcome.code, Some(0), "{outcome:?}");
    assert!(outcome.stdout.contains("b.steal"), "{outcome:?}");
}

#[test]
#[cfg(target_os = "linux")]
fn thousands_of_patterns_cost_little() {
    let world = shop();
    let patterns = |make: &dyn Fn(usize) -> String| {
        let list: Vec<String> = (0..5_000).map(|at| format!("{:?}", make(at))).collect();
        format!("[index]\nexclude = [{}]\n", list.join(","))
    };
    let long = patterns(&|at| format!("{at}{}", "a*b?c".repeat(20)));
    let stars = patterns(&|at| format!("*{at}*a*a*a*a*a*a*"));
    for text in [long, stars] {
        world.write("lore.toml", &text);
        let outcome = world.lore_limited(1_000_000, &["find", "steal"]);
        assert_eq!(outcome.code, Some(0), "{}", outcome.stderr);
        assert!(outcome.stdout.contains("b.steal"), "{outcome:?}");
        assert!(outcome.stderr.contains("patterns are refused"), "{}", outcome.stderr);
    }
}

#[test]
fn what_a_repository_leaves_out_is_counted_in_every_answer() {
    let world = shop();
    let note = "1 file is left out because of the repository's lore.toml; --ignore-repository-rules ignores that file";
    let questions: [&[&str]; 9] = [
        &["find", "pay"],
        &["callers", "a.pay"],
        &["callees", "a.pay"],
        &["outline"],
        &["dead"],
        &["impact", "a.pay"],
        &["stats"],
        &["files"],
        &["find", "pay", "--at", "HEAD"],
    ];
    for rule in [
        "[index]\nexclude = [\"b.py\"]\n",
        "[index]\ninclude = [\"a.py\", \"*.toml\"]\n",
        "[languages]\n\"b.py\" = \"none\"\n",
    ] {
        world.write("lore.toml", rule);
        for question in questions {
            let outcome = world.lore(question);
            assert_eq!(
                outcome.stderr.matches(note).count(),
                1,
                "{rule} {question:?}: {outcome:?}"
            );
            assert_ne!(outcome.code, Some(2), "{outcome:?}");
        }
        let again = world.lore(&["find", "pay", "--no-refresh"]);
        assert!(again.stderr.contains(note), "{rule}: {again:?}");
        let told = ask(&world, &[], "find", r#"{"query":"pay"}"#);
        assert!(told.contains(note), "{rule}: {told}");
        let told = ask(&world, &[], "find", r#"{"query":"pay","at":"HEAD"}"#);
        assert!(told.contains(note), "{rule}: {told}");
        // Nothing is hidden from whoever asks for everything.
        let all = world.lore(&["find", "steal", "--ignore-repository-rules"]);
        assert!(
            all.stdout.contains("b.steal") && all.stderr.is_empty(),
            "{rule}: {all:?}"
        );
        let told = ask(&world, &["--ignore-repository-rules"], "find", r#"{"query":"steal"}"#);
        assert!(told.contains("b.steal") && !told.contains("left out"), "{rule}: {told}");
    }
    // A file that would not be read anyway is not worth a word.
    world.write("lore.toml", "[index]\nexclude = [\"*.png\"]\n");
    world.write("x.png", "x");
    let outcome = world.lore(&["find", "pay"]);
    assert_eq!(outcome.stderr, "", "{outcome:?}");
}

#[test]
fn a_lowered_size_and_another_language_are_counted() {
    let world = shop();
    world.write("lore.toml", "[index]\nmax_file_bytes = 30\n");
    let outcome = world.lore(&["find", "steal"]);
    assert!(outcome.stderr.contains("1 file is left out because"), "{outcome:?}");
    world.write("lore.toml", "[languages]\n\"*.py\" = \"css\"\n");
    let outcome = world.lore(&["find", "steal"]);
    assert!(
        outcome.stderr.contains("2 files are read as another language because"),
        "{outcome:?}"
    );
}

#[test]
fn what_the_user_leaves_out_is_not_counted() {
    let world = shop();
    let outcome = world.lore(&["index", "--exclude", "b.py"]);
    assert_eq!((outcome.code, outcome.stderr.as_str()), (Some(0), ""), "{outcome:?}");
    let outcome = world.lore(&["files"]);
    assert!(
        outcome.stderr.is_empty() && !outcome.stdout.contains("b.py"),
        "{outcome:?}"
    );
    // The user's own file narrows as well, and both hold.
    world.lore(&["index"]);
    let config = world.home().join(".config/lore");
    fs::create_dir_all(&config).expect("made");
    fs::write(config.join("config.toml"), "[index]\nexclude = [\"b.py\"]\n").expect("written");
    world.write("lore.toml", "[index]\nexclude = [\"a.py\"]\n");
    world.write("c.py", "def c():\n    pass\n");
    let outcome = world.lore(&["files"]);
    assert!(
        outcome.stdout.contains("c.py") && !outcome.stdout.contains("a.py") && !outcome.stdout.contains("b.py"),
        "{outcome:?}"
    );
    assert!(outcome.stderr.contains("1 file is left out because"), "{outcome:?}");
}

#[test]
fn a_changed_lore_toml_takes_effect_with_the_next_question() {
    let world = shop();
    assert!(world.lore(&["files"]).stdout.contains("b.py"));
    world.write("lore.toml", "[index]\nexclude = [\"b.py\"]\n");
    assert!(!world.lore(&["files"]).stdout.contains("b.py"));
    fs::remove_file(world.repo().join("lore.toml")).expect("removed");
    assert!(world.lore(&["files"]).stdout.contains("b.py"));
}

#[test]
fn ignore_files_have_no_say_if_repository_rules_are_ignored() {
    let world = shop();
    world.write(".ignore", "b.py\n");
    assert_eq!(world.lore(&["find", "steal"]).code, Some(1));
    for set in ["--ignore-repository-rules", "LORE_IGNORE_REPOSITORY_RULES"] {
        let mut command = world.command_in(&world.repo(), &["find", "steal"]);
        match set.strip_prefix("--") {
            Some(_) => command.arg(set),
            None => command.env(set, "1"),
        };
        let outcome = finish(command, "");
        assert!(outcome.stdout.contains("b.steal"), "{set}: {outcome:?}");
    }
}
