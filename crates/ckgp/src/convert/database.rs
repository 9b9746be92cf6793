//! Reads the database of code-review-graph as the document that the tool's own JSON export would be, as far as the tables allow.

use serde_json::{Map, Value, json};

use lore_seam::{Ctx, OpError};

/// How a database begins.
pub(super) const MAGIC: &[u8] = b"SQLite format 3\0";
/// Rows of a table that are read.
const MOST_ROWS: usize = 2_000_000;

/// What the tables of a database say.
pub(super) struct Database {
    /// The document.
    pub(super) document: Map<String, Value>,
    /// The directory that its paths lie in.
    pub(super) root: Option<String>,
}

/// Reads the tables.
pub(super) fn read(ctx: &Ctx, path: &str) -> Result<Database, OpError> {
    let rows = |table: &str, columns: &[&str]| ctx.ports.files.table(path, table, columns, MOST_ROWS);
    let nodes = rows(
        "nodes",
        &[
            "id",
            "kind",
            "name",
            "qualified_name",
            "file_path",
            "line_start",
            "line_end",
            "language",
            "parent_name",
            "params",
            "return_type",
            "is_test",
            "community_id",
            "signature",
        ],
    )?;
    let edges = rows(
        "edges",
        &[
            "id",
            "kind",
            "source_qualified",
            "target_qualified",
            "file_path",
            "line",
            "confidence",
            "confidence_tier",
            "updated_at",
        ],
    )?;
    let flows = rows(
        "flows",
        &[
            "id",
            "name",
            "depth",
            "node_count",
            "file_count",
            "criticality",
            "path_json",
        ],
    );
    let communities = rows(
        "communities",
        &[
            "id",
            "name",
            "level",
            "cohesion",
            "size",
            "dominant_language",
            "description",
        ],
    );
    let said = rows("metadata", &["key", "value"]).unwrap_or_default();
    let said = |key: &str| {
        let row = said
            .iter()
            .find(|row| row.get("key").and_then(Value::as_str) == Some(key));
        row.and_then(|row| row.get("value")?.as_str()).map(str::to_owned)
    };
    let mut made = Made::of(nodes, edges, flows.unwrap_or_default(), communities.unwrap_or_default());
    let mut stats = Map::new();
    // The time of a row is seconds, which unlike the time of the last build have no zone to guess.
    let updated = made
        .updated
        .map(lore_base::time::date_time)
        .or_else(|| said("last_updated"));
    for (key, value) in [("last_updated", updated), ("commit", said("git_head_sha"))] {
        if let Some(value) = value {
            stats.insert(key.to_owned(), Value::String(value));
        }
    }
    made.document.insert("stats".to_owned(), Value::Object(stats));
    Ok(Database {
        document: made.document,
        root: said("repo_root"),
    })
}

type Row = Map<String, Value>;

struct Made {
    document: Map<String, Value>,
    /// When the last edge was written, in seconds since 1970.
    updated: Option<i64>,
}

impl Made {
    fn of(nodes: Vec<Row>, edges: Vec<Row>, flows: Vec<Row>, communities: Vec<Row>) -> Self {
        let mut members: Map<String, Value> = Map::new();
        for node in &nodes {
            if let (Some(community), Some(name)) = (
                node.get("community_id").and_then(Value::as_i64),
                node.get("qualified_name"),
            ) {
                let list = members.entry(community.to_string()).or_insert_with(|| json!([]));
                if let Some(list) = list.as_array_mut() {
                    list.push(name.clone());
                }
            }
        }
        let updated = edges.iter().filter_map(|edge| edge.get("updated_at")?.as_f64());
        let updated = updated.fold(None, |last: Option<f64>, time| {
            Some(last.map_or(time, |last| last.max(time)))
        });
        let nodes = nodes.into_iter().map(|mut node| {
            if let Some(is_test) = node.get("is_test").and_then(Value::as_i64) {
                node.insert("is_test".to_owned(), (is_test != 0).into());
            }
            Value::Object(node)
        });
        let edges = edges.into_iter().map(|mut edge| {
            edge.remove("updated_at");
            for (column, key) in [("source_qualified", "source"), ("target_qualified", "target")] {
                if let Some(value) = edge.remove(column) {
                    edge.insert(key.to_owned(), value);
                }
            }
            Value::Object(edge)
        });
        let flows = flows.into_iter().map(|mut flow| {
            let path = flow.remove("path_json");
            let path = path.and_then(|path| serde_json::from_str(path.as_str()?).ok());
            flow.insert(
                "path".to_owned(),
                path.filter(Value::is_array).unwrap_or_else(|| json!([])),
            );
            Value::Object(flow)
        });
        let communities = communities.into_iter().map(|mut community| {
            let id = community
                .get("id")
                .and_then(Value::as_i64)
                .unwrap_or_default()
                .to_string();
            let list = members.remove(&id).unwrap_or_else(|| json!([]));
            community.insert("members".to_owned(), list);
            Value::Object(community)
        });
        let lists = [
            ("nodes", nodes.collect::<Vec<_>>()),
            ("edges", edges.collect()),
            ("flows", flows.collect()),
            ("communities", communities.collect()),
        ];
        Self {
            document: lists
                .into_iter()
                .map(|(key, list)| (key.to_owned(), Value::Array(list)))
                .collect(),
            updated: updated.map(|seconds| seconds as i64),
        }
    }
}
