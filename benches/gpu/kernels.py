"""Writes the kernels that are timed on a GPU as bytecode, with NVIDIA's cuTile Python.

    kernels.py OUT

As a user writes them: no hint, no order of tiles. Both compilers get the same files; those of
products and of softmax are in tile-core/tests/corpus.
"""
import os
import sys

import cuda.tile as ct
from cuda.tile import compilation as C

Int = ct.Constant[int]
LOG2E = 1.4426950408889634


@ct.kernel
def copy(x, y, n: Int):
    i = ct.bid(0)
    ct.store(y, index=(i,), tile=ct.load(x, index=(i,), shape=(n,)))


@ct.kernel
def product(a, b, c, tm: Int, tn: Int, tk: Int):
    """`c = a b`, where `b` lies column after column."""
    i, j = ct.bid(0), ct.bid(1)
    acc = ct.full((tm, tn), 0, dtype=ct.float32)
    for k in range(ct.num_tiles(a, axis=1, shape=(tm, tk))):
        x = ct.load(a, index=(i, k), shape=(tm, tk), padding_mode=ct.PaddingMode.ZERO)
        y = ct.load(b, index=(k, j), shape=(tk, tn), order=(1, 0), padding_mode=ct.PaddingMode.ZERO)
        acc = ct.mma(x, y, acc)
    ct.store(c, index=(i, j), tile=ct.astype(acc, c.dtype))


@ct.kernel
def rms_norm(x, w, y, n: Int):
    r = ct.bid(0)
    t = ct.astype(ct.load(x, index=(r, 0), shape=(1, n)), ct.float32)
    g = ct.astype(ct.load(w, index=(0, 0), shape=(1, n)), ct.float32)
    mean = ct.sum(t * t, 1, keepdims=True) / n
    ct.store(y, index=(r, 0), tile=ct.astype(t * ct.rsqrt(mean + 1e-6) * g, y.dtype))


@ct.kernel
def cross_entropy(x, labels, loss, n: Int):
    """`log(sum(exp(x))) - x[label]` of each row, whose length is a multiple of `n`."""
    r = ct.bid(0)
    label = ct.load(labels, index=(r,), shape=(1,))
    label = ct.reshape(label, (1, 1))
    top = ct.full((1, 1), -1e30, dtype=ct.float32)
    total = ct.full((1, 1), 0, dtype=ct.float32)
    found = ct.full((1, 1), 0, dtype=ct.float32)
    for j in range(ct.num_tiles(x, axis=1, shape=(1, n))):
        t = ct.astype(ct.load(x, index=(r, j), shape=(1, n)), ct.float32)
        new = ct.maximum(top, ct.max(t, 1, keepdims=True))
        total = total * ct.exp(top - new) + ct.sum(ct.exp(t - new), 1, keepdims=True)
        at = ct.reshape(ct.arange(n, dtype=ct.int32), (1, n)) + j * n
        found = found + ct.sum(ct.where(at == label, t, ct.full((1, n), 0, dtype=ct.float32)), 1, keepdims=True)
        top = new
    ct.store(loss, index=(r,), tile=ct.reshape(ct.log(total) + top - found, (1,)))


@ct.kernel
def attention(q, k, v, o, m: Int, n: Int, d: Int, scale: ct.Constant[float]):
    """Arrays of heads, rows and columns."""
    i, h = ct.bid(0), ct.bid(1)
    qt = ct.reshape(ct.load(q, index=(h, i, 0), shape=(1, m, d)), (m, d))
    acc = ct.full((m, d), 0, dtype=ct.float32)
    top = ct.full((m, 1), -1e30, dtype=ct.float32)
    den = ct.full((m, 1), 0, dtype=ct.float32)
    for j in range(ct.num_tiles(k, axis=1, shape=(1, n, d))):
        kt = ct.reshape(ct.load(k, index=(h, 0, j), shape=(1, d, n), order=(0, 2, 1)), (d, n))
        s = ct.mma(qt, kt, ct.full((m, n), 0, dtype=ct.float32)) * scale
        new = ct.maximum(top, ct.max(s, 1, keepdims=True))
        p = ct.exp2(s - new, flush_to_zero=True)
        fade = ct.exp2(top - new, flush_to_zero=True)
        den = den * fade + ct.sum(p, 1, keepdims=True)
        vt = ct.reshape(ct.load(v, index=(h, j, 0), shape=(1, n, d)), (n, d))
        acc = ct.mma(ct.astype(p, v.dtype), vt, acc * fade)
        top = new
    ct.store(o, index=(h, i, 0), tile=ct.astype(ct.reshape(acc / den, (1, m, d)), o.dtype))


