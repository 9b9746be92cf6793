//! The store against its contract, and what is its own.
