"""Cases of `kernels/matmul.py`."""

import numpy as np

from .case import BF16, E4M3, E5M2, Launch, Out, blocks, case, integers, normal, wide

# A sum of k products of numbers of size 1, each with an error of 2**-11: of f16's, bf16's and e4m3's
# products nothing is lost, only the accumulator rounds.
ACCUMULATED = 1e-4


def operands(r, m, n, k, dtype):
    if np.dtype(dtype).kind == "i":
        return integers(r, -128, 127, m, k, dtype=dtype), integers(r, -128, 127, k, n, dtype=dtype)
    return normal(r, m, k, dtype=dtype), normal(r, k, n, dtype=dtype)


def tf32(x):
    """Rounded to ten bits of mantissa, nearest, ties away from zero."""
    bits = np.ascontiguousarray(x, np.float32).view(np.uint32)
    return ((bits + np.uint32(0x1000)) & np.uint32(0xFFFFE000)).view(np.float32)


def product(a, b, out, error=ACCUMULATED):
    if np.dtype(out).kind == "i":
        return Out(a.astype(np.int64) @ b.astype(np.int64), out)
    return Out(wide(a) @ wide(b), out, abs=error)


def tiles(m, n, k, bm, bn, dtype, out, precision="tf32", acc="fp32"):
    def build(r):
        a, b = operands(r, m, n, k, dtype)
        error = ACCUMULATED
        if dtype == np.float32 and precision == "tf32":
            # Whether the operands are cut or rounded is the hardware's affair: up to 2**-10 each.
            error = k * 2.0**-9
        if dtype == np.float64:
            error = 1e-12
        if precision == "bf16x3":
            # Of three products of 8 bits each, without that of both lower parts.
            error = k * 2.0**-15
        if acc == "fp16":
            # Sums below 32 are rounded after every step of 16.
            error = k / 16 * 2.0**-7
        expected = product(a, b, out, error)
        expected = Out(expected.expected.astype(out) if expected.is_exact() else expected.expected, out, abs=error)
        return Launch((blocks(m, bm) * blocks(n, bn),), [a, b, expected, m, n, k])
    return build


def add(name, m, n, k, bm, bn, bk, dtype, out, precision="tf32", acc="fp32", group=2, **options):
    case(name, "matmul.tiles", tiles(m, n, k, bm, bn, dtype, out, precision, acc), ACC=acc, PRECISION=precision, BM=bm,
         BN=bn, BK=bk, GROUP=group, **options)


for stages in [1, 2, 3, 4]:
    add(f"matmul_f16_stages_{stages}", 64, 64, 128, 32, 32, 32, np.float16, np.float32, stages=stages)
