//! Rules for values, as tables that are compared with a body while it is read.
//!
//! A rule covers the part of JSON Schema that the schemas in `schemas/ckgp/` use, and says what a value means: a node's id,
//! its kind, a commit. A property test compares every rule with its schema.

use lore_base::json;

/// Fields that a rule can name: a bit and a place for each is kept while an object is read.
pub const MOST_FIELDS: usize = 40;

/// Kinds of values.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Kinds(u8);

impl Kinds {
    /// Objects.
    pub const OBJECT: Self = Self(1);
    /// Lists.
    pub const ARRAY: Self = Self(2);
    /// Texts.
    pub const TEXT: Self = Self(4);
    /// Numbers, whole ones too.
    pub const NUMBER: Self = Self(8);
    /// Whole numbers.
    pub const INTEGER: Self = Self(16);
    /// True and false.
    pub const BOOL: Self = Self(32);
    /// Null.
    pub const NULL: Self = Self(64);
    /// Everything.
    pub const ANY: Self = Self(127);

    /// Whether a value of this kind may be there; of a number it may still matter whether it is whole.
    #[inline]
    pub fn has(self, kind: json::Kind) -> bool {
        let bits = match kind {
            json::Kind::Object => Self::OBJECT.0,
            json::Kind::Array => Self::ARRAY.0,
            json::Kind::Text => Self::TEXT.0,
            json::Kind::Number => Self::NUMBER.0 | Self::INTEGER.0,
            json::Kind::Bool => Self::BOOL.0,
            json::Kind::Null => Self::NULL.0,
        };
        self.0 & bits != 0
    }

    /// Whether a number has to be whole.
    pub fn is_whole(self) -> bool {
        self.0 & Self::NUMBER.0 == 0
    }

    /// What is allowed, in words.
    pub fn words(self) -> &'static str {
        match self {
            Self::OBJECT => "an object",
            Self::ARRAY => "an array",
            Self::TEXT => "a string",
            Self::NUMBER => "a number",
            Self::INTEGER => "a whole number",
            Self::BOOL => "true or false",
            Self::NULL => "null",
            _ => "a value of another kind",
        }
    }
}

/// What a text has to be.
#[derive(Clone, Copy, Debug)]
pub enum Words {
    /// Any.
    Any,
    /// One of these.
    OneOf(&'static [&'static str]),
    /// This, or this and `@` and anything.
    Tool(&'static str),
    /// An absolute address of `https`.
    Https,
}

/// What is done with a value. Where several members can say the same, the one with the lowest number counts.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Role {
    /// Nothing.
    None,
    /// The list of nodes; each is counted.
    Nodes,
    /// The list of edges; each is counted.
    Edges,
    /// The list of a bundle's files; each is counted, but the manifest says how many there are.
    Files,
    /// A node's id, which no other node may have.
    Id,
    /// A node's kind: counted, and a label.
    NodeKind(u8),
    /// A node's name: a label.
    Name(u8),
    /// The path of a bundle's file.
    Path,
    /// A text that is shown: bounded in length.
    Label,
    /// A language.
    Language,
    /// The object that says where the body comes from.
    Metadata,
    /// The commit that the body was made of.
    Commit(u8),
    /// What made the body.
    Tool,
    /// Its version.
    ToolVersion,
    /// When it was made.
    GeneratedAt,
    /// How many files there are.
    FileCount,
}

/// A member of an object.
#[derive(Debug)]
pub struct Field {
    /// Its key.
    pub name: &'static str,
    /// Whether it has to be there.
    pub is_required: bool,
    /// What it has to be.
    pub rule: &'static Rule,
    /// What is done with it.
    pub role: Role,
}

/// Fields that are required for some values of another field.
#[derive(Debug)]
pub struct Case {
    /// The text of the field that the rule's `case_of` names; none for all other texts.
    pub when: Option<&'static str>,
    /// What is required then.
    pub required: &'static [&'static str],
}

