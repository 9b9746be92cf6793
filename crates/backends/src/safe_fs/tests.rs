//! What links, devices and names of strangers can and cannot do.

use std::fs;
use std::io::Write;
use std::os::unix::fs::symlink;
use std::path::PathBuf;

use tempfile::TempDir;

use super::*;

/// A directory `inside` that is attacked, and `outside` beside it that must not change.
fn scene() -> (TempDir, PathBuf, PathBuf) {
    let base = tempfile::tempdir().expect("a directory");
    let root = base.path().canonicalize().expect("it exists");
    for name in ["inside", "outside"] {
        fs::create_dir(root.join(name)).expect("made");
    }
    fs::write(root.join("outside/victim"), "kept").expect("written");
    (base, root.join("inside"), root.join("outside"))
}

fn names(directory: &Path) -> Vec<String> {
    let entries = fs::read_dir(directory).expect("a directory");
    let mut names: Vec<String> = entries
        .map(|entry| entry.expect("an entry").file_name().to_string_lossy().into_owned())
        .collect();
    names.sort();
    names
}

fn pipe(path: &Path) {
    lore_testing::run(std::process::Command::new("mkfifo").arg(path));
}

#[test]
fn a_file_is_replaced_in_one_step_and_nothing_is_left() {
    let (_base, inside, outside) = scene();
    let directory = Directory::open(&inside).expect("opened");
    directory.replace("a", b"one").expect("written");
    directory.replace("a", b"two").expect("written");
    assert_eq!(fs::read(inside.join("a")).expect("read"), b"two");
    let failed = directory.replace_with("a", |file| {
        file.write_all(b"half")?;
        Err(io::Error::other("stopped"))
    });
    assert!(failed.is_err());
    assert_eq!(fs::read(inside.join("a")).expect("read"), b"two");
    // A link in the place of the file is replaced and not followed.
    symlink(outside.join("victim"), inside.join("link")).expect("linked");
    directory.replace("link", b"new").expect("written");
    assert!(fs::symlink_metadata(inside.join("link")).expect("there").is_file());
    assert_eq!(fs::read(outside.join("victim")).expect("read"), b"kept");
    assert_eq!(names(&inside), ["a", "link"]);
}

#[test]
fn a_file_with_a_temporary_name_is_made_exclusively_and_removed_if_it_is_not_finished() {
    let (_base, inside, _) = scene();
    let directory = Directory::open(&inside).expect("opened");
    let (first, second) = (pending::random_name(), pending::random_name());
    assert_ne!(first, second);
    symlink("/dev/null", inside.join(&first)).expect("linked");
    let taken = directory
        .handle
        .file(first.as_ref(), handle::Open::New, handle::Access::Shared);
    assert_eq!(taken.expect_err("it exists").kind(), io::ErrorKind::AlreadyExists);
    fs::remove_file(inside.join(&first)).expect("removed");
    drop(directory.begin("x").expect("begun"));
    assert_eq!(names(&inside), Vec::<String>::new());
}

#[test]
fn names_that_are_paths_are_refused() {
    let (_base, inside, outside) = scene();
    let directory = Directory::open(&inside).expect("opened");
    let absolute = outside.join("victim").display().to_string();
    for name in ["", ".", "..", "../outside/victim", "a/b", &absolute] {
        assert!(directory.replace(name, b"new").is_err(), "{name}");
        assert!(directory.remove_file(name).is_err(), "{name}");
        assert!(directory.read(name, 9).is_err(), "{name}");
    }
    assert!(directory.make_beneath("../outside").is_err());
    assert_eq!(names(&outside), ["victim"]);
}

#[test]
fn only_regular_files_are_read_appended_to_and_removed() {
    let (_base, inside, outside) = scene();
    symlink(outside.join("victim"), inside.join("link")).expect("linked");
    symlink(outside.join("new"), inside.join("dangling")).expect("linked");
    symlink("/dev/zero", inside.join("device")).expect("linked");
    fs::create_dir(inside.join("directory")).expect("made");
    pipe(&inside.join("pipe"));
    let directory = Directory::open(&inside).expect("opened");
    for name in ["link", "dangling", "device", "directory", "pipe"] {
        assert!(directory.read(name, 9).is_err(), "{name}");
        assert!(directory.append(name).is_err(), "{name}");
        assert!(directory.lock_file(name).is_err(), "{name}");
        assert!(directory.remove_file(name).is_err(), "{name}");
    }
    assert!(read_bounded_file(&inside.join("link"), 9).is_err());
    assert!(read_bounded_own_file(&inside.join("device"), 9).is_err());
    assert!(read_bounded_own_file(&inside.join("pipe"), 9).is_err());
    let own = read_bounded_own_file(&inside.join("link"), 9).expect("read");
    assert_eq!(own.as_deref(), Some(&b"kept"[..]));
    assert_eq!(read_bounded_file(&inside.join("none"), 9).expect("nothing"), None);
    assert!(
        read_bounded_file(&outside.join("victim"), 3).is_err(),
        "it has four bytes"
    );
    assert_eq!((names(&inside).len(), names(&outside)), (5, vec!["victim".to_owned()]));
}

