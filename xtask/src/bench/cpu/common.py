"""What the kernels of NumPy and those of PyTorch share: the inputs, and the lines that are read and answered
(`benches/cpu/main.rs` says which). The file with the kernels follows."""

import sys
import time

import numpy as np


def elements(seed, *shape):
    """The numbers of `elements` in `benches/cpu/case.rs`: from -0.5 to below 0.5."""
    count = int(np.prod(shape))
    bits = np.arange(count, dtype=np.uint32)
    bits += np.uint32(seed * 0x01000193 & 0xFFFFFFFF)
    bits *= np.uint32(0x9E3779B1)
    bits = (bits ^ (bits >> np.uint32(15))) * np.uint32(0x85EBCA6B)
    bits ^= bits >> np.uint32(13)
    numbers = (bits >> np.uint32(8)).astype(np.float32)
    return (numbers / np.float32(1 << 24) - np.float32(0.5)).reshape(shape)


def integers(seed, count, end):
    """The numbers of `integers` in `benches/cpu/case.rs`: from 0 to below `end`."""
    return ((elements(seed, count).astype(np.float64) + 0.5) * end).astype(np.int32)


def small_integers(seed, *shape):
    return np.trunc(elements(seed, *shape) * np.float32(254)).astype(np.int8)


def groups_of_rows(groups):
    """The first and the last row of each group."""
    ends = np.cumsum([(group % 4 + 1) * 64 for group in range(groups)]).tolist()
    return list(zip([0, *ends], ends))


def sparse_matrix(rows):
    starts = np.concatenate([[0], np.cumsum(integers(1, rows, 65))]).astype(np.int64)
    count = int(starts[-1])
    return starts, integers(2, count, rows).astype(np.int64), elements(3, count)


def serve(version, kernels, as_array, threads):
    """Answers lines. A kernel takes the sizes and returns a function that runs it, and a function that returns its
    outputs."""
    cases = {}

    def case(kernel, sizes):
        if (kernel, sizes) not in cases:
            numbers = [int(size) for size in sizes.split("x")]
            cases[kernel, sizes] = kernels[kernel](*numbers)
        return cases[kernel, sizes]

    def answer(words):
        if words == ["version"]:
            return version
        if words == ["threads"]:
            return str(threads)
        if words == ["kernels"]:
            return " ".join(kernels)
        if words == ["forget"]:
            cases.clear()
            return "ok"
        if words[0] == "time":
            run, _ = case(words[1], words[2])
            start, runs = time.perf_counter(), []
            # A run of seconds says enough.
            while not runs or runs[-1] < 2 and (len(runs) < 3 or time.perf_counter() - start < float(words[3])):
                begin = time.perf_counter()
                run()
                runs.append(time.perf_counter() - begin)
            return " ".join(f"{seconds:.9f}" for seconds in runs)
        if words[0] == "result":
            run, outputs = case(words[1], words[2])
            run()
            with open(words[3], "wb") as file:
                for output in outputs():
                    numbers = as_array(output)
                    np.array([numbers.size], "<u8").tofile(file)
                    numbers.astype("<f8").tofile(file)
            return "ok"
        raise ValueError(f"{words} is no command")

    for line in sys.stdin:
        print(answer(line.split()), flush=True)


KERNELS = {}


def kernel(maker):
    KERNELS[maker.__name__] = maker
    return maker
