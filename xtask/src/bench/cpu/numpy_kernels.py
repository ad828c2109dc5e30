"""The kernels of `benches/cpu` as one writes them with NumPy. Nothing is allocated that could be allocated before."""

import ctypes
import glob
import os
import platform


@kernel
def add(n):
    a, b, out = elements(1, n), elements(2, n), np.zeros(n, np.float32)
    return lambda: np.add(a, b, out=out), lambda: [out]


def start_of_chain(a, b, c, out):
    np.add(a, b, out=out)
    np.multiply(out, c, out=out)
    np.abs(out, out=out)
    np.sqrt(out, out=out)


@kernel
def chain4(n):
    a, b, c, out = elements(1, n), elements(2, n), elements(3, n), np.zeros(n, np.float32)
    return lambda: start_of_chain(a, b, c, out), lambda: [out]


@kernel
def chain8(n):
    a, b, c, out = elements(1, n), elements(2, n), elements(3, n), np.zeros(n, np.float32)

    def run():
        start_of_chain(a, b, c, out)
        np.negative(out, out=out)
        np.exp(out, out=out)
        np.multiply(out, a, out=out)
        np.maximum(out, b, out=out)

    return run, lambda: [out]


@kernel
def gelu(n):
    x, out = elements(1, n), np.zeros(n, np.float32)

    def run():
        np.multiply(x, x, out=out)
        np.multiply(out, np.float32(0.044715 * 0.7978845608), out=out)
        np.add(out, np.float32(0.7978845608), out=out)
        np.multiply(out, x, out=out)
        np.tanh(out, out=out)
        np.add(out, np.float32(1), out=out)
        np.multiply(out, x, out=out)
        np.multiply(out, np.float32(0.5), out=out)

    return run, lambda: [out]


@kernel
def swiglu(rows, columns):
    gate, up = elements(1, rows, columns), elements(2, rows, columns)
    out = np.zeros_like(gate)

    def run():
        np.negative(gate, out=out)
        np.exp(out, out=out)
        np.add(out, np.float32(1), out=out)
        np.divide(gate, out, out=out)
        np.multiply(out, up, out=out)

    return run, lambda: [out]


@kernel
def rope(tokens, heads):
    x = elements(1, tokens, heads, 128)
    cos, sin = elements(2, tokens, 1, 64), elements(3, tokens, 1, 64)
    out, term = np.zeros_like(x), np.zeros([tokens, heads, 64], np.float32)
    left, right = x[..., :64], x[..., 64:]

    def run():
        np.multiply(left, cos, out=out[..., :64])
        np.multiply(right, sin, out=term)
        np.subtract(out[..., :64], term, out=out[..., :64])
        np.multiply(left, sin, out=out[..., 64:])
        np.multiply(right, cos, out=term)
        np.add(out[..., 64:], term, out=out[..., 64:])

    return run, lambda: [out]


def softmax_rows(x, out, edge):
    """The softmax of `x` along its last axis; `edge` holds a number for each row."""
    np.max(x, axis=-1, keepdims=True, out=edge)
    np.subtract(x, edge, out=out)
    np.exp(out, out=out)
    np.sum(out, axis=-1, keepdims=True, out=edge)
    np.divide(out, edge, out=out)


@kernel
def softmax(rows, columns):
    x = elements(1, rows, columns)
    out, edge = np.zeros_like(x), np.zeros([rows, 1], np.float32)
    return lambda: softmax_rows(x, out, edge), lambda: [out]


@kernel
def layer_norm(rows, columns):
    x, w, b = elements(1, rows, columns), elements(2, columns), elements(3, columns)
    y, square = np.zeros_like(x), np.zeros_like(x)
    means, scales = np.zeros([rows, 1], np.float32), np.zeros([rows, 1], np.float32)

    def run():
        np.mean(x, axis=-1, keepdims=True, out=means)
        np.subtract(x, means, out=y)
        np.multiply(y, y, out=square)
        np.mean(square, axis=-1, keepdims=True, out=scales)
        np.add(scales, np.float32(1e-5), out=scales)
        np.sqrt(scales, out=scales)
        np.reciprocal(scales, out=scales)
        np.multiply(y, scales, out=y)
        np.multiply(y, w, out=y)
        np.add(y, b, out=y)

    return run, lambda: [y, means, scales]


@kernel
def rms_norm(rows, columns):
    x, residual = elements(1, rows, columns), elements(2, rows, columns)
    w = elements(3, columns)
    total, y, scale = np.zeros_like(x), np.zeros_like(x), np.zeros([rows, 1], np.float32)

    def run():
        np.add(x, residual, out=total)
        np.multiply(total, total, out=y)
        np.mean(y, axis=-1, keepdims=True, out=scale)
        np.add(scale, np.float32(1e-5), out=scale)
        np.sqrt(scale, out=scale)
        np.divide(total, scale, out=y)
        np.multiply(y, w, out=y)

    return run, lambda: [total, y]


@kernel
def cross_entropy(rows, columns):
    logits, labels = elements(1, rows, columns), integers(2, rows, columns)
    terms, edge = np.zeros_like(logits), np.zeros([rows, 1], np.float32)
    result = [None]

    def run():
        np.max(logits, axis=-1, keepdims=True, out=edge)
        np.subtract(logits, edge, out=terms)
        np.exp(terms, out=terms)
        at_label = logits[np.arange(rows), labels]
        result[0] = edge[:, 0] + np.log(np.sum(terms, axis=-1)) - at_label

    return run, lambda: [result[0]]


@kernel
def cumulative_sum(rows, columns):
    x = elements(1, rows, columns)
    out = np.zeros_like(x)
    return lambda: np.cumsum(x, axis=-1, out=out), lambda: [out]


