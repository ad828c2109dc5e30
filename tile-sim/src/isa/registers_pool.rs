//! The register pool of a block (PTX ISA, `setmaxnreg`).

use super::types::Type;
use crate::check::{FaultKind, Trouble};
use crate::machine::Cx;
use crate::machine::warp::Flow;
use crate::parse::decoder::{Decoded, Decoder};
use crate::parse::target::Target;

/// `setmaxnreg`: sets the number of registers per thread of the warp.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct SetRegisters {
    pub(crate) direction: Direction,
    pub(crate) count: u32,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Direction {
    /// Blocks until the pool has enough registers.
    Increase,
    Decrease,
}

pub(crate) fn decode(d: &mut Decoder<'_>) -> Decoded<SetRegisters> {
    let targets = [
        Target::only(90),
        Target::family(100),
        Target::family(110),
        Target::family(120),
    ];
    d.requires_one_of((8, 0), &targets)?;
    let direction = d.needs(&[("inc", Direction::Increase), ("dec", Direction::Decrease)])?;
    d.needs(&[("sync", ())])?;
    d.needs(&[("aligned", ())])?;
    d.ty_where(|ty| ty == Type::U32)?;
    d.end(1)?;
    match u32::try_from(d.number(0)?) {
        Ok(count @ 24..=256) if count.is_multiple_of(8) => Ok(SetRegisters { direction, count }),
        _ => d.error("the number of registers must be a multiple of 8, from 24 to 256"),
    }
}

/// The registers that each warp of a block holds, and the free ones.
#[derive(Clone, Debug, Default)]
pub(crate) struct Pool {
    /// Registers per thread, by warp.
    held: Vec<u32>,
    /// Free registers per thread, summed over warps.
    free: u32,
}

/// A violation of the `setmaxnreg` rules.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub(crate) enum PoolMisuse {
    #[error("`setmaxnreg.inc` to {count} while the warp has {held} registers per thread")]
    NotMore { count: u32, held: u32 },
    #[error("`setmaxnreg.dec` to {count} while the warp has {held} registers per thread")]
    NotFewer { count: u32, held: u32 },
}

impl Pool {
    /// Gives each warp the number of registers that the kernel was compiled for.
    pub(crate) fn new(warps: usize, registers: u32) -> Self {
        Self {
            held: vec![registers; warps],
            free: 0,
        }
    }

    /// Returns the registers per thread of a warp.
    pub(crate) fn held(&self, warp: usize) -> u32 {
        self.held[warp]
    }

    /// Returns the free registers per thread, summed over warps.
    pub(crate) fn free(&self) -> u32 {
        self.free
    }

    /// Executes `setmaxnreg`. Returns `false` if the warp must wait for others to release
    /// registers.
    pub(crate) fn set(&mut self, warp: usize, set: SetRegisters) -> Result<bool, PoolMisuse> {
        let (count, held) = (set.count, self.held[warp]);
        match set.direction {
            Direction::Decrease if count > held => Err(PoolMisuse::NotFewer { count, held }),
            Direction::Decrease => {
                self.free += held - count;
                self.held[warp] = count;
                Ok(true)
            }
            Direction::Increase if count < held => Err(PoolMisuse::NotMore { count, held }),
            Direction::Increase if count - held > self.free => Ok(false),
            Direction::Increase => {
                self.free -= count - held;
                self.held[warp] = count;
                Ok(true)
            }
        }
    }

    /// Releases all registers of a warp that exits.
    pub(crate) fn end(&mut self, warp: usize) {
        self.free += std::mem::take(&mut self.held[warp]);
    }
}

impl SetRegisters {
    pub(crate) fn execute(self, cx: &mut Cx<'_, '_>) -> Result<Flow, Trouble> {
        let warp = usize::from(cx.agent) - cx.block * cx.setting.warps;
        let pool = &mut cx.cluster.blocks[cx.block].registers;
        let done = pool
            .set(warp, self)
            .map_err(|misuse| Trouble::of_warp(FaultKind::Registers(misuse.to_string())))?;
        if !done {
            return Ok(Flow::Sleep);
        }
        cx.cluster.awake = true;
        cx.cluster.progress += 1;
        Ok(Flow::Next)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn consumers_take_what_the_producer_gives() {
        let mut pool = Pool::new(3, 168);
        let set = |direction, count| SetRegisters { direction, count };
        let increase = set(Direction::Increase, 232);
        assert_eq!(pool.set(1, increase), Ok(false));
        assert_eq!(pool.set(0, set(Direction::Decrease, 40)), Ok(true));
        assert_eq!(pool.free(), 128);
        assert_eq!(pool.set(1, increase), Ok(true));
        assert_eq!(pool.set(2, increase), Ok(true));
        assert_eq!((pool.free(), pool.held(2)), (0, 232));
        assert_eq!(pool.set(2, set(Direction::Increase, 240)), Ok(false));
        pool.end(0);
        assert_eq!(pool.set(2, set(Direction::Increase, 240)), Ok(true));
        let (count, held) = (248, 240);
        let misuse = PoolMisuse::NotFewer { count, held };
        assert_eq!(pool.set(2, set(Direction::Decrease, 248)), Err(misuse));
        let (count, held) = (24, 232);
        let misuse = PoolMisuse::NotMore { count, held };
        assert_eq!(pool.set(1, set(Direction::Increase, 24)), Err(misuse));
    }
}
