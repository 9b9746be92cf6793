//! `CREATE` statements: what they create, the members it has, where they end, and how many ways lead through a routine.

use super::scan::{Kind, Token, Tokens};

/// What a statement creates.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Object {
    Table,
    View,
    /// A function, procedure, aggregate, trigger or event.
    Routine,
    Trigger,
    Index,
    /// A schema or database.
    Schema,
    Sequence,
    Domain,
    Type,
    Package,
}

/// The beginning of a statement, up to the name.
#[derive(Clone, Copy, Debug)]
pub(super) struct Head {
    pub(super) object: Object,
    pub(super) name: Token,
    /// The number of the first token of the name, with what qualifies it.
    path: usize,
    /// The number of the token after the name.
    pub(super) after: usize,
}

/// A column, attribute or value.
pub(super) struct Member {
    /// The bracket or comma before it.
    pub(super) separator: usize,
    pub(super) name: Token,
    /// Where it ends.
    pub(super) end: usize,
}

/// Words between `CREATE` and what is created.
const MODIFIERS: &[&str] = &[
    "temp",
    "temporary",
    "global",
    "local",
    "unlogged",
    "external",
    "foreign",
    "virtual",
    "transient",
    "unique",
    "fulltext",
    "spatial",
    "clustered",
    "nonclustered",
    "columnstore",
    "bitmap",
    "materialized",
    "recursive",
    "force",
    "noforce",
    "no",
    "editionable",
    "noneditionable",
    "constraint",
    "secure",
    "private",
];

/// The most tokens before a name.
const LONGEST_HEAD: usize = 40;

/// Reads the beginning of the statement that the token with a number begins; the tokens hold no comments.
pub(super) fn head(source: &str, tokens: &[Token], number: usize) -> Option<Head> {
    let is = |at: usize, word: &str| tokens.get(at).is_some_and(|token| token.is(source, word));
    if !is(number, "create") {
        return None;
    }
    let mut at = number + 1;
    let object = loop {
        let token = tokens.get(at).filter(|_| at < number + LONGEST_HEAD)?;
        if token.is(source, "or") {
            at += 2;
        } else if token.is(source, "definer") {
            at = after_definer(source, tokens, at)?;
        } else if token.is(source, "algorithm") || (token.is(source, "sql") && is(at + 1, "security")) {
            at += 3;
        } else if token.is_any(source, MODIFIERS) || (token.is(source, "event") && is(at + 1, "trigger")) {
            at += 1;
        } else {
            break object(source, *token)?;
        }
    };
    at += 1;
    match object {
        // What implements a type was declared elsewhere.
        Object::Type if is(at, "body") => return None,
        Object::Package if is(at, "body") => at += 1,
        Object::Schema if is(at, "authorization") || is(at, "link") => return None,
        // MySQL declares functions that another program holds as `AGGREGATE FUNCTION`.
        Object::Routine if is(at, "function") => at += 1,
        Object::Index if is(at, "concurrently") => at += 1,
        _ => {}
    }
    if is(at, "if") && is(at + 1, "not") && is(at + 2, "exists") {
        at += 3;
    }
    let path = at;
    let mut name = *tokens.get(at).filter(|token| is_name(source, token))?;
    at += 1;
    while tokens.get(at).is_some_and(|token| token.is_sign(source, ".")) {
        // Between two dots, a name is left to the default.
        at += 1;
        if let Some(next) = tokens
            .get(at)
            .filter(|token| matches!(token.kind, Kind::Word | Kind::Quoted))
        {
            name = *next;
            at += 1;
        }
    }
    (!name.text(source).contains('\n')).then_some(Head {
        object,
        name,
        path,
        after: at,
    })
}

impl Head {
    /// The names that qualify the name, without quotes.
    pub(super) fn owner(&self, source: &str, tokens: &[Token]) -> String {
        let path = tokens.get(self.path..self.after).unwrap_or_default();
        let names: Vec<&str> = path
            .iter()
            .filter(|token| token.kind != Kind::Sign && token.start < self.name.start)
            .map(|token| unquoted(token.text(source)))
            .collect();
        names.join(".")
    }
}

