"""From a plan to what stands in the field: rows of plants, stakes at their ends, mounds, grass and rocks. Metres."""

from __future__ import annotations

import math

import numpy as np

from mobilesim_py.formats.field.plan import FieldPlan
from mobilesim_py.geometry import FloatArray, Pose
from mobilesim_py.world.plants import Mounds, PlantKind, Plants, mound_profile
from mobilesim_py.world.world import Bounds, Problem, World

FIRST_STAKE, FIRST_PLANT = 1.0, 1.5
"""Where rows begin, along x: the robot starts at the origin."""
BEHIND = 2.0
"""From the length of a row to its last stake."""
USUAL_DEVIATION = 0.02
MOUND_HEIGHT, MOUND_HALF_WIDTH = 0.12, 0.3
HOLE = 1.0
"""Length of a gap in a row."""
MARGIN = 3.0
"""Free ground about the rows."""
_PIECE = 0.5
"""Length of the straight pieces of a curved mound."""
_GRASS_HEIGHT = (0.05, 0.12)
_SMALL_ROCK, _BIG_ROCK = 0.03, 0.08


def plant(plan: FieldPlan, path: str = "", problems: tuple[Problem, ...] = ()) -> World:
    """Return the world of a plan. Every part draws from a generator of its own, so that none moves the others."""
    mounds = _mounds(plan)
    parts = [_culture(plan), _stakes(plan), _grass(plan), _rocks(plan)]
    x, y, kind, radius, height = (np.concatenate(column) for column in zip(*parts, strict=True))
    base = _ground_height(plan, x, y)
    plants = Plants.build(x, y, kind, radius, height, base)
    rows = row_places(plan)
    outward = bow(plan, np.linspace(FIRST_STAKE, plan.length + BEHIND, 101))
    bounds = Bounds(
        -MARGIN,
        float(rows.min() + min(0.0, outward.min())) - MARGIN,
        plan.length + BEHIND + MARGIN,
        float(rows.max() + max(0.0, outward.max())) + MARGIN,
    )
    return World(
        plan.name,
        bounds,
        homes=(Pose(),),
        plants=plants,
        mounds=mounds,
        soil=plan.ground,
        trampling=plan.trampling,
        areas=tuple(patch.area for patch in plan.patches),
        path=path,
        problems=problems,
    )


def row_places(plan: FieldPlan) -> FloatArray:
    """Return where each row begins, along y; the robot starts between the first and the second."""
    return np.asarray(plan.width / 2.0 - np.arange(plan.rows) * plan.width, np.float64)


def bow(plan: FieldPlan, x: FloatArray) -> FloatArray:
    """Return how far rows are beside their beginning: out and back again, with the plan's curvature at both ends."""
    if plan.curvature == 0.0:
        return np.zeros_like(x)
    period = plan.length + BEHIND - FIRST_STAKE
    turn = np.clip((x - FIRST_STAKE) / period, 0.0, 1.0) * 2.0 * math.pi
    return np.asarray(plan.curvature * (period / (2.0 * math.pi)) ** 2 * (1.0 - np.cos(turn)))


Columns = tuple[FloatArray, FloatArray, FloatArray, FloatArray, FloatArray]
"""x, y, kind, radius, height."""


def _draw(plan: FieldPlan, part: int) -> np.random.Generator:
    return np.random.default_rng([plan.seed, part])


def _columns(
    x: FloatArray, y: FloatArray, kind: PlantKind, radius: FloatArray | float, height: FloatArray | float
) -> Columns:
    count = len(x)
    return x, y, np.full(count, int(kind)), np.broadcast_to(radius, count), np.broadcast_to(height, count)


