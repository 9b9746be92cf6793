//! The walk over a federation, and what is read and fetched for it.

use std::sync::Arc;

use super::machine::{MANIFESTS, Outcome, Want};
use super::resolve::*;
use super::*;
use crate::model::UnitIndex;
use crate::testing::{UNIT, manifest};
use lore_seam::Operation;
use lore_seam::world::World;

/// An address of a manifest.
fn url(name: &str) -> String {
    format!("https://{name}.example/knowledge.yaml")
}

/// A manifest that declares others, each as `id`, `id relationship` or with more lines.
fn hub(entries: &[(&str, &str)]) -> String {
    let entries: String = entries
        .iter()
        .map(|(id, rest)| format!("  - id: {id}\n    url: {}\n{rest}", url(id)))
        .collect();
    match entries.as_str() {
        "" => UNIT.to_owned(),
        entries => format!("{UNIT}manifests:\n{entries}"),
    }
}

/// A world with a hub on its disk and pages on its web.
fn world(hub: &str, pages: &[(&str, &str)]) -> World {
    let mut world = crate::testing::with_files([("knowledge.yaml", hub)]);
    for (name, text) in pages {
        let url = url(name);
        world.web.insert(url.clone(), (200, url, text.as_bytes().to_vec()));
    }
    world
}

fn resolved(world: &Arc<World>, options: FederationOptions, reach: Reach) -> Federation {
    let first = Arc::new(manifest(&String::from_utf8_lossy(&world.files["knowledge.yaml"])));
    resolve(&world.ctx(), first, Some(""), options, reach).unwrap()
}

/// Everything with the usual limits.
fn walked(world: &Arc<World>) -> Federation {
    resolved(world, FederationOptions::default(), Reach::Web)
}

fn states(federation: &Federation) -> Vec<String> {
    let state = |member: &Member| {
        let state = match &member.state {
            State::Same(same) => format!("same as {}", federation.members[same.0 as usize].id),
            State::Failed(why) => format!("failed: {why}"),
            state => format!("{state:?}").to_lowercase(),
        };
        let from = member
            .source
            .map_or_else(String::new, |source| format!(" from {}", source.name()));
        format!("{} {state}{from}", member.id)
    };
    federation.members.iter().map(state).collect()
}

fn fetched(world: &World) -> Vec<String> {
    world.fetched.lock().unwrap().clone()
}

fn notices(federation: &Federation) -> Vec<&str> {
    federation
        .notices
        .iter()
        .map(|notice| notice.message.as_str())
        .collect()
}

/// The ids of the units of the first manifest that are incomplete.
fn incomplete(federation: &Federation) -> Vec<String> {
    let all = federation.incomplete.all();
    let first = all.into_iter().filter(|(manifest, ..)| manifest.is_none());
    first
        .map(|(_, unit, why)| {
            let id = federation.first.id(federation.first.unit(unit).unwrap()).unwrap();
            format!("{id}: {why}")
        })
        .collect()
}

#[test]
fn f1_a_manifest_is_valid_alone_and_validating_it_fetches_nothing() {
    let world = Arc::new(world(&hub(&[("a", ""), ("b", "")]), &[]));
    let answer = crate::UnitValidate::run(&world.ctx(), crate::validate::UnitValidateRequest::default()).unwrap();
    assert!(answer.value.valid);
    assert_eq!(fetched(&world), Vec::<String>::new());
}

#[test]
fn f2_a_mirror_that_exists_is_read_and_its_address_is_not_asked() {
    let text = hub(&[
        ("a", "    local_mirror: ./mirrors/a.yaml\n"),
        ("b", "    local_mirror: mirrors/none.yaml\n"),
    ]);
    let mut world = world(&text, &[("a", UNIT), ("b", UNIT)]);
    world.files.insert("mirrors/a.yaml".to_owned(), UNIT.into());
    let world = Arc::new(world);
    assert_eq!(states(&walked(&world)), ["a loaded from mirror", "b loaded from web"]);
    assert_eq!(fetched(&world), [url("b")]);
}

