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
