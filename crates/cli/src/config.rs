//! Settings, in layers: defaults, what the repository's lore.toml proposes, the user's configuration, `LORE_*` variables, flags.
//!
//! The only place that reads the environment, once.
#![expect(clippy::disallowed_methods, reason = "the one place that reads the environment")]

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::io::IsTerminal;
use std::path::{Path, PathBuf};

use crate::repository_file::{self, RepositoryFile};
use crate::restart::SETTING;
use crate::secrets::{self, KcpConfig, SecretVariables};
use crate::user_file::{self, IndexConfig, UserFile};
use crate::web::{Web, WebVariables};
use clap::ArgMatches;
use lore_backends::{DEFAULT_CACHE_LIMIT, IndexDefaults, OwnHosts, SystemEditor, default_max_file_bytes, resolve_root};
use lore_seam::{ErrorKind, OpError, SecretKind, Setting, Settings};

/// The arguments, the working directory and the environment variables of the process.
#[derive(Clone, Debug, Default)]
pub(crate) struct Environment {
    pub(crate) arguments: Vec<OsString>,
    directory: PathBuf,
    cache: Option<PathBuf>,
    cache_max_bytes: Option<String>,
    db: Option<String>,
    threads: Option<String>,
    color: Option<String>,
    refresh: Option<String>,
    ignore_repository_rules: Option<String>,
    no_color: bool,
    /// The URL of the aggregator to notify about published graphs.
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
    /// Whether the allocator's setting is set, to any value.
    pub(crate) returns_memory: bool,
    /// `LORE_LOG`.
    pub(crate) log: Option<String>,
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
        // A relative path would lead into whatever directory the process was started in.
        let absolute = |name: &str| path(name).filter(|path| path.is_absolute());
        let home = absolute("HOME");
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
            cache_max_bytes: text("LORE_CACHE_MAX_BYTES"),
            db: text("LORE_DB"),
            threads: text("LORE_THREADS"),
            color: text("LORE_COLOR"),
            refresh: text("LORE_REFRESH"),
            ignore_repository_rules: text("LORE_IGNORE_REPOSITORY_RULES"),
            no_color: std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty()),
            graph_notify: text("LORE_GRAPH_NOTIFY"),
            source_date_epoch: text("SOURCE_DATE_EPOCH"),
            user_cache: absolute("XDG_CACHE_HOME").or_else(|| below_home(".cache")),
            user_data: path("LORE_HOME")
                .map(|directory| (directory, "LORE_HOME"))
                .or_else(|| Some((absolute("XDG_DATA_HOME")?.join("lore"), "XDG_DATA_HOME")))
                .or_else(|| Some((below_home(".local/share/lore")?, DEFAULT))),
            user_config: path("LORE_CONFIG").or_else(|| {
                absolute("XDG_CONFIG_HOME")
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
                deadline: text("LORE_WEB_DEADLINE"),
            },
            returns_memory: std::env::var_os(SETTING).is_some(),
            editor: text("VISUAL").or_else(|| text("EDITOR")),
            log: text("LORE_LOG"),
            program: std::env::current_exe().ok(),
        }
    }
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
    /// The argument that names the repository, unchanged.
    named: Option<String>,
    flags: Flags,
    user: Option<(String, UserFile)>,
    repository: RepositoryFile,
    threads: Sourced<Option<usize>>,
    cache_max_bytes: Sourced<Option<u64>>,
    source_date_epoch: Option<u64>,
    web: Web,
    /// The arguments of a command about units.
    pub(crate) unit: BTreeMap<&'static str, Vec<String>>,
}

#[derive(Debug, Default)]
struct Flags {
    cache: Option<PathBuf>,
    db: Option<String>,
    color: Option<String>,
    ignore_repository_rules: bool,
    json: bool,
    quiet: bool,
}

