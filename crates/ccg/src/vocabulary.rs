//! The words of the dataset (clause LW): the text's own in the namespace `narsil`, what it lacks in `ccg`, both in the published ontology.

use lore_model::{EdgeKind, SymbolKind};

/// The namespaces of §3, by prefix, pre-declared in every query.
pub const PREFIXES: &[(&str, &str)] = &[
    ("ccg", "https://codecontextgraph.com/ontology/v1#"),
    ("narsil", "https://narsilmcp.com/ontology/v1#"),
    ("rdf", "http://www.w3.org/1999/02/22-rdf-syntax-ns#"),
    ("rdfs", "http://www.w3.org/2000/01/rdf-schema#"),
    ("xsd", "http://www.w3.org/2001/XMLSchema#"),
    ("owl", "http://www.w3.org/2002/07/owl#"),
    ("foaf", "http://xmlns.com/foaf/0.1/"),
    ("acl", "http://www.w3.org/ns/auth/acl#"),
];

/// Declares the words, in the order of their IRIs.
macro_rules! words {
    ($($namespace:literal { $($word:ident = $local:literal,)* })*) => {
        /// A class or property of the dataset. The order is that of the IRIs.
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
        #[repr(u8)]
        // No doc comment: each is described in the ontology.
        pub enum Word { $($($word,)*)* }

        impl Word {
            /// Every word.
            pub const ALL: &'static [Self] = &[$($(Self::$word,)*)*];

            /// Its IRI.
            pub const fn iri(self) -> &'static str {
                match self { $($(Self::$word => concat!($namespace, $local),)*)* }
            }
        }
    };
}

words! {
    "http://www.w3.org/1999/02/22-rdf-syntax-ns#" {
        Type = "type",
    }
    "http://www.w3.org/2000/01/rdf-schema#" {
        Label = "label",
    }
    "https://codecontextgraph.com/ontology/v1#" {
        BlockClass = "Block",
        CallSiteClass = "CallSite",
        CodeContextGraphClass = "CodeContextGraph",
        ConstructorClass = "Constructor",
        EnumMemberClass = "EnumMember",
        ExternalClass = "External",
        FieldClass = "Field",
        KeyClass = "Key",
        LanguageStatisticsClass = "LanguageStatistics",
        MacroClass = "Macro",
        NamespaceClass = "Namespace",
        RepositoryClass = "Repository",
        SectionClass = "Section",
        SelectorClass = "Selector",
        StaticClass = "Static",
        TableClass = "Table",
        TargetClass = "Target",
        TestClass = "Test",
        TypeAliasClass = "TypeAlias",
        UnresolvedCallClass = "UnresolvedCall",
        ViewClass = "View",
        AnalyzedAt = "analyzedAt",
        AuthorCount = "authorCount",
        BlankLines = "blankLines",
        CallEdges = "callEdges",
        Callee = "callee",
        Caller = "caller",
        Churn = "churn",
        CommentLines = "commentLines",
        Commit = "commit",
        Confidence = "confidence",
        ContentHash = "contentHash",
        Decorator = "decorator",
        DependencyCycle = "dependencyCycle",
        DependsOn = "dependsOn",
        Directory = "directory",
        Dirty = "dirty",
        Documentation = "documentation",
        FileCount = "fileCount",
        Generator = "generator",
        Importance = "importance",
        InModule = "inModule",
        Instantiates = "instantiates",
        IsEntryPoint = "isEntryPoint",
        IsTest = "isTest",
        LastChanged = "lastChanged",
        LastCommit = "lastCommit",
        MayCall = "mayCall",
        Modifier = "modifier",
        Overrides = "overrides",
        QualifiedName = "qualifiedName",
        Reads = "reads",
        References = "references",
        Repository = "repository",
        Resolution = "resolution",
        SecurityAnalyzed = "securityAnalyzed",
        SymbolCount = "symbolCount",
        Tests = "tests",
        UnresolvedCalls = "unresolvedCalls",
        Url = "url",
        Visibility = "visibility",
        Writes = "writes",
    }
    "https://narsilmcp.com/ontology/v1#" {
        ClassClass = "Class",
        ConstantClass = "Constant",
        DataFlowGraphClass = "DataFlowGraph",
        EnumClass = "Enum",
        FileClass = "File",
        FunctionClass = "Function",
        InterfaceClass = "Interface",
        MethodClass = "Method",
        ModuleClass = "Module",
        StructClass = "Struct",
        TraitClass = "Trait",
        AtLine = "atLine",
        CallSite = "callSite",
        Calls = "calls",
        Complexity = "complexity",
        DefinedIn = "definedIn",
        DefinesVar = "definesVar",
        DocComment = "docComment",
        EndLine = "endLine",
        Extends = "extends",
        ForSymbol = "forSymbol",
        HasParent = "hasParent",
        Implements = "implements",
        Imports = "imports",
        InFile = "inFile",
        IsPublic = "isPublic",
        Language = "language",
        Loc = "loc",
        Name = "name",
        Path = "path",
        Signature = "signature",
        SourceSnippet = "sourceSnippet",
        StartLine = "startLine",
        UsesVar = "usesVar",
    }
}