#[test]
fn f2_a_mirror_that_is_broken_is_not_replaced_by_the_web() {
    let mut world = world(&hub(&[("a", "    local_mirror: a.yaml\n")]), &[("a", UNIT)]);
    world.files.insert("a.yaml".to_owned(), b"[".to_vec());
    let world = Arc::new(world);
    assert!(states(&walked(&world))[0].starts_with("a failed: it is not a manifest: "));
    assert_eq!(fetched(&world), Vec::<String>::new());
}

#[test]
fn f3_only_the_manifest_on_the_disk_names_mirrors() {
    let remote = hub(&[("deep", "    local_mirror: secret.yaml\n")]);
    let text = hub(&[("a", ""), ("m", "    local_mirror: m.yaml\n")]);
    let mut world = world(&text, &[("a", &remote), ("deep", UNIT)]);
    world.files.insert("secret.yaml".to_owned(), UNIT.into());
    let mirrored = hub(&[("other", "    local_mirror: secret.yaml\n")]);
    world.files.insert("m.yaml".to_owned(), mirrored.into());
    let world = Arc::new(world);
    assert_eq!(
        states(&walked(&world)),
        [
            "a loaded from web",
            "m loaded from mirror",
            "other failed: https://other.example/knowledge.yaml answers 404",
            "deep loaded from web"
        ]
    );
    let first = Arc::new(manifest(&text));
    let federation = resolve(&world.ctx(), first, None, FederationOptions::default(), Reach::Web).unwrap();
    assert_eq!(
        states(&federation)[1],
        "m failed: https://m.example/knowledge.yaml answers 404"
    );
}

#[test]
fn f4_each_address_is_fetched_once_and_cycles_end_in_silence() {
    // A diamond (a and b lead to d), a cycle (d leads back to a), and d in another spelling.
    let spelt = format!("{UNIT}manifests:\n  - id: again\n    url: https://D.example:443/./knowledge.yaml#x\n");
    let world = Arc::new(world(
        &hub(&[("a", ""), ("b", "")]),
        &[
            ("a", &hub(&[("d", "")])),
            ("b", &spelt),
            ("d", &hub(&[("a", ""), ("d", "")])),
        ],
    ));
    let federation = walked(&world);
    assert_eq!(
        states(&federation),
        [
            "a loaded from web",
            "b loaded from web",
            "d loaded from web",
            "again same as d",
            "a same as a",
            "d same as d"
        ]
    );
    assert_eq!(fetched(&world), [url("a"), url("b"), url("d")]);
    assert_eq!(notices(&federation), Vec::<&str>::new());
}

#[test]
fn f4_where_a_redirect_ends_counts_too_and_so_does_the_first_manifest() {
    let mut world = world(&hub(&[("a", ""), ("b", ""), ("own", "")]), &[("b", UNIT)]);
    world.web.insert(url("a"), (200, url("b"), UNIT.into()));
    let world = Arc::new(world);
    let options = FederationOptions {
        own_address: Some(Address::parse(&url("own")).unwrap()),
        ..FederationOptions::default()
    };
    let federation = resolved(&world, options, Reach::Web);
    assert_eq!(
        states(&federation),
        ["a same as b from web", "b loaded from web", "own first"]
    );
}

#[test]
fn f5_more_than_fifty_manifests_are_not_read() {
    let names: Vec<String> = (0..60).map(|number| format!("m{number}")).collect();
    let entries: Vec<(&str, &str)> = names.iter().map(|name| (name.as_str(), "")).collect();
    let pages: Vec<(&str, &str)> = names.iter().map(|name| (name.as_str(), UNIT)).collect();
    let world = Arc::new(world(&hub(&entries), &pages));
    let federation = walked(&world);
    assert_eq!(federation.loaded().count(), MANIFESTS);
    assert_eq!(fetched(&world).len(), MANIFESTS);
    assert_eq!(states(&federation)[50], "m50 toomany");
    assert_eq!(notices(&federation).len(), 10);
    assert_eq!(notices(&federation)[0], "more than 50 manifests are not read");
}

