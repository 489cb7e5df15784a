"""A stand with an Oz, and clients for it."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from mobilesim_py.protocols.naio.hardware_packets import HaMotors
from mobilesim_py.services.oz.oz import Oz
from mobilesim_py.services.oz.service import OzService
from mobilesim_py.testing import NaioClient, Stand

MAIN, IMAGE = 5559, 5557


class Farm(Stand):
    """A stand whose robots are Oz robots."""

    def __init__(self, *words: str) -> None:
        super().__init__("--nomap", *(words or ("-r", "oz")))
        self.service = next(service for service in self.program.services if isinstance(service, OzService))

    @property
    def oz(self) -> Oz:
        """The first of them."""
        return next(iter(self.service.robots.values()))

    def call(self, port: int = MAIN, kind: type[NaioClient] = NaioClient) -> NaioClient:
        """Connect a client."""
        return self.doors.connect(self.doors.at(port), kind)

    def drive(self, client: NaioClient, left: int, right: int, seconds: float) -> None:
        """Let a client send motor powers at every step for a while."""
        for _ in range(round(seconds / self.simulation.dt)):
            client.say(HaMotors(left, right))
            self.step()


@pytest.fixture
def farm() -> Callable[..., Farm]:
    """Make a stand from words of the command line; `-r oz` without any."""
    return Farm