const DEFAULT: &str = "default";
/// Most threads that can be requested.
const MAX_THREADS: usize = 1_024;

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
            ignore_repository_rules: matches.get_flag("ignore_repository_rules"),
            json: matches.get_flag("json"),
            quiet: matches.get_flag("quiet"),
        };
        let user = match &environment.user_config {
            Some(path) => user_file::read(path)?,
            None => None,
        };
        let mut config = Self {
            environment,
            repo,
            named,
            flags,
            user,
            repository: RepositoryFile::default(),
            threads: Sourced {
                value: None,
                origin: DEFAULT.to_owned(),
            },
            cache_max_bytes: Sourced {
                value: None,
                origin: DEFAULT.to_owned(),
            },
            source_date_epoch: None,
            web: Web::default(),
            unit: BTreeMap::new(),
        };
        // A root that does not exist is the command's to complain about.
        if let Ok(root) = resolve_root(&config.environment.directory, config.repo.as_deref()) {
            config.repository = config.read_repository_file(&root);
        }
        config.source_date_epoch = config.resolve_source_date_epoch()?;
        config.cache_max_bytes = config.resolve_cache_max_bytes()?;
        let file = config.user.as_ref().map(|(origin, file)| (origin.as_str(), &file.web));
        config.web = Web::of(&config.environment.directory, &config.environment.web, file)?;
        config.check_memory()?;
        config.threads = config.resolve_threads(matches.get_one::<u16>("threads").copied())?;
        Ok(config)
    }

    fn resolve_threads(&self, flag: Option<u16>) -> Result<Sourced<Option<usize>>, OpError> {
        let threads = self.sourced_threads(flag)?;
        match threads.value {
            Some(wanted) if wanted > MAX_THREADS => {
                let message = format!(
                    "cannot start {wanted} threads ({}): {MAX_THREADS} is the most",
                    threads.origin
                );
                Err(OpError::new(ErrorKind::Invalid, message))
            }
            _ => Ok(threads),
        }
    }

    fn sourced_threads(&self, flag: Option<u16>) -> Result<Sourced<Option<usize>>, OpError> {
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
        Ok(self.of_user(
            |file| {
                file.threads
                    .filter(|threads| *threads > 0)
                    .map(|threads| Some(usize::from(threads)))
            },
            None,
        ))
    }

    /// The size limit of the user's cache. A repository cannot change it.
    fn resolve_cache_max_bytes(&self) -> Result<Sourced<Option<u64>>, OpError> {
        if let Some(text) = &self.environment.cache_max_bytes {
            let value = text.parse().map_err(|_| {
                let message = format!("LORE_CACHE_MAX_BYTES is `{text}`, not a number of bytes");
                OpError::new(ErrorKind::Invalid, message)
            })?;
            return Ok(Sourced {
                value: Some(value),
                origin: "LORE_CACHE_MAX_BYTES".to_owned(),
            });
        }
        Ok(self.of_user(|file| file.cache_max_bytes.map(Some), None))
    }

    pub(crate) fn cache_limit(&self) -> Option<u64> {
        self.cache_max_bytes.value
    }

    /// Seconds since 1970 that are now, for what is to be the same whenever it is made.
    fn resolve_source_date_epoch(&self) -> Result<Option<u64>, OpError> {
        let Some(text) = &self.environment.source_date_epoch else {
            return Ok(None);
        };
        text.parse().map(Some).map_err(|_| {
            let message = format!("SOURCE_DATE_EPOCH is `{text}`, not a number of seconds since 1970");
            OpError::new(ErrorKind::Invalid, message).hint("unset it, or set it to the output of `date +%s`")
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

    /// The most that one thing may take to fetch, where the user set it.
    pub(crate) fn web_deadline(&self) -> Option<std::time::Duration> {
        self.web.deadline()
    }

    pub(crate) fn source_date_epoch(&self) -> Option<u64> {
        self.source_date_epoch
    }

    /// The value that the user's file gives.
    fn of_user<T>(&self, get: impl Fn(&UserFile) -> Option<T>, default: T) -> Sourced<T> {
        let given = self.user.as_ref().and_then(|(origin, file)| {
            Some(Sourced {
                value: get(file)?,
                origin: origin.clone(),
            })
        });
        given.unwrap_or(Sourced {
            value: default,
            origin: DEFAULT.to_owned(),
        })
    }

    /// The value that the user's file gives, or else what the repository proposes.
    fn of_files<T>(&self, get: impl Fn(&UserFile) -> Option<T>, proposed: Option<T>, default: T) -> Sourced<T> {
        let user = self.of_user(|file| get(file).map(Some), None);
        match (user.value, proposed) {
            (Some(value), _) => Sourced {
                value,
                origin: user.origin,
            },
            (None, Some(value)) => Sourced {
                value,
                origin: self.repository.origin.clone(),
            },
            (None, None) => Sourced {
                value: default,
                origin: DEFAULT.to_owned(),
            },
        }
    }

    /// Reads the lore.toml of a root, unless the user ignores what repositories say.
    fn read_repository_file(&self, root: &Path) -> RepositoryFile {
        if self.ignores_repository_rules().value {
            RepositoryFile::default()
        } else {
            repository_file::read(root, self.user_max_file_bytes())
        }
    }

    /// What is wrong with the repository's lore.toml.
    pub(crate) fn remarks(&self) -> &[String] {
        &self.repository.remarks
    }

    fn user_max_file_bytes(&self) -> u64 {
        self.of_user(|file| file.index.max_file_bytes, default_max_file_bytes())
            .value
    }

    fn ignores_repository_rules(&self) -> Sourced<bool> {
        let set = |value, origin: &str| Sourced {
            value,
            origin: origin.to_owned(),
        };
        if self.flags.ignore_repository_rules {
            return set(true, "--ignore-repository-rules");
        }
        match self.environment.ignore_repository_rules.as_deref() {
            Some(text) => set(!is_no(text), "LORE_IGNORE_REPOSITORY_RULES"),
            None => self.of_user(|file| file.index.ignore_repository_rules, false),
        }
    }

    pub(crate) fn threads(&self) -> Option<usize> {
        self.threads.value
    }

    pub(crate) fn root(&self) -> Option<PathBuf> {
        self.repo.clone()
    }

    /// The argument that names the repository, unchanged.
    pub(crate) fn named(&self) -> Option<&str> {
        self.named.as_deref()
    }

    pub(crate) fn start(&self) -> PathBuf {
        self.environment.directory.clone()
    }

    pub(crate) fn user_cache(&self) -> Option<PathBuf> {
        self.environment.user_cache.clone()
    }

    /// The directory of what is kept for the user.
    pub(crate) fn user_data(&self) -> Option<PathBuf> {
        let (directory, _) = self.environment.user_data.as_ref()?;
        Some(self.environment.directory.join(directory))
    }

    /// The directory of fetched graphs without a cache: below `LORE_HOME`.
    pub(crate) fn graphs_without_cache(&self) -> Option<PathBuf> {
        let (directory, _) = self
            .environment
            .user_data
            .as_ref()
            .filter(|(_, origin)| *origin == "LORE_HOME")?;
        Some(self.environment.directory.join(directory).join("graphs"))
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
        self.of_user(|file| file.cache.clone().map(Some), None)
    }

    /// The file of the memory; `None` if no directory is known.
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
            return Err(OpError::new(ErrorKind::Invalid, message).hint("set it to the path of a file"));
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
        self.of_user(|file| file.color.clone(), "auto".to_owned())
    }

    fn refresh(&self) -> Sourced<bool> {
        match self.environment.refresh.as_deref() {
            Some(text) => Sourced {
                value: !is_no(text),
                origin: "LORE_REFRESH".to_owned(),
            },
            None => self.of_user(|file| file.index.refresh, true),
        }
    }

    /// What the configuration says about indexing a root, which may be another than the one this process started in.
    pub(crate) fn index_defaults(&self, root: &Path) -> IndexDefaults {
        let RepositoryFile { rules, remarks, .. } = self.read_repository_file(root);
        let user = self.user.as_ref().map(|(_, file)| file.clone()).unwrap_or_default();
        IndexDefaults {
            include: user.index.include.unwrap_or_default(),
            exclude: user.index.exclude.unwrap_or_default(),
            vendored: user.index.vendored.unwrap_or(false),
            generated: user.index.generated.unwrap_or(false),
            minified: user.index.minified.unwrap_or(false),
            max_file_bytes: user.index.max_file_bytes,
            languages: user.languages.into_iter().collect(),
            refresh: self.refresh().value,
            rules,
            ignore_repository_rules: self.ignores_repository_rules().value,
            remarks,
        }
    }
}

/// Whether a variable says no.
fn is_no(text: &str) -> bool {
    matches!(text, "0" | "false" | "no" | "never")
}

impl Settings for Config {
    fn program(&self) -> Option<String> {
        let path = self.environment.program.as_ref()?.to_str()?;
        (!path.contains(char::is_control)).then(|| path.to_owned())
    }

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
        let default = || Some(self.environment.user_cache.as_ref()?.join("lore"));
        let shown = cache.value.or_else(default).map_or_else(
            || "\"none\"".to_owned(),
            |path| format!("{:?}", path.display().to_string()),
        );
        add("cache", shown, cache.origin);
        let limit = &self.cache_max_bytes;
        add(
            "cache_max_bytes",
            limit.value.unwrap_or(DEFAULT_CACHE_LIMIT).to_string(),
            limit.origin.clone(),
        );
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
        let rules = &self.repository.rules;
        let user = self.of_user(|file| Some(file.index.clone()), IndexConfig::default());
        let lists = [
            ("index.exclude", user.value.exclude, &rules.exclude),
            ("index.include", user.value.include, &rules.include),
        ];
        for (key, own, rule) in lists {
            // Both hold: a repository can narrow what the user wants.
            if !rule.is_empty() {
                add(key, format!("{rule:?}"), self.repository.origin.clone());
            }
            if own.is_some() || rule.is_empty() {
                let origin = if own.is_some() { user.origin.as_str() } else { DEFAULT };
                add(key, format!("{:?}", own.unwrap_or_default()), origin.to_owned());
            }
        }
        let limit = match rules.max_file_bytes {
            Some(value) => Sourced {
                value,
                origin: self.repository.origin.clone(),
            },
            None => self.of_user(|file| file.index.max_file_bytes, default_max_file_bytes()),
        };
        add("index.max_file_bytes", limit.value.to_string(), limit.origin);
        let repository = &self.repository;
        let switches = [
            ("index.generated", self.of_user(|file| file.index.generated, false)),
            ("index.ignore_repository_rules", self.ignores_repository_rules()),
            ("index.minified", self.of_user(|file| file.index.minified, false)),
            ("index.refresh", self.refresh()),
            ("index.vendored", self.of_user(|file| file.index.vendored, false)),
            (
                "mind.touches",
                self.of_files(|file| file.mind.touches, repository.touches, false),
            ),
        ];
        for (key, switch) in switches {
            add(key, switch.value.to_string(), switch.origin);
        }
        let own: Vec<(&String, &String, &String)> = self
            .user
            .iter()
            .flat_map(|(origin, file)| {
                file.languages
                    .iter()
                    .map(move |(pattern, name)| (pattern, name, origin))
            })
            .collect();
        let proposed = rules
            .languages
            .iter()
            .map(|(pattern, name)| (pattern, name, &repository.origin));
        let is_new = |(pattern, ..): &(&String, &String, &String)| !own.iter().any(|(known, ..)| known == pattern);
        for (pattern, language, origin) in own.iter().copied().chain(proposed.filter(is_new)) {
            add(
                &format!("languages.{pattern:?}"),
                format!("{language:?}"),
                origin.clone(),
            );
        }
        if let Some((origin, file)) = &self.user {
            for (key, value) in file.graph.made() {
                add(&key, value, origin.clone());
            }
        }
        for (key, value, origin) in self.web.settings() {
            add(&key, value, origin);
        }
        for (number, constraint) in repository.constraints.iter().enumerate() {
            let value = serde_json::Value::Object(constraint.clone()).to_string();
            add(&format!("constraints.{}", number + 1), value, repository.origin.clone());
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

    fn secret(&self, kind: SecretKind, host: &str) -> Option<String> {
        secrets::secret(&self.environment.secrets, self.kcp(), kind, host)
    }

    fn home(&self) -> Option<String> {
        Some(self.environment.home.as_ref()?.to_str()?.to_owned())
    }

    fn constraints(&self) -> Result<Vec<serde_json::Value>, OpError> {
        let constraints = self.repository.constraints.iter().cloned();
        Ok(constraints.map(serde_json::Value::Object).collect())
    }
}
