"""What a session needs of the service around it, and what the service needs to be told by the command line."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Protocol

from mobilesim_py.core.simulation import Simulation
from mobilesim_py.log import Log
from mobilesim_py.services.permissions import Permission
from mobilesim_py.services.service import Worlds

if TYPE_CHECKING:
    from mobilesim_py.core.robot import Robot
    from mobilesim_py.services.pioneer.equipment import Equipment
    from mobilesim_py.services.pioneer.session import EmulatorSession


class Settings(Protocol):
    """The options that Pioneers and their sessions read."""

    @property
    def port(self) -> int:
        """The first robot's TCP port."""

    @property
    def bind_to_address(self) -> str:
        """The address to listen on; empty for all."""

    @property
    def ignore_commands(self) -> frozenset[int]:
        """Commands that are not obeyed."""

    @property
    def denied(self) -> frozenset[Permission]:
        """What clients must not do."""

    @property
    def max_robots(self) -> int:
        """How many robots the clients of factories may have, all together."""

    @property
    def srisim_compat(self) -> bool:
        """Whether the commands of SRISim are obeyed."""

    @property
    def srisim_laser_compat(self) -> bool:
        """Whether SRISim's laser commands are obeyed."""

    @property
    def aux(self) -> tuple[tuple[str, int, str], ...]:
        """What hangs on serial ports: the robot (all, if empty), the number of the port, and what it is."""

    @property
    def gps_port(self) -> int | None:
        """The first robot's port for clients of its GPS receiver; None: there is none."""

    @property
    def battery_drain(self) -> float:
        """In how many hours a full battery is empty; 0: never."""

    @property
    def watchdog_stop(self) -> bool:
        """Whether a robot stops when its client is silent."""

    @property
    def warn_unsupported_commands(self) -> bool:
        """Whether commands that are not supported are named in the log."""

    @property
    def log_packets_received(self) -> bool:
        """Whether every command is logged."""

    @property
    def log_movement_sent(self) -> bool:
        """Whether every SIP is logged."""

    @property
    def slow_client_timeout(self) -> float:
        """How long time waits for one client that does not read or speak [s]; 0: for ever."""

    @property
    def lockstep_timeout(self) -> float:
        """How long one step in lockstep waits for a silent client [s]; 0: for ever."""

    @property
    def interactive(self) -> bool:
        """Whether somebody sits at the terminal."""

    @property
    def web(self) -> bool:
        """Whether there is a page to look at."""

    @property
    def restarted_after_crash(self) -> bool:
        """Whether this program was started again after a crash."""


class Host(Protocol):
    """The service, as far as its sessions can reach it."""

    simulation: Simulation
    log: Log
    maps: Worlds

    @property
    def options(self) -> Settings:
        """What the command line said."""

    @property
    def sip_cycle(self) -> float:
        """Simulated time between two SIPs [s]."""

    def later(self, seconds: float, call: Callable[[], None]) -> None:
        """Call something when real time has passed."""

    def equipment(self, robot: Robot) -> Equipment:
        """Return what a robot has around it."""

    def single_step(self) -> None:
        """Take a step, if the simulation is paused."""

    def remodel(self, session: EmulatorSession, name: str) -> None:
        """Make a session's robot one of another model; the log says why if that is impossible."""

    def exit(self, code: int) -> None:
        """End the program within a step."""

    def crash(self, number: int) -> None:
        """End the program as a crash would."""

    def real_time(self) -> float:
        """Return seconds of a real clock; in lockstep, where bytes must repeat, of the simulated one."""

    def real_interval(self) -> float:
        """Return the real time that a step should take [s]."""

    def last_interval(self) -> float:
        """Return the real time that the last step took [s]."""

    def sessions_changed(self) -> None:
        """Note that a session was opened or ended."""

    def heard(self, session: EmulatorSession) -> None:
        """Note that a client has sent something."""
