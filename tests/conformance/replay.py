"""Play everything that the clients of a recording did, at the times at which they did it."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import groupby
from pathlib import Path
from typing import TypeVar

from .recording import Recording
from .stand import Client, Stand

T = TypeVar("T")
NO_MORE = 0.3
"""After the last line, time goes on for so long [s]."""
NOISELESS = "-noiseless"


def options_for(recording: Recording) -> tuple[str, ...]:
    """The options of a recording; its user model without noise is ours with --no-noise."""
    options = tuple(option.replace(NOISELESS, "") for option in recording.options)
    return options if options == recording.options else (*options, "--no-noise")


class Replay:
    """A recording's clients, and ours as they were talked to."""

    def __init__(self, recording: Recording, maps: Path) -> None:
        self.recording = recording
        self.stand = Stand(options_for(recording), maps)
        self.clients: dict[str, Client] = {}
        self.refused: list[str] = []
        dt = self.stand.program.simulation.dt
        pace = dt / self.stand.program.clock.real_interval()
        for line in recording.lines:
            while self.stand.time + dt <= line.time * pace and self.stand.program.exit_code is None:
                self.stand.step()
            if line.kind == "ev" and line.text.startswith("connect port"):
                self._connect(line.client, int(line.text.rpartition("+")[2]))
            elif line.kind == "ev" and line.text == "client closes socket":
                self.clients[line.client].hang_up()
            elif line.kind == "tx" and line.client in self.clients:
                self.clients[line.client].send(line.data)
        if self.stand.program.exit_code is None:
            self.stand.run(NO_MORE)

    def _connect(self, name: str, offset: int) -> None:
        try:
            self.clients[name] = self.stand.connect(offset)
        except ConnectionRefusedError:
            self.refused.append(name)

    def __getitem__(self, name: str) -> Client:
        return self.clients[name]


def changes(values: Iterable[T]) -> list[T]:
    """Values without repetitions one after the other."""
    return [value for value, _ in groupby(values)]
