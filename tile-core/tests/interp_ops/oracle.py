"""Answers of NumPy, ml_dtypes, mpmath and exact fractions, for the tests beside this file.

A request is a line of words, the last one a count, then that many little-endian 64-bit
words for each input: bit patterns, zero-extended. An answer is the same without a line.

    function NAME TYPE COUNT    x [y] got -> correctly rounded, error of `got` in ulp (f64)
    exact OP TYPE MODE COUNT    x [y [z]] -> the exact result rounded once
    convert FROM TO COUNT       x         -> by ml_dtypes, to nearest even
    numpy OP TYPE COUNT         x [y]     -> by NumPy
"""

import math
import sys
from fractions import Fraction

import ml_dtypes
import mpmath
import numpy as np

mpmath.mp.prec = 160


class Format:
    """A binary format of IEEE 754, written down from its definition."""

    def __init__(self, exponent_bits, mantissa_bits):
        self.mantissa = mantissa_bits
        self.bias = (1 << (exponent_bits - 1)) - 1
        self.sign_bit = 1 << (exponent_bits + mantissa_bits)
        self.infinity = ((1 << exponent_bits) - 1) << mantissa_bits
        self.nan = self.infinity | 1 << (mantissa_bits - 1)
        self.least_normal = 1 << mantissa_bits

    def parts(self, bits):
        """The sign, and the magnitude: an integer and an exponent, 'inf' or 'nan'."""
        sign, magnitude = bits & self.sign_bit != 0, bits & (self.sign_bit - 1)
        if magnitude >= self.infinity:
            return sign, "inf" if magnitude == self.infinity else "nan"
        biased, fraction = magnitude >> self.mantissa, magnitude & (self.least_normal - 1)
        if biased:
            fraction |= self.least_normal
        return sign, (fraction, max(biased, 1) - self.bias - self.mantissa)

    def unit(self, top):
        """The exponent of the last place of a number from 2^top to 2^(top + 1)."""
        return max(top, 1 - self.bias) - self.mantissa

    def round(self, sign, numerator, denominator, mode):
        """The bits of a positive fraction with a sign, rounded."""
        top = numerator.bit_length() - denominator.bit_length()
        if numerator << max(-top, 0) < denominator << max(top, 0):
            top -= 1
        unit = self.unit(top)
        kept, rest = divmod(numerator << max(-unit, 0), denominator << max(unit, 0))
        twice, whole = 2 * rest, denominator << max(unit, 0)
        up = {
            "nearest_even": twice > whole or twice == whole and kept & 1,
            "zero": False,
            "negative_inf": sign and rest,
            "positive_inf": not sign and rest,
        }[mode]
        kept += bool(up)
        if kept < self.least_normal:
            magnitude = kept
        else:
            shift = kept.bit_length() - 1 - self.mantissa
            magnitude = (unit + self.mantissa + shift + self.bias) << self.mantissa
            magnitude |= (kept >> shift) & (self.least_normal - 1)
        if magnitude >= self.infinity:
            inward = mode == "zero" or mode == ("positive_inf" if sign else "negative_inf")
            magnitude = self.infinity - 1 if inward else self.infinity
        return magnitude | (self.sign_bit if sign else 0)


FORMATS = {
    "f16": Format(5, 10),
    "bf16": Format(8, 7),
    "f32": Format(8, 23),
    "f64": Format(11, 52),
}


def fraction(parts):
    sign, (mantissa, exponent) = parts
    value = Fraction(mantissa) * Fraction(2) ** exponent
    return -value if sign else value


# Functions, by mpmath, with the special values of annex F of the C standard.


def mpf(parts):
    sign, (mantissa, exponent) = parts
    value = mpmath.ldexp(mpmath.mpf(mantissa), exponent)
    return -value if sign else value


NAN, INF = "nan", "inf"
# Beyond it every format is infinite, or zero.
BEYOND = 1 << 12


