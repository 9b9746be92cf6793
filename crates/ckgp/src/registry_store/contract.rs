//! What every store of a registry has to keep, as cases that each runs: the one of the tests, the one in SQL, and any other that comes.
//!
//! [`CASES`] each take an empty store, [`BODY_CASES`] an empty place for bodies. [`walk`] does the same at random to two stores and compares everything that they say.

mod bodies;
mod jobs;
mod walk;

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Debug;

use super::entry::{Entry, Graph, Revocation, RevokedBy, Seconds, Stats};
use super::status::Status;
use super::store::{
    About, AuditRow, Concept, Counts, EventKind, Filter, Got, Reading, RegisteredFormat, Registry, SearchText, Visit,
    Writing, reading, writing,
};
use crate::forge::RepositoryId;
use crate::format::{Commit, FormatId};
use lore_seam::{ErrorKind, OpError};

pub use bodies::{BODY_CASES, BodyCase};
pub use walk::{everything, walk};

/// How a case ends: what is not as it should be.
pub type Kept = Result<(), String>;

/// A case on an empty store.
pub type Case = fn(&dyn Registry) -> Kept;

/// All cases, by what they hold.
pub const CASES: &[(&str, Case)] = &[
    ("a store begins with nothing", nothing_at_first),
    ("entries come back as they were put", entries_come_back),
    (
        "ruling 7: ids that differ in the case of letters are one entry",
        ids_in_any_case,
    ),
    (
        "pages are by key, behind a key, and keep to their filter",
        pages_keep_to_their_filter,
    ),
    ("counts follow the entries", counts_follow),
    ("a body is held by the graphs that were not taken back", bodies_are_held),
    ("when bodies were last looked for is kept", sweeps_are_kept),
    ("A6: words in two entries are concepts", words_in_two_entries),
    ("a search wants all words and shows the best first", the_best_first),
    ("a search takes any text", hostile_searches),
    ("events are numbered, and no number is given twice", events_are_numbered),
    ("S8: the audit is told the newest first", audit_is_kept),
    ("A9: formats are kept by name and number", formats_are_kept),
    (
        "what is removed takes along all but events and the audit",
        removal_is_whole,
    ),
    ("a unit that fails leaves nothing", failing_units_leave_nothing),
    ("jobs are claimed in their order", jobs::claims_are_in_order),
    (
        "a job is leased to one worker, and again when the lease ended",
        jobs::leases_are_exclusive,
    ),
    (
        "a round claims what it did not visit, due or not",
        jobs::rounds_claim_what_they_did_not_visit,
    ),
    ("named entries are claimed, due or not", jobs::named_ones_are_claimed),
    ("hosts that are not to be asked are left out", jobs::hosts_are_left_out),
    (
        "a job that was leased five times in vain is stuck",
        jobs::poison_is_left_alone,
    ),
    (
        "a lease that is given back does not count",
        jobs::given_back_does_not_count,
    ),
    ("a visit ends only with its lease", jobs::visits_end_with_their_lease),
    ("an entry that is put ends the lease", jobs::putting_ends_the_lease),
    ("leases are renewed together", jobs::leases_are_renewed),
    (
        "visits are told the newest first, and forgotten when old",
        jobs::visits_are_kept,
    ),
    (
        "the next job is when one can be had",
        jobs::next_due_is_when_one_can_be_had,
    ),
    ("rounds are joined, renewed and left", jobs::rounds_are_joined),
];

/// A repository that a text names.
pub fn repository(text: &str) -> RepositoryId {
    RepositoryId::parse(text).expect("a repository")
}

/// A format that a text names.
pub fn format(text: &str) -> FormatId {
    FormatId::parse(text).expect("a format")
}

/// An entry that was not visited yet, with a graph of `ccg@1`.
pub fn pending(id: &str) -> Entry {
    let repository = repository(id);
    let url = format!("https://{}/{}", repository.host(), repository.key());
    Entry::new(repository, Some((format("ccg@1"), url)), 1_000)
}

