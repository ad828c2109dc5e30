"""Gluon, Triton's lower level: layouts, copies, barriers and warps are written out."""

from triton.experimental import gluon
from triton.experimental.gluon import language as gl
from triton.experimental.gluon.language.nvidia.ampere import async_copy
from triton.experimental.gluon.language.nvidia.ampere import mbarrier as mbarrier_v8
from triton.experimental.gluon.language.nvidia.hopper import (
    cluster, fence_async_shared, mbarrier, tma, warpgroup_mma, warpgroup_mma_init, warpgroup_mma_wait)


@gluon.jit
def async_groups(x, out, n, BLOCK: gl.constexpr):
    """Copies in two groups, the later one still under way when the first is used."""
    row: gl.constexpr = gl.BlockedLayout([4], [32], [gl.num_warps()], [0])
    shared: gl.constexpr = gl.SwizzledSharedLayout(1, 1, 1, [0])
    i = gl.program_id(0) * 2 * BLOCK + gl.arange(0, BLOCK, row)
    first = gl.allocate_shared_memory(gl.float32, [BLOCK], shared)
    second = gl.allocate_shared_memory(gl.float32, [BLOCK], shared)
    async_copy.async_load(first, x + i, mask=i < n)
    async_copy.commit_group()
    async_copy.async_load(second, x + i + BLOCK, mask=i + BLOCK < n)
    async_copy.commit_group()
    async_copy.wait_group(1)
    gl.barrier()
    gl.store(out + i, first.load(row) * 2, mask=i < n)
    async_copy.wait_group(0)
    gl.barrier()
    gl.store(out + i + BLOCK, second.load(row) * 3, mask=i + BLOCK < n)


@gluon.jit
def async_barrier(x, out, BLOCK: gl.constexpr):
    """Copies that arrive at an mbarrier."""
    row: gl.constexpr = gl.BlockedLayout([4], [32], [gl.num_warps()], [0])
    shared: gl.constexpr = gl.SwizzledSharedLayout(1, 1, 1, [0])
    i = gl.program_id(0) * BLOCK + gl.arange(0, BLOCK, row)
    tile = gl.allocate_shared_memory(gl.float32, [BLOCK], shared)
    bar = mbarrier_v8.allocate_mbarrier()
    mbarrier_v8.init(bar, count=1)
    gl.barrier()
    async_copy.async_load(tile, x + i)
    async_copy.mbarrier_arrive(bar)
    mbarrier_v8.arrive(bar)
    mbarrier_v8.wait(bar, 0)
    gl.store(out + i, tile.load(row) + 1)
    mbarrier_v8.invalidate(bar)


@gluon.jit
def shared_histogram(x, out, n, BINS: gl.constexpr, BLOCK: gl.constexpr):
    """Atomic operations on shared memory."""
    row: gl.constexpr = gl.BlockedLayout([1], [32], [gl.num_warps()], [0])
    shared: gl.constexpr = gl.SwizzledSharedLayout(1, 1, 1, [0])
    bins = gl.allocate_shared_memory(gl.int32, [BINS], shared, gl.zeros([BINS], gl.int32, row))
    gl.barrier()
    for start in range(0, n, BLOCK):
        i = start + gl.arange(0, BLOCK, row)
        v = gl.load(x + i, mask=i < n, other=0)
        bins.atomic_scatter_add(i * 0 + 1, v, 0, mask=i < n)
    gl.barrier()
    gl.store(out + gl.arange(0, BINS, row), bins.load(row))


@gluon.jit
def shared_permutation(x, index, out, R: gl.constexpr, C: gl.constexpr):
    """Scattered to shared memory, read back in a swizzled layout of another order."""
    rows: gl.constexpr = gl.BlockedLayout([1, 4], [4, 8], [gl.num_warps(), 1], [1, 0])
    columns: gl.constexpr = gl.BlockedLayout([4, 1], [8, 4], [1, gl.num_warps()], [0, 1])
    shared: gl.constexpr = gl.SwizzledSharedLayout(4, 1, 8, [1, 0])
    r = gl.arange(0, R, gl.SliceLayout(1, rows))[:, None]
    c = gl.arange(0, C, gl.SliceLayout(0, rows))[None, :]
    tile = gl.allocate_shared_memory(gl.float32, [R, C], shared)
    tile.scatter(gl.load(x + r * C + c), gl.load(index + r * C + c), 1)
    gl.barrier()
    r2 = gl.arange(0, R, gl.SliceLayout(1, columns))[:, None]
    c2 = gl.arange(0, C, gl.SliceLayout(0, columns))[None, :]
    gl.store(out + c2 * R + r2, tile.load(columns))


