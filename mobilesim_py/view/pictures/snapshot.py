"""Pictures of a moment without a browser: the map as `mobilesim map render` draws it, robots and boxes on top."""

from __future__ import annotations

import io
import math
from dataclasses import replace
from typing import TYPE_CHECKING

from mobilesim_py.geometry import Point, Polygon
from mobilesim_py.view.colours import as_rgb
from mobilesim_py.view.pictures.moment import Mark, Moment, RobotLook
from mobilesim_py.view.pictures.scene import INK, PAPER, Label, Line, Scene, parse_colour, scene_of
from mobilesim_py.view.pictures.shapes import Area, Colour
from mobilesim_py.view.pictures.sizes import SNAPSHOT
from mobilesim_py.world.boxes import Box
from mobilesim_py.world.world import World

if TYPE_CHECKING:
    from PIL import Image, ImageDraw

DEFAULT_SIZE, SMALLEST_SIZE, LARGEST_SIZE = SNAPSHOT
LASER: Colour = (80, 160, 235)
SONAR: Colour = (140, 145, 150)
_BOX: Colour = (150, 160, 140)
_OVERSAMPLING = 2
_MARK_SIZE = 0.3
"""Radius of the circle about a place that is pointed out [m]."""
_EMPTY_VIEW = 12.0
"""Least extent drawn around the robots in a world without a map [m]."""


def svg_of(moment: Moment, size: int = DEFAULT_SIZE) -> str:
    """Draw a moment as SVG text."""
    from mobilesim_py.view.pictures.vector import draw_svg

    return draw_svg(_whole_scene(moment), size)


def png_of(moment: Moment, size: int = DEFAULT_SIZE, painter: Painter | None = None) -> bytes:
    """Draw a moment as a PNG file."""
    buffer = io.BytesIO()
    (painter or Painter()).draw(moment, size).save(buffer, "PNG", compress_level=6)
    return buffer.getvalue()


class Painter:
    """Draws moments; the walls of a map are drawn once and cached."""

    def __init__(self) -> None:
        self._world: World | None = None
        self._size = 0
        self._scene: Scene | None = None
        self._map: Image.Image | None = None

    def draw(self, moment: Moment, size: int = DEFAULT_SIZE) -> Image.Image:
        """Draw a moment; `size` is the longer side in pixels."""
        from PIL import Image

        from mobilesim_py.view.pictures.painting import draw_picture

        if not moment.world.has_map or self._world is not moment.world or self._size != size or self._map is None:
            self._scene = _map_scene(moment)
            self._map = draw_picture(self._scene, size)
            self._world, self._size = moment.world, size
        assert self._scene is not None
        layer = _Layer(self._scene, self._map.size)
        layer.paint(moment)
        on_top = layer.image.reduce(_OVERSAMPLING)
        picture = self._map.copy()
        picture.paste(on_top, (0, 0), on_top)
        assert isinstance(picture, Image.Image)
        return picture


