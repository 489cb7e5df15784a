"""A scene as SVG text, in metres with the y axis turned up."""

from __future__ import annotations

import math
from collections.abc import Iterator
from xml.sax.saxutils import escape

import numpy as np

from mobilesim_py.geometry import Point, Polygon
from mobilesim_py.view.pictures.scene import (
    GRID_COARSE,
    GRID_FINE,
    INK,
    PAPER,
    POINT_INK,
    Label,
    Line,
    Mark,
    Scene,
    scale_bar,
)
from mobilesim_py.view.pictures.shapes import Area, Colour, Discs


def draw_svg(scene: Scene, size: int = 1400) -> str:
    """Draw a scene; `size` is the longer side in pixels when the viewer does not scale it."""
    return "\n".join(_Svg(scene, size).text()) + "\n"


class _Svg:
    """Writes the elements, from back to front."""

    def __init__(self, scene: Scene, size: int) -> None:
        self.scene = scene
        longer = max(scene.width, scene.height)
        self.pixels = size / longer
        self.unit = longer / 1000.0

    def text(self) -> Iterator[str]:
        scene = self.scene
        width, height = scene.width, scene.height
        yield (
            f'<svg xmlns="http://www.w3.org/2000/svg" width="{width * self.pixels:.0f}" '
            f'height="{height * self.pixels:.0f}" viewBox="0 0 {_n(width)} {_n(height)}" '
            'font-family="sans-serif" stroke-linecap="round" stroke-linejoin="round">'
        )
        yield f'<rect width="{_n(width)}" height="{_n(height)}" fill="{_hex(PAPER)}"/>'
        yield from self.grid()
        yield from (self.area(area) for area in scene.areas)
        yield from self.points()
        for discs in self.scene.discs:
            yield self.discs(discs)
        yield self.walls()
        yield from (self.line(line) for line in (*scene.lines, *scene.reflectors))
        yield from (self.mark(mark) for mark in scene.marks)
        yield from (self.label(label) for label in scene.labels)
        yield from self.scale()
        yield "</svg>"

    def at(self, point: Point) -> str:
        return f"{_n(point[0] - self.scene.low[0])} {_n(self.scene.high[1] - point[1])}"

    def path(self, points: Polygon, close: bool = False) -> str:
        return "M" + "L".join(self.at(point) for point in points) + ("Z" if close else "")

    def grid(self) -> Iterator[str]:
        step = 1.0 if max(self.scene.width, self.scene.height) < 80 else 10.0
        (x1, y1), (x2, y2) = self.scene.low, self.scene.high
        for colour, is_coarse in ((GRID_FINE, False), (GRID_COARSE, True)):
            xs = [i for i in range(math.ceil(x1 / step), math.floor(x2 / step) + 1) if (i % 10 == 0) is is_coarse]
            ys = [i for i in range(math.ceil(y1 / step), math.floor(y2 / step) + 1) if (i % 10 == 0) is is_coarse]
            paths = [self.path(((i * step, y1), (i * step, y2))) for i in xs]
            paths += [self.path(((x1, i * step), (x2, i * step))) for i in ys]
            if paths:
                yield f'<path d="{"".join(paths)}" stroke="{_hex(colour)}" stroke-width="{_n(0.8 * self.unit)}"/>'

    def area(self, area: Area) -> str:
        edge = f' stroke="{_hex(area.edge)}" stroke-width="{_n(1.2 * self.unit)}"' if area.edge else ""
        fill = f'fill="{_hex(area.colour)}" fill-opacity="{area.opacity:.2f}"'
        return f'<path d="{self.path(area.corners, close=True)}" {fill}{edge}/>'

    def discs(self, discs: Discs) -> str:
        # A disc is a dash of zero length with round ends; those of one width share a path.
        widths = np.round(np.maximum(2.0 * discs.places[:, 2], 2.4 * self.unit), 2)
        parts = []
        for width in np.unique(widths).tolist():
            places = "".join(f"M{self.at((x, y))}h0" for x, y in discs.places[widths == width, :2].tolist())
            stroke = f'stroke="{_hex(discs.colour)}" stroke-width="{_n(width)}" stroke-linecap="round"'
            parts.append(f'<path d="{places}" {stroke}/>')
        return "".join(parts)

    def points(self) -> Iterator[str]:
        if not len(self.scene.points):
            return
        # A point is a dash of zero length: the shortest notation for tens of thousands of squares.
        places = "".join(f"M{self.at((x, y))}h0" for x, y in self.scene.points.tolist())
        side = max(self.scene.point_size, self.unit)
        yield f'<path d="{places}" stroke="{_hex(POINT_INK)}" stroke-width="{_n(side)}" stroke-linecap="square"/>'

    def walls(self) -> str:
        walls = "".join(self.path(((x1, y1), (x2, y2))) for x1, y1, x2, y2 in self.scene.walls.tolist())
        return f'<path d="{walls}" stroke="{_hex(INK)}" stroke-width="{_n(1.8 * self.unit)}" fill="none"/>'

    def line(self, line: Line) -> str:
        dash = f' stroke-dasharray="{_n(line.dash * self.unit)}"' if line.dash else ""
        stroke = f'stroke="{_hex(line.colour)}" stroke-width="{_n(line.width * self.unit)}"'
        return f'<path d="{self.path(line.points)}" {stroke} fill="none"{dash}/>'

    def mark(self, mark: Mark) -> str:
        radius = (7.5 if mark.letter else 5.0) * self.unit
        parts = []
        if mark.heading is not None:
            turned = [(2.2 * radius, 0.0), (0.5 * radius, 0.8 * radius), (0.5 * radius, -0.8 * radius)]
            cos, sin = math.cos(mark.heading), math.sin(mark.heading)
            arrow = tuple((mark.at[0] + x * cos - y * sin, mark.at[1] + x * sin + y * cos) for x, y in turned)
            parts.append(f'<path d="{self.path(arrow, close=True)}" fill="{_hex(mark.colour)}"/>')
        x, y = self.at(mark.at).split()
        rim = f'stroke="{_hex(PAPER)}" stroke-width="{_n(1.2 * self.unit)}"'
        parts.append(f'<circle cx="{x}" cy="{y}" r="{_n(radius)}" fill="{_hex(mark.colour)}" {rim}/>')
        if mark.letter:
            place = f'x="{x}" y="{y}" dy="0.36em" font-size="{_n(11 * self.unit)}" text-anchor="middle"'
            parts.append(f'<text {place} fill="{_hex(PAPER)}">{mark.letter}</text>')
        return "".join(parts)

    def label(self, label: Label) -> str:
        x, y = (float(value) for value in self.at(label.at).split())
        to_left = label.heading is not None and math.cos(label.heading) > 0.5
        anchor = "middle" if label.is_centred else "end" if to_left else "start"
        x += 0.0 if label.is_centred else (-9.0 if to_left else 9.0) * self.unit
        return self.writing(x, y, label.text, label.colour, anchor)

    def writing(self, x: float, y: float, text: str, colour: Colour, anchor: str) -> str:
        """Write with a rim in the colour of the paper."""
        size = f'font-size="{_n(12.5 * self.unit)}" dy="0.35em" text-anchor="{anchor}"'
        rim = f'stroke="{_hex(PAPER)}" stroke-width="{_n(2.5 * self.unit)}" paint-order="stroke"'
        clean = escape("".join(c for c in text if c.isprintable()))
        return f'<text x="{_n(x)}" y="{_n(y)}" {size} fill="{_hex(colour)}" {rim}>{clean}</text>'

    def scale(self) -> Iterator[str]:
        length = scale_bar(self.scene.width)
        x, y, tick = 14.0 * self.unit, self.scene.height - 12.0 * self.unit, 4.0 * self.unit
        ticks = "".join(f"M{_n(px)} {_n(y - tick)}v{_n(2 * tick)}" for px in (x, x + length))
        stroke = f'stroke="{_hex(INK)}" stroke-width="{_n(1.6 * self.unit)}" fill="none"'
        yield f'<path d="M{_n(x)} {_n(y)}h{_n(length)}{ticks}" {stroke}/>'
        yield self.writing(x, y - 12.0 * self.unit, f"{length:g} m", INK, "start")


def _n(value: float) -> str:
    """Format a number of metres to a tenth of a millimetre, without trailing zeros."""
    return f"{value:.4f}".rstrip("0").rstrip(".")


def _hex(colour: Colour) -> str:
    return f"#{colour[0]:02x}{colour[1]:02x}{colour[2]:02x}"
