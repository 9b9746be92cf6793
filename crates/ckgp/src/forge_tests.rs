//! Forges, text in, text out.

use super::*;

fn named(text: &str) -> String {
    match RepositoryId::parse(text) {
        Ok(id) => id.to_string(),
        Err(fault) => format!("! {fault}"),
    }
}

#[test]
fn ruling6_the_host_is_left_out_where_it_is_the_usual_one_and_groups_stay_in_the_owner() {
    for (text, id) in [
        ("octo/hello", "octo/hello"),
        (" octo/hello/ ", "octo/hello"),
        ("octo/hello.git", "octo/hello"),
        ("github.com/octo/hello", "octo/hello"),
        ("gitlab.com/group/sub/deep/repo", "gitlab.com/group/sub/deep/repo"),
        ("codeberg.org/octo/hello", "codeberg.org/octo/hello"),
        ("https://github.com/octo/hello", "octo/hello"),
        ("https://github.com/octo/hello.git/", "octo/hello"),
        (
            "https://www.github.com/octo/hello/tree/main/src?x=1#readme",
            "octo/hello",
        ),
        ("https://name:secret@github.com/octo/hello.git", "octo/hello"),
        ("https://github.com:443/octo/hello", "octo/hello"),
        ("HTTPS://GitHub.com/Octo/Hello", "Octo/Hello"),
        (
            "https://gitlab.com/group/sub/repo/-/tree/main",
            "gitlab.com/group/sub/repo",
        ),
        (
            "https://gitlab.example.org/group/sub/repo.git",
            "gitlab.example.org/group/sub/repo",
        ),
        (
            "https://codeberg.org/octo/hello/src/branch/main",
            "codeberg.org/octo/hello",
        ),
        ("git@github.com:octo/hello.git", "octo/hello"),
        ("github.com:octo/hello", "octo/hello"),
        (
            "ssh://git@gitlab.com:2222/group/sub/repo.git/",
            "gitlab.com/group/sub/repo",
        ),
        ("ssh://git@ssh.github.com:443/octo/hello.git", "octo/hello"),
        ("git://git.example.org/octo/hello.git", "git.example.org/octo/hello"),
    ] {
        assert_eq!(named(text), id, "{text}");
    }
    let parts = RepositoryId::new(None, "octo", "hello").unwrap();
    assert_eq!(
        (parts.host(), parts.owner(), parts.repo()),
        ("github.com", "octo", "hello")
    );
    let other = RepositoryId::new(Some("GitLab.com"), "group/sub", "repo").unwrap();
    assert_eq!((other.host(), other.owner()), ("gitlab.com", "group/sub"));
}

#[test]
fn ruling6_what_names_no_repository_is_refused_with_the_reason() {
    for (text, why) in [
        ("", "! `` is not a repository"),
        ("octo", "! `octo` is not a repository"),
        ("octo/..", "! `..` is not a valid repository name"),
        ("./hello", "! `.` is not a valid owner"),
        ("octo/he llo", "! `he llo` is not a valid repository name"),
        ("octo/", "! `octo/` is not a repository"),
        ("/octo", "! `` is not a valid owner"),
        ("octo/.git", "! `` is not a valid repository name"),
        ("group/sub/repo", "! `group` is not a host name"),
        ("127.0.0.1/octo/hello", "! `127.0.0.1` is not a host name"),
        ("github.com/a/b/c", "! github.com has no groups below owners"),
        ("gitlab.com/a/../b", "! `a/..` is not a valid owner"),
        ("https://github.com", "! `https://github.com` is not a repository"),
        (
            "https://github.com/octo",
            "! `https://github.com/octo` is not a repository",
        ),
        (
            "https://git.example.org:8443/o/r",
            "! `git.example.org:8443` is not contacted: only port 443 is allowed",
        ),
        ("file:///srv/o/r", "! `file:///srv/o/r` is not a repository"),
        (
            "https://ex\u{e4}mple.org/o/r",
            "! `ex\u{e4}mple.org` is not a host name",
        ),
    ] {
        assert_eq!(named(text), why, "{text}");
    }
    assert!(named(&format!("{}/r", "o".repeat(101))).starts_with("! "));
    assert!(named(&"a/".repeat(4_000)).starts_with("! "));
}

