//! Pinned real packages to measure on, fetched with the ordinary clients as they are configured here.
//!
//! A package is unpacked once, into `<cache>/<corpus>/<package>-<version>`; a directory that is there is whole.

mod clients;
mod debian;

use std::path::{Path, PathBuf};
use std::thread::sleep;
use std::time::Duration;

use clap::builder::PossibleValuesParser;
use tempfile::TempDir;

use crate::{Outcome, disk};
use clients::Client;

/// A corpus: packages in one language.
#[derive(Debug)]
pub(crate) struct Corpus {
    /// The name, as on the command line.
    pub(crate) name: &'static str,
    /// What ctags calls its languages.
    pub(crate) ctags_languages: &'static str,
    /// What begins a comment.
    pub(crate) comment: &'static str,
    /// The name of a symbol in it, to ask for.
    pub(crate) symbol: &'static str,
    packages: &'static [Package],
}

/// A package of one version.
#[derive(Debug)]
struct Package {
    client: Client,
    name: &'static str,
    version: &'static str,
}

const fn package(client: Client, name: &'static str, version: &'static str) -> Package {
    Package { client, name, version }
}

/// Every corpus.
pub(crate) static CORPORA: &[Corpus] = &[
    Corpus {
        name: "django",
        ctags_languages: "Python,JavaScript",
        comment: "#",
        symbol: "QuerySet",
        packages: &[package(Client::Pip, "django", "5.2.8")],
    },
    Corpus {
        name: "typescript",
        ctags_languages: "TypeScript",
        comment: "//",
        symbol: "Observable",
        packages: &[
            package(Client::NpmSources, "rxjs", "7.8.2"),
            package(Client::NpmSources, "zod", "4.1.12"),
            package(Client::NpmSources, "effect", "3.19.0"),
        ],
    },
    Corpus {
        name: "javascript",
        ctags_languages: "JavaScript",
        comment: "//",
        symbol: "Compiler",
        packages: &[
            package(Client::Npm, "webpack", "5.102.1"),
            package(Client::Npm, "express", "5.1.0"),
            package(Client::Npm, "lodash", "4.17.21"),
        ],
    },
    Corpus {
        name: "rust",
        ctags_languages: "Rust",
        comment: "//",
        symbol: "Runtime",
        packages: &[
            package(Client::Cargo, "tokio", "1.48.0"),
            package(Client::Cargo, "regex-syntax", "0.8.8"),
            package(Client::Cargo, "clap_builder", "4.5.51"),
            package(Client::Cargo, "syn", "2.0.108"),
        ],
    },
    Corpus {
        name: "java",
        ctags_languages: "Java",
        comment: "//",
        symbol: "ImmutableList",
        packages: &[
            package(Client::Debian, "guava-libraries", "31.1"),
            package(Client::Debian, "libcommons-lang3-java", "3.12.0"),
        ],
    },
    Corpus {
        name: "go",
        ctags_languages: "Go",
        comment: "//",
        symbol: "HugoSites",
        packages: &[
            package(Client::Debian, "hugo", "0.111.3"),
            package(Client::Debian, "prometheus", "2.42.0+ds"),
        ],
    },
];

/// The names, for the command line.
pub(crate) fn names() -> PossibleValuesParser {
    PossibleValuesParser::new(CORPORA.iter().map(|corpus| corpus.name))
}

/// Fetches what is chosen and says where it is.
pub(crate) fn run(chosen: &[String]) -> Outcome<()> {
    for (corpus, directory) in fetch(chosen)? {
        println!("{:<12} {}", corpus.name, directory.display());
    }
    Ok(())
}

/// The chosen corpora, or all of them, that can be had; the others are named in a line each.
pub(crate) fn fetch(chosen: &[String]) -> Outcome<Vec<(&'static Corpus, PathBuf)>> {
    let cache = std::env::var_os("LORE_CORPORA").map_or_else(|| disk::target().join("corpora"), PathBuf::from);
    disk::make_directory(&cache)?;
    let mut fetched = Vec::new();
    for corpus in CORPORA {
        if !chosen.is_empty() && !chosen.iter().any(|name| name == corpus.name) {
            continue;
        }
        let directory = cache.join(corpus.name);
        match corpus
            .packages
            .iter()
            .try_for_each(|package| package.fetch(&cache, &directory))
        {
            Ok(()) => fetched.push((corpus, directory)),
            Err(message) => println!("{} is skipped: {message}", corpus.name),
        }
    }
    Ok(fetched)
}

impl Package {
    fn fetch(&self, cache: &Path, corpus: &Path) -> Outcome<()> {
        if self.is_there(corpus) {
            return Ok(());
        }
        println!("fetching {} {}", self.name, self.version);
        let staging = tempfile::tempdir_in(cache).map_err(|error| disk::cannot("written", cache, error))?;
        let got = self.client.fetch(self.name, self.version, staging.path())?;
        if got.version != self.version {
            println!(
                "note: {} {} is served here, not {}",
                self.name, got.version, self.version
            );
        }
        disk::rename(&got.tree, &corpus.join(format!("{}-{}", self.name, got.version)))
    }

    /// Whether it was fetched before; of a distribution's package any version will do, because it serves only one.
    fn is_there(&self, corpus: &Path) -> bool {
        if corpus.join(format!("{}-{}", self.name, self.version)).is_dir() {
            return true;
        }
        let prefix = format!("{}-", self.name);
        let any = |path: &PathBuf| {
            path.file_name()
                .is_some_and(|name| name.to_string_lossy().starts_with(&prefix))
        };
        self.client == Client::Debian && disk::entries(corpus).is_ok_and(|entries| entries.iter().any(any))
    }
}

/// A copy of a corpus to index and change, and an empty cache beside it; both are removed in the end.
pub(crate) struct Copy {
    scratch: TempDir,
}

impl Copy {
    /// Copies a corpus.
    pub(crate) fn of(directory: &Path) -> Outcome<Self> {
        /// Lore does not trust the times of files that were written just now.
        const SETTLE: Duration = Duration::from_millis(200);
        let scratch = tempfile::tempdir().map_err(|error| format!("there is no place for a copy: {error}"))?;
        let copy = Self { scratch };
        disk::copy_tree(directory, &copy.tree())?;
        sleep(SETTLE);
        Ok(copy)
    }

    /// The copy.
    pub(crate) fn tree(&self) -> PathBuf {
        self.scratch.path().join("tree")
    }

    /// The cache.
    pub(crate) fn cache(&self) -> PathBuf {
        self.scratch.path().join("cache")
    }

    /// A file beside the two.
    pub(crate) fn beside(&self, name: &str) -> PathBuf {
        self.scratch.path().join(name)
    }

    /// A command of `lore` about the copy.
    pub(crate) fn lore(&self, binary: &Path, arguments: &[&str]) -> std::process::Command {
        let mut command = std::process::Command::new(binary);
        command
            .args(arguments)
            .arg("--repo")
            .arg(self.tree())
            .arg("--cache")
            .arg(self.cache());
        command.current_dir(self.scratch.path());
        command
    }
}
