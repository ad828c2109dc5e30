"""The four kernels of `benches/cpu.rs` as one writes them with NumPy; see there for the
lines that are read and answered. Nothing is allocated that could be allocated before."""

import ctypes
import glob
import os
import platform
import sys
import time

import numpy as np


def elements(seed, shape):
    """The same numbers as `element` in `benches/cpu.rs`."""
    count = int(np.prod(shape))
    bits = np.arange(count, dtype=np.uint32)
    bits += np.uint32(seed * 0x01000193 & 0xFFFFFFFF)
    bits *= np.uint32(0x9E3779B1)
    bits = (bits ^ (bits >> np.uint32(15))) * np.uint32(0x85EBCA6B)
    bits ^= bits >> np.uint32(13)
    numbers = (bits >> np.uint32(8)).astype(np.float32)
    return (numbers / np.float32(1 << 24) - np.float32(0.5)).reshape(shape)


def vector_add():
    a, b = elements(1, [1 << 24]), elements(2, [1 << 24])
    out = np.zeros_like(a)
    return lambda: np.add(a, b, out=out), out


def matmul():
    a, b = elements(1, [1024, 1024]), elements(2, [1024, 1024])
    out = np.zeros_like(a)
    return lambda: np.matmul(a, b, out=out), out


def softmax_rows(x, out, edge):
    """The softmax of `x` along its last axis; `edge` holds a number for each row."""
    np.max(x, axis=-1, keepdims=True, out=edge)
    np.subtract(x, edge, out=out)
    np.exp(out, out=out)
    np.sum(out, axis=-1, keepdims=True, out=edge)
    np.divide(out, edge, out=out)


def softmax():
    x = elements(1, [4096, 4096])
    out, edge = np.zeros_like(x), np.zeros([4096, 1], np.float32)
    return lambda: softmax_rows(x, out, edge), out


def attention():
    shape = [16, 1024, 64]
    q, k, v = (elements(seed, shape) for seed in (1, 2, 3))
    scores = np.zeros([16, 1024, 1024], np.float32)
    edge = np.zeros([16, 1024, 1], np.float32)
    scaled, out = np.zeros_like(q), np.zeros_like(q)

    def run():
        np.multiply(q, np.float32(0.125), out=scaled)
        np.matmul(scaled, k.transpose(0, 2, 1), out=scores)
        softmax_rows(scores, scores, edge)
        np.matmul(scores, v, out=out)

    return run, out


MAKERS = {maker.__name__: maker for maker in (vector_add, matmul, softmax, attention)}
CASES = {}


def case(name):
    if name not in CASES:
        CASES[name] = MAKERS[name]()
    return CASES[name]


def core():
    """The processor that OpenBLAS takes this one for."""
    folder = os.path.join(os.path.dirname(np.__file__), os.pardir, "numpy.libs")
    for path in glob.glob(os.path.join(folder, "*openblas*")):
        name = getattr(ctypes.CDLL(path), "scipy_openblas_get_corename64_", None)
        if name is not None:
            name.restype = ctypes.c_char_p
            return " with OpenBLAS for " + name().decode()
    return ""


def answer(words):
    if words == ["version"]:
        return f"NumPy {np.__version__}{core()}, Python {platform.python_version()}"
    if words[0] == "time":
        run, _ = case(words[1])
        start, runs = time.perf_counter(), []
        while len(runs) < 3 or time.perf_counter() - start < float(words[2]):
            begin = time.perf_counter()
            run()
            runs.append(time.perf_counter() - begin)
        return " ".join(f"{seconds:.9f}" for seconds in runs)
    if words[0] == "result":
        run, out = case(words[1])
        run()
        out.astype("<f4").tofile(words[2])
        return "ok"
    raise ValueError(f"{words} is no command")


for line in sys.stdin:
    print(answer(line.split()), flush=True)
