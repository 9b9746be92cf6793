//! Settings, in layers: defaults, the user's configuration, lore.toml in the repository, `LORE_*` variables, flags.
//!
//! The only place that reads the environment, once.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::io::IsTerminal;
use std::path::{Path, PathBuf};

use crate::graph::{GraphConfig, RegistryConfig};
use crate::secrets::{self, KcpConfig, SecretVariables};
use crate::small::SETTING;
use crate::web::{Web, WebConfig, WebVariables};
use clap::ArgMatches;
use lore_backends::{IndexDefaults, OwnHosts, SystemEditor, resolve_root};
use lore_specs::seam::{ErrorKind, OpError, SecretKind, Setting, Settings};
use serde::Deserialize;

/// What the process was started with.
#[derive(Clone, Debug, Default)]
pub(crate) struct Environment {
    pub(crate) arguments: Vec<OsString>,
    directory: PathBuf,
    cache: Option<PathBuf>,
    db: Option<String>,
    threads: Option<String>,
    color: Option<String>,
    refresh: Option<String>,
    no_color: bool,
    /// Where an aggregator is told of what is published.
    graph_notify: Option<String>,
    source_date_epoch: Option<String>,
    user_cache: Option<PathBuf>,
    /// The directory of what is kept for the user, and which variable named it.
    user_data: Option<(PathBuf, &'static str)>,
    user_config: Option<PathBuf>,
    home: Option<PathBuf>,
    /// What `LORE_UNIT_*` says of the agent, by setting.
    unit: BTreeMap<String, String>,
    /// What `LORE_KCP_*` says of keys and tokens.
    secrets: SecretVariables,
    /// What `LORE_WEB_*` says of hosts of the user's own network.
    web: WebVariables,
    /// Whether the allocator was told to give memory back at once, or anything else.
    pub(crate) is_small: bool,
    /// The editor that the user named.
    editor: Option<String>,
    /// The program itself.
    pub(crate) program: Option<PathBuf>,
}

impl Environment {
    /// Reads the environment.
    pub(crate) fn read() -> Self {
        let path = |name: &str| {
            std::env::var_os(name)
                .filter(|value| !value.is_empty())
                .map(PathBuf::from)
        };
        let text = |name: &str| std::env::var(name).ok().filter(|value| !value.is_empty());
        let home = path("HOME");
        let mut unit: BTreeMap<String, String> = std::env::vars_os()
            .filter_map(|(name, value)| {
                let name = name.to_str()?.strip_prefix("LORE_UNIT_")?.to_ascii_lowercase();
                Some((name, value.into_string().ok().filter(|value| !value.is_empty())?))
            })
            .collect();
        // The names that the protocol itself knows.
        for name in ["KCP_ENVIRONMENT", "NODE_ENV"] {
            if let Some(value) = text(name) {
                unit.entry("environment".to_owned()).or_insert(value);
            }
        }
        let below_home = |rest: &str| home.as_ref().map(|home| home.join(rest));
        Self {
            arguments: std::env::args_os().collect(),
            directory: std::env::current_dir().unwrap_or_default(),
            cache: path("LORE_CACHE"),
            db: text("LORE_DB"),
            threads: text("LORE_THREADS"),
            color: text("LORE_COLOR"),
            refresh: text("LORE_REFRESH"),
            no_color: std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty()),
            graph_notify: text("LORE_GRAPH_NOTIFY"),
            source_date_epoch: text("SOURCE_DATE_EPOCH"),
            user_cache: path("XDG_CACHE_HOME").or_else(|| below_home(".cache")),
            user_data: path("LORE_HOME")
                .map(|directory| (directory, "LORE_HOME"))
                .or_else(|| Some((path("XDG_DATA_HOME")?.join("lore"), "XDG_DATA_HOME")))
                .or_else(|| Some((below_home(".local/share/lore")?, DEFAULT))),
            user_config: path("LORE_CONFIG").or_else(|| {
                path("XDG_CONFIG_HOME")
                    .or_else(|| below_home(".config"))
                    .map(|directory| directory.join("lore/config.toml"))
            }),
            home: home.clone(),
            unit,
            secrets: SecretVariables::of(
                std::env::vars_os()
                    .filter_map(|(name, value)| Some((name.into_string().ok()?, value.into_string().ok()?))),
            ),
            web: WebVariables {
                hosts: text("LORE_WEB_HOSTS"),
                authorities: path("LORE_WEB_AUTHORITIES"),
            },
            is_small: std::env::var_os(SETTING).is_some(),
            editor: text("VISUAL").or_else(|| text("EDITOR")),
            program: std::env::current_exe().ok(),
        }
    }
}