/// An entry whose graph is good, with a body, three nodes, some tags and languages.
pub fn good(id: &str, tags: &[&str], languages: &[&str]) -> Entry {
    let texts = |texts: &[&str]| texts.iter().map(|text| (*text).to_owned()).collect::<Vec<_>>();
    let mut entry = pending(id);
    entry.tags = texts(tags);
    entry.visited_at = Some(2_000);
    let graph = &mut entry.graphs[0];
    graph.status = Status::Ok;
    graph.last_sha = Some("a".repeat(64));
    graph.stats = Some(Stats {
        nodes: 3,
        edges: 2,
        top_kinds: vec![("function".to_owned(), 2), ("file".to_owned(), 1)],
        languages: texts(languages),
    });
    entry
}

/// A visit that found the same as before.
pub fn visit(at: Seconds, status: Status) -> Visit {
    Visit {
        at,
        status,
        error: None,
        requests: 1,
        bytes: 0,
        is_changed: false,
    }
}

/// What can be searched of a graph.
pub fn text(name: &str, about: &str, languages: &str, symbols: &str) -> SearchText {
    SearchText {
        name: name.to_owned(),
        about: about.to_owned(),
        languages: languages.to_owned(),
        symbols: Some(symbols.to_owned()),
    }
}

fn told(error: OpError) -> String {
    error.to_string()
}

fn read<T>(store: &dyn Registry, work: impl FnMut(&dyn Reading) -> Got<T>) -> Result<T, String> {
    reading(store, work).map_err(told)
}

fn write<T>(store: &dyn Registry, work: impl FnMut(&mut dyn Writing) -> Got<T>) -> Result<T, String> {
    writing(store, work).map_err(told)
}

fn put_all(store: &dyn Registry, entries: &[Entry]) -> Kept {
    write(store, |unit| {
        let put = |entry: &Entry| unit.put(entry, "github.com", Some(100));
        entries.iter().try_for_each(put)
    })
}

fn same<T: PartialEq + Debug>(what: &str, got: T, wanted: T) -> Kept {
    if got == wanted {
        Ok(())
    } else {
        Err(format!("{what}: {got:?} instead of {wanted:?}"))
    }
}

fn ids(entries: &[Entry]) -> Vec<String> {
    entries.iter().map(|entry| entry.repository.to_string()).collect()
}

fn listed(texts: &[&str]) -> Vec<String> {
    texts.iter().map(|text| (*text).to_owned()).collect()
}

fn words(texts: &[&str]) -> BTreeSet<String> {
    texts.iter().map(|text| (*text).to_owned()).collect()
}

/// An entry with everything that an entry can have.
fn full() -> Entry {
    let mut entry = good("Gitlab.com/Group/Sub/Repo", &["Web"], &["rust"]);
    entry.default_branch = Some("main".to_owned());
    entry.description = Some("what \"it\" is".to_owned());
    entry.record.url = Some("https://gitlab.com/record".to_owned());
    entry.record.misses = 1;
    entry.head_sha = Commit::parse(&"b".repeat(40));
    entry.drift_checked_at = Some(-1);
    entry.renamed_to = Some(repository("Other/Name"));
    entry.revocation = Some(Revocation {
        at: 7,
        by: RevokedBy::Producer,
        reason: None,
    });
    entry.interval = 3_600;
    entry.graphs.push(Graph {
        format: Some(format("generic@1")),
        size_bytes: Some(u64::MAX),
        last_error: Some("line\nof\0text".to_owned()),
        ..Graph::default()
    });
    entry
}