#[test]
fn a30_the_walk_ends_five_steps_away_and_that_of_a_query_after_one() {
    let names: Vec<String> = (1..=7).map(|number| format!("m{number}")).collect();
    let texts: Vec<String> = names.iter().skip(1).map(|next| hub(&[(next, "")])).collect();
    let pages: Vec<(&str, &str)> = names
        .iter()
        .zip(&texts)
        .map(|(name, text)| (name.as_str(), text.as_str()))
        .collect();
    let world = Arc::new(world(&hub(&[("m1", "")]), &pages));
    let federation = walked(&world);
    assert_eq!(federation.loaded().count(), 5);
    assert_eq!(states(&federation)[5], "m6 toodeep");
    assert_eq!(notices(&federation), ["more than 5 steps away, it is not read"]);
    let federation = resolved(&world, FederationOptions::for_query(), Reach::Web);
    assert_eq!(states(&federation), ["m1 loaded from cache", "m2 toodeep"]);
    assert_eq!(notices(&federation), Vec::<&str>::new());
}

#[test]
fn f5_units_and_bytes_of_a_manifest_are_limited() {
    let two =
        format!("{UNIT}  - id: b\n    path: b.md\n    intent: What is b?\n    scope: global\n    audience: [agent]\n");
    let world = Arc::new(world(&hub(&[("a", ""), ("b", "")]), &[("a", UNIT), ("b", &two)]));
    let few = FederationOptions {
        units: 1,
        ..FederationOptions::default()
    };
    let federation = resolved(&world, few, Reach::Web);
    assert_eq!(
        states(&federation)[1],
        "b failed: it has 2 units; at most 1 are read from web"
    );
    assert!(federation.members[1].manifest.is_none());
}

#[test]
fn a37_a_manifest_from_the_web_has_at_most_a_mebibyte() {
    assert_eq!(machine::BYTES, 1_048_576);
    let exact = format!("{UNIT}x: {}\n", "y".repeat(1_048_576 - UNIT.len() - 4));
    assert_eq!(exact.len(), 1_048_576);
    let more = format!("{exact}\n");
    let world = Arc::new(world(&hub(&[("a", ""), ("b", "")]), &[("a", &exact), ("b", &more)]));
    let federation = walked(&world);
    assert_eq!(federation.failures().count(), 1);
    assert_eq!(
        states(&federation)[1],
        "b failed: https://b.example/knowledge.yaml is too large"
    );
    // The cache and the parser keep the limit too.
    let mut machine = Machine::new(Arc::new(manifest(&hub(&[("a", "")]))), FederationOptions::default());
    assert!(matches!(machine.wants()[0], Want::Fetch { .. }));
    machine.feed(
        MemberIndex(0),
        Outcome::Content {
            bytes: more.into_bytes(),
            source: Source::Cache,
            address: None,
        },
    );
    assert_eq!(machine.finish().failures().count(), 1);
}

#[test]
fn f5_a_manifest_of_declarations_is_bounded() {
    let entries: String = (0..5_000)
        .map(|number| format!("  - {{id: e{number}, url: 'https://e{number}.example/'}}\n"))
        .collect();
    let world = Arc::new(world(
        &hub(&[("a", "")]),
        &[("a", &format!("{UNIT}manifests:\n{entries}"))],
    ));
    let federation = walked(&world);
    assert_eq!(federation.members.len(), 1_000);
    assert_eq!(fetched(&world).len(), MANIFESTS);
    assert!(notices(&federation).contains(&"4001 more declarations of manifests are ignored"));
}

#[test]
fn f6_foundations_come_first_and_archives_only_when_asked_for() {
    let relation = |word: &str| format!("    relationship: {word}\n");
    let (archive, peer, governs, odd, foundation) = (
        relation("archive"),
        relation("peer"),
        relation("governs"),
        relation("component"),
        relation("foundation"),
    );
    let text = hub(&[
        ("old", &archive),
        ("p", &peer),
        ("g", &governs),
        ("c", &odd),
        ("f", &foundation),
        ("x", ""),
    ]);
    let pages = ["old", "p", "g", "c", "f", "x"].map(|name| (name, UNIT));
    let all = Arc::new(world(&text, &pages));
    let options = FederationOptions {
        archive: true,
        ..FederationOptions::default()
    };
    resolved(&all, options, Reach::Web);
    assert_eq!(fetched(&all), ["f", "g", "p", "c", "x", "old"].map(url));
    let most = Arc::new(world(&text, &pages));
    assert_eq!(states(&walked(&most))[0], "old archive");
    assert_eq!(fetched(&most).len(), 5);
}

