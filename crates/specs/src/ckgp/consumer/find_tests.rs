//! find
