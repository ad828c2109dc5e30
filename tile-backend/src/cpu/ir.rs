//! The loop IR: what a kernel becomes on the CPU between tile IR and LLVM.
//!
//! A [`Kernel`] is what one block of the grid runs: statements over scalar values, and loop nests over the elements of
//! tiles. A nest runs `2^bits` iterations, one for each element of a tile, in any order. Extents of tiles are powers of
//! two, so a position in a tile is a number of so many bits, and the map from the iterations of a nest to the elements of
//! a tile is a map of bits: it covers broadcasts, reshapes and permutations alike. The tiles within a nest are never
//! stored: each instruction computes one element of one tile.
//!
//! Invariants, which [`verify`] checks:
//! - a value is defined before it is used, and once;
//! - an instruction of a nest uses earlier ones only;
//! - every place has one weight per bit of its nest, and stays within its buffer;
//! - all reductions of a nest run along the same bits.

mod print;
mod verify;

pub(crate) use print::to_text;
pub(crate) use verify::verify;

use tile_core::ir::{AtomicRmwMode, BlockId, OpId, ValueId};
use tile_core::types::Scalar;

/// A scalar value of a block.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct Val(pub(crate) u32);

/// A scalar that control flow carries.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct Var(pub(crate) u32);

/// A tile in the scratch memory of the thread, in row-major order unless the places say otherwise.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct BufferId(pub(crate) u32);

/// An element computed by a nest: the index of its instruction.
pub(crate) type Reg = usize;

/// The program of one block of the grid.
#[derive(Debug)]
pub(crate) struct Kernel {
    pub(crate) name: String,
    /// The parameters of the entry, in order, and then other memory that pointers point into.
    pub(crate) params: Vec<Param>,
    /// The bytes of constants.
    pub(crate) tables: Vec<Vec<u8>>,
    /// The types of scalar values.
    pub(crate) vals: Vec<Scalar>,
    pub(crate) vars: Vec<Scalar>,
    pub(crate) buffers: Vec<Buffer>,
    /// The tiles that are computed into a buffer and not where they are used, for remarks.
    pub(crate) stored: Vec<Stored>,
    pub(crate) body: Vec<Stmt>,
}

/// A tile that is not fused with the loops that use it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Stored {
    pub(crate) value: ValueId,
    pub(crate) buffer: BufferId,
    pub(crate) why: Why,
}

/// The reason why a tile is computed into a buffer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Why {
    /// A loop would compute it in each iteration.
    UsedInLoop,
    /// A loop or a branch passes it on.
    Carried,
    /// Several nests use it, and it costs more to compute than to load.
    UsedAgain,
    /// The memory that it is loaded from is stored to before it is used.
    Overwritten,
    /// Its elements are repeated.
    Repeated,
}

/// A parameter of the entry.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Param {
    /// Two words: address, and length in bytes.
    Pointer,
    /// One word.
    Number(Scalar),
    /// A constant of the kernel: its address and its length in bytes are known to the code.
    Table(u32),
    /// Memory of the block, so many bytes from the start of a buffer.
    Local(BufferId, u64),
}

impl Param {
    /// Returns the number of its words: address and length, or one number.
    pub(crate) fn words(self) -> u32 {
        match self {
            Self::Number(_) => 1,
            Self::Pointer | Self::Table(_) | Self::Local(..) => 2,
        }
    }
}

/// A tile in scratch memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Buffer {
    pub(crate) scalar: Scalar,
    pub(crate) count: u64,
    /// The offset in bytes from the start of the scratch memory.
    pub(crate) offset: u64,
}

impl Buffer {
    pub(crate) fn bytes(&self) -> u64 {
        self.count * self.scalar.bytes() as u64
    }
}

