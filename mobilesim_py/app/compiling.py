"""The compiled engine: loaded from where its machine code lies, or compiled in a process beside the running simulation.

There are two places: a cache of this machine, with code for its own processor, and what a wheel ships, for any processor of
the last ten years. Both are folders named after the sources of all kernels.
"""

from __future__ import annotations

import contextlib
import hashlib
import importlib.util
import os
import platform
import sys
import time
from collections.abc import Iterator
from pathlib import Path

from mobilesim_py.app.cache_folder import cache_folder
from mobilesim_py.app.kernel_sources import package_stamp, sources_digest
from mobilesim_py.core.engines.engine import CompiledEngine
from mobilesim_py.errors import EmulationError
from mobilesim_py.native.machine_code import MANIFEST, Kernels, MachineCode, UnfitCodeError, processor_features
from mobilesim_py.resources import shipped_kernels_dir

COMPLETE = "complete"
"""The file that marks a folder of the cache in which all is there; every use touches it."""
SOMEBODY_COMPILES = 75
"""Exit code of a compiling process that found another one at work."""
LONGEST_COMPILATION = 300.0
COMPILATION_POLL = 0.5
FORGOTTEN_AFTER = 30 * 86400.0
"""Compiled code of other versions that nobody has used for so long is removed [s]."""


def numba_problem() -> str:
    """Say why nothing can be compiled here; empty when it can."""
    if importlib.util.find_spec("numba") is None:
        return f"Numba is not installed for Python {platform.python_version()}"
    return ""


def code_name(*features: str) -> str:
    """Return what tells versions of the machine code apart: the sources of all kernels, the system and the machine.

    `features` are those of the processor that it is for, if not any. Nothing depends on Python or on Numba once it is made.
    """
    words = (_sources(), sys.platform, platform.machine(), *sorted(features))
    return hashlib.sha256(" ".join(words).encode()).hexdigest()[:16]


def _sources() -> str:
    """Return the digest of the kernels' sources; it is noted, for reading them all takes longer than loading the code."""
    note = cache_folder() / "sources" / package_stamp()
    with contextlib.suppress(OSError):
        if noted := note.read_text():
            return noted
    digest = sources_digest().hex()
    with contextlib.suppress(OSError):
        note.parent.mkdir(parents=True, exist_ok=True)
        note.write_text(digest)
    return digest


def cache_directory() -> Path:
    """Return where this machine keeps its code for the sources of now."""
    return cache_folder() / code_name(*processor_features())


def is_cached() -> bool:
    """Tell whether code for this machine's own processor is on disk already."""
    return (cache_directory() / COMPLETE).exists()


def forget_old_caches(now: float) -> None:
    """Remove what other versions compiled, unless they were used lately; every use touches the mark of its folder."""
    import shutil

    for mark in cache_folder().glob(f"*/{COMPLETE}"):
        with contextlib.suppress(OSError):
            if mark.parent != cache_directory() and now - mark.stat().st_mtime > FORGOTTEN_AFTER:
                shutil.rmtree(mark.parent)
    for note in cache_folder().glob("sources/*"):
        with contextlib.suppress(OSError):
            if now - note.stat().st_mtime > FORGOTTEN_AFTER:
                note.unlink()


def load_ready() -> CompiledEngine | None:
    """Return the compiled engine if its code is on disk and fits this processor; takes milliseconds."""
    folders = [cache_directory()] if is_cached() else []
    for folder in (*folders, shipped_kernels_dir() / code_name()):
        if (folder / MANIFEST).exists():
            with contextlib.suppress(UnfitCodeError):
                engine = CompiledEngine(MachineCode(folder))
                with contextlib.suppress(OSError):
                    os.utime(folder / COMPLETE)
                return engine
    return None


def load_compiled() -> CompiledEngine:
    """Return the compiled engine; EmulationError, with the reason, if there is none.

    Without its code on disk another process compiles first: compiling here would hold the interpreter's lock and the memory.
    """
    if (engine := load_ready()) is not None:
        return engine
    if problem := numba_problem():
        raise EmulationError(f"There is no compiled engine: {problem}.")
    with _place_for_code() as folder:
        _compile_elsewhere(folder)
        try:
            return CompiledEngine(MachineCode(folder))
        except UnfitCodeError as error:
            raise EmulationError(f"The engine could not be compiled: {error}") from None


@contextlib.contextmanager
def _place_for_code() -> Iterator[Path]:
    """Find the cache; where it cannot be written to, a temporary folder, which goes once its code is loaded."""
    directory = cache_directory()
    with contextlib.suppress(OSError):
        directory.mkdir(parents=True, exist_ok=True)
    if os.access(directory, os.W_OK):
        yield directory
        return
    import tempfile

    with tempfile.TemporaryDirectory(prefix="mobilesim-kernels-", ignore_cleanup_errors=True) as folder:
        yield Path(folder)


def _compile_elsewhere(folder: Path) -> None:
    """Compile the kernels in another process, and wait until it, or one that was already at it, is done.

    It goes on when we end before it does: the next start finds the cache filled.
    """
    import subprocess

    command = [sys.executable, "-m", "mobilesim_py.app.compiling", str(folder)]
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


def compile_into(folder: Path, features: tuple[str, ...] = ()) -> None:
    """Compile all kernels here; OSError if the folder cannot be written to."""
    from mobilesim_py.core.engines.compiled.engine import kernel_functions
    from mobilesim_py.native.build import build
    from mobilesim_py.navigation import search
    from mobilesim_py.protocols.arcos import compiled_report
    from mobilesim_py.protocols.arcos.compiled_packing import PACK, CompiledPacker

    def exercise(kernels: Kernels) -> None:
        CompiledEngine(kernels).exercise()
        CompiledPacker(kernels(PACK)).exercise()
        search.CompiledSearcher(kernels).exercise()

    functions = {**kernel_functions(), PACK: compiled_report.pack, **search.kernel_functions()}
    build(functions, exercise, folder, features)
    (folder / COMPLETE).touch()


@contextlib.contextmanager
def _only_one() -> Iterator[bool]:
    """Tell whether we are the only process that compiles into the cache, and lock it while the block runs."""
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
    """Fill the cache and wait for it, whoever does the work; OSError if there is no place for it."""
    waited = 0.0
    while not is_cached() and waited < LONGEST_COMPILATION:
        with _only_one() as alone:
            if alone:
                compile_into(cache_directory())
                break
        time.sleep(COMPILATION_POLL)
        waited += COMPILATION_POLL
    if not is_cached():
        raise OSError(f"{cache_directory()} cannot be written; MOBILESIM_CACHE_DIR names another place")


def compile_beside(folder: Path) -> int:
    """Compile into a folder, unless that is the cache and another process is at it; return the exit code of this process."""
    if hasattr(os, "sched_setscheduler"):
        # At idle priority, so that the simulation goes on beside it.
        with contextlib.suppress(OSError):
            os.sched_setscheduler(0, os.SCHED_IDLE, os.sched_param(0))
    elif hasattr(os, "nice"):
        os.nice(19)
    if folder != cache_directory():
        compile_into(folder)
        return 0
    with _only_one() as alone:
        if not alone:
            return SOMEBODY_COMPILES
        compile_into(folder)
        forget_old_caches(time.time())
    return 0


if __name__ == "__main__":
    sys.exit(compile_beside(Path(sys.argv[1])))
