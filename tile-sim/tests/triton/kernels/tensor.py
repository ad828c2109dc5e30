"""Tiles by tensor descriptors: TMA from sm_90 on, plain loads before."""

import triton
import triton.language as tl


@triton.jit
def copy(x, out, M, N, BM: tl.constexpr, BN: tl.constexpr):
    """Descriptors made on the device."""
    src = tl.make_tensor_descriptor(x, (M, N), (N, 1), (BM, BN))
    dst = tl.make_tensor_descriptor(out, (M, N), (N, 1), (BM, BN))
    pm = tl.program_id(0) * BM
    pn = tl.program_id(1) * BN
    dst.store((pm, pn), src.load((pm, pn)) * 2)


@triton.jit
def copy_host(src, dst, BM: tl.constexpr, BN: tl.constexpr):
    """Descriptors made by the host."""
    pm = tl.program_id(0) * BM
    pn = tl.program_id(1) * BN
    dst.store([pm, pn], src.load([pm, pn]) + 1)


@triton.jit
def reduce(x, out, M, N, OP: tl.constexpr, BM: tl.constexpr, BN: tl.constexpr):
    """Reductions by the copy engine."""
    src = tl.make_tensor_descriptor(x, (M, N), (N, 1), (BM, BN))
    dst = tl.make_tensor_descriptor(out, (BM, N), (N, 1), (BM, BN))
    pm = tl.program_id(0) * BM
    pn = tl.program_id(1) * BN
    v = src.load((pm, pn))
    if OP == "add":
        dst.atomic_add((0, pn), v)
    elif OP == "max":
        dst.atomic_max((0, pn), v)
    elif OP == "and":
        dst.atomic_and((0, pn), v)


@triton.jit
def rows(x, out, M, N, ROWS: tl.constexpr, BN: tl.constexpr):
    """Three axes and a tile that begins off the tensor."""
    src = tl.make_tensor_descriptor(x, (4, M, N), (M * N, N, 1), (1, ROWS, BN))
    plane = tl.program_id(0)
    v = tl.reshape(src.load((plane, -2, 0)), (ROWS, BN))
    at = (plane * ROWS + tl.arange(0, ROWS))[:, None] * BN + tl.arange(0, BN)[None, :]
    tl.store(out + at, v)


@triton.jit
def matmul(a, b, c, M, N, K, ACC: tl.constexpr, TRANSPOSED: tl.constexpr, BM: tl.constexpr, BN: tl.constexpr,
           BK: tl.constexpr):
    """`c = a b`, or `a` times `b` transposed."""
    da = tl.make_tensor_descriptor(a, (M, K), (K, 1), (BM, BK))
    if TRANSPOSED:
        db = tl.make_tensor_descriptor(b, (N, K), (K, 1), (BN, BK))
    else:
        db = tl.make_tensor_descriptor(b, (K, N), (N, 1), (BK, BN))
    dc = tl.make_tensor_descriptor(c, (M, N), (N, 1), (BM, BN))
    pm = tl.program_id(0) * BM
    pn = tl.program_id(1) * BN
    acc = tl.zeros((BM, BN), ACC)
    for k in range(0, K, BK):
        va = da.load((pm, k))
        if TRANSPOSED:
            vb = db.load((pn, k)).T
        else:
            vb = db.load((k, pn))
        acc = tl.dot(va, vb, acc, out_dtype=ACC)
    dc.store((pm, pn), acc.to(c.dtype.element_ty))


@triton.jit
def matmul_host(da, db, dc, K, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr):
    pm = tl.program_id(0) * BM
    pn = tl.program_id(1) * BN
    acc = tl.zeros((BM, BN), tl.float32)
    for k in range(0, K, BK):
        acc = tl.dot(da.load([pm, k]), db.load([pn, k]).T, acc)
    dc.store([pm, pn], acc.to(tl.float16))


@triton.jit
def matmul_persistent(a, b, c, M, N, K, WARPS: tl.constexpr, FLATTEN: tl.constexpr, BM: tl.constexpr,
                      BN: tl.constexpr, BK: tl.constexpr):
    """Tiles in turn, with warps specialized if asked."""
    da = tl.make_tensor_descriptor(a, (M, K), (K, 1), (BM, BK))
    db = tl.make_tensor_descriptor(b, (N, K), (K, 1), (BN, BK))
    dc = tl.make_tensor_descriptor(c, (M, N), (N, 1), (BM, BN))
    columns = tl.cdiv(N, BN)
    all_tiles = tl.cdiv(M, BM) * columns
    for tile in tl.range(tl.program_id(0), all_tiles, tl.num_programs(0), flatten=FLATTEN,
                         warp_specialize=WARPS):
        pm = (tile // columns) * BM
        pn = (tile % columns) * BN
        acc = tl.zeros((BM, BN), tl.float32)
        for k in range(0, tl.cdiv(K, BK)):
            acc = tl.dot(da.load((pm, k * BK)), db.load((pn, k * BK)).T, acc)
        dc.store((pm, pn), acc.to(c.dtype.element_ty))


@triton.jit
def matmul_specialized(a, b, c, M, N, K, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr):
    """The loop over K itself is what warps share."""
    da = tl.make_tensor_descriptor(a, (M, K), (K, 1), (BM, BK))
    db = tl.make_tensor_descriptor(b, (N, K), (K, 1), (BN, BK))
    dc = tl.make_tensor_descriptor(c, (M, N), (N, 1), (BM, BN))
    pm = tl.program_id(0) * BM
    pn = tl.program_id(1) * BN
    acc = tl.zeros((BM, BN), tl.float32)
    for k in tl.range(0, tl.cdiv(K, BK), warp_specialize=True):
        acc = tl.dot(da.load((pm, k * BK)), db.load((pn, k * BK)).T, acc)
    dc.store((pm, pn), acc.to(c.dtype.element_ty))


@triton.jit
def gather(x, index, out, M, N, at, ROWS: tl.constexpr, COLUMNS: tl.constexpr):
    """Rows by their numbers, scattered to others."""
    src = tl.make_tensor_descriptor(x, (M, N), (N, 1), (1, COLUMNS))
    dst = tl.make_tensor_descriptor(out, (M, N), (N, 1), (1, COLUMNS))
    i = tl.arange(0, ROWS)
    rows = src.gather(tl.load(index + i), at)
    dst.scatter(rows + 1, tl.load(index + ROWS + i), 0)
