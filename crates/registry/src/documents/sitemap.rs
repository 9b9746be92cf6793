//! `sitemap.xml`: a page for each entry that is not revoked (clause A5).
//!
//! A file may have 50,000 addresses. If there are more, `sitemap.xml` is an index of several files.

use super::escaped;
use super::service::address;
use lore_ckgp::registry_store::store::About;

/// Its path.
pub const PATH: &str = "sitemap.xml";
/// Addresses that a file may hold.
pub const MOST_ADDRESSES: usize = 50_000;

const HEAD: &str = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n";
const SPACE: &str = "http://www.sitemaps.org/schemas/sitemap/0.9";

/// The path of a part, if one file is not enough; the first is 1.
pub fn part_path(part: usize) -> String {
    format!("sitemap-{part}.xml")
}

/// A file with the pages of some ids, in their order. Nothing as long as the registry is not served.
pub fn pages<'i>(about: &About, ids: impl IntoIterator<Item = &'i str>) -> Option<Vec<u8>> {
    let mut text = format!("{HEAD}<urlset xmlns=\"{SPACE}\">\n");
    for id in ids {
        let page = page(about, id)?;
        text.push_str(&format!("  <url><loc>{}</loc></url>\n", escaped(&page)));
    }
    text.push_str("</urlset>\n");
    about.url.is_some().then(|| text.into_bytes())
}

/// The file that lists so many others.
pub fn parts(about: &About, count: usize) -> Option<Vec<u8>> {
    let mut text = format!("{HEAD}<sitemapindex xmlns=\"{SPACE}\">\n");
    for part in 1..=count {
        let place = address(about, &part_path(part))?;
        text.push_str(&format!("  <sitemap><loc>{}</loc></sitemap>\n", escaped(&place)));
    }
    text.push_str("</sitemapindex>\n");
    about.url.is_some().then(|| text.into_bytes())
}

/// The page of an entry.
pub fn page(about: &About, id: &str) -> Option<String> {
    address(about, &format!("?repo={}", lore_ckgp::forge::encoded(id)))
}

#[cfg(test)]
mod tests {
    use super::super::testing::about;
    use super::*;

    #[test]
    fn a5_the_sitemap_has_a_page_for_each_id_escaped_and_in_order() {
        let text = String::from_utf8(pages(&about(), ["a&b/<c>", "octo/hello"]).unwrap()).unwrap();
        assert_eq!(
            text,
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n\
             <urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\">\n  \
             <url><loc>https://graphs.example/r/?repo=a%26b/%3Cc%3E</loc></url>\n  \
             <url><loc>https://graphs.example/r/?repo=octo/hello</loc></url>\n\
             </urlset>\n"
        );
        let odd = About {
            url: Some("https://graphs.example/a&b".to_owned()),
            ..about()
        };
        let text = String::from_utf8(pages(&odd, ["x/y"]).unwrap()).unwrap();
        assert!(text.contains("https://graphs.example/a&amp;b/?repo=x/y"));
    }

    #[test]
    fn a5_many_pages_are_in_several_files() {
        let text = String::from_utf8(parts(&about(), 2).unwrap()).unwrap();
        assert!(text.contains("<loc>https://graphs.example/r/sitemap-1.xml</loc>"));
        assert!(text.contains("<loc>https://graphs.example/r/sitemap-2.xml</loc>"));
    }

    #[test]
    fn a5_a_registry_that_is_not_served_has_no_sitemap() {
        let about = About { url: None, ..about() };
        assert_eq!(pages(&about, ["a/b"]), None);
        assert_eq!(pages(&about, []), None);
        assert_eq!(parts(&about, 0), None);
    }
}
