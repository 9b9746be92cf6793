//! The closed lists: kinds of symbols, visibility, modifiers, and why a file is left out.

/// Declares a `u8` enum with a stable number, a name for people and machines, and the list of all values.
macro_rules! named_enum {
    ($(#[$meta:meta])* $name:ident { $($(#[$doc:meta])* $variant:ident = $number:literal => $text:literal,)* }) => {
        $(#[$meta])*
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
        #[repr(u8)]
        pub enum $name { $($(#[$doc])* $variant = $number,)* }

        impl $name {
            /// Every value, in the order of the numbers.
            pub const ALL: &'static [Self] = &[$(Self::$variant),*];

            /// The name used in every output and argument.
            pub const fn name(self) -> &'static str {
                match self { $(Self::$variant => $text,)* }
            }

            /// The value with this name.
            pub fn from_name(name: &str) -> Option<Self> {
                Self::ALL.iter().copied().find(|value| value.name() == name)
            }

            /// The value with this number.
            pub fn from_number(number: u8) -> Option<Self> {
                Self::ALL.iter().copied().find(|value| *value as u8 == number)
            }
        }

        impl std::fmt::Display for $name {
            fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                formatter.pad(self.name())
            }
        }
    };
}

named_enum! {
    /// What a definition is.
    SymbolKind {
        /// A function that belongs to no type.
        Function = 0 => "function",
        /// A function that belongs to a type.
        Method = 1 => "method",
        /// A method that makes an instance.
        Constructor = 2 => "constructor",
        /// A class.
        Class = 3 => "class",
        /// A struct, record type or union.
        Struct = 4 => "struct",
        /// An enumeration.
        Enum = 5 => "enum",
        /// One member of an enumeration.
        EnumMember = 6 => "enum_member",
        /// A trait.
        Trait = 7 => "trait",
        /// An interface or protocol.
        Interface = 8 => "interface",
        /// A module or package: the file or group of files that names what is in it.
        Module = 9 => "module",
        /// A named scope inside a file.
        Namespace = 10 => "namespace",
        /// A named value that does not change.
        Constant = 11 => "constant",
        /// A variable that lives as long as its module.
        Static = 12 => "static",
        /// A field, attribute or property of a type.
        Field = 13 => "field",
        /// Another name for a type.
        TypeAlias = 14 => "type_alias",
        /// A macro.
        Macro = 15 => "macro",
        /// A test.
        Test = 16 => "test",
        /// A part of a document under a heading.
        Section = 17 => "section",
        /// A name at the top level of a data file.
        Key = 18 => "key",
        /// A table of a database.
        Table = 19 => "table",
        /// A view of a database.
        View = 20 => "view",
        /// Something that a build makes: a target, a stage of an image.
        Target = 21 => "target",
        /// A named block of a configuration: a resource, a variable, a provider.
        Block = 22 => "block",
        /// What a style sheet speaks of.
        Selector = 23 => "selector",
    }
}

impl SymbolKind {
    /// Whether it has a body that runs, and so a complexity.
    pub fn is_callable(self) -> bool {
        matches!(
            self,
            Self::Function | Self::Method | Self::Constructor | Self::Test | Self::Macro
        )
    }

    /// Whether it is a type with members.
    pub fn is_type(self) -> bool {
        matches!(
            self,
            Self::Class | Self::Struct | Self::Enum | Self::Trait | Self::Interface
        )
    }
}

named_enum! {
    /// Who may use a definition, by its language's rules.
    Visibility {
        /// Everybody.
        Public = 0 => "public",
        /// The type and what derives from it.
        Protected = 1 => "protected",
        /// The package, crate or module family.
        Internal = 2 => "internal",
        /// The file, type or function itself.
        Private = 3 => "private",
    }
}

named_enum! {
    /// A word beside a definition that changes what it is.
    Modifier {
        /// Belongs to the type, not to an instance.
        Static = 0 => "static",
        /// Has no body of its own, or may not be instantiated.
        Abstract = 1 => "abstract",
        /// Runs asynchronously.
        Async = 2 => "async",
        /// Evaluated when compiled, or never changed.
        Const = 3 => "const",
        /// May not be overridden or assigned again.
        Final = 4 => "final",
        /// A default method, default export or default implementation.
        Default = 5 => "default",
        /// Asks its callers to keep a promise that no compiler checks.
        Unsafe = 6 => "unsafe",
        /// Defined elsewhere, or with a foreign calling convention.
        Extern = 7 => "extern",
        /// Yields values.
        Generator = 8 => "generator",
        /// May be read only.
        Readonly = 9 => "readonly",
        /// Said to override an inherited one.
        Override = 10 => "override",
        /// A method that reads like a field.
        Property = 11 => "property",
        /// Receives the class instead of an instance.
        Classmethod = 12 => "classmethod",
        /// Runs when a property is read.
        Getter = 13 => "getter",
        /// Runs when a property is written.
        Setter = 14 => "setter",
        /// Declares what is defined elsewhere.
        Declare = 15 => "declare",
        /// May be absent.
        Optional = 16 => "optional",
        /// A record.
        Record = 17 => "record",
        /// May be extended only by those it names.
        Sealed = 18 => "sealed",
        /// Implemented outside the language.
        Native = 19 => "native",
        /// Holds a lock while it runs.
        Synchronized = 20 => "synchronized",
        /// Left out when serialised.
        Transient = 21 => "transient",
        /// Read and written past caches.
        Volatile = 22 => "volatile",
        /// May be assigned.
        Mut = 23 => "mut",
        /// Strict floating point.
        Strictfp = 24 => "strictfp",
        /// Open again below a sealed type.
        NonSealed = 25 => "non-sealed",
    }
}

/// A set of [`Modifier`]s.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Modifiers(pub u32);

impl Modifiers {
    /// Adds one.
    pub fn insert(&mut self, modifier: Modifier) {
        self.0 |= 1 << modifier as u8;
    }

    /// The set with one more.
    #[must_use]
    pub fn with(mut self, modifier: Modifier) -> Self {
        self.insert(modifier);
        self
    }

    /// Whether the set holds one.
    pub fn contains(self, modifier: Modifier) -> bool {
        self.0 & (1 << modifier as u8) != 0
    }

    /// The modifiers in their fixed order.
    pub fn iter(self) -> impl Iterator<Item = Modifier> {
        Modifier::ALL
            .iter()
            .copied()
            .filter(move |modifier| self.contains(*modifier))
    }
}

named_enum! {
    /// What a function does to a variable.
    VariableUse {
        /// It gives it a value.
        Defines = 0 => "defines",
        /// It reads its value.
        Uses = 1 => "uses",
    }
}

named_enum! {
    /// How two symbols belong together.
    EdgeKind {
        /// One calls the other.
        Call = 0 => "call",
        /// One names the other as its base.
        Extends = 1 => "extends",
        /// One promises to have what the other declares.
        Implements = 2 => "implements",
        /// A method stands in for the nearest of its name among the bases of its class.
        Overrides = 3 => "overrides",
        /// A module names a module, or something of one, in an import.
        Import = 4 => "import",
        /// One makes instances of the other.
        Instantiates = 5 => "instantiates",
        /// One names the other as a type.
        References = 6 => "references",
        /// One reads the other, a constant or a variable of a module.
        Reads = 7 => "reads",
        /// A test exercises the other, itself or through its helpers.
        Tests = 8 => "tests",
    }
}

named_enum! {
    /// How an edge is known, the surest first.
    Resolution {
        /// By lexical scope or an import: there is one target.
        Exact = 0 => "exact",
        /// By a declared or constructed type.
        Typed = 1 => "typed",
        /// By the flow of a value through calls, fields and containers.
        Flow = 2 => "flow",
        /// As one of those that may override the declared one.
        Dispatch = 3 => "dispatch",
        /// Only the name matches.
        Name = 4 => "name",
    }
}

impl Resolution {
    /// How likely an edge of this kind is right.
    pub const fn confidence(self) -> f32 {
        match self {
            Self::Exact => 0.99,
            Self::Typed => 0.95,
            Self::Flow => 0.85,
            Self::Dispatch => 0.7,
            Self::Name => 0.3,
        }
    }
}

named_enum! {
    /// A bound that keeps the search for calls finite.
    Bound {
        /// A place can hold more values than are followed.
        Values = 0 => "values",
        /// A function is called from more places than are told apart.
        Calls = 1 => "calls",
        /// The search was cut off.
        Work = 2 => "work",
    }
}

named_enum! {
    /// Why a file of the tree is not in the graph.
    SkipReason {
        /// No known language.
        UnknownLanguage = 0 => "unknown-language",
        /// Somebody else's code, kept in the tree.
        Vendored = 1 => "vendored",
        /// Written by a program.
        Generated = 2 => "generated",
        /// Squeezed for transport.
        Minified = 3 => "minified",
        /// Not text.
        Binary = 4 => "binary",
        /// Larger than the limit.
        Oversized = 5 => "oversized",
        /// Could not be read.
        Unreadable = 6 => "unreadable",
        /// Text, but not UTF-8.
        NotUtf8 = 7 => "not-utf8",
        /// Its name is not UTF-8.
        BadName = 8 => "bad-name",
        /// Left out by an exclude pattern, or matched by no include pattern.
        Excluded = 9 => "excluded",
        /// A symbolic link, or neither file nor directory.
        NotAFile = 10 => "not-a-file",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_and_numbers_lead_back() {
        for kind in SymbolKind::ALL {
            assert_eq!(SymbolKind::from_name(kind.name()), Some(*kind));
            assert_eq!(SymbolKind::from_number(*kind as u8), Some(*kind));
        }
        assert_eq!(SymbolKind::from_number(200), None);
    }

    #[test]
    fn modifiers_come_in_a_fixed_order() {
        let set = Modifiers::default().with(Modifier::Async).with(Modifier::Static);
        assert_eq!(set.iter().map(Modifier::name).collect::<Vec<_>>(), ["static", "async"]);
    }
}
