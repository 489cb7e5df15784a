"""A stand with a garden robot."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from mobilesim_py.garden.gardener import Gardener
from mobilesim_py.services.garden.service import GardenService, garden_of
from mobilesim_py.services.garden.vehicle import Vehicle
from mobilesim_py.services.ros.hub import RosHub
from mobilesim_py.services.ros.service import RosService
from mobilesim_py.testing import Stand


class GardenStand(Stand):
    """A stand whose robots are garden robots."""

    def __init__(self, *words: str, garden: str = "lawn.garden") -> None:
        super().__init__("-m", garden, "-r", "trimbot", *words)
        found = garden_of(self.program)
        assert found is not None
        self.service: GardenService = found

    @property
    def vehicle(self) -> Vehicle:
        """The first of them."""
        return next(iter(self.service.vehicles.values()))

    @property
    def gardener(self) -> Gardener:
        """Its master."""
        return self.vehicle.gardener

    @property
    def hub(self) -> RosHub:
        """The ROS of the program."""
        (hub,) = (service.hub for service in self.program.services if isinstance(service, RosService))
        hub.refresh()
        return hub

    @property
    def speed(self) -> float:
        """How fast it moves, ahead [m/s] and turning [rad/s]."""
        forward, _, rotation = self.vehicle.robot.velocity
        return abs(forward) + abs(rotation)

    def order(self, name: str, **wish: Any) -> None:
        """Give an order as the page does."""
        self.service.order(name, wish)

    def until(self, what: Callable[[], bool], seconds: float = 120.0) -> float:
        """Let time pass until something is so; return how long that took [s]."""
        began = self.time
        while not what():
            assert self.time - began < seconds, self.lines()[-5:]
            self.step()
        return self.time - began

    def until_ended(self, count: int = 1) -> float:
        """Let time pass until so many more goals have ended; return how long that took [s]."""
        wanted = self.gardener.endings + count
        return self.until(lambda: self.gardener.endings >= wanted)


@pytest.fixture
def make_stand() -> Callable[..., GardenStand]:
    return GardenStand


@pytest.fixture
def stand() -> GardenStand:
    return GardenStand()
