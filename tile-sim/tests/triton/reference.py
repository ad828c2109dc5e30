"""Writes the arguments of every case, and what they are after the launch, as NumPy computes it.

`python3 reference.py FOLDER` makes `FOLDER/<case>/launch`, a line for the grid and one per argument:

    grid X Y Z
    scalar HEX                         the bytes of a parameter
    buffer NUMBER TYPE VERDICT         the file NUMBER.start; VERDICT:
        same                           unchanged afterwards
        any                            contents afterwards say nothing
        equal                          afterwards NUMBER.expected, in TYPE
        close                          afterwards within NUMBER.allowed of NUMBER.expected, both f64
    map NUMBER TYPE VERDICT SHAPE      a tensor map of that buffer, rows contiguous
"""

import sys
from pathlib import Path

import numpy as np

from cases import CASES
from cases.case import TYPES, Descriptor, Out, Scratch


def buffer(folder, number, value):
    """Writes the files of one buffer; its words in the list."""
    if isinstance(value, (np.ndarray, Scratch)):
        start = value if isinstance(value, np.ndarray) else value.start
        verdict = "same" if isinstance(value, np.ndarray) else "any"
    else:
        start = value.start
        verdict = "equal" if value.is_exact() else "close"
        expected = value.expected.astype(value.dtype if value.is_exact() else np.float64)
        (folder / f"{number}.expected").write_bytes(expected.tobytes())
        if not value.is_exact():
            (folder / f"{number}.allowed").write_bytes(value.allowed().tobytes())
    (folder / f"{number}.start").write_bytes(start.tobytes())
    return f"{number} {TYPES[start.dtype]} {verdict}"


def lines(folder, launch):
    grid = [*launch.grid, 1, 1][:3]
    yield "grid " + " ".join(map(str, grid))
    for number, value in enumerate(launch.args):
        if isinstance(value, Descriptor):
            shape = value.of.expected.shape if isinstance(value.of, Out) else value.of.shape
            yield f"map {buffer(folder, number, value.of)} {'x'.join(map(str, shape))}"
        elif isinstance(value, (np.ndarray, Out, Scratch)):
            yield f"buffer {buffer(folder, number, value)}"
        elif isinstance(value, float):
            yield "scalar " + np.float32(value).tobytes().hex()
        elif value != 1:
            # Triton makes a constant of an argument that is 1.
            yield "scalar " + np.int32(value).tobytes().hex()


def main():
    for case in CASES.values():
        folder = Path(sys.argv[1]) / case.name
        folder.mkdir(parents=True, exist_ok=True)
        text = "".join(line + "\n" for line in lines(folder, case.launch()))
        (folder / "launch").write_text(text)


if __name__ == "__main__":
    main()
