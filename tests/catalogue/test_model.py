"""The models that come with the program, against tables of facts."""

from __future__ import annotations

import csv
import json
import math
from pathlib import Path
from typing import Any

import pytest

from mobilesim_py.catalogue.catalogue import Catalogue
from mobilesim_py.catalogue.model import BatteryModel, RobotModel
from mobilesim_py.geometry import AxisTriple

FACTS = Path(__file__).parent / "facts"
with (FACTS / "handshakes.csv").open() as _file:
    HANDSHAKES = [(row["model"], row["class"], row["subclass"]) for row in csv.DictReader(_file)]
PARAMETERS: dict[str, Any] = json.loads((FACTS / "parameters.json").read_text())
ROBOTS: dict[str, dict[str, Any]] = PARAMETERS["robots"]

# Models whose laser is not the one of the parameter file of their own name. The first is what p3at-sh has, because
# that is how the model introduces itself to clients; the second has a laser that its file does not mention.
OTHER_LASERS = {"p3at-sh-lms1xx": [[125, 0, 0]], "p2ce": [[0, 0, 0]]}
# These introduce themselves as p3at-sh, as they always did.
OTHER_SUBCLASS = {"p3at-sh-lms1xx": "p3at-sh", "p3at-sh-lms500": "p3at-sh"}

MAX_SPEEDS = {
    "p3dx": (1.0, 0, 1.74),
    "p3at": (0.6, 0, 0.75),
    "amigo": (0.5, 0, 0.87),
    "amigo-sh": (0.75, 0, 0.87),
    "peoplebot-sh": (0.75, 0, 1.74),
    "powerbot": (2, 0, 1.74),
    "patrolbot-sh": (2, 0, 3.49),
    "mt400": (2.2, 0, 8.72),
    "researchPB": (2.2, 0, 8.72),
    "seekur": (3, 3, 1.74),
    "seekurjr": (1.2, 0, 1.396),
    "mtx": (2, 0, 3.49),
    "p2at": (0.75, 0, 1.74),
    "pion1x": (0.4, 0, 1.74),
}

LASERS = {
    "p3dx": ("sicklms200", 181, 180, 32.767, False),
    "p3dx-sh-lms1xx": ("sicklms100", 271, 270, 20, False),
    "p3dx-sh-lms500": ("sicklms500", 181, 180, 65, False),
    "patrolbot": ("sicklms200", 181, 180, 32.767, True),
    "powerbot-sh": ("sicklms200", 181, 180, 32.767, True),
    "mtx": ("sicks300", 541, 270, 30, True),
    "amigo-sh-tim3xx": ("sicktim510", 91, 270, 4, False),
}


@pytest.mark.parametrize(("name", "robot_class", "subclass"), HANDSHAKES)
def test_a_model_introduces_itself_as_recorded(catalogue: Catalogue, name: str, robot_class: str, subclass: str) -> None:
    model = catalogue.find(name)
    assert (model.pioneer.robot_class, model.pioneer.subclass) == (robot_class, subclass)


@pytest.mark.parametrize("name", ROBOTS)
def test_class_and_subclass_agree_with_the_parameters(catalogue: Catalogue, name: str) -> None:
    model, facts = catalogue.find(name), ROBOTS[name]
    assert (model.pioneer.robot_class, model.pioneer.subclass) == (
        facts["class"],
        OTHER_SUBCLASS.get(name, facts["subclass"]),
    )


@pytest.mark.parametrize("name", ROBOTS)
def test_sonar_agree_with_the_parameters(catalogue: Catalogue, name: str) -> None:
    sonar, facts = catalogue.find(name).sonar, ROBOTS[name]
    assert len(sonar.transducers) == facts["count"]
    ring = PARAMETERS["rings"].get(facts["sonar"], [])
    assert list(sonar.absent) == [index for index, place in enumerate(ring) if place is None]
    for pose, place in zip(sonar.transducers, ring, strict=True):
        if place is not None:
            assert (pose.x * 1000, pose.y * 1000, math.degrees(pose.heading)) == pytest.approx(tuple(place))


@pytest.mark.parametrize("name", ROBOTS)
def test_conversion_factors_agree_with_the_parameters(catalogue: Catalogue, name: str) -> None:
    conversion, facts = catalogue.find(name).pioneer.conversion, ROBOTS[name]
    ours = (conversion.distance, conversion.velocity, conversion.range)
    assert ours == pytest.approx((facts["dist"], facts["vel"], facts["range"]))
    # The files give five decimals only.
    ours = (conversion.angle, conversion.difference, conversion.vel2_divisor)
    assert ours == pytest.approx((facts["angle"], facts["diff"], facts["vel2"]), abs=5.1e-6)


@pytest.mark.parametrize("name", ROBOTS)
def test_lasers_are_where_the_parameters_put_them(catalogue: Catalogue, name: str) -> None:
    poses = [laser.pose for laser in catalogue.find(name).lasers]
    expected = OTHER_LASERS.get(name, ROBOTS[name]["lasers_mm"])
    ours = [[pose.x * 1000, pose.y * 1000, math.degrees(pose.heading)] for pose in poses]
    assert ours == [pytest.approx(place) for place in expected]


