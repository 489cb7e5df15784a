"""ROS in a running program: the hub told at every step, and the carriers through which clients reach it."""

from __future__ import annotations

from collections.abc import Sequence, Set
from typing import TYPE_CHECKING

from mobilesim_py.services.permissions import Permission
from mobilesim_py.services.ros.carrier import Carrier
from mobilesim_py.services.ros.hub import RosHub
from mobilesim_py.services.ros.moment import Moment
from mobilesim_py.services.service import Booking, ClientFacts, Stage, WorldChange

if TYPE_CHECKING:
    from mobilesim_py.core.engines.engine import Engine
    from mobilesim_py.core.robot import Robot
    from mobilesim_py.net.door import Door


class RosService:
    """All ROS clients of a program, whatever carries them."""

    name = "ROS"

    def __init__(
        self,
        stage: Stage,
        carriers: Sequence[Carrier],
        *,
        name_set: str = "default",
        simulated_time: bool = False,
        denied: Set[Permission] = frozenset(),
    ) -> None:
        self._stage = stage
        self.hub = RosHub(stage, Moment(stage, simulated_time=simulated_time), name_set=name_set, denied=denied)
        self.hub.carriers.extend(carriers)
        self.hub.driving.own = self
        self._has_warned = False
        self.period = stage.simulation.dt

    @property
    def carriers(self) -> Sequence[Carrier]:
        """The ways to the clients."""
        return self.hub.carriers

    def open(self, bookings: Sequence[Booking]) -> None:
        """Open the doors of all carriers."""
        self.hub.refresh()
        for carrier in self.carriers:
            carrier.open(self.hub)

    def admit(self, robot: Robot, port: int = 0) -> None:
        """Do nothing: every robot is seen at the next step."""

    def dismiss(self, robot: Robot) -> None:
        """Do nothing: a robot that is gone is noticed at the next step."""

    def tell(self, now: float) -> None:
        """Publish what is due."""
        hub = self.hub
        if not (hub.moment.simulated_time or self._has_warned or self._stage.clock.speed == 1.0) and self.is_busy():
            self._has_warned = True
            self._stage.log.warning(
                "ROS: Stamps are of the wall clock, but time passes at another speed. Start with --ros-time sim for /clock."
            )
        hub.refresh()
        hub.driving.pass_time(hub.moment)
        hub.tell(now)
        for carrier in hub.carriers:
            carrier.flush()

    def is_busy(self) -> bool:
        """Whether anybody is there who is told something; in lockstep, whether anybody drives."""
        if self._stage.clock.lockstep:
            return bool(self.hub.driving.drivers)
        return any(carrier.is_busy() for carrier in self.carriers)

    def awaits(self) -> bool:
        """Whether, in lockstep, some driver has not sent a `cmd_vel` since the last step."""
        return self.hub.driving.awaits()

    def backlog(self) -> int:
        """Return the bytes that the slowest client has not taken."""
        return max((carrier.backlog() for carrier in self.carriers), default=0)

    def clients(self) -> Sequence[ClientFacts]:
        """Return who is there."""
        return [client for carrier in self.carriers for client in carrier.clients()]

    def held(self) -> Sequence[Robot]:
        """Return the robots that are driven by `cmd_vel` now."""
        return list(self.hub.driving.drivers)

    def door_of(self, robot: Robot) -> Door | None:
        """Return none: all robots share the doors."""
        return None

    def factories(self) -> Sequence[tuple[str, Door]]:
        """Return none."""
        return ()

    def world_changed(self, change: WorldChange) -> None:
        """Bind the table to the new world at once, and tell of its map at the next step."""
        self.hub.refresh()

    def use_engine(self, engine: Engine) -> None:
        """Do nothing: messages are made from what any engine senses."""

    def close(self) -> None:
        """Hang up on everybody."""
        for carrier in self.carriers:
            carrier.close()
        self.hub.close()
