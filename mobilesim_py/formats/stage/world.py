"""A Stage world (`-W file.world`): its walls, robots and boxes, and what in it is not supported."""

from __future__ import annotations

import math
import os
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from pathlib import Path

import numpy as np

from mobilesim_py.catalogue.build import DEFAULT_SIZE, ROBOT_KINDS, build_model
from mobilesim_py.catalogue.build import reflectance as reflectance_of
from mobilesim_py.catalogue.model import RobotModel
from mobilesim_py.catalogue.section import Section
from mobilesim_py.catalogue.shape import rectangle, written_polygons
from mobilesim_py.catalogue.worldfile import Worldfile
from mobilesim_py.errors import WorldfileError
from mobilesim_py.formats.format import Settings
from mobilesim_py.formats.stage.bitmap import outline_segments, read_dark_pixels
from mobilesim_py.formats.stage.box_models import box_of_model
from mobilesim_py.geometry import FloatArray, Pose, compose, edges_of
from mobilesim_py.names import MODEL, unique_name
from mobilesim_py.resources import models_dir
from mobilesim_py.world.obstacles import ORDINARY_REFLECTANCE, WALL_HEIGHT, Segments, Stops
from mobilesim_py.world.world import Bounds, Problem, World

WALL_KINDS = ("model", "map", "floorplan")
"""Models that are walls; `map` and `floorplan` are usually defined by the world itself, but need not be."""
SENSOR_KINDS = ("laser", "ranger", "gps", "block")
"""Models that a robot may carry."""
WINDOW_KINDS = ("window", "gui", "rtkgui")

# Settings of Stage's clock, window and grid: the options of the command line decide about these.
_TOLERATED = (
    *("name", "size", "resolution", "interval_real", "interval_sim", "quit_time", "paused", "speedup", "speed"),
    *("threads", "threadpool", "gui_disable", "gui_interval", "show_clock", "show_clock_interval", "update_interval"),
)
# Stage's drawing, mass, and sensors that no robot here has.
_UNSEEN = (
    *("name", "color", "color_rgba", "mass", "height", "map_resolution", "stack_children", "alwayson", "friction"),
    *("gui_nose", "gui_grid", "gui_move", "gui_movemask", "gui_outline", "gui_boundary"),
    *("blob_return", "blobfinder_return", "fiducial_return", "fiducial_key", "gripper_return"),
)


@dataclass(frozen=True)
class Placed:
    """A robot or box in the world."""

    model: RobotModel
    name: str
    pose: Pose


@dataclass(frozen=True)
class StageWorld:
    """What a world file describes [m, rad]; `problems` tell what was left out."""

    path: str
    name: str
    obstacles: Segments
    robots: tuple[Placed, ...]
    boxes: tuple[Placed, ...]
    problems: tuple[Problem, ...]

    @property
    def warnings(self) -> tuple[str, ...]:
        """The problems as sentences."""
        return tuple(f"{problem.path}:{problem.line}: {problem.text}" for problem in self.problems)

    @property
    def world(self) -> World:
        """The place itself: walls and boxes, but not the robots."""
        boxes = tuple(box_of_model(box.model, box.name, box.pose) for box in self.boxes)
        corners = [corner for box in boxes for corner in box.corners]
        bounds = Bounds.about(self.obstacles.ends.reshape(-1, 2) if len(self.obstacles) else corners)
        return World(
            *(self.name or self.path, bounds, self.obstacles, boxes),
            problems=self.problems,
            path=self.path,
        )


class StageFormat:
    """Worlds of Stage and Player."""

    endings = (".world",)

    def read(self, path: str | os.PathLike[str], settings: Settings) -> World:
        """Read the walls and boxes of a worldfile; its robots are in `load_stage_world`."""
        return load_stage_world(Path(path)).world


FORMAT = StageFormat()


def load_stage_world(path: Path) -> StageWorld:
    """Read a Stage world file; WorldfileError if it cannot be understood."""
    worldfile = Worldfile(search=(models_dir(),))
    worldfile.load(path)
    return read_instances(worldfile, path)


def read_instances(worldfile: Worldfile, path: Path, taken: Iterable[str] = ()) -> StageWorld:
    """Read the instances outside of any definition, with unique names.

    Pictures are looked for beside `path`, which also names the world.
    """
    return _Reader(worldfile, path, frozenset(taken)).read()


