//! `pubspec.yaml`: packages of Dart.

use super::{Package, ProvideKind, Target, Task};
use crate::tree::Tree;

pub(super) fn read(tree: &Tree<'_>, text: &str, package: &mut Package) {
    let mut section = "";
    let mut is_kept = false;
    let mut is_flutter = false;
    let lines: Vec<&str> = text.lines().collect();
    for (at, line) in lines.iter().enumerate() {
        let Some((key, value)) = line.split_once(':') else {
            continue;
        };
        let value = value
            .split(" #")
            .next()
            .unwrap_or(value)
            .trim()
            .trim_matches(['"', '\'']);
        if line.starts_with([' ', '\t']) {
            is_flutter |= section == "dependencies" && key.trim() == "flutter";
            if section == "executables" {
                let script = if value.is_empty() { key.trim() } else { value };
                let file = package.file(&format!("bin/{script}.dart"));
                package.provide(ProvideKind::Binary, key.trim(), Some(Target::File(vec![file])));
            }
            continue;
        }
        section = key.trim();
        match section {
            "name" => package.name = Some(value.to_owned()),
            "description" => {
                let below = lines[at + 1..]
                    .iter()
                    .take_while(|line| line.starts_with([' ', '\t']) && !line.trim().is_empty());
                let text = if matches!(value, "" | ">" | ">-" | "|" | "|-") {
                    below.map(|line| line.trim()).collect::<Vec<_>>().join(" ")
                } else {
                    value.to_owned()
                };
                package.description = Some(text);
            }
            "publish_to" => is_kept = value == "none",
            _ => {}
        }
    }
    let Some(name) = package.name.clone() else { return };
    let main = package.file(&format!("lib/{name}.dart"));
    if tree.has(&main) {
        package.provide_as(ProvideKind::Library, &name, Some(Target::File(vec![main])), !is_kept);
    }
    let tool = if is_flutter { "flutter" } else { "dart" };
    package.command(Task::Install, &format!("{tool} pub get"));
    package.command(Task::Test, &format!("{tool} test"));
}
