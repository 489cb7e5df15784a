"""Where a movie's pictures go: an animated GIF, a video by ffmpeg, a zip or a folder of numbered pictures."""

from __future__ import annotations

import io
import shutil
import subprocess
import zipfile
from pathlib import Path
from typing import IO, TYPE_CHECKING, Protocol

from mobilesim_py.errors import UsageError
from mobilesim_py.view.pictures.gif import GifWriter
from mobilesim_py.view.pictures.moment import Moment
from mobilesim_py.view.pictures.snapshot import Painter

if TYPE_CHECKING:
    from PIL import Image

VIDEO_ENDINGS = (".webm", ".mp4", ".mkv", ".mov", ".avi")
PICTURE_ENDINGS = (".png", ".jpg", ".jpeg", ".bmp")


class MovieFile(Protocol):
    """Takes moments in order. Used by one thread."""

    def add(self, moment: Moment) -> None:
        """Add the picture of a moment."""

    def close(self) -> None:
        """Finish the file."""


def open_movie(file: str, size: int, interval: float) -> MovieFile:
    """Open the movie file of a name; UsageError if that is impossible."""
    path = Path(file)
    ending = path.suffix.lower()
    try:
        if ending == ".gif":
            return GifMovie(path, size, interval)
        if ending == ".zip":
            return ZipMovie(path, size)
        if ending in VIDEO_ENDINGS:
            return VideoMovie(path, size, interval)
        if ending in PICTURE_ENDINGS or file.endswith(("/", "\\")) or not ending:
            return PictureMovie(path, size)
    except OSError as error:
        raise UsageError(f"{file}: cannot write the movie ({error.strerror or error}).") from None
    raise UsageError(
        f"{file}: a movie's name must end with .gif, .zip, {', '.join(VIDEO_ENDINGS)}, or be a folder (NAME/) or "
        "numbered pictures (NAME-%05d.png)."
    )


class GifMovie:
    """An animated GIF; each picture is written when the next one gives its duration."""

    def __init__(self, path: Path, size: int, interval: float) -> None:
        self._file: IO[bytes] = path.open("wb")
        self._gif = GifWriter(self._file)
        self._painter, self._size, self._interval = Painter(), size, interval
        self._held: tuple[float, Image.Image] | None = None

    def add(self, moment: Moment) -> None:
        """Write the picture before this one."""
        picture = self._painter.draw(moment, self._size)
        if self._held is not None:
            self._gif.add(self._held[1], moment.time - self._held[0])
        self._held = (moment.time, picture)

    def close(self) -> None:
        """Write the last picture and the end."""
        with self._file:
            if self._held is not None:
                self._gif.add(self._held[1], self._interval)
            self._gif.end()


class VideoMovie:
    """A video, encoded by ffmpeg from the pictures it is fed."""

    def __init__(self, path: Path, size: int, interval: float) -> None:
        program = shutil.which("ffmpeg")
        if program is None:
            raise UsageError(
                f"{path}: ffmpeg is needed to write {path.suffix}, and it is not installed. "
                "Install it, or record to a .gif, a .zip or a folder."
            )
        path.open("wb").close()
        self._command = [
            *(program, "-hide_banner", "-loglevel", "error", "-y", "-f", "image2pipe", "-c:v", "ppm"),
            *("-framerate", f"{1.0 / interval:.6g}", "-i", "-", "-vf", "pad=ceil(iw/2)*2:ceil(ih/2)*2"),
            *("-pix_fmt", "yuv420p", str(path)),
        ]
        self._painter, self._size, self._interval = Painter(), size, interval
        self._process: subprocess.Popen[bytes] | None = None
        self._shape: tuple[int, int] | None = None
        self._next = 0.0

    def add(self, moment: Moment) -> None:
        """Feed a picture, repeated for each dropped one before it."""
        picture = self._painter.draw(moment, self._size)
        if self._process is None:
            self._process = subprocess.Popen(self._command, stdin=subprocess.PIPE, stderr=subprocess.PIPE)
            self._shape, self._next = picture.size, moment.time
        if picture.size != self._shape:  # another map; a video has one size
            picture = picture.resize(self._shape or picture.size)
        data = _encoded(picture, "PPM")
        assert self._process.stdin is not None
        while self._next <= moment.time + 1e-9:
            self._process.stdin.write(data)
            self._next += self._interval

    def close(self) -> None:
        """Let ffmpeg finish; OSError if it failed."""
        if self._process is not None:
            _, complaint = self._process.communicate()
            if self._process.returncode:
                raise OSError(f"ffmpeg failed: {complaint.decode(errors='replace').strip()[-300:]}")


class ZipMovie:
    """Numbered pictures in one file."""

    def __init__(self, path: Path, size: int) -> None:
        # The pictures are compressed already.
        self._zip = zipfile.ZipFile(path, "w", zipfile.ZIP_STORED)
        self._painter, self._size, self._count = Painter(), size, 0

    def add(self, moment: Moment) -> None:
        """Add a picture."""
        self._count += 1
        self._zip.writestr(f"{self._count:05d}.png", _encoded(self._painter.draw(moment, self._size), "PNG"))

    def close(self) -> None:
        """Write the central directory."""
        self._zip.close()


class PictureMovie:
    """Numbered pictures in a folder."""

    def __init__(self, path: Path, size: int) -> None:
        is_folder = not path.suffix
        self._pattern = str(path / "%05d.png") if is_folder else str(path)
        if "%" not in self._pattern:
            self._pattern = f"{path.with_suffix('')}-%05d{path.suffix}"
        try:
            self._pattern % 1
        except (TypeError, ValueError):
            raise UsageError(f"{path}: pictures are numbered like this: NAME-%05d.png") from None
        Path(self._pattern).parent.mkdir(parents=True, exist_ok=True)
        self._painter, self._size, self._count = Painter(), size, 0

    def add(self, moment: Moment) -> None:
        """Write a picture."""
        self._count += 1
        self._painter.draw(moment, self._size).save(self._pattern % self._count)

    def close(self) -> None:
        """Do nothing: every picture is written already."""


def _encoded(picture: Image.Image, kind: str) -> bytes:
    buffer = io.BytesIO()
    picture.save(buffer, kind, compress_level=3)
    return buffer.getvalue()
