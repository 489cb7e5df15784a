"""`--record run.mcap`: what a program does, from its bytes to its true poses, into a file while it runs."""

from __future__ import annotations

import json
import time
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from mobilesim_py import __version__
from mobilesim_py.net.trace import Crossing, Passage
from mobilesim_py.view.recording.files import RUN, Entry, RecordingFiles, run_id
from mobilesim_py.view.recording.schemas import (
    CLIENTS,
    LOG,
    MAP,
    NANOSECONDS,
    ODOMETRY,
    TRANSFORMS,
    WIRE,
    ScanWriter,
    Topic,
    client_message,
    log_message,
    map_message,
    odometry_message,
    scan_topic,
    transforms_message,
    wire_message,
    wire_prefix,
)

if TYPE_CHECKING:
    from mobilesim_py.core.simulation import Simulation
    from mobilesim_py.log import LogLine
    from mobilesim_py.services.service import Stage
    from mobilesim_py.world.world import World

INTERVAL = 0.1
"""Simulated time between two records of poses and scans [s]."""
MOST_BYTES = 1024 * 1024 * 1024
"""How large a file may become."""


class Recorder:
    """Records a program into files until it is closed."""

    def __init__(
        self,
        stage: Stage,
        file: Path,
        *,
        words: Sequence[str] = (),
        most_bytes: int = MOST_BYTES,
        interval: float = INTERVAL,
    ) -> None:
        """Begin, once the doors are open; `words` are those of the command line, with which `rerun` builds it again."""
        self._stage = stage
        simulation = stage.simulation
        self._world: World | None = None
        self._changes = -1
        self._due = 0.0
        self._interval = interval
        self._prefixes: dict[tuple[int, bool], bytes] = {}
        self._scans = ScanWriter()
        self._scan_topics: dict[tuple[str, int], Topic] = {}
        self._trouble_told = self._is_closed = False
        facts = {
            "version": __version__,
            RUN: run_id(),
            "words": json.dumps(list(words)),
            "seed": str(simulation.seed),
            "step": repr(simulation.dt),
            "tick": str(simulation.tick),
            "lockstep": json.dumps(stage.clock.lockstep),
            "map": simulation.world.name,
            "directory": str(stage.worlds.directory),
            "doors": json.dumps([door.address for door in stage.doors]),
        }
        self._files = RecordingFiles(
            file, facts, most_bytes=most_bytes, waits=stage.clock.lockstep, at_start=lambda: [self._map()]
        )
        self._ends = [
            stage.doors.install(self._crossed, first=True),
            stage.doors.watch(self._passed),
            stage.log.subscribe(self._logged),
        ]
        stage.after_step.append(self.after_step)
        self._ends.append(lambda: stage.after_step.remove(self.after_step))
        stage.log.info(f'MobileSim: Recording to "{file}".')
        self.after_step(simulation)

    @property
    def parts(self) -> int:
        """How many files there are."""
        return self._files.parts

    def after_step(self, simulation: Simulation) -> None:
        """Record where everybody is and what they see, if that is due."""
        now = simulation.time
        if now < self._due - 1e-9:
            return
        self._due = (self._due if self._due + self._interval > now else now) + self._interval
        if simulation.world is not self._world:
            self._world = simulation.world
            self._files.add(self._map())
        stamp = self._now()
        self._add(TRANSFORMS, transforms_message(simulation, stamp))
        self._add(ODOMETRY, odometry_message(simulation))
        for robot, number, scan in self._scans.write(simulation, stamp):
            self._add(self._scan_topic(robot, number), scan)
        self._look_for_trouble()

    def close(self) -> None:
        """Finish the file and log the result."""
        if self._is_closed:
            return
        self._is_closed = True
        for end in self._ends:
            end()
        self._files.close()
        files, log = self._files, self._stage.log
        self._look_for_trouble()
        if not files.trouble:
            more = f" and {files.parts - 1} more after it" if files.parts > 1 else ""
            log.info(f'MobileSim: Recorded to "{files.path}"{more}.')

    def _now(self) -> int:
        return round(self._stage.simulation.time * NANOSECONDS)

    def _add(self, topic: Topic, data: bytes) -> None:
        self._files.add(Entry(topic, self._now(), time.time_ns(), data))

    def _map(self) -> Entry:
        now = self._now()
        return Entry(MAP, now, time.time_ns(), map_message(self._stage.simulation.world, now))

    def _scan_topic(self, robot: str, number: int) -> Topic:
        key = robot, number
        if key not in self._scan_topics:
            self._scan_topics[key] = scan_topic(robot, number)
        return self._scan_topics[key]

    def _crossed(self, crossing: Crossing) -> bytes:
        key = crossing.client, crossing.incoming
        prefix = self._prefixes.get(key)
        if prefix is None:
            prefix = self._prefixes[key] = wire_prefix(*key)
        self._files.add(Entry(WIRE, round(crossing.time * NANOSECONDS), time.time_ns(), wire_message(prefix, crossing.data)))
        return crossing.data

    def _passed(self, passage: Passage) -> None:
        client = passage.client
        self._add(CLIENTS, client_message(client, passage.door, passage.peer, passage.came, passage.reason))
        if not passage.came:
            for incoming in (False, True):
                self._prefixes.pop((client, incoming), None)

    def _logged(self, line: LogLine) -> None:
        now = self._now()
        self._files.add(Entry(LOG, now, int(line.time * NANOSECONDS), log_message(line, now)))

    def _look_for_trouble(self) -> None:
        files, log = self._files, self._stage.log
        if files.trouble and not self._trouble_told:
            self._trouble_told = True
            log.error(f'The recording "{files.path}" ended early: {files.trouble}. What was recorded before is kept.')
        elif files.left_out:
            text = f"The recording cannot keep up with the disk: {files.left_out} messages were left out."
            log.occasionally("recording late", text, every=30.0)
