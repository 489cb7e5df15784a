"""Load the compiled engine from its cache on disk, and fill that cache from a process beside a running simulation."""

from __future__ import annotations

import contextlib
import hashlib
import importlib.util
import os
import platform
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

from mobilesim_py.app.cache_folder import cache_folder
from mobilesim_py.app.kernel_sources import sources_digest
from mobilesim_py.core.engines.engine import CompiledEngine

SOMEBODY_COMPILES = 75
"""Exit code of a compiling process that found another one at work."""
LONGEST_COMPILATION = 300.0
COMPILATION_POLL = 0.5
FORGOTTEN_AFTER = 30 * 86400.0
"""Compiled code of other versions that nobody has used for so long is removed [s]."""


def numba_problem() -> str:
    """Say why there can be no compiled engine here; empty when there can."""
    if importlib.util.find_spec("numba") is None:
        return f"Numba is not installed for Python {platform.python_version()}"
    return ""


def cache_directory() -> Path:
    """Return where the compiled code is kept: a folder for each version of the sources, of Numba and of Python."""
    digest = hashlib.sha256(sources_digest())
    digest.update(f"{sys.version} {platform.machine()} {_numba_version()}".encode())
    return cache_folder() / digest.hexdigest()[:16]


def _numba_version() -> str:
    from importlib.metadata import PackageNotFoundError, version

    try:
        return version("numba")
    except PackageNotFoundError:
        return "none"


def is_cached() -> bool:
    """Tell whether the compiled code is on disk already."""
    return (cache_directory() / "complete").exists()


def forget_old_caches(now: float) -> None:
    """Remove what other versions compiled, unless they were used lately; every use touches the mark of its folder."""
    for mark in cache_folder().glob("*/complete"):
        with contextlib.suppress(OSError):
            if mark.parent != cache_directory() and now - mark.stat().st_mtime > FORGOTTEN_AFTER:
                shutil.rmtree(mark.parent)


def load_compiled(compile_elsewhere: bool = True) -> CompiledEngine:
    """Return the compiled engine, ready to run; takes about a second from the cache.

    With an empty cache another process compiles first: compiling here would hold the interpreter's lock and the memory.
    """
    directory = cache_directory()
    if compile_elsewhere and not is_cached():
        _compile_elsewhere()
    with contextlib.suppress(OSError):  # In a home that cannot be written to, compile in memory.
        directory.mkdir(parents=True, exist_ok=True)
    import numba

    # Numba checks one file to tell whether cached code is stale; our folder depends on all that go into a kernel.
    numba.config.CACHE_DIR = str(directory)
    from mobilesim_py.protocols.arcos import compiled_report

    engine = CompiledEngine()
    engine.warm_up()
    compiled_report.warm_up()
    if not is_cached():
        # Only into the cache: those who go nowhere need not load it.
        from mobilesim_py.navigation import compiled_search

        compiled_search.warm_up()
    with contextlib.suppress(OSError):
        (directory / "complete").touch()
    return engine


def _compile_elsewhere() -> None:
    """Compile the kernels in another process, and wait until it, or one that was already at it, is done.

    It goes on when we end before it does: the next start finds the cache filled.
    """
    command = [sys.executable, "-m", "mobilesim_py.app.compiling"]
    path = os.pathsep.join([str(Path(__file__).resolve().parents[2]), *filter(None, sys.path)])
    silent = subprocess.DEVNULL
    child = subprocess.Popen(
        command,
        stdin=silent,
        stdout=silent,
        stderr=silent,
        start_new_session=True,
        env={**os.environ, "PYTHONPATH": path},
    )
    child.wait()
    waited = 0.0
    while child.returncode == SOMEBODY_COMPILES and not is_cached() and waited < LONGEST_COMPILATION:
        time.sleep(COMPILATION_POLL)
        waited += COMPILATION_POLL


@contextlib.contextmanager
def _only_one() -> Iterator[bool]:
    """Tell whether we are the only process that compiles into this cache, and lock it while the block runs."""
    if sys.platform == "win32":
        yield True
        return
    import fcntl

    directory = cache_directory()
    try:
        directory.mkdir(parents=True, exist_ok=True)
        lock = open(directory / "lock", "w")  # noqa: SIM115  (held while the generator is)
    except OSError:
        yield True
        return
    with lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            yield False
        else:
            yield True


def fill_cache() -> None:
    """Fill the cache and wait for it, whoever does the work; OSError if there is no place for it afterwards."""
    waited = 0.0
    while not is_cached() and waited < LONGEST_COMPILATION:
        with _only_one() as alone:
            if alone:
                load_compiled(compile_elsewhere=False)
                break
        time.sleep(COMPILATION_POLL)
        waited += COMPILATION_POLL
    if not is_cached():
        raise OSError(f"{cache_directory()} cannot be written; MOBILESIM_CACHE_DIR names another place")


def compile_into_cache() -> int:
    """Fill the cache, unless another process is at it; return the exit code of the compiling process."""
    if hasattr(os, "sched_setscheduler"):
        # At idle priority, so that the simulation goes on beside it.
        with contextlib.suppress(OSError):
            os.sched_setscheduler(0, os.SCHED_IDLE, os.sched_param(0))
    elif hasattr(os, "nice"):
        os.nice(19)
    with _only_one() as alone:
        if not alone:
            return SOMEBODY_COMPILES
        load_compiled(compile_elsewhere=False)
        forget_old_caches(time.time())
    return 0


if __name__ == "__main__":
    sys.exit(compile_into_cache())
