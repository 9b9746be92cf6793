//! Forges on this machine: real repositories of git, whose files, refs and counts are served as GitHub, GitLab and Gitea serve them.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

use tempfile::TempDir;

use crate::server::{Answer, Connection, Request, Server, Then, reply};

/// Answers that stand in for those of the repositories, by host and path.
type Scripts = Arc<Mutex<BTreeMap<String, Arc<Answer>>>>;

/// Directories that are served as they are, by host.
type Directories = Arc<Mutex<BTreeMap<String, PathBuf>>>;

/// The forges.
pub(crate) struct Forge {
    root: TempDir,
    pub(crate) server: Server,
    scripts: Scripts,
    directories: Directories,
}

impl Forge {
    pub(crate) fn new() -> Self {
        let root = TempDir::new().expect("a directory");
        let (scripts, directories) = (Scripts::default(), Directories::default());
        let (place, known, served) = (root.path().to_owned(), Arc::clone(&scripts), Arc::clone(&directories));
        let answer = move |request: &Request, stream: &mut Connection| {
            let name = format!("{}{}", request.host, request.path);
            let script = known.lock().expect("whole").get(&name).cloned();
            let directory = served.lock().expect("whole").get(&request.host).cloned();
            match (script, directory) {
                (Some(script), _) => script(request, stream),
                (None, Some(directory)) => file(&directory, request, stream),
                (None, None) => serve(&place, request, stream),
            }
        };
        Self {
            server: Server::new(Arc::new(answer)),
            root,
            scripts,
            directories,
        }
    }

    /// A directory is served at a host from now on.
    pub(crate) fn directory(&self, host: &str, directory: PathBuf) {
        self.directories
            .lock()
            .expect("whole")
            .insert(host.to_owned(), directory);
    }

    /// What is answered at an address (`host/path`) from now on, whatever the repositories have.
    pub(crate) fn script(&self, at: &str, answer: impl Fn(&Request, &mut Connection) -> Then + Send + Sync + 'static) {
        let at = at.trim_start_matches("https://").to_owned();
        self.scripts.lock().expect("whole").insert(at, Arc::new(answer));
    }

    /// An answer without a body from now on.
    pub(crate) fn status(&self, at: &str, status: &'static str) {
        self.script(at, move |_, stream| reply(stream, status, &[], b""));
    }

    /// A page from now on, with a mark.
    pub(crate) fn page(&self, at: &str, body: impl Into<Vec<u8>>) {
        let body = body.into();
        self.script(at, move |_, stream| reply(stream, "200 OK", &[], &body));
    }

    /// The repositories answer again.
    pub(crate) fn plain(&self, at: &str) {
        self.scripts
            .lock()
            .expect("whole")
            .remove(at.trim_start_matches("https://"));
    }

    /// A repository, made if it is not there: `owner/repo` of GitHub, or `host/owner/repo`.
    pub(crate) fn repository(&self, id: &str) -> Repository<'_> {
        let full = match id.matches('/').count() {
            1 => format!("github.com/{id}"),
            _ => id.to_owned(),
        };
        let directory = self.root.path().join(format!("{full}.git"));
        if !directory.exists() {
            std::fs::create_dir_all(&directory).expect("a directory");
            git(&directory, &["init", "--quiet", "--bare", "--initial-branch=main"], b"");
        }
        let (host, path) = full.split_once('/').expect("a host");
        Repository {
            _forge: self,
            directory,
            host: host.to_owned(),
            path: path.to_owned(),
        }
    }

    /// Gives a repository another name, to which the forge redirects from then on.
    pub(crate) fn rename(&self, from: &str, to: &str) {
        let (old, new) = (self.repository(from), self.repository(to));
        std::fs::remove_dir_all(&new.directory).expect("made just now");
        std::fs::rename(&old.directory, &new.directory).expect("renamed");
        std::fs::write(old.directory.with_extension("moved"), &new.path).expect("written");
    }

    /// Deletes a repository.
    pub(crate) fn delete(&self, id: &str) {
        std::fs::remove_dir_all(self.repository(id).directory).expect("deleted");
    }
}

/// A repository on a forge.
pub(crate) struct Repository<'f> {
    _forge: &'f Forge,
    pub(crate) directory: PathBuf,
    host: String,
    path: String,
}