def exponential(x, base):
    sign, value = x
    if value == NAN:
        return NAN
    if value == INF:
        return (0, 0) if sign else (0, INF)
    number = mpf(x)
    if abs(number) > BEYOND:
        return (0, 0) if sign else (0, INF)
    if number == 0:
        return (0, mpmath.mpf(1))
    return (0, mpmath.exp(number) if base == "e" else mpmath.power(2, number))


def logarithm(x, base):
    sign, value = x
    if value == NAN:
        return NAN
    if value != INF and value[0] == 0:
        return (1, INF)
    if sign:
        return NAN
    if value == INF:
        return (0, INF)
    number = mpf(x)
    # Near one the logarithm has few leading bits of its own.
    with mpmath.workprec(320):
        result = mpmath.log(number)
        if base == 2:
            mantissa, exponent = mpmath.frexp(number)
            exact = mantissa == mpmath.mpf(1) / 2
            result = mpmath.mpf(exponent - 1) if exact else result / mpmath.log(2)
    return (result < 0, abs(result))


def circular(x, function, at_zero):
    sign, value = x
    if value in (NAN, INF):
        return NAN
    if value[0] == 0:
        return at_zero(sign)
    result = function(mpf(x))
    return (result < 0, abs(result))


def hyperbolic(x, function, at_zero, limit):
    sign, value = x
    if value == NAN:
        return NAN
    if value != INF and value[0] == 0:
        return at_zero(sign)
    odd = function is not mpmath.cosh
    if value == INF or abs(mpf(x)) > BEYOND:
        return (sign and odd, limit)
    result = function(mpf(x))
    return (sign and odd, abs(result))


def odd_zero(sign):
    return (sign, 0)


def one(_sign):
    return (0, mpmath.mpf(1))


def sqrt(x):
    sign, value = x
    if value == NAN:
        return NAN
    if value != INF and value[0] == 0:
        return (sign, 0)
    if sign:
        return NAN
    return (0, INF if value == INF else mpmath.sqrt(mpf(x)))


def rsqrt(x):
    root = sqrt(x)
    if root == NAN:
        return NAN
    sign, value = root
    if value == INF:
        return (0, 0)
    return (sign, INF) if value == 0 else (0, 1 / value)


def is_zero(value):
    return value not in (INF, NAN) and value[0] == 0


def power(x, y):
    (x_sign, x_value), (y_sign, y_value) = x, y
    if is_zero(y_value) or (x_value != NAN and x_value != INF and not x_sign and mpf(x) == 1):
        return (0, mpmath.mpf(1))
    if NAN in (x_value, y_value):
        return NAN
    if y_value == INF:
        size = mpmath.mpf(2) if x_value == INF else abs(mpf(x))
        if size == 1:
            return (0, mpmath.mpf(1))
        return (0, INF if (size > 1) != bool(y_sign) else 0)
    return integral_power(x, y_sign, fraction(y))


def integral_power(x, y_sign, exponent):
    """x^exponent for an exponent that is neither zero nor infinite."""
    x_sign, x_value = x
    whole = exponent.denominator == 1
    sign = x_sign and whole and exponent.numerator % 2 == 1
    if is_zero(x_value):
        return (sign, INF if y_sign else 0)
    if x_value == INF:
        return (sign, 0 if y_sign else INF)
    if x_sign and not whole:
        return NAN
    number = abs(mpf(x))
    if number == 1:
        return (sign, mpmath.mpf(1))
    with mpmath.workprec(320):
        exponent = mpmath.mpf(exponent.numerator) / exponent.denominator
        log = exponent * mpmath.log(number)
        if abs(log) > BEYOND:
            return (sign, INF if log > 0 else 0)
        return (sign, mpmath.exp(log))


def power_of_integer(x, n):
    if n == 0:
        return (0, mpmath.mpf(1))
    if x[1] == NAN:
        return NAN
    return integral_power(x, n < 0, Fraction(n))


