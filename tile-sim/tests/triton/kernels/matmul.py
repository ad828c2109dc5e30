"""Matrix products, and convolution as one."""

import triton
import triton.language as tl


@triton.jit
def tiles(a, b, c, M, N, K, ACC: tl.constexpr, PRECISION: tl.constexpr, BM: tl.constexpr, BN: tl.constexpr,
          BK: tl.constexpr, GROUP: tl.constexpr):
    """`c = a b`, rows contiguous, blocks in groups of rows."""
    block = tl.program_id(0)
    rows = tl.cdiv(M, BM)
    columns = tl.cdiv(N, BN)
    group = block // (GROUP * columns)
    first = group * GROUP
    height = min(rows - first, GROUP)
    pm = first + (block % (GROUP * columns)) % height
    pn = (block % (GROUP * columns)) // height
    rm = pm * BM + tl.arange(0, BM)
    rn = pn * BN + tl.arange(0, BN)
    rk = tl.arange(0, BK)
    at_a = a + (rm % M)[:, None] * K + rk[None, :]
    at_b = b + rk[:, None] * N + (rn % N)[None, :]
    acc = tl.zeros((BM, BN), ACC)
    for k in range(0, tl.cdiv(K, BK)):
        left = K - k * BK
        va = tl.load(at_a, mask=rk[None, :] < left, other=0.0)
        vb = tl.load(at_b, mask=rk[:, None] < left, other=0.0)
        acc = tl.dot(va, vb, acc, input_precision=PRECISION, out_dtype=ACC)
        at_a += BK
        at_b += BK * N
    at_c = c + rm[:, None] * N + rn[None, :]
    tl.store(at_c, acc.to(c.dtype.element_ty), mask=(rm[:, None] < M) & (rn[None, :] < N))


@triton.jit
def strides(a, b, bias, c, M, N, K, am, ak, bk, bn, ACT: tl.constexpr, BM: tl.constexpr, BN: tl.constexpr,
            BK: tl.constexpr):
    """`c = act(a b + bias)` for any strides, K a multiple of the tile's."""
    rm = tl.program_id(0) * BM + tl.arange(0, BM)
    rn = tl.program_id(1) * BN + tl.arange(0, BN)
    rk = tl.arange(0, BK)
    acc = tl.zeros((BM, BN), tl.float32)
    for k in range(0, K, BK):
        va = tl.load(a + rm[:, None] * am + (k + rk)[None, :] * ak)
        vb = tl.load(b + (k + rk)[:, None] * bk + rn[None, :] * bn)
        acc += tl.dot(va, vb)
    acc += tl.load(bias + rn)[None, :]
    if ACT == "leaky":
        acc = tl.where(acc > 0, acc, 0.01 * acc)
    tl.store(c + rm[:, None] * N + rn[None, :], acc.to(c.dtype.element_ty))


@triton.jit
def split_k(a, b, c, M, N, K, SPLIT: tl.constexpr, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr):
    """Parts of the sum over K meet in atomic additions."""
    rm = tl.program_id(0) * BM + tl.arange(0, BM)
    rn = tl.program_id(1) * BN + tl.arange(0, BN)
    rk = tl.program_id(2) * BK + tl.arange(0, BK)
    acc = tl.zeros((BM, BN), tl.float32)
    for k in range(0, K, BK * SPLIT):
        m = rk < K - k
        va = tl.load(a + rm[:, None] * K + (k + rk)[None, :], mask=m[None, :], other=0.0)
        vb = tl.load(b + (k + rk)[:, None] * N + rn[None, :], mask=m[:, None], other=0.0)
        acc = tl.dot(va, vb, acc)
    tl.atomic_add(c + rm[:, None] * N + rn[None, :], acc, sem="relaxed")


