//! Fetching, reply by reply.

use super::*;
use crate::forge::{Forge, RepositoryId};
use lore_seam::{RetryAfter, WebPhase};

fn policy() -> HostPolicy {
    let repository = RepositoryId::parse("octo/hello").unwrap();
    HostPolicy::of(&repository, Some(Forge::GitHub), &[])
}

const FIRST: &str = "https://raw.githubusercontent.com/octo/hello/HEAD/g.json";

fn status(status: u16) -> Result<WebReply, WebFault> {
    Ok(WebReply {
        status,
        ..WebReply::default()
    })
}

fn to(location: &str) -> Result<WebReply, WebFault> {
    Ok(WebReply {
        status: 302,
        location: Some(location.to_owned()),
        ..WebReply::default()
    })
}

/// What is asked, waited for and got when servers answer so.
fn told(replies: Vec<Result<WebReply, WebFault>>) -> String {
    let mut fetch = Fetch::new(policy(), Address::parse(FIRST).unwrap());
    let mut jitter = Jitter::new(7);
    let mut lines = Vec::new();
    for reply in replies {
        if let Some(wait) = fetch.wait() {
            lines.push(format!("wait {}", wait.as_millis()));
        }
        lines.push(format!("ask {}", fetch.address()));
        if let Some(outcome) = fetch.feed(reply, 0, &mut jitter) {
            lines.push(match outcome {
                Ok(got) => format!("got {} {}", got.reply.status, got.address),
                Err(Miss::Transient(trouble)) => format!("Transient({:?})", trouble.why),
                Err(miss) => format!("{miss:?}"),
            });
            return lines.join("\n");
        }
    }
    lines.push("and more".to_owned());
    lines.join("\n")
}

#[test]
fn c2_what_is_neither_success_nor_404_is_tried_again_after_a_while() {
    for transient in [403, 429, 451, 500, 503] {
        let text = told(vec![status(transient), status(transient), status(transient)]);
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(lines.len(), 6, "{text}");
        assert_eq!(lines[5], format!("Transient(\"{FIRST} answers {transient}\")"));
        let wait = |line: &str| line.strip_prefix("wait ").unwrap().parse::<u64>().unwrap();
        assert!(wait(lines[1]) <= 500 && wait(lines[3]) <= 1_000, "{text}");
    }
    let text = told(vec![
        Err(WebFault::Timeout(WebPhase::Connect)),
        Err(WebFault::Reset("peer".into())),
        status(200),
    ]);
    assert!(text.ends_with(&format!("got 200 {FIRST}")), "{text}");
    assert_eq!(told(vec![status(404)]), format!("ask {FIRST}\nAbsent"));
    assert_eq!(told(vec![status(410)]), format!("ask {FIRST}\nGone"));
}

#[test]
fn c2_waits_are_spread_over_the_whole_time_and_the_same_for_the_same_seed() {
    let waits: Vec<u128> = {
        let mut jitter = Jitter::new(1);
        let most = Duration::from_millis(1_000);
        (0..1_000).map(|_| jitter.up_to(most).as_millis()).collect()
    };
    assert!(waits.iter().any(|wait| *wait < 50) && waits.iter().any(|wait| *wait > 950));
    let mean = waits.iter().sum::<u128>() / 1_000;
    assert!((450..550).contains(&mean), "{mean}");
    assert_eq!(
        Jitter::new(9).up_to(Duration::from_secs(8)),
        Jitter::new(9).up_to(Duration::from_secs(8))
    );
    assert_eq!(Jitter::new(9).up_to(Duration::ZERO), Duration::ZERO);
}

#[test]
fn c2_a_server_that_says_when_is_believed_up_to_a_limit() {
    let busy = |seconds| {
        Ok(WebReply {
            status: 429,
            retry_after: Some(RetryAfter::Seconds(seconds)),
            ..WebReply::default()
        })
    };
    let text = told(vec![busy(20), status(200)]);
    assert_eq!(text, format!("ask {FIRST}\nwait 20000\nask {FIRST}\ngot 200 {FIRST}"));
    assert_eq!(
        told(vec![busy(1_800)]),
        format!("ask {FIRST}\nTransient(\"{FIRST} answers 429 and asks to wait 1800 s\")")
    );
    let at = Ok(WebReply {
        status: 503,
        retry_after: Some(RetryAfter::At(25)),
        ..WebReply::default()
    });
    assert!(told(vec![at, status(200)]).contains("wait 25000"));
}

#[test]
fn s4_five_redirects_are_followed_and_every_hop_is_judged() {
    assert_eq!(
        told(vec![
            to("../main/g.json"),
            to("https://octo.github.io/g.json"),
            status(200)
        ]),
        "ask https://raw.githubusercontent.com/octo/hello/HEAD/g.json\n\
         ask https://raw.githubusercontent.com/octo/hello/main/g.json\n\
         ask https://octo.github.io/g.json\n\
         got 200 https://octo.github.io/g.json"
    );
    for (location, code) in [
        ("http://raw.githubusercontent.com/x", "not_https"),
        ("https://evil.example/x", "foreign_host"),
        ("https://octo.github.io:8443/x", "port"),
        ("https://me:secret@octo.github.io/x", "user_info"),
        ("https://169.254.169.254/latest", "host"),
        ("file:///etc/passwd", "not_https"),
    ] {
        let text = told(vec![to(location)]);
        assert!(text.contains(&format!("Refused(\"{code}\"")), "{text}");
    }
    let text = told(vec![to("/1"), to("/2"), to("/3"), to("/4"), to("/5"), to("/6")]);
    assert!(text.ends_with("redirects more than 5 times\")"), "{text}");
    let text = told(vec![to("/1"), to("/2"), to("/3"), to("/4"), to("/5"), status(200)]);
    assert!(text.ends_with("got 200 https://raw.githubusercontent.com/5"), "{text}");
}

#[test]
fn s3_what_is_not_public_is_not_tried_again() {
    assert_eq!(
        told(vec![Err(WebFault::NotPublic("10.0.0.1".to_owned()))]),
        format!("ask {FIRST}\nRefused(\"not_public\", \"10.0.0.1 is not a public address\")")
    );
}

#[test]
fn s5_marks_of_what_is_there_stay_with_their_address() {
    let mut fetch = Fetch::new(policy(), Address::parse(FIRST).unwrap()).conditional(true);
    let mut jitter = Jitter::new(0);
    assert!(fetch.may_be_unchanged());
    assert_eq!(fetch.feed(to("https://octo.github.io/g.json"), 0, &mut jitter), None);
    assert!(!fetch.may_be_unchanged());
    let odd = fetch.feed(status(304), 0, &mut jitter);
    assert_eq!(odd, None, "nobody asked whether it is unchanged");
    let mut fetch = Fetch::new(policy(), Address::parse(FIRST).unwrap()).conditional(true);
    let got = fetch.feed(status(304), 0, &mut jitter).unwrap().unwrap();
    assert!(got.is_unchanged);
}
