"""The kernels of `benches/cpu` as one writes them with PyTorch, in eager mode: `torch.compile` is not used. Results go
to memory that was allocated before, where PyTorch has a form for that."""

import os
import warnings

import torch
from torch.nn import functional as F

warnings.filterwarnings("ignore")
torch.set_num_threads(int(os.environ["OMP_NUM_THREADS"]))
torch.set_grad_enabled(False)
aten = torch.ops.aten


def tensor(seed, *shape):
    return torch.from_numpy(elements(seed, *shape))


@kernel
def add(n):
    a, b = tensor(1, n), tensor(2, n)
    out = torch.zeros(n)
    return lambda: torch.add(a, b, out=out), lambda: [out]


@kernel
def chain4(n):
    a, b, c = tensor(1, n), tensor(2, n), tensor(3, n)
    out = torch.zeros(n)

    def run():
        torch.add(a, b, out=out)
        out.mul_(c).abs_().sqrt_()

    return run, lambda: [out]


@kernel
def chain8(n):
    a, b, c = tensor(1, n), tensor(2, n), tensor(3, n)
    out = torch.zeros(n)

    def run():
        torch.add(a, b, out=out)
        out.mul_(c).abs_().sqrt_().neg_().exp_().mul_(a)
        torch.maximum(out, b, out=out)

    return run, lambda: [out]


@kernel
def gelu(n):
    x = tensor(1, n)
    out = torch.zeros(n)
    return lambda: aten.gelu.out(x, approximate="tanh", out=out), lambda: [out]


@kernel
def swiglu(rows, columns):
    gate, up = tensor(1, rows, columns), tensor(2, rows, columns)
    out = torch.zeros(rows, columns)
    return lambda: aten.silu.out(gate, out=out).mul_(up), lambda: [out]


@kernel
def rope(tokens, heads):
    x = tensor(1, tokens, heads, 128)
    cos, sin = tensor(2, tokens, 1, 64), tensor(3, tokens, 1, 64)
    out = torch.zeros_like(x)
    left, right = x[..., :64], x[..., 64:]
    out_left, out_right = out[..., :64], out[..., 64:]

    def run():
        torch.mul(left, cos, out=out_left).addcmul_(right, sin, value=-1)
        torch.mul(right, cos, out=out_right).addcmul_(left, sin)

    return run, lambda: [out]


@kernel
def softmax(rows, columns):
    x = tensor(1, rows, columns)
    out = torch.zeros_like(x)
    return lambda: torch.softmax(x, -1, out=out), lambda: [out]


@kernel
def layer_norm(rows, columns):
    x, w, b = tensor(1, rows, columns), tensor(2, columns), tensor(3, columns)
    y, means, scales = torch.zeros_like(x), torch.zeros(rows, 1), torch.zeros(rows, 1)

    def run():
        aten.native_layer_norm.out(x, [columns], w, b, 1e-5, out0=y, out1=means, out2=scales)

    return run, lambda: [y, means, scales]


@kernel
def layer_norm_backward(rows, columns):
    dy, x, w = tensor(1, rows, columns), tensor(2, rows, columns), tensor(3, columns)
    b = torch.zeros(columns)
    means, scales = tensor(4, rows, 1), tensor(5, rows, 1)
    dx, dw, db = torch.zeros_like(x), torch.zeros(columns), torch.zeros(columns)

    def run():
        aten.native_layer_norm_backward.out(
            dy, x, [columns], means, scales, w, b, [True, True, True], out0=dx, out1=dw, out2=db
        )

    return run, lambda: [dx, dw, db]


@kernel
def rms_norm(rows, columns):
    x, residual, w = tensor(1, rows, columns), tensor(2, rows, columns), tensor(3, columns)
    total = torch.zeros_like(x)
    result = [None]

    def run():
        torch.add(x, residual, out=total)
        result[0] = F.rms_norm(total, [columns], w, 1e-5)

    return run, lambda: [total, result[0]]


@kernel
def cross_entropy(rows, columns):
    logits = tensor(1, rows, columns)
    labels = torch.from_numpy(integers(2, rows, columns)).long()
    result = [None]

    def run():
        result[0] = F.cross_entropy(logits, labels, reduction="none")

    return run, lambda: [result[0]]


@kernel
def cumulative_sum(rows, columns):
    x = tensor(1, rows, columns)
    out = torch.zeros_like(x)
    return lambda: torch.cumsum(x, -1, out=out), lambda: [out]


@kernel
def top_k(rows, columns):
    x = tensor(1, rows, columns)
    out = torch.zeros(rows, 8), torch.zeros(rows, 8, dtype=torch.int64)
    return lambda: torch.topk(x, 8, out=out), lambda: [out[0], x.gather(1, out[1])]


