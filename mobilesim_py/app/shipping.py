"""`python -m mobilesim_py.app.shipping FOLDER`: compile the kernels for any processor of the last ten years, for a wheel.

Without fused multiply-add, the code gives the same bits on each of them. `make wheel` calls this.
"""

from __future__ import annotations

import os
import platform
import shutil
import sys
from pathlib import Path

BASELINES = {"x86_64": ("x86-64-v3", "-fma", ("AVX2", "FMA3")), "AMD64": ("x86-64-v3", "-fma", ("AVX2", "FMA3"))}
"""By machine: the processor in LLVM's words, what of it is not used, and what it must have in NumPy's words."""
ANY = ("generic", "", ())


def main(argv: list[str]) -> int:
    """Compile into a folder of its version below the given one; return the exit code."""
    if len(argv) != 1:
        print("Usage: python -m mobilesim_py.app.shipping FOLDER", file=sys.stderr)
        return 2
    name, without, features = BASELINES.get(platform.machine(), ANY)
    os.environ["NUMBA_CPU_NAME"], os.environ["NUMBA_CPU_FEATURES"] = name, without
    from mobilesim_py.app import compiling

    place = Path(argv[0]) / compiling.code_name()
    shutil.rmtree(argv[0], ignore_errors=True)
    compiling.compile_into(place, features)
    (place / compiling.COMPLETE).unlink()
    print(f"Compiled for {name} into {place}")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
