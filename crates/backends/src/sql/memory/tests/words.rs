//! Both ways to search find the same.

use lore_memory::contract::{atom, project};
use lore_memory::model::ParentType;
use lore_memory::store::{GraphSearch, Memory};
use lore_memory::testing::numbered;
use proptest::prelude::*;

use super::Kept;
use crate::sql::memory::search::{Plan, search_by};

proptest! {
    #![proptest_config(lore_testing::cases(40))]

    #[test]
    fn amend1_the_index_finds_what_a_walk_finds(
        texts in proptest::collection::vec(("[abé\"%_\\\\ ß]{0,8}", "[abé\"%_\\\\ ß]{0,20}"), 1..12),
        words in proptest::collection::vec("[abé\"%_\\\\s]{1,5}", 0..3),
    ) {
        let kept = Kept::new();
        kept.store.write(&mut |unit| {
            unit.put_project(&project(1, "Shop"), None)?;
            for (number, (name, knowledge)) in texts.iter().enumerate() {
                let mut atom = atom(10 + number as u64, numbered(1), name);
                atom.knowledge = knowledge.clone();
                unit.put_atom(&atom, None)?;
            }
            Ok(())
        }).expect("written");
        let search = GraphSearch {
            kind: ParentType::Atom,
            project: numbered(1),
            words: words.iter().map(|word| lore_memory::fold::fold(word)).collect(),
            molecule: None,
            orphans_only: false,
            offset: 0,
            limit: 100,
        };
        let connection = crate::sql::connection::open(&kept.directory.path().join("data/lore.db"), false).expect("open");
        let walked = search_by(&connection, &search, Plan::Walk).expect("walked");
        prop_assert_eq!(search_by(&connection, &search, Plan::Index).expect("indexed"), walked);
    }
}
