"""The program's state as JSON: what the API answers and what the stream says in words. Metres, radians and seconds."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from mobilesim_py import __version__
from mobilesim_py.catalogue.accessories import GripperModel
from mobilesim_py.catalogue.model import RobotModel
from mobilesim_py.core.devices.sonar import SONAR
from mobilesim_py.core.robot import BoxBody, Robot, Thing
from mobilesim_py.errors import MobileSimError
from mobilesim_py.geometry import Pose
from mobilesim_py.log import LogLine
from mobilesim_py.services.equipped import device_facts
from mobilesim_py.services.panelled import Panelled
from mobilesim_py.services.service import ClientFacts, Stage, clients_of, door_of, driver_of
from mobilesim_py.view.colours import colour_of
from mobilesim_py.view.pictures.scene import parse_colour
from mobilesim_py.world.world import World

if TYPE_CHECKING:
    from mobilesim_py.view.meter import Meter

Json = dict[str, Any]
_BOX_COLOUR = (150, 160, 140)


def pose(place: Pose) -> Json:
    """A pose."""
    return {"x": _round(place.x), "y": _round(place.y), "heading": _round(place.heading)}


def robot_facts(stage: Stage, robot: Robot, client: ClientFacts | None) -> Json:
    """What seldom changes: the robot's line in the roster."""
    door = door_of(stage, robot)
    return {
        "id": robot.serial,
        "name": robot.name,
        "model": robot.model.name,
        "colour": colour_of(robot),
        "port": door.port if door is not None else None,
        "device": door.address if door is not None and door.port is None else None,
        "client": client.peer if client is not None else None,
        "service": client.service if client is not None else None,
    }


def client_state(client: ClientFacts, meter: Meter) -> Json:
    """A client of any service."""
    sent, received = meter.packets_per_second(client)
    return {
        "service": client.service,
        "peer": client.peer,
        "robot": client.robot.name if client.robot is not None else None,
        "door": client.door.address if client.door is not None else None,
        "active": client.is_active,
        "packets_sent": client.packets_sent,
        "packets_received": client.packets_received,
        "packets_left_out": client.packets_left_out,
        "packets_sent_per_second": _round(sent),
        "packets_received_per_second": _round(received),
        "backlog": client.backlog,
    }


def client_states(stage: Stage, meter: Meter) -> list[Json]:
    """All clients of all services."""
    return [client_state(client, meter) for client in clients_of(stage)]


def robot_states(stage: Stage, meter: Meter) -> list[Json]:
    """Everything about all robots but their readings."""
    drivers = {client.robot: client for client in clients_of(stage)}
    return [_robot_state(stage, robot, meter, drivers.get(robot)) for robot in stage.simulation.robots]


def robot_state(stage: Stage, robot: Robot, meter: Meter) -> Json:
    """Everything about a robot but its readings."""
    return _robot_state(stage, robot, meter, driver_of(stage, robot))


def _robot_state(stage: Stage, robot: Robot, meter: Meter, client: ClientFacts | None) -> Json:
    forward, lateral, rotation = robot.velocity
    sent, received = meter.packets_per_second(client)
    echoes = robot.sonar.tolist() if stage.simulation.known_readings(SONAR) is not None else []
    battery = robot.battery
    volts, charge = (battery.volts, battery.charge) if battery is not None else (None, None)
    return robot_facts(stage, robot, client) | {
        "pose": pose(robot.pose),
        "odometry": pose(robot.odometry),
        "start": pose(robot.start),
        "velocity": {"forward": _round(forward), "lateral": _round(lateral), "rotation": _round(rotation)},
        "stalled": robot.stalled,
        "motors": robot.motors,
        "ghost": robot.ghost,
        "battery": None if volts is None else _round(volts),
        "charge": None if charge is None else _round(100.0 * charge),
        "temperature": client.temperature if client is not None else None,
        "sonar_on": robot.sonar_on,
        "nearest_echo": _round(min(echoes)) if echoes else None,
        "lasers_on": [laser.on for laser in robot.lasers],
        "devices": device_facts(stage, robot),
        "packets_sent_per_second": _round(sent),
        "packets_received_per_second": _round(received),
        "packets_left_out": client.packets_left_out if client is not None else 0,
    }


def robot_readings(stage: Stage, robot: Robot) -> Json:
    """What a robot senses now; of sensors that are off, nothing."""
    lasers = [
        {
            "name": laser.model.name,
            "on": laser.on,
            "start": _round(laser.start),
            "increment": _round(laser.increment),
            "range_max": laser.model.range_max,
            "ranges": [_round(value) for value in laser.ranges.tolist()],
        }
        for laser in robot.lasers
    ]
    echoes = [_round(echo) for echo in robot.sonar.tolist()]
    sonar = {"on": robot.sonar_on, "range_max": robot.model.sonar.range_max, "ranges": echoes}
    return {"time": _round(stage.simulation.time), "sonar": sonar, "lasers": lasers}


