//! The table of all `llvm.nvvm.*` functions that may be called, with their types.
//!
//! LLVM treats a misspelt intrinsic as an external function, and aborts on a wrong type. This table is
//! therefore the only place with names and types. A test compiles each row to PTX and, where ptxas is
//! present, to machine code.
//!
//! A row reads: name, (parameter types with their counts), (result types with their counts), and its
//! requirements beyond `sm_80` and PTX 7.0.

use inkwell::AddressSpace as InkwellSpace;
use inkwell::builder::Builder;
use inkwell::context::ContextRef;
use inkwell::module::Module;
use inkwell::types::{BasicMetadataTypeEnum, BasicType, BasicTypeEnum};
use inkwell::values::{BasicMetadataValueEnum, BasicValueEnum, FunctionValue};

use super::AddressSpace;
use crate::target::{Arch, Feature, PtxVersion};

/// The type of a parameter or a result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Ty {
    I1,
    I16,
    I32,
    I64,
    /// An `i32` that must be a constant.
    Immediate,
    F16,
    F32,
    F64,
    V2F16,
    Bf16,
    V2Bf16,
    Global,
    Shared,
    SharedCluster,
}

impl Ty {
    fn in_context(self, cx: ContextRef<'_>) -> BasicTypeEnum<'_> {
        match self {
            Self::I1 => cx.bool_type().into(),
            Self::I16 => cx.i16_type().into(),
            Self::I32 | Self::Immediate => cx.i32_type().into(),
            Self::I64 => cx.i64_type().into(),
            Self::F16 => cx.f16_type().into(),
            Self::F32 => cx.f32_type().into(),
            Self::F64 => cx.f64_type().into(),
            Self::Bf16 => cx.bf16_type().into(),
            Self::V2F16 => cx.f16_type().vec_type(2).into(),
            Self::V2Bf16 => cx.bf16_type().vec_type(2).into(),
            Self::Global => cx.ptr_type(InkwellSpace::from(AddressSpace::Global)).into(),
            Self::Shared => cx.ptr_type(InkwellSpace::from(AddressSpace::Shared)).into(),
            Self::SharedCluster => cx
                .ptr_type(InkwellSpace::from(AddressSpace::SharedCluster))
                .into(),
        }
    }
}

struct Row {
    name: &'static str,
    params: &'static [(Ty, usize)],
    results: &'static [(Ty, usize)],
    needs: Option<(Feature, PtxVersion)>,
}

macro_rules! intrinsics {
    ($(
        $Name:ident = $name:literal
        ($($param:ident $param_count:literal),*) -> ($($result:ident $result_count:literal),*)
        $(needs $Feature:ident, $major:literal . $minor:literal)?;
    )*) => {
        /// A function of LLVM's `llvm.nvvm.*` family.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum Intrinsic {
            $(#[doc = concat!("`llvm.nvvm.", $name, "`")] $Name,)*
        }

        impl Intrinsic {
            /// All functions, in the order of the table.
            pub const ALL: &[Self] = &[$(Self::$Name),*];

            fn row(self) -> Row {
                match self {
                    $(Self::$Name => Row {
                        name: concat!("llvm.nvvm.", $name),
                        params: &[$((Ty::$param, $param_count)),*],
                        results: &[$((Ty::$result, $result_count)),*],
                        needs: intrinsics!(@needs $($Feature, $major, $minor)?),
                    },)*
                }
            }
        }
    };
    (@needs) => { None };
    (@needs $Feature:ident, $major:literal, $minor:literal) => {
        Some((Feature::$Feature, PtxVersion::new($major, $minor)))
    };
}

intrinsics! {
    // Coordinates of a thread, and of its block in the grid and the cluster.
    ThreadIdX = "read.ptx.sreg.tid.x" () -> (I32 1);
    ThreadIdY = "read.ptx.sreg.tid.y" () -> (I32 1);
    ThreadIdZ = "read.ptx.sreg.tid.z" () -> (I32 1);
    BlockIdX = "read.ptx.sreg.ctaid.x" () -> (I32 1);
    BlockIdY = "read.ptx.sreg.ctaid.y" () -> (I32 1);
    BlockIdZ = "read.ptx.sreg.ctaid.z" () -> (I32 1);
    GridSizeX = "read.ptx.sreg.nctaid.x" () -> (I32 1);
    GridSizeY = "read.ptx.sreg.nctaid.y" () -> (I32 1);
    GridSizeZ = "read.ptx.sreg.nctaid.z" () -> (I32 1);
    BlockSizeX = "read.ptx.sreg.ntid.x" () -> (I32 1);
    BlockSizeY = "read.ptx.sreg.ntid.y" () -> (I32 1);
    BlockSizeZ = "read.ptx.sreg.ntid.z" () -> (I32 1);
    LaneId = "read.ptx.sreg.laneid" () -> (I32 1);
    ClusterRank = "read.ptx.sreg.cluster.ctarank" () -> (I32 1) needs Clusters, 7 . 8;
    // Maps a shared-memory address to another block of the cluster.
    MapShared = "mapa.shared.cluster" (Shared 1, I32 1) -> (SharedCluster 1) needs Clusters, 7 . 8;
    ClusterSize = "read.ptx.sreg.cluster.nctarank" () -> (I32 1) needs Clusters, 7 . 8;

    // Barriers and votes. The first operand of a block barrier is the number of the barrier; that of the
    // others is the lane mask.
    BarrierBlock = "barrier.cta.sync.aligned.all" (I32 1) -> ();
    BarrierThreads = "barrier.cta.sync.aligned.count" (I32 2) -> ();
    BarrierArrive = "barrier.cta.arrive.aligned.count" (I32 2) -> ();
    ClusterArrive = "barrier.cluster.arrive.aligned" () -> () needs Clusters, 7 . 8;
    ClusterWait = "barrier.cluster.wait.aligned" () -> () needs Clusters, 7 . 8;
    BarrierOr = "barrier.cta.red.or.aligned.all" (I32 1, I1 1) -> (I1 1);
    BarrierWarp = "bar.warp.sync" (I32 1) -> ();
    VoteAll = "vote.all.sync" (I32 1, I1 1) -> (I1 1);
    VoteAny = "vote.any.sync" (I32 1, I1 1) -> (I1 1);
    VoteBallot = "vote.ballot.sync" (I32 1, I1 1) -> (I32 1);
    Elect = "elect.sync" (I32 1) -> (I32 1, I1 1) needs ElectSync, 8 . 0;

    // Shuffles: lane mask, value, lane or offset, clamp (31 for whole warps; 0 for `up`).
    ShuffleButterflyI32 = "shfl.sync.bfly.i32" (I32 4) -> (I32 1);
    ShuffleButterflyF32 = "shfl.sync.bfly.f32" (I32 1, F32 1, I32 2) -> (F32 1);
    ShuffleIndexI32 = "shfl.sync.idx.i32" (I32 4) -> (I32 1);
    ShuffleIndexF32 = "shfl.sync.idx.f32" (I32 1, F32 1, I32 2) -> (F32 1);
    ShuffleUpI32 = "shfl.sync.up.i32" (I32 4) -> (I32 1);
    ShuffleUpF32 = "shfl.sync.up.f32" (I32 1, F32 1, I32 2) -> (F32 1);
    ShuffleDownI32 = "shfl.sync.down.i32" (I32 4) -> (I32 1);
    ShuffleDownF32 = "shfl.sync.down.f32" (I32 1, F32 1, I32 2) -> (F32 1);

    // Reductions over the lanes of a warp: value, lane mask.
    ReduxAdd = "redux.sync.add" (I32 2) -> (I32 1);
    ReduxMin = "redux.sync.min" (I32 2) -> (I32 1);
    ReduxMax = "redux.sync.max" (I32 2) -> (I32 1);
    ReduxUnsignedMin = "redux.sync.umin" (I32 2) -> (I32 1);
    ReduxUnsignedMax = "redux.sync.umax" (I32 2) -> (I32 1);
    ReduxAnd = "redux.sync.and" (I32 2) -> (I32 1);
    ReduxOr = "redux.sync.or" (I32 2) -> (I32 1);
    ReduxXor = "redux.sync.xor" (I32 2) -> (I32 1);
    ReduxMinF32 = "redux.sync.fmin" (F32 1, I32 1) -> (F32 1) needs ReduxFloat, 8 . 6;
    ReduxMaxF32 = "redux.sync.fmax" (F32 1, I32 1) -> (F32 1) needs ReduxFloat, 8 . 6;
    ReduxMinNanF32 = "redux.sync.fmin.NaN" (F32 1, I32 1) -> (F32 1) needs ReduxFloat, 8 . 6;
    ReduxMaxNanF32 = "redux.sync.fmax.NaN" (F32 1, I32 1) -> (F32 1) needs ReduxFloat, 8 . 6;

    // MMAs of one warp: A, B, C. Fragments as in the PTX ISA, "Matrix Fragments for mma".
    MmaM16N8K8F16 = "mma.m16n8k8.row.col.f32.f32" (V2F16 3, F32 4) -> (F32 4);
    MmaM16N8K8F16Half = "mma.m16n8k8.row.col.f16.f16" (V2F16 5) -> (V2F16 2);
    MmaM16N8K16F16 = "mma.m16n8k16.row.col.f32.f32" (V2F16 6, F32 4) -> (F32 4);
    MmaM16N8K16F16Half = "mma.m16n8k16.row.col.f16.f16" (V2F16 8) -> (V2F16 2);
    MmaM16N8K8Bf16 = "mma.m16n8k8.row.col.bf16" (I32 3, F32 4) -> (F32 4);
    MmaM16N8K16Bf16 = "mma.m16n8k16.row.col.bf16" (I32 6, F32 4) -> (F32 4);
    MmaM16N8K4Tf32 = "mma.m16n8k4.row.col.tf32" (I32 3, F32 4) -> (F32 4);
    MmaM16N8K8Tf32 = "mma.m16n8k8.row.col.tf32" (I32 6, F32 4) -> (F32 4);
    MmaM16N8K16S8S8 = "mma.m16n8k16.row.col.s8" (I32 7) -> (I32 4);
    MmaM16N8K16S8U8 = "mma.m16n8k16.row.col.s8.u8" (I32 7) -> (I32 4);
    MmaM16N8K16U8U8 = "mma.m16n8k16.row.col.u8" (I32 7) -> (I32 4);
    MmaM16N8K16U8S8 = "mma.m16n8k16.row.col.u8.s8" (I32 7) -> (I32 4);
    MmaM16N8K32S8S8 = "mma.m16n8k32.row.col.s8" (I32 10) -> (I32 4);
    MmaM16N8K32S8U8 = "mma.m16n8k32.row.col.s8.u8" (I32 10) -> (I32 4);
    MmaM16N8K32U8U8 = "mma.m16n8k32.row.col.u8" (I32 10) -> (I32 4);
    MmaM16N8K32U8S8 = "mma.m16n8k32.row.col.u8.s8" (I32 10) -> (I32 4);
    MmaM8N8K4F64 = "mma.m8n8k4.row.col.f64" (F64 4) -> (F64 2);
    MmaM16N8K32E4m3 = "mma.m16n8k32.row.col.f32.e4m3.e4m3.f32" (I32 6, F32 4) -> (F32 4) needs Fp8Convert, 8 . 4;
    MmaM16N8K32E5m2 = "mma.m16n8k32.row.col.f32.e5m2.e5m2.f32" (I32 6, F32 4) -> (F32 4) needs Fp8Convert, 8 . 4;

    // Moves of 8x8 matrices of 16-bit elements between shared memory and registers.
    LdmatrixX1 = "ldmatrix.sync.aligned.m8n8.x1.b16.p3" (Shared 1) -> (I32 1);
    LdmatrixX2 = "ldmatrix.sync.aligned.m8n8.x2.b16.p3" (Shared 1) -> (I32 2);
    LdmatrixX4 = "ldmatrix.sync.aligned.m8n8.x4.b16.p3" (Shared 1) -> (I32 4);
    LdmatrixTransposedX1 = "ldmatrix.sync.aligned.m8n8.x1.trans.b16.p3" (Shared 1) -> (I32 1);
    LdmatrixTransposedX2 = "ldmatrix.sync.aligned.m8n8.x2.trans.b16.p3" (Shared 1) -> (I32 2);
    LdmatrixTransposedX4 = "ldmatrix.sync.aligned.m8n8.x4.trans.b16.p3" (Shared 1) -> (I32 4);
    StmatrixX1 = "stmatrix.sync.aligned.m8n8.x1.b16.p3" (Shared 1, I32 1) -> () needs Stmatrix, 7 . 8;
    StmatrixX2 = "stmatrix.sync.aligned.m8n8.x2.b16.p3" (Shared 1, I32 2) -> () needs Stmatrix, 7 . 8;
    StmatrixX4 = "stmatrix.sync.aligned.m8n8.x4.b16.p3" (Shared 1, I32 4) -> () needs Stmatrix, 7 . 8;
    StmatrixTransposedX1 = "stmatrix.sync.aligned.m8n8.x1.trans.b16.p3" (Shared 1, I32 1) -> () needs Stmatrix, 7 . 8;
    StmatrixTransposedX2 = "stmatrix.sync.aligned.m8n8.x2.trans.b16.p3" (Shared 1, I32 2) -> () needs Stmatrix, 7 . 8;
    StmatrixTransposedX4 = "stmatrix.sync.aligned.m8n8.x4.trans.b16.p3" (Shared 1, I32 4) -> () needs Stmatrix, 7 . 8;

    // Asynchronous copies: shared address, global address. Those named `Zfill` also have the number of bytes
    // to read as an operand; the rest is filled with zeros.
    CpAsyncCa4 = "cp.async.ca.shared.global.4" (Shared 1, Global 1) -> ();
    CpAsyncCa4Zfill = "cp.async.ca.shared.global.4.s" (Shared 1, Global 1, I32 1) -> ();
    CpAsyncCa8 = "cp.async.ca.shared.global.8" (Shared 1, Global 1) -> ();
    CpAsyncCa8Zfill = "cp.async.ca.shared.global.8.s" (Shared 1, Global 1, I32 1) -> ();
    CpAsyncCa16 = "cp.async.ca.shared.global.16" (Shared 1, Global 1) -> ();
    CpAsyncCa16Zfill = "cp.async.ca.shared.global.16.s" (Shared 1, Global 1, I32 1) -> ();
    CpAsyncCg16 = "cp.async.cg.shared.global.16" (Shared 1, Global 1) -> ();
    CpAsyncCg16Zfill = "cp.async.cg.shared.global.16.s" (Shared 1, Global 1, I32 1) -> ();
    CpAsyncCommit = "cp.async.commit.group" () -> ();
    CpAsyncWaitGroup = "cp.async.wait.group" (Immediate 1) -> ();
    CpAsyncWaitAll = "cp.async.wait.all" () -> ();

    // Selects four of eight bytes.
    Permute = "prmt" (I32 3) -> (I32 1);

    // Arithmetic. NVPTX does not lower intrinsics such as `llvm.log2`; these are the instructions themselves.
    Exp2Approx = "ex2.approx.f32" (F32 1) -> (F32 1);
    Exp2ApproxFtz = "ex2.approx.ftz.f32" (F32 1) -> (F32 1);
    Exp2ApproxF16 = "ex2.approx.f16" (F16 1) -> (F16 1);
    Exp2ApproxV2F16 = "ex2.approx.v2f16" (V2F16 1) -> (V2F16 1);
    Exp2ApproxFtzV2Bf16 = "ex2.approx.ftz.v2bf16" (V2Bf16 1) -> (V2Bf16 1) needs Bf16Arithmetic, 7 . 8;
    Log2Approx = "lg2.approx.f" (F32 1) -> (F32 1);
    Log2ApproxFtz = "lg2.approx.ftz.f" (F32 1) -> (F32 1);
    RsqrtApprox = "rsqrt.approx.f" (F32 1) -> (F32 1);
    RsqrtApproxFtz = "rsqrt.approx.ftz.f" (F32 1) -> (F32 1);
    SqrtApprox = "sqrt.approx.f" (F32 1) -> (F32 1);
    SqrtApproxFtz = "sqrt.approx.ftz.f" (F32 1) -> (F32 1);
    SinApprox = "sin.approx.f" (F32 1) -> (F32 1);
    SinApproxFtz = "sin.approx.ftz.f" (F32 1) -> (F32 1);
    CosApprox = "cos.approx.f" (F32 1) -> (F32 1);
    CosApproxFtz = "cos.approx.ftz.f" (F32 1) -> (F32 1);
    RsqrtApproxF64 = "rsqrt.approx.d" (F64 1) -> (F64 1);
    Saturate = "saturate.f" (F32 1) -> (F32 1);
    ReciprocalApproxFtz = "rcp.approx.ftz.f" (F32 1) -> (F32 1);
    ReciprocalApproxFtzF64 = "rcp.approx.ftz.d" (F64 1) -> (F64 1);
    ReciprocalRn = "rcp.rn.f" (F32 1) -> (F32 1);
    SqrtRn = "sqrt.rn.f" (F32 1) -> (F32 1);
    DivRn = "div.rn.f" (F32 2) -> (F32 1);
    FmaRn = "fma.rn.f" (F32 3) -> (F32 1);
    AddRn = "add.rn.f" (F32 2) -> (F32 1);
    MulRn = "mul.rn.f" (F32 2) -> (F32 1);
    SqrtRnF64 = "sqrt.rn.d" (F64 1) -> (F64 1);
    DivRnF64 = "div.rn.d" (F64 2) -> (F64 1);
    FmaRnF64 = "fma.rn.d" (F64 3) -> (F64 1);
    AddRnF64 = "add.rn.d" (F64 2) -> (F64 1);
    MulRnF64 = "mul.rn.d" (F64 2) -> (F64 1);
    ReciprocalRz = "rcp.rz.f" (F32 1) -> (F32 1);
    SqrtRz = "sqrt.rz.f" (F32 1) -> (F32 1);
    DivRz = "div.rz.f" (F32 2) -> (F32 1);
    FmaRz = "fma.rz.f" (F32 3) -> (F32 1);
    AddRz = "add.rz.f" (F32 2) -> (F32 1);
    MulRz = "mul.rz.f" (F32 2) -> (F32 1);
    SqrtRzF64 = "sqrt.rz.d" (F64 1) -> (F64 1);
    DivRzF64 = "div.rz.d" (F64 2) -> (F64 1);
    FmaRzF64 = "fma.rz.d" (F64 3) -> (F64 1);
    AddRzF64 = "add.rz.d" (F64 2) -> (F64 1);
    MulRzF64 = "mul.rz.d" (F64 2) -> (F64 1);
    ReciprocalRm = "rcp.rm.f" (F32 1) -> (F32 1);
    SqrtRm = "sqrt.rm.f" (F32 1) -> (F32 1);
    DivRm = "div.rm.f" (F32 2) -> (F32 1);
    FmaRm = "fma.rm.f" (F32 3) -> (F32 1);
    AddRm = "add.rm.f" (F32 2) -> (F32 1);
    MulRm = "mul.rm.f" (F32 2) -> (F32 1);
    SqrtRmF64 = "sqrt.rm.d" (F64 1) -> (F64 1);
    DivRmF64 = "div.rm.d" (F64 2) -> (F64 1);
    FmaRmF64 = "fma.rm.d" (F64 3) -> (F64 1);
    AddRmF64 = "add.rm.d" (F64 2) -> (F64 1);
    MulRmF64 = "mul.rm.d" (F64 2) -> (F64 1);
    ReciprocalRp = "rcp.rp.f" (F32 1) -> (F32 1);
    SqrtRp = "sqrt.rp.f" (F32 1) -> (F32 1);
    DivRp = "div.rp.f" (F32 2) -> (F32 1);
    FmaRp = "fma.rp.f" (F32 3) -> (F32 1);
    AddRp = "add.rp.f" (F32 2) -> (F32 1);
    MulRp = "mul.rp.f" (F32 2) -> (F32 1);
    SqrtRpF64 = "sqrt.rp.d" (F64 1) -> (F64 1);
    DivRpF64 = "div.rp.d" (F64 2) -> (F64 1);
    FmaRpF64 = "fma.rp.d" (F64 3) -> (F64 1);
    AddRpF64 = "add.rp.d" (F64 2) -> (F64 1);
    MulRpF64 = "mul.rp.d" (F64 2) -> (F64 1);
    AddRnFtz = "add.rn.ftz.f" (F32 2) -> (F32 1);
    AddRzFtz = "add.rz.ftz.f" (F32 2) -> (F32 1);
    AddRmFtz = "add.rm.ftz.f" (F32 2) -> (F32 1);
    AddRpFtz = "add.rp.ftz.f" (F32 2) -> (F32 1);
    MulRnFtz = "mul.rn.ftz.f" (F32 2) -> (F32 1);
    MulRzFtz = "mul.rz.ftz.f" (F32 2) -> (F32 1);
    MulRmFtz = "mul.rm.ftz.f" (F32 2) -> (F32 1);
    MulRpFtz = "mul.rp.ftz.f" (F32 2) -> (F32 1);
    FmaRnFtz = "fma.rn.ftz.f" (F32 3) -> (F32 1);
    FmaRzFtz = "fma.rz.ftz.f" (F32 3) -> (F32 1);
    FmaRmFtz = "fma.rm.ftz.f" (F32 3) -> (F32 1);
    FmaRpFtz = "fma.rp.ftz.f" (F32 3) -> (F32 1);
    DivRnFtz = "div.rn.ftz.f" (F32 2) -> (F32 1);
    DivRzFtz = "div.rz.ftz.f" (F32 2) -> (F32 1);
    DivRmFtz = "div.rm.ftz.f" (F32 2) -> (F32 1);
    DivRpFtz = "div.rp.ftz.f" (F32 2) -> (F32 1);
    SqrtRnFtz = "sqrt.rn.ftz.f" (F32 1) -> (F32 1);
    SqrtRzFtz = "sqrt.rz.ftz.f" (F32 1) -> (F32 1);
    SqrtRmFtz = "sqrt.rm.ftz.f" (F32 1) -> (F32 1);
    SqrtRpFtz = "sqrt.rp.ftz.f" (F32 1) -> (F32 1);
    MaxFtz = "fmax.ftz.f" (F32 2) -> (F32 1);
    MaxNanFtz = "fmax.ftz.nan.f" (F32 2) -> (F32 1);
    MinFtz = "fmin.ftz.f" (F32 2) -> (F32 1);
    MinNanFtz = "fmin.ftz.nan.f" (F32 2) -> (F32 1);
    DivFull = "div.full" (F32 2) -> (F32 1);
    DivFullFtz = "div.full.ftz" (F32 2) -> (F32 1);
    DivApprox = "div.approx.f" (F32 2) -> (F32 1);
    DivApproxFtz = "div.approx.ftz.f" (F32 2) -> (F32 1);

    // Conversions. The first operand of a conversion of pairs becomes the upper half of the result.
    F64ToF32Rz = "d2f.rz" (F64 1) -> (F32 1);
    F64ToF32Rm = "d2f.rm" (F64 1) -> (F32 1);
    F64ToF32Rp = "d2f.rp" (F64 1) -> (F32 1);
    F32ToF16Rz = "f2f16.rz" (F32 1) -> (F16 1);
    F32ToBf16Rz = "f2bf16.rz" (F32 1) -> (Bf16 1);
    I32ToF32Rz = "i2f.rz" (I32 1) -> (F32 1);
    U32ToF32Rz = "ui2f.rz" (I32 1) -> (F32 1);
    I64ToF32Rz = "ll2f.rz" (I64 1) -> (F32 1);
    U64ToF32Rz = "ull2f.rz" (I64 1) -> (F32 1);
    F32ToTf32 = "f2tf32.rna" (F32 1) -> (I32 1);
    F32ToTf32Nearest = "f2tf32.rn" (F32 1) -> (I32 1) needs Tf32Nearest, 7 . 8;
    F32PairToF16 = "ff2f16x2.rn" (F32 2) -> (V2F16 1);
    F32PairToBf16 = "ff2bf16x2.rn" (F32 2) -> (V2Bf16 1);
    F32PairToE4m3 = "ff.to.e4m3x2.rn" (F32 2) -> (I16 1) needs Fp8Convert, 8 . 1;
    F16PairToE4m3 = "f16x2.to.e4m3x2.rn" (V2F16 1) -> (I16 1) needs Fp8Convert, 8 . 1;
    E4m3PairToF16 = "e4m3x2.to.f16x2.rn" (I16 1) -> (V2F16 1) needs Fp8Convert, 8 . 1;
    F32PairToE5m2 = "ff.to.e5m2x2.rn" (F32 2) -> (I16 1) needs Fp8Convert, 8 . 1;
    F16PairToE5m2 = "f16x2.to.e5m2x2.rn" (V2F16 1) -> (I16 1) needs Fp8Convert, 8 . 1;
    E5m2PairToF16 = "e5m2x2.to.f16x2.rn" (I16 1) -> (V2F16 1) needs Fp8Convert, 8 . 1;
    F32PairToE2m1 = "ff.to.e2m1x2.rn.satfinite" (F32 2) -> (I16 1) needs Fp4Convert, 8 . 6;
    E2m1PairToF16 = "e2m1x2.to.f16x2.rn" (I16 1) -> (V2F16 1) needs Fp4Convert, 8 . 6;
    E8m0PairToBf16 = "ue8m0x2.to.bf16x2" (I16 1) -> (V2Bf16 1) needs Fp4Convert, 8 . 6;
}

impl Intrinsic {
    /// Returns the name of the intrinsic in LLVM.
    pub fn llvm_name(self) -> &'static str {
        self.row().name
    }

