//! Suggestions for a repository that is not in the registry.

use std::collections::BTreeSet;

use lore_model::distance_within;

use super::store::{Got, Reading};
use crate::forge::RepositoryId;

/// How far an id may be from the one that was asked for to be named instead.
const MOST_DISTANCE: usize = 3;
/// Ids that are named instead.
const MOST_NEAR: usize = 5;

/// Ids of the registry that are near to one that it does not have, the nearest first.
pub fn similar_ids(store: &dyn Reading, repository: &RepositoryId) -> Got<Vec<String>> {
    let wanted = repository.key();
    let mut near: BTreeSet<(usize, String)> = BTreeSet::new();
    store.each_id(&mut |id| {
        let key = id.to_ascii_lowercase();
        if let Some(distance) = distance_within(&key, &wanted, MOST_DISTANCE).filter(|distance| *distance > 0) {
            near.insert((distance, id.to_owned()));
            if near.len() > MOST_NEAR {
                near.pop_last();
            }
        }
    })?;
    Ok(near.into_iter().map(|(_, id)| id).collect())
}
