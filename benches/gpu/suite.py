"""What is timed: for each benchmark its inputs, what gives the right result, and who computes it."""
import json
import os

from driver import Kernel

BF16, F32, I32, F8 = "bfloat16", "float32", "int32", "float8_e4m3fn"


class Contestant:
    """One way to compute a benchmark. `make(host)` gives a function that computes, and the tensor that it writes
    or None, where the function gives it."""

    def __init__(self, maker, variant, make, largest_error=0.1):
        self.maker, self.variant, self.make = maker, variant, make
        # Of the largest error to the root of the mean square of what is right.
        self.largest_error = largest_error

    @property
    def name(self):
        return f"{self.maker} {self.variant}".strip()


class Benchmark:
    def __init__(self, part, name, unit, work, prepare, reference, contestants):
        self.part, self.name, self.unit, self.work = part, name, unit, work
        self.prepare, self.reference, self.contestants = prepare, reference, contestants


def tiles(extent, tile):
    return -(-extent // tile)


def cubins(names, folder, grid, arguments, output, makers=("ours", "tileiras"), variants=None):
    """Compilers' code for files of bytecode. `grid(name)`; `arguments(data)` and `output(data)` are tensors; the
    report calls them by their `variants`, or by their names."""

    def make(maker, name):
        def prepare(host, data):
            kernel = Kernel(host.driver, folder, name, maker)
            out = host.poisoned_like(output(data))
            launch = kernel.prepare(grid(name), arguments(data, out), host.stream)
            return launch, out

        return prepare

    return [
        Contestant(maker, variant, make(maker, name))
        for maker in makers
        for name, variant in zip(names, variants or names)
    ]


def peer(maker, variant, compute, largest_error=0.1):
    """A function of the host's libraries: `compute(torch, data)` gives a function that gives the result."""
    return Contestant(
        maker, variant, lambda host, data: (compute(host.libraries(), data), None), largest_error)


def shape_of(name):
    return [int(part) for part in name.rsplit("_", 1)[1].split("x")]


def triton_of(name):
    def compute(torch, data):
        import triton_kernels

        return getattr(triton_kernels, name)(data)

    return compute


class Steps:
    """Those of an ablation, each with one technique more than the one before."""

    def __init__(self, steps):
        self.names = [step["name"] for step in steps]
        self.variants = [f"{number}: {step['what']}" for number, step in enumerate(steps, 1)]
        self.files = {step["name"]: step["file"] for step in steps}

    def contestants(self, folder, grid, arguments, output):
        return cubins(self.names, folder, lambda name: grid(self.files[name]), arguments, output, ("ours",), self.variants)


def matmul(folder, size, steps=None):
    names = ["matmul_128x128x64", "matmul_128x256x64", "matmul_256x128x64"]

    def prepare(host):
        return {"a": host.random((size, size), BF16), "b": host.random((size, size), BF16),
                "c": host.empty((size, size), BF16)}

    def grid(name):
        m, n, _ = shape_of(name)
        return tiles(size, m), tiles(size, n)

    code = (folder, grid, lambda data, out: [data["a"], data["b"], out], lambda data: data["c"])
    contestants = steps.contestants(*code) if steps else cubins(names, *code)
    contestants.append(peer("PyTorch", "cuBLAS", lambda torch, data: lambda: torch.matmul(data["a"], data["b"])))
    if not steps:
        contestants += [
            peer("Triton", "pointers", triton_of("matmul")),
            peer("Triton", "TMA", triton_of("matmul_tma")),
        ]
    part, name = ("ablation", "ablation of matmul") if steps else ("matmul", "matmul")
    return Benchmark(part, f"{name} bf16 {size}", "TFLOP/s", 2e-12 * size**3, prepare,
                     lambda torch, data: data["a"].float() @ data["b"].float(), contestants)


def matmul_f8(folder, size):
    names = ["product_f8_128x128x128", "product_f8_128x256x128"]

    def prepare(host):
        return {"a": host.random((size, size), F8), "b": host.random((size, size), F8),
                "c": host.empty((size, size), BF16)}

    def grid(name):
        m, n, _ = shape_of(name)
        return tiles(size, m), tiles(size, n)

    def scaled(fast):
        def compute(torch, data):
            one = torch.ones((), device="cuda")
            return lambda: torch._scaled_mm(
                data["a"], data["b"].t(), one, one, out_dtype=torch.bfloat16, use_fast_accum=fast)

        return compute

    contestants = cubins(names, folder, grid, lambda data, out: [data["a"], data["b"], out], lambda data: data["c"])
    contestants += [
        peer("PyTorch", "cuBLAS", scaled(False)),
        peer("PyTorch", "cuBLAS, fast sums", scaled(True)),
        peer("Triton", "pointers", triton_of("matmul_f8")),
    ]
    return Benchmark("fp8", f"matmul fp8 {size}", "TFLOP/s", 2e-12 * size**3, prepare,
                     lambda torch, data: data["a"].float() @ data["b"].float().t(), contestants)


def attention(folder, depth, rows, is_causal, steps=None):
    heads = 32 * 8192 // rows
    kind = "attention_causal" if is_causal else "attention"
    names = [f"{kind}_128x{n}x{depth}" for n in (64, 128)]
    # Of a head's own rows the first keys, the last and some between are compared.
    compared = [0, heads - 1]

    def prepare(host):
        data = {name: host.random((heads, rows, depth), BF16) for name in "qkv"}
        data.update(o=host.empty((heads, rows, depth), BF16), is_causal=is_causal)
        return data

    def grid(_):
        return tiles(rows, 128), heads

    def sdpa(backend):
        def compute(torch, data):
            from torch.nn.attention import SDPBackend, sdpa_kernel

            q, k, v = (data[name].unsqueeze(0) for name in "qkv")

            def run():
                with sdpa_kernel(getattr(SDPBackend, backend)):
                    return torch.nn.functional.scaled_dot_product_attention(q, k, v, is_causal=is_causal).squeeze(0)

            return run

        return compute

    def reference(torch, data):
        found = []
        for head in compared:
            q, k, v = (data[name][head].float() for name in "qkv")
            scores = (q @ k.t()) * depth**-0.5
            if is_causal:
                mask = torch.ones((rows, rows), dtype=torch.bool, device="cuda").tril()
                scores.masked_fill_(~mask, float("-inf"))
            found.append(torch.softmax(scores, 1) @ v)
            del scores
        return torch.stack(found)

    code = (folder, grid, lambda data, out: [data["q"], data["k"], data["v"], out], lambda data: data["o"])
    contestants = steps.contestants(*code) if steps else cubins(names, *code)
    contestants.append(peer("PyTorch", "flash", sdpa("FLASH_ATTENTION"), 0.3))
    if not steps:
        contestants += [
            peer("PyTorch", "cuDNN", sdpa("CUDNN_ATTENTION"), 0.3),
            peer("Triton", "", triton_of("attention"), 0.3),
        ]
    for contestant in contestants:
        contestant.largest_error = 0.3
    work = 4e-12 * heads * rows * rows * depth / (2 if is_causal else 1)
    name = f"attention {'causal ' if is_causal else ''}hd{depth} {rows // 1024}k"
    part, name = ("ablation", f"ablation of {name}") if steps else ("attention", name)
    benchmark = Benchmark(part, name, "TFLOP/s", work, prepare, reference, contestants)
    benchmark.select = lambda result: result[compared]
    return benchmark


def copy(folder):
    count = 1 << 29

    def prepare(host):
        return {"x": host.random((count,), BF16), "y": host.empty((count,), BF16)}

    def into(torch, data):
        out = torch.empty_like(data["x"])
        return lambda: out.copy_(data["x"])

    contestants = cubins(["copy_8192"], folder, lambda _: (count // 8192,), lambda data, out: [data["x"], out],
                         lambda data: data["y"])
    contestants += [peer("PyTorch", "copy", into), peer("Triton", "", triton_of("copy"))]
    return Benchmark("memory-bound", "copy 1 GiB", "TB/s", 4e-12 * count, prepare,
                     lambda torch, data: data["x"], contestants)


def softmax(folder):
    rows, columns = 65536, 4096

    def prepare(host):
        return {"x": host.random((rows, columns), BF16), "y": host.empty((rows, columns), BF16)}

    contestants = cubins(["softmax_4096"], folder, lambda _: (rows,), lambda data, out: [data["x"], out],
                         lambda data: data["y"])
    contestants += [peer("PyTorch", "softmax", lambda torch, data: lambda: torch.softmax(data["x"], 1), 0.2),
                    peer("Triton", "", triton_of("softmax"))]
    for contestant in contestants:
        contestant.largest_error = 0.2
    return Benchmark("memory-bound", f"softmax {rows}x{columns}", "TB/s", 4e-12 * rows * columns, prepare,
                     lambda torch, data: torch.softmax(data["x"].float(), 1), contestants)


def rms_norm(folder):
    rows, columns = 65536, 4096

    def prepare(host):
        return {"x": host.random((rows, columns), BF16), "w": host.random((1, columns), BF16),
                "y": host.empty((rows, columns), BF16)}

    def of_torch(torch, data):
        weight = data["w"][0]
        return lambda: torch.nn.functional.rms_norm(data["x"], (columns,), weight, 1e-6)

    def reference(torch, data):
        x = data["x"].float()
        return x * torch.rsqrt((x * x).mean(1, keepdim=True) + 1e-6) * data["w"].float()

    contestants = cubins(["rms_norm_4096"], folder, lambda _: (rows,), lambda data, out: [data["x"], data["w"], out],
                         lambda data: data["y"])
    contestants += [peer("PyTorch", "rms_norm", of_torch), peer("Triton", "", triton_of("rms_norm"))]
    for contestant in contestants:
        contestant.largest_error = 0.2
    return Benchmark("memory-bound", f"RMS norm {rows}x{columns}", "TB/s", 4e-12 * rows * columns, prepare, reference,
                     contestants)


def cross_entropy(folder):
    rows, columns = 16384, 32768

    def prepare(host):
        return {"x": host.random((rows, columns), BF16), "labels": host.integers((rows,), columns),
                "loss": host.empty((rows,), F32)}

    def of_torch(torch, data):
        labels = data["labels"].long()
        return lambda: torch.nn.functional.cross_entropy(data["x"], labels, reduction="none")

    def reference(torch, data):
        losses = []
        for part in range(0, rows, 2048):
            x, labels = (data[name][part:part + 2048] for name in ("x", "labels"))
            losses.append(torch.nn.functional.cross_entropy(x.float(), labels.long(), reduction="none"))
        return torch.cat(losses)

    contestants = cubins(["cross_entropy_4096"], folder, lambda _: (rows,),
                         lambda data, out: [data["x"], data["labels"], out], lambda data: data["loss"])
    contestants += [peer("PyTorch", "cross_entropy", of_torch, 0.2),
                    peer("Triton", "", triton_of("cross_entropy"))]
    return Benchmark("memory-bound", f"cross entropy {rows}x{columns}", "TB/s", 2e-12 * rows * columns, prepare, reference,
                     contestants)


def benchmarks(folder):
    found = [matmul(folder, 4096), matmul(folder, 8192), matmul_f8(folder, 8192)]
    for depth in (64, 128):
        for rows in (8192, 16384):
            for is_causal in (False, True):
                found.append(attention(folder, depth, rows, is_causal))
    found += [copy(folder), softmax(folder), rms_norm(folder), cross_entropy(folder)]
    with open(os.path.join(folder, "ablation.json"), encoding="utf-8") as file:
        steps = json.load(file)
    of = {ablation: Steps([step for step in steps if step["ablation"] == ablation])
          for ablation in dict.fromkeys(step["ablation"] for step in steps)}
    found += [matmul(folder, 8192, of["matmul"]), attention(folder, 128, 16384, True, of["attention causal"])]
    return found


# Of the issue that asked for these kernels: at least so much of the best peer, or so many TFLOP/s.
TARGETS = {
    "matmul bf16 8192": [("PyTorch", 0.95), ("tileiras", 1.15)],
    "matmul bf16 4096": [("PyTorch", 0.92)],
    "matmul fp8 8192": [("best", 0.9)],
    "attention hd128 8k": [("TFLOP/s", 600), ("Triton", 1.0), ("tileiras", 1.0)],
    "attention hd128 16k": [("TFLOP/s", 600), ("Triton", 1.0), ("tileiras", 1.0)],
    "attention causal hd128 8k": [("TFLOP/s", 540), ("Triton", 1.0), ("tileiras", 1.0)],
    "attention causal hd128 16k": [("TFLOP/s", 540), ("Triton", 1.0), ("tileiras", 1.0)],
    "attention hd64 8k": [("TFLOP/s", 400)],
    "attention hd64 16k": [("TFLOP/s", 400)],
    "softmax 65536x4096": [("copy", 0.95)],
    "RMS norm 65536x4096": [("copy", 0.95)],
    "cross entropy 16384x32768": [("copy", 0.95)],
    "copy 1 GiB": [("copy", 0.95)],
}
