//! How long an answer may be, and how one that is longer is cut: whole items from the end of lists, the ends of long texts, and never without
//! saying what was left out.

use serde_json::{Map, Value, json};

/// The argument that every tool takes.
pub(super) const BUDGET: &str = "budget";
/// The argument with which a client requests the rest of a long list.
pub(super) const SKIP: &str = "skip";
/// Bytes of one token: the lowest average of JSON and code.
const TOKEN_BYTES: usize = 3;
/// Tokens of an answer unless the agent says otherwise.
pub(super) const DEFAULT_TOKENS: usize = 6_000;
/// Less would hold no answer at all.
const LEAST_BYTES: usize = 600;
/// Bytes that are kept for the remark about what was left out.
const REMARK_BYTES: usize = 200;
/// From this number of rows, values that all rows share are written once.
const SEVERAL: usize = 3;
/// A text from this length on is worth telling once.
const LONG: usize = 24;
/// How often an answer that is still too long is cut again.
const ATTEMPTS: usize = 3;
/// What text in a fence begins with.
const FENCE: &str = "<<<untrusted ";
/// A text shorter than this is not cut.
const LEAST_TEXT: usize = 60;

/// How long an answer may be.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Budget {
    bytes: usize,
}

impl Default for Budget {
    fn default() -> Self {
        Self {
            bytes: DEFAULT_TOKENS * TOKEN_BYTES,
        }
    }
}

impl Budget {
    /// Tokens as a number, or bytes as `20kB`.
    pub(super) fn parse(value: &Value) -> Result<Self, String> {
        let wrong = || format!("`{BUDGET}` is a number of tokens such as 2000, or bytes such as \"16kB\", not {value}");
        let tokens = |tokens: u64| usize::try_from(tokens).ok()?.checked_mul(TOKEN_BYTES);
        let bytes = match value {
            Value::Number(number) => number.as_u64().and_then(tokens),
            Value::String(text) => {
                let text = text.trim();
                let digits = text.find(|letter: char| !letter.is_ascii_digit()).unwrap_or(text.len());
                let (number, unit) = text.split_at(digits);
                let number: Option<u64> = number.parse().ok();
                let times = |factor: u64| usize::try_from(number?.checked_mul(factor)?).ok();
                match unit.trim().to_ascii_lowercase().as_str() {
                    "" | "tokens" | "token" => number.and_then(tokens),
                    "b" | "bytes" => times(1),
                    "kb" | "k" | "kib" => times(1024),
                    "mb" | "m" | "mib" => times(1024 * 1024),
                    _ => None,
                }
            }
            _ => None,
        };
        match bytes {
            Some(bytes) => Ok(Self {
                bytes: bytes.max(LEAST_BYTES),
            }),
            None => Err(wrong()),
        }
    }

    /// So many bytes.
    pub(super) fn of_bytes(bytes: usize) -> Self {
        Self { bytes }
    }

    /// Bytes.
    pub(super) fn bytes(self) -> usize {
        self.bytes
    }
}

/// Rows that were taken within a budget.
#[derive(Debug, Default)]
pub(super) struct Taken {
    rows: Vec<Value>,
    bytes: usize,
    skipped: usize,
    total: usize,
    left_out: Vec<LeftOut>,
}

impl Taken {
    /// Takes one more row if there is room.
    pub(super) fn add(&mut self, row: impl FnOnce() -> Value, budget: Budget, skip: usize) {
        self.total += 1;
        if self.total <= skip {
            self.skipped += 1;
            return;
        }
        // After the first row that does not fit, all rows are left out, so that the client can request the rest.
        if self.total > self.skipped + self.rows.len() + 1 {
            return;
        }
        let room = budget.bytes().saturating_sub(self.bytes + REMARK_BYTES);
        let row = row();
        let size = length(&row) + 1;
        if size <= room {
            self.bytes += size;
            self.rows.push(row);
        } else if self.rows.is_empty() {
            let (row, left_out) = fit(row, room);
            self.bytes += length(&row) + 1;
            self.rows.push(row);
            self.left_out = left_out;
        }
    }

    /// The answer: the rows, and how to get the others.
    pub(super) fn into_answer(mut self, note: Option<&str>, budget: Budget) -> Value {
        loop {
            let answer = self.answer(note);
            // Remarks need space too; a single row was cut to the space that is left.
            if length(&answer) <= budget.bytes() || self.rows.len() <= 1 {
                return answer;
            }
            self.rows.pop();
        }
    }

