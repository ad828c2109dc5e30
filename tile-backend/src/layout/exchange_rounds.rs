//! Layout conversions within warps in rounds, which reuse a smaller buffer for one part of the tile after
//! another.
//!
//! Input: the layout in which a tile is written and the layout in which it is read. Output: the registers of
//! each part, and the layouts of a part.
//!
//! ```text
//!   a tile of 4 x 8 in 2 rounds: each thread has elements of both halves, before and after
//!
//!              written            read              memory
//!   round 0    rows 0, 1          rows 0, 1         2 x 8
//!   round 1    rows 2, 3          rows 2, 3         the same 2 x 8
//! ```
//!
//! Parts differ by *steps*: unit vectors of the tile along which both layouts move by registers alone. The
//! part of an element is a linear function that is 0 for the bases of lanes, warps and blocks in both
//! layouts, so it depends only on the register. Therefore, all threads are in the same part at the same time.

use super::f2::{self, Solver, Span};
use super::linear::LinearLayout;
use super::place::{InDim, Register};
use super::shape::{Axis, OutShape};

/// A layout conversion in rounds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ExchangeRounds {
    /// The layout in which a part is written.
    pub from: LinearLayout,
    /// The layout in which a part is read.
    pub to: LinearLayout,
    /// Per round, and per register of [`Self::from`], the register of the tile that is written.
    pub written: Vec<Vec<Register>>,
    /// Per round, and per register of [`Self::to`], the register of the tile that is read.
    pub read: Vec<Vec<Register>>,
}

impl ExchangeRounds {
    /// Returns a conversion in `1 << log2` rounds, or `None` if the layouts have different shapes, or too few
    /// steps in common.
    pub fn new(from: &LinearLayout, to: &LinearLayout, log2: u32) -> Option<Self> {
        if from.shape() != to.shape() {
            return None;
        }
        let shape = from.shape();
        let (steps, numbers) = steps(from, to, log2)?;
        let part = Part::new(shape, &steps);
        let (from, written) = part.place(from, &steps, &numbers)?;
        let (to, read) = part.place(to, &steps, &numbers)?;
        Some(Self {
            from,
            to,
            written,
            read,
        })
    }
}

/// Returns the steps, and a span that numbers the parts: the combination that [`Span::reduce`] returns for an
/// element is the number of its part.
fn steps(from: &LinearLayout, to: &LinearLayout, log2: u32) -> Option<(Vec<u64>, Span)> {
    let shape = from.shape();
    let register_spans =
        [from, to].map(|layout| Span::from_vectors(layout.bases(InDim::Register).iter().copied()));
    let mut numbers = Span::default();
    for layout in [from, to] {
        for dim in [InDim::Lane, InDim::Warp, InDim::Block] {
            for &basis in layout.bases(dim) {
                numbers.insert(basis, 0);
            }
        }
    }
    // Large steps come first, since small ones are within the vectors of memory accesses.
    let mut units: Vec<(u32, u64)> = (shape.axes())
        .flat_map(|axis: Axis| {
            (0..shape.log2_size(axis)).map(move |bit| (bit, shape.on_axis(axis, 1 << bit)))
        })
        .collect();
    units.sort_by_key(|&(bit, flat)| std::cmp::Reverse((bit, flat)));
    let mut steps = Vec::new();
    for &(_, unit) in &units {
        let is_missing = steps.len() < log2 as usize;
        if is_missing
            && register_spans
                .iter()
                .all(|register_spans| register_spans.contains(unit))
            && numbers.insert(unit, 1 << steps.len()).is_none()
        {
            steps.push(unit);
        }
    }
    for (_, unit) in units {
        numbers.insert(unit, 0);
    }
    (steps.len() == log2 as usize).then_some((steps, numbers))
}

/// The tile of one round: the whole tile without the steps.
struct Part {
    shape: OutShape,
    /// The images of the unit vectors of the whole tile.
    columns: Vec<u64>,
}

impl Part {
    fn new(shape: &OutShape, steps: &[u64]) -> Self {
        let sizes = shape.axes().map(|axis| {
            let along = |step: &&u64| shape.coordinate(**step, axis) != 0;
            shape.size(axis) >> steps.iter().filter(along).count()
        });
        let sizes: Vec<u64> = sizes.collect();
        let mut next = 0;
        let columns = (0..shape.total_bits()).map(|bit| {
            if steps.contains(&(1 << bit)) {
                return 0;
            }
            next += 1;
            1 << (next - 1)
        });
        Self {
            columns: columns.collect(),
            shape: OutShape::new(&sizes).expect("powers of two, shifted by no more than they have"),
        }
    }

    /// Returns the layout of one part of a tile in `layout`, and the registers of each part.
    fn place(
        &self,
        layout: &LinearLayout,
        steps: &[u64],
        numbers: &Span,
    ) -> Option<(LinearLayout, Vec<Vec<Register>>)> {
        let register_bases = layout.bases(InDim::Register);
        let rounds: Vec<u64> = register_bases
            .iter()
            .map(|&basis| numbers.reduce(basis).1)
            .collect();
        // These combinations of register bits stay within a part.
        let within = Solver::new(&rounds).kernel().to_vec();
        let onto = |flat: u64| f2::apply(&self.columns, flat);
        let registers = within
            .iter()
            .map(|&bits| onto(f2::apply(register_bases, bits)));
        let mut bases = vec![(InDim::Register, registers.collect::<Vec<u64>>())];
        for dim in InDim::ALL {
            if dim != InDim::Register {
                let list = layout.bases(dim).iter();
                bases.push((dim, list.map(|&basis| onto(basis)).collect()));
            }
        }
        let holders = Solver::new(register_bases);
        let starts: Vec<u64> = steps
            .iter()
            .map(|&step| holders.solve(step))
            .collect::<Option<_>>()?;
        let parts = (0..1u64 << steps.len()).map(|round| {
            let start = f2::apply(&starts, round);
            let registers = 0..1u64 << within.len();
            let registers = registers.map(|register| {
                let register = start ^ f2::apply(&within, register);
                Register(u32::try_from(register).expect("registers are few"))
            });
            registers.collect()
        });
        Some((
            LinearLayout::new(self.shape.clone(), bases),
            parts.collect(),
        ))
    }
}
