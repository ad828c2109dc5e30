//! Kernels and structures of the tests.

use std::ffi::CStr;
use std::ptr::{null, null_mut};

use cudarc::driver::sys::*;

/// Kernels of `sm_80`.
pub(crate) const PTX: &CStr = c"
.version 7.0
.target sm_80
.address_size 64
.visible .global .align 4 .u32 counter = 7;
.visible .const .align 4 .b8 table[16] = {1, 2, 3, 4};

// data[i] = value
.visible .entry fill(.param .u64 data, .param .u32 value)
{
    .reg .b32 %r<5>; .reg .b64 %d<3>;
    ld.param.u64 %d0, [data];
    ld.param.u32 %r0, [value];
    mov.u32 %r1, %ctaid.x;
    mov.u32 %r2, %ntid.x;
    mov.u32 %r3, %tid.x;
    mad.lo.u32 %r1, %r1, %r2, %r3;
    mul.wide.u32 %d1, %r1, 4;
    add.u64 %d0, %d0, %d1;
    st.global.u32 [%d0], %r0;
    ret;
}

// to[i] = from[i] + 1
.visible .entry next(.param .u64 to, .param .u64 from)
{
    .reg .b32 %r<5>; .reg .b64 %d<4>;
    ld.param.u64 %d0, [to];
    ld.param.u64 %d1, [from];
    mov.u32 %r1, %ctaid.x;
    mov.u32 %r2, %ntid.x;
    mov.u32 %r3, %tid.x;
    mad.lo.u32 %r1, %r1, %r2, %r3;
    mul.wide.u32 %d2, %r1, 4;
    add.u64 %d0, %d0, %d2;
    add.u64 %d1, %d1, %d2;
    ld.global.u32 %r4, [%d1];
    add.u32 %r4, %r4, 1;
    st.global.u32 [%d0], %r4;
    ret;
}

// Waits until flag is 1.
.visible .entry spin(.param .u64 flag)
{
    .reg .b32 %r<1>; .reg .b64 %d<1>; .reg .pred %p;
    ld.param.u64 %d0, [flag];
again:
    ld.relaxed.sys.global.u32 %r0, [%d0];
    setp.ne.u32 %p, %r0, 1;
    @%p bra again;
    ret;
}

// flag = 1
.visible .entry signal(.param .u64 flag)
{
    .reg .b32 %r<1>; .reg .b64 %d<1>;
    ld.param.u64 %d0, [flag];
    mov.u32 %r0, 1;
    st.relaxed.sys.global.u32 [%d0], %r0;
    ret;
}

// Adds 1 to a number n times.
.visible .entry count(.param .u64 sum, .param .u32 n)
{
    .reg .b32 %r<3>; .reg .b64 %d<1>; .reg .pred %p;
    ld.param.u64 %d0, [sum];
    ld.param.u32 %r0, [n];
again:
    atom.relaxed.sys.global.add.u32 %r1, [%d0], 1;
    sub.u32 %r0, %r0, 1;
    setp.ne.u32 %p, %r0, 0;
    @%p bra again;
    ret;
}

.visible .entry stop() { trap; ret; }

.visible .entry bounded() .maxntid 64, 1, 1 { ret; }

.visible .entry shared_memory()
{
    .shared .align 4 .b8 buffer[1024];
    ret;
}

.visible .entry raise_counter()
{
    .reg .b32 %r<1>; .reg .b64 %d<1>;
    mov.u64 %d0, counter;
    ld.global.u32 %r0, [%d0];
    add.u32 %r0, %r0, 1;
    st.global.u32 [%d0], %r0;
    ret;
}

// Waits until flag is 1, then adds 1 to data.
.visible .entry consume(.param .u64 data, .param .u64 flag)
{
    .reg .b32 %r<1>; .reg .b64 %d<2>; .reg .pred %p;
    ld.param.u64 %d0, [data];
    ld.param.u64 %d1, [flag];
again:
    ld.acquire.sys.global.u32 %r0, [%d1];
    setp.ne.u32 %p, %r0, 1;
    @%p bra again;
    ld.global.u32 %r0, [%d0];
    add.u32 %r0, %r0, 1;
    st.global.u32 [%d0], %r0;
    ret;
}

// data = 7, then flag = 1, for whom waits for it.
.visible .entry publish(.param .u64 data, .param .u64 flag)
{
    .reg .b32 %r<2>; .reg .b64 %d<2>;
    ld.param.u64 %d0, [data];
    ld.param.u64 %d1, [flag];
    mov.u32 %r0, 7;
    st.global.u32 [%d0], %r0;
    mov.u32 %r1, 1;
    st.release.sys.global.u32 [%d1], %r1;
    ret;
}
";