    fn answer(&self, note: Option<&str>) -> Value {
        let shown = self.rows.len();
        let next = self.skipped + shown;
        let mut answer = Map::new();
        let (common, rows) = told_once(self.rows.clone());
        if !common.is_empty() {
            answer.insert("all_rows".to_owned(), Value::Object(common));
        }
        answer.insert("rows".to_owned(), Value::Array(rows));
        if let Some(note) = note {
            answer.insert("note".to_owned(), Value::String(note.to_owned()));
        }
        if !self.left_out.is_empty() {
            answer.insert("left_out".to_owned(), remark(&self.left_out));
        }
        if next < self.total || self.skipped > 0 {
            let more = match next < self.total {
                true => format!(
                    "rows {} to {next} of {}; the next with `{SKIP}`: {next}",
                    self.skipped + 1,
                    self.total
                ),
                false if shown == 0 => format!("there are {} rows", self.total),
                false => format!("rows {} to {next} of {}", self.skipped + 1, self.total),
            };
            answer.insert("page".to_owned(), Value::String(more));
        }
        Value::Object(answer)
    }
}

/// What all rows say alike is said once.
fn told_once(mut rows: Vec<Value>) -> (Map<String, Value>, Vec<Value>) {
    let mut common = match rows.first() {
        Some(Value::Object(first)) if rows.len() >= SEVERAL => first.clone(),
        _ => return (Map::new(), rows),
    };
    common.retain(|name, value| {
        let is_long = value.as_str().is_some_and(|text| text.len() >= LONG);
        is_long && rows.iter().all(|row| row.get(name) == Some(value))
    });
    for row in &mut rows {
        if let Value::Object(fields) = row {
            fields.retain(|name, _| !common.contains_key(name));
        }
    }
    (common, rows)
}

/// A value cut to a budget, with what was left out said in it.
pub(super) fn fit_answer(value: Value, budget: Budget) -> Value {
    if length(&value) <= budget.bytes() {
        return value;
    }
    let mut room = budget.bytes().saturating_sub(REMARK_BYTES);
    let mut answer = said(fit(value.clone(), room));
    // What was left out takes room to be said.
    for _ in 0..ATTEMPTS {
        let excess = length(&answer).saturating_sub(budget.bytes());
        if excess == 0 {
            return answer;
        }
        room = room.saturating_sub(excess);
        answer = said(fit(value.clone(), room));
    }
    without_largest(answer, budget)
}

/// A value with what was left out of it.
fn said((value, left_out): (Value, Vec<LeftOut>)) -> Value {
    match value {
        Value::Object(mut fields) => {
            fields.insert("left_out".to_owned(), remark(&left_out));
            Value::Object(fields)
        }
        other => json!({ "answer": other, "left_out": remark(&left_out) }),
    }
}

/// What cannot be cut is left out whole, the largest first.
fn without_largest(answer: Value, budget: Budget) -> Value {
    let Value::Object(mut fields) = answer else {
        return answer;
    };
    let mut names: Vec<String> = Vec::new();
    while length(&Value::Object(fields.clone())) > budget.bytes() {
        let largest = fields
            .iter()
            .filter(|(name, _)| *name != "left_out")
            .max_by_key(|(_, value)| length(value))
            .map(|(name, _)| name.clone());
        let Some(largest) = largest else {
            break;
        };
        fields.remove(&largest);
        names.push(largest);
        let text = format!("not shown: {}; a larger `{BUDGET}` shows them", names.join(", "));
        fields.insert("left_out".to_owned(), Value::String(text));
    }
    Value::Object(fields)
}

/// Something that was left out.
#[derive(Debug)]
struct LeftOut {
    place: String,
    shown: usize,
    of: usize,
}

fn remark(left_out: &[LeftOut]) -> Value {
    let mut parts: Vec<String> = left_out
        .iter()
        .take(8)
        .map(|part| format!("{}: {} of {}", part.place, part.shown, part.of))
        .collect();
    if left_out.len() > 8 {
        parts.push(format!("and {} lists more", left_out.len() - 8));
    }
    Value::String(format!(
        "shown are {}; a larger `{BUDGET}` shows more, a narrower question needs less",
        parts.join(", ")
    ))
}

/// Bytes that a value takes as JSON.
pub(super) fn length(value: &Value) -> usize {
    struct Count(usize);
    impl std::io::Write for Count {
        fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
            self.0 += bytes.len();
            Ok(bytes.len())
        }

        fn flush(&mut self) -> std::io::Result<()> {
            Ok(())
        }
    }
    let mut count = Count(0);
    // Counting cannot fail.
    let _ = serde_json::to_writer(&mut count, value);
    count.0
}

fn fit(value: Value, room: usize) -> (Value, Vec<LeftOut>) {
    let mut left_out = Vec::new();
    let value = cut(value, room, "", &mut left_out);
    (value, left_out)
}

