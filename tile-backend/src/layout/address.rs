//! Rewrites linear maps as instructions: shift, mask and XOR.
//!
//! Input: columns of a map from (register, lane, warp, block) to a number, such as a tile coordinate or a
//! shared-memory offset. Output: [`AddressParts`], which consist of a runtime part made of runs of bits, and
//! of one constant per register.
//!
//! ```text
//!   value(register, lane, warp) = constants[register]
//!                               ^ XOR over runs of ((input >> first_bit) & mask) << shift
//! ```

use super::f2;
use super::linear::LinearLayout;
use super::place::{InBits, InDim, Location, Register};
use super::shape::Axis;

/// A run of consecutive input bits that go to consecutive output bits:
/// `((x >> first_bit) & mask) << shift`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct BitRun {
    /// The input dimension: lane, warp or block.
    pub dim: InDim,
    /// The lowest input bit.
    pub first_bit: u32,
    /// The number of bits.
    pub count: u32,
    /// The output bit that `first_bit` goes to.
    pub shift: u32,
}

impl BitRun {
    /// Returns the mask after the right shift.
    pub fn mask(&self) -> u64 {
        (1 << self.count) - 1
    }

    /// Returns the output bits that the run can set.
    pub fn output_mask(&self) -> u64 {
        self.mask() << self.shift
    }

    /// Returns the contribution of the run for the input number `x`.
    pub fn evaluate(&self, x: u32) -> u64 {
        (u64::from(x) >> self.first_bit & self.mask()) << self.shift
    }
}

/// A linear function of register, lane, warp and block, split for code generation; see the module for the
/// formula.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AddressParts {
    /// The runs whose XOR is the runtime part. They are ordered by dimension, then by first bit.
    pub runs: Vec<BitRun>,
    /// The constant of each register, combined with the runtime part by XOR, or by addition if
    /// [`Self::is_additive`].
    pub constants: Vec<u64>,
}

impl AddressParts {
    /// Splits the map whose flat columns are `columns`, over the domain `bits`.
    ///
    /// # Panics
    /// If the domain has offset bits, or a column is missing.
    pub fn from_columns(bits: InBits, columns: &[u64]) -> Self {
        assert_eq!(
            bits.total() as usize,
            columns.len(),
            "one column per input bit"
        );
        assert_eq!(
            bits.bits(InDim::Offset),
            0,
            "an offset is no thread's number"
        );
        let (registers, _) = columns.split_at(bits.bits(InDim::Register) as usize);
        let constants = (0..1u64 << registers.len())
            .map(|register| f2::apply(registers, register))
            .collect();
        let runs = [InDim::Lane, InDim::Warp, InDim::Block]
            .into_iter()
            .flat_map(|dim| {
                let first = bits.shift(dim) as usize;
                runs_of(dim, &columns[first..first + bits.bits(dim) as usize])
            })
            .collect();
        Self { runs, constants }
    }

    /// Returns the coordinate on `axis` of the element that each thread's register holds.
    pub fn coordinate(layout: &LinearLayout, axis: Axis) -> Self {
        let columns: Vec<u64> = layout
            .columns()
            .iter()
            .map(|&basis| layout.shape().coordinate(basis, axis))
            .collect();
        Self::from_columns(layout.in_bits(), &columns)
    }

    /// Returns the offset in `memory` (in elements) of the element that each thread's register holds, or
    /// `None` if `memory` lacks an element.
    pub fn offset(layout: &LinearLayout, memory: &LinearLayout) -> Option<Self> {
        let columns = offset_columns(layout, memory)?;
        Some(Self::from_columns(layout.in_bits(), &columns))
    }

    /// Returns the value at `location`.
    pub fn evaluate(&self, location: Location) -> u64 {
        let constant = self.constants[Register(location.register).index()];
        constant ^ self.runtime(location)
    }

    /// Returns the runtime part of the value at `location`.
    pub fn runtime(&self, location: Location) -> u64 {
        self.runs
            .iter()
            .fold(0, |sum, run| sum ^ run.evaluate(location.get(run.dim)))
    }

    /// Returns the output bits that the runtime part can set.
    pub fn runtime_mask(&self) -> u64 {
        self.runs
            .iter()
            .fold(0, |mask, run| mask | run.output_mask())
    }

    /// Returns the output bits that a constant can set.
    pub fn constant_mask(&self) -> u64 {
        self.constants
            .iter()
            .fold(0, |mask, constant| mask | constant)
    }

    /// Returns the part of a register's constant that must be combined with the runtime part by XOR, because
    /// it shares bits with it.
    pub fn xored(&self, register: Register) -> u64 {
        self.constants[register.index()] & self.runtime_mask()
    }

    /// Returns the rest of a register's constant, which may be added after the XORs as an immediate offset. A
    /// base address is added after the XORs as well.
    pub fn immediate(&self, register: Register) -> u64 {
        self.constants[register.index()] & !self.runtime_mask()
    }

    /// Returns `true` if no output bit has two sources, so that every XOR of the formula may be an addition.
    /// Constants then become immediate offsets of one base address.
    pub fn is_additive(&self) -> bool {
        let mut seen = self.constant_mask();
        self.runs.iter().all(|run| {
            let fresh = seen & run.output_mask() == 0;
            seen |= run.output_mask();
            fresh
        })
    }
}

/// Returns the columns of `memory^-1` after `layout`: the offset in `memory` of each input bit of `layout`.
/// `None` if an element has no offset or is in another block's memory.
pub(super) fn offset_columns(layout: &LinearLayout, memory: &LinearLayout) -> Option<Vec<u64>> {
    if layout.shape() != memory.shape() || memory.bases(InDim::Block).iter().any(|&b| b != 0) {
        return None;
    }
    let inverse = memory.invert();
    let offset = |&basis: &u64| Some(u64::from(inverse.apply_flat(basis)?.offset));
    layout.columns().iter().map(offset).collect()
}

/// Splits the map with these columns into runs: diagonals of its bit matrix.
fn runs_of(dim: InDim, columns: &[u64]) -> Vec<BitRun> {
    let is_set = |input: usize, output: u32| {
        columns
            .get(input)
            .is_some_and(|column| column >> output & 1 == 1)
    };
    let mut runs = Vec::new();
    for input in 0..columns.len() {
        for output in (0..64).filter(|&output| is_set(input, output)) {
            let continues = input > 0 && output > 0 && is_set(input - 1, output - 1);
            if continues {
                continue;
            }
            let count = (0..64 - output)
                .take_while(|&step| is_set(input + step as usize, output + step))
                .count();
            runs.push(BitRun {
                dim,
                first_bit: u32::try_from(input).expect("a dimension has at most 31 bits"),
                count: u32::try_from(count).expect("an output has at most 64 bits"),
                shift: output,
            });
        }
    }
    runs
}
