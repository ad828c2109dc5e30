"""Atomic operations on global memory."""

import triton
import triton.language as tl


@triton.jit
def reduce_all(x, cells, n, BLOCK: tl.constexpr):
    """One cell for each operation."""
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    m = i < n
    v = tl.load(x + i, mask=m, other=0)
    one = tl.zeros((BLOCK,), tl.int32)
    tl.atomic_add(cells + one, v, mask=m)
    tl.atomic_max(cells + one + 1, v, mask=m)
    tl.atomic_min(cells + one + 2, v, mask=m)
    tl.atomic_and(cells + one + 3, v, mask=m)
    tl.atomic_or(cells + one + 4, v, mask=m)
    tl.atomic_xor(cells + one + 5, v, mask=m)


@triton.jit
def scatter_add(x, index, out, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    m = i < n
    to = tl.load(index + i, mask=m, other=0)
    tl.atomic_add(out + to, tl.load(x + i, mask=m, other=0.0), mask=m, sem="relaxed")


@triton.jit
def add_block(x, out, R: tl.constexpr, C: tl.constexpr):
    """Neighbours of one lane go in one packed instruction where the type has one."""
    at = tl.arange(0, R)[:, None] * C + tl.arange(0, C)[None, :]
    tl.atomic_add(out + at, tl.load(x + tl.program_id(0) * R * C + at))


@triton.jit
def float_extremes(x, cells, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    m = i < n
    v = tl.load(x + i, mask=m, other=0.0)
    one = tl.zeros((BLOCK,), tl.int32)
    tl.atomic_max(cells + one, v, mask=m)
    tl.atomic_min(cells + one + 1, v, mask=m)


@triton.jit
def tickets(order, counter):
    """Every block draws a number and stores it under the number."""
    ticket = tl.atomic_add(counter, 1)
    tl.store(order + ticket, ticket * 3)


@triton.jit
def lock_step(total, lock, rounds):
    """A counter that is not atomic, within a lock."""
    for _ in range(rounds):
        while tl.atomic_cas(lock, 0, 1, sem="acquire") == 1:
            pass
        now = tl.load(total)
        # All threads load, one stores.
        tl.debug_barrier()
        tl.store(total, now + 1)
        tl.debug_barrier()
        tl.atomic_xchg(lock, 0, sem="release")


@triton.jit
def lock_step_racy(total, lock, rounds):
    """As above, but a thread may store before another has loaded."""
    for _ in range(rounds):
        while tl.atomic_cas(lock, 0, 1, sem="acquire") == 1:
            pass
        tl.store(total, tl.load(total) + 1)
        tl.debug_barrier()
        tl.atomic_xchg(lock, 0, sem="release")


@triton.jit
def exchange(x, old, out, BLOCK: tl.constexpr):
    i = tl.arange(0, BLOCK)
    tl.store(old + i, tl.atomic_xchg(out + i, tl.load(x + i), scope="sys"))


@triton.jit
def last_block_sums(x, partial, counter, out, n, BLOCK: tl.constexpr, BLOCKS: tl.constexpr):
    """Each block stores a part; the one that comes last adds them up."""
    block = tl.program_id(0)
    i = block * BLOCK + tl.arange(0, BLOCK)
    tl.store(partial + block, tl.sum(tl.load(x + i, mask=i < n, other=0.0), axis=0))
    tl.debug_barrier()
    if tl.atomic_add(counter, 1, sem="acq_rel") == BLOCKS - 1:
        tl.store(out, tl.sum(tl.load(partial + tl.arange(0, BLOCKS)), axis=0))
