//! Which addresses may be asked (clauses S1, S2, J5).
