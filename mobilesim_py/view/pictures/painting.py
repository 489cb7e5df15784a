"""A scene as a PNG (or whatever Pillow can write), drawn at three times its size and scaled down to be smooth."""

from __future__ import annotations

import math
from itertools import pairwise
from typing import TYPE_CHECKING

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
from mobilesim_py.view.pictures.sizes import MAP_PICTURE

if TYPE_CHECKING:
    from PIL import Image, ImageDraw, ImageFont

DEFAULT_SIZE = MAP_PICTURE.default
_OVERSAMPLING = 3
_LARGEST_OVERSAMPLED = 9000
MOST_PAINT = 100.0
"""Whole pictures' worth of areas that are filled, one upon the other; of what comes then the edges are drawn."""


def draw_picture(scene: Scene, size: int = DEFAULT_SIZE) -> Image.Image:
    """Draw a scene; `size` is the longer side in pixels."""
    from PIL import Image

    pen = _Pen(scene, size)
    pen.grid()
    for area in scene.areas:
        pen.area(area)
    for discs in scene.discs:
        pen.discs(discs)
    pen.points()
    pen.walls()
    for line in (*scene.lines, *scene.reflectors):
        pen.line(line)
    for mark in scene.marks:
        pen.mark(mark)
    pen.labels(scene.labels)
    pen.scale()
    return pen.image.resize(pen.size, Image.Resampling.LANCZOS)


