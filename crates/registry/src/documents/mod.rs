//! The documents that a registry publishes, as bytes: a pure function of entries and counts (clauses A1 to A7, S9, S10; rulings 1, 5, 6, 16).
//!
//! [`registry`] and [`repos`] list the entries, [`sparse`] is the file of one entry, and [`changes`] the change feed.
//! [`service`] describes the registry and its endpoints, [`crawlers`] is `robots.txt` and `security.txt`, and [`sitemap`]
//! the sitemap. [`stats`] has the totals, [`badge`] the images, and [`page`] the HTML page.

pub mod badge;
pub mod changes;
pub mod crawlers;
mod list;
pub mod page;
pub mod path;
pub mod registry;
pub mod repos;
pub mod row;
pub mod service;
pub mod sitemap;
pub mod sparse;
pub mod stats;
#[cfg(test)]
pub(crate) mod testing;

/// The version of every document here.
pub const SCHEMA_VERSION: u32 = 1;

/// A text as it may stand in XML, between tags and between quotation marks; what XML cannot hold is left out (clause S9).
pub(super) fn escaped(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            '\'' => escaped.push_str("&#39;"),
            '\u{fffe}' | '\u{ffff}' => {}
            letter if letter.is_control() => {}
            letter => escaped.push(letter),
        }
    }
    escaped
}

/// SHA-256, in hexadecimal.
pub(super) fn sha256(bytes: &[u8]) -> String {
    lore_base::digest::sha256(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn s9_what_has_a_meaning_in_xml_is_escaped_and_what_it_cannot_hold_is_left_out() {
        assert_eq!(
            escaped("<a href=\"x\" onload='y'>&\u{0}\u{1b}\u{ffff}é"),
            "&lt;a href=&quot;x&quot; onload=&#39;y&#39;&gt;&amp;é"
        );
    }
}
