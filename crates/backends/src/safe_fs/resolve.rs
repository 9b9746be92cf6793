//! Resolves paths component by component, so that every link is seen before it is followed.

use std::ffi::{OsStr, OsString};
use std::fs::File;
use std::io;
use std::path::{Component, Path, PathBuf};

use super::directory::Directory;
use super::handle::{Entry, Kind};
use super::pending::Pending;

/// Links that are followed in one path.
const MOST_LINKS: usize = 40;

/// Resolves paths from a directory. Links are followed, unless one that is below the fence or in a guarded tree leads out
/// of it: these links are a repository's, all others the user's own.
#[derive(Clone, Debug)]
pub(crate) struct Resolver {
    /// The directories from the top of the file system down to the one that relative paths begin in.
    base: Vec<Level>,
    fence: Option<Directory>,
    /// Trees whose links must not lead out of them either.
    guarded: Vec<Directory>,
    /// Whether every directory that holds `.git` is such a tree.
    guards_work_trees: bool,
}

/// A directory on the way to a place.
#[derive(Clone, Debug)]
struct Level {
    directory: Directory,
    name: OsString,
    /// Whether it is the fence or below it.
    inside: bool,
    /// The innermost guarded tree that it is in.
    guard: Option<PathBuf>,
}

/// Why a path cannot be resolved. Paths are shown from the fence where they are below it.
#[derive(Debug)]
pub(crate) enum Fault {
    /// A link of the repository leads out of it.
    LeadsOut(PathBuf),
    /// What is to be a directory is a file.
    NotADirectory(PathBuf),
    /// The system's own reason.
    Io(io::Error),
}

impl From<io::Error> for Fault {
    fn from(error: io::Error) -> Self {
        Self::Io(error)
    }
}

/// Where a path leads. No part of it is a link.
#[derive(Debug)]
pub(crate) struct ResolvedPath {
    /// The directories from the top of the file system; the last one is the deepest that exists.
    levels: Vec<Level>,
    /// Directories below the last one that do not exist.
    missing: Vec<OsString>,
    /// The name in the last directory; none if the place is that directory itself.
    name: Option<OsString>,
    /// What is under the name.
    entry: Option<Entry>,
    /// The link whose target does not exist, if that is why something is missing.
    dangling: Option<PathBuf>,
    /// Whether a link was followed.
    pub(crate) is_linked: bool,
    /// Whether a link below the fence was followed.
    is_repository_linked: bool,
}

impl Resolver {
    /// Paths from a directory, whose own path may have links.
    pub(crate) fn new(start: &Path, fence: Option<&Path>) -> io::Result<Self> {
        let fence = fence.map(Directory::open).transpose()?;
        let start = start.canonicalize()?;
        let (top, parts) = split(&start);
        let mut base = vec![Level {
            directory: Directory::open(&top)?,
            name: OsString::new(),
            inside: false,
            guard: None,
        }];
        if let Some(fence) = &fence {
            base[0].inside = base[0].directory.is_same(fence)?;
        }
        let mut resolver = Self {
            base,
            fence,
            guarded: Vec::new(),
            guards_work_trees: false,
        };
        for name in parts {
            let level = resolver.below(&resolver.base, &name)?;
            resolver.base.push(level);
        }
        Ok(resolver)
    }

    /// The same paths, where the links of some trees do not lead out of these trees. Trees that do not exist have no links.
    pub(crate) fn guarding(mut self, trees: &[PathBuf]) -> io::Result<Self> {
        for tree in trees {
            match Directory::open(tree) {
                Ok(directory) => self.guarded.push(directory),
                Err(error) if super::is_absent(&error) => {}
                Err(error) => return Err(error),
            }
        }
        self.guard_base()?;
        Ok(self)
    }

    /// The same paths, where no link in the work tree of a git repository leads out of that work tree.
    pub(crate) fn guarding_work_trees(mut self) -> io::Result<Self> {
        self.guards_work_trees = true;
        self.guard_base()?;
        Ok(self)
    }

    /// Finds out again which of the directories of the base are guarded.
    fn guard_base(&mut self) -> io::Result<()> {
        let mut guard = None;
        for at in 0..self.base.len() {
            let directory = &self.base[at].directory;
            if self.is_guarded(directory)? {
                guard = Some(directory.path().to_owned());
            }
            self.base[at].guard.clone_from(&guard);
        }
        Ok(())
    }

    fn is_guarded(&self, directory: &Directory) -> io::Result<bool> {
        for tree in &self.guarded {
            if directory.is_same(tree)? {
                return Ok(true);
            }
        }
        // A directory that may not be searched has no links that could be followed.
        Ok(self.guards_work_trees && matches!(directory.look(".git"), Ok(Some(_))))
    }

