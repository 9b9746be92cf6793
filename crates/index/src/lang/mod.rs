//! The languages. To add one: a folder here and a line in [`LANGUAGES`].

mod go;
mod java;
mod javascript;
mod python;
mod rust;
mod typescript;

use crate::language::Language;

/// Every language, in the order in which extensions are tried.
pub static LANGUAGES: &[&Language] = &[
    &python::PYTHON,
    &javascript::JAVASCRIPT,
    &typescript::TYPESCRIPT,
    &typescript::TSX,
    &go::GO,
    &java::JAVA,
    &rust::RUST,
];
