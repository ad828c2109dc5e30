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
