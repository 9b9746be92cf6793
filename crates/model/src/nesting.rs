//! The nesting depth of symbols, from a column of parents.

use crate::{NONE, U32};

/// The depth of each symbol: 1 at the top, and [`u32::MAX`] if its parents form a cycle. A parent out of range counts
/// as no parent. Linear in the number of symbols.
pub(crate) fn depths(parents: &[U32]) -> Vec<u32> {
    const UNKNOWN: u32 = 0;
    const CIRCLE: u32 = NONE;
    let mut depths = vec![UNKNOWN; parents.len()];
    let mut path: Vec<usize> = Vec::new();
    for symbol in 0..parents.len() {
        let mut next = Some(symbol);
        let mut depth = 0;
        while let Some(at) = next {
            if depths[at] != UNKNOWN {
                depth = depths[at];
                break;
            }
            // A path that returns to one of its own symbols finds this mark: a cycle.
            depths[at] = CIRCLE;
            path.push(at);
            next = Some(parents[at].get() as usize).filter(|parent| *parent < parents.len());
        }
        for symbol in path.drain(..).rev() {
            depth = depth.saturating_add(1);
            depths[symbol] = depth;
        }
    }
    depths
}

#[cfg(test)]
mod tests {
    use super::*;

    fn depths_of(parents: &[u32]) -> Vec<u32> {
        let parents: Vec<U32> = parents.iter().map(|parent| U32::from(*parent)).collect();
        depths(&parents)
    }

    #[test]
    fn depth_counts_from_the_top_whatever_the_order() {
        assert_eq!(depths_of(&[NONE, 0, 1, 0]), [1, 2, 3, 2]);
        assert_eq!(depths_of(&[1, 2, NONE, 0]), [3, 2, 1, 4]);
        assert_eq!(depths_of(&[9, 0]), [1, 2]);
        assert!(depths_of(&[]).is_empty());
    }

    #[test]
    fn what_leads_into_a_circle_has_no_depth() {
        assert_eq!(depths_of(&[0, 0, NONE]), [NONE, NONE, 1]);
        assert_eq!(depths_of(&[1, 2, 0, 2, NONE]), [NONE, NONE, NONE, NONE, 1]);
    }
}
