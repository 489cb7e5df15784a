"""Line drawings as maps and maps as line drawings: SVG, and DXF when the library ezdxf is installed."""

from __future__ import annotations

import importlib
import math
import re
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import numpy as np

from mobilesim_py.errors import MapError, UsageError
from mobilesim_py.formats.armap.armap import ArMap, Scan
from mobilesim_py.geometry import Point, Polygon

Matrix = tuple[float, float, float, float, float, float]
"""a b c d e f, as SVG writes a transformation: x' = a x + c y + e, y' = b x + d y + f."""

_IDENTITY: Matrix = (1.0, 0.0, 0.0, 1.0, 0.0, 0.0)
_NUMBER = re.compile(r"[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?")
_PATH_PART = re.compile(r"([MmLlHhVvZzCcSsQqTtAa])([^MmLlHhVvZzCcSsQqTtAa]*)")
_CURVE_STEPS = 12
MOST_LINES = 1_000_000
"""What a drawing may have; a second or two of reading for each hundred thousand."""
_ARC_PARTS = {"c": 6, "s": 4, "q": 4, "t": 2, "a": 7, "m": 2, "l": 2, "h": 1, "v": 1}
_NOT_DRAWN = ("defs", "clipPath", "mask", "pattern", "symbol", "marker")


def map_of_paths(paths: list[Polygon], millimetres: float) -> ArMap:
    """Make a map of polylines; `millimetres` is the size of one unit of the drawing."""
    rows = [(*a, *b) for path in paths for a, b in pairwise(path) if a != b]
    with np.errstate(over="ignore", invalid="ignore"):
        lines = np.rint(np.array(rows, np.float64).reshape(-1, 4) * millimetres)
    if lines.size and not float(np.abs(lines).max()) <= 1e9:  # NaN is neither
        raise MapError("the drawing is larger than a thousand kilometres; give the size of its unit with --resolution")
    whole = lines.astype(np.int64)
    whole = whole[(whole[:, :2] != whole[:, 2:]).any(axis=1)]
    return ArMap(scans=(Scan(lines=whole),))


# ---- SVG


def paths_of_svg(path: Path) -> list[Polygon]:
    """Read the lines, polylines, polygons, rectangles and paths of an SVG file, y axis up; curves become chords."""
    try:
        root = ElementTree.parse(path).getroot()
    except OSError as error:
        raise MapError(f"cannot read it ({error.strerror})", str(path)) from None
    except ElementTree.ParseError as error:
        raise MapError("not an SVG file: it is not well-formed XML", str(path), error.position[0]) from None
    if root.tag.split("}")[-1] != "svg":
        raise MapError("not an SVG file", str(path))
    found: list[Polygon] = []
    _collect(root, (1.0, 0.0, 0.0, -1.0, 0.0, 0.0), found, _Lines(str(path)))
    if not found:
        raise MapError("no lines are drawn in it", str(path))
    return found


class _Lines:
    """Counts the lines of a drawing, and refuses to go on when they are too many."""

    def __init__(self, path: str) -> None:
        self._path = path
        self._count = 0

    def count(self, more: int) -> None:
        self._count += more
        if self._count > MOST_LINES:
            raise MapError(
                f"the drawing has more than {MOST_LINES} lines (a curve is {_CURVE_STEPS} of them), the most that are "
                "read; simplify it, or divide it",
                self._path,
            )


def save_svg(armap: ArMap, path: Path) -> None:
    """Write a map's lines as an SVG drawing in millimetres."""
    x1, y1, x2, y2 = armap.data_bounds or (0, 0, 1, 1)
    box = f"{x1} {-y2} {x2 - x1} {y2 - y1}"
    stroke = max(x2 - x1, y2 - y1, 1) / 800.0
    lines = "".join(f"M{a} {-b}L{c} {-d}" for a, b, c, d in armap.lines.tolist())
    text = (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{x2 - x1}mm" height="{y2 - y1}mm" viewBox="{box}">\n'
        f'<path d="{lines}" fill="none" stroke="black" stroke-width="{stroke:.1f}" stroke-linecap="round"/>\n</svg>\n'
    )
    try:
        path.write_text(text, encoding="utf-8")
    except OSError as error:
        raise UsageError(f"{path}: cannot write it ({error.strerror})") from None


