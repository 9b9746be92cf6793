//! Rendering a registry in memory to a directory in memory.

use lore_ckgp::registry_store::store::Registry;
use lore_seam::PortMap;
use std::sync::{Arc, Mutex};

use lore_model::NoProgress;

use super::*;
use crate::documents::testing::{Memory, NOW, graph, ok, pending, revoked};
use crate::render::{RegistryRender, RegistryRenderRequest, state};
use lore_ckgp::registry_store::entry::Graph;
use lore_ckgp::registry_store::status::Status;
use lore_ckgp::registry_store::store::EventKind;
use lore_seam::world::World;
use lore_seam::{Stat, WriteOne, Written};

/// A directory in memory, with a log of what was done to it.
#[derive(Default)]
struct Disk {
    files: Mutex<BTreeMap<String, Vec<u8>>>,
    log: Mutex<Vec<String>>,
    /// How many files can still be written before the disk is full.
    room: Mutex<Option<usize>>,
}

impl Disk {
    fn log(&self, what: &str, path: &str) {
        self.log.lock().unwrap().push(format!("{what} {path}"));
    }

    /// What was done since it was last asked, looks at paths left out.
    fn done(&self) -> Vec<String> {
        let log = std::mem::take(&mut *self.log.lock().unwrap());
        log.into_iter().filter(|line| !line.starts_with("look")).collect()
    }

    fn text(&self, path: &str) -> String {
        let files = self.files.lock().unwrap();
        String::from_utf8(files.get(path).expect(path).clone()).unwrap()
    }

    fn json(&self, path: &str) -> serde_json::Value {
        serde_json::from_str(&self.text(path)).unwrap()
    }

    fn paths(&self) -> Vec<String> {
        self.files.lock().unwrap().keys().cloned().collect()
    }

    fn has(&self, path: &str) -> bool {
        self.files.lock().unwrap().contains_key(path)
    }

    fn all(&self) -> BTreeMap<String, Vec<u8>> {
        self.files.lock().unwrap().clone()
    }
}

impl Files for Disk {
    fn kind(&self, path: &str) -> Option<PathKind> {
        self.log("look", path);
        let files = self.files.lock().unwrap();
        let below = format!("{path}/");
        if files.contains_key(path) {
            Some(PathKind::File)
        } else {
            let next = files.range(below.clone()..).next();
            next.filter(|(known, _)| known.starts_with(&below))
                .map(|_| PathKind::Directory)
        }
    }

    fn stat(&self, path: &str) -> Option<Stat> {
        let kind = self.kind(path)?;
        let bytes = self.files.lock().unwrap().get(path).map_or(0, Vec::len) as u64;
        Some(Stat {
            kind,
            bytes,
            modified_ms: 0,
            stamp: 0,
        })
    }

    fn list(&self, path: &str) -> Result<Vec<String>, OpError> {
        let below = format!("{path}/");
        let files = self.files.lock().unwrap();
        let names = files
            .keys()
            .filter_map(|known| known.strip_prefix(&below)?.split('/').next());
        let names: BTreeSet<String> = names.map(str::to_owned).collect();
        Ok(names.into_iter().collect())
    }

    fn read(&self, path: &str, _: u64) -> Result<Vec<u8>, OpError> {
        if !path.ends_with(state::PATH) {
            self.log("read", path);
        }
        let files = self.files.lock().unwrap();
        files
            .get(path)
            .cloned()
            .ok_or_else(|| OpError::new(ErrorKind::Unavailable, path))
    }

    fn write_set(&self, paths: &[String], write: WriteOne<'_>) -> Result<Vec<Written>, OpError> {
        for (at, path) in paths.iter().enumerate() {
            let mut bytes = Vec::new();
            write(at, &mut bytes)?;
            if let Some(room) = self.room.lock().unwrap().as_mut() {
                *room = room
                    .checked_sub(1)
                    .ok_or_else(|| OpError::new(ErrorKind::Unavailable, "the disk is full"))?;
            }
            self.log("write", path);
            self.files.lock().unwrap().insert(path.clone(), bytes);
        }
        Ok(Vec::new())
    }

