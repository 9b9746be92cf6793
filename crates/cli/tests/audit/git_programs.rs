//! No program that a repository's git configuration names is run.
//!
//! A clone has a configuration of its own, but an archive that somebody hands over may hold a whole `.git`.
#![cfg(unix)]

use std::fs;
use std::io::{Read, Write};
use std::net::TcpListener;
use std::os::unix::fs::PermissionsExt;
use std::path::PathBuf;

use crate::world::World;

/// Hooks that git knows.
const HOOKS: [&str; 12] = [
    "applypatch-msg",
    "fsmonitor-watchman",
    "post-checkout",
    "post-commit",
    "post-index-change",
    "post-merge",
    "pre-auto-gc",
    "pre-commit",
    "pre-push",
    "pre-receive",
    "reference-transaction",
    "update",
];

/// Every class of question and of work. `impact` and the manifests compare files with the commit.
const COMMANDS: [&[&str]; 25] = [
    &["index", "--fresh"],
    &["find", "f"],
    &["outline", "--at", "HEAD"],
    &["source", "f", "--at", "HEAD~1"],
    &["impact", "--since", "HEAD"],
    &["impact", "--since", "HEAD~1"],
    &["stats"],
    &["doctor"],
    &["ccg", "manifest"],
    &["ccg", "diff", "HEAD~1", "HEAD"],
    &["ccg", "bundle", "--output", "../bundle.zip"],
    &["unit", "validate"],
    &["unit", "stale"],
    &["unit", "query", "what"],
    &["graph", "publish"],
    &["memory", "status"],
    &["mind", "init"],
    &["mind", "link", "task:a", "task:b"],
    &["mind", "process-commit", "HEAD"],
    &["mind", "status"],
    &["mind", "nodes"],
    &["mind", "doctor"],
    &["mind", "hook", "install"],
    &["mind", "sync"],
    &["init", "--agent=all", "--yes"],
];

/// A repository with two commits, a manifest and a remote, and a directory in which programs leave marks.
struct Trap {
    world: World,
}

impl Trap {
    fn new() -> Self {
        let world = World::new();
        world.write("a.py", "def f():\n    return 1\n");
        world.write("doc.md", "# Doc\n");
        world.write(
            "knowledge.yaml",
            "kcp_version: \"0.14\"\nproject: x\nversion: 1.0.0\nupdated: \"2026-01-01\"\nunits:\n  - id: doc\n    path: doc.md\n    intent: what it is\n    scope: project\n    audience: [agent]\n    validated: \"2026-01-01\"\n",
        );
        world.commit("one");
        world.write("a.py", "def f():\n    return 2\n\ndef g():\n    return f()\n");
        world.write(".gitattributes", "* filter=evil diff=evil merge=evil\n");
        world.commit("two");
        world.git_in(&world.base(), &["clone", "--quiet", "--bare", "repo", "remote.git"]);
        world.git(&["remote", "add", "origin", "../remote.git"]);
        fs::create_dir(world.base().join("marks")).expect("made");
        // The same size as before, so that only the content can tell.
        world.write("a.py", "def f():\n    return 3\n\ndef g():\n    return f()\n");
        Self { world }
    }