/// A configuration file.
#[derive(Deserialize, Clone, Debug, Default)]
#[serde(deny_unknown_fields, default)]
struct FileConfig {
    cache: Option<PathBuf>,
    db: Option<String>,
    threads: Option<u16>,
    color: Option<String>,
    index: IndexConfig,
    languages: BTreeMap<String, String>,
    constraints: Vec<serde_json::Map<String, serde_json::Value>>,
    unit: UnitConfig,
    kcp: KcpConfig,
    memory: MemoryConfig,
    mind: MindConfig,
    graph: GraphConfig,
    web: WebConfig,
    registry: RegistryConfig,
}

/// What the mind graph records.
#[derive(Deserialize, Clone, Debug, Default)]
#[serde(deny_unknown_fields, default)]
struct MindConfig {
    touches: Option<bool>,
}

/// How memory is kept.
#[derive(Deserialize, Clone, PartialEq, Debug, Default)]
#[serde(deny_unknown_fields, default)]
struct MemoryConfig {
    synchronous: Option<String>,
    pipelines: PipelinesConfig,
}

/// The states that features and tasks go through.
#[derive(Deserialize, Clone, PartialEq, Debug, Default)]
#[serde(deny_unknown_fields, default)]
struct PipelinesConfig {
    feature: Vec<String>,
    task: Vec<String>,
}

impl MemoryConfig {
    fn values(&self, key: &str) -> Vec<String> {
        match key {
            "synchronous" => self.synchronous.iter().cloned().collect(),
            "pipelines.feature" => self.pipelines.feature.clone(),
            "pipelines.task" => self.pipelines.task.clone(),
            _ => Vec::new(),
        }
    }
}

/// What an agent is that reads the units of a manifest.
#[derive(Deserialize, Clone, PartialEq, Debug, Default)]
#[serde(deny_unknown_fields, default)]
struct UnitConfig {
    agent: Option<String>,
    environment: Option<String>,
    role: Option<String>,
    region: Option<String>,
    llm: Option<String>,
    depth: Option<u32>,
    scopes: Vec<String>,
    approvals: Vec<String>,
    capabilities: Vec<String>,
}

impl UnitConfig {
    fn values(&self, key: &str) -> Vec<String> {
        let one = |value: &Option<String>| value.iter().cloned().collect();
        match key {
            "agent" => one(&self.agent),
            "environment" => one(&self.environment),
            "role" => one(&self.role),
            "region" => one(&self.region),
            "llm" => one(&self.llm),
            "depth" => self.depth.iter().map(u32::to_string).collect(),
            "scopes" => self.scopes.clone(),
            "approvals" => self.approvals.clone(),
            "capabilities" => self.capabilities.clone(),
            _ => Vec::new(),
        }
    }
}

#[derive(Deserialize, Clone, Debug, Default)]
#[serde(deny_unknown_fields, default)]
struct IndexConfig {
    include: Option<Vec<String>>,
    exclude: Option<Vec<String>>,
    vendored: Option<bool>,
    generated: Option<bool>,
    minified: Option<bool>,
    max_file_bytes: Option<u64>,
    refresh: Option<bool>,
}

/// A value and where it came from.
#[derive(Clone, Debug)]
struct Sourced<T> {
    value: T,
    origin: String,
}

/// All settings.
#[derive(Debug)]
pub(crate) struct Config {
    environment: Environment,
    repo: Option<PathBuf>,
    /// What was named for the repository, as it was written.
    named: Option<String>,
    flags: Flags,
    user: Option<(String, FileConfig)>,
    repository: Option<(String, FileConfig)>,
    threads: Sourced<Option<usize>>,
    source_date_epoch: Option<u64>,
    web: Web,
    /// What the flags of a command say about units.
    pub(crate) unit: BTreeMap<&'static str, Vec<String>>,
}

#[derive(Debug, Default)]
struct Flags {
    cache: Option<PathBuf>,
    db: Option<String>,
    color: Option<String>,
    json: bool,
    quiet: bool,
}

const DEFAULT: &str = "default";

