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
    zig => ZIG,
    ruby => RUBY,
    php => PHP,
    perl => PERL,
    lua => LUA,
    elixir => ELIXIR,
    erlang => ERLANG,
    haskell => HASKELL LITERATE,
    clojure => CLOJURE,
    swift => SWIFT,
    ocaml => OCAML OCAML_INTERFACE,
    dart => DART,
    fsharp => FSHARP FSHARP_SIGNATURE,
    bash => BASH,
    sql => SQL,
    r => R,
    powershell => POWERSHELL,
    solidity => SOLIDITY,
    nix => NIX,
    protobuf => PROTOBUF,
    markdown => MARKDOWN,
    json => JSON,
    yaml => YAML,
    toml => TOML,
    make => MAKE,
    dockerfile => DOCKERFILE,
    cmake => CMAKE,
    hcl => HCL,
    graphql => GRAPHQL,
    c => C,
    cpp => CPP,
    csharp => CSHARP,
    kotlin => KOTLIN,
    scala => SCALA,
    groovy => GROOVY,
    #[cfg(feature = "julia")]
    julia => JULIA,
    #[cfg(feature = "fortran")]
    fortran => FORTRAN,
    html => HTML,
    css => CSS,
    vue => VUE,
    svelte => SVELTE,
    objectivec => OBJECTIVEC,
    #[cfg(feature = "systemverilog")]
    systemverilog => SYSTEMVERILOG,
    elm => ELM,
}