    fn remove(&self, path: &str) -> Result<(), OpError> {
        self.log("remove", path);
        self.files.lock().unwrap().remove(path);
        Ok(())
    }
}

fn try_render(store: &Memory, disk: &Disk, options: Options) -> Result<Rendered, OpError> {
    render(store, disk, "out", options, &NoProgress, &Cancel::default())
}

fn rendered(store: &Memory, disk: &Disk) -> Rendered {
    try_render(store, disk, Options::default()).expect("it is rendered")
}

const FULL: Options = Options {
    full: true,
    dry_run: false,
};

/// A fresh render of the same registry.
fn fresh(store: &Memory) -> BTreeMap<String, Vec<u8>> {
    let disk = Disk::default();
    rendered(store, &disk);
    disk.all()
}

fn three() -> Memory {
    Memory::of([ok("acme/shop"), pending("octo/hello"), ok("gitlab.com/group/sub/repo")])
}

fn sparse_of(id: &str) -> String {
    format!("out/{}", path::sparse(&RepositoryId::parse(id).unwrap()))
}

#[test]
fn a8_everything_is_written_the_first_time() {
    let (store, disk) = (three(), Disk::default());
    let told = rendered(&store, &disk);
    let mut wanted: Vec<String> = [
        ".lore-registry.json",
        ".nojekyll",
        ".well-known/code-graph-registry.json",
        ".well-known/index.json",
        ".well-known/repos.json",
        ".well-known/security.txt",
        "badges/acme--shop.svg",
        "badges/acme/shop.svg",
        "badges/all.svg",
        "badges/gitlab.com--group--sub--repo.svg",
        "badges/gitlab.com/group/sub/repo.svg",
        "badges/octo--hello.svg",
        "badges/octo/hello.svg",
        "changes.json",
        "index.html",
        "registry.css",
        "registry.js",
        "registry.json",
        "robots.txt",
        "sitemap.xml",
        "stats.json",
    ]
    .iter()
    .map(|path| format!("out/{path}"))
    .collect();
    wanted.extend(["acme/shop", "octo/hello", "gitlab.com/group/sub/repo"].map(sparse_of));
    wanted.sort_unstable();
    assert_eq!(disk.paths(), wanted);
    assert_eq!(told.written, wanted.len() as u64 - 1, "the state file is no document");
    assert_eq!((told.removed, told.unchanged, told.last_event), (0, 0, 3));
    assert_eq!(told.remarks, Vec::<String>::new());
    let ids: Vec<String> = disk.json("out/registry.json")["entries"]
        .as_array()
        .unwrap()
        .iter()
        .map(|entry| entry["id"].as_str().unwrap().to_owned())
        .collect();
    assert_eq!(ids, ["acme/shop", "gitlab.com/group/sub/repo", "octo/hello"]);
    assert_eq!(
        disk.json("out/.well-known/repos.json")["repos"]
            .as_array()
            .map(Vec::len),
        Some(2)
    );
    assert_eq!(disk.json("out/changes.json")["last"], 3);
    assert!(disk.text("out/badges/all.svg").contains("3 entries"));
}

#[test]
fn a8_a_second_render_of_the_same_registry_writes_nothing_and_reads_no_entry() {
    let (store, disk) = (three(), Disk::default());
    rendered(&store, &disk);
    store.reads();
    disk.done();
    let told = rendered(&store, &disk);
    assert_eq!((told.written, told.removed), (0, 0));
    assert_eq!(store.reads(), 0, "no entry is read");
    assert_eq!(disk.done(), Vec::<String>::new(), "no file is read or written");
    let full = try_render(&store, &disk, FULL).expect("it is rendered");
    assert_eq!((full.written, full.removed, full.unchanged), (0, 0, 23));
    assert!(
        disk.done().iter().all(|line| line.starts_with("read ")),
        "all is compared"
    );
}