impl Config {
    /// Reads the layers. `named` is the path that a command took for the repository.
    pub(crate) fn load(environment: Environment, matches: &ArgMatches, named: Option<String>) -> Result<Self, OpError> {
        let path = |name: &str| matches.get_one::<String>(name).map(PathBuf::from);
        let named = named.or_else(|| matches.get_one::<String>("repo").cloned());
        let repo = named.as_ref().map(|path| environment.directory.join(path));
        let flags = Flags {
            cache: path("cache"),
            db: matches.get_one::<String>("db").cloned(),
            color: matches.get_one::<String>("color").cloned(),
            json: matches.get_flag("json"),
            quiet: matches.get_flag("quiet"),
        };
        let user = match &environment.user_config {
            Some(path) => read_user_file(path)?,
            None => None,
        };
        // A root that does not exist is the command's to complain about.
        let root = resolve_root(&environment.directory, repo.as_deref()).ok();
        let repository = match &root {
            Some(root) => read_repository_file(root)?,
            None => None,
        };
        let mut config = Self {
            environment,
            repo,
            named,
            flags,
            user,
            repository,
            threads: Sourced {
                value: None,
                origin: DEFAULT.to_owned(),
            },
            source_date_epoch: None,
            web: Web::default(),
            unit: BTreeMap::new(),
        };
        config.source_date_epoch = config.resolve_source_date_epoch()?;
        let file = config.user.as_ref().map(|(origin, file)| (origin.as_str(), &file.web));
        config.web = Web::of(&config.environment.directory, &config.environment.web, file)?;
        config.check_memory()?;
        config.threads = config.resolve_threads(matches.get_one::<u16>("threads").copied())?;
        Ok(config)
    }

    fn resolve_threads(&self, flag: Option<u16>) -> Result<Sourced<Option<usize>>, OpError> {
        if let Some(threads) = flag {
            return Ok(Sourced {
                value: Some(usize::from(threads)),
                origin: "--threads".to_owned(),
            });
        }
        if let Some(text) = &self.environment.threads {
            let threads = text.parse().ok().filter(|threads| *threads > 0);
            let threads = threads.ok_or_else(|| {
                OpError::new(
                    ErrorKind::Invalid,
                    format!("LORE_THREADS is `{text}`, not a number of threads"),
                )
            })?;
            return Ok(Sourced {
                value: Some(threads),
                origin: "LORE_THREADS".to_owned(),
            });
        }
        Ok(self.first_in_files(
            |file| {
                file.threads
                    .filter(|threads| *threads > 0)
                    .map(|threads| Some(usize::from(threads)))
            },
            None,
        ))
    }

    /// Seconds since 1970 that are now, for what is to be the same whenever it is made.
    fn resolve_source_date_epoch(&self) -> Result<Option<u64>, OpError> {
        let Some(text) = &self.environment.source_date_epoch else {
            return Ok(None);
        };
        text.parse().map(Some).map_err(|_| {
            let message = format!("SOURCE_DATE_EPOCH is `{text}`, not a number of seconds since 1970");
            OpError::new(ErrorKind::Invalid, message).hint("unset it, or give it the output of `date +%s`")
        })
    }

    /// Keys and tokens of the user's own configuration.
    fn kcp(&self) -> Option<&KcpConfig> {
        self.user.as_ref().map(|(_, file)| &file.kcp)
    }

    /// Hosts of the user's own network.
    pub(crate) fn own_hosts(&self) -> Result<OwnHosts, OpError> {
        self.web.own_hosts()
    }

    pub(crate) fn source_date_epoch(&self) -> Option<u64> {
        self.source_date_epoch
    }

    /// The first value that a configuration file gives, the repository's before the user's.
    fn first_in_files<T>(&self, get: impl Fn(&FileConfig) -> Option<T>, default: T) -> Sourced<T> {
        self.repository
            .iter()
            .chain(&self.user)
            .find_map(|(origin, file)| {
                Some(Sourced {
                    value: get(file)?,
                    origin: origin.clone(),
                })
            })
            .unwrap_or(Sourced {
                value: default,
                origin: DEFAULT.to_owned(),
            })
    }

    pub(crate) fn threads(&self) -> Option<usize> {
        self.threads.value
    }

    pub(crate) fn root(&self) -> Option<PathBuf> {
        self.repo.clone()
    }

    /// What was named for the repository, as it was written.
    pub(crate) fn named(&self) -> Option<&str> {
        self.named.as_deref()
    }

