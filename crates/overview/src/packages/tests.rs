//! Tests of package files: a file with its text in, what it says out.

use super::*;

/// What the package files of a tree say, one fact a line.
fn said(files: &[(&str, &str)]) -> Vec<String> {
    let read = |path: &str| {
        files
            .iter()
            .find(|(known, _)| *known == path)
            .map(|(_, text)| (*text).to_owned())
    };
    let tree = Tree::from_paths(files.iter().map(|(path, _)| *path), &read);
    let (packages, _) = packages(&tree, "");
    let mut lines = Vec::new();
    for package in packages {
        let description = package.description.map_or_else(String::new, |text| format!(": {text}"));
        lines.push(format!(
            "{} {}{description}",
            package.path,
            package.name.as_deref().unwrap_or("-")
        ));
        for provide in package.provides {
            let target = match provide.target {
                None => String::new(),
                Some(Target::Object { module, object }) => format!(" at {module}:{object}"),
                Some(Target::File(files)) => format!(" at {}", files[0]),
            };
            let kept = if provide.is_public { "" } else { " (kept)" };
            lines.push(format!("  {} {}{target}{kept}", provide.kind.name(), provide.name));
        }
        for command in package.commands {
            let from = command.from.map_or_else(String::new, |path| format!(" ({path})"));
            lines.push(format!("  {}: {}{from}", command.task.name(), command.command));
        }
    }
    lines
}

#[test]
fn a_cargo_manifest_names_binaries_a_library_and_commands() {
    let root = "[workspace]\nmembers = ['a']\n[workspace.package]\ndescription = 'All of it'";
    let own = "[package]\nname = 'x'\ndescription.workspace = true\n[[bin]]\nname = 'b'\npath = 'src/b.rs'\n[[bin]]\nname = 'c'\n[[test]]\nname = 'd'";
    let found = said(&[
        ("Cargo.toml", root),
        ("a/Cargo.toml", own),
        ("a/src/main.rs", ""),
        ("a/src/bin/e.rs", ""),
        ("a/src/lib.rs", ""),
        ("a/src/b.rs", ""),
    ]);
    assert_eq!(
        found,
        [
            "Cargo.toml -",
            "  build: cargo build --workspace",
            "  test: cargo test --workspace",
            "a/Cargo.toml x: All of it",
            "  binary b at a/src/b.rs",
            "  binary c at a/src/bin/c.rs",
            "  binary e at a/src/bin/e.rs",
            "  library x at a/src/lib.rs",
            "  build: cargo build",
            "  test: cargo test",
        ]
    );
}

#[test]
fn a_python_manifest_names_scripts_the_package_and_how_it_is_tested() {
    let text = "[build-system]\nrequires = []\n[project]\nname = 'My-App'\ndescription = 'An app.'\n[project.scripts]\nmy-app = 'my_app.cli:main'\nbad = 'a b:c'\n\
        [dependency-groups]\ntests = ['pytest>=8']\n[tool.tox]\nenv_list = []";
    assert_eq!(
        said(&[
            ("pyproject.toml", text),
            ("src/my_app/__init__.py", ""),
            ("uv.lock", "")
        ]),
        [
            "pyproject.toml My-App: An app.",
            "  binary my-app at my_app.cli:main",
            "  library My-App at src/my_app/__init__.py",
            "  install: uv sync (uv.lock)",
            "  build: python -m build",
            "  test: tox",
            "  test: pytest",
        ]
    );
    let cfg = "[metadata]\nname = x\ndescription = An x.\n[options.entry_points]\nconsole_scripts =\n    a = b.c:d\n    e = f.g:h.i [extra]\nother =\n    x = y:z\n[tool:pytest]\n";
    assert_eq!(
        said(&[("setup.cfg", cfg)]),
        [
            "setup.cfg x: An x.",
            "  binary a at b.c:d",
            "  binary e at f.g:h.i",
            "  test: pytest"
        ]
    );
    let setup = "import x\nsetup(\n  name='y',\n  description=\"A y.\",\n  entry_points={'console_scripts': ['a = b.c:main',\n \"d=e:f\"], 'x': ['g = h:i']})";
    assert_eq!(
        said(&[("setup.py", setup), ("tox.ini", "")]),
        [
            "setup.py y: A y.",
            "  binary a at b.c:main",
            "  binary d at e:f",
            "  library y",
            "  install: pip install -e .",
            "  test: tox (tox.ini)",
        ]
    );
}

