//! Which of the graphs that were fetched of a repository can be asked like code.

use super::body::FORMAT;
use crate::ckgp::consumer::kept::KeptGraph;
use crate::ckgp::consumer::store::kept_of;
use crate::ckgp::forge::RepositoryId;
use crate::seam::{ErrorKind, Graphs, OpError};

/// The graph of a repository that was fetched before and can be opened.
pub fn openable(graphs: &dyn Graphs, repository: &RepositoryId) -> Result<KeptGraph, OpError> {
    let kept = kept_of(graphs, repository)?;
    let kept = kept.map(|kept| kept.graphs).unwrap_or_default();
    let formats: Vec<String> = kept.iter().map(|graph| graph.format.clone()).collect();
    match kept.into_iter().find(|graph| graph.format == FORMAT) {
        Some(graph) => Ok(graph),
        None if formats.is_empty() => {
            let message = format!("no graph of {repository} was fetched, and there is no directory of that name");
            Err(OpError::new(ErrorKind::NotFound, message).hint(format!("`lore graph get {repository}` fetches it")))
        }
        None => {
            let message = format!(
                "the graph of {repository} that was fetched is of {}, which cannot be asked like code",
                formats.join(" and ")
            );
            Err(OpError::new(ErrorKind::NotFound, message).hint(format!(
                "`lore graph get {repository} --format {FORMAT}` looks for one that can; `lore graph get {repository}` outlines this one"
            )))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ckgp::consumer::kept::Kept;
    use crate::ckgp::consumer::store::keep;
    use crate::seam::world::World;

    fn graph(format: &str, digest: &str) -> KeptGraph {
        KeptGraph {
            format: format.to_owned(),
            digest: digest.to_owned(),
            ..KeptGraph::default()
        }
    }

    #[test]
    fn c7_a_graph_that_was_fetched_is_found_by_its_repository_whatever_the_case() {
        let world = World::of_files([("x", "")]);
        let ctx = world.ctx();
        let id = |text: &str| RepositoryId::parse(text).expect("an id");
        let graphs = ctx.ports.graphs.as_ref();
        let error = openable(graphs, &id("acme/shop")).expect_err("nothing was fetched");
        assert_eq!(
            (error.kind, error.hints),
            (ErrorKind::NotFound, vec!["`lore graph get acme/shop` fetches it".to_owned()])
        );
        keep(&ctx, &id("acme/shop"), graph("generic@1", "aa"), b"x").expect("kept");
        let error = openable(graphs, &id("acme/shop")).expect_err("it is of another format");
        assert!(error.message.contains("is of generic@1, which cannot be asked like code"), "{error}");
        keep(&ctx, &id("acme/shop"), graph(FORMAT, "bb"), b"y").expect("kept");
        assert_eq!(openable(graphs, &id("Acme/Shop")).map(|graph| graph.digest), Ok("bb".to_owned()));
        assert_eq!(Kept::of(&id("acme/shop")).graphs, Vec::new());
    }
}
