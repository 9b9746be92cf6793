//! `cargo xtask bench --ccg`: the dataset in place, beside the same quads loaded into another store; the layers' sizes, beside those of the
//! specification; an export, beside compressing the same bytes.

use std::fs::File;
use std::io::{self, BufReader, BufWriter, Read, Write};
use std::path::Path;
use std::process::Command;
use std::sync::Arc;
use std::time::{Duration, Instant};

use lore_backends::{IndexDefaults, Repository, RepositoryOptions, SystemClock};
use lore_ccg::dataset::{Dataset, Layer, Watch};
use lore_ccg::nquads::write_layer;
use lore_ccg::query::{Asked, Limits, Outcome as Results, ask};
use lore_ccg::{GzipWriter, Identity};
use lore_model::{Cancel, CodeGraph, EdgeKind, NoProgress, Symbol};
use lore_seam::{Code, GraphScope};
use oxigraph::io::RdfFormat;
use oxigraph::sparql::{QueryResults, SparqlEvaluator};
use oxigraph::store::Store;

use super::{SHORT_RUNS, fetch, load};
use crate::corpora::Copy;
use crate::disk::{Build, binary, make_directory};
use crate::process::{capture, run as run_command};
use crate::{Outcome, languages};

/// A first answer comes at least so many times sooner than from a store that has to be loaded.
const FIRST_ANSWER_RATIO: f64 = 50.0;
/// Seconds that callers and the complexity query take inside of the process.
const CALLERS_SECONDS: f64 = 0.005;
const COMPLEXITY_SECONDS: f64 = 0.100;
/// An export takes at most so many times as long as compressing the same bytes.
const EXPORT_RATIO: f64 = 2.0;
/// Quads beyond which the other store is not loaded: it would not fit into memory.
const MAX_LOADED: u64 = 6_000_000;
/// Bytes of the layers that the specification expects, by lines of code (§2.1).
const EXPECTED: &[(u64, &str)] = &[
    (1_000, "8 KB, 5 KB"),
    (5_000, "26 KB, 25 KB"),
    (50_000, "79 KB, 250 KB"),
    (200_000, "315 KB, 1 MB"),
    (1_000_000, "1.5 MB, 5 MB"),
];

const COMPLEXITY: &str = "PREFIX narsil: <https://narsilmcp.com/ontology/v1#>
SELECT ?fn ?complexity ?file WHERE {
  ?fn a narsil:Function ; narsil:complexity ?complexity ; narsil:definedIn ?file .
  FILTER(?complexity > 15)
} ORDER BY DESC(?complexity)";

/// Measures the chosen corpora, each in a process of the release build.
pub(super) fn run(chosen: &[String]) -> Outcome<()> {
    if let Some(load) = load().filter(|load| *load > super::QUIET_LOAD) {
        println!("note: the load of this machine is {load}; what else runs here disturbs the figures");
    }
    for (corpus, packages) in fetch(chosen, &languages::chosen(&[])?) {
        println!("{}", corpus.name);
        let copy = Copy::of(&packages)?;
        make_directory(&copy.cache())?;
        let lore = binary(Build::Release, "lore");
        capture(&mut copy.lore(&lore, &["index"]))?;
        let mut command = Command::new(binary(Build::Release, "xtask"));
        command.arg("ccg").arg(copy.tree()).arg(copy.cache());
        run_command(&mut command)?;
    }
    Ok(())
}

fn seconds(time: Duration) -> f64 {
    time.as_secs_f64()
}

fn failed(error: impl std::fmt::Display) -> String {
    error.to_string()
}