add("matmul_f16_ragged", 70, 90, 50, 32, 32, 16, np.float16, np.float16)
add("matmul_f16_wide", 64, 128, 64, 64, 128, 32, np.float16, np.float16)
add("matmul_f16_eight_warps", 128, 128, 64, 128, 64, 32, np.float16, np.float32, warps=8)
add("matmul_f16_one_warp", 32, 32, 64, 16, 16, 32, np.float16, np.float32, warps=1)
add("matmul_bf16", 64, 64, 96, 64, 64, 32, BF16, BF16)
add("matmul_bf16_small", 16, 32, 64, 16, 16, 64, BF16, np.float32, warps=2)
add("matmul_tf32", 64, 64, 64, 64, 64, 32, np.float32, np.float32, archs=(80, 90, 100))
add("matmul_tf32x3", 64, 64, 64, 32, 32, 32, np.float32, np.float32, precision="tf32x3")
add("matmul_f32_ieee", 32, 32, 48, 32, 32, 16, np.float32, np.float32, precision="ieee")
add("matmul_bf16x3", 32, 32, 32, 32, 32, 32, np.float32, np.float32, precision="bf16x3", archs=(80, 90, 100))
add("matmul_f64", 32, 32, 32, 32, 32, 16, np.float64, np.float64, acc="fp64", precision="ieee")
add("matmul_i8", 64, 64, 64, 64, 64, 64, np.int8, np.int32, acc="int32", archs=(80, 90, 100))
add("matmul_i8_small", 32, 32, 64, 16, 32, 32, np.int8, np.int32, acc="int32", warps=2)
add("matmul_f16_acc_f16", 64, 64, 32, 64, 64, 32, np.float16, np.float16, acc="fp16", archs=(80, 90, 100))
add("matmul_e4m3", 64, 64, 64, 64, 64, 64, E4M3, np.float32, archs=(90, 100, 120))
add("matmul_e5m2", 64, 64, 64, 64, 64, 64, E5M2, np.float32)
add("matmul_f16_wgmma_256", 64, 256, 64, 64, 256, 64, np.float16, np.float32, warps=4, archs=(90, 100))
add("matmul_bf16_wgmma_8_warps", 128, 128, 128, 128, 128, 64, BF16, np.float32, warps=8, archs=(90,))
add("matmul_bf16_wgmma_128_256", 128, 256, 128, 128, 256, 64, BF16, np.float32, warps=8, archs=(90,))
add("matmul_f16_cluster", 128, 128, 64, 128, 64, 32, np.float16, np.float32, ctas=2, archs=(90, 100))


def strides(trans_a, trans_b):
    def build(r):
        m, n, k = 64, 64, 64
        a, b = operands(r, m, n, k, np.float16)
        bias = normal(r, n)
        y = wide(a) @ wide(b) + wide(bias)
        y = np.where(y > 0, y, wide(np.float32(0.01)) * y)
        am, ak, bk, bn = k, 1, n, 1
        if trans_a:
            a, am, ak = np.ascontiguousarray(a.T), 1, m
        if trans_b:
            b, bk, bn = np.ascontiguousarray(b.T), 1, k
        return Launch((1, 1), [a, b, bias, Out(y, np.float32, abs=ACCUMULATED), m, n, k, am, ak, bk, bn])
    return build


for trans_a in [False, True]:
    for trans_b in [False, True]:
        name = "matmul_" + "nt"[trans_a] + "nt"[trans_b] + "_bias_leaky"
        case(name, "matmul.strides", strides(trans_a, trans_b), ACT="leaky", BM=64, BN=64, BK=32)


def split_k(r):
    m, n, k = 32, 64, 200
    a, b = operands(r, m, n, k, np.float16)
    return Launch((2, 2, 3), [a, b, Out(wide(a) @ wide(b), np.float32, abs=ACCUMULATED, start=np.zeros((m, n), np.float32)),
                              m, n, k])


case("matmul_split_k", "matmul.split_k", split_k, SPLIT=3, BM=16, BN=32, BK=32)


def persistent(r):
    m, n, k = 64, 96, 64
    a, b = operands(r, m, n, k, BF16)
    return Launch((2,), [a, b, product(a, b, np.float32), m, n, k])


case("matmul_persistent", "matmul.persistent", persistent, BM=32, BN=32, BK=32, FLATTEN=False)
case("matmul_persistent_flat", "matmul.persistent", persistent, BM=32, BN=32, BK=32, FLATTEN=True)


def batched(r):
    a, b = normal(r, 4, 32, 64, dtype=np.float16), normal(r, 4, 64, 32, dtype=np.float16)
    return Launch((2,), [a, b, Out(wide(a) @ wide(b), np.float32, abs=ACCUMULATED), 32, 32, 64])


case("matmul_batched", "matmul.batched", batched, BM=32, BN=32, BK=32, BATCH=2)