impl Word {
    /// The word with this IRI.
    pub fn from_iri(iri: &str) -> Option<Self> {
        let at = Self::ALL.binary_search_by(|word| word.iri().cmp(iri)).ok()?;
        Some(Self::ALL[at])
    }

    /// The classes of a symbol of some kind; methods and constructors are functions too.
    pub fn classes(kind: SymbolKind) -> &'static [Self] {
        match kind {
            SymbolKind::Function => &[Self::FunctionClass],
            SymbolKind::Method => &[Self::FunctionClass, Self::MethodClass],
            SymbolKind::Constructor => &[Self::ConstructorClass, Self::FunctionClass, Self::MethodClass],
            SymbolKind::Class => &[Self::ClassClass],
            SymbolKind::Struct => &[Self::StructClass],
            SymbolKind::Enum => &[Self::EnumClass],
            SymbolKind::EnumMember => &[Self::EnumMemberClass],
            SymbolKind::Trait => &[Self::TraitClass],
            SymbolKind::Interface => &[Self::InterfaceClass],
            SymbolKind::Module => &[Self::ModuleClass],
            SymbolKind::Namespace => &[Self::NamespaceClass, Self::ModuleClass],
            SymbolKind::Constant => &[Self::ConstantClass],
            SymbolKind::Static => &[Self::StaticClass],
            SymbolKind::Field => &[Self::FieldClass],
            SymbolKind::TypeAlias => &[Self::TypeAliasClass],
            SymbolKind::Macro => &[Self::MacroClass],
            SymbolKind::Test => &[Self::TestClass, Self::FunctionClass],
            SymbolKind::Section => &[Self::SectionClass],
            SymbolKind::Key => &[Self::KeyClass],
            SymbolKind::Table => &[Self::TableClass],
            SymbolKind::View => &[Self::ViewClass],
            SymbolKind::Target => &[Self::TargetClass],
            SymbolKind::Block => &[Self::BlockClass],
            SymbolKind::Selector => &[Self::SelectorClass],
        }
    }

    /// What an edge says, where its source is its subject; possible targets of calls are `mayCall`.
    pub fn of_edge(kind: EdgeKind) -> Self {
        match kind {
            EdgeKind::Call => Self::Calls,
            EdgeKind::Extends => Self::Extends,
            EdgeKind::Implements => Self::Implements,
            EdgeKind::Overrides => Self::Overrides,
            EdgeKind::Import => Self::Imports,
            EdgeKind::Instantiates => Self::Instantiates,
            EdgeKind::References => Self::References,
            EdgeKind::Reads => Self::Reads,
            EdgeKind::Tests => Self::Tests,
            EdgeKind::Writes => Self::Writes,
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use oxttl::TurtleParser;

    use super::*;

    #[test]
    fn lw_words_are_in_the_order_of_their_iris() {
        assert!(Word::ALL.is_sorted_by(|left, right| left.iri() < right.iri()));
        for word in Word::ALL {
            assert_eq!(Word::from_iri(word.iri()), Some(*word));
        }
        assert_eq!(Word::from_iri("https://narsilmcp.com/ontology/v1#Calls"), None);
    }

    #[test]
    fn i3_every_word_is_in_the_published_ontology() {
        let ontology = include_str!("../../../schemas/ccg/ontology.ttl");
        let defined: BTreeSet<String> = TurtleParser::new()
            .for_slice(ontology)
            .map(|triple| triple.expect("the ontology parses").subject.to_string())
            .collect();
        let is_ours = |word: &&Word| word.iri().contains("/ontology/v1#");
        for word in Word::ALL.iter().filter(is_ours) {
            assert!(
                defined.contains(&format!("<{}>", word.iri())),
                "{word:?} is not defined"
            );
        }
    }

    #[test]
    fn lw_methods_and_constructors_are_functions_too() {
        for kind in [SymbolKind::Method, SymbolKind::Constructor] {
            let classes = Word::classes(kind);
            assert!(classes.contains(&Word::MethodClass) && classes.contains(&Word::FunctionClass));
        }
        for kind in SymbolKind::ALL {
            assert!(Word::classes(*kind).is_sorted(), "{kind} is written in order");
        }
    }
}
