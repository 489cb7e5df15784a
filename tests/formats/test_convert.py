"""From and to other formats."""

from __future__ import annotations

import importlib.util
import math
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from mobilesim_py.errors import MapError, MobileSimError, UsageError
from mobilesim_py.formats.armap.reader import read_map
from mobilesim_py.formats.convert import convert
from mobilesim_py.formats.drawings import map_of_paths, paths_of_svg
from mobilesim_py.formats.format import Settings
from mobilesim_py.formats.pictures.images import RosMap, occupied_in_ros, raster_of_ros, raster_of_stage
from mobilesim_py.resources import maps_dir

OFFICE = maps_dir() / "office.map"
WISHES = Settings()


def picture(path: Path, walls: tuple[slice, slice] = (slice(10, 20), slice(5, 30))) -> Path:
    """Draw a bright picture of 60 x 40 pixels with one dark block (rows from the top)."""
    grey = np.full((40, 60), 254, np.uint8)
    grey[walls] = 0
    Image.fromarray(grey).save(path)
    return path


def ros_yaml(path: Path, **changes: object) -> Path:
    facts = {"image": "p.pgm", "resolution": 0.05, "origin": [0.0, 0.0, 0.0], **changes}
    path.write_text("".join(f"{key}: {value}\n" for key, value in facts.items()))
    return path


# ---- pictures


@pytest.mark.parametrize("ending", ["png", "pgm", "pnm"])
def test_a_picture_becomes_lines_where_it_is_dark(tmp_path: Path, ending: str) -> None:
    source = picture(tmp_path / f"p.{ending}")
    armap = convert(source, tmp_path / "p.map", Settings(scale=0.1, origin=(1.0, -2.0)))
    assert armap.data_bounds == (1500, 0, 4000, 1000)
    assert len(read_map(tmp_path / "p.map").lines) == 4


def test_a_picture_needs_a_resolution(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="--resolution"):
        convert(picture(tmp_path / "p.png"), tmp_path / "p.map", WISHES)


def test_what_is_transparent_is_no_wall(tmp_path: Path) -> None:
    colours = np.zeros((20, 20, 4), np.uint8)
    colours[5:10, 5:15, 3] = 255
    Image.fromarray(colours).save(tmp_path / "p.png")
    assert convert(tmp_path / "p.png", tmp_path / "p.map", Settings(scale=0.1)).data_bounds == (500, 1000, 1500, 1500)


def test_a_picture_without_walls_is_an_error(tmp_path: Path) -> None:
    source = picture(tmp_path / "p.png", (slice(0, 0), slice(0, 0)))
    with pytest.raises(MapError, match="no wall"):
        convert(source, tmp_path / "p.map", Settings(scale=0.1))


def test_a_file_that_is_no_picture_is_an_error_with_its_name(tmp_path: Path) -> None:
    (tmp_path / "p.png").write_text("hello")
    with pytest.raises(MapError, match=r"p\.png: cannot read the picture"):
        convert(tmp_path / "p.png", tmp_path / "p.map", Settings(scale=0.1))


# ---- ROS


def test_a_ros_map_lies_where_its_origin_says(tmp_path: Path) -> None:
    picture(tmp_path / "p.pgm")
    armap = convert(ros_yaml(tmp_path / "p.yaml", origin=[-1.0, 2.0, 0.0]), tmp_path / "p.map", WISHES)
    assert armap.data_bounds == (-750, 3000, 500, 3500)


def test_a_ros_map_may_be_turned(tmp_path: Path) -> None:
    picture(tmp_path / "p.pgm")
    armap = convert(ros_yaml(tmp_path / "p.yaml", origin=[0.0, 0.0, math.pi / 2]), tmp_path / "p.map", WISHES)
    assert armap.data_bounds == (-1500, 250, -1000, 1500)


