"""Gluon on tensor memory: fifth-generation products, copies into it, loads and stores of it, pairs of blocks."""

from triton.experimental import gluon
from triton.experimental.gluon import language as gl
from triton.experimental.gluon.language.nvidia.blackwell import (
    TensorMemoryLayout, TensorMemoryScalesLayout, add2, allocate_tensor_memory, cluster, fence_async_shared, fma2, max2,
    mbarrier, min2, mul2, sub2, tcgen05_commit, tcgen05_copy, tcgen05_mma, tcgen05_mma_barrier_count,
    tcgen05_mma_scaled, tma)


@gluon.jit
def rows_and_columns(M: gl.constexpr, N: gl.constexpr, layout: gl.constexpr):
    return gl.arange(0, M, gl.SliceLayout(1, layout))[:, None], gl.arange(0, N, gl.SliceLayout(0, layout))[None, :]


@gluon.jit
def load_tile(x, M: gl.constexpr, N: gl.constexpr):
    """A tile of M rows of N, contiguous."""
    layout: gl.constexpr = gl.BlockedLayout([1, 8], [8, 4], [gl.num_warps(), 1], [1, 0])
    r, c = rows_and_columns(M, N, layout)
    return gl.load(x + r * N + c)


@gluon.jit
def store_part(out, tmem, STRIDE, M: gl.constexpr, N: gl.constexpr):
    """Tensor memory to rows that are `STRIDE` apart."""
    layout: gl.constexpr = tmem.get_reg_layout()
    r, c = rows_and_columns(M, N, layout)
    gl.store(out + r * STRIDE + c, tmem.load().to(out.dtype.element_ty))


@gluon.jit
def round_trip(x, out, M: gl.constexpr, N: gl.constexpr, BM: gl.constexpr, BN: gl.constexpr, STRIDE: gl.constexpr,
               INTO: gl.constexpr, BACK: gl.constexpr):
    """Registers to tensor memory and back, in two shapes of access."""
    tmem = allocate_tensor_memory(x.dtype.element_ty, [M, N], TensorMemoryLayout([BM, BN], STRIDE))
    into: gl.constexpr = tmem.get_reg_layout(instr_variant=INTO)
    back: gl.constexpr = tmem.get_reg_layout(instr_variant=BACK)
    r, c = rows_and_columns(M, N, into)
    tmem.store(gl.load(x + r * N + c))
    v = tmem.load(back)
    r2, c2 = rows_and_columns(M, N, back)
    gl.store(out + r2 * N + c2, v)


