"""Machine code on disk: an object file, its list of functions, and, where there is a linker, the shared library made of it.

The library needs nothing but the C library. Without it, as where no linker was to be had, llvmlite loads the object file.
"""

from __future__ import annotations

import ctypes
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np

from mobilesim_py.native.kernel import Code, Kernel

OBJECT, LIBRARY, MANIFEST = "kernels.o", "kernels.so", "kernels.json"

Kernels = Callable[[str], Callable[..., None]]
"""Gives functions by name."""


class UnfitCodeError(Exception):
    """Machine code that cannot run here; the message says why."""


@dataclass(frozen=True)
class Manifest:
    """What a folder with machine code holds."""

    functions: Mapping[str, Sequence[Code]]
    """The codes of the arguments of each function, by its name; its symbol is `symbol(name)`."""
    features: Sequence[str] = ()
    """What a processor must be able to do, in NumPy's words (`AVX2`)."""

    def save(self, folder: Path) -> None:
        """Write it into a folder."""
        (folder / MANIFEST).write_text(json.dumps(asdict(self), indent=1), encoding="utf-8")

    @classmethod
    def load(cls, folder: Path) -> Manifest:
        """Read that of a folder; UnfitCodeError if it cannot be read."""
        try:
            content = json.loads((folder / MANIFEST).read_text(encoding="utf-8"))
            functions = {
                name: tuple(code if isinstance(code, str) else tuple(code) for code in codes)
                for name, codes in content["functions"].items()
            }
            return cls(functions, tuple(content["features"]))
        except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
            raise UnfitCodeError(f"{folder / MANIFEST}: {error}") from None


def symbol(name: str) -> str:
    """Return the name that a function has in the object file."""
    return f"mobilesim_{name}"


class MachineCode:
    """Compiled functions, in memory."""

    def __init__(self, folder: Path) -> None:
        """Load those of a folder; UnfitCodeError if they cannot run here."""
        self.manifest = Manifest.load(folder)
        missing = [feature for feature in self.manifest.features if feature not in processor_features()]
        if missing:
            raise UnfitCodeError(f"this processor has no {', '.join(missing)}")
        library = folder / LIBRARY
        try:
            self._address = _of_library(library) if library.exists() else _of_object(folder / OBJECT)
        except (OSError, ImportError, RuntimeError) as error:
            raise UnfitCodeError(str(error)) from None

    def __call__(self, name: str) -> Kernel:
        """Return one of the functions; UnfitCodeError if it is not there."""
        try:
            return Kernel(name, self._address(symbol(name)), self.manifest.functions[name])
        except (KeyError, AttributeError, ValueError, TypeError) as error:
            raise UnfitCodeError(f"the function {name} is not there as it should be: {error}") from None


def processor_features() -> frozenset[str]:
    """Return what this machine's processor can do, as NumPy has found out."""
    core = getattr(np, "_core", None) or np.core  # before NumPy 2
    features: Mapping[str, bool] = core._multiarray_umath.__cpu_features__
    return frozenset(name for name, there in features.items() if there)


def _of_library(path: Path) -> Callable[[str], int]:
    library = ctypes.CDLL(str(path.resolve()))

    def address(name: str) -> int:
        found = ctypes.cast(getattr(library, name), ctypes.c_void_p).value
        assert found is not None
        return found

    return address


_KEPT: list[Any] = []
"""Engines that hold loaded code; it stays for as long as the process lives."""


def _of_object(path: Path) -> Callable[[str], int]:
    import llvmlite.binding as llvm

    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()
    machine = llvm.Target.from_default_triple().create_target_machine()
    engine = llvm.create_mcjit_compiler(llvm.parse_assembly(""), machine)
    engine.add_object_file(llvm.ObjectFileRef.from_data(path.read_bytes()))
    engine.finalize_object()
    _KEPT.append(engine)

    def address(name: str) -> int:
        found = int(engine.get_function_address(name))
        if not found:
            raise AttributeError(f"{path} has no {name}")
        return found

    return address