def angle(y, x):
    """atan2 with its operands in C's order."""
    (y_sign, y_value), (x_sign, x_value) = y, x
    if NAN in (y_value, x_value):
        return NAN
    pi = mpmath.pi()
    if y_value == INF:
        share = mpmath.mpf(1) / 2
        if x_value == INF:
            share = mpmath.mpf(3 if x_sign else 1) / 4
        return (y_sign, pi * share)
    if is_zero(y_value) or x_value == INF:
        return (y_sign, pi if x_sign else 0)
    if is_zero(x_value):
        return (y_sign, pi / 2)
    # A small quotient, taken from pi, needs all of its bits.
    with mpmath.workprec(320):
        return (y_sign, abs(mpmath.atan2(abs(mpf(y)), mpf(x))))


FUNCTIONS = {
    "exp": lambda x: exponential(x, "e"),
    "exp2": lambda x: exponential(x, 2),
    "log": lambda x: logarithm(x, "e"),
    "log2": lambda x: logarithm(x, 2),
    "sin": lambda x: circular(x, mpmath.sin, odd_zero),
    "cos": lambda x: circular(x, mpmath.cos, one),
    "tan": lambda x: circular(x, mpmath.tan, odd_zero),
    "sinh": lambda x: hyperbolic(x, mpmath.sinh, odd_zero, INF),
    "cosh": lambda x: hyperbolic(x, mpmath.cosh, one, INF),
    "tanh": lambda x: hyperbolic(x, mpmath.tanh, odd_zero, mpmath.mpf(1)),
    "sqrt": sqrt,
    "rsqrt": rsqrt,
    "pow": power,
    "atan2": angle,
    "fpowi": power_of_integer,
}


def as_ratio(value):
    """A positive number as numerator and denominator."""
    _, mantissa, exponent, _ = value._mpf_
    mantissa = int(mantissa)
    return (mantissa << exponent, 1) if exponent >= 0 else (mantissa, 1 << -exponent)


def function(name, kind, count, x, *rest):
    form = FORMATS[kind]
    got = rest[-1]
    best, errors = np.empty(count, "<u8"), np.zeros(count)
    for at in range(count):
        operands = [form.parts(int(x[at]))]
        if name == "fpowi":
            operands.append(int(rest[0][at].astype("<i8")))
        elif len(rest) == 2:
            operands.append(form.parts(int(rest[0][at])))
        result = FUNCTIONS[name](*operands)
        best[at], errors[at] = compare(form, result, int(got[at]))
    return best, errors.view("<u8")


def compare(form, result, got):
    """The bits of `result`, and how far `got` is from it in units of its last place."""
    if result == NAN:
        return form.nan, 0.0
    sign, value = result
    if value == INF or value == 0:
        magnitude = form.infinity if value == INF else 0
        return magnitude | (form.sign_bit if sign else 0), 0.0
    numerator, denominator = as_ratio(value)
    best = form.round(sign, numerator, denominator, "nearest_even")
    got_sign, got_value = form.parts(got)
    if got_value in (INF, NAN) or best & (form.sign_bit - 1) == form.infinity:
        return best, 0.0
    top = mpmath.frexp(value)[1] - 1
    number = mpf((bool(got_sign) != bool(sign), got_value))
    return best, float(abs(number - value) / mpmath.ldexp(1, form.unit(top)))


# Arithmetic, by fractions.


def exact(op, kind, mode, count, *inputs):
    form = FORMATS[kind]
    columns = [[int(bits) for bits in column] for column in inputs]
    result = [EXACT[op](form, mode, *operands) for operands in zip(*columns)]
    return (np.array(result, "<u8"),)


def signed_sum(form, mode, values):
    """The sum of numbers as (sign, fraction), rounded."""
    total = sum(value for _, value in values)
    if total == 0:
        signs = {bool(sign) for sign, _ in values}
        negative = signs.pop() if len(signs) == 1 else mode == "negative_inf"
        # An exact cancellation of numbers that are not zero has both signs.
        return form.sign_bit if negative else 0
    return form.round(total < 0, abs(total.numerator), total.denominator, mode)


