"""The CUDA driver, and kernels of the bundle.

`Driver` calls libcuda in the context that PyTorch made. `DryDriver` calls nothing: it checks what would be passed by the
rules of the driver. What a GPU runs at once of a function, both are asked for.
"""
import ctypes
import json
import os

POINTER = "ptr"
U32, U64, VOID = ctypes.c_uint32, ctypes.c_uint64, ctypes.c_void_p
ARRAY = ctypes.POINTER
MAX_THREADS_PER_BLOCK, MAX_DYNAMIC_SHARED = 0, 8
MULTIPROCESSORS = 16
CLUSTER_DIMENSION = 4
NOT_SUPPORTED, INVALID_CLUSTER_SIZE = 801, 912
MAX_SHARED_BYTES = 227 * 1024
DATA_TYPES = {1: 0, 2: 1, 4: 2, 8: 4}
SWIZZLES = {0: 0, 32: 1, 64: 2, 128: 3}
L2_PROMOTION_128B = 2
PLAIN_SHARED_BYTES = 48 * 1024


class DriverError(Exception):
    pass


class Encoding:
    """The arguments of cuTensorMapEncodeTiled, as docs/launch.md says."""

    def __init__(self, map, parameters):
        def number(value):
            return parameters[value["parameter"]] if "parameter" in value else value["constant"]

        axes = map["axes"]
        self.rank = len(axes)
        self.element_bytes = map["element_bytes"]
        self.data_type = DATA_TYPES[self.element_bytes]
        self.swizzle = SWIZZLES[map["swizzle_bytes"]]
        self.address = parameters[map["base"]]
        self.extents = [number(axis["extent"]) for axis in axes]
        self.strides = [number(axis["stride"]) * self.element_bytes for axis in axes[1:]]
        self.box = [axis["box"] for axis in axes]

    def check(self):
        """What the driver asks for."""
        assert 1 <= self.rank <= 5, self.rank
        assert self.address % 16 == 0, self.address
        assert all(1 <= extent < 1 << 31 for extent in self.extents), self.extents
        assert all(stride % 16 == 0 and 0 < stride < 1 << 40 for stride in self.strides), self.strides
        assert all(1 <= length <= 256 for length in self.box), self.box
        assert self.box[0] * self.element_bytes % 16 == 0, self.box
        if self.swizzle:
            assert self.box[0] * self.element_bytes <= 16 << self.swizzle, self.box


class LaunchAttribute(ctypes.Structure):
    """`CUlaunchAttribute`."""

    _fields_ = [("id", ctypes.c_uint), ("pad", ctypes.c_char * 4), ("value", U32 * 16)]


class LaunchConfig(ctypes.Structure):
    """`CUlaunchConfig`."""

    _fields_ = [(name, ctypes.c_uint) for name in (
        "grid_x", "grid_y", "grid_z", "block_x", "block_y", "block_z", "shared_bytes")]
    _fields_ += [("stream", VOID), ("attributes", ctypes.POINTER(LaunchAttribute)), ("count", ctypes.c_uint)]


class DryDriver:
    """Checks, and launches nothing."""

    is_dry = True

    def __init__(self, multiprocessors=132, blocks=1 << 30, clusters=1 << 30):
        """As many multiprocessors as an H200 has, and as much on them as is asked for."""
        self.multiprocessors, self.blocks, self.clusters = multiprocessors, blocks, clusters
        self.launches = []

    def load(self, path, entry, shared_bytes):
        with open(path, "rb") as file:
            code = file.read()
        assert code[:4] == b"\x7fELF", f"{path} is no cubin"
        assert entry.encode() + b"\0" in code, f"{path} has no {entry}"
        assert 0 <= shared_bytes <= MAX_SHARED_BYTES, shared_bytes
        return (path, entry)

    def encode(self, encoding):
        encoding.check()
        return ctypes.create_string_buffer(128)

    def blocks_at_once(self, function, threads, shared_bytes):
        return self.blocks

    def clusters_at_once(self, function, threads, shared_bytes, cluster):
        assert cluster > 1, cluster
        return self.clusters

    def launch(self, function, grid, threads, shared_bytes, values, stream, cluster=1):
        assert grid[0] % cluster == 0, (grid, cluster)
        assert cluster == 1 or self.clusters > 0, (grid, cluster)
        assert all(0 < extent < limit for extent, limit in zip(grid, (1 << 31, 1 << 16, 1 << 16))), grid
        assert 1 <= threads <= 1024, threads
        assert all(isinstance(value, ctypes._SimpleCData) or len(value) == 128 for value in values)
        self.launches.append((function, tuple(grid), threads, shared_bytes, len(values), cluster))


