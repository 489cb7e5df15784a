"""The devices of a Pioneer as people see and set them: facts for the page and the API, and their wishes, checked."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import Any

from mobilesim_py.services.equipped import Facts
from mobilesim_py.services.panelled import OrderError
from mobilesim_py.services.pioneer.compass import BAD_SCORE
from mobilesim_py.services.pioneer.condition import ALL_LINES, Fault, Told
from mobilesim_py.services.pioneer.encoders import ticks_of
from mobilesim_py.services.pioneer.equipment import ANALOG_PORTS, FULL_SCALE, Equipment, Stick
from mobilesim_py.services.pioneer.lines import infrared
from mobilesim_py.services.pioneer.refreshing import show

_CHARGING = ("not charging", "bulk", "overcharge", "float")


def facts_of(equipment: Equipment) -> Facts:
    """Return what the devices say now."""
    condition, robot = equipment.condition, equipment.robot
    now, model = equipment.simulation.time, robot.model
    front, rear = equipment.bumpers
    stick = equipment.stick if equipment.real_time() < equipment.stick_until else Stick()
    facts: Facts = {
        "digital_in": equipment.digital_in,
        "digital_in_told": condition.word(Told.DIGITAL_IN),
        "digital_out": condition.digital_out,
        "analog": list(equipment.volts),
        "analog_port": condition.word(Told.ANALOG_PORT) if equipment.chose_analog else 0,
        "encoders": list(ticks_of(robot)) if model.pioneer.has_encoders else None,
        "bumpers": None,
        "bump_stall": equipment.bump_stall,
        "infrared": None,
        "gripper": _gripper(equipment),
        "compass": None,
        "gyro": model.pioneer.gyro_type or None,
        "gyro_failed": equipment.gyro_failed,
        "charging": None,
        "joystick": {"x": stick.x, "y": stick.y, "throttle": stick.throttle, "buttons": list(stick.buttons)},
        "joystick_drives": equipment.stick_drives,
        "servos": list(equipment.servos),
        "aux": [_port(equipment, number, now) for number in equipment.ports.ports],
        "sounds": {"count": equipment.sounds, "muted": equipment.muted, "tones": [list(tone) for tone in equipment.tones]},
    }
    if model.pioneer.front_bumpers + model.pioneer.rear_bumpers:
        facts["bumpers"] = {
            "front": [bool(front >> k & 1) for k in range(model.pioneer.front_bumpers)],
            "rear": [bool(rear >> k & 1) for k in range(model.pioneer.rear_bumpers)],
        }
    if model.pioneer.infrared:
        bits = infrared(equipment.simulation, robot)
        facts["infrared"] = [not bits >> k & 1 for k in range(len(model.pioneer.infrared))]
    if equipment.has_compass:
        north = equipment.north
        facts["compass"] = {
            "north": round(math.degrees(north), 1),
            "calibrated": equipment.compass_score > BAD_SCORE,
            "mode": equipment.compass_mode,
        }
    battery = robot.battery
    if battery is not None:
        facts["charging"] = {"state": _CHARGING[battery.charging], "contacts_out": robot.wants_charge}
    return facts


def _gripper(equipment: Equipment) -> Facts | None:
    unit = equipment.gripper
    if unit is None:
        return None
    outer, inner = unit.beams
    return {
        "paddles": round(unit.gap / unit.model.opening, 3),
        "lift": round(unit.height / unit.model.lift, 3),
        "moving": bool(unit.paddles or unit.lifting),
        "closed": unit.is_closed,
        "holding": unit.held.box.serial if unit.held is not None else None,
        "beams": {"outer": outer, "inner": inner},
    }


def _port(equipment: Equipment, number: int, now: float) -> Facts:
    port = equipment.ports.ports[number]
    mount = port.peripheral.mount
    facts: Facts = {"port": number, "device": port.kind, "camera": None}
    if mount is not None:
        facts["camera"] = {
            "pan": round(mount.pan.at(now), 2),
            "tilt": round(mount.tilt.at(now), 2),
            "zoom": round(mount.zoom.at(now)),
            "zoom_most": mount.limits.zoom,
            "on": mount.on,
        }
    return facts


# Wishes


def set_devices(equipment: Equipment, wish: Mapping[str, Any]) -> None:
    """Set inputs: all of them, or none if anything is wrong."""
    unknown = [name for name in wish if name not in _SETTERS]
    if unknown:
        raise OrderError(f"There is no input {unknown[0]!r}: there are {', '.join(_SETTERS)}.")
    acts = [_SETTERS[name](equipment, value) for name, value in wish.items()]
    for act in acts:
        act()
    show(equipment)


Act = Callable[[], None]


def _digital(equipment: Equipment, value: Any) -> Act:
    if not isinstance(value, int) or isinstance(value, bool) or not 0 <= value <= ALL_LINES:
        raise OrderError("digital_in must be a whole number from 0 to 255: bit 0 is input 0.")

    def act() -> None:
        equipment.digital_in = value

    return act


def _analog(equipment: Equipment, value: Any) -> Act:
    if not isinstance(value, Mapping):
        raise OrderError('analog must be an object such as {"0": 2.5}, in volts.')
    volts = list(equipment.volts)
    for name, level in value.items():
        if not (str(name).isdigit() and int(name) < ANALOG_PORTS):
            raise OrderError(f"analog: there are inputs 0 to {ANALOG_PORTS - 1}, not {name!r}.")
        volts[int(name)] = _number("analog", level, 0.0, FULL_SCALE)

    def act() -> None:
        equipment.volts[:] = volts

    return act


def _gyro_failed(equipment: Equipment, value: Any) -> Act:
    if not isinstance(value, bool):
        raise OrderError("gyro_failed must be true or false.")
    return lambda: equipment.condition.mark(Fault.GYRO, value)


def _grip(equipment: Equipment, value: Any) -> Act:
    unit = equipment.gripper
    if unit is None:
        raise OrderError(f"{equipment.robot.name} has no gripper.")
    orders: dict[str, Act] = {
        "open": unit.open,
        "close": unit.close,
        "up": lambda: unit.lift(1),
        "down": lambda: unit.lift(-1),
        "halt": unit.halt,
        "release": unit.release,
    }
    if value not in orders:
        raise OrderError(f"gripper must be one of {', '.join(orders)}.")
    return orders[value]


def _contacts(equipment: Equipment, value: Any) -> Act:
    if not isinstance(value, bool):
        raise OrderError("charge_contacts must be true or false.")

    def act() -> None:
        equipment.robot.wants_charge = value

    return act


_SETTERS: dict[str, Callable[[Equipment, Any], Act]] = {
    "digital_in": _digital,
    "analog": _analog,
    "gyro_failed": _gyro_failed,
    "gripper": _grip,
    "charge_contacts": _contacts,
}


def stick_of(wish: Mapping[str, Any]) -> Stick:
    """Read how somebody moves a joystick; OrderError if that makes no sense."""
    buttons = wish.get("buttons", [])
    if not isinstance(buttons, list) or len(buttons) > 2 or not all(isinstance(button, bool) for button in buttons):
        raise OrderError("buttons must be at most two truth values.")
    pressed = [*buttons, False, False]
    x, y = (_number(name, wish.get(name, 0.0), -1.0, 1.0) for name in ("x", "y"))
    return Stick(x, y, _number("throttle", wish.get("throttle", 1.0), 0.0, 1.0), (pressed[0], pressed[1]))


def _number(name: str, value: Any, low: float, high: float) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float) or not low <= value <= high:
        raise OrderError(f"{name} must be a number from {low:g} to {high:g}.")
    return float(value)
