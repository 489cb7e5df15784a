"""Robots from ARIA's parameter files."""

from __future__ import annotations

import math
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mobilesim_py.catalogue.catalogue import Catalogue
from mobilesim_py.catalogue.model import LaserModel, RobotModel
from mobilesim_py.catalogue.parameterfile import parse_parameters
from mobilesim_py.catalogue.parameters import build_from_parameters
from mobilesim_py.errors import ParameterFileError
from mobilesim_py.geometry import AxisTriple, Pose

Build = Callable[[str], RobotModel]

HEAD = "Section General settings\nClass Pioneer\nSubclass custom\n"


@pytest.fixture
def build(catalogue: Catalogue) -> Build:
    """Build the robot of a parameter file's text."""
    return lambda text: build_from_parameters(parse_parameters(HEAD + text, "custom.p"), "custom", catalogue.laser)


def test_class_and_subclass(build: Build) -> None:
    model = build("")
    assert (model.pioneer.robot_class, model.pioneer.subclass) == ("Pioneer", "custom")


def test_the_body_is_an_octagon_of_length_width_and_diagonal(build: Build) -> None:
    model = build("RobotLength 500\nRobotWidth 400\nRobotDiagonal 120\n")
    assert model.body.size == (0.5, 0.4)
    assert set(model.body.footprint[0]) == {(x * 0.25, y * 0.12) for x in (-1, 1) for y in (-1, 1)} | {
        (x * 0.12, y * 0.2) for x in (-1, 1) for y in (-1, 1)
    }


def test_a_body_without_a_diagonal_is_a_rectangle(build: Build) -> None:
    assert len(build("RobotLength 500\nRobotWidth 400\n").body.footprint[0]) == 4


def test_front_and_rear_length_shift_the_body_but_not_the_footprint(build: Build) -> None:
    model = build("RobotLength 500\nRobotWidth 400\nRobotLengthFront 200\nRobotLengthRear 300\n")
    assert max(x for x, _ in model.body.outline[0]) == pytest.approx(0.2)
    assert max(x for x, _ in model.body.footprint[0]) == pytest.approx(0.25)


def test_highest_speeds_are_millimetres_and_degrees(build: Build) -> None:
    model = build("MaxVelocity 1200\nMaxRVelocity 90\n")
    assert model.drive.max_speed == AxisTriple(1.2, 0, math.pi / 2)


def test_a_sideways_speed_makes_it_omnidirectional(build: Build) -> None:
    model = build("MaxLatVelocity 2200\n")
    assert model.drive.omnidirectional
    assert model.drive.max_speed.lateral == 2.2
    assert model.drive.acceleration.lateral > 0


def test_movement_parameters_set_the_defaults(build: Build) -> None:
    model = build("Section Movement control parameters\nTransVelMax 400\nTransAccel 500\nTransDecel 700\nRotAccel 90\n")
    assert (model.drive.acceleration.forward, model.drive.deceleration.forward) == (0.5, 0.7)
    assert model.drive.acceleration.rotation == pytest.approx(math.pi / 2)


def test_movement_parameters_of_zero_leave_it_to_the_robot(build: Build) -> None:
    assert build("Section Movement control parameters\nTransAccel 0\n").drive.acceleration.forward == 0.3


def test_conversion_factors(build: Build) -> None:
    text = "Section Conversion factors\nDistConvFactor 0.485\nVel2Divisor 4\nDiffConvFactor 0.0034\n"
    conversion = build(text).pioneer.conversion
    assert (conversion.distance, conversion.vel2_divisor, conversion.difference) == (0.485, 4, 0.0034)


@pytest.mark.parametrize(("written", "meant"), [("0.00153", 0.001534), ("0.00614", 0.0061359), ("0.01", 0.01)])
def test_a_rounded_angle_factor_is_made_exact_again(build: Build, written: str, meant: float) -> None:
    assert build(f"Section Conversion factors\nAngleConvFactor {written}\n").pioneer.conversion.angle == meant


def test_sonar_units(build: Build) -> None:
    sonar = build("Section Sonar parameters\nSonarNum 2\nSonarUnit 1 0 -100 -90\nSonarUnit 0 70 100 90\n").sonar
    assert sonar.transducers == (Pose(0.07, 0.1, math.pi / 2), Pose(0, -0.1, -math.pi / 2))
    assert sonar.absent == ()


def test_a_sonar_number_without_a_unit_has_no_transducer(build: Build) -> None:
    assert build("Section Sonar parameters\nSonarNum 3\nSonarUnit 1 70 100 90\n").sonar.absent == (0, 2)


def test_front_and_rear_sonar_are_known_by_their_directions(build: Build) -> None:
    model = build("Section Sonar parameters\nSonarNum 1\nSonarUnit 0 70 100 50\n")
    assert (model.pioneer.front_sonar, model.pioneer.rear_sonar) == (True, False)


