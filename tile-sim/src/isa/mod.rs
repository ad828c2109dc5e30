//! The instructions, with one file per family.
//!
//! Each family has a type for its decoded instructions, a `decode` function that parses the
//! operands, and an `execute` method that runs an instruction for the active lanes of a warp.
//! Decoding resolves everything that is the same in every execution.

pub(crate) mod arithmetic;
pub(crate) mod asynchronous;
pub(crate) mod atomic;
pub(crate) mod barrier;
pub(crate) mod bulk;
pub(crate) mod cache;
pub(crate) mod calls;
pub(crate) mod clock;
pub(crate) mod cluster;
pub(crate) mod compare;
pub(crate) mod control;
pub(crate) mod convert;
pub(crate) mod fence;
pub(crate) mod float;
pub(crate) mod graphics;
pub(crate) mod integer;
pub(crate) mod launch_control;
pub(crate) mod logic;
pub(crate) mod matrix;
pub(crate) mod mbarrier;
pub(crate) mod memory;
pub(crate) mod mma;
pub(crate) mod moves;
pub(crate) mod multimem;
pub(crate) mod needs;
pub(crate) mod operands;
pub(crate) mod reduction;
pub(crate) mod registers_pool;
pub(crate) mod soft;
pub(crate) mod stack;
pub(crate) mod tcgen05;
pub(crate) mod tensor_copy;
pub(crate) mod tensor_map;
pub(crate) mod types;
pub(crate) mod vectors;
pub(crate) mod warp;
pub(crate) mod wgmma;
pub(crate) mod wmma;

use crate::counters::Family;
use crate::parse::decoder::{Decoded, Decoder};
use crate::parse::syntax::Space;

/// The index of a row of the register file, which has one value per lane.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Slot(pub(crate) u32);

impl Slot {
    pub(crate) fn index(self) -> usize {
        self.0 as usize
    }
}

/// The index of a predicate register.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Pred(pub(crate) u32);

impl Pred {
    pub(crate) fn index(self) -> usize {
        self.0 as usize
    }
}

/// A decoded instruction.
#[derive(Clone, Debug)]
pub(crate) enum Op {
    Integer(integer::Integer),
    Logic(logic::Logic),
    Float(float::Float),
    Convert(convert::Convert),
    Compare(compare::Compare),
    Move(moves::Move),
    Memory(memory::Access),
    Atomic(atomic::Atomic),
    Async(asynchronous::Async),
    Bulk(bulk::BulkOp),
    Counted(bulk::Counted),
    Mbarrier(mbarrier::Mbarrier),
    Cluster(cluster::Cluster),
    TensorMap(tensor_map::TensorMapOp),
    Cache(cache::Cache),
    SetRegisters(registers_pool::SetRegisters),
    Fence(fence::Fence),
    Control(control::Control),
    Warp(warp::Warp),
    Barrier(barrier::Barrier),
    Matrix(matrix::Matrix),
    Mma(Box<mma::Mma>),
    Wgmma(Box<wgmma::Wgmma>),
    Call(Box<calls::Call>),
    Clock(clock::Clock),
    Wmma(Box<wmma::Wmma>),
    Stack(stack::StackOp),
    LaunchControl(launch_control::LaunchControl),
    Multimem(multimem::Multimem),
    Tcgen05(tcgen05::Tcgen05),
}

