"""`mobilesim warm`: compile now what the first start would compile beside the simulation."""

from __future__ import annotations

import time

from mobilesim_py.app import compiling
from mobilesim_py.errors import EmulationError, ExitCode
from mobilesim_py.tools.words import Given, run


def main(argv: list[str]) -> int:
    """Run the tool; return the exit code."""
    return run("warm", argv, {"": _warm})


def _warm(given: Given) -> int:
    if compiling.is_cached():
        print(f"The compiled engine is ready already, in {compiling.cache_directory()}")
        return ExitCode.OK
    if problem := compiling.numba_problem():
        serves = "compiled engine that was shipped" if compiling.load_ready() is not None else "NumPy engine"
        print(f"Nothing to compile: {problem}. The {serves} serves.")
        return ExitCode.OK
    print("Compiling the engine, which takes about a minute ...", flush=True)
    began = time.monotonic()
    try:
        compiling.fill_cache()
    except Exception as error:  # whatever Numba or the file system says is what the user must know
        raise EmulationError(f"The engine cannot be compiled: {type(error).__name__}: {error}") from None
    print(f"Ready after {time.monotonic() - began:.0f} s, in {compiling.cache_directory()}")
    return ExitCode.OK
