"""All cases by name. Needs NumPy and ml_dtypes, not Triton."""

from . import atomics, attention, blackwell, control, elementwise, explicit, layout, matmul, norm, reduce, scan, tensor  # noqa: F401
from .case import CASES  # noqa: F401
