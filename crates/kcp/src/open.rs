//! Which manifest is meant, and how it is read: what every operation on one begins with (clauses D1, D2, S6).

use std::sync::Arc;

use super::discover::well_known::{WELL_KNOWN, well_known};
use super::discover::{Pointer, llms};
use super::finding::Severity;
use super::model::Manifest;
use super::parse::{Parsed, parse};
use super::validate::{ValidateOptions, validate};
use lore_base::yaml::Limits;
pub use lore_model::join_path as join;
use lore_seam::{Ctx, ErrorKind, OpError, PathKind};

/// The name of a manifest.
pub const MANIFEST: &str = "knowledge.yaml";
/// Bytes of a document that only names a manifest.
const POINTER_BYTES: u64 = 1 << 20;

/// A manifest that was read.
#[derive(Debug)]
pub struct Opened {
    /// The file, as the caller named it.
    pub path: String,
    /// The directory that its paths are seen from; none for standard input.
    pub directory: Option<String>,
    /// What became of it.
    pub parsed: Parsed,
    /// How it was found.
    pub found_by: FoundBy,
}

/// How a manifest was found.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FoundBy {
    /// The caller named it.
    Name,
    /// The header of `llms.txt` names it.
    Llms,
    /// It is at the usual path of manifests.
    Root,
    /// `.well-known/kcp.json` names it.
    WellKnown,
}

/// Reads the manifest that is meant: the file or directory that is named, else what `llms.txt` names, else `knowledge.yaml`, else what `.well-known/kcp.json` names, here or at the root of the repository.
pub fn open(ctx: &Ctx, file: Option<&str>) -> Result<Opened, OpError> {
    let (path, found_by) = find(ctx, file)?;
    let parsed = read(ctx, &path)?;
    Ok(Opened {
        directory: directory(&path).map(str::to_owned),
        path,
        parsed,
        found_by,
    })
}

/// A manifest that is valid, for the operations that work with one; with `lenient` any that could be parsed. A file that did not change since it was parsed is not parsed again.
pub fn open_valid(ctx: &Ctx, file: Option<&str>, lenient: bool) -> Result<(String, Arc<Manifest>), OpError> {
    let (path, _) = find(ctx, file)?;
    let checked = match stamp(ctx, &path) {
        Some(stamp) => ctx
            .ports
            .memo
            .get_or(&format!("manifest {path}"), stamp, || Ok(check(read(ctx, &path)?)))?,
        None => Arc::new(check(read(ctx, &path)?)),
    };
    let refused = |reason: &str| {
        OpError::new(ErrorKind::Invalid, format!("{path} is not a valid manifest: {reason}"))
            .hint(format!("`lore unit validate {path}` lists all findings"))
    };
    match (&checked.manifest, &checked.fault) {
        (Some(manifest), None) => Ok((path, Arc::clone(manifest))),
        (Some(manifest), Some(_)) if lenient => Ok((path, Arc::clone(manifest))),
        (_, fault) => Err(refused(fault.as_deref().unwrap_or("it cannot be parsed"))),
    }
}

/// The manifest in some bytes, if it is valid.
pub fn valid_in(bytes: &[u8]) -> Option<Arc<Manifest>> {
    let Checked { manifest, fault } = check(parse(bytes, &Limits::default()));
    manifest.filter(|_| fault.is_none())
}

/// What tells whether a file has changed; nothing for what cannot be read twice.
pub fn stamp(ctx: &Ctx, path: &str) -> Option<u64> {
    match path {
        "-" => None,
        path => Some(ctx.ports.files.stat(path)?.stamp),
    }
}

fn find(ctx: &Ctx, file: Option<&str>) -> Result<(String, FoundBy), OpError> {
    match file {
        Some(file) => Ok((named(ctx, file)?, FoundBy::Name)),
        None => search(ctx),
    }
}

fn read(ctx: &Ctx, path: &str) -> Result<Parsed, OpError> {
    let limits = Limits::default();
    // More is read than is parsed, so that a file that is somewhat too large gets a verdict with a code.
    let bytes = ctx.ports.files.read(path, 4 * u64::from(limits.bytes))?;
    Ok(parse(&bytes, &limits))
}

/// A manifest that was parsed, and the first thing that makes it invalid.
struct Checked {
    manifest: Option<Arc<Manifest>>,
    fault: Option<String>,
}

fn check(parsed: Parsed) -> Checked {
    let findings = match &parsed.manifest {
        Some(manifest) => validate(manifest, &ValidateOptions::default()),
        None => parsed.findings,
    };
    let fault = findings.into_iter().find(|finding| finding.severity == Severity::Error);
    Checked {
        manifest: parsed.manifest.map(Arc::new),
        fault: fault.map(|finding| finding.message),
    }
}

fn named(ctx: &Ctx, file: &str) -> Result<String, OpError> {
    match (file, ctx.ports.files.kind(file)) {
        ("-", _) | (_, Some(PathKind::File)) => Ok(file.to_owned()),
        (_, Some(PathKind::Directory)) => Ok(join(file.trim_end_matches('/'), MANIFEST)),
        (_, None) => Err(
            OpError::new(ErrorKind::Unavailable, format!("there is no file `{file}`"))
                .hint("name a manifest, or a directory with a knowledge.yaml"),
        ),
    }
}

