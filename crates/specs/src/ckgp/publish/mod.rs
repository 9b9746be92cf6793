//! The producer: this repository's graph as a body, and the record that leads to it (clauses P1 to P10).
