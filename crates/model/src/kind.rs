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
        /// One reads the other: a constant, a variable of a module, a field, an environment variable, a configuration key.
        Reads = 7 => "reads",
        /// A test exercises the other, itself or through its helpers.
        Tests = 8 => "tests",
        /// One gives the other a value: a variable of a module, a field, an environment variable, a configuration key.
        Writes = 9 => "writes",
    }
}

named_enum! {
    /// How an edge is known, the surest first.
    Resolution {
        /// By lexical scope or an import: there is one target.
        Exact = 0 => "exact",
        /// By a declared or constructed type.
        Typed = 1 => "typed",
        /// By the static type of the receiver: the source names the target, and no value of it is known to reach the call.
        Declared = 2 => "declared",
        /// By the flow of a value through calls, fields and containers.
        Flow = 3 => "flow",
        /// As one of several possible targets: an override of the declared target, or a target of a call that hit a bound.
        Dispatch = 4 => "dispatch",
        /// Only the name matches.
        Name = 5 => "name",
    }
}

impl Resolution {
    /// How likely an edge of this kind is right.
    pub const fn confidence(self) -> f32 {
        match self {
            Self::Exact => 0.99,
            Self::Typed => 0.95,
            Self::Declared => 0.9,
            Self::Flow => 0.85,
            Self::Dispatch => 0.7,
            Self::Name => 0.3,
        }
    }

    /// Whether the edge is an answer and not only a possibility: neither [`Resolution::Dispatch`] nor [`Resolution::Name`].
    pub const fn is_sure(self) -> bool {
        !matches!(self, Self::Dispatch | Self::Name)
    }
}

/// What is known about the mentions of an edge beside its resolution: a set of one-bit marks.
///
/// A call has a static target (what the source names: the member of the declared type) and runtime targets (what the values that
/// reach the call run). An edge without [`EdgeMarks::NAMED`] is a runtime target of calls that name another member. Edges of other
/// kinds than [`EdgeKind::Call`] always have the mark.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct EdgeMarks(pub u8);

impl EdgeMarks {
    /// At some line the source names the target: it is the static target there, or no static target is known.
    pub const NAMED: Self = Self(1);
    /// At some line a bound dropped targets: there are more than the graph has.
    pub const MORE: Self = Self(2);
    /// At some line that names the target it is not known what runs: no value reached the call, or a bound dropped values.
    pub const OPEN: Self = Self(4);
    /// At some line the source does not write the call: an operator, a protocol method, a callback of a built-in function.
    pub const IMPLICIT: Self = Self(8);
    /// The marks with their names, in the order of their bits.
    pub const ALL: [(Self, &'static str); 4] = [
        (Self::NAMED, "named"),
        (Self::MORE, "more"),
        (Self::OPEN, "open"),
        (Self::IMPLICIT, "implicit"),
    ];

    /// Whether all of these marks are set.
    pub const fn contains(self, marks: Self) -> bool {
        self.0 & marks.0 == marks.0
    }

    /// The marks of both sets.
    #[must_use]
    pub const fn with(self, marks: Self) -> Self {
        Self(self.0 | marks.0)
    }

    /// The mark with a name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL
            .into_iter()
            .find_map(|(mark, other)| (other == name).then_some(mark))
    }

    /// The names of the marks, in the order of their bits.
    pub fn names(self) -> impl Iterator<Item = &'static str> {
        let has = move |(mark, name)| self.contains(mark).then_some(name);
        Self::ALL.into_iter().filter_map(has)
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
    fn resolutions_get_less_sure_with_their_numbers() {
        let confidences: Vec<f32> = Resolution::ALL.iter().map(|row| row.confidence()).collect();
        assert!(confidences.is_sorted_by(|one, other| one > other), "{confidences:?}");
        let sure = Resolution::ALL.iter().filter(|row| row.is_sure());
        let names: Vec<&str> = sure.map(|row| row.name()).collect();
        assert_eq!(names, ["exact", "typed", "declared", "flow"]);
    }

    #[test]
    fn marks_have_names() {
        let marks = EdgeMarks::NAMED.with(EdgeMarks::OPEN);
        assert_eq!(marks.names().collect::<Vec<_>>(), ["named", "open"]);
        assert!(marks.contains(EdgeMarks::OPEN) && !marks.contains(EdgeMarks::MORE));
        let read = marks.names().filter_map(EdgeMarks::from_name);
        assert_eq!(read.fold(EdgeMarks::default(), EdgeMarks::with), marks);
        assert_eq!(EdgeMarks::from_name("every"), None);
    }

    #[test]
    fn modifiers_come_in_a_fixed_order() {
        let set = Modifiers::default().with(Modifier::Async).with(Modifier::Static);
        assert_eq!(set.iter().map(Modifier::name).collect::<Vec<_>>(), ["static", "async"]);
    }
}