impl Repository<'_> {
    /// Commits files to the default branch; those without content are deleted. The commit.
    pub(crate) fn commit(&self, files: &[(&str, Option<&[u8]>)]) -> String {
        let branch = git(&self.directory, &["symbolic-ref", "HEAD"], b"");
        let branch = branch.trim();
        let mut input =
            format!("commit {branch}\ncommitter T <t@lore.test> 1790000000 +0000\ndata 1\nx\n").into_bytes();
        if !git(&self.directory, &["for-each-ref", branch], b"").is_empty() {
            input.extend(format!("from {branch}^0\n").bytes());
        }
        for (path, content) in files {
            match content {
                Some(content) => {
                    input.extend(format!("M 100644 inline {path}\ndata {}\n", content.len()).bytes());
                    input.extend(*content);
                    input.push(b'\n');
                }
                None => input.extend(format!("D {path}\n").bytes()),
            }
        }
        git(&self.directory, &["fast-import", "--quiet", "--force"], &input);
        self.head()
    }

    /// The tip of the default branch.
    pub(crate) fn head(&self) -> String {
        git(&self.directory, &["rev-parse", "HEAD"], b"").trim().to_owned()
    }

    /// Where a file is served as it is.
    pub(crate) fn raw(&self, path: &str) -> String {
        let Self {
            host, path: repository, ..
        } = self;
        match kind(host) {
            Kind::GitHub => format!("https://raw.githubusercontent.com/{repository}/HEAD/{path}"),
            Kind::GitLab => format!("https://{host}/{repository}/-/raw/HEAD/{path}"),
            Kind::Gitea => format!("https://{host}/{repository}/raw/branch/HEAD/{path}"),
        }
    }

    /// Where the record is served.
    pub(crate) fn record(&self) -> String {
        self.raw(".well-known/code-graph.json")
    }

    /// Publishes graphs, each at `<format>.json`, and a record that names them. The commit.
    pub(crate) fn publish(&self, graphs: &[(&str, &[u8])]) -> String {
        let descriptors: Vec<serde_json::Value> = graphs
            .iter()
            .map(|(format, _)| serde_json::json!({"format": format, "graph_url": self.raw(&format!("{format}.json"))}))
            .collect();
        let record = serde_json::json!({"schema_version": 1, "graphs": descriptors}).to_string();
        let names: Vec<String> = graphs.iter().map(|(format, _)| format!("{format}.json")).collect();
        let mut files: Vec<(&str, Option<&[u8]>)> = vec![(".well-known/code-graph.json", Some(record.as_bytes()))];
        for (name, (_, body)) in names.iter().zip(graphs) {
            files.push((name, Some(body)));
        }
        self.commit(&files)
    }
}

#[derive(Clone, Copy)]
enum Kind {
    GitHub,
    GitLab,
    Gitea,
}

fn kind(host: &str) -> Kind {
    match host {
        host if host.contains("gitlab") || host.starts_with("bad") => Kind::GitLab,
        host if host.contains("gitea") || host.contains("codeberg") => Kind::Gitea,
        _ => Kind::GitHub,
    }
}

/// Runs git, and gives what it prints.
pub(crate) fn git(directory: &Path, arguments: &[&str], input: &[u8]) -> String {
    let output = lore_testing::finish(lore_testing::git(directory).args(arguments), input);
    assert!(
        output.status.success(),
        "git {arguments:?}: {}",
        String::from_utf8_lossy(&output.stderr)
    );
    String::from_utf8_lossy(&output.stdout).into_owned()
}

/// A file of a directory.
fn file(directory: &Path, request: &Request, stream: &mut Connection) -> Then {
    match std::fs::read(directory.join(request.path.trim_start_matches('/'))) {
        Ok(bytes) => reply(stream, "200 OK", &[], &bytes),
        Err(_) => reply(stream, "404 Not Found", &[], b""),
    }
}

/// What a forge answers.
fn serve(root: &Path, request: &Request, stream: &mut Connection) -> Then {
    let path = request.path.trim_start_matches('/');
    let repository = |host: &str, name: &str| root.join(host).join(format!("{name}.git"));
    let missing = |stream: &mut Connection| reply(stream, "404 Not Found", &[], b"404: Not Found");
    if let Some((name, rest)) = path.split_once(".git/") {
        let directory = repository(&request.host, name);
        return match moved(&directory) {
            Some(to) => redirect(stream, &format!("https://{}/{to}.git/{rest}", request.host)),
            None if directory.is_dir() => smart(root, request, stream),
            None => missing(stream),
        };
    }
    if let Some((name, base, tip)) = compared(request) {
        let host = if request.host == "api.github.com" {
            "github.com"
        } else {
            &request.host
        };
        return counted(&repository(host, &name), host, &base, &tip, stream);
    }
    let Some((host, name, at, file)) = raw(request) else {
        return missing(stream);
    };
    let directory = repository(&host, &name);
    if let Some(to) = moved(&directory) {
        let from = format!("/{name}/");
        return redirect(
            stream,
            &format!(
                "https://{}{}",
                request.host,
                request.path.replacen(&from, &format!("/{to}/"), 1)
            ),
        );
    }
    if !directory.is_dir() {
        return missing(stream);
    }
    let object = lore_testing::output(lore_testing::git(&directory).args([
        "rev-parse",
        "--verify",
        "--quiet",
        &format!("{at}:{file}"),
    ]));
    if !object.status.success() {
        return missing(stream);
    }
    let object = String::from_utf8_lossy(&object.stdout).trim().to_owned();
    let mark = format!("\"{object}\"");
    if request.header("if-none-match") == Some(&mark) {
        return reply(stream, "304 Not Modified", &[("ETag", &mark)], b"");
    }
    let blob = lore_testing::output(lore_testing::git(&directory).args(["cat-file", "blob", &object]));
    reply(
        stream,
        "200 OK",
        &[("ETag", &mark), ("Content-Type", "text/plain; charset=utf-8")],
        &blob.stdout,
    )
}

