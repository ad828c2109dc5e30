"""Inputs for the kernels of the corpus, and what NumPy makes of them.

    model.py OUT

For each kernel a folder OUT/<kernel> with `grid`, `args` (an argument of `tilec run` per line;
`{out}` stands for the output), the files of the arguments, and for each output
`<output>.expected` and `<output>.allowed`: float64, the exact value of each element and how
far the kernel may be from it. All sums are float64. With `u` half the distance of 1 to the next
number of a type:

| kernel | may differ by | because |
|---|---|---|
| vector_add | u(f32) |exact| | one sum, rounded once |
| matmul | K 2u(f32) sum |a b| + u(bf16) |exact| | exact products, summed in f32 in any order; the result in bf16 |
| matmul_f8, cross_entropy | as matmul; 2^-17 | `exp`s, `log` and sums in f32 of numbers below 2^4 |
| rms_norm | (2^-18 + u(bf16)) exact | a sum, a root and two products in f32; the result in bf16 |
| softmax | (2^-19 + u(bf16)) exact | `exp`, a sum and a division in f32; the result in bf16 |
| attention | u(bf16) (sum |p v| + |exact|) + 2^-16 sum |p v| | the weights p are rounded to bf16, and the result; sums in f32 |
| histogram, collatz | nothing | integers |

The sizes leave ragged tiles wherever a kernel pads or clips.
"""
import os
import sys

import ml_dtypes
import numpy as np

BF16 = ml_dtypes.bfloat16
U32 = 2.0**-24
U16 = 2.0**-8
RNG = np.random.default_rng(20)


def array(name, value):
    """The arguments of an array: pointer, extents, strides in elements."""
    extents = [f"i32:{extent}" for extent in value.shape]
    strides = [f"i32:{stride // value.itemsize}" for stride in value.strides]
    return [f"buffer:{name}"] + extents + strides


def numbers(shape, dtype):
    return RNG.uniform(-2, 2, shape).astype(dtype)


def vector_add():
    x, y = numbers(3056, np.float32), numbers(3056, np.float32)
    exact = x.astype(np.float64) + y
    return (3,), [x, y, np.zeros_like(x)], exact, U32 * np.abs(exact)


