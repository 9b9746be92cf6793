//! Bodies that are judged, bodies that are taken in, and visits that find nothing new.

use lore_ckgp::registry_store::store::Registry;
use std::path::Path;
use std::sync::Arc;
use std::time::Instant;

use lore_ckgp::format::FormatId;
use lore_ckgp::registry_store::entry::Entry;
use lore_ckgp::registry_store::store::{About, writing};
use lore_registry::formats::Formats;
use lore_registry::search_text::CollectedWords;
use lore_registry::sync::rules;
use serde_json::json;

use super::meter::{Budget, Sheet, of_process, of_thread, peak};
use super::world::{Shares, Told, call, ctx};
use super::{Outcome, in_child, made, number};

/// Bytes of a body that is small, and of one that is large.
const SMALL: usize = 8_500;
const LARGE: usize = 2_500_000;
/// Megabytes each second that are judged, at least.
const SPEED: f64 = 200.0;
/// Rounds of which the best counts.
const ROUNDS: usize = 3;
/// What the reference takes for a small body, in milliseconds.
const REFERENCE: f64 = 1.3;
/// Milliseconds of the processor that a visit takes which finds nothing new.
const VISIT: f64 = 0.3;
/// How much more memory four times as many bodies may take: what the threads hold at the same moment differs from run to run.
const FLAT: f64 = 1.3;
/// Megabytes for each further worker: eight times the largest body of these, for the body itself, what is made of it and what the allocator keeps for a thread.
const PER_WORKER: f64 = 2.5 * 8.0;
/// Of the entries, every so manieth one is visited.
pub(crate) const EVERY: usize = 10;

/// Judges bodies on one core.
pub(crate) fn judge(sheet: &mut Sheet) -> Outcome<()> {
    sheet.title("bodies judged with the words that a visit gathers, on one core")?;
    let formats = Formats::of(Vec::new())?;
    for (name, count, bytes) in [("2,000 of 8.5 KB", 2_000, SMALL), ("100 of 2.5 MB", 100, LARGE)] {
        let mut of_format = Vec::new();
        let (mut all_seconds, mut all_bytes) = (0.0, 0);
        for (place, format) in made::FORMATS.iter().enumerate() {
            let mut best = f64::INFINITY;
            let mut sum = 0;
            for _ in 0..ROUNDS {
                sum = 0;
                let mut nanoseconds = 0;
                // As many at once as are held without harm.
                let numbers: Vec<usize> = (place..count).step_by(made::FORMATS.len()).collect();
                for some in numbers.chunks((LARGE / bytes).max(1)) {
                    let bodies: Vec<Vec<u8>> = some.iter().map(|number| made::body(*number, bytes)).collect();
                    sum += bodies.iter().map(Vec::len).sum::<usize>();
                    let before = of_thread();
                    for body in &bodies {
                        judged(&formats, format, body)?;
                    }
                    nanoseconds += of_thread() - before;
                }
                best = best.min(nanoseconds as f64 / 1e9);
            }
            all_seconds += best;
            all_bytes += sum;
            of_format.push(format!("{format} {:.0}", sum as f64 / 1e6 / best));
        }
        let speed = all_bytes as f64 / 1e6 / all_seconds;
        sheet.figure(name, speed, "MB/s", Budget::AtLeast(SPEED), &of_format.join(", "))?;
    }
    Ok(())
}

fn judged(formats: &Formats, format: &str, body: &[u8]) -> Outcome<usize> {
    let format = FormatId::parse(format).ok_or("the formats have names")?;
    let mut gathered = CollectedWords::default();
    let facts = formats.judge(&format, body, &mut |seen| gathered.see(seen))?;
    let (symbols, terms) = gathered.finish();
    Ok(facts.digest.len() + symbols.len() + terms.len())
}

/// Takes bodies in, few and many, and tells what that takes.
pub(crate) fn sync(sheet: &mut Sheet) -> Outcome<()> {
    for (name, bytes, few, many) in [("8.5 KB", SMALL, 2_000, 8_000), ("2.5 MB", LARGE, 100, 400)] {
        sheet.title(&format!("{few} bodies of {name} taken in, 8 workers"))?;
        let of_generating = number(
            &in_child(&["generate", &few.to_string(), &bytes.to_string()])?,
            "seconds",
        )?;
        let run = |count: usize, jobs: usize, is_measured: bool| -> Outcome<Told> {
            let scratch = tempfile::tempdir()?;
            let root = scratch.path().to_str().ok_or("a directory whose name is no text")?;
            let told = in_child(&[
                "sync",
                root,
                &count.to_string(),
                &bytes.to_string(),
                &jobs.to_string(),
                &is_measured.to_string(),
            ])?;
            if number(&told, "ok")? as usize == count {
                Ok(told)
            } else {
                Err(format!("not all of {count} bodies were taken in").into())
            }
        };
        let told = run(few, 8, false)?;
        let seconds = number(&told, "seconds")? - of_generating;
        let each = seconds * 1e3 / few as f64;
        let megabytes = (few * bytes) as f64 / 1e6;
        let budget = match bytes {
            SMALL => Budget::AtMost(REFERENCE),
            _ => Budget::None,
        };
        let more = format!(
            "{:.0} MB/s, {:.1} s in all",
            megabytes / seconds,
            number(&told, "time")?
        );
        sheet.figure("CPU for each", each, "ms", budget, &more)?;
        let shares = run(few, 8, true)?;
        let rest = number(&shares, "seconds")? - number(&shares, "web")?;
        let mut judging = rest;
        for (share, name) in [
            ("bodies", "  bodies kept"),
            ("writing", "  written to the store"),
            ("reading", "  read from the store"),
        ] {
            let seconds = number(&shares, share)?;
            judging -= seconds;
            sheet.figure(name, seconds * 1e3 / few as f64, "ms", Budget::None, "")?;
        }
        sheet.figure(
            "  judged, and everything else",
            judging * 1e3 / few as f64,
            "ms",
            Budget::None,
            "",
        )?;
        let more_told = run(many, 8, false)?;
        let (of_few, of_many) = (number(&told, "peak")?, number(&more_told, "peak")?);
        sheet.figure(&format!("memory at most, {few}"), of_few, "MB", Budget::None, "")?;
        let flat = Budget::AtMost((of_few * FLAT).ceil());
        sheet.figure(
            &format!("memory at most, {many}"),
            of_many,
            "MB",
            flat,
            "it does not grow with their number",
        )?;
        let alone = number(&run(few, 1, false)?, "peak")?;
        let per_worker = (of_few - alone) / 7.0;
        sheet.figure(
            "memory for each further worker",
            per_worker,
            "MB",
            Budget::AtMost(PER_WORKER),
            &format!("{alone:.0} MB with one"),
        )?;
    }
    Ok(())
}

