"""`mobilesim map`: what it prints, draws and returns."""

from __future__ import annotations

import json
from pathlib import Path
from xml.etree import ElementTree

import pytest
from PIL import Image

from mobilesim_py.__main__ import main as program
from mobilesim_py.errors import ExitCode
from mobilesim_py.resources import maps_dir
from mobilesim_py.view.pictures.scene import scale_bar

GOOD = '2D-Map\nCairn: RobotHome 500 500 90 "" ICON ""\nCairn: Goal 0 0 0 "" ICON "<A & B>"\nLINES\n0 0 2000 1000\n'
NAMES = sorted(path.stem for path in maps_dir().glob("*.map"))


def main(argv: list[str]) -> int:
    return program(["map", *argv])


@pytest.fixture
def good(tmp_path: Path) -> str:
    (tmp_path / "good.map").write_text(GOOD)
    return str(tmp_path / "good.map")


@pytest.fixture
def odd(tmp_path: Path) -> str:
    (tmp_path / "odd.map").write_text(GOOD + "not a row\n")
    return str(tmp_path / "odd.map")


@pytest.fixture
def bad(tmp_path: Path) -> str:
    (tmp_path / "bad.map").write_text("2D-Map\nCairn: Goal 1 2\nLINES\n")
    return str(tmp_path / "bad.map")


def test_info_tells_what_is_in_a_map(good: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["info", good]) == ExitCode.OK
    text = capsys.readouterr().out
    for fact in ("2 x 1 m", "0 0 to 2000 1000 mm", "500 500 mm, 90 degrees", "1 Goal, 1 RobotHome", "<A & B>"):
        assert fact in text


def test_info_is_json_on_demand(odd: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["info", "--json", odd]) == ExitCode.OK
    facts = json.loads(capsys.readouterr().out)
    assert (facts["lines"], facts["points"], facts["home_mm"]) == (1, 0, [500, 500, 90.0])
    assert facts["problems"][0]["line"] == 6


def test_info_finds_shipped_maps_by_name(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["info", "OFFICE"]) == ExitCode.OK
    assert "Charger" not in capsys.readouterr().err


