"""Motion SIP by SIP beside the recordings: within 25 mm, 1.5 degrees and 30 mm/s wherever nothing is meant to differ."""

from __future__ import annotations

import math
from functools import cache
from itertools import pairwise
from pathlib import Path

import pytest

from .differences import DIFFERENCES, changed_stretches
from .motion import Stretch, stretches
from .recording import load
from .stand import Stand

RECORDINGS = (
    *("vel_forward_then_stop", "vel_forward_p3dx_distconv", "rotate", "vel_reverse_sign", "vel_reverse_unequal", "vel2"),
    *("setv_seta", "seta_zero", "estop", "enable_disable", "watchdog_timeout", "lateral_seekur", "move_1000"),
    *("move_5000_long", "move_heading90", "move_negative_from_rest", "head_90", "dhead", "odometry_error_none"),
    *("odometry_error_constant", "seto", "set_pose_odometry", "sim_reset", "wall_collision_room_th0_v300"),
    "wall_collision_room_th0_v900",
)


@cache
def played(name: str, maps: Path) -> tuple[Stretch, ...]:
    recording = load(name)
    return tuple(stretches(recording, Stand(recording.options, maps), changed_stretches(name)))


@pytest.mark.parametrize("name", RECORDINGS)
def test_ours_moves_as_recorded_wherever_nothing_is_meant_to_differ(name: str, maps: Path) -> None:
    changed = changed_stretches(name)
    compared = [stretch for stretch in played(name, maps) if stretch.label not in changed]
    assert not [str(stretch) for stretch in compared if not stretch.agrees]
    assert compared


@pytest.mark.parametrize("name", [name for name in RECORDINGS if changed_stretches(name)])
def test_every_stretch_that_is_let_off_is_there_and_differs(name: str, maps: Path) -> None:
    by_label = {stretch.label: stretch for stretch in played(name, maps)}
    assert not [label for label in changed_stretches(name) if label not in by_label or by_label[label].agrees]


def test_the_table_names_only_recordings_that_are_played() -> None:
    assert {name for difference in DIFFERENCES for name in difference.motion} <= set(RECORDINGS)


# Where the approach is otherwise on purpose: how it must be then.

MOVES = [("move_1000", "MOVE 1000", 1000), ("move_5000_long", "MOVE 5000", 5000), ("move_heading90", "MOVE 1000", 1000)]
NEGATIVE_MOVES = [("move_1000", "MOVE -500", -500), ("move_negative_from_rest", "MOVE -500", -500)]
TURNS = [
    *(("head_90", "HEAD 90", 90), ("head_90", "HEAD 180", 90), ("head_90", "HEAD 270", 90), ("head_90", "HEAD 0", 90)),
    *(("head_90", "HEAD -90", -90), ("head_90", "HEAD 359", 89), ("dhead", "DHEAD 90", 90), ("dhead", "DHEAD -45", -45)),
    *(("dhead", "DHEAD 180", 180), ("dhead", "DHEAD 10", 10), ("move_negative_from_rest", "DHEAD -90", -90)),
]


def stretch_of(name: str, label: str, maps: Path) -> Stretch:
    return next(stretch for stretch in played(name, maps) if stretch.label == label)


def travelled(stretch: Stretch, recorded: bool = False) -> list[float]:
    """Millimetres from where the stretch began, SIP by SIP, in the direction of the robot."""
    movements = stretch.recorded if recorded else stretch.ours
    first = movements[0]
    forward = math.cos(math.radians(first.heading)), math.sin(math.radians(first.heading))
    return [(m.x - first.x) * forward[0] + (m.y - first.y) * forward[1] for m in movements]


def turned(stretch: Stretch, recorded: bool = False) -> list[float]:
    """Degrees from where the stretch began, SIP by SIP, over all turns."""
    total, result = 0.0, []
    movements = stretch.recorded if recorded else stretch.ours
    for before, after in zip(movements[:1] + movements, movements, strict=False):
        total += math.remainder(after.heading - before.heading, 360.0)
        result.append(total)
    return result


