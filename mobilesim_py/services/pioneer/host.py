"""What a session needs of the program."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Protocol

from mobilesim_py.app.logs import Log
from mobilesim_py.app.options import Options
from mobilesim_py.core.simulation import Simulation

if TYPE_CHECKING:
    from mobilesim_py.app.maps import MapChanges
    from mobilesim_py.services.pioneer.session import EmulatorSession


class Host(Protocol):
    """The program, as far as clients can reach it."""

    simulation: Simulation
    log: Log
    maps: MapChanges

    @property
    def options(self) -> Options:
        """What the command line said."""

    def later(self, seconds: float, call: Callable[[], None]) -> object:
        """Call something when real time has passed."""

    def exit(self, code: int) -> None:
        """End the program within a step."""

    def crash(self, number: int) -> None:
        """End the program as a crash would."""

    def real_time(self) -> float:
        """Seconds of a real clock; in lockstep, where bytes must repeat, of the simulated one."""

    def real_interval(self) -> float:
        """Real time that a step should take [s]."""

    def last_interval(self) -> float:
        """Real time that the last step took [s]."""

    def sessions_changed(self) -> None:
        """Note that a session was opened or ended."""

    def heard(self, session: EmulatorSession) -> None:
        """Note that a client has sent something."""
