"""Which modules go into the compiled kernels.

They are the modules that import Numba, by themselves or through another module of this package, and all that these import.
Constants are frozen into a kernel when it is compiled, so a change of any of these modules makes compiled code stale.
The list is computed from the text of the modules: it cannot be forgotten, and neither Numba nor the modules are imported.
"""

from __future__ import annotations

import hashlib
import os
import re
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from pathlib import Path

_PACKAGE = Path(__file__).resolve().parents[1]
# Kernels see the names of their module, so the imports that matter begin a line; those for type checkers are indented.
_USES_NUMBA = re.compile(r"^(?:import|from) numba\b", re.MULTILINE)
_IMPORT = re.compile(r"^from (\.*)([\w.]*) import (\([^)]*\)|[^\n]*)|^import ([^\n]*)", re.MULTILINE)
_WORD = re.compile(r"\w+")


@cache
def kernel_sources(package: Path = _PACKAGE) -> tuple[Path, ...]:
    """List the files of the package from which compiled code is made, sorted."""
    files, texts = {}, {}
    for path in package.rglob("*.py"):
        place = path.relative_to(package.parent).with_suffix("").parts
        name = ".".join(place[:-1] if place[-1] == "__init__" else place)
        files[name], texts[name] = path, path.read_text(encoding="utf-8")
    imports = {
        name: {other for other in _imported(name, files[name], text) if other in files} for name, text in texts.items()
    }
    importers: dict[str, set[str]] = {name: set() for name in files}
    for name, others in imports.items():
        for other in others:
            importers[other].add(name)
    with_numba = _reached((name for name, text in texts.items() if _USES_NUMBA.search(text)), importers)
    return tuple(sorted(files[name] for name in _reached(with_numba, imports)))


@cache
def sources_digest(package: Path = _PACKAGE) -> bytes:
    """Tell versions of the kernels' sources apart."""
    digest = hashlib.sha256()
    for path in kernel_sources(package):
        digest.update(path.relative_to(package).as_posix().encode() + b"\0" + path.read_bytes() + b"\0")
    return digest.digest()


def package_stamp(package: Path = _PACKAGE) -> str:
    """Tell states of the package apart without reading it: the names, sizes and times of all its modules."""
    digest = hashlib.sha256()
    folders = [os.fspath(package)]
    while folders:
        with os.scandir(folders.pop()) as entries:
            for entry in sorted(entries, key=lambda entry: entry.name):
                if entry.name.endswith(".py"):
                    facts = entry.stat()
                    digest.update(f"{entry.path} {facts.st_size} {facts.st_mtime_ns}\n".encode())
                elif "." not in entry.name and entry.name != "__pycache__" and entry.is_dir():
                    folders.append(entry.path)
    return digest.hexdigest()[:16]


def _imported(name: str, path: Path, text: str) -> Iterator[str]:
    """Name the modules that the imports of a module may mean; `from a import b` may mean a module b in the package a."""
    package = name if path.name == "__init__.py" else name.rpartition(".")[0]
    for dots, module, names, modules in _IMPORT.findall(text):
        if modules:
            yield from (part.split()[0] for part in modules.split(","))
            continue
        if dots:
            above = package.split(".")
            base = ".".join([*above[: len(above) + 1 - len(dots)], *filter(None, [module])])
        else:
            base = module
        yield base
        yield from (f"{base}.{word}" for word in _WORD.findall(names))


def _reached(starts: Iterable[str], ways: Mapping[str, set[str]]) -> set[str]:
    found: set[str] = set()
    waiting = list(starts)
    while waiting:
        name = waiting.pop()
        if name not in found:
            found.add(name)
            waiting.extend(ways[name])
    return found
