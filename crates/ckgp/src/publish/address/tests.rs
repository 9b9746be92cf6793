//! Addresses of files by forge, and what is said when there is none.

use std::sync::Arc;

use super::*;
use lore_seam::world::World;

fn origin(remote: Option<&str>, branch: Option<&str>) -> Origin {
    Origin {
        remote: remote.map(str::to_owned),
        default_branch: branch.map(str::to_owned),
        ..Origin::default()
    }
}

fn url(origin: &Origin, base_url: Option<&str>, at: Option<&str>, record: Option<&str>) -> Result<String, String> {
    let ctx = Arc::new(World::default()).ctx();
    let present = Listing::read(record.map(str::as_bytes)).expect("a record");
    let said = Said { base_url, at };
    let address = Address::of(&ctx, origin, said, &present);
    address
        .map(|address| address.url(".lore/graph.json"))
        .map_err(|error| format!("{error}; {}", error.hints.join("; ")))
}

#[test]
fn amend_c1_an_address_is_made_of_the_remote_and_the_branch_by_forge() {
    for (remote, wanted) in [
        (
            "https://github.com/o/r.git",
            "https://raw.githubusercontent.com/o/r/trunk/.lore/graph.json",
        ),
        (
            "git@github.com:o/r.git",
            "https://raw.githubusercontent.com/o/r/trunk/.lore/graph.json",
        ),
        (
            "https://jane:secret@github.com/o/r",
            "https://raw.githubusercontent.com/o/r/trunk/.lore/graph.json",
        ),
        (
            "https://gitlab.com/g/sub/r",
            "https://gitlab.com/g/sub/r/-/raw/trunk/.lore/graph.json",
        ),
        (
            "https://codeberg.org/o/r",
            "https://codeberg.org/o/r/raw/branch/trunk/.lore/graph.json",
        ),
        (
            "ssh://git@gitea.example.org/o/r",
            "https://gitea.example.org/o/r/raw/branch/trunk/.lore/graph.json",
        ),
    ] {
        assert_eq!(
            url(&origin(Some(remote), Some("trunk")), None, None, None).as_deref(),
            Ok(wanted),
            "{remote}"
        );
    }
}

#[test]
fn amend_c1_a_tag_a_commit_or_a_branch_may_be_named() {
    let of = |remote: &str, at: &str| url(&origin(Some(remote), Some("trunk")), None, Some(at), None).expect(at);
    let (hub, berg) = ("https://github.com/o/r", "https://codeberg.org/o/r");
    let commit = "0123456789abcdef0123456789abcdef01234567";
    assert_eq!(
        of(hub, "v1.2"),
        "https://raw.githubusercontent.com/o/r/v1.2/.lore/graph.json"
    );
    assert_eq!(
        of(berg, "v1.2"),
        "https://codeberg.org/o/r/raw/tag/v1.2/.lore/graph.json"
    );
    assert_eq!(
        of(berg, commit),
        format!("https://codeberg.org/o/r/raw/commit/{commit}/.lore/graph.json")
    );
    assert_eq!(
        of(berg, "trunk"),
        "https://codeberg.org/o/r/raw/branch/trunk/.lore/graph.json"
    );
    assert_eq!(
        of(berg, "heads/next"),
        "https://codeberg.org/o/r/raw/branch/next/.lore/graph.json"
    );
    assert_eq!(
        of(berg, "refs/tags/main"),
        "https://codeberg.org/o/r/raw/tag/main/.lore/graph.json"
    );
    for bad in ["", "a b", "a..b", "-x", "x/", "a~1"] {
        let refused = url(&origin(Some(hub), None), None, Some(bad), None).expect_err(bad);
        assert!(refused.contains("is not a tag, branch or commit"), "{refused}");
    }
}

#[test]
fn amend_c1_a_clone_that_does_not_know_the_branch_keeps_the_one_that_the_record_has() {
    let record = |url: &str| format!(r#"{{"schema_version":1,"graphs":[{{"format":"ccg@1","graph_url":"{url}"}}]}}"#);
    let of = |record: Option<&str>| {
        url(&origin(Some("https://github.com/o/r"), None), None, None, record).expect("an address")
    };
    let head = "https://raw.githubusercontent.com/o/r/HEAD/.lore/graph.json";
    assert_eq!(of(None), head);
    let trunk = "https://raw.githubusercontent.com/o/r/trunk/.lore/graph.json";
    assert_eq!(of(Some(&record(trunk))), trunk);
    // A record that a fork took over is of another repository.
    assert_eq!(
        of(Some(&record(
            "https://raw.githubusercontent.com/x/r/trunk/.lore/graph.json"
        ))),
        head
    );
}

#[test]
fn j5_an_address_that_is_given_is_absolute_and_https() {
    let of = |base: &str| url(&origin(None, None), Some(base), None, None);
    assert_eq!(
        of("https://example.org/shop/").as_deref(),
        Ok("https://example.org/shop/.lore/graph.json")
    );
    for bad in [
        "http://example.org",
        "example.org",
        "https://",
        "/x",
        "https://example.org/?x=",
        "file:///x",
    ] {
        assert!(
            of(bad).is_err_and(|error| error.contains("is not an absolute https address")),
            "{bad}"
        );
    }
    let both = url(&origin(None, None), Some("https://example.org"), Some("v1"), None);
    assert!(both.is_err_and(|error| {
        error.contains("`ref` names a state of the repository on its forge, `base_url` any other place of the files")
    }));
}

#[test]
fn amend_c1_without_a_remote_or_an_address_it_is_said_what_to_do() {
    let refused = |remote: Option<&str>| url(&origin(remote, None), None, None, None).expect_err("there is no address");
    assert!(refused(None).contains(
        "git has no remote `origin`; git remote add origin URL; name the address that serves the files with --base-url URL"
    ));
    assert!(refused(Some("/srv/git/r.git")).contains("--base-url URL"));
    assert!(refused(Some("../r")).contains("--base-url URL"));
    let refused = refused(Some("https://git.example.org/o/r"));
    assert!(
        refused.contains("unknown forge git.example.org") && refused.contains("--base-url URL"),
        "{refused}"
    );
}

#[test]
fn amend_c1_a_directory_of_a_repository_has_its_own_place_below_it() {
    let mut origin = origin(Some("https://github.com/o/r"), Some("main"));
    origin.within = Some("packages/a b".to_owned());
    let wanted = "https://raw.githubusercontent.com/o/r/main/packages/a%20b/.lore/graph.json";
    assert_eq!(url(&origin, None, None, None).as_deref(), Ok(wanted));
    // An address that is given is that of the directory.
    let wanted = "https://example.org/.lore/graph.json";
    assert_eq!(
        url(&origin, Some("https://example.org"), None, None).as_deref(),
        Ok(wanted)
    );
}

#[test]
fn ruling6_a_host_is_the_forge_that_whoever_runs_lore_says() {
    let mut world = World::default();
    let said = vec!["git.example.org = gitlab".to_owned()];
    world.settings.insert("graph.forges".to_owned(), said);
    let ctx = Arc::new(world).ctx();
    let origin = origin(Some("https://git.example.org/o/r"), Some("main"));
    let address = Address::of(&ctx, &origin, Said::default(), &Listing::default()).expect("an address");
    assert_eq!(address.url("x"), "https://git.example.org/o/r/-/raw/main/x");
}
