//! What a project is called: by its package file, else by its directory (clause G1).

use serde_json::Value;

/// Bytes of a package file that are read.
pub(super) const PACKAGE_BYTES: u64 = 1 << 20;

/// Package files at the root, in the order in which they are asked.
pub(super) const PACKAGE_FILES: &[&str] = &[
    "Cargo.toml",
    "pyproject.toml",
    "package.json",
    "composer.json",
    "go.mod",
    "setup.cfg",
    "setup.py",
    "PKG-INFO",
    "settings.gradle",
    "settings.gradle.kts",
    "pom.xml",
];

/// The name that a package file declares.
pub(super) fn name(file: &str, text: &str) -> Option<String> {
    let name = match file {
        "Cargo.toml" => of_toml(text, &[&["package", "name"]]),
        "pyproject.toml" => of_toml(text, &[&["project", "name"], &["tool", "poetry", "name"]]),
        "package.json" | "composer.json" => {
            let package: Value = serde_json::from_str(text).ok()?;
            package.get("name").and_then(Value::as_str).map(str::to_owned)
        }
        "go.mod" => {
            let module = text.lines().find_map(|line| line.trim().strip_prefix("module "))?;
            let module = module.trim().trim_matches('"');
            // The last part may only say which major version it is.
            let is_version = |part: &&str| {
                let number = part.strip_prefix('v').unwrap_or_default();
                !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit())
            };
            module.rsplit('/').find(|part| !is_version(part)).map(str::to_owned)
        }
        "setup.cfg" => {
            let metadata = text.split_once("[metadata]")?.1;
            let lines = metadata.lines().take_while(|line| !line.starts_with('['));
            let mut pairs = lines.filter_map(|line| line.split_once('='));
            pairs
                .find(|(key, _)| key.trim() == "name")
                .map(|(_, name)| name.trim().to_owned())
        }
        "setup.py" => {
            let value = text.split("name=").nth(1)?;
            let quote = value.chars().next().filter(|quote| matches!(quote, '"' | '\''))?;
            value[1..].split(quote).next().map(str::to_owned)
        }
        "PKG-INFO" => {
            let name = text.lines().find_map(|line| line.strip_prefix("Name: "))?;
            Some(name.trim().to_owned())
        }
        "settings.gradle" | "settings.gradle.kts" => {
            let value = text.split_once("rootProject.name")?.1.trim_start().strip_prefix('=')?;
            let value = value.trim_start();
            let quote = value.chars().next().filter(|quote| matches!(quote, '"' | '\''))?;
            value[1..].split(quote).next().map(str::to_owned)
        }
        "pom.xml" => {
            // The parent's name comes first where there is one.
            let own = text.split_once("</parent>").map_or(text, |(_, rest)| rest);
            let name = own.split_once("<artifactId>")?.1;
            name.split('<').next().map(|name| name.trim().to_owned())
        }
        _ => None,
    };
    name.filter(|name| is_name(name))
}

/// Whether a text can be the name of a project: short, on one line, and no placeholder of a template.
fn is_name(name: &str) -> bool {
    !name.trim().is_empty()
        && name.chars().count() <= 100
        && !name.contains(|letter: char| letter.is_control() || matches!(letter, '{' | '}' | '$'))
}

fn of_toml(text: &str, paths: &[&[&str]]) -> Option<String> {
    let table: toml::Table = text.parse().ok()?;
    let root = toml::Value::Table(table);
    paths.iter().find_map(|path| {
        let value = path.iter().try_fold(&root, |value, key| value.get(*key))?;
        value.as_str().map(str::to_owned)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn g1_a_project_is_called_as_its_package_file_says() {
        for (file, text, wanted) in [
            ("Cargo.toml", "[package]\nname = \"lore\"\n", Some("lore")),
            ("Cargo.toml", "[workspace]\nmembers = []\n", None),
            ("pyproject.toml", "[project]\nname = 'requests'\n", Some("requests")),
            ("pyproject.toml", "[tool.poetry]\nname = \"p\"\n", Some("p")),
            ("package.json", "{\"name\": \"@x/y\"}", Some("@x/y")),
            ("package.json", "{\"name\": \"{{name}}\"}", None),
            ("go.mod", "module github.com/a/shop/v2\n\ngo 1.21\n", Some("shop")),
            (
                "setup.cfg",
                "[metadata]\nname = scrapy\n[options]\nname = z\n",
                Some("scrapy"),
            ),
            ("setup.py", "setup(name='scrapy', x=1)", Some("scrapy")),
            ("setup.py", "setup(name=about['title'])", None),
            ("PKG-INFO", "Metadata-Version: 2.1\nName: requests\n", Some("requests")),
            ("settings.gradle", "rootProject.name = 'guava'\n", Some("guava")),
            (
                "pom.xml",
                "<project><parent><artifactId>a</artifactId></parent><artifactId>jsoup</artifactId>",
                Some("jsoup"),
            ),
            ("package.json", "[", None),
            ("Cargo.toml", "= = =", None),
            ("pom.xml", "", None),
        ] {
            assert_eq!(name(file, text).as_deref(), wanted, "{file} {text}");
        }
    }
}