/// A name without its quotes.
pub(super) fn unquoted(name: &str) -> &str {
    [("\"", "\""), ("`", "`"), ("[", "]"), ("'", "'")]
        .iter()
        .find_map(|(open, close)| name.strip_prefix(open)?.strip_suffix(close))
        .unwrap_or(name)
}

fn is_name(source: &str, token: &Token) -> bool {
    match token.kind {
        Kind::Quoted => true,
        Kind::Word => !token.is_any(source, &["on", "as", "is", "for", "using", "if", "create"]),
        _ => false,
    }
}

fn object(source: &str, token: Token) -> Option<Object> {
    let word = token.text(source).to_ascii_lowercase();
    Some(match word.as_str() {
        "table" => Object::Table,
        "view" => Object::View,
        "function" | "procedure" | "proc" | "aggregate" | "event" => Object::Routine,
        "trigger" => Object::Trigger,
        "index" => Object::Index,
        "schema" | "database" => Object::Schema,
        "sequence" => Object::Sequence,
        "domain" => Object::Domain,
        "type" => Object::Type,
        "package" => Object::Package,
        _ => return None,
    })
}

/// `DEFINER = user@host`, where each of the two may be in quotes.
fn after_definer(source: &str, tokens: &[Token], definer: usize) -> Option<usize> {
    let mut at = definer + 2;
    let user = tokens.get(at)?;
    at += 1;
    if user.is(source, "current_user") {
        while tokens.get(at).is_some_and(|token| token.kind == Kind::Sign) {
            at += 1;
        }
    } else if tokens
        .get(at)
        .is_some_and(|token| token.kind == Kind::Word && token.text(source).starts_with('@'))
    {
        let is_bare = tokens.get(at).is_some_and(|token| token.text(source) == "@");
        at += 1 + usize::from(is_bare);
    }
    Some(at)
}

/// The number of the token that ends a statement, or begins the next one.
pub(super) fn end(source: &str, tokens: &[Token], head: &Head) -> usize {
    let mut body = Body::of(head.object);
    let mut depth = 0usize;
    for (at, token) in tokens.iter().enumerate().skip(head.after) {
        match token.kind {
            Kind::Batch | Kind::Command => return at,
            Kind::End if !body.goes_on() => return at,
            Kind::End if token.text(source) != ";" => return at,
            Kind::Sign if token.text(source) == "(" => depth += 1,
            Kind::Sign if token.text(source) == ")" => depth = depth.saturating_sub(1),
            Kind::Word if token.begins_line && begins_anew(source, tokens, at, &body, depth) => return at,
            Kind::Word if depth == 0 || body.depth > 0 => body.word(source, tokens, at),
            _ => {}
        }
    }
    tokens.len()
}

/// Whether a `CREATE` at the beginning of a line ends a statement that nothing else ended.
fn begins_anew(source: &str, tokens: &[Token], at: usize, body: &Body, depth: usize) -> bool {
    let (Some(next), Some(token)) = (head(source, tokens, at), tokens.get(at)) else {
        return false;
    };
    let at_margin = token
        .start
        .checked_sub(1)
        .is_none_or(|before| source.as_bytes().get(before) == Some(&b'\n'));
    match (body.goes_on(), next.object) {
        (false, _) => depth == 0 || at_margin,
        // A routine may create tables that last as long as it runs.
        (true, Object::Routine | Object::Trigger | Object::View | Object::Package) => at_margin,
        (true, _) => false,
    }
}

/// What is known of a routine's body while its end is looked for.
struct Body {
    object: Object,
    /// Blocks that are open.
    depth: usize,
    /// Whether it began without a block, so that a semicolon does not end it.
    open: bool,
}

impl Body {
    fn of(object: Object) -> Self {
        Self {
            object,
            depth: 0,
            open: false,
        }
    }

    fn goes_on(&self) -> bool {
        self.depth > 0 || self.open
    }