@gluon.jit
def subtiles(x, out, M: gl.constexpr, N: gl.constexpr, PART: gl.constexpr):
    """Two buffers, each stored whole and loaded in parts."""
    layout: gl.constexpr = TensorMemoryLayout([M, N], 1)
    tmem = allocate_tensor_memory(gl.float32, [2, M, N], layout)
    whole: gl.constexpr = tmem.index(0).get_reg_layout()
    r, c = rows_and_columns(M, N, whole)
    for i in range(2):
        tmem.index(i).store(gl.load(x + i * M * N + r * N + c))
    for i in range(2):
        for j in gl.static_range(N // PART):
            store_part(out + i * M * N + j * PART, tmem.index(1 - i).slice(j * PART, PART), N, M, PART)


@gluon.jit
def extremes(x, out, least, most, M: gl.constexpr, N: gl.constexpr):
    """Loads that also reduce the rows."""
    tmem = allocate_tensor_memory(gl.float32, [M, N], TensorMemoryLayout([M, N], 1))
    whole: gl.constexpr = tmem.get_reg_layout()
    r, c = rows_and_columns(M, N, whole)
    tmem.store(gl.load(x + r * N + c))
    v, low = tmem.load_min()
    w, high = tmem.load_max(abs=True)
    gl.store(out + r * N + c, v + w)
    row: gl.constexpr = gl.BlockedLayout([1], [32], [gl.num_warps()], [0])
    i = gl.arange(0, M, row)
    gl.store(least + i, gl.convert_layout(low, row))
    gl.store(most + i, gl.convert_layout(high, row))


@gluon.jit
def mma(a, b, c, M: gl.constexpr, N: gl.constexpr, K: gl.constexpr, BM: gl.constexpr, ACC: gl.constexpr,
        A_BY_M: gl.constexpr, B_BY_N: gl.constexpr, IN_TMEM: gl.constexpr):
    """One tile. `a` is M x K, or K x M if `A_BY_M`; `b` is K x N if `B_BY_N`, or N x K."""
    ty: gl.constexpr = a.dtype.element_ty
    if A_BY_M:
        sa: gl.constexpr = gl.NVMMASharedLayout.get_default_for([K, M], ty)
        ta = gl.allocate_shared_memory(ty, [K, M], sa, load_tile(a, K, M)).permute((1, 0))
    else:
        sa: gl.constexpr = gl.NVMMASharedLayout.get_default_for([M, K], ty)
        ta = gl.allocate_shared_memory(ty, [M, K], sa, load_tile(a, M, K))
    if B_BY_N:
        sb: gl.constexpr = gl.NVMMASharedLayout.get_default_for([K, N], ty)
        tb = gl.allocate_shared_memory(ty, [K, N], sb, load_tile(b, K, N))
    else:
        sb: gl.constexpr = gl.NVMMASharedLayout.get_default_for([N, K], ty)
        tb = gl.allocate_shared_memory(ty, [N, K], sb, load_tile(b, N, K)).permute((1, 0))
    acc = allocate_tensor_memory(ACC, [M, N], TensorMemoryLayout([BM, N], 32 // ACC.primitive_bitwidth))
    bar = mbarrier.allocate_mbarrier()
    mbarrier.init(bar, count=1)
    fence_async_shared()
    gl.barrier()
    if IN_TMEM:
        left = allocate_tensor_memory(ty, [M, K], TensorMemoryLayout([BM, K], 1))
        held: gl.constexpr = left.get_reg_layout()
        r, k = rows_and_columns(M, K, held)
        left.store(gl.load(a + r * K + k))
        tcgen05_mma(left, tb, acc, use_acc=False)
    else:
        tcgen05_mma(ta, tb, acc, use_acc=False)
    tcgen05_commit(bar)
    mbarrier.wait(bar, 0)
    mbarrier.invalidate(bar)
    store_part(c, acc, N, M, N)


@gluon.jit
def mma_accumulate(a, b, x, c, M: gl.constexpr, N: gl.constexpr, K: gl.constexpr):
    """`a b + x`, where `x` comes to the accumulator from shared memory, and the product follows without a wait."""
    sa: gl.constexpr = gl.NVMMASharedLayout.get_default_for([M, K], gl.float16)
    sb: gl.constexpr = gl.NVMMASharedLayout.get_default_for([K, N], gl.float16)
    sx: gl.constexpr = gl.NVMMASharedLayout.get_default_for([M, N], gl.float32)
    da = tma.make_tensor_descriptor(a, [M, K], [K, 1], [M, K], sa)
    db = tma.make_tensor_descriptor(b, [K, N], [N, 1], [K, N], sb)
    dx = tma.make_tensor_descriptor(x, [M, N], [N, 1], [M, N], sx)
    ta = gl.allocate_shared_memory(gl.float16, [M, K], sa)
    tb = gl.allocate_shared_memory(gl.float16, [K, N], sb)
    tx = gl.allocate_shared_memory(gl.float32, [M, N], sx)
    acc = allocate_tensor_memory(gl.float32, [M, N], TensorMemoryLayout([M, N], 1))
    full = mbarrier.allocate_mbarrier()
    done = mbarrier.allocate_mbarrier()
    mbarrier.init(full, count=1)
    mbarrier.init(done, count=1)
    mbarrier.expect(full, M * K * 2 + K * N * 2 + M * N * 4)
    tma.async_load(da, [0, 0], full, ta)
    tma.async_load(db, [0, 0], full, tb)
    tma.async_load(dx, [0, 0], full, tx)
    mbarrier.wait(full, 0)
    tcgen05_copy(tx, acc)
    tcgen05_mma(ta, tb, acc, use_acc=True)
    tcgen05_commit(done)
    mbarrier.wait(done, 0)
    mbarrier.invalidate(full)
    mbarrier.invalidate(done)
    store_part(c, acc, N, M, N)


@gluon.jit
def mma_pipeline(a, b, c, M, N, K, BM: gl.constexpr, BN: gl.constexpr, BK: gl.constexpr, STAGES: gl.constexpr):
    """Copies ahead by several stages; a stage is free when the products of it are committed."""
    ty: gl.constexpr = a.dtype.element_ty
    sa: gl.constexpr = gl.NVMMASharedLayout.get_default_for([BM, BK], ty)
    sb: gl.constexpr = gl.NVMMASharedLayout.get_default_for([BK, BN], ty)
    da = tma.make_tensor_descriptor(a, [M, K], [K, 1], [BM, BK], sa)
    db = tma.make_tensor_descriptor(b, [K, N], [N, 1], [BK, BN], sb)
    ta = gl.allocate_shared_memory(ty, [STAGES, BM, BK], sa)
    tb = gl.allocate_shared_memory(ty, [STAGES, BK, BN], sb)
    full = mbarrier.allocate_mbarrier(batch=STAGES)
    free = mbarrier.allocate_mbarrier(batch=STAGES)
    for s in gl.static_range(STAGES):
        mbarrier.init(full.index(s), count=1)
        mbarrier.init(free.index(s), count=1)
    acc = allocate_tensor_memory(gl.float32, [BM, BN], TensorMemoryLayout([BM, BN], 1))
    pm = gl.program_id(0) * BM
    pn = gl.program_id(1) * BN
    bytes: gl.constexpr = (BM + BN) * BK * ty.primitive_bitwidth // 8
    steps = gl.cdiv(K, BK)
    for s in gl.static_range(STAGES - 1):
        mbarrier.expect(full.index(s), bytes)
        tma.async_load(da, [pm, s * BK], full.index(s), ta.index(s))
        tma.async_load(db, [s * BK, pn], full.index(s), tb.index(s))
    for k in range(steps):
        now = k % STAGES
        ahead = k + STAGES - 1
        then = ahead % STAGES
        go = ahead < steps
        mbarrier.wait(free.index(then), ((ahead // STAGES) & 1) ^ 1, pred=go)
        mbarrier.expect(full.index(then), bytes, pred=go)
        tma.async_load(da, [pm, ahead * BK], full.index(then), ta.index(then), pred=go)
        tma.async_load(db, [ahead * BK, pn], full.index(then), tb.index(then), pred=go)
        mbarrier.wait(full.index(now), (k // STAGES) & 1)
        tcgen05_mma(ta.index(now), tb.index(now), acc, use_acc=k > 0, mbarriers=[free.index(now)])
    last = steps - 1
    mbarrier.wait(free.index(last % STAGES), (last // STAGES) & 1)
    for s in gl.static_range(STAGES):
        mbarrier.invalidate(full.index(s))
        mbarrier.invalidate(free.index(s))
    store_part(c + pm * N + pn, acc, N, BM, BN)


@gluon.jit
def store_scales(scale, ROWS: gl.constexpr, PARTS: gl.constexpr):
    """Scale factors to tensor memory by way of registers."""
    tmem = allocate_tensor_memory(scale.dtype.element_ty, [ROWS, PARTS], TensorMemoryScalesLayout())
    layout: gl.constexpr = tmem.get_reg_layout()
    r, p = rows_and_columns(ROWS, PARTS, layout)
    tmem.store(gl.load(scale + r * PARTS + p))
    return tmem


@gluon.jit
def mma_scaled(a, b, a_scale, b_scale, c, M: gl.constexpr, N: gl.constexpr, K: gl.constexpr, VEC: gl.constexpr,
               A: gl.constexpr, B: gl.constexpr):
    """One tile of numbers with scale factors for every `VEC` along K; `b` is N x K."""
    pa: gl.constexpr = K // 2 if A == "e2m1" else K
    pb: gl.constexpr = K // 2 if B == "e2m1" else K
    sa: gl.constexpr = gl.NVMMASharedLayout.get_default_for([M, pa], a.dtype.element_ty,
                                                            fp4_padded=A == "e2m1" and B != "e2m1")
    sb: gl.constexpr = gl.NVMMASharedLayout.get_default_for([N, pb], b.dtype.element_ty,
                                                            fp4_padded=B == "e2m1" and A != "e2m1")
    da = tma.make_tensor_descriptor(a, [M, pa], [pa, 1], [M, pa], sa)
    db = tma.make_tensor_descriptor(b, [N, pb], [pb, 1], [N, pb], sb)
    ta = gl.allocate_shared_memory(a.dtype.element_ty, [M, pa], sa)
    tb = gl.allocate_shared_memory(b.dtype.element_ty, [N, pb], sb)
    acc = allocate_tensor_memory(gl.float32, [M, N], TensorMemoryLayout([M, N], 1))
    full = mbarrier.allocate_mbarrier()
    done = mbarrier.allocate_mbarrier()
    mbarrier.init(full, count=1)
    mbarrier.init(done, count=1)
    mbarrier.expect(full, M * pa + N * pb)
    tma.async_load(da, [0, 0], full, ta)
    tma.async_load(db, [0, 0], full, tb)
    scale_a = store_scales(a_scale, M, K // VEC)
    scale_b = store_scales(b_scale, N, K // VEC)
    mbarrier.wait(full, 0)
    tcgen05_mma_scaled(ta, tb.permute((1, 0)), acc, scale_a, scale_b, A, B, use_acc=False)
    tcgen05_commit(done)
    mbarrier.wait(done, 0)
    mbarrier.invalidate(full)
    mbarrier.invalidate(done)
    store_part(c, acc, N, M, N)


@gluon.jit
def mma_scaled_copied(a, b, a_scale, b_scale, c, M: gl.constexpr, N: gl.constexpr, K: gl.constexpr,
                      VEC: gl.constexpr):
    """Packed `e2m1`; the scale factors come by copies from shared memory, which the product follows."""
    parts: gl.constexpr = K // VEC
    shared: gl.constexpr = gl.NVMMASharedLayout.get_default_for([M, K // 2], gl.uint8)
    scales: gl.constexpr = gl.NVMMASharedLayout(0, 8, rank=5)
    da = tma.make_tensor_descriptor(a, [M, K // 2], [K // 2, 1], [M, K // 2], shared)
    db = tma.make_tensor_descriptor(b, [N, K // 2], [K // 2, 1], [N, K // 2], shared)
    dsa = tma.make_tensor_descriptor(a_scale, [1, M // 128, parts // 4, 2, 256],
                                     [M * parts, parts * 128, 512, 256, 1],
                                     [1, M // 128, parts // 4, 2, 256], scales)
    dsb = tma.make_tensor_descriptor(b_scale, [1, N // 128, parts // 4, 2, 256],
                                     [N * parts, parts * 128, 512, 256, 1],
                                     [1, N // 128, parts // 4, 2, 256], scales)
    ta = gl.allocate_shared_memory(gl.uint8, [M, K // 2], shared)
    tb = gl.allocate_shared_memory(gl.uint8, [N, K // 2], shared)
    ha = gl.allocate_shared_memory(a_scale.dtype.element_ty, [1, M // 128, parts // 4, 2, 256], scales)
    hb = gl.allocate_shared_memory(b_scale.dtype.element_ty, [1, N // 128, parts // 4, 2, 256], scales)
    acc = allocate_tensor_memory(gl.float32, [M, N], TensorMemoryLayout([M, N], 1))
    scale_a = allocate_tensor_memory(a_scale.dtype.element_ty, [M, parts], TensorMemoryScalesLayout())
    scale_b = allocate_tensor_memory(b_scale.dtype.element_ty, [N, parts], TensorMemoryScalesLayout())
    full = mbarrier.allocate_mbarrier()
    done = mbarrier.allocate_mbarrier()
    mbarrier.init(full, count=1)
    mbarrier.init(done, count=1)
    mbarrier.expect(full, (M + N) * (K // 2 + parts))
    tma.async_load(da, [0, 0], full, ta)
    tma.async_load(db, [0, 0], full, tb)
    tma.async_load(dsa, [0, 0, 0, 0, 0], full, ha)
    tma.async_load(dsb, [0, 0, 0, 0, 0], full, hb)
    mbarrier.wait(full, 0)
    pa = ha.reshape((M // 128, parts // 4, 32, 4, 4)).permute((0, 3, 2, 1, 4)).reshape((M, parts))
    pb = hb.reshape((N // 128, parts // 4, 32, 4, 4)).permute((0, 3, 2, 1, 4)).reshape((N, parts))
    tcgen05_copy(pa, scale_a)
    tcgen05_copy(pb, scale_b)
    tcgen05_mma_scaled(ta, tb.permute((1, 0)), acc, scale_a, scale_b, "e2m1", "e2m1", use_acc=False)
    tcgen05_commit(done)
    mbarrier.wait(done, 0)
    mbarrier.invalidate(full)
    mbarrier.invalidate(done)
    store_part(c, acc, N, M, N)


@gluon.jit
def pair(a, b, c, M: gl.constexpr, N: gl.constexpr, K: gl.constexpr):
    """A product of two blocks: each holds half of the rows of `a` and half of the columns of `b`."""
    sa: gl.constexpr = gl.NVMMASharedLayout.get_default_for([M, K], gl.float16, cga_layout=[(1, 0)])
    sb: gl.constexpr = gl.NVMMASharedLayout.get_default_for([K, N], gl.float16, cga_layout=[(0, 1)])
    da = tma.make_tensor_descriptor(a, [M, K], [K, 1], [M, K], sa)
    db = tma.make_tensor_descriptor(b, [K, N], [N, 1], [K, N], sb)
    ta = gl.allocate_shared_memory(gl.float16, [M, K], sa)
    tb = gl.allocate_shared_memory(gl.float16, [K, N], sb)
    acc = allocate_tensor_memory(gl.float32, [M, N],
                                 TensorMemoryLayout([128, N], 1, cga_layout=[(1, 0)], two_ctas=True))
    full = mbarrier.allocate_mbarrier(two_ctas=True)
    done = mbarrier.allocate_mbarrier()
    mbarrier.init(full, count=1)
    mbarrier.init(done, count=1)
    mbarrier.expect(full, da.nbytes_per_cta + db.nbytes_per_cta)
    tma.async_load(da, [0, 0], full, ta)
    tma.async_load(db, [0, 0], full, tb)
    mbarrier.wait(full, 0, deps=[ta, tb])
    tcgen05_mma(ta, tb, acc, use_acc=False)
    tcgen05_commit(done)
    mbarrier.wait(done, 0)
    mbarrier.invalidate(full)
    mbarrier.invalidate(done)
    store_part(c, acc, N, M, N)


@gluon.jit
def pairs_multicast(a, b, c, M: gl.constexpr, N: gl.constexpr, K: gl.constexpr, BK: gl.constexpr,
                    MEETS: gl.constexpr):
    """Two pairs; the tile of `b` goes to both by one copy."""
    by_m: gl.constexpr = [(1, 0), (2, 0)]
    sa: gl.constexpr = gl.NVMMASharedLayout.get_default_for([M, BK], gl.float16, cga_layout=by_m)
    sb: gl.constexpr = gl.NVMMASharedLayout.get_default_for([BK, N], gl.float16, cga_layout=[(0, 1), (0, 0)])
    da = tma.make_tensor_descriptor(a, [M, K], [K, 1], [M, BK], sa)
    db = tma.make_tensor_descriptor(b, [K, N], [N, 1], [BK, N], sb)
    ta = gl.allocate_shared_memory(gl.float16, [M, BK], sa)
    tb = gl.allocate_shared_memory(gl.float16, [BK, N], sb)
    acc = allocate_tensor_memory(gl.float32, [M, N], TensorMemoryLayout([128, N], 1, cga_layout=by_m, two_ctas=True))
    full = mbarrier.allocate_mbarrier(two_ctas=True)
    done = mbarrier.allocate_mbarrier()
    mbarrier.init(full, count=1)
    mbarrier.init(done, count=tcgen05_mma_barrier_count([ta, tb], multicast=True, two_ctas=True))
    phase = 0
    for k in range(K // BK):
        mbarrier.expect(full, da.nbytes_per_cta + db.nbytes_per_cta)
        tma.async_load(da, [0, k * BK], full, ta, multicast=True)
        tma.async_load(db, [k * BK, 0], full, tb, multicast=True)
        mbarrier.wait(full, phase, deps=[ta, tb])
        tcgen05_mma(ta, tb, acc, use_acc=(k != 0), multicast=True, mbarriers=[done])
        mbarrier.wait(done, phase, deps=[ta, tb])
        phase ^= 1
    if MEETS:
        cluster.barrier()
    mbarrier.invalidate(full)
    mbarrier.invalidate(done)
    store_part(c, acc, N, M, N)


@gluon.jit
def gather(x, index, out, M, N, at, ROWS: gl.constexpr, COLUMNS: gl.constexpr):
    """Rows by their numbers, four a copy; some are off the tensor."""
    shared: gl.constexpr = gl.NVMMASharedLayout.get_default_for([ROWS, COLUMNS], x.dtype.element_ty)
    four: gl.constexpr = gl.SliceLayout(0, gl.BlockedLayout([1, 4], [32, 1], [1, gl.num_warps()], [1, 0]))
    wide: gl.constexpr = gl.BlockedLayout([1, 1], [1, 32], [gl.num_warps(), 1], [1, 0])
    desc = tma.make_tensor_descriptor(x, [M, N], [N, 1], [1, COLUMNS], shared)
    tile = gl.allocate_shared_memory(x.dtype.element_ty, [ROWS, COLUMNS], shared)
    bar = mbarrier.allocate_mbarrier()
    mbarrier.init(bar, count=1)
    mbarrier.expect(bar, ROWS * COLUMNS * x.dtype.element_ty.primitive_bitwidth // 8)
    tma.async_gather(desc, gl.load(index + gl.arange(0, ROWS, four)), at, bar, tile)
    mbarrier.wait(bar, 0)
    mbarrier.invalidate(bar)
    r, c = rows_and_columns(ROWS, COLUMNS, wide)
    gl.store(out + r * COLUMNS + c, tile.load(wide))


@gluon.jit
def scatter(x, index, out, M, N, at, ROWS: gl.constexpr, COLUMNS: gl.constexpr):
    """The other way; rows off the tensor are dropped."""
    shared: gl.constexpr = gl.NVMMASharedLayout.get_default_for([ROWS, COLUMNS], x.dtype.element_ty)
    four: gl.constexpr = gl.SliceLayout(0, gl.BlockedLayout([1, 4], [32, 1], [1, gl.num_warps()], [1, 0]))
    desc = tma.make_tensor_descriptor(out, [M, N], [N, 1], [1, COLUMNS], shared)
    tile = gl.allocate_shared_memory(x.dtype.element_ty, [ROWS, COLUMNS], shared, load_tile(x, ROWS, COLUMNS))
    fence_async_shared()
    gl.barrier()
    tma.async_scatter(desc, gl.load(index + gl.arange(0, ROWS, four)), at, tile)
    tma.store_wait(0)


@gluon.jit
def packed(x, y, z, out, N: gl.constexpr):
    """Two lanes an instruction."""
    row: gl.constexpr = gl.BlockedLayout([4], [32], [gl.num_warps()], [0])
    i = gl.arange(0, N, row)
    v = gl.load(x + i)
    w = gl.load(y + i)
    u = gl.load(z + i)
    gl.store(out + i, add2(v, w))
    gl.store(out + N + i, sub2(v, w))
    gl.store(out + 2 * N + i, mul2(v, w))
    gl.store(out + 3 * N + i, fma2(v, w, u))


@gluon.jit
def packed_extremes(x, y, out, N: gl.constexpr):
    row: gl.constexpr = gl.BlockedLayout([4], [32], [gl.num_warps()], [0])
    i = gl.arange(0, N, row)
    v = gl.load(x + i)
    w = gl.load(y + i)
    gl.store(out + i, min2(v, w))
    gl.store(out + N + i, max2(v, w))


@gluon.jit
def _copy(da, db, ta, tb, full, free, pm, pn, steps, BK: gl.constexpr, STAGES: gl.constexpr):
    for k in range(steps):
        s = k % STAGES
        mbarrier.wait(free.index(s), ((k // STAGES) & 1) ^ 1)
        mbarrier.expect(full.index(s), da.nbytes_per_cta + db.nbytes_per_cta)
        tma.async_load(da, [pm, k * BK], full.index(s), ta.index(s))
        tma.async_load(db, [k * BK, pn], full.index(s), tb.index(s))


@gluon.jit
def _multiply(ta, tb, full, free, acc, done, steps, STAGES: gl.constexpr):
    for k in range(steps):
        s = k % STAGES
        mbarrier.wait(full.index(s), (k // STAGES) & 1)
        tcgen05_mma(ta.index(s), tb.index(s), acc, use_acc=k > 0)
        tcgen05_commit(free.index(s))
    tcgen05_commit(done)


@gluon.jit
def _finish(c, acc, done, pm, pn, N, BM: gl.constexpr, BN: gl.constexpr, PART: gl.constexpr):
    mbarrier.wait(done, 0)
    for j in gl.static_range(BN // PART):
        store_part(c + pm * N + pn + j * PART, acc.slice(j * PART, PART), N, BM, PART)


@gluon.jit
def mma_specialized(a, b, c, M, N, K, BM: gl.constexpr, BN: gl.constexpr, BK: gl.constexpr, STAGES: gl.constexpr):
    """A warp copies, a warp multiplies, four store the accumulator by parts."""
    ty: gl.constexpr = a.dtype.element_ty
    sa: gl.constexpr = gl.NVMMASharedLayout.get_default_for([BM, BK], ty)
    sb: gl.constexpr = gl.NVMMASharedLayout.get_default_for([BK, BN], ty)
    da = tma.make_tensor_descriptor(a, [M, K], [K, 1], [BM, BK], sa)
    db = tma.make_tensor_descriptor(b, [K, N], [N, 1], [BK, BN], sb)
    ta = gl.allocate_shared_memory(ty, [STAGES, BM, BK], sa)
    tb = gl.allocate_shared_memory(ty, [STAGES, BK, BN], sb)
    full = mbarrier.allocate_mbarrier(batch=STAGES)
    free = mbarrier.allocate_mbarrier(batch=STAGES)
    done = mbarrier.allocate_mbarrier()
    for s in gl.static_range(STAGES):
        mbarrier.init(full.index(s), count=1)
        mbarrier.init(free.index(s), count=1)
    mbarrier.init(done, count=1)
    acc = allocate_tensor_memory(gl.float32, [BM, BN], TensorMemoryLayout([BM, BN], 1))
    pm = gl.program_id(0) * BM
    pn = gl.program_id(1) * BN
    steps = gl.cdiv(K, BK)
    gl.warp_specialize([
        (_finish, (c, acc, done, pm, pn, N, BM, BN, 32)),
        (_copy, (da, db, ta, tb, full, free, pm, pn, steps, BK, STAGES)),
        (_multiply, (ta, tb, full, free, acc, done, steps, STAGES)),
    ], [1, 1], [24, 24])


@gluon.jit
def attention(q, k, v, out, scale, KEYS, M: gl.constexpr, N: gl.constexpr, D: gl.constexpr):
    """Online softmax whose weights go to the second product through tensor memory."""
    tq = gl.allocate_shared_memory(gl.float16, [M, D], gl.NVMMASharedLayout.get_default_for([M, D], gl.float16),
                                   load_tile(q, M, D))
    ts: gl.constexpr = gl.NVMMASharedLayout.get_default_for([N, D], gl.float16)
    dk = tma.make_tensor_descriptor(k, [KEYS, D], [D, 1], [N, D], ts)
    dv = tma.make_tensor_descriptor(v, [KEYS, D], [D, 1], [N, D], ts)
    tk = gl.allocate_shared_memory(gl.float16, [N, D], ts)
    tv = gl.allocate_shared_memory(gl.float16, [N, D], ts)
    full = mbarrier.allocate_mbarrier()
    done = mbarrier.allocate_mbarrier()
    mbarrier.init(full, count=1)
    mbarrier.init(done, count=1)
    scores = allocate_tensor_memory(gl.float32, [M, N], TensorMemoryLayout([M, N], 1))
    # The weights lie over the first half of the scores' columns.
    weights = scores.slice(0, N // 2).reinterpret(gl.float16, [M, N], TensorMemoryLayout([M, N], 1))
    acc = allocate_tensor_memory(gl.float32, [M, D], TensorMemoryLayout([M, D], 1))
    by_row: gl.constexpr = scores.get_reg_layout()
    acc_layout: gl.constexpr = acc.get_reg_layout()
    acc.store(gl.zeros([M, D], gl.float32, acc_layout))
    most = gl.full([M], float("-inf"), gl.float32, gl.SliceLayout(1, by_row))
    total = gl.full([M], 0.0, gl.float32, gl.SliceLayout(1, by_row))
    fence_async_shared()
    gl.barrier()
    phase = 0
    for start in range(0, KEYS, N):
        mbarrier.expect(full, N * D * 4)
        tma.async_load(dk, [start, 0], full, tk)
        tma.async_load(dv, [start, 0], full, tv)
        mbarrier.wait(full, phase)
        tcgen05_mma(tq, tk.permute((1, 0)), scores, use_acc=False, mbarriers=[done])
        mbarrier.wait(done, 0)
        s = scores.load() * scale
        now = gl.maximum(most, gl.max(s, 1))
        p = gl.exp2(s - now[:, None])
        shrink = gl.exp2(most - now)
        total = total * shrink + gl.sum(p, 1)
        most = now
        o = acc.load()
        acc.store(o * gl.convert_layout(shrink, gl.SliceLayout(1, acc_layout))[:, None])
        weights.store(gl.convert_layout(p.to(gl.float16), weights.get_reg_layout()))
        tcgen05_mma(weights, tv, acc, use_acc=True, mbarriers=[done])
        mbarrier.wait(done, 1)
        phase ^= 1
    mbarrier.invalidate(full)
    mbarrier.invalidate(done)
    r, d = rows_and_columns(M, D, acc_layout)
    o = acc.load() / gl.convert_layout(total, gl.SliceLayout(1, acc_layout))[:, None]
    gl.store(out + r * D + d, o.to(gl.float16))
