"""Loops, calls, assembly text, and what is printed or asserted."""

import triton
import triton.language as tl
from triton.language.extra.cuda import globaltimer, smid


@triton.jit
def collatz(x, steps, BLOCK: tl.constexpr):
    """A loop whose end depends on the data of a lane."""
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    v = tl.load(x + i)
    n = tl.zeros((BLOCK,), tl.int32)
    while tl.max((v > 1).to(tl.int32), axis=0) > 0:
        go = v > 1
        v = tl.where(go, tl.where(v % 2 == 0, v // 2, 3 * v + 1), v)
        n += go.to(tl.int32)
    tl.store(steps + i, n)


@triton.jit
def bisect(table, x, out, n, BLOCK: tl.constexpr):
    """The first entry of a sorted table that is not less."""
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    v = tl.load(x + i)
    lo = tl.zeros((BLOCK,), tl.int32)
    hi = tl.full((BLOCK,), n, tl.int32)
    while tl.sum((lo < hi).to(tl.int32), axis=0) > 0:
        mid = (lo + hi) // 2
        less = tl.load(table + mid, mask=lo < hi, other=0.0) < v
        go = lo < hi
        lo = tl.where(go & less, mid + 1, lo)
        hi = tl.where(go & (less == 0), mid, hi)
    tl.store(out + i, lo)


@triton.jit
def branches(x, out, BLOCK: tl.constexpr):
    """What blocks do differs; some return early."""
    block = tl.program_id(0)
    i = block * BLOCK + tl.arange(0, BLOCK)
    if block == 1:
        tl.store(out + i, -1.0)
        return
    v = tl.load(x + i)
    if block % 2 == 0:
        if tl.sum(v, axis=0) > 0:
            v = v * 2
        else:
            v = v * 3
    tl.store(out + i, v)


@triton.jit(noinline=True)
def _sum_from(x, start, end, BLOCK: tl.constexpr):
    i = start + tl.arange(0, BLOCK)
    return tl.sum(tl.load(x + i, mask=i < end, other=0.0), axis=0)


@triton.jit
def calls(x, out, n, BLOCK: tl.constexpr):
    """A function that is not inlined, with a reduction in it."""
    total = 0.0
    for start in range(0, n, BLOCK):
        total = total * 2 + _sum_from(x, start, n, BLOCK)
    tl.store(out, total + _sum_from(x, 3, 20, BLOCK))


@triton.jit
def assembly(x, y, out, BLOCK: tl.constexpr):
    """Elements packed by four, predicates and scopes within the text."""
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    a = tl.load(x + i)
    b = tl.load(y + i)
    r = tl.inline_asm_elementwise("""{
        .reg .b32 lo, hi;
        .reg .pred p;
        prmt.b32 lo, $1, $2, 0x5140;
        prmt.b32 hi, $1, $2, 0x7362;
        setp.gt.u32 p, lo, hi;
        @p xor.b32 lo, lo, 0x01010101;
        lop3.b32 $0, lo, hi, $2, 0x96;
    }""", "=r,r,r", [a, b], dtype=tl.uint8, is_pure=True, pack=4)
    tl.store(out + i, r)


@triton.jit
def assembly_pairs(x, minima, maxima, BLOCK: tl.constexpr):
    """Two results."""
    i = tl.arange(0, BLOCK)
    a = tl.load(x + i)
    lo, hi = tl.inline_asm_elementwise("""
        abs.f32 $1, $2;
        neg.f32 $0, $1;
    """, "=&f,=&f,f", [a], dtype=(tl.float32, tl.float32), is_pure=True, pack=1)
    tl.store(minima + i, lo)
    tl.store(maxima + i, hi)


@triton.jit
def barriers(x, out, BLOCK: tl.constexpr):
    """Data that goes through global memory to other threads of the block."""
    base = tl.program_id(0) * BLOCK
    i = tl.arange(0, BLOCK)
    tl.store(out + base + i, tl.load(x + base + i) * 2)
    tl.debug_barrier()
    v = tl.load(out + base + (BLOCK - 1 - i))
    tl.debug_barrier()
    tl.store(out + base + i, v + 1)


@triton.jit
def prints(x, out, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    v = tl.load(x + i, mask=i < n, other=0)
    tl.device_print("value", v)
    tl.store(out + i, v + 1, mask=i < n)


@triton.jit
def asserts(x, out, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    v = tl.load(x + i, mask=i < n, other=0)
    tl.device_assert(v >= 0, "negative", mask=i < n)
    tl.store(out + i, v * 2, mask=i < n)


@triton.jit
def timers(out, BLOCK: tl.constexpr):
    """Clocks and the multiprocessor's number: later is not earlier."""
    before = globaltimer()
    i = tl.arange(0, BLOCK)
    tl.store(out + i, i)
    after = globaltimer()
    tl.store(out + BLOCK, (after >= before).to(tl.int32) + (smid() >= 0).to(tl.int32))


@triton.jit
def _three_ways(a, b):
    if a > b:
        return a - b
    elif a == b:
        return 0.0
    else:
        return b * 2


@triton.jit
def scalar_branches(x, y, out, BLOCK: tl.constexpr):
    """A function of scalars, mapped over elements: branches differ between lanes."""
    i = tl.arange(0, BLOCK)
    tl.store(out + i, tl.map_elementwise(_three_ways, tl.load(x + i), tl.load(y + i)))


@triton.jit
def mandelbrot(out, WIDTH: tl.constexpr, BLOCK: tl.constexpr, MOST: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    cx = (at % WIDTH).to(tl.float32) * (3.0 / WIDTH) - 2.0
    cy = (at // WIDTH).to(tl.float32) * (2.0 / WIDTH) - 1.0
    zx = tl.zeros((BLOCK,), tl.float32)
    zy = tl.zeros((BLOCK,), tl.float32)
    n = tl.zeros((BLOCK,), tl.int32)
    for _ in range(MOST):
        inside = zx * zx + zy * zy <= 4.0
        next_x = zx * zx - zy * zy + cx
        zy = tl.where(inside, 2 * zx * zy + cy, zy)
        zx = tl.where(inside, next_x, zx)
        n += inside.to(tl.int32)
    tl.store(out + at, n)
