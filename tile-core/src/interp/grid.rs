//! Runs the blocks of a grid in parallel.
//!
//! Blocks are independent and each runs in program order, so that neither the results nor the
//! reported fault depend on the number of threads; the fault is that of the first block in order of
//! the grid (x fastest). Where blocks are not independent:
//!
//! - a sum by integer atomics does not depend on the order of blocks;
//! - a sum by float atomics does, so blocks with such a sum run sequentially;
//! - results that depend on the order of blocks (the old value that an atomic returns, `xchg`,
//!   compare and swap, a race) may differ from run to run with more than one thread.

use super::buffers::Buffers;
use super::check::{Check, Checker};
use super::compile::Compiled;
use super::fault::{FaultKind, Undefined};
use super::machine::{Failure, Frame, Machine, Site, run_steps};
use super::output::{End, Printer};
use super::tile::Data;
use super::{Fault, RunOptions};
use std::cell::RefCell;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

/// The maximum number of blocks of a grid that runs on the calling thread.
const INLINE_BLOCKS: usize = 1;

/// The number of times that a thread takes blocks of a grid, if all blocks take as long.
const CHUNKS: usize = 16;

impl Compiled {
    /// Makes a frame that holds the constants.
    pub(super) fn frame(&self) -> Frame {
        let mut frame = Frame {
            tiles: vec![Data::B8(Vec::new()); self.tiles],
            views: vec![super::window::View::default(); self.views],
            clocks: vec![super::check::Clock::default(); self.clocks],
        };
        for (slot, data) in &self.constants {
            frame.tiles[slot.0] = data.clone();
        }
        frame
    }
}

/// The inputs of a launch besides the frame.
pub(super) struct Launch<'a> {
    pub(super) compiled: &'a Compiled,
    pub(super) grid: [u32; 3],
    pub(super) buffers: Buffers,
    pub(super) frames: &'a Mutex<Vec<Frame>>,
    /// Writes the arguments to a frame.
    pub(super) bind: &'a (dyn Fn(&mut Frame) + Sync),
    pub(super) options: RunOptions<'a>,
}

