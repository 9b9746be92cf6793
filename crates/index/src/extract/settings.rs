//! Environment variables and configuration keys that a file reads or sets under a literal name.
//!
//! A setting has no definition, so its name is all that uses in different files share. The scan looks at the text before each
//! quotation mark: a call or an element access of something that holds settings. Names that are computed are not found.

use foldhash::HashMap;

use lore_model::{
    CONFIGURATION_KEY as CONFIGURATION, Definition, ENVIRONMENT_VARIABLE as ENVIRONMENT, FileFacts, NONE, Text, Use,
    UseKind,
};

use crate::syntax::Tree;

/// The maximum number of uses of settings in one file.
const MAX_USES: usize = 10_000;
/// The maximum length of a name.
const MAX_NAME: usize = 120;
/// Definitions before a use that are looked at for the one around it.
const MAX_NEAR: usize = 256;
/// The maximum length of the expression before a name.
const MAX_PATH: usize = 120;

/// What an expression does with the setting whose name follows.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Access {
    Read,
    Write,
}

/// Functions that take the name of an environment variable, by their last names.
const FUNCTIONS: &[(&str, Access)] = &[
    ("Environment.GetEnvironmentVariable", Access::Read),
    ("Environment.SetEnvironmentVariable", Access::Write),
    ("ENV.fetch", Access::Read),
    ("ENV.key?", Access::Read),
    ("Platform.environment", Access::Read),
    ("String.fromEnvironment", Access::Read),
    ("System.fetch_env!", Access::Read),
    ("System.get_env", Access::Read),
    ("System.getenv", Access::Read),
    ("System.put_env", Access::Write),
    ("Sys.getenv", Access::Read),
    ("env!", Access::Read),
    ("env.get", Access::Read),
    ("env::remove_var", Access::Write),
    ("env::set_var", Access::Write),
    ("env::var", Access::Read),
    ("env::var_os", Access::Read),
    ("environ.get", Access::Read),
    ("environ.pop", Access::Write),
    ("environ.setdefault", Access::Write),
    ("getenv", Access::Read),
    ("monkeypatch.delenv", Access::Write),
    ("monkeypatch.setenv", Access::Write),
    ("option_env!", Access::Read),
    ("os.Getenv", Access::Read),
    ("os.LookupEnv", Access::Read),
    ("os.Setenv", Access::Write),
    ("os.Unsetenv", Access::Write),
    ("putenv", Access::Write),
    ("secure_getenv", Access::Read),
    ("setenv", Access::Write),
    ("unsetenv", Access::Write),
];

/// Containers of environment variables, which `[` accesses.
const CONTAINERS: &[&str] = &[
    "os.environ",
    "environ",
    "ENV",
    "$_ENV",
    "process.env",
    "import.meta.env",
    "Bun.env",
    "environment",
];

/// Prefixes of member accesses that name an environment variable.
const MEMBERS: &[&str] = &["process.env.", "import.meta.env."];

/// Methods that read or set an entry of a configuration.
const METHODS: &[(&str, Access)] = &[
    ("GetBool", Access::Read),
    ("GetDuration", Access::Read),
    ("GetInt", Access::Read),
    ("GetSection", Access::Read),
    ("GetString", Access::Read),
    ("GetStringSlice", Access::Read),
    ("GetValue", Access::Read),
    ("Set", Access::Write),
    ("SetDefault", Access::Write),
    ("get", Access::Read),
    ("getBoolean", Access::Read),
    ("getInt", Access::Read),
    ("getLong", Access::Read),
    ("getOrDefault", Access::Read),
    ("getProperty", Access::Read),
    ("getString", Access::Read),
    ("get_bool", Access::Read),
    ("get_int", Access::Read),
    ("get_string", Access::Read),
    ("pop", Access::Write),
    ("put", Access::Write),
    ("set", Access::Write),
    ("setProperty", Access::Write),
    ("setdefault", Access::Write),
];

/// The last words of names that hold a configuration.
const HOLDERS: &[&str] = &["config", "configuration", "settings", "viper", "properties"];

/// A use of a setting: where it is, its kind, the prefix and the name.
struct Found<'s> {
    at: usize,
    kind: u8,
    prefix: &'static str,
    name: &'s str,
}