def add(form, mode, a, b):
    return multiply_add(form, mode, a, None, b)


def sub(form, mode, a, b):
    return add(form, mode, a, b ^ form.sign_bit)


def mul(form, mode, a, b):
    return multiply_add(form, mode, a, b, None)


def multiply_add(form, mode, a, b, c):
    one_bits = form.bias << form.mantissa
    (a_sign, a), (b_sign, b) = form.parts(a), form.parts(one_bits if b is None else b)
    c_sign, c = (None, None) if c is None else form.parts(c)
    sign = a_sign != b_sign
    infinity = form.infinity | (form.sign_bit if sign else 0)
    if NAN in (a, b, c):
        return form.nan
    if INF in (a, b):
        if is_zero(a) or is_zero(b) or c == INF and c_sign != sign:
            return form.nan
        return infinity
    if c == INF:
        return form.infinity | (form.sign_bit if c_sign else 0)
    product = abs(fraction((False, a)) * fraction((False, b)))
    if c is None:
        if product == 0:
            return form.sign_bit if sign else 0
        return form.round(sign, product.numerator, product.denominator, mode)
    terms = [(sign, -product if sign else product), (c_sign, fraction((c_sign, c)))]
    return signed_sum(form, mode, terms)


def div(form, mode, a, b):
    (a_sign, a), (b_sign, b) = form.parts(a), form.parts(b)
    sign = form.sign_bit if a_sign != b_sign else 0
    if NAN in (a, b) or a == INF and b == INF or is_zero(a) and is_zero(b):
        return form.nan
    if a == INF or is_zero(b):
        return sign | form.infinity
    if b == INF or is_zero(a):
        return sign
    quotient = fraction((False, a)) / fraction((False, b))
    return form.round(bool(sign), quotient.numerator, quotient.denominator, mode)


def root(form, mode, a):
    sign, value = form.parts(a)
    if value == NAN or sign and not is_zero(value):
        return form.nan
    if value == INF or is_zero(value):
        return a
    mantissa, exponent = value
    shift = 200 + exponent % 2
    square = mantissa << shift
    whole = math.isqrt(square)
    # One more bit, for what is left: no rounding has a tie so far down.
    numerator = 2 * whole + (whole * whole != square)
    half = (exponent - shift) // 2 - 1
    return form.round(False, numerator << max(half, 0), 1 << max(-half, 0), mode)


def rem(form, _mode, a, b):
    (a_sign, x), (_, y) = form.parts(a), form.parts(b)
    if NAN in (x, y) or x == INF or is_zero(y):
        return form.nan
    if y == INF or is_zero(x):
        return a
    rest = fraction((False, x)) % fraction((False, y))
    if rest == 0:
        return form.sign_bit if a_sign else 0
    return form.round(a_sign, rest.numerator, rest.denominator, "nearest_even")


def extremum(form, a, b, propagate, greatest):
    """`propagate`: IEEE 754-2019 maximum and minimum, else maximumNumber and minimumNumber."""
    nans = [form.parts(bits)[1] == NAN for bits in (a, b)]
    if all(nans) or propagate and any(nans):
        return form.nan
    if any(nans):
        return b if nans[0] else a

    def key(bits):
        magnitude = bits & (form.sign_bit - 1)
        return -magnitude - 1 if bits & form.sign_bit else magnitude

    return (max if greatest else min)(a, b, key=key)


def whole(form, a, direction):
    sign, value = form.parts(a)
    if value == NAN:
        return form.nan
    if value == INF or is_zero(value):
        return a
    result = direction(fraction((sign, value)))
    if result == 0:
        return form.sign_bit if sign else 0
    return form.round(result < 0, abs(result), 1, "zero")


