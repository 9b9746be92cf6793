//! `[web]` of the user's configuration: hosts of a private network, and their certificate authorities.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::Duration;

use lore_backends::OwnHosts;
use lore_seam::{ErrorKind, OpError};
use serde::Deserialize;

/// `[web]`: settings for network access.
#[derive(Deserialize, Clone, PartialEq, Debug, Default)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct WebConfig {
    /// Addresses of hosts, by host name.
    hosts: BTreeMap<String, String>,
    /// Certificate authorities for these hosts, in PEM.
    authorities: Option<PathBuf>,
    /// Most seconds for one fetch.
    deadline_seconds: Option<u64>,
}

/// The variables `LORE_WEB_*`.
#[derive(Clone, Debug, Default)]
pub(crate) struct WebVariables {
    /// `name=address` each, with commas between them.
    pub(crate) hosts: Option<String>,
    /// A file.
    pub(crate) authorities: Option<PathBuf>,
    /// Seconds.
    pub(crate) deadline: Option<String>,
}

/// The settings, each with its origin. A variable overrides the file, host by host.
#[derive(Clone, Debug, Default)]
pub(crate) struct Web {
    hosts: BTreeMap<String, (String, String)>,
    authorities: Option<(PathBuf, String)>,
    deadline: Option<(Duration, String)>,
}

impl Web {
    /// Joins the variables and the file. The path of the authorities is relative to the configuration file, or to the working directory.
    pub(crate) fn of(
        start: &Path,
        variables: &WebVariables,
        file: Option<(&str, &WebConfig)>,
    ) -> Result<Self, OpError> {
        let mut web = Self::default();
        if let Some((origin, config)) = file {
            let places = config.hosts.iter();
            let places = places.map(|(host, place)| (host.to_ascii_lowercase(), (place.clone(), origin.to_owned())));
            web.hosts.extend(places);
            let directory = Path::new(origin).parent().unwrap_or(start);
            let path = config.authorities.as_ref().map(|path| directory.join(path));
            web.authorities = path.map(|path| (path, origin.to_owned()));
            let seconds = config.deadline_seconds;
            web.deadline = seconds
                .map(|seconds| seconds_of(&seconds.to_string(), &format!("{origin}: web.deadline_seconds")))
                .transpose()?
                .map(|time| (time, origin.to_owned()));
        }
        let pairs = variables.hosts.iter().flat_map(|text| text.split(','));
        for pair in pairs.map(str::trim).filter(|pair| !pair.is_empty()) {
            let Some((host, place)) = pair.split_once('=') else {
                let message = format!("LORE_WEB_HOSTS has `{pair}`, which is not name=address");
                return Err(OpError::new(ErrorKind::Invalid, message)
                    .hint("write git.example=10.1.2.3,wiki.example=10.1.2.4:8443"));
            };
            let place = (place.trim().to_owned(), "LORE_WEB_HOSTS".to_owned());
            web.hosts.insert(host.trim().to_ascii_lowercase(), place);
        }
        if let Some(path) = &variables.authorities {
            web.authorities = Some((start.join(path), "LORE_WEB_AUTHORITIES".to_owned()));
        }
        if let Some(text) = &variables.deadline {
            let time = seconds_of(text, "LORE_WEB_DEADLINE")?;
            web.deadline = Some((time, "LORE_WEB_DEADLINE".to_owned()));
        }
        Ok(web)
    }

    /// Most time for one fetch.
    pub(crate) fn deadline(&self) -> Option<Duration> {
        self.deadline.as_ref().map(|(time, _)| *time)
    }

    /// Name, value and origin of each setting.
    pub(crate) fn settings(&self) -> Vec<(String, String, String)> {
        let hosts = self.hosts.iter();
        let hosts = hosts.map(|(host, (place, origin))| (format!("web.hosts.{host:?}"), place.clone(), origin.clone()));
        let authorities = self.authorities.iter().map(|(path, origin)| {
            let path = path.display().to_string();
            ("web.authorities".to_owned(), path, origin.clone())
        });
        let all = authorities.chain(hosts);
        let all = all.map(|(key, value, origin)| (key, format!("{value:?}"), origin));
        let deadline = self.deadline.iter().map(|(time, origin)| {
            let seconds = time.as_secs().to_string();
            ("web.deadline_seconds".to_owned(), seconds, origin.clone())
        });
        all.chain(deadline).collect()
    }

    /// The configured hosts.
    pub(crate) fn own_hosts(&self) -> Result<OwnHosts, OpError> {
        let hosts = self.hosts.iter();
        let hosts = hosts.map(|(host, (place, _))| (host.as_str(), place.as_str()));
        let authorities = self.authorities.as_ref().map(|(path, _)| path.as_path());
        OwnHosts::new(hosts, authorities).map_err(|why| {
            OpError::new(ErrorKind::Invalid, format!("hosts of your own: {why}"))
                .hint("correct `[web]` of your configuration, or LORE_WEB_HOSTS and LORE_WEB_AUTHORITIES")
        })
    }
}

/// A positive number of seconds.
fn seconds_of(text: &str, origin: &str) -> Result<Duration, OpError> {
    match text.trim().parse() {
        Ok(seconds @ 1..) => Ok(Duration::from_secs(seconds)),
        _ => {
            let message = format!("{origin} is `{text}`, which is not a positive number of seconds");
            Err(OpError::new(ErrorKind::Invalid, message))
        }
    }
}
