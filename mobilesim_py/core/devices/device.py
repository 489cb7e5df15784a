"""What a device is: a kind of sensor or of other equipment, one of its units on a robot, and what its units read.

A kind is one object in a file of its own, listed in `devices.kinds`. It says which facts of a robot's model it is made from,
which rows the matrix of its units has, and how they sense. `DeviceTable` keeps that matrix, a column for each unit.
Metres, radians and seconds.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields, replace
from enum import Enum, IntEnum
from typing import TYPE_CHECKING, Any, Generic, Self, TypeVar

import numpy as np

from mobilesim_py.catalogue.model import DeviceModel
from mobilesim_py.core.scene import IntArray, Scene
from mobilesim_py.world.obstacles import FloatArray

if TYPE_CHECKING:
    from mobilesim_py.core.devices.table import DeviceTable
    from mobilesim_py.core.engines.engine import Engine


NO_RANGES: FloatArray = np.zeros(0)


class Drawing(Enum):
    """How a viewer draws what a device reads."""

    NOTHING = "nothing"
    RAYS = "rays"
    """A fan of beams from the device to what each of them met."""
    CONES = "cones"
    """A cone from each transducer, as long as its range."""
    MARKS = "marks"
    """A mark at the device, with the value beside it."""


@dataclass(frozen=True)
class Readings:
    """What the units of one kind read: a row of every array for each of `units`.

    A kind adds its arrays; where some units read more than others, the rest of their rows is not looked at.
    """

    units: IntArray
    """Columns of the kind's matrix, rising."""

    def row_of(self, column: int) -> int | None:
        """Return the row of a unit; None when it reads nothing."""
        row = int(np.searchsorted(self.units, column))
        return row if row < len(self.units) and self.units[row] == column else None

    def pick(self, rows: IntArray) -> Self:
        """Return some of the rows."""
        return replace(self, **{item.name: getattr(self, item.name)[rows] for item in fields(self)})

    def join(self, others: Sequence[Self]) -> Self:
        """Return these rows and those of others together, in the order of their units."""
        parts = [self, *others]
        order = np.argsort(np.concatenate([part.units for part in parts]), kind="stable")
        return replace(self, **{item.name: _stacked([getattr(p, item.name) for p in parts])[order] for item in fields(self)})


def _stacked(arrays: Sequence[Any]) -> Any:
    """Return rows of arrays below each other, the shorter ones filled with zeros."""
    if arrays[0].ndim == 1:
        return np.concatenate(arrays)
    most = max(array.shape[1] for array in arrays)
    return np.concatenate([np.pad(array, ((0, 0), (0, most - array.shape[1]))) for array in arrays])


ModelT = TypeVar("ModelT", bound=DeviceModel)
ReadingsT = TypeVar("ReadingsT", bound=Readings)
UnitT = TypeVar("UnitT", bound="DeviceUnit[Any]")


class DeviceUnit(Generic[ModelT]):
    """One device of a robot, as it is set now: a thin view of its column."""

    def __init__(self, table: DeviceTable[Any, Any, Any], model: ModelT, column: int) -> None:
        self._table = table
        self.model = model
        self.column = column
        """Changes when others are removed."""
        self._on = False

    @property
    def kind(self) -> DeviceKind[Any, Any, Any]:
        """What it is."""
        return self._table.kind

    def _get(self, row: IntEnum) -> float:
        return float(self._table.matrix[row, self.column])

    def _set(self, row: IntEnum, value: float) -> None:
        self._table.matrix[row, self.column] = value
        self._table.forget(self)

    @property
    def on(self) -> bool:
        """Whether it senses."""
        return self._on

    @on.setter
    def on(self, value: bool) -> None:
        self._on = value
        self._set(self.kind.rows["ON"], float(value))

    def reset(self) -> None:
        """Set it as the model has it, and off."""
        self.on = False


class DeviceKind(ABC, Generic[ModelT, UnitT, ReadingsT]):
    """A kind of device; one object of a subclass stands in the table of the kinds."""

    name: str
    model: type[ModelT]
    """Facts of a robot's model that one such device is made from; they have its period and its delay."""
    rows: type[IntEnum]
    """Rows of its matrix. BODY (column of the carrier) and ON are among them, and SERIAL where units draw noise by it."""
    unit: type[UnitT]
    drawing: Drawing = Drawing.NOTHING

    def shared(self) -> Any:
        """Return what the units of one simulation have in common, if anything; the table keeps it."""
        return None

    @abstractmethod
    def column(self, model: ModelT, table: DeviceTable[ModelT, UnitT, ReadingsT]) -> Mapping[int, float]:
        """Return what stands in the rows of a new unit; all others are zero."""

    @abstractmethod
    def sense(
        self, scene: Scene, units: IntArray, table: DeviceTable[ModelT, UnitT, ReadingsT], engine: Engine
    ) -> ReadingsT:
        """Return what these units read now."""

    def senses(self, table: DeviceTable[ModelT, UnitT, ReadingsT]) -> IntArray:
        """Return the units that sense: those that are on."""
        return np.flatnonzero(table.matrix[self.rows["ON"], : len(table.units)] > 0.0)

    def width(self, table: DeviceTable[ModelT, UnitT, ReadingsT], units: IntArray) -> int:
        """Return how many readings the widest of these units has; for kinds whose units read different numbers of them."""
        return 1
