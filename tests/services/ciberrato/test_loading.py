"""Files and flags become a setup."""

from __future__ import annotations

import pytest

from mobilesim_py.formats.lab import LabFileError, Parameters, default_grid, default_lab
from mobilesim_py.services.ciberrato import EXPLORER_2022
from mobilesim_py.services.ciberrato.loading import Choices, load_setup


@pytest.fixture
def files(tmp_path, monkeypatch):
    (tmp_path / "labs").mkdir()
    (tmp_path / "labs" / "lab.xml").write_text('<Lab Name="named" Width="8" Height="4"><Row Pos="0" Pattern="  |"/></Lab>')
    (tmp_path / "labs" / "grid.xml").write_text('<Grid><Position X="5" Y="1"/></Grid>')
    (tmp_path / "labs" / "param.xml").write_text('<Parameters SimTime="7" GPS="Off" Lab="lab.xml" Grid="grid.xml"/>')
    (tmp_path / "other.xml").write_text('<Lab Name="other"/>')
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_without_files_all_is_built_in():
    setup = load_setup(Choices(scoring=2))
    assert (setup.lab, setup.grid, setup.parameters, setup.scoring) == (default_lab(), default_grid(), Parameters(), 2)


def test_a_parameter_file_names_lab_and_grid_from_beside_itself(files):
    setup = load_setup(Choices(param="labs/param.xml"))
    assert (setup.lab.name, setup.grid.places[0].x, setup.parameters.sim_time) == ("named", 5.0, 7)
    assert (setup.parameters.lab_file, setup.parameters.grid_file) == ("lab.xml", "grid.xml")


def test_files_from_here_come_first(files):
    (files / "lab.xml").write_text('<Lab Name="here"/>')
    assert load_setup(Choices(param="labs/param.xml")).lab.name == "here"


def test_the_command_line_overrides_the_parameter_file(files):
    setup = load_setup(Choices(param="labs/param.xml", lab="other.xml", gps=True, beacon=True))
    assert (setup.lab.name, setup.grid.places[0].x) == ("other", 5.0)
    assert (setup.parameters.gps, setup.parameters.beacon_sensor, setup.parameters.lab_file) == (True, True, "other.xml")


def test_rules_decide_how_thick_walls_are(files):
    for choices in (Choices(lab="labs/lab.xml", rules=EXPLORER_2022), Choices(rules=EXPLORER_2022)):
        (left, _), (right, _), *_ = load_setup(choices).lab.walls[0].corners
        assert right - left == pytest.approx(0.1)


def test_a_file_that_is_named_but_not_there_is_told(files):
    (files / "labs" / "lab.xml").unlink()
    with pytest.raises(LabFileError, match=r"lab\.xml:1: cannot be read"):
        load_setup(Choices(param="labs/param.xml"))
    with pytest.raises(LabFileError, match=r"none\.xml:1: cannot be read"):
        load_setup(Choices(grid="none.xml"))


def test_warnings_are_passed_on(files):
    (files / "odd.xml").write_text('<Lab Colour="red"/>')
    warnings: list[str] = []
    load_setup(Choices(lab="odd.xml"), warnings.append)
    assert len(warnings) == 1


@pytest.mark.parametrize(
    ("place", "said"),
    [
        ('X="9" Y="1"', "lies outside the lab of 8 x 4"),
        ('X="2.2" Y="1"', "touches a wall"),
        ('X="5" Y="0.4"', "touches a wall"),
    ],
)
def test_a_start_place_where_no_robot_can_move_is_told_with_its_line(files, place, said):
    (files / "labs" / "grid.xml").write_text(f'<Grid>\n <Position X="5" Y="1"/>\n <Position {place}/>\n</Grid>')
    warnings: list[str] = []
    load_setup(Choices(param="labs/param.xml"), warnings.append)
    (warning,) = [text for text in warnings if "start place" in text]
    assert warning.startswith("labs/grid.xml:3: the start place at (")
    assert said in warning
    assert warning.endswith("move it")


def test_a_lab_in_which_no_default_place_is_free_is_told(files):
    warnings: list[str] = []
    load_setup(Choices(lab="labs/lab.xml"), warnings.append)
    assert (
        warnings
        == [
            "the default grid: the start place at (9, 3) lies outside the lab of 8 x 4; a robot there cannot move, so move it"
        ]
        + warnings[1:]
    )