def _collect(element: ElementTree.Element, outer: Matrix, found: list[Polygon], lines: _Lines, depth: int = 0) -> None:
    tag = element.tag.split("}")[-1] if isinstance(element.tag, str) else ""
    if tag in _NOT_DRAWN or depth > 100 or element.get("display") == "none":
        return
    matrix = _times(outer, _transformation(element.get("transform", "")))
    for shape in _shapes(tag, element, lines):
        found.append(tuple(_apply(matrix, point) for point in shape))
    for child in element:
        _collect(child, matrix, found, lines, depth + 1)


def _shapes(tag: str, element: ElementTree.Element, lines: _Lines) -> Iterator[list[Point]]:
    """Return the polylines of one element, in its own coordinates."""

    def value(name: str) -> float:
        match = _NUMBER.match(element.get(name, "0").strip())
        return float(match.group()) if match else 0.0

    if tag == "line":
        yield [(value("x1"), value("y1")), (value("x2"), value("y2"))]
    elif tag == "rect":
        x, y, width, height = (value(name) for name in ("x", "y", "width", "height"))
        yield [(x, y), (x + width, y), (x + width, y + height), (x, y + height), (x, y)]
    elif tag in ("polyline", "polygon"):
        numbers = [float(number) for number in _NUMBER.findall(element.get("points", ""))]
        points = list(zip(numbers[::2], numbers[1::2], strict=False))
        yield points + points[:1] if tag == "polygon" else points
    elif tag in ("circle", "ellipse"):
        x, y = value("cx"), value("cy")
        rx, ry = (value("r"), value("r")) if tag == "circle" else (value("rx"), value("ry"))
        angles = [2.0 * math.pi * index / (2 * _CURVE_STEPS) for index in range(2 * _CURVE_STEPS + 1)]
        yield [(x + rx * math.cos(angle), y + ry * math.sin(angle)) for angle in angles]
    elif tag == "path":
        yield from _path(element.get("d", ""), lines)


def _path(text: str, lines: _Lines) -> Iterator[list[Point]]:
    """Return the polylines of path data; each curve becomes a few chords, each arc one."""
    here = start = (0.0, 0.0)
    points: list[Point] = []
    for letter, values in _PATH_PART.findall(text):
        kind, relative = letter.lower(), letter.islower()
        if kind == "z":
            if points:
                points.append(start)
                yield points
            here, points = start, []
            continue
        numbers = [float(number) for number in _NUMBER.findall(values)]
        size = _ARC_PARTS[kind]
        for index in range(0, len(numbers) - size + 1, size):
            part = numbers[index : index + size]
            base = here if relative else (0.0, 0.0)
            if kind == "h":
                target = (base[0] + part[0], here[1])
            elif kind == "v":
                target = (here[0], base[1] + part[0] if relative else part[0])
            else:
                target = (base[0] + part[-2], base[1] + part[-1])
            if kind == "m" and index == 0:
                if len(points) > 1:
                    yield points
                start, points = target, [target]
            else:
                points = points or [here]
                chords = _curve(here, base, part, target) if kind in ("c", "q") else [target]
                lines.count(len(chords))
                points += chords
            here = target
    if len(points) > 1:
        yield points


def _curve(here: Point, base: Point, part: list[float], target: Point) -> list[Point]:
    """Return chords of a Bezier curve with one or two control points."""
    controls = [(base[0] + part[i], base[1] + part[i + 1]) for i in range(0, len(part), 2)][:-1]
    corners = [here, *controls, target]
    degree = len(corners) - 1
    chords = []
    for step in range(1, _CURVE_STEPS + 1):
        share = step / _CURVE_STEPS
        weights = [math.comb(degree, i) * share**i * (1.0 - share) ** (degree - i) for i in range(degree + 1)]
        chords.append(
            (
                sum(weight * corner[0] for weight, corner in zip(weights, corners, strict=True)),
                sum(weight * corner[1] for weight, corner in zip(weights, corners, strict=True)),
            )
        )
    return chords


