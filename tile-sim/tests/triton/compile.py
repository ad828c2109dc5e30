"""Compiles every case with Triton for every architecture it is for: `corpus/`.

Needs the packages of `requirements.txt`, no GPU: `python3 compile.py [part of a name ...]`.
"""

import importlib
import os
import re
import sys
import tempfile
from pathlib import Path

os.environ["TRITON_CACHE_DIR"] = tempfile.mkdtemp()
os.environ["TRITON_ALWAYS_COMPILE"] = "1"
os.environ["TRITON_DEFAULT_FP_FUSION"] = "1"

import numpy as np
import triton
from triton.backends.compiler import GPUTarget
from triton.compiler import ASTSource
from triton.experimental.gluon._runtime import GluonASTSource

sys.dont_write_bytecode = True
HERE = Path(__file__).parent
sys.path.insert(0, str(HERE))

from cases import CASES
from cases.case import TYPES, Descriptor, Out, Scratch


def signature_of(fn, case):
    """Types, constants and alignments of the arguments, as a launch from Python would find them."""
    signature, constants, attributes = {}, {}, {}
    launch = case.launch()
    names = list(fn.arg_names)
    run_time = [name for name in names if name not in case.consts]
    assert len(run_time) == len(launch.args), f"{case.name}: {run_time}"
    values = dict(zip(run_time, launch.args))
    for index, name in enumerate(names):
        if name in case.consts:
            signature[name] = "constexpr"
            value = case.consts[name]
            is_type = name in ("ACC", "TO")
            constants[(index,)] = triton.language.dtype(value) if is_type else value
            continue
        value = values[name]
        aligned = True
        if isinstance(value, Descriptor):
            base = value.of.start if isinstance(value.of, Out) else value.of
            signature[name] = f"tensordesc<{TYPES[base.dtype]}[{','.join(map(str, value.block))}]>"
            continue
        if isinstance(value, (Out, Scratch)):
            signature[name] = "*" + TYPES[value.start.dtype]
        elif isinstance(value, np.ndarray):
            signature[name] = "*" + TYPES[value.dtype]
        elif isinstance(value, float):
            signature[name], aligned = "fp32", False
        elif value == 1:
            signature[name], constants[(index,)] = "constexpr", 1
            continue
        else:
            signature[name], aligned = "i32", value % 16 == 0
        if aligned:
            attributes[(index,)] = [["tt.divisibility", 16]]
    return signature, constants, attributes


def without_folders(backend=None, stages=None, *_):
    """Has file names without folders in the debug information."""
    if backend is None:
        return "", ""
    make = stages["llir"]
    folder = re.compile(r'(!DIFile\(filename: "[^"]*", directory: ")[^"]*')
    stages["llir"] = lambda source, metadata: folder.sub(r"\1kernels", make(source, metadata))


triton.knobs.runtime.add_stages_inspection_hook = without_folders


def compile(case, arch):
    module, function = case.kernel.split(".")
    fn = getattr(importlib.import_module(f"kernels.{module}"), function)
    signature, constants, attributes = signature_of(fn, case)
    options = {"num_warps": case.warps, "num_stages": case.stages, "num_ctas": case.ctas, **case.options}
    triton.knobs.compilation.disable_line_info = not case.lines
    kind = GluonASTSource if fn.is_gluon() else ASTSource
    source = kind(fn, signature, constants, attributes)
    kernel = triton.compile(source, target=GPUTarget("cuda", arch, 32), options=options)
    return kernel.asm["ptx"], kernel.metadata


def facts(metadata):
    """What a launch needs to know beyond the text."""
    result = {
        "entry": metadata.name,
        "threads": 32 * metadata.num_warps,
        "shared": metadata.shared,
        "cluster": metadata.num_ctas,
        "scratch": metadata.global_scratch_size,
        "scratch_align": metadata.global_scratch_align,
    }
    assert metadata.profile_scratch_size == 0
    for number, meta in enumerate(metadata.tensordesc_meta or []):
        box = "x".join(map(str, meta["block_size"]))
        result[f"map{number}"] = f"{meta['swizzle']},{meta['elem_type']},{box}"
    return result


def main():
    parts = sys.argv[1:]
    out = HERE / "corpus"
    failed = []
    for case in CASES.values():
        if parts and not any(part in case.name for part in parts):
            continue
        for arch in case.archs:
            folder = out / f"sm_{arch}"
            folder.mkdir(parents=True, exist_ok=True)
            try:
                ptx, metadata = compile(case, arch)
            except Exception as error:
                failed.append(f"{case.name}.sm_{arch}: {type(error).__name__}: {error}")
                print("failed", failed[-1][-1500:], file=sys.stderr)
                continue
            head = "".join(f"// {key}: {value}\n" for key, value in facts(metadata).items())
            text = re.sub(r"[ \t]+$", "", ptx, flags=re.M)
            (folder / f"{case.name}.ptx").write_text(head + text.lstrip("\n").rstrip("\n") + "\n")
    print(len(failed), "failed")
    sys.exit(bool(failed))


if __name__ == "__main__":
    main()
