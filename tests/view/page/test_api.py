"""Everything that can be asked over HTTP, in the table's order."""

from __future__ import annotations

import asyncio
import io
from pathlib import Path
from typing import Any

import pytest

from mobilesim_py.app.program import Program
from mobilesim_py.view.page.guard import HEADERS, Guard
from mobilesim_py.view.page.routes import ROUTES, openapi_document
from tests.view.conftest import run, step, visiting


def test_every_route_has_a_handler_and_is_documented() -> None:
    from mobilesim_py.view.page.api import Api

    document = openapi_document()
    for route in ROUTES:
        assert callable(getattr(Api, "maps_" if route.handler == "maps" else route.handler)), route.handler
        assert route.method.lower() in document["paths"][route.path]
    operations = [operation["operationId"] for path in document["paths"].values() for operation in path.values()]
    assert len(operations) == len(set(operations))


def test_the_page_of_the_api_names_every_route() -> None:
    page = (Path(__file__).parents[3] / "docs" / "api.md").read_text()
    for route in ROUTES:
        assert f"| {route.method} | `{route.path}` | {route.about}" in page


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
                    assert answer.status == (404 if "boxes/" in path else 200), path
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
            port = _free_port()
            status, robot = await visitor.ask("POST", "/api/robots", {"model": "p3at", "name": "new", "port": port})
            assert (status, robot["port"], robot["client"]) == (201, port, None)
            reader, writer = await asyncio.open_connection("127.0.0.1", port)
            assert (await visitor.ask("DELETE", "/api/robots/new"))[0] == 200
            assert await reader.read() == b""
            writer.close()
            status, box = await visitor.ask("POST", "/api/boxes", {"pose": {"x": 3.0, "y": 3.0}})
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


def test_maps_are_chosen_by_name_only(program: Program) -> None:
    async def test() -> None:
        async with visiting(program) as (visitor, _):
            _, maps = await visitor.ask("GET", "/api/maps")
            assert {"office.map", "maze.map"} <= set(maps["maps"])
            status, facts = await visitor.ask("PUT", "/api/map", {"name": "maze.map"})
            assert (status, facts["name"]) == (200, "maze.map")
            for name in ("../maps/office.map", "/etc/passwd", "nothing.map"):
                assert (await visitor.ask("PUT", "/api/map", {"name": name}))[0] == 404
            assert (await visitor.ask("PUT", "/api/map", {"name": 3}))[0] == 400
            _, facts = await visitor.ask("PUT", "/api/map", {"name": ""})
            assert not facts["has_map"]
            _, facts = await visitor.ask("PUT", "/api/map", {"name": "maze.map"})
            assert facts["name"] == "maze.map"

    run(test)


def test_an_uploaded_map_is_loaded_and_never_leaves_its_folder(program: Program, monkeypatch: Any) -> None:
    from mobilesim_py.resources import maps_dir
    from mobilesim_py.view.page import maps as maps_module

    async def test() -> None:
        data = (maps_dir() / "triangle.map").read_bytes()
        async with visiting(program) as (visitor, site):
            query = {"name": "../../../tmp/evil name"}
            status, facts = await visitor.ask("POST", "/api/map", params=query, data=data)
            assert (status, facts["name"]) == (200, "evil_name.map")
            path = Path(program.simulation.world.path)
            assert path.parent == site.api.maps._folder
            status, answer = await visitor.ask("POST", "/api/map", params={"name": "bad.map"}, data=b"no map\n")
            assert status == 422
            assert "bad.map" in answer["error"]
            assert str(path.parent) not in answer["error"]
            monkeypatch.setattr(maps_module, "LARGEST_UPLOAD", 100)
            assert (await visitor.ask("POST", "/api/map", params={"name": "big.map"}, data=data))[0] == 413
            assert [file.name for file in path.parent.iterdir()] == ["evil_name.map"]
            assert facts["name"] == program.simulation.world.name
        assert not path.parent.exists()

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


def test_a_movie_is_recorded_and_fetched(program: Program) -> None:
    from PIL import Image

    async def test() -> None:
        async with visiting(program) as (visitor, site):
            assert (await visitor.ask("GET", "/api/movie/file"))[0] == 404
            assert (await visitor.ask("POST", "/api/movie/stop"))[0] == 409
            wish = {"format": "gif", "interval": 0.1, "size": 200}
            assert (await visitor.ask("POST", "/api/movie", wish))[0] == 200
            assert (await visitor.ask("POST", "/api/movie", wish))[0] == 409
            program.simulation.robots[0].drive(0.5)
            step(program, 8)
            _, state = await visitor.ask("POST", "/api/movie/stop")
            assert (state["recording"], state["pictures"], state["file"]) == (False, 8, "mobilesim.gif")
            _, data = await visitor.ask("GET", "/api/movie/file")
            assert Image.open(io.BytesIO(data)).n_frames == 8
            for bad in ({"format": "exe"}, {"interval": 0}, {"size": 1}):
                assert (await visitor.ask("POST", "/api/movie", bad))[0] == 400
            assert program.after_step == []
            folder = site.api.filming._folder
        assert not folder.exists()

    run(test)


def test_metrics_are_in_prometheus_format(program: Program) -> None:
    async def test() -> None:
        async with visiting(program) as (visitor, _):
            _, text = await visitor.ask("GET", "/metrics")
            lines = text.decode().splitlines()
            assert "mobilesim_robots 2" in lines
            names = [line.split()[2] for line in lines if line.startswith("# TYPE")]
            assert len(names) == len(set(names))
            values = [line for line in lines if not line.startswith("#")]
            assert all(float(line.rpartition(" ")[2]) >= 0 for line in values)

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


def test_foreign_hosts_and_origins_are_turned_away(program: Program) -> None:
    async def test() -> None:
        async with visiting(program) as (visitor, _):
            assert (await visitor.ask("GET", "/api/state", headers={"Host": "evil.example"}))[0] == 403
            foreign = {"Origin": "http://evil.example"}
            assert (await visitor.ask("POST", "/api/pause", {}, headers=foreign))[0] == 403
            assert not program.clock.paused
            with pytest.raises(Exception, match="403"):
                await visitor.session.ws_connect(visitor.base + "/api/stream", headers=foreign)

    run(test)


def test_elsewhere_the_token_opens_the_door_and_becomes_a_cookie(program: Program) -> None:
    async def test() -> None:
        async with visiting(program, Guard("secret")) as (visitor, _):
            assert (await visitor.ask("GET", "/"))[0] == 401
            assert (await visitor.ask("GET", "/static/js/main.js"))[0] == 401
            bearer = {"Authorization": "Bearer secret"}
            assert (await visitor.ask("GET", "/api/state", headers=bearer))[0] == 200
            async with visitor.session.get(visitor.base + "/?token=secret", allow_redirects=False) as answer:
                assert (answer.status, answer.headers["Location"]) == (303, "/")
                cookie = answer.headers["Set-Cookie"]
                assert "HttpOnly" in cookie
                assert "SameSite=Lax" in cookie
            name, _, value = cookie.partition(";")[0].partition("=")
            assert (await visitor.ask("GET", "/", headers={"Cookie": f"{name}={value}"}))[0] == 200

    run(test)


def test_the_start_screen_gives_one_robot_of_the_chosen_model(monkeypatch: pytest.MonkeyPatch) -> None:
    from tests.conftest import build

    program = build("-p", str(_free_port()))
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


def _free_port() -> int:
    import socket

    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])