GREYS = np.array([[0.0, 60.0, 100.0, 180.0, 254.0]])
OPAQUE = np.full((1, 5), 255.0)
MODES = [
    (RosMap(Path(), 0.05, (0, 0, 0)), [True, True, False, False, False]),
    (RosMap(Path(), 0.05, (0, 0, 0), negate=True), [False, False, False, True, True]),
    (RosMap(Path(), 0.05, (0, 0, 0), "scale", occupied_thresh=0.9, free_thresh=0.1), [True, True, True, False, False]),
    (RosMap(Path(), 0.05, (0, 0, 0), "raw"), [False, False, True, False, False]),
]


@pytest.mark.parametrize(("ros", "expected"), MODES, ids=["trinary", "negate", "scale", "raw"])
def test_occupied_pixels_are_told_by_the_rules_of_ros(ros: RosMap, expected: list[bool]) -> None:
    assert occupied_in_ros(ros, GREYS, OPAQUE)[0].tolist() == expected


def test_a_ros_map_comes_back_within_one_cell(tmp_path: Path) -> None:
    convert(OFFICE, tmp_path / "a.yaml", Settings(scale=0.05))
    convert(tmp_path / "a.yaml", tmp_path / "b.map", WISHES)
    convert(tmp_path / "b.map", tmp_path / "b.yaml", WISHES)
    first, second = raster_of_ros(tmp_path / "a.yaml"), raster_of_ros(tmp_path / "b.yaml")
    assert (first.resolution, first.x, first.y) == (second.resolution, second.x, second.y)
    assert first.occupied.shape == second.occupied.shape
    for one, other in ((first.occupied, second.occupied), (second.occupied, first.occupied)):
        padded = np.pad(other, 1)
        near = np.any([padded[r : r + one.shape[0], c : c + one.shape[1]] for r in range(3) for c in range(3)], axis=0)
        assert not (one & ~near).any()


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"resolution": "wide"}, "`resolution` must be a number"),
        ({"resolution": 0}, "more than 0"),
        ({"origin": 3}, "origin"),
        ({"mode": "odd"}, "trinary, scale, raw"),
        ({"image": "[1, 2]"}, "no `image: FILE` entry"),
        ({"image": "none.pgm"}, "no such file"),
        ({"occupied_thresh": "high"}, "occupied_thresh"),
        ({"origin": "2026-99-99"}, "not a YAML file"),
    ],
)
def test_a_wrong_ros_yaml_says_what_is_wrong(tmp_path: Path, changes: dict[str, object], message: str) -> None:
    with pytest.raises(MapError, match=message):
        convert(ros_yaml(tmp_path / "p.yaml", **changes), tmp_path / "p.map", WISHES)


def test_text_that_is_no_yaml_is_an_error_with_its_line(tmp_path: Path) -> None:
    (tmp_path / "p.yaml").write_text("image: x\norigin: [oops\n")
    with pytest.raises(MapError, match=r"p\.yaml:\d: not a YAML file"):
        convert(tmp_path / "p.yaml", tmp_path / "p.map", WISHES)


# ---- Stage


def test_a_stage_world_lies_at_its_size_and_pose(tmp_path: Path) -> None:
    picture(tmp_path / "p.png")
    (tmp_path / "w.world").write_text(
        'define floorplan model ( color "gray" )\nfloorplan ( bitmap "p.png" size [6 4 1] pose [10 20 0 0] )\n'
    )
    (raster,) = raster_of_stage(tmp_path / "w.world")
    assert (raster.resolution, raster.x, raster.y) == pytest.approx((0.1, 7.0, 18.0))
    assert convert(tmp_path / "w.world", tmp_path / "w.map", WISHES).data_bounds == (7500, 20000, 10000, 21000)


