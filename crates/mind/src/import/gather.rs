//! Which Markdown files a pattern means, by their paths from the root of the repository (clause Matter7).

use globset::GlobBuilder;
use lore_model::{join_path, normal_path, resolve_path};

use super::markdown::MarkdownFile;
use lore_seam::{Ctx, ErrorKind, OpError, PathKind};

/// Files that are looked at.
const MOST: usize = 100_000;
/// The largest Markdown file that is read. Larger files are not documents.
const BYTES: u64 = 16 << 20;
/// What makes a name a pattern.
const WILD: &[char] = &['*', '?', '[', '{', '\\'];

/// Files with their paths, and what is remarkable.
#[derive(Debug, Default)]
pub(super) struct Gathered {
    files: Vec<(String, Vec<u8>)>,
    pub(super) warnings: Vec<String>,
}

impl Gathered {
    pub(super) fn files(&self) -> Vec<MarkdownFile<'_>> {
        let files = self.files.iter().map(|(path, bytes)| MarkdownFile { path, bytes });
        files.collect()
    }
}

/// Reads the files that match a pattern. The pattern is relative to the current directory; a directory means everything below it.
pub(super) fn gather(ctx: &Ctx, pattern: &str) -> Result<Gathered, OpError> {
    let invalid = |message: String| OpError::new(ErrorKind::Invalid, message);
    if pattern.is_empty() || pattern.starts_with('/') {
        return Err(
            invalid(format!("`{pattern}` is not a pattern of paths in the repository"))
                .hint("write the pattern relative to the current directory, such as docs/**/*.md"),
        );
    }
    let (directory, rest) = split(pattern);
    // Where another tree was named, the pattern is seen from its root.
    let here = match ctx.ports.code.elsewhere() {
        Some(_) => String::new(),
        None => ctx.ports.code.here(),
    };
    let base = normal_path(&join_path(&here, directory))
        .ok_or_else(|| invalid(format!("`{pattern}` leads outside of the repository")))?;
    let files = ctx.ports.code.files()?;
    let shown = match base.as_str() {
        "" => ".",
        base => base,
    };
    let rest = match (rest, files.kind(&resolve_path(&base, rest))) {
        ("", _) => "**".to_owned(),
        (rest, Some(PathKind::Directory)) => format!("{rest}/**"),
        (rest, _) => rest.to_owned(),
    };
    let glob = GlobBuilder::new(&rest).literal_separator(true).build();
    let glob = glob
        .map_err(|error| invalid(format!("`{pattern}` is not a valid pattern: {}", error.kind())))?
        .compile_matcher();
    let mut gathered = Gathered::default();
    if !base.is_empty() && files.kind(&base) != Some(PathKind::Directory) {
        return Ok(gathered);
    }
    let (mut paths, more) = files.walk(&base, MOST)?;
    if more {
        return Err(
            invalid(format!("there are more than {MOST} files below `{shown}`")).hint("name a deeper directory")
        );
    }
    paths.retain(|path| is_markdown(path) && !is_hidden(path) && glob.is_match(path));
    paths.sort_unstable();
    for path in paths {
        let named = join_path(&base, &path);
        match files.read_inside(&base, &path, BYTES) {
            Ok(bytes) => gathered.files.push((named, bytes)),
            Err(error) => gathered.warnings.push(format!("skipped {named}: {error}")),
        }
    }
    Ok(gathered)
}

/// The directories that a pattern begins with, and the pattern below them.
fn split(pattern: &str) -> (&str, &str) {
    let pattern = pattern.strip_prefix("./").unwrap_or(pattern);
    let wild = pattern.find(WILD).unwrap_or(pattern.len());
    match pattern.get(..wild).and_then(|plain| plain.rfind('/')) {
        Some(at) => (
            pattern.get(..at).unwrap_or_default(),
            pattern.get(at + 1..).unwrap_or_default(),
        ),
        None if matches!(pattern, "." | "..") => (pattern, ""),
        None => ("", pattern),
    }
}

fn is_markdown(path: &str) -> bool {
    path.rsplit_once('.')
        .is_some_and(|(_, extension)| extension.eq_ignore_ascii_case("md"))
}

fn is_hidden(path: &str) -> bool {
    path.split('/').any(|part| part.starts_with('.'))
}

#[cfg(test)]
mod tests {
    use super::*;
    use lore_seam::world::World;

    fn paths(pattern: &str) -> Result<Vec<String>, String> {
        let names = [
            "README.md",
            "docs/a.md",
            "docs/deep/b.MD",
            "docs/deep/c.txt",
            "docs/.hidden/d.md",
            "docs/.e.md",
            "src/f.md",
        ];
        let world = World::of_files(names.map(|name| (name, "x")));
        let gathered = gather(&world.ctx(), pattern).map_err(|error| error.message)?;
        Ok(gathered.files.into_iter().map(|(path, _)| path).collect())
    }

    #[test]
    fn matter7_patterns_name_markdown_files_that_are_not_hidden_in_order() {
        for (pattern, expected) in [
            ("*.md", vec!["README.md"]),
            ("./docs/*", vec!["docs/a.md"]),
            ("docs/**", vec!["docs/a.md", "docs/deep/b.MD"]),
            ("docs", vec!["docs/a.md", "docs/deep/b.MD"]),
            ("docs/deep/", vec!["docs/deep/b.MD"]),
            ("docs/a.md", vec!["docs/a.md"]),
            ("**/?.md", vec!["docs/a.md", "src/f.md"]),
            ("{docs,src}/?.md", vec!["docs/a.md", "src/f.md"]),
            ("docs/deep/c.txt", vec![]),
            ("none/*.md", vec![]),
        ] {
            assert_eq!(paths(pattern).expect("a pattern"), expected, "{pattern}");
        }
    }

    #[test]
    fn matter7_a_pattern_is_one_of_the_repository() {
        assert_eq!(
            paths("../*.md"),
            Err("`../*.md` leads outside of the repository".to_owned())
        );
        assert_eq!(
            paths("/etc/*.md"),
            Err("`/etc/*.md` is not a pattern of paths in the repository".to_owned())
        );
        assert!(
            paths("docs/[")
                .expect_err("none")
                .starts_with("`docs/[` is not a valid pattern: ")
        );
    }
}