def test_a_laser_with_a_type_is_there(build: Build) -> None:
    text = "LaserType lms1XX\nLaserX 55\nLaserY -7\nLaserTh 180\nLaserFlipped true\n"
    (laser,) = build(f"Section Laser parameters\n{text}").lasers
    assert (laser.name, laser.pose, laser.reverse) == ("sicklms100", Pose(0.055, -0.007, math.pi), True)


@pytest.mark.parametrize(
    ("kind", "name"),
    [
        ("lms2xx", "sicklms200"),
        ("lms5XX", "sicklms500"),
        ("urg", "urg"),
        ("urg2.0", "urg"),
        ("s3series", "sicks300"),
        ("tim510", "sicktim510"),
        ("tim5XX", "sicktim510"),
        ("rplidar", "sicklms200"),
    ],
)
def test_laser_types(build: Build, kind: str, name: str) -> None:
    assert build(f"Section Laser parameters\nLaserType {kind}\n").lasers[0].name == name


def test_a_laser_without_a_type_is_not_there(build: Build) -> None:
    assert build("Section Laser parameters\nLaserType\nLaserX 0\n").lasers == ()


def test_an_old_file_says_that_it_has_a_laser(build: Build) -> None:
    assert len(build("Section Laser parameters\nLaserPossessed true\nLaserX 17\n").lasers) == 1


def test_further_lasers(build: Build) -> None:
    lasers = build(
        "Section Laser parameters\nLaserType lms2xx\nSection Laser 2 parameters\nLaserType urg\nLaserX 200\n"
        "LaserStartDegrees -55\nLaserEndDegrees 55\nLaserIncrement 1.0\nLaserMaxRange 3000\n"
    ).lasers
    assert [laser.name for laser in lasers] == ["sicklms200", "urg"]
    assert (lasers[1].samples, lasers[1].range_max) == (111, 3)
    assert lasers[1].field_of_view == pytest.approx(math.radians(110))


def test_bumpers_count_when_they_are_there(build: Build) -> None:
    model = build(
        "Section Accessories the robot has\nFrontBumpers true\nNumFrontBumpers 6\nRearBumpers false\nNumRearBumpers 5\n"
    )
    assert (model.pioneer.front_bumpers, model.pioneer.rear_bumpers) == (6, 0)


def test_gps_place(build: Build) -> None:
    assert build("Section GPS parameters\nGPSPX -160\nGPSPY 120\n").pioneer.gps == (-0.16, 0.12)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("RobotLength x\n", "custom.p:4: RobotLength: expected a number, found 'x'"),
        ("RobotWidth -1\n", "custom.p:4: RobotWidth: expected a number greater than 0"),
        ("Section Sonar parameters\nSonarUnit 0 1 2\n", "custom.p:5: SonarUnit: expected 4 numbers, found 3"),
        ("Section Sonar parameters\nSonarUnit 999 1 2 3\n", "custom.p:5: SonarUnit: expected a sonar number"),
        ("Section Sonar parameters\nSonarNum 5000\n", "custom.p:5: SonarNum: expected a number from 0 to 255"),
        ("Section Conversion factors\nDistConvFactor 0\n", "custom.p:5: DistConvFactor: expected a number"),
        ("Section Laser parameters\nLaserType urg\nLaserIncrement 0\n", "custom.p:6: LaserIncrement: expected"),
    ],
)
def test_a_mistake_is_named_with_its_place(build: Build, text: str, message: str) -> None:
    with pytest.raises(ParameterFileError, match=message):
        build(text)


def test_a_file_that_is_something_else_is_an_error(catalogue: Catalogue) -> None:
    with pytest.raises(ParameterFileError, match="is it an ARIA parameter file"):
        build_from_parameters(parse_parameters("hello world\n", "x.p"), "x", catalogue.laser)


NAMES = st.sampled_from(
    [
        *("RobotLength", "RobotDiagonal", "MaxVelocity", "TransAccel", "SonarNum", "SonarUnit", "LaserType", "LaserX"),
        *("LaserStartDegrees", "LaserEndDegrees", "LaserIncrement", "FrontBumpers", "AngleConvFactor", "Section"),
    ]
)
VALUES = st.one_of(st.text(max_size=8), st.integers().map(str), st.floats().map(str), st.sampled_from(["true", "urg"]))


@given(st.lists(st.tuples(NAMES, VALUES), max_size=8))
def test_any_parameters_make_a_robot_or_an_error(lines: list[tuple[str, str]]) -> None:
    text = HEAD.splitlines()[1] + "\n" + "\n".join(f"{name} {value}" for name, value in lines)
    mistake: ParameterFileError | None = None
    try:
        build_from_parameters(parse_parameters(text, "any.p"), "any", LaserModel)
    except ParameterFileError as error:
        mistake = error
    assert mistake is None or mistake.path == "any.p"