def test_a_stage_world_may_be_turned(tmp_path: Path) -> None:
    picture(tmp_path / "p.png")
    (tmp_path / "w.world").write_text('model ( bitmap "p.png" size [6 4] pose [0 0 180] )\n')
    assert convert(tmp_path / "w.world", tmp_path / "w.map", WISHES).data_bounds == (0, -1000, 2500, 0)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("model ( size [1 2] )", "no model in this world"),
        ('model ( bitmap "p.png" )', "no `size`"),
        ('model ( bitmap "p.png" size [6 9] )', "proportions"),
        ('model ( bitmap "q.png" size [6 4] )', "no such file"),
        ("model ( size", "w.world"),
    ],
)
def test_a_stage_world_that_cannot_be_used_says_why(tmp_path: Path, text: str, message: str) -> None:
    picture(tmp_path / "p.png")
    (tmp_path / "w.world").write_text(text + "\n")
    with pytest.raises(MobileSimError, match=message):
        convert(tmp_path / "w.world", tmp_path / "w.map", WISHES)


def test_a_map_becomes_a_stage_world_that_can_be_read_again(tmp_path: Path) -> None:
    convert(OFFICE, tmp_path / "o.world", Settings(scale=0.1))
    back = convert(tmp_path / "o.world", tmp_path / "o.map", WISHES).data_bounds
    assert back is not None
    assert back == pytest.approx(read_map(OFFICE).data_bounds, abs=100)


# ---- drawings


def test_a_map_comes_back_from_svg_line_by_line(tmp_path: Path) -> None:
    convert(OFFICE, tmp_path / "o.svg", WISHES)
    back = convert(tmp_path / "o.svg", tmp_path / "o.map", WISHES)
    assert np.array_equal(back.lines, read_map(OFFICE).lines)


SHAPES = [
    ('<line x1="1" y1="2" x2="3" y2="4"/>', [((1, -2), (3, -4))]),
    ('<polyline points="0,0 1,0 1,1"/>', [((0, 0), (1, 0), (1, -1))]),
    ('<polygon points="0 0 1 0 1 1"/>', [((0, 0), (1, 0), (1, -1), (0, 0))]),
    ('<rect x="1" y="1" width="2" height="3"/>', [((1, -1), (3, -1), (3, -4), (1, -4), (1, -1))]),
    ('<path d="M0 0L1 0l0 1H5V2h-1v1z"/>', [((0, 0), (1, 0), (1, -1), (5, -1), (5, -2), (4, -2), (4, -3), (0, 0))]),
    ('<path d="m1 1 2 0 0 2"/>', [((1, -1), (3, -1), (3, -3))]),
    ('<path d="M0 0L1 1M2 2L3 3"/>', [((0, 0), (1, -1)), ((2, -2), (3, -3))]),
    ('<g transform="translate(10 20)"><line x2="1" transform="scale(2)"/></g>', [((10, -20), (12, -20))]),
    ('<line x2="1" transform="rotate(90)"/>', [((0, 0), (0, -1))]),
    ('<line x2="1" transform="matrix(1 0 0 1 5 6)"/>', [((5, -6), (6, -6))]),
    ('<defs><line x2="1"/></defs><line x2="2"/>', [((0, 0), (2, 0))]),
]


@pytest.mark.parametrize(("shape", "expected"), SHAPES)
def test_svg_shapes_become_lines(tmp_path: Path, shape: str, expected: list[tuple[tuple[float, float], ...]]) -> None:
    (tmp_path / "d.svg").write_text(f'<svg xmlns="http://www.w3.org/2000/svg">{shape}</svg>')
    found = paths_of_svg(tmp_path / "d.svg")
    assert len(found) == len(expected)
    for path, corners in zip(found, expected, strict=True):
        assert np.allclose(path, corners)


def test_svg_curves_become_chords_that_end_where_the_curve_does(tmp_path: Path) -> None:
    (tmp_path / "d.svg").write_text('<svg><path d="M0 0C0 10 10 10 10 0"/><circle cx="5" cy="5" r="2"/></svg>')
    curve, circle = paths_of_svg(tmp_path / "d.svg")
    assert (curve[0], curve[-1], len(curve)) == ((0.0, 0.0), (10.0, 0.0), 13)
    assert all(math.dist(point, (5, -5)) == pytest.approx(2.0) for point in circle)


