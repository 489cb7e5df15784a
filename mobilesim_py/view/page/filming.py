"""Movies recorded for viewers: one at a time, into a temporary file, to be fetched when it is done."""

from __future__ import annotations

import asyncio
import shutil
import tempfile
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from mobilesim_py.errors import MobileSimError
from mobilesim_py.services.service import Stage
from mobilesim_py.view.page.control import RefusedError
from mobilesim_py.view.pictures.movie import MovieRecorder, has_ffmpeg, record

FORMATS = ("gif", "zip", "webm")
MOST_PICTURES = 3000


class Filming:
    """The recording of one program."""

    def __init__(self, stage: Stage) -> None:
        self._stage = stage
        self._folder: Path | None = None
        self._recorder: MovieRecorder | None = None
        self._end: Callable[[], None] | None = None
        self._path: Path | None = None

    def state(self) -> dict[str, Any]:
        """Return the state of the recording."""
        recorder = self._recorder
        return {
            "recording": self._end is not None,
            "pictures": recorder.pictures if recorder else 0,
            "left_out": recorder.left_out if recorder else 0,
            "file": self._path.name if self._path and self._end is None else None,
            "formats": [name for name in FORMATS if name != "webm" or has_ffmpeg()],
        }

    def start(self, wish: Mapping[str, Any]) -> None:
        """Start recording; RefusedError if that is impossible or a recording is already running."""
        if self._end is not None:
            raise RefusedError(409, "A movie is being recorded already.")
        kind, interval, size = wish.get("format", "gif"), wish.get("interval", 0.1), wish.get("size", 800)
        if kind not in FORMATS:
            raise RefusedError(400, f"format must be one of {', '.join(FORMATS)}.")
        if isinstance(interval, bool) or not isinstance(interval, int | float) or not 0.01 <= interval <= 3600.0:
            raise RefusedError(400, "interval must be a number of seconds from 0.01 to 3600.")
        if isinstance(size, bool) or not isinstance(size, int) or not 64 <= size <= 2048:
            raise RefusedError(400, "size must be a whole number from 64 to 2048.")
        if self._folder is None:
            self._folder = Path(tempfile.mkdtemp(prefix="mobilesim-movie-"))
        path = self._folder / f"mobilesim.{kind}"
        try:
            self._recorder, self._end = record(
                self._stage,
                str(path),
                float(interval),
                size=size,
                most_pictures=MOST_PICTURES,
                laser=True,
                sonar=False,
            )
        except MobileSimError as error:
            raise RefusedError(422, str(error)) from None
        self._path = path

    async def stop(self) -> None:
        """Stop recording and wait until the file is written."""
        if self._end is None:
            raise RefusedError(409, "No movie is being recorded.")
        end, self._end = self._end, None
        recorder = self._recorder
        assert recorder is not None
        if recorder.after_step in self._stage.after_step:
            self._stage.after_step.remove(recorder.after_step)
        await asyncio.to_thread(recorder.finish)
        end()

    def file(self) -> Path:
        """Return the path of the finished movie."""
        if self._path is None or self._end is not None or not self._path.is_file():
            raise RefusedError(404, "There is no movie: record one first.")
        return self._path

    async def close(self) -> None:
        """Stop recording and remove all files."""
        if self._end is not None:
            await self.stop()
        if self._folder is not None:
            shutil.rmtree(self._folder, ignore_errors=True)
            self._folder = None