/// A function of scalars, or of the elements of tiles.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Fun {
    /// What an element-wise operation of the tile IR does to each element.
    Op(OpId),
    /// `i64` arithmetic of addresses, which wraps.
    Add,
    Sub,
    Mul,
    /// Of numbers that are not negative.
    Quotient,
    BitAnd,
    /// Signed.
    Min,
    Max,
    /// Flips the sign bit of a byte, which adds 128 to it modulo 256.
    FlipSign,
    /// Signed comparisons of `i64`.
    Less,
    Equal,
    /// Of truth values.
    And,
    Not,
    /// `c ? a : b`.
    Select,
    /// An integer to a wider one, with its sign or with zeros.
    SignExtend,
    ZeroExtend,
    /// A float to a wider one, or to a narrower one to nearest even.
    Widen,
    Narrow,
    /// `i64` to a narrower integer.
    Truncate(Scalar),
    /// `true` if an element is in memory of so many bytes. Operands: the offset in bytes of the first element, the
    /// bytes per element, the length of the memory, and pairs of a coordinate and a stride. Computed without wrapping.
    Fits,
}

/// How a scalar is computed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Expr {
    Constant(u64),
    /// A word of the parameters.
    Word(u32),
    /// The coordinate of the block along an axis of the grid, as `i32`.
    BlockId(u8),
    /// The extent of the grid along an axis, as `i32`.
    GridDim(u8),
    Call(Fun, Vec<Val>),
    /// The only element of a buffer.
    Element(BufferId),
    Var(Var),
}

/// A statement.
#[derive(Debug)]
pub(crate) enum Stmt {
    Let(Val, Expr),
    Set(Var, Val),
    Nest(Nest),
    Product(Product),
    If {
        condition: Val,
        then: Vec<Stmt>,
        otherwise: Vec<Stmt>,
    },
    /// Counts from `lower` while below `upper`.
    For {
        counter: Val,
        lower: Val,
        upper: Val,
        step: Val,
        is_signed: bool,
        /// `true` if the next number may be beyond those of an `i64`, which ends the loop.
        may_wrap: bool,
        body: Vec<Stmt>,
    },
    Loop(Vec<Stmt>),
    /// Leaves the innermost loop.
    Break,
    /// Goes on with the next iteration of the innermost loop.
    Continue,
    Return,
    /// Ends the launch with a fault if the value is true. If another one is given and is true, it is not.
    FaultIf(Val, Option<Val>),
    /// Orders the accesses to memory before and after it, for other blocks.
    Fence,
}

impl Stmt {
    /// Visits statements and those within them, in the order of the code.
    pub(crate) fn walk(stmts: &[Self], visit: &mut impl FnMut(&Self)) {
        for stmt in stmts {
            visit(stmt);
            match stmt {
                Self::If {
                    then, otherwise, ..
                } => {
                    Self::walk(then, visit);
                    Self::walk(otherwise, visit);
                }
                Self::For { body, .. } | Self::Loop(body) => Self::walk(body, visit),
                Self::Let(..)
                | Self::Set(..)
                | Self::Nest(_)
                | Self::Product(_)
                | Self::Break
                | Self::Continue
                | Self::Return
                | Self::FaultIf(..)
                | Self::Fence => {}
            }
        }
    }
}

/// A loop over the elements of tiles.
#[derive(Debug, Default)]
pub(crate) struct Nest {
    /// The number of iterations is 2 to this power.
    pub(crate) bits: u32,
    pub(crate) insts: Vec<Inst>,
    /// The bits along which reductions and scans run, from the lowest; empty if there are none.
    pub(crate) axis: Vec<u32>,
    /// `true` if the axis is run from its end.
    pub(crate) is_reverse: bool,
}

/// A step along an axis of memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Stride {
    Constant(i64),
    /// In elements.
    Value(Val),
}

/// An axis of a place.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Axis {
    /// The coordinate is the sum of the weights of the set bits of the iteration.
    pub(crate) weights: Vec<i64>,
    pub(crate) stride: Stride,
    /// The first coordinate that is inside of the tensor; `None` for 0.
    pub(crate) from: Option<Val>,
    /// The end of the coordinates that are inside of the tensor; `None` if all are.
    pub(crate) inside: Option<Val>,
}

/// Where a place begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Base {
    /// A buffer, from an element on.
    Buffer(BufferId, Option<Val>),
    /// The address of the first element, and the parameter that it is in.
    Memory(Val, u32),
}

/// The memory of the element of each iteration.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Place {
    pub(crate) base: Base,
    pub(crate) axes: Vec<Axis>,
    pub(crate) scalar: Scalar,
}