#[test]
fn a8_after_one_change_the_files_of_that_entry_and_the_lists_alone_are_touched() {
    let mut store = Memory::of((0..500).map(|number| ok(&format!("octo/r{number:03}"))));
    let disk = Disk::default();
    rendered(&store, &disk);
    store.reads();
    disk.done();
    let mut changed = ok("octo/r250");
    changed.graphs[0].status = Status::Missing;
    store.put(changed, EventKind::Changed);
    let told = rendered(&store, &disk);
    let log = disk.done();
    let mut touched: Vec<&str> = log.iter().filter_map(|line| line.strip_prefix("write out/")).collect();
    touched.sort_unstable();
    let own = sparse_of("octo/r250");
    let mut wanted = vec![
        ".lore-registry.json",
        ".well-known/repos.json",
        "badges/octo--r250.svg",
        "badges/octo/r250.svg",
        "changes.json",
        own.strip_prefix("out/").unwrap(),
        "registry.json",
        "stats.json",
    ];
    wanted.sort_unstable();
    assert_eq!(touched, wanted);
    assert_eq!(told.written, 7);
    let read: Vec<&String> = log
        .iter()
        .filter(|line| line.contains("index/") && line.contains("read"))
        .collect();
    assert!(read.len() <= 1, "no file of another entry is read: {read:?}");
    // Each list goes over the entries once; nothing else does.
    assert_eq!(store.reads(), 1 + 2 * 500);
    assert_eq!(disk.all(), fresh(&store));
}

#[test]
fn a1_the_time_moves_only_when_an_entry_changed() {
    let (mut store, disk) = (three(), Disk::default());
    rendered(&store, &disk);
    assert_eq!(disk.json("out/registry.json")["generated_at"], "2026-11-16T08:03:00Z");
    if let Some(about) = store.about.as_mut() {
        about.name = "Other".to_owned();
    }
    let told = rendered(&store, &disk);
    assert_eq!(told.written_files, [".well-known/code-graph-registry.json"]);
    assert_eq!(disk.json("out/registry.json")["generated_at"], "2026-11-16T08:03:00Z");
    store.put(ok("acme/shop"), EventKind::Changed);
    rendered(&store, &disk);
    assert_eq!(disk.json("out/registry.json")["generated_at"], "2026-11-16T08:04:00Z");
    let empty = Disk::default();
    rendered(&Memory::of([]), &empty);
    assert_eq!(
        empty.json("out/registry.json")["generated_at"],
        lore_base::time::date_time(NOW)
    );
}

#[test]
fn a8_the_files_of_a_removed_entry_are_removed() {
    let (mut store, disk) = (three(), Disk::default());
    rendered(&store, &disk);
    store.remove("acme/shop");
    let told = rendered(&store, &disk);
    assert_eq!(told.removed, 3);
    for gone in [
        "out/badges/acme--shop.svg",
        "out/badges/acme/shop.svg",
        &sparse_of("acme/shop"),
    ] {
        assert!(!disk.has(gone), "{gone}");
    }
    assert_eq!(disk.all(), fresh(&store));
    // Where the events do not tell, everything is compared.
    store.remove("octo/hello");
    disk.files.lock().unwrap().remove("out/.lore-registry.json");
    disk.files
        .lock()
        .unwrap()
        .insert("out/badges/logo.svg".to_owned(), b"ours".to_vec());
    let told = try_render(&store, &disk, FULL).expect("it is rendered");
    assert_eq!(told.removed, 3);
    assert!(disk.has("out/badges/logo.svg"), "what is not ours stays");
    disk.files.lock().unwrap().remove("out/badges/logo.svg");
    assert_eq!(disk.all(), fresh(&store));
}