    /// A command line that leaves a mark.
    fn program(&self, mark: &str) -> String {
        let path = self.world.base().join(format!("{mark}.sh"));
        let marks = self.world.base().join("marks");
        let text = format!("#!/bin/sh\necho \"$@\" >> '{}/{mark}'\nexit 1\n", marks.display());
        fs::write(&path, text).expect("written");
        fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).expect("executable");
        path.display().to_string()
    }

    /// Adds to the configuration of the repository.
    fn configure(&self, text: &str) {
        let path = self.world.repo().join(".git/config");
        let before = fs::read_to_string(&path).expect("a configuration");
        fs::write(path, before + text).expect("written");
    }

    /// Names a program wherever git takes one.
    fn arm(&self) {
        let program = |mark: &str| self.program(mark);
        self.configure(&format!(
            "[core]\n\tfsmonitor = {}\n\tsshCommand = {}\n\tpager = {}\n\teditor = {}\n\taskPass = {}\n\tgitProxy = {}\n\talternateRefsCommand = {}\n\
             [filter \"evil\"]\n\tclean = {}\n\tsmudge = {}\n\tprocess = {}\n\trequired = true\n\
             [diff]\n\texternal = {}\n[diff \"evil\"]\n\ttextconv = {}\n\tcommand = {}\n\
             [merge \"evil\"]\n\tdriver = {}\n\
             [credential]\n\thelper = {}\n\
             [gpg]\n\tprogram = {}\n[commit]\n\tgpgSign = true\n[push]\n\tgpgSign = if-asked\n\
             [sequence]\n\teditor = {}\n[alias]\n\tfetch = !{}\n\tpush = !{}\n\
             [uploadpack]\n\tpackObjectsHook = {}\n[protocol]\n\tallow = always\n[protocol \"ext\"]\n\tallow = always\n",
            program("fsmonitor"), program("ssh"), program("pager"), program("editor"), program("askpass"), program("proxy"),
            program("alternates"), program("clean"), program("smudge"), program("process"), program("external"),
            program("textconv"), program("diff"), program("merge"), program("helper"), program("gpg"), program("sequence"),
            program("alias-fetch"), program("alias-push"),   program("pack"),
        ));
        let hooks = self.world.repo().join(".git/hooks");
        fs::create_dir_all(&hooks).expect("made");
        for hook in HOOKS {
            fs::copy(self.program(&format!("hook-{hook}")), hooks.join(hook)).expect("copied");
        }
    }

    fn marks(&self) -> Vec<String> {
        let marks = fs::read_dir(self.world.base().join("marks")).expect("a directory");
        let mut marks: Vec<String> = marks
            .map(|mark| mark.expect("an entry").file_name().to_string_lossy().into_owned())
            .collect();
        marks.sort();
        marks
    }

    fn assert_unmarked(&self, what: &str) {
        assert_eq!(self.marks(), Vec::<String>::new(), "{what}");
    }

    /// Points the remote elsewhere.
    fn set_url(&self, url: &str) {
        self.configure(&format!("[remote \"origin\"]\n\turl =\n\turl = {url}\n"));
    }
}

#[test]
fn no_command_runs_a_program_of_the_repository() {
    let trap = Trap::new();
    trap.arm();
    for command in COMMANDS {
        let outcome = trap.world.lore(command);
        trap.assert_unmarked(&format!("{command:?}: {outcome:?}"));
        assert!(outcome.code.is_some(), "{command:?}: {outcome:?}");
        // A command that does not exist would prove nothing.
        assert!(!outcome.stderr.contains("Usage:"), "{command:?}: {outcome:?}");
    }
    // What is armed works: git itself runs it.
    let mut status = std::process::Command::new("git");
    status
        .args(["status", "--short"])
        .current_dir(trap.world.repo())
        .env_clear()
        .env("HOME", trap.world.home())
        .env("PATH", std::env::var_os("PATH").unwrap_or_default());
    lore_testing::output(&mut status);
    assert!(!trap.marks().is_empty());
}

#[test]
fn the_graph_is_exchanged_without_programs_of_the_repository() {
    let trap = Trap::new();
    trap.arm();
    for command in [
        ["mind", "init"].as_slice(),
        &["mind", "link", "task:a", "task:b"],
        &["mind", "sync"],
    ] {
        let outcome = trap.world.lore(command);
        assert_eq!(outcome.code, Some(0), "{command:?}: {outcome:?}");
        trap.assert_unmarked(&format!("{command:?}"));
    }
    let pushed = trap
        .world
        .git_in(&trap.world.base().join("remote.git"), &["for-each-ref"]);
    assert!(pushed.contains("mind"), "{pushed}");
}

#[test]
fn hooks_elsewhere_do_not_run() {
    let trap = Trap::new();
    let hooks = trap.world.base().join("hooks");
    fs::create_dir(&hooks).expect("made");
    for hook in HOOKS {
        fs::copy(trap.program(&format!("hook-{hook}")), hooks.join(hook)).expect("copied");
    }
    trap.configure(&format!("[core]\n\thooksPath = {}\n", hooks.display()));
    for command in COMMANDS {
        let outcome = trap.world.lore(command);
        trap.assert_unmarked(&format!("{command:?}: {outcome:?}"));
    }
}

