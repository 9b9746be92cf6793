//! The name of a repository, read from the address of its remote (clause Merge1).

use super::id::RepositoryName;

/// `OWNER/NAME` of an address by https, by ssh or as `user@host:path`; nothing for a path of this machine, or where there are more than two parts.
pub fn remote_name(url: &str) -> Option<RepositoryName> {
    let path = match url.split_once("://") {
        Some((scheme, rest)) => {
            if !matches!(scheme, "https" | "http" | "ssh" | "git" | "git+ssh" | "ssh+git") {
                return None;
            }
            rest.split_once('/')?.1
        }
        None => {
            let (host, path) = url.split_once(':')?;
            // A colon behind a slash belongs to a path, one behind a letter to a drive.
            if host.contains('/') || host.len() < 2 {
                return None;
            }
            path
        }
    };
    let path = path.trim_matches('/');
    RepositoryName::parse(path.strip_suffix(".git").unwrap_or(path))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn merge1_the_name_of_a_repository_is_that_of_its_remote() {
        for url in [
            "git@h:o/n.git",
            "host:o/n",
            "https://h/o/n",
            "https://user:secret@h:8443/o/n.git/",
            "ssh://git@h:22/o/n.git",
            "git://h/o/n/",
        ] {
            let name = remote_name(url);
            assert_eq!(name.as_ref().map(RepositoryName::as_str), Some("o/n"), "{url}");
        }
        for url in [
            "",
            "/srv/o/n.git",
            "../o/n",
            "file:///o/n",
            "C:/o/n",
            "https://h/g/s/n",
            "https://h/n",
            "https://h",
            "git@h:n.git",
            "./a:b/c",
            "https://h/o/n?x=1",
        ] {
            assert_eq!(remote_name(url), None, "{url}");
        }
    }
}
