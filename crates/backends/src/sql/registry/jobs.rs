//! Jobs of the registry: which entry is visited when, leases, finished visits, hosts that back off, and rounds over all entries.

use std::collections::BTreeSet;

use lore_ckgp::forge::RepositoryId;
use lore_ckgp::registry_store::entry::{Entry, Seconds};
use lore_ckgp::registry_store::store::{Claim, Got, Leased, MOST_LEASES, STUCK_FOR, Visit, Wanted};
use rusqlite::{Connection, Params, Row, params};

use super::{Said, limit, signed, unsigned};
use crate::sql::rows::{Listed, all, execute, one};

/// When a job was visited that never was.
const NEVER: Seconds = -1;
/// How many more jobs are looked at than are wanted before those of each host are looked at by themselves.
const MORE: usize = 4;
/// Seconds after which a round that nobody is at is forgotten.
const ROUND_KEPT: Seconds = 86_400;
/// The condition under which a job can be had: ?1 is the time, ?2 the number of leases that is too many.
const FREE: &str = "leases < ?2 AND (worker IS NULL OR lease_until <= ?1)";
/// The same for one that is stuck: ?1 is the time at which its last lease has to be over. The number is that of an index.
const STUCK: &str = "leases >= 5 AND (worker IS NULL OR lease_until <= ?1)";
const _: () = assert!(MOST_LEASES == 5);

/// Puts the job of an entry in the place of the one before; leases and what was lost of them are forgotten.
pub(super) fn put(connection: &Connection, entry: &Entry, host: &str, due: Option<Seconds>) -> Got<()> {
    let sql = "INSERT INTO registry_job (key, host, due, visited_at) VALUES (?1, ?2, ?3, ?4) \
               ON CONFLICT (key) DO UPDATE SET host = excluded.host, due = excluded.due, visited_at = excluded.visited_at, \
               worker = NULL, lease_until = NULL, leases = 0";
    let visited_at = entry.visited_at.unwrap_or(NEVER);
    execute(connection, sql, params![entry.repository.key(), host, due, visited_at]).map(drop)
}

/// Takes the job of an entry and its visits away.
pub(super) fn remove(connection: &Connection, key: &str) -> Got<()> {
    execute(connection, "DELETE FROM registry_visit WHERE key = ?1", [key])?;
    execute(connection, "DELETE FROM registry_job WHERE key = ?1", [key]).map(drop)
}

/// A due job: its sort key, its entry and its host.
type Free = (Seconds, String, String);

fn free(row: &Row<'_>) -> rusqlite::Result<Free> {
    Ok((row.get(0)?, row.get(1)?, row.get(2)?))
}

/// Leases jobs.
pub(super) fn claim(connection: &Connection, claim: &Claim<'_>) -> Got<Vec<Leased>> {
    let mut blocked: BTreeSet<String> = claim.without.iter().cloned().collect();
    blocked.extend(delayed_hosts(connection, claim.now)?.into_iter().map(|(host, _)| host));
    let keys = match claim.wanted {
        Wanted::These(these, since) => named(connection, claim, these, since, &blocked)?,
        Wanted::Due | Wanted::NotVisitedSince(_) => ordered(connection, claim, &blocked)?,
    };
    let mut leased = Vec::with_capacity(keys.len());
    for key in keys {
        let sql = "UPDATE registry_job SET worker = ?2, lease_until = ?3, leases = leases + 1 WHERE key = ?1 \
                   RETURNING host, leases, due, (SELECT entry FROM registry_repository AS r WHERE r.key = registry_job.key)";
        let got = one(connection, sql, params![key, claim.worker, claim.until], |row| {
            Ok(Leased {
                host: row.get(0)?,
                leases: row.get(1)?,
                due: row.get(2)?,
                entry: row.get::<_, Listed<Entry>>(3)?.0,
            })
        })?;
        leased.extend(got);
    }
    Ok(leased)
}

