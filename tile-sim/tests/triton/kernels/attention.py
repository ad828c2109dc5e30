"""Attention with online softmax, forward and backward."""

import triton
import triton.language as tl


@triton.jit
def forward(q, k, v, out, lse, scale, N, CAUSAL: tl.constexpr, D: tl.constexpr, BM: tl.constexpr, BN: tl.constexpr):
    head = tl.program_id(1)
    q += head * N * D
    k += head * N * D
    v += head * N * D
    rm = tl.program_id(0) * BM + tl.arange(0, BM)
    rd = tl.arange(0, D)
    vq = tl.load(q + rm[:, None] * D + rd[None, :])
    largest = tl.full((BM,), -float("inf"), tl.float32)
    total = tl.zeros((BM,), tl.float32)
    acc = tl.zeros((BM, D), tl.float32)
    factor = scale * 1.4426950408889634
    end = tl.minimum((tl.program_id(0) + 1) * BM, N) if CAUSAL else N
    for start in range(0, end, BN):
        rn = start + tl.arange(0, BN)
        vk = tl.load(k + rn[None, :] * D + rd[:, None])
        s = tl.dot(vq, vk) * factor
        if CAUSAL:
            s = tl.where(rm[:, None] >= rn[None, :], s, -float("inf"))
        new = tl.maximum(largest, tl.max(s, 1))
        p = tl.exp2(s - new[:, None])
        alpha = tl.exp2(largest - new)
        total = total * alpha + tl.sum(p, 1)
        acc = acc * alpha[:, None]
        vv = tl.load(v + rn[:, None] * D + rd[None, :])
        acc = tl.dot(p.to(vv.dtype), vv, acc)
        largest = new
    acc = acc / total[:, None]
    tl.store(lse + head * N + rm, largest + tl.log2(total))
    tl.store(out + head * N * D + rm[:, None] * D + rd[None, :], acc.to(out.dtype.element_ty))


@triton.jit
def forward_descriptors(q, k, v, out, scale, N, HEADS, WARPS: tl.constexpr, D: tl.constexpr, BM: tl.constexpr,
                        BN: tl.constexpr):
    dq = tl.make_tensor_descriptor(q, (HEADS * N, D), (D, 1), (BM, D))
    dk = tl.make_tensor_descriptor(k, (HEADS * N, D), (D, 1), (BN, D))
    dv = tl.make_tensor_descriptor(v, (HEADS * N, D), (D, 1), (BN, D))
    do = tl.make_tensor_descriptor(out, (HEADS * N, D), (D, 1), (BM, D))
    row = tl.program_id(1) * N
    vq = dq.load((row + tl.program_id(0) * BM, 0))
    largest = tl.full((BM,), -float("inf"), tl.float32)
    total = tl.zeros((BM,), tl.float32)
    acc = tl.zeros((BM, D), tl.float32)
    factor = scale * 1.4426950408889634
    for start in tl.range(0, N, BN, warp_specialize=WARPS):
        s = tl.dot(vq, dk.load((row + start, 0)).T) * factor
        new = tl.maximum(largest, tl.max(s, 1))
        p = tl.exp2(s - new[:, None])
        alpha = tl.exp2(largest - new)
        total = total * alpha + tl.sum(p, 1)
        acc = acc * alpha[:, None]
        acc = tl.dot(p.to(tl.float16), dv.load((row + start, 0)), acc)
        largest = new
    acc = acc / total[:, None]
    do.store((row + tl.program_id(0) * BM, 0), acc.to(tl.float16))


@triton.jit
def delta(out, gradient, result, N, D: tl.constexpr, BM: tl.constexpr):
    """Sums of `out * gradient` over a row."""
    rm = tl.program_id(0) * BM + tl.arange(0, BM)
    at = rm[:, None] * D + tl.arange(0, D)[None, :]
    m = rm[:, None] < N
    o = tl.load(out + at, mask=m, other=0.0).to(tl.float32)
    g = tl.load(gradient + at, mask=m, other=0.0).to(tl.float32)
    tl.store(result + rm, tl.sum(o * g, axis=1), mask=rm < N)