def box_state(box: BoxBody) -> Json:
    """A movable box."""
    red, green, blue = parse_colour(box.box.colour, _BOX_COLOUR)
    return {
        "id": box.serial,
        "name": box.name,
        "kind": box.box.kind,
        "colour": f"#{red:02x}{green:02x}{blue:02x}",
        "outline": [[_round(x), _round(y)] for x, y in box.box.outline],
        "stops": int(box.box.stops),
        "reflectance": box.box.reflectance,
        "pose": pose(box.pose),
    }


def thing_state(stage: Stage, thing: Thing, meter: Meter) -> Json:
    """A robot or a box."""
    return robot_state(stage, thing, meter) if isinstance(thing, Robot) else box_state(_as_box(thing))


def model_facts(model: RobotModel) -> Json:
    """What is needed to draw a model, and what it can do."""
    return {
        "name": model.name,
        "is_box": model.is_box,
        "size": list(model.body.size),
        "body": [[[_round(x), _round(y)] for x, y in polygon] for polygon in model.body.outline],
        "sonar": [[_round(p.x), _round(p.y), _round(p.heading)] for p in model.sonar.transducers],
        "sonar_range_max": model.sonar.range_max,
        "sonar_cone": _round(model.sonar.cone),
        "lasers": [
            {
                "name": laser.name,
                "pose": pose(laser.pose),
                "size": list(laser.size),
                "range_max": laser.range_max,
                "field_of_view": _round(laser.field_of_view),
                "readings": laser.samples,
            }
            for laser in model.lasers
        ],
        "gripper": _gripper(model),
        "omnidirectional": model.drive.omnidirectional,
        "max_speed": {"forward": model.drive.max_speed.forward, "rotation": _round(model.drive.max_speed.rotation)},
        "battery_type": _battery_type(model),
    }


def _gripper(model: RobotModel) -> Json | None:
    found = next((device for device in model.devices if isinstance(device, GripperModel)), None)
    return {"base": found.base, "opening": found.opening, "depth": found.depth} if found is not None else None


def _battery_type(model: RobotModel) -> str | None:
    if model.battery is None:
        return None
    return "voltage" if model.battery.charge is None else "charge"


def map_facts(world: World, number: int) -> Json:
    """The map but for its walls."""
    bounds, box_kinds = world.bounds, {box.kind for box in world.boxes}
    return {
        "number": number,
        "name": world.name,
        "has_map": world.has_map,
        "bounds": [_round(value) for value in (bounds.min_x, bounds.min_y, bounds.max_x, bounds.max_y)],
        "segments": len(world.segments),
        "georeferenced": world.georeference is not None,
        "plants": len(world.plants),
        "soil": world.soil,
        "mounds": {
            "crests": [[_round(value) for value in crest] for crest in world.mounds.crests.tolist()],
            "half_width": _round(world.mounds.half_width),
            "height": _round(world.mounds.height),
        },
        "objects": [
            {
                "kind": thing.kind,
                "name": thing.name,
                "description": thing.description,
                "shape": thing.shape.value,
                "colour": thing.colour,
                "pose": pose(thing.pose),
                "corners": [[_round(x), _round(y)] for x, y in thing.corners],
                "has_heading": thing.has_heading,
            }
            for thing in world.objects
            if thing.kind not in box_kinds
        ],
    }


def program_status(stage: Stage, viewers: int) -> Json:
    """The status bar."""
    clock, simulation = stage.clock, stage.simulation
    return {
        "version": __version__,
        "time": _round(simulation.time),
        "paused": clock.paused,
        "speed": clock.speed if math.isfinite(clock.speed) else "max",
        "ratio": _round(clock.ratio),
        "step": simulation.dt,
        "lockstep": clock.lockstep,
        "robots": len(simulation.robots),
        "boxes": len(simulation.boxes),
        "clients": len(clients_of(stage)),
        "services": [service.name for service in stage.services],
        "viewers": viewers,
        "engine": simulation.engine.name,
        "map": simulation.world.name,
        "loading_map": stage.worlds.is_loading,
        "factories": {name: door.port for service in stage.services for name, door in service.factories()},
    }


def service_state(service: Panelled) -> Json:
    """What the panel of a service shows."""
    return {"service": service.name, "panel": service.panel, "facts": service.facts()}


def log_line(line: LogLine) -> Json:
    """A line of the log."""
    return {"time": line.time, "level": line.level.name.lower(), "robot": line.robot, "text": line.text}


def models(stage: Stage) -> list[Json]:
    """All models that can be had by name; those that cannot be built are left out."""
    found = []
    for name in stage.catalogue.names():
        try:
            model = stage.catalogue.find(name)
        except MobileSimError:
            continue
        found.append({"name": name, "is_box": model.is_box, "lasers": len(model.lasers), "size": list(model.body.size)})
    return found


def _as_box(thing: Thing) -> BoxBody:
    assert isinstance(thing, BoxBody)
    return thing


def _round(value: float) -> float:
    """Tenths of millimetres are enough for anybody; JSON knows neither infinity nor NaN."""
    return round(value, 4) if math.isfinite(value) else 0.0
