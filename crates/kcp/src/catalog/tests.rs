//! Catalogs as they are used: looked at, installed, updated, added to.

use std::sync::Arc;

use super::*;
use crate::testing::UNIT;
use lore_seam::world::World;
use lore_seam::{FileHistory, History, OpError, Operation, Page, Render, Value, Verdict};

const DAY: u64 = 86_400_000;

/// A catalog of entries, each as flow mapping without its braces.
fn catalog(entries: &[&str]) -> String {
    let entries: String = entries.iter().map(|entry| format!("  - {{{entry}}}\n")).collect();
    format!("catalog_version: \"0.1\"\nentries:\n{entries}")
}

fn world(catalog: &str, files: &[(&str, &str)]) -> World {
    let files = files.iter().map(|(path, text)| (*path, text.as_bytes()));
    let mut world = crate::testing::with_files(files.chain([(".kcp/catalog.yaml", catalog.as_bytes())]));
    world.now_ms = 20_000 * DAY;
    world
}

fn page(world: &mut World, url: &str, text: &str) {
    world
        .web
        .insert(url.to_owned(), (200, url.to_owned(), text.as_bytes().to_vec()));
}

fn install(world: &Arc<World>) -> Value<CatalogAnswer> {
    UnitCatalogInstall::run(&world.ctx(), CatalogInstallRequest::default()).unwrap()
}

fn update(world: &Arc<World>, force: bool) -> Value<CatalogAnswer> {
    let install = InstallFlags {
        force,
        ..InstallFlags::default()
    };
    UnitCatalogUpdate::run(&world.ctx(), CatalogUpdateRequest { install }).unwrap()
}

fn status(world: &Arc<World>) -> Value<CatalogAnswer> {
    UnitCatalogStatus::run(&world.ctx(), CatalogStatusRequest::default()).unwrap()
}

fn states(answer: &CatalogAnswer) -> Vec<String> {
    answer
        .entries
        .iter()
        .map(|row| format!("{} {}", row.name, row.state))
        .collect()
}

fn errors(answer: &CatalogAnswer) -> Vec<&str> {
    answer.errors.iter().map(|problem| problem.message.as_str()).collect()
}

fn written(world: &World, path: &str) -> Option<String> {
    let written = world.written.lock().unwrap();
    Some(String::from_utf8_lossy(written.get(path)?).into_owned())
}

#[test]
fn c7_installing_writes_what_is_valid_and_a_lock_and_does_it_once() {
    let text = catalog(&[
        "name: docs, source: ../docs/k.yaml, version: 1.0.0, depends_on: [base]",
        "name: base, source: 'https://base.example/k.yaml'",
    ]);
    let mut world = world(&text, &[("docs/k.yaml", UNIT)]);
    page(&mut world, "https://base.example/k.yaml", UNIT);
    let world = Arc::new(world);
    let answer = install(&world);
    assert_eq!(states(&answer.value), ["base installed", "docs installed"]);
    assert_eq!(answer.verdict, Verdict::Yes);
    assert_eq!(
        answer.value.written,
        [
            ".kcp/installed/base.yaml",
            ".kcp/installed/docs.yaml",
            ".kcp/catalog.lock.json"
        ]
    );
    assert_eq!(written(&world, ".kcp/installed/base.yaml").as_deref(), Some(UNIT));
    let digest = lock::digest(UNIT.as_bytes());
    let lock = written(&world, ".kcp/catalog.lock.json").unwrap();
    assert_eq!(lock.matches(&digest).count(), 2);
    assert!(lock.contains("\"installed\": \"2024-10-04\""), "{lock}");
    let again = install(&world);
    assert_eq!(states(&again.value), ["base unchanged", "docs unchanged"]);
    assert_eq!(again.value.written, [""; 0]);
    assert_eq!(world.fetched.lock().unwrap().len(), 1);
    let answer = status(&world);
    assert_eq!(states(&answer.value), ["base installed", "docs installed"]);
    assert_eq!(answer.verdict, Verdict::Yes);
}