fn nothing_at_first(store: &dyn Registry) -> Kept {
    read(store, |unit| {
        let nothing = unit.about()?.is_none()
            && unit.entry(&repository("a/b"))?.is_none()
            && unit.page(&Filter::default(), None, 10)?.is_empty()
            && unit.counts()? == Counts::default()
            && unit.concepts(10)?.is_empty()
            && unit.search(&listed(&["a"]), 10)?.is_empty()
            && unit.visits(&repository("a/b"), 10)?.is_empty()
            && unit.events(0, 10)?.is_empty()
            && unit.last_event()? == 0
            && unit.audit(10)?.is_empty()
            && unit.holders(&"a".repeat(64))? == 0
            && unit.unheld(&["a".repeat(64)])? == ["a".repeat(64)]
            && unit.swept()?.is_none()
            && unit.delayed_hosts(0)?.is_empty()
            && unit.last_visit()?.is_none()
            && unit.next_due()?.is_none()
            && unit.stuck()?.is_empty()
            && unit.formats()?.is_empty();
        unit.each(&mut |_| Err(OpError::new(ErrorKind::Internal, "an entry")))?;
        Ok(nothing)
    })
    .and_then(|nothing| same("nothing", nothing, true))
}

fn entries_come_back(store: &dyn Registry) -> Kept {
    let about = About {
        name: "shop".to_owned(),
        url: Some("https://r.example".to_owned()),
        contact: None,
        created_at: 5,
    };
    write(store, |unit| {
        unit.set_about(&About::default())?;
        unit.set_about(&about)
    })?;
    same("about", read(store, |unit| unit.about())?, Some(about))?;
    let entries = [pending("a/b"), full()];
    put_all(store, &entries)?;
    for entry in &entries {
        let got = read(store, |unit| unit.entry(&entry.repository))?;
        same("entry", got.as_ref(), Some(entry))?;
        let shown = got.map(|entry| entry.repository.to_string());
        same("id", shown, Some(entry.repository.to_string()))?;
    }
    let mut seen = Vec::new();
    read(store, |unit| {
        unit.each(&mut |entry| {
            seen.push(entry);
            Ok(())
        })
    })?;
    same("each", seen.as_slice(), &entries[..])?;
    let mut empty = pending("no/graph");
    empty.graphs.clear();
    let refused = write(store, |unit| unit.put(&empty, "github.com", None));
    same("an entry without a graph", refused.is_err(), true)
}

fn ids_in_any_case(store: &dyn Registry) -> Kept {
    let mut second = pending("ACME/Shop");
    second.description = Some("second".to_owned());
    put_all(store, &[pending("acme/shop"), second])?;
    let all = read(store, |unit| unit.page(&Filter::default(), None, 10))?;
    same("entries", ids(&all), listed(&["ACME/Shop"]))?;
    let got = read(store, |unit| unit.entry(&repository("aCmE/sHoP")))?;
    let description = got.and_then(|entry| entry.description);
    same("the second one", description.as_deref(), Some("second"))?;
    let counts = read(store, |unit| unit.counts())?;
    same("counted once", counts.by_status, BTreeMap::from([(Status::Pending, 1)]))
}

