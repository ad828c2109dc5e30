//! The kernel of a seed: its loads, its computation, and its store.

use tile_core::testing::Random;
use tile_core::types::Scalar;

use super::families::{bits, moved, product, scaled, turned};

/// The kinds of kernels. Seeds cycle through them, so that a few seeds cover all.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Family {
    /// A tile is loaded and stored.
    Copy,
    /// A tile is loaded, and added to another by atomic operations.
    Add,
    /// Tiles are copied in a loop whose trip count does not depend on the tensor's extents. The index of a
    /// tile is a given number plus the counter.
    Loop,
    /// Tiles are copied in a loop over the tiles of the loaded tensor.
    Counted,
    /// As [`Family::Loop`], but an iteration loads the tile of the next iteration.
    Ahead,
    /// As [`Family::Loop`] or [`Family::Counted`], with rows that are long enough for bulk copies.
    Rows,
    /// The axes of a large tile are permuted, so that it goes through shared memory before it is stored.
    Turned,
    /// Tiles have elements of four bits.
    Bits,
    /// A matmul of tiles.
    Product,
    /// A block-scaled matmul of tiles.
    Scaled,
}

pub(super) const FAMILIES: [Family; 10] = [
    Family::Copy,
    Family::Add,
    Family::Loop,
    Family::Counted,
    Family::Ahead,
    Family::Rows,
    Family::Turned,
    Family::Bits,
    Family::Product,
    Family::Scaled,
];

/// The trip count of the loop that loads tiles.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Trips {
    Once,
    /// The number that a launch specifies.
    Given,
    /// The number of tiles of the first tensor along the axis that the loop follows.
    Counted,
}

/// The computation on the loaded tiles.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Work {
    Same,
    /// For each axis of the result, the axis of the tile.
    Permuted(Vec<usize>),
    /// Bytes are unpacked to two elements of this type, which has four bits.
    Unpacked(Scalar),
    /// Two elements of four bits are packed to a byte.
    Packed,
    Product(Product),
}

/// A matmul accumulated over all trips.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Product {
    pub(super) sum: Scalar,
    /// For each operand, `true` if bytes are signed.
    pub(super) signs: [bool; 2],
    pub(super) is_scaled: bool,
}

/// The kind of a view of a tensor.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Partition,
    Strided(Vec<u64>),
    /// Gathers along an axis, in steps of this number of elements.
    Gather(usize, u64),
}

/// The partition of a tensor into tiles.
#[derive(Clone, Debug)]
pub(super) struct View {
    pub(super) kind: Kind,
    /// For each axis of the tile, the axis of the tensor.
    pub(super) order: Vec<usize>,
    pub(super) padding: Option<&'static str>,
    /// Extents, if they are part of the type.
    pub(super) shape: Option<Vec<u64>>,
    /// `true` if the tensor is a part of a larger one: it begins after the start of its buffer, and foreign
    /// elements separate its rows.
    pub(super) is_narrow: bool,
}

/// The term that is added to the number of the launch in an index.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Term {
    Nothing,
    Counter,
    /// The counter, without a number of the launch.
    CounterAlone,
    /// The block index along an axis of the grid.
    Block(usize),
}

/// The elements of a tensor.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Contents {
    /// Arbitrary bits.
    Bits,
    /// Integers from `-n` to `n`.
    Integers(usize),
    /// 1/2, 1 and 2.
    Scales,
}

/// The tiles of a tensor that are loaded or stored.
#[derive(Clone, Debug)]
pub(super) struct Access {
    pub(super) name: &'static str,
    pub(super) scalar: Scalar,
    pub(super) tile: Vec<u64>,
    pub(super) view: View,
    /// For each axis of the tile, the term of its index.
    pub(super) terms: Vec<Term>,
    pub(super) contents: Contents,
}

#[expect(
    clippy::struct_excessive_bools,
    reason = "each is drawn independently, and all combinations occur"
)]
#[derive(Clone, Debug)]
pub(super) struct Case {
    pub(super) family: Family,
    pub(super) trips: Trips,
    /// `true` if an iteration loads the tiles of the next iteration.
    pub(super) is_ahead: bool,
    /// `true` if the result is added atomically.
    pub(super) is_added: bool,
    pub(super) work: Work,
    pub(super) index: Scalar,
    /// `true` for the variant `general`, which has no facts and 64-bit numbers.
    pub(super) is_general: bool,
    /// `true` if the kernel states that extents of the contiguous axis are whole vectors.
    pub(super) is_whole: bool,
    /// `true` if parameters do not alias.
    pub(super) is_apart: bool,
    pub(super) num_warps: Option<u32>,
    /// Stages of the circular buffers of pipelined loops.
    pub(super) stages: Option<u32>,
    pub(super) grid: [u32; 3],
    pub(super) inputs: Vec<Access>,
    pub(super) output: Access,
}