fn cut(value: Value, room: usize, place: &str, left_out: &mut Vec<LeftOut>) -> Value {
    if length(&value) <= room {
        return value;
    }
    match value {
        Value::String(text) if text.len() > LEAST_TEXT => {
            let end = text.floor_char_boundary(room.saturating_sub(8).max(LEAST_TEXT));
            // What is escaped takes more than it has letters.
            let mut end = end.min(text.len());
            while end > LEAST_TEXT && length(&Value::String(text[..end].to_owned())) > room {
                end = text.floor_char_boundary(end * 3 / 4);
            }
            left_out.push(LeftOut {
                place: format!("bytes of {}", named(place)),
                shown: end,
                of: text.len(),
            });
            Value::String(format!("{}…{}", &text[..end], fence_end(&text)))
        }
        Value::Array(items) => {
            let of = items.len();
            let mut kept: Vec<Value> = Vec::new();
            let mut used = 2;
            for item in items {
                let size = length(&item) + 1;
                if used + size > room {
                    if kept.is_empty() && room > LEAST_TEXT {
                        kept.push(cut(item, room - used, &format!("{place}[0]"), left_out));
                    }
                    break;
                }
                used += size;
                kept.push(item);
            }
            if kept.len() < of {
                left_out.push(LeftOut {
                    place: named(place).to_owned(),
                    shown: kept.len(),
                    of,
                });
            }
            Value::Array(kept)
        }
        Value::Object(fields) => Value::Object(cut_fields(fields, room, place, left_out)),
        other => other,
    }
}

/// What closes the fence that a text begins with, if it does.
fn fence_end(text: &str) -> String {
    let mark = text.strip_prefix(FENCE).and_then(|rest| rest.split('\n').next());
    mark.map_or_else(String::new, |mark| format!("\n{mark} untrusted>>>"))
}

/// What is short stays; what is left is shared by what is long.
fn cut_fields(fields: Map<String, Value>, room: usize, place: &str, left_out: &mut Vec<LeftOut>) -> Map<String, Value> {
    let sizes: Vec<usize> = fields.values().map(length).collect();
    let names: usize = fields.keys().map(|name| name.len() + 4).sum();
    let mut share = room.saturating_sub(names + 2);
    let mut order: Vec<usize> = (0..sizes.len()).collect();
    order.sort_by_key(|at| sizes[*at]);
    let mut rooms = vec![0; sizes.len()];
    for (done, at) in order.iter().enumerate() {
        let fair = share / (sizes.len() - done);
        rooms[*at] = sizes[*at].min(fair);
        share -= rooms[*at];
    }
    fields
        .into_iter()
        .zip(rooms)
        .map(|((name, value), room)| {
            let below = if place.is_empty() {
                name.clone()
            } else {
                format!("{place}.{name}")
            };
            let value = cut(value, room, &below, left_out);
            (name, value)
        })
        .collect()
}

