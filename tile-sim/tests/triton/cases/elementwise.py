"""Cases of `kernels/elementwise.py`."""

import math

import numpy as np

from .case import BF16, E4M3, E5M2, Launch, Out, blocks, case, integers, normal, uniform, wide

erf = np.vectorize(math.erf)
N = 1000


def add(dtype, block=256):
    def build(r):
        if np.dtype(dtype).kind == "i":
            top = np.iinfo(dtype).max
            x, y = integers(r, -top - 1, top, N, dtype=dtype), integers(r, -top - 1, top, N, dtype=dtype)
            with np.errstate(over="ignore"):
                return Launch((blocks(N, block),), [x, y, Out(x + y), N])
        x, y = normal(r, N, dtype=dtype), normal(r, N, dtype=dtype)
        return Launch((blocks(N, block),), [x, y, Out(wide(x) + wide(y), dtype), N])
    return build


for name, dtype in [("f32", np.float32), ("f16", np.float16), ("bf16", BF16), ("f64", np.float64), ("i8", np.int8),
                    ("i16", np.int16), ("i64", np.int64)]:
    case(f"add_{name}", "elementwise.add", add(dtype), BLOCK=256)
case("add_f32_wide", "elementwise.add", add(np.float32, 512), warps=1, BLOCK=512)
case("add_f16_narrow", "elementwise.add", add(np.float16, 128), warps=8, BLOCK=128)


def saturating(r):
    x, y = integers(r, -128, 127, N, dtype=np.int8), integers(r, -128, 127, N, dtype=np.int8)
    return Launch((blocks(N, 256),), [x, y, Out(np.clip(x.astype(int) + y, -128, 127).astype(np.int8)), N])


case("saturating_i8", "elementwise.saturating_i8", saturating, BLOCK=256)


def integer_mix(dtype):
    def build(r):
        top = np.iinfo(dtype).max
        low = -top if np.dtype(dtype).kind == "i" else 0
        x = integers(r, low, top // 2, N, dtype=dtype)
        y = integers(r, 1, 1 << 14, N, dtype=dtype)
        if low:
            y = np.where(integers(r, 0, 1, N) == 1, y, -y).astype(dtype)
        # Toward zero, as in C.
        wx, wy = x.astype(object), y.astype(object)
        quotient = np.array([abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1) for a, b in zip(wx, wy)], object)
        rest = wx - quotient * wy
        bits = np.dtype(dtype).itemsize * 8
        value = (quotient * 3 + rest - (wx >> 3) + (wy << 2)) ^ (wx & wy)
        value = value | (wx < wy).astype(object)
        value = np.array([int(v) & ((1 << bits) - 1) for v in value], np.uint64)
        return Launch((blocks(N, 256),), [x, y, Out(value.astype(dtype)), N])
    return build


for dtype in [np.int32, np.int64, np.uint32]:
    case(f"integer_mix_{np.dtype(dtype)}", "elementwise.integer_mix", integer_mix(dtype), BLOCK=256)


def high_product(dtype):
    def build(r):
        x = r.integers(0, np.iinfo(dtype).max, N, dtype=dtype, endpoint=True)
        y = r.integers(0, np.iinfo(dtype).max, N, dtype=dtype, endpoint=True)
        bits = np.dtype(dtype).itemsize * 8
        high = [(int(a) * int(b)) >> bits for a, b in zip(x, y)]
        return Launch((blocks(N, 256),), [x, y, Out(np.array(high, dtype)), N])
    return build


case("high_product_u32", "elementwise.high_product", high_product(np.uint32), BLOCK=256)
case("high_product_u64", "elementwise.high_product", high_product(np.uint64), BLOCK=256)


def conversions(r):
    x = uniform(r, N, low=-127, high=127)
    back = (np.trunc(wide(x)) / 3)
    outs = [Out(wide(x), np.float16), Out(wide(x), BF16), Out(np.trunc(x).astype(np.int8)),
            Out(np.trunc(x).astype(np.int64) * 1000003), Out(back, np.float32)]
    return Launch((blocks(N, 256),), [x, *outs, N])


case("conversions", "elementwise.conversions", conversions, BLOCK=256)


def round_trip(dtype, most):
    def build(r):
        x = np.concatenate([uniform(r, 500, low=-most, high=most), normal(r, 500, scale=0.01)])
        return Launch((blocks(N, 256),), [x, Out(x.astype(dtype).astype(np.float32)), N])
    return build


case("round_trip_e5m2", "elementwise.round_trip", round_trip(E5M2, 50000), TO="fp8e5", BLOCK=256)
# Four elements for each thread, as many as Triton's conversion takes at once; with fewer it hands
# undefined ones to the assembly text.
case("round_trip_e5m2_by_four", "elementwise.round_trip", round_trip(E5M2, 50000), TO="fp8e5", BLOCK=512)
case("round_trip_e4m3", "elementwise.round_trip", round_trip(E4M3, 440), archs=(90,), TO="fp8e4nv", BLOCK=256)


