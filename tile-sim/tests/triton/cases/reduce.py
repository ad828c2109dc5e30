"""Cases of `kernels/reduce.py`."""

import numpy as np

from .case import BF16, Launch, Out, case, integers, normal, wide

ROWS, COLUMNS = 7, 300


def row_sum(dtype):
    def build(r):
        if np.dtype(dtype).kind in "iu":
            x = integers(r, -1000, 1000, ROWS, COLUMNS, dtype=dtype)
            return Launch((ROWS,), [x, Out(x.sum(1, dtype=np.int64).astype(dtype)), COLUMNS])
        x = normal(r, ROWS, COLUMNS, dtype=dtype)
        rough = COLUMNS * float(np.finfo(np.float16).eps) if dtype == np.float16 else 1e-4
        return Launch((ROWS,), [x, Out(wide(x).sum(1), dtype, abs=rough if dtype != np.float64 else 1e-12), COLUMNS])
    return build


for dtype in [np.float16, np.float32, np.float64, np.int32, np.int64]:
    case(f"row_sum_{np.dtype(dtype)}", "reduce.row_sum", row_sum(dtype), BLOCK=512)
case("row_sum_cluster", "reduce.row_sum", row_sum(np.float32), archs=(90,), ctas=4, BLOCK=512)
case("row_sum_one_warp", "reduce.row_sum", row_sum(np.float32), warps=1, BLOCK=512)
case("row_sum_eight_warps", "reduce.row_sum", row_sum(np.float32), warps=8, BLOCK=512)


def column_sum(r):
    x = normal(r, 70, 100, dtype=BF16)
    return Launch((4,), [x, Out(wide(x).sum(0), np.float32, abs=2e-5), 70, 100])


case("column_sum_bf16", "reduce.column_sum", column_sum, R=16, C=32)


def extremes(dtype):
    def build(r):
        x = integers(r, -100, 100, 8, 100).astype(dtype)
        outs = [Out(x.min(1)), Out(x.max(1)), Out(x.argmin(1).astype(np.int32)), Out(x.argmax(1).astype(np.int32))]
        return Launch((2,), [x, *outs, 100])
    return build


for dtype in [np.float32, np.int32, np.int8, np.float16]:
    case(f"extremes_{np.dtype(dtype)}_rows", "reduce.extremes", extremes(dtype),
         archs=(80, 90, 100) if dtype == np.float32 else (80, 90), R=4, C=128)


def three_axes(r):
    x = normal(r, 4, 16, 32)
    return Launch((1,), [x, Out(wide(x).sum(1), np.float32, abs=1e-5)])


case("sum_of_three_axes", "reduce.three_axes", three_axes, A=4, B=16, C=32)


def bitwise(r):
    x = r.integers(0, 1 << 30, (5, 200), dtype=np.int32) & 0x2F0F5500
    return Launch((5,), [x, Out(np.bitwise_xor.reduce(x, 1)), Out(np.bitwise_or.reduce(x, 1)), 200])


case("xor_or_rows", "reduce.bitwise", bitwise, BLOCK=256)


def welford(r):
    x = normal(r, ROWS, COLUMNS) + 3
    v = wide(x)
    return Launch((ROWS,), [x, Out(v.mean(1), np.float32, rel=2e-6), Out(v.var(1), np.float32, rel=2e-6), COLUMNS])


case("welford", "reduce.welford", welford, BLOCK=512)


def softmax_of(x):
    e = np.exp(wide(x) - wide(x).max(1, keepdims=True))
    return e / e.sum(1, keepdims=True)


def softmax(dtype):
    def build(r):
        x = normal(r, ROWS, COLUMNS, dtype=dtype, scale=3)
        return Launch((ROWS,), [x, Out(softmax_of(x), dtype, rel=4e-6), COLUMNS])
    return build


case("softmax_f32", "reduce.softmax", softmax(np.float32), BLOCK=512)
case("softmax_lines", "reduce.softmax", softmax(np.float32), lines=True, BLOCK=512)
case("softmax_bf16", "reduce.softmax", softmax(BF16), archs=(80, 90, 100), warps=8, BLOCK=512)
case("online_softmax", "reduce.online_softmax", softmax(np.float32), BLOCK=128)


def softmax_rows(r):
    x = normal(r, ROWS, COLUMNS, scale=3)
    return Launch((2,), [x, Out(softmax_of(x), np.float32, rel=4e-6), ROWS, COLUMNS])


for stages in [1, 2, 4]:
    case(f"softmax_rows_stages_{stages}", "reduce.softmax_rows", softmax_rows, STAGES=stages, BLOCK=512)


def cross_entropy(r):
    x = normal(r, ROWS, COLUMNS, scale=3)
    labels = integers(r, 0, COLUMNS - 1, ROWS)
    p = softmax_of(x)
    loss = -np.log(p[np.arange(ROWS), labels])
    gradient = p.copy()
    gradient[np.arange(ROWS), labels] -= 1
    outs = [Out(loss, np.float32, rel=1e-6, abs=2e-6), Out(gradient, np.float32, rel=4e-6, abs=1e-6)]
    return Launch((ROWS,), [x, labels, *outs, COLUMNS])


case("cross_entropy", "reduce.cross_entropy", cross_entropy, BLOCK=512)
