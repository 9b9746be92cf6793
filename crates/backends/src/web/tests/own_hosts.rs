//! Hosts of one's own network: asked where they are said to be, by https, and nothing beside them.

use std::path::PathBuf;

use super::super::{OwnHosts, SystemWeb};
use super::LIMITS;
use super::tls::{TlsServer, reply};
use lore_seam::Web;

fn authorities() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/tls/authority.pem")
}

fn own(server: &TlsServer, authorities: Option<PathBuf>) -> Result<SystemWeb, String> {
    let place = format!("127.0.0.1:{}", server.port);
    let hosts = [("git.lore.test", place.as_str()), ("evil.example", place.as_str())];
    OwnHosts::new(hosts, authorities.as_deref()).map(SystemWeb::with_own)
}

fn told(web: &SystemWeb, url: &str) -> String {
    match web.get(url, &LIMITS) {
        Ok(fetched) => format!("{} {}", fetched.status, String::from_utf8_lossy(&fetched.body)),
        Err(error) => error.message,
    }
}

#[test]
fn a_host_of_ones_own_is_asked_where_it_is_and_nothing_beside_it_is() {
    let server = TlsServer::new(|path, stream| match path {
        "/here" => reply(stream, "200 OK", "", b"here"),
        "/name" => reply(stream, "302 Found", "Location: https://GIT.lore.test/here\r\n", b""),
        _ => reply(stream, "302 Found", "Location: https://127.0.0.1/here\r\n", b""),
    });
    let web = own(&server, Some(authorities())).unwrap();
    assert_eq!(told(&web, "https://git.lore.test/here"), "200 here");
    assert_eq!(told(&web, "https://git.lore.test/name"), "200 here");
    // What it leads to is judged as if anybody had said it.
    let inside = told(&web, "https://git.lore.test/inside");
    assert!(inside.ends_with("127.0.0.1 is not a public address"), "{inside}");
    let plain = told(&web, "http://git.lore.test/here");
    assert!(plain.ends_with("only https is allowed"), "{plain}");
    // The certificate is for another name, wherever that one is said to be.
    let evil = told(&web, "https://evil.example/here");
    assert!(evil.contains("cannot be fetched"), "{evil}");
    let heads = server.asked();
    assert_eq!(heads.len(), 4, "{heads:?}");
}

#[test]
fn what_is_wrong_with_authorities_of_ones_own_is_told_before_anybody_is_asked() {
    let server = TlsServer::new(|_, stream| reply(stream, "200 OK", "", b"here"));
    let of_the_public = told(&own(&server, None).unwrap(), "https://git.lore.test/");
    assert!(of_the_public.contains("cannot be fetched"), "{of_the_public}");
    let wrong = |path: PathBuf| own(&server, Some(path)).map(drop).unwrap_err();
    let gone = wrong(PathBuf::from("/nowhere.pem"));
    assert!(
        gone.starts_with("/nowhere.pem: the file of certificate authorities cannot be read"),
        "{gone}"
    );
    let no_authority = wrong(authorities().with_file_name("server.key.pem"));
    assert!(
        no_authority.ends_with("it has no certificate of an authority"),
        "{no_authority}"
    );
    assert_eq!(server.asked().len(), 0);
}
