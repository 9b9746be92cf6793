//! The cases of jobs, leases, visits and rounds.

use super::{Kept, format, good, ids, pending, put_all, read, repository, same, visit, write};
use crate::registry_store::entry::{Entry, Seconds};
use crate::registry_store::status::Status;
use crate::registry_store::store::{Claim, Leased, MOST_LEASES, Registry, Wanted};

/// A claim of nine jobs that are due, for a hundred seconds.
pub(super) fn due(worker: &str, now: Seconds) -> Claim<'_> {
    Claim {
        worker,
        now,
        until: now + 100,
        most: 9,
        wanted: Wanted::Due,
        without: &[],
    }
}

fn claimed(store: &dyn Registry, claim: &Claim<'_>) -> Result<Vec<Leased>, String> {
    write(store, |unit| unit.claim(claim))
}

fn claimed_ids(store: &dyn Registry, claim: &Claim<'_>) -> Result<Vec<String>, String> {
    let leased = claimed(store, claim)?;
    Ok(ids(&leased.into_iter().map(|leased| leased.entry).collect::<Vec<_>>()))
}

fn put(store: &dyn Registry, id: &str, host: &str, due: Option<Seconds>) -> Kept {
    write(store, |unit| unit.put(&pending(id), host, due))
}

fn listed(texts: &[&str]) -> Vec<String> {
    texts.iter().map(|text| (*text).to_owned()).collect()
}

pub(super) fn claims_are_in_order(store: &dyn Registry) -> Kept {
    for (id, due) in [
        ("c/late", Some(30)),
        ("B/same", Some(20)),
        ("a/same", Some(20)),
        ("d/never", None),
    ] {
        put(store, id, "github.com", due)?;
    }
    put(store, "e/future", "github.com", Some(41))?;
    let claim = |most: usize| Claim { most, ..due("w", 40) };
    same("none", claimed_ids(store, &claim(0))?, listed(&[]))?;
    same("the first", claimed_ids(store, &claim(1))?, listed(&["a/same"]))?;
    let leased = claimed(store, &claim(9))?;
    let seen: Vec<_> = leased
        .iter()
        .map(|leased| (leased.host.as_str(), leased.leases))
        .collect();
    same("leased", seen, vec![("github.com", 1), ("github.com", 1)])?;
    let entries: Vec<Entry> = leased.into_iter().map(|leased| leased.entry).collect();
    same("the others", ids(&entries), listed(&["B/same", "c/late"]))?;
    same("whole", entries.first(), Some(&pending("B/same")))
}

pub(super) fn leases_are_exclusive(store: &dyn Registry) -> Kept {
    put(store, "a/one", "github.com", Some(0))?;
    same("first", claimed_ids(store, &due("w", 10))?, listed(&["a/one"]))?;
    for worker in ["v", "w"] {
        same("held", claimed_ids(store, &due(worker, 109))?, listed(&[]))?;
    }
    let again = claimed(store, &due("v", 110))?;
    same("ended", again.iter().map(|leased| leased.leases).collect(), vec![2])?;
    let ended = write(store, |unit| {
        unit.finish("w", &good("a/one", &[], &[]), &visit(111, Status::Ok), Some(500))
    })?;
    same("the first one lost it", ended, false)
}

pub(super) fn rounds_claim_what_they_did_not_visit(store: &dyn Registry) -> Kept {
    let mut visited = good("a/visited", &[], &[]);
    visited.visited_at = Some(50);
    let mut older = good("b/older", &[], &[]);
    older.visited_at = Some(49);
    write(store, |unit| {
        unit.put(&visited, "github.com", Some(0))?;
        unit.put(&older, "github.com", Some(9_000))
    })?;
    same("the last visit", read(store, |unit| unit.last_visit())?, Some(50))?;
    put(store, "c/new", "github.com", Some(9_000))?;
    put(store, "d/never", "github.com", None)?;
    let claim = |worker| Claim {
        wanted: Wanted::NotVisitedSince(50),
        ..due(worker, 60)
    };
    same(
        "not visited",
        claimed_ids(store, &claim("w"))?,
        listed(&["c/new", "b/older"]),
    )?;
    // What was visited in the round is not had again, even when its lease ended; what was not is.
    let ended = write(store, |unit| unit.finish("w", &older, &visit(60, Status::Ok), Some(0)))?;
    same("ended", ended, true)?;
    same("the last visit then", read(store, |unit| unit.last_visit())?, Some(60))?;
    let later = Claim { now: 500, ..claim("v") };
    same("later", claimed_ids(store, &later)?, listed(&["c/new"]))
}

