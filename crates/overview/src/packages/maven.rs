//! `pom.xml`: projects of Maven.

use super::xml::{elements, text_at};
use super::{Package, ProvideKind, Task};
use crate::tree::Tree;

pub(super) fn read(tree: &Tree<'_>, text: &str, package: &mut Package) {
    let found = elements(text);
    if !found.iter().any(|element| element.path == "project") {
        return;
    }
    let at = |path: &str| text_at(&found, path).filter(|text| !text.contains("${"));
    let artifact = at("project/artifactId");
    package.name = artifact.clone().or_else(|| at("project/name"));
    package.description = at("project/description");
    let wrapper = tree.has_in(&package.directory, "mvnw");
    for (task, goal) in [(Task::Build, "package"), (Task::Test, "test")] {
        if wrapper {
            package.command_from(task, &format!("./mvnw {goal}"), "mvnw");
        } else {
            package.command(task, &format!("mvn {goal}"));
        }
    }
    let packaging = at("project/packaging").unwrap_or_else(|| "jar".to_owned());
    let is_kept = at("project/properties/maven.deploy.skip").as_deref() == Some("true");
    let Some(artifact) = artifact else { return };
    let kind = match packaging.as_str() {
        "jar" | "bundle" | "maven-plugin" | "aar" => ProvideKind::Library,
        "war" | "ear" => ProvideKind::Service,
        _ => return,
    };
    let group = at("project/groupId").or_else(|| at("project/parent/groupId"));
    let name = group.map_or_else(|| artifact.clone(), |group| format!("{group}:{artifact}"));
    package.provide_as(kind, &name, None, !is_kept);
}
