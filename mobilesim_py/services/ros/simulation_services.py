"""The services of simulation_interfaces, by which tools steer any simulator, as far as they make sense here."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from mobilesim_py.core.robot import BoxBody, Robot, Thing
from mobilesim_py.errors import MobileSimError
from mobilesim_py.geometry import Pose
from mobilesim_py.protocols.ros.values import Message
from mobilesim_py.services.permissions import Permission
from mobilesim_py.services.ros.carrier import Answer
from mobilesim_py.services.ros.driving import is_place, put
from mobilesim_py.services.ros.moment import Moment
from mobilesim_py.services.ros.rows import Each, Serve, ServiceRow, Subject
from mobilesim_py.services.ros.sensing import MAP, heading_of, pose_message
from mobilesim_py.services.ros.steering import put_back

if TYPE_CHECKING:
    from mobilesim_py.catalogue.model import RobotModel

UNSUPPORTED, OK, NOT_FOUND, INCORRECT_STATE, FAILED = range(5)
PLAYING, PAUSED, QUITTING = 1, 2, 3
INVALID_POSE, NO_RESOURCE, ALREADY = 101, 104, 101
SCOPE_TIME, SCOPE_STATE, SCOPE_SPAWNED, SCOPE_ALL = 1, 2, 4, 255
FEATURES = (0, 1, 2, 5, 7, 8, 10, 11, 12, 14, 20, 22, 23, 24, 25, 26, 31, 32, 33, 40, 43, 44, 45, 50)
"""Numbers of simulation_interfaces/SimulatorFeatures that we have."""
ROBOT, OBJECT = 1, 4
MOST_THINGS = 1000
MOST_STEPS = 100_000
_REST: Message = {"x": 0.0, "y": 0.0, "z": 0.0}
_NO_TWIST: Message = {"linear": _REST, "angular": _REST}
_HULL = 2


def _result(code: int = OK, text: str = "") -> Message:
    return {"result": {"result": code, "error_message": text}}


Plain = Callable[[Moment, Message], Message]


def _at_once(plain: Plain) -> Serve:
    def serve(moment: Moment, subject: Subject, request: Message, answer: Answer) -> None:
        answer(plain(moment, request), "")

    return serve


def _features(moment: Moment, request: Message) -> Message:
    return {"features": {"features": list(FEATURES), "spawn_formats": [], "custom_info": "MobileSim for Python"}}


# Robots and boxes


def _thing(moment: Moment, name: str) -> Thing | None:
    return next((thing for thing in moment.simulation.things if thing.name == name), None)


def _category(thing: Thing) -> int:
    return ROBOT if isinstance(thing, Robot) else OBJECT


def _chosen(moment: Moment, filters: Message) -> list[Thing]:
    categories = {category["category"] for category in filters["categories"]}
    wanted: str = filters["filter"]
    return [
        thing
        for thing in moment.simulation.things
        if (not wanted or wanted in thing.name) and (not categories or _category(thing) in categories)
    ]


def _state(moment: Moment, thing: Thing) -> Message:
    forward, lateral, rotation = thing.velocity if isinstance(thing, Robot) else (0.0, 0.0, 0.0)
    cos, sin = math.cos(thing.pose.heading), math.sin(thing.pose.heading)
    linear = {"x": forward * cos - lateral * sin, "y": forward * sin + lateral * cos, "z": 0.0}
    return {
        "header": moment.header(MAP),
        "pose": pose_message(thing.pose),
        "twist": {"linear": linear, "angular": {"x": 0.0, "y": 0.0, "z": rotation}},
        "acceleration": _NO_TWIST,
    }


def _entities(moment: Moment, request: Message) -> Message:
    return _result() | {"entities": [thing.name for thing in _chosen(moment, request["filters"])]}


def _entities_states(moment: Moment, request: Message) -> Message:
    found = _chosen(moment, request["filters"])
    return _result() | {"entities": [thing.name for thing in found], "states": [_state(moment, thing) for thing in found]}


def _unknown(name: str) -> Message:
    return _result(NOT_FOUND, f"There is no robot or box {name[:100]!r}.")


_NO_STATE: Message = {
    "header": {"seq": 0, "stamp": (0, 0), "frame_id": ""},
    "pose": pose_message(Pose()),
    "twist": _NO_TWIST,
    "acceleration": _NO_TWIST,
}


def _entity_state(moment: Moment, request: Message) -> Message:
    thing = _thing(moment, request["entity"])
    if thing is None:
        return _unknown(request["entity"]) | {"state": _NO_STATE}
    return _result() | {"state": _state(moment, thing)}


def _entity_info(moment: Moment, request: Message) -> Message:
    thing = _thing(moment, request["entity"])
    if thing is None:
        return _unknown(request["entity"]) | {"info": {"category": {"category": 0}, "description": "", "tags": []}}
    about = thing.model.name if isinstance(thing, Robot) else "box"
    return _result() | {"info": {"category": {"category": _category(thing)}, "description": about, "tags": []}}


def _entity_bounds(moment: Moment, request: Message) -> Message:
    thing = _thing(moment, request["entity"])
    outlines = (
        thing.model.body.footprint
        if isinstance(thing, Robot)
        else (thing.box.outline,)
        if isinstance(thing, BoxBody)
        else ()
    )
    points = [{"x": x, "y": y, "z": 0.0} for outline in outlines for x, y in outline]
    found = _result() if thing is not None else _unknown(request["entity"])
    return found | {"bounds": {"type": _HULL if points else 0, "points": points}}


def _set_entity_state(moment: Moment, request: Message) -> Message:
    thing = _thing(moment, request["entity"])
    if thing is None:
        return _unknown(request["entity"])
    if not request["set_pose"] and not request["set_twist"]:
        return _result()
    if request["set_pose"]:
        pose = request["state"]["pose"]
        if not put(thing, pose):
            return _result(INVALID_POSE, "That is no place.")
    if request["set_twist"]:
        return _result(UNSUPPORTED, "Robots get their speed by cmd_vel.")
    return _result()


def _spawn(moment: Moment, request: Message) -> Message:
    model, name = request["entity_resource"]["uri"], request["name"]
    if request["entity_resource"]["resource_string"] or not model or "/" in model or "\\" in model or model.endswith(".p"):
        return _result(NO_RESOURCE, "entity_resource.uri is the name of a model; GetSpawnables lists them.") | _NO_NAME
    if len(moment.simulation.things) >= MOST_THINGS or len(name) > 64:
        return _result(FAILED, f"There are at most {MOST_THINGS} robots and boxes, with names of 64 letters.") | _NO_NAME
    if name and not request["allow_renaming"] and _thing(moment, name) is not None:
        return _result(101, f"There is a {name!r} already.") | _NO_NAME
    place = request["initial_pose"]["pose"]
    heading = heading_of(place["orientation"])
    position = (place["position"]["x"], place["position"]["y"])
    if not is_place(*position):
        return _result(109, "That is no place.") | _NO_NAME
    # A pose of zeros is what clients send who do not care.
    pose = None if heading is None and position == (0.0, 0.0) else Pose(*position, heading or 0.0)
    try:
        thing = moment.stage.add_running(model, name, pose)
    except MobileSimError as error:
        return _result(FAILED, str(error)) | _NO_NAME
    moment.spawned.add(thing.serial)
    return _result() | {"entity_name": thing.name}


_NO_NAME: Message = {"entity_name": ""}


def _spawn_all(moment: Moment, request: Message) -> Message:
    results = [_spawn(moment, one) for one in request["spawn_requests"]]
    failed = any(one["result"]["result"] != OK for one in results)
    return _result(150 if failed else OK, "Not all could be added." if failed else "") | {"results": results}


def _delete(moment: Moment, request: Message) -> Message:
    thing = _thing(moment, request["entity"])
    if thing is None:
        return _unknown(request["entity"])
    moment.stage.remove(thing)
    return _result()


def _spawnables(moment: Moment, request: Message) -> Message:
    models: list[RobotModel] = [moment.stage.catalogue.find(name) for name in moment.stage.catalogue.names()]
    rows = [
        {
            "entity_resource": {"uri": model.name, "resource_string": ""},
            "description": "a box" if model.is_box else "a robot",
            "spawn_bounds": {"type": 0, "points": []},
        }
        for model in models
    ]
    return _result() | {"spawnables": rows}


def _named_poses(moment: Moment, request: Message) -> Message:
    homes = moment.simulation.world.homes
    rows = [
        {"name": f"home_{number}", "description": "a home of the map", "tags": [], "pose": pose_message(home)}
        for number, home in enumerate(homes)
    ]
    return _result() | {"poses": [] if request["tags"]["tags"] else rows}


# Time and the world


def _simulation_state(moment: Moment, request: Message) -> Message:
    return _result() | {"state": {"state": PAUSED if moment.stage.clock.paused else PLAYING}}


def _set_simulation_state(moment: Moment, request: Message) -> Message:
    wanted, clock = request["state"]["state"], moment.stage.clock
    if wanted not in (PLAYING, PAUSED):
        # Nobody ends the simulator from the network.
        return _result(UNSUPPORTED, "The simulation can be played (1) and paused (2).")
    if clock.paused is (wanted == PAUSED):
        return _result(ALREADY, "It is in that state.")
    clock.pause(wanted == PAUSED)
    return _result()


def _step(moment: Moment, request: Message) -> Message:
    if not moment.stage.clock.paused:
        return _result(INCORRECT_STATE, "Steps are taken while the simulation is paused.")
    if not 1 <= request["steps"] <= MOST_STEPS:
        return _result(FAILED, f"Take 1 to {MOST_STEPS} steps.")
    moment.stage.clock.single_step(int(request["steps"]))
    return _result()


def _reset(moment: Moment, request: Message) -> Message:
    scope = request["scope"] or SCOPE_ALL
    if scope & SCOPE_TIME and scope != SCOPE_ALL:
        return _result(UNSUPPORTED, "Time only goes on: reset the state (2).")
    if scope & SCOPE_STATE:
        for one in moment.subjects:
            put_back(one)
    if scope & SCOPE_SPAWNED:
        spawned, moment.spawned = moment.spawned, set()
        for thing in list(moment.simulation.things):
            if thing.serial in spawned:
                moment.stage.remove(thing)
    return _result()


def _world(name: str) -> Message:
    return {"name": name, "world_resource": {"uri": name, "resource_string": ""}, "description": "", "tags": []}


def _worlds(moment: Moment, request: Message) -> Message:
    names = [] if request["filter"]["tags"] else moment.stage.worlds.names()
    return _result() | {"worlds": [_world(name) for name in names]}


def _current_world(moment: Moment, request: Message) -> Message:
    world = moment.simulation.world
    return _result(OK if world.has_map else 101) | {"world": _world(world.name)}


def _load(moment: Moment, subject: Subject, request: Message, answer: Answer) -> None:
    uri = request["world_resource"]["uri"]
    if request["world_resource"]["resource_string"] or not uri:
        answer(_result(102, "world_resource.uri is the name of a map file.") | {"world": _world("")}, "")
        return

    def then(error: MobileSimError | None) -> None:
        told = _result(FAILED, str(error)) if error is not None else _result()
        answer(told | {"world": _world(uri)}, "")

    moment.stage.worlds.load(uri, by_user=True, confined=True, then=then)


def _unload(moment: Moment, subject: Subject, request: Message, answer: Answer) -> None:
    def then(error: MobileSimError | None) -> None:
        answer(_result(FAILED, str(error)) if error is not None else _result(), "")

    moment.stage.worlds.leave(by_user=True, then=then)


def _unsupported(more: Mapping[str, Any]) -> Plain:
    return lambda moment, request: _result(UNSUPPORTED, "This simulator does not have that.") | dict(more)


def _row(name: str, kind: str, about: str, serve: Serve, needs: Permission | None = None) -> ServiceRow:
    return ServiceRow(f"/{name}", f"simulation_interfaces/{kind}", about, each=Each.WORLD, serve=serve, needs=needs)


SIMULATION_SERVICES: tuple[ServiceRow, ...] = (
    _row("get_simulator_features", "GetSimulatorFeatures", "What of all this there is.", _at_once(_features)),
    _row("get_entities", "GetEntities", "The names of robots and boxes.", _at_once(_entities)),
    _row("get_entities_states", "GetEntitiesStates", "Names, poses and speeds.", _at_once(_entities_states)),
    _row("get_entity_state", "GetEntityState", "True pose and speed of one.", _at_once(_entity_state)),
    _row("get_entity_info", "GetEntityInfo", "Category and model of one.", _at_once(_entity_info)),
    _row("get_entity_bounds", "GetEntityBounds", "The outline of one.", _at_once(_entity_bounds)),
    _row("set_entity_state", "SetEntityState", "Puts one elsewhere.", _at_once(_set_entity_state), Permission.POSE),
    _row("spawn_entity", "SpawnEntity", "Adds a robot or a box; `uri` is its model.", _at_once(_spawn), Permission.POSE),
    _row("spawn_entities", "SpawnEntities", "Adds several.", _at_once(_spawn_all), Permission.POSE),
    _row("delete_entity", "DeleteEntity", "Removes one.", _at_once(_delete), Permission.POSE),
    _row("get_spawnables", "GetSpawnables", "The models that can be added.", _at_once(_spawnables)),
    _row("get_named_poses", "GetNamedPoses", "The homes of the map.", _at_once(_named_poses)),
    _row("get_simulation_state", "GetSimulationState", "Playing (1) or paused (2).", _at_once(_simulation_state)),
    _row("set_simulation_state", "SetSimulationState", "Plays (1) or pauses (2).", _at_once(_set_simulation_state)),
    _row("step_simulation", "StepSimulation", "Takes steps while paused.", _at_once(_step)),
    _row(
        "reset_simulation", "ResetSimulation", "Puts all robots back (scope 2), removes what was spawned (4).",
        _at_once(_reset), Permission.POSE,
    ),
    _row("get_current_world", "GetCurrentWorld", "The map.", _at_once(_current_world)),
    _row("load_world", "LoadWorld", "Loads a map; `uri` is its name.", _load, Permission.MAPS),
    _row("unload_world", "UnloadWorld", "Goes on in an empty world.", _unload, Permission.MAPS),
    _row(
        "set_entity_info", "SetEntityInfo", "Is refused: nothing to set.", _at_once(_unsupported({})),
    ),
    _row(
        "get_named_pose_bounds", "GetNamedPoseBounds", "Is refused: homes have no bounds.",
        _at_once(_unsupported({"bounds": {"type": 0, "points": []}})),
    ),
    _row("get_available_worlds", "GetAvailableWorlds", "The maps that `load_world` finds by name.", _at_once(_worlds)),
)  # fmt: skip