/// Adds the uses of settings in a source to its facts.
pub(super) fn note(source: &str, trees: &[Tree], facts: &mut FileFacts) {
    let mut found: Vec<Found<'_>> = Vec::new();
    let bytes = source.as_bytes();
    // Servers pass an environment of their own under the same name.
    let imports_environ = source.contains("import environ");
    for quote in memchr::memchr3_iter(b'"', b'\'', b'`', bytes) {
        found.extend(before_quote(source, quote, imports_environ));
        if found.len() >= MAX_USES {
            break;
        }
    }
    for prefix in MEMBERS {
        for at in memchr::memmem::find_iter(bytes, prefix.as_bytes()).take(MAX_USES) {
            found.extend(member(source, at, prefix));
        }
    }
    if found.is_empty() {
        return;
    }
    found.sort_by_key(|found| found.at);
    let leaves: Vec<(usize, usize)> = trees.iter().flat_map(Tree::text_leaves).collect();
    let mut names: HashMap<(&str, &str), Text> = HashMap::default();
    let mut line = Lines::default();
    for Found { at, kind, prefix, name } in found {
        let before = leaves.partition_point(|(start, _)| *start <= at);
        if before.checked_sub(1).is_some_and(|leaf| at < leaves[leaf].1) {
            continue;
        }
        let text = &mut facts.text;
        let path = *names
            .entry((prefix, name))
            .or_insert_with(|| text.push(&format!("{prefix}{name}")));
        facts.uses.push(Use {
            path,
            scope: scope_at(facts, at).into(),
            line: line.of(bytes, at).into(),
            kind,
        });
    }
}

/// The line of positions that grow.
#[derive(Default)]
struct Lines {
    at: usize,
    breaks: u32,
}

impl Lines {
    fn of(&mut self, bytes: &[u8], at: usize) -> u32 {
        self.breaks += memchr::memchr_iter(b'\n', &bytes[self.at..at]).count() as u32;
        self.at = at;
        self.breaks + 1
    }
}

/// The innermost function or type around a position.
fn scope_at(facts: &FileFacts, at: usize) -> u32 {
    let rows = &facts.definitions;
    let after = rows.partition_point(|row| row.place.start_byte.get() as usize <= at);
    let is_around = |row: &Definition| {
        (row.kind().is_callable() || row.kind().is_type()) && (row.place.end_byte.get() as usize) > at
    };
    // What begins last is innermost. Fields can belong to a type outside of the function that they are in.
    let near = after.saturating_sub(MAX_NEAR)..after;
    if let Some(number) = near.rev().find(|number| is_around(&rows[*number])) {
        return number as u32;
    }
    let mut around = after.checked_sub(1);
    while let Some(row) = around.and_then(|number| rows.get(number)) {
        if is_around(row) {
            return around.map_or(NONE, |number| number as u32);
        }
        around = row.parent();
    }
    NONE
}

/// The setting whose name begins at a quotation mark.
fn before_quote(source: &str, quote: usize, imports_environ: bool) -> Option<Found<'_>> {
    let bytes = source.as_bytes();
    let mark = bytes[quote];
    // Only the beginning of a name is behind a bracket; a letter before it is the prefix of a literal.
    let mut open = quote;
    while open > 0 && bytes[open - 1].is_ascii_alphabetic() && quote - open < 2 {
        open -= 1;
    }
    while open > 0 && bytes[open - 1].is_ascii_whitespace() && quote - open < MAX_PATH {
        open -= 1;
    }
    let end = quote + 1 + memchr::memchr(mark, bytes.get(quote + 1..(quote + 2 + MAX_NAME).min(bytes.len()))?)?;
    let name = source.get(quote + 1..end)?;
    if !is_name(name) {
        return None;
    }
    if is_looked_for(source.get(end + 1..)?) {
        return Some(Found {
            // The literal itself is a text, what is before it is not.
            at: quote.saturating_sub(1),
            kind: UseKind::READ_SETTING,
            prefix: ENVIRONMENT,
            name,
        });
    }
    let bracket = *bytes.get(open.checked_sub(1)?)?;
    if !matches!(bracket, b'(' | b'[') {
        return None;
    }
    let end_of_path = bytes[..open - 1].iter().rposition(|byte| !byte.is_ascii_whitespace())? + 1;
    let is_path = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'$' | b'.' | b':' | b'!' | b'?');
    let from = end_of_path.saturating_sub(MAX_PATH);
    let start = bytes[from..end_of_path]
        .iter()
        .rposition(|byte| !is_path(byte))
        .map_or(from, |at| from + at + 1);
    let path = source.get(start..end_of_path)?.trim_end_matches('?');
    if path.starts_with("environ") && !imports_environ {
        return None;
    }
    let (prefix, access) = if bracket == b'(' {
        called(path)?
    } else {
        (indexed(path)?, Access::Read)
    };
    let access = if bracket == b'[' && is_assigned(&bytes[end + 1..]) {
        Access::Write
    } else {
        access
    };
    Some(Found {
        at: start,
        kind: match access {
            Access::Read => UseKind::READ_SETTING,
            Access::Write => UseKind::WRITE_SETTING,
        },
        prefix,
        name,
    })
}

