"""The table of all kinds of devices: a new one is a file of its own and a row here."""

from __future__ import annotations

from typing import Any

from mobilesim_py.core.devices.battery import BATTERY
from mobilesim_py.core.devices.bumper import BUMPER
from mobilesim_py.core.devices.camera import CAMERA
from mobilesim_py.core.devices.compass import COMPASS
from mobilesim_py.core.devices.device import DeviceKind
from mobilesim_py.core.devices.gps import GPS
from mobilesim_py.core.devices.gripper import GRIPPER
from mobilesim_py.core.devices.imu import IMU
from mobilesim_py.core.devices.laser import LASER
from mobilesim_py.core.devices.sonar import SONAR
from mobilesim_py.core.devices.ticker import TICKER
from mobilesim_py.core.devices.tool import TOOL

DEVICES: dict[str, DeviceKind[Any, Any, Any]] = {
    kind.name: kind for kind in (LASER, SONAR, BATTERY, CAMERA, IMU, GPS, TICKER, TOOL, BUMPER, GRIPPER, COMPASS)
}
"""By name."""
