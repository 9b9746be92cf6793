//! The tool `query_container`.

use serde_json::{Value, json};

use super::arguments::{clears, container_type, feature_filter, items, project_filter};
use super::{Answered, request, tool};
use crate::check;
use crate::containers::{Looked, capital, one, overview, picked_priority, picked_status, search_words, tag_filter};
use crate::envelope::ToolAnswer;
use crate::graph::context::of_task;
use crate::model::{Entity, EntityType};
use crate::store::{ContainerFilter, reading};
use lore_seam::Ctx;

request! {
    /// Read projects, features and tasks of memory: get one, search, overview
    QueryContainerRequest {
        needs {
            #[schemars(extend("enum" = ["get", "search", "overview"]))]
            operation: String,
            #[schemars(extend("enum" = ["project", "feature", "task"]))]
            container_type: String,
        }
        takes {
            id: Option<String>,
            /// Words that must all occur
            query: Option<String>,
            /// A,B or !A
            status: Option<String>,
            /// A,B or !A
            priority: Option<String>,
            /// Comma separated
            tags: Option<Value>,
            /// Default: this repository's, * for all
            project_id: Option<String>,
            feature_id: Option<String>,
            #[schemars(extend("default" = 20))]
            limit: Option<i64>,
            offset: Option<i64>,
            include_sections: Option<bool>,
            /// For a task: what memory knows about its Context Files
            include_graph_context: Option<bool>,
        }
    }
}

tool!(QueryContainer(QueryContainerRequest) "query_container" Read query);

fn query(ctx: &Ctx, request: &QueryContainerRequest) -> Answered {
    let operation = check::choice("operation", &request.operation, &["get", "search", "overview"])?;
    let kind = container_type(&request.container_type)?;
    let id = check::optional_id("id", request.id.as_deref().filter(|id| !clears(id)))?;
    match (operation, id) {
        ("get", id) => {
            let of = Entity {
                kind,
                id: check::required("id", operation, id)?,
            };
            let with_sections = request.include_sections.unwrap_or(false);
            let with_graph = kind == EntityType::Task && request.include_graph_context.unwrap_or(false);
            let data = reading(ctx, |store| {
                let mut data = one(store, of, with_sections)?;
                if with_graph && let Some(task) = store.task(of.id)? {
                    data.insert("graphContext".to_owned(), json!(of_task(ctx, store, &task)?));
                }
                Ok(data)
            })?;
            ToolAnswer::answer(format!("{} retrieved successfully", kind.name()), data)
        }
        ("overview", Some(id)) => {
            let data = reading(ctx, |store| overview(store, Entity { kind, id }))?;
            ToolAnswer::answer(format!("{} overview retrieved", capital(kind)), data)
        }
        _ => {
            let (limit, offset) = check::page(request.limit, request.offset)?;
            let tags = items("tags", request.tags.as_ref())?.unwrap_or_default();
            let mut filter = ContainerFilter {
                words: search_words(request.query.as_deref())?,
                status: picked_status(request.status.as_deref())?,
                priority: picked_priority(request.priority.as_deref())?,
                tags: tag_filter(kind, &tags),
                offset,
                ..ContainerFilter::all(kind)
            };
            let looked = reading(ctx, |store| {
                if kind != EntityType::Project {
                    filter.feature = match kind {
                        EntityType::Task => feature_filter(store, request.feature_id.as_deref())?,
                        EntityType::Project | EntityType::Feature => None,
                    };
                    filter.project = match (&filter.feature, &request.project_id) {
                        // A feature says which project it is.
                        (Some(_), None) => None,
                        (_, project) => project_filter(ctx, store, project.as_deref())?,
                    };
                }
                Looked::search(store, &filter, limit)
            })?;
            let message = match operation {
                "overview" => format!("Global {} overview", kind.name()),
                _ => format!("Found {} {}(s)", looked.items.len(), kind.name()),
            };
            ToolAnswer::answer(message, looked.data(limit, offset))
        }
    }
}
