"""Lasers and sonar of a robot."""

from __future__ import annotations

import math
from collections.abc import Callable

import pytest

from mobilesim_py.catalogue.model import ReturnRule
from mobilesim_py.catalogue.section import Section
from mobilesim_py.catalogue.sensors import build_lasers, build_sonar
from mobilesim_py.errors import WorldfileError
from mobilesim_py.geometry import Pose

Parse = Callable[[str], Section]

TWO = "scount 2 spose[0] [0.1 0.2 90] spose[1] [-0.1 0 180]"


def test_a_laser_has_its_place_field_range_and_noise(section_of: Parse) -> None:
    section = section_of(
        "define eye laser ( fov 270 samples 271 range_min 0.005 range_max 20 noise 0.0075 )"
        "position ( eye ( pose [0.1 0.2 180] reading_angle_error 0.0007 reverse_scan 1 size [0.1 0.2] ) )"
    )
    (laser,) = build_lasers(section)
    assert (laser.name, laser.pose) == ("eye", Pose(0.1, 0.2, math.pi))
    assert (laser.field_of_view, laser.samples) == (pytest.approx(math.radians(270)), 271)
    assert (laser.range_min, laser.range_max) == (0.005, 20)
    assert (laser.range_noise, laser.angle_noise) == (0.0075, 0.0007)
    assert (laser.reverse, laser.size) == (True, (0.1, 0.2))


def test_lasers_are_numbered_in_the_order_of_the_file(section_of: Parse) -> None:
    lasers = build_lasers(section_of("position ( laser ( pose [1 0 0] ) laser ( pose [2 0 0] ) )"))
    assert [laser.pose.x for laser in lasers] == [1, 2]


def test_return_rules_compare_and_may_have_a_condition(section_of: Parse) -> None:
    section = section_of(
        "position ( laser ( laser_return_rules 2\n"
        'laser_return_rule[0].model_gt 1 laser_return_rule[0].condition "outside_angle"\n'
        "laser_return_rule[0].angle 90 laser_return_rule[0].detect 1 laser_return_rule[0].stop 1\n"
        "laser_return_rule[1].model_eq 2 laser_return_rule[1].detect 33 ) )"
    )
    (laser,) = build_lasers(section)
    assert laser.rules == (
        ReturnRule(1, "gt", "outside_angle", math.pi / 2, 1, True),
        ReturnRule(2, "eq", "", 0.0, 33, False),
    )


def test_an_unknown_condition_is_an_error(section_of: Parse) -> None:
    section = section_of('position ( laser ( laser_return_rules 1 laser_return_rule[0].condition "rain" ) )')
    with pytest.raises(WorldfileError, match=r"expected one of outside_range, .*, found 'rain'"):
        build_lasers(section)


def test_a_field_of_view_beyond_a_turn_is_an_error(section_of: Parse) -> None:
    with pytest.raises(WorldfileError, match="fov: expected an angle"):
        build_lasers(section_of("position ( laser ( fov 400 ) )"))


def test_a_scanning_sensor_of_newer_stage_is_a_laser(section_of: Parse) -> None:
    section = section_of(
        "define sick ranger ( sensor ( range [0 8] fov 180 samples 181 pose [0 0 0.1 0] ) )"
        "position ( sick ( pose [0.1 0 0 90] ) )"
    )
    (laser,) = build_lasers(section)
    assert (laser.name, laser.samples, laser.range_max) == ("sick", 181, 8)
    assert (laser.pose.x, laser.pose.heading) == (0.1, pytest.approx(math.pi / 2))
    assert build_sonar(section)[0].transducers == ()


def test_sonar_have_places_in_metres_and_degrees(section_of: Parse) -> None:
    sonar, *_ = build_sonar(section_of(f"position ( ranger ( {TWO} ) )"))
    assert sonar.transducers == (Pose(0.1, 0.2, math.pi / 2), Pose(-0.1, 0, math.pi))


def test_the_view_is_range_and_opening(section_of: Parse) -> None:
    sonar, *_ = build_sonar(section_of(f"position ( ranger ( {TWO} sview [0.1 3.5 30] noise 0.01 ) )"))
    assert (sonar.range_min, sonar.range_max, sonar.noise) == (0.1, 3.5, 0.01)
    assert sonar.cone == pytest.approx(math.radians(30))


def test_a_number_with_an_empty_view_has_no_transducer(section_of: Parse) -> None:
    sonar, _, rear, _ = build_sonar(section_of(f"position ( ranger ( {TWO} sview[1] [5 5 0] ) )"))
    assert sonar.absent == (1,)
    assert rear is False


def test_sensors_of_newer_stage_are_sonar(section_of: Parse) -> None:
    section = section_of(
        "define eye sensor ( range [0.2 4] fov 15 samples 1 )"
        "position ( ranger ( pose [1 0 0 0] eye ( pose [0 1 0 90] ) eye ( pose [0 -1 0 -90] ) ) )"
    )
    sonar, *_ = build_sonar(section)
    assert [(pose.x, pose.y) for pose in sonar.transducers] == [(1, 1), (1, -1)]
    assert (sonar.range_min, sonar.range_max) == (0.2, 4)


def test_several_arrays_make_one_ring(section_of: Parse) -> None:
    sonar, *_ = build_sonar(section_of(f"position ( ranger ( {TWO} ) ranger ( {TWO} ) )"))
    assert len(sonar.transducers) == 4


def test_front_and_rear_arrays_are_known_by_their_directions(section_of: Parse) -> None:
    front_only = "scount 1 spose[0] [0 0 10]"
    assert build_sonar(section_of(f"position ( ranger ( {front_only} ) )"))[1:3] == (True, False)


@pytest.mark.parametrize(
    "where",
    ["position ( pioneer_hasreararray 0 ranger ( %s ) )", "position ( ranger ( %s pioneer_hasreararray 0 ) )"],
)
def test_what_the_file_says_of_arrays_counts_more(section_of: Parse, where: str) -> None:
    assert build_sonar(section_of(where % TWO))[2] is False


def test_what_a_robot_says_of_its_arrays_counts_more_than_what_they_say(section_of: Parse) -> None:
    text = f"position ( pioneer_hasreararray 0 ranger ( {TWO} pioneer_hasreararray 1 ) )"
    assert build_sonar(section_of(text))[2] is False


def test_readings_per_packet_can_be_limited(section_of: Parse) -> None:
    assert build_sonar(section_of(f"position ( ranger ( {TWO} pioneer_max_readings_per_packet 4 ) )"))[3] == 4


def test_a_promised_sonar_that_is_missing_is_an_error(section_of: Parse) -> None:
    with pytest.raises(WorldfileError, match=r"scount promises 3 sonar, but spose\[2\] is missing"):
        build_sonar(section_of(f"position ( ranger ( {TWO} scount 3 ) )"))


@pytest.mark.parametrize(("view", "spacing", "rays"), [("sview [0 5 30]", 6, 6), ("sview [0 5 30]", 1, 31), ("", 10, 4)])
def test_the_closest_of_several_rays_can_be_asked_for(section_of: Parse, view: str, spacing: int, rays: int) -> None:
    text = f'position ( ranger ( {TWO} {view} projection_type "closest" projection_res {spacing} ) )'
    sonar = build_sonar(section_of(text))[0]
    assert (sonar.rays, sonar.cone) == (rays, pytest.approx(math.radians(30)))