#[test]
fn ruling7_ids_are_the_same_whatever_the_case_and_shown_as_given() {
    let (one, other) = (
        RepositoryId::parse("Octo/Hello").unwrap(),
        RepositoryId::parse("octo/hello").unwrap(),
    );
    assert_eq!(one, other);
    assert_eq!(one.key(), other.key());
    assert_eq!(one.to_string(), "Octo/Hello");
    let set: std::collections::HashSet<_> = [one, other].into();
    assert_eq!(set.len(), 1);
    let elsewhere = RepositoryId::parse("gitlab.com/octo/hello").unwrap();
    assert!(!set.contains(&elsewhere));
}

#[test]
fn ruling5_a_graph_of_a_repository_is_named_by_its_format() {
    let shown = |text: &str| match GraphId::parse(text) {
        Ok(id) => id.to_string(),
        Err(fault) => format!("! {fault}"),
    };
    assert_eq!(shown("octo/hello"), "octo/hello");
    assert_eq!(shown("octo/hello#ccg@1"), "octo/hello#ccg@1");
    assert_eq!(shown("https://github.com/octo/hello#bundle@1"), "octo/hello#bundle@1");
    assert_eq!(shown("https://github.com/octo/hello#readme"), "octo/hello");
    assert_eq!(
        shown("octo/hello#readme"),
        "! `readme` is not a format: write name@number"
    );
}

#[test]
fn amend_c1_every_forge_has_its_own_addresses_of_raw_files() {
    let commit = Commit::parse("0123456789abcdef0123456789abcdef01234567").unwrap();
    let url = |id: &str, at: Ref, path: &str| {
        let id = RepositoryId::parse(id).unwrap();
        Forge::of_host(id.host()).unwrap().raw_url(&id, &at, path)
    };
    let branch = |name: &str| Ref::Branch(name.to_owned());
    let tag = |name: &str| Ref::Tag(name.to_owned());
    for (got, expected) in [
        (
            url("octo/hello", Ref::Head, ".well-known/code-graph.json"),
            "https://raw.githubusercontent.com/octo/hello/HEAD/.well-known/code-graph.json",
        ),
        (
            url("octo/hello", branch("feature/x"), "a b/#1?.json"),
            "https://raw.githubusercontent.com/octo/hello/refs/heads/feature/x/a%20b/%231%3F.json",
        ),
        (
            url("octo/hello", tag("v1.0"), "g.json"),
            "https://raw.githubusercontent.com/octo/hello/v1.0/g.json",
        ),
        (
            url("gitlab.com/group/sub/repo", Ref::Head, "g.json"),
            "https://gitlab.com/group/sub/repo/-/raw/HEAD/g.json",
        ),
        (
            url("gitlab.example.org/group/repo", branch("main"), "g.json"),
            "https://gitlab.example.org/group/repo/-/raw/main/g.json",
        ),
        (
            url("codeberg.org/octo/hello", Ref::Head, "g.json"),
            "https://codeberg.org/octo/hello/raw/branch/HEAD/g.json",
        ),
        (
            url("codeberg.org/octo/hello", tag("v1"), "g.json"),
            "https://codeberg.org/octo/hello/raw/tag/v1/g.json",
        ),
        (
            url("gitea.example.org/octo/hello", Ref::Commit(commit), "\u{e9}.json"),
            "https://gitea.example.org/octo/hello/raw/commit/0123456789abcdef0123456789abcdef01234567/%C3%A9.json",
        ),
    ] {
        assert_eq!(got, expected);
    }
    assert_eq!(Forge::of_host("git.example.org"), None);
    assert_eq!(Forge::named("gitea"), Some(Forge::Gitea));
}

#[test]
fn c1_a_record_is_looked_for_at_three_states_and_at_one_path() {
    let id = RepositoryId::parse("octo/hello").unwrap();
    assert_eq!(
        Forge::GitHub.record_urls(&id),
        [
            "https://raw.githubusercontent.com/octo/hello/HEAD/.well-known/code-graph.json",
            "https://raw.githubusercontent.com/octo/hello/main/.well-known/code-graph.json",
            "https://raw.githubusercontent.com/octo/hello/master/.well-known/code-graph.json",
        ]
    );
}
