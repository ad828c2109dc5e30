//! [`LinearLayout`]: a linear map over F2 from hardware places to tile elements.
//!
//! A layout stores, for each input dimension, the images of its bits ("bases") as flat
//! tile indices. The element held at a place is the XOR of the bases at the set bits
//! of its register, lane, warp, block and offset numbers.
//!
//! ```text
//!   m16n8 accumulator            lane 0  1  2  3        register 0 at (lane/4, 2*(lane%4))
//!   register [(0,1), (8,0)]   r0,r1 ->  0 1|2 3|4 5|6 7  row 0
//!   lane [(0,2), (0,4),          lane 4  5  6  7
//!         (1,0), (2,0), (4,0)]          0 1|2 3|4 5|6 7  row 1
//! ```
//!
//! Two kinds of layout are one type: a distributed layout uses register, lane, warp and block; a
//! shared-memory layout uses offset (in elements) and block. An unused dimension has no bases.
//!
//! Invariants:
//! - every basis is below the tile's number of elements
//! - at most 63 input bits in all
//! - a zero or dependent basis means replication: several places hold one element

use std::fmt;

use smallvec::{SmallVec, smallvec};

use super::f2::{self, Solver, Span};
use super::place::{InBits, InDim, Location, Register};
use super::shape::{Axis, OutShape};

type Bases = SmallVec<[u64; 8]>;

/// A linear map from hardware places to the elements of a tile; see the module.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct LinearLayout {
    bases: [Bases; 5],
    shape: OutShape,
}

fn bit_count(bases: &[u64]) -> u32 {
    u32::try_from(bases.len()).expect("a dimension has at most 31 bits")
}

/// Constructors.
impl LinearLayout {
    /// Returns the layout of a tile of `shape` with flat bases per dimension. If a dimension is listed
    /// several times, its bases are appended.
    ///
    /// # Panics
    /// If a basis is outside the tile, or there are too many.
    pub fn new<B: AsRef<[u64]>>(
        shape: OutShape,
        bases: impl IntoIterator<Item = (InDim, B)>,
    ) -> Self {
        let mut layout = Self {
            bases: Default::default(),
            shape,
        };
        for (dim, list) in bases {
            layout.bases[dim.index()].extend_from_slice(list.as_ref());
        }
        let mut all_bases = layout.bases.iter().flatten();
        assert!(
            all_bases.all(|&basis| basis < layout.shape.num_elements()),
            "a basis lies outside the tile"
        );
        assert!(
            layout.bases.iter().all(|list| list.len() < 32),
            "a dimension has at most 31 bits"
        );
        assert!(
            layout.in_bits().total() < 64,
            "a layout has at most 63 input bits"
        );
        layout
    }

    /// Returns the layout of a tile with one element and no input bits.
    pub fn unit(rank: usize) -> Self {
        let shape = OutShape::from_log2((0..rank).map(|_| 0));
        Self::new::<[u64; 0]>(shape, [])
    }

    /// Returns the layout in which `dim` counts through the tile, along `order` (fastest axis first).
    ///
    /// # Panics
    /// Unless `order` is a permutation of the axes.
    pub fn identity(dim: InDim, shape: OutShape, order: &[Axis]) -> Self {
        assert_permutation(order, shape.rank());
        let bases: Bases = order
            .iter()
            .flat_map(|&axis| {
                let shape = &shape;
                (0..shape.log2_size(axis)).map(move |bit| shape.on_axis(axis, 1 << bit))
            })
            .collect();
        Self::new(shape, [(dim, bases)])
    }

    /// Returns the layout of one element held by all `2^bits` values of `dim`.
    pub fn replicated(dim: InDim, bits: u32, rank: usize) -> Self {
        let bases: Bases = smallvec![0; bits as usize];
        Self::new(Self::unit(rank).shape, [(dim, bases)])
    }
}

fn assert_permutation(order: &[Axis], rank: usize) {
    assert!(
        order.len() == rank && (0..rank).all(|axis| order.contains(&Axis(axis))),
        "an order lists each axis once"
    );
}

/// Queries.
impl LinearLayout {
    /// Returns the shape of the tile.
    pub fn shape(&self) -> &OutShape {
        &self.shape
    }

    /// Returns the bases of one dimension, as flat tile indices, bit 0 first.
    pub fn bases(&self, dim: InDim) -> &[u64] {
        &self.bases[dim.index()]
    }

    /// Returns the domain.
    pub fn in_bits(&self) -> InBits {
        InBits::new(InDim::ALL.map(|dim| bit_count(self.bases(dim))))
    }

    /// Returns the number of values of `dim`.
    pub fn size(&self, dim: InDim) -> u32 {
        1 << bit_count(self.bases(dim))
    }