#[test]
fn a_node_manifest_names_bins_the_main_file_and_scripts() {
    let text = r#"{"name": "@o/p", "description": "A p.", "bin": {"x": "./bin/x.js"}, "main": "dist/index.js",
        "scripts": {"test": "vitest --run", "build": "tsc", "start": "node ."}}"#;
    assert_eq!(
        said(&[("p/package.json", text), ("p/pnpm-lock.yaml", "")]),
        [
            "p/package.json @o/p: A p.",
            "  binary x at p/bin/x.js",
            "  library @o/p at p/src/index.ts",
            "  install: pnpm install (p/pnpm-lock.yaml)",
            "  build: pnpm run build",
            "  test: pnpm test",
            "  run: pnpm start",
        ]
    );
    let private = r#"{"private": true, "scripts": {"test": "echo \"Error: no test specified\" && exit 1"}}"#;
    assert_eq!(
        said(&[("package.json", private)]),
        ["package.json -", "  install: npm install"]
    );
    assert!(node::script_files("p", "dist/index.js").contains(&"p/dist/index.js".to_owned()));
}

#[test]
fn a_go_module_is_a_library_if_others_can_import_a_package_of_it() {
    let files = [
        ("go.mod", "module github.com/o/app/v2 // x\n"),
        ("main.go", "package main\n"),
        ("lib/a.go", "// x\npackage lib\n"),
    ];
    assert_eq!(
        said(&files),
        [
            "go.mod github.com/o/app/v2",
            "  library github.com/o/app/v2 at lib/a.go",
            "  build: go build ./...",
            "  test: go test ./...",
        ]
    );
    assert_eq!(said(&[files[0], files[1], ("internal/a.go", "package a")]).len(), 3);
    assert_eq!(go::program_name("", Some("github.com/o/app/v2")), "app");
    assert_eq!(go::program_name("cmd/x", Some("github.com/o/app")), "x");
}

#[test]
fn projects_of_the_jvm_and_of_dotnet_are_read() {
    let pom = "<project><parent><groupId>g</groupId></parent><artifactId>a</artifactId><description>An\n a.</description></project>";
    let gradle = "plugins {\n  id 'application'\n}\ndescription = 'Runs.'\n";
    let csproj = "<Project Sdk=\"Microsoft.NET.Sdk.Web\"><PropertyGroup><Description>Serves.</Description></PropertyGroup></Project>";
    let found = said(&[
        ("a/pom.xml", pom),
        ("b/build.gradle", gradle),
        ("b/gradlew", ""),
        ("c/App.csproj", csproj),
        ("c/App.Tests.csproj", csproj),
    ]);
    assert_eq!(
        found,
        [
            "a/pom.xml a: An a.",
            "  library g:a",
            "  build: mvn package",
            "  test: mvn test",
            "b/build.gradle -: Runs.",
            "  binary b",
            "  build: ./gradlew build (b/gradlew)",
            "  test: ./gradlew test (b/gradlew)",
            "c/App.Tests.csproj App.Tests: Serves.",
            "  build: dotnet build",
            "  test: dotnet test",
            "c/App.csproj App: Serves.",
            "  service App",
            "  build: dotnet build",
            "  test: dotnet test",
        ]
    );
}

#[test]
fn packages_of_other_languages_are_read() {
    let files = [
        (
            "a/composer.json",
            r#"{"name": "o/p", "description": "A p.", "autoload": {}, "bin": ["bin/p"], "scripts": {"test": "phpunit"}}"#,
        ),
        (
            "b/x.gemspec",
            "Gem::Specification.new 'x', v do |s|\n s.summary = 'An x.'\n s.executables = %w[x y]\nend",
        ),
        (
            "c/pubspec.yaml",
            "name: z\ndescription: >-\n  A z\n  of things.\nexecutables:\n  z:\n",
        ),
        ("d/mix.exs", "def project, do: [app: :m, description: \"An m.\"]"),
        (
            "e/Package.swift",
            "let package = Package(name: \"S\", products: [.executable(name: \"L\", targets: [])])",
        ),
        (
            "f/CMakeLists.txt",
            "project(C DESCRIPTION \"A c.\")\nadd_executable(c main.c)\nadd_executable(c_test t.c)\nenable_testing()",
        ),
        (
            "g/h.cabal",
            "name: h\nsynopsis: An h.\nexecutable h\n  main-is: x\nlibrary\n",
        ),
        ("h/Makefile", "CC := gcc\nall: x\n\ttouch y\ntest: all\n"),
        ("i/Dockerfile", "FROM x\nCMD [\"serve\"]\n"),
        (
            "j/compose.yaml",
            "services:\n  db:\n    image: postgres\n  web:\n    build: .\n",
        ),
        ("k/Procfile", "web: run it\n"),
        (
            "l/meson.build",
            "project('me', 'c')\nexecutable('me', 'a.c')\ntest('t', x)\n",
        ),
    ];
    assert_eq!(
        said(&files),
        [
            "a/composer.json o/p: A p.",
            "  binary p at a/bin/p",
            "  library o/p",
            "  install: composer install",
            "  test: composer test",
            "b/x.gemspec x: An x.",
            "  binary x at b/exe/x",
            "  binary y at b/exe/y",
            "  library x at b/lib/x.rb",
            "  build: gem build x.gemspec",
            "c/pubspec.yaml z: A z of things.",
            "  binary z at c/bin/z.dart",
            "  install: dart pub get",
            "  test: dart test",
            "d/mix.exs m: An m.",
            "  library m",
            "  install: mix deps.get",
            "  build: mix compile",
            "  test: mix test",
            "e/Package.swift S",
            "  binary L",
            "  build: swift build",
            "  test: swift test",
            "f/CMakeLists.txt C: A c.",
            "  binary c",
            "  build: cmake -B build && cmake --build build",
            "  test: ctest --test-dir build",
            "g/h.cabal h: An h.",
            "  binary h",
            "  library h",
            "  build: cabal build",
            "  test: cabal test",
            "h/Makefile -",
            "  build: make all",
            "  test: make test",
            "i/Dockerfile -",
            "  image i: CMD [\"serve\"]",
            "  build: docker build .",
            "j/compose.yaml -",
            "  service web",
            "  run: docker compose up",
            "k/Procfile -",
            "  service web: run it",
            "l/meson.build me",
            "  binary me",
            "  build: meson setup build && meson compile -C build",
            "  test: meson test -C build",
        ]
    );
}

