"""Data that moves between threads: transposes, gathers, joins."""

import triton
import triton.language as tl


@triton.jit
def transpose(x, out, rows, columns, R: tl.constexpr, C: tl.constexpr):
    r = tl.program_id(0) * R + tl.arange(0, R)
    c = tl.program_id(1) * C + tl.arange(0, C)
    m = (r[:, None] < rows) & (c[None, :] < columns)
    v = tl.load(x + r[:, None] * columns + c[None, :], mask=m)
    tl.store(out + c[:, None] * rows + r[None, :], tl.trans(v), mask=(c[:, None] < columns) & (r[None, :] < rows))


@triton.jit
def permute(x, out, A: tl.constexpr, B: tl.constexpr, C: tl.constexpr):
    a = tl.arange(0, A)
    b = tl.arange(0, B)
    c = tl.arange(0, C)
    v = tl.load(x + (a[:, None, None] * B + b[None, :, None]) * C + c[None, None, :])
    tl.store(out + (c[:, None, None] * A + a[None, :, None]) * B + b[None, None, :], tl.permute(v, (2, 0, 1)))


@triton.jit
def gather(x, index, out, R: tl.constexpr, C: tl.constexpr, K: tl.constexpr, AXIS: tl.constexpr):
    v = tl.load(x + tl.arange(0, R)[:, None] * C + tl.arange(0, C)[None, :])
    if AXIS == 0:
        at = tl.arange(0, K)[:, None] * C + tl.arange(0, C)[None, :]
    else:
        at = tl.arange(0, R)[:, None] * K + tl.arange(0, K)[None, :]
    tl.store(out + at, tl.gather(v, tl.load(index + at), AXIS))


@triton.jit
def embedding(tokens, table, out, D: tl.constexpr, BLOCK: tl.constexpr):
    token = tl.load(tokens + tl.program_id(0))
    i = tl.arange(0, BLOCK)
    tl.store(out + tl.program_id(0) * D + i, tl.load(table + token * D + i, mask=i < D), mask=i < D)


@triton.jit
def join_and_split(x, y, both, sums, n, BLOCK: tl.constexpr):
    i = tl.arange(0, BLOCK)
    a = tl.load(x + i)
    b = tl.load(y + i)
    j = tl.arange(0, 2 * BLOCK)
    tl.store(both + j, tl.interleave(a, b))
    lo, hi = tl.split(tl.reshape(tl.join(a, b), (BLOCK, 2)))
    tl.store(sums + i, lo * 3 + hi)


@triton.jit
def reshape_sum(x, out, R: tl.constexpr, C: tl.constexpr):
    """A flat block, read as a matrix, of which every other column counts."""
    v = tl.reshape(tl.load(x + tl.arange(0, R * C)), (C, R))
    tl.store(out + tl.arange(0, C), tl.sum(v, axis=1))


@triton.jit
def broadcast_outer(x, y, out, R: tl.constexpr, C: tl.constexpr):
    a = tl.load(x + tl.arange(0, R))
    b = tl.load(y + tl.arange(0, C))
    tl.store(out + tl.arange(0, R)[:, None] * C + tl.arange(0, C)[None, :], a[:, None] * b[None, :] + a[:, None])


@triton.jit
def unpack_int4(packed, scales, out, n, BLOCK: tl.constexpr):
    """Two signed numbers of four bits in a byte, the first in its lower half."""
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    byte = tl.load(packed + i, mask=i < n, other=0)
    lo = ((byte << 4).to(tl.int8) >> 4).to(tl.float16)
    hi = (byte >> 4).to(tl.float16)
    s = tl.load(scales + i // 16, mask=i < n, other=0.0)
    j = tl.program_id(0) * 2 * BLOCK + tl.arange(0, 2 * BLOCK)
    tl.store(out + j, tl.interleave(lo * s, hi * s), mask=j < 2 * n)


@triton.jit
def unpack_e2m1(packed, out, n, BLOCK: tl.constexpr):
    """Numbers of four bits: sign, two bits of exponent, one of mantissa."""
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    byte = tl.load(packed + i, mask=i < n, other=0).to(tl.int32)
    both = tl.interleave(byte & 15, byte >> 4)
    exponent = (both >> 1) & 3
    mantissa = (both & 1).to(tl.float32)
    size = tl.where(exponent == 0, mantissa * 0.5, (1 + 0.5 * mantissa) * tl.exp2((exponent - 1).to(tl.float32)))
    j = tl.program_id(0) * 2 * BLOCK + tl.arange(0, 2 * BLOCK)
    tl.store(out + j, tl.where(both >= 8, -size, size).to(tl.bfloat16), mask=j < 2 * n)
