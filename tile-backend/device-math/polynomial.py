"""Writes `src/polynomial.rs` and `../src/cpu/math/polynomial.rs`: the minimax polynomials of the functions, found by the
algorithm of Remez.

Run `python3 polynomial.py` in this folder. It needs mpmath, and takes half a minute.
"""

import struct
import subprocess
from pathlib import Path

from mpmath import atan, atanh, cos, cosh, exp, log, lu_solve, matrix, mp, mpf, pi, sin, sinh, sqrt, tan, tanh

mp.prec = 240
TINY = mpf(10) ** -24


def remez(function, weight, low, high, count):
    """Returns `count` coefficients, lowest power first, and the largest weighted error on [low, high]."""
    points = count + 1
    nodes = [
        (low + high) / 2 + (high - low) / 2 * cos(pi * (2 * (points - 1 - i) + 1) / (2 * points))
        for i in range(points)
    ]
    grid_size = 24 * points
    grid = [low + (high - low) * (1 - cos(pi * (i + mpf(1) / 2) / grid_size)) / 2 for i in range(grid_size)]
    for _ in range(12):
        system, right = matrix(points, points), matrix(points, 1)
        for i, x in enumerate(nodes):
            for j in range(count):
                system[i, j] = x**j
            system[i, count] = (-1) ** i / weight(x)
            right[i] = function(x)
        solution = lu_solve(system, right)
        coefficients = [solution[j] for j in range(count)]

        def error(x):
            total = mpf(0)
            for coefficient in reversed(coefficients):
                total = total * x + coefficient
            return weight(x) * (total - function(x))

        errors = [error(x) for x in grid]
        # The extremum of each run of errors of one sign is a node of the next step.
        extrema, best = [], 0
        for i in range(1, grid_size):
            if (errors[i] > 0) != (errors[best] > 0):
                extrema.append(best)
                best = i
            elif abs(errors[i]) > abs(errors[best]):
                best = i
        extrema.append(best)
        while len(extrema) > points:
            extrema.pop(0 if abs(errors[extrema[0]]) < abs(errors[extrema[-1]]) else -1)
        largest = max(abs(value) for value in errors)
        if len(extrema) < points or largest < abs(solution[count]) * mpf("1.02"):
            break
        nodes = [grid[i] for i in extrema]
    return coefficients, largest


def of_square(function):
    """The function of the square of the operand of `function`."""
    return lambda z: function(sqrt(z))


def near_zero(function, limit):
    """`function`, whose value at 0 is `limit`."""
    return lambda x: limit if abs(x) < mpf(10) ** -20 else function(x)


def size(x):
    return abs(x) + mpf(10) ** -12


LN2 = log(mpf(2))
HALF_LN2 = LN2 / 2 * mpf("1.01")
QUARTER_PI_SQUARE = (pi / 4) ** 2 * mpf("1.01")
THIRD = mpf("0.3335")

