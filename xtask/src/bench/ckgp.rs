//! `cargo xtask bench --ckgp`: a body of fifty megabytes of each format that has nodes, judged on one core; beside it what a tree of values and a schema take
//! for the same, in the same run.

use std::fmt::Write;
use std::path::Path;
use std::process::Command;
use std::time::Instant;

use lore_ckgp::FormatId;
use lore_ckgp::body::{MOST_BYTES, MOST_EDGES, MOST_NODES, judge};
use lore_ckgp::formats;

use super::load;
use crate::Outcome;
use crate::disk::{Build, binary, cannot, write};
use crate::process::{capture, peak_memory};

/// Runs of which the best counts.
const RUNS: usize = 7;
const TREE_RUNS: usize = 3;
/// Megabytes each second, at least.
const SPEED: f64 = 200.0;
/// Megabytes that are held besides the body, at most.
const BESIDES: f64 = 50.0;
/// The bodies that are measured.
const LARGE: Size = Size {
    bytes: MOST_BYTES as usize,
    nodes: 70_000,
};

/// How large a body is made: so many nodes, and as many edges as there is room for.
#[derive(Clone, Copy)]
struct Size {
    bytes: usize,
    nodes: usize,
}

/// What is measured of one format.
struct Figures {
    speed: f64,
    megabytes: Option<f64>,
}

/// Measures, and says which budgets are kept.
pub(super) fn run() -> Outcome<()> {
    if let Some(load) = load().filter(|load| *load > super::QUIET_LOAD) {
        println!("note: the load of this machine is {load}; what else runs here disturbs the figures");
    }
    let scratch = tempfile::tempdir().map_err(|error| format!("no scratch directory: {error}"))?;
    println!(
        "judged on one core, best of {RUNS}: at least {SPEED:.0} MB/s, and at most {BESIDES:.0} MB besides the body"
    );
    println!(
        "{:<22} {:>6} {:>7} {:>7}  {:>12} {:>14}  {:>10} {:>9} {:>6}",
        "format", "MB", "nodes", "edges", "judge MB/s", "peak MB", "tree MB/s", "peak MB", "ratio"
    );
    for (name, make) in FORMATS {
        let (body, edges) = make(LARGE);
        let file = scratch.path().join(format!("{name}.json"));
        write(&file, &body)?;
        let size = body.len() as f64 / 1e6;
        let judged = measured(name, &file, size, RUNS, false)?;
        let tree = measured(name, &file, size, TREE_RUNS, true)?;
        let besides = judged.megabytes.map(|megabytes| megabytes - size);
        println!(
            "{name:<22} {size:>6.1} {:>7} {edges:>7}  {:>7.0} {:<4} {:>9} {:<4}  {:>10.0} {:>9} {:>6.1}",
            LARGE.nodes,
            judged.speed,
            kept(judged.speed >= SPEED),
            shown(judged.megabytes),
            kept(besides.is_none_or(|besides| besides <= BESIDES)),
            tree.speed,
            shown(tree.megabytes),
            judged.speed / tree.speed,
        );
    }
    Ok(())
}

/// Judges a body several times and prints the seconds of the fastest.
pub(crate) fn measure(format: &str, file: &Path, times: usize, as_tree: bool) -> Outcome<()> {
    let bytes = std::fs::read(file).map_err(|error| cannot("read", file, error))?;
    let id = FormatId::parse(format).ok_or("no format has this name")?;
    let known = formats::known(&id).ok_or("this format is not known")?;
    let schema: serde_json::Value = serde_json::from_str(known.schema).map_err(|error| error.to_string())?;
    let validator = jsonschema::draft202012::new(&schema).map_err(|error| error.to_string())?;
    let mut best = f64::INFINITY;
    for _ in 0..times {
        let began = Instant::now();
        if !as_tree {
            judge(&id, &bytes).map_err(|refusal| refusal.reason)?;
        } else {
            let value: serde_json::Value = serde_json::from_slice(&bytes).map_err(|error| error.to_string())?;
            if !validator.is_valid(&value) {
                return Err("the schema does not allow it".to_owned());
            }
        }
        best = best.min(began.elapsed().as_secs_f64());
    }
    println!("{best}");
    Ok(())
}

fn measured(format: &str, file: &Path, size: f64, times: usize, as_tree: bool) -> Outcome<Figures> {
    let command = |times: usize| {
        let mut command = Command::new(binary(Build::Release, "xtask"));
        command.arg("ckgp").arg(format).arg(file).arg(times.to_string());
        if as_tree {
            command.arg("--tree");
        }
        command
    };
    let seconds = capture(&mut command(times))?;
    let seconds: f64 = seconds.trim().parse().map_err(|_| "a time was expected")?;
    Ok(Figures {
        speed: size / seconds,
        megabytes: peak_memory(&mut command(1))?.map(|bytes| bytes as f64 / 1e6),
    })
}