@gluon.jit
def multicast(x, out, M, N, BM: gl.constexpr, BN: gl.constexpr):
    """Both blocks of a cluster get the same tile by one copy each of a half of it."""
    shared: gl.constexpr = gl.NVMMASharedLayout(64, 16, 2, cga_layout=[[0, 0]])
    row: gl.constexpr = gl.BlockedLayout([1, 8], [8, 4], [gl.num_warps(), 1], [1, 0], cga_layout=[[0, 0]])
    desc = tma.make_tensor_descriptor(x, [M, N], [N, 1], [BM, BN], shared)
    tile = gl.allocate_shared_memory(gl.float16, [BM, BN], shared)
    bar = mbarrier.allocate_mbarrier()
    mbarrier.init(bar, count=1)
    cluster.barrier()
    pm = gl.program_id(0) * BM
    mbarrier.expect(bar, BM * BN * 2)
    tma.async_load(desc, [pm, 0], bar, tile, multicast=True)
    mbarrier.wait(bar, 0)
    r = pm + gl.arange(0, BM, gl.SliceLayout(1, row))[:, None]
    c = gl.arange(0, BN, gl.SliceLayout(0, row))[None, :]
    gl.store(out + r * N + c, tile.load(row) * 2)
    mbarrier.invalidate(bar)


