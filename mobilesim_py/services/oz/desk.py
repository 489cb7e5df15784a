"""The panel of Oz robots on the page: what it shows, and the orders that it takes."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from mobilesim_py.protocols.naio.hardware_packets import HaKeypad
from mobilesim_py.protocols.naio.panel_packets import ApiEnumResponse, ApiIhmAskEnum, ApiPressedIhmButton, ApiValueResponse
from mobilesim_py.protocols.naio.values import IhmButton, ResponseKey
from mobilesim_py.services.oz.oz import Oz
from mobilesim_py.services.oz.pad import is_in_reach
from mobilesim_py.services.oz.pictures import camera_of
from mobilesim_py.services.panelled import Facts, OrderError, number_in

if TYPE_CHECKING:
    from mobilesim_py.services.oz.service import OzService

_BUTTONS = {button.name.lower(): button for button in IhmButton}
_KEYS = {key.name.lower(): key for key in ResponseKey}
_INT16 = 0x7FFF


class Desk:
    """What people at the page see of all Oz robots, and do to them."""

    def __init__(self, service: OzService) -> None:
        self._service = service
        self._orders: dict[str, Callable[[Mapping[str, Any]], None]] = {
            "pad": self._pad,
            "keypad": self._keypad,
            "button": self._button,
            "answer": self._answer,
            "place": self._place,
            "remove": self._remove,
            "reset": lambda wish: self._reset(),
        }

    def facts(self) -> Facts:
        """Return what is shown: the field, and every robot's panel."""
        simulation = self._service.simulation
        return {
            "dialect": self._service.dialect.value,
            "crops": simulation.world.plants.crops,
            "trampled": simulation.world.plants.trampled_crops,
            "blocks": self._service.blocks.count,
            "robots": [_robot(oz) for oz in self._service.robots.values()],
        }

    def order(self, name: str, wish: Mapping[str, Any]) -> None:
        """Carry out an order; OrderError says why that is impossible."""
        if name not in self._orders:
            raise OrderError(f"There is no order {name}; there are {', '.join(self._orders)}.")
        self._orders[name](wish)

    # Orders to one robot

    def _pad(self, wish: Mapping[str, Any]) -> None:
        oz = self._oz(wish)
        oz.pad.take(wish, self._service.real_time())
        self._service.follow_pad(oz)

    def _keypad(self, wish: Mapping[str, Any]) -> None:
        oz, keys = self._oz(wish), number_in(wish, "keys")
        if not 0 <= keys <= 255:
            raise OrderError("keys must be a whole number from 0 to 255.")
        self._send(oz, HaKeypad(keys))

    def _button(self, wish: Mapping[str, Any]) -> None:
        self._send(self._oz(wish), ApiPressedIhmButton(_chosen(wish, "button", _BUTTONS)))

    def _answer(self, wish: Mapping[str, Any]) -> None:
        oz = self._oz(wish)
        question = oz.panel.question
        if question is None:
            raise OrderError("Nothing is asked.")
        key, value = _chosen(wish, "key", _KEYS), number_in(wish, "value")
        if isinstance(question, ApiIhmAskEnum):
            if not 0 <= value <= 255:
                raise OrderError("value must be the number of an option.")
            self._send(oz, ApiEnumResponse(question.question_id, key, value))
        else:
            if not -_INT16 - 1 <= value <= _INT16:
                raise OrderError("value must be a whole number of 16 bits.")
            self._send(oz, ApiValueResponse(question.question_id, key, value))
        if key in (ResponseKey.VALIDATE, ResponseKey.CANCEL):
            oz.panel.question = None

    def _send(self, oz: Oz, packet: HaKeypad | ApiPressedIhmButton | ApiEnumResponse | ApiValueResponse) -> None:
        if not oz.drivers:
            raise OrderError(f"{oz.robot.name} has no client that could be told.")
        for session in oz.drivers:
            session.send(packet)

    def _oz(self, wish: Mapping[str, Any]) -> Oz:
        number = number_in(wish, "robot")
        for oz in self._service.robots.values():
            if oz.robot.serial == number:
                return oz
        there = ", ".join(str(oz.robot.serial) for oz in self._service.robots.values()) or "none"
        raise OrderError(f"There is no Oz {number}; there are: {there}.")

    # Orders about the field

    def _place(self, wish: Mapping[str, Any]) -> None:
        self._service.blocks.place(_metres(wish, "x"), _metres(wish, "y"), number_in(wish, "size"))

    def _remove(self, wish: Mapping[str, Any]) -> None:
        self._service.blocks.remove(_metres(wish, "x"), _metres(wish, "y"))

    def _reset(self) -> None:
        self._service.blocks.reset()


def _robot(oz: Oz) -> Facts:
    panel = oz.panel
    return {
        "robot": oz.robot.serial,
        "name": oz.robot.name,
        "clients": [session.role.name for session in oz.sessions],
        "screen": list(panel.screen),
        "display": list(panel.display),
        "led": panel.led,
        "beeps": panel.beeps,
        "beep": {"duration": panel.beep[0], "volume": panel.beep[1]},
        "question": _question(oz),
        "powers": list(oz.powers),
        "tool": oz.tool_percent,
        "battery": oz.battery_percent,
        "pad": oz.pad.on,
        "in_reach": is_in_reach(oz),
        "cameras": camera_of(oz.robot) is not None,
        "pictures": sorted(int(image_type) for image_type in oz.pictures.wanted),
    }


def _question(oz: Oz) -> Facts | None:
    question = oz.panel.question
    if question is None:
        return None
    facts: Facts = {"id": question.question_id, "top": question.top, "text": question.question, "unit": question.unit}
    facts["default"] = question.default
    if isinstance(question, ApiIhmAskEnum):
        return facts | {"options": list(question.options[: question.count])}
    return facts | {"least": question.least, "most": question.most, "step": question.step}


def _chosen(wish: Mapping[str, Any], name: str, choices: Mapping[str, int]) -> int:
    value = wish.get(name)
    if not isinstance(value, str) or value not in choices:
        raise OrderError(f"{name} must be one of {', '.join(choices)}.")
    return int(choices[value])


def _metres(wish: Mapping[str, Any], name: str) -> float:
    value = wish.get(name)
    if not isinstance(value, (int, float)) or isinstance(value, bool):
        raise OrderError(f"{name} must be a number.")
    return float(value)
