"""Maps that a viewer may choose or upload: the shipped ones, those in the simulator's directory, and uploads.

Uploads go into a temporary folder of our own, under sanitised names, and are removed when the program ends.
"""

from __future__ import annotations

import asyncio
import re
import shutil
import tempfile
from collections.abc import AsyncIterable, Callable
from pathlib import Path

from mobilesim_py.errors import MobileSimError
from mobilesim_py.resources import maps_dir
from mobilesim_py.services.service import Stage, Then
from mobilesim_py.view.page.control import RefusedError

LARGEST_UPLOAD = 64 * 1024 * 1024
MOST_UPLOADS = 20
MOST_LISTED = 500


ENDINGS = (".map", ".field", ".obs")
"""Of files that may be chosen or uploaded."""


class Maps:
    """The maps that viewers of a program may load."""

    def __init__(self, stage: Stage) -> None:
        self._worlds = stage.worlds
        self._folder: Path | None = None
        self._uploads: list[Path] = []
        self._begun = 0

    def names(self) -> list[str]:
        """Return all maps that can be chosen by name, uploads last."""
        return list(self._known())

    def _known(self) -> dict[str, Path]:
        known: dict[str, Path] = {}
        for folder in (self._worlds.directory, maps_dir()):
            try:
                found = sorted(path for path in folder.iterdir() if path.suffix.lower() in ENDINGS and path.is_file())
            except OSError:
                continue
            for path in found[:MOST_LISTED]:
                known.setdefault(path.name, path)
        return known | {path.name: path for path in self._uploads}

    async def choose(self, name: str) -> None:
        """Load a map by its name, or the empty world if that is empty; RefusedError if it cannot be loaded."""
        if not name:
            await self._ended(lambda then: self._worlds.leave(by_user=True, then=then))
            return
        path = self._known().get(name)
        if path is None:
            raise RefusedError(404, f"There is no map {name!r} to choose.")
        await self._load(path)

    async def upload(self, name: str, chunks: AsyncIterable[bytes]) -> None:
        """Take a map file and load it; RefusedError if it is too large or no map."""
        folder = self._own_folder()
        self._begun += 1
        part = folder / f"{self._begun}.part"  # uploads of one name may come at the same time
        size = 0
        try:
            with part.open("wb") as file:
                async for chunk in chunks:
                    size += len(chunk)
                    if size > LARGEST_UPLOAD:
                        raise RefusedError(413, f"A map may have at most {LARGEST_UPLOAD // 2**20} MB.")
                    file.write(chunk)
            path = self._room_for(safe_name(name))
            part.replace(path)
        finally:
            part.unlink(missing_ok=True)
        try:
            await self._load(path)
        except BaseException:
            if path in self._uploads:
                path.unlink(missing_ok=True)
                self._uploads.remove(path)
            raise

    async def _load(self, path: Path) -> None:
        error = await self._ended(lambda then: self._worlds.load(str(path), by_user=True, then=then))
        if error is not None:
            raise RefusedError(422, str(error).replace(f"{path.parent}/", ""))

    @staticmethod
    async def _ended(begin: Callable[[Then], None]) -> MobileSimError | None:
        """Start something, wait for its end, and return what went wrong."""
        done: asyncio.Future[MobileSimError | None] = asyncio.get_running_loop().create_future()

        def then(error: MobileSimError | None) -> None:
            if not done.done():
                done.set_result(error)

        begin(then)
        return await done

    def _room_for(self, name: str) -> Path:
        """A path in the temporary folder; the oldest uploads make room."""
        path = self._own_folder() / name
        if path in self._uploads:
            self._uploads.remove(path)
        while len(self._uploads) >= MOST_UPLOADS:
            self._uploads.pop(0).unlink(missing_ok=True)
        self._uploads.append(path)
        return path

    def _own_folder(self) -> Path:
        if self._folder is None:
            self._folder = Path(tempfile.mkdtemp(prefix="mobilesim-maps-"))
        return self._folder

    def close(self) -> None:
        """Remove all uploads."""
        if self._folder is not None:
            shutil.rmtree(self._folder, ignore_errors=True)
            self._folder = None
        self._uploads.clear()


def safe_name(name: str) -> str:
    """Return a file name without path or special characters, ending with that of a map."""
    plain = re.sub(r"[^A-Za-z0-9._-]+", "_", re.split(r"[/\\]", name)[-1]).lstrip(".")[-80:] or "map"
    return plain if plain.lower().endswith(ENDINGS) else f"{plain}.map"