#[test]
fn addresses_do_not_run_programs_of_the_repository() {
    let trap = Trap::new();
    trap.arm();
    let asked = answers_with_401();
    let command = format!("ext::sh -c \"{}\"", trap.program("ext"));
    for url in [
        "ssh://127.0.0.1:1/x".to_owned(),
        "git://127.0.0.1:1/x".to_owned(),
        format!("http://127.0.0.1:{asked}/x"),
        command.replace('"', "\\\""),
    ] {
        trap.set_url(&url);
        for line in [
            ["mind", "init"].as_slice(),
            &["mind", "link", "a:1", "is", "b:2"],
            &["mind", "sync"],
        ] {
            let outcome = trap.world.lore(line);
            trap.assert_unmarked(&format!("{url}: {outcome:?}"));
        }
    }
    for key in ["uploadpack", "receivepack", "vcs"] {
        let trap = Trap::new();
        trap.configure(&format!("[remote \"origin\"]\n\t{key} = {}\n", trap.program(key)));
        let outcome = trap.world.lore(&["mind", "sync"]);
        assert_eq!(outcome.code, Some(2), "{outcome:?}");
        let said = format!("the remote `origin` names a program (`{key}`)");
        assert!(outcome.stderr.contains(&said), "{outcome:?}");
        trap.assert_unmarked(key);
    }
}

#[test]
fn a_configuration_that_includes_others_does_not_lead_to_them() {
    let trap = Trap::new();
    let more = format!(
        "[core]\n\tsshCommand = {}\n\tfsmonitor = {}\n",
        trap.program("ssh"),
        trap.program("fsmonitor")
    );
    trap.world.write("more.config", more);
    trap.configure("[include]\n\tpath = ../more.config\n");
    trap.set_url("ssh://127.0.0.1:1/x");
    for command in COMMANDS {
        let outcome = trap.world.lore(command);
        trap.assert_unmarked(&format!("{command:?}: {outcome:?}"));
    }
    let outcome = trap.world.lore(&["mind", "sync"]);
    assert!(outcome.stderr.contains("includes other files"), "{outcome:?}");
}

#[cfg(target_os = "linux")]
#[test]
fn a_configuration_does_not_lead_to_devices() {
    for setting in [
        "[include]\n\tpath = /dev/zero\n",
        "[core]\n\texcludesFile = /dev/zero\n",
        "[core]\n\tattributesFile = /dev/zero\n",
    ] {
        let trap = Trap::new();
        trap.configure(setting);
        for command in [["ccg", "manifest"].as_slice(), &["find", "f"], &["mind", "status"]] {
            let outcome = trap.world.lore_limited(3_000_000, command);
            assert!(
                matches!(outcome.code, Some(0 | 1)),
                "{setting}: {command:?}: {outcome:?}"
            );
        }
    }
    let names = [
        "config",
        "HEAD",
        "packed-refs",
        "index",
        "refs/heads/main",
        "refs/tags/t",
    ];
    for name in names {
        for is_pipe in [false, true] {
            let trap = Trap::new();
            let path = trap.world.repo().join(".git").join(name);
            let _ = fs::remove_file(&path);
            if !is_pipe {
                std::os::unix::fs::symlink("/dev/zero", &path).expect("linked")
            } else {
                drop(lore_testing::run(std::process::Command::new("mkfifo").arg(&path)))
            }
            for command in [
                &["ccg", "manifest"][..],
                &["outline", "--at", "t"],
                &["impact", "--since", "t"],
                &["mind", "status"],
                &["mind", "process-commit", "t"],
            ] {
                let outcome = trap.world.lore_limited(1_500_000, command);
                assert!(matches!(outcome.code, Some(0..=2)), "{name}: {command:?}: {outcome:?}");
            }
            let outcome = trap.world.lore_limited(1_500_000, &["find", "f"]);
            assert_eq!(outcome.code, Some(0), "{name}: {outcome:?}");
        }
    }
}

#[cfg(target_os = "linux")]
#[test]
fn references_of_the_graph_do_not_lead_to_devices() {
    for name in [
        "refs/lore/mind/w/abc",
        "refs/lore/mind/remotes/origin/w/abc",
        "refs/lore",
    ] {
        let trap = Trap::new();
        let path = trap.world.repo().join(".git").join(name);
        fs::create_dir_all(path.parent().expect("a parent")).expect("made");
        std::os::unix::fs::symlink("/dev/zero", &path).expect("linked");
        for command in [
            &["mind", "nodes"][..],
            &["mind", "link", "task:a", "task:b"],
            &["mind", "sync"],
        ] {
            let outcome = trap.world.lore_limited(1_500_000, command);
            assert!(matches!(outcome.code, Some(0..=2)), "{name}: {command:?}: {outcome:?}");
        }
    }
}

