"""One result per element, with ragged ends."""

import triton
import triton.language as tl
from triton.language.extra import libdevice


@triton.jit
def add(x, y, out, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    m = i < n
    tl.store(out + i, tl.load(x + i, mask=m) + tl.load(y + i, mask=m), mask=m)


@triton.jit
def saturating_i8(x, y, out, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    m = i < n
    s = tl.load(x + i, mask=m, other=0).to(tl.int32) + tl.load(y + i, mask=m, other=0)
    tl.store(out + i, tl.minimum(tl.maximum(s, -128), 127).to(tl.int8), mask=m)


@triton.jit
def integer_mix(x, y, out, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    m = i < n
    a = tl.load(x + i, mask=m, other=1)
    b = tl.load(y + i, mask=m, other=1)
    r = (a // b) * 3 + (a % b) - (a >> 3) + (b << 2) ^ (a & b) | (a < b).to(a.dtype)
    tl.store(out + i, r, mask=m)


@triton.jit
def high_product(x, y, out, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    m = i < n
    tl.store(out + i, tl.umulhi(tl.load(x + i, mask=m), tl.load(y + i, mask=m)), mask=m)


@triton.jit
def conversions(x, half, bf, byte, wide, back, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    m = i < n
    v = tl.load(x + i, mask=m, other=0.0)
    tl.store(half + i, v.to(tl.float16), mask=m)
    tl.store(bf + i, v.to(tl.bfloat16), mask=m)
    tl.store(byte + i, v.to(tl.int8), mask=m)
    tl.store(wide + i, v.to(tl.int64) * 1000003, mask=m)
    tl.store(back + i, (v.to(tl.int32).to(tl.float64) / 3).to(tl.float32), mask=m)


@triton.jit
def round_trip(x, out, n, TO: tl.constexpr, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    m = i < n
    v = tl.load(x + i, mask=m, other=0.0)
    tl.store(out + i, v.to(TO).to(tl.float32), mask=m)


@triton.jit
def toward_zero(x, out, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    m = i < n
    v = tl.load(x + i, mask=m, other=0.0)
    tl.store(out + i, v.to(tl.float16, fp_downcast_rounding="rtz"), mask=m)


@triton.jit
def unary(x, out, n, OP: tl.constexpr, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    m = i < n
    v = tl.load(x + i, mask=m, other=1.0)
    if OP == "exp":
        r = tl.exp(v)
    elif OP == "exp2":
        r = tl.exp2(v)
    elif OP == "log":
        r = tl.log(v)
    elif OP == "log2":
        r = tl.log2(v)
    elif OP == "sin_cos":
        r = tl.sin(v) + 2 * tl.cos(v)
    elif OP == "rsqrt":
        r = tl.rsqrt(v)
    elif OP == "sqrt":
        r = tl.sqrt(v)
    elif OP == "sqrt_rn":
        r = tl.sqrt_rn(v)
    elif OP == "erf":
        r = tl.erf(v)
    elif OP == "floor_ceil":
        r = tl.floor(v) + 0.25 * tl.ceil(v)
    elif OP == "abs":
        r = tl.abs(v)
    elif OP == "sigmoid":
        r = tl.sigmoid(v)
    tl.store(out + i, r, mask=m)


@triton.jit
def library(x, y, out, n, OP: tl.constexpr, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    m = i < n
    a = tl.load(x + i, mask=m, other=1.0)
    b = tl.load(y + i, mask=m, other=1.0)
    if OP == "pow":
        r = libdevice.pow(a, b)
    elif OP == "atan2":
        r = libdevice.atan2(a, b)
    elif OP == "tanh":
        r = libdevice.tanh(a) + b
    elif OP == "log1p":
        r = libdevice.log1p(a) + libdevice.expm1(b)
    elif OP == "tgamma":
        r = libdevice.lgamma(a) + b
    elif OP == "round":
        r = libdevice.rint(a) + 0.5 * libdevice.trunc(b)
    elif OP == "fmod":
        r = libdevice.fmod(a, b)
    elif OP == "hypot":
        r = libdevice.hypot(a, b)
    elif OP == "asin":
        r = libdevice.asin(a) + libdevice.sinh(b)
    tl.store(out + i, r, mask=m)


@triton.jit
def divisions(x, y, out, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    m = i < n
    a = tl.load(x + i, mask=m, other=1.0)
    b = tl.load(y + i, mask=m, other=1.0)
    r = a / b + tl.div_rn(b, a) + tl.fdiv(a, b + 1.0) + tl.fma(a, b, 1.0)
    tl.store(out + i, r, mask=m)


@triton.jit
def extremes(x, y, out, n, BLOCK: tl.constexpr):
    """NaN that wins, NaN that loses, and a range, which says nothing of NaN."""
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    m = i < n
    a = tl.load(x + i, mask=m, other=1.0)
    b = tl.load(y + i, mask=m, other=1.0)
    tl.store(out + i, tl.maximum(a, b, propagate_nan=tl.PropagateNan.ALL), mask=m)
    tl.store(out + n + i, tl.minimum(a, b), mask=m)
    tl.store(out + 2 * n + i, tl.clamp(tl.where(a == a, a, 0.0), -0.5, 0.5), mask=m)


@triton.jit
def gelu(x, out, n, TANH: tl.constexpr, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    m = i < n
    v = tl.load(x + i, mask=m, other=0.0).to(tl.float32)
    if TANH:
        r = 0.5 * v * (1 + libdevice.tanh(0.7978845608028654 * (v + 0.044715 * v * v * v)))
    else:
        r = 0.5 * v * (1 + tl.erf(v * 0.7071067811865476))
    tl.store(out + i, r.to(out.dtype.element_ty), mask=m)


@triton.jit
def silu_and_mul(x, out, columns, BLOCK: tl.constexpr):
    """Each row is a gate and a value, one behind the other."""
    row = tl.program_id(0)
    i = tl.program_id(1) * BLOCK + tl.arange(0, BLOCK)
    m = i < columns
    gate = tl.load(x + row * 2 * columns + i, mask=m, other=0.0).to(tl.float32)
    value = tl.load(x + row * 2 * columns + columns + i, mask=m, other=0.0).to(tl.float32)
    tl.store(out + row * columns + i, (gate * tl.sigmoid(gate) * value).to(out.dtype.element_ty), mask=m)


@triton.jit
def rope(x, cos, sin, out, heads, D: tl.constexpr):
    """Turns pairs (i, i + D/2) of each head by the angle of its position."""
    position = tl.program_id(0)
    half: tl.constexpr = D // 2
    i = tl.arange(0, half)
    c = tl.load(cos + position * half + i)
    s = tl.load(sin + position * half + i)
    for head in range(heads):
        at = x + (position * heads + head) * D + i
        a = tl.load(at).to(tl.float32)
        b = tl.load(at + half).to(tl.float32)
        to = out + (position * heads + head) * D + i
        tl.store(to, (a * c - b * s).to(out.dtype.element_ty))
        tl.store(to + half, (a * s + b * c).to(out.dtype.element_ty))


@triton.jit
def dropout(x, out, kept, n, p, seed, BLOCK: tl.constexpr):
    """Numbers of Philox4x32-10, whose bits are stored too."""
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    m = i < n
    bits = tl.randint(seed, i)
    u = tl.rand(seed, i)
    v = tl.load(x + i, mask=m, other=0.0)
    tl.store(out + i, tl.where(u > p, v / (1 - p), 0.0), mask=m)
    tl.store(kept + i, bits, mask=m)


@triton.jit
def normal_noise(out, n, seed, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(out + i, tl.randn(seed, i), mask=i < n)


@triton.jit
def strided(x, out, n, stride, BLOCK: tl.constexpr):
    """A grid-stride loop over elements that are not neighbours."""
    step = tl.num_programs(0) * BLOCK
    for start in range(tl.program_id(0) * BLOCK, n, step):
        i = start + tl.arange(0, BLOCK)
        m = i < n
        tl.store(out + i, tl.load(x + i * stride, mask=m, other=0.0, cache_modifier=".cg") * 2, mask=m,
                 cache_modifier=".wt")


@triton.jit
def hinted(x, out, n, BLOCK: tl.constexpr):
    """Eviction hints and volatile loads."""
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    m = i < n
    a = tl.load(x + i, mask=m, other=0.0, eviction_policy="evict_first")
    b = tl.load(x + i, mask=m, other=0.0, eviction_policy="evict_last")
    c = tl.load(x + i, mask=m, other=0.0, volatile=True)
    tl.store(out + i, a + b * c, mask=m, eviction_policy="evict_first")
