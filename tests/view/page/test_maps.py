"""Maps that viewers bring."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

from mobilesim_py.errors import MapError
from mobilesim_py.view.page.control import RefusedError
from mobilesim_py.view.page.maps import Maps


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
