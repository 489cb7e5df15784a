"""The modules that go into compiled kernels, against an independent reading of the imports by the syntax tree."""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path

import pytest

import mobilesim_py
from mobilesim_py.app.kernel_sources import kernel_sources, sources_digest

PACKAGE = Path(mobilesim_py.__file__).resolve().parent


def imports_of(path: Path) -> set[Path]:
    """Find the files of the package that a module imports when it is imported."""
    found: set[Path] = set()
    for node in ast.parse(path.read_text(encoding="utf-8")).body:
        names: list[str] = []
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            module = node.module or ""
            if node.level:
                base = path.parents[node.level - 1].relative_to(PACKAGE.parent).parts
                module = ".".join([*base, *filter(None, [module])])
            names = [module, *(f"{module}.{alias.name}" for alias in node.names)]
        for name in names:
            place = PACKAGE.parent.joinpath(*name.split("."))
            found |= {file for file in (place.with_suffix(".py"), place / "__init__.py") if file.is_file()}
    return {file for file in found if PACKAGE in file.parents}


def test_they_are_all_that_the_modules_with_numba_import() -> None:
    tree = {path: imports_of(path) for path in PACKAGE.rglob("*.py")}
    kernels = {path for path in tree if any("numba" in line for line in top_imports(path))}
    assert kernels, "no module imports Numba at its top"
    while more := {path for path in tree if tree[path] & kernels} - kernels:
        kernels |= more
    expected = set(kernels)
    while more := set[Path]().union(*(tree[path] for path in expected)) - expected:
        expected |= more
    assert set(kernel_sources()) == expected


def top_imports(path: Path) -> list[str]:
    body = ast.parse(path.read_text(encoding="utf-8")).body
    return [ast.unparse(node) for node in body if isinstance(node, ast.Import | ast.ImportFrom)]


@pytest.mark.parametrize("module", ["core/fields.py", "protocols/arcos/layout.py", "core/engines/formulas.py"])
def test_modules_whose_constants_are_frozen_are_among_them(module: str) -> None:
    assert PACKAGE / module in kernel_sources()


def made(folder: Path, constant: int) -> Path:
    """Make a package with a kernel, compiled through a module of its own, that has a constant of another frozen into it."""
    package = folder / "package"
    package.mkdir(parents=True)
    (package / "jit.py").write_text("import numba\n")
    (package / "kernel.py").write_text("from package import jit\nfrom package.middle import (\n    NUMBER,\n)\n")
    (package / "middle.py").write_text("from . import constants\nfrom .inner.more import MORE\nNUMBER = constants.NUMBER\n")
    (package / "inner").mkdir()
    (package / "inner" / "more.py").write_text("import package.last\nMORE = 1\n")
    (package / "last.py").write_text("LAST = 1\n")
    (package / "constants.py").write_text(f"NUMBER = {constant}\n")
    (package / "other.py").write_text(f"OTHER = {constant}\n")
    return package


def test_imports_are_followed_across_modules(tmp_path: Path) -> None:
    package = made(tmp_path, 1)
    assert [path.name for path in kernel_sources(package)] == [
        "constants.py",
        "more.py",
        "jit.py",
        "kernel.py",
        "last.py",
        "middle.py",
    ]


def test_a_constant_that_changes_makes_another_version(tmp_path: Path) -> None:
    digests = [sources_digest(made(tmp_path / str(n), constant)) for n, constant in enumerate((1, 1, 2))]
    assert digests[0] == digests[1] != digests[2]


def test_nothing_heavy_is_imported_to_find_them() -> None:
    code = (
        "import sys; from mobilesim_py.app.kernel_sources import kernel_sources; kernel_sources();"
        "print(*({'numba', 'numpy'} & set(sys.modules)))"
    )
    result = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=PACKAGE.parent)
    assert result.stdout.strip() == ""