    /// Returns the number of values that a thread holds.
    pub fn num_registers(&self) -> usize {
        1 << self.bases(InDim::Register).len()
    }

    /// Returns the registers of a thread, in order.
    pub fn registers(&self) -> impl Iterator<Item = Register> + use<> {
        (0..self.size(InDim::Register)).map(Register)
    }

    /// Returns all bases in the order of a flat input index.
    pub fn columns(&self) -> SmallVec<[u64; 24]> {
        self.bases.iter().flatten().copied().collect()
    }

    /// Returns the flat tile index of the element at `location`.
    ///
    /// # Panics
    /// If the place is outside the domain.
    pub fn apply_flat(&self, location: Location) -> u64 {
        f2::apply(&self.columns(), self.in_bits().flatten(location))
    }

    /// Returns the coordinates of the element at `location`.
    ///
    /// # Panics
    /// If the place is outside the domain.
    pub fn apply(&self, location: Location) -> SmallVec<[u64; 4]> {
        self.shape.unflatten(self.apply_flat(location))
    }

    /// Returns the rank of the linear map: the number of tile-index bits that it reaches.
    pub fn rank(&self) -> usize {
        f2::rank(&self.columns())
    }

    /// Returns `true` if every element has a place.
    pub fn is_surjective(&self) -> bool {
        self.rank() == self.shape.total_bits() as usize
    }

    /// Returns `true` if no element has two places.
    pub fn is_injective(&self) -> bool {
        self.rank() == self.in_bits().total() as usize
    }

    /// Returns a basis of the flat input indices that hold element zero: two places hold the same element
    /// exactly if their XOR is in the span of this basis.
    pub fn kernel(&self) -> Vec<u64> {
        Solver::new(&self.columns()).kernel().to_vec()
    }

    /// Returns the bits of `dim` that can be held at zero without losing an element, if the same is done in
    /// all dimensions. Exactly one place per element is then left, so the predicate of a store is
    /// `lane & free_mask(Lane) == 0`, and likewise for the other dimensions.
    pub fn free_mask(&self, dim: InDim) -> u32 {
        let mask = Solver::new(&self.columns()).free_mask();
        self.in_bits().extract(mask, dim)
    }

    /// Returns the inverse, which maps each element to the place that holds it. Of several places, it takes
    /// the one with the lowest block, then warp, then lane, then register. An element without a place maps to
    /// `None`.
    pub fn invert(&self) -> Inverse {
        Inverse {
            solver: Solver::new(&self.columns()),
            bits: self.in_bits(),
        }
    }

    /// Returns `true` if each thread, block and offset holds the same elements in both layouts, though
    /// perhaps in other registers; see [`Self::register_permutation`].
    pub fn is_equivalent(&self, other: &Self) -> bool {
        self.register_permutation(other).is_some()
    }

    /// Returns, for each register of `other`, the register of `self` with the same element in every thread,
    /// if there is one.
    pub fn register_permutation(&self, other: &Self) -> Option<Vec<Register>> {
        let same_threads = InDim::ALL
            .into_iter()
            .filter(|&dim| dim != InDim::Register)
            .all(|dim| self.bases(dim) == other.bases(dim));
        if self.shape != other.shape || !same_threads {
            return None;
        }
        if self.bases(InDim::Register).len() != other.bases(InDim::Register).len() {
            return None;
        }
        let solver = Solver::new(self.bases(InDim::Register));
        let columns: Vec<u64> = other
            .bases(InDim::Register)
            .iter()
            .enumerate()
            .map(|(bit, &basis)| solver.solve_near(basis, 1 << bit))
            .collect::<Option<_>>()?;
        Some(register_map(&columns, other.num_registers()))
    }
}

/// Returns the image of each of `count` registers.
fn register_map(columns: &[u64], count: usize) -> Vec<Register> {
    (0..count as u64)
        .map(|register| {
            let image = f2::apply(columns, register);
            Register(u32::try_from(image).expect("a dimension has at most 31 bits"))
        })
        .collect()
}

/// Transformations.
impl LinearLayout {
    /// Maps every basis through `change` into a tile of `shape`.
    fn map_bases(&self, shape: OutShape, change: impl Fn(u64) -> u64) -> Self {
        let lists = InDim::ALL.map(|dim| {
            let list: Bases = self.bases(dim).iter().map(|&basis| change(basis)).collect();
            (dim, list)
        });
        Self::new(shape, lists)
    }

