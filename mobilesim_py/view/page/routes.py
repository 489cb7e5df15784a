"""The API as one table: what the server routes, what the OpenAPI document says and what the page of it shows."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from mobilesim_py import __version__

Schema = dict[str, Any]

_NUMBER: Schema = {"type": "number"}
_TEXT: Schema = {"type": "string"}
_TRUTH: Schema = {"type": "boolean"}
_WHOLE: Schema = {"type": "integer"}


def _object(required: tuple[str, ...] = (), **properties: Schema) -> Schema:
    schema: Schema = {"type": "object", "properties": properties, "additionalProperties": False}
    return schema | ({"required": list(required)} if required else {})


_POSE = _object(
    x=_NUMBER | {"description": "m"},
    y=_NUMBER | {"description": "m"},
    heading=_NUMBER | {"description": "rad"},
    force=_TRUTH | {"description": "Also into a wall, which is refused otherwise."},
)
_SHARE: Schema = {"type": "number", "minimum": -1, "maximum": 1}


@dataclass(frozen=True)
class Query:
    """A query parameter of the URL."""

    name: str
    about: str
    schema: Schema


@dataclass(frozen=True)
class Route:
    """One route of the API. `handler` names the method of `Api`."""

    method: str
    path: str
    handler: str
    about: str
    answer: str = "application/json"
    body: Schema | None = None
    upload: str = ""
    """Content type of a body that is a file."""
    queries: tuple[Query, ...] = ()
    status: int = 200


_SIZE = Query("size", "Longer side in pixels, 64 to 4096 (default 1200).", _WHOLE)
_SHOW = Query("show", "Which of laser, sonar, labels to draw, with commas (default laser,labels).", _TEXT)
_ADD = _object(
    model=_TEXT | {"description": "A name of /api/models."},
    name=_TEXT,
    pose=_POSE | {"description": "Where; if left out, where there is room."},
    port=_WHOLE | {"description": "TCP port; 0 or nothing: the next free one."},
    force=_TRUTH | {"description": "Also into a wall or onto a robot or box, which is refused otherwise."},
)
_DEVICES = _object(
    digital_in=_WHOLE | {"description": "Bit 0 is input 0.", "minimum": 0, "maximum": 255},
    analog={"type": "object", "additionalProperties": _NUMBER, "description": 'V, such as {"0": 2.5}'},
    gyro_failed=_TRUTH,
    gripper={"enum": ["open", "close", "up", "down", "halt", "release"]},
    charge_contacts=_TRUTH | {"description": "Whether the contacts are out, with which it charges at a dock."},
)
_ADJUST = _object(pose=_POSE, battery=_NUMBER, charge=_NUMBER, ghost=_TRUTH, motors=_TRUTH, **_DEVICES["properties"])
_JOYSTICK = _object(
    x=_SHARE | {"description": "To the right."},
    y=_SHARE | {"description": "Ahead."},
    throttle={"type": "number", "minimum": 0, "maximum": 1},
    buttons={"type": "array", "items": _TRUTH, "maxItems": 2},
)
_DRIVE = _object(forward=_SHARE, lateral=_SHARE, rotation=_SHARE)
_GOAL = _object(
    ("x", "y"),
    x=_NUMBER | {"description": "m"},
    y=_NUMBER | {"description": "m"},
    heading=_NUMBER | {"description": "rad; any heading will do if left out"},
    slack=_NUMBER | {"description": "How far from there it may stop when there is no room [m]; --goal-slack if left out."},
)
_MAP_NAME = _object(("name",), name=_TEXT)
_FILE_NAME = Query("name", "File name.", _TEXT)
_COUNT = Query("count", "How many (default 200).", _WHOLE)
_SPEED = _object(("speed",), speed={"oneOf": [_NUMBER, {"const": "max"}]})
_START = _object(map=_TEXT, model=_TEXT)
_MOVIE = _object(format={"enum": ["gif", "zip", "webm"]}, interval=_NUMBER | {"description": "s"}, size=_WHOLE)

ROUTES: tuple[Route, ...] = (
    Route("GET", "/api/health", "health", "Whether it runs, and on which ports robots answer."),
    Route("GET", "/api/state", "state", "Time, speed, all robots and boxes."),
    Route("GET", "/api/clients", "clients", "All clients of all services."),
    Route("GET", "/api/services", "services", "The services that have a panel on the page, and what it shows."),
    Route("GET", "/api/services/{service}", "service", "What the panel of one service shows."),
    Route("POST", "/api/services/{service}/{order}", "order", "Give an order to a service.", body={"type": "object"}),
    Route("GET", "/api/services/{service}/pictures/{picture}", "picture", "A picture of a service.", "image/png"),
    Route("GET", "/api/robots", "robots", "All robots."),
    Route("POST", "/api/robots", "add_robot", "Add a robot with a TCP port of its own.", body=_ADD, status=201),
    Route("GET", "/api/robots/{key}", "robot", "One robot, by id or name."),
    Route(
        "PATCH",
        "/api/robots/{key}",
        "adjust_robot",
        "Set pose, battery [V], charge [%], ghost mode, motors, or inputs of devices.",
        body=_ADJUST,
    ),
    Route("DELETE", "/api/robots/{key}", "remove_robot", "Remove a robot from the world and disconnect its client."),
    Route(
        "PUT",
        "/api/robots/{key}/pose",
        "place_robot",
        "Move a robot: the true pose changes, the odometry does not.",
        body=_POSE,
    ),
    Route("POST", "/api/robots/{key}/reset", "reset_robot", "Put a robot back to its start, at rest, with odometry zero."),
    Route(
        "POST",
        "/api/robots/{key}/drive",
        "drive_robot",
        "Drive a robot without a client, in fractions of its maximum speeds; repeat within 0.6 s.",
        body=_DRIVE,
    ),
    Route("GET", "/api/robots/{key}/goal", "goal", "Where a robot is going, on which path, and how its last goal ended."),
    Route(
        "PUT", "/api/robots/{key}/goal", "send_robot", "Send a robot without a client to a place (--navigate).", body=_GOAL
    ),
    Route("DELETE", "/api/robots/{key}/goal", "stop_robot", "Let a robot give its goal up and come to rest."),
    Route("GET", "/api/robots/{key}/devices", "devices", "Inputs, outputs, bumpers, gripper, compass, cameras and so on."),
    Route("PATCH", "/api/robots/{key}/devices", "adjust_devices", "Set inputs of devices.", body=_DEVICES),
    Route(
        "POST",
        "/api/robots/{key}/joystick",
        "joystick",
        "Move the joystick at the robot's port, whether or not a client holds the robot; repeat within 0.6 s.",
        body=_JOYSTICK,
    ),
    Route("GET", "/api/robots/{key}/readings", "readings", "Sonar and laser ranges of the sensors that are on [m]."),
    Route("GET", "/api/boxes", "boxes", "All boxes."),
    Route("POST", "/api/boxes", "add_box", "Add a box.", body=_ADD, status=201),
    Route("GET", "/api/boxes/{key}", "box", "One box, by id or name."),
    Route("DELETE", "/api/boxes/{key}", "remove_box", "Remove a box from the world."),
    Route("PUT", "/api/boxes/{key}/pose", "place_box", "Move a box.", body=_POSE),
    Route("GET", "/api/models", "models", "All models that can be added."),
    Route("GET", "/api/models/{name}", "model", "One model: outline, sensors, speeds."),
    Route("GET", "/api/maps", "maps", "All maps that can be loaded by name."),
    Route("GET", "/api/map", "map", "The map: bounds and objects (its walls are in /api/map/walls)."),
    Route("GET", "/api/map/walls", "walls", "The walls in binary form, see docs/api.md.", "application/octet-stream"),
    Route("PUT", "/api/map", "choose_map", "Load a map by name; an empty name means the empty world.", body=_MAP_NAME),
    Route(
        "POST",
        "/api/map",
        "upload_map",
        "Upload a map file (at most 64 MB) and load it.",
        upload="text/plain",
        queries=(_FILE_NAME,),
    ),
    Route(
        "POST",
        "/api/start",
        "start",
        "The start screen: load a map with one robot of a model; {} changes nothing.",
        body=_START,
    ),
    Route("POST", "/api/pause", "pause", "Pause or resume.", body=_object(paused=_TRUTH)),
    Route("POST", "/api/step", "step", "Take single steps while paused.", body=_object(count=_WHOLE)),
    Route("POST", "/api/speed", "speed", 'Simulated seconds per real second, or "max".', body=_SPEED),
    Route("GET", "/api/log", "log", "The last lines of the log.", queries=(_COUNT,)),
    Route("GET", "/api/snapshot.png", "snapshot_png", "A picture of the world.", "image/png", queries=(_SIZE, _SHOW)),
    Route("GET", "/api/snapshot.svg", "snapshot_svg", "A drawing of the world.", "image/svg+xml", queries=(_SIZE, _SHOW)),
    Route("GET", "/api/movie", "movie_state", "The state of the recording."),
    Route("POST", "/api/movie", "movie_start", "Record a movie (at most 3000 pictures).", body=_MOVIE),
    Route("POST", "/api/movie/stop", "movie_stop", "Stop recording."),
    Route("GET", "/api/movie/file", "movie_file", "The recorded movie.", "application/octet-stream"),
    Route("GET", "/api/stream", "stream", "WebSocket: frames, news and requests, see docs/api.md.", ""),
    Route("GET", "/api/openapi.json", "openapi", "This description."),
    Route("GET", "/api/metrics", "metrics", "Metrics for Prometheus.", "text/plain"),
    Route("GET", "/metrics", "metrics", "The same.", "text/plain"),
)


def openapi_document() -> dict[str, Any]:
    """Return the table as an OpenAPI 3.1 document."""
    paths: dict[str, dict[str, Any]] = {}
    for route in ROUTES:
        paths.setdefault(route.path, {})[route.method.lower()] = _operation(route)
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "MobileSim viewer API",
            "version": __version__,
            "description": "Lengths are metres, angles radians, times seconds. Mistakes are answered with "
            '{"error": "a sentence"}.',
        },
        "paths": paths,
        "components": {"securitySchemes": {"token": {"type": "http", "scheme": "bearer"}}},
        "security": [{}, {"token": []}],
    }


def _operation(route: Route) -> dict[str, Any]:
    parameters = [
        {"name": part[1:-1], "in": "path", "required": True, "schema": _TEXT}
        for part in route.path.split("/")
        if part.startswith("{")
    ]
    parameters += [
        {"name": query.name, "in": "query", "description": query.about, "schema": query.schema} for query in route.queries
    ]
    status = "101" if route.handler == "stream" else str(route.status)
    good: dict[str, Any] = {"description": "Done."}
    if route.answer:
        good["content"] = {route.answer: {}}
    operation: dict[str, Any] = {
        "summary": route.about,
        "operationId": route.handler if route.path != "/metrics" else "metrics_alias",
        "responses": {status: good, "default": {"description": "A mistake.", "content": {"application/json": {}}}},
    }
    if parameters:
        operation["parameters"] = parameters
    if route.body is not None:
        operation["requestBody"] = {"content": {"application/json": {"schema": route.body}}}
    if route.upload:
        operation["requestBody"] = {"content": {route.upload: {"schema": _TEXT}}}
    return operation
