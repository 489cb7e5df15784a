"""The agent's end of the protocol: what it wants to say in a cycle is gathered, what it is told is read."""

from __future__ import annotations

from mobilesim_py.protocols.ciber.actions import Actions, encode_actions
from mobilesim_py.protocols.ciber.measures import Measures, decode_measures
from mobilesim_py.protocols.ciber.registration import Reply, RobotRequest, decode_reply, encode_registration

Event = Reply | Measures


class AgentEnd:
    """One agent's conversation without a socket: datagrams in, events out; wishes in, datagrams out."""

    def __init__(self, request: RobotRequest) -> None:
        """Begin with the registration as what is to be sent."""
        self._out: list[bytes] = [encode_registration(request)]
        self._events: list[Event] = []
        self.reply: Reply | None = None
        """The answer to the registration."""
        self.measures: Measures | None = None
        """What the robot was last told."""
        self._left = self._right = 0.0
        self._leds: dict[str, bool] = {}
        self._requests: list[str] = []
        self._say: str | None = None

    def receive_data(self, data: bytes) -> None:
        """Take a datagram; what is neither a reply nor measures is dropped."""
        measures = decode_measures(data)
        if measures is not None:
            self.measures = measures
            self._events.append(measures)
            return
        reply = decode_reply(data)
        if reply is not None:
            self.reply = reply
            self._events.append(reply)

    def events(self) -> list[Event]:
        """Return what has come since the last call."""
        found, self._events = self._events, []
        return found

    def drive(self, left: float, right: float) -> None:
        """Set the power of the motors, -0.15 to 0.15; it stays until it is set again."""
        self._left, self._right = left, right

    def set_leds(self, *, visiting: bool | None = None, returning: bool | None = None, end: bool | None = None) -> None:
        """Turn leds on or off; None leaves one as it is."""
        wanted = {"visiting_led": visiting, "returning_led": returning, "end_led": end}
        self._leds.update({led: on for led, on in wanted.items() if on is not None})

    def request(self, *sensors: str) -> None:
        """Ask for sensors in the next measures: `Compass`, `Ground`, `IRSensor0` ... and so on."""
        self._requests += sensors

    def say(self, text: str) -> None:
        """Say something to the robots nearby."""
        self._say = text

    def flush(self) -> None:
        """Make the datagram of this cycle of all that was wished for."""
        actions = Actions(self._left, self._right, requests=tuple(self._requests), say=self._say, **self._leds)
        self._out.append(encode_actions(actions))
        self._requests, self._say = [], None

    def data_to_send(self) -> list[bytes]:
        """Return the datagrams to send, in order."""
        found, self._out = self._out, []
        return found
