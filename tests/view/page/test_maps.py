"""Maps that viewers choose or upload."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from mobilesim_py.app.program import Program
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