#[test]
fn c5_one_manifest_that_is_not_valid_and_nothing_is_installed() {
    let text = catalog(&[
        "name: a, source: ./a.yaml",
        "name: b, source: ./b.yaml",
        "name: c, source: ./c.yaml",
    ]);
    let world = Arc::new(world(
        &text,
        &[(".kcp/a.yaml", UNIT), (".kcp/b.yaml", "project: x\nunits: []\n")],
    ));
    let answer = install(&world);
    assert_eq!(states(&answer.value), ["a not-installed", "b failed", "c failed"]);
    assert_eq!(
        errors(&answer.value),
        [
            "the source of `b` is not a valid manifest: 2:8: `units` is empty",
            "the source of `c` cannot be read: .kcp/c.yaml does not exist"
        ]
    );
    assert_eq!(answer.verdict, Verdict::No);
    assert!(world.written.lock().unwrap().is_empty());
    let answer = UnitCatalogValidate::run(&world.ctx(), CatalogValidateRequest::default()).unwrap();
    assert_eq!(states(&answer.value), ["a valid", "b failed", "c failed"]);
    assert_eq!(answer.verdict, Verdict::No);
}

#[test]
fn c4_circles_and_unknown_dependencies_install_and_fetch_nothing() {
    for needs in ["b", "x"] {
        let text = catalog(&[
            &format!("name: a, source: 'https://a.example/k', depends_on: [{needs}]"),
            "name: b, source: 'https://b.example/k', depends_on: [a]",
        ]);
        let world = Arc::new(world(&text, &[]));
        assert_eq!(install(&world).verdict, Verdict::No);
        assert!(world.fetched.lock().unwrap().is_empty());
        assert!(world.written.lock().unwrap().is_empty());
    }
}

#[test]
fn c4_one_entry_is_installed_with_what_it_depends_on() {
    let text = catalog(&[
        "name: a, source: ./a.yaml, depends_on: [b]",
        "name: b, source: ./a.yaml",
        "name: c, source: ./none.yaml",
    ]);
    let world = Arc::new(world(&text, &[(".kcp/a.yaml", UNIT)]));
    let request = |name: &str| CatalogInstallRequest {
        install: InstallFlags {
            names: vec![name.to_owned()],
            ..InstallFlags::default()
        },
    };
    let answer = UnitCatalogInstall::run(&world.ctx(), request("a")).unwrap();
    assert_eq!(states(&answer.value), ["b installed", "a installed"]);
    let answer = UnitCatalogInstall::run(&world.ctx(), request("z")).unwrap();
    assert_eq!(errors(&answer.value), ["the catalog has no entry `z`"]);
}

#[test]
fn c3_sources_in_git_repositories_are_refused_and_named() {
    let text = catalog(&["name: a, source: 'git+https://h.example/r.git//k.yaml@v1'"]);
    let world = Arc::new(world(&text, &[]));
    let answer = UnitCatalogValidate::run(&world.ctx(), CatalogValidateRequest::default()).unwrap();
    assert_eq!(answer.verdict, Verdict::Yes);
    assert_eq!(
        answer.value.warnings[0].message,
        "`a` is in a git repository, which Lore does not clone"
    );
    let answer = install(&world);
    assert_eq!(
        errors(&answer.value),
        [
            "`a` comes from a git repository (git+https://h.example/r.git//k.yaml@v1), which Lore does not clone: clone it and name the file, or name an https address"
        ]
    );
}

#[test]
fn c7_a_source_that_changed_is_refused_until_it_is_updated() {
    let text = catalog(&["name: a, source: 'https://a.example/k'"]);
    let mut first = world(&text, &[]);
    page(&mut first, "https://a.example/k", UNIT);
    let mut world = Arc::new(first);
    install(&world);
    // Somebody else has the catalog and the lock, but not the manifest.
    let newer = UNIT.replace("1.0.0", "1.1.0");
    let other = Arc::get_mut(&mut world).unwrap();
    page(other, "https://a.example/k", &newer);
    other.written.lock().unwrap().remove(".kcp/installed/a.yaml");
    let answer = install(&world);
    assert_eq!(
        errors(&answer.value),
        ["the source of `a` differs from the lock; `lore unit catalog update` accepts the current source"]
    );
    assert_eq!(states(&status(&world).value), ["a missing"]);
    assert_eq!(states(&update(&world, false).value), ["a installed"]);
    assert_eq!(written(&world, ".kcp/installed/a.yaml"), Some(newer));
}

