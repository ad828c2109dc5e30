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