@triton.jit
def persistent(a, b, c, M, N, K, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr, FLATTEN: tl.constexpr):
    """Few blocks, that each do several tiles."""
    columns = tl.cdiv(N, BN)
    all_tiles = tl.cdiv(M, BM) * columns
    rk = tl.arange(0, BK)
    for tile in tl.range(tl.program_id(0), all_tiles, tl.num_programs(0), flatten=FLATTEN):
        rm = (tile // columns) * BM + tl.arange(0, BM)
        rn = (tile % columns) * BN + tl.arange(0, BN)
        acc = tl.zeros((BM, BN), tl.float32)
        for k in range(0, K, BK):
            va = tl.load(a + rm[:, None] * K + (k + rk)[None, :])
            vb = tl.load(b + (k + rk)[:, None] * N + rn[None, :])
            acc = tl.dot(va, vb, acc)
        tl.store(c + rm[:, None] * N + rn[None, :], acc.to(c.dtype.element_ty))


@triton.jit
def batched(a, b, c, M, N, K, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr, BATCH: tl.constexpr):
    """A tile of several matrices at once."""
    rb = tl.program_id(0) * BATCH + tl.arange(0, BATCH)
    rm = tl.arange(0, BM)
    rn = tl.arange(0, BN)
    rk = tl.arange(0, BK)
    acc = tl.zeros((BATCH, BM, BN), tl.float32)
    for k in range(0, K, BK):
        va = tl.load(a + (rb[:, None, None] * M + rm[None, :, None]) * K + (k + rk)[None, None, :])
        vb = tl.load(b + (rb[:, None, None] * K + (k + rk)[None, :, None]) * N + rn[None, None, :])
        acc += tl.dot(va, vb)
    tl.store(c + (rb[:, None, None] * M + rm[None, :, None]) * N + rn[None, None, :], acc)


@triton.jit
def dequantized(a, packed, scales, c, M, N, K, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr):
    """Weights of four bits, two rows of K in a byte, one scale per column."""
    rm = tl.program_id(0) * BM + tl.arange(0, BM)
    rn = tl.program_id(1) * BN + tl.arange(0, BN)
    rh = tl.arange(0, BK // 2)
    scale = tl.load(scales + rn)
    acc = tl.zeros((BM, BN), tl.float32)
    for k in range(0, K, BK):
        byte = tl.load(packed + (k // 2 + rh)[:, None] * N + rn[None, :])
        lo = (byte & 15).to(tl.int8) - 8
        hi = (byte >> 4).to(tl.int8) - 8
        w = tl.reshape(tl.permute(tl.join(lo, hi), (0, 2, 1)), (BK, BN)).to(tl.float16)
        va = tl.load(a + rm[:, None] * K + (k + tl.arange(0, BK))[None, :])
        acc = tl.dot(va, w, acc)
    tl.store(c + rm[:, None] * N + rn[None, :], acc * scale[None, :])


@triton.jit
def convolution(x, w, out, H, W, IC: tl.constexpr, OC, P, Q, R: tl.constexpr, S: tl.constexpr, BM: tl.constexpr,
                BN: tl.constexpr, BK: tl.constexpr):
    """NHWC, unit strides, padding 1, as a product of patches and filters."""
    rm = tl.program_id(0) * BM + tl.arange(0, BM)
    rn = tl.program_id(1) * BN + tl.arange(0, BN)
    q = rm % Q
    p = (rm // Q) % P
    n = rm // (P * Q)
    acc = tl.zeros((BM, BN), tl.float32)
    for r in range(R):
        for s in range(S):
            for c0 in range(0, IC, BK):
                rk = c0 + tl.arange(0, BK)
                h = p + r - 1
                v = q + s - 1
                inside = (h >= 0) & (h < H) & (v >= 0) & (v < W)
                at = x + ((n * H + h) * W + v)[:, None] * IC + rk[None, :]
                va = tl.load(at, mask=inside[:, None], other=0.0)
                vb = tl.load(w + ((r * S + s) * IC + rk)[:, None] * OC + rn[None, :])
                acc = tl.dot(va, vb, acc)
    tl.store(out + rm[:, None] * OC + rn[None, :], acc.to(out.dtype.element_ty))


@triton.jit
def chained(a, b, c, out, M: tl.constexpr, K: tl.constexpr, N: tl.constexpr, L: tl.constexpr):
    """`relu(a b) c`: a product's result is the next one's operand."""
    rm = tl.program_id(0) * M + tl.arange(0, M)
    va = tl.load(a + rm[:, None] * K + tl.arange(0, K)[None, :])
    vb = tl.load(b + tl.arange(0, K)[:, None] * N + tl.arange(0, N)[None, :])
    vc = tl.load(c + tl.arange(0, N)[:, None] * L + tl.arange(0, L)[None, :])
    h = tl.maximum(tl.dot(va, vb), 0.0).to(va.dtype)
    tl.store(out + rm[:, None] * L + tl.arange(0, L)[None, :], tl.dot(h, vc))


@triton.jit
def scaled(a, a_scale, b, b_scale, c, M: tl.constexpr, N: tl.constexpr, K: tl.constexpr, A: tl.constexpr,
           B: tl.constexpr, PACK_A: tl.constexpr, PACK_B: tl.constexpr):
    """Operands of eight or four bits with a scale of powers of two per 32 of K."""
    rm = tl.arange(0, M)
    rn = tl.arange(0, N)
    ka = tl.arange(0, K // PACK_A)
    kb = tl.arange(0, K // PACK_B)
    ks = tl.arange(0, K // 32)
    va = tl.load(a + rm[:, None] * (K // PACK_A) + ka[None, :])
    vb = tl.load(b + kb[:, None] * N + rn[None, :])
    sa = tl.load(a_scale + rm[:, None] * (K // 32) + ks[None, :])
    sb = tl.load(b_scale + rn[:, None] * (K // 32) + ks[None, :])
    tl.store(c + rm[:, None] * N + rn[None, :], tl.dot_scaled(va, sa, A, vb, sb, B))


@triton.jit
def scaled_rows(a, a_scale, b, b_scale, c, M: tl.constexpr, N: tl.constexpr, K: tl.constexpr, STEP: tl.constexpr,
                VEC: tl.constexpr, A: tl.constexpr, B: tl.constexpr, PACK_A: tl.constexpr, PACK_B: tl.constexpr):
    """The same with a scale per `VEC` of K, both operands contiguous along K, and a loop over K."""
    rm = tl.arange(0, M)
    rn = tl.arange(0, N)
    ka = tl.arange(0, STEP // PACK_A)
    kb = tl.arange(0, STEP // PACK_B)
    ks = tl.arange(0, STEP // VEC)
    acc = tl.zeros((M, N), tl.float32)
    for k in range(0, K, STEP):
        va = tl.load(a + rm[:, None] * (K // PACK_A) + k // PACK_A + ka[None, :])
        vb = tl.load(b + rn[:, None] * (K // PACK_B) + k // PACK_B + kb[None, :])
        sa = tl.load(a_scale + rm[:, None] * (K // VEC) + k // VEC + ks[None, :])
        sb = tl.load(b_scale + rn[:, None] * (K // VEC) + k // VEC + ks[None, :])
        acc = tl.dot_scaled(va, sa, A, vb.T, sb, B, acc)
    tl.store(c + rm[:, None] * N + rn[None, :], acc)