def toward_zero(r):
    x = uniform(r, N, low=-100, high=100)
    nearest = x.astype(np.float16)
    away = np.abs(wide(nearest)) > np.abs(wide(x))
    return Launch((blocks(N, 256),), [x, Out(np.where(away, np.nextafter(nearest, np.float16(0)), nearest)), N])


case("toward_zero_f16", "elementwise.toward_zero", toward_zero, BLOCK=256)

UNARY = {
    # name: function, range, relative and absolute tolerance beyond the rounding of the result
    "exp": (np.exp, -10, 10, 4e-6, 0),
    "exp2": (np.exp2, -10, 10, 1e-6, 0),
    "log": (np.log, 1e-3, 100, 1e-6, 1e-6),
    "log2": (np.log2, 1e-3, 100, 1e-6, 1e-6),
    "sin_cos": (lambda x: np.sin(x) + 2 * np.cos(x), -3, 3, 0, 4e-6),
    "rsqrt": (lambda x: 1 / np.sqrt(x), 1e-3, 100, 5e-7, 0),
    "sqrt": (np.sqrt, 0, 100, 5e-7, 0),
    "sqrt_rn": (np.sqrt, 0, 100, 0, 0),
    "erf": (erf, -4, 4, 1e-6, 0),
    "floor_ceil": (lambda x: np.floor(x) + 0.25 * np.ceil(x), -50, 50, 0, 0),
    "abs": (np.abs, -5, 5, 0, 0),
    "sigmoid": (lambda x: 1 / (1 + np.exp(-x)), -8, 8, 2e-6, 0),
}


def unary(op, dtype):
    def build(r):
        function, low, high, rel, absolute = UNARY[op]
        x = uniform(r, N, low=low, high=high, dtype=dtype)
        if dtype == np.float64:
            rel, absolute = 1e-14, 1e-14
        return Launch((blocks(N, 512),), [x, Out(function(wide(x)), dtype, rel=rel, abs=absolute), N])
    return build


for op in UNARY:
    case(f"{op}_f32", "elementwise.unary", unary(op, np.float32), OP=op, BLOCK=512)
for op in ["exp", "log", "sin_cos", "erf", "sqrt"]:
    case(f"{op}_f64", "elementwise.unary", unary(op, np.float64), archs=(80,), OP=op, BLOCK=512)

LIBRARY = {
    "pow": (np.power, 0.1, 5, 2e-6),
    "atan2": (np.arctan2, -5, 5, 2e-6),
    "tanh": (lambda a, b: np.tanh(a) + b, -3, 3, 4e-6),
    "log1p": (lambda a, b: np.log1p(a) + np.expm1(b), 0, 2, 2e-6),
    "tgamma": (lambda a, b: np.vectorize(math.lgamma)(a) + b, 0.5, 20, 4e-6),
    "round": (lambda a, b: np.rint(a) + 0.5 * np.trunc(b), -20, 20, 0),
    "fmod": (np.fmod, 1, 50, 0),
    "hypot": (np.hypot, -50, 50, 1e-6),
    "asin": (lambda a, b: np.arcsin(a) + np.sinh(b), -1, 1, 2e-6),
}


def library(op):
    def build(r):
        function, low, high, tolerance = LIBRARY[op]
        x, y = uniform(r, N, low=low, high=high), uniform(r, N, low=low, high=high)
        expected = function(wide(x), wide(y))
        return Launch((blocks(N, 256),), [x, y, Out(expected, np.float32, rel=tolerance, abs=tolerance), N])
    return build


for op in LIBRARY:
    case(f"libdevice_{op}", "elementwise.library", library(op), archs=(90,), OP=op, BLOCK=256)


def divisions(dtype):
    def build(r):
        x, y = uniform(r, N, low=0.5, high=4, dtype=dtype), uniform(r, N, low=0.5, high=4, dtype=dtype)
        a, b = wide(x), wide(y)
        return Launch((blocks(N, 256),), [x, y, Out(a / b + b / a + a / (b + 1) + (a * b + 1), dtype, rel=1e-6), N])
    return build


case("divisions_f32", "elementwise.divisions", divisions(np.float32), BLOCK=256)


def extremes(dtype):
    def build(r):
        x, y = normal(r, N, dtype=dtype), normal(r, N, dtype=dtype)
        x[::17], y[::13] = np.nan, np.nan
        a, b = wide(x), wide(y)
        clamped = np.clip(np.nan_to_num(a), -0.5, 0.5)
        expected = np.concatenate([np.maximum(a, b), np.fmin(a, b), clamped])
        return Launch((blocks(N, 256),), [x, y, Out(expected, dtype), N])
    return build