fn pages_keep_to_their_filter(store: &dyn Registry) -> Kept {
    let mut revoked = good("b/revoked", &[], &[]);
    revoked.graphs[0].status = Status::Revoked;
    let mut two = good("b/two", &["Web", "CLI"], &["go", "rust"]);
    two.graphs.push(Graph {
        format: Some(format("generic@1")),
        ..Graph::default()
    });
    // A graph's own tags come before those of whoever registered it.
    let mut own = good("C/own", &["web"], &["rust"]);
    own.graphs[0].tags = listed(&["Own"]);
    let entries = [pending("gitlab.com/B/x"), two, own, revoked, pending("A/one")];
    put_all(store, &entries)?;
    let page = |filter: &Filter, after: Option<&str>, most: usize| {
        let page = read(store, |unit| unit.page(filter, after, most))?;
        Ok::<_, String>(ids(&page))
    };
    let none = Filter::default;
    let all = ["A/one", "b/revoked", "b/two", "C/own", "gitlab.com/B/x"];
    same("all", page(&none(), None, 9)?, listed(&all))?;
    same("the first", page(&none(), None, 2)?, listed(&all[..2]))?;
    same("behind a key", page(&none(), Some("b/two"), 9)?, listed(&all[3..]))?;
    same(
        "behind what is not there",
        page(&none(), Some("b/s"), 1)?,
        listed(&["b/two"]),
    )?;
    let text = |text: &str| Some(text.to_owned());
    let cases: [(Filter, &[&str]); 15] = [
        (
            Filter {
                status: Some(Status::Pending),
                ..none()
            },
            &["A/one", "gitlab.com/B/x"],
        ),
        (
            Filter {
                status: Some(Status::Dead),
                ..none()
            },
            &[],
        ),
        (
            Filter {
                not: vec![Status::Revoked, Status::Pending],
                ..none()
            },
            &["b/two", "C/own"],
        ),
        (
            Filter {
                not: Status::ALL.to_vec(),
                ..none()
            },
            &[],
        ),
        (
            Filter {
                format: Some(format("generic@1")),
                ..none()
            },
            &["b/two"],
        ),
        (
            Filter {
                format_name: text("generic"),
                ..none()
            },
            &["b/two"],
        ),
        (
            Filter {
                format_name: text("ccg"),
                ..none()
            },
            &all,
        ),
        (
            Filter {
                format_name: text("ccg"),
                status: Some(Status::Ok),
                language: text("rust"),
                ..none()
            },
            &["b/two", "C/own"],
        ),
        (
            Filter {
                format_name: text("cc"),
                ..none()
            },
            &[],
        ),
        (
            Filter {
                status: Some(Status::Pending),
                owner: text("b"),
                tag: text("web"),
                ..none()
            },
            &[],
        ),
        (
            Filter {
                owner: text("B"),
                ..none()
            },
            &["b/revoked", "b/two", "gitlab.com/B/x"],
        ),
        (
            Filter {
                tag: text("WEB"),
                ..none()
            },
            &["b/two"],
        ),
        (
            Filter {
                tag: text("own"),
                ..none()
            },
            &["C/own"],
        ),
        (
            Filter {
                language: text("Rust"),
                ..none()
            },
            &["b/two", "C/own"],
        ),
        (
            Filter {
                status: Some(Status::Ok),
                not: vec![Status::Dead],
                format: Some(format("ccg@1")),
                format_name: text("ccg"),
                owner: text("b"),
                tag: text("cli"),
                language: text("go"),
            },
            &["b/two"],
        ),
    ];
    for (filter, wanted) in cases {
        same(&format!("{filter:?}"), page(&filter, None, 9)?, listed(wanted))?;
        let behind: Vec<&str> = wanted
            .iter()
            .copied()
            .filter(|id| id.to_lowercase().as_str() > "b/two")
            .collect();
        let got = page(&filter, Some("b/two"), 9)?;
        same(&format!("{filter:?} behind b/two"), got, listed(&behind))?;
    }
    let mut shown = Vec::new();
    read(store, |unit| unit.each_id(&mut |id| shown.push(id.to_owned())))?;
    same("ids", shown, listed(&["A/one", "b/two", "C/own", "gitlab.com/B/x"]))
}

