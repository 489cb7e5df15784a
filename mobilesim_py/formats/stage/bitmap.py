"""Outlines of the dark pixels of a picture, as Stage makes walls of them."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import numpy.typing as npt

from mobilesim_py.errors import WorldfileError
from mobilesim_py.geometry import FloatArray

DARK = 127
"""Pixels up to this brightness of their first channel are walls."""
MAX_PIXELS = 100_000_000

BoolArray = npt.NDArray[np.bool_]


def read_dark_pixels(path: Path) -> BoolArray:
    """Read a picture; true where it is dark, with row 0 at the bottom."""
    # Only worlds with pictures need Pillow, and it takes time to import.
    from PIL import Image, UnidentifiedImageError

    try:
        with Image.open(path) as picture:
            if picture.width * picture.height > MAX_PIXELS:
                raise WorldfileError(f"{picture.width} x {picture.height} pixels are too many", str(path))
            plain = picture.convert("RGB") if picture.mode not in ("L", "RGB", "RGBA") else picture
            pixels = np.asarray(plain)
    except UnidentifiedImageError:
        raise WorldfileError("is not a picture of a known format", str(path)) from None
    except (OSError, ValueError, SyntaxError, Image.DecompressionBombError) as error:
        reason = error.strerror if isinstance(error, OSError) and error.strerror else error
        raise WorldfileError(f"cannot be read as a picture: {reason}", str(path)) from None
    brightness = pixels if pixels.ndim == 2 else pixels[:, :, 0]
    return np.asarray(brightness[::-1] <= DARK)


def outline_segments(dark: BoolArray) -> FloatArray:
    """Trace the edges between dark and light exactly, as segments x1 y1 x2 y2 in pixels; straight runs are one."""
    padded = np.pad(dark, 1)
    upright = _runs(padded[1:-1, 1:] != padded[1:-1, :-1])
    level = _runs((padded[1:, 1:-1] != padded[:-1, 1:-1]).T)
    return np.concatenate([upright, level[:, [1, 0, 3, 2]]])


def _runs(edges: BoolArray) -> FloatArray:
    """Join the cells of each column that follow one another: rows of x y1 x y2."""
    steps = np.diff(np.pad(edges, ((1, 1), (0, 0))).astype(np.int8), axis=0).T
    column, first = np.nonzero(steps == 1)
    _, last = np.nonzero(steps == -1)
    return np.column_stack([column, first, column, last]).astype(np.float64).reshape(-1, 4)