/// What a value has to be.
#[derive(Debug)]
pub struct Rule {
    /// Its kinds.
    pub kinds: Kinds,
    /// If it is a text.
    pub words: Words,
    /// If it is a number: at least this.
    pub least: Option<f64>,
    /// If it is a number: at most this.
    pub most: Option<f64>,
    /// If it is an object: members that are known. Any others may be there, and are anything (clause J2).
    pub fields: &'static [Field],
    /// If it is an object: the members that have to be there, a bit each.
    pub required: u64,
    /// If it is an object: what is required in which case of the member with the role of a node's kind.
    pub cases: &'static [Case],
    /// If it is a list: what its items are.
    pub items: &'static Rule,
    /// If it is a list: what is done with each item.
    pub item_role: Role,
}

impl Rule {
    const fn of(kinds: Kinds) -> Self {
        Self {
            kinds,
            words: Words::Any,
            least: None,
            most: None,
            fields: &[],
            required: 0,
            cases: &[],
            items: &ANY,
            item_role: Role::None,
        }
    }

    /// An object with these members.
    pub const fn object(fields: &'static [Field]) -> Self {
        assert!(fields.len() <= MOST_FIELDS, "more fields than there are bits for");
        let mut required = 0;
        let mut index = 0;
        while index < fields.len() {
            if fields[index].is_required {
                required |= 1 << index;
            }
            index += 1;
        }
        Self {
            fields,
            required,
            ..Self::of(Kinds::OBJECT)
        }
    }

    /// Anything; if it is an object, with these members.
    pub const fn object_if_any(fields: &'static [Field]) -> Self {
        Self {
            kinds: Kinds::ANY,
            ..Self::object(fields)
        }
    }

    /// The same, with cases.
    pub const fn with_cases(self, cases: &'static [Case]) -> Self {
        Self { cases, ..self }
    }

    /// A list of such items.
    pub const fn list(items: &'static Rule) -> Self {
        Self {
            items,
            ..Self::of(Kinds::ARRAY)
        }
    }

    /// Anything; if it is a list, of such items.
    pub const fn list_if_any(items: &'static Rule) -> Self {
        Self {
            items,
            ..Self::of(Kinds::ANY)
        }
    }

    /// The same, with a role for each item.
    pub const fn each(self, item_role: Role) -> Self {
        Self { item_role, ..self }
    }

    /// A text of these.
    pub const fn words(words: Words) -> Self {
        Self {
            words,
            ..Self::of(Kinds::TEXT)
        }
    }

    /// A whole number that is at least this.
    pub const fn whole(least: f64) -> Self {
        Self {
            least: Some(least),
            ..Self::of(Kinds::INTEGER)
        }
    }

    /// A number between these.
    pub const fn between(least: f64, most: f64) -> Self {
        Self {
            least: Some(least),
            most: Some(most),
            ..Self::of(Kinds::NUMBER)
        }
    }
}

/// Anything.
pub static ANY: Rule = Rule::of(Kinds::ANY);
/// Any text.
pub static TEXT: Rule = Rule::of(Kinds::TEXT);
/// True or false.
pub static BOOL: Rule = Rule::of(Kinds::BOOL);
/// Any object.
pub static OBJECT: Rule = Rule::of(Kinds::OBJECT);
/// A whole number from 0 on.
pub static COUNT: Rule = Rule::whole(0.0);
/// A whole number from 1 on.
pub static POSITIVE: Rule = Rule::whole(1.0);
/// A number from 0 to 1.
pub static SHARE: Rule = Rule::between(0.0, 1.0);
/// A list of texts.
pub static TEXTS: Rule = Rule::list(&TEXT);
/// A list of languages; any other value is ignored without an error.
pub static LANGUAGES: Rule = Rule::of(Kinds::ANY).each(Role::Language);

/// A member that has to be there.
pub const fn need(name: &'static str, rule: &'static Rule, role: Role) -> Field {
    Field {
        name,
        is_required: true,
        rule,
        role,
    }
}

/// A member that may be there.
pub const fn may(name: &'static str, rule: &'static Rule, role: Role) -> Field {
    Field {
        name,
        is_required: false,
        rule,
        role,
    }
}
