//! Directories and sites, and which place wins.

use std::sync::Arc;

use super::*;
use super::{How, PlaceState};
use crate::testing::UNIT;
use lore_seam::world::World;
use lore_seam::{Operation, Page, Render, Value, Verdict};

const CARD: &str = r#"{"name": "shop", "knowledgeManifest": "/.well-known/kcp.json"}"#;

fn document(manifest: &str) -> String {
    format!(r#"{{"kcp_version": "0.14", "manifest": "{manifest}"}}"#)
}

fn discover(world: &Arc<World>, place: &str) -> Value<DiscoverAnswer> {
    let request = DiscoverRequest {
        place: (!place.is_empty()).then(|| place.to_owned()),
        offline: false,
    };
    UnitDiscover::run(&world.ctx(), request).unwrap()
}

fn files(files: &[(&str, &str)]) -> Arc<World> {
    crate::testing::of_files(files.iter().map(|(path, text)| (*path, text.as_bytes())))
}

fn site(pages: &[(&str, &str)]) -> Arc<World> {
    let mut world = crate::testing::with_files([("", ""); 0]);
    for (path, text) in pages {
        let url = format!("https://shop.example/{path}");
        world.web.insert(url.clone(), (200, url, text.as_bytes().to_vec()));
    }
    Arc::new(world)
}

/// How the winner was found, and where it is.
fn chosen(answer: &DiscoverAnswer) -> Option<(How, &str)> {
    let place = &answer.found[answer.chosen?];
    Some((place.how, place.path.as_deref().or(place.url.as_deref())?))
}

fn states(answer: &DiscoverAnswer) -> Vec<(How, PlaceState)> {
    answer.found.iter().map(|place| (place.how, place.state)).collect()
}

#[test]
fn d1_the_manifest_stands_at_the_root() {
    let answer = discover(&files(&[("knowledge.yaml", UNIT)]), "");
    assert_eq!(chosen(&answer.value), Some((How::Root, "knowledge.yaml")));
    assert_eq!(answer.verdict, Verdict::Yes);
    let answer = discover(&files(&[("docs/knowledge.yaml", UNIT)]), "docs/");
    assert_eq!(chosen(&answer.value), Some((How::Root, "docs/knowledge.yaml")));
}

#[test]
fn a36_in_a_directory_llms_txt_comes_before_the_root_and_the_root_before_the_well_known_document() {
    let llms = ("llms.txt", "# Shop\n> knowledge: /a.yaml\n");
    let (a, b, root) = (("a.yaml", UNIT), ("b.yaml", UNIT), ("knowledge.yaml", UNIT));
    let known = document("/b.yaml");
    let known = (".well-known/kcp.json", known.as_str());
    let all = discover(&files(&[llms, a, b, root, known]), "").value;
    assert_eq!(chosen(&all), Some((How::Llms, "a.yaml")));
    let all = discover(&files(&[llms, b, root, known]), "").value;
    assert_eq!(
        chosen(&all),
        Some((How::Root, "knowledge.yaml")),
        "what llms.txt names is not there"
    );
    let all = discover(&files(&[b, known]), "").value;
    assert_eq!(chosen(&all), Some((How::WellKnown, "b.yaml")));
    let all = discover(&files(&[b, known, (".well-known/agent.json", CARD)]), "").value;
    assert_eq!(
        all.found[3].path.as_deref(),
        Some("b.yaml"),
        "the card leads to the same manifest"
    );
    let named = discover(&files(&[llms, a, b, root]), "b.yaml").value;
    assert_eq!(chosen(&named), Some((How::Explicit, "b.yaml")));
}

#[test]
fn a36_at_a_site_the_well_known_document_comes_first() {
    let known = document("/kcp/k.yaml");
    let pages = [
        (".well-known/kcp.json", known.as_str()),
        ("kcp/k.yaml", UNIT),
        ("llms.txt", "> knowledge: /l.yaml\n"),
        ("l.yaml", UNIT),
        ("knowledge.yaml", UNIT),
    ];
    let order = [
        (How::WellKnown, "https://shop.example/kcp/k.yaml"),
        (How::Llms, "https://shop.example/l.yaml"),
        (How::Root, "https://shop.example/knowledge.yaml"),
    ];
    for (skipped, wanted) in [0, 2, 4].into_iter().zip(order) {
        let answer = discover(&site(&pages[skipped..]), "https://shop.example").value;
        assert_eq!(chosen(&answer), Some(wanted));
    }
}

#[test]
fn d5_a_site_need_not_have_the_manifest_at_its_root_too() {
    let known = document("https://docs.example/k.yaml");
    let mut world = crate::testing::with_files([("", ""); 0]);
    for (url, text) in [
        ("https://shop.example/.well-known/kcp.json", known.as_str()),
        ("https://docs.example/k.yaml", UNIT),
    ] {
        world.web.insert(url.to_owned(), (200, url.to_owned(), text.into()));
    }
    let answer = discover(&Arc::new(world), "https://shop.example/some/page").value;
    assert_eq!(chosen(&answer), Some((How::WellKnown, "https://docs.example/k.yaml")));
    assert_eq!(answer.found[2].state, PlaceState::Missing);
}

#[test]
fn d4_the_card_of_an_agent_leads_to_the_manifest_in_at_most_two_steps() {
    let (known, looping) = (document("/k.yaml"), document("/.well-known/kcp.json"));
    let card = (".well-known/agent-card.json", CARD);
    let answer = discover(
        &site(&[card, (".well-known/kcp.json", &known), ("k.yaml", UNIT)]),
        "https://shop.example",
    )
    .value;
    let place = answer.found.last().unwrap();
    assert_eq!((place.how, place.state), (How::AgentCard, PlaceState::Manifest));
    assert_eq!(place.url.as_deref(), Some("https://shop.example/k.yaml"));
    let answer = discover(
        &site(&[card, (".well-known/kcp.json", &looping)]),
        "https://shop.example",
    )
    .value;
    assert_eq!(answer.chosen, None);
    assert_eq!(answer.found.last().unwrap().state, PlaceState::Invalid);
    let direct = (".well-known/agent.json", r#"{"knowledgeManifest": "/k.yaml"}"#);
    let answer = discover(&site(&[direct, ("k.yaml", UNIT)]), "https://shop.example").value;
    assert_eq!(chosen(&answer), Some((How::AgentCard, "https://shop.example/k.yaml")));
}

#[test]
fn d3_a_leaf_names_its_hub_and_nobody_follows_in_silence() {
    let known = r#"{"kcp_version": "0.14", "manifest": "/k.yaml", "network": {"role": "leaf", "entry_point": "https://hub.example/"}}"#;
    let world = site(&[(".well-known/kcp.json", known), ("k.yaml", UNIT)]);
    let answer = discover(&world, "https://shop.example").value;
    let mut page = Page::default();
    answer.render(&mut page);
    assert!(
        page.into_text()
            .ends_with("it is a leaf of the hub https://hub.example/\n")
    );
    assert!(
        !world
            .fetched
            .lock()
            .unwrap()
            .iter()
            .any(|url| url.contains("hub.example"))
    );
}

#[test]
fn d6_catalogs_are_shown_and_never_chosen() {
    let catalog = ".kcp/catalog.yaml";
    let answer = discover(&files(&[(catalog, "x"), ("home/.kcp/catalog.yaml", "y")]), "").value;
    let catalogs: Vec<_> = answer.found.iter().filter(|place| place.how == How::Catalog).collect();
    assert_eq!(catalogs[0].path.as_deref(), Some(catalog));
    assert_eq!(catalogs[1].path.as_deref(), Some("home/.kcp/catalog.yaml"));
    assert!(catalogs.iter().all(|place| place.state == PlaceState::Catalog));
    assert_eq!(answer.chosen, None);
}

#[test]
fn d7_manifests_of_one_repository_know_nothing_of_each_other() {
    let needs = format!("{UNIT}    depends_on: [b]\n");
    let other = UNIT.replace("id: a", "id: b");
    let world = files(&[("one/knowledge.yaml", &needs), ("two/knowledge.yaml", &other)]);
    assert_eq!(
        chosen(&discover(&world, "one").value),
        Some((How::Root, "one/knowledge.yaml"))
    );
    assert_eq!(
        chosen(&discover(&world, "two").value),
        Some((How::Root, "two/knowledge.yaml"))
    );
    assert!(crate::testing::has(&needs, crate::finding::Code::ReferenceUnknown));
}

#[test]
fn d8_a_manifest_is_what_one_navigates_by_also_beside_an_llms_txt() {
    let world = files(&[
        ("llms.txt", "# Shop\n## Docs\n- [a](docs/a.md)\n"),
        ("knowledge.yaml", UNIT),
    ]);
    assert_eq!(chosen(&discover(&world, "").value), Some((How::Root, "knowledge.yaml")));
    let opened = crate::open::open(&world.ctx(), None).unwrap();
    assert_eq!(opened.path, "knowledge.yaml");
}

#[test]
fn amend10_every_place_is_shown_with_the_one_that_won() {
    let world = files(&[
        ("llms.txt", "# Shop\n> knowledge: /gone.yaml\n> knowledge: shop.yaml\n"),
        ("knowledge.yaml", "project: x\nunits: []\n"),
        (".well-known/kcp.json", "[]"),
    ]);
    let answer = discover(&world, "");
    let mut page = Page::default();
    answer.value.render(&mut page);
    assert_eq!(
        page.into_text(),
        "  llms.txt    gone.yaml  missing  named by llms.txt:2
  llms.txt    llms.txt  not a manifest
    `shop.yaml` is not a path from the root and, as an address, is not an absolute https address
* root        knowledge.yaml  a manifest that is not valid, project x, 0 units
    2:8: `units` is empty
  well-known  .well-known/kcp.json  not a manifest
    it is not a JSON object
  agent card  .well-known/agent.json  missing
  agent card  .well-known/agent-card.json  missing
  catalog     .kcp/catalog.yaml  missing
  catalog     home/.kcp/catalog.yaml  missing
the manifest of . is knowledge.yaml
"
    );
}

#[test]
fn a_site_that_answers_every_address_with_a_page_has_no_manifest() {
    let page = "<!doctype html><title>not here</title>";
    let names = [
        ".well-known/kcp.json",
        "llms.txt",
        "knowledge.yaml",
        ".well-known/agent.json",
        ".well-known/agent-card.json",
    ];
    let answer = discover(&site(&names.map(|name| (name, page))), "https://shop.example");
    assert_eq!((answer.value.chosen, answer.verdict), (None, Verdict::No));
    assert!(
        states(&answer.value)
            .iter()
            .all(|(_, state)| *state == PlaceState::Broken)
    );
}

#[test]
fn places_that_cannot_be_looked_at_are_refused() {
    let world = files(&[("a", "x")]);
    let error = |place: &str, offline| {
        let place = Some(place.to_owned());
        UnitDiscover::run(&world.ctx(), DiscoverRequest { place, offline })
            .unwrap_err()
            .message
    };
    assert_eq!(error("none", false), "there is no file or directory `none`");
    assert_eq!(
        error("http://shop.example", false),
        "http://shop.example is not fetched: the address is not https"
    );
    assert_eq!(
        error("https://shop.example", true),
        "a site cannot be read without the web"
    );
}

#[test]
fn a_site_that_does_not_answer_could_not_be_asked() {
    let large = "x".repeat((1 << 20) + 1);
    let world = site(&[("k.yaml", &large)]);
    let request = DiscoverRequest {
        place: Some("https://shop.example/k.yaml".to_owned()),
        offline: false,
    };
    let error = UnitDiscover::run(&world.ctx(), request).unwrap_err();
    assert_eq!(error.kind, lore_seam::ErrorKind::Unavailable);
}

#[test]
fn a_pointer_in_a_directory_to_the_web_is_shown_and_not_followed() {
    let world = files(&[("llms.txt", "> knowledge: https://shop.example/k.yaml\n")]);
    let answer = discover(&world, "").value;
    assert_eq!(answer.found[0].state, PlaceState::Elsewhere);
    assert_eq!(answer.found[0].url.as_deref(), Some("https://shop.example/k.yaml"));
    assert!(world.fetched.lock().unwrap().is_empty());
}
