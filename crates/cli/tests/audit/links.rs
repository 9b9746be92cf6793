//! No write follows a link and no delete leaves Lore's own directories (F1, F3).
//!
//! The attacks are made from the list of paths that Lore touches: at each of them, or at a directory above it, a link out of
//! the repository is planted, and the commands that read or write the path are run.
#![cfg(unix)]

use std::fs;
use std::path::Path;

use super::world::World;

/// Bytes of address space in kilobytes: more than any of these commands needs, less than a device without an end fills.
pub(crate) const MEMORY: u64 = 6_000_000;

const MANIFEST: &str = "\
kcp_version: \"0.14\"
project: shop
version: 1.0.0
updated: \"2026-01-01\"
trust:
  audit: {agent_must_log: true}
units:
  - id: guide
    path: docs/guide.md
    intent: How is it used?
    scope: global
    audience: [agent, human]
    validated: \"2026-01-01\"
";

/// A repository in which every command finds something to do.
pub(crate) fn world(path: &str) -> World {
    let world = World::new();
    world.write("a.py", "def f():\n    return 1\n");
    world.write("docs/guide.md", "# Guide\n\nHow it is used.\n");
    world.write("knowledge.yaml", MANIFEST);
    world.commit("one");
    world.git(&["remote", "add", "origin", "https://github.com/acme/shop.git"]);
    if path.starts_with(".well-known/agent") {
        world.write(path, "{}\n");
    }
    world
}

/// The commands that read a path as configuration, or write it.
pub(crate) fn commands(path: &str) -> Vec<Vec<&'static str>> {
    let commands: &[&[&str]] = match path {
        "lore.toml" | ".gitignore" | ".ignore" | ".git/info/exclude" => &[
            &["index"],
            &["outline"],
            &["doctor"],
            // Asks git whether files differ from the commit, and so for the rules that leave files out.
            &["ccg", "manifest"],
        ],
        ".git/hooks/post-commit" => &[&["mind", "hook", "install"]],
        path if path.starts_with(".git/") => &[&["mind", "init"], &["mind", "link", "task:a", "task:b"]],
        "knowledge.yaml" => &[
            &["unit", "validate"],
            &["unit", "touch", "guide"],
            &["unit", "sync"],
            &["unit", "init", "--force"],
        ],
        ".kcp/catalog.yaml" => &[
            &["unit", "catalog", "add", "guide", "../knowledge.yaml"],
            &["unit", "catalog", "list"],
        ],
        ".well-known/code-graph.json" => &[&["graph", "publish"]],
        path if path.starts_with(".lore/") => &[&[
            "graph",
            "publish",
            "--format=ccg",
            "--format=understand-anything",
            "--format=gitnexus",
            "--format=code-review-graph",
            "--format=bundle",
        ]],
        path if path.starts_with(".well-known/") || path.starts_with(".github/") => GENERATE,
        ".cursor/rules/knowledge.mdc" | "llms.txt" | "agents.json" => GENERATE,
        "CLAUDE.md" | "AGENTS.md" => &[GENERATE[0], GENERATE[1], INIT[0], INIT[1]],
        _ => INIT,
    };
    commands.iter().map(|command| command.to_vec()).collect()
}

const GENERATE: &[&[&str]] = &[
    &[
        "unit",
        "generate",
        "--force",
        "all",
        "claude",
        "agents",
        "cursor",
        "llms",
        "agents-json",
        "well-known",
        "a2a",
    ],
    &["unit", "discover", "."],
];

const INIT: &[&[&str]] = &[
    &["init", "--agent=all", "--skills", "--yes"],
    &["init", "--agent=all", "--skills", "--remove", "--yes"],
];

/// A text that a file of this name may have.
fn content(path: &str) -> &'static str {
    match path {
        "knowledge.yaml" => MANIFEST,
        ".git/config" => "[core]\n\trepositoryformatversion = 0\n\tbare = false\n",
        ".git/packed-refs" => "# pack-refs with: peeled fully-peeled sorted\n",
        path if path.ends_with(".json") || path.ends_with(".jsonc") => "{}\n",
        path if path.ends_with(".toml") => "",
        _ => "kept\n",
    }
}

