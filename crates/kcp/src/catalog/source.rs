//! Where the manifest of an entry comes from (clause C3).

use std::fmt;

use crate::federation::Address;
use crate::finding::shown;

/// Where a manifest comes from.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Source {
    /// A file, from the directory of the catalog.
    Relative(String),
    /// A file, from the root of the file system.
    Absolute(String),
    /// A page.
    Web(Address),
    /// A file of a git repository.
    Git {
        /// The repository.
        repository: Address,
        /// The file in it.
        path: String,
        /// The branch, tag or commit; none is the branch that the repository itself prefers.
        reference: Option<String>,
    },
}

impl Source {
    /// What a source means, or why it means nothing.
    pub fn parse(text: &str) -> Result<Self, String> {
        if text.chars().any(char::is_control) {
            return Err("it contains a control character".to_owned());
        }
        if text.starts_with("./") || text.starts_with("../") {
            return Ok(Self::Relative(text.to_owned()));
        }
        if text.starts_with('/') && !text.starts_with("//") {
            return Ok(Self::Absolute(text.to_owned()));
        }
        if let Some(rest) = text.strip_prefix("git+https://") {
            return git(rest);
        }
        if text.starts_with("https://") {
            let address = Address::parse(text).map_err(|fault| fault.to_string())?;
            return Ok(Self::Web(address));
        }
        Err("it does not start with ./ ../ / https:// or git+https://".to_owned())
    }
}

/// `host/repository.git//path[@ref]`, without its scheme.
fn git(rest: &str) -> Result<Source, String> {
    const FORM: &str = "it is not git+https://HOST/REPOSITORY.git//PATH[@REF]";
    let Some(end) = rest.find(".git//").map(|at| at + ".git".len()) else {
        return Err(FORM.to_owned());
    };
    let (repository, file) = rest.split_at(end);
    let file = file.strip_prefix("//").ok_or(FORM)?;
    let (path, reference) = match file.split_once('@') {
        Some((path, reference)) => (path, Some(reference)),
        None => (file, None),
    };
    let is_path = !path.is_empty()
        && path
            .bytes()
            .all(|byte| byte.is_ascii_alphanumeric() || b"/_.-".contains(&byte))
        && crate::path::check(path) == Ok(None);
    if !is_path {
        return Err(format!("`{}` is not a path in a repository", shown(path)));
    }
    let is_reference = |reference: &str| {
        !reference.is_empty()
            && !reference.starts_with('-')
            && !reference.contains("..")
            && reference
                .bytes()
                .all(|byte| byte.is_ascii_alphanumeric() || b"/_.-@+".contains(&byte))
    };
    if let Some(reference) = reference.filter(|reference| !is_reference(reference)) {
        return Err(format!("`{}` is not a branch, tag or commit", shown(reference)));
    }
    let repository = Address::parse(&format!("https://{repository}"))
        .map_err(|fault| format!("its repository {}", fault.reason()))?;
    Ok(Source::Git {
        repository,
        path: path.to_owned(),
        reference: reference.map(str::to_owned),
    })
}

impl fmt::Display for Source {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Relative(path) | Self::Absolute(path) => formatter.write_str(path),
            Self::Web(address) => write!(formatter, "{address}"),
            Self::Git {
                repository,
                path,
                reference,
            } => {
                write!(formatter, "git+{repository}//{path}")?;
                reference
                    .iter()
                    .try_for_each(|reference| write!(formatter, "@{reference}"))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn c3_sources_are_files_pages_or_files_of_repositories() {
        for text in [
            "./a.yaml",
            "../other/a.yaml",
            "/srv/a.yaml",
            "https://docs.example/knowledge.yaml",
            "git+https://github.example/org/repo.git//docs/knowledge.yaml",
            "git+https://github.example/org/repo.git//knowledge.yaml@v1.0.0",
            "git+https://github.example/org/repo.git//knowledge.yaml@feature/a",
        ] {
            assert_eq!(
                Source::parse(text).map(|source| source.to_string()),
                Ok(text.to_owned())
            );
        }
        let Ok(Source::Git { path, reference, .. }) = Source::parse("git+https://h/r.git//a/b.yaml@x@y") else {
            panic!("it is one");
        };
        assert_eq!((path.as_str(), reference.as_deref()), ("a/b.yaml", Some("x@y")));
    }

    #[test]
    fn c3_everything_else_is_an_error() {
        for text in [
            "a/b.yaml",
            "knowledge.yaml",
            "",
            "http://docs.example/k.yaml",
            "file:///etc/passwd",
            "ssh://git@h/r.git//k.yaml",
            "git+http://h/r.git//k.yaml",
            "git+ssh://h/r.git//k.yaml",
            "git+https://h/r//k.yaml",
            "git+https://h/r.git/k.yaml",
            "git+https://h/r.git//../k.yaml",
            "git+https://h/r.git///k.yaml",
            "git+https://h/r.git//k.yaml@",
            "git+https://h/r.git//k.yaml@-x",
            "git+https://h/r.git//k yaml",
            "git+https://me:pw@h/r.git//k.yaml",
            "https://me:pw@docs.example/k.yaml",
            "//host/k.yaml",
            "\\\\host\\k.yaml",
            "C:\\k.yaml",
            "./a\nb",
        ] {
            assert!(Source::parse(text).is_err(), "{text}");
        }
    }
}
