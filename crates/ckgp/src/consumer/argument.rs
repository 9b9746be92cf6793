//! The repository in a request: `{id}`, `{owner, repo}` or `{url}` from programs, one argument on the command line, or the origin of the clone around the working directory (ruling 15).

use clap::Args;
use schemars::JsonSchema;
use serde::Deserialize;

use crate::forge::{GraphId, RepositoryId};
use crate::format::FormatId;
use lore_seam::{Ctx, ErrorKind, OpError};

/// A repository.
#[derive(Args, Deserialize, JsonSchema, Clone, PartialEq, Eq, Debug, Default)]
#[serde(default)]
pub struct NamedRepository {
    /// owner/repo, host/owner/repo, or its address [default: this clone's origin]
    #[arg(value_name = "OWNER/REPO")]
    pub id: Option<String>,
    /// Instead of id
    #[arg(skip)]
    pub owner: Option<String>,
    /// Instead of id
    #[arg(skip)]
    pub repo: Option<String>,
    /// Instead of id
    #[arg(skip)]
    pub url: Option<String>,
}

impl NamedRepository {
    /// The repository that is named in one of the ways.
    pub fn resolve(&self, ctx: &Ctx) -> Result<GraphId, OpError> {
        match self.named()? {
            Some(id) => Ok(id),
            None => self.origin(ctx),
        }
    }

    /// The repository that is named, if one is.
    pub fn named(&self) -> Result<Option<GraphId>, OpError> {
        let one = |text: &Option<String>| text.clone().filter(|text| !text.trim().is_empty());
        match (one(&self.id), one(&self.url), one(&self.owner), one(&self.repo)) {
            (Some(text), None, None, None) | (None, Some(text), None, None) => Ok(Some(GraphId::parse(&text)?)),
            (None, None, Some(owner), Some(repo)) => {
                let repository = RepositoryId::new(None, &owner, &repo)?;
                Ok(Some(GraphId {
                    repository,
                    format: None,
                }))
            }
            (None, None, None, None) => Ok(None),
            (None, None, _, _) => Err(OpError::new(ErrorKind::Invalid, "`owner` and `repo` need each other")),
            _ => Err(OpError::new(
                ErrorKind::Invalid,
                "name the repository only once: by `id`, by `owner` and `repo`, or by `url`",
            )),
        }
    }

    fn origin(&self, ctx: &Ctx) -> Result<GraphId, OpError> {
        let unnamed = || {
            OpError::new(
                ErrorKind::Invalid,
                "no repository given, and this directory is not a clone",
            )
            .hint("write owner/repo for GitHub, host/owner/repo for another forge, or an https address")
        };
        let remote = ctx.ports.code.remote().ok_or_else(unnamed)?;
        let repository = RepositoryId::parse(&remote).map_err(|_| unnamed())?;
        Ok(GraphId {
            repository,
            format: None,
        })
    }
}

/// The format that is wanted: the one that is named, or the one behind the repository's name (ruling 5).
pub fn wanted_format(named: Option<&str>, id: &GraphId) -> Result<Option<FormatId>, OpError> {
    match named {
        Some(text) => FormatId::from_argument(text).map(Some),
        None => Ok(id.format.clone()),
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use serde_json::json;

    use super::*;
    use lore_seam::Origin;
    use lore_seam::world::World;

    fn named(arguments: serde_json::Value, remote: Option<&str>) -> String {
        let named: NamedRepository = serde_json::from_value(arguments).unwrap();
        let world = Arc::new(World {
            origin: Some(Origin {
                remote: remote.map(str::to_owned),
                ..Origin::default()
            }),
            facets: crate::graphs::in_memory(),
            ..World::default()
        });
        match named.resolve(&world.ctx()) {
            Ok(id) => id.to_string(),
            Err(error) => format!("! {error}"),
        }
    }

    #[test]
    fn ruling15_a_repository_is_named_in_three_ways() {
        for arguments in [
            json!({"id": "octo/hello"}),
            json!({"owner": "octo", "repo": "hello"}),
            json!({"url": "https://github.com/octo/hello.git"}),
            json!({"id": "git@github.com:octo/hello.git", "url": ""}),
        ] {
            assert_eq!(named(arguments, None), "octo/hello");
        }
        assert_eq!(named(json!({"id": "octo/hello#ccg@1"}), None), "octo/hello#ccg@1");
        assert_eq!(named(json!({}), Some("https://gitlab.com/g/s/r")), "gitlab.com/g/s/r");
        for (arguments, why) in [
            (json!({"owner": "octo"}), "! `owner` and `repo` need each other"),
            (
                json!({"id": "a/b", "url": "https://github.com/a/b"}),
                "! name the repository only once: by `id`, by `owner` and `repo`, or by `url`",
            ),
            (json!({}), "! no repository given, and this directory is not a clone"),
            (json!({"id": "octo"}), "! `octo` is not a repository"),
            (json!({"owner": "..", "repo": "x"}), "! `..` is not a valid owner"),
        ] {
            assert_eq!(named(arguments, None), why);
        }
    }

    #[test]
    fn ruling5_the_format_is_named_beside_the_repository_or_behind_it() {
        let id = GraphId::parse("octo/hello#bundle@1").unwrap();
        let told = |named: Option<&str>| match wanted_format(named, &id) {
            Ok(format) => format.map_or_else(String::new, |format| format.to_string()),
            Err(error) => format!("! {error}"),
        };
        assert_eq!(told(None), "bundle@1");
        assert_eq!(told(Some("ccg@1")), "ccg@1");
        assert_eq!(told(Some("ccg")), "! `ccg` is not a format");
    }
}