    pub(crate) fn start(&self) -> PathBuf {
        self.environment.directory.clone()
    }

    pub(crate) fn user_cache(&self) -> Option<PathBuf> {
        self.environment.user_cache.clone()
    }

    /// Where the graphs of other repositories are kept; none if there is no place for them.
    pub(crate) fn graphs(&self) -> Option<PathBuf> {
        let own = self
            .environment
            .user_data
            .as_ref()
            .filter(|(_, origin)| *origin == "LORE_HOME");
        match (own, &self.environment.user_cache) {
            (Some((directory, _)), _) => Some(directory.join("graphs")),
            (None, cache) => Some(cache.as_ref()?.join("lore").join("graphs")),
        }
    }

    /// Where the code graphs of published graphs are kept once they were opened.
    pub(crate) fn opened(&self) -> Option<PathBuf> {
        self.graphs().map(|directory| directory.join("opened"))
    }

    pub(crate) fn json(&self) -> bool {
        self.flags.json
    }

    pub(crate) fn quiet(&self) -> bool {
        self.flags.quiet
    }

    pub(crate) fn cache(&self) -> Option<PathBuf> {
        self.sourced_cache()
            .value
            .map(|path| self.environment.directory.join(path))
    }

    fn sourced_cache(&self) -> Sourced<Option<PathBuf>> {
        if let Some(cache) = &self.flags.cache {
            return Sourced {
                value: Some(cache.clone()),
                origin: "--cache".to_owned(),
            };
        }
        if let Some(cache) = &self.environment.cache {
            return Sourced {
                value: Some(cache.clone()),
                origin: "LORE_CACHE".to_owned(),
            };
        }
        self.first_in_files(|file| file.cache.clone().map(Some), None)
    }

    /// The file that memory is kept in; none if there is no place for it.
    pub(crate) fn db(&self) -> Option<PathBuf> {
        let db = self.sourced_db().value?;
        Some(self.environment.directory.join(db))
    }

    fn sourced_db(&self) -> Sourced<Option<String>> {
        let set = |value: &String, origin: &str| Sourced {
            value: Some(value.clone()),
            origin: origin.to_owned(),
        };
        if let Some(db) = &self.flags.db {
            return set(db, "--db");
        }
        if let Some(db) = &self.environment.db {
            return set(db, "LORE_DB");
        }
        if let Some((origin, db)) = self
            .user
            .as_ref()
            .and_then(|(origin, file)| Some((origin, file.db.as_ref()?)))
        {
            return set(db, origin);
        }
        let data = self.environment.user_data.as_ref();
        Sourced {
            value: data.map(|(directory, _)| directory.join("lore.db").to_string_lossy().into_owned()),
            origin: data.map_or(DEFAULT, |(_, origin)| *origin).to_owned(),
        }
    }

    fn check_memory(&self) -> Result<(), OpError> {
        let db = self.sourced_db();
        if let Some(address) = db.value.filter(|db| db.contains("://")) {
            let scheme = address.split(':').next().unwrap_or_default();
            let message = format!("{} names a database of {scheme}, which Lore cannot use yet", db.origin);
            return Err(OpError::new(ErrorKind::Invalid, message).hint("give it the path of a file"));
        }
        let file = self.user.as_ref();
        let Some((origin, word)) = file.and_then(|(origin, file)| Some((origin, file.memory.synchronous.as_ref()?)))
        else {
            return Ok(());
        };
        match word.as_str() {
            "normal" | "full" => Ok(()),
            _ => {
                let message = format!("{origin}: `memory.synchronous` is \"normal\" or \"full\", not {word:?}");
                Err(OpError::new(ErrorKind::Invalid, message))
            }
        }
    }

    /// Where the user writes texts.
    pub(crate) fn editor(&self) -> SystemEditor {
        let is_terminal = std::io::stdin().is_terminal() && std::io::stdout().is_terminal();
        SystemEditor::new(self.environment.editor.clone(), is_terminal)
    }

    pub(crate) fn colour(&self) -> bool {
        match self.sourced_color().value.as_str() {
            "always" => true,
            "never" => false,
            _ => std::io::stdout().is_terminal(),
        }
    }