#[test]
fn a29_a_query_reads_archives_too() {
    let world = Arc::new(world(&hub(&[("old", "    relationship: archive\n")]), &[("old", UNIT)]));
    let federation = resolved(&world, FederationOptions::for_query(), Reach::Web);
    assert_eq!(states(&federation), ["old loaded from web"]);
}

#[test]
fn f7_pins_are_compared_with_mirrors_and_with_the_web() {
    let text = hub(&[
        ("a", "    version_pin: 2.0.0\n"),
        (
            "b",
            "    version_pin: 1.0.0\n    version_policy: exact\n    local_mirror: b.yaml\n",
        ),
        (
            "c",
            "    version_pin: 1.0.1\n    version_policy: minimum\n    local_mirror: b.yaml\n",
        ),
        ("d", "    version_pin: 9.9.9\n"),
    ]);
    let mut world = world(&text, &[("a", UNIT)]);
    world.files.insert("b.yaml".to_owned(), UNIT.into());
    let federation = walked(&Arc::new(world));
    assert_eq!(
        notices(&federation),
        [
            "the pin is 2.0.0 (compatible), and the manifest has version 1.0.0",
            "the pin is 1.0.1 (minimum), and the manifest has version 1.0.0"
        ]
    );
    assert_eq!(federation.loaded().count(), 3, "a pin refuses nothing");
}

/// Units that need a unit of another manifest, each by its policy, and units that depend on them.
const NEEDY: &str = "kcp_version: \"0.14\"\nproject: shop\nversion: 1.0.0\nunits:
  - {id: skips, path: a, intent: What?, scope: global, audience: [agent], external_depends_on: [{manifest: gone, unit: x}]}
  - {id: warns, path: b, intent: What?, scope: global, audience: [agent], external_depends_on: [{manifest: gone, unit: x, on_failure: warn}]}
  - {id: degrades, path: c, intent: What?, scope: global, audience: [agent], external_depends_on: [{manifest: gone, unit: x, on_failure: degrade}]}
  - {id: next, path: d, intent: What?, scope: global, audience: [agent], depends_on: [degrades]}
  - {id: last, path: e, intent: What?, scope: global, audience: [agent], depends_on: [next, last]}
  - {id: odd, path: f, intent: What?, scope: global, audience: [agent], external_depends_on: [{manifest: gone, unit: x, on_failure: panic}]}
  - {id: fine, path: g, intent: What?, scope: global, audience: [agent], external_depends_on: [{manifest: there, unit: a, on_failure: degrade}]}
  - {id: lacks, path: h, intent: What?, scope: global, audience: [agent], external_depends_on: [{manifest: there, unit: none, on_failure: degrade}]}
  - {id: stranger, path: i, intent: What?, scope: global, audience: [agent], external_depends_on: [{manifest: nobody, unit: x, on_failure: degrade}]}
manifests:
  - {id: gone, url: 'https://gone.example/knowledge.yaml'}
  - {id: there, url: 'https://there.example/knowledge.yaml'}
external_relationships:
  - {from_manifest: there, from_unit: a, to_unit: fine, type: governs}
  - {from_unit: fine, to_manifest: gone, to_unit: a, type: governs}
  - {from_unit: fine, to_manifest: nobody, to_unit: a, type: governs}
  - {from_unit: fine, to_manifest: there, to_unit: none, type: governs}
  - {from_unit: fine, to_manifest: there, to_unit: a, type: likes}
";

#[test]
fn f8_what_is_missing_is_skipped_warned_about_or_makes_answers_incomplete() {
    let world = Arc::new(world(NEEDY, &[("there", UNIT)]));
    let federation = walked(&world);
    let gone = "the manifest `gone` could not be read: https://gone.example/knowledge.yaml answers 404";
    assert_eq!(
        incomplete(&federation),
        [
            format!("degrades: {gone}"),
            format!("next: {gone}"),
            format!("last: {gone}"),
            "lacks: the manifest `there` has no unit `none`".to_owned()
        ]
    );
    assert_eq!(notices(&federation), [format!("unit `warns` lacks `x`: {gone}")]);
    assert_eq!(federation.incomplete.reason(None, UnitIndex(2)), Some(gone));
    assert_eq!(federation.incomplete.reason(None, UnitIndex(0)), None);
}

