//! The languages. To add one: a folder here, a line in the table below, and a line for its grammar in Cargo.toml.

use crate::language::Language;

/// Declares the folders and the table of all languages in them.
macro_rules! languages {
    ($($(#[$feature:meta])? $folder:ident => $language:ident $($dialect:ident)*,)*) => {
        $($(#[$feature])? mod $folder;)*

        /// Every language, in the order in which extensions are tried.
        pub static LANGUAGES: &[&Language] = &[$(
            $(#[$feature])?
            &$folder::$language,
            $(&$folder::$dialect,)*
        )*];
    };
}

languages! {
    python => PYTHON,
    javascript => JAVASCRIPT,
    typescript => TYPESCRIPT TSX,
    go => GO,
    java => JAVA,
    rust => RUST,
    swift => SWIFT,
    ocaml => OCAML OCAML_INTERFACE,
    dart => DART,
    fsharp => FSHARP FSHARP_SIGNATURE,
    elm => ELM,
}
