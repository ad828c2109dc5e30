"""Cases of `kernels/tensor.py`."""

import numpy as np

from .case import BF16, E4M3, Descriptor, Launch, Out, blocks, case, integers, normal, wide
from .matmul import ACCUMULATED, operands, product


def copy(m, n, dtype, bm, bn):
    def build(r):
        x = integers(r, -60, 60, m, n).astype(dtype)
        return Launch((blocks(m, bm), blocks(n, bn)), [x, Out((wide(x) * 2).astype(dtype)), m, n])
    return build


case("descriptor_copy_f32", "tensor.copy", copy(50, 72, np.float32, 32, 32), BM=32, BN=32)
case("descriptor_copy_f16", "tensor.copy", copy(40, 72, np.float16, 16, 64), BM=16, BN=64)
case("descriptor_copy_i8", "tensor.copy", copy(20, 144, np.int8, 16, 128), BM=16, BN=128)
case("descriptor_copy_narrow", "tensor.copy", copy(70, 8, np.float16, 64, 8), BM=64, BN=8)


def copy_host(r):
    m, n, bm, bn = 50, 72, 32, 64
    x = normal(r, m, n, dtype=np.float16)
    out = Out(wide(x) + 1, np.float16)
    return Launch((2, 2), [Descriptor(x, (bm, bn)), Descriptor(out, (bm, bn))])


case("host_descriptor_copy", "tensor.copy_host", copy_host, archs=(90,), BM=32, BN=64)


def reduce(op, dtype):
    def build(r):
        x = integers(r, -60, 60, 64, 64).astype(dtype)
        parts = x.reshape(4, 16, 64)
        if op == "add":
            start = np.ones((16, 64), dtype)
            expected = (wide(parts).sum(0) + 1).astype(dtype)
        elif op == "max":
            start = np.zeros((16, 64), dtype)
            expected = np.maximum(parts.max(0), start)
        else:
            start = np.full((16, 64), -1, dtype)
            expected = np.bitwise_and.reduce(parts)
        return Launch((4, 2), [x, Out(expected, start=start), 64, 64])
    return build


case("descriptor_add_f32", "tensor.reduce", reduce("add", np.float32), archs=(90,), OP="add", BM=16, BN=32)
case("descriptor_add_bf16", "tensor.reduce", reduce("add", BF16), archs=(90,), OP="add", BM=16, BN=32)
case("descriptor_max_i32", "tensor.reduce", reduce("max", np.int32), archs=(90,), OP="max", BM=16, BN=32)
case("descriptor_and_i32", "tensor.reduce", reduce("and", np.int32), archs=(90,), OP="and", BM=16, BN=32)


def rows(r):
    m, n, height, width = 10, 24, 16, 32
    x = normal(r, 4, m, n)
    expected = np.zeros((4, height, width), np.float32)
    expected[:, 2 : 2 + m, :n] = x
    return Launch((4,), [x, Out(expected), m, n])


case("descriptor_three_axes", "tensor.rows", rows, ROWS=16, BN=32)


def matmul(m, n, k, bm, bn, dtype, out, transposed):
    def build(r):
        a, b = operands(r, m, n, k, dtype)
        expected = product(a, b, out)
        if expected.is_exact():
            expected = Out(expected.expected.astype(out))
        if transposed:
            b = np.ascontiguousarray(b.T)
        return Launch((blocks(m, bm), blocks(n, bn)), [a, b, expected, m, n, k])
    return build


def add(name, m, n, k, bm, bn, bk, dtype, out, transposed=False, acc="fp32", **options):
    case(name, "tensor.matmul", matmul(m, n, k, bm, bn, dtype, out, transposed), ACC=acc, TRANSPOSED=transposed,
         BM=bm, BN=bn, BK=bk, **options)


add("tma_matmul_f16", 64, 64, 128, 64, 64, 64, np.float16, np.float16)
add("tma_matmul_f16_stages_4", 64, 64, 256, 64, 64, 32, np.float16, np.float32, stages=4)
add("tma_matmul_f16_transposed", 128, 64, 128, 64, 64, 64, np.float16, np.float32, True)
add("tma_matmul_bf16_ragged", 72, 80, 88, 64, 64, 32, BF16, np.float32, archs=(80, 90, 100))
add("tma_matmul_e4m3", 64, 64, 128, 64, 64, 64, E4M3, np.float32, True, archs=(90,))
add("tma_matmul_lines", 64, 64, 64, 64, 64, 64, np.float16, np.float16, lines=True)
add("tma_matmul_i8", 64, 64, 128, 64, 64, 64, np.int8, np.int32, True, acc="int32", archs=(80, 90, 100))
add("tma_matmul_eight_warps", 128, 128, 64, 128, 128, 64, np.float16, np.float16, warps=8, archs=(90,))
add("tma_matmul_cluster", 128, 64, 64, 128, 64, 64, np.float16, np.float32, ctas=2, archs=(90, 100))


def matmul_host(r):
    m, n, k, bm, bn, bk = 100, 72, 128, 64, 64, 64
    a, b = operands(r, m, n, k, np.float16)
    out = Out(wide(a) @ wide(b), np.float16, abs=ACCUMULATED)
    return Launch((2, 2), [Descriptor(a, (bm, bk)), Descriptor(np.ascontiguousarray(b.T), (bn, bk)),
                           Descriptor(out, (bm, bn)), k])


case("host_tma_matmul", "tensor.matmul_host", matmul_host, archs=(90, 100), BM=64, BN=64, BK=64)


def persistent(r):
    m, n, k = 128, 192, 128
    a, b = operands(r, m, n, k, np.float16)
    return Launch((2,), [a, np.ascontiguousarray(b.T), product(a, b, np.float16), m, n, k])


case("tma_matmul_persistent", "tensor.matmul_persistent", persistent, archs=(90,), WARPS=False, FLATTEN=True, BM=64,
     BN=64, BK=64)
# 128 rows: of 64 both groups of warps compute, and store, all.
case("tma_matmul_persistent_specialized", "tensor.matmul_persistent", persistent, archs=(90, 100), WARPS=True,
     FLATTEN=False, BM=128, BN=64, BK=64)


def specialized(r):
    m, n, k = 128, 128, 256
    a, b = operands(r, m, n, k, np.float16)
    return Launch((1, 2), [a, np.ascontiguousarray(b.T), product(a, b, np.float16), m, n, k])


case("tma_matmul_specialized", "tensor.matmul_specialized", specialized, archs=(90, 100), BM=128, BN=64, BK=64)
