"""Everything that can be asked over HTTP, in the table's order."""

from __future__ import annotations

import asyncio
import io

import pytest

from mobilesim_py.app.program import Program
from mobilesim_py.view.page.guard import HEADERS
from mobilesim_py.view.page.routes import ROUTES
from tests.view.conftest import free_port, run, step, visiting


def test_every_get_answers_and_carries_the_headers(program: Program) -> None:
    async def test() -> None:
        async with visiting(program) as (visitor, _):
            for route in ROUTES:
                if route.method != "GET" or route.handler in ("stream", "movie_file"):
                    continue
                keys = {"{key}": "alpha" if "robots" in route.path else "nothing", "{name}": "p3dx"}
                path = route.path
                for name, value in keys.items():
                    path = path.replace(name, value)
                async with visitor.session.get(visitor.base + path) as answer:
                    assert answer.status == (404 if "boxes/" in path or "services/" in path else 200), path
                    assert route.answer.startswith(answer.content_type) or answer.status == 404
                    assert {name: answer.headers[name] for name in HEADERS} == HEADERS
                    await answer.read()

    run(test)


def test_the_state_tells_of_time_and_robots(program: Program) -> None:
    async def test() -> None:
        async with visiting(program) as (visitor, _):
            step(program, 5)
            _, state = await visitor.ask("GET", "/api/state")
            assert state["time"] == pytest.approx(0.5)
            assert [robot["name"] for robot in state["robots"]] == ["alpha", "beta"]
            assert state["robots"][0]["battery"] == 13.0
            assert (state["map"], state["start_screen"]) == ("office.map", False)
            _, health = await visitor.ask("GET", "/api/health")
            assert health["status"] == "ok"

    run(test)


def test_a_robot_is_placed_adjusted_and_reset(program: Program) -> None:
    async def test() -> None:
        async with visiting(program) as (visitor, _):
            status, robot = await visitor.ask("PUT", "/api/robots/alpha/pose", {"x": 4.0, "y": 6.0})
            assert (status, robot["pose"]["x"], robot["odometry"]["x"]) == (200, 4.0, 0.0)
            _, robot = await visitor.ask("PATCH", "/api/robots/alpha", {"battery": 12.0, "ghost": True})
            assert (robot["battery"], robot["ghost"]) == (12.0, True)
            _, robot = await visitor.ask("POST", "/api/robots/alpha/reset")
            assert robot["pose"] == robot["start"]
            status, answer = await visitor.ask("PATCH", "/api/robots/alpha", {"charge": 3})
            assert status == 409
            assert "voltage" in answer["error"]

    run(test)


@pytest.mark.parametrize(
    ("method", "path", "wish", "forced"),
    [
        ("PUT", "/api/robots/alpha/pose", {"x": 0.0, "y": 6.0}, {"x": 0.0, "y": 6.0, "force": True}),
        ("PATCH", "/api/robots/alpha", {"pose": {"x": 0.0, "y": 6.0}}, {"pose": {"x": 0.0, "y": 6.0, "force": True}}),
    ],
)
def test_nothing_is_put_into_a_wall_unless_it_is_forced(
    program: Program, method: str, path: str, wish: dict[str, object], forced: dict[str, object]
) -> None:
    async def test() -> None:
        async with visiting(program) as (visitor, _):
            status, answer = await visitor.ask(method, path, wish)
            assert status == 409
            assert "There is a wall at 0, 6 m." in answer["error"]
            assert "The nearest free place is" in answer["error"]
            assert '"force": true' in answer["error"]
            status, _ = await visitor.ask(method, path, forced)
            assert status in (200, 201)

    run(test)


def test_a_ghost_may_stand_in_walls(program: Program) -> None:
    async def test() -> None:
        async with visiting(program) as (visitor, _):
            await visitor.ask("PATCH", "/api/robots/alpha", {"ghost": True})
            assert (await visitor.ask("PUT", "/api/robots/alpha/pose", {"x": 0.0, "y": 6.0}))[0] == 200

    run(test)


