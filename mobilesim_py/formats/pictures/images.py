"""Pictures as maps and maps as pictures: PNG, PGM and PNM with a resolution, ROS map.yaml, Stage worlds."""

from __future__ import annotations

import math
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from mobilesim_py.errors import MapError, UsageError
from mobilesim_py.formats.pictures.raster import MOST_CELLS, Cells, Raster
from mobilesim_py.resources import models_dir

Grey = npt.NDArray[np.float64]

OCCUPIED_GREY, FREE_GREY = 0, 254
DEFAULT_RESOLUTION = 0.05
_MODES = ("trinary", "scale", "raw")


def read_grey(path: Path) -> tuple[Grey, Grey]:
    """Read a picture as brightness and opacity, each 0 to 255, with the lowest row first."""
    from PIL import Image, UnidentifiedImageError

    Image.MAX_IMAGE_PIXELS = MOST_CELLS
    try:
        with Image.open(path) as image:
            if image.width * image.height > MOST_CELLS:
                raise MapError(f"{image.width} x {image.height} pixels are too many", str(path))
            if image.mode.startswith("I"):
                # 16-bit pictures: brightness is in the upper byte.
                grey = np.asarray(image, np.float64)
                grey = grey / 256.0 if grey.max(initial=0.0) > 255 else grey
                return grey[::-1], np.full(grey.shape, 255.0)
            has_alpha = "A" in image.getbands() or "transparency" in image.info
            colours = np.asarray(image.convert("RGBA"), np.float64)
    except (OSError, SyntaxError, ValueError, UnidentifiedImageError, Image.DecompressionBombError) as error:
        reason = "no such file" if isinstance(error, FileNotFoundError) else "not a picture that Pillow can read"
        raise MapError(f"cannot read the picture: {reason}", str(path)) from None
    alpha = colours[..., 3] if has_alpha else np.full(colours.shape[:2], 255.0)
    return colours[::-1, :, :3].mean(axis=2), alpha[::-1]


def raster_of_image(path: Path, resolution: float, threshold: float = 0.5) -> Raster:
    """Return dark pixels of a picture as occupied cells; transparent ones are free."""
    grey, alpha = read_grey(path)
    return Raster((grey < 255.0 * (1.0 - threshold)) & (alpha >= 128.0), resolution)


def save_image(raster: Raster, path: Path) -> None:
    """Write occupied cells black and free ones white, in the format of the file's extension."""
    from PIL import Image

    grey = np.where(raster.occupied[::-1], OCCUPIED_GREY, FREE_GREY).astype(np.uint8)
    try:
        Image.fromarray(grey).save(path)
    except (OSError, ValueError) as error:
        raise UsageError(f"{path}: cannot write the picture ({error})") from None


# ---- ROS


@dataclass(frozen=True)
class RosMap:
    """What a ROS map.yaml says."""

    image: Path
    resolution: float
    origin: tuple[float, float, float]
    mode: str = "trinary"
    negate: bool = False
    occupied_thresh: float = 0.65
    free_thresh: float = 0.196


def read_ros_yaml(path: Path) -> RosMap:
    """Read a map.yaml; MapError when something that is needed is missing or wrong."""
    import yaml

    try:
        content: Any = yaml.safe_load(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise MapError(f"cannot read it ({error.strerror})", str(path)) from None
    except (yaml.YAMLError, ValueError) as error:  # a ValueError is bytes that are no text, or a date that does not exist
        mark = getattr(error, "problem_mark", None)
        raise MapError("not a YAML file", str(path), mark.line + 1 if mark else 0) from None
    if not isinstance(content, dict) or not isinstance(content.get("image"), str):
        raise MapError("not a ROS map: it has no `image: FILE` entry", str(path))

    def number(value: Any, name: str) -> float:
        if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value):
            raise MapError(f"`{name}` must be a number, not {value!r}", str(path))
        return float(value)

    origin = content.get("origin", [0.0, 0.0, 0.0])
    if not isinstance(origin, list) or len(origin) < 2:
        raise MapError("`origin` must be [x, y, yaw]", str(path))
    x, y, yaw = (number(value, "origin") for value in [*origin, 0.0, 0.0][:3])
    mode = str(content.get("mode", "trinary")).lower()
    if mode not in _MODES:
        raise MapError(f"`mode: {mode}` is not one of {', '.join(_MODES)}", str(path))
    resolution = number(content.get("resolution"), "resolution")
    if resolution <= 0:
        raise MapError("`resolution` must be more than 0", str(path))
    return RosMap(
        *(path.parent / content["image"], resolution, (x, y, yaw), mode),
        bool(number(int(content.get("negate", 0) in (1, True, "1", "true")), "negate")),
        number(content.get("occupied_thresh", 0.65), "occupied_thresh"),
        number(content.get("free_thresh", 0.196), "free_thresh"),
    )