#[test]
fn f8_incompleteness_passes_from_manifest_to_manifest() {
    let needs = |manifest: &str, unit: &str| {
        format!(
            "    external_depends_on: [{{manifest: {manifest}, unit: {unit}, on_failure: degrade}}]\nmanifests:\n  - {{id: {manifest}, url: '{}'}}\n",
            url(manifest)
        )
    };
    let first = format!("{UNIT}{}", needs("b", "a"));
    let second = format!("{UNIT}{}", needs("c", "a"));
    let world = Arc::new(world(&first, &[("b", &second)]));
    let federation = walked(&world);
    let gone = "the manifest `c` could not be read: https://c.example/knowledge.yaml answers 404";
    assert_eq!(incomplete(&federation), [format!("a: {gone}")]);
    assert_eq!(
        federation.incomplete.reason(Some(MemberIndex(0)), UnitIndex(0)),
        Some(gone)
    );
    let query = resolved(&world, FederationOptions::for_query(), Reach::Web);
    assert!(query.incomplete.is_empty(), "a query does not know what lies beyond");
}

#[test]
fn f9_relations_across_manifests_join_where_both_units_exist() {
    let federation = walked(&Arc::new(world(NEEDY, &[("there", UNIT)])));
    let told: Vec<_> = federation
        .relations
        .iter()
        .map(|relation| {
            (
                relation.from_manifest,
                relation.from_unit.as_str(),
                relation.to_manifest,
                relation.to_unit.as_str(),
            )
        })
        .collect();
    assert_eq!(told, [(Some(MemberIndex(1)), "a", None, "fine")]);
}

#[test]
fn f10_nothing_passes_from_one_manifest_to_another() {
    // The hub offers its key to everybody; what another manifest declares is fetched by that one's rules alone.
    let key = "auth:\n  methods:\n    - {type: api_key, header: X-Hub}\ntrust:\n  audit: {agent_must_log: true}\n";
    let hub_text = format!("{}{key}", hub(&[("a", "")]));
    let mut world = world(&hub_text, &[("a", &hub(&[("b", "")])), ("b", UNIT)]);
    for name in ["a", "b"] {
        world
            .secrets
            .insert(format!("{name}.example"), format!("{name}-secret"));
    }
    let world = Arc::new(world);
    let federation = walked(&world);
    assert_eq!(fetched(&world), [format!("{} X-Hub: a-secret", url("a")), url("b")]);
    for (_, _, manifest) in federation.loaded() {
        assert!(manifest.root.trust.is_none() && manifest.root.auth.is_none());
    }
}

#[test]
fn f11_the_auth_of_an_entry_replaces_that_of_its_manifest() {
    let own = "    auth:\n      methods:\n        - {type: api_key, header: X-Own, registration_url: 'https://a.example/join'}\n";
    let text = format!(
        "{}auth:\n  methods:\n    - {{type: none}}\n",
        hub(&[("a", own), ("b", own)])
    );
    let mut world = world(&text, &[("a", UNIT), ("b", UNIT)]);
    world.secrets.insert("a.example".to_owned(), "s".to_owned());
    let world = Arc::new(world);
    assert_eq!(
        states(&walked(&world)),
        [
            "a loaded from web",
            "b failed: it accepts a key for b.example in the header `X-Own` (`kcp.keys`); https://a.example/join says where to get it"
        ]
    );
    assert_eq!(fetched(&world), [format!("{} X-Own: s", url("a"))]);
}