case("extremes_f32", "elementwise.extremes", extremes(np.float32), BLOCK=256)
case("extremes_f16", "elementwise.extremes", extremes(np.float16), BLOCK=256)


def gelu(dtype, tanh):
    def build(r):
        x = normal(r, N, dtype=dtype, scale=2)
        v = wide(x)
        if tanh:
            y = 0.5 * v * (1 + np.tanh(np.sqrt(2 / np.pi) * (v + 0.044715 * v**3)))
        else:
            y = 0.5 * v * (1 + erf(v / np.sqrt(2)))
        return Launch((blocks(N, 256),), [x, Out(y, dtype, rel=1e-5, abs=2e-6), N])
    return build


case("gelu_f32", "elementwise.gelu", gelu(np.float32, False), TANH=False, BLOCK=256)
case("gelu_tanh_bf16", "elementwise.gelu", gelu(BF16, True), TANH=True, BLOCK=256)


def silu(r):
    rows, columns = 5, 300
    x = normal(r, rows, 2 * columns, dtype=np.float16, scale=2)
    gate, value = wide(x[:, :columns]), wide(x[:, columns:])
    expected = gate / (1 + np.exp(-gate)) * value
    return Launch((rows, 2), [x, Out(expected, np.float16, rel=1e-5), columns])


case("silu_and_mul_f16", "elementwise.silu_and_mul", silu, BLOCK=256)


def rope(r):
    positions, heads, d = 6, 3, 64
    x = normal(r, positions, heads, d, dtype=np.float16)
    angle = np.outer(np.arange(positions), 10000.0 ** (-np.arange(d // 2) / (d // 2)))
    cos, sin = np.cos(angle).astype(np.float32), np.sin(angle).astype(np.float32)
    a, b = wide(x[..., : d // 2]), wide(x[..., d // 2 :])
    c, s = wide(cos)[:, None], wide(sin)[:, None]
    expected = np.concatenate([a * c - b * s, a * s + b * c], -1)
    return Launch((positions,), [x, cos, sin, Out(expected, np.float16, abs=1e-6), heads])


case("rope_f16", "elementwise.rope", rope, warps=1, D=64)


def philox(seed, offsets):
    """The four words of Philox4x32-10 for the counters (offset, 0, 0, 0)."""
    mask = np.uint64(0xFFFFFFFF)
    c = [np.asarray(offsets, np.uint64), *(np.zeros(len(offsets), np.uint64) for _ in range(3))]
    k0, k1 = np.uint64(seed & 0xFFFFFFFF), np.uint64(seed >> 32)
    for _ in range(10):
        a, b = np.uint64(0xD2511F53) * c[0], np.uint64(0xCD9E8D57) * c[2]
        c = [(b >> np.uint64(32)) ^ c[1] ^ k0, b & mask, (a >> np.uint64(32)) ^ c[3] ^ k1, a & mask]
        k0, k1 = (k0 + np.uint64(0x9E3779B9)) & mask, (k1 + np.uint64(0xBB67AE85)) & mask
    return [word.astype(np.uint32) for word in c]


def unit(bits):
    signed = bits.view(np.int32).astype(np.int64)
    return np.where(signed < 0, -signed - 1, signed) * 4.6566127342e-10


def dropout(r):
    x = normal(r, N)
    bits = philox(1234, np.arange(N))[0]
    # As f32 rounds it; no number lies so close to 0.4 that it matters.
    assert np.abs(unit(bits) - 0.4).min() > 1e-6
    expected = np.where(unit(bits) > 0.4, wide(x) / (1 - wide(np.float32(0.4))), 0)
    return Launch((blocks(N, 256),), [x, Out(expected, np.float32, rel=3e-7), Out(bits.view(np.int32)), N, 0.4, 1234])


case("dropout_philox", "elementwise.dropout", dropout, BLOCK=256)


def noise(r):
    a, b = philox(77, np.arange(N))[:2]
    u = np.maximum(unit(a), 1.0e-7)
    expected = np.sqrt(-2 * np.log(u)) * np.cos(2 * np.pi * unit(b))
    return Launch((blocks(N, 256),), [Out(expected, np.float32, rel=1e-5, abs=1e-5), N, 77])


case("normal_noise", "elementwise.normal_noise", noise, BLOCK=256)


def strided(r):
    x = normal(r, N, 3)
    return Launch((2,), [x, Out(wide(x[:, 0]) * 2, np.float32), N, 3])


case("strided_loop", "elementwise.strided", strided, BLOCK=128)


def hinted(r):
    x = normal(r, N)
    return Launch((blocks(N, 256),), [x, Out(wide(x) + wide(x) ** 2, np.float32, rel=1e-7, abs=1e-7), N])


case("cache_hints", "elementwise.hinted", hinted, BLOCK=256)
