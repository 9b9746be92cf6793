//! `changes.json`: the last events, numbered, so that a reader notices missed ones (section 8: the change feed).

use std::io::{self, Write};

use lore_base::time::date_time;
use serde::Serialize;

use super::SCHEMA_VERSION;
use super::list::List;
use lore_ckgp::registry_store::status::Status;
use lore_ckgp::registry_store::store::{Event, EventKind};

/// Its path.
pub const PATH: &str = "changes.json";
/// Events that it holds at most.
pub const MOST_EVENTS: u64 = 1_000;

#[derive(Serialize)]
struct Change<'e> {
    seq: u64,
    at: String,
    id: &'e str,
    kind: EventKind,
    status: Option<Status>,
}

/// The number behind which the events of the document begin.
pub fn after(last: u64) -> u64 {
    last.saturating_sub(MOST_EVENTS)
}

/// The document: all events behind [`after`] and up to `last`, the newest last. Who has seen all up to `first` - 1 has missed none.
pub fn write(out: &mut dyn Write, last: u64, events: &[Event]) -> io::Result<()> {
    let fields = [
        ("schema_version", SCHEMA_VERSION.into()),
        ("first", (after(last) + 1).into()),
        ("last", last.into()),
    ];
    let mut list = List::begin(out, &fields, "changes")?;
    for event in events {
        list.item(&Change {
            seq: event.seq,
            at: date_time(event.at),
            id: &event.id,
            kind: event.kind,
            status: event.status,
        })?;
    }
    list.end()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a5_the_change_feed_says_from_which_number_on_it_is_whole() {
        let written = |last, events: &[Event]| {
            let mut out = Vec::new();
            write(&mut out, last, events).unwrap();
            String::from_utf8(out).unwrap()
        };
        let event = |seq, kind, status| Event {
            seq,
            at: 1_794_816_000,
            id: "octo/hello".to_owned(),
            kind,
            status,
        };
        assert_eq!(
            written(0, &[]),
            "{\n  \"schema_version\": 1,\n  \"first\": 1,\n  \"last\": 0,\n  \"changes\": []\n}\n"
        );
        let events = [
            event(2, EventKind::Added, Some(Status::Pending)),
            event(1_001, EventKind::Removed, None),
        ];
        assert_eq!(
            written(1_001, &events),
            "{\n  \"schema_version\": 1,\n  \"first\": 2,\n  \"last\": 1001,\n  \"changes\": [\n    \
             {\"seq\":2,\"at\":\"2026-11-16T08:00:00Z\",\"id\":\"octo/hello\",\"kind\":\"added\",\"status\":\"pending\"},\n    \
             {\"seq\":1001,\"at\":\"2026-11-16T08:00:00Z\",\"id\":\"octo/hello\",\"kind\":\"removed\",\"status\":null}\n  ]\n}\n"
        );
    }
}
