"""The syntax of ARIA's parameter files."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mobilesim_py.catalogue.parameterfile import parse_parameters, read_parameters
from mobilesim_py.errors import ExitCode, ParameterFileError

TEXT = """\
ConfigVersion 2.0
;SectionFlags for :
Section General settings
Class Pioneer            ; general type of robot
Name "two words"         ; with a string
RobotWidth 425.00000     # another comment
Empty                    ; nothing
Flag true
Section Sonar parameters
SonarUnit 0 1 2 3
SonarUnit 1 4 5 6
"""


def test_parameters_stand_in_sections() -> None:
    general = parse_parameters(TEXT, "f").section("General settings")
    assert general.text("Class") == "Pioneer"
    assert general.number("RobotWidth") == 425
    assert general.flag("Flag") is True


def test_capitals_do_not_matter() -> None:
    assert parse_parameters(TEXT, "f").section("general SETTINGS").text("class") == "Pioneer"


def test_quotation_marks_are_taken_off() -> None:
    assert parse_parameters(TEXT, "f").section("General settings").text("Name") == "two words"


def test_an_empty_parameter_is_as_if_it_were_not_there() -> None:
    assert parse_parameters(TEXT, "f").section("General settings").number("Empty", 7) == 7


def test_a_repeated_parameter_is_kept_each_time() -> None:
    units = parse_parameters(TEXT, "f").section("Sonar parameters").all("SonarUnit")
    assert [unit.integer(0) for unit in units] == [0, 1]


def test_what_stands_before_the_first_section_belongs_to_all() -> None:
    file = parse_parameters("Class Amigo\nSection Other\nx 1\n", "f")
    assert file.section("General settings").text("Class") == "Amigo"


@pytest.mark.parametrize(
    ("line", "kind", "message"),
    [
        ("x abc", "number", "f:2: x: expected a number, found 'abc'"),
        ("x inf", "number", "f:2: x: expected a finite number"),
        ("x 1.5", "integer", "f:2: x: expected a whole number, found '1.5'"),
        ("x maybe", "flag", "f:2: x: expected true or false, found 'maybe'"),
    ],
)
def test_a_wrong_value_is_named_with_its_place(line: str, kind: str, message: str) -> None:
    section = parse_parameters(f"Section A\n{line}\n", "f").section("A")
    with pytest.raises(ParameterFileError, match=message):
        getattr(section, kind)("x")


def test_a_line_with_too_few_numbers_is_an_error() -> None:
    (unit,) = parse_parameters("Section A\nSonarUnit 0 1\n", "f").section("A").all("SonarUnit")
    with pytest.raises(ParameterFileError, match="f:2: SonarUnit: expected 4 numbers, found 2"):
        unit.number(3)


def test_a_file_that_cannot_be_read_has_the_exit_code_of_parameter_files(tmp_path: Path) -> None:
    with pytest.raises(ParameterFileError, match="cannot be read") as caught:
        read_parameters(tmp_path / "no.p")
    assert caught.value.exit_code == ExitCode.PARAMETER_FILE


@given(st.text())
def test_any_text_can_be_parsed(text: str) -> None:
    assert parse_parameters(text, "f").path == "f"
