"""Cases of `kernels/blackwell.py`."""

import numpy as np

from .attention import error, exact
from .case import BF16, E4M3, E5M2, Launch, Out, blocks, case, integers, normal, wide
from .matmul import ACCUMULATED, E2M1, operands, product, tf32

ARCHS = (100,)


def same(m, n, dtype):
    def build(r):
        x = normal(r, m, n, dtype=dtype)
        return Launch((1,), [x, Out(wide(x), dtype)])
    return build


def round_trip(name, m, n, dtype, into="32x32b", back="32x32b", block=None, stride=1, **options):
    bm, bn = block or (min(m, 128), n)
    case(name, "blackwell.round_trip", same(m, n, dtype), archs=ARCHS, M=m, N=n, BM=bm, BN=bn, STRIDE=stride,
         INTO=into, BACK=back, **options)


round_trip("tmem_rows", 128, 64, np.float32)
round_trip("tmem_16x64", 128, 32, np.float32, "16x64b", "32x32b")
round_trip("tmem_16x128", 128, 32, np.float32, "32x32b", "16x128b")
round_trip("tmem_16x256", 128, 64, np.float32, "16x256b", "16x64b")
round_trip("tmem_64_rows", 64, 64, np.float32)
round_trip("tmem_f16_packed", 128, 64, np.float16, "32x32b", "16x256b")
round_trip("tmem_f16_unpacked", 128, 32, np.float16, "32x32b", "16x128b", stride=2)
round_trip("tmem_blocks", 256, 64, np.float32, block=(128, 32))
round_trip("tmem_eight_warps", 128, 64, np.float32, "32x32b", "16x64b", warps=8)
round_trip("tmem_i8", 128, 128, np.int8)


def subtiles(r):
    x = normal(r, 2, 128, 64)
    return Launch((1,), [x, Out(wide(x)[::-1], np.float32)])


case("tmem_subtiles", "blackwell.subtiles", subtiles, archs=ARCHS, M=128, N=64, PART=16)


def extremes(r):
    x = normal(r, 128, 64)
    return Launch((1,), [x, Out(wide(x) * 2, np.float32), Out(wide(x).min(1), np.float32),
                         Out(np.abs(wide(x)).max(1), np.float32)])


case("tmem_extremes", "blackwell.extremes", extremes, archs=(103,), M=128, N=64)


def mma(m, n, k, dtype, out, a_by_m, b_by_n):
    def build(r):
        a, b = operands(r, m, n, k, dtype)
        if dtype == np.float32:
            # Of ten bits of mantissa: nothing is left to round.
            a, b = tf32(a), tf32(b)
        expected = product(a, b, out, ACCUMULATED if out != np.float16 else k * 2.0**-11)
        if expected.is_exact():
            expected = Out(expected.expected.astype(out))
        return Launch((1,), [np.ascontiguousarray(a.T) if a_by_m else a, b if b_by_n else np.ascontiguousarray(b.T),
                             expected])
    return build


def add(name, m, n, k, dtype, out=np.float32, acc="fp32", a_by_m=False, b_by_n=False, tmem=False, **options):
    case(name, "blackwell.mma", mma(m, n, k, dtype, out, a_by_m, b_by_n), archs=ARCHS, M=m, N=n, K=k, BM=min(m, 128),
         ACC=acc, A_BY_M=a_by_m, B_BY_N=b_by_n, IN_TMEM=tmem, **options)


add("mma5_f16", 128, 64, 64, np.float16)
add("mma5_f16_by_m", 128, 64, 64, np.float16, a_by_m=True, b_by_n=True)
add("mma5_f16_acc_f16", 128, 32, 32, np.float16, np.float16, "fp16", b_by_n=True)
add("mma5_bf16_64_rows", 64, 32, 64, BF16, b_by_n=True)
add("mma5_bf16_by_m_64_rows", 64, 128, 32, BF16, a_by_m=True)
add("mma5_bf16_two_tiles", 256, 32, 32, BF16, b_by_n=True)
add("mma5_tf32", 128, 32, 32, np.float32)
add("mma5_e4m3", 128, 64, 64, E4M3)
add("mma5_e5m2_by_n", 128, 32, 64, E5M2, a_by_m=True, b_by_n=True)
add("mma5_i8", 128, 32, 64, np.int8, np.int32, "int32")
add("mma5_f16_in_tmem", 128, 64, 64, np.float16, b_by_n=True, tmem=True)
add("mma5_tf32_in_tmem", 128, 32, 32, np.float32, tmem=True)
add("mma5_e4m3_in_tmem", 128, 32, 128, E4M3, tmem=True)
add("mma5_bf16_in_tmem_64_rows", 64, 32, 64, BF16, tmem=True)
add("mma5_f16_eight_warps", 128, 64, 64, np.float16, warps=8)


def accumulate(r):
    m, n, k = 128, 32, 64
    a, b = operands(r, m, n, k, np.float16)
    x = normal(r, m, n)
    return Launch((1,), [a, b, x, Out(wide(a) @ wide(b) + wide(x), np.float32, abs=ACCUMULATED)])


