"""What mapping.out and planning.out say: the maze or its lines as drawn from a robot's start, and the best tour."""

from __future__ import annotations

import heapq
import itertools
import math

from mobilesim_py.services.ciberrato.loops import cell_of
from mobilesim_py.services.ciberrato.walls import Walls

Drawing = list[list[str]]
Node = tuple[float, float]
Links = dict[Node, dict[Node, float]]

MAX_TOUR = 9
"""More beacons than this would need more than 40 320 tours to be tried."""


def maze_mapping(walls: Walls, x: float, y: float) -> str:
    """Return mapping.out for a maze: walls that were seen, X where the robot could go, I where it started (scoring 2)."""
    drawing = _draw_maze(walls, x, y)
    drawing[len(drawing) // 2][len(drawing[0]) // 2] = "I"
    return _text(drawing)


def maze_planning(walls: Walls, x: float, y: float) -> str:
    """Return planning.out for a maze: the drawing with the targets' numbers, and the best tour (scoring 3)."""
    drawing = _draw_maze(walls, x, y)
    _mark_targets(drawing, walls, x, y)
    return _text(drawing) + _tour(walls, _maze_links(walls))


def line_mapping(walls: Walls, x: float, y: float) -> str:
    """Return mapping.out for lines on the ground (scoring 5)."""
    return _text(_draw_lines(walls, x, y))


def line_planning(walls: Walls, x: float, y: float) -> str:
    """Return planning.out for lines on the ground: the drawing with the targets' numbers, and the best tour (scoring 6)."""
    drawing = _draw_lines(walls, x, y)
    _mark_targets(drawing, walls, x, y)
    return _text(drawing) + _tour(walls, _line_links(walls))


def _text(drawing: Drawing) -> str:
    return "".join("".join(row) + "\n" for row in reversed(drawing))


def _put(drawing: Drawing, row: int, column: int, character: str) -> None:
    if 0 <= row < len(drawing) and 0 <= column < len(drawing[0]):
        drawing[row][column] = character


def _draw_maze(walls: Walls, x: float, y: float) -> Drawing:
    wide, high = int(walls.lab.width) // 2, int(walls.lab.height) // 2
    columns, rows = wide * 4 - 1, high * 4 - 1
    drawing = [[" "] * columns for _ in range(rows)]
    start_x, start_y = cell_of(x, y)
    for cy in range(high):
        for cx in range(wide):
            row, column = (cy - start_y) * 2 + rows // 2, (cx - start_x) * 2 + columns // 2
            ways = [(1, 0, "|"), (0, 1, "-")]
            ways += [(-1, 0, "|")] if cx == 0 else []
            ways += [(0, -1, "-")] if cy == 0 else []
            for dx, dy, character in ways:
                centre = cx * 2.0 + 1.0, cy * 2.0 + 1.0
                if not walls.reachable(*centre, (cx + dx) * 2.0 + 1.0, (cy + dy) * 2.0 + 1.0):
                    _put(drawing, row + dy, column + dx, character)
    _spread(drawing)
    _forget_unseen(drawing)
    return drawing


def _spread(drawing: Drawing) -> None:
    """Mark with X all that can be reached from the middle."""
    rows, columns = len(drawing), len(drawing[0])
    waiting = [(rows // 2, columns // 2)]
    drawing[rows // 2][columns // 2] = "X"
    while waiting:
        row, column = waiting.pop()
        for r, c in ((row, column + 1), (row, column - 1), (row + 1, column), (row - 1, column)):
            between_walls = r % 2 == 0 and c % 2 == 0
            if 1 <= r < rows - 1 and 1 <= c < columns and not between_walls and drawing[r][c] == " ":
                drawing[r][c] = "X"
                waiting.append((r, c))


def _forget_unseen(drawing: Drawing) -> None:
    """Blank the walls that no place within reach lies at."""
    rows, columns = len(drawing), len(drawing[0])

    def reached(row: int, column: int) -> bool:
        return 0 <= row < rows and 0 <= column < columns and drawing[row][column] == "X"

    for row in range(rows):
        for column in range(columns):
            wall = drawing[row][column]
            unseen_flat = wall == "-" and not reached(row - 1, column) and not reached(row + 1, column)
            unseen_upright = wall == "|" and not reached(row, column - 1) and not reached(row, column + 1)
            if unseen_flat or unseen_upright:
                drawing[row][column] = " "


def _draw_lines(walls: Walls, x: float, y: float) -> Drawing:
    wide, high = int(walls.lab.width) // 2, int(walls.lab.height) // 2
    columns, rows = max((wide - 2) * 4 + 1, 1), max((high - 2) * 4 + 1, 1)
    drawing = [[" "] * columns for _ in range(rows)]
    start_x, start_y = cell_of(x, y)
    looks = ((0.0, 0.5, 0, 1, "|"), (0.5, 0.0, 1, 0, "-"), (0.5, 0.5, 1, 1, "/"), (0.5, -0.5, 1, -1, "\\"))
    for dx, dy, right, up, character in looks:
        for cy in range(2 if up < 0 else 1, high - 1 if up > 0 else high):
            for cx in range(1, wide):
                if walls.inside(cx * 2.0 + dx, cy * 2.0 + dy):
                    _put(drawing, (cy - start_y) * 2 + up + rows // 2, (cx - start_x) * 2 + right + columns // 2, character)
    drawing[rows // 2][columns // 2] = "I"
    return drawing


def _mark_targets(drawing: Drawing, walls: Walls, x: float, y: float) -> None:
    start_x, start_y = cell_of(x, y)
    rows, columns = len(drawing), len(drawing[0])
    lab = walls.lab
    for number, target in enumerate(lab.targets[: len(lab.beacons)]):
        tx, ty = cell_of(target.x, target.y)
        _put(drawing, (ty - start_y) * 2 + rows // 2, (tx - start_x) * 2 + columns // 2, chr(ord("0") + number))


def _link(links: Links, one: Node, other: Node, length: float) -> None:
    links.setdefault(one, {})[other] = length
    links.setdefault(other, {})[one] = length


def _maze_links(walls: Walls) -> Links:
    links: Links = {}
    for x in _steps(1.0, walls.lab.width):
        for y in _steps(1.0, walls.lab.height):
            for to_x, to_y in ((x + 2.0, y), (x, y + 2.0)):
                inside = to_x < walls.lab.width and to_y < walls.lab.height
                if inside and walls.reachable(x, y, to_x, to_y):
                    _link(links, (x, y), (to_x, to_y), 2.0)
    return links


def _line_links(walls: Walls) -> Links:
    links: Links = {}
    diagonal = 2.0 * math.sqrt(2.0)
    ways = ((2.0, 0.0, 2.0), (0.0, 2.0, 2.0), (2.0, 2.0, diagonal), (2.0, -2.0, diagonal))
    for x in _steps(2.0, walls.lab.width):
        for y in _steps(2.0, walls.lab.height):
            for dx, dy, length in ways:
                inside = x + dx < walls.lab.width and 2.0 <= y + dy < walls.lab.height
                if inside and walls.inside(x + dx / 4.0, y + dy / 4.0):
                    _link(links, (x, y), (x + dx, y + dy), length)
    return links


def _steps(first: float, end: float) -> list[float]:
    return [first + 2.0 * i for i in range(max(math.ceil((end - first) / 2.0), 0))]


def _tour(walls: Walls, links: Links) -> str:
    """Return the shortest tour over all beacons from the first one and back, and its length; nothing where there is none."""
    places = [(beacon.x, beacon.y) for beacon in walls.lab.beacons]
    if not 2 <= len(places) <= MAX_TOUR:
        return ""
    between = [[_distances(links, place).get(other, math.inf) for other in places] for place in places]
    best: tuple[int, ...] = ()
    best_length = math.inf
    for middle in itertools.permutations(range(1, len(places))):
        tour = (0, *middle, 0)
        length = sum(between[a][b] for a, b in itertools.pairwise(tour))
        if length < best_length:
            best, best_length = tour, length
    return "".join(f" {number}" for number in best) + f"\n{best_length:f}\n" if best else ""


def _distances(links: Links, start: Node) -> dict[Node, float]:
    best: dict[Node, float] = {}
    queue = [(0.0, start)]
    while queue:
        length, node = heapq.heappop(queue)
        if node in best:
            continue
        best[node] = length
        for to, piece in links.get(node, {}).items():
            heapq.heappush(queue, (length + piece, to))
    return best