def _transformation(text: str) -> Matrix:
    """Read a `transform` attribute."""
    matrix = _IDENTITY
    for name, values in re.findall(r"(\w+)\s*\(([^)]*)\)", text):
        numbers = [float(number) for number in _NUMBER.findall(values)]
        if name == "matrix" and len(numbers) == 6:
            a, b, c, d, e, f = numbers
            step: Matrix = (a, b, c, d, e, f)
        elif name == "translate" and numbers:
            step = (1.0, 0.0, 0.0, 1.0, numbers[0], numbers[1] if len(numbers) > 1 else 0.0)
        elif name == "scale" and numbers:
            step = (numbers[0], 0.0, 0.0, numbers[-1], 0.0, 0.0)
        elif name == "rotate" and numbers and math.isfinite(numbers[0]):
            cos, sin = math.cos(math.radians(numbers[0])), math.sin(math.radians(numbers[0]))
            x, y = (numbers[1], numbers[2]) if len(numbers) == 3 else (0.0, 0.0)
            step = (cos, sin, -sin, cos, x - cos * x + sin * y, y - sin * x - cos * y)
        else:
            continue
        matrix = _times(matrix, step)
    return matrix


def _times(first: Matrix, second: Matrix) -> Matrix:
    """Chain two transformations: the second is applied first."""
    a, b, c, d, e, f = first
    p, q, r, s, t, u = second
    return a * p + c * q, b * p + d * q, a * r + c * s, b * r + d * s, a * t + c * u + e, b * t + d * u + f


def _apply(matrix: Matrix, point: Point) -> Point:
    a, b, c, d, e, f = matrix
    return a * point[0] + c * point[1] + e, b * point[0] + d * point[1] + f


# ---- DXF


def paths_of_dxf(path: Path) -> tuple[list[Polygon], float]:
    """Read lines and polylines of a DXF drawing, and how many millimetres its unit is."""
    dxf = _ezdxf(path)
    try:
        document = dxf.readfile(path)
    except OSError as error:
        raise MapError(f"cannot read it ({error.strerror or 'not a DXF file'})", str(path)) from None
    except dxf.DXFError:
        raise MapError("not a DXF drawing that can be read", str(path)) from None
    found: list[Polygon] = []
    for entity in document.modelspace():
        kind = entity.dxftype()
        if kind == "LINE":
            start, end = entity.dxf.start, entity.dxf.end
            found.append(((start.x, start.y), (end.x, end.y)))
        elif kind in ("LWPOLYLINE", "POLYLINE"):
            is_light = kind == "LWPOLYLINE"
            points = [(v[0], v[1]) for v in (entity.get_points("xy") if is_light else entity.points())]
            closed = entity.closed if is_light else entity.is_closed
            found.append(tuple(points + points[:1] if closed else points))
    if not found:
        raise MapError("no lines are drawn in it", str(path))
    to_millimetres = {1: 25.4, 2: 304.8, 4: 1.0, 5: 10.0, 6: 1000.0}
    return found, to_millimetres.get(document.header.get("$INSUNITS", 0), 1.0)


def save_dxf(armap: ArMap, path: Path) -> None:
    """Write a map's lines as a DXF drawing in millimetres."""
    dxf = _ezdxf(path)
    document = dxf.new(units=4)
    space = document.modelspace()
    for x1, y1, x2, y2 in armap.lines.tolist():
        space.add_line((x1, y1), (x2, y2))
    try:
        document.saveas(path)
    except OSError as error:
        raise UsageError(f"{path}: cannot write it ({error.strerror})") from None


def _ezdxf(path: Path) -> Any:
    try:
        return importlib.import_module("ezdxf")
    except ImportError:
        raise MapError("DXF drawings need the library ezdxf: install it with `pip install ezdxf`", str(path)) from None