@kernel
def histogram(n):
    levels = torch.from_numpy(integers(1, n, 256).astype(np.uint8))
    result = [None]

    def run():
        result[0] = torch.bincount(levels, minlength=256)

    return run, lambda: [result[0]]


@kernel
def transpose(rows, columns):
    x = tensor(1, rows, columns)
    out = torch.zeros(columns, rows)
    return lambda: out.copy_(x.t()), lambda: [out]


@kernel
def stencil(rows, columns):
    x, weights = tensor(1, 1, 1, rows, columns), tensor(2, 1, 1, 3, 3)
    out = torch.zeros_like(x)

    def run():
        aten.convolution.out(x, weights, None, [1, 1], [1, 1], [1, 1], False, [0, 0], 1, out=out)

    return run, lambda: [out]


@kernel
def product_f32(n):
    a, b, out = tensor(1, n, n), tensor(2, n, n), torch.zeros(n, n)
    return lambda: torch.mm(a, b, out=out), lambda: [out]


@kernel
def product_bf16(n):
    a, b = tensor(1, n, n).bfloat16(), tensor(2, n, n).bfloat16()
    out = torch.zeros(n, n, dtype=torch.bfloat16)
    return lambda: torch.mm(a, b, out=out), lambda: [out]


@kernel
def product_i8(n):
    a, b = (torch.from_numpy(small_integers(seed, n, n)) for seed in (1, 2))
    out = torch.zeros(n, n, dtype=torch.int32)
    return lambda: torch._int_mm(a, b, out=out), lambda: [out]


@kernel
def batched_product(batch, n):
    a, b, out = tensor(1, batch, n, n), tensor(2, batch, n, n), torch.zeros(batch, n, n)
    return lambda: torch.bmm(a, b, out=out), lambda: [out]


@kernel
def grouped_product(groups, n):
    ends = groups_of_rows(groups)
    rows = ends[-1][1]
    a, b, out = tensor(1, rows, n), tensor(2, groups, n, n), torch.zeros(rows, n)
    parts = [(a[first:end], b[group], out[first:end]) for group, (first, end) in enumerate(ends)]

    def run():
        for left, right, result in parts:
            torch.mm(left, right, out=result)

    return run, lambda: [out]


@kernel
def attention(heads, tokens):
    q = tensor(1, 1, heads, tokens, 64)
    k, v = tensor(2, 1, heads // 4, tokens, 64), tensor(3, 1, heads // 4, tokens, 64)
    result = [None]

    def run():
        result[0] = F.scaled_dot_product_attention(q, k, v, is_causal=True, enable_gqa=True)

    return run, lambda: [result[0]]


@kernel
def paged_decode(sequences, tokens):
    pages = -(-tokens // 16)
    count = sequences * pages
    q = tensor(1, sequences, 8, 1, 64)
    keys, values = tensor(2, count, 16, 2, 64), tensor(3, count, 16, 2, 64)
    table = torch.from_numpy(integers(4, count, count)).long()
    k, v = torch.zeros(count, 16, 2, 64), torch.zeros(count, 16, 2, 64)
    heads = (x.view(sequences, pages * 16, 2, 64)[:, :tokens].transpose(1, 2) for x in (k, v))
    k_heads, v_heads = heads
    result = [None]

    def run():
        torch.index_select(keys, 0, table, out=k)
        torch.index_select(values, 0, table, out=v)
        result[0] = F.scaled_dot_product_attention(q, k_heads, v_heads, enable_gqa=True)

    return run, lambda: [result[0]]


@kernel
def convolution(pictures, side, channels):
    # Channels last, the order of the kernel and the faster one for PyTorch.
    x = tensor(1, pictures, side, side, channels).permute(0, 3, 1, 2)
    weights = tensor(2, 3, 3, channels, channels).permute(3, 2, 0, 1)
    weights = weights.contiguous(memory_format=torch.channels_last)
    result = [None]

    def run():
        result[0] = F.conv2d(x, weights, padding=1)

    return run, lambda: [result[0].permute(0, 2, 3, 1)]


@kernel
def fft(rows, n):
    x = torch.complex(tensor(1, rows, n), tensor(2, rows, n))
    out = torch.zeros_like(x)
    return lambda: torch.fft.fft(x, out=out), lambda: [out.real, out.imag]


@kernel
def sparse_product(rows):
    starts, columns, values = (torch.from_numpy(part) for part in sparse_matrix(rows))
    matrix = torch.sparse_csr_tensor(starts.int(), columns.int(), values, (rows, rows))
    x, out = tensor(4, rows), torch.zeros(rows)
    return lambda: torch.mv(matrix, x, out=out), lambda: [out]


serve(
    f"PyTorch {torch.__version__}, {torch.backends.cpu.get_cpu_capability()}, with MKL and oneDNN",
    KERNELS,
    lambda output: output.contiguous().double().numpy(),
    torch.get_num_threads(),
)