@kernel
def top_k(rows, columns):
    x = elements(1, rows, columns)
    result = [None]

    def run():
        places = np.argpartition(x, columns - 8, axis=-1)[:, -8:]
        values = np.take_along_axis(x, places, axis=-1)
        order = np.argsort(-values, axis=-1)
        places = np.take_along_axis(places, order, axis=-1)
        result[0] = np.take_along_axis(values, order, axis=-1), places

    return run, lambda: [result[0][0], np.take_along_axis(x, result[0][1], axis=-1)]


@kernel
def histogram(n):
    levels = integers(1, n, 256).astype(np.uint8)
    result = [None]

    def run():
        result[0] = np.bincount(levels, minlength=256)

    return run, lambda: [result[0]]


@kernel
def transpose(rows, columns):
    x, out = elements(1, rows, columns), np.zeros([columns, rows], np.float32)
    return lambda: np.copyto(out, x.T), lambda: [out]


@kernel
def stencil(rows, columns):
    x, weights = np.pad(elements(1, rows, columns), 1), elements(2, 3, 3)
    out, term = np.zeros([rows, columns], np.float32), np.zeros([rows, columns], np.float32)

    def run():
        np.multiply(x[:rows, :columns], weights[0, 0], out=out)
        for dy, dx in [(0, 1), (0, 2), (1, 0), (1, 1), (1, 2), (2, 0), (2, 1), (2, 2)]:
            np.multiply(x[dy : dy + rows, dx : dx + columns], weights[dy, dx], out=term)
            np.add(out, term, out=out)

    return run, lambda: [out]


@kernel
def product_f32(n):
    a, b, out = elements(1, n, n), elements(2, n, n), np.zeros([n, n], np.float32)
    return lambda: np.matmul(a, b, out=out), lambda: [out]


@kernel
def batched_product(batch, n):
    a, b = elements(1, batch, n, n), elements(2, batch, n, n)
    out = np.zeros_like(a)
    return lambda: np.matmul(a, b, out=out), lambda: [out]


@kernel
def grouped_product(groups, n):
    ends = groups_of_rows(groups)
    rows = ends[-1][1]
    a, b, out = elements(1, rows, n), elements(2, groups, n, n), np.zeros([rows, n], np.float32)

    def run():
        for group, (first, end) in enumerate(ends):
            np.matmul(a[first:end], b[group], out=out[first:end])

    return run, lambda: [out]


@kernel
def attention(heads, tokens):
    q, k, v = (elements(seed, heads // (1 if seed == 1 else 4), tokens, 64) for seed in (1, 2, 3))
    scores, edge = (np.zeros([heads, tokens, n], np.float32) for n in (tokens, 1))
    hidden = np.triu(np.ones([tokens, tokens], bool), 1)
    scaled, out = np.zeros_like(q), np.zeros_like(q)

    def run():
        np.multiply(q, np.float32(0.125), out=scaled)
        for head in range(heads):
            np.matmul(scaled[head], k[head // 4].T, out=scores[head])
        scores[:, hidden] = -np.inf
        softmax_rows(scores, scores, edge)
        for head in range(heads):
            np.matmul(scores[head], v[head // 4], out=out[head])

    return run, lambda: [out]


@kernel
def paged_decode(sequences, tokens):
    pages = -(-tokens // 16)
    count = sequences * pages
    q = elements(1, sequences, 2, 4, 64)
    keys, values = elements(2, count, 16, 2, 64), elements(3, count, 16, 2, 64)
    table = integers(4, count, count)
    scores, edge = (np.zeros([sequences, 2, 4, n], np.float32) for n in (tokens, 1))
    k, v = np.zeros_like(keys), np.zeros_like(values)
    scaled, out = np.zeros_like(q), np.zeros_like(q)

    def heads(x):
        return x.reshape(sequences, pages * 16, 2, 64)[:, :tokens].transpose(0, 2, 1, 3)

    def run():
        np.take(keys, table, axis=0, out=k)
        np.take(values, table, axis=0, out=v)
        np.multiply(q, np.float32(0.125), out=scaled)
        np.matmul(scaled, heads(k).swapaxes(-1, -2), out=scores)
        softmax_rows(scores, scores, edge)
        np.matmul(scores, heads(v), out=out)

    return run, lambda: [out]


@kernel
def fft(rows, n):
    x = (elements(1, rows, n) + 1j * elements(2, rows, n)).astype(np.complex64)
    out = np.zeros_like(x)
    return lambda: np.fft.fft(x, out=out), lambda: [out.real, out.imag]


@kernel
def sparse_product(rows):
    starts, columns, values = sparse_matrix(rows)
    x, out = elements(4, rows), np.zeros(rows, np.float32)
    filled = starts[:-1] < starts[1:]
    first = starts[:-1][filled]

    def run():
        out[filled] = np.add.reduceat(values * x[columns], first)

    return run, lambda: [out]


def core():
    """The processor that OpenBLAS takes this one for."""
    folder = os.path.join(os.path.dirname(np.__file__), os.pardir, "numpy.libs")
    for path in glob.glob(os.path.join(folder, "*openblas*")):
        name = getattr(ctypes.CDLL(path), "scipy_openblas_get_corename64_", None)
        if name is not None:
            name.restype = ctypes.c_char_p
            return " with OpenBLAS for " + name().decode()
    return ""


serve(
    f"NumPy {np.__version__}{core()}, Python {platform.python_version()}",
    KERNELS,
    np.ascontiguousarray,
    os.environ["OMP_NUM_THREADS"],
)
