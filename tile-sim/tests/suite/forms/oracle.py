"""What instructions on registers compute, written from the PTX ISA on Python's integers.

    python3 oracle.py < arithmetic.tsv > values.tsv

A number of a format is an integer times a power of two, so that every sum, product, quotient and
root is exact until it is rounded once. Columns: a digest of the results of each form over the
operands of `operands`, the form. Forms whose value the PTX ISA only bounds, and those about
addresses, are left out.
"""

import math
import re
import sys

CASES = 256
M64 = (1 << 64) - 1


# Operands: the same sequence as in `forms.rs`.

SPECIAL = [
    0, 1, 2, 3, 7, 8, 15, 31, 32, 33, 63, 64, 100, 127, 128, 255,
    0x7f, 0x80, 0x7fff, 0x8000, 0x8001, 0xffff, 0x7fffffff, 0x80000000, 0x80000001, 0xffffffff, M64, 1 << 63, M64 >> 1,
    # f16: one, -two, greatest, least normal, subnormal, infinities, NaN.
    0x3c00, 0xc000, 0x7bff, 0x0400, 0x03ff, 0x8001, 0x7c00, 0xfc00, 0x7e00, 0x7ff7,
    # bf16
    0x3f80, 0xbf80, 0x7f7f, 0x0080, 0x007f, 0x7f80, 0xff80, 0x7fc0,
    # Pairs of them.
    0x3c00bc00, 0x7c00fc00, 0x7e003c00, 0x80000000, 0x3f80bf80, 0xff807fc0, 0x03ff8001,
    # f32
    0x3f800000, 0xbf800000, 0x3f000000, 0x40200000, 0xc0600000, 0x7f7fffff, 0xff7fffff, 0x00800000, 0x007fffff, 0x80000001,
    0x7f800000, 0xff800000, 0x7fc00000, 0x4b800001, 0x4f000000, 0xcf000000, 0x4f800000, 0x5f000000, 0x477fe000, 0x477ff000,
    0x33800000, 0x3dcccccd, 0x3f7fffff, 0x40490fdb, 0x43e00000, 0x43e80000, 0x47600000, 0x3e800000, 0x00400000, 0x00400001,
    # f64
    0x3ff0000000000000, 0xbff0000000000000, 0x4004000000000000, 0x7fefffffffffffff, 0x0010000000000000, 0x000fffffffffffff,
    0x7ff0000000000000, 0xfff0000000000000, 0x7ff8000000000000, 0x41dfffffffe00000, 0xc1e0000000000000, 0x43e0000000000000,
    0x47efffffefffffff, 0x36a0000000000000, 0x40effc0000000000, 0x3fb999999999999a, 0x3810000000000000,
]


def operands(slot):
    """The values of one operand: specials and random bits, the latter of every magnitude."""
    state = 0x1234567 + slot * 0x9e3779b9

    def draw():
        # SplitMix64, as in `src/random.rs`.
        nonlocal state
        state = (state + 0x9e3779b97f4a7c15) & M64
        mixed = ((state ^ (state >> 30)) * 0xbf58476d1ce4e5b9) & M64
        mixed = ((mixed ^ (mixed >> 27)) * 0x94d049bb133111eb) & M64
        return mixed ^ (mixed >> 31)

    for _ in range(CASES):
        choice = draw() % 8
        if choice < 4:
            yield SPECIAL[draw() % len(SPECIAL)]
        elif choice < 6:
            yield draw() % 256
        else:
            yield draw()


# Numbers.