    fn sourced_color(&self) -> Sourced<String> {
        if let Some(color) = &self.flags.color {
            return Sourced {
                value: color.clone(),
                origin: "--color".to_owned(),
            };
        }
        if let Some(color) = &self.environment.color {
            return Sourced {
                value: color.clone(),
                origin: "LORE_COLOR".to_owned(),
            };
        }
        if self.environment.no_color {
            return Sourced {
                value: "never".to_owned(),
                origin: "NO_COLOR".to_owned(),
            };
        }
        self.first_in_files(|file| file.color.clone(), "auto".to_owned())
    }

    fn refresh(&self) -> Sourced<bool> {
        match self.environment.refresh.as_deref() {
            Some(text) => Sourced {
                value: !matches!(text, "0" | "false" | "no" | "never"),
                origin: "LORE_REFRESH".to_owned(),
            },
            None => self.first_in_files(|file| file.index.refresh, true),
        }
    }

    /// What the configuration says about indexing a root, which may be another than the one this process started in.
    pub(crate) fn index_defaults(&self, root: &Path) -> Result<IndexDefaults, OpError> {
        let own = read_repository_file(root)?;
        let files: Vec<&IndexConfig> = own.iter().chain(&self.user).map(|(_, file)| &file.index).collect();
        Ok(IndexDefaults {
            include: files.iter().find_map(|file| file.include.clone()).unwrap_or_default(),
            exclude: files.iter().find_map(|file| file.exclude.clone()).unwrap_or_default(),
            vendored: files.iter().find_map(|file| file.vendored).unwrap_or(false),
            generated: files.iter().find_map(|file| file.generated).unwrap_or(false),
            minified: files.iter().find_map(|file| file.minified).unwrap_or(false),
            max_file_bytes: files.iter().find_map(|file| file.max_file_bytes),
            languages: languages(own.iter().chain(&self.user))
                .into_iter()
                .map(|(pattern, set)| (pattern, set.value))
                .collect(),
            refresh: self.refresh().value,
        })
    }
}

/// The patterns that name languages, those of the first file before those of the next.
fn languages<'f>(files: impl Iterator<Item = &'f (String, FileConfig)>) -> BTreeMap<String, Sourced<String>> {
    let mut found = BTreeMap::new();
    for (origin, file) in files {
        for (pattern, language) in &file.languages {
            found.entry(pattern.clone()).or_insert_with(|| Sourced {
                value: language.clone(),
                origin: origin.clone(),
            });
        }
    }
    found
}

/// Reads the lore.toml of a root. Anybody may have written it, so it has no say in where Lore writes.
fn read_repository_file(root: &Path) -> Result<Option<(String, FileConfig)>, OpError> {
    let file = read_file(&root.join("lore.toml"))?;
    match &file {
        Some((origin, config)) if config.cache.is_some() => {
            let message = format!("{origin}: `cache` cannot be set by a repository");
            Err(OpError::new(ErrorKind::Invalid, message)
                .hint("set it in your own configuration, with LORE_CACHE or with --cache"))
        }
        Some((origin, config)) if config.db.is_some() => {
            let message = format!("{origin}: `db` cannot be set by a repository");
            Err(OpError::new(ErrorKind::Invalid, message)
                .hint("set it in your own configuration, with LORE_DB or with --db"))
        }
        Some((origin, config)) if config.memory != MemoryConfig::default() => {
            let message = format!("{origin}: `memory` cannot be set by a repository");
            Err(OpError::new(ErrorKind::Invalid, message)
                .hint("one store serves all of your repositories: set it in your own configuration"))
        }
        Some((origin, config)) if config.unit != UnitConfig::default() => {
            let message = format!("{origin}: `unit` cannot be set by a repository");
            Err(OpError::new(ErrorKind::Invalid, message)
                .hint("what an agent may read is decided by who runs it: set it in your own configuration or with LORE_UNIT_*"))
        }
        Some((origin, config)) if !config.graph.is_a_proposal() => {
            let message = format!("{origin}: of `graph` a repository may set `aggregators` alone");
            Err(OpError::new(ErrorKind::Invalid, message)
                .hint("what may be asked is decided by who asks: set it in your own configuration"))
        }
        Some((origin, config)) if config.web != WebConfig::default() => {
            let message = format!("{origin}: `web` cannot be set by a repository");
            Err(OpError::new(ErrorKind::Invalid, message)
                .hint("which hosts of your network are asked is yours to say: set it in your own configuration"))
        }
        Some((origin, config)) if config.registry != RegistryConfig::default() => {
            let message = format!("{origin}: `registry` cannot be set by a repository");
            Err(OpError::new(ErrorKind::Invalid, message)
                .hint("one registry visits many repositories: set it in your own configuration"))
        }
        Some((origin, config)) if config.kcp != KcpConfig::default() => {
            let message = format!("{origin}: `kcp` cannot be set by a repository");
            Err(OpError::new(ErrorKind::Invalid, message)
                .hint("keys and tokens belong into your own configuration, or into LORE_KCP_KEY_HOST and LORE_KCP_TOKEN_ISSUER"))
        }
        _ => Ok(file),
    }
}

