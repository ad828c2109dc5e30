#!/usr/bin/env python3
"""Makes digits.txt from the file inside scikit-learn's wheel.

    python3 -m pip download --no-deps --dest wheel scikit-learn==1.9.1
    python3 make_digits.py wheel/*.whl > digits.txt
"""

import gzip
import sys
import zipfile

MEMBER = "sklearn/datasets/data/digits.csv.gz"
LEVELS = "0123456789abcdefg"
PIXELS = 64
IMAGES = 1797


def main():
    with zipfile.ZipFile(sys.argv[1]) as wheel:
        rows = gzip.decompress(wheel.read(MEMBER)).decode().splitlines()
    assert len(rows) == IMAGES, len(rows)
    for row in rows:
        *pixels, label = map(int, row.split(","))
        assert len(pixels) == PIXELS and 0 <= label <= 9, row
        print(f"{label} {''.join(LEVELS[pixel] for pixel in pixels)}")


main()
