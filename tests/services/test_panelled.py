"""A service with a panel: the API shows its facts and pictures and hands on orders; viewers hear of changes."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import pytest

from mobilesim_py.app.logs import Log
from mobilesim_py.app.options import Options
from mobilesim_py.app.program import Program
from mobilesim_py.services.panelled import Facts, OrderError, Picture, number_in
from mobilesim_py.services.service import Stage
from tests.services.toy import TOY, ToyService
from tests.view.conftest import run, step, visiting


class Lamp(ToyService):
    """A service with a lamp that people switch at the page."""

    panel = "lamp"

    def __init__(self, stage: Stage) -> None:
        super().__init__(stage)
        self.brightness = 0

    def facts(self) -> Facts:
        return {"brightness": self.brightness}

    def order(self, name: str, wish: Mapping[str, Any]) -> None:
        if name != "shine":
            raise OrderError(f"A lamp cannot {name}.")
        self.brightness = number_in(wish, "brightness")

    def picture(self, name: str) -> Picture | None:
        return Picture(b"a glow", "image/jpeg") if name == "glow" else None


@pytest.fixture
def lit() -> Program:
    row = replace(TOY, make=lambda stage, options: Lamp(stage), is_always_there=True)
    return Program(Options(nomap=True), Log(), services=(row,))


def test_facts_orders_and_pictures_go_through_the_api(lit: Program) -> None:
    async def test() -> None:
        async with visiting(lit) as (visitor, _):
            shown = {"service": "toy", "panel": "lamp", "facts": {"brightness": 0}}
            assert await visitor.ask("GET", "/api/services") == (200, {"services": [shown]})
            status, after = await visitor.ask("POST", "/api/services/toy/shine", {"brightness": 7})
            assert (status, after["facts"]) == (200, {"brightness": 7})
            assert (await visitor.ask("GET", "/api/services/toy"))[1] == after
            assert await visitor.ask("GET", "/api/services/toy/pictures/glow") == (200, b"a glow")

    run(test)


@pytest.mark.parametrize(
    ("method", "path", "body", "status", "said"),
    [
        ("POST", "/api/services/toy/sing", {}, 409, "A lamp cannot sing."),
        ("POST", "/api/services/toy/shine", {"brightness": "x"}, 409, "brightness must be a whole number."),
        ("GET", "/api/services/other", None, 404, "There is no service 'other' with a panel."),
        ("GET", "/api/services/toy/pictures/dark", None, 404, "There is no picture 'dark'."),
    ],
)
def test_what_is_impossible_is_told(lit: Program, method: str, path: str, body: Any, status: int, said: str) -> None:
    async def test() -> None:
        async with visiting(lit) as (visitor, _):
            assert await visitor.ask(method, path, body) == (status, {"error": said})

    run(test)


def test_a_viewer_hears_of_a_panel_first_and_when_it_changes(lit: Program) -> None:
    async def test() -> None:
        async with visiting(lit) as (visitor, _), visitor.session.ws_connect(visitor.base + "/api/stream") as socket:

            async def brightness() -> int:
                while True:
                    message = await socket.receive(timeout=10.0)
                    content = json.loads(message.data) if isinstance(message.data, str) else {}
                    if content.get("type") == "service":
                        return int(content["facts"]["brightness"])

            assert await brightness() == 0
            (lamp,) = lit.services
            assert isinstance(lamp, Lamp)
            lamp.brightness = 3
            changed = asyncio.create_task(brightness())
            while not changed.done():
                step(lit)
                await asyncio.sleep(0.01)
            assert changed.result() == 3

    run(test)
