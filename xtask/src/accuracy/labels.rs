//! Labelled calls: `labelled/<package>.calls` in the folder of a language.
//!
//! ```text
//! # Remarks begin with a number sign, at any indent.
//! package pip:requests@2.32.3
//! without tests docs
//! src/requests/sessions.py:123<tab>the line, trimmed
//!   -> requests.sessions.Session.get
//!   -> requests.sessions.Derived.get (dispatch)
//!   external urllib3.util.parse_url
//!   builtin len
//!   unknown what is handed over by users
//! ```
//!
//! `package` says where it comes from, as a sheet does, and `without` which files and directories of it are left out, by name. Under a line stands
//! everything that it calls. A call is demanded unless words in brackets follow: `dispatch` for what only an overriding class does, `declared` for
//! a method without a body, `handed over` for a callback that another package may or may not call.

use std::collections::BTreeSet;

use crate::Outcome;
use crate::corpora::Package;

/// What follows a call that is allowed, and not demanded.
const ALLOWED: &[&str] = &["(dispatch)", "(declared)", "(handed over)"];
const LAMBDA: &str = "<lambda";

/// The labels of one package.
pub(super) struct Labels {
    pub(super) package: Package,
    /// Names of files and directories that are left out.
    pub(super) without: Vec<String>,
    pub(super) sites: Vec<Site>,
}

/// A line, and what it calls.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct Site {
    pub(super) path: String,
    pub(super) line: usize,
    /// What the line reads.
    pub(super) text: String,
    /// What has to be found.
    pub(super) demanded: BTreeSet<String>,
    /// What may be found.
    pub(super) allowed: BTreeSet<String>,
    /// What the package does not define.
    pub(super) outside: Vec<String>,
}

impl Labels {
    /// Reads labels; an error names the line.
    pub(super) fn parse(text: &str) -> Outcome<Self> {
        let (mut package, mut without, mut sites) = (None, Vec::new(), Vec::<Site>::new());
        for (number, line) in text.lines().enumerate() {
            let bad = |message: &str| format!("line {}: {message}", number + 1);
            let words = line.trim();
            if words.is_empty() || words.starts_with('#') {
                continue;
            }
            if line.starts_with(' ') {
                let site = sites
                    .last_mut()
                    .ok_or_else(|| bad("there is no line above that calls"))?;
                site.entry(words).map_err(|message| bad(&message))?;
            } else if let Some((place, text)) = line.split_once('\t') {
                sites.push(Site::new(place, text).ok_or_else(|| bad("write `path:line`, a tab and the line"))?);
            } else if let Some(name) = line.strip_prefix("package ") {
                package = Some(Package::try_from(name.to_owned()).map_err(|message| bad(&message))?);
            } else if let Some(names) = line.strip_prefix("without ") {
                without = names.split_whitespace().map(str::to_owned).collect();
            } else {
                return Err(bad("neither a header nor a line that calls"));
            }
        }
        Ok(Self {
            package: package.ok_or("no `package` is named")?,
            without,
            sites,
        })
    }
}

impl Site {
    fn new(place: &str, text: &str) -> Option<Self> {
        let (path, line) = place.rsplit_once(':')?;
        Some(Self {
            path: path.to_owned(),
            line: line.parse().ok()?,
            text: text.trim().to_owned(),
            ..Self::default()
        })
    }

    /// Where it stands.
    pub(super) fn place(&self) -> String {
        format!("{}:{}", self.path, self.line)
    }

    fn entry(&mut self, words: &str) -> Outcome<()> {
        let (kind, rest) = words.split_once(' ').unwrap_or((words, ""));
        match kind {
            "->" => {
                let (name, remark) = rest.split_once(' ').unwrap_or((rest, ""));
                let names = match remark {
                    "" => &mut self.demanded,
                    remark if ALLOWED.contains(&remark) => &mut self.allowed,
                    remark => return Err(format!("`{remark}` is none of {}", ALLOWED.join(", "))),
                };
                names.insert(unnumbered(name));
            }
            "external" | "builtin" => self.outside.push(rest.to_owned()),
            "unknown" => {}
            kind => return Err(format!("`{kind}` is none of ->, external, builtin, unknown")),
        }
        Ok(())
    }
}

/// A name without the numbers of its anonymous functions, which labels leave out.
pub(super) fn unnumbered(name: &str) -> String {
    let mut parts = name.split(LAMBDA);
    let mut plain = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        plain.push_str(LAMBDA);
        plain.push_str(part.trim_start_matches(|digit: char| digit.is_ascii_digit()));
    }
    plain
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_say_what_lines_call() {
        let text = "# A remark.\npackage pip:a@1.0\nwithout tests docs\n\na/b.py:12\tf(len(x))\n  -> a.b.f\n  # Why.\n  \
                    -> a.b.C.f (dispatch)\n  -> a.b.<lambda3>.<lambda> (handed over)\n  builtin len\n  external os.path.join\n  \
                    unknown user callback\n";
        let labels = Labels::parse(text).expect("labels");
        assert_eq!(labels.without, ["tests", "docs"]);
        let names = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect::<BTreeSet<_>>();
        let site = Site {
            path: "a/b.py".to_owned(),
            line: 12,
            text: "f(len(x))".to_owned(),
            demanded: names(&["a.b.f"]),
            allowed: names(&["a.b.C.f", "a.b.<lambda>.<lambda>"]),
            outside: vec!["len".to_owned(), "os.path.join".to_owned()],
        };
        assert_eq!(labels.sites, [site]);
    }

    #[test]
    fn what_is_wrong_is_said() {
        for (text, part) in [
            ("a.py:1\tf()\n", "no `package`"),
            ("package pip:a\n", "line 1: `pip:a` is no package"),
            ("package pip:a@1\n  -> f\n", "line 2: there is no line"),
            ("package pip:a@1\na.py:x\tf()\n", "line 2: write"),
            ("package pip:a@1\na.py:1\tf()\n  -> f (maybe)\n", "line 3: `(maybe)`"),
            ("package pip:a@1\na.py:1\tf()\n  calls f\n", "line 3: `calls`"),
            ("package pip:a@1\na.py:1 f()\n", "line 2: neither"),
        ] {
            let error = Labels::parse(text).err().unwrap_or_default();
            assert!(error.contains(part), "{text}: {error}");
        }
    }
}