/// Whether git has a directory at a path.
fn is_directory_of_git(path: &str) -> bool {
    matches!(
        path,
        ".git/refs" | ".git/refs/lore" | ".git/logs" | ".git/logs/refs" | ".git/logs/refs/lore" | ".git/objects"
    )
}

/// Moves a directory of git's away, so that git works as before once a link leads to it.
fn move_away(world: &World, path: &str, target: &Path) {
    let place = world.repo().join(path);
    fs::create_dir_all(&place).expect("made");
    fs::rename(place, target).expect("moved");
}

/// Runs the commands of a path, and checks that each ends by itself and that nothing outside of the repository changes.
fn attack(world: &World, path: &str, how: &str) {
    let outside = world.base().join("outside");
    let before = world.listing(&outside);
    for command in commands(path) {
        let outcome = world.lore_limited(MEMORY, &command);
        let ended = matches!(outcome.code, Some(0..=2));
        assert!(
            ended,
            "{how} at {path}: lore {command:?} ended by a signal: {}",
            outcome.stderr
        );
        let after = world.listing(&outside);
        let names = |listing: &[(String, Vec<u8>)]| listing.iter().map(|(name, _)| name.clone()).collect::<Vec<_>>();
        assert_eq!(names(&after), names(&before), "{how} at {path}: lore {command:?}");
        assert!(
            after == before,
            "{how} at {path}: lore {command:?} changed a file outside"
        );
    }
}

/// Puts a link in the place of whatever is at a path.
fn plant(world: &World, path: &str, target: &Path) {
    let place = world.repo().join(path);
    match fs::symlink_metadata(&place) {
        Ok(metadata) if metadata.is_dir() => fs::remove_dir_all(&place).expect("removed"),
        Ok(_) => fs::remove_file(&place).expect("removed"),
        Err(_) => {}
    }
    world.link(path, target);
}

fn each_path(attack_at: impl Fn(&World, &str)) {
    let paths = lore_backends::repository_paths();
    assert!(paths.len() > 40, "{paths:?}");
    for path in &paths {
        let world = world(path);
        fs::create_dir(world.base().join("outside")).expect("made");
        attack_at(&world, path);
    }
}

/// Where no link is planted, the commands of a path succeed, and those of a path that Lore writes write it. Without this, the
/// attacks below could pass because the commands fail for another reason.
#[test]
fn without_an_attack_the_commands_of_a_path_use_it() {
    let only_read = [
        "lore.toml",
        ".gitignore",
        ".ignore",
        ".git/info/exclude",
        // Written when a reference is deleted, and if git keeps logs of all references.
        ".git/packed-refs",
        ".git/logs",
        ".git/logs/refs",
        ".git/logs/refs/lore",
    ];
    each_path(|world, path| {
        let place = world.repo().join(path);
        let used = || {
            let content = || (fs::read(&place).ok(), world.listing(&place));
            let before = content();
            let mut is_written = false;
            for command in commands(path) {
                let outcome = world.lore_limited(MEMORY, &command);
                let answered = matches!(outcome.code, Some(0 | 1));
                assert!(answered, "{path}: lore {command:?}: {}", outcome.stderr);
                is_written |= content() != before;
            }
            is_written
        };
        if !used() && !only_read.contains(&path) {
            // Some files are written only if they exist.
            world.write(path, content(path));
            assert!(used(), "{path} is not written");
        }
    });
}

#[test]
fn a_link_to_a_file_outside_is_not_written_through() {
    each_path(|world, path| {
        let victim = world.base().join("outside/victim");
        if is_directory_of_git(path) {
            move_away(world, path, &victim)
        } else {
            fs::write(&victim, content(path)).expect("written")
        }
        plant(world, path, &victim);
        attack(world, path, "a link to a file");
    });
}

#[test]
fn a_link_to_nothing_makes_no_file_outside() {
    each_path(|world, path| {
        plant(world, path, &world.base().join("outside/new"));
        attack(world, path, "a link to nothing");
    });
}

#[test]
fn a_link_in_place_of_a_directory_is_not_written_through() {
    each_path(|world, path| {
        let Some((parent, name)) = path.rsplit_once('/') else {
            return;
        };
        let victim = world.base().join("outside").join(name);
        fs::write(victim, content(path)).expect("written");
        plant(world, parent, &world.base().join("outside"));
        attack(world, path, "a link in place of a directory");
    });
}