@pytest.mark.parametrize(
    ("text", "message"), [("<svg>", "not well-formed"), ("<html/>", "not an SVG"), ("<svg/>", "no lines")]
)
def test_a_wrong_svg_says_what_is_wrong(tmp_path: Path, text: str, message: str) -> None:
    (tmp_path / "d.svg").write_text(text)
    with pytest.raises(MapError, match=message):
        paths_of_svg(tmp_path / "d.svg")


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("far", [1e308, math.inf, math.nan])
def test_lines_that_end_nowhere_are_refused(far: float) -> None:
    with pytest.raises(MapError, match="thousand kilometres"):
        map_of_paths([((0.0, 0.0), (far, 1.0))], 1000.0)


def test_a_turn_by_no_angle_is_none(tmp_path: Path) -> None:
    (tmp_path / "d.svg").write_text('<svg><g transform="rotate(1e999)"><line x2="3"/></g></svg>')
    assert convert(tmp_path / "d.svg", tmp_path / "d.map", Settings(scale=0.5)).lines.tolist() == [[0, 0, 1500, 0]]


def test_the_unit_of_a_drawing_can_be_chosen(tmp_path: Path) -> None:
    (tmp_path / "d.svg").write_text('<svg><line x2="3"/></svg>')
    assert convert(tmp_path / "d.svg", tmp_path / "d.map", Settings(scale=0.5)).lines.tolist() == [[0, 0, 1500, 0]]


def test_dxf_comes_back_or_says_what_to_install(tmp_path: Path) -> None:
    if importlib.util.find_spec("ezdxf") is None:
        with pytest.raises(MapError, match="pip install ezdxf"):
            convert(OFFICE, tmp_path / "o.dxf", WISHES)
        return
    convert(OFFICE, tmp_path / "o.dxf", WISHES)
    back = convert(tmp_path / "o.dxf", tmp_path / "o.map", WISHES)
    assert np.array_equal(back.lines, read_map(OFFICE).lines)


# ---- all


def test_an_unknown_format_is_a_usage_error_that_names_the_known(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"\.yaml"):
        convert(OFFICE, tmp_path / "o.docx", WISHES)


@pytest.mark.parametrize("ending", ["map", "png", "yaml", "svg", "world"])
def test_a_source_that_is_not_there_is_an_error(tmp_path: Path, ending: str) -> None:
    with pytest.raises(MapError, match="no such file"):
        convert(tmp_path / f"none.{ending}", tmp_path / "x.map", Settings(scale=0.1))


def test_a_resolution_must_be_more_than_nothing(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="--resolution"):
        convert(OFFICE, tmp_path / "o.png", Settings(scale=0.0))


def test_a_picture_with_too_many_cells_is_refused(tmp_path: Path) -> None:
    with pytest.raises(MapError, match="too many"):
        convert(OFFICE, tmp_path / "o.png", Settings(scale=0.0001))


def test_a_drawing_with_too_many_curves_is_refused_before_they_are_all_read(tmp_path: Path) -> None:
    curves = "".join(f"C{n % 991} {n % 977} {n % 953} {n % 907} {n % 883} {n % 859}" for n in range(200_000))
    (tmp_path / "curves.svg").write_text(f'<svg xmlns="http://www.w3.org/2000/svg"><path d="M0 0{curves}"/></svg>')
    with pytest.raises(MapError, match="more than 1000000 lines"):
        paths_of_svg(tmp_path / "curves.svg")


def test_a_garden_becomes_the_other_form_of_a_garden_or_a_map(tmp_path: Path) -> None:
    garden, xml, armap = maps_dir() / "lawn.garden", tmp_path / "lawn.xml", tmp_path / "lawn.map"
    assert len(convert(garden, xml, Settings()).lines) == len(convert(xml, armap, Settings()).lines) > 0
    assert [(home.kind, home.x, home.y) for home in read_map(armap).cairns] == [("RobotHome", 2000.0, 2000.0)]


def test_what_is_no_garden_does_not_become_one(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="what is no garden cannot become one"):
        convert(maps_dir() / "office.map", tmp_path / "office.garden", Settings())
