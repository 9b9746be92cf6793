//! Forges: how a repository is named, and where its files are served raw (clause C1).