#[test]
fn directories_are_opened_and_made_without_links() {
    let (_base, inside, outside) = scene();
    symlink(&outside, inside.join("link")).expect("linked");
    let directory = Directory::open(&inside).expect("opened");
    assert!(directory.make_beneath("link").is_err());
    assert!(directory.make_beneath("link/below").is_err());
    let below = directory.make_beneath("a/b").expect("made");
    below.append("log").expect("opened").write_all(b"one").expect("written");
    below.append("log").expect("opened").write_all(b"two").expect("written");
    assert_eq!(fs::read(inside.join("a/b/log")).expect("read"), b"onetwo");
    assert!(directory.remove_directory("link").is_err());
    assert!(directory.remove_directory("a").is_err(), "it is not empty");
    assert_eq!(names(&outside), ["victim"]);
}

#[test]
fn a_sweep_takes_only_old_regular_files_with_names_of_ours() {
    let (_base, inside, outside) = scene();
    let old = |name: &str| {
        let file = fs::File::create(inside.join(name)).expect("made");
        let time = std::time::SystemTime::now() - LEFT - Duration::from_secs(9);
        file.set_modified(time).expect("set");
    };
    let temporary = pending::random_name();
    let young = pending::random_name();
    let link = pending::random_name();
    for name in [temporary.as_str(), "notes.new.txt", ".lore-new-", "x.new.1-0"] {
        old(name);
    }
    fs::write(inside.join(&young), "").expect("written");
    symlink(outside.join("victim"), inside.join(&link)).expect("linked");
    sweep_inside(&inside);
    let mut left = vec!["notes.new.txt", ".lore-new-", "x.new.1-0", &young, &link];
    left.sort_unstable();
    assert_eq!(names(&inside), left);
}

#[test]
fn a_path_is_resolved_inside_and_refused_outside() {
    let (_base, inside, outside) = scene();
    fs::create_dir_all(inside.join("docs/deep")).expect("made");
    fs::write(inside.join("docs/page"), "page").expect("written");
    for (link, target) in [
        ("same", "docs/page".to_owned()),
        ("twice", "same".to_owned()),
        ("directory", "docs".to_owned()),
        ("around", "../inside/docs".to_owned()),
        ("absolute", inside.join("docs").display().to_string()),
        ("out", "../outside/victim".to_owned()),
        ("above", "..".to_owned()),
        ("away", outside.display().to_string()),
        ("hidden", "docs/deep/../../../outside".to_owned()),
        ("loop", "loop".to_owned()),
        ("nowhere", "none/x".to_owned()),
    ] {
        symlink(target, inside.join(link)).expect("linked");
    }
    let resolver = Resolver::confined(&inside).expect("resolved");
    let resolved = |path: &str| resolver.resolve(Path::new(path));
    for path in [
        "docs/page",
        "same",
        "twice",
        "directory/page",
        "around/page",
        "absolute/page",
    ] {
        let place = resolved(path).expect(path);
        assert_eq!(place.inside(), Some(PathBuf::from("docs/page")), "{path}");
        assert!(place.open().expect(path).is_some(), "{path}");
    }
    for (path, link) in [
        ("out", "out"),
        ("above/outside/victim", "above"),
        ("away/victim", "away"),
        ("away/new", "away"),
        ("hidden/victim", "hidden"),
    ] {
        match resolved(path) {
            Err(Fault::LeadsOut(found)) => assert_eq!(found, Path::new(link), "{path}"),
            other => panic!("{path}: {other:?}"),
        }
    }
    assert!(matches!(resolved("loop"), Err(Fault::Io(_))));
    assert!(matches!(resolved("docs/page/x"), Err(Fault::NotADirectory(_))));
    let nowhere = resolved("nowhere").expect("it is inside");
    assert_eq!(nowhere.dangling(), Some(Path::new("nowhere")));
    let new = resolved("directory/new/file").expect("it is inside");
    assert_eq!((new.kind(), new.dangling()), (None, None));
    let mut pending = new.begin().expect("begun");
    pending.file().write_all(b"x").expect("written");
    pending.finish().expect("finished");
    assert_eq!(fs::read(inside.join("docs/new/file")).expect("read"), b"x");
    resolved("docs/new/file")
        .expect("there")
        .remove(usize::MAX)
        .expect("removed");
    assert_eq!(names(&inside.join("docs")), ["deep", "page"]);
    assert_eq!(names(&outside), ["victim"]);
}

#[test]
fn a_directory_that_is_open_stays_the_same_when_its_name_becomes_a_link() {
    let (_base, inside, outside) = scene();
    fs::create_dir(inside.join("a")).expect("made");
    let place = Resolver::confined(&inside)
        .and_then(|resolver| match resolver.resolve(Path::new("a/file")) {
            Ok(place) => Ok(place),
            Err(_) => Err(io::Error::other("refused")),
        })
        .expect("resolved");
    fs::rename(inside.join("a"), inside.join("b")).expect("renamed");
    symlink(&outside, inside.join("a")).expect("linked");
    place.begin().and_then(Pending::finish).expect("written");
    assert_eq!(names(&inside.join("b")), ["file"]);
    assert_eq!(names(&outside), ["victim"]);
}