/// The first due jobs in an order.
fn ordered(connection: &Connection, claim: &Claim<'_>, blocked: &BTreeSet<String>) -> Got<Vec<String>> {
    let (by, condition, bound) = match claim.wanted {
        Wanted::NotVisitedSince(since) => ("visited_at", "visited_at < ?3 AND due IS NOT NULL", since),
        Wanted::Due | Wanted::These(..) => ("due", "due <= ?3", claim.now),
    };
    let looked_at = if blocked.is_empty() {
        claim.most
    } else {
        claim.most.saturating_mul(MORE)
    };
    let sql =
        format!("SELECT {by}, key, host FROM registry_job WHERE {condition} AND {FREE} ORDER BY {by}, key LIMIT ?4");
    let values = params![claim.now, MOST_LEASES, bound, limit(looked_at)];
    let mut jobs = all(connection, &sql, values, free)?;
    let is_all = jobs.len() < looked_at;
    jobs.retain(|(_, _, host)| !blocked.contains(host));
    if !is_all && jobs.len() < claim.most {
        // Those of a host that is not asked stand before the others, and they may be nearly all there are.
        jobs = by_host(
            connection,
            claim,
            blocked,
            &format!("{condition} AND {FREE}"),
            by,
            bound,
        )?;
    }
    jobs.truncate(claim.most);
    if jobs.len() < claim.most {
        // What is stuck comes behind everything else: it may be what ends processes.
        let over = match claim.wanted {
            Wanted::NotVisitedSince(_) => claim.now,
            Wanted::Due | Wanted::These(..) => claim.now - STUCK_FOR,
        };
        let condition = condition.replace("?3", "?2");
        let sql = format!("SELECT {by}, key, host FROM registry_job WHERE {STUCK} AND {condition} ORDER BY {by}, key");
        let stuck = all(connection, &sql, params![over, bound], free)?;
        let stuck = stuck.into_iter().filter(|(_, _, host)| !blocked.contains(host));
        jobs.extend(stuck.take(claim.most - jobs.len()));
    }
    Ok(jobs.into_iter().map(|(_, key, _)| key).collect())
}

/// The first jobs of each host that does not back off, in one order.
fn by_host(
    connection: &Connection,
    claim: &Claim<'_>,
    blocked: &BTreeSet<String>,
    condition: &str,
    by: &str,
    bound: Seconds,
) -> Got<Vec<Free>> {
    let sql =
        format!("SELECT {by}, key, host FROM registry_job WHERE host = ?5 AND {condition} ORDER BY {by}, key LIMIT ?4");
    let next = "SELECT min(host) FROM registry_job WHERE host > ?1";
    let mut jobs: Vec<Free> = Vec::new();
    let mut host = String::new();
    while let Some(after) = one(connection, next, [&host], |row| row.get::<_, Option<String>>(0))?.flatten() {
        host = after;
        if !blocked.contains(&host) {
            let values = params![claim.now, MOST_LEASES, bound, limit(claim.most), host];
            jobs.extend(all(connection, &sql, values, free)?);
            jobs.sort_unstable();
            jobs.truncate(claim.most);
        }
    }
    Ok(jobs)
}

/// Those of some entries whose jobs can be had, the one that is due first first.
fn named(
    connection: &Connection,
    claim: &Claim<'_>,
    these: &[RepositoryId],
    since: Seconds,
    blocked: &BTreeSet<String>,
) -> Got<Vec<String>> {
    let sql = "SELECT due, key, host FROM registry_job WHERE key = ?3 AND due IS NOT NULL AND visited_at < ?2 \
               AND (worker IS NULL OR lease_until <= ?1)";
    let mut jobs: Vec<Free> = Vec::new();
    for repository in these {
        let values = params![claim.now, since, repository.key()];
        jobs.extend(one(connection, sql, values, free)?);
    }
    jobs.retain(|(_, _, host)| !blocked.contains(host));
    jobs.sort_unstable();
    jobs.dedup();
    jobs.truncate(claim.most);
    Ok(jobs.into_iter().map(|(_, key, _)| key).collect())
}

/// Prolongs all leases of a worker.
pub(super) fn renew(connection: &Connection, worker: &str, until: Seconds) -> Got<()> {
    let sql = "UPDATE registry_job SET lease_until = ?2 WHERE worker = ?1";
    execute(connection, sql, params![worker, until]).map(drop)
}

/// Gives a lease back that did not count.
pub(super) fn give_back(connection: &Connection, worker: &str, key: &str, due: Seconds) -> Got<()> {
    let sql = "UPDATE registry_job SET worker = NULL, lease_until = NULL, leases = leases - 1, due = ?3 \
               WHERE key = ?1 AND worker = ?2";
    execute(connection, sql, params![key, worker, due]).map(drop)
}

