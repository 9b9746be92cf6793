//! Whatever a tool is called with, it answers in its form and with a code that the specification knows.

use proptest::prelude::*;
use serde_json::{Map, Value, json};

use crate::OPERATIONS;
use crate::script::Script;
use lore_seam::{FailureCode, arguments};

/// Codes that no arguments lead to: the store of these tests can be used, and a defect of Lore's own is no answer.
const NEVER: &[&str] = &["UNAVAILABLE", "INTERNAL_ERROR"];

fn may_be_told(name: &str) -> bool {
    let known = FailureCode::ALL.iter().any(|code| code.name() == name);
    known && !NEVER.contains(&name)
}

/// A value: mostly one that could be meant, else anything.
fn value() -> impl Strategy<Value = Seed> {
    prop_oneof![
        4 => (0..6_usize).prop_map(Seed::Known),
        4 => (0..20_usize).prop_map(Seed::Choice),
        2 => (-2..12_i64).prop_map(|number| Seed::Json(json!(number))),
        1 => any::<bool>().prop_map(|flag| Seed::Json(json!(flag))),
        1 => Just(Seed::Json(Value::Null)),
        1 => any::<f64>().prop_map(|number| Seed::Json(json!(number))),
        1 => any::<i64>().prop_map(|number| Seed::Json(json!(number))),
        2 => "\\PC{0,12}".prop_map(|text| Seed::Json(json!(text))),
        1 => "[,!*\\[\\]{}\" \u{0}a-c]{0,8}".prop_map(|text| Seed::Json(json!(text))),
        1 => proptest::collection::vec((0..6_usize).prop_map(Seed::Known), 0..3).prop_map(Seed::List),
        1 => Just(Seed::Json(json!([{ "title": "t", "usageDescription": "u", "content": "c" }, 1]))),
        1 => Just(Seed::Json(json!({ "a": [null] }))),
    ]
}

#[derive(Clone, Debug)]
enum Seed {
    /// The identifier of something that exists, or nearly.
    Known(usize),
    /// One of the words that the schema allows, if there are any.
    Choice(usize),
    Json(Value),
    List(Vec<Seed>),
}

impl Seed {
    fn made(&self, property: &Value, ids: &[String]) -> Value {
        match self {
            Self::Known(at) => json!(ids[at % ids.len()]),
            Self::Choice(at) => match property.get("enum").and_then(Value::as_array) {
                Some(words) if !words.is_empty() => words[at % words.len()].clone(),
                _ => json!(format!("word {at}")),
            },
            Self::Json(value) => value.clone(),
            Self::List(items) => items.iter().map(|item| item.made(property, ids)).collect(),
        }
    }
}

proptest! {
    #![proptest_config(lore_testing::cases(60))]

    #[test]
    fn c2_no_arguments_lead_out_of_the_form(
        calls in proptest::collection::vec(
            (0..200_usize, proptest::collection::vec((any::<u8>(), value()), 0..14)),
            1..20,
        ),
    ) {
        let mut here = Script::new();
        here.run(
            "project p
             feature f projectId=$p
             task a featureId=$f
             task b
             t = manage_template operation=create name=t description=d targetEntityType=TASK
             s = manage_sections operation=add entityType=TASK entityId=$a title=t usageDescription=u content=c",
        );
        let ids: Vec<String> = ["p", "f", "a", "b", "t", "s"].iter().map(|name| here.id(name).to_string()).collect();
        let tools: Vec<_> = OPERATIONS.iter().filter(|entry| entry.envelope.is_some()).collect();
        for (tool, seeds) in calls {
            let entry = tools[tool % tools.len()];
            let schema = entry.request_schema().to_value();
            let properties = arguments(&schema);
            let mut given = Map::new();
            for (at, (name, property)) in properties.iter().enumerate() {
                // Not every argument is given each time.
                if let Some((_, seed)) = seeds.get(at).filter(|(keep, _)| keep % 4 != 0) {
                    given.insert((*name).clone(), seed.made(property, &ids));
                }
            }
            let asked = Value::Object(given);
            let answer = here.call(entry.name, asked.clone());
            let fields = answer.as_object().expect("an object");
            prop_assert!(fields["message"].is_string() && fields["metadata"]["timestamp"].is_string());
            match fields["success"].as_bool() {
                Some(true) => prop_assert!(fields.contains_key("data") && !fields.contains_key("error")),
                _ => {
                    let code = fields["error"].as_str().unwrap_or_default();
                    prop_assert!(may_be_told(code), "{} {asked}: {answer}", entry.name);
                }
            }
        }
        intact(&here)?;
    }
}

/// What always holds, whatever was called: blockers exist and lead in no circle, and tasks are in the project of their feature.
fn intact(here: &Script) -> Result<(), TestCaseError> {
    use crate::model::{Blocker, Container, EntityType};
    use crate::store::{ContainerFilter, reading};
    use crate::work::Work;
    let faults = reading(&here.ctx(), |store| {
        let mut faults = Vec::new();
        for kind in [EntityType::Feature, EntityType::Task] {
            for container in store.containers(&ContainerFilter::all(kind))? {
                let own = container.entity().id;
                for blocker in container.blocked_by() {
                    let Blocker::Entity(id) = blocker else { continue };
                    let Some(other) = Work::find(store, *id)? else {
                        faults.push(format!("{own} waits for {id}, which is gone"));
                        continue;
                    };
                    if crate::dependencies::acyclic(store, &other, own).is_ok()
                        && other.blocked_by().contains(&Blocker::Entity(own))
                    {
                        faults.push(format!("{own} and {id} wait for each other"));
                    }
                }
                if let Container::Task(task) = &container
                    && let Some(feature) = task.feature_id
                    && store
                        .feature(feature)?
                        .is_none_or(|feature| feature.project_id != task.project_id)
                {
                    faults.push(format!("{own} is beside its feature"));
                }
            }
        }
        Ok(faults)
    });
    prop_assert_eq!(faults, Ok(Vec::new()));
    Ok(())
}
