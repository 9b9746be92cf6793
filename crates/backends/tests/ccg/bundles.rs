//! What Lore exports is read back and found valid, whatever the tree.

use lore_seam::Verdict;
use serde_json::{Value, json};
use tempfile::TempDir;

use super::support::{CORPORA, Tree};

/// Exports a bundle; where it is.
fn bundle(tree: &Tree, directory: &TempDir, name: &str) -> String {
    let path = directory.path().join(name).to_string_lossy().into_owned();
    tree.ask("export_ccg", json!({ "output": path })).expect("a bundle");
    path
}

fn assert_valid(tree: &Tree, source: Option<&str>, what: &str) -> Value {
    let (answer, verdict) = tree.ask("ccg_validate", json!({ "source": source })).expect(what);
    assert_eq!(answer["breaches"], json!([]), "{what}");
    assert_eq!(answer["notes"], json!([]), "{what}");
    assert_eq!(verdict, Verdict::Yes, "{what}");
    answer
}

#[test]
fn lv_what_is_exported_is_valid_in_an_archive_and_before_it() {
    let directory = TempDir::new().expect("a directory");
    for (at, corpus) in CORPORA.iter().enumerate() {
        let tree = Tree::of_workspace(corpus);
        let path = bundle(&tree, &directory, &format!("{at}.ccg.zip"));
        let archived = assert_valid(&tree, Some(&path), corpus);
        let own = assert_valid(&tree, None, corpus);
        for part in 0..4 {
            let statements = |answer: &Value| answer["files"][part]["statements"].as_u64();
            assert!(statements(&archived).is_some_and(|count| count > 0), "{corpus}");
            assert_eq!(statements(&archived), statements(&own), "{corpus}");
        }
    }
}

#[test]
fn lv_trees_of_every_sort_are_exported_validly() {
    for (what, files) in [
        ("one document", vec![("README.md", "# Nothing here\n")]),
        ("no calls", vec![("a.py", "X = 1\n"), ("b.json", "{\"k\": 1}")]),
        (
            "names that no IRI takes as they are",
            vec![
                (
                    "app/[id]/a b.ts",
                    "export function f(x: string) { return g(x) }\nfunction g(y: string) { return [y].map(z => z) }\n",
                ),
                (
                    "100%/C#?.py",
                    "class Ü:\n    def f(self):\n        return (lambda x: x)(self.f)\n\n\ndef f():\n    return 1\n\n\ndef f():\n    return 2\n",
                ),
                (
                    "dir/..x/日本.go",
                    "package main\n\nimport \"os\"\n\nfunc main() { os.Exit(0) }\n",
                ),
            ],
        ),
        (
            "texts that need escapes",
            vec![(
                "t.py",
                "def f():\n    \"\"\"A \\\"quote\\\" \u{2028} and \u{7f} and a tab\tand \u{85}.\"\"\"\n    return '\\\\'\n",
            )],
        ),
    ] {
        let tree = Tree::new(&files);
        let directory = TempDir::new().expect("a directory");
        assert_valid(&tree, None, what);
        let path = bundle(&tree, &directory, "t.ccg.zip");
        assert_valid(&tree, Some(&path), what);
    }
}

#[test]
fn lb_layers_come_out_of_a_bundle_as_they_are_exported_alone() {
    let directory = TempDir::new().expect("a directory");
    let at = |name: &str| directory.path().join(name).to_string_lossy().into_owned();
    let tree = Tree::of_workspace("tests/sample");
    let path = bundle(&tree, &directory, "sample.ccg.zip");
    let (manifest, _) = tree
        .ask("get_ccg_manifest", json!({ "source": path }))
        .expect("a manifest");
    assert_eq!(manifest["@type"], "ccg:Manifest");
    assert_eq!(manifest["layers"]["symbolIndex"], "symbol-index.nq.gz");
    for layer in ["1", "2", "3", "acl"] {
        let output = at(layer);
        let request = json!({ "source": path, "layer": layer, "output": output });
        let (report, _) = tree.ask("get_ccg_manifest", request).expect("a layer");
        assert_eq!(report["bytes"], std::fs::metadata(&output).expect("a file").len());
        assert_eq!(report["note"], Value::Null);
    }
    let (_, verdict) = tree
        .ask("export_ccg", json!({ "files": true, "output": at("files") }))
        .expect("files");
    assert_eq!(verdict, Verdict::Yes);
    assert_valid(&tree, Some(&at("files")), "files alone");
}