    fn word(&mut self, source: &str, tokens: &[Token], at: usize) {
        if !matches!(self.object, Object::Routine | Object::Trigger | Object::Package) {
            return;
        }
        let Some(token) = tokens.get(at) else { return };
        let is_before = |words: &[&str]| tokens.get(at + 1).is_some_and(|next| next.is_any(source, words));
        let before = at.checked_sub(1).and_then(|before| tokens.get(before));
        let is_after = |words: &[&str]| before.is_some_and(|before| before.is_any(source, words));
        if token.is(source, "begin") {
            let is_transaction = is_before(&["tran", "transaction", "work", "distributed"])
                || tokens.get(at + 1).is_some_and(|next| next.kind == Kind::End);
            self.depth += usize::from(!is_transaction);
        } else if token.is(source, "case") && !is_after(&["end"]) {
            self.depth += 1;
        } else if token.is(source, "end") && !is_before(&["if", "loop", "while", "repeat", "for", "conversation"]) {
            self.depth = self.depth.saturating_sub(1);
            // The end of the outermost block ends a body that began with declarations.
            self.open &= self.depth > 0;
        } else if token.is_any(source, &["as", "is"]) && self.depth == 0 && !self.open {
            let next = tokens.get(at + 1);
            let has_words = next.is_some_and(|next| next.kind == Kind::Word);
            let begins = match self.object {
                Object::Package => {
                    self.depth += 1;
                    return;
                }
                // A trigger also renames rows and tables: `REFERENCING NEW TABLE AS n`.
                Object::Trigger => is_before(&[
                    "select", "set", "declare", "if", "insert", "update", "delete", "exec", "execute", "print", "with",
                    "merge",
                ]),
                _ => !is_before(&["begin", "return", "external", "language", "native"]),
            };
            // `@parameter AS type` and `EXECUTE AS owner` come before the body.
            let is_body =
                !is_after(&["execute", "exec"]) && !before.is_some_and(|before| before.text(source).starts_with('@'));
            self.open = has_words && begins && is_body;
        }
    }
}

/// The members that a statement lists, of the tokens up to its end.
pub(super) fn members(source: &str, tokens: &[Token], head: &Head) -> Vec<Member> {
    let is = |at: usize, word: &str| tokens.get(at).is_some_and(|token| token.is(source, word));
    let open = match head.object {
        Object::Table if is(head.after, "using") => head.after + 2,
        Object::Table => head.after,
        Object::Type if is(head.after, "as") || is(head.after, "is") || is(head.after, "under") => {
            let named = tokens.get(head.after + 1).is_some_and(|token| token.kind == Kind::Word);
            head.after + 1 + usize::from(named)
        }
        _ => return Vec::new(),
    };
    let is_enum = is(open.saturating_sub(1), "enum");
    if is(open.saturating_sub(1), "range") || !tokens.get(open).is_some_and(|token| token.is_sign(source, "(")) {
        return Vec::new();
    }
    let is_virtual = is(head.after, "using");
    let mut members = Vec::new();
    let mut depth = 1usize;
    let mut separator = open;
    let last = tokens.len();
    for at in open + 1..=last {
        let token = tokens.get(at);
        match token.map(|token| (token.kind, token.text(source))) {
            Some((Kind::Sign, "(" | "[")) => depth += 1,
            Some((Kind::Sign, ")" | "]")) => depth -= 1,
            _ => {}
        }
        // A list that nothing ends goes on to the end of the statement.
        let is_end = depth == 0 || at == last;
        if is_end || (depth == 1 && token.is_some_and(|token| token.is_sign(source, ","))) {
            let item = tokens.get(separator + 1..at).unwrap_or_default();
            if let (Some(first), Some(last), Some(separator)) = (item.first(), item.last(), tokens.get(separator))
                && is_member(source, item, is_enum)
                && !(is_virtual && item.iter().any(|token| token.is_sign(source, "=")))
                && !first.text(source).contains('\n')
            {
                members.push(Member {
                    separator: separator.start,
                    name: *first,
                    end: last.end,
                });
            }
            separator = at;
        }
        if is_end {
            break;
        }
    }
    members
}