/// Measures one tree that is indexed.
pub(crate) fn measure(tree: &Path, cache: &Path) -> Outcome<()> {
    let repository = Arc::new(Repository::new(RepositoryOptions {
        root: Some(tree.to_owned()),
        start: tree.to_owned(),
        cache: Some(cache.to_owned()),
        user_cache: None,
        cache_limit: None,
        defaults: Arc::new(|_| Ok(IndexDefaults::default())),
    }));
    let began = Instant::now();
    let dataset = open(&repository)?;
    let callers = callers_query(dataset.graph(), dataset.identity());
    let rows = answer(&dataset, &callers)?;
    let first = began.elapsed();
    let best = |query: &str| -> Outcome<f64> {
        let mut best = f64::MAX;
        for _ in 0..SHORT_RUNS {
            let began = Instant::now();
            answer(&dataset, query)?;
            best = best.min(seconds(began.elapsed()));
        }
        Ok(best)
    };
    let (callers_time, complexity_time) = (best(&callers)?, best(COMPLEXITY)?);
    let complex = answer(&dataset, COMPLEXITY)?;
    println!(
        "  callers of the most called: {rows} rows in {:.2} ms ({}); complexity: {complex} rows in {:.1} ms ({}); opening and the first answer: {:.1} ms",
        callers_time * 1e3,
        kept(callers_time <= CALLERS_SECONDS),
        complexity_time * 1e3,
        kept(complexity_time <= COMPLEXITY_SECONDS),
        seconds(first) * 1e3,
    );
    let quads = export(&dataset, cache)?;
    if quads > MAX_LOADED {
        println!("  {quads} quads are too many for a store in memory beside");
        return Ok(());
    }
    beside(&cache.join("full.nq"), &callers, rows, first)
}

fn open(repository: &Arc<Repository>) -> Outcome<Dataset> {
    let scope = GraphScope {
        no_refresh: true,
        ..GraphScope::default()
    };
    let graph = repository
        .graph(&scope, &NoProgress, &Cancel::default())
        .map_err(failed)?;
    let identity = Identity::of(&repository.origin(&scope).map_err(failed)?, &graph);
    let reader = Arc::clone(repository);
    let read = Box::new(move |path: &str| reader.read(&GraphScope::default(), path));
    Ok(Dataset::new(graph, identity, 0, read, Box::new(|| Ok(None))))
}

/// The text's query for callers, of the symbol that most call.
fn callers_query(graph: &CodeGraph, identity: &Identity) -> String {
    let callers = |symbol: &Symbol<'_>| {
        let calls = symbol.incoming().filter(|edge| edge.kind() == EdgeKind::Call);
        calls.filter(|edge| edge.resolution().is_sure()).count()
    };
    let symbol = graph.symbols().max_by_key(callers);
    let name = symbol.map(|symbol| symbol.qualified_name()).unwrap_or_default();
    format!(
        "PREFIX narsil: <https://narsilmcp.com/ontology/v1#>
SELECT ?caller ?callerFile WHERE {{ ?caller narsil:calls <{}> ; narsil:definedIn ?callerFile . }}",
        identity.iri("sym", &name)
    )
}

fn answer(dataset: &Dataset, query: &str) -> Outcome<usize> {
    let limits = Limits {
        rows: usize::MAX,
        time: Duration::from_secs(600),
    };
    let asked = Asked::parse(query, dataset.identity(), &[]).map_err(failed)?;
    let watch = Arc::new(Watch::default());
    let view = dataset.view(Layer::Full, Arc::clone(&watch));
    match ask(&asked, view, &limits, &SystemClock::default(), &watch).map_err(failed)? {
        Results::Solutions { rows, .. } => Ok(rows.len()),
        _ => Err("the query has no rows".to_owned()),
    }
}