#[test]
fn f12_what_was_fetched_is_not_fetched_again_until_it_may_have_changed() {
    let day = 24 * 3_600_000;
    let mut world = world(&hub(&[("a", "    update_frequency: daily\n")]), &[("a", UNIT)]);
    world.etags.insert(url("a"), "\"1\"".to_owned());
    let mut shared = Arc::new(world);
    assert_eq!(states(&walked(&shared)), ["a loaded from web"]);
    assert_eq!(states(&walked(&shared)), ["a loaded from cache"]);
    assert_eq!(fetched(&shared).len(), 1);
    // A day later the server is asked, and says that nothing changed; from then on it counts as new.
    Arc::get_mut(&mut shared).unwrap().now_ms = day;
    assert_eq!(states(&walked(&shared)), ["a loaded from cache"]);
    assert_eq!(fetched(&shared).len(), 2);
    assert_eq!(states(&walked(&shared)), ["a loaded from cache"]);
    assert_eq!(fetched(&shared).len(), 2);
    // A day later it did change.
    let page = Arc::get_mut(&mut shared).unwrap();
    page.now_ms = 2 * day;
    page.etags.insert(url("a"), "\"2\"".to_owned());
    assert_eq!(states(&walked(&shared)), ["a loaded from web"]);
}

#[test]
fn f12_offline_only_what_is_kept_is_read_however_old() {
    let mut shared = Arc::new(world(
        &hub(&[("a", "    update_frequency: hourly\n"), ("b", "")]),
        &[("a", UNIT)],
    ));
    walked(&shared);
    let before = fetched(&shared).len();
    Arc::get_mut(&mut shared).unwrap().now_ms = u64::MAX;
    let federation = resolved(&shared, FederationOptions::default(), Reach::Offline);
    assert_eq!(
        states(&federation),
        [
            "a loaded from cache",
            "b failed: it was not fetched before, and the web is not used"
        ]
    );
    assert_eq!(fetched(&shared).len(), before);
}

#[test]
fn f12_a_page_that_is_no_manifest_fails_whatever_its_status() {
    let mut world = world(
        &hub(&[("a", ""), ("b", ""), ("c", "")]),
        &[("a", "<html>"), ("b", "project: x\nunits: []\n")],
    );
    world.web.insert(url("c"), (401, url("c"), Vec::new()));
    let federation = walked(&Arc::new(world));
    let states = states(&federation);
    assert!(
        states[0].starts_with("a failed: it is not a manifest: 1:1: "),
        "{}",
        states[0]
    );
    assert_eq!(
        states[1],
        "b failed: it is not a valid manifest: 2:8: `units` is empty from web"
    );
    assert_eq!(
        states[2],
        "c failed: https://c.example/knowledge.yaml answers 401: it requires authentication, and its manifest declares no method"
    );
}

#[test]
fn f13_ids_that_nobody_has_are_warned_about_when_validating_and_ignored_after() {
    use crate::finding::Code;
    assert!(crate::testing::has(NEEDY, Code::ManifestUnknown));
    let federation = walked(&Arc::new(world(NEEDY, &[("there", UNIT)])));
    assert!(!incomplete(&federation).iter().any(|unit| unit.starts_with("stranger")));
}

fn shown(answer: &FederationAnswer) -> String {
    let mut page = lore_seam::Page::default();
    lore_seam::Render::render(answer, &mut page);
    page.into_text()
}

#[test]
fn f14_the_list_says_what_is_at_hand_without_asking_the_web() {
    let text = hub(&[
        (
            "a",
            "    relationship: foundation\n    local_mirror: a.yaml\n    version_pin: 2.0.0\n",
        ),
        ("b", ""),
    ]);
    let mut world = world(&text, &[("b", UNIT)]);
    world.files.insert("a.yaml".to_owned(), UNIT.into());
    let world = Arc::new(world);
    let answer = UnitFederationList::run(&world.ctx(), FederationListRequest::default()).unwrap();
    assert_eq!(
        shown(&answer.value),
        "a  loaded from mirror, foundation, version 1.0.0 (pinned compatible 2.0.0), one unit  knowledge.yaml:11:5
  https://a.example/knowledge.yaml
b  not read yet  knowledge.yaml:16:5
  https://b.example/knowledge.yaml
warning: a: the pin is 2.0.0 (compatible), and the manifest has version 1.0.0
2 declared, 1 read, 0 failed; without the web
"
    );
    assert_eq!(fetched(&world), Vec::<String>::new());
    assert_eq!(answer.verdict, lore_seam::Verdict::Yes);
    assert_eq!(answer.value.incomplete, [], "nobody tried");
    let row = serde_json::to_value(&answer.value.manifests[0]).unwrap();
    assert_eq!(row["unit_count"], 1);
    assert_eq!(row["from"], "mirror");
}

