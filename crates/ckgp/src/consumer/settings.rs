//! `[graph]` in the configuration: aggregators, allowed hosts, forges and preferred formats (clauses C4, S2; rulings 6, 18).

use super::machine::Sources;
use crate::forge::Forge;
use crate::policy::Address;
use lore_base::excerpt::excerpt;
use lore_seam::{Ctx, ErrorKind, OpError};

/// Aggregators that are asked at most.
const MOST_AGGREGATORS: usize = 8;

/// Whom to ask: the aggregators that are named, or those of the user's configuration. A repository has no say in it.
pub fn sources(ctx: &Ctx, named: &[String]) -> Result<Sources, OpError> {
    let settings = &ctx.ports.settings;
    let mut aggregators = Vec::new();
    let mut add = |url: &str| -> Result<(), OpError> {
        let address = Address::parse(url).map_err(|reason| {
            OpError::new(
                ErrorKind::Invalid,
                format!("the aggregator {} is not contacted: {reason}", excerpt(url, 200)),
            )
        })?;
        if !aggregators.contains(&address) && aggregators.len() < MOST_AGGREGATORS {
            aggregators.push(address);
        }
        Ok(())
    };
    match named {
        [] => {
            let hint = "correct `aggregators` in `[graph]` of your configuration";
            for url in settings.values("graph.aggregators") {
                add(&url).map_err(|error| error.hint(hint))?;
            }
        }
        named => named.iter().try_for_each(|url| add(url))?,
    }
    let forges = settings
        .values("graph.forges")
        .iter()
        .map(|text| forge(text))
        .collect::<Result<_, _>>()?;
    Ok(Sources {
        aggregators,
        allowed: settings.values("graph.allow_hosts"),
        forges,
        preferred: settings.values("graph.formats"),
    })
}

/// `host=kind`.
fn forge(text: &str) -> Result<(String, Forge), OpError> {
    let parsed = text
        .split_once('=')
        .and_then(|(host, kind)| Some((host.trim().to_ascii_lowercase(), Forge::named(kind.trim())?)));
    parsed.ok_or_else(|| {
        OpError::new(
            ErrorKind::Invalid,
            format!("`graph.forges`: `{}` is not HOST = KIND", excerpt(text, 200)),
        )
        .hint("write host = \"github\", \"gitlab\", \"gitea\", \"forgejo\" or \"codeberg\" below [graph.forges]")
    })
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use lore_seam::world::World;

    fn world(own: &[(&str, &[&str])]) -> Arc<World> {
        let list = |values: &[&str]| values.iter().map(|value| (*value).to_owned()).collect::<Vec<_>>();
        let mut world = World::default();
        for (key, values) in own {
            world.settings.insert((*key).to_owned(), list(values));
        }
        Arc::new(world)
    }

    #[test]
    fn amend_c4_aggregators_are_those_named_or_configured() {
        let world = world(&[(
            "graph.aggregators",
            &["https://b.example/x", "https://a.example", "https://A.example/"],
        )]);
        let told = |named: &[&str]| {
            let named: Vec<String> = named.iter().map(|url| (*url).to_owned()).collect();
            match sources(&world.ctx(), &named) {
                Ok(sources) => sources
                    .aggregators
                    .iter()
                    .map(Address::to_string)
                    .collect::<Vec<_>>()
                    .join(" "),
                Err(error) => format!("! {error}"),
            }
        };
        assert_eq!(told(&[]), "https://b.example/x https://a.example/");
        assert_eq!(told(&["https://z.example"]), "https://z.example/");
        assert_eq!(
            told(&["http://z.example"]),
            "! the aggregator http://z.example is not contacted: the address is not https"
        );
    }

    #[test]
    fn ruling6_a_host_is_what_the_configuration_says() {
        let sources_of = |text: &str| sources(&world(&[("graph.forges", &[text])]).ctx(), &[]);
        let known = sources_of("Git.example.org = gitea").unwrap();
        assert_eq!(known.forge("git.example.org"), Some(Forge::Gitea));
        assert_eq!(known.forge("github.com"), Some(Forge::GitHub));
        assert_eq!(
            sources_of("git.example.org=svn").unwrap_err().message,
            "`graph.forges`: `git.example.org=svn` is not HOST = KIND"
        );
    }
}
