//! Running the blocks of a grid over the cores.
//!
//! Blocks are independent and each runs in program order, so that the number of
//! threads never shows: neither in the results nor in which fault is reported,
//! which is that of the first block in order of the grid (x fastest).

use super::buffers::Buffers;
use super::compile::Compiled;
use super::machine::{Frame, Machine, Stop, run_steps};
use super::tile::Data;
use super::{Fault, RunOptions};
use crate::ir::Loc;
use rayon::prelude::*;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Grids of at most this many blocks run on the calling thread.
const INLINE_BLOCKS: usize = 1;

impl Compiled {
    /// A frame with the constants in place.
    pub(super) fn frame(&self) -> Frame {
        let mut frame = Frame {
            tiles: vec![Data::B8(Vec::new()); self.tiles],
            views: vec![super::window::View::default(); self.views],
        };
        for (slot, data) in &self.constants {
            frame.tiles[slot.0] = data.clone();
        }
        frame
    }
}

/// What a launch needs besides the frame.
pub(super) struct Launch<'a> {
    pub(super) compiled: &'a Compiled,
    pub(super) grid: [u32; 3],
    pub(super) buffers: Buffers,
    pub(super) frames: &'a Mutex<Vec<Frame>>,
    /// Puts the arguments into a frame.
    pub(super) bind: &'a (dyn Fn(&mut Frame) + Sync),
    pub(super) options: RunOptions<'a>,
}

/// A frame that goes back to its pool.
struct Lease<'a> {
    frame: Frame,
    pool: &'a Mutex<Vec<Frame>>,
}

impl Drop for Lease<'_> {
    fn drop(&mut self) {
        if let Ok(mut pool) = self.pool.lock() {
            pool.push(std::mem::take(&mut self.frame));
        }
    }
}

impl Launch<'_> {
    /// Runs every block.
    pub(super) fn run(&self) -> Result<(), Fault> {
        let blocks = self.grid.iter().try_fold(1_usize, |blocks, &extent| {
            blocks.checked_mul(extent as usize)
        });
        let Some(blocks) = blocks else {
            return Err(self.fault([0; 3], "entry", Loc::UNKNOWN, "the grid is too large"));
        };
        let in_order = self.options.trace.is_some() || self.compiled.in_order;
        if blocks <= INLINE_BLOCKS || self.options.threads == Some(1) || in_order {
            let mut lease = self.lease();
            return (0..blocks).try_for_each(|block| self.block(&mut lease.frame, block));
        }
        match self.options.threads {
            None => self.parallel(blocks),
            Some(threads) => {
                let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
                match pool {
                    Ok(pool) => pool.install(|| self.parallel(blocks)),
                    Err(error) => {
                        let message = format!("cannot start {threads} threads: {error}");
                        Err(self.fault([0; 3], "entry", Loc::UNKNOWN, message))
                    }
                }
            }
        }
    }

    fn parallel(&self, blocks: usize) -> Result<(), Fault> {
        let first = AtomicUsize::new(usize::MAX);
        let fault: Mutex<Option<(usize, Fault)>> = Mutex::new(None);
        (0..blocks).into_par_iter().for_each_init(
            || self.lease(),
            |lease, block| {
                // Blocks before the first known fault still run, so that the
                // first of all is found.
                if block > first.load(Ordering::Relaxed) {
                    return;
                }
                let Err(found) = self.block(&mut lease.frame, block) else {
                    return;
                };
                first.fetch_min(block, Ordering::Relaxed);
                let mut fault = fault.lock().expect("nothing panics while it is held");
                if fault.as_ref().is_none_or(|&(other, _)| block < other) {
                    *fault = Some((block, found));
                }
            },
        );
        match fault.into_inner().expect("nothing panics while it is held") {
            Some((_, fault)) => Err(fault),
            None => Ok(()),
        }
    }

    fn lease(&self) -> Lease<'_> {
        let pooled = self.frames.lock().ok().and_then(|mut frames| frames.pop());
        let mut frame = pooled.unwrap_or_else(|| self.compiled.frame());
        (self.bind)(&mut frame);
        Lease {
            frame,
            pool: self.frames,
        }
    }

    fn block(&self, frame: &mut Frame, block: usize) -> Result<(), Fault> {
        let [x, y, _] = self.grid.map(|extent| extent as usize);
        let position = [block % x, block / x % y, block / x / y];
        let block = position.map(|at| u32::try_from(at).expect("below the grid's extent"));
        if let Some(cancel) = self.options.cancel
            && cancel.load(Ordering::Relaxed)
        {
            return Err(self.fault(block, "entry", Loc::UNKNOWN, "cancelled"));
        }
        let mut machine = Machine {
            frame,
            block,
            grid: self.grid,
            buffers: &self.buffers,
            options: self.options,
            iterations: 0,
            chunk: None,
        };
        match run_steps(&self.compiled.steps, &mut machine) {
            Ok(_) => Ok(()),
            Err(Stop::At(site, message)) => {
                let op = format!("{} (operation {})", site.mnemonic, site.index);
                Err(self.fault(block, op, site.loc, message))
            }
            Err(Stop::Here(message)) => Err(self.fault(block, "entry", Loc::UNKNOWN, message)),
        }
    }

    fn fault(
        &self,
        block: [u32; 3],
        op: impl Into<String>,
        loc: Loc,
        message: impl Into<String>,
    ) -> Fault {
        Fault {
            kernel: self.compiled.name.clone(),
            block,
            op: op.into(),
            loc,
            message: message.into(),
        }
    }
}
