"""Parameter files, and flags over them."""

from __future__ import annotations

import math

import pytest

from mobilesim_py.formats.lab import LabFileError, Parameters, parse_parameters, read_parameters
from mobilesim_py.formats.lab.facts import FIELD_KINDS, PARAMETER_ATTRIBUTES


def parsed(attributes: str, warnings: list[str] | None = None) -> Parameters:
    return parse_parameters(
        f"<Parameters {attributes}/>".encode(), "param.xml", ([] if warnings is None else warnings).append
    )


def test_what_is_not_said_has_its_default():
    assert parsed("") == Parameters()
    assert Parameters().beacon_aperture == math.pi


def test_attributes_replace_defaults():
    found = parsed(
        'SimTime="400" CompassNoise="0" GPS="On" CompassSensor="Off" NRequestsPerCycle="4" CollisionWallPenalty="-5" Lab="x.xml"'
    )
    assert (found.sim_time, found.compass_noise_deg, found.gps, found.compass_sensor) == (400, 0.0, True, False)
    assert (found.requests_per_cycle, found.collision_wall_penalty, found.lab_file) == (4, -5, "x.xml")


@pytest.mark.parametrize("name", ["collisionLatency", "CollisionLatency"])
def test_the_collision_latency_is_read_in_both_spellings(name):
    assert parsed(f'{name}="3"').collision_latency == 3


def test_every_field_but_one_can_be_set_by_a_file():
    assert set(FIELD_KINDS) - set(PARAMETER_ATTRIBUTES.values()) == {"show_actions"}


def test_flags_only_switch_on():
    assert Parameters(gps=True).with_flags() == Parameters(gps=True)
    switched = Parameters(compass_sensor=False).with_flags(gps=True, beacon=True, compass=True)
    assert (switched.gps, switched.beacon_sensor, switched.compass_sensor) == (True, True, True)


@pytest.mark.parametrize(
    ("attributes", "what"),
    [
        ('SimTime="soon"', 'param.xml:1: SimTime="soon" of <Parameters> is not a number; write it like'),
        ('SimTime="1.5"', "is not a whole number"),
        ('SimTime="-1"', 'SimTime="-1" is out of range; give a whole number from 0 to 1000000'),
        ('CycleTime="0"', "give a whole number from 1 to"),
        ('CompassLatency="5000"', "give a whole number from 0 to 1000"),
        ('ObstacleNoise="-0.1"', 'ObstacleNoise="-0.1" is out of range; give a number from 0 to'),
        ('LineSensorTrueProb="1.1"', "give a number from 0 to 1"),
    ],
)
def test_mistakes_are_told(attributes, what):
    with pytest.raises(LabFileError, match=what):
        parsed(attributes)


def test_odd_things_are_warned_of(tmp_path):
    warnings: list[str] = []
    assert parsed('GPS="Yes" NBeacons="3" ShowActions="False" Speed="9"', warnings).gps is False
    assert len(warnings) == 2
    assert 'GPS="Yes" is neither On nor Off and means Off' in warnings[0]
    assert "does not know Speed" in warnings[1]
    path = tmp_path / "param.xml"
    path.write_text("<Parameters>\n<Lab/></Parameters>")
    assert read_parameters(path, warnings.append) == Parameters()
    assert "param.xml:2: <Lab> means nothing in parameters" in warnings[2]