fn named(place: &str) -> &str {
    if place.is_empty() { "items" } else { place }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn budget(value: Value) -> Budget {
        Budget::parse(&value).expect("it is a budget")
    }

    #[test]
    fn a_budget_is_tokens_or_bytes() {
        for (given, bytes) in [
            (json!(2000), 6000),
            (json!("2000"), 6000),
            (json!("2000 tokens"), 6000),
            (json!("16kB"), 16_384),
            (json!("700 bytes"), 700),
            (json!(0), LEAST_BYTES),
        ] {
            assert_eq!(budget(given.clone()).bytes(), bytes, "{given}");
        }
        for wrong in [
            json!(-1),
            json!(1.5),
            json!("many"),
            json!(true),
            json!([1]),
            json!("9 ells"),
            json!(u64::MAX),
        ] {
            assert!(Budget::parse(&wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn rows_that_have_no_room_can_be_asked_for() {
        let row = |number: usize| json!({ "name": format!("symbol {number:0>60}") });
        let mut taken = Taken::default();
        let mut next = Taken::default();
        for number in 0..20 {
            taken.add(|| row(number), budget(json!("800 bytes")), 0);
            next.add(|| row(number), budget(json!("800 bytes")), 7);
        }
        let answer = taken.into_answer(None, budget(json!("800 bytes")));
        assert_eq!(answer["rows"].as_array().map(Vec::len), Some(7));
        assert_eq!(answer["page"], "rows 1 to 7 of 20; the next with `skip`: 7");
        let answer = next.into_answer(None, budget(json!("800 bytes")));
        assert_eq!(answer["rows"][0], row(7));
        assert_eq!(answer["page"], "rows 8 to 14 of 20; the next with `skip`: 14");
    }

    #[test]
    fn what_all_rows_say_alike_is_said_once() {
        let mut taken = Taken::default();
        for line in 1..=3 {
            let row = json!({ "at": format!("a.py:{line}"), "callee": "shop.prices.discount.of.a.long.name", "kind": "call" });
            taken.add(|| row, Budget::default(), 0);
        }
        assert_eq!(
            taken.into_answer(None, Budget::default()),
            json!({
                "all_rows": { "callee": "shop.prices.discount.of.a.long.name" },
                "rows": [
                    { "at": "a.py:1", "kind": "call" },
                    { "at": "a.py:2", "kind": "call" },
                    { "at": "a.py:3", "kind": "call" },
                ],
            })
        );
    }

    #[test]
    fn a_row_that_is_too_long_is_cut_inside() {
        let members: Vec<usize> = (1000..2000).collect();
        let mut taken = Taken::default();
        taken.add(
            || json!({ "path": "a.py", "members": members }),
            budget(json!("600 bytes")),
            0,
        );
        let answer = taken.into_answer(None, budget(json!("600 bytes")));
        assert_eq!(answer["rows"][0]["path"], "a.py");
        let left_out = answer["left_out"].as_str().unwrap_or_default();
        assert!(
            left_out.starts_with("shown are members: ") && left_out.contains(" of 1000"),
            "{left_out}"
        );
        assert!(length(&answer) <= 600, "{}", length(&answer));
    }

    #[test]
    fn a_value_says_what_was_left_out_of_it() {
        let tests: Vec<Value> = (0..100)
            .map(|number| json!({ "test": format!("test_{number}") }))
            .collect();
        let answer = fit_answer(
            json!({ "changed": ["a.b"], "tests": tests, "doc": "x".repeat(5000), "affected_count": 100 }),
            budget(json!("1000 bytes")),
        );
        assert_eq!(answer["changed"], json!(["a.b"]));
        assert_eq!(answer["affected_count"], 100);
        let left_out = answer["left_out"].as_str().unwrap_or_default();
        assert!(
            left_out.contains("tests: ") && left_out.contains(" of 100"),
            "{left_out}"
        );
        assert!(
            left_out.contains("bytes of doc: ") && left_out.contains(" of 5000"),
            "{left_out}"
        );
        assert!(length(&answer) <= 1000, "{}", length(&answer));
    }

    #[test]
    fn a_fence_is_closed_where_its_text_is_cut() {
        let text = format!("<<<untrusted 0a1b2c\n{}\n0a1b2c untrusted>>>", "line\n".repeat(1000));
        let answer = fit_answer(json!({ "untrusted_source": text }), budget(json!("900 bytes")));
        let shown = answer["untrusted_source"].as_str().unwrap_or_default();
        assert!(shown.ends_with("…\n0a1b2c untrusted>>>"), "{shown}");
        assert!(length(&answer) <= 900, "{}", length(&answer));
    }

    fn any_json() -> impl Strategy<Value = Value> {
        let leaf = prop_oneof![
            any::<i32>().prop_map(Value::from),
            "[a-zä\"\\\\\n]{0,200}".prop_map(Value::from),
            any::<bool>().prop_map(Value::from),
        ];
        leaf.prop_recursive(4, 200, 20, |inner| {
            prop_oneof![
                proptest::collection::vec(inner.clone(), 0..20).prop_map(Value::Array),
                proptest::collection::btree_map("[a-z]{1,8}", inner, 0..6)
                    .prop_map(|fields| Value::Object(fields.into_iter().collect())),
            ]
        })
    }

    proptest! {
        #![proptest_config(lore_testing::cases(256))]

        /// Lists and long texts give way; what cannot be cut, such as the names of fields, may remain above a tiny budget.
        #[test]
        fn what_fits_is_not_touched_and_what_does_not_gets_shorter(value in any_json(), bytes in 600_usize..4000) {
            let budget = Budget { bytes };
            let answer = fit_answer(value.clone(), budget);
            if length(&value) <= bytes {
                prop_assert_eq!(answer, value);
            } else {
                prop_assert!(answer.get("left_out").is_some());
                prop_assert!(length(&answer) <= bytes || !answer.is_object() || answer.as_object().is_some_and(|fields| fields.len() <= 2), "{}", length(&answer));
            }
        }

        #[test]
        fn lists_of_short_items_never_exceed_the_budget(items in proptest::collection::vec("[a-z]{0,30}", 0..400), bytes in 600_usize..4000) {
            let answer = fit_answer(json!({ "items": items }), Budget { bytes });
            prop_assert!(length(&answer) <= bytes, "{} > {}", length(&answer), bytes);
        }
    }
}