case("mma5_accumulate", "blackwell.mma_accumulate", accumulate, archs=ARCHS, M=128, N=32, K=64)


def grid(m, n, k, bm, bn, dtype, out):
    def build(r):
        a, b = operands(r, m, n, k, dtype)
        return Launch((blocks(m, bm), blocks(n, bn)), [a, b, product(a, b, out), m, n, k])
    return build


case("mma5_pipeline", "blackwell.mma_pipeline", grid(128, 128, 320, 128, 64, np.float16, np.float32), archs=ARCHS,
     BM=128, BN=64, BK=64, STAGES=3)
case("mma5_pipeline_e4m3", "blackwell.mma_pipeline", grid(64, 64, 256, 64, 64, E4M3, np.float32), archs=ARCHS,
     BM=64, BN=64, BK=64, STAGES=2)
case("mma5_specialized", "blackwell.mma_specialized", grid(256, 64, 192, 128, 64, BF16, BF16), archs=ARCHS, BM=128,
     BN=64, BK=32, STAGES=3)


def e2m1(r, rows, k):
    """Packed by twos along K, and what they are."""
    bits = integers(r, 0, 15, rows, k, dtype=np.uint8)
    return bits[:, 0::2] | (bits[:, 1::2] << 4), E2M1[bits]


def scales(r, rows, parts, vec):
    """Powers of two for 32 numbers, `e4m3` for 16; what they are."""
    if vec == 32:
        bits = integers(r, 124, 130, rows, parts, dtype=np.uint8)
        return bits, np.exp2(bits.astype(float) - 127)
    x = (0.25 + r.random((rows, parts))).astype(E4M3)
    return x, wide(x)


def numbers(r, rows, k, kind):
    if kind == "e2m1":
        return e2m1(r, rows, k)
    x = normal(r, rows, k).astype(E5M2 if kind == "e5m2" else E4M3)
    return x, wide(x)