def arrival(values: list[float], goal: float, near: float) -> int:
    """How many SIPs it took to stay this near to the goal."""
    return 1 + max((index for index, value in enumerate(values) if abs(value - goal) > near), default=-1)


@pytest.mark.parametrize(("name", "label", "goal"), MOVES + NEGATIVE_MOVES)
def test_a_move_ends_within_5_mm_without_overshoot(name: str, label: str, goal: int, maps: Path) -> None:
    way = [math.copysign(1.0, goal) * value for value in travelled(stretch_of(name, label, maps))]
    assert way[-1] == pytest.approx(abs(goal), abs=5.0)
    assert max(way) <= abs(goal) + 1.5


@pytest.mark.parametrize(("name", "label", "goal"), MOVES)
def test_a_move_arrives_no_later_than_the_original(name: str, label: str, goal: int, maps: Path) -> None:
    stretch = stretch_of(name, label, maps)
    assert arrival(travelled(stretch), goal, 5.0) <= arrival(travelled(stretch, recorded=True), goal, 5.0)


@pytest.mark.parametrize(("name", "label", "goal"), TURNS)
def test_a_turn_ends_within_a_third_of_a_degree_without_overshoot(name: str, label: str, goal: int, maps: Path) -> None:
    # A HEAD starts wherever the original has left the robot: it says whole degrees only.
    way = [math.copysign(1.0, goal) * value for value in turned(stretch_of(name, label, maps))]
    assert way[-1] == pytest.approx(abs(goal), abs=0.6 if label.startswith("HEAD") else 0.3)
    assert max(way) <= way[-1] + 0.1


@pytest.mark.parametrize(("name", "label", "goal"), TURNS[:-2])
def test_a_turn_arrives_no_later_than_the_original(name: str, label: str, goal: int, maps: Path) -> None:
    stretch = stretch_of(name, label, maps)
    assert arrival(turned(stretch), goal, 1.5) <= arrival(turned(stretch, recorded=True), goal, 1.5)


@pytest.mark.parametrize("speed", [300, 900])
def test_a_robot_that_pushes_at_a_wall_is_stalled_as_the_original_is(speed: int, maps: Path) -> None:
    name = f"wall_collision_room_th0_v{speed}"
    push = stretch_of(name, f"VEL {speed}", maps)
    first = next(index for index, movement in enumerate(push.recorded) if movement.stalled)
    assert all(movement.stalled for movement in push.ours[first + 1 :])
    assert push.recorded[-1].stalled
    away = stretch_of(name, "VEL -200", maps)
    assert not any(movement.stalled for movement in away.ours[-10:])
    assert away.ours[-1].x < push.ours[-1].x


@pytest.mark.parametrize(("label", "end"), [("VEL -500", -500), ("VEL 500 #2", 500)])
def test_a_reversed_speed_ramps_through_zero(label: str, end: int, maps: Path) -> None:
    stretch = stretch_of("vel_reverse_sign", label, maps)
    speeds = [movement.left for movement in stretch.ours]
    assert speeds[-1] == end
    # 600 mm/s2 down and 300 mm/s2 up: never more than 60 mm/s in one step, also not across zero.
    assert max(abs(b - a) for a, b in pairwise(speeds)) <= 61
    recorded = [movement.left for movement in stretch.recorded]
    assert max(abs(b - a) for a, b in pairwise(recorded)) >= 999


def test_setv_limits_vel(maps: Path) -> None:
    stretch = stretch_of("setv_seta", "SETV 400, SETA -600, VEL 600", maps)
    assert max(movement.left for movement in stretch.ours) == 400
    assert max(movement.left for movement in stretch.recorded) == 600


def test_odometry_errs_by_the_documented_share_of_the_rotation(maps: Path) -> None:
    stretch = stretch_of("odometry_error_constant", "ROTATE 90", maps)
    assert turned(stretch)[-1] == pytest.approx(1.0075 * 0.999 * turned(stretch, recorded=True)[-1], abs=2.0)
    assert turned(stretch)[-1] - turned(stretch, recorded=True)[-1] > 4.0
