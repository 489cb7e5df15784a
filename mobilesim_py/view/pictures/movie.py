"""Movies without a browser: frames at a fixed period of simulated time, drawn in a thread; the file name selects the format.

    run.gif                  an animated GIF
    run.webm run.mp4 ...     by ffmpeg, where there is one
    run.zip                  the pictures, numbered, in one file
    run/ or run-%05d.png     the pictures, numbered, in a folder

A simulation does not wait for its movie: when drawing cannot keep up, frames are dropped and the last one is shown longer.
Only a program that plays a log as fast as possible does (`Clockwork.outrun`): nobody else looks at it then.
"""

from __future__ import annotations

import contextlib
import math
import queue
import shutil
import threading
from collections.abc import Callable

from mobilesim_py.core.simulation import Simulation
from mobilesim_py.services.service import Stage
from mobilesim_py.view.pictures.moment import Moment, take
from mobilesim_py.view.pictures.movie_files import MovieFile, open_movie

PICTURE_SIZE = 900
WAITING = 64
"""Moments that may wait to be drawn."""
_END = None


class MovieRecorder:
    """Records a program into a file until it is closed."""

    def __init__(
        self,
        stage: Stage,
        file: str,
        interval_seconds: float,
        *,
        size: int = PICTURE_SIZE,
        most_pictures: int = 0,
        laser: bool = True,
        sonar: bool = False,
    ) -> None:
        self.file = file
        self.interval = interval_seconds
        self.left_out = 0
        self.pictures = 0
        self.trouble = ""
        self._stage = stage
        self._most = most_pictures
        self._layers = {"laser": laser, "sonar": sonar}
        self._due = -math.inf
        self._taken = 0
        self._is_closed = False
        self._movie: MovieFile = open_movie(file, size, interval_seconds)
        self._queue: queue.Queue[Moment | None] = queue.Queue(WAITING)
        self._thread = threading.Thread(target=self._draw, name="movie", daemon=True)
        self._thread.start()
        stage.log.info(f'MobileSim: Recording a movie to "{file}", a picture every {1000 * interval_seconds:g} ms.')

    def after_step(self, simulation: Simulation) -> None:
        """Take a frame if one is due."""
        now = simulation.time
        if now < self._due - 1e-9 or (self._most and self._taken >= self._most):
            return
        # In phase with the first frame, unless time has jumped over some.
        self._due = (self._due if self._due + self.interval > now else now) + self.interval
        if self.trouble:
            self._stage.log.occasionally("movie", f'Cannot record to "{self.file}": {self.trouble}', every=3600.0)
            return
        try:
            self._queue.put_nowait(take(simulation, **self._layers))
            self._taken += 1
        except queue.Full:
            self.left_out += 1
            text = f"The movie cannot keep up: {self.left_out} pictures were left out."
            self._stage.log.occasionally("movie late", text, every=30.0)

    def is_late(self) -> bool:
        """Tell whether so many pictures wait to be drawn that soon some are left out."""
        return self._queue.qsize() > WAITING // 2

    def finish(self) -> None:
        """Draw the remaining frames and finish the file; this may take a while, and any thread may do it."""
        if self._thread.is_alive():
            self._queue.put(_END)
            self._thread.join()

    def close(self) -> None:
        """Finish the file and log the result."""
        if self._is_closed:
            return
        self._is_closed = True
        self.finish()
        if self.trouble:
            self._stage.log.error(f'The movie "{self.file}" is not complete: {self.trouble}')
        else:
            self._stage.log.info(f'MobileSim: Recorded {self.pictures} pictures to "{self.file}".')

    def _draw(self) -> None:
        """Draw moments until the end; runs in its own thread."""
        try:
            for moment in iter(self._queue.get, _END):
                if not self.trouble:
                    self._movie.add(moment)
                    self.pictures += 1
        except (OSError, ValueError) as error:
            self.trouble = str(error)
            # Keep draining the queue, or `close` would wait for ever.
            for _ in iter(self._queue.get, _END):
                pass
        finally:
            try:
                self._movie.close()
            except (OSError, ValueError) as error:
                self.trouble = self.trouble or str(error)


def record(
    stage: Stage, file: str, interval: float, *, size: int, most_pictures: int, laser: bool, sonar: bool
) -> tuple[MovieRecorder, Callable[[], None]]:
    """Start recording a running program; the returned function stops it."""
    recorder = MovieRecorder(stage, file, interval, size=size, most_pictures=most_pictures, laser=laser, sonar=sonar)
    stage.after_step.append(recorder.after_step)

    def end() -> None:
        with contextlib.suppress(ValueError):
            stage.after_step.remove(recorder.after_step)
        recorder.close()

    return recorder, end


def has_ffmpeg() -> bool:
    """Tell whether video files can be written."""
    return shutil.which("ffmpeg") is not None
