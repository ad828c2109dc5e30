"""Exchanges arrays of NumPy or tensors of PyTorch with the library of `shared.rs`:
`python3 shared.py target/debug/examples/libshared.so torch`.
"""

import ctypes
import sys

import numpy

NAME = b"dltensor_versioned"
library = ctypes.CDLL(sys.argv[1])
for function in library.normalized, library.transposed:
    function.restype = ctypes.c_void_p
library.normalized.argtypes = [ctypes.c_void_p]
library.normalize_in_place.argtypes = [ctypes.c_void_p]

new = ctypes.pythonapi.PyCapsule_New
new.restype, new.argtypes = ctypes.py_object, [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p]
pointer_of = ctypes.pythonapi.PyCapsule_GetPointer
pointer_of.restype, pointer_of.argtypes = ctypes.c_void_p, [ctypes.py_object, ctypes.c_char_p]
rename = ctypes.pythonapi.PyCapsule_SetName
rename.argtypes = [ctypes.py_object, ctypes.c_char_p]
USED = ctypes.create_string_buffer(b"used_dltensor_versioned")


class Exported:
    """A tensor that the library returned, for `from_dlpack`."""

    def __init__(self, pointer):
        assert pointer, "the library has printed why"
        self.capsule = new(pointer, NAME, None)

    def __dlpack_device__(self):
        return (1, 0)

    def __dlpack__(self, **_):
        return self.capsule


def given(array):
    """Returns the pointer of an array for a function of the library, which deletes it."""
    capsule = array.__dlpack__(max_version=(1, 0))
    pointer = pointer_of(capsule, NAME)
    rename(capsule, ctypes.cast(USED, ctypes.c_char_p))
    return pointer


def check(name, from_dlpack, to_numpy, arrays):
    y = to_numpy(from_dlpack(Exported(library.transposed())))
    assert y.shape == (4, 3) and y.strides == (4, 16), (y.shape, y.strides)
    assert (y == numpy.arange(12, dtype=numpy.float32).reshape(3, 4).T).all()
    for x in arrays:
        expected = to_numpy(x) / to_numpy(x).sum(axis=1, keepdims=True)
        y = to_numpy(from_dlpack(Exported(library.normalized(given(x)))))
        assert numpy.allclose(y, expected, rtol=1e-5), (y, expected)
        before = to_numpy(x)
        assert library.normalize_in_place(given(x)) == 0
        assert numpy.allclose(before, expected, rtol=1e-5), "the caller's own memory has the result"
    print(f"{name}: {1 + 2 * len(arrays)} exchanges")


def refuses(arrays):
    for wrong in arrays:
        assert not library.normalized(given(wrong)), wrong


numbers = numpy.arange(1, 1 + 40 * 30, dtype=numpy.float32)
rows = numbers.reshape(40, 30)
arrays = [rows.copy(), rows.copy().T, rows.copy()[3:20, ::3]]
if sys.argv[2] == "torch":
    import torch

    tensors = [torch.from_numpy(array) for array in arrays] + [torch.ones(5, 7).t()]
    check("torch", torch.from_dlpack, lambda x: x.numpy(), tensors)
    refuses([tensors[0].double(), tensors[0].flatten()])
else:
    check("numpy", numpy.from_dlpack, lambda x: x, arrays)
    refuses([rows.astype(numpy.float64), numbers, rows[::-1]])
    fixed = rows.copy()
    fixed.flags.writeable = False
    assert library.normalized(given(fixed)), "one that is only read may be read-only"
    assert library.normalize_in_place(given(fixed)) == 1, "and is not written"
