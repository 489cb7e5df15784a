"""From a section to a robot."""

from __future__ import annotations

import math
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mobilesim_py.catalogue.build import build_model
from mobilesim_py.catalogue.model import BatteryModel, RobotModel
from mobilesim_py.catalogue.section import Section
from mobilesim_py.catalogue.worldfile import Worldfile
from mobilesim_py.errors import WorldfileError
from mobilesim_py.geometry import AxisTriple

Parse = Callable[[str], Section]


@pytest.fixture
def robot(section_of: Parse) -> Callable[[str], RobotModel]:
    """Build the robot with these properties."""
    return lambda properties: build_model(section_of(f"position (\n{properties}\n)"), "mine")


Build = Callable[[str], RobotModel]


def test_the_subclass_is_the_name_unless_given(robot: Build) -> None:
    assert robot("").pioneer.subclass == "mine"
    assert robot('pioneer_robot_subtype "p3dx"').pioneer.subclass == "p3dx"


def test_the_class_is_pioneer_unless_given(robot: Build) -> None:
    assert robot("").pioneer.robot_class == "Pioneer"
    assert robot('pioneer_robot_type "MTX"').pioneer.robot_class == "MTX"


def test_speeds_are_metres_and_radians(robot: Build) -> None:
    assert robot("max_speed [1 2 3]").drive.max_speed == AxisTriple(1, 2, 3)


def test_an_omnidirectional_robot_may_go_sideways_at_its_highest_speed(robot: Build) -> None:
    model = robot('drive "omni" max_speed [3 2 1] default_speed [1.5 0 1.3]')
    assert model.drive.omnidirectional
    assert model.drive.max_speed.lateral == 2


def test_bounds_of_newer_stage_are_speeds_with_degrees(robot: Build) -> None:
    model = robot("velocity_bounds [-0.5 0.5 0 0 0 0 -90 90] acceleration_bounds [-2 2 0 0 0 0 -180 180]")
    assert model.drive.max_speed.forward == 0.5
    assert model.drive.max_speed.rotation == pytest.approx(math.pi / 2)
    assert model.drive.acceleration.forward == 2
    assert model.drive.deceleration.rotation == pytest.approx(math.pi)


def test_the_body_is_shifted_by_the_origin_but_the_footprint_is_not(robot: Build) -> None:
    model = robot("size [0.5 0.4] origin [-0.1 0 0]")
    assert max(x for x, _ in model.body.outline[0]) == pytest.approx(0.15)
    assert max(x for x, _ in model.body.footprint[0]) == pytest.approx(0.25)


def test_a_laser_that_sticks_out_can_be_hit(robot: Build) -> None:
    model = robot("size [0.5 0.4] laser ( pose [0.3 0 0] size [0.1 0.1] )")
    assert max(x for polygon in model.body.footprint for x, _ in polygon) == pytest.approx(0.35)


def test_a_laser_within_the_body_adds_no_outline(robot: Build) -> None:
    assert len(robot("size [0.5 0.4] laser ( size [0.1 0.1] )").body.footprint) == 1


def test_odometry_errors_may_be_given_axis_by_axis(robot: Build) -> None:
    model = robot("odom_error [0.1 0.2 0.3] odom_error_a [-0.4 0.1]")
    assert model.drive.odometry_error == AxisTriple(0.1, 0.2, 0.4)


def test_gps_localization_means_odometry_without_error(robot: Build) -> None:
    assert robot('localization "gps" odom_error [1 1 1]').drive.odometry_error == AxisTriple()


def test_conversion_factors(robot: Build) -> None:
    model = robot(
        "pioneer_distconv 2 pioneer_velconv 3 pioneer_rangeconv 4\npioneer_angleconv 5 pioneer_diffconv 6 pioneer_vel2div 7"
    )
    conversion = model.pioneer.conversion
    assert (conversion.distance, conversion.velocity, conversion.range) == (2, 3, 4)
    assert (conversion.angle, conversion.difference, conversion.vel2_divisor) == (5, 6, 7)


@pytest.mark.parametrize("word", ["pioneer_batterytype", "pioneer_battery_type"])
def test_both_spellings_of_the_battery_type_count(robot: Build, word: str) -> None:
    assert robot(f"{word} 2").battery == BatteryModel(None, 1.0)


