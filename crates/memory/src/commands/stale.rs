//! `lore memory stale`: which atoms may be out of date, and which patterns have lost their files.

use clap::Args;
use lore_model::fold_whitespace;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::choose::{choose_knowledge, project_or_own};
use crate::envelope::{code, envelope};
use crate::graph::context::sorted;
use crate::graph::paths::Glob;
use crate::graph::renames::{Moves, Rename};
use crate::graph::repository_state::{MOST_UNCOMMITTED, head_of};
use crate::graph::staleness::{Commits, Judge, Stale};
use crate::graph::unmatched::{RepositoryFiles, remark};
use crate::id::Id;
use crate::model::{Atom, ParentType};
use crate::store::{Got, reading};
use lore_seam::{Access, Ctx, Envelope, ErrorKind, OpError, Operation, Page, Render, Value};

/// Uncommitted files listed for each atom.
const MOST_FILES: usize = 10;
/// How much of an id of git is shown to people.
const SHORT: usize = 10;

/// Show atoms that may be out of date: files that match their patterns changed since the last confirmation
///
/// Writing the knowledge of an atom in its repository confirms the atom, and so does `lore memory atom confirm`. The answer is no if any atom is stale.
#[derive(Args, Deserialize, JsonSchema, Clone, Debug, Default)]
#[command(after_help = "Examples:
  lore memory stale                  all atoms of the project of this repository
  lore memory stale 'Payment API'    one atom, by name or id
  lore memory stale --json | jq '.atoms[].name'")]
#[serde(default)]
pub struct MemoryStaleRequest {
    /// Only these atoms, by id or name [default: all]
    pub atoms: Vec<String>,
    /// The project, by id or name [default: the project of this repository]
    #[arg(long, value_name = "ID|NAME")]
    #[schemars(extend("x-agents" = "omit"))]
    pub project: Option<String>,
}

/// Atoms that may be out of date
#[derive(Serialize, JsonSchema, Clone, PartialEq, Eq, Debug, Default)]
#[serde(rename_all = "camelCase")]
pub struct MemoryStaleAnswer {
    /// The current commit
    pub commit: String,
    /// The number of checked atoms
    pub checked: usize,
    /// Atoms that may be out of date
    pub atoms: Vec<StaleAtom>,
    /// Patterns whose files were renamed
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub renames: Vec<Rename>,
    /// Atoms that were never confirmed
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub unconfirmed: Vec<Unconfirmed>,
    /// Patterns that match no file
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub unmatched: Vec<Unmatched>,
}

/// An atom that may be out of date
#[derive(Serialize, JsonSchema, Clone, PartialEq, Eq, Debug)]
#[serde(rename_all = "camelCase")]
pub struct StaleAtom {
    /// The id
    pub id: Id,
    /// The name
    pub name: String,
    /// The changes
    #[serde(flatten)]
    pub stale: Stale,
}

/// An atom that was never confirmed
#[derive(Serialize, JsonSchema, Clone, PartialEq, Eq, Debug)]
pub struct Unconfirmed {
    /// The id
    pub id: Id,
    /// The name
    pub name: String,
}

/// A pattern that matches no file
#[derive(Serialize, JsonSchema, Clone, PartialEq, Eq, Debug)]
#[serde(rename_all = "camelCase")]
pub struct Unmatched {
    /// The atom
    pub atom_id: Id,
    /// The name of the atom
    pub name: String,
    /// The pattern
    pub pattern: String,
}

/// `lore memory stale`.
pub struct MemoryStale;