#[test]
fn a_link_in_place_of_the_first_directory_is_not_written_through() {
    each_path(|world, path| {
        let Some((first, rest)) = path
            .split_once('/')
            .filter(|(first, rest)| *first != ".git" && rest.contains('/'))
        else {
            return;
        };
        let victim = world.base().join("outside").join(rest);
        fs::create_dir_all(victim.parent().expect("a parent")).expect("made");
        fs::write(victim, content(path)).expect("written");
        plant(world, first, &world.base().join("outside"));
        attack(world, path, "a link in place of the first directory");
    });
}

/// The audit's reproduction: links with the temporary names of the process. A shell makes them and becomes `lore`, so that the
/// number of the process is right.
#[test]
fn temporary_names_that_were_foreseen_are_not_followed() {
    let world = world("a.py");
    let victim = world.base().join("victim");
    fs::write(&victim, "kept").expect("written");
    fs::create_dir_all(world.repo().join(".well-known")).expect("made");
    fs::create_dir(world.repo().join(".lore")).expect("made");
    let lore = world.command_in(&world.repo(), &["graph", "publish"]);
    let script = "for file in .lore/graph.json .well-known/code-graph.json; do \
                  for number in 0 1 2 3 4 5 6 7 8 9; do ln -s ../../victim \"$file.new.$$-$number\" || exit 9; done; done; \
                  exec \"$0\" \"$@\"";
    let mut command = std::process::Command::new("sh");
    command
        .args(["-c", script])
        .arg(lore.get_program())
        .args(lore.get_args())
        .current_dir(world.repo())
        .env_clear()
        .env("HOME", world.home())
        .env("PATH", std::env::var_os("PATH").unwrap_or_default());
    let outcome = super::world::finish(command, "");
    let links = world.listing(&world.repo().join(".lore"));
    assert!(
        links.iter().any(|(name, _)| name.contains(".new.")),
        "the links are there: {links:?}"
    );
    assert_eq!(outcome.code, Some(0), "{}", outcome.stderr);
    assert_eq!(fs::read_to_string(&victim).expect("there"), "kept");
    let published = fs::symlink_metadata(world.repo().join(".lore/graph.json")).expect("published");
    assert!(published.is_file());
}

/// A file that looks like a leftover of Lore's may be anybody's: the repository's author chooses names.
#[test]
fn files_that_look_like_leftovers_stay() {
    let world = world("a.py");
    let names = [
        ".lore-new-0123456789abcdef0123456789abcdef",
        ".lore/.lore-new-0123456789abcdef0123456789abcdef",
        ".lore/graph.json.new.1-0",
        "AGENTS.md.new.99999-0",
        "knowledge.yaml.new.1-1",
    ];
    for name in names {
        world.write(name, "of the user");
    }
    for command in [
        &["index"][..],
        &["graph", "publish"],
        &["init", "--agent=all", "--yes"],
        &["unit", "touch", "guide"],
        &["ccg", "bundle", "-o", "out.ccg.zip"],
    ] {
        let outcome = world.lore(command);
        assert_eq!(outcome.code, Some(0), "{command:?}: {}", outcome.stderr);
    }
    for name in names {
        let text = fs::read_to_string(world.repo().join(name)).expect("it stays");
        assert_eq!(text, "of the user", "{name}");
    }
}

/// Nothing is left beside what was written.
#[test]
fn no_temporary_file_is_left() {
    let world = world("a.py");
    for command in [
        &["graph", "publish"][..],
        &["init", "--agent=all", "--yes"],
        &["unit", "touch", "guide"],
    ] {
        assert_eq!(world.lore(command).code, Some(0), "{command:?}");
    }
    let left: Vec<String> = world.listing(&world.repo()).into_iter().map(|(name, _)| name).collect();
    assert!(!left.iter().any(|name| name.contains("lore-new")), "{left:?}");
}

