"""Cases of `kernels/atomics.py`."""

import numpy as np

from .case import BF16, Launch, Out, Scratch, blocks, case, integers, normal, wide


def reduce_all(dtype):
    def build(r):
        n = 500
        low = -1000 if np.dtype(dtype).kind == "i" else 0
        x = integers(r, low, 1000, n, dtype=dtype)
        start = np.array([5, 0, 7, -1 if low else np.iinfo(dtype).max, 0, 0], dtype)
        expected = np.array([
            5 + x.sum(dtype=np.int64), max(0, x.max()), min(7, x.min()), np.bitwise_and.reduce(x) & start[3],
            np.bitwise_or.reduce(x), np.bitwise_xor.reduce(x)], dtype)
        return Launch((blocks(n, 128),), [x, Out(expected, start=start), n])
    return build


for dtype in [np.int32, np.uint32, np.int64]:
    case(f"atomics_{np.dtype(dtype)}", "atomics.reduce_all", reduce_all(dtype), BLOCK=128)


def scatter_add(dtype):
    def build(r):
        n, cells = 500, 40
        # Whole numbers, whose sums are exact in any order.
        x = integers(r, -4, 4, n).astype(dtype)
        index = integers(r, 0, cells - 1, n)
        expected = np.zeros(cells)
        np.add.at(expected, index, wide(x))
        return Launch((blocks(n, 256),), [x, index, Out(expected, dtype, start=np.zeros(cells, dtype)), n])
    return build


for dtype in [np.float16, np.float32, np.float64]:
    case(f"scatter_add_{np.dtype(dtype)}", "atomics.scatter_add", scatter_add(dtype), BLOCK=256)
case("scatter_add_bfloat16", "atomics.scatter_add", scatter_add(BF16), archs=(90,), BLOCK=256)


def add_block(dtype):
    def build(r):
        x = integers(r, -8, 8, 3, 8, 64).astype(dtype)
        return Launch((3,), [x, Out(wide(x).sum(0), dtype, start=np.zeros((8, 64), dtype))])
    return build


case("add_block_f16", "atomics.add_block", add_block(np.float16), R=8, C=64)
case("add_block_f32", "atomics.add_block", add_block(np.float32), R=8, C=64)
case("add_block_bf16", "atomics.add_block", add_block(BF16), archs=(90,), R=8, C=64)


def float_extremes(r):
    n = 300
    x = normal(r, n)
    start = np.array([-0.5, 0.5], np.float32)
    expected = np.array([max(-0.5, x.max()), min(0.5, x.min())], np.float32)
    return Launch((blocks(n, 128),), [x, Out(expected, start=start), n])


case("atomic_float_extremes", "atomics.float_extremes", float_extremes, BLOCK=128)


def tickets(r):
    expected = np.arange(20, dtype=np.int32) * 3
    return Launch((20,), [Out(expected), Out(np.array([20], np.int32), start=np.zeros(1, np.int32))])


case("tickets", "atomics.tickets", tickets, warps=1)


def lock_step(r):
    total = Out(np.array([24], np.int32), start=np.zeros(1, np.int32))
    return Launch((8,), [total, Scratch(np.zeros(1, np.int32)), 3])


case("spin_lock", "atomics.lock_step", lock_step, warps=2)
case("spin_lock_racy", "atomics.lock_step_racy", lock_step, warps=2)


def exchange(r):
    x, start = integers(r, 0, 1000, 256), integers(r, 0, 1000, 256)
    return Launch((1,), [x, Out(start), Out(x, start=start)])


case("exchange", "atomics.exchange", exchange, BLOCK=256)


def last_block_sums(r):
    n = 1000
    x = integers(r, -100, 100, n).astype(np.float32)
    return Launch((8,), [x, Scratch(np.zeros(8, np.float32)), Scratch(np.zeros(1, np.int32)),
                         Out(x.sum(keepdims=True)), n])


case("last_block_sums", "atomics.last_block_sums", last_block_sums, BLOCK=128, BLOCKS=8)