class _Layer:
    """A transparent layer of twice the size for everything that moves."""

    def __init__(self, scene: Scene, size: tuple[int, int]) -> None:
        from PIL import Image, ImageDraw

        self.scene = scene
        self.scale = _OVERSAMPLING * max(size) / max(scene.width, scene.height)
        self.unit = _OVERSAMPLING * max(size) / 1000.0
        # Transparent white as background keeps edges from turning grey when the layer is scaled down.
        self.image: Image.Image = Image.new("RGBA", (size[0] * _OVERSAMPLING, size[1] * _OVERSAMPLING), (*PAPER, 0))
        self.pen: ImageDraw.ImageDraw = ImageDraw.Draw(self.image, "RGBA")

    def at(self, point: Point) -> Point:
        return (point[0] - self.scene.low[0]) * self.scale, (self.scene.high[1] - point[1]) * self.scale

    def path(self, points: Polygon) -> list[Point]:
        return [self.at(point) for point in points]

    def paint(self, moment: Moment) -> None:
        for robot in moment.robots:
            for scan in robot.scans:
                self._blend(scan, LASER, 56)
        for box in moment.boxes:
            edge = (*INK, 255)
            self._polygon(box.corners, (*parse_colour(box.colour, _BOX), 230), edge)
        for robot in moment.robots:
            for start, end in robot.echoes:
                self.pen.line(self.path((start, end)), fill=(*SONAR, 190), width=self._stroke(0.8))
        for mark in moment.marks:
            self._mark(mark)
        for robot in moment.robots:
            self._robot(robot, moment.labels)

    def _mark(self, mark: Mark) -> None:
        (x, y), radius = self.at(mark.place), _MARK_SIZE * self.scale
        circle = (x - radius, y - radius, x + radius, y + radius)
        colour = as_rgb(mark.colour)
        self.pen.ellipse(circle, fill=(*colour, 110), outline=(*colour, 255), width=self._stroke(1.4))

    def _blend(self, points: Polygon, colour: Colour, opacity: int) -> None:
        """Fill a polygon with alpha blending, so that overlapping ones add up."""
        from PIL import Image, ImageDraw

        path = self.path(points)
        if len(path) < 3:
            return
        left, top = (max(0, math.floor(min(values))) for values in zip(*path, strict=True))
        right = min(self.image.width, math.ceil(max(x for x, _ in path)) + 1)
        bottom = min(self.image.height, math.ceil(max(y for _, y in path)) + 1)
        if right <= left or bottom <= top:
            return
        patch = Image.new("RGBA", (right - left, bottom - top), (*colour, 0))
        pen = ImageDraw.Draw(patch)
        pen.polygon([(x - left, y - top) for x, y in path], fill=(*colour, opacity))
        self.image.alpha_composite(patch, (left, top))

    def _robot(self, robot: RobotLook, labelled: bool) -> None:
        colour, opacity = as_rgb(robot.colour), 110 if robot.ghost else 255
        for polygon in robot.body:
            self._polygon(polygon, (*colour, opacity), (*_darker(colour), 255))
        self._polygon(robot.nose, (*PAPER, opacity), None)
        if labelled:
            from PIL import ImageFont

            x, y = self.at((robot.pose.x, robot.pose.y))
            gap = 0.6 * max(robot.size) * self.scale + 2.0 * self.unit
            font = ImageFont.load_default(size=max(8.0, 12.5 * self.unit))
            rim = self._stroke(1.4)
            ink, paper = (*_darker(colour), 255), (*PAPER, 255)
            self.pen.text((x, y + gap), robot.name, ink, font, "ma", stroke_width=rim, stroke_fill=paper)

    def _polygon(self, points: Polygon, fill: tuple[int, ...], edge: tuple[int, ...] | None) -> None:
        path = self.path(points)
        if len(path) < 3:
            return
        self.pen.polygon(path, fill=fill)
        if edge:
            self.pen.line([*path, path[0], path[1]], fill=edge, width=self._stroke(0.9), joint="curve")

    def _stroke(self, width: float) -> int:
        return max(1, round(width * self.unit))


def _map_scene(moment: Moment) -> Scene:
    """Return the scene of the map, or of the surroundings of the robots in a world without one."""
    scene = scene_of(moment.static_world())
    if moment.world.has_map or not (moment.robots or moment.boxes):
        return scene
    places = [(robot.pose.x, robot.pose.y) for robot in moment.robots] + [(b.pose.x, b.pose.y) for b in moment.boxes]
    xs, ys = [x for x, _ in places], [y for _, y in places]
    x, y = (min(xs) + max(xs)) / 2.0, (min(ys) + max(ys)) / 2.0
    half = max(_EMPTY_VIEW, 1.3 * (max(xs) - min(xs)), 1.3 * (max(ys) - min(ys))) / 2.0
    return replace(scene, low=(x - half, y - half), high=(x + half, y + half))


def _whole_scene(moment: Moment) -> Scene:
    """Return map, boxes and robots as one scene."""
    scene = _map_scene(moment)
    areas, lines, labels = list(scene.areas), list(scene.lines), list(scene.labels)
    for robot in moment.robots:
        areas += [Area(scan, LASER, 0.22) for scan in robot.scans]
    areas += [_box_area(box) for box in moment.boxes]
    for mark in moment.marks:
        corners = [math.tau * k / 24 for k in range(24)]
        x, y = mark.place
        ring = tuple((x + _MARK_SIZE * math.cos(angle), y + _MARK_SIZE * math.sin(angle)) for angle in corners)
        areas.append(Area(ring, as_rgb(mark.colour), 0.4))
    for robot in moment.robots:
        colour = as_rgb(robot.colour)
        lines += [Line(echo, SONAR, 0.8) for echo in robot.echoes]
        areas += [Area(part, colour, 0.4 if robot.ghost else 1.0, _darker(colour)) for part in robot.body]
        areas.append(Area(robot.nose, PAPER))
        if moment.labels:
            below = (robot.pose.x, robot.pose.y - 0.6 * max(robot.size) - 0.012 * max(scene.width, scene.height))
            labels.append(Label(below, robot.name, _darker(colour), is_centred=True))
    return replace(scene, areas=tuple(areas), lines=tuple(lines), labels=tuple(labels))


def _box_area(box: Box) -> Area:
    return Area(box.corners, parse_colour(box.colour, _BOX), 0.9, INK)


def _darker(colour: Colour) -> Colour:
    return round(colour[0] * 0.65), round(colour[1] * 0.65), round(colour[2] * 0.65)