@triton.jit
def backward_keys(q, k, v, do, lse, delta, dk, dv, scale, N, D: tl.constexpr, BM: tl.constexpr, BN: tl.constexpr):
    """Gradients of keys and values of one block of keys."""
    rn = tl.program_id(0) * BN + tl.arange(0, BN)
    rd = tl.arange(0, D)
    vk = tl.load(k + rn[:, None] * D + rd[None, :])
    vv = tl.load(v + rn[:, None] * D + rd[None, :])
    gk = tl.zeros((BN, D), tl.float32)
    gv = tl.zeros((BN, D), tl.float32)
    for start in range(0, N, BM):
        rm = start + tl.arange(0, BM)
        vq = tl.load(q + rm[:, None] * D + rd[None, :])
        vo = tl.load(do + rm[:, None] * D + rd[None, :])
        l = tl.load(lse + rm)
        di = tl.load(delta + rm)
        pt = tl.exp2(tl.dot(vk, tl.trans(vq)) * (scale * 1.4426950408889634) - l[None, :])
        gv = tl.dot(pt.to(vo.dtype), vo, gv)
        dpt = tl.dot(vv, tl.trans(vo))
        dst = pt * (dpt - di[None, :])
        gk = tl.dot(dst.to(vq.dtype), vq, gk)
    tl.store(dk + rn[:, None] * D + rd[None, :], gk * scale)
    tl.store(dv + rn[:, None] * D + rd[None, :], gv)


@triton.jit
def backward_queries(q, k, v, do, lse, delta, dq, scale, N, D: tl.constexpr, BM: tl.constexpr, BN: tl.constexpr):
    """Gradients of one block of queries."""
    rm = tl.program_id(0) * BM + tl.arange(0, BM)
    rd = tl.arange(0, D)
    vq = tl.load(q + rm[:, None] * D + rd[None, :])
    vo = tl.load(do + rm[:, None] * D + rd[None, :])
    l = tl.load(lse + rm)
    di = tl.load(delta + rm)
    g = tl.zeros((BM, D), tl.float32)
    for start in range(0, N, BN):
        rn = start + tl.arange(0, BN)
        kt = tl.load(k + rn[None, :] * D + rd[:, None])
        vt = tl.load(v + rn[None, :] * D + rd[:, None])
        p = tl.exp2(tl.dot(vq, kt) * (scale * 1.4426950408889634) - l[:, None])
        ds = p * (tl.dot(vo, vt) - di[:, None])
        g = tl.dot(ds.to(kt.dtype), tl.trans(kt), g)
    tl.store(dq + rm[:, None] * D + rd[None, :], g * scale)


@triton.jit
def paged_decode(q, k, v, pages, lengths, out, scale, MOST, PAGE: tl.constexpr, HEADS: tl.constexpr, D: tl.constexpr):
    """One query per sequence and head against keys that lie in pages."""
    sequence = tl.program_id(0)
    head = tl.program_id(1)
    rd = tl.arange(0, D)
    vq = tl.load(q + (sequence * HEADS + head) * D + rd).to(tl.float32)
    length = tl.load(lengths + sequence)
    largest = -float("inf")
    total = 0.0
    acc = tl.zeros((D,), tl.float32)
    for p in range(0, tl.cdiv(length, PAGE)):
        page = tl.load(pages + sequence * MOST + p)
        rn = tl.arange(0, PAGE)
        m = p * PAGE + rn < length
        at = ((page * PAGE + rn)[:, None] * HEADS + head) * D + rd[None, :]
        vk = tl.load(k + at, mask=m[:, None], other=0.0).to(tl.float32)
        s = tl.where(m, tl.sum(vk * vq[None, :], axis=1) * scale, -float("inf"))
        new = tl.maximum(largest, tl.max(s, 0))
        e = tl.exp(s - new)
        alpha = tl.exp(largest - new)
        total = total * alpha + tl.sum(e, 0)
        vv = tl.load(v + at, mask=m[:, None], other=0.0).to(tl.float32)
        acc = acc * alpha + tl.sum(e[:, None] * vv, axis=0)
        largest = new
    tl.store(out + (sequence * HEADS + head) * D + rd, acc / total)
