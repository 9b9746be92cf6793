//! Finding and fetching the graph of another repository (clauses C1 to C11).
