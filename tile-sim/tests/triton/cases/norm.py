"""Cases of `kernels/norm.py`."""

import numpy as np

from .case import BF16, Launch, Out, Scratch, case, normal, wide

ROWS, COLUMNS, EPS = 6, 200, 1e-5


def statistics(x):
    v = wide(x)
    mean = v.mean(1)
    return v, mean, 1 / np.sqrt(v.var(1) + EPS)


def forward(dtype):
    def build(r):
        x = normal(r, ROWS, COLUMNS, dtype=dtype) + np.array(1, dtype)
        w, b = normal(r, COLUMNS), normal(r, COLUMNS)
        v, mean, rstd = statistics(x)
        y = (v - mean[:, None]) * rstd[:, None] * wide(w) + wide(b)
        outs = [Out(y, dtype, rel=1e-5, abs=1e-5), Out(mean, np.float32, rel=1e-5), Out(rstd, np.float32, rel=1e-5)]
        return Launch((ROWS,), [x, w, b, *outs, COLUMNS, EPS])
    return build


case("layer_norm_f32", "norm.layer_norm", forward(np.float32), BLOCK=128)
case("layer_norm_f16", "norm.layer_norm", forward(np.float16), archs=(80, 90, 100), BLOCK=256)


def saved(r, dtype):
    x, dy, w = normal(r, ROWS, COLUMNS, dtype=dtype), normal(r, ROWS, COLUMNS, dtype=dtype), normal(r, COLUMNS)
    v, mean, rstd = statistics(x)
    mean, rstd = mean.astype(np.float32), rstd.astype(np.float32)
    xhat = (v - wide(mean)[:, None]) * wide(rstd)[:, None]
    return x, dy, w, mean, rstd, xhat


def backward(r):
    groups = 2
    x, dy, w, mean, rstd, xhat = saved(r, np.float16)
    wg = wide(w) * wide(dy)
    dx = (wg - (xhat * (xhat * wg).mean(1, keepdims=True) + wg.mean(1, keepdims=True))) * wide(rstd)[:, None]
    dw = np.stack([(wide(dy) * xhat)[g::groups].sum(0) for g in range(groups)])
    db = np.stack([wide(dy)[g::groups].sum(0) for g in range(groups)])
    outs = [Out(dx, np.float16, abs=1e-5), Out(dw, np.float32, abs=1e-5), Out(db, np.float32, abs=1e-5)]
    return Launch((ROWS,), [dy, x, w, mean, rstd, *outs, Scratch(np.zeros(2 * groups, np.int32)), COLUMNS])


case("layer_norm_backward_locks", "norm.layer_norm_backward", backward, GROUPS=2, BLOCK=256)


def backward_atomic(r):
    x, dy, _, mean, rstd, xhat = saved(r, np.float32)
    zeros = np.zeros(COLUMNS, np.float32)
    outs = [Out((wide(dy) * xhat).sum(0), np.float32, abs=1e-5, start=zeros),
            Out(wide(dy).sum(0), np.float32, abs=1e-5, start=zeros.copy())]
    return Launch((ROWS,), [dy, x, mean, rstd, *outs, COLUMNS])


case("layer_norm_backward_atomic", "norm.layer_norm_backward_atomic", backward_atomic, BLOCK=256)


def rms(r):
    x, w = normal(r, ROWS, COLUMNS, dtype=BF16), normal(r, COLUMNS, dtype=BF16)
    v = wide(x)
    y = v / np.sqrt((v * v).mean(1, keepdims=True) + EPS) * wide(w)
    return Launch((ROWS,), [x, w, Out(y, BF16, rel=1e-5), COLUMNS, EPS])


case("rms_norm_bf16", "norm.rms_norm", rms, archs=(80, 90, 100), BLOCK=256)


def group(r):
    x = normal(r, 3, 8, 64)
    v = wide(x)
    mean = v.mean((1, 2), keepdims=True)
    y = (v - mean) / np.sqrt(v.var((1, 2), keepdims=True) + EPS)
    return Launch((3,), [x, Out(y, np.float32, rel=1e-5, abs=1e-6), EPS])


case("group_norm", "norm.group_norm", group, SPATIAL=64, CHANNELS=8)
