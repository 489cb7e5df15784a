"""What the panel of garden robots shows: the sketch that people draw, the robots on their way, the grid as a picture."""

from __future__ import annotations

import io
import json
import math
import tempfile
from collections import deque
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from mobilesim_py.errors import MobileSimError
from mobilesim_py.formats.garden.garden_file import garden_text
from mobilesim_py.formats.garden.world import colour_of, save_sketch
from mobilesim_py.formats.garden.xml_file import xml_text
from mobilesim_py.garden.goals import ObjectGoal, SimpleGoal
from mobilesim_py.garden.registration import Registration, blobs_of, centres_of, register
from mobilesim_py.geometry import Pose
from mobilesim_py.services.garden.vehicle import Vehicle
from mobilesim_py.services.panelled import Facts, OrderError, Picture
from mobilesim_py.world.sketch import Sketch, is_drivable

if TYPE_CHECKING:
    from mobilesim_py.services.garden.service import GardenService

MOST_UNDOS = 50
MOST_PLACES = 300
"""Of a path that is shown."""
MOST_ENDED = 8
_COLOURS = np.array([[128, 128, 128, 110], [255, 255, 255, 0], [214, 30, 190, 220], [20, 140, 50, 150]], np.uint8)
"""Unseen, free, seen, sketched: red, green, blue, opacity."""


class Board:
    """The panel's facts, and the sketch that is drawn there."""

    def __init__(self, service: GardenService) -> None:
        self._service = service
        self.sketch: Sketch | None = service.stage.simulation.world.sketch
        self.version = 1
        """Of the sketch."""
        self.registration: Registration | None = None
        self._undo: deque[Sketch | None] = deque(maxlen=MOST_UNDOS)
        self._folder: tempfile.TemporaryDirectory[str] | None = None
        self._is_registering = False

    # Drawing

    def draw(self, sketch: Sketch | None) -> None:
        """Let this be the sketch; all vehicles drive by it from now on."""
        self._undo.append(self.sketch)
        self._use(sketch)

    def undo(self) -> bool:
        """Go back to the sketch before; tell whether there was one."""
        if not self._undo:
            return False
        self._use(self._undo.pop())
        return True

    def forget(self) -> None:
        """Begin with the sketch of another world."""
        self._undo.clear()
        self._use(self._service.stage.simulation.world.sketch)

    def _use(self, sketch: Sketch | None) -> None:
        self.sketch = sketch
        self.version += 1
        self.registration = None
        for vehicle in self._service.vehicles.values():
            vehicle.plan.sketch = sketch
            vehicle.gardener.navigator.plan_again(vehicle.pose)

    def register(self, vehicle: Vehicle) -> None:
        """Find where the sketch lies in what a vehicle has seen, beside the simulation, and move it there."""
        sketch, version = self.sketch, self.version
        if sketch is None:
            raise OrderError("There is no sketch to register.")
        if self._is_registering:
            raise OrderError("The sketch is being registered.")
        occupancy = vehicle.occupancy
        occupied, raster = occupancy.occupied, occupancy.raster
        say = self._service.stage.log.info
        self._is_registering = True

        def done(found: Registration | None, error: MobileSimError | None) -> None:
            self._is_registering = False
            if found is None:
                self._service.stage.log.warning(f"The sketch is not registered: {error}", vehicle.robot.name)
                return
            if self.version != version:
                return  # it was drawn on meanwhile
            self.draw(sketch.moved(found.move))
            self.registration = found
            move = found.move
            say(
                f"The sketch is registered: turned by {math.degrees(move.heading):.2f} degrees, shifted by "
                f"({move.x:.3f}, {move.y:.3f}) m; {found.pairs} of {found.objects} objects found, "
                f"residual {found.residual:.3f} m.",
                vehicle.robot.name,
            )

        def work() -> Registration:
            return register(centres_of(sketch), blobs_of(occupied, raster))

        self._service.desk(work, done)

    def build(self) -> None:
        """Make the world anew from the sketch."""
        if self.sketch is None or not self.sketch.places:
            raise OrderError("There is nothing in the sketch.")
        if self._folder is None:
            self._folder = tempfile.TemporaryDirectory(prefix="mobilesim-garden-")
        path = Path(self._folder.name) / f"drawn-{self.version}.garden"
        save_sketch(self.sketch, path)
        self._service.stage.worlds.load(str(path), by_user=True)

    # Showing

    def facts(self) -> Facts:
        """Return everything but the sketch and the grid, which have versions and are pictures."""
        found = self.registration
        return {
            "sketch": {
                "version": self.version,
                "objects": len(self.sketch.objects) if self.sketch else 0,
                "faces": len(self.sketch.faces) if self.sketch else 0,
                "undo": len(self._undo),
            },
            "registration": {
                "x": round(found.move.x, 4),
                "y": round(found.move.y, 4),
                "turn": round(math.degrees(found.move.heading), 3),
                "residual": round(found.residual, 4),
                "pairs": found.pairs,
                "objects": found.objects,
            }
            if found is not None
            else None,
            "robots": [_vehicle_facts(vehicle) for vehicle in self._service.vehicles.values()],
        }

    def picture(self, name: str) -> Picture | None:
        """Return `sketch` (as JSON), `sketch.xml`, `sketch.garden`, or `grid-N` of the robot with the number N."""
        sketch = self.sketch or Sketch("garden")
        if name == "sketch":
            return Picture(json.dumps(sketch_facts(sketch, self.version)).encode(), "application/json")
        if name == "sketch.xml":
            return Picture(xml_text(sketch).encode(), "application/xml")
        if name == "sketch.garden":
            return Picture(garden_text(sketch).encode(), "application/yaml")
        for robot, vehicle in self._service.vehicles.items():
            if name == f"grid-{robot.serial}":
                return Picture(_grid_picture(vehicle))
        return None