/// A frame that returns to its pool when dropped.
struct Lease<'a> {
    frame: Frame,
    buffers: Buffers,
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
        let printer = match self.options.only_block {
            None => Printer::new(self.options.output),
            Some(block) => Printer::starting_at(self.number(block)?, self.options.output),
        };
        self.blocks(&printer)?;
        match printer.failure() {
            None => Ok(()),
            Some(error) => Err(self.refused(format!("cannot print: {error}"))),
        }
    }

    fn blocks(&self, printer: &Printer<'_>) -> Result<(), Fault> {
        let blocks = self.grid.iter().try_fold(1_usize, |blocks, &extent| {
            blocks.checked_mul(extent as usize)
        });
        let Some(blocks) = blocks else {
            return Err(self.refused("the grid is too large"));
        };
        let only = match self.options.only_block {
            None => None,
            Some(block) => Some(self.number(block)?),
        };
        let is_checked = self.options.check == Check::On;
        if is_checked && u32::try_from(blocks).is_err() {
            return Err(self.refused("the grid is too large to be checked"));
        }
        let checker = is_checked
            .then(|| {
                Checker::new(
                    Arc::clone(&self.compiled.operations),
                    self.grid,
                    &self.buffers,
                )
            })
            .map(RefCell::new);
        let in_order = is_checked || self.options.trace.is_some() || self.compiled.in_order;
        if let Some(number) = only {
            return self.block(&mut self.lease(), number, printer, checker.as_ref());
        }
        if blocks <= INLINE_BLOCKS || self.options.threads == Some(1) || in_order {
            let mut lease = self.lease();
            return (0..blocks)
                .try_for_each(|block| self.block(&mut lease, block, printer, checker.as_ref()));
        }
        match self.options.threads {
            None => self.parallel(blocks, printer),
            Some(threads) => {
                let pool = rayon_core::ThreadPoolBuilder::new()
                    .num_threads(threads)
                    .build();
                match pool {
                    Ok(pool) => pool.install(|| self.parallel(blocks, printer)),
                    Err(error) => {
                        Err(self.refused(format!("cannot start {threads} threads: {error}")))
                    }
                }
            }
        }
    }

    /// Returns the number of a block, in order of the grid.
    fn number(&self, block: [u32; 3]) -> Result<usize, Fault> {
        if block
            .iter()
            .zip(self.grid)
            .any(|(&at, extent)| at >= extent)
        {
            let [x, y, z] = block;
            let grid = self.grid;
            return Err(self.refused(format!("no block ({x}, {y}, {z}) in the grid {grid:?}")));
        }
        let [x, y, z] = block.map(|at| at as usize);
        let [width, height, _] = self.grid.map(|extent| extent as usize);
        Ok((z * height + y) * width + x)
    }

    /// Runs the blocks on the threads of the current pool, each of which takes a few at a time.
    fn parallel(&self, blocks: usize, printer: &Printer<'_>) -> Result<(), Fault> {
        let threads = rayon_core::current_num_threads().min(blocks);
        let taken = (blocks / (threads * CHUNKS)).max(1);
        let next = AtomicUsize::new(0);
        let first = AtomicUsize::new(usize::MAX);
        let fault: Mutex<Option<(usize, Fault)>> = Mutex::new(None);
        let work = || {
            let mut lease = self.lease();
            loop {
                let start = next.fetch_add(taken, Ordering::Relaxed);
                for block in start..blocks.min(start.saturating_add(taken)) {
                    // Blocks before the first known fault still run, so that the first fault of the
                    // grid is found.
                    if block > first.load(Ordering::Relaxed) {
                        return;
                    }
                    let Err(stop) = self.block(&mut lease, block, printer, None) else {
                        continue;
                    };
                    first.fetch_min(block, Ordering::Relaxed);
                    let mut fault = fault.lock().expect("nothing panics while it is held");
                    if fault.as_ref().is_none_or(|&(other, _)| block < other) {
                        *fault = Some((block, stop));
                    }
                }
                if start >= blocks {
                    return;
                }
            }
        };
        rayon_core::scope(|scope| {
            for _ in 1..threads {
                scope.spawn(|_| work());
            }
            work();
        });
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
            buffers: self.buffers.shared(),
            pool: self.frames,
        }
    }

    fn block(
        &self,
        lease: &mut Lease<'_>,
        number: usize,
        printer: &Printer<'_>,
        checker: Option<&RefCell<Checker>>,
    ) -> Result<(), Fault> {
        let mut text = Vec::new();
        let done = self.steps(lease, number, &mut text, checker);
        if self.compiled.prints {
            let end = if done.is_ok() { End::Done } else { End::Fault };
            printer.finish(number, text, end);
        }
        done
    }

    fn steps(
        &self,
        lease: &mut Lease<'_>,
        number: usize,
        text: &mut Vec<u8>,
        checker: Option<&RefCell<Checker>>,
    ) -> Result<(), Fault> {
        let [x, y, _] = self.grid.map(|extent| extent as usize);
        let position = [number % x, number / x % y, number / x / y];
        let block =
            position.map(|coordinate| u32::try_from(coordinate).expect("below the grid's extent"));
        if let Some(cancel) = self.options.cancel
            && cancel.load(Ordering::Relaxed)
        {
            return Err(Fault {
                kind: FaultKind::Cancelled,
                block,
                ..self.refused("cancelled")
            });
        }
        let Lease { frame, buffers, .. } = lease;
        buffers.start_block();
        let mut machine = Machine {
            frame,
            block,
            // Only checks use the number, and they accept only grids whose block numbers fit a
            // `u32`.
            block_number: u32::try_from(number).unwrap_or(u32::MAX),
            grid: self.grid,
            buffers,
            options: self.options,
            iterations: 0,
            chunk: None,
            checker,
            pending: RefCell::default(),
            reported: Vec::new(),
            printed: Vec::new(),
        };
        let done = run_steps(&self.compiled.steps, &mut machine);
        *text = machine.printed;
        if let Undefined::Report(reports) = self.options.undefined {
            for (site, trouble) in machine.reported {
                reports.record(self.fault(block, site, trouble));
            }
        }
        match done {
            Ok(_) => Ok(()),
            Err(stop) => {
                let (site, trouble) = stop.at(Site::ENTRY);
                Err(self.fault(block, site, trouble))
            }
        }
    }

    fn fault(&self, block: [u32; 3], site: Site, trouble: Failure) -> Fault {
        let Failure {
            kind,
            element,
            message,
        } = trouble;
        Fault {
            kind,
            kernel: self.compiled.name.clone(),
            block,
            op: site.name(),
            loc: site.loc,
            element: element.map(Into::into),
            message,
        }
    }

    fn refused(&self, message: impl Into<String>) -> Fault {
        super::refused(&self.compiled.name, message)
    }
}