# name: what is approximated, text, weight, interval, number of coefficients for f32 and f64
POLYNOMIALS = {
    "COSH": (
        "(cosh(r) - 1) / r^2` in `r^2",
        of_square(lambda r: (cosh(r) - 1) / r**2),
        lambda z: z,
        (TINY, HALF_LN2**2),
        (3, 6),
    ),
    "SINH": (
        "(sinh(r) - r) / r^3` in `r^2",
        of_square(lambda r: (sinh(r) - r) / r**3),
        of_square(lambda r: r**3 / sinh(r)),
        (TINY, mpf("0.5")),
        (3, 7),
    ),
    "EXP": (
        "(e^r - 1 - r) / r^2",
        near_zero(lambda r: (exp(r) - 1 - r) / r**2, mpf(1) / 2),
        lambda r: size(r) ** 2 / exp(r),
        (-HALF_LN2, HALF_LN2),
        (0, 10),
    ),
    "EXP2": (
        "(2^t - 1 - t ln 2) / t^2",
        near_zero(lambda t: (mpf(2) ** t - 1 - t * LN2) / t**2, LN2**2 / 2),
        lambda t: size(t) ** 2 / mpf(2) ** t,
        (-mpf("0.505"), mpf("0.505")),
        (6, 10),
    ),
    "LOG": (
        "(ln(1 + f) - f + f^2 / 2) / f^3",
        near_zero(lambda f: (log(1 + f) - f + f * f / 2) / f**3, mpf(1) / 3),
        lambda f: size(f) ** 2 * near_zero(lambda f: f / log(1 + f), mpf(1))(f),
        (-THIRD, THIRD),
        (9, 0),
    ),
    "LOG2": (
        "(log2(1 + f) - f / ln 2) / f^2",
        near_zero(lambda f: (log(1 + f) - f) / LN2 / f**2, -1 / LN2 / 2),
        lambda f: size(f) * near_zero(lambda f: LN2 * f / log(1 + f), LN2)(f),
        (-THIRD, THIRD),
        (10, 0),
    ),
    "SIN": (
        "(sin(r) - r) / r^3` in `r^2",
        of_square(lambda r: (sin(r) - r) / r**3),
        of_square(lambda r: r**3 / sin(r)),
        (TINY, QUARTER_PI_SQUARE),
        (3, 6),
    ),
    "COS": (
        "(cos(r) - 1 + r^2 / 2) / r^4` in `r^2",
        of_square(lambda r: (cos(r) - 1 + r * r / 2) / r**4),
        lambda z: z * z,
        (TINY, QUARTER_PI_SQUARE),
        (3, 6),
    ),
    "TAN": (
        "(tan(r) - r) / r^3` in `r^2",
        of_square(lambda r: (tan(r) - r) / r**3),
        of_square(lambda r: r**3 / tan(r)),
        (TINY, QUARTER_PI_SQUARE),
        (7, 0),
    ),
    "TANH": (
        "(tanh(r) - r) / r^3` in `r^2",
        of_square(lambda r: (tanh(r) - r) / r**3),
        of_square(lambda r: r**3 / tanh(r)),
        (TINY, mpf("0.43")),
        (5, 12),
    ),
    "ATAN": (
        "(atan(q) - q) / q^3` in `q^2",
        of_square(lambda q: (atan(q) - q) / q**3),
        of_square(lambda q: q**3 / atan(q)),
        (TINY, mpf(1)),
        (9, 20),
    ),
    "ATANH": (
        "(atanh(s) - s - s^3 / 3) / s^5` in `s^2",
        of_square(lambda s: (atanh(s) - s - s**3 / 3) / s**5),
        lambda z: z * z,
        (TINY, mpf("0.0402")),
        (4, 9),
    ),
}

# Those of native code alone. `pow` of f32 is computed in f64, with the coefficients of `LOG_NARROW` and `EXP_NARROW`.
HOST_POLYNOMIALS = POLYNOMIALS | {
    "EXP": POLYNOMIALS["EXP"][:-1] + ((5, 10),),
    "TANH": POLYNOMIALS["TANH"][:-1] + ((0, 12),),
    "ATANH": POLYNOMIALS["ATANH"][:-1] + ((0, 9),),
    "EXP_NARROW": POLYNOMIALS["EXP"][:-1] + ((0, 6),),
    "LOG_NARROW": (
        "(2 atanh(s) - 2 s) / s^3` in `s^2",
        of_square(lambda s: (2 * atanh(s) - 2 * s) / s**3),
        lambda z: z,
        (TINY, mpf("0.0402")),
        (0, 6),
    ),
}


def literal(value, single):
    """The bits of the nearest f32 or f64."""
    bits = struct.pack(">f" if single else ">d", float(value)).hex()
    groups = "_".join(bits[i : i + 4] for i in range(0, len(bits), 4))
    return f"{'f32' if single else 'f64'}::from_bits(0x{groups})"