fn shown(megabytes: Option<f64>) -> String {
    megabytes.map_or("-".to_owned(), |megabytes| format!("{megabytes:.0}"))
}

fn kept(kept: bool) -> &'static str {
    if kept { "ok" } else { "OVER" }
}

/// A body and how many edges it has.
type Made = (String, usize);
/// What makes a body of a size.
type Make = fn(Size) -> Made;

/// The formats, each written as its tool writes it: a line for each node, compact, with spaces, or indented.
const FORMATS: [(&str, Make); 5] = [
    ("ccg@1", |size| {
        filled(
            size,
            "{\"directed\":true,\"multigraph\":true,\"metadata\":{\"tool\":\"lore\",\"tool_version\":\"0.1.0\",\"generated_at\":\"2026-11-16T12:00:00Z\",\"commit\":\"0123456789abcdef0123456789abcdef01234567\"},\n\"nodes\":[\n",
            |number| {
                format!(
                    "{{\"id\":\"s{number:010}\",\"kind\":\"method\",\"name\":\"handle_{number}\",\"qualified_name\":\"shop.orders.part{}.Handler.handle_{number}\",\"file\":\"f{:010}\",\"parent\":\"s{:010}\",\"line\":{},\"column\":4,\"end_line\":{},\"signature\":\"def handle_{number}(self, order: Order, *, retries: int = 3) -> Receipt\",\"doc\":\"Takes the order and gives a receipt for it.\",\"complexity\":4}}",
                    number % 97,
                    number / 40,
                    number / 10 * 10,
                    number % 900 + 1,
                    number % 900 + 12,
                )
            },
            ",\n",
            "\n],\n\"edges\":[\n",
            |number| {
                format!(
                    "{{\"source\":\"s{:010}\",\"target\":\"s{:010}\",\"kind\":\"call\",\"resolution\":\"exact\",\"lines\":[{},{}]}}",
                    number % size.nodes,
                    (number * 7 + 1) % size.nodes,
                    number % 900 + 1,
                    number % 900 + 5,
                )
            },
            "\n]}\n",
        )
    }),
    ("code-review-graph@1", |size| {
        filled(
            size,
            "{\"metadata\": {\"tool\": \"code-review-graph\", \"commit\": \"0123456789abcdef0123456789abcdef01234567\"}, \"stats\": {\"total_nodes\": 1, \"total_edges\": 1, \"nodes_by_kind\": {}, \"edges_by_kind\": {}, \"languages\": [\"python\"], \"files_count\": 9}, \"nodes\": [",
            |number| {
                format!(
                    "{{\"id\": {}, \"kind\": \"Function\", \"name\": \"handle_{number}\", \"qualified_name\": \"src/shop/part{}.py::Handler.handle_{number}\", \"file_path\": \"src/shop/part{}.py\", \"line_start\": {}, \"line_end\": {}, \"language\": \"python\", \"parent_name\": \"Handler\", \"params\": \"(self, order, retries=3)\", \"return_type\": null, \"is_test\": false}}",
                    number + 1,
                    number % 97,
                    number % 97,
                    number % 900 + 1,
                    number % 900 + 12,
                )
            },
            ", ",
            "], \"edges\": [",
            |number| {
                format!(
                    "{{\"id\": {}, \"kind\": \"CALLS\", \"source\": \"src/shop/part{}.py::Handler.handle_{}\", \"target\": \"src/shop/part{}.py::Handler.handle_{}\", \"file_path\": \"src/shop/part{}.py\", \"line\": {}, \"confidence\": 1.0, \"confidence_tier\": \"EXTRACTED\"}}",
                    number + 1,
                    number % 97,
                    number % size.nodes,
                    number % 89,
                    number * 7 % size.nodes,
                    number % 97,
                    number % 900 + 1,
                )
            },
            "]}",
        )
    }),
    ("gitnexus@1", |size| {
        filled(
            size,
            "{\"metadata\":{\"tool\":\"gitnexus\",\"commit\":\"0123456789abcdef0123456789abcdef01234567\"},\"graph\":{\"nodes\":[",
            |number| {
                format!(
                    "{{\"id\":\"Function:src/shop/part{}.ts:handle_{number}\",\"label\":\"Function\",\"properties\":{{\"name\":\"handle_{number}\",\"filePath\":\"src/shop/part{}.ts\",\"startLine\":{},\"endLine\":{},\"isExported\":true,\"language\":\"typescript\"}}}}",
                    number % 97,
                    number % 97,
                    number % 900 + 1,
                    number % 900 + 12,
                )
            },
            ",",
            "],\"links\":[",
            |number| {
                format!(
                    "{{\"source\":\"Function:src/shop/part{}.ts:handle_{}\",\"target\":\"Function:src/shop/part{}.ts:handle_{}\",\"type\":\"CALLS\",\"confidence\":0.95,\"reason\":\"import-resolved\"}}",
                    number % 97,
                    number % size.nodes,
                    number % 89,
                    number * 7 % size.nodes,
                )
            },
            "]}}",
        )
    }),
    ("understand-anything@1", |size| {
        filled(
            size,
            "{\n  \"metadata\": {\n    \"tool\": \"understand-anything\",\n    \"commit\": \"0123456789abcdef0123456789abcdef01234567\"\n  },\n  \"nodes\": [\n",
            |number| {
                format!(
                    "    {{\n      \"id\": \"function:src/shop/part{}.py:handle_{number}\",\n      \"kind\": \"function\",\n      \"label\": \"handle_{number}\",\n      \"filePath\": \"src/shop/part{}.py\",\n      \"summary\": \"Takes the \\\"order\\\" of a customer – once – and gives a receipt for it,\\nor says why it cannot.\",\n      \"tags\": [\n        \"orders\",\n        \"retry\"\n      ]\n    }}",
                    number % 97,
                    number % 97,
                )
            },
            ",\n",
            "\n  ],\n  \"edges\": [\n",
            |number| {
                format!(
                    "    {{\n      \"from\": \"function:src/shop/part{}.py:handle_{}\",\n      \"to\": \"function:src/shop/part{}.py:handle_{}\",\n      \"kind\": \"calls\",\n      \"weight\": 0.8\n    }}",
                    number % 97,
                    number % size.nodes,
                    number % 89,
                    number * 7 % size.nodes,
                )
            },
            "\n  ]\n}\n",
        )
    }),
    ("generic@1", |size| {
        filled(
            size,
            "{\"directed\": true, \"multigraph\": false, \"graph\": {}, \"metadata\": {\"tool\": \"graphify\", \"commit\": \"0123456789abcdef0123456789abcdef01234567\"}, \"nodes\": [",
            |number| {
                format!(
                    "{{\"label\": \"handle_{number}()\", \"file_type\": \"code\", \"source_file\": \"src/shop/part{}.py\", \"source_location\": \"L{}\", \"id\": \"part{}_handle_{number}\", \"community\": {}, \"norm_label\": \"handle_{number}()\"}}",
                    number % 97,
                    number % 900 + 1,
                    number % 97,
                    number % 31,
                )
            },
            ", ",
            "], \"edges\": [",
            |number| {
                format!(
                    "{{\"relation\": \"calls\", \"confidence\": \"EXTRACTED\", \"source_file\": \"src/shop/part{}.py\", \"source_location\": \"L{}\", \"weight\": 1.0, \"source\": \"part{}_handle_{}\", \"target\": \"part{}_handle_{}\", \"confidence_score\": 1.0}}",
                    number % 97,
                    number % 900 + 1,
                    number % 97,
                    number % size.nodes,
                    number % 89,
                    number * 7 % size.nodes,
                )
            },
            "]}",
        )
    }),
];