def raster_of_ros(path: Path) -> Raster:
    """Read a ROS map: yaml and picture."""
    ros = read_ros_yaml(path)
    grey, alpha = read_grey(ros.image)
    return Raster(occupied_in_ros(ros, grey, alpha), ros.resolution, *ros.origin)


def occupied_in_ros(ros: RosMap, grey: Grey, alpha: Grey) -> Cells:
    """Tell which pixels are occupied, by the rules of ROS's map server; unknown ones are not."""
    if ros.mode == "raw":
        value = np.rint(grey)
        return np.asarray((value >= round(ros.occupied_thresh * 100.0)) & (value <= 100.0))
    share = (grey if ros.negate else 255.0 - grey) / 255.0
    if ros.mode == "scale":
        # Between the thresholds occupancy grows from 0 to 100 per cent; more than half counts as a wall.
        span = max(ros.occupied_thresh - ros.free_thresh, 1e-9)
        return np.asarray(((share - ros.free_thresh) / span > 0.5) & (alpha >= 128.0))
    return np.asarray(share > ros.occupied_thresh)


def save_ros(raster: Raster, path: Path) -> None:
    """Write a map.yaml and, beside it, the picture of the same name."""
    image = path.with_suffix(".pgm")
    save_image(raster, image)
    origin = ", ".join(f"{value:.6g}" for value in (raster.x, raster.y, raster.yaw))
    _write(
        path,
        f"image: {_quoted(image.name)}\nmode: trinary\nresolution: {raster.resolution:.6g}\norigin: [{origin}]\n"
        "negate: 0\noccupied_thresh: 0.65\nfree_thresh: 0.196\n",
    )


# ---- Stage


def raster_of_stage(path: Path, threshold: float = 0.5) -> list[Raster]:
    """Read the bitmaps of a Stage world: every model at its top level that has one, at its size and pose."""
    from mobilesim_py.catalogue.worldfile import Worldfile

    world = Worldfile(search=(models_dir(),))
    world.load(path)
    rasters = []
    for child in world.root.children:
        section = world.resolve(child)
        bitmap = section.properties.get("bitmap")
        if bitmap is None or not bitmap.values:
            continue
        grey, alpha = read_grey(Path(bitmap.path or path).parent / bitmap.values[0])
        height, width = grey.shape
        size, pose = section.properties.get("size"), section.properties.get("pose")
        if size is None:
            raise MapError("the model with the bitmap has no `size`, so its scale is not known", str(path), bitmap.line)
        length = size.units.length
        step = size.number(0) * length / width
        if step <= 0 or abs(size.number(1) * length / height - step) > 0.02 * step:
            raise MapError("`size` and the picture do not have the same proportions", str(path), size.line)
        x = y = turn = 0.0
        if pose is not None:
            # Stage 2 writes [x y heading], Stage 3 and later [x y z heading].
            x, y = pose.number(0) * pose.units.length, pose.number(1) * pose.units.length
            turn = pose.number(len(pose.values) - 1) * pose.units.angle if len(pose.values) > 2 else 0.0
        cos, sin = math.cos(turn), math.sin(turn)
        left, low = -width * step / 2.0, -height * step / 2.0
        corner = (x + left * cos - low * sin, y + left * sin + low * cos)
        rasters.append(Raster((grey < 255.0 * (1.0 - threshold)) & (alpha >= 128.0), step, *corner, turn))
    if not rasters:
        raise MapError("no model in this world has a `bitmap`", str(path))
    return rasters


def save_stage(raster: Raster, path: Path) -> None:
    """Write a Stage world with a floorplan, and its bitmap beside it."""
    image = path.with_suffix(".png")
    save_image(raster, image)
    height, width = (count * raster.resolution for count in raster.occupied.shape)
    x, y = raster.x + width / 2.0, raster.y + height / 2.0
    _write(
        path,
        'define floorplan model\n(\n  color "gray30"\n  boundary 0\n  gui_nose 0\n  gui_grid 0\n  gripper_return 0\n'
        "  fiducial_return 0\n  laser_return 1\n)\n\n"
        f"resolution {raster.resolution:.6g}\n\nfloorplan\n(\n  name {_quoted(path.stem)}\n"
        f"  bitmap {_quoted(image.name)}\n  size [{width:.6g} {height:.6g} 0.8]\n  pose [{x:.6g} {y:.6g} 0 0]\n)\n",
    )


def _quoted(text: str) -> str:
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'


def _write(path: Path, text: str) -> None:
    try:
        path.write_text(text, encoding="utf-8")
    except OSError as error:
        raise UsageError(f"{path}: cannot write it ({error.strerror})") from None
