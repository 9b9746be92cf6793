//! The public addresses of the repository's files (amendment C1; clauses J5, D1): raw files of the forge, or a given base address.

use super::listing::Listing;
use crate::Commit;
use crate::forge::{Forge, Ref, RepositoryId, encoded};
use crate::record::is_absolute_https;
use lore_seam::{Ctx, ErrorKind, OpError, Origin};

/// Where files are served.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Address {
    base: Base,
    /// The directory of the repository that is published, if it is not all of it.
    within: Option<String>,
}

#[derive(Clone, PartialEq, Eq, Debug)]
enum Base {
    Url(String),
    Forge(Forge, RepositoryId, Ref),
}

/// What was said of the address.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Said<'r> {
    /// Where files are served.
    pub(super) base_url: Option<&'r str>,
    /// The state of the repository that addresses name.
    pub(super) at: Option<&'r str>,
}

/// The repository that a tree comes from, if its remote is on a forge.
pub(super) fn repository(origin: &Origin) -> Option<RepositoryId> {
    RepositoryId::parse(origin.remote.as_deref()?).ok()
}

/// The page of a repository, for people.
pub(super) fn page(repository: &RepositoryId) -> String {
    let path = encoded(&format!("{}/{}", repository.owner(), repository.repo()));
    format!("https://{}/{path}", repository.host())
}

impl Address {
    /// The address of a tree: what was said, or what the remote and the branch that it shows first say.
    pub(super) fn of(ctx: &Ctx, origin: &Origin, said: Said<'_>, present: &Listing) -> Result<Self, OpError> {
        let within = origin.within.clone().filter(|within| !within.is_empty());
        if let Some(url) = said.base_url {
            if said.at.is_some() {
                let message = "`ref` and `base_url` exclude each other";
                return Err(OpError::new(ErrorKind::Invalid, message).hint(
                    "`ref` names a state of the repository on its forge, `base_url` any other place of the files",
                ));
            }
            let is_plain = is_absolute_https(url) && !url.contains(['?', '#']);
            if !is_plain {
                let message = format!("`{url}` is not an absolute https address of a directory");
                return Err(OpError::new(ErrorKind::Invalid, message)
                    .hint("write the directory that serves the files, such as https://example.org/repo"));
            }
            return Ok(Self {
                base: Base::Url(url.trim_end_matches('/').to_owned()),
                within: None,
            });
        }
        let hint = "name the address that serves the files with --base-url URL";
        let Some(remote) = &origin.remote else {
            let message = "cannot tell where this repository is published: git has no remote `origin`";
            return Err(OpError::new(ErrorKind::Invalid, message)
                .hint("git remote add origin URL")
                .hint(hint));
        };
        let repository = RepositoryId::parse(remote).map_err(|_| {
            let message = "the remote `origin` is not on a known forge";
            OpError::new(ErrorKind::Invalid, message).hint(hint)
        })?;
        let Some(forge) = forge(ctx, repository.host()) else {
            let message = format!("unknown forge {}: cannot tell where it serves files", repository.host());
            return Err(OpError::new(ErrorKind::Invalid, message).hint(hint));
        };
        let branch = origin.default_branch.as_deref();
        let address = |at: Ref| Self {
            base: Base::Forge(forge, repository.clone(), at),
            within: within.clone(),
        };
        if let Some(at) = said.at {
            return reference(at, branch).map(address);
        }
        if let Some(branch) = branch {
            return Ok(address(Ref::Branch(branch.to_owned())));
        }
        // A checkout that does not know which branch is shown first, as in CI, keeps the one that the record has.
        let known = present
            .ours_anywhere()
            .filter_map(|graph| graph.get("graph_url")?.as_str());
        let kept = known.filter_map(|url| branch_of(url, &address)).next();
        Ok(address(kept.unwrap_or(Ref::Head)))
    }

    /// The address of a file, from the root of what is published.
    pub(super) fn url(&self, path: &str) -> String {
        match &self.base {
            Base::Url(base) => format!("{base}/{path}"),
            Base::Forge(forge, repository, at) => {
                let whole = self.within.as_ref().map(|within| format!("{within}/{path}"));
                forge.raw_url(repository, at, whole.as_deref().unwrap_or(path))
            }
        }
    }
}

/// The forge of a host, from the configuration or from the name of the host.
fn forge(ctx: &Ctx, host: &str) -> Option<Forge> {
    let said = ctx.ports.settings.values("graph.forges");
    let mut said = said.iter().filter_map(|text| text.split_once('='));
    let said = said.find(|(known, _)| known.trim().eq_ignore_ascii_case(host));
    said.and_then(|(_, kind)| Forge::named(kind.trim()))
        .or_else(|| Forge::of_host(host))
}

/// The state that a text names. A forge that serves tags and branches at different places has to be told which it is: what is neither a commit nor a branch
/// that is known is a tag, unless the text says otherwise.
fn reference(text: &str, branch: Option<&str>) -> Result<Ref, OpError> {
    let is_bad = text.is_empty()
        || text.contains(|letter: char| letter.is_whitespace() || letter.is_control() || "~^:?*[\\".contains(letter))
        || text.contains("..")
        || text.starts_with(['/', '-'])
        || text.ends_with('/');
    if is_bad {
        let message = format!("`{text}` is not a tag, branch or commit");
        return Err(
            OpError::new(ErrorKind::Invalid, message).hint("write --ref TAG, --ref heads/BRANCH or a full commit id")
        );
    }
    if let Some(commit) = Commit::parse(text) {
        return Ok(Ref::Commit(commit));
    }
    let short = text.strip_prefix("refs/").unwrap_or(text);
    if let Some(name) = short.strip_prefix("heads/") {
        return Ok(Ref::Branch(name.to_owned()));
    }
    if let Some(name) = short.strip_prefix("tags/") {
        return Ok(Ref::Tag(name.to_owned()));
    }
    Ok(match text {
        "HEAD" => Ref::Head,
        "main" | "master" => Ref::Branch(text.to_owned()),
        text if Some(text) == branch => Ref::Branch(text.to_owned()),
        text => Ref::Tag(text.to_owned()),
    })
}

/// The branch that an address of ours names, if it is the address that we would make with it.
fn branch_of(url: &str, address: &dyn Fn(Ref) -> Address) -> Option<Ref> {
    let path = super::format_file::FILES.iter().find(|file| url.ends_with(**file))?;
    const MARK: &str = "lore-mark-of-a-branch";
    let marked = address(Ref::Branch(MARK.to_owned())).url(path);
    let (before, after) = marked.split_once(MARK)?;
    let name = url.strip_prefix(before)?.strip_suffix(after)?;
    let at = match name {
        "HEAD" => Ref::Head,
        name => Ref::Branch(name.to_owned()),
    };
    (address(at.clone()).url(path) == url).then_some(at)
}

#[cfg(test)]
mod tests;
