"""A drawing of a robot model: outline, sonar and laser fields, as SVG text or a PNG picture.

Sonar cones and laser fields have the right place and opening, but not their length, which would not fit.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from mobilesim_py.catalogue.model import RobotModel
from mobilesim_py.catalogue.shape import rectangle
from mobilesim_py.errors import UsageError
from mobilesim_py.geometry import Polygon, Pose, placed

PIXELS = 320
MARGIN = 10

_LASER = "#4a90d9"
_SONAR = "#e0a030"
_INK = "#222222"
_DEFAULT_COLOUR = "#999999"


@dataclass(frozen=True)
class Shape:
    """A filled polygon [m]."""

    points: Polygon
    fill: str
    opacity: float = 1.0
    outline: bool = False


def draw(model: RobotModel) -> list[Shape]:
    """Draw a model as shapes, those behind first."""
    reach = max(math.hypot(x, y) for polygon in model.body.outline for x, y in polygon)
    shapes = [Shape(_wedge(laser.pose, laser.field_of_view, reach * 1.3), _LASER, 0.18, True) for laser in model.lasers]
    for index, transducer in enumerate(model.sonar.transducers):
        if index not in model.sonar.absent:
            shapes.append(Shape(_wedge(transducer, model.sonar.cone or 0.1, reach * 0.55), _SONAR, 0.35))
    shapes.extend(Shape(polygon, colour_code(model.body.colour), 0.75, True) for polygon in model.body.outline)
    shapes.extend(Shape(rectangle(laser.size, laser.pose), _LASER, 0.9, True) for laser in model.lasers)
    if not model.is_box:
        nose = reach * 0.12
        shapes.append(Shape(((nose * 1.6, 0.0), (-nose, nose), (-nose * 0.4, 0.0), (-nose, -nose)), _INK))
    return shapes


def _wedge(pose: Pose, opening: float, radius: float) -> Polygon:
    steps = max(2, math.ceil(opening / math.radians(10)))
    angles = [opening * (i / steps - 0.5) for i in range(steps + 1)]
    arc = [(radius * math.cos(angle), radius * math.sin(angle)) for angle in angles]
    return placed(tuple(arc) if opening > math.radians(359) else ((0.0, 0.0), *arc), pose)


def colour_code(name: str) -> str:
    """Turn a colour name of X11 into one that SVG and Pillow both know."""
    plain = re.sub(r"\s+", "", name).lower()
    grey = re.fullmatch(r"gr[ae]y(\d{1,3})", plain)
    if grey and int(grey[1]) <= 100:
        level = round(int(grey[1]) * 2.55)
        return f"#{level:02x}{level:02x}{level:02x}"
    return plain if re.fullmatch(r"[a-z]+|#[0-9a-f]{6}", plain) else _DEFAULT_COLOUR


@dataclass(frozen=True)
class _Frame:
    """The transformation from metres, x forward and y left, to pixels with the robot's front to the right."""

    left: float
    top: float
    scale: float
    width: int
    height: int

    @classmethod
    def around(cls, shapes: Iterable[Shape]) -> _Frame:
        points = [point for shape in shapes for point in shape.points]
        left, right = min(x for x, _ in points), max(x for x, _ in points)
        bottom, top = min(y for _, y in points), max(y for _, y in points)
        scale = (PIXELS - 2 * MARGIN) / max(right - left, top - bottom)
        size = (round((right - left) * scale) + 2 * MARGIN, round((top - bottom) * scale) + 2 * MARGIN)
        return cls(left, top, scale, *size)

    def pixels(self, polygon: Polygon) -> list[tuple[float, float]]:
        return [(MARGIN + (x - self.left) * self.scale, MARGIN + (self.top - y) * self.scale) for x, y in polygon]


def to_svg(model: RobotModel) -> str:
    """Draw a model as the text of an SVG file."""
    shapes = draw(model)
    frame = _Frame.around(shapes)
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{frame.width}" height="{frame.height}" '
        f'viewBox="0 0 {frame.width} {frame.height}">'
    ]
    for shape in shapes:
        points = " ".join(f"{x:.1f},{y:.1f}" for x, y in frame.pixels(shape.points))
        stroke = f' stroke="{_INK}" stroke-width="1"' if shape.outline else ""
        lines.append(f'<polygon points="{points}" fill="{shape.fill}" fill-opacity="{shape.opacity:g}"{stroke}/>')
    return "\n".join([*lines, "</svg>", ""])


def save_png(model: RobotModel, path: Path) -> None:
    """Draw a model into a PNG file."""
    from PIL import Image, ImageColor, ImageDraw

    fine = 3  # drawn larger and reduced, for smooth edges
    shapes = draw(model)
    frame = _Frame.around(shapes)
    picture = Image.new("RGBA", (frame.width * fine, frame.height * fine), "white")
    for shape in shapes:
        layer = Image.new("RGBA", picture.size, (0, 0, 0, 0))
        points = [(x * fine, y * fine) for x, y in frame.pixels(shape.points)]
        try:
            red, green, blue = ImageColor.getrgb(shape.fill)[:3]
        except ValueError:
            red, green, blue = ImageColor.getrgb(_DEFAULT_COLOUR)[:3]
        pen = ImageDraw.Draw(layer)
        pen.polygon(points, fill=(red, green, blue, round(255 * shape.opacity)))
        if shape.outline:
            pen.line([*points, points[0]], fill=_INK, width=fine)
        picture = Image.alpha_composite(picture, layer)
    picture.convert("RGB").resize((frame.width, frame.height), Image.Resampling.LANCZOS).save(path)


def save_drawing(model: RobotModel, path: Path) -> None:
    """Write a drawing in the format that the file's name asks for."""
    ending = path.suffix.lower()
    if ending not in (".svg", ".png"):
        raise UsageError(f"A drawing can be written as .svg or .png; '{path}' ends with neither.")
    try:
        if ending == ".png":
            save_png(model, path)
        else:
            path.write_text(to_svg(model), encoding="utf-8")
    except OSError as error:
        raise UsageError(f"The drawing cannot be written to {path}: {error.strerror or error}.") from None
