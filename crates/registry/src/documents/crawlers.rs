//! `robots.txt`, and `security.txt` of RFC 9116 (clause A5).

use lore_base::time::date_time;

use super::service::address;
use super::sitemap;
use lore_ckgp::registry_store::entry::Seconds;
use lore_ckgp::registry_store::store::About;

/// Where crawlers look.
pub const ROBOTS_PATH: &str = "robots.txt";
/// The path of `security.txt`.
pub const SECURITY_PATH: &str = ".well-known/security.txt";

const DAY: Seconds = 86_400;
/// Days that what `security.txt` says holds; the RFC wants less than a year.
const HOLDS: Seconds = 330;
/// Days for which the end of that stays the same, so that the file is not another one after every change.
const STEP: Seconds = 30;

/// Everything may be crawled.
pub fn robots(about: &About) -> Vec<u8> {
    let mut text = "User-agent: *\nAllow: /\n".to_owned();
    if let Some(sitemap) = address(about, sitemap::PATH) {
        text.push_str(&format!("\nSitemap: {sitemap}\n"));
    }
    text.into_bytes()
}

/// The contact for security reports. It holds for most of a year behind the last change of the registry: one that nobody tends any more promises no answers. Nothing without a contact that the
/// RFC allows.
pub fn security(about: &About, changed_at: Seconds) -> Option<Vec<u8>> {
    let contact = contact(about.contact.as_deref()?)?;
    let expires = (changed_at.div_euclid(DAY * STEP) * STEP + HOLDS) * DAY;
    let mut text = format!("Contact: {contact}\nExpires: {}\n", date_time(expires));
    if let Some(own) = address(about, SECURITY_PATH) {
        text.push_str(&format!("Canonical: {own}\n"));
    }
    Some(text.into_bytes())
}

/// The contact as an address: https, mail or telephone. A text with white space is not a contact.
fn contact(text: &str) -> Option<String> {
    let text = text.trim();
    let is_plain = !text.is_empty() && text.chars().all(|letter| letter.is_ascii_graphic());
    let is_address = ["https://", "mailto:", "tel:"]
        .iter()
        .any(|scheme| text.starts_with(scheme));
    match (is_plain, is_address) {
        (false, _) => None,
        (true, true) => Some(text.to_owned()),
        (true, false) => (text.contains('@') && !text.contains(':')).then(|| format!("mailto:{text}")),
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::about;
    use super::*;

    const CHANGED: Seconds = 1_794_816_000;

    fn text(contact: &str, changed_at: Seconds) -> Option<String> {
        let about = About {
            contact: Some(contact.to_owned()),
            ..about()
        };
        security(&about, changed_at).map(|bytes| String::from_utf8(bytes).unwrap())
    }

    #[test]
    fn a5_security_txt_has_contact_and_expiry_and_comes_from_the_last_change() {
        assert_eq!(
            text("admin@graphs.example", CHANGED).as_deref(),
            Some(
                "Contact: mailto:admin@graphs.example\nExpires: 2027-09-29T00:00:00Z\n\
                 Canonical: https://graphs.example/r/.well-known/security.txt\n"
            )
        );
        assert_eq!(text("a@b.example", CHANGED), text("a@b.example", CHANGED + 86_400));
        for day in 0..400 {
            let changed_at = CHANGED + day * DAY;
            let text = text("a@b.example", changed_at).unwrap();
            let expires = text.lines().nth(1).unwrap().strip_prefix("Expires: ").unwrap();
            let holds = lore_ckgp::time::seconds(expires).unwrap() - changed_at;
            assert!((300 * DAY..=330 * DAY).contains(&holds), "{expires}");
        }
    }

    #[test]
    fn a5_without_a_contact_that_may_stand_there_is_no_security_txt() {
        assert!(text("https://graphs.example/contact", 0).is_some());
        for none in [
            "",
            "http://graphs.example",
            "jane",
            "a@b\nExpires: never",
            "Jane <a@b.example>",
            "xmpp:a@b",
        ] {
            assert_eq!(text(none, 0), None, "{none}");
        }
        let nobody = About {
            contact: None,
            ..about()
        };
        assert_eq!(security(&nobody, 0), None);
    }

    #[test]
    fn a5_robots_may_look_at_everything_and_are_led_to_the_sitemap() {
        let robots = |about: &About| String::from_utf8(robots(about)).unwrap();
        assert_eq!(
            robots(&about()),
            "User-agent: *\nAllow: /\n\nSitemap: https://graphs.example/r/sitemap.xml\n"
        );
        assert_eq!(robots(&About { url: None, ..about() }), "User-agent: *\nAllow: /\n");
    }
}