/// Exports layers 2 and 3, then compresses the same bytes and nothing else; the quads of layer 3, whose text is left as `full.nq`.
fn export(dataset: &Dataset, scratch: &Path) -> Outcome<u64> {
    let (mut exported, mut compressed, mut quads) = (0.0, 0.0, 0);
    let mut sizes = Vec::new();
    for (layer, name) in [(Layer::Index, "index.nq"), (Layer::Full, "full.nq")] {
        let before = memory();
        let began = Instant::now();
        let mut gzip = GzipWriter::new(Counted::default());
        quads = write_layer(dataset, layer, &mut gzip, &Cancel::default()).map_err(failed)?;
        let counted = gzip.finish().map_err(failed)?;
        exported += seconds(began.elapsed());
        let (size, grown) = (counted.bytes, counted.peak.saturating_sub(before));
        let path = scratch.join(name);
        let mut text = BufWriter::new(File::create(&path).map_err(failed)?);
        write_layer(dataset, layer, &mut text, &Cancel::default()).map_err(failed)?;
        text.flush().map_err(failed)?;
        compressed += compress(&path)?;
        sizes.push(format!(
            "{quads} quads, {} KB gzipped, {} MB more memory at the peak",
            size / 1_000,
            grown / 1_000_000
        ));
    }
    let loc: u64 = dataset
        .graph()
        .files()
        .map(|file| u64::from(file.lines().code.get()))
        .sum();
    let expected = EXPECTED
        .iter()
        .rev()
        .find(|(lines, _)| *lines <= loc)
        .map_or("less", |(_, sizes)| sizes);
    println!("  layer 2: {}\n  layer 3: {}", sizes[0], sizes[1]);
    println!("  {loc} lines of code; the specification's table has {expected} for the next smaller size");
    println!(
        "  export {:.0} ms, compressing the same bytes {:.0} ms: {:.2} times ({})",
        exported * 1e3,
        compressed * 1e3,
        exported / compressed,
        kept(exported / compressed <= EXPORT_RATIO),
    );
    Ok(quads)
}

/// Seconds that it takes to compress a file whose bytes are in memory, piece by piece.
fn compress(path: &Path) -> Outcome<f64> {
    let mut file = BufReader::new(File::open(path).map_err(failed)?);
    let mut piece = vec![0; 1 << 20];
    let mut gzip = GzipWriter::new(Counted::default());
    let mut spent = Duration::ZERO;
    loop {
        let count = file.read(&mut piece).map_err(failed)?;
        let began = Instant::now();
        if count == 0 {
            gzip.finish().map_err(failed)?;
            return Ok(seconds(spent + began.elapsed()));
        }
        gzip.write_all(&piece[..count]).map_err(failed)?;
        spent += began.elapsed();
    }
}

/// Loads the same quads into a store in memory and asks there.
fn beside(quads: &Path, callers: &str, wanted: usize, ours: Duration) -> Outcome<()> {
    let file = BufReader::with_capacity(1 << 20, File::open(quads).map_err(failed)?);
    let began = Instant::now();
    let store = Store::new().map_err(failed)?;
    let mut loader = store.bulk_loader();
    loader.load_from_reader(RdfFormat::NQuads, file).map_err(failed)?;
    loader.commit().map_err(failed)?;
    let first_rows = oracle(&store, callers)?;
    let first = seconds(began.elapsed());
    if first_rows != wanted {
        return Err(format!("{first_rows} rows from the other store, {wanted} from ours"));
    }
    let began = Instant::now();
    oracle(&store, COMPLEXITY)?;
    let ratio = first / seconds(ours);
    println!(
        "  Oxigraph in memory: first answer after {first:.2} s, {ratio:.0} times ours ({}); complexity in {:.1} ms",
        kept(ratio >= FIRST_ANSWER_RATIO),
        seconds(began.elapsed()) * 1e3,
    );
    Ok(())
}

fn oracle(store: &Store, query: &str) -> Outcome<usize> {
    let mut prepared = SparqlEvaluator::new().parse_query(query).map_err(failed)?;
    prepared.dataset_mut().set_default_graph_as_union();
    match prepared.on_store(store).execute().map_err(failed)? {
        QueryResults::Solutions(solutions) => Ok(solutions.count()),
        _ => Err("the query has no rows".to_owned()),
    }
}

fn kept(is_kept: bool) -> &'static str {
    if is_kept {
        "within its budget"
    } else {
        "OVER its budget"
    }
}

/// This process's own memory, where the system tells. Pages of mapped files do not count.
fn memory() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let anonymous = status.lines().find_map(|line| line.strip_prefix("RssAnon:"));
    let kilobytes = anonymous.and_then(|line| line.split_whitespace().next()?.parse::<u64>().ok());
    kilobytes.unwrap_or(0) * 1_000
}

/// Counts bytes and forgets them, and looks at memory after each megabyte.
#[derive(Default)]
struct Counted {
    bytes: u64,
    peak: u64,
}

impl Write for Counted {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let before = self.bytes;
        self.bytes += bytes.len() as u64;
        if before >> 20 != self.bytes >> 20 {
            self.peak = self.peak.max(memory());
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