#[test]
fn s10_a_tombstone_takes_the_place_of_what_was_taken_back() {
    let (mut store, disk) = (three(), Disk::default());
    rendered(&store, &disk);
    assert!(disk.text("out/sitemap.xml").contains("acme/shop"));
    store.put(revoked("acme/shop"), EventKind::Revoked);
    rendered(&store, &disk);
    assert!(!disk.text("out/sitemap.xml").contains("acme/shop"));
    assert!(disk.text("out/badges/acme/shop.svg").contains("revoked"));
    assert_eq!(disk.json(&sparse_of("acme/shop"))["entry"]["status"], "revoked");
    for list in ["out/registry.json", "out/.well-known/repos.json"] {
        assert!(disk.text(list).contains("acme/shop"), "{list}");
        assert!(!disk.text(list).contains("raw.example/acme/shop"), "{list}");
    }
    assert!(disk.text("out/badges/all.svg").contains("2 entries"));
    store.put(ok("acme/shop"), EventKind::Restored);
    rendered(&store, &disk);
    assert!(disk.text("out/sitemap.xml").contains("acme/shop"));
    assert_eq!(disk.all(), fresh(&store));
}

#[test]
fn ruling16_a_badge_whose_name_two_share_is_that_of_the_first_whatever_the_order() {
    let mut missing = ok("a/b--c");
    missing.graphs[0].status = Status::Missing;
    let shared = "out/badges/a--b--c.svg";
    let one_by_one = |entries: [Entry; 2]| {
        let (mut store, disk) = (Memory::of([]), Disk::default());
        for entry in entries {
            store.put(entry, EventKind::Added);
            rendered(&store, &disk);
        }
        (store, disk)
    };
    for entries in [[ok("a--b/c"), missing.clone()], [missing.clone(), ok("a--b/c")]] {
        let (mut store, disk) = one_by_one(entries);
        assert!(disk.text(shared).contains("repo=a--b/c"));
        assert!(disk.text("out/badges/a/b--c.svg").contains("missing"));
        store.remove("a--b/c");
        rendered(&store, &disk);
        assert!(disk.text(shared).contains("repo=a/b--c"));
        store.remove("a/b--c");
        rendered(&store, &disk);
        assert!(!disk.has(shared));
    }
}

#[test]
fn a8_a_render_that_was_interrupted_is_run_again() {
    let store = Memory::of((0..200).map(|number| ok(&format!("octo/r{number:03}"))));
    let wanted = fresh(&store);
    for room in [0, 1, 2, 150, 400, 605, 612, 615] {
        let disk = Disk::default();
        *disk.room.lock().unwrap() = Some(room);
        let error = try_render(&store, &disk, Options::default()).expect_err("the disk is full");
        assert_eq!(error.message, "the disk is full", "{room}");
        *disk.room.lock().unwrap() = None;
        rendered(&store, &disk);
        assert_eq!(disk.all(), wanted, "{room}");
    }
    let (mut store, disk) = (three(), Disk::default());
    rendered(&store, &disk);
    store.put(revoked("acme/shop"), EventKind::Revoked);
    *disk.room.lock().unwrap() = Some(2);
    try_render(&store, &disk, Options::default()).expect_err("the disk is full");
    *disk.room.lock().unwrap() = None;
    rendered(&store, &disk);
    assert_eq!(disk.all(), fresh(&store));
    let cancel = Cancel::default();
    cancel.cancel();
    let stopped = render(&store, &Disk::default(), "out", FULL, &NoProgress, &cancel);
    assert_eq!(stopped.expect_err("it is stopped").kind, ErrorKind::Cancelled);
}