/// A body of that size.
fn filled(
    size: Size,
    begin: &str,
    node: impl Fn(usize) -> String,
    between: &str,
    middle: &str,
    edge: impl Fn(usize) -> String,
    end: &str,
) -> Made {
    let mut body = String::with_capacity(size.bytes);
    body.push_str(begin);
    for number in 0..size.nodes.min(MOST_NODES) {
        let _ = write!(body, "{}{}", if number > 0 { between } else { "" }, node(number));
    }
    body.push_str(middle);
    let mut edges = 0;
    while edges < MOST_EDGES {
        let next = edge(edges);
        if body.len() + between.len() + next.len() + end.len() > size.bytes {
            break;
        }
        let _ = write!(body, "{}{next}", if edges > 0 { between } else { "" });
        edges += 1;
    }
    body.push_str(end);
    (body, edges)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_body_is_nearly_as_large_as_asked_for_and_is_allowed() {
        let size = Size {
            bytes: 300_000,
            nodes: 400,
        };
        for (name, make) in FORMATS {
            let (body, edges) = make(size);
            assert!((299_000..=300_000).contains(&body.len()), "{name}: {}", body.len());
            let facts = judge(&FormatId::parse(name).unwrap(), body.as_bytes()).unwrap();
            assert_eq!((facts.nodes, facts.edges), (400, edges as u64), "{name}");
            assert!(edges > 400, "{name}");
        }
    }
}