fn counts_follow(store: &dyn Registry) -> Kept {
    let mut two = good("b/two", &[], &["go", "rust"]);
    put_all(store, &[pending("a/one"), two.clone(), good("c/three", &[], &["rust"])])?;
    let counts = |nodes: u64, entries: u64| Counts {
        by_status: BTreeMap::from([(Status::Pending, 3 - entries), (Status::Ok, entries)]),
        nodes,
        edges: nodes / 3 * 2,
        kinds: BTreeMap::from([
            ("function".to_owned(), (nodes / 3 * 2, entries)),
            ("file".to_owned(), (nodes / 3, entries)),
        ]),
        languages: BTreeMap::from([("go".to_owned(), 1), ("rust".to_owned(), 2)]),
    };
    same("counts", read(store, |unit| unit.counts())?, counts(6, 2))?;
    // A graph that is not good any more is not counted, whatever was known of it.
    two.graphs[0].status = Status::TransientError;
    put_all(store, &[two.clone()])?;
    let got = read(store, |unit| unit.counts())?;
    same("nodes", (got.nodes, got.edges), (3, 2))?;
    same("languages", got.languages, BTreeMap::from([("rust".to_owned(), 1)]))?;
    same("errors", got.by_status.get(&Status::TransientError), Some(&1))?;
    write(store, |unit| {
        unit.remove(&two.repository)?;
        unit.remove(&repository("C/three"))
    })?;
    let wanted = Counts {
        by_status: BTreeMap::from([(Status::Pending, 1)]),
        ..Counts::default()
    };
    same("what remains", read(store, |unit| unit.counts())?, wanted)
}

fn bodies_are_held(store: &dyn Registry) -> Kept {
    let (mut one, mut two) = (good("a/one", &[], &[]), good("b/two", &[], &[]));
    two.graphs.push(two.graphs[0].clone());
    put_all(store, &[one.clone(), two.clone()])?;
    let holders = |digest: &str| read(store, |unit| unit.holders(&digest.repeat(64)));
    same("holders", (holders("a")?, holders("b")?), (3, 0))?;
    let all = ["b", "a", "c"].map(|digest| digest.repeat(64));
    let unheld = || read(store, |unit| unit.unheld(&all));
    same("not held", unheld()?, vec!["b".repeat(64), "c".repeat(64)])?;
    same("of none", read(store, |unit| unit.unheld(&[]))?, vec![])?;
    one.graphs[0].status = Status::Revoked;
    two.graphs[1].last_sha = Some("b".repeat(64));
    put_all(store, &[one, two.clone()])?;
    same("holders then", (holders("a")?, holders("b")?), (1, 1))?;
    same("not held then", unheld()?, vec!["c".repeat(64)])?;
    write(store, |unit| unit.remove(&two.repository))?;
    same("no holders", (holders("a")?, holders("b")?), (0, 0))
}

fn sweeps_are_kept(store: &dyn Registry) -> Kept {
    for at in [1_790_000_000, 5] {
        write(store, |unit| unit.set_swept(at))?;
        same("swept", read(store, |unit| unit.swept())?, Some(at))?;
    }
    same("nothing else", read(store, |unit| unit.about())?, None)
}

fn words_in_two_entries(store: &dyn Registry) -> Kept {
    let all = ["a/one", "B/two", "c/three", "d/four"];
    put_all(store, &all.map(|id| good(id, &[], &[])))?;
    let set = |id: &str, terms: &[&str]| write(store, |unit| unit.set_terms(&repository(id), &words(terms)));
    let concepts = |most: usize| read(store, |unit| unit.concepts(most));
    let concept = |term: &str, samples: &[&str], entries: u64| Concept {
        term: term.to_owned(),
        entries,
        samples: listed(samples),
    };
    for id in all {
        set(id, &["every", id.split_once('/').unwrap_or_default().1])?;
    }
    set("b/two", &["every", "pair", "other"])?;
    set("c/three", &["every", "pair", "other"])?;
    let every = concept("every", &["a/one", "B/two", "c/three"], 4);
    let (other, pair) = (
        concept("other", &["B/two", "c/three"], 2),
        concept("pair", &["B/two", "c/three"], 2),
    );
    same("concepts", concepts(9)?, vec![every.clone(), other.clone(), pair])?;
    same("the first two", concepts(2)?, vec![every, other])?;
    set("b/two", &["pair"])?;
    set("a/one", &[])?;
    write(store, |unit| unit.remove(&repository("d/four")))?;
    let pair = vec![concept("pair", &["B/two", "c/three"], 2)];
    same("what remains", concepts(9)?, pair.clone())?;
    // Those of an entry that is not well are known, and not counted until it is well again.
    put_all(store, &[pending("C/three")])?;
    same("one is not well", concepts(9)?, Vec::new())?;
    set("c/three", &["pair", "more"])?;
    same("still not", concepts(9)?, Vec::new())?;
    put_all(store, &[good("c/three", &[], &[])])?;
    same("well again", concepts(9)?, pair)?;
    let refused = set("no/where", &["word"]);
    same(
        "words of no entry",
        refused,
        Err("no/where is not registered".to_owned()),
    )?;
    set("no/where", &[])
}

