//! Badges: the status of an entry, and the number of entries, as small SVG images (clauses A7, S9, S10).

use super::escaped;
use super::row;
use super::sitemap;
use lore_ckgp::forge::encoded;
use lore_ckgp::registry_store::entry::Entry;
use lore_ckgp::registry_store::store::About;

/// The path of the badge with the count.
pub const ALL_PATH: &str = "badges/all.svg";

/// What a badge is about.
const LABEL: &str = "code graph";
/// Width of a letter, roughly, in tenths of a pixel.
const LETTER: usize = 66;
/// What is left free beside the letters of a segment.
const MARGIN: usize = 10;
/// Letters that are shown.
const MOST_LETTERS: usize = 40;

/// The badge of an entry: how it is. It leads to the entry's page, or to the repository as long as the registry is not served.
pub fn entry(about: &About, entry: &Entry) -> Vec<u8> {
    let repository = &entry.repository;
    let link = sitemap::page(about, &repository.to_string()).unwrap_or_else(|| {
        let (host, owner, repo) = (
            repository.host(),
            encoded(repository.owner()),
            encoded(repository.repo()),
        );
        format!("https://{host}/{owner}/{repo}")
    });
    status(row::status(entry).word(), Some(&link))
}

/// The badge of a status, known or not.
pub fn status(word: &str, link: Option<&str>) -> Vec<u8> {
    svg(LABEL, &word.replace('_', " "), colour(word), link)
}

/// The badge with the count of entries.
pub fn all(about: &About, entries: u64) -> Vec<u8> {
    let text = match entries {
        1 => "1 entry".to_owned(),
        entries => format!("{entries} entries"),
    };
    svg(
        "code graphs",
        &text,
        "#2a6f97",
        super::service::address(about, "").as_deref(),
    )
}

/// The colour of a status; the text has the same information.
fn colour(word: &str) -> &'static str {
    match word {
        "ok" => "#2e7d32",
        "pending" => "#55606b",
        "missing" => "#b3541e",
        "invalid" => "#b71c1c",
        "oversize" => "#8e4b10",
        "transient_error" => "#8a6d00",
        "dead" => "#3b3b3b",
        "renamed" => "#1f5fa8",
        "revoked" => "#6a1b4d",
        "refused" => "#9c2752",
        "unsupported" => "#5b4a8a",
        _ => "#6e6e6e",
    }
}

/// Two segments side by side. The link has both forms, for readers of SVG 1.1 and of SVG 2.
fn svg(label: &str, text: &str, colour: &str, link: Option<&str>) -> Vec<u8> {
    let cut = |text: &str| text.chars().take(MOST_LETTERS).collect::<String>();
    let (label, text) = (cut(label), cut(text));
    let width = |text: &str| text.chars().count() * LETTER / 10 + MARGIN;
    let (left, right) = (width(&label), width(&text));
    let all = left + right;
    let (label_at, text_at) = (left / 2, left + right / 2);
    let (label, text) = (escaped(&label), escaped(&text));
    let link = link.filter(|link| link.starts_with("https://")).map(escaped);
    let (open, close) = match &link {
        Some(link) => (
            format!("<a href=\"{link}\" xlink:href=\"{link}\" target=\"_top\">"),
            "</a>",
        ),
        None => (String::new(), ""),
    };
    let svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" xmlns:xlink=\"http://www.w3.org/1999/xlink\" width=\"{all}\" height=\"20\" role=\"img\" aria-label=\"{label}: {text}\">\n\
         <title>{label}: {text}</title>\n\
         {open}<clipPath id=\"r\"><rect width=\"{all}\" height=\"20\" rx=\"3\"/></clipPath>\n\
         <g clip-path=\"url(#r)\"><rect width=\"{left}\" height=\"20\" fill=\"#444c56\"/><rect x=\"{left}\" width=\"{right}\" height=\"20\" fill=\"{colour}\"/></g>\n\
         <g fill=\"#fff\" text-anchor=\"middle\" font-family=\"Verdana,DejaVu Sans,sans-serif\" font-size=\"11\"><text x=\"{label_at}\" y=\"14\">{label}</text><text x=\"{text_at}\" y=\"14\">{text}</text></g>{close}\n\
         </svg>\n"
    );
    svg.into_bytes()
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::super::testing::{about, ok, revoked};
    use super::*;
    use lore_ckgp::registry_store::status::Status;

    fn text(bytes: Vec<u8>) -> String {
        String::from_utf8(bytes).unwrap()
    }

    #[test]
    fn a7_every_status_has_a_colour_of_its_own_and_an_unknown_one_has_a_badge_too() {
        let colours: BTreeSet<&str> = Status::ALL.iter().map(|status| colour(status.word())).collect();
        assert_eq!(colours.len(), Status::ALL.len());
        assert!(text(status("transient_error", None)).contains(">transient error</text>"));
        let unknown = text(status("brand_new", None));
        assert!(unknown.contains(">brand new</text>") && unknown.contains("#6e6e6e"));
        assert!(text(status("", None)).ends_with("</svg>\n"));
    }

    #[test]
    fn a7_a_badge_has_two_segments_and_a_link_in_both_forms() {
        let badge = text(entry(&about(), &ok("octo/hello")));
        assert_eq!(badge.matches("<text ").count(), 2);
        let link = "https://graphs.example/r/?repo=octo/hello";
        assert!(badge.contains(&format!(" href=\"{link}\" xlink:href=\"{link}\"")));
        assert!(badge.contains("aria-label=\"code graph: ok\""));
        let unserved = About { url: None, ..about() };
        let badge = text(entry(&unserved, &ok("gitlab.com/g/s/r")));
        assert!(badge.contains(" href=\"https://gitlab.com/g/s/r\""));
        assert!(!text(all(&unserved, 2)).contains("<a "));
    }

    #[test]
    fn a7_the_count_is_one_entry_or_several_entries() {
        assert!(text(all(&about(), 1)).contains(">1 entry</text>"));
        assert!(text(all(&about(), 0)).contains(">0 entries</text>"));
        assert!(text(all(&about(), 100_000)).contains(">100000 entries</text>"));
    }

    #[test]
    fn s9_what_stands_in_a_badge_is_escaped_and_leads_nowhere_but_by_https() {
        let badge = text(status("<script>&\"", Some("https://x.example/?a=1&b=\"'<")));
        assert!(!badge.contains("<script"));
        assert!(badge.contains("&lt;script&gt;&amp;&quot;"));
        assert!(badge.contains("href=\"https://x.example/?a=1&amp;b=&quot;&#39;&lt;\""));
        assert!(!text(status("ok", Some("javascript:alert(1)"))).contains("javascript"));
    }

    #[test]
    fn s10_the_badge_of_what_was_taken_back_says_so() {
        assert!(text(entry(&about(), &revoked("octo/hello"))).contains(">revoked</text>"));
    }
}