    /// Returns the intrinsic with the LLVM name `name`.
    pub fn from_llvm_name(name: &str) -> Option<Self> {
        name.starts_with("llvm.nvvm.")
            .then(|| {
                Self::ALL
                    .iter()
                    .copied()
                    .find(|intrinsic| intrinsic.llvm_name() == name)
            })
            .flatten()
    }

    /// Returns `true` if `arch` has the instruction.
    pub fn is_available_on(self, arch: Arch) -> bool {
        self.row()
            .needs
            .is_none_or(|(feature, _)| arch.has(feature))
    }

    /// Returns the lowest PTX version that has the instruction.
    pub fn min_ptx(self) -> PtxVersion {
        self.row()
            .needs
            .map_or(PtxVersion::new(7, 0), |(_, version)| version)
    }

    /// Declares the intrinsic in `module`.
    pub fn declare<'ctx>(self, module: &Module<'ctx>) -> FunctionValue<'ctx> {
        let row = self.row();
        if let Some(function) = module.get_function(row.name) {
            return function;
        }
        let cx = module.get_context();
        let params: Vec<BasicMetadataTypeEnum<'ctx>> = flat(row.params)
            .map(|ty| ty.in_context(cx).into())
            .collect();
        let results: Vec<BasicTypeEnum<'ctx>> =
            flat(row.results).map(|ty| ty.in_context(cx)).collect();
        let ty = match results.as_slice() {
            [] => cx.void_type().fn_type(&params, false),
            [result] => result.fn_type(&params, false),
            results => cx.struct_type(results, false).fn_type(&params, false),
        };
        // LLVM recognizes the name, and sets the attributes of the declaration.
        module.add_function(row.name, ty, None)
    }

    /// Calls the intrinsic at the insertion point of `builder`. Each result is a separate value, even where
    /// LLVM returns a struct.
    pub fn call<'ctx>(
        self,
        module: &Module<'ctx>,
        builder: &Builder<'ctx>,
        args: &[BasicMetadataValueEnum<'ctx>],
    ) -> Vec<BasicValueEnum<'ctx>> {
        let row = self.row();
        let params = flat(row.params).count();
        assert!(
            args.len() == params,
            "`{}` takes {params} operands, not {}",
            row.name,
            args.len()
        );
        let call = builder
            .build_call(self.declare(module), args, "")
            .expect("the builder is in a block");
        let Some(result) = call.try_as_basic_value().basic() else {
            return Vec::new();
        };
        let count = flat(row.results).count();
        if count == 1 {
            return vec![result];
        }
        let parts = result.into_struct_value();
        (0..)
            .take(count)
            .map(|index| {
                builder
                    .build_extract_value(parts, index, "")
                    .expect("the struct has that many fields")
            })
            .collect()
    }
}

