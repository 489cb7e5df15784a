"""Functions that Numba compiles run from their object file, without it."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from mobilesim_py.native.machine_code import LIBRARY, OBJECT, Kernels, MachineCode, UnfitCodeError

numba = pytest.importorskip("numba", reason="Numba does not exist for this Python")
build = pytest.importorskip("mobilesim_py.native.build")


@numba.njit(nogil=True, error_model="numpy")  # type: ignore[untyped-decorator]
def weighted(table: Any, weights: Any, scale: Any, result: Any) -> None:
    """Sum the rows of a table; it makes an array, so it needs memory of its own."""
    room = np.zeros((table.shape[0], 2))
    for row in range(table.shape[0]):
        for column in range(table.shape[1]):
            room[row, 1] += table[row, column] * weights[column]
    for row in range(len(result)):
        result[row] = room[row, 1] * scale


@numba.njit(nogil=True, error_model="numpy")  # type: ignore[untyped-decorator]
def too_much(count: Any, result: Any) -> None:
    result[0] = len(np.empty(count))


@numba.njit(nogil=True, error_model="numpy")  # type: ignore[untyped-decorator]
def needs_numba(table: Any, result: Any) -> None:
    result[0] = len(table.ravel())


def examples(kernels: Kernels) -> None:
    kernels("weighted")(np.zeros((1, 1)), np.zeros(1, np.int32), 1.0, np.zeros(1))
    kernels("too_much")(1, np.zeros(1))


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    place = tmp_path_factory.mktemp("code")
    build.build({"weighted": weighted, "too_much": too_much}, examples, place)
    return Path(place)


@pytest.mark.parametrize("linked", [True, False])
def test_a_function_gives_what_numba_gives(folder: Path, tmp_path: Path, linked: bool) -> None:
    if linked and not (folder / LIBRARY).exists():
        pytest.skip("there is no linker")
    place = tmp_path / "code"
    place.mkdir()
    for file in folder.iterdir():
        if linked or file.name != LIBRARY:
            (place / file.name).write_bytes(file.read_bytes())
    kernel = MachineCode(place)("weighted")
    rng = np.random.default_rng(1)
    for rows in (0, 1, 1000):
        table, weights = rng.normal(size=(rows, 7)), rng.integers(0, 9, 7).astype(np.int32)
        ours, theirs = np.zeros(rows), np.zeros(rows)
        kernel(table, weights, 0.3, ours)
        weighted(table, weights, 0.3, theirs)
        assert ours.tolist() == theirs.tolist()


def test_memory_that_is_not_there_is_an_error(folder: Path) -> None:
    kernel, result = MachineCode(folder)("too_much"), np.zeros(1)
    with pytest.raises(MemoryError):
        kernel(1 << 60, result)
    kernel(5, result)
    assert result[0] == 5.0


def test_neither_numba_nor_llvm_is_needed_to_run_it(folder: Path) -> None:
    if not (folder / LIBRARY).exists():
        pytest.skip("there is no linker")
    code = (
        "import sys, pathlib, numpy as np; from mobilesim_py.native.machine_code import MachineCode;"
        f"out = np.zeros(1); MachineCode(pathlib.Path({str(folder)!r}))('too_much')(3, out);"
        "print(out[0], *({'numba', 'llvmlite'} & set(sys.modules)))"
    )
    said = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    assert said.split() == ["3.0"]


def test_a_function_that_is_not_there_is_told(folder: Path) -> None:
    with pytest.raises(UnfitCodeError, match="nothing_such"):
        MachineCode(folder)("nothing_such")


def test_a_function_is_called_in_one_way_only() -> None:
    record = build.Recorder()
    record("twice")(1, np.zeros(1))
    with pytest.raises(TypeError, match="twice"):
        record("twice")(1.0, np.zeros(1))


def test_what_would_need_numba_is_refused(tmp_path: Path) -> None:
    def example(kernels: Kernels) -> None:
        kernels("needs_numba")(np.zeros((1, 1)), np.zeros(1))

    with pytest.raises(TypeError, match="reshape"):
        build.build({"needs_numba": needs_numba}, example, tmp_path)


def test_the_object_file_is_there_with_its_list(folder: Path) -> None:
    assert (folder / OBJECT).stat().st_size > 1000
    functions = MachineCode(folder).manifest.functions
    assert functions["weighted"] == ("float64:2", "int32:1", "float", "float64:1")
