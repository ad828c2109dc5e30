"""Sums, extremes and positions over rows and columns."""

import triton
import triton.language as tl


@triton.jit
def row_sum(x, out, columns, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    i = tl.arange(0, BLOCK)
    v = tl.load(x + row * columns + i, mask=i < columns, other=0)
    tl.store(out + row, tl.sum(v, axis=0))


@triton.jit
def column_sum(x, out, rows, columns, R: tl.constexpr, C: tl.constexpr):
    c = tl.program_id(0) * C + tl.arange(0, C)
    total = tl.zeros((R, C), tl.float32)
    for start in range(0, rows, R):
        r = start + tl.arange(0, R)
        m = (r[:, None] < rows) & (c[None, :] < columns)
        total += tl.load(x + r[:, None] * columns + c[None, :], mask=m, other=0.0).to(tl.float32)
    tl.store(out + c, tl.sum(total, axis=0), mask=c < columns)


@triton.jit
def extremes(x, least, most, where_least, where_most, columns, R: tl.constexpr, C: tl.constexpr):
    r = tl.program_id(0) * R + tl.arange(0, R)
    c = tl.arange(0, C)
    m = c[None, :] < columns
    at = x + r[:, None] * columns + c[None, :]
    low = tl.load(at, mask=m, other=1000)
    high = tl.load(at, mask=m, other=-1000)
    tl.store(least + r, tl.min(low, axis=1))
    tl.store(most + r, tl.max(high, axis=1))
    tl.store(where_least + r, tl.argmin(low, axis=1))
    tl.store(where_most + r, tl.argmax(high, axis=1))


@triton.jit
def three_axes(x, out, A: tl.constexpr, B: tl.constexpr, C: tl.constexpr):
    """Sum over the middle axis."""
    a = tl.arange(0, A)[:, None, None]
    b = tl.arange(0, B)[None, :, None]
    c = tl.arange(0, C)[None, None, :]
    v = tl.load(x + (a * B + b) * C + c)
    s = tl.sum(v, axis=1)
    tl.store(out + tl.arange(0, A)[:, None] * C + tl.arange(0, C)[None, :], s)


@triton.jit
def bitwise(x, xors, ors, n, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    i = tl.arange(0, BLOCK)
    v = tl.load(x + row * n + i, mask=i < n, other=0)
    tl.store(xors + row, tl.xor_sum(v, axis=0))
    tl.store(ors + row, tl.reduce_or(v, axis=0))


@triton.jit
def _welford(mean_a, m2_a, count_a, mean_b, m2_b, count_b):
    delta = mean_b - mean_a
    count = count_a + count_b
    share = tl.where(count == 0, 0.0, count_b / count)
    return mean_a + delta * share, m2_a + m2_b + delta * delta * count_a * share, count


@triton.jit
def welford(x, mean, variance, columns, BLOCK: tl.constexpr):
    """A reduction of three values at once."""
    row = tl.program_id(0)
    i = tl.arange(0, BLOCK)
    m = i < columns
    v = tl.load(x + row * columns + i, mask=m, other=0.0)
    avg, m2, count = tl.reduce((v, tl.zeros_like(v), m.to(tl.float32)), 0, _welford)
    tl.store(mean + row, avg)
    tl.store(variance + row, m2 / count)


@triton.jit
def softmax(x, out, columns, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    i = tl.arange(0, BLOCK)
    m = i < columns
    v = tl.load(x + row * columns + i, mask=m, other=-float("inf")).to(tl.float32)
    e = tl.exp(v - tl.max(v, axis=0))
    tl.store(out + row * columns + i, (e / tl.sum(e, axis=0)).to(out.dtype.element_ty), mask=m)


@triton.jit
def online_softmax(x, out, columns, BLOCK: tl.constexpr):
    """Largest value and sum in one pass of blocks, the result in another."""
    row = tl.program_id(0)
    largest = -float("inf")
    total = 0.0
    for start in range(0, columns, BLOCK):
        i = start + tl.arange(0, BLOCK)
        v = tl.load(x + row * columns + i, mask=i < columns, other=-float("inf"))
        new = tl.maximum(largest, tl.max(v, axis=0))
        total = total * tl.exp(largest - new) + tl.sum(tl.exp(v - new), axis=0)
        largest = new
    for start in range(0, columns, BLOCK):
        i = start + tl.arange(0, BLOCK)
        v = tl.load(x + row * columns + i, mask=i < columns, other=-float("inf"))
        tl.store(out + row * columns + i, tl.exp(v - largest) / total, mask=i < columns)


@triton.jit
def softmax_rows(x, out, rows, columns, STAGES: tl.constexpr, BLOCK: tl.constexpr):
    """Rows of a persistent block, whose loads are issued ahead."""
    for row in tl.range(tl.program_id(0), rows, tl.num_programs(0), num_stages=STAGES):
        i = tl.arange(0, BLOCK)
        m = i < columns
        v = tl.load(x + row * columns + i, mask=m, other=-float("inf"))
        e = tl.exp(v - tl.max(v, axis=0))
        tl.store(out + row * columns + i, e / tl.sum(e, axis=0), mask=m)


@triton.jit
def cross_entropy(logits, labels, loss, gradient, classes, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    i = tl.arange(0, BLOCK)
    m = i < classes
    label = tl.load(labels + row)
    v = tl.load(logits + row * classes + i, mask=m, other=-float("inf")).to(tl.float32)
    largest = tl.max(v, axis=0)
    e = tl.exp(v - largest)
    total = tl.sum(e, axis=0)
    own = tl.load(logits + row * classes + label).to(tl.float32)
    tl.store(loss + row, tl.log(total) + largest - own)
    tl.store(gradient + row * classes + i, e / total - (i == label).to(tl.float32), mask=m)
