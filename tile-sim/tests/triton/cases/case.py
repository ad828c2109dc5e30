"""What a case is: a kernel, how it is compiled, its arguments and what they are afterwards."""

import zlib
from dataclasses import dataclass, field

import ml_dtypes
import numpy as np

BF16 = np.dtype(ml_dtypes.bfloat16)
E4M3 = np.dtype(ml_dtypes.float8_e4m3fn)
E5M2 = np.dtype(ml_dtypes.float8_e5m2)

TYPES = {
    np.dtype(np.float16): "fp16", BF16: "bf16", np.dtype(np.float32): "fp32", np.dtype(np.float64): "fp64",
    E4M3: "fp8e4nv", E5M2: "fp8e5", np.dtype(np.int8): "i8", np.dtype(np.uint8): "u8", np.dtype(np.int16): "i16",
    np.dtype(np.int32): "i32", np.dtype(np.uint32): "u32", np.dtype(np.int64): "i64", np.dtype(np.uint64): "u64",
    np.dtype(np.bool_): "i1",
}


@dataclass
class Out:
    """A buffer that the kernel writes.

    `expected` is exact, or as exact as f64 is; a result may differ by half a unit in the last place
    of `dtype`, by `rel` of the expected value, and by `abs`. Integers are equal. `start` is what is
    there before, by default a pattern that is no result.
    """

    expected: np.ndarray
    dtype: np.dtype = None
    rel: float = 0.0
    abs: float = 0.0
    start: np.ndarray = None

    def __post_init__(self):
        self.expected = np.asarray(self.expected)
        self.dtype = np.dtype(self.dtype or self.expected.dtype)
        if self.start is None:
            bytes_ = self.expected.size * self.dtype.itemsize
            self.start = np.full(bytes_, 0xA5, np.uint8).view(self.dtype)
        assert self.start.dtype == self.dtype and self.start.size == self.expected.size

    def is_exact(self):
        return self.dtype.kind in "iub"

    def allowed(self):
        eps = float(ml_dtypes.finfo(self.dtype).eps)
        tiny = float(ml_dtypes.finfo(self.dtype).smallest_subnormal)
        size = np.abs(self.expected.astype(np.float64))
        with np.errstate(invalid="ignore", over="ignore"):
            return np.where(np.isfinite(size), size * (eps / 2 + self.rel) + self.abs + tiny / 2, 0.0)


@dataclass
class Scratch:
    """A buffer whose contents afterwards say nothing."""

    start: np.ndarray


@dataclass
class Descriptor:
    """A tensor descriptor made by the host, for tiles of `block` of a buffer."""

    of: object
    block: tuple


@dataclass
class Launch:
    grid: tuple
    args: list


@dataclass
class Case:
    name: str
    kernel: str
    build: object
    consts: dict = field(default_factory=dict)
    archs: tuple = (80, 90)
    warps: int = 4
    stages: int = 3
    ctas: int = 1
    options: dict = field(default_factory=dict)
    # Whether the text says which line of the source an instruction is from.
    lines: bool = False

    def launch(self):
        return self.build(np.random.default_rng(zlib.crc32(self.name.encode())))


CASES = {}


def case(name, kernel, build, *, archs=(80, 90), warps=4, stages=3, ctas=1, options=None, lines=False, **consts):
    """Adds a case; `consts` are the kernel's compile-time arguments."""
    assert name not in CASES, name
    CASES[name] = Case(name, kernel, build, consts, archs, warps, stages, ctas, options or {}, lines)


def blocks(n, block):
    return -(-n // block)


def wide(x):
    return np.asarray(x).astype(np.float64)


def normal(r, *shape, dtype=np.float32, scale=1.0):
    return (r.standard_normal(shape) * scale).astype(dtype)


def uniform(r, *shape, low=-1.0, high=1.0, dtype=np.float32):
    return r.uniform(low, high, shape).astype(dtype)


def integers(r, low, high, *shape, dtype=np.int32):
    """From `low` to `high`, both included."""
    return r.integers(low, high, shape, dtype=np.int64, endpoint=True).astype(dtype)
