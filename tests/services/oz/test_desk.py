"""The panel of Oz robots: what it says, and what people can do there."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

from mobilesim_py.protocols.naio.hardware_packets import HaKeypad, HaLed, HaScreen, HaSpeaker
from mobilesim_py.protocols.naio.panel_packets import (
    ApiEnumResponse,
    ApiIhmAskEnum,
    ApiIhmAskValue,
    ApiPressedIhmButton,
    ApiValueResponse,
)
from mobilesim_py.services.panelled import OrderError, Panelled
from tests.services.oz.conftest import Farm

MakeFarm = Callable[..., Farm]


def robot(stand: Farm) -> dict[str, Any]:
    facts: dict[str, Any] = stand.service.facts()["robots"][0]
    return facts


def order(stand: Farm, name: str, **wish: object) -> None:
    stand.service.order(name, {"robot": stand.oz.robot.serial, **wish})


def test_the_service_has_a_panel_and_its_facts_are_json(farm: MakeFarm) -> None:
    stand = farm("-m", "level1.field", "-r", "oz")
    assert isinstance(stand.service, Panelled)
    facts = json.loads(json.dumps(stand.service.facts()))
    assert (facts["dialect"], facts["crops"], facts["trampled"]) == ("simulatoz", 123, 0)
    assert facts["robots"][0]["cameras"] is True


def test_it_shows_what_clients_tell_the_panel(farm: MakeFarm) -> None:
    stand = farm()
    client = stand.call()
    client.say(HaScreen("hello", "world"), HaLed(3), HaSpeaker(10, 20))
    shown = robot(stand)
    assert (shown["screen"], shown["led"], shown["beeps"]) == (["hello", "world"], 3, 1)
    assert shown["beep"] == {"duration": 10, "volume": 20}
    assert shown["clients"] == ["main"]


def test_keys_and_buttons_reach_the_client(farm: MakeFarm) -> None:
    stand = farm()
    client = stand.call()
    order(stand, "keypad", keys=5)
    order(stand, "button", button="plus")
    assert client.packets(HaKeypad) == [HaKeypad(5)]
    assert client.packets(ApiPressedIhmButton) == [ApiPressedIhmButton(2)]


def test_a_question_with_options_is_answered(farm: MakeFarm) -> None:
    stand = farm()
    client = stand.call()
    client.say(ApiIhmAskEnum.of(9, "Plot", "Which side?", ["left", "right"], 1))
    asked = robot(stand)["question"]
    assert (asked["text"], asked["options"], asked["default"]) == ("Which side?", ["left", "right"], 1)
    order(stand, "answer", key="plus", value=0)
    assert robot(stand)["question"] is not None, "it is not settled yet"
    order(stand, "answer", key="validate", value=0)
    assert client.packets(ApiEnumResponse) == [ApiEnumResponse(9, 5, 0), ApiEnumResponse(9, 0, 0)]
    assert robot(stand)["question"] is None


def test_a_question_for_a_number_is_answered(farm: MakeFarm) -> None:
    stand = farm()
    client = stand.call()
    client.say(ApiIhmAskValue(7, "top", "How many?", -5, 10, 1, 5, "rows"))
    asked = robot(stand)["question"]
    assert (asked["least"], asked["most"], asked["unit"]) == (-5, 10, "rows")
    order(stand, "answer", key="cancel", value=-3)
    assert client.packets(ApiValueResponse) == [ApiValueResponse(7, 1, -3)]


@pytest.mark.parametrize(
    ("name", "wish", "text"),
    [
        ("dance", {}, "There is no order dance"),
        ("keypad", {"keys": 256}, "0 to 255"),
        ("keypad", {"keys": "all"}, "whole number"),
        ("keypad", {"keys": 1, "robot": 99}, "There is no Oz 99; there are: 1"),
        ("button", {"button": "power"}, "one of cancel, validate"),
        ("answer", {"key": "validate", "value": 1}, "Nothing is asked"),
    ],
)
def test_orders_that_make_no_sense_are_refused(farm: MakeFarm, name: str, wish: dict[str, object], text: str) -> None:
    stand = farm()
    stand.call()
    with pytest.raises(OrderError, match=text):
        order(stand, name, **wish)


@pytest.mark.parametrize(
    ("question", "value"),
    [(ApiIhmAskEnum.of(1, "", "", ["a"]), 256), (ApiIhmAskValue(1, "", "", 0, 1, 1, 0, ""), 40_000)],
)
def test_answers_that_fit_in_no_packet_are_refused(
    farm: MakeFarm, question: ApiIhmAskEnum | ApiIhmAskValue, value: int
) -> None:
    stand = farm()
    client = stand.call()
    client.say(question)
    with pytest.raises(OrderError, match="value must be"):
        order(stand, "answer", key="validate", value=value)
    assert robot(stand)["question"] is not None


def test_without_a_client_there_is_nobody_to_tell(farm: MakeFarm) -> None:
    with pytest.raises(OrderError, match="no client"):
        order(farm(), "keypad", keys=1)