/// The kind of setting that a function takes the name of.
fn called(path: &str) -> Option<(&'static str, Access)> {
    let function = FUNCTIONS.iter().find(|(function, _)| ends_with_path(path, function));
    if let Some((_, access)) = function {
        return Some((ENVIRONMENT, *access));
    }
    let (holder, method) = path.rsplit_once(['.', ':'])?;
    let access = METHODS.iter().find(|(name, _)| *name == method)?.1;
    holds_configuration(holder).then_some((CONFIGURATION, access))
}

/// The kind of setting that a container holds.
fn indexed(path: &str) -> Option<&'static str> {
    if CONTAINERS.iter().any(|container| ends_with_path(path, container)) {
        return Some(ENVIRONMENT);
    }
    holds_configuration(path).then_some(CONFIGURATION)
}

/// Whether the last name of a path is that of a configuration.
fn holds_configuration(path: &str) -> bool {
    let last = path.rsplit(['.', ':']).next().unwrap_or(path);
    HOLDERS.iter().any(|holder| {
        let Some(start) = last.len().checked_sub(holder.len()) else {
            return false;
        };
        let Some((before, end)) = last.split_at_checked(start) else {
            return false;
        };
        // `config`, `app_config` and `appConfig`, but not `reconfig`.
        let is_word =
            before.is_empty() || before.ends_with('_') || end.starts_with(|letter: char| letter.is_uppercase());
        is_word && end.eq_ignore_ascii_case(holder)
    })
}

/// Whether a path is another one, or ends with it behind a separator.
fn ends_with_path(path: &str, end: &str) -> bool {
    path.strip_suffix(end)
        .is_some_and(|before| before.is_empty() || before.ends_with(['.', ':']))
}

/// Whether the text behind a key closes the bracket and assigns.
fn is_assigned(rest: &[u8]) -> bool {
    let mut rest = rest.iter().filter(|byte| !matches!(byte, b' ' | b'\t'));
    rest.next() == Some(&b']') && rest.next() == Some(&b'=') && !matches!(rest.next(), Some(b'=' | b'~' | b'>'))
}

/// Whether the text behind a literal looks it up in the environment: `"NAME" in os.environ`.
fn is_looked_for(rest: &str) -> bool {
    let rest = rest.strip_prefix(' ').unwrap_or("");
    let rest = rest.strip_prefix("not ").unwrap_or(rest);
    rest.strip_prefix("in os.environ")
        .is_some_and(|rest| !rest.starts_with(['.', '[']))
}

/// The environment variable that a member access names.
fn member<'s>(source: &'s str, at: usize, prefix: &str) -> Option<Found<'s>> {
    let rest = source.get(at + prefix.len()..)?;
    let end = rest
        .find(|letter: char| !letter.is_ascii_alphanumeric() && letter != '_')
        .unwrap_or(rest.len());
    let name = rest.get(..end.min(MAX_NAME))?;
    let mut behind = rest.as_bytes()[end..]
        .iter()
        .filter(|byte| !matches!(byte, b' ' | b'\t'));
    let is_write = behind.next() == Some(&b'=') && !matches!(behind.next(), Some(b'=' | b'>'));
    let is_variable = !name.is_empty() && !name.starts_with(|letter: char| letter.is_ascii_lowercase());
    is_variable.then_some(Found {
        at,
        kind: if is_write {
            UseKind::WRITE_SETTING
        } else {
            UseKind::READ_SETTING
        },
        prefix: ENVIRONMENT,
        name,
    })
}

