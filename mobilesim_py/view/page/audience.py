"""All viewers of a program: each message is packed once for all of them, and nothing is done while there are none."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from typing import Any, Protocol

import numpy as np

from mobilesim_py.core.simulation import Simulation
from mobilesim_py.log import LogLine
from mobilesim_py.services.panelled import panelled
from mobilesim_py.services.service import Stage, clients_of
from mobilesim_py.view.meter import Meter
from mobilesim_py.view.page import describe, frames
from mobilesim_py.view.page.frames import Layer
from mobilesim_py.view.page.place_news import PlaceNews

FRAME_INTERVAL = 1.0 / 30.0
"""Least real time between two frames [s]; the page interpolates between them."""
PANEL_INTERVAL = 0.1
"""Least real time between two looks at what the services' panels show [s]."""
NEWS_INTERVAL = 0.2
"""Period of the check for changes that are sent as text [s]."""
STATUS_EVERY = 2
"""The status is sent at every n-th check."""


class Watcher(Protocol):
    """One viewer, as the audience knows it."""

    layers: Layer

    @property
    def is_ready(self) -> bool:
        """Whether it has room for a frame."""

    def take_frame(self, frame: bytes | None) -> None:
        """Queue this frame; None means that a frame was dropped because the viewer was not ready."""

    def say(self, kind: str, text: str) -> None:
        """Queue this text; it replaces an unsent one of the same kind."""

    def log(self, line: LogLine) -> None:
        """Show this line of the log."""

    def news(self) -> None:
        """Check whether map or roster have changed since they were last sent."""