fn search(ctx: &Ctx) -> Result<(String, FoundBy), OpError> {
    let here = ctx.ports.code.here();
    let up = "../".repeat(here.split('/').filter(|part| !part.is_empty()).count());
    let places = match ctx.ports.code.elsewhere() {
        // The caller's directory does not belong to the queried graph of another repository.
        _ if ctx.ports.code.foreign().is_some() => Vec::new(),
        Some(root) => vec![root],
        None if up.is_empty() => vec![String::new()],
        None => vec![String::new(), up.trim_end_matches('/').to_owned()],
    };
    let is_file = |path: &str| ctx.ports.files.kind(path) == Some(PathKind::File);
    for place in &places {
        let named = |pointer: Pointer| match pointer {
            Pointer::Path(path) => Some(join(place, &path)).filter(|path| is_file(path)),
            Pointer::Url(_) | Pointer::Bad(_) => None,
        };
        let read = |name: &str| {
            let path = join(place, name);
            is_file(&path).then(|| ctx.ports.files.read(&path, POINTER_BYTES).unwrap_or_default())
        };
        if let Some(text) = read("llms.txt") {
            let pointers = llms::pointers(&String::from_utf8_lossy(&text));
            if let Some(path) = pointers.into_iter().find_map(|(_, pointer)| named(pointer)) {
                return Ok((path, FoundBy::Llms));
            }
        }
        let path = join(place, MANIFEST);
        if is_file(&path) {
            return Ok((path, FoundBy::Root));
        }
        let document = read(WELL_KNOWN).and_then(|bytes| well_known(&bytes).ok());
        if let Some(path) = document.and_then(|document| named(document.manifest)) {
            return Ok((path, FoundBy::WellKnown));
        }
    }
    Err(OpError::new(ErrorKind::Unavailable, "there is no knowledge.yaml here").hint("name a manifest"))
}

/// The error of a cancelled operation, once the caller cancelled it.
pub(crate) fn check_cancelled(ctx: &Ctx) -> Result<(), OpError> {
    if ctx.cancel.is_cancelled() {
        return Err(OpError::new(ErrorKind::Cancelled, "the operation was cancelled"));
    }
    Ok(())
}

/// The directory that the paths of a manifest are seen from; none for standard input.
pub fn directory(path: &str) -> Option<&str> {
    match path {
        "-" => None,
        path => Some(path.rsplit_once(['/', '\\']).map_or("", |(directory, _)| directory)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::UNIT;

    #[test]
    fn a_manifest_is_found_by_name_by_llms_txt_and_by_its_place() {
        let found = |files: &[(&str, &str)], file: Option<&str>| {
            let world = crate::testing::of_files(files.iter().map(|(path, text)| (*path, text.as_bytes())));
            open(&world.ctx(), file)
                .map(|opened| (opened.path, opened.found_by))
                .map_err(|error| error.message)
        };
        let root = ("knowledge.yaml", UNIT);
        assert_eq!(found(&[root], None), Ok(("knowledge.yaml".to_owned(), FoundBy::Root)));
        let llms = ("llms.txt", "# X\n> knowledge: /docs/k.yaml\n## More\n");
        assert_eq!(
            found(&[root, llms, ("docs/k.yaml", UNIT)], None),
            Ok(("docs/k.yaml".to_owned(), FoundBy::Llms))
        );
        let late = ("llms.txt", "# X\n## More\n> knowledge: /docs/k.yaml\n");
        assert_eq!(
            found(&[root, late, ("docs/k.yaml", UNIT)], None),
            Ok(("knowledge.yaml".to_owned(), FoundBy::Root))
        );
        let document = (
            ".well-known/kcp.json",
            "{\"kcp_version\": \"0.14\", \"manifest\": \"/docs/k.yaml\"}",
        );
        assert_eq!(
            found(&[document, ("docs/k.yaml", UNIT)], None),
            Ok(("docs/k.yaml".to_owned(), FoundBy::WellKnown))
        );
        let out = ("llms.txt", "> knowledge: /../k.yaml\n");
        assert_eq!(
            found(&[root, out], None),
            Ok(("knowledge.yaml".to_owned(), FoundBy::Root))
        );
        assert_eq!(
            found(&[("a/knowledge.yaml", UNIT)], Some("a/")),
            Ok(("a/knowledge.yaml".to_owned(), FoundBy::Name))
        );
        assert_eq!(found(&[], Some("x.yaml")), Err("there is no file `x.yaml`".to_owned()));
        assert_eq!(found(&[], None), Err("there is no knowledge.yaml here".to_owned()));
    }

    #[test]
    fn what_is_not_valid_is_not_worked_with() {
        let world = crate::testing::of_files([("bad.yaml", "project: x\nunits: []\n"), ("worse.yaml", "[")]);
        let error = open_valid(&world.ctx(), Some("bad.yaml"), false).unwrap_err();
        assert_eq!(
            (error.kind, error.message.as_str()),
            (ErrorKind::Invalid, "bad.yaml is not a valid manifest: `units` is empty")
        );
        assert!(open_valid(&world.ctx(), Some("bad.yaml"), true).is_ok());
        assert!(open_valid(&world.ctx(), Some("worse.yaml"), true).is_err());
    }
}