#[test]
fn a_makefile_that_hands_on_its_targets_has_those_of_the_other() {
    let files = [
        ("Makefile", "default: all\n\n.DEFAULT:\n\tcd src && $(MAKE) $@\n"),
        ("src/Makefile", "all: x\ntest: y\n"),
    ];
    let found = said(&files[..2]);
    assert_eq!(
        found[..4],
        [
            "Makefile -",
            "  build: make",
            "  build: make all (src/Makefile)",
            "  test: make test (src/Makefile)"
        ]
    );
}

#[test]
fn package_files_of_examples_and_dependencies_are_not_read() {
    for path in [
        "examples/a/Cargo.toml",
        "node_modules/x/package.json",
        "vendor/go.mod",
        "packages/x-playground/package.json",
    ] {
        assert_eq!(said(&[(path, "{}")]), Vec::<String>::new(), "{path}");
    }
}

#[test]
fn package_files_below_the_sources_of_another_package_are_data() {
    let files = [
        ("Cargo.toml", "[package]\nname = 'a'"),
        ("src/lang/CMakeLists.txt", "project(C)"),
        ("src/x/b/Cargo.toml", "[package]\nname = 'b'"),
    ];
    let found = said(&files);
    assert!(found.iter().all(|line| !line.contains("CMake")), "{found:?}");
    assert!(found.contains(&"src/x/b/Cargo.toml b".to_owned()), "{found:?}");
}

#[test]
fn l0_package_files_may_be_anything() {
    let names = [
        "Cargo.toml",
        "pyproject.toml",
        "setup.cfg",
        "setup.py",
        "package.json",
        "composer.json",
        "go.mod",
        "pom.xml",
        "build.gradle",
        "settings.gradle.kts",
        "pubspec.yaml",
        "mix.exs",
        "Package.swift",
        "CMakeLists.txt",
        "meson.build",
        "configure.ac",
        "build.zig",
        "build.sbt",
        "Makefile",
        "justfile",
        "Dockerfile",
        "compose.yml",
        "Procfile",
        "Rakefile",
        "x.gemspec",
        "x.cabal",
        "x.csproj",
        "x.sln",
    ];
    let deep = "[".repeat(20_000);
    for text in [
        "",
        "\u{0}\u{1}",
        "[[[",
        "[",
        "= = =",
        "console_scripts",
        "console_scripts [",
        "{\"bin\": 3}",
        "{\"bin\": {\"\": \"\"}}",
        "name: 'é",
        "é: é",
        "<é",
        "module ",
        "project(",
        "project()",
        "s.executables =",
        "s.name = '",
        "executable",
        "library",
        ":",
        "task",
        "test:",
        "services:\n x",
        &deep,
        "[package]\nname = 3\n[[bin]]\nname = ''",
        "[project]\nname = ''",
    ] {
        for path in names {
            for line in said(&[(path, text)]) {
                assert!(line.len() < 400, "{path} {line}");
            }
        }
    }
    assert_eq!(resolve_path("a/b", "../../../c/./d"), "c/d");
}