def test_robots_and_boxes_come_and_go(program: Program) -> None:
    async def test() -> None:
        async with visiting(program) as (visitor, _):
            port = free_port()
            status, robot = await visitor.ask("POST", "/api/robots", {"model": "p3at", "name": "new", "port": port})
            assert (status, robot["port"], robot["client"]) == (201, port, None)
            reader, writer = await asyncio.open_connection("127.0.0.1", port)
            assert (await visitor.ask("DELETE", "/api/robots/new"))[0] == 200
            assert await reader.read() == b""
            writer.close()
            status, box = await visitor.ask("POST", "/api/boxes", {"pose": {"x": 5.0, "y": 3.0}})
            assert status == 201
            _, box = await visitor.ask("PUT", f"/api/boxes/{box['id']}/pose", {"x": 3.5})
            assert (box["pose"]["x"], box["pose"]["y"]) == (3.5, 3.0)
            assert (await visitor.ask("DELETE", f"/api/boxes/{box['id']}"))[0] == 200
            assert (await visitor.ask("DELETE", f"/api/boxes/{box['id']}"))[0] == 404

    run(test)


def test_readings_are_those_of_sensors_that_are_on(program: Program) -> None:
    async def test() -> None:
        async with visiting(program) as (visitor, _):
            _, readings = await visitor.ask("GET", "/api/robots/alpha/readings")
            assert (readings["lasers"][0]["ranges"], readings["sonar"]["ranges"]) == ([], [])
            program.simulation.robots[0].lasers[0].on = True
            _, readings = await visitor.ask("GET", "/api/robots/alpha/readings")
            assert len(readings["lasers"][0]["ranges"]) == 181

    run(test)


def test_time_is_controlled(program: Program) -> None:
    async def test() -> None:
        async with visiting(program) as (visitor, _):
            assert (await visitor.ask("POST", "/api/step", {}))[0] == 409
            _, status = await visitor.ask("POST", "/api/pause", {"paused": True})
            assert status["paused"]
            assert (await visitor.ask("POST", "/api/step", {"count": 2}))[0] == 200
            assert program.clock.steps_wanted == 2
            _, status = await visitor.ask("POST", "/api/speed", {"speed": "max"})
            assert status["speed"] == "max"

    run(test)


def test_pictures_are_drawn(program: Program) -> None:
    from PIL import Image

    async def test() -> None:
        async with visiting(program) as (visitor, _):
            status, data = await visitor.ask("GET", "/api/snapshot.png?size=400")
            assert (status, Image.open(io.BytesIO(data)).size[0]) == (200, 400)
            status, text = await visitor.ask("GET", "/api/snapshot.svg?show=labels")
            assert b"alpha" in text
            for size in ("0", "99999", "x", "-5", "1" * 30):
                assert (await visitor.ask("GET", f"/api/snapshot.png?size={size}"))[0] == 400

    run(test)


@pytest.mark.parametrize(
    ("data", "kind", "status"),
    [
        (b"{", "application/json", 400),
        (b"[1]", "application/json", 400),
        (b"[" * 30000, "application/json", 400),
        (b'{"x":1}', "text/plain", 415),
        (b'{"x":"' + b"a" * 70000 + b'"}', "application/json", 413),
    ],
)
def test_a_body_that_makes_no_sense_is_refused(program: Program, data: bytes, kind: str, status: int) -> None:
    async def test() -> None:
        async with visiting(program) as (visitor, _):
            answer = await visitor.ask("PUT", "/api/robots/alpha/pose", data=data, headers={"Content-Type": kind})
            assert answer[0] == status
            assert answer[1]["error"]

    run(test)


def test_what_does_not_exist_is_said_in_json(program: Program) -> None:
    async def test() -> None:
        async with visiting(program) as (visitor, _):
            for path in ("/api/nothing", "/static/../server.py", "/static/js/%2e%2e/%2e%2e/site.py"):
                status, answer = await visitor.ask("GET", path)
                assert (status, "error" in answer) == (404, True)
            assert (await visitor.ask("DELETE", "/api/state"))[0] == 405

    run(test)
