//! Repositories in a directory of their own, what is written to them and what they say.

use lore_mind::patch_log::{Exchange, Exchanged, PatchLog};
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use lore_mind::import::{Format, check, plan, read};
use lore_mind::open::{Opened, open};
use lore_mind::patch::{Operation, Triple, encode};
use lore_mind::write::{Wanted, write};
use lore_mind::{Changes, Confidence, EdgePut, EdgeType, Field, Graph, Json, NodeId, Time};
use lore_model::{Cancel, NoProgress};
use lore_seam::{Ctx, ObjectId, OpError, Ports, Setting, Settings};
use tempfile::TempDir;

use super::super::GitLog;
use crate::{IndexDefaults, Repository, RepositoryOptions, SystemClock, SystemFiles, ports};

struct NoSettings;

impl Settings for NoSettings {
    fn list(&self) -> Vec<Setting> {
        Vec::new()
    }
}

/// A directory for several repositories.
pub(super) struct Yard {
    directory: TempDir,
}

impl Yard {
    pub(super) fn new() -> Self {
        Self {
            directory: TempDir::new().expect("a directory"),
        }
    }

    pub(super) fn path(&self) -> PathBuf {
        self.directory.path().canonicalize().expect("it is there")
    }

    /// A repository with nothing in it.
    pub(super) fn init(&self, name: &str, arguments: &[&str]) -> Place {
        let arguments = [&["init", "--quiet", "--initial-branch=main"], arguments, &[name]].concat();
        git(&self.path(), &arguments, "");
        self.at(name)
    }

    /// A bare repository, to be pushed to.
    pub(super) fn server(&self) -> Place {
        self.init("server", &["--bare"])
    }

    pub(super) fn clone_of(&self, from: &str, name: &str, arguments: &[&str]) -> Place {
        let arguments = [&["clone", "--quiet"], arguments, &[from, name]].concat();
        git(&self.path(), &arguments, "");
        self.at(name)
    }

    pub(super) fn at(&self, name: &str) -> Place {
        Place {
            path: self.path().join(name),
            cache: self.path().join(".cache"),
        }
    }
}

/// A repository.
#[derive(Clone)]
pub(super) struct Place {
    pub(super) path: PathBuf,
    cache: PathBuf,
}

/// Runs git; what it answers.
pub(super) fn git(directory: &Path, arguments: &[&str], input: &str) -> String {
    let (is_good, answer, said) = try_git(directory, arguments, input);
    assert!(is_good, "git {arguments:?} in {}: {said}", directory.display());
    answer
}

fn try_git(directory: &Path, arguments: &[&str], input: &str) -> (bool, String, String) {
    let mut command = lore_testing::git(directory);
    command.args(arguments);
    for who in ["AUTHOR", "COMMITTER"] {
        command.env(format!("GIT_{who}_NAME"), "Ada");
        command.env(format!("GIT_{who}_EMAIL"), "ada@example.org");
        command.env(format!("GIT_{who}_DATE"), "2026-02-10T14:30:00Z");
    }
    let output = lore_testing::finish(&mut command, input.as_bytes());
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).trim_end().to_owned();
    (output.status.success(), text(&output.stdout), text(&output.stderr))
}

impl Place {
    pub(super) fn git(&self, arguments: &[&str]) -> String {
        git(&self.path, arguments, "")
    }

    pub(super) fn git_with(&self, arguments: &[&str], input: &str) -> String {
        git(&self.path, arguments, input)
    }

    /// Whether git finds nothing wrong, and what it says.
    pub(super) fn fsck(&self) -> String {
        let (is_good, answer, said) = try_git(&self.path, &["fsck", "--no-dangling", "--no-progress"], "");
        let said: String = said.lines().filter(|line| !line.starts_with("notice: ")).collect();
        format!("{is_good}{answer}{said}")
    }

    /// Where what is kept to read faster is; empty until something is kept.
    pub(super) fn snapshots(&self) -> PathBuf {
        let git = self.file(".git").canonicalize().expect("a git directory");
        self.repository().cache_of(&git).expect("a cache").mind()
    }

    pub(super) fn file(&self, path: &str) -> PathBuf {
        self.path.join(path)
    }