def module(polynomials, single, visibility):
    ty = "f32" if single else "f64"
    parts = []
    for name, (text, function, weight, interval, counts) in polynomials.items():
        count = counts[0 if single else 1]
        if count == 0:
            continue
        coefficients, error = remez(function, weight, *interval, count)
        lines = "".join(f"        {literal(value, single)},\n" for value in coefficients)
        parts.append(
            f"    /// `{text}`; the error is at most 2^{float(mp.log(error, 2)):.1f} of the function.\n"
            f"    {visibility} const {name}: [{ty}; {count}] = [\n{lines}    ];\n"
        )
    return f"\n/// For {ty}.\n{visibility} mod {'single' if single else 'double'} {{\n" + "\n".join(parts) + "}\n"


def nearest(value):
    """The nearest f32."""
    return mpf(struct.unpack(">f", struct.pack(">f", float(value)))[0])


def tanh_pieces():
    """`tanh` of f32 in 32 pieces, four for each power of two from 1/16 on; the first one begins at 0.

    A piece is a polynomial in the distance from its center: a number near its middle for which `tanh` is almost an f32, so that
    the rounding of the first coefficient is no error. The number of a piece is the low 5 bits of what precedes the low 21 bits
    of its numbers.
    """
    pieces, largest = {}, mpf(0)
    for octave in range(-4, 4):
        for quarter in range(4):
            low = mpf(2) ** octave * (4 + quarter) / 4
            high = low + mpf(2) ** octave / 4
            if (octave, quarter) == (-4, 0):
                low, center = mpf(0), mpf(0)
            else:
                step = (high - low) / 4096
                candidates = [nearest((low + high) / 2 + i * step) for i in range(-512, 513)]
                center = min(candidates, key=lambda x: abs(tanh(x) / nearest(tanh(x)) - 1))
            first = nearest(tanh(center))
            slope = 1 / cosh(center) ** 2
            function = near_zero(lambda y: (tanh(center + y) - first) / y, slope)
            weight = near_zero(lambda y: y / tanh(center + y), mpf(1) if center == 0 else mpf(0))
            coefficients, error = remez(function, lambda y: abs(weight(y)) + TINY, low - center, high - center, 5)
            largest = max(largest, error)
            bits = int.from_bytes(struct.pack(">f", float((low + high) / 2)), "big") >> 21
            if low == 0:
                bits = int.from_bytes(struct.pack(">f", float(mpf(2) ** octave)), "big") >> 21
            pieces[bits & 31] = [center, first, *coefficients]
    rows = []
    for column in zip(*(pieces[number] for number in range(32))):
        rows.append("    [\n" + "".join(f"        {literal(value, True)},\n" for value in column) + "    ],\n")
    return (
        "\n/// `tanh` of f32 in pieces: the centers, and then the coefficients of polynomials in the distance from the center. The\n"
        "/// number of a piece is the low 5 bits of what precedes the low 21 bits of its numbers, from 1/16 to 16; that of 1/16\n"
        f"/// begins at 0. The error is at most 2^{float(mp.log(largest, 2)):.1f} of the function.\n"
        "pub(crate) const TANH_PIECES: [[f32; 32]; 7] = [\n" + "".join(rows) + "];\n"
    )


folder = Path(__file__).parent
for path, polynomials, visibility in [
    (folder / "src" / "polynomial.rs", POLYNOMIALS, "pub"),
    (folder.parent / "src" / "cpu" / "math" / "polynomial.rs", HOST_POLYNOMIALS, "pub(crate)"),
]:
    path.write_text(
        "//! Coefficients of polynomials, that of the lowest power first. `polynomial.py` computes and writes them.\n"
        + module(polynomials, True, visibility)
        + module(polynomials, False, visibility)
        + (tanh_pieces() if polynomials is HOST_POLYNOMIALS else "")
    )
    subprocess.run(["rustfmt", str(path)], check=True)
