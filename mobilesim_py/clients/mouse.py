"""A robot of the CiberRato contest from the agent's side: for learners, and for agents that are written in Python.

    from mobilesim_py import Mouse

    mouse = Mouse("Speedy")                      # registers; waits for nothing else
    while mouse.read():                          # one cycle; False when the simulator is gone
        if mouse.measures.start:
            front = mouse.obstacle(0)            # 1 / distance; None if it was not asked for
            mouse.drive(0.1, 0.1 if front is None or front < 1.5 else -0.1)
            mouse.request("IRSensor0")           # only needed where sensors come on request

What is wished for between two `read`s goes out at the second one, as one message. Where to register is taken from the
environment (CIBER_HOST, CIBER_PORT, CIBER_POS), which `mobilesim ciber --agent` sets; else it is this machine.
"""

from __future__ import annotations

import math
import os
import socket

from mobilesim_py.errors import EmulationError
from mobilesim_py.protocols.ciber import DEFAULT_ANGLES, Measures, RobotRequest
from mobilesim_py.protocols.ciber.agent import AgentEnd

LARGEST = 65536
PATIENCE = 10.0
"""How long to wait for an answer to the registration [s]."""
SILENCE = 5.0
"""After so long without measures the simulator is taken for gone [s]."""


class Mouse:
    """A robot in the maze."""

    def __init__(
        self,
        name: str = "",
        *,
        host: str = "",
        port: int = 0,
        pos: int | None = None,
        angles_deg: tuple[float, ...] | None = None,
        silence: float = SILENCE,
    ) -> None:
        """Register; EmulationError if nobody answers or the robot is refused.

        `pos` is the start place (0: the first free one), `angles_deg` are those of the four obstacle sensors.
        """
        place = pos if pos is not None else int(os.environ.get("CIBER_POS", "0"))
        angles = DEFAULT_ANGLES if angles_deg is None else tuple(math.radians(angle) for angle in angles_deg)
        self._end = AgentEnd(RobotRequest(name or os.environ.get("CIBER_NAME", "mouse"), place, angles))
        self._address = (
            host or os.environ.get("CIBER_HOST", "127.0.0.1"),
            port or int(os.environ.get("CIBER_PORT", "6000")),
        )
        self._socket = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self._is_first = True
        self._register(silence)

    def _register(self, silence: float) -> None:
        where = f"{self._address[0]} port {self._address[1]}"
        try:
            self._socket.settimeout(PATIENCE)
            self._send()
            data, self._address = self._socket.recvfrom(LARGEST)
        except OSError as error:
            self.close()
            raise EmulationError(f"No simulator answers at {where} ({error}). Start one with `mobilesim ciber`.") from None
        self._end.receive_data(data)
        if self._end.reply is None or not self._end.reply.ok:
            self.close()
            raise EmulationError(f"The simulator at {where} refused the robot: is its place taken, or the run started?")
        self._socket.settimeout(silence)

    @property
    def parameters(self) -> dict[str, str]:
        """The parameters of the run, as the simulator names them: `SimTime`, `KeyTime`, `CycleTime` and so on."""
        return self._end.reply.parameters if self._end.reply is not None else {}

    @property
    def measures(self) -> Measures:
        """What the robot was last told; RuntimeError before the first `read`."""
        if self._end.measures is None:
            raise RuntimeError("call read() before you look at the measures")
        return self._end.measures

    def read(self) -> bool:
        """Send what was wished for, then wait for the measures of the next cycle; False when none come any more."""
        if not self._is_first:
            self._end.flush()
            self._send()
        self._is_first = False
        try:
            while not any(isinstance(event, Measures) for event in self._end.events()):
                self._end.receive_data(self._socket.recv(LARGEST))
        except OSError:
            return False
        return True

    def obstacle(self, sensor: int) -> float | None:
        """Return 1 / distance from an obstacle sensor; None if it was not sent in this cycle."""
        return next((value for number, value in self.measures.obstacles if number == sensor), None)

    def drive(self, left: float, right: float) -> None:
        """Set the power of the motors, -0.15 to 0.15; it stays until it is set again."""
        self._end.drive(left, right)

    def set_leds(self, *, visiting: bool | None = None, returning: bool | None = None, end: bool | None = None) -> None:
        """Turn leds on or off; None leaves one as it is."""
        self._end.set_leds(visiting=visiting, returning=returning, end=end)

    def request(self, *sensors: str) -> None:
        """Ask for sensors in the next measures: `Compass`, `Ground`, `IRSensor0` to `IRSensor3`, `Beacon0`, `Collision`."""
        self._end.request(*sensors)

    def say(self, text: str) -> None:
        """Say something, at most 100 characters, to the robots nearby."""
        self._end.say(text)

    def close(self) -> None:
        """Leave."""
        self._socket.close()

    def _send(self) -> None:
        for data in self._end.data_to_send():
            self._socket.sendto(data, self._address)