impl Operation for MemoryStale {
    const NAME: &'static str = "memory_stale";
    const COMMAND: &'static [&'static str] = &["memory", "stale"];
    const ACCESS: Access = Access::Read;
    const ENVELOPE: Option<Envelope> = Some(envelope);
    type Request = MemoryStaleRequest;
    type Answer = Value<MemoryStaleAnswer>;

    fn run(ctx: &Ctx, request: MemoryStaleRequest) -> Result<Value<MemoryStaleAnswer>, OpError> {
        let (atoms, head) = reading(ctx, |store| {
            let project = project_or_own(ctx, store, request.project.as_deref())?;
            let ids: Vec<Id> = if request.atoms.is_empty() {
                store.patterns(project)?.atoms().collect()
            } else {
                let own = project.to_string();
                let named = request
                    .atoms
                    .iter()
                    .map(|given| choose_knowledge(ctx, store, ParentType::Atom, Some(&own), given));
                named.collect::<Got<_>>()?
            };
            Ok((store.atoms(&ids)?, head_of(ctx, store, project)?))
        })?;
        let log = ctx.ports.code.log(ctx.progress.as_ref(), &ctx.cancel)?;
        let (Some(head), Some(log)) = (head, log) else {
            let message = "no git history: this is not the repository of the project, or it has no commit";
            return Err(OpError::new(ErrorKind::Unavailable, message)
                .code(code::INVALID_OPERATION)
                .hint("run this in the repository of the project; `lore memory project link` links a repository to a project"));
        };
        let uncommitted = ctx.ports.code.uncommitted(&[], MOST_UNCOMMITTED)?;
        let judge = Judge::new(&log);
        let moves = Moves::new(&log);
        let mut answer = MemoryStaleAnswer {
            commit: log.head.clone(),
            checked: atoms.len(),
            ..MemoryStaleAnswer::default()
        };
        let files = RepositoryFiles::read(&*ctx.ports.code, &head.within)?;
        for atom in sorted(atoms, |atom| (atom.name.clone(), atom.id)) {
            let renames = moves.of(atom.id, &atom.paths);
            let is_explained = |pattern: &String| renames.iter().any(|rename| rename.pattern == *pattern);
            // A committed file that is gone from the working tree is a change, and no wrong pattern.
            let is_committed = |pattern: &String| {
                Glob::new(pattern).is_ok_and(|glob| {
                    let below = log.files_below(glob.within());
                    below.iter().any(|path| glob.matches(path))
                })
            };
            let unmatched = files.unmatched(&atom.paths).into_iter();
            let unmatched = unmatched.filter(|pattern| !is_explained(pattern) && !is_committed(pattern));
            answer.unmatched.extend(unmatched.map(|pattern| Unmatched {
                atom_id: atom.id,
                name: atom.name.clone(),
                pattern,
            }));
            answer.renames.extend(renames);
            match (judge.stale(&atom), &atom.confirmed) {
                (Some(mut stale), _) => {
                    stale.uncommitted = matching(&atom, uncommitted.keys());
                    let (id, name) = (atom.id, atom.name);
                    answer.atoms.push(StaleAtom { id, name, stale });
                }
                (None, None) => answer.unconfirmed.push(Unconfirmed {
                    id: atom.id,
                    name: atom.name,
                }),
                (None, Some(_)) => {}
            }
        }
        Ok(if answer.atoms.is_empty() {
            Value::yes(answer)
        } else {
            Value::no(answer)
        })
    }
}

fn matching<'p>(atom: &Atom, paths: impl Iterator<Item = &'p String>) -> Vec<String> {
    let globs: Vec<Glob> = atom
        .paths
        .iter()
        .filter_map(|pattern| Glob::new(pattern).ok())
        .collect();
    let matching = paths.filter(|path| globs.iter().any(|glob| glob.matches(path)));
    matching.take(MOST_FILES).cloned().collect()
}

impl Render for MemoryStaleAnswer {
    fn render(&self, page: &mut Page) {
        if self.atoms.is_empty() {
            page.line(format_args!("No atom of {} is stale.", self.checked));
        }
        for atom in &self.atoms {
            page.strong(&fold_whitespace(&atom.name));
            page.write(format_args!("  {}  ", atom.id.short()));
            let since: String = atom.stale.since.commit.chars().take(SHORT).collect();
            match (&atom.stale.commits, atom.stale.state) {
                (Commits::Counted(1), "stale") => page.write(format_args!("1 commit since ")),
                (Commits::Counted(count), "stale") => page.write(format_args!("{count} commits since ")),
                (Commits::More(more), _) => page.write(format_args!("{more} commits since ")),
                (Commits::Counted(count), _) => page.write(format_args!(
                    "unknown: the confirmed commit is not an ancestor; {count} later commits, confirmed at "
                )),
            }
            page.text(&since);
            page.line(format_args!(""));
            for file in &atom.stale.files {
                page.write(format_args!("    "));
                page.text(file);
                page.line(format_args!(""));
            }
            if let Some(more) = atom.stale.more_files {
                page.line(format_args!("    and {more} more"));
            }
            for file in &atom.stale.uncommitted {
                page.write(format_args!("    "));
                page.text(file);
                page.line(format_args!(" (not committed)"));
            }
        }
        for rename in &self.renames {
            let how = if rename.sure {
                "were renamed"
            } else {
                "were likely renamed"
            };
            page.write(format_args!("files of `"));
            page.text(&rename.pattern);
            page.write(format_args!("` {how}; suggested pattern `"));
            page.text(&rename.suggested);
            page.line(format_args!("` (atom {})", rename.atom_id.short()));
        }
        for unmatched in &self.unmatched {
            page.write(format_args!("note: "));
            page.text(&remark(&unmatched.pattern));
            page.write(format_args!(" ("));
            page.text(&fold_whitespace(&unmatched.name));
            page.line(format_args!(")"));
        }
        if !self.unconfirmed.is_empty() {
            page.line(format_args!(
                "{} atoms were never confirmed: `lore memory atom confirm` confirms an atom at the current commit.",
                self.unconfirmed.len()
            ));
        }
    }
}