class Driver:
    """libcuda, with the types of its header."""

    is_dry = False

    def __init__(self):
        cuda = ctypes.CDLL("libcuda.so.1")
        types = {
            "cuGetErrorName": [ctypes.c_int, ARRAY(ctypes.c_char_p)],
            "cuModuleLoadData": [ARRAY(VOID), VOID],
            "cuModuleGetFunction": [ARRAY(VOID), VOID, ctypes.c_char_p],
            "cuCtxGetDevice": [ARRAY(ctypes.c_int)],
            "cuDeviceGetAttribute": [ARRAY(ctypes.c_int), ctypes.c_int, ctypes.c_int],
            "cuFuncSetAttribute": [VOID, ctypes.c_int, ctypes.c_int],
            "cuFuncGetAttribute": [ARRAY(ctypes.c_int), ctypes.c_int, VOID],
            "cuOccupancyMaxActiveBlocksPerMultiprocessor": [
                ARRAY(ctypes.c_int), VOID, ctypes.c_int, ctypes.c_size_t],
            "cuOccupancyMaxActiveClusters": [ARRAY(ctypes.c_int), VOID, ARRAY(LaunchConfig)],
            "cuLaunchKernel": [VOID] + [ctypes.c_uint] * 7 + [VOID, ARRAY(VOID), ARRAY(VOID)],
            "cuLaunchKernelEx": [ARRAY(LaunchConfig), VOID, ARRAY(VOID), ARRAY(VOID)],
            "cuTensorMapEncodeTiled": [
                VOID, ctypes.c_int, U32, VOID, ARRAY(U64), ARRAY(U64), ARRAY(U32), ARRAY(U32),
                ctypes.c_int, ctypes.c_int, ctypes.c_int, ctypes.c_int],
        }
        for name, arguments in types.items():
            function = getattr(cuda, name)
            function.argtypes, function.restype = arguments, ctypes.c_int
        self.cuda = cuda
        self.modules = []

    def call(self, name, *arguments):
        self.check(name, getattr(self.cuda, name)(*arguments))

    def check(self, name, result):
        if result != 0:
            text = ctypes.c_char_p()
            self.cuda.cuGetErrorName(result, ctypes.byref(text))
            raise DriverError(f"{name}: {(text.value or b'error %d' % result).decode()}")

    def load(self, path, entry, shared_bytes):
        with open(path, "rb") as file:
            code = ctypes.create_string_buffer(file.read())
        module, function = VOID(), VOID()
        self.call("cuModuleLoadData", ctypes.byref(module), ctypes.cast(code, VOID))
        self.modules.append((module, code))
        self.call("cuModuleGetFunction", ctypes.byref(function), module, entry.encode())
        if shared_bytes > PLAIN_SHARED_BYTES:
            self.call("cuFuncSetAttribute", function, MAX_DYNAMIC_SHARED, shared_bytes)
        return function

    @property
    def multiprocessors(self):
        device, count = ctypes.c_int(), ctypes.c_int()
        self.call("cuCtxGetDevice", ctypes.byref(device))
        self.call("cuDeviceGetAttribute", ctypes.byref(count), MULTIPROCESSORS, device.value)
        return count.value

    def most_threads(self, function):
        most = ctypes.c_int()
        self.call("cuFuncGetAttribute", ctypes.byref(most), MAX_THREADS_PER_BLOCK, function)
        return most.value

    def encode(self, encoding):
        encoding.check()
        room = ctypes.create_string_buffer(128 + 64)
        start = -ctypes.addressof(room) % 64
        map = (ctypes.c_char * 128).from_buffer(room, start)
        rank = encoding.rank
        self.call(
            "cuTensorMapEncodeTiled", ctypes.addressof(map), encoding.data_type, rank, encoding.address,
            (U64 * rank)(*encoding.extents), (U64 * max(rank - 1, 1))(*encoding.strides),
            (U32 * rank)(*encoding.box), (U32 * rank)(*[1] * rank),
            0, encoding.swizzle, L2_PROMOTION_128B, 0)
        return map

    def blocks_at_once(self, function, threads, shared_bytes):
        """Blocks of a multiprocessor."""
        count = ctypes.c_int()
        self.call(
            "cuOccupancyMaxActiveBlocksPerMultiprocessor", ctypes.byref(count), function, threads, shared_bytes)
        return count.value

    def clusters_at_once(self, function, threads, shared_bytes, cluster):
        """Clusters of the whole GPU; 0 if it starts none."""
        config, count = self.config((cluster, 1, 1), threads, shared_bytes, None, cluster), ctypes.c_int()
        result = self.cuda.cuOccupancyMaxActiveClusters(ctypes.byref(count), function, ctypes.byref(config))
        if result in (NOT_SUPPORTED, INVALID_CLUSTER_SIZE):
            return 0
        self.check("cuOccupancyMaxActiveClusters", result)
        return count.value

    def config(self, grid, threads, shared_bytes, stream, cluster):
        attribute = LaunchAttribute(CLUSTER_DIMENSION)
        attribute.value[:3] = cluster, 1, 1
        return LaunchConfig(*grid, threads, 1, 1, shared_bytes, stream, ctypes.pointer(attribute), 1)

    def launch(self, function, grid, threads, shared_bytes, values, stream, cluster=1):
        pointers = (VOID * len(values))(*[ctypes.addressof(value) for value in values])
        if cluster > 1:
            config = self.config(grid, threads, shared_bytes, stream, cluster)
            self.call("cuLaunchKernelEx", ctypes.byref(config), function, pointers, None)
            return
        self.call("cuLaunchKernel", function, *grid, threads, 1, 1, shared_bytes, stream, pointers, None)