/// An output that the user names is written where the user says; links of the repository do not change that.
#[test]
fn a_named_output_is_not_led_astray_by_a_link_of_the_repository() {
    let world = world("a.py");
    let outside = world.base().join("outside");
    fs::create_dir(&outside).expect("made");
    fs::write(outside.join("victim"), "kept").expect("written");
    world.link("out.ccg.zip", outside.join("victim"));
    world.link("out", &outside);
    for output in ["out.ccg.zip", "out/victim", "out/new"] {
        let outcome = world.lore(&["ccg", "bundle", "-o", output]);
        assert_eq!(outcome.code, Some(2), "{output}");
        assert!(
            outcome.stderr.contains("is a link that leads out of the repository"),
            "{}",
            outcome.stderr
        );
    }
    assert_eq!(world.listing(&outside), [("victim".to_owned(), b"kept".to_vec())]);
    // What the user names outside of the repository is the user's own.
    let named = outside.join("named.ccg.zip").display().to_string();
    let outcome = world.lore(&["ccg", "bundle", "-o", &named]);
    assert_eq!(outcome.code, Some(0), "{}", outcome.stderr);
    assert!(outside.join("named.ccg.zip").is_file());
}

/// Wherever the user is: a link belongs to the work tree that it is in.
#[test]
fn a_named_output_is_not_led_astray_by_a_link_of_another_repository_or_from_a_root_below() {
    let world = world("a.py");
    let outside = world.base().join("outside");
    fs::create_dir(&outside).expect("made");
    fs::write(outside.join("victim"), "kept").expect("written");
    world.link("out.ccg.zip", "../outside/victim");
    world.write("sub/lore.toml", "");
    world.write("sub/b.py", "def g():\n    return 1\n");
    world.commit("two");
    let refused = |directory: &Path, arguments: &[&str]| {
        let outcome = world.lore_in(directory, arguments);
        assert_eq!(outcome.code, Some(2), "{arguments:?}: {outcome:?}");
        assert!(
            outcome.stderr.contains("is a link that leads out of the repository"),
            "{}",
            outcome.stderr
        );
        assert_eq!(fs::read_to_string(outside.join("victim")).expect("there"), "kept");
    };
    refused(
        &world.base(),
        &["--repo", "repo", "ccg", "bundle", "-o", "repo/out.ccg.zip"],
    );
    refused(&world.repo().join("sub"), &["ccg", "bundle", "-o", "../out.ccg.zip"]);
    // A tree that git does not know, asked from outside.
    fs::rename(world.repo().join(".git"), world.base().join("git")).expect("renamed");
    refused(
        &world.base(),
        &["--repo", "repo", "ccg", "bundle", "-o", "repo/out.ccg.zip"],
    );
    // A link of the user's own is followed.
    std::os::unix::fs::symlink("outside/own.ccg.zip", world.base().join("own.ccg.zip")).expect("linked");
    let outcome = world.lore_in(&world.base(), &["--repo", "repo", "ccg", "bundle", "-o", "own.ccg.zip"]);
    assert_eq!(outcome.code, Some(0), "{outcome:?}");
    assert!(outside.join("own.ccg.zip").is_file());
}

/// The state of a rendered registry names files to remove, and anybody may have written it.
#[test]
fn a_state_file_cannot_name_files_to_delete_outside_of_the_output() {
    let world = world("a.py");
    let victim = world.base().join("victim");
    fs::write(&victim, "kept").expect("written");
    // The digest of the victim.
    let digest = "79f076abdd19a752db7267bfff2f9022161d120dea919fdaca2ffdfc24ca8c96";
    let init = world.lore(&["registry", "init", "--name", "R", "--url", "https://registry.example"]);
    assert_eq!(init.code, Some(0), "{}", init.stderr);
    world.write("out/mine.txt", "of the user");
    world.write(
        "out/.lore-registry.json",
        format!(
            r#"{{"documents": {{"../../victim": {{"sha256": "{digest}", "bytes": 4}}, "mine.txt": {{"sha256": "{digest}", "bytes": 11}}}}}}"#
        ),
    );
    let outcome = world.lore(&["registry", "render", "out"]);
    assert!(outcome.code.is_some(), "{}", outcome.stderr);
    assert_eq!(fs::read_to_string(&victim).expect("it stays"), "kept");
    let mine = fs::read_to_string(world.repo().join("out/mine.txt"));
    assert_eq!(mine.expect("it stays"), "of the user");
}
