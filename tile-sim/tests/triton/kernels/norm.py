"""Layer and root-mean-square normalization, and their gradients."""

import triton
import triton.language as tl


@triton.jit
def layer_norm(x, weight, bias, out, means, rstds, columns, eps, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    x += row * columns
    out += row * columns
    total = tl.zeros((BLOCK,), tl.float32)
    for start in range(0, columns, BLOCK):
        i = start + tl.arange(0, BLOCK)
        total += tl.load(x + i, mask=i < columns, other=0.0).to(tl.float32)
    mean = tl.sum(total, axis=0) / columns
    total = tl.zeros((BLOCK,), tl.float32)
    for start in range(0, columns, BLOCK):
        i = start + tl.arange(0, BLOCK)
        d = tl.where(i < columns, tl.load(x + i, mask=i < columns, other=0.0).to(tl.float32) - mean, 0.0)
        total += d * d
    rstd = 1 / tl.sqrt(tl.sum(total, axis=0) / columns + eps)
    tl.store(means + row, mean)
    tl.store(rstds + row, rstd)
    for start in range(0, columns, BLOCK):
        i = start + tl.arange(0, BLOCK)
        m = i < columns
        w = tl.load(weight + i, mask=m)
        b = tl.load(bias + i, mask=m)
        v = tl.load(x + i, mask=m, other=0.0, eviction_policy="evict_first").to(tl.float32)
        tl.store(out + i, ((v - mean) * rstd * w + b).to(out.dtype.element_ty), mask=m)


@triton.jit
def layer_norm_backward(dy, x, weight, means, rstds, dx, dw, db, locks, columns, GROUPS: tl.constexpr,
                        BLOCK: tl.constexpr):
    """Partial sums of weights' gradients, of several rows each, under a lock."""
    row = tl.program_id(0)
    i = tl.arange(0, BLOCK)
    m = i < columns
    v = tl.load(x + row * columns + i, mask=m, other=0.0).to(tl.float32)
    g = tl.load(dy + row * columns + i, mask=m, other=0.0).to(tl.float32)
    w = tl.load(weight + i, mask=m, other=0.0).to(tl.float32)
    mean = tl.load(means + row)
    rstd = tl.load(rstds + row)
    xhat = tl.where(m, (v - mean) * rstd, 0.0)
    wg = tl.where(m, w * g, 0.0)
    c1 = tl.sum(xhat * wg, axis=0) / columns
    c2 = tl.sum(wg, axis=0) / columns
    tl.store(dx + row * columns + i, ((wg - (xhat * c1 + c2)) * rstd).to(dx.dtype.element_ty), mask=m)
    group = row % GROUPS
    lock = locks + group
    count = locks + GROUPS + group
    partial_w = dw + group * columns + i
    partial_b = db + group * columns + i
    dw_row = g * xhat
    db_row = g
    while tl.atomic_cas(lock, 0, 1) == 1:
        pass
    if tl.load(count) == 0:
        tl.atomic_xchg(count, 1)
    else:
        dw_row += tl.load(partial_w, mask=m)
        db_row += tl.load(partial_b, mask=m)
    tl.store(partial_w, dw_row, mask=m)
    tl.store(partial_b, db_row, mask=m)
    tl.debug_barrier()
    tl.atomic_xchg(lock, 0)


@triton.jit
def layer_norm_backward_atomic(dy, x, means, rstds, dw, db, columns, BLOCK: tl.constexpr):
    """The gradients of weights with one atomic addition per element."""
    row = tl.program_id(0)
    i = tl.arange(0, BLOCK)
    m = i < columns
    v = tl.load(x + row * columns + i, mask=m, other=0.0)
    g = tl.load(dy + row * columns + i, mask=m, other=0.0)
    xhat = (v - tl.load(means + row)) * tl.load(rstds + row)
    tl.atomic_add(dw + i, g * xhat, mask=m)
    tl.atomic_add(db + i, g, mask=m, sem="relaxed")


@triton.jit
def rms_norm(x, weight, out, columns, eps, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    i = tl.arange(0, BLOCK)
    m = i < columns
    v = tl.load(x + row * columns + i, mask=m, other=0.0).to(tl.float32)
    w = tl.load(weight + i, mask=m, other=0.0).to(tl.float32)
    r = tl.rsqrt(tl.sum(v * v, axis=0) / columns + eps)
    tl.store(out + row * columns + i, (v * r * w).to(out.dtype.element_ty), mask=m)


@triton.jit
def group_norm(x, out, eps, SPATIAL: tl.constexpr, CHANNELS: tl.constexpr):
    """Statistics over a tile of channels and places."""
    group = tl.program_id(0)
    at = group * CHANNELS * SPATIAL + tl.arange(0, CHANNELS)[:, None] * SPATIAL + tl.arange(0, SPATIAL)[None, :]
    v = tl.load(x + at).to(tl.float32)
    mean = tl.sum(v) / (SPATIAL * CHANNELS)
    d = v - mean
    tl.store(out + at, d * tl.rsqrt(tl.sum(d * d) / (SPATIAL * CHANNELS) + eps))