fn the_best_first(store: &dyn Registry) -> Kept {
    let mut other = good("e/other", &[], &[]);
    other.graphs.push(Graph {
        format: Some(format("generic@1")),
        ..Graph::default()
    });
    let ids = ["a/symbols", "b/languages", "c/about", "d/name", "f/flask"].map(|id| good(id, &[], &[]));
    put_all(store, &ids)?;
    put_all(store, &[other])?;
    let texts = [
        ("a/symbols", "ccg@1", text("a symbols", "", "", "run flask_app router")),
        ("b/languages", "ccg@1", text("b languages", "", "flask", "router")),
        ("c/about", "ccg@1", text("c about", "a flask router", "", "")),
        ("d/name", "ccg@1", text("d flasks", "", "", "")),
        ("f/flask", "ccg@1", text("f flask", "", "", "")),
        ("e/other", "ccg@1", text("e other", "größe", "", "")),
        // A graph that is not good is not found.
        ("e/other", "generic@1", text("flask", "", "", "")),
    ];
    write(store, |unit| {
        texts
            .iter()
            .try_for_each(|(id, of, text)| unit.set_text(&repository(id), &format(of), Some(text)))
    })?;
    let search = |asked: &str, most: usize| {
        let asked: Vec<String> = asked.split(' ').map(str::to_owned).collect();
        let found = read(store, |unit| unit.search(&asked, most))?;
        let found = found
            .iter()
            .map(|found| format!("{} {}", found.repository, found.matched));
        Ok::<_, String>(found.collect::<Vec<_>>())
    };
    let all = [
        "f/flask name",
        "d/name name",
        "c/about about",
        "b/languages languages",
        "a/symbols symbols",
    ];
    same("flask", search("Flask", 9)?, listed(&all))?;
    same(
        "at most",
        search("fla", 3)?,
        listed(&["d/name name", "f/flask name", "c/about about"]),
    )?;
    let both = ["c/about about", "a/symbols symbols", "b/languages symbols"];
    same("both words", search("rout flask", 9)?, listed(&both))?;
    same("across", search("flask run", 9)?, listed(&["a/symbols symbols"]))?;
    same("letters", search("GRÖ", 9)?, listed(&["e/other about"]))?;
    same("no middle", search("lask", 9)?, listed(&[]))?;
    write(store, |unit| {
        unit.set_text(&repository("F/Flask"), &format("ccg@1"), Some(&text("f", "", "", "")))?;
        unit.set_text(&repository("d/name"), &format("ccg@1"), None)?;
        unit.set_text(&repository("no/where"), &format("ccg@1"), None)
    })?;
    same("replaced and taken away", search("flask", 9)?, listed(&all[2..]))?;
    // Symbols that are not told stay as they are.
    let renamed = SearchText {
        symbols: None,
        ..text("a flask", "", "", "")
    };
    write(store, |unit| {
        unit.set_text(&repository("a/symbols"), &format("ccg@1"), Some(&renamed))
    })?;
    same("by the new name", search("flask", 1)?, listed(&["a/symbols name"]))?;
    same("by a symbol", search("rou app", 9)?, listed(&["a/symbols symbols"]))?;
    write(store, |unit| {
        unit.set_text(&repository("f/flask"), &format("ccg@1"), Some(&renamed))
    })?;
    same(
        "without symbols",
        search("a flask", 2)?,
        listed(&["a/symbols name", "f/flask name"]),
    )?;
    let nowhere = write(store, |unit| {
        unit.set_text(&repository("no/where"), &format("ccg@1"), Some(&text("a", "", "", "")))
    });
    same("no entry", nowhere, Err("no/where is not registered".to_owned()))
}

