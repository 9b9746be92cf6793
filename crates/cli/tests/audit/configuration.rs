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
            "graph.aggregators",
            "[graph]\naggregators = [\"https://x.example\"]\n".to_owned(),
        ),
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
        ("index.generated", "[index]\ngenerated = true\n".to_owned()),
        ("index.minified", "[index]\nminified = true\n".to_owned()),
        ("index.refresh", "[index]\nrefresh = false\n".to_owned()),
        ("index.vendored", "[index]\nvendored = true\n".to_owned()),
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
        // Whoever asks over MCP is told as well.
        let told = ask(&world, &[], "find", r#"{"query":"steal"}"#);
        let said = format!("`{key}` cannot be set by a repository; it is ignored");
        assert!(told.contains(&said), "{key}: {told}");
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
        outcome
            .stderr
            .contains("lore.toml: it is ignored, because it cannot be read"),
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

#[test]
fn a_language_that_a_repository_names_is_counted_where_the_content_decides() {
    let world = shop();
    world.write("c.ts", "export function steal_ts(): number { return 1; }\n");
    world.write("d.h", "int steal_h(void);\n");
    world.write("tool", "#!/usr/bin/env python3\ndef steal_tool():\n    pass\n");
    world.commit("more");
    let left_out = "1 file is left out because of the repository's lore.toml";
    let by_name = "1 file is read as a language that its content did not decide because of the repository's lore.toml";
    for (rule, said) in [
        ("\"*.ts\" = \"none\"", left_out),
        ("\"*.h\" = \"none\"", left_out),
        ("\"tool\" = \"none\"", left_out),
        ("\"*.ts\" = \"markdown\"", by_name),
        ("\"*.h\" = \"markdown\"", by_name),
        ("\"tool\" = \"markdown\"", by_name),
    ] {
        world.write("lore.toml", format!("[languages]\n{rule}\n"));
        for question in [&["find", "steal"][..], &["find", "steal", "--at", "HEAD"]] {
            let outcome = world.lore(question);
            assert!(outcome.stderr.contains(said), "{rule}: {outcome:?}");
        }
        let all = world.lore(&["find", "steal", "--ignore-repository-rules"]);
        assert_eq!(all.stderr, "", "{rule}: {all:?}");
    }
}

#[test]
fn gitignore_does_not_hide_what_git_tracks() {
    let world = shop();
    world.write(".gitignore", "evil.py\nhidden/\nuntracked.py\n");
    world.write("evil.py", "def steal_file():\n    pass\n");
    world.write("hidden/deep/evil.py", "def steal_deep():\n    pass\n");
    world.commit("evil");
    world.write("untracked.py", "def steal_untracked():\n    pass\n");
    world.write("hidden/untracked.py", "def steal_below():\n    pass\n");
    for arguments in [&["find", "steal"][..], &["find", "steal", "--ignore-repository-rules"]] {
        let outcome = world.lore(arguments);
        assert!(outcome.stdout.contains("steal_file"), "{outcome:?}");
        assert!(outcome.stdout.contains("steal_deep"), "{outcome:?}");
        assert!(!outcome.stdout.contains("steal_untracked"), "{outcome:?}");
        assert!(!outcome.stdout.contains("steal_below"), "{outcome:?}");
        assert_eq!(outcome.stderr, "", "{outcome:?}");
    }
    // A directory of the repository is asked.
    let outcome = world.lore(&["--repo", "hidden", "find", "steal"]);
    assert!(outcome.stdout.contains("steal_deep"), "{outcome:?}");
    // A file that git begins to track appears, and one that is deleted is gone.
    world.git(&["add", "--force", "untracked.py"]);
    assert!(world.lore(&["find", "steal"]).stdout.contains("steal_untracked"));
    fs::remove_file(world.repo().join("evil.py")).expect("removed");
    let outcome = world.lore(&["find", "steal"]);
    assert!(
        !outcome.stdout.contains("steal_file") && outcome.code == Some(0),
        "{outcome:?}"
    );
}

#[test]
fn gitignore_does_not_hide_what_a_submodule_tracks() {
    let world = shop();
    let module = world.base().join("module");
    fs::create_dir_all(&module).expect("made");
    fs::write(module.join(".gitignore"), "evil.py\n").expect("written");
    fs::write(module.join("evil.py"), "def steal_module():\n    pass\n").expect("written");
    world.git_in(&module, &["init", "--quiet"]);
    world.git_in(&module, &["add", "--force", "--all"]);
    world.git_in(&module, &["commit", "--quiet", "--message", "m"]);
    let add = [
        "-c",
        "protocol.file.allow=always",
        "submodule",
        "--quiet",
        "add",
        "../module",
        "sub",
    ];
    world.git(&add);
    world.write(".gitignore", "other\n");
    assert!(world.lore(&["find", "steal"]).stdout.contains("steal_module"));
    world.write(".gitignore", "sub\n");
    assert!(world.lore(&["find", "steal"]).stdout.contains("steal_module"));
}

#[test]
fn tracked_files_that_an_ignore_file_names_are_counted() {
    let world = shop();
    world.write(".ignore", "b.py\nuntracked.py\n*.png\n");
    world.write("x.png", "x");
    world.commit("ignored");
    world.write("untracked.py", "x = 1\n");
    let said = "1 file that git tracks is left out because of the repository's .ignore files";
    for question in [&["find", "pay"][..], &["files"], &["find", "pay", "--no-refresh"]] {
        let outcome = world.lore(question);
        assert_eq!(outcome.stderr.matches(said).count(), 1, "{question:?}: {outcome:?}");
    }
    let told = ask(&world, &[], "find", r#"{"query":"pay"}"#);
    assert!(told.contains(said), "{told}");
    let skipped = world.lore(&["files", "--skipped"]);
    assert!(skipped.stdout.contains("named by an .ignore file"), "{skipped:?}");
    let all = world.lore(&["find", "steal", "--ignore-repository-rules"]);
    assert!(all.stdout.contains("b.steal") && all.stderr.is_empty(), "{all:?}");
}

#[test]
fn source_in_directories_for_output_is_listed_as_left_out() {
    let world = shop();
    for path in [".lore/evil.py", ".well-known/deep/evil.py", "x.ccg.zip/evil.py"] {
        world.write(path, "def steal_hidden():\n    pass\n");
    }
    world.write(".lore/graph.json", "{}\n");
    world.commit("hidden");
    for at in [&[][..], &["--at", "HEAD"]] {
        let skipped = world.lore(&[&["files", "--skipped"], at].concat());
        for path in [".lore/evil.py", ".well-known/deep/evil.py"] {
            let line = skipped.stdout.lines().find(|line| line.contains(path));
            let is_told = line.is_some_and(|line| line.contains("in a directory for what Lore writes"));
            assert!(is_told, "{path}: {skipped:?}");
        }
        assert!(!skipped.stdout.contains("graph.json"), "{skipped:?}");
        let files = world.lore(&[&["files"], at].concat());
        assert!(files.stdout.contains("x.ccg.zip/evil.py"), "{files:?}");
        assert_eq!(files.stderr, "", "{files:?}");
    }
}

#[test]
fn the_cache_of_the_user_is_out_of_reach_over_mcp() {
    let world = shop();
    assert_eq!(world.lore(&["index"]).code, Some(0));
    let cache = world.home().join(".cache");
    let before = world.listing(&cache).len();
    assert!(before > 0);
    for tool in ["cache_status", "cache_prune", "cache_clear"] {
        let told = ask(&world, &[], tool, "{}");
        assert!(
            told.contains("there is no cache here") || told.contains("\"error\""),
            "{tool}: {told}"
        );
        assert_eq!(world.listing(&cache).len(), before, "{tool}");
    }
}

#[test]
fn a_cache_in_the_repository_is_remarked_over_mcp() {
    let world = shop();
    world.write(".lore/cache/facts", "x");
    let told = ask(&world, &[], "find", r#"{"query":"pay"}"#);
    assert!(
        told.contains("the repository has a .lore/cache, which is ignored"),
        "{told}"
    );
}