def sketch_facts(sketch: Sketch, version: int) -> dict[str, Any]:
    """Return a sketch as the page draws it."""
    return {
        "version": version,
        "name": sketch.name,
        "labels": list(sketch.labels),
        "vertices": [[round(x, 4), round(y, 4)] for x, y, _ in sketch.vertices],
        "faces": [
            {
                "label": face.label,
                "corners": list(face.corners),
                "colour": _web_colour(face.label),
                "drivable": is_drivable(face.label),
            }
            for face in sketch.faces
        ],
        "objects": [
            {
                "id": thing.id,
                "label": thing.label,
                "shape": thing.shape.name.lower(),
                "x": round(thing.x, 4),
                "y": round(thing.y, 4),
                "size": [round(value, 4) for value in thing.size],
                "turn": round(math.degrees(thing.turn), 3),
                "outline": [[round(x, 4), round(y, 4)] for x, y in thing.outline],
                "colour": _web_colour(thing.label),
                "trimmable": thing.is_trimmable,
            }
            for thing in sketch.objects
        ],
    }


def _web_colour(label: str) -> str:
    return "#" + colour_of(label).removeprefix("0x")


def _vehicle_facts(vehicle: Vehicle) -> Facts:
    gardener, raster = vehicle.gardener, vehicle.plan.raster
    quality, manner = vehicle.setup.quality, vehicle.setup.manner
    path = gardener.navigator.path
    step = max(1, math.ceil(len(path) / MOST_PLACES))
    position = gardener.position
    return {
        "id": vehicle.robot.serial,
        "name": vehicle.robot.name,
        "pose": _pose(vehicle.pose),
        "state": gardener.state.path,
        "busy": gardener.is_busy,
        "lost": gardener.is_lost,
        "covered": vehicle.localisation.is_covered,
        "goal": _goal(gardener.current),
        "waiting": [_goal(goal) for goal in gardener.waiting[:50]],
        "path": [[round(x, 3), round(y, 3)] for x, y in (*path[::step], *path[-1:])],
        "position": _pose(position.end) if position is not None and gardener.is_busy else None,
        "progress": round(gardener.progress, 3),
        "trimmed": sorted(gardener.trimmed),
        "ended": [
            {"goal": str(ended.goal), "outcome": ended.outcome, "why": ended.why}
            for ended in list(gardener.ended)[-MOST_ENDED:]
        ],
        "grid": {
            "version": "-".join(map(str, vehicle.grid_version)),
            "x": round(raster.x0, 4),
            "y": round(raster.y0, 4),
            "width": round(raster.columns * raster.cell, 4),
            "height": round(raster.rows * raster.cell, 4),
        },
        "tuning": {
            "noise": quality.noise,
            "turn_noise": round(math.degrees(quality.turn_noise), 6),
            "delay": quality.delay,
            "trim_time": manner.trim_time,
            "slip_left": vehicle.setup.slip[0],
            "slip_right": vehicle.setup.slip[1],
        },
    }


def _pose(pose: Pose) -> Facts:
    return {"x": round(pose.x, 4), "y": round(pose.y, 4), "heading": round(pose.heading, 4)}


def _goal(goal: SimpleGoal | ObjectGoal | None) -> Facts | None:
    if goal is None:
        return None
    if isinstance(goal, ObjectGoal):
        return {"object": goal.id, "label": goal.label}
    return {"x": round(goal.x, 3), "y": round(goal.y, 3), "heading": goal.heading}


def _grid_picture(vehicle: Vehicle) -> bytes:
    from PIL import Image

    cells = vehicle.plan.cells[::-1]
    image = Image.fromarray(cells, "P")
    image.putpalette(_COLOURS[:, :3].tobytes())
    out = io.BytesIO()
    image.save(out, "PNG", transparency=bytes(_COLOURS[:, 3].tolist()), optimize=False, compress_level=1)
    return out.getvalue()