pub(super) fn named_ones_are_claimed(store: &dyn Registry) -> Kept {
    for (id, due) in [
        ("a/one", Some(900)),
        ("B/two", Some(800)),
        ("c/three", Some(0)),
        ("d/never", None),
    ] {
        put(store, id, "github.com", due)?;
    }
    let these = ["A/one", "b/two", "b/TWO", "d/never", "no/where"].map(repository);
    let claim = |worker, most| Claim {
        most,
        wanted: Wanted::These(&these, 10),
        ..due(worker, 10)
    };
    same("one", claimed_ids(store, &claim("w", 1))?, listed(&["B/two"]))?;
    same("the other", claimed_ids(store, &claim("w", 9))?, listed(&["a/one"]))?;
    let ended = write(store, |unit| {
        unit.finish("w", &pending("a/one"), &visit(10, Status::Pending), Some(0))
    })?;
    same("ended", ended, true)?;
    let later = Claim {
        now: 500,
        ..claim("v", 9)
    };
    same("later", claimed_ids(store, &later)?, listed(&["B/two"]))
}

pub(super) fn hosts_are_left_out(store: &dyn Registry) -> Kept {
    // Many of one host stand before those of the others.
    write(store, |unit| {
        (0..200).try_for_each(|number| unit.put(&pending(&format!("many/r{number:03}")), "github.com", Some(1)))
    })?;
    put(store, "gitlab.com/b/late", "gitlab.com", Some(9))?;
    put(store, "gitlab.com/a/early", "gitlab.com", Some(2))?;
    put(store, "codeberg.org/a/mid", "codeberg.org", Some(5))?;
    let mut visited = good("codeberg.org/a/visited", &[], &[]);
    visited.visited_at = Some(9);
    write(store, |unit| {
        unit.put(&visited, "codeberg.org", Some(9_000))?;
        unit.delay_host("codeberg.org", 50)?;
        unit.delay_host("codeberg.org", 40)
    })?;
    let without = listed(&["github.com"]);
    let claim = |worker, now, most| Claim {
        most,
        without: &without,
        ..due(worker, now)
    };
    same(
        "delayed",
        read(store, |unit| unit.delayed_hosts(49))?,
        vec![("codeberg.org".to_owned(), 50)],
    )?;
    same("over", read(store, |unit| unit.delayed_hosts(50))?, vec![])?;
    let first = claimed_ids(store, &claim("w", 49, 9))?;
    same(
        "not delayed",
        first,
        listed(&["gitlab.com/a/early", "gitlab.com/b/late"]),
    )?;
    let all = claimed_ids(store, &claim("v", 200, 2))?;
    same(
        "by due over hosts",
        all,
        listed(&["gitlab.com/a/early", "codeberg.org/a/mid"]),
    )?;
    let round = Claim {
        wanted: Wanted::NotVisitedSince(100),
        ..claim("u", 201, 9)
    };
    let got = claimed_ids(store, &round)?;
    same("a round", got, listed(&["gitlab.com/b/late", "codeberg.org/a/visited"]))?;
    let these = ["many/r000", "gitlab.com/a/early"].map(repository);
    let named = Claim {
        wanted: Wanted::These(&these, 100),
        ..claim("t", 900, 9)
    };
    same("named", claimed_ids(store, &named)?, listed(&["gitlab.com/a/early"]))
}

