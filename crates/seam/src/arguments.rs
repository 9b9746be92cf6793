//! Arguments of JSON requests: lists the known arguments and validates the given ones.

use lore_model::{nearest, truncate_chars};
use serde_json::{Value, json};

use super::{ErrorKind, OpError};

/// The arguments that a schema describes, including those of flattened structs.
pub fn arguments(schema: &Value) -> Vec<(&String, &Value)> {
    fn collect<'s>(schema: &'s Value, root: &'s Value, into: &mut Vec<(&'s String, &'s Value)>) {
        let own = schema.get("properties").and_then(Value::as_object);
        for (name, property) in own.into_iter().flatten() {
            if !into.iter().any(|(known, _)| *known == name) {
                into.push((name, property));
            }
        }
        let referred = schema.get("$ref").and_then(Value::as_str);
        if let Some(target) = referred.and_then(|name| root.pointer(name.trim_start_matches('#'))) {
            collect(target, root, into);
        }
        let parts = schema.get("allOf").and_then(Value::as_array);
        parts.into_iter().flatten().for_each(|part| collect(part, root, into));
    }
    let mut found = Vec::new();
    collect(schema, schema, &mut found);
    found
}

/// Converts single values to lists where the schema expects a list, and objects to pairs: `{"a": "b"}` becomes
/// `["a=b"]`.
pub(super) fn list_arguments(request: &mut Value, schema: &Value) {
    let Some(given) = request.as_object_mut() else {
        return;
    };
    for (name, property) in arguments(schema) {
        let is_list = property.get("type").and_then(Value::as_str) == Some("array");
        let Some(value) = given.get_mut(name).filter(|_| is_list) else {
            continue;
        };
        *value = match std::mem::take(value) {
            Value::String(text) => Value::Array(vec![Value::String(text)]),
            Value::Object(pairs) => pairs
                .into_iter()
                .map(|(name, value)| match value {
                    Value::String(text) => Value::String(format!("{name}={text}")),
                    value => Value::String(format!("{name}={value}")),
                })
                .collect(),
            other => other,
        };
    }
}

/// Converts strings and `3.0` to integers where the schema expects an integer. Some clients send only strings.
pub(super) fn coerce_arguments(request: &mut Value, schema: &Value) {
    let Some(given) = request.as_object_mut() else {
        return;
    };
    for (name, property) in arguments(schema) {
        let kinds = match property.get("type") {
            Some(Value::Array(kinds)) => kinds.iter().filter_map(Value::as_str).collect(),
            Some(Value::String(kind)) => vec![kind.as_str()],
            _ => Vec::new(),
        };
        let Some(value) = given.get_mut(name).filter(|_| kinds.contains(&"integer")) else {
            continue;
        };
        let whole = match value {
            Value::String(text) => text.trim().parse::<i64>().ok(),
            // Integers of this size convert to `i64` without loss.
            Value::Number(number) if number.is_f64() => number
                .as_f64()
                .filter(|number| number.fract() == 0.0 && number.abs() < 9_007_199_254_740_992.0)
                .map(|number| number as i64),
            _ => None,
        };
        if let Some(whole) = whole {
            *value = json!(whole);
        }
    }
}

/// Reports an unknown argument or an argument of the wrong type. Deserializers cannot do this, because they do not know
/// the names of flattened fields.
pub fn check_arguments(operation: &str, request: &Value, schema: &Value) -> Result<(), OpError> {
    let invalid = |message: String| OpError::new(ErrorKind::Invalid, message);
    let Some(given) = request.as_object() else {
        return Err(invalid(format!(
            "the arguments of `{operation}` are an object, not {}",
            kind_of(request)
        )));
    };
    let known = arguments(schema);
    for (name, value) in given {
        let Some((_, property)) = known.iter().find(|(known, _)| *known == name) else {
            let names: Vec<&str> = known.iter().map(|(name, _)| name.as_str()).collect();
            let error = invalid(format!("`{operation}` has no argument `{name}`")).data(json!({ "field": name }));
            return Err(match nearest(name, names.iter().copied(), 1).first() {
                Some(near) => error.hint(format!("`{near}` is one")),
                None => error.hint(format!("its arguments are {}", names.join(", "))),
            });
        };
        let wanted: Vec<&str> = match property.get("type") {
            Some(Value::String(kind)) => vec![kind],
            Some(Value::Array(kinds)) => kinds.iter().filter_map(|kind| kind.as_str()).collect(),
            _ => continue,
        };
        let fits = |kind: &&str| match *kind {
            "number" => value.is_number(),
            "integer" => value.is_i64() || value.is_u64(),
            kind => kind == kind_of(value),
        };
        if !wanted.iter().any(fits) {
            let wanted: Vec<&str> = wanted.into_iter().filter(|kind| *kind != "null").collect();
            let shown = truncate_chars(&value.to_string(), 60);
            let message = format!("`{name}` of `{operation}` is {}, not {shown}", wanted.join(" or "));
            return Err(invalid(message).data(json!({ "field": name })));
        }
    }
    Ok(())
}