class Format:
    def __init__(self, exponent, mantissa, nan, top='ieee'):
        self.exponent, self.mantissa, self.nan, self.top = exponent, mantissa, nan, top
        self.bias = (1 << (exponent - 1)) - 1
        self.sign = 1 << (exponent + mantissa)
        self.inf = ((1 << exponent) - 1) << mantissa
        self.max = {'ieee': self.inf - 1, 'numbers': nan - 1, 'finite': self.sign - 1}[top]

    def is_nan(self, bits):
        magnitude = bits & (self.sign - 1)
        return {'ieee': magnitude > self.inf, 'numbers': magnitude == self.nan, 'finite': False}[self.top]

    def read(self, bits):
        """`nan`, or the sign and `inf` or a numerator and a power of two."""
        if self.is_nan(bits):
            return 'nan'
        negative, magnitude = bits & self.sign != 0, bits & (self.sign - 1)
        if self.top == 'ieee' and magnitude == self.inf:
            return (negative, 'inf', 0)
        exponent, mantissa = magnitude >> self.mantissa, magnitude & ((1 << self.mantissa) - 1)
        if exponent == 0:
            return (negative, mantissa, 1 - self.bias - self.mantissa)
        return (negative, mantissa | 1 << self.mantissa, exponent - self.bias - self.mantissa)

    def round(self, negative, numerator, denominator, mode):
        """The bits of a quotient."""
        sign = self.sign if negative else 0
        if numerator == 0:
            return sign
        top = numerator.bit_length() - denominator.bit_length()
        if numerator << max(-top, 0) < denominator << max(top, 0):
            top -= 1
        unit = max(top, 1 - self.bias) - self.mantissa
        if unit >= 0:
            kept, rest, whole = *divmod(numerator, denominator << unit), denominator << unit
        else:
            kept, rest, whole = *divmod(numerator << -unit, denominator), denominator
        if isinstance(mode, tuple):
            random, bits = mode
            up = ((rest << bits) // whole + random) >> bits
        else:
            up = {
                'rn': 2 * rest > whole or 2 * rest == whole and kept & 1, 'rna': 2 * rest >= whole, 'rz': False,
                'rm': negative and rest, 'rp': not negative and rest,
            }[mode]
        kept += bool(up)
        # With the hidden bit in the exponent, a carry goes where it belongs.
        bits = kept + ((unit + self.mantissa + self.bias - 1) << self.mantissa)
        if bits > self.max:
            outward = {'rz': False, 'rm': negative, 'rp': not negative}.get(mode, True)
            if not outward:
                return sign | self.max
            return sign | (self.inf if self.top == 'ieee' else self.nan)
        return sign | bits

    def of(self, value, mode):
        if value == 'nan':
            return self.nan
        negative, number, power = value
        if number == 'inf':
            return (self.sign if negative else 0) | (self.inf if self.top == 'ieee' else self.nan)
        return self.round(negative, number << max(power, 0), 1 << max(-power, 0), mode)

    def flush(self, bits):
        return bits & self.sign if bits & (self.sign - 1) < 1 << self.mantissa else bits

    def unit(self, bits):
        """Into [0, 1]."""
        one = self.bias << self.mantissa
        return 0 if self.is_nan(bits) or bits & self.sign else min(bits, one)


F16, BF16, F32, F64 = Format(5, 10, 0x7fff), Format(8, 7, 0x7fff), Format(8, 23, 0x7fffffff), Format(11, 52, 0x7ff8 << 48)
TF32, E5M2, E4M3 = Format(8, 10, 0x3ffff), Format(5, 2, 0x7f), Format(4, 3, 0x7f, 'numbers')
E2M1, E2M3, E3M2 = Format(2, 1, 7, 'finite'), Format(2, 3, 31, 'finite'), Format(3, 2, 31, 'finite')
FLOATS = {'f16': F16, 'bf16': BF16, 'f32': F32, 'f64': F64, 'tf32': TF32}
SMALL = {'e4m3': E4M3, 'e5m2': E5M2, 'e2m1': E2M1, 'e2m3': E2M3, 'e3m2': E3M2}


def plus(x, y, mode):
    if x == 'nan' or y == 'nan':
        return 'nan'
    if x[1] == 'inf' or y[1] == 'inf':
        if x[1] == y[1] and x[0] != y[0]:
            return 'nan'
        return x if x[1] == 'inf' else y
    power = min(x[2], y[2])
    total = sum((-n if negative else n) << (e - power) for negative, n, e in (x, y))
    if total == 0:
        same = x[1] == 0 and y[1] == 0 and x[0] == y[0]
        return (x[0] if same else mode == 'rm', 0, 0)
    return (total < 0, abs(total), power)


def times(x, y):
    if x == 'nan' or y == 'nan':
        return 'nan'
    negative = x[0] != y[0]
    if x[1] == 'inf' or y[1] == 'inf':
        return 'nan' if 0 in (x[1], y[1]) else (negative, 'inf', 0)
    return (negative, x[1] * y[1], x[2] + y[2])


def quotient(f, x, y, mode):
    if x == 'nan' or y == 'nan' or x[1] == y[1] and x[1] in (0, 'inf'):
        return f.nan
    negative = x[0] != y[0]
    if x[1] == 'inf' or y[1] == 0:
        return f.of((negative, 'inf', 0), mode)
    if y[1] == 'inf' or x[1] == 0:
        return f.of((negative, 0, 0), mode)
    power = x[2] - y[2]
    return f.round(negative, x[1] << max(power, 0), y[1] << max(-power, 0), mode)


def root(f, x, mode):
    if x == 'nan' or x[0] and x[1] != 0:
        return f.nan
    if x[1] in (0, 'inf'):
        return f.of(x, mode)
    number, power = x[1] << 240, x[2] - 240
    if power & 1:
        number, power = number << 1, power - 1
    whole = math.isqrt(number)
    # A last bit that says whether more follows.
    whole = whole << 1 | (whole * whole != number)
    power = power // 2 - 1
    return f.round(False, whole << max(power, 0), 1 << max(-power, 0), mode)


def negated(x):
    return x if x == 'nan' else (not x[0], x[1], x[2])


def order(f, x, y):
    """-1, 0, 1, or `None`."""
    if f.is_nan(x) or f.is_nan(y):
        return None
    def value(bits):
        magnitude = bits & (f.sign - 1)
        return -magnitude if bits & f.sign else magnitude
    return (value(x) > value(y)) - (value(x) < value(y))


# Types.

def width(t):
    if t == 'pred':
        return 1
    return int(re.search(r'\d+', t.lstrip('b') if t.startswith('bf') else t).group())


def cut(value, bits):
    return value & ((1 << bits) - 1)


def sext(value, bits):
    value = cut(value, bits)
    return value - (1 << bits) if value >> (bits - 1) else value


def read(value, t):
    return sext(value, width(t)) if t[0] == 's' else cut(value, width(t))


def clamp(value, bits, signed):
    low, high = (-(1 << (bits - 1)), (1 << (bits - 1)) - 1) if signed else (0, (1 << bits) - 1)
    return max(low, min(high, value))


def truncated(x, y):
    """Division as C's."""
    q = abs(x) // abs(y)
    return -q if (x < 0) != (y < 0) else q


def pairs(f, bits, arguments):
    return f(*[cut(a, bits) for a in arguments]) | f(*[cut(a >> bits, bits) for a in arguments]) << bits


# Families: each gives the list of results, or `None` where the instruction is not its own.

def integer(op, mods, t, a, carry):
    n, signed = width(t), t[0] == 's'
    v = [read(x, t) for x in a]
    if 'x2' in t:
        return None
    takes, sets = op.endswith('c') and op in ('addc', 'subc', 'madc'), 'cc' in mods
    if takes or sets:
        c = carry if takes else 0
        u = [cut(x, n) for x in a]
        if op.startswith('add'):
            total = u[0] + u[1] + c
        elif op.startswith('sub'):
            total = u[0] - u[1] - c
        else:
            product = v[0] * v[1]
            total = cut(product >> (n if 'hi' in mods else 0), n) + u[2] + c
        over = int(total < 0 or total >> n != 0)
        return [cut(total, n)] + ([over] if sets else [])
    if op in ('add', 'sub'):
        r = v[0] + v[1] if op == 'add' else v[0] - v[1]
        return [cut(clamp(r, n, True) if 'sat' in mods else r, n)]
    if op in ('mul', 'mad'):
        r = v[0] * v[1]
        m = 2 * n if 'wide' in mods else n
        if 'hi' in mods:
            r >>= n
        if op == 'mad':
            r += sext(a[2], m)
        return [cut(clamp(r, n, True) if 'sat' in mods else r, m)]
    if op in ('mul24', 'mad24'):
        x, y = (sext(q, 24) if signed else cut(q, 24) for q in a[:2])
        r = x * y >> (16 if 'hi' in mods else 0)
        if op == 'mad24':
            r += v[2]
        return [cut(clamp(r, 32, True) if 'sat' in mods else r, 32)]
    if op == 'sad':
        return [cut(v[2] + abs(v[0] - v[1]), n)]
    if op in ('div', 'rem'):
        if v[1] == 0:
            return [cut(-1, n)]
        q = truncated(v[0], v[1])
        return [cut(q if op == 'div' else v[0] - q * v[1], n)]
    if op == 'abs':
        return [cut(abs(v[0]), n)]
    if op == 'neg':
        return [cut(-v[0], n)]
    if op in ('min', 'max'):
        r = min(v) if op == 'min' else max(v)
        return [cut(max(r, 0) if 'relu' in mods else r, n)]
    return None


def bits(op, mods, t, a):
    n = width(t)
    v = [cut(x, n) for x in a]
    if op == 'popc':
        return [bin(v[0]).count('1')]
    if op == 'clz':
        return [n - v[0].bit_length()]
    if op == 'brev':
        return [int(format(v[0], f'0{n}b')[::-1], 2)]
    if op == 'bfind':
        x = v[0] ^ (cut(-1, n) if t[0] == 's' and v[0] >> (n - 1) else 0)
        at = x.bit_length() - 1
        return [0xffffffff if at < 0 else n - 1 - at if 'shiftamt' in mods else at]
    if op == 'fns':
        mask, base, offset = v[0], v[1], sext(a[2], 32)
        if base > 31:
            return [0xffffffff]
        if offset == 0:
            return [base if mask >> base & 1 else 0xffffffff]
        position, count, step = base, abs(offset) - 1, 1 if offset > 0 else -1
        while 0 <= position < 32:
            if mask >> position & 1:
                if count == 0:
                    return [position]
                count -= 1
            position += step
        return [0xffffffff]
    if op == 'bfe':
        position, length, top = a[1] & 0xff, a[2] & 0xff, n - 1
        sign = 0 if t[0] == 'u' or length == 0 else v[0] >> min(position + length - 1, top) & 1
        return [sum((v[0] >> (position + i) & 1 if i < length and position + i <= top else sign) << i for i in range(n))]
    if op == 'bfi':
        result, position, length = v[1], a[2] & 0xff, a[3] & 0xff
        for i in range(length):
            if position + i < n:
                result = result & ~(1 << (position + i)) | (v[0] >> i & 1) << (position + i)
        return [result]
    if op == 'bmsk':
        x, y = v
        wraps = 'wrap' in mods
        if not wraps and x >= 32:
            return [0]
        x, y = x & 31, 32 if not wraps and y >= 32 else y & 31
        return [sum(1 << i for i in range(x, min(x + y, 32)))]
    if op == 'szext':
        x, y = v
        if y >= 32 and 'clamp' in mods:
            return [x]
        y &= 31
        return [0 if y == 0 else cut(sext(x, y), 32) if t[0] == 's' else cut(x, y)]
    if op in ('and', 'or', 'xor', 'not', 'cnot'):
        r = {'and': lambda: v[0] & v[1], 'or': lambda: v[0] | v[1], 'xor': lambda: v[0] ^ v[1], 'not': lambda: ~v[0],
             'cnot': lambda: int(v[0] == 0)}[op]()
        return [cut(r, n)]
    if op == 'shl':
        d = cut(a[1], 32)
        return [cut(v[0] << d, n) if d < n else 0]
    if op == 'shr':
        return [cut(read(a[0], t) >> min(cut(a[1], 32), n), n)]
    if op == 'shf':
        d = cut(a[2], 32)
        d = d & 31 if 'wrap' in mods else min(d, 32)
        both = v[1] << 32 | v[0]
        return [cut(both << d >> 32 if 'l' in mods else both >> d, 32)]
    return None


def permute(mode, a, b, c):
    source = [cut(a, 32) >> 8 * i & 255 for i in range(4)] + [cut(b, 32) >> 8 * i & 255 for i in range(4)]
    s = c & 3
    table = {
        'f4e': [[0, 1, 2, 3], [1, 2, 3, 4], [2, 3, 4, 5], [3, 4, 5, 6]],
        'b4e': [[0, 7, 6, 5], [1, 0, 7, 6], [2, 1, 0, 7], [3, 2, 1, 0]],
        'rc8': [[0] * 4, [1] * 4, [2] * 4, [3] * 4],
        'ecl': [[0, 1, 2, 3], [1, 1, 2, 3], [2, 2, 2, 3], [3, 3, 3, 3]],
        'ecr': [[0, 0, 0, 0], [0, 1, 1, 1], [0, 1, 2, 2], [0, 1, 2, 3]],
        'rc16': [[0, 1, 0, 1], [2, 3, 2, 3], [0, 1, 0, 1], [2, 3, 2, 3]],
    }
    if mode in table:
        chosen = [source[i] for i in table[mode][s]]
    else:
        chosen = []
        for i in range(4):
            nibble = c >> 4 * i & 15
            byte = source[nibble & 7]
            chosen.append((255 if byte & 128 else 0) if nibble & 8 else byte)
    return sum(byte << 8 * i for i, byte in enumerate(chosen))


def dot(op, mods, a):
    (s, t), high = [m for m in mods if m in ('u32', 's32')], 'hi' in mods
    def part(x, i, n, kind):
        x = cut(x >> n * i, n)
        return sext(x, n) if kind == 's32' else x
    if op == 'dp4a':
        total = sum(part(a[0], i, 8, s) * part(a[1], i, 8, t) for i in range(4))
    else:
        total = sum(part(a[0], i, 16, s) * part(a[1], i + 2 * high, 8, t) for i in range(2))
    return [cut(a[2] + total, 32)]


COMPARE = {
    'eq': lambda o: o == 0, 'ne': lambda o: o != 0, 'lt': lambda o: o < 0, 'le': lambda o: o <= 0, 'gt': lambda o: o > 0,
    'ge': lambda o: o >= 0,
}


MODES = ('rn', 'rz', 'rm', 'rp')


def floating(op, mods, t, source, a):
    f = FLOATS[t.replace('x2', '')]
    n = f.exponent + f.mantissa + 1
    if 'x2' in t:
        element = t.replace('x2', '')
        return [pairs(lambda *v: floating(op, mods, element, None, v)[0], n, a)]
    mode = next((m for m in mods if m in MODES), 'rn')
    flush = f.flush if 'ftz' in mods else lambda x: x
    v = [cut(x, n) for x in a]
    if 'oob' in mods and 0x7ff7 in v:
        return [0]
    if source:
        g = FLOATS[source]
        last = len(v) - 1
        v = [cut(x, 16) for x in a[:last]] + [cut(a[last], 32)]
        v = [F32.of(g.read(x), 'rn') for x in v[:last]] + v[last:]
    v = [flush(x) for x in v]
    x = [f.read(y) for y in v]
    if op == 'copysign':
        return [v[0] & f.sign | v[1] & ~f.sign]
    if op in ('add', 'sub'):
        r = f.of(plus(x[0], negated(x[1]) if op == 'sub' else x[1], mode), mode)
    elif op == 'mul':
        r = f.of(times(x[0], x[1]), mode)
    elif op in ('fma', 'mad'):
        r = f.of(plus(times(x[0], x[1]), x[2], mode), mode)
    elif op == 'div':
        r = quotient(f, x[0], x[1], mode)
    elif op == 'rcp':
        r = quotient(f, (False, 1, 0), x[0], mode)
    elif op == 'sqrt':
        r = root(f, x[0], mode)
    elif op in ('abs', 'neg'):
        r = f.nan if x[0] == 'nan' else v[0] & ~f.sign if op == 'abs' else v[0] ^ f.sign
    elif op in ('min', 'max'):
        sign = (v[0] ^ v[1]) & f.sign if 'xorsign' in mods else 0
        if 'abs' in mods:
            v = [y & ~f.sign for y in v]
        numbers = [y for y in v if not f.is_nan(y)]
        if not numbers or 'NaN' in mods and len(numbers) < len(v):
            return [f.nan]
        # -0 comes before +0.
        r = (min if op == 'min' else max)(numbers, key=lambda y: (-(y & ~f.sign), 0) if y & f.sign else (y, 1)) | sign
    else:
        return None
    r = flush(r)
    if 'sat' in mods:
        r = f.unit(r)
    if 'relu' in mods and not f.is_nan(r) and r & f.sign:
        r = 0
    return [r]


def integral(f, x, mode):
    """To an integer."""
    negative, number, power = x
    if power >= 0:
        total = number << power
    else:
        total, rest = divmod(number, 1 << -power)
        half = 1 << (-power - 1)
        total += {'rni': rest > half or rest == half and total & 1, 'rzi': 0, 'rmi': negative and rest != 0,
                  'rpi': not negative and rest != 0}[mode] != 0
    return -total if negative else total


def convert(mods, dest_width, a):
    types = [m for m in mods if re.match(r'(u|s|f|bf|tf)\d|e\dm|ue8', m)]
    to, source = types[-2], types[-1]
    mode = mods[0] if mods[0] in MODES + ('rna', 'rs', 'rni', 'rzi', 'rmi', 'rpi') else 'rn'
    many = re.fullmatch(r'(\w+?)x([24])', to)
    if many or 'relu' in mods or 'satfinite' in mods or to == 'tf32':
        return narrow(mods, mode, to, source, many, a)
    floats = (source in FLOATS, to in FLOATS)
    n = width(to)
    if not floats[0]:
        value = read(a[0], source)
        if floats[1]:
            f = FLOATS[to]
            r = f.round(value < 0, abs(value), 1, mode)
            return [f.unit(r) if 'sat' in mods else r]
        if 'sat' in mods:
            value = clamp(value, n, to[0] == 's')
        return [cut(sext(value, n) if to[0] == 's' else cut(value, n), dest_width)]
    g = FLOATS[source]
    x = cut(a[0], g.exponent + g.mantissa + 1)
    if 'ftz' in mods and source == 'f32':
        x = g.flush(x)
    value = g.read(x)
    if not floats[1]:
        if value == 'nan':
            r = 1 << (n - 1) if 64 in (n, width(source)) else 0
        elif value[1] == 'inf':
            r = clamp(-1 << 80 if value[0] else 1 << 80, n, to[0] == 's')
        else:
            r = clamp(integral(g, value, mode), n, to[0] == 's')
        return [cut(sext(r, n) if to[0] == 's' else cut(r, n), dest_width)]
    f = FLOATS[to]
    if mode.endswith('i') and value != 'nan' and value[1] != 'inf':
        total = integral(g, value, mode)
        value = (value[0], abs(total), 0)
    r = f.of(value, mode if mode in MODES else 'rn')
    if 'sat' in mods:
        r = f.unit(r)
    return [f.flush(r) if 'ftz' in mods and to == 'f32' else r]


def narrow(mods, mode, to, source, many, a):
    name, count = (many.group(1), int(many.group(2))) if many else (to, 1)
    space = {'e2m1': 4, 'e2m3': 8, 'e3m2': 8, 'e4m3': 8, 'e5m2': 8, 'ue8m0': 8, 'f16': 16, 'bf16': 16, 'tf32': 32}[name]
    packed = re.fullmatch(r'(\w+?)x2', source)
    if packed:
        source = packed.group(1)
        n = {'e2m1': 4, 'f16': 16, 'bf16': 16}.get(source, 8)
        values = [cut(a[0] >> n, n), cut(a[0], n)]
    else:
        values = [cut(x, width(source)) for x in a[:count]]
    result = 0
    for i, x in enumerate(values):
        rounding = mode
        if mode == 'rs':
            random = cut(a[count], 32)
            upper, lower = random >> 16, random & 0xffff
            if name in ('f16', 'bf16'):
                bits_of = 13 if name == 'f16' else 16
                rounding = (cut(upper if i == 0 else lower, bits_of), bits_of)
            elif name == 'e2m1':
                by = 8 if i < 2 else 0
                rounding = ((upper >> by & 255) << 8 | lower >> by & 255, 16)
            else:
                rounding = (upper if i < 2 else lower, 16)
        result = result << space | one(mods, rounding, name, source, x)
    return [result]


def one(mods, mode, name, source, x):
    if name == 'ue8m0':
        x = x << 16 if source == 'bf16' else x
        value = F32.read(x & 0x7fffffff)
        if value == 'nan':
            return 255
        if value[1] == 'inf':
            return 254 if 'satfinite' in mods else 255
        # The powers of two from 2^-127 on.
        number, power = value[1], value[2] + 127
        if number == 0:
            return 0
        exponent = number.bit_length() - 1 + power
        if mode == 'rp' and number & (number - 1):
            exponent += 1
        exponent = max(exponent, 0)
        return min(exponent, 254) if 'satfinite' in mods else min(exponent, 255)
    if source == 'ue8m0':
        return BF16.nan if x == 255 else BF16.of((False, 1, x - 127), 'rn')
    g, f = {**FLOATS, **SMALL}[source], {**FLOATS, **SMALL}[name]
    value = g.read(x)
    r = f.of(value, mode)
    if 'satfinite' in mods and value != 'nan' and (f.is_nan(r) or r & (f.sign - 1) > f.max):
        r = f.max | (f.sign if value[0] else 0)
    if value == 'nan' and f.top == 'finite':
        r = f.max
    if 'relu' in mods and not f.is_nan(r) and r & f.sign:
        r = 0
    return r << 13 if name == 'tf32' else r


RELATION = {
    **COMPARE, 'lo': COMPARE['lt'], 'ls': COMPARE['le'], 'hi': COMPARE['gt'], 'hs': COMPARE['ge'],
    'num': lambda o: True, 'nan': lambda o: False,
}


def holds(relation, t, flush, x, y):
    if t in FLOATS:
        f = FLOATS[t]
        x, y = (cut(v, f.exponent + f.mantissa + 1) for v in (x, y))
        if flush:
            x, y = f.flush(x), f.flush(y)
        o = order(f, x, y)
        if o is None:
            return relation == 'nan' or relation.endswith('u')
        return RELATION[relation.rstrip('u') if relation not in RELATION else relation](o)
    x, y = read(x, t), read(y, t)
    return RELATION[relation]((x > y) - (x < y))


def combine(mods, value, pred):
    value = bool(value)
    return value & pred if 'and' in mods else value | pred if 'or' in mods else value ^ pred if 'xor' in mods else value


def compare(op, mods, texts, a):
    relation, t = mods[0], mods[-1]
    parts = [t.replace('x2', '')] * (2 if 'x2' in t else 1)
    pred = None
    if any(m in ('and', 'or', 'xor') for m in mods):
        pred = bool(a[2] & 1) != texts[3].startswith('!')
    sets = [holds(relation, part, 'ftz' in mods, a[0] >> 16 * i, a[1] >> 16 * i) for i, part in enumerate(parts)]
    if op == 'setp':
        if '|' in texts[0] and len(sets) == 1:
            sets.append(not sets[0])
        sets = [int(combine(mods, value, pred)) for value in sets]
        return sets if '|' in texts[0] else sets[:1]
    to = mods[-2]
    element = to.replace('x2', '')
    n = width(element)
    if element in FLOATS:
        yes = FLOATS[element].bias << FLOATS[element].mantissa
    else:
        n, yes = (16, 0xffff) if len(sets) == 2 else (n, (1 << n) - 1)
    return [sum((yes if combine(mods, value, pred) else 0) << 16 * i for i, value in enumerate(sets))]


def tested(prop, t, x):
    f = FLOATS[t]
    x = cut(x, f.exponent + f.mantissa + 1) & ~f.sign
    subnormal = 0 < x < 1 << f.mantissa
    return int({'finite': x < f.inf, 'infinite': x == f.inf, 'number': x <= f.inf, 'notanumber': x > f.inf,
                'normal': 1 << f.mantissa <= x < f.inf, 'subnormal': subnormal}[prop])


def evaluate(form, a, carry):
    name, texts = form.rstrip(';').split(' ', 1)
    op, *mods = name.replace('::', ':').split('.')
    texts = [text.strip() for text in texts.split(', ')]
    t = mods[-1] if mods else ''
    if op in ('cvta', 'isspacep') or '%q' in form or 'approx' in mods or 'full' in mods:
        return None
    if op in ('setp', 'set'):
        return compare(op, mods, texts, a)
    if op == 'testp':
        return [tested(mods[0], t, a[0])]
    if op == 'selp':
        return [cut(a[0] if a[2] & 1 else a[1], width(t))]
    if op == 'slct':
        n, x = width(mods[-2]), cut(a[2], 32)
        if t == 'f32' and 'ftz' in mods:
            x = F32.flush(x)
        first = sext(x, 32) >= 0 if t == 's32' else not F32.is_nan(x) and (x >> 31 == 0 or x == 1 << 31)
        return [cut(a[0] if first else a[1], n)]
    if op == 'cvt':
        if 'pack' in mods:
            kind = mods[2]
            n = int(kind[1:])
            x, y = (cut(clamp(sext(v, 32), n, kind[0] == 's'), n) for v in a[:2])
            both = x << n | y
            return [both if n == 16 else cut(cut(a[2], 32) << 2 * n | both, 32)]
        dest = {'c': 8, 'h': 16, 'r': 32, 'd': 64}[texts[0][1]]
        return convert(mods, dest, a)
    if op == 'prmt':
        return [permute(t, a[0], a[1], cut(a[2], 32))]
    if op in ('dp4a', 'dp2a'):
        return dot(op, mods, a)
    if op == 'lop3':
        table = int(texts[4], 0)
        r = sum((table >> ((a[0] >> i & 1) << 2 | (a[1] >> i & 1) << 1 | a[2] >> i & 1) & 1) << i for i in range(32))
        if len(texts) == 5:
            return [r]
        pred = bool(a[3] & 1) != texts[5].startswith('!')
        p = int((r != 0) | pred if 'or' in mods else (r != 0) & pred)
        return [p] if texts[0].startswith('_') else [r, p]
    if op in ('and', 'or', 'xor', 'not') and t == 'pred':
        x, y = a[0] & 1, (a + [0])[1] & 1
        return [{'and': x & y, 'or': x | y, 'xor': x ^ y, 'not': 1 - x}[op]]
    if op == 'mov':
        return move(texts, t, a)
    if t in ('u16x2', 's16x2'):
        return [pairs(lambda *v: integer(op, mods, t[:3], list(v), 0)[0], 16, a)]
    if any(m.replace('x2', '') in FLOATS for m in mods):
        mixed = t in ('f16', 'bf16') and 'f32' in mods
        return floating(op, mods, 'f32' if mixed else t, t if mixed else None, a)
    return bits(op, mods, t, a) or integer(op, mods, t, a, carry)


def move(texts, t, a):
    if t == 'pred':
        return [a[0] & 1]
    n = width(t)
    if texts[0].startswith('{'):
        names = [text.strip('{}') for text in texts[:-1]]
        part = n // len(names)
        return [cut(a[0] >> part * i, part) for i, name in enumerate(names) if name != '_']
    if len(texts) > 2:
        part = n // (len(texts) - 1)
        return [sum(cut(x, part) << part * i for i, x in enumerate(a))]
    return [cut(a[0], n)]


def sources(form):
    """The registers that are read, in their order."""
    texts = form.rstrip(';').split(' ', 1)[1]
    dest = re.match(r'\{[^}]*\}|[^,]*', texts).group()
    return list(dict.fromkeys(re.findall(r'%[a-z]\d', texts[len(dest):])))


def main():
    streams = {}
    for line in sys.stdin:
        target, _, form = line.rstrip('\n').split('\t')
        if target == '-':
            continue
        names = sources(form)
        columns = [streams.setdefault(slot, list(operands(slot))) for slot in range(len(names) + 1)]
        digest, known = 0, True
        for row in zip(*columns):
            # A register has its width.
            a = [cut(x, {'p': 1, 'c': 8, 'h': 16, 'r': 32, 'd': 64}.get(name[1], 64)) for x, name in zip(row, names)]
            results = evaluate(form, a, row[-1] & 1)
            if results is None:
                known = False
                break
            for result in results:
                digest = ((digest ^ result) * 0x9e3779b97f4a7c15) & M64
                digest ^= digest >> 29
        if known:
            print(f'{digest:016x}', form, sep='\t')


if __name__ == '__main__':
    if sys.argv[1:]:
        # python3 oracle.py 'form;' <case>: one case, in full.
        form, case = sys.argv[1], int(sys.argv[2])
        names = sources(form)
        row = [list(operands(slot))[case] for slot in range(len(names) + 1)]
        a = [cut(x, {'p': 1, 'c': 8, 'h': 16, 'r': 32, 'd': 64}.get(name[1], 64)) for x, name in zip(row, names)]
        print(form, [hex(x) for x in a], 'carry', row[-1] & 1, '->', [hex(x) for x in evaluate(form, a, row[-1] & 1)])
    else:
        main()