EXACT = {
    "addf": add,
    "subf": sub,
    "mulf": mul,
    "divf": div,
    "fma": multiply_add,
    "sqrt": root,
    "remf": rem,
    "ceil": lambda form, _mode, a: whole(form, a, math.ceil),
    "floor": lambda form, _mode, a: whole(form, a, math.floor),
    "absf": lambda form, _mode, a: a & ~form.sign_bit,
    "negf": lambda form, _mode, a: a ^ form.sign_bit,
    "maxf": lambda form, _mode, a, b: extremum(form, a, b, False, True),
    "minf": lambda form, _mode, a, b: extremum(form, a, b, False, False),
    "maxf_nan": lambda form, _mode, a, b: extremum(form, a, b, True, True),
    "minf_nan": lambda form, _mode, a, b: extremum(form, a, b, True, False),
}


# Conversions, by ml_dtypes, and arithmetic, by NumPy.

TYPES = {
    "f16": np.dtype(np.float16),
    "bf16": np.dtype(ml_dtypes.bfloat16),
    "f32": np.dtype(np.float32),
    "f64": np.dtype(np.float64),
    "f8E4M3FN": np.dtype(ml_dtypes.float8_e4m3fn),
    "f8E5M2": np.dtype(ml_dtypes.float8_e5m2),
    "f4E2M1FN": np.dtype(ml_dtypes.float4_e2m1fn),
    "f8E8M0FNU": np.dtype(ml_dtypes.float8_e8m0fnu),
    "i8": np.dtype(np.int8),
    "i16": np.dtype(np.int16),
    "i32": np.dtype(np.int32),
    "i64": np.dtype(np.int64),
}


def numbers(kind, bits):
    width = TYPES[kind].itemsize
    return bits.astype(f"<u{width}").view(TYPES[kind])


def patterns(values):
    bits = np.ascontiguousarray(values).view(f"<u{values.dtype.itemsize}")
    return bits.astype("<u8")


def convert(source, target, _count, x):
    with np.errstate(all="ignore"):
        # Through f32, which has them all: some pairs cannot be cast.
        wide = numbers(source, x).astype(np.float32)
        return (patterns(wide.astype(TYPES[target])),)


NUMPY = {
    "addf": np.add,
    "subf": np.subtract,
    "mulf": np.multiply,
    "divf": np.divide,
    "remf": np.fmod,
    "sqrt": np.sqrt,
    "absf": np.abs,
    "negf": np.negative,
    "ceil": np.ceil,
    "floor": np.floor,
    "addi": np.add,
    "subi": np.subtract,
    "muli": np.multiply,
    "andi": np.bitwise_and,
    "ori": np.bitwise_or,
    "xori": np.bitwise_xor,
}


def by_numpy(op, kind, _count, *inputs):
    with np.errstate(all="ignore"):
        result = NUMPY[op](*[numbers(kind, x) for x in inputs])
    return (patterns(result.astype(TYPES[kind], copy=False)),)


COMMANDS = {
    "function": (function, lambda words: 3 if words[0] in ("pow", "atan2", "fpowi") else 2),
    "exact": (exact, lambda words: EXACT_OPERANDS[words[0]]),
    "convert": (convert, lambda words: 1),
    "numpy": (by_numpy, lambda words: NUMPY[words[0]].nin),
}
EXACT_OPERANDS = {op: 1 for op in ("sqrt", "ceil", "floor", "absf", "negf")}
EXACT_OPERANDS |= {"fma": 3}
EXACT_OPERANDS |= {op: 2 for op in EXACT if op not in EXACT_OPERANDS}


def main():
    source, sink = sys.stdin.buffer, sys.stdout.buffer
    while line := source.readline():
        command, *words, count = line.decode().split()
        answer, columns = COMMANDS[command]
        count = int(count)
        inputs = [np.frombuffer(source.read(8 * count), "<u8") for _ in range(columns(words))]
        for column in answer(*words, count, *inputs):
            sink.write(np.ascontiguousarray(column).tobytes())
        sink.flush()


main()