/// The elements of a gather that are a box of a tensor.
#[derive(Clone, Debug)]
pub(crate) struct Window {
    /// 1 if the elements are those of the place, and those inside of the tensor are in its memory; else 0.
    pub(crate) holds: Val,
    pub(crate) place: Place,
    /// The bits of elements outside of the tensor.
    pub(crate) padding: u64,
}

/// How the elements of a reduction are combined.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Order {
    /// Into 32 partial results, element `i` into number `i % 32`, which are then combined in halves; fewer elements are as many
    /// partial results.
    Partial,
    /// In the order of the axis.
    Sequential,
    /// In segments of the axis, each in its order, one per lane, and then the results of neighbouring segments: the
    /// body is associative.
    Segments,
    /// In any order: every order gives the same bits.
    Any,
}

/// An instruction of a nest. It computes an element in each iteration, or has an effect.
#[derive(Debug)]
pub(crate) enum Inst {
    Scalar(Val),
    Constant(Scalar, u64),
    /// Elements of a constant, at the sum of the weights.
    Table(Scalar, Vec<u64>, Vec<i64>),
    /// An integer: the sum of the weights of the set bits of the iteration.
    Position(Scalar, Vec<i64>),
    Call(Fun, Vec<Reg>, Scalar),
    /// An element; outside of the tensor it has the bits of `padding`.
    Load(Place, u64),
    Store(Place, Reg),
    /// The element at an address, where `mask` is true, or else `padding`, or zero.
    Gather {
        /// The operation that it is a part of.
        op: OpId,
        /// `true` if other blocks may access it at the same time.
        is_shared: bool,
        address: Reg,
        mask: Option<Reg>,
        padding: Option<Reg>,
        scalar: Scalar,
        /// The parameter whose memory has the address.
        param: u32,
        /// The place of the elements, if they may be a box of a tensor.
        window: Option<Window>,
    },
    Scatter {
        op: OpId,
        is_shared: bool,
        address: Reg,
        mask: Option<Reg>,
        value: Reg,
        param: u32,
    },
    /// Changes the element at an address in one step where `mask` is true, and is the old one; else it is zero, or
    /// the number that it would be compared with.
    Atomic {
        op: OpId,
        atomic: Atomic,
        /// `true` if no other block accesses the element, so that it need not be one step.
        is_of_block: bool,
        address: Reg,
        mask: Option<Reg>,
        args: Vec<Reg>,
        scalar: Scalar,
        param: u32,
    },
    /// Ends the launch with a fault after the nest if an element is false.
    Assert(Reg),
    Reduce(Reduce),
    Scan(Reduce),
}

/// What an atomic operation does to an element.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Atomic {
    Modify(AtomicRmwMode),
    /// Replaces it by the second argument if it is the first.
    CompareAndSwap,
}

/// A reduction or a scan along the axis of the nest.
#[derive(Debug)]
pub(crate) struct Reduce {
    pub(crate) op: OpId,
    pub(crate) values: Vec<Reg>,
    /// The types of the elements and of the accumulators.
    pub(crate) scalars: Vec<Scalar>,
    /// The body: arguments are element and accumulator of each value.
    pub(crate) body: BlockId,
    /// The neutral element, if it is neutral for every bit pattern.
    pub(crate) neutral: Option<u64>,
    pub(crate) order: Order,
    /// Where the results go.
    pub(crate) places: Vec<Place>,
}

/// `acc[m][n] += sum over k of a[m][k] * b[k][n]`, in place.
#[derive(Debug)]
pub(crate) struct Product {
    /// The number of products.
    pub(crate) batch: u64,
    pub(crate) m: u64,
    pub(crate) n: u64,
    pub(crate) k: u64,
    /// Row-major: all rows, or those of a group.
    pub(crate) a: BufferId,
    /// Puts a group of rows into `a` before they are multiplied.
    pub(crate) groups: Option<Groups>,
    /// In panels of [`Product::panel`] columns, each row-major. [`Product::terms`] rows are one of as many times the length,
    /// in which the elements of a column are neighbours.
    pub(crate) b: BufferId,
    pub(crate) panel: u64,
    /// Row-major.
    pub(crate) acc: BufferId,
    /// The type of the accumulator.
    pub(crate) scalar: Scalar,
    /// The type of both operands: that of the accumulator, or `i16` with values of 8 bits, or `i8` or `bf16` for instructions
    /// that compute dot products.
    pub(crate) operand: Scalar,
    /// The signs of operands that are `i8`.
    pub(crate) signs: Signs,
    pub(crate) unit: Unit,
    /// The rows and the columns that are needed, if not all are: the first ones, as many as these numbers say.
    pub(crate) demanded: Option<[Val; 2]>,
    /// The truth value that the sums begin as zeros, and not as what is in [`Product::acc`].
    pub(crate) is_first: Option<Val>,
    /// The tile of a tensor that the sums may go to in place of [`Product::acc`].
    pub(crate) target: Option<Target>,
}

