//! Races in shared memory, its use before it is written, and copies that were not waited for.
//!
//! Every byte remembers its last write and every warp's last read. A warp counts the barriers it
//! arrived at: its clock. At a barrier the clocks of those who arrive become known to those who
//! leave. An access is ordered behind another if its warp knows the other's clock from then.
//! Lanes of one warp are taken to be in order, as they run in lock step here.

use super::FaultKind;

/// Who accesses.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Who {
    pub(crate) warp: usize,
    /// The instruction's number.
    pub(crate) instruction: u32,
}

/// How it is accessed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum How {
    Plain,
    Atomic,
    /// By a copy that is under way.
    Copy,
}

/// When something happened: instruction, warp, how, and clock, from the lowest bit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Stamp(u64);

impl Stamp {
    const NEVER: Self = Self(0);

    fn new(who: Who, how: How, clock: u32) -> Self {
        let how = match how {
            How::Plain => 0,
            How::Atomic => 1,
            How::Copy => 2,
        };
        Self(
            u64::from(who.instruction)
                | (who.warp as u64) << 24
                | how << 29
                | u64::from(clock) << 32,
        )
    }

    fn instruction(self) -> u32 {
        self.0 as u32 & 0xff_ffff
    }

    fn warp(self) -> usize {
        (self.0 >> 24) as usize & 31
    }

    fn is_atomic(self) -> bool {
        self.0 >> 29 & 3 == 1
    }

    fn is_copy(self) -> bool {
        self.0 >> 29 & 3 == 2
    }

    fn clock(self) -> u32 {
        (self.0 >> 32) as u32
    }
}

/// A conflict, for which the machine still has to find the line of the other instruction.
pub(crate) enum Conflict {
    Known(FaultKind),
    Race {
        address: usize,
        access: &'static str,
        other_access: &'static str,
        warp: usize,
        instruction: u32,
    },
    Pending {
        address: usize,
        instruction: u32,
    },
}

/// What is known of the shared memory of a block.
pub(crate) struct Shadow {
    warps: usize,
    writes: Vec<Stamp>,
    /// One for each byte and warp; none if races are not looked for.
    reads: Vec<Stamp>,
    /// What each warp knows of each warp's clock.
    clocks: Vec<u32>,
    races: bool,
    init: bool,
}

impl Shadow {
    pub(crate) fn new(bytes: usize, warps: usize, races: bool, init: bool) -> Self {
        let mut shadow = Self {
            warps,
            writes: vec![Stamp::NEVER; bytes],
            reads: vec![Stamp::NEVER; if races { bytes * warps } else { 0 }],
            clocks: vec![0; warps * warps],
            races,
            init,
        };
        for warp in 0..warps {
            shadow.clocks[warp * warps + warp] = 1;
        }
        shadow
    }

    fn known(&self, warp: usize) -> &[u32] {
        &self.clocks[warp * self.warps..(warp + 1) * self.warps]
    }

    fn stamp(&self, who: Who, how: How) -> Stamp {
        Stamp::new(who, how, self.known(who.warp)[who.warp])
    }

    /// A warp arrives at a barrier: what it knows goes into `pool`.
    pub(crate) fn arrive(&mut self, warp: usize, pool: &mut Vec<u32>) {
        pool.resize(self.warps, 0);
        let known = &mut self.clocks[warp * self.warps..(warp + 1) * self.warps];
        for (pooled, &clock) in pool.iter_mut().zip(&*known) {
            *pooled = (*pooled).max(clock);
        }
        known[warp] += 1;
    }

    /// A warp leaves a barrier: it knows what is in `pool`.
    pub(crate) fn leave(&mut self, warp: usize, pool: &[u32]) {
        let known = &mut self.clocks[warp * self.warps..(warp + 1) * self.warps];
        for (clock, &pooled) in known.iter_mut().zip(pool) {
            *clock = (*clock).max(pooled);
        }
    }

    /// A previous write that is not ordered before an access.
    fn against_write(
        &self,
        who: Who,
        how: How,
        access: &'static str,
        address: usize,
        write: Stamp,
    ) -> Result<(), Conflict> {
        if write.is_copy() && how != How::Copy {
            return Err(Conflict::Pending {
                address,
                instruction: write.instruction(),
            });
        }
        let both_atomic = how == How::Atomic && write.is_atomic();
        let other = write.warp();
        if self.races
            && other != who.warp
            && !both_atomic
            && write.clock() > self.known(who.warp)[other]
        {
            return Err(Conflict::Race {
                address,
                access,
                other_access: "write",
                warp: other,
                instruction: write.instruction(),
            });
        }
        Ok(())
    }

    pub(crate) fn read(
        &mut self,
        who: Who,
        how: How,
        range: std::ops::Range<usize>,
    ) -> Result<(), Conflict> {
        let stamp = self.stamp(who, How::Plain);
        let mut checked = Stamp::NEVER;
        for address in range {
            let write = self.writes[address];
            if write == Stamp::NEVER {
                if self.init {
                    let address = address as u64;
                    return Err(Conflict::Known(FaultKind::UninitializedShared { address }));
                }
            } else if write != checked {
                self.against_write(who, how, "read", address, write)?;
                checked = write;
            }
            if self.races && how != How::Atomic {
                self.reads[address * self.warps + who.warp] = stamp;
            }
        }
        Ok(())
    }

    pub(crate) fn write(
        &mut self,
        who: Who,
        how: How,
        range: std::ops::Range<usize>,
    ) -> Result<(), Conflict> {
        let stamp = self.stamp(who, how);
        let mut checked = Stamp::NEVER;
        for address in range {
            let write = self.writes[address];
            if write != Stamp::NEVER && write != checked {
                self.against_write(who, how, "write", address, write)?;
                checked = write;
            }
            if self.races {
                let reads = &self.reads[address * self.warps..(address + 1) * self.warps];
                let known = self.known(who.warp);
                for (warp, (read, &clock)) in reads.iter().zip(known).enumerate() {
                    if read.clock() > clock && warp != who.warp {
                        return Err(Conflict::Race {
                            address,
                            access: "write",
                            other_access: "read",
                            warp,
                            instruction: read.instruction(),
                        });
                    }
                }
            }
            self.writes[address] = stamp;
        }
        Ok(())
    }

    /// A copy is done: its bytes are written now.
    pub(crate) fn complete(&mut self, who: Who, range: std::ops::Range<usize>) {
        let stamp = self.stamp(who, How::Plain);
        for write in &mut self.writes[range] {
            if write.is_copy() {
                *write = stamp;
            }
        }
    }
}
