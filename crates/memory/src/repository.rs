//! The project of a repository: every directory and every address of the same repository lead to one.

use super::id::Id;
use super::model::RepositoryKey;
use super::store::{Got, Reading};
use lore_seam::{Ctx, GraphScope};

/// The repository around whoever asks, as far as it is known: its directory and where it comes from.
pub fn key(ctx: &Ctx) -> RepositoryKey {
    let origin = ctx.ports.code.origin(&GraphScope::default()).ok();
    let within = origin.as_ref().and_then(|origin| origin.within.as_deref());
    RepositoryKey {
        root: root(ctx, within),
        origin: origin.as_ref().and_then(|origin| normal(origin.remote.as_deref()?)),
    }
}

/// The project of the repository around whoever asks. Git is asked only where the directory is not known.
pub fn project_here(ctx: &Ctx, store: &dyn Reading) -> Got<Option<Id>> {
    let by_root = RepositoryKey {
        root: root(ctx, None),
        origin: None,
    };
    if by_root.root.is_none() {
        return Ok(None);
    }
    match store.project_of(&by_root)? {
        Some(project) => Ok(Some(project)),
        None => store.project_of(&key(ctx)),
    }
}

/// The directory of the whole repository, where a part of it is asked.
fn root(ctx: &Ctx, within: Option<&str>) -> Option<String> {
    let place = ctx.ports.code.place()?;
    let whole = within.and_then(|within| place.strip_suffix(within));
    Some(whole.unwrap_or(&place).trim_end_matches('/').to_owned())
}

/// The one form of all addresses of the same repository: `host/path`, without scheme, user, port and `.git`.
pub fn normal(address: &str) -> Option<String> {
    let address = address.trim().trim_end_matches('/');
    let (host, path) = match address.split_once("://") {
        Some(("file", _)) => return None,
        Some((_, rest)) => {
            let (authority, path) = rest.split_once('/')?;
            let host = authority.rsplit('@').next().unwrap_or(authority);
            (host.split(':').next().unwrap_or(host), path)
        }
        None => {
            let (authority, path) = address.split_once(':')?;
            (authority.rsplit('@').next().unwrap_or(authority), path)
        }
    };
    let path = path.trim_matches('/');
    let path = path.strip_suffix(".git").unwrap_or(path);
    // A letter and a colon is a drive.
    let is_place = host.len() > 1 && !host.contains('/') && !path.is_empty();
    is_place.then(|| format!("{}/{path}", host.to_ascii_lowercase()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_address_of_a_repository_has_one_form() {
        for address in [
            "https://github.com/acme/shop",
            "https://user:secret@GitHub.com/acme/shop.git",
            "git@github.com:acme/shop.git",
            "ssh://git@github.com:22/acme/shop/",
            " git://github.com/acme/shop ",
        ] {
            assert_eq!(normal(address).as_deref(), Some("github.com/acme/shop"), "{address}");
        }
        for address in [
            "",
            "/srv/git/shop.git",
            "../shop",
            "C:\\shop",
            "file:///srv/shop",
            "https://github.com",
        ] {
            assert_eq!(normal(address), None, "{address}");
        }
    }
}
