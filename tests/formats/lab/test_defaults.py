"""What serves where no file is given."""

from __future__ import annotations

from mobilesim_py.formats.lab import EXPLORER_WALL_WIDTH, StartPlace, default_grid, default_lab


def test_the_lab_has_one_target_under_its_beacon():
    lab = default_lab()
    assert (lab.width, lab.height, len(lab.walls)) == (28.0, 14.0, 54)
    assert (lab.targets[0].x, lab.targets[0].y) == (lab.beacons[0].x, lab.beacons[0].y) == (25.0, 7.0)


def test_the_walls_can_be_thin():
    (left, _), (right, _), *_ = default_lab(EXPLORER_WALL_WIDTH).walls[0].corners
    assert round(right - left, 9) == 0.1


def test_the_grid_has_one_place():
    assert default_grid().places == (StartPlace(9.0, 3.0, 0.0),)
