//! Search in names and knowledge: words are substrings, so three letters each are indexed, and what the index finds is looked at again.
//!
//! All of this is SQLite's own (FTS5); another database has its own index of three letters.

use lore_memory::id::Id;
use lore_memory::model::ParentType;
use lore_memory::store::{Got, GraphSearch};
use rusqlite::types::ToSql;
use rusqlite::{Connection, params, params_from_iter};

use super::rows::{Key, all, count, execute};

/// Rows that the index may name before a walk in the order of names is faster.
const COMMON: u64 = 1_000;
/// Pieces of one word that the index is asked for.
const PIECES: usize = 8;
/// Letters of a piece.
const PIECE: usize = 3;

/// The folded texts of a row.
#[derive(PartialEq, Eq, Debug)]
pub(super) struct Words {
    pub(super) name: String,
    pub(super) knowledge: String,
}

/// Puts a row into the index.
pub(super) fn index_words(connection: &Connection, index: &str, sequence: i64, words: &Words) -> Got<()> {
    let sql = format!("INSERT INTO {index} (rowid, name, knowledge) VALUES (?1, ?2, ?3)");
    execute(connection, &sql, params![sequence, words.name, words.knowledge]).map(drop)
}

/// Takes a row out of the index, which has to be told the very texts that it was put in with.
pub(super) fn unindex_words(connection: &Connection, index: &str, sequence: i64, words: &Words) -> Got<()> {
    let sql = format!("INSERT INTO {index} ({index}, rowid, name, knowledge) VALUES ('delete', ?1, ?2, ?3)");
    execute(connection, &sql, params![sequence, words.name, words.knowledge]).map(drop)
}

/// What the index is asked: all pieces of all words. Nothing if no word is long enough to have one.
fn pieces(words: &[String]) -> Option<String> {
    let mut asked = Vec::new();
    for word in words {
        let letters: Vec<char> = word.chars().collect();
        let windows: Vec<&[char]> = letters.windows(PIECE).collect();
        let step = windows.len().div_ceil(PIECES).max(1);
        for window in windows.iter().step_by(step) {
            let piece: String = window.iter().collect();
            asked.push(format!("\"{}\"", piece.replace('"', "\"\"")));
        }
    }
    (!asked.is_empty()).then(|| asked.join(" AND "))
}

/// Which way rows are found.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Plan {
    /// In the order of names, each looked at.
    Walk,
    /// Those that the index names.
    Index,
}

pub(super) fn search(connection: &Connection, search: &GraphSearch) -> Got<Vec<Id>> {
    let plan = match pieces(&search.words) {
        Some(asked) => {
            let index = index_of(search.kind);
            let sql = format!(
                "SELECT count(*) FROM (SELECT 1 FROM {index} WHERE {index} MATCH ?1 LIMIT {})",
                COMMON + 1
            );
            if count(connection, &sql, [asked])? > COMMON {
                Plan::Walk
            } else {
                Plan::Index
            }
        }
        None => Plan::Walk,
    };
    search_by(connection, search, plan)
}

fn index_of(kind: ParentType) -> &'static str {
    match kind {
        ParentType::Atom => "atom_words",
        ParentType::Molecule => "molecule_words",
    }
}

/// Searches in one of the two ways; both give the same.
pub(super) fn search_by(connection: &Connection, search: &GraphSearch, plan: Plan) -> Got<Vec<Id>> {
    let (table, index, order) = match search.kind {
        ParentType::Atom => ("graph_atoms", "atom_words", "idx_graph_atoms_name"),
        ParentType::Molecule => ("graph_molecules", "molecule_words", "idx_graph_molecules_name"),
    };
    let mut values: Vec<Box<dyn ToSql>> = vec![Box::new(Key(search.project))];
    let asked = match plan {
        Plan::Index => pieces(&search.words),
        Plan::Walk => None,
    };
    // With a sum in front a column is not looked up by an index of its own: the planner would take every row of the project and ask the index of words for each.
    let plain = if asked.is_some() { "+" } else { "" };
    let mut conditions = vec![format!("{plain}project_id = ?1")];
    if let (Some(molecule), ParentType::Atom) = (search.molecule, search.kind) {
        values.push(Box::new(Key(molecule)));
        conditions.push(format!("{plain}molecule_id = ?{}", values.len()));
    }
    if search.orphans_only && search.kind == ParentType::Atom {
        conditions.push(format!("{plain}molecule_id IS NULL"));
    }
    let walks = asked.is_none();
    if let Some(asked) = asked {
        values.push(Box::new(asked));
        conditions.push(format!(
            "seq IN (SELECT rowid FROM {index} WHERE {index} MATCH ?{})",
            values.len()
        ));
    }
    for word in &search.words {
        values.push(Box::new(word.clone()));
        let place = values.len();
        conditions.push(format!(
            "(instr(name_fold, ?{place}) > 0 OR instr(knowledge_fold, ?{place}) > 0)"
        ));
    }
    // The planner would walk in the order of names and ask the index for each row; a sum keeps it from that.
    let (by, order) = if walks && search.molecule.is_none() {
        (format!(" INDEXED BY {order}"), "name_fold, name, id")
    } else {
        (String::new(), "+name_fold, name, id")
    };
    let sql = format!(
        "SELECT id FROM {table}{by} WHERE {} ORDER BY {order} LIMIT {} OFFSET {}",
        conditions.join(" AND "),
        search.limit,
        search.offset
    );
    let found = all(connection, &sql, params_from_iter(values.iter()), |row| {
        row.get::<_, Key>(0)
    })?;
    Ok(found.into_iter().map(|key| key.0).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pieces_are_three_letters_each_and_spread_over_the_word() {
        let words = |words: &[&str]| words.iter().map(|word| (*word).to_owned()).collect::<Vec<_>>();
        assert_eq!(pieces(&words(&["ab", ""])), None);
        assert_eq!(
            pieces(&words(&["hook", "é\"%"])),
            Some("\"hoo\" AND \"ook\" AND \"é\"\"%\"".to_owned())
        );
        let long = pieces(&words(&["abcdefghijklmnopqrstuvwxyz"])).unwrap_or_default();
        assert_eq!(long.matches("AND").count(), PIECES - 1);
    }
}