fn hostile_searches(store: &dyn Registry) -> Kept {
    put_all(store, &[good("a/one", &[], &[])])?;
    let one = text("a one near", "and or not", "", "quoted");
    write(store, |unit| {
        unit.set_text(&repository("a/one"), &format("ccg@1"), Some(&one))
    })?;
    let found = |asked: &[&str]| read(store, |unit| Ok(unit.search(&listed(asked), 9)?.len()));
    for asked in [
        &["\"quoted\""][..],
        &["one*"],
        &["NEAR"],
        &["AND", "OR", "NOT"],
        &["^one"],
        &["-one"],
        &["one'"],
        &["{one}"],
        &["a:one"],
        &["one\0near"],
        &["(one"],
    ] {
        same(&format!("{asked:?}"), found(asked)?, 1)?;
    }
    for asked in [
        &[""][..],
        &["\""],
        &["*"],
        &["\"\"\"", "^", ":"],
        &["name:one"],
        &["one", "NEAR(x)"],
        &["NEAR(one a, 5)"],
    ] {
        same(&format!("{asked:?}"), found(asked)?, 0)?;
    }
    let many: Vec<String> = (0..10_000).map(|number| format!("w{number}")).collect();
    same("many words", read(store, |unit| Ok(unit.search(&many, 9)?.len()))?, 0)?;
    let long = vec!["o".repeat(100_000)];
    same("a long word", read(store, |unit| Ok(unit.search(&long, 9)?.len()))?, 0)
}

fn events_are_numbered(store: &dyn Registry) -> Kept {
    put_all(store, &[pending("a/One")])?;
    let id = repository("a/One");
    let add = |kind: EventKind, status: Option<Status>| write(store, |unit| unit.add_event(9, &id, kind, status));
    let first = add(EventKind::Added, Some(Status::Pending))?;
    let second = add(EventKind::Changed, Some(Status::Ok))?;
    write(store, |unit| unit.remove(&id))?;
    let third = add(EventKind::Removed, None)?;
    same("numbers", 0 < first && first < second && second < third, true)?;
    same("the last", read(store, |unit| unit.last_event())?, third)?;
    let events = read(store, |unit| unit.events(first, 9))?;
    let seen: Vec<_> = events
        .iter()
        .map(|event| (event.seq, event.id.as_str(), event.kind, event.status))
        .collect();
    let wanted = vec![
        (second, "a/One", EventKind::Changed, Some(Status::Ok)),
        (third, "a/One", EventKind::Removed, None),
    ];
    same("events", seen, wanted)?;
    let one = read(store, |unit| unit.events(0, 1))?;
    same(
        "the first",
        one.iter().map(|event| (event.seq, event.at)).collect(),
        vec![(first, 9)],
    )
}

fn audit_is_kept(store: &dyn Registry) -> Kept {
    let row = |at: Seconds, detail: Option<&str>| AuditRow {
        at,
        action: "add".to_owned(),
        subject: "a/b".to_owned(),
        detail: detail.map(str::to_owned),
    };
    let rows = [row(5, None), row(5, Some("by hand")), row(4, None)];
    write(store, |unit| rows.iter().try_for_each(|row| unit.add_audit(row)))?;
    let [_, second, third] = rows;
    same("audit", read(store, |unit| unit.audit(2))?, vec![third, second])
}

