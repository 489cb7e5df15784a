"""A service whose robots have devices that people may look at and set: inputs, outputs, a gripper, cameras, a joystick.

The page, the stream and the API know of these devices only what is here.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Protocol, runtime_checkable

if TYPE_CHECKING:
    from mobilesim_py.core.robot import Robot
    from mobilesim_py.services.service import Stage

Facts = dict[str, Any]
"""What JSON can say."""


@runtime_checkable
class Equipped(Protocol):
    """A service with such robots."""

    def devices_of(self, robot: Robot) -> Facts | None:
        """Return what the devices of a robot say now; None if it is none of its robots."""

    def set_devices(self, robot: Robot, wish: Mapping[str, Any]) -> None:
        """Set inputs of a robot; OrderError says what is wrong with the wish, and then nothing is set."""

    def move_joystick(self, robot: Robot, wish: Mapping[str, Any]) -> None:
        """Move the joystick at a robot's port; OrderError says what is wrong with the wish."""


def device_facts(stage: Stage, robot: Robot) -> Facts | None:
    """Return what the devices of a robot say now; None if no service knows of any."""
    found = (service.devices_of(robot) for service in stage.services if isinstance(service, Equipped))
    return next((facts for facts in found if facts is not None), None)


def equipped_with(stage: Stage, robot: Robot) -> Equipped | None:
    """Return the service that knows a robot's devices."""
    for service in stage.services:
        if isinstance(service, Equipped) and service.devices_of(robot) is not None:
            return service
    return None