def test_info_tells_of_attributes_that_do_nothing(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "m.map"
    path.write_text("2D-Map\nMapInfo: SectorType Name=B Sim.LaserReflect=2\nLINES\n0 0 1 1\n")
    main(["info", str(path)])
    assert f"{path}:2: Sim.* attributes without effect" in capsys.readouterr().out


def test_check_is_content_with_good_maps(good: str) -> None:
    assert main(["check", good]) == ExitCode.OK


def test_check_fails_for_a_bad_map_and_points_at_the_line(bad: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", bad]) == ExitCode.MAP == 253
    assert "bad.map:2: `Cairn:` has 3 values" in capsys.readouterr().err


def test_check_looks_at_all_maps_even_when_one_is_bad(good: str, bad: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", bad, good]) == ExitCode.MAP
    assert "good.map: ok" in capsys.readouterr().out


def test_check_warns_of_skipped_lines_and_fails_for_them_when_strict(odd: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", odd]) == ExitCode.OK
    assert "Warning:" in capsys.readouterr().err
    assert main(["check", "--strict", odd]) == ExitCode.MAP


def test_check_reports_json(good: str, bad: str, capsys: pytest.CaptureFixture[str]) -> None:
    main(["check", "--json", good, bad])
    assert [entry["ok"] for entry in json.loads(capsys.readouterr().out)] == [True, False]


@pytest.mark.parametrize("command", [["info"], ["check"], ["render", "--size", "100"]])
def test_a_missing_map_is_exit_code_253(tmp_path: Path, command: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    out = [str(tmp_path / "o.png")] if command[0] == "render" else []
    assert main([*command, str(tmp_path / "none.map"), *out]) == ExitCode.MAP
    assert "no such map file" in capsys.readouterr().err


WRONG = [
    *([], ["paint"], ["info"], ["info", "a", "b"]),
    *(["render", "office", "x.gif"], ["render", "office", "x.png", "--size", "1"], ["convert", "a.png"]),
    *(["convert", "a.png", "b.map", "--origin", "x"], ["convert", "a.png", "b.map", "--threshold", "7"]),
]


@pytest.mark.parametrize("argv", WRONG)
def test_wrong_arguments_are_exit_code_255(argv: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(argv) == ExitCode.USAGE == 255
    assert capsys.readouterr().err.startswith("MobileSim: ")


def test_help_shows_examples(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--help"]) == ExitCode.OK
    assert "mobilesim map convert floor.png" in capsys.readouterr().out


@pytest.mark.parametrize("name", NAMES)
def test_shipped_maps_are_drawn(name: str, tmp_path: Path) -> None:
    assert main(["render", name, str(tmp_path / "m.png"), "--size", "300"]) == ExitCode.OK
    with Image.open(tmp_path / "m.png") as image:
        assert max(image.size) == 300
        assert len(image.getcolors(100_000) or []) > 10


@pytest.mark.parametrize("name", NAMES)
def test_shipped_maps_are_drawn_as_well_formed_svg(name: str, tmp_path: Path) -> None:
    assert main(["render", name, str(tmp_path / "m.svg")]) == ExitCode.OK
    assert ElementTree.parse(tmp_path / "m.svg").getroot().tag.endswith("svg")


def test_names_are_written_into_svg_as_they_are(good: str, tmp_path: Path) -> None:
    main(["render", good, str(tmp_path / "m.svg")])
    texts = [element.text for element in ElementTree.parse(tmp_path / "m.svg").iter() if element.tag.endswith("text")]
    assert "<A & B>" in texts


def test_a_wall_is_dark_where_it_is_and_the_rest_is_paper(tmp_path: Path) -> None:
    (tmp_path / "m.map").write_text("2D-Map\nLINES\n0 0 10000 0\n0 10000 10000 10000\n")
    main(["render", str(tmp_path / "m.map"), str(tmp_path / "m.png"), "--size", "580"])
    with Image.open(tmp_path / "m.png") as image:
        middle = image.width // 2
        column = [sum(image.getpixel((middle, y))) for y in range(image.height)]  # type: ignore[arg-type]
    dark = [y for y, value in enumerate(column) if value < 300]
    assert [round(y / 50) * 50 for y in dark] == [50] * (len(dark) // 2) + [550] * (len(dark) // 2)


def test_a_picture_that_cannot_be_written_is_an_error(good: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["render", good, str(tmp_path / "none" / "m.png")]) == ExitCode.USAGE
    assert "cannot write" in capsys.readouterr().err


def test_convert_tells_what_it_made(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["convert", str(maps_dir() / "triangle.map"), str(tmp_path / "t.svg")]) == ExitCode.OK
    assert "6 lines, 0 points" in capsys.readouterr().out


@pytest.mark.parametrize(("width", "bar"), [(10.0, 2.0), (26.0, 5.0), (0.4, 0.05), (700.0, 100.0)])
def test_the_scale_bar_has_a_round_length(width: float, bar: float) -> None:
    assert scale_bar(width) == pytest.approx(bar)


def test_info_is_content_with_values_of_the_ground(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "m.map"
    path.write_text(
        '2D-Map\nMapInfo: SectorType Name=Mud Sim.Slip=0.4\nCairn: Mud 0 0 0 "" ICON "" 0 0 9 9\nLINES\n0 0 1 1\n'
    )
    assert main(["check", "--strict", str(path)]) == ExitCode.OK
    assert "without effect" not in capsys.readouterr().err


def test_a_stage_world_is_drawn(tmp_path: Path) -> None:
    (tmp_path / "w.world").write_text("model ( size [8 4] ) box ( pose [1 1 0 0] size [1 1] )")
    assert main(["render", str(tmp_path / "w.world"), str(tmp_path / "m.png"), "--size", "200"]) == ExitCode.OK
    with Image.open(tmp_path / "m.png") as image:
        assert image.width == 200
        assert image.height < 150


def test_list_names_shipped_maps_and_those_here(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    for name in ("mine.map", "old.wld", "note.txt"):
        (tmp_path / name).write_text(GOOD)
    assert main(["list"]) == ExitCode.OK
    names = [line.split()[0] for line in capsys.readouterr().out.splitlines()]
    assert names[:2] == ["mine.map", "old.wld"]
    assert "note.txt" not in names
    assert {f"{name}.map" for name in NAMES} < set(names)
    main(["list", "--json"])
    assert json.loads(capsys.readouterr().out)[0] == {"name": "mine.map", "file": str(tmp_path / "mine.map")}


def test_convert_finds_shipped_maps_by_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(["convert", "Office", "o.svg"]) == ExitCode.OK
    assert (tmp_path / "o.svg").exists()


def test_convert_adds_to_a_map(good: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "w.wld").write_text("0 0 500 0\n")
    assert main(["convert", str(tmp_path / "w.wld"), str(tmp_path / "both.map"), "--add-to", good]) == ExitCode.OK
    assert "2 lines" in capsys.readouterr().out


def test_info_reads_what_can_be_converted(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "w.wld").write_text("0 0 500 0\nposition 1 2 3\n")
    assert main(["info", str(tmp_path / "w.wld")]) == ExitCode.OK
    assert "1 2 mm, 3 degrees" in capsys.readouterr().out


@pytest.mark.parametrize("name", ["x.map", "x.png", "x.yaml", "x.world", "x.svg"])
def test_what_cannot_be_written_is_a_mistake_of_the_command_line(tmp_path: Path, name: str) -> None:
    assert main(["convert", "triangle", str(tmp_path / "nowhere" / name)]) == ExitCode.USAGE


def test_check_goes_on_after_a_worldfile_that_is_bad(good: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "bad.world").write_text("define x position (")
    assert main(["check", str(tmp_path / "bad.world"), good]) == ExitCode.WORLDFILE
    assert "good.map: ok" in capsys.readouterr().out


def test_info_of_a_garden_names_its_ground_and_what_is_to_be_trimmed(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["info", "lawn.garden"]) == 0
    text = capsys.readouterr().out
    assert "Ground-Dirt:        8 m2, not to drive on" in text
    assert "to trim:            6, 7, 8, 9, 10, 11, 12" in text
    assert main(["info", "lawn.garden", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["drivable"] == ["Ground-Grass", "Ground-Pavement"]


def test_a_damaged_garden_fails_the_check_with_its_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    damaged = tmp_path / "damaged.garden"
    damaged.write_text("terrain:\n  - {label: Ground-Grass, corners: [[0, 0], [1, x], [1, 1]]}\n")
    assert main(["check", str(damaged)]) == 253
    assert f"{damaged}:2: x is not a number" in capsys.readouterr().err