#[test]
fn c7_what_somebody_changed_is_not_replaced_without_force() {
    let text = catalog(&["name: a, source: ./a.yaml"]);
    let world = Arc::new(world(&text, &[(".kcp/a.yaml", UNIT)]));
    install(&world);
    world
        .written
        .lock()
        .unwrap()
        .insert(".kcp/installed/a.yaml".to_owned(), b"mine".to_vec());
    assert_eq!(states(&status(&world).value), ["a modified"]);
    let answer = update(&world, false);
    assert_eq!(
        errors(&answer.value),
        ["the installed `a` was edited; --force replaces it"]
    );
    assert_eq!(written(&world, ".kcp/installed/a.yaml").as_deref(), Some("mine"));
    assert_eq!(states(&answer.value), ["a failed"]);
    assert_eq!(states(&update(&world, true).value), ["a updated"]);
    assert_eq!(written(&world, ".kcp/installed/a.yaml").as_deref(), Some(UNIT));
}

#[test]
fn c7_a_dry_run_writes_nothing() {
    let text = catalog(&["name: a, source: ./a.yaml"]);
    let world = Arc::new(world(&text, &[(".kcp/a.yaml", UNIT)]));
    let install = InstallFlags {
        dry_run: true,
        ..InstallFlags::default()
    };
    let answer = UnitCatalogInstall::run(&world.ctx(), CatalogInstallRequest { install }).unwrap();
    assert_eq!(states(&answer.value), ["a installed"]);
    assert!(world.written.lock().unwrap().is_empty());
}

#[test]
fn c6_what_is_behind_is_told_and_nothing_is_refused() {
    let commit = "a".repeat(40);
    let text = catalog(&[&format!(
        "name: a, source: ./a.yaml, version: 1.1.0, generated: 2024-01-01, source_commit: {commit}"
    )]);
    let mut world = world(&text, &[(".kcp/a.yaml", UNIT)]);
    let file = FileHistory {
        last_commit: "b".repeat(40),
        last_changed: i64::try_from(19_900 * DAY / 1_000).unwrap(),
        ..FileHistory::default()
    };
    world.history = Some(Arc::new(History {
        files: [(".kcp/a.yaml".to_owned(), file)].into(),
        ..History::default()
    }));
    let world = Arc::new(world);
    let answer = install(&world);
    assert_eq!(answer.verdict, Verdict::Yes);
    assert_eq!(
        answer.value.warnings[0].message,
        "the catalog has version 1.1.0 of `a` and its source is 1.0.0"
    );
    let answer = status(&world);
    assert_eq!(answer.verdict, Verdict::No);
    assert_eq!(
        answer.value.entries[0].stale,
        [
            "it was installed from commit aaaaaaaaaaaa and its source is at bbbbbbbbbbbb",
            "it was installed on 2024-01-01 and its source was changed on 2024-06-26",
            "version 1.0.0 is installed and the catalog has 1.1.0",
        ]
    );
}