/// Reports a missing argument.
pub(super) fn check_required(operation: &str, request: &Value, schema: &Value) -> Result<(), OpError> {
    let required = schema.get("required").and_then(Value::as_array);
    let names = required.into_iter().flatten().filter_map(Value::as_str);
    match names
        .into_iter()
        .find(|name| request.get(name).is_none_or(Value::is_null))
    {
        Some(name) => {
            let message = format!("`{operation}` needs `{name}`");
            Err(OpError::new(ErrorKind::Invalid, message).data(json!({ "field": name })))
        }
        None => Ok(()),
    }
}

/// The JSON Schema type of a value.
fn kind_of(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "boolean",
        Value::Number(_) => "number",
        Value::String(_) => "string",
        Value::Array(_) => "array",
        Value::Object(_) => "object",
    }
}

#[cfg(test)]
mod tests {
    use schemars::{JsonSchema, schema_for};
    use serde::Deserialize;
    use serde_json::json;

    use super::*;

    #[derive(Deserialize, JsonSchema)]
    #[expect(dead_code, reason = "only its schema is looked at")]
    struct Inner {
        limit: Option<u32>,
    }

    #[derive(Deserialize, JsonSchema)]
    #[expect(dead_code, reason = "only its schema is looked at")]
    struct Middle {
        #[serde(flatten)]
        inner: Inner,
        paths: Vec<String>,
    }

    #[derive(Deserialize, JsonSchema)]
    #[expect(dead_code, reason = "only its schema is looked at")]
    struct Outer {
        #[serde(flatten)]
        middle: Middle,
    }

    fn checked(request: &Value) -> String {
        let schema = schema_for!(Outer);
        match check_arguments("find", request, schema.as_value()) {
            Ok(()) => "fits".to_owned(),
            Err(error) => format!("{error}; {}", error.hints.join("; ")),
        }
    }

    #[test]
    fn arguments_of_flattened_parts_are_known() {
        assert_eq!(checked(&json!({"limit": 3, "paths": ["a"]})), "fits");
        assert_eq!(checked(&json!({"limit": null})), "fits");
    }

    #[test]
    fn one_thing_is_a_list_of_one() {
        let schema = schema_for!(Outer);
        for (given, wanted) in [
            (json!({"paths": "a"}), json!({"paths": ["a"]})),
            (
                json!({"paths": {"symbol": "x", "depth": 2}}),
                json!({"paths": ["depth=2", "symbol=x"]}),
            ),
            (json!({"paths": ["a"], "limit": 3}), json!({"paths": ["a"], "limit": 3})),
        ] {
            let mut request = given;
            list_arguments(&mut request, schema.as_value());
            assert_eq!(request, wanted);
        }
    }

    #[test]
    fn numbers_written_as_texts_are_numbers_and_nothing_else_is() {
        let schema = schema_for!(Outer);
        for (given, wanted) in [
            (json!({"limit": "3"}), json!({"limit": 3})),
            (json!({"limit": " -3 "}), json!({"limit": -3})),
            (json!({"limit": 3.0}), json!({"limit": 3})),
            (json!({"limit": 3.5}), json!({"limit": 3.5})),
            (json!({"limit": "3.5"}), json!({"limit": "3.5"})),
            (json!({"limit": "true"}), json!({"limit": "true"})),
            (json!({"limit": true}), json!({"limit": true})),
            (json!({"limit": 1e300}), json!({"limit": 1e300})),
            (
                json!({"limit": null, "paths": "3"}),
                json!({"limit": null, "paths": "3"}),
            ),
            (json!("3"), json!("3")),
        ] {
            let mut request = given;
            coerce_arguments(&mut request, schema.as_value());
            assert_eq!(request, wanted);
        }
    }

    #[test]
    fn an_argument_that_is_unknown_or_of_another_type_is_named() {
        assert_eq!(
            checked(&json!({"limits": 3})),
            "`find` has no argument `limits`; `limit` is one"
        );
        assert_eq!(
            checked(&json!({"x": 3})),
            "`find` has no argument `x`; its arguments are limit, paths"
        );
        assert_eq!(
            checked(&json!({"limit": "3"})),
            "`limit` of `find` is integer, not \"3\"; "
        );
        assert_eq!(
            checked(&json!([])),
            "the arguments of `find` are an object, not array; "
        );
    }
}
