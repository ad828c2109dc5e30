"""Cases of `kernels/layout.py`."""

import numpy as np

from .case import BF16, Launch, Out, blocks, case, integers, normal, wide


def transpose(dtype):
    def build(r):
        x = normal(r, 50, 70, scale=20).astype(dtype)
        return Launch((2, 3), [x, Out(np.ascontiguousarray(x.T)), 50, 70])
    return build


for dtype in [np.float32, np.float16, np.int8, np.float64]:
    case(f"transpose_{np.dtype(dtype)}", "layout.transpose", transpose(dtype), R=32, C=32)


case("transpose_cluster", "layout.transpose", transpose(np.float32), archs=(90,), ctas=2, R=32, C=32)


def permute(r):
    x = normal(r, 4, 8, 16)
    return Launch((1,), [x, Out(np.ascontiguousarray(x.transpose(2, 0, 1)))])


case("permute", "layout.permute", permute, A=4, B=8, C=16)


def gather(axis):
    def build(r):
        x = normal(r, 16, 32)
        index = integers(r, 0, (16 if axis == 0 else 32) - 1, *((64, 32) if axis == 0 else (16, 64)))
        return Launch((1,), [x, index, Out(np.take_along_axis(x, index, axis))])
    return build


case("gather_rows", "layout.gather", gather(0), R=16, C=32, K=64, AXIS=0)
case("gather_columns", "layout.gather", gather(1), R=16, C=32, K=64, AXIS=1)


def embedding(r):
    table = normal(r, 50, 100, dtype=BF16)
    tokens = integers(r, 0, 49, 12, dtype=np.int64)
    return Launch((12,), [tokens, table, Out(table[tokens])])


case("embedding", "layout.embedding", embedding, D=100, BLOCK=128)


def join(r):
    x, y = integers(r, 0, 1000, 256), integers(r, 0, 1000, 256)
    return Launch((1,), [x, y, Out(np.stack([x, y], 1).reshape(-1)), Out(x * 3 + y), 256])


case("join_and_split", "layout.join_and_split", join, BLOCK=256)


def reshape_sum(r):
    x = normal(r, 16 * 64)
    return Launch((1,), [x, Out(wide(x).reshape(64, 16).sum(1), np.float32, abs=1e-5)])


case("reshape_sum", "layout.reshape_sum", reshape_sum, R=16, C=64)


def outer(r):
    x, y = normal(r, 16), normal(r, 64)
    expected = np.outer(wide(x), wide(y)) + wide(x)[:, None]
    return Launch((1,), [x, y, Out(expected, np.float32, abs=2e-7, rel=1e-7)])


case("broadcast_outer", "layout.broadcast_outer", outer, R=16, C=64)


def unpack_int4(r):
    n = 400
    packed = integers(r, -128, 127, n, dtype=np.int8)
    scales = np.exp2(integers(r, -3, 3, blocks(n, 16))).astype(np.float16)
    low = ((packed.astype(int) & 15) ^ 8) - 8
    both = np.stack([low, packed.astype(int) >> 4], 1) * wide(scales)[np.arange(n) // 16][:, None]
    return Launch((blocks(n, 128),), [packed, scales, Out(both.reshape(-1), np.float16), n])


case("unpack_int4", "layout.unpack_int4", unpack_int4, BLOCK=128)


def unpack_e2m1(r):
    n = 300
    packed = integers(r, 0, 255, n, dtype=np.uint8)
    values = np.array([0, 0.5, 1, 1.5, 2, 3, 4, 6])
    both = np.stack([packed & 15, packed >> 4], 1).reshape(-1)
    expected = np.where(both >= 8, -values[both & 7], values[both & 7])
    return Launch((blocks(n, 128),), [packed, Out(expected, BF16), n])


case("unpack_e2m1", "layout.unpack_e2m1", unpack_e2m1, BLOCK=128)
