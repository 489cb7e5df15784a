"""The real program beside a program with an event loop."""

from __future__ import annotations

import asyncio
import inspect

import pytest

import mobilesim_py as ms
from mobilesim_py.errors import MapError

pytestmark = pytest.mark.e2e


def test_it_is_operated_by_the_same_names() -> None:
    async def run() -> None:
        async with ms.aio.start("office.map", robots=["p3dx:alpha"], engine="numpy") as sim:
            assert await sim.port() == (await sim.ports())["alpha"]
            await sim.pause()
            before = await sim.time()
            assert await sim.step(3) == pytest.approx(before + 0.3)
            assert await sim.place(3.0, 6.0) == await sim.pose()
            assert (await sim.snapshot(size=100)).png.startswith(b"\x89PNG")
            await sim.speed(2.0)
            assert (await sim.state())["speed"] == 2.0
            await sim.resume()
            await sim.load_map("")
            guest = await sim.add_robot("amigo", "guest")
            assert (await sim.robot("guest")).port == guest.port
            await sim.remove_robot("guest")
            assert list(await sim.robots()) == ["alpha"]
            assert "version" in await sim.wait_for_log("version")
            assert (await sim.ask("GET", "/api/health"))["status"] == "ok"
            assert sim.exit_code is None
            assert sim.log()
            assert sim.url.startswith("http://127.0.0.1")
        assert sim.exit_code == 0 == await sim.wait()

    asyncio.run(run())


def test_errors_are_the_same() -> None:
    async def run() -> None:
        async with ms.aio.start("nowhere.map"):
            raise AssertionError("it started")

    with pytest.raises(MapError, match="no such map file"):
        asyncio.run(run())


def test_before_it_is_started_there_is_nothing_to_ask() -> None:
    with pytest.raises(RuntimeError, match="use `async with`"):
        _ = ms.aio.start("office.map").url


def test_no_name_is_missing() -> None:
    names = {name for name, _ in inspect.getmembers(ms.RunningSimulator) if not name.startswith("_")}
    assert names <= set(dir(ms.aio.RunningSimulator))