fn flat(runs: &[(Ty, usize)]) -> impl Iterator<Item = Ty> {
    runs.iter()
        .flat_map(|&(ty, count)| std::iter::repeat_n(ty, count))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cubin::Cubin;
    use crate::isolate;
    use crate::level::{Level, OptLevel};
    use crate::llvm::kernel::{Access, Aliasing, KernelFrame, KernelParam};
    use crate::llvm::{Compilation, Context, compile};
    use crate::ptx::Ptx;
    use crate::tools::Tool;
    use std::collections::BTreeSet;
    use std::time::Duration;

    /// Adds a kernel that loads the operands, calls `intrinsic`, and stores the results.
    fn add_kernel(module: &Module<'_>, intrinsic: Intrinsic) {
        let cx = module.get_context();
        let mut frame = KernelFrame::new(format!("test_{intrinsic:?}"), 128);
        let pointer = KernelParam::Global {
            align_bytes: 16,
            access: Access::Write,
            aliasing: Aliasing::Shared,
        };
        frame.params = vec![pointer, KernelParam::Integer(32)];
        let function = frame.declare(module);
        let builder = cx.create_builder();
        builder.position_at_end(cx.append_basic_block(function, "entry"));
        let global = function
            .get_nth_param(0)
            .expect("a pointer")
            .into_pointer_value();
        let offset = function
            .get_nth_param(1)
            .expect("an offset")
            .into_int_value();
        let shared = crate::llvm::kernel::dynamic_shared(module).as_pointer_value();
        let row = intrinsic.row();
        let args: Vec<BasicMetadataValueEnum<'_>> = flat(row.params)
            .map(|ty| match ty {
                Ty::Immediate => cx.i32_type().const_zero().into(),
                Ty::Global => global.into(),
                Ty::Shared => {
                    // SAFETY: the instruction only computes an address, and nothing runs this kernel.
                    unsafe { builder.build_gep(cx.i8_type(), shared, &[offset], "") }
                        .expect("a block")
                        .into()
                }
                ty => builder
                    .build_load(ty.in_context(cx), global, "")
                    .expect("a block")
                    .into(),
            })
            .collect();
        for result in intrinsic.call(module, &builder, &args) {
            builder.build_store(global, result).expect("a block");
        }
        builder.build_return(None).expect("a block");
    }

    fn compiled(arch: Arch, intrinsics: &[Intrinsic]) -> Ptx {
        let cx = Context::new();
        let module = cx.module("test", arch).expect("a module");
        for &intrinsic in intrinsics {
            add_kernel(&module, intrinsic);
        }
        compile(&cx, &module, &Compilation::new(arch)).expect("PTX")
    }

    fn available(arch: Arch) -> Vec<Intrinsic> {
        Intrinsic::ALL
            .iter()
            .copied()
            .filter(|row| row.is_available_on(arch))
            .collect()
    }

    const ARCHS: [Arch; 4] = [Arch::SM_80, Arch::SM_89, Arch::SM_90A, Arch::SM_100A];

    #[test]
    fn every_name_is_listed_once() {
        let names: BTreeSet<_> = Intrinsic::ALL.iter().map(|row| row.llvm_name()).collect();
        assert_eq!(names.len(), Intrinsic::ALL.len());
    }

    #[test]
    fn every_row_is_available_somewhere_and_only_rows_that_need_more_are_refused() {
        for &row in Intrinsic::ALL {
            assert!(
                Arch::ALL.iter().any(|&arch| row.is_available_on(arch)),
                "{row:?}"
            );
        }
        assert!(!Intrinsic::StmatrixX4.is_available_on(Arch::SM_89));
        assert!(Intrinsic::StmatrixX4.is_available_on(Arch::SM_90));
    }

    #[test]
    fn every_intrinsic_becomes_instructions() {
        for arch in ARCHS {
            // Rows are compiled one by one: LLVM aborts on a wrong row, and the last stage then names that
            // row.
            let done = isolate::run(Duration::from_secs(120), |progress| {
                for row in available(arch) {
                    progress.stage(row.llvm_name());
                    let ptx = compiled(arch, &[row]);
                    assert!(!ptx.text().contains("call"), "{}", ptx.text());
                }
                Vec::new()
            });
            if let Err(failure) = done {
                panic!("{arch}: {failure}\n{}", failure.stderr_tail);
            }
        }
    }

    #[test]
    fn ptxas_takes_every_intrinsic() {
        let program = match Tool::Ptxas.find() {
            Ok(program) => program,
            Err(error) => return crate::testing::skip(&error),
        };
        for arch in ARCHS {
            let rows = available(arch);
            // One file per row would take a second per ten rows. Rows with the same version share a file
            // instead, so that no row benefits from the higher version of another.
            let versions: BTreeSet<_> = rows.iter().map(|row| row.min_ptx()).collect();
            for version in versions {
                let rows: Vec<_> = rows
                    .iter()
                    .copied()
                    .filter(|row| row.min_ptx() == version)
                    .collect();
                let ptx = compiled(arch, &rows);
                assert_eq!(ptx.version(), version.max(arch.min_ptx()));
                let cubin = Cubin::assemble(&ptx, &program, Level::from(OptLevel::O0))
                    .unwrap_or_else(|error| panic!("{arch}: {error}"));
                assert_eq!(cubin.report().resources.len(), rows.len());
            }
        }
    }
}