class _Pen:
    """Draws in map metres on an oversampled image."""

    def __init__(self, scene: Scene, size: int) -> None:
        from PIL import Image, ImageDraw

        self.scene = scene
        longer = max(scene.width, scene.height)
        times = max(1, min(_OVERSAMPLING, _LARGEST_OVERSAMPLED // size))
        self.size = (max(1, round(size * scene.width / longer)), max(1, round(size * scene.height / longer)))
        self.scale_factor = size * times / longer
        self.unit = size * times / 1000.0
        self.image: Image.Image = Image.new("RGB", (self.size[0] * times, self.size[1] * times), PAPER)
        self.painted = 0.0
        """How much paint was used, in whole pictures."""
        self.draw: ImageDraw.ImageDraw = ImageDraw.Draw(self.image, "RGBA")

    def at(self, point: Point) -> Point:
        """Turn map metres into pixels; the picture's y axis points down."""
        return (point[0] - self.scene.low[0]) * self.scale_factor, (self.scene.high[1] - point[1]) * self.scale_factor

    def path(self, points: Polygon) -> list[Point]:
        return [self.at(point) for point in points]

    def stroke(self, width: float) -> int:
        return max(1, round(width * self.unit))

    def grid(self) -> None:
        """Draw a line every metre (or ten, on large maps), stronger every tenth."""
        step = 1.0 if max(self.scene.width, self.scene.height) < 80 else 10.0
        for axis in (0, 1):
            first = math.ceil(self.scene.low[axis] / step)
            last = math.floor(self.scene.high[axis] / step)
            for index in range(first, last + 1):
                place = index * step
                ends = [list(self.scene.low), list(self.scene.high)]
                ends[0][axis] = ends[1][axis] = place
                colour = GRID_COARSE if index % 10 == 0 else GRID_FINE
                path = self.path(tuple((end[0], end[1]) for end in ends))
                self.draw.line(path, fill=colour, width=self.stroke(0.8))

    def area(self, area: Area) -> None:
        path = self.path(area.corners)
        self.painted += self._share(path)
        if self.painted <= MOST_PAINT:
            self.draw.polygon(path, fill=(*area.colour, round(255 * area.opacity)))
            if area.hatched:
                self._hatch(path, area.colour)
        if area.edge:
            self.draw.line([*path, path[0], path[1]], fill=area.edge, width=self.stroke(1.2), joint="curve")

    def _share(self, path: list[Point]) -> float:
        """Return how much of the picture the rectangle about a path covers."""
        xs, ys = zip(*path, strict=True)
        width, height = self.image.size
        across = max(0.0, min(max(xs), width) - max(min(xs), 0.0))
        return float(across * max(0.0, min(max(ys), height) - max(min(ys), 0.0)) / (width * height))

    def _hatch(self, path: list[Point], colour: Colour) -> None:
        """Draw slanting lines inside a polygon, cut out by its mask."""
        from PIL import Image, ImageDraw

        left, top = (math.floor(min(values)) for values in zip(*path, strict=True))
        right, bottom = (math.ceil(max(values)) for values in zip(*path, strict=True))
        width, height = max(1, right - left), max(1, bottom - top)
        if width * height > 60_000_000:
            return
        inside = Image.new("L", (width, height), 0)
        ImageDraw.Draw(inside).polygon([(x - left, y - top) for x, y in path], fill=90)
        stripes = Image.new("L", (width, height), 0)
        pen = ImageDraw.Draw(stripes)
        gap = max(4, self.stroke(8.0))
        for offset in range(-height, width, gap):
            pen.line([(offset, height), (offset + height, 0)], fill=255, width=self.stroke(0.8))
        mask = Image.fromarray(np.where(np.asarray(stripes) > 0, np.asarray(inside), 0).astype(np.uint8))
        self.image.paste(colour, (left, top), mask)

    def walls(self) -> None:
        width = self.stroke(1.8)
        for x1, y1, x2, y2 in self.scene.walls:
            path = self.path(((x1, y1), (x2, y2)))
            self.draw.line(path, fill=INK, width=width)
            for x, y in path:
                radius = (width - 1) / 2.0
                self.draw.ellipse([x - radius, y - radius, x + radius, y + radius], fill=INK)

    def discs(self, discs: Discs) -> None:
        least = 1.2 * self.unit
        for px, py, radius in discs.places.tolist():
            x, y = self.at((px, py))
            r = max(radius * self.scale_factor, least)
            self.draw.ellipse([x - r, y - r, x + r, y + r], fill=discs.colour)

    def points(self) -> None:
        if not len(self.scene.points):
            return
        half = max(self.scene.point_size * self.scale_factor, 1.0 * self.unit) / 2.0
        x = (self.scene.points[:, 0] - self.scene.low[0]) * self.scale_factor
        y = (self.scene.high[1] - self.scene.points[:, 1]) * self.scale_factor
        for px, py in zip(x.tolist(), y.tolist(), strict=True):
            self.draw.rectangle([px - half, py - half, px + half, py + half], fill=POINT_INK)

    def line(self, line: Line) -> None:
        path = self.path(line.points)
        width = self.stroke(line.width)
        for start, end in pairwise(path):
            for piece in dashes(start, end, line.dash * self.unit):
                self.draw.line(piece, fill=line.colour, width=width)

    def mark(self, mark: Mark) -> None:
        x, y = self.at(mark.at)
        radius = (7.5 if mark.letter else 5.0) * self.unit
        if mark.heading is not None:
            cos, sin = math.cos(mark.heading), -math.sin(mark.heading)
            tip, side = 2.2 * radius, 0.8 * radius
            arrow = [
                (x + tip * cos, y + tip * sin),
                (x - side * sin + radius * cos * 0.5, y + side * cos + radius * sin * 0.5),
                (x + side * sin + radius * cos * 0.5, y - side * cos + radius * sin * 0.5),
            ]
            self.draw.polygon(arrow, fill=mark.colour)
        self.draw.ellipse(
            [x - radius, y - radius, x + radius, y + radius], fill=mark.colour, outline=PAPER, width=self.stroke(1.2)
        )
        if mark.letter:
            self.draw.text((x, y), mark.letter, fill=PAPER, font=self.font(11.0), anchor="mm")

    def labels(self, labels: tuple[Label, ...]) -> None:
        """Write names beside their marks, moved to where they do not cover one another."""
        font = self.font(12.5)
        gap = 9.0 * self.unit
        radius = 6.0 * self.unit
        marks = [self.at(mark.at) for mark in self.scene.marks]
        used = [(x - radius, y - radius, x + radius, y + radius) for x, y in marks]
        for label in labels:
            x, y = self.at(label.at)
            left, top, right, bottom = self.draw.textbbox((0, 0), label.text, font=font)
            width, height = right - left, bottom - top
            places = [(x - width / 2, y - height / 2)] if label.is_centred else []
            sides = [
                *((x + gap, y - height / 2), (x - gap - width, y - height / 2)),
                *((x - width / 2, y - gap - height), (x - width / 2, y + gap)),
            ]
            if label.heading is not None and math.cos(label.heading) > 0.5:
                sides = [*sides[1:], sides[0]]
            places += sides
            free = [p for p in places if self._is_free(p, width, height, used)]
            px, py = (free or places)[0]
            used.append((px, py, px + width, py + height))
            self.text((px - left, py - top), label.text, label.colour, 12.5)

    def _is_free(self, place: Point, width: float, height: float, used: list[tuple[float, float, float, float]]) -> bool:
        x, y = place
        if x < 0 or y < 0 or x + width > self.image.width or y + height > self.image.height:
            return False
        return not any(x < u[2] and x + width > u[0] and y < u[3] and y + height > u[1] for u in used)

    def scale(self) -> None:
        """Draw a bar of a round length in the lower left corner."""
        length = scale_bar(self.scene.width)
        x, y = 14.0 * self.unit, self.image.height - 12.0 * self.unit
        end = x + length * self.scale_factor
        tick = 4.0 * self.unit
        for path in ([(x, y), (end, y)], [(x, y - tick), (x, y + tick)], [(end, y - tick), (end, y + tick)]):
            self.draw.line(path, fill=INK, width=self.stroke(1.6))
        self.text((x, y - 6 * self.unit), f"{length:g} m", INK, 12.0, "lb")

    def text(self, at: Point, text: str, colour: Colour, size: float, anchor: str = "la") -> None:
        """Write with a rim in the colour of the paper, so that it can be read on top of lines."""
        rim = self.stroke(1.4)
        self.draw.text(at, text, colour, self.font(size), anchor, stroke_width=rim, stroke_fill=PAPER)

    def font(self, size: float) -> ImageFont.FreeTypeFont | ImageFont.ImageFont:
        from PIL import ImageFont

        return ImageFont.load_default(size=max(6.0, size * self.unit))


def dashes(start: Point, end: Point, length: float) -> list[list[Point]]:
    """Cut a straight line into dashes with gaps of the same length; no length means one piece."""
    distance = math.dist(start, end)
    if length <= 0.0 or distance <= length:
        return [[start, end]]
    count = max(1, int(distance / length) // 2)
    pieces = []
    for index in range(count + 1):
        first, last = 2 * index * length / distance, min(1.0, (2 * index + 1) * length / distance)
        if first < 1.0:
            pieces.append([_between(start, end, first), _between(start, end, last)])
    return pieces


def _between(start: Point, end: Point, share: float) -> Point:
    return start[0] + (end[0] - start[0]) * share, start[1] + (end[1] - start[1]) * share