class Audience:
    """The watchers of one program."""

    def __init__(self, stage: Stage, clock: Callable[[], float]) -> None:
        self.stage = stage
        self.meter = Meter(stage)
        self.watchers: list[Watcher] = []
        self.place = PlaceNews()
        self.roster_number = 0
        self._clock = clock
        self._world: Any = None
        self._signature: Any = None
        self._roster = ""
        self._panels: dict[str, str] = {}
        """What the panel of each service showed last, as a message."""
        self._panels_due = 0.0
        self._frame_due = 0.0
        self._sensed_due = 0.0
        self._looks = 0
        self._told = -1
        self._timer: asyncio.TimerHandle | None = None
        self._unfollow: Callable[[], None] | None = None

    # Watchers

    def join(self, watcher: Watcher) -> None:
        """Add a watcher."""
        self.watchers.append(watcher)
        if len(self.watchers) == 1:
            self.stage.after_step.append(self._stepped)
            self._unfollow = self.stage.log.subscribe(self._logged)
            self._look()
        self.notice()
        watcher.news()
        watcher.say("status", self.status())
        for name, text in self._look_at_panels().items():
            watcher.say(f"service {name}", text)
        self.serve(watcher)

    def leave(self, watcher: Watcher) -> None:
        """Remove a watcher; with the last one all work stops."""
        if watcher not in self.watchers:
            return
        self.watchers.remove(watcher)
        if not self.watchers:
            self.close()

    def close(self) -> None:
        """Stop following the program."""
        if self._stepped in self.stage.after_step:
            self.stage.after_step.remove(self._stepped)
        if self._unfollow is not None:
            self._unfollow()
            self._unfollow = None
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    # Events

    def touched(self) -> None:
        """Note that something was changed by hand."""
        if self.watchers:
            self.notice()
            self._send_frames()
            self.tell_panels()
            self.tell_status()

    def tell_status(self) -> None:
        """Send everybody the status."""
        text = self.status()
        for watcher in self.watchers:
            watcher.say("status", text)

    def tell_panels(self) -> None:
        """Send everybody what has changed on the panels of services."""
        before, self._panels_due = self._panels, self._clock() + PANEL_INTERVAL
        for name, text in self._look_at_panels().items():
            if text != before.get(name):
                self.say(f"service {name}", text)

    def _look_at_panels(self) -> dict[str, str]:
        self._panels = {
            service.name: _message("service", describe.service_state(service)) for service in panelled(self.stage)
        }
        return self._panels

    def say(self, kind: str, text: str) -> None:
        """Send everybody a text."""
        for watcher in self.watchers:
            watcher.say(kind, text)

    def serve(self, watcher: Watcher) -> None:
        """Send one watcher the current frame."""
        watcher.take_frame(frames.pack_frame(self.stage.simulation, watcher.layers, self._held()))

    def _stepped(self, simulation: Simulation) -> None:
        now = self._clock()
        senses = simulation.has_sensed and now >= self._sensed_due
        if now < self._frame_due and not senses:
            return
        if senses:
            self._sensed_due = now + FRAME_INTERVAL
        # Slightly early counts as on time; otherwise every second step would be skipped when steps are as long as frames.
        self._frame_due = now + 0.9 * FRAME_INTERVAL
        self._send_frames()

    def _send_frames(self) -> None:
        if self._clock() >= self._panels_due:
            self.tell_panels()
        self._told = self.stage.simulation.tick
        packed: dict[Layer, bytes] = {}
        held = self._held()
        for watcher in self.watchers:
            if not watcher.is_ready:
                watcher.take_frame(None)
                continue
            if watcher.layers not in packed:
                packed[watcher.layers] = frames.pack_frame(self.stage.simulation, watcher.layers, held)
            watcher.take_frame(packed[watcher.layers])

    def _held(self) -> Any:
        held = [robot.serial for service in self.stage.services for robot in service.held()]
        return np.array(held, dtype=np.uint32)

    def _logged(self, line: LogLine) -> None:
        for watcher in self.watchers:
            watcher.log(line)

    def _look(self) -> None:
        """Check rates, roster, map and status; called periodically."""
        self._timer = asyncio.get_running_loop().call_later(NEWS_INTERVAL, self._look)
        self.meter.update(self._clock())
        self.notice()
        if self._told != self.stage.simulation.tick and self._clock() >= self._frame_due:
            self._send_frames()  # The last of several quick steps came too soon after another to be sent.
        if self._looks % STATUS_EVERY == 0:
            self.tell_status()
        self._looks += 1

    # Content of the messages

    def notice(self) -> None:
        """Check for a new map, robot, box or client."""
        simulation = self.stage.simulation
        changed = False
        if simulation.world is not self._world:
            self.place.take(simulation.world)
            self._world = simulation.world
            changed = True
        signature = (
            tuple((thing.serial, thing.name) for thing in simulation.things),
            tuple((client.robot, client.peer, client.key) for client in clients_of(self.stage)),
            len(self.stage.doors),
        )
        if signature != self._signature:
            self._signature, self._roster = signature, ""
            self.roster_number += 1
            changed = True
        for watcher in self.watchers:
            if changed:
                watcher.news()

    def map_text(self) -> str:
        """Return the map without its walls."""
        return _message("map", {"map": describe.map_facts(self.stage.simulation.world, self.place.map)})

    def roster_text(self) -> str:
        """Return the roster."""
        if not self._roster:
            simulation = self.stage.simulation
            drivers = {client.robot: client for client in clients_of(self.stage)}
            content = {
                "number": self.roster_number,
                "robots": [describe.robot_facts(self.stage, r, drivers.get(r)) for r in simulation.robots],
                "boxes": [describe.box_state(box) for box in simulation.boxes],
            }
            self._roster = _message("roster", content)
        return self._roster

    def models_text(self, known: set[str]) -> str:
        """Return the models that a watcher does not know yet (empty if none), and add them to `known`."""
        models = {robot.model.name: robot.model for robot in self.stage.simulation.robots}
        fresh = [model for name, model in models.items() if name not in known]
        known.update(model.name for model in fresh)
        return _message("models", {"models": [describe.model_facts(model) for model in fresh]}) if fresh else ""

    def status(self) -> str:
        """Return the content of the status bar."""
        return _message("status", describe.program_status(self.stage, len(self.watchers)))


def _message(kind: str, content: dict[str, Any]) -> str:
    return json.dumps({"type": kind} | content, separators=(",", ":"))
