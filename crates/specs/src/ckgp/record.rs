//! The discovery record (clauses D1 to D3).