/// Reads the user's own configuration, which has no say in what a repository has to keep.
fn read_user_file(path: &Path) -> Result<Option<(String, FileConfig)>, OpError> {
    let file = read_file(path)?;
    match &file {
        Some((origin, config)) if !config.constraints.is_empty() => {
            let message = format!("{origin}: `constraints` belong to a repository");
            Err(OpError::new(ErrorKind::Invalid, message).hint("write them into its lore.toml"))
        }
        _ => Ok(file),
    }
}

/// Reads a configuration file; nothing if there is none.
fn read_file(path: &Path) -> Result<Option<(String, FileConfig)>, OpError> {
    let text = match std::fs::read_to_string(path) {
        Ok(text) => text,
        Err(error)
            if matches!(
                error.kind(),
                std::io::ErrorKind::NotFound | std::io::ErrorKind::NotADirectory
            ) =>
        {
            return Ok(None);
        }
        Err(error) => {
            return Err(OpError::new(
                ErrorKind::Unavailable,
                format!("{} cannot be read: {error}", path.display()),
            ));
        }
    };
    match toml::from_str(&text) {
        Ok(file) => Ok(Some((path.display().to_string(), file))),
        Err(error) => {
            let place = error.span().map_or_else(String::new, |span| {
                let before = text.get(..span.start).unwrap_or("");
                let line = before.matches('\n').count() + 1;
                let column = before.rsplit('\n').next().unwrap_or("").chars().count() + 1;
                format!(":{line}:{column}")
            });
            let message = format!("{}{place}: {}", path.display(), error.message().replace('\n', " "));
            Err(OpError::new(ErrorKind::Invalid, message).hint("correct the file, or move it away"))
        }
    }
}

impl Settings for Config {
    fn list(&self) -> Vec<Setting> {
        let mut settings = Vec::new();
        let mut add = |key: &str, value: String, origin: String| {
            settings.push(Setting {
                key: key.to_owned(),
                value,
                origin,
            });
        };
        let cache = self.sourced_cache();
        let shown = cache.value.map_or_else(
            || "\".lore/cache\"".to_owned(),
            |path| format!("{:?}", path.display().to_string()),
        );
        add("cache", shown, cache.origin);
        let db = self.sourced_db();
        let shown = db
            .value
            .map_or_else(|| "\"none\"".to_owned(), |path| format!("{path:?}"));
        add("db", shown, db.origin);
        if let Some((origin, file)) = &self.user {
            for key in ["pipelines.feature", "pipelines.task"] {
                let states = file.memory.values(key);
                if !states.is_empty() {
                    add(&format!("memory.{key}"), format!("{states:?}"), origin.clone());
                }
            }
            if let Some(directory) = &file.registry.clones {
                add("registry.clones", format!("{directory:?}"), origin.clone());
            }
            if let Some(word) = &file.memory.synchronous {
                add("memory.synchronous", format!("{word:?}"), origin.clone());
            }
        }
        let color = self.sourced_color();
        add("color", format!("{:?}", color.value), color.origin);
        let lists = [
            (
                "index.exclude",
                self.first_in_files(|file| file.index.exclude.clone(), Vec::new()),
            ),
            (
                "index.include",
                self.first_in_files(|file| file.index.include.clone(), Vec::new()),
            ),
        ];
        for (key, list) in lists {
            add(key, format!("{:?}", list.value), list.origin);
        }
        let bytes = lore_index::IndexOptions::default().max_file_bytes;
        let limit = self.first_in_files(|file| file.index.max_file_bytes, bytes);
        add("index.max_file_bytes", limit.value.to_string(), limit.origin);
        let switches = [
            (
                "index.generated",
                self.first_in_files(|file| file.index.generated, false),
            ),
            ("index.minified", self.first_in_files(|file| file.index.minified, false)),
            ("index.refresh", self.refresh()),
            ("index.vendored", self.first_in_files(|file| file.index.vendored, false)),
            ("mind.touches", self.first_in_files(|file| file.mind.touches, false)),
        ];
        for (key, switch) in switches {
            add(key, switch.value.to_string(), switch.origin);
        }
        for (pattern, language) in languages(self.repository.iter().chain(&self.user)) {
            add(
                &format!("languages.{pattern:?}"),
                format!("{:?}", language.value),
                language.origin,
            );
        }
        for (origin, file) in self.user.iter().chain(&self.repository) {
            for (key, value) in file.graph.made() {
                add(&key, value, origin.clone());
            }
        }
        for (key, value, origin) in self.web.settings() {
            add(&key, value, origin);
        }
        if let Some((origin, file)) = &self.repository {
            for (number, constraint) in file.constraints.iter().enumerate() {
                let value = serde_json::Value::Object(constraint.clone()).to_string();
                add(&format!("constraints.{}", number + 1), value, origin.clone());
            }
        }
        if let Some((origin, file)) = &self.user {
            for name in file.kcp.names() {
                add(&name, "\"(secret)\"".to_owned(), origin.clone());
            }
        }
        let threads = &self.threads;
        add(
            "threads",
            threads
                .value
                .map_or_else(|| "\"one for each core\"".to_owned(), |threads| threads.to_string()),
            threads.origin.clone(),
        );
        // Numbered keys stay in the order of the file.
        settings.sort_by_cached_key(|setting| {
            let numbered = setting.key.rsplit_once('.');
            let numbered = numbered.and_then(|(group, number)| Some((group, number.parse::<u32>().ok()?)));
            let (group, number) = numbered.unwrap_or((&setting.key, 0));
            (group.to_owned(), number)
        });
        settings
    }

