//! This repository as a source of a graph: its parts, with the default options of the exports.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use super::access::{Readers, default_file};
use super::bundle::Part;
use super::dataset::Layer;
use super::export::write_gzipped;
use super::layers::{self, LayerOptions, Packaging};
use super::open::{Showing, Shown, dataset_of, show};
use lore_model::Cancel;
use lore_seam::{Alarm, Clock, Ctx, OpError, Ports, Scope};

/// This repository, at one moment: the parts of a tree without a commit say when it was, and they have to agree.
pub(super) struct ThisRepository {
    scope: Scope,
    now_ms: u64,
    /// The tree, once it was looked at.
    shown: Mutex<Option<Shown>>,
}

impl ThisRepository {
    pub(super) fn new(ctx: &Ctx, scope: &Scope) -> Self {
        Self {
            scope: scope.clone(),
            now_ms: ctx.ports.clock.now_ms(),
            shown: Mutex::default(),
        }
    }

    /// The bytes of a part; nothing if there is no such part.
    pub(super) fn part(&self, ctx: &Ctx, part: Part) -> Result<Option<Vec<u8>>, OpError> {
        let stopped = Stopped {
            now_ms: self.now_ms,
            clock: Arc::clone(&ctx.ports.clock),
        };
        let ports = Ports {
            clock: Arc::new(stopped),
            ..Ports::clone(&ctx.ports)
        };
        let ctx = Ctx {
            ports: Arc::new(ports),
            ..ctx.clone()
        };
        let shown = {
            let mut known = self.shown.lock().unwrap_or_else(PoisonError::into_inner);
            match known.as_ref() {
                Some(shown) => shown.clone(),
                None => known.insert(show(&ctx, &self.scope, &Showing::PUBLISHED)?).clone(),
            }
        };
        made(&ctx, &shown, part)
    }
}

/// A clock that does not advance.
struct Stopped {
    now_ms: u64,
    clock: Arc<dyn Clock>,
}

impl Clock for Stopped {
    fn now_ms(&self) -> u64 {
        self.now_ms
    }

    fn after(&self, time: Duration, ring: Box<dyn FnOnce() + Send>) -> Box<dyn Alarm> {
        self.clock.after(time, ring)
    }

    fn within(&self, time: Duration, cancel: &Cancel, work: Box<dyn FnOnce() + Send>) -> Result<bool, OpError> {
        self.clock.within(time, cancel, work)
    }
}

fn made(ctx: &Ctx, shown: &Shown, part: Part) -> Result<Option<Vec<u8>>, OpError> {
    match part {
        Part::Manifest => {
            let options = LayerOptions {
                packaging: Packaging::Bundle,
                ..LayerOptions::default()
            };
            layers::with_shown(ctx, shown, false, |source| layers::manifest(source, &options)).map(Some)
        }
        Part::Architecture => layers::with_shown(ctx, shown, false, layers::architecture).map(Some),
        Part::SymbolIndex => statements(ctx, shown, Layer::Index).map(Some),
        Part::FullDetail => statements(ctx, shown, Layer::Full).map(Some),
        Part::Acl => {
            let rules = |source: &layers::Source<'_>| default_file(source.identity, &Readers::default());
            let rules = layers::with_shown(ctx, shown, false, rules)?;
            Ok(Some(rules.into_bytes()))
        }
        Part::Readme => Ok(None),
    }
}

fn statements(ctx: &Ctx, shown: &Shown, layer: Layer) -> Result<Vec<u8>, OpError> {
    let dataset = dataset_of(ctx, shown.clone(), false)?;
    let mut content = Vec::new();
    write_gzipped(&dataset, layer, &mut content, &ctx.cancel)?;
    Ok(content)
}
