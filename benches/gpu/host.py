"""The memory, the clock and the libraries of the host: PyTorch's, or none in a dry run."""
import statistics

from driver import Driver, DryDriver

# More than the L2 cache of any GPU so far.
FLUSH_BYTES = 256 << 20
LARGEST_RELATIVE = 0.01


class Skipped(Exception):
    """What a dry run does not do."""


class TorchHost:
    is_dry = False

    def __init__(self):
        import torch

        self.torch = torch
        torch.cuda.init()
        torch.zeros(1, device="cuda")
        torch.backends.cuda.matmul.allow_tf32 = False
        torch.manual_seed(20)
        self.driver = Driver()
        self.flushed = torch.empty(FLUSH_BYTES, dtype=torch.uint8, device="cuda")

    def libraries(self):
        return self.torch

    def random(self, shape, dtype):
        """Normally distributed, mean 0 and deviation 1."""
        numbers = self.torch.randn(shape, device="cuda", dtype=self.torch.bfloat16)
        return numbers.to(getattr(self.torch, dtype))

    def integers(self, shape, limit):
        return self.torch.randint(0, limit, shape, device="cuda", dtype=self.torch.int32)

    def empty(self, shape, dtype):
        return self.torch.empty(shape, dtype=getattr(self.torch, dtype), device="cuda")

    def poisoned_like(self, tensor):
        return self.torch.full_like(tensor, float("nan"))

    def stream(self):
        return self.torch.cuda.current_stream().cuda_stream

    def finish(self):
        self.torch.cuda.synchronize()

    def free(self):
        self.torch.cuda.empty_cache()

    def errors(self, found, expected):
        """The error as a part of the whole, and the largest to the root of the mean square."""
        found, expected = found.float().flatten(), expected.float().flatten()
        if found.shape != expected.shape:
            raise ValueError(f"{tuple(found.shape)} instead of {tuple(expected.shape)}")
        difference = (found - expected).abs_()
        if not bool(self.torch.isfinite(difference).all()):
            return float("inf"), float("inf")
        size = expected.norm().item()
        relative = difference.norm().item() / max(size, 1e-30)
        root = size / len(expected) ** 0.5
        return relative, difference.max().item() / max(root, 1e-30)

    def times(self, functions, rounds):
        """Milliseconds of each call; callers take turns, and find nothing of theirs in the L2 cache."""
        events = [[] for _ in functions]
        for turn in range(rounds):
            for step in range(len(functions)):
                which = (turn + step) % len(functions)
                self.flushed.zero_()
                begin, end = (self.torch.cuda.Event(enable_timing=True) for _ in range(2))
                begin.record()
                functions[which]()
                end.record()
                events[which].append((begin, end))
        self.torch.cuda.synchronize()
        return [[begin.elapsed_time(end) for begin, end in pairs] for pairs in events]


class DryTensor:
    next_address = 1 << 32

    def __init__(self, shape, dtype):
        self.shape, self.dtype = tuple(shape), dtype
        count = 1
        for extent in self.shape:
            count *= extent
        self.address = DryTensor.next_address
        DryTensor.next_address += (count * 8 + 255) // 256 * 256

    def data_ptr(self):
        return self.address

    def stride(self):
        strides, step = [], 1
        for extent in reversed(self.shape):
            strides.insert(0, step)
            step *= extent
        return tuple(strides)


class DryHost:
    is_dry = True

    def __init__(self):
        self.driver = DryDriver()

    def libraries(self):
        raise Skipped("a dry run has no PyTorch")

    def random(self, shape, dtype):
        return DryTensor(shape, dtype)

    def integers(self, shape, limit):
        return DryTensor(shape, "int32")

    empty = random

    def poisoned_like(self, tensor):
        return DryTensor(tensor.shape, tensor.dtype)

    def stream(self):
        return 0

    def finish(self):
        pass

    free = finish

    def errors(self, found, expected):
        return 0.0, 0.0

    def times(self, functions, rounds):
        found = []
        for number, function in enumerate(functions):
            function()
            found.append([1.0 + number + 0.01 * turn for turn in range(rounds)])
        return found


def measured(benchmark, host, rounds, only="", without=(), begins=lambda name: None):
    """Results of the contestants of a benchmark: an object each, with an error in place of times for one that fails.
    Those in `without` are left out; `begins` is told who is next."""
    data = benchmark.prepare(host)
    select = getattr(benchmark, "select", lambda result: result)
    expected = None if host.is_dry else benchmark.reference(host.libraries(), data)
    results, running = [], []
    for contestant in benchmark.contestants:
        result = {"maker": contestant.maker, "variant": contestant.variant}
        results.append(result)
        if only and only not in contestant.name or contestant.name in without:
            result["skipped"] = "not asked for"
            continue
        begins(contestant.name)
        try:
            function, out = contestant.make(host, data)
            given = function()
            host.finish()
            found = out if out is not None else given
            if not host.is_dry:
                relative, largest = host.errors(select(found), expected)
                result["relative_error"], result["largest_error"] = relative, largest
                if not (relative <= LARGEST_RELATIVE and largest <= contestant.largest_error):
                    raise ValueError(f"wrong numbers: relative error {relative:.3g}, largest {largest:.3g}")
            for _ in range(2):
                function()
            host.finish()
            running.append((result, function))
            del found, given
        except Skipped as reason:
            result["skipped"] = str(reason)
        except Exception as error:  # whatever goes wrong with one must not stop the others
            result["error"] = f"{type(error).__name__}: {error}".splitlines()[0][:400]
            if is_sticky(error):
                result["is_sticky"] = True
                return results
    begins("")
    if running:
        for (result, _), times in zip(running, host.times([function for _, function in running], rounds)):
            median = statistics.median(times)
            result["milliseconds"] = times
            result["median"] = median
            result["score"] = benchmark.work / (median * 1e-3)
    host.free()
    return results


# Errors after which nothing works in this process.
STICKY = ("ILLEGAL_ADDRESS", "illegal memory access", "LAUNCH_FAILED", "unspecified launch failure", "ASSERT",
          "ILLEGAL_INSTRUCTION", "illegal instruction", "MISALIGNED", "misaligned address", "device-side assert")


def is_sticky(error):
    return any(word in str(error) for word in STICKY)