type Decode = fn(&mut Decoder<'_>) -> Decoded<Op>;

macro_rules! mnemonics {
    ($($decode:path: $($name:literal)+;)+) => {
        /// The opcodes of all supported instructions, without modifiers: `ld`, `mma`, ..
        pub const MNEMONICS: &[&str] = &[$($($name),+),+];

        fn decode_of(mnemonic: &str) -> Option<Decode> {
            match mnemonic {
                $($($name)|+ => Some($decode),)+
                _ => None,
            }
        }
    };
}

mnemonics! {
    arithmetic::decode: "add" "sub" "mul" "mad" "div" "abs" "neg" "min" "max";
    integer::decode: "addc" "subc" "madc" "rem" "popc" "clz" "brev" "bfind" "fns" "bfe" "bfi" "bmsk" "szext" "sad" "mul24"
        "mad24" "dp4a" "dp2a";
    logic::decode: "and" "or" "xor" "not" "cnot" "lop3" "shl" "shr" "shf" "prmt";
    float::decode: "fma" "rcp" "sqrt" "rsqrt" "sin" "cos" "lg2" "ex2" "tanh" "copysign";
    convert::decode: "cvt";
    compare::decode: "setp" "set" "selp" "slct" "testp";
    moves::decode: "mov" "cvta" "isspacep";
    memory::decode: "ld" "ldu" "st";
    cache_op: "prefetch" "prefetchu" "discard" "applypriority" "createpolicy";
    fence_op: "membar" "fence";
    mbarrier_op: "mbarrier";
    cluster_op: "mapa" "getctarank";
    tensor_map_op: "tensormap";
    registers_op: "setmaxnreg";
    atomic::decode: "atom" "red";
    asynchronous::decode: "cp";
    control::decode: "bra" "brx" "ret" "exit" "trap" "brkpt" "pmevent" "nanosleep" "griddepcontrol";
    warp::decode: "shfl" "vote" "match" "redux" "activemask" "elect";
    barrier::decode: "bar" "barrier";
    matrix::decode: "ldmatrix" "stmatrix" "movmatrix";
    mma::decode: "mma";
    wgmma::decode: "wgmma";
    wmma::decode: "wmma";
    stack::decode: "alloca" "stacksave" "stackrestore";
    launch_control::decode: "clusterlaunchcontrol";
    multimem::decode: "multimem";
    tcgen05::decode: "tcgen05";
}

fn cache_op(d: &mut Decoder<'_>) -> Decoded<Op> {
    cache::decode(d).map(Op::Cache)
}

fn fence_op(d: &mut Decoder<'_>) -> Decoded<Op> {
    fence::Fence::decode(d).map(Op::Fence)
}

fn mbarrier_op(d: &mut Decoder<'_>) -> Decoded<Op> {
    mbarrier::decode(d).map(Op::Mbarrier)
}

fn cluster_op(d: &mut Decoder<'_>) -> Decoded<Op> {
    cluster::decode(d).map(Op::Cluster)
}

fn tensor_map_op(d: &mut Decoder<'_>) -> Decoded<Op> {
    tensor_map::decode(d).map(Op::TensorMap)
}

fn registers_op(d: &mut Decoder<'_>) -> Decoded<Op> {
    registers_pool::decode(d).map(Op::SetRegisters)
}

/// Decodes one instruction.
pub(crate) fn decode(decoder: &mut Decoder<'_>) -> Decoded<Op> {
    let Some(decode) = decode_of(decoder.opcode()) else {
        let family = graphics::family(decoder.opcode());
        return decoder.error(family.map_or_else(
            || "unknown instruction".to_owned(),
            |family| family.to_string(),
        ));
    };
    let op = decode(decoder)?;
    decoder.meets_rules()?;
    Ok(op)
}

impl Op {
    /// Returns the family to which the counters attribute the instruction.
    pub(crate) fn family(&self) -> Family {
        match self {
            Self::Integer(_) => Family::Integer,
            Self::Logic(_) => Family::Logic,
            Self::Float(_) => Family::Float,
            Self::Convert(_) => Family::Conversion,
            Self::Compare(_) => Family::Comparison,
            Self::Move(_) | Self::Clock(_) => Family::Move,
            Self::Memory(_)
            | Self::Atomic(_)
            | Self::Async(_)
            | Self::Bulk(_)
            | Self::Counted(_)
            | Self::TensorMap(_)
            | Self::Cache(_)
            | Self::Multimem(_)
            | Self::Stack(_)
            | Self::Fence(_) => Family::Memory,
            Self::Cluster(op) if op.is_address() => Family::Move,
            Self::Mbarrier(_) | Self::Cluster(_) => Family::Barrier,
            Self::Control(_) | Self::Call(_) | Self::SetRegisters(_) | Self::LaunchControl(_) => {
                Family::Control
            }
            Self::Warp(_) => Family::Warp,
            Self::Barrier(_) => Family::Barrier,
            Self::Matrix(_) | Self::Mma(_) | Self::Wgmma(_) | Self::Wmma(_) | Self::Tcgen05(_) => {
                Family::Matrix
            }
        }
    }

    /// Returns `true` if the instruction can make the execution order of blocks observable.
    pub(crate) fn is_seen_by_other_blocks(&self) -> bool {
        match self {
            Self::Memory(access) => access.is_strong_global(),
            Self::Atomic(atomic) => !matches!(atomic.space, Space::Shared | Space::Cluster),
            Self::Bulk(bulk) => bulk.is_seen_by_other_blocks(),
            Self::Clock(_) => true,
            Self::LaunchControl(op) => op.is_seen_by_other_blocks(),
            Self::Multimem(op) => op.is_seen_by_other_blocks(),
            _ => false,
        }
    }

    /// Returns `true` if the lanes of a warp must execute it together.
    pub(crate) fn is_convergent(&self) -> bool {
        match self {
            Self::Warp(op) => op.is_convergent(),
            Self::Barrier(_) | Self::Matrix(_) | Self::Mma(_) | Self::Wgmma(_) | Self::Wmma(_) => {
                true
            }
            Self::Integer(_)
            | Self::Logic(_)
            | Self::Float(_)
            | Self::Convert(_)
            | Self::Compare(_)
            | Self::Move(_)
            | Self::Memory(_)
            | Self::Atomic(_)
            | Self::Async(_)
            | Self::Bulk(_)
            | Self::Counted(_)
            | Self::Mbarrier(_)
            | Self::Cache(_)
            | Self::Fence(_)
            | Self::Control(_)
            | Self::Call(_)
            | Self::Stack(_)
            | Self::LaunchControl(_)
            | Self::Multimem(_)
            | Self::Clock(_) => false,
            Self::Cluster(op) => op.is_aligned(),
            Self::TensorMap(op) => op.is_convergent(),
            Self::Tcgen05(op) => op.is_convergent(),
            Self::SetRegisters(_) => true,
        }
    }
}
