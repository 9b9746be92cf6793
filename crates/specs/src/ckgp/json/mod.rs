//! A reader of JSON that makes no tree: events from bytes, bounded in depth (clauses J1, J2, S6).