@ct.kernel
def attention_causal(q, k, v, o, m: Int, n: Int, d: Int, scale: ct.Constant[float]):
    """The same; a row sees itself and those before it."""
    i, h = ct.bid(0), ct.bid(1)
    qt = ct.reshape(ct.load(q, index=(h, i, 0), shape=(1, m, d)), (m, d))
    acc = ct.full((m, d), 0, dtype=ct.float32)
    top = ct.full((m, 1), -1e30, dtype=ct.float32)
    den = ct.full((m, 1), 0, dtype=ct.float32)
    row = ct.reshape(ct.arange(m, dtype=ct.int32), (m, 1)) + i * m
    for j in range(ct.cdiv((i + 1) * m, n)):
        kt = ct.reshape(ct.load(k, index=(h, 0, j), shape=(1, d, n), order=(0, 2, 1)), (d, n))
        s = ct.mma(qt, kt, ct.full((m, n), 0, dtype=ct.float32)) * scale
        column = ct.reshape(ct.arange(n, dtype=ct.int32), (1, n)) + j * n
        s = ct.where(row >= column, s, ct.full((m, n), -1e30, dtype=ct.float32))
        new = ct.maximum(top, ct.max(s, 1, keepdims=True))
        p = ct.exp2(s - new, flush_to_zero=True)
        fade = ct.exp2(top - new, flush_to_zero=True)
        den = den * fade + ct.sum(p, 1, keepdims=True)
        vt = ct.reshape(ct.load(v, index=(h, j, 0), shape=(1, n, d)), (n, d))
        acc = ct.mma(ct.astype(p, v.dtype), vt, acc * fade)
        top = new
    ct.store(o, index=(h, i, 0), tile=ct.astype(ct.reshape(acc / den, (1, m, d)), o.dtype))


def array(dtype, rank):
    return C.ArrayConstraint(
        dtype, rank, index_dtype=ct.int32, stride_lower_bound_incl=0, alias_groups=(),
        may_alias_internally=False, stride_constant=[None] * (rank - 1) + [1],
        stride_divisible_by=[16] * (rank - 1) + [1], shape_divisible_by=16, base_addr_divisible_by=16)


F, B, I, E = ct.float32, ct.bfloat16, ct.int32, ct.float8_e4m3fn
KERNELS = {
    "copy_8192": (copy, [array(B, 1)] * 2 + [8192]),
    "rms_norm_4096": (rms_norm, [array(B, 2)] * 3 + [4096]),
    "cross_entropy_4096": (cross_entropy, [array(B, 2), array(I, 1), array(F, 1), 4096]),
}
for tile in ((128, 128, 128), (128, 256, 128)):
    KERNELS["product_f8_{}x{}x{}".format(*tile)] = (product, [array(E, 2)] * 2 + [array(B, 2)] + list(tile))
for name, kernel in (("attention", attention), ("attention_causal", attention_causal)):
    for depth in (64, 128):
        for n in (64, 128):
            KERNELS[f"{name}_128x{n}x{depth}"] = (
                kernel, [array(B, 3)] * 4 + [128, n, depth, depth ** -0.5 * LOG2E])


def main():
    out = sys.argv[1]
    convention = C.CallingConvention.cutile_python_v2()
    for name, (kernel, parameters) in KERNELS.items():
        signature = C.KernelSignature(parameters, convention, symbol=name)
        path = os.path.join(out, f"{name}.tilebc")
        C.export_kernel(kernel, [signature], path, gpu_code="sm_90",
                        output_format="tileir_bytecode", bytecode_version="13.3")
        print("wrote", path)


if __name__ == "__main__":
    main()