#[test]
fn d6_the_catalog_of_the_directory_comes_before_that_of_the_home_directory_and_a_named_one_is_the_only_one() {
    let entry = |name: &str| catalog(&[&format!("name: {name}, source: ./a.yaml")]);
    let listed = |files: &[(&str, String)], named: Option<&str>| -> Result<Vec<String>, OpError> {
        let world = crate::testing::of_files(files.iter().map(|(path, text)| (*path, text.as_bytes())));
        let request = CatalogListRequest {
            catalog: named.map(str::to_owned),
        };
        let answer = UnitCatalogList::run(&world.ctx(), request)?;
        Ok(answer.value.entries.into_iter().map(|row| row.name).collect())
    };
    let own = (".kcp/catalog.yaml", entry("own"));
    let home = ("home/.kcp/catalog.yaml", entry("home"));
    let team = ("team.yaml", entry("team"));
    assert_eq!(
        listed(&[own.clone(), home.clone(), team.clone()], None).unwrap(),
        ["own"]
    );
    assert_eq!(listed(&[home.clone(), team.clone()], None).unwrap(), ["home"]);
    assert_eq!(
        listed(&[own.clone(), home.clone(), team], Some("team.yaml")).unwrap(),
        ["team"]
    );
    assert!(listed(&[own, home], Some("team.yaml")).is_err());
    assert!(listed(&[], None).is_err());
}

#[test]
fn c7_an_entry_is_added_with_the_version_of_its_manifest() {
    let world = crate::testing::of_files([("docs/k.yaml", UNIT)]);
    let add = |name: &str, source: &str, needs: &[&str]| {
        let request = CatalogAddRequest {
            name: name.to_owned(),
            source: source.to_owned(),
            depends_on: needs.iter().map(|name| (*name).to_owned()).collect(),
            ..CatalogAddRequest::default()
        };
        UnitCatalogAdd::run(&world.ctx(), request)
    };
    add("docs", "../docs/k.yaml", &[]).unwrap();
    add("base", "https://base.example/k.yaml", &["docs"]).unwrap();
    assert_eq!(
        written(&world, ".kcp/catalog.yaml").unwrap(),
        "catalog_version: \"0.1\"
entries:
  - name: \"docs\"
    source: \"../docs/k.yaml\"
    version: \"1.0.0\"
    generated: \"1970-01-01\"
  - name: \"base\"
    source: \"https://base.example/k.yaml\"
    generated: \"1970-01-01\"
    depends_on: [\"docs\"]
"
    );
    assert_eq!(add("docs", "../docs/k.yaml", &[]).unwrap().verdict, Verdict::No);
    for (name, source, needs, why) in [
        (
            "a.b",
            "./k.yaml",
            &[][..],
            "the name `a.b` has other characters than lower-case letters, digits and dashes",
        ),
        (
            "a",
            "k.yaml",
            &[],
            "the source `k.yaml` cannot be used: it does not start with ./ ../ / https:// or git+https://",
        ),
        ("a", "./none.yaml", &[], ".kcp/none.yaml does not exist"),
        (
            "a",
            "https://a.example/",
            &["x"],
            ".kcp/catalog.yaml is not changed: `a` depends on `x`, which the catalog does not have",
        ),
    ] {
        assert_eq!(add(name, source, needs).unwrap_err().message, why);
    }
}

#[test]
fn c7_a_lock_that_cannot_be_read_stops_everything() {
    let text = catalog(&["name: a, source: ./a.yaml"]);
    let world = Arc::new(world(&text, &[(".kcp/a.yaml", UNIT), (".kcp/catalog.lock.json", "{")]));
    let error = UnitCatalogInstall::run(&world.ctx(), CatalogInstallRequest::default()).unwrap_err();
    assert!(
        error.message.starts_with(".kcp/catalog.lock.json cannot be used: "),
        "{error}"
    );
    assert!(world.written.lock().unwrap().is_empty());
}

#[test]
fn the_text_shows_states_problems_and_what_was_written() {
    let text = catalog(&["name: a, source: ./a.yaml, version: 1.0.0"]);
    let answer = install(&Arc::new(world(&text, &[(".kcp/a.yaml", UNIT)])));
    let mut page = Page::default();
    answer.value.render(&mut page);
    assert_eq!(
        page.into_text(),
        "a  installed, version 1.0.0, .kcp/installed/a.yaml  .kcp/catalog.yaml:3
  ./a.yaml
wrote .kcp/installed/a.yaml
wrote .kcp/catalog.lock.json
.kcp/catalog.yaml: one entry
"
    );
}
