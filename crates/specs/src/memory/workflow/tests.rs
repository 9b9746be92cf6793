//! Clauses of the orchestrator.
