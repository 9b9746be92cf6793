//! The target of `--output`: standard output, a file, or a file with a default name in a directory.

use lore_seam::{Ctx, ErrorKind, OpError, PathKind};

/// The name of standard output.
pub(super) const STANDARD_OUTPUT: &str = "-";

/// The file that `--output` means; nothing for standard output. `own_name` is what it is called in a directory, if it has a name of its own.
pub(super) fn target(ctx: &Ctx, output: Option<&str>, own_name: Option<&str>) -> Result<Option<String>, OpError> {
    let Some(output) = output.filter(|output| *output != STANDARD_OUTPUT) else {
        return Ok(None);
    };
    if output.is_empty() {
        return Err(OpError::new(ErrorKind::Invalid, "--output is empty").hint("name a file; - is standard output"));
    }
    let is_directory = output.ends_with('/') || ctx.ports.files.kind(output) == Some(PathKind::Directory);
    match (is_directory, own_name) {
        (false, _) => Ok(Some(output.to_owned())),
        (true, Some(name)) => Ok(Some(format!("{}/{name}", output.trim_end_matches('/')))),
        (true, None) => {
            Err(OpError::new(ErrorKind::Invalid, format!("{output} is a directory")).hint("name a file with --output"))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use lore_seam::world::World;

    #[test]
    fn lb_an_export_goes_to_standard_output_to_a_file_or_into_a_directory() {
        let world = World::of_files([("out/x", "")]);
        let ctx = world.ctx();
        let of = |output, name| target(&ctx, output, name).map_err(|error| error.message);
        assert_eq!(of(None, Some("n.zip")), Ok(None));
        assert_eq!(of(Some("-"), Some("n.zip")), Ok(None));
        assert_eq!(of(Some("a.zip"), Some("n.zip")), Ok(Some("a.zip".to_owned())));
        assert_eq!(of(Some("out"), Some("n.zip")), Ok(Some("out/n.zip".to_owned())));
        assert_eq!(of(Some("new/"), Some("n.zip")), Ok(Some("new/n.zip".to_owned())));
        assert_eq!(of(Some("out"), None), Err("out is a directory".to_owned()));
        assert_eq!(of(Some(""), None), Err("--output is empty".to_owned()));
    }
}