class Kernel:
    """A cubin of the bundle, of ours or of tileiras."""

    def __init__(self, driver, folder, name, maker):
        with open(os.path.join(folder, "ours", f"{name}.json"), encoding="utf-8") as file:
            (self.description,) = json.load(file)["launches"]
        self.driver, self.maker, self.name = driver, maker, name
        self.entry = self.description["entry"]
        self.threads = self.description["threads"]
        self.shared_bytes = self.description["shared_bytes"]
        self.maps = self.description["maps"]
        self.cluster = self.description["cluster"]
        self.blocks_per_tile = self.description["blocks_per_tile"]
        self.persistent_blocks_per_sm = self.description["persistent_blocks_per_sm"]
        if self.description["buffers"]:
            raise DriverError(f"{name} takes buffers, which nobody passes here")
        if maker == "tileiras":
            # A tile kernel is launched with one thread a block: the code says how many there are.
            self.threads, self.shared_bytes, self.maps, self.cluster, self.blocks_per_tile = 1, 0, [], 1, 1
            self.persistent_blocks_per_sm = None
        path = os.path.join(folder, "ours" if maker == "ours" else "tileiras", f"{name}.cubin")
        if not os.path.exists(path):
            raise DriverError(f"{maker} has no code for {name}")
        self.function = driver.load(path, self.entry, self.shared_bytes)

    def prepare(self, grid, arguments, stream):
        """A launch with arguments that are tensors and numbers; the values live as long as it."""
        words = []
        for argument in arguments:
            if hasattr(argument, "data_ptr"):
                words.append(argument.data_ptr())
                words += list(argument.shape)
                words += list(argument.stride())
            else:
                words.append(argument)
        types = self.description["parameters"]
        if len(types) != len(words):
            raise DriverError(f"{self.name} takes {len(types)} parameters, {len(words)} are given")
        values = [(U64 if POINTER in type or "i64" in type else U32)(word) for type, word in zip(types, words)]
        values += [self.driver.encode(Encoding(map, words)) for map in self.maps]
        grid = (tuple(grid) + (1, 1, 1))[:3]
        # Blocks that share a position.
        grid = (grid[0] * self.blocks_per_tile,) + grid[1:]
        cluster = self.cluster if grid[0] % self.cluster == 0 else 1
        shape = (self.function, self.threads, self.shared_bytes)
        clusters = self.driver.clusters_at_once(*shape, cluster) if cluster > 1 else 0
        if clusters == 0:
            if self.blocks_per_tile > 1:
                raise DriverError(
                    f"{self.name} has clusters of {self.blocks_per_tile} blocks, which this GPU does not start: build it with "
                    "--cluster-split=off")
            cluster = 1
        if self.persistent_blocks_per_sm is not None:
            # Blocks that take turns, as docs/launch.md says.
            values += [U32(extent) for extent in grid]
            resident = min(self.persistent_blocks_per_sm, max(self.driver.blocks_at_once(*shape), 1))
            blocks = min(grid[0] * grid[1] * grid[2], self.driver.multiprocessors * resident)
            if cluster > 1:
                blocks = min(blocks, clusters * cluster)
            grid = (max(blocks - blocks % cluster, cluster), 1, 1)

        def launch():
            try:
                self.driver.launch(self.function, grid, self.threads, self.shared_bytes, values, stream(), cluster)
            except DriverError as error:
                if self.maker != "tileiras" or self.threads > 1 or "INVALID_VALUE" not in str(error):
                    raise
                # A driver that does not know tile kernels takes them for others.
                self.threads = self.driver.most_threads(self.function)
                self.driver.launch(self.function, grid, self.threads, self.shared_bytes, values, stream())

        return launch