/// Whether a literal can be the name of a setting.
fn is_name(name: &str) -> bool {
    let is_letter = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'.' | b':' | b'-');
    name.len() > 1
        && name.len() <= MAX_NAME
        && name.bytes().all(is_letter)
        && name.bytes().any(|byte| byte.is_ascii_alphabetic())
}

#[cfg(test)]
mod tests {
    use lore_model::UseKind;

    use crate::extract::extract;
    use crate::lang::LANGUAGES;
    use crate::language::Role;

    /// The uses of settings in a source, a line each.
    fn settings(language: &str, source: &str) -> String {
        let language = LANGUAGES.iter().find(|row| row.dialect == language).expect(language);
        let facts = extract(language, Role::default(), source);
        let uses = facts.uses.iter().filter(|used| UseKind::is_setting(used.kind));
        let shown = uses.map(|used| {
            let verb = if used.kind == UseKind::READ_SETTING {
                "reads"
            } else {
                "writes"
            };
            let scope = facts
                .definitions
                .get(used.scope.get() as usize)
                .map_or("module", |row| facts.text.get(row.name));
            format!("{} {scope} {verb} {}\n", used.line, facts.text.get(used.path))
        });
        shown.collect()
    }

    #[test]
    fn python_reads_and_sets_the_environment() {
        let source = "import os\nA = os.environ[\"A_1\"]\ndef f():\n    os.getenv('BB', 'x')\n    os.environ.get(\n        \"CC\")\n    \
            os.environ[\"DD\"] = \"1\"\n    if os.environ[\"EE\"] == 'x': pass\n    if \"FF\" not in os.environ: pass\n    environ['REQUEST_METHOD']\n";
        assert_eq!(
            settings("python", source),
            "2 module reads env:A_1\n4 f reads env:BB\n5 f reads env:CC\n7 f writes env:DD\n8 f reads env:EE\n9 f reads env:FF\n"
        );
    }

    #[test]
    fn configurations_have_keys() {
        let source = "def f(app, reconfig):\n    app.config[\"SECRET_KEY\"]\n    app.config['DEBUG'] = True\n    app.config.get('NAME')\n    \
            reconfig['no']\n    app.config[f'{x}']\n    settings['a.b']\n";
        assert_eq!(
            settings("python", source),
            "2 f reads config:SECRET_KEY\n3 f writes config:DEBUG\n4 f reads config:NAME\n7 f reads config:a.b\n"
        );
    }

    #[test]
    fn comments_and_texts_use_nothing() {
        let source = "# os.environ[\"AA\"]\ndef f():\n    'set os.environ[\"BB\"]'\n    return \"os.getenv('CC')\"\n";
        assert_eq!(settings("python", source), "");
    }

    #[test]
    fn other_languages_have_their_own_words() {
        let javascript = "function f() { return process.env.PORT || process.env['HOST'] }\nprocess.env.MODE = 'x';\n";
        assert_eq!(
            settings("javascript", javascript),
            "1 f reads env:PORT\n1 f reads env:HOST\n2 module writes env:MODE\n"
        );
        let go = "package p\nfunc f() { os.Getenv(\"HOME\"); os.Setenv(\"AA\", \"x\"); viper.GetString(\"db.url\") }\n";
        assert_eq!(
            settings("go", go),
            "2 f reads env:HOME\n2 f writes env:AA\n2 f reads config:db.url\n"
        );
        let rust = "fn f() { std::env::var(\"HOME\"); env!(\"CARGO_PKG\"); }\n";
        assert_eq!(settings("rust", rust), "1 f reads env:HOME\n1 f reads env:CARGO_PKG\n");
        let java = "class A { String f() { return System.getenv(\"HOME\"); } }\n";
        assert_eq!(settings("java", java), "1 f reads env:HOME\n");
        let c = "int f(void) { return getenv(\"HOME\") != 0; }\n";
        assert_eq!(settings("c", c), "1 f reads env:HOME\n");
        let ruby = "def f\n  ENV['HOME'] + ENV.fetch('PORT')\nend\n";
        assert_eq!(settings("ruby", ruby), "2 f reads env:HOME\n2 f reads env:PORT\n");
    }

    #[test]
    fn many_quotes_do_no_harm() {
        let source = format!("x = [{}]\n", "os.environ[\"AA\"],".repeat(20_000));
        assert_eq!(settings("python", &source).lines().count(), super::MAX_USES);
    }
}
