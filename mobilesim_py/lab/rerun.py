"""Running a recording again: its clients' bytes go to a fresh program in process, whose own bytes must be the same.

In lockstep a run follows from its options, its seed and the bytes of its clients. So what is different now was made
different by a change of the program, or of the map.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path

from mobilesim_py.app.command_line import parse
from mobilesim_py.app.compiling import load_ready
from mobilesim_py.app.logs import Log
from mobilesim_py.app.program import Program
from mobilesim_py.lab.recordings import Bytes, Client, Poses, Recording, RecordingError
from mobilesim_py.net.budget import Budget, Turns
from mobilesim_py.net.door import Door
from mobilesim_py.net.null_modem import NullDoors, NullModem
from mobilesim_py.net.trace import Crossing


@dataclass(frozen=True)
class Difference:
    """Where a run first said something else than another one."""

    time: float
    """Simulated time [s]."""
    client: int
    door: str
    packet: int
    """Which of the packets to that client it is, counted from 1."""
    recorded: bytes | None
    """None if nothing was said."""
    now: bytes | None

    def lines(self) -> list[str]:
        """Tell it."""
        where = f"At {self.time:.3f} s, packet {self.packet} to client {self.client} ({self.door or 'no door'})"
        return [f"{where} differs{self._place()}:", f"  recorded: {_hex(self.recorded)}", f"  now:      {_hex(self.now)}"]

    def _place(self) -> str:
        if self.recorded is None or self.now is None:
            return ""
        pairs = enumerate(zip(self.recorded, self.now, strict=False))
        shorter = min(len(self.recorded), len(self.now))
        return f" at byte {next((index for index, (a, b) in pairs if a != b), shorter)}"


def _hex(data: bytes | None) -> str:
    if data is None:
        return "nothing"
    more = f" ... ({len(data)} bytes)" if len(data) > 64 else ""
    return data[:64].hex(" ") + more


@dataclass(frozen=True)
class Outcome:
    """What came of running a recording again."""

    difference: Difference | None
    seconds: float
    """Simulated time that was compared [s]."""
    clients: int
    packets: int
    """How many packets were the same."""


class DirectTurns(Turns):
    """Turns without an event loop: who waits goes on as soon as a turn has ended."""

    def next(self) -> None:
        """End the turn."""
        self.number += 1
        waiting, self._waiting = self._waiting, []
        for call in waiting:
            call()

    def await_next(self, call: Callable[[], None]) -> None:
        """Call something in the next turn."""
        self._waiting.append(call)


class RecordedClient(NullModem):
    """A client that says what it said, and is heard within the same budget."""

    def __init__(self, door: Door, clock: Callable[[], float], peer: str) -> None:
        self.packets = 0
        self._turns = door.turns
        self._budget = Budget(door.turns)
        self._unheard = b""
        super().__init__(door, clock, peer=peer)

    def took(self, now: float, data: bytes) -> None:
        """Forget it: it was compared as it was said, before faults."""
        self.raw.clear()

    def hear(self, data: bytes) -> None:
        """Let the session hear as much as it would in this turn, and the rest in the next ones."""
        waits = bool(self._unheard)
        self._unheard += data
        if not waits:
            self._hear()

    def _hear(self) -> None:
        if self.closed:
            return
        self._unheard = self._budget.spend(self._unheard, self.session.receive, lambda: not self.closed)
        if self._unheard:
            self._turns.await_next(self._hear)


class Rerun:
    """A program like the one that was recorded, and its clients."""

    def __init__(self, recording: Recording) -> None:
        self.recording = recording
        self._said_to: dict[int, deque[tuple[float, bytes]]] = {}
        """What clients, by their numbers at the doors, were told and nobody has compared yet, and when."""
        words = [*recording.words, "--seed", recording.facts["seed"]]
        options = replace(
            parse(words),
            web=False,
            dashboard=False,
            record=None,
            record_movie=None,
            ros1=None,
            ros2=False,
            foxglove=None,
            lockstep=True,
        )
        directory = Path(recording.facts["directory"])
        self.log = Log()
        self.program = Program(options, self.log, now=lambda: 0.0, doors=NullDoors, directory=directory)
        simulation = self.program.simulation
        if simulation.dt != recording.step:
            text = f"it was recorded with steps of {recording.step:g} s, and would now run with {simulation.dt:g} s."
            raise RecordingError(text, str(recording.path))
        turns = DirectTurns()
        turns.repeats = True
        self.program.doors.turns = turns
        self.program.clock.turn = turns.next
        engine = load_ready() if options.engine != "numpy" else None
        if engine is not None:
            self.program.use_engine(engine)
        self.program.doors.install(self._said, first=True)
        self.program.open()
        self._doors = dict(zip(recording.doors, self.program.doors, strict=False))
        self.clients: dict[int, RecordedClient] = {}
        self._came_by: dict[int, str] = {}
        self._compared = 0

    def run(self) -> Outcome:
        """Run all of it, up to the first difference."""
        difference, time = None, 0.0
        for item in self.recording.items():
            time = max(time, item.time)
            self._step_to(item.time)
            if isinstance(item, Client):
                self._pass(item)
            elif isinstance(item, Bytes) and item.client in self.clients:
                if item.incoming:
                    self.clients[item.client].send(item.data)
                else:
                    difference = self._compare(item)
            elif isinstance(item, Poses):
                difference = self._silent_until(item.time)
            if difference is not None:
                break
        else:
            difference = self._silent_until(time + 1.0) if self.recording.is_complete else None
        return Outcome(difference, time, len(self._came_by), self._compared)

    def _step_to(self, time: float) -> None:
        simulation = self.program.simulation
        tick = round(time / simulation.dt)
        while simulation.tick < tick:
            self.program.clock.step()

    def _pass(self, item: Client) -> None:
        if not item.came:
            client = self.clients.get(item.client)
            if client is not None:
                client.hang_up()
            return
        door = next((door for door in self.program.doors if door.address == item.door), None) or self._doors.get(item.door)
        self._came_by[item.client] = item.door
        if door is not None:
            client = RecordedClient(door, lambda: self.program.simulation.time, item.peer)
            self.clients[item.client] = client

    def _said(self, crossing: Crossing) -> bytes:
        if not crossing.incoming:
            self._said_to.setdefault(crossing.client, deque()).append((crossing.time, crossing.data))
        return crossing.data

    def _compare(self, item: Bytes) -> Difference | None:
        client = self.clients[item.client]
        client.packets += 1
        waiting = self._said_to.get(client.number)
        said = waiting.popleft() if waiting else None
        if said is not None and said[1] == item.data and abs(said[0] - item.time) < 0.5 * self.recording.step:
            self._compared += 1
            return None
        if said is not None and said[0] < item.time - 0.5 * self.recording.step:
            return Difference(said[0], item.client, self._came_by[item.client], client.packets, None, said[1])
        late = said is not None and said[1] == item.data
        door = self._came_by[item.client] + (f"; now at {said[0]:.3f} s" if said is not None and late else "")
        return Difference(item.time, item.client, door, client.packets, item.data, said[1] if said else None)

    def _silent_until(self, time: float) -> Difference | None:
        """Find a packet that should have been recorded before this time, but was not."""
        for number, client in self.clients.items():
            waiting = self._said_to.get(client.number)
            if waiting and waiting[0][0] < time - 0.5 * self.recording.step:
                said, data = waiting[0]
                return Difference(said, number, self._came_by[number], client.packets + 1, None, data)
        return None


def rerun(recording: Recording) -> Outcome:
    """Run a recording again, and say where its bytes first differ."""
    return Rerun(recording).run()
