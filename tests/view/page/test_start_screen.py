"""The choice of map and robot when neither was given."""

from __future__ import annotations

import pytest

from tests.view.conftest import free_port, run, visiting


def test_the_start_screen_gives_one_robot_of_the_chosen_model(monkeypatch: pytest.MonkeyPatch) -> None:
    from tests.conftest import build

    program = build("-p", str(free_port()))
    assert program.options.nothing_chosen

    async def test() -> None:
        async with visiting(program) as (visitor, _):
            assert (await visitor.ask("GET", "/api/state"))[1]["start_screen"]
            for bad in ({"model": "box"}, {"model": "nothing"}, {"model": 3}, {"map": "nothing.map"}):
                assert (await visitor.ask("POST", "/api/start", bad))[0] in (400, 404)
            _, state = await visitor.ask("POST", "/api/start", {"map": "maze.map", "model": "p3at"})
            (robot,) = state["robots"]
            assert (robot["model"], robot["port"], state["map"]) == ("p3at", program.options.port, "maze.map")
            assert not state["start_screen"]

    run(test)


def test_the_start_screen_can_be_sent_away() -> None:
    from tests.conftest import build

    program = build()

    async def test() -> None:
        async with visiting(program) as (visitor, _):
            _, state = await visitor.ask("POST", "/api/start", {})
            assert not state["start_screen"]
            assert state["robots"][0]["model"] == "p3dx"

    run(test)