    /// Commits a file; the commit's id.
    pub(super) fn commit(&self, path: &str, text: &str, message: &str) -> String {
        let file = self.file(path);
        fs::create_dir_all(file.parent().expect("a directory")).expect("directories");
        fs::write(file, text).expect("a file");
        self.git(&["add", "--all"]);
        self.git(&["commit", "--quiet", "--allow-empty", "-m", message]);
        self.git(&["rev-parse", "HEAD"])
    }

    fn repository(&self) -> Arc<Repository> {
        Arc::new(Repository::new(RepositoryOptions {
            root: None,
            start: self.path.clone(),
            cache: None,
            user_cache: Some(self.cache.clone()),
            cache_limit: None,
            defaults: Arc::new(|_: &Path| Ok(IndexDefaults::default())),
        }))
    }

    pub(super) fn log(&self) -> GitLog {
        GitLog::new(self.repository())
    }

    /// What can be asked here, so many seconds after 1970.
    pub(super) fn ctx(&self, now: u64) -> Ctx {
        let files = Arc::new(SystemFiles::new(self.path.clone()));
        Ctx {
            ports: Arc::new(Ports {
                clock: Arc::new(SystemClock::standing_at(now)),
                ..ports(&self.repository(), Arc::new(NoSettings), files, None)
            }),
            progress: Arc::new(NoProgress),
            cancel: Arc::new(Cancel::default()),
        }
    }

    pub(super) fn change(
        &self,
        now: u64,
        change: impl Fn(&Graph, &mut Changes, &Time),
    ) -> Result<Option<ObjectId>, OpError> {
        changed(&self.ctx(now), change)
    }

    pub(super) fn try_link(&self, now: u64, edge: &str) -> Result<Option<ObjectId>, OpError> {
        let (edge, put) = words(edge);
        self.change(now, |_, changes, _| changes.put_edge(edge.clone(), put.clone()))
    }

    pub(super) fn link(&self, now: u64, edge: &str) -> Option<ObjectId> {
        self.try_link(now, edge).expect("it is linked")
    }

    pub(super) fn unlink(&self, now: u64, edge: &str) -> Option<ObjectId> {
        let (edge, _) = words(edge);
        let unlinked = self.change(now, |_, changes, _| changes.remove_edge(edge.clone()));
        unlinked.expect("it is unlinked")
    }

    pub(super) fn set(&self, now: u64, id: &str, key: &str, value: &str) -> Option<ObjectId> {
        let value = Json::parse(value).expect("JSON").canonical();
        let set = self.change(now, |_, changes, _| {
            changes.put_node(&node(id), [(key.into(), value.as_str().into())]);
        });
        set.expect("it is set")
    }

    /// Imports a file that is right.
    pub(super) fn import(&self, now: u64, yaml: &str) -> Option<ObjectId> {
        let payload = read(yaml.as_bytes(), Format::Yaml);
        assert_eq!(payload.errors, []);
        let imported = write(&self.ctx(now), |graph, now| {
            let report = check(&payload, graph);
            assert_eq!(report.errors, []);
            Ok(Wanted {
                subject: "mind: import".to_owned(),
                operations: plan(&payload.payload, graph, now).operations,
                answer: (),
            })
        });
        imported.expect("it is imported").1
    }

    /// Records the graph at a commit of the code.
    pub(super) fn epoch(&self, now: u64, revision: &str) -> Option<ObjectId> {
        let commit = self.log().commit(revision, false).expect("a commit").id;
        let recorded = self.change(now, |_, changes, now| changes.epoch(commit, now.clone()));
        recorded.expect("it is recorded")
    }

    pub(super) fn open(&self, at: Option<&str>) -> Result<Opened, OpError> {
        open(&self.ctx(0), at)
    }

    /// Everything that the graph says.
    pub(super) fn said(&self) -> String {
        said(&self.open(None).expect("a graph").graph)
    }

    /// The same, at a commit of the code.
    pub(super) fn said_at(&self, revision: &str) -> Result<String, OpError> {
        Ok(said(&self.open(Some(revision))?.graph))
    }