    fn values(&self, key: &str) -> Vec<String> {
        if let Some(values) = self.unit.get(key) {
            return values.clone();
        }
        if key == "source_date_epoch" {
            return self.source_date_epoch.iter().map(u64::to_string).collect();
        }
        if let Some(issuer) = key.strip_prefix("kcp.hosts.") {
            return secrets::hosts(&self.environment.secrets, self.kcp(), issuer);
        }
        if key == "config.path" {
            let path = self.environment.user_config.iter();
            return path.map(|path| path.display().to_string()).collect();
        }
        if key == "graph.notify_token" {
            return self.environment.secrets.graph_token().into_iter().cloned().collect();
        }
        if let (Some(url), "graph.notify") = (&self.environment.graph_notify, key) {
            return vec![url.clone()];
        }
        if let Some(name) = key.strip_prefix("graph.") {
            let file = self.user.as_ref().map(|(_, file)| &file.graph);
            return file.map(|graph| graph.values(name)).unwrap_or_default();
        }
        if key == "registry.clones" {
            let directory = self.user.iter().filter_map(|(_, file)| file.registry.clones.clone());
            return directory.collect();
        }
        if let Some(name) = key.strip_prefix("memory.") {
            let file = self.user.as_ref().map(|(_, file)| &file.memory);
            return file.map(|memory| memory.values(name)).unwrap_or_default();
        }
        let Some(name) = key.strip_prefix("unit.") else {
            return Vec::new();
        };
        match (self.environment.unit.get(name), &self.user) {
            (Some(text), _) => text
                .split(',')
                .map(str::trim)
                .filter(|value| !value.is_empty())
                .map(str::to_owned)
                .collect(),
            (None, Some((_, file))) => file.unit.values(name),
            (None, None) => Vec::new(),
        }
    }

    fn proposed(&self, key: &str) -> Vec<String> {
        match (key, &self.repository) {
            ("graph.aggregators", Some((_, file))) => file.graph.aggregators.clone(),
            _ => Vec::new(),
        }
    }

    fn secret(&self, kind: SecretKind, host: &str) -> Option<String> {
        secrets::secret(&self.environment.secrets, self.kcp(), kind, host)
    }

    fn home(&self) -> Option<String> {
        Some(self.environment.home.as_ref()?.to_str()?.to_owned())
    }

    fn constraints(&self) -> Result<Vec<serde_json::Value>, OpError> {
        let lists = self.repository.iter().flat_map(|(_, file)| &file.constraints);
        Ok(lists.cloned().map(serde_json::Value::Object).collect())
    }
}
