"""Cases of `kernels/attention.py`."""

import numpy as np

from .case import BF16, Launch, Out, case, integers, normal, wide


def exact(q, k, v, scale, causal):
    s = wide(q) @ np.swapaxes(wide(k), -1, -2) * scale
    if causal:
        s = np.where(np.tril(np.ones(s.shape[-2:], bool)), s, -np.inf)
    largest = s.max(-1, keepdims=True)
    p = np.exp(s - largest)
    total = p.sum(-1, keepdims=True)
    return p / total, (largest + np.log(total))[..., 0]


def error(dtype):
    """Of probabilities rounded to the operands' type."""
    return 2e-3 if dtype == np.float16 else 1.6e-2


def forward(heads, n, d, bm, dtype, causal):
    def build(r):
        q, k, v = (normal(r, heads, n, d, dtype=dtype) for _ in range(3))
        scale = 0.125
        p, lse = exact(q, k, v, scale, causal)
        outs = [Out(p @ wide(v), dtype, abs=error(dtype)), Out(lse / np.log(2), np.float32, abs=2e-4)]
        return Launch((n // bm, heads), [q, k, v, *outs, scale, n])
    return build


case("attention_f16", "attention.forward", forward(2, 64, 32, 32, np.float16, False), CAUSAL=False, D=32, BM=32, BN=32)
case("attention_f16_causal", "attention.forward", forward(1, 128, 64, 64, np.float16, True),
     archs=(80, 90, 100), CAUSAL=True, D=64, BM=64, BN=32)
case("attention_lines", "attention.forward", forward(1, 64, 32, 64, np.float16, True), lines=True, CAUSAL=True, D=32,
     BM=64, BN=32)
case("attention_bf16_stages_2", "attention.forward", forward(1, 128, 64, 64, BF16, False), stages=2, CAUSAL=False,
     D=64, BM=64, BN=64)
case("attention_f16_eight_warps", "attention.forward", forward(1, 128, 64, 128, np.float16, False),
     archs=(80, 90, 100), warps=8, CAUSAL=False, D=64, BM=128, BN=64)


def descriptors(rows):
    def build(r):
        heads, n, d = 2, 128, 64
        q, k, v = (normal(r, heads, n, d, dtype=np.float16) for _ in range(3))
        p, _ = exact(q, k, v, 0.125, False)
        return Launch((n // rows, heads), [q, k, v, Out(p @ wide(v), np.float16, abs=2e-3), 0.125, n, heads])
    return build


case("attention_descriptors", "attention.forward_descriptors", descriptors(64), archs=(80, 90, 100), WARPS=False,
     D=64, BM=64, BN=64)
case("attention_specialized", "attention.forward_descriptors", descriptors(128), archs=(90, 100, 120), WARPS=True, D=64,
     BM=128, BN=64)


def delta(r):
    n, d = 50, 64
    o, g = normal(r, n, d, dtype=np.float16), normal(r, n, d, dtype=np.float16)
    return Launch((4,), [o, g, Out((wide(o) * wide(g)).sum(1), np.float32, abs=1e-5), n])


case("attention_delta", "attention.delta", delta, archs=(80, 90, 100), D=64, BM=16)


def saved(r):
    n, d, scale = 64, 32, 0.2
    q, k, v, do = (normal(r, n, d, dtype=np.float16) for _ in range(4))
    p, lse = exact(q, k, v, scale, False)
    dp = wide(do) @ wide(v).T
    d_row = ((p @ wide(v)) * wide(do)).sum(1)
    ds = p * (dp - d_row[:, None])
    return (q, k, v, do, (lse / np.log(2)).astype(np.float32), d_row.astype(np.float32)), p, ds, scale, n


def backward_keys(r):
    saves, p, ds, scale, n = saved(r)
    q, _, _, do = saves[:4]
    outs = [Out(ds.T @ wide(q) * scale, np.float32, abs=1e-2), Out(p.T @ wide(do), np.float32, abs=1e-2)]
    return Launch((2,), [*saves, *outs, scale, n])


def backward_queries(r):
    saves, _, ds, scale, n = saved(r)
    return Launch((2,), [*saves, Out(ds @ wide(saves[1]) * scale, np.float32, abs=1e-2), scale, n])


case("attention_backward_keys", "attention.backward_keys", backward_keys, D=32, BM=32, BN=32)
case("attention_backward_queries", "attention.backward_queries", backward_queries, D=32, BM=32, BN=32)


def paged(r):
    sequences, heads, d, page, most, pages = 3, 2, 32, 16, 4, 16
    q = normal(r, sequences, heads, d, dtype=np.float16)
    k, v = (normal(r, pages, page, heads, d, dtype=np.float16) for _ in range(2))
    table = r.permutation(pages)[: sequences * most].reshape(sequences, most).astype(np.int32)
    lengths = integers(r, 5, page * most, sequences)
    out = np.zeros((sequences, heads, d))
    for s in range(sequences):
        keys = wide(k)[table[s]].reshape(-1, heads, d)[: lengths[s]]
        values = wide(v)[table[s]].reshape(-1, heads, d)[: lengths[s]]
        for h in range(heads):
            w = keys[:, h] @ wide(q)[s, h] * 0.2
            w = np.exp(w - w.max())
            out[s, h] = (w / w.sum()) @ values[:, h]
    return Launch((sequences, heads), [q, k, v, table, lengths, Out(out, np.float32, abs=1e-5), 0.2, most])


case("attention_paged_decode", "attention.paged_decode", paged, archs=(80, 90, 100), PAGE=16, HEADS=2, D=32)