#[test]
fn f14_resolving_tells_the_state_of_each_and_answers_no_if_one_failed() {
    let world = Arc::new(world(&hub(&[("a", ""), ("b", "")]), &[("a", &hub(&[("b", "")]))]));
    let run = |request| UnitFederationResolve::run(&world.ctx(), request);
    let answer = run(FederationResolveRequest::default()).unwrap();
    assert_eq!(answer.verdict, lore_seam::Verdict::No);
    assert_eq!(
        shown(&answer.value),
        "a  loaded from web, version 1.0.0, one unit  knowledge.yaml:11:5
  https://a.example/knowledge.yaml
b  failed  knowledge.yaml:13:5
  https://b.example/knowledge.yaml
  https://b.example/knowledge.yaml answers 404
  b  is the same as
    https://b.example/knowledge.yaml
    b
3 declared, 1 read, 1 failed
"
    );
    let request = FederationResolveRequest {
        depth: Some(6),
        ..FederationResolveRequest::default()
    };
    assert_eq!(run(request).unwrap_err().message, "--depth is at most 5");
}

#[test]
fn a14_an_address_from_the_root_is_an_error_and_is_not_fetched() {
    let text = format!("{UNIT}manifests:\n  - {{id: a, url: /security/knowledge.yaml}}\n");
    assert!(!crate::testing::is_valid(&text));
    let world = Arc::new(world(&text, &[]));
    assert_eq!(
        states(&walked(&world)),
        ["a failed: /security/knowledge.yaml is not an absolute https address"]
    );
    assert_eq!(fetched(&world), Vec::<String>::new());
}

#[test]
fn a15_an_unknown_relationship_is_read_like_a_peer() {
    let text = hub(&[("a", "    relationship: component\n")]);
    assert!(crate::testing::is_valid(&text));
    assert_eq!(
        states(&walked(&Arc::new(world(&text, &[("a", UNIT)])))),
        ["a loaded from web"]
    );
}

#[test]
fn s5_addresses_with_a_password_are_not_fetched() {
    let text = format!("{UNIT}manifests:\n  - {{id: a, url: 'https://me:pw@a.example/k.yaml'}}\n");
    let world = Arc::new(world(&text, &[]));
    assert!(states(&walked(&world))[0].ends_with("contains a user name or a password"));
    assert_eq!(fetched(&world), Vec::<String>::new());
}

proptest::proptest! {
    #![proptest_config(lore_testing::cases(64))]

    #[test]
    fn f4_every_web_of_manifests_ends_and_is_read_once_as_far_as_it_may_be(edges in proptest::collection::vec((0usize..9, 0usize..9), 0..30)) {
        let name = |number: usize| format!("m{number}");
        let text = |number: usize| {
            let mut targets: Vec<String> = edges.iter().filter(|(from, _)| *from == number).map(|(_, to)| name(*to)).collect();
            targets.sort_unstable();
            targets.dedup();
            hub(&targets.iter().map(|target| (target.as_str(), "")).collect::<Vec<_>>())
        };
        let mut world = world(&text(0), &[]);
        for number in 0..9 {
            let url = url(&name(number));
            world.web.insert(url.clone(), (200, url, text(number).into_bytes()));
        }
        let world = Arc::new(world);
        let options = FederationOptions {
            own_address: Some(Address::parse(&url("m0")).unwrap()),
            ..FederationOptions::default()
        };
        resolved(&world, options, Reach::Web);
        // What can be reached in five steps, found the plain way.
        let mut near = std::collections::BTreeSet::from([0]);
        for _ in 0..5 {
            let next: Vec<usize> = edges.iter().filter(|(from, _)| near.contains(from)).map(|(_, to)| *to).collect();
            near.extend(next);
        }
        near.remove(&0);
        let mut asked = fetched(&world);
        asked.sort_unstable();
        let wanted: Vec<String> = near.into_iter().map(|number| url(&name(number))).collect();
        proptest::prop_assert_eq!(asked, wanted);
    }
}