    /// Paths from a directory that no link leads out of.
    pub(crate) fn confined(root: &Path) -> io::Result<Self> {
        Self::new(root, Some(root))
    }

    fn below(&self, levels: &[Level], name: &OsStr) -> io::Result<Level> {
        let above = levels
            .last()
            .expect("because the top of the file system is never removed");
        let directory = above.directory.child(name)?;
        let inside = above.inside
            || match &self.fence {
                Some(fence) => directory.is_same(fence)?,
                None => false,
            };
        let guard = if self.is_guarded(&directory)? {
            Some(directory.path().to_owned())
        } else {
            above.guard.clone()
        };
        Ok(Level {
            directory,
            name: name.to_owned(),
            inside,
            guard,
        })
    }

    /// Where a path leads once links are followed.
    pub(crate) fn resolve(&self, path: &Path) -> Result<ResolvedPath, Fault> {
        self.walk(path, true)
    }

    /// As [`Resolver::resolve`], but a link in the last place is not followed.
    pub(crate) fn resolve_parent(&self, path: &Path) -> Result<ResolvedPath, Fault> {
        self.walk(path, false)
    }

    fn walk(&self, path: &Path, follows_last: bool) -> Result<ResolvedPath, Fault> {
        let mut place = ResolvedPath {
            levels: self.base.clone(),
            missing: Vec::new(),
            name: None,
            entry: None,
            dangling: None,
            is_linked: false,
            is_repository_linked: false,
        };
        let mut parts = reversed(path);
        // How many components are left behind each link's own, and the link.
        let mut links: Vec<(usize, PathBuf)> = Vec::new();
        let mut first_repository_link = None;
        // The guarded trees that links were followed in, and the first such link of each.
        let mut guarded_links: Vec<(PathBuf, PathBuf)> = Vec::new();
        let mut followed = 0;
        if path.has_root() {
            place.restart(path)?;
        }
        while let Some(part) = parts.pop() {
            links.retain(|(left, _)| parts.len() >= *left);
            if part == *".." {
                if place.missing.pop().is_none() && place.levels.len() > 1 {
                    place.levels.pop();
                }
                continue;
            }
            if !place.missing.is_empty() {
                place.missing.push(part);
                continue;
            }
            let last = place.last();
            let Some(entry) = last.directory.look(&part)? else {
                place.dangling = links.first().map(|(_, link)| link.clone());
                place.missing.push(part);
                continue;
            };
            match entry.kind {
                Kind::Directory => {
                    let level = self.below(&place.levels, &part)?;
                    place.levels.push(level);
                }
                Kind::Link if follows_last || !parts.is_empty() => {
                    followed += 1;
                    if followed > MOST_LINKS {
                        return Err(Fault::Io(io::Error::other("too many links")));
                    }
                    let link = place.shown(&part);
                    let target = PathBuf::from(last.directory.read_link(&part)?);
                    let (is_repositorys, guard) = (last.inside, last.guard.clone());
                    if is_repositorys {
                        place.is_repository_linked = true;
                        first_repository_link.get_or_insert_with(|| link.clone());
                    }
                    if let Some(guard) = guard {
                        place.is_repository_linked = true;
                        guarded_links.push((guard, link.clone()));
                    }
                    place.is_linked = true;
                    links.push((parts.len(), link));
                    if target.has_root() {
                        place.restart(&target)?;
                    }
                    parts.extend(reversed(&target));
                }
                _ if parts.is_empty() => {
                    place.entry = Some(entry);
                    place.name = Some(part);
                }
                _ => return Err(Fault::NotADirectory(place.shown(&part))),
            }
        }
        if place.name.is_none() {
            place.name = place.missing.pop();
        }
        let end = place.last().directory.path();
        let escaped = guarded_links.into_iter().find(|(guard, _)| !end.starts_with(guard));
        match (first_repository_link, escaped) {
            (Some(link), _) if !place.is_inside() => Err(Fault::LeadsOut(link)),
            (_, Some((_, link))) => Err(Fault::LeadsOut(link)),
            _ => Ok(place),
        }
    }
}

impl ResolvedPath {
    fn last(&self) -> &Level {
        self.levels
            .last()
            .expect("because the top of the file system is never removed")
    }

    /// Begins again at the top that an absolute path names.
    fn restart(&mut self, path: &Path) -> io::Result<()> {
        let (top, _) = split(path);
        self.missing.clear();
        self.levels.truncate(1);
        if cfg!(windows) {
            let level = &mut self.levels[0];
            let directory = Directory::open(&top)?;
            // Another drive is not the one that the fence is on.
            level.inside = level.inside && level.directory.is_same(&directory)?;
            level.directory = directory;
        }
        Ok(())
    }

    /// A path for messages: from the fence, if it is below it.
    fn shown(&self, name: &OsStr) -> PathBuf {
        match self.relative() {
            Some(directory) => directory.join(name),
            None => self.last().directory.path().join(name),
        }
    }