def _culture(plan: FieldPlan) -> Columns:
    draw = _draw(plan, 0)
    count = plan.plants_per_row
    along = FIRST_PLANT + np.arange(count) * plan.spacing
    late = np.where(np.arange(plan.rows) % 2 == 1, plan.spacing / 2.0, 0.0) if plan.staggered else np.zeros(plan.rows)
    x = along + late[:, None]
    most = USUAL_DEVIATION + plan.deviation
    y = row_places(plan)[:, None] + bow(plan, x) + draw.uniform(-most, most, x.shape)
    is_there = x <= FIRST_PLANT + plan.length + 1e-9
    holes = _draw(plan, 4).uniform(0.0, 1.0, (plan.rows, plan.holes))
    for hole in (FIRST_PLANT + holes * max(plan.length - HOLE, 0.0)).T:
        is_there &= (x < hole[:, None]) | (x >= hole[:, None] + HOLE)
    size = draw.uniform(0.85, 1.15, x.shape)[is_there]
    kind, radius, height = (PlantKind.LEEK, 0.02, 0.40) if plan.culture == "Leek" else (PlantKind.CABBAGE, 0.10, 0.20)
    return _columns(x[is_there], y[is_there], kind, radius * size, height * size)


def _stakes(plan: FieldPlan) -> Columns:
    x = np.repeat([FIRST_STAKE, plan.length + BEHIND], plan.rows)
    return _columns(x, np.tile(row_places(plan), 2), PlantKind.STAKE, 0.0125, 0.6)


def _grass(plan: FieldPlan) -> Columns:
    draw = _draw(plan, 1)
    level, times = (plan.grass // 10, 2) if plan.grass >= 10 else (plan.grass, 1)
    all_over = round(3 * plan.length * plan.rows) * times if level in (1, 3) else 0
    in_rows = round(5 * plan.length) * plan.rows * times if level in (2, 3) else 0
    x = draw.uniform(FIRST_STAKE, plan.length + BEHIND, all_over + in_rows)
    rows = row_places(plan)
    y = np.concatenate(
        [
            draw.uniform(rows[-1] - plan.width / 2.0, rows[0] + plan.width / 2.0, all_over),
            np.repeat(rows, in_rows // plan.rows) + draw.normal(0.0, 0.06, in_rows),
        ]
    )
    height = draw.uniform(*_GRASS_HEIGHT, len(x))
    return _columns(x, y + bow(plan, x), PlantKind.GRASS, 0.03, height)


def _rocks(plan: FieldPlan) -> Columns:
    draw = _draw(plan, 2)
    aisles = row_places(plan)[:-1] - plan.width / 2.0
    small = round((0, 3, 5)[plan.rocks] * plan.length) * len(aisles)
    big = round((0, 0, 2)[plan.rocks] * plan.length) * len(aisles)
    x = draw.uniform(FIRST_PLANT, FIRST_PLANT + plan.length, small + big)
    aside = np.concatenate([draw.uniform(-0.35, 0.35, small), draw.choice([-0.45, 0.45], big)]) * plan.width
    y = np.tile(aisles, (small + big) // max(len(aisles), 1)) + aside + bow(plan, x)
    size = draw.uniform(0.7, 1.2, small + big) * np.repeat([_SMALL_ROCK, _BIG_ROCK], [small, big])
    return _columns(x, y, PlantKind.ROCK, size, 1.4 * size)


def _mounds(plan: FieldPlan) -> Mounds:
    if not plan.mounds:
        return Mounds()
    start, end = FIRST_STAKE - 0.2, plan.length + BEHIND + 0.2
    pieces = 1 if plan.curvature == 0.0 else max(2, round((end - start) / _PIECE))
    x = np.linspace(start, end, pieces + 1)
    y = row_places(plan)[:, None] + bow(plan, x)
    across = np.broadcast_to(x, y.shape)
    crests = np.stack([across[:, :-1], y[:, :-1], across[:, 1:], y[:, 1:]], axis=2).reshape(-1, 4)
    return Mounds(crests, min(MOUND_HALF_WIDTH, 0.42 * plan.width), MOUND_HEIGHT)


def _ground_height(plan: FieldPlan, x: FloatArray, y: FloatArray) -> FloatArray:
    """Return how high the ground is at places."""
    if not plan.mounds:
        return np.zeros(len(x))
    rows = row_places(plan)
    beside = y - bow(plan, x)
    nearest = np.clip(np.round((rows[0] - beside) / plan.width), 0, plan.rows - 1)
    off = np.abs(beside - (rows[0] - nearest * plan.width)) / min(MOUND_HALF_WIDTH, 0.42 * plan.width)
    return MOUND_HEIGHT * mound_profile(off)