    /// Replaces each element of `outer` by the tile of `self`. Both must have the same rank, and sizes
    /// multiply axis by axis. In each dimension, the bits of `outer` come above those of `self`.
    #[must_use]
    pub fn product(&self, outer: &Self) -> Self {
        assert_eq!(
            self.shape.rank(),
            outer.shape.rank(),
            "factors have one rank"
        );
        let log2 = self.shape.log2_sizes().iter();
        let shape = OutShape::from_log2(
            log2.zip(outer.shape.log2_sizes())
                .map(|(inner, outer)| inner + outer),
        );
        let low = self.map_bases(shape.clone(), |basis| {
            shape.flatten(&self.shape.unflatten(basis))
        });
        let high = outer.map_bases(shape.clone(), |basis| {
            let mut coordinates = outer.shape.unflatten(basis);
            for (value, log2) in coordinates.iter_mut().zip(self.shape.log2_sizes()) {
                *value <<= log2;
            }
            shape.flatten(&coordinates)
        });
        let lists = low.bases.iter().zip(&high.bases);
        Self::new(
            shape,
            InDim::ALL.into_iter().zip(lists).map(|(dim, (low, high))| {
                let list: Bases = low.iter().chain(high).copied().collect();
                (dim, list)
            }),
        )
    }

    /// Returns `outer` after `self`, where `outer` maps flat indices of this tile (column `i` is the image of
    /// bit `i`) to flat indices of a tile of `shape`.
    ///
    /// # Panics
    /// If `outer` has too few columns, or one outside `shape`.
    #[must_use]
    pub fn compose(&self, outer: &[u64], shape: OutShape) -> Self {
        assert_eq!(
            outer.len(),
            self.shape.total_bits() as usize,
            "one column per tile-index bit"
        );
        self.map_bases(shape, |basis| f2::apply(outer, basis))
    }

    /// Fits this layout to a tile of another size. An axis that shrinks loses its high bits: registers that
    /// become copies are dropped, other dimensions replicate. An axis that grows is repeated in registers,
    /// along `order` (fastest first).
    #[must_use]
    pub fn fit(&self, shape: &OutShape, order: &[Axis]) -> Self {
        assert_permutation(order, shape.rank());
        assert_eq!(
            self.shape.rank(),
            shape.rank(),
            "a fitted tile keeps its rank"
        );
        let log2 = self.shape.log2_sizes().iter();
        let common = OutShape::from_log2(
            log2.zip(shape.log2_sizes())
                .map(|(&old, &new)| old.min(new)),
        );
        let mut clipped = self.map_bases(common.clone(), |basis| {
            let mut coordinates = self.shape.unflatten(basis);
            for (value, axis) in coordinates.iter_mut().zip(common.axes()) {
                *value &= common.size(axis) - 1;
            }
            common.flatten(&coordinates)
        });
        clipped.bases[InDim::Register.index()].retain(|basis| *basis != 0);
        let log2 = shape.log2_sizes().iter();
        let repeats =
            OutShape::from_log2(log2.zip(common.log2_sizes()).map(|(new, old)| new - old));
        clipped.product(&Self::identity(InDim::Register, repeats, order))
    }

    /// Reinterprets the elements as a tile of another shape, in row-major order: no data moves.
    ///
    /// # Panics
    /// If the number of elements differs.
    #[must_use]
    pub fn reshape(&self, shape: OutShape) -> Self {
        assert_eq!(
            shape.total_bits(),
            self.shape.total_bits(),
            "a reshape keeps the number of elements"
        );
        self.map_bases(shape, |basis| basis)
    }

    /// Returns the layout of the permuted tile: its axis `i` is this tile's axis `permutation[i]`. No data
    /// moves.
    #[must_use]
    pub fn permute_axes(&self, permutation: &[Axis]) -> Self {
        assert_permutation(permutation, self.shape.rank());
        let log2 = permutation.iter().map(|&axis| self.shape.log2_size(axis));
        let shape = OutShape::from_log2(log2);
        self.map_bases(shape.clone(), |basis| {
            let coordinates: SmallVec<[u64; 4]> = permutation
                .iter()
                .map(|&axis| self.shape.coordinate(basis, axis))
                .collect();
            shape.flatten(&coordinates)
        })
    }

    /// Inserts an axis of size 1 that becomes `axis`.
    #[must_use]
    pub fn expand_axis(&self, axis: Axis) -> Self {
        self.reshape(self.shape.with_unit_axis(axis))
    }

    /// Removes `axis`.
    ///
    /// # Panics
    /// Unless the axis has size 1.
    #[must_use]
    pub fn squeeze_axis(&self, axis: Axis) -> Self {
        assert_eq!(self.shape.size(axis), 1, "a squeezed axis has size 1");
        self.reshape(self.shape.without_axis(axis))
    }

