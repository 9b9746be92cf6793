//! Fuzz.