def test_the_watchdog_is_milliseconds(robot: Build) -> None:
    assert robot("pioneer_watchdog 500").pioneer.watchdog == 0.5


def test_gps_place_and_precision(robot: Build) -> None:
    model = robot("pioneer_gps_pos_x -0.2 pioneer_gps_pos_y 0.1 pioneer_gps_dop 0.8")
    assert (model.pioneer.gps, model.pioneer.gps_dop) == ((-0.2, 0.1), 0.8)


def test_a_gps_device_gives_its_place(robot: Build) -> None:
    assert robot("gps ( pose [-0.15 0.09 0] )").pioneer.gps == (-0.15, 0.09)


def test_what_config_tells(robot: Build) -> None:
    model = robot("pioneer_front_bumpers 5 pioneer_rear_bumpers 3 pioneer_gripper 1 pioneer_gyro 1 pioneer_move_command 0")
    assert (model.pioneer.front_bumpers, model.pioneer.rear_bumpers, model.pioneer.has_gripper) == (5, 3, True)
    assert (model.pioneer.gyro_type, model.pioneer.has_move_command) == (1, False)


def test_properties_that_mean_nothing_here_are_kept(robot: Build) -> None:
    assert robot("strange [1 2] gui_nose 1").extra == {"strange": "1 2"}


@pytest.mark.parametrize(
    ("properties", "message"),
    [
        ("max_speed [1 -2 3]", "test.world:2: max_speed: expected numbers that are not negative"),
        ("pioneer_distconv 0", "test.world:2: pioneer_distconv: expected a number greater than 0"),
        ("size [0 1]", "size: expected two lengths greater than 0"),
        ("max_speed [1 2]", "max_speed: expected at least 3 numbers, found 2"),
    ],
)
def test_a_wrong_value_is_named_with_its_place(robot: Build, properties: str, message: str) -> None:
    with pytest.raises(WorldfileError, match=message):
        robot(properties)


def test_a_model_is_a_box(section_of: Parse) -> None:
    model = build_model(section_of("model ( size [0.5 0.4] laser_return 2 ranger_return 0 )"), "crate")
    assert model.is_box
    assert (model.body.size, model.body.laser_return, model.body.sonar_return, model.body.obstacle) == (
        (0.5, 0.4),
        2,
        False,
        True,
    )


def test_a_sensor_is_not_a_robot(section_of: Parse) -> None:
    with pytest.raises(WorldfileError, match="'eye' is not a robot: it is a sensor"):
        build_model(section_of("laser ( )"), "eye")


NAMES = ["max_speed", "size", "origin", "polygons", "polygon[0].points", "pioneer_distconv", "odom_error", "drive"]
CHILD_NAMES = ["scount", "spose[0]", "sview", "samples", "fov", "pose", "laser_return_rules", "range_max", "noise"]
VALUES = st.one_of(
    st.floats(allow_nan=False, width=32).map(lambda x: f"{x:g}"),
    st.lists(st.integers(-3, 3), max_size=4).map(lambda xs: f"[{' '.join(map(str, xs))}]"),
    st.just('"word"'),
)


@given(
    st.lists(st.tuples(st.sampled_from(NAMES), VALUES), max_size=6),
    st.lists(st.tuples(st.sampled_from(CHILD_NAMES), VALUES), max_size=6),
    st.sampled_from(["laser", "ranger", "sensor"]),
)
def test_any_values_make_a_robot_or_an_error_with_its_place(
    own: list[tuple[str, str]], childs: list[tuple[str, str]], kind: str
) -> None:
    child = " ".join(f"{name} {value}" for name, value in childs)
    text = " ".join(f"{name} {value}" for name, value in own)
    worldfile = Worldfile()
    worldfile.load_text(f"position ( {text} {kind} ( {child} ) )", "any.world")
    mistake: WorldfileError | None = None
    try:
        build_model(worldfile.resolve(worldfile.root.children[0]), "any")
    except WorldfileError as error:
        mistake = error
    assert mistake is None or mistake.line == 1
