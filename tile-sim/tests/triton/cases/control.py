"""Cases of `kernels/control.py`."""

import numpy as np

from .case import Launch, Out, case, integers, normal, wide


def collatz(r):
    x = integers(r, 1, 30, 128)

    def steps(v):
        n = 0
        while v > 1:
            v, n = (v // 2 if v % 2 == 0 else 3 * v + 1), n + 1
        return n

    return Launch((2,), [x, Out(np.array([steps(int(v)) for v in x], np.int32))])


case("collatz", "control.collatz", collatz, warps=2, BLOCK=64)


def bisect(r):
    table, x = np.sort(normal(r, 100)), normal(r, 256)
    return Launch((2,), [table, x, Out(np.searchsorted(table, x).astype(np.int32)), 100])


case("bisect", "control.bisect", bisect, BLOCK=128)


def branches(r):
    x = normal(r, 4, 128)
    y = x.copy()
    for row in [0, 2]:
        y[row] = x[row] * (2 if wide(x[row]).sum() > 0 else 3)
    y[1] = -1
    return Launch((4,), [x, Out(y)])


case("branches", "control.branches", branches, BLOCK=128)


def calls(r):
    x = integers(r, -9, 9, 500).astype(np.float32)
    total = x[3:20].sum() + 2 * x[:256].sum() + x[256:].sum()
    return Launch((1,), [x, Out(np.array([total], np.float32)), 500])


case("calls", "control.calls", calls, BLOCK=256)


def assembly(r):
    n = 512
    x, y = integers(r, 0, 255, n, dtype=np.uint8), integers(r, 0, 255, n, dtype=np.uint8)
    a, b = x.reshape(-1, 4), y.reshape(-1, 4)
    lo = np.stack([a[:, 0], b[:, 0], a[:, 1], b[:, 1]], 1)
    # The selectors of 0x7362 from the lowest: bytes 2, 6, 3, 7 of both words.
    hi = np.stack([a[:, 2], b[:, 2], a[:, 3], b[:, 3]], 1)
    lo32, hi32, b32 = (np.ascontiguousarray(v).view(np.uint32)[:, 0] for v in (lo, hi, b))
    lo32 = np.where(lo32 > hi32, lo32 ^ np.uint32(0x01010101), lo32)
    return Launch((2,), [x, y, Out((lo32 ^ hi32 ^ b32).astype(np.uint32).view(np.uint8))])


case("inline_assembly", "control.assembly", assembly, warps=2, BLOCK=256)


def pairs(r):
    x = normal(r, 128)
    return Launch((1,), [x, Out(-np.abs(x)), Out(np.abs(x))])


case("inline_assembly_pairs", "control.assembly_pairs", pairs, BLOCK=128)


def barriers(r):
    x = normal(r, 2, 256)
    return Launch((2,), [x, Out(wide(x)[:, ::-1] * 2 + 1, np.float32)])


case("global_exchange", "control.barriers", barriers, BLOCK=256)


def prints(r):
    x = integers(r, -50, 50, 100)
    return Launch((1,), [x, Out(x + 1), 100])


case("device_print", "control.prints", prints, BLOCK=128)


def asserts(r):
    x = integers(r, 0, 50, 100)
    return Launch((1,), [x, Out(x * 2), 100])


case("device_assert", "control.asserts", asserts, options={"debug": True}, BLOCK=128)


def timers(r):
    expected = np.arange(129, dtype=np.int32)
    expected[128] = 2
    return Launch((1,), [Out(expected)])


case("timers", "control.timers", timers, BLOCK=128)


def scalar_branches(r):
    x, y = integers(r, -3, 3, 256).astype(np.float32), integers(r, -3, 3, 256).astype(np.float32)
    return Launch((1,), [x, y, Out(np.where(x > y, x - y, np.where(x == y, 0, y * 2)).astype(np.float32))])


case("scalar_branches", "control.scalar_branches", scalar_branches, BLOCK=256)


def mandelbrot(r):
    width, most = 32, 12
    at = np.arange(width * width)
    f = np.float32
    cx = (at % width).astype(f) * f(3.0 / width) - f(2)
    cy = (at // width).astype(f) * f(2.0 / width) - f(1)
    # In f64, whose iterations count the same wherever the border is not too near.
    zx, zy, n = np.zeros(at.size), np.zeros(at.size), np.zeros(at.size, np.int32)
    near = np.inf
    for _ in range(most):
        size = zx * zx + zy * zy
        near = min(near, np.abs(size - 4)[size != 4].min())
        inside = size <= 4
        zx, zy = np.where(inside, zx * zx - zy * zy + cx, zx), np.where(inside, 2 * zx * zy + cy, zy)
        n += inside
    assert near > 1e-5, near
    return Launch((4,), [Out(n)])


case("mandelbrot", "control.mandelbrot", mandelbrot, WIDTH=32, BLOCK=256, MOST=12)