/// Ends a lease with a visit; `false` if it was lost.
pub(super) fn finish(
    connection: &Connection,
    worker: &str,
    key: &str,
    visit: &Visit,
    due: Option<Seconds>,
) -> Got<bool> {
    let sql = "UPDATE registry_job SET worker = NULL, lease_until = NULL, leases = 0, due = ?3, visited_at = ?4 \
               WHERE key = ?1 AND worker = ?2";
    if execute(connection, sql, params![key, worker, due, visit.at])? == 0 {
        return Ok(false);
    }
    let sql = "INSERT INTO registry_visit (key, at, status, error, requests, bytes, is_changed) \
               VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)";
    let status = visit.status.word();
    let values = params![
        key,
        visit.at,
        status,
        visit.error,
        visit.requests,
        signed(visit.bytes),
        visit.is_changed
    ];
    execute(connection, sql, values)?;
    Ok(true)
}

/// The last visits of an entry, the newest first.
pub(super) fn visits(connection: &Connection, key: &str, most: usize) -> Got<Vec<Visit>> {
    let sql = "SELECT at, status, error, requests, bytes, is_changed FROM registry_visit WHERE key = ?1 \
               ORDER BY seq DESC LIMIT ?2";
    all(connection, sql, params![key, limit(most)], |row| {
        Ok(Visit {
            at: row.get(0)?,
            status: row.get::<_, Said>(1)?.0,
            error: row.get(2)?,
            requests: row.get(3)?,
            bytes: unsigned(row.get(4)?),
            is_changed: row.get(5)?,
        })
    })
}

/// Hosts that are not to be asked yet, and until when.
pub(super) fn delayed_hosts(connection: &Connection, now: Seconds) -> Got<Vec<(String, Seconds)>> {
    let sql = "SELECT host, delayed_until FROM registry_host WHERE delayed_until > ?1 ORDER BY host";
    all(connection, sql, [now], |row| Ok((row.get(0)?, row.get(1)?)))
}

/// When an entry was last visited.
pub(super) fn last_visit(connection: &Connection) -> Got<Option<Seconds>> {
    let last = found(connection, "SELECT max(visited_at) FROM registry_job", [])?;
    Ok(last.filter(|at| *at != NEVER))
}

/// When the next job is due.
pub(super) fn next_due(connection: &Connection) -> Got<Option<Seconds>> {
    let first = |sql: &str, values: &dyn Fn() -> [u32; 1]| found(connection, sql, values());
    let most = || [MOST_LEASES];
    let free = first(
        "SELECT due FROM registry_job WHERE due IS NOT NULL AND worker IS NULL AND leases < ?1 ORDER BY due, key LIMIT 1",
        &most,
    )?;
    let leased = first(
        "SELECT min(CASE WHEN lease_until > due THEN lease_until ELSE due END) FROM registry_job \
         WHERE worker IS NOT NULL AND due IS NOT NULL AND leases < ?1",
        &most,
    )?;
    Ok([free, leased].into_iter().flatten().min())
}

fn found(connection: &Connection, sql: &str, values: impl Params) -> Got<Option<Seconds>> {
    let time = one(connection, sql, values, |row| row.get::<_, Option<Seconds>>(0))?;
    Ok(time.flatten())
}

/// Entries that were leased too often, by id.
pub(super) fn stuck(connection: &Connection) -> Got<Vec<String>> {
    let sql = format!(
        "SELECT r.id FROM registry_job AS j JOIN registry_repository AS r ON r.key = j.key \
         WHERE j.leases >= {MOST_LEASES} ORDER BY j.key"
    );
    all(connection, &sql, [], |row| row.get(0))
}

/// The time since which a worker's round visits.
pub(super) fn join_round(connection: &Connection, worker: &str, now: Seconds, until: Seconds) -> Got<Seconds> {
    let sql = "SELECT since, lasts_until FROM registry_round WHERE worker = ?1";
    let own: Option<(Seconds, Seconds)> = one(connection, sql, [worker], |row| Ok((row.get(0)?, row.get(1)?)))?;
    let since = match own {
        Some((since, until)) if until >= now => since,
        own => {
            let sql = "SELECT min(since) FROM registry_round WHERE worker <> ?1 AND lasts_until >= ?2";
            let other = found(connection, sql, params![worker, now])?;
            other.or(own.map(|(since, _)| since)).unwrap_or(now)
        }
    };
    let sql = "INSERT INTO registry_round (worker, since, lasts_until) VALUES (?1, ?2, ?3) \
               ON CONFLICT (worker) DO UPDATE SET since = excluded.since, lasts_until = excluded.lasts_until";
    execute(connection, sql, params![worker, since, until])?;
    let sql = "DELETE FROM registry_round WHERE worker <> ?1 AND lasts_until < ?2";
    execute(connection, sql, params![worker, now.saturating_sub(ROUND_KEPT)])?;
    Ok(since)
}