/// What it takes to make bodies.
pub(crate) fn generated(count: usize, bytes: usize) -> Outcome<Told> {
    let before = of_process()?;
    let sum: usize = (made::EVENLY..made::EVENLY + count)
        .map(|number| std::hint::black_box(made::body(number, bytes)).len())
        .sum();
    Ok(Told::from([
        ("seconds".to_owned(), of_process()? - before),
        ("bytes".to_owned(), sum as f64),
    ]))
}

/// Registers repositories and visits them for the first time.
pub(crate) fn synced(root: &Path, count: usize, bytes: usize, jobs: usize, is_measured: bool) -> Outcome<Told> {
    let shares = is_measured.then(Arc::<Shares>::default);
    let ctx = ctx(root, bytes, shares.clone());
    let rules = rules(&ctx)?;
    writing(ctx.port::<dyn Registry>(), |store| {
        store.set_about(&about())?;
        for number in made::EVENLY..made::EVENLY + count {
            let repository = made::repository(number)
                .map_err(|error| lore_seam::OpError::new(lore_seam::ErrorKind::Internal, error.to_string()))?;
            let entry = Entry::new(repository, None, made::THEN);
            store.put(&entry, &rules.first_host(&entry), Some(made::THEN + number as i64))?;
        }
        Ok(())
    })?;
    let (before, began) = (of_process()?, Instant::now());
    let filled = shares.as_ref().map_or(0.0, |shares| shares.writing.seconds());
    let summary = call(&ctx, "registry_sync", json!({ "jobs": jobs }))?;
    let mut told = Told::from([
        ("seconds".to_owned(), of_process()? - before),
        ("time".to_owned(), began.elapsed().as_secs_f64()),
        ("peak".to_owned(), peak()?),
        ("ok".to_owned(), summary["by_status"]["ok"].as_f64().unwrap_or(0.0)),
    ]);
    if let Some(shares) = shares {
        told.insert("web".to_owned(), shares.web.seconds());
        told.insert("bodies".to_owned(), shares.bodies.seconds());
        told.insert("reading".to_owned(), shares.reading.seconds());
        told.insert("writing".to_owned(), shares.writing.seconds() - filled);
    }
    Ok(told)
}

/// What the registry says of itself.
pub(crate) fn about() -> About {
    About {
        name: "bench".to_owned(),
        url: Some("https://graphs.example".to_owned()),
        contact: Some("https://graphs.example/contact".to_owned()),
        created_at: made::THEN,
    }
}

/// Visits some of very many entries, of which there is nothing new.
pub(crate) fn visits(sheet: &mut Sheet, root: &Path) -> Outcome<()> {
    sheet.title("visits that find nothing new, of 100,000 entries")?;
    let path = root.to_str().ok_or("a directory whose name is no text")?;
    for (class, name) in [(0, "record and body"), (1, "record, body and the tip of the branch")] {
        super::asking::make_due(root, class)?;
        let told = in_child(&["visit", path])?;
        let visited = number(&told, "visited")?;
        if number(&told, "ok")? != visited
            || number(&told, "changed")? > 0.0
            || number(&told, "bytes")? > 128.0 * visited * class as f64
        {
            return Err(format!("visits found something new: {told:?}").into());
        }
        let more = format!(
            "{visited} visits with {} requests in {:.1} s, {:.0} MB at most",
            number(&told, "requests")?,
            number(&told, "time")?,
            number(&told, "peak")?
        );
        sheet.figure(
            name,
            number(&told, "seconds")? * 1e3 / visited,
            "ms",
            Budget::AtMost(VISIT),
            &more,
        )?;
    }
    Ok(())
}

/// Visits what is due.
pub(crate) fn visited(root: &Path) -> Outcome<Told> {
    let ctx = ctx(root, 0, None);
    let (before, began) = (of_process()?, Instant::now());
    let summary = call(&ctx, "registry_sync", json!({}))?;
    let of = |name: &str| summary[name].as_f64().unwrap_or(0.0);
    Ok(Told::from([
        ("seconds".to_owned(), of_process()? - before),
        ("time".to_owned(), began.elapsed().as_secs_f64()),
        ("peak".to_owned(), peak()?),
        ("ok".to_owned(), summary["by_status"]["ok"].as_f64().unwrap_or(0.0)),
        ("visited".to_owned(), of("visited")),
        ("changed".to_owned(), of("changed")),
        ("requests".to_owned(), of("requests")),
        ("bytes".to_owned(), of("bytes")),
    ]))
}
