"""Devices of robots that work outdoors, as model files describe them."""

from __future__ import annotations

from pathlib import Path

import pytest

from mobilesim_py.catalogue.catalogue import Catalogue
from mobilesim_py.catalogue.outdoor import GpsModel, ImuModel, TickerModel, ToolModel
from mobilesim_py.errors import WorldfileError


def load(folder: Path, text: str) -> Catalogue:
    """Return the catalogue with a user's file."""
    (folder / "mine.inc").write_text(text)
    return Catalogue.load(user_include=folder)


def test_oz_is_in_the_catalogue_with_its_geometry() -> None:
    oz = Catalogue.load().find("oz")
    assert (oz.protocol, oz.body.size, oz.drive.track) == ("naio", (0.67454, 0.41389), 0.3076)
    assert oz.drive.rim_speed == pytest.approx(3.4 / 12, abs=1e-5)
    assert oz.battery is not None
    assert oz.battery.work_hours == 4.0
    (lidar,) = oz.lasers
    assert (lidar.pose.x, lidar.samples, lidar.range_min, lidar.range_max) == (0.3715, 181, 0.06, 3.5)
    assert {type(device) for device in oz.devices} >= {ImuModel, GpsModel, TickerModel, ToolModel}


def test_pioneers_carry_none_of_it() -> None:
    pioneer = Catalogue.load().find("p3dx")
    assert pioneer.protocol == "arcos"
    assert pioneer.drive.rim_speed == 0.0
    assert not {type(device) for device in pioneer.devices} & {ImuModel, GpsModel, TickerModel, ToolModel}


def test_a_robot_of_the_users_own_may_carry_them(tmp_path: Path) -> None:
    text = "define mine oz ( imu ( rate_noise 0.5 ) gps_receiver ( noise 1.5 ) ticker ( way 0.1 ) tool ( stroke 0.3 ) )"
    devices = load(tmp_path, text).find("mine").devices
    for expected in (ImuModel(rate_noise=0.5), GpsModel(1.5), TickerModel(0.1), ToolModel(0.3)):
        assert expected in devices


@pytest.mark.parametrize("text", ["ticker ( way 0 )", "tool ( stroke -1 )", "tool ( speed 0 )"])
def test_impossible_sizes_are_refused(tmp_path: Path, text: str) -> None:
    with pytest.raises(WorldfileError, match="greater than 0"):
        load(tmp_path, f"define mine oz ( {text} )").find("mine")
