"""Which modules go into the compiled kernels: those that import Numba, directly or through others, and all they import.

Constants are frozen into a kernel when it is compiled, so a change of any of these modules makes compiled code stale.
The list is computed from the text of the modules: it cannot be forgotten, and neither Numba nor the modules are imported.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

_PACKAGE = Path(__file__).resolve().parents[1]
# Kernels see the names of their module, so the imports that matter begin a line; those for type checkers are indented.
_USES_NUMBA = re.compile(r"^(?:import|from) numba\b", re.MULTILINE)
_IMPORT = re.compile(r"^from (\.*)([\w.]*) import (\([^)]*\)|[^\n]*)|^import ([^\n]*)", re.MULTILINE)


@cache
def kernel_sources(package: Path = _PACKAGE) -> tuple[Path, ...]:
    """List the files of the package from which compiled code is made, sorted."""
    texts = {path: path.read_text(encoding="utf-8") for path in package.rglob("*.py")}
    imports = {path: {file for file in _imported(path, text, package) if file in texts} for path, text in texts.items()}
    kernels = {path for path, text in texts.items() if _USES_NUMBA.search(text)}
    while more := {path for path, files in imports.items() if files & kernels} - kernels:
        kernels |= more
    while more := {file for path in kernels for file in imports[path]} - kernels:
        kernels |= more
    return tuple(sorted(kernels))


@cache
def sources_digest(package: Path = _PACKAGE) -> bytes:
    """Tell versions of the kernels' sources apart."""
    digest = hashlib.sha256()
    for path in kernel_sources(package):
        digest.update(path.relative_to(package).as_posix().encode() + b"\0" + path.read_bytes() + b"\0")
    return digest.digest()


def _imported(path: Path, text: str, package: Path) -> Iterator[Path]:
    """Name the files that the imports of a module may mean; `from a import b` may mean a module b in the package a."""
    for dots, module, names, modules in _IMPORT.findall(text):
        if dots:
            yield from _meant(path.parents[len(dots) - 1].joinpath(*module.split(".")), names)
            continue
        for name in (module,) if module else (part.split()[0] for part in modules.split(",")):
            first, *rest = name.split(".")
            if first == package.name:
                yield from _meant(package.joinpath(*rest), names)


def _meant(place: Path, names: str) -> Iterator[Path]:
    yield place.with_suffix(".py")
    yield place / "__init__.py"
    for word in re.findall(r"\w+", names):
        yield place / f"{word}.py"