/// Whether an item in brackets is a member, and not a constraint or another item.
fn is_member(source: &str, item: &[Token], is_enum: bool) -> bool {
    let Some(first) = item.first() else { return false };
    if is_enum {
        return first.kind == Kind::Text;
    }
    let second = item.get(1);
    let is_second = |words: &[&str]| second.is_some_and(|second| second.is_any(source, words));
    match first.kind {
        Kind::Quoted => true,
        // Also the name of a column, where a type follows.
        Kind::Word if first.is_any(source, &["key", "index", "period", "check", "like"]) => is_second(TYPES),
        Kind::Word => {
            !first.is_any(
                source,
                &[
                    "primary",
                    "constraint",
                    "unique",
                    "foreign",
                    "exclude",
                    "fulltext",
                    "spatial",
                    "member",
                    "static",
                    "constructor",
                    "map",
                    "order",
                ],
            ) || is_second(TYPES)
        }
        _ => false,
    }
}

/// Types that distinguish a column from a constraint.
const TYPES: &[&str] = &[
    "text",
    "varchar",
    "varchar2",
    "nvarchar",
    "nvarchar2",
    "char",
    "character",
    "nchar",
    "int",
    "integer",
    "bigint",
    "smallint",
    "tinyint",
    "serial",
    "bigserial",
    "numeric",
    "decimal",
    "number",
    "real",
    "double",
    "float",
    "boolean",
    "bool",
    "bytea",
    "blob",
    "clob",
    "binary",
    "varbinary",
    "date",
    "timestamp",
    "timestamptz",
    "datetime",
    "time",
    "json",
    "jsonb",
    "uuid",
    "xml",
];

/// Words before which `IF EXISTS` asks for an object and decides nothing.
const OBJECTS: &[&str] = &[
    "table",
    "view",
    "index",
    "function",
    "procedure",
    "proc",
    "trigger",
    "schema",
    "sequence",
    "type",
    "database",
    "column",
    "constraint",
    "extension",
    "role",
    "user",
    "domain",
    "only",
    "concurrently",
];

/// The ways through a routine besides the first, from the text of its statement.
pub(super) fn decisions(source: &str, start: usize, end: usize) -> u32 {
    let significant = |token: &Token| !matches!(token.kind, Kind::Comment | Kind::Hash);
    let tokens: Vec<Token> = Tokens::between(source, start, end).filter(significant).collect();
    let language = tokens
        .iter()
        .position(|token| token.is(source, "language"))
        .and_then(|at| tokens.get(at + 1))
        .map_or("sql", |token| unquoted(token.text(source)));
    if !["sql", "plpgsql"]
        .iter()
        .any(|known| language.eq_ignore_ascii_case(known))
    {
        return 0;
    }
    let mut count = count_decisions(source, &tokens);
    for body in tokens
        .iter()
        .filter(|token| matches!(token.kind, Kind::Dollar | Kind::Text))
    {
        let inside = body.inside(source);
        let inside: Vec<Token> = Tokens::between(source, inside.start, inside.end)
            .filter(significant)
            .collect();
        // A short text is a value or the name of a library.
        if body.kind == Kind::Dollar || inside.len() > 3 {
            count += count_decisions(source, &inside);
        }
    }
    count
}

fn count_decisions(source: &str, tokens: &[Token]) -> u32 {
    let mut count = 0;
    let mut in_between = false;
    let mut in_while = false;
    for (at, token) in tokens.iter().enumerate() {
        if token.kind != Kind::Word {
            in_while &= token.kind != Kind::End;
            continue;
        }
        let before = at.checked_sub(1).and_then(|before| tokens.get(before));
        let is_after = |words: &[&str]| before.is_some_and(|before| before.is_any(source, words));
        let is_before = |words: &[&str]| tokens.get(at + 1).is_some_and(|next| next.is_any(source, words));
        if is_after(&["end"]) {
            continue;
        }
        let word = token.text(source).to_ascii_lowercase();
        count += u32::from(match word.as_str() {
            "if" => !(is_after(OBJECTS) && is_before(&["exists", "not"])),
            "elsif" | "elseif" | "when" | "until" => true,
            "catch" => is_after(&["begin"]),
            "while" => {
                in_while = true;
                true
            }
            "loop" => !std::mem::take(&mut in_while),
            "do" | "begin" => {
                in_while = false;
                false
            }
            "between" => {
                in_between = true;
                false
            }
            "and" => !std::mem::take(&mut in_between),
            "or" => !is_before(&["replace", "alter"]),
            _ => false,
        });
    }
    count
}