impl View {
    /// Returns a view of the `round`th kind.
    pub(super) fn new(round: u64, random: &mut Random<'_>, tile: &[u64], scalar: Scalar) -> Self {
        let rank = tile.len();
        let mut order: Vec<usize> = (0..rank).collect();
        if round % 5 == 3 && rank > 1 {
            order.rotate_left(1 + random.below(rank - 1));
        } else if random.one_in(4) {
            random.shuffle(&mut order);
        }
        let kind = match round % 5 {
            1 => {
                let sizes = tile.iter();
                let steps = sizes.map(|&size| random.pick(&[1, 3, size, size, 2 * size, size + 5]));
                let mut steps: Vec<u64> = steps.collect();
                // In half of the strided views, tiles begin at whole vectors.
                if round % 10 == 1 {
                    steps[rank - 1] = 2 * tile[rank - 1];
                }
                Kind::Strided(steps)
            }
            2 => Kind::Gather(random.below(rank), random.pick(&[1, 3, 7])),
            _ => Kind::Partition,
        };
        if matches!(kind, Kind::Gather(..)) {
            order.sort_unstable();
        }
        let padding = if scalar.is_float() {
            random.pick(&["zero", "neg_zero", "nan", "pos_inf", "neg_inf"])
        } else {
            "zero"
        };
        let shape = random.one_in(5).then(|| {
            let mut shape = vec![0; rank];
            for (axis, &size) in tile.iter().enumerate() {
                shape[order[axis]] = size * random.below(3) as u64 + 1 + random.below(3) as u64;
            }
            shape
        });
        Self {
            kind,
            order,
            padding: Some(padding),
            shape,
            is_narrow: round % 5 == 4 || random.one_in(3),
        }
    }

    /// Returns the number of elements between the starts of neighbouring tiles of `size` elements.
    pub(super) fn step(&self, axis: usize, size: u64) -> u64 {
        match &self.kind {
            Kind::Partition => size,
            Kind::Strided(steps) => steps[axis],
            Kind::Gather(..) => 1,
        }
    }

    /// Returns `true` if the view permutes the axes of the tensor.
    pub(super) fn is_permuted(&self) -> bool {
        !self.order.is_sorted()
    }

    /// Returns the view with disjoint tiles, for stores.
    pub(super) fn apart(mut self) -> Self {
        self.kind = Kind::Partition;
        self
    }
}

impl Access {
    pub(super) fn new(name: &'static str, scalar: Scalar, tile: &[u64], view: View) -> Self {
        Self {
            name,
            scalar,
            tile: tile.to_vec(),
            view,
            terms: vec![Term::Nothing; tile.len()],
            contents: Contents::Bits,
        }
    }

    pub(super) fn along(mut self, axis: usize, term: Term) -> Self {
        self.terms[axis] = term;
        self
    }

    pub(super) fn with_contents(mut self, contents: Contents) -> Self {
        self.contents = contents;
        self
    }

    /// Removes the padding, which stores do not have.
    fn stored(mut self) -> Self {
        self.view.padding = None;
        self
    }

    pub(super) fn rank(&self) -> usize {
        self.tile.len()
    }

    pub(super) fn elements(&self) -> u64 {
        self.tile.iter().product()
    }
}

impl Case {
    pub(super) fn new(seed: u64) -> Self {
        let random = &mut Random::new(seed.wrapping_mul(0x9e37) ^ 0xb0d5);
        let families = FAMILIES.len() as u64;
        let family = FAMILIES[usize::try_from(seed % families).expect("few")];
        let round = seed / families;
        let mut case = match family {
            Family::Copy
            | Family::Add
            | Family::Loop
            | Family::Counted
            | Family::Ahead
            | Family::Rows => moved(family, round, random),
            Family::Turned => turned(round, random),
            Family::Bits => bits(round, random),
            Family::Product => product(round, random),
            Family::Scaled => scaled(round, random),
        };
        case.is_general = round % 3 == 2;
        case.is_whole = !case.is_general && random.one_in(3);
        case.is_apart = random.one_in(2);
        // The type of indices must be wide enough for gathered line numbers to be distinct.
        let is_short = |access: &Access| match access.view.kind {
            Kind::Gather(axis, _) => {
                let rest = access.tile[axis].checked_shr(case.index.bits());
                rest.is_some_and(|rest| rest > 0)
            }
            Kind::Partition | Kind::Strided(_) => false,
        };
        if case.accesses().any(is_short) {
            case.index = Scalar::I32;
        }
        case
    }

    /// Returns a case that stores a tile of `input` unchanged.
    pub(super) fn plain(family: Family, index: Scalar, input: Access, output: Access) -> Self {
        Self {
            family,
            trips: Trips::Once,
            is_ahead: false,
            is_added: false,
            work: Work::Same,
            index,
            is_general: false,
            is_whole: false,
            is_apart: false,
            num_warps: None,
            stages: None,
            grid: [1; 3],
            inputs: vec![input],
            output: output.stored(),
        }
    }

    pub(super) fn product(&self) -> Option<Product> {
        match self.work {
            Work::Product(product) => Some(product),
            Work::Same | Work::Permuted(_) | Work::Unpacked(_) | Work::Packed => None,
        }
    }

    /// Iterates over the accesses to tensors, in the order of parameters.
    pub(super) fn accesses(&self) -> impl Iterator<Item = &Access> {
        self.inputs.iter().chain([&self.output])
    }
}
