"""Cases of `kernels/explicit.py`."""

import numpy as np

from .case import Launch, Out, case, integers, normal, wide
from .matmul import ACCUMULATED, operands


def async_groups(r):
    n = 900
    x = normal(r, n)
    factor = np.where(np.arange(n) % 512 < 256, 2, 3)
    return Launch((2,), [x, Out(wide(x) * factor, np.float32), n])


case("async_groups", "explicit.async_groups", async_groups, warps=2, BLOCK=256)


def async_barrier(r):
    x = normal(r, 512)
    return Launch((2,), [x, Out(wide(x) + 1, np.float32)])


case("async_barrier", "explicit.async_barrier", async_barrier, warps=2, BLOCK=256)


def histogram(r):
    x = integers(r, 0, 63, 1000)
    return Launch((1,), [x, Out(np.bincount(x, minlength=64).astype(np.int32)), 1000])


case("shared_histogram", "explicit.shared_histogram", histogram, BINS=64, BLOCK=256)


def permutation(r):
    rows, columns = 16, 32
    x = normal(r, rows, columns)
    index = np.stack([r.permutation(columns) for _ in range(rows)]).astype(np.int32)
    y = np.zeros_like(x)
    np.put_along_axis(y, index, x, 1)
    return Launch((1,), [x, index, Out(np.ascontiguousarray(y.T))])


case("shared_permutation", "explicit.shared_permutation", permutation, warps=2, R=16, C=32)


def multicast(r):
    x = normal(r, 64, 32, dtype=np.float16)
    return Launch((2,), [x, Out(wide(x) * 2, np.float16), 64, 32])


case("multicast", "explicit.multicast", multicast, archs=(90,), ctas=2, BM=32, BN=32)


def wgmma_pipeline(r):
    m, n, k = 128, 64, 320
    a, b = operands(r, m, n, k, np.float16)
    return Launch((2, 1), [a, b, Out(wide(a) @ wide(b), np.float32, abs=ACCUMULATED), m, n, k])


case("wgmma_pipeline", "explicit.wgmma_pipeline", wgmma_pipeline, archs=(90,), BM=64, BN=64, BK=64, STAGES=3)


def producer_consumer(r):
    x = normal(r, 32, 320)
    return Launch((2,), [x, Out(wide(x).sum(1), np.float32, abs=1e-4), 32, 320])


case("producer_consumer", "explicit.producer_consumer", producer_consumer, archs=(90,), BM=16, BN=32, STAGES=3)


def round_trip(r):
    x = normal(r, 40, 72)
    return Launch((2, 3), [x, Out(wide(x) ** 2, np.float32), 40, 72])


case("bulk_round_trip", "explicit.bulk_round_trip", round_trip, archs=(90,), BM=32, BN=32)


def exchange(r):
    x = normal(r, 32, 64)
    return Launch((1,), [x, Out(np.ascontiguousarray(x.T))])


case("cluster_exchange", "explicit.cluster_exchange", exchange, archs=(90,), ctas=2, R=32, C=64)