def in_blocks(scale):
    """128 rows by 4 at a time, row r of them at 16 * (r % 32) + 4 * (r // 32)."""
    rows, parts = scale.shape
    x = scale.reshape(rows // 128, 4, 32, parts // 4, 4)
    return np.ascontiguousarray(x.transpose(0, 3, 2, 1, 4))


def scaled(m, n, k, vec, a_kind, b_kind, copied=False):
    def build(r):
        (a, va), (b, vb) = numbers(r, m, k, a_kind), numbers(r, n, k, b_kind)
        (sa, fa), (sb, fb) = scales(r, m, k // vec, vec), scales(r, n, k // vec, vec)
        expected = (va * fa.repeat(vec, 1)) @ (vb * fb.repeat(vec, 1)).T
        if copied:
            sa, sb = in_blocks(sa), in_blocks(sb)
        # Sums of up to some hundreds.
        return Launch((1,), [a, b, sa, sb, Out(expected, np.float32, abs=1e-3)])
    return build


def add_scaled(name, n, k, vec, a, b):
    case(name, "blackwell.mma_scaled", scaled(128, n, k, vec, a, b), archs=ARCHS, M=128, N=n, K=k, VEC=vec, A=a, B=b)


add_scaled("mma5_mxfp8", 64, 128, 32, "e4m3", "e4m3")
add_scaled("mma5_mxfp8_mixed", 32, 64, 32, "e5m2", "e4m3")
add_scaled("mma5_mxfp4", 64, 128, 32, "e2m1", "e2m1")
add_scaled("mma5_mxfp8_mxfp4", 64, 128, 32, "e4m3", "e2m1")
add_scaled("mma5_mxfp4_mxfp8", 32, 128, 32, "e2m1", "e5m2")
add_scaled("mma5_nvfp4", 64, 128, 16, "e2m1", "e2m1")
case("mma5_mxfp4_copied_scales", "blackwell.mma_scaled_copied", scaled(128, 128, 256, 32, "e2m1", "e2m1", True),
     archs=ARCHS, M=128, N=128, K=256, VEC=32)
case("mma5_nvfp4_copied_scales", "blackwell.mma_scaled_copied", scaled(128, 128, 128, 16, "e2m1", "e2m1", True),
     archs=ARCHS, M=128, N=128, K=128, VEC=16)


def tile(m, n, k):
    def build(r):
        a, b = operands(r, m, n, k, np.float16)
        return Launch((1,), [a, b, product(a, b, np.float32)])
    return build


case("mma5_pair", "blackwell.pair", tile(256, 64, 64), archs=ARCHS, ctas=2, M=256, N=64, K=64)
case("mma5_pairs_multicast", "blackwell.pairs_multicast", tile(512, 32, 64), archs=ARCHS, ctas=4, M=512, N=32, K=64,
     BK=32, MEETS=True)
# Triton's own barrier there is `.relaxed`.
case("mma5_pairs_relaxed", "blackwell.pairs_multicast", tile(512, 32, 64), archs=ARCHS, ctas=4, M=512, N=32, K=64,
     BK=32, MEETS=False)


def gather(m, n, at, rows, columns, dtype):
    def build(r):
        x = normal(r, m, n, dtype=dtype)
        index = integers(r, -2, m + 1, rows)
        padded = np.zeros((m + 4, n + columns), dtype)
        padded[2 : 2 + m, :n] = x
        return Launch((1,), [x, index, Out(wide(padded[index + 2, at : at + columns]), dtype), m, n, at])
    return build


case("gather_bf16", "blackwell.gather", gather(40, 72, 16, 16, 32, BF16), archs=ARCHS, ROWS=16, COLUMNS=32)
case("gather_f32", "blackwell.gather", gather(30, 24, 4, 32, 32, np.float32), archs=ARCHS, ROWS=32, COLUMNS=32)


def scatter(m, n, at, rows, columns, dtype):
    def build(r):
        x = normal(r, rows, columns, dtype=dtype)
        index = r.permutation(m + rows // 2)[:rows].astype(np.int32)
        start = normal(r, m, n, dtype=dtype)
        expected = np.zeros((m + rows, n + columns), dtype)
        expected[:m, :n] = start
        expected[index, at : at + columns] = x
        return Launch((1,), [x, index, Out(wide(expected[:m, :n]), dtype, start=start.reshape(-1)), m, n, at])
    return build


case("scatter_f16", "blackwell.scatter", scatter(40, 72, 16, 16, 64, np.float16), archs=ARCHS, ROWS=16, COLUMNS=64)


def packed(dtype, out):
    def build(r):
        x, y, z = (normal(r, 512, dtype=dtype) for _ in range(3))
        expected = np.stack([wide(x) + wide(y), wide(x) - wide(y), wide(x) * wide(y), wide(x) * wide(y) + wide(z)])
        return Launch((1,), [x, y, z, Out(expected, out)])
    return build


case("packed_f32", "blackwell.packed", packed(np.float32, np.float32), archs=ARCHS, N=512)
case("packed_bf16", "blackwell.packed", packed(BF16, BF16), archs=ARCHS, N=512)


def packed_extremes(r):
    x, y = normal(r, 512, dtype=np.float16), normal(r, 512, dtype=np.float16)
    return Launch((1,), [x, y, Out(np.stack([wide(np.minimum(x, y)), wide(np.maximum(x, y))]), np.float16)])


case("packed_extremes", "blackwell.packed_extremes", packed_extremes, archs=ARCHS, N=512)


def attention(r):
    q, k, v = normal(r, 128, 64, dtype=np.float16), *(normal(r, 128, 64, dtype=np.float16) for _ in range(2))
    p, _ = exact(q, k, v, 0.125, False)
    # In base 2.
    scale = float(np.float32(0.125 / np.log(2)))
    return Launch((1,), [q, k, v, Out(p @ wide(v), np.float16, abs=error(np.float16)), scale, 128])


case("attention_in_tmem", "blackwell.attention", attention, archs=ARCHS, M=128, N=64, D=64)


def scaled_rows(m, n, k, vec, a_kind, b_kind):
    def build(r):
        a, b, sa, sb, out = scaled(m, n, k, vec, a_kind, b_kind)(r).args
        return Launch((1,), [a, sa, b, sb, out])
    return build


def add_rows(name, n, k, step, vec, a, b, m=128, archs=(100, 120), **options):
    pack = {"e2m1": 2}
    case(name, "matmul.scaled_rows", scaled_rows(m, n, k, vec, a, b), archs=archs, M=m, N=n, K=k, STEP=step, VEC=vec,
         A=a, B=b, PACK_A=pack.get(a, 1), PACK_B=pack.get(b, 1), **options)


add_rows("scaled_rows_e4m3", 32, 128, 64, 32, "e4m3", "e4m3")
add_rows("scaled_rows_e2m1", 64, 256, 128, 32, "e2m1", "e2m1")
add_rows("scaled_rows_e5m2_e2m1", 32, 128, 128, 32, "e5m2", "e2m1", archs=ARCHS)
add_rows("scaled_rows_nvfp4", 32, 128, 128, 16, "e2m1", "e2m1")
add_rows("scaled_rows_small", 32, 64, 64, 32, "e4m3", "e5m2", m=32, archs=(120,), warps=2)


def gather_scatter(r):
    m, n, at, rows, columns = 40, 64, 8, 16, 32
    x, start = normal(r, m, n), normal(r, m, n)
    index = np.stack([integers(r, 0, m + 3, rows), r.permutation(m + 4)[:rows].astype(np.int32)])
    padded = np.zeros((m + 4, n), np.float32)
    padded[:m] = x
    expected = np.concatenate([start, np.zeros((4, n), np.float32)])
    expected[index[1], :columns] = padded[index[0], at : at + columns] + 1
    return Launch((1,), [x, index, Out(wide(expected[:m]), np.float32, start=start.reshape(-1)), m, n, at])


case("descriptor_gather_scatter", "tensor.gather", gather_scatter, archs=ARCHS, ROWS=16, COLUMNS=32)
