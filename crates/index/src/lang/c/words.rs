//! What the words of C, C++ and Objective-C are in a declaration.

/// What a word is at the head of a declaration.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Word {
    /// A name that a program defines: of a type, a function, a macro.
    Name,
    /// A word beside a type: `static`, `const`.
    Specifier,
    /// A type of the language.
    Type,
    /// A type that is asked for with parentheses: `decltype`.
    TypeOf,
    /// `struct`, `union`, `class`.
    Class,
    Enum,
    Typedef,
    Extern,
    Template,
    Namespace,
    Operator,
    /// An attribute with parentheses.
    Attribute,
    /// A word after the parameters.
    Trailer,
    Access,
    /// Occurs in a construct that Lore does not look into: `using`, `static_assert`.
    Opaque,
    /// Occurs only in bodies.
    Statement,
}

/// What a word is in C, or in C++ too.
pub(super) fn sort(word: &[u8], in_cpp: bool) -> Word {
    match word {
        b"static" | b"const" | b"volatile" | b"inline" | b"register" | b"constexpr" | b"thread_local"
        | b"_Thread_local" | b"__thread" | b"__inline" | b"__inline__" | b"__forceinline" | b"restrict"
        | b"__restrict" | b"__restrict__" | b"__extension__" | b"_Noreturn" | b"_Atomic" => Word::Specifier,
        b"void" | b"char" | b"short" | b"int" | b"long" | b"float" | b"double" | b"signed" | b"unsigned" | b"bool"
        | b"_Bool" | b"_Complex" | b"wchar_t" | b"auto" | b"__int64" | b"__int128" | b"__signed__" | b"char8_t"
        | b"char16_t" | b"char32_t" | b"size_t" | b"ssize_t" | b"ptrdiff_t" | b"intptr_t" | b"uintptr_t"
        | b"int8_t" | b"int16_t" | b"int32_t" | b"int64_t" | b"uint8_t" | b"uint16_t" | b"uint32_t" | b"uint64_t" => {
            Word::Type
        }
        b"typeof" | b"__typeof__" | b"__typeof" => Word::TypeOf,
        b"struct" | b"union" => Word::Class,
        b"enum" => Word::Enum,
        b"typedef" => Word::Typedef,
        b"extern" => Word::Extern,
        b"__attribute__" | b"__attribute" | b"__declspec" | b"alignas" | b"_Alignas" | b"_Pragma" | b"__pragma" => {
            Word::Attribute
        }
        b"asm" | b"__asm__" | b"__asm" => Word::Trailer,
        b"static_assert" | b"_Static_assert" => Word::Opaque,
        b"if" | b"else" | b"for" | b"while" | b"do" | b"switch" | b"case" | b"default" | b"return" | b"break"
        | b"continue" | b"goto" | b"sizeof" | b"_Alignof" | b"_Generic" => Word::Statement,
        _ if in_cpp => sort_cpp(word),
        _ => Word::Name,
    }
}

/// What a word is that C does not know.
fn sort_cpp(word: &[u8]) -> Word {
    match word {
        b"mutable" | b"virtual" | b"explicit" | b"friend" | b"consteval" | b"constinit" | b"typename" | b"export" => {
            Word::Specifier
        }
        b"decltype" => Word::TypeOf,
        b"class" => Word::Class,
        b"template" => Word::Template,
        b"namespace" => Word::Namespace,
        b"operator" => Word::Operator,
        b"noexcept" | b"throw" | b"override" | b"final" | b"try" | b"requires" => Word::Trailer,
        b"public" | b"private" | b"protected" | b"signals" | b"Q_SIGNALS" | b"slots" | b"Q_SLOTS" => Word::Access,
        b"using" | b"concept" => Word::Opaque,
        b"catch" | b"new" | b"delete" | b"co_return" | b"co_await" | b"co_yield" | b"alignof" | b"typeid" | b"and"
        | b"or" | b"not" | b"this" => Word::Statement,
        _ => Word::Name,
    }
}

/// Whether a name looks like that of a macro: all capitals, or one that is kept for compilers.
pub(super) fn is_macro_like(word: &[u8]) -> bool {
    if word.starts_with(b"__") {
        return sort(word, true) == Word::Name;
    }
    word.len() > 1
        && word.iter().any(u8::is_ascii_uppercase)
        && !word.iter().any(|byte| byte.is_ascii_lowercase() || !byte.is_ascii())
}

/// Whether the name of a macro shows that it qualifies a type and is not one.
pub(super) fn says_linkage(word: &[u8]) -> bool {
    [
        b"API".as_slice(),
        b"EXPORT",
        b"EXTERN",
        b"IMPORT",
        b"INLINE",
        b"STATIC",
        b"PUBLIC",
        b"PRIVATE",
        b"LOCAL",
        b"CALL",
        b"DECL",
        b"DLL",
        b"ATTR",
        b"UNUSED",
        b"NORETURN",
        b"PASCAL",
        b"WEAK",
        b"DEPRECATED",
        b"NODISCARD",
        b"CONSTEXPR",
        b"RESTRICT",
        b"BEGIN",
        b"END",
    ]
    .iter()
    .any(|part| memchr::memmem::find(word, part).is_some())
        || word.starts_with(b"__")
}