pub(super) fn poison_is_left_alone(store: &dyn Registry) -> Kept {
    put(store, "A/one", "github.com", Some(0))?;
    for number in 0..MOST_LEASES {
        let leased = claimed(store, &due("w", i64::from(number) * 1_000))?;
        same(
            "leases",
            leased.iter().map(|leased| leased.leases).collect(),
            vec![number + 1],
        )?;
    }
    // The last lease ended soon after 4,000.
    same("left", claimed_ids(store, &due("w", 80_000))?, listed(&[]))?;
    same("stuck", read(store, |unit| unit.stuck())?, listed(&["A/one"]))?;
    same("nothing is next", read(store, |unit| unit.next_due())?, None)?;
    // A round has it, behind everything else; whoever names it has it at any time; and so has everybody after a day.
    let mut two = pending("B/two");
    two.visited_at = Some(70_000);
    write(store, |unit| unit.put(&two, "github.com", Some(200_000)))?;
    let round = Claim {
        wanted: Wanted::NotVisitedSince(80_000),
        ..due("w", 80_000)
    };
    same(
        "last in a round",
        claimed_ids(store, &round)?,
        listed(&["B/two", "A/one"]),
    )?;
    let these = [repository("a/one")];
    let named = Claim {
        wanted: Wanted::These(&these, Seconds::MAX),
        ..due("w", 82_000)
    };
    same("named", claimed_ids(store, &named)?, listed(&["A/one"]))?;
    same("not yet", claimed_ids(store, &due("w", 160_000))?, listed(&[]))?;
    same(
        "after a day",
        claimed_ids(store, &due("w", 190_000))?,
        listed(&["A/one"]),
    )?;
    // Whoever looked at it puts it in again.
    put(store, "a/one", "github.com", Some(0))?;
    same("not stuck", read(store, |unit| unit.stuck())?, listed(&[]))?;
    same("claimed", claimed(store, &due("w", 195_000))?.len(), 1)
}

pub(super) fn given_back_does_not_count(store: &dyn Registry) -> Kept {
    put(store, "a/one", "github.com", Some(0))?;
    for number in 0..i64::from(MOST_LEASES) * 2 {
        let leased = claimed(store, &due("w", number * 10))?;
        same("leases", leased.iter().map(|leased| leased.leases).collect(), vec![1])?;
        let id = repository("A/One");
        // Only whoever holds it can give it back.
        write(store, |unit| unit.give_back("v", &id, 0))?;
        same("held", claimed_ids(store, &due("v", number * 10))?, listed(&[]))?;
        write(store, |unit| unit.give_back("w", &id, number * 10 + 10))?;
        same(
            "due later",
            claimed_ids(store, &due("w", number * 10 + 9))?,
            listed(&[]),
        )?;
    }
    same(
        "no visit",
        read(store, |unit| unit.visits(&repository("a/one"), 9))?,
        vec![],
    )
}

pub(super) fn visits_end_with_their_lease(store: &dyn Registry) -> Kept {
    let id = repository("a/one");
    put(store, "a/one", "github.com", Some(0))?;
    let mut changed = good("A/One", &["web"], &["rust"]);
    changed.graphs[0].format = Some(format("generic@1"));
    let finish = |worker: &str| {
        write(store, |unit| {
            unit.finish(worker, &changed, &visit(5, Status::Ok), Some(700))
        })
    };
    same("no lease", finish("w")?, false)?;
    claimed(store, &due("w", 1))?;
    same("another's lease", finish("v")?, false)?;
    same(
        "as it was",
        read(store, |unit| unit.entry(&id))?,
        Some(pending("a/one")),
    )?;
    same("no visit", read(store, |unit| unit.visits(&id, 9))?, vec![])?;
    // The lease is over, but nobody else took it.
    same("its own", finish("w")?, true)?;
    same("the entry", read(store, |unit| unit.entry(&id))?, Some(changed.clone()))?;
    let shown = read(store, |unit| unit.entry(&id))?.map(|entry| entry.repository.to_string());
    same("as it is shown now", shown.as_deref(), Some("A/One"))?;
    same(
        "the visit",
        read(store, |unit| unit.visits(&id, 9))?,
        vec![visit(5, Status::Ok)],
    )?;
    same("once", finish("w")?, false)?;
    same("not due", claimed_ids(store, &due("w", 699))?, listed(&[]))?;
    let leased = claimed(store, &due("w", 700))?;
    same(
        "counted anew",
        leased.iter().map(|leased| leased.leases).collect(),
        vec![1],
    )?;
    let ended = write(store, |unit| unit.finish("w", &changed, &visit(701, Status::Ok), None))?;
    same(
        "never again",
        (ended, claimed_ids(store, &due("w", 99_999))?),
        (true, listed(&[])),
    )?;
    let unknown = write(store, |unit| {
        unit.finish("w", &pending("no/where"), &visit(5, Status::Ok), None)
    })?;
    same("no entry", unknown, false)
}