/// The tile of a tensor that sums are stored to.
#[derive(Debug)]
pub(crate) struct Target {
    /// The truth value that they are stored there: these are the last sums, all of the tile is in the tensor, and the elements
    /// of a row are neighbours.
    pub(crate) holds: Val,
    pub(crate) place: Place,
}

/// The registers that a product is computed in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Unit {
    Vectors,
    /// Those of AMX: up to 16 rows of 64 bytes, for operands of `i8` and of `bf16`.
    Tiles,
}

/// The signs of two operands that are bytes. An instruction for dot products in vectors has one with and one without signs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Signs {
    /// Only the right one has signs.
    Right,
    /// Only the left one has signs.
    Left,
    /// Both have, and 128 is added to each element of the left one, which then has none.
    LeftShifted,
    /// Both have, in [`Unit::Tiles`].
    Both,
    /// Neither has, in [`Unit::Tiles`].
    Neither,
}

/// The left operand of a product, which is computed as it is needed: a group of rows is in a first or second-level cache
/// while it is multiplied.
#[derive(Debug)]
pub(crate) struct Groups {
    /// The rows of a group, fewer than those of the operand.
    pub(crate) rows: u64,
    /// Computes all rows, in the order of the operand, each group to the same memory. Nothing that it reads depends on a
    /// product, and neither lanes nor unrolled iterations are of different groups.
    pub(crate) nest: Nest,
}

/// The left operand of a product in memory.
pub(crate) struct InMemory<'g> {
    pub(crate) place: &'g Place,
    /// The axis of the columns.
    pub(crate) column: usize,
    /// 1 if the operand is that place; see [`Window::holds`].
    pub(crate) holds: Option<Val>,
}

impl Groups {
    /// Returns the left operand in memory, if a product may read it there; see [`Groups::in_nest`].
    pub(crate) fn in_memory(&self, k: u64) -> Option<InMemory<'_>> {
        Self::in_nest(&self.nest, self.rows, k)
    }

    /// Returns the left operand in memory that a nest computes, if a product may read it there: the nest only copies it, and a row
    /// of `k` elements is one in memory, each at the same distance from the one before it in its group.
    pub(crate) fn in_nest(nest: &Nest, rows: u64, k: u64) -> Option<InMemory<'_>> {
        let [.., loaded, Inst::Store(to, value)] = &nest.insts[..] else {
            return None;
        };
        let (place, holds) = match loaded {
            Inst::Load(place, _) => (place, None),
            Inst::Gather {
                window: Some(window),
                ..
            } => (&window.place, Some(window.holds)),
            _ => return None,
        };
        let is_copied = *value + 2 == nest.insts.len();
        let is_there = matches!(place.base, Base::Memory(..)) && place.scalar == to.scalar;
        let column = place.rows(rows, k)?;
        (is_copied && is_there).then_some(InMemory {
            place,
            column,
            holds,
        })
    }

    /// Puts the elements of all groups, which the bits from `bit` on count, where those of the first one are.
    pub(crate) fn share_memory(&mut self, bit: u32) {
        for inst in &mut self.nest.insts {
            if let Inst::Store(place, _) = inst {
                for axis in &mut place.axes {
                    axis.weights[bit as usize..].fill(0);
                }
            }
        }
    }
}

