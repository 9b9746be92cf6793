//! Container images and processes: `Dockerfile`, `compose.yaml` and `Procfile`.

use super::{Package, ProvideKind, Task};
use crate::tree::Tree;

pub(super) fn dockerfile(_: &Tree<'_>, text: &str, package: &mut Package) {
    let starts = |line: &&str| ["ENTRYPOINT", "CMD"].iter().any(|word| line.starts_with(word));
    let starts = text.lines().map(str::trim).rfind(starts);
    // An image that starts nothing is for building or testing.
    let name = match (package.name_or_directory().as_str(), starts) {
        (_, None) => return,
        (".", Some(starts)) => starts.to_owned(),
        (name, Some(starts)) => format!("{name}: {starts}"),
    };
    package.provide(ProvideKind::Image, &name, None);
    package.command(Task::Build, "docker build .");
}

/// The services that are built here.
pub(super) fn compose(_: &Tree<'_>, text: &str, package: &mut Package) {
    let mut in_services = false;
    let mut service = "";
    let mut indent = 0;
    for line in text.lines() {
        let depth = line.len() - line.trim_start().len();
        let word = line.trim();
        if word.is_empty() || word.starts_with('#') {
            continue;
        }
        if depth == 0 {
            in_services = word == "services:";
            indent = 0;
        } else if in_services && (indent == 0 || depth == indent) {
            indent = depth;
            service = word.trim_end_matches(':').trim_matches(['"', '\'']);
        } else if in_services
            && word.starts_with("build:")
            && !package.provides.iter().any(|known| known.name == service)
        {
            package.provide(ProvideKind::Service, service, None);
        }
    }
    if in_services || !package.provides.is_empty() {
        package.command(Task::Run, "docker compose up");
    }
}

pub(super) fn procfile(_: &Tree<'_>, text: &str, package: &mut Package) {
    for line in text.lines().take(50) {
        if let Some((name, command)) = line.split_once(':').filter(|(name, _)| !name.starts_with('#')) {
            package.provide(
                ProvideKind::Service,
                &format!("{}: {}", name.trim(), command.trim()),
                None,
            );
        }
    }
}