    /// Repeats this tile along an axis of size 1, in registers: register `r` of the result holds the element
    /// of register `r % num_registers` of `self`.
    ///
    /// # Panics
    /// Unless the axis has size 1.
    #[must_use]
    pub fn broadcast_axis(&self, axis: Axis, log2_size: u32) -> Self {
        assert_eq!(self.shape.size(axis), 1, "a broadcast axis has size 1");
        let repeats = Self::unit(self.shape.rank())
            .shape
            .with_log2_size(axis, log2_size);
        let order = repeats.row_major_order();
        self.product(&Self::identity(InDim::Register, repeats, &order))
    }

    /// Returns the layout of the tile whose broadcast along `axis` is this one: the axis has size 1, and each
    /// place holds the element from which its own is broadcast. Registers become copies of each other; see
    /// [`Self::unique_registers`].
    #[must_use]
    pub fn collapse_axis(&self, axis: Axis) -> Self {
        let shape = self.shape.with_log2_size(axis, 0);
        self.map_bases(shape.clone(), |basis| {
            let mut coordinates = self.shape.unflatten(basis);
            coordinates[axis.0] = 0;
            shape.flatten(&coordinates)
        })
    }

    /// Returns the layout of a result reduced along `axis`: [`Self::collapse_axis`], with the axis removed.
    #[must_use]
    pub fn slice_axis(&self, axis: Axis) -> Self {
        self.collapse_axis(axis).squeeze_axis(axis)
    }

    /// Removes registers that are copies of others in the same thread. Also returns, for each register of
    /// `self`, the register of the result that holds its element.
    pub fn unique_registers(&self) -> (Self, Vec<Register>) {
        let mut kept: Bases = SmallVec::new();
        let mut span = Span::default();
        let mut columns = Vec::new();
        for &basis in self.bases(InDim::Register) {
            let register_bit = 1 << kept.len();
            match span.insert(basis, register_bit) {
                None => {
                    kept.push(basis);
                    columns.push(register_bit);
                }
                Some(dependency) => columns.push(dependency ^ register_bit),
            }
        }
        let map = register_map(&columns, self.num_registers());
        let mut unique = self.clone();
        unique.bases[InDim::Register.index()] = kept;
        (unique, map)
    }

    /// Reorders the register bits: bit `i` of the result is bit `bits[i]` of `self`.
    ///
    /// # Panics
    /// Unless `bits` lists every register bit once.
    #[must_use]
    pub fn permute_register_bits(&self, bits: &[usize]) -> Self {
        let old = self.bases(InDim::Register);
        assert!(
            bits.len() == old.len() && (0..old.len()).all(|bit| bits.contains(&bit)),
            "a permutation lists each register bit once"
        );
        let mut permuted = self.clone();
        permuted.bases[InDim::Register.index()] = bits.iter().map(|&bit| old[bit]).collect();
        permuted
    }
}

/// Computes preimages under a layout; built by [`LinearLayout::invert`].
#[derive(Clone, Debug)]
pub struct Inverse {
    solver: Solver,
    bits: InBits,
}

impl Inverse {
    /// Returns the place of the element with this flat tile index.
    pub fn apply_flat(&self, flat: u64) -> Option<Location> {
        self.solver.solve(flat).map(|x| self.bits.unflatten(x))
    }

    /// Returns the place of the element with this flat tile index that needs the least movement from `near`:
    /// in the same block if possible, then the same warp, lane and register.
    pub fn apply_near(&self, flat: u64, near: Location) -> Option<Location> {
        let near = self.bits.flatten(near);
        let place = self.solver.solve_near(flat, near)?;
        Some(self.bits.unflatten(place))
    }

    /// Like [`Self::apply_near`], but takes and returns flat input indices of the layout.
    pub(super) fn solve_near(&self, flat: u64, near: u64) -> Option<u64> {
        self.solver.solve_near(flat, near)
    }

    /// Returns the domain of the layout.
    pub fn in_bits(&self) -> InBits {
        self.bits
    }
}

/// Formats as `register [(0, 1), (8, 0)] lane [(0, 2), ...] -> [16, 8]`; unused dimensions are omitted.
impl fmt::Display for LinearLayout {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for dim in InDim::ALL {
            let bases = self.bases(dim);
            if bases.is_empty() {
                continue;
            }
            write!(f, "{} [", dim.name())?;
            for (index, &basis) in bases.iter().enumerate() {
                let comma = if index == 0 { "" } else { ", " };
                write!(f, "{comma}(")?;
                for (index, value) in self.shape.unflatten(basis).iter().enumerate() {
                    let comma = if index == 0 { "" } else { ", " };
                    write!(f, "{comma}{value}")?;
                }
                f.write_str(")")?;
            }
            f.write_str("] ")?;
        }
        write!(f, "-> {}", self.shape)
    }
}
