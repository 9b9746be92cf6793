//! The formats: what a body of each has to hold, and its schema.
