//! The HTML page of a registry: lists and searches the short list, without a build step or third-party resources (clauses A5, S9).
//!
//! The page is the same for every registry and reads its content from the documents beside it. The browser searches and
//! pages, fifty entries at a time.

/// The files of the page, with their content. The last one makes GitHub Pages serve `.well-known`.
pub const FILES: [(&str, &str); 4] = [
    ("index.html", include_str!("page/index.html")),
    ("registry.css", include_str!("page/registry.css")),
    ("registry.js", include_str!("page/registry.js")),
    (".nojekyll", ""),
];

#[cfg(test)]
mod tests {
    use super::*;

    fn file(name: &str) -> &'static str {
        FILES.iter().find(|(path, _)| *path == name).unwrap().1
    }

    #[test]
    fn s9_the_page_allows_nothing_from_elsewhere_and_no_script_inside() {
        let page = file("index.html");
        let policy = "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self'";
        assert!(page.contains(&format!(
            "<meta http-equiv=\"Content-Security-Policy\" content=\"{policy};"
        )));
        assert_eq!(page.matches("<script").count(), 1);
        assert!(page.contains("<script src=\"registry.js\" defer></script>"));
        for (name, text) in FILES {
            for other in [
                "http://",
                "//cdn",
                "@import",
                "style=",
                "onclick",
                "onload=",
                "javascript:",
            ] {
                assert!(!text.contains(other), "{other} in {name}");
            }
        }
    }

    #[test]
    fn s9_what_strangers_wrote_is_only_ever_text() {
        let script = file("registry.js");
        for way in [
            "innerHTML",
            "outerHTML",
            "insertAdjacent",
            "document.write",
            "eval(",
            "new Function",
            "DOMParser",
            "srcdoc",
        ] {
            assert!(!script.contains(way), "{way}");
        }
        assert!(script.contains("textContent") && script.contains("[\"https:\", \"http:\"]"));
        // The one address that comes from a document goes through the check.
        assert_eq!(script.matches("graph_url").count(), 3);
        assert!(script.contains("link(repo.graph_url, repo.graph_url)"));
        assert_eq!(script.matches(".href = address").count(), 1);
    }

    #[test]
    fn a5_the_page_takes_a_repository_and_words_and_works_without_scripts() {
        let (page, script) = (file("index.html"), file("registry.js"));
        assert!(script.contains("[\"q\", \"status\", \"format\", \"repo\"]"));
        let without = page
            .split("<noscript>")
            .nth(1)
            .unwrap()
            .split("</noscript>")
            .next()
            .unwrap();
        assert!(without.contains("href=\"registry.json\""));
        for id in page.split("id=\"").skip(1).map(|rest| rest.split('"').next().unwrap()) {
            let is_used = script.contains(&format!("at(\"{id}\")")) || page.contains(&format!("=\"{id}\">"));
            assert!(is_used, "{id}");
        }
    }

    #[test]
    fn a5_the_page_is_small() {
        let bytes: usize = FILES.iter().map(|(_, text)| text.len()).sum();
        assert!(bytes < 16 << 10, "{bytes}");
    }
}