/// Kernels of Hopper.
pub(crate) const PTX_90: &CStr = c"
.version 8.0
.target sm_90
.address_size 64

// to[i] = from[i] + 1, behind the previous grid.
.visible .entry next_waiting(.param .u64 to, .param .u64 from)
{
    .reg .b32 %r<5>; .reg .b64 %d<4>;
    griddepcontrol.wait;
    ld.param.u64 %d0, [to];
    ld.param.u64 %d1, [from];
    mov.u32 %r3, %tid.x;
    mul.wide.u32 %d2, %r3, 4;
    add.u64 %d0, %d0, %d2;
    add.u64 %d1, %d1, %d2;
    ld.global.u32 %r4, [%d1];
    add.u32 %r4, %r4, 1;
    st.global.u32 [%d0], %r4;
    ret;
}

// The same, but it reads before it waits.
.visible .entry next_early(.param .u64 to, .param .u64 from)
{
    .reg .b32 %r<5>; .reg .b64 %d<4>;
    ld.param.u64 %d0, [to];
    ld.param.u64 %d1, [from];
    mov.u32 %r3, %tid.x;
    mul.wide.u32 %d2, %r3, 4;
    add.u64 %d0, %d0, %d2;
    add.u64 %d1, %d1, %d2;
    ld.global.u32 %r4, [%d1];
    griddepcontrol.wait;
    add.u32 %r4, %r4, 1;
    st.global.u32 [%d0], %r4;
    ret;
}

// data[block] = rank of the block in its cluster
.visible .entry ranks(.param .u64 data)
{
    .reg .b32 %r<2>; .reg .b64 %d<2>;
    ld.param.u64 %d0, [data];
    mov.u32 %r0, %ctaid.x;
    mov.u32 %r1, %cluster_ctarank;
    mul.wide.u32 %d1, %r0, 4;
    add.u64 %d0, %d0, %d1;
    st.global.u32 [%d0], %r1;
    ret;
}

// Copies a tile of 8 rows of 16 numbers to shared memory.
.visible .entry load_tile(.param .align 64 .b8 map[128])
{
    .shared .align 128 .b8 tile[512];
    .shared .align 8 .b64 barrier;
    .reg .b32 %r<3>; .reg .b64 %d<2>; .reg .pred %p;
    mov.b64 %d0, map;
    cvta.param.u64 %d0, %d0;
    mov.u32 %r0, tile;
    mov.u32 %r1, barrier;
    mov.u32 %r2, 0;
    mbarrier.init.shared::cta.b64 [%r1], 1;
    fence.mbarrier_init.release.cluster;
    mbarrier.arrive.expect_tx.shared::cta.b64 %d1, [%r1], 512;
    cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes [%r0], [%d0, {%r2, %r2}], [%r1];
again:
    mbarrier.try_wait.parity.shared::cta.b64 %p, [%r1], %r2;
    @!%p bra again;
    ret;
}

.visible .entry pairs() .reqnctapercluster 2, 1, 1 .explicitcluster { ret; }
";

/// A copy with rows of nothing, from the host to the host.
pub(crate) fn rows() -> CUDA_MEMCPY2D {
    CUDA_MEMCPY2D {
        srcXInBytes: 0,
        srcY: 0,
        srcMemoryType: CUmemorytype_enum::CU_MEMORYTYPE_HOST,
        srcHost: null(),
        srcDevice: 0,
        srcArray: null_mut(),
        srcPitch: 0,
        dstXInBytes: 0,
        dstY: 0,
        dstMemoryType: CUmemorytype_enum::CU_MEMORYTYPE_HOST,
        dstHost: null_mut(),
        dstDevice: 0,
        dstArray: null_mut(),
        dstPitch: 0,
        WidthInBytes: 0,
        Height: 0,
    }
}

/// A copy with slices of nothing, from the host to the host.
pub(crate) fn slices() -> CUDA_MEMCPY3D {
    CUDA_MEMCPY3D {
        srcXInBytes: 0,
        srcY: 0,
        srcZ: 0,
        srcLOD: 0,
        srcMemoryType: CUmemorytype_enum::CU_MEMORYTYPE_HOST,
        srcHost: null(),
        srcDevice: 0,
        srcArray: null_mut(),
        reserved0: null_mut(),
        srcPitch: 0,
        srcHeight: 0,
        dstXInBytes: 0,
        dstY: 0,
        dstZ: 0,
        dstLOD: 0,
        dstMemoryType: CUmemorytype_enum::CU_MEMORYTYPE_HOST,
        dstHost: null_mut(),
        dstDevice: 0,
        dstArray: null_mut(),
        reserved1: null_mut(),
        dstPitch: 0,
        dstHeight: 0,
        WidthInBytes: 0,
        Height: 0,
        Depth: 0,
    }
}
