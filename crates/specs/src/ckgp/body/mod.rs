//! What a body holds and whether it may be used (clauses C9, S6, P4, P5).