def matmul(tile):
    m, n, k = 208, 336, 176
    a, b = numbers((m, k), BF16), numbers((k, n), BF16)
    wide_a, wide_b = a.astype(np.float64), b.astype(np.float64)
    exact = wide_a @ wide_b
    allowed = k * 2 * U32 * (np.abs(wide_a) @ np.abs(wide_b)) + U16 * np.abs(exact)
    return (-(-m // tile[0]), -(-n // tile[1])), [a, b, np.zeros((m, n), BF16)], exact, allowed


def softmax():
    x = numbers((16, 4096), BF16) * BF16(4)
    wide = x.astype(np.float64)
    weights = np.exp(wide - wide.max(1, keepdims=True))
    exact = weights / weights.sum(1, keepdims=True)
    return (16,), [x, np.zeros_like(x)], exact, (2.0**-19 + U16) * exact


def attention():
    rows, keys, depth = 192, 320, 128
    q, k, v = (numbers((count, depth), BF16) for count in (rows, keys, keys))
    q = q * BF16(0.125)
    wide_q, wide_k, wide_v = (x.astype(np.float64) for x in (q, k, v))
    scores = wide_q @ wide_k.T
    weights = np.exp2(scores - scores.max(1, keepdims=True))
    weights /= weights.sum(1, keepdims=True)
    exact, size = weights @ wide_v, weights @ np.abs(wide_v)
    allowed = U16 * (size + np.abs(exact)) + 2.0**-16 * size
    return (2,), [q, k, v, np.zeros((rows, depth), BF16)], exact, allowed


def histogram():
    keys = RNG.integers(-16, 80, 512, dtype=np.int32)
    bins = RNG.integers(0, 9, 64, dtype=np.int32)
    inside = keys[(keys >= 0) & (keys < 64)]
    exact = bins + np.bincount(inside, minlength=64)
    return (2,), [keys, bins], exact, np.zeros(64)


def collatz():
    x = RNG.integers(1, 100_000, 48, dtype=np.int32)
    x[0], x[1] = 1, -17

    def steps(n):
        n, count = int(n), 0
        while n != 1 and count <= 1000:
            n, count = n // 2 if n % 2 == 0 else 3 * n + 1, count + 1
        return count

    exact = np.array([steps(n) for n in x])
    return (48,), [x, np.zeros_like(x)], exact, np.zeros(48)


def copy():
    x = numbers(8192 + 4096, BF16)
    return (2,), [x, np.zeros_like(x)], x.astype(np.float64), np.zeros(x.shape)


def matmul_f8(tile):
    m, n, k = 144, 272, 208
    a, b = numbers((m, k), ml_dtypes.float8_e4m3fn), numbers((n, k), ml_dtypes.float8_e4m3fn)
    wide_a, wide_b = a.astype(np.float64), b.astype(np.float64).T
    exact = wide_a @ wide_b
    allowed = k * 2 * U32 * (np.abs(wide_a) @ np.abs(wide_b)) + U16 * np.abs(exact)
    return (-(-m // tile[0]), -(-n // tile[1])), [a, b, np.zeros((m, n), BF16)], exact, allowed


def rms_norm():
    x, w = numbers((16, 4096), BF16), numbers((1, 4096), BF16)
    wide = x.astype(np.float64)
    exact = wide / np.sqrt((wide**2).mean(1, keepdims=True) + 1e-6) * w.astype(np.float64)
    return (16,), [x, w, np.zeros_like(x)], exact, (2.0**-18 + U16) * np.abs(exact)


def cross_entropy():
    rows, classes = 16, 8192
    x = numbers((rows, classes), BF16)
    labels = RNG.integers(0, classes, rows, dtype=np.int32)
    wide = x.astype(np.float64)
    exact = np.log(np.exp(wide).sum(1)) - wide[np.arange(rows), labels]
    return (rows,), [x, labels, np.zeros(rows, np.float32)], exact, np.full(rows, 2.0**-17)


def heads(depth, causal):
    count, rows = 2, 256
    q, k, v = (numbers((count, rows, depth), BF16) for _ in range(3))
    wide_q, wide_k, wide_v = (x.astype(np.float64) for x in (q, k, v))
    scores = wide_q @ wide_k.transpose(0, 2, 1) * depth**-0.5
    if causal:
        scores = np.where(np.tri(rows, dtype=bool), scores, -np.inf)
    weights = np.exp(scores - scores.max(2, keepdims=True))
    weights /= weights.sum(2, keepdims=True)
    exact, size = weights @ wide_v, weights @ np.abs(wide_v)
    allowed = U16 * (size + np.abs(exact)) + 2.0**-15 * size
    return (rows // 128, count), [q, k, v, np.zeros_like(q)], exact, allowed


KERNELS = {
    "vector_add": vector_add,
    "matmul_128x128x64": lambda: matmul((128, 128)),
    "matmul_128x256x64": lambda: matmul((128, 256)),
    "matmul_256x128x64": lambda: matmul((256, 128)),
    "softmax_4096": softmax,
    "attention_128x64x128": attention,
    "copy_8192": copy,
    "product_f8_128x128x128": lambda: matmul_f8((128, 128)),
    "product_f8_128x256x128": lambda: matmul_f8((128, 256)),
    "rms_norm_4096": rms_norm,
    "cross_entropy_4096": cross_entropy,
    "attention_128x64x64": lambda: heads(64, False),
    "attention_128x128x128": lambda: heads(128, False),
    "attention_causal_128x128x64": lambda: heads(64, True),
    "attention_causal_128x64x128": lambda: heads(128, True),
    "histogram": histogram,
    "collatz": collatz,
}


def main():
    for kernel, model in KERNELS.items():
        folder = os.path.join(sys.argv[1], kernel)
        os.makedirs(folder)

        def write(name, text):
            with open(os.path.join(folder, name), "w", encoding="utf-8") as file:
                file.write(text)

        grid, arrays, exact, allowed = model()
        args = []
        for index, value in enumerate(arrays):
            name = "out" if index + 1 == len(arrays) else f"in{index}"
            value.tofile(os.path.join(folder, name))
            args += array(name, value)
        write("args", "\n".join(args))
        write("grid", ",".join(map(str, grid)))
        write("type", str(arrays[-1].dtype))
        exact.astype(np.float64).tofile(os.path.join(folder, "expected"))
        allowed.astype(np.float64).tofile(os.path.join(folder, "allowed"))


if __name__ == "__main__":
    main()
