"""Cases of `kernels/scan.py`."""

import numpy as np

from .case import Launch, Out, Scratch, blocks, case, integers, normal, uniform, wide


def cumulative(rows, columns, axis, reverse, dtype):
    def build(r):
        if dtype == np.int32:
            x = integers(r, -3, 3, rows, columns)
            v = x.astype(np.int64)
        else:
            x = uniform(r, rows, columns, low=0.9, high=1.1)
            v = wide(x)
        if reverse:
            v = np.flip(v, axis)
        with np.errstate(over="ignore"):
            sums, products = v.cumsum(axis), v.cumprod(axis)
        if reverse:
            sums, products = np.flip(sums, axis), np.flip(products, axis)
        if dtype == np.int32:
            return Launch((1,), [x, Out(sums.astype(np.int32)), Out(products.astype(np.int32))])
        return Launch((1,), [x, Out(sums, dtype, rel=1e-5), Out(products, dtype, rel=1e-5)])
    return build


for axis in [0, 1]:
    for reverse in [False, True]:
        name = f"cumulative_axis_{axis}" + ("_reverse" if reverse else "")
        case(name, "scan.cumulative", cumulative(16, 64, axis, reverse, np.float32), R=16, C=64, AXIS=axis,
             REVERSE=reverse)
case("cumulative_i32", "scan.cumulative", cumulative(8, 128, 1, False, np.int32), R=8, C=128, AXIS=1, REVERSE=False)


def recurrence(r):
    n = 200
    a, b = uniform(r, 3, n, low=0.5, high=1), normal(r, 3, n)
    h, last = np.zeros((3, n)), np.zeros(3)
    for i in range(n):
        last = wide(a)[:, i] * last + wide(b)[:, i]
        h[:, i] = last
    return Launch((3,), [a, b, Out(h, np.float32, rel=1e-5, abs=1e-5), n])


case("linear_recurrence", "scan.recurrence", recurrence, BLOCK=256)


def running_argmax(r):
    x = integers(r, 0, 1000, 256)
    values = np.maximum.accumulate(x)
    indices = np.array([int(np.argmax(x[: i + 1])) for i in range(256)], np.int32)
    return Launch((1,), [x, Out(values), Out(indices)])


case("running_argmax", "scan.running_argmax", running_argmax, BLOCK=256)


def long_cumsum(r):
    x = integers(r, -1000, 1000, 700)
    return Launch((1,), [x, Out(x.cumsum().astype(np.int32)), 700])


case("long_cumsum", "scan.long_cumsum", long_cumsum, BLOCK=128)


def look_back(r):
    n = 1000
    x = integers(r, 0, 1000, n)
    return Launch((blocks(n, 128),), [x, Out(x.cumsum().astype(np.int32)), Scratch(np.zeros(8, np.int64)), n])


case("look_back", "scan.look_back", look_back, BLOCK=128)


def sort_rows(dtype, columns, descending):
    def build(r):
        x = integers(r, -1000, 1000, 4, columns).astype(dtype)
        y = np.sort(x, 1)
        return Launch((4,), [x, Out(np.ascontiguousarray(y[:, ::-1]) if descending else y)])
    return build


case("sort_i32", "scan.sort_rows", sort_rows(np.int32, 128, False), C=128, DESCENDING=False)
case("sort_f32_descending", "scan.sort_rows", sort_rows(np.float32, 64, True), warps=2, C=64, DESCENDING=True)
case("sort_cluster", "scan.sort_rows", sort_rows(np.int32, 256, False), archs=(90,), ctas=2, C=256, DESCENDING=False)
case("sort_f16", "scan.sort_rows", sort_rows(np.float16, 256, False), C=256, DESCENDING=False)


def top(r):
    x = normal(r, 4, 128)
    return Launch((4,), [x, Out(-np.sort(-x, 1)[:, :8])])


case("top_8", "scan.top", top, C=128, K=8)
case("top_8_lines", "scan.top", top, lines=True, C=128, K=8)


def flipped(r):
    x = normal(r, 8, 64)
    return Launch((1,), [x, Out(np.ascontiguousarray(x[:, ::-1]))])


case("flip", "scan.flipped", flipped, R=8, C=64)


def histogram(r):
    x = integers(r, 0, 63, 1000)
    counts = np.bincount(x, minlength=64).astype(np.int32)
    return Launch((4,), [x, Out(counts, start=np.zeros(64, np.int32)), 1000])


case("histogram", "scan.histogram", histogram, BINS=64, BLOCK=256)
