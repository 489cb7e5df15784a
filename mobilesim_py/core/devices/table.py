"""The units of one kind of device of all robots of a simulation, and what they have read."""

from __future__ import annotations

from collections import deque
from typing import TYPE_CHECKING, Generic

import numpy as np

from mobilesim_py.core.devices.device import DeviceKind, ModelT, ReadingsT, UnitT
from mobilesim_py.core.scene import IntArray, Scene
from mobilesim_py.world.obstacles import FloatArray

if TYPE_CHECKING:
    from mobilesim_py.core.simulation import Simulation

_ROUNDING = 1e-9
"""Share of a period by which a moment may miss it."""


class DeviceTable(Generic[ModelT, UnitT, ReadingsT]):
    """A column of `matrix` for each unit. Units sense when somebody asks, once in a tick.

    Units with a period or a delay sense at their own ticks, whether or not somebody asks; what they told last stands until
    the next reading is there. `Simulation.step` sees to it that none of these ticks is left out.
    """

    def __init__(self, kind: DeviceKind[ModelT, UnitT, ReadingsT], simulation: Simulation) -> None:
        self.kind = kind
        self.noise = simulation.noise
        """Whether readings err."""
        self._simulation = simulation
        self.matrix: FloatArray = np.zeros((len(kind.rows), 16))
        self.shared = kind.shared()
        """What all units have in common."""
        self.units: list[UnitT] = []
        """`units[k].column == k`."""
        self.has_serials = "SERIAL" in kind.rows.__members__
        """Whether each unit has a number that nothing else has."""
        self._carried = kind.rows["BODY"]
        self.known: ReadingsT | None = None
        """What was sensed at this tick if somebody has asked for it; for those who only look on."""
        self._none: ReadingsT | None = None
        """What is read when no unit senses."""
        self._sensing: IntArray | None = None
        self._widest: int | None = None
        self._timed: dict[UnitT, deque[tuple[int, ReadingsT]]] = {}
        """Units with a period or a delay: what they have read, each with the tick from which on it is told."""

    @property
    def simulation(self) -> Simulation:
        """Whose robots carry them."""
        return self._simulation

    # Who is there

    def add(self, model: ModelT, body: int, serial: int) -> UnitT:
        """Add a unit that is carried by a body."""
        column = len(self.units)
        if column == self.matrix.shape[1]:
            self.matrix = np.concatenate([self.matrix, np.zeros_like(self.matrix)], axis=1)
        self.matrix[:, column] = 0.0
        self.matrix[self._carried, column] = body
        if self.has_serials:
            self.matrix[self.kind.rows["SERIAL"], column] = serial
        for row, value in self.kind.column(model, self).items():
            self.matrix[row, column] = value
        unit = self.kind.unit(self, model, column)
        self.units.append(unit)
        if model.period > 0.0 or model.delay > 0.0:
            self._timed[unit] = deque()
        unit.reset()
        self._settings_changed()
        return unit

    def remove(self, unit: UnitT) -> None:
        """Remove a unit; the last column moves into its place."""
        last = self.units.pop()
        if last is not unit:
            self.units[unit.column] = last
            self.matrix[:, unit.column] = self.matrix[:, last.column]
            last.column = unit.column
        unit.column = -1
        self._timed.pop(unit, None)
        self._settings_changed()

    def body_moved(self, old: int, new: int) -> None:
        """Note that the body of one column stands in another one now."""
        carriers = self.matrix[self._carried, : len(self.units)]
        carriers[carriers == old] = new

    # What they read

    @property
    def is_timed(self) -> bool:
        """Whether any unit senses at ticks of its own."""
        return bool(self._timed)

    def forget(self, unit: UnitT | None = None) -> None:
        """Sense anew when asked; what a unit has read so far is void when the unit itself was set anew."""
        self.known = None
        if unit is not None:
            self._settings_changed()
            if unit in self._timed:
                self._timed[unit].clear()

    def start_over(self) -> None:
        """Forget what was read: time begins anew."""
        self.known = None
        for queue in self._timed.values():
            queue.clear()

    @property
    def sensing(self) -> IntArray:
        """The units that sense now; the same array until one of them is set, added or removed, so not to be written to."""
        if self._sensing is None:
            self._sensing = self.kind.senses(self)
        return self._sensing

    def widest(self, units: IntArray) -> int:
        """Return how many readings the widest of these units has; of those that sense, it is found once."""
        if units is not self._sensing:
            return self.kind.width(self, units)
        if self._widest is None:
            self._widest = self.kind.width(self, units)
        return self._widest

    def _settings_changed(self) -> None:
        self.known = self._sensing = self._widest = None

    @property
    def readings(self) -> ReadingsT:
        """What all units that are on read at this tick; sensed when first asked for."""
        if self.known is None:
            units = self.sensing
            if self._timed:
                self.known = self._with_timed(units)
            elif len(units):
                self.known = self._sense(units)
            else:
                self._none = self.known = self._none or self._sense(units)
        return self.known

    def pass_tick(self) -> None:
        """Let the units that have a period or a delay sense, if it is their tick."""
        scene = self._simulation.scene
        on = [self.units[column] for column in self.sensing.tolist() if self.units[column] in self._timed]
        due = [unit for unit in on if _is_due(scene, unit.model.period)]
        if not due:
            return
        read = self._sense(np.array([unit.column for unit in due], dtype=np.int64))
        for row, unit in enumerate(due):
            told = scene.tick + round(unit.model.delay / scene.dt)
            self._timed[unit].append((told, read.pick(np.array([row]))))
            self._drop_past(unit, scene.tick)

    def _sense(self, units: IntArray) -> ReadingsT:
        return self.kind.sense(self._simulation.scene, units, self, self._simulation.engine)

    def _drop_past(self, unit: UnitT, tick: int) -> deque[tuple[int, ReadingsT]]:
        """Return what a unit has read, from the reading on that is told at this tick."""
        queue = self._timed[unit]
        while len(queue) > 1 and queue[1][0] <= tick:
            queue.popleft()
        return queue

    def _with_timed(self, units: IntArray) -> ReadingsT:
        tick = self._simulation.tick
        timed = np.array([self.units[column] in self._timed for column in units.tolist()], dtype=np.bool_)
        kept: list[ReadingsT] = []
        for column in units[timed].tolist():
            queue = self._drop_past(self.units[column], tick)
            if queue and queue[0][0] <= tick:
                reading = queue[0][1]
                reading.units[0] = column
                kept.append(reading)
        return self._sense(units[~timed]).join(kept)


def _is_due(scene: Scene, period: float) -> bool:
    """Return whether a reading is due at this tick: so many periods have passed as had not at the tick before."""
    if period <= scene.dt:
        return True
    share = scene.dt / period
    return int(scene.tick * share + _ROUNDING) > int((scene.tick - 1) * share + _ROUNDING)