/// The name that a repository has now.
fn moved(directory: &Path) -> Option<String> {
    std::fs::read_to_string(directory.with_extension("moved")).ok()
}

fn redirect(stream: &mut Connection, to: &str) -> Then {
    reply(stream, "301 Moved Permanently", &[("Location", to)], b"")
}

/// Host, repository, state and file that a raw address names.
fn raw(request: &Request) -> Option<(String, String, String, String)> {
    let path = request.path.trim_start_matches('/');
    let owned = |host: &str, name: &str, at: &str, file: &str| {
        (host.to_owned(), name.to_owned(), at.to_owned(), file.to_owned())
    };
    if request.host == "raw.githubusercontent.com" {
        let mut parts = path.splitn(4, '/');
        let (owner, repo, at, file) = (parts.next()?, parts.next()?, parts.next()?, parts.next()?);
        return Some(owned("github.com", &format!("{owner}/{repo}"), at, file));
    }
    let (name, rest) = match kind(&request.host) {
        Kind::GitLab => path.split_once("/-/raw/")?,
        _ => path.split_once("/raw/branch/")?,
    };
    let (at, file) = rest.split_once('/')?;
    Some(owned(&request.host, name, at, file))
}

/// Repository and commits that are to be compared.
fn compared(request: &Request) -> Option<(String, String, String)> {
    if request.host == "api.github.com" || request.path.starts_with("/api/v1/repos/") {
        let path = request.path.trim_start_matches("/api/v1");
        let (name, commits) = path.strip_prefix("/repos/")?.split_once("/compare/")?;
        let (base, tip) = commits.split_once("...")?;
        return Some((name.to_owned(), base.to_owned(), tip.to_owned()));
    }
    let rest = request.path.strip_prefix("/api/v4/projects/")?;
    let name = rest.strip_suffix("/repository/compare")?.replace("%2F", "/");
    let value = |key: &str| {
        let mut pairs = request.query.split('&').filter_map(|pair| pair.split_once('='));
        pairs.find(|(name, _)| *name == key).map(|(_, value)| value.to_owned())
    };
    Some((name, value("from")?, value("to")?))
}

/// What the forge counts, in its own form: both ways, as git counts them.
fn counted(directory: &Path, host: &str, base: &str, tip: &str, stream: &mut Connection) -> Then {
    let count = |from: &str, to: &str| {
        let output =
            lore_testing::output(lore_testing::git(directory).args(["rev-list", "--count", &format!("{from}..{to}")]));
        let text = String::from_utf8_lossy(&output.stdout).trim().to_owned();
        text.parse::<usize>().ok().filter(|_| output.status.success())
    };
    let (Some(ahead), Some(behind)) = (count(base, tip), count(tip, base)) else {
        return reply(stream, "404 Not Found", &[], b"{}");
    };
    let answer = match kind(host) {
        Kind::GitHub => serde_json::json!({"ahead_by": ahead, "behind_by": behind, "commits": []}),
        Kind::GitLab => serde_json::json!({"commits": vec![1; ahead], "compare_timeout": false}),
        Kind::Gitea => serde_json::json!({"total_commits": ahead}),
    };
    reply(stream, "200 OK", &[], answer.to_string().as_bytes())
}

/// git's own answer to a question of its protocol.
fn smart(root: &Path, request: &Request, stream: &mut Connection) -> Then {
    let mut command = lore_testing::git(root);
    command
        .arg("http-backend")
        .env("GIT_PROJECT_ROOT", root.join(&request.host))
        .env("GIT_HTTP_EXPORT_ALL", "1")
        .env("PATH_INFO", &request.path)
        .env("REQUEST_METHOD", &request.method)
        .env("QUERY_STRING", &request.query)
        .env("CONTENT_TYPE", request.header("content-type").unwrap_or_default())
        .env("CONTENT_LENGTH", request.body.len().to_string())
        .env("GIT_PROTOCOL", request.header("git-protocol").unwrap_or_default());
    let output = lore_testing::finish(&mut command, &request.body).stdout;
    let end = output
        .windows(4)
        .position(|bytes| bytes == b"\r\n\r\n")
        .expect("a head");
    let head = String::from_utf8_lossy(&output[..end]).into_owned();
    let headers: Vec<(&str, &str)> = head.lines().filter_map(|line| line.split_once(": ")).collect();
    let status = headers.iter().find(|(name, _)| *name == "Status");
    let status = status.map_or("200 OK", |(_, status)| status).to_owned();
    let headers: Vec<(&str, &str)> = headers.into_iter().filter(|(name, _)| *name != "Status").collect();
    reply(stream, &status, &headers, &output[end + 4..])
}