@pytest.mark.parametrize("name", ROBOTS)
def test_gps_and_bumpers_and_move_agree_with_the_parameters(catalogue: Catalogue, name: str) -> None:
    model, facts = catalogue.find(name), ROBOTS[name]
    assert (model.pioneer.gps[0] * 1000, model.pioneer.gps[1] * 1000) == pytest.approx(tuple(facts["gps_mm"]))
    assert [model.pioneer.front_bumpers, model.pioneer.rear_bumpers] == facts["bumpers"]
    assert model.pioneer.has_move_command is facts["move"]


@pytest.mark.parametrize(("name", "speeds"), MAX_SPEEDS.items())
def test_highest_speeds(catalogue: Catalogue, name: str, speeds: tuple[float, float, float]) -> None:
    assert catalogue.find(name).drive.max_speed == AxisTriple(*speeds)


@pytest.mark.parametrize(("name", "facts"), LASERS.items())
def test_lasers(catalogue: Catalogue, name: str, facts: tuple[str, int, float, float, bool]) -> None:
    laser = catalogue.find(name).lasers[0]
    field = pytest.approx(math.radians(facts[2]))
    assert (laser.name, laser.samples, laser.field_of_view, laser.range_max, laser.reverse) == (
        *facts[:2],
        field,
        *facts[3:],
    )


@pytest.mark.parametrize("name", ["p3dx-nolaser", "p3dx-sh-nolaser", "p3at-nolaser", "amigo", "pion1x"])
def test_some_have_no_laser(catalogue: Catalogue, name: str) -> None:
    assert catalogue.find(name).lasers == ()


def test_the_rear_laser_looks_back(catalogue: Catalogue) -> None:
    rear = catalogue.find("p3dx-with-rear-laser").lasers[1]
    assert (rear.pose.x, rear.pose.heading) == (-0.155, pytest.approx(math.pi))


def test_the_pioneer_1_changes_its_speed_at_once(catalogue: Catalogue) -> None:
    assert catalogue.find("pion1x").drive.acceleration == AxisTriple()


def test_a_pioneer_3_stops_with_its_centre_a_quarter_metre_before_a_wall(catalogue: Catalogue) -> None:
    assert _front(catalogue.find("p3dx")) == pytest.approx(0.2555)


def test_the_laser_of_a_seekur_reaches_a_wall_first(catalogue: Catalogue) -> None:
    assert _front(catalogue.find("seekur")) == pytest.approx(0.69 + 0.155 / 2)


def test_only_the_front_sonar_of_a_front_sonar_robot(catalogue: Catalogue) -> None:
    model = catalogue.find("p3at-frontsonaronly")
    assert (len(model.sonar.transducers), model.pioneer.front_sonar, model.pioneer.rear_sonar) == (8, True, False)


def test_error_variants_differ_in_odometry(catalogue: Catalogue) -> None:
    assert catalogue.find("p3dx-no-error").drive.odometry_error == AxisTriple()
    assert catalogue.find("p3dx-big-rot-error").drive.odometry_error.rotation == 0.05
    assert catalogue.find("p3dx-big-x-error").drive.odometry_error.forward == 0.01


@pytest.mark.parametrize(
    ("name", "tells_charge"), [("mt400", True), ("mt400-600", False), ("researchPB", False), ("lx", True), ("p3dx", False)]
)
def test_some_robots_tell_their_charge_and_the_others_their_voltage(
    catalogue: Catalogue, name: str, tells_charge: bool
) -> None:
    assert catalogue.find(name).battery == (BatteryModel(None, 1.0) if tells_charge else BatteryModel(13.0))


@pytest.mark.parametrize("colour", ["red", "blue", "violet", "green", "orange"])
def test_coloured_pioneers(catalogue: Catalogue, colour: str) -> None:
    assert catalogue.find(f"{colour}_p3dx").body.colour == colour


@pytest.mark.parametrize(
    ("name", "laser_return", "sonar"),
    [("box", 1, True), ("box-nolaser", 0, True), ("box-nolaser-nosonar", 0, False), ("box-reflector", 2, True)],
)
def test_boxes(catalogue: Catalogue, name: str, laser_return: int, sonar: bool) -> None:
    model = catalogue.find(name)
    assert (model.is_box, model.body.size, model.body.obstacle) == (True, (0.5, 0.5), True)
    assert (model.body.laser_return, model.body.sonar_return) == (laser_return, sonar)


def test_a_plain_reflector_is_reported_as_33(catalogue: Catalogue) -> None:
    assert [(rule.value, rule.detect) for rule in catalogue.find("p3dx").lasers[0].rules] == [(1, 1), (1, 1), (2, 33)]


def test_all_that_ours_say_is_understood(catalogue: Catalogue) -> None:
    assert {name: model.extra for name in catalogue.names() if (model := catalogue.find(name)).extra} == {}


def _front(model: RobotModel) -> float:
    return max(x for polygon in model.body.footprint for x, _ in polygon)