#[test]
fn a8_what_somebody_deleted_or_changed_is_mended() {
    let (store, disk) = (three(), Disk::default());
    rendered(&store, &disk);
    let wanted = disk.all();
    // Lists are seen to be missing at once.
    disk.files.lock().unwrap().remove("out/registry.json");
    disk.files
        .lock()
        .unwrap()
        .insert("out/index.html".to_owned(), b"mine".to_vec());
    let told = rendered(&store, &disk);
    assert_eq!(told.written_files, ["index.html", "registry.json"]);
    assert_eq!(disk.all(), wanted);
    // Files of entries are, when everything is compared.
    disk.files.lock().unwrap().remove("out/badges/acme/shop.svg");
    assert_eq!(rendered(&store, &disk).written, 0);
    let told = try_render(&store, &disk, FULL).expect("it is rendered");
    assert_eq!(told.written_files, ["badges/acme/shop.svg"]);
    assert_eq!(disk.all(), wanted);
    // A state file that nobody understands leads to the same.
    disk.files
        .lock()
        .unwrap()
        .insert("out/.lore-registry.json".to_owned(), b"{".to_vec());
    disk.files.lock().unwrap().remove("out/badges/acme/shop.svg");
    rendered(&store, &disk);
    assert_eq!(disk.all(), wanted);
}

#[test]
fn a8_a_store_that_began_anew_is_compared_with_everything() {
    let disk = Disk::default();
    rendered(&three(), &disk);
    let store = Memory::of([ok("acme/shop")]);
    let told = rendered(&store, &disk);
    assert_eq!(told.removed, 6);
    assert_eq!(disk.all(), fresh(&store));
}

#[test]
fn a8_files_of_somebody_else_are_not_replaced_unasked() {
    let store = three();
    let disk = Disk::default();
    disk.files
        .lock()
        .unwrap()
        .insert("out/index.html".to_owned(), b"my page".to_vec());
    let error = try_render(&store, &disk, Options::default()).expect_err("it is refused");
    assert_eq!(error.kind, ErrorKind::Refused);
    assert_eq!(
        error.message,
        "out/index.html exists, but no registry was rendered here before"
    );
    assert_eq!(disk.paths(), ["out/index.html"]);
    try_render(&store, &disk, FULL).expect("it is rendered");
    assert_eq!(disk.all(), fresh(&store));
    let disk = Disk::default();
    disk.files
        .lock()
        .unwrap()
        .insert("out/CNAME".to_owned(), b"graphs.example".to_vec());
    rendered(&store, &disk);
    assert_eq!(disk.text("out/CNAME"), "graphs.example");
    let disk = Disk::default();
    disk.files.lock().unwrap().insert("out".to_owned(), Vec::new());
    let error = try_render(&store, &disk, Options::default()).expect_err("it is a file");
    assert_eq!(error.kind, ErrorKind::Invalid);
}

#[test]
fn a8_a_dry_run_writes_nothing_and_says_what_would_be_written() {
    let (mut store, disk) = (three(), Disk::default());
    let dry = Options {
        full: false,
        dry_run: true,
    };
    let told = try_render(&store, &disk, dry).expect("it is said");
    assert_eq!((told.written, told.dry_run, disk.paths().len()), (23, true, 0));
    rendered(&store, &disk);
    store.remove("acme/shop");
    let before = disk.all();
    let told = try_render(&store, &disk, dry).expect("it is said");
    assert_eq!(disk.all(), before);
    let really = rendered(&store, &disk);
    assert_eq!(
        (told.written_files, told.removed_files),
        (really.written_files, really.removed_files)
    );
}

#[test]
fn a5_without_an_address_and_a_contact_what_needs_them_is_left_out_and_that_is_said() {
    let (mut store, disk) = (three(), Disk::default());
    rendered(&store, &disk);
    let about = store.about.as_mut().unwrap();
    (about.url, about.contact) = (None, None);
    let told = rendered(&store, &disk);
    assert_eq!(told.remarks.len(), 2);
    assert_eq!(told.removed_files, [".well-known/security.txt", "sitemap.xml"]);
    assert!(!disk.text("out/robots.txt").contains("Sitemap"));
    assert_eq!(disk.all(), fresh(&store));
    let again = rendered(&store, &disk);
    assert_eq!((again.written, again.remarks.len()), (0, 2));
}