    /// The path of the last directory from the fence; nothing if it is not below it.
    fn relative(&self) -> Option<PathBuf> {
        let below = self.levels.iter().filter(|level| level.inside).skip(1);
        self.last()
            .inside
            .then(|| below.map(|level| level.name.as_os_str()).collect())
    }

    /// Whether the place is in the fence or below it.
    pub(crate) fn is_inside(&self) -> bool {
        self.last().inside
    }

    /// Whether the place is in a guarded tree.
    pub(crate) fn is_guarded(&self) -> bool {
        self.last().guard.is_some()
    }

    /// Whether the place is in the repository, or was reached by a link of it.
    pub(crate) fn is_repositorys(&self) -> bool {
        self.is_inside() || self.is_repository_linked
    }

    /// The path from the fence, if the place is below it.
    pub(crate) fn inside(&self) -> Option<PathBuf> {
        let mut path = self.relative()?;
        path.extend(self.missing.iter().chain(&self.name));
        Some(path)
    }

    /// The whole path, without links.
    pub(crate) fn path(&self) -> PathBuf {
        let mut path = self.last().directory.path().to_owned();
        path.extend(self.missing.iter().chain(&self.name));
        path
    }

    /// What is there; nothing if there is nothing.
    pub(crate) fn kind(&self) -> Option<Kind> {
        match &self.name {
            Some(_) => self.entry.as_ref().map(|entry| entry.kind),
            None => Some(Kind::Directory),
        }
    }

    /// The link whose target does not exist, if that is why there is nothing.
    pub(crate) fn dangling(&self) -> Option<&Path> {
        self.dangling.as_deref()
    }

    /// What is known of the place, if anything is there.
    pub(crate) fn entry(&self) -> io::Result<Option<Entry>> {
        match &self.name {
            Some(_) => Ok(self.entry.clone()),
            None => self.directory().look_at_itself().map(Some),
        }
    }

    /// The directory itself if the place is one, else the deepest one above it that exists.
    pub(crate) fn directory(&self) -> &Directory {
        &self.last().directory
    }

    /// Opens the regular file that is there; nothing if there is nothing.
    pub(crate) fn open(&self) -> io::Result<Option<File>> {
        match &self.name {
            Some(name) if self.missing.is_empty() => self.directory().open_file(name),
            Some(_) => Ok(None),
            None => Err(io::ErrorKind::IsADirectory.into()),
        }
    }

    /// Begins a file that takes this place once it is whole. Directories that are missing are made. The file has the
    /// rights of the one whose place it takes.
    pub(crate) fn begin(&self) -> io::Result<Pending> {
        let Some(name) = &self.name else {
            return Err(io::ErrorKind::IsADirectory.into());
        };
        if self.entry.as_ref().is_some_and(|entry| entry.kind != Kind::File) {
            return Err(super::not_regular());
        }
        let mut directory = self.directory().clone();
        for missing in &self.missing {
            directory = directory.child_or_new(missing)?;
        }
        let pending = directory.begin(name)?;
        // Before the content, so that nobody reads it who might not read the old one.
        if let Some(before) = &self.entry {
            pending.as_file().set_permissions(before.permissions.clone())?;
        }
        Ok(pending)
    }

    /// Removes the regular file that is there, and the directories above it that are empty then: at most so many, and
    /// none that is the fence or holds it.
    pub(crate) fn remove(&self, most_directories: usize) -> io::Result<()> {
        let Some(name) = &self.name else {
            return Err(io::ErrorKind::IsADirectory.into());
        };
        if !self.missing.is_empty() || !self.directory().remove_file(name)? {
            return Err(io::ErrorKind::NotFound.into());
        }
        for pair in self.levels.windows(2).rev().take(most_directories) {
            let [above, level] = pair else { break };
            let is_fence = level.inside && !above.inside;
            // A directory that holds something stays.
            if is_fence || above.directory.remove_directory(&level.name).is_err() {
                break;
            }
        }
        Ok(())
    }
}

/// The top of an absolute path and the names below it.
fn split(path: &Path) -> (PathBuf, Vec<OsString>) {
    let mut top = PathBuf::new();
    let mut names = Vec::new();
    for part in path.components() {
        match part {
            Component::Prefix(_) | Component::RootDir => top.push(part),
            Component::Normal(name) => names.push(name.to_owned()),
            Component::CurDir | Component::ParentDir => {}
        }
    }
    (top, names)
}

/// The names of a path and `..`, the last one first.
fn reversed(path: &Path) -> Vec<OsString> {
    let parts = path.components().rev().filter_map(|part| match part {
        Component::Normal(name) => Some(name.to_owned()),
        Component::ParentDir => Some(OsString::from("..")),
        _ => None,
    });
    parts.collect()
}