impl Place {
    /// Returns the axis of the columns, if the elements of so many iterations are rows, each as far from the one before it, of `k`
    /// elements, which are neighbours if the stride of this axis is 1.
    pub(crate) fn rows(&self, rows: u64, k: u64) -> Option<usize> {
        let [columns, all] = [k, rows * k].map(|count| count.trailing_zeros() as usize);
        let column = self.run_along(0..columns, Some(1))?;
        let row = self.run_along(columns..all, None)?;
        let is_in_rows = match self.axes[column].stride {
            Stride::Constant(stride) => stride == 1,
            Stride::Value(_) => true,
        };
        (is_in_rows && row != column).then_some(column)
    }

    /// Returns the axis along which the elements of some bits of the iteration follow each other, in steps of `step` or, without
    /// it, of any number of coordinates.
    fn run_along(&self, bits: std::ops::Range<usize>, step: Option<i64>) -> Option<usize> {
        let mut axes = self.axes.iter().enumerate();
        let (index, axis) =
            axes.find(|(_, axis)| axis.weights.get(bits.start).is_some_and(|&it| it != 0))?;
        let step = step.unwrap_or(axis.weights[bits.start]);
        let is_run = bits
            .clone()
            .all(|bit| axis.weights[bit] == step << (bit - bits.start));
        let is_alone = self.axes.iter().enumerate().all(|(other, axis)| {
            other == index || axis.weights[bits.clone()].iter().all(|&weight| weight == 0)
        });
        (is_run && is_alone).then_some(index)
    }
}

impl Product {
    /// Returns the rows of the left operand that are in memory at a time.
    pub(crate) fn rows(&self) -> u64 {
        self.groups.as_ref().map_or(self.m, |groups| groups.rows)
    }

    /// Returns the number of terms of each sum that are added at a time: as many elements of an operand as have the bytes of
    /// a sum.
    pub(crate) fn terms(&self) -> u64 {
        terms(self.operand, self.scalar)
    }

    /// Returns the number of additions to each accumulator.
    pub(crate) fn steps(&self) -> u64 {
        self.k / self.terms()
    }
}

/// Returns the number of elements of one type that have the bytes of another.
pub(crate) fn terms(operand: Scalar, sums: Scalar) -> u64 {
    (sums.bytes() / operand.bytes()) as u64
}

impl Kernel {
    /// Returns the size of the scratch memory in bytes.
    pub(crate) fn scratch_bytes(&self) -> u64 {
        let ends = self
            .buffers
            .iter()
            .map(|buffer| buffer.offset + buffer.bytes());
        ends.max().unwrap_or(0)
    }
}

impl Nest {
    /// Returns the places of all instructions.
    pub(crate) fn places(&self) -> impl Iterator<Item = &Place> {
        self.insts.iter().flat_map(|inst| match inst {
            Inst::Load(place, _) | Inst::Store(place, _) => std::slice::from_ref(place).iter(),
            Inst::Gather {
                window: Some(window),
                ..
            } => std::slice::from_ref(&window.place).iter(),
            Inst::Reduce(reduce) | Inst::Scan(reduce) => reduce.places.iter(),
            _ => [].iter(),
        })
    }

    /// Returns the type of the element that an instruction computes.
    pub(crate) fn scalar(&self, reg: Reg, vals: &[Scalar]) -> Option<Scalar> {
        match &self.insts[reg] {
            Inst::Scalar(val) => Some(vals[val.0 as usize]),
            Inst::Constant(scalar, _)
            | Inst::Table(scalar, _, _)
            | Inst::Position(scalar, _)
            | Inst::Call(_, _, scalar)
            | Inst::Gather { scalar, .. }
            | Inst::Atomic { scalar, .. } => Some(*scalar),
            Inst::Load(place, _) => Some(place.scalar),
            Inst::Store(..)
            | Inst::Scatter { .. }
            | Inst::Assert(_)
            | Inst::Reduce(_)
            | Inst::Scan(_) => None,
        }
    }
}

impl Place {
    /// Returns a place in a buffer, whose elements have the given weights.
    pub(crate) fn buffer(buffer: BufferId, scalar: Scalar, weights: Vec<i64>) -> Self {
        Self {
            base: Base::Buffer(buffer, None),
            axes: vec![Axis {
                weights,
                stride: Stride::Constant(1),
                from: None,
                inside: None,
            }],
            scalar,
        }
    }
}
