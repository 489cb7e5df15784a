"""Maps that viewers choose or upload."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

from mobilesim_py.app.program import Program
from mobilesim_py.errors import MapError
from mobilesim_py.view.page.control import RefusedError
from mobilesim_py.view.page.maps import Maps
from tests.view.conftest import run, visiting


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


def test_uploads_of_one_name_at_the_same_time_do_not_disturb_each_other(tmp_path: Path) -> None:
    loaded: list[bytes] = []

    def load(name: str, *, by_user: bool, then: Any) -> None:
        loaded.append(Path(name).read_bytes())
        asyncio.get_running_loop().call_later(0.01, then, MapError("no map") if b"bad" in loaded[-1] else None)

    async def chunks(data: bytes) -> AsyncIterator[bytes]:
        for number in range(len(data)):
            await asyncio.sleep(0)
            yield data[number : number + 1]

    async def story() -> list[Any]:
        maps = Maps(SimpleNamespace(worlds=SimpleNamespace(directory=tmp_path, load=load)))  # type: ignore[arg-type]
        said = [b"a good one", b"one that is bad", b"another bad one", b"good too"]
        results = await asyncio.gather(*(maps.upload("a.map", chunks(data)) for data in said), return_exceptions=True)
        assert sorted(loaded) == sorted(said), "each whole"
        maps.close()
        return results

    results = asyncio.run(story())
    assert [type(result) for result in results] == [type(None), RefusedError, RefusedError, type(None)]


def test_fields_and_obstacle_maps_are_chosen_and_uploaded_too(program: Program) -> None:
    async def test() -> None:
        async with visiting(program) as (visitor, _):
            _, maps = await visitor.ask("GET", "/api/maps")
            assert "leeks.field" in maps["maps"]
            status, facts = await visitor.ask("PUT", "/api/map", {"name": "level1.field"})
            assert (status, facts["plants"], facts["soil"]) == (200, 129, "sand")
            query, data = {"name": "my rows.obs"}, b"150 40 10\n180 40 4 leek\n"
            status, facts = await visitor.ask("POST", "/api/map", params=query, data=data)
            assert (status, facts["name"], facts["plants"]) == (200, "my_rows", 1)

    run(test)
