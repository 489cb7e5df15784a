"""`mobilesim field` writes fields from options."""

from __future__ import annotations

from pathlib import Path

import pytest

from mobilesim_py.errors import UsageError
from mobilesim_py.formats.field.field_file import read_field
from mobilesim_py.formats.field.plan import FieldPlan
from mobilesim_py.tools.field import main


def test_options_become_the_parameters_of_the_field(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "mine.field"
    options = "--ground grass --culture cabbage --mounds --rows 7 --length 12.5 --width 0.9 --spacing 0.4 --staggered"
    options += " --rocks 2 --grass 20 --holes 3 --curvature -0.05 --deviation 0.01 --springy --seed 9"
    assert main([str(path), *options.split()]) == 0
    assert read_field(path) == (
        FieldPlan("mine", "grass", "Cabbage", True, 7, 12.5, 0.9, 0.4, True, 2, 20, 3, -0.05, 0.01, trampling=False, seed=9),
        (),
    )
    assert "7 rows of 12.5 m" in capsys.readouterr().out


def test_without_options_it_is_the_usual_field(tmp_path: Path) -> None:
    path = tmp_path / "field.field"
    main([str(path)])
    assert read_field(path)[0] == FieldPlan()


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--grass", "7"], "one of 0, 1, 2, 3, 10, 20, 30"),
        (["--rows", "2000", "--length", "2000"], "a field may have 1000000"),
        (["--rows", "0"], "1 to 2000"),
        (["--curvature", "3"], "0.2"),
        (["--length", "nan"], "--length"),
        (["--culture", "rose"], "leek, cabbage"),
    ],
)
def test_absurd_parameters_are_refused(tmp_path: Path, words: list[str], message: str) -> None:
    with pytest.raises(UsageError, match=message):
        main([str(tmp_path / "a.field"), *words])
    assert not list(tmp_path.iterdir())


def test_a_place_that_cannot_be_written_is_told(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="cannot write the field"):
        main([str(tmp_path / "no" / "a.field")])
