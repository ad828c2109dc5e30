"""Scans, sorts and histograms."""

import triton
import triton.language as tl


@triton.jit
def cumulative(x, sums, products, R: tl.constexpr, C: tl.constexpr, AXIS: tl.constexpr, REVERSE: tl.constexpr):
    at = tl.arange(0, R)[:, None] * C + tl.arange(0, C)[None, :]
    v = tl.load(x + at)
    tl.store(sums + at, tl.cumsum(v, axis=AXIS, reverse=REVERSE))
    tl.store(products + at, tl.cumprod(v, axis=AXIS, reverse=REVERSE))


@triton.jit
def _linear(a0, b0, a1, b1):
    return a0 * a1, b0 * a1 + b1


@triton.jit
def recurrence(a, b, out, n, BLOCK: tl.constexpr):
    """`h[i] = a[i] * h[i - 1] + b[i]`"""
    row = tl.program_id(0)
    i = tl.arange(0, BLOCK)
    m = i < n
    va = tl.load(a + row * n + i, mask=m, other=1.0)
    vb = tl.load(b + row * n + i, mask=m, other=0.0)
    _, h = tl.associative_scan((va, vb), 0, _linear)
    tl.store(out + row * n + i, h, mask=m)


@triton.jit
def _larger(value_a, index_a, value_b, index_b):
    first = value_a >= value_b
    return tl.where(first, value_a, value_b), tl.where(first, index_a, index_b)


@triton.jit
def running_argmax(x, values, indices, BLOCK: tl.constexpr):
    i = tl.arange(0, BLOCK)
    v, at = tl.associative_scan((tl.load(x + i), i), 0, _larger)
    tl.store(values + i, v)
    tl.store(indices + i, at)


@triton.jit
def long_cumsum(x, out, n, BLOCK: tl.constexpr):
    """A scan of blocks with a carry."""
    carry = 0
    for start in range(0, n, BLOCK):
        i = start + tl.arange(0, BLOCK)
        v = tl.load(x + i, mask=i < n, other=0)
        tl.store(out + i, tl.cumsum(v, axis=0) + carry, mask=i < n)
        carry += tl.sum(v, axis=0)


@triton.jit
def look_back(x, out, states, n, BLOCK: tl.constexpr):
    """Cumulative sums over blocks that pass on their totals: a flag in the upper half of a word."""
    block = tl.program_id(0)
    i = block * BLOCK + tl.arange(0, BLOCK)
    v = tl.load(x + i, mask=i < n, other=0)
    own = tl.sum(v, axis=0)
    before = tl.zeros((), tl.int32)
    if block > 0:
        word = tl.atomic_add(states + block - 1, tl.zeros((), tl.int64), sem="acquire")
        while word == 0:
            word = tl.atomic_add(states + block - 1, tl.zeros((), tl.int64), sem="acquire")
        before = word.to(tl.int32)
    tl.atomic_xchg(states + block, (before + own).to(tl.int64) | (1 << 32), sem="release")
    tl.store(out + i, tl.cumsum(v, axis=0) + before, mask=i < n)


@triton.jit
def sort_rows(x, out, C: tl.constexpr, DESCENDING: tl.constexpr):
    at = tl.program_id(0) * C + tl.arange(0, C)
    tl.store(out + at, tl.sort(tl.load(x + at), descending=DESCENDING))


@triton.jit
def top(x, out, C: tl.constexpr, K: tl.constexpr):
    row = tl.program_id(0)
    v = tl.load(x + row * C + tl.arange(0, C))
    tl.store(out + row * K + tl.arange(0, K), tl.topk(v, K))


@triton.jit
def flipped(x, out, R: tl.constexpr, C: tl.constexpr):
    at = tl.arange(0, R)[:, None] * C + tl.arange(0, C)[None, :]
    tl.store(out + at, tl.flip(tl.load(x + at), 1))


@triton.jit
def histogram(x, out, n, BINS: tl.constexpr, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    v = tl.load(x + i, mask=i < n, other=0)
    counts = tl.histogram(v, BINS, mask=i < n)
    tl.atomic_add(out + tl.arange(0, BINS), counts)
