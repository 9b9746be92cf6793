//! The cases of bodies.

use std::time::Duration;

use super::{Kept, same};
use crate::registry_store::bodies::Bodies;
use lore_seam::OpError;

/// A case on an empty place for bodies.
pub type BodyCase = fn(&dyn Bodies) -> Kept;

/// All cases, by what they hold.
pub const BODY_CASES: &[(&str, BodyCase)] = &[
    ("a body comes back by its digest", bodies_come_back),
    ("a body is kept once", bodies_are_kept_once),
    ("bodies are listed by digest and taken away", bodies_are_listed),
    ("a body is old when nobody put it for a while", bodies_grow_old),
    ("what is no digest names no body", no_digest_no_body),
];

fn digest(body: &[u8]) -> String {
    lore_base::digest::sha256(body)
}

fn told(error: OpError) -> String {
    error.to_string()
}

fn bodies_come_back(bodies: &dyn Bodies) -> Kept {
    for body in [&b""[..], b"{}", &b"{\"nodes\": []}".repeat(10_000)] {
        let digest = digest(body);
        same(
            "not yet",
            (bodies.has(&digest), bodies.get(&digest).map_err(told)?),
            (false, None),
        )?;
        bodies.put(&digest, body).map_err(told)?;
        let got = bodies.get(&digest.to_uppercase()).map_err(told)?;
        same(
            "there",
            (bodies.has(&digest), got.as_deref() == Some(body)),
            (true, true),
        )?;
    }
    Ok(())
}

fn bodies_are_kept_once(bodies: &dyn Bodies) -> Kept {
    let body = b"{\"nodes\": []}".repeat(100);
    let digest = digest(&body);
    let first = bodies.put(&digest, &body).map_err(told)?;
    same(
        "the same size",
        bodies.put(&digest.to_uppercase(), &body).map_err(told)?,
        first,
    )?;
    same("one", bodies.all().map_err(told)?, vec![(digest, first)])
}

fn bodies_are_listed(bodies: &dyn Bodies) -> Kept {
    same("none", bodies.all().map_err(told)?, vec![])?;
    let mut wanted = Vec::new();
    for number in 0..20_u8 {
        let body = [number; 3];
        wanted.push((digest(&body), bodies.put(&digest(&body), &body).map_err(told)?));
    }
    wanted.sort();
    same("all", bodies.all().map_err(told)?, wanted.clone())?;
    let (first, _) = wanted.remove(0);
    let dropped = [&first, &first].map(|digest| bodies.discard(digest).map_err(told));
    same("dropped", dropped, [Ok(true), Ok(false)])?;
    same(
        "gone",
        (bodies.has(&first), bodies.get(&first).map_err(told)?),
        (false, None),
    )?;
    same("the others", bodies.all().map_err(told)?, wanted)
}

fn bodies_grow_old(bodies: &dyn Bodies) -> Kept {
    const LONG: Duration = Duration::from_secs(3_600);
    let mut digests = [digest(b"one"), digest(b"two")];
    digests.sort();
    for body in [b"one", b"two"] {
        bodies.put(&digest(body), body).map_err(told)?;
    }
    same("none yet", bodies.old(LONG).map_err(told)?, vec![])?;
    same(
        "all at once",
        bodies.old(Duration::ZERO).map_err(told)?,
        digests.to_vec(),
    )?;
    let [first, second] = &digests;
    let dropped = [LONG, Duration::ZERO, Duration::ZERO].map(|age| bodies.discard_old(first, age).map_err(told));
    same("dropped", dropped, [Ok(false), Ok(true), Ok(false)])?;
    same("the other", (bodies.has(first), bodies.has(second)), (false, true))
}

fn no_digest_no_body(bodies: &dyn Bodies) -> Kept {
    for digest in [
        "",
        "../../etc/passwd",
        "abc",
        &"g".repeat(64),
        &"é".repeat(32),
        &"a".repeat(65),
    ] {
        same(digest, bodies.put(digest, b"x").is_err(), true)?;
        let nothing = (
            bodies.has(digest),
            bodies.get(digest).map_err(told)?,
            bodies.discard(digest).map_err(told)?,
            bodies.discard_old(digest, Duration::ZERO).map_err(told)?,
        );
        same(digest, nothing, (false, None, false, false))?;
    }
    same("nothing", bodies.all().map_err(told)?, vec![])
}