    pub(super) fn try_sync(&self, fetch: bool, push: bool) -> Result<Exchanged, OpError> {
        let request = Exchange {
            remote: None,
            fetch,
            push,
        };
        self.log().exchange(&request, &NoProgress, &Cancel::default())
    }

    pub(super) fn sync(&self) -> Exchanged {
        self.try_sync(true, true).expect("it is exchanged")
    }

    pub(super) fn writer(&self) -> String {
        self.git(&["config", "lore.mind.writer"])
    }

    pub(super) fn own_ref(&self) -> String {
        format!("refs/lore/mind/w/{}", self.writer())
    }

    /// The references of the graph, with what they name.
    pub(super) fn refs(&self) -> String {
        self.git(&["for-each-ref", "--format=%(refname) %(objectname)", "refs/lore"])
    }
}

pub(super) fn changed(ctx: &Ctx, change: impl Fn(&Graph, &mut Changes, &Time)) -> Result<Option<ObjectId>, OpError> {
    let written = write(ctx, |graph, now| {
        let mut changes = Changes::new();
        change(graph, &mut changes, now);
        Ok(Wanted {
            subject: "mind: a change".to_owned(),
            operations: changes.into_operations(graph, now),
            answer: (),
        })
    });
    Ok(written?.1)
}

pub(super) fn node(id: &str) -> NodeId {
    NodeId::parse(id).expect("an id")
}

/// `task:A blocks task:B .5 why` as an edge; confidence and rationale may be left out.
pub(super) fn words(text: &str) -> (Triple, EdgePut) {
    let mut words = text.splitn(5, ' ');
    let mut word = || words.next().unwrap_or_default();
    let (source, kind, target) = (word(), word(), word());
    let edge = Triple {
        source: node(source),
        target: node(target),
        kind: EdgeType::from_name(kind).expect("a type"),
    };
    let confidence = match word() {
        "" => Confidence::DEFAULT,
        number => Confidence::parse(number).expect("a confidence"),
    };
    let rationale = match word() {
        "" => Field::Keep,
        why => Field::Set(why.into()),
    };
    (
        edge,
        EdgePut {
            confidence,
            rationale,
            reviewed_at: Field::Keep,
        },
    )
}

/// A graph as lines: nodes with their properties, then edges with everything about them.
pub(super) fn said(graph: &Graph) -> String {
    let mut text = String::new();
    for node in graph.nodes() {
        text.push_str(node.id());
        for (key, value) in node.properties() {
            text.push_str(&format!(" {key}={value}"));
        }
        text.push('\n');
    }
    for edge in graph.edges() {
        text.push_str(&format!("{} {} {}", edge.arrow(), edge.confidence(), edge.created_at()));
        if let Some(why) = edge.rationale() {
            text.push_str(&format!(" {why}"));
        }
        text.push('\n');
    }
    text
}

/// The message of the patch that links one edge.
pub(super) fn one_edge(lamport: u64, writer: &str, edge: &str) -> String {
    let (edge, put) = words(edge);
    let mut changes = Changes::new();
    changes.put_edge(edge, put);
    let operations: Vec<Operation> = changes.into_operations(&Graph::default(), &Time::from_millis(1_000));
    let encoded = encode("mind: link", lamport, writer, None, operations).expect("a patch");
    encoded.message
}

/// Puts a chain of patches of one edge each at a reference, by git itself: `task:0 blocks task:1`, `task:1 blocks task:2` and so on. They are in a pack.
pub(super) fn put_chain(place: &Place, writer: &str, count: u64) {
    let mut stream = String::from("feature done\n");
    for at in 0..count {
        let message = one_edge(at + 1, writer, &format!("task:{at} blocks task:{}", at + 1));
        stream.push_str(&format!(
            "commit refs/lore/mind/w/{writer}\nmark :{mark}\ncommitter Ada <ada@example.org> {time} +0000\ndata {len}\n{message}\n",
            mark = at + 1,
            time = 1_000 + at,
            len = message.len(),
        ));
        if at > 0 {
            stream.push_str(&format!("from :{at}\n"));
        }
        stream.push('\n');
    }
    stream.push_str("done\n");
    place.git_with(&["-c", "fastimport.unpackLimit=1", "fast-import", "--quiet"], &stream);
}
