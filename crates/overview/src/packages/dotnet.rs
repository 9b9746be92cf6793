//! `*.csproj`, `*.fsproj`, `*.vbproj` and `*.sln`: projects and solutions of .NET.

use super::super::aside::words;
use super::xml::{elements, text_at};
use super::{Package, ProvideKind, Task, last_part};
use crate::tree::Tree;

pub(super) fn project(_: &Tree<'_>, text: &str, package: &mut Package) {
    let found = elements(text);
    let Some(root) = found.iter().find(|element| element.path == "Project") else {
        return;
    };
    let file = last_part(&package.path).to_owned();
    let at = |name: &str| text_at(&found, &format!("Project/PropertyGroup/{name}")).filter(|text| !text.contains("$("));
    let stem = file.rsplit_once('.').map_or(file.as_str(), |(stem, _)| stem).to_owned();
    let name = at("PackageId").or_else(|| at("AssemblyName")).unwrap_or(stem);
    package.name = Some(name.clone());
    package.description = at("Description");
    package.command(Task::Build, "dotnet build");
    package.command(Task::Test, "dotnet test");
    let words = words(&name);
    let is_test = at("IsTestProject").as_deref() == Some("true")
        || words
            .iter()
            .any(|word| matches!(word.as_str(), "test" | "tests" | "benchmark" | "benchmarks"));
    if is_test {
        return;
    }
    let sdk = root.attribute("Sdk").unwrap_or_default();
    let output = at("OutputType").unwrap_or_default();
    let kind = match (sdk, output.as_str()) {
        ("Microsoft.NET.Sdk.Web" | "Microsoft.NET.Sdk.Worker", _) => ProvideKind::Service,
        (_, "Exe" | "WinExe") => ProvideKind::Binary,
        _ => ProvideKind::Library,
    };
    package.provide_as(kind, &name, None, at("IsPackable").as_deref() != Some("false"));
}

pub(super) fn solution(_: &Tree<'_>, _: &str, package: &mut Package) {
    let file = last_part(&package.path);
    let stem = file.rsplit_once('.').map_or(file, |(stem, _)| stem);
    package.name = Some(stem.to_owned());
    let at = if package.directory.is_empty() {
        String::new()
    } else {
        format!(" {}", package.path)
    };
    package.command(Task::Build, &format!("dotnet build{at}"));
    package.command(Task::Test, &format!("dotnet test{at}"));
}