#[test]
fn a5_a_sitemap_of_many_entries_is_several_files_and_shrinks_again() {
    let name = |number: usize| format!("octo/r{number:05}");
    let mut store = Memory::of((0..50_001).map(|number| pending(&name(number))));
    store.events.drain(..store.events.len() - 2);
    let disk = Disk::default();
    rendered(&store, &disk);
    assert!(disk.text("out/sitemap.xml").contains("/sitemap-2.xml"));
    assert_eq!(disk.text("out/sitemap-1.xml").matches("<url>").count(), 50_000);
    assert_eq!(disk.text("out/sitemap-2.xml").matches("<url>").count(), 1);
    store.remove(&name(7));
    let told = rendered(&store, &disk);
    assert_eq!(disk.text("out/sitemap.xml").matches("<url>").count(), 50_000);
    assert!(!disk.has("out/sitemap-1.xml") && !disk.has("out/sitemap-2.xml"));
    assert_eq!(told.removed, 3 + 2);
    assert!(told.written < 12, "{told:?}");
}

#[test]
fn a8_entries_with_odd_names_stop_no_render() {
    let mut group = ok("gitlab.com/g/r.json/s");
    group.graphs.push(Graph {
        description: Some("<script>alert(1)</script>".to_owned()),
        ..graph("gitlab.com/g/r.json/s", "bundle@1")
    });
    let entries = [
        ok("all.svg/x"),
        ok("gitlab.com/x.svg/r"),
        ok("gitlab.com/g/r"),
        group,
        ok("a--b--c--d--e/f--g--h--i"),
        ok(&format!(
            "gitlab.com/{}/{}/{}",
            "g".repeat(100),
            "k".repeat(100),
            "r".repeat(100)
        )),
    ];
    let (store, disk) = (Memory::of(entries), Disk::default());
    rendered(&store, &disk);
    let paths = disk.paths();
    for (at, file) in paths.iter().enumerate() {
        let below = format!("{file}/");
        assert!(
            !paths.iter().skip(at + 1).any(|other| other.starts_with(&below)),
            "{file} is a file and a directory"
        );
        assert!(file.split('/').all(|part| part.len() <= 220), "{file}");
        assert_eq!(file.to_ascii_lowercase(), *file);
    }
}

#[test]
fn a8_no_registry_is_no_directory() {
    let store = Memory {
        about: None,
        ..Memory::of([])
    };
    let disk = Disk::default();
    let error = try_render(&store, &disk, Options::default()).expect_err("there is none");
    assert_eq!((error.kind, error.hints.len()), (ErrorKind::NotFound, 1));
    assert_eq!(disk.paths().len(), 0);
}

#[test]
fn a8_the_command_renders_what_the_registry_holds() {
    use lore_seam::{Operation as _, Page, Render as _, Style};
    let world = Arc::new(World {
        facets: PortMap::default().with::<dyn Registry>(Arc::new(three())),
        ..World::default()
    });
    let request = RegistryRenderRequest {
        directory: "public".to_owned(),
        ..RegistryRenderRequest::default()
    };
    let answer = RegistryRender::run(&world.ctx(), request.clone()).expect("it is rendered");
    assert_eq!(answer.value.written, 23);
    assert!(world.written.lock().unwrap().contains_key("public/registry.json"));
    let mut page = Page::new(Style::default());
    answer.value.render(&mut page);
    let text = page.into_text();
    assert!(text.contains("written: registry.json\n"), "{text}");
    assert!(
        text.ends_with("public: 23 written, 0 removed, 0 unchanged, up to event 3\n"),
        "{text}"
    );
    let again = RegistryRender::run(&world.ctx(), request).expect("it is rendered");
    assert_eq!(again.value.written, 0);
    for bad in ["", "-"] {
        let request = RegistryRenderRequest {
            directory: bad.to_owned(),
            ..RegistryRenderRequest::default()
        };
        assert_eq!(
            RegistryRender::run(&world.ctx(), request).err().map(|error| error.kind),
            Some(ErrorKind::Invalid)
        );
    }
}