#[test]
fn a_remote_inside_the_repository_is_not_exchanged_with() {
    let rewritten = "[url \"./evil\"]\n\tinsteadOf = https://evil.example\n";
    let pushed = "[url \"./evil\"]\n\tpushInsteadOf = https://evil.example\n";
    for (url, more) in [
        ("./evil.git", ""),
        ("evil", ""),
        (".git/evil.git", ""),
        ("file://./evil.git", ""),
        ("https://evil.example.git", rewritten),
        ("https://evil.example.git", pushed),
        ("../remote.git", "\tpushurl = ./evil.git\n"),
    ] {
        let trap = Trap::new();
        for evil in ["evil.git", ".git/evil.git"] {
            trap.world.git(&["clone", "--quiet", "--bare", ".", evil]);
            let hooks = trap.world.repo().join(evil).join("hooks");
            fs::create_dir_all(&hooks).expect("made");
            for hook in [
                "pre-receive",
                "update",
                "post-receive",
                "post-update",
                "reference-transaction",
            ] {
                fs::copy(trap.program(&format!("hook-{hook}")), hooks.join(hook)).expect("copied");
            }
        }
        trap.set_url(url);
        trap.configure(more);
        assert_eq!(trap.world.lore(&["mind", "link", "task:a", "task:b"]).code, Some(0));
        let outcome = trap.world.lore(&["mind", "sync"]);
        trap.assert_unmarked(&format!("{url} {more}: {outcome:?}"));
        assert_eq!(outcome.code, Some(2), "{url} {more}: {outcome:?}");
        let said = "the remote `origin` is a directory inside the repository";
        assert!(outcome.stderr.contains(said), "{url} {more}: {outcome:?}");
    }
}

#[test]
fn the_root_does_not_move_to_another_worktree() {
    let trap = Trap::new();
    let private: PathBuf = trap.world.base().join("private");
    fs::create_dir(&private).expect("made");
    fs::write(private.join("secret.py"), "def secret():\n    pass\n").expect("written");
    let clean = trap.world.clone_to("clean");
    let manifest = |directory: &PathBuf| {
        let outcome = trap.world.lore_in(directory, &["ccg", "manifest"]);
        assert_eq!(outcome.code, Some(0), "{outcome:?}");
        outcome.stdout
    };
    let before = manifest(&clean);
    let config = clean.join(".git/config");
    let text = fs::read_to_string(&config).expect("a configuration");
    fs::write(&config, format!("{text}[core]\n\tworktree = {}\n", private.display())).expect("written");
    let outcome = trap.world.lore_in(&clean, &["files"]);
    assert!(
        outcome.stdout.contains("a.py") && !outcome.stdout.contains("secret"),
        "{outcome:?}"
    );
    // The files are still those of the commit: the other directory is not compared with it.
    assert_eq!(manifest(&clean), before);
    let outcome = trap.world.lore_in(&clean, &["impact", "--since", "HEAD"]);
    assert!(!format!("{outcome:?}").contains("secret"), "{outcome:?}");
    let outcome = trap.world.lore_in(&clean, &["find", "f", "--at", "HEAD~1"]);
    assert_eq!(outcome.code, Some(0), "{outcome:?}");
}

/// A server on loopback that asks everybody for a password; its port.
fn answers_with_401() -> u16 {
    let listener = TcpListener::bind(("127.0.0.1", 0)).expect("a port");
    let port = listener.local_addr().expect("an address").port();
    std::thread::spawn(move || {
        for stream in listener.incoming() {
            let Ok(mut stream) = stream else { return };
            let _ = stream.read(&mut [0; 4096]);
            let _ = stream.write_all(
                b"HTTP/1.1 401 Unauthorized\r\nWWW-Authenticate: Basic realm=\"x\"\r\nContent-Length: 0\r\nConnection: close\r\n\r\n",
            );
        }
    });
    port
}