@dataclass
class _Reader:
    """Walks over the sections of a world and sorts them into walls, robots and boxes."""

    worldfile: Worldfile
    path: Path
    taken: frozenset[str] = frozenset()
    walls: list[Segments] = field(default_factory=list)
    robots: list[Placed] = field(default_factory=list)
    boxes: list[Placed] = field(default_factory=list)
    problems: list[Problem] = field(default_factory=list)
    models: dict[str, RobotModel] = field(default_factory=dict)

    def read(self) -> StageWorld:
        root = self.worldfile.root
        for name, found in root.properties.items():
            if name not in _TOLERATED:
                self._warn(found.path, found.line, f"unknown setting '{name}' is ignored")
        for section in root.children:
            self._read_section(self.worldfile.resolve(section), Pose())
        return StageWorld(
            path=str(self.path),
            name=root.text("name", self.path.stem),
            obstacles=Segments.join(Segments.empty(), *self.walls),
            robots=tuple(self.robots),
            boxes=tuple(self.boxes),
            problems=tuple(self.problems),
        )

    def _warn(self, path: str, line: int, message: str) -> None:
        problem = Problem(line, message, path)
        if problem not in self.problems:
            self.problems.append(problem)

    def _read_section(self, section: Section, parent: Pose) -> None:
        if section.kind in WINDOW_KINDS:
            return
        pose = compose(parent, Pose(*(section.place("pose") or (0.0, 0.0, 0.0))))
        if section.kind in ROBOT_KINDS:
            self._read_robot(section, pose)
        elif section.kind in WALL_KINDS:
            if self._is_box(section):
                self._read_box(section, pose)
            else:
                self._read_wall(section, pose)
        else:
            what = f"'{section.name}' ({section.kind})"
            self._warn(section.path, section.line, f"{what} is not supported and is left out")

    def _is_box(self, section: Section) -> bool:
        """Tell whether it is one of our boxes, or said to be movable with the mouse."""
        if section.has("bitmap") or any(child.kind in WALL_KINDS for child in section.children):
            return False
        return "box" in section.lineage or section.flag("gui_move") or section.number("gui_movemask") != 0

    def _read_robot(self, section: Section, pose: Pose) -> None:
        for child in section.children:
            if child.kind not in SENSOR_KINDS:
                self._warn(child.path, child.line, f"'{child.name}' ({child.kind}) on a robot is not supported")
        model = build_model(section, section.name)
        self._name_unread(section)
        self.robots.append(Placed(self._shared(model), self._unique(section, self.robots), pose))

    def _read_box(self, section: Section, pose: Pose) -> None:
        model = build_model(replace(section, kind="model"), section.name)
        self._name_unread(section)
        self.boxes.append(Placed(self._shared(model), self._unique(section, self.boxes), pose))

    def _shared(self, model: RobotModel) -> RobotModel:
        """Return one shared model for equal robots."""
        known = self.models.setdefault(model.name, model)
        return known if known == model else model

    def _unique(self, section: Section, others: list[Placed]) -> str:
        taken = self.taken.union(placed.name for placed in others)
        return unique_name(section.text("name") or section.name, taken, MODEL)

    def _read_wall(self, section: Section, pose: Pose) -> None:
        ends = self._wall_ends(section)
        for child in section.children:
            if child.kind != "block":
                self._read_section(child, pose)
        origin = Pose(*(section.place("origin") or (0.0, 0.0, 0.0)))
        stops = Stops.NOTHING
        if section.flag("obstacle_return", True):
            stops |= Stops.ROBOTS
        elif len(ends):
            self._warn(section.path, section.line, f"'{section.name}' has obstacle_return 0: robots drive through it")
        if section.number("ranger_return", 1) > 0:
            stops |= Stops.SONAR
        reflectance = reflectance_of(section)
        if reflectance > 0:
            stops |= Stops.LASER
        for name in _UNSEEN:
            section.get(name)
        self._name_unread(section)
        if len(ends) and stops:
            ends = _moved(ends, compose(pose, origin))
            reflectance = max(reflectance, ORDINARY_REFLECTANCE)
            self.walls.append(Segments.build(ends, stops, reflectance, height=_height(section)))

    def _wall_ends(self, section: Section) -> FloatArray:
        """Find the outline in the frame of the model, stretched to its size."""
        given = section.lengths("size")
        size = (given[0], given[1]) if len(given) > 1 else DEFAULT_SIZE
        if min(size) <= 0:
            raise section.error("size: expected two lengths greater than 0")
        parts: list[FloatArray] = []
        bitmap = section.get("bitmap")
        polygons = written_polygons(section)
        if bitmap is not None:
            parts.append(outline_segments(read_dark_pixels(self._locate(section))))
        parts.extend(edges_of(polygon) for polygon in polygons)
        ends = np.concatenate(parts) if parts else np.empty((0, 4))
        ends = _stretched(ends, size)
        holder = any(child.kind in WALL_KINDS for child in section.children)
        if section.flag("boundary") or (bitmap is None and not polygons and not holder):
            ends = np.concatenate([ends, edges_of(rectangle(size))])
        return ends

    def _locate(self, section: Section) -> Path:
        found = section.properties["bitmap"]
        name = found.values[0] if found.values else ""
        for directory in (Path(found.path).parent, self.path.parent):
            candidate = directory / name
            try:
                if name and candidate.is_file():
                    return candidate
            except (OSError, ValueError):
                break
        raise WorldfileError(f"bitmap: there is no picture '{name}'", found.path, found.line)

    def _name_unread(self, section: Section) -> None:
        for found in section.unread():
            self._warn(found.path, found.line, f"unknown property '{found.name}' of '{section.name}' is ignored")
        for child in section.children:
            if child.kind in ("laser", "ranger", "sensor"):
                for name in _UNSEEN:
                    child.get(name)
                self._name_unread(child)


def _height(section: Section) -> float:
    """Read how high a wall is: the third number of its size."""
    given = section.lengths("size")
    return given[2] if len(given) > 2 and given[2] > 0 else WALL_HEIGHT


def _stretched(ends: FloatArray, size: tuple[float, float]) -> FloatArray:
    """Centre and stretch segments to a size, as Stage does with all that a model consists of."""
    if not len(ends):
        return ends
    points = ends.reshape(-1, 2)
    least, most = points.min(axis=0), points.max(axis=0)
    extent = np.where(most > least, most - least, 1.0)
    result: FloatArray = ((points - (least + most) / 2) * (np.asarray(size) / extent)).reshape(-1, 4)
    return result


def _moved(ends: FloatArray, pose: Pose) -> FloatArray:
    cosine, sine = math.cos(pose.heading), math.sin(pose.heading)
    turn = np.asarray([[cosine, sine], [-sine, cosine]])
    result: FloatArray = (ends.reshape(-1, 2) @ turn + (pose.x, pose.y)).reshape(-1, 4)
    return result