fn formats_are_kept(store: &dyn Registry) -> Kept {
    let registered = |id: &str, deprecated: Option<(Seconds, String)>| RegisteredFormat {
        id: format(id),
        schema: deprecated.is_none().then(|| "{}".to_owned()),
        added_at: 3,
        deprecated,
    };
    let deprecated = registered("b@2", Some((4, "use b@10".to_owned())));
    let formats = [
        registered("b@10", None),
        registered("b@2", None),
        registered("a@1", None),
        deprecated.clone(),
    ];
    write(store, |unit| {
        formats.iter().try_for_each(|format| unit.put_format(format))
    })?;
    let wanted = vec![registered("a@1", None), deprecated, registered("b@10", None)];
    same("formats", read(store, |unit| unit.formats())?, wanted)
}

fn removal_is_whole(store: &dyn Registry) -> Kept {
    let id = repository("a/One");
    let entry = good("a/One", &["web"], &["rust"]);
    let fill = || {
        write(store, |unit| {
            unit.put(&entry, "github.com", Some(0))?;
            unit.set_text(&id, &format("ccg@1"), Some(&text("one", "", "", "")))?;
            unit.set_terms(&id, &words(&["word"]))?;
            unit.add_event(1, &id, EventKind::Added, None)?;
            unit.add_audit(&AuditRow {
                at: 1,
                action: "add".to_owned(),
                subject: id.to_string(),
                detail: None,
            })?;
            unit.claim(&jobs::due("w", 1))?;
            unit.finish("w", &entry, &visit(2, Status::Ok), Some(3))
        })
    };
    same("finished", fill()?, true)?;
    same("removed", write(store, |unit| unit.remove(&repository("A/one")))?, true)?;
    same("removed again", write(store, |unit| unit.remove(&id))?, false)?;
    let left = read(store, |unit| {
        let is_gone = unit.entry(&id)?.is_none()
            && unit.counts()? == Counts::default()
            && unit.visits(&id, 9)?.is_empty()
            && unit.search(&listed(&["one"]), 9)?.is_empty()
            && unit.holders(&"a".repeat(64))? == 0
            && unit.next_due()?.is_none();
        let filter = Filter {
            tag: Some("web".to_owned()),
            ..Filter::default()
        };
        let is_gone = is_gone && unit.page(&filter, None, 9)?.is_empty();
        Ok((is_gone, unit.events(0, 9)?.len(), unit.audit(9)?.len()))
    })?;
    same("what is left", left, (true, 1, 1))?;
    // It is as new when it comes again.
    same("finished again", fill()?, true)?;
    let visits = read(store, |unit| unit.visits(&id, 9))?;
    same("visits", visits.len(), 1)
}

fn failing_units_leave_nothing(store: &dyn Registry) -> Kept {
    put_all(store, &[good("a/one", &["web"], &["rust"])])?;
    let state = || everything(store);
    let before = state()?;
    let failed: Result<(), String> = write(store, |unit| {
        unit.set_about(&About::default())?;
        unit.put(&pending("b/two"), "github.com", Some(1))?;
        unit.claim(&jobs::due("w", 1_000))?;
        unit.set_terms(&repository("a/one"), &words(&["word"]))?;
        unit.set_text(&repository("a/one"), &format("ccg@1"), Some(&text("one", "", "", "")))?;
        unit.add_event(1, &repository("a/one"), EventKind::Changed, None)?;
        unit.delay_host("github.com", 5_000)?;
        unit.set_swept(5)?;
        unit.join_round("w", 1, 5_000)?;
        unit.remove(&repository("a/one"))?;
        Err(OpError::new(ErrorKind::Internal, "changed its mind"))
    });
    same("told", failed, Err("changed its mind".to_owned()))?;
    same("as it was", state()?, before)?;
    same("no round", write(store, |unit| unit.join_round("v", 7, 8))?, 7)
}
