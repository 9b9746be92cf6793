//! `mix.exs`: projects of Elixir.

use super::{Package, ProvideKind, Task, quoted_after};
use crate::tree::Tree;

pub(super) fn read(_: &Tree<'_>, text: &str, package: &mut Package) {
    let app = text.split_once("app: :").map(|(_, rest)| rest);
    let app = app.map(|rest| {
        rest.chars()
            .take_while(|letter| letter.is_alphanumeric() || *letter == '_')
            .collect::<String>()
    });
    package.name = app.filter(|app| !app.is_empty());
    package.description = quoted_after(text, "description:").map(str::to_owned);
    if let Some(name) = package.name.clone() {
        package.provide(ProvideKind::Library, &name, None);
    }
    package.command(Task::Install, "mix deps.get");
    package.command(Task::Build, "mix compile");
    package.command(Task::Test, "mix test");
}