def dequantized(r):
    m, n, k = 32, 64, 64
    a = normal(r, m, k, dtype=np.float16)
    w = integers(r, -8, 7, k, n)
    scales = (0.5 + r.random(n)).astype(np.float32)
    packed = ((w[0::2] + 8) | ((w[1::2] + 8) << 4)).astype(np.uint8)
    expected = (wide(a) @ wide(w)) * wide(scales)
    return Launch((1, 1), [a, packed, scales, Out(expected, np.float32, abs=ACCUMULATED, rel=1e-6), m, n, k])


case("matmul_int4_weights", "matmul.dequantized", dequantized, BM=32, BN=64, BK=32)


def convolution(r):
    n, h, w, ic, oc = 2, 8, 8, 32, 32
    x, f = normal(r, n, h, w, ic, dtype=np.float16), normal(r, 3, 3, ic, oc, dtype=np.float16, scale=0.1)
    padded = np.zeros((n, h + 2, w + 2, ic))
    padded[:, 1:-1, 1:-1] = wide(x)
    y = sum(padded[:, i : i + h, j : j + w] @ wide(f)[i, j] for i in range(3) for j in range(3))
    return Launch((blocks(n * h * w, 64), 1), [x, f, Out(y, np.float32, abs=ACCUMULATED), h, w, oc, h, w])


case("convolution", "matmul.convolution", convolution, archs=(80, 90, 100), IC=32, R=3, S=3, BM=64, BN=32, BK=32)


def chained(dtype):
    def build(r):
        m, k, n, l = 64, 64, 64, 32
        a, b = normal(r, m, k, dtype=dtype), normal(r, k, n, dtype=dtype, scale=0.1)
        c = normal(r, n, l, dtype=dtype)
        h = np.maximum(wide(a) @ wide(b), 0)
        # The rounding of `h` to the operands' type, whose unit is at most `eps * h`.
        eps = 2.0**-11 if dtype == np.float16 else 2.0**-8
        return Launch((1,), [a, b, c, Out(wide(h) @ wide(c), np.float32, abs=ACCUMULATED + 20 * eps)])
    return build


case("chained_f16", "matmul.chained", chained(np.float16), M=64, K=64, N=64, L=32)
case("chained_bf16", "matmul.chained", chained(BF16), archs=(80, 90, 100), M=64, K=64, N=64, L=32)

E2M1 = np.array([0, 0.5, 1, 1.5, 2, 3, 4, 6, 0, -0.5, -1, -1.5, -2, -3, -4, -6])


def scaled(a_type, b_type):
    def build(r):
        m, n, k = 32, 32, 64
        sa, sb = integers(r, 124, 130, m, k // 32, dtype=np.uint8), integers(r, 124, 130, n, k // 32, dtype=np.uint8)

        def values(kind, shape, axis):
            if kind == "e2m1":
                bits = integers(r, 0, 15, *shape, dtype=np.uint8)
                lo, hi = np.moveaxis(bits, axis, 0)[0::2], np.moveaxis(bits, axis, 0)[1::2]
                return np.ascontiguousarray(np.moveaxis(lo | (hi << 4), 0, axis)), E2M1[bits]
            x = normal(r, *shape).astype(E5M2 if kind == "e5m2" else BF16)
            return x, wide(x)

        a, va = values(a_type, (m, k), 1)
        b, vb = values(b_type, (k, n), 0)
        va = va * np.exp2(sa.astype(float) - 127).repeat(32, 1)
        vb = vb * np.exp2(sb.astype(float) - 127).repeat(32, 1).T
        return Launch((1,), [a, sa, b, sb, Out(va @ vb, np.float32, abs=1e-3)])
    return build


case("scaled_e5m2_e2m1", "matmul.scaled", scaled("e5m2", "e2m1"), archs=(80, 90, 100), M=32, N=32, K=64, A="e5m2",
     B="e2m1", PACK_A=1, PACK_B=2)
case("scaled_e2m1_e2m1", "matmul.scaled", scaled("e2m1", "e2m1"), M=32, N=32, K=64, A="e2m1", B="e2m1", PACK_A=2,
     PACK_B=2)
