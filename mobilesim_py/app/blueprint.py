"""What shall be built: the world and the robots that the options ask for, found and read but not yet running."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path

from mobilesim_py import messages
from mobilesim_py.app.map_files import default_map, find_map, fingerprint, loading
from mobilesim_py.app.options import Options, RobotKind, RobotRequest
from mobilesim_py.app.world_cache import load_with_grid
from mobilesim_py.catalogue.catalogue import Catalogue
from mobilesim_py.catalogue.model import RobotModel
from mobilesim_py.errors import MapError, UsageError, WorldfileError
from mobilesim_py.formats.format import Settings
from mobilesim_py.geometry import Pose
from mobilesim_py.log import Log
from mobilesim_py.names import MODEL, unique_name
from mobilesim_py.resources import resource_problem
from mobilesim_py.world.grid import Grid
from mobilesim_py.world.ground import patch_of
from mobilesim_py.world.obstacles import Segments
from mobilesim_py.world.world import World, empty_world

MOST_PROBLEMS = 10
"""Skipped lines of a map that are named one by one."""


@dataclass(frozen=True)
class Part:
    """A robot, a box or a factory of robots; without a pose it starts where there is room."""

    request: RobotRequest
    model: RobotModel
    pose: Pose | None = None


@dataclass(frozen=True)
class Blueprint:
    """Everything that is needed to start."""

    world: World
    catalogue: Catalogue
    parts: tuple[Part, ...]
    map_name: str = ""
    """The map as it was asked for; empty for the empty world."""
    fingerprint: str = ""
    """Tells whether a map that is asked for later is the one that is loaded already."""
    grid: Grid | None = None
    """The grid of the world's walls, where it is known already."""


def draw_up(options: Options, directory: Path, log: Log) -> Blueprint:
    """Find and read what the options name."""
    blueprint = _draw_up(options, directory, log)
    if not options.patches:
        return blueprint
    patches = (patch_of(wish.rectangle, wish.values) for wish in options.patches)
    return replace(blueprint, world=replace(blueprint.world, areas=(*blueprint.world.areas, *patches)))


def _draw_up(options: Options, directory: Path, log: Log) -> Blueprint:
    if problem := resource_problem():
        log.warning(f"MobileSim: {problem}")
    catalogue = Catalogue.load(cwd=directory)
    if options.stageworld is not None:
        return _stage(options, catalogue, log)
    parts = tuple(_part(request, catalogue) for request in options.robots)
    path = _map_path(options, directory)
    if path is None:
        log.info(messages.NO_MAP)
        return _with_instances(Blueprint(empty_world(), catalogue, parts), directory, log)
    log.info(messages.LOADING_MAP.format(file=path))
    with loading(path):
        world, grid = load_with_grid(path, Settings(options.resolution / 1000.0))
    tell_of(world, str(path), log)
    blueprint = Blueprint(world, catalogue, parts, options.map or str(path), fingerprint(path), grid)
    return _with_instances(blueprint, directory, log)


def _with_instances(blueprint: Blueprint, directory: Path, log: Log) -> Blueprint:
    """Add the robots, boxes and walls that the user's files in the include directory place in the world."""
    worldfile = blueprint.catalogue.worldfile
    if not worldfile.root.children and not worldfile.root.properties:
        return blueprint
    from mobilesim_py.formats.stage.world import read_instances

    found = read_instances(worldfile, directory, (part.request.name for part in blueprint.parts))
    for warning in found.warnings:
        log.warning(warning)
    world = blueprint.world
    if len(found.obstacles):
        world = replace(world, walls=Segments.join(world.walls, found.obstacles))
        blueprint = replace(blueprint, grid=None)
    placed = (*found.robots, *found.boxes)
    parts = (Part(RobotRequest(thing.model.name, thing.name), thing.model, thing.pose) for thing in placed)
    return replace(blueprint, world=world, parts=(*blueprint.parts, *parts))


def _worldfile(name: str) -> Path:
    """Return the worldfile of a name, looked up as maps are; what is nowhere is for the reader to complain about."""
    try:
        return find_map(name)
    except MapError:
        return Path(name)


def _part(request: RobotRequest, catalogue: Catalogue) -> Part:
    model = catalogue.find(request.model)
    if model.is_box and request.kind is not RobotKind.PORT:
        raise UsageError(f"{request.model!r} is a box, and nothing connects to a box: use --robot {request.model}.")
    return Part(request, model)


def _map_path(options: Options, directory: Path) -> Path | None:
    """The map to start with; None for the empty world."""
    if options.map:
        return find_map(options.map, [directory])
    if options.nomap or options.map == "":
        return None
    return default_map()


def tell_of(world: World, path: str, log: Log) -> None:
    """Log what a map that was just loaded is like."""
    log.info(messages.LOADED_MAP.format(file=path))
    log.info(messages.MAP_SIZE.format(file=path, width=world.bounds.width, height=world.bounds.height))
    if world.georeference is not None:
        log.info(messages.MAP_GEOREFERENCED)
    problems = world.problems
    for problem in problems[:MOST_PROBLEMS]:
        place = f"{problem.path or path}:{problem.line}" if problem.line else problem.path or path
        log.warning(f"{place}: {problem.text}")
    if len(problems) > MOST_PROBLEMS:
        log.warning(f"{path}: ... and {len(problems) - MOST_PROBLEMS} more lines like these.")


def _stage(options: Options, catalogue: Catalogue, log: Log) -> Blueprint:
    """A Stage world instead of a map; robots of the command line come on top of its own."""
    from mobilesim_py.formats.stage.world import load_stage_world

    path = _worldfile(str(options.stageworld))
    with loading(path, WorldfileError):
        stage = load_stage_world(path)
    for warning in stage.warnings:
        log.warning(warning)
    parts = [Part(RobotRequest(robot.model.name, robot.name), robot.model, robot.pose) for robot in stage.robots]
    taken = {robot.name for robot in stage.robots}
    given = (replace(request, name=unique_name(request.name, taken, MODEL)) for request in options.robots)
    parts += [_part(request, catalogue) for request in given]
    return Blueprint(stage.world, catalogue, tuple(parts), str(options.stageworld))