pub(super) fn putting_ends_the_lease(store: &dyn Registry) -> Kept {
    put(store, "a/one", "github.com", Some(0))?;
    claimed(store, &due("w", 1))?;
    put(store, "A/one", "gitlab.com", Some(5))?;
    let ended = write(store, |unit| {
        unit.finish("w", &good("a/one", &[], &[]), &visit(5, Status::Ok), Some(6))
    })?;
    same("lost", ended, false)?;
    write(store, |unit| unit.give_back("w", &repository("a/one"), 900))?;
    let leased = claimed(store, &due("v", 5))?;
    let seen: Vec<_> = leased
        .iter()
        .map(|leased| (leased.host.as_str(), leased.leases))
        .collect();
    same("due as it was put", seen, vec![("gitlab.com", 1)])
}

pub(super) fn leases_are_renewed(store: &dyn Registry) -> Kept {
    put_all(store, &[pending("a/one"), pending("b/two")])?;
    same("both", claimed(store, &due("w", 100))?.len(), 2)?;
    write(store, |unit| {
        unit.renew("w", 1_000)?;
        unit.renew("v", 9_000)
    })?;
    same("held", claimed_ids(store, &due("v", 999))?, listed(&[]))?;
    same(
        "ended",
        claimed_ids(store, &due("v", 1_000))?,
        listed(&["a/one", "b/two"]),
    )?;
    write(store, |unit| unit.renew("w", 90_000))?;
    same("not its own any more", claimed(store, &due("u", 1_100))?.len(), 2)
}

pub(super) fn visits_are_kept(store: &dyn Registry) -> Kept {
    put(store, "a/one", "github.com", Some(0))?;
    let id = repository("a/one");
    let mut visits = Vec::new();
    for at in [10, 20, 20, 30] {
        let mut visit = visit(at, Status::Missing);
        visit.error = (at == 20).then(|| "gone".to_owned());
        visit.requests = visits.len() as u32;
        visit.bytes = 1 << 40;
        visit.is_changed = at == 30;
        claimed(store, &due("w", at))?;
        write(store, |unit| unit.finish("w", &pending("a/one"), &visit, Some(0)))?;
        visits.insert(0, visit);
    }
    same(
        "visits",
        read(store, |unit| unit.visits(&repository("A/ONE"), 9))?,
        visits.clone(),
    )?;
    same("two", read(store, |unit| unit.visits(&id, 2))?, visits[..2].to_vec())?;
    same("forgotten", write(store, |unit| unit.forget_visits(20))?, 1)?;
    same("kept", read(store, |unit| unit.visits(&id, 9))?, visits[..3].to_vec())
}

pub(super) fn next_due_is_when_one_can_be_had(store: &dyn Registry) -> Kept {
    let next = || read(store, |unit| unit.next_due());
    put(store, "a/never", "github.com", None)?;
    same("never", next()?, None)?;
    put(store, "a/one", "github.com", Some(50))?;
    put(store, "b/two", "github.com", Some(300))?;
    same("the first", next()?, Some(50))?;
    claimed(store, &due("w", 60))?;
    same("its lease ends", next()?, Some(160))?;
    write(store, |unit| unit.renew("w", 900))?;
    same("the other", next()?, Some(300))
}

pub(super) fn rounds_are_joined(store: &dyn Registry) -> Kept {
    let join = |worker: &str, now: Seconds, until: Seconds| write(store, |unit| unit.join_round(worker, now, until));
    same("begun", join("a", 100, 200)?, 100)?;
    same("joined", join("b", 150, 300)?, 100)?;
    same("renewed", join("a", 160, 260)?, 100)?;
    // The first one is gone; who joined goes on with the round.
    same("joined later", join("c", 300, 400)?, 100)?;
    same("left", join("c", 301, 300)?, 100)?;
    same("over", join("d", 301, 400)?, 301)?;
    // Whoever comes back late takes part in what the others are at.
    same("late", join("a", 350, 450)?, 301)?;
    same("late and alone", join("b", 900, 1_000)?, 100)
}
