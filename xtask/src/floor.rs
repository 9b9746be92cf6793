//! The floor of every measurement: walk, read and parse the same files in parallel, and nothing else.

use std::cell::RefCell;
use std::collections::HashSet;
use std::path::Path;

use lore_backends::{DirectoryTree, StatTable, TreePatterns};
use lore_index::{Detection, Detector, LANGUAGES, SourceFile, SourceTree, detect_by_content};
use rayon::prelude::*;
use tree_sitter::Parser;

use crate::{Outcome, disk};

thread_local! {
    static PARSERS: RefCell<Vec<Option<Parser>>> = const { RefCell::new(Vec::new()) };
}

/// Does it, and prints how many files and bytes it parsed.
pub(crate) fn run(root: &Path, list: Option<&Path>) -> Outcome<()> {
    let list = list.map(disk::read).transpose()?;
    let wanted: Option<HashSet<&str>> = list.as_ref().map(|list| list.lines().collect());
    let tree = DirectoryTree::new(root.to_owned(), TreePatterns::default(), StatTable::default());
    let listing = tree.list().map_err(|error| error.message)?;
    let (files, bytes) = listing
        .files
        .par_iter()
        .filter(|file| match &wanted {
            Some(wanted) => wanted.contains(file.path.as_str()),
            None => matches!(Detector::default().by_path(&file.path), Detection::Language(_)),
        })
        .filter_map(|file| parse(&tree, file))
        .map(|bytes| (1_usize, bytes))
        .reduce(|| (0, 0), |left, right| (left.0 + right.0, left.1 + right.1));
    println!("{files} files, {bytes} bytes");
    Ok(())
}

/// Parses a file and gives its size, or nothing if it is in no language of ours.
fn parse(tree: &DirectoryTree, file: &SourceFile) -> Option<usize> {
    let content = tree.read(file).ok()?;
    let number = detect_by_content(Detector::default().by_path(&file.path), &file.path, &content)?;
    let language = LANGUAGES.get(number as usize)?;
    PARSERS.with_borrow_mut(|parsers| {
        parsers.resize_with(LANGUAGES.len(), || None);
        let slot = &mut parsers[number as usize];
        if slot.is_none() {
            let mut parser = Parser::new();
            parser.set_language(&(language.grammar)()).ok()?;
            *slot = Some(parser);
        }
        slot.as_mut()?.parse(&content, None).map(|_| content.len())
    })
}
