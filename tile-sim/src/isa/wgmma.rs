//! The `wgmma` family (PTX ISA, "Asynchronous Warpgroup Level Matrix Multiply-Accumulate
//! Instructions").
//!
//! Each of the four warps of a warpgroup computes its own 16 rows. [`Multiply::operands`] reads the
//! operands at the issue, [`Product::reads_of_a`] and [`Product::reads_of_b`] return the bytes of
//! shared memory that the operation reads, and [`Product::compute`] adds to the accumulators.

pub(crate) mod descriptor;
mod forms;
mod product;

pub(crate) use forms::decode;

use crate::check::{FaultKind, Trouble, init};
use crate::counters;
use crate::isa::{Op, Slot};
use crate::machine::Cx;
use crate::machine::cluster::ClusterState;
use crate::machine::in_flight_mmas::UnderWay;
use crate::machine::registers::Registers;
use crate::parse::decoder::{Condition, Slots};
use crate::parse::syntax::Space;
pub(crate) use product::Operands;
use product::{Multiplicand, Product};

/// A `wgmma` instruction.
#[derive(Clone, Debug)]
pub(crate) enum Wgmma {
    Multiply(Multiply),
    /// `wgmma.fence`.
    Fence,
    /// `wgmma.commit_group`.
    Commit,
    /// `wgmma.wait_group`: waits until at most this many groups are in flight.
    Wait(u64),
}

/// A `wgmma.mma_async`.
#[derive(Clone, Debug)]
pub(crate) struct Multiply {
    pub(crate) product: Product,
    /// The registers of D.
    pub(crate) sums: Slots,
    pub(crate) a: Source,
    b: Slot,
    /// The metadata register and the sparsity selector.
    sparse: Option<(Slot, usize)>,
    scale_d: Condition,
}

/// The source of A.
#[derive(Clone, Debug)]
pub(crate) enum Source {
    Registers(Slots),
    Descriptor(Slot),
}

fn misuse(message: impl Into<String>) -> Trouble {
    Trouble::of_warp(FaultKind::MatrixMisuse(message.into()))
}

fn uniform(r: &Registers, slot: Slot) -> Result<u64, Trouble> {
    let row = r.row_ref(slot);
    match row.iter().position(|&value| value != row[0]) {
        None => Ok(row[0]),
        Some(lane) => Err(Trouble::at(
            lane,
            FaultKind::MatrixMisuse("the lanes of the warp have different descriptors".into()),
        )),
    }
}

impl Multiply {
    /// Reads the operands of a warp.
    pub(crate) fn operands(&self, r: &Registers) -> Result<Operands, Trouble> {
        let scale = r.condition(self.scale_d);
        if scale != 0 && scale != u32::MAX {
            return Err(misuse("the lanes of the warp have different `scale-d`"));
        }
        let a = match &self.a {
            Source::Registers(slots) => {
                Multiplicand::Registers(slots.iter().map(|&slot| r.row(slot)).collect())
            }
            Source::Descriptor(slot) => Multiplicand::Shared(uniform(r, *slot)?),
        };
        Ok(Operands {
            a,
            b: uniform(r, self.b)?,
            metadata: self.sparse.map(|(slot, selector)| (r.row(slot), selector)),
            accumulate: scale != 0,
        })
    }

    /// Returns a register of D that is read in lanes in which it is uninitialized, and the mask of
    /// these lanes.
    pub(crate) fn undefined(&self, r: &Registers) -> Option<(Slot, u32)> {
        self.sums.iter().find_map(|&slot| {
            let missing = !r.defined(slot);
            (missing != 0).then_some((slot, missing))
        })
    }

    /// Returns the registers of A.
    fn a_slots(&self) -> &[Slot] {
        match &self.a {
            Source::Registers(slots) => slots,
            Source::Descriptor(_) => &[],
        }
    }

    /// Issues the operation.
    fn start(&self, cx: &mut Cx<'_, '_>) -> Result<(), Trouble> {
        let operands = self.operands(cx.registers)?;
        if operands.accumulate
            && cx.checks_all()
            && !cx.in_flight_mmas.computes(&self.sums)
            && let Some((slot, missing)) = self.undefined(cx.registers)
        {
            let name = &cx.kernel.slot_names[slot.index()];
            return Err(init::uninitialized(missing, name));
        }
        let warp = cx.warp_of_group();
        if warp == 0 {
            cx.counters
                .product(counters::Product::Wgmma, self.product.multiply_adds());
        }
        let of_a = self.product.reads_of_a(warp, &operands)?;
        let key = (cx.instruction, operands.b);
        let of_b = cx
            .cluster
            .unpacked
            .ranges(key, || self.product.reads_of_b(operands.b))?;
        let mut reads = Vec::with_capacity(of_a.len() + of_b.len());
        for range in of_a.iter().chain(&*of_b) {
            // The range is within the shared memory of a block.
            let bytes = (range.end - range.start) as usize;
            let spot = cx.shared_spot(0, Space::Shared, range.start, bytes)?;
            cx.check_shared_read_async(0, spot, bytes)?;
            reads.push((spot, bytes));
        }
        let product = UnderWay {
            instruction: cx.instruction,
            number: cx.in_flight_mmas.next(),
            operands,
            reads,
        };
        cx.in_flight_mmas
            .start(cx.kernel, &self.sums, self.a_slots(), product)
    }

    /// Computes the result of an issued operation.
    fn complete(&self, cx: &mut Cx<'_, '_>, product: &UnderWay) -> Result<(), Trouble> {
        let warp = cx.warp_of_group();
        let group = (usize::from(cx.agent) - warp) as u16;
        let ClusterState {
            blocks, unpacked, ..
        } = &mut *cx.cluster;
        let shared = &blocks[cx.block].shared;
        let operands = &product.operands;
        let mut read = |address: u64, bytes: &mut [u8; 16]| {
            // The address was checked at the issue.
            let offset = address as usize;
            bytes.copy_from_slice(&shared[offset..offset + 16]);
            Ok(())
        };
        let of = (product.instruction, operands.b);
        let rhs = unpacked.get((group, product.number), of, || {
            self.product.rhs(operands.b, &mut read)
        })?;
        let matrix = &mut unpacked.rows;
        if operands.accumulate {
            let register = |index: usize| cx.registers.row_ref(self.sums[index]);
            self.product.load(register, matrix);
        } else {
            self.product.clear(matrix);
        }
        self.product
            .compute(warp, operands, &rhs, matrix, &mut read)?;
        self.product.store(matrix, |index, row| {
            cx.registers.write(u32::MAX, self.sums[index], row);
        });
        for &(spot, bytes) in &product.reads {
            cx.end_shared_read_async(spot, bytes);
        }
        let slots = self.sums.iter().chain(self.a_slots());
        cx.in_flight_mmas.unlock(slots.copied());
        Ok(())
    }
}

impl Wgmma {
    /// Executes the instruction for a whole warp.
    pub(crate) fn execute(&self, cx: &mut Cx<'_, '_>) -> Result<(), Trouble> {
        match self {
            Self::Multiply(multiply) => multiply.start(cx)?,
            Self::Fence => cx.in_flight_mmas.fence(),
            Self::Commit => cx.in_flight_mmas.commit(),
            Self::Wait(left) => {
                for product in cx.in_flight_mmas.finish(*left) {
                    let line = &cx.kernel.lines[product.instruction as usize];
                    if let Op::Wgmma(op) = &line.op
                        && let Self::Multiply(multiply) = &**op
                    {
                        multiply.complete(cx, &product)?;
                    }
                }
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests;