@gluon.jit
def wgmma_pipeline(a, b, c, M, N, K, BM: gl.constexpr, BN: gl.constexpr, BK: gl.constexpr, STAGES: gl.constexpr):
    """Copies ahead by several stages, which are issued while a product is in flight."""
    sa: gl.constexpr = gl.NVMMASharedLayout.get_default_for([BM, BK], gl.float16)
    sb: gl.constexpr = gl.NVMMASharedLayout.get_default_for([BK, BN], gl.float16)
    da = tma.make_tensor_descriptor(a, [M, K], [K, 1], [BM, BK], sa)
    db = tma.make_tensor_descriptor(b, [K, N], [N, 1], [BK, BN], sb)
    ta = gl.allocate_shared_memory(gl.float16, [STAGES, BM, BK], sa)
    tb = gl.allocate_shared_memory(gl.float16, [STAGES, BK, BN], sb)
    bars = mbarrier.allocate_mbarrier(batch=STAGES)
    for s in gl.static_range(STAGES):
        mbarrier.init(bars.index(s), count=1)
    pm = gl.program_id(0) * BM
    pn = gl.program_id(1) * BN
    for s in gl.static_range(STAGES - 1):
        mbarrier.expect(bars.index(s), (BM + BN) * BK * 2)
        tma.async_load(da, [pm, s * BK], bars.index(s), ta.index(s))
        tma.async_load(db, [s * BK, pn], bars.index(s), tb.index(s))
    mma: gl.constexpr = gl.NVMMADistributedLayout([3, 0], [gl.num_warps(), 1], [16, BN, 16])
    acc = warpgroup_mma_init(gl.zeros([BM, BN], gl.float32, mma))
    steps = gl.cdiv(K, BK)
    for k in range(steps):
        now = k % STAGES
        mbarrier.wait(bars.index(now), (k // STAGES) & 1)
        acc = warpgroup_mma_wait(0, deps=[acc])
        acc = warpgroup_mma(ta.index(now), tb.index(now), acc, is_async=True)
        ahead = k + STAGES - 1
        then = ahead % STAGES
        go = ahead < steps
        mbarrier.expect(bars.index(then), (BM + BN) * BK * 2, pred=go)
        tma.async_load(da, [pm, ahead * BK], bars.index(then), ta.index(then), pred=go)
        tma.async_load(db, [ahead * BK, pn], bars.index(then), tb.index(then), pred=go)
    done = warpgroup_mma_wait(0, deps=[acc])
    r = pm + gl.arange(0, BM, gl.SliceLayout(1, mma))[:, None]
    n = pn + gl.arange(0, BN, gl.SliceLayout(0, mma))[None, :]
    gl.store(c + r * N + n, done)
    for s in gl.static_range(STAGES):
        mbarrier.invalidate(bars.index(s))


@gluon.jit
def _produce(da, ta, full, empty, pm, steps, BM: gl.constexpr, BN: gl.constexpr, STAGES: gl.constexpr):
    for k in range(steps):
        s = k % STAGES
        mbarrier.wait(empty.index(s), ((k // STAGES) & 1) ^ 1)
        mbarrier.expect(full.index(s), BM * BN * 4)
        tma.async_load(da, [pm, k * BN], full.index(s), ta.index(s))


@gluon.jit
def _consume(ta, full, empty, out, pm, steps, BM: gl.constexpr, BN: gl.constexpr, STAGES: gl.constexpr):
    row: gl.constexpr = gl.BlockedLayout([1, 4], [4, 8], [gl.num_warps(), 1], [1, 0])
    total = gl.zeros([BM, BN], gl.float32, row)
    for k in range(steps):
        s = k % STAGES
        mbarrier.wait(full.index(s), (k // STAGES) & 1)
        total += ta.index(s).load(row)
        fence_async_shared()
        mbarrier.arrive(empty.index(s), count=1)
    r = pm + gl.arange(0, BM, gl.SliceLayout(1, row))
    gl.store(out + r, gl.sum(total, 1))


@gluon.jit
def producer_consumer(x, out, M, N, BM: gl.constexpr, BN: gl.constexpr, STAGES: gl.constexpr):
    """One warp copies, the others add, and mbarriers go both ways."""
    shared: gl.constexpr = gl.NVMMASharedLayout.get_default_for([BM, BN], gl.float32)
    desc = tma.make_tensor_descriptor(x, [M, N], [N, 1], [BM, BN], shared)
    tiles = gl.allocate_shared_memory(gl.float32, [STAGES, BM, BN], shared)
    full = mbarrier.allocate_mbarrier(batch=STAGES)
    empty = mbarrier.allocate_mbarrier(batch=STAGES)
    for s in gl.static_range(STAGES):
        mbarrier.init(full.index(s), count=1)
        mbarrier.init(empty.index(s), count=1)
    pm = gl.program_id(0) * BM
    steps = gl.cdiv(N, BN)
    gl.warp_specialize([
        (_consume, (tiles, full, empty, out, pm, steps, BM, BN, STAGES)),
        (_produce, (desc, tiles, full, empty, pm, steps, BM, BN, STAGES)),
    ], [1], [24])


@gluon.jit
def bulk_round_trip(x, out, M, N, BM: gl.constexpr, BN: gl.constexpr):
    """A tile changed in shared memory between two tensor copies."""
    shared: gl.constexpr = gl.NVMMASharedLayout.get_default_for([BM, BN], gl.float32)
    row: gl.constexpr = gl.BlockedLayout([1, 4], [4, 8], [gl.num_warps(), 1], [1, 0])
    src = tma.make_tensor_descriptor(x, [M, N], [N, 1], [BM, BN], shared)
    dst = tma.make_tensor_descriptor(out, [M, N], [N, 1], [BM, BN], shared)
    tile = gl.allocate_shared_memory(gl.float32, [BM, BN], shared)
    bar = mbarrier.allocate_mbarrier()
    mbarrier.init(bar, count=1)
    at = [gl.program_id(0) * BM, gl.program_id(1) * BN]
    mbarrier.expect(bar, BM * BN * 4)
    tma.async_load(src, at, bar, tile)
    mbarrier.wait(bar, 0)
    v = tile.load(row)
    gl.barrier()
    tile.store(v * v)
    fence_async_shared()
    gl.barrier()
    tma.async_store(dst, at, tile)
    tma.store_wait(0)
    mbarrier.invalidate(bar)


@gluon.jit
def cluster_exchange(x, out, R: gl.constexpr, C: gl.constexpr):
    """A tile whose rows lie with both blocks of a cluster, read by columns."""
    by_row: gl.constexpr = gl.BlockedLayout([1, 4], [4, 8], [gl.num_warps(), 1], [1, 0], cga_layout=[[1, 0]])
    by_column: gl.constexpr = gl.BlockedLayout([4, 1], [8, 4], [1, gl.num_warps()], [0, 1], cga_layout=[[0, 1]])
    r = gl.arange(0, R, gl.SliceLayout(1, by_row))[:, None]
    c = gl.arange(0, C, gl.SliceLayout(0, by_row))[None, :]
    v = gl.convert_layout(gl.load(x + r * C + c), by_column)
    r2 = gl.arange(0, R, gl.SliceLayout(1, by_column))[:, None]
    c2 = gl.arange(0, C, gl.SliceLayout(0, by_column))[None, :]
    gl.store(out + c2 * R + r2, v)
