//! Settings for the git program, so that it runs no program that the repository's configuration names.
//!
//! Lore runs git only for `fetch` and `push`. Git reads `.git/config`, which is untrusted, and has no option to ignore it. Every setting that names a
//! program is overridden on the command line: with the value of the user's own configuration, or with a value that means none. No hooks run: neither here
//! nor in a remote directory inside the repository, because Lore does not exchange with such a remote ([`super::remote`]).

use gix::bstr::ByteSlice;
use gix::config::Source;
use lore_seam::OpError;

use super::unavailable;

/// Overridden whatever the repository says: no hook, no watcher of files, no other process afterwards, and no address that is a command line.
const ALWAYS: [&str; 6] = [
    "core.hooksPath=/dev/null",
    "core.fsmonitor=false",
    "gc.auto=0",
    "maintenance.auto=false",
    "protocol.ext.allow=never",
    "push.gpgSign=false",
];

/// Settings that name a program that fetching or pushing may run, and the value that means the usual one or none.
const PROGRAMS: [(&str, &str); 6] = [
    ("core.sshCommand", "ssh"),
    ("core.askPass", ""),
    ("core.alternateRefsCommand", "true"),
    ("core.pager", "cat"),
    ("core.editor", "false"),
    ("gpg.program", "gpg"),
];

/// Programs that a remote may name. Git takes the first value of these, so that they cannot be overridden.
const OF_REMOTES: [&str; 3] = ["uploadpack", "receivepack", "vcs"];

/// What git is given.
pub(super) struct Harmless {
    /// Arguments before its command.
    pub(super) arguments: Vec<String>,
    /// Variables of its environment.
    pub(super) variables: Vec<(&'static str, &'static str)>,
}

/// What git is given in a repository.
pub(super) fn harmless(repository: &gix::Repository) -> Result<Harmless, OpError> {
    let snapshot = repository.config_snapshot();
    let config = snapshot.plumbing();
    let mut settings: Vec<String> = ALWAYS.iter().map(|setting| (*setting).to_owned()).collect();
    for (key, none) in PROGRAMS {
        if is_local(config, key) {
            let own = of_user(config, key).pop();
            settings.push(format!("{key}={}", own.as_deref().unwrap_or(none)));
        }
    }
    let sections = config
        .sections()
        .filter(|section| is_of_repository(section.meta().source));
    let mut has_helpers = false;
    for section in sections {
        let name = section.header().name().to_ascii_lowercase();
        let below = section.header().subsection_name();
        let has = |key: &str| section.value(key).is_some();
        match name.as_slice() {
            b"credential" => has_helpers |= has("helper"),
            b"include" | b"includeif" => {
                let message = "the repository's own configuration includes other files, which may name programs";
                return Err(
                    unavailable(message).hint("move their settings into .git/config or into your own configuration")
                );
            }
            b"remote" => {
                if let Some(key) = OF_REMOTES.iter().find(|key| has(key)) {
                    let remote = below.unwrap_or_default().to_str_lossy();
                    let message = format!("the remote `{remote}` names a program (`{key}`), which Lore does not run");
                    return Err(unavailable(message).hint(format!("git config --unset-all remote.{remote}.{key}")));
                }
            }
            _ => {}
        }
    }
    if has_helpers {
        // An empty value forgets those before it, for every address.
        settings.push("credential.helper=".to_owned());
        settings.extend(helpers_of_user(config));
    }
    // The first value of this one holds, so that only the environment comes before it.
    let has_proxy = is_local(config, "core.gitProxy");
    Ok(Harmless {
        arguments: settings
            .into_iter()
            .flat_map(|setting| ["-c".to_owned(), setting])
            .collect(),
        variables: has_proxy.then_some(("GIT_PROXY_COMMAND", "")).into_iter().collect(),
    })
}

/// The programs that keep the user's passwords, for all addresses and for some.
fn helpers_of_user(config: &gix::config::File) -> Vec<String> {
    let mut helpers = Vec::new();
    for section in config.sections_by_name("credential").into_iter().flatten() {
        let below = section.header().subsection_name().map(|below| below.to_str_lossy());
        let key = match below {
            Some(below) => format!("credential.{below}.helper"),
            None => "credential.helper".to_owned(),
        };
        if is_of_repository(section.meta().source) || key.contains(['=', '\n']) {
            continue;
        }
        let values = section.values("helper");
        helpers.extend(values.iter().map(|value| format!("{key}={}", value.to_str_lossy())));
    }
    helpers
}

/// Whether a section is the repository's own, and not the user's.
fn is_of_repository(source: Source) -> bool {
    matches!(source, Source::Local | Source::Worktree)
}

fn is_local(config: &gix::config::File, key: &str) -> bool {
    let local = |meta: &gix::config::file::Metadata| is_of_repository(meta.source);
    config.string_filter(key, local).is_some()
}

/// The values of the user's own configuration.
fn of_user(config: &gix::config::File, key: &str) -> Vec<String> {
    let own = |meta: &gix::config::file::Metadata| !is_of_repository(meta.source);
    let values = config.strings_filter(key, own).unwrap_or_default();
    values.iter().map(|value| value.to_str_lossy().into_owned()).collect()
}
